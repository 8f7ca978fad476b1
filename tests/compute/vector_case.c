/*
 * vector_case.c - functions of one number; see vector_case.h.
 *
 * Bounds of the functions follow from what the kernel does:
 *   exp         2^-19 of the result. x * log2(e), up to 128, has 27 bits when n is taken away: 2^-20 at most, times
 *               ln 2; the polynomial is wrong by less than 2^-23, and six roundings add 2^-22.
 *               Below 2^-125 zero may come out, as 2^(n - 1) has no exponent left.
 *   reciprocal  2^-22: the estimate is good to 2^-7.5, two steps of Newton to 2^-30; the last two roundings remain.
 *               Corrections below 2^-126 are lost: 2^-125 in all.
 *   sqrt        2^-22: 3.5 % by the estimate, then 2^-9, 2^-17.5, 2^-35; the last four roundings remain.
 *   sigmoid     0.0062, the largest distance of a function of six straight pieces with 11-bit coefficients
 *   tanh        0.057, of three pieces with 5-bit coefficients
 *   gelu        0.0075: the distance from the distribution, times x
 *   the rest    exact
 * In 16-bit Dst half a unit of BF16 comes on top.
 */
#include "vector_case.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

double vector_value(uint32_t bits)
{
    float f;
    if (!(bits & 0x7F800000))
        bits &= 0x80000000;
    memcpy(&f, &bits, 4);
    return f;
}

uint32_t vector_random(struct rng *r)
{
    static const uint32_t special[] = {0,          0x80000000, 0x3F800000, 0xBF800000, 0x7F800000,
                                       0xFF800000, 0x7FC00000, 0xFFC00000, 0x7F7FFFFF, 0xFF7FFFFF,
                                       0x00800000, 0x80800000, 0x7E800000, 0x7F000000, 0x42B17218,
                                       0xC2AEAC50, 0x3F000000, 0x40000000, 0x40400000, 0x3FC00000,
                                       0x00000001, 0x807FFFFF, 0x7F800001, 0xFFFFFFFF};
    uint32_t v = rng_next(r);
    if (rng_percent(r, 5))
        return special[rng_below(r, sizeof special / sizeof *special)];
    if (rng_percent(r, 10))
        return v;
    if (rng_percent(r, 30)) /* up to 128 */
        return (v & 0x807FFFFF) | (127 + rng_below(r, 7)) << 23;
    return (v & 0x807FFFFF) | (120 + rng_below(r, 10)) << 23;
}

void vector_floats(struct vector_case *c, struct rng *r, bool wide)
{
    struct compute_args *a = &c->args;
    uint32_t format = wide ? FMT_FP32 : FMT_BF16;
    a->in0_format = a->src0_format = a->in1_format = a->src1_format = format;
    a->pack_format = a->out_format = format;
    a->to_dst = a->dst32 = wide;
    a->alu = format << 21; /* what the Vector Unit takes Dst for */
    for (unsigned i = 0; i < c->n; i++) {
        uint32_t v = vector_random(r) & (wide ? 0xFFFFFFFF : 0xFFFF0000);
        if (!wide && !(v & 0x7F800000))
            v &= 0x7FFFFFFF; /* SrcA makes -0 and denormals 0 */
        c->in[0][i] = v;
    }
}

void vector_words(struct vector_case *c, unsigned operands)
{
    struct compute_args *a = &c->args;
    a->in0_format = a->src0_format = a->in1_format = a->src1_format = FMT_INT32;
    a->pack_format = a->out_format = FMT_INT32;
    a->to_dst = a->dst32 = 1;
    a->inner = operands;
}

/* ---- functions ---- */

static double sigmoid(double x)
{
    return isnan(x) ? !signbit(x) : 1 / (1 + exp(-x));
}

static double tangent(double x)
{
    return isnan(x) ? copysign(1, x) : tanh(x);
}

static double gelu(double x)
{
    if (signbit(x) && (isnan(x) || isinf(x)))
        return 0;
    return isnan(x) || isinf(x) ? x : x * 0.5 * erfc(-x / sqrt(2));
}

static double reciprocal(double x)
{
    return 1 / x;
}

static double relu(double x)
{
    return signbit(x) ? 0 : x;
}

static double leaky_relu(double x)
{
    return signbit(x) ? x / 8 : x;
}

static double relu6(double x)
{
    return signbit(x) ? x / 8 : x < 6 ? x : 6;
}

static const struct {
    const char *name;
    double (*f)(double);
    double relative, absolute, tiny; /* what is below tiny may be 0 */
} functions[UNARIES] = {
    [UNARY_EXP] = {"exp", exp, 0x1p-19, 0, 0x1p-125},
    [UNARY_RECIPROCAL] = {"reciprocal", reciprocal, 0x1p-22, 0x1p-125, 0},
    [UNARY_SQRT] = {"sqrt", sqrt, 0x1p-22, 0, 0},
    [UNARY_SIGMOID] = {"sigmoid", sigmoid, 0, 0.0062, 0},
    [UNARY_TANH] = {"tanh", tangent, 0, 0.057, 0},
    [UNARY_GELU] = {"gelu", gelu, 0x1p-23, 0.0075, 0},
    [UNARY_RELU] = {"relu", relu, 0, 0, 0},
    [UNARY_LEAKY_RELU] = {"leaky_relu", leaky_relu, 0, 0, 0x1p-126},
    [UNARY_RELU6] = {"relu6", relu6, 0, 0, 0x1p-126},
};

/* got instead of want? */
static bool near_enough(unsigned op, bool wide, double want, uint32_t bits)
{
    double got = vector_value(bits), step = wide ? 0 : 0x1p-8;
    double relative = functions[op].relative + step;
    if (isnan(want))
        return wide ? isnan(got) : isnan(got) || isinf(got); /* rounding makes NaN infinite */
    if (isnan(got))
        return false;
    if (fabs(want) > 0x1.fffffep127 * (1 - relative) && isinf(got))
        return signbit(want) == signbit(got);
    if (isinf(want) || isinf(got))
        return want == got;
    if (fabs(want) < functions[op].tiny && got == 0)
        return true;
    return fabs(got - want) <= functions[op].absolute + relative * fabs(want);
}

static bool judge_unary(const struct vector_case *c, const uint32_t *got, char *why, unsigned size)
{
    for (unsigned i = 0; i < c->n; i++) {
        double want = functions[c->args.op].f(vector_value(c->in[0][i]));
        if (near_enough(c->args.op, c->args.dst32, want, got[i]))
            continue;
        snprintf(why,
                 size,
                 "datum %u: of 0x%08x (%g) 0x%08x (%.9g), must be %.9g",
                 i,
                 (unsigned)c->in[0][i],
                 vector_value(c->in[0][i]),
                 (unsigned)got[i],
                 vector_value(got[i]),
                 want);
        return false;
    }
    return true;
}

void vector_unary(struct rng *r, unsigned n, struct vector_case *c)
{
    c->kernel = "unary";
    c->args.op = n % UNARIES;
    c->name = functions[c->args.op].name;
    c->judge = judge_unary;
    vector_floats(c, r, n / UNARIES % 2);
}
