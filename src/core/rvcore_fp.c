/*
 * rvcore_fp.c - floating point of a baby RISC-V core: F and Zfh as far as hardware has them.
 *
 * Block: EX2. ISA pages: BabyRISCV/InstructionSet (F, Zfh), CSRs (cfg0 EnBFloat), Miscellaneous/FMA.
 *
 * No host floating point: numbers are taken apart into integers. Add, subtract, multiply and the
 * four fusions are one function, rvcore_fp_fma(), because hardware's fusion is neither IEEE's nor a
 * multiplication followed by an addition:
 *   - denormal operands count as zeros of their sign, denormal results become such zeros;
 *   - the product keeps three bits below those of the format, and a sticky bit; whatever the addend
 *     needs below that is gone. If its exponent alone is too large the result is infinite, if it is
 *     below the least, the product is zero;
 *   - the smaller operand is shifted to the greater one's exponent; a sticky bit stays only if
 *     anything else of it stays.
 * Rounding is to nearest even whatever the instruction and fcsr say, except for BF16, where cfg0
 * bit 31 chooses between that and towards zero. NaNs are always the canonical one.
 *
 * **Inaccuracies** (nothing is documented; INFERRED): halves follow the same rules with their own
 * widths; flags are raised as IEEE would, underflow when a result is flushed; comparisons, minimum,
 * conversions and classes see denormals as they are; conversions to integers round like all others,
 * also when the word asks for truncation; BF16 that overflows while rounding towards zero gives the
 * greatest number; halves that are not NaN-boxed count as NaN.
 */
#include "base/bits.h"
#include "core/rvcore.h"
#include "core/rvcore_in.h"

/* Bits of the fraction, greatest biased exponent, canonical NaN. */
static const struct layout {
    unsigned frac;
    int32_t top;
    uint32_t nan;
} layouts[] = {
    [RV_FP32] = {23, 255, UINT32_C(0x7fc00000)},
    [RV_FP16] = {10, 31, UINT32_C(0x7e00)},
    [RV_BF16] = {7, 255, UINT32_C(0x7fc0)},
};

#define GUARD 3u /* bits below the fraction while adding */

struct number {
    uint32_t sign; /* the sign bit where the format has it */
    int32_t exp;   /* biased; at least 1 for a number that is not zero */
    uint32_t frac; /* with the hidden bit */
    bool zero, inf, nan, signalling;
};

/* daz: denormals are zero. */
static struct number unpack(enum rv_fp format, uint32_t x, bool daz)
{
    const struct layout *l = &layouts[format];
    struct number n = {.sign = x & rvcore_fp_sign(format)};
    uint32_t hidden = UINT32_C(1) << l->frac;
    n.exp = (int32_t)(x >> l->frac) & l->top;
    n.frac = x & (hidden - 1);
    if (n.exp == l->top) {
        n.inf = !n.frac;
        n.nan = n.frac != 0;
        n.signalling = n.nan && !(n.frac >> (l->frac - 1));
    } else if (n.exp) {
        n.frac |= hidden;
    } else {
        if (daz)
            n.frac = 0;
        n.zero = !n.frac;
        n.exp = n.zero ? 0 : 1;
    }
    return n;
}

static uint32_t infinity(enum rv_fp format, uint32_t sign)
{
    return sign | (uint32_t)layouts[format].top << layouts[format].frac;
}

static uint32_t overflow(enum rv_fp format, bool rne, uint32_t sign, uint32_t *flags)
{
    *flags |= RV_FLAG_OF | RV_FLAG_NX;
    return rne ? infinity(format, sign) : infinity(format, sign) - 1;
}

static int top_bit(uint64_t m)
{
    int n = -1;
    for (int step = 32; step; step /= 2)
        if (m >> step) {
            m >>= step;
            n += step;
        }
    return m ? n + 1 : n;
}

/* Shift right; what falls out leaves a trace in the lowest bit, but only if something stays (weak),
   or in any case. lost collects whether anything fell out. */
static uint64_t shift_right(uint64_t m, int32_t by, bool weak, bool *lost)
{
    uint64_t kept = by >= 64 ? 0 : m >> by;
    bool out = by >= 64 ? m != 0 : (kept << by) != m;
    *lost |= out;
    if (out && (kept || !weak))
        kept |= 1;
    return kept;
}

/* Is the lowest bit kept to be raised, with GUARD bits below it? */
static uint32_t round_up(bool rne, uint64_t m)
{
    return rne && ((m & 7) + (m >> GUARD & 1)) > 4;
}

/*
 * A number that is not zero, m * 2^(exp - bias - frac - GUARD), to the format. Denormals are
 * flushed as the adder does.
 */
static uint32_t round_flushing(enum rv_fp format, bool rne, uint32_t sign, int32_t exp, uint64_t m,
                               bool lost, uint32_t *flags)
{
    const struct layout *l = &layouts[format];
    int32_t n = top_bit(m) - (int32_t)(l->frac + GUARD);
    uint32_t r;
    exp += n;
    if (exp >= l->top)
        return overflow(format, rne, sign, flags);
    if (exp <= 0) {
        exp = 0;
        n++;
    }
    m = n <= 0 ? m << -n : shift_right(m, n, false, &lost);
    lost |= (m & 7) != 0;
    r = ((uint32_t)exp << l->frac) + ((uint32_t)(m >> GUARD) & bits_mask(l->frac));
    r += round_up(rne, m);
    if (!(r >> l->frac)) {
        *flags |= RV_FLAG_UF | RV_FLAG_NX;
        return sign;
    }
    if (r >> l->frac == (uint32_t)l->top)
        return overflow(format, rne, sign, flags);
    if (lost)
        *flags |= RV_FLAG_NX;
    return sign | r;
}

/* The results of fma that need no arithmetic; true if there is one. */
static bool fma_special(enum rv_fp format, const struct number *x, const struct number *y,
                        const struct number *z, uint32_t *result, uint32_t *flags)
{
    uint32_t sign = x->sign ^ y->sign;
    bool p_inf = x->inf || y->inf;
    bool invalid = (x->inf && y->zero) || (y->inf && x->zero);
    bool cancel = p_inf && z->inf && z->sign != sign;
    bool nan = x->nan || y->nan || z->nan;
    if (x->signalling || y->signalling || z->signalling || invalid || (cancel && !nan))
        *flags |= RV_FLAG_NV;
    if (nan || invalid || cancel)
        *result = layouts[format].nan;
    else if (z->inf)
        *result = infinity(format, z->sign);
    else if (p_inf)
        *result = infinity(format, sign);
    else
        return false;
    return true;
}

uint32_t rvcore_fp_fma(enum rv_fp format, bool rne, uint32_t xb, uint32_t yb, uint32_t zb,
                       uint32_t *flags)
{
    const struct layout *l = &layouts[format];
    struct number x = unpack(format, xb, true), y = unpack(format, yb, true);
    struct number z = unpack(format, zb, true);
    uint32_t sign = x.sign ^ y.sign, r_sign, result;
    bool lost = false;
    if (fma_special(format, &x, &y, &z, &result, flags))
        return result;

    int32_t p_exp = x.exp + y.exp - l->top / 2, exp;
    uint64_t p = shift_right((uint64_t)x.frac * y.frac << GUARD, (int32_t)l->frac, false, &lost);
    uint64_t a = (uint64_t)z.frac << GUARD, m;
    if (p_exp >= l->top)
        return overflow(format, rne, sign, flags);
    if (!p || p_exp < 0) {
        if (p)
            *flags |= RV_FLAG_UF | RV_FLAG_NX;
        return z.zero ? z.sign & sign : zb;
    }
    exp = p_exp > z.exp ? p_exp : z.exp;
    p = shift_right(p, exp - p_exp, true, &lost);
    a = shift_right(a, exp - z.exp, true, &lost);
    r_sign = p >= a ? sign : z.sign;
    m = sign == z.sign ? p + a : p >= a ? p - a : a - p;
    if (!m)
        return z.sign & sign;
    return round_flushing(format, rne, r_sign, exp, m, lost, flags);
}

uint32_t rvcore_fp_add(enum rv_fp format, bool rne, uint32_t x, uint32_t y, uint32_t *flags)
{
    uint32_t one = (uint32_t)(layouts[format].top / 2) << layouts[format].frac;
    return rvcore_fp_fma(format, rne, x, one, y, flags);
}

uint32_t rvcore_fp_mul(enum rv_fp format, bool rne, uint32_t x, uint32_t y, uint32_t *flags)
{
    return rvcore_fp_fma(format, rne, x, y, (x ^ y) & rvcore_fp_sign(format), flags);
}

/* ---- comparisons ---- */

/* Order of two numbers that are not NaN; zeros of either sign are equal. */
static int order(enum rv_fp format, uint32_t x, uint32_t y)
{
    uint32_t s = rvcore_fp_sign(format);
    int64_t a = x & s ? -(int64_t)(x & (s - 1)) : (int64_t)(x & (s - 1));
    int64_t b = y & s ? -(int64_t)(y & (s - 1)) : (int64_t)(y & (s - 1));
    return (a > b) - (a < b);
}

bool rvcore_fp_compare(enum rv_fp format, enum rv_fp_test test, uint32_t x, uint32_t y,
                       uint32_t *flags)
{
    struct number a = unpack(format, x, false), b = unpack(format, y, false);
    if (a.nan || b.nan) {
        if (test != RV_FP_EQ || a.signalling || b.signalling)
            *flags |= RV_FLAG_NV;
        return false;
    }
    int o = order(format, x, y);
    return test == RV_FP_EQ ? o == 0 : test == RV_FP_LT ? o < 0 : o <= 0;
}

uint32_t rvcore_fp_minmax(enum rv_fp format, bool max, uint32_t x, uint32_t y, uint32_t *flags)
{
    struct number a = unpack(format, x, false), b = unpack(format, y, false);
    if (a.signalling || b.signalling)
        *flags |= RV_FLAG_NV;
    if (a.nan && b.nan)
        return layouts[format].nan;
    if (a.nan || b.nan)
        return a.nan ? y : x;
    int o = order(format, x, y);
    if (!o) /* zeros: the negative one is smaller */
        o = a.sign && !b.sign ? -1 : 1;
    return (o < 0) != max ? x : y;
}

uint32_t rvcore_fp_class(enum rv_fp format, uint32_t x)
{
    struct number n = unpack(format, x, false);
    if (n.nan)
        return n.signalling ? 1u << 8 : 1u << 9;
    unsigned size = n.inf ? 0 : n.zero ? 3 : n.frac >> layouts[format].frac ? 1 : 2;
    return 1u << (n.sign ? size : 7 - size);
}

/* ---- conversions ---- */

uint32_t rvcore_fp_to_int(enum rv_fp format, enum rv_fp_round round, bool is_signed, uint32_t x,
                          uint32_t *flags)
{
    const struct layout *l = &layouts[format];
    struct number n = unpack(format, x, false);
    uint32_t most = is_signed ? UINT32_C(0x7fffffff) : UINT32_MAX;
    uint32_t least = is_signed ? UINT32_C(0x80000000) : 0;
    int32_t shift = n.exp - l->top / 2 - (int32_t)l->frac; /* value = frac * 2^shift */
    bool lost = false;
    uint64_t whole;
    if (n.nan || n.inf || (!n.zero && shift > 32)) {
        *flags |= RV_FLAG_NV;
        return n.sign && !n.nan ? least : most;
    }
    whole = (uint64_t)n.frac << GUARD;
    whole = shift >= 0 ? whole << shift : shift_right(whole, -shift, false, &lost);
    lost |= (whole & 7) != 0;
    whole = (whole >> GUARD) + round_up(round == RV_FP_RNE, whole);
    if (n.sign ? whole > (uint64_t)least : whole > most) {
        *flags |= RV_FLAG_NV;
        return n.sign ? least : most;
    }
    if (lost)
        *flags |= RV_FLAG_NX;
    return n.sign ? 0 - (uint32_t)whole : (uint32_t)whole;
}

/* m * 2^e, not zero, to the format, denormals included. */
static uint32_t round_pack(enum rv_fp format, bool rne, uint32_t sign, int32_t e, uint64_t m,
                           uint32_t *flags)
{
    const struct layout *l = &layouts[format];
    int32_t up = (int32_t)(l->frac + GUARD) - top_bit(m);
    int32_t exp = e - up + l->top / 2 + (int32_t)(l->frac + GUARD);
    bool lost = false, tiny = false, any = false;
    uint32_t r;
    if (exp <= 0) { /* the hidden bit goes, the exponent stays that of the least normal number */
        uint64_t full = up >= 0 ? m << up : shift_right(m, -up, false, &any);
        tiny = exp < 0 || (full >> GUARD) + round_up(rne, full) <= bits_mask(l->frac + 1);
        up -= 1 - exp;
        exp = 0;
    }
    m = up >= 0 ? m << up : shift_right(m, -up, false, &lost);
    lost |= (m & 7) != 0;
    if (exp >= l->top)
        return overflow(format, rne, sign, flags);
    r = ((uint32_t)exp << l->frac) + ((uint32_t)(m >> GUARD) & bits_mask(l->frac));
    r += round_up(rne, m);
    if (r >> l->frac == (uint32_t)l->top)
        return overflow(format, rne, sign, flags);
    if (lost)
        *flags |= tiny ? RV_FLAG_NX | RV_FLAG_UF : RV_FLAG_NX;
    return sign | r;
}

uint32_t rvcore_fp_from_int(enum rv_fp format, bool rne, bool is_signed, uint32_t x,
                            uint32_t *flags)
{
    bool negative = is_signed && x >> 31;
    if (!x)
        return 0;
    return round_pack(
        format, rne, negative ? rvcore_fp_sign(format) : 0, 0, negative ? 0 - x : x, flags);
}

static uint32_t convert(enum rv_fp to, enum rv_fp from, bool rne, uint32_t x, uint32_t *flags)
{
    struct number n = unpack(from, x, false);
    uint32_t sign = n.sign ? rvcore_fp_sign(to) : 0;
    if (n.signalling)
        *flags |= RV_FLAG_NV;
    if (n.nan)
        return layouts[to].nan;
    if (n.inf)
        return infinity(to, sign);
    if (n.zero)
        return sign;
    return round_pack(
        to, rne, sign, n.exp - layouts[from].top / 2 - (int32_t)layouts[from].frac, n.frac, flags);
}

/* ---- instructions ---- */

#define HALF_ROWS (RV_OP_FADD_H - RV_OP_FADD_S)
_Static_assert((int)RV_OP_FCVT_H_WU - (int)RV_OP_FCVT_S_WU == (int)HALF_ROWS &&
                   (int)RV_OP_FLE_H - (int)RV_OP_FLE_S == (int)HALF_ROWS,
               "the rows of singles and of halves have the same order");

#define BOX UINT32_C(0xffff0000)

static uint32_t unbox(const struct rvcore *c, enum rv_fp format, unsigned reg)
{
    if (format == RV_FP32)
        return c->f[reg];
    return (c->f[reg] & BOX) == BOX ? c->f[reg] & 0xffff : layouts[format].nan;
}

static void set(struct rvcore *c, enum rv_fp format, unsigned reg, uint32_t value)
{
    c->f[reg] = format == RV_FP32 ? value : value | BOX;
}

/* Instructions whose result is an integer; false: not one of them. */
static bool to_x(struct rvcore *c, const struct rvinsn *e, unsigned op, enum rv_fp format, bool rne)
{
    uint32_t x = unbox(c, format, e->rs1), y = unbox(c, format, e->rs2), raw = c->f[e->rs1];
    enum rv_fp_round round = rne ? RV_FP_RNE : RV_FP_RTZ;
    uint32_t *rd = &c->x[e->rd], *flags = &c->fcsr;
    switch (op) {
    case RV_OP_FLE_S: *rd = rvcore_fp_compare(format, RV_FP_LE, x, y, flags); return true;
    case RV_OP_FLT_S: *rd = rvcore_fp_compare(format, RV_FP_LT, x, y, flags); return true;
    case RV_OP_FEQ_S: *rd = rvcore_fp_compare(format, RV_FP_EQ, x, y, flags); return true;
    case RV_OP_FCLASS_S: *rd = rvcore_fp_class(format, x); return true;
    case RV_OP_FMV_X_W:
        *rd = format == RV_FP32 ? raw : ((raw & 0xffff) ^ 0x8000) - 0x8000;
        return true;
    case RV_OP_FCVT_W_S: *rd = rvcore_fp_to_int(format, round, true, x, flags); return true;
    case RV_OP_FCVT_WU_S: *rd = rvcore_fp_to_int(format, round, false, x, flags); return true;
    default: return false;
    }
}

static uint32_t to_f(struct rvcore *c, const struct rvinsn *e, unsigned op, enum rv_fp format,
                     bool rne)
{
    uint32_t x = unbox(c, format, e->rs1), y = unbox(c, format, e->rs2);
    uint32_t s = rvcore_fp_sign(format), *flags = &c->fcsr, from = c->x[e->rs1 & 31];
    switch (op) {
    case RV_OP_FADD_S: return rvcore_fp_add(format, rne, x, y, flags);
    case RV_OP_FSUB_S: return rvcore_fp_add(format, rne, x, y ^ s, flags);
    case RV_OP_FMUL_S: return rvcore_fp_mul(format, rne, x, y, flags);
    case RV_OP_FSGNJ_S: return (x & ~s) | (y & s);
    case RV_OP_FSGNJN_S: return (x & ~s) | (~y & s);
    case RV_OP_FSGNJX_S: return x ^ (y & s);
    case RV_OP_FMIN_S: return rvcore_fp_minmax(format, false, x, y, flags);
    case RV_OP_FMAX_S: return rvcore_fp_minmax(format, true, x, y, flags);
    case RV_OP_FCVT_S_W: return rvcore_fp_from_int(format, rne, true, from, flags);
    case RV_OP_FCVT_S_WU: return rvcore_fp_from_int(format, rne, false, from, flags);
    default: return format == RV_FP32 ? from : from & 0xffff; /* fmv.w.x, fmv.h.x */
    }
}

static uint32_t fused(struct rvcore *c, const struct rvinsn *e, enum rv_fp format, bool rne)
{
    uint32_t x = unbox(c, format, e->rs1), y = unbox(c, format, e->rs2);
    uint32_t z = unbox(c, format, e->rs3), s = rvcore_fp_sign(format);
    if (e->op >= RV_OP_FNMSUB_S)
        x ^= s; /* the product is negated */
    if (e->op == RV_OP_FMSUB_S || e->op == RV_OP_FMSUB_H || e->op >= RV_OP_FNMADD_S)
        z ^= s;
    return rvcore_fp_fma(format, rne, x, y, z, &c->fcsr);
}

void rvcore_fp(struct rvcore *c, const struct rvinsn *e)
{
    bool is_half = rv32_table[e->op].extension == RV_EXT_ZFH;
    enum rv_fp half = c->cfg0 & RV_CFG0_BFLOAT ? RV_BF16 : RV_FP16;
    enum rv_fp format = is_half ? half : RV_FP32;
    bool rne = format != RV_BF16 || c->cfg0 & RV_CFG0_BFLOAT_RNE;
    unsigned op = e->op;
    if (op == RV_OP_FCVT_S_H) {
        c->f[e->rd] = convert(RV_FP32, half, true, unbox(c, half, e->rs1), &c->fcsr);
    } else if (op == RV_OP_FCVT_H_S) {
        set(c, half, e->rd, convert(half, RV_FP32, rne, c->f[e->rs1], &c->fcsr));
    } else if (op < RV_OP_FADD_S) {
        set(c, format, e->rd, fused(c, e, format, rne));
    } else {
        if (is_half)
            op -= HALF_ROWS;
        if (!to_x(c, e, op, format, rne))
            set(c, format, e->rd, to_f(c, e, op, format, rne));
    }
}
