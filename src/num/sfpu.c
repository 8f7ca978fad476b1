/*
 * sfpu.c - the multiply-add of the Vector Unit: its special cases, and work on 32 lanes in plain C; see sfpu.h.
 *
 * ISA page: SFPMAD (Blackhole).
 *
 * Invariant: as in sfpu.h.
 *
 * Inaccuracies: those of sfpu.h.
 */
#include "num/sfpu.h"

#include "num/prng.h"

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

static uint32_t plain_negative(const uint32_t *v)
{
    uint32_t m = 0;
    for (unsigned i = 0; i < NUM_SFPU_LANES; i++)
        m |= v[i] >> 31 << i;
    return m;
}

static uint32_t plain_zero(const uint32_t *v)
{
    uint32_t m = 0;
    for (unsigned i = 0; i < NUM_SFPU_LANES; i++)
        m |= (uint32_t)(v[i] == 0) << i;
    return m;
}

static uint32_t plain_greater(const uint32_t *a, const uint32_t *b)
{
    uint32_t m = 0;
    for (unsigned i = 0; i < NUM_SFPU_LANES; i++)
        m |= (uint32_t)(num_sfpu_key(a[i]) > num_sfpu_key(b[i])) << i;
    return m;
}

static void plain_from_int(const uint32_t *c, uint32_t *d)
{
    for (unsigned i = 0; i < NUM_SFPU_LANES; i++)
        d[i] = num_sfpu_from_int(c[i], false, 0);
}

static void plain_shorten(const uint32_t *c, unsigned drop, uint32_t h, uint32_t *d)
{
    for (unsigned i = 0; i < NUM_SFPU_LANES; i++)
        d[i] = num_sfpu_shorten(c[i], drop, h);
}

static void plain_to_int(const uint32_t *c, uint32_t sign, uint32_t max, uint32_t h, uint32_t *d)
{
    for (unsigned i = 0; i < NUM_SFPU_LANES; i++)
        d[i] = num_sfpu_float_to_int(c[i], sign, max, h);
}

static void plain_noise(const uint32_t *state, uint32_t *next)
{
    for (unsigned i = 0; i < NUM_SFPU_LANES; i++)
        next[i] = prng_step(state[i]);
}

const struct num_sfpu_lanes num_sfpu_plain = {.negative = plain_negative,
                                              .zero = plain_zero,
                                              .greater = plain_greater,
                                              .from_int = plain_from_int,
                                              .shorten = plain_shorten,
                                              .to_int = plain_to_int,
                                              .noise = plain_noise};
