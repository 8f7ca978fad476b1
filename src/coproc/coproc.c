/*
 * coproc.c - the wiring of the Tensix coprocessor, and its clock.
 *
 * This is the only file in which two units meet. A cycle has these steps (docs/timing.md 1):
 *
 *     1. units decide what starts inside them        (state of the last cycle)
 *     2. the three gates decide, ports arbitrate     (state of the last cycle)
 *     3. what may go goes: operands are sampled
 *     4. units finish the cycle: results are written
 *     5. the front ends move
 *
 * Nothing done in steps 3 to 5 is looked at by 1 and 2 before the next cycle, so the order of
 * threads does not matter.
 *
 * Invariant: the ledger of every thread has one entry per cycle (ledger_note is called for each
 * thread in each cycle that is run; skipped cycles repeat the last one).
 *
 * Inaccuracies: see the units.
 */
#include "coproc/coproc.h"

#include <string.h>

#include "base/bits.h"
#include "base/hot.h"
#include "base/watch.h"
#include "coproc/issue.h"
#include "isa/tensix.h"
#include "num/rows.h"
#include "state/op.h"

/* ---- reset ---- */

void coproc_time(struct coproc *t, const struct timing *timing)
{
    t->timing = *timing;
    t->timed = true;
    coproc_reset(t);
}

void coproc_reset(struct coproc *t)
{
    const struct timing *n = &t->timing;
    if (!t->timed)
        t->timing = timing_typical;
    t->timed = true;
    for (unsigned i = 0; i < COPROC_THREADS; i++) {
        frontend_reset(&t->fe[i], i, n);
        gate_reset(&t->gate[i]);
        t->issued[i] = 0;
        t->last_go[i] = 0;
    }
    sync_reset(&t->sync, n);
    config_reset(&t->config, n);
    memset(&t->gpr, 0, sizeof t->gpr);
    adc_reset(&t->adc);
    rwc_reset(&t->rwc);
    src_reset(&t->src, n);
    dst_reset(&t->dst, n);
    stream_reset(&t->stream);
    unpack_reset(&t->unpack, n);
    matrix_reset(&t->matrix, n);
    pack_reset(&t->pack, n);
    vector_reset(&t->vector, n);
    scalar_reset(&t->scalar, n);
    memset(&t->mover, 0, sizeof t->mover);
    memset(&t->regwrite, 0, sizeof t->regwrite);
    memset(&t->packmeta, 0, sizeof t->packmeta);
    memset(&t->arbiter, 0, sizeof t->arbiter);
    memset(t->busy_to, 0, sizeof t->busy_to);
    memset(t->noted, 0, sizeof t->noted);
    t->adc_at = 0;
    t->burst_after = 0;
    t->burst_pause = 0;
    memset(t->burst_memo, 0, sizeof t->burst_memo);
    t->unpack_noted = 0;
    t->stuck = t->behind = t->unexplained = false;
    t->sync_served = false;
    t->now = 0;
    for (unsigned i = 0; i < N_AGENTS; i++)
        ledger_reset(&t->ledger[i], 0);
    memset(t->blamed, 0, sizeof t->blamed);
    probe_reset(&t->probe);
}

void coproc_vectors(struct coproc *t, enum coproc_vectors most)
{
    bool plain = most == COPROC_PLAIN;
    t->matrix.plain = t->pack.plain = t->unpack.plain = t->vector.plain = plain;
    t->matrix.narrow = most == COPROC_AVX2;
    matrix_vectors(&t->matrix);
    t->pack.fast = t->unpack.fast = !plain && num_has_avx2();
}

/* ---- conditions of the latched waits ---- */

/* With time: the mover has ended a transfer and starts the next one in this cycle: an XMOV at its gate, or TDMA-RISC's move. There is
   no cycle without requests between the two. */
COLD static bool coproc_mover_goes_on(const struct coproc *t)
{
    if (t->mover.queued)
        return true;
    for (unsigned i = 0; i < COPROC_THREADS; i++) {
        const struct queue *q = &t->fe[i].q3;
        if (q->n && q->slot[q->head].op == TENSIX_OP_XMOV &&
            !gate_catches(&t->gate[i], TENSIX_OP_XMOV) && !scalar_blocks(&t->scalar, i, t->now) &&
            !unpack_blocks(&t->unpack, i, t->now))
            return true;
    }
    return false;
}

/* C9: requests of the mover are outstanding. */
static bool coproc_mover_holds(const struct coproc *t)
{
    return mover_busy(&t->mover, t->now) ||
           (t->now == t->mover.done_at && t->now && !t->vector.untimed && coproc_mover_goes_on(t));
}

/* Does condition Ci hold thread i back in this cycle? Ledger key, 0 if not. */
HOT_INLINE uint16_t coproc_condition(const struct coproc *t, unsigned thread, unsigned c)
{
    uint64_t now = t->now;
    const struct src *s = &t->src;
    bool hold;
    unsigned owner;
    switch (c) {
    case 0:
        hold = scalar_outstanding(&t->scalar, thread, now);
        owner = OWNER_SCALAR;
        break;
    case 1:
    case 2:
        hold = t->unpack.u[c - 1].in_flight[thread];
        owner = OWNER_UNPACK0 + c - 1;
        break;
    case 3:
        hold = pack_busy(&t->pack, thread, now);
        owner = OWNER_PACK;
        break;
    case 4:
        hold = matrix_busy(&t->matrix, thread, now);
        owner = OWNER_MATRIX;
        break;
    case 5:
    case 6:
        hold = !src_unpack_ready(s, c - 5);
        owner = OWNER_MATRIX;
        break;
    case 7:
    case 8:
        hold = s->owner[c - 7][s->matrix_bank[c - 7]] != SRC_MATRIX;
        owner = OWNER_UNPACK0 + c - 7;
        break;
    case 9:
        hold = coproc_mover_holds(t);
        owner = OWNER_MOVER;
        break;
    case 10:
        hold = t->config.request[thread].pending && t->config.request[thread].made < now;
        owner = OWNER_CORE_T0 + thread;
        break;
    case 11:
        hold = vector_busy(&t->vector, thread, now);
        owner = OWNER_VECTOR;
        break;
    default:
        hold = t->config.n_busy;
        owner = OWNER_CONFIG;
        break;
    }
    return hold ? ledger_key(WAIT_C0_THCON + c, owner) : 0;
}

_Static_assert(WAIT_C12_CFGEXU == WAIT_C0_THCON + 12, "the causes of C0..C12 stand in a row");

/* First condition of the mask that holds; 0 if all are met. */
uint16_t coproc_conditions(const struct coproc *t, unsigned thread, unsigned mask)
{
    for (; mask; mask &= mask - 1) {
        uint16_t key = coproc_condition(t, thread, bits_lowest(mask));
        if (key)
            return key;
    }
    return 0;
}

static uint16_t coproc_test_stream(const struct coproc *t, unsigned thread, const struct gate *g)
{
    unsigned id = t->config.thread[thread][THCONFIG_STREAM_ID + g->stream_sel] % STREAM_COUNT;
    return t->stream.reg[id][g->stream_reg] < g->target ? ledger_key(WAIT_STREAM, OWNER_STREAM) : 0;
}

/* What still keeps the latched wait; 0 if its condition is met in this cycle. */
uint16_t coproc_test_latch(const struct coproc *t, unsigned thread)
{
    const struct gate *g = &t->gate[thread];
    switch (g->latched) {
    case GATE_STALLWAIT: return coproc_conditions(t, thread, g->conditions);
    case GATE_SEMWAIT: return sync_test(&t->sync, g->sem_mask, g->sem_cond);
    default: return coproc_test_stream(t, thread, g);
    }
}

/* ---- step 2: the gates decide ---- */

/* The rules that hold a thread whatever it wants to do: its latch, its own earlier instructions. */
COLD static void coproc_decide_held(struct coproc *t, unsigned thread, const struct op *op,
                                    struct decision *d)
{
    struct gate *g = &t->gate[thread];
    uint16_t latch = 0;
    if (g->latched) {
        latch = coproc_test_latch(t, thread);
        d->unlatch = !latch;
    }
    if (!d->e)
        return;
    if (gate_catches(g, d->e->op) && (t->timing.n.GATE_RELEASE_LAG || !d->unlatch)) {
        g->held = true;
        d->key = latch ? latch : ledger_key(WAIT_RELEASE_LAG, OWNER_GATE);
    } else if (op->unit != TENSIX_UNIT_SCALAR && scalar_blocks(&t->scalar, thread, t->now)) {
        d->key = ledger_key(WAIT_THCON_BLOCKS, OWNER_SCALAR);
    } else if (unpack_blocks(&t->unpack, thread, t->now)) {
        d->key = ledger_key(WAIT_UNPACK_ADDR, OWNER_UNPACK0 + unpack_which(t->unpack.last_word));
    }
}

HOT_INLINE void coproc_decide(struct coproc *t, unsigned thread, struct decision *d)
{
    d->e = frontend_head(&t->fe[thread]);
    d->key = KEY_GO;
    d->port = PORT_NONE;
    d->unlatch = false;
    const struct op *op = d->e ? &op_table[d->e->op] : NULL;
    if (t->gate[thread].latched || t->scalar.exec.busy || t->now < t->unpack.block_end)
        coproc_decide_held(t, thread, op, d);
    if (!d->e)
        d->key = ledger_key(frontend_bubble(&t->fe[thread]), OWNER_NONE);
    else if (d->key == KEY_GO)
        d->key = coproc_check_unit(t, thread, op->unit, d);
    if (d->key != KEY_GO)
        d->port = PORT_NONE;
}

/* A CFGSHIFTMASK gives way to whoever enters the Config pipe one stage before it. */
static void coproc_yield_shiftmask(struct decision d[COPROC_THREADS])
{
    bool entering = false;
    for (unsigned i = 0; i < COPROC_THREADS; i++)
        entering |= d[i].port == PORT_CONFIG + CONFIG_M1;
    for (unsigned i = 0; entering && i < COPROC_THREADS; i++)
        if (d[i].port == PORT_CONFIG + CONFIG_S0 && d[i].e->op == TENSIX_OP_CFGSHIFTMASK) {
            d[i].key = ledger_key(WAIT_CONFIG_PIPE, OWNER_CONFIG);
            d[i].port = PORT_NONE;
        }
}

/* Serves one of the requesters of a port, the others wait. */
static unsigned coproc_serve_port(struct coproc *t, struct decision d[COPROC_THREADS],
                                  unsigned port, unsigned mask, unsigned n)
{
    unsigned winner = arbiter_pick(&t->arbiter, port, mask, n);
    unsigned owner =
        winner < COPROC_THREADS ? OWNER_T0 + winner : OWNER_CORE_T0 + winner - COPROC_THREADS;
    for (unsigned i = 0; i < COPROC_THREADS; i++)
        if ((mask >> i) & 1) {
            d[i].port = PORT_NONE;
            if (i != winner)
                d[i].key = ledger_key(WAIT_ARBITRATION, owner);
        }
    return winner;
}

/* The sync group: three threads and the cores' window writes. */
static void coproc_serve_sync(struct coproc *t, struct decision d[COPROC_THREADS])
{
    unsigned mask = 0;
    for (unsigned i = 0; i < COPROC_THREADS; i++)
        mask |= (unsigned)(d[i].port == PORT_SYNC) << i;
    for (unsigned i = 0; i < SYNC_CORES; i++)
        mask |= (unsigned)t->sync.request[i].pending << (COPROC_THREADS + i);
    t->sync_winner = (uint8_t)coproc_serve_port(t, d, PORT_SYNC, mask, COPROC_THREADS + SYNC_CORES);
}

/* One requester per port and cycle; ports: bit per port that is wanted. */
static void coproc_arbitrate(struct coproc *t, struct decision d[COPROC_THREADS], uint32_t ports)
{
    if (ports >> PORT_CONFIG)
        coproc_yield_shiftmask(d);
    if (t->sync.n_requests || ports & 1u << PORT_SYNC)
        coproc_serve_sync(t, d);
    for (unsigned i = 0; i < COPROC_THREADS; i++) {
        unsigned port = d[i].port, mask = 1u << i;
        if (port == PORT_NONE)
            continue;
        for (unsigned j = i + 1; j < COPROC_THREADS; j++)
            mask |= (unsigned)(d[j].port == port) << j;
        coproc_serve_port(t, d, port, mask, COPROC_THREADS);
    }
}

/* ---- step 4: units finish the cycle ---- */

/* FLUSHDMA ends in the first cycle in which none of its conditions holds. */
static void coproc_test_flush(struct coproc *t)
{
    struct scalar_op *o = &t->scalar.exec;
    struct ledger *l = &t->ledger[OWNER_SCALAR];
    uint32_t mask = tensix_FLUSHDMA_decode(o->e.word).flush_spec;
    mask = mask ? mask : GATE_DEFAULT_CONDITIONS;
    uint16_t key = coproc_conditions(t, o->thread, mask & 14);
    if (mask & 1 && t->now < t->scalar.memory_until[o->thread])
        key = ledger_key(WAIT_UNIT_FLUSH, OWNER_SCALAR);
    if (key) {
        ledger_note(l, t->now, ledger_key(WAIT_UNIT_FLUSH, key & 0xff));
    } else {
        ledger_note(l, t->now, ledger_key(WAIT_PROGRESS, OWNER_NONE));
        o->end = t->now;
        t->busy_to[OWNER_SCALAR] = t->now + 1;
    }
}

struct scalar_io coproc_scalar_io(struct coproc *t, bool thcon_taken)
{
    return (struct scalar_io){.gpr = &t->gpr,
                              .config = &t->config,
                              .adc = &t->adc,
                              .src = &t->src,
                              .l1 = &t->l1,
                              .meta = &t->packmeta,
                              .probe = &t->probe,
                              .thcon_taken = thcon_taken};
}

bool coproc_clock_scalar(struct coproc *t, bool thcon_taken)
{
    struct scalar_io io = coproc_scalar_io(t, thcon_taken);
    return scalar_clock(&t->scalar, &io, t->now);
}

/* Last cycle of a memory instruction, if what it needs is there: a value in L1, a bank of Src. */
static void coproc_try_memory(struct coproc *t)
{
    struct scalar_io io = coproc_scalar_io(t, false);
    struct ledger *l = &t->ledger[OWNER_SCALAR];
    struct scalar_op *o = &t->scalar.exec;
    if (scalar_try(&t->scalar, &io, t->now)) {
        if (o->waits)
            ledger_note(l, t->now, ledger_key(WAIT_PROGRESS, OWNER_NONE));
        t->busy_to[OWNER_SCALAR] = t->now + 1;
        return;
    }
    o->waits = true;
    ledger_note(l,
                t->now,
                o->end == SCALAR_OPEN ? ledger_key(WAIT_UNIT_SRC_BANK, OWNER_MATRIX)
                                      : ledger_key(WAIT_UNIT_ATOMIC, OWNER_L1));
    t->busy_to[OWNER_SCALAR] = UINT64_MAX;
}

/* An unpacker stands idle, moves data, or waits for its bank. */
static void coproc_note_unpackers(struct coproc *t)
{
    for (unsigned i = 0; i < 2; i++) {
        const struct unpacker *u = &t->unpack.u[i];
        uint16_t key = ledger_key(WAIT_IDLE, OWNER_NONE);
        if (u->n)
            key = u->waiting ? ledger_key(WAIT_UNIT_SRC_BANK, OWNER_MATRIX)
                             : ledger_key(WAIT_PROGRESS, OWNER_NONE);
        if (ledger_note(&t->ledger[OWNER_UNPACK0 + i], t->now, key) && u->n && u->waiting &&
            probe_wants(&t->probe, EV_UNIT_WAIT)) {
            const struct unpack_op *o = &u->op[u->head];
            struct event e = {.kind = EV_UNIT_WAIT,
                              .agent = (uint8_t)(OWNER_UNPACK0 + i),
                              .cause = WAIT_UNIT_SRC_BANK,
                              .owner = OWNER_MATRIX,
                              .tag = o->e.tag,
                              .word = o->e.word};
            probe_send(&t->probe, &e);
        }
    }
}

/* Start of the cycle in the unpackers. */
static bool coproc_begin_unpackers(struct coproc *t)
{
    const struct unpacker *u = t->unpack.u;
    bool moved = (unpack_wants(&u[0], t->now) || unpack_wants(&u[1], t->now)) &&
                 unpack_begin(&t->unpack, &t->src, t->now);
    unsigned noted = 0;
    for (unsigned i = 0; i < 2; i++)
        if (u[i].n)
            noted |= (u[i].waiting ? 3u : 1u) << 2 * i;
    if (noted != t->unpack_noted)
        coproc_note_unpackers(t);
    t->unpack_noted = (uint8_t)noted;
    return moved;
}

static bool coproc_clock_units(struct coproc *t, bool config_open)
{
    bool moved = false;
    if (t->config.n_requests)
        moved |= config_clock_requests(&t->config, &t->gpr, t->now, config_open, &t->probe);
    bool thcon_taken = config_writes_thcon(&t->config);
    if (t->config.n_busy) {
        coproc_occupy(t, OWNER_CONFIG, t->now, t->now + 1);
        moved |= config_clock(
            &t->config, &t->gpr, &t->stream, scalar_writes_gpr(&t->scalar, t->now), &t->probe);
    }
    if (scalar_holds(&t->scalar))
        moved |= coproc_clock_scalar(t, thcon_taken);
    if (unpack_ends(&t->unpack.u[0], t->now) || unpack_ends(&t->unpack.u[1], t->now)) {
        struct unpack_io io = coproc_unpack_io(t);
        moved |= unpack_clock(&t->unpack, &io, t->now) != 0;
    }
    if (pack_holds(&t->pack)) {
        struct pack_io io = coproc_pack_io(t);
        moved |= pack_clock(&t->pack, &io, t->now);
    }
    if (t->src.n)
        moved |= src_clock(&t->src, t->now, &t->probe);
    if (coproc_vector_ticks(t)) {
        struct vector_io io = coproc_vector_io(t, t->vector.thread);
        coproc_occupy(t, OWNER_VECTOR, t->now, t->now + 1);
        vector_clock(&t->vector, &io, t->now);
        moved = true;
    }
    return moved;
}

/* ---- the cycle ---- */

/* The packer reads Dst before anybody writes it in this cycle, whichever thread that is. */
static void coproc_start_packer(struct coproc *t, const struct decision d[COPROC_THREADS])
{
    for (unsigned i = 0; i < COPROC_THREADS; i++)
        if (d[i].key == KEY_GO && op_table[d[i].e->op].unit == TENSIX_UNIT_PACK)
            coproc_start_pack(t, i, d[i].e, t->now, COPROC_BOOKED);
}

static bool coproc_step_gates(struct coproc *t)
{
    bool moved = false;
    uint32_t ports = 0, clash = t->sync.n_requests;
    struct decision d[COPROC_THREADS];
    for (unsigned i = 0; i < COPROC_THREADS; i++) {
        coproc_decide(t, i, &d[i]);
        uint32_t port = UINT32_C(1) << d[i].port;
        clash |= ports & port;
        ports |= port & ~UINT32_C(1); /* PORT_NONE takes everybody */
    }
    if (clash || ports >> PORT_CONFIG)
        coproc_arbitrate(t, d, ports);
    if (ports >> PORT_PACK & 1)
        coproc_start_packer(t, d);
    for (unsigned i = 0; i < COPROC_THREADS; i++) {
        coproc_note_thread(t, i, &d[i]);
        if (d[i].unlatch) {
            gate_unlatch(&t->gate[i], i, t->now, &t->probe);
            moved = true;
        }
        if (d[i].key == KEY_GO) {
            arbiter_serve(&t->arbiter, d[i].port, i);
            coproc_go(t, i, d[i].e, op_table[d[i].e->op].unit, COPROC_BOOKED);
            moved = true;
        }
    }
    return moved;
}

static bool coproc_serve_cores(struct coproc *t)
{
    bool moved = false;
    for (unsigned i = 0; i < SYNC_CORES; i++) {
        struct sync_request *r = &t->sync.request[i];
        r->taken = false;
        if (r->pending && t->sync_winner == COPROC_THREADS + i) {
            sync_serve(&t->sync, i, t->now, &t->probe);
            if (!t->now)
                coproc_occupy_again(t, OWNER_SYNC, t->now);
            coproc_occupy(t, OWNER_SYNC, t->now, t->now + 1);
            moved = true;
        }
        r->pending = false;
    }
    t->sync.n_requests = 0;
    t->sync_served = moved;
    return moved;
}

bool coproc_step(struct coproc *t)
{
    bool moved = false;
    bool config_open = t->config.n_requests && config_can_enter(&t->config, CONFIG_S0);
    t->probe.now = t->now;
    if (t->unpack.u[0].n | t->unpack.u[1].n | t->unpack_noted)
        moved |= coproc_begin_unpackers(t);
    if (scalar_flushing(&t->scalar, t->now))
        coproc_test_flush(t);
    if (scalar_trying(&t->scalar, t->now))
        coproc_try_memory(t);
    moved |= coproc_step_gates(t);
    if (t->sync.n_requests | t->sync_served)
        moved |= coproc_serve_cores(t);
    if (t->config.n_requests | t->config.n_busy | scalar_holds(&t->scalar) | t->unpack.u[0].n |
        t->unpack.u[1].n | t->src.n | pack_holds(&t->pack) | coproc_vector_ticks(t))
        moved |= coproc_clock_units(t, config_open);
    for (struct frontend *f = t->fe; f < t->fe + COPROC_THREADS; f++) {
        moved |= frontend_clock(f, &t->probe) | f->n_in;
        frontend_end_cycle(f);
    }
    t->now++;
    return moved;
}

/* ---- without time ---- */

static void coproc_later(uint64_t *now, uint64_t at)
{
    if (at > *now)
        *now = at;
}

/* Jumps behind everything that is only a matter of time. */
void coproc_pass_time(struct coproc *t)
{
    for (unsigned i = 0; i < COPROC_THREADS; i++) {
        coproc_later(&t->now, t->pack.done_at[i]);
        coproc_later(&t->now, t->scalar.memory_until[i]);
    }
    coproc_later(&t->now, t->matrix.done_at);
    coproc_later(&t->now, t->matrix.closed_end);
    coproc_later(&t->now, t->dst.last_ready);
    coproc_later(&t->now, t->vector.done_at);
    coproc_later(&t->now, t->vector.swap_end);
    coproc_later(&t->now, t->mover.done_at);
    coproc_later(&t->now, t->unpack.block_end);
    coproc_later(&t->now, t->unpack.issue_at);
}

bool coproc_drain(struct coproc *t)
{
    bool any = false, moved = true;
    WATCH(watch);
    while (moved) {
        PROGRESS(watch, 0, COPROC_SETTLES);
        coproc_pass_time(t);
        bool open = t->config.n_requests && config_can_enter(&t->config, CONFIG_S0);
        moved = false;
        t->probe.now = t->now;
        for (unsigned i = 0; i < 2; i++) /* what moves data has moved it */
            coproc_later(&t->now, unpack_due(&t->unpack.u[i]));
        if (t->unpack.u[0].n | t->unpack.u[1].n)
            moved |= coproc_begin_unpackers(t);
        if (scalar_flushing(&t->scalar, t->now))
            coproc_test_flush(t);
        if (t->scalar.exec.busy && t->scalar.exec.end != SCALAR_OPEN)
            coproc_later(&t->now, t->scalar.exec.end);
        if (scalar_trying(&t->scalar, t->now))
            coproc_try_memory(t);
        moved |= coproc_clock_units(t, open);
        t->now += moved;
        any |= moved;
    }
    return any;
}

void coproc_drop_pushed(struct coproc *t, unsigned thread)
{
    struct frontend *f = &t->fe[thread];
    t->stuck = false;
    f->tracked = (uint8_t)(f->tracked - f->q1.n - (mop_expands(&f->mop) ? 1 : 0));
    f->q1.n = 0;
    f->n_in = 0;
    f->n_mop_cfg = 0;
    f->mop.active = f->mop.starting = false;
    f->mop.transition = f->mop.pause = 0;
}

/* ---- skipping ---- */

static void coproc_sooner(uint64_t *next, uint64_t at, uint64_t now)
{
    if (at >= now && at < *next)
        *next = at;
}

static uint64_t coproc_next(const struct coproc *t, bool with_scalar)
{
    uint64_t now = t->now, next = unpack_next(&t->unpack, now);
    const struct scalar_op *exec = &t->scalar.exec;
    if (t->config.n_busy || t->scalar.stage.busy || now <= t->dst.last_ready ||
        now <= t->matrix.closed_end || coproc_vector_ticks(t))
        return now; /* a few cycles at most */
    if (exec->busy && with_scalar) {
        coproc_sooner(&next, exec->end, now); /* SCALAR_OPEN is never sooner */
        coproc_sooner(&next, exec->start + 1, now);
    }
    if (t->src.n)
        coproc_sooner(&next, t->src.flip[t->src.head].due, now);
    for (unsigned i = 0; i < CONFIG_CORES; i++)
        if (t->config.request[i].pending) {
            uint64_t at = t->config.request[i].arrives;
            coproc_sooner(&next, at > now ? at : now, now);
        }
    for (unsigned i = 0; i < COPROC_THREADS; i++)
        coproc_sooner(&next, t->scalar.memory_until[i], now);
    coproc_sooner(&next, scalar_next_load(&t->scalar), now);
    coproc_sooner(&next, pack_next(&t->pack, now), now);
    coproc_sooner(&next, t->matrix.done_at, now);
    coproc_sooner(&next, t->vector.done_at, now);
    coproc_sooner(&next, t->vector.swap_end, now);
    coproc_sooner(&next, t->mover.done_at, now);
    coproc_sooner(&next, t->unpack.issue_at, now);
    return next;
}

uint64_t coproc_quiet_until(const struct coproc *t)
{
    return coproc_next(t, true);
}

bool coproc_retries(const struct coproc *t)
{
    const struct scalar_op *o = &t->scalar.exec;
    return o->busy && o->waits && o->end == t->now - 1 + scalar_cycles(&t->scalar, &o->e) &&
           coproc_next(t, false) == COPROC_NEVER;
}

bool coproc_still(struct coproc *t, uint64_t before)
{
    const struct scalar_op *o = &t->scalar.exec;
    if (coproc_next(t, false) != COPROC_NEVER)
        return false;
    if (!o->busy || o->end == SCALAR_OPEN)
        return true;
    if (!o->memory || o->start + scalar_cycles(&t->scalar, &o->e) >= before)
        return false;
    struct scalar_io io = coproc_scalar_io(t, false);
    return !scalar_is_atomic(o) || scalar_waits(&t->scalar, &io);
}

bool coproc_tries_again(const struct coproc *t)
{
    const struct scalar_op *o = &t->scalar.exec;
    return o->busy && o->waits && o->end != SCALAR_OPEN && coproc_next(t, false) == COPROC_NEVER;
}

void coproc_skip(struct coproc *t, uint64_t to)
{
    if (to > t->now)
        t->now = to;
}

bool coproc_thread_idle(const struct coproc *t, unsigned i)
{
    return frontend_empty(&t->fe[i]) && !matrix_busy(&t->matrix, i, t->now) &&
           !vector_busy(&t->vector, i, t->now) && !pack_busy(&t->pack, i, t->now) &&
           !scalar_outstanding(&t->scalar, i, t->now) && !t->unpack.u[0].in_flight[i] &&
           !t->unpack.u[1].in_flight[i] && !config_in_flight(&t->config, i) &&
           !(mover_busy(&t->mover, t->now) && t->mover.thread == i);
}

bool coproc_idle(const struct coproc *t)
{
    if (t->src.n || pack_holds(&t->pack) || t->config.n_requests || t->config.n_busy ||
        t->sync.n_requests)
        return false;
    for (unsigned i = 0; i < COPROC_THREADS; i++)
        if (!coproc_thread_idle(t, i))
            return false;
    return true;
}

void coproc_settle(struct coproc *t)
{
    for (unsigned i = 0; i < COPROC_THREADS; i++)
        if (t->gate[i].latched && frontend_empty(&t->fe[i]))
            probe_diag(
                &t->probe, DIAG_STILL_LATCHED, OWNER_T0 + i, t->gate[i].tag, t->gate[i].word, 0);
    if (t->vector.macro.n)
        probe_diag(
            &t->probe, DIAG_MACRO_LEFT, OWNER_T0 + t->vector.thread, 0, 0, t->vector.macro.n);
    for (unsigned i = OWNER_SYNC; i < N_AGENTS; i++)
        if (i != OWNER_UNPACK0 && i != OWNER_UNPACK1 && t->busy_to[i] < t->now)
            ledger_note(&t->ledger[i], t->busy_to[i], ledger_key(WAIT_IDLE, OWNER_NONE));
    for (unsigned i = 0; i < N_AGENTS; i++)
        ledger_settle(&t->ledger[i], t->now);
    for (unsigned i = 0; t->blame_on && i < COPROC_THREADS; i++)
        coproc_blame(t, i, t->blamed[i].key, t->blamed[i].tag);
}

bool coproc_thread_wait(const struct coproc *t, unsigned thread, struct wait_record *out)
{
    const struct frontend *f = &t->fe[thread];
    const struct ledger *l = &t->ledger[OWNER_T0 + thread];
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
