/*
 * proof.h - is it certain that nothing in the tile will ever change again without the host or the NoC?
 */
#ifndef WG_TILE_PROOF_H
#define WG_TILE_PROOF_H

#include "tile/tile.h"

/* The first cycle after this one in which the clock asks. */
uint64_t proof_next(uint64_t cycle);
/* All agents have come to the start of cycle now: is it certain? Leaves in t->proof what the cores do for ever. */
bool proof_holds(struct tile *tile, uint64_t now);
/* Nobody names a moment any more, so it is: what do the cores do for ever? */
void proof_explore(struct tile *tile);
/* How the tile's end is called, when it is certain. */
enum tile_end proof_verdict(const struct tile *tile);
/* Has this core's program ended: held, stopped, or in a loop that reads nothing? */
bool proof_ended(const struct tile *tile, unsigned core);
/* Does every agent wait, or has ended, by its ledger? False: some core goes round a loop. */
bool proof_all_wait(const struct tile *tile);

#endif
