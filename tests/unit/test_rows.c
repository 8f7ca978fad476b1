/*
 * Rows in one pass: the plain code and the AVX2 code give the bits of the stages in to_l1.c and from_l1.c, for every
 * 16-bit datum, every datum of a block with every exponent, and words of all kinds; and every datum of Src as Dst has it.
 */
#include "test.h"

#include <string.h>

#include "model/rng.h"
#include "num/from_l1.h"
#include "num/layout.h"
#include "num/rows.h"
#include "num/to_l1.h"

#define SEED UINT64_C(20261116)
#define ALL  (65536 / NUM_ROW) /* rows that hold every 16-bit number */

static const struct num_rows *set; /* the code under test */
static uint16_t high[ALL * NUM_ROW], low[ALL * NUM_ROW];
static uint8_t got[ALL * NUM_ROW * 4], exponents[ALL];
static uint32_t cell[ALL * NUM_ROW], want[ALL * NUM_ROW];

/* Every number once, each kind of low half with it. */
static void every_number(struct rng *r)
{
    static const uint16_t ends[] = {0, 1, 0x7fff, 0x8000, 0x8001, 0xffff};
    for (unsigned i = 0; i < ALL * NUM_ROW; i++) {
        high[i] = (uint16_t)i;
        low[i] = (uint16_t)(rng_below(r, 2) ? ends[rng_below(r, 6)] : rng_below(r, 65536));
    }
}

static struct num_to_l1 way(bool read32, unsigned intermediate, unsigned out)
{
    struct num_to_l1 w;
    struct num_to_l1_config c = {.read32 = read32,
                                 .intermediate = (uint8_t)intermediate,
                                 .in = (uint8_t)intermediate,
                                 .out = (uint8_t)out};
    num_to_l1_choose(&w, &c);
    return w;
}

/* A row through the stages. */
static unsigned stages(const struct num_to_l1 *w, unsigned row, uint8_t *to, uint8_t *exponent)
{
    uint32_t v[NUM_ROW], rng = 0;
    num_to_l1_read(w, high + row * NUM_ROW, low + row * NUM_ROW, v);
    num_to_l1_early(w, v, &rng);
    num_to_l1_late(w, v);
    if (num_formats[w->out].kind == NUM_BLOCK)
        *exponent = num_to_l1_block(w->out, v, NUM_ROW, 0, NULL);
    return num_to_l1_store(w->out, v, NUM_ROW, to, 0) / 8;
}

static void compare(const struct num_to_l1 *w, const uint8_t *exponent)
{
    for (unsigned row = 0, at = 0; row < ALL; row++) {
        uint8_t bytes[4 * NUM_ROW] = {0}, e = 0;
        unsigned n = stages(w, row, bytes, &e);
        assert_memory_equal(got + at, bytes, n);
        if (exponent)
            assert_int_equal(exponent[row], e);
        at += n;
    }
}

static void rows_to_l1(void)
{
    struct rng r = rng_of(SEED, 1);
    struct num_to_l1 w;
    for (unsigned round = 0; round < 8; round++) {
        every_number(&r);
        w = way(false, NUM_BF16, NUM_BF16);
        set->bf16(high, ALL, got);
        compare(&w, NULL);
        w = way(true, NUM_FP32, NUM_FP32);
        set->word(high, low, ALL, got);
        compare(&w, NULL);
        w = way(true, NUM_BF16, NUM_BF16);
        set->word_bf16(high, low, ALL, got);
        compare(&w, NULL);
    }
}

/* Blocks: every number as it comes, and shuffled with exponents near to each other. */
static void rows_to_blocks(void)
{
    struct rng r = rng_of(SEED, 2);
    struct num_to_l1 half = way(false, NUM_BF16, NUM_BFP8), word = way(true, NUM_FP32, NUM_BFP8);
    for (unsigned round = 0; round < 16; round++) {
        every_number(&r);
        for (unsigned i = 0; round && i < ALL * NUM_ROW; i++) {
            unsigned base = i / NUM_ROW % 256, e = (base + rng_below(&r, 1 + round)) & 0xff;
            high[i] = (uint16_t)((rng_below(&r, 256) << 8) | (rng_below(&r, 9) ? e : 0));
        }
        set->bfp8(high, true, ALL, got, exponents);
        compare(&half, exponents);
        set->bfp8(high, false, ALL, got, exponents);
        compare(&word, exponents);
    }
}

static void compare_src(struct from_l1 f, const uint8_t *in, const uint8_t *e, unsigned n)
{
    from_l1_to_src(from_l1_values(&f, in, 0, e, 0, n, want), want, n);
    assert_memory_equal(cell, want, n * sizeof want[0]);
}

static void rows_to_src(void)
{
    struct rng r = rng_of(SEED, 3);
    uint8_t in[4 * NUM_ROW * 64 + 1], e[256];
    every_number(&r);
    set->src_bf16((const uint8_t *)high, ALL, cell);
    compare_src((struct from_l1){.in = NUM_BF16, .out = NUM_BF16},
                (const uint8_t *)high,
                NULL,
                ALL * NUM_ROW);
    for (unsigned round = 0; round < 1000; round++) {
        for (unsigned i = 0; i < sizeof in; i++)
            in[i] = (uint8_t)rng_below(&r, 256);
        set->src_word(in + 1, 64, cell); /* at any address */
        compare_src((struct from_l1){.in = NUM_FP32, .out = NUM_TF32}, in + 1, NULL, 1024);
    }
    for (unsigned i = 0; i < 256; i++)
        in[1 + i] = (uint8_t)i;
    for (unsigned exponent = 0; exponent < 256; exponent++) {
        memset(e, (int)exponent, sizeof e);
        set->src_bfp8(in + 1, e, 16, cell);
        compare_src((struct from_l1){.in = NUM_BFP8, .out = NUM_BFP8}, in + 1, e, 256);
    }
}

/* Every cell, with and without zeros that have a fraction: 19 bits {S, M10, E8} to {S, M7, E8}. */
static void rows_to_dst(void)
{
    uint32_t in[4 * NUM_ROW];
    uint16_t out[4 * NUM_ROW];
    for (unsigned flush = 0; flush < 2; flush++)
        for (uint32_t from = 0; from < UINT32_C(1) << 19; from += 4 * NUM_ROW) {
            for (uint32_t i = 0; i < 4 * NUM_ROW; i++)
                in[i] = layout_src_from_bits(from + i);
            set->dst_bf16(in, flush, 4, out);
            for (uint32_t i = 0; i < 4 * NUM_ROW; i++) {
                uint32_t bits = from + i, sign = bits >> 18, e = bits & 0xff;
                uint32_t fraction = bits >> 11 & 0x7f;
                uint32_t x = flush && !e ? 0 : sign << 15 | fraction << 8 | e;
                assert_int_equal(out[i], x);
                assert_int_equal(layout_src_to_bits(in[i]), bits);
            }
        }
}

static void rows_of(const struct num_rows *which)
{
    set = which;
    rows_to_l1();
    rows_to_blocks();
    rows_to_src();
    rows_to_dst();
}

static void plain_rows_are_those_of_the_stages(void **state)
{
    (void)state;
    rows_of(&num_rows_plain);
}

static void avx2_rows_are_those_of_the_stages(void **state)
{
    (void)state;
    if (!rows_avx2_usable())
        skip();
    rows_of(&num_rows_avx2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_rows_are_those_of_the_stages),
        cmocka_unit_test(avx2_rows_are_those_of_the_stages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
