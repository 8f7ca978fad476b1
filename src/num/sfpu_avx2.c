/*
 * sfpu_avx2.c - the multiply-add of 32 lanes with AVX2 and, where the processor has it, with its fused multiply-add.
 *
 * The exact way is that of sfpu.c; that it has no branches lets the compiler take eight lanes at once. The fast way asks
 * the processor for x * y + z, rounded once, and keeps it where that is the same: the unit's sum has 27 bits and knows
 * of lost ones only that there were some: its last bit is 1 then. That is enough if the other term is even, and the
 * result not shorter than the sum by two bits or more. Eight lanes in which one is not sure go the exact way.
 * Built only where the compiler can make AVX2 code, used only where the processor has it.
 *
 * ISA page: SFPMAD (Blackhole).
 *
 * Invariant: as in sfpu.h; the fast way is taken only while the host rounds to nearest and keeps denormals.
 *
 * Inaccuracies: those of sfpu.h.
 */
#include "num/sfpu.h"

#ifdef NUM_SFPU_AVX2

#include <immintrin.h>

#include "num/prng.h"

#define EIGHT 8u

/* Eight lanes the exact way. */
__attribute__((target("avx2"), noinline)) static void
sfpu_exact(const uint32_t *x, const uint32_t *y, const uint32_t *z, uint32_t *d)
{
    uint32_t r[EIGHT], special = 0;
    for (unsigned i = 0; i < EIGHT; i++) {
        r[i] = num_sfpu_finite(x[i], y[i], z[i]);
        special |= num_sfpu_special(x[i], y[i], z[i]);
    }
    if (special)
        for (unsigned i = 0; i < EIGHT; i++)
            if (num_sfpu_special(x[i], y[i], z[i]))
                r[i] = num_sfpu_infinite(x[i], y[i], z[i]);
    memcpy(d, r, sizeof r);
}

/* Eight lanes the fast way; lanes of *sure are all ones where the result is right. */
__attribute__((target("avx2,fma"))) static inline __m256i sfpu_fused(__m256i x, __m256i y,
                                                                     __m256i z, __m256i *sure)
{
    const __m256i magnitude = _mm256_set1_epi32(0x7fffffff), byte = _mm256_set1_epi32(255);
    const __m256i none = _mm256_setzero_si256();
    __m256i ex = _mm256_and_si256(_mm256_srli_epi32(x, 23), byte);
    __m256i ey = _mm256_and_si256(_mm256_srli_epi32(y, 23), byte);
    __m256i ez = _mm256_and_si256(_mm256_srli_epi32(z, 23), byte);
    __m256i ep = _mm256_sub_epi32(_mm256_add_epi32(ex, ey), _mm256_set1_epi32(127));
    /* infinite, NaN, or too large by itself */
    __m256i top = _mm256_max_epi32(_mm256_max_epi32(ex, ey), _mm256_max_epi32(ez, ep));
    __m256i odd = _mm256_cmpgt_epi32(top, _mm256_set1_epi32(254));
    /* no product: a factor is zero, or it is too small */
    ep = _mm256_or_si256(ep, _mm256_cmpeq_epi32(_mm256_min_epi32(ex, ey), none));
    __m256i no_product = _mm256_srai_epi32(ep, 31);
    x = _mm256_andnot_si256(_mm256_and_si256(no_product, magnitude), x);
    /* no addend: it is zero, or shifted out as a whole */
    __m256i ahead = _mm256_sub_epi32(ep, ez);
    __m256i no_addend = _mm256_or_si256(_mm256_cmpeq_epi32(ez, none),
                                        _mm256_cmpgt_epi32(ahead, _mm256_set1_epi32(26)));
    z = _mm256_andnot_si256(_mm256_and_si256(no_addend, magnitude), z);
    ez = _mm256_andnot_si256(no_addend, ez);
    /* the addend reaches the last bit, which says that the product has lost some */
    __m256i lossy = _mm256_andnot_si256(no_addend, _mm256_cmpgt_epi32(ahead, _mm256_set1_epi32(2)));
    if (!_mm256_testz_si256(lossy, lossy)) { /* not where the product has none there, nor below */
        const __m256i fraction = _mm256_set1_epi32(0x7fffff), hidden = _mm256_set1_epi32(0x800000);
        __m256i p = _mm256_mullo_epi32(_mm256_or_si256(_mm256_and_si256(x, fraction), hidden),
                                       _mm256_or_si256(_mm256_and_si256(y, fraction), hidden));
        p = _mm256_cmpeq_epi32(_mm256_slli_epi32(p, 11), none);
        lossy = _mm256_andnot_si256(p, lossy);
    }
    __m256i r = _mm256_castps_si256(
        _mm256_fmadd_ps(_mm256_castsi256_ps(x), _mm256_castsi256_ps(y), _mm256_castsi256_ps(z)));
    __m256i er = _mm256_and_si256(_mm256_srli_epi32(r, 23), byte);
    __m256i low = _mm256_sub_epi32(_mm256_max_epi32(ep, ez), _mm256_set1_epi32(2));
    __m256i good = _mm256_cmpgt_epi32(er, _mm256_max_epi32(low, none)); /* long enough, normal */
    good = _mm256_or_si256(good, _mm256_and_si256(no_product, no_addend));
    *sure = _mm256_andnot_si256(_mm256_or_si256(odd, lossy), good);
    return r;
}

/* Eight lanes of which some are not sure. Where these are infinite or NaN the others can stay. */
__attribute__((target("avx2"), noinline)) static void sfpu_unsure(const uint32_t *x,
                                                                  const uint32_t *y,
                                                                  const uint32_t *z, __m256i fused,
                                                                  unsigned unsure, uint32_t *d)
{
    uint32_t r[EIGHT];
    _mm256_storeu_si256((__m256i *)r, fused);
    for (; unsure; unsure &= unsure - 1) {
        unsigned i = (unsigned)__builtin_ctz(unsure);
        if (!num_sfpu_special(x[i], y[i], z[i])) {
            sfpu_exact(x, y, z, d);
            return;
        }
        r[i] = num_sfpu_infinite(x[i], y[i], z[i]);
    }
    memcpy(d, r, sizeof r);
}

bool num_sfpu_usual(void)
{
    return (_mm_getcsr() & 0xffc0) == 0x1f80;
}

__attribute__((target("avx2,fma"))) static void
sfpu_mads_fused(const uint32_t *x, const uint32_t *y, const uint32_t *z, uint32_t *d)
{
    for (unsigned i = 0; i < NUM_SFPU_LANES; i += EIGHT) {
        __m256i sure, r = sfpu_fused(_mm256_loadu_si256((const __m256i *)(x + i)),
                                     _mm256_loadu_si256((const __m256i *)(y + i)),
                                     _mm256_loadu_si256((const __m256i *)(z + i)),
                                     &sure);
        unsigned unsure = 0xff & ~(unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(sure));
        if (LIKELY(!unsure))
            _mm256_storeu_si256((__m256i *)(d + i), r);
        else
            sfpu_unsure(x + i, y + i, z + i, r, unsure, d + i);
    }
}

__attribute__((target("avx2"))) void num_sfpu_mads_avx2(const uint32_t *x, const uint32_t *y,
                                                        const uint32_t *z, uint32_t *d)
{
    if (__builtin_cpu_supports("fma") && num_sfpu_usual()) {
        sfpu_mads_fused(x, y, z, d);
        return;
    }
    for (unsigned i = 0; i < NUM_SFPU_LANES; i += EIGHT)
        sfpu_exact(x + i, y + i, z + i, d + i);
}

/* ---- other work on 32 lanes ---- */

#define AVX2_LANES __attribute__((target("avx2"))) static

AVX2_LANES inline __m256i sfpu_load(const uint32_t *v)
{
    return _mm256_loadu_si256((const __m256i *)v);
}

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
    if (!num_sfpu_usual()) {
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
    for (unsigned i = 0; i < NUM_SFPU_LANES; i++)
        d[i] = num_sfpu_shorten(c[i], drop, h);
}

AVX2_LANES void avx2_to_int(const uint32_t *c, uint32_t sign, uint32_t max, uint32_t h, uint32_t *d)
{
    for (unsigned i = 0; i < NUM_SFPU_LANES; i++)
        d[i] = num_sfpu_float_to_int(c[i], sign, max, h);
}

AVX2_LANES void avx2_noise(const uint32_t *state, uint32_t *next)
{
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
