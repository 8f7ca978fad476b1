/*
 * clock_settle.c - the last account of cores that still wait when the books are looked at.
 *
 * Inaccuracies: none.
 */
#include "tile/tile.h"

void tile_clock_settle(struct tile *tile)
{
    for (unsigned i = 0; tile->coproc.blame_on && i < RV_N_CORES; i++) {
        const struct ledger *l = &tile->coproc.ledger[tile_agents[i]];
        const struct rvpipe *p = &tile->pipe[i];
        if (l->key >> 8 > WAIT_DONE && l->key >> 8 != WAIT_RESET && tile->clock.now > l->since)
            blame_add(&tile->coproc.blame,
                      tile_agents[i],
                      p->poll.on ? p->loop.pc : tile->core[i].pc,
                      l->key,
                      tile->clock.now - l->since);
    }
    coproc_settle(&tile->coproc);
}
