/*
 * image.c - see image.h.
 *
 * Parts are few, so overlaps are looked for pair by pair. Bytes of raw files live in a list of blobs
 * that is freed with the image.
 */
#include "load/image.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "load/file.h"

struct image_blob {
    struct image_blob *next;
    char *name;
    uint8_t *data;
};

void image_init(struct image *image)
{
    *image = (struct image){0};
}

void image_free(struct image *image)
{
    for (unsigned i = 0; i < LOAD_N_CORES; i++)
        elf_free(image->elfs[i]);
    for (struct image_blob *blob = image->blobs, *next; blob; blob = next) {
        next = blob->next;
        free(blob->name);
        free(blob->data);
        free(blob);
    }
    free(image->parts);
    image_init(image);
}

static enum load_status add_part(struct image *image, struct image_part part,
                                 struct load_error *error)
{
    if (image->n_parts == image->room_parts) {
        unsigned room = image->room_parts ? image->room_parts * 2 : 16;
        struct image_part *parts = realloc(image->parts, room * sizeof *parts);
        if (!parts)
            return error_memory(error);
        image->parts = parts;
        image->room_parts = room;
    }
    image->parts[image->n_parts++] = part;
    return LOAD_OK;
}

enum load_status image_take_elf(struct image *image, struct elf *elf, struct load_error *error)
{
    if (image->elfs[elf->core]) {
        enum load_status status = error_set(error,
                                            LOAD_ERROR_OVERLAP,
                                            "%s: core %s already runs %s",
                                            elf->name,
                                            tile_cores_info(elf->core)->name,
                                            image->elfs[elf->core]->name);
        elf_free(elf);
        return status;
    }
    image->elfs[elf->core] = elf;
    image->start[elf->core] = elf->entry;
    for (unsigned i = 0; i < elf->n_segments; i++) {
        const struct elf_segment *s = &elf->segments[i];
        if (!s->n_bytes)
            continue;
        enum load_status status = add_part(image,
                                           (struct image_part){.name = elf->name,
                                                               .place = s->place,
                                                               .core = elf->core,
                                                               .addr = s->addr,
                                                               .bytes = s->bytes,
                                                               .n_bytes = s->n_bytes,
                                                               .mem_size = s->mem_size},
                                           error);
        if (status != LOAD_OK)
            return status;
    }
    return LOAD_OK;
}

enum load_status image_add_elf(struct image *image, enum load_core core, const char *path,
                               struct load_error *error)
{
    struct elf *elf;
    enum load_status status = elf_read(path, core, &elf, error);
    return status == LOAD_OK ? image_take_elf(image, elf, error) : status;
}

/* Takes over data, also if it fails. */
static enum load_status add_blob(struct image *image, const char *name, uint32_t addr,
                                 uint8_t *data, size_t size, struct load_error *error)
{
    struct image_blob *blob = calloc(1, sizeof *blob);
    if (!blob) {
        free(data);
        return error_memory(error);
    }
    *blob = (struct image_blob){
        .next = image->blobs, .name = file_copy_text(name, strlen(name)), .data = data};
    image->blobs = blob;
    if (!blob->name)
        return error_memory(error);
    if (addr >= LOAD_L1_SIZE || size > LOAD_L1_SIZE - addr)
        return error_set(error,
                         LOAD_ERROR_PLACE,
                         "%s: %zu bytes at 0x%x do not fit into L1 (0x0..0x%x)",
                         name,
                         size,
                         (unsigned)addr,
                         (unsigned)(LOAD_L1_SIZE - 1));
    if (!size)
        return LOAD_OK;
    return add_part(image,
                    (struct image_part){.name = blob->name,
                                        .place = ELF_L1,
                                        .addr = addr,
                                        .bytes = data,
                                        .n_bytes = (uint32_t)size,
                                        .mem_size = (uint32_t)size},
                    error);
}

enum load_status image_add_file(struct image *image, const char *path, uint32_t addr,
                                struct load_error *error)
{
    struct file_bytes bytes;
    enum load_status status = file_read(path, &bytes, error);
    if (status != LOAD_OK)
        return status;
    return add_blob(image, path, addr, bytes.data, bytes.size, error);
}

enum load_status image_add_raw(struct image *image, const char *text, struct load_error *error)
{
    const char *at = strrchr(text, '@');
    char *end;
    errno = 0;
    unsigned long addr = at && at[1] >= '0' && at[1] <= '9' ? strtoul(at + 1, &end, 0) : 0;
    if (!at || at == text || at[1] < '0' || at[1] > '9' || *end || errno)
        return error_set(error, LOAD_ERROR_SYNTAX, "%s: not of the form FILE@ADDRESS", text);
    if (addr > UINT32_MAX)
        addr = UINT32_MAX; /* outside, like everything from 0x180000 up */
    char *path = file_copy_text(text, (size_t)(at - text));
    if (!path)
        return error_memory(error);
    enum load_status status = image_add_file(image, path, (uint32_t)addr, error);
    free(path);
    return status;
}

enum load_status image_add_words(struct image *image, const char *name, uint32_t addr,
                                 const uint32_t *words, unsigned n_words, struct load_error *error)
{
    if (addr % 4)
        return error_set(error,
                         LOAD_ERROR_PLACE,
                         "%s: address 0x%x is not a multiple of 4",
                         name,
                         (unsigned)addr);
    uint8_t *data = malloc(n_words ? (size_t)n_words * 4 : 1);
    if (!data)
        return error_memory(error);
    for (unsigned i = 0; i < n_words; i++)
        for (unsigned byte = 0; byte < 4; byte++)
            data[i * 4 + byte] = (uint8_t)(words[i] >> 8 * byte);
    return add_blob(image, name, addr, data, (size_t)n_words * 4, error);
}

static bool overlap(const struct image_part *a, const struct image_part *b)
{
    if (a->place != b->place || (a->place == ELF_LOCAL && a->core != b->core))
        return false;
    return a->addr < b->addr + b->mem_size && b->addr < a->addr + a->mem_size;
}

/* "jal x0, offset", for an offset from 0 up that is even and below 1 MiB. */
static uint32_t jump_word(uint32_t offset)
{
    return 0x6FU | (offset & 0xFF000) | (offset >> 11 & 1) << 20 | (offset >> 1 & 0x3FF) << 21;
}

static enum load_status add_jump(struct image *image, struct load_error *error)
{
    const struct elf *b = image->elfs[LOAD_CORE_B];
    if (!b || b->entry == 0)
        return LOAD_OK;
    for (unsigned i = 0; i < image->n_parts; i++)
        if (image->parts[i].place == ELF_L1 && image->parts[i].addr < 4)
            return LOAD_OK; /* the program, or a file, has its own way to begin */
    if (b->entry >= UINT32_C(0x100000))
        return error_set(
            error,
            LOAD_ERROR_PLACE,
            "%s: starts at 0x%x; core B starts at 0, and a jump from there reaches only "
            "0xffffe",
            b->name,
            (unsigned)b->entry);
    uint32_t word = jump_word(b->entry);
    image->start[LOAD_CORE_B] = 0;
    return image_add_words(image, "the jump to core B's program", 0, &word, 1, error);
}

enum load_status image_finish(struct image *image, struct load_error *error)
{
    enum load_status status = add_jump(image, error);
    if (status != LOAD_OK)
        return status;
    for (unsigned i = 0; i < image->n_parts; i++) {
        for (unsigned k = 0; k < i; k++) {
            const struct image_part *a = &image->parts[k], *b = &image->parts[i];
            if (!overlap(a, b))
                continue;
            return error_set(error,
                             LOAD_ERROR_OVERLAP,
                             "%s (0x%x..0x%x) and %s (0x%x..0x%x) overlap in %s",
                             a->name,
                             (unsigned)a->addr,
                             (unsigned)(a->addr + a->mem_size - 1),
                             b->name,
                             (unsigned)b->addr,
                             (unsigned)(b->addr + b->mem_size - 1),
                             a->place == ELF_L1 ? "L1" : "a core's RAM");
        }
    }
    return LOAD_OK;
}
