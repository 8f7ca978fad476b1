/*
 * rush.c - the coprocessor without time: each thread runs until something holds it.
 *
 * Untimed is the same machine with all latencies zero. coproc_step() and coproc_drain() do that cycle by
 * cycle; this does the same word by word: a word goes straight through the expanders to the gate, is judged by the
 * same rules and started by the same functions, and then its unit finishes it. What does not end by
 * itself (an atomic that waits for L1) goes the long way.
 *
 * Invariant: nothing is in flight between two words but unpackers that wait for their bank.
 *
 * Inaccuracies: threads run one after another, not side by side, so programs with races see other orders
 * than with time. Not used while events are traced.
 */
#include "base/hot.h"
#include "coproc/issue.h"
#include "isa/tensix.h"

#define RUSH_MATRIX 8u   /* cycles after which a Matrix instruction has left nothing behind */
#define RUSH_VECTOR 2u   /* the same for the Vector Unit */
#define RUSH_WORDS  256u /* of one thread before the next has its turn */
#define RUSH_RING   32u  /* slots of Q1 and of the replay buffer */
_Static_assert(RUSH_RING == REPLAY_SLOTS && RUSH_RING == QUEUE_MAX && RUSH_RING == VECTOR_RING,
               "words in a row come from either");

/* The latched wait still holds e. */
static bool rush_latch_holds(struct coproc *t, unsigned thread, const struct entry *e)
{
    struct gate *g = &t->gate[thread];
    bool waits = coproc_test_latch(t, thread) != 0;
    bool caught = gate_catches(g, e->op);
    g->held |= caught;
    if (!waits)
        gate_unlatch(g, thread, t->now, &t->probe);
    return waits && caught;
}

static void rush_to(struct coproc *t, uint64_t at)
{
    if (at > t->now)
        t->now = at;
}

/* Unpackers move all that they have banks for. */
static void rush_unpackers(struct coproc *t)
{
    struct unpack_io io = coproc_unpack_io(t);
    bool moved = true;
    rush_to(t, t->unpack.issue_at);
    while (moved && t->unpack.u[0].n | t->unpack.u[1].n) {
        for (unsigned i = 0; i < 2; i++)
            rush_to(t, unpack_due(&t->unpack.u[i]));
        moved = unpack_begin(&t->unpack, &t->src, t->now);
        for (unsigned i = 0; i < 2; i++)
            rush_to(t, unpack_due(&t->unpack.u[i]));
        moved |= unpack_clock(&t->unpack, &io, t->now) != 0;
        t->now += moved;
    }
}

/* As coproc_drain(), if there is anything to finish. */
static void rush_drain(struct coproc *t)
{
    if (t->config.n_busy | t->config.n_requests | scalar_holds(&t->scalar) | t->src.n |
        pack_holds(&t->pack)) {
        coproc_drain(t);
        return;
    }
    coproc_pass_time(t);
    rush_unpackers(t);
}

/* Banks have changed hands. */
static void rush_banks(struct coproc *t)
{
    rush_unpackers(t);
    if (t->scalar.exec.busy) /* a store to Src may wait for one */
        coproc_drain(t);
}

/* The Scalar Unit executes what it has just been given. */
static void rush_scalar(struct coproc *t)
{
    if (t->scalar.exec.busy | (t->scalar.n_loads != 0)) { /* another thread's, which waits */
        coproc_drain(t);
        return;
    }
    coproc_clock_scalar(t, false);
    if (t->scalar.exec.memory || t->scalar.exec.end == SCALAR_OPEN) {
        coproc_drain(t);
        return;
    }
    rush_to(t, t->scalar.exec.end);
    coproc_clock_scalar(t, false);
    t->now++;
}

/* The Config pipe runs empty. */
static void rush_config(struct coproc *t)
{
    if (scalar_holds(&t->scalar)) {
        coproc_drain(t);
        return;
    }
    for (; t->config.n_busy; t->now++)
        config_clock(&t->config, &t->gpr, &t->stream, false, &t->probe);
}

/* The word's time passes. Others have nothing in flight, so only its own unit has to finish. */
HOT_INLINE void rush_pass(struct coproc *t, unsigned unit, unsigned opcode)
{
    t->now++;
    switch (unit) {
    case TENSIX_UNIT_MATRIX:
        rush_to(t, t->matrix.done_at);
        rush_to(t, t->matrix.closed_end);
        rush_to(t, t->dst.last_ready);
        if (t->src.n | (opcode == TENSIX_OP_CLEARDVALID)) {
            if (t->src.n)
                rush_to(t, t->src.flip[(t->src.head + t->src.n - 1u) % SRC_PENDING].due);
            src_clock(&t->src, t->now, &t->probe);
            rush_banks(t);
        }
        break;
    case TENSIX_UNIT_UNPACK: rush_unpackers(t); break;
    case TENSIX_UNIT_SCALAR: rush_scalar(t); break;
    case TENSIX_UNIT_CONFIG: rush_config(t); break;
    case TENSIX_UNIT_VECTOR:
        rush_to(t, t->vector.done_at);
        rush_to(t, t->vector.swap_end);
        rush_to(t, t->dst.last_ready);
        break;
    case TENSIX_UNIT_MOVER: rush_drain(t); break;
    default:
        if (opcode == TENSIX_OP_SETDVALID)
            rush_banks(t);
        break;
    }
    t->probe.now = t->now;
}

/* ---- one word ---- */

/* Carries out what waits for cycles in the Vector Unit. */
static bool rush_finish_vector(struct coproc *t)
{
    bool any = vector_ticks(&t->vector);
    struct vector_io io = coproc_vector_io(t, t->vector.thread);
    vector_finish(&t->vector, &io);
    return any;
}

/* The thread that uses the Vector Unit sends a word elsewhere. */
HOT_INLINE void rush_beside(struct coproc *t, unsigned thread, unsigned unit)
{
    bool one_cycle =
        unit == TENSIX_UNIT_MATRIX || unit == TENSIX_UNIT_CONFIG || unit == TENSIX_UNIT_MISC;
    if (thread != t->vector.thread)
        return;
    if (one_cycle && !vector_ticks(&t->vector))
        t->vector.own++;
    else
        coproc_vector_beside(t, thread, unit);
}

/* e goes if its unit takes it. unit: op_table's, a constant, so that only the unit's own code is left. */
HOT_INLINE bool rush_word(struct coproc *t, unsigned thread, const struct entry *e, unsigned unit)
{
    struct decision d = {.e = e};
    if (coproc_check_unit(t, thread, unit, &d))
        return false;
    if (!LIKELY(t->noted[e->op]))
        coproc_note_op(t, thread, &op_table[e->op], e);
    if (unit != TENSIX_UNIT_VECTOR)
        rush_beside(t, thread, unit);
    coproc_start_unit(t, thread, &op_table[e->op], unit, e, COPROC_UNBOOKED);
    t->issued[thread]++;
    t->last_go[thread] = t->now;
    rush_pass(t, unit, e->op);
    return true;
}

typedef bool rush_unit(struct coproc *t, unsigned thread, const struct entry *e);

static bool rush_to_sync(struct coproc *t, unsigned thread, const struct entry *e)
{
    return rush_word(t, thread, e, TENSIX_UNIT_SYNC);
}

static bool rush_to_unpack(struct coproc *t, unsigned thread, const struct entry *e)
{
    return rush_word(t, thread, e, TENSIX_UNIT_UNPACK);
}

static bool rush_to_matrix(struct coproc *t, unsigned thread, const struct entry *e)
{
    return rush_word(t, thread, e, TENSIX_UNIT_MATRIX);
}

/* The packer is started before the word counts as gone, and reads Dst with all that is scheduled in it. */
static bool rush_to_pack(struct coproc *t, unsigned thread, const struct entry *e)
{
    struct pack_io io = coproc_pack_io(t);
    if (pack_check(&t->pack, &io, thread, e, t->now))
        return false;
    if (vector_ticks(&t->vector))
        rush_finish_vector(t);
    pack_start(&t->pack, &io, thread, e, t->now);
    if (!LIKELY(t->noted[e->op]))
        coproc_note_op(t, thread, &op_table[e->op], e);
    rush_beside(t, thread, TENSIX_UNIT_PACK);
    t->issued[thread]++;
    t->last_go[thread] = t->now++;
    rush_to(t, t->pack.done_at[thread]);
    pack_clock(&t->pack, &io, t->now);
    t->probe.now = t->now;
    return true;
}

static bool rush_to_vector(struct coproc *t, unsigned thread, const struct entry *e)
{
    return rush_word(t, thread, e, TENSIX_UNIT_VECTOR);
}

static bool rush_to_scalar(struct coproc *t, unsigned thread, const struct entry *e)
{
    return rush_word(t, thread, e, TENSIX_UNIT_SCALAR);
}

static bool rush_to_config(struct coproc *t, unsigned thread, const struct entry *e)
{
    return rush_word(t, thread, e, TENSIX_UNIT_CONFIG);
}

static bool rush_to_mover(struct coproc *t, unsigned thread, const struct entry *e)
{
    return rush_word(t, thread, e, TENSIX_UNIT_MOVER);
}

static bool rush_to_misc(struct coproc *t, unsigned thread, const struct entry *e)
{
    return rush_word(t, thread, e, TENSIX_UNIT_MISC);
}

static rush_unit *const rush_units[TENSIX_N_UNITS] = {
    [TENSIX_UNIT_NONE] = rush_to_misc,
    [TENSIX_UNIT_SYNC] = rush_to_sync,
    [TENSIX_UNIT_UNPACK] = rush_to_unpack,
    [TENSIX_UNIT_MATRIX] = rush_to_matrix,
    [TENSIX_UNIT_PACK] = rush_to_pack,
    [TENSIX_UNIT_VECTOR] = rush_to_vector,
    [TENSIX_UNIT_SCALAR] = rush_to_scalar,
    [TENSIX_UNIT_CONFIG] = rush_to_config,
    [TENSIX_UNIT_MOVER] = rush_to_mover,
    [TENSIX_UNIT_MISC] = rush_to_misc,
};

/* Gate and unit let e go. */
HOT_INLINE bool rush_one(struct coproc *t, unsigned thread, const struct entry *e)
{
    if (t->gate[thread].latched && rush_latch_holds(t, thread, e))
        return false;
    if (t->scalar.exec.busy && t->scalar.exec.thread == thread)
        return false; /* an atomic, a store to Src or a FLUSHDMA that waits */
    return rush_units[op_table[e->op].unit](t, thread, e);
}

/* ---- words in a row ---- */

/*
 * Words in a row that are pushed or played go to the Matrix or the Vector Unit together, the common way of products and
 * of functions of numbers. They stand in a ring, n of them from index on; nothing is latched. Returns how many went.
 */

/* Words for the Matrix Unit that hand over no bank. */
static unsigned rush_row_matrix(struct coproc *t, unsigned thread, const struct entry *slot,
                                unsigned index, unsigned n)
{
    struct matrix_io io = coproc_matrix_io(t, thread);
    unsigned k = 0;
    if (t->vector.macro.n)
        return 0;
    for (; k < n; k++) {
        const struct entry *e = &slot[(index + k) % RUSH_RING];
        if (op_table[e->op].unit != TENSIX_UNIT_MATRIX || !t->noted[e->op] ||
            e->op == TENSIX_OP_CLEARDVALID || e->word >> 22 & 3 ||
            matrix_try(&t->matrix, &io, thread, e, t->now))
            break;
        t->now += RUSH_MATRIX;
    }
    if (!k)
        return 0;
    matrix_use(&t->matrix, thread);
    if (t->vector.thread == thread)
        t->vector.own += k;
    t->issued[thread] += k;
    return k;
}

/* Words for the Vector Unit, which never holds any without time. */
static unsigned rush_row_vector(struct coproc *t, unsigned thread, const struct entry *slot,
                                unsigned index, unsigned n)
{
    struct vector_io io = coproc_vector_io(t, thread);
    unsigned gone = 0;
    uint64_t until = 0;
    while (gone < n) {
        const struct entry *e = &slot[(index + gone) % RUSH_RING];
        if (op_table[e->op].unit != TENSIX_UNIT_VECTOR || !t->noted[e->op])
            break;
        unsigned next = (index + gone + 1) % RUSH_RING;
        unsigned k =
            vector_play(&t->vector, &io, e, slot, next, n - gone, t->now, RUSH_VECTOR, &until);
        if (!k) {
            vector_start(&t->vector, &io, e, t->now);
            k = 1;
        }
        t->now += k * RUSH_VECTOR;
        gone += k;
    }
    if (!gone)
        return 0;
    vector_use(&t->vector, thread);
    t->issued[thread] += gone;
    rush_pass(t, TENSIX_UNIT_VECTOR, 0);
    return gone;
}

/* Some of the words of the ring go: a row for one unit, or the first; none if that is held. */
HOT_INLINE unsigned rush_some(struct coproc *t, unsigned thread, const struct entry *slot,
                              unsigned index, unsigned n)
{
    const struct entry *e = &slot[index];
    unsigned unit = op_table[e->op].unit, k = 0;
    if (!t->gate[thread].latched && !t->scalar.exec.busy) {
        if (unit == TENSIX_UNIT_VECTOR)
            k = rush_row_vector(t, thread, slot, index, n);
        else if (unit == TENSIX_UNIT_MATRIX)
            k = rush_row_matrix(t, thread, slot, index, n);
    }
    return k ? k : rush_one(t, thread, e);
}

/* ---- a thread ---- */

/* What brings a word to the gate, from there backwards. A word that is held stands at the gate; everything behind it is
   asked only when it has gone. */

static unsigned rush_gate(struct coproc *t, unsigned thread)
{
    struct frontend *f = &t->fe[thread];
    if (!rush_one(t, thread, queue_head(&f->q3)))
        return 0;
    frontend_pop(f);
    f->popped = false;
    return 1;
}

static unsigned rush_replay(struct coproc *t, unsigned thread)
{
    struct frontend *f = &t->fe[thread];
    struct replay *r = &f->replay;
    unsigned k = rush_some(t, thread, r->slot, r->index, r->left);
    if (!k) {
        replay_play(r, queue_back(&f->q3));
        return 0;
    }
    r->index = (uint8_t)((r->index + k) % REPLAY_SLOTS);
    r->left = (uint8_t)(r->left - k);
    if (!r->left) {
        r->mode = REPLAY_PASS;
        if (r->parent_flags & ENTRY_RETIRES)
            frontend_release(f);
    }
    return k;
}

/* A word comes to the Replay expander, which has something to do with it. */
static void rush_to_replay(struct frontend *f, const struct entry *e)
{
    if (f->replay.mode == REPLAY_PASS && !tensix_REPLAY_decode(e->word).load_mode)
        replay_start(&f->replay, e);
    else
        queue_push(&f->q2, *e);
}

HOT_INLINE bool rush_replays(const struct frontend *f, uint8_t op)
{
    return f->replay.mode != REPLAY_PASS || op == TENSIX_OP_REPLAY;
}

/* Words of a MOP up to the end, or to one that is held or played; false if one is held. */
static bool rush_mop(struct coproc *t, unsigned thread, unsigned *n)
{
    struct frontend *f = &t->fe[thread];
    struct entry e;
    do {
        mop_give(&f->mop, &e);
        if (rush_replays(f, e.op)) {
            rush_to_replay(f, &e);
            return true;
        }
        if (!rush_one(t, thread, &e)) {
            queue_push(&f->q3, e);
            return false;
        }
        ++*n;
        if (e.flags & ENTRY_RETIRES)
            frontend_release(f);
    } while (f->mop.active && *n < RUSH_WORDS);
    return true;
}

/* Words that were pushed, up to one that an expander takes or that is held; false if one is held. */
static bool rush_pushed(struct coproc *t, unsigned thread, unsigned *n)
{
    struct frontend *f = &t->fe[thread];
    f->mop.transition = false;
    while (f->q1.n) {
        const struct entry *e = queue_head(&f->q1);
        if (e->op == TENSIX_OP_MOP || e->op == TENSIX_OP_MOP_CFG) {
            frontend_take_mop(f, &t->probe);
            return true;
        }
        if (rush_replays(f, e->op)) {
            rush_to_replay(f, e);
            queue_pop(&f->q1);
            return true;
        }
        unsigned k = rush_some(t, thread, f->q1.slot, f->q1.head, f->q1.n);
        if (!k) {
            queue_move(&f->q1, &f->q3);
            return false;
        }
        *n += k;
        f->q1.head = (uint8_t)((f->q1.head + k) % QUEUE_MAX);
        f->q1.n = (uint8_t)(f->q1.n - k);
        f->tracked = (uint8_t)(f->tracked - k);
    }
    return true;
}

/* Runs one thread; returns how many words went. */
static unsigned rush_thread(struct coproc *t, unsigned thread)
{
    struct frontend *f = &t->fe[thread];
    unsigned n = 0, k = 1;
    f->popped = false;
    while (k && n < RUSH_WORDS) {
        if (f->q3.n) {
            n += k = rush_gate(t, thread);
        } else if (f->replay.mode == REPLAY_PLAY) {
            n += k = rush_replay(t, thread);
        } else if (f->q2.n) {
            if (replay_passes(&f->replay, &f->q2))
                queue_move(&f->q2, &f->q3);
            else
                frontend_clock_replay(f, true, &t->probe);
        } else if (f->mop.active) {
            k = rush_mop(t, thread, &n);
        } else if (f->q1.n) {
            k = rush_pushed(t, thread, &n);
        } else {
            f->mop.transition = false;
            f->mop.emitted_wait = f->replay.emitted_wait = WAIT_IDLE;
            break;
        }
    }
    return n;
}

/* Only what stands in queues and expanders moves; nobody asks for anything. */
static bool rush_may(const struct coproc *t)
{
    for (unsigned i = 0; i < COPROC_THREADS; i++)
        if (t->fe[i].b_pending)
            return false;
    return !(t->sync.n_requests | t->sync_served | t->config.n_requests) && !t->probe.mask &&
           !t->probe.stop;
}

/* Nothing went: is that because all threads are empty or held at their gates? */
static bool rush_held(const struct coproc *t)
{
    for (unsigned i = 0; i < COPROC_THREADS; i++)
        if (!t->fe[i].q3.n && !frontend_empty(&t->fe[i]))
            return false;
    return !t->scalar.exec.busy;
}

bool coproc_rush(struct coproc *t)
{
    unsigned n = 0;
    if (t->stuck)
        return false;
    vector_untimed(&t->vector, true);
    for (struct frontend *f = t->fe; f < t->fe + COPROC_THREADS; f++)
        if (f->n_in | f->cfg_write) { /* room for the next push: that is a change, too */
            frontend_take_in(f);
            n++;
        }
    t->behind = false;
    bool may = rush_may(t);
    if (may) {
        rush_drain(t);
        for (unsigned before = n + 1; n != before;) {
            before = n;
            for (unsigned i = 0; i < COPROC_THREADS; i++)
                n += rush_thread(t, i);
        }
    }
    if (!n && rush_finish_vector(t))
        n = 1;
    if (n)
        return true;
    if (may && rush_held(t)) {
        t->stuck = t->unexplained = true;
        return false;
    }
    n = coproc_step(t); /* the long way */
    n |= coproc_drain(t);
    t->stuck =
        !n && !t->scalar.exec.busy; /* an atomic waits for L1, which changes without a word */
    return n;
}

void coproc_explain(struct coproc *t)
{
    bool moved = t->unexplained;
    t->unexplained = false;
    while (moved) {
        moved = coproc_step(t);
        moved |= coproc_drain(t);
    }
}

bool coproc_push_now(struct coproc *t, unsigned thread, const uint32_t *words, const uint16_t *tags,
                     unsigned n)
{
    struct frontend *f = &t->fe[thread];
    if (f->n_in | f->cfg_write)
        frontend_take_in(f);
    if (!frontend_enter(f, words, tags, n))
        return false;
    t->stuck = false;
    t->behind = true;
    return true;
}

void coproc_sem_now(struct coproc *t, unsigned core, unsigned sem, uint32_t value)
{
    t->stuck = false;
    t->sync.request[core] = (struct sync_request){.sem = (uint8_t)sem, .get = value & 1};
    sync_serve(&t->sync, core, t->now, &t->probe);
}

void coproc_config_now(struct coproc *t, unsigned bank, unsigned word, uint32_t value)
{
    t->stuck = false;
    config_write(&t->config, bank, word, value, false);
}
