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
    return (uint8_t)(v->untimed | io->plain << 1 | unguarded << 2);
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

static void play_effects(struct vector_step *s, bool plain)
{
    unsigned op = s->op.word >> 24;
    vector_effect *effect = plain ? vector_effects[op] : vector_effects_avx2[op];
    if (op == TENSIX_OP_SFPNOP)
        effect = vector_nothing;
    vector_effect *usual = plain ? NULL : vector_usual_avx2(&s->op);
    s->effect[0] = effect;
    s->effect[1] = usual ? usual : effect;
}

/* Plans the word with number i, which goes in cycle at. */
static void play_step(struct vector_plan *p, unsigned i, const struct vector_op *o,
                      const struct vector_uses *u, unsigned at, struct play_past *past)
{
    struct vector_step *s = &p->go[i];
    const struct vector_step *before = i ? s - 1 : NULL;
    unsigned op = o->word >> 24, now = i * p->step, through = now + op_table[op].latency;
    struct entry e = {.word = o->word, .op = (uint8_t)op};
    *s = (struct vector_step){.op = *o, .at = (uint16_t)at, .flags = play_flags[op]};
    s->traits = vector_traits[op];
    s->empty = before && now < before->through ? before->empty : (uint16_t)now;
    s->through = before && through < before->through ? before->through : (uint16_t)through;
    s->late_step = before ? before->late_step : 0;
    s->shuffle_step = before ? before->shuffle_step : 0;
    if (s->traits & VECTOR_LATE) {
        s->late = past->mask = u->late;
        s->claimed = past->guarded = p->ways & WAY_UNGUARDED ? 0 : u->claimed;
        past->late_at = at;
        s->late_step = (uint8_t)(i + 1);
    }
    if (vector_shuffles(&e, s->traits)) {
        past->swap_end = at + 1 + T_SFPSWAP_WINDOW;
        s->shuffle_step = (uint8_t)(i + 1);
    }
    play_effects(s, p->ways & WAY_PLAIN);
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
static bool play_is(const struct vector_plan *p, const struct entry *e, const struct entry *slot,
                    unsigned index, unsigned n)
{
    unsigned first = play_to_end(index, n - 1);
    return p->word[0].word == e->word && p->word[0].tag == e->tag &&
           play_same(p->word + 1, slot + index, first) &&
           play_same(p->word + 1 + first, slot, n - 1 - first);
}

/* The plan for these words, perhaps a new one; n is not 0. */
static struct vector_plan *play_plan(struct vector *v, const struct vector_io *io,
                                     const struct entry *e, const struct entry *slot,
                                     unsigned index, unsigned n, unsigned step)
{
    unsigned at =
        (e->word ^ e->word >> 13 ^ index) * UINT32_C(0x85ebca6b) >> (32 - VECTOR_PLAN_BITS);
    struct vector_plan *p = &v->plan[at];
    uint8_t ways = vector_ways(v, io);
    if (LIKELY(p->looked >= n && p->ways == ways && p->step == step &&
               play_is(p, e, slot, index, n)))
        return p;
    unsigned first = play_to_end(index, n - 1);
    *p = (struct vector_plan){.looked = (uint8_t)n, .step = (uint8_t)step, .ways = ways};
    p->word[0] = *e;
    memcpy(p->word + 1, slot + index, first * sizeof *slot);
    memcpy(p->word + 1 + first, slot, (n - 1 - first) * sizeof *slot);
    play_make(p, &v->lanes);
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

/* The first n steps, which can begin now. */
static void play_steps(struct vector *v, const struct vector_io *io, struct vector_plan *p,
                       unsigned n, uint64_t now)
{
    const struct lanes *l = &v->lanes;
    struct vector_step *s = p->go, *end = s + n;
    const struct vector_step *keep = end[-1].traits & VECTOR_LATE ? end - 1 : NULL;
    bool early = now + T_DST_WINDOW - T_SFPLOAD_DISTANCE < io->dst->last_ready;
    uint32_t on = lanes_enabled(l), configured = l->config_any;
    bool usual = on == UINT32_MAX && !configured;
    for (; s < end; s++) {
        s->op.on = on;
        if (early)
            play_look(io, &s->op, now + (uint64_t)(s - p->go) * p->step);
        if (s == keep)
            play_keep(v, s);
        s->effect[usual](io, &s->op);
        if (s->traits & VECTOR_LOADS)
            rwc_modify(io->rwc, io->thread_config, bits_get(s->op.word, 13, 3), false);
        if (s->flags) {
            on = lanes_enabled(l);
            usual = on == UINT32_MAX && !configured;
        }
    }
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
    play_steps(v, io, p, n, now);
    play_done(v, p, n, now, at);
    v->thread = (uint8_t)io->thread;
    if (now + p->go[n - 1].through > *until)
        *until = now + p->go[n - 1].through;
    return n;
}
