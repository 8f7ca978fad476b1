/*
 * gen_matrix.c - cases of the Matrix Unit.
 *
 * Left out because nothing says what happens: 5-bit beside 8-bit operands, exponents beyond 31 in 5-bit
 * operands, 16 rows of SrcA that begin beyond row 48, TF32 from Dst16, dest_32b_lo with TF32 or Dst16,
 * Zero_Flag_disabled_src in arithmetic, SHIFTXA behind an instruction without a row of SrcA.
 */
#include "gen.h"

/* Formats of both operands, and where the unit finds them. */
static void formats(struct pg_case *c, struct rng *r, unsigned fa, unsigned fb)
{
    struct pg *m = &c->start;
    uint16_t *th = m->th[c->thread[0]];
    const unsigned f[2] = {fa, fb};
    for (unsigned w = 0; w < 2; w++) {
        bool off = rng_percent(r, 40), over = off && w == PG_A && rng_percent(r, 20);
        th[2 + w] = off;
        for (unsigned bank = 0; bank < 2; bank++)
            m->fmt[w][bank] = (uint8_t)(off ? rng_below(r, 12) : f[w]);
        gen_set(c, 1, w ? 21 : 17, 4, off && !over ? f[w] : rng_next(r));
        gen_set(c, 0, w ? 5 : 0, 4, over ? f[w] : rng_next(r));
        gen_set(c, 0, w ? 9 : 4, 1, over);
        gen_src(c, r, w, f[w]);
    }
}

enum { EIGHT, TF32, FIVE, WHOLE };

/* A style of arithmetic with data for it. */
static unsigned style(struct pg_case *c, struct rng *r, const uint8_t *styles, unsigned n)
{
    unsigned s = gen_pick(r, styles, n), fa, fb;
    bool wide = rng_percent(r, 50);
    switch (s) {
    case EIGHT:
        fa = GEN_PICK(r, F_FP32, F_BF16, F_BFP8, F_BFP4, F_BFP2);
        fb = GEN_PICK(r, F_FP32, F_BF16, F_BFP8, F_BFP4, F_TF32);
        break;
    case TF32:
        fa = F_TF32;
        fb = GEN_PICK(r, F_TF32, F_BF16);
        break;
    case FIVE:
        fa = GEN_PICK(r, F_FP16, F_FP16, F_FP8, F_BFP8A, F_BFP4A, F_BFP2A);
        fb = fa;
        break;
    default: fa = fb = F_INT8; break;
    }
    formats(c, r, fa, fb);
    gen_set(c, 1, 29, 1, wide);
    gen_set(c, 1, 31, 1, s == WHOLE);
    if (s == FIVE && fa == F_FP16 && rng_percent(r, 15)) {
        c->start.th[c->thread[0]][55] = 1;
        wide = false;
    }
    enum gen_cells cells = s == FIVE && !wide ? CELLS_FIVE : CELLS_EIGHT;
    gen_dst(c, r, s == WHOLE && rng_percent(r, 50) ? CELLS_ANY : cells, false);
    return s;
}

/* The Matrix Unit owns what it reads. */
static void own(struct pg_case *c, struct rng *r)
{
    struct pg *m = &c->start;
    for (unsigned w = 0; w < 2; w++)
        for (unsigned bank = 0; bank < 2; bank++)
            m->owner[w][bank] = bank == m->mbank[w] || rng_percent(r, 50);
    m->th[c->thread[0]][7] = rng_next(r) & 3;
    m->th[c->thread[0]][11] = rng_next(r) & 3;
    gen_addr_mods(c, r, true);
}

static uint32_t flips(struct rng *r)
{
    return rng_percent(r, 20) ? rng_next(r) & 3u << 22 : 0;
}

/* SrcA rows stay below 64 whatever the modifiers do. */
static void low_rows(struct pg_case *c)
{
    struct pg *m = &c->start;
    unsigned t = c->thread[0];
    m->rwc[t].a %= 16;
    m->rwc[t].a_cr %= 16;
    for (unsigned i = 0; i < 8; i++)
        m->th[t][12 + i] &= 0xffcf;
    for (unsigned i = 0; i < 8; i++)
        m->th[t][12 + i] &= 0xfffb;
}

static void repeat(struct pg_case *c, struct rng *r, uint32_t fixed, uint32_t random)
{
    unsigned n = 1 + rng_below(r, 3);
    for (unsigned i = 0; i < n; i++)
        gen_add(c, fixed | (rng_next(r) & random) | flips(r));
}

static const uint8_t all_styles[] = {EIGHT, EIGHT, TF32, FIVE, FIVE, WHOLE};

static void mvmul(struct pg_case *c, struct rng *r)
{
    gen_base(c, r, "mvmul");
    style(c, r, all_styles, sizeof all_styles);
    own(c, r);
    low_rows(c);
    repeat(c, r, 38u << 24, 0x9c3ff);
}

static void dotpv(struct pg_case *c, struct rng *r)
{
    gen_base(c, r, "dotpv");
    style(c, r, all_styles, sizeof all_styles);
    own(c, r);
    low_rows(c);
    repeat(c, r, 41u << 24, 0x1c3ff);
}

static void gapool(struct pg_case *c, struct rng *r)
{
    gen_base(c, r, "gapool");
    style(c, r, all_styles, sizeof all_styles);
    own(c, r);
    low_rows(c);
    repeat(c, r, 52u << 24, 0xb83ff);
}

static void elwmul(struct pg_case *c, struct rng *r)
{
    gen_base(c, r, "elwmul");
    style(c, r, all_styles, sizeof all_styles);
    own(c, r);
    repeat(c, r, 39u << 24, 0x3fc3ff);
}

static void elwadd(struct pg_case *c, struct rng *r)
{
    gen_base(c, r, "elwadd");
    style(c, r, all_styles, sizeof all_styles);
    own(c, r);
    repeat(c, r, (rng_percent(r, 50) ? 40u : 48u) << 24, 0x3fc3ff);
}

static void gmpool(struct pg_case *c, struct rng *r)
{
    gen_base(c, r, "gmpool");
    style(c, r, all_styles, sizeof all_styles);
    own(c, r);
    unsigned t = c->thread[0], near = rng_below(r, 3);
    struct pg *m = &c->start;
    for (unsigned i = 0; i < 64 * 16; i++) {
        uint32_t *a = &m->src[PG_A][m->mbank[PG_A]][i / 16][i % 16];
        if (near) /* ties and near ties */
            *a = (*a & (near == 1 ? 0x7f8ffu : 0x407ffu));
    }
    if (rng_percent(r, 40)) /* no scaling */
        for (unsigned i = 0; i < 64 * 16; i++)
            m->src[PG_B][m->mbank[PG_B]][i / 16][i % 16] =
                pg_five_bits(pg_matrix_format(m, t, PG_A)) ? 15 : 127;
    repeat(c, r, 51u << 24 | 1u << 19, 0x3c3ff);
}

/* Formats of moves: one family on both sides. */
static unsigned move_style(struct pg_case *c, struct rng *r, bool no_tf32)
{
    static const uint8_t eight[] = {F_FP32, F_BF16, F_BFP8, F_BFP4, F_BFP2, F_INT32, F_INT16};
    static const uint8_t five[] = {F_FP16, F_FP8, F_BFP8A, F_BFP4A, F_BFP2A, F_INT8};
    unsigned kind = rng_below(r, no_tf32 ? 2 : 3);
    unsigned f = kind == 0 ? gen_pick(r, eight, 7) : (kind == 1 ? gen_pick(r, five, 6) : F_TF32);
    formats(c, r, f, f);
    uint16_t *th = c->start.th[c->thread[0]];
    th[3] = th[2]; /* SrcB's own switch decides nothing then */
    for (unsigned i = 0; i < 4; i++)
        c->start.fmt[i / 2][i % 2] = (uint8_t)f;
    gen_set(c, 1, 17, 4, f);
    gen_set(c, 1, 21, 4, f);
    gen_dst(c, r, CELLS_ANY, false);
    gen_set(c, 2, 0, 1, rng_next(r));
    own(c, r);
    if (kind == 1 && rng_percent(r, 15))
        c->start.th[c->thread[0]][55] = 1;
    return f;
}

static void mova2d(struct pg_case *c, struct rng *r)
{
    static const uint8_t ops[] = {18, 9};
    gen_base(c, r, "mova2d");
    bool low = rng_percent(r, 30);
    move_style(c, r, low);
    gen_set(c, 1, 29, 1, rng_next(r));
    uint32_t op = gen_pick(r, ops, 2);
    unsigned n = 1 + rng_below(r, 3);
    for (unsigned i = 0; i < n; i++)
        gen_add(c, op << 24 | (uint32_t)low << 23 | (rng_next(r) & 0x7fe3ff));
    gen_blocks(c, r);
}

static void movb2d(struct pg_case *c, struct rng *r)
{
    gen_base(c, r, "movb2d");
    bool low = rng_percent(r, 30);
    move_style(c, r, low);
    gen_set(c, 1, 29, 1, rng_next(r));
    unsigned n = 1 + rng_below(r, 3);
    for (unsigned i = 0; i < n; i++)
        gen_add(c, 19u << 24 | (uint32_t)low << 23 | (rng_next(r) & 0x7ffbff));
    gen_blocks(c, r);
}

static void movd2ab(struct pg_case *c, struct rng *r)
{
    gen_base(c, r, "movd2a/b");
    bool wide = rng_percent(r, 60);
    move_style(c, r, !wide);
    if (c->start.th[c->thread[0]][55])
        wide = false;
    gen_set(c, 1, 29, 1, wide && rng_percent(r, 70));
    gen_set(c, 1, 31, 1, wide && !pg_cfg(&c->start, c->thread[0], 1, 29, 1));
    uint32_t op = rng_percent(r, 50) ? 8 : 10;
    unsigned n = 1 + rng_below(r, 3);
    for (unsigned i = 0; i < n; i++)
        gen_add(c, op << 24 | (wide ? rng_next(r) & 1u << 23 : 0) | (rng_next(r) & 0x7fe3ff));
    gen_blocks(c, r);
}

static void movb2a(struct pg_case *c, struct rng *r)
{
    gen_base(c, r, "movb2a");
    move_style(c, r, false);
    unsigned n = 1 + rng_below(r, 3);
    for (unsigned i = 0; i < n; i++)
        gen_add(c, 11u << 24 | (rng_next(r) & 0x7fe03f));
    gen_blocks(c, r);
}

static void shifts(struct pg_case *c, struct rng *r)
{
    gen_base(c, r, "shiftx");
    move_style(c, r, false);
    switch (rng_below(r, 4)) {
    case 0:
        gen_add(c, 11u << 24 | (rng_next(r) & 0x7fe03f));
        gen_add(c, 23u << 24 | 2 | (rng_next(r) & 1));
        break;
    case 1:
        gen_add(c, 18u << 24 | (rng_next(r) & 0x7fe3ff));
        gen_add(c, 23u << 24 | 2 | (rng_next(r) & 1));
        gen_add(c, 23u << 24 | 2 | (rng_next(r) & 1));
        break;
    case 2: gen_add(c, 22u << 24); break;
    default:
        for (unsigned i = 0; i < 4; i++)
            gen_add(c, 24u << 24 | (rng_next(r) & 0x1c43f));
        break;
    }
}

/* Any instructions of the unit in a row, in one style, for what one leaves behind for the next. */
static void mixed(struct pg_case *c, struct rng *r)
{
    static const uint8_t styles[] = {EIGHT, TF32, FIVE, WHOLE};
    static const uint8_t codes[] = {F_BF16, F_TF32, F_FP16, F_INT8};
    gen_base(c, r, "mixed");
    unsigned s = style(c, r, styles, sizeof styles);
    formats(c, r, codes[s], codes[s]);
    uint16_t *th = c->start.th[c->thread[0]];
    th[3] = th[2];
    for (unsigned i = 0; i < 4; i++)
        c->start.fmt[i / 2][i % 2] = codes[s];
    gen_set(c, 1, 17, 4, codes[s]);
    gen_set(c, 1, 21, 4, codes[s]);
    if (s == TF32)
        gen_set(c, 1, 29, 1, 1);
    own(c, r);
    low_rows(c);
    for (unsigned i = 0; i < 8; i++)
        th[12 + i] &= 0xffc1;
    static const struct {
        uint32_t op, fixed, random;
    } words[] = {{38, 0, 0x9c3ff},  {41, 0, 0x1c3ff},  {52, 0, 0xb83ff},        {39, 0, 0x3fc3ff},
                 {40, 0, 0x3fc3ff}, {48, 0, 0x3fc3ff}, {51, 1u << 19, 0x3c3ff}, {18, 0, 0x7fe3ff},
                 {9, 0, 0x7fe3ff},  {19, 0, 0x7ffbff}, {8, 0, 0x7fe3ff},        {10, 0, 0x7fe3ff},
                 {11, 0, 0x7fe03f}, {22, 0, 0},        {24, 0, 0x1c43f},        {16, 0, 0x1c3ff},
                 {17, 0, 0x1f},     {55, 0, 0x3c3fce}, {56, 0, 0x1bfc00},       {16, 3u << 19, 0},
                 {16, 2u << 19, 1}};
    unsigned n = 3 + rng_below(r, 10);
    for (unsigned i = 0; i < n; i++) {
        unsigned k = rng_below(r, sizeof words / sizeof *words);
        gen_add(c, words[k].op << 24 | words[k].fixed | (rng_next(r) & words[k].random));
    }
    if (rng_percent(r, 50)) {
        c->plays = 1 + rng_below(r, 3);
        c->drain = false;
    }
}

static void zeroacc(struct pg_case *c, struct rng *r)
{
    gen_base(c, r, "zeroacc");
    gen_dst(c, r, CELLS_ANY, false);
    gen_addr_mods(c, r, true);
    gen_set(c, 1, 29, 1, rng_next(r));
    gen_set(c, 1, 31, 1, rng_percent(r, 20));
    unsigned n = 1 + rng_below(r, 3);
    for (unsigned i = 0; i < n; i++) {
        uint32_t mode = rng_below(r, 4), wide = rng_next(r) & 1, where = rng_next(r) & 0x3ff;
        if (mode == 1) /* an index plus an offset beyond Dst is not described */
            where = rng_percent(r, 10) ? 255 : rng_below(r, wide ? 16 : 32);
        uint32_t revert = mode == 1 && wide && rng_percent(r, 25);
        gen_add(c,
                16u << 24 | mode << 19 | wide << 18 | revert << 17 | (rng_next(r) & 0x1c000) |
                    where);
    }
}

static void clears(struct pg_case *c, struct rng *r)
{
    gen_base(c, r, "zerosrc");
    formats(c, r, F_TF32, F_TF32);
    own(c, r);
    unsigned n = 1 + rng_below(r, 3);
    for (unsigned i = 0; i < n; i++)
        gen_add(c, 17u << 24 | (rng_next(r) & 0x1f));
}

static void counters(struct pg_case *c, struct rng *r)
{
    gen_base(c, r, "rwc/cleardvalid");
    own(c, r);
    unsigned n = 2 + rng_below(r, 8);
    for (unsigned i = 0; i < n; i++)
        switch (rng_below(r, 5)) {
        case 0:
            gen_add(c, 54u << 24 | (rng_next(r) & (3u << 22 | (rng_percent(r, 30) ? 3 : 2))));
            break;
        case 1:
        case 2: gen_add(c, 55u << 24 | (rng_next(r) & 0x3fffcf) | flips(r)); break;
        default: gen_add(c, 56u << 24 | (rng_next(r) & 0x1fffc0)); break;
        }
}

const struct pg_kind pg_kinds_matrix[] = {{"mvmul", mvmul},
                                          {"dotpv", dotpv},
                                          {"gapool", gapool},
                                          {"elwmul", elwmul},
                                          {"elwadd", elwadd},
                                          {"gmpool", gmpool},
                                          {"mova2d", mova2d},
                                          {"movb2d", movb2d},
                                          {"movd2ab", movd2ab},
                                          {"movb2a", movb2a},
                                          {"shiftx", shifts},
                                          {"zeroacc", zeroacc},
                                          {"zerosrc", clears},
                                          {"counters", counters},
                                          {"mixed", mixed},
                                          {0}};
