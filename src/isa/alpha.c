/*
 * alpha.c - tables and decoder of the Alpha, made from alpha.def.
 *
 * A word's opcode says which of its bits are the function; opcode and function together name the
 * row. What remains is whether the bits that the row's format fixes are as they should be.
 */
#include "isa/alpha.h"

#include "base/bits.h"
#include "base/evidence.h"

const struct alpha_op_info alpha_ops[ALPHA_N_OPS] = {
#define ALPHA_OP(id, box, latency, size, flags, evidence, text)                                    \
    {#id, ALPHA_BOX_##box, ALPHA_LATENCY_##latency, size, EVIDENCE_##evidence, flags, text},
#include "isa/alpha.def"
};

const struct alpha_form alpha_forms[ALPHA_N_FORMS] = {
#define ALPHA_FORM(id, name, format, opcode, function)                                             \
    {name, ALPHA_OP_##id, ALPHA_FMT_##format, opcode, function},
#include "isa/alpha.def"
};

const struct alpha_latency_info alpha_latencies[ALPHA_N_LATENCIES] = {
#define ALPHA_LATENCY(name, cycles, evidence, source, text)                                        \
    {#name, cycles, EVIDENCE_##evidence, source, text},
#include "isa/alpha.def"
};

#define RA(w) bits_get(w, 21, 5)
#define RB(w) bits_get(w, 16, 5)
#define RC(w) bits_get(w, 0, 5)

/* ---- which row ---- */

static unsigned function_of(uint32_t w)
{
    switch (w >> 26) {
    case 0x00: return bits_get(w, 0, 26) < 0xffff ? bits_get(w, 0, 16) : 0xffff;
    case 0x10:
    case 0x11:
    case 0x12:
    case 0x13:
    case 0x1c: return bits_get(w, 5, 7);
    case 0x14:
    case 0x15:
    case 0x16:
    case 0x17: return bits_get(w, 5, 11);
    case 0x18: return bits_get(w, 0, 16);
    case 0x1a: return bits_get(w, 14, 2);
    default: return 0;
    }
}

/* Are the bits that the format fixes as they should be? */
static bool fits(unsigned format, uint32_t w)
{
    bool literal = w >> 12 & 1;
    switch (format) {
    case ALPHA_FMT_OPERATE_N: return !literal;
    case ALPHA_FMT_OPERATE_B:
    case ALPHA_FMT_SEXT:
    case ALPHA_FMT_FOPERATE_B:
    case ALPHA_FMT_MISC_B: return RA(w) == 31;
    case ALPHA_FMT_OPERATE_R: return RA(w) == 31 && !literal;
    case ALPHA_FMT_IMPLVER: return RA(w) == 31 && literal && bits_get(w, 13, 8) == 1;
    case ALPHA_FMT_FTOI: return RB(w) == 31 && bits_get(w, 12, 4) == 0;
    case ALPHA_FMT_ITOF: return RB(w) == 31;
    case ALPHA_FMT_FPCR_R:
    case ALPHA_FMT_FPCR_W: return RA(w) == RB(w) && RA(w) == RC(w);
    default: return true;
    }
}

#define KEY(opcode, function) ((uint32_t)(opcode) << 16 | (uint32_t)(function))
#define FOUND(op, format)     ((int)(op) << 8 | (int)(format))

/* Operation and format of a key, as FOUND; -1 if there is no such row. */
static int find(uint32_t key)
{
    switch (key) {
#define ALPHA_FORM(id, name, format, opcode, function)                                             \
    case KEY(opcode, function):                                                                    \
        return FOUND(ALPHA_OP_##id, ALPHA_FMT_##format);
#include "isa/alpha.def"
    default: return key >> 16 ? -1 : FOUND(ALPHA_OP_CALL_PAL, ALPHA_FMT_PAL_ANY);
    }
}

const struct alpha_form *alpha_form_of(uint32_t word)
{
    const struct alpha_form *any = NULL;
    for (unsigned n = 0; n < ALPHA_N_FORMS; n++) {
        const struct alpha_form *f = &alpha_forms[n];
        if (f->opcode != word >> 26)
            continue;
        if (f->function == function_of(word))
            return fits(f->format, word) ? f : NULL;
        if (f->op == ALPHA_OP_CALL_PAL)
            any = f;
    }
    return any;
}

/* ---- operands ---- */

static uint8_t to(unsigned reg)
{
    return (uint8_t)(reg == ALPHA_ZERO || reg == ALPHA_FZERO ? ALPHA_SINK : reg);
}

static void take_b(struct alpha_insn *i)
{
    if (i->word >> 12 & 1) {
        i->go = ALPHA_GO_LITERAL;
        i->imm = (int32_t)bits_get(i->word, 13, 8);
    } else {
        i->b = (uint8_t)RB(i->word);
    }
}

static int32_t sign_extend(uint32_t value, unsigned bits)
{
    uint32_t sign = UINT32_C(1) << (bits - 1);
    return (int32_t)((value ^ sign) - sign);
}

static void memory_operands(struct alpha_insn *i, unsigned format)
{
    uint32_t w = i->word;
    unsigned file = format == ALPHA_FMT_FLOAD || format == ALPHA_FMT_FSTORE ? ALPHA_FP : 0;
    i->b = (uint8_t)RB(w);
    i->imm = sign_extend(bits_get(w, 0, 16), 16);
    if (i->op == ALPHA_OP_LDAH)
        i->imm = (int32_t)((uint32_t)i->imm << 16);
    if (format == ALPHA_FMT_LDA || format == ALPHA_FMT_LOAD || format == ALPHA_FMT_FLOAD ||
        format == ALPHA_FMT_STORE_C)
        i->d = to(RA(w) + file);
    if (format == ALPHA_FMT_STORE || format == ALPHA_FMT_FSTORE || format == ALPHA_FMT_STORE_C)
        i->a = (uint8_t)(RA(w) + file);
}

static void operands(struct alpha_insn *i, unsigned format)
{
    uint32_t w = i->word;
    switch (format) {
    case ALPHA_FMT_LDA:
    case ALPHA_FMT_LOAD:
    case ALPHA_FMT_STORE:
    case ALPHA_FMT_STORE_C:
    case ALPHA_FMT_FLOAD:
    case ALPHA_FMT_FSTORE: memory_operands(i, format); break;
    case ALPHA_FMT_BR:
        i->d = to(RA(w));
        i->imm = sign_extend(bits_get(w, 0, 21), 21) * 4;
        break;
    case ALPHA_FMT_BRANCH:
    case ALPHA_FMT_FBRANCH:
        i->a = (uint8_t)(RA(w) + (format == ALPHA_FMT_FBRANCH ? ALPHA_FP : 0));
        i->imm = sign_extend(bits_get(w, 0, 21), 21) * 4;
        break;
    case ALPHA_FMT_JUMP:
    case ALPHA_FMT_RET:
        i->b = (uint8_t)RB(w);
        i->d = to(RA(w));
        break;
    case ALPHA_FMT_CMOVE: i->c = (uint8_t)RC(w); /* fall through */
    case ALPHA_FMT_OPERATE:
    case ALPHA_FMT_OPERATE_N: i->a = (uint8_t)RA(w); /* fall through */
    case ALPHA_FMT_OPERATE_B:
    case ALPHA_FMT_OPERATE_R:
    case ALPHA_FMT_SEXT:
        take_b(i);
        i->d = to(RC(w));
        break;
    case ALPHA_FMT_IMPLVER: i->d = to(RC(w)); break;
    case ALPHA_FMT_FTOI:
        i->a = (uint8_t)(RA(w) + ALPHA_FP);
        i->d = to(RC(w));
        break;
    case ALPHA_FMT_ITOF:
        i->a = (uint8_t)RA(w);
        i->d = to(RC(w) + ALPHA_FP);
        break;
    case ALPHA_FMT_FCMOVE: i->c = (uint8_t)(RC(w) + ALPHA_FP);   /* fall through */
    case ALPHA_FMT_FOPERATE: i->a = (uint8_t)(RA(w) + ALPHA_FP); /* fall through */
    case ALPHA_FMT_FOPERATE_B:
        i->b = (uint8_t)(RB(w) + ALPHA_FP);
        i->d = to(RC(w) + ALPHA_FP);
        i->qual = (uint8_t)bits_get(w, 11, 5);
        break;
    case ALPHA_FMT_FPCR_R: i->d = to(RA(w) + ALPHA_FP); break;
    case ALPHA_FMT_FPCR_W: i->a = (uint8_t)(RA(w) + ALPHA_FP); break;
    case ALPHA_FMT_MISC_A: i->d = to(RA(w)); break;
    case ALPHA_FMT_MISC_AB:
        i->b = (uint8_t)RB(w);
        i->d = to(RA(w));
        break;
    default: break;
    }
}

struct alpha_insn alpha_decode(uint32_t word)
{
    struct alpha_insn i = {.a = ALPHA_ZERO,
                           .b = ALPHA_ZERO,
                           .c = ALPHA_ZERO,
                           .d = ALPHA_SINK,
                           .op = ALPHA_OP_ILLEGAL,
                           .word = word};
    int found = find(KEY(word >> 26, function_of(word)));
    if (found >= 0 && fits((unsigned)found & 0xff, word)) {
        i.op = (uint8_t)(found >> 8);
        if (i.op == ALPHA_OP_RDUNIQ)
            i.d = 0;
        else if (i.op == ALPHA_OP_WRUNIQ || i.op == ALPHA_OP_GENTRAP)
            i.a = 16;
        else if (i.op != ALPHA_OP_VAX)
            operands(&i, (unsigned)found & 0xff);
    }
    /* a load to R31 or F31 is a prefetch, LDQ_U to R31 the usual no-operation */
    if (alpha_ops[i.op].flags & AF_LOAD && i.d == ALPHA_SINK) {
        i.op = ALPHA_OP_HINT;
        i.b = ALPHA_ZERO;
    }
    i.go = (uint16_t)((i.go & ALPHA_GO_LITERAL) | i.op);
    return i;
}

static uint64_t one(unsigned reg)
{
    return reg == ALPHA_ZERO || reg == ALPHA_FZERO || reg == ALPHA_SINK ? 0 : UINT64_C(1) << reg;
}

uint64_t alpha_reads(const struct alpha_insn *i)
{
    return one(i->a) | one(i->b) | one(i->c);
}

uint64_t alpha_writes(const struct alpha_insn *i)
{
    return one(i->d);
}

const char *alpha_reg_name(unsigned reg)
{
    static const char *const names[] = {
        "v0",  "t0",  "t1",  "t2",  "t3",  "t4",   "t5",  "t6",  "t7",  "s0",  "s1",  "s2",  "s3",
        "s4",  "s5",  "fp",  "a0",  "a1",  "a2",   "a3",  "a4",  "a5",  "t8",  "t9",  "t10", "t11",
        "ra",  "t12", "at",  "gp",  "sp",  "zero", "f0",  "f1",  "f2",  "f3",  "f4",  "f5",  "f6",
        "f7",  "f8",  "f9",  "f10", "f11", "f12",  "f13", "f14", "f15", "f16", "f17", "f18", "f19",
        "f20", "f21", "f22", "f23", "f24", "f25",  "f26", "f27", "f28", "f29", "f30", "f31"};
    return reg < 64 ? names[reg] : "none";
}
