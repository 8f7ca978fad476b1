/*
 * vector_play.c - Vector Unit: words that the Replay expander plays again and again.
 *
 * ISA pages: VectorUnit, SFPMAD, SFPSWAP, SFPSHFT2: "Instruction scheduling" (Blackhole).
 *
 * vector_start() finds out what a word does, whether it is held, and whether it reads a result that is not there
 * yet. The answers depend on the word and on the one right before it. For the words of a thread's ring that is found out once and kept, each
 * with the word that it is for. To play a word is then to see that it is still the same, and one call.
 *
 * Invariant: `behind` of a word in the ring holds for it and for the one before it, as both are kept there. Played are
 * only words that read nothing too early, so the value that a two-cycle result replaces can be seen only behind the last of them.
 * It is kept only there: registers in vector_old of others say nothing. From before the first word only that one can
 * meet anything, because all windows are one cycle; where they are not, no words are played (vector_numbers.plays).
 *
 * Inaccuracies: those of vector.c.
 */
#include "vector/vector.h"

#include <limits.h>
#include <string.h>

#include "probe/probe.h"
#include "wait/wait.h"

/* What is to be seen to when a word has gone. */
enum { AFTER_DST = 1, AFTER_FLAGS = 2 };

/* What a word meets that comes in the next cycle: the unit is closed, its check holds it, it reads too early; or nothing is
   known of it. */
enum { BEHIND_CLOSED = 1, BEHIND_HELD = 2, BEHIND_EARLY = 4, BEHIND_UNKNOWN = 8 };

/* ---- the ring ---- */

static uint8_t play_behind(const struct vector_memo *before, const struct vector_memo *m)
{
    bool late = before->traits & VECTOR_LATE,
         fits = vector_traits[m->op.word >> 24] & VECTOR_NOTHING;
    unsigned behind = before->closes && !fits ? BEHIND_CLOSED : 0;
    if (late && m->uses.seen & before->uses.claimed)
        behind |= BEHIND_HELD;
    if (late && m->uses.reads & before->uses.late)
        behind |= BEHIND_EARLY;
    return (uint8_t)(behind | (m->effect[VECTOR_PLAIN] ? 0 : BEHIND_UNKNOWN));
}

/* Another word than before stands in this place. */
static COLD void play_learn(const struct vector *v, struct vector_ring *ring, unsigned place,
                            const struct entry *e)
{
    struct vector_memo *m = &ring->memo[place], *next = &ring->memo[(place + 1) % VECTOR_RING];
    struct vector_op o = vector_decode(&v->lanes, e->word, e->tag);
    vector_memorise(v, m, &o);
    if (m->traits & VECTOR_DST)
        m->after = AFTER_DST;
    else if (m->traits & VECTOR_FLAGS)
        m->after = AFTER_FLAGS;
    m->behind = play_behind(&ring->memo[(place + VECTOR_RING - 1) % VECTOR_RING], m);
    next->behind = play_behind(m, next);
    ring->word[place] = *e;
    ring->version++;
}

static bool play_same(const struct entry *a, const struct entry *b, unsigned n)
{
    return !n || !memcmp(a, b, n * sizeof *a);
}

/* Are n words from index on known as they are? */
HOT_INLINE bool play_known(const struct vector_ring *ring, const struct entry *slot, unsigned index,
                           unsigned n)
{
    unsigned first = n < VECTOR_RING - index ? n : VECTOR_RING - index;
    return play_same(ring->word + index, slot + index, first) &&
           play_same(ring->word, slot, n - first);
}

/* Where the first word of a call came from: its place in the ring, unless something else has been put there since. */
static const struct entry *play_source(const struct entry *e, const struct entry *slot)
{
    return slot->word == e->word && slot->tag == e->tag ? slot : e;
}

/* ---- which words go ---- */

/* How all words of a call go: bits of vector_run.ways, one of them always set. */
enum { WAY_ANY = 1, WAY_UNTIMED = 2, WAY_GUARDED = 4, WAY_TIMED = 8 };

static unsigned play_ways(const struct vector *v, const struct vector_io *io, bool timed)
{
    bool guards = !cfg_get(io->cfg, CFG_SFPU_SCOREBOARD_DISABLE);
    return WAY_ANY | (v->untimed ? WAY_UNTIMED : 0) | (guards ? WAY_GUARDED : 0) |
           (timed ? WAY_TIMED : 0);
}

/* Cycles from the word before to a word; 0: it is not for this call. */
static unsigned play_gap(unsigned behind, unsigned ways)
{
    if (behind & BEHIND_UNKNOWN)
        return 0;
    if (behind & BEHIND_CLOSED)
        return ways & WAY_UNTIMED ? 2 : 0;
    if (behind & BEHIND_HELD && ways & WAY_GUARDED)
        return ways & (WAY_UNTIMED | WAY_TIMED) ? 2 : 0;
    return behind & BEHIND_EARLY ? 0 : 1;
}

/* Works out the words that go, if the first one does: up to n that are in the ring from place on, in so many cycles. */
static COLD void play_work_out(struct vector_run *r, const struct vector_ring *ring, unsigned place,
                               unsigned n, unsigned cycles, unsigned ways, unsigned step)
{
    const struct vector_memo *m = &ring->memo[place];
    unsigned at = 0, now = 0, through = m->latency, empty = 0, k = 1;
    unsigned open = m->closes ? 1u + m->closes : 0, late_at = 0;
    unsigned late = m->traits & VECTOR_LATE ? 1 : 0;
    uint32_t held = 0;
    bool ends = false;
    for (; k < n; k++) {
        m = &ring->memo[(place + k) % VECTOR_RING];
        unsigned gap = play_gap(m->behind, ways);
        bool waits = gap > 1 && ways & WAY_TIMED;
        ends = !gap || (waits && (through < now + 2 || at + 1 > 31));
        if (ends || (waits && k + 1 == n) || at + gap >= cycles)
            break;
        held |= waits ? UINT32_C(1) << (at + 1) : 0;
        at += gap;
        now += ways & WAY_TIMED ? gap : step;
        empty = now >= through ? now : empty;
        through = now + m->latency > through ? now + m->latency : through;
        open = m->closes ? at + 1 + m->closes : open;
        late_at = m->traits & VECTOR_LATE ? at : late_at;
        late = m->traits & VECTOR_LATE ? k + 1 : late;
    }
    *r = (struct vector_run){.version = ring->version,
                             .ways = (uint8_t)ways,
                             .step = (uint8_t)step,
                             .asked = (uint8_t)n,
                             .n = (uint8_t)k,
                             .at = (uint8_t)at,
                             .through = (uint8_t)through,
                             .empty = (uint8_t)empty,
                             .open = (uint8_t)open,
                             .late = (uint8_t)late,
                             .late_at = (uint8_t)late_at,
                             .ends = ends,
                             .held = held};
}

/* Does what was worked out hold for n words? The word that ended it still ends it. */
HOT_INLINE bool play_holds(const struct vector_run *r, const struct vector_ring *ring, unsigned n,
                           unsigned ways, unsigned step)
{
    return r->version == ring->version && r->ways == ways && r->step == step &&
           (r->asked == n || (r->ends && r->n < n));
}

/* The words that go, if the first one does, which is in its place. */
HOT_INLINE const struct vector_run *play_run(struct vector *v, struct vector_ring *ring,
                                             unsigned place, const struct entry *slot, unsigned n,
                                             unsigned ways, unsigned step)
{
    struct vector_run *r = &ring->run[place];
    unsigned index = (place + 1) % VECTOR_RING, looked = r->n < n ? r->n : n - 1;
    if (LIKELY(play_holds(r, ring, n, ways, step) && play_known(ring, slot, index, looked)))
        return r;
    for (unsigned i = 1; i < n; i++) {
        unsigned other = (place + i) % VECTOR_RING;
        if (!play_same(&ring->word[other], &slot[other], 1))
            play_learn(v, ring, other, &slot[other]);
    }
    play_work_out(r, ring, place, n, UINT_MAX, ways, step);
    return r;
}

/* ---- playing them ---- */

/* n words of the ring from a place on. */
static void play_words(const struct vector_io *io, struct vector_memo *ring, unsigned place,
                       unsigned n, bool plain)
{
    struct vector_memo *m = &ring[place], *end = &ring[VECTOR_RING];
    uint32_t on = lanes_enabled(io->lanes);
    enum vector_way way = plain ? VECTOR_PLAIN : vector_way(io, on);
    for (; n; n--) {
        m->op.on = on;
        m->effect[way](io, &m->op);
        if (!LIKELY(!m->after)) {
            if (m->after == AFTER_DST) {
                rwc_modify(io->rwc, io->thread_config, bits_get(m->op.word, 13, 3), false);
            } else {
                on = lanes_enabled(io->lanes);
                way = plain ? VECTOR_PLAIN : vector_way(io, on);
            }
        }
        m = m + 1 == end ? ring : m + 1;
    }
}

/* What vector_play() is at. */
struct vector_part {
    const struct vector_memo *memo;
    const struct vector_run *run;
    unsigned place; /* of the first word */
    uint64_t now;   /* the cycle in which it goes */
};

/* Cycles to the word in a place from the one before it. */
static unsigned play_step(const struct vector_memo *ring, unsigned place,
                          const struct vector_run *r)
{
    return r->ways & WAY_TIMED ? play_gap(ring[place].behind, r->ways) : r->step;
}

void vector_play_report(const struct vector_io *io, const struct vector_op *o, unsigned diag,
                        uint32_t arg)
{
    const struct vector_part *p = io->part;
    if (p) { /* its cycle was not worked out */
        uint64_t now = p->now;
        for (unsigned place = p->place; &p->memo[place].op != o;) {
            place = (place + 1) % VECTOR_RING;
            now += play_step(p->memo, place, p->run);
        }
        io->probe->now = now;
    }
    probe_diag(io->probe, (enum diag_id)diag, OWNER_T0 + io->thread, o->tag, o->word, arg);
}

/* The same where the first load comes too early for the Matrix Unit's writes: each of them looks at Dst. */
static COLD void play_early(const struct vector *v, const struct vector_io *io,
                            struct vector_memo *ring, unsigned place, unsigned n, bool plain,
                            uint64_t now, const struct vector_run *r)
{
    for (; n; n--) {
        const struct vector_op *o = &ring[place].op;
        struct entry e = {.word = o->word, .tag = o->tag, .op = (uint8_t)(o->word >> 24)};
        if (ring[place].traits & VECTOR_READS_DST && vector_is_early(v, io->dst, now))
            vector_look_at_dst(v, io, &e, now);
        play_words(io, ring, place, 1, plain);
        place = (place + 1) % VECTOR_RING;
        now += play_step(ring, place, r);
    }
}

/* Keeps what a two-cycle word is about to replace. */
static void play_keep(struct vector *v, const struct vector_memo *m)
{
    for (uint32_t late = m->uses.late; late; late &= late - 1) {
        unsigned i = (unsigned)__builtin_ctz(late);
        memcpy(v->old.r[i], v->lanes.r[i], sizeof v->old.r[i]);
    }
}

/* All words of a run from a place on. */
static void play_all(struct vector *v, const struct vector_io *io, struct vector_memo *ring,
                     unsigned place, const struct vector_run *r, uint64_t now)
{
    unsigned last = (place + r->n - 1) % VECTOR_RING;
    bool late = r->late == r->n, plain = io->plain || !vector_avx2_host_rounds();
    if (!LIKELY(!vector_is_early(v, io->dst, now)))
        play_early(v, io, ring, place, r->n - late, plain, now, r);
    else
        play_words(io, ring, place, r->n - late, plain);
    if (late) {
        play_keep(v, &ring[last]);
        play_words(io, ring, last, 1, plain);
    }
}

/* The run has gone; its first word, which is in this place, went in cycle at. */
static void play_done(struct vector *v, const struct vector_memo *ring, unsigned place,
                      const struct vector_run *r, uint64_t now, uint64_t at)
{
    if (r->late) {
        const struct vector_memo *m = &ring[(place + r->late - 1) % VECTOR_RING];
        v->old.at = at + r->late_at;
        v->old.until = v->old.at + v->numbers.late;
        v->old.mask = m->uses.late;
        v->old.guarded = r->ways & WAY_GUARDED ? m->uses.claimed : 0;
    }
    if (r->open)
        v->swap_end = at + r->open;
    if (v->untimed)
        v->own = at + r->at + 1;
    if (now + r->empty >= v->done_at)
        v->users = 0;
    if (now + r->through > v->done_at)
        v->done_at = now + r->through;
}

unsigned vector_play(struct vector *v, struct vector_io *io, const struct entry *e,
                     const struct entry *slot, unsigned index, unsigned n, uint64_t now,
                     unsigned step, struct vector_time *time)
{
    struct vector_ring *ring = &v->ring[io->thread];
    unsigned place = (index + VECTOR_RING - 1) % VECTOR_RING;
    const struct vector_memo *m = &ring->memo[place];
    uint64_t first = v->untimed ? v->own : now;
    struct vector_run cut;
    HOT_KEEP(ring);
    HOT_KEEP(m);
    if (!n || !v->numbers.plays || !vector_ready(v, io))
        return 0;
    if (!LIKELY(m->op.word == e->word && m->op.tag == e->tag))
        play_learn(v, ring, place, play_source(e, &slot[place]));
    uint64_t at = vector_free(v, e->op, m->uses.seen, first);
    if (m->behind & BEHIND_UNKNOWN || (!v->untimed && at != first) ||
        (m->uses.reads & v->old.mask && vector_too_early(v, at)))
        return 0;
    n = n < VECTOR_RING ? n : VECTOR_RING;
    unsigned ways = play_ways(v, io, time);
    const struct vector_run *r = play_run(v, ring, place, slot, n, ways, step);
    if (time && !LIKELY(now + r->at < time->end)) {
        play_work_out(&cut, ring, place, n, (unsigned)(time->end - now), ways, step);
        r = &cut;
    }
    HOT_KEEP(r);
    const struct vector_part part = {.memo = ring->memo, .run = r, .place = place, .now = now};
    io->part = v->untimed ? NULL : &part;
    play_all(v, io, ring->memo, place, r, now);
    io->part = NULL;
    play_done(v, ring->memo, place, r, now, at);
    v->thread = (uint8_t)io->thread;
    if (time) {
        time->until = now + r->through > time->until ? now + r->through : time->until;
        time->held = r->held;
        time->cycles = r->at + 1u;
    }
    return r->n;
}
