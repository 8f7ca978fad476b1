/*
 * case.h - a case file: what to load into a tile, when to stop, what must be there then. YAML or JSON;
 * docs/case.md describes it.
 */
#ifndef WG_LOAD_CASE_H
#define WG_LOAD_CASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "load/error.h"
#include "load/image.h"
#include "load/tile_cores.h"

enum case_mode { CASE_UNTIMED = 0, CASE_CLOCKED = 1 };

struct case_l1 {
    char *file;      /* NULL: words */
    uint32_t *words; /* n_words of them */
    unsigned n_words;
    uint32_t at;
    unsigned line;
};

struct case_until {
    uint32_t address, value;
};

/* A number of the machine: a text, which is the caller's to understand. */
struct case_timing {
    char *name, *value;
    unsigned line; /* in the case file, for messages */
};

struct case_dump {
    uint32_t from, length;
    char *file;
};

struct case_expect {
    uint32_t at;
    uint32_t *words;
    unsigned n_words;
    unsigned line; /* in the case file, for messages */
};

/* Paths are as seen from where the program runs: the folder of the case file is in front. */
struct case_file {
    char *path;
    char *programs[LOAD_N_CORES]; /* NULL: none */
    bool released[LOAD_N_CORES];  /* cores let out of reset at the start */
    struct case_l1 *l1;
    unsigned n_l1;
    struct case_until *until; /* all must hold */
    unsigned n_until;
    struct case_dump *dumps;
    unsigned n_dumps;
    struct case_expect *expects;
    unsigned n_expects;
    struct case_timing *timing;
    unsigned n_timing;
    uint64_t max_steps; /* 0: not said */
    enum case_mode mode;
};

enum load_status case_read(const char *path, struct case_file **file, struct load_error *error);

/* The same from memory; path is used in messages and to find files. */
enum load_status case_read_memory(const char *text, size_t size, const char *path,
                                  struct case_file **file, struct load_error *error);

void case_free(struct case_file *file);

/* Load everything the case names into a fresh image, finished. On failure the image is empty. */
enum load_status case_image(const struct case_file *file, struct image *image,
                            struct load_error *error);

#endif
