/*
 * sfpu_quick.h - the multiply-add of 32 lanes in the usual case, with the host's fused one; to be built into code for
 * AVX2.
 *
 * One test for all lanes says whether the partly fused sum is the fused one: factors and addend are zero or not small,
 * nothing is infinite, the addend does not lie so far below the product that it meets the bit that stands for
 * what the product has lost, and the result has nearly as many bits as the greater term. The last two do not matter if a
 * factor is 1.0: what could cancel then is exact. Exponents are compared as parts of whole patterns, whose differences
 * are at least as strict. sfpu_avx2.c says why this is enough, and does the rest.
 *
 * ISA page: SFPMAD (Blackhole).
 *
 * Invariant: as in sfpu.h; only to be used while num_sfpu_usual().
 *
 * Inaccuracies: those of sfpu.h.
 */
#ifndef WG_NUM_SFPU_QUICK_H
#define WG_NUM_SFPU_QUICK_H

#include "num/sfpu.h"

enum num_sfpu_kind {
    NUM_SFPU_MAD,
    NUM_SFPU_MUL, /* all addends are 0 */
    NUM_SFPU_ADD  /* a factor is 1.0, so the product loses nothing */
};

#ifdef NUM_SFPU_AVX2

#include <immintrin.h>

#define NUM_SFPU_QUICK __attribute__((target("avx2,fma"), always_inline)) static inline

NUM_SFPU_QUICK __m256i num_sfpu_eight(const uint32_t *v)
{
    return _mm256_loadu_si256((const __m256i *)v);
}

/* Products of factors that are zero or at least 2^-62 are zero or normal. */
#define NUM_SFPU_SMALL 0x20800000

/* d := x * (y ^ sign_y) + (z ^ sign_z) if all lanes are usual ones, else false; d may be one of the others. kind: a constant. */
NUM_SFPU_QUICK bool num_sfpu_quick(const uint32_t *x, const uint32_t *y, const uint32_t *z,
                                   uint32_t sign_y, uint32_t sign_z, enum num_sfpu_kind kind,
                                   uint32_t *d)
{
    const __m256i magnitude = _mm256_set1_epi32(0x7fffffff), minus_one = _mm256_set1_epi32(-1);
    const __m256i sy = _mm256_set1_epi32((int)sign_y), sz = _mm256_set1_epi32((int)sign_z);
    __m256i low = minus_one, high = _mm256_setzero_si256(), lead = high, loss = high, r[4];
#pragma GCC unroll 4
    for (unsigned i = 0; i < 4; i++) {
        __m256i a = num_sfpu_eight(x + 8 * i), b = _mm256_xor_si256(num_sfpu_eight(y + 8 * i), sy);
        __m256i c = kind == NUM_SFPU_MUL ? sz : _mm256_xor_si256(num_sfpu_eight(z + 8 * i), sz);
        r[i] = _mm256_castps_si256(_mm256_fmadd_ps(
            _mm256_castsi256_ps(a), _mm256_castsi256_ps(b), _mm256_castsi256_ps(c)));
        a = _mm256_and_si256(a, magnitude);
        b = _mm256_and_si256(b, magnitude);
        __m256i m = _mm256_and_si256(r[i], magnitude);
        low = _mm256_min_epu32(low, _mm256_add_epi32(a, minus_one)); /* zero becomes the greatest */
        low = _mm256_min_epu32(low, _mm256_add_epi32(b, minus_one));
        high = _mm256_max_epi32(high, m);
        if (kind == NUM_SFPU_MUL)
            continue;
        __m256i p =
            _mm256_castps_si256(_mm256_mul_ps(_mm256_castsi256_ps(a), _mm256_castsi256_ps(b)));
        c = _mm256_and_si256(c, magnitude);
        low = _mm256_min_epu32(low, _mm256_add_epi32(c, minus_one));
        __m256i greater = _mm256_max_epi32(p, c);
        high = _mm256_max_epi32(high, greater);
        if (kind == NUM_SFPU_ADD)
            continue;
        lead = _mm256_max_epi32(lead, _mm256_sub_epi32(p, c));
        loss = _mm256_max_epi32(loss, _mm256_sub_epi32(greater, m));
    }
    const __m256i small = _mm256_set1_epi32(NUM_SFPU_SMALL - 1);
    __m256i bad = _mm256_cmpgt_epi32(high, _mm256_set1_epi32(0x7f7fffff));
    bad = _mm256_or_si256(bad, _mm256_cmpgt_epi32(lead, _mm256_set1_epi32(2 << 23)));
    bad = _mm256_or_si256(bad, _mm256_cmpgt_epi32(loss, _mm256_set1_epi32(1 << 23)));
    __m256i good = _mm256_cmpeq_epi32(_mm256_max_epu32(low, small), low);
    if (!_mm256_testc_si256(_mm256_andnot_si256(bad, good), minus_one))
        return false;
#pragma GCC unroll 4
    for (unsigned i = 0; i < 4; i++)
        _mm256_storeu_si256((__m256i *)(d + 8 * i), r[i]);
    return true;
}

#endif

#endif
