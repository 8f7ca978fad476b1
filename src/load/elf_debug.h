/* elf_debug.h - symbols (libelf) and source lines (libdw) of a program; used by elf.c and alpha_elf.c only. */
#ifndef WG_LOAD_ELF_DEBUG_H
#define WG_LOAD_ELF_DEBUG_H

#include <stdbool.h>
#include <stdint.h>

typedef struct Elf Elf; /* libelf's */

struct elf_debug;

/* Collect the symbols of an open file, which must stay open. NULL without memory. */
struct elf_debug *elf_debug_new(Elf *file);
void elf_debug_free(struct elf_debug *debug);

bool elf_debug_symbol(const struct elf_debug *debug, uint64_t pc, const char **name,
                      uint32_t *offset);
bool elf_debug_address(const struct elf_debug *debug, const char *name, uint64_t *addr);
bool elf_debug_line(struct elf_debug *debug, uint64_t pc, const char **file, unsigned *line);

#endif
