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

bool tile_clock_until(struct tile *tile, uint32_t address, uint32_t value)
{
    if (tile->clock.n_until == TILE_UNTIL_MAX || address & 3 || address >= TILE_L1_SIZE)
        return false;
    tile->clock.until[tile->clock.n_until].address = address;
    tile->clock.until[tile->clock.n_until++].value = value;
    return true;
}

bool tile_clock_until_met(const struct tile *tile)
{
    for (unsigned i = 0; i < tile->clock.n_until; i++)
        if (memcmp(tile_l1(tile) + tile->clock.until[i].address, &tile->clock.until[i].value, 4))
            return false;
    return tile->clock.n_until != 0;
}

void tile_clock_until_look(struct tile *tile, uint32_t address, uint32_t size)
{
    bool ours = false;
    for (unsigned i = 0; i < tile->clock.n_until; i++)
        ours |= tile->clock.until[i].address < address + size &&
                address < tile->clock.until[i].address + 4;
    if (!ours || tile->clock.until_met || !tile_clock_until_met(tile))
        return;
    uint64_t end = tile->clock.now + 1;
    for (unsigned i = 0; i < RV_N_CORES; i++) {
        const struct rvpipe *p = &tile->pipe[i];
        uint64_t at = p->poll.on ? tile->coproc.ledger[tile_agents[i]].since : p->at + 1;
        if (tile->core[i].state != RV_HELD && at > end)
            end = at;
    }
    tile->clock.until_met = tile->coproc.burst_over = true;
    if (end < tile->clock.limit)
        tile->clock.limit = end;
}
