/*
 * outcome.h - what came out of a run with time, and whether two runs agree in all that they have.
 */
#ifndef WG_TESTS_CLOCK_OUTCOME_H
#define WG_TESTS_CLOCK_OUTCOME_H

#include <stddef.h>

#include "lib/handle.h"

struct text {
    char *at;
    size_t n, room;
};

struct outcome {
    waitgate_tile *handle;
    struct tile *tile; /* in it */
    bool ended;        /* all cores have come to the end of their programs */
    bool traced, profiled;
    struct event *event;
    size_t n_events, room;
    struct text json, plain_json, report, hang; /* plain: without a profile */
};

/* What two outcomes differ in. */
struct difference {
    char what[200];
    char kind[80]; /* what does not change when the program is made smaller */
    bool in_trace;
    size_t at; /* of the first event that differs, in both */
};

/* A tile after power-up; o is used again and again, and zero the first time. */
void outcome_start(struct outcome *o);
/* Takes an event; the context is the outcome. */
void outcome_event(void *ctx, const struct event *e);
/* The run is over: cores as they are now, reports, events in order. */
void outcome_end(struct outcome *o);
void outcome_forget(struct outcome *o);

/* Do two runs with time agree? In everything that both have. */
bool outcome_same(const struct outcome *a, const struct outcome *b, struct difference *d);
/* Only what memory and registers hold. */
bool outcome_same_memory(const struct tile *x, const struct tile *y, struct difference *d);

#endif
