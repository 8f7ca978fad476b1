/*
 * IEEE arithmetic of the Alpha: the host's way gives what the long way gives; qualifiers, denormals and NaN.
 */
#include "test.h"

#include "alpha/alpha_fp.h"
#include "alpha/alpha_math.h"
#include "model/rng.h"

#define ONE   UINT64_C(0x3ff0000000000000)
#define TINY  UINT64_C(0x0010000000000000) /* the smallest normal T */
#define SU    (ALPHA_QUAL_S | ALPHA_QUAL_U | ALPHA_NEAREST)
#define SUI   (SU | ALPHA_QUAL_I)
#define PLAIN ALPHA_NEAREST
#define START ALPHA_FPCR_START

static const uint8_t operations[] = {
    ALPHA_OP_ADDS,   ALPHA_OP_SUBS,   ALPHA_OP_MULS,   ALPHA_OP_DIVS,   ALPHA_OP_SQRTS,
    ALPHA_OP_ADDT,   ALPHA_OP_SUBT,   ALPHA_OP_MULT,   ALPHA_OP_DIVT,   ALPHA_OP_SQRTT,
    ALPHA_OP_CMPTUN, ALPHA_OP_CMPTEQ, ALPHA_OP_CMPTLT, ALPHA_OP_CMPTLE, ALPHA_OP_CVTTS,
    ALPHA_OP_CVTST,  ALPHA_OP_CVTTQ,  ALPHA_OP_CVTQS,  ALPHA_OP_CVTQT,  ALPHA_OP_CVTQL};

/* Exponents near the ends of both formats are as likely as ordinary ones. */
static uint64_t operand(struct rng *r)
{
    static const uint16_t near[] = {0, 1, 896, 1023, 1085, 1150, 2046};
    uint64_t fraction = (uint64_t)rng_next(r) << 20 ^ rng_next(r);
    uint64_t exp =
        rng_percent(r, 50) ? near[rng_below(r, 7)] + rng_below(r, 3) : rng_below(r, 2048);
    if (rng_percent(r, 50))
        fraction &= ~UINT64_C(0x1fffffff); /* an S */
    if (rng_percent(r, 10))
        fraction = 0;
    return (uint64_t)(rng_next(r) & 1) << 63 | (exp & 0x7ff) << 52 | (fraction & (TINY - 1));
}

static void host_and_long_way_agree(void **state)
{
    (void)state;
    struct rng r = rng_of(7, 0);
    print_message("seed 7\n");
    for (unsigned i = 0; i < 2000000; i++) {
        unsigned op = operations[rng_below(&r, sizeof operations)], qual = rng_below(&r, 32);
        bool one = op == ALPHA_OP_SQRTS || op == ALPHA_OP_SQRTT || op >= ALPHA_OP_CVTTS;
        uint64_t a = one ? 0 : operand(&r), b = operand(&r); /* those have F31 there */
        uint64_t fpcr = rng_next(&r) & 1 ? START : (uint64_t)rng_next(&r) << 32;
        struct alpha_fp_result x = alpha_fp(op, qual, a, b, fpcr);
        struct alpha_fp_result y = alpha_fp_thorough(op, qual, a, b, fpcr);
        if (x.value != y.value || x.fpcr != y.fpcr || x.exc != y.exc)
            fail_msg("%s qual %x a %llx b %llx fpcr %llx: %llx, long way %llx",
                     alpha_ops[op].id,
                     qual,
                     (unsigned long long)a,
                     (unsigned long long)b,
                     (unsigned long long)fpcr,
                     (unsigned long long)x.value,
                     (unsigned long long)y.value);
    }
}

static void expect(unsigned op, unsigned qual, uint64_t a, uint64_t b, uint64_t fpcr,
                   struct alpha_fp_result want)
{
    struct alpha_fp_result r = alpha_fp(op, qual, a, b, fpcr);
    assert_int_equal(r.exc, want.exc);
    assert_int_equal(r.fpcr, want.fpcr);
    if (!want.exc)
        assert_int_equal(r.value, want.value);
}

/* 1 + 2^-60: the last place goes where the rounding says; /d asks FPCR. */
static void rounding(void **state)
{
    (void)state;
    const uint64_t little = UINT64_C(0x3c30000000000000), up = ONE + 1;
    const unsigned s = ALPHA_QUAL_S | ALPHA_QUAL_U;
    const struct {
        unsigned round, dyn;
        uint64_t plus, minus; /* 1 + little, -1 - little without its sign */
    } rows[] = {{ALPHA_CHOP, 0, ONE, ONE},
                {ALPHA_MINUS, 0, ONE, up},
                {ALPHA_NEAREST, 0, ONE, ONE},
                {3, ALPHA_CHOP, ONE, ONE},
                {3, ALPHA_MINUS, ONE, up},
                {3, ALPHA_NEAREST, ONE, ONE},
                {3, ALPHA_PLUS, up, ONE}};
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint64_t fpcr = (START & ~ALPHA_FPCR_DYN) | (uint64_t)rows[i].dyn << 58, sign = UINT64_C(1)
                                                                                        << 63;
        expect(ALPHA_OP_ADDT,
               s | rows[i].round,
               ONE,
               little,
               fpcr,
               (struct alpha_fp_result){rows[i].plus, fpcr, 0});
        expect(ALPHA_OP_ADDT,
               s | rows[i].round,
               sign | ONE,
               sign | little,
               fpcr,
               (struct alpha_fp_result){sign | rows[i].minus, fpcr, 0});
    }
}

/* Inexact: recorded without /S, not with /SU, and with /SUI a trap unless FPCR disables it. */
static void inexact(void **state)
{
    (void)state;
    const uint64_t three = UINT64_C(0x4008000000000000), third = UINT64_C(0x3fd5555555555555);
    expect(ALPHA_OP_DIVT,
           PLAIN,
           ONE,
           three,
           START,
           (struct alpha_fp_result){third, START | ALPHA_FPCR_INE, 0});
    expect(ALPHA_OP_DIVT, SU, ONE, three, START, (struct alpha_fp_result){third, START, 0});
    expect(ALPHA_OP_DIVT,
           SUI,
           ONE,
           three,
           START,
           (struct alpha_fp_result){third, START | ALPHA_FPCR_INE, 0});
    uint64_t open = START & ~ALPHA_FPCR_INED;
    expect(ALPHA_OP_DIVT,
           SUI,
           ONE,
           three,
           open,
           (struct alpha_fp_result){0, open | ALPHA_FPCR_INE, ALPHA_EXC_INE | ALPHA_EXC_SWC});
}

/* Denormal results: zero without /U, and with /U if FPCR says so; otherwise denormal. */
static void denormal_results(void **state)
{
    (void)state;
    const uint64_t half = UINT64_C(0x3fe0000000000000), den = TINY >> 1;
    expect(ALPHA_OP_MULT, PLAIN, TINY, half, START, (struct alpha_fp_result){0, START, 0});
    expect(ALPHA_OP_MULT, SU, TINY, half, START, (struct alpha_fp_result){den, START, 0});
    uint64_t flush = START | ALPHA_FPCR_UNDZ;
    expect(ALPHA_OP_MULT, SU, TINY, half, flush, (struct alpha_fp_result){0, flush, 0});
    /* inexact and tiny: underflow */
    expect(ALPHA_OP_MULT,
           SU,
           TINY | 1,
           half,
           START,
           (struct alpha_fp_result){den, START | ALPHA_FPCR_UNF, 0});
    /* S is flushed at its own limit */
    expect(ALPHA_OP_MULS,
           PLAIN,
           alpha_fp_s_to_reg(0x00800000),
           half,
           START,
           (struct alpha_fp_result){0, START, 0});
    expect(ALPHA_OP_MULS,
           SU,
           alpha_fp_s_to_reg(0x00800000),
           half,
           START,
           (struct alpha_fp_result){alpha_fp_s_to_reg(0x00400000), START, 0});
}

/* Denormal operands, infinities and NaN trap without /S; with it they are numbers. */
static void operands_without_s(void **state)
{
    (void)state;
    const uint64_t den = 1, inf = UINT64_C(0x7ff0000000000000), nan = inf | 1;
    struct alpha_fp_result refused = {0, START, ALPHA_EXC_INV};
    expect(ALPHA_OP_ADDT, PLAIN, den, ONE, START, refused);
    refused.fpcr |= ALPHA_FPCR_INV;
    expect(ALPHA_OP_ADDT, PLAIN, ONE, inf, START, refused);
    expect(ALPHA_OP_CMPTEQ, PLAIN, ONE, nan, START, refused);
    expect(ALPHA_OP_CMPTEQ,
           PLAIN,
           inf,
           inf,
           START,
           (struct alpha_fp_result){UINT64_C(0x4000000000000000), START, 0});
    expect(ALPHA_OP_ADDT, SU, ONE, inf, START, (struct alpha_fp_result){inf, START, 0});
    expect(ALPHA_OP_ADDT, SU, den, den, START, (struct alpha_fp_result){2, START, 0});
    expect(ALPHA_OP_ADDT,
           SU,
           den,
           den,
           START | ALPHA_FPCR_DNZ,
           (struct alpha_fp_result){0, START | ALPHA_FPCR_DNZ, 0});
    /* DNOD: who computes it, not what */
    const uint64_t clear = START & ~ALPHA_FPCR_DNOD;
    assert_true(START & ALPHA_FPCR_DNOD);
    expect(ALPHA_OP_ADDT, SU, den, den, clear, (struct alpha_fp_result){2, clear, 0});
    expect(
        ALPHA_OP_ADDT, PLAIN, den, ONE, clear, (struct alpha_fp_result){0, clear, ALPHA_EXC_INV});
}

/* A signalling NaN is made quiet; a quiet one wins over it; of equals the larger fraction. */
static void not_a_number(void **state)
{
    (void)state;
    const uint64_t snan = UINT64_C(0x7ff0000000000005), qnan = UINT64_C(0xfff8000000000003);
    const uint64_t inv = START | ALPHA_FPCR_INV, quiet = UINT64_C(0x7ff8000000000000);
    expect(ALPHA_OP_ADDT,
           SU,
           snan,
           ONE,
           START,
           (struct alpha_fp_result){snan | UINT64_C(1) << 51, inv, 0});
    expect(ALPHA_OP_ADDT, SU, snan, qnan, START, (struct alpha_fp_result){qnan, inv, 0});
    expect(ALPHA_OP_MULT, SU, quiet | 1, qnan, START, (struct alpha_fp_result){qnan, START, 0});
    expect(ALPHA_OP_DIVT, SU, 0, 0, START, (struct alpha_fp_result){quiet, inv, 0});
    expect(ALPHA_OP_SQRTT,
           SU,
           0,
           ONE | UINT64_C(1) << 63,
           START,
           (struct alpha_fp_result){quiet, inv, 0});
}

/* The doubles at both ends of what fits, in every rounding: all are integers, and only those outside overflow. */
static void ends_of_the_integers(void **state)
{
    static const struct {
        uint64_t t, q;
        bool fits;
    } rows[] = {
        {UINT64_C(0x43dfffffffffffff), UINT64_C(0x7ffffffffffffc00), true},
        {UINT64_C(0x43e0000000000000), UINT64_C(0x8000000000000000), false}, /* 2^63 */
        {UINT64_C(0x43e0000000000001), UINT64_C(0x8000000000000800), false},
        {UINT64_C(0xc3dfffffffffffff), UINT64_C(0x8000000000000400), true},
        {UINT64_C(0xc3e0000000000000), UINT64_C(0x8000000000000000), true}, /* -2^63 */
        {UINT64_C(0xc3e0000000000001), UINT64_C(0x7ffffffffffff800), false},
        {UINT64_C(0xc3e8000000000000), UINT64_C(0x4000000000000000), false}, /* -1.5 * 2^63 */
        {UINT64_C(0xc3efffffffffffff), UINT64_C(0x0000000000000800), false},
        {UINT64_C(0xc3f0000000000000), 0, false}, /* -2^64 */
        {UINT64_C(0xc3f0000000000001), UINT64_C(0xfffffffffffff000), false},
        {UINT64_C(0xc410000000000000), 0, false},
        {UINT64_C(0xffefffffffffffff), 0, false}};
    (void)state;
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (unsigned round = 0; round < 16; round++) {
            uint64_t fpcr = (START & ~ALPHA_FPCR_DYN) | (uint64_t)(round & 3) << 58;
            uint64_t seen = rows[i].fits ? fpcr : fpcr | ALPHA_FPCR_IOV | ALPHA_FPCR_INE;
            uint32_t exc = rows[i].fits ? 0 : ALPHA_EXC_IOV;
            unsigned rounds = round >> 2; /* 3: as FPCR says */
            expect(ALPHA_OP_CVTTQ,
                   rounds,
                   0,
                   rows[i].t,
                   fpcr,
                   (struct alpha_fp_result){rows[i].q, seen, 0});
            expect(ALPHA_OP_CVTTQ,
                   rounds | ALPHA_QUAL_U,
                   0,
                   rows[i].t,
                   fpcr,
                   (struct alpha_fp_result){rows[i].q, seen, exc});
        }
}

/* CVTTQ gives the low 64 bits of what is too large; /V reports it. */
static void to_integers(void **state)
{
    (void)state;
    const uint64_t big = UINT64_C(0x43f8000000000000); /* 1.5 * 2^64 */
    uint64_t seen = START | ALPHA_FPCR_IOV | ALPHA_FPCR_INE;
    expect(ALPHA_OP_CVTTQ,
           ALPHA_CHOP,
           0,
           big,
           START,
           (struct alpha_fp_result){UINT64_C(1) << 63, seen, 0});
    expect(ALPHA_OP_CVTTQ,
           ALPHA_CHOP | ALPHA_QUAL_U,
           0,
           big,
           START,
           (struct alpha_fp_result){0, seen, ALPHA_EXC_IOV});
    expect(ALPHA_OP_CVTTQ,
           ALPHA_CHOP,
           0,
           UINT64_C(0xc3e0000000000000),
           START,
           (struct alpha_fp_result){UINT64_C(1) << 63, START, 0});
    expect(ALPHA_OP_CVTQL,
           ALPHA_QUAL_U,
           0,
           UINT64_C(0x80000000),
           START,
           (struct alpha_fp_result){0, seen, ALPHA_EXC_IOV});
    expect(ALPHA_OP_CVTQL,
           ALPHA_QUAL_U,
           0,
           UINT64_C(0xffffffff80000000),
           START,
           (struct alpha_fp_result){UINT64_C(1) << 63, START, 0});
}

/* S in memory, in a register and back: every exponent, and fractions at both ends. */
static void s_format(void **state)
{
    (void)state;
    for (uint32_t exp = 0; exp < 512; exp++)
        for (uint32_t fraction = 0; fraction < 0x800000; fraction += 0x7fffff) {
            uint32_t s = exp << 23 | fraction;
            assert_int_equal(alpha_fp_reg_to_s(alpha_fp_s_to_reg(s)), s);
        }
    assert_int_equal(alpha_fp_s_to_reg(0x3f800000), ONE);
    assert_int_equal(alpha_fp_s_to_reg(0x00000001), UINT64_C(1) << 29);
    assert_int_equal(alpha_fp_s_to_reg(0xff800000), UINT64_C(0xfff0000000000000));
}

/* The wide product in pieces. */
static void high_products(void **state)
{
    (void)state;
    struct rng r = rng_of(3, 0);
    for (unsigned i = 0; i < 100000; i++) {
        uint64_t a = operand(&r) * rng_next(&r), b = operand(&r) >> rng_below(&r, 64);
        assert_int_equal(alpha_math_umulh(a, b), alpha_math_umulh_plain(a, b));
    }
}

TEST_MAIN(cmocka_unit_test(host_and_long_way_agree), cmocka_unit_test(rounding),
          cmocka_unit_test(inexact), cmocka_unit_test(denormal_results),
          cmocka_unit_test(operands_without_s), cmocka_unit_test(not_a_number),
          cmocka_unit_test(ends_of_the_integers), cmocka_unit_test(to_integers),
          cmocka_unit_test(s_format), cmocka_unit_test(high_products))
