/*
 * rv32.c - decoder and encoder of the baby cores' RISC-V instructions, made from rv32.def.
 *
 * Block: none; this is data used by the cores, by tests and by reports.
 * Documents: BabyRISCV/InstructionSet.md; encodings from the RISC-V manuals.
 *
 * A word's seven low bits and bits 14:12 choose a group of the table; the first row of it that
 * matches is the instruction. The groups' limits are computed by the compiler. The interpreter
 * decodes a word once, so the few comparisons within a group do not matter.
 *
 * **Inaccuracies**: hardware executes words that are in no row in some undocumented way; here they
 * are illegal. So are the widening floating point vector instructions (they would need halves in
 * vectors) and fence.i, which no document mentions.
 */
#include "isa/rv32.h"

#include "base/bits.h"

/* Where each group begins and ends: an enumerator takes the number of the next row, the one
   behind it puts the counter back. */
enum {
#define RV(id, name, match, mask, format, extension, class, text) ROW_##id,
#define GROUP8(name, opcode)                                      AT_##name, BACK_##name = AT_##name - 1,
#define GROUP1(name, opcode, funct3)                              AT_##name, BACK_##name = AT_##name - 1,
#define END_GROUP(name)                                           TO_##name, BACK_TO_##name = TO_##name - 1,
#include "isa/rv32.def"
};

_Static_assert((int)ROW_VSETVL == (int)RV_OP_VSETVL, "rows are counted as in enum rv_op");

struct group {
    uint16_t at, to;
};

/* Index: bits 6:2 of the word, then bits 14:12. */
static const struct group groups[256] = {
#define SLOT(opcode, funct3)         [((opcode) >> 2) * 8 + (funct3)]
#define GROUP1(name, opcode, funct3) SLOT(opcode, funct3) = {AT_##name, TO_##name},
#define GROUP8(name, opcode)                                                                       \
    SLOT(opcode, 0) = {AT_##name, TO_##name}, SLOT(opcode, 1) = {AT_##name, TO_##name},            \
                 SLOT(opcode, 2) = {AT_##name, TO_##name},                                         \
                 SLOT(opcode, 3) = {AT_##name, TO_##name},                                         \
                 SLOT(opcode, 4) = {AT_##name, TO_##name},                                         \
                 SLOT(opcode, 5) = {AT_##name, TO_##name},                                         \
                 SLOT(opcode, 6) = {AT_##name, TO_##name},                                         \
                 SLOT(opcode, 7) = {AT_##name, TO_##name},
#include "isa/rv32.def"
};

/* What the decoder looks at, close together. */
static const struct {
    uint32_t match, mask;
} codes[RV_N_ROWS] = {
#define RV(id, name, match, mask, format, extension, class, text) {match, mask},
#include "isa/rv32.def"
};

const struct rv32_insn rv32_table[RV_N_OPS] = {
#define RV(id_, name_, match_, mask_, format_, extension_, class_, text_)                          \
    {.name = name_,                                                                                \
     .match = match_,                                                                              \
     .mask = mask_,                                                                                \
     .format = RV_FMT_##format_,                                                                   \
     .extension = RV_EXT_##extension_,                                                             \
     .class = RV_CLASS_##class_,                                                                   \
     .text = text_},
#include "isa/rv32.def"
    {".ttinsn", 0, 0, RV_FMT_TTINSN, RV_EXT_TT, RV_CLASS_TTINSN, "push a Tensix word"},
    {".word", 0, 0, RV_FMT_NONE, RV_EXT_I, RV_CLASS_ILLEGAL, "no instruction"},
};

enum rv_op rv32_decode(uint32_t word)
{
    if ((word & 3) != 3)
        return RV_OP_TTINSN;
    struct group g = groups[bits_get(word, 2, 5) * 8 + bits_get(word, 12, 3)];
    for (unsigned i = g.at; i < g.to; i++)
        if ((word & codes[i].mask) == codes[i].match)
            return (enum rv_op)i;
    return RV_OP_ILLEGAL;
}

/* ---- immediates ---- */

static int32_t sign(uint32_t value, unsigned bits)
{
    uint32_t top = UINT32_C(1) << (bits - 1);
    return (int32_t)((value ^ top) - top);
}

static int32_t imm_i(uint32_t w)
{
    return sign(w >> 20, 12);
}

static int32_t imm_s(uint32_t w)
{
    return sign(bits_get(w, 25, 7) << 5 | bits_get(w, 7, 5), 12);
}

static int32_t imm_b(uint32_t w)
{
    return sign(bits_get(w, 31, 1) << 12 | bits_get(w, 7, 1) << 11 | bits_get(w, 25, 6) << 5 |
                    bits_get(w, 8, 4) << 1,
                13);
}

static int32_t imm_j(uint32_t w)
{
    return sign(bits_get(w, 31, 1) << 20 | bits_get(w, 12, 8) << 12 | bits_get(w, 20, 1) << 11 |
                    bits_get(w, 21, 10) << 1,
                21);
}

static int32_t imm_of(enum rv_fmt format, uint32_t w)
{
    switch (format) {
    case RV_FMT_I:
    case RV_FMT_JALR:
    case RV_FMT_LOAD:
    case RV_FMT_FLOAD: return imm_i(w);
    case RV_FMT_STORE:
    case RV_FMT_FSTORE: return imm_s(w);
    case RV_FMT_SHIFT: return (int32_t)bits_get(w, 20, 5);
    case RV_FMT_U: return (int32_t)(w & UINT32_C(0xfffff000));
    case RV_FMT_B: return imm_b(w);
    case RV_FMT_J: return imm_j(w);
    case RV_FMT_FENCE: return (int32_t)bits_get(w, 20, 8);
    case RV_FMT_CSRI:
    case RV_FMT_VIU: return (int32_t)bits_get(w, 15, 5);
    case RV_FMT_VI:
    case RV_FMT_VIM:
    case RV_FMT_VIN:
    case RV_FMT_VMVI: return sign(bits_get(w, 15, 5), 5);
    case RV_FMT_VSETVLI: return (int32_t)bits_get(w, 20, 11);
    case RV_FMT_VSETIVLI: return (int32_t)bits_get(w, 20, 10);
    case RV_FMT_TTINSN: return (int32_t)bits_rotr(w, 2);
    default: return 0;
    }
}

static uint32_t place_imm(enum rv_fmt format, uint32_t i)
{
    switch (format) {
    case RV_FMT_I:
    case RV_FMT_JALR:
    case RV_FMT_LOAD:
    case RV_FMT_FLOAD: return i << 20;
    case RV_FMT_STORE:
    case RV_FMT_FSTORE: return bits_get(i, 5, 7) << 25 | bits_get(i, 0, 5) << 7;
    case RV_FMT_SHIFT: return bits_get(i, 0, 5) << 20;
    case RV_FMT_U: return i & UINT32_C(0xfffff000);
    case RV_FMT_B:
        return bits_get(i, 12, 1) << 31 | bits_get(i, 5, 6) << 25 | bits_get(i, 1, 4) << 8 |
               bits_get(i, 11, 1) << 7;
    case RV_FMT_J:
        return bits_get(i, 20, 1) << 31 | bits_get(i, 1, 10) << 21 | bits_get(i, 11, 1) << 20 |
               bits_get(i, 12, 8) << 12;
    case RV_FMT_FENCE: return bits_get(i, 0, 8) << 20;
    case RV_FMT_CSRI:
    case RV_FMT_VIU:
    case RV_FMT_VI:
    case RV_FMT_VIM:
    case RV_FMT_VIN:
    case RV_FMT_VMVI: return bits_get(i, 0, 5) << 15;
    case RV_FMT_VSETVLI: return bits_get(i, 0, 11) << 20;
    case RV_FMT_VSETIVLI: return bits_get(i, 0, 10) << 20;
    case RV_FMT_TTINSN: return bits_rotl(i, 2);
    default: return 0;
    }
}

/* ---- operands: which fields a format has ---- */

enum { RD = 1, RS1 = 2, RS2 = 4, RS3 = 8, VM = 16, RM = 32, CSRN = 64, AQRL = 128, FM = 256 };

static unsigned fields_of(enum rv_fmt format)
{
    switch (format) {
    case RV_FMT_NONE:
    case RV_FMT_TTINSN: return 0;
    case RV_FMT_R:
    case RV_FMT_FR:
    case RV_FMT_FCMP: return RD | RS1 | RS2;
    case RV_FMT_FRM: return RD | RS1 | RS2 | RM;
    case RV_FMT_F4: return RD | RS1 | RS2 | RS3 | RM;
    case RV_FMT_AMO: return RD | RS1 | RS2 | AQRL;
    case RV_FMT_R1:
    case RV_FMT_I:
    case RV_FMT_SHIFT:
    case RV_FMT_JALR:
    case RV_FMT_LOAD:
    case RV_FMT_FLOAD:
    case RV_FMT_FX:
    case RV_FMT_XF:
    case RV_FMT_FF0:
    case RV_FMT_VLM:
    case RV_FMT_VMVV:
    case RV_FMT_VMVX:
    case RV_FMT_VMVF:
    case RV_FMT_VSETVLI: return RD | RS1;
    case RV_FMT_FXRM:
    case RV_FMT_XFRM:
    case RV_FMT_FF: return RD | RS1 | RM;
    case RV_FMT_FENCE: return RD | RS1 | FM;
    case RV_FMT_CSR: return RD | RS1 | CSRN;
    case RV_FMT_CSRI: return RD | CSRN;
    case RV_FMT_U:
    case RV_FMT_J:
    case RV_FMT_VMVI: return RD;
    case RV_FMT_VSETIVLI: return RD | RS1; /* rs1 is the length */
    case RV_FMT_B:
    case RV_FMT_STORE:
    case RV_FMT_FSTORE: return RS1 | RS2;
    case RV_FMT_VL: return RD | RS1 | VM;
    case RV_FMT_VLS:
    case RV_FMT_VLX:
    case RV_FMT_VV:
    case RV_FMT_VX:
    case RV_FMT_VF:
    case RV_FMT_VV3:
    case RV_FMT_VX3:
    case RV_FMT_VF3: return RD | RS1 | RS2 | VM;
    case RV_FMT_VVM:
    case RV_FMT_VXM:
    case RV_FMT_VFM:
    case RV_FMT_VVN:
    case RV_FMT_VXN: return RD | RS1 | RS2;
    case RV_FMT_VI:
    case RV_FMT_VIU:
    case RV_FMT_V1:
    case RV_FMT_VXSM: return RD | RS2 | VM;
    case RV_FMT_VIM:
    case RV_FMT_VIN:
    case RV_FMT_VR:
    case RV_FMT_VXS:
    case RV_FMT_VFS: return RD | RS2;
    case RV_FMT_VID: return RD | VM;
    }
    return 0;
}

struct rv32_args rv32_args_of(enum rv_op op, uint32_t w)
{
    enum rv_fmt format = (enum rv_fmt)rv32_table[op].format;
    unsigned has = fields_of(format);
    struct rv32_args a = {.imm = imm_of(format, w)};
    if (has & RD)
        a.rd = (uint8_t)bits_get(w, 7, 5);
    if (has & RS1)
        a.rs1 = (uint8_t)bits_get(w, 15, 5);
    if (has & RS2)
        a.rs2 = (uint8_t)bits_get(w, 20, 5);
    if (has & RS3)
        a.rs3 = (uint8_t)bits_get(w, 27, 5);
    if (has & VM)
        a.vm = (uint8_t)bits_get(w, 25, 1);
    if (has & RM)
        a.rm = (uint8_t)bits_get(w, 12, 3);
    if (has & AQRL)
        a.rm = (uint8_t)bits_get(w, 25, 2);
    if (has & FM)
        a.rm = (uint8_t)bits_get(w, 28, 4);
    if (has & CSRN)
        a.csr = (uint16_t)bits_get(w, 20, 12);
    return a;
}

uint32_t rv32_encode(enum rv_op op, struct rv32_args a)
{
    enum rv_fmt format = (enum rv_fmt)rv32_table[op].format;
    unsigned has = fields_of(format);
    uint32_t w = place_imm(format, (uint32_t)a.imm);
    if (has & RD)
        w |= bits_get(a.rd, 0, 5) << 7;
    if (has & RS1)
        w |= bits_get(a.rs1, 0, 5) << 15;
    if (has & RS2)
        w |= bits_get(a.rs2, 0, 5) << 20;
    if (has & RS3)
        w |= bits_get(a.rs3, 0, 5) << 27;
    if (has & VM)
        w |= bits_get(a.vm, 0, 1) << 25;
    if (has & RM)
        w |= bits_get(a.rm, 0, 3) << 12;
    if (has & AQRL)
        w |= bits_get(a.rm, 0, 2) << 25;
    if (has & FM)
        w |= bits_get(a.rm, 0, 4) << 28;
    if (has & CSRN)
        w |= bits_get(a.csr, 0, 12) << 20;
    return op == RV_OP_TTINSN ? w : (w & ~rv32_table[op].mask) | rv32_table[op].match;
}

/* ---- integer registers ---- */

bool rv32_writes_x(enum rv_op op)
{
    switch ((enum rv_fmt)rv32_table[op].format) {
    case RV_FMT_R:
    case RV_FMT_R1:
    case RV_FMT_I:
    case RV_FMT_SHIFT:
    case RV_FMT_U:
    case RV_FMT_J:
    case RV_FMT_JALR:
    case RV_FMT_LOAD:
    case RV_FMT_AMO:
    case RV_FMT_CSR:
    case RV_FMT_CSRI:
    case RV_FMT_FCMP:
    case RV_FMT_FX:
    case RV_FMT_FXRM:
    case RV_FMT_VXS:
    case RV_FMT_VXSM:
    case RV_FMT_VSETVLI:
    case RV_FMT_VSETIVLI: return true;
    default: return false;
    }
}

bool rv32_reads_x1(enum rv_op op)
{
    switch ((enum rv_fmt)rv32_table[op].format) {
    case RV_FMT_R:
    case RV_FMT_R1:
    case RV_FMT_I:
    case RV_FMT_SHIFT:
    case RV_FMT_B:
    case RV_FMT_JALR:
    case RV_FMT_LOAD:
    case RV_FMT_STORE:
    case RV_FMT_AMO:
    case RV_FMT_CSR:
    case RV_FMT_FLOAD:
    case RV_FMT_FSTORE:
    case RV_FMT_XF:
    case RV_FMT_XFRM:
    case RV_FMT_VL:
    case RV_FMT_VLM:
    case RV_FMT_VLS:
    case RV_FMT_VLX:
    case RV_FMT_VX:
    case RV_FMT_VX3:
    case RV_FMT_VXM:
    case RV_FMT_VXN:
    case RV_FMT_VMVX:
    case RV_FMT_VSETVLI: return true;
    default: return false;
    }
}

bool rv32_reads_x2(enum rv_op op)
{
    switch ((enum rv_fmt)rv32_table[op].format) {
    case RV_FMT_R:
    case RV_FMT_B:
    case RV_FMT_STORE:
    case RV_FMT_AMO:
    case RV_FMT_VLS: return true;
    default: return false;
    }
}
