/*
 * issue.h - how one instruction of one thread is started; step 3 of a cycle. Whether it may go is asked in judge.h.
 *
 * Internal to src/coproc: coproc.c uses it for all threads in a cycle, burst.c in its tight loop, rush_unit.c untimed.
 * So the acts of an instruction are written once. The hot parts are inline, the rest is in issue.c.
 */
#ifndef WG_COPROC_ISSUE_H
#define WG_COPROC_ISSUE_H

#include "base/hot.h"
#include "coproc/coproc.h"
#include "coproc/judge.h"
#include "coproc/wires.h"
#include "isa/cfg.h"
#include "state/op.h"

/* out of line: issue.c */
/* Jumps behind everything that is only a matter of time. coproc.c */
void coproc_pass_time(struct coproc *cp);
/* End of the cycle in the Scalar Unit. coproc.c */
bool coproc_clock_scalar(struct coproc *cp, bool thcon_taken);
/* End of the cycle in which a WRCFG has gone that has not waited for its registers: it gets what is written in time. */
void issue_settle_wrcfg(struct coproc *cp);
void issue_start_mover(struct coproc *cp, unsigned thread);
void issue_start_misc(struct coproc *cp, unsigned thread, const struct entry *e);
void issue_occupy_again(struct coproc *cp, unsigned owner, uint64_t now);
void issue_vector_beside(struct coproc *cp, unsigned thread, unsigned unit);
void issue_note_op(struct coproc *cp, unsigned thread, const struct op *op, const struct entry *e);
void issue_note_change(struct coproc *cp, unsigned thread, const struct decision *d);

/* May a word for this unit wait for what the Vector Unit has scheduled, or let others see it? */
HOT_INLINE bool issue_beside_waits(unsigned unit)
{
    return unit != TENSIX_UNIT_MATRIX && unit != TENSIX_UNIT_CONFIG && unit != TENSIX_UNIT_MISC;
}

/* With time: the Vector Unit has something scheduled that cycles bring on. */
HOT_INLINE bool issue_vector_ticks(const struct coproc *cp)
{
    return cp->vector.macro.n && !cp->vector.untimed && vector_ticks(&cp->vector);
}

/* Does it count for how long units are occupied? Without time nobody asks. */
enum coproc_books { COPROC_UNBOOKED, COPROC_BOOKED };

/* The unit is occupied in the cycles now .. until - 1. */
HOT_INLINE void issue_occupy(struct coproc *cp, unsigned owner, uint64_t now, uint64_t until)
{
    if (cp->busy_to[owner] < now)
        issue_occupy_again(cp, owner, now);
    if (until > cp->busy_to[owner])
        cp->busy_to[owner] = until;
}

HOT_INLINE void issue_start_matrix(struct coproc *cp, unsigned thread, const struct entry *e,
                                   uint64_t now, enum coproc_books books)
{
    struct matrix_io io = wires_matrix(cp, thread);
    matrix_start(&cp->matrix, &io, thread, e, now);
    if (matrix_traits[e->op] & MATRIX_HISTOGRAM)
        cp->packmeta.histogram = (struct pack_histogram){0};
    if (books)
        issue_occupy(cp, OWNER_MATRIX, now, now + cp->matrix.numbers.latency[e->op]);
}

HOT_INLINE void issue_start_vector(struct coproc *cp, unsigned thread, const struct entry *e,
                                   uint64_t now, enum coproc_books books)
{
    struct vector_io io = wires_vector(cp, thread);
    vector_start(&cp->vector, &io, e, now);
    vector_use(&cp->vector, thread);
    if (books)
        issue_occupy(cp, OWNER_VECTOR, now, now + cp->vector.numbers.latency[e->op]);
}

HOT_INLINE void issue_start_pack(struct coproc *cp, unsigned thread, const struct entry *e,
                                 uint64_t now, enum coproc_books books)
{
    struct pack_io io = wires_pack(cp);
    uint64_t until = pack_start(&cp->pack, &io, thread, e, now);
    if (books)
        issue_occupy(cp, OWNER_PACK, now, until);
}

HOT_INLINE void issue_start_unpack(struct coproc *cp, unsigned thread, const struct entry *e,
                                   uint64_t now)
{
    struct unpack_io io = wires_unpack(cp);
    unpack_start(&cp->unpack, &io, thread, e, now);
}

/* Words of ThreadConfig that do something when they are written. */
HOT_INLINE void issue_after_setc16(struct coproc *cp, unsigned thread, const struct entry *e)
{
    if (tensix_SETC16_decode(e->word).setc16_reg == cfg_word(THCFG_UNPACK_CONTEXT_RESET))
        unpack_thread_config(&cp->unpack, &cp->config, thread);
}

HOT_INLINE void issue_start_sync(struct coproc *cp, unsigned thread, const struct entry *e)
{
    if (gate_is_wait(e->op))
        gate_latch(&cp->gate[thread],
                   thread,
                   e,
                   cp->now,
                   &cp->config.thread[thread][THCONFIG_PHASE_HI],
                   &cp->probe);
    else
        sync_start(&cp->sync, thread, e, cp->now, &cp->probe);
}

HOT_INLINE void issue_start_unit(struct coproc *cp, unsigned thread, unsigned unit,
                                 const struct entry *e, enum coproc_books books)
{
    uint64_t now = cp->now, until = now + 1;
    unsigned owner = OWNER_MISC;
    switch (unit) {
    case TENSIX_UNIT_SYNC:
        issue_start_sync(cp, thread, e);
        owner = OWNER_SYNC;
        break;
    case TENSIX_UNIT_UNPACK: issue_start_unpack(cp, thread, e, now); return;
    case TENSIX_UNIT_MATRIX: issue_start_matrix(cp, thread, e, now, books); return;
    case TENSIX_UNIT_PACK: return; /* has been started, before the others */
    case TENSIX_UNIT_VECTOR: issue_start_vector(cp, thread, e, now, books); return;
    case TENSIX_UNIT_SCALAR:
        scalar_start(&cp->scalar, &cp->gpr, thread, e, &cp->probe);
        owner = OWNER_SCALAR;
        if (books)
            until =
                e->op == TENSIX_OP_FLUSHDMA ? UINT64_MAX : now + 1 + scalar_cycles(&cp->scalar, e);
        break;
    case TENSIX_UNIT_CONFIG:
        config_start(&cp->config, &cp->gpr, thread, e, &cp->probe);
        if (e->op == TENSIX_OP_SETC16)
            issue_after_setc16(cp, thread, e);
        owner = OWNER_CONFIG;
        break;
    case TENSIX_UNIT_MOVER: issue_start_mover(cp, thread); return;
    default:
        if (e->op == TENSIX_OP_NOP)
            return; /* occupies nothing but its thread */
        issue_start_misc(cp, thread, e);
        break;
    }
    if (books)
        issue_occupy(cp, owner, now, until);
}

/* e leaves the gate; unit: op_table's. */
HOT_INLINE void issue_go(struct coproc *cp, unsigned thread, const struct entry *e, unsigned unit,
                         enum coproc_books books)
{
    const struct op *op = &op_table[e->op];
    frontend_pop(&cp->fe[thread]); /* e stays readable until the front end moves */
    probe_event(&cp->probe, EV_GO, OWNER_T0 + thread, e->tag, e->word, 0);
    if (!cp->noted[e->op])
        issue_note_op(cp, thread, op, e);
    if (cp->vector.untimed && unit != TENSIX_UNIT_VECTOR)
        issue_vector_beside(cp, thread, unit);
    issue_start_unit(cp, thread, unit, e, books);
    cp->issued[thread]++;
    cp->last_go[thread] = cp->now;
}

/* Books what the thread's instruction has waited; from now on it is another one, or another wait. */
void issue_blame(struct coproc *cp, unsigned thread, uint16_t key, unsigned tag);
/* Books the cycle of a thread. */
HOT_INLINE void issue_note_thread(struct coproc *cp, unsigned thread, const struct decision *d)
{
    if (wait_ledger_note(&cp->ledger[OWNER_T0 + thread], cp->now, d->key))
        issue_note_change(cp, thread, d);
}

#endif
