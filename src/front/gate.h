/*
 * gate.h - the latch of one thread's Wait Gate.
 *
 * ISA pages: WaitGate, STALLWAIT, SEMWAIT, STREAMWAIT (Blackhole). Rules in time: docs/timing.md 3.
 * The conditions look at state of other blocks; coproc.c brings it here.
 */
#ifndef WG_FRONT_GATE_H
#define WG_FRONT_GATE_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/hot.h"
#include "isa/tensix.h"
#include "probe/probe.h"
#include "state/op.h"
#include "state/queue.h"
#include "wait/wait.h"

enum gate_wait { GATE_OPEN, GATE_STALLWAIT, GATE_SEMWAIT, GATE_STREAMWAIT };

#define GATE_CONDITIONS         13u
#define GATE_DEFAULT_BLOCK      TENSIX_B6
#define GATE_DEFAULT_CONDITIONS 0x0fu

/*
 * Conditions, and block bits of which at least one should stand next to them, or new instructions keep flowing into what
 * is waited for (notes of the STALLWAIT page).
 */
#define GATE_ADVICE(advice)                                                                        \
    advice(1, TENSIX_B3 | TENSIX_B0) advice(2, TENSIX_B3 | TENSIX_B0)                              \
        advice(3, TENSIX_B2 | TENSIX_B0) advice(4, TENSIX_B6) advice(9, TENSIX_B4 | TENSIX_B0)     \
            advice(11, TENSIX_B8) advice(12, TENSIX_B7)
#define GATE_ADVICE_BIT(i, blocks) | 1u << (i)
#define GATE_ADVISED               (0u GATE_ADVICE(GATE_ADVICE_BIT)) /* the conditions */

struct gate {
    uint8_t latched;     /* enum gate_wait */
    uint8_t sem_mask;    /* SEMWAIT */
    uint8_t sem_cond;    /* bit 0: while 0, bit 1: while >= Max */
    uint8_t stream_sel;  /* STREAMWAIT */
    uint16_t stream_reg; /* the register it watches */
    uint16_t block;      /* block mask, default filled in */
    uint16_t conditions; /* STALLWAIT, default filled in */
    uint16_t tag;        /* of the wait instruction */
    bool held;           /* it has held an instruction */
    uint32_t word;       /* the wait instruction */
    uint32_t target;     /* STREAMWAIT */
    uint64_t since;      /* first cycle in which the latch is visible */
};

void gate_reset(struct gate *g);
/* Parts of gate_latch(); what all waits have in common is latched already. */
void gate_latch_sem(struct gate *g, unsigned thread, const struct entry *e, struct probe *p);
void gate_latch_stream(struct gate *g, const struct entry *e, const uint16_t *stream_hi);

/* Says which conditions of STALLWAIT e, among those of GATE_ADVISED, lack their block bits. */
void gate_check_advice(unsigned block, unsigned conditions, unsigned thread, const struct entry *e,
                       struct probe *p);
/* Operands of a wait instruction, defaults filled in; the block mask is at the same place in all three. */
static inline unsigned gate_block(uint32_t word)
{
    unsigned block = tensix_STALLWAIT_decode(word).stall_res;
    return block ? block : GATE_DEFAULT_BLOCK;
}
static inline unsigned gate_conditions(uint32_t word)
{
    unsigned conditions = tensix_STALLWAIT_decode(word).wait_res;
    return conditions ? conditions : GATE_DEFAULT_CONDITIONS;
}
/* The same as gate_latch() while nobody wants events. */
HOT_INLINE void gate_set(struct gate *g, unsigned thread, const struct entry *e, uint64_t now,
                         const uint16_t *stream_hi, struct probe *p)
{
    assert(!g->latched);
    *g = (struct gate){
        .block = (uint16_t)gate_block(e->word), .tag = e->tag, .word = e->word, .since = now + 1};
    if (LIKELY(e->op == TENSIX_OP_STALLWAIT)) {
        g->latched = GATE_STALLWAIT;
        g->conditions = (uint16_t)gate_conditions(e->word);
        if (g->conditions & GATE_ADVISED)
            gate_check_advice(g->block, g->conditions, thread, e, p);
    } else if (e->op == TENSIX_OP_SEMWAIT) {
        gate_latch_sem(g, thread, e, p);
    } else {
        gate_latch_stream(g, e, stream_hi);
    }
}

/* A wait instruction goes in cycle now: it is latched and visible in now + 1. stream_hi: the two
   ThreadConfig words that hold the high part of STREAMWAIT's target. */
static inline void gate_latch(struct gate *g, unsigned thread, const struct entry *e, uint64_t now,
                              const uint16_t *stream_hi, struct probe *p)
{
    gate_set(g, thread, e, now, stream_hi, p);
    probe_event(p, EV_LATCH, OWNER_T0 + thread, g->tag, g->word, g->block);
}

/* The condition was met in cycle now; _tell: there is something to say about that. */
void gate_unlatch_tell(const struct gate *g, unsigned thread, uint64_t now, struct probe *p);
HOT_INLINE void gate_unlatch(struct gate *g, unsigned thread, uint64_t now, struct probe *p)
{
    g->latched = GATE_OPEN;
    if (!g->held || p->mask)
        gate_unlatch_tell(g, thread, now, p);
}

/* A wait instruction? */
static inline bool gate_is_wait(uint8_t op)
{
    return op == TENSIX_OP_STALLWAIT || op == TENSIX_OP_SEMWAIT || op == TENSIX_OP_STREAMWAIT;
}

/* Does the latched wait catch this instruction? */
static inline bool gate_catches(const struct gate *g, uint8_t op)
{
    return g->latched && op_caught(op, g->block);
}

#endif
