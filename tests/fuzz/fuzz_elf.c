/*
 * Fuzz target: any bytes as a program, for a core of each kind. What is refused must say why; what is
 * taken must keep its promises: segments inside memory, apart from each other, with bytes that can be
 * read; symbols and lines that can be asked for anywhere.
 */
#include <stdlib.h>
#include <string.h>

#include "load/elf.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds)
        abort();
}

static void check_segment(const struct elf *elf, const struct elf_segment *s)
{
    uint32_t size = s->place == ELF_L1 ? LOAD_L1_SIZE : tile_cores_info(elf->core)->local_size;
    uint32_t base = s->place == ELF_L1 ? 0 : LOAD_LOCAL_BASE;
    require(s->n_bytes <= s->mem_size && s->mem_size > 0);
    require(s->addr >= base && s->addr - base < size && s->mem_size <= size - (s->addr - base));
    for (const struct elf_segment *other = elf->segments; other < s; other++)
        require(other->place != s->place || !other->n_bytes || !s->n_bytes ||
                other->addr + other->mem_size <= s->addr || s->addr + s->mem_size <= other->addr);
    volatile uint8_t last;
    for (uint32_t i = 0; i < s->n_bytes; i++)
        last = s->bytes[i]; /* the sanitizers look */
    (void)last;
}

static void ask(struct elf *elf, uint32_t pc)
{
    const char *text;
    uint32_t offset;
    unsigned line;
    if (elf_symbol(elf, pc, &text, &offset))
        require(text[0] != '\0' && offset <= pc);
    if (elf_line(elf, pc, &text, &line))
        require(text != NULL && line > 0);
}

static void check(const uint8_t *data, size_t size, enum load_core core)
{
    struct elf *elf;
    struct load_error error = {0};
    enum load_status status = elf_read_memory(data, size, "fuzz.elf", core, &elf, &error);
    if (status != LOAD_OK) {
        require(!elf && error.status == status && strncmp(error.message, "fuzz.elf: ", 10) == 0);
        return;
    }
    require(elf->n_segments > 0);
    for (unsigned i = 0; i < elf->n_segments; i++) {
        const struct elf_segment *s = &elf->segments[i];
        check_segment(elf, s);
        ask(elf, s->vaddr);
        ask(elf, s->vaddr + s->mem_size / 2);
        ask(elf, s->vaddr + s->mem_size);
    }
    ask(elf, elf->entry);
    ask(elf, UINT32_MAX);
    elf_free(elf);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    check(data, size, LOAD_CORE_B);
    check(data, size, LOAD_CORE_T1);
    return 0;
}
