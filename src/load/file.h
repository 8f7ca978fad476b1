/* file.h - whole files in memory, and paths. */
#ifndef WG_LOAD_FILE_H
#define WG_LOAD_FILE_H

#include <stddef.h>
#include <stdint.h>

#include "load/error.h"

struct file_bytes {
    uint8_t *data; /* from malloc; never NULL after success */
    size_t size;
};

/* Read all of a file; more than 64 MiB is refused. */
enum load_status file_read(const char *path, struct file_bytes *bytes, struct load_error *error);

/* A copy of n characters of text, ended by NUL; NULL without memory. */
char *file_copy_text(const char *text, size_t n);

/* name as seen from the folder of the file base: "kernels/a/case.yaml", "b.elf" -> "kernels/a/b.elf".
 * NULL without memory. */
char *file_beside(const char *base, const char *name);

#endif
