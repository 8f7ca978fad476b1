/*
 * mover.h - Mover: one transfer at a time.
 *
 * ISA pages: Mover, XMOV (Wormhole). Rules in time: docs/timing.md 4.13.
 *
 * The transfer itself is the tile's (tdma_move): all of it happens as it starts.
 *
 * Inaccuracies: the time to start is guessed, the rate is Wormhole's without contention.
 */
#ifndef WG_MOVE_MOVER_H
#define WG_MOVE_MOVER_H

#include <stdbool.h>
#include <stdint.h>

struct mover {
    uint64_t done_at; /* first cycle without outstanding requests */
    uint8_t thread;   /* whose transfer it is; none of the three: TDMA-RISC's */
    bool queued;      /* with time: TDMA-RISC has a move that waits for the mover */
};

/* What C9 sees, but for the cycle between two transfers (coproc_mover_goes_on). */
static inline bool mover_busy(const struct mover *m, uint64_t now)
{
    return now < m->done_at;
}

/* How long `count` pieces of 16 bytes take: copies (odd modes) eight per 11 cycles, zeros one per cycle. */
static inline uint64_t mover_cycles(uint32_t count, unsigned mode)
{
    return mode & 1 ? (UINT64_C(11) * count + 7) / 8 : count;
}

#endif
