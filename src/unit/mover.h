/*
 * mover.h - Mover: one transfer at a time.
 *
 * ISA pages: Mover, XMOV (Wormhole). Rules in time: docs/timing.md 4.13.
 *
 * Inaccuracies: timing only, with a guessed duration; TDMA-RISC does not use it yet.
 */
#ifndef WG_UNIT_MOVER_H
#define WG_UNIT_MOVER_H

#include <stdbool.h>
#include <stdint.h>

struct mover {
    uint64_t done_at; /* first cycle without outstanding requests */
    uint8_t thread;   /* whose transfer it is */
};

/* What C9 sees. */
static inline bool mover_busy(const struct mover *m, uint64_t now)
{
    return now < m->done_at;
}

#endif
