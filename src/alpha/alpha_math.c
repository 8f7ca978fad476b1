/* alpha_math.c - the Alpha's instructions on bytes and bits that are too long for a header. */
#include "alpha/alpha_math.h"

uint64_t alpha_math_cmpbge(uint64_t a, uint64_t b)
{
    uint64_t result = 0;
    for (unsigned i = 0; i < 8; i++)
        result |= (uint64_t)((a >> 8 * i & 0xff) >= (b >> 8 * i & 0xff)) << i;
    return result;
}

uint64_t alpha_math_ctpop(uint64_t x)
{
    x -= x >> 1 & UINT64_C(0x5555555555555555);
    x = (x & UINT64_C(0x3333333333333333)) + (x >> 2 & UINT64_C(0x3333333333333333));
    x = (x + (x >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    return x * UINT64_C(0x0101010101010101) >> 56;
}

uint64_t alpha_math_ctlz(uint64_t x)
{
    for (unsigned n = 1; n < 64; n *= 2)
        x |= x >> n;
    return 64 - alpha_math_ctpop(x);
}

uint64_t alpha_math_cttz(uint64_t x)
{
    return alpha_math_ctpop(~x & (x - 1));
}

uint64_t alpha_math_perr(uint64_t a, uint64_t b)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < 64; i += 8) {
        uint64_t x = a >> i & 0xff, y = b >> i & 0xff;
        sum += x > y ? x - y : y - x;
    }
    return sum;
}

uint64_t alpha_math_unpkbw(uint64_t b)
{
    return (b & 0xff) | (b & 0xff00) << 8 | (b & 0xff0000) << 16 | (b & 0xff000000) << 24;
}

uint64_t alpha_math_unpkbl(uint64_t b)
{
    return (b & 0xff) | (b & 0xff00) << 24;
}

uint64_t alpha_math_pkwb(uint64_t b)
{
    return (b & 0xff) | (b >> 8 & 0xff00) | (b >> 16 & 0xff0000) | (b >> 24 & 0xff000000);
}

uint64_t alpha_math_pklb(uint64_t b)
{
    return (b & 0xff) | (b >> 24 & 0xff00);
}

uint64_t alpha_math_pick(uint64_t a, uint64_t b, unsigned bits, bool is_signed, bool maximum)
{
    uint64_t mask = (UINT64_C(1) << bits) - 1, flip = is_signed ? UINT64_C(1) << (bits - 1) : 0;
    uint64_t result = 0;
    for (unsigned i = 0; i < 64; i += bits) {
        uint64_t x = a >> i & mask, y = b >> i & mask;
        bool larger = (x ^ flip) > (y ^ flip);
        result |= (larger == maximum ? x : y) << i;
    }
    return result;
}
