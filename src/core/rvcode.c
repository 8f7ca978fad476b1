/*
 * rvcode.c - decoded RISC-V code: pages of 64 entries made from L1 when they are first executed.
 *
 * Block: none of the hardware's; what its decoder would find out. ISA page: BabyRISCV/InstructionSet
 * (Blackhole).
 *
 * Invariants: an entry's page has the tag of the code it was made from, and an entry is either DECODE
 * or equals what L1 holds; use[] has what the pipeline must know of every entry that is not DECODE.
 *
 * **Inaccuracies**: a group of vector registers counts as its first one, and a mask register is not a
 * source.
 */
#include "state/rvcode.h"

#include "base/bits.h"
#include "isa/timing.h"
#include <string.h>

#include "core/rvcore.h"
#include "core/rvcore_in.h"

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
struct rvinsn *rvcode_page(struct rvcode *code, uint32_t pc)
{
    uint32_t tag = pc >> RV_PAGE_SHIFT;
    struct rvinsn *page = code->insn[tag % RV_CODE_PAGES];
    if (code->tag[tag % RV_CODE_PAGES] != tag) {
        code->tag[tag % RV_CODE_PAGES] = tag;
        clear_page(page);
    }
    return page;
}

/* ---- what the pipeline has to know ---- */

/* Which of rd, rs1, rs2, rs3 are floating point registers. */
enum { F_D = 1, F_1 = 2, F_2 = 4, F_3 = 8 };

static unsigned code_float(unsigned format)
{
    switch (format) {
    case RV_FMT_FLOAD: return F_D;
    case RV_FMT_FSTORE: return F_2;
    case RV_FMT_FR:
    case RV_FMT_FRM: return F_D | F_1 | F_2;
    case RV_FMT_F4: return F_D | F_1 | F_2 | F_3;
    case RV_FMT_FCMP: return F_1 | F_2;
    case RV_FMT_FX:
    case RV_FMT_FXRM: return F_1;
    case RV_FMT_XF:
    case RV_FMT_XFRM: return F_D;
    case RV_FMT_FF:
    case RV_FMT_FF0: return F_D | F_1;
    default: return 0;
    }
}

static uint8_t code_source(bool is_f, bool is_x, unsigned reg)
{
    if (is_f)
        return (uint8_t)(RV_USE_F + reg);
    return is_x && reg ? (uint8_t)reg : RV_USE_NONE;
}

/* Cycles to the result by class; 0: it depends. */
void rvcode_time(struct rvcode *code, const struct timing *t)
{
    const uint8_t latency[] = {
        [RV_CLASS_ALU] = 1,
        [RV_CLASS_MUL] = (uint8_t)t->n.RISC_MUL,
        [RV_CLASS_DIV] = 0,
        [RV_CLASS_BRANCH] = 1,
        [RV_CLASS_JUMP] = 1,
        [RV_CLASS_LOAD] = (uint8_t)t->n.LOAD_LOCAL,
        [RV_CLASS_STORE] = 2,
        [RV_CLASS_FENCE] = 0,
        [RV_CLASS_AMO] = (uint8_t)t->n.LOAD_ATOMIC,
        [RV_CLASS_CSR] = 0,
        [RV_CLASS_SYSTEM] = 1,
        [RV_CLASS_FMA] = (uint8_t)t->n.RISC_MUL,
        [RV_CLASS_FCVT] = (uint8_t)t->n.RISC_MUL,
        [RV_CLASS_FMISC] = 1,
        [RV_CLASS_VLOAD] = (uint8_t)t->n.LOAD_L1,
        [RV_CLASS_VSTORE] = 2,
        [RV_CLASS_VALU] = (uint8_t)t->n.RISC_VECTOR,
        [RV_CLASS_VMASK] = (uint8_t)t->n.RISC_VECTOR,
        [RV_CLASS_VPERM] = (uint8_t)t->n.RISC_VECTOR,
        [RV_CLASS_VRED] = (uint8_t)t->n.RISC_VECTOR,
        [RV_CLASS_VCFG] = 0,
        [RV_CLASS_TTINSN] = 2,
        [RV_CLASS_ILLEGAL] = 1,
    };
    _Static_assert(sizeof latency <= sizeof code->latency, "one for each class");
    memcpy(code->latency, latency, sizeof latency);
}

/* Vector instructions: vd, vs1, vs2 as far as their format has them; masks and groups aside. */
static struct rvuse code_use_vector(enum rv_op op, const struct rv32_args *a)
{
    unsigned class = rv32_table[op].class;
    struct rvuse u = {.class = (uint8_t) class,
                      .d = (uint8_t)(RV_USE_V + a->rd),
                      .s1 = code_source(false, rv32_reads_x1(op), a->rs1),
                      .s2 = (uint8_t)(RV_USE_V + a->rs2),
                      .s3 = RV_USE_NONE};
    if (class == RV_CLASS_VSTORE) { /* the data is in vd's place */
        u.s3 = u.d;
        u.d = RV_USE_SINK;
    }
    if (class == RV_CLASS_VLOAD || class == RV_CLASS_VSTORE)
        u.s2 = RV_USE_NONE;
    else if (u.s1 == RV_USE_NONE)
        u.s1 = (uint8_t)(RV_USE_V + a->rs1);
    if (rv32_writes_x(op))
        u.d = a->rd ? a->rd : RV_USE_SINK;
    return u;
}

static struct rvuse code_registers(enum rv_op op, const struct rv32_args *a)
{
    unsigned class = rv32_table[op].class, f = code_float(rv32_table[op].format);
    if (class >= RV_CLASS_VLOAD && class <= RV_CLASS_VRED)
        return code_use_vector(op, a);
    struct rvuse u = {.class = (uint8_t) class,
                      .d = RV_USE_SINK,
                      .s1 = code_source(f & F_1, rv32_reads_x1(op), a->rs1),
                      .s2 = code_source(f & F_2, rv32_reads_x2(op), a->rs2),
                      .s3 = code_source(f & F_3, false, a->rs3)};
    if (f & F_D)
        u.d = (uint8_t)(RV_USE_F + a->rd);
    else if (rv32_writes_x(op) && a->rd)
        u.d = a->rd;
    return u;
}

static struct rvuse code_use(const struct rvcode *code, enum rv_op op, const struct rv32_args *a)
{
    struct rvuse u = code_registers(op, a);
    u.lat = code->latency[u.class];
    u.special = !u.lat || u.s3 != RV_USE_NONE || u.class == RV_CLASS_MUL ||
                (u.class >= RV_CLASS_FMA && u.class <= RV_CLASS_VCFG);
    return u;
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

void rvcode_decode(const struct rvmem *m, struct rvinsn *e, uint32_t pc)
{
    uint32_t word = rvcore_get32(m->l1 + pc);
    enum rv_op op = rv32_decode(word);
    struct rv32_args a = rv32_args_of(op, word);
    *e = (struct rvinsn){(uint16_t)op, a.rd, a.rs1, a.rs2, a.rs3, a.csr, a.imm, word};
    if (!a.rd && rv32_writes_x(op))
        e->rd = 32;
    m->code->use[(pc >> RV_PAGE_SHIFT) % RV_CODE_PAGES][pc / 4 % RV_PAGE_INSNS] =
        code_use(m->code, op, &a);
    switch (op) {
    case RV_OP_AUIPC: e->imm = (int32_t)(pc + (uint32_t)a.imm); break;
    case RV_OP_JAL: decode_jump(e, pc, OWN_JAL_FAR); break;
    case RV_OP_BEQ: decode_jump(e, pc, OWN_BEQ_FAR); break;
    case RV_OP_BNE: decode_jump(e, pc, OWN_BNE_FAR); break;
    case RV_OP_BLT: decode_jump(e, pc, OWN_BLT_FAR); break;
    case RV_OP_BGE: decode_jump(e, pc, OWN_BGE_FAR); break;
    case RV_OP_BLTU: decode_jump(e, pc, OWN_BLTU_FAR); break;
    case RV_OP_BGEU: decode_jump(e, pc, OWN_BGEU_FAR); break;
    case RV_OP_TTINSN:
        e->rs3 = run_of_ttinsn(m, pc);
        e->imm = (int32_t)bits_rotr(word, 2);
        break;
    default: break;
    }
}
