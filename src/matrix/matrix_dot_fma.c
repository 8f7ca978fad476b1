/*
 * matrix_dot_fma.c - the dot product of MVMUL and GAPOOL with AVX2 and FMA, four rows of sixteen columns at a time.
 *
 * The same arithmetic as matrix_dot_plain(), bit for bit; the tests compare them.
 *
 * Operands are floats of their own value. A sum begins near M = 7/4 * 2^23 * grid, where grid is the last place
 * that the group's largest exponent leaves to its products: floats near M are the multiples of grid. So every
 * fused multiplication and addition cuts its product to the grid and adds it exactly. A product has 12 bits;
 * SrcB's parts are larger by 2^-14 of themselves, which makes ties go away from zero and moves nothing else.
 *
 * The largest exponents do not depend on the fidelity phase: they are remembered for a pair of operands.
 *
 * Invariant: operands, sums and M are normal floats or zero, so that neither the host's treatment of denormals
 * nor infinities matter. Where exponents are too large, too small or too far apart for this, nothing is done.
 *
 * Inaccuracies: those of matrix_dot_plain().
 */
#include "matrix/matrix_dot.h"

#ifdef MATRIX_DOT_AVX2

#include <immintrin.h>
#include <limits.h>
#include <stddef.h>
#include <string.h>

#include "num/layout.h"

#define FMA        __attribute__((target("avx2,fma")))
#define FMA_INLINE __attribute__((target("avx2,fma"), always_inline)) static inline
#define FMA_RARE   __attribute__((target("avx2,fma"), noinline)) static

#ifdef __clang__
#define UNROLL8 _Pragma("clang loop unroll(full)")
#else
#define UNROLL8 _Pragma("GCC unroll 8")
#endif

enum {
    ROWS = 4,        /* of SrcB and Dst that are computed together */
    M_ABOVE = 13,    /* M's exponent above that of its group */
    M_FRACTION = 96, /* M's fraction, 3/4, in the upper half of a float */
    M_MORE = 2,      /* sums begin so many grids above M: see dot_term() */
    LEAST = 14,      /* exponents of groups and of Dst that floats take */
    LEAST32 = 36,    /* the same where Dst is FP32: 24 bits below it are still a normal float */
    MOST = 241,
    LEAST_A = 11, /* of operands: their lowest bit is still a normal float */
    MOST_A = 254,
    MIDDLE = 254, /* a sum of exponents that fits */
    WIDTH = 127   /* of the range of exponents of both operands together */
};

/* Exponents that occur, zeros left out. */
struct dot_range {
    int least, most;
};

/*
 * Operands as floats and exponents. The columns of a row of floats lie as unpacking 16-bit lanes has them: 0-3, 8-11, then
 * 4-7, 12-15. Exponents are bytes above the least one, two rows in a vector, in order; those of zeros are -128.
 */
struct dot_a {
    __m256 f[16][2];
    __m256i e[8];
    uint64_t name;
    uint32_t mask;
    struct dot_range range;
};

struct dot_b {
    __m256 f[8][2];
    __m256i e[4];
    uint64_t name;
    uint32_t mask;
    uint32_t rows;
    struct dot_range range;
};

/* The largest exponents of two operands' products, both groups of a row in turn. */
struct dot_pair {
    __m256i top[16];
    uint64_t a, b; /* names */
    uint32_t rows;
    struct dot_range range; /* of sums of exponents; without end where they are not for floats */
};

/* By place and phase; of pairs each with each. */
struct dot_memory {
    struct dot_a a[8];
    struct dot_b b[16];
    struct dot_pair pair[32];
};

enum { ALIGNED = 64 };
_Static_assert(sizeof(struct dot_memory) + ALIGNED <= sizeof(uint32_t[MATRIX_DOT_ROOM]), "fits");
#define NOBODY UINT64_MAX /* a name that no operand has */

#define AT(k) (((k)&3) | ((k)&4) << 1 | ((k)&8) >> 1) /* column k in a row of floats */

/* Which bits of a cell, which is a float already, a phase looks at, and which of these it subtracts. */
struct dot_select {
    int keep, minus;
};

FMA_INLINE __m256i dot_set(int v)
{
    return _mm256_set1_epi32(v);
}

/* An operand as it is decoded: which parts, and whether it may have denormals, which count as zeros. */
struct dot_kind {
    bool b;   /* SrcB: larger by 2^-14 of itself */
    bool low; /* the lower part of significands */
    bool denormals;
};

/* Eight datums of which only bits that a phase looks at are left: the part of them that it takes. */
FMA_INLINE __m256 dot_part(__m256i d, struct dot_select s, struct dot_kind kind)
{
    if (kind.low || kind.denormals) {
        __m256i e = _mm256_and_si256(d, dot_set((int)NUM_SRC_EXPONENT));
        d = _mm256_andnot_si256(_mm256_cmpeq_epi32(e, _mm256_setzero_si256()), d);
    }
    __m256 v = _mm256_castsi256_ps(d);
    if (kind.low)
        v = _mm256_sub_ps(v, _mm256_castsi256_ps(_mm256_and_si256(d, dot_set(s.minus))));
    return kind.b ? _mm256_mul_ps(v, _mm256_set1_ps(0x1.0004p0f)) : v;
}

/* A row as floats; returns the upper halves without signs, so that exponents are upper bytes, in order of columns
   0, 4, 1, 5, and so on to 7, then 8, 12, and so on. */
FMA_INLINE __m256i dot_row_of(const uint32_t *cell, struct dot_select s, struct dot_kind kind,
                              __m256 f[2])
{
    const __m256i *at = (const __m256i *)(const void *)cell, keep = dot_set(s.keep);
    __m256i d0 = _mm256_and_si256(_mm256_loadu_si256(at), keep);
    __m256i d1 = _mm256_and_si256(_mm256_loadu_si256(at + 1), keep);
    __m256i even = _mm256_permute2x128_si256(d0, d1, 0x20); /* columns 0-3, 8-11 */
    __m256i odd = _mm256_permute2x128_si256(d0, d1, 0x31);
    f[0] = dot_part(even, s, kind);
    f[1] = dot_part(odd, s, kind);
    __m256i upper = _mm256_blend_epi16(_mm256_srli_epi32(even, 16), odd, 0xaa);
    return _mm256_add_epi16(upper, upper);
}

/* The ends of what was decoded. Upper halves are taken less one, so that zero is more than all others. */
struct dot_ends {
    __m256i least;    /* upper halves without signs; below 255: a denormal */
    __m256i exponent; /* the same without fractions, where there may be denormals */
    __m256i most;     /* exponents as bytes */
};

FMA_INLINE void dot_see(struct dot_ends *ends, __m256i u, struct dot_kind kind)
{
    const __m256i one = _mm256_set1_epi16(1);
    ends->least = _mm256_min_epu16(ends->least, _mm256_sub_epi16(u, one));
    if (!kind.denormals)
        return;
    u = _mm256_and_si256(u, _mm256_set1_epi16((short)0xff00));
    ends->exponent = _mm256_min_epu16(ends->exponent, _mm256_sub_epi16(u, one));
}

/* Two rows as floats; returns their exponents as bytes. */
FMA_INLINE __m256i dot_rows(const uint32_t (*d)[16], struct dot_select s, struct dot_kind kind,
                            __m256 (*f)[2], struct dot_ends *ends)
{
    const __m256i order = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(1, 5, 9, 13, 3, 7, 11, 15, 1, 5, 9, 13, 3, 7, 11, 15));
    __m256i u0 = dot_row_of(d[0], s, kind, f[0]), u1 = dot_row_of(d[1], s, kind, f[1]);
    dot_see(ends, u0, kind);
    dot_see(ends, u1, kind);
    __m256i e =
        _mm256_unpacklo_epi64(_mm256_shuffle_epi8(u0, order), _mm256_shuffle_epi8(u1, order));
    e = _mm256_permute4x64_epi64(e, 0xd8);
    ends->most = _mm256_max_epu8(ends->most, e);
    return e;
}

FMA_INLINE unsigned dot_min16(__m256i v)
{
    __m128i m = _mm_min_epu16(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
    return (unsigned)_mm_cvtsi128_si32(_mm_minpos_epu16(m)) & 0xffff;
}

FMA_INLINE unsigned dot_max8(__m256i v)
{
    __m128i m = _mm_max_epu8(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
    m = _mm_xor_si128(m, _mm_set1_epi8(-1));
    m = _mm_min_epu8(m, _mm_srli_epi16(m, 8)); /* of both bytes, in the lower one */
    return ~(unsigned)_mm_cvtsi128_si32(_mm_minpos_epu16(m)) & 0xff;
}

/*
 * 2n rows as floats, and their exponents as differences from the least. True if there are denormals; where
 * kind.denormals says that there are none all is wrong then.
 */
FMA_INLINE bool dot_decode(const uint32_t (*d)[16], unsigned n, struct dot_select s,
                           struct dot_kind kind, __m256 (*f)[2], __m256i *e,
                           struct dot_range *range)
{
    const __m256i ones = _mm256_set1_epi8(-1), zero = _mm256_setzero_si256();
    struct dot_ends ends = {ones, ones, zero};
    __m256i v[8] = {zero};
    UNROLL8
    for (unsigned i = 0; i < n; i++)
        v[i] = dot_rows(d + 2 * i, s, kind, f + 2 * i, &ends);
    unsigned least = dot_min16(ends.least);
    bool found = least < 0xff;
    if (!kind.denormals && found)
        return true;
    range->least = (int)(((kind.denormals ? dot_min16(ends.exponent) : least) + 1) >> 8);
    range->most = (int)dot_max8(ends.most);
    const __m256i base = _mm256_set1_epi8((char)-range->least), none = _mm256_set1_epi8(-128);
    UNROLL8
    for (unsigned i = 0; i < n; i++)
        e[i] = _mm256_blendv_epi8(_mm256_add_epi8(v[i], base), none, _mm256_cmpeq_epi8(v[i], zero));
    return found;
}

/* An operand of m, of 2n rows. */
FMA_INLINE bool dot_decode_of(const struct matrix_dot *m, unsigned n, struct dot_kind kind,
                              __m256 (*f)[2], __m256i *e, struct dot_range *range)
{
    const uint32_t upper = kind.b ? 0x7e0000 : 0x780000; /* of fractions, six bits and four */
    const uint32_t lower = kind.b ? 0x01e000 : 0x07c000; /* four and five */
    const uint32_t part = kind.low ? upper | lower : upper, whole = NUM_SRC_SIGN | NUM_SRC_EXPONENT;
    const struct dot_select s = {(int)(whole | (part & (kind.b ? m->mask_b : m->mask_a))),
                                 (int)(whole | upper)};
    return dot_decode(kind.b ? m->b : m->a, n, s, kind, f, e, range);
}

/* It is new, or was moved and may now be aligned otherwise. */
FMA_RARE void dot_forget(struct matrix_dot_memo *memo)
{
    struct dot_memory *d =
        (void *)(((uintptr_t)memo->room + ALIGNED - 1) & ~(uintptr_t)(ALIGNED - 1));
    for (unsigned i = 0; i < sizeof d->a / sizeof *d->a; i++)
        d->a[i].name = NOBODY;
    for (unsigned i = 0; i < sizeof d->b / sizeof *d->b; i++)
        d->b[i].name = NOBODY;
    for (unsigned i = 0; i < sizeof d->pair / sizeof *d->pair; i++)
        d->pair[i].a = NOBODY;
    memo->home = memo;
    memo->memory = d;
}

/* What is not to be remembered has no name. */
FMA_INLINE uint64_t dot_name(uint64_t name)
{
    return name ? name : NOBODY;
}

/* An operand with denormals, or of fewer rows. */
FMA_RARE void dot_new_rare(const struct matrix_dot *m, bool b, __m256 (*f)[2], __m256i *e,
                           struct dot_range *range)
{
    const struct dot_kind kind = {b, m->phase & (b ? 2 : 1), true};
    bool found = dot_decode_of(m, b ? m->rows / 2 : 8, kind, f, e, range);
    *(b ? &m->memo->denormals_b : &m->memo->denormals_a) = found;
}

/* Operands that follow each other are much alike: where the last one had denormals, so may this. */
FMA_RARE void dot_new_a(const struct matrix_dot *m, struct dot_a *a)
{
    const struct dot_kind upper = {false, false, false}, lower = {false, true, false};
    a->name = dot_name(m->name_a);
    a->mask = m->mask_a;
    if (m->memo->denormals_a || (m->phase & 1 ? dot_decode_of(m, 8, lower, a->f, a->e, &a->range)
                                              : dot_decode_of(m, 8, upper, a->f, a->e, &a->range)))
        dot_new_rare(m, false, a->f, a->e, &a->range);
}

FMA_RARE void dot_new_b(const struct matrix_dot *m, struct dot_b *b)
{
    const struct dot_kind upper = {true, false, false}, lower = {true, true, false};
    b->name = dot_name(m->name_b);
    b->mask = m->mask_b;
    b->rows = m->rows;
    if (m->memo->denormals_b || m->rows != 8 ||
        (m->phase & 2 ? dot_decode_of(m, 4, lower, b->f, b->e, &b->range)
                      : dot_decode_of(m, 4, upper, b->f, b->e, &b->range)))
        dot_new_rare(m, true, b->f, b->e, &b->range);
}

/* The operands, decoded now or before. */
FMA_INLINE const struct dot_a *dot_a_of(const struct matrix_dot *m, struct dot_memory *d)
{
    struct dot_a *a = &d->a[m->name_a / 2 % 4 | (m->phase & 1u) << 2];
    if (a->name != m->name_a || a->mask != m->mask_a)
        dot_new_a(m, a);
    return a;
}

FMA_INLINE const struct dot_b *dot_b_of(const struct matrix_dot *m, struct dot_memory *d)
{
    struct dot_b *b = &d->b[m->name_b % 8 | (m->phase & 2u) << 2];
    if (b->name != m->name_b || b->mask != m->mask_b || b->rows != m->rows)
        dot_new_b(m, b);
    return b;
}

/* Where in the work: four rows from row i on, lanes 8g to 8g + 7. */
struct dot_block {
    unsigned i, g;
};

/* To shuffle byte k of a row of exponents to all its columns. */
#define PICK8(k) (k), (k), (k), (k), (k), (k), (k), (k)
#define PICK(k)                                                                                    \
    {                                                                                              \
        PICK8(k), PICK8(k), PICK8(k), PICK8(k)                                                     \
    }
_Alignas(32) static const uint8_t dot_pick[16][32] = {PICK(0),
                                                      PICK(1),
                                                      PICK(2),
                                                      PICK(3),
                                                      PICK(4),
                                                      PICK(5),
                                                      PICK(6),
                                                      PICK(7),
                                                      PICK(8),
                                                      PICK(9),
                                                      PICK(10),
                                                      PICK(11),
                                                      PICK(12),
                                                      PICK(13),
                                                      PICK(14),
                                                      PICK(15)};

/*
 * Upper halves of M, their exponents without the base, of 2n rows and group g; out: every other vector. Where all products
 * are zero it is the least number: whatever base is added, it stays negative.
 */
FMA_INLINE void dot_tops(const struct dot_a *a, const struct dot_b *b, unsigned n, unsigned g,
                         __m256i *out)
{
    const __m128i *ea = (const __m128i *)(const void *)a->e + 8 * g;
    const __m256i fraction = _mm256_set1_epi8((char)(M_FRACTION << 1));
    __m256i top[4], all = _mm256_setzero_si256();
    UNROLL8
    for (unsigned k = 0; k < 8; k++) {
        __m256i x = _mm256_broadcastsi128_si256(_mm_load_si128(ea + k));
        __m256i pick = _mm256_load_si256((const __m256i *)(const void *)dot_pick[8 * g + k]);
        UNROLL8
        for (unsigned i = 0; i < n; i++) {
            __m256i e = _mm256_adds_epi8(x, _mm256_shuffle_epi8(b->e[i], pick));
            top[i] = k ? _mm256_max_epi8(top[i], e) : e;
        }
    }
    UNROLL8
    for (unsigned i = 0; i < n; i++) {
        __m256i e = _mm256_permute4x64_epi64(top[i], 0xd8); /* 0-7 of both rows, 8-15 of both */
        out[4 * i] = _mm256_srli_epi16(_mm256_unpacklo_epi8(fraction, e), 1);
        out[4 * i + 2] = _mm256_srli_epi16(_mm256_unpackhi_epi8(fraction, e), 1);
        all = _mm256_or_si256(all, e);
    }
    if (!_mm256_movemask_epi8(all))
        return;
    for (unsigned i = 0; i < 4 * n; i += 2) {
        __m256i none = _mm256_cmpgt_epi16(out[i], _mm256_set1_epi16(0x3fff));
        out[i] = _mm256_blendv_epi8(out[i], _mm256_set1_epi16(-0x8000), none);
    }
}

/* May operands of these ranges be floats here, whatever the phase? */
static bool dot_near(struct dot_range a, struct dot_range b)
{
    if (a.most > MOST_A || b.most > MOST_A)
        return false;
    if (a.most < a.least || b.most < b.least) /* one has zeros only */
        return true;
    return a.least >= LEAST_A && b.least >= LEAST_A && a.most - a.least + b.most - b.least <= WIDTH;
}

/* Of 2n rows. */
FMA_INLINE void dot_new_pair(const struct matrix_dot *m, const struct dot_a *a,
                             const struct dot_b *b, struct dot_pair *p, unsigned n)
{
    p->a = dot_name(m->name_a);
    p->b = dot_name(m->name_b);
    p->rows = 2 * n;
    p->range = (struct dot_range){a->range.least + b->range.least, a->range.most + b->range.most};
    if (!dot_near(a->range, b->range)) {
        p->range.most = INT_MAX / 2;
        return;
    }
    if (a->range.most < a->range.least || b->range.most < b->range.least)
        p->range = (struct dot_range){MIDDLE, MIDDLE};
    dot_tops(a, b, n, 0, p->top);
    dot_tops(a, b, n, 1, p->top + 1);
}

FMA_RARE void dot_new_eight(const struct matrix_dot *m, const struct dot_a *a,
                            const struct dot_b *b, struct dot_pair *p)
{
    dot_new_pair(m, a, b, p, 4);
}

FMA_RARE void dot_new_four(const struct matrix_dot *m, const struct dot_a *a, const struct dot_b *b,
                           struct dot_pair *p)
{
    dot_new_pair(m, a, b, p, 2);
}

/* The largest exponents, computed now or before. */
FMA_INLINE const struct dot_pair *dot_pair_of(const struct matrix_dot *m, struct dot_memory *d,
                                              const struct dot_a *a, const struct dot_b *b)
{
    struct dot_pair *p = &d->pair[m->name_a / 2 % 4 | m->name_b % 8 << 2];
    if (p->a != m->name_a || p->b != m->name_b || p->rows != m->rows)
        (m->rows == 8 ? dot_new_eight : dot_new_four)(m, a, b, p);
    return p;
}

FMA_INLINE __m256 dot_lower(__m256i m)
{
    return _mm256_castsi256_ps(_mm256_unpacklo_epi16(_mm256_setzero_si256(), m));
}

FMA_INLINE __m256 dot_upper(__m256i m)
{
    return _mm256_castsi256_ps(_mm256_unpackhi_epi16(_mm256_setzero_si256(), m));
}

/* Where the sums begin. */
FMA_INLINE __m256 dot_begin0(__m256i m)
{
    return _mm256_castsi256_ps(_mm256_unpacklo_epi16(_mm256_set1_epi16(M_MORE), m));
}

FMA_INLINE __m256 dot_begin1(__m256i m)
{
    return _mm256_castsi256_ps(_mm256_unpackhi_epi16(_mm256_set1_epi16(M_MORE), m));
}

/* The beginnings plus the sums of a block's products. */
FMA_INLINE void dot_sums(const struct dot_a *a, const struct dot_b *b, struct dot_block at,
                         const __m256i m[ROWS], __m256 out[ROWS][2])
{
    const int32_t *row = (const int32_t *)(const void *)b->f[at.i];
    __m256 s[ROWS][2];
    UNROLL8
    for (unsigned i = 0; i < ROWS; i++) {
        s[i][0] = dot_begin0(m[i]);
        s[i][1] = dot_begin1(m[i]);
    }
    UNROLL8
    for (unsigned k = 0; k < 8; k++) {
        __m256 a0 = a->f[8 * at.g + k][0], a1 = a->f[8 * at.g + k][1];
        UNROLL8
        for (unsigned i = 0; i < ROWS; i++) {
            __m256 x = _mm256_castsi256_ps(dot_set(row[16 * i + AT(8 * at.g + k)]));
            s[i][0] = _mm256_fmadd_ps(a0, x, s[i][0]);
            s[i][1] = _mm256_fmadd_ps(a1, x, s[i][1]);
        }
    }
    UNROLL8
    for (unsigned n = 0; n < 2 * ROWS; n++)
        out[n / 2][n % 2] = s[n / 2][n % 2];
}

/* ---- BF16 Dst ---- */

FMA_INLINE __m256i dot_old(const uint16_t *at, __m256i old)
{
    return _mm256_and_si256(_mm256_loadu_si256((const __m256i *)(const void *)at), old);
}

/* {S, M7, E8} to {S, E8, M7} and back. */
FMA_INLINE __m256i dot_from_dst(__m256i d, __m256i *e)
{
    *e = _mm256_srli_epi16(_mm256_slli_epi16(d, 8), 1);
    return _mm256_or_si256(
        _mm256_and_si256(_mm256_srai_epi16(d, 8), _mm256_set1_epi16((short)0x807f)), *e);
}

FMA_INLINE __m256i dot_to_dst(__m256i v)
{
    __m256i e = _mm256_and_si256(_mm256_srai_epi16(v, 7), _mm256_set1_epi16((short)0x80ff));
    return _mm256_or_si256(_mm256_and_si256(_mm256_slli_epi16(v, 8), _mm256_set1_epi16(0x7f00)), e);
}

/*
 * A sum to be cut to the common grid: ties will go up, and what is far below the grid has been rounded once before.
 * 1/4 of its own grid and 1.1 * 2^-14 of the common one, added before the cut, do just that. The quarter is what
 * is left of M_MORE when 1 + 2^-23 times M, M and 7/4 of the grid, is taken away.
 */
FMA_INLINE __m256 dot_term(__m256 m, __m256 s, __m256 top)
{
    s = _mm256_fnmadd_ps(m, _mm256_set1_ps(0x1.000002p0f), s);
    return _mm256_fmadd_ps(top, _mm256_set1_ps(0x1.42p-38f), s);
}

/* Eight columns: both sums and Dst, each cut to the grid of the largest exponent. */
FMA_INLINE __m256i dot_accumulate(__m256 m0, __m256 s0, __m256 m1, __m256 s1, __m256 dst,
                                  __m256 top)
{
    __m256 n = _mm256_fmadd_ps(dst, _mm256_set1_ps(0x1.0004p0f), top);
    n = _mm256_add_ps(_mm256_add_ps(n, dot_term(m0, s0, top)), dot_term(m1, s1, top));
    n = _mm256_sub_ps(n, top);
    return _mm256_srli_epi32(_mm256_add_epi32(_mm256_castps_si256(n), dot_set(0x8000)), 16);
}

/* old: all ones, or zero where the row counts as zeros. */
FMA_INLINE void dot_row(uint16_t *at, __m256i old, __m256i m0, const __m256 *s0, __m256i m1,
                        const __m256 *s1)
{
    const __m256i above = _mm256_set1_epi16(M_ABOVE << 7 | M_FRACTION);
    __m256i e, d = dot_from_dst(dot_old(at, old), &e);
    __m256i top = _mm256_max_epi16(_mm256_max_epi16(m0, m1), _mm256_add_epi16(e, above));
    __m256i n0 =
        dot_accumulate(dot_lower(m0), s0[0], dot_lower(m1), s1[0], dot_lower(d), dot_lower(top));
    __m256i n1 =
        dot_accumulate(dot_upper(m0), s0[1], dot_upper(m1), s1[1], dot_upper(d), dot_upper(top));
    _mm256_storeu_si256((__m256i *)(void *)at, dot_to_dst(_mm256_packus_epi32(n0, n1)));
}

/* ---- FP32 Dst ---- */

/* A term, 13 bits further up, moved down by d bits: ties go up. */
FMA_INLINE __m256i dot_align(__m256 s, __m256 m, __m256i d)
{
    __m256i t = _mm256_sub_epi32(_mm256_castps_si256(s), _mm256_castps_si256(m));
    t = _mm256_srav_epi32(_mm256_slli_epi32(t, 14), d);
    return _mm256_srai_epi32(_mm256_add_epi32(t, dot_set(1)), 1);
}

/*
 * Eight columns: terms v, and Dst as a float to be moved down by d bits, ties away from zero. Up to 30 bits are rounded to 24.
 * Conversion rounds ties to even, so where bits are lost the doubled sum gets a one behind it and there are no ties.
 */
FMA_INLINE __m256i dot_accumulate32(__m256i v, __m256i dst, __m256i d, __m256 top)
{
    const __m256i zero = _mm256_setzero_si256();
    const __m256i down = dot_set((M_ABOVE + 151) << 23 | M_FRACTION << 16);
    __m256i none = _mm256_cmpeq_epi32(_mm256_and_si256(dst, dot_set(0x7f800000)), zero);
    __m256i m = _mm256_or_si256(_mm256_and_si256(dst, dot_set(0x7fffff)), dot_set(0x800000));
    m = _mm256_srlv_epi32(_mm256_andnot_si256(none, _mm256_add_epi32(m, m)), d);
    m = _mm256_srli_epi32(_mm256_add_epi32(m, dot_set(1)), 1);
    __m256i n = _mm256_add_epi32(v, _mm256_sign_epi32(m, _mm256_or_si256(dst, dot_set(1))));
    __m256i lost = _mm256_cmpgt_epi32(_mm256_abs_epi32(n), dot_set(0xffffff));
    __m256i one = _mm256_sign_epi32(_mm256_srli_epi32(lost, 31), n);
    __m256i f =
        _mm256_castps_si256(_mm256_cvtepi32_ps(_mm256_add_epi32(_mm256_add_epi32(n, n), one)));
    f = _mm256_add_epi32(f, _mm256_sub_epi32(_mm256_castps_si256(top), down));
    return _mm256_andnot_si256(_mm256_cmpeq_epi32(n, zero), f);
}

FMA_INLINE __m256i dot_distance(__m256i top, __m256i m)
{
    return _mm256_srli_epi16(_mm256_sub_epi16(top, m), 7);
}

FMA_INLINE void dot_row32(uint16_t *high, uint16_t *low, __m256i old, __m256i m0, const __m256 *s0,
                          __m256i m1, const __m256 *s1)
{
    const __m256i above = _mm256_set1_epi16(M_ABOVE << 7 | M_FRACTION);
    const __m256i zero = _mm256_setzero_si256();
    __m256i e, d = dot_from_dst(dot_old(high, old), &e);
    __m256i l = dot_old(low, old);
    e = _mm256_add_epi16(e, above);
    __m256i top = _mm256_max_epi16(_mm256_max_epi16(m0, m1), e);
    __m256i d0 = dot_distance(top, m0), d1 = dot_distance(top, m1), dd = dot_distance(top, e);
    __m256i v0 =
        _mm256_add_epi32(dot_align(s0[0], dot_begin0(m0), _mm256_unpacklo_epi16(d0, zero)),
                         dot_align(s1[0], dot_begin0(m1), _mm256_unpacklo_epi16(d1, zero)));
    __m256i v1 =
        _mm256_add_epi32(dot_align(s0[1], dot_begin1(m0), _mm256_unpackhi_epi16(d0, zero)),
                         dot_align(s1[1], dot_begin1(m1), _mm256_unpackhi_epi16(d1, zero)));
    v0 = dot_accumulate32(
        v0, _mm256_unpacklo_epi16(l, d), _mm256_unpacklo_epi16(dd, zero), dot_lower(top));
    v1 = dot_accumulate32(
        v1, _mm256_unpackhi_epi16(l, d), _mm256_unpackhi_epi16(dd, zero), dot_upper(top));
    __m256i h = _mm256_packus_epi32(_mm256_srli_epi32(v0, 16), _mm256_srli_epi32(v1, 16));
    l = _mm256_packus_epi32(_mm256_and_si256(v0, dot_set(0xffff)),
                            _mm256_and_si256(v1, dot_set(0xffff)));
    _mm256_storeu_si256((__m256i *)(void *)high, dot_to_dst(h));
    _mm256_storeu_si256((__m256i *)(void *)low, l);
}

/* ---- all of it ---- */

/* May all rows of Dst be floats here? Zero may. */
FMA_INLINE bool dot_dst_fits(const struct matrix_dot *m, int lowest)
{
    const __m256i one = _mm256_set1_epi8(1), lower = _mm256_set1_epi16(0xff);
    __m256i least = _mm256_set1_epi8(-1), most = _mm256_setzero_si256();
    for (unsigned i = 0; i < m->rows; i += ROWS) {
        UNROLL8
        for (unsigned r = 0; r < ROWS; r++) {
            __m256i d = _mm256_loadu_si256(
                (const __m256i *)(const void *)(m->high[i / ROWS] + r * m->step));
            most = _mm256_max_epu8(most, d);
            least = _mm256_min_epu8(least, _mm256_sub_epi8(d, one));
        }
    }
    __m256i large = _mm256_cmpgt_epi16(_mm256_and_si256(most, lower), _mm256_set1_epi16(MOST));
    __m256i small =
        _mm256_cmpgt_epi16(_mm256_set1_epi16((short)(lowest - 1)), _mm256_and_si256(least, lower));
    __m256i bad = _mm256_or_si256(large, small);
    return _mm256_testz_si256(bad, bad);
}

/* Are the data for floats here? */
FMA_INLINE bool dot_fits(const struct matrix_dot *m, const struct dot_pair *p, int lowest)
{
    if (p->range.least + m->k < lowest || p->range.most + m->k > MOST)
        return false;
    return m->fresh || dot_dst_fits(m, lowest);
}

/* Four rows from row i on; up, z: the base of M's exponents, and M where all products are zero. */
FMA_INLINE void dot_four(const struct matrix_dot *m, unsigned i, const struct dot_a *a,
                         const struct dot_b *b, const __m256i *top, __m256i up, __m256i z, bool a32)
{
    const __m256i old = dot_set(m->fresh ? 0 : -1);
    uint16_t *high = m->high[i / ROWS], *low = m->low[i / ROWS];
    const size_t step = m->step;
    __m256i t[2][ROWS]; /* upper halves of M */
    __m256 sum[2][ROWS][2];
    UNROLL8
    for (unsigned r = 0; r < 2 * ROWS; r++)
        t[r % 2][r / 2] = _mm256_max_epi16(_mm256_adds_epi16(top[2 * i + r], up), z);
    dot_sums(a, b, (struct dot_block){i, 0}, t[0], sum[0]);
    dot_sums(a, b, (struct dot_block){i, 1}, t[1], sum[1]);
    UNROLL8
    for (unsigned r = 0; r < ROWS; r++) {
        if (a32)
            dot_row32(high + r * step, low + r * step, old, t[0][r], sum[0][r], t[1][r], sum[1][r]);
        else
            dot_row(high + r * step, old, t[0][r], sum[0][r], t[1][r], sum[1][r]);
    }
}

FMA_INLINE bool dot_all(const struct matrix_dot *m, bool a32)
{
    const int lowest = a32 ? LEAST32 : LEAST;
    if (!m->x8 || ~(m->mask_a & m->mask_b) & NUM_SRC_EXPONENT ||
        m->rows % ROWS) /* 5-bit exponents */
        return false;
    if (m->memo->home != m->memo)
        dot_forget(m->memo);
    struct dot_memory *d = m->memo->memory;
    const struct dot_a *a = dot_a_of(m, d);
    const struct dot_b *b = dot_b_of(m, d);
    const struct dot_pair *p = dot_pair_of(m, d, a, b);
    if (!dot_fits(m, p, lowest))
        return false;
    const __m256i up = _mm256_set1_epi16((short)((p->range.least + m->k + M_ABOVE) * 128));
    const __m256i z = _mm256_set1_epi16((short)((lowest + M_ABOVE) * 128 + M_FRACTION));
    for (unsigned i = 0; i < m->rows; i += ROWS)
        dot_four(m, i, a, b, p->top, up, z, a32);
    return true;
}

FMA bool matrix_dot_fma(const struct matrix_dot *m)
{
    return m->a32 ? dot_all(m, true) : dot_all(m, false);
}

bool matrix_dot_fma_usable(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

/* The same where there are twice as many registers, and multiplications that broadcast by themselves: AVX-512
   for vectors of this width. */
__attribute__((target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl"))) bool
matrix_dot_fma_512(const struct matrix_dot *m)
{
    return m->a32 ? dot_all(m, true) : dot_all(m, false);
}

#else

bool matrix_dot_fma(const struct matrix_dot *m)
{
    (void)m;
    return false;
}

bool matrix_dot_fma_512(const struct matrix_dot *m)
{
    (void)m;
    return false;
}

bool matrix_dot_fma_usable(void)
{
    return false;
}

#endif
