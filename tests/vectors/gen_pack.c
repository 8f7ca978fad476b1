/*
 * gen_pack.c - see gen.h: PACR.
 */
#include "vectors/gen.h"

/* Read_32b_data, In_data_format (which is also the intermediate one), Out_data_format. */
static const uint8_t pairs[][3] = {
    {0, FP16, FP32},   {0, FP16, FP16},   {0, FP16, BF16}, {0, FP16, FP8},  {0, BFP8A, BFP8},
    {0, BF16, FP32},   {0, BF16, BF16},   {0, BF16, BFP8}, {0, BF16, BFP4}, {0, BF16, BFP2},
    {0, BFP8, FP32},   {0, BFP8, BF16},   {0, BFP8, BFP8}, {0, BFP8, BFP4}, {0, INT16, INT16},
    {1, FP32, FP32},   {1, FP32, FP16},   {1, FP32, BFP8}, {1, FP32, BFP4}, {1, FP32, BFP2},
    {1, FP16, FP16},   {1, FP16, FP8},    {1, BF16, BF16}, {1, BFP8, BFP8}, {1, BFP8, BFP4},
    {1, INT32, INT32}, {1, INT16, INT16}, {1, INT8, INT8}};

struct pack {
    bool wide, strided, accumulate, edges;
    unsigned in, out, interfaces, rows; /* rows that one PACR reads */
    unsigned n, base;                   /* first row of Dst */
    uint32_t exponents;                 /* section, in units of 16 bytes */
};

static void choose(struct gen *g, struct pack *p)
{
    const uint8_t *pair = pairs[gen_below(g, sizeof pairs / sizeof *pairs)];
    p->wide = pair[0];
    p->in = pair[1];
    p->out = pair[2];
    p->strided = gen_percent(g, 12);
    p->interfaces = p->strided ? GEN_PICK(g, 0, 1, 3) : GEN_PICK(g, 0, 0, 1, 3, 5, 10);
    p->rows = p->interfaces == 0 ? 4 : p->interfaces == 1 ? 1 : 2;
    p->n = 1 + gen_below(g, 4);
    p->base = 16 * gen_below(g, p->wide ? 24 : 56);
    p->exponents = gen_below(g, 4);
    if (!p->exponents && gen_bfp(p->out))
        p->exponents = 1; /* exponents and data must not lie upon each other */
    p->edges = gen_percent(g, 25);
    p->accumulate =
        (p->out == FP32 || p->out == BF16 || p->out == FP16) && p->in < INT32 && gen_percent(g, 30);
}

/* By way of SrcA, so that rows are written as they are read. */
static void fill_dst16(struct gen *g, const struct pack *p)
{
    uint32_t data = gen_data(g, INT16, 1024, 0x10000);
    gen_load_src(g, 0, INT16, INT16, data, 64);
    gen_config(g, 1, 17, 4, INT16);
    gen_config(g, 2, 0, 1, 1);
    gen_thread(g, 2, 1);
    for (unsigned r = 0; r < 64; r += 8)
        gen_push(g, W_MOVE(0x12, 0, r, 7, 2, p->base + r));
    gen_barrier(g);
    gen_config(g, 2, 0, 1, 0);
}

static void fill_dst(struct gen *g, const struct pack *p)
{
    unsigned rows = p->strided ? 64 + 16 : 32, first = p->wide ? p->base : p->base / 2;
    enum vec_kind kind = VEC_F32;
    uint32_t parameter = gen_exponents(g, BF16);
    if (p->in == FP16 && p->wide)
        parameter = gen_percent(g, 70) ? VEC_NUMBER(127, 40, 1) : 0;
    if (p->in == FP16 || p->in == BFP8A || gen_percent(g, 15))
        if (!p->wide) {
            kind = VEC_BYTES;
            parameter = 0x10000;
        }
    if (p->in == INT8)
        kind = VEC_INT32, parameter = 10;
    if (p->in == INT32)
        kind = VEC_INT32, parameter = 31;
    if (p->strided)
        gen_config(g, 220, 0, 2, 3);
    if (p->strided && !p->wide) {
        fill_dst16(g, p);
        return;
    }
    gen_load_dst(g, first, p->wide ? rows : 16, kind, parameter);
    if (gen_percent(g, 20) && !p->strided)
        gen_push(g, W_ZEROACC(1, p->wide, 0, 7, p->base / 16 + gen_below(g, 2)));
}

static void edges(struct gen *g, const struct pack *p)
{
    static const uint16_t masks[3] = {0, 1, 0xFFFF};
    gen_config(g, 24, 0, 16, masks[gen_below(g, 3)]);
    gen_config(g, 25, 0, 16, masks[gen_below(g, 3)]);
    gen_config(g, 24, 17, 8, gen_below(g, 2));
    for (unsigned i = 0; i < 16; i++) {
        gen_config(g, 20, 2 * i, 2, gen_below(g, 2));
        gen_config(g, 21, 2 * i, 2, gen_below(g, 2));
    }
    /* a multiple of what one PACR reads: within a PACR the position is not taken back */
    gen_config(g, 28, 8, 8, p->rows * (1 + gen_below(g, 16 / p->rows)));
}

static void relu(struct gen *g, const struct pack *p)
{
    uint32_t threshold =
        gen_percent(g, 60)
            ? (p->in == FP16 || p->in == BFP8A ? 0x3000u : 0x3F00u) + gen_below(g, 512)
            : gen_below(g, 0x8000);
    gen_config(g, 2, 2, 4, p->in == INT32 ? 1 : 1 + gen_below(g, 3));
    gen_config(g, 2, 6, 16, threshold);
}

static void configure(struct gen *g, const struct pack *p)
{
    unsigned bytes = gen_bits(p->in) / 8, round = p->in == FP16 && p->wide;
    if (p->in == FP16 && p->out == FP8)
        round = p->wide || gen_below(g, 2);
    gen_config(g, 1, 25, 4, p->in);
    gen_config(g, 18, 0, 4, (unsigned)p->wide | gen_below(g, 2) << 1 | round << 3);
    if (p->in == INT16 || p->in == INT32 || p->in == FP32)
        gen_config(g, 18, 2, 1, gen_below(g, 2)); /* raw */
    gen_config(g, 70, 4, 8, p->out | p->in << 4);
    gen_config(g, 71, 0, 32, (uint32_t)p->accumulate << 19 | 1u << 23);
    gen_config(g, 68, 16, 16, p->exponents);
    gen_config(g, 12, 16, 16, 16 * bytes); /* Y: a row */
    gen_config(g, 13, 0, 16, 16 * 16 * bytes);
    gen_config(g, 13, 16, 16, 16 * 4 * bytes);
    if (p->edges)
        edges(g, p);
    if (p->in != INT16 && p->in != INT8 && gen_percent(g, 40))
        relu(g, p);
}

/* Rows are at base + Y + 16 Z + 4 W. */
static void start(struct gen *g, const struct pack *p)
{
    unsigned offset = gen_percent(g, 50) ? p->base : 0;
    unsigned y = p->base - offset, grain = p->interfaces == 1 ? 1 : 4;
    if (!p->strided && gen_percent(g, 50))
        y += grain * gen_below(g, 8 / grain);
    gen_config(g, 180, 0, 12, offset);
    gen_push(g, W_SETADCXX(4, 0, 15));
    if (p->interfaces == 1 && !p->edges && gen_bits(p->out) > 8 && gen_percent(g, 30))
        gen_push(g, W_SETADCXX(4, 0, 7));
    gen_push(g, W_SETADC(4, 0, 1, y));
    gen_push(g, W_ADC4(0x54, 4, 3, 0, p->strided ? 0 : gen_below(g, 2), 0, 0));
    /* modifiers: 0 goes on, 1 anything */
    gen_thread(g, 37, p->strided ? gen_below(g, 2) : p->interfaces == 0 ? 4 : p->rows);
    gen_thread(g,
               38,
               grain * gen_below(g, 2) | gen_below(g, 4) << 4 | gen_below(g, 3) << 6 |
                   gen_below(g, 2) << 11 | (p->strided ? 0 : gen_below(g, 4) << 12) | 2u << 14);
}

void gen_pacr(struct gen *g, const char *name)
{
    struct pack p;
    (void)name;
    choose(g, &p);
    fill_dst(g, &p);
    uint32_t data = p.n * p.rows * 16 * gen_bits(p.out) / 8;
    uint32_t size = (16 * (p.exponents + 1) + data + 15 + 128) & ~15u;
    uint32_t out = gen_output(g, size);
    gen_barrier(g);
    configure(g, &p);
    if (p.accumulate || gen_percent(g, 50))
        gen_fill(g,
                 out,
                 size,
                 p.out == FP32   ? VEC_F32
                 : p.out == BF16 ? VEC_BF16
                 : p.out == FP16 ? VEC_F16
                                 : VEC_BYTES,
                 gen_exponents(g, p.out));
    gen_config(g, 69, 0, 32, out / 16 - 1);
    gen_config(g, 14, 16, 16, gen_percent(g, 40) ? 16 * gen_below(g, 3) : gen_below(g, 40));
    start(g, &p);
    gen_push(g, W_SETADC(4, 1, 1, gen_percent(g, 30) ? gen_below(g, 3) : 0));
    for (unsigned i = 0; i < p.n; i++) {
        unsigned last = i + 1 == p.n || gen_percent(g, 25);
        gen_push(
            g, W_PACR(p.interfaces, gen_percent(g, 75) ? 0 : 1, last) | (uint32_t)p.strided << 17);
    }
    gen_barrier(g);
}
