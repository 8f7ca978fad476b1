/*
 * vector.h - Vector Unit (SFPU): rate, latency and the slot behind SFPSWAP and the shuffles.
 *
 * ISA pages: VectorUnit, SFPSWAP, SFPSHFT2 (Blackhole). Rules in time: docs/timing.md 4.14.
 */
#ifndef WG_UNIT_VECTOR_H
#define WG_UNIT_VECTOR_H

#include "unit/config.h"
#include "unit/queue.h"
#include "unit/rwc.h"

struct vector {
    uint64_t done_at; /* first cycle in which the pipe is empty */
    uint64_t swap_at; /* cycle of the last SFPSWAP or shuffle + 1: only SFPNOP goes then */
    uint8_t users;    /* threads that sent something since it was last empty */
};

void vector_reset(struct vector *v);
/* May e go in cycle now? Ledger key of the wait, 0 if it may. */
uint16_t vector_check(const struct vector *v, const struct entry *e, uint64_t now);
void vector_start(struct vector *v, struct rwc *rwc, const struct config *c, unsigned thread,
                  const struct entry *e, uint64_t now);

/* What C11 sees. */
static inline bool vector_busy(const struct vector *v, unsigned thread, uint64_t now)
{
    return now < v->done_at && (v->users >> thread) & 1;
}

#endif
