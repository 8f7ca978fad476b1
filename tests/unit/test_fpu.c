/*
 * The Matrix Unit's arithmetic against a slow second formulation: numbers as sign, exponent and 128-bit
 * magnitude, every rounding a division with its rule spelled out.
 */
#include "test.h"

#include "matrix/matrix_dot.h"
#include "model/rng.h"
#include "num/fpu.h"
#include "num/prng.h"

#define SEED  UINT64_C(20251116)
#define CASES 200000u

__extension__ typedef __int128 wide;

/* ---- the second formulation ---- */

static wide floor_div(wide a, wide b)
{
    return a >= 0 ? a / b : -((-a + b - 1) / b);
}

/* a / 2^d, halves away from zero; a >= 0 */
static wide half_away(wide a, int d)
{
    wide unit = (wide)1 << (d < 90 ? d : 90);
    return (2 * a + unit) / (2 * unit);
}

/* a / 2^d, halves towards plus infinity */
static wide half_up(wide a, int d)
{
    wide unit = (wide)1 << (d < 90 ? d : 90);
    return floor_div(2 * a + unit, 2 * unit);
}

struct term {
    bool negative;
    int e;
    wide m; /* 2^23 is 1.0 at exponent e */
};

static wide signed_of(struct term t)
{
    return t.negative ? -t.m : t.m;
}

static uint32_t slow_encode(wide n, int x, bool x8, bool a32)
{
    bool negative = n < 0;
    wide m = negative ? -n : n;
    int p = a32 ? 24 : (x8 ? 8 : 11), top = 0;
    while (m >> (top + 1))
        top++;
    x += top - 23;
    m = top + 1 > p ? half_away(m, top + 1 - p) : m << (p - 1 - top);
    if (m == (wide)1 << p) {
        x++;
        m >>= 1;
    }
    uint32_t sign = negative ? UINT32_C(1) << 31 : 0;
    if (x <= 0)
        return 0;
    if ((a32 || x8) && x > 254)
        return sign | 0x7f800000;
    if (!a32 && !x8 && x > 31)
        return sign | 31u << 23 | 0x3ffu << 13;
    return sign | (uint32_t)x << 23 | (uint32_t)(m - ((wide)1 << (p - 1))) << (24 - p);
}

static uint32_t slow_sum(struct term t0, struct term t1, uint32_t dst, bool x8, bool a32)
{
    struct term d = {dst >> 31, (int)(dst >> 23 & 255), (dst & 0x7fffff) | 0x800000};
    if (!d.e)
        d.m = 0;
    int x = d.e;
    if (t0.e > x)
        x = t0.e;
    if (t1.e > x)
        x = t1.e;
    if (x <= 0)
        return 0;
    wide v0 = half_up(signed_of(t0), x - t0.e), v1 = half_up(signed_of(t1), x - t1.e);
    wide md = half_away(d.m, x - d.e);
    if (!a32) {
        v0 = half_up(v0, 13) * 8192;
        v1 = half_up(v1, 13) * 8192;
        md = half_away(md, 13) * 8192;
    }
    wide n = v0 + v1 + (d.negative ? -md : md);
    return n ? slow_encode(n, x, x8, a32) : 0;
}

struct operand {
    bool negative, zero;
    int e, m; /* m: 11 bits with the implicit one */
};

static struct operand operand_of(uint32_t d, bool keep)
{
    int e = (int)layout_src_exponent(d);
    return (struct operand){
        layout_src_sign(d), e == 0 && !keep, e, 1024 + (int)layout_src_fraction(d)};
}

static int slow_k(unsigned phase, bool x8, bool a32)
{
    static const int lower[4] = {0, 5, 7, 12};
    return (x8 ? -127 : a32 ? 97 : -15) - lower[phase];
}

static int product(struct operand a, struct operand b, unsigned phase)
{
    int pa = phase % 2 ? a.m / 2 % 32 : a.m / 64;
    int pb = phase / 2 ? b.m % 16 * 8 : b.m / 16;
    return pa * pb;
}

static struct term slow_group(const uint32_t *a, const uint32_t *b, unsigned phase, int k)
{
    int e[8], q[8], top = -10000;
    for (unsigned i = 0; i < 8; i++) {
        struct operand oa = operand_of(a[i], false), ob = operand_of(b[i], false);
        bool zero = oa.zero || ob.zero;
        e[i] = zero ? (k > 0 ? k : 0) : oa.e + ob.e + k;
        q[i] = zero ? 0 : product(oa, ob, phase);
        if (oa.negative != ob.negative)
            q[i] = -q[i];
        if (e[i] > top)
            top = e[i];
    }
    if (top <= 0)
        return (struct term){0};
    wide sum = 0;
    for (unsigned i = 0; i < 8; i++)
        sum += q[i] < 0 ? -half_away(-q[i], top - e[i]) : half_away(q[i], top - e[i]);
    return (struct term){sum < 0, top, (sum < 0 ? -sum : sum) * 8192};
}

static struct term slow_add(uint32_t a, uint32_t b, bool x8, bool a32)
{
    struct operand p = operand_of(a, false), q = operand_of(b, false);
    if (p.zero)
        p = (struct operand){0};
    if (q.zero)
        q = (struct operand){0};
    if (p.e < q.e || (p.e == q.e && p.m < q.m)) {
        struct operand t = p;
        p = q;
        q = t;
    }
    wide m = half_away(q.m, p.e - q.e);
    m = p.negative == q.negative ? p.m + m : p.m - m;
    int e = x8 || !a32 ? p.e : (p.e ? p.e + 112 : 97);
    return (struct term){p.negative, e, m * 8192};
}

/* ---- operands that meet the corners ---- */

static struct rng rng;

static uint32_t any_src(bool x8, int near)
{
    uint32_t e = rng_below(&rng, x8 ? 256 : 32), m = rng_below(&rng, 1024);
    if (rng_below(&rng, 2))
        e = (uint32_t)(near + (int)rng_below(&rng, 14)) & (x8 ? 255 : 31);
    if (!rng_below(&rng, 10))
        e = 0;
    if (!rng_below(&rng, 10))
        m = rng_below(&rng, 2) ? 0 : 1023;
    return layout_src(rng_below(&rng, 2), e, m);
}

static uint32_t any_dst(bool x8, bool a32, int near)
{
    uint32_t e = rng_below(&rng, x8 || a32 ? 256 : 32), m = (uint32_t)rng_next(&rng) & 0x7fffff;
    if (rng_below(&rng, 2))
        e = (uint32_t)(near + (int)rng_below(&rng, 30) - 15) & (x8 || a32 ? 255 : 31);
    if (!rng_below(&rng, 8))
        m = rng_below(&rng, 2) ? 0 : 0x7fffff;
    if (!a32)
        m &= x8 ? 0x7f0000 : 0x7fe000;
    return rng_below(&rng, 2) << 31 | e << 23 | m;
}

struct mode {
    bool x8, a32;
    unsigned phase;
};

static struct mode any_mode(void)
{
    return (struct mode){rng_below(&rng, 3) != 0, rng_below(&rng, 2), rng_below(&rng, 4)};
}

/* ---- facts ---- */

static void sum_of_two_terms_and_dst_rounds_as_the_rules_say(void **state)
{
    (void)state;
    rng = rng_of(SEED, 0);
    for (unsigned i = 0; i < CASES; i++) {
        struct mode o = any_mode();
        int base = (int)rng_below(&rng, o.x8 || o.a32 ? 260 : 34);
        struct num_fpu_term f[2];
        struct term s[2];
        for (unsigned t = 0; t < 2; t++) {
            int32_t q = (int32_t)rng_below(&rng, rng_below(&rng, 2) ? 31497 : 70) << 13;
            int e = base + (int)rng_below(&rng, 40) - 30;
            bool negative = q && rng_below(&rng, 2);
            f[t] = (struct num_fpu_term){negative ? -q : q, e};
            s[t] = (struct term){negative, e, q};
        }
        uint32_t d = any_dst(o.x8, o.a32, base);
        assert_int_equal(num_fpu_sum(f[0], f[1], d, o.x8, o.a32),
                         slow_sum(s[0], s[1], d, o.x8, o.a32));
    }
}

static void elwmul_is_one_lane_that_counts_only_above_exponent_zero(void **state)
{
    (void)state;
    rng = rng_of(SEED, 1);
    for (unsigned i = 0; i < CASES; i++) {
        struct mode o = any_mode();
        int near = (int)rng_below(&rng, 256), k = slow_k(o.phase, o.x8, o.a32);
        uint32_t a = any_src(o.x8, near), b = any_src(o.x8, 254 - near);
        uint32_t d = any_dst(o.x8, o.a32, o.x8 ? 127 : 15);
        bool keep = rng_below(&rng, 2);
        struct operand oa = operand_of(a, false), ob = operand_of(b, keep);
        struct term t = {
            oa.negative != ob.negative, oa.e + ob.e + k, product(oa, ob, o.phase) * 8192};
        if (oa.zero || ob.zero || t.e <= 0)
            t = (struct term){false, k > 0 ? k : 0, 0};
        assert_int_equal(num_fpu_k(o.phase, o.x8, o.a32), k);
        struct num_fpu_term f = num_fpu_product(a, b, k, o.phase, keep), none = {0, 0};
        assert_int_equal(num_fpu_sum(f, none, d, o.x8, o.a32),
                         slow_sum(t, (struct term){0}, d, o.x8, o.a32));
    }
}

static void elwadd_rounds_the_smaller_operand_to_the_larger_ones_grid(void **state)
{
    (void)state;
    rng = rng_of(SEED, 2);
    for (unsigned i = 0; i < CASES; i++) {
        struct mode o = any_mode();
        int near = (int)rng_below(&rng, 256);
        uint32_t a = any_src(o.x8, near), b = any_src(o.x8, near);
        uint32_t d = rng_below(&rng, 3) ? any_dst(o.x8, o.a32, near) : 0;
        struct num_fpu_term f = num_fpu_add(a, b, o.x8, o.a32, false), none = {0, 0};
        assert_int_equal(num_fpu_sum(f, none, d, o.x8, o.a32),
                         slow_sum(slow_add(a, b, o.x8, o.a32), (struct term){0}, d, o.x8, o.a32));
    }
}

static void one_datum_at_a_time(const struct matrix_dot *m, const uint32_t dst[8][16],
                                uint32_t want[8][16])
{
    for (unsigned i = 0; i < m->rows; i++)
        for (unsigned j = 0; j < 16; j++) {
            uint32_t a[16], b[16];
            for (unsigned k = 0; k < 16; k++) {
                a[k] = m->a[k][j] & m->mask_a;
                b[k] = m->b[i][k] & m->mask_b;
            }
            want[i][j] = slow_sum(slow_group(a, b, m->phase, m->k),
                                  slow_group(a + 8, b + 8, m->phase, m->k),
                                  dst[i][j],
                                  m->x8,
                                  m->a32);
        }
}

static void dot_product_adds_two_groups_of_eight_lanes_and_dst(void **state)
{
    static const uint32_t masks[3] = {NUM_SRC_TF32, NUM_SRC_BF16, NUM_SRC_FP16};
    (void)state;
    rng = rng_of(SEED, 3);
    for (unsigned n = 0; n < CASES / 64; n++) {
        struct mode o = any_mode();
        int near = (int)rng_below(&rng, 256);
        uint32_t a[16][16], b[8][16], d[8][16], want[8][16];
        uint16_t high[8][16], low[8][16];
        struct matrix_dot m = {.a = (const uint32_t(*)[16])a, .b = (const uint32_t(*)[16])b};
        m.rows = rng_below(&rng, 2) ? 8 : 4;
        m.mask_a = masks[o.x8 ? rng_below(&rng, 2) : 2];
        m.mask_b = masks[o.x8 ? rng_below(&rng, 2) : 2];
        m.k = slow_k(o.phase, o.x8, o.a32), m.phase = (uint8_t)o.phase;
        m.x8 = o.x8, m.a32 = o.a32;
        for (unsigned i = 0; i < 16; i++)
            for (unsigned j = 0; j < 16; j++) {
                a[i][j] = any_src(o.x8, near);
                b[i % 8][j] = any_src(o.x8, 240 - near);
                uint32_t v = d[i % 8][j] = any_dst(o.x8, o.a32, o.x8 ? 127 : 15);
                high[i % 8][j] =
                    o.x8 || o.a32 ? layout_high_to_dst(v) : layout_fp16_to_dst(num_fpu_to_fp16(v));
                low[i % 8][j] = (uint16_t)v;
            }
        m.step = 16;
        for (unsigned i = 0; i < 2; i++)
            m.high[i] = high[4 * i], m.low[i] = low[4 * i];
        one_datum_at_a_time(&m, (const uint32_t(*)[16])d, want);
        matrix_dot_plain(&m);
        for (unsigned i = 0; i < m.rows; i++)
            for (unsigned j = 0; j < 16; j++) {
                uint32_t got = layout_from_dst32(high[i][j], o.a32 ? low[i][j] : 0u);
                if (!o.x8 && !o.a32)
                    got = num_fpu_from_fp16(layout_fp16_from_dst(high[i][j]));
                assert_int_equal(got, want[i][j]);
            }
    }
}

static void phases_share_out_the_bits_of_a_product(void **state)
{
    (void)state;
    uint32_t a = layout_src(0, 127, 0x2aa),
             b = layout_src(1, 128, 0x155); /* SrcA's last bit is never used */
    int64_t exact = (int64_t)(1024 + 0x2aa) * (1024 + 0x155), sum = 0;
    for (unsigned phase = 0; phase < 4; phase++) {
        struct num_fpu_term t = num_fpu_product(a, b, num_fpu_k(phase, true, true), phase, false);
        assert_true(t.v <= 0);
        sum += -(int64_t)t.v >> (131 - t.e);
    }
    assert_int_equal(sum, exact);
}

static void results_are_never_nan_denormal_or_minus_zero(void **state)
{
    (void)state;
    struct num_fpu_term none = {0, 0};
    uint32_t inf = layout_src(0, 255, 0), one = layout_src(0, 127, 0),
             zero = layout_src(0, 0, 0x3ff);
    int k = num_fpu_k(0, true, true);
    assert_int_equal(num_fpu_sum(num_fpu_product(inf, zero, k, 0, false), none, 0, true, true), 0);
    assert_int_equal(num_fpu_sum(num_fpu_product(inf, one, k, 0, false), none, 0, true, true),
                     0x7f800000);
    assert_int_equal(
        num_fpu_sum(num_fpu_product(inf, one, k, 0, false), none, 0xff800000, true, true), 0);
    assert_int_equal(num_fpu_sum(none, none, 0x80000000, true, true), 0);
    assert_int_equal(num_fpu_sum(none, none, 0x007fffff, true, true), 0);
    /* FP16: exponent 31 is a number, beyond is all ones */
    int kh = num_fpu_k(0, false, false);
    uint32_t big = layout_src(1, 31, 0);
    uint32_t r =
        num_fpu_sum(num_fpu_product(big, layout_src(0, 15, 0), kh, 0, false), none, 0, 0, 0);
    assert_int_equal(num_fpu_to_fp16(r), 0xfc00);
    r = num_fpu_sum(num_fpu_product(big, layout_src(0, 16, 0), kh, 0, false), none, 0, 0, 0);
    assert_int_equal(num_fpu_to_fp16(r), 0xffff);
}

static void integers_saturate_and_have_no_minus_zero(void **state)
{
    (void)state;
    assert_int_equal(num_fpu_int_sum(0x7fffffff, 1), 0x7fffffff);
    assert_int_equal(num_fpu_int_sum(0xfffffffe, -5), 0xffffffff);
    assert_int_equal(num_fpu_int_sum(0x80000005, 5), 0);
    assert_int_equal(num_fpu_int_sum(0x80000000, 0), 0);
    assert_int_equal(num_fpu_int_sum(3, -10), 0x80000007);
    assert_int_equal(num_fpu_int(layout_src(1, 16, 0x3ff), 0xe0, false), -0xe0);
    assert_int_equal(num_fpu_int(layout_src(1, 0, 0x3ff), 0xe0, false), 0);
    assert_int_equal(num_fpu_int(layout_src(1, 0, 0x3ff), 0x3f0, true), -0x3f0);
}

static void stochastic_rounding_takes_one_of_the_two_neighbours(void **state)
{
    uint32_t noise = 12345, up = 0;
    struct num_fpu_term t = {NUM_FPU_ONE + (3 << 13), 127}, none = {0, 0}; /* 1 + 3/1024 */
    (void)state;
    for (unsigned i = 0; i < 4096; i++) {
        uint32_t r = num_fpu_sum_as(t, none, 0, true, false, true, prng_next(&noise));
        assert_true(r == 0x3f800000 || r == 0x3f810000);
        up += r == 0x3f810000;
    }
    assert_in_range(up, 4096 * 3 / 8 - 200, 4096 * 3 / 8 + 200); /* 3/1024 of a step of 8/1024 */
}

static void pool_data_return_to_dst_unchanged(void **state)
{
    (void)state;
    rng = rng_of(SEED, 4);
    for (unsigned i = 0; i < 10000; i++) {
        uint32_t v = (uint32_t)rng_next(&rng);
        uint32_t h = v & 0xffff0000, t = v & 0xffffe000;
        assert_int_equal(num_fpu_pool_write(num_fpu_pool_read(v, NUM_POOL_BF16), NUM_POOL_BF16), h);
        assert_int_equal(num_fpu_pool_write(num_fpu_pool_read(v, NUM_POOL_FP16), NUM_POOL_FP16), h);
        assert_int_equal(num_fpu_pool_write(num_fpu_pool_read(v, NUM_POOL_TF32), NUM_POOL_TF32), t);
        assert_int_equal(num_fpu_pool_write(num_fpu_pool_read(v, NUM_POOL_INT), NUM_POOL_INT),
                         v & 0x80001fff);
    }
    assert_int_equal(num_fpu_pool_key(num_fpu_pool_src(layout_src(0, 127, 0), 0, NUM_POOL_TF32)),
                     -0x7ffff);
}

TEST_MAIN(cmocka_unit_test(sum_of_two_terms_and_dst_rounds_as_the_rules_say),
          cmocka_unit_test(elwmul_is_one_lane_that_counts_only_above_exponent_zero),
          cmocka_unit_test(elwadd_rounds_the_smaller_operand_to_the_larger_ones_grid),
          cmocka_unit_test(dot_product_adds_two_groups_of_eight_lanes_and_dst),
          cmocka_unit_test(phases_share_out_the_bits_of_a_product),
          cmocka_unit_test(results_are_never_nan_denormal_or_minus_zero),
          cmocka_unit_test(integers_saturate_and_have_no_minus_zero),
          cmocka_unit_test(stochastic_rounding_takes_one_of_the_two_neighbours),
          cmocka_unit_test(pool_data_return_to_dst_unchanged))
