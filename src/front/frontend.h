/*
 * frontend.h - everything of one thread before its Wait Gate: Q1, MOP expander, Q2, Replay
 * expander, Q3, and the tracking of pushed words (docs/timing.md 2).
 *
 * Use per cycle: cores push at any time in the cycle (their words are staged); the gate looks at
 * frontend_head() and may frontend_pop(); then frontend_clock() once and frontend_end_cycle() once.
 * Nothing pushed or given in a cycle is seen before the next.
 */
#ifndef WG_FRONT_FRONTEND_H
#define WG_FRONT_FRONTEND_H

#include "base/hot.h"
#include "front/mop.h"
#include "front/replay.h"
#include "isa/timing.h"
#include "state/queue.h"
#include "wait/wait.h"

struct probe;

struct frontend {
    struct queue q1, q2, q3;
    struct mop mop;
    struct replay replay;
    uint8_t thread;
    uint8_t depth2, depth3; /* Q2_DEPTH, Q3_DEPTH */
    uint8_t threshold;      /* Q1_THRESHOLD */
    uint8_t tracked;        /* tracking entries in use */
    bool popped;            /* the gate took the head in this cycle */
    uint8_t n_mop_cfg;      /* MOP_CFG words in Q1 */
    uint8_t n_in;           /* words staged by the core in this cycle */
    struct entry in[4];
    bool cfg_write; /* a MopCfg write of this cycle */
    uint8_t cfg_index;
    uint32_t cfg_value;
    bool b_pending; /* core B wants to push b_entry in this cycle */
    bool b_taken;   /* ... and did */
    struct entry b_entry;
};

void frontend_reset(struct frontend *f, unsigned thread, const struct timing *t);

/* The word at the gate, or NULL. */
static inline const struct entry *frontend_head(struct frontend *f)
{
    return f->q3.n ? queue_head(&f->q3) : 0;
}

static inline void frontend_release(struct frontend *f)
{
    assert(f->tracked);
    f->tracked--;
}

/* The gate lets the head go. */
HOT_INLINE void frontend_pop(struct frontend *f)
{
    f->popped = true;
    if (queue_head(&f->q3)->flags & ENTRY_RETIRES)
        frontend_release(f);
    queue_pop(&f->q3);
}

/* The expanders' own work: anything but passing a word on. room: the queue behind had room at the
   end of the last cycle. True if anything moved. */
bool frontend_clock_replay(struct frontend *f, bool room3, struct probe *p);
bool frontend_clock_mop(struct frontend *f, bool room2, struct probe *p);

/* Without time: takes the MOP or MOP_CFG at the head of Q1; the words of a MOP come by mop_give(). */
void frontend_take_mop(struct frontend *f, struct probe *p);

/* Nothing before the MOP expander or in it, and nothing changes there. */
HOT_INLINE bool frontend_idles(const struct frontend *f)
{
    return !(f->q1.n | f->mop.active | f->mop.transition | f->b_pending | f->b_taken) &&
           f->mop.emitted_wait == WAIT_IDLE;
}

/* Moves the expanders by one cycle; true if anything moved. */
HOT_INLINE bool frontend_clock(struct frontend *f, struct probe *p)
{
    bool room3 = f->q3.n + f->popped < f->depth3;
    bool room2 = f->q2.n < f->depth2;
    bool moved = room3;
    f->popped = false;
    if (f->replay.mode == REPLAY_PLAY) {
        if (room3)
            replay_play(&f->replay, queue_back(&f->q3));
    } else if (replay_passes(&f->replay, &f->q2)) {
        if (room3)
            queue_move(&f->q2, &f->q3);
    } else if (!f->q2.n) { /* a bubble on its way to the gate: that moves too */
        moved = f->replay.emitted_wait != f->mop.emitted_wait;
        f->replay.emitted_wait = f->mop.emitted_wait;
    } else {
        moved = frontend_clock_replay(f, room3, p);
    }
    if ((f->mop.active && !room2 && !f->b_pending) || frontend_idles(f))
        return moved;
    if (f->b_pending || !mop_passes(&f->mop, &f->q1)) {
        moved |= frontend_clock_mop(f, room2, p);
    } else if (room2) {
        queue_move(&f->q1, &f->q2);
        moved = true;
    }
    return moved;
}

/* Can the thread's core push in this cycle? */
static inline bool frontend_can_push(const struct frontend *f)
{
    return f->tracked <= f->threshold && !f->n_in;
}
/* The thread's core pushes n words (1..4) as one bundle; false, and nothing happens, if it must wait. */
bool frontend_push(struct frontend *f, const uint32_t *words, unsigned n, unsigned tag);
/* The words that were pushed in this cycle come from places of their own: tags of all n words. */
void frontend_tag(struct frontend *f, const uint32_t *words, const uint16_t *tags, unsigned n);
/* The same without time, word by word: it is in Q1 at once. frontend_can_push() says whether a bundle may come. False:
   it is swallowed. */
HOT_INLINE bool frontend_enter(struct frontend *f, uint32_t word, unsigned tag, unsigned flags)
{
    uint8_t op = (uint8_t)(word >> 24);
    if (op <= TENSIX_OP_RESOURCEDECL) { /* one compare for both */
        if (op == TENSIX_OP_RESOURCEDECL)
            return false;
        f->n_mop_cfg = (uint8_t)(f->n_mop_cfg + (op == TENSIX_OP_MOP_CFG));
    }
    f->tracked++;
    *queue_back(&f->q1) =
        (struct entry){.word = word, .tag = (uint16_t)tag, .op = op, .flags = (uint8_t)flags};
    return true;
}
_Static_assert(TENSIX_OP_MOP_CFG < TENSIX_OP_RESOURCEDECL, "below it");
/* Core B wants to push behind the MOP expander: set before frontend_clock(), which answers in
   b_taken. */
void frontend_push_b(struct frontend *f, uint32_t word, unsigned tag);
/* The core writes MopCfg[i]; visible in the next cycle. */
void frontend_write_mop_cfg(struct frontend *f, unsigned i, uint32_t value, struct probe *p);
/* Nothing is inside. */
bool frontend_empty(const struct frontend *f);
/* Takes in what was staged in the cycle. */
void frontend_take_in(struct frontend *f);

/* End of the cycle: takes in what was pushed. */
HOT_INLINE void frontend_end_cycle(struct frontend *f)
{
    if (f->n_in | f->cfg_write)
        frontend_take_in(f);
}

/* Why the slot at the gate is empty: enum wait_cause. */
static inline uint8_t frontend_bubble(const struct frontend *f)
{
    return f->replay.emitted_wait;
}

#endif
