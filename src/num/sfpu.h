/*
 * sfpu.h - the arithmetic of the Vector Unit on single lanes: the partly fused multiply-add, the product of 23-bit
 * integers, table coefficients, conversions and roundings. Values are 32-bit patterns: FP32, or integers with a sign
 * bit and a magnitude ("SM32").
 *
 * ISA pages: SFPMAD, SFPMUL24, SFPLUT, SFPLUTFP32, SFPCAST_*, SFPSTOCHRND_* (Blackhole).
 *
 * Invariant: no function has state; none can be told apart from its plain form by how the host rounds.
 *
 * Inaccuracies: the multiply-add follows the vendor's bit-exact model, which the SFPMAD page only points to.
 */
#ifndef WG_NUM_SFPU_H
#define WG_NUM_SFPU_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/hot.h"

#define NUM_SFPU_NAN   UINT32_C(0x7fc00000)
#define NUM_SFPU_INF   UINT32_C(0x7f800000)
#define NUM_SFPU_ONE   UINT32_C(0x3f800000)
#define NUM_SFPU_SIGN  UINT32_C(0x80000000)
#define NUM_SFPU_LANES 32u

/* ---- multiply-add ---- */

/*
 * Bits of m up to its highest 1; m in 1 .. 2^31 - 1. By way of a float because that, unlike counting zeros, is done for
 * many lanes at once; two neighbouring ones would let the float be rounded up, so the lower one goes.
 */
HOT_INLINE int32_t num_sfpu_length(uint32_t m)
{
    float f = (float)(int32_t)(m & ~(m >> 1));
    uint32_t u;
    memcpy(&u, &f, sizeof u);
    return (int32_t)(u >> 23) - 126;
}

/* All ones if yes. Choices are made with masks: with ?: gcc makes branches, and then no vectors. */
HOT_INLINE uint32_t num_sfpu_mask(bool yes)
{
    return 0 - (uint32_t)yes;
}

HOT_INLINE uint32_t num_sfpu_pick(bool yes, uint32_t a, uint32_t b)
{
    uint32_t m = num_sfpu_mask(yes);
    return (a & m) | (b & ~m);
}

/* m >> n, n in 0..31; a lost bit becomes bit 0. */
HOT_INLINE uint32_t num_sfpu_sticky(uint32_t m, uint32_t n)
{
    uint32_t r = m >> n;
    return r | (r << n != m);
}

/* The same, but what is shifted out as a whole leaves nothing; any n >= 0. */
HOT_INLINE uint32_t num_sfpu_align(uint32_t m, uint32_t n)
{
    n = n < 31 ? n : 31; /* m < 2^31 */
    return num_sfpu_sticky(m, n) & num_sfpu_mask(m >> n != 0);
}

/* Infinities and NaNs are not for num_sfpu_finite(), nor are products that overflow on their own. */
HOT_INLINE bool num_sfpu_special(uint32_t x, uint32_t y, uint32_t z)
{
    uint32_t ex = x >> 23 & 255, ey = y >> 23 & 255, ez = z >> 23 & 255;
    return (ex == 255) | (ey == 255) | (ez == 255) | (ex + ey >= 255 + 127);
}

/* A magnitude, normalised and rounded to nearest even. 2^26 at exponent e is 1.0; m not 0. */
HOT_INLINE uint32_t num_sfpu_round(uint32_t m, int32_t e)
{
    int32_t n = num_sfpu_length(m) - 27;
    e += n;
    n += e <= 0; /* by one, however small */
    uint32_t exponent = (uint32_t)(e > 0 ? e : 0);
    m <<= (uint32_t)(n < 0 ? -n : 0);
    m = num_sfpu_sticky(m, (uint32_t)(n > 0 ? n : 0));
    uint32_t r = exponent << 23 | (m >> 3 & 0x7fffff);
    r += (m & 7) + (r & 1) > 4;
    r &= num_sfpu_mask(r >= 0x800000);
    return num_sfpu_pick(e >= 255, NUM_SFPU_INF, r);
}

/* A significand with its hidden bit; denormals are zero. */
HOT_INLINE uint32_t num_sfpu_significand(uint32_t x)
{
    return ((x & 0x7fffff) | 0x800000) & num_sfpu_mask((x & NUM_SFPU_INF) != 0);
}

/* x * y + z without the special cases, and without branches. */
HOT_INLINE uint32_t num_sfpu_finite(uint32_t x, uint32_t y, uint32_t z)
{
    uint32_t mx = num_sfpu_significand(x), my = num_sfpu_significand(y);
    uint32_t sp = (x ^ y) & NUM_SFPU_SIGN, sz = z & NUM_SFPU_SIGN;
    uint32_t p = (uint32_t)((uint64_t)mx * my >> 20), c = num_sfpu_significand(z) << 3;
    p |= (mx * my & 0xfffff) != 0;

    int32_t ep = (int32_t)(x >> 23 & 255) + (int32_t)(y >> 23 & 255) - 127;
    int32_t ez = (int32_t)(z >> 23 & 255), e = ep > ez ? ep : ez;
    uint32_t q = num_sfpu_align(p, (uint32_t)(e - ep)), a = num_sfpu_align(c, (uint32_t)(e - ez));

    uint32_t low = q < a ? q : a, high = q < a ? a : q;
    uint32_t m = high + (low ^ num_sfpu_mask(sp != sz)) + (sp != sz);
    uint32_t r = num_sfpu_pick(q >= a, sp, sz) | num_sfpu_round(m | (m == 0), e);
    bool alone = (p == 0) | (ep < 0); /* the addend is all there is */
    r = num_sfpu_pick(alone, z, r);
    bool zero = (alone & (c == 0)) | (!alone & (m == 0));
    return num_sfpu_pick(zero, sz & sp, r);
}

/* The rest of the cases: num_sfpu_special() holds. */
uint32_t num_sfpu_infinite(uint32_t x, uint32_t y, uint32_t z);

/* x * y + z */
HOT_INLINE uint32_t num_sfpu_mad(uint32_t x, uint32_t y, uint32_t z)
{
    if (LIKELY(!num_sfpu_special(x, y, z)))
        return num_sfpu_finite(x, y, z);
    return num_sfpu_infinite(x, y, z);
}

/* The same for 32 lanes. d may be one of the others. */
void num_sfpu_mads(const uint32_t *x, const uint32_t *y, const uint32_t *z, uint32_t *d);
#if defined(__x86_64__) && defined(__GNUC__)
#define NUM_SFPU_AVX2
/* With AVX2: sfpu_avx2.c. Only to be called where rows_avx2_usable(). */
void num_sfpu_avx2_mads(const uint32_t *x, const uint32_t *y, const uint32_t *z, uint32_t *d);
/* The same of y ^ sign_y and z ^ sign_z. */
void num_sfpu_avx2_mads_signed(const uint32_t *x, const uint32_t *y, const uint32_t *z,
                               uint32_t sign_y, uint32_t sign_z, uint32_t *d);
/* The host rounds to nearest, knows denormals and does not trap. */
bool num_sfpu_avx2_usual(void);
#endif

/* ---- other work on 32 lanes, once in plain C and once with AVX2 ---- */

struct num_sfpu_lanes {
    /* Bit per lane: bit 31 is set; it is zero; a > b as signs and magnitudes, -0 below 0. */
    uint32_t (*negative)(const uint32_t *v);
    uint32_t (*zero)(const uint32_t *v);
    uint32_t (*greater)(const uint32_t *a, const uint32_t *b);
    /* num_sfpu_from_int() to nearest; num_sfpu_shorten(); num_sfpu_float_to_int(); prng_step(). d may be c, and next be state. */
    void (*from_int)(const uint32_t *c, uint32_t *d);
    void (*shorten)(const uint32_t *c, unsigned drop, uint32_t h, uint32_t *d);
    void (*to_int)(const uint32_t *c, uint32_t sign, uint32_t max, uint32_t h, uint32_t *d);
    void (*noise)(const uint32_t *state, uint32_t *next);
};

extern const struct num_sfpu_lanes num_sfpu_plain;
/* Only to be used where rows_avx2_usable(). */
extern const struct num_sfpu_lanes num_sfpu_avx2;

/* ---- products of 23-bit integers ---- */

/* What the adder behind the multiplier does to a product d; nothing if z's exponent is 0. */
static inline uint32_t num_sfpu_mul24_add(uint32_t d, uint32_t z)
{
    uint32_t ez = z >> 23 & 255, e = ez > 129 ? ez : 129;
    if (!ez)
        return d;
    uint32_t w = (0x800000 | (z & 0x7fffff)) << 3, k = (e - ez) & 31, q = w >> k;
    d >>= (e - 129) & 31;
    if (!q)
        return d;
    d += q + (w - (q << k) > 0xffff ? 0x10000u : 0u);
    return d & 0x7fffff;
}

/* Bits 22:0 of the product of bits 22:0, or bits 45:23. */
static inline uint32_t num_sfpu_mul24(uint32_t a, uint32_t b, bool upper)
{
    uint64_t p = (uint64_t)(a & 0x7fffff) * (b & 0x7fffff);
    return (uint32_t)(upper ? p >> 23 : p) & 0x7fffff;
}

/* ---- coefficients in tables ---- */

/* SFPLUT: {S, E3, M4}, exponents are negative; all ones is zero. */
static inline uint32_t num_sfpu_lut8(uint32_t t)
{
    uint32_t v = (t & 0x80) << 24 | (127 - (t >> 4 & 7)) << 23 | (t & 15) << 19;
    return v & num_sfpu_mask((t & 0xff) != 0xff);
}

/* SFPLUTFP32: {S, E5, M10}; the highest exponent means zero, the lowest one nothing special. */
static inline uint32_t num_sfpu_lut16(uint32_t t)
{
    uint32_t e = t >> 10 & 31;
    return (t & 0x8000) << 16 | ((e + 112) & num_sfpu_mask(e != 31)) << 23 | (t & 0x3ff) << 13;
}

/* A number whose order is that of signs and magnitudes, -0 below 0. */
static inline int32_t num_sfpu_key(uint32_t x)
{
    return (int32_t)(x ^ (0 - (x >> 31)) >> 1);
}

/* ---- conversions of SFPCAST ---- */

/* SM32 to FP32: to nearest even, or with seven bits of noise. */
static inline uint32_t num_sfpu_from_int(uint32_t c, bool random, uint32_t noise)
{
    uint32_t m = c & ~NUM_SFPU_SIGN;
    if (!m)
        return c;
    int z = __builtin_clz(m);
    m <<= z;
    uint32_t r = (uint32_t)(157 - z) << 23; /* the leading one adds one */
    r += m >> 8;
    uint32_t rest = m & 0xff;
    bool up = random ? (rest & 0xfe) > (noise >> 9 & 0xfe) : rest + (m >> 8 & 1) > 0x80;
    return (c & NUM_SFPU_SIGN) | (r + up);
}

/* Two's complement; 80000000 stays. */
static inline uint32_t num_sfpu_abs(uint32_t c)
{
    return c & NUM_SFPU_SIGN ? 0 - c : c;
}

/* Two's complement to SM32, and back: it is its own inverse. */
static inline uint32_t num_sfpu_sm32(uint32_t c)
{
    return (c & NUM_SFPU_SIGN) | num_sfpu_abs(c);
}

/* ---- roundings of SFPSTOCHRND. h: 23 bits; what is dropped rounds up from there on ---- */

enum { NUM_SFPU_NEAREST = 0x400000, NUM_SFPU_TO_ZERO = 0x7fffff };

/* FP32 to as many bits of fraction as are left when drop bits go. */
static inline uint32_t num_sfpu_shorten(uint32_t x, unsigned drop, uint32_t h)
{
    uint32_t e = x >> 23 & 255, unit = UINT32_C(1) << drop, from = h >> (23 - drop);
    uint32_t r = (x + (unit - from)) & (0 - unit); /* a carry from there on */
    r = num_sfpu_pick(e == 255, x & 0xff800000, r);
    return r & num_sfpu_mask(e != 0);
}

/* A magnitude with 23 bits behind the point to SM32, the sign where there is something to sign. */
static inline uint32_t num_sfpu_to_int(uint64_t m, uint32_t sign, uint32_t max, uint32_t h)
{
    uint64_t n = (m >> 23) + ((m & 0x7fffff) >= h);
    uint32_t r = n > max ? max : (uint32_t)n;
    return r ? r | sign : 0;
}

/* FP32 to an integer; sign is the mask of what is kept of the sign. Without branches, for many lanes at once. */
static inline uint32_t num_sfpu_float_to_int(uint32_t c, uint32_t sign, uint32_t max, uint32_t h)
{
    uint32_t e = c >> 23 & 255, m = 0x800000 | (c & 0x7fffff);
    uint32_t k = e < 126 ? 126 : e > 142 ? 142 : e; /* the others are dealt with below */
    uint32_t rest = (m << (k - 126) >> 1) & 0x7fffff, n = (m >> (150 - k)) + (rest >= h);
    n = n < max ? n : max;
    n = num_sfpu_pick(e >= 127 + 16, max, n) & num_sfpu_mask(e >= 126);
    return n | (c & sign & num_sfpu_mask(n != 0));
}

/* SM32 / 2^k */
static inline uint32_t num_sfpu_int_to_int(uint32_t c, unsigned k, uint32_t sign, uint32_t max,
                                           uint32_t h)
{
    return num_sfpu_to_int((uint64_t)(c & ~NUM_SFPU_SIGN) << 23 >> (k & 31), c & sign, max, h);
}

#endif
