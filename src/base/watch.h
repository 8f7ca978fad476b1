/*
 * watch.h - a watchdog for loops that a program can make long: each pass makes progress, or the loop is left.
 *
 * Short cuts run, play or skip until something ends them. A mistake there loops for ever, and no limit of the run is looked at. So each
 * such loop names what grows, cycles, words or steps, and how many passes may follow each other in which it does not. With asserts a loop that breaks its
 * promise ends the process; without them nothing of this is left.
 *
 *     WATCH(w);
 *     while (now < end) {
 *         PROGRESS(w, now, 1);
 *         ...
 *     }
 *
 * Loops over as many things as a queue, a table or a mask holds need none.
 */
#ifndef WG_BASE_WATCH_H
#define WG_BASE_WATCH_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

struct watch {
    uint64_t mark;   /* the most there was */
    uint64_t passes; /* since it was reached */
};

/* False: more than `most` passes without progress. */
static inline bool watch_goes(struct watch *w, uint64_t measure, uint64_t most)
{
    if (measure > w->mark || !w->passes) {
        w->mark = measure;
        w->passes = 0;
    }
    return ++w->passes <= most;
}

#ifdef NDEBUG
#define WATCH(w)                   _Static_assert(1, "nothing")
#define PROGRESS(w, measure, most) ((void)0)
#else
#define WATCH(w)                   struct watch w = {0, 0}
#define PROGRESS(w, measure, most) assert(watch_goes(&(w), (measure), (most)))
#endif

#endif
