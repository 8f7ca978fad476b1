/*
 * rush.c - the coprocessor without time: each thread runs until something holds it.
 *
 * Untimed is the same machine with all latencies zero. coproc_step() and coproc_drain() do that cycle by
 * cycle; this does the same for words that leave nothing behind but a change of state: they are
 * judged by the same rules and started by the same functions, and then the time that they take has
 * passed. What needs more than that (a unit with a pipe of its own) is drained after every word.
 *
 * Invariant: nothing is in flight between two words but unpackers that wait for their bank.
 *
 * Inaccuracies: threads run one after another, not side by side, so programs with races see other orders
 * than with time. Not used while events are traced.
 */
#include "coproc/issue.h"
#include "isa/tensix.h"

#define RUSH_MATRIX 8u   /* cycles after which a Matrix instruction has left nothing behind */
#define RUSH_VECTOR 2u   /* the same for the Vector Unit */
#define RUSH_WORDS  256u /* of one thread before the next has its turn */
#define RUSH_FILL   64u  /* steps of a front end until a word must have come */

/* Brings a word to the gate; false if there is none. */
static bool rush_fill(struct coproc *t, struct frontend *f)
{
    for (unsigned i = 0; !f->q3.n && i < RUSH_FILL; i++) {
        if (!frontend_clock(f, &t->probe) && !f->q3.n)
            return false;
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

/* As coproc_drain(), if there is anything to finish. */
static void rush_drain(struct coproc *t)
{
    if (t->config.n_busy | t->config.n_requests | scalar_holds(&t->scalar) | t->unpack.u[0].n |
        t->unpack.u[1].n | t->src.n | pack_holds(&t->pack))
        coproc_drain(t);
    else
        coproc_pass_time(t);
}

static void rush_to(struct coproc *t, uint64_t at)
{
    if (at > t->now)
        t->now = at;
}

/* The word's time passes. */
static void rush_pass(struct coproc *t, unsigned thread, unsigned unit)
{
    t->now++;
    switch (unit) {
    case TENSIX_UNIT_MATRIX:
        rush_to(t, t->matrix.done_at);
        rush_to(t, t->matrix.closed_end);
        rush_to(t, t->dst.last_ready);
        if (t->src.n) {
            rush_to(t, t->src.flip[(t->src.head + t->src.n - 1u) % SRC_PENDING].due);
            src_clock(&t->src, t->now, &t->probe);
            if (t->unpack.u[0].n | t->unpack.u[1].n)
                coproc_drain(t);
        }
        break;
    case TENSIX_UNIT_PACK: {
        struct pack_io io = coproc_pack_io(t);
        rush_to(t, t->pack.done_at[thread]);
        pack_clock(&t->pack, &io, t->now);
        break;
    }
    case TENSIX_UNIT_SYNC:
    case TENSIX_UNIT_MISC: break;
    default: rush_drain(t); break;
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
    while (left && op_table[e->op].unit == TENSIX_UNIT_VECTOR && t->noted[e->op]) {
        vector_start(&t->vector, &io, e, t->now);
        t->now += RUSH_VECTOR;
        e = &r->slot[index];
        index = (index + 1) % REPLAY_SLOTS;
        left--;
        n++;
    }
    if (!n)
        return 0;
    vector_use(&t->vector, thread);
    rush_played(t, thread, n, e, index, left);
    rush_pass(t, thread, TENSIX_UNIT_VECTOR);
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

/* Runs one thread; returns how many words went. */
static unsigned rush_thread(struct coproc *t, unsigned thread)
{
    struct frontend *f = &t->fe[thread];
    unsigned n = 0;
    while (n < RUSH_WORDS && rush_fill(t, f)) {
        struct decision d = {.e = queue_head(&f->q3)};
        const struct op *op = &op_table[d.e->op];
        if (t->gate[thread].latched && rush_latch_holds(t, thread, d.e))
            break;
        if (t->scalar.exec.busy && t->scalar.exec.thread == thread)
            break; /* an atomic, a store to Src or a FLUSHDMA that waits */
        if (f->q3.n == 1 && f->replay.mode == REPLAY_PLAY && !t->gate[thread].latched) {
            unsigned played = rush_play(t, thread);
            n += played;
            if (played)
                continue;
        }
        if (coproc_check_unit(t, thread, op, &d))
            break;
        if (op->unit == TENSIX_UNIT_PACK && vector_ticks(&t->vector))
            rush_finish_vector(t);
        if (op->unit == TENSIX_UNIT_PACK)
            coproc_start_pack(t, thread, d.e, t->now);
        coproc_go(t, thread, d.e);
        rush_pass(t, thread, op->unit);
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
    if (rush_may(t)) {
        rush_drain(t);
        for (unsigned i = 0; i < COPROC_THREADS; i++)
            n += rush_thread(t, i);
    }
    if (!n && rush_finish_vector(t))
        n = 1;
    if (!n) { /* the long way, which also says who waits for what */
        n = coproc_step(t);
        n |= coproc_drain(t);
    }
    t->stuck =
        !n && !t->scalar.exec.busy; /* an atomic waits for L1, which changes without a word */
    return n;
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
