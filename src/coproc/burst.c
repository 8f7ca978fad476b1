/*
 * burst.c - many cycles at once while threads only feed units that nobody else uses.
 *
 * Real kernels spend most cycles like this: a thread's Replay expander plays, its MOP expander stands
 * before a full Q2, and the words go to units of the thread's own. Then nothing that one thread does
 * can be seen by another, and each thread can be run through a whole window of cycles by itself.
 * burst_ready() and burst_window() make sure of that: everything else stands still, the words on
 * their way to the gates are harmless, and no two threads want the same port.
 *
 * Invariant: a burst leaves exactly the state, ledgers and counts that so many coproc_step()s would
 * have left. It is not used while events are traced; the tests run everything both ways.
 *
 * Inaccuracies: none of its own.
 */
#include "coproc/issue.h"
#include "isa/tensix.h"

#define BURST_PAUSE 8u   /* pauses after failed tries double from 1 cycle until they pass this */
#define BURST_MIN   2u   /* shorter windows are not worth it */
#define BURST_MAX   256u /* longer ones gain nothing */

/* Which port a word wants, as a bit, and which of its bits end a burst. */
struct burst_op {
    uint32_t port, ends;
};

#define BURST_PORT_NONE   0
#define BURST_PORT_SYNC   0
#define BURST_PORT_UNPACK 0
#define BURST_PORT_MATRIX (UINT32_C(1) << PORT_MATRIX)
#define BURST_PORT_PACK   (UINT32_C(1) << PORT_PACK)
#define BURST_PORT_VECTOR (UINT32_C(1) << PORT_VECTOR)
#define BURST_PORT_SCALAR 0
#define BURST_PORT_CONFIG 0
#define BURST_PORT_MOVER  0
#define BURST_PORT_MISC   0

/* Beside the ports: PACR looks at Dst, what else goes to the packer does not. */
#define BURST_LOOKS (UINT32_C(1) << 31)
/* Words that reach Dst want it like a port: only one thread at a time can have it. */
#define BURST_DST (UINT32_C(1) << 30)
#define BURST_REACHES(opcode, port)                                                                \
    ((port) == BURST_PORT_VECTOR                                                                   \
         ? (opcode) == TENSIX_OP_SFPLOAD || (opcode) == TENSIX_OP_SFPSTORE ||                      \
               (opcode) == TENSIX_OP_SFPLOADMACRO                                                  \
         : (port) == BURST_PORT_MATRIX && (opcode) != TENSIX_OP_GATESRCRST &&                      \
               (opcode) != TENSIX_OP_SETRWC && (opcode) != TENSIX_OP_INCRWC)

/* No unit: ends a burst, whatever its bits. A NOP is harmless; bank hand-over is not, nor what reaches beyond its unit. */
#define BURST_ALONE(opcode)                                                                        \
    ((opcode) == TENSIX_OP_CLEARDVALID || (opcode) == TENSIX_OP_CLREXPHIST ||                      \
     (opcode) == TENSIX_OP_PACR_SETREG || (opcode) == TENSIX_OP_SFPLOADMACRO)
#define BURST_ENDS(opcode, port)                                                                   \
    ((opcode) == TENSIX_OP_NOP            ? 0                                                      \
     : (port) == 0 || BURST_ALONE(opcode) ? UINT32_MAX                                             \
     : (port) == BURST_PORT_MATRIX        ? UINT32_C(3) << 22                                      \
                                          : 0)

/* clang-format off */
static const struct burst_op burst_ops[256] = {
#define INSN(name, opcode, unit, block, class, text)                                               \
    [opcode] = {BURST_PORT_##unit | ((opcode) == TENSIX_OP_PACR ? BURST_LOOKS : 0) |                 \
                    (BURST_REACHES(opcode, BURST_PORT_##unit) ? BURST_DST : 0),                      \
                BURST_ENDS(opcode, BURST_PORT_##unit)},
#include "isa/tensix.def"
};
/* clang-format on */

/* What a set of words would do. */
struct burst_need {
    uint32_t ports; /* ports they want */
    uint32_t ends;  /* not 0: one of them ends a burst */
};

/* An opcode that coproc_note_op() has not seen must go the long way. */
HOT_INLINE void burst_look(const struct coproc *t, const struct entry *e, struct burst_need *need)
{
    const struct burst_op *op = &burst_ops[e->op];
    need->ports |= op->port;
    need->ends |= (e->word & op->ends) | !t->noted[e->op];
}

/* The MOP expander does nothing as long as Q2 is not read. */
static bool burst_mop_still(const struct frontend *f)
{
    uint8_t op = f->q1.slot[f->q1.head].op;
    if (f->n_in | f->cfg_write | f->b_pending | f->mop.transition)
        return false;
    if (f->mop.active)
        return f->q2.n >= T_Q2_DEPTH;
    if (!f->q1.n)
        return f->mop.emitted_wait == WAIT_IDLE;
    return f->q2.n >= T_Q2_DEPTH && op != TENSIX_OP_MOP && op != TENSIX_OP_MOP_CFG;
}

/* The Replay expander does nothing as long as Q3 is not read. */
static bool burst_replay_still(struct frontend *f)
{
    if (f->replay.mode != REPLAY_PLAY && !f->q2.n)
        return f->replay.emitted_wait == f->mop.emitted_wait;
    if (f->q3.n < T_Q3_DEPTH || f->replay.mode == REPLAY_RECORD)
        return false;
    return f->replay.mode != REPLAY_PASS || queue_head(&f->q2)->op != TENSIX_OP_REPLAY;
}

/* The head is for an unpacker that has no room for it and, until unpack_next(), does nothing by itself. */
static bool burst_unpacker_full(const struct coproc *t, unsigned thread, const struct entry *e)
{
    uint16_t key = ledger_key(WAIT_UNIT_BUSY, OWNER_UNPACK0 + unpack_which(e->word));
    return op_table[e->op].unit == TENSIX_UNIT_UNPACK && t->now >= t->unpack.issue_at &&
           t->ledger[OWNER_T0 + thread].key == key && unpack_check(&t->unpack, e, t->now) == key;
}

/* The thread stands still for as long as no semaphore, stream or bank of Src changes. */
static bool burst_still(struct coproc *t, unsigned i)
{
    struct frontend *f = &t->fe[i];
    const struct gate *g = &t->gate[i];
    if (!burst_mop_still(f) || !burst_replay_still(f))
        return false;
    if (!f->q3.n)
        return !g->latched && t->ledger[OWNER_T0 + i].key == ledger_key(WAIT_IDLE, OWNER_NONE);
    if (!g->latched)
        return burst_unpacker_full(t, i, queue_head(&f->q3));
    if (g->latched != GATE_SEMWAIT && g->latched != GATE_STREAMWAIT)
        return false;
    unsigned cause = t->ledger[OWNER_T0 + i].key >> 8;
    return gate_catches(g, queue_head(&f->q3)->op) &&
           (cause == WAIT_SEM_ZERO || cause == WAIT_SEM_MAX || cause == WAIT_STREAM);
}

/* Nothing holds the thread but what its words meet at their units. */
static bool burst_plays(const struct coproc *t, unsigned i)
{
    const struct frontend *f = &t->fe[i];
    return !t->gate[i].latched && !(f->n_in | f->cfg_write | f->b_pending);
}

/* The threads that run; 0 if there is anything a burst cannot do. */
static unsigned burst_ready(struct coproc *t)
{
    unsigned runs = 0;
    if (t->sync.n_requests | t->sync_served | t->config.n_busy | t->config.n_requests |
            scalar_holds(&t->scalar) | t->src.n | t->pack.n_sets | (t->now < t->unpack.block_end) |
            (t->probe.mask != 0) | (t->vector.macro.n != 0) ||
        unpack_begins(&t->unpack, &t->src, t->now))
        return 0;
    for (unsigned i = 0; i < COPROC_THREADS; i++) {
        if (burst_still(t, i))
            continue;
        if (!burst_plays(t, i))
            return 0;
        runs |= 1u << i;
    }
    return runs;
}

/* Looks at n words of the replay buffer from slot i on. */
static void burst_look_at_buffer(const struct coproc *t, const struct replay *r, unsigned i,
                                 unsigned n, struct burst_need *need)
{
    if (n > REPLAY_SLOTS)
        n = REPLAY_SLOTS;
    for (; n; n--, i++)
        burst_look(t, &r->slot[i % REPLAY_SLOTS], need);
}

/* Looks at what a REPLAY plays. Loops repeat it: the last harmless one is remembered until the buffer
   is written again. */
static bool burst_look_at_replay(struct coproc *t, unsigned thread, uint32_t word,
                                 struct burst_need *need)
{
    struct burst_need one = {0};
    struct burst_memo *memo = &t->burst_memo[thread];
    const struct replay *r = &t->fe[thread].replay;
    if (memo->word != word || memo->records != r->records) {
        unsigned from = tensix_REPLAY_decode(word).start_idx;
        burst_look_at_buffer(t, r, from, replay_count(word), &one);
        if (one.ends)
            return false;
        *memo = (struct burst_memo){.word = word, .records = r->records, .ports = one.ports};
    }
    need->ports |= memo->ports;
    return true;
}

/* Looks at the word at place i of Q2: how many words will come of it; 0: not for a burst. */
static unsigned burst_look_at_q2(struct coproc *t, unsigned thread, unsigned i,
                                 struct burst_need *need)
{
    const struct frontend *f = &t->fe[thread];
    const struct entry *e = &f->q2.slot[(f->q2.head + i) % QUEUE_MAX];
    struct burst_need one = {0};
    if (e->op != TENSIX_OP_REPLAY) {
        burst_look(t, e, &one);
        need->ports |= one.ports;
        return !one.ends;
    }
    if (tensix_REPLAY_decode(e->word).load_mode || !burst_look_at_replay(t, thread, e->word, need))
        return 0;
    return replay_count(e->word);
}

/*
 * For how many cycles this thread can run, at most n: as many as there are harmless words on their
 * way to the gate, for the k-th of them cannot go before the k-th cycle. If the core waits for a
 * tracking entry (full), the word that frees one may go in the last cycle only.
 */
static unsigned burst_look_ahead(struct coproc *t, unsigned thread, unsigned n, bool full,
                                 struct burst_need *need)
{
    const struct frontend *f = &t->fe[thread];
    const struct replay *r = &f->replay;
    unsigned words = f->q3.n, more;
    for (unsigned i = 0; i < f->q3.n; i++) {
        const struct entry *e = &f->q3.slot[(f->q3.head + i) % QUEUE_MAX];
        burst_look(t, e, need);
        if (full && e->flags & ENTRY_RETIRES)
            return i + 1 < n ? i + 1 : n;
    }
    if (r->mode == REPLAY_PLAY) {
        if (!burst_look_at_replay(t, thread, r->word, need))
            return 0;
        words += r->left;
        if (full && r->parent_flags & ENTRY_RETIRES)
            return words < n ? words : n;
    } else if (r->mode != REPLAY_PASS) {
        return 0;
    }
    for (unsigned i = 0; i < f->q2.n && words < n; i++) {
        more = burst_look_at_q2(t, thread, i, need);
        words += more;
        if (!more || (full && f->q2.slot[(f->q2.head + i) % QUEUE_MAX].flags & ENTRY_RETIRES))
            break;
    }
    return words < n ? words : n;
}

/* Could the MOP expander free a tracking entry by swallowing a word? */
static bool burst_swallows(const struct frontend *f)
{
    return f->n_mop_cfg ||
           (f->q1.n &&
            mop_is_empty(&f->mop, tensix_MOP_encode((struct tensix_MOP){.mop_type = 1})));
}

/* Cycles for which the running threads need nothing but their own units; 0 if none. packer: the thread
   that packs while another one may write Dst; it must run beside that one. */
static unsigned burst_window(struct coproc *t, unsigned runs, uint64_t limit, unsigned full,
                             unsigned *packer)
{
    uint32_t ports[COPROC_THREADS] = {0};
    *packer = COPROC_THREADS;
    uint64_t quiet = unpack_next(&t->unpack, t->now);
    uint64_t end = limit < quiet ? limit : quiet;
    uint32_t taken = 0;
    if (end < t->now + BURST_MIN)
        return 0;
    unsigned n = end - t->now < BURST_MAX ? (unsigned)(end - t->now) : BURST_MAX;
    for (unsigned i = 0; i < COPROC_THREADS; i++) {
        struct burst_need need = {0};
        bool waited_for = (full >> i) & 1;
        if (!((runs >> i) & 1))
            continue;
        n = burst_look_ahead(t, i, n, waited_for, &need);
        if (need.ends || need.ports & taken || n < BURST_MIN)
            return 0;
        if (waited_for && burst_swallows(&t->fe[i]))
            return 0;
        if (need.ports & BURST_PORT_PACK && full & COPROC_NO_PACK)
            return 0;
        taken |= need.ports;
        ports[i] = need.ports;
    }
    for (unsigned i = 0; i < COPROC_THREADS; i++)
        if (ports[i] & BURST_LOOKS && (taken ^ ports[i]) & BURST_DST)
            *packer = i;
    return n;
}

/* Words of this thread went through these ports: who used the units, and who is served next. */
static void burst_claim(struct coproc *t, unsigned thread, uint32_t ports)
{
    if ((ports >> PORT_MATRIX) & 1) {
        matrix_use(&t->matrix, thread);
        arbiter_serve(&t->arbiter, PORT_MATRIX, thread);
    }
    if ((ports >> PORT_VECTOR) & 1) {
        vector_use(&t->vector, thread);
        arbiter_serve(&t->arbiter, PORT_VECTOR, thread);
    }
    if ((ports >> PORT_PACK) & 1)
        arbiter_serve(&t->arbiter, PORT_PACK, thread);
}

/* What the words of a thread look at, looked up once. */
struct burst_io {
    struct matrix_io matrix;
    struct vector_io vector;
    struct pack_io pack;
};

/* Only what words for this unit need. */
HOT_INLINE void burst_io_for(struct coproc *t, unsigned thread, unsigned unit, struct burst_io *io)
{
    if (unit == TENSIX_UNIT_MATRIX)
        io->matrix = coproc_matrix_io(t, thread);
    else if (unit == TENSIX_UNIT_VECTOR)
        io->vector = coproc_vector_io(t, thread);
    else if (unit == TENSIX_UNIT_PACK)
        io->pack = coproc_pack_io(t);
}

/* The unit takes the head in cycle now, or says why not: ledger key. done: when it is through. */
HOT_INLINE uint16_t burst_try(struct coproc *t, unsigned thread, const struct burst_io *io,
                              const struct entry *e, unsigned unit, uint64_t now, uint64_t *done)
{
    uint16_t key = 0;
    *done = now + op_table[e->op].latency;
    if (unit == TENSIX_UNIT_MATRIX) {
        key = matrix_try(&t->matrix, &io->matrix, thread, e, now);
    } else if (unit == TENSIX_UNIT_VECTOR) {
        key = vector_check(&t->vector, e, now);
        if (!key)
            vector_start(&t->vector, &io->vector, e, now);
    } else if (unit == TENSIX_UNIT_PACK) {
        key = pack_check(&t->pack, &io->pack, thread, e, now);
        if (!key)
            *done = pack_start(&t->pack, &io->pack, thread, e, now);
    } /* else NOP: nothing to do */
    return key;
}

/* The unit of a word that went in cycle `from` and its like in every cycle since is occupied. */
static void burst_occupy(struct coproc *t, unsigned unit, uint64_t from, uint64_t until)
{
    unsigned owner = unit == TENSIX_UNIT_MATRIX
                         ? OWNER_MATRIX
                         : (unit == TENSIX_UNIT_VECTOR ? OWNER_VECTOR : OWNER_PACK);
    if (unit != TENSIX_UNIT_MISC)
        coproc_occupy(t, owner, from, until);
}

/* A playback on its way through a unit. */
struct burst_cursor {
    const struct entry *e; /* at the gate */
    unsigned index;        /* slot of the next */
    unsigned left;         /* words that are still to be played */
    unsigned gone;         /* words that went */
    uint64_t now, end;
    uint64_t last; /* cycle of the last word that went */
    bool held;     /* e was held in the last cycle: the word behind it is at the gate, too */
    bool stuck;    /* e is held, and what follows is not for a glide */
};

/*
 * Words go one by one as long as they are for this unit, a constant, and it is booked for them. One that is held lets the
 * next one come to the gate; when it goes, none comes. So in the end only time has passed. If that next one is the
 * last, the expander may look at Q2 afterwards: there must be something in it.
 */
HOT_INLINE void burst_glide_unit(struct coproc *t, unsigned thread, struct burst_cursor *c,
                                 unsigned unit)
{
    struct burst_io io;
    const struct frontend *f = &t->fe[thread];
    const struct entry *slot = f->replay.slot;
    struct ledger *l = &t->ledger[OWNER_T0 + thread];
    uint64_t from = c->now, until = from, done;
    bool plays = true; /* what vector_play() has left is not for it */
    burst_io_for(t, thread, unit, &io);
    while (c->now < c->end && c->left && op_table[c->e->op].unit == unit) {
        uint64_t now = c->now;
        unsigned n = 0, most = c->end - now < c->left ? (unsigned)(c->end - now) : c->left;
        if (until < now) { /* it stood idle */
            if (until > from)
                burst_occupy(t, unit, from, until);
            from = until = now;
        }
        if (unit == TENSIX_UNIT_VECTOR && plays)
            n = vector_play(&t->vector, &io.vector, c->e, slot, c->index, most, now, 1, &until);
        plays = n == 0 || n == most;
        if (!n) {
            uint16_t key = burst_try(t, thread, &io, c->e, unit, now, &done);
            c->stuck = key && c->left == 1 && !f->q2.n;
            if (c->stuck)
                break;
            if (key) {
                ledger_note(l, now, key);
                c->held = true;
                c->now++;
                continue;
            }
            until = done > until ? done : until;
            n = 1;
        }
        ledger_note(l, now, KEY_GO);
        c->index = (c->index + n) % REPLAY_SLOTS;
        c->e = &slot[(c->index - 1) % REPLAY_SLOTS];
        c->left -= n;
        c->gone += n;
        c->now += n;
        c->last = c->now - 1;
        c->held = false;
    }
    if (until > from)
        burst_occupy(t, unit, from, until);
}

/*
 * The steady state: one word at the gate, it goes, now or later, the next one is played. Runs on until the window or the
 * playback ends. Returns the cycle in which it stopped.
 */
static uint64_t burst_glide(struct coproc *t, unsigned thread, uint64_t now, uint64_t end)
{
    struct frontend *f = &t->fe[thread];
    struct replay *r = &f->replay;
    struct burst_cursor c = {
        .e = queue_head(&f->q3), .index = r->index, .left = r->left, .now = now, .end = end};
    uint32_t ports = 0;
    if (c.e->flags)
        return now;
    while (c.now < end && c.left && !c.stuck) {
        unsigned gone = c.gone;
        uint32_t port = burst_ops[c.e->op].port;
        switch (op_table[c.e->op].unit) {
        case TENSIX_UNIT_MATRIX: burst_glide_unit(t, thread, &c, TENSIX_UNIT_MATRIX); break;
        case TENSIX_UNIT_VECTOR: burst_glide_unit(t, thread, &c, TENSIX_UNIT_VECTOR); break;
        case TENSIX_UNIT_PACK: burst_glide_unit(t, thread, &c, TENSIX_UNIT_PACK); break;
        default: burst_glide_unit(t, thread, &c, TENSIX_UNIT_MISC); break;
        }
        ports |= c.gone > gone ? port : 0;
    }
    if (c.now == now)
        return now;
    burst_claim(t, thread, ports);
    t->issued[thread] += c.gone;
    if (c.gone)
        t->last_go[thread] = c.last;
    r->index = (uint8_t)c.index;
    r->left = (uint8_t)c.left;
    *queue_head(&f->q3) = *c.e;
    queue_head(&f->q3)->flags = r->left ? 0 : r->parent_flags & ENTRY_RETIRES;
    if (!r->left)
        r->mode = REPLAY_PASS;
    if (c.held)
        replay_play(r, queue_back(&f->q3));
    return c.now;
}

/* What the MOP expander did in n cycles in which nobody read Q2, which had room for one word. */
static void burst_refill(struct coproc *t, struct frontend *f, uint64_t n)
{
    bool moved = frontend_clock_mop(f, true, &t->probe);
    for (uint64_t i = 1; i < n && moved && !f->mop.active; i++)
        moved = frontend_clock_mop(f, false, &t->probe);
}

/* One cycle of a thread, with everything its front end may do. */
static void burst_cycle(struct coproc *t, unsigned thread, uint64_t now)
{
    struct frontend *f = &t->fe[thread];
    uint16_t key = ledger_key(frontend_bubble(f), OWNER_NONE);
    if (f->q3.n) {
        const struct entry *e = queue_head(&f->q3);
        const struct op *op = &op_table[e->op];
        struct burst_io io;
        uint64_t done;
        burst_io_for(t, thread, op->unit, &io);
        key = burst_try(t, thread, &io, e, op->unit, now, &done);
        if (!key) {
            burst_occupy(t, op->unit, now, done);
            burst_claim(t, thread, burst_ops[e->op].port);
            t->issued[thread]++;
            t->last_go[thread] = now;
            frontend_pop(f);
        }
    }
    ledger_note(&t->ledger[OWNER_T0 + thread], now, key);
    t->probe.now = now;
    frontend_clock(f, &t->probe);
}

/* Runs one thread through n cycles. */
static void burst_run(struct coproc *t, unsigned thread, unsigned n)
{
    struct frontend *f = &t->fe[thread];
    uint64_t now = t->now, end = now + n;
    while (now < end) {
        bool steady = f->q3.n == 1 && f->replay.mode == REPLAY_PLAY;
        if (steady && burst_mop_still(f)) {
            now = burst_glide(t, thread, now, end);
        } else if (steady && f->mop.active && f->q2.n == T_Q2_DEPTH - 1) {
            uint64_t from = now;
            now = burst_glide(t, thread, now, end);
            if (now > from)
                burst_refill(t, f, now - from);
        }
        if (now < end)
            burst_cycle(t, thread, now++);
    }
}

/* Runs all threads through n cycles side by side; the packer reads Dst before others write it. */
static void burst_run_beside(struct coproc *t, unsigned runs, unsigned packer, unsigned n)
{
    for (uint64_t now = t->now; now < t->now + n; now++) {
        burst_cycle(t, packer, now);
        for (unsigned i = 0; i < COPROC_THREADS; i++)
            if (i != packer && (runs >> i) & 1)
                burst_cycle(t, i, now);
    }
}

uint64_t coproc_burst(struct coproc *t, uint64_t limit, unsigned full)
{
    if (t->now < t->burst_after)
        return 0;
    unsigned runs = burst_ready(t);
    unsigned packer = COPROC_THREADS;
    unsigned n = runs ? burst_window(t, runs, limit, full, &packer) : 0;
    if (!n) {
        if (t->burst_pause < BURST_PAUSE)
            t->burst_pause = (uint8_t)(t->burst_pause * 2 + 1);
        t->burst_after = t->now + t->burst_pause;
        return 0;
    }
    t->burst_pause = 0;
    if (packer < COPROC_THREADS)
        burst_run_beside(t, runs, packer, n);
    for (unsigned i = 0; packer == COPROC_THREADS && i < COPROC_THREADS; i++)
        if ((runs >> i) & 1)
            burst_run(t, i, n);
    t->now += n;
    if (pack_holds(&t->pack)) {
        struct pack_io io = coproc_pack_io(t);
        pack_clock(&t->pack, &io, t->now - 1);
    }
    return n;
}
