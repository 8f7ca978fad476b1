/* Arithmetic of the Alpha against MPFR: S and T, all roundings, denormal results, the exceptions. */
#include "test.h"

#include <string.h>

#include <mpfr.h>

#include "alpha/alpha_fp.h"
#include "model/rng.h"

#define TRIES 60000u

/* What MPFR makes of it: a value and whether it is exact, overflows or underflows. */
struct answer {
    uint64_t value;
    uint64_t exc;
};

static const mpfr_rnd_t rounding[] = {MPFR_RNDZ, MPFR_RNDD, MPFR_RNDN, MPFR_RNDU};

static double to_double(uint64_t bits)
{
    double d;
    memcpy(&d, &bits, sizeof d);
    return d;
}

static void compute(unsigned op, mpfr_t z, mpfr_t x, mpfr_t y, mpfr_rnd_t round, int *inexact)
{
    switch (op) {
    case ALPHA_OP_ADDT:
    case ALPHA_OP_ADDS: *inexact = mpfr_add(z, x, y, round); break;
    case ALPHA_OP_SUBT:
    case ALPHA_OP_SUBS: *inexact = mpfr_sub(z, x, y, round); break;
    case ALPHA_OP_MULT:
    case ALPHA_OP_MULS: *inexact = mpfr_mul(z, x, y, round); break;
    case ALPHA_OP_DIVT:
    case ALPHA_OP_DIVS: *inexact = mpfr_div(z, x, y, round); break;
    case ALPHA_OP_CVTTS: *inexact = mpfr_set(z, y, round); break;
    default: *inexact = mpfr_sqrt(z, y, round); break;
    }
}

static struct answer exact_answer(unsigned op, bool single, uint64_t a, uint64_t b, unsigned round)
{
    struct answer r = {0, 0};
    int inexact;
    mpfr_t x, y, z;
    /* exponents of MPFR: 0.5 <= |mantissa| < 1; the smallest denormal is 2^emin / 2 */
    mpfr_set_emin(single ? -148 : -1073);
    mpfr_set_emax(single ? 128 : 1024);
    mpfr_inits2(53, x, y, (mpfr_ptr)0);
    mpfr_init2(z, single ? 24 : 53);
    mpfr_exp_t emin = mpfr_get_emin(), emax = mpfr_get_emax();
    mpfr_set_emin(-1073);
    mpfr_set_emax(1024);
    mpfr_set_d(x, to_double(a), MPFR_RNDN);
    mpfr_set_d(y, to_double(b), MPFR_RNDN);
    mpfr_set_emin(emin - 3000); /* z may be below; rounded again in mpfr_subnormalize */
    mpfr_set_emax(emax);
    mpfr_clear_flags();
    compute(op, z, x, y, rounding[round], &inexact);
    /* tiny: after rounding as if there were no limit below */
    bool tiny = mpfr_regular_p(z) && mpfr_get_exp(z) < (single ? -125 : -1021);
    mpfr_set_emin(emin);
    inexact = mpfr_check_range(z, inexact, rounding[round]);
    inexact = mpfr_subnormalize(z, inexact, rounding[round]);
    if (inexact)
        r.exc |= ALPHA_FPCR_INE | (tiny ? ALPHA_FPCR_UNF : 0);
    if (mpfr_overflow_p())
        r.exc |= ALPHA_FPCR_OVF | ALPHA_FPCR_INE;
    double d = mpfr_get_d(z, MPFR_RNDN);
    memcpy(&r.value, &d, sizeof d);
    mpfr_clears(x, y, z, (mpfr_ptr)0);
    if (single) { /* T has denormals of S as normal numbers; a register has not */
        float f = (float)d;
        uint32_t s;
        memcpy(&s, &f, sizeof s);
        r.value = alpha_fp_s_to_reg(s);
    }
    return r;
}

static uint64_t number(struct rng *r, bool single)
{
    uint64_t sign = (uint64_t)(rng_next(r) & 1) << 63, exp,
             fraction = (uint64_t)rng_next(r) << 20 ^ rng_next(r);
    unsigned low = single ? 897 : 1, high = single ? 1150 : 2046;
    switch (rng_below(r, 4)) {
    case 0: exp = low + rng_below(r, 30); break;
    case 1: exp = high - rng_below(r, 30); break;
    case 2: exp = low + rng_below(r, high - low + 1); break;
    default: exp = 1013 + rng_below(r, 20); break;
    }
    if (rng_percent(r, 25))
        fraction = rng_percent(r, 50) ? UINT64_MAX : UINT64_C(1) << rng_below(r, 52);
    fraction &= (UINT64_C(1) << 52) - 1;
    return sign | exp << 52 | (single ? fraction & ~UINT64_C(0x1fffffff) : fraction);
}

static void check(unsigned op, bool single)
{
    struct rng r = rng_of(11, op);
    print_message("%s seed 11\n", alpha_ops[op].id);
    for (unsigned i = 0; i < TRIES; i++) {
        unsigned round = i & 3;
        bool wide = !single || op == ALPHA_OP_CVTTS;
        uint64_t a = number(&r, !wide), b = number(&r, !wide);
        uint64_t fpcr = (ALPHA_FPCR_START & ~ALPHA_FPCR_DYN) | (uint64_t)round << 58;
        if (op == ALPHA_OP_SQRTS || op == ALPHA_OP_SQRTT)
            b &= INT64_MAX;
        if (op == ALPHA_OP_CVTTS && i & 4) /* around the range of S */
            b = (b & ~(UINT64_C(0x7ff) << 52)) | (uint64_t)(870 + rng_below(&r, 290)) << 52;
        struct answer want = exact_answer(op, single, a, b, round);
        struct alpha_fp_result got = alpha_fp(op, 0x1f, a, b, fpcr); /* /suid */
        if (got.value != want.value || (got.fpcr & ~fpcr) != want.exc)
            fail_msg("a %llx b %llx round %u: %llx fpcr %llx, MPFR %llx %llx",
                     (unsigned long long)a,
                     (unsigned long long)b,
                     round,
                     (unsigned long long)got.value,
                     (unsigned long long)got.fpcr,
                     (unsigned long long)want.value,
                     (unsigned long long)want.exc);
    }
}

static void t_operations(void **state)
{
    (void)state;
    static const uint8_t ops[] = {
        ALPHA_OP_ADDT, ALPHA_OP_SUBT, ALPHA_OP_MULT, ALPHA_OP_DIVT, ALPHA_OP_SQRTT};
    for (unsigned i = 0; i < sizeof ops; i++)
        check(ops[i], false);
}

static void s_operations(void **state)
{
    (void)state;
    static const uint8_t ops[] = {
        ALPHA_OP_ADDS, ALPHA_OP_SUBS, ALPHA_OP_MULS, ALPHA_OP_DIVS, ALPHA_OP_SQRTS, ALPHA_OP_CVTTS};
    for (unsigned i = 0; i < sizeof ops; i++)
        check(ops[i], true);
}

TEST_MAIN(cmocka_unit_test(t_operations), cmocka_unit_test(s_operations))
