/*
 * issue.h - how one instruction of one thread is judged and started; steps 2 and 3 of a cycle.
 *
 * Internal to src/coproc: coproc.c uses it for all threads in a cycle, burst.c in its tight loop, so what
 * an instruction needs and does is written once. The hot parts are inline, the rest is in issue.c.
 */
#ifndef WG_COPROC_ISSUE_H
#define WG_COPROC_ISSUE_H

#include "base/hot.h"
#include "coproc/coproc.h"
#include "isa/cfg.h"
#include "state/op.h"

#define KEY_GO 0 /* ledger_key(WAIT_PROGRESS, OWNER_T0): a check that returns 0 means: may go */

/* What a gate makes of its head in one cycle. */
struct decision {
    const struct entry *e; /* NULL: nothing at the gate */
    uint16_t key;          /* why it is held, KEY_GO if it goes */
    uint8_t port;
    bool unlatch; /* the latched wait is forgotten at the end of the cycle */
};

/* out of line: issue.c */
uint16_t coproc_check_config(const struct coproc *t, struct decision *d);
uint16_t coproc_check_sync(const struct coproc *t, unsigned thread, struct decision *d);
/* First condition of the mask that holds the thread; 0 if all are met in this cycle. coproc.c */
uint16_t coproc_conditions(const struct coproc *t, unsigned thread, unsigned mask);
/* What still keeps the latched wait; 0 if its condition is met in this cycle. coproc.c */
uint16_t coproc_test_latch(const struct coproc *t, unsigned thread);
/* Jumps behind everything that is only a matter of time. coproc.c */
void coproc_pass_time(struct coproc *t);
/* All that the Scalar Unit touches; taken: the Config Unit writes THCON configuration in this cycle. coproc.c */
struct scalar_io coproc_scalar_io(struct coproc *t, bool thcon_taken);
/* End of the cycle in the Scalar Unit. coproc.c */
bool coproc_clock_scalar(struct coproc *t, bool thcon_taken);
void coproc_start_mover(struct coproc *t, unsigned thread);
void coproc_start_misc(struct coproc *t, unsigned thread, const struct entry *e);
void coproc_occupy_again(struct coproc *t, unsigned owner, uint64_t now);
void coproc_vector_beside(struct coproc *t, unsigned thread, unsigned unit);
void coproc_note_op(struct coproc *t, unsigned thread, const struct op *op, const struct entry *e);
void coproc_note_change(struct coproc *t, unsigned thread, const struct decision *d);

HOT_INLINE struct matrix_io coproc_matrix_io(struct coproc *t, unsigned thread)
{
    return matrix_io_of(&t->src, &t->dst, &t->rwc, &t->config, &t->vector.lanes, thread, &t->probe);
}

HOT_INLINE struct vector_io coproc_vector_io(struct coproc *t, unsigned thread)
{
    return vector_io_of(&t->vector, &t->dst, &t->rwc, &t->config, thread, &t->probe);
}

/* May a word for this unit wait for what the Vector Unit has scheduled, or let others see it? */
HOT_INLINE bool coproc_beside_waits(unsigned unit)
{
    return unit != TENSIX_UNIT_MATRIX && unit != TENSIX_UNIT_CONFIG && unit != TENSIX_UNIT_MISC;
}

/* With time: the Vector Unit has something scheduled that cycles bring on. */
HOT_INLINE bool coproc_vector_ticks(const struct coproc *t)
{
    return t->vector.macro.n && !t->vector.untimed && vector_ticks(&t->vector);
}

HOT_INLINE struct unpack_io coproc_unpack_io(struct coproc *t)
{
    return (struct unpack_io){.config = &t->config,
                              .adc = &t->adc,
                              .src = &t->src,
                              .dst = &t->dst,
                              .l1 = &t->l1,
                              .regwrite = &t->regwrite,
                              .probe = &t->probe};
}

HOT_INLINE struct pack_io coproc_pack_io(struct coproc *t)
{
    return (struct pack_io){.config = &t->config,
                            .adc = &t->adc,
                            .dst = &t->dst,
                            .l1 = &t->l1,
                            .regwrite = &t->regwrite,
                            .meta = &t->packmeta,
                            .probe = &t->probe};
}

/* The unit's own rules. */
HOT_INLINE uint16_t coproc_check_unit(struct coproc *t, unsigned thread, unsigned unit,
                                      struct decision *d)
{
    switch (unit) {
    case TENSIX_UNIT_SYNC: return coproc_check_sync(t, thread, d);
    case TENSIX_UNIT_UNPACK: d->port = PORT_UNPACK; return unpack_check(&t->unpack, d->e, t->now);
    case TENSIX_UNIT_MATRIX: {
        struct matrix_io io = coproc_matrix_io(t, thread);
        d->port = PORT_MATRIX;
        return matrix_check(&t->matrix, &io, d->e, t->now);
    }
    case TENSIX_UNIT_PACK: {
        struct pack_io io = coproc_pack_io(t);
        d->port = PORT_PACK;
        return pack_check(&t->pack, &io, thread, d->e, t->now);
    }
    case TENSIX_UNIT_VECTOR: d->port = PORT_VECTOR; return vector_check(&t->vector, d->e, t->now);
    case TENSIX_UNIT_SCALAR:
        d->port = PORT_SCALAR;
        return scalar_free(&t->scalar, t->now) ? 0 : ledger_key(WAIT_UNIT_BUSY, OWNER_SCALAR);
    case TENSIX_UNIT_CONFIG: return coproc_check_config(t, d);
    case TENSIX_UNIT_MOVER:
        d->port = PORT_MOVER;
        return mover_busy(&t->mover, t->now) ? ledger_key(WAIT_UNIT_BUSY, OWNER_MOVER) : 0;
    default: return 0;
    }
}

/* Does it count for how long units are occupied? Without time nobody asks. */
enum coproc_books { COPROC_UNBOOKED, COPROC_BOOKED };

/* The unit is occupied in the cycles now .. until - 1. */
HOT_INLINE void coproc_occupy(struct coproc *t, unsigned owner, uint64_t now, uint64_t until)
{
    if (t->busy_to[owner] < now)
        coproc_occupy_again(t, owner, now);
    if (until > t->busy_to[owner])
        t->busy_to[owner] = until;
}

HOT_INLINE void coproc_start_matrix(struct coproc *t, unsigned thread, const struct entry *e,
                                    uint64_t now, enum coproc_books books)
{
    struct matrix_io io = coproc_matrix_io(t, thread);
    matrix_start(&t->matrix, &io, thread, e, now);
    if (e->op == TENSIX_OP_CLREXPHIST)
        t->packmeta.histogram = (struct pack_histogram){0};
    if (books)
        coproc_occupy(t, OWNER_MATRIX, now, now + t->matrix.numbers.latency[e->op]);
}

HOT_INLINE void coproc_start_vector(struct coproc *t, unsigned thread, const struct entry *e,
                                    uint64_t now, enum coproc_books books)
{
    struct vector_io io = coproc_vector_io(t, thread);
    vector_start(&t->vector, &io, e, now);
    vector_use(&t->vector, thread);
    if (books)
        coproc_occupy(t, OWNER_VECTOR, now, now + t->vector.numbers.latency[e->op]);
}

HOT_INLINE void coproc_start_pack(struct coproc *t, unsigned thread, const struct entry *e,
                                  uint64_t now, enum coproc_books books)
{
    struct pack_io io = coproc_pack_io(t);
    uint64_t until = pack_start(&t->pack, &io, thread, e, now);
    if (books)
        coproc_occupy(t, OWNER_PACK, now, until);
}

HOT_INLINE void coproc_start_unpack(struct coproc *t, unsigned thread, const struct entry *e,
                                    uint64_t now)
{
    struct unpack_io io = coproc_unpack_io(t);
    unpack_start(&t->unpack, &io, thread, e, now);
}

/* Words of ThreadConfig that do something when they are written. */
HOT_INLINE void coproc_after_setc16(struct coproc *t, unsigned thread, const struct entry *e)
{
    if (tensix_SETC16_decode(e->word).setc16_reg == cfg_word(THCFG_UNPACK_CONTEXT_RESET))
        unpack_thread_config(&t->unpack, &t->config, thread);
}

HOT_INLINE void coproc_start_sync(struct coproc *t, unsigned thread, const struct entry *e)
{
    if (gate_is_wait(e->op))
        gate_latch(&t->gate[thread],
                   thread,
                   e,
                   t->now,
                   &t->config.thread[thread][THCONFIG_PHASE_HI],
                   &t->probe);
    else
        sync_start(&t->sync, thread, e, t->now, &t->probe);
}

HOT_INLINE void coproc_start_unit(struct coproc *t, unsigned thread, unsigned unit,
                                  const struct entry *e, enum coproc_books books)
{
    uint64_t now = t->now, until = now + 1;
    unsigned owner = OWNER_MISC;
    switch (unit) {
    case TENSIX_UNIT_SYNC:
        coproc_start_sync(t, thread, e);
        owner = OWNER_SYNC;
        break;
    case TENSIX_UNIT_UNPACK: coproc_start_unpack(t, thread, e, now); return;
    case TENSIX_UNIT_MATRIX: coproc_start_matrix(t, thread, e, now, books); return;
    case TENSIX_UNIT_PACK: return; /* has been started, before the others */
    case TENSIX_UNIT_VECTOR: coproc_start_vector(t, thread, e, now, books); return;
    case TENSIX_UNIT_SCALAR:
        scalar_start(&t->scalar, &t->gpr, thread, e, now, &t->probe);
        owner = OWNER_SCALAR;
        if (books)
            until =
                e->op == TENSIX_OP_FLUSHDMA ? UINT64_MAX : now + 1 + scalar_cycles(&t->scalar, e);
        break;
    case TENSIX_UNIT_CONFIG:
        config_start(&t->config, &t->gpr, thread, e, &t->probe);
        if (e->op == TENSIX_OP_SETC16)
            coproc_after_setc16(t, thread, e);
        owner = OWNER_CONFIG;
        break;
    case TENSIX_UNIT_MOVER: coproc_start_mover(t, thread); return;
    default:
        if (e->op == TENSIX_OP_NOP)
            return; /* occupies nothing but its thread */
        coproc_start_misc(t, thread, e);
        break;
    }
    if (books)
        coproc_occupy(t, owner, now, until);
}

/* e leaves the gate; unit: op_table's. */
HOT_INLINE void coproc_go(struct coproc *t, unsigned thread, const struct entry *e, unsigned unit,
                          enum coproc_books books)
{
    const struct op *op = &op_table[e->op];
    frontend_pop(&t->fe[thread]); /* e stays readable until the front end moves */
    probe_event(&t->probe, EV_GO, OWNER_T0 + thread, e->tag, e->word, 0);
    if (!t->noted[e->op])
        coproc_note_op(t, thread, op, e);
    if (t->vector.untimed && unit != TENSIX_UNIT_VECTOR)
        coproc_vector_beside(t, thread, unit);
    coproc_start_unit(t, thread, unit, e, books);
    t->issued[thread]++;
    t->last_go[thread] = t->now;
}

/* Books what the thread's instruction has waited; from now on it is another one, or another wait. */
void coproc_blame(struct coproc *t, unsigned thread, uint16_t key, unsigned tag);
/* Books the cycle of a thread. */
HOT_INLINE void coproc_note_thread(struct coproc *t, unsigned thread, const struct decision *d)
{
    if (ledger_note(&t->ledger[OWNER_T0 + thread], t->now, d->key))
        coproc_note_change(t, thread, d);
}

#endif
