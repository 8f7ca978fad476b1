/*
 * clock_until.c - a run that ends when words of L1 have their values.
 *
 * Block: none of the hardware's.
 *
 * Invariant: the run ends behind the cycle in which the last word gets its value, or behind those that cores have
 * already run by then.
 *
 * Inaccuracies: none of its own.
 */
#include <string.h>

#include "tile/tile.h"

bool tile_until(struct tile *t, uint32_t address, uint32_t value)
{
    if (t->clock.n_until == TILE_UNTIL_MAX || address & 3 || address >= TILE_L1_SIZE)
        return false;
    t->clock.until[t->clock.n_until].address = address;
    t->clock.until[t->clock.n_until++].value = value;
    return true;
}

bool tile_until_met(const struct tile *t)
{
    for (unsigned i = 0; i < t->clock.n_until; i++)
        if (memcmp(tile_l1(t) + t->clock.until[i].address, &t->clock.until[i].value, 4))
            return false;
    return t->clock.n_until != 0;
}

void tile_until_look(struct tile *t, uint32_t address, uint32_t size)
{
    bool ours = false;
    for (unsigned i = 0; i < t->clock.n_until; i++)
        ours |=
            t->clock.until[i].address < address + size && address < t->clock.until[i].address + 4;
    if (!ours || t->clock.until_met || !tile_until_met(t))
        return;
    uint64_t end = t->clock.now + 1;
    for (unsigned i = 0; i < RV_N_CORES; i++) {
        const struct rvpipe *p = &t->pipe[i];
        uint64_t at = p->poll.on ? t->coproc.ledger[tile_agents[i]].since : p->at + 1;
        if (t->core[i].state != RV_HELD && at > end)
            end = at;
    }
    t->clock.until_met = t->coproc.burst_over = true;
    if (end < t->clock.limit)
        t->clock.limit = end;
}
