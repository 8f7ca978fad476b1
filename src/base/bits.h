/* bits.h - bit extraction; no hardware knowledge. */
#ifndef WG_BASE_BITS_H
#define WG_BASE_BITS_H

#include <stdbool.h>
#include <stdint.h>

/* Mask of the n low bits, n in 0..32. */
static inline uint32_t bits_mask(unsigned n)
{
    return n >= 32 ? UINT32_MAX : (UINT32_C(1) << n) - 1;
}

/* n bits of w from bit lo up. */
static inline uint32_t bits_get(uint32_t w, unsigned lo, unsigned n)
{
    return (w >> lo) & bits_mask(n);
}

static inline uint32_t bits_rotl(uint32_t x, unsigned n)
{
    n &= 31;
    return n ? (x << n) | (x >> (32 - n)) : x;
}

static inline uint32_t bits_rotr(uint32_t x, unsigned n)
{
    return bits_rotl(x, 32 - (n & 31));
}

/* Number of the lowest bit that is set; x is not 0. */
static inline unsigned bits_lowest(uint32_t x)
{
#if defined(__GNUC__)
    return (unsigned)__builtin_ctz(x);
#else
    unsigned n = 0;
    while (!(x >> n & 1))
        n++;
    return n;
#endif
}

#endif
