/*
 * lanes.c - the Vector Unit's lanes after reset, and their random numbers.
 *
 * ISA pages: VectorUnit, LReg (Blackhole). Inaccuracies: see lanes.h.
 */
#include "state/lanes.h"

void lanes_reset(struct lanes *l)
{
    memset(l, 0, sizeof *l);
    for (unsigned i = 0; i < LANES; i++) {
        l->r[8][i] = 0x3f56594b;  /* 0.8373 */
        l->r[10][i] = 0x3f800000; /* 1 */
        l->r[11][i] = 0xbf800000; /* -1; from here to 14 they can be set */
        l->r[12][i] = 0x37800000;
        l->r[13][i] = 0xbf2cc4c7;
        l->r[14][i] = 0xbeb08ff9;
        l->r[15][i] = 2 * i;
    }
}

static uint32_t lanes_step(uint32_t s)
{
    uint32_t bit = ~(s >> 31 ^ s >> 21 ^ s >> 1 ^ s) & 1;
    return bit << 31 | s >> 1;
}

/* Lane 31 is 34 steps from the seed, every lane below two more. */
void lanes_seed(struct lanes *l, uint32_t seed)
{
    for (unsigned i = 0; i < 32; i++)
        seed = lanes_step(seed);
    for (unsigned i = LANES; i-- > 0;) {
        seed = lanes_step(lanes_step(seed));
        l->random[i] = seed;
    }
}

uint32_t lanes_random(struct lanes *l, unsigned lane)
{
    uint32_t s = l->random[lane % LANES];
    l->random[lane % LANES] = lanes_step(s);
    return s;
}
