/*
 * vector.c - Vector Unit (SFPU): from an instruction word to its effect on the lanes.
 *
 * ISA pages: VectorUnit, LReg, SFPCONFIG (backdoor) and the SFP* pages (Blackhole).
 *
 * Invariant: an effect sees registers 0 to 16 only; lanes it must not touch are not in `open`.
 *
 * Inaccuracies: the backdoor writes templates of lanes that are not enabled, too, and is open to all instructions but
 * SFPCONFIG and SFPLOADMACRO; a change of DISABLE_BACKDOOR_LOAD is seen by the very next instruction (BACKDOOR_EARLY
 * says so). Software that does not wait for the Matrix Unit's writes to
 * Dst sees them all the same (clocked, DST_EARLY says so). Untimed, cycles are counted in words of the thread
 * that uses the unit, so a read that comes too early, and an instruction that is scheduled by cycles, see the words as if they came in a row.
 */
#include "vector/vector.h"

#include <string.h>

#include "base/bits.h"
#include "base/watch.h"
#include "isa/tensix.h"
#include "isa/timing.h"
#include "probe/probe.h"
#include "state/op.h"
#include "wait/wait.h"

/* Windows end behind the next word, and what is counted of words that are played fits. */
static bool vector_can_play(const struct vector_numbers *n)
{
    bool plays = n->late == 1 && n->swap <= 1;
    for (unsigned i = 0; i < 256; i++)
        plays &= op_table[i].unit != TENSIX_UNIT_VECTOR ||
                 (n->issue[i] <= 2 && n->latency[i] <= VECTOR_RING);
    return plays;
}

void vector_reset(struct vector *v, const struct timing *t)
{
    bool plain = v->plain, untimed = v->untimed;
    memset(v, 0, sizeof *v);
    v->plain = plain;
    v->untimed = untimed;
    v->numbers.late = t->n.SFPU_LATE;
    v->numbers.swap = t->n.SFPSWAP_WINDOW;
    v->numbers.settle = t->n.SFPCONFIG_SETTLE;
    v->numbers.slack = (int64_t)t->n.DST_WINDOW - (int64_t)t->n.SFPLOAD_DISTANCE;
    for (unsigned i = 0; i < 256; i++) {
        v->numbers.latency[i] = t->op[i].latency;
        v->numbers.issue[i] = t->op[i].issue;
    }
    v->numbers.plays = vector_can_play(&v->numbers);
    lanes_reset(&v->lanes);
}

void vector_untimed(struct vector *v, bool untimed)
{
    if (v->untimed == untimed)
        return;
    v->untimed = untimed;
    v->old.mask = v->old.guarded = 0;
    v->old.at = v->old.until = v->swap_end = v->backdoor_at = v->macro.next = v->macro.swap_end = 0;
    v->settle.last = 0;
    memset(v->settle.until, 0, sizeof v->settle.until);
}

/* ---- the table ---- */

/* clang-format off */

/* A second row of an opcode does not compile, nor does an opcode of the unit without a row, nor a row of another unit's. */
enum {
#define VECTOR(name, ...) ROW_##name,
#include "vector/vector.def"
#define OF_VECTOR(name) OPCODE_##name = ROW_##name,
#include "isa/tensix_units.def"
#define VECTOR(name, ...) ROW_OF_THE_UNIT_##name = OPCODE_##name,
#include "vector/vector.def"
};

#define DST_NONE   0
#define DST_READS  (VECTOR_DST | VECTOR_READS_DST)
#define DST_WRITES VECTOR_DST
#define FLAGS_SETS  VECTOR_FLAGS
#define FLAGS_KEEPS 0
const uint16_t vector_traits[256] = {
#define VECTOR(name, form, sub, registers, dst, flags, effect, usual, traits)                      \
    [TENSIX_OP_##name] = DST_##dst | FLAGS_##flags | (traits) |                                    \
                         (SUB_##sub == SUB_MAD ? VECTOR_LATE : 0),
#include "vector/vector.def"
};

const uint8_t vector_subs[256] = {
#define VECTOR(name, form, sub, registers, dst, flags, effect, usual, traits)                      \
    [TENSIX_OP_##name] = SUB_##sub,
#include "vector/vector.def"
};

const uint8_t vector_forms[256] = {
#define VECTOR(name, form, sub, registers, dst, flags, effect, usual, traits)                      \
    [TENSIX_OP_##name] = VECTOR_FORM_##form,
#include "vector/vector.def"
};

vector_effect *const vector_effects[256] = {
#define VECTOR(name, form, sub, registers, dst, flags, effect, usual, traits)                      \
    [TENSIX_OP_##name] = vector_##effect,
#include "vector/vector.def"
};

/* clang-format on */

/* SFPSWAP in all modes, SFPSHFT2 in its three shuffling ones. */
bool vector_shuffles(const struct entry *e, unsigned traits)
{
    unsigned mode = bits_get(e->word, 0, 4);
    return traits & VECTOR_SWAPS || (traits & VECTOR_MAY_SHUFFLE && mode >= 2 && mode <= 4);
}

unsigned vector_closes(const struct vector *v, const struct entry *e, unsigned traits)
{
    return traits && vector_shuffles(e, traits) ? v->numbers.swap : v->numbers.issue[e->op] - 1u;
}

struct vector_op vector_decode(const struct lanes *l, uint32_t word, uint16_t tag)
{
    unsigned form = vector_forms[word >> 24];
    struct vector_op o = {.word = word, .tag = tag, .open = UINT32_MAX};
    o.vd = (uint8_t)bits_get(word, form & VECTOR_FORM_HIGH ? 20 : 4, 4);
    o.vc = form & VECTOR_FORM_C ? (uint8_t)bits_get(word, 8, 4) : o.vd;
    o.vb = form & VECTOR_FORM_B ? (uint8_t)bits_get(word, 12, 4) : o.vd;
    o.va = form & VECTOR_FORM_A ? (uint8_t)bits_get(word, 16, 4) : o.vd;
    if (o.vd >= 12 && !(form & VECTOR_FORM_CLOSED))
        o.caught = ~(o.open = lanes_with(l, LANE_NO_BACKDOOR));
    o.on = o.open & lanes_enabled(l);
    return o;
}

/* Lanes behind the open backdoor take the word as a template. */
static void vector_backdoor(struct lanes *l, const struct vector_op *o)
{
    for (unsigned i = 0; i < LANES; i++)
        if (o->caught >> i & 1)
            l->macro[i].template_[o->vd & 3] = o->word;
}

/* Does o read one? */
static bool vector_reads_old(const struct vector *v, const struct vector_op *o, uint64_t at)
{
    return vector_too_early(v, at) && vector_hazard_uses_of(o).reads & v->old.mask;
}

static void vector_effects_of(const struct vector_op *o, vector_effect *effect[3])
{
    unsigned op = o->word >> 24;
    vector_effect *usual = vector_avx2_usual(o);
    effect[VECTOR_PLAIN] = vector_effects[op];
    effect[VECTOR_FAST] = vector_effects_avx2[op];
    effect[VECTOR_USUAL] = usual ? usual : vector_effects_avx2[op];
}

bool vector_memorise(const struct vector *v, struct vector_memo *m, const struct vector_op *o)
{
    unsigned op = o->word >> 24, traits = vector_traits[op];
    struct entry e = {.word = o->word, .op = (uint8_t)op};
    *m = (struct vector_memo){.op = *o};
    if (o->vd >= 12 || !vector_effects[op] || traits & (VECTOR_CONFIGS | VECTOR_MACRO))
        return false;
    m->uses = vector_hazard_uses_of(o);
    m->traits = (uint16_t)traits;
    m->latency = v->numbers.latency[op];
    m->closes = (uint16_t)vector_closes(v, &e, traits);
    vector_effects_of(o, m->effect);
    return true;
}

static void vector_remember(struct vector *v, const struct vector_op *o)
{
    struct vector_memo m;
    if (vector_memorise(v, &m, o))
        v->memo[vector_memo_at(o->word)] = m;
}

bool vector_waits(const struct vector *v, const struct entry *e)
{
    struct vector_op o = vector_decode(&v->lanes, e->word, e->tag);
    return o.open && vector_hazard_uses_of(&o).seen & v->old.guarded;
}

/* The lanes see writes of the seed when they do something next. */
static void vector_seed(struct vector *v, const struct vector_io *io)
{
    if (io->config->seeds == v->seeds)
        return;
    v->seeds = io->config->seeds;
    lanes_seed(io->lanes, io->cfg[CONFIG_PRNG_SEED]);
}

/* SFPCONFIG: some of what it writes cannot be seen at once. */
static void vector_configure(struct vector *v, const struct vector_io *io,
                             const struct vector_op *o, uint64_t at)
{
    uint32_t before = lanes_with(io->lanes, LANE_NO_BACKDOOR);
    vector_macro_unsettle(v, o, at);
    vector_sfpconfig(io, o);
    if (lanes_with(io->lanes, LANE_NO_BACKDOOR) != before)
        v->backdoor_at = at + 1;
}

void vector_carry_out(struct vector *v, const struct vector_io *io, const struct vector_op *o,
                      uint64_t at)
{
    unsigned op = o->word >> 24;
    if (o->vd >= 12 && !o->macro && !(vector_forms[op] & VECTOR_FORM_CLOSED)) {
        if (at && at == v->backdoor_at)
            vector_report(v, io, o, at, DIAG_BACKDOOR_EARLY, 0);
        if (o->caught)
            vector_backdoor(io->lanes, o);
    }
    if (vector_traits[op] & VECTOR_CONFIGS)
        vector_configure(v, io, o, at);
    else
        vector_effects[op](io, o);
}

void vector_keep(struct vector *v, const struct vector_io *io, const struct vector_op *o,
                 uint64_t at)
{
    struct vector_old *old = &v->old;
    struct vector_uses u = vector_hazard_uses_of(o);
    if (old->at != at)
        old->mask = old->guarded = 0;
    old->at = at;
    old->until = at + v->numbers.late;
    if (!o->open)
        return;
    if (vector_traits[o->word >> 24] & VECTOR_SWAPS && !(io->lanes->config_any & LANE_DEST_INDEX))
        u.late &= UINT32_C(1) << o->vc | UINT32_C(1)
                                             << vector_swap_d(o); /* no indices that follow */
    for (uint32_t rest = u.late & ~old->mask; rest; rest &= rest - 1) {
        unsigned i = (unsigned)__builtin_ctz(rest);
        memcpy(old->r[i], io->out[i], sizeof old->r[i]);
    }
    old->mask |= u.late;
    if (!o->macro && !cfg_get(io->cfg, CFG_SFPU_SCOREBOARD_DISABLE))
        old->guarded |= u.claimed;
}

bool vector_run(struct vector *v, const struct vector_io *io, const struct entry *e, uint64_t at)
{
    unsigned traits = vector_traits[e->op];
    vector_seed(v, io);
    if (v->macro.n || traits & VECTOR_MACRO)
        return vector_macro_cycle(v, io, e, at);
    struct vector_op o = vector_decode(io->lanes, e->word, e->tag);
    vector_remember(v, &o);
    if (vector_reads_old(v, &o, at))
        return vector_macro_cycle(v, io, e, at);
    if (traits & VECTOR_LATE)
        vector_keep(v, io, &o, at);
    vector_carry_out(v, io, &o, at);
    return true;
}

void vector_start_any(struct vector *v, const struct vector_io *io, const struct entry *e,
                      uint64_t now)
{
    unsigned traits = vector_traits[e->op];
    uint64_t at = now;
    if (v->untimed)
        at = vector_own(v, io, e);
    v->thread = (uint8_t)io->thread;
    if (traits & VECTOR_READS_DST && vector_is_early(v, io->dst, now))
        vector_look_at_dst(v, io, e, now);
    vector_until(v, now, now + v->numbers.latency[e->op]);
    if (!vector_run(v, io, e, at))
        return;
    if (traits & VECTOR_DST)
        rwc_modify(io->rwc, io->thread_config, bits_get(e->word, 13, 3), false);
    unsigned closes = vector_closes(v, e, traits);
    if (closes)
        v->swap_end = at + 1 + closes;
}

void vector_report(const struct vector *v, const struct vector_io *io, const struct vector_op *o,
                   uint64_t at, unsigned diag, uint32_t arg)
{
    if (!v->untimed)
        io->probe->now = at; /* bursts do not count cycles for others */
    probe_diag(io->probe, (enum diag_id)diag, OWNER_T0 + io->thread, o->tag, o->word, arg);
}

void vector_look_at_dst(const struct vector *v, const struct vector_io *io, const struct entry *e,
                        uint64_t now)
{
    unsigned block = vector_load_block(io, e->word);
    if ((int64_t)now + v->numbers.slack >= (int64_t)io->dst->ready[block])
        return;
    io->probe->now = now;
    probe_diag(io->probe, DIAG_DST_EARLY, OWNER_T0 + io->thread, e->tag, e->word, block);
}

/* ---- without time ---- */

/* A cycle of the unit's own in which nothing comes. */
static void vector_idle(struct vector *v, const struct vector_io *io)
{
    if (vector_ticks(v))
        vector_macro_cycle(v, io, NULL, v->own);
    v->own++;
}

uint64_t vector_own(struct vector *v, const struct vector_io *io, const struct entry *e)
{
    WATCH(watch);
    while (vector_guard(v, e, v->own)) {
        PROGRESS(watch, 0, VECTOR_LONGEST);
        vector_idle(v, io);
    }
    return v->own++;
}

void vector_finish(struct vector *v, const struct vector_io *io)
{
    WATCH(watch);
    while (vector_ticks(v)) {
        PROGRESS(watch, 0, VECTOR_LONGEST);
        vector_idle(v, io);
    }
}

void vector_beside(struct vector *v, const struct vector_io *io, bool waits)
{
    if (!waits) {
        vector_idle(v, io);
        return;
    }
    vector_finish(v, io);
    v->own += VECTOR_REST;
}
