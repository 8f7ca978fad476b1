/*
 * Arithmetic that is rounded once, against MPFR: what the packer adds in L1 (round to nearest even) and its
 * conversions that round (to nearest, halves away from zero). Here every number is exact until the one rounding;
 * what is left of the rules (no denormals, what a NaN becomes, FP16 without infinities) is written out below.
 *
 * WAITGATE_SEED repeats a run.
 */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mpfr.h>

#include "model/rng.h"
#include "num/layout.h"
#include "num/to_l1.h"

#define PAIRS (WG_SLOW_BUILD ? 220000u : 400000u) /* of each format */
#define EXACT 700 /* bits: more than the distance from the largest to the smallest number */

static uint64_t seed = UINT64_C(20251117);

/* A binary format; biased exponents from 1 to most are ordinary numbers. */
struct shape {
    unsigned exponent, fraction;
    int bias, most;
};

static const struct shape FP32 = {8, 23, 127, 254};
static const struct shape TF32 = {8, 10, 127, 254};
static const struct shape BF16 = {8, 7, 127, 254};
static const struct shape E8M6 = {8, 6, 127, 254};
static const struct shape FP16 = {5, 10, 15, 31};

static unsigned shape_exponent(const struct shape *f, uint32_t x)
{
    return x >> f->fraction & ((1u << f->exponent) - 1);
}

static uint32_t shape_fraction(const struct shape *f, uint32_t x)
{
    return x & ((UINT32_C(1) << f->fraction) - 1);
}

static bool shape_sign(const struct shape *f, uint32_t x)
{
    return x >> (f->exponent + f->fraction) & 1;
}

static uint32_t shape_make(const struct shape *f, bool sign, int exponent, uint32_t fraction)
{
    return (uint32_t)sign << (f->exponent + f->fraction) | (uint32_t)exponent << f->fraction |
           fraction;
}

/* Its exact value, as if the exponent were e. Exponent 0: zero with its sign. */
static void shape_value_at(mpfr_t to, const struct shape *f, uint32_t x, int e)
{
    if (!e) {
        mpfr_set_zero(to, shape_sign(f, x) ? -1 : 1);
        return;
    }
    uint32_t m = shape_fraction(f, x) | UINT32_C(1) << f->fraction;
    mpfr_set_ui_2exp(to, m, e - f->bias - (int)f->fraction, MPFR_RNDN);
    mpfr_setsign(to, to, shape_sign(f, x), MPFR_RNDN);
}

static void shape_value(mpfr_t to, const struct shape *f, uint32_t x)
{
    shape_value_at(to, f, x, (int)shape_exponent(f, x));
}

/* The biased exponent of a number that is not zero. */
static int shape_exponent_of(const struct shape *f, mpfr_t v)
{
    return (int)mpfr_get_exp(v) - 1 + f->bias;
}

/* Bits of v, which has no more than the format has and an exponent that fits. */
static uint32_t shape_bits(const struct shape *f, mpfr_t v)
{
    mpfr_t m;
    mpfr_init2(m, 64);
    mpfr_abs(m, v, MPFR_RNDN);
    mpfr_mul_2si(m, m, (long)f->fraction + 1 - (long)mpfr_get_exp(v), MPFR_RNDN);
    uint32_t fraction = (uint32_t)mpfr_get_ui(m, MPFR_RNDN) - (UINT32_C(1) << f->fraction);
    mpfr_clear(m);
    return shape_make(f, mpfr_signbit(v), shape_exponent_of(f, v), fraction);
}

/* ---- operands ---- */

/* Weighted towards the ends of the range, few bits, long carries. */
static uint32_t operand(struct rng *g, const struct shape *f)
{
    uint32_t all = (UINT32_C(1) << f->fraction) - 1, m = rng_next(g) & all;
    int top = (1 << f->exponent) - 1, e = (int)rng_below(g, (uint32_t)top + 1);
    switch (rng_below(g, 8)) {
    case 0: e = (int)rng_below(g, 3); break;
    case 1: e = top - (int)rng_below(g, 3); break;
    case 2: m = 0; break;
    case 3: m = all; break;
    case 4: m = UINT32_C(1) << rng_below(g, f->fraction); break;
    case 5: m = all & ~(UINT32_C(1) << rng_below(g, f->fraction)); break;
    default: break;
    }
    return shape_make(f, rng_percent(g, 50), e, m);
}

/* One that is near: its exponent is at most two significands away, so that rounding has something to do. */
static uint32_t partner(struct rng *g, const struct shape *f, uint32_t x)
{
    uint32_t y = operand(g, f);
    int top = (1 << f->exponent) - 1, reach = (int)f->fraction + 3;
    if (rng_percent(g, 25))
        return y;
    if (rng_percent(g, 10)) /* cancels, or nearly */
        return (x ^ shape_make(f, true, 0, 0)) + rng_below(g, 3) * rng_below(g, 2);
    int e = (int)shape_exponent(f, x) + (int)rng_below(g, 2 * (uint32_t)reach + 1) - reach;
    e = e < 0 ? 0 : (e > top ? top : e);
    return shape_make(f, shape_sign(f, y), e, shape_fraction(f, y));
}

static uint32_t width_mask(const struct shape *f)
{
    return f->fraction == 23 ? UINT32_MAX : 0xffff;
}

/* ---- what must come out ---- */

static bool is_nan(const struct shape *f, uint32_t x)
{
    return shape_exponent(f, x) == 255 && shape_fraction(f, x);
}

static bool is_infinite(const struct shape *f, uint32_t x)
{
    return shape_exponent(f, x) == 255 && !shape_fraction(f, x);
}

/* Rounds v to nearest even; numbers beyond the last one become infinite. */
static uint32_t rounded(const struct shape *f, mpfr_t v)
{
    mpfr_t r;
    mpfr_init2(r, (mpfr_prec_t)f->fraction + 1);
    mpfr_set(r, v, MPFR_RNDN);
    uint32_t x = shape_exponent_of(f, r) > f->most ? shape_make(f, mpfr_signbit(r), f->most + 1, 0)
                                                   : shape_bits(f, r);
    mpfr_clear(r);
    return x;
}

static uint32_t sum_fp32(mpfr_t sum, uint32_t a, uint32_t b)
{
    const struct shape *f = &FP32;
    bool infinite_a = is_infinite(f, a), infinite_b = is_infinite(f, b);
    if (is_nan(f, a) || is_nan(f, b) || (infinite_a && infinite_b && a != b))
        return 0x7fc00000;
    if (infinite_a || infinite_b)
        return infinite_a ? a : b;
    if (mpfr_zero_p(sum) || shape_exponent_of(f, sum) < 1)
        return shape_make(f, mpfr_signbit(sum), 0, 0);
    return rounded(f, sum);
}

/* A NaN is a number: in L1 larger than all others, as a datum that of its bits. */
static uint32_t sum_bf16(mpfr_t sum, uint32_t a, uint32_t b)
{
    const struct shape *f = &BF16;
    if (is_infinite(f, a) && is_infinite(f, b))
        return a == b ? a : 0x7fc0;
    if (is_nan(f, a) ||
        is_infinite(f, a)) /* NaN plus an infinity of the other sign is that infinity */
        return is_infinite(f, b) ? b : (a & 0x8000) | 0x7f80;
    if (is_infinite(f, b))
        return b;
    if (mpfr_zero_p(sum) || shape_exponent_of(f, sum) < 1)
        return shape_make(f, mpfr_signbit(sum), 0, 0);
    if (shape_exponent_of(f, sum) > f->most)
        return shape_make(f, mpfr_signbit(sum), 255, 0);
    return rounded(f, sum);
}

/* Exponent 31 is ordinary. What is too large is the largest; what is too small, too. */
static uint32_t sum_fp16(mpfr_t sum, uint32_t a, uint32_t b)
{
    const struct shape *f = &FP16;
    bool sign = mpfr_signbit(sum);
    (void)b;
    if (mpfr_zero_p(sum))
        return shape_make(f, sign, 0, 0) | (shape_exponent(f, a) >= 30 ? 0x7fff : 0);
    int e = shape_exponent_of(f, sum);
    if (e < 1)
        return shape_make(f, sign, 0, 0) | (e < 0 ? 0x7fff : 0);
    mpfr_t r;
    mpfr_init2(r, 11);
    mpfr_set(r, sum, MPFR_RNDN);
    uint32_t x =
        shape_exponent_of(f, r) > f->most ? (uint32_t)sign << 15 | 0x7fff : shape_bits(f, r);
    mpfr_clear(r);
    return x;
}

/* ---- sums ---- */

typedef uint32_t sum_model(mpfr_t sum, uint32_t a, uint32_t b);

static uint32_t sum_one(unsigned format, uint32_t a, uint32_t b)
{
    switch (format) {
    case NUM_FP32: return num_to_l1_add_fp32(a, b);
    case NUM_BF16: return num_to_l1_add_bf16((uint16_t)a, (uint16_t)b);
    default: return num_to_l1_add_fp16((uint16_t)a, (uint16_t)b);
    }
}

/* One datum alone and in a whole row: the row has a way of its own. */
static void check_sums(unsigned format, const struct shape *f, sum_model *model, unsigned stream)
{
    struct rng g = rng_of(seed, stream);
    unsigned size = f->fraction == 23 ? 4 : 2;
    mpfr_t a, b, sum;
    mpfr_inits2(EXACT, a, b, sum, (mpfr_ptr)0);
    print_message("WAITGATE_SEED=%llu, %u pairs\n", (unsigned long long)seed, PAIRS);
    for (unsigned n = 0; n < PAIRS; n += NUM_ROW) {
        uint8_t old[4 * NUM_ROW], datum[4 * NUM_ROW];
        uint32_t want[NUM_ROW];
        for (unsigned i = 0; i < NUM_ROW; i++) {
            uint32_t x = operand(&g, f), y = partner(&g, f, x) & width_mask(f);
            shape_value(a, f, x);
            shape_value(b, f, y);
            assert_int_equal(mpfr_add(sum, a, b, MPFR_RNDN), 0); /* exact */
            want[i] = model(sum, x, y);
            uint32_t got = sum_one(format, x, y);
            if (got != want[i])
                fail_msg("%08x + %08x is %08x, not %08x", x, y, want[i], got);
            memcpy(old + size * i, &x, size);
            memcpy(datum + size * i, &y, size);
        }
        num_to_l1_add(format, old, datum, size * NUM_ROW);
        for (unsigned i = 0; i < NUM_ROW; i++) {
            uint32_t got = 0;
            memcpy(&got, old + size * i, size);
            assert_int_equal(got, want[i]);
        }
    }
    mpfr_clears(a, b, sum, (mpfr_ptr)0);
}

static void sums_of_fp32_in_l1_are_rounded_to_nearest_even(void **state)
{
    (void)state;
    check_sums(NUM_FP32, &FP32, sum_fp32, 0);
}

static void sums_of_bf16_in_l1_are_rounded_to_nearest_even(void **state)
{
    (void)state;
    check_sums(NUM_BF16, &BF16, sum_bf16, 1);
}

static void sums_of_fp16_in_l1_are_rounded_to_nearest_even(void **state)
{
    (void)state;
    check_sums(NUM_FP16, &FP16, sum_fp16, 2);
}

/* ---- conversions ---- */

/* FP32 to a shorter format, halves away from zero; the bits stand where FP32 has them. */
static uint32_t narrowed(const struct shape *to, uint32_t x)
{
    mpfr_t v, r;
    if (shape_exponent(&FP32, x) == 255)
        return x & 0xff800000; /* NaN becomes infinity */
    mpfr_init2(v, 24);
    mpfr_init2(r, (mpfr_prec_t)to->fraction + 1);
    if (shape_exponent(&FP32, x)) {
        shape_value(v, &FP32, x);
        mpfr_round_nearest_away(mpfr_set, r, v);
    } else { /* rounded like the numbers next to it: it may become the smallest of them */
        mpfr_set_ui_2exp(v, x & 0x7fffff, (int)to->fraction - 23, MPFR_RNDN);
        mpfr_round(r, v);
        mpfr_mul_2si(r, r, 1 - to->bias - (int)to->fraction, MPFR_RNDN);
        mpfr_setsign(r, r, x >> 31, MPFR_RNDN);
    }
    uint32_t bits = 0;
    if (!mpfr_zero_p(r) && shape_exponent_of(to, r) > to->most)
        bits = (x & 0x80000000) | 0x7f800000;
    else if (!mpfr_zero_p(r) && shape_exponent_of(to, r) >= 1)
        bits = shape_bits(to, r) << (23 - to->fraction);
    mpfr_clear(v);
    mpfr_clear(r);
    return bits;
}

static void check_conversion(struct num_to_l1_config c, const struct shape *to, unsigned shift,
                             unsigned stream)
{
    struct rng g = rng_of(seed, stream);
    struct num_to_l1 p;
    c.read32 = true;
    assert_true(num_to_l1_choose(&p, &c));
    print_message("WAITGATE_SEED=%llu, %u numbers\n", (unsigned long long)seed, PAIRS);
    for (unsigned n = 0; n < PAIRS; n += NUM_ROW) {
        uint32_t x[NUM_ROW], v[NUM_ROW], rng = 0;
        uint16_t high[NUM_ROW], low[NUM_ROW];
        for (unsigned i = 0; i < NUM_ROW; i++) {
            x[i] = operand(&g, &FP32);
            if (rng_percent(&g, 25)) /* at, just below or just above the middle of two results */
                x[i] = (x[i] & ~UINT32_C(0) << (23 - to->fraction)) +
                       (UINT32_C(1) << (22 - to->fraction)) + rng_below(&g, 3) - 1;
            high[i] = layout_high_to_dst(x[i]);
            low[i] = (uint16_t)x[i];
        }
        num_to_l1_read(&p, high, low, v);
        num_to_l1_early(&p, v, &rng);
        num_to_l1_relu(&p, v);
        num_to_l1_late(&p, v);
        for (unsigned i = 0; i < NUM_ROW; i++) {
            uint32_t want = narrowed(to, x[i]) >> shift;
            if (v[i] != want)
                fail_msg("%08x becomes %08x, not %08x", x[i], want, v[i]);
        }
    }
}

static void fp32_becomes_bf16_by_rounding_halves_away(void **state)
{
    (void)state;
    struct num_to_l1_config c = {.intermediate = NUM_BF16, .in = NUM_BF16, .out = NUM_BF16};
    check_conversion(c, &BF16, 16, 3);
}

static void fp32_becomes_tf32_by_rounding_halves_away(void **state)
{
    (void)state;
    struct num_to_l1_config c = {.intermediate = NUM_TF32, .in = NUM_TF32, .out = NUM_TF32};
    check_conversion(c, &TF32, 0, 4);
}

static void fp32_becomes_e8m6_by_rounding_halves_away(void **state)
{
    (void)state;
    struct num_to_l1_config c = {.intermediate = NUM_BFP8, .in = NUM_BFP8, .out = NUM_BF16};
    check_conversion(c, &E8M6, 16, 5);
}

/* ---- blocks ---- */

/* BF16 in blocks of 16: the distance to the largest exponent decides the last place. */
static void blocks_of_bfp8_round_halves_away_at_the_shared_exponent(void **state)
{
    (void)state;
    struct rng g = rng_of(seed, 6);
    mpfr_t v;
    mpfr_init2(v, EXACT);
    print_message("WAITGATE_SEED=%llu, %u numbers\n", (unsigned long long)seed, PAIRS);
    for (unsigned n = 0; n < PAIRS; n += NUM_ROW) {
        uint32_t x[NUM_ROW], got[NUM_ROW];
        unsigned shared = 0, near = rng_below(&g, 230);
        for (unsigned i = 0; i < NUM_ROW; i++) {
            x[i] = operand(&g, &BF16);
            if (rng_percent(&g, 80))
                x[i] = shape_make(&BF16, x[i] >> 15, (int)(near + rng_below(&g, 10)), x[i] & 0x7f);
            shared = shape_exponent(&BF16, x[i]) > shared ? shape_exponent(&BF16, x[i]) : shared;
        }
        memcpy(got, x, sizeof got);
        assert_int_equal(num_to_l1_block(NUM_BFP8, got, NUM_ROW, 0, NULL), shared);
        for (unsigned i = 0; i < NUM_ROW; i++) {
            shape_value(v, &BF16, x[i]); /* 255 is an exponent like any other */
            mpfr_abs(v, v, MPFR_RNDN);
            mpfr_mul_2si(v, v, 127 + 6 - (long)shared, MPFR_RNDN);
            mpfr_round(v, v); /* halves away */
            uint32_t want = (uint32_t)mpfr_get_ui(v, MPFR_RNDN);
            want = want > 127 ? 127 : want;
            if (shared - shape_exponent(&BF16, x[i]) >= 8)
                want = 0;
            assert_int_equal(got[i], want ? want | (x[i] >> 8 & 0x80) : 0);
        }
    }
    mpfr_clear(v);
}

int main(void)
{
    const char *text = getenv("WAITGATE_SEED");
    if (text)
        seed = strtoull(text, NULL, 0);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_of_fp32_in_l1_are_rounded_to_nearest_even),
        cmocka_unit_test(sums_of_bf16_in_l1_are_rounded_to_nearest_even),
        cmocka_unit_test(sums_of_fp16_in_l1_are_rounded_to_nearest_even),
        cmocka_unit_test(fp32_becomes_bf16_by_rounding_halves_away),
        cmocka_unit_test(fp32_becomes_tf32_by_rounding_halves_away),
        cmocka_unit_test(fp32_becomes_e8m6_by_rounding_halves_away),
        cmocka_unit_test(blocks_of_bfp8_round_halves_away_at_the_shared_exponent),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    mpfr_free_cache();
    return failed;
}
