/*
 * frontend.c - one thread's path from the core's push to the Wait Gate.
 *
 * ISA pages: PushTensixInstruction (28/32 rule, B enters behind the MOP expander),
 * TensixCoprocessor/README (a word is lost when B and the expander meet), MOPExpander, REPLAY.
 * Rules in time: docs/timing.md 2.
 *
 * Invariants: tracked <= Q1_DEPTH; every tracked word is in Q1, or it (or its expansion) is in the
 * expanders, Q2 or Q3; q2.n <= Q2_DEPTH; q3.n <= Q3_DEPTH.
 *
 * Inaccuracies: of Auto TTSync only its tracking is here, the rest is in tile/ttsync.c; RESOURCEDECL is
 * swallowed at the push. The debug bus does not push.
 */
#include "front/frontend.h"

#include <string.h>

#include "isa/tensix.h"
#include "isa/timing.h"
#include "probe/probe.h"
#include "wait/wait.h"

_Static_assert(ROOM_Q1_THRESHOLD + T_Q1_WIDTH <= T_Q1_DEPTH && T_Q1_DEPTH <= QUEUE_MAX &&
                   ROOM_Q2_DEPTH <= QUEUE_MAX && ROOM_Q3_DEPTH <= QUEUE_MAX,
               "queues have room");

void frontend_reset(struct frontend *f, unsigned thread, const struct timing *t)
{
    memset(f, 0, sizeof *f);
    f->thread = (uint8_t)thread;
    f->depth2 = (uint8_t)t->n.Q2_DEPTH;
    f->depth3 = (uint8_t)t->n.Q3_DEPTH;
    f->threshold = (uint8_t)t->n.Q1_THRESHOLD;
    mop_reset(&f->mop, t);
    replay_reset(&f->replay);
}

bool frontend_push(struct frontend *f, const uint32_t *words, unsigned n, unsigned tag)
{
    assert(n >= 1 && n <= T_Q1_WIDTH);
    if (!frontend_can_push(f))
        return false;
    for (unsigned i = 0; i < n; i++) {
        if (words[i] >> 24 == TENSIX_OP_RESOURCEDECL)
            continue;
        f->in[f->n_in++] =
            (struct entry){.word = words[i],
                           .tag = (uint16_t)tag,
                           .op = (uint8_t)(words[i] >> 24),
                           .flags = (uint8_t)(ENTRY_RETIRES | (n > 1 ? ENTRY_FUSED : 0))};
    }
    return true;
}

void frontend_tag(struct frontend *f, const uint32_t *words, const uint16_t *tags, unsigned n)
{
    unsigned k = 0;
    for (unsigned i = 0; i < n; i++)
        if (words[i] >> 24 != TENSIX_OP_RESOURCEDECL)
            f->in[k++].tag = tags[i];
}

void frontend_push_b(struct frontend *f, uint32_t word, unsigned tag)
{
    f->b_pending = true;
    f->b_taken = false;
    f->b_entry =
        (struct entry){.word = word, .tag = (uint16_t)tag, .op = (uint8_t)(word >> 24), .flags = 0};
}

void frontend_write_mop_cfg(struct frontend *f, unsigned i, uint32_t value, struct probe *p)
{
    if (mop_expands(&f->mop))
        probe_diag(p, DIAG_MOPCFG_RACE, OWNER_CORE_T0 + f->thread, 0, value, i);
    f->cfg_write = true;
    f->cfg_index = (uint8_t)i;
    f->cfg_value = value;
}

static void frontend_report_replay(struct frontend *f, const struct replay_out *out,
                                   struct probe *p)
{
    const struct entry *e = &out->word;
    unsigned agent = OWNER_T0 + f->thread;
    if (out->replay_taken)
        probe_event(
            p, EV_REPLAY, agent, out->taken.tag, out->taken.word, replay_count(out->taken.word));
    if (out->recorded)
        probe_event(p, EV_RECORDED, agent, e->tag, e->word, out->record_slot);
    if (out->recorded && out->fused)
        probe_diag(p, DIAG_FUSED_RECORD, agent, e->tag, e->word, 0);
}

/* The REPLAY at the head of Q2 is taken and gives its first word in the same cycle. */
static void frontend_play(struct frontend *f, struct probe *p)
{
    const struct entry *e = queue_head(&f->q2);
    probe_event(p, EV_REPLAY, OWNER_T0 + f->thread, e->tag, e->word, replay_count(e->word));
    replay_start(&f->replay, e);
    queue_pop(&f->q2);
    replay_play(&f->replay, queue_back(&f->q3));
}

bool frontend_clock_replay(struct frontend *f, bool room3, struct probe *p)
{
    uint8_t bubble = f->replay.emitted_wait; /* on its way to the gate: that moves too */
    if (replay_starts(&f->replay, &f->q2)) {
        if (room3)
            frontend_play(f, p);
        return room3;
    }
    struct replay_out out = replay_clock(&f->replay, &f->q2, room3, f->mop.emitted_wait);
    if (!out.moved)
        return bubble != f->replay.emitted_wait;
    if (out.gave)
        queue_push(&f->q3, out.word);
    if (out.released)
        frontend_release(f);
    if (out.replay_taken || out.recorded)
        frontend_report_replay(f, &out, p);
    return true;
}

/* The MOP expander's word, unless core B takes the slot in Q2. */
static void frontend_enter_q2(struct frontend *f, bool room2, const struct mop_out *out,
                              struct probe *p)
{
    if (f->b_pending && room2) {
        f->b_taken = true;
        queue_push(&f->q2, f->b_entry);
        probe_event(p, EV_PUSH_B, OWNER_CORE_B, f->b_entry.tag, f->b_entry.word, f->thread);
        if (out->gave) {
            if (out->word.flags & ENTRY_RETIRES)
                frontend_release(f);
            probe_diag(p, DIAG_LOST_WORD, OWNER_T0 + f->thread, out->word.tag, out->word.word, 0);
        }
    } else if (out->gave) {
        queue_push(&f->q2, out->word);
    }
}

/* The MOP has just left Q1, where it can still be read. */
static void frontend_report_mop(const struct frontend *f, bool outer_bug, struct probe *p)
{
    const struct entry *e = &f->q1.slot[(f->q1.head + QUEUE_MAX - 1u) % QUEUE_MAX];
    unsigned agent = OWNER_T0 + f->thread;
    probe_event(p, EV_MOP, agent, e->tag, e->word, f->mop.template_);
    if (outer_bug)
        probe_diag(p, DIAG_MOP_OUTER_BUG, agent, e->tag, e->word, 0);
}

bool frontend_clock_mop(struct frontend *f, bool room2, struct probe *p)
{
    uint8_t bubble = f->mop.emitted_wait;
    struct mop_out out = {0};
    if (f->mop.active && !f->b_pending) {
        if (room2)
            mop_give(&f->mop, queue_back(&f->q2));
        return room2;
    }
    if (f->mop.active) {
        out.gave = out.moved = room2;
        if (room2)
            mop_give(&f->mop, &out.word);
    } else if (!mop_passes(&f->mop, &f->q1)) {
        out = mop_clock(&f->mop, &f->q1, room2);
        f->n_mop_cfg = (uint8_t)(f->n_mop_cfg - out.cfg_taken);
    } else if (room2) {
        out = (struct mop_out){.word = *queue_head(&f->q1), .gave = true, .moved = true};
        queue_pop(&f->q1);
    }
    f->b_taken = false;
    if (out.gave || f->b_pending)
        frontend_enter_q2(f, room2, &out, p);
    if (out.released)
        frontend_release(f);
    if (out.mop_taken)
        frontend_report_mop(f, out.outer_bug, p);
    f->b_pending = false;
    return out.moved || f->b_taken || bubble != f->mop.emitted_wait;
}

void frontend_take_mop(struct frontend *f, struct probe *p)
{
    struct entry e = *queue_head(&f->q1);
    if (e.op == TENSIX_OP_MOP_CFG) {
        frontend_clock_mop(f, true, p);
        return;
    }
    queue_pop(&f->q1);
    frontend_report_mop(f, mop_start(&f->mop, &e), p);
    if (!mop_expands(&f->mop) && e.flags & ENTRY_RETIRES)
        frontend_release(f);
}

void frontend_take_in(struct frontend *f)
{
    for (unsigned i = 0; i < f->n_in; i++) {
        queue_push(&f->q1, f->in[i]);
        f->n_mop_cfg = (uint8_t)(f->n_mop_cfg + (f->in[i].op == TENSIX_OP_MOP_CFG));
    }
    f->tracked = (uint8_t)(f->tracked + f->n_in);
    f->n_in = 0;
    if (f->cfg_write)
        f->mop.cfg[f->cfg_index] = f->cfg_value;
    f->cfg_write = false;
}

bool frontend_empty(const struct frontend *f)
{
    return !(f->q1.n | f->q2.n | f->q3.n | f->n_in) && !mop_expands(&f->mop) &&
           f->replay.mode != REPLAY_PLAY && !f->b_pending;
}
