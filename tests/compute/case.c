/*
 * case.c - see case.h.
 */
#include "case.h"

#include <stdio.h>
#include <string.h>

static const char *const format_names[16] = {"FP32",
                                             "FP16",
                                             "BFP8a",
                                             "BFP4a",
                                             "TF32",
                                             "BF16",
                                             "BFP8",
                                             "BFP4",
                                             "INT32",
                                             "INT16",
                                             "FP8",
                                             "BFP2a",
                                             "-",
                                             "-",
                                             "INT8",
                                             "BFP2"};

/* ---- operands ---- */

/* A number with an exponent (8 bits) near the middle: how far is said by spread; sometimes anything. */
static uint32_t random_fp32(struct rng *r, uint32_t spread)
{
    uint32_t v = rng_next(r);
    if (rng_percent(r, 1))
        return v;
    if (rng_percent(r, 4))
        return v & 0x80000000;
    if (rng_percent(r, 1))
        return (v & 0x807FFFFF) | (rng_percent(r, 50) ? 0 : 0x7F800000);
    return (v & 0x807FFFFF) | (127 - spread / 2 + rng_below(r, spread)) << 23;
}

static uint32_t random_fp16(struct rng *r, uint32_t spread)
{
    uint32_t v = rng_next(r);
    if (spread > 30 || rng_percent(r, 1))
        return v & 0xFFFF;
    return rng_percent(r, 4) ? v & 0x8000
                             : (v & 0x83FF) | (15 - spread / 2 + rng_below(r, spread)) << 10;
}

/* A tile, or several, of random data. */
uint32_t case_tiles(struct rng *r, uint32_t format, unsigned tiles, uint8_t *to)
{
    static const uint32_t spreads[] = {1, 3, 8, 20, 60, 250};
    uint32_t spread = spreads[rng_below(r, 6)], size = compute_tile_bytes(format);
    uint32_t small = spread > 28 ? 31 : spread;
    for (unsigned t = 0; t < tiles; t++, to += size)
        for (unsigned i = 0; i < size; i += 4) {
            uint32_t v = rng_next(r);
            if (format == FMT_FP32)
                v = random_fp32(r, spread);
            else if (format == FMT_BF16)
                v = random_fp32(r, spread) >> 16 | (random_fp32(r, spread) & 0xFFFF0000);
            else if (format == FMT_FP16)
                v = random_fp16(r, small) | random_fp16(r, small) << 16;
            else if (compute_is_bfp(format) && i < 64)
                for (unsigned k = 0; k < 4; k++)
                    ((uint8_t *)&v)[k] = (uint8_t)(127 - spread / 2 + rng_below(r, spread));
            memcpy(to + i, &v, 4);
        }
    return tiles * size;
}

/* What an operand is unpacked to. */
uint32_t case_src(struct rng *r, uint32_t format, bool dst32)
{
    if (format != FMT_FP32)
        return format;
    return dst32 && rng_percent(r, 70) ? FMT_TF32 : FMT_BF16;
}

/* Datums of one tile, row by row. */
void case_unpack(const struct compute_args *a, unsigned which, unsigned unpacker,
                 const uint8_t *bytes, src_datum *to)
{
    const struct golden_from f = {.format = which ? a->in1_format : a->in0_format,
                                  .src_format = which ? a->src1_format : a->src0_format,
                                  .unsigned8 = a->alu >> (15 + unpacker) & 1,
                                  .e4m3 = a->fp8 >> 22 & 1};
    for (unsigned i = 0; i < TILE; i++)
        to[i] = golden_unpack(&f, bytes, TILE, golden_place(i / 32, i % 32));
}

struct golden_to case_packing(const struct compute_args *a)
{
    return (struct golden_to){.dst32 = a->dst32,
                              .read = a->pack_read,
                              .pack_format = a->pack_format,
                              .out_format = a->out_format,
                              .relu = a->relu,
                              .e4m3 = a->fp8 >> 23 & 1};
}

/* A tile of results, row by row, to where the packer puts it. */
uint32_t case_pack(const struct compute_args *a, const dst_datum *d, uint8_t *to)
{
    const struct golden_to t = case_packing(a);
    dst_datum faces[TILE];
    for (unsigned i = 0; i < TILE; i++)
        faces[golden_place(i / 32, i % 32)] = d[i];
    return golden_pack(&t, faces, TILE, to);
}

/* ---- formats of results ---- */

/* Something that can be packed from a Dst with 8-bit exponents. */
void case_out(struct rng *r, struct compute_args *a)
{
    static const uint8_t from16[][2] = {{FMT_BF16, FMT_BF16},
                                        {FMT_BF16, FMT_FP32},
                                        {FMT_BF16, FMT_BFP8},
                                        {FMT_BF16, FMT_BFP4},
                                        {FMT_BF16, FMT_BFP2},
                                        {FMT_BFP8, FMT_BFP8},
                                        {FMT_BFP8, FMT_BFP4}};
    static const uint8_t from32[][2] = {{FMT_FP32, FMT_FP32},
                                        {FMT_BF16, FMT_BF16},
                                        {FMT_FP32, FMT_FP16},
                                        {FMT_FP32, FMT_BFP8},
                                        {FMT_FP32, FMT_BFP4},
                                        {FMT_BFP8, FMT_BFP8},
                                        {FMT_FP16, FMT_FP16}};
    const uint8_t *pair = a->dst32 ? from32[rng_below(r, 7)] : from16[rng_below(r, 7)];
    a->pack_format = pair[0];
    a->out_format = pair[1];
    a->pack_read = a->dst32 && pair[0] == FMT_FP16 ? 8 : 0;
    if (rng_percent(r, 25) && pair[0] != FMT_FP32)
        a->relu = (1 + rng_below(r, 3)) << 2 | (0x3E00 + rng_below(r, 0x300)) << 6;
}

void case_start(struct case_ *c, const char *kernel)
{
    memset(&c->args, 0, sizeof c->args);
    c->kernel = kernel;
    c->before_size = 0;
    c->args.in0 = CASE_IN0;
    c->args.in1 = CASE_IN1;
    c->args.out = CASE_OUT;
    c->args.repeat = c->args.rows = c->args.columns = c->args.inner = c->args.phases = 1;
}

void case_describe(struct case_ *c, const char *what)
{
    const struct compute_args *a = &c->args;
    snprintf(c->text,
             sizeof c->text,
             "%s %s: %s (%s) x %s (%s) -> Dst%s -> %s -> %s, %u phases, %ux%ux%u tiles, relu 0x%x, "
             "fp8 0x%x",
             c->kernel,
             what,
             format_names[a->in0_format],
             format_names[a->src0_format],
             format_names[a->in1_format],
             format_names[a->src1_format],
             a->dst32 ? "32" : "16",
             format_names[a->pack_format],
             format_names[a->out_format],
             (unsigned)a->phases,
             (unsigned)a->rows,
             (unsigned)a->inner,
             (unsigned)a->columns,
             (unsigned)a->relu,
             (unsigned)a->fp8);
}

/* ---- matrix product ---- */

static void product_tile(const struct compute_args *a, const struct golden_math *m,
                         const src_datum *x, const src_datum *y, dst_datum *d)
{
    for (unsigned phase = 0; phase < a->phases; phase++)
        for (unsigned half = 0; half < 32; half += 16)
            for (unsigned j = 0; j < 32; j++) {
                src_datum column[16];
                for (unsigned k = 0; k < 16; k++)
                    column[k] = y[32 * (half + k) + j];
                for (unsigned i = 0; i < 32; i++)
                    d[32 * i + j] = golden_dot(m, column, x + 32 * i + half, phase, d[32 * i + j]);
            }
}

static void product(struct case_ *c)
{
    const struct compute_args *a = &c->args;
    const struct golden_math m = {.a_format = a->src1_format,
                                  .b_format = a->src0_format,
                                  .dst32 = a->dst32,
                                  .int8 = a->alu >> 31};
    uint32_t size0 = compute_tile_bytes(a->in0_format), size1 = compute_tile_bytes(a->in1_format);
    src_datum x[TILE], y[TILE];
    c->out_size = 0;
    for (unsigned i = 0; i < a->rows; i++)
        for (unsigned j = 0; j < a->columns; j++) {
            dst_datum d[TILE] = {0};
            for (unsigned k = 0; k < a->inner; k++) {
                case_unpack(a, 0, 1, c->in[0] + (i * a->inner + k) * size0, x);
                case_unpack(a, 1, 0, c->in[1] + (k * a->columns + j) * size1, y);
                product_tile(a, &m, x, y, d);
            }
            c->out_size += case_pack(a, d, c->out + c->out_size);
        }
}

/* Two 8-bit integers, or floating point of one of the families. */
void case_formats(struct rng *r, struct compute_args *a)
{
    static const uint8_t formats[] = {FMT_BF16, FMT_BF16, FMT_BFP8, FMT_BFP4, FMT_FP32, FMT_FP32};
    uint32_t kind = rng_below(r, 10);
    a->dst32 = rng_percent(r, 50);
    if (kind == 0) {
        a->in0_format = a->in1_format = FMT_INT8;
        a->dst32 = 1;
        a->alu = UINT32_C(1) << 31 | rng_below(r, 4) << 15;
        bool whole = rng_percent(r, 50);
        a->pack_format = a->out_format = whole ? FMT_INT32 : FMT_INT8;
        a->pack_read = whole ? 0 : rng_below(r, 2) << 1;
    } else if (kind == 1) {
        a->in0_format = a->in1_format = rng_percent(r, 50) ? FMT_FP16 : FMT_FP8;
        a->fp8 = rng_below(r, 2) << 22;
        case_out(r, a);
        if (!a->dst32) {
            static const uint8_t out[] = {FMT_FP16, FMT_FP32, FMT_BF16};
            a->pack_format = FMT_FP16;
            a->out_format = out[rng_below(r, 3)];
            a->relu = 0;
        }
    } else {
        a->in0_format = formats[rng_below(r, 6)];
        a->in1_format = formats[rng_below(r, 6)];
        case_out(r, a);
    }
    a->src0_format = case_src(r, a->in0_format, a->dst32);
    a->src1_format = case_src(r, a->in1_format, a->dst32);
}

void case_matmul(struct rng *r, struct case_ *c)
{
    struct compute_args *a = &c->args;
    case_start(c, "matmul");
    case_formats(r, a);
    a->phases = 1 + rng_below(r, 4);
    if (rng_percent(r, 3)) {
        a->rows = a->columns = a->inner = 4;
    } else if (rng_percent(r, 30)) {
        a->rows = 1 + rng_below(r, 4);
        a->columns = 1 + rng_below(r, 4);
        a->inner = 1 + rng_below(r, 4);
    }
    c->in_size[0] = case_tiles(r, a->in0_format, a->rows * a->inner, c->in[0]);
    c->in_size[1] = case_tiles(r, a->in1_format, a->inner * a->columns, c->in[1]);
    product(c);
    case_describe(c, "product");
}
