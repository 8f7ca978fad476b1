/*
 * burst.c - many cycles at once while threads only feed units that nobody else uses.
 *
 * Real kernels spend most cycles like this: a thread's Replay expander plays, its MOP expander stands
 * before a full Q2, and the words go to units of the thread's own. Then nothing that one thread does
 * can be seen by another, and each thread can be run through a whole stretch of cycles by itself.
 * burst_ready() and burst_stretch() make sure of that: the other threads are held at their gates by something
 * that does not change before the stretch ends (words before those gates may close up), the words on their way to the
 * gates are harmless up to its end, and no two threads want the same port. Threads run side by side, cycle by
 * cycle, where the packer reads Dst that another one writes, or where a core may see what reaches L1.
 *
 * Invariant: a burst leaves exactly the state, ledgers and counts that so many coproc_step()s would
 * have left. It is not used while events are traced; the tests run everything both ways.
 *
 * Inaccuracies: none of its own.
 */
#include "base/bits.h"
#include "base/watch.h"
#include "coproc/issue.h"
#include "isa/tensix.h"

#define BURST_PAUSE 4u   /* pauses after failed tries double from 1 cycle until they pass this */
#define BURST_MIN   2u   /* shorter stretches are not worth it */
#define BURST_MAX   256u /* longer ones gain nothing */

/* Which port a word wants, as a bit, which of its bits hand over a bank, which ends a burst, and whether it is for a burst at
   all: an opcode that is no instruction is not. */
struct burst_op {
    uint32_t port, ends;
    bool plays;
};

#define BURST_PORT_NONE   0
#define BURST_PORT_MATRIX (UINT32_C(1) << PORT_MATRIX)
#define BURST_PORT_PACK   (UINT32_C(1) << PORT_PACK)
#define BURST_PORT_VECTOR (UINT32_C(1) << PORT_VECTOR)

/* Beside the ports: PACR looks at Dst, what else goes to the packer does not. */
#define BURST_LOOKS (UINT32_C(1) << 31)
/* Words that reach Dst want it like a port: only one thread at a time can have it. */
#define BURST_DST (UINT32_C(1) << 30)

/* clang-format off */
/* Words of these units are for bursts; all others end one. */
enum {
#define BURST(name, ...) ROW_##name,
#include "coproc/burst.def"
#define OF_PACK(name) OPCODE_##name = ROW_##name, /* each has a row */
#include "isa/tensix_units.def"
};

#define DST_NONE   0
#define DST_READS  BURST_DST
#define DST_WRITES BURST_DST
#define DST_BOTH   BURST_DST
#define DST_ADDS   BURST_DST
#define DST_MARKS  BURST_DST
static const struct burst_op burst_ops[256] = {
#define VECTOR(name, form, sub, registers, dst, flags, effect, usual, traits)                      \
    [TENSIX_OP_##name] = {BURST_PORT_VECTOR | DST_##dst, 0, !((traits) & VECTOR_MACRO)},
#include "vector/vector.def"
#define MATRIX(name, banks, dst, rows, counters, stretch, effect, traits)                           \
    [TENSIX_OP_##name] = {BURST_PORT_MATRIX | DST_##dst,                                           \
                          (traits) & MATRIX_FLIPS ? UINT32_C(3) << 22 : 0,                         \
                          !((traits) & (MATRIX_BANKS | MATRIX_HISTOGRAM))},
#include "matrix/matrix.def"
#define BURST(name, port, looks, plays) [TENSIX_OP_##name] = {BURST_PORT_##port | (looks), 0, plays},
#include "coproc/burst.def"
};
/* clang-format on */

/* What a set of words would do. */
struct burst_need {
    uint32_t ports; /* ports they want */
    uint32_t ends;  /* not 0: one of them ends a burst */
};

/* An opcode that issue_note_op() has not seen must go the long way. */
HOT_INLINE void burst_look(const struct coproc *cp, const struct entry *e, struct burst_need *need)
{
    const struct burst_op *op = &burst_ops[e->op];
    need->ports |= op->port;
    need->ends |= (e->word & op->ends) | !(op->plays & cp->noted[e->op]);
}

/* The MOP expander does nothing as long as Q2 is not read. */
static bool burst_mop_still(const struct frontend *f)
{
    uint8_t op = f->q1.slot[f->q1.head].op;
    if (f->n_in | f->cfg_write | f->b_pending | f->mop.transition)
        return false;
    if (f->mop.active)
        return f->q2.n >= f->depth2;
    if (!f->q1.n)
        return f->mop.emitted_wait == WAIT_IDLE;
    return f->q2.n >= f->depth2 && op != TENSIX_OP_MOP && op != TENSIX_OP_MOP_CFG;
}

/* The Replay expander does nothing as long as Q3 is not read. */
static bool burst_replay_still(struct frontend *f)
{
    if (f->replay.mode != REPLAY_PLAY && !f->q2.n)
        return f->replay.emitted_wait == f->mop.emitted_wait;
    if (f->q3.n < f->depth3 || f->replay.mode == REPLAY_RECORD)
        return false;
    return f->replay.mode != REPLAY_PASS || queue_head(&f->q2)->op != TENSIX_OP_REPLAY;
}

/* The head is for an unpacker that has no room for it, or for the Matrix Unit, which has no bank. Until unpack_next()
   neither changes. */
static bool burst_unit_holds(struct coproc *cp, unsigned thread, const struct entry *e)
{
    unsigned unit = op_table[e->op].unit, cause = cp->ledger[OWNER_T0 + thread].key >> 8;
    struct decision d = {.e = e};
    bool known =
        unit == TENSIX_UNIT_UNPACK
            ? cause == WAIT_UNIT_BUSY && cp->now >= cp->unpack.issue_at
            : unit == TENSIX_UNIT_MATRIX && (cause == WAIT_SRCA_BANK || cause == WAIT_SRCB_BANK);
    return known && judge_unit(cp, thread, unit, &d) == cp->ledger[OWNER_T0 + thread].key;
}

/* Causes that nothing changes in a burst, bit per condition of STALLWAIT: unpackers, packer, banks. Whoever
   waits for the packer does so until a known cycle. */
#define BURST_CONDITIONS (1u << 1 | 1u << 2 | 1u << 3 | 1u << 5 | 1u << 6 | 1u << 7 | 1u << 8)

/* The latch holds in this cycle, as it did in the last, and does so before cycle *until. */
static bool burst_latch_holds(struct coproc *cp, unsigned i, uint64_t *until)
{
    uint16_t key = judge_latch(cp, i);
    unsigned cause = key >> 8;
    if (!key || key != cp->ledger[OWNER_T0 + i].key)
        return false;
    if (cause == WAIT_SEM_ZERO || cause == WAIT_SEM_MAX || cause == WAIT_STREAM)
        return true;
    if (cause == WAIT_C3_PACK && cp->pack.done_at[i] < *until)
        *until = cp->pack.done_at[i];
    return cause >= WAIT_C0_THCON && cause <= WAIT_C12_CFGEXU &&
           BURST_CONDITIONS >> (cause - WAIT_C0_THCON) & 1;
}

/* Nothing leaves the thread's gate before cycle *until if no semaphore, stream or bank of Src changes. */
static bool burst_gate_still(struct coproc *cp, unsigned i, uint64_t *until)
{
    struct frontend *f = &cp->fe[i];
    const struct gate *g = &cp->gate[i];
    if (!f->q3.n)
        return !g->latched && cp->ledger[OWNER_T0 + i].key == wait_key(WAIT_IDLE, OWNER_NONE) &&
               burst_mop_still(f) && burst_replay_still(f);
    if (!g->latched)
        return burst_unit_holds(cp, i, queue_head(&f->q3));
    return gate_catches(g, queue_head(&f->q3)->op) && burst_latch_holds(cp, i, until);
}

/* Nothing holds the thread but what its words meet at their units. */
static bool burst_plays(const struct coproc *cp, unsigned i)
{
    return !cp->gate[i].latched && !cp->fe[i].b_pending;
}

/* Could the MOP expander free a tracking entry by swallowing a word? */
static bool burst_swallows(const struct frontend *f)
{
    return f->n_mop_cfg ||
           (f->q1.n &&
            mop_is_empty(&f->mop, tensix_MOP_encode((struct tensix_MOP){.mop_type = 1})));
}

/* Could a tracking entry be freed although nothing leaves the gate? */
static bool burst_frees(const struct frontend *f)
{
    if (burst_swallows(f) || f->replay.mode == REPLAY_RECORD)
        return true;
    for (unsigned i = 0; i < f->q2.n; i++)
        if (f->q2.slot[(f->q2.head + i) % QUEUE_MAX].op == TENSIX_OP_REPLAY)
            return true;
    for (unsigned i = 0; i < f->q1.n; i++)
        if (f->q1.slot[(f->q1.head + i) % QUEUE_MAX].op == TENSIX_OP_REPLAY)
            return true;
    return false;
}

/* What the threads do in a burst, bits. */
struct burst_plan {
    unsigned runs;   /* words go */
    unsigned fills;  /* only words before the gate move */
    uint64_t until;  /* for so long */
    unsigned packer; /* packs while another one may write Dst; COPROC_THREADS: none does */
    bool beside;     /* cycle by cycle */
};

/* False if there is anything a burst cannot do. full: cores that wait for a tracking entry. */
static bool burst_ready(struct coproc *cp, unsigned full, struct burst_plan *plan)
{
    if (cp->sync.n_requests | cp->sync_served | cp->config.n_busy | cp->config.n_requests |
            scalar_holds(&cp->scalar) | cp->src.n | cp->pack.n_sets |
            (cp->now < cp->unpack.block_end) | (cp->probe.mask != 0) | (cp->vector.macro.n != 0) ||
        unpack_begins(&cp->unpack, &cp->src, cp->now))
        return false;
    for (unsigned i = 0; i < COPROC_THREADS; i++) {
        struct frontend *f = &cp->fe[i];
        if (burst_gate_still(cp, i, &plan->until)) {
            if (burst_mop_still(f) && burst_replay_still(f))
                continue;
            if (f->b_pending || ((full >> i) & 1 && burst_frees(f)))
                return false;
            plan->fills |= 1u << i;
        } else if (burst_plays(cp, i)) {
            plan->runs |= 1u << i;
        } else {
            return false;
        }
    }
    return plan->runs != 0;
}

/* How many of n words of the replay buffer, from slot i on, come before one that ends a burst. */
static unsigned burst_look_at_buffer(const struct coproc *cp, const struct replay *r, unsigned i,
                                     unsigned n, struct burst_need *need)
{
    unsigned k = 0;
    for (; k < n && k < REPLAY_SLOTS; k++) {
        struct burst_need one = {0};
        burst_look(cp, &r->slot[(i + k) % REPLAY_SLOTS], &one);
        if (one.ends)
            return k;
        need->ports |= one.ports;
    }
    return n;
}

/* Looks at what a REPLAY plays, or what is left of it from slot i on. Loops repeat it: the last harmless one is remembered until the
   buffer is written again. Returns how many of n words come before one that ends a burst. */
static unsigned burst_look_at_replay(struct coproc *cp, unsigned thread, uint32_t word, unsigned i,
                                     unsigned n, struct burst_need *need)
{
    struct burst_memo *memo = &cp->burst_memo[thread];
    const struct replay *r = &cp->fe[thread].replay;
    if (memo->word != word || memo->records != r->records) {
        struct burst_need all = {0};
        unsigned count = replay_count(word), from = tensix_REPLAY_decode(word).start_idx;
        if (burst_look_at_buffer(cp, r, from, count, &all) < count)
            return burst_look_at_buffer(cp, r, i, n, need);
        *memo = (struct burst_memo){.word = word, .records = r->records, .ports = all.ports};
    }
    need->ports |= memo->ports;
    return n;
}

/* Looks at the word at place i of Q2: how many words will come of it; 0: not for a burst. last: look no further. */
static unsigned burst_look_at_q2(struct coproc *cp, unsigned thread, unsigned i,
                                 struct burst_need *need, bool *last)
{
    const struct frontend *f = &cp->fe[thread];
    const struct entry *e = &f->q2.slot[(f->q2.head + i) % QUEUE_MAX];
    struct burst_need one = {0};
    if (e->op != TENSIX_OP_REPLAY) {
        burst_look(cp, e, &one);
        *last = one.ends != 0;
        need->ports |= *last ? 0 : one.ports;
        return !*last;
    }
    struct tensix_REPLAY a = tensix_REPLAY_decode(e->word);
    unsigned count = replay_count(e->word), n = 0;
    if (!a.load_mode)
        n = burst_look_at_replay(cp, thread, e->word, a.start_idx, count, need);
    *last = n < count;
    return n;
}

/*
 * For how many cycles this thread can run, at most n: as many as there are harmless words on their
 * way to the gate, for the k-th of them cannot go before the k-th cycle. If the core waits for a
 * tracking entry (full), the word that frees one may go in the last cycle only.
 */
static unsigned burst_look_ahead(struct coproc *cp, unsigned thread, unsigned n, bool full,
                                 struct burst_need *need)
{
    const struct frontend *f = &cp->fe[thread];
    const struct replay *r = &f->replay;
    unsigned words = 0;
    for (unsigned i = 0; i < f->q3.n; i++) {
        const struct entry *e = &f->q3.slot[(f->q3.head + i) % QUEUE_MAX];
        struct burst_need one = {0};
        burst_look(cp, e, &one);
        if (one.ends)
            return words < n ? words : n;
        need->ports |= one.ports;
        words++;
        if (full && e->flags & ENTRY_RETIRES)
            return words < n ? words : n;
    }
    bool last = false;
    if (r->mode == REPLAY_PLAY) {
        unsigned more = burst_look_at_replay(cp, thread, r->word, r->index, r->left, need);
        words += more;
        last = more < r->left || (full && r->parent_flags & ENTRY_RETIRES);
    } else if (r->mode != REPLAY_PASS) {
        return 0;
    }
    const struct entry *e = NULL;
    unsigned of_last = 0; /* words that come of e */
    for (unsigned i = 0; !last && i < f->q2.n && words < n; i++) {
        e = &f->q2.slot[(f->q2.head + i) % QUEUE_MAX];
        of_last = burst_look_at_q2(cp, thread, i, need, &last);
        words += of_last;
        last |= full && e->flags & ENTRY_RETIRES;
    }
    if (e && !last && words < n && !f->cfg_write) /* the MOP expander gives it again */
        words += of_last * mop_again(&f->mop, e->word);
    return words < n ? words : n;
}

/* Cycles for which the running threads need nothing but their own units; 0 if none. */
static unsigned burst_stretch(struct coproc *cp, uint64_t limit, unsigned full,
                              struct burst_plan *plan)
{
    uint32_t ports[COPROC_THREADS] = {0};
    uint64_t quiet = unpack_next(&cp->unpack, cp->now);
    uint64_t end = limit < quiet ? limit : quiet;
    uint32_t taken = 0;
    end = plan->until < end ? plan->until : end;
    if (end < cp->now + BURST_MIN)
        return 0;
    unsigned n = end - cp->now < BURST_MAX ? (unsigned)(end - cp->now) : BURST_MAX;
    for (unsigned i = 0; i < COPROC_THREADS; i++) {
        struct burst_need need = {0};
        bool waited_for = (full >> i) & 1;
        if (!((plan->runs >> i) & 1))
            continue;
        n = burst_look_ahead(cp, i, n, waited_for, &need);
        if (need.ports & taken || n < BURST_MIN)
            return 0;
        if (waited_for && burst_swallows(&cp->fe[i]))
            return 0;
        taken |= need.ports;
        ports[i] = need.ports;
    }
    for (unsigned i = 0; i < COPROC_THREADS; i++)
        if (ports[i] & BURST_LOOKS && (taken ^ ports[i]) & BURST_DST)
            plan->packer = i;
    bool seen = full & COPROC_L1_SEEN && (taken & BURST_PORT_PACK || pack_holds(&cp->pack));
    plan->beside = plan->packer < COPROC_THREADS || seen;
    if (seen &&
        !(taken & BURST_PORT_PACK)) { /* what is on its way, then no longer cycle by cycle */
        uint64_t last = cp->pack.pending[(cp->pack.head + cp->pack.n - 1) % PACK_PENDING].due;
        if (last >= cp->now && last - cp->now + 1 < n)
            n = (unsigned)(last - cp->now + 1);
    }
    return n;
}

/* Words of this thread went through these ports: who used the units, and who is served next. */
static void burst_claim(struct coproc *cp, unsigned thread, uint32_t ports)
{
    if ((ports >> PORT_MATRIX) & 1) {
        matrix_use(&cp->matrix, thread);
        arbiter_serve(&cp->arbiter, PORT_MATRIX, thread);
    }
    if ((ports >> PORT_VECTOR) & 1) {
        vector_use(&cp->vector, thread);
        arbiter_serve(&cp->arbiter, PORT_VECTOR, thread);
    }
    if ((ports >> PORT_PACK) & 1)
        arbiter_serve(&cp->arbiter, PORT_PACK, thread);
}

/* What the words of a thread look at, looked up once. */
struct burst_io {
    struct matrix_io matrix;
    struct vector_io vector;
    struct pack_io pack;
};

/* Only what words for this unit need. */
HOT_INLINE void burst_io_for(struct coproc *cp, unsigned thread, unsigned unit, struct burst_io *io)
{
    if (unit == TENSIX_UNIT_MATRIX)
        io->matrix = wires_matrix(cp, thread);
    else if (unit == TENSIX_UNIT_VECTOR)
        io->vector = wires_vector(cp, thread);
    else if (unit == TENSIX_UNIT_PACK)
        io->pack = wires_pack(cp);
}

/* The unit takes the head in cycle now, or says why not: ledger key. done: when it is through. */
HOT_INLINE uint16_t burst_try(struct coproc *cp, unsigned thread, const struct burst_io *io,
                              const struct entry *e, unsigned unit, uint64_t now, uint64_t *done)
{
    uint16_t key = 0;
    *done = now + (unit == TENSIX_UNIT_VECTOR ? cp->vector.numbers.latency[e->op]
                                              : cp->matrix.numbers.latency[e->op]);
    if (unit == TENSIX_UNIT_MATRIX) {
        key = matrix_try(&cp->matrix, &io->matrix, e, now);
    } else if (unit == TENSIX_UNIT_VECTOR) {
        key = vector_check(&cp->vector, e, now);
        if (!key)
            vector_start(&cp->vector, &io->vector, e, now);
    } else if (unit == TENSIX_UNIT_PACK) {
        key = pack_check(&cp->pack, &io->pack, thread, e, now);
        if (!key)
            *done = pack_start(&cp->pack, &io->pack, thread, e, now);
    } /* else NOP: nothing to do */
    return key;
}

/* The unit of a word that went in cycle `from` and its like in every cycle since is occupied. */
static void burst_occupy(struct coproc *cp, unsigned unit, uint64_t from, uint64_t until)
{
    unsigned owner = unit == TENSIX_UNIT_MATRIX
                         ? OWNER_MATRIX
                         : (unit == TENSIX_UNIT_VECTOR ? OWNER_VECTOR : OWNER_PACK);
    if (unit != TENSIX_UNIT_MISC)
        issue_occupy(cp, owner, from, until);
}

/* Words that the Vector Unit starts from cycle now on are held in these cycles by what they read. */
HOT_INLINE void burst_note_held(struct ledger *l, uint64_t now, uint32_t held)
{
    for (; held; held &= held - 1) {
        uint64_t at = now + bits_lowest(held);
        wait_ledger_note(l, at, wait_key(WAIT_LREG, OWNER_VECTOR));
        wait_ledger_note(l, at + 1, KEY_GO);
    }
}

/* A playback on its way through a unit. */
struct burst_cursor {
    const struct entry *e; /* at the gate */
    unsigned index;        /* slot of the next */
    unsigned more;   /* 1: another playback follows at once, so the last word is for a glide, too */
    unsigned left;   /* words that are still to be played, and more */
    unsigned gone;   /* words that went */
    uint64_t mop_at; /* cycle that the MOP expander has still to run */
    uint64_t now, end;
    uint64_t last; /* cycle of the last word that went */
    bool held;     /* e was held in the last cycle: the word behind it is at the gate, too */
    bool stuck;    /* e is held, and what follows is not for a glide */
};

/* Nothing is taken from Q2 as long as Q3 is full, and what the Replay expander says of it does not change. */
static bool burst_q2_stands(const struct frontend *f)
{
    const struct entry *e = &f->q2.slot[f->q2.head];
    return f->q2.n && !(e->op == TENSIX_OP_REPLAY && tensix_REPLAY_decode(e->word).load_mode);
}

/*
 * Words go one by one as long as they are for this unit, a constant, and it is booked for them. One that is held lets the
 * next one come to the gate; when it goes, none comes. So in the end only time has passed. If that next one is the
 * last, the expander may look at Q2 afterwards, which must stand. If it is that of the next playback, a word that is held is
 * not for a glide.
 */
HOT_INLINE void burst_glide_unit(struct coproc *cp, unsigned thread, struct burst_cursor *c,
                                 unsigned unit)
{
    struct burst_io io;
    const struct frontend *f = &cp->fe[thread];
    const struct entry *slot = f->replay.slot, *e = c->e;
    struct ledger *l = &cp->ledger[OWNER_T0 + thread];
    uint64_t now = c->now, from = now, until = now, done;
    uint64_t stop = now + c->left; /* in this cycle there is nothing left */
    uint64_t end = stop < c->end ? stop : c->end;
    unsigned index = c->index, holds = 0;
    bool goes = false; /* a word went in the last cycle */
    burst_io_for(cp, thread, unit, &io);
    WATCH(watch);
    while (now < end && op_table[e->op].unit == unit) {
        PROGRESS(watch, now, 1);
        if (unit == TENSIX_UNIT_VECTOR) {
            struct vector_time time = {.end = c->end, .until = until};
            unsigned left = (unsigned)(stop - now);
            unsigned n = vector_play(&cp->vector, &io.vector, e, slot, index, left, now, 1, &time);
            if (n) {
                if (!goes)
                    wait_ledger_note(l, now, KEY_GO);
                goes = true;
                burst_note_held(l, now, time.held);
                until = time.until;
                now += time.cycles;
                holds += time.cycles - n;
                stop += time.cycles - n;
                end = stop < c->end ? stop : c->end;
                index = (index + n) % REPLAY_SLOTS;
                e = &slot[(index - 1) % REPLAY_SLOTS];
                if (now == end || op_table[e->op].unit != unit)
                    break;
            }
        }
        cp->probe.now = now;
        uint16_t key = burst_try(cp, thread, &io, e, unit, now, &done);
        if (key) {
            c->stuck = stop - now == 1 && (c->more || !burst_q2_stands(f));
            if (c->stuck)
                break;
            wait_ledger_note(l, now, key);
            c->last = goes ? now - 1 : c->last;
            goes = false;
            now++;
            holds++;
            stop++;
            end = stop < c->end ? stop : c->end;
            if (until < now) { /* the unit stands idle */
                if (until > from)
                    burst_occupy(cp, unit, from, until);
                from = until = now;
            }
            continue;
        }
        if (!goes)
            wait_ledger_note(l, now, KEY_GO);
        goes = true;
        until = done > until ? done : until;
        e = &slot[index];
        index = (index + 1) % REPLAY_SLOTS;
        now++;
    }
    if (until > from)
        burst_occupy(cp, unit, from, until);
    c->gone += (unsigned)(now - c->now) - holds;
    c->last = goes ? now - 1 : c->last;
    c->held = now > c->now ? !goes : c->held;
    c->e = e;
    c->index = index;
    c->left = (unsigned)(stop - now);
    c->now = now;
}

/* The MOP expander's part of the cycles from..to - 1, in which nobody reads Q2. */
static void burst_refill(struct coproc *cp, struct frontend *f, uint64_t from, uint64_t to)
{
    for (bool moved = true; from < to && moved; from++) {
        bool room = f->q2.n < f->depth2;
        if (f->mop.active && !room)
            return;
        cp->probe.now = from;
        moved = frontend_clock_mop(f, room, &cp->probe);
    }
}

/* What the MOP expander does while nobody reads Q2 can wait: it has something to say only when it takes a MOP. */
static bool burst_mop_can_wait(const struct frontend *f)
{
    uint8_t op = f->q1.slot[f->q1.head].op;
    if (f->n_in | f->cfg_write | f->b_pending | (f->mop.transition & MOP_PAUSED))
        return false;
    if (f->mop.active)
        return f->q2.n + 1 >= f->depth2;
    return !f->q1.n || (op != TENSIX_OP_MOP && op != TENSIX_OP_MOP_CFG);
}

/* A REPLAY of at least two words is next: its first word comes to the gate when the last one of this playback goes. */
static bool burst_plays_on(struct frontend *f)
{
    const struct entry *e = queue_head(&f->q2);
    return f->q2.n && e->op == TENSIX_OP_REPLAY && !tensix_REPLAY_decode(e->word).load_mode &&
           replay_count(e->word) > 1;
}

/* The last word of a playback went in the last cycle, and in the same the next playback began. */
static void burst_play_on(struct coproc *cp, struct frontend *f, struct burst_cursor *c)
{
    struct replay *r = &f->replay;
    if (r->parent_flags & ENTRY_RETIRES)
        frontend_release(f);
    burst_refill(cp, f, c->mop_at, c->now);
    c->mop_at = c->now;
    replay_start(r, queue_head(&f->q2));
    queue_pop(&f->q2);
    c->e = &r->slot[r->index];
    c->index = (r->index + 1) % REPLAY_SLOTS;
    c->more = burst_plays_on(f);
    c->left = r->left - 1u + c->more;
    c->stuck = !burst_mop_can_wait(f);
}

/*
 * The steady state: one word at the gate, it goes, now or later, the next one is played, by this REPLAY or by the next. Runs
 * on until the stretch or the playbacks end. Returns the cycle in which it stopped.
 */
static uint64_t burst_glide(struct coproc *cp, unsigned thread, uint64_t now, uint64_t end)
{
    struct frontend *f = &cp->fe[thread];
    struct replay *r = &f->replay;
    struct burst_cursor c = {.e = queue_head(&f->q3),
                             .index = r->index,
                             .more = burst_plays_on(f),
                             .mop_at = now,
                             .now = now,
                             .end = end};
    uint32_t ports = 0;
    c.left = r->left + c.more;
    if (c.e->flags)
        return now;
    WATCH(watch);
    while (c.now < end && c.left && !c.stuck) {
        PROGRESS(watch, c.now, 1);
        unsigned gone = c.gone;
        uint32_t port = burst_ops[c.e->op].port;
        switch (op_table[c.e->op].unit) {
        case TENSIX_UNIT_MATRIX: burst_glide_unit(cp, thread, &c, TENSIX_UNIT_MATRIX); break;
        case TENSIX_UNIT_VECTOR: burst_glide_unit(cp, thread, &c, TENSIX_UNIT_VECTOR); break;
        case TENSIX_UNIT_PACK: burst_glide_unit(cp, thread, &c, TENSIX_UNIT_PACK); break;
        default: burst_glide_unit(cp, thread, &c, TENSIX_UNIT_MISC); break;
        }
        ports |= c.gone > gone ? port : 0;
        if (!c.left && c.more)
            burst_play_on(cp, f, &c);
    }
    if (c.now == now)
        return now;
    burst_claim(cp, thread, ports);
    cp->issued[thread] += c.gone;
    if (c.gone)
        cp->last_go[thread] = c.last;
    r->index = (uint8_t)c.index;
    r->left = (uint8_t)(c.left - c.more);
    *queue_head(&f->q3) = *c.e;
    queue_head(&f->q3)->flags = r->left ? 0 : r->parent_flags & ENTRY_RETIRES;
    if (!r->left)
        r->mode = REPLAY_PASS;
    if (c.held)
        replay_play(r, queue_back(&f->q3));
    burst_refill(cp, f, c.mop_at, c.now);
    return c.now;
}

/* One cycle of a thread, with everything its front end may do. */
static void burst_cycle(struct coproc *cp, unsigned thread, uint64_t now)
{
    struct frontend *f = &cp->fe[thread];
    uint16_t key = wait_key(frontend_bubble(f), OWNER_NONE);
    cp->probe.now = now;
    if (f->q3.n) {
        const struct entry *e = queue_head(&f->q3);
        const struct op *op = &op_table[e->op];
        struct burst_io io;
        uint64_t done;
        burst_io_for(cp, thread, op->unit, &io);
        key = burst_try(cp, thread, &io, e, op->unit, now, &done);
        if (!key) {
            burst_occupy(cp, op->unit, now, done);
            burst_claim(cp, thread, burst_ops[e->op].port);
            cp->issued[thread]++;
            cp->last_go[thread] = now;
            frontend_pop(f);
        }
    }
    wait_ledger_note(&cp->ledger[OWNER_T0 + thread], now, key);
    frontend_clock(f, &cp->probe);
    frontend_end_cycle(f);
}

/* Runs one thread through n cycles. */
static void burst_run(struct coproc *cp, unsigned thread, unsigned n)
{
    struct frontend *f = &cp->fe[thread];
    uint64_t now = cp->now, end = now + n;
    WATCH(watch);
    while (now < end) {
        PROGRESS(watch, now, 1);
        if (f->q3.n == 1 && f->depth3 == 2 && f->replay.mode == REPLAY_PLAY &&
            burst_mop_can_wait(f))
            now = burst_glide(cp, thread, now, end);
        if (now < end)
            burst_cycle(cp, thread, now++);
    }
}

/* Nothing leaves the thread's gate, and the words before it close up. */
static void burst_fill(struct coproc *cp, unsigned thread, unsigned n)
{
    struct frontend *f = &cp->fe[thread];
    bool moved = true;
    for (unsigned i = 0; i < n && moved; i++) {
        cp->probe.now = cp->now + i;
        moved = frontend_clock(f, &cp->probe) | ((f->n_in | f->cfg_write) != 0);
        frontend_end_cycle(f);
    }
}

/* Runs all threads side by side, for n cycles or until what reaches L1 lets a core go on; the packer reads Dst before others
   write it. Returns how many cycles that were. */
static unsigned burst_run_beside(struct coproc *cp, const struct burst_plan *plan, unsigned n)
{
    uint64_t from = cp->now;
    struct pack_io io = wires_pack(cp);
    cp->burst_over = false;
    while (cp->now < from + n && !cp->burst_over) {
        if (plan->packer < COPROC_THREADS)
            burst_cycle(cp, plan->packer, cp->now);
        for (unsigned i = 0; i < COPROC_THREADS; i++)
            if (i != plan->packer && (plan->runs >> i) & 1)
                burst_cycle(cp, i, cp->now);
        if (pack_holds(&cp->pack))
            pack_clock(&cp->pack, &io, cp->now);
        cp->now++;
    }
    n = (unsigned)(cp->now - from);
    cp->now = from;
    return n;
}

uint64_t coproc_burst(struct coproc *cp, uint64_t limit, unsigned full)
{
    struct burst_plan plan = {.until = UINT64_MAX, .packer = COPROC_THREADS};
    if (cp->now < cp->burst_after)
        return 0;
    unsigned n = burst_ready(cp, full, &plan) ? burst_stretch(cp, limit, full, &plan) : 0;
    if (!n) {
        if (cp->burst_pause < BURST_PAUSE)
            cp->burst_pause = (uint8_t)(cp->burst_pause * 2 + 1);
        cp->burst_after = cp->now + cp->burst_pause;
        return 0;
    }
    cp->burst_pause = 0;
    if (plan.beside)
        n = burst_run_beside(cp, &plan, n);
    for (unsigned i = 0; i < COPROC_THREADS; i++)
        if ((plan.fills >> i) & 1)
            burst_fill(cp, i, n);
        else if (!plan.beside && (plan.runs >> i) & 1)
            burst_run(cp, i, n);
    cp->now += n;
    if (pack_holds(&cp->pack)) {
        struct pack_io io = wires_pack(cp);
        pack_clock(&cp->pack, &io, cp->now - 1);
    }
    return n;
}
