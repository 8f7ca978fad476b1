/*
 * The Vector Unit's simple instructions, lane by lane, against a second formulation in fields, wide integers and the
 * host's floating point: every mode, every destination, random operands, lanes and flags.
 */
#include "test.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "num/arecip.h"
#include "num/prng.h"
#include "vector_effect.h"

#define SEED  UINT64_C(20261116)
#define TIMES (WG_SLOW_BUILD ? 2000u : 40000u)

struct fields {
    unsigned s, e, m;
};

static struct fields split(uint32_t x)
{
    return (struct fields){x / 0x80000000, x / 0x800000 % 256, x % 0x800000};
}

static uint32_t join(struct fields f)
{
    return f.s * 0x80000000 + f.e * 0x800000 + f.m;
}

/* What one lane's instruction looks at, and what it does: flag -1 stays. */
struct one {
    unsigned mod1;
    uint32_t imm12, b, c, d, vb; /* b: VD, or SFPLOADMACRO's VB; vb: the field's */
    bool old;
    int flag;
};

typedef uint32_t reference(struct one *x);

static int64_t signed12(uint32_t imm)
{
    return imm < 2048 ? (int64_t)imm : (int64_t)imm - 4096;
}

/* LaneFlags := given, if set; then inverted. */
static void flag(struct one *x, bool set, bool to, bool invert)
{
    bool f = set ? to : x->old;
    x->flag = invert ? !f : f;
}

static uint32_t ref_abs(struct one *x)
{
    float f;
    if (x->mod1 % 2 == 0)
        return (uint32_t)llabs((int32_t)x->c);
    memcpy(&f, &x->c, 4);
    return isnan(f) ? x->c : x->c % 0x80000000;
}

static uint32_t ref_and(struct one *x)
{
    return ~(~(x->mod1 & 1 ? x->vb : x->d) | ~x->c);
}

static uint32_t ref_or(struct one *x)
{
    return ~(~(x->mod1 & 1 ? x->vb : x->d) & ~x->c);
}

static uint32_t ref_xor(struct one *x)
{
    return (x->b | x->c) - (x->b & x->c);
}

static uint32_t ref_not(struct one *x)
{
    return UINT32_MAX - x->c;
}

static uint32_t ref_divp2(struct one *x)
{
    struct fields f = split(x->c);
    if (x->mod1 % 2 == 0)
        f.e = x->imm12 % 256;
    else if (f.e != 255)
        f.e = (f.e + x->imm12) % 256;
    return join(f);
}

static uint32_t ref_exexp(struct one *x)
{
    int e = (int)split(x->c).e - (x->mod1 & 1 ? 0 : 127);
    flag(x, x->mod1 & 2, e < 0, x->mod1 & 8);
    return (uint32_t)e;
}

static uint32_t ref_exman(struct one *x)
{
    return split(x->c).m + (x->mod1 & 1 ? 0 : 8388608);
}

static uint32_t ref_setexp(struct one *x)
{
    struct fields f = split(x->c);
    f.e = x->mod1 & 1 ? x->imm12 % 256 : x->mod1 & 2 ? split(x->b).e : x->b % 256;
    return join(f);
}

static uint32_t ref_setman(struct one *x)
{
    struct fields f = split(x->c);
    f.m = x->mod1 & 1 ? x->imm12 * 2048 : split(x->b).m;
    return join(f);
}

static uint32_t ref_setsgn(struct one *x)
{
    struct fields f = split(x->c);
    f.s = x->mod1 & 1 ? x->imm12 % 2 : split(x->b).s;
    return join(f);
}

static uint32_t ref_iadd(struct one *x)
{
    int64_t c = (int32_t)x->c, b = (int32_t)x->b;
    int64_t sum = x->mod1 & 1 ? c + signed12(x->imm12) : x->mod1 & 2 ? c - b : c + b;
    flag(x, !(x->mod1 & 4), (int32_t)(uint32_t)sum < 0, x->mod1 & 8);
    return (uint32_t)sum;
}

static uint32_t ref_lz(struct one *x)
{
    uint64_t v = x->mod1 & 4 ? x->c % 0x80000000 : x->c;
    uint32_t n = 32;
    flag(x, x->mod1 & 2, v > 0, x->mod1 & 8);
    for (uint64_t bit = 1; bit <= v; bit *= 2)
        n--;
    return n;
}

static uint32_t ref_shft(struct one *x)
{
    bool imm = x->mod1 & 1;
    int64_t n = imm ? signed12(x->imm12) : (int32_t)x->c;
    int64_t v = imm && x->mod1 & 4 ? x->c : x->b;
    int64_t by = INT64_C(1) << llabs(n) % 32;
    if (n >= 0)
        return (uint32_t)((uint64_t)v * (uint64_t)by);
    if (x->mod1 & 2 && v >= INT64_C(0x80000000))
        v -= INT64_C(0x100000000);
    return (uint32_t)((v - (v % by + by) % by) / by); /* rounded down */
}

static uint32_t recip(uint32_t a)
{
    struct fields f = split(a);
    if (f.e == 0)
        return 0x7f800000;
    if (f.e >= 253)
        return 0;
    f.e = 253 - f.e;
    f.m = (unsigned)lrint(65536.0 / (257 + 2 * (f.m / 65536)) - 128) * 65536;
    return join(f);
}

/* e^x of the upper half, truncated to seven fraction bits. */
static uint32_t exponential(uint32_t a)
{
    uint32_t upper = a & 0xffff0000;
    float t;
    int e;
    memcpy(&t, &upper, 4);
    if (a < 0x00800000)
        return 0x3f800000;
    if (a >= 0x40000000)
        return 0x40800000 + a % 65536;
    if (t < 1.0f / 64)
        return 0x3f810000 + a % 65536;
    double m = frexp(exp((double)t), &e); /* 0.5 .. 1 */
    return join(
        (struct fields){0, (unsigned)(e + 126), ((unsigned)(m * 256) - 128) * 65536 + a % 65536});
}

static uint32_t ref_arecip(struct one *x)
{
    uint32_t a = x->c % 0x80000000, sign = x->c - a;
    if (x->mod1 == 1)
        return (int32_t)x->vb < 0 ? recip(a) : x->c;
    return sign + (x->mod1 ? exponential(a) : recip(a));
}

static void check(const char *name, vector_effect *effect, reference *ref,
                  const struct vector_op *o)
{
    struct lanes want = before;
    for (unsigned i = 0; i < LANES && (o->vd < 8 || o->vd == 16); i++) {
        struct one x = {.mod1 = o->word & 15,
                        .imm12 = o->word >> 12 & 0xfff,
                        .b = before.r[o->macro ? o->vb : o->vd][i],
                        .c = before.r[o->vc][i],
                        .d = before.r[o->vd][i],
                        .vb = before.r[o->vb][i],
                        .old = before.flags >> i & 1,
                        .flag = -1};
        if (!(o->on >> i & 1))
            continue;
        want.r[o->vd][i] = ref(&x);
        if (x.flag >= 0 && o->vd < 8)
            want.flags = (want.flags & ~(1u << i)) | (uint32_t)x.flag << i;
    }
    effect_run(effect, o);
    if (memcmp(&want, &after, sizeof want) != 0) {
        for (unsigned i = 0; i < LANES && o->vd <= 16; i++)
            if (want.r[o->vd][i] != after.r[o->vd][i])
                print_error("lane %u: %08x, should be %08x; VC %08x\n",
                            i,
                            after.r[o->vd][i],
                            want.r[o->vd][i],
                            before.r[o->vc][i]);
        fail_msg("%s %06x, VD %u, macro %d: flags %08x, should be %08x",
                 name,
                 o->word,
                 o->vd,
                 o->macro,
                 after.flags,
                 want.flags);
    }
}

#define SIMPLE(name)                                                                               \
    {                                                                                              \
        "SFP " #name, vector_sfp##name, ref_##name                                                 \
    }

static const struct {
    const char *name;
    vector_effect *effect;
    reference *ref;
} simple[] = {SIMPLE(abs),
              SIMPLE(and),
              SIMPLE(or),
              SIMPLE(xor),
              SIMPLE(not ),
              SIMPLE(divp2),
              SIMPLE(exexp),
              SIMPLE(exman),
              SIMPLE(setexp),
              SIMPLE(setman),
              SIMPLE(setsgn),
              SIMPLE(iadd),
              SIMPLE(lz),
              SIMPLE(shft),
              SIMPLE(arecip)};

static void every_mode_on_random_lanes(void **state)
{
    struct rng r = rng_of(SEED, 1);
    (void)state;
    print_message("seed %" PRIu64 "\n", SEED);
    for (unsigned n = 0; n < TIMES; n++) {
        if (n % 16 == 0)
            effect_fill(&r, &before);
        for (unsigned k = 0; k < sizeof simple / sizeof *simple; k++) {
            struct vector_op o = effect_op(&r);
            check(simple[k].name, simple[k].effect, simple[k].ref, &o);
        }
    }
}

/* All upper halves: what looks at sign, exponent and seven fraction bits is complete. */
static void every_upper_half(void **state)
{
    static const char names[][16] = {"divp2", "exexp", "arecip", "abs", "lz"};
    struct rng r = rng_of(SEED, 2);
    (void)state;
    effect_fill(&r, &before);
    for (uint32_t h = 0; h < 65536; h += LANES) {
        for (unsigned i = 0; i < LANES; i++) {
            static const uint16_t ends[] = {0, 1, 0x7fff, 0xffff};
            before.r[1][i] = (h + i) << 16 | ends[rng_below(&r, 4)];
            before.r[2][i] = rng_next(&r);
        }
        for (unsigned k = 0; k < sizeof simple / sizeof *simple; k++)
            for (unsigned n = 0; n < sizeof names / sizeof *names; n++)
                for (unsigned mod1 = 0; mod1 < 16 && !strcmp(simple[k].name + 4, names[n]);
                     mod1++) {
                    struct vector_op o = {.vd = 3, .vc = 1, .vb = 2, .on = UINT32_MAX};
                    o.word = rng_below(&r, 256) << 12 | 0x2130 | mod1;
                    check(simple[k].name, simple[k].effect, simple[k].ref, &o);
                }
    }
}

static void divp2_every_exponent_and_immediate(void **state)
{
    struct rng r = rng_of(SEED, 3);
    (void)state;
    effect_fill(&r, &before);
    for (uint32_t e = 0; e < 512; e += LANES)
        for (uint32_t imm = 0; imm < 256; imm++)
            for (unsigned mod1 = 0; mod1 < 2; mod1++) {
                struct vector_op o = {.word = imm << 12 | mod1, .vd = 0, .vc = 1, .on = UINT32_MAX};
                for (unsigned i = 0; i < LANES; i++)
                    before.r[1][i] = (e + i) << 23 | rng_below(&r, 0x800000);
                check("SFP divp2", vector_sfpdivp2, ref_divp2, &o);
            }
}

static void shift_by_every_amount(void **state)
{
    struct rng r = rng_of(SEED, 4);
    (void)state;
    effect_fill(&r, &before);
    for (uint32_t imm = 0; imm < 4096; imm++)
        for (unsigned mod1 = 0; mod1 < 8; mod1++) {
            struct vector_op o = {.word = imm << 12 | mod1, .vd = 2, .vc = 1, .on = UINT32_MAX};
            for (unsigned i = 0; i < LANES; i++)
                before.r[1][i] = imm * LANES + i - 65536;
            check("SFP shft", vector_sfpshft, ref_shft, &o);
        }
}

/* The accuracy that the page promises. */
static void recip_and_exp_are_as_near_as_promised(void **state)
{
    (void)state;
    for (uint32_t a = 0x00800000; a < 0x7e800000; a += 0x3333) {
        float x, y;
        uint32_t v = arecip_of(a);
        memcpy(&x, &a, 4);
        memcpy(&y, &v, 4);
        assert_true((double)x * (double)y > 0.9944 && (double)x * (double)y < 1.0054);
    }
    for (uint32_t a = 0; a < 0x40000000; a += 0x1111) {
        float x, y;
        uint32_t v = arecip_exp_of(a);
        memcpy(&x, &a, 4);
        memcpy(&y, &v, 4);
        double ratio = (double)y / exp((double)x);
        assert_true(ratio > 0.9922 && ratio < 1.016);
    }
    assert_int_equal(arecip_of(0x3f800000), 0x3f7f0000);
    assert_int_equal(arecip_exp_of(0x3f800000), 0x402d0000);
    assert_int_equal(arecip_exp_of(0x3f320000), 0x40000000);
    assert_int_equal(arecip_exp_of(0x3fff0000), 0x40ea0000);
}

static uint32_t moved(const struct vector_op *o, unsigned i)
{
    const struct lanes_macro *m = &before.macro[i];
    unsigned vc = o->vc;
    if (!(o->word & 8))
        return before.r[vc][i] + (o->word & 1 ? 0x80000000 : 0);
    if (vc < 8)
        return vc < 4 ? m->template_[vc] : m->sequence[vc - 4];
    return vc == 8 ? m->misc : vc == 9 ? before.random[i] : vc == 15 ? before.config[i] : 0;
}

static void mov_reads_registers_configuration_and_random_numbers(void **state)
{
    struct rng r = rng_of(SEED, 5);
    (void)state;
    for (unsigned n = 0; n < TIMES; n++) {
        struct vector_op o = effect_op(&r);
        if (n % 16 == 0)
            effect_fill(&r, &before);
        struct lanes want = before;
        for (unsigned i = 0; i < LANES; i++) {
            bool on = (o.word & 15) == 2 || (o.on >> i & 1);
            if (on && (o.vd < 8 || o.vd == 16))
                want.r[o.vd][i] = moved(&o, i);
            if (on && o.word & 8 && o.vc == 9)
                want.random[i] = prng_step(before.random[i]);
        }
        effect_run(vector_sfpmov, &o);
        assert_memory_equal(&want, &after, sizeof want);
    }
}

TEST_MAIN(cmocka_unit_test(every_mode_on_random_lanes), cmocka_unit_test(every_upper_half),
          cmocka_unit_test(divp2_every_exponent_and_immediate),
          cmocka_unit_test(shift_by_every_amount),
          cmocka_unit_test(recip_and_exp_are_as_near_as_promised),
          cmocka_unit_test(mov_reads_registers_configuration_and_random_numbers))
