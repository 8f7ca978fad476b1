/*
 * pipe_glide.c - the pipeline while nothing but operands and the FBox holds it: instructions one after the other, without moving slots.
 *
 * What WB, MEM and EX hold follows from when the last two instructions left EX; so only the instructions before EX are
 * kept, in a window with the last two, and registers are written at once. A result is the same, because nobody reads a register before MEM
 * has published it, and nothing here can trap. A store reaches the write buffer two cycles after it has left EX. Waits
 * for operands and for the FBox are booked as the stretch of bubbles that they make in WB.
 *
 * Invariant: after pipe_glide() all is as after so many pipe_tick()s; --no-skip does without it, and the tests compare both.
 *
 * **Inaccuracies**: none of its own.
 */
#include "alpha/pipe_in.h"

#include "base/hot.h"

/* An instruction before EX, or one that has left it in cycle `left`: in MEM in the next cycle, in WB in the one after it. */
struct glide_slot {
    struct alpha_insn i;
    uint64_t pc, predicted, left;
    uint64_t address, value; /* of a store that is not in the write buffer yet */
    bool store;
};

#define GLIDE_SLOTS 8u

/* Bubbles that reach WB from `from` on. */
struct glide_wait {
    uint64_t from, cycles, pc;
    uint16_t key;
};

struct glide {
    struct pipe *p;
    const struct pipe_env *e;
    uint64_t now; /* cycle in which next[k] is in EX */
    bool fetched; /* IF has been filled in this cycle */
    bool wrong;   /* the last one was a mispredicted branch */
    unsigned
        k; /* slot[k] is in EX, those behind it come next, the two before it have left; k counts modulo GLIDE_SLOTS */
    unsigned stores; /* of the two that are not in the write buffer yet */
    uint64_t passed; /* that have left EX here, and the two before them */
    struct alpha_in in;
    struct glide_slot slot[GLIDE_SLOTS];
    struct glide_wait wait; /* the last one; cycles 0: none */
};

static inline struct glide_slot *glide_at(struct glide *g, unsigned k)
{
    return &g->slot[(g->k + k) % GLIDE_SLOTS];
}

/* ---- start ---- */

static bool glide_plain(const struct pipe *p, const struct pipe_slot *s)
{
    return s->valid && s->executed && !s->odd && !p->cost[s->i.op].late;
}

static void glide_take(struct glide_slot *n, const struct pipe_slot *s)
{
    n->i = s->i;
    n->pc = s->pc;
    n->predicted = s->predicted;
}

static bool glide_start(struct glide *g, struct pipe *p, const struct pipe_env *e, uint64_t now)
{
    struct pipe_slot *const *at = p->at;
    if (p->stall != PIPE_STAGES || !p->fresh || !glide_plain(p, at[PIPE_WB]) ||
        !glide_plain(p, at[PIPE_MEM]) || !at[PIPE_EX]->valid || at[PIPE_EX]->executed ||
        !at[PIPE_IS]->valid || !at[PIPE_DE]->valid)
        return false;
    g->p = p;
    g->e = e;
    g->now = now;
    g->fetched = g->wrong = false;
    g->passed = 2;
    g->wait.cycles = 0;
    g->k = 2;
    g->stores = 0;
    g->in = (struct alpha_in){.fpcr = p->cpu.fpcr, .unique = p->cpu.unique, .flag = p->cpu.flag};
    for (unsigned i = 0; i < 5; i++) {
        glide_take(&g->slot[i], at[PIPE_WB - i]);
        g->slot[i].left = now - 2 + i;
        g->slot[i].store = false;
    }
    p->cpu.reg[at[PIPE_MEM]->i.d] = at[PIPE_MEM]->out.value;
    pipe_progress(p, now);
    return true;
}

/* ---- the account ---- */

static void glide_book(struct glide *g)
{
    struct pipe *p = g->p;
    const struct glide_wait *w = &g->wait;
    if (!w->cycles)
        return;
    ledger_note(&p->ledger, w->from, w->key);
    ledger_note(&p->ledger, w->from + w->cycles, ledger_key(WAIT_PROGRESS, OWNER_NONE));
    if (p->blame_on)
        blame_add(p->blame, OWNER_CPU0 + p->n, (uint32_t)(w->pc >> 2), w->key, w->cycles);
}

static void glide_waits(struct glide *g, uint64_t from, uint64_t cycles, uint16_t key, uint64_t pc)
{
    glide_book(g);
    g->wait = (struct glide_wait){from, cycles, pc, key};
}

/* ---- memory ---- */

/* What happens to stores by this cycle, in the order in which it does. */
static void glide_stores(struct glide *g, uint64_t now)
{
    struct pipe *p = g->p;
    for (unsigned i = 2; i > 0; i--) {
        struct glide_slot *s = glide_at(g, GLIDE_SLOTS - i);
        if (!s->store || s->left + 2 > now)
            continue;
        if (wbuf_due(&p->wbuf, s->left + 2))
            pipe_act(p, g->e, s->left + 2);
        wbuf_push(&p->wbuf,
                  s->left + 2,
                  &(struct wbuf_entry){.address = s->address,
                                       .data = s->value,
                                       .pc = s->pc,
                                       .size = p->cost[s->i.op].size});
        s->store = false;
        g->stores--;
    }
    if (wbuf_due(&p->wbuf, now))
        pipe_act(p, g->e, now);
}

HOT_INLINE bool glide_read(struct alpha_mem *m, uint64_t address, unsigned size, uint64_t *value)
{
    switch (size) {
    case 8: return !alpha_mem_load(m, address, 8, value);
    case 4: return !alpha_mem_load(m, address, 4, value);
    case 2: return !alpha_mem_load(m, address, 2, value);
    default: return !alpha_mem_load(m, address, 1, value);
    }
}

/* False: not here. */
static bool glide_load(struct glide *g, const struct alpha_insn *i, unsigned size,
                       struct alpha_out *out)
{
    struct pipe *p = g->p;
    uint64_t raw = 0;
    enum wbuf_found f = WBUF_NONE;
    if (out->address - g->e->device.base < g->e->device.size)
        return false;
    if (i->d == ALPHA_SINK)
        return true;
    for (unsigned k = 1; g->stores && k <= 2 && f == WBUF_NONE; k++) {
        const struct glide_slot *s = glide_at(g, GLIDE_SLOTS - k);
        if (s->store)
            f = wbuf_match(&(struct wbuf_entry){.address = s->address,
                                                .data = s->value,
                                                .size = p->cost[s->i.op].size},
                           out->address,
                           size,
                           &raw);
    }
    if (f == WBUF_NONE && p->wbuf.n)
        f = wbuf_find(&p->wbuf, out->address, size, &raw);
    if (f == WBUF_PARTLY || (f == WBUF_NONE && !glide_read(g->e->mem, out->address, size, &raw)))
        return false;
    out->value = alpha_load_value(i->op, raw);
    return true;
}

static bool glide_may_store(const struct glide *g, unsigned size, const struct alpha_out *out)
{
    const struct wbuf *b = &g->p->wbuf;
    return out->address - g->e->device.base >= g->e->device.size && b->n + 2u < b->depth &&
           alpha_mem_stores(g->e->mem, out->address, size);
}

/* ---- fetch ---- */

HOT_INLINE const struct alpha_insn *glide_find(struct glide *g)
{
    struct pipe *p = g->p;
    uint64_t offset = p->fetch_pc - p->code_page;
    if (!LIKELY(offset < ALPHA_PAGE && p->code_page != 1))
        return NULL; /* another page is for pipe_tick() */
    const struct alpha_insn *i = &p->code[offset / 4];
    return LIKELY(i->go != ALPHA_GO_DECODE) ? i : NULL;
}

HOT_INLINE void glide_fetch(struct glide *g, const struct alpha_insn *i)
{
    struct pipe *p = g->p;
    struct glide_slot *n = glide_at(g, 3);
    unsigned flags = p->cost[i->op].flags;
    n->i = *i;
    n->pc = p->fetch_pc;
    if (LIKELY(!(flags & (AF_BRANCH | AF_JUMP))))
        p->fetch_pc += 4;
    else if (flags & AF_BRANCH)
        p->fetch_pc = predict_branch(&p->predict, n->pc, i->imm);
    else
        p->fetch_pc = predict_jump(&p->predict, n->pc, i);
    n->predicted = p->fetch_pc;
    g->fetched = true;
}

/* ---- the loop ---- */

/* The instruction in EX waits for an operand; false: not here. */
static bool glide_operand(struct glide *g, const struct alpha_insn *found, unsigned late,
                          uint64_t limit)
{
    struct pipe *p = g->p;
    uint64_t cycles = p->ready[late] - g->now;
    if (p->ready[late] >= limit)
        return false;
    glide_fetch(g, found);
    glide_waits(g, g->now + 2, cycles, p->ready_key[late], glide_at(g, 0)->pc);
    g->now += cycles;
    return true;
}

/* What is left in EX goes to MEM. */
HOT_INLINE void glide_leave(struct glide *g, struct glide_slot *x, const struct pipe_cost *cost,
                            const struct alpha_out *out)
{
    struct pipe *p = g->p;
    uint64_t now = g->now;
    p->cpu.reg[x->i.d] = out->value;
    p->ready[x->i.d] = now + cost->ready;
    p->ready_key[x->i.d] = cost->key;
    if (!LIKELY(!cost->slow)) {
        if (cost->busy > 1)
            glide_waits(g, now + 2, cost->busy - 1, ledger_key(WAIT_FP_BUSY, OWNER_FBOX), x->pc);
        if (cost->fbox && p->fbox < now + cost->fbox)
            p->fbox = now + cost->fbox;
        if (cost->flags & AF_FPCR)
            g->in.fpcr = p->cpu.fpcr = out->fpcr;
        now += cost->busy - 1;
    }
    x->left = now;
    x->store = false;
    g->now = now + 1;
    g->passed++;
}

/* A branch has been decided; false: what was fetched behind it is wrong. */
HOT_INLINE bool glide_branch(struct glide *g, const struct glide_slot *x, bool jump,
                             const struct alpha_out *out)
{
    struct pipe *p = g->p;
    uint64_t next = out->taken ? out->address : x->pc + 4;
    predict_train(&p->predict, x->pc, jump, out->taken, next);
    if (LIKELY(next == x->predicted))
        return true;
    p->mispredicts++;
    p->fetch_pc = next;
    return false;
}

/* The operand that comes last. */
static unsigned glide_late(const struct pipe *p, const struct alpha_insn *i)
{
    unsigned late = i->a;
    late = p->ready[i->b] > p->ready[late] ? i->b : late;
    return p->ready[i->c] > p->ready[late] ? i->c : late;
}

/* One instruction; false: it is not for here, or the glide ends behind it. */
HOT_INLINE bool glide_one(struct glide *g, uint64_t limit)
{
    struct pipe *p = g->p;
    struct glide_slot *x = glide_at(g, 0);
    const struct alpha_insn *i = &x->i, *found = NULL;
    const struct pipe_cost *cost = &p->cost[i->op];
    unsigned flags = cost->flags;
    struct alpha_out out;
    if (!LIKELY(!cost->heavy))
        return false;
    if (LIKELY(!g->fetched) && !(found = glide_find(g)))
        return false;
    if (!LIKELY(p->ready[i->a] <= g->now && p->ready[i->b] <= g->now && p->ready[i->c] <= g->now) &&
        !glide_operand(g, found, glide_late(p, i), limit))
        return false;
    if (g->stores | p->wbuf.n)
        glide_stores(g, g->now);
    g->in.pc = x->pc;
    g->in.counter = g->now;
    alpha_compute(
        i, p->cpu.reg[i->a], alpha_operand_b(i, p->cpu.reg), p->cpu.reg[i->c], &g->in, &out);
    if (!LIKELY(!out.trap) || (cost->slow && g->now + cost->busy > limit))
        return false;
    if (flags & (AF_LOAD | AF_STORE) && !(flags & AF_LOAD ? glide_load(g, i, cost->size, &out)
                                                          : glide_may_store(g, cost->size, &out)))
        return false;
    if (flags & (AF_BRANCH | AF_JUMP) && !glide_branch(g, x, flags & AF_JUMP, &out)) {
        g->wrong = true;
        g->fetched = false;
        glide_leave(g, x, cost, &out);
        g->k++;
        return false;
    }
    if (LIKELY(!g->fetched))
        glide_fetch(g, found);
    glide_leave(g, x, cost, &out);
    if (flags & AF_STORE) {
        x->store = true;
        x->address = out.address;
        x->value = out.value;
        g->stores++;
    }
    g->k++;
    g->fetched = false;
    return true;
}

/* ---- end ---- */

static void glide_put(struct pipe *p, struct pipe_slot *s, const struct alpha_insn *i, uint64_t pc)
{
    s->i = *i;
    s->pc = pc;
    s->flags = p->cost[i->op].flags;
    s->odd = p->cost[i->op].odd;
    s->valid = 1;
    s->executed = s->published = s->device = 0;
    s->out.trap = ALPHA_TRAP_NONE;
}

/* MEM or WB: who left EX in that cycle, or a bubble. True: somebody. */
static bool glide_put_past(struct glide *g, struct pipe_slot *s, uint64_t left)
{
    for (unsigned i = 1; i <= 2; i++) {
        const struct glide_slot *b = glide_at(g, GLIDE_SLOTS - i);
        if (b->left != left)
            continue;
        glide_put(g->p, s, &b->i, b->pc);
        s->executed = s->published = 1;
        s->odd = b->store;
        s->free = left;
        s->out.taken = 0;
        s->out.address = b->address;
        s->out.value = b->value;
        return true;
    }
    s->valid = 0;
    s->key = g->wait.key;
    s->culprit = g->wait.pc;
    return false;
}

static void glide_settle_account(struct glide *g)
{
    struct pipe *p = g->p;
    const struct glide_wait *w = &g->wait;
    if (!w->cycles || g->now <= w->from)
        return;
    if (g->now >= w->from + w->cycles) {
        glide_book(g);
        return;
    }
    ledger_note(&p->ledger, w->from, w->key);
    p->lost = (struct pipe_lost){w->pc, w->from, w->key};
}

static void glide_end(struct glide *g)
{
    struct pipe *p = g->p;
    unsigned within = 0;
    for (unsigned i = 0; i < PIPE_STAGES; i++)
        p->at[i] = &p->slot[i];
    within += glide_put_past(g, p->at[PIPE_MEM], g->now - 1);
    within += glide_put_past(g, p->at[PIPE_WB], g->now - 2);
    p->retired += g->passed - within;
    p->stall = PIPE_STAGES;
    for (unsigned i = 0; i < 3; i++) {
        const struct glide_slot *n = glide_at(g, i);
        struct pipe_slot *s = p->at[PIPE_EX - i];
        glide_put(p, s, &n->i, n->pc);
        s->predicted = n->predicted;
        if (g->wrong) {
            s->valid = 0;
            s->key = ledger_key(WAIT_MISPREDICT, OWNER_NONE);
            s->culprit = glide_at(g, GLIDE_SLOTS - 1)->pc;
        }
    }
    p->fresh = !g->fetched;
    if (g->fetched) {
        const struct glide_slot *n = glide_at(g, 3);
        glide_put(p, p->at[PIPE_IF], &n->i, n->pc);
        p->at[PIPE_IF]->predicted = n->predicted;
    }
    glide_settle_account(g);
}

uint64_t pipe_glide(struct pipe *p, const struct pipe_env *e, uint64_t now, uint64_t limit)
{
    struct glide g;
    if (!glide_start(&g, p, e, now))
        return now;
    while (g.now < limit && glide_one(&g, limit))
        continue;
    glide_end(&g);
    return g.now;
}
