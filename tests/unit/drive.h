/*
 * drive.h - runs short programs of the three threads on a whole tile, one word per thread and
 * cycle, and notes in which cycle each word left its gate.
 */
#ifndef WG_TESTS_UNIT_DRIVE_H
#define WG_TESTS_UNIT_DRIVE_H

#include "test.h"

#include <string.h>

#include "coproc/coproc.h"
#include "isa/tensix.h"

#define DRIVE_WORDS 1024u
#define DRIVE_FIRST 3u /* a word pushed in cycle 0 is at its gate in this one */
#define DRIVE_NEVER UINT64_MAX

struct drive {
    struct coproc t;
    unsigned n[3], pushed[3];
    uint32_t word[3][DRIVE_WORDS];
    uint64_t went[3][DRIVE_WORDS];
};

static inline void drive_sink(void *ctx, const struct event *e)
{
    struct drive *d = ctx;
    if (e->kind == EV_GO && e->agent <= OWNER_T2 && e->tag)
        d->went[e->agent - OWNER_T0][e->tag - 1] = e->cycle;
}

/* Reset state, empty programs. */
static inline void drive_reset(struct drive *d)
{
    coproc_reset(&d->t);
    d->t.probe.sink = drive_sink;
    d->t.probe.ctx = d;
    d->t.probe.mask = 1u << EV_GO;
    memset(d->n, 0, sizeof d->n);
    memset(d->pushed, 0, sizeof d->pushed);
}

static inline void drive_add(struct drive *d, unsigned thread, uint32_t word)
{
    assert_true(d->n[thread] < DRIVE_WORDS);
    d->went[thread][d->n[thread]] = DRIVE_NEVER;
    d->word[thread][d->n[thread]++] = word;
}

/* One cycle; what is left of the programs is pushed as fast as a queue takes single words. */
static inline void drive_step(struct drive *d)
{
    for (unsigned i = 0; i < 3; i++)
        if (d->pushed[i] < d->n[i] &&
            coproc_port_push(&d->t, i, &d->word[i][d->pushed[i]], 1, d->pushed[i] + 1))
            d->pushed[i]++;
    coproc_step(&d->t);
}

static inline bool drive_done(const struct drive *d)
{
    for (unsigned i = 0; i < 3; i++)
        if (d->pushed[i] < d->n[i])
            return false;
    return coproc_idle(&d->t);
}

/* To the end of all programs; then the programs are empty again. */
static inline void drive_run(struct drive *d)
{
    uint64_t limit = d->t.now + 100 * DRIVE_WORDS;
    while (!drive_done(d)) {
        drive_step(d);
        if (d->t.now > limit)
            fail_msg("programs do not end");
    }
    memset(d->n, 0, sizeof d->n);
    memset(d->pushed, 0, sizeof d->pushed);
}

static inline void drive_one(struct drive *d, unsigned thread, uint32_t word)
{
    drive_add(d, thread, word);
    drive_run(d);
}

#define DRIVE_NOP ((uint32_t)TENSIX_OP_NOP << 24)

#endif
