/*
 * order.h - virtual time: the order in which agents act that have no clock.
 *
 * Untimed, each agent could run for as long as it likes. It runs in the order of a virtual time instead, which costs little to
 * keep: a core's is what its instructions cost, a thread's what its words cost, and an unpacker has one of its own, because it holds
 * an instruction while others go on. Who is furthest behind goes next. So programs that lack a wait, but whose margin is large
 * enough for hardware, find the margin here, too.
 *
 * Virtual time decides about order only: nothing else is computed from it but the wall clock.
 *
 * Inaccuracies: sums of issue costs. Conflicts at banks and ports, mispredicted branches and fetches of code cost nothing.
 */
#ifndef WG_STATE_ORDER_H
#define WG_STATE_ORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hot.h"
#include "state/queue.h"

#define ORDER_NEVER   (UINT64_MAX / 2) /* so that it can be added to */
#define ORDER_THREADS 3u

struct order {
    uint64_t at[ORDER_THREADS];              /* threads: when the next word may go */
    uint64_t when[ORDER_THREADS][QUEUE_MAX]; /* words of Q1, by slot: when they were pushed */
    uint64_t now;                            /* of the word that goes */
    uint64_t until;       /* the thread that runs lets others go before it is later than this */
    uint64_t limit;       /* so do all threads: then a core is to go */
    uint64_t given[2][2]; /* Src banks, [which][bank]: when the unpackers gave them last */
    uint64_t through[2];  /* unpackers: when all that they have is done ... */
    uint32_t inside[2];   /* ... how long before that the gate may send them more */
    uint64_t event;       /* when something has happened last that a core may wait for */
    uint64_t retry;       /* when an atomic is tried again that waits for a value in L1 */
    uint64_t room_since[ORDER_THREADS]; /* see rooms */
    uint8_t held;   /* threads whose next word is held, until something changes */
    uint8_t rooms;  /* threads whose cores wait for room in their queues */
    uint8_t idles;  /* threads for whose end somebody waits */
    uint8_t polled; /* semaphores that cores poll */
    bool
        touched; /* somebody else has been at the coprocessor: units may have something in flight */
    bool changed; /* somebody has done something that may let a held thread go */
    bool stop;    /* the thread that runs stops behind this word */
    bool wake;    /* so do all of them: a core may go on */
};

HOT_INLINE void order_later(uint64_t *time, uint64_t at)
{
    if (*time < at)
        *time = at;
}

/* Something has changed that threads may wait for. */
HOT_INLINE void order_change(struct order *o)
{
    o->changed = true;
    o->stop = o->stop || o->held;
}

/* Something has happened at this time that a core may wait for. */
HOT_INLINE void order_wake(struct order *o, uint64_t at)
{
    order_later(&o->event, at);
    o->stop = o->wake = true;
}

/* All held threads are tried again, not before this time. */
HOT_INLINE void order_release(struct order *o, uint64_t at)
{
    for (unsigned i = 0; o->held && i < ORDER_THREADS; i++)
        if (o->held >> i & 1)
            order_later(&o->at[i], at);
    o->held = 0;
}

/* The same from outside of the coprocessor, where more may have changed. */
HOT_INLINE void order_stir(struct order *o, uint64_t at)
{
    order_release(o, at);
    o->touched = true;
}

#endif
