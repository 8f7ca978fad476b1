/*
 * vector.h - Vector Unit (SFPU): rate, latency and the slot behind SFPSWAP and the shuffles.
 *
 * ISA pages: VectorUnit, SFPSWAP, SFPSHFT2 (Blackhole). Rules in time: docs/timing.md 4.14.
 */
#ifndef WG_UNIT_VECTOR_H
#define WG_UNIT_VECTOR_H

#include "base/bits.h"
#include "base/hot.h"
#include "isa/tensix.h"
#include "isa/timing.h"
#include "unit/config.h"
#include "unit/lanes.h"
#include "unit/op.h"
#include "unit/queue.h"
#include "unit/rwc.h"
#include "unit/vector_in.h"
#include "wait/wait.h"

struct vector {
    uint64_t done_at;  /* first cycle in which the pipe is empty */
    uint64_t swap_end; /* only SFPNOP goes before this cycle */
    uint8_t users;     /* threads that sent something since it was last empty */
    bool plain;        /* no vector code, though the host has it; reset keeps this */
    uint32_t seeds;    /* writes of PRNG_SEED that the lanes know of */
    struct lanes lanes;
};

void vector_reset(struct vector *v);
/* What an instruction does, by opcode. */
enum { VECTOR_LOADS = 1, VECTOR_SWAPS = 2, VECTOR_MAY_SHUFFLE = 4 };

extern const uint8_t vector_traits[256];

bool vector_shuffles(const struct entry *e, unsigned traits);
/* What the instruction does to lanes and Dst. */
void vector_run(struct vector *v, const struct vector_io *io, const struct entry *e);

HOT_INLINE struct vector_io vector_io_of(struct vector *v, struct dst *dst, struct rwc *rwc,
                                         const struct config *c, unsigned thread, struct probe *p)
{
    return (struct vector_io){.lanes = &v->lanes,
                              .dst = dst,
                              .rwc = &rwc->t[thread],
                              .config = c,
                              .cfg = c->word[config_state_id(c, thread)],
                              .thread_config = c->thread[thread],
                              .probe = p,
                              .thread = thread,
                              .plain = v->plain};
}

/* May e go in cycle now? Ledger key of the wait, 0 if it may. */
HOT_INLINE uint16_t vector_check(const struct vector *v, const struct entry *e, uint64_t now)
{
    if (now < v->swap_end && e->op != TENSIX_OP_SFPNOP)
        return ledger_key(WAIT_STRUCTURAL, OWNER_VECTOR);
    return 0;
}

/* The thread has sent something: C11 looks at who did since the pipe was last empty. */
HOT_INLINE void vector_use(struct vector *v, unsigned thread)
{
    v->users |= (uint8_t)(1u << thread);
}

/* The instruction goes; the caller sees to vector_use(). */
HOT_INLINE void vector_start(struct vector *v, const struct vector_io *io, const struct entry *e,
                             uint64_t now)
{
    unsigned traits = vector_traits[e->op];
    vector_run(v, io, e);
    if (traits & VECTOR_LOADS)
        rwc_modify(io->rwc, io->thread_config, bits_get(e->word, 13, 3), false);
    if (traits && vector_shuffles(e, traits))
        v->swap_end = now + 1 + T_SFPSWAP_WINDOW;
    uint64_t done = now + op_table[e->op].latency;
    if (now >= v->done_at)
        v->users = 0;
    if (done > v->done_at)
        v->done_at = done;
}

/* What C11 sees. */
static inline bool vector_busy(const struct vector *v, unsigned thread, uint64_t now)
{
    return now < v->done_at && (v->users >> thread) & 1;
}

#endif
