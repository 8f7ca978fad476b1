/*
 * alpha_elf.h - a program for the Alpha machine: a static 64-bit little-endian Linux executable.
 */
#ifndef WG_LOAD_ALPHA_ELF_H
#define WG_LOAD_ALPHA_ELF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "load/error.h"

#define ALPHA_ELF_PAGE     UINT64_C(8192)
#define ALPHA_ELF_END      (UINT64_C(1) << 41) /* above are stack, mappings and windows */
#define ALPHA_ELF_SIZE     (UINT64_C(1) << 29) /* at most in memory, all segments together */
#define ALPHA_ELF_SEGMENTS 64

struct alpha_segment {
    uint64_t addr, mem_size;
    const uint8_t *bytes; /* n_bytes of them; valid as long as the struct alpha_elf */
    uint64_t n_bytes;     /* <= mem_size; the rest is zero */
    unsigned protection;  /* 1 read, 2 write, 4 execute */
};

struct alpha_elf {
    char *name; /* the file */
    uint64_t entry;
    uint64_t headers; /* where the program headers are in memory, 0: nowhere */
    unsigned n_headers;
    uint64_t end; /* behind the last segment */
    struct alpha_segment segments[ALPHA_ELF_SEGMENTS];
    unsigned n_segments;
};

/* On success *elf is the caller's, to be freed with alpha_elf_free(). */
enum load_status alpha_elf_read(const char *path, struct alpha_elf **elf, struct load_error *error);
/* The same from memory; the bytes are copied. */
enum load_status alpha_elf_read_memory(const void *data, size_t size, const char *name,
                                       struct alpha_elf **elf, struct load_error *error);
void alpha_elf_free(struct alpha_elf *elf);

/* The function at or before pc; the source line of pc. False if there is none. */
bool alpha_elf_symbol(const struct alpha_elf *elf, uint64_t pc, const char **name,
                      uint32_t *offset);
bool alpha_elf_line(struct alpha_elf *elf, uint64_t pc, const char **file, unsigned *line);

#endif
