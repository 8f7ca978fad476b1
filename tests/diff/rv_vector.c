/*
 * rv_vector.c - random vector instructions for rv_program.c.
 *
 * v0 is a mask, v8..v15 hold small whole floating point numbers, so that sums and fusions are exact
 * and neither hardware's rounding nor the order of a sum shows. Register groups are chosen from three
 * that never overlap: results v16..v23 and v24..v31, sources v8..v15 and the other of the two.
 */
#include "rv_program.h"

#include <string.h>

static void set_type(struct program *p, unsigned sew, unsigned lmul)
{
    /* often all elements, else some */
    uint8_t rs1 = pick(p, 2) ? 0 : (uint8_t)(1 + pick(p, 28));
    int32_t vtype = (int32_t)(sew << 3 | lmul);
    if (pick(p, 3))
        emit(p, RV_OP_VSETVLI, (struct rv32_args){.rd = 29, .rs1 = rs1, .imm = vtype});
    else
        emit(p,
             RV_OP_VSETIVLI,
             (struct rv32_args){.rd = 29, .rs1 = (uint8_t)pick(p, 32), .imm = vtype});
}

void vector_prologue(struct program *p)
{
    emit_li(p, 29, DATA_AT);
    emit(p, RV_OP_VSETVLI, (struct rv32_args){.rd = 28, .imm = 2 << 3 | 3});
    for (uint8_t i = 0; i < 4; i++) {
        emit(p, RV_OP_VL8RE32_V, (struct rv32_args){.rd = (uint8_t)(8 * i), .rs1 = 29});
        emit(p, RV_OP_ADDI, (struct rv32_args){.rd = 29, .rs1 = 29, .imm = 128});
    }
    /* v8..v15: the low bits of what is there, as floating point numbers */
    emit(p, RV_OP_VAND_VI, (struct rv32_args){.rd = 8, .rs2 = 8, .imm = 15, .vm = 1});
    emit(p, RV_OP_VFCVT_F_X_V, (struct rv32_args){.rd = 8, .rs2 = 8, .vm = 1});
}

static bool wide_result(enum rv_op op)
{
    return !strncmp(rv32_table[op].name, "vw", 2) && rv32_table[op].class != RV_CLASS_VRED;
}

static bool wide_source(enum rv_op op)
{
    const char *dot = strchr(rv32_table[op].name, '.');
    return dot && dot[1] == 'w';
}

/* set_type() makes the one; qemu 7.2 fails an assertion of its own on the others. */
static bool excluded(enum rv_op op)
{
    return rv32_table[op].class == RV_CLASS_VCFG || op == RV_OP_VFCVT_RTZ_XU_F_V ||
           op == RV_OP_VFCVT_RTZ_X_F_V;
}

static enum rv_op any_vector(struct program *p)
{
    for (;;) {
        enum rv_op op = (enum rv_op)pick(p, RV_N_ROWS);
        if (rv32_table[op].extension == RV_EXT_V && !excluded(op))
            return op;
    }
}

static bool is_fp(enum rv_op op)
{
    return !strncmp(rv32_table[op].name, "vf", 2) ? op != RV_OP_VFIRST_M
                                                  : !strncmp(rv32_table[op].name, "vmf", 3);
}

static void vector_memory(struct program *p, enum rv_op op)
{
    enum rv_fmt format = (enum rv_fmt)rv32_table[op].format;
    struct rv32_args a = {.rd = (uint8_t)(16 + 8 * pick(p, 2)), .rs1 = 29};
    a.vm = (uint8_t)pick(p, 2);
    /* 32 bits, one or two registers: every index size is legal, eight fields are with one only */
    set_type(p, 2, strstr(rv32_table[op].name, "seg") ? 0 : pick(p, 2));
    emit_li(p, 29, DATA_AT + 4 * pick(p, 256));
    if (format == RV_FMT_VLS) {
        a.rs2 = 28;
        emit_li(p, 28, (pick(p, 9) - 4) * 4);
        emit_li(p, 29, DATA_AT + 1024);
    } else if (format == RV_FMT_VLX) {
        /* indices: multiples of four below 256, in v4.. as 8, 16 or 32 bits */
        unsigned sew = strstr(rv32_table[op].name, "i8")    ? 0
                       : strstr(rv32_table[op].name, "i16") ? 1
                                                            : 2;
        emit(p, RV_OP_VSETVLI, (struct rv32_args){.rd = 28, .imm = (int32_t)(sew << 3 | 1)});
        emit(p, RV_OP_VAND_VI, (struct rv32_args){.rd = 4, .rs2 = 8, .imm = 12, .vm = 1});
        emit(p, RV_OP_VSLL_VI, (struct rv32_args){.rd = 4, .rs2 = 4, .imm = 2, .vm = 1});
        set_type(p, 2, 0);
        emit_li(p, 29, DATA_AT + 512);
        a.rs2 = 4;
    }
    emit(p, op, a);
    if (format == RV_FMT_VLS)
        emit_li(p, 28, pick(p, 100));
}

void random_vector(struct program *p)
{
    enum rv_op op = any_vector(p);
    const struct rv32_insn *i = &rv32_table[op];
    struct rv32_args a = {.imm = (int32_t)pick(p, 32)};
    unsigned sew = pick(p, 3), lmul = pick(p, 4);
    bool fp = is_fp(op), red = i->class == RV_CLASS_VRED;
    if (i->class == RV_CLASS_VLOAD || i->class == RV_CLASS_VSTORE) {
        vector_memory(p, op);
        return;
    }
    if (fp)
        sew = 2;
    if (strstr(i->name, "ext.vf"))
        sew = 2;
    if (wide_result(op) || wide_source(op) || op == RV_OP_VWREDSUM_VS || op == RV_OP_VWREDSUMU_VS)
        sew = pick(p, 2);
    if (wide_result(op) || wide_source(op) || op == RV_OP_VRGATHEREI16_VV)
        lmul = pick(p, 2);
    if (op == RV_OP_VRGATHEREI16_VV && sew == 0)
        lmul = 0;
    a.rd = (uint8_t)(pick(p, 2) ? 16 : 24);
    a.rs2 = pick(p, 2) && !fp && !wide_result(op) ? (uint8_t)(40 - a.rd) : 8;
    a.rs1 = pick(p, 2) && !fp && !wide_result(op) && !wide_source(op) ? (uint8_t)(40 - a.rd) : 8;
    a.vm = (uint8_t)pick(p, 2);
    if (rv32_reads_x1(op))
        a.rs1 = (uint8_t)pick(p, 29);
    if (i->format == RV_FMT_VF || i->format == RV_FMT_VF3 || i->format == RV_FMT_VFM ||
        i->format == RV_FMT_VMVF)
        a.rs1 = (uint8_t)pick(p, 8); /* small whole numbers */
    if (i->format == RV_FMT_VXS || i->format == RV_FMT_VXSM)
        a.rd = (uint8_t)pick(p, 29);
    if (i->format == RV_FMT_VFS)
        a.rd = (uint8_t)(16 + pick(p, 16));
    if (red && fp)
        a.rs2 = 8;
    if (i->format == RV_FMT_VV3 || i->format == RV_FMT_VF3)
        if (fp) /* the old result takes part: make it a small number first */
            emit(p, RV_OP_VMV8R_V, (struct rv32_args){.rd = a.rd, .rs2 = 8});
    set_type(p, sew, lmul);
    if (!pick(p, 6))
        emit(p, RV_OP_CSRRWI, (struct rv32_args){.rd = 29, .csr = 0xa, .imm = (int32_t)pick(p, 4)});
    emit(p, op, a);
    if (!pick(p, 8))
        emit(p, RV_OP_CSRRS, (struct rv32_args){.rd = (uint8_t)pick(p, 29), .csr = 9});
    if (!pick(p, 8)) /* another mask */
        emit(p, RV_OP_VMV1R_V, (struct rv32_args){.rd = 0, .rs2 = (uint8_t)(16 + pick(p, 16))});
}
