/*
 * rvproof.c - see rvproof.h.
 *
 * The state that must come again is all of struct rvcore and the data RAM, with two exceptions.
 *
 * Registers that only count. `taint` says of each register from which registers of the remembered state its value was
 * made; `used` collects those that have reached a branch, an address, the data of a store, a CSR, or anything but a
 * register. From a state with the same used registers the same instructions follow with the same addresses and the same
 * data; if all that the used ones are made from is the same too, so are they after the next round, and the next. Others may
 * differ.
 *
 * The L0 data cache. When no line in it differs from L1 as the state is remembered, none ever will, for L1 stands still:
 * whether a load hits does not matter then, nor how far it is to the next flush. Otherwise lines must be the same, and
 * the count of hits unless cfg0 keeps it from flushing, and there may be no store to L1, which empties lines at times of
 * its own.
 *
 * A state is remembered at a backward jump, and again after twice as many steps each time, so that a loop of any length
 * is found in a few times its steps (Brent).
 *
 * Invariants: the core, L1, and what the bus leads to are not changed. `used` grows only.
 *
 * **Inaccuracies**: loops with vector accesses, mret, or instructions that are reported stay open.
 */
#include "core/rvproof.h"

#include <string.h>

#include "base/bits.h"
#include "core/rvcore_in.h"
#include "core/rvcore_math.h"

#define FIRST_SPAN 32u

struct proof {
    struct rvcore c;
    struct rvmem m; /* L1 and a copy of the data RAM, and nothing else */
    const struct rvmem *world;
    struct rvproof *out;
    bool refused;
    uint64_t steps;
    /* the state that was remembered, and what was done since */
    bool has;
    bool coherent;   /* the L0 data cache agreed with L1 */
    bool stores;     /* to L1 */
    bool writes_ram; /* changed it */
    bool home;       /* was where it stood when it was asked */
    uint32_t at;     /* pc */
    uint64_t since, span;
    uint32_t used, taint[RV_USE_COUNT];
    struct rvcore was;
    uint8_t stored[8192 / 4 / 8]; /* words of the data RAM, a bit each */
    uint8_t local[8192], was_local[8192];
};

static bool proof_ends(struct proof *p, enum rvproof_end end)
{
    p->out->end = (uint8_t)end;
    return false;
}

/* ---- what comes again ---- */

static bool proof_coherent(const struct proof *p)
{
    for (unsigned i = 0; i < RV_L0_LINES; i++)
        if (p->c.l0_tag[i] != RV_L0_EMPTY &&
            memcmp(p->c.l0_data[i], p->m.l1 + p->c.l0_tag[i] * RV_L0_LINE, RV_L0_LINE) != 0)
            return false;
    return true;
}

static void proof_remember(struct proof *p, uint32_t pc)
{
    p->has = true;
    p->at = pc;
    p->since = p->steps;
    p->coherent = proof_coherent(p);
    p->stores = p->writes_ram = p->home = false;
    p->used = 0;
    memset(p->taint, 0, sizeof p->taint);
    for (unsigned i = 1; i < 32; i++)
        p->taint[i] = UINT32_C(1) << i;
    memset(p->stored, 0, sizeof p->stored);
    memcpy(&p->was, &p->c, sizeof p->was);
    memcpy(p->was_local, p->local, p->m.local_size);
    p->out->n_reads = 0;
    p->out->more = false;
    p->out->low = UINT32_MAX;
    p->out->high = 0;
}

/* The used registers, and all that they are made from, are the same. */
static bool proof_registers_again(const struct proof *p)
{
    uint32_t need = p->used, known = 0;
    while (need != known) {
        uint32_t new = need & ~known;
        unsigned i = bits_lowest(new);
        if (p->c.x[i] != p->was.x[i])
            return false;
        known |= UINT32_C(1) << i;
        need |= p->taint[i];
    }
    return true;
}

static bool proof_cache_again(const struct proof *p)
{
    const struct rvcore *a = &p->c, *b = &p->was;
    if (p->coherent)
        return true;
    return !p->stores && !memcmp(a->l0_tag, b->l0_tag, sizeof a->l0_tag) &&
           !memcmp(a->l0_data, b->l0_data, sizeof a->l0_data) &&
           (a->cfg0 & RV_CFG0_NO_L0_FLUSH || a->l0_requests == b->l0_requests);
}

/* What is compared in another way, or is a count of what was done. */
static void proof_forget(struct rvcore *c)
{
    memset(c->x, 0, sizeof c->x);
    memset(c->l0_tag, 0, sizeof c->l0_tag);
    memset(c->l0_data, 0, sizeof c->l0_data);
    memset(&c->poll, 0, sizeof c->poll);
    c->l0_requests = 0;
    c->pc = 0;
    c->steps = c->stalled = c->fused = 0;
}

static bool proof_again(const struct proof *p)
{
    struct rvcore a, b;
    if (!proof_registers_again(p) || !proof_cache_again(p))
        return false;
    if (p->writes_ram && memcmp(p->local, p->was_local, p->m.local_size) != 0)
        return false;
    memcpy(&a, &p->c, sizeof a);
    memcpy(&b, &p->was, sizeof b);
    proof_forget(&a);
    proof_forget(&b);
    return !memcmp(&a, &b, sizeof a);
}

/* A backward jump to pc; false: it is known how this goes on. */
static bool proof_look(struct proof *p, uint32_t pc)
{
    if (p->has && p->at == pc && proof_again(p)) {
        p->out->steps = (uint32_t)(p->steps - p->since);
        return proof_ends(p, p->home ? RVPROOF_LOOPS : RVPROOF_OPEN);
    }
    if (!p->has || p->steps - p->since >= p->span) {
        if (p->has)
            p->span *= 2;
        proof_remember(p, pc);
    }
    return true;
}

/* What an instruction makes of the registers that it reads; before it is executed. */
static void proof_flow(struct proof *p, const struct rvinsn *e, const struct rvuse *u)
{
    uint32_t from = p->taint[u->s1] | p->taint[u->s2] | p->taint[u->s3];
    switch (u->class) {
    case RV_CLASS_ALU:
    case RV_CLASS_MUL:
    case RV_CLASS_DIV: p->taint[u->d] = from; return;
    case RV_CLASS_BRANCH: p->used |= from; return;
    default: break;
    }
    /* loads, stores, jumps, CSRs, floating point, vectors: whatever its fields name */
    p->used |= from | p->taint[e->rs1 & 31] | p->taint[e->rs2 & 31];
    p->taint[u->d] = 0;
}

/* ---- the way out of the core ---- */

static void proof_note(struct proof *p, struct rvproof_read read)
{
    struct rvproof *o = p->out;
    for (unsigned i = 0; i < o->n_reads; i++)
        if (o->read[i].addr == read.addr && o->read[i].csr == read.csr)
            return;
    if (o->n_reads == RVPROOF_READS)
        o->more = true;
    else
        o->read[o->n_reads++] = read;
}

/* The address that is used; one that is not aligned is reported the first time. */
static bool proof_align(struct proof *p, unsigned size, uint32_t *addr)
{
    if (*addr & (size - 1) && !p->c.told_misaligned)
        return proof_ends(p, RVPROOF_ACTS);
    *addr &= ~(uint32_t)(size - 1);
    return true;
}

static bool proof_load_device(struct proof *p, uint32_t pc, uint32_t addr, unsigned size,
                              uint32_t *value)
{
    const struct rvmem *w = p->world;
    enum rv_source source = w->bus->source(w->ctx, p->c.which, addr, size);
    if (source >= RV_SOURCE_FREE)
        return proof_ends(p, source == RV_SOURCE_FREE ? RVPROOF_OPEN : RVPROOF_ACTS);
    *value = 0;
    if (w->bus->load(w->ctx, p->c.which, addr, size, value) != RV_OK)
        return proof_ends(p, RVPROOF_OPEN); /* it will wait there */
    *value &= bits_mask(8 * size);
    if (source == RV_SOURCE_RAM)
        p->out->rams = (uint8_t)(p->out->rams | 1u << w->bus->ram(w->ctx, p->c.which, addr));
    proof_note(p, (struct rvproof_read){addr, pc, *value, (uint8_t)size, (uint8_t)source, false});
    return true;
}

static bool proof_load(struct proof *p, uint32_t pc, uint32_t addr, unsigned size, uint32_t *value)
{
    uint32_t at;
    if (!proof_align(p, size, &addr))
        return false;
    at = addr - RV_LOCAL_BASE;
    if (at < p->m.local_size) {
        *value = rvcore_get(p->local + at, size);
        if (!(p->stored[at / 32] >> at / 4 % 8 & 1))
            proof_note(
                p, (struct rvproof_read){addr, pc, *value, (uint8_t)size, RV_SOURCE_RAM, false});
        return true;
    }
    if (addr >= p->m.l1_size)
        return proof_load_device(p, pc, addr, size, value);
    *value = rvcore_mem_l0_hits(&p->c, addr) ? rvcore_mem_l0_load(&p->c, addr, size)
                                             : rvcore_mem_l0_fill(&p->c, &p->m, addr, size);
    proof_note(p, (struct rvproof_read){addr, pc, *value, (uint8_t)size, RV_SOURCE_EVENT, false});
    return true;
}

/* Behind a store that is never taken a further one stays in the queue, or finds no room: nobody sees it either way. */
static bool proof_store(struct proof *p, uint32_t addr, unsigned size, uint32_t value)
{
    uint32_t at;
    if (!proof_align(p, size, &addr))
        return false;
    value &= bits_mask(8 * size);
    at = addr - RV_LOCAL_BASE;
    if (at < p->m.local_size) {
        p->stored[at / 32] = (uint8_t)(p->stored[at / 32] | (size == 4) << at / 4 % 8);
        if (rvcore_get(p->local + at, size) != value)
            p->writes_ram = p->out->writes_ram = true;
        rvcore_put(p->local + at, size, value);
        return true;
    }
    if (p->refused)
        return true;
    if (addr >= p->m.l1_size || rvcore_get(p->m.l1 + addr, size) != value)
        return proof_ends(p, RVPROOF_ACTS);
    p->stores = true;
    rvcore_mem_l0_forget(&p->c, addr);
    return true;
}

static bool proof_amo(struct proof *p, uint32_t pc, const struct rvinsn *e)
{
    uint32_t addr = p->c.x[e->rs1], old;
    if (p->refused)
        return proof_ends(p, RVPROOF_STUCK);
    if (!proof_align(p, 4, &addr))
        return false;
    if (addr >= p->m.l1_size)
        return proof_ends(p, RVPROOF_ACTS);
    old = rvcore_get32(p->m.l1 + addr);
    if (rvcore_mem_amo_result(e->op, old, p->c.x[e->rs2]) != old)
        return proof_ends(p, RVPROOF_ACTS);
    rvcore_l0_flush(&p->c); /* a cache that differed from L1 before will not be the same again */
    p->c.x[e->rd] = old;
    proof_note(p, (struct rvproof_read){addr, pc, old, 4, RV_SOURCE_EVENT, false});
    return true;
}

static bool proof_csr(struct proof *p, uint32_t pc, const struct rvinsn *e)
{
    struct rvmem m = p->m;
    enum rv_source source = rvcore_csr_source(&p->c, e->csr);
    if (source >= RV_SOURCE_FREE)
        return proof_ends(p, source == RV_SOURCE_FREE ? RVPROOF_OPEN : RVPROOF_ACTS);
    if (p->c.in_handler) /* a write there is reported */
        return proof_ends(p, RVPROOF_OPEN);
    m.bus = p->world->bus;
    m.ctx = p->world->ctx;
    if (!rvcore_csr(&p->c, &m, pc, e))
        return proof_ends(p, RVPROOF_OPEN);
    if (source == RV_SOURCE_EVENT)
        proof_note(p,
                   (struct rvproof_read){
                       e->csr, pc, p->c.status[e->csr - 0xbc0], 4, RV_SOURCE_EVENT, true});
    return true;
}

static bool proof_vec(struct proof *p, uint32_t pc, const struct rvinsn *e, unsigned class)
{
    if (class == RV_CLASS_VLOAD || class == RV_CLASS_VSTORE || p->c.which != RV_T2 ||
        !rvcore_vec(&p->c, &p->m, pc, e))
        return proof_ends(p, RVPROOF_OPEN);
    return true;
}

static bool proof_fence(struct proof *p)
{
    if (p->refused)
        return proof_ends(p, RVPROOF_STUCK);
    rvcore_l0_flush(&p->c);
    return true;
}

/* ---- the loop ---- */

#define PC  pc
#define RD  c->x[e->rd]
#define R1  c->x[e->rs1]
#define R2  c->x[e->rs2]
#define IMM ((uint32_t)e->imm)
#define STAY                                                                                       \
    {                                                                                              \
        proof_ends(p, RVPROOF_ACTS);                                                               \
        return;                                                                                    \
    }
#define NEXT goto next;
#define TAKE                                                                                       \
    {                                                                                              \
        target = pc + (uint32_t)(e->imm / (int32_t)sizeof *e) * 4;                                 \
        goto jump;                                                                                 \
    }
#define FAR(pc_)                                                                                   \
    {                                                                                              \
        target = (pc_);                                                                            \
        goto jump;                                                                                 \
    }
#define GO_OUT(call)                                                                               \
    if (!(call))                                                                                   \
        return;
#define LOAD(address, size)        GO_OUT(proof_load(p, pc, address, size, &value))
#define STORE(address, size, data) GO_OUT(proof_store(p, address, size, data))
/* behind a store that is never taken it stays in the queue like any other */
#define PUSH(n)                                                                                    \
    if (!p->refused || c->which == RV_NC)                                                          \
        STAY pc += 4 * ((n)-1);
#define DO_AMO   GO_OUT(proof_amo(p, pc, e))
#define DO_CSR   GO_OUT(proof_csr(p, pc, e))
#define DO_VEC   GO_OUT(proof_vec(p, pc, e, u->class))
#define DO_FENCE GO_OUT(proof_fence(p))
#define SKIP(n)
#define ILLEGAL      STAY
#define OP(id)       case RV_OP_##id:
#define OWN(id)      case OWN_##id:
#define CLASS_OP(id) L_##id:
#define AGAIN        goto far;
#define BRANCH(id, condition)                                                                      \
    OP(id)                                                                                         \
    OWN(id##_FAR)                                                                                  \
    {                                                                                              \
        if (!(condition))                                                                          \
            goto next;                                                                             \
        target = e->op > OWN_NEXT_PAGE ? IMM : pc + (uint32_t)(e->imm / (int32_t)sizeof *e) * 4;   \
        goto jump;                                                                                 \
    }

static void proof_execute(struct proof *p, uint64_t steps)
{
    struct rvcore *c = &p->c;
    const struct rvmem *m = &p->m;
    struct rvinsn *e;
    const struct rvuse *u;
    uint32_t pc = c->pc, target, value;
    uint64_t from;
far:
    if (pc & 3 || pc >= m->l1_size)
        STAY if (p->steps++ == steps)
        {
            proof_ends(p, RVPROOF_OPEN);
            return;
        }
    e = rvcode_page(m->code, pc) + pc / 4 % RV_PAGE_INSNS;
    u = &m->code->use[(pc >> RV_PAGE_SHIFT) % RV_CODE_PAGES][pc / 4 % RV_PAGE_INSNS];
    if (e->op == OWN_DECODE)
        rvcode_decode(m, e, pc);
    if (e->op == RV_OP_MRET) {
        proof_ends(p, RVPROOF_OPEN);
        return;
    }
    p->out->low = pc < p->out->low ? pc : p->out->low;
    p->out->high = pc > p->out->high ? pc : p->out->high;
    p->home |= pc == p->out->pc;
    proof_flow(p, e, u);
    switch (e->op) {
    default:
        switch (u->class) {
        case RV_CLASS_AMO: goto L_AMO;
        case RV_CLASS_CSR: goto L_CSR;
        case RV_CLASS_FMA:
        case RV_CLASS_FCVT:
        case RV_CLASS_FMISC: goto L_FP;
        default: goto L_VEC;
        }
#include "core/rvcore_exec.def"
    }
next:
    pc += 4;
    goto far;
jump:
    (void)from;
    if (target <= pc && !proof_look(p, target))
        return;
    pc = target;
    goto far;
}

void rvproof_run(const struct rvcore *c, const struct rvmem *m, bool refused, uint64_t steps,
                 struct rvproof *out)
{
    struct proof p;
    memcpy(&p.c, c, sizeof p.c);
    memcpy(p.local, m->local, m->local_size);
    p.m = *m;
    p.m.local = p.local;
    p.m.bus = NULL;
    p.m.ctx = NULL;
    p.world = m;
    p.out = out;
    p.refused = refused;
    p.steps = 0;
    p.has = false;
    p.span = FIRST_SPAN;
    memset(out, 0, sizeof *out);
    out->pc = c->pc;
    memset(p.taint, 0, sizeof p.taint);
    p.used = 0;
    memset(p.stored, 0, sizeof p.stored);
    p.coherent = p.stores = p.writes_ram = p.home = false;
    proof_execute(&p, steps);
}
