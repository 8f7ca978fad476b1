/*
 * item_value.h - the pieces of a tile's state that scripts set, test and expect.
 */
#ifndef WG_SCRIPT_ITEM_VALUE_H
#define WG_SCRIPT_ITEM_VALUE_H

#include "coproc/coproc.h"
#include "script/tts.h"

/* The value of an item as it is at the end of the last cycle. */
uint64_t item_value_read(const struct coproc *cp, struct tts_item item);
unsigned item_value_sem_max(const struct coproc *cp, unsigned sem);
/* Sets an item at once, before the first cycle. */
void item_value_preset(struct coproc *cp, const struct tts_preset *p);
bool item_value_compare(uint64_t left, unsigned compare, uint64_t right);

#endif
