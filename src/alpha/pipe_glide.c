/*
 * pipe_glide.c - the pipeline while nothing but operands and the FBox holds it: instructions one after the other, without moving slots.
 *
 * What WB, MEM and EX hold follows from when the last two instructions left EX; so only the instructions before EX are
 * kept, as a window of four, and registers are written at once. A result is the same, because nobody reads a register before MEM
 * has published it, and nothing here can trap. A store reaches the write buffer two cycles after it has left EX. Waits
 * for operands and for the FBox are booked as the stretch of bubbles that they make in WB.
 *
 * Invariant: after pipe_glide() all is as after so many pipe_tick()s; --no-skip does without it, and the tests compare both.
 *
 * **Inaccuracies**: none of its own.
 */
#include "alpha/pipe_in.h"

#include "base/hot.h"

/* An instruction before EX. */
struct glide_next {
    struct alpha_insn i;
    uint64_t pc, predicted;
};

/* One that has left EX, in cycle `left`: in MEM in the next cycle, in WB in the one after it. */
struct glide_past {
    struct alpha_insn i;
    uint64_t pc, left;
    uint64_t address, value; /* of a store that is not in the write buffer yet */
    bool store;
};

/* Bubbles that reach WB from `from` on. */
struct glide_wait {
    uint64_t from, cycles, pc;
    uint16_t key;
};

struct glide {
    struct pipe *p;
    const struct pipe_env *e;
    uint64_t now;    /* cycle in which next[k] is in EX */
    bool fetched;    /* IF has been filled in this cycle */
    bool wrong;      /* the last one was a mispredicted branch */
    unsigned k;      /* next[k % 4] is in EX, and so on */
    uint64_t passed; /* that have left EX here, and the two before them */
    struct glide_next next[4];
    struct glide_past past[2]; /* the youngest is past[0] */
    struct glide_wait wait;    /* the last one; cycles 0: none */
};

/* ---- start ---- */

static bool glide_plain(const struct pipe *p, const struct pipe_slot *s)
{
    return s->valid && s->executed && !s->odd && !p->cost[s->i.op].late;
}

static void glide_take(struct glide_next *n, const struct pipe_slot *s)
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
    g->k = 0;
    g->passed = 2;
    g->wait.cycles = 0;
    glide_take(&g->next[0], at[PIPE_EX]);
    glide_take(&g->next[1], at[PIPE_IS]);
    glide_take(&g->next[2], at[PIPE_DE]);
    for (unsigned i = 0; i < 2; i++)
        g->past[i] = (struct glide_past){
            .i = at[PIPE_MEM + i]->i, .pc = at[PIPE_MEM + i]->pc, .left = now - 1 - i};
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
    for (unsigned i = 2; i-- > 0;) {
        struct glide_past *s = &g->past[i];
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
    for (unsigned k = 0; k < 2 && f == WBUF_NONE; k++) {
        const struct glide_past *s = &g->past[k];
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
    uint64_t pc = p->fetch_pc;
    if (!LIKELY((pc & ~(ALPHA_PAGE - 1)) == p->code_page))
        return NULL; /* the next page is for pipe_tick() */
    const struct alpha_insn *i = &p->code[(pc & (ALPHA_PAGE - 1)) / 4];
    return LIKELY(i->go != ALPHA_GO_DECODE) ? i : NULL;
}

HOT_INLINE void glide_fetch(struct glide *g, const struct alpha_insn *i)
{
    struct pipe *p = g->p;
    struct glide_next *n = &g->next[(g->k + 3) % 4];
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
    glide_waits(g, g->now + 2, cycles, p->ready_key[late], g->next[g->k % 4].pc);
    g->now += cycles;
    return true;
}

/* What is left in EX goes to MEM. */
HOT_INLINE void glide_leave(struct glide *g, const struct glide_next *x,
                            const struct pipe_cost *cost, const struct alpha_out *out)
{
    struct pipe *p = g->p;
    uint64_t left = g->now + cost->busy - 1;
    if (!LIKELY(cost->busy == 1))
        glide_waits(g, g->now + 2, cost->busy - 1, ledger_key(WAIT_FP_BUSY, OWNER_FBOX), x->pc);
    p->cpu.reg[x->i.d] = out->value;
    p->ready[x->i.d] = g->now + cost->ready;
    p->ready_key[x->i.d] = cost->key;
    if (cost->fbox && p->fbox < g->now + cost->fbox)
        p->fbox = g->now + cost->fbox;
    g->past[1] = g->past[0];
    g->past[0].i = x->i;
    g->past[0].pc = x->pc;
    g->past[0].left = left;
    g->past[0].store = false;
    g->now = left + 1;
    g->passed++;
}

/* A branch has been decided; false: what was fetched behind it is wrong. */
HOT_INLINE bool glide_branch(struct glide *g, const struct glide_next *x, bool jump,
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

/* One instruction; false: it is not for here, or the glide ends behind it. */
HOT_INLINE bool glide_one(struct glide *g, uint64_t limit)
{
    struct pipe *p = g->p;
    const struct glide_next *x = &g->next[g->k % 4];
    const struct alpha_insn *i = &x->i, *found = NULL;
    const struct pipe_cost *cost = &p->cost[i->op];
    struct alpha_out out;
    if (!LIKELY(!cost->heavy))
        return false;
    if (LIKELY(!g->fetched) && !(found = glide_find(g)))
        return false;
    unsigned late = i->a;
    late = p->ready[i->b] > p->ready[late] ? i->b : late;
    late = p->ready[i->c] > p->ready[late] ? i->c : late;
    if (!LIKELY(p->ready[late] <= g->now) && !glide_operand(g, found, late, limit))
        return false;
    if (g->past[0].store | g->past[1].store | (p->wbuf.n != 0))
        glide_stores(g, g->now);
    struct alpha_in in = {.pc = x->pc,
                          .fpcr = p->cpu.fpcr,
                          .unique = p->cpu.unique,
                          .counter = g->now,
                          .flag = p->cpu.flag};
    alpha_compute(i, p->cpu.reg[i->a], alpha_operand_b(i, p->cpu.reg), p->cpu.reg[i->c], &in, &out);
    if (!LIKELY(!out.trap && g->now + cost->busy <= limit))
        return false;
    if (cost->flags & (AF_LOAD | AF_STORE) &&
        !(cost->flags & AF_LOAD ? glide_load(g, i, cost->size, &out)
                                : glide_may_store(g, cost->size, &out)))
        return false;
    if (cost->flags & AF_FPCR)
        p->cpu.fpcr = out.fpcr;
    if (cost->flags & (AF_BRANCH | AF_JUMP) && !glide_branch(g, x, cost->flags & AF_JUMP, &out)) {
        g->wrong = true;
        g->fetched = false;
        glide_leave(g, x, cost, &out);
        return false;
    }
    if (LIKELY(!g->fetched))
        glide_fetch(g, found);
    glide_leave(g, x, cost, &out);
    if (cost->flags & AF_STORE) {
        g->past[0].store = true;
        g->past[0].address = out.address;
        g->past[0].value = out.value;
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
    for (unsigned i = 0; i < 2; i++) {
        const struct glide_past *b = &g->past[i];
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
        const struct glide_next *n = &g->next[(g->k + i) % 4];
        struct pipe_slot *s = p->at[PIPE_EX - i];
        glide_put(p, s, &n->i, n->pc);
        s->predicted = n->predicted;
        if (g->wrong) {
            s->valid = 0;
            s->key = ledger_key(WAIT_MISPREDICT, OWNER_NONE);
            s->culprit = g->past[0].pc;
        }
    }
    p->fresh = !g->fetched;
    if (g->fetched) {
        const struct glide_next *n = &g->next[(g->k + 3) % 4];
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
