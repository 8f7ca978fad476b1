/*
 * pack.h - Packer: one instruction per cycle, busy for its latency.
 *
 * ISA pages: PACR (Blackhole, partial), Packers/README. Rules in time: docs/timing.md 4.13.
 *
 * Inaccuracies: timing only; the latency is a guess (tensix.def). PACR does not test the Dst window
 * yet: its row comes from address generation that is not modelled.
 */
#ifndef WG_UNIT_PACK_H
#define WG_UNIT_PACK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/fault.h"

struct pack {
    uint64_t done_at[3]; /* per thread: first cycle without an instruction in the pipe */
};

/* What C3 sees. */
static inline bool pack_busy(const struct pack *k, unsigned thread, uint64_t now)
{
    return now < k->done_at[thread];
}

static inline void pack_start(struct pack *k, unsigned thread, unsigned latency, uint64_t now)
{
    latency -= FAULT(38);
    if (now + latency > k->done_at[thread])
        k->done_at[thread] = now + latency;
}

#endif
