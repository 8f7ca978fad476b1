/*
 * alpha_elf.c - see alpha_elf.h. The file itself is in elf_file.c, symbols and lines are in elf_debug.c.
 *
 * Inaccuracies: relocations are ignored, a static executable needs none. Programs that want a loader are refused.
 */
#include "load/alpha_elf.h"

#include <stdlib.h>

#include "load/elf_file.h"

#ifndef EM_ALPHA
#define EM_ALPHA 0x9026
#endif

struct alpha_open {
    struct alpha_elf elf; /* first, so that one pointer serves for both */
    struct elf_file file;
};

static const struct elf_file_kind alpha = {
    .class = ELFCLASS64,
    .machine = EM_ALPHA,
    .machine_name = "Alpha",
    .other_class = "Alpha programs are 64-bit little-endian",
    .other_order = "Alpha programs are 64-bit little-endian",
    .dynamic = "position-independent or a shared object: link with -static -no-pie",
};

static enum load_status add_segment(struct alpha_open *open, const GElf_Phdr *h,
                                    struct load_error *error)
{
    struct alpha_elf *elf = &open->elf;
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
        return elf_file_refuse(&open->file, error, "more than 64 segments");
    for (unsigned i = 0; i < elf->n_segments; i++) {
        const struct alpha_segment *s = &elf->segments[i];
        if (h->p_vaddr < s->addr + s->mem_size && s->addr < h->p_vaddr + h->p_memsz)
            return error_set(
                error, LOAD_ERROR_OVERLAP, "%s: two of its segments overlap", elf->name);
    }
    elf->segments[elf->n_segments++] = (struct alpha_segment){
        .addr = h->p_vaddr,
        .mem_size = h->p_memsz,
        .bytes = open->file.bytes.data + h->p_offset,
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
    uint64_t all = 0, headers_at = open->file.headers_at;
    for (unsigned i = 0; i < open->elf.n_headers; i++) {
        GElf_Phdr h;
        enum load_status status = elf_file_segment(&open->file, i, &h, error);
        if (status != LOAD_OK)
            return status;
        if (h.p_type == PT_INTERP)
            return elf_file_refuse(
                &open->file, error, "dynamically linked: link with -static -Wl,--no-relax");
        if (h.p_type != PT_LOAD || !h.p_memsz)
            continue;
        status = add_segment(open, &h, error);
        if (status != LOAD_OK)
            return status;
        all += h.p_memsz;
        if (headers_at >= h.p_offset && headers_at - h.p_offset < h.p_filesz)
            open->elf.headers = h.p_vaddr + (headers_at - h.p_offset);
    }
    if (!open->elf.n_segments)
        return elf_file_refuse(&open->file, error, "no loadable segment");
    if (all > ALPHA_ELF_SIZE)
        return elf_file_refuse(&open->file, error, "larger than 512 MiB in memory");
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
    enum load_status status = elf_file_check(&open->file, &alpha, error);
    if (status == LOAD_OK)
        status = elf_file_open(&open->file, error);
    if (status != LOAD_OK)
        return status;
    open->elf.name = open->file.name;
    open->elf.entry = open->file.entry;
    open->elf.n_headers = open->file.n_headers;
    status = read_segments(open, error);
    if (status == LOAD_OK)
        status = check_entry(open, error);
    return status == LOAD_OK ? elf_file_debug(&open->file, error) : status;
}

/* From data, or, if that is NULL, from the file of that name. */
static enum load_status read_any(const void *data, size_t size, const char *name,
                                 struct alpha_elf **elf, struct load_error *error)
{
    *elf = NULL;
    struct alpha_open *open = calloc(1, sizeof *open);
    if (!open)
        return error_memory(error);
    enum load_status status = data ? elf_file_copy(&open->file, data, size, name, error)
                                   : elf_file_read(&open->file, name, error);
    if (status == LOAD_OK)
        status = read_open(open, error);
    if (status == LOAD_OK)
        *elf = &open->elf;
    else
        alpha_elf_free(&open->elf);
    return status;
}

enum load_status alpha_elf_read_memory(const void *data, size_t size, const char *name,
                                       struct alpha_elf **elf, struct load_error *error)
{
    return read_any(data ? data : "", data ? size : 0, name, elf, error);
}

enum load_status alpha_elf_read(const char *path, struct alpha_elf **elf, struct load_error *error)
{
    return read_any(NULL, 0, path, elf, error);
}

void alpha_elf_free(struct alpha_elf *elf)
{
    if (!elf)
        return;
    struct alpha_open *open = (struct alpha_open *)elf;
    elf_file_close(&open->file);
    free(open);
}

static struct elf_debug *debug_of(const struct alpha_elf *elf)
{
    return ((const struct alpha_open *)elf)->file.debug;
}

bool alpha_elf_symbol(const struct alpha_elf *elf, uint64_t pc, const char **name, uint32_t *offset)
{
    return elf_debug_symbol(debug_of(elf), pc, name, offset);
}

bool alpha_elf_line(struct alpha_elf *elf, uint64_t pc, const char **file, unsigned *line)
{
    return elf_debug_line(debug_of(elf), pc, file, line);
}
