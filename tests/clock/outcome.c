/*
 * outcome.c - see outcome.h.
 *
 * Events of a run are compared in the order of cycle and agent; those of one agent in one cycle in the order
 * in which they came.
 */
#include "outcome.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void outcome_start(struct outcome *o)
{
    if (!o->handle)
        o->handle = malloc(sizeof *o->handle);
    if (!o->handle)
        abort();
    memset(o->handle, 0, sizeof *o->handle);
    o->tile = &o->handle->tile;
    o->n_events = 0;
    tile_reset(o->tile);
}

void outcome_event(void *ctx, const struct event *e)
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

static void write_text(void *context, const char *text, size_t n)
{
    struct text *to = context;
    if (to->n + n + 1 > to->room) {
        to->room = 2 * (to->n + n + 1);
        to->at = realloc(to->at, to->room);
        if (!to->at)
            abort();
    }
    memcpy(to->at + to->n, text, n);
    to->n += n;
    to->at[to->n] = 0;
}

static void take_reports(struct outcome *o)
{
    o->json.n = o->plain_json.n = o->report.n = o->hang.n = 0;
    if (o->profiled) {
        waitgate_tile_report(o->handle, write_text, &o->report);
        waitgate_tile_report_json(o->handle, write_text, &o->json);
    }
    waitgate_tile_report_hang(o->handle, write_text, &o->hang);
    memset(&o->tile->coproc.blame, 0, sizeof o->tile->coproc.blame);
    waitgate_tile_report_json(o->handle, write_text, &o->plain_json);
}

void outcome_end(struct outcome *o)
{
    for (unsigned i = 0; i < RV_N_CORES; i++) {
        struct rvcore now;
        tile_clock_core_now(o->tile, i, &now);
        o->tile->core[i] = now; /* the run is over */
    }
    take_reports(o);
    struct event *spare = malloc((o->n_events + 1) * sizeof *spare);
    if (!spare)
        abort();
    sort(o->event, spare, o->n_events);
    free(spare);
}

void outcome_forget(struct outcome *o)
{
    free(o->handle);
    free(o->event);
    free(o->json.at);
    free(o->plain_json.at);
    free(o->report.at);
    free(o->hang.at);
    memset(o, 0, sizeof *o);
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

static const char *const core_names[] = {"T0", "T1", "T2", "B", "NC"};

static bool same_core(const struct tile *x, const struct tile *y, unsigned i, struct difference *d)
{
    const struct rvcore *a = &x->core[i], *b = &y->core[i];
    char name[16];
    snprintf(name, sizeof name, "%s register x", core_names[i]);
    if (!same_words(name, a->x, b->x, 32, d))
        return false;
    snprintf(name, sizeof name, "%s register f", core_names[i]);
    if (!same_words(name, a->f, b->f, 32, d))
        return false;
    if ((a->state == RV_HELD) != (b->state == RV_HELD) ||
        (a->state == RV_STOPPED) != (b->state == RV_STOPPED))
        return DIFFER(d, "%s state: %u, %u", core_names[i], a->state, b->state);
    if (a->cfg0 != b->cfg0)
        return DIFFER(d, "%s cfg0: 0x%x, 0x%x", core_names[i], a->cfg0, b->cfg0);
    return same_bytes(x->local[i], y->local[i], RV_LOCAL_SIZE(i), RV_LOCAL_BASE, d);
}

/* What only runs with time agree in. */
static bool same_place(const struct tile *x, const struct tile *y, unsigned i, struct difference *d)
{
    const struct rvcore *a = &x->core[i], *b = &y->core[i];
    if (a->state == RV_HELD)
        return true;
    if (a->pc != b->pc)
        return DIFFER(d, "%s pc: 0x%x, 0x%x", core_names[i], a->pc, b->pc);
    if (a->steps != b->steps)
        return DIFFER(d,
                      "%s steps: %llu, %llu",
                      core_names[i],
                      (unsigned long long)a->steps,
                      (unsigned long long)b->steps);
    if (rvcore_instret(a) != rvcore_instret(b))
        return DIFFER(d, "%s instret", core_names[i]);
    if (memcmp(a->v, b->v, sizeof a->v))
        return DIFFER(d, "%s vector registers", core_names[i]);
    if (memcmp(a->l0_tag, b->l0_tag, sizeof a->l0_tag) ||
        memcmp(a->l0_data, b->l0_data, sizeof a->l0_data))
        return DIFFER(d, "%s L0", core_names[i]);
    return true;
}

bool outcome_same_memory(const struct tile *x, const struct tile *y, struct difference *d)
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
    if (memcmp(&a->rwc, &b->rwc, sizeof a->rwc) || memcmp(&a->adc, &b->adc, sizeof a->adc))
        return DIFFER(d, "counters");
    for (unsigned i = 0; i < 2; i++)
        if (!same_words("Config word", a->config.word[i], b->config.word[i], CONFIG_WORDS, d))
            return false;
    if (memcmp(a->config.thread, b->config.thread, sizeof a->config.thread))
        return DIFFER(d, "ThreadConfig");
    for (unsigned i = 0; i < MAILBOX_CORES * MAILBOX_CORES; i++)
        if (x->mailbox.box[i / 4][i % 4].n != y->mailbox.box[i / 4][i % 4].n)
            return DIFFER(d, "mailbox from %u to %u", i / 4, i % 4);
    return same_bytes(x->l1_bytes, y->l1_bytes, TILE_L1_SIZE, 0, d);
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

/* The first line in which two texts differ. */
static bool same_text(const char *name, const struct text *x, const struct text *y,
                      struct difference *d)
{
    size_t i = 0, line = 0;
    if (x->n == y->n && (!x->n || !memcmp(x->at, y->at, x->n)))
        return true;
    if (!x->n || !y->n)
        return DIFFER(d, "%s: one is empty", name);
    for (; x->at[i] == y->at[i]; i++)
        line = x->at[i] == '\n' ? i + 1 : line;
    return DIFFER(d,
                  "%s: %.*s / %.*s",
                  name,
                  (int)strcspn(x->at + line, "\n"),
                  x->at + line,
                  (int)strcspn(y->at + line, "\n"),
                  y->at + line);
}

bool outcome_same(const struct outcome *a, const struct outcome *b, struct difference *d)
{
    const struct tile *x = a->tile, *y = b->tile;
    if (b->traced && !same_trace(a, b, d))
        return false;
    if (a->handle->end != b->handle->end)
        return DIFFER(d, "end: %u, %u", a->handle->end, b->handle->end);
    if (x->clock.now != y->clock.now)
        return DIFFER(d,
                      "last cycle: %llu, %llu",
                      (unsigned long long)x->clock.now,
                      (unsigned long long)y->clock.now);
    if (!outcome_same_memory(x, y, d))
        return false;
    for (unsigned i = 0; i < RV_N_CORES; i++)
        if (!same_place(x, y, i, d))
            return false;
    if (b->profiled && (!same_text("JSON", &a->json, &b->json, d) ||
                        !same_text("report", &a->report, &b->report, d)))
        return false;
    return same_text("plain JSON", &a->plain_json, &b->plain_json, d) &&
           same_text("hang", &a->hang, &b->hang, d);
}
