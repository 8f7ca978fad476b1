/*
 * pack.h - Packer: reads rows of Dst, converts them and writes L1.
 *
 * ISA pages: PACR (Blackhole, partial), Packers/README. Rules in time: docs/timing.md 4.13.
 */
#ifndef WG_UNIT_PACK_H
#define WG_UNIT_PACK_H

#include <stdbool.h>
#include <stdint.h>

#include "unit/adc.h"
#include "unit/config.h"
#include "unit/dst.h"
#include "unit/l1port.h"
#include "unit/queue.h"

struct probe;

struct pack {
    uint64_t done_at[3]; /* per thread: first cycle without an instruction in the pipe */
};

/* What an instruction looks at and changes. */
struct pack_io {
    const struct config *config;
    struct adc *adc;
    struct dst *dst;
    const struct l1_port *l1;
    struct probe *probe;
};

void pack_reset(struct pack *k);
/* May e go in cycle now? Ledger key of the wait, 0 if it may. */
uint16_t pack_check(const struct pack *k, const struct pack_io *io, unsigned thread,
                    const struct entry *e, uint64_t now);
/* It goes; returns the first cycle in which it is through. */
uint64_t pack_start(struct pack *k, const struct pack_io *io, unsigned thread,
                    const struct entry *e, uint64_t now);
/* End of cycle now: what is through reaches L1. True if anything did. */
bool pack_clock(struct pack *k, const struct pack_io *io, uint64_t now);
/* First cycle >= now at whose end something reaches L1 or C3 changes; UINT64_MAX if none. */
uint64_t pack_next(const struct pack *k, uint64_t now);

/* Something is on its way to L1. */
static inline bool pack_holds(const struct pack *k)
{
    (void)k;
    return false;
}

/* What C3 sees. */
static inline bool pack_busy(const struct pack *k, unsigned thread, uint64_t now)
{
    return now < k->done_at[thread];
}

#endif
