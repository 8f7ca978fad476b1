/*
 * matrix.h - Matrix Unit (FPU): who may go when, Src bank hand-over, Dst window.
 *
 * ISA pages: MatrixUnit and its instructions, SrcASrcB, Dst. Rules in time: docs/timing.md 4.10,
 * 4.11.
 */
#ifndef WG_UNIT_MATRIX_H
#define WG_UNIT_MATRIX_H

#include "unit/config.h"
#include "unit/dst.h"
#include "unit/queue.h"
#include "unit/rwc.h"
#include "unit/src.h"

struct probe;

struct matrix {
    uint64_t done_at;    /* first cycle in which the pipe is empty */
    uint8_t users;       /* threads that sent something since it was last empty */
    uint8_t last_op;     /* what went last ... */
    uint64_t last_at;    /* ... and when, for the windows behind the moves */
    uint64_t movx2d_end; /* first cycle in which readers of Dst go again */
    uint64_t movd2b_end; /* first cycle in which others than MOVD2B go again */
};

struct matrix_io {
    struct src *src;
    struct dst *dst;
    struct rwc *rwc;
    const struct config *config;
    struct probe *probe;
};

void matrix_reset(struct matrix *m);
/* May e of this thread go in cycle now? Ledger key of the wait, 0 if it may. */
uint16_t matrix_check(const struct matrix *m, const struct matrix_io *io, unsigned thread,
                      const struct entry *e, uint64_t now);
void matrix_start(struct matrix *m, const struct matrix_io *io, unsigned thread,
                  const struct entry *e, uint64_t now);

/* What C4 sees. */
static inline bool matrix_busy(const struct matrix *m, unsigned thread, uint64_t now)
{
    return now < m->done_at && (m->users >> thread) & 1;
}

#endif
