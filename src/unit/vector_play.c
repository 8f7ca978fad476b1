/*
 * vector_play.c - Vector Unit: words that the Replay expander plays again and again, by a plan.
 *
 * ISA pages: VectorUnit, SFPMAD, SFPSWAP, SFPSHFT2: "Instruction scheduling" (Blackhole).
 *
 * What vector_start() finds out about a word depends on the word and on those right before it: what it does, in which
 * cycle it goes, whether it reads what is not there yet. For a list of words that is found out once and kept, together
 * with the words. Playing the list is then to see that the words are still the same, and one call for each of them.
 *
 * Invariant: a plan ends before the first word that is not plannable, reads too early or, with time, is held, so none
 * in it shows what a two-cycle result replaces; only what comes behind it may: vector_old is kept for the last word. From
 * before the plan only its first word can meet anything, because all windows are one cycle.
 *
 * Inaccuracies: those of vector.c.
 */
#include "unit/vector.h"

#include <string.h>

_Static_assert(T_SFPU_LATE <= 1 && T_SFPSWAP_WINDOW <= 1, "windows that end behind the next word");

/* What is to be seen to when a step has gone. */
enum { AFTER_LOADS = 1, AFTER_FLAGS = 2 };

/* Words after which other lanes may be on. */
static const bool play_flags[256] = {
    [TENSIX_OP_SFPSETCC] = true,
    [TENSIX_OP_SFPENCC] = true,
    [TENSIX_OP_SFPCOMPC] = true,
    [TENSIX_OP_SFPPUSHC] = true,
    [TENSIX_OP_SFPPOPC] = true,
    [TENSIX_OP_SFPLE] = true,
    [TENSIX_OP_SFPGT] = true,
    [TENSIX_OP_SFPLZ] = true,
    [TENSIX_OP_SFPEXEXP] = true,
    [TENSIX_OP_SFPIADD] = true,
};

/* What a plan holds for, besides its words. */
static uint8_t vector_ways(const struct vector *v, const struct vector_io *io)
{
    bool unguarded = cfg_get(io->cfg, CFG_SFPU_SCOREBOARD_DISABLE);
    bool plain = io->plain || !vector_host_rounds();
    return (uint8_t)(v->untimed | plain << 1 | unguarded << 2);
}
enum { WAY_UNTIMED = 1, WAY_PLAIN = 2, WAY_UNGUARDED = 4 };

/* ---- making a plan ---- */

/* What the words so far leave behind, in cycles of the plan. */
struct play_past {
    unsigned late_at, swap_end; /* swap_end: as in struct vector */
    uint32_t mask, guarded;     /* as in struct vector_old */
};

/* The cycle in which a word goes, at the earliest. */
static unsigned play_free(const struct play_past *p, const struct vector_op *o,
                          const struct vector_uses *u, unsigned at)
{
    if (at < p->swap_end && o->word >> 24 != TENSIX_OP_SFPNOP)
        at = p->swap_end;
    if (u->seen & p->guarded && at <= p->late_at + T_SFPU_LATE)
        at = p->late_at + T_SFPU_LATE + 1;
    return at;
}

/* Plans the word with number i, which goes in cycle at. */
static void play_step(struct vector_plan *p, unsigned i, const struct vector_op *o,
                      const struct vector_uses *u, unsigned at, struct play_past *past)
{
    struct vector_step *s = &p->go[i];
    const struct vector_step *before = i ? s - 1 : NULL;
    unsigned op = o->word >> 24, now = i * p->step, through = now + op_table[op].latency;
    struct entry e = {.word = o->word, .op = (uint8_t)op};
    unsigned traits = vector_traits[op];
    *s = (struct vector_step){.op = *o, .at = (uint16_t)at};
    s->after = traits & VECTOR_LOADS ? AFTER_LOADS : play_flags[op] ? AFTER_FLAGS : 0;
    s->empty = before && now < before->through ? before->empty : (uint16_t)now;
    s->through = before && through < before->through ? before->through : (uint16_t)through;
    s->late_step = before ? before->late_step : 0;
    s->shuffle_step = before ? before->shuffle_step : 0;
    if (traits & VECTOR_LATE) {
        s->late = past->mask = u->late;
        s->claimed = past->guarded = p->ways & WAY_UNGUARDED ? 0 : u->claimed;
        past->late_at = at;
        s->late_step = (uint8_t)(i + 1);
    }
    if (vector_shuffles(&e, traits)) {
        past->swap_end = at + 1 + T_SFPSWAP_WINDOW;
        s->shuffle_step = (uint8_t)(i + 1);
    }
    vector_effect *effect[3];
    vector_effects_of(o, effect);
    s->effect[0] = effect[p->ways & WAY_PLAIN ? VECTOR_PLAIN : VECTOR_FAST];
    s->effect[1] = effect[p->ways & WAY_PLAIN ? VECTOR_PLAIN : VECTOR_USUAL];
}

/* Fills in all but p->word and what is given. */
static void play_make(struct vector_plan *p, const struct lanes *l)
{
    struct play_past past = {0};
    unsigned at = 0;
    for (p->n = 0; p->n < p->looked; p->n++, at++) {
        const struct entry *e = &p->word[p->n];
        struct vector_op o = vector_decode(l, e->word, e->tag);
        if (!vector_plannable(&o))
            break;
        struct vector_uses u = vector_uses_of(&o);
        unsigned free = play_free(&past, &o, &u, at);
        bool early = u.reads & past.mask && free <= past.late_at + T_SFPU_LATE;
        if (early || (free != at && !(p->ways & WAY_UNTIMED)))
            break;
        at = free;
        if (!p->n) {
            p->reads = u.reads;
            p->seen = u.seen;
        }
        play_step(p, p->n, &o, &u, at, &past);
    }
}

/* ---- finding one ---- */

/* Where n words of the ring from index on begin to be slot[0] again; the rest is n minus this. */
static unsigned play_to_end(unsigned index, unsigned n)
{
    return n < VECTOR_RING - index ? n : VECTOR_RING - index;
}

static bool play_same(const struct entry *a, const struct entry *b, unsigned n)
{
    return !memcmp(a, b, n * sizeof *a);
}

/* Are the first n words of the plan e and those of the ring from index on? */
HOT_INLINE bool play_is(const struct vector_plan *p, const struct entry *e,
                        const struct entry *slot, unsigned index, unsigned n)
{
    unsigned first = play_to_end(index, n - 1), rest = n - 1 - first;
    return p->word[0].word == e->word && p->word[0].tag == e->tag &&
           play_same(p->word + 1, slot + index, first) &&
           (!rest || play_same(p->word + 1 + first, slot, rest));
}

/* A new plan for these words. */
static COLD void play_new(struct vector_plan *p, const struct lanes *l, const struct entry *e,
                          const struct entry *slot, unsigned index, unsigned n)
{
    unsigned first = play_to_end(index, n - 1);
    p->looked = (uint8_t)n;
    p->word[0] = *e;
    memcpy(p->word + 1, slot + index, first * sizeof *slot);
    memcpy(p->word + 1 + first, slot, (n - 1 - first) * sizeof *slot);
    play_make(p, l);
}

/* The plan for these words; n is not 0. */
HOT_INLINE struct vector_plan *play_plan(struct vector *v, const struct vector_io *io,
                                         const struct entry *e, const struct entry *slot,
                                         unsigned index, unsigned n, unsigned step)
{
    unsigned at =
        (e->word ^ e->word >> 13 ^ index) * UINT32_C(0x85ebca6b) >> (32 - VECTOR_PLAN_BITS);
    struct vector_plan *p = &v->plan[at];
    uint8_t ways = vector_ways(v, io);
    HOT_KEEP(p);
    if (!LIKELY(p->looked >= n && p->ways == ways && p->step == step &&
                play_is(p, e, slot, index, n))) {
        p->step = (uint8_t)step;
        p->ways = ways;
        play_new(p, &v->lanes, e, slot, index, n);
    }
    return p;
}

/* ---- playing it ---- */

/* Keeps what a two-cycle word is about to replace. */
static void play_keep(struct vector *v, const struct vector_step *s)
{
    for (uint32_t late = s->late; late; late &= late - 1) {
        unsigned i = (unsigned)__builtin_ctz(late);
        memcpy(v->old.r[i], v->lanes.r[i], sizeof v->old.r[i]);
    }
}

/* A load in cycle now may come too early for the Matrix Unit's writes. */
static void play_look(const struct vector_io *io, const struct vector_op *o, uint64_t now)
{
    struct entry e = {.word = o->word, .tag = o->tag, .op = (uint8_t)(o->word >> 24)};
    if (e.op == TENSIX_OP_SFPLOAD && now + T_DST_WINDOW - T_SFPLOAD_DISTANCE < io->dst->last_ready)
        vector_look_at_dst(io, &e, now);
}

/* Steps from..to-1 of a plan that began in cycle now. */
static void play_steps(struct vector *v, const struct vector_io *io, struct vector_plan *p,
                       unsigned from, unsigned to, uint64_t now)
{
    const struct lanes *l = &v->lanes;
    bool early = now + T_DST_WINDOW - T_SFPLOAD_DISTANCE < io->dst->last_ready;
    bool configured = l->config_any;
    uint32_t on = lanes_enabled(l);
    unsigned usual = on == UINT32_MAX && !configured;
    for (struct vector_step *s = &p->go[from], *end = &p->go[to]; s < end; s++) {
        s->op.on = on;
        if (early)
            play_look(io, &s->op, now + (uint64_t)(s - p->go) * p->step);
        s->effect[usual](io, &s->op);
        if (LIKELY(!s->after))
            continue;
        if (s->after & AFTER_LOADS)
            rwc_modify(io->rwc, io->thread_config, bits_get(s->op.word, 13, 3), false);
        else if ((on = lanes_enabled(l)) != UINT32_MAX)
            usual = 0;
        else
            usual = !configured;
    }
}

/* The first n steps. */
static void play_first(struct vector *v, const struct vector_io *io, struct vector_plan *p,
                       unsigned n, uint64_t now)
{
    bool late = p->go[n - 1].late_step == n;
    play_steps(v, io, p, 0, n - late, now);
    if (!late)
        return;
    play_keep(v, &p->go[n - 1]);
    play_steps(v, io, p, n - 1, n, now);
}

/* What the first n steps leave behind; the first went in cycle at. */
static void play_done(struct vector *v, const struct vector_plan *p, unsigned n, uint64_t now,
                      uint64_t at)
{
    const struct vector_step *last = &p->go[n - 1];
    if (last->late_step) {
        const struct vector_step *s = &p->go[last->late_step - 1];
        v->old.at = at + s->at;
        v->old.mask = s->late;
        v->old.guarded = s->claimed;
    }
    if (last->shuffle_step)
        v->swap_end = at + p->go[last->shuffle_step - 1].at + 1 + T_SFPSWAP_WINDOW;
    if (v->untimed)
        v->own = at + last->at + 1;
    if (now + last->empty >= v->done_at)
        v->users = 0;
    if (now + last->through > v->done_at)
        v->done_at = now + last->through;
}

unsigned vector_play(struct vector *v, const struct vector_io *io, const struct entry *e,
                     const struct entry *slot, unsigned index, unsigned n, uint64_t now,
                     unsigned step, uint64_t *until)
{
    if (!n || !vector_ready(v, io))
        return 0;
    n = n < VECTOR_RING ? n : VECTOR_RING;
    struct vector_plan *p = play_plan(v, io, e, slot, index, n, step);
    n = n < p->n ? n : p->n;
    if (!n)
        return 0;
    uint64_t first = v->untimed ? v->own : now, at = vector_free(v, e->op, p->seen, first);
    if ((at != first && !v->untimed) || (p->reads & v->old.mask && vector_too_early(v, at)))
        return 0;
    play_first(v, io, p, n, now);
    play_done(v, p, n, now, at);
    v->thread = (uint8_t)io->thread;
    if (now + p->go[n - 1].through > *until)
        *until = now + p->go[n - 1].through;
    return n;
}
