/*
 * gate.h - the latch of one thread's Wait Gate.
 *
 * ISA pages: WaitGate, STALLWAIT, SEMWAIT, STREAMWAIT (Blackhole). Rules in time: docs/timing.md 3.
 * What the conditions look at lies in other blocks; coproc.c brings it here.
 */
#ifndef WG_UNIT_GATE_H
#define WG_UNIT_GATE_H

#include <stdbool.h>
#include <stdint.h>

#include "unit/op.h"
#include "unit/queue.h"

struct probe;

enum gate_wait { GATE_OPEN, GATE_STALLWAIT, GATE_SEMWAIT, GATE_STREAMWAIT };

#define GATE_CONDITIONS         13u
#define GATE_DEFAULT_BLOCK      TENSIX_B6
#define GATE_DEFAULT_CONDITIONS 0x0fu

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
/* A wait instruction goes in cycle now: it is latched and visible in now + 1. stream_hi: the two
   ThreadConfig words that hold the high part of STREAMWAIT's target. */
void gate_latch(struct gate *g, unsigned thread, const struct entry *e, uint64_t now,
                const uint16_t *stream_hi, struct probe *p);
/* The condition was met in cycle now. */
void gate_unlatch(struct gate *g, unsigned thread, uint64_t now, struct probe *p);

/* Does the latched wait catch this instruction? */
static inline bool gate_catches(const struct gate *g, uint8_t op)
{
    return g->latched && op_caught(op, g->block);
}

#endif
