/*
 * run.h - a program in a tile, in several ways, and what came out.
 */
#ifndef WG_TESTS_CLOCK_RUN_H
#define WG_TESTS_CLOCK_RUN_H

#include "outcome.h"
#include "program.h"

/* The ways to run a program. */
enum way {
    WAY_CLOCK,          /* with time, a trace and a profile: what the others are compared with */
    WAY_NO_SKIP,        /* walking through everything */
    WAY_SLICES,         /* in many short calls */
    WAY_SLICES_NO_SKIP, /* both */
    WAY_PROFILE,        /* without a trace */
    WAY_PLAIN,          /* without trace and profile: bursts */
    WAY_PLAIN_SLICES,
    WAY_UNTIMED, /* without time */
    N_WAYS
};
extern const char *const way_names[N_WAYS];

/* Has it the typical numbers? */
bool run_is_typical(const struct program *p);
/* The numbers of the machine that a program runs on with time. */
struct timing run_timing(const struct program *p);
/* Runs it; o is used again and again. */
void run_program(const struct program *p, enum way way, struct outcome *o);
/* Does a run in this way agree with one with time? In everything, or, without time, in what memory holds. */
bool run_same(const struct outcome *a, const struct outcome *b, enum way way, struct difference *d);

/* report.c: all that is known about a difference. */
void report(const struct program *p, const struct outcome *a, const struct outcome *b, enum way way,
            const struct difference *d);
/* Writes all events to a file. */
void report_trace(const struct outcome *o, const char *path);

/* cut.c: leaves out what the difference does not need. */
void cut(struct program *p, enum way way, struct outcome *a, struct outcome *b,
         const struct difference *d);

#endif
