/*
 * case_tile.c - cases of tiles datum by datum, and of reductions. See case.h.
 *
 * Operand 0 goes to SrcA and operand 1 to SrcB, other than in the matrix product.
 */
#include "case.h"

#include <string.h>

static struct golden_math math_of(const struct compute_args *a)
{
    return (struct golden_math){.a_format = a->src0_format,
                                .b_format = a->src1_format,
                                .dst32 = a->dst32,
                                .int8 = a->alu >> 31,
                                .zero_flag_off = a->relu & 1};
}

/* ---- datum by datum ---- */

static dst_datum eltwise(const struct compute_args *a, src_datum x, src_datum y)
{
    const struct golden_math m = math_of(a);
    dst_datum d = 0;
    if (a->op != ELTWISE_MUL)
        return golden_add(&m, x, y, a->op == ELTWISE_SUB, 0);
    for (unsigned phase = 0; phase < a->phases; phase++)
        d = golden_mul(&m, x, y, phase, d);
    return d;
}

void case_eltwise(struct rng *r, struct case_ *c)
{
    static const char *const ops[] = {"add", "sub", "mul"};
    static const char *const hows[] = {"", " row", " column", " scalar"};
    struct compute_args *a = &c->args;
    char what[32];
    case_start(c, "eltwise");
    case_formats(r, a);
    a->op = rng_below(r, 3);
    a->how = rng_below(r, 4);
    a->phases = a->op == ELTWISE_MUL ? 1 + rng_below(r, 4) : 1;
    a->rows = 1 + rng_below(r, 4);
    c->in_size[0] = case_tiles(r, a->in0_format, a->rows, c->in[0]);
    c->in_size[1] = case_tiles(r, a->in1_format, a->rows, c->in[1]);
    c->out_size = 0;
    for (unsigned t = 0; t < a->rows; t++) {
        src_datum x[TILE], y[TILE];
        dst_datum d[TILE];
        case_unpack(a, 0, 0, c->in[0] + t * compute_tile_bytes(a->in0_format), x);
        case_unpack(a, 1, 1, c->in[1] + t * compute_tile_bytes(a->in1_format), y);
        for (unsigned i = 0; i < TILE; i++) {
            unsigned row = a->how & 1 ? 0 : i / 32, column = a->how & 2 ? 0 : i % 32;
            d[i] = eltwise(a, x[i], y[32 * row + column]);
        }
        c->out_size += case_pack(a, d, c->out + c->out_size);
    }
    strcpy(what, ops[a->op]);
    strcat(what, hows[a->how]);
    case_describe(c, what);
}

/* ---- reductions ---- */

/* Sixteen datums of a column of SrcA, and a row of factors. */
static dst_datum pool(const struct compute_args *a, const src_datum *column,
                      const src_datum *factors, dst_datum d)
{
    const struct golden_math m = math_of(a);
    if (a->op == POOL_MAX) {
        for (unsigned k = 0; k < 16; k++)
            d = golden_max(&m, column[k], d);
        return d;
    }
    for (unsigned phase = 0; phase < a->phases; phase++)
        d = golden_dot(&m, column, factors, phase, d);
    return d;
}

static dst_datum empty(const struct compute_args *a)
{
    return a->op == POOL_MAX ? GOLDEN_LOWEST : 0;
}

static dst_datum ended(const struct compute_args *a, dst_datum d)
{
    const struct golden_math m = math_of(a);
    return a->op == POOL_MAX ? golden_max_end(&m, d) : d;
}

/* 16 datums of x from (row, column) in direction of the step; factors of face 0 for all. */
static dst_datum pool_part(const struct compute_args *a, const src_datum *x, unsigned at,
                           unsigned step, const src_datum *factors, dst_datum d)
{
    src_datum column[16];
    for (unsigned k = 0; k < 16; k++)
        column[k] = x[at + k * step];
    return pool(a, column, factors, d);
}

static void reduce_rows(const struct compute_args *a, const src_datum *x, const src_datum *y,
                        dst_datum *out)
{
    const struct golden_math m = math_of(a);
    for (unsigned i = 0; i < 32; i++) {
        unsigned lower = i / 16 * 16 * 32;
        dst_datum d = pool_part(a, x, 32 * i, 1, y + lower, empty(a));
        d = ended(a, pool_part(a, x, 32 * i + 16, 1, y + lower + 16, d));
        out[32 * i] = golden_add(&m, 0, golden_move_back(&m, a->src1_format, d), false, 0);
    }
}

static void reduce_columns(const struct compute_args *a, const src_datum *x, const src_datum *y,
                           dst_datum *out)
{
    for (unsigned j = 0; j < 32; j++) {
        unsigned right = j / 16 * 16;
        dst_datum d = pool_part(a, x, j, 32, y + right, empty(a));
        out[j] = ended(a, pool_part(a, x, 16 * 32 + j, 32, y + 16 * 32 + right, d));
    }
}

static void reduce_all(const struct compute_args *a, const src_datum *x, const src_datum *y,
                       dst_datum *out)
{
    const struct golden_math m = math_of(a);
    src_datum column[16];
    for (unsigned j = 0; j < 16; j++) {
        dst_datum d = empty(a);
        for (unsigned face = 0; face < 4; face++) {
            unsigned at = (face & 1) * 16 + (face >> 1) * 16 * 32;
            d = pool_part(a, x, at + j, 32, y + at, d);
        }
        column[j] = golden_move_back(&m, a->src1_format, ended(a, d));
        if (!(column[j] >> 10 & 255))
            column[j] = 0;
    }
    out[0] = ended(a, pool(a, column, y + 16 * 32 + 16, empty(a)));
}

/* Factors: the first row of every face has them. */
static uint32_t factors(struct rng *r, const struct compute_args *a, uint8_t *to)
{
    static const uint16_t some[] = {0x3F80, 0x3D00, 0x3C80, 0x3E35, 0x4049};
    uint16_t one = a->op == POOL_MAX ? 0x3F80 : some[rng_below(r, 5)];
    memset(to, 0, 2048);
    for (unsigned face = 0; face < 4; face++)
        for (unsigned k = 0; k < 16; k++)
            memcpy(to + 512 * face + 2 * k, &one, 2);
    return 2048;
}

void case_reduce(struct rng *r, struct case_ *c)
{
    static const char *const ops[] = {"sum", "max"};
    static const char *const hows[] = {" of rows", " of columns", " of all"};
    static const uint8_t formats[] = {FMT_BF16, FMT_BFP8, FMT_BFP4, FMT_FP32};
    struct compute_args *a = &c->args;
    char what[32];
    case_start(c, "reduce");
    a->dst32 = rng_percent(r, 50);
    a->op = rng_below(r, 2);
    a->how = rng_below(r, 3);
    a->in0_format = formats[rng_below(r, 4)];
    a->in1_format = a->src1_format = FMT_BF16;
    a->src0_format = case_src(r, a->in0_format, a->dst32);
    a->phases = 1 + rng_below(r, 4);
    a->rows = 1 + rng_below(r, 3);
    case_out(r, a);
    c->in_size[0] = case_tiles(r, a->in0_format, a->rows, c->in[0]);
    c->in_size[1] = factors(r, a, c->in[1]);
    c->out_size = 0;
    for (unsigned t = 0; t < a->rows; t++) {
        src_datum x[TILE], y[TILE];
        dst_datum d[TILE] = {0};
        case_unpack(a, 0, 0, c->in[0] + t * compute_tile_bytes(a->in0_format), x);
        case_unpack(a, 1, 1, c->in[1], y);
        if (a->how == REDUCE_ROW)
            reduce_rows(a, x, y, d);
        else if (a->how == REDUCE_COLUMN)
            reduce_columns(a, x, y, d);
        else
            reduce_all(a, x, y, d);
        c->out_size += case_pack(a, d, c->out + c->out_size);
    }
    strcpy(what, ops[a->op]);
    strcat(what, hows[a->how]);
    case_describe(c, what);
}
