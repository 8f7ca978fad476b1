/*
 * The Vector Unit's arithmetic against a slow second formulation: magnitudes as 128-bit integers, every shift a
 * division, every rounding spelled out; and against the host's IEEE numbers where they must agree.
 */
#include "test.h"

#include <fenv.h>

#include <string.h>

#include "model/rng.h"
#include "num/rows.h"
#include "num/sfpu.h"

#define SEED  UINT64_C(20261116)
#define CASES (WG_SLOW_BUILD ? 40000u : 400000u)

__extension__ typedef unsigned __int128 wide;

static struct rng rng;

/* ---- the second formulation ---- */

static wide power(int n)
{
    return (wide)1 << n;
}

/* v / 2^n, odd if it is not exact. */
static wide jam(wide v, int n)
{
    wide q = v / power(n);
    return v % power(n) && q % 2 == 0 ? q + 1 : q;
}

static wide significand(uint32_t x)
{
    return x >> 23 & 255 ? power(23) + x % (1u << 23) : 0;
}

static uint32_t join(unsigned sign, uint32_t r)
{
    return sign * NUM_SFPU_SIGN + r;
}

static uint32_t slow_special(uint32_t x, uint32_t y, uint32_t z, unsigned sp)
{
    bool ix = (x & INT32_MAX) == NUM_SFPU_INF, iy = (y & INT32_MAX) == NUM_SFPU_INF;
    bool iz = (z & INT32_MAX) == NUM_SFPU_INF;
    bool nan = (x & INT32_MAX) > NUM_SFPU_INF || (y & INT32_MAX) > NUM_SFPU_INF ||
               (z & INT32_MAX) > NUM_SFPU_INF;
    if (nan || (ix && !significand(y)) || (iy && !significand(x)) ||
        (iz && (ix || iy) && z >> 31 != sp))
        return NUM_SFPU_NAN;
    return iz ? z : join(sp, NUM_SFPU_INF);
}

/* m, where 2^26 is 1.0 at exponent e. */
static uint32_t slow_round(wide m, int e)
{
    int length = 0;
    while (m >= power(length))
        length++;
    int n = length - 27;
    e += n;
    if (e >= 255)
        return NUM_SFPU_INF;
    if (e <= 0) {
        n++;
        e = 0;
    }
    m = n <= 0 ? m * power(-n) : jam(m, n);
    wide r = (wide)e * power(23) + m / 8 % power(23), rest = m % 8;
    if (rest > 4 || (rest == 4 && r % 2))
        r++;
    return r < power(23) ? 0 : (uint32_t)r;
}

static uint32_t slow_mad(uint32_t x, uint32_t y, uint32_t z)
{
    int ex = x >> 23 & 255, ey = y >> 23 & 255, ez = z >> 23 & 255, ep = ex + ey - 127;
    unsigned sp = (x ^ y) >> 31, sz = z >> 31;
    if (ex == 255 || ey == 255 || ez == 255 || ep >= 255)
        return slow_special(x, y, z, sp);
    wide p = jam(8 * significand(x) * significand(y), 23), a = 8 * significand(z);
    if (!p || ep < 0)
        return a ? z : join(sz & sp, 0);
    if (ep >= ez)
        a = ep - ez < 100 && a >= power(ep - ez) ? jam(a, ep - ez) : 0;
    else
        p = ez - ep < 100 && p >= power(ez - ep) ? jam(p, ez - ep) : 0;
    wide m = sp == sz ? p + a : (p > a ? p - a : a - p);
    if (!m)
        return join(sz & sp, 0);
    return join(p >= a ? sp : sz, slow_round(m, ep > ez ? ep : ez));
}

/* ---- operands ---- */

static const uint32_t edge[] = {
    0x00000000, 0x00000001, 0x007fffff, 0x00800000, 0x00800001, 0x00fffffe, 0x00ffffff, 0x1f800000,
    0x20000000, 0x34000000, 0x3f000000, 0x3f7fffff, 0x3f800000, 0x3f800001, 0x3fffffff, 0x40000000,
    0x4b800001, 0x7f000000, 0x7f7fffff, 0x7f800000, 0x7f800001, 0x7fc00000};
#define EDGES (sizeof edge / sizeof *edge)

static uint32_t with_exponent(uint32_t x, int e)
{
    e = e < 0 ? 0 : (e > 255 ? 255 : e);
    return (x & 0x807fffff) | (uint32_t)e << 23;
}

/* Any bits; near each other; nearly cancelling; few bits near the smallest numbers; edges. */
static void draw(uint32_t *x, uint32_t *y, uint32_t *z)
{
    *x = rng_next(&rng);
    *y = rng_next(&rng);
    *z = rng_next(&rng);
    int e = (int)rng_below(&rng, 190), near = (int)rng_below(&rng, 70) - 35;
    switch (rng_below(&rng, 5)) {
    case 0:
        *x = with_exponent(*x, 30 + e);
        *y = with_exponent(*y, 127 - near / 2);
        *z = with_exponent(*z, 30 + e + near);
        break;
    case 1: *z = (slow_mad(*x, *y, 0) ^ NUM_SFPU_SIGN) + rng_below(&rng, 5) - 2; break;
    case 2:
        *x = with_exponent(*x & ~((1u << rng_below(&rng, 23)) - 1), e);
        *y = with_exponent(*y & ~((1u << rng_below(&rng, 23)) - 1), 127 - e + near);
        *z = with_exponent(*z, (int)rng_below(&rng, 40));
        break;
    case 3:
        *x = rng_percent(&rng, 60) ? edge[rng_below(&rng, EDGES)] ^ (*x & NUM_SFPU_SIGN) : *x;
        *y = rng_percent(&rng, 60) ? edge[rng_below(&rng, EDGES)] ^ (*y & NUM_SFPU_SIGN) : *y;
        *z = rng_percent(&rng, 60) ? edge[rng_below(&rng, EDGES)] ^ (*z & NUM_SFPU_SIGN) : *z;
        break;
    default: break;
    }
}

static void check(uint32_t got, uint32_t want, uint32_t x, uint32_t y, uint32_t z)
{
    if (got != want)
        fail_msg("%08x * %08x + %08x: %08x, should be %08x", x, y, z, got, want);
}

/* ---- multiply-add ---- */

static void multiply_add_is_the_slow_one(void **state)
{
    (void)state;
    rng = rng_of(SEED, 0);
    print_message("seed %llu\n", (unsigned long long)SEED);
    for (unsigned i = 0; i < CASES; i++) {
        uint32_t x, y, z;
        draw(&x, &y, &z);
        check(num_sfpu_mad(x, y, z), slow_mad(x, y, z), x, y, z);
    }
}

static void multiply_add_of_all_edges_is_the_slow_one(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 8 * EDGES * EDGES * EDGES; i++) {
        uint32_t x = edge[i / 8 % EDGES] | (i & 1) << 31;
        uint32_t y = edge[i / 8 / EDGES % EDGES] | (i >> 1 & 1) << 31;
        uint32_t z = edge[i / 8 / EDGES / EDGES] | (i >> 2 & 1) << 31;
        check(num_sfpu_mad(x, y, z), slow_mad(x, y, z), x, y, z);
    }
}

static void multiply_add_gives_the_known_results(void **state)
{
    (void)state;
    static const uint32_t known[][4] = {
        {0x3f800001,
         0x3f800001,
         0xbf800000,
         0x34880000}, /* the product's sticky bit, as a number */
        {0x3f7fffff, 0x3f7fffff, 0xbf7ffffe, 0x32000000},
        {0x7f000000, 0x40000000, 0xff7fffff, 0x7f800000}, /* the product overflows on its own */
        {0x7f000000, 0x3fffffff, 0xff7fffff, 0x00000000},
        {0x7f000000, 0x40000000, 0xff800000, 0xff800000}, /* and has no say against infinity */
        {0x80800000, 0x3f000000, 0x00000000, 0x80000000}, /* flushed late: with its sign */
        {0x80000000, 0x3f800000, 0x00000000, 0x00000000},
        {0x80000000, 0x3f800000, 0x80000000, 0x80000000},
        {0x00000001, 0x7f800000, 0x00000000, 0x7fc00000},
        {0x7f800000, 0x3f800000, 0xff800000, 0x7fc00000},
        {0x20216363, 0x2018475d, 0x80800000, 0x00800000},
        {0x3f800000, 0x00ffffff, 0x80800000, 0x00000000},
        {0x3f800000, 0x4b800001, 0x3f000000, 0x4b800001}};
    for (unsigned i = 0; i < sizeof known / sizeof *known; i++) {
        const uint32_t *k = known[i];
        check(num_sfpu_mad(k[0], k[1], k[2]), k[3], k[0], k[1], k[2]);
    }
}

static float number(uint32_t x)
{
    float f;
    memcpy(&f, &x, sizeof f);
    return f;
}

static uint32_t pattern(float f)
{
    uint32_t x;
    memcpy(&x, &f, sizeof x);
    return x;
}

static bool normal(uint32_t x)
{
    return (x >> 23 & 255) > 0 && (x >> 23 & 255) < 255;
}

static void factor_one_and_addend_zero_leave_an_ieee_operation(void **state)
{
    (void)state;
    rng = rng_of(SEED, 1);
    for (unsigned i = 0; i < CASES; i++) {
        uint32_t x, y, z;
        draw(&x, &y, &z);
        if (!normal(x) || !normal(y) || !normal(z))
            continue;
        /* The smallest number is left out: less than it may have been rounded up to it, on one side only. */
        uint32_t sum = pattern(number(x) + number(z)), product = pattern(number(x) * number(y));
        if (normal(sum))
            check(num_sfpu_mad(x, NUM_SFPU_ONE, z), sum, x, NUM_SFPU_ONE, z);
        if (normal(product) && (product & INT32_MAX) > 0x00800000)
            check(num_sfpu_mad(x, y, 0), product, x, y, 0);
    }
}

static void results_are_never_denormal_and_nan_is_one_pattern(void **state)
{
    (void)state;
    rng = rng_of(SEED, 2);
    for (unsigned i = 0; i < CASES; i++) {
        uint32_t x, y, z;
        draw(&x, &y, &z);
        uint32_t r = num_sfpu_mad(x, y, z), m = r & INT32_MAX;
        assert_true(m == 0 || m >= 0x00800000);
        assert_true(m <= NUM_SFPU_INF || r == NUM_SFPU_NAN);
    }
}

static void lanes_in_vector_code_are_the_plain_ones(void **state)
{
    (void)state;
    rng = rng_of(SEED, 3);
    for (unsigned n = 0; n < CASES / NUM_SFPU_LANES; n++) {
        uint32_t x[NUM_SFPU_LANES], y[NUM_SFPU_LANES], z[NUM_SFPU_LANES], d[NUM_SFPU_LANES];
        for (unsigned i = 0; i < NUM_SFPU_LANES; i++)
            draw(&x[i], &y[i], &z[i]);
        num_sfpu_mads(x, y, z, d);
        for (unsigned i = 0; i < NUM_SFPU_LANES; i++)
            check(d[i], num_sfpu_mad(x[i], y[i], z[i]), x[i], y[i], z[i]);
#ifdef NUM_SFPU_AVX2
        uint32_t v[NUM_SFPU_LANES];
        if (!rows_avx2_usable())
            continue;
        memcpy(v, z, sizeof v);
        num_sfpu_avx2_mads(x, y, v, v); /* in place */
        assert_memory_equal(v, d, sizeof d);
#endif
    }
}

/* Numbers of one kind, so that all lanes can go the fast way: few bits (for results in the middle between two), any
   bits, ones near a power of two; exponents within range of each other. */
static uint32_t draw_alike(unsigned kind)
{
    static const uint32_t kept[] = {0x80700007, 0x807fffff, 0x807f0000, 0x80600000};
    uint32_t v = rng_next(&rng),
             e = (kind & 1 ? 100 + rng_below(&rng, 56) : 120 + rng_below(&rng, 14)) << 23;
    if (kind / 2 % 5 == 4)
        return (v & NUM_SFPU_SIGN) | e | (v & 4 ? 0x7fffff - (v & 3) : v & 3);
    return (v & kept[kind / 2 % 5]) | e;
}

static void the_fast_way_of_lanes_is_the_plain_one(void **state)
{
    static const int modes[] = {FE_TONEAREST, FE_UPWARD, FE_TOWARDZERO};
    (void)state;
    rng = rng_of(SEED, 13);
    for (unsigned n = 0; n < CASES; n++) {
        uint32_t x[NUM_SFPU_LANES], y[NUM_SFPU_LANES], z[NUM_SFPU_LANES], d[NUM_SFPU_LANES];
        unsigned kind = rng_next(&rng);
        for (unsigned i = 0; i < NUM_SFPU_LANES; i++) {
            x[i] = draw_alike(kind & 15);
            y[i] = draw_alike(kind >> 4 & 15);
            z[i] = kind >> 12 & 7 ? draw_alike(kind >> 8 & 15) : 0;
        }
        num_sfpu_mads(x, y, z, d);
#ifdef NUM_SFPU_AVX2
        uint32_t v[NUM_SFPU_LANES];
        if (!rows_avx2_usable())
            continue;
        fesetround(modes[n % 16 ? 0 : n / 16 % 3]); /* how the host rounds does not matter */
        num_sfpu_avx2_mads(x, y, z, v);
        fesetround(FE_TONEAREST);
        assert_memory_equal(v, d, sizeof d);
#endif
    }
}

static void other_work_on_lanes_is_the_plain_one(void **state)
{
    (void)state;
    rng = rng_of(SEED, 14);
    for (unsigned n = 0; n < CASES / NUM_SFPU_LANES && rows_avx2_usable(); n++) {
        const struct num_sfpu_lanes *p = &num_sfpu_plain, *q = &num_sfpu_avx2;
        uint32_t x[NUM_SFPU_LANES], y[NUM_SFPU_LANES], d[NUM_SFPU_LANES], e[NUM_SFPU_LANES];
        uint32_t h = rng_next(&rng) & 0x7fffff, max = n & 1 ? 127 : 65535, z;
        for (unsigned i = 0; i < NUM_SFPU_LANES; i++) {
            draw(&x[i], &y[i], &z);
            if (n & 2)
                x[i] = (x[i] & 0x807fffff) | (120 + rng_below(&rng, 26)) << 23;
            if (z & 1)
                y[i] = x[i];
        }
        assert_int_equal(p->negative(x), q->negative(x));
        assert_int_equal(p->zero(x), q->zero(x));
        assert_int_equal(p->greater(x, y), q->greater(x, y));
        p->from_int(x, d), q->from_int(x, e);
        assert_memory_equal(d, e, sizeof d);
        p->shorten(x, n & 4 ? 13 : 16, h, d), q->shorten(x, n & 4 ? 13 : 16, h, e);
        assert_memory_equal(d, e, sizeof d);
        p->to_int(x, NUM_SFPU_SIGN, max, h, d), q->to_int(x, NUM_SFPU_SIGN, max, h, e);
        assert_memory_equal(d, e, sizeof d);
        p->noise(x, d), q->noise(x, e);
        assert_memory_equal(d, e, sizeof d);
    }
}

/* ---- products of 23-bit integers ---- */

static uint32_t slow_mul24(uint32_t a, uint32_t b, uint32_t z, bool upper)
{
    wide p = (wide)(a % (1u << 23)) * (b % (1u << 23));
    wide d = upper ? p / power(23) : p % power(23), w = 8 * significand(z);
    int ez = z >> 23 & 255, e = ez > 129 ? ez : 129, k = (e - ez) % 32;
    if (!w)
        return (uint32_t)d;
    d /= power((e - 129) % 32);
    if (w >= power(k))
        d = (d + w / power(k) + (w % power(k) > 0xffff ? 0x10000 : 0)) % power(23);
    return (uint32_t)d;
}

static void products_of_23_bits_and_what_the_adder_makes_of_them(void **state)
{
    (void)state;
    rng = rng_of(SEED, 4);
    for (unsigned i = 0; i < CASES; i++) {
        uint32_t a = rng_next(&rng), b = rng_next(&rng), z = rng_next(&rng);
        if (rng_percent(&rng, 50))
            z = with_exponent(z, 90 + (int)rng_below(&rng, 80));
        bool upper = i & 1;
        uint32_t d = num_sfpu_mul24(a, b, upper);
        assert_int_equal(d, slow_mul24(a, b, 0, upper));
        check(num_sfpu_mul24_add(d, z), slow_mul24(a, b, z, upper), a, b, z);
        assert_int_equal(num_sfpu_mul24_add(d, z & 0x807fffff), d);
    }
    assert_int_equal(num_sfpu_mul24(0x7fffff, 0x7fffff, true), 0x7ffffe);
    assert_int_equal(num_sfpu_mul24(0x7fffff, 0x7fffff, false), 1);
}

/* ---- coefficients ---- */

static void table_coefficients_have_the_documented_values(void **state)
{
    (void)state;
    for (unsigned t = 0; t < 255; t++) {
        float v = (float)(16 + t % 16) / 16 / (float)(1u << (t / 16 % 8));
        assert_int_equal(num_sfpu_lut8(t), pattern(t & 0x80 ? -v : v));
    }
    assert_int_equal(num_sfpu_lut8(255), 0);
    for (unsigned t = 0; t < 0x10000; t++) {
        unsigned e = t / 0x400 % 32;
        float v = (float)(0x400 + t % 0x400) / 0x400 / 32768 * (float)(UINT64_C(1) << e);
        uint32_t got = num_sfpu_lut16(t);
        if (e == 31) /* as good as zero */
            assert_true((got & NUM_SFPU_INF) == 0 && got >> 31 == t >> 15);
        else
            assert_int_equal(got, pattern(t & 0x8000 ? -v : v));
    }
}

/* ---- conversions ---- */

static uint32_t draw_int(void)
{
    uint32_t m = rng_next(&rng) >> rng_below(&rng, 32);
    return rng_percent(&rng, 50) ? m | NUM_SFPU_SIGN : m;
}

static void integers_become_the_hosts_floats(void **state)
{
    (void)state;
    rng = rng_of(SEED, 5);
    for (unsigned i = 0; i < CASES; i++) {
        uint32_t c = draw_int();
        float f = (float)(int32_t)(c & INT32_MAX);
        assert_int_equal(num_sfpu_from_int(c, false, rng_next(&rng)),
                         pattern(f) | (c & NUM_SFPU_SIGN));
    }
}

/* Seven bits of the rest against seven of the noise: one of the two neighbours. */
static void integers_round_up_when_their_rest_beats_the_noise(void **state)
{
    (void)state;
    rng = rng_of(SEED, 6);
    for (unsigned i = 0; i < CASES; i++) {
        uint32_t c = draw_int(), noise = rng_next(&rng), m = c & INT32_MAX;
        int length = 0;
        while (m >= power(length))
            length++;
        uint32_t low = m, seven = 0;
        if (length > 24) {
            wide unit = power(length - 24);
            low = (uint32_t)(m / unit * unit);
            seven = (uint32_t)((m - low) * 128 / unit);
        }
        uint32_t want = pattern((float)(int32_t)low) + (seven > noise / 1024 % 128);
        assert_int_equal(num_sfpu_from_int(c, true, noise), want | (c & NUM_SFPU_SIGN));
    }
    assert_int_equal(num_sfpu_from_int(NUM_SFPU_SIGN, true, 0), NUM_SFPU_SIGN);
}

static void twos_complement_and_sign_magnitude_are_each_others_inverse(void **state)
{
    (void)state;
    rng = rng_of(SEED, 7);
    for (unsigned i = 0; i < CASES; i++) {
        int32_t v = (int32_t)draw_int();
        if (v == INT32_MIN)
            continue;
        uint32_t m = (uint32_t)(v < 0 ? -v : v), sm = m | (v < 0 ? NUM_SFPU_SIGN : 0);
        assert_int_equal(num_sfpu_abs((uint32_t)v), m);
        assert_int_equal(num_sfpu_sm32((uint32_t)v), sm);
        assert_int_equal(num_sfpu_sm32(sm), (uint32_t)v);
    }
    assert_int_equal(num_sfpu_abs(NUM_SFPU_SIGN), NUM_SFPU_SIGN);
    assert_int_equal(num_sfpu_sm32(NUM_SFPU_SIGN), NUM_SFPU_SIGN);
}

/* ---- roundings ---- */

static uint32_t draw_threshold(void)
{
    uint32_t kind = rng_below(&rng, 3);
    return kind == 0   ? (uint32_t)NUM_SFPU_NEAREST
           : kind == 1 ? (uint32_t)NUM_SFPU_TO_ZERO
                       : rng_next(&rng) & 0x7fffff;
}

static void fractions_are_shortened_at_the_threshold(void **state)
{
    (void)state;
    rng = rng_of(SEED, 8);
    for (unsigned i = 0; i < CASES; i++) {
        unsigned drop = i & 1 ? 13 : 16;
        uint32_t x, h = draw_threshold(), unused, want;
        draw(&x, &unused, &unused);
        uint32_t e = x >> 23 & 255, units = (x & INT32_MAX) / (1u << drop);
        if ((x & INT32_MAX) % (1u << drop) >= h / (1u << (23 - drop)))
            units++;
        want = units * (1u << drop) + (x & NUM_SFPU_SIGN);
        want = e == 255 ? (x & NUM_SFPU_SIGN) + NUM_SFPU_INF : want;
        assert_int_equal(num_sfpu_shorten(x, drop, h), e ? want : 0);
    }
    assert_int_equal(num_sfpu_shorten(0x3f808000, 16, NUM_SFPU_NEAREST), 0x3f810000);
    assert_int_equal(num_sfpu_shorten(0x3f80ffff, 16, NUM_SFPU_TO_ZERO), 0x3f810000); /* the bias */
    assert_int_equal(num_sfpu_shorten(0xffc00000, 13, NUM_SFPU_NEAREST), 0xff800000);
    assert_int_equal(num_sfpu_shorten(0x80000001, 13, NUM_SFPU_NEAREST), 0);
}

/* n / 2^23 with the threshold as a fraction. */
static uint32_t slow_int(wide n, uint32_t sign, uint32_t max, uint32_t h)
{
    wide whole = n / power(23);
    if (n % power(23) >= h)
        whole++;
    uint32_t r = whole > max ? max : (uint32_t)whole;
    return r ? r + sign : 0;
}

static void floats_become_clamped_integers(void **state)
{
    (void)state;
    static const uint32_t max[] = {255, 127, 65535, 32767};
    rng = rng_of(SEED, 9);
    for (unsigned i = 0; i < CASES; i++) {
        uint32_t x = rng_next(&rng), h = draw_threshold(), keep = i & 1 ? NUM_SFPU_SIGN : 0, want;
        if (rng_percent(&rng, 90))
            x = with_exponent(x, 120 + (int)rng_below(&rng, 30));
        int e = (int)(x >> 23 & 255) - 127;
        if (e < -1)
            want = 0;
        else if (e >= 16)
            want = max[i & 3] + (x & keep);
        else
            want = slow_int(significand(x) * power(e + 1) / 2, x & keep, max[i & 3], h);
        assert_int_equal(num_sfpu_float_to_int(x, keep, max[i & 3], h), want);
    }
    assert_int_equal(num_sfpu_float_to_int(0x7fc00000, 0, 255, NUM_SFPU_NEAREST), 255);
    assert_int_equal(num_sfpu_float_to_int(0xbf000000, NUM_SFPU_SIGN, 127, NUM_SFPU_NEAREST),
                     0x80000001); /* half goes away from zero */
    assert_int_equal(num_sfpu_float_to_int(0x3f7ffffe, 0, 255, NUM_SFPU_TO_ZERO), 1); /* the bias */
}

static void integers_are_divided_and_clamped(void **state)
{
    (void)state;
    rng = rng_of(SEED, 10);
    for (unsigned i = 0; i < CASES; i++) {
        uint32_t c = draw_int(), h = draw_threshold(), keep = i & 1 ? NUM_SFPU_SIGN : 0;
        unsigned k = rng_below(&rng, 32);
        uint32_t max = i & 1 ? 127 : 255;
        uint32_t want =
            slow_int((wide)(c & INT32_MAX) * power(23) / power((int)k), c & keep, max, h);
        assert_int_equal(num_sfpu_int_to_int(c, k, keep, max, h), want);
    }
}

TEST_MAIN(cmocka_unit_test(multiply_add_is_the_slow_one),
          cmocka_unit_test(multiply_add_of_all_edges_is_the_slow_one),
          cmocka_unit_test(multiply_add_gives_the_known_results),
          cmocka_unit_test(factor_one_and_addend_zero_leave_an_ieee_operation),
          cmocka_unit_test(results_are_never_denormal_and_nan_is_one_pattern),
          cmocka_unit_test(lanes_in_vector_code_are_the_plain_ones),
          cmocka_unit_test(the_fast_way_of_lanes_is_the_plain_one),
          cmocka_unit_test(other_work_on_lanes_is_the_plain_one),
          cmocka_unit_test(products_of_23_bits_and_what_the_adder_makes_of_them),
          cmocka_unit_test(table_coefficients_have_the_documented_values),
          cmocka_unit_test(integers_become_the_hosts_floats),
          cmocka_unit_test(integers_round_up_when_their_rest_beats_the_noise),
          cmocka_unit_test(twos_complement_and_sign_magnitude_are_each_others_inverse),
          cmocka_unit_test(fractions_are_shortened_at_the_threshold),
          cmocka_unit_test(floats_become_clamped_integers),
          cmocka_unit_test(integers_are_divided_and_clamped))
