/*
 * model_unpack.c - UNPACR, UNPACR_NOP, SETDVALID.
 *
 * ISA pages: UNPACR_Regular and its neighbours, Unpackers/FormatConversion, FloatBitPatterns, SETDVALID.
 * Blackhole's fields of UNPACR_NOP: the vendor's assembly table. Rows of 32 datums when tilizing, e4m3 and the
 * all-ones byte of FP8: fact sheet on numbers 2.2 and 2.4.
 */
#include "pages.h"

struct job {
    const struct pg *m;
    unsigned thread, u, context, in, out;
    bool multi, to_dst, packed;
    uint64_t limit, fifo;
};

/* A field of THCON_SEC0 or SEC1. */
static uint32_t sec(const struct job *o, unsigned word, unsigned lo, unsigned width)
{
    return pg_cfg(o->m, o->thread, word + 48 * o->u, lo, width);
}

static unsigned bits_of(unsigned format)
{
    switch (format) {
    case F_BFP2:
    case F_BFP2A: return 2;
    case F_BFP4:
    case F_BFP4A: return 4;
    case F_FP16:
    case F_BF16:
    case F_INT16: return 16;
    case F_FP32:
    case F_TF32:
    case F_INT32: return 32;
    default: return 8;
    }
}

static bool is_bfp(unsigned f)
{
    return f == F_BFP8 || f == F_BFP8A || f == F_BFP4 || f == F_BFP4A || f == F_BFP2 ||
           f == F_BFP2A;
}

/* n bits from a bit address. */
static uint32_t read_bits(const struct pg *m, uint64_t at, unsigned n)
{
    uint32_t v = 0;
    for (unsigned i = 0; i < n; i++, at++)
        v |= (uint32_t)(m->l1[(at >> 3) % PG_L1] >> (at & 7) & 1) << i;
    return v;
}

/* Addresses here are bit addresses. */
static uint64_t wrap(const struct job *o, uint64_t at)
{
    return at > o->limit * 128 ? at - o->fifo * 128 : at;
}

/* ---- formats ---- */

static uint32_t bfp(uint32_t v, uint32_t exponent, bool a)
{
    uint32_t sign = v >> 7 & 1, mag = v << 1 & 0xff;
    if (!mag)
        return sign ? (a ? 0xfc00 : 0xff80) : 0;
    while (!(mag & 0x80)) {
        mag <<= 1;
        exponent--;
    }
    if (a)
        return sign << 15 | (exponent & 0x1f) << 10 | (mag & 0x7e) << 3;
    return sign << 15 | (exponent & 0xff) << 7 | (mag & 0x7e);
}

static uint32_t fp8(uint32_t v, bool e4m3)
{
    uint32_t sign = (v & 0x80) << 8;
    if (!e4m3)
        return (v & 0x7f) == 0x7f ? sign | 0x7fff : v << 8;
    uint32_t e = v >> 3 & 15, f = v & 7;
    return sign | (e ? e + 8 : 0) << 10 | f << 7 | (e == 15 && f == 7 ? 0x7f : 0);
}

static uint32_t fp32_to_fp16(uint32_t v)
{
    int e = (int)(v >> 23 & 255) - 112;
    uint32_t sign = v >> 16 & 0x8000;
    if (e < 0)
        return sign;
    return e > 31 ? sign | 0x7fff : sign | (uint32_t)e << 10 | (v >> 13 & 0x3ff);
}

/* To a 16-bit number in {S, E, M}; five: of the 5-bit kind. */
static uint32_t to16(const struct job *o, uint32_t v, uint32_t exponent, bool *five)
{
    *five = pg_five_bits(o->in);
    switch (o->in) {
    case F_FP32:
        *five = o->out == F_FP16;
        if (*five)
            return fp32_to_fp16(v);
        return v & 0x7f800000 ? v >> 16 : v >> 16 & 0x8000;
    case F_FP8: return fp8(v, sec(o, 71, 22, 1));
    case F_BFP8:
    case F_BFP8A: return bfp(v, exponent, *five);
    case F_BFP4:
    case F_BFP4A: return bfp(v << 4, exponent, *five);
    case F_BFP2:
    case F_BFP2A: return bfp(v << 6, exponent, *five);
    case F_INT8: {
        uint32_t sign = pg_cfg(o->m, o->thread, 1, 15 + o->u, 1) ? 0 : v & 0x80;
        v -= sign;
        return sign << 8 | (v ? 16u << 10 : 0) | v;
    }
    default: return v;
    }
}

/* As it lies in Src (19 bits) or Dst (16 or 32). */
static uint32_t convert(const struct job *o, uint32_t v, uint32_t exponent)
{
    bool five;
    if (o->in == F_INT32 || o->in == F_TF32 || (o->in == F_FP32 && o->out == F_FP32))
        return pg_to_dst32(v);
    if (o->in == F_FP32 && o->out == F_TF32)
        return o->to_dst ? pg_to_dst32(v)
                         : v >> 31 << 18 | (v >> 13 & 0x3ff) << 8 | (v >> 23 & 255);
    if (o->in == F_INT16)
        return o->to_dst ? v : (v & 0xff00) << 3 | (v & 0xff);
    uint32_t x = to16(o, v, exponent, &five);
    uint32_t sign = x >> 15;
    if (five) {
        uint32_t e = x >> 10 & 31, f = x & 0x3ff;
        return o->to_dst ? sign << 15 | f << 5 | e : sign << 18 | f << 8 | e;
    }
    uint32_t e = x >> 7 & 255, f = x & 0x7f;
    return o->to_dst ? sign << 15 | f << 8 | e : sign << 18 | f << 11 | e;
}

/* ---- where to ---- */

static void put(struct pg *m, const struct job *o, uint32_t at, uint32_t v, unsigned shift)
{
    uint32_t row = at / 16, column = at & 15;
    unsigned bank = m->ubank[o->u];
    bool with_address = m->th[o->thread][5] >> 2 & 1;
    if (o->u) {
        m->src[PG_B][bank][(row + m->srcrow[PG_B][o->thread]) & 63][column] = v;
        return;
    }
    if (o->to_dst) {
        row = (row - 4) & (with_address ? 15u : 0x3ffu);
        bool wide = o->out == F_FP32 || o->out == F_TF32 || o->out == F_INT32;
        unsigned p = wide ? pg_row32(m, row) : pg_row16(m, row);
        if (wide)
            pg_write32(m, row, column, v);
        else
            pg_write16(m, row, column, (uint16_t)v);
        m->valid[p] = 1;
        return;
    }
    if (row < 4 || column < shift)
        return;
    row -= 4;
    column -= shift;
    if (!with_address)
        row += m->srcrow[PG_A][o->thread];
    row &= 63;
    if (sec(o, 72, 8, 1)) {
        uint32_t t = row & 15;
        row = (row & ~15u) | column;
        column = t;
    }
    m->src[PG_A][bank][row][column] = v;
}

static uint32_t first_out(const struct job *o)
{
    const struct pg_counter *c = o->m->adc[o->thread][o->u][1];
    const struct pg *m = o->m;
    unsigned t = o->thread, s = 56 + 2 * o->u;
    uint32_t a = pg_cfg(m, t, 49 + 12 * o->u, 0, 18);
    a += c[PG_Y].v * pg_cfg(m, t, s, 16, 16);
    a += c[PG_Z].v * pg_cfg(m, t, s + 1, 0, 16);
    a += c[PG_W].v * pg_cfg(m, t, s + 1, 16, 16);
    if ((o->out & 3) == 0)
        a >>= 2;
    else if ((o->out & 3) == 1)
        a >>= 1;
    if (o->multi && !o->u) {
        uint32_t own = pg_cfg(m, t, 84 + (o->context & 3) / 2, (o->context & 1) * 16, 16);
        a = o->to_dst || pg_cfg(m, t, 50, 8, 1) ? a + own : own;
    }
    return a;
}

/* ---- where from ---- */

struct feed {
    uint64_t data, exponents; /* bit addresses; exponents in sixteenths of a byte */
    uint64_t deltas;          /* bit address of the counts of zeros, if compressed */
    uint32_t n, drop, most;
};

static uint32_t row_start(const struct pg *m, uint64_t table, uint32_t i)
{
    return read_bits(m, (table + 2 * (uint64_t)i) * 8, 16);
}

/* Compressed: fills in how much; returns the first datum. */
static uint64_t packed_range(const struct job *o, struct feed *f, uint64_t table, unsigned adc,
                             bool search, uint32_t xdim, uint32_t ydim, uint32_t zdim)
{
    const struct pg *m = o->m;
    uint32_t x = m->adc[adc][o->u][0][PG_X].v, y = m->adc[adc][o->u][0][PG_Y].v & 0xff;
    uint32_t last = m->adc[adc][o->u][1][PG_X].v, blobs = sec(o, 64, 8, 3);
    const struct pg_counter *zw = m->adc[o->thread][o->u][0];
    if (search && blobs)
        ydim = blobs;
    table += 2 * (((uint64_t)zw[PG_W].v * zdim + zw[PG_Z].v) * ydim);
    uint32_t first = row_start(m, table, y);
    f->most = UINT32_MAX;
    if (search) {
        f->n = row_start(m, table, (x & 0xff) + 1) - first;
    } else if (x == 0 && last == xdim - 1) {
        f->n = row_start(m, table, y + 1) - first;
    } else {
        f->drop = x;
        f->most = last + 1 - x;
        f->n = UINT32_MAX;
    }
    return first;
}

static struct feed first_in(const struct job *o, unsigned adc, bool search)
{
    const struct pg *m = o->m;
    const struct pg_counter(*xy)[4] = m->adc[adc][o->u];
    const struct pg_counter *zw = m->adc[o->thread][o->u][0];
    uint32_t xdim = o->multi && !o->u
                        ? pg_cfg(m, o->thread, 86 + (o->context & 3) / 2, (o->context & 1) * 16, 16)
                        : sec(o, 64, 16, 16);
    uint32_t ydim = sec(o, 65, 0, 8), zdim = sec(o, 65, 16, 8), wdim = sec(o, 66, 0, 8);
    zdim = zdim ? zdim : 1;
    wdim = wdim ? wdim : 1;
    uint64_t base = sec(o, 76 + o->context, 0, 32);
    base += sec(o, 92 + (o->context & 3), 0, 16);
    base = (base + 1 + sec(o, 67, 24, 8)) * 16;
    struct feed f = {.most = UINT32_MAX};
    uint64_t table = base;
    if (o->packed) {
        uint32_t rows = (sec(o, 64, 8, 3) ? sec(o, 64, 8, 3) : ydim) * zdim * wdim;
        base += (((uint64_t)rows + 1) * 2 + 15) / 16 * 16;
    }
    if (is_bfp(o->in) && !sec(o, 73, 8, 1)) {
        f.exponents = base * 16;
        if (o->in == F_BFP8 || o->in == F_BFP8A || !sec(o, 64, 5, 1)) {
            uint64_t n = ((uint64_t)xdim * ydim * zdim * wdim + 15) / 16;
            base += (n + 15) / 16 * 16;
        }
    }
    uint32_t x = search ? 0 : xy[0][PG_X].v, y = xy[0][PG_Y].v;
    uint32_t end = xy[1][PG_X].v + (search ? 0 : 1);
    uint32_t blobs = sec(o, 64, 8, 3), next = (xy[0][PG_X].v & 7) + 1;
    if (search && blobs) {
        uint32_t starts = sec(o, 66, 16, 16) | sec(o, 67, 0, 16) << 16;
        x = (starts >> 4 * (y & 7) & 15) << 4;
        end = next == blobs ? xdim & 0x1f0 : (starts >> 4 * (next & 7) & 15) << 4;
        y = 0;
    }
    uint64_t first = (((uint64_t)zw[PG_W].v * zdim + zw[PG_Z].v) * ydim + y) * xdim + x;
    f.n = end < x ? 0 : end - x;
    uint64_t at = base * 8 + first * bits_of(o->in);
    if (o->packed) {
        first = packed_range(o, &f, table, adc, search, xdim, ydim, zdim);
        at = base * 8 + first / 32 * (32 * bits_of(o->in) + 128);
        f.deltas = wrap(o, at + 32 * bits_of(o->in) + first % 32 * 4);
        at += first % 32 * bits_of(o->in);
    }
    f.data = wrap(o, at);
    f.exponents += first;
    if (f.exponents > o->limit * 256)
        f.exponents -= o->fifo * 256;
    return f;
}

static void move(struct pg *m, const struct job *o, struct feed f, bool zero)
{
    unsigned size = bits_of(o->in), up = (1u << sec(o, 72, 12, 2)) - 1;
    bool tilize = sec(o, 72, 9, 1);
    unsigned row = tilize && size >= 16 ? 32 : 16;
    uint64_t stride = tilize ? 128 * (uint64_t)sec(o, 72, 16, 12) : (uint64_t)size * row;
    unsigned shift = tilize || o->u ? 0 : sec(o, 72, 16 + 4 * (o->context & 3), 4);
    uint32_t at = first_out(o);
    for (uint32_t i = 1; i <= f.n && f.most; i++) {
        uint32_t v = read_bits(m, f.data, size), e = 0, zeros = 0;
        f.data += size;
        if (i % row == 0)
            f.data = wrap(o, f.data - (uint64_t)size * row + stride);
        if (is_bfp(o->in)) {
            e = m->l1[f.exponents / 16 % PG_L1];
            if (sec(o, 73, 8, 1))
                e = pg_cfg(m, o->thread, 50 + 12 * o->u, 0, 8);
            if (++f.exponents % 256 == 0 && f.exponents > o->limit * 256)
                f.exponents -= o->fifo * 256;
        }
        if (o->packed) {
            zeros = read_bits(m, f.deltas, 4);
            f.deltas += 4;
            if (f.deltas % 128 == 0) {
                f.data += 128;
                f.deltas = wrap(o, f.deltas + 32 * size);
            }
        }
        v = zero ? 0 : convert(o, v, e);
        zeros = zero ? 0 : zeros;
        for (unsigned j = 0; j <= zeros && f.most; j++, v = 0) {
            if (f.drop) {
                f.drop--;
                continue;
            }
            for (unsigned k = 0; k <= up; k++, at++, v = 0)
                if (!k || !sec(o, 72, 15, 1))
                    put(m, o, at, v, shift);
            f.most--;
        }
    }
}

static void advance(struct pg *m, unsigned thread, unsigned u, uint32_t word)
{
    struct pg_counter(*c)[4] = m->adc[thread][u];
    c[0][PG_Z].v = (c[0][PG_Z].v + pg_bits(word, 16, 15)) & 0xff;
    c[0][PG_Y].v = (c[0][PG_Y].v + pg_bits(word, 18, 17)) & 0x1fff;
    c[1][PG_Z].v = (c[1][PG_Z].v + pg_bits(word, 20, 19)) & 0xff;
    c[1][PG_Y].v = (c[1][PG_Y].v + pg_bits(word, 22, 21)) & 0x1fff;
}

static void next_context(struct pg *m, const struct job *o, unsigned context)
{
    uint32_t next = (context + 1) & 7;
    m->context[o->u][o->thread] = next >= 1u << sec(o, 72, 6, 2) ? 0 : next;
}

void pg_unpack(struct pg *m, unsigned thread, uint32_t word)
{
    struct job o = {.m = m, .thread = thread, .u = word >> 23 & 1, .multi = word >> 7 & 1};
    if (word & 2)
        return; /* drops a cache that has no effect here */
    if (word >> 13 & 1) {
        next_context(m, &o, m->context[o.u][thread]);
        return;
    }
    unsigned adc = thread;
    if (o.multi) {
        o.context = word & 8 ? m->context[o.u][thread] : pg_bits(word, 12, 10);
        o.context = (o.context + ((unsigned)m->th[thread][41] >> 8 * o.u & 15u)) & 7;
        adc = pg_bits(word, 9, 8);
    }
    bool own = o.multi && sec(&o, 72, 14, 1);
    unsigned up = (o.context >> 2) * 8;
    o.in = own ? sec(&o, 92 + (o.context & 3), 16 + up, 4) : sec(&o, 64, 0, 4);
    o.out = own ? sec(&o, 92 + (o.context & 3), 20 + up, 4) : sec(&o, 72, 0, 4);
    if (!o.u)
        o.to_dst = o.multi ? sec(&o, 73, 4 + 16 * (o.context >> 2) + (o.context & 3), 1)
                           : sec(&o, 72, 11, 1);
    o.packed =
        o.multi ? !sec(&o, 73, 16 * (o.context >> 2) + (o.context & 3), 1) : !sec(&o, 64, 4, 1);
    o.limit = sec(&o, 74, 0, 17);
    o.fifo = sec(&o, 75, 0, 17);
    move(m, &o, first_in(&o, adc, word & 4), word & 16);
    if (o.multi && word & 8)
        next_context(m, &o, o.context);
    advance(m, thread, o.u, word);
    if (adc != thread)
        advance(m, adc, o.u, word);
    if (word & 0x40) {
        m->fmt[o.u][m->ubank[o.u]] = (uint8_t)o.out;
        pg_give(m, thread, o.u);
    } else if (sec(&o, 72, 10, 1)) {
        uint32_t base = (m->th[thread][5 + o.u] & 3u) << 4;
        m->srcrow[o.u][thread] = (m->srcrow[o.u][thread] + 16 + base) & 63;
    }
}

/* pop[1:0] clr_val[3:2] bank_clr[4] stall_clr[5] clr_to1_fmt[7:6] set_dvalid[8] */
void pg_unpack_nop(struct pg *m, unsigned thread, uint32_t word)
{
    struct job o = {.m = m, .thread = thread, .u = word >> 23 & 1};
    if ((word & 3) != 1) {
        if ((word & 3) != 2)
            pg_unpack_register(m, thread, word);
        return;
    }
    static const uint32_t one[3] = {15, 127, 1 << 8 | 16}; /* FP16, BF16, INT8 */
    uint32_t v = 0, kind = pg_bits(word, 3, 2);
    if (kind == 1)
        v = o.u ? 0 : 0x7ffff;
    else if (kind == 2)
        v = one[pg_bits(word, 7, 6) % 3];
    else if (kind == 3)
        v = pg_cfg(m, thread, o.u ? 63 : 53, 0, 19);
    if (pg_bits(word, 7, 6) != 3)
        for (unsigned bank = 0; bank < 2; bank++)
            if (word & 16 || bank == m->ubank[o.u])
                for (unsigned i = 0; i < 64; i++)
                    for (unsigned j = 0; j < 16; j++)
                        m->src[o.u][bank][i][j] = v;
    if (word & 0x100 || pg_bits(word, 7, 6) == 3) {
        m->fmt[o.u][m->ubank[o.u]] = (uint8_t)sec(&o, 72, 0, 4);
        pg_give(m, thread, o.u);
    }
}

void pg_setdvalid(struct pg *m, unsigned thread, uint32_t word)
{
    if (word & 1)
        pg_give(m, thread, PG_A);
    if (word & 2)
        pg_give(m, thread, PG_B);
}
