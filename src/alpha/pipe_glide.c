/*
 * pipe_glide.c - the pipeline while nothing but operands, the FBox and wrong guesses holds it: instructions one after the other,
 * without moving slots.
 *
 * What WB, MEM and EX hold follows from when the last two instructions left EX; so only the instructions before EX are
 * kept, in a window with the last two, and registers are written at once. A result is the same, because nobody reads a register before MEM
 * has published it, and nothing here can trap. A store reaches the write buffer two cycles after it has left EX; the buffer is
 * asked only by loads, stores and barriers, and is brought up to date then. Waits are booked as the stretch of bubbles that they
 * make in WB.
 *
 * What instructions do is alpha_exec.def's; glide_loop.def makes a loop of it.
 *
 * Invariants: after pipe_glide() all is as after so many pipe_tick()s; --no-skip does without it, and the tests compare both. No
 * store on its way goes to a page with decoded code, so the window can point to decoded instructions.
 *
 * **Inaccuracies**: none of its own.
 */
#include "alpha/pipe_in.h"

#include "alpha/alpha_fp_quick.h"
#include "alpha/alpha_math.h"
#include "base/hot.h"
#include "base/watch.h"

/* An instruction before EX, or one that has left it in cycle `left`: in MEM in the next cycle, in WB in the one after it. */
struct glide_slot {
    const struct alpha_insn *i;
    uint64_t pc, left;
};

#define GLIDE_SLOTS 64 /* the window moves on through that many */

/* A store that has left EX and is not in the write buffer yet. */
struct glide_store {
    struct wbuf_entry entry;
    uint64_t left;
};

/* Bubbles that reach WB from `from` on. */
struct glide_wait {
    uint64_t from, cycles, pc;
    uint16_t key;
};

struct glide {
    struct pipe *p;
    const struct pipe_env *e;
    uint64_t now;         /* cycle in which *x is in EX */
    struct glide_slot *x; /* those behind it come next, the two before it have left */
    uint64_t passed;      /* instructions before slot[0] */
    bool fetched;         /* IF has been filled in this cycle */
    unsigned
        gap; /* slots from EX on that are empty behind a mispredicted branch; *x is behind them */
    unsigned stores;             /* that are not in the write buffer yet */
    unsigned waits;              /* so far */
    struct glide_store store[2]; /* oldest first */
    struct glide_wait wait[2]; /* the last two, by number; cycles 0: none. Older ones are booked */
    struct glide_slot slot[GLIDE_SLOTS];
};

/* ---- the account ---- */

#define GLIDE_PLACE(w) (((w)->pc >> 2 ^ (w)->key >> 8) % PIPE_PLACES)

/* The stretch of a wait between two of progress, as wait_ledger_note() would book both; false: one of them for the first time. */
HOT_INLINE bool glide_book_known(struct pipe *p, const struct glide_wait *w)
{
    struct ledger *l = &p->ledger;
    struct ledger_pair *progress = &l->pair[p->pair[WAIT_PROGRESS]];
    struct ledger_pair *pair = &l->pair[p->pair[w->key >> 8]];
    if (!LIKELY(wait_pair_is(progress, wait_key(WAIT_PROGRESS, OWNER_NONE)) &&
                wait_pair_is(pair, w->key)))
        return false;
    if (LIKELY(w->from > l->since)) {
        progress->times += !l->goes_on;
        l->before = wait_key(WAIT_PROGRESS, OWNER_NONE);
        progress->cycles += w->from - l->since;
        l->cycles[WAIT_PROGRESS] += w->from - l->since;
    }
    pair->times += w->key != l->before;
    pair->cycles += w->cycles;
    l->before = w->key;
    l->goes_on = false;
    l->cycles[w->key >> 8] += w->cycles;
    l->since = w->from + w->cycles;
    return true;
}

COLD static void glide_book_new(struct pipe *p, const struct glide_wait *w)
{
    struct ledger *l = &p->ledger;
    const uint16_t progress = wait_key(WAIT_PROGRESS, OWNER_NONE);
    wait_ledger_note(l, w->from, w->key);
    wait_ledger_note(l, w->from + w->cycles, progress);
    for (unsigned i = 0; i < l->n_pairs; i++)
        if (wait_pair_is(&l->pair[i], w->key) || wait_pair_is(&l->pair[i], progress))
            p->pair[l->pair[i].cause] = (uint8_t)i;
}

/* The same for the place; false: it was not where it was last. */
HOT_INLINE bool glide_blame_known(struct pipe *p, const struct glide_wait *w)
{
    uint32_t place = (uint32_t)(w->pc >> 2);
    struct blame_slot *s = &p->blame->slot[p->place[GLIDE_PLACE(w)]];
    if (!LIKELY(s->place == place && s->key == w->key && s->agent == OWNER_CPU0 + p->n))
        return false;
    s->times++;
    s->cycles += w->cycles;
    return true;
}

COLD static void glide_blame_new(struct pipe *p, const struct glide_wait *w)
{
    const struct blame_slot *s =
        blame_add(p->blame, OWNER_CPU0 + p->n, (uint32_t)(w->pc >> 2), w->key, w->cycles);
    if (s)
        p->place[GLIDE_PLACE(w)] = (uint16_t)(s - p->blame->slot);
}

HOT_INLINE void glide_book(struct pipe *p, const struct glide_wait *w)
{
    if (!LIKELY(glide_book_known(p, w)))
        glide_book_new(p, w);
    if (p->blame_on && !glide_blame_known(p, w))
        glide_blame_new(p, w);
}

/* The one before the last is booked by now: its bubbles have passed WB before this one's come. */
static void glide_waits(struct glide *g, uint64_t from, uint64_t cycles, uint16_t key, uint64_t pc)
{
    struct glide_wait *w = &g->wait[g->waits++ % 2];
    if (LIKELY(w->cycles))
        glide_book(g->p, w);
    w->from = from;
    w->cycles = cycles;
    w->pc = pc;
    w->key = key;
}

/* ---- memory ---- */

/* The oldest store that is not in the write buffer enters it. */
static void glide_push(struct glide *g)
{
    struct pipe *p = g->p;
    uint64_t at = g->store[0].left + 2;
    if (wbuf_due(&p->wbuf, at))
        pipe_act(p, g->e, at);
    wbuf_push(&p->wbuf, at, &g->store[0].entry);
    g->store[0] = g->store[1];
    g->stores--;
}

/* What happens to stores by this cycle, in the order in which it does. */
static void glide_stores(struct glide *g, uint64_t now)
{
    while (g->stores && g->store[0].left + 2 <= now)
        glide_push(g);
    if (wbuf_due(&g->p->wbuf, now))
        pipe_act(g->p, g->e, now);
}

/* A load of bytes that may be among those of stores on their way. */
static enum wbuf_found glide_forward(struct glide *g, uint64_t address, unsigned size, uint64_t now,
                                     uint64_t *raw)
{
    enum wbuf_found f = WBUF_NONE;
    glide_stores(g, now);
    if (g->stores) /* the one in MEM */
        f = wbuf_match(&g->store[0].entry, address, size, raw);
    return f == WBUF_NONE ? wbuf_find(&g->p->wbuf, address, size, raw) : f;
}

HOT_INLINE bool glide_is_device(const struct glide *g, uint64_t address)
{
    return address - g->e->device.base < g->e->device.size;
}

/* False: not here. */
HOT_INLINE bool glide_load(struct glide *g, uint64_t address, unsigned size, uint64_t now,
                           uint64_t *raw)
{
    if (!LIKELY(!glide_is_device(g, address)))
        return false;
    if (g->stores | g->p->wbuf.n) {
        enum wbuf_found f = glide_forward(g, address, size, now, raw);
        if (f != WBUF_NONE)
            return f == WBUF_ALL;
    }
    return !alpha_mem_load(g->e->mem, address, size, raw);
}

/* The same for a store; data beyond its size is of no meaning. */
static bool glide_store(struct glide *g, uint64_t address, unsigned size, uint64_t data,
                        uint64_t pc, uint64_t now)
{
    const struct wbuf *b = &g->p->wbuf;
    glide_stores(g, now);
    if (glide_is_device(g, address) || b->n + g->stores >= b->depth ||
        !alpha_mem_stores(g->e->mem, address, size))
        return false;
    g->store[g->stores++] = (struct glide_store){{address, data, pc, (uint8_t)size}, now};
    return true;
}

/* STx_C, which MEM decides in the next cycle: only if it need not wait there. The data becomes the result. */
static bool glide_store_conditional(struct glide *g, uint64_t address, unsigned size, uint64_t now,
                                    uint64_t *value)
{
    struct pipe *p = g->p;
    glide_stores(g, now);
    if (g->stores || p->wbuf.n || address & (size - 1) || glide_is_device(g, address) ||
        g->e->stored || !alpha_mem_stores(g->e->mem, address, size))
        return false;
    bool held = alpha_state_lock_take(&p->cpu, address);
    if (held)
        alpha_mem_write(g->e->mem, address, size, *value);
    *value = held;
    return true;
}

/* Does no store that is on its way go to decoded code? */
static bool glide_leaves_code(const struct glide *g)
{
    const struct wbuf *b = &g->p->wbuf;
    bool leaves = true;
    for (unsigned i = 0; i < g->stores; i++)
        leaves &= alpha_mem_stores(g->e->mem, g->store[i].entry.address, g->store[i].entry.size);
    for (unsigned i = 0; i < b->n; i++) {
        const struct wbuf_entry *w = &b->entry[(b->head + i) % WBUF_MAX];
        leaves &= alpha_mem_stores(g->e->mem, w->address, w->size);
    }
    return leaves;
}

/* ---- fetch ---- */

/* What is to be fetched next. */
enum glide_next {
    GLIDE_PLAIN,
    GLIDE_BRANCH,
    GLIDE_JUMP,
    GLIDE_FETCHED, /* nothing in this cycle */
    GLIDE_FAR      /* to be looked up */
};

static const uint8_t glide_next[ALPHA_N_GO] = {
#define ALPHA_OP(id, box, latency, size, flags, evidence, text)                                    \
    [ALPHA_OP_##id] = (flags)&AF_BRANCH ? GLIDE_BRANCH : (flags)&AF_JUMP ? GLIDE_JUMP : GLIDE_PLAIN,
#include "isa/alpha.def"
    [ALPHA_GO_DECODE] = GLIDE_FAR, [ALPHA_GO_END] = GLIDE_FAR};

/* Where IF is. */
struct glide_fetch {
    const struct alpha_insn *i; /* at pc; if next is not GLIDE_FAR */
    uint64_t pc;
    unsigned next;
};

/* Makes f->i the instruction at f->pc; false: not here. */
HOT_INLINE bool glide_find(struct glide *g, struct glide_fetch *f, uint64_t now)
{
    struct alpha_mem *m = g->e->mem;
    const struct alpha_tlb_code *c =
        &m->code[(f->pc >> ALPHA_PAGE_SHIFT) % (sizeof m->code / sizeof m->code[0])];
    bool here = (f->pc & ~(ALPHA_PAGE - 4)) == c->tag; /* else there may be no code */
    if (LIKELY(here))
        f->i = &c->code[(f->pc & (ALPHA_PAGE - 1)) / 4];
    if (!LIKELY(here && f->i->go != ALPHA_GO_DECODE)) {
        glide_stores(g, now);
        f->i = alpha_mem_fetch(m, f->pc);
        if (!f->i || !glide_leaves_code(g))
            return false;
    }
    f->next = glide_next[f->i->go];
    return true;
}

/* IF fetches into this slot. */
HOT_INLINE void glide_fetch(struct glide *g, struct glide_fetch *f, struct glide_slot *n)
{
    n->i = f->i;
    n->pc = f->pc;
    if (LIKELY(f->next == GLIDE_PLAIN)) {
        f->i++;
        f->pc += 4;
        f->next = glide_next[f->i->go];
        return;
    }
    f->pc = f->next == GLIDE_BRANCH ? predict_branch(&g->p->predict, f->pc, f->i->imm)
                                    : predict_jump(&g->p->predict, f->pc, f->i);
    f->next = GLIDE_FAR;
}

/* ---- start ---- */

/* An instruction in MEM or WB of which nothing is left but a register to write, and FPCR. */
static bool glide_plain(const struct pipe_slot *s)
{
    return s->valid && s->executed && !s->odd && !s->out.trap &&
           !(s->flags & (AF_BARRIER | AF_LOCKED | AF_FLAG | AF_PAL));
}

static void glide_publish(struct pipe *p, const struct pipe_slot *s)
{
    if (s->flags & AF_FPCR)
        p->cpu.fpcr = s->out.fpcr;
    p->cpu.reg[s->i.d] = s->out.value;
}

static bool glide_start(struct glide *g, struct pipe *p, const struct pipe_env *e, uint64_t now)
{
    struct pipe_slot *const *at = p->at;
    if (p->stall != PIPE_STAGES || !p->fresh || !glide_plain(at[PIPE_WB]) ||
        !glide_plain(at[PIPE_MEM]) || !at[PIPE_EX]->valid || at[PIPE_EX]->executed ||
        !at[PIPE_IS]->valid || !at[PIPE_DE]->valid)
        return false;
    g->p = p;
    g->e = e;
    g->now = now;
    g->fetched = false;
    g->x = &g->slot[2];
    g->passed = 0;
    g->gap = g->stores = g->waits = 0;
    g->wait[0].cycles = g->wait[1].cycles = 0;
    for (unsigned i = 0; i < 5; i++) {
        struct pipe_slot *s = at[PIPE_WB - i];
        g->slot[i] = (struct glide_slot){alpha_mem_insn(e->mem, s->pc), s->pc, now - 2 + i};
        if (!g->slot[i].i || g->slot[i].i->word != s->i.word)
            return false; /* overwritten since */
    }
    if (!glide_leaves_code(g))
        return false;
    if (!at[PIPE_MEM]->published)
        glide_publish(p, at[PIPE_MEM]);
    pipe_progress(p, now);
    return true;
}

/* ---- the loop ---- */

enum {
#define ALPHA_OP(id, box, latency, size, flags, evidence, text)                                    \
    GLIDE_FBOX_##id = ALPHA_BOX_##box == ALPHA_BOX_F, GLIDE_FLAGS_##id = (flags),
#include "isa/alpha.def"
    GLIDE_N
};

/* Will a barrier that is in EX now not wait in MEM? */
static bool glide_passes(struct glide *g, unsigned flags, uint64_t now)
{
    if (flags & (AF_TRAPB | AF_EXCB))
        return g->p->fbox <= now + 1;
    glide_stores(g, now);
    return !(flags & AF_PAL) && !g->stores && !g->p->wbuf.n && !g->e->acknowledged;
}

/* The operand that comes last. */
static unsigned glide_late(const struct pipe *p, const struct alpha_insn *i)
{
    unsigned late = i->a;
    late = p->ready[i->b] > p->ready[late] ? i->b : late;
    return p->ready[i->c] > p->ready[late] ? i->c : late;
}

/* The FBox has an operation since now; returns the cycle in which it leaves EX. */
HOT_INLINE uint64_t glide_occupy(struct glide *g, const struct pipe_cost *cost, uint64_t pc,
                                 uint64_t now)
{
    struct pipe *p = g->p;
    if (cost->busy > 1)
        glide_waits(g, now + 2, cost->busy - 1, wait_key(WAIT_FP_BUSY, OWNER_FBOX), pc);
    if (cost->fbox && p->fbox < now + cost->fbox)
        p->fbox = now + cost->fbox;
    return now + cost->busy - 1;
}

/* The branch before *x left EX in the cycle before now, and what was behind it is wrong: three cycles for others. Returns
   the cycle in which the first of them is in EX, or in which it goes no further here. */
static uint64_t glide_refill(struct glide *g, struct glide_fetch *f, uint64_t now, uint64_t limit)
{
    glide_waits(g, now + 2, 3, wait_key(WAIT_MISPREDICT, OWNER_NONE), g->x[-1].pc);
    for (g->gap = 3; g->gap; g->gap--, now++) {
        if (now >= limit || !glide_find(g, f, now))
            break;
        glide_fetch(g, f, g->x + (3 - g->gap));
    }
    return now;
}

/* The window is at the end: back to the start. */
static struct glide_slot *glide_rewind(struct glide *g, const struct glide_slot *x)
{
    for (unsigned i = 0; i < 5; i++)
        g->slot[i] = x[(int)i - 2];
    g->passed += GLIDE_SLOTS - 6;
    return &g->slot[2];
}

#define A       r[i->a]
#define C       r[i->c]
#define LITERAL ((uint64_t)(int64_t)i->imm)
#define ADDRESS (r[i->b] + LITERAL)
#define V       value
#define FPCR    p->cpu.fpcr
#define UNIQUE  p->cpu.unique
#define COUNTER now

#define OP(id)  case ALPHA_OP_##id:
#define LIT(id) case ALPHA_OP_##id | (int)ALPHA_GO_LITERAL:
#define AWAIT(n)                                                                                   \
    if (!LIKELY(p->ready[n] <= now))                                                               \
        goto wait;
#define LIGHT(id)                                                                                  \
    if ((GLIDE_FLAGS_##id & AF_PAL) != 0)                                                          \
        goto out;
#define PASS(id)                                                                                   \
    if (GLIDE_FLAGS_##id != 0 && !glide_passes(g, GLIDE_FLAGS_##id, now))                          \
        goto out;
#define ROOM(id)                                                                                   \
    if (GLIDE_FBOX_##id && now + p->cost[ALPHA_OP_##id].busy > limit)                              \
        goto out;
#define RESULT(id, x)                                                                              \
    r[i->d] = (x);                                                                                 \
    p->ready[i->d] = now + p->cost[ALPHA_OP_##id].ready;                                           \
    p->ready_key[i->d] = p->cost[ALPHA_OP_##id].key;
#define OCCUPY(id)                                                                                 \
    if (GLIDE_FBOX_##id)                                                                           \
        goto occupy;

static void glide_run(struct glide *g, uint64_t limit)
{
    struct pipe *p = g->p;
    uint64_t *r = p->cpu.reg, now = g->now, value, at;
    struct glide_slot *x = g->x;
    struct glide_fetch f = {NULL, p->fetch_pc, GLIDE_FAR};
    unsigned behind = GLIDE_PLAIN;
    WATCH(watch);
    while (now < limit) {
        PROGRESS(watch, now, 1);
        if (!LIKELY(x < &g->slot[GLIDE_SLOTS - 4]))
            x = glide_rewind(g, x);
        const struct alpha_insn *i = x->i;
        bool taken;
        if (f.next == GLIDE_FAR && !glide_find(g, &f, now))
            break;
    again:
        switch (i->go) {
#include "alpha/glide_loop.def"
        default: goto out;
        }
    done:
        if (LIKELY(f.next != GLIDE_FETCHED))
            glide_fetch(g, &f, x + 3);
        else
            f.next = behind;
        x->left = now++;
        x++;
        continue;
    occupy:
        now = glide_occupy(g, &p->cost[i->op], x->pc, now);
        goto done;
    wait : {
        unsigned late = glide_late(p, i);
        if (p->ready[late] >= limit)
            break;
        glide_fetch(g, &f, x + 3);
        behind = f.next;
        f.next = GLIDE_FETCHED;
        glide_waits(g, now + 2, p->ready[late] - now, p->ready_key[late], x->pc);
        now = p->ready[late];
        goto again;
    }
    fbranch:
        now = glide_occupy(g, &p->cost[i->op], x->pc, now);
    branch:
        at = taken ? x->pc + 4 + LITERAL : x->pc + 4;
        predict_train(&p->predict, x->pc, false, taken, at);
        goto went;
    jump:
        predict_train(&p->predict, x->pc, true, true, at);
    went:
        if (LIKELY(at == x[1].pc))
            goto done;
        p->mispredicts++;
        x->left = now++;
        g->x = ++x;
        struct glide_fetch other = {NULL, at, GLIDE_FAR};
        now = glide_refill(g, &other, now, limit);
        f = other;
        if (g->gap)
            break;
    }
out:
    g->now = now;
    g->x = x;
    g->fetched = f.next == GLIDE_FETCHED;
    p->fetch_pc = f.pc;
}

#undef A
#undef C
#undef LITERAL
#undef ADDRESS
#undef V
#undef FPCR
#undef UNIQUE
#undef COUNTER

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

/* The bubble that is in WB in that cycle. */
static void glide_put_bubble(struct glide *g, struct pipe_slot *s, uint64_t at)
{
    const struct glide_wait *w = &g->wait[g->waits % 2];
    if (w->from + w->cycles <= at || !w->cycles)
        w = &g->wait[(g->waits + 1) % 2];
    s->valid = 0;
    s->key = w->key;
    s->culprit = w->pc;
}

/* MEM or WB: who left EX in that cycle, or a bubble. True: somebody. */
static bool glide_put_past(struct glide *g, struct pipe_slot *s, uint64_t left)
{
    for (int i = 1; i <= 2; i++) {
        const struct glide_slot *b = g->x - i;
        if (b->left != left)
            continue;
        glide_put(g->p, s, b->i, b->pc);
        s->executed = s->published = 1;
        s->odd = 0;
        s->free = left;
        s->out.taken = 0;
        for (unsigned j = 0; j < g->stores; j++)
            if (g->store[j].left == left) {
                s->odd = 1;
                s->out.address = g->store[j].entry.address;
                s->out.value = g->store[j].entry.data;
            }
        return true;
    }
    glide_put_bubble(g, s, left + 2);
    return false;
}

static void glide_settle_account(struct glide *g)
{
    struct pipe *p = g->p;
    for (unsigned i = 0; i < 2; i++) {
        const struct glide_wait *w = &g->wait[(g->waits + i) % 2];
        if (!w->cycles)
            continue;
        if (g->now >= w->from + w->cycles) {
            glide_book(p, w);
        } else if (g->now > w->from) {
            wait_ledger_note(&p->ledger, w->from, w->key);
            p->lost = (struct pipe_lost){w->pc, w->from, w->key};
        }
    }
}

static void glide_end(struct glide *g)
{
    struct pipe *p = g->p;
    unsigned within = 0, last = g->fetched ? 3 : 2;
    glide_stores(g, g->now - 1);
    for (unsigned i = 0; i < PIPE_STAGES; i++)
        p->at[i] = &p->slot[i];
    within += glide_put_past(g, p->at[PIPE_MEM], g->now - 1);
    within += glide_put_past(g, p->at[PIPE_WB], g->now - 2);
    p->retired += g->passed + (uint64_t)(g->x - g->slot) - within;
    p->stall = PIPE_STAGES;
    for (unsigned i = 0; i <= last; i++) {
        const struct glide_slot *n = g->x + i - g->gap;
        struct pipe_slot *s = p->at[PIPE_EX - i];
        if (i < g->gap) {
            glide_put_bubble(g, s, UINT64_MAX);
            continue;
        }
        glide_put(p, s, n->i, n->pc);
        s->predicted = i < last ? n[1].pc : p->fetch_pc;
    }
    p->fresh = !g->fetched;
    glide_settle_account(g);
}

uint64_t pipe_glide(struct pipe *p, const struct pipe_env *e, uint64_t now, uint64_t limit)
{
    struct glide g;
    if (!glide_start(&g, p, e, now))
        return now;
    glide_run(&g, limit);
    glide_end(&g);
    return g.now;
}
