/*
 * dst.h - the Dst register file: 1024 physical rows of 16 cells of 16 bits with a valid bit each. How
 * 16- and 32-bit rows lie in them, and for how long a written block of eight rows cannot be read.
 *
 * ISA page: Dst (Blackhole).
 *
 * Invariant: whatever makes a row valid has written all of it, or found it valid.
 *
 * Inaccuracies: the window belongs to the physical block of eight rows; a 32-bit row counts with the
 * block of its high half only. The debug bit that lets 16-bit accesses see the high halves of
 * 32-bit rows is not there. Contents after reset, which are unpredictable, are zero.
 */
#ifndef WG_STATE_DST_H
#define WG_STATE_DST_H

#include <stdint.h>
#include <string.h>

#include "isa/timing.h"

#define DST_ROWS   1024u
#define DST_BLOCKS (DST_ROWS / 8)

struct dst {
    uint16_t d[DST_ROWS]
              [16];          /* physical rows: what a view of them means is the reader's business */
    uint8_t valid[DST_ROWS]; /* 0: the row reads as zero (ones for GMPOOL) */
    uint64_t ready[DST_BLOCKS]; /* first cycle in which the block may be read */
    uint64_t last_ready;        /* latest of them */
    uint64_t window;            /* DST_WINDOW, and 1: so much later than it is written */
};

/* All rows are valid after reset. */
static inline void dst_reset(struct dst *d, const struct timing *t)
{
    memset(d, 0, sizeof *d);
    d->window = t->n.DST_WINDOW + 1u;
    memset(d->valid, 1, sizeof d->valid);
}

/* Where row r of 16 bits lies; access: the Config word DEST_ACCESS_CFG. */
static inline unsigned dst_row16(unsigned r, uint32_t access)
{
    r %= DST_ROWS;
    if (access & 2) /* remap_addrs: bits 5:3 rotate */
        r = (r & ~0x38u) | (r >> 3 & 1) << 5 | (r >> 5 & 1) << 4 | (r >> 4 & 1) << 3;
    return r;
}

/* Where the high half of row r of 32 bits lies; the low half is DST_LOW rows further. */
#define DST_LOW 8u
static inline unsigned dst_row32(unsigned r, uint32_t access)
{
    r = dst_row16(r, access);
    if (access & 1) /* swizzle_32b */
        r = (r & ~0xcu) | ((r >> 4 ^ r >> 2) & 1) << 3 | (r >> 3 & 1) << 2;
    return 2 * (r & 0x1f8) | (r & 0x207);
}

/* Physical row `row` is written by an instruction that goes now. */
static inline void dst_write(struct dst *d, unsigned row, uint64_t now)
{
    uint64_t ready = now + d->window;
    d->ready[row % DST_ROWS / 8] = ready;
    d->last_ready = ready; /* cycles only go up */
}

#endif
