/*
 * case_copy.c - cases that only move data and change its format. See case.h.
 */
#include "case.h"

#include <string.h>

/* What Dst holds. */
enum held { HELD_BF16, HELD_FP16, HELD_INT16, HELD_FP32, HELD_INT32, N_HELD };

/* From Dst to L1: between, in L1, bits of Config word 18, bits of word 71. */
static const struct way_out {
    uint8_t held, between, out, read;
    uint32_t fp8;
} ways_out[] = {
    {HELD_BF16, FMT_BF16, FMT_BF16, 0, 0},      {HELD_BF16, FMT_BF16, FMT_FP32, 0, 0},
    {HELD_BF16, FMT_BF16, FMT_BFP8, 0, 0},      {HELD_BF16, FMT_BF16, FMT_BFP4, 0, 0},
    {HELD_BF16, FMT_BF16, FMT_BFP2, 0, 0},      {HELD_BF16, FMT_BFP8, FMT_FP32, 0, 0},
    {HELD_BF16, FMT_BFP8, FMT_BF16, 0, 0},      {HELD_BF16, FMT_BFP8, FMT_BFP8, 0, 0},
    {HELD_BF16, FMT_BFP8, FMT_BFP4, 0, 0},      {HELD_BF16, FMT_FP16, FMT_FP8, 8, 1 << 23},
    {HELD_FP16, FMT_FP16, FMT_FP16, 0, 0},      {HELD_FP16, FMT_FP16, FMT_FP32, 0, 0},
    {HELD_FP16, FMT_FP16, FMT_BF16, 0, 0},      {HELD_FP16, FMT_FP16, FMT_FP8, 0, 1 << 23},
    {HELD_FP16, FMT_BFP8A, FMT_BFP8, 0, 0},     {HELD_INT16, FMT_INT16, FMT_INT16, 0, 0},
    {HELD_FP32, FMT_FP32, FMT_FP32, 0, 0},      {HELD_FP32, FMT_FP32, FMT_FP16, 0, 0},
    {HELD_FP32, FMT_FP32, FMT_BFP8, 0, 0},      {HELD_FP32, FMT_FP32, FMT_BFP4, 0, 0},
    {HELD_FP32, FMT_FP32, FMT_BFP2, 0, 0},      {HELD_FP32, FMT_FP16, FMT_FP16, 8, 0},
    {HELD_FP32, FMT_FP16, FMT_FP8, 8, 1 << 23}, {HELD_FP32, FMT_BF16, FMT_BF16, 0, 0},
    {HELD_FP32, FMT_BFP8, FMT_BFP8, 0, 0},      {HELD_FP32, FMT_BFP8, FMT_BFP4, 0, 0},
    {HELD_INT32, FMT_INT32, FMT_INT32, 0, 0},   {HELD_INT32, FMT_INT8, FMT_INT8, 0, 0},
    {HELD_INT32, FMT_INT8, FMT_INT8, 2, 0},     {HELD_INT32, FMT_INT16, FMT_INT16, 0, 0},
};

/* From L1 to Dst: through Src by a move or by an addition of 0, or at once. */
enum { BY_MOVE, BY_ADD, TO_DST };
static const struct way_in {
    uint8_t in, src, by, held;
} ways_in[] = {
    {FMT_BF16, FMT_BF16, BY_MOVE, HELD_BF16},    {FMT_BF16, FMT_BF16, BY_ADD, HELD_BF16},
    {FMT_BF16, FMT_BF16, BY_ADD, HELD_FP32},     {FMT_BFP8, FMT_BFP8, BY_MOVE, HELD_BF16},
    {FMT_BFP8, FMT_BFP8, BY_ADD, HELD_FP32},     {FMT_BFP4, FMT_BFP4, BY_MOVE, HELD_BF16},
    {FMT_BFP2, FMT_BFP2, BY_MOVE, HELD_BF16},    {FMT_BFP2, FMT_BFP2, BY_ADD, HELD_FP32},
    {FMT_FP32, FMT_BF16, BY_MOVE, HELD_BF16},    {FMT_FP32, FMT_FP16, BY_MOVE, HELD_FP16},
    {FMT_FP32, FMT_TF32, BY_MOVE, HELD_FP32},    {FMT_FP32, FMT_TF32, BY_ADD, HELD_FP32},
    {FMT_FP32, FMT_FP32, TO_DST, HELD_FP32},     {FMT_INT32, FMT_INT32, TO_DST, HELD_INT32},
    {FMT_FP16, FMT_FP16, BY_MOVE, HELD_FP16},    {FMT_FP16, FMT_FP16, BY_ADD, HELD_FP16},
    {FMT_FP16, FMT_FP16, BY_ADD, HELD_FP32},     {FMT_FP8, FMT_FP8, BY_MOVE, HELD_FP16},
    {FMT_INT16, FMT_INT16, BY_MOVE, HELD_INT16},
};
#define N_IN  (sizeof ways_in / sizeof *ways_in)
#define N_OUT (sizeof ways_out / sizeof *ways_out)

static void choose(struct rng *r, struct compute_args *a)
{
    const struct way_in *in = &ways_in[rng_below(r, N_IN)];
    const struct way_out *out;
    do
        out = &ways_out[rng_below(r, N_OUT)];
    while (out->held != in->held);
    a->in0_format = in->in;
    a->src0_format = a->src1_format = a->in1_format = in->src;
    a->to_dst = in->by == TO_DST;
    a->how = in->by == BY_ADD;
    a->dst32 = in->held >= HELD_FP32;
    a->fp8 = out->fp8 | rng_below(r, 2) << 22;
    a->relu = in->held == HELD_INT16;
    a->pack_format = out->between;
    a->out_format = out->out;
    a->pack_read = out->read;
    if (rng_percent(r, 25) && in->held < HELD_INT16)
        a->relu |= (1 + rng_below(r, 3)) << 2 | (0x3E00 + rng_below(r, 0x300)) << 6;
    else if (rng_percent(r, 25) && in->held == HELD_FP32)
        a->relu |= (1 + rng_below(r, 3)) << 2 | (0x3E00 + rng_below(r, 0x300)) << 6;
}

/* One datum from L1 to Dst. */
static dst_datum through(const struct compute_args *a, const uint8_t *bytes, unsigned n, unsigned i)
{
    const struct golden_math m = {
        .a_format = a->src0_format, .b_format = a->src0_format, .dst32 = a->dst32};
    const struct golden_from f = {
        .format = a->in0_format, .src_format = a->src0_format, .e4m3 = a->fp8 >> 22 & 1};
    if (a->to_dst)
        return golden_unpack_dst(bytes, i);
    src_datum x = golden_unpack(&f, bytes, n, i);
    return a->how ? golden_add(&m, x, 0, false, 0)
                  : golden_move(&m, a->src0_format, x, !(a->relu & 1));
}

/* Datum (i, j) of a matrix of so many tiles, and its place in L1. */
static unsigned place(unsigned columns, bool tiles, unsigned i, unsigned j)
{
    if (!tiles)
        return 32 * columns * i + j;
    return TILE * (i / 32 * columns + j / 32) + golden_place(i % 32, j % 32);
}

static void copy_matrix(struct case_ *c)
{
    const struct compute_args *a = &c->args;
    static dst_datum d[CASE_TILES * TILE];
    unsigned rows = 32 * a->rows, columns = 32 * a->columns, n = rows * columns;
    const struct golden_to t = case_packing(a);
    for (unsigned i = 0; i < rows; i++)
        for (unsigned j = 0; j < columns; j++) {
            unsigned from = place(a->columns, a->op != COPY_TILIZE, i, j);
            d[place(a->columns, a->op != COPY_UNTILIZE, i, j)] = through(a, c->in[0], n, from);
        }
    c->out_size = golden_pack(&t, d, n, c->out);
    if (a->op == COPY_TILIZE) { /* exponents stand before each tile */
        c->out_size = 0;
        for (unsigned k = 0; k < n; k += TILE)
            c->out_size += golden_pack(&t, d + k, TILE, c->out + c->out_size);
    }
}

static void copy_tiles(struct case_ *c)
{
    const struct compute_args *a = &c->args;
    c->out_size = 0;
    for (unsigned k = 0; k < a->rows * a->columns; k++) {
        const uint8_t *bytes = c->in[0] + k * compute_tile_bytes(a->in0_format);
        dst_datum d[TILE];
        for (unsigned i = 0; i < TILE; i++) {
            unsigned row = i / 32, column = i % 32;
            unsigned from =
                a->op == COPY_TRANSPOSE ? golden_place(column, row) : golden_place(row, column);
            d[i] = through(a, bytes, TILE, from);
        }
        c->out_size += case_pack(a, d, c->out + c->out_size);
    }
}

static bool fits(const struct compute_args *a)
{
    if (a->op == COPY_TRANSPOSE)
        return !a->to_dst; /* only SrcA can */
    if (a->op == COPY_TILIZE)
        return compute_datum4(a->in0_format) > 4;
    if (a->op == COPY_UNTILIZE) /* rows of at least 16 bytes, without shared exponents */
        return !compute_is_bfp(a->in0_format) && !compute_is_bfp(a->out_format);
    return true;
}

/* Can the packer add to what is in L1? */
static bool can_add(const struct compute_args *a)
{
    return a->out_format == FMT_FP32 || a->out_format == FMT_BF16 || a->out_format == FMT_FP16;
}

void case_copy(struct rng *r, struct case_ *c)
{
    static const char *const ops[] = {"plain", "transpose", "tilize", "untilize"};
    struct compute_args *a = &c->args;
    do {
        case_start(c, "datacopy");
        choose(r, a);
        a->op = rng_below(r, 4);
    } while (!fits(a));
    a->rows = 1 + rng_below(r, 3);
    a->columns = 1 + rng_below(r, 3);
    a->dst_access = a->op == COPY_UNTILIZE ? 3 : 0;
    c->in_size[0] = case_tiles(r, a->in0_format, a->rows * a->columns, c->in[0]);
    c->in_size[1] = 0;
    bool add = rng_percent(r, 30) && can_add(a);
    a->fp8 |= add ? 1 << 19 : 0;
    if (a->op == COPY_TILIZE || a->op == COPY_UNTILIZE)
        copy_matrix(c);
    else
        copy_tiles(c);
    if (add) {
        c->before_size = case_tiles(r, a->out_format, a->rows * a->columns, c->before);
        golden_add_l1(a->out_format, c->before, c->out, c->out_size);
    }
    case_describe(c, ops[a->op]);
}
