/*
 * rvcore.c - a baby RISC-V core: the loop that executes instructions.
 *
 * Block: cores B, NC, T0, T1, T2. ISA pages: BabyRISCV/README, InstructionSet (Blackhole).
 *
 * Code is decoded once, into pages of 64 entries (struct rvcode); what an entry does is written in
 * rvcore_exec.def. Straight code runs from entry to entry: the last entry of a page is one that
 * looks up the next page, so nothing has to be compared in between, and the pc is where the entry
 * is. Nor are steps counted: `fence` stands as many entries behind e as there are steps left, less
 * a page. A jump moves it along; only there, and at the end of a page, is it looked at. With
 * less than a page to go the loop dispatches through a second table, which looks at every step,
 * so that exactly `quota` steps are made.
 *
 * Invariants: x[0] is 0; between calls pc is the next instruction; an entry's page has the tag of
 * the code it was made from, and an entry is either DECODE or equals what L1 holds.
 *
 * **Inaccuracies**: no time here: one step is one instruction, mcycle counts steps. The instruction
 * cache is coherent: code that was overwritten runs anew at once, although hardware needs an
 * invalidation and lets up to 20 old instructions through (WH InstructionCache). ecall stops the core
 * like ebreak: no page says what it does. Loads and stores happen in program order: store queue and
 * reordering are the timing model's. Fusing of .ttinsn stops at 16-byte lines: no document says
 * (GUESSED); each fused instruction counts in minstret (GUESSED).
 */
#include "unit/rvcore.h"

#include <string.h>

#include "base/bits.h"
#include "unit/rvcore_in.h"

/* Entries that are no instructions, and the forms of jumps that leave their page. */
enum {
    OWN_DECODE = RV_N_OPS,
    OWN_NEXT_PAGE,
    OWN_JAL_FAR,
    OWN_BEQ_FAR,
    OWN_BNE_FAR,
    OWN_BLT_FAR,
    OWN_BGE_FAR,
    OWN_BLTU_FAR,
    OWN_BGEU_FAR,
    N_ENTRIES
};

#define PAGE_BYTES (sizeof(struct rvinsn) * RV_PAGE_INSNS)

/* ---- reset ---- */

void rvcore_l0_flush(struct rvcore *c)
{
    for (unsigned i = 0; i < RV_L0_LINES; i++)
        c->l0_tag[i] = RV_L0_EMPTY;
}

void rvcore_reset(struct rvcore *c, unsigned which, uint32_t pc)
{
    memset(c, 0, sizeof *c);
    c->which = (uint8_t)which;
    c->state = RV_RUNNING;
    c->pc = pc;
    c->stop_on = RV_STOP_ON_DEFAULT;
    c->cfg0 = RV_CFG0_RESET;
    c->vlenb = RV_VLENB;
    rvcore_l0_flush(c);
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

/* ---- decoded code ---- */

static void clear_page(struct rvinsn *page)
{
    for (unsigned i = 0; i < RV_PAGE_INSNS; i++)
        page[i].op = OWN_DECODE;
}

void rvcode_flush(struct rvcode *code)
{
    for (unsigned i = 0; i < RV_CODE_PAGES; i++) {
        code->tag[i] = UINT32_MAX;
        code->insn[i][RV_PAGE_INSNS] = (struct rvinsn){.op = OWN_NEXT_PAGE};
    }
}

void rvcode_invalidate(struct rvcode *code, uint32_t addr, uint32_t size)
{
    if (!size)
        return;
    uint32_t first = addr >> RV_PAGE_SHIFT;
    uint32_t last = (uint32_t)(((uint64_t)addr + size - 1) >> RV_PAGE_SHIFT);
    for (uint32_t tag = first; tag <= last; tag++)
        if (code->tag[tag % RV_CODE_PAGES] == tag)
            clear_page(code->insn[tag % RV_CODE_PAGES]);
}

/* The page of an address; what was in its place is forgotten. */
static struct rvinsn *page_of(struct rvcode *code, uint32_t pc)
{
    uint32_t tag = pc >> RV_PAGE_SHIFT;
    struct rvinsn *page = code->insn[tag % RV_CODE_PAGES];
    if (code->tag[tag % RV_CODE_PAGES] != tag) {
        code->tag[tag % RV_CODE_PAGES] = tag;
        clear_page(page);
    }
    return page;
}

/* How many .ttinsn stand from pc to the end of its 16-byte line. */
static uint8_t run_of_ttinsn(const struct rvmem *m, uint32_t pc)
{
    uint8_t n = 1;
    for (uint32_t at = pc + 4; at & 15 && (m->l1[at] & 3) != 3; at += 4)
        n++;
    return n;
}

/* A jump within its page becomes a distance in entries' bytes, any other an absolute target. */
static void decode_jump(struct rvinsn *e, uint32_t pc, uint16_t far)
{
    uint32_t target = pc + (uint32_t)e->imm;
    if ((target ^ pc) >> RV_PAGE_SHIFT || target & 3) {
        e->op = far;
        e->imm = (int32_t)target;
    } else {
        e->imm = (int32_t)(e->imm / 4 * (int32_t)sizeof *e);
    }
}

static COLD void decode(const struct rvmem *m, struct rvinsn *e, uint32_t pc)
{
    uint32_t word = rv_get32(m->l1 + pc);
    enum rv_op op = rv32_decode(word);
    struct rv32_args a = rv32_args_of(op, word);
    *e = (struct rvinsn){(uint16_t)op, a.rd, a.rs1, a.rs2, a.rs3, a.csr, a.imm, word};
    if (!a.rd && rv32_writes_x(op))
        e->rd = 32;
    switch (op) {
    case RV_OP_AUIPC: e->imm = (int32_t)(pc + (uint32_t)a.imm); break;
    case RV_OP_JAL: decode_jump(e, pc, OWN_JAL_FAR); break;
    case RV_OP_BEQ: decode_jump(e, pc, OWN_BEQ_FAR); break;
    case RV_OP_BNE: decode_jump(e, pc, OWN_BNE_FAR); break;
    case RV_OP_BLT: decode_jump(e, pc, OWN_BLT_FAR); break;
    case RV_OP_BGE: decode_jump(e, pc, OWN_BGE_FAR); break;
    case RV_OP_BLTU: decode_jump(e, pc, OWN_BLTU_FAR); break;
    case RV_OP_BGEU: decode_jump(e, pc, OWN_BGEU_FAR); break;
    case RV_OP_TTINSN: e->rs3 = run_of_ttinsn(m, pc); break;
    default: break;
    }
}

/* ---- arithmetic without an operator in C ---- */

static uint32_t divide(uint32_t a, uint32_t b)
{
    if (!b)
        return UINT32_MAX;
    if (a == UINT32_C(0x80000000) && b == UINT32_MAX)
        return a;
    return (uint32_t)((int32_t)a / (int32_t)b);
}

static uint32_t remainder_of(uint32_t a, uint32_t b)
{
    if (!b)
        return a;
    if (a == UINT32_C(0x80000000) && b == UINT32_MAX)
        return 0;
    return (uint32_t)((int32_t)a % (int32_t)b);
}

static uint32_t ones(uint32_t x)
{
    x -= x >> 1 & UINT32_C(0x55555555);
    x = (x & UINT32_C(0x33333333)) + (x >> 2 & UINT32_C(0x33333333));
    x = (x + (x >> 4)) & UINT32_C(0x0f0f0f0f);
    return x * UINT32_C(0x01010101) >> 24;
}

static uint32_t trailing_zeros(uint32_t x)
{
    return ones(~x & (x - 1));
}

static uint32_t leading_zeros(uint32_t x)
{
    for (unsigned n = 1; n < 32; n *= 2)
        x |= x >> n;
    return 32 - ones(x);
}

static uint32_t or_bytes(uint32_t x)
{
    uint32_t out = 0;
    for (unsigned i = 0; i < 32; i += 8)
        if (x >> i & 0xff)
            out |= UINT32_C(0xff) << i;
    return out;
}

/* Bit k of mode set: swap neighbouring groups of 2^k bits. */
static uint32_t reverse(uint32_t x, uint32_t mode)
{
    static const uint32_t odd[5] = {0xaaaaaaaa, 0xcccccccc, 0xf0f0f0f0, 0xff00ff00, 0xffff0000};
    for (unsigned k = 0; k < 5; k++)
        if (mode >> k & 1)
            x = (x & odd[k]) >> (1u << k) | (x & ~odd[k]) << (1u << k);
    return x;
}

/* ---- the loop, twice ---- */

/* Everything an instruction sees that is not in the core: the page it is in, where that page
   begins in L1, and how far it is to the last step. */
#define LOOP_STATE                                                                                 \
    struct rvinsn *page, *e;                                                                       \
    uint32_t base, target, value;                                                                  \
    uint64_t fence, from;                                                                          \
    const uint64_t steps = c->steps;

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
#define ILLEGAL                                                                                    \
    {                                                                                              \
        if (rvcore_fault(c, m, RV_FAULT_ILLEGAL, PC, e->word))                                     \
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
        rvcore_fault(c, m, RV_FAULT_FETCH, c->pc, c->pc);
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
#define AT_VMUL(id)   &&L_VEC
#define AT_VMASK(id)  &&L_VEC
#define AT_VPERM(id)  &&L_VEC
#define AT_VRED(id)   &&L_VEC
#define AT_VFMA(id)   &&L_VEC
#define AT_VFMISC(id) &&L_VEC
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
    page = page_of(m->code, target);
    e = page + (target - base) / 4;
    fence += (uint64_t)(uintptr_t)e - from;
    /* signed: a quota smaller than a page puts the fence before all entries */
    table = (int64_t)((uint64_t)(uintptr_t)e - fence) >= 0 ? look : go;
    goto *table[e->op];
look_first:
    if ((int64_t)((uint64_t)(uintptr_t)e - fence) >= (int64_t)PAGE_BYTES)
        goto stay;
    goto *go[e->op];

#include "unit/rvcore_exec.def"

lost:
    fence += PAGE_BYTES - from;
    c->steps = steps + quota - fence / sizeof *e;
    c->pc = target;
    rvcore_fault(c, m, RV_FAULT_FETCH, target, target);
    return (uint32_t)(c->steps - steps);
stay:
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
    page = page_of(m->code, target);
    e = page + (target - base) / 4;
    fence += (uint64_t)(uintptr_t)e - from;
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
#include "unit/rvcore_exec.def"
        }
    }
lost:
    fence += PAGE_BYTES - from;
    c->steps = steps + quota - fence / sizeof *e;
    c->pc = target;
    rvcore_fault(c, m, RV_FAULT_FETCH, target, target);
    return (uint32_t)(c->steps - steps);
stay:
    c->pc = PC;
    c->steps = steps + DONE;
    return DONE;
}
