/*
 * predict.h - where a branch or jump will probably go: two-bit counters, last targets, and a stack of
 * return addresses.
 *
 * Only speed depends on it: what is wrong is noticed in EX.
 *
 * **Inaccuracies**: no Alpha predicted this way; a mispredicted branch costs the three slots before EX.
 */
#ifndef WG_ALPHA_PREDICT_H
#define WG_ALPHA_PREDICT_H

#include <stdint.h>

#include "isa/alpha.h"

#define PREDICT_BRANCHES 1024u
#define PREDICT_TARGETS  256u
#define PREDICT_RETURNS  16u

struct predict {
    uint8_t counter[PREDICT_BRANCHES]; /* 0..3, 2 and 3: taken; 4 + that once it was seen */
    uint64_t target[PREDICT_TARGETS];
    uint64_t ret[PREDICT_RETURNS];
    uint8_t top;
};

/* Kinds of jumps: bits 15:14 of the word. */
#define PREDICT_JSR 1u
#define PREDICT_RET 2u
#define PREDICT_CO  3u

/* A branch that was never seen goes backwards and not forwards. */
static inline uint64_t predict_branch(const struct predict *p, uint64_t pc, int32_t distance)
{
    uint8_t c = p->counter[pc / 4 % PREDICT_BRANCHES];
    return pc + 4 + ((c ? c & 2 : distance < 0) ? (uint64_t)(int64_t)distance : 0);
}

static inline uint64_t predict_jump(struct predict *p, uint64_t pc, const struct alpha_insn *i)
{
    unsigned kind = i->word >> 14 & 3;
    if (i->op != ALPHA_OP_JMP) {
        if (i->op == ALPHA_OP_BSR)
            p->ret[p->top++ % PREDICT_RETURNS] = pc + 4;
        return pc + 4 + (uint64_t)(int64_t)i->imm;
    }
    uint64_t to =
        kind & 2 ? p->ret[--p->top % PREDICT_RETURNS] : p->target[pc / 4 % PREDICT_TARGETS];
    if (kind & 1)
        p->ret[p->top++ % PREDICT_RETURNS] = pc + 4;
    return to;
}

static inline void predict_train(struct predict *p, uint64_t pc, bool jump, bool taken,
                                 uint64_t target)
{
    if (jump) {
        p->target[pc / 4 % PREDICT_TARGETS] = target;
        return;
    }
    uint8_t *c = &p->counter[pc / 4 % PREDICT_BRANCHES], v = *c ? *c & 3 : taken ? 1 : 2;
    *c = (uint8_t)(4 | (taken ? v + (v < 3) : v - (v > 0)));
}

#endif
