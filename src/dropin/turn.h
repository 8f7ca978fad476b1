/*
 * turn.h - one thread of the host at a time, in the order in which they came.
 *
 * Between turn_take() and turn_give() a thread has the chip to itself. In that time it calls nothing of the host's (no
 * callback, no stream), so nothing of the host's can come back here and wait for itself.
 */
#ifndef WG_DROPIN_TURN_H
#define WG_DROPIN_TURN_H

#include <stdint.h>

void turn_take(void);
void turn_give(void);
/* So many turns were asked for so far. */
uint64_t turn_asked(void);

#endif
