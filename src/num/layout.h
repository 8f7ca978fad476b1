/*
 * layout.h - how a number's bits lie in L1 order, in SrcA/SrcB and in Dst.
 *
 *     L1, cores       {S, E, M}
 *     Src, 19 bits    {S, M10, E8}                          SRC_* below
 *     Dst, 16 bits    BF16 {S, M7, E8}   FP16 {S, M10, E5}
 *     Dst, 32 bits    high half {S, M[22:16], E8}, low half M[15:0]; integers the same way
 *
 * ISA pages: SrcASrcB, Dst (Blackhole).
 */
#ifndef WG_NUM_LAYOUT_H
#define WG_NUM_LAYOUT_H

#include <stdint.h>

/* {S, E8, M7} and {S, M7, E8} */
static inline uint16_t num_bf16_to_dst(uint32_t v)
{
    return (uint16_t)((v & 0x8000) | (v & 0x7f) << 8 | (v >> 7 & 0xff));
}

static inline uint16_t num_bf16_from_dst(uint32_t v)
{
    return (uint16_t)((v & 0x8000) | (v & 0xff) << 7 | (v >> 8 & 0x7f));
}

/* {S, E5, M10} and {S, M10, E5} */
static inline uint16_t num_fp16_to_dst(uint32_t v)
{
    return (uint16_t)((v & 0x8000) | (v & 0x3ff) << 5 | (v >> 10 & 0x1f));
}

static inline uint16_t num_fp16_from_dst(uint32_t v)
{
    return (uint16_t)((v & 0x8000) | (v & 0x1f) << 10 | (v >> 5 & 0x3ff));
}

/* The two halves of a 32-bit datum. */
static inline uint16_t num_high_to_dst(uint32_t v)
{
    return num_bf16_to_dst(v >> 16);
}

static inline uint32_t num_from_dst32(uint32_t high, uint32_t low)
{
    return (uint32_t)num_bf16_from_dst(high) << 16 | low;
}

/* Src: {S, M10, E8} */
static inline uint32_t num_src(uint32_t sign, uint32_t exponent, uint32_t fraction)
{
    return sign << 18 | fraction << 8 | exponent;
}

static inline uint32_t num_src_sign(uint32_t d)
{
    return d >> 18 & 1;
}

static inline uint32_t num_src_exponent(uint32_t d)
{
    return d & 0xff;
}

static inline uint32_t num_src_fraction(uint32_t d)
{
    return d >> 8 & 0x3ff;
}

#endif
