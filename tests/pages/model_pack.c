/*
 * model_pack.c - PACR.
 *
 * ISA pages: pages of Packers (conversions, ReLU, edges, thresholds, downsampling, addresses), PACR. What is
 * Blackhole's own (one packer with four read interfaces, position of edges, unit of the channel 1
 * offset): fact sheet on numbers 4.1 to 4.4.
 *
 * A datum on its way is 32 bits {S, E, M}: 8-bit exponents as FP32, 5-bit exponents as FP16 in the low 16 bits,
 * integers as they are.
 */
#include "pages.h"

struct job {
    const struct pg *m;
    unsigned t, adc;  /* thread, and whose counters */
    unsigned in, out; /* formats */
    bool wide, raw, as_unsigned, ten;
};

static bool five(unsigned f)
{
    return f == F_FP16 || f == F_FP8 || f == F_BFP8A;
}

static bool is_integer(unsigned f)
{
    return f == F_INT32 || f == F_INT16 || f == F_INT8;
}

/* ---- early conversion ---- */

/* Rounds FP32 to so many fraction bits, half away; NaN and denormals go. */
static uint32_t round_to(uint32_t v, unsigned fraction)
{
    if ((v & 0x7fffffff) > 0x7f800000)
        v = (v & 0x80000000u) | 0x7f800000;
    unsigned drop = 23 - fraction;
    v = (v + (1u << (drop - 1))) & ~((1u << drop) - 1);
    return v & 0x7f800000 ? v : 0;
}

/* FP32 to FP16: saturates, truncates, keeps the fraction at exponent 0. */
static uint32_t fp16_of(uint32_t v)
{
    int e = (int)(v >> 23 & 255) - 112;
    uint32_t sign = v >> 16 & 0x8000;
    if (e < 0)
        return sign;
    return e > 31 ? sign | 0x7fff : sign | (uint32_t)e << 10 | (v >> 13 & 0x3ff);
}

static uint32_t early_int8(const struct job *o, uint32_t v)
{
    uint32_t mag = v & 0x7fffffff, negative = v >> 31;
    if (o->raw)
        return o->as_unsigned ? mag & 0xff : negative << 7 | (mag & 0x7f);
    unsigned shift = pg_cfg(o->m, o->t, 8, 0, 1) ? o->m->cfg[0][187] & 31 : 0;
    uint64_t m = mag;
    if (shift)
        m = (m + (UINT64_C(1) << (shift - 1))) >> shift;
    if (o->as_unsigned)
        return negative ? 0 : (m > 255 ? 255 : (uint32_t)m);
    return negative << 7 | (m > 127 ? 127 : (uint32_t)m);
}

/* v in {S, E, M} */
static uint32_t early32(const struct job *o, uint32_t v)
{
    switch (o->in) {
    case F_FP32: return o->ten && !o->raw ? round_to(v, 10) : v;
    case F_TF32: return o->raw ? v : round_to(v, 10);
    case F_BF16: return o->raw ? v & 0xffff0000u : round_to(v, 7);
    case F_BFP8: return o->raw ? v & 0xffff0000u : round_to(v & 0xffff0000u, 6);
    case F_FP16: return round_to(v, 10); /* FP16 after ReLU */
    case F_INT8: return early_int8(o, v);
    case F_INT16: return pg_to_dst32(v) >> 16;
    default: return v;
    }
}

static uint32_t fp16_from_dst(uint32_t w)
{
    return (w & 0x8000) | (w & 31) << 10 | (w >> 5 & 0x3ff);
}

static uint32_t early16(const struct job *o, uint32_t w)
{
    uint32_t b = pg_order32(w << 16), f = fp16_from_dst(w);
    switch (o->in) {
    case F_FP32:
    case F_TF32: return round_to(b, 10);
    case F_BF16: return o->raw ? b : round_to(b, 7);
    case F_BFP8: return o->raw ? b : (b & 0x7f800000 ? round_to(b, 6) : 0);
    case F_FP16:
        if (o->ten)
            return fp16_of(b);
        return o->raw || f & 0x7c00 ? f : 0;
    case F_BFP8A:
        if (o->raw)
            return f & ~7u;
        if ((f & 0x7fff) > 0x7ff7)
            return (f & 0x8000) | 0x7ff0;
        f = (f + 8) & ~15u;
        return f & 0x7c00 ? f : 0;
    case F_FP8: return f & 0xff00;
    case F_INT8: return w >> 8 & 0x80;
    default: return w;
    }
}

/* ---- ReLU ---- */

static uint32_t relu(const struct job *o, uint32_t v)
{
    unsigned mode = pg_cfg(o->m, o->t, 2, 2, 2);
    uint32_t t = pg_cfg(o->m, o->t, 2, 6, 16);
    unsigned top = o->in == F_INT8 ? 7 : 31;
    bool half = five(o->in) && !o->wide;
    if (half || o->in == F_INT16)
        top = 15;
    if (!mode)
        return v;
    if (o->in == F_INT8 && o->as_unsigned)
        return v;
    if (v >> top & 1)
        return 0;
    if (!half)
        t <<= 16;
    if (mode == 2 && v <= t)
        return 0;
    if (mode == 3 && (half ? v > t : v >> 13 > t >> 13))
        return t;
    return v;
}

static uint32_t threshold(const struct job *o, uint32_t v)
{
    if (!pg_cfg(o->m, o->t, 71, 20, 1) || is_integer(o->in))
        return v;
    uint32_t e = five(o->in) ? v >> 10 & 31 : v >> 23 & 255;
    return e < pg_cfg(o->m, o->t, 71, 24, 8) ? 0 : v;
}

/* ---- late conversion: to the bits in L1, BFP still as BF16 or E5M7 ---- */

static uint32_t widen(uint32_t f)
{
    uint32_t e = f >> 10 & 31;
    return (f & 0x8000) << 16 | (e ? e + 112 : 0) << 23 | (f & 0x3ff) << 13;
}

static uint32_t late(const struct job *o, uint32_t v)
{
    bool small = five(o->in);
    uint32_t wide = small ? widen(v) : v, half = small ? v : fp16_of(v);
    switch (o->out) {
    case F_FP32:
    case F_TF32: return wide;
    case F_BF16:
    case F_BFP8:
    case F_BFP4:
    case F_BFP2:
        if (o->in == F_BF16 || o->in == F_BFP8)
            return v >> 16;
        return wide & 0x7f800000 ? wide >> 16 : 0;
    case F_FP16: return half;
    case F_FP8: {
        if (!pg_cfg(o->m, o->t, 71, 23, 1))
            return o->in == F_FP8 || half & 0x7c00 ? half >> 8 : half >> 8 & 0x80;
        uint32_t e = half >> 10 & 31, sign = half >> 8 & 0x80;
        if (e <= 8)
            return sign;
        return e >= 24 ? sign | 0x7f : sign | (e - 8) << 3 | (half >> 7 & 7);
    }
    case F_BFP8A:
    case F_BFP4A:
    case F_BFP2A: /* fewer bits of fraction: no denormals */
        return o->in == F_FP16 && !(half & 0x7c00) ? 0 : half & ~7u;
    default: return v;
    }
}

/* ---- streams ---- */

static void stream_out(struct pg *m, struct pg_stream *s)
{
    for (unsigned i = 0; i < 16; i++) {
        m->l1[(s->address + i) % PG_L1] = s->block[i];
        s->block[i] = 0;
    }
    s->address += 16;
    s->bits = 0;
}

static void stream_put(struct pg *m, struct pg_stream *s, uint32_t v, unsigned bits)
{
    for (unsigned i = 0; i < bits; i++) {
        s->block[s->bits / 8] |= (uint8_t)((v >> i & 1) << s->bits % 8);
        if (++s->bits == 128)
            stream_out(m, s);
    }
}

static unsigned out_bits(unsigned f)
{
    static const uint8_t bits[16] = {32, 16, 8, 4, 32, 16, 8, 4, 32, 16, 8, 2, 0, 0, 8, 2};
    return bits[f];
}

/* 16 datums share an exponent. */
static void block_out(struct pg *m, unsigned out, const uint32_t *v)
{
    bool a = out == F_BFP8A || out == F_BFP4A || out == F_BFP2A;
    uint32_t shared = 0;
    for (unsigned i = 0; i < 16; i++) {
        uint32_t e = a ? v[i] >> 10 & 31 : v[i] >> 7 & 255;
        shared = e > shared ? e : shared;
    }
    stream_put(m, &m->exponents, shared, 8);
    for (unsigned i = 0; i < 16; i++) {
        uint32_t e = a ? v[i] >> 10 & 31 : v[i] >> 7 & 255;
        uint32_t f = a ? v[i] >> 3 & 0x7f : v[i] & 0x7f;
        uint32_t d = shared - e, x = f | (e ? 128 : 0), mag = 0;
        if (d < 8)
            mag = (x + (1u << d)) >> (d + 1);
        mag = mag > 127 ? 127 : mag;
        unsigned width = out_bits(out);
        mag >>= 8 - width;
        stream_put(m, &m->data, mag | (mag ? v[i] >> 15 << (width - 1) : 0), width);
    }
}

static void open_streams(struct pg *m, const struct job *o)
{
    const struct pg_counter *c = m->adc[o->adc][2][1];
    uint32_t q = pg_cfg(m, o->t, 17, 0, 18) + c[PG_Y].v * pg_cfg(m, o->t, 14, 16, 16) +
                 c[PG_Z].v * pg_cfg(m, o->t, 15, 0, 16) + c[PG_W].v * pg_cfg(m, o->t, 15, 16, 16);
    uint32_t a = pg_cfg(m, o->t, 69, 0, 32) + !pg_cfg(m, o->t, 70, 15, 1) + (q >> 4);
    if (pg_cfg(m, o->t, 70, 1, 1))
        a += m->pack_offset;
    m->data = m->exponents = (struct pg_stream){.address = (a & 0x1ffff) << 4};
    if (o->out & 2)
        m->data.address = ((a + pg_cfg(m, o->t, 68, 16, 16)) & 0x1ffff) << 4;
}

/* ---- input ---- */

static uint32_t start_address(const struct pg *m, unsigned t, unsigned adc)
{
    const struct pg_counter *c = m->adc[adc][2][0];
    return pg_cfg(m, t, 16, 0, 18) + c[PG_X].v * pg_cfg(m, t, 12, 0, 4) +
           c[PG_Y].v * pg_cfg(m, t, 12, 16, 16) + c[PG_Z].v * pg_cfg(m, t, 13, 0, 16) +
           c[PG_W].v * pg_cfg(m, t, 13, 16, 16);
}

static uint32_t first_datum(const struct pg *m, unsigned t, unsigned adc, unsigned in)
{
    uint32_t a = start_address(m, t, adc), x = m->adc[adc][2][0][PG_X].v;
    uint32_t bytes = (in & 3) == 0 ? 4 : ((in & 3) == 1 ? 2 : 1), mask = 16 / bytes - 1;
    a = ((a / bytes) & ~mask) + (x & mask);
    return (a + (m->cfg[0][180] & 0xfff) * 16) & 0x3fff;
}

static uint32_t edge_mask(const struct pg *m, unsigned t, unsigned k)
{
    unsigned y = m->edge_y, z = m->edge_z;
    if (pg_cfg(m, t, 28, 23, 1))
        z += k;
    else
        y += k;
    unsigned b = pg_cfg(m, t, 24, 17, 2);
    if (pg_cfg(m, t, 19, 8, 1)) {
        unsigned zz = (m->cfg[0][180] >> 12 & 63) + z;
        b = pg_cfg(m, t, 36 + pg_cfg(m, t, 19, 0, 2), 2 * (zz & 15), 2);
    }
    unsigned c = pg_cfg(m, t, 20 + b, 2 * (y & 15), 2);
    return pg_cfg(m, t, 24 + c, 0, 16);
}

/* The position moves on by the number of rows read. */
static void edge_advance(struct pg *m, unsigned t, unsigned n)
{
    bool transposed = pg_cfg(m, t, 28, 23, 1);
    uint32_t *inner = transposed ? &m->edge_z : &m->edge_y,
             *outer = transposed ? &m->edge_y : &m->edge_z;
    *inner = (*inner + n) & 0xff;
    if (*inner == pg_cfg(m, t, 28, 8, 8)) {
        *inner = 0;
        *outer += 1;
    }
}

static uint32_t fetch(const struct job *o, unsigned row, unsigned column, uint32_t edge, bool zero)
{
    const struct pg *m = o->m;
    if (zero)
        return 0;
    uint32_t v;
    if (edge >> column & 1)
        v = o->wide ? early32(o, pg_order32(pg_read32(m, row, column)))
                    : early16(o, pg_read16(m, row, column));
    else if (!pg_cfg(m, o->t, 24, 16, 1))
        v = 0;
    else
        v = five(o->in) && !o->wide ? 0xffff : 0xff800000u;
    v = relu(o, v);
    if (o->in == F_FP16 && o->wide)
        v = fp16_of(v);
    return v;
}

static unsigned rows_of(uint32_t word, unsigned start, unsigned *row)
{
    unsigned mask = pg_bits(word, 11, 8), n = 0;
    mask = mask ? mask : 15;
    for (unsigned i = 0; i < 4; i++)
        if (mask >> i & 1)
            row[n++] = pg_bits(word, 17, 17) ? start + 16 * i : start + i;
    return n;
}

/* Packers/InputAddressGenerator, source L1: plain bytes; for blocks, sign and fraction of a number without exponent. */
static void from_l1(struct pg *m, const struct job *o)
{
    const struct pg_counter(*c)[4] = (const struct pg_counter(*)[4])m->adc[o->adc][2];
    uint32_t a = start_address(m, o->t, o->adc), bytes = out_bits(o->in) / 8, mask = 16 / bytes - 1;
    uint32_t count = c[1][PG_X].v - c[0][PG_X].v + 1;
    a = (pg_cfg(m, o->t, 70, 24, 8) << 18) + (a & 0x3ffff);
    a = ((a & ~15u) + bytes * (c[0][PG_X].v & mask)) & 0x1fffff;
    if (o->in == F_BFP8 || o->in == F_BFP8A) {
        uint32_t block[16];
        for (unsigned i = 0; i < 16; i++) {
            uint32_t x = m->l1[(a + i) % PG_L1], f = x & 0x7f;
            block[i] = late(o, o->in == F_BFP8 ? x >> 7 << 31 | f << 16 : x >> 7 << 15 | f << 3);
        }
        block_out(m, o->out, block);
        return;
    }
    for (uint32_t i = 0; i < count * bytes; i++)
        stream_put(m, &m->data, m->l1[(a + i) % PG_L1], 8);
}

static void datums(struct pg *m, const struct job *o, uint32_t word)
{
    uint32_t first = first_datum(m, o->t, o->adc, o->in), row[4], block[16];
    uint32_t count = m->adc[o->adc][2][1][PG_X].v - m->adc[o->adc][2][0][PG_X].v + 1;
    unsigned n = rows_of(word, first >> 4, row), i = 0;
    uint32_t keep = pg_cfg(m, o->t, 71, 0, 16);
    bool is_block = out_bits(o->out) < 16 && o->out != F_FP8 && o->out != F_INT8;
    keep = keep ? keep : 0xffff;
    for (unsigned k = 0; k < n; k++) {
        uint32_t edge = edge_mask(m, o->t, k);
        for (unsigned j = 0; j < count; j++, i++) {
            uint32_t v = fetch(o, row[k], (first + j) & 15, edge, pg_bits(word, 12, 12));
            v = late(o, threshold(o, v));
            if (!(keep >> i % 16 & 1))
                continue;
            if (is_block) {
                block[j] = v;
                if (j == 15)
                    block_out(m, o->out, block);
            } else {
                stream_put(m, &m->data, v, out_bits(o->out));
            }
        }
    }
    edge_advance(m, o->t, n);
}

/* ---- counters ---- */

static void pack_counter(struct pg_counter *c, unsigned increment, bool cr, bool clear,
                         uint32_t mask)
{
    if (clear) {
        c->v = c->cr = 0;
    } else if (cr) {
        c->cr = (c->cr + increment) & mask;
        c->v = c->cr;
    } else {
        c->v = (c->v + increment) & mask;
    }
}

void pg_pack_flush(struct pg *m)
{
    if (m->data.bits)
        stream_out(m, &m->data);
    if (m->exponents.bits)
        stream_out(m, &m->exponents);
}

void pg_pack(struct pg *m, unsigned t, uint32_t word)
{
    struct job o = {.m = m, .t = t, .in = pg_cfg(m, t, 70, 8, 4), .out = pg_cfg(m, t, 70, 4, 4)};
    o.adc = t;
    if (pg_bits(word, 7, 7))
        o.adc = pg_bits(word, 14, 13) == 3 ? 0 : pg_bits(word, 14, 13);
    o.wide = pg_cfg(m, t, 18, 0, 1);
    o.as_unsigned = pg_cfg(m, t, 18, 1, 1);
    o.raw = pg_cfg(m, t, 18, 2, 1);
    o.ten = pg_cfg(m, t, 18, 3, 1);
    if (!m->pack_open)
        open_streams(m, &o);
    if (!(word & 2) && pg_cfg(m, t, 70, 16, 1))
        from_l1(m, &o);
    else if (!(word & 2))
        datums(m, &o, word);
    m->pack_open = !(word & 3);
    if (word & 3)
        pg_pack_flush(m);
    if (word & 1)
        m->edge_y = m->edge_z = 0;
    uint32_t a = m->th[t][37 + pg_bits(word, 16, 15)];
    struct pg_counter(*c)[4] = m->adc[o.adc][2];
    pack_counter(&c[0][PG_Y], a & 15, a >> 4 & 1, a >> 5 & 1, 0x1fff);
    pack_counter(&c[1][PG_Y], a >> 6 & 15, a >> 10 & 1, a >> 11 & 1, 0x1fff);
    pack_counter(&c[0][PG_Z], a >> 12 & 1, false, a >> 13 & 1, 0xff);
    pack_counter(&c[1][PG_Z], a >> 14 & 1, false, a >> 15 & 1, 0xff);
}
