/*
 * elf.c - see elf.h. The file itself is in elf_file.c, symbols and lines are in elf_debug.c.
 *
 * Inaccuracies: sections are looked at for .loader_init only. Relocations, if a file has any, are
 * ignored: an executable for these cores is linked at fixed addresses.
 */
#include "load/elf.h"

#include <stdlib.h>
#include <string.h>

#include "load/elf_file.h"

#define MAX_SEGMENTS 256

/* What elf.h does not show. */
struct elf_open {
    struct elf elf; /* first, so that one pointer serves for both */
    struct elf_file file;
    bool has_loader_init;
    uint32_t loader_init;
};

static const struct elf_file_kind riscv = {
    .class = ELFCLASS32,
    .machine = EM_RISCV,
    .machine_name = "RISC-V",
    .other_class = "the cores run 32-bit programs",
    .other_order = "the cores are little-endian",
    .dynamic = "a shared object or position-independent executable",
};

/* The vendor's test programs keep a place in L1 for what is linked into the core's RAM. */
static void find_loader_init(struct elf_open *open)
{
    size_t names;
    if (elf_getshdrstrndx(open->file.elf, &names) != 0)
        return;
    for (Elf_Scn *section = NULL; (section = elf_nextscn(open->file.elf, section)) != NULL;) {
        GElf_Shdr header;
        if (!gelf_getshdr(section, &header) || !header.sh_size || header.sh_addr >= LOAD_L1_SIZE)
            continue;
        const char *name = elf_strptr(open->file.elf, names, header.sh_name);
        if (name && strcmp(name, ".loader_init") == 0) {
            open->has_loader_init = true;
            open->loader_init = (uint32_t)header.sh_addr;
        }
    }
}

static bool within(uint32_t addr, uint32_t n, uint32_t base, uint32_t size)
{
    return addr >= base && addr - base <= size && n <= size - (addr - base);
}

/* Decide where a segment goes and check that it fits there. */
static enum load_status place_segment(const struct elf_open *open, const GElf_Phdr *header,
                                      struct elf_segment *segment, struct load_error *error)
{
    const struct core_info *core = tile_cores_info(open->elf.core);
    uint32_t vaddr = (uint32_t)header->p_vaddr;
    bool local = vaddr >= LOAD_LOCAL_BASE && vaddr - LOAD_LOCAL_BASE < core->local_size;

    *segment = (struct elf_segment){
        .addr = header->p_filesz ? (uint32_t)header->p_paddr : vaddr,
        .bytes = open->file.bytes.data + header->p_offset,
        .n_bytes = (uint32_t)header->p_filesz,
        .mem_size = (uint32_t)header->p_memsz,
        .vaddr = vaddr,
    };
    if (local && segment->n_bytes && segment->addr == vaddr && open->has_loader_init)
        segment->addr = open->loader_init + (vaddr - LOAD_LOCAL_BASE);
    if (local && segment->addr != vaddr) /* zeros are made at vaddr, nothing is copied for them */
        segment->mem_size = segment->n_bytes;

    if (within(segment->addr, segment->mem_size, 0, LOAD_L1_SIZE)) {
        segment->place = ELF_L1;
        return LOAD_OK;
    }
    if (within(segment->addr, segment->mem_size, LOAD_LOCAL_BASE, core->local_size)) {
        segment->place = ELF_LOCAL;
        return LOAD_OK;
    }
    return error_set(
        error,
        LOAD_ERROR_PLACE,
        "%s: segment at 0x%x of %u bytes lies outside L1 (0x0..0x%x) and the RAM of core "
        "%s (0x%x..0x%x)",
        open->elf.name,
        (unsigned)segment->addr,
        (unsigned)segment->mem_size,
        (unsigned)(LOAD_L1_SIZE - 1),
        core->name,
        (unsigned)LOAD_LOCAL_BASE,
        (unsigned)(LOAD_LOCAL_BASE + core->local_size - 1));
}

static enum load_status check_overlap(const struct elf_open *open, struct load_error *error)
{
    const struct elf *elf = &open->elf;
    const struct elf_segment *last = &elf->segments[elf->n_segments - 1];
    for (const struct elf_segment *s = elf->segments; s < last; s++) {
        if (s->place != last->place || !s->n_bytes || !last->n_bytes ||
            s->addr >= last->addr + last->mem_size || last->addr >= s->addr + s->mem_size)
            continue;
        return error_set(error,
                         LOAD_ERROR_OVERLAP,
                         "%s: two of its segments overlap: 0x%x..0x%x and 0x%x..0x%x",
                         elf->name,
                         (unsigned)s->addr,
                         (unsigned)(s->addr + s->mem_size - 1),
                         (unsigned)last->addr,
                         (unsigned)(last->addr + last->mem_size - 1));
    }
    return LOAD_OK;
}

static enum load_status add_segment(struct elf_open *open, const GElf_Phdr *header,
                                    struct load_error *error)
{
    struct elf *elf = &open->elf;
    if (elf->n_segments == MAX_SEGMENTS)
        return elf_file_refuse(&open->file, error, "more than 256 segments");
    struct elf_segment *segment = &elf->segments[elf->n_segments];
    enum load_status status = place_segment(open, header, segment, error);
    if (status != LOAD_OK)
        return status;
    if (!segment->mem_size)
        return LOAD_OK;
    elf->n_segments++;
    return check_overlap(open, error);
}

static enum load_status read_segments(struct elf_open *open, struct load_error *error)
{
    struct elf *elf = &open->elf;
    unsigned n = open->file.n_headers;
    elf->segments = calloc(n < MAX_SEGMENTS ? n : MAX_SEGMENTS, sizeof *elf->segments);
    if (!elf->segments)
        return error_memory(error);
    for (unsigned i = 0; i < n; i++) {
        GElf_Phdr header;
        enum load_status status = elf_file_segment(&open->file, i, &header, error);
        if (status == LOAD_OK && header.p_type == PT_LOAD && header.p_memsz)
            status = add_segment(open, &header, error);
        if (status != LOAD_OK)
            return status;
    }
    if (!elf->n_segments)
        return elf_file_refuse(&open->file, error, "no loadable segment");
    return LOAD_OK;
}

static enum load_status check_entry(const struct elf_open *open, struct load_error *error)
{
    const struct elf *elf = &open->elf;
    for (unsigned i = 0; i < elf->n_segments; i++) {
        const struct elf_segment *s = &elf->segments[i];
        if (s->place == ELF_L1 && s->vaddr == s->addr && elf->entry - s->addr < s->n_bytes)
            return LOAD_OK;
    }
    return error_set(error,
                     LOAD_ERROR_PLACE,
                     "%s: starts at 0x%x, where none of its segments puts code into L1",
                     elf->name,
                     (unsigned)elf->entry);
}

static enum load_status read_open(struct elf_open *open, struct load_error *error)
{
    enum load_status status = elf_file_check(&open->file, &riscv, error);
    if (status == LOAD_OK)
        status = elf_file_open(&open->file, error);
    if (status != LOAD_OK)
        return status;
    open->elf.name = open->file.name;
    open->elf.entry = (uint32_t)open->file.entry;
    find_loader_init(open);
    status = read_segments(open, error);
    if (status == LOAD_OK)
        status = check_entry(open, error);
    return status == LOAD_OK ? elf_file_debug(&open->file, error) : status;
}

/* From data, or, if that is NULL, from the file of that name. */
static enum load_status read_any(const void *data, size_t size, const char *name,
                                 enum load_core core, struct elf **elf, struct load_error *error)
{
    *elf = NULL;
    struct elf_open *open = calloc(1, sizeof *open);
    if (!open)
        return error_memory(error);
    open->elf.core = core;
    enum load_status status = data ? elf_file_copy(&open->file, data, size, name, error)
                                   : elf_file_read(&open->file, name, error);
    if (status == LOAD_OK)
        status = read_open(open, error);
    if (status == LOAD_OK)
        *elf = &open->elf;
    else
        elf_free(&open->elf);
    return status;
}

enum load_status elf_read_memory(const void *data, size_t size, const char *name,
                                 enum load_core core, struct elf **elf, struct load_error *error)
{
    return read_any(data ? data : "", data ? size : 0, name, core, elf, error);
}

enum load_status elf_read(const char *path, enum load_core core, struct elf **elf,
                          struct load_error *error)
{
    return read_any(NULL, 0, path, core, elf, error);
}

void elf_free(struct elf *elf)
{
    if (!elf)
        return;
    struct elf_open *open = (struct elf_open *)elf;
    elf_file_close(&open->file);
    free(elf->segments);
    free(open);
}

static struct elf_debug *debug_of(const struct elf *elf)
{
    return ((const struct elf_open *)elf)->file.debug;
}

bool elf_symbol(const struct elf *elf, uint32_t pc, const char **name, uint32_t *offset)
{
    return elf_debug_symbol(debug_of(elf), pc, name, offset);
}

bool elf_address(const struct elf *elf, const char *name, uint32_t *addr)
{
    uint64_t found = 0;
    bool there = elf_debug_address(debug_of(elf), name, &found);
    *addr = (uint32_t)found;
    return there;
}

bool elf_line(struct elf *elf, uint32_t pc, const char **file, unsigned *line)
{
    return elf_debug_line(debug_of(elf), pc, file, line);
}
