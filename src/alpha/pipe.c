/*
 * pipe.c - the Alpha's pipeline: fetch, movement, and the account of every cycle.
 *
 * Block: IBox. A pipeline whose older stages drain while a younger one is held cannot be a ring that moves as a whole: settings.frozen has
 * the ring, to show where it deadlocks.
 *
 * Invariant: in every cycle WB either retires an instruction or loses the cycle to exactly one cause, so
 * cycles == retired + everything in the ledger that is not progress.
 *
 * **Inaccuracies**: one instruction per cycle, no caches: not the time of any Alpha that was built.
 */
#include "alpha/pipe_in.h"

#include <string.h>

#include "base/evidence.h"
#include "base/hot.h"
#include "base/watch.h"

const char *const pipe_stage_names[PIPE_STAGES] = {"IF", "DE", "IS", "EX", "MEM", "WB"};

const struct pipe_latency_info pipe_latencies[PIPE_N_LATENCIES] = {
#define LATENCY(id, name, least, cycles, most, evidence, source, text)                             \
    {name, least, cycles, most, EVIDENCE_##evidence, source, text},
#include "alpha/latency.def"
};

void pipe_settings_init(struct pipe_settings *s)
{
    *s = (struct pipe_settings){.fp_pipelined = false};
    for (unsigned i = 0; i < ALPHA_N_LATENCIES; i++)
        s->insn[i] = alpha_latencies[i].cycles;
    for (unsigned i = 0; i < PIPE_N_LATENCIES; i++)
        s->other[i] = pipe_latencies[i].cycles;
}

static char pipe_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool pipe_same_name(const char *a, const char *b)
{
    while (*a && pipe_lower(*a) == pipe_lower(*b))
        a++, b++;
    return pipe_lower(*a) == pipe_lower(*b);
}

bool pipe_settings_latency(struct pipe_settings *s, const char *name, uint64_t cycles)
{
    for (unsigned i = 0; i < ALPHA_N_LATENCIES; i++)
        if (pipe_same_name(name, alpha_latencies[i].name)) {
            if (cycles < 1 || cycles > PIPE_LATENCY_MOST)
                return false;
            s->insn[i] = (uint32_t)cycles;
            return true;
        }
    for (unsigned i = 0; i < PIPE_N_LATENCIES; i++)
        if (pipe_same_name(name, pipe_latencies[i].name)) {
            if (cycles < pipe_latencies[i].least || cycles > pipe_latencies[i].most)
                return false;
            s->other[i] = (uint32_t)cycles;
            return true;
        }
    return false;
}

void pipe_event(const struct pipe *p, const struct pipe_env *e, enum probe_event kind,
                const struct pipe_slot *s, uint64_t now)
{
    if (!e->probe || !probe_wants(e->probe, kind))
        return;
    struct event ev = {.kind = (uint8_t)kind,
                       .agent = (uint8_t)(OWNER_CPU0 + p->n),
                       .cause = (uint8_t)(s->key >> 8),
                       .owner = (uint8_t)(s->key & 0xff),
                       .word = s->i.word,
                       .pc = s->pc};
    e->probe->now = now;
    probe_send(e->probe, &ev);
}

/* ---- the account ---- */

static void pipe_account_place(struct pipe *p, uint64_t now)
{
    if (p->lost.key && p->blame_on && now > p->lost.since)
        blame_add(p->blame,
                  OWNER_CPU0 + p->n,
                  (uint32_t)(p->lost.pc >> 2),
                  p->lost.key,
                  now - p->lost.since);
    p->lost.key = 0;
}

HOT_INLINE void pipe_account_retired(struct pipe *p, uint64_t now)
{
    wait_ledger_note(&p->ledger, now, wait_key(WAIT_PROGRESS, OWNER_NONE));
    if (p->lost.key)
        pipe_account_place(p, now);
}

HOT_INLINE void pipe_account_lost(struct pipe *p, uint64_t now, uint16_t key, uint64_t culprit)
{
    wait_ledger_note(&p->ledger, now, key);
    if (p->lost.key == key && p->lost.pc == culprit)
        return;
    pipe_account_place(p, now);
    p->lost = (struct pipe_lost){culprit, now, key};
}

void pipe_progress(struct pipe *p, uint64_t now)
{
    pipe_account_retired(p, now);
}

/* ---- start, stop ---- */

static void pipe_empty(struct pipe *p, unsigned cause, uint64_t culprit)
{
    pipe_kill(p, PIPE_STAGES, cause, culprit);
    p->stall = PIPE_STAGES;
    p->fetch_pc = p->cpu.pc;
    p->code_page = 1;
    p->fresh = true;
    p->mb_since = PIPE_NEVER;
}

static struct pipe_cost pipe_cost(const struct alpha_op_info *op, const struct pipe_settings *s)
{
    struct pipe_cost c = {
        .busy = 1, .ready = s->insn[op->latency], .flags = op->flags, .size = op->size};
    bool fp = op->box == ALPHA_BOX_F;
    if (fp && !s->fp_pipelined)
        c.busy = c.ready;
    else if (fp && op->flags & AF_TRAP)
        c.fbox = c.ready;
    c.key = op->box == ALPHA_BOX_M ? wait_key(WAIT_LOAD, OWNER_PIPELINE)
                                   : wait_key(WAIT_OPERAND, fp ? OWNER_FBOX : OWNER_PIPELINE);
    c.odd = (op->flags & (AF_STORE | AF_PAL)) != 0;
    c.late = (op->flags & (AF_BARRIER | AF_LOCKED | AF_FPCR | AF_FLAG | AF_PAL)) != 0;
    return c;
}

void pipe_reset(struct pipe *p, const struct pipe_settings *s, uint64_t now)
{
    for (unsigned i = 0; i < PIPE_STAGES; i++)
        p->at[i] = &p->slot[i];
    for (unsigned i = 0; i < ALPHA_N_OPS; i++)
        p->cost[i] = pipe_cost(&alpha_ops[i], s);
    p->stopped = false;
    memset(p->ready, 0, sizeof p->ready);
    memset(&p->predict, 0, sizeof p->predict);
    p->fbox = 0;
    p->wmb_mark = 0;
    p->retired = p->flushes = p->mispredicts = 0;
    p->lost.key = 0;
    wbuf_reset(&p->wbuf, s->other[PIPE_WBUF_DEPTH], s->other[PIPE_WBUF_ENTRY]);
    wait_ledger_reset(&p->ledger, now);
    wait_ledger_switch(&p->ledger, now, wait_key(WAIT_FILL, OWNER_NONE));
    pipe_empty(p, WAIT_FILL, p->cpu.pc);
}

void pipe_resume(struct pipe *p, uint64_t now)
{
    p->stopped = false;
    wait_ledger_note(&p->ledger, now, wait_key(WAIT_FLUSH, OWNER_NONE));
    pipe_empty(p, WAIT_FLUSH, p->cpu.trap.pc);
}

void pipe_settle(struct pipe *p, uint64_t now)
{
    struct pipe_lost lost = p->lost;
    pipe_account_place(p, now);
    p->lost = lost;
    p->lost.since = now;
    wait_ledger_settle(&p->ledger, now);
}

void pipe_kill(struct pipe *p, enum pipe_stage before, unsigned cause, uint64_t culprit)
{
    for (unsigned i = 0; i < (unsigned)before; i++) {
        struct pipe_slot *s = p->at[i];
        s->valid = 0;
        s->key = wait_key(cause, OWNER_NONE);
        s->culprit = culprit;
    }
}

/* alpha_mem_store() wants to know the size. */
static void pipe_put(struct alpha_mem *m, const struct wbuf_entry *w)
{
    switch (w->size) {
    case 8: alpha_mem_store(m, w->address, 8, w->data); break;
    case 4: alpha_mem_store(m, w->address, 4, w->data); break;
    case 2: alpha_mem_store(m, w->address, 2, w->data); break;
    default: alpha_mem_store(m, w->address, 1, w->data); break;
    }
}

void pipe_act(struct pipe *p, const struct pipe_env *e, uint64_t now)
{
    struct wbuf_entry w;
    while (wbuf_pop(&p->wbuf, now, &w)) {
        pipe_put(e->mem, &w); /* checked in EX */
        if (e->stored)
            e->stored(e->context, p->n, w.address, w.size);
    }
}

/* ---- IF ---- */

HOT_INLINE const struct alpha_insn *pipe_decoded(struct pipe *p, struct alpha_mem *m, uint64_t pc)
{
    if ((pc & ~(ALPHA_PAGE - 1)) != p->code_page) {
        p->code = pc & 3 ? NULL : alpha_mem_code(m, pc);
        p->code_page = p->code ? pc & ~(ALPHA_PAGE - 1) : 1;
        if (!p->code)
            return NULL;
    }
    struct alpha_insn *i = &p->code[(pc & (ALPHA_PAGE - 1)) / 4];
    if (!LIKELY(i->go != ALPHA_GO_DECODE))
        alpha_mem_decode(m, i, pc);
    return i;
}

HOT_INLINE void pipe_if(struct pipe *p, const struct pipe_env *e)
{
    struct pipe_slot *s = p->at[PIPE_IF];
    uint64_t pc = p->fetch_pc;
    const struct alpha_insn *i = pipe_decoded(p, e->mem, pc);
    p->fresh = false;
    s->pc = pc;
    s->valid = 1;
    s->executed = s->published = s->device = 0;
    if (!LIKELY(i)) {
        s->i = alpha_decode(0); /* never computed */
        s->flags = 0;
        s->executed = s->odd = 1;
        s->free = 0;
        s->out = (struct alpha_out){.trap = (uint8_t)alpha_mem_no_code(e->mem, pc), .address = pc};
        p->fetch_pc = s->predicted = pc + 4;
        return;
    }
    s->i = *i;
    s->flags = p->cost[i->op].flags;
    s->odd = p->cost[i->op].odd;
    if (LIKELY(!(s->flags & (AF_BRANCH | AF_JUMP))))
        p->fetch_pc = pc + 4;
    else if (s->flags & AF_BRANCH)
        p->fetch_pc = predict_branch(&p->predict, pc, i->imm);
    else
        p->fetch_pc = predict_jump(&p->predict, pc, i);
    s->predicted = p->fetch_pc;
}

/* ---- movement ---- */

static void pipe_bubble(struct pipe_slot *s, const struct pipe_slot *held)
{
    s->valid = 0;
    s->key = held->key;
    s->culprit = held->pc;
}

/* Everything older than the held stage moves on, a bubble behind it. */
static void pipe_advance_partly(struct pipe *p, bool frozen)
{
    unsigned k = p->stall;
    struct pipe_slot *held = p->at[k], *last = p->at[PIPE_WB];
    if (k == PIPE_WB)
        return;
    if (!frozen) {
        for (unsigned i = PIPE_WB; i > k + 1; i--)
            p->at[i] = p->at[i - 1];
        p->at[k + 1] = last;
        pipe_bubble(last, held);
    } else if (!last->valid) {
        pipe_bubble(last, held);
    }
}

HOT_INLINE void pipe_advance(struct pipe *p, bool frozen)
{
    struct pipe_slot *last = p->at[PIPE_WB];
    if (!LIKELY(p->stall == PIPE_STAGES)) {
        pipe_advance_partly(p, frozen);
        return;
    }
    p->at[PIPE_WB] = p->at[PIPE_MEM];
    p->at[PIPE_MEM] = p->at[PIPE_EX];
    p->at[PIPE_EX] = p->at[PIPE_IS];
    p->at[PIPE_IS] = p->at[PIPE_DE];
    p->at[PIPE_DE] = p->at[PIPE_IF];
    p->at[PIPE_IF] = last;
    p->fresh = true;
}

static void pipe_stalls_at(struct pipe *p, const struct pipe_env *e, unsigned stage, uint64_t now)
{
    const struct pipe_slot *s = p->at[stage];
    if (p->stall != stage || p->ledger.key != s->key)
        pipe_event(p, e, EV_STALL, s, now);
    p->stall = (uint8_t)stage;
}

/* WB when there is more to do than to count an instruction; false: the tick is over. */
static bool pipe_tick_odd(struct pipe *p, const struct pipe_env *e, struct pipe_slot *w,
                          uint64_t now)
{
    enum pipe_wb wb = pipe_wb(p, w, e, now);
    if (!w->valid)
        pipe_account_retired(p, now);
    else
        pipe_account_lost(p, now, w->key, w->pc);
    if (wb == PIPE_WB_FLUSHED) {
        p->flushes++;
        pipe_event(p, e, EV_FLUSH, w, now);
        pipe_empty(p, WAIT_FLUSH, w->pc);
        if (p->stopped)
            wait_ledger_note(&p->ledger, now + 1, wait_key(WAIT_DONE, OWNER_NONE));
        return false;
    }
    if (wb == PIPE_WB_HELD) {
        pipe_stalls_at(p, e, PIPE_WB, now);
        if (p->fresh)
            pipe_if(p, e);
        return false;
    }
    return true;
}

HOT_INLINE bool pipe_mem_stage(struct pipe *p, const struct pipe_env *e, uint64_t now)
{
    struct pipe_slot *s = p->at[PIPE_MEM];
    if (!s->valid || s->published)
        return false;
    if (!LIKELY(!(p->cost[s->i.op].late | s->out.trap)))
        return pipe_wb_mem(p, s, e, now);
    s->published = 1;
    p->cpu.reg[s->i.d] = s->out.value;
    return false;
}

HOT_INLINE bool pipe_ex_stage(struct pipe *p, const struct pipe_env *e, uint64_t now)
{
    struct pipe_slot *s = p->at[PIPE_EX];
    if (!s->valid)
        return false;
    if (!s->executed && !pipe_ex_execute(p, s, e, now))
        return true;
    if (!LIKELY(s->free <= now))
        return pipe_hold(p, s, WAIT_FP_BUSY, OWNER_FBOX, s->free);
    return false;
}

HOT_INLINE void pipe_tick_one(struct pipe *p, const struct pipe_env *e, uint64_t now)
{
    struct pipe_slot *w = p->at[PIPE_WB];
    if (!LIKELY(w->valid)) {
        pipe_account_lost(p, now, w->key, w->culprit);
    } else if (LIKELY(!w->odd && !e->retire && !e->probe)) {
        p->retired++;
        w->valid = 0;
        pipe_account_retired(p, now);
    } else if (!pipe_tick_odd(p, e, w, now)) {
        return;
    }
    if (pipe_mem_stage(p, e, now))
        pipe_stalls_at(p, e, PIPE_MEM, now);
    else if (pipe_ex_stage(p, e, now))
        pipe_stalls_at(p, e, PIPE_EX, now);
    else
        p->stall = PIPE_STAGES;
    if (LIKELY(p->fresh))
        pipe_if(p, e);
    pipe_advance(p, e->set->frozen);
}

void pipe_tick(struct pipe *p, const struct pipe_env *e, uint64_t now)
{
    pipe_tick_one(p, e, now);
}

uint64_t pipe_run(struct pipe *p, const struct pipe_env *e, uint64_t now, uint64_t limit,
                  bool glide)
{
    glide &= !e->retire && !e->probe && !e->set->frozen;
    WATCH(watch);
    while (now < limit) {
        PROGRESS(watch, now, 1);
        if (!LIKELY(!wbuf_due(&p->wbuf, now)))
            pipe_act(p, e, now);
        pipe_tick_one(p, e, now++);
        if (!LIKELY(pipe_moves(p))) {
            if (p->stopped || pipe_quiet_until(p, e, now - 1) > now)
                break;
        } else if (glide && p->at[PIPE_WB]->valid && p->at[PIPE_EX]->valid && now < limit) {
            if (wbuf_due(&p->wbuf, now))
                pipe_act(p, e, now);
            now = pipe_glide(p, e, now, limit);
        }
    }
    return now;
}

/* ---- jumping over waits ---- */

uint64_t pipe_quiet_until(const struct pipe *p, const struct pipe_env *e, uint64_t now)
{
    uint64_t drained = p->wbuf.n ? p->wbuf.done : PIPE_NEVER;
    if (p->stopped)
        return drained > now ? drained : now + 1;
    if (p->stall == PIPE_STAGES)
        return now + 1;
    const struct pipe_slot *held = p->at[p->stall];
    if (p->ledger.key != held->key || p->lost.pc != held->pc)
        return now + 1;
    for (unsigned i = p->stall + 1u; i < PIPE_STAGES; i++) {
        const struct pipe_slot *s = p->at[i];
        if (e->set->frozen && i < PIPE_WB)
            continue;
        if (s->valid || s->key != held->key || s->culprit != held->pc)
            return now + 1;
    }
    uint64_t wake = p->wake < drained ? p->wake : drained;
    return wake > now ? wake : now + 1;
}

bool pipe_held(const struct pipe *p, const struct pipe_slot **slot, enum pipe_stage *stage)
{
    if (p->stopped || p->stall == PIPE_STAGES)
        return false;
    *slot = p->at[p->stall];
    *stage = (enum pipe_stage)p->stall;
    return true;
}
