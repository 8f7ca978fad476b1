/*
 * rvcore_math.h - arithmetic of RISC-V instructions that has no operator in C; for the two loops that
 * execute rvcore_exec.def.
 */
#ifndef WG_CORE_RVCORE_MATH_H
#define WG_CORE_RVCORE_MATH_H

#include <stdint.h>

static inline uint32_t rvcore_math_divide(uint32_t a, uint32_t b)
{
    if (!b)
        return UINT32_MAX;
    if (a == UINT32_C(0x80000000) && b == UINT32_MAX)
        return a;
    return (uint32_t)((int32_t)a / (int32_t)b);
}

static inline uint32_t rvcore_math_remainder(uint32_t a, uint32_t b)
{
    if (!b)
        return a;
    if (a == UINT32_C(0x80000000) && b == UINT32_MAX)
        return 0;
    return (uint32_t)((int32_t)a % (int32_t)b);
}

static inline uint32_t rvcore_math_ones(uint32_t x)
{
    x -= x >> 1 & UINT32_C(0x55555555);
    x = (x & UINT32_C(0x33333333)) + (x >> 2 & UINT32_C(0x33333333));
    x = (x + (x >> 4)) & UINT32_C(0x0f0f0f0f);
    return x * UINT32_C(0x01010101) >> 24;
}

static inline uint32_t rvcore_math_trailing_zeros(uint32_t x)
{
    return rvcore_math_ones(~x & (x - 1));
}

static inline uint32_t rvcore_math_leading_zeros(uint32_t x)
{
    for (unsigned n = 1; n < 32; n *= 2)
        x |= x >> n;
    return 32 - rvcore_math_ones(x);
}

static inline uint32_t rvcore_math_or_bytes(uint32_t x)
{
    uint32_t out = 0;
    for (unsigned i = 0; i < 32; i += 8)
        if (x >> i & 0xff)
            out |= UINT32_C(0xff) << i;
    return out;
}

/* Bit k of mode set: swap neighbouring groups of 2^k bits. */
static inline uint32_t rvcore_math_reverse(uint32_t x, uint32_t mode)
{
    static const uint32_t odd[5] = {0xaaaaaaaa, 0xcccccccc, 0xf0f0f0f0, 0xff00ff00, 0xffff0000};
    for (unsigned k = 0; k < 5; k++)
        if (mode >> k & 1)
            x = (x & odd[k]) >> (1u << k) | (x & ~odd[k]) << (1u << k);
    return x;
}

#endif
