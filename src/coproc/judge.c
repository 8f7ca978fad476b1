/*
 * judge.c - the parts of judge.h that do not run in every cycle: the thirteen conditions, the latch, ports that several want.
 *
 * ISA pages: STALLWAIT (conditions), TensixCoprocessor/README (arbitration).
 *
 * Inaccuracies: see the units.
 */
#include "coproc/judge.h"

#include "base/bits.h"
#include "isa/tensix.h"

_Static_assert(WAIT_PROGRESS == 0 && OWNER_T0 == 0, "a check that returns 0 means: may go");

uint16_t judge_config(const struct coproc *cp, struct decision *d)
{
    unsigned stage = config_entry(d->e->op);
    if (stage == N_CONFIG_STAGES)
        return 0;
    d->port = (uint8_t)(PORT_CONFIG + stage);
    return config_can_enter(&cp->config, stage) ? 0 : wait_key(WAIT_CONFIG_PIPE, OWNER_CONFIG);
}

uint16_t judge_sync(const struct coproc *cp, unsigned thread, struct decision *d)
{
    if (d->e->op != TENSIX_OP_ATGETM && d->e->op != TENSIX_OP_ATRELM) {
        d->port = PORT_SYNC;
        return 0;
    }
    uint16_t key = sync_check_mutex(&cp->sync, thread, d->e);
    if (!key)
        d->port = (uint8_t)(PORT_MUTEX + tensix_ATGETM_decode(d->e->word).mutex_index);
    return key;
}

/* ---- conditions of the latched waits ---- */

/* With time: the mover has ended a transfer and starts the next one in this cycle: an XMOV at its gate, or TDMA-RISC's move. There is
   no cycle without requests between the two. */
COLD static bool judge_mover_goes_on(const struct coproc *cp)
{
    if (cp->mover.queued)
        return true;
    for (unsigned i = 0; i < COPROC_THREADS; i++) {
        const struct queue *q = &cp->fe[i].q3;
        if (q->n && q->slot[q->head].op == TENSIX_OP_XMOV &&
            !gate_catches(&cp->gate[i], TENSIX_OP_XMOV) &&
            !scalar_blocks(&cp->scalar, i, cp->now) && !unpack_blocks(&cp->unpack, i, cp->now))
            return true;
    }
    return false;
}

/* C9: requests of the mover are outstanding. */
static bool judge_mover_holds(const struct coproc *cp)
{
    return mover_busy(&cp->mover, cp->now) || (cp->now == cp->mover.done_at && cp->now &&
                                               !cp->vector.untimed && judge_mover_goes_on(cp));
}

/* Does condition Ci hold thread i back in this cycle? Ledger key, 0 if not. */
HOT_INLINE uint16_t judge_condition(const struct coproc *cp, unsigned thread, unsigned c)
{
    uint64_t now = cp->now;
    const struct src *s = &cp->src;
    bool hold;
    unsigned owner;
    switch (c) {
    case 0:
        hold = scalar_outstanding(&cp->scalar, thread, now);
        owner = OWNER_SCALAR;
        break;
    case 1:
    case 2:
        hold = cp->unpack.u[c - 1].in_flight[thread];
        owner = OWNER_UNPACK0 + c - 1;
        break;
    case 3:
        hold = pack_busy(&cp->pack, thread, now);
        owner = OWNER_PACK;
        break;
    case 4:
        hold = matrix_busy(&cp->matrix, thread, now);
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
        hold = judge_mover_holds(cp);
        owner = OWNER_MOVER;
        break;
    case 10:
        hold = cp->config.request[thread].pending && cp->config.request[thread].made < now;
        owner = OWNER_CORE_T0 + thread;
        break;
    case 11:
        hold = vector_busy(&cp->vector, thread, now);
        owner = OWNER_VECTOR;
        break;
    default:
        hold = cp->config.n_busy;
        owner = OWNER_CONFIG;
        break;
    }
    return hold ? wait_key(WAIT_C0_THCON + c, owner) : 0;
}

_Static_assert(WAIT_C12_CFGEXU == WAIT_C0_THCON + 12, "the causes of C0..C12 stand in a row");

uint16_t judge_conditions(const struct coproc *cp, unsigned thread, unsigned mask)
{
    for (; mask; mask &= mask - 1) {
        uint16_t key = judge_condition(cp, thread, bits_lowest(mask));
        if (key)
            return key;
    }
    return 0;
}

static uint16_t judge_stream(const struct coproc *cp, unsigned thread, const struct gate *g)
{
    unsigned id = cp->config.thread[thread][THCONFIG_STREAM_ID + g->stream_sel] % STREAM_COUNT;
    return cp->stream.reg[id][g->stream_reg] < g->target ? wait_key(WAIT_STREAM, OWNER_STREAM) : 0;
}

uint16_t judge_latch(const struct coproc *cp, unsigned thread)
{
    const struct gate *g = &cp->gate[thread];
    switch (g->latched) {
    case GATE_STALLWAIT: return judge_conditions(cp, thread, g->conditions);
    case GATE_SEMWAIT: return sync_test(&cp->sync, g->sem_mask, g->sem_cond);
    default: return judge_stream(cp, thread, g);
    }
}

/* ---- step 2: the gates decide ---- */

COLD void judge_held(struct coproc *cp, unsigned thread, const struct op *op, struct decision *d)
{
    struct gate *g = &cp->gate[thread];
    uint16_t latch = 0;
    if (g->latched) {
        latch = judge_latch(cp, thread);
        d->unlatch = !latch;
    }
    if (!d->e)
        return;
    if (gate_catches(g, d->e->op) && (cp->timing.n.GATE_RELEASE_LAG || !d->unlatch)) {
        g->held = true;
        d->key = latch ? latch : wait_key(WAIT_RELEASE_LAG, OWNER_GATE);
    } else if (op->unit != TENSIX_UNIT_SCALAR && scalar_blocks(&cp->scalar, thread, cp->now)) {
        d->key = wait_key(WAIT_THCON_BLOCKS, OWNER_SCALAR);
    } else if (unpack_blocks(&cp->unpack, thread, cp->now)) {
        d->key = wait_key(WAIT_UNPACK_ADDR, OWNER_UNPACK0 + unpack_which(cp->unpack.last_word));
    }
}

/* A CFGSHIFTMASK gives way to whoever enters the Config pipe one stage before it. */
static void judge_yield_shiftmask(struct decision d[COPROC_THREADS])
{
    bool entering = false;
    for (unsigned i = 0; i < COPROC_THREADS; i++)
        entering |= d[i].port == PORT_CONFIG + CONFIG_M1;
    for (unsigned i = 0; entering && i < COPROC_THREADS; i++)
        if (d[i].port == PORT_CONFIG + CONFIG_S0 && d[i].e->op == TENSIX_OP_CFGSHIFTMASK) {
            d[i].key = wait_key(WAIT_CONFIG_PIPE, OWNER_CONFIG);
            d[i].port = PORT_NONE;
        }
}

/* Serves one of the requesters of a port, the others wait. */
static unsigned judge_serve_port(struct coproc *cp, struct decision d[COPROC_THREADS],
                                 unsigned port, unsigned mask, unsigned n)
{
    unsigned winner = arbiter_pick(&cp->arbiter, port, mask, n);
    unsigned owner =
        winner < COPROC_THREADS ? OWNER_T0 + winner : OWNER_CORE_T0 + winner - COPROC_THREADS;
    for (unsigned i = 0; i < COPROC_THREADS; i++)
        if ((mask >> i) & 1) {
            d[i].port = PORT_NONE;
            if (i != winner)
                d[i].key = wait_key(WAIT_ARBITRATION, owner);
        }
    return winner;
}

/* The sync group: three threads and the cores' window writes. */
static void judge_serve_sync(struct coproc *cp, struct decision d[COPROC_THREADS])
{
    unsigned mask = 0;
    for (unsigned i = 0; i < COPROC_THREADS; i++)
        mask |= (unsigned)(d[i].port == PORT_SYNC) << i;
    for (unsigned i = 0; i < SYNC_CORES; i++)
        mask |= (unsigned)cp->sync.request[i].pending << (COPROC_THREADS + i);
    cp->sync_winner =
        (uint8_t)judge_serve_port(cp, d, PORT_SYNC, mask, COPROC_THREADS + SYNC_CORES);
}

void judge_ports(struct coproc *cp, struct decision d[COPROC_THREADS], uint32_t ports)
{
    if (ports >> PORT_CONFIG)
        judge_yield_shiftmask(d);
    if (cp->sync.n_requests || ports & 1u << PORT_SYNC)
        judge_serve_sync(cp, d);
    for (unsigned i = 0; i < COPROC_THREADS; i++) {
        unsigned port = d[i].port, mask = 1u << i;
        if (port == PORT_NONE)
            continue;
        for (unsigned j = i + 1; j < COPROC_THREADS; j++)
            mask |= (unsigned)(d[j].port == port) << j;
        judge_serve_port(cp, d, port, mask, COPROC_THREADS);
    }
}
