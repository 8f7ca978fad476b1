/*
 * judge.h - may the instruction at a gate go? Step 2 of a cycle: looks at the state of the last cycle and changes nothing
 * but the gate's own notes. What goes is started in issue.h.
 *
 * Internal to src/coproc: coproc.c uses it for all threads in a cycle, burst.c in its tight loop, rush_unit.c untimed.
 * So the needs of an instruction are written once. The hot parts are inline, the rest is in judge.c.
 */
#ifndef WG_COPROC_JUDGE_H
#define WG_COPROC_JUDGE_H

#include "base/hot.h"
#include "coproc/coproc.h"
#include "coproc/wires.h"
#include "state/op.h"

#define KEY_GO 0 /* wait_key(WAIT_PROGRESS, OWNER_T0): a check that returns 0 means: may go */

/* What a gate makes of its head in one cycle. */
struct decision {
    const struct entry *e; /* NULL: nothing at the gate */
    uint16_t key;          /* why it is held, KEY_GO if it goes */
    uint8_t port;
    bool unlatch; /* the latched wait is forgotten at the end of the cycle */
};

/* out of line: judge.c */
uint16_t judge_config(const struct coproc *cp, struct decision *d);
uint16_t judge_sync(const struct coproc *cp, unsigned thread, struct decision *d);
/* First condition of the mask that holds the thread; 0 if all are met in this cycle. */
uint16_t judge_conditions(const struct coproc *cp, unsigned thread, unsigned mask);
/* What still keeps the latched wait; 0 if its condition is met in this cycle. */
uint16_t judge_latch(const struct coproc *cp, unsigned thread);
/* The rules that hold a thread whatever it wants to do: its latch, its own earlier instructions. op: of d->e. */
void judge_held(struct coproc *cp, unsigned thread, const struct op *op, struct decision *d);
/* One requester per port and cycle; ports: bit per port that is wanted. */
void judge_ports(struct coproc *cp, struct decision d[COPROC_THREADS], uint32_t ports);

/* The unit's own rules. */
HOT_INLINE uint16_t judge_unit(struct coproc *cp, unsigned thread, unsigned unit,
                               struct decision *d)
{
    switch (unit) {
    case TENSIX_UNIT_SYNC: return judge_sync(cp, thread, d);
    case TENSIX_UNIT_UNPACK: d->port = PORT_UNPACK; return unpack_check(&cp->unpack, d->e, cp->now);
    case TENSIX_UNIT_MATRIX: {
        struct matrix_io io = wires_matrix(cp, thread);
        d->port = PORT_MATRIX;
        return matrix_check(&cp->matrix, &io, d->e, cp->now);
    }
    case TENSIX_UNIT_PACK: {
        struct pack_io io = wires_pack(cp);
        d->port = PORT_PACK;
        return pack_check(&cp->pack, &io, thread, d->e, cp->now);
    }
    case TENSIX_UNIT_VECTOR: d->port = PORT_VECTOR; return vector_check(&cp->vector, d->e, cp->now);
    case TENSIX_UNIT_SCALAR:
        d->port = PORT_SCALAR;
        return scalar_free(&cp->scalar, thread, cp->now, cp->vector.untimed)
                   ? 0
                   : wait_key(WAIT_UNIT_BUSY, OWNER_SCALAR);
    case TENSIX_UNIT_CONFIG: return judge_config(cp, d);
    case TENSIX_UNIT_MOVER:
        d->port = PORT_MOVER;
        return mover_busy(&cp->mover, cp->now) ? wait_key(WAIT_UNIT_BUSY, OWNER_MOVER) : 0;
    default: return 0;
    }
}

/* What the thread's gate makes of its head in this cycle. */
HOT_INLINE void judge_thread(struct coproc *cp, unsigned thread, struct decision *d)
{
    d->e = frontend_head(&cp->fe[thread]);
    d->key = KEY_GO;
    d->port = PORT_NONE;
    d->unlatch = false;
    const struct op *op = d->e ? &op_table[d->e->op] : NULL;
    if (cp->gate[thread].latched || cp->scalar.exec.busy || cp->now < cp->unpack.block_end)
        judge_held(cp, thread, op, d);
    if (!d->e)
        d->key = wait_key(frontend_bubble(&cp->fe[thread]), OWNER_NONE);
    else if (d->key == KEY_GO)
        d->key = judge_unit(cp, thread, op->unit, d);
    if (d->key != KEY_GO)
        d->port = PORT_NONE;
}

#endif
