/*
 * sfpu_quick.h - sums and products of 32 lanes in the usual case, with the host's fused multiply-add; to be built into
 * code for AVX2.
 *
 * One test for all lanes says whether the unit's partly fused sum is the fused one. The unit's sum has 27 bits, and of
 * what lies below it knows that there was something: its last bit is 1 then. That is enough if the other term is even
 * there, and the result not shorter than the sum by two bits or more. So: factors and addend are zero or not small,
 * nothing is infinite, the addend does not lie so far below the product that it meets that bit, and the result has nearly
 * as many bits as the greater term. The last two do not matter if a factor is 1.0: what could cancel then is exact.
 * Exponents are compared as parts of whole patterns, whose differences are at least as strict. sfpu_avx2.c does the rest.
 *
 * ISA page: SFPMAD (Blackhole).
 *
 * Invariant: as in sfpu.h; only to be used while num_sfpu_avx2_usual(). Where a function says false it has done nothing, and d
 * may be one of the operands.
 *
 * Inaccuracies: those of sfpu.h.
 */
#ifndef WG_NUM_SFPU_QUICK_H
#define WG_NUM_SFPU_QUICK_H

#include "num/sfpu.h"

#ifdef NUM_SFPU_AVX2

#include <immintrin.h>

#define NUM_SFPU_QUICK __attribute__((target("avx2,fma"), always_inline)) static inline

/* What an operand is: a register, or a number for all lanes. The same for all lanes of a call, and a constant. */
enum num_sfpu_operand { NUM_SFPU_REGISTER, NUM_SFPU_NUMBER };

/* Eight lanes of it from lane i on, with the sign changed by a mask. */
NUM_SFPU_QUICK __m256i num_sfpu_quick_eight(const uint32_t *v, unsigned i,
                                            enum num_sfpu_operand kind, uint32_t sign)
{
    __m256i x = kind == NUM_SFPU_NUMBER ? _mm256_set1_epi32((int)*v)
                                        : _mm256_loadu_si256((const __m256i *)(v + i));
    return _mm256_xor_si256(x, _mm256_set1_epi32((int)sign));
}

NUM_SFPU_QUICK __m256i num_sfpu_quick_magnitude(__m256i v)
{
    return _mm256_and_si256(v, _mm256_set1_epi32(0x7fffffff));
}

/* The lowest of these and a magnitude, of which zero is taken for the greatest. */
NUM_SFPU_QUICK __m256i num_sfpu_quick_lowest(__m256i low, __m256i v)
{
    return _mm256_min_epu32(low, _mm256_add_epi32(v, _mm256_set1_epi32(-1)));
}

/* Products of factors that are zero or at least 2^-62 are zero or normal; no sum of these is too small, either. */
#define NUM_SFPU_SMALL 0x20800000

/* Is nothing small, nothing greater than a pattern, and nothing bad? */
NUM_SFPU_QUICK bool num_sfpu_quick_good(__m256i low, __m256i high, int32_t highest, __m256i bad)
{
    const __m256i small = _mm256_set1_epi32(NUM_SFPU_SMALL - 1);
    bad = _mm256_or_si256(bad, _mm256_cmpgt_epi32(high, _mm256_set1_epi32(highest)));
    __m256i good = _mm256_cmpeq_epi32(_mm256_max_epu32(low, small), low);
    return _mm256_testc_si256(_mm256_andnot_si256(bad, good), _mm256_set1_epi32(-1));
}

NUM_SFPU_QUICK void num_sfpu_quick_put(uint32_t *d, const __m256i r[4])
{
#pragma GCC unroll 4
    for (unsigned i = 0; i < 4; i++)
        _mm256_storeu_si256((__m256i *)(d + 8 * i), r[i]);
}

/* d := x * (y ^ sign) + zero, which is 0 or -0 */
NUM_SFPU_QUICK bool num_sfpu_quick_mul(const uint32_t *x, enum num_sfpu_operand kind,
                                       const uint32_t *y, uint32_t sign, uint32_t zero, uint32_t *d)
{
    __m256i low = _mm256_set1_epi32(-1), high = _mm256_setzero_si256(), r[4];
#pragma GCC unroll 4
    for (unsigned i = 0; i < 4; i++) {
        __m256i a = num_sfpu_quick_eight(x, 8 * i, kind, 0);
        __m256i b = num_sfpu_quick_eight(y, 8 * i, NUM_SFPU_REGISTER, sign);
        r[i] =
            _mm256_castps_si256(_mm256_fmadd_ps(_mm256_castsi256_ps(a),
                                                _mm256_castsi256_ps(b),
                                                _mm256_castsi256_ps(_mm256_set1_epi32((int)zero))));
        low = num_sfpu_quick_lowest(low, num_sfpu_quick_magnitude(a));
        low = num_sfpu_quick_lowest(low, num_sfpu_quick_magnitude(b));
        high = _mm256_max_epi32(high, num_sfpu_quick_magnitude(r[i]));
    }
    if (!LIKELY(num_sfpu_quick_good(low, high, 0x7f7fffff, _mm256_setzero_si256())))
        return false;
    num_sfpu_quick_put(d, r);
    return true;
}

/* d := (x ^ sign_x) * 1.0 + (z ^ sign_z) */
NUM_SFPU_QUICK bool num_sfpu_quick_add(const uint32_t *x, enum num_sfpu_operand kind,
                                       const uint32_t *z, uint32_t sign_x, uint32_t sign_z,
                                       uint32_t *d)
{
    __m256i low = _mm256_set1_epi32(-1), high = _mm256_setzero_si256(), r[4];
#pragma GCC unroll 4
    for (unsigned i = 0; i < 4; i++) {
        __m256i a = num_sfpu_quick_eight(x, 8 * i, kind, sign_x);
        __m256i c = num_sfpu_quick_eight(z, 8 * i, NUM_SFPU_REGISTER, sign_z);
        r[i] = _mm256_castps_si256(_mm256_add_ps(_mm256_castsi256_ps(a), _mm256_castsi256_ps(c)));
        a = num_sfpu_quick_magnitude(a);
        c = num_sfpu_quick_magnitude(c);
        low = num_sfpu_quick_lowest(num_sfpu_quick_lowest(low, a), c);
        high = _mm256_max_epi32(_mm256_max_epi32(high, a), c);
    }
    if (!LIKELY(num_sfpu_quick_good(low, high, 0x7effffff, _mm256_setzero_si256())))
        return false;
    num_sfpu_quick_put(d, r);
    return true;
}

/* d := x * (y ^ sign_y) + (z ^ sign_z) */
NUM_SFPU_QUICK bool num_sfpu_quick_mad(const uint32_t *x, const uint32_t *y, const uint32_t *z,
                                       uint32_t sign_y, uint32_t sign_z, uint32_t *d)
{
    __m256i low = _mm256_set1_epi32(-1), high = _mm256_setzero_si256(), lead = high, loss = high;
    __m256i r[4];
#pragma GCC unroll 4
    for (unsigned i = 0; i < 4; i++) {
        __m256i a = num_sfpu_quick_eight(x, 8 * i, NUM_SFPU_REGISTER, 0);
        __m256i b = num_sfpu_quick_eight(y, 8 * i, NUM_SFPU_REGISTER, sign_y);
        __m256i c = num_sfpu_quick_eight(z, 8 * i, NUM_SFPU_REGISTER, sign_z);
        r[i] = _mm256_castps_si256(_mm256_fmadd_ps(
            _mm256_castsi256_ps(a), _mm256_castsi256_ps(b), _mm256_castsi256_ps(c)));
        a = num_sfpu_quick_magnitude(a);
        b = num_sfpu_quick_magnitude(b);
        c = num_sfpu_quick_magnitude(c);
        low = num_sfpu_quick_lowest(num_sfpu_quick_lowest(num_sfpu_quick_lowest(low, a), b), c);
        /* zero times infinity has a sign */
        __m256i p = num_sfpu_quick_magnitude(
            _mm256_castps_si256(_mm256_mul_ps(_mm256_castsi256_ps(a), _mm256_castsi256_ps(b))));
        __m256i greater = _mm256_max_epi32(p, c), m = num_sfpu_quick_magnitude(r[i]);
        high = _mm256_max_epi32(high, greater);
        lead = _mm256_max_epi32(lead, _mm256_sub_epi32(p, c));
        loss = _mm256_max_epi32(loss, _mm256_sub_epi32(greater, m));
    }
    __m256i bad = _mm256_cmpgt_epi32(lead, _mm256_set1_epi32(2 << 23));
    bad = _mm256_or_si256(bad, _mm256_cmpgt_epi32(loss, _mm256_set1_epi32(1 << 23)));
    if (!LIKELY(num_sfpu_quick_good(low, high, 0x7effffff, bad)))
        return false;
    num_sfpu_quick_put(d, r);
    return true;
}

#endif

#endif
