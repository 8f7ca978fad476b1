/*
 * rush_unit.c - the coprocessor without time, from the gate on: how words go to each unit, and what passes until they
 * have left nothing behind.
 *
 * Most words take a short way through functions that do at once what their unit does in cycles; what may wait, or is rare,
 * is started as with time and then drained.
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

static void rush_to(struct coproc *t, uint64_t at)
{
    if (at > t->now)
        t->now = at;
}

/* Unpackers move all that they have banks for. */
static void rush_unpackers(struct coproc *t)
{
    const struct unpacker *u = t->unpack.u;
    rush_to(t, t->unpack.issue_at + t->unpack.pipe); /* the youngest may start */
    if (unpack_stands(&u[0], &t->src, 0) && unpack_stands(&u[1], &t->src, 1))
        return;
    struct unpack_io io = coproc_unpack_io(t);
    unpack_drain(&t->unpack, &io);
}

void rush_drain(struct coproc *t)
{
    if (t->config.n_busy | t->config.n_requests | scalar_holds(&t->scalar) | t->src.n |
        pack_holds(&t->pack)) {
        coproc_drain(t);
        return;
    }
    coproc_pass_time(t);
    rush_unpackers(t);
}

/* Banks have changed hands. */
static void rush_banks(struct coproc *t)
{
    rush_unpackers(t);
    if (t->scalar.exec.busy) /* a store to Src may wait for one */
        coproc_drain(t);
}

/* The Scalar Unit executes what it has just been given. */
static void rush_scalar(struct coproc *t)
{
    if (t->scalar.exec.busy | (t->scalar.n_loads != 0)) { /* another thread's, which waits */
        coproc_drain(t);
        return;
    }
    coproc_clock_scalar(t, false);
    if (t->scalar.exec.memory || t->scalar.exec.end == SCALAR_OPEN) {
        coproc_drain(t);
        return;
    }
    rush_to(t, t->scalar.exec.end);
    coproc_clock_scalar(t, false);
    t->now++;
}

/* The Config pipe runs empty. */
static void rush_config(struct coproc *t)
{
    if (scalar_holds(&t->scalar)) {
        coproc_drain(t);
        return;
    }
    WATCH(watch);
    for (; t->config.n_busy; t->now++) {
        PROGRESS(watch, 0, COPROC_SETTLES);
        config_clock(&t->config, &t->gpr, &t->stream, false, &t->probe);
    }
}

/* The word's time passes. Others have nothing in flight, so only its own unit has to finish. */
HOT_INLINE void rush_pass(struct coproc *t, unsigned unit, unsigned opcode)
{
    t->now++;
    switch (unit) {
    case TENSIX_UNIT_MATRIX:
        rush_to(t, t->matrix.done_at);
        rush_to(t, t->matrix.closed_end);
        rush_to(t, t->dst.last_ready);
        if (t->src.n || matrix_traits[opcode] & MATRIX_BANKS) {
            if (t->src.n)
                rush_to(t, t->src.flip[(t->src.head + t->src.n - 1u) % SRC_PENDING].due);
            src_clock(&t->src, t->now, &t->probe);
            rush_banks(t);
        }
        break;
    case TENSIX_UNIT_UNPACK: rush_unpackers(t); break;
    case TENSIX_UNIT_SCALAR: rush_scalar(t); break;
    case TENSIX_UNIT_CONFIG: rush_config(t); break;
    case TENSIX_UNIT_VECTOR:
        rush_to(t, t->vector.done_at);
        rush_to(t, t->vector.swap_end);
        rush_to(t, t->dst.last_ready);
        break;
    case TENSIX_UNIT_MOVER: rush_drain(t); break;
    default:
        if (opcode == TENSIX_OP_SETDVALID)
            rush_banks(t);
        break;
    }
    t->probe.now = t->now;
}

/* ---- words to units ---- */

bool rush_finish_vector(struct coproc *t)
{
    bool any = vector_ticks(&t->vector);
    struct vector_io io = coproc_vector_io(t, t->vector.thread);
    vector_finish(&t->vector, &io);
    return any;
}

/* The thread that uses the Vector Unit sends a word elsewhere. */
HOT_INLINE void rush_beside(struct coproc *t, unsigned thread, unsigned unit)
{
    if (thread != t->vector.thread)
        return;
    if (vector_ticks(&t->vector))
        coproc_vector_beside(t, thread, unit);
    else
        t->vector.own += coproc_beside_waits(unit) ? VECTOR_REST : 1;
}

/* Before a word goes. */
HOT_INLINE void rush_note(struct coproc *t, unsigned thread, const struct entry *e, unsigned unit)
{
    if (!LIKELY(t->noted[e->op]))
        coproc_note_op(t, thread, &op_table[e->op], e);
    if (unit != TENSIX_UNIT_VECTOR)
        rush_beside(t, thread, unit);
}

/* It has gone. */
HOT_INLINE void rush_gone(struct coproc *t, unsigned thread, unsigned unit, unsigned opcode)
{
    t->issued[thread]++;
    t->last_go[thread] = t->now;
    rush_pass(t, unit, opcode);
}

/* A word goes if its unit takes it. unit: op_table's, a constant, so that only the unit's own code is left. */
HOT_INLINE unsigned rush_word(struct coproc *t, unsigned thread, const struct entry *e,
                              unsigned unit)
{
    struct decision d = {.e = e};
    if (coproc_check_unit(t, thread, unit, &d))
        return 0;
    rush_note(t, thread, e, unit);
    coproc_start_unit(t, thread, unit, e, COPROC_UNBOOKED);
    rush_gone(t, thread, unit, e->op);
    return 1;
}

/* One word, in the common way. */
#define RUSH_WORD(name, unit)                                                                      \
    HOT_APART static unsigned rush_word_##name(                                                    \
        struct coproc *t, unsigned thread, const struct entry *slot, unsigned index, unsigned n)   \
    {                                                                                              \
        (void)n;                                                                                   \
        return rush_word(t, thread, &slot[index], TENSIX_UNIT_##unit);                             \
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
HOT_INLINE bool rush_is_met(const struct coproc *t, unsigned thread, const struct entry *e,
                            const struct entry *next)
{
    if (!(op_table[next->op].block & gate_block(e->word)))
        return false;
    if (e->op == TENSIX_OP_STALLWAIT)
        return !coproc_conditions(t, thread, gate_conditions(e->word));
    struct tensix_SEMWAIT a = tensix_SEMWAIT_decode(e->word);
    return e->op == TENSIX_OP_SEMWAIT && a.wait_sem_cond && a.sem_sel && a.sem_sel >> 8 == 0 &&
           !sync_test(&t->sync, a.sem_sel, a.wait_sem_cond);
}

HOT_APART static void rush_latch(struct coproc *t, unsigned thread, const struct entry *e)
{
    const uint16_t *stream_hi = &t->config.thread[thread][THCONFIG_PHASE_HI];
    gate_set(&t->gate[thread], thread, e, t->now, stream_hi, &t->probe);
}

/* A wait goes. */
HOT_INLINE void rush_wait(struct coproc *t, unsigned thread, const struct entry *e,
                          const struct entry *next)
{
    if (!LIKELY(rush_is_met(t, thread, e, next)))
        rush_latch(t, thread, e);
    else if (e->op == TENSIX_OP_STALLWAIT && gate_conditions(e->word) & GATE_ADVISED)
        gate_check_advice(gate_block(e->word), gate_conditions(e->word), thread, e, &t->probe);
}

/* Mutexes may be held; the others go. */
static unsigned rush_to_sync(struct coproc *t, unsigned thread, const struct entry *slot,
                             unsigned index, unsigned n)
{
    static const struct entry none; /* which nothing catches */
    const struct entry *e = &slot[index];
    if (!LIKELY(t->noted[e->op]) || e->op == TENSIX_OP_ATGETM || e->op == TENSIX_OP_ATRELM)
        return rush_word_sync(t, thread, slot, index, n);
    rush_beside(t, thread, TENSIX_UNIT_SYNC);
    if (gate_is_wait(e->op))
        rush_wait(t, thread, e, n > 1 ? &slot[(index + 1) % RUSH_RING] : &none);
    else
        sync_start(&t->sync, thread, e, t->now, &t->probe);
    rush_gone(t, thread, TENSIX_UNIT_NONE, 0);
    return 1;
}

/* Many have their bank and move their data at once. */
static unsigned rush_to_unpack(struct coproc *t, unsigned thread, const struct entry *slot,
                               unsigned index, unsigned n)
{
    const struct entry *e = &slot[index];
    if (!LIKELY(t->noted[e->op]) || vector_ticks(&t->vector) ||
        !unpack_is_free(&t->unpack, &t->src, e))
        return rush_word_unpack(t, thread, slot, index, n);
    struct unpack_io io = coproc_unpack_io(t);
    rush_beside(t, thread, TENSIX_UNIT_UNPACK);
    unpack_do(&t->unpack, &io, thread, e);
    rush_gone(t, thread, TENSIX_UNIT_NONE, 0);
    return 1;
}

/* May it go in a row? Not if it does more than matrix_run(), or hands over a bank. */
HOT_INLINE bool rush_in_row(const struct coproc *t, const struct entry *e)
{
    return op_table[e->op].unit == TENSIX_UNIT_MATRIX && t->noted[e->op] &&
           !(matrix_traits[e->op] & (MATRIX_BANKS | MATRIX_BEYOND));
}

/* Words of a row go so long behind each other that none is in the way of the next; so what else may hold them, their
   banks, is looked at once for each opcode. */
static unsigned rush_to_matrix(struct coproc *t, unsigned thread, const struct entry *slot,
                               unsigned index, unsigned n)
{
    struct matrix_io io = coproc_matrix_io(t, thread);
    unsigned k = 0, known = 256, went;
    uint64_t now = t->now;
    WATCH(watch);
    for (; k < n && !t->vector.macro.n; k += went, now += went * RUSH_MATRIX) {
        PROGRESS(watch, k, 1);
        const struct entry *e = &slot[(index + k) % RUSH_RING];
        if (e->word >> 22 & 3)
            break;
        if (e->op != known && (!rush_in_row(t, e) || matrix_check(&t->matrix, &io, e, now)))
            break;
        known = e->op;
        went = 0;
        if (e->op == TENSIX_OP_MVMUL)
            went = matrix_mvmuls(&t->matrix, &io, slot, index + k, n - k, now, RUSH_MATRIX);
        if (went)
            continue;
        matrix_run(&t->matrix, &io, e, matrix_dst_row(&io, e->word), now);
        went = 1;
    }
    if (!k)
        return rush_word_matrix(t, thread, slot, index, n);
    t->now = now;
    matrix_use(&t->matrix, thread);
    if (t->vector.thread == thread)
        t->vector.own += k;
    t->issued[thread] += k;
    return k;
}

/* Which reads Dst with all that is scheduled in it. Behind one that goes nothing holds the next: it is through before,
   and so are the windows of Dst. */
_Static_assert(1 + T_DST_WINDOW <= T_PACK_PIPE, "before the next PACR goes");
static unsigned rush_to_pack(struct coproc *t, unsigned thread, const struct entry *slot,
                             unsigned index, unsigned n)
{
    const struct entry *e = &slot[index];
    struct pack_io io = coproc_pack_io(t);
    if (pack_check(&t->pack, &io, thread, e, t->now))
        return 0;
    if (vector_ticks(&t->vector))
        rush_finish_vector(t);
    unsigned gone = pack_start_many(&t->pack, &io, thread, slot, index, n, &t->now);
    if (gone > 1) {
        t->issued[thread] += gone - 1;
        if (t->vector.thread == thread)
            t->vector.own += (gone - 1) * VECTOR_REST;
    }
    if (!gone)
        pack_start(&t->pack, &io, thread, e, t->now);
    rush_note(t, thread, e, TENSIX_UNIT_PACK);
    rush_gone(t, thread, TENSIX_UNIT_PACK, 0);
    rush_to(t, t->pack.done_at[thread]);
    if (!gone)
        pack_clock(&t->pack, &io, t->now);
    t->probe.now = t->now;
    return gone ? gone : 1;
}

void rush_used_vector(struct coproc *t, unsigned thread, unsigned gone)
{
    vector_use(&t->vector, thread);
    rush_pass(t, TENSIX_UNIT_VECTOR, 0);
    t->issued[thread] += gone;
}

/* Which never holds any without time. Words that are played come again, so the unit may keep what it finds out. */
static unsigned rush_to_vector(struct coproc *t, unsigned thread, const struct entry *slot,
                               unsigned index, unsigned n)
{
    struct vector_io io = coproc_vector_io(t, thread);
    const struct entry *e = &slot[index];
    bool played = slot == t->fe[thread].replay.slot;
    unsigned gone = 0, k = 0;
    WATCH(watch);
    do {
        PROGRESS(watch, gone, 1);
        unsigned next = (index + gone + 1) % RUSH_RING;
        rush_note(t, thread, e, TENSIX_UNIT_VECTOR);
        if (played)
            k = vector_play(&t->vector, &io, e, slot, next, n - gone, t->now, RUSH_VECTOR, NULL);
        if (!k)
            vector_start(&t->vector, &io, e, t->now);
        gone += k ? k : 1;
        t->now += (k ? k : 1) * RUSH_VECTOR;
        e = &slot[(index + gone) % RUSH_RING];
    } while (gone < n && op_table[e->op].unit == TENSIX_UNIT_VECTOR);
    rush_used_vector(t, thread, gone);
    return gone;
}

HOT_APART static bool rush_do_scalar(struct coproc *t, unsigned thread, const struct entry *e)
{
    struct scalar_io io = coproc_scalar_io(t, false);
    return scalar_do(&t->scalar, &io, thread, e);
}

/* Most are carried out at once; what may wait goes through the unit. */
static unsigned rush_to_scalar(struct coproc *t, unsigned thread, const struct entry *slot,
                               unsigned index, unsigned n)
{
    const struct entry *e = &slot[index];
    if (!LIKELY(t->noted[e->op]) ||
        !(scalar_do_plain(&t->scalar, &t->gpr, thread, e) || rush_do_scalar(t, thread, e)))
        return rush_word_scalar(t, thread, slot, index, n);
    rush_beside(t, thread, TENSIX_UNIT_SCALAR);
    rush_gone(t, thread, TENSIX_UNIT_NONE, 0);
    return 1;
}

/* The same. */
static unsigned rush_to_config(struct coproc *t, unsigned thread, const struct entry *slot,
                               unsigned index, unsigned n)
{
    const struct entry *e = &slot[index];
    if (!LIKELY(t->noted[e->op]) || scalar_holds(&t->scalar) ||
        !config_do(&t->config, &t->gpr, thread, e, &t->probe))
        return rush_word_config(t, thread, slot, index, n);
    if (e->op == TENSIX_OP_SETC16)
        coproc_after_setc16(t, thread, e);
    rush_beside(t, thread, TENSIX_UNIT_CONFIG);
    rush_gone(t, thread, TENSIX_UNIT_NONE, 0);
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
