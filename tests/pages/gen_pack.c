/*
 * gen_pack.c - cases of the packer.
 *
 * Left out because nothing says what happens: pairs of formats that the page's tables forbid, denormals where the
 * page says "mishandled", masks that leave the group of four rows, datums beyond the end of a row, BFP or
 * downsampling with fewer than 16 datums per row, minus infinity as an integer or in a block, ReLU of integers but mode 1,
 * strided rows with other masks than 1, 3, 15, INT_DESCALE by z.
 */
#include "gen.h"

struct way {
    uint8_t wide, in, out, raw, ten, plain; /* plain: no denormals */
};

/* raw 2: either */
static const struct way ways[] = {
    {0, F_BF16, F_BF16, 2, 0, 0},   {0, F_BF16, F_FP32, 2, 0, 0},   {0, F_BF16, F_FP16, 2, 0, 1},
    {0, F_BF16, F_TF32, 0, 0, 1},   {0, F_BF16, F_FP8, 0, 0, 1},    {0, F_BF16, F_BFP8, 2, 0, 0},
    {0, F_BF16, F_BFP4, 2, 0, 0},   {0, F_BF16, F_BFP2, 2, 0, 0},   {0, F_BF16, F_BFP8A, 0, 0, 1},
    {0, F_BF16, F_BFP4A, 0, 0, 1},  {0, F_BF16, F_BFP2A, 0, 0, 1},  {0, F_BFP8, F_FP32, 2, 0, 0},
    {0, F_BFP8, F_BF16, 2, 0, 0},   {0, F_BFP8, F_BFP8, 2, 0, 0},   {0, F_BFP8, F_BFP4, 2, 0, 0},
    {0, F_BFP8, F_BFP2, 2, 0, 0},   {0, F_TF32, F_TF32, 0, 0, 0},   {0, F_TF32, F_FP32, 0, 0, 0},
    {0, F_TF32, F_BF16, 0, 0, 1},   {0, F_FP32, F_FP32, 0, 1, 0},   {0, F_FP16, F_FP16, 2, 0, 0},
    {0, F_FP16, F_FP32, 2, 0, 1},   {0, F_FP16, F_BF16, 2, 0, 0},   {0, F_FP16, F_TF32, 0, 0, 1},
    {0, F_FP16, F_FP8, 2, 0, 1},    {0, F_FP16, F_BFP8, 2, 0, 1},   {0, F_FP16, F_BFP4, 2, 0, 1},
    {0, F_FP16, F_BFP2, 2, 0, 1},   {0, F_FP16, F_BFP8A, 2, 0, 0},  {0, F_FP16, F_BFP4A, 2, 0, 0},
    {0, F_FP16, F_BFP2A, 2, 0, 0},  {0, F_FP16, F_FP16, 0, 1, 0},   {0, F_FP16, F_FP8, 0, 1, 1},
    {0, F_BFP8A, F_BFP8A, 2, 0, 0}, {0, F_BFP8A, F_BFP4A, 2, 0, 0}, {0, F_BFP8A, F_BFP2A, 2, 0, 0},
    {0, F_BFP8A, F_BFP8, 2, 0, 1},  {0, F_BFP8A, F_FP16, 2, 0, 1},  {0, F_FP8, F_FP8, 1, 0, 0},
    {0, F_FP8, F_FP16, 1, 0, 0},    {0, F_FP8, F_BFP8A, 1, 0, 0},   {0, F_FP8, F_BFP4A, 1, 0, 0},
    {0, F_FP8, F_BFP2A, 1, 0, 0},   {0, F_INT16, F_INT16, 2, 0, 0}, {0, F_INT8, F_INT8, 1, 0, 0},
    {1, F_FP32, F_FP32, 2, 0, 0},   {1, F_FP32, F_BF16, 2, 0, 1},   {1, F_FP32, F_FP16, 2, 0, 0},
    {1, F_FP32, F_FP8, 0, 0, 1},    {1, F_FP32, F_BFP8, 0, 0, 0},   {1, F_FP32, F_BFP4, 0, 0, 0},
    {1, F_FP32, F_BFP2, 0, 0, 0},   {1, F_FP32, F_BFP8A, 0, 0, 1},  {1, F_FP32, F_BFP4A, 0, 0, 1},
    {1, F_FP32, F_BFP2A, 0, 0, 1},  {1, F_FP32, F_FP32, 0, 1, 0},   {1, F_TF32, F_TF32, 0, 0, 0},
    {1, F_TF32, F_FP32, 0, 0, 0},   {1, F_TF32, F_BF16, 0, 0, 1},   {1, F_TF32, F_FP16, 0, 0, 1},
    {1, F_TF32, F_BFP8, 0, 0, 1},   {1, F_BF16, F_BF16, 2, 0, 0},   {1, F_BF16, F_FP32, 2, 0, 0},
    {1, F_BF16, F_BFP8, 2, 0, 0},   {1, F_BF16, F_BFP4, 0, 0, 0},   {1, F_BF16, F_BFP8A, 0, 0, 1},
    {1, F_BFP8, F_BFP8, 2, 0, 0},   {1, F_BFP8, F_BFP4, 2, 0, 0},   {1, F_BFP8, F_BF16, 2, 0, 0},
    {1, F_FP16, F_FP16, 0, 1, 0},   {1, F_FP16, F_FP8, 0, 1, 1},    {1, F_INT32, F_INT32, 2, 0, 0},
    {1, F_INT16, F_INT16, 0, 0, 0}, {1, F_INT8, F_INT8, 2, 0, 0},   {1, F_INT8, F_INT8, 0, 0, 0}};

static bool whole(unsigned f)
{
    return f == F_INT32 || f == F_INT16 || f == F_INT8;
}

static bool block(unsigned f)
{
    return (f & 2) && f != F_FP8 && f != F_INT8;
}

static struct way conversion(struct pg_case *c, struct rng *r)
{
    struct way w = ways[rng_below(r, sizeof ways / sizeof *ways)];
    if (w.raw == 2)
        w.raw = rng_next(r) & 1;
    gen_set(c, 18, 0, 1, w.wide);
    gen_set(c, 18, 1, 1, w.in == F_INT8 && w.wide && rng_percent(r, 50));
    gen_set(c, 18, 2, 1, w.raw);
    gen_set(c, 18, 3, 1, w.ten);
    bool over = rng_percent(r, 20);
    gen_set(c, 0, 14, 1, over);
    gen_set(c, 0, 10, 4, over ? w.in : rng_next(r));
    gen_set(c, 1, 25, 4, over ? rng_next(r) : w.in);
    gen_set(c, 70, 8, 4, w.in);
    gen_set(c, 70, 4, 4, w.out);
    gen_set(c, 70, 0, 1, 1);
    gen_set(c, 71, 23, 1, w.out == F_FP8 && w.in == F_FP16 && rng_percent(r, 40));
    if (w.in == F_INT8 && rng_percent(r, 60)) {
        gen_set(c, 8, 0, 1, 1);
        gen_set(c, 187, 0, 32, rng_next(r));
    }
    bool five = w.in == F_FP16 || w.in == F_FP8 || w.in == F_BFP8A;
    enum gen_cells cells = five && !w.wide && !w.ten ? CELLS_FIVE : CELLS_EIGHT;
    gen_dst(c, r, whole(w.in) ? CELLS_ANY : cells, w.plain);
    return w;
}

/* Where from: rows step by four, so that a mask fits wherever it starts. */
static uint32_t input(struct pg_case *c, struct rng *r, const struct way *w, bool narrow)
{
    struct pg *m = &c->start;
    unsigned t = c->thread[0], low = rng_percent(r, 60) ? 0 : rng_below(r, 4);
    uint32_t bytes = (w->in & 3) == 0 ? 4 : ((w->in & 3) == 1 ? 2 : 1), row = 16 * bytes;
    struct pg_counter(*a)[4] = m->adc[t][2];
    a[0][PG_X].v = narrow ? rng_below(r, 16) : 0;
    a[0][PG_Y].v = rng_below(r, 8);
    a[0][PG_Z].v = rng_below(r, 3);
    a[0][PG_W].v = rng_below(r, 2);
    bool strided = rng_percent(r, 50);
    gen_set(c, 12, 0, 16, strided ? bytes : 0);
    gen_set(c, 12, 16, 16, row * 4 * rng_below(r, 4));
    gen_set(c, 13, 0, 16, row * 16 * rng_below(r, 4));
    gen_set(c, 13, 16, 16, row * 64 * rng_below(r, 4));
    gen_set(c, 16, 0, 18, row * rng_below(r, 64) * 4);
    gen_set(c, 180, 0, 12, rng_below(r, 256) * 4 + low);
    uint32_t column = strided ? a[0][PG_X].v : a[0][PG_X].v & (16 / bytes - 1);
    uint32_t n = narrow ? 1 + rng_below(r, 16 - column) : 16;
    a[1][PG_X].v = a[0][PG_X].v + n - 1;
    uint32_t mask = 1 + rng_below(r, (16u >> low) - 1);
    if (low == 3)
        mask = 1;
    return !low && rng_percent(r, 25) ? 0 : mask;
}

static void output(struct pg_case *c, struct rng *r)
{
    struct pg *m = &c->start;
    unsigned t = c->thread[0];
    struct pg_counter(*a)[4] = m->adc[t][2];
    a[1][PG_Y].v = rng_below(r, 8);
    a[1][PG_Z].v = rng_below(r, 4);
    a[1][PG_W].v = rng_below(r, 4);
    a[1][PG_Y].cr = rng_below(r, 8);
    for (unsigned i = 0; i < 3; i++)
        gen_set(c,
                14 + (i + 1) / 2,
                i & 1 ? 0 : 16,
                16,
                rng_percent(r, 50)
                    ? 0
                    : (rng_percent(r, 50) ? 16 * rng_below(r, 32) : rng_below(r, 600)));
    gen_set(c, 17, 0, 18, rng_percent(r, 50) ? 0 : rng_below(r, 2000));
    gen_set(c, 69, 0, 32, rng_below(r, 1500));
    gen_set(c, 68, 16, 16, rng_below(r, 20));
    gen_set(c, 68, 0, 16, rng_next(r));
    gen_set(c, 70, 15, 1, rng_next(r));
    gen_set(c, 70, 1, 1, rng_next(r));
    m->pack_offset = rng_below(r, 100);
    for (unsigned i = 0; i < 4; i++) {
        m->th[t][37 + i] = (uint16_t)rng_next(r);
        gen_set(c, 24 + i, 0, 16, 0xffff);
    }
}

static void program(struct pg_case *c, struct rng *r, uint32_t extra, unsigned most)
{
    unsigned n = 1 + rng_below(r, most);
    for (unsigned i = 0; i < n; i++)
        gen_add(c,
                65u << 24 | extra | (rng_next(r) & 3) << 15 | (rng_percent(r, 20) || i + 1 == n));
    if (rng_percent(r, 25)) /* Flush ends it instead */
        c->word[c->n - 1] ^= 3;
}

static void relu(struct pg_case *c, struct rng *r, const struct way *w)
{
    unsigned mode = whole(w->in) ? rng_below(r, 2) : rng_below(r, 4);
    if (w->in == F_INT16)
        mode = 0;
    bool five = (w->in == F_FP16 || w->in == F_FP8 || w->in == F_BFP8A) && !w->wide;
    uint32_t t = five ? rng_next(r) & 0x7fff : gen_exponent(r) << 7 | (rng_next(r) & 127);
    if (five && rng_percent(r, 15))
        t &= 0x3ff; /* a denormal */
    if (five && w->plain && !(t & 0x7c00))
        t |= 0x400;
    gen_set(c, 2, 2, 2, mode);
    gen_set(c, 2, 6, 16, t);
}

static struct way basics(struct pg_case *c, struct rng *r, const char *kind)
{
    gen_base(c, r, kind);
    return conversion(c, r);
}

static void pacr_formats(struct pg_case *c, struct rng *r)
{
    struct way w = basics(c, r, "pacr formats");
    uint32_t mask = input(c, r, &w, false);
    output(c, r);
    program(c, r, mask << 8, 3);
}

static void pacr_relu(struct pg_case *c, struct rng *r)
{
    struct way w = basics(c, r, "pacr relu, threshold");
    uint32_t mask = input(c, r, &w, false);
    output(c, r);
    relu(c, r, &w);
    if (rng_percent(r, 50)) {
        bool five = w.in == F_FP16 || w.in == F_FP8 || w.in == F_BFP8A;
        gen_set(c, 71, 20, 1, 1);
        gen_set(c, 71, 24, 8, five ? rng_below(r, 40) : gen_exponent(r));
    }
    program(c, r, mask << 8, 2);
}

static void pacr_narrow(struct pg_case *c, struct rng *r)
{
    struct way w;
    do
        w = basics(c, r, "pacr fewer datums");
    while (block(w.out));
    uint32_t mask = input(c, r, &w, true);
    output(c, r);
    program(c, r, mask << 8, 6);
}

static void pacr_zero(struct pg_case *c, struct rng *r)
{
    struct way w = basics(c, r, "pacr zero_write");
    uint32_t mask = input(c, r, &w, !block(w.out));
    output(c, r);
    program(c, r, mask << 8 | 1u << 12, 3);
}

static void pacr_edges(struct pg_case *c, struct rng *r)
{
    struct way w = basics(c, r, "pacr edges");
    uint32_t mask = input(c, r, &w, !block(w.out) && rng_percent(r, 30));
    output(c, r);
    for (unsigned i = 0; i < 4; i++) {
        gen_set(c, 20 + i, 0, 32, rng_next(r));
        gen_set(c, 36 + i, 0, 32, rng_next(r));
        gen_set(c, 24 + i, 0, 16, rng_next(r));
    }
    gen_set(c, 24, 17, 8, rng_below(r, 4));
    gen_set(c, 24, 16, 1, !whole(w.in) && !block(w.out) && rng_percent(r, 40));
    gen_set(c, 19, 0, 8, rng_below(r, 4));
    gen_set(c, 19, 8, 1, rng_next(r));
    gen_set(c, 28, 8, 8, 1 + rng_below(r, 16));
    gen_set(c, 28, 23, 1, rng_percent(r, 25));
    gen_set(c, 180, 12, 6, rng_percent(r, 50) ? 0 : rng_next(r));
    if (rng_percent(r, 30))
        relu(c, r, &w);
    program(c, r, mask << 8, 8);
}

static void pacr_downsample(struct pg_case *c, struct rng *r)
{
    struct way w;
    do
        w = basics(c, r, "pacr downsample");
    while (block(w.out));
    uint32_t mask = input(c, r, &w, false);
    output(c, r);
    gen_set(c, 71, 0, 16, rng_next(r));
    program(c, r, mask << 8, 6);
}

static void pacr_strided(struct pg_case *c, struct rng *r)
{
    struct way w = basics(c, r, "pacr strided");
    input(c, r, &w, false);
    output(c, r);
    gen_set(c, 220, 0, 2, rng_percent(r, 60) ? 3 : rng_next(r));
    program(c, r, GEN_PICK(r, 0, 1, 3, 15) << 8 | 1u << 17, 3);
}

/* Another thread's address counters */
static void pacr_adc(struct pg_case *c, struct rng *r)
{
    struct way w = basics(c, r, "pacr with other counters");
    uint32_t mask = input(c, r, &w, false), other = rng_below(r, 4);
    output(c, r);
    unsigned whose = other == 3 ? 0 : other;
    for (unsigned i = 0; i < 8; i++) {
        struct pg_counter *mine = &c->start.adc[c->thread[0]][2][i / 4][i % 4];
        struct pg_counter *its = &c->start.adc[whose][2][i / 4][i % 4], t = *its;
        *its = *mine;
        *mine = whose == c->thread[0] ? *mine : t;
    }
    program(c, r, mask << 8 | 1u << 7 | other << 13, 3);
}

/* Datums from L1 */
static void pacr_l1(struct pg_case *c, struct rng *r)
{
    gen_base(c, r, "pacr from L1");
    struct way w = {0};
    w.in = w.out = (uint8_t)GEN_PICK(
        r, F_FP32, F_INT32, F_BF16, F_FP16, F_INT16, F_INT8, F_FP8, F_BFP8, F_BFP8A);
    if (w.in == F_BFP8)
        w.out = (uint8_t)GEN_PICK(r, F_BFP8, F_BFP4, F_BFP2);
    if (w.in == F_BFP8A)
        w.out = (uint8_t)GEN_PICK(r, F_BFP8A, F_BFP4A, F_BFP2A);
    gen_set(c, 18, 0, 1, rng_next(r));
    gen_set(c, 18, 2, 1, 1);
    gen_set(c, 1, 25, 4, w.in);
    gen_set(c, 70, 8, 4, w.in);
    gen_set(c, 70, 4, 4, w.out);
    gen_set(c, 70, 0, 1, 1);
    input(c, r, &w, !block(w.out));
    output(c, r);
    /* sources lie above everything that is written, and within the L1 that both models have */
    c->start.adc[c->thread[0]][2][0][PG_Y].cr = rng_below(r, 8);
    gen_set(c, 12, 16, 16, rng_below(r, 150));
    gen_set(c, 13, 0, 32, 0);
    gen_set(c, 16, 0, 18, 48000 + rng_below(r, 6000));
    gen_set(c, 70, 16, 1, 1);
    gen_set(c, 70, 24, 8, 0);
    program(c, r, 1u << 8, 4);
}

/* PACR_SETREG behind PACRs whose output may be open. */
static void pacr_setreg(struct pg_case *c, struct rng *r)
{
    pacr_formats(c, r);
    c->kind = "pacr_setreg";
    c->start.tdma_pack = rng_next(r) & 0xffffff;
    if (rng_percent(r, 60)) /* streams */
        c->start.tdma_pack = (c->start.tdma_pack & 0x0fffff) | 0x500000;
    unsigned n = 1 + rng_below(r, 6);
    for (unsigned i = 0; i < n; i++) {
        uint32_t word = rng_next(r) & 0xfffcfc;
        if (rng_percent(r, 60))
            word |= GEN_PICK(r, 0, 1, 1, 2, 3) << 8;
        gen_add(c, 74u << 24 | word | (rng_percent(r, 80) ? 2 : 0));
    }
}

const struct pg_kind pg_kinds_pack[] = {{"pacr_formats", pacr_formats},
                                        {"pacr_relu", pacr_relu},
                                        {"pacr_narrow", pacr_narrow},
                                        {"pacr_zero", pacr_zero},
                                        {"pacr_edges", pacr_edges},
                                        {"pacr_downsample", pacr_downsample},
                                        {"pacr_strided", pacr_strided},
                                        {"pacr_adc", pacr_adc},
                                        {"pacr_l1", pacr_l1},
                                        {"pacr_setreg", pacr_setreg},
                                        {0}};
