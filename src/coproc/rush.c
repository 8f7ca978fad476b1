/*
 * rush.c - the coprocessor, untimed: each thread runs until something holds it.
 *
 * Untimed is the same machine with all latencies zero. coproc_step() and coproc_drain() do that cycle by
 * cycle; this does the same word by word: a word goes straight through the expanders to the gate, is judged by the
 * same rules and started by the same functions, and then its unit finishes it. A word that does not end by
 * itself (an atomic that waits for L1) goes the long way.
 *
 * Threads go in the order of their virtual time (order.h): the one furthest behind runs until another one is, or until it changes
 * something that another one waits for. Rows of words that nobody else sees, of one unit, go as a whole.
 *
 * Invariant: nothing is in flight between two words but unpackers that wait for their bank.
 *
 * Inaccuracies: those of order.h. Not used while events are traced: then all go as far as they can.
 */
#include "coproc/rush.h"

#include <string.h>

#include "base/hot.h"
#include "base/watch.h"
#include "isa/tensix.h"

#define RUSH_WORDS 256u /* of one thread before the next has its turn */
#define RUSH_SLACK                                                                                 \
    4u /* by so much a thread may be later than the next agent: what cores do takes as long to arrive */
#define RUSH_ROOM       8u /* entries of a queue in use, at most, for its core to be worth a turn ... */
#define RUSH_ROOM_WAITS 64u /* ... unless it has waited longer than that */
#define RUSH_RETRY      64u /* before an atomic or a FLUSHDMA that waits looks again */
#define RUSH_VECTOR_ALONE                                                                          \
    16u /* before what is scheduled in the Vector Unit goes on without words */
#define RUSH_EATEN                                                                                 \
    (UINT64_C(1) << 22) /* words that expanders may keep: MOPs that are only recorded */

/* The latched wait still holds e. */
HOT_APART static bool rush_latch_holds(struct coproc *cp, unsigned thread, const struct entry *e)
{
    struct gate *g = &cp->gate[thread];
    bool waits = judge_latch(cp, thread) != 0;
    bool caught = op_caught(e->op, g->block);
    g->held |= caught;
    if (!waits && g->latched == GATE_STALLWAIT)
        rush_unit_order(cp, thread, g->conditions);
    if (!waits)
        gate_unlatch(g, thread, cp->now, &cp->probe);
    return waits && caught;
}

/* Banks that the Matrix Unit is about to use have been given: the thread is not earlier than that. False: it is too early. */
HOT_INLINE bool rush_has_banks(struct coproc *cp, unsigned thread, unsigned op)
{
    struct order *o = &cp->order;
    unsigned traits = matrix_traits[op];
    if (traits & MATRIX_USES_A)
        order_later(&o->at[thread], o->given[SRC_A][cp->src.issue_bank[SRC_A]]);
    if (traits & MATRIX_USES_B)
        order_later(&o->at[thread], o->given[SRC_B][cp->src.issue_bank[SRC_B]]);
    return o->at[thread] <= o->until;
}

/* Some words of the ring go, through gate and unit: the first, or a row; none if the first is held. */
HOT_INLINE unsigned rush_some(struct coproc *cp, unsigned thread, const struct entry *slot,
                              unsigned index, unsigned n)
{
    const struct entry *e = &slot[index];
    struct order *o = &cp->order;
    unsigned op = e->op, unit = op_table[op].unit, k = 0;
    bool held = false;
    if (cp->gate[thread].latched) {
        held = rush_latch_holds(cp, thread, e);
        n = cp->gate[thread].latched ? 1 : n;
    }
    if (cp->scalar.exec.busy && cp->scalar.exec.thread == thread)
        held = true; /* an atomic, a store to Src or a FLUSHDMA that waits */
    if (!held && unit == TENSIX_UNIT_MATRIX && !rush_has_banks(cp, thread, op))
        return 0;
    o->now = o->at[thread];
    if (!held)
        k = rush_units[unit](cp, thread, slot, index, n);
    if (!k)
        o->held = (uint8_t)(o->held | 1u << thread);
    o->at[thread] += k * cp->timing.op[op].issue;
    return k;
}

/* The thread goes on: no other one is further behind, and nobody waits for what it has done. */
HOT_INLINE bool rush_on(const struct order *o, unsigned thread)
{
    return o->at[thread] <= o->until && !o->stop;
}

/* ---- a thread ---- */

/* What brings a word to the gate, from there backwards. A word that is held stands at the gate; everything behind it is
   asked only when it has gone. */

HOT_APART static bool rush_gate(struct coproc *cp, unsigned thread)
{
    struct frontend *f = &cp->fe[thread];
    HOT_KEEP(f);
    if (!rush_some(cp, thread, queue_head(&f->q3), 0, 1))
        return false;
    frontend_pop(f);
    f->popped = false;
    return true;
}

/* Words of a ring go until one is held or `on` is no more; returns how many went. */
HOT_APART static unsigned rush_row(struct coproc *cp, unsigned thread, const struct entry *slot,
                                   unsigned index, unsigned n, const bool *on)
{
    unsigned left = n, k;
    WATCH(watch);
    do {
        PROGRESS(watch, n - left, 1);
        k = rush_some(cp, thread, slot, index, left);
        index = (index + k) % RUSH_RING;
        left -= k;
    } while (left && k && *on && rush_on(&cp->order, thread));
    return n - left;
}

/* Words of a playback; false if one is held. */
static bool rush_replay(struct coproc *cp, unsigned thread, unsigned *n)
{
    static const bool on = true;
    struct frontend *f = &cp->fe[thread];
    struct replay *r = &f->replay;
    unsigned k = rush_row(cp, thread, r->slot, r->index, r->left, &on);
    *n += k;
    r->index = (uint8_t)((r->index + k) % REPLAY_SLOTS);
    r->left = (uint8_t)(r->left - k);
    if (r->left) {
        replay_play(r, queue_back(&f->q3));
        return false;
    }
    r->mode = REPLAY_PASS;
    if (r->parent_flags & ENTRY_RETIRES)
        frontend_release(f);
    return true;
}

/* A word comes to the Replay expander, which has something to do with it. */
static void rush_to_replay(struct frontend *f, const struct entry *e)
{
    if (f->replay.mode == REPLAY_PASS && !tensix_REPLAY_decode(e->word).load_mode)
        replay_start(&f->replay, e);
    else
        queue_push(&f->q2, *e);
}

/* Is it a word for an expander? */
HOT_INLINE bool rush_expands(uint8_t op)
{
    return op_table[op].unit == TENSIX_UNIT_NONE &&
           (op == TENSIX_OP_MOP || op == TENSIX_OP_MOP_CFG || op == TENSIX_OP_REPLAY);
}

/*
 * A MOP plays the same list again and again, which has gone once: as long as all of it goes to the Vector Unit as a row,
 * nothing else happens. If only a part goes, the rest is being played when this returns. Returns how many words went.
 */
static unsigned rush_again(struct coproc *cp, unsigned thread, const struct entry *e)
{
    struct frontend *f = &cp->fe[thread];
    struct replay *r = &f->replay;
    unsigned start = tensix_REPLAY_decode(e->word).start_idx % REPLAY_SLOTS;
    unsigned n = replay_count(e->word), left = mop_again(&f->mop, e->word), gone = 0, k = n;
    const struct entry *first = &r->slot[start];
    if (!left || cp->gate[thread].latched || op_table[first->op].unit != TENSIX_UNIT_VECTOR)
        return 0;
    struct vector_io io = wires_vector(cp, thread);
    unsigned next = (start + 1) % REPLAY_SLOTS;
    uint64_t now = cp->now;
    for (; left && k == n && cp->order.at[thread] + gone <= cp->order.until; left--, gone += k) {
        k = vector_play(
            &cp->vector, &io, first, r->slot, next, n, now + gone * RUSH_VECTOR, RUSH_VECTOR, NULL);
        if (!k)
            break;
        mop_give(&f->mop, &(struct entry){0});
    }
    if (!gone)
        return 0;
    if (k && k < n) {
        replay_start(r, e);
        r->index = (uint8_t)((start + k) % REPLAY_SLOTS);
        r->left = (uint8_t)(n - k);
    }
    cp->now += gone * RUSH_VECTOR;
    cp->order.at[thread] += gone;
    rush_unit_used_vector(cp, thread, gone);
    return gone;
}

/* The next word of a MOP is for the Replay expander; false if a word is held. */
static bool rush_mop_replays(struct coproc *cp, unsigned thread, unsigned *n)
{
    struct frontend *f = &cp->fe[thread];
    struct entry e;
    mop_give(&f->mop, &e);
    rush_to_replay(f, &e);
    if (f->replay.mode != REPLAY_PLAY)
        return true;
    bool goes = rush_replay(cp, thread, n);
    if (goes)
        *n += rush_again(cp, thread, &e);
    return goes;
}

/* The first words of what the MOP expander has to give have gone, the next is held. */
static void rush_mop_held(struct frontend *f, unsigned gone)
{
    struct entry e;
    for (; gone; gone--)
        mop_give(&f->mop, &e);
    mop_give(&f->mop, queue_back(&f->q3));
}

/*
 * Words of a MOP up to the end, or to one that is held or recorded; false if one is held. They are expanded as many at a
 * time as a ring holds, so that units get rows. The expander moves when they have gone: it may be stopped meanwhile, if
 * one of them puts the thread's core into reset.
 */
HOT_APART static bool rush_mop(struct coproc *cp, unsigned thread, unsigned *n)
{
    struct frontend *f = &cp->fe[thread];
    struct entry row[RUSH_RING];
    WATCH(watch);
    while (f->mop.active && *n < RUSH_WORDS && rush_on(&cp->order, thread)) {
        PROGRESS(watch, *n, 1);
        struct mop ahead = f->mop;
        unsigned room = RUSH_WORDS - *n < RUSH_RING ? RUSH_WORDS - *n : RUSH_RING, k = 0;
        if (f->replay.mode == REPLAY_PASS)
            k = mop_give_row(&ahead, row, room);
        if (!k) {
            if (!rush_mop_replays(cp, thread, n))
                return false;
            if (f->replay.mode != REPLAY_PASS || f->q2.n)
                return true;
            continue;
        }
        unsigned gone = rush_row(cp, thread, row, 0, k, &f->mop.active);
        *n += gone;
        if (!f->mop.active)
            return true;
        if (gone < k) {
            rush_mop_held(f, gone);
            return false;
        }
        f->mop = ahead;
        if (row[k - 1].flags & ENTRY_RETIRES)
            frontend_release(f);
    }
    return true;
}

/* Is the MOP the one that is remembered? It is now. */
HOT_INLINE bool rush_remembers(struct rush_memo *m, const struct mop *mop, const struct entry *e)
{
    bool same = m->seen && !memcmp(&m->e, e, sizeof *e) && m->mask_hi == mop->mask_hi &&
                !memcmp(m->cfg, mop->cfg, sizeof m->cfg);
    if (!LIKELY(same)) {
        m->e = *e;
        m->mask_hi = mop->mask_hi;
        memcpy(m->cfg, mop->cfg, sizeof m->cfg);
        m->seen = 0;
    }
    return same;
}

/* The MOP comes for the second time: if a ring holds it, or if it is no more than a REPLAY that plays, it is expanded for
   the next ones. */
static void rush_remember(struct rush_memo *m, const struct mop *mop)
{
    struct mop ahead = *mop;
    bool bug = mop_start(&ahead, &m->e);
    m->n = (uint8_t)mop_give_row(&ahead, m->row, RUSH_RING);
    if (!m->n && ahead.active) {
        mop_give(&ahead, &m->row[0]);
        m->n = !tensix_REPLAY_decode(m->row[0].word).load_mode;
    }
    if (ahead.active || bug)
        m->n = 0;
}

/* Takes the MOP at the head of Q1. If all its words are known, they go; false if one is held. */
static bool rush_take_mop(struct coproc *cp, unsigned thread, unsigned *n)
{
    struct frontend *f = &cp->fe[thread];
    struct rush_memo *m = &cp->rush_memo[thread];
    bool same = rush_remembers(m, &f->mop, queue_head(&f->q1));
    if (m->seen < 2 && ++m->seen == 2)
        rush_remember(m, &f->mop);
    if (!same || !m->n || *n + m->n > RUSH_WORDS || f->replay.mode != REPLAY_PASS) {
        frontend_take_mop(f, &cp->probe);
        return true;
    }
    queue_pop(&f->q1);
    if (m->row[0].op == TENSIX_OP_REPLAY) {
        f->mop.transition = 1;
        replay_start(&f->replay, &m->row[0]);
        return true;
    }
    f->mop.active = true;
    unsigned gone = rush_row(cp, thread, m->row, 0, m->n, &f->mop.active);
    *n += gone;
    if (!f->mop.active) /* as in rush_mop() */
        return true;
    if (gone < m->n) {
        mop_start(&f->mop, &m->e);
        rush_mop_held(f, gone);
        return false;
    }
    f->mop.active = false;
    f->mop.transition = 1;
    if (m->e.flags & ENTRY_RETIRES)
        frontend_release(f);
    return true;
}

/* An expander takes the word at the head of Q1; false if a word is held. */
static bool rush_expand(struct coproc *cp, unsigned thread, unsigned *n)
{
    struct frontend *f = &cp->fe[thread];
    const struct entry *e = queue_head(&f->q1);
    if (e->op == TENSIX_OP_MOP)
        return rush_take_mop(cp, thread, n);
    if (e->op == TENSIX_OP_MOP_CFG) {
        frontend_take_mop(f, &cp->probe);
        return true;
    }
    rush_to_replay(f, e);
    queue_pop(&f->q1);
    return true;
}

/* How many of n words of Q1 were pushed before the thread lets others go. */
HOT_INLINE unsigned rush_there(const struct coproc *cp, unsigned thread, unsigned head, unsigned n)
{
    const struct order *o = &cp->order;
    while (n > 1 && o->when[thread][(head + n - 1) % QUEUE_MAX] > o->until)
        n--;
    return n;
}

/* Words that were pushed, up to one that an expander takes or that is held; false if one is held. A word that puts the thread's core
   into reset is the last: those behind it are dropped, and nobody tracks any of them. */
HOT_APART static bool rush_pushed(struct coproc *cp, unsigned thread, unsigned *n)
{
    struct frontend *f = &cp->fe[thread];
    HOT_KEEP(f);
    struct queue *q = &f->q1;
    const unsigned all = q->n;
    struct order *o = &cp->order;
    unsigned left = all, head = q->head, k = 1;
    bool expands = f->replay.mode != REPLAY_PASS; /* which then takes all */
    f->mop.transition = 0;
    order_later(&o->at[thread], o->when[thread][head]);
    unsigned later = left - rush_there(cp, thread, head, left);
    while (left && !expands && rush_on(o, thread)) {
        expands = rush_expands(q->slot[head].op);
        unsigned there = left > later ? left - later : 1;
        k = expands ? 0 : rush_some(cp, thread, q->slot, head, there);
        if (!k)
            break;
        head = (head + k) % QUEUE_MAX;
        left -= k;
        if (left)
            order_later(&o->at[thread], o->when[thread][head]);
        if (!LIKELY(q->n == all)) {
            *n += all - left;
            return true;
        }
    }
    *n += all - left;
    f->tracked = (uint8_t)(f->tracked + left - all);
    q->head = (uint8_t)head;
    q->n = (uint8_t)left;
    if (expands)
        return rush_expand(cp, thread, n);
    if (left && !k)
        queue_move(q, &f->q3);
    return k;
}

/* Runs one thread; returns how many words went. If less than RUSH_WORDS, it is empty or held now. */
HOT_APART static unsigned rush_thread(struct coproc *cp, unsigned thread)
{
    struct frontend *f = &cp->fe[thread];
    unsigned n = 0;
    bool goes = true;
    HOT_KEEP(f);
    f->popped = false;
    WATCH(watch);
    while (goes && n < RUSH_WORDS && rush_on(&cp->order, thread)) {
        PROGRESS(watch, n, RUSH_EATEN);
        if (f->q3.n) {
            goes = rush_gate(cp, thread);
            n += goes;
        } else if (f->replay.mode == REPLAY_PLAY) {
            goes = rush_replay(cp, thread, &n);
        } else if (f->q2.n) {
            if (replay_passes(&f->replay, &f->q2))
                queue_move(&f->q2, &f->q3);
            else
                frontend_clock_replay(f, true, &cp->probe);
        } else if (f->mop.active) {
            goes = rush_mop(cp, thread, &n);
        } else if (f->q1.n) {
            goes = rush_pushed(cp, thread, &n);
        } else {
            f->mop.transition = 0;
            f->mop.emitted_wait = f->replay.emitted_wait = WAIT_IDLE;
            break;
        }
    }
    return n;
}

/* When a thread's next word may go; ORDER_NEVER: it has none, or something holds it. */
HOT_INLINE uint64_t rush_time(const struct coproc *cp, unsigned thread)
{
    const struct order *o = &cp->order;
    const struct frontend *f = &cp->fe[thread];
    uint64_t at = o->at[thread];
    if (o->held >> thread & 1)
        return ORDER_NEVER;
    if (f->q3.n | f->q2.n | f->mop.active | (f->replay.mode == REPLAY_PLAY))
        return at;
    if (!f->q1.n)
        return ORDER_NEVER;
    uint64_t pushed = o->when[thread][f->q1.head];
    return at < pushed ? pushed : at;
}

/* Somebody waits for what a thread has come to: room in its queue, as soon as that is worth a turn of its core, or its end. */
HOT_INLINE void rush_look(struct coproc *cp, unsigned thread)
{
    struct order *o = &cp->order;
    const struct frontend *f = &cp->fe[thread];
    uint64_t at = o->at[thread];
    if (o->rooms >> thread & 1 && coproc_rush_room(cp, thread))
        order_wake(o, at);
    if (o->idles >> thread & 1 && frontend_empty(f))
        order_wake(o, at);
}

/* Runs the thread that is furthest behind, and counts the words that went. False: nobody can, or all are later than the limit. */
HOT_INLINE bool rush_first(struct coproc *cp, unsigned *n)
{
    struct order *o = &cp->order;
    uint64_t first = ORDER_NEVER, second = o->limit;
    unsigned thread = 0;
    for (unsigned i = 0; i < COPROC_THREADS; i++) {
        uint64_t at = rush_time(cp, i);
        if (at < first) {
            second = first < second ? first : second;
            first = at;
            thread = i;
        } else if (at < second) {
            second = at;
        }
    }
    if (first == ORDER_NEVER || first > o->limit)
        return false;
    order_later(&o->at[thread], first);
    o->until = second + RUSH_SLACK;
    o->stop = o->changed = false;
    *n += rush_thread(cp, thread);
    if (o->changed)
        order_release(o, o->now);
    if ((o->rooms | o->idles) >> thread & 1)
        rush_look(cp, thread);
    return true;
}

/* All threads, until no word of any can go; returns how many went, at least. What holds a thread may have gone without a word, so
   those that are held are asked again in the end. */
static unsigned rush_threads(struct coproc *cp)
{
    struct order *o = &cp->order;
    unsigned n = 0, asked = 0;
    WATCH(watch);
    while (!o->wake) {
        PROGRESS(watch, n, 4 * COPROC_THREADS);
        if (rush_first(cp, &n))
            continue;
        if (n == asked || !o->held)
            break;
        asked = n;
        o->held = 0;
    }
    return n;
}

/* Only what stands in queues and expanders moves; nobody asks for anything. */
static bool rush_may(const struct coproc *cp)
{
    for (unsigned i = 0; i < COPROC_THREADS; i++)
        if (cp->fe[i].b_pending)
            return false;
    return !(cp->sync.n_requests | cp->sync_served | cp->config.n_requests) && !cp->probe.mask &&
           !cp->probe.stop;
}

/* Nothing went: is that because all threads are empty or held at their gates? */
static bool rush_held(const struct coproc *cp)
{
    for (unsigned i = 0; i < COPROC_THREADS; i++)
        if (!cp->fe[i].q3.n && !frontend_empty(&cp->fe[i]))
            return false;
    return !cp->scalar.exec.busy;
}

/* Nothing went: is that because it is not yet time? */
static bool rush_later(const struct coproc *cp)
{
    for (unsigned i = 0; i < COPROC_THREADS; i++)
        if (rush_time(cp, i) != ORDER_NEVER)
            return true;
    return false;
}

/* What cores have staged is there: room for the next push, which is a change, too. */
static unsigned rush_take_in(struct coproc *cp)
{
    unsigned n = 0;
    for (struct frontend *f = cp->fe; f < cp->fe + COPROC_THREADS; f++)
        if (f->n_in | f->cfg_write) {
            frontend_take_in(f);
            n++;
        }
    return n;
}

bool coproc_rush_until(struct coproc *cp, uint64_t limit)
{
    unsigned n = 0;
    if (cp->stuck)
        return false;
    vector_untimed(&cp->vector, true);
    cp->order.limit = limit;
    cp->order.wake = false;
    n = rush_take_in(cp);
    cp->behind = false;
    bool may = rush_may(cp);
    if (may) {
        if (cp->order.touched)
            rush_unit_drain(cp);
        cp->order.touched = false;
        n += rush_threads(cp);
    }
    if (!n && rush_unit_finish_vector(cp))
        n = 1;
    bool retries = cp->scalar.exec.busy && cp->order.retry <= limit;
    if (n || (may && !retries && rush_later(cp)))
        return true;
    if (may && rush_held(cp)) {
        cp->stuck = cp->unexplained = true;
        return false;
    }
    n = coproc_step(cp); /* the long way */
    n |= coproc_drain(cp);
    cp->stuck =
        !n && !cp->scalar.exec.busy; /* an atomic waits for L1, which changes without a word */
    cp->order.touched = true;
    if (n)
        order_stir(&cp->order, 0);
    if (!n || retries)
        cp->order.retry = limit + RUSH_RETRY;
    return n;
}

uint64_t coproc_rush_next(const struct coproc *cp)
{
    const struct order *o = &cp->order;
    uint64_t next = ORDER_NEVER;
    if (cp->stuck)
        return ORDER_NEVER;
    if (!rush_may(cp))
        return cp->scalar.exec.busy ? o->retry : 0;
    for (unsigned i = 0; i < COPROC_THREADS; i++) {
        uint64_t at = rush_time(cp, i);
        next = at < next ? at : next;
    }
    if (cp->scalar.exec.busy && o->retry < next)
        next = o->retry;
    if (vector_ticks(&cp->vector) && o->at[cp->vector.thread] + RUSH_VECTOR_ALONE < next)
        next = o->at[cp->vector.thread] + RUSH_VECTOR_ALONE;
    return next;
}

bool coproc_rush_room(const struct coproc *cp, unsigned thread)
{
    const struct order *o = &cp->order;
    const struct frontend *f = &cp->fe[thread];
    return frontend_can_push(f) &&
           (f->tracked <= RUSH_ROOM || o->at[thread] > o->room_since[thread] + RUSH_ROOM_WAITS ||
            rush_time(cp, thread) == ORDER_NEVER);
}

bool coproc_rush(struct coproc *cp)
{
    cp->order.held = 0;
    cp->order.touched = true;
    return coproc_rush_until(cp, ORDER_NEVER);
}

void coproc_rush_explain(struct coproc *cp)
{
    bool moved = cp->unexplained;
    cp->unexplained = false;
    WATCH(watch);
    while (moved) {
        PROGRESS(watch, 0, COPROC_SETTLES);
        moved = coproc_step(cp);
        moved |= coproc_drain(cp);
    }
}

bool coproc_rush_push_open(struct coproc *cp, unsigned thread)
{
    struct frontend *f = &cp->fe[thread];
    if (f->n_in | f->cfg_write)
        frontend_take_in(f);
    return frontend_can_push(f);
}

void coproc_rush_sem_now(struct coproc *cp, unsigned core, unsigned sem, uint32_t value)
{
    cp->stuck = false;
    cp->sync.request[core] = (struct sync_request){
        .sem = (uint8_t)sem, .get = value & 1, .by = (uint8_t)(OWNER_CORE_T0 + core)};
    sync_serve(&cp->sync, core, cp->now, &cp->probe);
}

void coproc_rush_config_now(struct coproc *cp, unsigned bank, unsigned word, uint32_t value)
{
    cp->stuck = false;
    config_write(&cp->config, bank, word, value, false);
}
