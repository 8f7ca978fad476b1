/*
 * prng.h - the hardware's generator of random bits, and how a seed is spread over lanes.
 *
 * ISA page: VectorUnit (Blackhole), for the lanes of the Vector Unit. Invariant: none, the state is the caller's.
 *
 * Inaccuracies: that packer and Matrix Unit use the same generator is INFERRED.
 */
#ifndef WG_NUM_PRNG_H
#define WG_NUM_PRNG_H

#include <stdint.h>

#define PRNG_LANES 32u

/* The state after this one: taps at bits 31, 21, 1 and 0, inverted. */
static inline uint32_t prng_step(uint32_t s)
{
    uint32_t sum = s >> 31 ^ s >> 21 ^ s >> 1 ^ s; /* of which bit 0 counts */
    return s >> 1 | ~sum << 31;
}

/* 32 random bits. */
static inline uint32_t prng_next(uint32_t *s)
{
    uint32_t r = *s;
    *s = prng_step(r);
    return r;
}

/* What the lanes start from after a write of PRNG_SEED. */
void prng_seed(uint32_t seed, uint32_t lane[PRNG_LANES]);

#endif
