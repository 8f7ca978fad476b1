/*
 * vector_round.c - conversions of the Vector Unit: SFPCAST between integers and to FP32, SFPSTOCHRND to fewer bits.
 *
 * ISA pages: SFPCAST_IntFloat, SFPCAST_IntAbs, SFPCAST_IntInt, SFPSTOCHRND_FloatFloat, SFPSTOCHRND_FloatInt,
 * SFPSTOCHRND_IntInt, VectorUnit (Blackhole).
 *
 * Invariant: only lanes that are on change, and only they use up a random number: each one of SFPSTOCHRND's, in every
 * mode and for every VD, and each of SFPCAST's stochastic mode.
 *
 * Inaccuracies: rounding mode 3, which has no name, is stochastic as in the pages' model. UseImm5 outside the modes
 * for integers, and bits 3:2 of SFPCAST's modifier, do nothing.
 */
#include "vector/vector_in.h"

#include <string.h>

#include "num/prng.h"
#include "num/sfpu.h"

enum { CAST_TO_FP32, CAST_TO_FP32_RANDOM, CAST_ABS, CAST_SM32 };

enum {
    ROUND_FP16A,
    ROUND_FP16B,
    ROUND_FP_UINT8,
    ROUND_FP_INT8,
    ROUND_INT_UINT8,
    ROUND_INT_INT8,
    ROUND_FP_UINT16,
    ROUND_FP_INT16
};

static const uint32_t round_max[8] = {0, 0, 255, 127, 255, 127, 65535, 32767};

enum { ROUND_NEAREST = 0, ROUND_ZERO = 2 };

static const uint32_t *round_register(const struct vector_io *io, unsigned n)
{
    return io->lanes->r[n < LANES_LREGS ? n : 0];
}

/* Each lane that is on uses up a random number. */
static void round_use_up(const struct vector_io *io, const struct vector_op *o)
{
    uint32_t *state = io->lanes->random, next[LANES];
    if (o->on == UINT32_MAX) { /* nearly always */
        vector_lanes(io)->noise(state, state);
        return;
    }
    vector_lanes(io)->noise(state, next);
    for (unsigned i = 0; i < LANES; i++)
        state[i] = o->on >> i & 1 ? next[i] : state[i];
}

/* A random number for each lane that is on. */
static void round_noise(const struct vector_io *io, const struct vector_op *o, uint32_t *noise)
{
    memcpy(noise, io->lanes->random, LANES * sizeof *noise);
    round_use_up(io, o);
}

void vector_sfpcast(const struct vector_io *io, const struct vector_op *o)
{
    const uint32_t *c = round_register(io, o->vc);
    uint32_t room[LANES], *d = vector_to(io, o, o->vd, room), noise[LANES];
    switch (o->word & 3) {
    case CAST_TO_FP32: vector_lanes(io)->from_int(c, d); break;
    case CAST_TO_FP32_RANDOM:
        round_noise(io, o, noise);
        HOT_LOOP
        for (unsigned i = 0; i < LANES; i++)
            d[i] = num_sfpu_from_int(c[i], true, noise[i]);
        break;
    case CAST_ABS:
        HOT_LOOP
        for (unsigned i = 0; i < LANES; i++)
            d[i] = num_sfpu_abs(c[i]);
        break;
    default: /* CAST_SM32 */
        HOT_LOOP
        for (unsigned i = 0; i < LANES; i++)
            d[i] = num_sfpu_sm32(c[i]);
        break;
    }
    vector_made(io, o, o->vd, d);
}

/* The usual modes, in which all lanes round up from the same remainder h on; false: not one of them. */
static bool round_alike(const struct vector_io *io, unsigned mode, const uint32_t *c, uint32_t sign,
                        uint32_t max, uint32_t h, uint32_t *d)
{
    const struct num_sfpu_lanes *lanes = vector_lanes(io);
    switch (mode) {
    case ROUND_FP16A: lanes->shorten(c, 13, h, d); return true;
    case ROUND_FP16B: lanes->shorten(c, 16, h, d); return true;
    case ROUND_INT_UINT8:
    case ROUND_INT_INT8: return false;
    default: lanes->to_int(c, sign, max, h, d); return true;
    }
}

void vector_sfpstochrnd(const struct vector_io *io, const struct vector_op *o)
{
    unsigned mode = o->word & 7;
    bool imm = o->word >> 3 & 1;
    uint32_t room[LANES], *d = vector_to(io, o, o->vd, room), h[LANES],
                          sign = mode & 1 ? NUM_SFPU_SIGN : 0;
    const uint32_t *b = round_register(io, o->vb), *c = round_register(io, o->vc);
    unsigned rounding = bits_get(o->word, 21, 2);
    uint32_t same = rounding == ROUND_ZERO ? NUM_SFPU_TO_ZERO : NUM_SFPU_NEAREST;
    bool alike = rounding == ROUND_ZERO || rounding == ROUND_NEAREST;
    if (alike && round_alike(io, mode, c, sign, round_max[mode], same, d)) {
        round_use_up(io, o);
        vector_made(io, o, o->vd, d);
        return;
    }
    round_noise(io, o, h);
    for (unsigned i = 0; i < LANES; i++) /* from which remainder on each lane rounds up */
        h[i] = alike ? same : h[i] & 0x7fffff;
    switch (mode) {
    case ROUND_FP16A:
        HOT_LOOP
        for (unsigned i = 0; i < LANES; i++)
            d[i] = num_sfpu_shorten(c[i], 13, h[i]);
        break;
    case ROUND_FP16B:
        HOT_LOOP
        for (unsigned i = 0; i < LANES; i++)
            d[i] = num_sfpu_shorten(c[i], 16, h[i]);
        break;
    case ROUND_INT_UINT8:
    case ROUND_INT_INT8:
        HOT_LOOP
        for (unsigned i = 0; i < LANES; i++) {
            unsigned k = imm ? bits_get(o->word, 16, 5) : b[i] & 31;
            d[i] = num_sfpu_int_to_int(c[i], k, sign, round_max[mode], h[i]);
        }
        break;
    default: /* ROUND_FP_UINT8, _INT8, _UINT16, _INT16 */
        HOT_LOOP
        for (unsigned i = 0; i < LANES; i++)
            d[i] = num_sfpu_float_to_int(c[i], sign, round_max[mode], h[i]);
        break;
    }
    vector_made(io, o, o->vd, d);
}

#ifdef VECTOR_AVX2
/* SFPSTOCHRND to nearest while all lanes are on. */
static void round_nearest(const struct vector_io *io, const struct vector_op *o)
{
    unsigned mode = o->word & 7;
    uint32_t sign = mode & 1 ? NUM_SFPU_SIGN : 0, *state = io->lanes->random;
    round_alike(io,
                mode,
                io->lanes->r[o->vc],
                sign,
                round_max[mode],
                NUM_SFPU_NEAREST,
                io->lanes->r[o->vd]);
    vector_lanes(io)->noise(state, state);
}

static vector_effect *round_usual(const struct vector_op *o)
{
    unsigned mode = o->word & 7;
    bool integers = mode == ROUND_INT_UINT8 || mode == ROUND_INT_INT8;
    bool nearest = bits_get(o->word, 21, 2) == ROUND_NEAREST;
    return nearest && !integers && vector_writable(o->vd) ? round_nearest : NULL;
}
#endif
