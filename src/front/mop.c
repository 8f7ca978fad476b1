/*
 * mop.c - MOP expander of one thread: the first stage of the front end.
 *
 * ISA pages: MOPExpander, MOP, MOP_CFG (Wormhole; the Blackhole pages call it similar). In: Q1.
 * Out: at most one word per cycle to Q2. Rules in time: docs/timing.md 2.5 to 2.10.
 *
 * An expansion is a cursor (step, outer, inner) that always stands on the next word to give;
 * mop_seek1() moves it over everything that gives nothing, however long, because the hardware
 * resolves control flow for free. Invariant: while `active`, the cursor stands on a word.
 *
 * Inaccuracies: counts, flags and the NOP tests are sampled when the MOP is taken, the words
 * themselves when they are given; hardware is documented to sample "mostly" as needed. A write
 * during an expansion is a race there, and is reported here. The cycle in which a MOP gives its
 * first word and the cost of an empty MOP are choices (timing.def MOP_FIRST_EMIT, MOP_EMPTY_COST).
 */
#include "front/mop.h"

#include <string.h>

#include "base/bits.h"
#include "isa/tensix.h"
#include "wait/wait.h"

void mop_reset(struct mop *m, const struct timing *t)
{
    memset(m, 0, sizeof *m);
    m->time = (struct mop_time){.first = (uint8_t)t->n.MOP_FIRST_EMIT,
                                .dead = (uint8_t)t->n.MOP_DEAD,
                                .cfg = (uint8_t)t->n.MOP_CFG_COST,
                                .empty = (uint8_t)t->n.MOP_EMPTY_COST};
    m->emitted_wait = WAIT_IDLE;
}

/* Plain NOP only: DMANOP and SFPNOP are given like any other word. */
static bool mop_is_nop(uint32_t word)
{
    return word >> 24 == TENSIX_OP_NOP;
}

static void mop_begin0(struct mop *m, uint32_t word)
{
    struct tensix_MOP a = tensix_MOP_decode(word);
    m->has = (uint8_t)(m->cfg[MOP_CFG0_FLAGS] & (MOP_HAS_B | MOP_HAS_A123));
    m->outer_count = (uint16_t)(a.loop_count + 1);
    m->mask = (uint32_t)m->mask_hi << 16 | a.zmask_lo16_or_loop_count;
    m->step = m->mask & 1 ? MOP_SKIP_A0 : MOP_A0;
}

/* True if the documented outer-count bug struck. */
static bool mop_begin1(struct mop *m)
{
    m->outer_count = (uint16_t)(m->cfg[MOP_CFG1_OUTER] & 127);
    m->inner_count = (uint16_t)(m->cfg[MOP_CFG1_INNER] & 127);
    m->has = 0;
    if (!mop_is_nop(m->cfg[MOP_CFG1_START]))
        m->has |= MOP_HAS_START;
    if (!mop_is_nop(m->cfg[MOP_CFG1_END0])) {
        m->has |= MOP_HAS_END0;
        if (!mop_is_nop(m->cfg[MOP_CFG1_END1]))
            m->has |= MOP_HAS_END1;
    }
    if (!mop_is_nop(m->cfg[MOP_CFG1_LOOP1])) {
        m->has |= MOP_ALTERNATES;
        m->inner_count = (uint16_t)(m->inner_count * 2);
    }
    m->step = MOP_START;
    bool bug = m->outer_count == 1 && !(m->has & MOP_HAS_START) && !m->inner_count &&
               (m->has & MOP_HAS_END0);
    if (bug)
        m->outer_count = (uint16_t)(m->outer_count + 128);
    return bug;
}

/* Moves the cursor forward to the next word; false if there is none. */
static bool mop_seek1(struct mop *m)
{
    while (m->outer < m->outer_count) {
        switch (m->step) {
        case MOP_START:
            if (m->has & MOP_HAS_START)
                return true;
            m->step = MOP_LOOP;
            break;
        case MOP_LOOP:
            if (m->inner < m->inner_count)
                return true;
            m->step = MOP_END0;
            break;
        case MOP_END0:
            if (m->has & MOP_HAS_END0)
                return true;
            m->step = MOP_END1;
            break;
        default:
            if (m->step == MOP_END1 && (m->has & MOP_HAS_END1))
                return true;
            m->step = MOP_START;
            m->inner = 0;
            m->outer++;
        }
    }
    return false;
}

/* Steps past the word just given in the double loop. With nothing around the inner loop the next round follows at once. */
static void mop_advance1(struct mop *m)
{
    switch (m->step) {
    case MOP_START: m->step = MOP_LOOP; break;
    case MOP_LOOP:
        m->inner++;
        if (m->inner == m->inner_count && !(m->has & MOP_HAS_AROUND)) {
            m->inner = 0;
            m->outer++;
        }
        break;
    case MOP_END0: m->step = MOP_END1; break;
    default:
        m->step = MOP_START;
        m->inner = 0;
        m->outer++;
    }
}

/* Steps past the word just given in the zmask loop; false after the last one. */
static bool mop_advance0(struct mop *m)
{
    switch (m->step) {
    case MOP_A0:
        if (m->has & MOP_HAS_A123) {
            m->step = MOP_A1;
            return true;
        }
        break;
    case MOP_A1:
    case MOP_A2: m->step = (uint8_t)(m->step + 1); return true;
    case MOP_SKIP_A0:
        if (m->has & MOP_HAS_B) {
            m->step = MOP_SKIP_B;
            return true;
        }
        break;
    default: break;
    }
    if (m->step <= MOP_A3 && (m->has & MOP_HAS_B)) {
        m->step = MOP_B;
        return true;
    }
    m->mask >>= 1;
    m->step = m->mask & 1 ? MOP_SKIP_A0 : MOP_A0;
    return ++m->outer < m->outer_count;
}

static uint32_t mop_loop_word(const struct mop *m)
{
    if (m->inner + 1 != m->inner_count)
        return m->cfg[m->has & MOP_ALTERNATES && m->inner & 1 ? MOP_CFG1_LOOP1 : MOP_CFG1_LOOP];
    return m->cfg[m->outer + 1 == m->outer_count ? MOP_CFG1_LOOP0_LAST : MOP_CFG1_LOOP1_LAST];
}

/* The word under the cursor, read from MopCfg as it is now. */
static uint32_t mop_word(const struct mop *m)
{
    switch (m->step) {
    case MOP_B: return m->cfg[MOP_CFG0_B];
    case MOP_SKIP_A0: return m->cfg[MOP_CFG0_SKIP_A0];
    case MOP_SKIP_B: return m->cfg[MOP_CFG0_SKIP_B];
    case MOP_START: return m->cfg[MOP_CFG1_START];
    case MOP_LOOP: return mop_loop_word(m);
    case MOP_END0: return m->cfg[MOP_CFG1_END0];
    case MOP_END1: return m->cfg[MOP_CFG1_END1];
    default: return m->cfg[MOP_CFG0_A0 + m->step];
    }
}

void mop_give_any(struct mop *m, struct entry *to)
{
    uint32_t word = mop_word(m);
    if (m->template_) {
        mop_advance1(m);
        m->active = mop_seek1(m);
    } else {
        m->active = mop_advance0(m);
    }
    m->transition = m->active ? 0 : m->time.dead;
    *to = (struct entry){.word = word,
                         .tag = m->parent_tag,
                         .op = (uint8_t)(word >> 24),
                         .flags = m->active ? 0 : m->parent_flags & ENTRY_RETIRES};
}

unsigned mop_give_row(struct mop *m, struct entry *to, unsigned room)
{
    unsigned n = 0;
    while (n < room && m->active) {
        uint32_t word = mop_word(m);
        unsigned same = mop_again(m, word);
        if (word >> 24 == TENSIX_OP_REPLAY)
            break;
        if (!same) {
            mop_give_any(m, &to[n++]);
            continue;
        }
        same = same < room - n ? same : room - n;
        m->inner = (uint16_t)(m->inner + same);
        m->transition = false;
        for (; same; same--)
            to[n++] =
                (struct entry){.word = word, .tag = m->parent_tag, .op = (uint8_t)(word >> 24)};
    }
    return n;
}

/* A double loop without rounds or without words gives nothing; the zmask loop always does. */
bool mop_is_empty(const struct mop *m, uint32_t word)
{
    if (!tensix_MOP_decode(word).mop_type)
        return false;
    return !(m->cfg[MOP_CFG1_OUTER] & 127) ||
           (!(m->cfg[MOP_CFG1_INNER] & 127) && mop_is_nop(m->cfg[MOP_CFG1_START]) &&
            mop_is_nop(m->cfg[MOP_CFG1_END0]));
}

bool mop_start(struct mop *m, const struct entry *e)
{
    bool bug = false;
    m->parent_tag = e->tag;
    m->parent_flags = e->flags;
    m->outer = 0;
    m->inner = 0;
    m->template_ = (uint8_t)tensix_MOP_decode(e->word).mop_type;
    m->active = true;
    if (m->template_) {
        bug = mop_begin1(m);
        m->active = mop_seek1(m);
    } else {
        mop_begin0(m, e->word);
    }
    return bug;
}

/* Does nothing for so many cycles. */
static void mop_pause(struct mop *m, unsigned cycles)
{
    m->pause = (uint8_t)cycles;
    if (cycles)
        m->transition |= MOP_PAUSED;
}

/* Takes the MOP at the head of q1; unless it is empty, there is room for its first word. */
static void mop_take(struct mop *m, struct queue *q1, struct mop_out *out)
{
    struct entry e = *queue_head(q1);
    queue_pop(q1);
    out->mop_taken = true;
    out->moved = true;
    out->outer_bug = mop_start(m, &e);
    if (m->active && m->time.first) {
        m->active = false;
        m->starting = true;
        mop_pause(m, m->time.first);
        m->emitted_wait = WAIT_MOP_EMPTY;
    } else if (m->active) {
        mop_give(m, &out->word);
        out->gave = true;
    } else {
        m->transition = m->time.dead;
        mop_pause(m, m->time.empty - 1u);
        m->emitted_wait = WAIT_MOP_EMPTY;
        out->released = e.flags & ENTRY_RETIRES;
    }
}

/* A cycle of a pause passes; behind the last one of them a MOP that was taken gives its words. */
static void mop_wait(struct mop *m)
{
    if (--m->pause)
        return;
    m->transition &= (uint8_t)~MOP_PAUSED;
    m->active = m->starting;
    m->starting = false;
}

/* Outside an expansion: takes a MOP or MOP_CFG, or spends the dead cycle. */
static void mop_idle_clock(struct mop *m, struct queue *q1, bool room, struct mop_out *out)
{
    uint8_t op = q1->n ? queue_head(q1)->op : 0;
    if (m->transition & MOP_PAUSED) {
        mop_wait(m);
        out->moved = true;
        return;
    }
    if (q1->n && op == TENSIX_OP_MOP) {
        if (room || mop_is_empty(m, queue_head(q1)->word))
            mop_take(m, q1, out);
        return;
    }
    if (m->transition) {
        m->transition--;
        m->emitted_wait = q1->n ? WAIT_MOP_DEAD : WAIT_IDLE;
        out->moved = true;
        return;
    }
    if (!q1->n) {
        m->emitted_wait = WAIT_IDLE;
    } else if (op == TENSIX_OP_MOP_CFG) {
        struct entry e = *queue_head(q1);
        queue_pop(q1);
        m->mask_hi = (uint16_t)tensix_MOP_CFG_decode(e.word).zmask_hi16;
        m->emitted_wait = WAIT_MOP_CFG;
        mop_pause(m, m->time.cfg - 1u);
        out->cfg_taken = true;
        out->moved = true;
        out->released = e.flags & ENTRY_RETIRES;
    }
}

struct mop_out mop_clock(struct mop *m, struct queue *q1, bool room)
{
    struct mop_out out = {0};
    assert(!m->active);
    mop_idle_clock(m, q1, room, &out);
    return out;
}

bool mop_idle(const struct mop *m, const struct queue *q1)
{
    if (mop_expands(m))
        return false;
    for (unsigned i = 0; i < q1->n; i++)
        if (q1->slot[(q1->head + i) % QUEUE_MAX].op == TENSIX_OP_MOP)
            return false;
    return true;
}
