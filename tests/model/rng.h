/*
 * rng.h - random numbers for the model tests. The same seed gives the same programs everywhere.
 */
#ifndef WG_TESTS_MODEL_RNG_H
#define WG_TESTS_MODEL_RNG_H

#include <stdbool.h>
#include <stdint.h>

struct rng {
    uint64_t state;
};

static inline uint32_t rng_next(struct rng *r)
{
    uint64_t z = r->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (uint32_t)(z >> 32);
}

/* 0 .. n-1 */
static inline uint32_t rng_below(struct rng *r, uint32_t n)
{
    return (uint32_t)((uint64_t)rng_next(r) * n >> 32);
}

static inline bool rng_percent(struct rng *r, uint32_t percent)
{
    return rng_below(r, 100) < percent;
}

/* The seed of program i of a run. */
static inline struct rng rng_of(uint64_t seed, uint64_t i)
{
    struct rng r = {seed * UINT64_C(0x2545f4914f6cdd1d) + i * UINT64_C(0x9e3779b97f4a7c15)};
    rng_next(&r);
    return r;
}

/* Sanitizers are slow: they get a part of the work. */
#if defined(__SANITIZE_ADDRESS__)
#define WG_SLOW_BUILD 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WG_SLOW_BUILD 1
#endif
#endif
#ifndef WG_SLOW_BUILD
#define WG_SLOW_BUILD 0
#endif

#endif
