/*
 * The packer's arithmetic against an independent formulation: values as doubles and rounding by distance,
 * where src/num works on bits. Sources: the pages Packers/FormatConversion, ReLU, ExponentThresholding and
 * FloatBitPatterns; for accumulation the behaviour of the vendor's simulator.
 */
#include "test.h"

#include <math.h>
#include <string.h>

#include "model/rng.h"
#include "num/layout.h"
#include "num/prng.h"
#include "num/to_l1.h"

#define SEED UINT64_C(20250311)

/* ---- helpers: formats as numbers ---- */

/* Value of {S, exponent, fraction}; every exponent but 0 is ordinary, as FloatBitPatterns says of FP16. */
static double value_of(uint32_t x, int exponent_bits, int fraction_bits, int bias)
{
    uint32_t m = x & ((1u << fraction_bits) - 1),
             e = x >> fraction_bits & ((1u << exponent_bits) - 1);
    double v = e ? ldexp(1.0 + ldexp(m, -fraction_bits), (int)e - bias) : 0;
    return x >> (exponent_bits + fraction_bits) & 1 ? -v : v;
}

static double bf16(uint32_t x)
{
    return value_of(x, 8, 7, 127);
}

static double fp16(uint32_t x)
{
    return value_of(x, 5, 10, 15);
}

static struct num_to_l1 way(struct num_to_l1_config c)
{
    struct num_to_l1 p;
    assert_true(num_to_l1_choose(&p, &c));
    return p;
}

/* One 16-bit pattern, in the order of L1, through everything up to the late conversion. */
static uint32_t through(const struct num_to_l1 *p, uint32_t x)
{
    uint16_t row[NUM_ROW] = {0};
    uint32_t v[NUM_ROW], rng = 0;
    row[5] = p->read == NUM_READ_BF16   ? layout_bf16_to_dst(x)
             : p->read == NUM_READ_FP16 ? layout_fp16_to_dst(x)
                                        : (uint16_t)x;
    num_to_l1_read(p, row, NULL, v);
    num_to_l1_early(p, v, &rng);
    num_to_l1_relu(p, v);
    num_to_l1_threshold(p, v);
    num_to_l1_late(p, v);
    assert_int_equal(v[0], 0); /* zero stays zero */
    return v[5];
}

static uint32_t through_word(const struct num_to_l1 *p, uint32_t x)
{
    uint16_t high[NUM_ROW] = {0}, low[NUM_ROW] = {0};
    uint32_t v[NUM_ROW], rng = 0;
    high[3] = layout_high_to_dst(x);
    low[3] = (uint16_t)x;
    num_to_l1_read(p, high, low, v);
    num_to_l1_early(p, v, &rng);
    num_to_l1_relu(p, v);
    num_to_l1_threshold(p, v);
    num_to_l1_late(p, v);
    return v[3];
}

/* ---- conversions from 16 bits, all patterns ---- */

static void bf16_keeps_normal_numbers_and_drops_denormals_and_nan(void **state)
{
    (void)state;
    struct num_to_l1 p =
        way((struct num_to_l1_config){.intermediate = NUM_BF16, .in = NUM_BF16, .out = NUM_BF16});
    for (uint32_t x = 0; x < 0x10000; x++) {
        uint32_t got = through(&p, x), e = x >> 7 & 0xff;
        if (e == 0)
            assert_int_equal(got, 0);
        else
            assert_int_equal(got, e == 0xff ? (x & 0xff80) : x);
    }
}

static void raw_reads_keep_every_bit(void **state)
{
    (void)state;
    struct num_to_l1 b = way((struct num_to_l1_config){
        .intermediate = NUM_BF16, .in = NUM_BF16, .out = NUM_BF16, .raw = true});
    struct num_to_l1 h = way((struct num_to_l1_config){
        .intermediate = NUM_FP16, .in = NUM_FP16, .out = NUM_FP16, .raw = true});
    struct num_to_l1 i = way(
        (struct num_to_l1_config){.intermediate = NUM_INT16, .in = NUM_INT16, .out = NUM_INT16});
    for (uint32_t x = 0; x < 0x10000; x++) {
        assert_int_equal(through(&b, x), x);
        assert_int_equal(through(&h, x), x);
        assert_int_equal(through(&i, x), x);
    }
}

static void e8m6_is_bf16_rounded_half_away_to_six_bits(void **state)
{
    (void)state;
    struct num_to_l1 p =
        way((struct num_to_l1_config){.intermediate = NUM_BFP8, .in = NUM_BFP8, .out = NUM_BF16});
    for (uint32_t x = 0; x < 0x7f80; x++) {
        double v = bf16(x), unit = x < 0x80 ? 1 : ldexp(1, (int)(x >> 7) - 127 - 6);
        double want = floor(v / unit + 0.5) * unit;
        assert_true(bf16(through(&p, x)) == want);
        assert_true(bf16(through(&p, x | 0x8000)) == -want);
    }
}

static void fp16_widens_and_cuts(void **state)
{
    (void)state;
    struct num_to_l1_config c = {.intermediate = NUM_FP16, .in = NUM_FP16};
    c.out = NUM_FP32;
    struct num_to_l1 word = way(c);
    c.out = NUM_TF32;
    struct num_to_l1 tf32 = way(c);
    c.out = NUM_BF16;
    struct num_to_l1 b = way(c);
    c.out = NUM_FP8;
    struct num_to_l1 f8 = way(c);
    for (uint32_t x = 0; x < 0x10000; x++) {
        double v = x >> 10 & 31 ? fp16(x) : 0;
        assert_true(value_of(through(&word, x), 8, 23, 127) == v);
        assert_int_equal(through(&tf32, x), through(&word, x));
        double unit = ldexp(1, (int)(x >> 10 & 31) - 15 - 7), cut = trunc(v / unit) * unit;
        assert_true(bf16(through(&b, x)) == cut);
        unit = ldexp(1, (int)(x >> 10 & 31) - 15 - 2);
        assert_true(value_of(through(&f8, x), 5, 2, 15) == trunc(v / unit) * unit);
    }
}

static void e4m3_saturates_and_flushes(void **state)
{
    (void)state;
    struct num_to_l1 p = way((struct num_to_l1_config){
        .intermediate = NUM_FP16, .in = NUM_FP16, .out = NUM_FP8, .e4m3 = true});
    for (uint32_t x = 0; x < 0x8000; x++) {
        double v = fp16(x), got = value_of(through(&p, x), 4, 3, 7);
        if (v >= 512)
            assert_int_equal(through(&p, x), 0x7f);
        else if (v < ldexp(1, -6))
            assert_int_equal(through(&p, x), 0);
        else
            assert_true(got <= v && v < got * (1 + 1.0 / 8));
        assert_int_equal(through(&p, x) | (x >= 0x400 ? 0x80 : 0), through(&p, x | 0x8000) | 0);
    }
}

static void e5m6_e5m7_and_e5m2_narrow_the_fraction(void **state)
{
    (void)state;
    struct num_to_l1_config c = {.intermediate = NUM_BFP8A, .in = NUM_BFP8A, .out = NUM_FP16};
    struct num_to_l1 m6 = way(c);
    c.raw = true;
    struct num_to_l1 m7 = way(c);
    c.intermediate = NUM_FP8;
    struct num_to_l1 m2 = way(c);
    for (uint32_t x = 0x400; x < 0x7c00; x++) {
        double v = fp16(x), unit = ldexp(1, (int)(x >> 10) - 15);
        assert_true(fp16(through(&m6, x)) == floor(v / unit * 64 + 0.5) * unit / 64);
        assert_true(fp16(through(&m7, x)) == floor(v / unit * 128) * unit / 128);
        assert_true(fp16(through(&m2, x)) == floor(v / unit * 4) * unit / 4);
    }
    assert_int_equal(through(&m6, 0x3ff), 0x400); /* rounded up out of the denormals */
    assert_int_equal(through(&m6, 0x7fff), 0x7ff0);
}

static void bf16_to_fp16_saturates(void **state)
{
    (void)state;
    struct num_to_l1 p =
        way((struct num_to_l1_config){.intermediate = NUM_BF16, .in = NUM_BF16, .out = NUM_FP16});
    for (uint32_t x = 0; x < 0x8000; x++) {
        double v = bf16(x);
        uint32_t got = through(&p, x);
        if (v >= ldexp(1, 17))
            assert_int_equal(got, 0x7fff);
        else if (v >= ldexp(1, -14))
            assert_true(fp16(got) == v);
        else if (v < ldexp(1, -15))
            assert_int_equal(got, 0);
    }
}

/* ---- conversions from 32 bits ---- */

/* Patterns from everywhere, often at the edges of exponents and fractions. */
static uint32_t word_at(struct rng *r)
{
    static const uint32_t fractions[] = {0, 1, 0xfff, 0x1000, 0x7fff, 0x8000, 0x8001, 0x7fffff};
    uint32_t x = (uint32_t)rng_next(r);
    if (rng_below(r, 3) == 0)
        x = (x & 0xff800000) | fractions[rng_below(r, 8)];
    if (rng_below(r, 4) == 0)
        x = (x & 0x807fffff) | (108 + rng_below(r, 40)) << 23;
    return x;
}

static double float_of(uint32_t x)
{
    return value_of(x, 8, 23, 127);
}

static void words_round_half_away(void **state)
{
    (void)state;
    struct rng r = rng_of(SEED, 1);
    struct num_to_l1_config c = {
        .read32 = true, .intermediate = NUM_BF16, .in = NUM_BF16, .out = NUM_BF16};
    struct num_to_l1 b = way(c);
    c.intermediate = c.in = NUM_TF32;
    c.out = NUM_FP32;
    struct num_to_l1 tf32 = way(c);
    for (unsigned i = 0; i < 300000; i++) {
        uint32_t x = word_at(&r), e = x >> 23 & 0xff;
        if (e == 0xff) {
            assert_int_equal(through_word(&b, x), x >> 16 & 0xff80);
            continue;
        }
        double v = fabs(float_of(x)), unit = ldexp(1, (int)e - 127), s = x >> 31 ? -1 : 1;
        if (!e)
            continue; /* denormals: below */
        assert_true(bf16(through_word(&b, x)) == s * floor(v / unit * 128 + 0.5) * unit / 128);
        assert_true(float_of(through_word(&tf32, x)) ==
                    s * floor(v / unit * 1024 + 0.5) * unit / 1024);
    }
    assert_int_equal(through_word(&b, 0x807f7fff), 0); /* denormals are plus zero */
    assert_int_equal(through_word(&b, 0x007fffff), 0x80);
}

static void words_are_cut_by_raw_reads_and_late_conversions(void **state)
{
    (void)state;
    struct rng r = rng_of(SEED, 2);
    struct num_to_l1_config c = {.read32 = true, .out = NUM_BF16};
    struct num_to_l1 late = way(c);
    c.intermediate = c.in = NUM_BF16;
    c.raw = true;
    struct num_to_l1 raw = way(c);
    c = (struct num_to_l1_config){.read32 = true, .out = NUM_FP16};
    struct num_to_l1 half = way(c);
    for (unsigned i = 0; i < 100000; i++) {
        uint32_t x = word_at(&r), e = x >> 23 & 0xff;
        assert_int_equal(through_word(&raw, x), x >> 16);
        assert_int_equal(through_word(&late, x), e ? x >> 16 : 0);
        uint32_t s = x >> 16 & 0x8000, got = through_word(&half, x);
        if (e > 143)
            assert_int_equal(got, s | 0x7fff);
        else if (e < 112)
            assert_int_equal(got, s);
        else
            assert_int_equal(got, s | (e - 112) << 10 | (x >> 13 & 0x3ff));
    }
}

static void words_become_fp16_by_way_of_tf32(void **state)
{
    (void)state;
    struct num_to_l1 p = way((struct num_to_l1_config){.read32 = true,
                                                       .round10 = true,
                                                       .intermediate = NUM_FP16,
                                                       .in = NUM_FP16,
                                                       .out = NUM_FP16});
    assert_int_equal(through_word(&p, 0x3f800fff), 0x3c00);
    assert_int_equal(through_word(&p, 0x3f801000), 0x3c01); /* half away */
    assert_int_equal(through_word(&p, 0xbf801000), 0xbc01);
    assert_int_equal(through_word(&p, 0x477fffff), 0x7c00); /* 65536 is an ordinary number */
    assert_int_equal(through_word(&p, 0x48000000), 0x7fff);
    assert_int_equal(through_word(&p, 0x7fc00000), 0x7fff);
    assert_int_equal(through_word(&p, 0xb7000000), 0x8000);
}

static void int8_is_shifted_rounded_and_saturated(void **state)
{
    (void)state;
    struct rng r = rng_of(SEED, 3);
    for (unsigned i = 0; i < 100000; i++) {
        uint32_t x = (uint32_t)rng_next(&r) >> rng_below(&r, 31), sign = (uint32_t)rng_next(&r) & 1;
        struct num_to_l1_config c = {.read32 = true,
                                     .intermediate = NUM_INT8,
                                     .in = NUM_INT8,
                                     .out = NUM_INT8,
                                     .shift = (uint8_t)rng_below(&r, 32)};
        struct num_to_l1 p = way(c);
        x = (x & 0x7fffffff) | sign << 31;
        double m = floor(ldexp(x & 0x7fffffff, -c.shift) + 0.5);
        assert_int_equal(through_word(&p, x), sign << 7 | (uint32_t)fmin(m, 127));
        c.unsigned8 = true;
        p = way(c);
        assert_int_equal(through_word(&p, x), sign ? 0 : (uint32_t)fmin(m, 255));
        c.raw = true;
        p = way(c);
        assert_int_equal(through_word(&p, x), x & 0xff);
        c.unsigned8 = false;
        p = way(c);
        assert_int_equal(through_word(&p, x), sign << 7 | (x & 0x7f));
    }
}

/* ---- ReLU, exponent threshold ---- */

static void relu_by_value(void **state)
{
    (void)state;
    struct num_to_l1_config c = {.intermediate = NUM_BF16, .in = NUM_BF16, .out = NUM_BF16};
    c.relu_threshold = 0x4060; /* 3.5 */
    for (c.relu = 1; c.relu <= 3; c.relu++) {
        struct num_to_l1 p = way(c);
        for (uint32_t x = 0; x < 0x10000; x++) {
            if ((x & 0x7f80) == 0x7f80)
                continue;
            double v = bf16(x), want = v < 0 ? 0 : v;
            if (c.relu == NUM_RELU_MIN)
                want = v <= 3.5 ? 0 : v;
            if (c.relu == NUM_RELU_MAX && v > 3.5)
                want = 3.5;
            assert_true(bf16(through(&p, x)) == want);
            assert_false(through(&p, x) & 0x8000);
        }
    }
}

static void relu_of_words_compares_nineteen_bits(void **state)
{
    (void)state;
    struct num_to_l1_config c = {.read32 = true, .out = NUM_FP32, .relu_threshold = 0x3f80};
    c.relu = NUM_RELU_MAX;
    struct num_to_l1 p = way(c);
    assert_int_equal(through_word(&p, 0x3f801fff), 0x3f801fff);
    assert_int_equal(through_word(&p, 0x3f802000), 0x3f800000);
    c.relu = NUM_RELU_MIN;
    p = way(c);
    assert_int_equal(through_word(&p, 0x3f800000), 0);
    assert_int_equal(through_word(&p, 0x3f800001), 0x3f800001);
    c = (struct num_to_l1_config){
        .read32 = true, .intermediate = NUM_INT32, .in = NUM_INT32, .out = NUM_INT32, .relu = 1};
    p = way(c);
    assert_int_equal(through_word(&p, 0x80000001), 0);
    assert_int_equal(through_word(&p, 12345), 12345);
}

/* FormatConversion, denormals: flushed where the fraction becomes narrower, else preserved. */
static void a_denormal_threshold_of_relu_stays_unless_the_fraction_narrows(void **state)
{
    (void)state;
    static const struct {
        uint8_t in;
        bool raw, stays;
    } cases[] = {{NUM_BFP8A, false, true}, /* E5M6 */
                 {NUM_BFP8A, true, true},  /* E5M7 */
                 {NUM_FP8, true, true},
                 {NUM_FP16, true, false},
                 {NUM_FP16, false, false}};
    static const uint8_t blocks[] = {NUM_BFP8A, NUM_BFP4A, NUM_BFP2A};
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++)
        for (unsigned k = 0; k < sizeof blocks; k++) {
            struct num_to_l1 p = way((struct num_to_l1_config){.intermediate = cases[i].in,
                                                               .in = cases[i].in,
                                                               .out = blocks[k],
                                                               .raw = cases[i].raw,
                                                               .relu = NUM_RELU_MAX,
                                                               .relu_threshold = 0x1f8});
            assert_int_equal(through(&p, 0x3c00), cases[i].stays ? 0x1f8 : 0);
        }
}

static void exponent_threshold_makes_small_numbers_zero(void **state)
{
    (void)state;
    struct num_to_l1 p = way((struct num_to_l1_config){.intermediate = NUM_FP16,
                                                       .in = NUM_FP16,
                                                       .out = NUM_FP16,
                                                       .exponent_on = true,
                                                       .exponent = 10});
    for (uint32_t x = 0; x < 0x10000; x++)
        assert_int_equal(through(&p, x), (x >> 10 & 31) < 10 ? 0 : x);
}

/* ---- blocks ---- */

/* The same by distance: magnitudes of 7 bits below the shared exponent, rounded half away. */
static void blocks_round_to_the_shared_exponent(void **state)
{
    (void)state;
    static const uint8_t formats[] = {
        NUM_BFP8, NUM_BFP4, NUM_BFP2, NUM_BFP8A, NUM_BFP4A, NUM_BFP2A};
    struct rng r = rng_of(SEED, 4);
    for (unsigned i = 0; i < 60000; i++) {
        unsigned out = formats[i % 6], n = i % 5 ? NUM_ROW : 1 + rng_below(&r, 16), top = 0;
        bool small = num_formats[out].exponent == 5;
        unsigned bits = num_formats[out].bits, at = small ? 10 : 7, mask = small ? 31 : 255;
        uint32_t v[NUM_ROW], x[NUM_ROW], base = rng_below(&r, 240);
        for (unsigned k = 0; k < NUM_ROW; k++) {
            v[k] = (uint32_t)rng_next(&r) & 0xffff;
            if (!small && rng_below(&r, 4))
                v[k] = (v[k] & 0x807f) | (base + rng_below(&r, 12)) << 7;
            if (small)
                v[k] &= 0xfff8;
            x[k] = v[k];
            if (k < n && (v[k] >> at & mask) > top)
                top = v[k] >> at & mask;
        }
        assert_int_equal(num_to_l1_block(out, v, n, 0, NULL), top);
        for (unsigned k = 0; k < n; k++) {
            unsigned e = x[k] >> at & mask;
            double m = ldexp((x[k] >> (at - 7) & 127) + (e ? 128 : 0), -(int)(top - e) - 1);
            uint32_t want = top - e >= 8 ? 0 : (uint32_t)fmin(floor(m + 0.5), 127) >> (8 - bits);
            if (want)
                want |= (x[k] >> 15) << (bits - 1);
            assert_int_equal(v[k], want);
        }
    }
}

static void masked_minus_infinity_does_not_spoil_a_block(void **state)
{
    (void)state;
    uint32_t v[NUM_ROW] = {0x3f80, 0xff80};
    assert_int_equal(num_to_l1_block(NUM_BFP8, v, NUM_ROW, 2, NULL), 127);
    assert_int_equal(v[0], 0x40);
    assert_int_equal(v[1], 0x80);
}

static void small_datums_fill_bytes_from_below(void **state)
{
    (void)state;
    uint32_t v[NUM_ROW];
    uint8_t to[16] = {0};
    for (unsigned i = 0; i < NUM_ROW; i++)
        v[i] = i & 3;
    assert_int_equal(num_to_l1_store(NUM_BFP2, v, NUM_ROW, to, 0), 32);
    assert_int_equal(to[0], 0xe4);
    assert_int_equal(to[3], 0xe4);
    memset(to, 0, sizeof to);
    assert_int_equal(num_to_l1_store(NUM_BFP4, v, 3, to, 4), 12); /* in the middle of a byte */
    assert_int_equal(to[0], 0x00);
    assert_int_equal(to[1], 0x21);
}

/* ---- accumulation ---- */

static void fp32_sums_are_rounded_to_nearest_even(void **state)
{
    (void)state;
    struct rng r = rng_of(SEED, 6);
    for (unsigned i = 0; i < 300000; i++) {
        uint32_t a = word_at(&r), b = word_at(&r), got = num_to_l1_add_fp32(a, b);
        if ((a >> 23 & 0xff) == 0xff || (b >> 23 & 0xff) == 0xff)
            continue;
        double sum = float_of(a) + float_of(b); /* exact, or much finer than FP32 */
        if (fabs(sum) < ldexp(1, -126)) {
            assert_int_equal(got & 0x7fffffff, 0);
        } else {
            float near = (float)sum; /* a second rounding could only matter at a tie */
            uint32_t want;
            memcpy(&want, &near, sizeof want);
            uint32_t diff = got > want ? got - want : want - got;
            assert_true(diff <= 1);
            double back = isinf(near) ? sum : float_of(got);
            assert_true(fabs(back - sum) <= ldexp(fabs(sum), -24) * 1.000001);
        }
    }
    assert_int_equal(num_to_l1_add_fp32(0x7f800000, 0xff800000), 0x7fc00000);
    assert_int_equal(num_to_l1_add_fp32(0xffc12345, 0x3f800000), 0x7fc00000);
    assert_int_equal(num_to_l1_add_fp32(0x80000000, 0x80000001), 0x80000000);
}

static void bf16_sums(void **state)
{
    (void)state;
    struct rng r = rng_of(SEED, 7);
    for (unsigned i = 0; i < 300000; i++) {
        uint16_t a = (uint16_t)(word_at(&r) >> 16), b = (uint16_t)(word_at(&r) >> 16);
        uint16_t c[NUM_ROW] = {a}, d[NUM_ROW] = {b};
        uint16_t got = num_to_l1_add_bf16(a, b);
        num_to_l1_add(NUM_BF16, (uint8_t *)c, (uint8_t *)d, sizeof c);
        assert_int_equal(c[0], got); /* the whole row does the same */
        if ((a & 0x7f80) == 0x7f80 || (b & 0x7f80) == 0x7f80)
            continue;
        double sum = bf16(a) + bf16(b);
        int e;
        frexp(sum, &e);
        if (sum == 0 || e - 1 <= -127)
            assert_int_equal(got & 0x7fff, 0);
        else if (e - 1 >= 128)
            assert_int_equal(got & 0x7fff, 0x7f80);
        else
            assert_true(bf16(got) == nearbyint(ldexp(sum, 8 - e)) * ldexp(1, e - 8));
    }
    assert_int_equal(num_to_l1_add_bf16(0x7f80, 0xff80), 0x7fc0);
    assert_int_equal(num_to_l1_add_bf16(0x7fc1, 0xff80), 0xff80);
    assert_int_equal(num_to_l1_add_bf16(0x7fc1, 0xff00), 0x7f80);
    assert_int_equal(num_to_l1_add_bf16(0xff00, 0x7f81),
                     0x7f02); /* NaN as the number 1.0078125 * 2^128 */
}

static void fp16_sums(void **state)
{
    (void)state;
    assert_int_equal(num_to_l1_add_fp16(0x3c00, 0x3c00), 0x4000);
    assert_int_equal(num_to_l1_add_fp16(0x7c00, 0x7c00), 0x7fff); /* saturates */
    assert_int_equal(num_to_l1_add_fp16(0x7800, 0xf800), 0x7fff); /* cancels out above 2^14 */
    assert_int_equal(num_to_l1_add_fp16(0x3c00, 0xbc00), 0);
    assert_int_equal(num_to_l1_add_fp16(0x0401, 0x8400), 0x7fff); /* underflow */
    assert_int_equal(num_to_l1_add_fp16(0x8000, 0x8001), 0x8000);
    assert_int_equal(num_to_l1_add_fp16(0x6800, 0x3c00), 0x6800); /* half to even */
    assert_int_equal(num_to_l1_add_fp16(0x6801, 0x3c00), 0x6802);
}

static void int32_sums_saturate(void **state)
{
    (void)state;
    assert_int_equal(num_to_l1_add_int32(5, 0x80000007), 0x80000002);
    assert_int_equal(num_to_l1_add_int32(0x7fffffff, 1), 0x7fffffff);
    assert_int_equal(num_to_l1_add_int32(0xffffffff, 0x80000001), 0xffffffff);
    assert_int_equal(num_to_l1_add_int32(0x80000003, 3), 0);
}

/* ---- random bits ---- */

static void the_generator_is_a_shift_register_with_four_taps(void **state)
{
    (void)state;
    uint32_t s = 1, lane[PRNG_LANES];
    for (unsigned i = 0; i < 1000; i++) {
        uint32_t old = s;
        uint32_t feedback = 1 ^ (s >> 31 & 1) ^ (s >> 21 & 1) ^ (s >> 1 & 1) ^ (s & 1);
        assert_int_equal(prng_next(&s), old);
        assert_int_equal(s, old >> 1 | feedback << 31);
    }
    prng_seed(77, lane);
    for (unsigned i = 1; i < PRNG_LANES; i++) /* each lane is two steps behind the one before */
        assert_int_equal(lane[i - 1], prng_step(prng_step(lane[i])));
}

static void stochastic_rounding_lands_on_a_neighbour(void **state)
{
    (void)state;
    struct num_to_l1 p = way((struct num_to_l1_config){.read32 = true,
                                                       .intermediate = NUM_BF16,
                                                       .in = NUM_BF16,
                                                       .out = NUM_BF16,
                                                       .round_early = true});
    uint32_t rng = 12345, up = 0;
    for (unsigned i = 0; i < 1000; i++) {
        uint32_t v[NUM_ROW];
        for (unsigned k = 0; k < NUM_ROW; k++)
            v[k] = 0x3f804000; /* a quarter of the way */
        num_to_l1_early(&p, v, &rng);
        for (unsigned k = 0; k < NUM_ROW; k++) {
            assert_true(v[k] == 0x3f80 || v[k] == 0x3f81);
            up += v[k] == 0x3f81;
        }
    }
    assert_true(up > 3500 && up < 4500); /* of 16000 */
}

TEST_MAIN(cmocka_unit_test(bf16_keeps_normal_numbers_and_drops_denormals_and_nan),
          cmocka_unit_test(raw_reads_keep_every_bit),
          cmocka_unit_test(e8m6_is_bf16_rounded_half_away_to_six_bits),
          cmocka_unit_test(fp16_widens_and_cuts), cmocka_unit_test(e4m3_saturates_and_flushes),
          cmocka_unit_test(e5m6_e5m7_and_e5m2_narrow_the_fraction),
          cmocka_unit_test(bf16_to_fp16_saturates), cmocka_unit_test(words_round_half_away),
          cmocka_unit_test(words_are_cut_by_raw_reads_and_late_conversions),
          cmocka_unit_test(words_become_fp16_by_way_of_tf32),
          cmocka_unit_test(int8_is_shifted_rounded_and_saturated), cmocka_unit_test(relu_by_value),
          cmocka_unit_test(relu_of_words_compares_nineteen_bits),
          cmocka_unit_test(a_denormal_threshold_of_relu_stays_unless_the_fraction_narrows),
          cmocka_unit_test(exponent_threshold_makes_small_numbers_zero),
          cmocka_unit_test(blocks_round_to_the_shared_exponent),
          cmocka_unit_test(masked_minus_infinity_does_not_spoil_a_block),
          cmocka_unit_test(small_datums_fill_bytes_from_below),
          cmocka_unit_test(fp32_sums_are_rounded_to_nearest_even), cmocka_unit_test(bf16_sums),
          cmocka_unit_test(fp16_sums), cmocka_unit_test(int32_sums_saturate),
          cmocka_unit_test(the_generator_is_a_shift_register_with_four_taps),
          cmocka_unit_test(stochastic_rounding_lands_on_a_neighbour))
