/*
 * mop.h - MOP expander of one thread.
 *
 * ISA pages: MOPExpander, MOP, MOP_CFG. Rules: docs/timing.md 2.5 to 2.10.
 */
#ifndef WG_FRONT_MOP_H
#define WG_FRONT_MOP_H

#include "base/hot.h"
#include "isa/tensix.h"
#include "isa/timing.h"
#include "state/queue.h"

#define MOP_CFG_WORDS 9

enum mop_step { /* template 0 */
                MOP_A0,
                MOP_A1,
                MOP_A2,
                MOP_A3,
                MOP_B,
                MOP_SKIP_A0,
                MOP_SKIP_B,
                /* template 1 */
                MOP_START,
                MOP_LOOP,
                MOP_END0,
                MOP_END1
};

/* Which words of the body are given; whether the two words of the inner loop take turns. */
enum {
    MOP_HAS_B = 1,
    MOP_HAS_A123 = 2,
    MOP_HAS_START = 4,
    MOP_HAS_END0 = 8,
    MOP_HAS_END1 = 16,
    MOP_ALTERNATES = 32,
    MOP_HAS_AROUND = MOP_HAS_START | MOP_HAS_END0 | MOP_HAS_END1
};

/* MopCfg by its meaning in each template. */
enum { MOP_CFG0_FLAGS = 1, MOP_CFG0_B, MOP_CFG0_A0, MOP_CFG0_SKIP_A0 = 7, MOP_CFG0_SKIP_B };
enum {
    MOP_CFG1_OUTER,
    MOP_CFG1_INNER,
    MOP_CFG1_START,
    MOP_CFG1_END0,
    MOP_CFG1_END1,
    MOP_CFG1_LOOP,
    MOP_CFG1_LOOP1,
    MOP_CFG1_LOOP0_LAST, /* last inner step of the last outer round */
    MOP_CFG1_LOOP1_LAST  /* last inner step of any other round */
};

#define MOP_PAUSED 0x80u /* bit of mop.transition: there is a pause */

struct mop {
    uint32_t cfg[MOP_CFG_WORDS]; /* MopCfg, written by the core, read live */
    uint16_t mask_hi;            /* from MOP_CFG */
    bool active;                 /* an expansion is in progress */
    bool starting;               /* a MOP was taken, and gives its first word after `pause` */
    uint8_t transition;   /* the last thing taken was a MOP: a non-MOP costs so many dead cycles */
    uint8_t pause;        /* cycles for which the expander does nothing */
    uint8_t template_;    /* 0: zmask loop, 1: double loop */
    uint8_t step;         /* position inside the loop body, enum mop_step */
    uint8_t has;          /* which words of the body are given, MOP_HAS_* */
    uint8_t parent_flags; /* flags of the MOP word, passed to the last word given */
    uint16_t parent_tag;
    uint16_t outer, inner;             /* rounds done */
    uint16_t outer_count, inner_count; /* template 0: outer_count steps */
    uint32_t mask;                     /* template 0: zmask, shifted as steps pass */
    uint8_t emitted_wait; /* why nothing was given in the last cycle: enum wait_cause */
    struct mop_time {
        uint8_t first, dead, cfg,
            empty; /* MOP_FIRST_EMIT, MOP_DEAD, MOP_CFG_COST, MOP_EMPTY_COST */
    } time;
};

/* Told to the caller after a cycle. */
struct mop_out {
    struct entry word; /* valid if gave */
    bool gave;         /* a word was given to Q2 */
    bool moved;        /* anything happened: a word was taken or given, or a dead cycle passed */
    bool released;     /* a tracking entry was released without a word being given */
    bool mop_taken, cfg_taken, outer_bug;
};

void mop_reset(struct mop *m, const struct timing *t);
/* A MOP has been taken and has still words to give. */
static inline bool mop_expands(const struct mop *m)
{
    return m->active | m->starting;
}
/* The expander has nothing of its own to do: the head of q1, if there is one, just passes. */
static inline bool mop_passes(const struct mop *m, const struct queue *q1)
{
    uint8_t op = q1->slot[q1->head].op;
    return !m->active && !m->transition && q1->n && op != TENSIX_OP_MOP && op != TENSIX_OP_MOP_CFG;
}

/* How many times this word, which was given last or is the next, is at least given from here on, before any other and
   not as the last one. */
HOT_INLINE unsigned mop_again(const struct mop *m, uint32_t word)
{
    bool same = m->active && m->step == MOP_LOOP && !(m->has & MOP_ALTERNATES) &&
                m->cfg[MOP_CFG1_LOOP] == word && m->inner + 1u < m->inner_count;
    return same ? m->inner_count - 1u - m->inner : 0;
}
/* Starts to expand a MOP, unless it gives nothing. True if the documented outer-count bug struck. */
bool mop_start(struct mop *m, const struct entry *e);
/* Gives the next word, whichever it is. */
void mop_give_any(struct mop *m, struct entry *to);
/* Gives the next word of the expansion in progress; the last one carries the MOP's tracking entry. Most of the time that
   is one more round of the inner loop, but not the last. */
HOT_INLINE void mop_give(struct mop *m, struct entry *to)
{
    if (!LIKELY(m->step == MOP_LOOP && m->inner + 1u < m->inner_count)) {
        mop_give_any(m, to);
        return;
    }
    bool second = m->has & MOP_ALTERNATES && m->inner & 1;
    uint32_t word = m->cfg[second ? MOP_CFG1_LOOP1 : MOP_CFG1_LOOP];
    m->inner++;
    m->transition = 0;
    *to = (struct entry){.word = word, .tag = m->parent_tag, .op = (uint8_t)(word >> 24)};
}
/* Gives up to `room` words of the expansion at once; stops before a REPLAY. Returns how many. */
unsigned mop_give_row(struct mop *m, struct entry *to, unsigned room);
/* One cycle in which nothing expands and !mop_passes(); room: Q2 had room at the end of the last. */
struct mop_out mop_clock(struct mop *m, struct queue *q1, bool room);
/* Would this MOP give nothing? */
bool mop_is_empty(const struct mop *m, uint32_t word);
/* No MOP is expanding and none waits in q1. */
bool mop_idle(const struct mop *m, const struct queue *q1);

#endif
