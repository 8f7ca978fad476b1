/*
 * layout.h - how a number's bits lie in L1 order, in SrcA/SrcB and in Dst.
 *
 *     L1, cores       {S, E, M}
 *     Src, 19 bits    {S, M10, E8} where software sees them; a cell holds them as a float has them:
 *                     {S, E8, M10} above 13 zeros, so that BF16 is a shift away and TF32 a mask
 *     Dst, 16 bits    BF16 {S, M7, E8}   FP16 {S, M10, E5}
 *     Dst, 32 bits    high half {S, M[22:16], E8}, low half M[15:0]; integers the same way
 *
 * ISA pages: SrcASrcB, Dst (Blackhole).
 */
#ifndef WG_NUM_LAYOUT_H
#define WG_NUM_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

/* {S, E8, M7} and {S, M7, E8} */
static inline uint16_t layout_bf16_to_dst(uint32_t v)
{
    return (uint16_t)((v & 0x8000) | (v & 0x7f) << 8 | (v >> 7 & 0xff));
}

static inline uint16_t layout_bf16_from_dst(uint32_t v)
{
    return (uint16_t)((v & 0x8000) | (v & 0xff) << 7 | (v >> 8 & 0x7f));
}

/* {S, E5, M10} and {S, M10, E5} */
static inline uint16_t layout_fp16_to_dst(uint32_t v)
{
    return (uint16_t)((v & 0x8000) | (v & 0x3ff) << 5 | (v >> 10 & 0x1f));
}

static inline uint16_t layout_fp16_from_dst(uint32_t v)
{
    return (uint16_t)((v & 0x8000) | (v & 0x1f) << 10 | (v >> 5 & 0x3ff));
}

/* The two halves of a 32-bit datum. */
static inline uint16_t layout_high_to_dst(uint32_t v)
{
    return layout_bf16_to_dst(v >> 16);
}

static inline uint32_t layout_from_dst32(uint32_t high, uint32_t low)
{
    return (uint32_t)layout_bf16_from_dst(high) << 16 | low;
}

/* ---- cells of Src ---- */

#define NUM_SRC_SIGN     UINT32_C(0x80000000)
#define NUM_SRC_EXPONENT UINT32_C(0x7f800000)
#define NUM_SRC_FRACTION UINT32_C(0x007fe000)

/* What of a cell a format has; of FP16's exponent the low five bits. */
#define NUM_SRC_TF32 (NUM_SRC_SIGN | NUM_SRC_EXPONENT | NUM_SRC_FRACTION)
#define NUM_SRC_BF16 UINT32_C(0xffff0000)
#define NUM_SRC_FP16 (NUM_SRC_SIGN | UINT32_C(0x0f800000) | NUM_SRC_FRACTION)

static inline uint32_t layout_src(uint32_t sign, uint32_t exponent, uint32_t fraction)
{
    return sign << 31 | exponent << 23 | fraction << 13;
}

static inline uint32_t layout_src_sign(uint32_t d)
{
    return d >> 31;
}

static inline uint32_t layout_src_exponent(uint32_t d)
{
    return d >> 23 & 0xff;
}

static inline uint32_t layout_src_fraction(uint32_t d)
{
    return d >> 13 & 0x3ff;
}

/* The 19 bits {S, M10, E8} to a cell and back. */
static inline uint32_t layout_src_from_bits(uint32_t v)
{
    return layout_src(v >> 18 & 1, v & 0xff, v >> 8 & 0x3ff);
}

static inline uint32_t layout_src_to_bits(uint32_t d)
{
    return layout_src_sign(d) << 18 | layout_src_fraction(d) << 8 | layout_src_exponent(d);
}

/* From Dst's 16 bits, {S, M7, E8} or {S, M10, E5}, and to them. */
static inline uint32_t layout_src_from_dst(uint32_t v, bool five)
{
    return five ? layout_src(v >> 15 & 1, v & 0x1f, v >> 5 & 0x3ff)
                : (uint32_t)layout_bf16_from_dst(v) << 16;
}

static inline uint16_t layout_src_to_dst(uint32_t d, bool five)
{
    return five ? (uint16_t)((d >> 16 & 0x8000) | (d >> 8 & 0x7fe0) | (d >> 23 & 0x1f))
                : layout_high_to_dst(d);
}

#endif
