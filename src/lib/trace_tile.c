/*
 * trace_tile.c - the trace of a tile with time: events of all agents in the order of time.
 *
 * Cores run ahead of the clock, so events do not come in order. They are kept until no agent can tell of an earlier
 * cycle any more (horizon()), then sorted by cycle and agent; those of one agent in one cycle stay in the order in which they
 * came. A machine that drives the tile is ahead of it, too: its events wait here with the others.
 *
 * Block: none.
 * Invariants: no event is older than what is written already; the queue holds no more than what agents are ahead of each other,
 * and TRACE_FLUSH_AT. What an event costs does not depend on how many there were.
 *
 * **Inaccuracies**: if several CPUs drive the tile, a GPR's write has the name of the core whose port it takes.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/rv32.h"
#include "lib/handle.h"
#include "lib/handle_alpha.h"
#include "lib/result.h"

static void core_words(const struct event *e, struct trace_words *w)
{
    if (e->kind == EV_CORE) {
        rv32_dis_text(e->word, e->arg, 0, w->what, sizeof w->what);
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
        report_alpha_trace_line(tile->host, e);
        return;
    }
    struct trace_words w;
    char where[512];
    uint32_t pc = 0;
    int core = code_place_core(e->agent);
    trace_text_words(e, &w);
    if (e->kind == EV_CORE || e->kind == EV_CORE_WAIT) {
        core_words(e, &w);
        pc = e->kind == EV_CORE ? e->arg : e->word;
    } else if (e->agent <= OWNER_T2) {
        core = code_place_of_tag(&tile->tile, e->agent - OWNER_T0, e->tag, &pc);
    } else {
        core = -1;
    }
    trace_text_line(&tile->trace, e, &w, code_place_text(tile, core, pc, where, sizeof where));
}

/* ---- the order of time ---- */

static bool before(const struct event *x, const struct event *y)
{
    return x->cycle != y->cycle ? x->cycle < y->cycle : x->agent < y->agent;
}

/* Merge sort: events that are equal stay in the order in which they came. */
static void sort(struct event *e, struct event *spare, size_t n)
{
    if (n < 2)
        return;
    size_t half = n / 2, i = 0, k = half, to = 0;
    sort(e, spare, half);
    sort(e + half, spare, n - half);
    if (!before(&e[half], &e[half - 1]))
        return; /* most are in order */
    while (i < half && k < n)
        spare[to++] = before(&e[k], &e[i]) ? e[k++] : e[i++];
    while (i < half)
        spare[to++] = e[i++];
    memcpy(e, spare, to * sizeof *e); /* what is left of the second half is in its place */
}

/*
 * The earliest cycle of which a core may still tell something. When it is not running that is the cycle of `when`, which stays
 * behind while it runs: then it is not before the cycle after its last entry to EX1, or before a store leaves or a load is
 * answered. In a loop in which nothing changes, the end of the loop is told as of its next instruction.
 */
static uint64_t core_horizon(const struct tile *tile, unsigned core)
{
    const struct rvpipe *p = &tile->pipe[core];
    uint64_t when = p->when >> 2, act = p->at + 1;
    uint64_t due = rvlsu_due(&p->lsu, &tile->banks, core, tile->core[core].cfg0);
    act = due < act ? due : act;
    if (p->lsu.pending.on && p->lsu.pending.retry < act)
        act = p->lsu.pending.retry;
    if (p->poll.on)
        return p->next < when ? p->next : when;
    return when > act ? when : act;
}

/*
 * The earliest cycle of which something may still be told. Who sleeps goes on when somebody else acts, and tells of nothing before
 * that; but a parked core is then put back to the start of its round, and two of them go on when they meet.
 */
static uint64_t horizon(const struct tile *tile)
{
    uint64_t first =
        tile->clock.coproc >> 2 < tile->clock.meet ? tile->clock.coproc >> 2 : tile->clock.meet;
    uint32_t round = 0;
    for (unsigned i = 0; i < RV_N_CORES; i++) {
        uint64_t core = RV_NEVER >> 2;
        if (tile->pipe[i].poll.parked)
            round = tile->pipe[i].poll.period > round ? tile->pipe[i].poll.period : round;
        else if (tile->pipe[i].when < RV_NEVER)
            core = core_horizon(tile, i);
        first = core < first ? core : first;
    }
    return first > round ? first - round : 0;
}

/* ---- the queue ---- */

bool trace_tile_room(struct trace_queue *q)
{
    if (q->n < q->size)
        return true;
    size_t size = q->size ? 2 * q->size : 2 * TRACE_FLUSH_AT;
    struct event *more = realloc(q->event, 2 * size * sizeof *more);
    if (!more)
        return false;
    q->event = more;
    q->size = size;
    return true;
}

void trace_tile_flush(waitgate_tile *tile, uint64_t limit)
{
    struct trace_queue *q = &tile->queue;
    size_t n = 0;
    if (q->n)
        sort(q->event, q->event + q->size, q->n);
    q->sorted += q->n;
    while (n < q->n && q->event[n].cycle < limit)
        write_event(tile, &q->event[n++]);
    if (limit == UINT64_MAX)
        limit = n ? q->event[n - 1].cycle + 1 : 0;
    q->before = limit > q->before ? limit : q->before;
    q->n -= n;
    if (q->n)
        memmove(q->event, q->event + n, q->n * sizeof *q->event);
    q->due = 2 * q->n > TRACE_FLUSH_AT ? 2 * q->n : TRACE_FLUSH_AT; /* sorting costs little */
    if (q->step)
        q->due = q->n + q->step;
}

/* What is told of a cycle that was not run yet comes with that; but if nothing will happen any more there is none. */
void trace_tile_end(waitgate_tile *tile)
{
    bool goes_on = tile->end == WAITGATE_TILE_LIMIT || tile->end == WAITGATE_TILE_INTERRUPTED ||
                   tile->end == WAITGATE_TILE_UNTIL;
    if (tile->host)
        goes_on = tile->host->end != WAITGATE_ALPHA_DONE && tile->host->end != WAITGATE_ALPHA_HANG;
    trace_tile_flush(tile, goes_on ? tile->tile.clock.now : UINT64_MAX);
}

static void keep(struct trace_queue *q, const struct event *e)
{
    q->failed = q->failed || !trace_tile_room(q);
    if (q->failed)
        return;
    q->told++;
    q->late += e->cycle < q->before;
    q->event[q->n++] = *e;
    q->most = q->n > q->most ? q->n : q->most;
}

/* Who has done it: the cores of a tile behind a window do nothing, their ports are the host's. */
static uint8_t doer(const waitgate_tile *tile, const struct event *e)
{
    const waitgate_alpha *host = tile->host;
    if (!host || code_place_core(e->agent) < 0)
        return e->agent;
    if (e->kind == EV_SEM)
        return (uint8_t)(OWNER_CPU0 + host->window.post.cpu);
    return host->m.n_cpus == 1 ? OWNER_CPU0 : e->agent;
}

/* Without time there is one order only, that in which things happen; their time is the number of steps that were done before. */
static void event_untimed(waitgate_tile *tile, struct event *e)
{
    e->cycle = tile->tile.steps + tile->tile.turn;
    write_event(tile, e);
}

void trace_tile_event(void *context, const struct event *e)
{
    waitgate_tile *tile = context;
    struct trace_queue *q = &tile->queue;
    struct event named = *e;
    named.agent = doer(tile, e);
    if (!tile->tile.clock.on) {
        event_untimed(tile, &named);
        return;
    }
    keep(q, &named);
    if (q->n >= q->due)
        trace_tile_flush(tile, horizon(&tile->tile));
}

void trace_tile_host(waitgate_tile *tile, const struct event *e)
{
    if (tile->queue.n >= tile->queue.due) {
        alpha_window_follow(&tile->host->window,
                            e->cycle); /* nobody tells of an earlier cycle then */
        trace_tile_flush(tile, e->cycle);
    }
    keep(&tile->queue, e);
}
