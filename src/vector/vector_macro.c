/*
 * vector_macro.c - SFPLOADMACRO: what it schedules, and cycles in which several sub-units work.
 *
 * ISA pages: SFPLOADMACRO, SFPCONFIG, SFPSWAP, SFPSHFT2, LReg (Blackhole). In a cycle, in this order: what is due for
 * it runs, together with the instruction that comes from outside; what still waits comes one nearer (every cycle, or, as
 * long as anything that waits counts instructions, if an instruction has come); SFPLOADMACRO schedules.
 *
 * Invariant: all sub-units read the registers as they were before the cycle. One-cycle results are there in the next
 * cycle, two-cycle results in the one after that: until then vector_old keeps what they replace. A two-cycle SFPSWAP
 * exchanges what its second cycle finds, which are the one-cycle results of its first.
 *
 * Inaccuracies: a sequence that schedules nothing for a sub-unit takes nobody's time there. The page's model forgets what
 * is scheduled for its delay even then; but with that tt-llk's conversion of UINT32 to FP32, whose bytes for "nothing"
 * are 0, would lose every product, and it works on silicon (INFERRED). Acts that the documents leave undefined do the least (see MACRO_SEQUENCE, MACRO_LANES). Two results for the
 * same register at the same time: the later instruction's stays, of one cycle simple, MAD, round, the
 * instruction from outside (GUESSED: no document says). Of the instructions that are due in a cycle and count instructions, none is left that would keep the
 * others waiting in that cycle (INFERRED). A write of LoadMacroConfig that is not settled shows all of the old value, and a second
 * write before that is not remembered as a value of its own. SFPSTORE that is lost moves no counter.
 */
#include "vector/vector.h"

#include <string.h>

#include "probe/probe.h"

/* ---- scheduling ---- */

/* One of SFPCONFIG's destinations, of all lanes. */
static void macro_copy(struct lanes_macro to[LANES], const struct lanes_macro from[LANES],
                       unsigned dest)
{
    for (unsigned i = 0; i < LANES; i++)
        switch (dest) {
        case 0:
        case 1:
        case 2:
        case 3: to[i].template_[dest] = from[i].template_[dest]; break;
        case 8: to[i].misc = from[i].misc; break;
        default: to[i].sequence[dest - 4] = from[i].sequence[dest - 4]; break;
        }
}

/* The lanes' configuration with what has not settled as it was. */
static const struct lanes_macro *macro_config(const struct vector *v, const struct vector_io *io,
                                              const struct vector_op *o, uint64_t at,
                                              struct lanes_macro room[LANES])
{
    const struct vector_settle *s = &v->settle;
    if (at >= s->last)
        return v->lanes.macro;
    memcpy(room, v->lanes.macro, sizeof v->lanes.macro);
    for (unsigned dest = 0; dest < MACRO_CONFIG; dest++)
        if (at < s->until[dest]) {
            vector_report(v, io, o, at, DIAG_MACRO_EARLY, dest);
            macro_copy(room, s->old, dest);
        }
    return room;
}

void vector_macro_unsettle(struct vector *v, const struct vector_op *o, uint64_t at)
{
    struct vector_settle *s = &v->settle;
    unsigned dest = o->vd;
    if (dest >= MACRO_CONFIG)
        return;
    if (at >= s->until[dest])
        macro_copy(s->old, v->lanes.macro, dest);
    s->last = s->until[dest] = at + 1 + v->numbers.settle;
}

/* These lanes have something else for this time, or nothing. */
static void macro_forget(struct vector_macro *m, struct macro_place *p, uint32_t lanes)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < p->n; i++) {
        p->op[i].lanes &= ~lanes;
        if (p->op[i].lanes) {
            p->op[kept++] = p->op[i];
        } else {
            m->n--;
            m->n_words = (uint16_t)(m->n_words - p->op[i].by_words);
        }
    }
    p->n = (uint8_t)kept;
}

static void macro_put(struct vector_macro *m, struct macro_place *p, const struct macro_op *o)
{
    if (p->n >= MACRO_GROUPS)
        return;
    p->op[p->n++] = *o;
    m->n++;
    m->n_words = (uint16_t)(m->n_words + o->by_words);
}

/* The word that bits of a sequence choose for a sub-unit; 0: none that it could carry out. */
static uint32_t macro_word(const struct lanes_macro *c, unsigned sub, unsigned choice)
{
    uint32_t nop = (uint32_t)TENSIX_OP_SFPNOP << 24, word = nop;
    if (choice == 1)
        return 0;
    if (choice == 3)
        word = (uint32_t)TENSIX_OP_SFPSTORE << 24;
    else if (choice > 3)
        word = c->template_[choice - 4];
    unsigned op = word >> 24;
    if (op_table[op].unit == TENSIX_UNIT_VECTOR && vector_subs[op] == sub)
        return word;
    return sub == SUB_STORE ? 0 : nop;
}

/* Registers of a simple, MAD or round instruction; vd: the load's. */
static void macro_registers(struct macro_op *o, unsigned bits, unsigned vd)
{
    unsigned form = vector_forms[o->word >> 24];
    uint8_t own = (uint8_t)bits_get(o->word, form & VECTOR_FORM_HIGH ? 20 : 4, 4);
    o->vb = form & VECTOR_FORM_B ? (uint8_t)bits_get(o->word, 12, 4) : own;
    o->vc = form & VECTOR_FORM_C ? (uint8_t)bits_get(o->word, 8, 4) : own;
    if (bits & 0x80)
        o->vb = (uint8_t)vd;
    else
        o->vc = (uint8_t)vd;
    o->vd = bits & 0x40 ? 16 : (uint8_t)vd;
}

/* SFPSTORE: register, mode; the address is the load's. */
static void macro_store(struct macro_op *o, const struct lanes_macro *c, uint32_t word,
                        unsigned bits, unsigned vd)
{
    unsigned macro = word >> 22 & 3;
    uint8_t own = (uint8_t)bits_get(o->word, 20, 4);
    o->vd = bits & 0x40 ? 16 : bits & 0x80 ? own : (uint8_t)vd;
    o->mode = (uint8_t)(c->misc >> (4 + macro) & 1 ? bits_get(word, 16, 4) : c->misc & 15);
}

/* What some lanes with the same configuration c schedule; load: SFPLOADMACRO itself. Returns sub-units, as bits. */
static unsigned macro_schedule(struct vector *v, const struct vector_io *io,
                               const struct vector_op *load, const struct lanes_macro *c,
                               unsigned address, uint64_t at)
{
    unsigned scheduled = 0;
    uint32_t sequence = c->sequence[load->word >> 22 & 3];
    for (unsigned sub = 0; sub < N_SUBS; sub++, sequence >>= 8) {
        unsigned bits = sequence & 0xff, delay = bits >> 3 & 7;
        struct macro_place *p = vector_macro_at(&v->macro, sub, delay);
        if (!(bits & 7))
            continue;
        if (delay != 7)
            macro_forget(&v->macro, p, load->open);
        struct macro_op o = {.word = macro_word(c, sub, bits & 7),
                             .lanes = load->open,
                             .address = (uint16_t)address,
                             .tag = load->tag,
                             .thread = (uint8_t)io->thread,
                             .by_words = c->misc >> (8 + sub) & 1};
        if (!o.word) {
            vector_report(v, io, load, at, DIAG_MACRO_SEQUENCE, sub);
            continue;
        }
        if (sub == SUB_STORE)
            macro_store(&o, c, load->word, bits, load->vd);
        else
            macro_registers(&o, bits, load->vd);
        macro_put(&v->macro, p, &o);
        scheduled |= 1u << sub;
    }
    return scheduled;
}

/* All lanes, which nearly always have the same configuration. */
static void macro_schedule_all(struct vector *v, const struct vector_io *io,
                               const struct vector_op *load, unsigned address, uint64_t at)
{
    struct lanes_macro room[LANES];
    const struct lanes_macro *c = macro_config(v, io, load, at, room);
    struct vector_op part = *load;
    uint32_t left = UINT32_MAX, stores = 0;
    while (left) {
        unsigned first = (unsigned)__builtin_ctz(left);
        part.open = 0;
        for (unsigned i = first; i < LANES; i++)
            if (left >> i & 1 && !memcmp(&c[i], &c[first], sizeof *c))
                part.open |= UINT32_C(1) << i;
        left &= ~part.open;
        if (macro_schedule(v, io, &part, &c[first], address, at) >> SUB_STORE & 1)
            stores |= part.open;
    }
    if (stores && stores != UINT32_MAX)
        vector_report(v, io, load, at, DIAG_MACRO_LANES, stores);
}

/* ---- a cycle ---- */

/* One instruction of a cycle. */
struct macro_run {
    struct vector_op o;
    struct vector_io io;
    uint8_t sub, mode;
    bool late; /* two cycles */
    uint16_t address;
};

#define MACRO_RUNS (N_SUBS * MACRO_GROUPS + 1)

static struct vector_io macro_io(const struct vector_io *io, unsigned thread)
{
    struct vector_io its = *io;
    its.rwc = io->rwc - io->thread + thread;
    its.cfg = io->config->word[config_state_id(io->config, thread)];
    its.thread_config = io->config->thread[thread];
    its.thread = thread;
    return its;
}

/* SFPSWAP, whose second cycle reads before others write in theirs. */
static bool macro_swaps(const struct macro_run *r)
{
    return vector_traits[r->o.word >> 24] & VECTOR_SWAPS;
}

static bool macro_nop(const struct macro_run *r)
{
    return vector_traits[r->o.word >> 24] & VECTOR_NOTHING;
}

/* Takes what is due. Returns how many. */
static unsigned macro_take(struct vector *v, const struct vector_io *io, struct macro_run *run)
{
    unsigned n = 0;
    uint32_t enabled = lanes_enabled(&v->lanes);
    for (unsigned sub = 0; sub < N_SUBS; sub++) {
        struct macro_place *p = vector_macro_at(&v->macro, sub, 0);
        for (unsigned i = 0; i < p->n; i++) {
            const struct macro_op *m = &p->op[i];
            run[n] = (struct macro_run){
                .o = {.word = m->word,
                      .tag = m->tag,
                      .vd = m->vd,
                      .vb = m->vb,
                      .vc = m->vc,
                      .va = (uint8_t)bits_get(m->word, 16, 4),
                      .macro = true,
                      .open = m->lanes,
                      .on = m->lanes & enabled},
                .io = macro_io(io, m->thread),
                .sub = (uint8_t)sub,
                .mode = m->mode,
                .address = m->address,
            };
            n++;
        }
        macro_forget(&v->macro, p, UINT32_MAX);
    }
    return n;
}

/* The instruction from outside gives way to scheduled ones of its sub-unit. False: nothing of it is left. */
static bool macro_add(struct vector *v, const struct vector_io *io, const struct entry *e,
                      struct macro_run *run, unsigned n, uint64_t at)
{
    struct macro_run *r = &run[n];
    uint32_t lost = 0;
    *r = (struct macro_run){.o = vector_decode(&v->lanes, e->word, e->tag), .io = *io};
    r->sub = vector_subs[e->op];
    for (unsigned i = 0; i < n; i++)
        lost |= run[i].sub == r->sub ? run[i].o.open : 0;
    if (lost)
        vector_report(v, io, &r->o, at, DIAG_SFP_LOST, r->sub);
    r->o.caught &= ~lost;
    r->o.open &= ~lost;
    r->o.on &= ~lost;
    return lost != UINT32_MAX;
}

/* What software must not schedule together. */
static void macro_clashes(struct vector *v, const struct macro_run *run, unsigned n, uint64_t at)
{
    const struct macro_run *of[N_SUBS + 1] = {0};
    for (unsigned i = 0; i < n; i++)
        of[run[i].sub] = &run[i];
    const struct macro_run *s = of[SUB_SIMPLE], *r = of[SUB_ROUND], *m = of[SUB_MAD];
    bool simple = s && !macro_nop(s), round = r && !macro_nop(r);
    if (simple && round && (s->o.vd == 16) == (r->o.vd == 16))
        vector_report(v, &s->io, &s->o, at, DIAG_MACRO_CLASH, 1);
    if (at < v->macro.swap_end && (simple || round)) {
        const struct macro_run *x = simple ? s : r;
        vector_report(v, &x->io, &x->o, at, DIAG_MACRO_CLASH, 3);
    }
    if (!simple || !s->o.macro || !macro_swaps(s))
        return;
    if (m && !macro_nop(m)) /* idle will do */
        vector_report(v, &s->io, &s->o, at, DIAG_MACRO_CLASH, 2);
    v->macro.swap_end = at + 1 + v->numbers.swap;
}

static void macro_carry_out(struct vector *v, const struct macro_run *r, uint64_t at)
{
    if (r->o.macro && r->sub == SUB_STORE)
        vector_load_store_at(&r->io, &r->o, r->mode, r->address);
    else if (vector_traits[r->o.word >> 24] & VECTOR_MACRO)
        vector_load_at(&r->io, &r->o, bits_get(r->o.word, 16, 4), r->address);
    else
        vector_carry_out(v, &r->io, &r->o, at);
}

/* Lanes show what was in registers before two-cycle results that are not there yet; who reads those is reported. */
static void macro_turn_back(struct vector *v, const struct macro_run *run, unsigned n, uint64_t at)
{
    uint32_t stale = at > v->old.at && at <= v->old.until ? v->old.mask : 0;
    if (!stale)
        return;
    for (unsigned i = 0; i < n; i++) {
        uint32_t reads = vector_hazard_uses_of(&run[i].o).reads & stale;
        if (reads && run[i].o.open)
            vector_report(
                v, &run[i].io, &run[i].o, at, DIAG_STALE_LREG, (uint32_t)__builtin_ctz(reads));
    }
    for (unsigned i = 0; i < LANES_LREGS; i++)
        if (stale >> i & 1)
            memcpy(v->lanes.r[i], v->old.r[i], sizeof v->old.r[i]);
}

/* All of them at once: first what takes one cycle, then what takes two. Returns when the last is through. */
static uint64_t macro_run_all(struct vector *v, struct macro_run *run, unsigned n, uint64_t at)
{
    uint32_t after[LANES_LREGS][LANES];
    uint64_t done = at + 1;
    memcpy(after, v->lanes.r, sizeof after);
    macro_turn_back(v, run, n, at);
    for (unsigned i = 0; i < n; i++) {
        run[i].io.out = after;
        run[i].late = vector_hazard_uses_of(&run[i].o).late;
        if (!run[i].late)
            macro_carry_out(v, &run[i], at);
    }
    for (unsigned i = 0; i < n; i++)
        if (run[i].late) {
            vector_keep(v, &run[i].io, &run[i].o, at);
            done = at + 1 + v->numbers.late;
        }
    for (unsigned i = 0; i < n; i++)
        if (run[i].late && macro_swaps(&run[i]))
            macro_carry_out(v, &run[i], at);
    for (unsigned i = 0; i < n; i++)
        if (run[i].late && !macro_swaps(&run[i]))
            macro_carry_out(v, &run[i], at);
    memcpy(v->lanes.r, after, sizeof after);
    return done;
}

bool vector_macro_cycle(struct vector *v, const struct vector_io *io, const struct entry *e,
                        uint64_t at)
{
    struct macro_run run[MACRO_RUNS];
    struct vector_macro *m = &v->macro;
    bool macro = e && vector_traits[e->op] & VECTOR_MACRO, went = false;
    unsigned n = macro_take(v, io, run), scheduled = n;
    if (e && macro_add(v, io, e, run, n, at)) {
        struct vector_op *o = &run[n].o;
        went = true;
        if (macro) {
            o->vd = (uint8_t)((o->word & 1) << 2 | (o->word >> 20 & 3));
            run[n].address = (uint16_t)vector_load_address(io, o->word, false);
        }
        n++;
    }
    if (scheduled)
        macro_clashes(v, run, n, at);
    for (unsigned i = 0; i < scheduled; i++)
        probe_event(io->probe, EV_DONE, OWNER_VECTOR, run[i].o.tag, run[i].o.word, 0);
    uint64_t done = n ? macro_run_all(v, run, n, at) : at;
    if (!m->n_words || e)
        m->head = (m->head + 1) % MACRO_DELAYS;
    m->next = at + 1;
    if (scheduled && !v->untimed)
        vector_until(v, at, done);
    if (macro)
        macro_schedule_all(v, io, &run[n - 1].o, run[n - 1].address, at);
    return went;
}
