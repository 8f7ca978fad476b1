/*
 * prng.c - seeding of the random generators; see prng.h.
 *
 * ISA page: VectorUnit (Blackhole). The order of lanes follows the vendor's simulator.
 */
#include "num/prng.h"

void prng_seed(uint32_t seed, uint32_t lane[PRNG_LANES])
{
    uint32_t s = seed;
    for (unsigned i = 0; i < 32; i++)
        s = prng_step(s);
    for (unsigned i = 0; i < PRNG_LANES; i++) {
        s = prng_step(prng_step(s));
        lane[PRNG_LANES - 1 - i] = s;
    }
}
