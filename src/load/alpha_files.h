/*
 * alpha_files.h - the descriptors of an Alpha program.
 *
 * A table of its own: a program's number leads to a descriptor of the host, and none of the emulator's own can be named. 0, 1 and 2 are the
 * emulator's standard streams; they can be closed and replaced without changing those. What is opened is found by alpha_dir.c, and is a
 * regular file or a directory: opening anything else could block for ever, or do something to a device.
 *
 * Invariant: the host's descriptors in the table are the table's alone, but for the three streams.
 */
#ifndef WG_LOAD_ALPHA_FILES_H
#define WG_LOAD_ALPHA_FILES_H

#include "load/alpha_dir.h"

#define ALPHA_FILES_MOST 256u

struct alpha_file {
    int fd; /* the host's; -1: not open */
    bool close_on_exec;
    char *path; /* of a directory: canonical; else NULL */
};

struct alpha_files {
    struct alpha_dirs dirs;
    struct alpha_file file[ALPHA_FILES_MOST];
    const char *program; /* for /proc/self/exe */
};

/* The standard streams, as far as the emulator has them: before it opens anything else. */
void alpha_files_init(struct alpha_files *f);
/* Closes everything but the streams. */
void alpha_files_free(struct alpha_files *f);

/* The host's descriptor behind a program's; -1: not open. */
int alpha_files_host(const struct alpha_files *f, uint64_t fd);
/* Where paths start that are given with this descriptor; NULL: it is no directory, or not open. */
const char *alpha_files_base(const struct alpha_files *f, uint64_t fd);

/* All return a descriptor of the program, or a negated errno. Flags are the host's. */
int64_t alpha_files_open(struct alpha_files *f, const char *from, const char *path, int flags,
                         unsigned mode);
int64_t alpha_files_close(struct alpha_files *f, uint64_t fd);
/* The lowest free number from `least` on. */
int64_t alpha_files_dup(struct alpha_files *f, uint64_t fd, uint64_t least, bool close_on_exec);
int64_t alpha_files_dup_to(struct alpha_files *f, uint64_t fd, uint64_t to);

/* Status of a place that exists; 0 or a negated errno. */
int64_t alpha_files_stat(const struct alpha_files *f, struct alpha_place *place, struct stat *st);

#endif
