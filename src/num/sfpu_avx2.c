/*
 * sfpu_avx2.c - work on the Vector Unit's 32 lanes with AVX2, eight at a time.
 *
 * The multiply-add is that of sfpu.h: both terms are integers in units of 2^(e - 153), where e is the greater term's
 * exponent, and what lies below is one bit that says that there was something. Their sum has less than 30 bits, and the
 * processor's conversion of integers to floats rounds it as the unit does. Lanes with infinities, NaNs, overflow
 * or results close to denormal ones go one by one.
 * Built only where the compiler can make AVX2 code, used only where the processor has it.
 *
 * ISA page: SFPMAD (Blackhole).
 *
 * Invariant: as in sfpu.h; floats are used only while the host rounds to nearest.
 *
 * Inaccuracies: those of sfpu.h.
 */
#include "num/sfpu.h"

#ifdef NUM_SFPU_AVX2

#include <immintrin.h>

#include "num/prng.h"

#define EIGHT 8u

#define AVX2_LANES __attribute__((target("avx2"))) static

AVX2_LANES inline __m256i sfpu_load(const uint32_t *v)
{
    return _mm256_loadu_si256((const __m256i *)v);
}

/* ---- multiply-add ---- */

AVX2_LANES inline __m256i sfpu_zeros(__m256i v)
{
    return _mm256_cmpeq_epi32(v, _mm256_setzero_si256());
}

AVX2_LANES inline __m256i sfpu_exponents(__m256i v)
{
    return _mm256_and_si256(_mm256_srli_epi32(v, 23), _mm256_set1_epi32(255));
}

/* With the hidden bit, also where there is none. */
AVX2_LANES inline __m256i sfpu_significands(__m256i v)
{
    return _mm256_or_si256(_mm256_and_si256(v, _mm256_set1_epi32(0x7fffff)),
                           _mm256_set1_epi32(0x800000));
}

/* num_sfpu_finite(): p, the product of two significands. */
AVX2_LANES inline __m256i sfpu_product(__m256i x, __m256i y)
{
    __m256i even = _mm256_mul_epu32(x, y);
    __m256i odd = _mm256_mul_epu32(_mm256_srli_epi64(x, 32), _mm256_srli_epi64(y, 32));
    __m256i p = _mm256_blend_epi32(_mm256_srli_epi64(even, 20), _mm256_slli_epi64(odd, 12), 0xaa);
    __m256i low = _mm256_blend_epi32(even, _mm256_slli_epi64(odd, 32), 0xaa);
    __m256i none = sfpu_zeros(_mm256_slli_epi32(low, 12));
    return _mm256_or_si256(p, _mm256_andnot_si256(none, _mm256_set1_epi32(1)));
}

/* num_sfpu_align() */
AVX2_LANES inline __m256i sfpu_align(__m256i m, __m256i n)
{
    __m256i r = _mm256_srlv_epi32(m, n), back = _mm256_sllv_epi32(r, n);
    __m256i none = _mm256_or_si256(_mm256_cmpeq_epi32(back, m), sfpu_zeros(r));
    return _mm256_or_si256(r, _mm256_andnot_si256(none, _mm256_set1_epi32(1)));
}

/* v, or -v where sign is all ones. */
AVX2_LANES inline __m256i sfpu_negate(__m256i v, __m256i sign)
{
    return _mm256_sub_epi32(_mm256_xor_si256(v, sign), sign);
}

/* Eight lanes; those of *one are all ones where the result is not right: the lane has to go alone. */
AVX2_LANES inline __m256i sfpu_eight(__m256i x, __m256i y, __m256i z, __m256i *one)
{
    __m256i ex = sfpu_exponents(x), ey = sfpu_exponents(y), ez = sfpu_exponents(z);
    __m256i ep = _mm256_sub_epi32(_mm256_add_epi32(ex, ey), _mm256_set1_epi32(127));
    __m256i top = _mm256_max_epi32(_mm256_max_epi32(ex, ey), _mm256_max_epi32(ez, ep));
    __m256i special = _mm256_cmpgt_epi32(top, _mm256_set1_epi32(254));
    __m256i p = sfpu_product(sfpu_significands(x), sfpu_significands(y));
    __m256i c = _mm256_slli_epi32(sfpu_significands(z), 3);
    /* a factor is zero, or the product is too small: there is none */
    __m256i no_product =
        _mm256_or_si256(sfpu_zeros(_mm256_min_epi32(ex, ey)), _mm256_srai_epi32(ep, 31));
    p = _mm256_andnot_si256(no_product, p);
    ep = _mm256_andnot_si256(no_product, ep);
    c = _mm256_andnot_si256(sfpu_zeros(ez), c);

    __m256i e = _mm256_max_epi32(ep, ez), sp = _mm256_xor_si256(x, y);
    __m256i q = sfpu_align(p, _mm256_sub_epi32(e, ep)), a = sfpu_align(c, _mm256_sub_epi32(e, ez));
    __m256i m = _mm256_add_epi32(sfpu_negate(q, _mm256_srai_epi32(sp, 31)),
                                 sfpu_negate(a, _mm256_srai_epi32(z, 31)));
    __m256i f = _mm256_castps_si256(_mm256_cvtepi32_ps(m));
    __m256i scale = _mm256_sub_epi32(e, _mm256_set1_epi32(153));
    __m256i r = _mm256_add_epi32(f, _mm256_slli_epi32(scale, 23));

    /* exponents 2 to 254; a smaller one may have come from below 1 by rounding */
    __m256i er = _mm256_add_epi32(sfpu_exponents(f), scale);
    er = _mm256_sub_epi32(er, _mm256_set1_epi32(2));
    __m256i range = _mm256_cmpeq_epi32(_mm256_min_epu32(er, _mm256_set1_epi32(252)), er);
    __m256i zero = sfpu_zeros(m), sign = _mm256_set1_epi32(INT32_MIN);
    *one = _mm256_or_si256(
        special, _mm256_andnot_si256(_mm256_or_si256(range, zero), _mm256_set1_epi32(-1)));
    return _mm256_blendv_epi8(r, _mm256_and_si256(_mm256_and_si256(sp, z), sign), zero);
}

/* Lanes of eight one by one, bit per lane. */
__attribute__((target("avx2"), noinline)) static __m256i sfpu_ones(__m256i x, __m256i y, __m256i z,
                                                                   __m256i r, unsigned ones)
{
    uint32_t a[EIGHT], b[EIGHT], c[EIGHT], d[EIGHT];
    _mm256_storeu_si256((__m256i *)a, x);
    _mm256_storeu_si256((__m256i *)b, y);
    _mm256_storeu_si256((__m256i *)c, z);
    _mm256_storeu_si256((__m256i *)d, r);
    for (; ones; ones &= ones - 1) {
        unsigned i = (unsigned)__builtin_ctz(ones);
        d[i] = num_sfpu_mad(a[i], b[i], c[i]);
    }
    return sfpu_load(d);
}

bool num_sfpu_avx2_usual(void)
{
    return (_mm_getcsr() & 0xffc0) == 0x1f80;
}

/* The host does not round to nearest. */
static void sfpu_unusual(const uint32_t *x, const uint32_t *y, const uint32_t *z, uint32_t sign_y,
                         uint32_t sign_z, uint32_t *d)
{
    for (unsigned i = 0; i < NUM_SFPU_LANES; i++)
        d[i] = num_sfpu_mad(x[i], y[i] ^ sign_y, z[i] ^ sign_z);
}

__attribute__((target("avx2"))) void num_sfpu_avx2_mads_signed(const uint32_t *x, const uint32_t *y,
                                                               const uint32_t *z, uint32_t sign_y,
                                                               uint32_t sign_z, uint32_t *d)
{
    if (!num_sfpu_avx2_usual()) {
        sfpu_unusual(x, y, z, sign_y, sign_z, d);
        return;
    }
    for (unsigned i = 0; i < NUM_SFPU_LANES; i += EIGHT) {
        __m256i a = sfpu_load(x + i), one;
        __m256i b = _mm256_xor_si256(sfpu_load(y + i), _mm256_set1_epi32((int)sign_y));
        __m256i c = _mm256_xor_si256(sfpu_load(z + i), _mm256_set1_epi32((int)sign_z));
        __m256i r = sfpu_eight(a, b, c, &one);
        unsigned ones = (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(one));
        if (!LIKELY(!ones))
            r = sfpu_ones(a, b, c, r, ones);
        _mm256_storeu_si256((__m256i *)(d + i), r);
    }
}

void num_sfpu_avx2_mads(const uint32_t *x, const uint32_t *y, const uint32_t *z, uint32_t *d)
{
    num_sfpu_avx2_mads_signed(x, y, z, 0, 0, d);
}

/* ---- other work on 32 lanes ---- */

/* Bit 31 of each of eight lanes. */
AVX2_LANES inline uint32_t sfpu_top_bits(__m256i v)
{
    return (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(v));
}

AVX2_LANES uint32_t avx2_negative(const uint32_t *v)
{
    uint32_t m = 0;
    for (unsigned i = 0; i < NUM_SFPU_LANES; i += EIGHT)
        m |= sfpu_top_bits(sfpu_load(v + i)) << i;
    return m;
}

AVX2_LANES uint32_t avx2_zero(const uint32_t *v)
{
    uint32_t m = 0;
    for (unsigned i = 0; i < NUM_SFPU_LANES; i += EIGHT)
        m |= sfpu_top_bits(_mm256_cmpeq_epi32(sfpu_load(v + i), _mm256_setzero_si256())) << i;
    return m;
}

AVX2_LANES inline __m256i sfpu_keys(__m256i v)
{
    return _mm256_xor_si256(v, _mm256_srli_epi32(_mm256_srai_epi32(v, 31), 1));
}

AVX2_LANES uint32_t avx2_greater(const uint32_t *a, const uint32_t *b)
{
    uint32_t m = 0;
    for (unsigned i = 0; i < NUM_SFPU_LANES; i += EIGHT) {
        __m256i x = sfpu_keys(sfpu_load(a + i)), y = sfpu_keys(sfpu_load(b + i));
        m |= sfpu_top_bits(_mm256_cmpgt_epi32(x, y)) << i;
    }
    return m;
}

AVX2_LANES void avx2_from_int(const uint32_t *c, uint32_t *d)
{
    const __m256i sign = _mm256_set1_epi32(INT32_MIN);
    if (!num_sfpu_avx2_usual()) {
        num_sfpu_plain.from_int(c, d);
        return;
    }
    for (unsigned i = 0; i < NUM_SFPU_LANES; i += EIGHT) {
        __m256i v = sfpu_load(c + i);
        __m256i r = _mm256_castps_si256(_mm256_cvtepi32_ps(_mm256_andnot_si256(sign, v)));
        _mm256_storeu_si256((__m256i *)(d + i), _mm256_or_si256(r, _mm256_and_si256(sign, v)));
    }
}

AVX2_LANES void avx2_shorten(const uint32_t *c, unsigned drop, uint32_t h, uint32_t *d)
{
    HOT_LOOP
    for (unsigned i = 0; i < NUM_SFPU_LANES; i++)
        d[i] = num_sfpu_shorten(c[i], drop, h);
}

/* num_sfpu_float_to_int() to nearest: what has no bit left from 1/2 on is 0 by itself. */
AVX2_LANES inline __m256i sfpu_nearest(__m256i v, uint32_t sign, uint32_t max)
{
    const __m256i one = _mm256_set1_epi32(1);
    __m256i e = sfpu_exponents(v);
    __m256i n =
        _mm256_srlv_epi32(sfpu_significands(v), _mm256_sub_epi32(_mm256_set1_epi32(149), e));
    n = _mm256_srli_epi32(_mm256_add_epi32(n, one), 1);
    n = _mm256_or_si256(n, _mm256_cmpgt_epi32(e, _mm256_set1_epi32(142))); /* too large */
    n = _mm256_min_epu32(n, _mm256_set1_epi32((int)max));
    __m256i signs = _mm256_and_si256(v, _mm256_set1_epi32((int)sign));
    return _mm256_or_si256(n, _mm256_andnot_si256(sfpu_zeros(n), signs));
}

AVX2_LANES void avx2_to_int(const uint32_t *c, uint32_t sign, uint32_t max, uint32_t h, uint32_t *d)
{
    if (h == NUM_SFPU_NEAREST) {
        for (unsigned i = 0; i < NUM_SFPU_LANES; i += EIGHT)
            _mm256_storeu_si256((__m256i *)(d + i), sfpu_nearest(sfpu_load(c + i), sign, max));
        return;
    }
    HOT_LOOP
    for (unsigned i = 0; i < NUM_SFPU_LANES; i++)
        d[i] = num_sfpu_float_to_int(c[i], sign, max, h);
}

AVX2_LANES void avx2_noise(const uint32_t *state, uint32_t *next)
{
    HOT_LOOP
    for (unsigned i = 0; i < NUM_SFPU_LANES; i++)
        next[i] = prng_step(state[i]);
}

const struct num_sfpu_lanes num_sfpu_avx2 = {.negative = avx2_negative,
                                             .zero = avx2_zero,
                                             .greater = avx2_greater,
                                             .from_int = avx2_from_int,
                                             .shorten = avx2_shorten,
                                             .to_int = avx2_to_int,
                                             .noise = avx2_noise};

#else

const struct num_sfpu_lanes num_sfpu_avx2;

#endif
