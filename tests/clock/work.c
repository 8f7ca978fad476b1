/*
 * work.c - work of one core: arithmetic, its own memory, loops, calls, atomics, CSRs.
 */
#include "program.h"

/* ---- one instruction, or a few ---- */

static void make_alu(struct maker *m)
{
    static const uint16_t two[] = {
        RV_OP_ADD,    RV_OP_SUB,    RV_OP_SLL,  RV_OP_SLT,  RV_OP_SLTU, RV_OP_XOR,
        RV_OP_SRL,    RV_OP_SRA,    RV_OP_OR,   RV_OP_AND,  RV_OP_MUL,  RV_OP_MULH,
        RV_OP_MULHSU, RV_OP_MULHU,  RV_OP_DIV,  RV_OP_DIVU, RV_OP_REM,  RV_OP_REMU,
        RV_OP_SH1ADD, RV_OP_SH2ADD, RV_OP_ANDN, RV_OP_MAX,  RV_OP_MINU, RV_OP_ROL,
        RV_OP_MUL,    RV_OP_MUL,    RV_OP_ADD,  RV_OP_XOR,  RV_OP_PACK, RV_OP_XNOR,
    };
    static const uint16_t with_imm[] = {
        RV_OP_ADDI, RV_OP_SLTI, RV_OP_SLTIU, RV_OP_XORI, RV_OP_ORI, RV_OP_ANDI};
    static const uint16_t shift[] = {RV_OP_SLLI, RV_OP_SRLI, RV_OP_SRAI, RV_OP_RORI};
    static const uint16_t one[] = {RV_OP_CLZ, RV_OP_CPOP, RV_OP_SEXT_B, RV_OP_REV8, RV_OP_ORC_B};
    uint8_t rd = percent(m, 3) ? 0 : any(m), a = any(m), b = percent(m, 10) ? 0 : any(m);
    unsigned k = below(m, 100);
    if (k < 55)
        emit(m,
             (enum rv_op)two[below(m, sizeof two / sizeof *two)],
             (struct rv32_args){.rd = rd, .rs1 = a, .rs2 = b});
    else if (k < 75)
        emit(m,
             (enum rv_op)with_imm[below(m, sizeof with_imm / sizeof *with_imm)],
             (struct rv32_args){.rd = rd, .rs1 = a, .imm = (int32_t)below(m, 4096) - 2048});
    else if (k < 87)
        emit(m,
             (enum rv_op)shift[below(m, sizeof shift / sizeof *shift)],
             (struct rv32_args){.rd = rd, .rs1 = a, .imm = (int32_t)below(m, 32)});
    else if (k < 94)
        emit(m,
             (enum rv_op)one[below(m, sizeof one / sizeof *one)],
             (struct rv32_args){.rd = rd, .rs1 = a});
    else if (k < 97)
        EMIT(m, LUI, .rd = rd, .imm = (int32_t)(rng_next(&m->rng) << 12));
    else
        EMIT(m, AUIPC, .rd = rd, .imm = (int32_t)(below(m, 256) << 12));
}

/* Few places, so that accesses meet; L1 or the core's own RAM. */
static void make_memory(struct maker *m)
{
    static const uint16_t loads[] = {RV_OP_LB, RV_OP_LBU, RV_OP_LH, RV_OP_LHU, RV_OP_LW, RV_OP_LW};
    static const uint16_t stores[] = {RV_OP_SB, RV_OP_SH, RV_OP_SW, RV_OP_SW};
    static const uint8_t load_size[] = {1, 1, 2, 2, 4, 4}, store_size[] = {1, 2, 4, 4};
    uint8_t base = percent(m, 85) ? X_L1 : X_LOCAL;
    uint32_t range = percent(m, 70) ? 64 : percent(m, 70) ? 256 : 2044;
    bool load = percent(m, 50);
    unsigned k = load ? below(m, 6) : below(m, 4), size = load ? load_size[k] : store_size[k];
    int32_t offset = (int32_t)(below(m, range) / size * size);
    if (percent(m, 15)) { /* where depends on a value */
        EMIT(m, ANDI, .rd = X_ADDRESS, .rs1 = any(m), .imm = 0x3c);
        EMIT(m, ADD, .rd = X_ADDRESS, .rs1 = X_ADDRESS, .rs2 = base);
        base = X_ADDRESS;
        offset &= 0x1c;
    }
    if (percent(m, 4)) {
        offset &= ~3;
        if (load)
            EMIT(m, FLW, .rd = (uint8_t)below(m, 8), .rs1 = base, .imm = offset);
        else
            EMIT(m, FSW, .rs2 = (uint8_t)below(m, 8), .rs1 = base, .imm = offset);
    } else if (load) {
        emit(m,
             (enum rv_op)loads[k],
             (struct rv32_args){.rd = percent(m, 4) ? 0 : any(m), .rs1 = base, .imm = offset});
    } else {
        emit(m,
             (enum rv_op)stores[k],
             (struct rv32_args){.rs2 = any(m), .rs1 = base, .imm = offset});
    }
}

static void make_atomic(struct maker *m)
{
    static const uint16_t ops[] = {RV_OP_AMOADD_W,
                                   RV_OP_AMOSWAP_W,
                                   RV_OP_AMOXOR_W,
                                   RV_OP_AMOOR_W,
                                   RV_OP_AMOAND_W,
                                   RV_OP_AMOMIN_W,
                                   RV_OP_AMOMAXU_W};
    EMIT(m, ADDI, .rd = X_ADDRESS, .rs1 = X_L1, .imm = (int32_t)(4 * below(m, 32)));
    emit(m,
         (enum rv_op)ops[below(m, sizeof ops / sizeof *ops)],
         (struct rv32_args){.rd = percent(m, 20) ? 0 : any(m), .rs1 = X_ADDRESS, .rs2 = any(m)});
}

/* All add to the same words; what they find there is not looked at. */
static void make_sum(struct maker *m)
{
    uint8_t old = percent(m, 50) ? 0 : X_DEVICE;
    emit_li(m, X_ADDRESS, AT_SUMS + 4 * below(m, 8));
    EMIT(m, AMOADD_W, .rd = old, .rs1 = X_ADDRESS, .rs2 = any(m));
    if (old)
        emit_li(m, X_DEVICE, below(m, 64));
}

static void make_csr(struct maker *m)
{
    static const uint16_t constant[] = {0x300, 0x301, 0xf14, CSR_CFG0};
    static const uint16_t storage[] = {0x7c3, 0x7c5, 0x7c6};
    if (percent(m, 60))
        EMIT(m, CSRRS, .rd = any(m), .csr = constant[below(m, 4)]);
    else
        EMIT(m, CSRRW, .rd = any(m), .rs1 = any(m), .csr = storage[below(m, 3)]);
}

static void make_fp(struct maker *m)
{
    static const uint16_t ops[] = {RV_OP_FADD_S, RV_OP_FSUB_S, RV_OP_FMUL_S, RV_OP_FMIN_S};
    uint8_t a = (uint8_t)below(m, 8), b = (uint8_t)below(m, 8), d = (uint8_t)below(m, 8);
    switch (below(m, 4)) {
    case 0: EMIT(m, FMV_W_X, .rd = d, .rs1 = any(m)); break;
    case 1: EMIT(m, FMV_X_W, .rd = any(m), .rs1 = a); break;
    case 2: EMIT(m, FCVT_S_W, .rd = d, .rs1 = any(m)); break;
    default:
        emit(m, (enum rv_op)ops[below(m, 4)], (struct rv32_args){.rd = d, .rs1 = a, .rs2 = b});
        break;
    }
}

static void make_vector(struct maker *m)
{
    uint8_t v = (uint8_t)(1 + below(m, 4)), w = (uint8_t)(1 + below(m, 4));
    EMIT(m, VSETIVLI, .rs1 = (uint8_t)(1 + below(m, 4)), .imm = 2 << 3);
    EMIT(m, ADDI, .rd = X_ADDRESS, .rs1 = X_L1, .imm = (int32_t)(16 * below(m, 8)));
    if (percent(m, 70))
        EMIT(m, VLE32_V, .rd = v, .rs1 = X_ADDRESS, .vm = 1);
    EMIT(m, VADD_VX, .rd = w, .rs2 = v, .rs1 = any(m), .vm = 1);
    if (percent(m, 70))
        EMIT(m, VSE32_V, .rd = w, .rs1 = X_ADDRESS, .vm = 1);
    if (percent(m, 50))
        EMIT(m, VMV_X_S, .rd = any(m), .rs2 = w);
}

void make_simple(struct maker *m)
{
    unsigned k = below(m, 100);
    if (m->p->racy && percent(m, 20))
        make_race(m, true);
    else if (is_t(m->core) && percent(m, 15))
        make_push(m, make_word(m));
    else if (k < 40)
        make_alu(m);
    else if (k < 80)
        make_memory(m);
    else if (k < 84)
        make_atomic(m);
    else if (k < 88)
        make_sum(m);
    else if (k < 91)
        make_csr(m);
    else if (k < 94)
        EMIT(m, FENCE, .imm = 0xff);
    else if (k < 97 || m->core != RV_T2)
        make_fp(m);
    else
        make_vector(m);
}

static void make_some(struct maker *m, unsigned most)
{
    for (unsigned n = 1 + below(m, most); n; n--)
        make_simple(m);
}

/* ---- control flow ---- */

static void make_loop(struct maker *m, bool inner)
{
    uint8_t counter = inner ? X_LOOP2 : X_LOOP;
    emit_li(m, counter, 1 + below(m, inner ? 6 : percent(m, 20) ? 150 : 20));
    uint32_t top = here(m);
    make_some(m, 8);
    if (!inner && percent(m, 20))
        make_loop(m, true);
    EMIT(m, ADDI, .rd = counter, .rs1 = counter, .imm = -1);
    if (percent(m, 80)) {
        emit_back(m, top, RV_OP_BNE, (struct rv32_args){.rs1 = counter});
    } else { /* the same with a jump */
        EMIT(m, BEQ, .rs1 = counter, .imm = 8);
        emit_back(m, top, RV_OP_JAL, (struct rv32_args){.imm = 0});
    }
}

static void make_skip(struct maker *m)
{
    static const uint16_t ops[] = {
        RV_OP_BEQ, RV_OP_BNE, RV_OP_BLT, RV_OP_BGE, RV_OP_BLTU, RV_OP_BGEU};
    enum rv_op op = (enum rv_op)ops[below(m, 6)];
    struct rv32_args a = {.rs1 = any(m), .rs2 = any(m)};
    uint32_t at = here(m);
    emit(m, op, a);
    make_some(m, 4);
    emit_to_here(m, at, op, a);
}

static void make_call(struct maker *m)
{
    uint32_t over = here(m);
    EMIT(m, JAL, .imm = 0);
    uint32_t function = here(m);
    make_some(m, 6);
    EMIT(m, JALR, .rs1 = X_LINK);
    emit_to_here(m, over, RV_OP_JAL, (struct rv32_args){.imm = 0});
    for (unsigned n = 1 + below(m, 3); n; n--) {
        emit_back(m, function, RV_OP_JAL, (struct rv32_args){.rd = X_LINK});
        if (percent(m, 50))
            make_simple(m);
    }
}

/* Data cache, fusing, merging of stores, ... while it runs. */
static void make_switch(struct maker *m)
{
    static const uint8_t bits[] = {0, 1, 2, 3, 3, 10, 12, 18, 18};
    emit_li(m, X_VALUE, UINT32_C(1) << bits[below(m, sizeof bits)]);
    if (percent(m, 50))
        EMIT(m, CSRRS, .rs1 = X_VALUE, .csr = CSR_CFG0);
    else
        EMIT(m, CSRRC, .rs1 = X_VALUE, .csr = CSR_CFG0);
}

void make_work(struct maker *m)
{
    for (unsigned n = 1 + below(m, 4); n; n--) {
        unsigned k = below(m, 100);
        if (m->p->racy && percent(m, 30))
            make_race(m, false);
        else if (is_t(m->core) && percent(m, 40))
            make_tensix(m);
        else if (m->core == RV_B && percent(m, 10))
            make_b_push(m);
        else if (k < 45)
            make_some(m, 12);
        else if (k < 75)
            make_loop(m, false);
        else if (k < 85)
            make_skip(m);
        else if (k < 95)
            make_call(m);
        else
            make_switch(m);
    }
}
