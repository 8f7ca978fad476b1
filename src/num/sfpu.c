/*
 * sfpu.c - the multiply-add of the Vector Unit: its special cases, and 32 lanes of it in plain C; see sfpu.h.
 *
 * ISA page: SFPMAD (Blackhole).
 *
 * Invariant: as in sfpu.h.
 *
 * Inaccuracies: those of sfpu.h.
 */
#include "num/sfpu.h"

static bool sfpu_nan(uint32_t x)
{
    return (x & ~NUM_SFPU_SIGN) > NUM_SFPU_INF;
}

static bool sfpu_inf(uint32_t x)
{
    return (x & ~NUM_SFPU_SIGN) == NUM_SFPU_INF;
}

/* Denormals count. */
static bool sfpu_zero(uint32_t x)
{
    return (x & NUM_SFPU_INF) == 0;
}

uint32_t num_sfpu_infinite(uint32_t x, uint32_t y, uint32_t z)
{
    uint32_t sp = (x ^ y) & NUM_SFPU_SIGN;
    if (sfpu_nan(x) || sfpu_nan(y) || sfpu_nan(z) || (sfpu_inf(x) && sfpu_zero(y)) ||
        (sfpu_zero(x) && sfpu_inf(y)))
        return NUM_SFPU_NAN;
    if (!sfpu_inf(z))
        return sp | NUM_SFPU_INF;
    /* A finite product that overflowed has no say against an infinity. */
    if ((sfpu_inf(x) || sfpu_inf(y)) && (z & NUM_SFPU_SIGN) != sp)
        return NUM_SFPU_NAN;
    return z;
}

void num_sfpu_mads(const uint32_t *x, const uint32_t *y, const uint32_t *z, uint32_t *d)
{
    for (unsigned i = 0; i < NUM_SFPU_LANES; i++)
        d[i] = num_sfpu_mad(x[i], y[i], z[i]);
}
