/*
 * elf.c - see elf.h. libelf reads the headers; every offset and size is checked here before the
 * bytes behind it are used. Symbols and lines are in elf_debug.c.
 *
 * Inaccuracies: sections are looked at for .loader_init only. Relocations, if a file has any, are
 * ignored: an executable for these cores is linked at fixed addresses.
 */
#include "load/elf.h"

#include <gelf.h>
#include <libelf.h>
#include <stdlib.h>
#include <string.h>

#include "load/elf_debug.h"
#include "load/file.h"

#define MAX_SEGMENTS 256

/* What elf.h does not show: the file's bytes and libelf's view of them. */
struct elf_open {
    struct elf elf; /* first, so that one pointer serves for both */
    uint8_t *data;
    size_t size;
    Elf *file;
    bool has_loader_init;
    uint32_t loader_init;
};

static enum load_status refuse(const struct elf_open *open, struct load_error *error,
                               const char *what)
{
    return error_set(error, LOAD_ERROR_FORMAT, "%s: %s", open->elf.name, what);
}

static enum load_status check_ident(const struct elf_open *open, struct load_error *error)
{
    const uint8_t *ident = open->data;
    if (open->size < SELFMAG || memcmp(ident, ELFMAG, SELFMAG) != 0)
        return refuse(open, error, "not an ELF file");
    if (open->size < EI_NIDENT)
        return refuse(open, error, "truncated: ends inside the ELF header");
    if (ident[EI_CLASS] == ELFCLASS64)
        return refuse(open, error, "a 64-bit ELF file; the cores run 32-bit programs");
    if (ident[EI_CLASS] != ELFCLASS32)
        return refuse(open, error, "an ELF file of unknown class");
    if (ident[EI_DATA] != ELFDATA2LSB)
        return refuse(open, error, "a big-endian ELF file; the cores are little-endian");
    if (open->size < sizeof(Elf32_Ehdr))
        return refuse(open, error, "truncated: ends inside the ELF header");
    return LOAD_OK;
}

static const char *type_text(unsigned type)
{
    switch (type) {
    case ET_REL: return "a relocatable object, not linked yet";
    case ET_DYN: return "a shared object or position-independent executable";
    case ET_CORE: return "a core dump";
    default: return "of unknown type";
    }
}

static enum load_status check_header(struct elf_open *open, struct load_error *error)
{
    Elf32_Ehdr header; /* libelf may see it later than this; the file may be shorter than it says */
    memcpy(&header, open->data, sizeof header);
    if (header.e_machine != EM_RISCV)
        return error_set(error,
                         LOAD_ERROR_FORMAT,
                         "%s: for machine %u, not for RISC-V (%u)",
                         open->elf.name,
                         (unsigned)header.e_machine,
                         (unsigned)EM_RISCV);
    if (header.e_type != ET_EXEC)
        return error_set(error,
                         LOAD_ERROR_FORMAT,
                         "%s: not an executable: %s",
                         open->elf.name,
                         type_text(header.e_type));
    open->elf.entry = header.e_entry;
    if (header.e_phnum == 0)
        return refuse(open, error, "no loadable segment: the file has no program headers");
    if (header.e_phentsize != sizeof(Elf32_Phdr))
        return refuse(open, error, "damaged: program headers of a size they cannot have");
    if (header.e_phoff > open->size ||
        (open->size - header.e_phoff) / sizeof(Elf32_Phdr) < header.e_phnum)
        return refuse(open, error, "truncated: program headers reach past the end of the file");
    return LOAD_OK;
}

/* The vendor's test programs keep a place in L1 for what is linked into the core's RAM. */
static void find_loader_init(struct elf_open *open)
{
    size_t names;
    if (elf_getshdrstrndx(open->file, &names) != 0)
        return;
    for (Elf_Scn *section = NULL; (section = elf_nextscn(open->file, section)) != NULL;) {
        GElf_Shdr header;
        if (!gelf_getshdr(section, &header) || !header.sh_size || header.sh_addr >= LOAD_L1_SIZE)
            continue;
        const char *name = elf_strptr(open->file, names, header.sh_name);
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
    const struct core_info *core = core_info(open->elf.core);
    uint32_t vaddr = (uint32_t)header->p_vaddr;
    bool local = vaddr >= LOAD_LOCAL_BASE && vaddr - LOAD_LOCAL_BASE < core->local_size;

    *segment = (struct elf_segment){
        .addr = header->p_filesz ? (uint32_t)header->p_paddr : vaddr,
        .bytes = open->data + header->p_offset,
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
    if (header->p_offset > open->size || header->p_filesz > open->size - header->p_offset)
        return refuse(open, error, "truncated: a segment reaches past the end of the file");
    if (header->p_filesz > header->p_memsz)
        return refuse(open, error, "damaged: a segment is larger in the file than in memory");
    if (elf->n_segments == MAX_SEGMENTS)
        return refuse(open, error, "more than 256 segments");
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
    size_t n;
    if (elf_getphdrnum(open->file, &n) != 0)
        return refuse(open, error, "damaged: the program headers cannot be read");
    size_t room = n < MAX_SEGMENTS ? n : MAX_SEGMENTS;
    elf->segments = calloc(room ? room : 1, sizeof *elf->segments);
    if (!elf->segments)
        return error_memory(error);
    for (size_t i = 0; i < n; i++) {
        GElf_Phdr header;
        if (!gelf_getphdr(open->file, (int)i, &header))
            return refuse(open, error, "damaged: the program headers cannot be read");
        if (header.p_type != PT_LOAD || !header.p_memsz)
            continue;
        enum load_status status = add_segment(open, &header, error);
        if (status != LOAD_OK)
            return status;
    }
    if (!elf->n_segments)
        return refuse(open, error, "no loadable segment");
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
    enum load_status status = check_ident(open, error);
    if (status == LOAD_OK)
        status = check_header(open, error);
    if (status != LOAD_OK)
        return status;
    if (elf_version(EV_CURRENT) == EV_NONE)
        return refuse(open, error, "cannot be read with this libelf");
    open->file = elf_memory((char *)open->data, open->size);
    if (!open->file || elf_kind(open->file) != ELF_K_ELF)
        return refuse(open, error, "damaged: not readable as ELF");
    find_loader_init(open);
    status = read_segments(open, error);
    if (status == LOAD_OK)
        status = check_entry(open, error);
    if (status != LOAD_OK)
        return status;
    open->elf.debug = elf_debug_new(open->file);
    return open->elf.debug ? LOAD_OK : error_memory(error);
}

/* Takes over data, also if it fails. */
static enum load_status read_owned(uint8_t *data, size_t size, const char *name,
                                   enum load_core core, struct elf **elf, struct load_error *error)
{
    *elf = NULL;
    struct elf_open *open = calloc(1, sizeof *open);
    if (!open) {
        free(data);
        return error_memory(error);
    }
    open->data = data;
    open->size = size;
    open->elf.core = core;
    open->elf.name = file_copy_text(name, strlen(name));
    enum load_status status = open->elf.name ? read_open(open, error) : error_memory(error);
    if (status == LOAD_OK)
        *elf = &open->elf;
    else
        elf_free(&open->elf);
    return status;
}

enum load_status elf_read_memory(const void *data, size_t size, const char *name,
                                 enum load_core core, struct elf **elf, struct load_error *error)
{
    *elf = NULL;
    uint8_t *copy = malloc(size ? size : 1);
    if (!copy)
        return error_memory(error);
    if (size)
        memcpy(copy, data, size);
    return read_owned(copy, size, name, core, elf, error);
}

enum load_status elf_read(const char *path, enum load_core core, struct elf **elf,
                          struct load_error *error)
{
    *elf = NULL;
    struct file_bytes bytes;
    enum load_status status = file_read(path, &bytes, error);
    if (status != LOAD_OK)
        return status;
    return read_owned(bytes.data, bytes.size, path, core, elf, error);
}

void elf_free(struct elf *elf)
{
    if (!elf)
        return;
    struct elf_open *open = (struct elf_open *)elf;
    elf_debug_free(elf->debug);
    if (open->file)
        elf_end(open->file);
    free(open->data);
    free(elf->segments);
    free(elf->name);
    free(open);
}

bool elf_symbol(const struct elf *elf, uint32_t pc, const char **name, uint32_t *offset)
{
    return elf_debug_symbol(elf->debug, pc, name, offset);
}

bool elf_address(const struct elf *elf, const char *name, uint32_t *addr)
{
    uint64_t found = 0;
    bool there = elf_debug_address(elf->debug, name, &found);
    *addr = (uint32_t)found;
    return there;
}

bool elf_line(struct elf *elf, uint32_t pc, const char **file, unsigned *line)
{
    return elf_debug_line(elf->debug, pc, file, line);
}
