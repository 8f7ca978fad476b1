/* elf_file.c - see elf_file.h. */
#include "load/elf_file.h"

#include <stdlib.h>
#include <string.h>

enum load_status elf_file_refuse(const struct elf_file *f, struct load_error *error,
                                 const char *what)
{
    return error_set(error, LOAD_ERROR_FORMAT, "%s: %s", f->name, what);
}

static enum load_status set_name(struct elf_file *f, const char *name, struct load_error *error)
{
    f->name = file_copy_text(name, strlen(name));
    return f->name ? LOAD_OK : error_memory(error);
}

enum load_status elf_file_read(struct elf_file *f, const char *path, struct load_error *error)
{
    enum load_status status = file_read(path, &f->bytes, error);
    return status == LOAD_OK ? set_name(f, path, error) : status;
}

enum load_status elf_file_copy(struct elf_file *f, const void *data, size_t size, const char *name,
                               struct load_error *error)
{
    f->bytes = (struct file_bytes){malloc(size ? size : 1), size};
    if (!f->bytes.data)
        return error_memory(error);
    if (size)
        memcpy(f->bytes.data, data, size);
    return set_name(f, name, error);
}

static enum load_status check_ident(const struct elf_file *f, const struct elf_file_kind *kind,
                                    struct load_error *error)
{
    const uint8_t *ident = f->bytes.data;
    unsigned char class;
    if (f->bytes.size < SELFMAG || memcmp(ident, ELFMAG, SELFMAG) != 0)
        return elf_file_refuse(f, error, "not an ELF file");
    if (f->bytes.size < EI_NIDENT)
        return elf_file_refuse(f, error, "truncated: ends inside the ELF header");
    class = ident[EI_CLASS];
    if (class != ELFCLASS32 && class != ELFCLASS64)
        return elf_file_refuse(f, error, "an ELF file of unknown class");
    if (class != kind->class)
        return error_set(error,
                         LOAD_ERROR_FORMAT,
                         "%s: a %s ELF file; %s",
                         f->name,
                         class == ELFCLASS64 ? "64-bit" : "32-bit",
                         kind->other_class);
    if (ident[EI_DATA] != ELFDATA2LSB)
        return error_set(
            error, LOAD_ERROR_FORMAT, "%s: a big-endian ELF file; %s", f->name, kind->other_order);
    if (f->bytes.size < (class == ELFCLASS64 ? sizeof(Elf64_Ehdr) : sizeof(Elf32_Ehdr)))
        return elf_file_refuse(f, error, "truncated: ends inside the ELF header");
    return LOAD_OK;
}

static const char *type_text(unsigned type)
{
    switch (type) {
    case ET_REL: return "a relocatable object, not linked yet";
    case ET_CORE: return "a core dump";
    default: return "of unknown type";
    }
}

/* The header, wide; libelf is asked later: it may see less than the file says. */
static Elf64_Ehdr header_of(const struct elf_file *f)
{
    Elf64_Ehdr wide;
    Elf32_Ehdr h;
    if (f->bytes.data[EI_CLASS] == ELFCLASS64) {
        memcpy(&wide, f->bytes.data, sizeof wide);
        return wide;
    }
    memcpy(&h, f->bytes.data, sizeof h);
    return (Elf64_Ehdr){.e_machine = h.e_machine,
                        .e_type = h.e_type,
                        .e_entry = h.e_entry,
                        .e_phoff = h.e_phoff,
                        .e_phnum = h.e_phnum,
                        .e_phentsize = h.e_phentsize};
}

enum load_status elf_file_check(struct elf_file *f, const struct elf_file_kind *kind,
                                struct load_error *error)
{
    size_t each = kind->class == ELFCLASS64 ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr);
    enum load_status status = check_ident(f, kind, error);
    if (status != LOAD_OK)
        return status;
    const Elf64_Ehdr h = header_of(f);
    if (h.e_machine != kind->machine)
        return error_set(error,
                         LOAD_ERROR_FORMAT,
                         "%s: for machine %u, not for %s (%u)",
                         f->name,
                         (unsigned)h.e_machine,
                         kind->machine_name,
                         kind->machine);
    if (h.e_type != ET_EXEC)
        return error_set(error,
                         LOAD_ERROR_FORMAT,
                         "%s: not an executable: %s",
                         f->name,
                         h.e_type == ET_DYN ? kind->dynamic : type_text(h.e_type));
    if (h.e_phnum == 0)
        return elf_file_refuse(f, error, "no loadable segment: the file has no program headers");
    if (h.e_phentsize != each)
        return elf_file_refuse(f, error, "damaged: program headers of a size they cannot have");
    if (h.e_phoff > f->bytes.size || (f->bytes.size - h.e_phoff) / each < h.e_phnum)
        return elf_file_refuse(
            f, error, "truncated: program headers reach past the end of the file");
    f->entry = h.e_entry;
    f->headers_at = h.e_phoff;
    f->n_headers = h.e_phnum;
    return LOAD_OK;
}

enum load_status elf_file_open(struct elf_file *f, struct load_error *error)
{
    if (elf_version(EV_CURRENT) == EV_NONE)
        return elf_file_refuse(f, error, "cannot be read with this libelf");
    f->elf = elf_memory((char *)f->bytes.data, f->bytes.size);
    if (!f->elf)
        return error_memory(error); /* it has looked at no more than what is checked already */
    if (elf_kind(f->elf) != ELF_K_ELF)
        return elf_file_refuse(f, error, "damaged: not readable as ELF");
    return LOAD_OK;
}

enum load_status elf_file_segment(struct elf_file *f, unsigned i, GElf_Phdr *header,
                                  struct load_error *error)
{
    if (!gelf_getphdr(f->elf, (int)i, header))
        return elf_file_refuse(f, error, "damaged: the program headers cannot be read");
    if (header->p_type != PT_LOAD || !header->p_memsz)
        return LOAD_OK;
    if (header->p_offset > f->bytes.size || header->p_filesz > f->bytes.size - header->p_offset)
        return elf_file_refuse(f, error, "truncated: a segment reaches past the end of the file");
    if (header->p_filesz > header->p_memsz)
        return elf_file_refuse(f, error, "damaged: a segment is larger in the file than in memory");
    return LOAD_OK;
}

enum load_status elf_file_debug(struct elf_file *f, struct load_error *error)
{
    f->debug = elf_debug_new(f->elf);
    return f->debug ? LOAD_OK : error_memory(error);
}

void elf_file_close(struct elf_file *f)
{
    elf_debug_free(f->debug);
    if (f->elf)
        elf_end(f->elf);
    free(f->bytes.data);
    free(f->name);
    *f = (struct elf_file){0};
}
