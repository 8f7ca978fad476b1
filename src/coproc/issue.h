/*
 * issue.h - how one instruction of one thread is judged and started; steps 2 and 3 of a cycle.
 *
 * Internal to src/coproc: coproc.c uses it for all threads in a cycle, burst.c in its tight loop, rush_unit.c untimed.
 * So the needs and acts of an instruction are written once. The hot parts are inline, the rest is in issue.c.
 */
#ifndef WG_COPROC_ISSUE_H
#define WG_COPROC_ISSUE_H

#include "base/hot.h"
#include "coproc/coproc.h"
#include "isa/cfg.h"
#include "state/op.h"

#define KEY_GO 0 /* wait_key(WAIT_PROGRESS, OWNER_T0): a check that returns 0 means: may go */

/* What a gate makes of its head in one cycle. */
struct decision {
    const struct entry *e; /* NULL: nothing at the gate */
    uint16_t key;          /* why it is held, KEY_GO if it goes */
    uint8_t port;
    bool unlatch; /* the latched wait is forgotten at the end of the cycle */
};

/* out of line: issue.c */
uint16_t issue_check_config(const struct coproc *cp, struct decision *d);
uint16_t issue_check_sync(const struct coproc *cp, unsigned thread, struct decision *d);
/* First condition of the mask that holds the thread; 0 if all are met in this cycle. coproc.c */
uint16_t coproc_conditions(const struct coproc *cp, unsigned thread, unsigned mask);
/* What still keeps the latched wait; 0 if its condition is met in this cycle. coproc.c */
uint16_t coproc_test_latch(const struct coproc *cp, unsigned thread);
/* Jumps behind everything that is only a matter of time. coproc.c */
void coproc_pass_time(struct coproc *cp);
/* All that the Scalar Unit touches; taken: the Config Unit writes THCON configuration in this cycle. coproc.c */
struct scalar_io coproc_scalar_io(struct coproc *cp, bool thcon_taken);
/* End of the cycle in the Scalar Unit. coproc.c */
bool coproc_clock_scalar(struct coproc *cp, bool thcon_taken);
void issue_start_mover(struct coproc *cp, unsigned thread);
void issue_start_misc(struct coproc *cp, unsigned thread, const struct entry *e);
void issue_occupy_again(struct coproc *cp, unsigned owner, uint64_t now);
void issue_vector_beside(struct coproc *cp, unsigned thread, unsigned unit);
void issue_note_op(struct coproc *cp, unsigned thread, const struct op *op, const struct entry *e);
void issue_note_change(struct coproc *cp, unsigned thread, const struct decision *d);

HOT_INLINE struct matrix_io issue_matrix_io(struct coproc *cp, unsigned thread)
{
    return matrix_io_of(
        &cp->src, &cp->dst, &cp->rwc, &cp->config, &cp->vector.lanes, thread, &cp->probe);
}

HOT_INLINE struct vector_io issue_vector_io(struct coproc *cp, unsigned thread)
{
    return vector_io_of(&cp->vector, &cp->dst, &cp->rwc, &cp->config, thread, &cp->probe);
}

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

HOT_INLINE struct unpack_io issue_unpack_io(struct coproc *cp)
{
    return (struct unpack_io){.config = &cp->config,
                              .adc = &cp->adc,
                              .src = &cp->src,
                              .dst = &cp->dst,
                              .l1 = &cp->l1,
                              .regwrite = &cp->regwrite,
                              .probe = &cp->probe,
                              .order = &cp->order};
}

HOT_INLINE struct pack_io issue_pack_io(struct coproc *cp)
{
    return (struct pack_io){.config = &cp->config,
                            .adc = &cp->adc,
                            .dst = &cp->dst,
                            .l1 = &cp->l1,
                            .regwrite = &cp->regwrite,
                            .meta = &cp->packmeta,
                            .probe = &cp->probe};
}

/* The unit's own rules. */
HOT_INLINE uint16_t issue_check_unit(struct coproc *cp, unsigned thread, unsigned unit,
                                     struct decision *d)
{
    switch (unit) {
    case TENSIX_UNIT_SYNC: return issue_check_sync(cp, thread, d);
    case TENSIX_UNIT_UNPACK: d->port = PORT_UNPACK; return unpack_check(&cp->unpack, d->e, cp->now);
    case TENSIX_UNIT_MATRIX: {
        struct matrix_io io = issue_matrix_io(cp, thread);
        d->port = PORT_MATRIX;
        return matrix_check(&cp->matrix, &io, d->e, cp->now);
    }
    case TENSIX_UNIT_PACK: {
        struct pack_io io = issue_pack_io(cp);
        d->port = PORT_PACK;
        return pack_check(&cp->pack, &io, thread, d->e, cp->now);
    }
    case TENSIX_UNIT_VECTOR: d->port = PORT_VECTOR; return vector_check(&cp->vector, d->e, cp->now);
    case TENSIX_UNIT_SCALAR:
        d->port = PORT_SCALAR;
        return scalar_free(&cp->scalar, cp->now) ? 0 : wait_key(WAIT_UNIT_BUSY, OWNER_SCALAR);
    case TENSIX_UNIT_CONFIG: return issue_check_config(cp, d);
    case TENSIX_UNIT_MOVER:
        d->port = PORT_MOVER;
        return mover_busy(&cp->mover, cp->now) ? wait_key(WAIT_UNIT_BUSY, OWNER_MOVER) : 0;
    default: return 0;
    }
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
    struct matrix_io io = issue_matrix_io(cp, thread);
    matrix_start(&cp->matrix, &io, thread, e, now);
    if (e->op == TENSIX_OP_CLREXPHIST)
        cp->packmeta.histogram = (struct pack_histogram){0};
    if (books)
        issue_occupy(cp, OWNER_MATRIX, now, now + cp->matrix.numbers.latency[e->op]);
}

HOT_INLINE void issue_start_vector(struct coproc *cp, unsigned thread, const struct entry *e,
                                   uint64_t now, enum coproc_books books)
{
    struct vector_io io = issue_vector_io(cp, thread);
    vector_start(&cp->vector, &io, e, now);
    vector_use(&cp->vector, thread);
    if (books)
        issue_occupy(cp, OWNER_VECTOR, now, now + cp->vector.numbers.latency[e->op]);
}

HOT_INLINE void issue_start_pack(struct coproc *cp, unsigned thread, const struct entry *e,
                                 uint64_t now, enum coproc_books books)
{
    struct pack_io io = issue_pack_io(cp);
    uint64_t until = pack_start(&cp->pack, &io, thread, e, now);
    if (books)
        issue_occupy(cp, OWNER_PACK, now, until);
}

HOT_INLINE void issue_start_unpack(struct coproc *cp, unsigned thread, const struct entry *e,
                                   uint64_t now)
{
    struct unpack_io io = issue_unpack_io(cp);
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
        scalar_start(&cp->scalar, &cp->gpr, thread, e, now, &cp->probe);
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
