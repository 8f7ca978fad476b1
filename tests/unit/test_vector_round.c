/*
 * SFPCAST and SFPSTOCHRND, lane by lane, against models written from their pages; the random numbers of the lanes
 * move on exactly where the pages say so.
 */
#include "test.h"

#include <string.h>

#include "model/rng.h"
#include "num/prng.h"
#include "num/sfpu.h"
#include "vector/vector_in.h"

#define SEED  UINT64_C(20261118)
#define CASES (WG_SLOW_BUILD ? 500u : 5000u)

static struct rng rng;
static struct lanes lanes, expected;

/* A number of any size, or one that is near what the small integers can hold. */
static uint32_t draw(void)
{
    uint32_t x = rng_next(&rng);
    switch (rng_below(&rng, 3)) {
    case 0: return x;
    case 1: return (x & NUM_SFPU_SIGN) | (x & INT32_MAX) >> rng_below(&rng, 31);
    default: return (x & 0x807fffff) | (123 + rng_below(&rng, 23)) << 23;
    }
}

static struct vector_op draw_op(void)
{
    for (unsigned r = 0; r < LANES_LREGS; r++)
        for (unsigned i = 0; i < LANES; i++)
            lanes.r[r][i] = draw();
    for (unsigned i = 0; i < LANES; i++)
        lanes.random[i] = rng_next(&rng);
    uint32_t w = rng_next(&rng);
    struct vector_op o = {.word = w,
                          .vd = w >> 4 & 15,
                          .vc = w >> 8 & 15,
                          .vb = w >> 12 & 15,
                          .on = rng_percent(&rng, 30) ? UINT32_MAX : rng_next(&rng)};
    if (rng_percent(&rng, 20)) {
        o.macro = true;
        o.vd = 16;
    }
    return o;
}

typedef uint32_t model(const struct vector_op *o, unsigned lane);

/* The page's formula: zero has 157 leading zeros, so that its exponent comes out as 0. */
static uint32_t model_cast(const struct vector_op *o, unsigned i)
{
    uint32_t c = lanes.r[o->vc][i], sign = c & NUM_SFPU_SIGN, m = c & INT32_MAX, zeros = 157;
    if (o->word & 2)
        return (o->word & 1 ? sign : 0) | (sign ? ~c + 1 : c);
    if (m)
        for (zeros = 0; !(m << zeros & NUM_SFPU_SIGN);)
            zeros++;
    uint32_t norm = m << (zeros & 31), d = sign + ((157 - zeros) << 23) + (norm >> 8);
    if (o->word & 1)
        return d + ((norm & 0xfe) > (lanes.random[i] >> 9 & 0xfe));
    return d + ((norm & 0x80) && (norm & 0x17f));
}

static uint32_t threshold(const struct vector_op *o, unsigned i)
{
    unsigned mode = o->word >> 21 & 3;
    return mode == 0 ? 0x400000 : (mode == 2 ? 0x7fffff : lanes.random[i] & 0x7fffff);
}

static uint32_t model_float_int(uint32_t c, bool keep, uint32_t max, uint32_t h)
{
    uint32_t sign = keep ? c & NUM_SFPU_SIGN : 0;
    int e = (int)(c >> 23 & 255) - 127;
    uint64_t m = 0x800000 | (c & 0x7fffff);
    if (e < -1)
        return 0;
    if (e >= 16)
        return sign + max;
    m = e >= 0 ? m << e : m >> -e;
    m = (m >> 23) + ((m & 0x7fffff) >= h);
    m = m > max ? max : m;
    return m ? sign + (uint32_t)m : 0;
}

static uint32_t model_int_int(const struct vector_op *o, unsigned i, uint32_t max, uint32_t h)
{
    uint32_t c = lanes.r[o->vc][i];
    unsigned k = o->word & 8 ? o->word >> 16 & 31 : lanes.r[o->vb][i] & 31;
    uint64_t m = (uint64_t)(c & INT32_MAX) << 23 >> k;
    m = (m >> 23) + ((m & 0x7fffff) >= h);
    m = m > max ? max : m;
    return (uint32_t)m + (m && max == 127 ? c & NUM_SFPU_SIGN : 0);
}

static uint32_t model_float_float(uint32_t x, uint32_t rest, uint32_t h)
{
    uint32_t e = x >> 23 & 255, dropped = x & rest;
    if (e == 0)
        return 0;
    if (e == 255)
        return x & 0xff800000;
    return x - dropped + (dropped >= h ? rest + 1 : 0);
}

static uint32_t model_round(const struct vector_op *o, unsigned i)
{
    uint32_t c = lanes.r[o->vc][i], h = threshold(o, i);
    switch (o->word & 7) {
    case 0: return model_float_float(c, 0x1fff, h >> 10);
    case 1: return model_float_float(c, 0xffff, h >> 7);
    case 2: return model_float_int(c, false, 255, h);
    case 3: return model_float_int(c, true, 127, h);
    case 4: return model_int_int(o, i, 255, h);
    case 5: return model_int_int(o, i, 127, h);
    case 6: return model_float_int(c, false, 65535, h);
    default: return model_float_int(c, true, 32767, h);
    }
}

/* always: whether every mode uses up a random number, or only mode 1. */
static void compare(vector_effect *effect, model *result, bool always, unsigned which)
{
    rng = rng_of(SEED, which);
    print_message("seed %llu\n", (unsigned long long)SEED);
    for (unsigned n = 0; n < CASES; n++) {
        struct vector_op o = draw_op();
        struct vector_io io = {.lanes = &lanes, .out = lanes.r};
        expected = lanes;
        for (unsigned i = 0; i < LANES; i++) {
            if (!(o.on >> i & 1))
                continue;
            if (o.vd < 8 || o.vd == 16)
                expected.r[o.vd][i] = result(&o, i);
            if (always || (o.word & 3) == 1)
                prng_next(&expected.random[i]);
        }
        effect(&io, &o);
        assert_memory_equal(&lanes, &expected, sizeof lanes);
    }
}

static void cast_converts_by_the_low_two_bits_of_its_modifier(void **state)
{
    (void)state;
    compare(vector_sfpcast, model_cast, false, 0);
}

static void stochrnd_rounds_in_eight_modes_and_always_draws(void **state)
{
    (void)state;
    compare(vector_sfpstochrnd, model_round, true, 1);
}

static void results_for_constants_are_dropped_but_random_numbers_are_drawn(void **state)
{
    (void)state;
    rng = rng_of(SEED, 2);
    struct vector_io io = {.lanes = &lanes, .out = lanes.r};
    struct vector_op o = draw_op();
    o.vd = 12;
    o.on = 1;
    expected = lanes;
    expected.random[0] = prng_step(prng_step(lanes.random[0]));
    o.word = 1;
    vector_sfpcast(&io, &o);
    o.word = 0;
    vector_sfpstochrnd(&io, &o);
    assert_memory_equal(&lanes, &expected, sizeof lanes);
}

TEST_MAIN(cmocka_unit_test(cast_converts_by_the_low_two_bits_of_its_modifier),
          cmocka_unit_test(stochrnd_rounds_in_eight_modes_and_always_draws),
          cmocka_unit_test(results_for_constants_are_dropped_but_random_numbers_are_drawn))
