/*
 * dst.h - the Dst register file, as far as its timing goes: a written block of eight rows cannot
 * be read for DST_WINDOW cycles.
 *
 * ISA page: Dst (Blackhole). Data comes with the Matrix Unit's arithmetic.
 *
 * Inaccuracies: rows are taken as 16-bit rows also in 32-bit mode; only Matrix instructions arm and
 * test the window, not PACR, SFPSTORE or unpacking to Dst.
 */
#ifndef WG_UNIT_DST_H
#define WG_UNIT_DST_H

#include <stdint.h>
#include <string.h>

#include "base/fault.h"
#include "isa/timing.h"

#define DST_ROWS   1024u
#define DST_BLOCKS (DST_ROWS / 8)

struct dst {
    uint16_t d[DST_ROWS]
              [16];          /* physical rows: what a view of them means is the reader's business */
    uint8_t valid[DST_ROWS]; /* 0: the row reads as zero (ones for GMPOOL) */
    uint64_t ready[DST_BLOCKS]; /* first cycle in which the block may be read */
    uint64_t last_ready;        /* latest of them */
};

static inline void dst_reset(struct dst *d)
{
    memset(d, 0, sizeof *d);
}

static inline void dst_write(struct dst *d, unsigned row, uint64_t now)
{
    uint64_t ready = now + 1 + T_DST_WINDOW - FAULT(19);
    d->ready[row % DST_ROWS / 8] = ready;
    d->last_ready = ready; /* cycles only go up */
}

#endif
