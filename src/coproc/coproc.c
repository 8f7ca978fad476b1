/*
 * coproc.c - the wiring of the Tensix coprocessor, and its clock.
 *
 * Two units meet in the files of this folder only. A cycle has these steps (docs/timing.md 1):
 *
 *     1. units decide what starts inside them        (state of the last cycle)
 *     2. the three gates decide, ports arbitrate     (state of the last cycle; judge.h)
 *     3. what may go goes: operands are sampled      (issue.h)
 *     4. units finish the cycle: results are written
 *     5. the front ends move
 *
 * Nothing done in steps 3 to 5 is looked at by 1 and 2 before the next cycle, so the order of
 * threads does not matter.
 *
 * Invariant: the ledger of every thread has one entry per cycle (wait_ledger_note is called for each
 * thread in each cycle that is run; skipped cycles repeat the last one).
 *
 * Inaccuracies: see the units.
 */
#include "coproc/coproc.h"

#include <string.h>

#include "base/hot.h"
#include "base/watch.h"
#include "coproc/issue.h"
#include "isa/tensix.h"
#include "num/rows.h"
#include "state/op.h"

/* ---- reset ---- */

void coproc_time(struct coproc *cp, const struct timing *timing)
{
    cp->timing = *timing;
    cp->timed = true;
    coproc_reset(cp);
}

void coproc_reset(struct coproc *cp)
{
    const struct timing *n = &cp->timing;
    if (!cp->timed)
        cp->timing = timing_typical;
    cp->timed = true;
    for (unsigned i = 0; i < COPROC_THREADS; i++) {
        frontend_reset(&cp->fe[i], i, n);
        gate_reset(&cp->gate[i]);
        cp->issued[i] = 0;
        cp->last_go[i] = 0;
    }
    sync_reset(&cp->sync, n);
    config_reset(&cp->config, n);
    memset(&cp->gpr, 0, sizeof cp->gpr);
    adc_reset(&cp->adc);
    rwc_reset(&cp->rwc);
    src_reset(&cp->src, n);
    dst_reset(&cp->dst, n);
    stream_reset(&cp->stream);
    unpack_reset(&cp->unpack, n);
    matrix_reset(&cp->matrix, n);
    pack_reset(&cp->pack, n);
    vector_reset(&cp->vector, n);
    scalar_reset(&cp->scalar, n);
    memset(&cp->mover, 0, sizeof cp->mover);
    memset(&cp->regwrite, 0, sizeof cp->regwrite);
    memset(&cp->packmeta, 0, sizeof cp->packmeta);
    memset(&cp->arbiter, 0, sizeof cp->arbiter);
    memset(cp->busy_to, 0, sizeof cp->busy_to);
    memset(cp->noted, 0, sizeof cp->noted);
    cp->adc_at = 0;
    cp->burst_after = 0;
    cp->burst_pause = 0;
    memset(cp->burst_memo, 0, sizeof cp->burst_memo);
    cp->unpack_noted = 0;
    cp->stuck = cp->behind = cp->unexplained = false;
    cp->order = (struct order){0};
    cp->sync_served = false;
    cp->now = 0;
    for (unsigned i = 0; i < N_AGENTS; i++)
        wait_ledger_reset(&cp->ledger[i], 0);
    memset(cp->blamed, 0, sizeof cp->blamed);
    probe_reset(&cp->probe);
}

void coproc_vectors(struct coproc *cp, enum coproc_vectors most)
{
    bool plain = most == COPROC_PLAIN;
    cp->matrix.plain = cp->pack.plain = cp->unpack.plain = cp->vector.plain = plain;
    cp->matrix.narrow = most == COPROC_AVX2;
    matrix_vectors(&cp->matrix);
    cp->pack.fast = cp->unpack.fast = !plain && rows_avx2_usable();
}

/* ---- step 4: units finish the cycle ---- */

/* FLUSHDMA ends in the first cycle in which none of its conditions holds. */
static void coproc_test_flush(struct coproc *cp)
{
    struct scalar_op *o = &cp->scalar.exec;
    struct ledger *l = &cp->ledger[OWNER_SCALAR];
    uint32_t mask = tensix_FLUSHDMA_decode(o->e.word).flush_spec;
    mask = mask ? mask : GATE_DEFAULT_CONDITIONS;
    uint16_t key = judge_conditions(cp, o->thread, mask & 14);
    if (mask & 1 && cp->now < cp->scalar.memory_until[o->thread])
        key = wait_key(WAIT_UNIT_FLUSH, OWNER_SCALAR);
    if (key) {
        wait_ledger_note(l, cp->now, wait_key(WAIT_UNIT_FLUSH, key & 0xff));
    } else {
        wait_ledger_note(l, cp->now, wait_key(WAIT_PROGRESS, OWNER_NONE));
        o->end = cp->now;
        cp->busy_to[OWNER_SCALAR] = cp->now + 1;
    }
}

bool coproc_clock_scalar(struct coproc *cp, bool thcon_taken)
{
    struct scalar_io io = wires_scalar(cp, thcon_taken);
    const struct scalar *s = &cp->scalar;
    bool waits = s->stage.busy && s->exec.busy, moved = scalar_clock(&cp->scalar, &io, cp->now);
    if (waits && !s->stage.busy) /* what has waited in the stage goes on */
        issue_occupy(
            cp, OWNER_SCALAR, cp->now, s->exec.end == SCALAR_OPEN ? COPROC_NEVER : s->exec.end + 1);
    return moved;
}

/* Last cycle of a memory instruction, if what it needs is there: a value in L1, a bank of Src. */
static void coproc_try_memory(struct coproc *cp)
{
    struct scalar_io io = wires_scalar(cp, false);
    struct ledger *l = &cp->ledger[OWNER_SCALAR];
    struct scalar_op *o = &cp->scalar.exec;
    if (scalar_memory_try(&cp->scalar, &io, cp->now)) {
        if (o->waits)
            wait_ledger_note(l, cp->now, wait_key(WAIT_PROGRESS, OWNER_NONE));
        cp->busy_to[OWNER_SCALAR] = cp->now + 1;
        return;
    }
    o->waits = true;
    wait_ledger_note(l,
                     cp->now,
                     o->end == SCALAR_OPEN ? wait_key(WAIT_UNIT_SRC_BANK, OWNER_MATRIX)
                                           : wait_key(WAIT_UNIT_ATOMIC, OWNER_L1));
    cp->busy_to[OWNER_SCALAR] = UINT64_MAX;
}

/* An unpacker stands idle, moves data, or waits for its bank. */
static void coproc_note_unpackers(struct coproc *cp)
{
    for (unsigned i = 0; i < 2; i++) {
        const struct unpacker *u = &cp->unpack.u[i];
        uint16_t key = wait_key(WAIT_IDLE, OWNER_NONE);
        if (u->n)
            key = u->waiting ? wait_key(WAIT_UNIT_SRC_BANK, OWNER_MATRIX)
                             : wait_key(WAIT_PROGRESS, OWNER_NONE);
        if (wait_ledger_note(&cp->ledger[OWNER_UNPACK0 + i], cp->now, key) && u->n && u->waiting &&
            probe_wants(&cp->probe, EV_UNIT_WAIT)) {
            const struct unpack_op *o = &u->op[u->head];
            struct event e = {.kind = EV_UNIT_WAIT,
                              .agent = (uint8_t)(OWNER_UNPACK0 + i),
                              .cause = WAIT_UNIT_SRC_BANK,
                              .owner = OWNER_MATRIX,
                              .tag = o->e.tag,
                              .word = o->e.word};
            probe_send(&cp->probe, &e);
        }
    }
}

/* Start of the cycle in the unpackers. */
static bool coproc_begin_unpackers(struct coproc *cp)
{
    const struct unpacker *u = cp->unpack.u;
    bool moved = (unpack_wants(&u[0], cp->now) || unpack_wants(&u[1], cp->now)) &&
                 unpack_begin(&cp->unpack, &cp->src, cp->now);
    unsigned noted = 0;
    for (unsigned i = 0; i < 2; i++)
        if (u[i].n)
            noted |= (u[i].waiting ? 3u : 1u) << 2 * i;
    if (noted != cp->unpack_noted)
        coproc_note_unpackers(cp);
    cp->unpack_noted = (uint8_t)noted;
    return moved;
}

static bool coproc_clock_units(struct coproc *cp, bool config_open)
{
    bool moved = false;
    if (cp->config.n_requests)
        moved |= config_clock_requests(&cp->config, &cp->gpr, cp->now, config_open, &cp->probe);
    bool thcon_taken = config_writes_thcon(&cp->config);
    if (cp->config.n_busy) {
        issue_occupy(cp, OWNER_CONFIG, cp->now, cp->now + 1);
        moved |= config_clock(&cp->config,
                              &cp->gpr,
                              &cp->stream,
                              scalar_writes_gpr(&cp->scalar, cp->now),
                              &cp->probe);
    }
    if (scalar_holds(&cp->scalar))
        moved |= coproc_clock_scalar(cp, thcon_taken);
    if (cp->config.late)
        issue_settle_wrcfg(cp);
    if (unpack_ends(&cp->unpack.u[0], cp->now) || unpack_ends(&cp->unpack.u[1], cp->now)) {
        struct unpack_io io = wires_unpack(cp);
        moved |= unpack_clock(&cp->unpack, &io, cp->now) != 0;
    }
    if (pack_holds(&cp->pack)) {
        struct pack_io io = wires_pack(cp);
        moved |= pack_clock(&cp->pack, &io, cp->now);
    }
    if (cp->src.n)
        moved |= src_clock(&cp->src, cp->now, &cp->probe);
    if (issue_vector_ticks(cp)) {
        struct vector_io io = wires_vector(cp, cp->vector.thread);
        issue_occupy(cp, OWNER_VECTOR, cp->now, cp->now + 1);
        vector_clock(&cp->vector, &io, cp->now);
        moved = true;
    }
    return moved;
}

/* ---- the cycle ---- */

/* The packer reads Dst before anybody writes it in this cycle, whichever thread that is. */
static void coproc_start_packer(struct coproc *cp, const struct decision d[COPROC_THREADS])
{
    for (unsigned i = 0; i < COPROC_THREADS; i++)
        if (d[i].key == KEY_GO && op_table[d[i].e->op].unit == TENSIX_UNIT_PACK)
            issue_start_pack(cp, i, d[i].e, cp->now, COPROC_BOOKED);
}

static bool coproc_step_gates(struct coproc *cp)
{
    bool moved = false;
    uint32_t ports = 0, clash = cp->sync.n_requests;
    struct decision d[COPROC_THREADS];
    for (unsigned i = 0; i < COPROC_THREADS; i++) {
        judge_thread(cp, i, &d[i]);
        uint32_t port = UINT32_C(1) << d[i].port;
        clash |= ports & port;
        ports |= port & ~UINT32_C(1); /* PORT_NONE takes everybody */
    }
    if (clash || ports >> PORT_CONFIG)
        judge_ports(cp, d, ports);
    if (ports >> PORT_PACK & 1)
        coproc_start_packer(cp, d);
    for (unsigned i = 0; i < COPROC_THREADS; i++) {
        issue_note_thread(cp, i, &d[i]);
        if (d[i].unlatch) {
            gate_unlatch(&cp->gate[i], i, cp->now, &cp->probe);
            moved = true;
        }
        if (d[i].key == KEY_GO) {
            arbiter_serve(&cp->arbiter, d[i].port, i);
            issue_go(cp, i, d[i].e, op_table[d[i].e->op].unit, COPROC_BOOKED);
            moved = true;
        }
    }
    return moved;
}

static bool coproc_serve_cores(struct coproc *cp)
{
    bool moved = false;
    for (unsigned i = 0; i < SYNC_CORES; i++) {
        struct sync_request *r = &cp->sync.request[i];
        r->taken = false;
        if (r->pending && cp->sync_winner == COPROC_THREADS + i) {
            sync_serve(&cp->sync, i, cp->now, &cp->probe);
            if (!cp->now)
                issue_occupy_again(cp, OWNER_SYNC, cp->now);
            issue_occupy(cp, OWNER_SYNC, cp->now, cp->now + 1);
            moved = true;
        }
        r->pending = false;
    }
    cp->sync.n_requests = 0;
    cp->sync_served = moved;
    return moved;
}

bool coproc_step(struct coproc *cp)
{
    bool moved = false;
    bool config_open = cp->config.n_requests && config_can_enter(&cp->config, CONFIG_S0);
    cp->probe.now = cp->now;
    if (cp->unpack.u[0].n | cp->unpack.u[1].n | cp->unpack_noted)
        moved |= coproc_begin_unpackers(cp);
    if (scalar_flushing(&cp->scalar, cp->now))
        coproc_test_flush(cp);
    if (scalar_trying(&cp->scalar, cp->now))
        coproc_try_memory(cp);
    moved |= coproc_step_gates(cp);
    if (cp->sync.n_requests | cp->sync_served)
        moved |= coproc_serve_cores(cp);
    if (cp->config.n_requests | cp->config.n_busy | scalar_holds(&cp->scalar) | cp->unpack.u[0].n |
        cp->unpack.u[1].n | cp->src.n | pack_holds(&cp->pack) | issue_vector_ticks(cp))
        moved |= coproc_clock_units(cp, config_open);
    for (struct frontend *f = cp->fe; f < cp->fe + COPROC_THREADS; f++) {
        moved |= frontend_clock(f, &cp->probe) | f->n_in;
        frontend_end_cycle(f);
    }
    cp->now++;
    return moved;
}

/* ---- without time ---- */

static void coproc_later(uint64_t *now, uint64_t at)
{
    if (at > *now)
        *now = at;
}

/* Jumps behind everything that is only a matter of time. */
void coproc_pass_time(struct coproc *cp)
{
    for (unsigned i = 0; i < COPROC_THREADS; i++) {
        coproc_later(&cp->now, cp->pack.done_at[i]);
        coproc_later(&cp->now, cp->scalar.memory_until[i]);
    }
    coproc_later(&cp->now, cp->matrix.done_at);
    coproc_later(&cp->now, cp->matrix.closed_end);
    coproc_later(&cp->now, cp->dst.last_ready);
    coproc_later(&cp->now, cp->vector.done_at);
    coproc_later(&cp->now, cp->vector.swap_end);
    coproc_later(&cp->now, cp->mover.done_at);
    coproc_later(&cp->now, cp->unpack.block_end);
    coproc_later(&cp->now, cp->unpack.issue_at);
}

bool coproc_drain(struct coproc *cp)
{
    bool any = false, moved = true;
    WATCH(watch);
    while (moved) {
        PROGRESS(watch, 0, COPROC_SETTLES);
        coproc_pass_time(cp);
        bool open = cp->config.n_requests && config_can_enter(&cp->config, CONFIG_S0);
        moved = false;
        cp->probe.now = cp->now;
        for (unsigned i = 0; i < 2; i++) /* what moves data has moved it */
            coproc_later(&cp->now, unpack_due(&cp->unpack.u[i]));
        if (cp->unpack.u[0].n | cp->unpack.u[1].n)
            moved |= coproc_begin_unpackers(cp);
        if (scalar_flushing(&cp->scalar, cp->now))
            coproc_test_flush(cp);
        if (cp->scalar.exec.busy && cp->scalar.exec.end != SCALAR_OPEN)
            coproc_later(&cp->now, cp->scalar.exec.end);
        if (scalar_trying(&cp->scalar, cp->now))
            coproc_try_memory(cp);
        moved |= coproc_clock_units(cp, open);
        cp->now += moved;
        any |= moved;
    }
    return any;
}

void coproc_drop_pushed(struct coproc *cp, unsigned thread)
{
    struct frontend *f = &cp->fe[thread];
    cp->stuck = false;
    f->tracked = (uint8_t)(f->tracked - f->q1.n - (mop_expands(&f->mop) ? 1 : 0));
    f->q1.n = 0;
    f->n_in = 0;
    f->n_mop_cfg = 0;
    f->mop.active = f->mop.starting = false;
    f->mop.transition = f->mop.pause = 0;
    cp->order.held = (uint8_t)(cp->order.held & ~(1u << thread));
}

/* ---- skipping ---- */

static void coproc_sooner(uint64_t *next, uint64_t at, uint64_t now)
{
    if (at >= now && at < *next)
        *next = at;
}

static uint64_t coproc_next(const struct coproc *cp, bool with_scalar)
{
    uint64_t now = cp->now, next = unpack_next(&cp->unpack, now);
    const struct scalar_op *exec = &cp->scalar.exec;
    if (cp->config.n_busy || (cp->scalar.stage.busy && !exec->busy) || now <= cp->dst.last_ready ||
        now <= cp->matrix.closed_end || issue_vector_ticks(cp))
        return now; /* a few cycles at most */
    if (exec->busy && with_scalar) {
        coproc_sooner(&next, exec->end, now); /* SCALAR_OPEN is never sooner */
        coproc_sooner(&next, exec->start + 1, now);
    }
    if (cp->src.n)
        coproc_sooner(&next, cp->src.flip[cp->src.head].due, now);
    for (unsigned i = 0; i < CONFIG_CORES; i++)
        if (cp->config.request[i].pending) {
            uint64_t at = cp->config.request[i].arrives;
            coproc_sooner(&next, at > now ? at : now, now);
        }
    for (unsigned i = 0; i < COPROC_THREADS; i++)
        coproc_sooner(&next, cp->scalar.memory_until[i], now);
    coproc_sooner(&next, scalar_next_load(&cp->scalar), now);
    coproc_sooner(&next, pack_next(&cp->pack, now), now);
    coproc_sooner(&next, cp->matrix.done_at, now);
    coproc_sooner(&next, cp->vector.done_at, now);
    coproc_sooner(&next, cp->vector.swap_end, now);
    coproc_sooner(&next, cp->mover.done_at, now);
    coproc_sooner(&next, cp->unpack.issue_at, now);
    return next;
}

uint64_t coproc_quiet_until(const struct coproc *cp)
{
    return coproc_next(cp, true);
}

bool coproc_retries(const struct coproc *cp)
{
    const struct scalar_op *o = &cp->scalar.exec;
    return o->busy && o->waits && o->end == cp->now - 1 + scalar_cycles(&cp->scalar, &o->e) &&
           coproc_next(cp, false) == COPROC_NEVER;
}

bool coproc_still(struct coproc *cp, uint64_t before)
{
    const struct scalar_op *o = &cp->scalar.exec;
    if (coproc_next(cp, false) != COPROC_NEVER)
        return false;
    if (!o->busy || o->end == SCALAR_OPEN)
        return true;
    if (!o->memory || o->start + scalar_cycles(&cp->scalar, &o->e) >= before)
        return false;
    struct scalar_io io = wires_scalar(cp, false);
    return !scalar_is_atomic(o) || scalar_memory_waits(&cp->scalar, &io);
}

bool coproc_tries_again(const struct coproc *cp)
{
    const struct scalar_op *o = &cp->scalar.exec;
    return o->busy && o->waits && o->end != SCALAR_OPEN && coproc_next(cp, false) == COPROC_NEVER;
}

bool coproc_tries_in_vain(struct coproc *cp)
{
    if (!coproc_tries_again(cp))
        return false;
    struct scalar_io io = wires_scalar(cp, false);
    return scalar_memory_waits(&cp->scalar, &io);
}

void coproc_skip(struct coproc *cp, uint64_t to)
{
    if (to > cp->now)
        cp->now = to;
}

bool coproc_thread_idle(const struct coproc *cp, unsigned i)
{
    return frontend_empty(&cp->fe[i]) && !matrix_busy(&cp->matrix, i, cp->now) &&
           !vector_busy(&cp->vector, i, cp->now) && !pack_busy(&cp->pack, i, cp->now) &&
           !scalar_outstanding(&cp->scalar, i, cp->now) && !cp->unpack.u[0].in_flight[i] &&
           !cp->unpack.u[1].in_flight[i] && !config_in_flight(&cp->config, i) &&
           !(mover_busy(&cp->mover, cp->now) && cp->mover.thread == i);
}

bool coproc_idle(const struct coproc *cp)
{
    if (cp->src.n || pack_holds(&cp->pack) || cp->config.n_requests || cp->config.n_busy ||
        cp->sync.n_requests)
        return false;
    for (unsigned i = 0; i < COPROC_THREADS; i++)
        if (!coproc_thread_idle(cp, i))
            return false;
    return true;
}

void coproc_settle(struct coproc *cp)
{
    cp->probe.now = cp->now;
    for (unsigned i = 0; i < COPROC_THREADS; i++)
        if (cp->gate[i].latched && frontend_empty(&cp->fe[i]))
            probe_diag(
                &cp->probe, DIAG_STILL_LATCHED, OWNER_T0 + i, cp->gate[i].tag, cp->gate[i].word, 0);
    if (cp->vector.macro.n)
        probe_diag(
            &cp->probe, DIAG_MACRO_LEFT, OWNER_T0 + cp->vector.thread, 0, 0, cp->vector.macro.n);
    for (unsigned i = OWNER_SYNC; i < N_AGENTS; i++)
        if (i != OWNER_UNPACK0 && i != OWNER_UNPACK1 && cp->busy_to[i] < cp->now)
            wait_ledger_note(&cp->ledger[i], cp->busy_to[i], wait_key(WAIT_IDLE, OWNER_NONE));
    for (unsigned i = 0; i < N_AGENTS; i++)
        wait_ledger_settle(&cp->ledger[i], cp->now);
    for (unsigned i = 0; cp->blame_on && i < COPROC_THREADS; i++)
        issue_blame(cp, i, cp->blamed[i].key, cp->blamed[i].tag);
}

bool coproc_thread_wait(const struct coproc *cp, unsigned thread, struct wait_record *out)
{
    const struct frontend *f = &cp->fe[thread];
    const struct ledger *l = &cp->ledger[OWNER_T0 + thread];
    if (!f->q3.n || l->key == KEY_GO)
        return false;
    const struct entry *e = &f->q3.slot[f->q3.head];
    *out = (struct wait_record){.agent = (uint8_t)(OWNER_T0 + thread),
                                .cause = (uint8_t)(l->key >> 8),
                                .owner = (uint8_t)(l->key & 0xff),
                                .tag = e->tag,
                                .word = e->word,
                                .since = l->since};
    return true;
}
