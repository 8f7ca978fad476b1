/*
 * alpha_fp.c - IEEE arithmetic of the Alpha.
 *
 * Every operation takes its operands apart (struct num), computes with 64 bits and a sticky bit,
 * and rounds once. Most operations need none of that: normal operands, rounding to nearest, a result
 * that is well inside the normal range, and nobody who asks whether it was exact. Those are left
 * to the host (alpha_fp_quick.h), whose arithmetic then gives the same bits.
 *
 * The host must round to nearest, as a C program does unless it asks for something else.
 *
 * **Inaccuracies**: the choices that the architecture leaves to implementations, or to the operating
 * system's completion of /S, are those of QEMU: an invalid operation gives the positive quiet NaN; of
 * two NaNs a quiet one wins over a signalling one, then the larger fraction. A result that is
 * flushed to zero raises nothing. Inexact is recorded without /S always, with /S only for /SUI and
 * /SVI. CVTQS and CVTQT report inexact only with /SUI. DNOD makes no difference: it only says whether hardware or completion computes
 * what /S does with a denormal operand.
 */
#include "alpha/alpha_fp.h"

#include "alpha/alpha_fp_quick.h"
#include "alpha/alpha_math.h"

#define IEEE_EXC                                                                                   \
    (ALPHA_FPCR_INV | ALPHA_FPCR_DZE | ALPHA_FPCR_OVF | ALPHA_FPCR_UNF | ALPHA_FPCR_INE)
#define TRUE_T    UINT64_C(0x4000000000000000) /* 2.0 */
#define NAN_T     UINT64_C(0x7ff8000000000000)
#define FRAC_T    UINT64_C(0x000fffffffffffff)
#define SIGN_T    UINT64_C(0x8000000000000000)
#define EXP_OF(t) ALPHA_EXP_OF(t)

/* ---- formats ---- */

struct format {
    int bias, max;  /* exponent field of 1.0, of infinity */
    unsigned fract; /* bits of fraction */
};

static const struct format S = {127, 255, 23};
static const struct format T = {1023, 2047, 52};

enum class { ZERO, NORMAL, INFINITE, QUIET, SIGNALLING };

/* NORMAL: value is frac / 2^63 * 2^exp, bit 63 of frac set. NaN: fraction from bit 62 down. */
struct num {
    enum class class;
    unsigned sign;
    int exp;
    uint64_t frac;
};

struct context {
    unsigned round; /* enum alpha_round */
    bool flush_in, flush_out;
    uint64_t exc; /* ALPHA_FPCR_... */
};

static struct num unpack(const struct format *f, uint64_t bits, const struct context *x)
{
    struct num n = {ZERO, (unsigned)(bits >> (f == &S ? 31 : 63)) & 1, 0, 0};
    int exp = (int)(bits >> f->fract) & f->max;
    uint64_t fraction = bits & ((UINT64_C(1) << f->fract) - 1);
    unsigned up = 63 - f->fract;
    if (exp == f->max) {
        n.frac = fraction << up;
        n.class = !fraction ? INFINITE : n.frac >> 62 & 1 ? QUIET : SIGNALLING;
    } else if (exp) {
        n.class = NORMAL;
        n.exp = exp - f->bias;
        n.frac = UINT64_C(1) << 63 | fraction << up;
    } else if (fraction && !x->flush_in) {
        unsigned zeros = (unsigned)alpha_math_ctlz(fraction << up);
        n.class = NORMAL;
        n.exp = 1 - f->bias - (int)zeros;
        n.frac = fraction << up << zeros;
    }
    return n;
}

static uint64_t assemble(const struct format *f, unsigned sign, int exp, uint64_t fraction)
{
    uint64_t value = (uint64_t)sign << (f == &S ? 31 : 63) | (uint64_t)exp << f->fract | fraction;
    return f == &S ? alpha_fp_s_to_reg((uint32_t)value) : value;
}

/* ---- rounding ---- */

static uint64_t shift_sticky(uint64_t x, unsigned n)
{
    return n >= 64 ? x != 0 : n ? x >> n | ((x << (64 - n)) != 0) : x;
}

/* Does the part below the last place, of `bits` bits, round up? */
static bool rounds_up(const struct context *x, unsigned sign, uint64_t frac, unsigned bits)
{
    uint64_t rest = frac & ((UINT64_C(1) << bits) - 1), half = UINT64_C(1) << (bits - 1);
    switch (x->round) {
    case ALPHA_NEAREST: return rest > half || (rest == half && frac >> bits & 1);
    case ALPHA_MINUS: return sign && rest;
    case ALPHA_PLUS: return !sign && rest;
    default: return false;
    }
}

static uint64_t overflow(const struct format *f, struct context *x, unsigned sign)
{
    bool infinite = x->round == ALPHA_NEAREST || x->round == (sign ? ALPHA_MINUS : ALPHA_PLUS);
    x->exc |= ALPHA_FPCR_OVF | ALPHA_FPCR_INE;
    return infinite ? assemble(f, sign, f->max, 0)
                    : assemble(f, sign, f->max - 1, (UINT64_C(1) << f->fract) - 1);
}

/* Round n (NORMAL; the lowest bit of frac is sticky) to the format: a register value. */
static uint64_t round_to(const struct format *f, struct context *x, struct num n)
{
    unsigned below = 63 - f->fract;
    int exp = n.exp + f->bias;
    bool tiny = false;
    if (exp <= 0) {
        if (x->flush_out)
            return assemble(f, n.sign, 0, 0);
        /* tiny: below the smallest normal number even when rounded as if there were no limit */
        tiny = exp < 0 || !rounds_up(x, n.sign, n.frac, below) ||
               (n.frac >> below) != (UINT64_C(2) << f->fract) - 1;
        n.frac = shift_sticky(n.frac, (unsigned)(1 - exp));
        exp = 0;
    }
    uint64_t kept = n.frac >> below;
    if (n.frac & ((UINT64_C(1) << below) - 1)) {
        x->exc |= ALPHA_FPCR_INE | (tiny ? ALPHA_FPCR_UNF : 0);
        kept += rounds_up(x, n.sign, n.frac, below);
    }
    /* the leading bit adds one to the exponent field; so does a carry out of the fraction */
    uint64_t field = exp ? (uint64_t)(exp - 1) << f->fract : 0;
    field += kept;
    if ((int64_t)(field >> f->fract) >= f->max)
        return overflow(f, x, n.sign);
    return assemble(f, n.sign, 0, field);
}

/* ---- NaN ---- */

static uint64_t nan_of(const struct format *f, struct num n)
{
    n.frac |= UINT64_C(1) << 62;
    return assemble(f, n.sign, f->max, (n.frac & INT64_MAX) >> (63 - f->fract));
}

static uint64_t invalid(const struct format *f, struct context *x)
{
    x->exc |= ALPHA_FPCR_INV;
    return f == &S ? alpha_fp_s_to_reg(0x7fc00000) : NAN_T;
}

static bool is_nan(struct num n)
{
    return n.class >= QUIET;
}

static uint64_t pick_nan(const struct format *f, struct context *x, struct num a, struct num b)
{
    bool a_larger = a.frac > b.frac || (a.frac == b.frac && a.sign < b.sign), first;
    if (a.class == SIGNALLING || b.class == SIGNALLING)
        x->exc |= ALPHA_FPCR_INV;
    if (!is_nan(b))
        first = true;
    else if (!is_nan(a))
        first = false;
    else if (a.class == b.class)
        first = a_larger;
    else
        first = a.class == QUIET;
    return nan_of(f, first ? a : b);
}

/* ---- arithmetic ---- */

static uint64_t zero_of(const struct format *f, unsigned sign)
{
    return assemble(f, sign, 0, 0);
}

static uint64_t exact(const struct format *f, struct context *x, struct num n)
{
    switch (n.class) {
    case ZERO: return zero_of(f, n.sign);
    case INFINITE: return assemble(f, n.sign, f->max, 0);
    case NORMAL: return round_to(f, x, n);
    default: return pick_nan(f, x, n, (struct num){ZERO, 0, 0, 0});
    }
}

static uint64_t add(const struct format *f, struct context *x, struct num a, struct num b)
{
    if (is_nan(a) || is_nan(b))
        return pick_nan(f, x, a, b);
    if (a.class == INFINITE || b.class == INFINITE) {
        if (a.class == b.class && a.sign != b.sign)
            return invalid(f, x);
        return exact(f, x, a.class == INFINITE ? a : b);
    }
    if (a.class == ZERO && b.class == ZERO && a.sign == b.sign)
        return zero_of(f, a.sign);
    if (a.class == ZERO && b.class == ZERO)
        return zero_of(f, x->round == ALPHA_MINUS);
    if (a.class == ZERO || b.class == ZERO)
        return exact(f, x, a.class == ZERO ? b : a);
    if (a.exp < b.exp || (a.exp == b.exp && a.frac < b.frac)) {
        struct num t = a;
        a = b;
        b = t;
    }
    /* one bit of room for the carry; the operands have at most 53 bits, so nothing is lost */
    uint64_t larger = a.frac >> 1, smaller = shift_sticky(b.frac >> 1, (unsigned)(a.exp - b.exp));
    uint64_t sum = a.sign == b.sign ? larger + smaller : larger - smaller;
    if (!sum)
        return zero_of(f, x->round == ALPHA_MINUS);
    unsigned zeros = (unsigned)alpha_math_ctlz(sum);
    a.frac = sum << zeros;
    a.exp += 1 - (int)zeros;
    return round_to(f, x, a);
}

static uint64_t multiply(const struct format *f, struct context *x, struct num a, struct num b)
{
    unsigned sign = a.sign ^ b.sign;
    if (is_nan(a) || is_nan(b))
        return pick_nan(f, x, a, b);
    if ((a.class == INFINITE && b.class == ZERO) || (a.class == ZERO && b.class == INFINITE))
        return invalid(f, x);
    if (a.class == INFINITE || b.class == INFINITE)
        return assemble(f, sign, f->max, 0);
    if (a.class == ZERO || b.class == ZERO)
        return zero_of(f, sign);
    uint64_t high = alpha_math_umulh(a.frac, b.frac), low = a.frac * b.frac;
    struct num n = {NORMAL, sign, a.exp + b.exp + 1, high | (low != 0)};
    if (!(high >> 63)) {
        n.frac = high << 1 | low >> 63 | ((low << 1) != 0);
        n.exp--;
    }
    return round_to(f, x, n);
}

static uint64_t divide(const struct format *f, struct context *x, struct num a, struct num b)
{
    unsigned sign = a.sign ^ b.sign;
    if (is_nan(a) || is_nan(b))
        return pick_nan(f, x, a, b);
    if (a.class == b.class && a.class != NORMAL)
        return invalid(f, x);
    if (a.class == INFINITE || b.class == ZERO) {
        if (a.class != INFINITE)
            x->exc |= ALPHA_FPCR_DZE;
        return assemble(f, sign, f->max, 0);
    }
    if (a.class == ZERO || b.class == INFINITE)
        return zero_of(f, sign);
    struct num n = {NORMAL, sign, a.exp - b.exp, 0};
    uint64_t rest = a.frac;
    if (rest < b.frac) {
        n.exp--;
        rest -= b.frac - rest; /* twice the rest, less the divisor: the first bit is 1 */
    } else {
        rest -= b.frac;
    }
    n.frac = 1;
    for (unsigned i = 0; i < 63; i++) {
        bool carry = rest >> 63;
        rest <<= 1;
        n.frac <<= 1;
        if (carry || rest >= b.frac) {
            rest -= b.frac;
            n.frac |= 1;
        }
    }
    n.frac |= rest != 0;
    return round_to(f, x, n);
}

static uint64_t square_root(const struct format *f, struct context *x, struct num a)
{
    if (is_nan(a) || a.class == ZERO || (a.class == INFINITE && !a.sign))
        return exact(f, x, a);
    if (a.sign)
        return invalid(f, x);
    /* an even exponent; the root of frac / 2^62, bit by bit, from a radicand of two bits each */
    unsigned odd = (unsigned)a.exp & 1;
    uint64_t high = odd ? a.frac : a.frac >> 1, low = odd ? 0 : a.frac << 63;
    uint64_t root = 0, rest = 0;
    for (unsigned i = 0; i < 58; i++) {
        rest = rest << 2 | high >> 62;
        high = high << 2 | low >> 62;
        low <<= 2;
        uint64_t trial = root << 2 | 1;
        root <<= 1;
        if (rest >= trial) {
            rest -= trial;
            root |= 1;
        }
    }
    a.exp = (a.exp - (int)odd) / 2;
    a.frac = root << 6 | (rest != 0);
    return round_to(f, x, a);
}

/* ---- comparisons and conversions ---- */

static uint64_t compare(unsigned op, struct context *x, struct num a, struct num b)
{
    bool less, equal;
    if (is_nan(a) || is_nan(b)) {
        if (a.class == SIGNALLING || b.class == SIGNALLING || op == ALPHA_OP_CMPTLT ||
            op == ALPHA_OP_CMPTLE)
            x->exc |= ALPHA_FPCR_INV;
        return op == ALPHA_OP_CMPTUN ? TRUE_T : 0;
    }
    if (a.class == ZERO && b.class == ZERO) {
        less = false;
        equal = true;
    } else {
        /* magnitudes in order: zero, finite by exponent and fraction, infinite */
        int rank_a = a.class == ZERO ? -20000 : a.class == INFINITE ? 20000 : a.exp;
        int rank_b = b.class == ZERO ? -20000 : b.class == INFINITE ? 20000 : b.exp;
        bool below = rank_a < rank_b || (rank_a == rank_b && a.frac < b.frac);
        bool same = rank_a == rank_b && a.frac == b.frac;
        equal = same && a.sign == b.sign;
        less = a.sign != b.sign ? a.sign : a.sign ? !below && !same : below;
    }
    switch (op) {
    case ALPHA_OP_CMPTEQ: return equal ? TRUE_T : 0;
    case ALPHA_OP_CMPTLT: return less ? TRUE_T : 0;
    case ALPHA_OP_CMPTLE: return less || equal ? TRUE_T : 0;
    default: return 0;
    }
}

/* The low 64 bits of the integer, also when it is too large. */
static uint64_t to_quadword(struct context *x, struct num a)
{
    uint64_t value = 0;
    if (a.class == ZERO)
        return 0;
    if (a.class != NORMAL) {
        x->exc |= ALPHA_FPCR_INV;
        return 0;
    }
    if (a.exp >= 63) {
        /* frac has at most 53 bits: all of them are integer */
        value = a.exp - 63 < 64 ? a.frac << (a.exp - 63) : 0;
        if (!(a.sign && a.exp == 63 && a.frac == SIGN_T))
            x->exc |= ALPHA_FPCR_IOV | ALPHA_FPCR_INE;
    } else {
        /* two places behind the point, the second one sticky; from 2^61 on they are 0 */
        uint64_t fixed = a.exp < 61 ? shift_sticky(a.frac, (unsigned)(61 - a.exp)) : 0;
        value = a.exp < 61 ? fixed >> 2 : a.frac >> (63 - a.exp);
        if (fixed & 3) {
            x->exc |= ALPHA_FPCR_INE;
            value += rounds_up(x, a.sign, fixed, 2);
        }
    }
    return a.sign ? 0 - value : value;
}

static uint64_t from_quadword(const struct format *f, struct context *x, uint64_t q)
{
    struct num n = {NORMAL, (unsigned)(q >> 63), 63, q >> 63 ? 0 - q : q};
    if (!q)
        return 0;
    unsigned zeros = (unsigned)alpha_math_ctlz(n.frac);
    n.frac <<= zeros;
    n.exp -= (int)zeros;
    return round_to(f, x, n);
}

static uint64_t to_longword(struct context *x, uint64_t q)
{
    if (q != alpha_math_sext32(q))
        x->exc |= ALPHA_FPCR_IOV | ALPHA_FPCR_INE;
    return (q & 0xc0000000) << 32 | (q & 0x3fffffff) << 29;
}

static uint64_t negate(uint64_t bits, const struct format *f)
{
    return bits ^ UINT64_C(1) << (f == &S ? 31 : 63);
}

static uint64_t arithmetic(unsigned op, struct context *x, uint64_t a, uint64_t b)
{
    const struct format *f = &T;
    switch (op) {
    case ALPHA_OP_ADDS:
    case ALPHA_OP_SUBS:
    case ALPHA_OP_MULS:
    case ALPHA_OP_DIVS:
    case ALPHA_OP_SQRTS:
    case ALPHA_OP_CVTST:
        f = &S;
        a = alpha_fp_reg_to_s(a);
        b = alpha_fp_reg_to_s(b);
        break;
    default: break;
    }
    switch (op) {
    case ALPHA_OP_CVTQS: return from_quadword(&S, x, b);
    case ALPHA_OP_CVTQT: return from_quadword(&T, x, b);
    case ALPHA_OP_CVTQL: return to_longword(x, b);
    default: break;
    }
    struct num na = unpack(f, a, x), nb = unpack(f, b, x);
    switch (op) {
    case ALPHA_OP_ADDS:
    case ALPHA_OP_ADDT: return add(f, x, na, nb);
    case ALPHA_OP_SUBS:
    case ALPHA_OP_SUBT:
        if (is_nan(nb))
            return add(f, x, na, nb);
        return add(f, x, na, unpack(f, negate(b, f), x));
    case ALPHA_OP_MULS:
    case ALPHA_OP_MULT: return multiply(f, x, na, nb);
    case ALPHA_OP_DIVS:
    case ALPHA_OP_DIVT: return divide(f, x, na, nb);
    case ALPHA_OP_SQRTS:
    case ALPHA_OP_SQRTT: return square_root(f, x, nb);
    case ALPHA_OP_CVTTS: return exact(&S, x, nb);
    case ALPHA_OP_CVTST: return exact(&T, x, nb);
    case ALPHA_OP_CVTTQ: return to_quadword(x, nb);
    default: return compare(op, x, na, nb);
    }
}

/* ---- operands, exceptions ---- */

static bool integer_operand(unsigned op)
{
    return op == ALPHA_OP_CVTQS || op == ALPHA_OP_CVTQT || op == ALPHA_OP_CVTQL;
}

static bool is_compare(unsigned op)
{
    return op == ALPHA_OP_CMPTUN || op == ALPHA_OP_CMPTEQ || op == ALPHA_OP_CMPTLT ||
           op == ALPHA_OP_CMPTLE;
}

/* Without /S the hardware takes numbers only: denormals, NaN and (but for comparisons) infinities
   trap. True if it does. */
static bool refused(unsigned op, uint64_t t, uint64_t *fpcr)
{
    uint32_t exp = EXP_OF(t);
    if (exp == 0)
        return t & FRAC_T;
    if (exp != 0x7ff || (is_compare(op) && !(t & FRAC_T)))
        return false;
    *fpcr |= ALPHA_FPCR_INV;
    return true;
}

static uint32_t summary(uint64_t exc)
{
    return (exc & ALPHA_FPCR_INV ? ALPHA_EXC_INV : 0) | (exc & ALPHA_FPCR_DZE ? ALPHA_EXC_DZE : 0) |
           (exc & ALPHA_FPCR_OVF ? ALPHA_EXC_FOV : 0) | (exc & ALPHA_FPCR_UNF ? ALPHA_EXC_UNF : 0) |
           (exc & ALPHA_FPCR_INE ? ALPHA_EXC_INE : 0) | (exc & ALPHA_FPCR_IOV ? ALPHA_EXC_IOV : 0);
}

/* The exceptions that FPCR does not disable; integer overflow never traps with /S. */
static uint64_t enabled(uint64_t fpcr)
{
    return IEEE_EXC & ~((fpcr & ALPHA_FPCR_INVD ? ALPHA_FPCR_INV : 0) |
                        (fpcr & ALPHA_FPCR_DZED ? ALPHA_FPCR_DZE : 0) |
                        (fpcr & ALPHA_FPCR_OVFD ? ALPHA_FPCR_OVF : 0) |
                        (fpcr & ALPHA_FPCR_UNFD ? ALPHA_FPCR_UNF : 0) |
                        (fpcr & ALPHA_FPCR_INED ? ALPHA_FPCR_INE : 0));
}

static void finish(struct alpha_fp_result *r, unsigned op, unsigned qual, uint64_t exc)
{
    uint64_t ignored = 0;
    if (!(qual & ALPHA_QUAL_U))
        ignored |= ALPHA_FPCR_UNF | ALPHA_FPCR_IOV;
    if (!(qual & ALPHA_QUAL_I)) {
        ignored |= ALPHA_FPCR_INE;
        if (op == ALPHA_OP_CVTQS || op == ALPHA_OP_CVTQT)
            return;
    }
    if (!(qual & ALPHA_QUAL_S)) {
        r->fpcr |= exc;
        r->exc = summary(exc & ~ignored);
        return;
    }
    exc &= ~ignored;
    r->fpcr |= exc;
    exc &= enabled(r->fpcr);
    if (exc)
        r->exc = summary(exc) | ALPHA_EXC_SWC;
}

static struct alpha_fp_result thorough(unsigned op, unsigned qual, uint64_t a, uint64_t b,
                                       uint64_t fpcr)
{
    struct alpha_fp_result r = {0, fpcr, 0};
    if (!(qual & ALPHA_QUAL_S) && !integer_operand(op) &&
        (refused(op, a, &r.fpcr) || refused(op, b, &r.fpcr))) {
        r.exc = ALPHA_EXC_INV;
        return r;
    }
    unsigned round = qual & ALPHA_QUAL_ROUND;
    bool flush = (fpcr & ALPHA_FPCR_UNFD) && (fpcr & ALPHA_FPCR_UNDZ);
    struct context x = {
        .round = round == ALPHA_PLUS ? (unsigned)((fpcr & ALPHA_FPCR_DYN) >> 58) : round,
        .flush_in = fpcr & ALPHA_FPCR_DNZ,
        .flush_out = qual & ALPHA_QUAL_U ? flush : true,
    };
    r.value = arithmetic(op, &x, a, b);
    finish(&r, op, qual, x.exc);
    return r;
}

/* ---- the entrances ---- */

struct alpha_fp_result alpha_fp(unsigned op, unsigned qual, uint64_t a, uint64_t b, uint64_t fpcr)
{
    uint64_t value;
    if (alpha_fp_quick(op, qual, a, b, fpcr, &value))
        return (struct alpha_fp_result){value, fpcr, 0};
    return thorough(op, qual, a, b, fpcr);
}

struct alpha_fp_result alpha_fp_thorough(unsigned op, unsigned qual, uint64_t a, uint64_t b,
                                         uint64_t fpcr)
{
    return thorough(op, qual, a, b, fpcr);
}
