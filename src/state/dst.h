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

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "isa/timing.h"

#define DST_ROWS   1024u
#define DST_BLOCKS (DST_ROWS / 8)

/* Matrix and Vector Unit take turns at Dst. What a thread sends to the one waits until the other is through with what the same
   thread has sent before: a word of the Matrix Unit behind a single one of the Vector Unit comes before that is seen. */
struct dst_turn {
    uint64_t to_vector[3]; /* by thread: first cycle in which its words for the Vector Unit go */
    uint64_t to_matrix[3]; /* ... for the Matrix Unit; */
    uint64_t sooner[3];    /* the same, if the last word of the Vector Unit is not seen: */
    uint64_t last[3];      /* in the cycle behind this one */
    uint64_t
        moved; /* first cycle in which MOVA2D and MOVB2D let the Vector Unit in, whoever sends */
    uint64_t matrix_at, vector_at; /* first cycle behind the last word of each */
    uint64_t until;                /* the latest of all */
    uint16_t matrix, move, vector; /* DST_AFTER_MATRIX, DST_AFTER_MOVE, DST_AFTER_VECTOR */
};

struct dst {
    uint16_t d[DST_ROWS]
              [16];          /* physical rows: what a view of them means is the reader's business */
    uint8_t valid[DST_ROWS]; /* 0: the row reads as zero (ones for GMPOOL) */
    uint64_t ready[DST_BLOCKS]; /* first cycle in which the block may be read */
    uint64_t last_ready;        /* latest of them */
    uint64_t window;            /* DST_WINDOW, and 1: so much later than it is written */
    struct dst_turn turn;
};

/* All rows are valid after reset. */
static inline void dst_reset(struct dst *d, const struct timing *t)
{
    memset(d, 0, sizeof *d);
    d->window = t->n.DST_WINDOW + 1u;
    memset(d->valid, 1, sizeof d->valid);
    d->turn.matrix = t->n.DST_AFTER_MATRIX;
    d->turn.move = t->n.DST_AFTER_MOVE;
    d->turn.vector = t->n.DST_AFTER_VECTOR;
}

static inline void dst_turn_until(struct dst_turn *u, uint64_t cycle)
{
    if (cycle > u->until)
        u->until = cycle;
}

/* The thread's word for the Matrix Unit reaches Dst in cycle now. */
static inline void dst_matrix(struct dst *d, unsigned thread, uint64_t now, bool moves)
{
    struct dst_turn *u = &d->turn;
    u->to_vector[thread] = now + (moves ? u->move : u->matrix);
    u->matrix_at = now + 1;
    dst_turn_until(u, u->to_vector[thread]);
}

/* The same for the Vector Unit. */
static inline void dst_vector(struct dst *d, unsigned thread, uint64_t now)
{
    struct dst_turn *u = &d->turn;
    u->sooner[thread] = u->to_matrix[thread];
    u->to_matrix[thread] = now + u->vector;
    u->last[thread] = now;
    u->vector_at = now + 1;
    dst_turn_until(u, u->to_matrix[thread]);
}

/* Does a word of the thread wait for the other unit? */
static inline bool dst_matrix_waits(const struct dst *d, unsigned thread, uint64_t now)
{
    const struct dst_turn *u = &d->turn;
    return now < u->to_matrix[thread] && (now != u->last[thread] + 1 || now < u->sooner[thread]);
}

static inline bool dst_vector_waits(const struct dst *d, unsigned thread, uint64_t now)
{
    return now < d->turn.to_vector[thread] || now < d->turn.moved;
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
