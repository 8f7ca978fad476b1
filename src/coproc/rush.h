/*
 * rush.h - what the files of the untimed coprocessor share: rush.c brings words to the gate, rush_unit.c from there to
 * their units.
 *
 * Invariant: nothing is in flight between two words but unpackers that wait for their bank.
 */
#ifndef WG_COPROC_RUSH_H
#define WG_COPROC_RUSH_H

#include "coproc/issue.h"

#define RUSH_VECTOR 2u  /* cycles after which a Vector instruction has left nothing behind */
#define RUSH_RING   32u /* slots of Q1 and of the replay buffer */
_Static_assert(RUSH_RING == REPLAY_SLOTS && RUSH_RING == QUEUE_MAX && RUSH_RING == VECTOR_RING,
               "words in a row come from either");

/*
 * How words go to each unit. They stand in a ring, n of them from index on; the first is for this unit and the gate lets
 * it go. Returns how many went: the first, none if it is held; or, where all that follow may go in the same way because
 * nothing but the unit has a say in it, as many as are for the same unit. That is the common way of products and of
 * functions of numbers.
 */
typedef unsigned rush_unit(struct coproc *cp, unsigned thread, const struct entry *slot,
                           unsigned index, unsigned n);
extern rush_unit *const rush_units[TENSIX_N_UNITS];

/* Unpackers and banks that the conditions of a STALLWAIT name: virtual time in which they are met. */
void rush_unit_order(struct coproc *cp, unsigned thread, unsigned conditions);
/* As coproc_drain(), if there is anything to finish. */
void rush_unit_drain(struct coproc *cp);
/* Carries out what waits for cycles in the Vector Unit; false if nothing did. */
bool rush_unit_finish_vector(struct coproc *cp);
/* So many words of a thread have gone to the Vector Unit. */
void rush_unit_used_vector(struct coproc *cp, unsigned thread, unsigned gone);

#endif
