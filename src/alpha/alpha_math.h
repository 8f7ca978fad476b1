/*
 * alpha_math.h - integer helpers of the Alpha's instructions: wide products, bytes, counts.
 *
 * All are pure functions of 64-bit values. A shift count never reaches 64.
 */
#ifndef WG_ALPHA_MATH_H
#define WG_ALPHA_MATH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hot.h"

/* High half of a * b in 32-bit pieces. */
static inline uint64_t alpha_math_umulh_plain(uint64_t a, uint64_t b)
{
    uint64_t al = a & UINT32_MAX, ah = a >> 32, bl = b & UINT32_MAX, bh = b >> 32;
    uint64_t low = al * bl, mid = ah * bl + (low >> 32), mid2 = al * bh + (mid & UINT32_MAX);
    return ah * bh + (mid >> 32) + (mid2 >> 32);
}

static inline uint64_t alpha_math_umulh(uint64_t a, uint64_t b)
{
#if defined(__SIZEOF_INT128__)
    __extension__ typedef unsigned __int128 wide;
    return (uint64_t)((wide)a * b >> 64);
#else
    return alpha_math_umulh_plain(a, b);
#endif
}

static inline uint64_t alpha_math_sext32(uint64_t x)
{
    return (uint64_t)(int64_t)(int32_t)(uint32_t)x;
}

static inline uint64_t alpha_math_sra(uint64_t x, unsigned n)
{
    uint64_t fill = x >> 63 ? ~(UINT64_MAX >> n) : 0;
    return x >> n | fill;
}

/* Is a + b (or a - b) outside the signed range? */
static inline bool alpha_math_add_overflows(uint64_t a, uint64_t b)
{
    uint64_t sum = a + b;
    return ((a ^ sum) & (b ^ sum)) >> 63;
}

static inline bool alpha_math_sub_overflows(uint64_t a, uint64_t b)
{
    return ((a ^ b) & (a ^ (a - b))) >> 63;
}

static inline bool alpha_math_mul_overflows(uint64_t a, uint64_t b)
{
    /* signed high half: the unsigned one less the other factor for each negative one */
    uint64_t high = alpha_math_umulh(a, b) - (a >> 63 ? b : 0) - (b >> 63 ? a : 0);
    return high != (a * b >> 63 ? UINT64_MAX : 0);
}

/* ---- bytes ---- */

/* Ones in the bytes whose bit of m is set. */
static inline uint64_t alpha_math_byte_mask(uint64_t m)
{
    /* one bit to each byte, then to all bits of the byte */
    uint64_t x = m & 0xff;
    x = (x | x << 28) & UINT64_C(0x0000000f0000000f);
    x = (x | x << 14) & UINT64_C(0x0003000300030003);
    x = (x | x << 7) & UINT64_C(0x0101010101010101);
    return x * 0xff;
}

/* Ones in the low n bytes, n in 1..8. */
static inline uint64_t alpha_math_low_bytes(unsigned n)
{
    return UINT64_MAX >> (64 - 8 * n);
}

static inline uint64_t alpha_math_ext_low(uint64_t a, uint64_t b, unsigned n)
{
    return a >> (b & 7) * 8 & alpha_math_low_bytes(n);
}

static inline uint64_t alpha_math_ext_high(uint64_t a, uint64_t b, unsigned n)
{
    return a << ((64 - (b & 7) * 8) & 63) & alpha_math_low_bytes(n);
}

static inline uint64_t alpha_math_ins_low(uint64_t a, uint64_t b, unsigned n)
{
    return (a & alpha_math_low_bytes(n)) << (b & 7) * 8;
}

/* What an insertion at offset b & 7 pushes out at the top; nothing at offset 0. */
static inline uint64_t alpha_math_ins_high(uint64_t a, uint64_t b, unsigned n)
{
    return (a & alpha_math_low_bytes(n)) >> (63 - (b & 7) * 8) >> 1;
}

static inline uint64_t alpha_math_msk_low(uint64_t a, uint64_t b, unsigned n)
{
    return a & ~alpha_math_ins_low(UINT64_MAX, b, n);
}

static inline uint64_t alpha_math_msk_high(uint64_t a, uint64_t b, unsigned n)
{
    return a & ~alpha_math_ins_high(UINT64_MAX, b, n);
}

/* Bit i: byte i of a >= byte i of b. */
uint64_t alpha_math_cmpbge(uint64_t a, uint64_t b);

/* ---- counts ---- */

uint64_t alpha_math_ctpop(uint64_t x);
uint64_t alpha_math_ctlz(uint64_t x);
uint64_t alpha_math_cttz(uint64_t x);

/* ---- MVI ---- */

uint64_t alpha_math_perr(uint64_t a, uint64_t b);
uint64_t alpha_math_unpkbw(uint64_t b);
uint64_t alpha_math_unpkbl(uint64_t b);
uint64_t alpha_math_pkwb(uint64_t b);
uint64_t alpha_math_pklb(uint64_t b);

/* Minimum or maximum of the fields of `bits` bits. */
uint64_t alpha_math_pick(uint64_t a, uint64_t b, unsigned bits, bool is_signed, bool maximum);

#endif
