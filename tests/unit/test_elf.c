/*
 * test_elf.c - programs and images. Small ELF files are laid out by hand, good and bad; symbols and
 * lines are read from the first inputs of the fuzz target, which a compiler made.
 */
#include "test.h"

#include <elf.h>
#include <stdio.h>
#include <string.h>

#include "load/elf.h"
#include "load/image.h"

#define CORPUS WG_SOURCE_DIR "/tests/fuzz/corpus/elf/"

/* One file in the making: header, up to four program headers, then 4 bytes for each segment. */
struct maker {
    Elf32_Ehdr header;
    Elf32_Phdr segments[4];
    uint32_t words[4];
};
#define MAKER_SIZE sizeof(struct maker)

static struct maker make(unsigned n)
{
    struct maker m = {0};
    memcpy(m.header.e_ident, ELFMAG, SELFMAG);
    m.header.e_ident[EI_CLASS] = ELFCLASS32;
    m.header.e_ident[EI_DATA] = ELFDATA2LSB;
    m.header.e_ident[EI_VERSION] = EV_CURRENT;
    m.header.e_type = ET_EXEC;
    m.header.e_machine = EM_RISCV;
    m.header.e_version = EV_CURRENT;
    m.header.e_entry = 0x6000;
    m.header.e_phoff = offsetof(struct maker, segments);
    m.header.e_ehsize = sizeof m.header;
    m.header.e_phentsize = sizeof m.segments[0];
    m.header.e_phnum = (uint16_t)n;
    for (unsigned i = 0; i < 4; i++) {
        m.words[i] = 0x11111111U * (i + 1);
        m.segments[i] = (Elf32_Phdr){
            .p_type = PT_LOAD,
            .p_offset = (uint32_t)(offsetof(struct maker, words) + 4 * i),
            .p_vaddr = 0x6000 + 0x100 * i,
            .p_paddr = 0x6000 + 0x100 * i,
            .p_filesz = 4,
            .p_memsz = 4,
        };
    }
    return m;
}

static struct load_error error;
static struct elf *elf;

static enum load_status read_cut(const struct maker *m, size_t size, enum load_core core)
{
    memset(&error, 0, sizeof error);
    return elf_read_memory(m, size, "t.elf", core, &elf, &error);
}

static enum load_status read_made(const struct maker *m)
{
    return read_cut(m, MAKER_SIZE, LOAD_CORE_T0);
}

static void refused(const struct maker *m, enum load_status status, const char *message)
{
    assert_int_equal(read_made(m), status);
    assert_null(elf);
    assert_int_equal(error.status, status);
    assert_string_equal(error.message, message);
}

static void a_segment_lies_in_l1(void **state)
{
    (void)state;
    struct maker m = make(2);
    m.segments[1].p_memsz = 64;
    assert_int_equal(read_made(&m), LOAD_OK);
    assert_string_equal(elf->name, "t.elf");
    assert_int_equal(elf->entry, 0x6000);
    assert_int_equal(elf->n_segments, 2);
    const struct elf_segment *s = &elf->segments[1];
    assert_int_equal(s->place, ELF_L1);
    assert_int_equal(s->addr, 0x6100);
    assert_int_equal(s->n_bytes, 4);
    assert_int_equal(s->mem_size, 64);
    assert_memory_equal(s->bytes, &m.words[1], 4);
    elf_free(elf);
}

static void data_is_put_where_start_up_code_copies_it_from(void **state)
{
    (void)state;
    struct maker m = make(2);
    m.segments[1].p_vaddr = 0xFFB00010;
    m.segments[1].p_paddr = 0x6800;
    m.segments[1].p_memsz = 0x100; /* zeros behind it are not in L1 */
    assert_int_equal(read_made(&m), LOAD_OK);
    const struct elf_segment *s = &elf->segments[1];
    assert_int_equal(s->place, ELF_L1);
    assert_int_equal(s->addr, 0x6800);
    assert_int_equal(s->vaddr, 0xFFB00010);
    assert_int_equal(s->mem_size, 4);
    elf_free(elf);
}

static void what_is_only_in_local_ram_is_reported_as_local(void **state)
{
    (void)state;
    struct maker m = make(3);
    m.segments[1].p_vaddr = m.segments[1].p_paddr = 0xFFB00FFC;
    m.segments[2].p_vaddr = 0xFFB00000; /* nothing but zeros: its physical address means nothing */
    m.segments[2].p_paddr = 0x6000;
    m.segments[2].p_filesz = 0;
    assert_int_equal(read_made(&m), LOAD_OK);
    assert_int_equal(elf->n_segments, 3);
    assert_int_equal(elf->segments[1].place, ELF_LOCAL);
    assert_int_equal(elf->segments[1].addr, 0xFFB00FFC);
    assert_int_equal(elf->segments[2].place, ELF_LOCAL);
    assert_int_equal(elf->segments[2].addr, 0xFFB00000);
    assert_int_equal(elf->segments[2].n_bytes, 0);
    elf_free(elf);
}

static void local_ram_is_larger_on_b_and_nc(void **state)
{
    (void)state;
    struct maker m = make(2);
    m.segments[1].p_vaddr = m.segments[1].p_paddr = 0xFFB01FFC;
    refused(
        &m,
        LOAD_ERROR_PLACE,
        "t.elf: segment at 0xffb01ffc of 4 bytes lies outside L1 (0x0..0x17ffff) and the RAM of "
        "core T0 (0xffb00000..0xffb00fff)");
    assert_int_equal(read_cut(&m, MAKER_SIZE, LOAD_CORE_B), LOAD_OK);
    elf_free(elf);
    assert_int_equal(read_cut(&m, MAKER_SIZE, LOAD_CORE_NC), LOAD_OK);
    elf_free(elf);
}

/* A file with section headers behind it: none, .loader_init, and the names. */
struct sections {
    struct maker m;
    Elf32_Shdr headers[3];
    char names[24];
};

static void loader_init_is_the_place_for_local_data(void **state)
{
    (void)state;
    struct sections f = {.m = make(4), .names = "\0.loader_init\0.shstrtab"};
    f.m.segments[1].p_vaddr = f.m.segments[1].p_paddr = 0xA000; /* .loader_init itself */
    f.m.segments[1].p_filesz = 0;
    f.m.segments[1].p_memsz = 0x1000;
    f.m.segments[2].p_vaddr = f.m.segments[2].p_paddr = 0xFFB00020; /* data */
    f.m.segments[3].p_vaddr = f.m.segments[3].p_paddr = 0xFFB00E00; /* stack */
    f.m.segments[3].p_filesz = 0;
    f.m.header.e_shoff = offsetof(struct sections, headers);
    f.m.header.e_shentsize = sizeof f.headers[0];
    f.m.header.e_shnum = 3;
    f.m.header.e_shstrndx = 2;
    f.headers[1] = (Elf32_Shdr){.sh_name = 1,
                                .sh_type = SHT_NOBITS,
                                .sh_addr = 0xA000,
                                .sh_size = 0x1000,
                                .sh_addralign = 1};
    f.headers[2] = (Elf32_Shdr){.sh_name = 14,
                                .sh_type = SHT_STRTAB,
                                .sh_offset = offsetof(struct sections, names),
                                .sh_size = sizeof f.names,
                                .sh_addralign = 1};
    assert_int_equal(elf_read_memory(&f, sizeof f, "t.elf", LOAD_CORE_T0, &elf, &error), LOAD_OK);
    assert_int_equal(elf->n_segments, 4);
    assert_int_equal(elf->segments[2].place, ELF_L1);
    assert_int_equal(elf->segments[2].addr, 0xA020);
    assert_int_equal(elf->segments[2].vaddr, 0xFFB00020);
    assert_int_equal(elf->segments[3].place, ELF_LOCAL);
    struct image image; /* only what has bytes is loaded */
    image_init(&image);
    assert_int_equal(image_take_elf(&image, elf, &error), LOAD_OK);
    assert_int_equal(image_finish(&image, &error), LOAD_OK);
    assert_int_equal(image.n_parts, 2);
    image_free(&image);
}

static void other_files_are_refused(void **state)
{
    (void)state;
    struct maker m = make(1);
    m.header.e_ident[0] = '#';
    refused(&m, LOAD_ERROR_FORMAT, "t.elf: not an ELF file");
    m = make(1);
    m.header.e_ident[EI_CLASS] = ELFCLASS64;
    refused(&m, LOAD_ERROR_FORMAT, "t.elf: a 64-bit ELF file; the cores run 32-bit programs");
    m = make(1);
    m.header.e_ident[EI_CLASS] = 7;
    refused(&m, LOAD_ERROR_FORMAT, "t.elf: an ELF file of unknown class");
    m = make(1);
    m.header.e_ident[EI_DATA] = ELFDATA2MSB;
    refused(&m, LOAD_ERROR_FORMAT, "t.elf: a big-endian ELF file; the cores are little-endian");
    m = make(1);
    m.header.e_machine = EM_386;
    refused(&m, LOAD_ERROR_FORMAT, "t.elf: for machine 3, not for RISC-V (243)");
    m = make(1);
    m.header.e_type = ET_REL;
    refused(
        &m, LOAD_ERROR_FORMAT, "t.elf: not an executable: a relocatable object, not linked yet");
    m = make(1);
    m.header.e_type = ET_DYN;
    refused(&m,
            LOAD_ERROR_FORMAT,
            "t.elf: not an executable: a shared object or position-independent executable");
}

static void damaged_files_are_refused(void **state)
{
    (void)state;
    struct maker m = make(1);
    m.segments[0].p_offset = MAKER_SIZE - 3;
    refused(&m, LOAD_ERROR_FORMAT, "t.elf: truncated: a segment reaches past the end of the file");
    m = make(1);
    m.segments[0].p_offset = 0xFFFFFFFE; /* offset + size wraps round */
    refused(&m, LOAD_ERROR_FORMAT, "t.elf: truncated: a segment reaches past the end of the file");
    m = make(1);
    m.segments[0].p_memsz = 3;
    refused(
        &m, LOAD_ERROR_FORMAT, "t.elf: damaged: a segment is larger in the file than in memory");
    m = make(1);
    m.header.e_phnum = 9;
    refused(
        &m, LOAD_ERROR_FORMAT, "t.elf: truncated: program headers reach past the end of the file");
    m = make(1);
    m.header.e_phentsize = 8;
    refused(&m, LOAD_ERROR_FORMAT, "t.elf: damaged: program headers of a size they cannot have");
}

static void every_shorter_file_is_refused(void **state)
{
    (void)state;
    struct maker m = make(4);
    for (size_t size = 0; size < MAKER_SIZE; size++) {
        assert_int_not_equal(read_cut(&m, size, LOAD_CORE_T0), LOAD_OK);
        assert_int_equal(strncmp(error.message, "t.elf: ", 7), 0);
    }
}

static void a_program_needs_a_segment_and_an_entry_in_it(void **state)
{
    (void)state;
    struct maker m = make(0);
    refused(&m, LOAD_ERROR_FORMAT, "t.elf: no loadable segment: the file has no program headers");
    m = make(1);
    m.segments[0].p_type = PT_NOTE;
    refused(&m, LOAD_ERROR_FORMAT, "t.elf: no loadable segment");
    m = make(1);
    m.segments[0].p_memsz = m.segments[0].p_filesz = 0;
    refused(&m, LOAD_ERROR_FORMAT, "t.elf: no loadable segment");
    m = make(1);
    m.header.e_entry = 0x6004;
    refused(&m,
            LOAD_ERROR_PLACE,
            "t.elf: starts at 0x6004, where none of its segments puts code into L1");
}

static void segments_lie_inside_memory_and_apart(void **state)
{
    (void)state;
    struct maker m = make(2);
    m.segments[1].p_vaddr = m.segments[1].p_paddr = 0x17FFFD;
    refused(&m,
            LOAD_ERROR_PLACE,
            "t.elf: segment at 0x17fffd of 4 bytes lies outside L1 (0x0..0x17ffff) and the RAM of "
            "core T0 (0xffb00000..0xffb00fff)");
    m.segments[1].p_vaddr = m.segments[1].p_paddr = 0x17FFFC;
    assert_int_equal(read_made(&m), LOAD_OK);
    elf_free(elf);
    m = make(2);
    m.segments[0].p_memsz = 0x101;
    refused(&m,
            LOAD_ERROR_OVERLAP,
            "t.elf: two of its segments overlap: 0x6000..0x6100 and 0x6100..0x6103");
    m.segments[0].p_memsz = 0x100;
    assert_int_equal(read_made(&m), LOAD_OK);
    elf_free(elf);
    m = make(2); /* zeros of the second reach into the first */
    m.segments[1].p_vaddr = m.segments[1].p_paddr = 0x5F00;
    m.segments[1].p_memsz = 0x101;
    refused(&m,
            LOAD_ERROR_OVERLAP,
            "t.elf: two of its segments overlap: 0x6000..0x6003 and 0x5f00..0x6000");
    m.segments[1].p_memsz = 0x100;
    assert_int_equal(read_made(&m), LOAD_OK);
    elf_free(elf);
}

static void a_missing_file_is_an_error_with_its_name(void **state)
{
    (void)state;
    assert_int_equal(elf_read("no/such.elf", LOAD_CORE_B, &elf, &error), LOAD_ERROR_FILE);
    assert_string_equal(error.message, "no/such.elf: No such file or directory");
}

static void symbols_are_found_by_address(void **state)
{
    (void)state;
    assert_int_equal(elf_read(CORPUS "plain", LOAD_CORE_T0, &elf, &error), LOAD_OK);
    const char *name;
    uint32_t twice, start, offset;
    assert_true(elf_address(elf, "twice", &twice));
    assert_true(elf_address(elf, "_start", &start));
    assert_false(elf_address(elf, "thrice", &offset));
    assert_true(elf_symbol(elf, twice, &name, &offset));
    assert_string_equal(name, "twice");
    assert_int_equal(offset, 0);
    assert_true(elf_symbol(elf, start + 4, &name, &offset));
    assert_string_equal(name, "_start");
    assert_int_equal(offset, 4);
    assert_false(elf_symbol(elf, 0, &name, &offset));
    assert_false(elf_symbol(elf, 0xFFB00000, &name, &offset)); /* data */
    unsigned line;
    assert_false(elf_line(elf, start, &name, &line)); /* no debug information */
    elf_free(elf);
    assert_int_equal(elf_read(CORPUS "stripped", LOAD_CORE_T0, &elf, &error), LOAD_OK);
    assert_false(elf_symbol(elf, start, &name, &offset));
    elf_free(elf);
}

static void lines_are_found_by_address(void **state)
{
    (void)state;
    assert_int_equal(elf_read(CORPUS "debug", LOAD_CORE_T0, &elf, &error), LOAD_OK);
    uint32_t twice, start;
    const char *file;
    unsigned line;
    assert_true(elf_address(elf, "twice", &twice));
    assert_true(elf_address(elf, "_start", &start));
    assert_true(elf_line(elf, twice, &file, &line));
    assert_string_equal(file + strlen(file) - 6, "tiny.c");
    assert_in_range(line, 3, 5);
    assert_true(elf_line(elf, start, &file, &line));
    assert_in_range(line, 7, 8);
    assert_false(elf_line(elf, 0x5FFC, &file, &line));
    assert_false(elf_line(elf, 0x7000, &file, &line));
    elf_free(elf);
}

/* ---- image ---- */

static enum load_status take(struct image *image, const struct maker *m, const char *name,
                             enum load_core core)
{
    enum load_status status = elf_read_memory(m, MAKER_SIZE, name, core, &elf, &error);
    return status == LOAD_OK ? image_take_elf(image, elf, &error) : status;
}

static void programs_that_overlap_are_named(void **state)
{
    (void)state;
    struct maker m = make(1), other = make(1);
    struct image image;
    image_init(&image);
    other.header.e_entry = other.segments[0].p_vaddr = other.segments[0].p_paddr = 0x6003;
    assert_int_equal(take(&image, &m, "a.elf", LOAD_CORE_T0), LOAD_OK);
    assert_int_equal(take(&image, &other, "b.elf", LOAD_CORE_T1), LOAD_OK);
    assert_int_equal(image_finish(&image, &error), LOAD_ERROR_OVERLAP);
    assert_string_equal(error.message,
                        "a.elf (0x6000..0x6003) and b.elf (0x6003..0x6006) overlap in L1");
    image_free(&image);
}

/* Zeros behind the bytes belong to a program: in either order, to the byte. */
static void programs_overlap_with_their_zeros(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 4; i++) {
        struct maker m = make(1), other = make(1);
        struct image image;
        bool overlaps = i & 1;
        image_init(&image);
        m.segments[0].p_memsz = overlaps ? 0x21 : 0x20;
        other.header.e_entry = other.segments[0].p_vaddr = other.segments[0].p_paddr = 0x6020;
        assert_int_equal(take(&image, i & 2 ? &other : &m, "a.elf", LOAD_CORE_T0), LOAD_OK);
        assert_int_equal(take(&image, i & 2 ? &m : &other, "b.elf", LOAD_CORE_T1), LOAD_OK);
        assert_int_equal(image_finish(&image, &error), overlaps ? LOAD_ERROR_OVERLAP : LOAD_OK);
        image_free(&image);
    }
}

static void local_rams_are_apart(void **state)
{
    (void)state;
    struct maker m = make(2), other = make(2);
    struct image image;
    image_init(&image);
    m.segments[1].p_vaddr = m.segments[1].p_paddr = 0xFFB00000;
    other.segments[1] = m.segments[1];
    other.header.e_entry = other.segments[0].p_vaddr = other.segments[0].p_paddr = 0xA000;
    assert_int_equal(take(&image, &m, "a.elf", LOAD_CORE_T0), LOAD_OK);
    assert_int_equal(take(&image, &other, "b.elf", LOAD_CORE_T1), LOAD_OK);
    assert_int_equal(image_finish(&image, &error), LOAD_OK);
    assert_int_equal(image.n_parts, 4);
    assert_int_equal(image.start[LOAD_CORE_T1], 0xA000);
    assert_int_equal(take(&image, &m, "c.elf", LOAD_CORE_T0), LOAD_ERROR_OVERLAP);
    assert_string_equal(error.message, "c.elf: core T0 already runs a.elf");
    image_free(&image);
}

static void core_b_gets_a_jump_from_zero(void **state)
{
    (void)state;
    struct maker m = make(1);
    struct image image;
    image_init(&image);
    assert_int_equal(take(&image, &m, "b.elf", LOAD_CORE_B), LOAD_OK);
    assert_int_equal(image_finish(&image, &error), LOAD_OK);
    assert_int_equal(image.n_parts, 2);
    assert_int_equal(image.start[LOAD_CORE_B], 0);
    const uint8_t jump[] = {0x6F, 0x60, 0x00, 0x00}; /* j 0x6000 */
    assert_int_equal(image.parts[1].addr, 0);
    assert_memory_equal(image.parts[1].bytes, jump, 4);
    image_free(&image);

    m.header.e_entry = m.segments[0].p_vaddr = m.segments[0].p_paddr = 0x123456;
    image_init(&image);
    assert_int_equal(take(&image, &m, "b.elf", LOAD_CORE_B), LOAD_OK);
    assert_int_equal(image_finish(&image, &error), LOAD_ERROR_PLACE);
    image_free(&image);
}

static void raw_files_go_where_they_are_told(void **state)
{
    (void)state;
    FILE *file = fopen("raw.bin", "wb");
    assert_non_null(file);
    assert_int_equal(fwrite("waitgate", 1, 8, file), 8);
    fclose(file);
    struct image image;
    image_init(&image);
    assert_int_equal(image_add_raw(&image, "raw.bin@0x20000", &error), LOAD_OK);
    assert_int_equal(image_add_raw(&image, "raw.bin@131080", &error), LOAD_OK);
    assert_int_equal(image_finish(&image, &error), LOAD_OK);
    assert_int_equal(image.parts[1].addr, 0x20008);
    assert_memory_equal(image.parts[1].bytes, "waitgate", 8);
    const uint32_t word = 5;
    assert_int_equal(image_add_words(&image, "a word", 0x2000C, &word, 1, &error), LOAD_OK);
    assert_int_equal(image_finish(&image, &error), LOAD_ERROR_OVERLAP);
    assert_string_equal(error.message,
                        "raw.bin (0x20008..0x2000f) and a word (0x2000c..0x2000f) overlap in L1");
    assert_int_equal(image_add_words(&image, "a word", 2, &word, 1, &error), LOAD_ERROR_PLACE);
    assert_int_equal(image_add_raw(&image, "raw.bin@0x17FFF9", &error), LOAD_ERROR_PLACE);
    assert_string_equal(error.message,
                        "raw.bin: 8 bytes at 0x17fff9 do not fit into L1 (0x0..0x17ffff)");
    assert_int_equal(image_add_raw(&image, "raw.bin@99999999999999", &error), LOAD_ERROR_PLACE);
    assert_int_equal(image_add_raw(&image, "none.bin@0", &error), LOAD_ERROR_FILE);
    static const char *const bad[] = {"raw.bin", "raw.bin@", "@0", "raw.bin@x", "raw.bin@1z", ""};
    for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(image_add_raw(&image, bad[i], &error), LOAD_ERROR_SYNTAX);
    image_free(&image);
}

TEST_MAIN(cmocka_unit_test(a_segment_lies_in_l1),
          cmocka_unit_test(data_is_put_where_start_up_code_copies_it_from),
          cmocka_unit_test(what_is_only_in_local_ram_is_reported_as_local),
          cmocka_unit_test(local_ram_is_larger_on_b_and_nc),
          cmocka_unit_test(loader_init_is_the_place_for_local_data),
          cmocka_unit_test(other_files_are_refused), cmocka_unit_test(damaged_files_are_refused),
          cmocka_unit_test(every_shorter_file_is_refused),
          cmocka_unit_test(a_program_needs_a_segment_and_an_entry_in_it),
          cmocka_unit_test(segments_lie_inside_memory_and_apart),
          cmocka_unit_test(a_missing_file_is_an_error_with_its_name),
          cmocka_unit_test(symbols_are_found_by_address),
          cmocka_unit_test(lines_are_found_by_address),
          cmocka_unit_test(programs_that_overlap_are_named),
          cmocka_unit_test(programs_overlap_with_their_zeros),
          cmocka_unit_test(local_rams_are_apart), cmocka_unit_test(core_b_gets_a_jump_from_zero),
          cmocka_unit_test(raw_files_go_where_they_are_told))
