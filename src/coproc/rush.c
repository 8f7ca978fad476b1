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
#define RUSH_FILL   64u  /* steps of a front end until a word must have come */
_Static_assert(VECTOR_RING == REPLAY_SLOTS, "the Vector Unit plays what the Replay expander has");

/*
 * Brings a word to the gate; false if there is none. Without time a word goes straight through: nothing moves
 * behind it before it has gone, so each stage is asked only when those after it are empty.
 */
static bool rush_fill(struct coproc *t, struct frontend *f)
{
    f->popped = false;
    for (unsigned i = 0; !f->q3.n && i < RUSH_FILL; i++) {
        if (f->replay.mode == REPLAY_PLAY) {
            replay_play(&f->replay, queue_back(&f->q3));
        } else if (f->q2.n) {
            if (replay_passes(&f->replay, &f->q2))
                queue_move(&f->q2, &f->q3);
            else
                frontend_clock_replay(f, true, &t->probe);
        } else if (f->mop.active) {
            struct entry *e = queue_back(&f->q3);
            mop_give(&f->mop, e);
            if (f->replay.mode != REPLAY_PASS || e->op == TENSIX_OP_REPLAY) {
                queue_push(&f->q2, *e);
                f->q3.n--;
            }
        } else if (mop_passes(&f->mop, &f->q1)) {
            bool on = f->replay.mode == REPLAY_PASS && queue_head(&f->q1)->op != TENSIX_OP_REPLAY;
            queue_move(&f->q1, on ? &f->q3 : &f->q2);
        } else if (f->q1.n | f->mop.transition) {
            frontend_clock_mop(f, true, &t->probe);
        } else {
            f->mop.emitted_wait = f->replay.emitted_wait = WAIT_IDLE;
            return false;
        }
    }
    return f->q3.n;
}

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
HOT_INLINE void rush_pass(struct coproc *t, unsigned thread, unsigned unit, unsigned opcode)
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
    case TENSIX_UNIT_PACK: {
        struct pack_io io = coproc_pack_io(t);
        rush_to(t, t->pack.done_at[thread]);
        pack_clock(&t->pack, &io, t->now);
        break;
    }
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

/* n words of a replay have gone: e is the next one, which stands at the gate, and index and left are those behind it. */
static void rush_played(struct coproc *t, unsigned thread, unsigned n, const struct entry *e,
                        unsigned index, unsigned left)
{
    struct frontend *f = &t->fe[thread];
    struct replay *r = &f->replay;
    t->issued[thread] += n;
    r->index = (uint8_t)index;
    r->left = (uint8_t)left;
    *queue_head(&f->q3) = *e;
    queue_head(&f->q3)->flags = left ? 0 : r->parent_flags & ENTRY_RETIRES;
    if (!left)
        r->mode = REPLAY_PASS;
}

/*
 * The Replay expander plays and its words are for the Matrix Unit and hand over no bank: the common way
 * of products. Returns how many words went.
 */
static unsigned rush_play_matrix(struct coproc *t, unsigned thread)
{
    struct replay *r = &t->fe[thread].replay;
    struct matrix_io io = coproc_matrix_io(t, thread);
    const struct entry *e = queue_head(&t->fe[thread].q3);
    unsigned n = 0, index = r->index, left = r->left;
    if (t->vector.macro.n)
        return 0;
    while (left && op_table[e->op].unit == TENSIX_UNIT_MATRIX && t->noted[e->op] &&
           e->op != TENSIX_OP_CLEARDVALID && !(e->word >> 22 & 3) &&
           !matrix_try(&t->matrix, &io, thread, e, t->now)) {
        t->now += RUSH_MATRIX;
        e = &r->slot[index];
        index = (index + 1) % REPLAY_SLOTS;
        left--;
        n++;
    }
    if (!n)
        return 0;
    matrix_use(&t->matrix, thread);
    if (t->vector.thread == thread)
        t->vector.own += n;
    rush_played(t, thread, n, e, index, left);
    return n;
}

/* The same with words for the Vector Unit, which never holds any without time. */
static unsigned rush_play_vector(struct coproc *t, unsigned thread)
{
    struct replay *r = &t->fe[thread].replay;
    struct vector_io io = coproc_vector_io(t, thread);
    const struct entry *e = queue_head(&t->fe[thread].q3);
    unsigned n = 0, index = r->index, left = r->left;
    uint64_t until = 0;
    while (left && op_table[e->op].unit == TENSIX_UNIT_VECTOR && t->noted[e->op]) {
        unsigned k =
            vector_play(&t->vector, &io, e, r->slot, index, left, t->now, RUSH_VECTOR, &until);
        if (!k) {
            vector_start(&t->vector, &io, e, t->now);
            k = 1;
        }
        t->now += k * RUSH_VECTOR;
        index = (index + k) % REPLAY_SLOTS;
        e = &r->slot[(index - 1) % REPLAY_SLOTS];
        left -= k;
        n += k;
    }
    if (!n)
        return 0;
    vector_use(&t->vector, thread);
    rush_played(t, thread, n, e, index, left);
    rush_pass(t, thread, TENSIX_UNIT_VECTOR, 0);
    return n;
}

static unsigned rush_play(struct coproc *t, unsigned thread)
{
    const struct entry *e = queue_head(&t->fe[thread].q3);
    if (e->flags)
        return 0;
    return op_table[e->op].unit == TENSIX_UNIT_VECTOR ? rush_play_vector(t, thread)
                                                      : rush_play_matrix(t, thread);
}

/* Carries out what waits for cycles in the Vector Unit. */
static bool rush_finish_vector(struct coproc *t)
{
    bool any = vector_ticks(&t->vector);
    struct vector_io io = coproc_vector_io(t, t->vector.thread);
    vector_finish(&t->vector, &io);
    return any;
}

/* The head goes if its unit takes it. unit: op_table's, a constant, so that only the unit's own code is left. */
HOT_INLINE bool rush_word(struct coproc *t, unsigned thread, const struct entry *e, unsigned unit)
{
    struct decision d = {.e = e};
    uint8_t opcode = e->op;
    if (coproc_check_unit(t, thread, unit, &d))
        return false;
    if (unit == TENSIX_UNIT_PACK && vector_ticks(&t->vector))
        rush_finish_vector(t);
    if (unit == TENSIX_UNIT_PACK)
        coproc_start_pack(t, thread, e, t->now, COPROC_UNBOOKED);
    coproc_go(t, thread, e, unit, COPROC_UNBOOKED);
    rush_pass(t, thread, unit, opcode);
    return true;
}

static bool rush_head(struct coproc *t, unsigned thread, const struct entry *e)
{
    switch (op_table[e->op].unit) {
    case TENSIX_UNIT_SYNC: return rush_word(t, thread, e, TENSIX_UNIT_SYNC);
    case TENSIX_UNIT_UNPACK: return rush_word(t, thread, e, TENSIX_UNIT_UNPACK);
    case TENSIX_UNIT_MATRIX: return rush_word(t, thread, e, TENSIX_UNIT_MATRIX);
    case TENSIX_UNIT_PACK: return rush_word(t, thread, e, TENSIX_UNIT_PACK);
    case TENSIX_UNIT_VECTOR: return rush_word(t, thread, e, TENSIX_UNIT_VECTOR);
    case TENSIX_UNIT_SCALAR: return rush_word(t, thread, e, TENSIX_UNIT_SCALAR);
    case TENSIX_UNIT_CONFIG: return rush_word(t, thread, e, TENSIX_UNIT_CONFIG);
    case TENSIX_UNIT_MOVER: return rush_word(t, thread, e, TENSIX_UNIT_MOVER);
    default: return rush_word(t, thread, e, TENSIX_UNIT_MISC);
    }
}

/* Runs one thread; returns how many words went. */
static unsigned rush_thread(struct coproc *t, unsigned thread)
{
    struct frontend *f = &t->fe[thread];
    unsigned n = 0;
    while (n < RUSH_WORDS && (f->q3.n || rush_fill(t, f))) {
        const struct entry *e = queue_head(&f->q3);
        if (t->gate[thread].latched && rush_latch_holds(t, thread, e))
            break;
        if (t->scalar.exec.busy && t->scalar.exec.thread == thread)
            break; /* an atomic, a store to Src or a FLUSHDMA that waits */
        if (f->replay.mode == REPLAY_PLAY && f->q3.n == 1 && !t->gate[thread].latched) {
            unsigned played = rush_play(t, thread);
            n += played;
            if (played)
                continue;
        }
        if (!rush_head(t, thread, e))
            break;
        n++;
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
