/*
 * gen_unpack.c - cases of the unpackers.
 *
 * Left out because nothing says what happens: other pairs of formats than the page's table, exponents of BFPxa
 * that leave 5 bits, rows of SrcA beyond 63, part of an invalid row of Dst, unpacker 1 with
 * contexts from 2 on, tilizing from an address that is not a multiple of 16.
 */
#include "gen.h"

struct pair {
    uint8_t in, out;
};

static const struct pair to_src[] = {{F_FP32, F_TF32},
                                     {F_FP32, F_BF16},
                                     {F_FP32, F_FP16},
                                     {F_BF16, F_BF16},
                                     {F_BFP8, F_BFP8},
                                     {F_BFP4, F_BFP4},
                                     {F_BFP2, F_BFP2},
                                     {F_FP16, F_FP16},
                                     {F_FP8, F_FP8},
                                     {F_BFP8A, F_BFP8A},
                                     {F_BFP4A, F_BFP4A},
                                     {F_BFP2A, F_BFP2A},
                                     {F_INT16, F_INT16},
                                     {F_INT8, F_INT8}};

static const struct pair to_dst[] = {{F_FP32, F_FP32},
                                     {F_FP32, F_TF32},
                                     {F_TF32, F_TF32},
                                     {F_FP32, F_BF16},
                                     {F_FP32, F_FP16},
                                     {F_BF16, F_BF16},
                                     {F_BFP8, F_BFP8},
                                     {F_BFP4, F_BFP4},
                                     {F_BFP2, F_BFP2},
                                     {F_FP16, F_FP16},
                                     {F_FP8, F_FP8},
                                     {F_BFP8A, F_BFP8A},
                                     {F_BFP4A, F_BFP4A},
                                     {F_BFP2A, F_BFP2A},
                                     {F_INT16, F_INT16},
                                     {F_INT8, F_INT8},
                                     {F_INT32, F_INT32}};

struct setup {
    unsigned u, context, in, out, thread;
    bool multi, to_dst;
};

static void sec(struct pg_case *c, const struct setup *s, unsigned word, unsigned lo,
                unsigned width, uint32_t value)
{
    gen_set(c, word + 48 * s->u, lo, width, value);
}

static bool is_a(unsigned f)
{
    return f == F_BFP8A || f == F_BFP4A || f == F_BFP2A;
}

/* Which context, formats and destination; noise in the fields that do not count. */
static void choose(struct pg_case *c, struct rng *r, struct setup *s)
{
    uint16_t *th = c->start.th[s->thread];
    const struct pair *p = s->to_dst ? &to_dst[rng_below(r, sizeof to_dst / sizeof *to_dst)]
                                     : &to_src[rng_below(r, sizeof to_src / sizeof *to_src)];
    s->in = p->in;
    s->out = p->out;
    bool own = s->multi && rng_percent(r, 30);
    unsigned up = (s->context >> 2) * 8, at = 92 + (s->context & 3);
    sec(c, s, 72, 14, 1, own || (!s->multi && rng_percent(r, 30)));
    sec(c, s, at, 16 + up, 4, own ? s->in : rng_next(r));
    sec(c, s, at, 20 + up, 4, own ? s->out : rng_next(r));
    sec(c, s, 64, 0, 4, own ? rng_next(r) : s->in);
    sec(c, s, 72, 0, 4, own ? rng_next(r) : s->out);
    sec(c, s, 64, 4, 1, 1);
    sec(c, s, 73, 0, 4, 15);
    sec(c, s, 73, 16, 4, 15);
    sec(c, s, 72, 11, 1, s->multi ? rng_next(r) : s->to_dst);
    sec(c,
        s,
        73,
        4 + 16 * (s->context >> 2) + (s->context & 3),
        1,
        s->multi ? s->to_dst : rng_next(r));
    sec(c, s, 71, 22, 1, rng_next(r));
    sec(c, s, 64, 5, 1, rng_percent(r, 20));
    gen_set(c, 1, 15, 2, rng_next(r));
    bool forced = rng_percent(r, is_a(s->in) ? 60 : 25);
    sec(c, s, 73, 8, 1, forced);
    gen_set(c, 50 + 12 * s->u, 0, 8, is_a(s->in) ? 7 + rng_below(r, 25) : rng_next(r));
    if (is_a(s->in) && !forced) /* whatever byte is an exponent fits 5 bits */
        for (unsigned i = 0; i < PG_L1; i++)
            c->start.l1[i] = (uint8_t)(7 + c->start.l1[i] % 25);
    th[2] = th[3] = 0;
}

static void from(struct pg_case *c, struct rng *r, const struct setup *s, unsigned adc)
{
    struct pg *m = &c->start;
    uint32_t xdim = GEN_PICK(r, 16, 32, 48, 64), ydim = 1 + rng_below(r, 16);
    if (s->multi && !s->u) {
        gen_set(c, 86 + (s->context & 3) / 2, (s->context & 1) * 16, 16, xdim);
        sec(c, s, 64, 16, 16, rng_next(r));
    } else {
        sec(c, s, 64, 16, 16, xdim);
    }
    sec(c, s, 65, 0, 8, ydim);
    sec(c, s, 65, 16, 8, rng_below(r, 4));
    sec(c, s, 66, 0, 8, rng_below(r, 3));
    sec(c, s, 67, 24, 8, rng_percent(r, 30) ? rng_below(r, 4) : 0);
    sec(c, s, 76 + s->context, 0, 32, rng_below(r, 400));
    sec(c, s, 92 + (s->context & 3), 0, 16, rng_percent(r, 50) ? 0 : rng_below(r, 100));
    sec(c, s, 74, 0, 17, 0x1ffff);
    struct pg_counter(*xy)[4] = m->adc[adc][s->u], (*own)[4] = m->adc[s->thread][s->u];
    xy[0][PG_X].v = rng_percent(r, 60) ? 0 : rng_below(r, 40);
    xy[0][PG_Y].v = rng_below(r, 6);
    own[0][PG_Z].v = rng_below(r, 3);
    own[0][PG_W].v = rng_below(r, 2);
}

/* Where the datums go: at most n rows, the first at `row`. */
static void to(struct pg_case *c, struct rng *r, const struct setup *s, uint32_t at)
{
    uint32_t size = (s->out & 3) == 0 ? 4 : ((s->out & 3) == 1 ? 2 : 1), own = 0;
    struct pg *m = &c->start;
    if (s->multi && !s->u) {
        bool add = s->to_dst || rng_percent(r, 40);
        gen_set(c, 50, 8, 1, s->to_dst ? rng_next(r) : add);
        own = add ? rng_below(r, at + 1) : at;
        gen_set(c, 84 + (s->context & 3) / 2, (s->context & 1) * 16, 16, own);
        if (!add) {
            gen_set(c, 49, 0, 18, rng_next(r));
            return;
        }
    }
    at -= own;
    struct pg_counter *ch = m->adc[s->thread][s->u][1];
    uint32_t rest = at * size, step = rng_below(r, 8) * 16 * size;
    ch[PG_Y].v = rng_below(r, 3);
    ch[PG_Z].v = rng_below(r, 3);
    ch[PG_W].v = rng_below(r, 2);
    uint32_t used = 0;
    for (unsigned d = PG_Y; d <= PG_W; d++) {
        uint32_t v = used + ch[d].v * step <= rest ? step : 0;
        used += ch[d].v * v;
        gen_set(c, 56 + 2 * s->u + (d >= PG_Z), d == PG_Z ? 0 : 16, 16, v);
    }
    gen_set(c, 49 + 12 * s->u, 0, 18, rest - used);
}

/* How many datums, and where in the destination they begin. */
static void extent(struct pg_case *c, struct rng *r, const struct setup *s, unsigned adc,
                   bool whole)
{
    struct pg *m = &c->start;
    uint16_t *th = m->th[s->thread];
    uint32_t rows = s->to_dst ? 960 : 64, at;
    uint32_t n = 1 + rng_below(r, GEN_PICK(r, 16, 64, 255) + 1u);
    bool addressed = rng_percent(r, 50);
    if (whole)
        n = (n + 15) & ~15u;
    th[5] = (uint16_t)(rng_below(r, 3) | (addressed ? 4 : 0));
    th[6] = (uint16_t)rng_below(r, 4);
    for (unsigned w = 0; w < 2; w++)
        for (unsigned t = 0; t < 3; t++)
            m->srcrow[w][t] = rng_below(r, 4) * 16;
    if (!s->u && !s->to_dst && !addressed)
        rows = 16;
    if (n > rows * 16)
        n = rows * 16;
    at = rng_below(r, rows * 16 - n + 1);
    if (whole)
        at &= ~15u;
    if (!s->u)
        at += rng_percent(r, 10) && !s->to_dst && at < 64 ? 0 : 64; /* rows below 4 are dropped */
    m->adc[adc][s->u][1][PG_X].v = m->adc[adc][s->u][0][PG_X].v + n - 1;
    to(c, r, s, at);
}

static uint32_t unpacr(struct rng *r, const struct setup *s, unsigned adc, bool valid)
{
    return 66u << 24 | 1 | s->u << 23 | (rng_next(r) & 0xff) << 15 | s->context << 10 | adc << 8 |
           (uint32_t)s->multi << 7 | (uint32_t)valid << 6;
}

static struct setup basics(struct pg_case *c, struct rng *r, const char *kind)
{
    gen_base(c, r, kind);
    gen_src(c, r, PG_A, F_TF32);
    gen_src(c, r, PG_B, F_TF32);
    gen_dst(c, r, CELLS_ANY, false);
    struct setup s = {.thread = c->thread[0], .u = rng_next(r) & 1, .multi = rng_percent(r, 65)};
    s.context = s.multi ? rng_below(r, s.u ? 2 : 8) : 0;
    return s;
}

static void unpack_case(struct pg_case *c, struct rng *r, struct setup s, bool zero)
{
    unsigned adc = s.multi ? (rng_percent(r, 70) ? s.thread : rng_below(r, 3)) : s.thread;
    bool holes = false;
    for (unsigned i = 0; i < 1024; i++)
        holes = holes || !c->start.valid[i];
    choose(c, r, &s);
    from(c, r, &s, adc);
    extent(c, r, &s, adc, s.to_dst && holes);
    sec(c, &s, 72, 10, 1, rng_percent(r, 30));
    if (s.multi && rng_percent(r, 50)) { /* the thread's offset names the context, too */
        unsigned offset = rng_below(r, 8);
        c->start.th[s.thread][41] =
            (uint16_t)(offset << 8 * s.u | rng_below(r, 8) << 8 * (s.u ^ 1));
        s.context = (s.context - offset) & 7;
    }
    gen_add(c, unpacr(r, &s, adc, rng_percent(r, 60)) | (zero ? 16 : 0));
}

static void unpacr_src(struct pg_case *c, struct rng *r)
{
    struct setup s = basics(c, r, "unpacr to Src");
    unpack_case(c, r, s, rng_percent(r, 8));
}

static void unpacr_dst(struct pg_case *c, struct rng *r)
{
    struct setup s = basics(c, r, "unpacr to Dst");
    s.u = 0;
    s.to_dst = true;
    unpack_case(c, r, s, rng_percent(r, 8));
}

/* Transpose, tilize, shift, upsampling */
static void unpacr_modes(struct pg_case *c, struct rng *r)
{
    struct setup s = basics(c, r, "unpacr modes");
    unpack_case(c, r, s, false);
    struct pg *m = &c->start;
    unsigned adc = s.multi ? c->word[0] >> 8 & 3 : s.thread;
    unsigned mode = rng_below(r, 4);
    bool shared = pg_cfg(m, s.thread, 73 + 48 * s.u, 8, 1);
    if (mode == 0 && !s.u) {
        sec(c, &s, 72, 16 + 4 * (s.context & 3), 4, rng_next(r));
    } else if (mode == 1) {
        sec(c,
            &s,
            72,
            12,
            2,
            1 + rng_below(r, 3)); /* what falls out of the bank is cut: see below */
        sec(c, &s, 72, 15, 1, rng_next(r));
        uint32_t *end = &m->adc[adc][s.u][1][PG_X].v, start = m->adc[adc][s.u][0][PG_X].v;
        *end = start + (*end - start) / 8;
    } else {
        m->adc[adc][s.u][0][PG_X].v &= ~15u;
        m->adc[adc][s.u][1][PG_X].v |= 15;
        if (mode == 2 && !s.u && pg_cfg(m, s.thread, 73, 8, 1) == shared)
            sec(c, &s, 72, 8, 1, 1);
        unsigned in =
            s.multi && pg_cfg(m, s.thread, 72 + 48 * s.u, 14, 1)
                ? pg_cfg(m, s.thread, 92 + 48 * s.u + (s.context & 3), 16 + 8 * (s.context >> 2), 4)
                : pg_cfg(m, s.thread, 64 + 48 * s.u, 0, 4);
        if (mode == 3 && (in & 3) != 3 && in != F_BFP8 && in != F_BFP8A) {
            sec(c, &s, 72, 9, 1, 1);
            sec(c, &s, 72, 16, 12, rng_below(r, 40));
        }
        to(c, r, &s, s.u ? 0 : 64);
        uint32_t x = m->adc[adc][s.u][0][PG_X].v, *end = &m->adc[adc][s.u][1][PG_X].v;
        if (*end - x >= 256)
            *end = x + 255;
    }
}

/* Addresses that wrap */
static void unpacr_wrap(struct pg_case *c, struct rng *r)
{
    struct setup s = basics(c, r, "unpacr wrap");
    unpack_case(c, r, s, false);
    struct pg *m = &c->start;
    uint32_t base = pg_cfg(m, s.thread, 76 + s.context + 48 * s.u, 0, 32) +
                    pg_cfg(m, s.thread, 92 + (s.context & 3) + 48 * s.u, 0, 16);
    unsigned adc = s.multi ? c->word[0] >> 8 & 3 : s.thread;
    struct pg_counter *x = &m->adc[adc][s.u][0][PG_X];
    uint32_t lost = x->v & 15;
    x->v -= lost;
    m->adc[adc][s.u][1][PG_X].v -= lost;
    sec(c, &s, 74, 0, 17, base + rng_below(r, 60));
    sec(c, &s, 75, 0, 17, rng_below(r, base + 1));
}

/* Several in a row: SrcRow, counters, context counter */
static void unpacr_rows(struct pg_case *c, struct rng *r)
{
    struct setup s = basics(c, r, "unpacr row counters");
    s.to_dst = false;
    unpack_case(c, r, s, false);
    struct pg *m = &c->start;
    unsigned n = 2 + rng_below(r, 4);
    sec(c, &s, 72, 10, 1, rng_percent(r, 80));
    c->word[0] &= ~(0xffu << 15);
    unsigned adc = s.multi ? c->word[0] >> 8 & 3 : s.thread;
    uint32_t x = m->adc[adc][s.u][0][PG_X].v, *end = &m->adc[adc][s.u][1][PG_X].v;
    if (!s.u) {
        to(c, r, &s, 64);
        *end = x + rng_below(r, 16) * 16;
    }
    for (unsigned i = 1; i < n; i++)
        gen_add(c, (c->word[0] & ~0x40u) | (rng_percent(r, 30) ? 0x40 : 0));
}

/* The context counter names the context. */
static void unpacr_contexts(struct pg_case *c, struct rng *r)
{
    struct setup s = basics(c, r, "unpacr context counter");
    s.multi = true;
    s.context = 0;
    unpack_case(c, r, s, false);
    unsigned count = rng_below(r, s.u ? 2 : 4), n = 2 + rng_below(r, 6);
    sec(c, &s, 72, 6, 2, count);
    sec(c, &s, 72, 14, 1, 0);
    sec(c, &s, 64, 0, 4, F_BF16);
    sec(c, &s, 72, 0, 4, F_BF16);
    sec(c, &s, 73, 8, 1, 0);
    c->start.th[s.thread][41] = 0;
    for (unsigned i = 0; i < 8; i++) {
        sec(c, &s, 76 + i, 0, 32, rng_below(r, 1000));
        if (!s.u) {
            gen_set(c, 84 + (i & 3) / 2, (i & 1) * 16, 16, 64 + 16 * rng_below(r, 8));
            gen_set(c, 86 + (i & 3) / 2, (i & 1) * 16, 16, 32);
        }
    }
    gen_set(c, 50, 8, 1, 0);
    if (s.u)
        to(c, r, &s, 0);
    struct pg_counter(*xy)[4] = c->start.adc[c->word[0] >> 8 & 3][s.u];
    xy[1][PG_X].v = xy[0][PG_X].v + 127;
    c->start.th[s.thread][5] |= 4;
    uint32_t word = (c->word[0] & ~(0xffu << 15 | 0x40u)) | 8;
    c->word[0] = word;
    for (unsigned i = 1; i < n; i++)
        gen_add(c, rng_percent(r, 30) ? 66u << 24 | s.u << 23 | 1u << 13 : word);
}

/* RowSearch: whole rows, or blobs of a plane */
static void unpacr_search(struct pg_case *c, struct rng *r)
{
    struct setup s = basics(c, r, "unpacr row search");
    unpack_case(c, r, s, false);
    struct pg *m = &c->start;
    c->word[0] |= 4;
    unsigned adc = s.multi ? c->word[0] >> 8 & 3 : s.thread;
    struct pg_counter(*xy)[4] = m->adc[adc][s.u];
    if ((s.multi && !s.u) || rng_percent(r, 30)) {
        xy[1][PG_X].v -= xy[0][PG_X].v; /* from the start of the row */
        return;
    }
    unsigned blobs = 1 + rng_below(r, 7);
    sec(c, &s, 64, 8, 3, blobs);
    for (unsigned i = 0; i < 8; i++)
        sec(c, &s, i < 4 ? 66 : 67, i < 4 ? 16 + 4 * i : 4 * i - 16, 4, i * (1 + i / 4) % 16);
    sec(c, &s, 64, 16, 16, 16 * (15 + rng_below(r, 2)));
    sec(c, &s, 65, 0, 8, 1);
    xy[0][PG_Y].v = rng_below(r, blobs);
    xy[0][PG_X].v = xy[0][PG_Y].v + rng_below(r, blobs - xy[0][PG_Y].v);
    to(c, r, &s, s.u ? 0 : 64);
    m->th[s.thread][5] |= 4;
}

/* Compressed tiles: the table of row starts makes sense, the rest need not. */
static void unpacr_packed(struct pg_case *c, struct rng *r)
{
    struct setup s = basics(c, r, "unpacr compressed");
    s.to_dst = !s.u && rng_percent(r, 30);
    for (unsigned i = 0; i < 1024; i++)
        c->start.valid[i] = 1;
    unpack_case(c, r, s, rng_percent(r, 8));
    struct pg *m = &c->start;
    sec(c, &s, 64, 4, 1, s.multi);
    sec(c, &s, 73, (s.context & 3) + 16 * (s.context >> 2), 1, !s.multi);
    if (rng_percent(r, 30))
        sec(c, &s, 64, 8, 3, rng_next(r));
    uint32_t at = pg_cfg(m, s.thread, 76 + s.context + 48 * s.u, 0, 32) +
                  pg_cfg(m, s.thread, 92 + (s.context & 3) + 48 * s.u, 0, 16);
    at = (at + 1 + pg_cfg(m, s.thread, 67 + 48 * s.u, 24, 8)) * 16;
    for (uint32_t i = 0, start = rng_below(r, 70); i < 300; i++, start += rng_below(r, 40)) {
        m->l1[at + 2 * i] = (uint8_t)start;
        m->l1[at + 2 * i + 1] = (uint8_t)(start >> 8);
    }
    unsigned adc = s.multi ? c->word[0] >> 8 & 3 : s.thread;
    struct pg_counter(*xy)[4] = m->adc[adc][s.u];
    if (rng_percent(r, 30)) { /* a whole row */
        xy[0][PG_X].v = 0;
        xy[1][PG_X].v =
            (s.multi && !s.u
                 ? pg_cfg(m, s.thread, 86 + (s.context & 3) / 2, (s.context & 1) * 16, 16)
                 : pg_cfg(m, s.thread, 64 + 48 * s.u, 16, 16)) -
            1;
    } else if (rng_percent(r, 40)) { /* several */
        c->word[0] |= 4;
        xy[0][PG_X].v = xy[0][PG_Y].v + rng_below(r, 4);
    }
    if (rng_percent(r, 25)) {
        sec(c, &s, 72, 12, 2, rng_next(r));
        sec(c, &s, 72, 15, 1, rng_next(r));
    }
}

/* SrcRow is each thread's own. */
static void unpacr_threads(struct pg_case *c, struct rng *r)
{
    struct setup s = basics(c, r, "unpacr by several threads");
    s.u = 1;
    s.multi = false;
    s.context = 0;
    unpack_case(c, r, s, false);
    struct pg *m = &c->start;
    unsigned bank = m->th[s.thread][0] & 1;
    c->together = false;
    gen_set(c, 120, 10, 1, 1);
    c->word[0] &= ~(0xffu << 15 | 0x40u);
    for (unsigned t = 0; t < 3; t++) {
        m->th[t][0] = (uint16_t)bank;
        m->th[t][6] = (uint16_t)rng_below(r, 4);
        for (unsigned i = 0; i < 8; i++)
            m->adc[t][1][i / 4][i % 4] = m->adc[s.thread][1][i / 4][i % 4];
    }
    for (unsigned i = 0; i < 5; i++) {
        gen_add(c, c->word[0] | (rng_percent(r, 20) ? 0x40 : 0));
        c->thread[c->n - 1] = (uint8_t)rng_below(r, 3);
    }
}

static void nops(struct pg_case *c, struct rng *r)
{
    struct setup s = basics(c, r, "unpacr_nop");
    uint16_t *th = c->start.th[s.thread];
    th[5] = rng_next(r) & 3;
    th[6] = rng_next(r) & 3;
    gen_set(c, 53, 0, 32, rng_next(r));
    gen_set(c, 63, 0, 32, rng_next(r));
    gen_set(c, 72, 0, 4, rng_below(r, 12));
    gen_set(c, 120, 0, 4, rng_below(r, 12));
    for (unsigned w = 0; w < 2; w++)
        for (unsigned bank = 0; bank < 2; bank++)
            c->start.owner[w][bank] = rng_percent(r, 30);
    unsigned n = 1 + rng_below(r, 3);
    for (unsigned i = 0; i < n; i++) {
        uint32_t kind = GEN_PICK(r, 0, 0, 1, 2, 3), u = rng_next(r) & 1;
        uint32_t word = 67u << 24 | u << 23 | 1 | kind << 2 | (rng_next(r) & 0x130);
        if (kind == 2)
            word |= rng_below(r, 3) << 6;
        else if (rng_percent(r, 15))
            word = 67u << 24 | u << 23 | 1 | 3u << 6; /* hands over, nothing else */
        if (rng_percent(r, 10))
            word = 67u << 24 | u << 23 | 2; /* does nothing */
        gen_add(c, word);
    }
}

/* Pops of messages and register writes of one unpacker, between clears and UNPACRs; two would have no order. */
static void nop_registers(struct pg_case *c, struct rng *r)
{
    nops(c, r);
    c->kind = "unpacr_nop_registers";
    unsigned t = c->thread[0];
    c->start.th[t][42] = (uint16_t)rng_next(r);
    c->start.th[t][43] = (uint16_t)rng_next(r);
    c->start.tdma_unpack = rng_next(r) & 0xffffff7f;
    if (rng_percent(r, 60)) /* streams */
        c->start.tdma_unpack = (c->start.tdma_unpack & 0x0fffffff) | 0x50000000;
    c->start.sum[0] = rng_next(r) & 0x1ffff;
    c->start.sum[1] = rng_next(r) & 0x1ffff;
    uint32_t u = c->word[0] & 1u << 23;
    for (unsigned i = 0; i < c->n; i++)
        c->word[i] = (c->word[i] & ~(1u << 23)) | u;
    unsigned n = 1 + rng_below(r, 8);
    for (unsigned i = 0; i < n; i++) {
        uint32_t any = rng_next(r) & 0x7fff00, word = 67u << 24 | u;
        switch (rng_below(r, 4)) {
        case 0: word |= rng_percent(r, 50) ? 0 : any; break;
        case 1: word |= 3 | (any & 0x3f7000); break;
        default: word |= 7 | any | (rng_next(r) & 0xf8); break;
        }
        if ((word & 7) == 7 && rng_percent(r, 15))
            word &= ~0x7ff0u; /* clears the sum */
        if ((word & 7) == 7 && rng_percent(r, 70))
            word &= ~(1u << 22);
        gen_add(c, word);
    }
}

static void setdvalid(struct pg_case *c, struct rng *r)
{
    struct setup s = basics(c, r, "setdvalid");
    s.u = 1;
    s.multi = false;
    s.context = 0;
    unpack_case(c, r, s, false);
    uint32_t word = c->word[0];
    c->skip_formats = true;
    c->together = false;
    c->word[0] = 87u << 24 | (rng_next(r) & 3);
    c->start.owner[0][0] = rng_next(r) & 1;
    c->start.owner[0][1] = rng_next(r) & 1;
    gen_add(c, word);
    gen_add(c, 87u << 24 | (rng_next(r) & 3));
}

const struct pg_kind pg_kinds_unpack[] = {{"unpacr_src", unpacr_src},
                                          {"unpacr_dst", unpacr_dst},
                                          {"unpacr_modes", unpacr_modes},
                                          {"unpacr_wrap", unpacr_wrap},
                                          {"unpacr_rows", unpacr_rows},
                                          {"unpacr_contexts", unpacr_contexts},
                                          {"unpacr_search", unpacr_search},
                                          {"unpacr_threads", unpacr_threads},
                                          {"unpacr_packed", unpacr_packed},
                                          {"unpacr_nop", nops},
                                          {"unpacr_nop_registers", nop_registers},
                                          {"setdvalid", setdvalid},
                                          {0}};
