/*
 * fpu.h - the arithmetic of the Matrix Unit on single data: products by fidelity phase, sums, and the
 * accumulation into Dst with its rounding; the comparisons of GMPOOL.
 *
 * Src data are cells, see layout.h. Dst values come and go as {S, E8, M23}; FP16 with
 * its raw five exponent bits and its fraction in the top of M23.
 *
 *     x8    operands and Dst16 have 8-bit exponents (BF16, TF32), else 5-bit ones (FP16)
 *     a32   Dst is FP32
 *
 * ISA pages: MVMUL, ELWMUL, ELWADD, ELWSUB, GMPOOL; they call their own arithmetic a rough guide.
 */
#ifndef WG_NUM_FPU_H
#define WG_NUM_FPU_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hot.h"
#include "num/format.h"
#include "num/layout.h"

/* A term of a sum: v * 2^(e - 23), with e a biased exponent like that of Dst. */
struct num_fpu_term {
    int32_t v;
    int e;
};

#define NUM_FPU_ONE (INT32_C(1) << 23)

/* Which bits of an operand are looked at, by its format code. */
static inline uint32_t num_fpu_mask(unsigned format)
{
    if (num_formats[format & 15].exponent == 5)
        return NUM_SRC_FP16;
    return (format & 15) == NUM_TF32 ? NUM_SRC_TF32 : NUM_SRC_BF16;
}

/* The exponent constant K: what makes the sum of two biased exponents a biased exponent of Dst. */
static inline int num_fpu_k(unsigned phase, bool x8, bool a32)
{
    int k = x8 ? -127 : (a32 ? 127 - 30 : -15);
    return k - (phase & 1 ? 5 : 0) - (phase & 2 ? 7 : 0);
}

/* The part of a significand that a phase multiplies: 5 bits of SrcA, 7 bits of SrcB. */
static inline unsigned num_fpu_part_a(uint32_t a, unsigned phase)
{
    unsigned m = 0x400 | layout_src_fraction(a);
    return m >> (phase & 1 ? 1 : 6) & 31;
}

static inline unsigned num_fpu_part_b(uint32_t b, unsigned phase)
{
    unsigned m = 0x400 | layout_src_fraction(b);
    return m << 3 >> (phase & 2 ? 0 : 7) & (phase & 2 ? 0x78 : 0x7f);
}

/* {S, E5, M10} as the sums see it, and back. */
static inline uint32_t num_fpu_from_fp16(uint32_t v)
{
    return (v & 0x8000) << 16 | (v & 0x7fff) << 13;
}

static inline uint16_t num_fpu_to_fp16(uint32_t v)
{
    return (uint16_t)((v >> 16 & 0x8000) | (v >> 13 & 0x7fff));
}

/* v / 2^d to the nearest integer, halves up; nothing is left from d = 31 on. */
static inline int32_t num_fpu_align(int32_t v, int d)
{
    if (d <= 0)
        return v;
    return d < 31 ? (v + (INT32_C(1) << (d - 1))) >> d : 0;
}

/* A product of the dot product is cut to the group's exponent: halves away from zero, d >= 0. */
static inline int32_t num_fpu_cut(int32_t q, int d)
{
    d = d < 15 ? d : 15; /* nothing is left of 12 bits by then */
    return (2 * q + (INT32_C(1) << d) - (q < 0)) >> (d + 1);
}

/* n (not 0) at exponent x, unit bit 23, becomes {S, E8, M23} with as many bits as Dst has. */
HOT_INLINE uint32_t num_fpu_encode(uint32_t sign, uint32_t n, int x, bool x8, bool a32, bool random,
                                   uint32_t noise)
{
    int top = 31 - __builtin_clz(n), keep = a32 ? 24 : (x8 ? 8 : 11), drop = top + 1 - keep;
    x += top - 23;
    if (drop > 0) {
        uint32_t half = UINT32_C(1) << (drop - 1);
        n = (n + (random ? (noise & (2 * half - 1)) + 1 : half)) >> drop;
        x += (int)(n >> keep);
    } else {
        n <<= -drop;
    }
    if (x <= 0)
        return 0;
    if (a32 || x8) {
        if (x >= 255)
            return sign << 31 | UINT32_C(255) << 23;
    } else if (x >= 32) {
        return sign << 31 | UINT32_C(31) << 23 | UINT32_C(0x3ff) << 13;
    }
    return sign << 31 | (uint32_t)x << 23 | (n << (24 - keep) & 0x7fffff);
}

/*
 * Dst plus two terms, in one step. No result is a NaN, a denormal or minus zero. random: the dropped
 * bits are rounded with noise instead of to the nearest.
 */
HOT_INLINE uint32_t num_fpu_sum_as(struct num_fpu_term t0, struct num_fpu_term t1, uint32_t dst,
                                   bool x8, bool a32, bool random, uint32_t noise)
{
    int ed = (int)(dst >> 23 & 255), x = t0.e > t1.e ? t0.e : t1.e;
    int32_t md = ed ? NUM_FPU_ONE | (int32_t)(dst & 0x7fffff) : 0;
    x = x > ed ? x : ed;
    if (x <= 0)
        return 0;
    int32_t v0 = num_fpu_align(t0.v, x - t0.e), v1 = num_fpu_align(t1.v, x - t1.e);
    md = num_fpu_align(md, x - ed);
    if (!a32) { /* 16-bit Dst: 13 bits fewer go into the adder */
        v0 = (v0 + 0x1000) & ~INT32_C(0x1fff);
        v1 = (v1 + 0x1000) & ~INT32_C(0x1fff);
        md = (md + 0x1000) & ~INT32_C(0x1fff);
    }
    int32_t n = (dst >> 31 ? -md : md) + v0 + v1;
    if (!n)
        return 0;
    return num_fpu_encode(n < 0, (uint32_t)(n < 0 ? -n : n), x, x8, a32, random, noise);
}

HOT_INLINE uint32_t num_fpu_sum(struct num_fpu_term t0, struct num_fpu_term t1, uint32_t dst,
                                bool x8, bool a32)
{
    return num_fpu_sum_as(t0, t1, dst, x8, a32, false, 0);
}

/* a * b of one phase, operands masked. keep_b: an exponent of 0 in b does not mean zero. */
static inline struct num_fpu_term num_fpu_product(uint32_t a, uint32_t b, int k, unsigned phase,
                                                  bool keep_b)
{
    int ea = (int)layout_src_exponent(a), eb = (int)layout_src_exponent(b), e = ea + eb + k;
    int32_t v = (int32_t)(num_fpu_part_a(a, phase) * num_fpu_part_b(b, phase)) << 13;
    if (!ea || (!eb && !keep_b) || e <= 0)
        return (struct num_fpu_term){0, k > 0 ? k : 0};
    return (struct num_fpu_term){layout_src_sign(a ^ b) ? -v : v, e};
}

/* a + b, operands masked: the smaller one is rounded to the grid of the larger one first. */
static inline struct num_fpu_term num_fpu_add(uint32_t a, uint32_t b, bool x8, bool a32,
                                              bool keep_b)
{
    a = layout_src_exponent(a) ? a : 0;
    b = layout_src_exponent(b) || keep_b ? b : 0;
    uint32_t ka = a & ~NUM_SRC_SIGN, kb = b & ~NUM_SRC_SIGN;
    uint32_t large = ka < kb ? b : a, small = ka < kb ? a : b;
    int e = (int)layout_src_exponent(large), d = e - (int)layout_src_exponent(small);
    int32_t ml = large ? (int32_t)(0x400 | layout_src_fraction(large)) : 0;
    int32_t ms = small ? (int32_t)(0x400 | layout_src_fraction(small)) : 0;
    ms = d < 12 ? (2 * ms + (INT32_C(1) << d)) >> (d + 1) : 0;
    int32_t m = layout_src_sign(large ^ small) ? ml - ms : ml + ms;
    if (!x8 && a32)
        e = e ? e + 127 - 15 : 127 - 30;
    return (struct num_fpu_term){(layout_src_sign(large) ? -m : m) * (1 << 13), e};
}

/* Integers: 10 bits of magnitude; 0 if the exponent is. */
static inline int32_t num_fpu_int(uint32_t d, uint32_t mask, bool keep)
{
    int32_t g = layout_src_exponent(d) || keep ? (int32_t)(layout_src_fraction(d) & mask) : 0;
    return layout_src_sign(d) ? -g : g;
}

/* The bits of the magnitudes that a phase multiplies; phase 3 has the low ones. */
static inline uint32_t num_fpu_int_mask_a(unsigned phase)
{
    return phase & 1 ? 0x1f : 0xe0;
}

static inline uint32_t num_fpu_int_mask_b(unsigned phase)
{
    return phase & 2 ? 0x0f : 0x3f0;
}

/* Dst INT32 (sign and magnitude) plus x, saturating. */
static inline uint32_t num_fpu_int_sum(uint32_t dst, int32_t x)
{
    int64_t d = (int64_t)(dst & INT32_MAX);
    int64_t sum = (dst >> 31 ? -d : d) + x, n = sum < 0 ? -sum : sum;
    return (uint32_t)(sum < 0) << 31 | (uint32_t)(n > INT32_MAX ? INT32_MAX : n);
}

/*
 * GMPOOL compares sign and magnitude: {S, exponent 9, field 10} in 20 bits. A style says what the
 * numbers are.
 */
enum num_fpu_pool { NUM_POOL_BF16, NUM_POOL_FP16, NUM_POOL_TF32, NUM_POOL_INT };

/* SrcA's datum scaled by the exponent of SrcB's. */
uint32_t num_fpu_pool_src(uint32_t a, uint32_t b, enum num_fpu_pool style);
/* To and from the 32 bits of a Dst datum, high half first, bits as they lie there. */
uint32_t num_fpu_pool_read(uint32_t dst, enum num_fpu_pool style);
uint32_t num_fpu_pool_write(uint32_t p, enum num_fpu_pool style);

static inline int32_t num_fpu_pool_key(uint32_t p)
{
    int32_t m = (int32_t)(p & 0x7ffff);
    return p >> 19 ? -m : m;
}

#endif
