/*
 * rows_avx2.c - whole rows of sixteen datums in one pass, a row at a time in 16-bit lanes.
 *
 * The same arithmetic as rows.c, bit for bit; the tests compare them. Built only where the compiler can make AVX2
 * code, used only where the processor has it.
 *
 * ISA pages: those of rows.h.
 *
 * Invariant: nothing outside the n rows is read or written.
 *
 * Inaccuracies: those of rows.c.
 */
#include "num/rows.h"

#ifdef NUM_ROWS_AVX2

#include <immintrin.h>

#include "num/layout.h"

#define AVX2        __attribute__((target("avx2")))
#define AVX2_INLINE __attribute__((target("avx2"), always_inline)) static inline
#define ROW         16u

AVX2_INLINE __m256i rows_load(const void *at)
{
    return _mm256_loadu_si256((const __m256i *)at);
}

AVX2_INLINE void rows_store(void *at, __m256i v)
{
    _mm256_storeu_si256((__m256i *)at, v);
}

AVX2_INLINE __m256i rows_16(unsigned v)
{
    return _mm256_set1_epi16((short)v);
}

/* Sixteen words from their halves. The halves change places first, as the unpacking stays in its lanes. */
AVX2_INLINE void rows_store_words(void *to, __m256i low, __m256i high)
{
    low = _mm256_permute4x64_epi64(low, 0xd8);
    high = _mm256_permute4x64_epi64(high, 0xd8);
    rows_store(to, _mm256_unpacklo_epi16(low, high));
    rows_store((uint8_t *)to + 32, _mm256_unpackhi_epi16(low, high));
}

/* ---- Dst to L1 ---- */

/* {S, M7, E8} to {S, E8, M7}, and the exponent. */
AVX2_INLINE __m256i rows_fraction(__m256i x)
{
    return _mm256_srli_epi16(_mm256_slli_epi16(x, 1), 9);
}

/*
 * Exponent times 128 plus fraction: a sum of products of bytes, all of it negative, for a byte can be -128 but not 128.
 * No magnitude is larger than infinity; those below 0x80 are denormals.
 */
AVX2_INLINE void rows_bf16_one(const uint16_t *row, uint8_t *to)
{
    __m256i x = rows_load(row), s = _mm256_and_si256(x, rows_16(0x8000));
    __m256i y = _mm256_maddubs_epi16(_mm256_xor_si256(x, s), rows_16(0xff80));
    y = _mm256_max_epi16(y, rows_16(-0x7f80u));
    __m256i some = _mm256_cmpgt_epi16(rows_16(-0x7fu), y);
    y = _mm256_or_si256(_mm256_abs_epi16(y), s);
    rows_store(to, _mm256_and_si256(y, some));
}

/* Four rows of a PACR, or many of them. */
AVX2 static void rows_bf16(const uint16_t *row, unsigned n, uint8_t *to)
{
    for (; n >= 4; n -= 4, row += 4 * (size_t)ROW, to += 8 * (size_t)ROW) {
        rows_bf16_one(row, to);
        rows_bf16_one(row + ROW, to + 2 * (size_t)ROW);
        rows_bf16_one(row + 2 * (size_t)ROW, to + 4 * (size_t)ROW);
        rows_bf16_one(row + 3 * (size_t)ROW, to + 6 * (size_t)ROW);
    }
    for (; n; n--, row += ROW, to += 2 * (size_t)ROW)
        rows_bf16_one(row, to);
}

AVX2 static void rows_word(const uint16_t *high, const uint16_t *low, unsigned n, uint8_t *to)
{
    for (; n; n--, high += ROW, low += ROW, to += 4 * (size_t)ROW) {
        __m256i x = rows_load(high), s = _mm256_and_si256(x, rows_16(0x8000));
        __m256i e = _mm256_slli_epi16(_mm256_and_si256(x, rows_16(0xff)), 7);
        rows_store_words(
            to, rows_load(low), _mm256_or_si256(_mm256_or_si256(s, e), rows_fraction(x)));
    }
}

AVX2 static void rows_word_bf16(const uint16_t *high, const uint16_t *low, unsigned n, uint8_t *to)
{
    for (; n; n--, high += ROW, low += ROW, to += 2 * (size_t)ROW) {
        __m256i x = rows_load(high), up = _mm256_srli_epi16(rows_load(low), 15);
        __m256i e = _mm256_and_si256(x, rows_16(0xff)), s = _mm256_and_si256(x, rows_16(0x8000));
        __m256i m = _mm256_andnot_si256(_mm256_cmpeq_epi16(e, rows_16(0xff)),
                                        _mm256_add_epi16(rows_fraction(x), up));
        __m256i y = _mm256_add_epi16(_mm256_slli_epi16(e, 7), m); /* may carry into the exponent */
        __m256i zero = _mm256_cmpeq_epi16(_mm256_srli_epi16(y, 7), _mm256_setzero_si256());
        rows_store(to, _mm256_andnot_si256(zero, _mm256_or_si256(y, s)));
    }
}

/* The largest of sixteen. */
AVX2_INLINE unsigned rows_most(__m256i v)
{
    __m128i x = _mm_max_epu16(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
    x = _mm_minpos_epu16(_mm_xor_si128(x, _mm_set1_epi16(-1)));
    return ~(unsigned)_mm_cvtsi128_si32(x) & 0xffff;
}

/* A magnitude goes down by d bits of which eight are dropped anyway: times 2^(7 - d), which comes from a table. */
AVX2 static void rows_bfp8(const uint16_t *row, bool clean, unsigned n, uint8_t *to,
                           uint8_t *exponents)
{
    const __m256i power = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(-128, 64, 32, 16, 8, 4, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0));
    const __m256i zero = _mm256_setzero_si256(), nan = rows_16(clean ? 0x7f : 0);
    for (; n; n--, row += ROW, to += ROW) {
        __m256i x = rows_load(row), e = _mm256_and_si256(x, rows_16(0xff));
        __m256i drop = _mm256_and_si256(_mm256_cmpeq_epi16(e, rows_16(0xff)), nan);
        __m256i m = _mm256_or_si256(_mm256_andnot_si256(drop, rows_fraction(x)), rows_16(0x80));
        m = _mm256_andnot_si256(_mm256_cmpeq_epi16(e, zero), m);
        unsigned shared = rows_most(e);
        __m256i d = _mm256_min_epu16(_mm256_sub_epi16(rows_16(shared), e), rows_16(15));
        __m256i p = _mm256_shuffle_epi8(power, _mm256_or_si256(d, rows_16(0x8000)));
        __m256i y = _mm256_add_epi16(_mm256_mullo_epi16(m, p), rows_16(128));
        y = _mm256_min_epu16(_mm256_srli_epi16(y, 8), rows_16(127));
        __m256i s = _mm256_and_si256(_mm256_srli_epi16(x, 8), rows_16(0x80));
        y = _mm256_andnot_si256(_mm256_cmpeq_epi16(y, zero), _mm256_or_si256(y, s));
        _mm_storeu_si128(
            (__m128i *)(void *)to,
            _mm_packus_epi16(_mm256_castsi256_si128(y), _mm256_extracti128_si256(y, 1)));
        *exponents++ = (uint8_t)shared;
    }
}

/* ---- L1 to Src ---- */

/* The datums are the upper halves of their cells. */
AVX2_INLINE void rows_src_bf16_one(const uint8_t *in, uint32_t *cell)
{
    rows_store_words(cell, _mm256_setzero_si256(), rows_load(in));
}

/* Mostly whole faces. */
AVX2 static void rows_src_bf16(const uint8_t *in, unsigned n, uint32_t *cell)
{
    for (; n >= 4; n -= 4, in += 8 * (size_t)ROW, cell += 4 * (size_t)ROW) {
        rows_src_bf16_one(in, cell);
        rows_src_bf16_one(in + 2 * (size_t)ROW, cell + ROW);
        rows_src_bf16_one(in + 4 * (size_t)ROW, cell + 2 * (size_t)ROW);
        rows_src_bf16_one(in + 6 * (size_t)ROW, cell + 3 * (size_t)ROW);
    }
    for (; n; n--, in += 2 * (size_t)ROW, cell += ROW)
        rows_src_bf16_one(in, cell);
}

AVX2 static void rows_src_word(const uint8_t *in, unsigned n, uint32_t *cell)
{
    const __m256i tf32 = _mm256_set1_epi32((int)NUM_SRC_TF32);
    for (; n; n--, in += 4 * (size_t)ROW, cell += ROW) {
        rows_store(cell, _mm256_and_si256(rows_load(in), tf32));
        rows_store(cell + 8, _mm256_and_si256(rows_load(in + 32), tf32));
    }
}

/* Eight datums: the magnitude as a float has its leading one removed; 133 is the exponent of a magnitude without
   leading zeros; exponents wrap. Sign without magnitude is minus infinity. up: to be added to the exponent, in its place. */
AVX2_INLINE __m256i rows_bfp(__m256i v, __m256i up)
{
    const __m256i sign = _mm256_set1_epi32((int)NUM_SRC_SIGN);
    __m256i magnitude = _mm256_and_si256(v, _mm256_set1_epi32(0x7f));
    __m256i s = _mm256_and_si256(_mm256_slli_epi32(v, 24), sign);
    __m256i f = _mm256_castps_si256(_mm256_cvtepi32_ps(magnitude));
    __m256i number = _mm256_or_si256(_mm256_andnot_si256(sign, _mm256_add_epi32(f, up)), s);
    __m256i none = _mm256_srai_epi32(s, 8); /* sign and all of the exponent, or nothing */
    return _mm256_blendv_epi8(number, none, _mm256_cmpeq_epi32(magnitude, _mm256_setzero_si256()));
}

AVX2 static void rows_src_bfp8(const uint8_t *in, const uint8_t *exponents, unsigned n,
                               uint32_t *cell)
{
    for (; n; n--, in += ROW, cell += ROW) {
        __m128i x = _mm_loadu_si128((const __m128i *)(const void *)in);
        __m256i e = _mm256_slli_epi32(_mm256_set1_epi32((int)*exponents++ - 133), 23);
        rows_store(cell, rows_bfp(_mm256_cvtepu8_epi32(x), e));
        rows_store(cell + 8, rows_bfp(_mm256_cvtepu8_epi32(_mm_srli_si128(x, 8)), e));
    }
}

/* ---- Src to Dst ---- */

AVX2 static void rows_dst_bf16(const uint32_t *cell, bool flush, unsigned n, uint16_t *row)
{
    const __m256i exponent = rows_16(flush ? 0xff : 0), none = rows_16(flush ? 0 : 1);
    for (; n; n--, cell += ROW, row += ROW) {
        __m256i x = _mm256_packus_epi32(_mm256_srli_epi32(rows_load(cell), 16),
                                        _mm256_srli_epi32(rows_load(cell + 8), 16));
        x = _mm256_or_si256(_mm256_and_si256(_mm256_slli_epi16(x, 8), rows_16(0x7f00)),
                            _mm256_and_si256(_mm256_srai_epi16(x, 7), rows_16(0x80ff)));
        __m256i zero = _mm256_cmpeq_epi16(_mm256_and_si256(x, exponent), none);
        x = _mm256_andnot_si256(zero, x);
        rows_store(row, _mm256_permute4x64_epi64(x, 0xd8));
    }
}

const struct num_rows num_rows_avx2 = {.bf16 = rows_bf16,
                                       .word = rows_word,
                                       .word_bf16 = rows_word_bf16,
                                       .bfp8 = rows_bfp8,
                                       .src_bf16 = rows_src_bf16,
                                       .src_word = rows_src_word,
                                       .src_bfp8 = rows_src_bfp8,
                                       .dst_bf16 = rows_dst_bf16};

bool rows_avx2_usable(void)
{
    return __builtin_cpu_supports("avx2");
}

#else

const struct num_rows num_rows_avx2;

bool rows_avx2_usable(void)
{
    return false;
}

#endif
