/*
 * state.h - the pieces of a tile's state that scripts set, test and expect.
 */
#ifndef WG_SCRIPT_STATE_H
#define WG_SCRIPT_STATE_H

#include "script/tts.h"
#include "tile/tile.h"

/* The value of an item as it is at the end of the last cycle. */
uint64_t state_read(const struct tile *t, struct tts_item item);
unsigned state_sem_max(const struct tile *t, unsigned sem);
/* Sets an item at once, before the first cycle. */
void state_preset(struct tile *t, const struct tts_preset *p);
bool state_compare(uint64_t left, unsigned compare, uint64_t right);

#endif
