/*
 * elf.h - a program for one core: a 32-bit little-endian RISC-V executable.
 *
 * Where a segment goes: to its physical address (p_paddr). For code and constants that is where they
 * are linked. Initialised data is linked into the core's own RAM at 0xFFB00000, which loses its
 * contents in reset; a linker script puts its physical address into L1, from where the start-up code
 * copies it. A file with a section .loader_init says the same in another way: what is linked into the
 * core's RAM belongs to that section's address. Only a segment that has no such place is reported as
 * ELF_LOCAL, and it is for the caller to see that it survives.
 *
 * A segment without bytes reserves memory and loads nothing: a stack, a place for arguments that several
 * programs share, .loader_init itself. It overlaps nothing.
 */
#ifndef WG_LOAD_ELF_H
#define WG_LOAD_ELF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "load/error.h"
#include "load/tile_cores.h"

enum elf_place { ELF_L1 = 0, ELF_LOCAL = 1 };

struct elf_segment {
    enum elf_place place;
    uint32_t addr;        /* ELF_L1: below 0x180000; ELF_LOCAL: from 0xFFB00000 up */
    const uint8_t *bytes; /* n_bytes of them; valid as long as the struct elf */
    uint32_t n_bytes;
    uint32_t mem_size; /* >= n_bytes; the rest is zero */
    uint32_t vaddr;    /* where the program sees it; differs from addr if start-up code copies it */
};

struct elf {
    char *name; /* the file */
    enum load_core core;
    uint32_t entry;
    struct elf_segment *segments; /* in the file's order */
    unsigned n_segments;
};

/* Read a program for a core. On success *elf is the caller's, to be freed with elf_free(). */
enum load_status elf_read(const char *path, enum load_core core, struct elf **elf,
                          struct load_error *error);

/* The same from memory; name is used in messages. The bytes are copied. */
enum load_status elf_read_memory(const void *data, size_t size, const char *name,
                                 enum load_core core, struct elf **elf, struct load_error *error);

void elf_free(struct elf *elf);

/* The function or label at or before pc in code, and the distance to it. False if there is none. */
bool elf_symbol(const struct elf *elf, uint32_t pc, const char **name, uint32_t *offset);

/* The address of a symbol of any kind. False if there is none of that name. */
bool elf_address(const struct elf *elf, const char *name, uint32_t *addr);

/*
 * The source line of pc. False if the file has no line information for it. The first call reads the
 * tables, so calls for one struct elf must not overlap.
 */
bool elf_line(struct elf *elf, uint32_t pc, const char **file, unsigned *line);

#endif
