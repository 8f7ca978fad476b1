/*
 * alpha_elf.c - see alpha_elf.h. libelf reads the headers; every offset and size is checked here before the bytes
 * behind it are used.
 *
 * Inaccuracies: relocations are ignored, a static executable needs none. Programs that want a loader are refused.
 */
#include "load/alpha_elf.h"

#include <gelf.h>
#include <libelf.h>
#include <stdlib.h>
#include <string.h>

#include "load/elf_debug.h"
#include "load/file.h"

#ifndef EM_ALPHA
#define EM_ALPHA 0x9026
#endif

struct alpha_open {
    struct alpha_elf elf; /* first, so that one pointer serves for both */
    uint8_t *data;
    size_t size;
    Elf *file;
};

static enum load_status refuse(const struct alpha_open *open, struct load_error *error,
                               const char *what)
{
    return error_set(error, LOAD_ERROR_FORMAT, "%s: %s", open->elf.name, what);
}

static enum load_status check_header(struct alpha_open *open, struct load_error *error)
{
    Elf64_Ehdr header;
    if (open->size < SELFMAG || memcmp(open->data, ELFMAG, SELFMAG) != 0)
        return refuse(open, error, "not an ELF file");
    if (open->size < sizeof header)
        return refuse(open, error, "truncated: ends inside the ELF header");
    memcpy(&header, open->data, sizeof header);
    if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB)
        return refuse(open, error, "not a 64-bit little-endian ELF file, as Alpha programs are");
    if (header.e_machine != EM_ALPHA)
        return error_set(error,
                         LOAD_ERROR_FORMAT,
                         "%s: for machine %u, not for Alpha (%u)",
                         open->elf.name,
                         (unsigned)header.e_machine,
                         (unsigned)EM_ALPHA);
    if (header.e_type == ET_DYN)
        return refuse(
            open, error, "position-independent or a shared object: link with -static -no-pie");
    if (header.e_type != ET_EXEC)
        return refuse(open, error, "not an executable");
    if (header.e_phnum == 0 || header.e_phentsize != sizeof(Elf64_Phdr))
        return refuse(open, error, "damaged: no program headers, or of a size they cannot have");
    if (header.e_phoff > open->size ||
        (open->size - header.e_phoff) / sizeof(Elf64_Phdr) < header.e_phnum)
        return refuse(open, error, "truncated: program headers reach past the end of the file");
    open->elf.entry = header.e_entry;
    open->elf.n_headers = header.e_phnum;
    return LOAD_OK;
}

static enum load_status add_segment(struct alpha_open *open, const GElf_Phdr *h,
                                    struct load_error *error)
{
    struct alpha_elf *elf = &open->elf;
    if (h->p_offset > open->size || h->p_filesz > open->size - h->p_offset)
        return refuse(open, error, "truncated: a segment reaches past the end of the file");
    if (h->p_filesz > h->p_memsz)
        return refuse(open, error, "damaged: a segment is larger in the file than in memory");
    if (h->p_vaddr < ALPHA_ELF_PAGE || h->p_vaddr >= ALPHA_ELF_END ||
        h->p_memsz > ALPHA_ELF_END - h->p_vaddr || h->p_memsz > ALPHA_ELF_SIZE)
        return error_set(
            error,
            LOAD_ERROR_PLACE,
            "%s: segment at 0x%llx of %llu bytes has no place (0x2000..0x%llx, at most %llu bytes)",
            elf->name,
            (unsigned long long)h->p_vaddr,
            (unsigned long long)h->p_memsz,
            (unsigned long long)(ALPHA_ELF_END - 1),
            (unsigned long long)ALPHA_ELF_SIZE);
    if (elf->n_segments == ALPHA_ELF_SEGMENTS)
        return refuse(open, error, "more than 64 segments");
    for (unsigned i = 0; i < elf->n_segments; i++) {
        const struct alpha_segment *s = &elf->segments[i];
        if (h->p_vaddr < s->addr + s->mem_size && s->addr < h->p_vaddr + h->p_memsz)
            return error_set(
                error, LOAD_ERROR_OVERLAP, "%s: two of its segments overlap", elf->name);
    }
    elf->segments[elf->n_segments++] = (struct alpha_segment){
        .addr = h->p_vaddr,
        .mem_size = h->p_memsz,
        .bytes = open->data + h->p_offset,
        .n_bytes = h->p_filesz,
        .protection = (h->p_flags & PF_R ? 1u : 0) | (h->p_flags & PF_W ? 2u : 0) |
                      (h->p_flags & PF_X ? 4u : 0),
    };
    if (h->p_vaddr + h->p_memsz > elf->end)
        elf->end = h->p_vaddr + h->p_memsz;
    return LOAD_OK;
}

static enum load_status read_segments(struct alpha_open *open, struct load_error *error)
{
    uint64_t all = 0;
    Elf64_Ehdr header;
    memcpy(&header, open->data, sizeof header);
    for (unsigned i = 0; i < open->elf.n_headers; i++) {
        GElf_Phdr h;
        if (!gelf_getphdr(open->file, (int)i, &h))
            return refuse(open, error, "damaged: the program headers cannot be read");
        if (h.p_type == PT_INTERP)
            return refuse(open, error, "dynamically linked: link with -static -Wl,--no-relax");
        if (h.p_type != PT_LOAD || !h.p_memsz)
            continue;
        enum load_status status = add_segment(open, &h, error);
        if (status != LOAD_OK)
            return status;
        all += h.p_memsz;
        if (header.e_phoff >= h.p_offset && header.e_phoff - h.p_offset < h.p_filesz)
            open->elf.headers = h.p_vaddr + (header.e_phoff - h.p_offset);
    }
    if (!open->elf.n_segments)
        return refuse(open, error, "no loadable segment");
    if (all > ALPHA_ELF_SIZE)
        return refuse(open, error, "larger than 512 MiB in memory");
    return LOAD_OK;
}

static enum load_status check_entry(const struct alpha_open *open, struct load_error *error)
{
    const struct alpha_elf *elf = &open->elf;
    for (unsigned i = 0; i < elf->n_segments; i++) {
        const struct alpha_segment *s = &elf->segments[i];
        if (s->protection & 4 && elf->entry - s->addr < s->mem_size && !(elf->entry & 3))
            return LOAD_OK;
    }
    return error_set(error,
                     LOAD_ERROR_PLACE,
                     "%s: starts at 0x%llx, where it has no code",
                     elf->name,
                     (unsigned long long)elf->entry);
}

static enum load_status read_open(struct alpha_open *open, struct load_error *error)
{
    enum load_status status = check_header(open, error);
    if (status != LOAD_OK)
        return status;
    if (elf_version(EV_CURRENT) == EV_NONE)
        return refuse(open, error, "cannot be read with this libelf");
    open->file = elf_memory((char *)open->data, open->size);
    if (!open->file || elf_kind(open->file) != ELF_K_ELF)
        return refuse(open, error, "damaged: not readable as ELF");
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
                                   struct alpha_elf **elf, struct load_error *error)
{
    struct alpha_open *open = calloc(1, sizeof *open);
    if (!open) {
        free(data);
        return error_memory(error);
    }
    open->data = data;
    open->size = size;
    open->elf.name = file_copy_text(name, strlen(name));
    enum load_status status = open->elf.name ? read_open(open, error) : error_memory(error);
    if (status == LOAD_OK)
        *elf = &open->elf;
    else
        alpha_elf_free(&open->elf);
    return status;
}

enum load_status alpha_elf_read_memory(const void *data, size_t size, const char *name,
                                       struct alpha_elf **elf, struct load_error *error)
{
    *elf = NULL;
    uint8_t *copy = malloc(size ? size : 1);
    if (!copy)
        return error_memory(error);
    if (size)
        memcpy(copy, data, size);
    return read_owned(copy, size, name, elf, error);
}

enum load_status alpha_elf_read(const char *path, struct alpha_elf **elf, struct load_error *error)
{
    struct file_bytes bytes;
    *elf = NULL;
    enum load_status status = file_read(path, &bytes, error);
    return status == LOAD_OK ? read_owned(bytes.data, bytes.size, path, elf, error) : status;
}

void alpha_elf_free(struct alpha_elf *elf)
{
    if (!elf)
        return;
    struct alpha_open *open = (struct alpha_open *)elf;
    elf_debug_free(elf->debug);
    if (open->file)
        elf_end(open->file);
    free(open->data);
    free(elf->name);
    free(open);
}

bool alpha_elf_symbol(const struct alpha_elf *elf, uint64_t pc, const char **name, uint32_t *offset)
{
    return elf_debug_symbol(elf->debug, pc, name, offset);
}

bool alpha_elf_line(struct alpha_elf *elf, uint64_t pc, const char **file, unsigned *line)
{
    return elf_debug_line(elf->debug, pc, file, line);
}
