/*
 * model_scalar.c - the Scalar Unit on GPRs, L1, registers, Src, ADCs and configuration; instructions of the Config
 * Unit that the vendor's simulator refuses; mutexes.
 *
 * ISA pages: ADDDMAREG, SUBDMAREG, MULDMAREG, BITWOPDMAREG, SHIFTDMAREG, CMPDMAREG, SETDMAREG, REG2FLOP, LOADIND,
 * STOREIND, LOADREG, STOREREG, ATINCGET, ATINCGETPTR, ATSWAP, ATCAS, SETADC, SETADCXX, SETADCXY, SETADCZW, INCADCXY,
 * INCADCZW, ADDRCRXY, ADDRCRZW (Wormhole); WRCFG, RDCFG, STREAMWRCFG, CFGSHIFTMASK, RMWCIB, ATGETM, ATRELM (Blackhole).
 */
#include "pages.h"

#include <string.h>

static uint32_t word_at(const struct pg *m, uint32_t a)
{
    return m->l1[a] | (uint32_t)m->l1[a + 1] << 8 | (uint32_t)m->l1[a + 2] << 16 |
           (uint32_t)m->l1[a + 3] << 24;
}

static void put_bytes(struct pg *m, uint32_t a, uint32_t value, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        m->l1[a + i] = (uint8_t)(value >> 8 * i);
}

/* ---- arithmetic ---- */

static void dmareg(uint32_t *g, uint32_t w)
{
    uint32_t a = g[w & 63], b = w >> 23 & 1 ? pg_bits(w, 11, 6) : g[pg_bits(w, 11, 6)];
    uint32_t mode = pg_bits(w, 20, 18), *d = &g[pg_bits(w, 17, 12)];
    switch (w >> 24) {
    case 0x58: *d = a + b; break;
    case 0x59: *d = a - b; break;
    case 0x5a: *d = (a & 0xffff) * (b & 0xffff); break;
    case 0x5b: *d = mode == 0 ? a & b : mode == 1 ? a | b : a ^ b; break;
    case 0x5c: *d = mode == 0 ? a << (b & 31) : a >> (b & 31); break;
    default: *d = mode == 0 ? a > b : mode == 1 ? a < b : a == b; break;
    }
}

static void set_half(uint32_t *g, unsigned half, uint32_t value)
{
    unsigned by = half & 1 ? 16 : 0;
    g[half / 2] = (g[half / 2] & ~(0xffffu << by)) | (value & 0xffff) << by;
}

/* ---- memory ---- */

/* The offset of LOADIND and STOREIND, which moves on. */
static uint32_t take_offset(uint32_t *g, uint32_t w)
{
    static const uint8_t step[4] = {0, 2, 4, 16};
    unsigned half = pg_bits(w, 20, 14);
    uint32_t offset = g[half / 2] >> (half & 1 ? 16 : 0) & 0xffff;
    set_half(g, half, offset + step[pg_bits(w, 13, 12)]);
    return offset;
}

static void loadind(struct pg *m, uint32_t *g, uint32_t w)
{
    uint32_t base = g[w & 63] * 16, size = pg_bits(w, 23, 22), reg = pg_bits(w, 11, 6);
    uint32_t a = base + take_offset(g, w);
    if (size == 0)
        for (unsigned i = 0; i < 4; i++)
            g[(reg & 0x3c) + i] = word_at(m, (a & ~15u) + 4 * i);
    else if (size == 1)
        g[reg] = word_at(m, a & ~3u);
    else if (size == 2)
        set_half(g, 2 * reg, (uint32_t)m->l1[a & ~1u] | (uint32_t)m->l1[a | 1] << 8);
    else
        g[reg] = (g[reg] & 0xffffff00u) | m->l1[a];
}

static uint32_t src_low(uint32_t x) /* sign, fraction, exponent */
{
    return (x & 0xff00) << 3 | (x & 0xff);
}

static uint32_t src_high(uint32_t x) /* sign, exponent, fraction */
{
    return (x >> 31) << 18 | pg_bits(x, 22, 16) << 11 | pg_bits(x, 30, 23);
}

static void store_src(struct pg *m, unsigned thread, uint32_t *g, uint32_t w)
{
    const uint32_t *d = &g[pg_bits(w, 11, 6) & 0x3c];
    uint32_t datum[4] = {src_low(d[0]), src_high(d[0]), src_low(d[1]), src_high(d[1])};
    unsigned which = w >> 21 & 1;
    uint32_t base = g[w & 63], at = (base + (take_offset(g, w) >> 4)) & 0xfffff;
    int32_t row = (int32_t)(at >> 2) - (which == PG_A ? 4 : 0);
    if (row < 0)
        return;
    if (which == PG_B || !(m->th[thread][5] & 4))
        row += (int32_t)m->srcrow[which][thread];
    for (unsigned i = 0; i < 4; i++)
        m->src[which][m->ubank[which]][row][4 * (at & 3) + i] = datum[i];
}

static void storeind(struct pg *m, unsigned thread, uint32_t *g, uint32_t w)
{
    uint32_t size = pg_bits(w, 22, 21), reg = pg_bits(w, 11, 6), base = g[w & 63];
    if (!(w >> 22 & 3)) {
        store_src(m, thread, g, w);
        return;
    }
    uint32_t value[4];
    memcpy(value, &g[w >> 23 & 1 && !size ? reg & 0x3c : reg & 63], w >> 23 & 1 && !size ? 16 : 4);
    if (!(w >> 23 & 1)) {
        uint32_t a = 0xFFB00000u + ((base + (take_offset(g, w) >> 4)) & 0xffffc);
        m->mmio[(a - PG_DEVICE) / 4] = value[0];
        return;
    }
    uint32_t a = base * 16 + take_offset(g, w);
    if (size == 0)
        for (unsigned i = 0; i < 4; i++)
            put_bytes(m, (a & ~15u) + 4 * i, value[i], 4);
    else
        put_bytes(m,
                  a & ~(size == 1   ? 3u
                        : size == 2 ? 1u
                                    : 0u),
                  value[0],
                  size == 1 ? 4 : 4 - size);
}

/* ---- atomics ---- */

static void atincget(struct pg *m, uint32_t *g, uint32_t w)
{
    uint32_t a = g[w & 63] * 16 + 4 * pg_bits(w, 13, 12), *r = &g[pg_bits(w, 11, 6)];
    uint32_t old = word_at(m, a), bits = pg_bits(w, 18, 14) + 1;
    uint32_t mask = bits == 32 ? UINT32_MAX : (1u << bits) - 1;
    put_bytes(m, a, ((old + *r) & mask) | (old & ~mask), 4);
    *r = old;
}

static void atincgetptr(struct pg *m, uint32_t *g, uint32_t w)
{
    uint32_t a = g[w & 63] * 16 + 4 * pg_bits(w, 13, 12), old = word_at(m, a);
    uint32_t mask = (1u << pg_bits(w, 17, 14)) - 1;
    uint32_t add = w >> 22 & 1 ? 0 : 1u << pg_bits(w, 21, 18);
    put_bytes(m, a, ((old + add) & mask) | (old & ~mask), 4);
    g[pg_bits(w, 11, 6)] = old;
}

static void atswap(struct pg *m, uint32_t *g, uint32_t w)
{
    uint32_t a = g[w & 63] * 16, reg = pg_bits(w, 11, 6), data[4] = {0};
    for (unsigned i = 0; i < 4; i++)
        if (!(w >> 22 & 1) || i == (reg & 3))
            data[i] = g[(reg & 0x3c) + i];
    for (unsigned i = 0; i < 8; i++)
        if (w >> (14 + i) & 1)
            put_bytes(m, a + 2 * i, data[i / 2] >> (i & 1 ? 16 : 0), 2);
}

/* ---- REG2FLOP ---- */

/* X, Y, Z, W */
static const uint32_t adc_width[4] = {0x3ffff, 0x1fff, 0xff, 0xff};

static void to_adc(struct pg *m, unsigned thread, const uint32_t *g, uint32_t w)
{
    uint32_t value = g[w & 63], size = pg_bits(w, 23, 22), by = pg_bits(w, 19, 18);
    unsigned dimension = pg_bits(w, 7, 6), set = pg_bits(w, 10, 9);
    if (size == 3)
        value = value >> 8 * by & 0xff;
    else if (size == 2)
        value = by == 0 ? value & 0xffff : by == 2 ? value >> 16 : 0;
    else
        value = size == 1 && by == 0 ? value : 0;
    if (w >> 20 & 1)
        thread = pg_bits(w, 17, 16);
    if (thread > 2 || set > 2)
        return;
    struct pg_counter *c = &m->adc[thread][set][w >> 11 & 1][dimension];
    if (w >> 8 & 1)
        c->cr = value & adc_width[dimension];
    else
        c->v = value & adc_width[dimension];
}

static void reg2flop(struct pg *m, unsigned thread, const uint32_t *g, uint32_t w)
{
    uint32_t *cfg = &m->cfg[m->th[thread][0] & 1][64], index = pg_bits(w, 12, 6);
    if (w >> 21 & 1)
        to_adc(m, thread, g, w);
    else if (w >> 22 & 3)
        cfg[index] = g[w & 63];
    else
        memcpy(&cfg[index & ~3u], &g[w & 0x3c], 16);
}

/* ---- ADCs ---- */

static void adc_set(struct pg_counter *c, unsigned dimension, uint32_t value)
{
    c->v = c->cr = value & adc_width[dimension];
}

/* SETADCXY, INCADCXY, ADDRCRXY and the same for Z and W: field i is channel i / 2, first or second of both. */
static void adc_pair(struct pg_counter channel[2][4], uint32_t w)
{
    unsigned how = (w >> 24) - 0x51, first = how >= 3 ? PG_Z : PG_X;
    for (unsigned i = 0; i < 4; i++) {
        unsigned dimension = first + i % 2;
        struct pg_counter *c = &channel[i / 2][dimension];
        uint32_t value = w >> (6 + 3 * i) & 7;
        if (how % 3 == 1)
            c->v = (c->v + value) & adc_width[dimension];
        else if (w >> i & 1)
            adc_set(c, dimension, how % 3 ? c->cr + value : value);
    }
}

static void adc(struct pg *m, unsigned thread, uint32_t w)
{
    unsigned op = w >> 24, other = op == 0x50 ? w >> 16 & 3 : op == 0x5e ? 0 : w >> 18 & 3;
    if (other)
        thread = other - 1;
    for (unsigned set = 0; set < 3; set++) {
        struct pg_counter(*channel)[4] = m->adc[thread][set];
        if (!(w >> (21 + set) & 1))
            continue;
        if (op == 0x50) {
            adc_set(&channel[w >> 20 & 1][w >> 18 & 3],
                    w >> 18 & 3,
                    w & 0xffff); /* not the thread's bits */
        } else if (op == 0x5e) {
            adc_set(&channel[0][PG_X], PG_X, w & 0x3ff);
            adc_set(&channel[1][PG_X], PG_X, w >> 10 & 0x3ff);
        } else {
            adc_pair(channel, w);
        }
    }
}

/* ---- Config Unit ---- */

static void set_cfg(struct pg *m, unsigned thread, unsigned index, uint32_t value)
{
    m->cfg[m->th[thread][0] & 1][index] = value;
    if (index >= 180)
        m->cfg[~m->th[thread][0] & 1][index] = value;
}

static uint32_t rotate(uint32_t x, unsigned by)
{
    return by ? x >> by | x << (32 - by) : x;
}

static void cfgshiftmask(struct pg *m, unsigned thread, uint32_t w)
{
    unsigned index = w & 255, by = pg_bits(w, 14, 10), which = pg_bits(w, 9, 8);
    uint32_t ones = UINT32_MAX >> (31 - pg_bits(w, 19, 15)), bank = m->th[thread][0] & 1;
    uint32_t s = rotate(m->cfg[bank][209 + (which == 3 ? thread : which)] & ones, by);
    uint32_t v = m->cfg[bank][index];
    if (!(w >> 23 & 1))
        v &= ~rotate(ones, by);
    switch (pg_bits(w, 22, 20)) {
    case 0: v |= s; break;
    case 1: v &= s; break;
    case 2: v ^= s; break;
    case 3: v += s; break;
    case 4: v |= ~s; break;
    case 5: v &= ~s; break;
    case 6: v ^= ~s; break;
    default: v -= s; break;
    }
    set_cfg(m, thread, index, v);
}

static void config_word(struct pg *m, unsigned thread, uint32_t *g, uint32_t w)
{
    uint32_t bank = m->th[thread][0] & 1, index = w & 0x7ff, op = w >> 24;
    if (op == 0xb0) {
        unsigned reg = pg_bits(w, 21, 16), n = w >> 15 & 1 ? 4 : 1;
        for (unsigned i = 0; i < n; i++)
            set_cfg(m, thread, (index & ~(n - 1)) + i, g[(reg & ~(n - 1)) + i]);
    } else if (op == 0xb1) {
        g[pg_bits(w, 21, 16)] = m->cfg[bank][index];
    } else if (op == 0xb7) {
        unsigned stream = m->th[thread][59 + pg_bits(w, 22, 21)] & 63;
        set_cfg(m, thread, index, m->stream[stream][pg_bits(w, 20, 11)]);
    } else if (op == 0xb8) {
        cfgshiftmask(m, thread, w);
    } else {
        unsigned by = 8 * (op - 0xb3);
        uint32_t mask = pg_bits(w, 23, 16) << by, data = pg_bits(w, 15, 8) << by;
        index &= 255;
        set_cfg(m, thread, index, (m->cfg[bank][index] & ~mask) | (data & mask));
    }
}

void pg_scalar(struct pg *m, unsigned thread, uint32_t w)
{
    uint32_t *g = m->gpr[thread], index = w & 0xffff;
    switch (w >> 24) {
    case 0x45: set_half(g, w & 127, w >> 8); break;
    case 0x50:
    case 0x51:
    case 0x52:
    case 0x53:
    case 0x54:
    case 0x55:
    case 0x56:
    case 0x5e: adc(m, thread, w); break;
    case 0x48: reg2flop(m, thread, g, w); break;
    case 0x49: loadind(m, g, w); break;
    case 0x61: atincget(m, g, w); break;
    case 0x62: atincgetptr(m, g, w); break;
    case 0x63: atswap(m, g, w); break;
    case 0x64: put_bytes(m, g[w & 63] * 16 + 4 * pg_bits(w, 13, 12), pg_bits(w, 21, 18), 4); break;
    case 0x66: storeind(m, thread, g, w); break;
    case 0x67: m->mmio[pg_bits(w, 17, 0) - (PG_DEVICE & 0xfffff) / 4] = g[w >> 18 & 63]; break;
    case 0x68: g[w >> 18 & 63] = m->mmio[pg_bits(w, 17, 0) - (PG_DEVICE & 0xfffff) / 4]; break;
    case 0xa0: m->mutex[index] = (uint8_t)(thread + 1); break;
    case 0xa1:
        if (m->mutex[index] == thread + 1)
            m->mutex[index] = 0;
        break;
    case 0xb0:
    case 0xb1:
    case 0xb3:
    case 0xb4:
    case 0xb5:
    case 0xb6:
    case 0xb7:
    case 0xb8: config_word(m, thread, g, w); break;
    case 0x58:
    case 0x59:
    case 0x5a:
    case 0x5b:
    case 0x5c:
    case 0x5d: dmareg(g, w); break;
    default: break; /* FLUSHDMA, STALLWAIT, DMANOP */
    }
}
