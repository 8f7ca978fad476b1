/*
 * replay.h - Replay expander of one thread.
 *
 * ISA page: REPLAY. Rules: docs/timing.md 2.12 to 2.18.
 */
#ifndef WG_UNIT_REPLAY_H
#define WG_UNIT_REPLAY_H

#include "unit/queue.h"

#define REPLAY_SLOTS 32u

enum replay_mode { REPLAY_PASS, REPLAY_PLAY, REPLAY_RECORD, REPLAY_RECORD_EXEC };

struct replay {
    uint8_t mode;         /* enum replay_mode */
    uint8_t index;        /* next slot */
    uint8_t left;         /* words still to play or record */
    uint8_t parent_flags; /* playback: flags of the REPLAY word, passed to the last word given */
    uint8_t emitted_wait; /* why nothing was given in the last cycle: enum wait_cause */
    struct entry slot[REPLAY_SLOTS];
};

struct replay_out {
    struct entry word; /* valid if gave */
    bool gave, moved, released;
    bool replay_taken;   /* word holds the REPLAY */
    bool recorded;       /* a word was recorded ... */
    uint8_t record_slot; /* ... here */
    bool fused;          /* ... and it came in a fused bundle */
};

void replay_reset(struct replay *r);
/* One cycle: q2 as it was, room: Q3 had room; upstream_wait: why the MOP expander gave nothing. */
struct replay_out replay_clock(struct replay *r, struct queue *q2, bool room,
                               uint8_t upstream_wait);

#endif
