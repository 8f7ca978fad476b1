/*
 * model_sfpdst.c - SFPLOAD, SFPSTORE and SFPLOADI: between Dst and the lanes.
 *
 * ISA pages: SFPLOAD, SFPSTORE, SFPLOADI, RWCs, Dst (Blackhole). Rows that ZEROACC has marked are read
 * as zeros, as in the vendor's simulator; the pages call that undefined.
 */
#include "pages.h"

enum {
    FP16 = 1,
    BF16,
    FP32,
    INT32,
    INT8,
    UINT16,
    HI16,
    INT16,
    LO16,
    INT32_ALL,
    ZERO,
    INT32_SM,
    INT8_COMP,
    LO16_ONLY,
    HI16_ONLY
};

/* Mode 0 looks at the configuration. */
static unsigned resolve(const struct pg *m, unsigned thread, unsigned mode)
{
    if (mode)
        return mode;
    if (pg_cfg(m, thread, 1, 30, 1))
        return FP32;
    unsigned f =
        pg_cfg(m, thread, 0, 9, 1) ? pg_cfg(m, thread, 0, 5, 4) : pg_cfg(m, thread, 1, 21, 4);
    /* FP32, TF32, BF16, BFP8, BFP4, BFP2, INT32, INT16 */
    return 0x83f1u >> f & 1 ? BF16 : FP16;
}

static unsigned address(struct pg *m, unsigned thread, uint32_t word, unsigned mode, bool store)
{
    uint32_t step = m->th[thread][36] & 0x3ffu;
    uint32_t base = (word & 0x3ff) + m->th[thread][1];
    uint32_t d = m->rwc[thread].dst + pg_cfg(m, thread, 6, 0, 16);
    uint32_t *sp = &m->sp[thread], all = mode == INT32_ALL;
    if (all && !store && *sp)
        *sp = (*sp - step) & 0x3ff;
    uint32_t s = *sp + pg_cfg(m, thread, 7, 0, 16);
    if (all && store)
        *sp = (*sp + step) & 0x3ff;
    return (base + (all ? s + (d & 3) : d + (s & 3))) & 0x3ff;
}

/* ---- what a cell means ---- */

static uint32_t half_to_float(uint32_t cell, bool infinite)
{
    uint32_t sign = cell >> 15, f = cell >> 5 & 0x3ff, e = cell & 31;
    if (infinite && f == 0x3ff && e == 31)
        return sign << 31 | 0x7f800000u;
    return sign << 31 | (e ? e + 112 : 0) << 23 | f << 13;
}

static uint32_t load_cell(const struct pg *m, unsigned mode, unsigned row, unsigned column,
                          unsigned lane, uint32_t old)
{
    uint32_t cell = pg_read16(m, row, column), sign = (cell & 0x8000) << 16;
    switch (mode) {
    case FP16: return half_to_float(cell, m->v.config[lane] & 1);
    case BF16: return pg_order32(cell << 16);
    case INT8: return sign | (cell >> 5 & 0xff);
    case INT8_COMP: return sign | (cell >> 5 & 0x3ff);
    case INT16: return sign | (cell & 0x7fff);
    case UINT16:
    case LO16: return cell;
    case HI16: return cell << 16;
    case ZERO: return 0;
    case LO16_ONLY: return (old & 0xffff0000u) | cell;
    case HI16_ONLY: return cell << 16 | (old & 0xffff);
    default: return pg_order32(pg_read32(m, row, column));
    }
}

static uint32_t float_to_half(uint32_t x)
{
    uint32_t sign = x >> 31 << 15, e = pg_bits(x, 30, 23), f = x >> 13 & 0x3ff;
    if (e <= 112)
        return sign;
    if (e > 143)
        return sign | 0x7fff;
    return sign | f << 5 | (e - 112);
}

static void store_cell(struct pg *m, unsigned mode, unsigned row, unsigned column, uint32_t x)
{
    uint32_t cell = 0, flushed = x & 0x7f800000 ? x : x & 0x80000000u;
    switch (mode) {
    case FP16: cell = float_to_half(x); break;
    case BF16: cell = pg_to_dst32(flushed) >> 16; break;
    case INT8:
    case INT8_COMP: cell = x >> 31 << 15 | (x & 0x3ff) << 5 | 16; break;
    case INT16: cell = x >> 31 << 15 | (x & 0x7fff); break;
    case UINT16:
    case LO16_ONLY: cell = x & 0xffff; break;
    case HI16_ONLY: cell = x >> 16; break;
    case ZERO: break;
    default:
        if (mode == FP32)
            x = pg_to_dst32(flushed);
        else if (mode == LO16)
            x = x << 16 | x >> 16;
        else if (mode != HI16)
            x = pg_to_dst32(x);
        pg_write32(m, row, column, x);
        return;
    }
    pg_write16(m, row, column, (uint16_t)cell);
}

static void loadi(struct pg *m, uint32_t word)
{
    uint32_t x = word & 0xffff, mode = word >> 16 & 15, vd = word >> 20 & 15;
    for (unsigned i = 0; i < PG_LANES; i++) {
        if (vd >= 8 || !pg_lane_enabled(m, i))
            continue;
        uint32_t *r = &m->v.r[vd][i];
        switch (mode) {
        case 0: *r = x << 16; break;
        case 1: *r = x >> 15 << 31 | ((x >> 10 & 31) + 112) << 23 | (x & 0x3ff) << 13; break;
        case 2: *r = x; break;
        case 4: *r = x | (x & 0x8000 ? 0xffff0000u : 0); break;
        case 8: *r = x << 16 | (*r & 0xffff); break;
        default: *r = (*r & 0xffff0000u) | x; break;
        }
    }
}

void pg_sfp_dst(struct pg *m, unsigned thread, uint32_t word)
{
    bool store = word >> 24 == 0x72;
    unsigned vd = word >> 20 & 15;
    if (word >> 24 == 0x71) {
        loadi(m, word);
        return;
    }
    unsigned mode = resolve(m, thread, word >> 16 & 15);
    unsigned at = address(m, thread, word, mode, store);
    for (unsigned i = 0; i < PG_LANES; i++) {
        uint32_t c = m->v.config[i];
        unsigned row = (at & 0x3fc) + i / 8, odd = m->v.config[i & 7] >> (store ? 7 : 6) & 1;
        unsigned column = 2 * (i & 7) + (odd | (at >> 1 & 1));
        if (mode != INT32_ALL && !pg_lane_enabled(m, i))
            continue;
        if (store) {
            if (!(c & 0x10) && pg_lane_gate(m, i, vd))
                store_cell(m, mode, row, column, m->v.r[vd][i]);
        } else if (vd < 8 && !(c & 0x20)) {
            m->v.r[vd][i] = load_cell(m, mode, row, column, i, m->v.r[vd][i]);
            if (vd < 4 && (c & 0xc) == 0xc)
                m->v.r[vd + 4][i] = row << 4 | column;
        }
    }
    uint32_t phase = m->rwc[thread].phase;
    pg_addr_mod(m, thread, word >> 13 & 7);
    m->rwc[thread].phase = phase;
}
