/*
 * trace_tile.c - the trace of a tile with time: events of all agents in the order of time.
 *
 * Cores run ahead of the clock, so events do not come in order. They are kept until no agent can tell of an earlier
 * cycle any more, then sorted by cycle and agent; those of one agent in one cycle stay in the order in which they came. A
 * machine that drives the tile is ahead of it, too: its events wait here with the others.
 *
 * Block: none.
 *
 * **Inaccuracies**: if several CPUs drive the tile, a GPR's write has the name of the core whose port it takes.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/rv32.h"
#include "lib/alpha.h"
#include "lib/handle.h"
#include "lib/result.h"

#define FLUSH_AT 8192u

static void core_words(const struct event *e, struct trace_words *w)
{
    if (e->kind == EV_CORE) {
        rv32_disassemble(e->word, e->arg, 0, w->what, sizeof w->what);
        for (char *c = w->what; *c; c++)
            if (*c == '\t')
                *c = ' ';
    } else if (e->arg) {
        snprintf(w->what, sizeof w->what, "waited %u", e->arg);
    }
}

static void write_event(waitgate_tile *tile, const struct event *e)
{
    if (e->kind == EV_RETIRE || e->kind == EV_STALL || e->kind == EV_FLUSH) {
        trace_alpha_line(tile->host, e);
        return;
    }
    struct trace_words w;
    char where[512];
    uint32_t pc = 0;
    int core = place_core(e->agent);
    trace_words(e, &w);
    if (e->kind == EV_CORE || e->kind == EV_CORE_WAIT) {
        core_words(e, &w);
        pc = e->kind == EV_CORE ? e->arg : e->word;
    } else if (e->agent <= OWNER_T2) {
        core = place_of_tag(&tile->tile, e->agent - OWNER_T0, e->tag, &pc);
    } else {
        core = -1;
    }
    trace_line(&tile->trace, e, &w, place_text(tile, core, pc, where, sizeof where));
}

static int before(const void *a, const void *b)
{
    const struct event *x = a, *y = b;
    if (x->cycle != y->cycle)
        return x->cycle < y->cycle ? -1 : 1;
    if (x->agent != y->agent)
        return x->agent < y->agent ? -1 : 1;
    return x < y ? -1 : x > y;
}

/* Merge sort: qsort need not be stable. */
static void sort(struct event *e, struct event *spare, size_t n)
{
    if (n < 2)
        return;
    size_t half = n / 2, i = 0, k = half, to = 0;
    sort(e, spare, half);
    sort(e + half, spare, n - half);
    while (i < half && k < n)
        spare[to++] =
            before(&e[k], &e[i]) < 0 && !(e[k].cycle == e[i].cycle && e[k].agent == e[i].agent)
                ? e[k++]
                : e[i++];
    while (i < half)
        spare[to++] = e[i++];
    while (k < n)
        spare[to++] = e[k++];
    memcpy(e, spare, n * sizeof *e);
}

void trace_tile_flush(waitgate_tile *tile, uint64_t limit)
{
    struct trace_queue *q = &tile->queue;
    size_t n = 0;
    struct event *spare = q->n ? malloc(q->n * sizeof *spare) : NULL;
    if (!spare)
        return;
    sort(q->event, spare, q->n);
    free(spare);
    while (n < q->n && q->event[n].cycle < limit)
        write_event(tile, &q->event[n++]);
    memmove(q->event, q->event + n, (q->n - n) * sizeof *q->event);
    q->n -= n;
}

/* The earliest cycle of which something may still be told. */
static uint64_t horizon(const struct tile *t)
{
    uint64_t first = t->clock.coproc;
    for (unsigned i = 0; i < RV_N_CORES; i++)
        if (t->pipe[i].when < first)
            first = t->pipe[i].when;
    return first >> 2 < t->clock.now ? first >> 2 : t->clock.now;
}

static void keep(struct trace_queue *q, const struct event *e)
{
    if (q->n == q->size) {
        size_t size = q->size ? 2 * q->size : 2 * FLUSH_AT;
        struct event *more = q->failed ? NULL : realloc(q->event, size * sizeof *more);
        if (!more) {
            q->failed = 1;
            return;
        }
        q->event = more;
        q->size = size;
    }
    q->event[q->n++] = *e;
}

/* Who has done it: the cores of a tile behind a window do nothing, their ports are the host's. */
static uint8_t doer(const waitgate_tile *tile, const struct event *e)
{
    const waitgate_alpha *host = tile->host;
    if (!host || place_core(e->agent) < 0)
        return e->agent;
    if (e->kind == EV_SEM)
        return (uint8_t)(OWNER_CPU0 + host->window.post.cpu);
    return host->m.n_cpus == 1 ? OWNER_CPU0 : e->agent;
}

void trace_tile_event(void *context, const struct event *e)
{
    waitgate_tile *tile = context;
    struct trace_queue *q = &tile->queue;
    struct event named = *e;
    named.agent = doer(tile, e);
    keep(q, &named);
    if (q->n >= FLUSH_AT && q->n >= q->size / 2)
        trace_tile_flush(tile, horizon(&tile->tile));
}

void trace_tile_host(waitgate_tile *tile, const struct event *e)
{
    if (tile->queue.n >= FLUSH_AT) {
        window_follow(&tile->host->window, e->cycle); /* nobody tells of an earlier cycle then */
        trace_tile_flush(tile, e->cycle);
    }
    keep(&tile->queue, e);
}
