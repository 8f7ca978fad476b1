/*
 * vector_case_int.c - changes of type, integers, the largest of a column, sums, SFPLOADMACRO; see vector_case.h. All
 * but the sums are exact.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "golden.h"
#include "vector_case.h"

/* ---- changes of type ---- */

/* To nearest, half away from zero, within low and high. */
static uint32_t rounded(uint32_t bits, double low, double high)
{
    double x = vector_value(bits);
    if (isnan(x))
        x = signbit(x) ? -INFINITY : INFINITY;
    x = low == 0 ? fabs(x) : x; /* types without a sign take the magnitude */
    x = copysign(floor(fabs(x) + 0.5), x);
    return (uint32_t)(int32_t)fmin(fmax(x, low), high);
}

static uint32_t to_int32(uint32_t bits)
{
    double x = vector_value(bits), limit = 2147483647;
    if (isnan(x))
        x = signbit(x) ? -INFINITY : INFINITY;
    return (uint32_t)(int32_t)trunc(fmin(fmax(x, -limit), limit));
}

static uint32_t from_int32(uint32_t v)
{
    union {
        float f;
        uint32_t u;
    } both = {.f = (float)(int32_t)v};
    return v == 0x80000000 ? v : both.u;
}

static uint32_t to_bf16(uint32_t v)
{
    if (!(v & 0x7F800000))
        return 0;
    return (v & 0x7F800000) == 0x7F800000 ? v & 0xFF800000 : (v + 0x8000) & 0xFFFF0000;
}

static uint32_t cast(unsigned op, uint32_t v)
{
    switch (op) {
    case CAST_FP32_INT32: return to_int32(v);
    case CAST_INT32_FP32: return from_int32(v);
    case CAST_FP32_BF16: return to_bf16(v);
    case CAST_FP32_UINT16: return rounded(v, 0, 65535);
    case CAST_FP32_INT16: return rounded(v, -32767, 32767);
    case CAST_FP32_UINT8: return rounded(v, 0, 255);
    default: return rounded(v, -127, 127);
    }
}

/* ---- integers ---- */

static uint32_t shifted(uint32_t a, uint32_t by, bool with_sign)
{
    unsigned right = (0 - by) & 31;
    if (!(by >> 31))
        return a << (by & 31);
    return with_sign ? (uint32_t)((int64_t)(int32_t)a >> right) : a >> right;
}

static uint32_t leading_zeros(uint32_t a)
{
    uint32_t n = 0;
    while (n < 32 && !(a << n >> 31))
        n++;
    return n;
}

static uint32_t integer(unsigned op, uint32_t a, uint32_t b)
{
    uint64_t product = (uint64_t)(a & 0x7FFFFF) * (b & 0x7FFFFF);
    switch (op) {
    case INTEGER_ADD: return a + b;
    case INTEGER_SUB: return a - b;
    case INTEGER_MUL_LOW: return product & 0x7FFFFF;
    case INTEGER_MUL_HIGH: return (uint32_t)(product >> 23);
    case INTEGER_SHIFT: return shifted(a, b, false);
    case INTEGER_SHIFT_SIGNED: return shifted(a, b, true);
    case INTEGER_AND: return a & b;
    case INTEGER_OR: return a | b;
    case INTEGER_XOR: return a ^ b;
    case INTEGER_NOT: return ~a;
    case INTEGER_LESS: return (a - b) >> 31;
    case INTEGER_ABS: return a >> 31 ? 0 - a : a;
    default: return leading_zeros(a);
    }
}

static bool judge_exact(const struct vector_case *c, const uint32_t *got, char *why, unsigned size)
{
    bool casts = c->judge == judge_exact && c->args.inner == 1;
    for (unsigned i = 0; i < c->n; i++) {
        uint32_t a = c->in[0][i], b = c->in[1][i];
        uint32_t want = casts ? cast(c->args.op, a) : integer(c->args.op, a, b);
        if (got[i] == want)
            continue;
        snprintf(why,
                 size,
                 "datum %u: of 0x%08x, 0x%08x: 0x%08x, must be 0x%08x",
                 i,
                 (unsigned)a,
                 (unsigned)b,
                 (unsigned)got[i],
                 (unsigned)want);
        return false;
    }
    return true;
}

/* Small, or with few bits, or anything. */
static uint32_t random_integer(struct rng *r)
{
    uint32_t v = rng_next(r);
    if (rng_percent(r, 3))
        return (uint32_t)1 << (v & 31);
    if (rng_percent(r, 30))
        return (uint32_t)((int32_t)v >> rng_below(r, 32));
    return v;
}

void vector_typecast(struct rng *r, unsigned n, struct vector_case *c)
{
    static const char *const names[CASTS] = {"fp32_int32",
                                             "int32_fp32",
                                             "fp32_bf16",
                                             "fp32_uint16",
                                             "fp32_int16",
                                             "fp32_uint8",
                                             "fp32_int8"};
    c->kernel = "typecast";
    c->args.op = n % CASTS;
    c->name = names[c->args.op];
    c->judge = judge_exact;
    vector_floats(c, r, true);
    if (c->args.op == CAST_INT32_FP32) {
        for (unsigned i = 0; i < c->n; i++)
            c->in[0][i] = random_integer(r);
        c->args.in0_format = c->args.src0_format = FMT_INT32;
    } else if (c->args.op == CAST_FP32_BF16) {
        c->args.pack_format = c->args.out_format = FMT_BF16;
    } else {
        c->args.pack_format = c->args.out_format = FMT_INT32;
    }
}

void vector_integer(struct rng *r, unsigned n, struct vector_case *c)
{
    static const char *const names[INTEGERS] = {"add",
                                                "sub",
                                                "mul_low",
                                                "mul_high",
                                                "shift",
                                                "shift_signed",
                                                "and",
                                                "or",
                                                "xor",
                                                "not",
                                                "less",
                                                "abs",
                                                "leading_zeros"};
    c->kernel = "integer";
    c->args.op = n % INTEGERS;
    c->name = names[c->args.op];
    c->judge = judge_exact;
    vector_words(c, 2);
    for (unsigned i = 0; i < c->n; i++) {
        c->in[0][i] = random_integer(r);
        c->in[1][i] = random_integer(r);
    }
}

/* ---- the four largest of a column ---- */

/* Orders patterns like the Vector Unit: by sign and magnitude. */
static int32_t key(uint32_t v)
{
    return (int32_t)(v >> 31 ? v ^ 0x7FFFFFFF : v);
}

static int falling(const void *a, const void *b)
{
    int32_t x = key(*(const uint32_t *)a), y = key(*(const uint32_t *)b);
    return (x < y) - (x > y);
}

/* One column of one tile. */
static bool judge_column(const uint32_t *in, const uint32_t *with, const uint32_t *got,
                         unsigned column, char *why, unsigned size)
{
    uint32_t sorted[32], seen = 0;
    for (unsigned i = 0; i < 32; i++)
        sorted[i] = in[golden_place(i, column)];
    qsort(sorted, 32, sizeof *sorted, falling);
    for (unsigned k = 0; k < 4; k++) {
        uint32_t value = got[golden_place(k, column)], index = got[golden_place(4 + k, column)];
        unsigned row = 0;
        while (row < 32 && (with[golden_place(row, column)] != index || (seen >> row & 1)))
            row++;
        if (value == sorted[k] && row < 32 && in[golden_place(row, column)] == value) {
            seen |= (uint32_t)1 << row;
            continue;
        }
        snprintf(why,
                 size,
                 "column %u, number %u: 0x%08x with 0x%x, must be 0x%08x",
                 column,
                 k,
                 (unsigned)value,
                 (unsigned)index,
                 (unsigned)sorted[k]);
        return false;
    }
    return true;
}

static bool judge_topk(const struct vector_case *c, const uint32_t *got, char *why, unsigned size)
{
    for (unsigned t = 0; t < c->n; t += VECTOR_TILE)
        for (unsigned column = 0; column < 32; column++)
            if (!judge_column(c->in[0] + t, c->in[1] + t, got + t, column, why, size))
                return false;
    return true;
}

void vector_topk(struct rng *r, unsigned n, struct vector_case *c)
{
    c->kernel = "topk";
    c->name = n % 2 ? "few values" : "any values";
    c->judge = judge_topk;
    vector_words(c, 2);
    for (unsigned i = 0; i < c->n; i++) {
        c->in[0][i] = n % 2 ? vector_random(r) & 0xC1800000 : vector_random(r);
        c->in[1][i] = 1000 * (i % VECTOR_TILE) + rng_below(r, 1000); /* all differ */
    }
}

/* ---- sums ---- */

static bool judge_sums(const struct vector_case *c, const uint32_t *got, char *why, unsigned size)
{
    bool columns = c->args.op == SUM_COLUMNS, wide = c->args.dst32;
    for (unsigned t = 0; t < c->n; t += VECTOR_TILE)
        for (unsigned i = 0; i < 32; i++) {
            double sum = 0, all = 0;
            for (unsigned k = 0; k < 32; k++) {
                double x =
                    vector_value(c->in[0][t + (columns ? golden_place(k, i) : golden_place(i, k))]);
                sum += x;
                all += fabs(x);
            }
            /* up to eleven roundings on the way of a number, and the cut to 16 bits */
            double bound = 12 * 0x1p-24 * all + (wide ? 0 : 0x1p-7 * fabs(sum));
            double have =
                vector_value(got[t + (columns ? golden_place(0, i) : golden_place(i, 0))]);
            if (fabs(have - sum) <= bound)
                continue;
            snprintf(why, size, "sum %u: %.9g, must be %.9g", i, have, sum);
            return false;
        }
    return true;
}

void vector_sums(struct rng *r, unsigned n, struct vector_case *c)
{
    c->kernel = "sums";
    c->args.op = n % 2;
    c->name = n % 2 ? "rows" : "columns";
    c->judge = judge_sums;
    vector_floats(c, r, n / 2 % 2);
    for (unsigned i = 0; i < c->n; i++) { /* nothing infinite */
        uint32_t low = c->args.dst32 ? 0x807FFFFF : 0x807F0000;
        c->in[0][i] = (rng_next(r) & low) | (110 + rng_below(r, 30)) << 23;
    }
}

/* ---- SFPLOADMACRO ---- */

/* A product of 25 bits: one rounding. An addend that is 2^27 times smaller is lost, also in the middle between two
   numbers. */
static uint32_t linear(uint32_t v)
{
    bool lost = (v >> 23 & 255) >= 125 + 27;
    union {
        float f;
        uint32_t u;
    } both = {.f = fmaf((float)vector_value(v), 1.5f, lost ? 0 : -0.25f)};
    return isnan(both.f) ? 0x7FC00000 : both.u;
}

/* The same of a kernel and of its twin without SFPLOADMACRO, bit by bit. */
static bool judge_macro(const struct vector_case *c, const uint32_t *got, char *why, unsigned size)
{
    for (unsigned i = 0; i < c->n; i++) {
        uint32_t v = c->in[0][i], want = c->args.op / 2 ? linear(v) : to_bf16(v);
        if (got[i] == want)
            continue;
        snprintf(why,
                 size,
                 "datum %u: of 0x%08x 0x%08x, must be 0x%08x",
                 i,
                 (unsigned)v,
                 (unsigned)got[i],
                 (unsigned)want);
        return false;
    }
    return true;
}

void vector_macro(struct rng *r, unsigned n, struct vector_case *c)
{
    static const char *const names[] = {
        "cast", "cast, plain", "multiply and add", "multiply and add, plain"};
    c->kernel = "macro";
    c->args.op = n % 4;
    c->name = names[n % 4];
    c->judge = judge_macro;
    vector_floats(c, r, true);
}
