/*
 * image.h - what is in a tile before it starts: up to five programs, one per core, and raw bytes in
 * L1. Only a plan: whoever has a tile copies the parts into it.
 *
 * Core B always starts at 0. If its program starts elsewhere and nobody puts anything at 0,
 * image_finish() adds the jump that gets it there. The other cores start at image.start[core]; where
 * that differs from tile_cores_info()->reset_pc, the registers that override the start address are needed.
 */
#ifndef WG_LOAD_IMAGE_H
#define WG_LOAD_IMAGE_H

#include <stdint.h>

#include "load/elf.h"
#include "load/error.h"
#include "load/tile_cores.h"

struct image_part {
    const char *name; /* the file it comes from, or what it is; for messages */
    enum elf_place place;
    enum load_core core; /* ELF_LOCAL: whose RAM */
    uint32_t addr;
    const uint8_t *bytes;
    uint32_t n_bytes, mem_size; /* mem_size - n_bytes zeros follow */
};

struct image_blob; /* the bytes of a raw file; private */

struct image {
    struct elf *elfs[LOAD_N_CORES]; /* NULL: no program */
    uint32_t start[LOAD_N_CORES];   /* of cores that have a program */
    struct image_part *parts;       /* in the order in which they were added */
    unsigned n_parts, room_parts;
    struct image_blob *blobs;
};

void image_init(struct image *image);
void image_free(struct image *image);

/* Add the program of a core; a core can have one. */
enum load_status image_add_elf(struct image *image, enum load_core core, const char *path,
                               struct load_error *error);

/* Take over a program that was read already; it is freed with the image, or at once on failure. */
enum load_status image_take_elf(struct image *image, struct elf *elf, struct load_error *error);

/* Add the bytes of a file at an address of L1. */
enum load_status image_add_file(struct image *image, const char *path, uint32_t addr,
                                struct load_error *error);

/* The same, from "FILE@ADDR". */
enum load_status image_add_raw(struct image *image, const char *text, struct load_error *error);

/* Add words at an address of L1; name says in messages what they are. */
enum load_status image_add_words(struct image *image, const char *name, uint32_t addr,
                                 const uint32_t *words, unsigned n_words, struct load_error *error);

/* After the last addition: look for overlaps, and add the jump for core B. */
enum load_status image_finish(struct image *image, struct load_error *error);

#endif
