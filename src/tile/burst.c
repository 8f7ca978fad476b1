/*
 * burst.c - many cycles at once while threads only play their replay buffers.
 *
 * Real kernels spend most cycles like this: a thread's Replay expander plays, its MOP expander stands
 * before a full Q2, and the words go to units that no other thread uses at the moment. Then nothing
 * that one thread does can be seen by another, and the general cycle of tile.c reduces to: judge the
 * head, let it go, play the next word. So each thread is run through the whole window by itself.
 * burst_ready() and burst_window() make sure that everything else stands still: a window ends before
 * any playback does, and before any word that others could notice.
 *
 * Invariant: a burst leaves exactly the state, ledgers and counts that so many tile_step()s would
 * have left. It is not used while events are traced; the tests run everything both ways.
 *
 * Inaccuracies: none of its own.
 */
#include "isa/tensix.h"
#include "tile/issue.h"

#define BURST_PAUSE 8u   /* cycles until the next try after one that failed */
#define BURST_MIN   4u   /* shorter windows are not worth it */
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

/* No unit: ends a burst, whatever its bits. A NOP is harmless, bank hand-over is not. */
#define BURST_ENDS(opcode, port)                                                                   \
    ((opcode) == TENSIX_OP_NOP                          ? 0                                        \
     : (port) == 0 || (opcode) == TENSIX_OP_CLEARDVALID ? UINT32_MAX                               \
     : (port) == BURST_PORT_MATRIX                      ? UINT32_C(3) << 22                        \
                                                        : 0)

/* clang-format off */
static const struct burst_op burst_ops[256] = {
#define INSN(name, opcode, unit, block, class, text)                                               \
    [opcode] = {BURST_PORT_##unit, BURST_ENDS(opcode, BURST_PORT_##unit)},
#include "isa/tensix.def"
};
/* clang-format on */

/* What a set of words would do. */
struct burst_need {
    uint32_t ports; /* ports they want */
    uint32_t ends;  /* not 0: one of them ends a burst */
};

/* An opcode that tile_note_op() has not seen must go the long way. */
HOT_INLINE void burst_look(const struct tile *t, const struct entry *e, struct burst_need *need)
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

/* The thread stands still for as long as no semaphore or stream changes. */
static bool burst_still(struct tile *t, unsigned i)
{
    struct frontend *f = &t->fe[i];
    const struct gate *g = &t->gate[i];
    if (!burst_mop_still(f) || !burst_replay_still(f))
        return false;
    if (!f->q3.n)
        return !g->latched && t->ledger[OWNER_T0 + i].key == ledger_key(WAIT_IDLE, OWNER_NONE);
    if (g->latched != GATE_SEMWAIT && g->latched != GATE_STREAMWAIT)
        return false;
    unsigned cause = t->ledger[OWNER_T0 + i].key >> 8;
    return gate_catches(g, queue_head(&f->q3)->op) &&
           (cause == WAIT_SEM_ZERO || cause == WAIT_SEM_MAX || cause == WAIT_STREAM);
}

static bool burst_plays(struct tile *t, unsigned i)
{
    struct frontend *f = &t->fe[i];
    return f->replay.mode == REPLAY_PLAY && f->q3.n && !t->gate[i].latched && burst_mop_still(f);
}

/* The threads that play; 0 if there is anything a burst cannot do. */
static unsigned burst_ready(struct tile *t)
{
    unsigned plays = 0;
    if (t->sync.n_requests | t->sync_served | t->config.n_busy | t->config.n_requests |
        t->scalar.stage.busy | t->scalar.exec.busy | t->src.n | (t->now < t->unpack.block_end) |
        (t->probe.mask != 0))
        return 0;
    for (unsigned i = 0; i < TILE_THREADS; i++) {
        if (burst_plays(t, i))
            plays |= 1u << i;
        else if (!burst_still(t, i))
            return 0;
    }
    return plays;
}

/* Looks at n words of the replay buffer from slot i on. */
static void burst_look_at_buffer(const struct tile *t, const struct replay *r, unsigned i,
                                 unsigned n, struct burst_need *need)
{
    if (n > REPLAY_SLOTS)
        n = REPLAY_SLOTS;
    for (; n; n--, i++)
        burst_look(t, &r->slot[i % REPLAY_SLOTS], need);
}

/*
 * How many cycles this thread can play on, at most n: the rest of its playback and the REPLAYs that
 * wait in Q2, as long as the MOP expander goes on filling Q2 or has nothing more to give. The last
 * word of a playback may carry a tracking entry, and a core may wait for that: it ends the burst.
 */
static unsigned burst_look_ahead(const struct tile *t, const struct frontend *f, unsigned n,
                                 struct burst_need *need)
{
    const struct replay *r = &f->replay;
    unsigned words = r->left;
    unsigned refills = f->mop.active ? mop_words_left(&f->mop) : f->q2.n;
    for (unsigned i = 0; i < f->q3.n; i++) {
        const struct entry *e = &f->q3.slot[(f->q3.head + i) % QUEUE_MAX];
        burst_look(t, e, need);
        need->ends |= e->flags & ENTRY_RETIRES;
    }
    uint32_t seen = 0; /* the REPLAY looked at last: loops repeat it */
    burst_look_at_buffer(t, r, r->index, words, need);
    if (r->parent_flags & ENTRY_RETIRES)
        return words < n ? words : n;
    for (unsigned i = 0; i < f->q2.n && i + 1 < refills && words < n; i++) {
        const struct entry *e = &f->q2.slot[(f->q2.head + i) % QUEUE_MAX];
        struct tensix_REPLAY a = tensix_REPLAY_decode(e->word);
        if (e->op != TENSIX_OP_REPLAY || a.load_mode || e->flags)
            break;
        if (e->word != seen)
            burst_look_at_buffer(t, r, a.start_idx, replay_count(e->word), need);
        seen = e->word;
        words += replay_count(e->word);
    }
    return words < n ? words : n;
}

/* Cycles for which the playing threads need nothing but their own units; 0 if none. */
static unsigned burst_window(const struct tile *t, unsigned plays, uint64_t limit)
{
    uint64_t quiet = unpack_next(&t->unpack, t->now);
    uint64_t end = limit < quiet ? limit : quiet;
    uint32_t taken = 0;
    if (end < t->now + BURST_MIN)
        return 0;
    unsigned n = end - t->now < BURST_MAX ? (unsigned)(end - t->now) : BURST_MAX;
    for (unsigned i = 0; i < TILE_THREADS; i++) {
        struct burst_need need = {0};
        if (!((plays >> i) & 1))
            continue;
        n = burst_look_ahead(t, &t->fe[i], n, &need);
        if (need.ends || need.ports & taken || n < BURST_MIN)
            return 0;
        taken |= need.ports;
    }
    return n;
}

/* The unit takes the head in cycle now, or says why not: ledger key. */
HOT_INLINE uint16_t burst_try(struct tile *t, unsigned thread, const struct entry *e, uint64_t now)
{
    const struct op *op = &op_table[e->op];
    if (op->unit == TENSIX_UNIT_MATRIX) {
        struct matrix_io io = tile_matrix_io(t);
        uint16_t key = matrix_try(&t->matrix, &io, thread, e, now);
        if (!key) {
            tile_occupy(t, OWNER_MATRIX, now, now + op->latency);
            arbiter_serve(&t->arbiter, PORT_MATRIX, thread);
        }
        return key;
    }
    if (op->unit == TENSIX_UNIT_VECTOR) {
        uint16_t key = vector_check(&t->vector, e, now);
        if (!key) {
            tile_start_vector(t, thread, op, e, now);
            arbiter_serve(&t->arbiter, PORT_VECTOR, thread);
        }
        return key;
    }
    if (op->unit == TENSIX_UNIT_PACK) {
        tile_start_pack(t, thread, op, now);
        arbiter_serve(&t->arbiter, PORT_PACK, thread);
    }
    return 0; /* NOP: nothing to do */
}

/*
 * The steady state: one word at the gate, it goes, the next one is played. Runs on until a word is
 * held, the window ends or the playback is about to. Returns the cycle in which it stopped.
 */
static uint64_t burst_glide(struct tile *t, unsigned thread, uint64_t now, uint64_t end)
{
    struct frontend *f = &t->fe[thread];
    struct replay *r = &f->replay;
    struct entry at_gate = *queue_head(&f->q3);
    unsigned index = r->index, left = r->left;
    uint64_t from = now;
    if (end - now >= left)
        end = now + left - 1;
    for (; now < end && !burst_try(t, thread, &at_gate, now); now++) {
        at_gate = r->slot[index];
        index = (index + 1) % REPLAY_SLOTS;
    }
    if (now == from)
        return now;
    ledger_note(&t->ledger[OWNER_T0 + thread], from, KEY_GO);
    t->issued[thread] += now - from;
    t->last_go[thread] = now - 1;
    at_gate.flags = 0;
    *queue_head(&f->q3) = at_gate;
    r->index = (uint8_t)index;
    r->left = (uint8_t)(left - (now - from));
    return now;
}

/* One cycle of a playing thread. */
static void burst_cycle(struct tile *t, unsigned thread, uint64_t now)
{
    struct frontend *f = &t->fe[thread];
    struct queue *q = &f->q3;
    bool room3 = q->n < T_Q3_DEPTH, room2 = f->q2.n < T_Q2_DEPTH;
    uint16_t key = burst_try(t, thread, queue_head(q), now);
    ledger_note(&t->ledger[OWNER_T0 + thread], now, key);
    if (!key) {
        t->issued[thread]++;
        t->last_go[thread] = now;
        queue_pop(q);
    }
    if (room3 && f->replay.mode == REPLAY_PLAY)
        replay_play(&f->replay, queue_back(q));
    else if (room3)
        frontend_clock_replay(f, true, &t->probe);
    if (room2 && f->mop.active)
        frontend_clock_mop(f, true, &t->probe);
}

/* Runs one playing thread through n cycles. */
static void burst_run(struct tile *t, unsigned thread, unsigned n)
{
    struct frontend *f = &t->fe[thread];
    uint64_t now = t->now, end = now + n;
    while (now < end) {
        bool steady = f->q3.n == 1 && f->replay.mode == REPLAY_PLAY &&
                      (f->q2.n >= T_Q2_DEPTH || !f->mop.active);
        if (steady)
            now = burst_glide(t, thread, now, end);
        if (now < end)
            burst_cycle(t, thread, now++);
    }
}

uint64_t tile_burst(struct tile *t, uint64_t limit)
{
    if (t->now < t->burst_after)
        return 0;
    unsigned plays = burst_ready(t);
    unsigned n = plays ? burst_window(t, plays, limit) : 0;
    if (!n) {
        t->burst_after = t->now + BURST_PAUSE;
        return 0;
    }
    for (unsigned i = 0; i < TILE_THREADS; i++)
        if ((plays >> i) & 1)
            burst_run(t, i, n);
    t->now += n;
    return n;
}
