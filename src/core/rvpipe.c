/*
 * rvpipe.c - see rvpipe.h: the loop that executes instructions with their time.
 *
 * An instruction enters EX1 in the first cycle in which the front end has it, EX1 is free, its operands are known,
 * the retire-order queue has room, and (rvpipe_mem.c) the Load/Store Unit takes it. Whichever of these came last
 * names the wait. Then it is executed, and its result gets its time stamp.
 *
 * Forwarding: a value can be had from the retire-order queue unless an older instruction that writes the same
 * register is there too; the instruction right behind its producer always gets it (MemoryOrdering, "Mailbox read
 * from the future").
 *
 * Invariants: between calls c->pc is the next instruction, which has done nothing yet; all time stamps of the past
 * are equivalent; p->when is not before the cycle of the last access to the outside.
 *
 * **Inaccuracies**: latencies of FP conversions and moves are guessed. Vector instructions: EX1, EX2 and EX3 are one
 * latency, a group of registers takes no more entries of the queue than one. What a core does in its own data RAM is
 * seen through the slow window up to RVPIPE_AHEAD cycles too early.
 */
#include "core/rvpipe.h"

#include <string.h>

#include "base/bits.h"
#include "base/watch.h"
#include "core/rvcore_math.h"
#include "core/rvpipe_in.h"

#define CFG0_NO_PREDICTION (UINT32_C(1) << 1)
#define CFG0_NO_PREFETCH   (UINT32_C(1) << 2)
#define CFG0_NO_CSR_SYNC   (UINT32_C(1) << 10)
#define GO                 ledger_key(WAIT_PROGRESS, OWNER_NONE)
#define OPERAND            ledger_key(WAIT_OPERAND, OWNER_PIPELINE)

/* What is known of the next cycle in rvpipe_calm.c: results take one cycle, or two. */
static bool pipe_has_calm(const struct timing *t)
{
    return t->n.RISC_MUL == 2 && t->n.LOAD_LOCAL == 2;
}

void rvpipe_reset(struct rvpipe *p, const struct timing *t, uint64_t now, unsigned ram)
{
    memset(p, 0, sizeof *p);
    p->numbers = (struct rvpipe_numbers){.mispredict = t->n.RISC_MISPREDICT,
                                         .serial = t->n.RISC_SERIAL,
                                         .load_local = t->n.LOAD_LOCAL,
                                         .load_l1 = t->n.LOAD_L1,
                                         .div_trivial = t->n.RISC_DIV_TRIVIAL,
                                         .div_min = t->n.RISC_DIV_MIN,
                                         .div_max = t->n.RISC_DIV_MAX,
                                         .div_bits = t->n.RISC_DIV_BITS,
                                         .calm = pipe_has_calm(t)};
    p->lsu.depth = (uint8_t)t->n.RISC_STORE_QUEUE;
    p->lsu.loads = (uint8_t)t->n.RISC_LOADS;
    p->reset_at = now;
    p->at = now;
    p->next = now + t->n.RISC_START;
    p->next_why = ledger_key(WAIT_FETCH, OWNER_L1);
    p->base = now;
    p->last = now;
    p->bypass = RV_USE_NONE;
    p->slow = true;
    p->loop.pc = UINT32_MAX;
    p->loop.undecided = false;
    p->lsu.ram_ready = now + ram;
    p->lsu.pending.retry = RV_NEVER;
    p->when = rv_moment(p->next, RV_PHASE_LOAD);
    rvfetch_reset(&p->fetch, t);
}

void rvpipe_hold(struct rvpipe *p)
{
    p->when = RV_NEVER;
    p->poll.parked = p->poll.on = p->loop.undecided = false;
    p->lsu.pending.on = false;
    rvlsu_drop(&p->lsu);
}

/* ---- when ---- */

static uint64_t pipe_cap(const struct rvpipe *p, const struct rvpipe_io *io)
{
    uint64_t cap = p->base + io->ahead;
    return cap < *io->limit ? cap : *io->limit;
}

bool pipe_reach(struct rvpipe *p, const struct rvpipe_io *io, struct pipe_insn *i)
{
    if (i->t < pipe_cap(p, io))
        return true;
    i->wants = rv_moment(i->t, RV_PHASE_LOAD);
    if (pipe_next_drain(p, io) < i->wants)
        return false; /* that first */
    return pipe_share(p, io, i, RV_PHASE_LOAD);
}

bool pipe_share(struct rvpipe *p, const struct rvpipe_io *io, struct pipe_insn *i,
                enum rv_phase phase)
{
    i->wants = rv_moment(i->t, phase);
    if (i->wants >= *io->grant || i->t >= *io->limit)
        return false;
    p->base = i->t;
    return true;
}

void pipe_sleep(struct pipe_insn *i, enum pipe_sleep what, uint16_t key)
{
    i->wants = RV_NEVER;
    i->sleeps = (uint8_t)what;
    i->why = key;
}

/* What that is called, as far as known now. */
static uint16_t pipe_sleeps_for(const struct rvpipe *p, const struct pipe_insn *i)
{
    if (i->sleeps == PIPE_SLEEP_STORE)
        return rvlsu_why(&p->lsu, p->lsu.waits_if);
    return i->sleeps == PIPE_SLEEP_LOAD ? p->lsu.pending.why : i->why;
}

COLD bool pipe_tells(struct rvpipe *p, struct rvpipe_io *io, struct pipe_insn *i)
{
    if (!pipe_drain_to(p, io, i) || !pipe_share(p, io, i, RV_PHASE_LOAD))
        return false;
    p->loop.clean = false; /* it is counted */
    *io->now = i->t;
    return true;
}

/* The cycle from which on a source can be read by the next instruction. */
static uint64_t pipe_source(const struct rvpipe *p, unsigned reg)
{
    return reg == p->bypass ? p->bypass_at : p->avail[reg];
}

/* What made the instruction wait for the pipeline itself: the same maximum again, with names. */
static COLD uint16_t pipe_cause(const struct rvpipe *p, const struct rvuse *u, uint64_t t)
{
    const uint8_t source[] = {u->s1, u->s2, u->s3};
    for (unsigned k = 0; k < 3; k++)
        if (pipe_source(p, source[k]) == t)
            return p->why[source[k]] ? p->why[source[k]] : OPERAND;
    if (p->next == t)
        return p->next_why;
    if (p->lsu.pending.on)
        return p->lsu.pending.why;
    return ledger_key(WAIT_RETIRE_FULL, OWNER_PIPELINE);
}

static inline uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* ---- what has entered EX1 ---- */

static COLD void pipe_gap(const struct rvpipe *p, const struct rvpipe_io *io,
                          const struct pipe_insn *i)
{
    if (p->poll.on)
        return;
    uint16_t key = i->why;
    ledger_note(io->ledger, p->at + 1, key);
    ledger_note(io->ledger, i->t, GO);
    if (io->blame)
        blame_add(io->blame, io->agent, i->pc, key, i->t - p->at - 1);
    if (probe_wants(io->probe, EV_CORE_WAIT)) {
        struct event e = {.kind = EV_CORE_WAIT,
                          .agent = (uint8_t)io->agent,
                          .cause = (uint8_t)(key >> 8),
                          .owner = (uint8_t)key,
                          .word = i->pc,
                          .arg = (uint32_t)(i->t - p->at - 1)};
        io->probe->now = i->t; /* told when it is over */
        probe_send(io->probe, &e);
    }
}

static COLD void pipe_trace(const struct rvpipe *p, const struct rvpipe_io *io,
                            const struct pipe_insn *i)
{
    if (p->poll.on)
        return;
    io->probe->now = i->t;
    probe_event(io->probe, EV_CORE, io->agent, 0, i->e->word, i->pc);
}

/* What of an instruction's entry to EX1 is not always needed. */
static COLD void pipe_commit_slowly(struct rvpipe *p, const struct rvpipe_io *io,
                                    const struct pipe_insn *i, uint64_t done)
{
    unsigned d = i->u->d, k = p->n % T_RISC_RETIRE_DEPTH;
    if (i->t != p->at + 1)
        pipe_gap(p, io, i);
    else if (p->held && !p->poll.on) /* it slept, but not for a cycle */
        ledger_note(io->ledger, i->t, GO);
    if (io->probe->mask)
        pipe_trace(p, io, i);
    p->done[k] = done;
    p->dest[k] = (uint8_t)d;
    p->held = 0;
    p->lsu.waiter = false;
    p->floor = 0;
    p->bypass = RV_USE_NONE;
    p->bypass_at = 0; /* of an instruction that lacks a source, too */
    if (d != RV_USE_SINK &&
        p->retired[d] >= done) { /* an older writer is not retired: no forwarding from the queue */
        p->bypass = (uint8_t)d;
        p->bypass_at = done;
    }
    p->slow = p->bypass != RV_USE_NONE || p->lsu.pending.on || p->lsu.careful || io->probe->mask ||
              io->no_calm || !p->numbers.calm;
}

static unsigned bits_of(uint32_t x)
{
    return 32 - leading_zeros(x);
}

static unsigned div_cycles(const struct rvpipe_numbers *k, unsigned op, uint32_t a, uint32_t b)
{
    bool is_signed = op == RV_OP_DIV || op == RV_OP_REM;
    if (b <= 1 || (is_signed && a == UINT32_C(0x80000000) && b == UINT32_MAX))
        return k->div_trivial;
    unsigned n = bits_of(is_signed && (int32_t)a < 0 ? 0 - a : a);
    n += 1 + n / k->div_bits;
    n = n < k->div_max ? n : k->div_max;
    return n > k->div_min ? n : k->div_min;
}

/* Divisions keep EX1; what serialises keeps the front end. Returns `hold` of pipe_commit(). */
static COLD unsigned pipe_special(const struct rvpipe *p, const struct rvcore *c,
                                  struct pipe_insn *i)
{
    if (i->u->class == RV_CLASS_DIV) {
        i->lat = div_cycles(&p->numbers, i->e->op, c->x[i->e->rs1], c->x[i->e->rs2]);
        i->what = i->hold_why = ledger_key(WAIT_DIVIDE, OWNER_PIPELINE);
        return (unsigned)i->lat;
    }
    i->lat = i->u->class == RV_CLASS_FENCE ? 2 : 1;
    i->hold_why = ledger_key(WAIT_SERIAL, OWNER_PIPELINE);
    return i->u->class != RV_CLASS_FENCE && c->cfg0 & CFG0_NO_CSR_SYNC ? 1 : 0;
}

static enum pipe_result pipe_csr(struct rvpipe *p, struct rvpipe_io *io, struct pipe_insn *i)
{
    struct rvcore *c = io->c;
    unsigned csr = i->e->csr;
    bool status = csr >= 0xbc0 && csr <= 0xbc9;
    bool writes = (i->e->op != RV_OP_CSRRS && i->e->op != RV_OP_CSRRC && i->e->op != RV_OP_CSRRSI &&
                   i->e->op != RV_OP_CSRRCI) ||
                  (i->e->op >= RV_OP_CSRRWI ? i->e->imm != 0 : i->e->rs1 != 0);
    bool freezes = writes && csr == 0x7c0; /* cfg0: maybe what the status CSRs show */
    if ((status || freezes) && (!pipe_drain_to(p, io, i) || !pipe_share(p, io, i, RV_PHASE_LOAD)))
        return PIPE_STAY;
    if ((!rvcore_has_csr(c, csr) || (writes && c->in_handler)) && !pipe_tells(p, io, i))
        return PIPE_STAY;
    c->stalled = i->t - p->reset_at - c->steps;
    *io->now = i->t;
    if (!rvcore_csr(c, io->m, i->pc, i->e))
        return PIPE_STAY;
    enum rv_source source = rvcore_csr_source(c, csr);
    if (writes || source > RV_SOURCE_EVENT) /* a counter: registers may repeat, but not for ever */
        p->loop.clean = false;
    if (source == RV_SOURCE_EVENT) {
        if (pipe_replays(p, i->t) && i->e->rd != 32)
            c->x[i->e->rd] = pipe_replay(p);
        else if (!writes)
            pipe_record(p,
                        io,
                        i->t,
                        (struct rvpipe_read){.addr = csr,
                                             .pc = i->pc,
                                             .csr = true,
                                             .value = c->status[csr - 0xbc0],
                                             .size = 4});
    }
    return PIPE_GO;
}

/* Code goes on in another line of the instruction cache. */
static void pipe_fetch(struct rvpipe *p, const struct rvpipe_io *io, uint32_t line)
{
    bool prefetch = !(io->c->cfg0 & CFG0_NO_PREFETCH);
    if (p->next >= RV_NEVER)
        return; /* not before a device answers */
    uint64_t t = rvfetch_enter(&p->fetch, line, p->next, prefetch);
    if (t > p->next) {
        p->next = t;
        p->next_why = ledger_key(WAIT_FETCH, OWNER_L1);
    }
}

/* An instruction that does not simply follow the last one: when, why, and what is special about it. False: not
   now. */
static COLD bool pipe_irregular(struct rvpipe *p, struct rvpipe_io *io, struct pipe_insn *i)
{
    const struct rvuse *u = i->u;
    i->t = later(later(later(p->next, pipe_source(p, u->s1)), pipe_source(p, u->s2)),
                 pipe_source(p, u->s3));
    i->t = later(i->t, p->ring[p->n % T_RISC_RETIRE_DEPTH]);
    if (i->t != p->at + 1) {
        i->why = pipe_cause(p, u, i->t);
        if (i->t >= RV_NEVER) {
            pipe_sleep(i, PIPE_SLEEP_LOAD, i->why);
            return false;
        }
    }
    pipe_later(i, p->floor, p->floor_why);
    if (!pipe_reach(p, io, i) ||
        (p->lsu.careful && (!pipe_drain_to(p, io, i) || !pipe_share(p, io, i, RV_PHASE_LOAD))))
        return false;
    i->hold = 1;
    i->lat = u->lat;
    i->what = OPERAND;
    if (!i->lat)
        i->hold = pipe_special(p, io->c, i);
    if (u->class >= RV_CLASS_FMA && u->class <= RV_CLASS_VCFG)
        p->loop.clean = false;
    return true;
}

/* The front end had sent something else. */
static void pipe_mispredicted(struct rvpipe *p)
{
    p->next += p->numbers.mispredict;
    p->next_why = ledger_key(WAIT_MISPREDICT, OWNER_PIPELINE);
}

/* ---- the loop ---- */

#define PC  pc
#define RD  c->x[e->rd]
#define R1  c->x[e->rs1]
#define R2  c->x[e->rs2]
#define IMM ((uint32_t)e->imm)
#define STAY                                                                                       \
    {                                                                                              \
        goto stay;                                                                                 \
    }
#define NEXT                                                                                       \
    {                                                                                              \
        goto next;                                                                                 \
    }
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
#define FILL                                                                                       \
    i.e = e;                                                                                       \
    i.u = u;                                                                                       \
    i.pc = pc;                                                                                     \
    i.t = t;
/* By call, through struct pipe_insn. */
#define OUTSIDE(call)                                                                              \
    FILL switch (call)                                                                             \
    {                                                                                              \
    case PIPE_STAY: goto stay;                                                                     \
    case PIPE_PENDING: t = i.t; goto next;                                                         \
    default: t = i.t; break;                                                                       \
    }
/* The core's own data RAM is reached so often that it has its own way. */
#define OWN_RAM(address, size)                                                                     \
    (at = (address)-RV_LOCAL_BASE) < m->local_size && !(at & ((size)-1)) &&                        \
        t >= p->lsu.ram_ready && (p->lsu.local_at + 1 != t || p->lsu.local_addr != (at & ~3u))
#define LOAD(address, size)                                                                        \
    if (OWN_RAM(address, size)) {                                                                  \
        value = rv_get(m->local + at, size);                                                       \
        i.lat = p->numbers.load_local;                                                             \
        i.what = ledger_key(WAIT_LOAD, OWNER_DATA_RAM);                                            \
    } else {                                                                                       \
        OUTSIDE(pipe_load(p, io, &i, address, size, &value))                                       \
    }
#define STORE(address, size, data)                                                                 \
    if (OWN_RAM(address, size)) {                                                                  \
        rv_put(m->local + at, size, data);                                                         \
        p->lsu.local_addr = at & ~3u;                                                              \
        p->lsu.local_at = t;                                                                       \
        p->loop.clean = false;                                                                     \
    } else {                                                                                       \
        OUTSIDE(pipe_store(p, io, &i, address, size, data))                                        \
    }
#define PUSH(n) OUTSIDE(pipe_push(p, io, &i, n))
#define DO_AMO  OUTSIDE(pipe_amo(p, io, &i))
#define DO_CSR  OUTSIDE(pipe_csr(p, io, &i))
#define DO_VEC  OUTSIDE(pipe_vec(p, io, &i))
#define DO_FENCE                                                                                   \
    OUTSIDE(pipe_quiet(p, io, &i))                                                                 \
    rvcore_l0_flush(c);
#define SKIP(n)                                                                                    \
    skip = (n);                                                                                    \
    goto skipped;
#define ILLEGAL                                                                                    \
    {                                                                                              \
        FILL if (!pipe_tells(p, io, &i) ||                                                         \
                 rvcore_fault(c, m, RV_FAULT_ILLEGAL, PC, e->word)) goto stay;                     \
        NEXT                                                                                       \
    }
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

/* The instruction enters EX1 in cycle t: its result and its retirement get their time stamps. */
#define COMMIT                                                                                     \
    {                                                                                              \
        uint64_t done = t + i.lat, retire = later(done, p->last + 1);                              \
        unsigned d = u->d;                                                                         \
        if (t != p->at + 1 || p->slow || p->retired[d] >= done) {                                  \
            FILL pipe_commit_slowly(p, io, &i, done);                                              \
        }                                                                                          \
        p->ring[p->n++ % T_RISC_RETIRE_DEPTH] = retire;                                            \
        p->last = retire;                                                                          \
        p->avail[d] = later(done, p->retired[d] + 1);                                              \
        p->retired[d] = retire;                                                                    \
        if (i.lat != 1) {                                                                          \
            p->why[d] = i.what;                                                                    \
            i.what = OPERAND;                                                                      \
            p->busy = later(p->busy, p->avail[d]);                                                 \
        }                                                                                          \
        p->at = t;                                                                                 \
        p->next = t + 1;                                                                           \
        c->steps++;                                                                                \
    }

/* A loop that may be a poll begins a round at pc: may it? */
static bool pipe_decides(struct rvpipe *p, struct rvpipe_io *io, struct pipe_insn *i, uint32_t pc)
{
    i->t = p->next;
    if (!pipe_drain_to(p, io, i) || !pipe_share(p, io, i, RV_PHASE_LOAD))
        return false;
    i->wants = RV_NEVER;
    return !pipe_loop(p, io, p->loop.end, pc);
}

/* The core does not go on at pc. */
static void pipe_stays(struct rvpipe *p, struct rvcore *c, struct pipe_insn *i, uint32_t pc)
{
    if (p->poll.parked)
        i->wants = RV_NEVER;
    else if (p->loop.undecided && i->wants >= RV_NEVER)
        i->wants = rv_moment(p->next, RV_PHASE_LOAD);
    c->pc = i->pc = pc;
    if (i->t > p->floor && i->t > p->next && i->t < RV_NEVER) { /* the reason may be gone by then */
        p->floor = i->t;
        p->floor_why = i->why;
        p->slow = true;
    }
}

/* There is no code at pc: the core stops in the cycle in which it would enter EX1. */
static COLD void pipe_no_code(struct rvpipe *p, struct rvpipe_io *io, struct pipe_insn *i,
                              uint32_t pc)
{
    i->t = p->next;
    i->why = p->next_why;
    i->wants = RV_NEVER;
    if (i->t >= RV_NEVER) /* behind a CSR instruction that waits for a device */
        pipe_sleep(i, PIPE_SLEEP_LOAD, i->why);
    else if (pipe_tells(p, io, i))
        rvcore_fault(io->c, io->m, RV_FAULT_FETCH, pc, pc);
}

/* Where a branch that is taken goes. */
HOT_INLINE uint32_t pipe_target(const struct rvinsn *e, uint32_t pc)
{
    return e->op > OWN_NEXT_PAGE ? (uint32_t)e->imm
                                 : pc + (uint32_t)(e->imm / (int32_t)sizeof *e) * 4;
}

/* Was a jump of this kind foreseen? */
HOT_INLINE bool pipe_jumps(struct rvpipe *p, const struct rvinsn *e, uint32_t pc, uint32_t target)
{
    return e->op == RV_OP_JALR || e->op == RV_OP_MRET ? rvfetch_jump(&p->fetch, pc, target)
                                                      : rvfetch_branch(&p->fetch, pc, true, true);
}

/* Executes until the core may not go on; leaves in out why and when it could. */
static void pipe_execute(struct rvpipe *p, struct rvpipe_io *io, struct pipe_insn *out)
{
    struct rvcore *c = io->c;
    const struct rvmem *m = io->m;
    struct pipe_insn i = {.wants = RV_NEVER, .what = OPERAND};
    struct rvinsn *e;
    const struct rvuse *u;
    uint32_t pc, target = c->pc, value, at, skip;
    uint64_t t = p->at + 1, from; /* from: of rvcore_exec.def's NEXT_PAGE */
    bool taken;
    WATCH(watch);
    if (p->loop.undecided && !pipe_decides(p, io, &i, target)) {
        pc = target;
        goto stay;
    }
far:
    if (pipe_is_calm(p) && !p->loop.undecided) {
        c->pc = target;
        pipe_calm(p, io);
        target = c->pc;
    }
    pc = target;
    if (p->poll.parked || p->loop.undecided)
        goto stay;
    if (pc & 3 || pc >= m->l1_size) {
        pipe_no_code(p, io, &i, pc);
        goto stay;
    }
    e = rvcode_page(m->code, pc) + pc / 4 % RV_PAGE_INSNS;
    u = &m->code->use[(pc >> RV_PAGE_SHIFT) % RV_CODE_PAGES][pc / 4 % RV_PAGE_INSNS];
again:
    PROGRESS(watch, c->steps, 4); /* a far jump, another page, a word that is decoded */
    if (e->op == OWN_NEXT_PAGE) {
        target = pc;
        goto far;
    }
    if (e->op == OWN_DECODE)
        rvcode_decode(m, e, pc);
    if (pc / 16 != p->fetch.line && !rvfetch_stays(&p->fetch, pc / 16, p->next))
        pipe_fetch(p, io, pc / 16);
    t = later(later(p->next, p->avail[u->s1]), p->avail[u->s2]);
    t = later(t, p->ring[p->n % T_RISC_RETIRE_DEPTH]);
    i.lat = u->lat;
    if (t != p->at + 1 || u->special || p->slow || t >= p->base + io->ahead || t >= *io->limit) {
        FILL bool ready = pipe_irregular(p, io, &i);
        t = i.t;
        if (!ready)
            goto stay;
    }
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
skipped:
    c->fused += skip;
    COMMIT
    e += skip + 1;
    u += skip + 1;
    pc += 4 * (skip + 1);
    goto again;
next:
    COMMIT
    if (u->special) {
        p->next = i.hold ? t + i.hold : p->last + p->numbers.serial;
        p->next_why = i.hold_why;
    }
    e++;
    u++;
    pc += 4;
    goto again;
branch:
    COMMIT
    if (!rvfetch_steady(&p->fetch, pc, taken) &&
        !rvfetch_branch(&p->fetch, pc, taken, !(c->cfg0 & CFG0_NO_PREDICTION)))
        pipe_mispredicted(p);
    if (!taken) {
        e++;
        u++;
        pc += 4;
        goto again;
    }
    target = pipe_target(e, pc);
    if (target <= pc && pipe_loop(p, io, pc, target)) {
        pc = target;
        goto stay;
    }
    goto far;
jump:
    COMMIT
    if (!pipe_jumps(p, e, pc, target))
        pipe_mispredicted(p);
    if (target <= pc && e->rd == 32 && e->op != RV_OP_JALR && pipe_loop(p, io, pc, target)) {
        pc = target;
        goto stay;
    }
    goto far;
stay:
    (void)from;
    pipe_stays(p, c, &i, pc);
    *out = i;
}

/* ---- a call ---- */

/* Stopped, or asleep until somebody else acts: what the ledger and the owner of the core see. */
static void pipe_rest(struct rvpipe *p, struct rvpipe_io *io, const struct pipe_insn *i)
{
    struct rvcore *c = io->c;
    if (c->state == RV_STOPPED) {
        if (p->held >> 8 != WAIT_DONE && i->t > p->at + 1 && !p->poll.on) {
            pipe_gap(p, io, i); /* what the last instruction waited for */
            p->at = i->t - 1;
        }
        p->held = ledger_key(WAIT_DONE, OWNER_NONE);
    } else if (i->wants >= RV_NEVER && c->state == RV_RUNNING) {
        c->state = RV_BLOCKED;
        c->block_addr = p->lsu.pending.on ? p->lsu.pending.addr : rvlsu_at(&p->lsu, 0)->addr;
        p->held = pipe_sleeps_for(p, i);
    } else {
        return;
    }
    if (p->poll.on)
        pipe_poll_end(p, io, p->at + 1);
    p->slow = true;
    ledger_note(io->ledger, p->at + 1, p->held);
}

/* The call ends while stores to code, maybe the core's own, wait to leave: what it does by itself it has done by then. */
static COLD void pipe_past(struct rvpipe *p, struct rvpipe_io *io, struct pipe_insn *i)
{
    const uint64_t *grant = io->grant, *limit = io->limit, none = 0, never = RV_NEVER >> 3;
    for (unsigned k = 0; k < p->lsu.n; k++) {
        const struct rvlsu_store *s = rvlsu_at(&p->lsu, k);
        if (s->kind != RVLSU_L1 || !rvcode_holds(io->m->code, s->addr, 16))
            continue;
        io->grant = &none;
        io->limit = &never;
        pipe_execute(p, io, i);
        io->grant = grant;
        io->limit = limit;
        return;
    }
}

void rvpipe_run(struct rvpipe *p, struct rvpipe_io *io)
{
    struct rvcore *c = io->c;
    struct pipe_insn i = {.wants = RV_NEVER, .t = p->at + 1};
    if (p->poll.parked)
        return;
    if (c->state == RV_BLOCKED &&
        io->ahead == RVPIPE_AHEAD) /* it has slept: all have come this far */
        p->base = later(p->base, p->when >> 2);
    uint64_t before; /* what can leave the store queue before the next instruction does something */
    WATCH(watch);
    do {
        PROGRESS(watch, c->steps + p->lsu.free, 3); /* a store left, or a load was answered */
        if (c->state == RV_STOPPED || c->state == RV_HELD) {
            before = i.wants = RV_NEVER;
        } else {
            c->state = RV_RUNNING;
            pipe_execute(p, io, &i);
            before =
                i.wants; /* beyond the limit it may then ask for a store to leave: that comes first */
            if (i.wants < RV_NEVER && i.wants >> 2 >= *io->limit && p->lsu.n && !p->poll.parked)
                pipe_past(p, io, &i);
            if (p->poll.parked) {
                p->when = pipe_next_drain(p, io);
                return;
            }
        }
    } while (pipe_drain(p, io, before));
    if (c->state == RV_HELD) { /* it has put itself there, or was before */
        rvpipe_hold(p);
        return;
    }
    p->when = pipe_next_drain(p, io);
    if (i.wants < p->when)
        p->when = i.wants;
    p->stay = i.why;
    pipe_rest(p, io, &i);
}

void rvpipe_settle(struct rvpipe *p, struct rvpipe_io *io, uint64_t now)
{
    if (io->c->state == RV_RUNNING && !p->poll.on && p->at + 1 < now && io->ledger->key == GO)
        ledger_note(io->ledger, p->at + 1, p->held ? p->held : p->stay);
}

void rvpipe_changed(struct rvpipe *p, uint64_t t)
{
    struct rvlsu *l = &p->lsu;
    uint64_t at = RV_NEVER;
    if (l->pending.on) {
        l->pending.retry = t + 1;
        at = rv_moment(t + 1, RV_PHASE_LOAD);
    }
    if (l->blocked) {
        l->blocked = false;
        l->free = later(l->free, t + 1);
        at = at < RV_NEVER ? at : rv_moment(t + 1, RV_PHASE_STORE);
    }
    if (at < p->when)
        p->when = at;
}

void rvpipe_replaced(struct rvpipe *p, uint64_t t)
{
    uint64_t at = rv_moment(t + 1, RV_PHASE_LOAD);
    if (t + 1 > p->floor) {
        p->floor = t + 1;
        p->floor_why = ledger_key(WAIT_FETCH, OWNER_L1);
        p->slow = true;
    }
    p->when = at < p->when ? at : p->when;
}

void rvpipe_staged(struct rvpipe *p, struct rvpipe_io *io, uint64_t t, bool taken)
{
    struct rvlsu *l = &p->lsu;
    l->staged = false;
    if (taken) {
        rvlsu_pop(l, t);
    } else {
        l->free = t + 1;
        pipe_refused(p, io, t);
    }
    uint64_t drain = pipe_next_drain(p, io), now = rv_moment(t + 1, RV_PHASE_LOAD);
    p->when = drain < p->when ? drain : p->when;
    if (taken && now < p->when) /* it may have been what the core waited for */
        p->when = now;
}

void rvpipe_divert(struct rvpipe *p, struct rvpipe_io *io, uint64_t t)
{
    if (p->poll.on)
        pipe_poll_end(p, io, t);
    p->loop.pc = UINT32_MAX;
    p->loop.undecided = false;
    p->next = later(p->next, t + p->numbers.mispredict);
    p->next_why = ledger_key(WAIT_MISPREDICT, OWNER_PIPELINE);
    p->fetch.line = RVFETCH_NO_LINE;
    p->when = rv_moment(p->next, RV_PHASE_LOAD);
}

bool rvpipe_finish(struct rvpipe *p, struct rvpipe_io *io)
{
    if (p->poll.on)
        pipe_poll_end(p, io, later(p->when >> 2, p->next));
    p->loop.pc = UINT32_MAX;
    p->loop.undecided = false;
    WATCH(watch);
    while (pipe_drain(p, io, RV_NEVER))
        PROGRESS(watch, p->lsu.free, 3); /* a store left, or a load was answered */
    if (io->c->state == RV_HELD) {
        rvpipe_hold(p);
        return false;
    }
    p->when = pipe_next_drain(p, io);
    if (io->ledger->key == GO) /* from the first look on, however long the rest takes to leave */
        ledger_note(io->ledger, p->at + 1, ledger_key(WAIT_IDLE, OWNER_NONE));
    if (p->lsu.n || p->lsu.pending.on)
        return false;
    p->fetch.line = RVFETCH_NO_LINE;
    p->held = 0;
    return true;
}

void rvpipe_start(struct rvpipe *p, uint64_t now)
{
    p->next = later(p->next, now);
    p->at = p->next - 1;
    p->base = later(p->base, now);
}
