/*
 * The loader of Alpha programs: a small executable, built here byte by byte, is read as it is; every damaged one is refused with a message that
 * names the file, or what is read keeps the promises of alpha_elf.h. Sanitizers look at every byte that it hands out.
 */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "load/alpha_elf.h"
#include "words.h"

#define HEADER     64u
#define SEGMENT    56u
#define CODE       0x120000000u
#define DATA       0x140000000u
#define CODE_AT    (HEADER + 2 * SEGMENT) /* in the file */
#define CODE_BYTES 12u
#define DATA_AT    (CODE_AT + CODE_BYTES)
#define SIZE       (DATA_AT + 8u)
#define NAME       "small"

enum { TYPE = 16, MACHINE = 18, ENTRY = 24, PHOFF = 32, PHENTSIZE = 54, PHNUM = 56 };
enum { P_TYPE = 0, P_FLAGS = 4, P_OFFSET = 8, P_VADDR = 16, P_FILESZ = 32, P_MEMSZ = 40 };

static void put(uint8_t *at, uint64_t value, unsigned size)
{
    for (unsigned i = 0; i < size; i++)
        at[i] = (uint8_t)(value >> 8 * i);
}

static void put_segment(uint8_t *p, unsigned flags, uint64_t offset, uint64_t address,
                        uint64_t in_file, uint64_t in_memory)
{
    put(p + P_TYPE, 1, 4); /* PT_LOAD */
    put(p + P_FLAGS, flags, 4);
    put(p + P_OFFSET, offset, 8);
    put(p + P_VADDR, address, 8);
    put(p + P_FILESZ, in_file, 8);
    put(p + P_MEMSZ, in_memory, 8);
    put(p + 48, 0x2000, 8);
}

/* exit(0) with the headers in front, and eight bytes of data with zeros behind them. */
static void make(uint8_t *f)
{
    static const uint8_t start[] = {0x7f, 'E', 'L', 'F', 2, 1, 1};
    memset(f, 0, SIZE);
    memcpy(f, start, sizeof start);
    put(f + TYPE, 2, 2);
    put(f + MACHINE, 0x9026, 2);
    put(f + 20, 1, 4);
    put(f + ENTRY, CODE + CODE_AT, 8);
    put(f + PHOFF, HEADER, 8);
    put(f + 52, HEADER, 2);
    put(f + PHENTSIZE, SEGMENT, 2);
    put(f + PHNUM, 2, 2);
    put(f + 58, 64, 2);
    put_segment(f + HEADER, 5, 0, CODE, DATA_AT, DATA_AT);
    put_segment(f + HEADER + SEGMENT, 6, DATA_AT, DATA, 8, 100);
    put(f + CODE_AT, ax_lda(0, 1, 31), 4);
    put(f + CODE_AT + 4, ax_lda(16, 0, 31), 4);
    put(f + CODE_AT + 8, 0x83, 4); /* callsys */
    put(f + DATA_AT, UINT64_C(0x1122334455667788), 8);
}

/* What alpha_elf.h promises of a program that was taken. */
static void check_taken(struct alpha_elf *e)
{
    const char *text;
    uint32_t offset;
    unsigned line;
    bool in_code = false;
    uint64_t all = 0, sum = 0;
    assert_in_range(e->n_segments, 1, ALPHA_ELF_SEGMENTS);
    for (unsigned i = 0; i < e->n_segments; i++) {
        const struct alpha_segment *s = &e->segments[i];
        assert_true(s->n_bytes <= s->mem_size && s->mem_size > 0);
        assert_true(s->addr >= ALPHA_ELF_PAGE && s->addr < ALPHA_ELF_END);
        assert_true(s->mem_size <= ALPHA_ELF_END - s->addr);
        assert_true(s->addr + s->mem_size <= e->end && s->protection < 8);
        for (unsigned k = 0; k < i; k++)
            assert_true(e->segments[k].addr + e->segments[k].mem_size <= s->addr ||
                        s->addr + s->mem_size <= e->segments[k].addr);
        for (uint64_t b = 0; b < s->n_bytes; b++)
            sum += s->bytes[b];
        all += s->mem_size;
        in_code |= s->protection & 4 && e->entry - s->addr < s->mem_size;
    }
    assert_true(sum < UINT64_MAX && all <= ALPHA_ELF_SIZE && in_code && !(e->entry & 3));
    if (alpha_elf_symbol(e, e->entry, &text, &offset))
        assert_true(text[0] != '\0');
    if (alpha_elf_line(e, e->entry, &text, &line))
        assert_true(line > 0);
}

/* Reads it; true: taken. */
static bool try_read(const uint8_t *f, size_t size)
{
    struct alpha_elf *e = NULL;
    struct load_error error = {0};
    enum load_status status = alpha_elf_read_memory(f, size, NAME, &e, &error);
    if (status != LOAD_OK) {
        assert_null(e);
        assert_int_equal(error.status, status);
        if (status != LOAD_ERROR_MEMORY) { /* which is no fault of the file */
            assert_int_equal(strncmp(error.message, NAME ": ", strlen(NAME ": ")), 0);
            assert_true(strlen(error.message) > strlen(NAME ": "));
        }
        return false;
    }
    check_taken(e);
    alpha_elf_free(e);
    return true;
}

static void a_good_program_is_read_as_it_is(void **state)
{
    uint8_t f[SIZE];
    struct alpha_elf *e;
    struct load_error error;
    (void)state;
    make(f);
    assert_int_equal(alpha_elf_read_memory(f, SIZE, NAME, &e, &error), LOAD_OK);
    assert_int_equal(e->entry, CODE + CODE_AT);
    assert_int_equal(e->headers, CODE + HEADER);
    assert_int_equal(e->n_headers, 2);
    assert_int_equal(e->end, DATA + 100);
    assert_int_equal(e->n_segments, 2);
    assert_int_equal(e->segments[0].protection, 5);
    assert_int_equal(e->segments[1].protection, 3);
    assert_int_equal(e->segments[1].mem_size, 100);
    assert_int_equal(e->segments[1].n_bytes, 8);
    assert_int_equal(e->segments[1].bytes[0], 0x88);
    check_taken(e);
    alpha_elf_free(e);
}

/* One field with a value it must not have: the reason is named. */
static void each_reason_is_named(void **state)
{
    enum { DATA_HEADER = HEADER + SEGMENT };
    static const struct {
        unsigned at, size;
        uint64_t value;
        const char *reason;
    } bad[] = {
        {0, 1, 0, "not an ELF file"},
        {4, 1, 1, "64-bit little-endian"},
        {5, 1, 2, "64-bit little-endian"},
        {MACHINE, 2, 62, "for machine 62, not for Alpha"},
        {TYPE, 2, 3, "position-independent"},
        {TYPE, 2, 1, "not an executable"},
        {PHNUM, 2, 0, "no program headers"},
        {PHENTSIZE, 2, 32, "of a size they cannot have"},
        {PHNUM, 2, 0xfffe, "program headers reach past the end"},
        {PHOFF, 8, UINT64_MAX - 8, "program headers reach past the end"},
        {ENTRY, 8, CODE + CODE_AT + 2, "where it has no code"},
        {ENTRY, 8, DATA, "where it has no code"},
        {DATA_HEADER + P_TYPE, 4, 3, "dynamically linked"},
        {DATA_HEADER + P_OFFSET, 8, UINT64_MAX, "a segment reaches past the end"},
        {DATA_HEADER + P_FILESZ, 8, UINT64_MAX, "a segment reaches past the end"},
        {DATA_HEADER + P_MEMSZ, 8, 7, "larger in the file than in memory"},
        {DATA_HEADER + P_MEMSZ, 8, ALPHA_ELF_SIZE + 1, "has no place"},
        {DATA_HEADER + P_MEMSZ, 8, ALPHA_ELF_SIZE, "larger than 512 MiB"},
        {DATA_HEADER + P_MEMSZ, 8, UINT64_MAX, "has no place"},
        {DATA_HEADER + P_VADDR, 8, 0, "has no place"},
        {DATA_HEADER + P_VADDR, 8, ALPHA_ELF_END - 50, "has no place"},
        {DATA_HEADER + P_VADDR, 8, UINT64_MAX, "has no place"},
        {DATA_HEADER + P_VADDR, 8, CODE + 8, "overlap"},
    };
    uint8_t f[SIZE];
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct alpha_elf *e;
        struct load_error error = {0};
        make(f);
        put(f + bad[i].at, bad[i].value, bad[i].size);
        assert_int_not_equal(alpha_elf_read_memory(f, SIZE, NAME, &e, &error), LOAD_OK);
        if (!strstr(error.message, bad[i].reason))
            fail_msg("case %zu: '%s' does not say '%s'", i, error.message, bad[i].reason);
        assert_null(e);
    }
}

/* Zeros behind a segment's bytes belong to it: two segments overlap, or do not, by one byte of them, in either order. */
static void segments_overlap_with_their_zeros(void **state)
{
    enum { ZEROS = 1000 };
    uint8_t f[SIZE];
    (void)state;
    for (unsigned i = 0; i < 4; i++) {
        struct alpha_elf *e;
        struct load_error error = {0};
        bool overlaps = i & 1, data_first = i & 2;
        make(f);
        if (!data_first)
            put(f + HEADER + P_MEMSZ, ZEROS, 8);
        put(f + HEADER + SEGMENT + P_VADDR,
            (data_first ? CODE - 100 : CODE + ZEROS - 2 * overlaps) + overlaps,
            8);
        assert_int_equal(alpha_elf_read_memory(f, SIZE, NAME, &e, &error),
                         overlaps ? LOAD_ERROR_OVERLAP : LOAD_OK);
        alpha_elf_free(e);
    }
}

/* Program headers at the end of the file: code, data, and pages of zeros. */
static void there_is_room_for_so_many_segments(void **state)
{
    enum { AT = (SIZE + 7) / 8 * 8, MOST = ALPHA_ELF_SEGMENTS + 1 };
    uint8_t f[AT + MOST * SEGMENT];
    (void)state;
    for (unsigned n = ALPHA_ELF_SEGMENTS; n <= MOST; n++) {
        struct alpha_elf *e = NULL;
        struct load_error error = {0};
        bool many = n > ALPHA_ELF_SEGMENTS;
        memset(f, 0, sizeof f);
        make(f);
        put(f + PHOFF, AT, 8);
        put(f + PHNUM, n, 2);
        memcpy(f + AT, f + HEADER, 2 * SEGMENT);
        for (unsigned i = 2; i < n; i++)
            put_segment(f + AT + i * SEGMENT, 6, 0, DATA + i * UINT64_C(0x2000), 0, 0x2000);
        assert_int_equal(alpha_elf_read_memory(f, AT + n * SEGMENT, NAME, &e, &error),
                         many ? LOAD_ERROR_FORMAT : LOAD_OK);
        if (many)
            assert_string_equal(error.message, NAME ": more than 64 segments");
        else
            assert_int_equal(e->n_segments, n);
        alpha_elf_free(e);
    }
}

/* All bytes are needed: whatever is cut off, it is refused. */
static void a_truncated_file_is_refused(void **state)
{
    uint8_t f[SIZE];
    (void)state;
    make(f);
    for (size_t n = 0; n < SIZE; n++) {
        uint8_t *exact = malloc(n ? n : 1); /* so that ASan sees a byte too many */
        assert_non_null(exact);
        memcpy(exact, f, n);
        assert_false(try_read(exact, n));
        free(exact);
    }
    assert_true(try_read(f, SIZE));
}

static void every_flipped_bit_and_every_byte(void **state)
{
    uint8_t f[SIZE];
    unsigned refused = 0, taken = 0;
    (void)state;
    for (unsigned at = 0; at < SIZE; at++) {
        for (unsigned how = 0; how < 10; how++) {
            make(f);
            f[at] = (uint8_t)(how < 8 ? f[at] ^ 1u << how : how == 8 ? 0xffu : 0u);
            bool good = try_read(f, SIZE);
            refused += !good;
            taken += good;
        }
    }
    assert_true(refused > 300 && taken > 300); /* code, data, and fields that nobody reads */
}

/* Many random bytes at once, mostly in the headers, in files of random length. */
static void random_damage(void **state)
{
    const char *text = getenv("WAITGATE_SEED");
    uint64_t x = text ? strtoull(text, NULL, 0) : 20261116;
    (void)state;
    printf("seed %llu\n", (unsigned long long)x);
    x |= 1;
    for (unsigned i = 0; i < 20000; i++) {
        uint8_t f[SIZE];
        make(f);
        unsigned n = 1 + (unsigned)(x >> 60);
        for (unsigned k = 0; k < n; k++) {
            x = x * UINT64_C(6364136223846793005) + 1442695040888963407u;
            unsigned at = (unsigned)(x >> 33) % (x >> 63 ? SIZE : CODE_AT);
            f[at] = (uint8_t)(x >> 62 & 1 ? x >> 20 : f[at] ^ UINT64_C(1) << (x >> 20 & 7));
        }
        try_read(f, x >> 58 & 3 ? SIZE : (size_t)(x >> 40) % (SIZE + 1));
    }
}

TEST_MAIN(cmocka_unit_test(a_good_program_is_read_as_it_is), cmocka_unit_test(each_reason_is_named),
          cmocka_unit_test(segments_overlap_with_their_zeros),
          cmocka_unit_test(there_is_room_for_so_many_segments),
          cmocka_unit_test(a_truncated_file_is_refused),
          cmocka_unit_test(every_flipped_bit_and_every_byte), cmocka_unit_test(random_damage))
