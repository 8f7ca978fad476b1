/*
 * replay.c - Replay expander of one thread: the second stage of the front end.
 *
 * ISA page: REPLAY (Wormhole; Blackhole: similar). In: Q2. Out: at most one word per cycle to Q3.
 * Rules in time: docs/timing.md 2.12 to 2.18.
 *
 * Invariant: `left` is 0 exactly in REPLAY_PASS.
 *
 * Inaccuracies: the behaviour of silicon with a fused bundle inside a recording is not public; the
 * bundle is recorded word by word here and reported.
 */
#include "front/replay.h"

#include <string.h>

#include "isa/tensix.h"
#include "wait/wait.h"

void replay_reset(struct replay *r)
{
    memset(r, 0, sizeof *r);
    r->emitted_wait = WAIT_IDLE;
}

/* Takes the REPLAY at the head of q2, which starts a recording. */
static void replay_load(struct replay *r, struct queue *q2, struct replay_out *out)
{
    struct entry e = *queue_head(q2);
    struct tensix_REPLAY a = tensix_REPLAY_decode(e.word);
    queue_pop(q2);
    r->index = (uint8_t)(a.start_idx % REPLAY_SLOTS);
    r->left = (uint8_t)replay_count(e.word);
    r->mode =
        !r->left ? REPLAY_PASS : (a.execute_while_loading ? REPLAY_RECORD_EXEC : REPLAY_RECORD);
    r->emitted_wait = WAIT_REPLAY_LOAD;
    out->replay_taken = true;
    out->taken = e;
    out->moved = true;
    out->released = e.flags & ENTRY_RETIRES;
}

static void replay_record(struct replay *r, struct queue *q2, struct replay_out *out)
{
    struct entry e = *queue_head(q2);
    queue_pop(q2);
    bool exec = r->mode == REPLAY_RECORD_EXEC;
    out->record_slot = (uint8_t)replay_next_slot(r);
    r->slot[out->record_slot] = e;
    r->records++;
    out->word = e;
    out->recorded = true;
    out->fused = e.flags & ENTRY_FUSED;
    out->moved = true;
    if (exec) {
        out->gave = true;
    } else {
        out->released = e.flags & ENTRY_RETIRES;
        r->emitted_wait = WAIT_RECORD;
    }
    if (!--r->left)
        r->mode = REPLAY_PASS;
}

struct replay_out replay_clock(struct replay *r, struct queue *q2, bool room, uint8_t upstream_wait)
{
    struct replay_out out = {0};
    assert(r->mode != REPLAY_PLAY);
    if (!q2->n)
        r->emitted_wait = upstream_wait;
    else if (r->mode == REPLAY_PASS)
        replay_load(r, q2, &out);
    else if (room || r->mode == REPLAY_RECORD)
        replay_record(r, q2, &out);
    return out;
}
