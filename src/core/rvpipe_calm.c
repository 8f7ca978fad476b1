/*
 * rvpipe_calm.c - the core with time when nothing is under way: an instruction a cycle.
 *
 * As long as every result is known in the cycle after its instruction and the retire-order queue is at most two behind,
 * the time stamps of rvpipe.c say nothing: each instruction enters EX1 in the cycle after the last one. So none are
 * read or written here; what they would be is put back when this is over. A result that takes a cycle more (a
 * multiplication, the core's own data RAM) matters to the next instruction only.
 *
 * Invariants: rvpipe_is_calm() on entry; on return the state is that of rvpipe.c with the next instruction at c->pc, of
 * which nothing has happened yet.
 *
 * **Inaccuracies**: none beyond rvpipe.c. With a trace every instruction goes through rvpipe.c, so that both can be
 * compared.
 */
#include "base/bits.h"
#include "base/watch.h"
#include "core/rvcore_math.h"
#include "core/rvpipe_in.h"

#define CFG0_NO_PREDICTION (UINT32_C(1) << 1)
#define CFG0_NO_PREFETCH   (UINT32_C(1) << 2)

/* The state of the loop, where it is not in its variables. */
struct calm {
    uint64_t cycle;       /* the next instruction enters in this cycle, or `gap` cycles later */
    uint64_t begun, lost; /* cycles since begun in which nothing entered */
    unsigned lag;         /* the last instruction retires so many cycles after it entered */
    unsigned late;        /* register that is known a cycle later than usual */
    uint16_t late_key;    /* what waits for it waits for this */
    unsigned gap;
    uint16_t key; /* what the gap is for */
};

/* An instruction that has waited and is now carried out. Should it be none for this file, it has not waited yet: what
   it waits for in the end may be something else. */
struct calm_owed {
    unsigned cycles; /* 0: there is none */
    uint16_t key;
    uint32_t pc;
    struct calm was; /* before it waited */
};

/* Time stamps as they would be. */
static void calm_back(struct rvpipe *p, struct rvcore *c, struct calm *k)
{
    uint64_t n = k->cycle - k->begun - k->lost;
    c->steps += n;
    p->n += (uint32_t)n;
    p->at = k->cycle - 1;
    p->next = k->cycle + k->gap;
    p->next_why = k->key;
    p->last = p->at + k->lag;
    for (uint32_t i = 0; i < T_RISC_RETIRE_DEPTH; i++)
        p->ring[(p->n - 1 - i) % T_RISC_RETIRE_DEPTH] =
            p->last > i ? p->last - i : 0; /* what would lie before the first cycle is past */
    k->begun = k->cycle;
    k->lost = 0;
    if (k->late != RV_USE_SINK) {
        p->avail[k->late] = k->cycle + 1;
        p->retired[k->late] = k->cycle + 1;
        p->why[k->late] = k->late_key;
        p->busy = k->cycle + 1;
    }
}

/* It has been carried out: its wait is booked. */
static COLD void calm_pay(const struct rvpipe_io *io, struct calm_owed *o)
{
    uint64_t from = o->was.cycle;
    wait_ledger_note(io->ledger, from, o->key);
    wait_ledger_note(io->ledger, from + o->cycles, wait_key(WAIT_PROGRESS, OWNER_NONE));
    if (io->blame)
        blame_add(io->blame, io->agent, o->pc, o->key, o->cycles);
    o->cycles = 0;
}

static COLD void calm_wait(struct calm *k, unsigned cycles, uint16_t key)
{
    k->gap += cycles;
    k->key = key;
}

/* The next instruction comes from another line of code that may have to be waited for. */
static COLD void calm_fetch(struct rvpipe *p, const struct rvcore *c, struct calm *k, uint32_t line)
{
    uint64_t want = k->cycle + k->gap;
    uint64_t cycle = rvfetch_enter(&p->fetch, line, want, !(c->cfg0 & CFG0_NO_PREFETCH));
    if (cycle > want)
        calm_wait(k, (unsigned)(cycle - want), wait_key(WAIT_FETCH, OWNER_L1));
}

/* What the instruction at pc waits for before it enters; false: that is beyond the cap. */
static bool calm_enters(const struct rvpipe_io *io, struct calm *k, struct calm_owed *o,
                        const struct rvuse *u, uint32_t pc, uint64_t cap)
{
    if (o->cycles && k->cycle == o->was.cycle + o->cycles)
        return true; /* it was only decoded */
    if (o->cycles)
        calm_pay(io, o);
    o->was = *k;
    if (k->late != RV_USE_SINK && k->gap <= 1 && /* of two that last as long the operand names it */
        (u->s1 == k->late || u->s2 == k->late || u->s3 == k->late)) {
        k->gap = 1;
        k->key = k->late_key;
    }
    if (k->cycle + k->gap >= cap) {
        *k = o->was;
        return false;
    }
    k->late = RV_USE_SINK;
    if (!k->gap)
        return true;
    o->cycles = k->gap;
    o->key = k->key;
    o->pc = pc;
    k->cycle += k->gap;
    k->lost += k->gap;
    k->lag = k->lag > k->gap ? k->lag - k->gap : 1;
    k->gap = 0;
    return true;
}

/* A backward jump; true if the core is parked. */
static COLD bool calm_loop(struct rvpipe *p, struct rvpipe_io *io, struct calm *k,
                           struct calm_owed *o, uint32_t pc, uint32_t target)
{
    if (o->cycles)
        calm_pay(io, o);
    calm_back(p, io->c, k);
    io->c->pc = target;
    return rvpipe_poll_loop(p, io, pc, target);
}

#define PC   pc
#define RD   c->x[e->rd]
#define R1   c->x[e->rs1]
#define R2   c->x[e->rs2]
#define IMM  ((uint32_t)e->imm)
#define STAY goto out;
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
#define OWN_RAM(address, size)                                                                     \
    (at = (address)-RV_LOCAL_BASE) < m->local_size && !(at & ((size)-1)) &&                        \
        cycle >= p->lsu.ram_ready
#define LOAD(address, size)                                                                        \
    if (!(OWN_RAM(address, size)) ||                                                               \
        (p->lsu.local_at + 1 == cycle && p->lsu.local_addr == (at & ~3u)))                         \
        goto out;                                                                                  \
    value = rvcore_get(m->local + at, size);
#define STORE(address, size, data)                                                                 \
    if (!(OWN_RAM(address, size)))                                                                 \
        goto out;                                                                                  \
    rvcore_put(m->local + at, size, data);                                                         \
    p->lsu.local_addr = at & ~3u;                                                                  \
    p->lsu.local_at = cycle;                                                                       \
    p->loop.clean = false;
#define PUSH(n)                                                                                    \
    (void)n;                                                                                       \
    goto out;
#define DO_AMO   goto out;
#define DO_CSR   goto out;
#define DO_VEC   goto out;
#define DO_FENCE goto out;
#define SKIP(n)
#define ILLEGAL      goto out;
#define OP(id)       case RV_OP_##id:
#define OWN(id)      case OWN_##id:
#define CLASS_OP(id) L_##id:
#define AGAIN        goto again;
#define BRANCH(id, condition)                                                                      \
    OP(id)                                                                                         \
    OWN(id##_FAR)                                                                                  \
    {                                                                                              \
        taken = (condition);                                                                       \
        goto branch;                                                                               \
    }

/* The result of the instruction at pc takes more than a cycle: true if the next one may have to wait for it. */
HOT_INLINE bool calm_late(struct calm *k, const struct rvinsn *e, const struct rvuse *u,
                          uint32_t pc)
{
    unsigned d = u->d;
    k->lag = 2;
    if (d == RV_USE_SINK ||
        (e[1].op < OWN_DECODE && u[1].s1 != d && u[1].s2 != d && u[1].s3 != d && (pc + 4) & 15))
        return false;
    k->late = d;
    k->late_key = u->class == RV_CLASS_LOAD ? wait_key(WAIT_LOAD, OWNER_DATA_RAM)
                                            : wait_key(WAIT_OPERAND, OWNER_PIPELINE);
    return true;
}

/* Was a jump of this kind foreseen? */
HOT_INLINE bool calm_jumps(struct rvpipe *p, const struct rvinsn *e, uint32_t pc, uint32_t target)
{
    if (e->op == RV_OP_JALR || e->op == RV_OP_MRET)
        return rvfetch_jump(&p->fetch, pc, target);
    return rvfetch_steady(&p->fetch, pc, true) || rvfetch_branch(&p->fetch, pc, true, true);
}

void rvpipe_calm(struct rvpipe *p, struct rvpipe_io *io)
{
    struct rvcore *c = io->c;
    const struct rvmem *m = io->m;
    struct rvinsn *e;
    const struct rvuse *u;
    struct calm k = {.begun = p->next, .lag = (unsigned)(p->last - p->at), .late = RV_USE_SINK};
    struct calm_owed owed = {0};
    uint64_t cycle = p->next, cap = p->base + io->ahead, from;
    uint64_t look; /* cap, or 0 if there is a gap or a late result to see to */
    uint32_t pc, target = c->pc, value, at;
    bool taken;
    WATCH(watch);
    if (*io->limit < cap)
        cap = *io->limit;
    look = cap;
far:
    pc = target;
    if (pc & 3 || pc >= m->l1_size)
        goto out;
    e = rvcode_page(m->code, pc) + pc / 4 % RV_PAGE_INSNS;
    u = &m->code->use[(pc >> RV_PAGE_SHIFT) % RV_CODE_PAGES][pc / 4 % RV_PAGE_INSNS];
line:
    if (pc / 16 != p->fetch.line && !rvfetch_stays(&p->fetch, pc / 16, cycle)) {
        k.cycle = cycle;
        calm_fetch(p, c, &k, pc / 16);
        look = k.gap ? 0 : look;
    }
again:
    PROGRESS(watch, cycle, 3); /* once more for a word that is decoded */
    if (cycle >= look) {
        if (e->op == OWN_DECODE)
            rvcode_decode(m, e, pc);
        k.cycle = cycle;
        if (!calm_enters(io, &k, &owed, u, pc, cap))
            goto out;
        cycle = k.cycle;
        look = owed.cycles ? 0 : cap;
    }
    if (!u->lat) {
        if (e->op != OWN_DECODE)
            goto out;
        rvcode_decode(m, e, pc);
        goto again;
    }
    switch (e->op) {
    default:
        if (u->class == RV_CLASS_AMO)
            goto L_AMO;
        if (u->class == RV_CLASS_CSR)
            goto L_CSR;
        if (u->class != RV_CLASS_FMA && u->class != RV_CLASS_FCVT && u->class != RV_CLASS_FMISC)
            goto L_VEC;
        p->loop.clean = false;
        goto L_FP;
#include "core/rvcore_exec.def"
    }
next:
    cycle++;
    if (u->lat != 1 && calm_late(&k, e, u, pc))
        look = 0;
    e++;
    u++;
    pc += 4;
    if (pc & 15)
        goto again;
    target = pc;
    if (pc & (RV_PAGE_BYTES - 1))
        goto line;
    goto far;
branch:
    if (!rvfetch_steady(&p->fetch, pc, taken) &&
        !rvfetch_branch(&p->fetch, pc, taken, !(c->cfg0 & CFG0_NO_PREDICTION))) {
        calm_wait(&k, p->numbers.mispredict, wait_key(WAIT_MISPREDICT, OWNER_PIPELINE));
        look = 0;
    }
    if (!taken)
        goto next;
    target = e->op > OWN_NEXT_PAGE ? IMM : pc + (uint32_t)(e->imm / (int32_t)sizeof *e) * 4;
    taken = target <= pc;
    goto jumped;
jump:
    if (!calm_jumps(p, e, pc, target)) {
        calm_wait(&k, p->numbers.mispredict, wait_key(WAIT_MISPREDICT, OWNER_PIPELINE));
        look = 0;
    }
    taken = target <= pc && e->rd == 32 && e->op != RV_OP_JALR && e->op != RV_OP_MRET;
jumped:
    cycle++;
    if (taken) {
        if (p->loop.pc == target && p->loop.rest > 1) {
            p->loop.rest--;
        } else {
            k.cycle = cycle;
            if (calm_loop(p, io, &k, &owed, pc, target))
                return;
        }
    }
    if ((target ^ pc) >> RV_PAGE_SHIFT || target & 3)
        goto far;
    e += (int32_t)(target - pc) / 4;
    u += (int32_t)(target - pc) / 4;
    pc = target;
    goto line;
out:
    (void)from;
    k.cycle = cycle;
    if (owed.cycles && cycle > owed.was.cycle + owed.cycles)
        calm_pay(io, &owed);
    else if (owed.cycles)
        k = owed.was;
    calm_back(p, c, &k);
    c->pc = pc;
}
