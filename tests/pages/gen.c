/*
 * gen.c - random state for a case: everything is noise, what matters is then set by the kind.
 */
#include "gen.h"

#include <string.h>

uint32_t gen_pick(struct rng *r, const uint8_t *values, unsigned n)
{
    return values[rng_below(r, n)];
}

void gen_add(struct pg_case *c, uint32_t word)
{
    if (c->n < PG_WORDS) {
        c->thread[c->n] = c->thread[0];
        c->word[c->n++] = word;
    }
}

void gen_set(struct pg_case *c, unsigned word, unsigned lo, unsigned width, uint32_t value)
{
    uint32_t mask = (uint32_t)(((UINT64_C(1) << width) - 1) << lo);
    for (unsigned bank = 0; bank < 2; bank++)
        if (word >= 180 || bank == (c->start.th[c->thread[0]][0] & 1)) {
            uint32_t *w = &c->start.cfg[bank][word];
            *w = (*w & ~mask) | (value << lo & mask);
        }
}

/* Mostly near one, so that sums mix; sometimes zero or far away. */
uint32_t gen_exponent(struct rng *r)
{
    switch (rng_below(r, 16)) {
    case 0: return 0;
    case 1: return rng_below(r, 256);
    case 2: return 255 - rng_below(r, 3);
    case 3: return 1 + rng_below(r, 3);
    case 4: return 108 + rng_below(r, 8);
    case 5: return 140 + rng_below(r, 8);
    default: return 115 + rng_below(r, 24);
    }
}

/* width bits, sometimes all the same */
static uint32_t fraction(struct rng *r, unsigned width)
{
    uint32_t all = (1u << width) - 1;
    switch (rng_below(r, 8)) {
    case 0: return 0;
    case 1: return all;
    case 2: return 1u << rng_below(r, width);
    default: return rng_next(r) & all;
    }
}

void gen_dst(struct pg_case *c, struct rng *r, enum gen_cells kind, bool plain)
{
    for (unsigned row = 0; row < 1024; row++) {
        uint32_t most = rng_percent(r, 20) ? 1 + rng_below(r, 8) : 32; /* some rows of small ones */
        for (unsigned j = 0; j < 16; j++) {
            uint32_t e = kind == CELLS_FIVE ? rng_below(r, most) : gen_exponent(r), v;
            if (most < 32 && kind == CELLS_EIGHT && !plain)
                e = rng_below(r, most);
            if (plain && kind == CELLS_EIGHT && e < 113)
                e = e & 1 ? 113 : 0;
            if (kind == CELLS_ANY)
                v = rng_next(r);
            else if (kind == CELLS_FIVE)
                v = (rng_next(r) & 0x8000) | fraction(r, 10) << 5 | e;
            else
                v = (rng_next(r) & 0x8000) | fraction(r, 7) << 8 | e;
            if (plain && kind != CELLS_ANY && !e)
                v = 0;
            c->start.dst[row][j] = (uint16_t)v;
        }
    }
    if (plain) /* a zero's low half is zero, too, whatever the row is used for */
        for (unsigned row = 0; row < 1024; row++)
            for (unsigned j = 0; j < 16; j++)
                if (!c->start.dst[row][j] && !(row & 8))
                    c->start.dst[row + 8][j] = 0;
}

/* One datum of a format, as the unpackers could have left it. */
static uint32_t src_datum(struct rng *r, unsigned format)
{
    uint32_t s = rng_next(r) & 1, f = fraction(r, 10);
    if (format == F_INT8) {
        f = rng_percent(r, 50) ? f & 0xff : f;
        return s << 18 | f << 8 | (f ? 16 : 0);
    }
    if (!pg_five_bits(format))
        return s << 18 | f << 8 | gen_exponent(r);
    if (format != F_FP16 && format != F_FP8)
        f &= ~7u;
    return s << 18 | f << 8 | rng_below(r, 32);
}

void gen_src(struct pg_case *c, struct rng *r, unsigned which, unsigned format)
{
    for (unsigned bank = 0; bank < 2; bank++)
        for (unsigned row = 0; row < 64; row++)
            for (unsigned j = 0; j < 16; j++)
                c->start.src[which][bank][row][j] = src_datum(r, format);
}

void gen_addr_mods(struct pg_case *c, struct rng *r, bool fidelity)
{
    uint16_t *th = c->start.th[c->thread[0]];
    for (unsigned i = 0; i < 8; i++) {
        th[12 + i] = (uint16_t)rng_next(r);
        th[28 + i] = (uint16_t)(rng_next(r) & (fidelity ? 0xffff : 0x1fff));
    }
}

void gen_blocks(struct pg_case *c, struct rng *r)
{
    if (rng_percent(r, 70))
        return;
    memset(c->start.valid, 1, sizeof c->start.valid); /* parts of other rows are undefined */
    for (unsigned i = 0; i < PG_LANES; i++)
        c->start.v.config[i] = i < 8 ? rng_next(r) & 0x600 : c->start.v.config[i % 8];
}

static void noise(struct pg_case *c, struct rng *r)
{
    struct pg *m = &c->start;
    unsigned own = m->th[c->thread[0]][0];
    for (unsigned i = 0; i < 180; i++)
        m->cfg[own ^ 1][i] = rng_next(r);
    for (unsigned i = 0; i < PG_L1; i += 4) {
        uint32_t v = rng_next(r);
        memcpy(&m->l1[i], &v, 4);
    }
    for (unsigned t = 0; t < 3; t++) {
        m->rwc[t] = (struct pg_rwc){rng_next(r) & 1023,
                                    rng_next(r) & 1023,
                                    rng_next(r) & 63,
                                    rng_next(r) & 63,
                                    rng_next(r) & 63,
                                    rng_next(r) & 63,
                                    rng_next(r) & 3};
        for (unsigned i = 0; i < 24; i++) {
            static const uint32_t mask[4] = {0x3ffff, 0x1fff, 0xff, 0xff};
            m->adc[t][i / 8][i / 4 % 2][i % 4] =
                (struct pg_counter){rng_next(r) & mask[i % 4], rng_next(r) & mask[i % 4]};
        }
    }
}

void gen_base(struct pg_case *c, struct rng *r, const char *kind)
{
    memset(c, 0, sizeof *c);
    c->kind = kind;
    c->thread[0] = (uint8_t)rng_below(r, 3);
    c->together = rng_percent(r, 50);
    c->drain = rng_percent(r, 25);
    struct pg *m = &c->start;
    m->th[c->thread[0]][0] = rng_next(r) & 1;
    noise(c, r);
    if (rng_percent(r, 50))
        gen_set(c, 220, 0, 2, rng_next(r));
    gen_set(c, 220, 3, 1, rng_next(r));
    bool holes = rng_percent(r, 50);
    for (unsigned i = 0; i < 1024; i++)
        m->valid[i] = !holes || rng_percent(r, 70);
    for (unsigned w = 0; w < 2; w++) {
        m->mbank[w] = rng_next(r) & 1;
        m->ubank[w] = rng_next(r) & 1;
        m->fmt[w][0] = m->fmt[w][1] = F_BF16;
    }
    m->th[c->thread[0]][1] = (uint16_t)(rng_percent(r, 50) ? 0 : rng_next(r) & 0xfff);
    if (rng_percent(r, 25))
        gen_set(c, 6, 0, 16, rng_next(r));
    c->rush = rng_next(r) & 1;
    c->plain = rng_next(r) & 1;
}
