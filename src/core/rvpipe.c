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
#define GO                 wait_key(WAIT_PROGRESS, OWNER_NONE)
#define OPERAND            wait_key(WAIT_OPERAND, OWNER_PIPELINE)

/* What is known of the next cycle in rvpipe_calm.c: results take one cycle, or two. */
static bool rvpipe_has_calm(const struct timing *t)
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
                                         .calm = rvpipe_has_calm(t)};
    p->lsu.depth = (uint8_t)t->n.RISC_STORE_QUEUE;
    p->lsu.loads = (uint8_t)t->n.RISC_LOADS;
    p->reset_at = now;
    p->at = now;
    p->next = now + t->n.RISC_START;
    p->next_why = wait_key(WAIT_FETCH, OWNER_L1);
    p->base = now;
    p->last = now;
    p->bypass = RV_USE_NONE;
    p->slow = true;
    p->loop.pc = UINT32_MAX;
    p->loop.undecided = false;
    p->lsu.ram_ready = now + ram;
    p->lsu.pending.retry = RV_NEVER;
    p->when = rvlsu_moment(p->next, RV_PHASE_LOAD);
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

static uint64_t rvpipe_cap(const struct rvpipe *p, const struct rvpipe_io *io)
{
    uint64_t cap = p->base + io->ahead;
    return cap < *io->limit ? cap : *io->limit;
}

bool rvpipe_reach(struct rvpipe *p, const struct rvpipe_io *io, struct rvpipe_insn *i)
{
    if (i->cycle < rvpipe_cap(p, io))
        return true;
    i->wants = rvlsu_moment(i->cycle, RV_PHASE_LOAD);
    if (rvpipe_mem_next_drain(p, io) < i->wants)
        return false; /* that first */
    return rvpipe_share(p, io, i, RV_PHASE_LOAD);
}

bool rvpipe_share(struct rvpipe *p, const struct rvpipe_io *io, struct rvpipe_insn *i,
                  enum rv_phase phase)
{
    i->wants = rvlsu_moment(i->cycle, phase);
    if (i->wants >= *io->grant || i->cycle >= *io->limit)
        return false;
    p->base = i->cycle;
    return true;
}

void rvpipe_sleep(struct rvpipe_insn *i, enum rvpipe_sleep what, uint16_t key)
{
    i->wants = RV_NEVER;
    i->sleeps = (uint8_t)what;
    i->why = key;
}

/* What that is called, as far as known now. */
static uint16_t rvpipe_sleeps_for(const struct rvpipe *p, const struct rvpipe_insn *i)
{
    if (i->sleeps == PIPE_SLEEP_STORE)
        return rvlsu_why(&p->lsu, p->lsu.waits_if);
    return i->sleeps == PIPE_SLEEP_LOAD ? p->lsu.pending.why : i->why;
}

COLD bool rvpipe_tells(struct rvpipe *p, struct rvpipe_io *io, struct rvpipe_insn *i)
{
    if (!rvpipe_mem_drain_to(p, io, i) || !rvpipe_share(p, io, i, RV_PHASE_LOAD))
        return false;
    p->loop.clean = false; /* it is counted */
    *io->now = i->cycle;
    return true;
}

/* The cycle from which on a source can be read by the next instruction. */
static uint64_t rvpipe_source(const struct rvpipe *p, unsigned reg)
{
    return reg == p->bypass ? p->bypass_at : p->avail[reg];
}

/* What made the instruction wait for the pipeline itself: the same maximum again, with names. */
static COLD uint16_t rvpipe_cause(const struct rvpipe *p, const struct rvuse *u, uint64_t cycle)
{
    const uint8_t source[] = {u->s1, u->s2, u->s3};
    for (unsigned k = 0; k < 3; k++)
        if (rvpipe_source(p, source[k]) == cycle)
            return p->why[source[k]] ? p->why[source[k]] : OPERAND;
    if (p->next == cycle)
        return p->next_why;
    if (cycle >= RV_NEVER) /* what is behind a load that waits has no time of retirement */
        return p->lsu.pending.why;
    return wait_key(WAIT_RETIRE_FULL, OWNER_PIPELINE);
}

static inline uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* ---- what has entered EX1 ---- */

static COLD void rvpipe_gap(const struct rvpipe *p, const struct rvpipe_io *io,
                            const struct rvpipe_insn *i)
{
    if (p->poll.on)
        return;
    uint16_t key = i->why;
    wait_ledger_note(io->ledger, p->at + 1, key);
    wait_ledger_note(io->ledger, i->cycle, GO);
    if (io->blame)
        blame_add(io->blame, io->agent, i->pc, key, i->cycle - p->at - 1);
    if (probe_wants(io->probe, EV_CORE_WAIT)) {
        struct event e = {.kind = EV_CORE_WAIT,
                          .agent = (uint8_t)io->agent,
                          .cause = (uint8_t)(key >> 8),
                          .owner = (uint8_t)key,
                          .word = i->pc,
                          .arg = (uint32_t)(i->cycle - p->at - 1)};
        io->probe->now = i->cycle; /* told when it is over */
        probe_send(io->probe, &e);
    }
}

static COLD void rvpipe_trace(const struct rvpipe *p, const struct rvpipe_io *io,
                              const struct rvpipe_insn *i)
{
    if (p->poll.on)
        return;
    io->probe->now = i->cycle;
    probe_event(io->probe, EV_CORE, io->agent, 0, i->e->word, i->pc);
}

/* What of an instruction's entry to EX1 is not always needed. */
static COLD void rvpipe_commit_slowly(struct rvpipe *p, const struct rvpipe_io *io,
                                      const struct rvpipe_insn *i, uint64_t done)
{
    unsigned d = i->u->d, k = p->n % T_RISC_RETIRE_DEPTH;
    if (i->cycle != p->at + 1)
        rvpipe_gap(p, io, i);
    else if (p->held && !p->poll.on) /* it slept, but not for a cycle */
        wait_ledger_note(io->ledger, i->cycle, GO);
    if (io->probe->mask)
        rvpipe_trace(p, io, i);
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
    return 32 - rvcore_math_leading_zeros(x);
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

/* Divisions keep EX1; what serialises keeps the front end. Returns `hold` of rvpipe_commit_slowly(). */
static COLD unsigned rvpipe_special(const struct rvpipe *p, const struct rvcore *c,
                                    struct rvpipe_insn *i)
{
    if (i->u->class == RV_CLASS_DIV) {
        i->lat = div_cycles(&p->numbers, i->e->op, c->x[i->e->rs1], c->x[i->e->rs2]);
        i->what = i->hold_why = wait_key(WAIT_DIVIDE, OWNER_PIPELINE);
        return (unsigned)i->lat;
    }
    i->lat = i->u->class == RV_CLASS_FENCE ? 2 : 1;
    i->hold_why = wait_key(WAIT_SERIAL, OWNER_PIPELINE);
    return i->u->class != RV_CLASS_FENCE && c->cfg0 & CFG0_NO_CSR_SYNC ? 1 : 0;
}

static enum rvpipe_result rvpipe_csr(struct rvpipe *p, struct rvpipe_io *io, struct rvpipe_insn *i)
{
    struct rvcore *c = io->c;
    unsigned csr = i->e->csr;
    bool status = csr >= 0xbc0 && csr <= 0xbc9;
    bool writes = (i->e->op != RV_OP_CSRRS && i->e->op != RV_OP_CSRRC && i->e->op != RV_OP_CSRRSI &&
                   i->e->op != RV_OP_CSRRCI) ||
                  (i->e->op >= RV_OP_CSRRWI ? i->e->imm != 0 : i->e->rs1 != 0);
    bool freezes = writes && csr == 0x7c0; /* cfg0: maybe what the status CSRs show */
    if ((status || freezes) &&
        (!rvpipe_mem_drain_to(p, io, i) || !rvpipe_share(p, io, i, RV_PHASE_LOAD)))
        return PIPE_STAY;
    if ((!rvcore_csr_exists(c, csr) || (writes && c->in_handler)) && !rvpipe_tells(p, io, i))
        return PIPE_STAY;
    c->stalled = i->cycle - p->reset_at - c->steps;
    *io->now = i->cycle;
    if (!rvcore_csr(c, io->m, i->pc, i->e))
        return PIPE_STAY;
    if (freezes) /* a store may no longer have to wait for a partner: it leaves now, not in the past */
        p->lsu.free = later(p->lsu.free, i->cycle);
    enum rv_source source = rvcore_csr_source(c, csr);
    if (writes || source > RV_SOURCE_EVENT) /* a counter: registers may repeat, but not for ever */
        p->loop.clean = false;
    if (source == RV_SOURCE_EVENT) {
        if (rvpipe_replays(p, i->cycle) && i->e->rd != 32)
            c->x[i->e->rd] = rvpipe_poll_replay(p, c);
        else if (!writes)
            rvpipe_poll_record(p,
                               io,
                               i->cycle,
                               (struct rvpipe_read){.addr = csr,
                                                    .pc = i->pc,
                                                    .csr = true,
                                                    .value = c->status[csr - 0xbc0],
                                                    .size = 4});
    }
    return PIPE_GO;
}

/* Code goes on in another line of the instruction cache. */
static void rvpipe_fetch(struct rvpipe *p, const struct rvpipe_io *io, uint32_t line)
{
    bool prefetch = !(io->c->cfg0 & CFG0_NO_PREFETCH);
    if (p->next >= RV_NEVER)
        return; /* not before a device answers */
    uint64_t cycle = rvfetch_enter(&p->fetch, line, p->next, prefetch);
    if (cycle > p->next) {
        p->next = cycle;
        p->next_why = wait_key(WAIT_FETCH, OWNER_L1);
    }
}

/* An instruction that does not simply follow the last one: when, why, and what is special about it. False: not
   now. */
static COLD bool rvpipe_irregular(struct rvpipe *p, struct rvpipe_io *io, struct rvpipe_insn *i)
{
    const struct rvuse *u = i->u;
    i->cycle = later(later(later(p->next, rvpipe_source(p, u->s1)), rvpipe_source(p, u->s2)),
                     rvpipe_source(p, u->s3));
    i->cycle = later(i->cycle, p->ring[p->n % T_RISC_RETIRE_DEPTH]);
    if (i->cycle != p->at + 1) {
        i->why = rvpipe_cause(p, u, i->cycle);
        if (i->cycle >= RV_NEVER) {
            rvpipe_sleep(i, PIPE_SLEEP_LOAD, i->why);
            return false;
        }
    }
    rvpipe_later(i, p->floor, p->floor_why);
    if (!rvpipe_reach(p, io, i) || (p->lsu.careful && (!rvpipe_mem_drain_to(p, io, i) ||
                                                       !rvpipe_share(p, io, i, RV_PHASE_LOAD))))
        return false;
    i->hold = 1;
    i->lat = u->lat;
    i->what = OPERAND;
    if (!i->lat)
        i->hold = rvpipe_special(p, io->c, i);
    if (u->class >= RV_CLASS_FMA && u->class <= RV_CLASS_VCFG)
        p->loop.clean = false;
    return true;
}

/* The front end had sent something else. */
static void rvpipe_mispredicted(struct rvpipe *p)
{
    p->next += p->numbers.mispredict;
    p->next_why = wait_key(WAIT_MISPREDICT, OWNER_PIPELINE);
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
    i.cycle = cycle;
/* By call, through struct rvpipe_insn. */
#define OUTSIDE(call)                                                                              \
    FILL switch (call)                                                                             \
    {                                                                                              \
    case PIPE_STAY: goto stay;                                                                     \
    case PIPE_PENDING: cycle = i.cycle; goto next;                                                 \
    default: cycle = i.cycle; break;                                                               \
    }
/* The core's own data RAM is reached so often that it has its own way. */
#define OWN_RAM(address, size)                                                                     \
    (at = (address)-RV_LOCAL_BASE) < m->local_size && !(at & ((size)-1)) &&                        \
        cycle >= p->lsu.ram_ready &&                                                               \
        (p->lsu.local_at + 1 != cycle || p->lsu.local_addr != (at & ~3u))
#define LOAD(address, size)                                                                        \
    if (OWN_RAM(address, size)) {                                                                  \
        value = rvcore_get(m->local + at, size);                                                   \
        i.lat = p->numbers.load_local;                                                             \
        i.what = wait_key(WAIT_LOAD, OWNER_DATA_RAM);                                              \
    } else {                                                                                       \
        OUTSIDE(rvpipe_mem_load(p, io, &i, address, size, &value))                                 \
    }
#define STORE(address, size, data)                                                                 \
    if (OWN_RAM(address, size)) {                                                                  \
        rvcore_put(m->local + at, size, data);                                                     \
        p->lsu.local_addr = at & ~3u;                                                              \
        p->lsu.local_at = cycle;                                                                   \
        p->loop.clean = false;                                                                     \
    } else {                                                                                       \
        OUTSIDE(rvpipe_mem_store(p, io, &i, address, size, data))                                  \
    }
#define PUSH(n) OUTSIDE(rvpipe_mem_push(p, io, &i, n))
#define DO_AMO  OUTSIDE(rvpipe_mem_amo(p, io, &i))
#define DO_CSR  OUTSIDE(rvpipe_csr(p, io, &i))
#define DO_VEC  OUTSIDE(rvpipe_mem_vec(p, io, &i))
#define DO_FENCE                                                                                   \
    OUTSIDE(rvpipe_mem_quiet(p, io, &i))                                                           \
    rvcore_l0_flush(c);
#define SKIP(n)                                                                                    \
    skip = (n);                                                                                    \
    goto skipped;
#define ILLEGAL                                                                                    \
    {                                                                                              \
        FILL if (!rvpipe_tells(p, io, &i) ||                                                       \
                 rvcore_mem_fault(c, m, RV_FAULT_ILLEGAL, PC, e->word)) goto stay;                 \
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
        uint64_t done = cycle + i.lat, retire = later(done, p->last + 1);                          \
        unsigned d = u->d;                                                                         \
        if (cycle != p->at + 1 || p->slow || p->retired[d] >= done) {                              \
            FILL rvpipe_commit_slowly(p, io, &i, done);                                            \
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
        p->at = cycle;                                                                             \
        p->next = cycle + 1;                                                                       \
        c->steps++;                                                                                \
    }

/* A loop that may be a poll begins a round at pc: may it? */
static bool rvpipe_decides(struct rvpipe *p, struct rvpipe_io *io, struct rvpipe_insn *i,
                           uint32_t pc)
{
    i->cycle = p->next;
    if (!rvpipe_mem_drain_to(p, io, i) || !rvpipe_share(p, io, i, RV_PHASE_LOAD))
        return false;
    i->wants = RV_NEVER;
    return !rvpipe_poll_loop(p, io, p->loop.end, pc);
}

/* A backward jump from pc to target: does the core stay there? */
HOT_INLINE bool rvpipe_goes_round(struct rvpipe *p, struct rvpipe_io *io, struct rvpipe_insn *i,
                                  uint32_t pc, uint32_t target)
{
    return rvpipe_poll_loop(p, io, pc, target) &&
           !(p->loop.undecided && rvpipe_decides(p, io, i, target));
}

/* The core does not go on at pc. */
static void rvpipe_stays(struct rvpipe *p, struct rvcore *c, struct rvpipe_insn *i, uint32_t pc)
{
    if (p->poll.parked)
        i->wants = RV_NEVER;
    else if (p->loop.undecided && i->wants >= RV_NEVER)
        i->wants = rvlsu_moment(p->next, RV_PHASE_LOAD);
    c->pc = i->pc = pc;
    if (i->cycle > p->floor && i->cycle > p->next &&
        i->cycle < RV_NEVER) { /* the reason may be gone by then */
        p->floor = i->cycle;
        p->floor_why = i->why;
        p->slow = true;
    }
}

/* There is no code at pc: the core stops in the cycle in which it would enter EX1. */
static COLD void rvpipe_no_code(struct rvpipe *p, struct rvpipe_io *io, struct rvpipe_insn *i,
                                uint32_t pc)
{
    i->cycle = p->next;
    i->why = p->next_why;
    i->wants = RV_NEVER;
    if (i->cycle >= RV_NEVER) /* behind a CSR instruction that waits for a device */
        rvpipe_sleep(i, PIPE_SLEEP_LOAD, i->why);
    else if (rvpipe_tells(p, io, i))
        rvcore_mem_fault(io->c, io->m, RV_FAULT_FETCH, pc, pc);
}

/* Where a branch that is taken goes. */
HOT_INLINE uint32_t rvpipe_target(const struct rvinsn *e, uint32_t pc)
{
    return e->op > OWN_NEXT_PAGE ? (uint32_t)e->imm
                                 : pc + (uint32_t)(e->imm / (int32_t)sizeof *e) * 4;
}

/* Was a jump of this kind foreseen? */
HOT_INLINE bool rvpipe_jumps(struct rvpipe *p, const struct rvinsn *e, uint32_t pc, uint32_t target)
{
    return e->op == RV_OP_JALR || e->op == RV_OP_MRET ? rvfetch_jump(&p->fetch, pc, target)
                                                      : rvfetch_branch(&p->fetch, pc, true, true);
}

/* Executes until the core may not go on; leaves in out why and when it could. */
static void rvpipe_execute(struct rvpipe *p, struct rvpipe_io *io, struct rvpipe_insn *out)
{
    struct rvcore *c = io->c;
    const struct rvmem *m = io->m;
    struct rvpipe_insn i = {.wants = RV_NEVER, .what = OPERAND};
    struct rvinsn *e;
    const struct rvuse *u;
    uint32_t pc, target = c->pc, value, at, skip;
    uint64_t cycle = p->at + 1, from; /* from: of rvcore_exec.def's NEXT_PAGE */
    bool taken;
    WATCH(watch);
    if (p->loop.undecided && !rvpipe_decides(p, io, &i, target)) {
        pc = target;
        goto stay;
    }
far:
    if (rvpipe_is_calm(p) && !p->loop.undecided) {
        c->pc = target;
        rvpipe_calm(p, io);
        target = c->pc;
    }
    pc = target;
    if (p->poll.parked || (p->loop.undecided && !rvpipe_decides(p, io, &i, pc)))
        goto stay;
    if (pc & 3 || pc >= m->l1_size) {
        rvpipe_no_code(p, io, &i, pc);
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
        rvpipe_fetch(p, io, pc / 16);
    cycle = later(later(p->next, p->avail[u->s1]), p->avail[u->s2]);
    cycle = later(cycle, p->ring[p->n % T_RISC_RETIRE_DEPTH]);
    i.lat = u->lat;
    if (cycle != p->at + 1 || u->special || p->slow || cycle >= p->base + io->ahead ||
        cycle >= *io->limit) {
        FILL bool ready = rvpipe_irregular(p, io, &i);
        cycle = i.cycle;
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
        p->next = i.hold ? cycle + i.hold : p->last + p->numbers.serial;
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
        rvpipe_mispredicted(p);
    if (!taken) {
        e++;
        u++;
        pc += 4;
        goto again;
    }
    target = rvpipe_target(e, pc);
    if (target <= pc && rvpipe_goes_round(p, io, &i, pc, target)) {
        pc = target;
        goto stay;
    }
    goto far;
jump:
    COMMIT
    if (!rvpipe_jumps(p, e, pc, target))
        rvpipe_mispredicted(p);
    if (target <= pc && e->rd == 32 && e->op != RV_OP_JALR &&
        rvpipe_goes_round(p, io, &i, pc, target)) {
        pc = target;
        goto stay;
    }
    goto far;
stay:
    (void)from;
    rvpipe_stays(p, c, &i, pc);
    *out = i;
}

/* ---- a call ---- */

/* It has stopped: what the last instruction waited for is told before its stores leave. */
static COLD void rvpipe_stopped(struct rvpipe *p, struct rvpipe_io *io, const struct rvpipe_insn *i)
{
    if (p->held >> 8 != WAIT_DONE && i->cycle > p->at + 1 && !p->poll.on) {
        rvpipe_gap(p, io, i);
        p->at = i->cycle - 1;
    }
    p->held = wait_key(WAIT_DONE, OWNER_NONE);
}

/* Stopped, or asleep until somebody else acts: what the ledger and the owner of the core see. */
static void rvpipe_rest(struct rvpipe *p, struct rvpipe_io *io, const struct rvpipe_insn *i)
{
    struct rvcore *c = io->c;
    if (c->state == RV_STOPPED) {
        rvpipe_stopped(p, io, i);
    } else if (i->wants >= RV_NEVER && c->state == RV_RUNNING) {
        c->state = RV_BLOCKED;
        c->block_addr = p->lsu.pending.on ? p->lsu.pending.addr : rvlsu_at(&p->lsu, 0)->addr;
        p->held = rvpipe_sleeps_for(p, i);
    } else {
        return;
    }
    if (p->poll.on)
        rvpipe_poll_end(p, io, p->at + 1);
    p->slow = true;
    wait_ledger_note(io->ledger, p->at + 1, p->held);
}

/* The call ends while stores to code, maybe the core's own, wait to leave: what it does by itself it has done by then. */
static COLD void rvpipe_past(struct rvpipe *p, struct rvpipe_io *io, struct rvpipe_insn *i)
{
    const uint64_t *grant = io->grant, *limit = io->limit, none = 0, never = RV_NEVER >> 3;
    for (unsigned k = 0; k < p->lsu.n; k++) {
        const struct rvlsu_store *s = rvlsu_at(&p->lsu, k);
        if (s->kind != RVLSU_L1 || !rvcode_holds(io->m->code, s->addr, 16))
            continue;
        io->grant = &none;
        io->limit = &never;
        rvpipe_execute(p, io, i);
        io->grant = grant;
        io->limit = limit;
        return;
    }
}

void rvpipe_run(struct rvpipe *p, struct rvpipe_io *io)
{
    struct rvcore *c = io->c;
    struct rvpipe_insn i = {.wants = RV_NEVER, .cycle = p->at + 1};
    if (p->poll.parked)
        return;
    uint64_t before; /* what can leave the store queue before the next instruction does something */
    WATCH(watch);
    do {
        PROGRESS(watch, c->steps + p->lsu.free, 3); /* a store left, or a load was answered */
        if (c->state == RV_STOPPED || c->state == RV_HELD) {
            before = i.wants = RV_NEVER;
        } else {
            c->state = RV_RUNNING;
            rvpipe_execute(p, io, &i);
            if (c->state == RV_STOPPED)
                rvpipe_stopped(p, io, &i);
            before =
                i.wants; /* beyond the limit it may then ask for a store to leave: that comes first */
            if (i.wants < RV_NEVER && i.wants >> 2 >= *io->limit && p->lsu.n && !p->poll.parked &&
                !io->replays)
                rvpipe_past(p, io, &i);
            if (p->poll.parked) {
                p->when = rvpipe_mem_next_drain(p, io);
                return;
            }
        }
    } while (rvpipe_mem_drain(p, io, before));
    if (c->state == RV_HELD) { /* it has put itself there, or was before */
        rvpipe_hold(p);
        return;
    }
    p->limited = i.wants < RV_NEVER && i.wants >> 2 >= *io->limit;
    p->when = rvpipe_mem_next_drain(p, io);
    if (i.wants < p->when)
        p->when = i.wants;
    p->stay = i.why;
    rvpipe_rest(p, io, &i);
}

void rvpipe_settle(struct rvpipe *p, struct rvpipe_io *io, uint64_t now)
{
    struct ledger *l = io->ledger;
    uint16_t key = p->held ? p->held : p->stay;
    if (io->c->state != RV_RUNNING || p->poll.on || p->at + 1 >= now)
        return;
    if (l->key != GO && (l->key != p->settled || l->since != p->at + 1))
        return; /* else that is only what was known when a call ended before */
    p->settled = key;
    wait_ledger_note(l, p->at + 1, key);
}

void rvpipe_changed(struct rvpipe *p, uint64_t cycle)
{
    struct rvlsu *l = &p->lsu;
    uint64_t at = RV_NEVER;
    if (l->pending.on) {
        l->pending.retry = cycle + 1;
        at = rvlsu_moment(cycle + 1, RV_PHASE_LOAD);
    }
    if (l->blocked) {
        l->blocked = false;
        l->free = later(l->free, cycle + 1);
        at = at < RV_NEVER ? at : rvlsu_moment(cycle + 1, RV_PHASE_STORE);
    }
    if (at < p->when)
        p->when = at;
}

void rvpipe_replaced(struct rvpipe *p, uint64_t cycle)
{
    uint64_t at = rvlsu_moment(cycle + 1, RV_PHASE_LOAD);
    if (cycle + 1 > p->floor) {
        p->floor = cycle + 1;
        p->floor_why = wait_key(WAIT_FETCH, OWNER_L1);
        p->slow = true;
    }
    p->when = at < p->when ? at : p->when;
}

void rvpipe_staged(struct rvpipe *p, struct rvpipe_io *io, uint64_t cycle, bool taken)
{
    struct rvlsu *l = &p->lsu;
    l->staged = false;
    if (taken) {
        rvlsu_pop(l, cycle);
    } else {
        l->free = cycle + 1;
        rvpipe_mem_refused(p, io, cycle);
    }
    uint64_t drain = rvpipe_mem_next_drain(p, io), now = rvlsu_moment(cycle + 1, RV_PHASE_LOAD);
    p->when = drain < p->when ? drain : p->when;
    if ((taken || !l->waiter) && now < p->when) /* it may have been what the core waited for */
        p->when = now;
}

void rvpipe_divert(struct rvpipe *p, struct rvpipe_io *io, uint64_t cycle)
{
    if (p->poll.on)
        rvpipe_poll_end(p, io, cycle);
    p->loop.pc = UINT32_MAX;
    p->loop.undecided = false;
    p->next = later(p->next, cycle + p->numbers.mispredict);
    p->next_why = wait_key(WAIT_MISPREDICT, OWNER_PIPELINE);
    p->fetch.line = RVFETCH_NO_LINE;
    p->when = rvlsu_moment(p->next, RV_PHASE_LOAD);
}

bool rvpipe_finish(struct rvpipe *p, struct rvpipe_io *io)
{
    if (p->poll.on)
        rvpipe_poll_end(p, io, later(p->when >> 2, p->next));
    p->loop.pc = UINT32_MAX;
    p->loop.undecided = false;
    WATCH(watch);
    while (rvpipe_mem_drain(p, io, RV_NEVER))
        PROGRESS(watch, p->lsu.free, 3); /* a store left, or a load was answered */
    if (io->c->state == RV_HELD) {
        rvpipe_hold(p);
        return false;
    }
    p->when = rvpipe_mem_next_drain(p, io);
    if (io->ledger->key == GO) /* from the first look on, however long the rest takes to leave */
        wait_ledger_note(io->ledger, p->at + 1, wait_key(WAIT_IDLE, OWNER_NONE));
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
