/*
 * model_state.c - Dst, row counters, banks and formats as the pages describe them, and which model a word
 * belongs to.
 */
#include "pages.h"

/* ---- Dst (Blackhole): Adj16 and Adj32 of the page, in its own words ---- */

unsigned pg_row16(const struct pg *m, unsigned row)
{
    unsigned r = row & 0x3ff;
    if (m->cfg[0][220] & 2)
        r = (r & 0x3c7) ^ ((r & 0x030) >> 1) ^ ((r & 0x008) << 2);
    return r;
}

unsigned pg_row32(const struct pg *m, unsigned row)
{
    unsigned r = pg_row16(m, row);
    if (m->cfg[0][220] & 1)
        r = (r & 0x3f3) ^ ((r & 0x018) >> 1) ^ ((r & 0x004) << 1);
    return ((r & 0x1f8) << 1) | (r & 0x207);
}

uint16_t pg_read16(const struct pg *m, unsigned row, unsigned column)
{
    unsigned p = pg_row16(m, row);
    return m->valid[p] ? m->dst[p][column] : 0;
}

uint32_t pg_read32(const struct pg *m, unsigned row, unsigned column)
{
    unsigned p = pg_row32(m, row);
    return m->valid[p] ? (uint32_t)m->dst[p][column] << 16 | m->dst[p + 8][column] : 0;
}

void pg_write16(struct pg *m, unsigned row, unsigned column, uint16_t value)
{
    unsigned p = pg_row16(m, row);
    m->dst[p][column] = value;
    if (column == 15)
        m->valid[p] = 1;
}

void pg_write32(struct pg *m, unsigned row, unsigned column, uint32_t value)
{
    unsigned p = pg_row32(m, row);
    m->dst[p][column] = (uint16_t)(value >> 16);
    m->dst[p + 8][column] = (uint16_t)value;
    if (column == 15)
        m->valid[p] = 1;
}

uint32_t pg_order32(uint32_t v)
{
    return (v & 0x8000ffff) | ((v & 0x7f000000) >> 8) | ((v & 0x00ff0000) << 7);
}

uint32_t pg_to_dst32(uint32_t v)
{
    return (v & 0x8000ffff) | ((v & 0x7f800000) >> 7) | ((v & 0x007f0000) << 8);
}

/* ---- formats ---- */

bool pg_five_bits(unsigned f)
{
    return f == F_FP16 || f == F_FP8 || f == F_BFP8A || f == F_BFP4A || f == F_BFP2A || f == F_INT8;
}

/* Blackhole: what the bank remembers, unless the thread has switched that off. */
uint32_t pg_matrix_format(const struct pg *m, unsigned thread, unsigned which)
{
    if (!(m->th[thread][2 + which] & 1))
        return m->fmt[which][m->mbank[which]];
    if (which == PG_A)
        return pg_cfg(m, thread, 0, 4, 1) ? pg_cfg(m, thread, 0, 0, 4)
                                          : pg_cfg(m, thread, 1, 17, 4);
    return pg_cfg(m, thread, 0, 9, 1) ? pg_cfg(m, thread, 0, 5, 4) : pg_cfg(m, thread, 1, 21, 4);
}

/* ---- row counters ---- */

uint32_t pg_dst_base(const struct pg *m, unsigned thread)
{
    return (m->th[thread][1] & 0xfffu) + m->rwc[thread].dst + pg_cfg(m, thread, 6, 0, 16);
}

static void count(uint32_t *v, uint32_t *cr, uint32_t section)
{
    uint32_t increment = section & 63;
    if (section & 0x80) {
        *v = 0;
        *cr = 0;
    } else if (section & 0x40) {
        *cr = (*cr + increment) & 63;
        *v = *cr;
    } else {
        *v = (*v + increment) & 63;
    }
}

void pg_addr_mod(struct pg *m, unsigned thread, unsigned index)
{
    struct pg_rwc *w = &m->rwc[thread];
    uint32_t ab = m->th[thread][12 + index], d = m->th[thread][28 + index];
    count(&w->a, &w->a_cr, ab & 0xff);
    count(&w->b, &w->b_cr, ab >> 8);
    uint32_t increment = d & 0x3ff;
    if (d & 0x800) {
        w->dst = 0;
        w->dst_cr = 0;
    } else if (d & 0x1000) {
        w->dst = (w->dst + increment) & 0x3ff;
        w->dst_cr = w->dst;
    } else if (d & 0x400) {
        w->dst_cr = (w->dst_cr + increment) & 0x3ff;
        w->dst = w->dst_cr;
    } else {
        w->dst = (w->dst + increment) & 0x3ff;
    }
    if (d & 0x8000)
        w->phase = 0;
    else
        w->phase = (w->phase + ((d >> 13) & 3)) & 3;
}

/* ---- banks ---- */

void pg_flip(struct pg *m, unsigned thread, uint32_t word)
{
    for (unsigned which = 0; which < 2; which++)
        if ((word >> (22 + which)) & 1) {
            if (!((m->th[thread][7] >> which) & 1))
                m->owner[which][m->mbank[which]] = 0;
            m->mbank[which] ^= 1;
        }
}

/* The unpackers' bank goes to the Matrix Unit. */
void pg_give(struct pg *m, unsigned thread, unsigned which)
{
    m->owner[which][m->ubank[which]] = 1;
    m->ubank[which] ^= 1;
    m->srcrow[which][thread] = (m->th[thread][5 + which] & 3u) << 4;
}

static void setrwc(struct pg *m, unsigned thread, uint32_t word)
{
    struct pg_rwc *w = &m->rwc[thread];
    uint32_t a = pg_bits(word, 9, 6), b = pg_bits(word, 13, 10), d = pg_bits(word, 17, 14);
    uint32_t cr = pg_bits(word, 21, 18);
    if (word & 1)
        w->a = w->a_cr = (a + (cr & 1 ? w->a_cr : 0)) & 63;
    if (word & 2)
        w->b = w->b_cr = (b + (cr & 2 ? w->b_cr : 0)) & 63;
    if (word & 4 || cr & 8) {
        if (cr & 8)
            d += w->dst;
        else if (cr & 4)
            d += w->dst_cr;
        w->dst = w->dst_cr = d & 0x3ff;
    }
    if (word & 8)
        w->phase = 0;
    if (word & 16)
        m->sp[thread] = (a | b << 4 | pg_bits(word, 17, 14) << 8) & 0x3ff;
    pg_flip(m, thread, word);
}

static void incrwc(struct pg *m, unsigned thread, uint32_t word)
{
    struct pg_rwc *w = &m->rwc[thread];
    uint32_t a = pg_bits(word, 9, 6), b = pg_bits(word, 13, 10), d = pg_bits(word, 17, 14);
    uint32_t cr = pg_bits(word, 20, 18);
    if (cr & 1)
        w->a = w->a_cr = (w->a_cr + a) & 63;
    else
        w->a = (w->a + a) & 63;
    if (cr & 2)
        w->b = w->b_cr = (w->b_cr + b) & 63;
    else
        w->b = (w->b + b) & 63;
    if (cr & 4)
        w->dst = w->dst_cr = (w->dst_cr + d) & 0x3ff;
    else
        w->dst = (w->dst + d) & 0x3ff;
}

static void cleardvalid(struct pg *m, uint32_t word)
{
    for (unsigned which = 0; which < 2; which++) {
        if (word & 1) {
            m->mbank[which] = m->ubank[which] = 0;
            m->owner[which][0] = m->owner[which][1] = 0;
        } else if ((word >> (22 + which)) & 1) {
            m->owner[which][m->mbank[which]] = 0;
            if (!(word & 2))
                m->mbank[which] ^= 1;
        }
    }
}

void pg_exec(struct pg *m, unsigned thread, uint32_t word)
{
    if (word >> 24 >= 0x70 && word >> 24 <= 0x99) {
        pg_vector(m, thread, word);
        return;
    }
    switch (word >> 24) {
    case 38:
    case 39:
    case 40:
    case 41:
    case 48:
    case 52: pg_matrix(m, thread, word); break;
    case 51: pg_gmpool(m, thread, word); break;
    case 54: cleardvalid(m, word); break;
    case 55: setrwc(m, thread, word); break;
    case 56: incrwc(m, thread, word); break;
    case 65: pg_pack(m, thread, word); break;
    case 66: pg_unpack(m, thread, word); break;
    case 67: pg_unpack_nop(m, thread, word); break;
    case 74:
        if ((word & 2) && !(word >> 22 & 1))
            pg_pack_flush(m);
        pg_pack_register(m, word);
        break;
    case 87: pg_setdvalid(m, thread, word); break;
    default:
        if (word >> 24 <= 24)
            pg_moves(m, thread, word);
        else
            pg_scalar(m, thread, word);
        break;
    }
}

bool pg_blocked(const struct pg *m, uint32_t word)
{
    bool a = m->owner[PG_A][m->mbank[PG_A]], b = m->owner[PG_B][m->mbank[PG_B]];
    unsigned u = word >> 23 & 1;
    switch (word >> 24) {
    case 38:
    case 39:
    case 40:
    case 41:
    case 48:
    case 51:
    case 52: return !a || !b;
    case 18:
    case 23: return !a;
    case 11:
    case 19:
    case 22:
    case 24: return !b;
    case 66: return m->owner[u][m->ubank[u]];
    case 67: return (word & 3) == 1 && m->owner[u][word & 32 ? m->ubank[u] : m->mbank[u]];
    default: return false;
    }
}
