/*
 * elf_file.h - what programs for the cores and for the Alpha have in common: the bytes of an ELF file, its header
 * checked, libelf's view of it, its symbols and lines. Every offset and size is checked before the bytes behind it
 * are used.
 *
 * In the order of use: elf_file_read() or elf_file_copy(), elf_file_check(), elf_file_open(), segments by
 * elf_file_segment(), elf_file_debug(); elf_file_close() after any of them.
 */
#ifndef WG_LOAD_ELF_FILE_H
#define WG_LOAD_ELF_FILE_H

#include <gelf.h>
#include <libelf.h>
#include <stddef.h>
#include <stdint.h>

#include "load/elf_debug.h"
#include "load/error.h"
#include "load/file.h"

/* What a machine wants; the texts are for refusals. */
struct elf_file_kind {
    unsigned char class; /* ELFCLASS32 or ELFCLASS64; always little-endian */
    unsigned machine;
    const char *machine_name;
    const char *other_class, *other_order; /* what it needs, said of files that are otherwise */
    const char *dynamic;                   /* what an ET_DYN file is here */
};

struct elf_file {
    char *name;
    struct file_bytes bytes;
    Elf *elf;                /* libelf's view */
    struct elf_debug *debug; /* symbols and lines */
    uint64_t entry, headers_at;
    unsigned n_headers;
};

/* The bytes of a file, or a copy of bytes in memory. */
enum load_status elf_file_read(struct elf_file *f, const char *path, struct load_error *error);
enum load_status elf_file_copy(struct elf_file *f, const void *data, size_t size, const char *name,
                               struct load_error *error);

/* An executable of that kind, with all of its program headers? Sets entry, headers_at, n_headers. */
enum load_status elf_file_check(struct elf_file *f, const struct elf_file_kind *kind,
                                struct load_error *error);
enum load_status elf_file_open(struct elf_file *f, struct load_error *error);
/* Program header i; what a PT_LOAD has is in the file. */
enum load_status elf_file_segment(struct elf_file *f, unsigned i, GElf_Phdr *header,
                                  struct load_error *error);
enum load_status elf_file_debug(struct elf_file *f, struct load_error *error);
void elf_file_close(struct elf_file *f);

/* LOAD_ERROR_FORMAT: "name: what". */
enum load_status elf_file_refuse(const struct elf_file *f, struct load_error *error,
                                 const char *what);

#endif
