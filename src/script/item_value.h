/*
 * item_value.h - the pieces of a tile's state that scripts set, test and expect.
 */
#ifndef WG_SCRIPT_ITEM_VALUE_H
#define WG_SCRIPT_ITEM_VALUE_H

#include "coproc/coproc.h"
#include "script/tts.h"

/* The value of an item as it is at the end of the last cycle. */
uint64_t state_read(const struct coproc *t, struct tts_item item);
unsigned state_sem_max(const struct coproc *t, unsigned sem);
/* Sets an item at once, before the first cycle. */
void state_preset(struct coproc *t, const struct tts_preset *p);
bool state_compare(uint64_t left, unsigned compare, uint64_t right);

#endif
