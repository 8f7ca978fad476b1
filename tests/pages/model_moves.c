/*
 * model_moves.c - GMPOOL, moves between Src and Dst, SHIFTXA, SHIFTXB, TRNSPSRCB, ZEROACC, ZEROSRC.
 *
 * ISA pages: GMPOOL, MOVA2D, MOVDBGA2D, MOVB2D, MOVD2A, MOVD2B, MOVB2A, SHIFTXA, SHIFTXB, TRNSPSRCB, ZEROACC,
 * ZEROSRC. Blackhole's differences (formats that banks remember, three bits of addr_mod, ZEROACC of 16 rows
 * and its offset): fact sheet on numbers 3.9 to 3.12.
 */
#include "pages.h"

/* ---- GMPOOL, as its page writes it ---- */

enum style { S_INT8, S_INT32, S_FP16, S_BF16, S_TF32 };

struct datum {
    uint32_t sign, exponent, field; /* 1, 9, 10 bits */
};

static struct datum pool_dst(uint32_t v, enum style style)
{
    struct datum d = {.sign = v >> 31};
    switch (style) {
    case S_INT32:
        d.field = v & 0x3ff;
        d.exponent = (v >> 10 & 0x3f) + ((v >> 24 & 7) << 6);
        break;
    case S_FP16:
        d.exponent = (v >> 16 & 31) + 15;
        d.field = v >> 21 & 0x3ff;
        break;
    default:
        d.exponent = (v >> 16 & 255) + 127;
        d.field = (v >> 24 & 0x7f) << 3;
        if (style == S_TF32)
            d.field += v >> 13 & 7;
        break;
    }
    return d;
}

static uint32_t pool_result(struct datum d, enum style style)
{
    if (style == S_INT32)
        return d.sign << 31 | (d.exponent & 7) << 10 | d.field;
    if (style == S_FP16) {
        if (!(d.exponent & 0x3f))
            return 0;
        return d.sign << 31 | d.field << 21 | ((d.exponent - 15) & 31) << 16;
    }
    if (!d.exponent)
        return 0;
    uint32_t x = d.sign << 31 | (d.field & 0x3f8) << 21 | ((d.exponent - 127) & 255) << 16;
    return style == S_TF32 ? x + ((d.field & 7) << 13) : x;
}

static struct datum pool_src(uint32_t a, enum style style, uint32_t b)
{
    uint32_t ea = a & 255, eb = b & 255;
    if (!eb)
        return (struct datum){1, 511, 1023};
    if (!ea)
        return (struct datum){0, 0, 0};
    struct datum d = {a >> 18, 0, a >> 8 & 0x3ff};
    if (style == S_FP16)
        d.exponent = (ea & 31) + (eb & 31);
    else if (style != S_INT8)
        d.exponent = ea + eb;
    if (style == S_BF16)
        d.field &= 0x3f8;
    return d;
}

static int64_t pool_key(struct datum d)
{
    int64_t k = (int64_t)(d.exponent << 10) + d.field;
    return d.sign ? -k : k;
}

/* Dst as GMPOOL reads it: ones where nothing is. */
static uint32_t pool_read(const struct pg *m, bool wide, unsigned row, unsigned column)
{
    if (wide)
        return m->valid[pg_row32(m, row)] ? pg_read32(m, row, column) : 0xffffffffu;
    return (m->valid[pg_row16(m, row)] ? (uint32_t)pg_read16(m, row, column) : 0xffffu) << 16;
}

struct pool {
    enum style src, dst;
    bool wide, argmax;
    unsigned ra, rb, rd;
};

static void pool_column(struct pg *m, const struct pool *o, unsigned j)
{
    static const uint8_t order[8] = {0, 3, 6, 1, 4, 7, 2, 5};
    uint32_t v = pool_read(m, o->wide, o->rd, j);
    struct datum max = pool_dst(v, o->dst);
    uint32_t index = v & 0xff, phase = (v + 0x100) & 0xf00;
    for (unsigned k = 0; k < 16; k++) {
        unsigned i = k < 8 ? k ^ 4 : k;
        struct datum x = pool_src(m->src[PG_A][m->mbank[PG_A]][o->ra + i][j],
                                  o->src,
                                  m->src[PG_B][m->mbank[PG_B]][o->rb][i]);
        if (pool_key(x) < pool_key(max))
            continue;
        max = x;
        if (i < 8)
            index = (phase >> 4) + order[i];
    }
    uint32_t result = o->argmax && o->dst == S_INT32 ? 0 : pool_result(max, o->dst);
    if (o->argmax)
        result |= phase | (index & 0xff);
    uint32_t rest[4] = {0};
    for (unsigned i = 1; i < 4; i++)
        if (o->wide && o->argmax)
            rest[i] = (pool_read(m, true, o->rd + i, j) + 0x100) & 0xf00;
    rest[0] = result;
    for (unsigned i = 0; i < 4; i++)
        if (o->wide)
            pg_write32(m, o->rd + i, j, rest[i]);
        else
            pg_write16(m, o->rd + i, j, (uint16_t)(rest[i] >> 16));
}

void pg_gmpool(struct pg *m, unsigned thread, uint32_t word)
{
    uint32_t f = pg_matrix_format(m, thread, PG_A);
    struct pool o = {.wide = pg_cfg(m, thread, 1, 29, 1), .argmax = pg_bits(word, 14, 14)};
    if (m->th[thread][55] & 1) {
        o.src = o.dst = S_FP16;
        o.wide = false;
    } else if (pg_cfg(m, thread, 1, 31, 1)) {
        o.src = S_INT8;
        o.dst = S_INT32;
        o.wide = true;
    } else if (f == F_TF32) {
        o.src = S_TF32;
        o.dst = o.argmax ? S_INT32 : (o.wide ? S_TF32 : S_BF16);
    } else {
        o.src = pg_five_bits(f) ? S_FP16 : S_BF16;
        o.dst = o.wide && !o.argmax ? S_TF32 : o.src;
    }
    o.ra = m->rwc[thread].a & 0x30;
    o.rb = m->rwc[thread].b & 0x38;
    o.rd = (pg_bits(word, 9, 0) + pg_dst_base(m, thread)) & 0x3fc;
    for (unsigned j = 0; j < 16; j++)
        pool_column(m, &o, j);
    m->bug_row = o.ra;
    pg_flip(m, thread, word);
    pg_addr_mod(m, thread, pg_bits(word, 17, 15));
}

/* ---- moves ---- */

/* A bank's own format decides for it; both obey the thread's switch for SrcA. */
static uint32_t move_format(const struct pg *m, unsigned thread, unsigned which)
{
    if (m->th[thread][2] & 1)
        return pg_matrix_format(m, thread, PG_A);
    return m->fmt[which][m->mbank[which]];
}

/* BLOCK_DEST_MOV of the column's lane */
static bool blocked(const struct pg *m, unsigned column)
{
    return m->v.config[column / 2] >> (9 + column % 2) & 1;
}

static void src_to_dst_cell(struct pg *m, uint32_t v, unsigned row, unsigned column, bool eight,
                            bool tf32, bool low)
{
    uint32_t v16 = eight ? (v >> 3 & 0xff00) | (v & 0xff) : (v >> 3 & 0xffe0) | (v & 0x1f);
    if (tf32)
        pg_write32(m, row, column, v16 << 16 | (v >> 8 & 7) << 13);
    else if (low)
        pg_write32(m, row, column, (pg_read32(m, row, column) & 0xffff0000u) | v16);
    else
        pg_write16(m, row, column, (uint16_t)v16);
}

/* MOVA2D, MOVDBGA2D, MOVB2D */
static void src_to_dst(struct pg *m, unsigned thread, uint32_t word)
{
    bool b = word >> 24 == 19, low = pg_bits(word, 23, 23);
    unsigned which = b ? PG_B : PG_A, rows = 1;
    uint32_t f = move_format(m, thread, which);
    bool eight = !(m->th[thread][55] & 1) && !pg_five_bits(f);
    bool spread = b && pg_bits(word, 12, 12), column0 = b && pg_bits(word, 11, 11);
    unsigned rd = (pg_bits(word, 9, 0) + pg_dst_base(m, thread)) & 0x3ff;
    unsigned rs = (pg_bits(word, 22, 17) + (b ? m->rwc[thread].b : m->rwc[thread].a)) & 0x3f;
    if (spread) {
        rows = 8;
        rd &= 0x3f8;
    } else if (pg_bits(word, 13, 13)) {
        rows = b ? 4 : 8;
        rd &= 0x400 - rows;
        rs &= 0x40 - rows;
    }
    for (unsigned i = 0; i < rows; i++)
        for (unsigned j = 0; j < 16; j++) {
            uint32_t v = m->src[which][m->mbank[which]][spread ? rs : rs + i][column0 ? 0 : j];
            if (blocked(m, j))
                continue;
            if (!pg_cfg(m, thread, 2, 0, 1) && !(v & 0xff))
                v = 0;
            src_to_dst_cell(m, v, rd + i, j, eight, f == F_TF32, low);
        }
    if (!b)
        m->bug_row = rs;
    pg_addr_mod(m, thread, pg_bits(word, 16, 14));
}

static uint32_t dst_to_src_cell(const struct pg *m, unsigned row, unsigned column, bool wide,
                                bool low, bool five, bool tf32)
{
    uint32_t v = wide ? pg_read32(m, row, column) : (uint32_t)pg_read16(m, row, column) << 16;
    if (low)
        v = v << 16 | (v & 0xffff);
    uint32_t x = v >> 16;
    if (five)
        return (x & 0xffe0) << 3 | (x & 0x1f);
    if (!tf32)
        return (x & 0xff00) << 3 | (x & 0xff);
    if (low)
        return v & 0x1fff;
    return (v >> 24 & 0xff) << 11 | (v >> 13 & 7) << 8 | (v >> 16 & 0xff);
}

/* MOVD2A, MOVD2B */
static void dst_to_src(struct pg *m, unsigned thread, uint32_t word)
{
    unsigned which = word >> 24 == 10 ? PG_B : PG_A, rows = 1;
    uint32_t f = move_format(m, thread, which);
    bool force = m->th[thread][55] & 1;
    bool wide = !force && (pg_cfg(m, thread, 1, 29, 1) || pg_cfg(m, thread, 1, 31, 1));
    bool five = force || pg_five_bits(f);
    unsigned rd = (pg_bits(word, 9, 0) + pg_dst_base(m, thread)) & 0x3ff;
    unsigned rs = (pg_bits(word, 22, 17) + (which ? m->rwc[thread].b : m->rwc[thread].a)) & 0x3f;
    if (pg_bits(word, 13, 13)) {
        rows = 4;
        rd &= 0x3fc;
        rs &= 0x3c;
    }
    for (unsigned i = 0; i < rows; i++)
        for (unsigned j = 0; j < 16; j++)
            if (!blocked(m, j))
                m->src[which][m->mbank[which]][rs + i][j] =
                    dst_to_src_cell(m, rd + i, j, wide, pg_bits(word, 23, 23), five, f == F_TF32);
    if (which == PG_A)
        m->bug_row = rs;
    pg_addr_mod(m, thread, pg_bits(word, 16, 14));
}

static void b_to_a(struct pg *m, unsigned thread, uint32_t word)
{
    unsigned rows = pg_bits(word, 13, 13) ? 4 : 1;
    unsigned ra = (pg_bits(word, 22, 17) + m->rwc[thread].a) & (0x40 - rows);
    unsigned rb = (pg_bits(word, 5, 0) + m->rwc[thread].b) & (0x40 - rows);
    for (unsigned i = 0; i < rows; i++)
        for (unsigned j = 0; j < 16; j++) {
            uint32_t v = m->src[PG_B][m->mbank[PG_B]][rb + i][j];
            if (!pg_cfg(m, thread, 2, 0, 1) && !(v & 0xff))
                v = 0;
            if (!blocked(m, j))
                m->src[PG_A][m->mbank[PG_A]][ra + i][j] = v;
        }
    m->bug_row = ra;
    pg_addr_mod(m, thread, pg_bits(word, 16, 14));
}

static void shift_a(struct pg *m, uint32_t word)
{
    uint32_t in[16][16];
    unsigned from = m->bug_row & 0x30;
    uint32_t(*a)[16] = m->src[PG_A][m->mbank[PG_A]];
    for (unsigned i = 0; i < 16; i++)
        for (unsigned j = 0; j < 16; j++)
            in[i][j] = a[from + i][j];
    for (unsigned i = 0; i < 16; i++)
        for (unsigned j = 0; j < 16; j++) {
            if ((word & 3) == 2)
                a[i][j] = j ? in[i][j - 1] : 0;
            else if ((word & 3) == 3)
                a[i][j] = j < 15 ? in[i][j + 1] : 0;
        }
}

static void shift_b(struct pg *m, unsigned thread, uint32_t word)
{
    uint32_t *b = m->src[PG_B][m->mbank[PG_B]][(pg_bits(word, 5, 0) + m->rwc[thread].b) & 0x3f];
    uint32_t first = b[0];
    for (unsigned j = 0; j < 15; j++)
        b[j] = b[j + 1];
    b[15] = pg_bits(word, 10, 10) ? 0 : first;
    pg_addr_mod(m, thread, pg_bits(word, 16, 14));
}

static void transpose_b(struct pg *m)
{
    uint32_t(*b)[16] = &m->src[PG_B][m->mbank[PG_B]][16];
    for (unsigned i = 0; i < 16; i++)
        for (unsigned j = 0; j < i; j++) {
            uint32_t t = b[i][j];
            b[i][j] = b[j][i];
            b[j][i] = t;
        }
}

/* ---- clearing ---- */

static void zeroacc(struct pg *m, unsigned thread, uint32_t word)
{
    unsigned mode = pg_bits(word, 20, 19), where = pg_bits(word, 9, 0);
    bool wide = pg_bits(word, 18, 18), absolute = m->cfg[0][220] >> 3 & 1;
    uint8_t to = mode && pg_bits(word, 17, 17);
    uint32_t off = (m->th[thread][1] & 0xfffu) + m->rwc[thread].dst;
    if (mode == 0) {
        unsigned row = (where + pg_dst_base(m, thread)) & 0x3ff;
        bool row32 = pg_cfg(m, thread, 1, 29, 1) || pg_cfg(m, thread, 1, 31, 1);
        m->valid[row32 ? pg_row32(m, row) : pg_row16(m, row)] = 0;
    } else if (mode == 1) {
        unsigned w = where & 0xff;
        if (w < (wide ? 32u : 64u)) {
            if (!absolute)
                w += wide ? (off & 0x300 ? 16 : 0) : (off & 0x200 ? 32 : 0);
            for (unsigned i = 0; i < 16; i++)
                m->valid[wide ? pg_row32(m, w * 16 + i) : pg_row16(m, w * 16 + i)] = to;
        }
    } else {
        unsigned from = mode == 2 && where & 1 ? 512 : 0, end = mode == 2 ? from + 512 : 1024;
        for (unsigned i = from; i < end; i++)
            m->valid[i] = to;
    }
    if (mode < 2)
        pg_addr_mod(m, thread, pg_bits(word, 16, 14));
}

static void zerosrc(struct pg *m, uint32_t word)
{
    for (unsigned which = 0; which < 2; which++)
        for (unsigned bank = 0; bank < 2; bank++) {
            unsigned one = word & 8 ? m->mbank[which] : m->ubank[which];
            if (!((word >> which) & 1) || (!(word & 4) && bank != one))
                continue;
            for (unsigned i = 0; i < 64; i++)
                for (unsigned j = 0; j < 16; j++)
                    m->src[which][bank][i][j] = which == PG_A && word & 16 ? 0x7ffff : 0;
        }
}

void pg_moves(struct pg *m, unsigned thread, uint32_t word)
{
    switch (word >> 24) {
    case 8:
    case 10: dst_to_src(m, thread, word); break;
    case 9:
    case 18:
    case 19: src_to_dst(m, thread, word); break;
    case 11: b_to_a(m, thread, word); break;
    case 16: zeroacc(m, thread, word); break;
    case 17: zerosrc(m, word); break;
    case 22: transpose_b(m); break;
    case 23: shift_a(m, word); break;
    case 24: shift_b(m, thread, word); break;
    default: break;
    }
}
