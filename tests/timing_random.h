/*
 * timing_random.h - machines with other numbers than the typical ones, drawn at random: each that can be set within its minimum
 * and maximum, or some of them forced to anything the model has room for.
 */
#ifndef WG_TESTS_TIMING_RANDOM_H
#define WG_TESTS_TIMING_RANDOM_H

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "isa/tensix.h"
#include "isa/timing.h"

#define TIMING_RANDOM_SPREAD 24u /* ranges without bound are taken to be as wide */

static inline uint32_t timing_random_below(uint64_t *state, uint32_t n)
{
    *state += UINT64_C(0x9E3779B97F4A7C15);
    uint64_t z = *state;
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return (uint32_t)((z ^ z >> 31) % n);
}

static inline void timing_random_one(struct timing *t, const char *name, const struct cost *c,
                                     bool force, uint64_t *state)
{
    char why[TIMING_WHY];
    if (!c->hi)
        return;
    unsigned lo = c->min > c->lo ? c->min : c->lo, hi = c->max < c->hi ? c->max : c->hi;
    bool forced = force && !timing_random_below(state, 4);
    if (forced) {
        lo = c->lo;
        hi = c->hi;
    }
    if (hi > c->typ + TIMING_RANDOM_SPREAD)
        hi = c->typ + TIMING_RANDOM_SPREAD;
    if (!timing_set(t, name, lo + timing_random_below(state, hi - lo + 1), forced, why)) {
        fprintf(stderr, "%s\n", why);
        abort();
    }
}

/* force: a quarter of the numbers is drawn from all that the model has room for. */
static inline struct timing timing_random(uint64_t seed, bool force)
{
    struct timing t = timing_typical;
    uint64_t state = seed;
    char name[48];
    for (unsigned i = 0; i < TIMING_N; i++)
        timing_random_one(&t, timing_table[i].name, &timing_table[i].cost, force, &state);
    for (unsigned i = 0; i < 256; i++) {
        if (!tensix_table[i].name)
            continue;
        snprintf(name, sizeof name, "%s.issue", tensix_table[i].name);
        timing_random_one(&t, name, &tensix_table[i].issue, force, &state);
        snprintf(name, sizeof name, "%s.latency", tensix_table[i].name);
        timing_random_one(&t, name, &tensix_table[i].latency, force, &state);
    }
    return t;
}

#endif
