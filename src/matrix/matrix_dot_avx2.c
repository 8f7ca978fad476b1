/*
 * matrix_dot_avx2.c - the dot product of MVMUL and GAPOOL, sixteen columns at a time.
 *
 * The same arithmetic as matrix_dot_plain(), bit for bit; the tests compare them. Built only where the
 * compiler can make AVX2 code, used only where the processor has it.
 *
 * Products and exponents of one SrcB datum with a row of SrcA are sixteen 16-bit lanes. Rounding a
 * product q down by d bits, half away from zero, is one multiplication: pmulhrsw gives
 * (2q * 2^(14-d) + 2^14) >> 15, and 2^(14-d) comes from a table in a register. A shift of 14 already gives
 * 0 for every product (12 bits), so d stops there.
 *
 * Inaccuracies: those of matrix_dot_plain().
 */
#include "matrix/matrix_dot.h"

#ifdef MATRIX_DOT_AVX2

#include <immintrin.h>

#define AVX2        __attribute__((target("avx2")))
#define AVX2_INLINE __attribute__((target("avx2"), always_inline)) static inline

#ifdef __clang__
#define UNROLL8 _Pragma("clang loop unroll(full)")
#else
#define UNROLL8 _Pragma("GCC unroll 8")
#endif

enum {
    BIAS = 8192,     /* of exponents in lanes: they stay positive */
    NOWHERE = -2048, /* a zero's exponent: far below all others */
    FRACTION_TOP = 23,
    SHIFT_MAX = 14,
    PRODUCT_SCALE = 13
};

/* Operands as 16-bit lanes: exponents, and signed parts of significands. A zero has part 0 and an
   exponent far below all others. */
struct dot_lanes {
    __m256i exponent[16], part[16];
};

struct dot_scalars {
    int16_t exponent[8][16], part[8][16];
};

/* The low and the high 16 bits of a row of sixteen 32-bit datums. */
AVX2_INLINE void dot_halves(const uint32_t *row, uint32_t mask, __m256i *low, __m256i *high)
{
    __m256i keep = _mm256_set1_epi32((int)mask), ones = _mm256_set1_epi32(0xffff);
    __m256i r0 = _mm256_and_si256(_mm256_loadu_si256((const __m256i *)(const void *)row), keep);
    __m256i r1 =
        _mm256_and_si256(_mm256_loadu_si256((const __m256i *)(const void *)(row + 8)), keep);
    __m256i l = _mm256_packus_epi32(_mm256_and_si256(r0, ones), _mm256_and_si256(r1, ones));
    __m256i h = _mm256_packus_epi32(_mm256_srli_epi32(r0, 16), _mm256_srli_epi32(r1, 16));
    *low = _mm256_permute4x64_epi64(l, 0xd8);
    *high = _mm256_permute4x64_epi64(h, 0xd8);
}

/* Exponent plus base, and signed part, which is (significand >> right & mask) << left. */
AVX2_INLINE void dot_decode(const uint32_t *row, uint32_t keep, int base, int zero_exponent,
                            unsigned right, unsigned mask, unsigned left, __m256i *exponent,
                            __m256i *part)
{
    __m256i low, high;
    dot_halves(row, keep, &low, &high);
    __m256i e = _mm256_srli_epi16(_mm256_slli_epi16(high, 1), 8);
    __m256i zero = _mm256_cmpeq_epi16(e, _mm256_setzero_si256());
    __m256i m =
        _mm256_or_si256(_mm256_srli_epi16(low, 13),
                        _mm256_slli_epi16(_mm256_and_si256(high, _mm256_set1_epi16(0x7f)), 3));
    m = _mm256_or_si256(m, _mm256_set1_epi16(1024));
    m = _mm256_and_si256(_mm256_srl_epi16(m, _mm_cvtsi32_si128((int)right)),
                         _mm256_set1_epi16((short)mask));
    m = _mm256_andnot_si256(zero, _mm256_sll_epi16(m, _mm_cvtsi32_si128((int)left)));
    __m256i sign = _mm256_srai_epi16(high, 15);
    *part = _mm256_sub_epi16(_mm256_xor_si256(m, sign), sign);
    *exponent = _mm256_blendv_epi8(_mm256_add_epi16(e, _mm256_set1_epi16((short)base)),
                                   _mm256_set1_epi16((short)zero_exponent),
                                   zero);
}

/* SrcA's parts are doubled: the rounding multiplication wants 2q. */
AVX2_INLINE void dot_decode_all(const struct matrix_dot *m, struct dot_lanes *a,
                                struct dot_scalars *b)
{
    bool low_a = m->phase & 1, low_b = m->phase & 2;
    for (unsigned k = 0; k < 16; k++)
        dot_decode(
            m->a[k], m->mask_a, 0, NOWHERE, low_a ? 1 : 6, 31, 1, &a->exponent[k], &a->part[k]);
    for (unsigned i = 0; i < m->rows; i++) {
        __m256i e, p;
        dot_decode(m->b[i],
                   m->mask_b,
                   m->k + BIAS,
                   BIAS + NOWHERE,
                   low_b ? 0 : 4,
                   low_b ? 15 : 127,
                   low_b ? 3 : 0,
                   &e,
                   &p);
        _mm256_storeu_si256((__m256i *)(void *)b->exponent[i], e);
        _mm256_storeu_si256((__m256i *)(void *)b->part[i], p);
    }
}

/* Eight products: the common exponent, and the sum of the products aligned to it. */
AVX2_INLINE void dot_group(const struct dot_lanes *a, const int16_t *eb, const int16_t *pb,
                           unsigned first, __m256i z, __m256i *exponent, __m256i *sum)
{
    const __m256i table = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(1, 2, 4, 8, 16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0, 0));
    const __m256i twice = _mm256_set1_epi16(0x0101), index = _mm256_set1_epi16((short)0xf800);
    __m256i e[8], top = z, total = _mm256_setzero_si256();
    UNROLL8
    for (unsigned k = 0; k < 8; k++) {
        e[k] = _mm256_add_epi16(a->exponent[first + k], _mm256_set1_epi16(eb[first + k]));
        top = _mm256_max_epi16(top, e[k]);
    }
    __m256i least = _mm256_sub_epi16(top, _mm256_set1_epi16(SHIFT_MAX));
    UNROLL8
    for (unsigned k = 0; k < 8; k++) {
        __m256i up = _mm256_subs_epu16(e[k], least); /* 14 - d */
        __m256i at = _mm256_add_epi8(_mm256_mullo_epi16(up, twice), index);
        __m256i power = _mm256_shuffle_epi8(table, at);
        __m256i q = _mm256_mullo_epi16(a->part[first + k], _mm256_set1_epi16(pb[first + k]));
        __m256i r = _mm256_mulhrs_epi16(_mm256_abs_epi16(q), power);
        total = _mm256_add_epi16(total, _mm256_sign_epi16(r, q));
    }
    top = _mm256_sub_epi16(top, _mm256_set1_epi16(BIAS));
    __m256i some = _mm256_cmpgt_epi16(top, _mm256_setzero_si256());
    *exponent = _mm256_and_si256(top, some);
    *sum = _mm256_and_si256(total, some);
}

/*
 * What remains of a term when it is moved down by d bits: half rounds up, for negative ones towards zero.
 * (m + 2^(d-1) - s) >> d, but m for d = 0, is ((2m - s >> d) + 1) >> 1 for every d: no case is special.
 * With 16-bit Dst the 13 bits below its grid are rounded away in the same way, (m + 2^12 - s) >> 13, and both
 * shifts by constants are one. The result has the sign of the sum.
 */
AVX2_INLINE __m256i dot_align_term(__m256i sum, __m256i e, __m256i top, bool a32)
{
    __m256i s = _mm256_srai_epi32(sum, 31);
    __m256i m = _mm256_add_epi32(_mm256_slli_epi32(_mm256_abs_epi32(sum), PRODUCT_SCALE + 1), s);
    m = _mm256_srlv_epi32(m, _mm256_sub_epi32(top, e));
    if (a32)
        m = _mm256_srli_epi32(_mm256_add_epi32(m, _mm256_set1_epi32(1)), 1);
    else
        m = _mm256_srli_epi32(_mm256_add_epi32(_mm256_add_epi32(m, _mm256_set1_epi32(0x2001)),
                                               _mm256_add_epi32(s, s)),
                              PRODUCT_SCALE + 1);
    return _mm256_sign_epi32(m, sum);
}

/* The same for Dst's significand, here doubled: half away from zero. high has the sign in bit 15. */
AVX2_INLINE __m256i dot_align_dst(__m256i twice, __m256i high, __m256i e, __m256i top, bool a32)
{
    __m256i m = _mm256_srlv_epi32(twice, _mm256_sub_epi32(top, e));
    m = _mm256_srli_epi32(_mm256_add_epi32(m, _mm256_set1_epi32(a32 ? 1 : 0x2001)),
                          a32 ? 1 : PRODUCT_SCALE + 1);
    return _mm256_sign_epi32(m, _mm256_or_si256(_mm256_slli_epi32(high, 16), _mm256_set1_epi32(1)));
}

/*
 * Normalised and rounded, half away from zero: the bits of a float, of which the upper p significant ones count.
 * A 16-bit result's sum has at most 18 bits, so the conversion is exact, and adding half of the last place to the
 * bits rounds. Up to 30 bits go into a 32-bit result: conversion rounds ties to even, so where bits
 * are lost the doubled sum gets a one behind it and there are no ties.
 */
AVX2_INLINE __m256i dot_normalise(__m256i n, bool a32, int p)
{
    if (!a32)
        return _mm256_add_epi32(_mm256_castps_si256(_mm256_cvtepi32_ps(n)),
                                _mm256_set1_epi32(1 << (FRACTION_TOP - p)));
    __m256i lost = _mm256_cmpgt_epi32(_mm256_abs_epi32(n), _mm256_set1_epi32(0xffffff));
    __m256i one = _mm256_sign_epi32(_mm256_srli_epi32(lost, 31), n);
    return _mm256_castps_si256(_mm256_cvtepi32_ps(_mm256_add_epi32(_mm256_add_epi32(n, n), one)));
}

/* Eight lanes of Dst: value bits {S, M, E} in, new ones out. low: fraction below the high half. */
AVX2_INLINE void dot_accumulate(__m256i *high, __m256i *low, __m256i e0, __m256i t0, __m256i e1,
                                __m256i t1, bool a32, bool x8)
{
    const __m256i zero = _mm256_setzero_si256();
    const bool eight = a32 || x8;
    const int p = a32 ? 24 : (x8 ? 8 : 11), cut = 24 - p;
    __m256i ed = _mm256_and_si256(*high, _mm256_set1_epi32(eight ? 0xff : 0x1f));
    __m256i md =
        _mm256_slli_epi32(_mm256_and_si256(*high, _mm256_set1_epi32(eight ? 0x7f00 : 0x7fe0)), 9);
    if (a32)
        md = _mm256_or_si256(md, _mm256_add_epi32(*low, *low));
    md = _mm256_or_si256(md, _mm256_set1_epi32(2 << FRACTION_TOP));
    md = _mm256_andnot_si256(_mm256_cmpeq_epi32(ed, zero), md);
    __m256i top = _mm256_max_epi32(_mm256_max_epi32(e0, e1), ed);
    __m256i n = _mm256_add_epi32(
        dot_align_dst(md, *high, ed, top, a32),
        _mm256_add_epi32(dot_align_term(t0, e0, top, a32), dot_align_term(t1, e1, top, a32)));
    __m256i f = dot_normalise(n, a32, p);
    __m256i x = _mm256_add_epi32(_mm256_srli_epi32(_mm256_add_epi32(f, f), FRACTION_TOP + 1), top);
    x = _mm256_sub_epi32(x, _mm256_set1_epi32(127 + FRACTION_TOP + (a32 ? 1 : -PRODUCT_SCALE)));
    __m256i some = _mm256_andnot_si256(_mm256_cmpeq_epi32(n, zero), _mm256_cmpgt_epi32(x, zero));
    __m256i fraction =
        _mm256_and_si256(_mm256_srli_epi32(f, cut), _mm256_set1_epi32((1 << (p - 1)) - 1));
    __m256i most = _mm256_set1_epi32(eight ? 255 : 31);
    if (eight)
        fraction = _mm256_andnot_si256(_mm256_cmpgt_epi32(x, _mm256_set1_epi32(254)), fraction);
    else
        fraction = _mm256_or_si256(
            fraction, _mm256_and_si256(_mm256_cmpgt_epi32(x, most), _mm256_set1_epi32(0x3ff)));
    x = _mm256_min_epi32(x, most);
    __m256i sign = _mm256_slli_epi32(_mm256_srli_epi32(f, 31), 15);
    __m256i h = a32 ? _mm256_slli_epi32(_mm256_srli_epi32(fraction, 16), 8)
                    : _mm256_slli_epi32(fraction, x8 ? 8 : 5);
    *high = _mm256_and_si256(_mm256_or_si256(_mm256_or_si256(h, x), sign), some);
    if (a32)
        *low = _mm256_and_si256(_mm256_and_si256(fraction, _mm256_set1_epi32(0xffff)), some);
}

AVX2_INLINE __m256i dot_wide(const uint16_t *at)
{
    return _mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)(const void *)at));
}

AVX2_INLINE __m256i dot_signed(__m256i v, unsigned half)
{
    return _mm256_cvtepi16_epi32(half ? _mm256_extracti128_si256(v, 1) : _mm256_castsi256_si128(v));
}

AVX2_INLINE void dot_narrow(uint16_t *at, __m256i v0, __m256i v1)
{
    __m256i v = _mm256_permute4x64_epi64(_mm256_packus_epi32(v0, v1), 0xd8);
    _mm256_storeu_si256((__m256i *)(void *)at, v);
}

/* One row of Dst. */
AVX2_INLINE void dot_row(const struct matrix_dot *m, unsigned i, __m256i e[2], __m256i t[2],
                         bool a32, bool x8)
{
    __m256i high[2], low[2] = {_mm256_setzero_si256(), _mm256_setzero_si256()};
    for (unsigned h = 0; h < 2; h++) {
        high[h] = dot_wide(matrix_dot_high(m, i) + 8 * h);
        if (a32)
            low[h] = dot_wide(matrix_dot_low(m, i) + 8 * h);
        dot_accumulate(&high[h],
                       &low[h],
                       dot_signed(e[0], h),
                       dot_signed(t[0], h),
                       dot_signed(e[1], h),
                       dot_signed(t[1], h),
                       a32,
                       x8);
    }
    dot_narrow(matrix_dot_high(m, i), high[0], high[1]);
    if (a32)
        dot_narrow(matrix_dot_low(m, i), low[0], low[1]);
}

AVX2_INLINE void dot_all(const struct matrix_dot *m, bool a32, bool x8)
{
    struct dot_lanes a;
    struct dot_scalars b;
    __m256i z = _mm256_set1_epi16((short)(BIAS + (m->k > 0 ? m->k : 0)));
    dot_decode_all(m, &a, &b);
    for (unsigned i = 0; i < m->rows; i++) {
        __m256i e[2], t[2];
        for (unsigned g = 0; g < 2; g++)
            dot_group(&a, b.exponent[i], b.part[i], 8 * g, z, &e[g], &t[g]);
        dot_row(m, i, e, t, a32, x8);
    }
}

AVX2 void matrix_dot_avx2(const struct matrix_dot *m)
{
    if (m->a32)
        dot_all(m, true, true);
    else if (m->x8)
        dot_all(m, false, true);
    else
        dot_all(m, false, false);
}

bool matrix_dot_avx2_usable(void)
{
    return __builtin_cpu_supports("avx2");
}

#else

void matrix_dot_avx2(const struct matrix_dot *m)
{
    matrix_dot_plain(m);
}

bool matrix_dot_avx2_usable(void)
{
    return false;
}

#endif
