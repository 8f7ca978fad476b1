/*
 * matrix_dot_avx512.c - the dot product of MVMUL and GAPOOL with AVX-512: two lanes k of sixteen columns at a time.
 *
 * The same arithmetic as matrix_dot_plain(), bit for bit; the tests compare them. See matrix_dot_avx2.c for
 * why the shorter forms of rounding are exact. A pair of lanes k, k + 1 shares the 32-bit lane of its
 * column, so that one broadcast gives both datums of SrcB, and one vpdpwssd adds both products with their signs.
 *
 * Inaccuracies: those of matrix_dot_plain().
 */
#include "matrix/matrix_dot.h"

#ifdef MATRIX_DOT_AVX2

#include <immintrin.h>
#include <string.h>

#define AVX512 __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vnni")))
#define AVX512_INLINE                                                                              \
    __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vnni"),                        \
                   always_inline)) static inline

enum {
    NOWHERE = -2048, /* a zero's exponent: far below all others */
    FRACTION_TOP = 23,
    PRODUCT_SCALE = 13
};

/* Pairs of rows of SrcA: exponents, parts of significands, and signs as 1 and -1. */
struct dot_pairs {
    __m512i exponent[8], part[8], sign[8];
};

/* Rows of SrcB; signs as 0 and -2: exclusive or of both kinds is the product's, 1 or -1. */
struct dot_scalars {
    int16_t exponent[8][16], part[8][16], sign[8][16];
};

/* How a part is cut out of the significand: (significand >> right & mask) << left. */
struct dot_cut {
    unsigned right, mask, left;
};

/* Two rows of SrcA: the second in the upper halves of the lanes. A zero has part 0 and an exponent far below
   all others. Parts are doubled: rounding wants 2q. */
AVX512_INLINE void dot_decode_pair(const uint32_t *first, const uint32_t *second, uint32_t keep,
                                   struct dot_cut cut, struct dot_pairs *a, unsigned k)
{
    const __mmask32 upper = 0xaaaaaaaau;
    __m512i r0 = _mm512_loadu_si512(first), r1 = _mm512_loadu_si512(second);
    __m512i low = _mm512_mask_blend_epi16(upper, r0, _mm512_slli_epi32(r1, 16));
    __m512i high = _mm512_mask_blend_epi16(upper, _mm512_srli_epi32(r0, 16), r1);
    low = _mm512_and_si512(low, _mm512_set1_epi16((short)keep));
    high = _mm512_and_si512(high, _mm512_set1_epi16((short)(keep >> 16)));
    __m512i e = _mm512_srli_epi16(_mm512_slli_epi16(high, 1), 8);
    __mmask32 some = _mm512_test_epi16_mask(e, e);
    __m512i m =
        _mm512_or_si512(_mm512_and_si512(_mm512_slli_epi16(high, 3), _mm512_set1_epi16(0x3f8)),
                        _mm512_or_si512(_mm512_srli_epi16(low, 13), _mm512_set1_epi16(0x400)));
    m = _mm512_and_si512(_mm512_srl_epi16(m, _mm_cvtsi32_si128((int)cut.right)),
                         _mm512_set1_epi16((short)cut.mask));
    a->part[k] = _mm512_maskz_sll_epi16(some, m, _mm_cvtsi32_si128((int)cut.left));
    a->exponent[k] = _mm512_mask_mov_epi16(_mm512_set1_epi16(NOWHERE), some, e);
    a->sign[k] = _mm512_mask_mov_epi16(
        _mm512_set1_epi16(1), _mm512_movepi16_mask(high), _mm512_set1_epi16(-1));
}

/* A row of SrcB. */
AVX512_INLINE void dot_decode_row(const uint32_t *row, uint32_t keep, struct dot_cut cut, int base,
                                  struct dot_scalars *b, unsigned i)
{
    __m512i r = _mm512_and_si512(_mm512_loadu_si512(row), _mm512_set1_epi32((int)keep));
    __m256i low = _mm512_cvtepi32_epi16(r), high = _mm512_cvtepi32_epi16(_mm512_srli_epi32(r, 16));
    __m256i e = _mm256_srli_epi16(_mm256_slli_epi16(high, 1), 8);
    __mmask16 some = _mm256_test_epi16_mask(e, e);
    __m256i m =
        _mm256_or_si256(_mm256_and_si256(_mm256_slli_epi16(high, 3), _mm256_set1_epi16(0x3f8)),
                        _mm256_or_si256(_mm256_srli_epi16(low, 13), _mm256_set1_epi16(0x400)));
    m = _mm256_and_si256(_mm256_srl_epi16(m, _mm_cvtsi32_si128((int)cut.right)),
                         _mm256_set1_epi16((short)cut.mask));
    m = _mm256_maskz_sll_epi16(some, m, _mm_cvtsi32_si128((int)cut.left));
    e = _mm256_mask_add_epi16(_mm256_set1_epi16(NOWHERE), some, e, _mm256_set1_epi16((short)base));
    __m256i s = _mm256_maskz_mov_epi16(_mm256_movepi16_mask(high), _mm256_set1_epi16(-2));
    _mm256_storeu_si256((__m256i *)(void *)b->part[i], m);
    _mm256_storeu_si256((__m256i *)(void *)b->exponent[i], e);
    _mm256_storeu_si256((__m256i *)(void *)b->sign[i], s);
}

AVX512_INLINE void dot_decode_all(const struct matrix_dot *m, struct dot_pairs *a,
                                  struct dot_scalars *b)
{
    struct dot_cut cut_a = {m->phase & 1 ? 1 : 6, 31, 1};
    struct dot_cut cut_b = {m->phase & 2 ? 0 : 4, m->phase & 2 ? 15 : 127, m->phase & 2 ? 3 : 0};
    for (unsigned k = 0; k < 8; k++)
        dot_decode_pair(m->a[2 * k], m->a[2 * k + 1], m->mask_a, cut_a, a, k);
    for (unsigned i = 0; i < m->rows; i++)
        dot_decode_row(m->b[i], m->mask_b, cut_b, m->k, b, i);
}

/* Two neighbouring datums in every 32-bit lane. */
AVX512_INLINE __m512i dot_two(const int16_t *at)
{
    int32_t two;
    memcpy(&two, at, sizeof two);
    return _mm512_set1_epi32(two);
}

/* Eight products of row i, lanes 8g..8g+7: the common exponent, and the sum of the products aligned to it, in
   32-bit lanes. */
AVX512_INLINE void dot_group(const struct dot_pairs *a, const struct dot_scalars *b, unsigned i,
                             unsigned g, __m512i z, __m512i *exponent, __m512i *sum)
{
    const __m512i zero = _mm512_setzero_si512();
    __m512i e[4], top = z, total = zero;
    for (unsigned k = 0; k < 4; k++) {
        e[k] = _mm512_add_epi16(a->exponent[4 * g + k], dot_two(&b->exponent[i][8 * g + 2 * k]));
        top = _mm512_max_epi16(top, e[k]);
    }
    top = _mm512_max_epi16(top, _mm512_rol_epi32(top, 16));
    for (unsigned k = 0; k < 4; k++) {
        __m512i q = _mm512_mullo_epi16(a->part[4 * g + k], dot_two(&b->part[i][8 * g + 2 * k]));
        __m512i s = _mm512_xor_si512(a->sign[4 * g + k], dot_two(&b->sign[i][8 * g + 2 * k]));
        q = _mm512_avg_epu16(_mm512_srlv_epi16(q, _mm512_sub_epi16(top, e[k])), zero);
        total = _mm512_dpwssd_epi32(total, q, s);
    }
    /* never below 0, because z is not; nothing counts at 0 */
    *exponent = _mm512_srli_epi32(top, 16);
    *sum = _mm512_maskz_mov_epi32(_mm512_test_epi32_mask(*exponent, *exponent), total);
}

/* As in matrix_dot_avx2.c, with the sign in a mask. */
AVX512_INLINE __m512i dot_align_term(__m512i sum, __m512i e, __m512i top, bool a32)
{
    const __m512i zero = _mm512_setzero_si512(), one = _mm512_set1_epi32(1);
    const __m512i up = _mm512_set1_epi32(0x2001), down = _mm512_set1_epi32(0x1fff);
    __mmask16 minus = _mm512_movepi32_mask(sum);
    __m512i m = _mm512_slli_epi32(_mm512_abs_epi32(sum), PRODUCT_SCALE + 1);
    m = _mm512_srlv_epi32(_mm512_mask_sub_epi32(m, minus, m, one), _mm512_sub_epi32(top, e));
    if (a32)
        m = _mm512_srli_epi32(_mm512_add_epi32(m, one), 1);
    else
        m = _mm512_srli_epi32(_mm512_add_epi32(m, _mm512_mask_blend_epi32(minus, up, down)),
                              PRODUCT_SCALE + 1);
    return _mm512_mask_sub_epi32(m, minus, zero, m);
}

AVX512_INLINE __m512i dot_align_dst(__m512i twice, __mmask16 minus, __m512i e, __m512i top,
                                    bool a32)
{
    __m512i m = _mm512_srlv_epi32(twice, _mm512_sub_epi32(top, e));
    m = _mm512_srli_epi32(_mm512_add_epi32(m, _mm512_set1_epi32(a32 ? 1 : 0x2001)),
                          a32 ? 1 : PRODUCT_SCALE + 1);
    return _mm512_mask_sub_epi32(m, minus, _mm512_setzero_si512(), m);
}

AVX512_INLINE __m512i dot_normalise(__m512i n, bool a32, int p)
{
    if (!a32)
        return _mm512_add_epi32(_mm512_castps_si512(_mm512_cvtepi32_ps(n)),
                                _mm512_set1_epi32(1 << (FRACTION_TOP - p)));
    __mmask16 lost = _mm512_cmpgt_epi32_mask(_mm512_abs_epi32(n), _mm512_set1_epi32(0xffffff));
    __m512i one = _mm512_or_si512(_mm512_srai_epi32(n, 31), _mm512_set1_epi32(1));
    __m512i twice = _mm512_add_epi32(n, n);
    return _mm512_castps_si512(_mm512_cvtepi32_ps(_mm512_mask_add_epi32(twice, lost, twice, one)));
}

/* Sixteen lanes of Dst: value bits {S, M, E} in, new ones out. low: fraction below the high half. */
AVX512_INLINE void dot_accumulate(__m512i *high, __m512i *low, const __m512i e[2],
                                  const __m512i t[2], bool a32, bool x8)
{
    const __m512i zero = _mm512_setzero_si512();
    const bool eight = a32 || x8;
    const int p = a32 ? 24 : (x8 ? 8 : 11);
    const unsigned cut = (unsigned)(24 - p);
    __m512i ed = _mm512_and_si512(*high, _mm512_set1_epi32(eight ? 0xff : 0x1f));
    __m512i md =
        _mm512_slli_epi32(_mm512_and_si512(*high, _mm512_set1_epi32(eight ? 0x7f00 : 0x7fe0)), 9);
    if (a32)
        md = _mm512_or_si512(md, _mm512_add_epi32(*low, *low));
    md = _mm512_maskz_or_epi32(
        _mm512_test_epi32_mask(ed, ed), md, _mm512_set1_epi32(2 << FRACTION_TOP));
    __mmask16 minus = _mm512_test_epi32_mask(*high, _mm512_set1_epi32(0x8000));
    __m512i top = _mm512_max_epi32(_mm512_max_epi32(e[0], e[1]), ed);
    __m512i n = _mm512_add_epi32(dot_align_dst(md, minus, ed, top, a32),
                                 _mm512_add_epi32(dot_align_term(t[0], e[0], top, a32),
                                                  dot_align_term(t[1], e[1], top, a32)));
    __m512i f = dot_normalise(n, a32, p);
    __m512i x = _mm512_add_epi32(_mm512_srli_epi32(_mm512_add_epi32(f, f), FRACTION_TOP + 1), top);
    x = _mm512_sub_epi32(x, _mm512_set1_epi32(127 + FRACTION_TOP + (a32 ? 1 : -PRODUCT_SCALE)));
    __mmask16 some = _mm512_mask_cmpgt_epi32_mask(_mm512_test_epi32_mask(n, n), x, zero);
    __m512i most = _mm512_set1_epi32(eight ? 255 : 31);
    __mmask16 over = _mm512_cmpgt_epi32_mask(x, _mm512_set1_epi32(eight ? 254 : 31));
    __m512i fraction =
        _mm512_and_si512(_mm512_srli_epi32(f, cut), _mm512_set1_epi32((1 << (p - 1)) - 1));
    fraction = _mm512_mask_mov_epi32(fraction, over, _mm512_set1_epi32(eight ? 0 : 0x3ff));
    x = _mm512_min_epi32(x, most);
    __m512i sign = _mm512_slli_epi32(_mm512_srli_epi32(f, 31), 15);
    __m512i h = a32 ? _mm512_slli_epi32(_mm512_srli_epi32(fraction, 16), 8)
                    : _mm512_slli_epi32(fraction, x8 ? 8 : 5);
    *high = _mm512_maskz_or_epi32(some, _mm512_or_si512(h, x), sign);
    if (a32)
        *low = _mm512_maskz_mov_epi32(some, fraction);
}

AVX512_INLINE __m512i dot_wide(const uint16_t *at)
{
    return _mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i *)(const void *)at));
}

AVX512_INLINE void dot_narrow(uint16_t *at, __m512i v)
{
    _mm256_storeu_si256((__m256i *)(void *)at, _mm512_cvtepi32_epi16(v));
}

AVX512_INLINE void dot_all(const struct matrix_dot *m, bool a32, bool x8)
{
    struct dot_pairs a;
    struct dot_scalars b;
    const __m512i z = _mm512_set1_epi16((short)(m->k > 0 ? m->k : 0));
    dot_decode_all(m, &a, &b);
    for (unsigned i = 0; i < m->rows; i++) {
        __m512i e[2], t[2], high = dot_wide(matrix_dot_high(m, i)), low = _mm512_setzero_si512();
        for (unsigned g = 0; g < 2; g++)
            dot_group(&a, &b, i, g, z, &e[g], &t[g]);
        if (a32)
            low = dot_wide(matrix_dot_low(m, i));
        dot_accumulate(&high, &low, e, t, a32, x8);
        dot_narrow(matrix_dot_high(m, i), high);
        if (a32)
            dot_narrow(matrix_dot_low(m, i), low);
    }
}

AVX512 void matrix_dot_avx512(const struct matrix_dot *m)
{
    if (m->a32)
        dot_all(m, true, true);
    else if (m->x8)
        dot_all(m, false, true);
    else
        dot_all(m, false, false);
}

bool matrix_dot_avx512_usable(void)
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512vnni");
}

#else

void matrix_dot_avx512(const struct matrix_dot *m)
{
    matrix_dot_plain(m);
}

bool matrix_dot_avx512_usable(void)
{
    return false;
}

#endif
