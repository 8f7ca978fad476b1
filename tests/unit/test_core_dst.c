/*
 * The cores' window onto Dst, the debug array read, and the packer as a writer of L1.
 *
 * The expectation is written down a second time, from the document's tables and not from its code: a number is taken apart
 * into sign, exponent and fraction by arithmetic, rows are moved bit by bit with a list of where each bit comes from.
 */
#include "tile_drive.h"

#include "base/bits.h"
#include "isa/cfg.h"
#include "num/dst_word.h"
#include "tile/hang.h"

#define WINDOW  UINT32_C(0xFFBD8000)
#define RESULT  0x20100u
#define PROGRAM 0x6000u /* of T0 */

/* ---- an independent formulation ---- */

/* Where the row's bits come from, from bit 9 down. */
static unsigned permuted(unsigned row, const unsigned char from[10])
{
    unsigned to = 0;
    for (unsigned i = 0; i < 10; i++)
        to = to << 1 | (row >> from[i] & 1);
    return to;
}

static unsigned expected_row(unsigned row, bool wide, bool remap, bool swizzle)
{
    static const unsigned char rotate[10] = {9, 8, 7, 6, 3, 5, 4, 2, 1, 0};
    static const unsigned char swap[10] = {9, 8, 7, 6, 5, 4, 2, 3, 1, 0};
    if (remap)
        row = permuted(row, rotate);
    if (wide && swizzle)
        row = permuted(row, swap) ^ (row & 16 ? 8 : 0);
    /* eight rows of high halves, then eight of low halves; bit 9 stays what it is */
    return wide ? (row % 512 / 8 * 16 + row % 8) | (row & 512) : row;
}

struct number {
    uint32_t sign, exponent, fraction;
};

static struct number taken_apart(uint32_t v, unsigned exponent, unsigned fraction)
{
    return (struct number){.sign = v >> (exponent + fraction) & 1,
                           .exponent = (v >> fraction) % (1u << exponent),
                           .fraction = v % (1u << fraction)};
}

/* {S, M, E}, where a core has {S, E, M} */
static uint32_t turned(uint32_t v, unsigned exponent, unsigned fraction)
{
    struct number n = taken_apart(v, exponent, fraction);
    return n.sign << (exponent + fraction) | n.fraction << exponent | n.exponent;
}

/* The sign and magnitude of a two's complement number of this many bits. */
static uint32_t signed_magnitude(uint32_t v, unsigned bits)
{
    int64_t n = (int64_t)v, most = (INT64_C(1) << (bits - 1)) - 1;
    if (n > most)
        n -= INT64_C(1) << bits;
    if (n < -most)
        n = -most;
    return n < 0 ? (uint32_t)-n | UINT32_C(1) << (bits - 1) : (uint32_t)n;
}

/* The cell that a store of v leaves. */
static uint32_t expected_cell(struct dst_word w, uint32_t v)
{
    bool plain = w.no_swizzle || w.unsigned_int;
    switch (w.format) {
    case DST_WORD_INT32: v = w.no_swizzle ? v : signed_magnitude(v, 32); /* fall through */
    case DST_WORD_32:
        return w.no_swizzle ? v : turned(v >> 16, 8, 7) << 16 | v % 65536; /* top half turns */
    case DST_WORD_FP16: return w.no_swizzle ? v : turned(v, 5, 10);
    case DST_WORD_BF16: return w.no_swizzle ? v : turned(v, 8, 7);
    case DST_WORD_INT16: return plain ? v : signed_magnitude(v, 16);
    default:
        if (plain || v < 128)
            return v * 32 + (v ? 16 : 0);
        return 0x8000 + (signed_magnitude(v, 8) % 128 + 128) * 32 + 16; /* 128 too much */
    }
}

/* What comes back after it. */
static uint32_t expected_back(struct dst_word w, uint32_t v)
{
    bool is_signed = w.format == DST_WORD_INT32
                         ? !w.no_swizzle
                         : w.format >= DST_WORD_INT16 && !w.no_swizzle && !w.unsigned_int;
    uint32_t most = UINT32_C(1) << (8 * dst_word_size(w.format) - 1);
    return is_signed && v == most ? v + 1 : v;
}

/* ---- driving ---- */

static uint32_t random_word(void)
{
    static uint64_t x = 88172645463325252u;
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    return (uint32_t)(x >> 11);
}

static struct dst_word word_of(unsigned format, unsigned flags)
{
    return (struct dst_word){
        .format = (uint8_t)format, .no_swizzle = flags & 1, .unsigned_int = flags >> 1 & 1};
}

/* Sets the section of a thread, in the bank it uses. */
static void set_window(struct tile *tile, unsigned thread, struct dst_word w)
{
    struct config *c = &tile->coproc.config;
    unsigned up = 14 + 5 * thread;
    uint32_t section = w.no_swizzle | (uint32_t)w.unsigned_int << 1 | (uint32_t)w.format << 2;
    uint32_t *word = &c->word[config_state_id(c, thread)][3];
    *word = (*word & ~(31u << up)) | section << up;
}

static void set_access(struct tile *tile, bool remap, bool swizzle)
{
    tile->coproc.config.word[0][220] = (uint32_t)remap << 1 | swizzle;
}

static void put(struct tile *tile, unsigned core, uint32_t offset, unsigned size, uint32_t value)
{
    assert_int_equal(tile_bus.store(tile, core, WINDOW + offset, size, value), RV_OK);
}

static uint32_t get(struct tile *tile, unsigned core, uint32_t offset, unsigned size)
{
    uint32_t value = 0;
    assert_int_equal(tile_bus.load(tile, core, WINDOW + offset, size, &value), RV_OK);
    return value;
}

static unsigned complaints(const struct tile *tile)
{
    return told(tile, DIAG_DST_FORMAT) + told(tile, DIAG_DSTWIN_WIDTH) +
           told(tile, DIAG_DST_INVALID);
}

/* ---- elements ---- */

static void check_element(struct dst_word w, uint32_t v)
{
    uint32_t cell = dst_word_store(w, v);
    assert_int_equal(cell, expected_cell(w, v));
    assert_int_equal(dst_word_load(w, cell), expected_back(w, v));
}

static void every_narrow_element_is_stored_and_loaded_as_documented(void **state)
{
    (void)state;
    for (unsigned format = DST_WORD_FP16; format <= DST_WORD_INT8; format++)
        for (unsigned flags = 0; flags < 4; flags++)
            for (uint32_t v = 0; v <= bits_mask(8 * dst_word_size(format)); v++)
                check_element(word_of(format, flags), v);
}

static void wide_elements_are_stored_and_loaded_as_documented(void **state)
{
    static const uint32_t edges[] = {
        0, 1, 0x7fffffff, 0x80000000, 0x80000001, 0xffffffff, 0x3f800000, 0x00800000, 0xff800000};
    (void)state;
    for (unsigned format = DST_WORD_32; format <= DST_WORD_INT32; format++)
        for (unsigned flags = 0; flags < 4; flags++) {
            for (unsigned i = 0; i < sizeof edges / sizeof edges[0]; i++)
                check_element(word_of(format, flags), edges[i]);
            for (unsigned i = 0; i < 100000; i++)
                check_element(word_of(format, flags), random_word());
        }
}

/* The document's own examples of loads: they do not depend on how the cell came there. */
static void loads_take_any_cell(void **state)
{
    (void)state;
    assert_int_equal(dst_word_load(word_of(DST_WORD_INT32, 0), 0x80000000), 0); /* -0 */
    assert_int_equal(dst_word_load(word_of(DST_WORD_INT16, 0), 0x8000), 0);
    assert_int_equal(dst_word_load(word_of(DST_WORD_INT8, 0), 0x8010), 0);
    assert_int_equal(dst_word_load(word_of(DST_WORD_INT8, 0), 0x8000 | 5 << 5 | 16), 0xfb);
    assert_int_equal(dst_word_load(word_of(DST_WORD_INT8, 0), 0x7ff0), 0x7f);
    assert_int_equal(dst_word_load(word_of(DST_WORD_INT8, 2), 0xfff0), 0xff);
    assert_int_equal(dst_word_load(word_of(DST_WORD_INT8, 1), 0xfff0), 0xff);
    assert_int_equal(dst_word_load(word_of(DST_WORD_BF16, 0), 0x007f), 0x3f80); /* 1.0 */
    assert_int_equal(dst_word_load(word_of(DST_WORD_FP16, 0), 0x000f), 0x3c00);
    assert_int_equal(dst_word_load(word_of(DST_WORD_32, 0), 0x007f0000), 0x3f800000);
    assert_int_equal(dst_word_load(word_of(6, 0), 0xffffffff), 0);
    assert_int_equal(dst_word_store(word_of(7, 0), 0xffffffff), 0);
}

static void loads_of_int8_take_the_low_bits_of_any_magnitude(void **state)
{
    (void)state;
    for (uint32_t cell = 0; cell < 65536; cell++)
        for (unsigned flags = 0; flags < 4; flags++) {
            uint32_t magnitude = cell / 32 % 1024, want = magnitude % 256;
            if (!flags)
                want = cell >= 0x8000 ? (256 - magnitude % 128) % 256 : magnitude % 128;
            assert_int_equal(dst_word_load(word_of(DST_WORD_INT8, flags), cell), want);
        }
}

/* -1 becomes magnitude 129: the sign does not count as one of eight bits, and bit 7 is set. */
static void a_negative_byte_gets_the_wrong_magnitude(void **state)
{
    struct tile *tile = *state;
    set_window(tile, T0, word_of(DST_WORD_INT8, 0));
    put(tile, T0, 3, 1, 0xff);
    assert_int_equal(tile->coproc.dst.d[0][3], 0x8000 | 129 << 5 | 16);
    assert_int_equal(get(tile, T0, 3, 1), 0xff);
}

/* ---- where they lie ---- */

static void check_places(struct tile *tile, unsigned core, struct dst_word w, bool remap,
                         bool swizzle)
{
    unsigned bytes = dst_word_size(w.format), rows = bytes == 4 ? 512 : 1024;
    bool wide = bytes == 4;
    set_window(tile, core, w);
    set_access(tile, remap, swizzle);
    for (unsigned row = 0; row < rows; row++) {
        unsigned column = random_word() % 16, at = expected_row(row, wide, remap, swizzle);
        uint32_t v = random_word() & bits_mask(8 * bytes), cell = expected_cell(w, v);
        uint32_t offset = (row * 16 + column) * bytes;
        put(tile, core, offset, bytes, v);
        assert_int_equal(tile->coproc.dst.valid[at], 1);
        assert_int_equal(tile->coproc.dst.d[at][column], wide ? cell >> 16 : cell);
        if (wide)
            assert_int_equal(tile->coproc.dst.d[at + 8][column], cell & 0xffff);
        assert_int_equal(get(tile, core, offset, bytes), expected_back(w, v));
    }
}

static void every_row_lies_where_the_document_puts_it(void **state)
{
    struct tile *tile = *state;
    for (unsigned core = T0; core <= T2; core++)
        for (unsigned format = 0; format < DST_WORD_RESERVED; format++)
            for (unsigned flags = 0; flags < 16; flags++)
                check_places(tile, core, word_of(format, flags & 3), flags & 4, flags & 8);
    assert_int_equal(complaints(tile), 0);
}

static void all_rows_of_a_view_lie_in_different_places(void **state)
{
    struct tile *tile = *state;
    for (unsigned format = DST_WORD_32; format <= DST_WORD_FP16; format += 2)
        for (unsigned flags = 0; flags < 4; flags++) {
            unsigned bytes = dst_word_size(format), elements = 0x8000 / bytes;
            set_window(tile, T0, word_of(format, 0));
            set_access(tile, flags & 1, flags & 2);
            for (unsigned i = 0; i < elements; i++)
                put(tile, T0, i * bytes, bytes, (i * 40503u) & 0x7fff);
            for (unsigned i = 0; i < elements; i++)
                assert_int_equal(get(tile, T0, i * bytes, bytes), (i * 40503u) & 0x7fff);
        }
}

static void threads_have_sections_of_their_own(void **state)
{
    struct tile *tile = *state;
    set_window(tile, T0, word_of(DST_WORD_32, 0));
    set_window(tile, T1, word_of(DST_WORD_BF16, 0));
    set_window(tile, T2, word_of(DST_WORD_32, 1));
    put(tile, T0, 0, 4, 0x3f812345);
    assert_int_equal(get(tile, T0, 0, 4), 0x3f812345);
    assert_int_equal(get(tile, T1, 0, 2), 0x3f81);
    assert_int_equal(get(tile, T2, 0, 4), 0x017f2345);
}

/* The thread's StateID says which bank of Config counts. */
static void the_section_is_read_from_the_threads_bank(void **state)
{
    struct tile *tile = *state;
    set_window(tile, T1, word_of(DST_WORD_BF16, 0));
    tile->coproc.config.thread[1][THCONFIG_STATE_ID] = 1;
    set_window(tile, T1, word_of(DST_WORD_INT16, 2));
    put(tile, T1, 2, 2, 0x3f80);
    assert_int_equal(tile->coproc.dst.d[0][1], 0x3f80);
    tile->coproc.config.thread[1][THCONFIG_STATE_ID] = 0;
    assert_int_equal(get(tile, T1, 2, 2), 0x403f); /* fraction 3f, exponent 80 */
}

static void feature_bit_11_shows_the_high_halves_as_16_bits(void **state)
{
    struct tile *tile = *state;
    set_window(tile, T0, word_of(DST_WORD_32, 0));
    set_window(tile, T1, word_of(DST_WORD_BF16, 0));
    put(tile, T0, 4 * (9 * 16 + 5), 4, 0x40490fdb);
    store(tile, NOC, CONTROL(0x68), 1u << 11);
    assert_int_equal(get(tile, T1, 2 * (9 * 16 + 5), 2), 0x4049);
    put(tile, T1, 2 * (9 * 16 + 5), 2, 0x3f80);
    assert_int_equal(get(tile, T0, 4 * (9 * 16 + 5), 4) >> 16, 0x3f80);
}

/* ---- sizes ---- */

/* T2 takes several elements at once. */
static void core_t2_accesses_several_elements(void **state)
{
    struct tile *tile = *state;
    set_window(tile, T2, word_of(DST_WORD_BF16, 0));
    put(tile, T2, 0x104, 4, 0xc0003f80);
    assert_int_equal(tile->coproc.dst.d[8][2], turned(0x3f80, 8, 7));
    assert_int_equal(tile->coproc.dst.d[8][3], turned(0xc000, 8, 7));
    assert_int_equal(get(tile, T2, 0x104, 4), 0xc0003f80);
    assert_int_equal(get(tile, T2, 0x106, 2), 0xc000);
    set_window(tile, T2, word_of(DST_WORD_INT8, 0));
    put(tile, T2, 0x20, 4, 0x80ff7f01);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(tile->coproc.dst.d[2][i],
                         expected_cell(word_of(DST_WORD_INT8, 0), 0x80ff7f01u >> 8 * i & 0xff));
    assert_int_equal(get(tile, T2, 0x20, 4), 0x81ff7f01);
    assert_int_equal(get(tile, T2, 0x22, 2), 0x81ff);
    assert_int_equal(complaints(tile), 0);
}

/* A part of an element: what a load of the whole would have there. */
static void a_part_of_an_element_is_a_part_of_what_the_core_sees(void **state)
{
    struct tile *tile = *state;
    set_window(tile, T2, word_of(DST_WORD_32, 0));
    put(tile, T2, 0x40, 4, 0x40490fdb);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(get(tile, T2, 0x40 + i, 1), 0x40490fdbu >> 8 * i & 0xff);
    for (unsigned i = 0; i < 4; i++)
        put(tile, T2, 0x44 + i, 1, 0xc2f60042u >> 8 * i);
    put(tile, T2, 0x48, 2, 0x1234);
    put(tile, T2, 0x4a, 2, 0x5678);
    assert_int_equal(get(tile, T2, 0x44, 4), 0xc2f60042);
    assert_int_equal(get(tile, T2, 0x48, 4), 0x56781234);
    assert_int_equal(complaints(tile), 0);
}

static void t0_and_t1_are_told_about_other_sizes(void **state)
{
    struct tile *tile = *state;
    for (unsigned core = T0; core <= T1; core++)
        for (unsigned format = 0; format < DST_WORD_RESERVED; format++)
            for (unsigned size = 1; size <= 4; size *= 2) {
                unsigned before = told(tile, DIAG_DSTWIN_WIDTH);
                set_window(tile, core, word_of(format, 0));
                put(tile, core, 0, size, 0);
                get(tile, core, 0, size);
                assert_int_equal(told(tile, DIAG_DSTWIN_WIDTH) - before,
                                 size == dst_word_size(format) ? 0 : 2);
            }
}

static void a_reserved_format_is_reported_and_does_nothing(void **state)
{
    struct tile *tile = *state;
    for (unsigned format = 6; format <= 7; format++) {
        set_window(tile, T2, word_of(format, 0));
        memset(tile->coproc.dst.valid, 1, sizeof tile->coproc.dst.valid);
        tile->coproc.dst.d[0][0] = 0x1234;
        put(tile, T2, 0, 4, 0xffffffff);
        assert_int_equal(get(tile, T2, 0, 2), 0);
        assert_int_equal(tile->coproc.dst.d[0][0], 0x1234);
    }
    assert_int_equal(told(tile, DIAG_DST_FORMAT), 4);
}

/* ---- rows without contents ---- */

static void a_row_without_contents_reads_zero_and_is_reported(void **state)
{
    struct tile *tile = *state;
    memset(tile->coproc.dst.d, 0xff, sizeof tile->coproc.dst.d);
    memset(tile->coproc.dst.valid, 0, sizeof tile->coproc.dst.valid);
    for (unsigned format = 0; format < DST_WORD_RESERVED; format++) {
        set_window(tile, T0, word_of(format, 0));
        assert_int_equal(get(tile, T0, 0x200, dst_word_size(format)), 0);
        assert_int_equal(told(tile, DIAG_DST_INVALID), format + 1);
    }
}

static void a_store_gives_the_row_contents(void **state)
{
    struct tile *tile = *state;
    struct dst *d = &tile->coproc.dst;
    memset(d->d, 0xff, sizeof d->d);
    memset(d->valid, 0, sizeof d->valid);
    set_window(tile, T0, word_of(DST_WORD_32, 1));
    put(tile, T0, 4 * 16 * 3, 4, 0x12345678);
    assert_int_equal(d->valid[3], 1);
    assert_int_equal(d->valid[11], 0); /* one bit for both halves */
    assert_int_equal(get(tile, T0, 4 * 16 * 3, 4), 0x12345678);
    assert_int_equal(get(tile, T0, 4 * 16 * 3 + 4, 4), 0);
    set_window(tile, T0, word_of(DST_WORD_INT16, 1));
    put(tile, T0, 2 * 16 * 20 + 2, 2, 0xabcd);
    assert_int_equal(d->valid[20], 1);
    assert_int_equal(d->d[20][0], 0);
    assert_int_equal(d->d[20][1], 0xabcd);
    assert_int_equal(d->d[21][0], 0xffff);
    assert_int_equal(told(tile, DIAG_DST_INVALID), 0);
}

/* ---- programs ---- */

/* Stores a word to Dst, loads it, leaves it in L1. */
static void put_program(struct tile *tile)
{
    uint32_t at = PROGRAM;
    put_li(tile, &at, 1, WINDOW + 0x80);
    put_li(tile, &at, 2, 0xc2f60042);
    put_li(tile, &at, 3, RESULT);
    RV_PUT(tile, &at, SW, .rs1 = 1, .rs2 = 2, .imm = 4);
    RV_PUT(tile, &at, LW, .rd = 4, .rs1 = 1, .imm = 4);
    RV_PUT(tile, &at, SW, .rs1 = 3, .rs2 = 4);
    RV_PUT(tile, &at, EBREAK, .rd = 0);
}

static void a_core_stores_and_loads_without_time(void **state)
{
    struct tile *tile = *state;
    put_program(tile);
    release(tile, T0);
    tile_run(tile, 1000);
    assert_int_equal(peek(tile, RESULT), 0xc2f60042);
    assert_int_equal(tile->coproc.dst.d[2][1], turned(0xc2f6, 8, 7));
}

static uint64_t cycles_of_program(struct tile *tile)
{
    assert_int_equal(tile_clock_run(tile, 0), TILE_END_LIMIT);
    put_program(tile);
    release(tile, T0);
    assert_int_equal(tile_clock_run(tile, 10000), TILE_END_STOPPED);
    assert_int_equal(peek(tile, RESULT), 0xc2f60042);
    assert_int_equal(tile->coproc.dst.d[10][1], 0x0042);
    assert_int_equal(told(tile, DIAG_DSTWIN_WIDTH), 0);
    const struct writer *w = writers_find(&tile->writers, RESULT);
    assert_non_null(w);
    return w->cycle;
}

static void a_core_stores_and_loads_with_time(void **state)
{
    void *other = NULL;
    tile_setup(&other);
    struct tile *stepped = other;
    stepped->clock.no_skip = true;
    assert_int_equal(cycles_of_program(*state), cycles_of_program(stepped));
    tile_teardown(&other);
}

static void put_word(struct tile *tile, uint32_t *at, uint32_t word)
{
    poke(tile, *at, word);
    *at += 4;
}

/* A vector of halves through the window. */
static void move_vectors(struct tile *tile)
{
    static const uint16_t data[8] = {
        0x3f80, 0xbf80, 0x4000, 0xc000, 0x0001, 0x8001, 0x7f80, 0x1234};
    uint32_t at = 0xE000;
    set_window(tile, T2, word_of(DST_WORD_BF16, 0));
    assert_true(tile_write(tile, RESULT, data, sizeof data));
    put_li(tile, &at, 1, WINDOW + 0x40);
    put_li(tile, &at, 2, RESULT);
    RV_PUT(tile, &at, ADDI, .rd = 5, .imm = 8);
    put_word(tile, &at, 0x0082f057); /* vsetvli x0, x5, e16, m1 */
    put_word(tile, &at, 0x02015087); /* vle16.v v1, (x2) */
    put_word(tile, &at, 0x0200d0a7); /* vse16.v v1, (x1) */
    put_word(tile, &at, 0x0200d107); /* vle16.v v2, (x1) */
    RV_PUT(tile, &at, ADDI, .rd = 2, .rs1 = 2, .imm = 0x100);
    put_word(tile, &at, 0x02015127); /* vse16.v v2, (x2) */
    RV_PUT(tile, &at, EBREAK, .rd = 0);
    release(tile, T2);
    if (tile->clock.on)
        assert_int_equal(tile_clock_run(tile, 10000), TILE_END_STOPPED);
    else
        tile_run(tile, 1000);
    for (unsigned i = 0; i < 8; i++)
        assert_int_equal(tile->coproc.dst.d[2][i], turned(data[i], 8, 7));
    assert_memory_equal(tile->l1_bytes + RESULT + 0x100, data, sizeof data);
    assert_int_equal(complaints(tile), 0);
}

static void core_t2_moves_vectors_without_time(void **state)
{
    move_vectors(*state);
}

static void core_t2_moves_vectors_with_time(void **state)
{
    assert_int_equal(tile_clock_run(*state, 0), TILE_END_LIMIT);
    move_vectors(*state);
}

/* ---- debug array ---- */

static void the_debug_array_shows_cells_as_they_lie(void **state)
{
    struct tile *tile = *state;
    for (unsigned row = 0; row < DST_ROWS; row++)
        for (unsigned i = 0; i < 16; i++)
            tile->coproc.dst.d[row][i] = (uint16_t)random_word();
    set_access(tile, true, true); /* does not count here; nor do valid bits */
    store(tile, B, CONTROL(0x60), 1);
    for (unsigned row = 0; row < DST_ROWS; row++)
        for (unsigned pair = 0; pair < 8; pair++) {
            store(tile, B, CONTROL(0x64), 2u << 16 | pair << 12 | row);
            assert_int_equal(load(tile, B, CONTROL(0x6c)),
                             tile->coproc.dst.d[row][2 * pair] |
                                 (uint32_t)tile->coproc.dst.d[row][2 * pair + 1] << 16);
        }
    assert_int_equal(told(tile, DIAG_DEBUG_ARRAY), 0);
}

static void the_debug_array_has_nothing_else(void **state)
{
    struct tile *tile = *state;
    static const uint32_t commands[] = {0, 1u << 16, 3u << 16, 2u << 16 | 0x400, 2u << 16 | 0x8000};
    memset(tile->coproc.dst.d, 0xff, sizeof tile->coproc.dst.d);
    store(tile, B, CONTROL(0x64), 2u << 16);
    assert_int_equal(load(tile, B, CONTROL(0x6c)), 0); /* not enabled */
    store(tile, B, CONTROL(0x60), 1);
    for (unsigned i = 0; i < 5; i++) {
        store(tile, B, CONTROL(0x64), commands[i]);
        assert_int_equal(load(tile, B, CONTROL(0x6c)), 0);
    }
    assert_int_equal(told(tile, DIAG_DEBUG_ARRAY), 6);
}

/* ---- who wrote L1 ---- */

static void what_the_packer_writes_is_noted(void **state)
{
    struct tile *tile = *state;
    static const uint8_t data[20] = {1};
    l1_port_write(&tile->coproc.l1, OWNER_PACK, RESULT, data, sizeof data);
    assert_null(writers_find(&tile->writers, RESULT)); /* no time, no notes */
    assert_int_equal(tile_clock_run(tile, 7), TILE_END_DONE);
    l1_port_write(&tile->coproc.l1, OWNER_PACK, RESULT + 2, data, sizeof data);
    for (uint32_t at = RESULT; at < RESULT + 22; at += 4) {
        const struct writer *w = writers_find(&tile->writers, at);
        assert_non_null(w);
        assert_int_equal(writers_agent(w), OWNER_PACK);
        assert_int_equal(w->cycle, tile->clock.now);
    }
    assert_null(writers_find(&tile->writers, RESULT - 4));
    assert_null(writers_find(&tile->writers, RESULT + 24));
}

/* The report of a hang names the packer as the one who wrote the word last. */
static void a_hang_names_the_packer_as_writer(void **state)
{
    struct tile *tile = *state;
    uint32_t at = PROGRAM, one = 1;
    struct hang h;
    put_li(tile, &at, 3, RESULT);
    put_word(tile, &at, 0x0ff0000f); /* fence */
    RV_PUT(tile, &at, LW, .rd = 4, .rs1 = 3, .imm = 0);
    RV_PUT(tile, &at, BNE, .rs1 = 4, .rs2 = 0, .imm = -8);
    assert_int_equal(tile_clock_run(tile, 0), TILE_END_LIMIT);
    l1_port_write(&tile->coproc.l1, OWNER_PACK, RESULT, &one, sizeof one);
    release(tile, T0);
    assert_int_equal(tile_clock_run(tile, 10000), TILE_END_HANG);
    hang_explain(tile, &h);
    for (unsigned i = 0; i < h.n; i++)
        if (h.agent[i].agent == OWNER_CORE_T0) {
            assert_int_equal(h.agent[i].thing, HANG_WORD);
            assert_true(h.agent[i].changed);
            assert_int_equal(h.agent[i].changed_by, OWNER_PACK);
            return;
        }
    fail();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_narrow_element_is_stored_and_loaded_as_documented),
        cmocka_unit_test(wide_elements_are_stored_and_loaded_as_documented),
        cmocka_unit_test(loads_take_any_cell),
        cmocka_unit_test(loads_of_int8_take_the_low_bits_of_any_magnitude),
        TILE_TEST(a_negative_byte_gets_the_wrong_magnitude),
        TILE_TEST(every_row_lies_where_the_document_puts_it),
        TILE_TEST(all_rows_of_a_view_lie_in_different_places),
        TILE_TEST(threads_have_sections_of_their_own),
        TILE_TEST(the_section_is_read_from_the_threads_bank),
        TILE_TEST(feature_bit_11_shows_the_high_halves_as_16_bits),
        TILE_TEST(core_t2_accesses_several_elements),
        TILE_TEST(a_part_of_an_element_is_a_part_of_what_the_core_sees),
        TILE_TEST(t0_and_t1_are_told_about_other_sizes),
        TILE_TEST(a_reserved_format_is_reported_and_does_nothing),
        TILE_TEST(a_row_without_contents_reads_zero_and_is_reported),
        TILE_TEST(a_store_gives_the_row_contents),
        TILE_TEST(a_core_stores_and_loads_without_time),
        TILE_TEST(a_core_stores_and_loads_with_time),
        TILE_TEST(core_t2_moves_vectors_without_time),
        TILE_TEST(core_t2_moves_vectors_with_time),
        TILE_TEST(the_debug_array_shows_cells_as_they_lie),
        TILE_TEST(the_debug_array_has_nothing_else),
        TILE_TEST(what_the_packer_writes_is_noted),
        TILE_TEST(a_hang_names_the_packer_as_writer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
