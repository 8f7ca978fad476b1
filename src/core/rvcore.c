/*
 * rvcore.c - a baby RISC-V core: the loop that executes instructions.
 *
 * Block: cores B, NC, T0, T1, T2. ISA pages: BabyRISCV/README, InstructionSet (Blackhole).
 *
 * Code is decoded once, into pages of 64 entries (rvcode.c); what an entry does is written in
 * rvcore_exec.def. Straight code runs from entry to entry: the last entry of a page is one that
 * looks up the next page, so nothing has to be compared in between, and the pc is where the entry
 * is. Nor are steps counted: `fence` stands as many entries behind e as there are steps left, less
 * a page. A jump moves it along; only there, and at the end of a page, is it looked at. With
 * less than a page to go the loop dispatches through a second table, which looks at every step,
 * so that exactly `quota` steps are made.
 *
 * Invariants: x[0] is 0; between calls pc is the next instruction. A call ends with the instruction that puts its own core into
 * reset, which does not count.
 *
 * **Inaccuracies**: no time here: one step is one instruction, mcycle counts steps. The instruction
 * cache is coherent: code that was overwritten runs anew at once, although hardware needs an
 * invalidation and lets up to 20 old instructions through (WH InstructionCache). ecall stops the core
 * like ebreak: no page says what it does. Loads and stores happen in program order: store queue and
 * reordering are the timing model's. Fusing of .ttinsn stops at 16-byte lines: no document says
 * (GUESSED); each fused instruction counts in minstret (GUESSED).
 */
#include "core/rvcore.h"

#include <string.h>

#include "base/bits.h"
#include "core/rvcore_in.h"
#include "core/rvcore_math.h"

#define PAGE_BYTES (sizeof(struct rvinsn) * RV_PAGE_INSNS)

/* ---- reset ---- */

void rvcore_l0_flush(struct rvcore *c)
{
    for (unsigned i = 0; i < RV_L0_LINES; i++)
        c->l0_tag[i] = RV_L0_EMPTY;
}

void rvcore_reset(struct rvcore *c, unsigned which, uint32_t pc)
{
    uint32_t resets = c->resets;
    uint64_t lead = rvcore_time(c);
    memset(c, 0, sizeof *c);
    c->resets = resets + 1;
    c->lead = lead;
    c->which = (uint8_t)which;
    c->state = RV_RUNNING;
    c->pc = pc;
    c->stop_on = RV_STOP_ON_DEFAULT;
    c->cfg0 = RV_CFG0_RESET;
    c->vlenb = RV_VLENB;
    rvcore_l0_flush(c);
}

void rvcore_hold(struct rvcore *c)
{
    c->state = RV_HELD;
    c->resets++;
}

void rvcore_resume(struct rvcore *c)
{
    if (c->state != RV_STOPPED)
        return;
    if (c->stop != RV_STOP_FAULT || c->fault != RV_FAULT_FETCH)
        c->pc += 4;
    c->stop = RV_STOP_NONE;
    c->state = RV_RUNNING;
}

bool rvcore_interrupt(struct rvcore *c, uint32_t handler_pc)
{
    if ((c->which != RV_B && c->which != RV_NC) || c->in_handler ||
        (c->state != RV_RUNNING && c->state != RV_BLOCKED))
        return false;
    c->in_handler = 1;
    c->interrupted_pc = c->pc;
    c->intp_restore_pc = c->pc;
    c->vec_done = 0;
    c->pc = handler_pc;
    c->state = RV_RUNNING;
    return true;
}

/* ---- the loop, twice ---- */

/* Everything an instruction sees that is not in the core: the page it is in, where that page
   begins in L1, and how far it is to the last step. */
#define LOOP_STATE                                                                                 \
    struct rvinsn *page, *e;                                                                       \
    uint32_t base, target, value;                                                                  \
    uint64_t fence, from;                                                                          \
    const uint64_t steps = c->steps;                                                               \
    const uint32_t resets = c->resets;

#define PC   (base + (uint32_t)(e - page) * 4)
#define RD   c->x[e->rd]
#define R1   c->x[e->rs1]
#define R2   c->x[e->rs2]
#define IMM  ((uint32_t)e->imm)
#define DONE (quota - (uint32_t)((fence + PAGE_BYTES - (uint64_t)(uintptr_t)e) / sizeof *e))
#define STAY                                                                                       \
    {                                                                                              \
        goto stay;                                                                                 \
    }
#define FAR(pc_)                                                                                   \
    {                                                                                              \
        target = (pc_);                                                                            \
        from = (uint64_t)(uintptr_t)(e + 1);                                                       \
        goto far;                                                                                  \
    }
#define LOAD(address, size)                                                                        \
    if (!rvcore_load_near(c, m, address, size, &value)) {                                          \
        c->steps = steps + DONE;                                                                   \
        if (!rvcore_mem_load_any(c, m, PC, address, size, &value))                                 \
            STAY                                                                                   \
    }
#define STORE(address, size, data)                                                                 \
    if (!rvcore_store_near(c, m, address, size, data)) {                                           \
        c->steps = steps + DONE;                                                                   \
        if (!rvcore_mem_store_any(c, m, PC, address, size, data))                                  \
            STAY                                                                                   \
    }
#define PUSH(n)                                                                                    \
    c->steps = steps + DONE;                                                                       \
    if (!rvcore_mem_push(c, m, PC, e, n))                                                          \
    STAY
#define DO_AMO                                                                                     \
    c->steps = steps + DONE;                                                                       \
    if (!rvcore_mem_amo(c, m, PC, e))                                                              \
    STAY
#define DO_CSR                                                                                     \
    c->steps = steps + DONE;                                                                       \
    if (!rvcore_csr(c, m, PC, e))                                                                  \
    STAY
#define DO_VEC                                                                                     \
    c->steps = steps + DONE;                                                                       \
    if (!rvcore_vec(c, m, PC, e))                                                                  \
    STAY
#define DO_FENCE rvcore_l0_flush(c);
#define SKIP(n)                                                                                    \
    if ((n) != 0) {                                                                                \
        e += n;                                                                                    \
        fence += (uint64_t)(n) * sizeof *e;                                                        \
        c->fused += n;                                                                             \
    }
/* Counts the steps of all whole rounds that are left of a loop that polls in vain: fence comes nearer. */
#define VAIN                                                                                       \
    {                                                                                              \
        uint64_t left = quota - DONE;                                                              \
        fence -= (left - left % c->poll.round) * sizeof *e;                                        \
        c->poll.round = 0;                                                                         \
    }
#define SPIN                                                                                       \
    if (!e->imm)                                                                                   \
        goto spin;
#define ILLEGAL                                                                                    \
    {                                                                                              \
        if (rvcore_mem_fault(c, m, RV_FAULT_ILLEGAL, PC, e->word))                                 \
            goto stay;                                                                             \
        NEXT                                                                                       \
    }
#define BRANCH(id, condition)                                                                      \
    OP(id)                                                                                         \
    {                                                                                              \
        if (condition)                                                                             \
            TAKE                                                                                   \
    }                                                                                              \
    NEXT OWN(id##_FAR)                                                                             \
    {                                                                                              \
        if (condition)                                                                             \
            FAR(IMM)                                                                               \
    }                                                                                              \
    NEXT

/* May the core run, and is there something at pc? Fetches nothing. */
static bool can_start(struct rvcore *c, const struct rvmem *m)
{
    if (c->state != RV_RUNNING && c->state != RV_BLOCKED)
        return false;
    c->state = RV_RUNNING;
    if (c->pc & 3 || c->pc >= m->l1_size) {
        rvcore_mem_fault(c, m, RV_FAULT_FETCH, c->pc, c->pc);
        return false;
    }
    return true;
}

#if defined(__GNUC__) && !defined(WG_PLAIN_DISPATCH)

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"

#define AT_ALU(id)    &&L_##id
#define AT_MUL(id)    &&L_##id
#define AT_DIV(id)    &&L_##id
#define AT_BRANCH(id) &&L_##id
#define AT_JUMP(id)   &&L_##id
#define AT_LOAD(id)   &&L_##id
#define AT_STORE(id)  &&L_##id
#define AT_FENCE(id)  &&L_##id
#define AT_SYSTEM(id) &&L_##id
#define AT_AMO(id)    &&L_AMO
#define AT_CSR(id)    &&L_CSR
#define AT_FMA(id)    &&L_FP
#define AT_FCVT(id)   &&L_FP
#define AT_FMISC(id)  &&L_FP
#define AT_VLOAD(id)  &&L_VEC
#define AT_VSTORE(id) &&L_VEC
#define AT_VALU(id)   &&L_VEC
#define AT_VMASK(id)  &&L_VEC
#define AT_VPERM(id)  &&L_VEC
#define AT_VRED(id)   &&L_VEC
#define AT_VCFG(id)   &&L_VEC

uint32_t rvcore_run(struct rvcore *c, const struct rvmem *m, uint32_t quota)
{
    /* clang-format off */
    static const void *const go[N_ENTRIES] = {
#define RV(id, name, match, mask, format, extension, class, text) AT_##class(id),
#include "isa/rv32.def"
        &&L_TTINSN, &&L_ILLEGAL, &&L_DECODE, &&L_NEXT_PAGE, &&L_JAL_FAR, &&L_BEQ_FAR, &&L_BNE_FAR,
        &&L_BLT_FAR, &&L_BGE_FAR, &&L_BLTU_FAR, &&L_BGEU_FAR};
    static const void *const look[N_ENTRIES] = {
#define RV(id, name, match, mask, format, extension, class, text) &&look_first,
#include "isa/rv32.def"
        &&look_first, &&look_first, &&look_first, &&look_first, &&look_first, &&look_first,
        &&look_first, &&look_first, &&look_first, &&look_first, &&look_first};
    /* clang-format on */
    LOOP_STATE
    const void *const *table;

#define OP(id)       L_##id:
#define OWN(id)      L_##id:
#define CLASS_OP(id) L_##id:
#define AGAIN        goto *table[e->op];
#define NEXT                                                                                       \
    e++;                                                                                           \
    goto *table[e->op];
#define TAKE                                                                                       \
    {                                                                                              \
        int64_t way = e->imm;                                                                      \
        e = (struct rvinsn *)((char *)e + way);                                                    \
        fence += (uint64_t)way - sizeof *e;                                                        \
        if ((uint64_t)(uintptr_t)e >= fence)                                                       \
            table = look;                                                                          \
        goto *table[e->op];                                                                        \
    }

    if (!quota || !can_start(c, m))
        return 0;
    target = c->pc;
    from = 0;
    fence = (uint64_t)quota * sizeof *e - PAGE_BYTES;
far:
    base = target & ~((UINT32_C(1) << RV_PAGE_SHIFT) - 1);
    if (target & 3 || target >= m->l1_size)
        goto lost;
    page = rvcode_page(m->code, target);
    e = page + (target - base) / 4;
    fence += (uint64_t)(uintptr_t)e - from;
    /* signed: a quota smaller than a page puts the fence before all entries */
    table = (int64_t)((uint64_t)(uintptr_t)e - fence) >= 0 ? look : go;
    goto *table[e->op];
look_first:
    if ((int64_t)((uint64_t)(uintptr_t)e - fence) >= (int64_t)PAGE_BYTES)
        goto stay;
    goto *go[e->op];

#include "core/rvcore_exec.def"

lost:
    fence += PAGE_BYTES - from;
    c->steps = steps + quota - fence / sizeof *e;
    c->pc = target;
    rvcore_mem_fault(c, m, RV_FAULT_FETCH, target, target);
    return (uint32_t)(c->steps - steps);
spin: /* for all steps that are left */
    c->pc = PC;
    c->steps = steps + quota;
    return quota;
stay:
    if (c->poll.round && !c->parks) {
        VAIN table = look;
        goto look_first;
    }
    if (c->resets != resets) /* pc and steps are no longer those of this program */
        return DONE;
    c->pc = PC;
    c->steps = steps + DONE;
    return DONE;

#undef OP
#undef OWN
#undef CLASS_OP
#undef AGAIN
#undef NEXT
#undef TAKE
}

#pragma GCC diagnostic pop

#else

uint32_t rvcore_run(struct rvcore *c, const struct rvmem *m, uint32_t quota)
{
    return rvcore_run_plain(c, m, quota);
}

#endif

uint32_t rvcore_run_plain(struct rvcore *c, const struct rvmem *m, uint32_t quota)
{
    LOOP_STATE

#define OP(id)       case RV_OP_##id:
#define OWN(id)      case OWN_##id:
#define CLASS_OP(id) L_##id:
#define AGAIN        continue;
#define NEXT                                                                                       \
    e++;                                                                                           \
    continue;
#define TAKE                                                                                       \
    {                                                                                              \
        int64_t way = e->imm;                                                                      \
        e = (struct rvinsn *)((char *)e + way);                                                    \
        fence += (uint64_t)way - sizeof *e;                                                        \
        continue;                                                                                  \
    }

    if (!quota || !can_start(c, m))
        return 0;
    target = c->pc;
    from = 0;
    fence = (uint64_t)quota * sizeof *e - PAGE_BYTES;
far:
    base = target & ~((UINT32_C(1) << RV_PAGE_SHIFT) - 1);
    if (target & 3 || target >= m->l1_size)
        goto lost;
    page = rvcode_page(m->code, target);
    e = page + (target - base) / 4;
    fence += (uint64_t)(uintptr_t)e - from;
again:
    for (;;) {
        if ((int64_t)((uint64_t)(uintptr_t)e - fence) >= (int64_t)PAGE_BYTES)
            goto stay;
        switch (e->op) {
        default:
            switch (rv32_table[e->op].class) {
            case RV_CLASS_AMO: goto L_AMO;
            case RV_CLASS_CSR: goto L_CSR;
            case RV_CLASS_FMA:
            case RV_CLASS_FCVT:
            case RV_CLASS_FMISC: goto L_FP;
            default: goto L_VEC;
            }
#include "core/rvcore_exec.def"
        }
    }
lost:
    fence += PAGE_BYTES - from;
    c->steps = steps + quota - fence / sizeof *e;
    c->pc = target;
    rvcore_mem_fault(c, m, RV_FAULT_FETCH, target, target);
    return (uint32_t)(c->steps - steps);
spin: /* for all steps that are left */
    c->pc = PC;
    c->steps = steps + quota;
    return quota;
stay:
    if (c->poll.round && !c->parks) {
        VAIN goto again;
    }
    if (c->resets != resets) /* pc and steps are no longer those of this program */
        return DONE;
    c->pc = PC;
    c->steps = steps + DONE;
    return DONE;
}
