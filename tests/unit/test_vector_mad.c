/*
 * The MAD sub-unit's opcodes, lane by lane, against models written from their pages with the host's floats for
 * comparisons and coefficients. The multiply-add itself is the business of test_sfpu.c.
 */
#include "test.h"

#include <math.h>
#include <string.h>

#include "model/rng.h"
#include "num/sfpu.h"
#include "vector/vector_in.h"

#define SEED  UINT64_C(20261117)
#define CASES (WG_SLOW_BUILD ? 500u : 5000u)

static struct rng rng;
static struct lanes lanes, expected;

static float number(uint32_t x)
{
    float f;
    memcpy(&f, &x, sizeof f);
    return f;
}

static uint32_t pattern(float f)
{
    uint32_t x;
    memcpy(&x, &f, sizeof x);
    return x;
}

static uint32_t draw(void)
{
    static const uint32_t limit[] = {0x3f000000,
                                     0x3f800000,
                                     0x3fc00000,
                                     0x40000000,
                                     0x40400000,
                                     0x40800000,
                                     0x7f800000,
                                     0x7fc00000,
                                     0x00000000,
                                     0x00400000};
    uint32_t x = rng_next(&rng);
    switch (rng_below(&rng, 4)) {
    case 0: return x;
    case 1: /* at a limit of the tables, or beside it */
        return (limit[rng_below(&rng, 10)] + x % 3 - 1) ^ (x & NUM_SFPU_SIGN);
    default: return (x & 0x807fffff) | (115 + rng_below(&rng, 20)) << 23;
    }
}

/* An instruction with random registers, modifiers and lanes, over random contents. */
static struct vector_op draw_op(void)
{
    for (unsigned r = 0; r < LANES_LREGS; r++)
        for (unsigned i = 0; i < LANES; i++)
            lanes.r[r][i] = draw();
    uint32_t w = rng_next(&rng);
    struct vector_op o = {.word = w,
                          .vd = w >> 4 & 15,
                          .vc = w >> 8 & 15,
                          .vb = w >> 12 & 15,
                          .va = w >> 16 & 15,
                          .on = rng_percent(&rng, 30) ? UINT32_MAX : rng_next(&rng)};
    if (rng_percent(&rng, 20)) {
        o.macro = true;
        o.vd = rng_percent(&rng, 50) ? 16 : (uint8_t)rng_below(&rng, 8);
        o.vc = (uint8_t)rng_below(&rng, 8);
    }
    return o;
}

static uint32_t at(unsigned r, unsigned lane)
{
    return lanes.r[r][lane];
}

static uint32_t flip(uint32_t x, bool yes)
{
    return yes ? x ^ NUM_SFPU_SIGN : x;
}

typedef uint32_t model(const struct vector_op *o, unsigned lane);

static uint32_t model_mad(const struct vector_op *o, unsigned i)
{
    unsigned va = o->word & 4 ? at(7, i) & 15 : o->va;
    return num_sfpu_mad(
        at(va, i), flip(at(o->vb, i), o->word & 1), flip(at(o->vc, i), o->word & 2));
}

static uint32_t model_addi(const struct vector_op *o, unsigned i)
{
    uint32_t c = flip(at(o->macro ? o->vc : o->vd, i), o->word & 2);
    return num_sfpu_mad((o->word >> 8) << 16, pattern(1), c);
}

static uint32_t model_muli(const struct vector_op *o, unsigned i)
{
    uint32_t c = flip(at(o->macro ? o->vc : o->vd, i), o->word & 2);
    return num_sfpu_mad((o->word >> 8) << 16, c, 0);
}

static uint32_t decode8(uint32_t t)
{
    float v = ldexpf(1 + (float)(t & 15) / 16, -(int)(t >> 4 & 7));
    return t == 255 ? 0 : pattern(t >> 7 ? -v : v);
}

static uint32_t decode16(uint32_t t)
{
    float v =
        (t >> 10 & 31) == 31 ? 0 : ldexpf(1 + (float)(t & 1023) / 1024, (int)(t >> 10 & 31) - 15);
    return pattern(t >> 15 ? -v : v);
}

static uint32_t with_sign_of(uint32_t d, uint32_t x, bool yes)
{
    return yes ? pattern(copysignf(number(d), number(x))) : d;
}

static uint32_t model_lut(const struct vector_op *o, unsigned i)
{
    float b = fabsf(number(at(3, i)));
    uint32_t word = b < 1.0f ? at(0, i) : (b < 2.0f ? at(1, i) : at(2, i));
    uint32_t d = num_sfpu_mad(decode8(word >> 8 & 255), pattern(b), decode8(word & 255));
    return with_sign_of(d, at(3, i), o->word >> 16 & 4);
}

static uint32_t model_lutfp32(const struct vector_op *o, unsigned i)
{
    float b = fabsf(number(at(3, i))), cut = o->word & 1 ? 4.0f : 3.0f;
    unsigned k = b < 1.0f ? 0 : (b < 2.0f ? 1 : 2), mod = o->word & 15;
    uint32_t a = at(k, i), c = at(4 + k, i);
    if ((mod & 10) == 10) {
        c = decode16(a & 0xffff);
        a = decode16(a >> 16);
    } else if (mod & 2) {
        bool low = b < 0.5f || (b >= 1.0f && b < 1.5f) || (b >= 2.0f && b < cut);
        a = decode16(low ? a & 0xffff : a >> 16);
        c = decode16(low ? c & 0xffff : c >> 16);
    }
    return with_sign_of(num_sfpu_mad(a, pattern(b), c), at(3, i), mod & 4);
}

static uint32_t model_mul24(const struct vector_op *o, unsigned i)
{
    unsigned va = o->word & 4 ? at(7, i) & 15 : o->va;
    uint32_t d = num_sfpu_mul24(at(va, i), at(o->vb, i), o->word & 1);
    return num_sfpu_mul24_add(d, at(o->vc, i));
}

/* Every lane that is on gets the model's result, where modifier bit 3 or VD says, and nothing else changes. */
static void compare(vector_effect *effect, model *result, unsigned modifier, unsigned which)
{
    rng = rng_of(SEED, which);
    print_message("seed %llu\n", (unsigned long long)SEED);
    for (unsigned n = 0; n < CASES; n++) {
        struct vector_op o = draw_op();
        struct vector_io io = {.lanes = &lanes, .out = lanes.r, .plain = n & 1};
        expected = lanes;
        for (unsigned i = 0; i < LANES; i++) {
            bool indirect = (o.word >> modifier & 8) && o.vd != 16;
            unsigned vd = indirect ? at(7, i) & 15 : o.vd;
            if ((o.on >> i & 1) && (vd < 8 || vd == 16))
                expected.r[vd][i] = result(&o, i);
        }
        effect(&io, &o);
        assert_memory_equal(&lanes, &expected, sizeof lanes);
    }
}

static void mad_add_and_mul_are_one_operation_with_four_modifiers(void **state)
{
    (void)state;
    compare(vector_sfpmad, model_mad, 0, 0);
    compare(vector_sfpadd, model_mad, 0, 1);
    compare(vector_sfpmul, model_mad, 0, 2);
}

static void addi_adds_a_bf16_to_vd(void **state)
{
    (void)state;
    compare(vector_sfpaddi, model_addi, 0, 3);
}

static void muli_multiplies_vd_by_a_bf16(void **state)
{
    (void)state;
    compare(vector_sfpmuli, model_muli, 0, 4);
}

static void lut_takes_one_of_three_pieces(void **state)
{
    (void)state;
    compare(vector_sfplut, model_lut, 16, 5);
}

static void lutfp32_takes_one_of_three_or_six_pieces(void **state)
{
    (void)state;
    compare(vector_sfplutfp32, model_lutfp32, 0, 6);
}

static void mul24_multiplies_23_bits(void **state)
{
    (void)state;
    compare(vector_sfpmul24, model_mul24, 0, 7);
}

static void minus_zero_products_need_an_addend_of_minus_zero(void **state)
{
    (void)state;
    memset(&lanes, 0, sizeof lanes);
    for (unsigned i = 0; i < LANES; i++)
        lanes.r[1][i] = NUM_SFPU_SIGN, lanes.r[2][i] = NUM_SFPU_ONE;
    struct vector_io io = {.lanes = &lanes, .out = lanes.r};
    struct vector_op o = {.vd = 0, .va = 1, .vb = 2, .vc = 9, .on = UINT32_MAX};
    vector_sfpmul(&io, &o);
    assert_int_equal(lanes.r[0][31], 0);
    o.word = 2; /* minus VC */
    vector_sfpmul(&io, &o);
    assert_int_equal(lanes.r[0][31], NUM_SFPU_SIGN);
}

TEST_MAIN(cmocka_unit_test(mad_add_and_mul_are_one_operation_with_four_modifiers),
          cmocka_unit_test(addi_adds_a_bf16_to_vd), cmocka_unit_test(muli_multiplies_vd_by_a_bf16),
          cmocka_unit_test(lut_takes_one_of_three_pieces),
          cmocka_unit_test(lutfp32_takes_one_of_three_or_six_pieces),
          cmocka_unit_test(mul24_multiplies_23_bits),
          cmocka_unit_test(minus_zero_products_need_an_addend_of_minus_zero))
