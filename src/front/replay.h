/*
 * replay.h - Replay expander of one thread.
 *
 * ISA page: REPLAY. Rules: docs/timing.md 2.12 to 2.18.
 */
#ifndef WG_FRONT_REPLAY_H
#define WG_FRONT_REPLAY_H

#include "isa/tensix.h"
#include "isa/timing.h"
#include "state/queue.h"

#define REPLAY_SLOTS ((unsigned)T_REPLAY_DEPTH)

enum replay_mode { REPLAY_PASS, REPLAY_PLAY, REPLAY_RECORD, REPLAY_RECORD_EXEC };

struct replay {
    uint8_t mode;         /* enum replay_mode */
    uint8_t index;        /* next slot */
    uint8_t left;         /* words still to play or record */
    uint8_t parent_flags; /* playback: flags of the REPLAY word, passed to the last word given */
    uint8_t emitted_wait; /* why nothing was given in the last cycle: enum wait_cause */
    uint32_t word;        /* the REPLAY that plays */
    uint32_t records;     /* words recorded so far */
    struct entry slot[REPLAY_SLOTS];
};

/* Words a REPLAY plays or records: 0 means 64. */
static inline unsigned replay_count(uint32_t word)
{
    unsigned n = tensix_REPLAY_decode(word).len & 63;
    return n ? n : 64u;
}

static inline unsigned replay_next_slot(struct replay *r)
{
    unsigned i = r->index;
    r->index = (uint8_t)((i + 1) % REPLAY_SLOTS);
    return i;
}

/* Gives the next word of a playback; the last one carries the REPLAY's tracking entry. */
static inline void replay_play(struct replay *r, struct entry *to)
{
    *to = r->slot[replay_next_slot(r)];
    to->flags = 0;
    if (--r->left == 0)
        to->flags = r->parent_flags & ENTRY_RETIRES;
    if (!r->left)
        r->mode = REPLAY_PASS;
}

/* The head of q2 is a REPLAY that plays. */
static inline bool replay_starts(const struct replay *r, const struct queue *q2)
{
    const struct entry *e = &q2->slot[q2->head];
    return r->mode == REPLAY_PASS && q2->n && e->op == TENSIX_OP_REPLAY &&
           !tensix_REPLAY_decode(e->word).load_mode;
}

/* Takes such a REPLAY. */
static inline void replay_start(struct replay *r, const struct entry *e)
{
    r->mode = REPLAY_PLAY;
    r->index = (uint8_t)(tensix_REPLAY_decode(e->word).start_idx % REPLAY_SLOTS);
    r->left = (uint8_t)replay_count(e->word);
    r->parent_flags = e->flags;
    r->word = e->word;
}

struct replay_out {
    struct entry word; /* valid if gave */
    bool gave, moved, released;
    bool replay_taken;
    struct entry taken;  /* the REPLAY */
    bool recorded;       /* a word was recorded ... */
    uint8_t record_slot; /* ... here */
    bool fused;          /* ... and it came in a fused bundle */
};

void replay_reset(struct replay *r);
/* The expander has nothing of its own to do: the head of q2, if there is one, just passes. */
static inline bool replay_passes(const struct replay *r, const struct queue *q2)
{
    return r->mode == REPLAY_PASS && q2->n && q2->slot[q2->head].op != TENSIX_OP_REPLAY;
}

/* One cycle in which neither replay_passes() nor replay_starts() nor a playback runs; room: Q3 had room at the end of the last cycle;
   upstream_wait: why the MOP expander gave nothing in it. */
struct replay_out replay_clock(struct replay *r, struct queue *q2, bool room,
                               uint8_t upstream_wait);

#endif
