/*
 * rush_unit.c - the coprocessor, untimed, from the gate on: how words go to each unit, and the time that passes until they
 * have left nothing behind.
 *
 * Most words take a short way through functions that do at once what their unit does in cycles. A word that may wait, or is rare,
 * is started as in a clocked run and then drained.
 *
 * Invariant: nothing is in flight between two words but unpackers that wait for their bank.
 *
 * Inaccuracies: those of rush.c.
 */
#include "coproc/rush.h"

#include "base/hot.h"
#include "base/watch.h"
#include "isa/tensix.h"

#define RUSH_MATRIX 8u /* cycles after which a Matrix instruction has left nothing behind */
_Static_assert(1 + T_DST_WINDOW <= RUSH_MATRIX, "also in Dst");

static void rush_to(struct coproc *cp, uint64_t at)
{
    if (at > cp->now)
        cp->now = at;
}

void rush_unit_order(struct coproc *cp, unsigned thread, unsigned conditions)
{
    struct order *o = &cp->order;
    for (unsigned u = 0; u < 2; u++) {
        if (conditions >> (1 + u) & 1)
            order_later(&o->at[thread], o->through[u]);
        if (conditions >> (7 + u) & 1)
            order_later(&o->at[thread], o->given[u][cp->src.matrix_bank[u]]);
    }
}

/* Unpackers move all that they have banks for. */
static void rush_unpackers(struct coproc *cp)
{
    const struct unpacker *u = cp->unpack.u;
    rush_to(cp, cp->unpack.issue_at + cp->unpack.pipe); /* the youngest may start */
    if (unpack_stands(&u[0], &cp->src, 0) && unpack_stands(&u[1], &cp->src, 1))
        return;
    struct unpack_io io = wires_unpack(cp);
    unpack_drain(&cp->unpack, &io);
}

void rush_unit_drain(struct coproc *cp)
{
    if (cp->config.n_busy | cp->config.n_requests | scalar_holds(&cp->scalar) | cp->src.n |
        pack_holds(&cp->pack)) {
        coproc_drain(cp);
        return;
    }
    coproc_pass_time(cp);
    rush_unpackers(cp);
}

/* Banks have changed hands. */
static void rush_banks(struct coproc *cp)
{
    order_change(&cp->order);
    rush_unpackers(cp);
    if (cp->scalar.exec.busy) /* a store to Src may wait for one */
        coproc_drain(cp);
}

/* The Scalar Unit executes what it has just been given. */
static void rush_scalar(struct coproc *cp)
{
    if (cp->scalar.exec.busy | (cp->scalar.n_loads != 0)) { /* another thread's, which waits */
        coproc_drain(cp);
        return;
    }
    coproc_clock_scalar(cp, false);
    if (cp->scalar.exec.memory || cp->scalar.exec.end == SCALAR_OPEN) {
        coproc_drain(cp);
        return;
    }
    rush_to(cp, cp->scalar.exec.end);
    coproc_clock_scalar(cp, false);
    cp->now++;
}

/* The Config pipe runs empty. */
static void rush_config(struct coproc *cp)
{
    if (scalar_holds(&cp->scalar)) {
        coproc_drain(cp);
        return;
    }
    WATCH(watch);
    for (; cp->config.n_busy; cp->now++) {
        PROGRESS(watch, 0, COPROC_SETTLES);
        config_clock(&cp->config, &cp->gpr, &cp->stream, false, &cp->probe);
    }
}

/* The word's time passes. Others have nothing in flight, so only its own unit has to finish. */
HOT_INLINE void rush_pass(struct coproc *cp, unsigned unit, unsigned opcode)
{
    cp->now++;
    switch (unit) {
    case TENSIX_UNIT_MATRIX:
        rush_to(cp, cp->matrix.done_at);
        rush_to(cp, cp->matrix.closed_end);
        rush_to(cp, cp->dst.last_ready);
        if (cp->src.n || matrix_traits[opcode] & MATRIX_BANKS) {
            if (cp->src.n)
                rush_to(cp, cp->src.flip[(cp->src.head + cp->src.n - 1u) % SRC_PENDING].due);
            src_clock(&cp->src, cp->now, &cp->probe);
            rush_banks(cp);
        }
        break;
    case TENSIX_UNIT_SYNC: order_change(&cp->order); break;
    case TENSIX_UNIT_UNPACK:
        order_change(&cp->order);
        rush_unpackers(cp);
        break;
    case TENSIX_UNIT_SCALAR:
        order_change(&cp->order);
        rush_scalar(cp);
        break;
    case TENSIX_UNIT_CONFIG: rush_config(cp); break;
    case TENSIX_UNIT_VECTOR:
        rush_to(cp, cp->vector.done_at);
        rush_to(cp, cp->vector.swap_end);
        rush_to(cp, cp->dst.last_ready);
        break;
    case TENSIX_UNIT_MOVER:
        order_change(&cp->order);
        rush_unit_drain(cp);
        break;
    default:
        if (opcode == TENSIX_OP_SETDVALID)
            rush_banks(cp);
        break;
    }
    cp->probe.now = cp->now;
}

/* ---- words to units ---- */

bool rush_unit_finish_vector(struct coproc *cp)
{
    bool any = vector_ticks(&cp->vector);
    struct vector_io io = wires_vector(cp, cp->vector.thread);
    vector_finish(&cp->vector, &io);
    return any;
}

/* The thread that uses the Vector Unit sends a word elsewhere. */
HOT_INLINE void rush_beside(struct coproc *cp, unsigned thread, unsigned unit)
{
    if (thread != cp->vector.thread)
        return;
    if (vector_ticks(&cp->vector))
        issue_vector_beside(cp, thread, unit);
    else
        cp->vector.own += issue_beside_waits(unit) ? VECTOR_REST : 1;
}

/* Before a word goes. */
HOT_INLINE void rush_note(struct coproc *cp, unsigned thread, const struct entry *e, unsigned unit)
{
    if (!LIKELY(cp->noted[e->op]))
        issue_note_op(cp, thread, &op_table[e->op], e);
    if (unit != TENSIX_UNIT_VECTOR)
        rush_beside(cp, thread, unit);
}

/* It has gone. */
HOT_INLINE void rush_gone(struct coproc *cp, unsigned thread, unsigned unit, unsigned opcode)
{
    cp->issued[thread]++;
    cp->last_go[thread] = cp->now;
    rush_pass(cp, unit, opcode);
}

/* A word goes if its unit takes it. unit: op_table's, a constant, so that only the unit's own code is left. */
HOT_INLINE unsigned rush_word(struct coproc *cp, unsigned thread, const struct entry *e,
                              unsigned unit)
{
    struct decision d = {.e = e};
    if (judge_unit(cp, thread, unit, &d))
        return 0;
    rush_note(cp, thread, e, unit);
    issue_start_unit(cp, thread, unit, e, COPROC_UNBOOKED);
    rush_gone(cp, thread, unit, e->op);
    return 1;
}

/* One word, in the common way. */
#define RUSH_WORD(name, unit)                                                                      \
    HOT_APART static unsigned rush_word_##name(                                                    \
        struct coproc *cp, unsigned thread, const struct entry *slot, unsigned index, unsigned n)  \
    {                                                                                              \
        (void)n;                                                                                   \
        return rush_word(cp, thread, &slot[index], TENSIX_UNIT_##unit);                            \
    }

RUSH_WORD(sync, SYNC)
RUSH_WORD(unpack, UNPACK)
RUSH_WORD(matrix, MATRIX)
RUSH_WORD(scalar, SCALAR)
RUSH_WORD(config, CONFIG)
RUSH_WORD(mover, MOVER)
RUSH_WORD(misc, MISC)

/* The wait e is met already, and `next`, the word that comes to the gate behind it, is one that it catches, and no
   expander's: to latch it would change nothing. */
HOT_INLINE bool rush_is_met(const struct coproc *cp, unsigned thread, const struct entry *e,
                            const struct entry *next)
{
    if (!(op_table[next->op].block & gate_block(e->word)))
        return false;
    if (e->op == TENSIX_OP_STALLWAIT)
        return !judge_conditions(cp, thread, gate_conditions(e->word));
    struct tensix_SEMWAIT a = tensix_SEMWAIT_decode(e->word);
    return e->op == TENSIX_OP_SEMWAIT && a.wait_sem_cond && a.sem_sel && a.sem_sel >> 8 == 0 &&
           !sync_test(&cp->sync, a.sem_sel, a.wait_sem_cond);
}

HOT_APART static void rush_latch(struct coproc *cp, unsigned thread, const struct entry *e)
{
    const uint16_t *stream_hi = &cp->config.thread[thread][THCONFIG_PHASE_HI];
    gate_set(&cp->gate[thread], thread, e, cp->now, stream_hi, &cp->probe);
}

/* A wait goes. */
HOT_INLINE void rush_wait(struct coproc *cp, unsigned thread, const struct entry *e,
                          const struct entry *next)
{
    if (!LIKELY(rush_is_met(cp, thread, e, next))) {
        rush_latch(cp, thread, e);
        return;
    }
    if (e->op != TENSIX_OP_STALLWAIT)
        return;
    rush_unit_order(cp, thread, gate_conditions(e->word));
    if (gate_conditions(e->word) & GATE_ADVISED)
        gate_check_advice(gate_block(e->word), gate_conditions(e->word), thread, e, &cp->probe);
}

static void rush_semaphores(struct coproc *cp, unsigned thread, const struct entry *e)
{
    struct order *o = &cp->order;
    sync_start(&cp->sync, thread, e, cp->now, &cp->probe);
    order_change(o);
    if (tensix_SEMINIT_decode(e->word).sem_sel & o->polled)
        order_wake(o, o->now);
}

/* Mutexes may be held; the others go. */
static unsigned rush_to_sync(struct coproc *cp, unsigned thread, const struct entry *slot,
                             unsigned index, unsigned n)
{
    static const struct entry none; /* which nothing catches */
    const struct entry *e = &slot[index];
    if (!LIKELY(cp->noted[e->op]) || e->op == TENSIX_OP_ATGETM || e->op == TENSIX_OP_ATRELM)
        return rush_word_sync(cp, thread, slot, index, n);
    rush_beside(cp, thread, TENSIX_UNIT_SYNC);
    if (gate_is_wait(e->op))
        rush_wait(cp, thread, e, n > 1 ? &slot[(index + 1) % RUSH_RING] : &none);
    else
        rush_semaphores(cp, thread, e);
    rush_gone(cp, thread, TENSIX_UNIT_NONE, 0);
    return 1;
}

/* An UNPACR has gone that moves its data at once. A thread is ahead of an unpacker by what fits into its queue. */
HOT_INLINE void rush_inside(struct order *o, unsigned thread, const struct entry *e)
{
    unsigned u = unpack_which(e->word);
    if (o->through[u] > o->inside[u])
        order_later(&o->at[thread], o->through[u] - o->inside[u]);
    if (tensix_UNPACR_decode(e->word).set_dat_valid)
        order_change(o);
}

/* Many have their bank and move their data at once. */
static unsigned rush_to_unpack(struct coproc *cp, unsigned thread, const struct entry *slot,
                               unsigned index, unsigned n)
{
    const struct entry *e = &slot[index];
    if (!LIKELY(cp->noted[e->op]) || vector_ticks(&cp->vector) ||
        !unpack_is_free(&cp->unpack, &cp->src, e))
        return rush_word_unpack(cp, thread, slot, index, n);
    struct unpack_io io = wires_unpack(cp);
    rush_beside(cp, thread, TENSIX_UNIT_UNPACK);
    unpack_do(&cp->unpack, &io, thread, e);
    rush_gone(cp, thread, TENSIX_UNIT_NONE, 0);
    rush_inside(&cp->order, thread, e);
    return 1;
}

/* May it go in a row? Not if it does more than matrix_run(), or hands over a bank. */
HOT_INLINE bool rush_in_row(const struct coproc *cp, const struct entry *e)
{
    return op_table[e->op].unit == TENSIX_UNIT_MATRIX && cp->noted[e->op] &&
           !(matrix_traits[e->op] & (MATRIX_BANKS | MATRIX_HISTOGRAM));
}

/* Words of a row go so long behind each other that none is in the way of the next; so what else may hold them, their
   banks, is looked at once for each opcode. */
static unsigned rush_to_matrix(struct coproc *cp, unsigned thread, const struct entry *slot,
                               unsigned index, unsigned n)
{
    struct matrix_io io = wires_matrix(cp, thread);
    unsigned k = 0, known = 256, went;
    uint64_t now = cp->now;
    WATCH(watch);
    for (; k < n && !cp->vector.macro.n; k += went, now += went * RUSH_MATRIX) {
        PROGRESS(watch, k, 1);
        const struct entry *e = &slot[(index + k) % RUSH_RING];
        if (e->word >> 22 & 3)
            break;
        if (e->op != known && (!rush_in_row(cp, e) || matrix_check(&cp->matrix, &io, e, now)))
            break;
        known = e->op;
        went = 0;
        if (matrix_traits[e->op] & MATRIX_IN_ROWS)
            went = matrix_mul_mvmuls(&cp->matrix, &io, slot, index + k, n - k, now, RUSH_MATRIX);
        if (went)
            continue;
        matrix_run(&cp->matrix, &io, e, matrix_dst_row(&io, e->word), now);
        went = 1;
    }
    if (!k)
        return rush_word_matrix(cp, thread, slot, index, n);
    cp->now = now;
    matrix_use(&cp->matrix, thread);
    if (cp->vector.thread == thread)
        cp->vector.own += k;
    cp->issued[thread] += k;
    return k;
}

/* Which reads Dst with all that is scheduled in it. Behind one that goes nothing holds the next: it is through before,
   and so are the windows of Dst. */
_Static_assert(1 + T_DST_WINDOW <= T_PACK_PIPE, "before the next PACR goes");
static unsigned rush_to_pack(struct coproc *cp, unsigned thread, const struct entry *slot,
                             unsigned index, unsigned n)
{
    const struct entry *e = &slot[index];
    struct pack_io io = wires_pack(cp);
    if (pack_check(&cp->pack, &io, thread, e, cp->now))
        return 0;
    if (vector_ticks(&cp->vector))
        rush_unit_finish_vector(cp);
    unsigned gone = pack_start_many(&cp->pack, &io, thread, slot, index, n, &cp->now);
    if (gone > 1) {
        cp->issued[thread] += gone - 1;
        if (cp->vector.thread == thread)
            cp->vector.own += (gone - 1) * VECTOR_REST;
    }
    if (!gone)
        pack_start(&cp->pack, &io, thread, e, cp->now);
    cp->order.at[thread] += (gone ? gone : 1) * (cp->pack.free_at - cp->now);
    rush_note(cp, thread, e, TENSIX_UNIT_PACK);
    rush_gone(cp, thread, TENSIX_UNIT_PACK, 0);
    rush_to(cp, cp->pack.done_at[thread]);
    if (!gone)
        pack_clock(&cp->pack, &io, cp->now);
    cp->probe.now = cp->now;
    return gone ? gone : 1;
}

void rush_unit_used_vector(struct coproc *cp, unsigned thread, unsigned gone)
{
    vector_use(&cp->vector, thread);
    rush_pass(cp, TENSIX_UNIT_VECTOR, 0);
    cp->issued[thread] += gone;
}

/* Which never holds any without time. Words that are played come again, so the unit may keep what it finds out. */
static unsigned rush_to_vector(struct coproc *cp, unsigned thread, const struct entry *slot,
                               unsigned index, unsigned n)
{
    struct vector_io io = wires_vector(cp, thread);
    const struct entry *e = &slot[index];
    bool played = slot == cp->fe[thread].replay.slot;
    unsigned gone = 0, k = 0;
    WATCH(watch);
    do {
        PROGRESS(watch, gone, 1);
        unsigned next = (index + gone + 1) % RUSH_RING;
        rush_note(cp, thread, e, TENSIX_UNIT_VECTOR);
        if (played)
            k = vector_play(&cp->vector, &io, e, slot, next, n - gone, cp->now, RUSH_VECTOR, NULL);
        if (!k)
            vector_start(&cp->vector, &io, e, cp->now);
        gone += k ? k : 1;
        cp->now += (k ? k : 1) * RUSH_VECTOR;
        e = &slot[(index + gone) % RUSH_RING];
    } while (gone < n && op_table[e->op].unit == TENSIX_UNIT_VECTOR);
    rush_unit_used_vector(cp, thread, gone);
    return gone;
}

HOT_APART static bool rush_do_scalar(struct coproc *cp, unsigned thread, const struct entry *e)
{
    struct scalar_io io = wires_scalar(cp, false);
    return scalar_do(&cp->scalar, &io, thread, e);
}

/* Most are carried out at once; what may wait goes through the unit. */
static unsigned rush_to_scalar(struct coproc *cp, unsigned thread, const struct entry *slot,
                               unsigned index, unsigned n)
{
    const struct entry *e = &slot[index];
    if (!LIKELY(cp->noted[e->op]) ||
        !(scalar_do_plain(&cp->scalar, &cp->gpr, thread, e) || rush_do_scalar(cp, thread, e)))
        return rush_word_scalar(cp, thread, slot, index, n);
    rush_beside(cp, thread, TENSIX_UNIT_SCALAR);
    rush_gone(cp, thread, TENSIX_UNIT_NONE, 0);
    return 1;
}

/* The same. */
static unsigned rush_to_config(struct coproc *cp, unsigned thread, const struct entry *slot,
                               unsigned index, unsigned n)
{
    const struct entry *e = &slot[index];
    if (!LIKELY(cp->noted[e->op]) || scalar_holds(&cp->scalar) ||
        !config_do(&cp->config, &cp->gpr, thread, e, &cp->probe))
        return rush_word_config(cp, thread, slot, index, n);
    if (e->op == TENSIX_OP_SETC16)
        issue_after_setc16(cp, thread, e);
    rush_beside(cp, thread, TENSIX_UNIT_CONFIG);
    rush_gone(cp, thread, TENSIX_UNIT_NONE, 0);
    return 1;
}

rush_unit *const rush_units[TENSIX_N_UNITS] = {
    [TENSIX_UNIT_NONE] = rush_word_misc,
    [TENSIX_UNIT_SYNC] = rush_to_sync,
    [TENSIX_UNIT_UNPACK] = rush_to_unpack,
    [TENSIX_UNIT_MATRIX] = rush_to_matrix,
    [TENSIX_UNIT_PACK] = rush_to_pack,
    [TENSIX_UNIT_VECTOR] = rush_to_vector,
    [TENSIX_UNIT_SCALAR] = rush_to_scalar,
    [TENSIX_UNIT_CONFIG] = rush_to_config,
    [TENSIX_UNIT_MOVER] = rush_word_mover,
    [TENSIX_UNIT_MISC] = rush_word_misc,
};
