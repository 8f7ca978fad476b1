/*
 * vector_effect.h - calls an effect of the Vector Unit on random registers and keeps what was there before.
 */
#ifndef WG_TESTS_UNIT_VECTOR_EFFECT_H
#define WG_TESTS_UNIT_VECTOR_EFFECT_H

#include <string.h>

#include "model/rng.h"
#include "probe/probe.h"
#include "vector/vector_in.h"

static struct probe effect_probe;
static struct lanes before, after;

/* Numbers at the edges, random ones, and small ones that are good shift amounts. */
static inline uint32_t effect_number(struct rng *r)
{
    static const uint32_t edges[] = {0,          1,          0x80000000, 0x80000001, 0x7fffffff,
                                     0xffffffff, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000,
                                     0x7fc00000, 0xffc00000, 0x7f800001, 0xff800001, 0x007fffff,
                                     0x00800000, 0x807fffff, 0x80800000, 0x3f7fffff, 0x40000000,
                                     0x3c800000, 0x3c7fffff, 0x7e800000, 0x7e7fffff};
    switch (rng_below(r, 4)) {
    case 0: return edges[rng_below(r, sizeof edges / sizeof *edges)];
    case 1: return rng_below(r, 200) - 100;
    default: return rng_next(r);
    }
}

static inline void effect_fill(struct rng *r, struct lanes *l)
{
    memset(l, 0, sizeof *l);
    for (unsigned i = 0; i < LANES; i++) {
        for (unsigned n = 0; n < LANES_LREGS; n++)
            l->r[n][i] = n && rng_percent(r, 10) ? l->r[rng_below(r, n)][i] : effect_number(r);
        l->config[i] = rng_below(r, 1u << 18);
        l->random[i] = rng_next(r);
        for (unsigned n = 0; n < 4; n++) {
            l->macro[i].template_[n] = rng_next(r);
            l->macro[i].sequence[n] = rng_next(r);
        }
        l->macro[i].misc = rng_below(r, 4096);
    }
    l->flags = rng_next(r);
    l->use = rng_next(r);
}

/* An instruction of random fields; one in four comes from SFPLOADMACRO. */
static inline struct vector_op effect_op(struct rng *r)
{
    struct vector_op o = {.word = rng_next(r) & 0xffffff};
    o.vd = (uint8_t)(o.word >> 4 & 15);
    o.vc = (uint8_t)(o.word >> 8 & 15);
    o.vb = (uint8_t)(o.word >> 12 & 15);
    o.va = (uint8_t)(o.word >> 16 & 15);
    o.macro = rng_percent(r, 25);
    if (o.macro) {
        o.vd = (uint8_t)(rng_percent(r, 50) ? 16 : rng_below(r, 8));
        o.vb = (uint8_t)rng_below(r, 16);
        o.vc = (uint8_t)rng_below(r, 8);
    }
    o.open = UINT32_MAX;
    o.on = rng_percent(r, 30) ? UINT32_MAX : rng_next(r);
    return o;
}

static inline void effect_run(vector_effect *effect, const struct vector_op *o)
{
    struct vector_io io = {.lanes = &after, .out = after.r, .probe = &effect_probe};
    after = before;
    effect(&io, o);
}

#endif
