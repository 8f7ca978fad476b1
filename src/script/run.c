/*
 * run.c - the scheduler loop of one tile and its scripted cores.
 *
 * A cycle: cores ask, the tile steps, cores take their answers. When nothing moved, nothing moves
 * before the earliest cycle that the tile or a script names; if nobody names one, what is held now
 * is held for ever. Jumping there or walking there gives the same events and the same ledgers.
 */
#include "script/run.h"

#include <stdlib.h>
#include <string.h>

#include "base/watch.h"
#include "script/data_value.h"
#include "script/item_value.h"
#include "tile/tile.h"

/* What a core causes inside the tile has no source position there; its script knows it. */
static unsigned core_tag(const struct run *r, unsigned agent)
{
    for (unsigned i = 0; i < TTS_CORES; i++)
        if (actor_agent(&r->actor[i]) == agent)
            return r->actor[i].tag;
    return 0;
}

static void run_sink(void *ctx, const struct event *sent)
{
    struct run *r = ctx;
    struct event copy = *sent, *e = &copy;
    if (!e->tag)
        e->tag = (uint16_t)core_tag(r, e->agent);
    if (r->program->expects_events)
        check_event(&r->check, e);
    if (r->options.trace)
        r->options.trace(r->options.trace_ctx, e);
}

/* A unit writes a register: there are the streams' only. */
static bool run_store(void *ctx, unsigned thread, uint32_t address, uint32_t value)
{
    (void)thread;
    if (address >= stream_address(0, 0) &&
        address <= stream_address(STREAM_COUNT - 1, STREAM_REGS - 1) &&
        (address & 0xfff) < 4 * STREAM_REGS)
        coproc_port_stream_store(ctx, address >> 12 & 63, (address & 0xfff) / 4, value);
    return true;
}

bool run_init(struct run *r, const struct tts_program *p, const struct run_options *options)
{
    memset(r, 0, sizeof *r);
    r->program = p;
    r->options = *options;
    if (!r->options.max_cycles)
        r->options.max_cycles = p->max_cycles ? p->max_cycles : RUN_MAX_CYCLES;
    if (!check_init(&r->check, p))
        return false;
    if (p->uses_l1 && !(r->l1 = calloc(1, TILE_L1_SIZE))) {
        check_free(&r->check);
        return false;
    }
    struct probe *probe = &r->coproc.probe;
    memcpy(probe->policy, options->policy, sizeof probe->policy);
    probe->sink = run_sink;
    probe->ctx = r;
    if (p->expects_events)
        probe->mask = 1u << EV_GO | 1u << EV_HOLD;
    if (options->trace)
        probe->mask = UINT32_MAX;
    r->coproc.l1 = (struct l1_port){
        .bytes = r->l1, .size = TILE_L1_SIZE, .store = run_store, .ctx = &r->coproc};
    coproc_time(&r->coproc, &options->timing);
    for (uint32_t i = 0; i < p->n_presets; i++)
        item_value_preset(&r->coproc, &p->preset[i]);
    for (uint32_t i = 0; i < p->n_fills; i++)
        data_value_preset(&r->coproc, p, &p->fill[i]);
    for (unsigned i = 0; i < TTS_CORES; i++) {
        actor_reset(&r->actor[i], i, p);
        if (p->core[i].n)
            r->active[r->n_active++] = (uint8_t)i;
    }
    return true;
}

void run_free(struct run *r)
{
    check_free(&r->check);
    free(r->l1);
    r->l1 = NULL;
}

static bool actors_done(const struct run *r)
{
    for (unsigned i = 0; i < r->n_active; i++)
        if (!r->actor[r->active[i]].done)
            return false;
    return true;
}

/* Cores whose scripts are over, and booked as such, need no more looking at. */
static void drop_done(struct run *r)
{
    unsigned n = 0;
    for (unsigned i = 0; i < r->n_active; i++)
        if (r->actor[r->active[i]].cause != WAIT_DONE)
            r->active[n++] = r->active[i];
    r->n_active = n;
}

static bool diag_known(const struct probe *p, uint32_t n, const struct diag *d)
{
    for (uint32_t i = 0; i < n; i++)
        if (p->diag[i].id == d->id && p->diag[i].agent == d->agent && p->diag[i].tag == d->tag)
            return true;
    return false;
}

/* Gives the diagnostics of this cycle, from number `from` on, their source positions. */
static void place_diags(struct run *r, uint32_t from)
{
    struct probe *p = &r->coproc.probe;
    uint32_t n = from;
    for (uint32_t i = from; i < p->n_diags; i++) {
        struct diag d = p->diag[i];
        if (!d.tag)
            d.tag = (uint16_t)core_tag(r, d.agent);
        if (!d.tag || !diag_known(p, n, &d))
            p->diag[n++] = d;
    }
    p->n_diags = n;
}

/* One cycle; true if anything moved. */
static bool run_cycle(struct run *r)
{
    struct coproc *cp = &r->coproc;
    uint64_t now = cp->now;
    uint32_t n_diags = cp->probe.n_diags;
    cp->probe.now = now;
    for (unsigned i = 0; i < r->n_active; i++)
        actor_act(&r->actor[r->active[i]], r->program, cp);
    bool moved = coproc_step(cp);
    if (cp->probe.n_diags != n_diags)
        place_diags(r, n_diags);
    cp->probe.now = now;
    bool done = false;
    for (unsigned i = 0; i < r->n_active; i++) {
        struct actor *a = &r->actor[r->active[i]];
        moved |= actor_after(a, r->program, cp, now);
        done |= a->cause == WAIT_DONE;
    }
    if (done)
        drop_done(r);
    return moved;
}

static uint64_t next_change(const struct run *r)
{
    uint64_t next = coproc_quiet_until(&r->coproc);
    for (unsigned i = 0; i < r->n_active; i++) {
        uint64_t at = actor_quiet_until(&r->actor[r->active[i]], r->program);
        next = at < next ? at : next;
    }
    return next;
}

#define RUN_SLICE                                                                                  \
    (UINT64_C(1) << 20) /* cycles at most between two looks whether the run shall end */

static bool run_interrupted(const struct run *r)
{
    return r->options.interrupt && *r->options.interrupt;
}

/* Many cycles at once, as long as no core has anything to do; true if there were any. */
static bool run_burst(struct run *r)
{
    uint64_t limit = r->options.max_cycles;
    unsigned full = 0;
    if (limit - r->coproc.now > RUN_SLICE)
        limit = r->coproc.now + RUN_SLICE;
    if (r->coproc.now < r->coproc.burst_after || r->coproc.probe.mask)
        return false;
    for (unsigned i = 0; i < r->n_active; i++) {
        struct actor *a = &r->actor[r->active[i]];
        if (actor_blocks(a, r->program, &r->coproc)) { /* what it does in this cycle is known */
            actor_act(a, r->program, &r->coproc);
            actor_after(a, r->program, &r->coproc, r->coproc.now);
        }
        uint64_t at = actor_rests_until(a, r->program, &r->coproc);
        limit = at < limit ? at : limit;
        full |= (unsigned)(a->cause == WAIT_QUEUE_FULL) << a->core;
    }
    return limit > r->coproc.now && coproc_burst(&r->coproc, limit, full);
}

static enum run_end run_loop(struct run *r)
{
    struct coproc *cp = &r->coproc;
    WATCH(watch);
    for (;;) {
        PROGRESS(watch, cp->now, 1);
        if (cp->probe.stop)
            return RUN_END_STOPPED;
        if (actors_done(r) && coproc_idle(cp))
            return RUN_END_DONE;
        if (cp->now >= r->options.max_cycles)
            return RUN_END_MAX;
        if (run_interrupted(r))
            return RUN_END_INTERRUPTED;
        if (!r->options.no_skip && run_burst(r))
            continue;
        bool moved = run_cycle(r);
        if (moved || cp->probe.stop || (actors_done(r) && coproc_idle(cp)))
            continue;
        uint64_t next = next_change(r);
        if (next == COPROC_NEVER)
            return RUN_END_DEADLOCK;
        if (next > r->options.max_cycles)
            next = r->options.max_cycles;
        if (!r->options.no_skip && next > cp->now) {
            r->skipped += next - cp->now;
            coproc_skip(cp, next);
        }
    }
}

static bool ledgers_add_up(const struct run *r)
{
    for (unsigned i = 0; i < N_AGENTS; i++)
        if (wait_ledger_sum(&r->coproc.ledger[i]) != r->cycles)
            return false;
    return true;
}

void run_go(struct run *r)
{
    r->end = run_loop(r);
    r->cycles = r->coproc.now;
    r->end_cycle = r->cycles ? r->cycles - 1 : 0;
    for (unsigned i = 0; i < N_AGENTS; i++)
        r->stand[i] = (struct run_stand){r->coproc.ledger[i].key, r->coproc.ledger[i].since};
    r->coproc.probe.now = r->end_cycle;
    coproc_settle(&r->coproc);
    if (!ledgers_add_up(r))
        r->end = RUN_END_BROKEN;
    check_judge(&r->check, r);
}
