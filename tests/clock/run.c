/*
 * run.c - see run.h.
 *
 * Events of a run are compared in the order of cycle and agent; those of one agent in one cycle in the order
 * in which they came.
 */
#include "run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LIMIT   300000u  /* cycles */
#define UNTIMED 4000000u /* steps */

const char *const way_names[N_WAYS] = {"clocked", "no_skip", "slices", "untimed"};

static void on_event(void *ctx, const struct event *e)
{
    struct outcome *o = ctx;
    if (o->n_events == o->room) {
        o->room = o->room ? 2 * o->room : 4096;
        o->event = realloc(o->event, o->room * sizeof *o->event);
        if (!o->event)
            abort();
    }
    o->event[o->n_events++] = *e;
}

static bool comes_before(const struct event *x, const struct event *y)
{
    return x->cycle != y->cycle ? x->cycle < y->cycle : x->agent < y->agent;
}

/* Merge sort: what is equal stays in order. */
static void sort(struct event *e, struct event *spare, size_t n)
{
    if (n < 2)
        return;
    size_t half = n / 2, i = 0, k = half, to = 0;
    sort(e, spare, half);
    sort(e + half, spare, n - half);
    while (i < half && k < n)
        spare[to++] = comes_before(&e[k], &e[i]) ? e[k++] : e[i++];
    while (i < half)
        spare[to++] = e[i++];
    while (k < n)
        spare[to++] = e[k++];
    memcpy(e, spare, n * sizeof *e);
}

/* ---- running ---- */

/* Every core stands where its program ends. */
static bool all_at_end(const struct program *p, const struct tile *t)
{
    for (unsigned i = 0; i < RV_N_CORES; i++) {
        const struct rvcore *c = &t->core[i];
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
    case 2: return 1 + rng_below(r, 100);
    case 3: return 1 + rng_below(r, 3000);
    default: return 1 + rng_below(r, rng_percent(r, 50) ? 3 : 500);
    }
}

static void run_slices(const struct program *p, struct outcome *o)
{
    struct rng r = rng_of(p->seed, (uint64_t)p->number << 16 | 5);
    unsigned mode = rng_below(&r, 5);
    struct tile *t = o->tile;
    do {
        uint64_t n = slice(&r, mode), left = LIMIT - t->clock.now;
        o->end = tile_clock_run(t, n < left ? n : left);
    } while (o->end == TILE_END_LIMIT && t->clock.now < LIMIT);
}

void run_program(const struct program *p, enum way way, struct outcome *o)
{
    if (!o->tile)
        o->tile = malloc(sizeof *o->tile);
    if (!o->tile)
        abort();
    memset(o->tile, 0, sizeof *o->tile);
    o->n_events = 0;
    tile_reset(o->tile);
    program_load(p, o->tile);
    struct probe *probe = &o->tile->coproc.probe;
    if (way == WAY_UNTIMED) {
        run_untimed(p, o);
        return;
    }
    probe->sink = on_event;
    probe->ctx = o;
    probe->mask = UINT32_MAX;
    o->tile->clock.no_skip = way == WAY_NO_SKIP;
    o->tile->clock.blame_on = true;
    if (way == WAY_SLICES)
        run_slices(p, o);
    else
        o->end = tile_clock_run(o->tile, LIMIT);
    o->ended = all_at_end(p, o->tile);
    probe->mask = 0;
    coproc_settle(&o->tile->coproc);
    struct event *spare = malloc((o->n_events + 1) * sizeof *spare);
    if (!spare)
        abort();
    sort(o->event, spare, o->n_events);
    free(spare);
}

/* ---- comparing ---- */

#define DIFFER(d, ...) (snprintf((d)->what, sizeof(d)->what, __VA_ARGS__), false)

static bool same_bytes(const uint8_t *x, const uint8_t *y, uint32_t size, uint32_t base,
                       struct difference *d)
{
    if (!memcmp(x, y, size))
        return true;
    uint32_t i = 0;
    while (x[i] == y[i])
        i++;
    return DIFFER(d, "memory at 0x%08x: 0x%02x, 0x%02x", base + i, x[i], y[i]);
}

static bool same_words(const char *name, const uint32_t *x, const uint32_t *y, size_t n,
                       struct difference *d)
{
    for (size_t i = 0; i < n; i++)
        if (x[i] != y[i])
            return DIFFER(d, "%s %zu: 0x%08x, 0x%08x", name, i, x[i], y[i]);
    return true;
}

static bool same_core(const struct tile *x, const struct tile *y, unsigned i, struct difference *d)
{
    static const char *const names[] = {"T0", "T1", "T2", "B", "NC"};
    const struct rvcore *a = &x->core[i], *b = &y->core[i];
    char name[16];
    snprintf(name, sizeof name, "%s register x", names[i]);
    bool polls = x->pipe[i].poll.on && y->pipe[i].poll.on; /* both are somewhere in the loop */
    if (!polls && !same_words(name, a->x, b->x, 32, d))
        return false;
    snprintf(name, sizeof name, "%s register f", names[i]);
    if (!same_words(name, a->f, b->f, 32, d))
        return false;
    if ((a->state == RV_HELD) != (b->state == RV_HELD) ||
        (a->state == RV_STOPPED) != (b->state == RV_STOPPED))
        return DIFFER(d, "%s state: %u, %u", names[i], a->state, b->state);
    if (a->cfg0 != b->cfg0)
        return DIFFER(d, "%s cfg0: 0x%x, 0x%x", names[i], a->cfg0, b->cfg0);
    return same_bytes(x->local[i], y->local[i], RV_LOCAL_SIZE(i), RV_LOCAL_BASE, d);
}

static bool same_memory(const struct tile *x, const struct tile *y, struct difference *d)
{
    const struct coproc *a = &x->coproc, *b = &y->coproc;
    for (unsigned i = 0; i < RV_N_CORES; i++)
        if (!same_core(x, y, i, d))
            return false;
    for (unsigned i = 0; i < SYNC_SEMAPHORES; i++)
        if (a->sync.sem[i].value != b->sync.sem[i].value ||
            a->sync.sem[i].max != b->sync.sem[i].max)
            return DIFFER(d,
                          "semaphore %u: value %u max %u, value %u max %u",
                          i,
                          a->sync.sem[i].value,
                          a->sync.sem[i].max,
                          b->sync.sem[i].value,
                          b->sync.sem[i].max);
    for (unsigned i = 0; i < COPROC_THREADS; i++)
        if (!same_words("GPR", a->gpr.r[i], b->gpr.r[i], 64, d))
            return false;
    for (unsigned i = 0; i < 2; i++)
        if (!same_words("Config word", a->config.word[i], b->config.word[i], CONFIG_WORDS, d))
            return false;
    if (memcmp(a->config.thread, b->config.thread, sizeof a->config.thread))
        return DIFFER(d, "ThreadConfig");
    for (unsigned i = 0; i < MAILBOX_CORES * MAILBOX_CORES; i++)
        if (x->mailbox.box[i / 4][i % 4].n != y->mailbox.box[i / 4][i % 4].n)
            return DIFFER(d, "mailbox from %u to %u", i / 4, i % 4);
    return same_bytes(x->l1, y->l1, TILE_L1_SIZE, 0, d);
}

/* Cycles booked in a pair, without the last ones of a run. */
static uint64_t booked(const struct ledger *l, uint64_t tail, unsigned cause, unsigned owner)
{
    uint64_t cycles = 0;
    for (unsigned i = 0; i < l->n_pairs; i++)
        if (l->pair[i].cause == cause && l->pair[i].owner == owner)
            cycles = l->pair[i].cycles;
    return l->key == ledger_key(cause, owner) ? cycles - tail : cycles;
}

/* tail: how much longer the run of y went on, with nothing left to do. */
static bool same_pairs(const struct ledger *x, const struct ledger *y, uint64_t tail,
                       struct difference *d)
{
    for (unsigned i = 0; i < x->n_pairs + y->n_pairs; i++) {
        const struct ledger_pair *p = i < x->n_pairs ? &x->pair[i] : &y->pair[i - x->n_pairs];
        uint64_t a = booked(x, 0, p->cause, p->owner), b = booked(y, tail, p->cause, p->owner);
        if (a != b)
            return DIFFER(d,
                          "ledger: %s by %s: %llu, %llu cycles",
                          wait_table[p->cause].name,
                          owner_names[p->owner],
                          (unsigned long long)a,
                          (unsigned long long)b);
    }
    return true;
}

static bool same_ledgers(const struct tile *s, const struct tile *t, struct difference *d)
{
    const struct coproc *x = &s->coproc, *y = &t->coproc;
    for (unsigned i = 0; i < N_AGENTS; i++) {
        struct difference inner;
        if (!same_pairs(&x->ledger[i], &y->ledger[i], t->clock.now - s->clock.now, &inner))
            return DIFFER(d, "%s: %.150s", owner_names[i], inner.what);
    }
    for (unsigned i = 0; i < N_DIAGS; i++)
        if (x->probe.count[i] != y->probe.count[i])
            return DIFFER(d,
                          "diagnostic %s: %u times, %u times",
                          diag_table[i].id,
                          x->probe.count[i],
                          y->probe.count[i]);
    return true;
}

static bool same_event(const struct event *x, const struct event *y)
{
    return x->cycle == y->cycle && x->kind == y->kind && x->agent == y->agent &&
           x->cause == y->cause && x->owner == y->owner && x->tag == y->tag && x->word == y->word &&
           x->arg == y->arg;
}

static bool same_trace(const struct outcome *a, const struct outcome *b, struct difference *d)
{
    size_t i = 0;
    while (i < a->n_events && i < b->n_events && same_event(&a->event[i], &b->event[i]))
        i++;
    if (i == a->n_events && i == b->n_events)
        return true;
    d->in_trace = true;
    d->at = i;
    const struct event none = {.cycle = UINT64_MAX, .kind = N_EVENTS};
    const struct event *x = i < a->n_events ? &a->event[i] : &none;
    const struct event *y = i < b->n_events ? &b->event[i] : &none;
    const struct event *first = comes_before(y, x) ? y : x;
    snprintf(d->kind,
             sizeof d->kind,
             "%u %u %u %u",
             first->kind,
             first->cause,
             x->kind == y->kind && x->agent == y->agent,
             x->cycle == y->cycle);
    return DIFFER(d, "event %zu of %zu, %zu", i, a->n_events, b->n_events);
}

/* Do two runs with time agree? One in slices can end later: a slice goes on to its end. */
static bool same_timed(const struct outcome *a, const struct outcome *b, bool sliced,
                       struct difference *d)
{
    const struct tile *x = a->tile, *y = b->tile;
    bool names =
        !sliced || getenv("WG_SLICES"); /* in slices waits may be named, and polls recognised,
                                                         differently */
    if (names && !same_trace(a, b, d))
        return false;
    if (a->end != b->end)
        return DIFFER(d, "end: %u, %u", a->end, b->end);
    if (names && x->clock.now != y->clock.now && !(sliced && y->clock.now > x->clock.now))
        return DIFFER(d,
                      "last cycle: %llu, %llu",
                      (unsigned long long)x->clock.now,
                      (unsigned long long)y->clock.now);
    return same_memory(x, y, d) && (!names || same_ledgers(x, y, d));
}

bool run_same(const struct outcome *a, const struct outcome *b, enum way way, struct difference *d)
{
    bool same = true;
    d->in_trace = false;
    if (way != WAY_UNTIMED)
        same = same_timed(a, b, way == WAY_SLICES, d);
    else if (!a->ended || !b->ended)
        same = DIFFER(d, "the program does not end: %d, %d", a->ended, b->ended);
    else
        same = same_memory(a->tile, b->tile, d);
    if (!same && !d->in_trace) /* the text without numbers */
        for (size_t i = 0, to = 0; to + 1 < sizeof d->kind && (d->kind[to] = d->what[i]); i++)
            to += d->what[i] < '0' || d->what[i] > '9';
    d->kind[sizeof d->kind - 1] = 0;
    return same;
}
