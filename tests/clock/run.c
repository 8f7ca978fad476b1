/* run.c - see run.h. */
#include "run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "timing_random.h"

#define UNTIMED 4000000u /* steps */

const char *const way_names[N_WAYS] = {"clocked",
                                       "no_skip",
                                       "slices",
                                       "slices and no_skip",
                                       "profile",
                                       "plain",
                                       "plain slices",
                                       "untimed"};

/* Cycles of a run. */
static uint64_t limit(void)
{
    const char *text = getenv("WG_LIMIT");
    return text ? strtoul(text, NULL, 0) : 300000u;
}

/* ---- running ---- */

/* Every core stands where its program ends. */
static bool all_at_end(const struct program *p, const struct tile *tile)
{
    for (unsigned i = 0; i < RV_N_CORES; i++) {
        const struct rvcore *c = &tile->core[i];
        const struct program_core *q = &p->core[i];
        if (has_core(p, i) &&
            (c->state == RV_HELD || (c->state != RV_STOPPED && c->pc - q->end >= q->end_size)))
            return false;
    }
    return true;
}

static void run_untimed(const struct program *p, struct outcome *o)
{
    uint64_t steps = 0;
    while (!all_at_end(p, o->tile) && steps < UNTIMED) {
        uint64_t n = tile_run(o->tile, RV_N_CORES * TILE_QUOTA); /* a turn for each */
        steps += n ? n : UNTIMED;
    }
    tile_run(o->tile,
             RV_N_CORES * TILE_QUOTA); /* whoever stands before its last instruction makes it */
    o->ended = all_at_end(p, o->tile);
    while (tile_advance(o->tile))
        ;
}

static uint64_t slice(struct rng *r, unsigned mode)
{
    switch (mode) {
    case 0: return 1;
    case 1: return 1 + rng_below(r, 8);
    case 2: return 1 + rng_below(r, 37);
    case 3: return 1 + rng_below(r, 3000);
    default: return 1 + rng_below(r, rng_percent(r, 50) ? 3 : 500);
    }
}

static void ignore_text(void *context, const char *text, size_t n)
{
    (void)context;
    (void)text;
    (void)n;
}

static void run_slices(const struct program *p, struct outcome *o)
{
    struct rng r = rng_of(p->seed, (uint64_t)p->number << 16 | 5);
    unsigned mode = rng_below(&r, 5);
    bool looks = rng_percent(&r, 20); /* a host that asks for a report in between */
    const char *only = getenv("WG_SLICE");
    struct tile *tile = o->tile;
    enum waitgate_tile_end end;
    do {
        uint64_t n = slice(&r, mode), left = limit() - tile->clock.now;
        if (only)
            n = tile->clock.now ? left : strtoul(only, NULL, 0);
        end = waitgate_tile_clock(o->handle, n < left ? n : left);
        if (looks && rng_percent(&r, 20))
            waitgate_tile_report(o->handle, ignore_text, NULL);
    } while (end == WAITGATE_TILE_LIMIT && tile->clock.now < limit());
}

static void run_timed(const struct program *p, enum way way, struct outcome *o)
{
    struct probe *probe = &o->tile->coproc.probe;
    o->profiled = way != WAY_PLAIN && way != WAY_PLAIN_SLICES;
    o->traced = o->profiled && way != WAY_PROFILE;
    probe->sink = o->traced ? outcome_event : NULL;
    probe->ctx = o;
    probe->mask = o->traced ? UINT32_MAX : 0;
    waitgate_tile_no_skip(o->handle, way == WAY_NO_SKIP || way == WAY_SLICES_NO_SKIP);
    /* Where a look (src/tile/proof.c) would prove a hang some go on to the limit, so that loops are parked for long; so do those
       that run untimed, too: a look finds cores in the middle of a loop. */
    o->tile->clock.no_looks = !p->racy || p->number % 16 < 4;
    waitgate_tile_profile(o->handle, o->profiled);
    if (way == WAY_SLICES || way == WAY_SLICES_NO_SKIP || way == WAY_PLAIN_SLICES)
        run_slices(p, o);
    else
        waitgate_tile_clock(o->handle, limit());
    probe->mask = 0;
    outcome_end(o);
    o->ended = all_at_end(p, o->tile);
}

/* Half of the programs run on a machine with the typical numbers. Without time they count for nothing, so what is run that way,
   too, gets only numbers that are plausible. */
bool run_is_typical(const struct program *p)
{
    return p->number / 2 % 4 < 2;
}

struct timing run_timing(const struct program *p)
{
    if (run_is_typical(p))
        return timing_typical;
    return timing_random(p->seed + p->number, p->racy && p->number / 2 % 4 == 3);
}

void run_program(const struct program *p, enum way way, struct outcome *o)
{
    outcome_start(o);
    struct timing timing = run_timing(p);
    if (way != WAY_UNTIMED)
        tile_time(o->tile, &timing);
    program_load(p, o->tile);
    if (way == WAY_UNTIMED)
        run_untimed(p, o);
    else
        run_timed(p, way, o);
}

bool run_same(const struct outcome *a, const struct outcome *b, enum way way, struct difference *d)
{
    bool same = true;
    d->in_trace = false;
    if (way != WAY_UNTIMED)
        same = outcome_same(a, b, d);
    else if (a->ended && b->ended)
        same = outcome_same_memory(a->tile, b->tile, d);
    else {
        same = false;
        snprintf(d->what, sizeof d->what, "the program does not end: %d, %d", a->ended, b->ended);
    }
    if (!same && !d->in_trace) /* the text without numbers */
        for (size_t i = 0, to = 0; to + 1 < sizeof d->kind && (d->kind[to] = d->what[i]); i++)
            to += d->what[i] < '0' || d->what[i] > '9';
    d->kind[sizeof d->kind - 1] = 0;
    return same;
}
