/*
 * pack.c - Packer, timing.
 *
 * ISA pages: PACR (Blackhole, partial), Packers/README.
 *
 * Inaccuracies: timing only; the latency is a guess (tensix.def). PACR does not test the Dst window
 * yet: its row comes from address generation that is not modelled.
 */
#include "unit/pack.h"

#include <string.h>

#include "base/fault.h"
#include "unit/op.h"

void pack_reset(struct pack *k)
{
    memset(k, 0, sizeof *k);
}

uint16_t pack_check(const struct pack *k, const struct pack_io *io, unsigned thread,
                    const struct entry *e, uint64_t now)
{
    (void)k, (void)io, (void)thread, (void)e, (void)now;
    return 0;
}

uint64_t pack_start(struct pack *k, const struct pack_io *io, unsigned thread,
                    const struct entry *e, uint64_t now)
{
    uint64_t done = now + op_table[e->op].latency - FAULT(38);
    (void)io;
    if (done > k->done_at[thread])
        k->done_at[thread] = done;
    return now + op_table[e->op].latency;
}

bool pack_clock(struct pack *k, const struct pack_io *io, uint64_t now)
{
    (void)k, (void)io, (void)now;
    return false;
}

uint64_t pack_next(const struct pack *k, uint64_t now)
{
    uint64_t next = UINT64_MAX;
    for (unsigned i = 0; i < 3; i++)
        if (k->done_at[i] >= now && k->done_at[i] < next)
            next = k->done_at[i];
    return next;
}
