/*
 * vector_case_random.c - stochastic rounding; see vector_case.h. Exact: a lane's random number is the state of its
 * generator, so that the first tile, which the kernel fills with them, foretells all that follow. How a seed becomes
 * the states of 32 lanes is not judged here.
 *
 * ISA pages: VectorUnit (PRNG), SFPSTOCHRND_FloatFloat, _FloatInt, _IntInt, SFPCAST_IntFloat, SFPMOV (Blackhole).
 */
#include <stdio.h>

#include "vector_case.h"

enum { LANES = 32, PLAYS = 8 }; /* a face is done 32 datums at a time */

/* The bit that comes in is set if an even number of these are. */
static uint32_t next_state(uint32_t s)
{
    uint32_t odd = (s >> 31 ^ s >> 21 ^ s >> 1 ^ s) & 1;
    return s >> 1 | (odd ? 0 : 0x80000000);
}

/* Drops so many bits of a fraction. What is dropped rounds up when it is not less than as many random bits. */
static uint32_t shortened(uint32_t v, unsigned drop, uint32_t noise)
{
    uint32_t unit = (uint32_t)1 << drop, rest = v % unit,
             most = noise % 0x800000 / (0x800000 / unit);
    uint32_t exponent = v >> 23 & 255;
    if (exponent == 0)
        return 0; /* zeros and denormals */
    if (exponent == 255)
        return v & 0xFF800000; /* NaN becomes infinite */
    return v - rest + (rest >= most ? unit : 0);
}

/* A magnitude with 23 bits behind the point, and its sign. */
static uint32_t whole(uint64_t magnitude, uint32_t sign, uint32_t most, uint32_t noise)
{
    uint64_t n = magnitude / 0x800000 + (magnitude % 0x800000 >= noise % 0x800000);
    n = n < most ? n : most;
    return n ? sign | (uint32_t)n : 0;
}

static uint32_t to_integer(uint32_t v, bool with_sign, uint32_t most, uint32_t noise)
{
    uint32_t sign = with_sign ? v & 0x80000000 : 0, exponent = v >> 23 & 255;
    uint64_t fraction = 0x800000 | (v & 0x7FFFFF);
    if (exponent < 126) /* below a half: nothing is left to chance */
        return 0;
    if (exponent >= 127 + 16)
        return sign | most;
    return whole(exponent < 127 ? fraction >> 1 : fraction << (exponent - 127), sign, most, noise);
}

/* Sign and magnitude to FP32. Eight bits are dropped, of which seven are compared. */
static uint32_t to_float(uint32_t v, uint32_t noise)
{
    uint32_t m = v & 0x7FFFFFFF, exponent = 127 + 31;
    if (!m)
        return v;
    for (; !(m >> 31); m <<= 1)
        exponent--;
    return (v & 0x80000000) + (exponent << 23) + (m >> 8 & 0x7FFFFF) +
           ((m >> 1 & 127) > (noise >> 10 & 127));
}

static uint32_t rounded(unsigned op, uint32_t v, uint32_t *state)
{
    uint32_t noise = *state;
    if (op == STOCHASTIC_NEGATIVE && !(v >> 31))
        return v; /* the lane is off */
    *state = next_state(noise);
    switch (op) {
    case STOCHASTIC_TF32: return shortened(v, 13, noise);
    case STOCHASTIC_UINT8: return to_integer(v, false, 255, noise);
    case STOCHASTIC_INT8: return to_integer(v, true, 127, noise);
    case STOCHASTIC_UINT16: return to_integer(v, false, 65535, noise);
    case STOCHASTIC_INT16: return to_integer(v, true, 32767, noise);
    case STOCHASTIC_SCALE:
        return whole(
            (uint64_t)(v & 0x7FFFFFFF) << 23 >> STOCHASTIC_SHIFT, v & 0x80000000, 127, noise);
    case STOCHASTIC_FP32: return to_float(v, noise);
    default: return shortened(v, 16, noise);
    }
}

/* Where the datum of a lane lies: a lane has every second column of four rows, plays take turns with the others. */
static unsigned place(unsigned group, unsigned lane)
{
    unsigned face = group / PLAYS, play = group % PLAYS;
    return 256 * face + 16 * (4 * (play / 2) + lane / 8) + 2 * (lane % 8) + play % 2;
}

static bool judge_stochastic(const struct vector_case *c, const uint32_t *got, char *why,
                             unsigned size)
{
    uint32_t state[LANES];
    for (unsigned lane = 0; lane < LANES; lane++)
        state[lane] = got[place(0, lane)];
    for (unsigned group = 0; group < c->n / LANES; group++)
        for (unsigned lane = 0; lane < LANES; lane++) {
            unsigned tile = group / (4 * PLAYS);
            unsigned i = VECTOR_TILE * tile + place(group % (4 * PLAYS), lane);
            uint32_t noise = state[lane], want = noise;
            if (tile)
                want = rounded(c->args.op, c->in[0][i], &state[lane]);
            else
                state[lane] = next_state(noise);
            if (got[i] == want)
                continue;
            snprintf(why,
                     size,
                     "datum %u, lane %u: of 0x%08x with 0x%08x 0x%08x, must be 0x%08x",
                     i,
                     lane,
                     (unsigned)c->in[0][i],
                     (unsigned)noise,
                     (unsigned)got[i],
                     (unsigned)want);
            return false;
        }
    return true;
}

/* Integers that rounding makes a difference to; numbers that few bits, or all, or none are dropped of. */
static uint32_t operand(unsigned op, struct rng *r)
{
    uint32_t v = rng_next(r);
    if (op == STOCHASTIC_SCALE)
        return (v & 0x80000000) | (v & 0x7FFFFFFF) >> (14 + rng_below(r, 17));
    if (op == STOCHASTIC_FP32)
        return (v & 0x80000000) | (v & 0x7FFFFFFF) >> rng_below(r, 32);
    if (rng_percent(r, 60)) /* 1/4 to 2^18 */
        v = (v & 0x807FFFFF) | (125 + rng_below(r, 20)) << 23;
    else
        v = vector_random(r);
    return rng_percent(r, 20) ? v & (0xFFFFFFFF << rng_below(r, 24)) : v;
}

void vector_stochastic(struct rng *r, unsigned n, struct vector_case *c)
{
    static const char *const names[STOCHASTICS] = {
        "bf16", "tf32", "uint8", "int8", "uint16", "int16", "scale", "fp32", "negative"};
    c->kernel = "stochastic";
    c->args.op = n % STOCHASTICS;
    c->args.how = rng_next(r);
    c->name = names[c->args.op];
    c->judge = judge_stochastic;
    c->args.columns = 2 + rng_below(r, VECTOR_TILES - 1);
    c->n = c->args.columns * VECTOR_TILE;
    vector_words(c, 1);
    for (unsigned i = 0; i < c->n; i++)
        c->in[0][i] = operand(c->args.op, r);
}
