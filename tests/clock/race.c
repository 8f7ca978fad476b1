/*
 * race.c - what only racy programs do: memory that all write, polls of all kinds, clocks, status registers, words
 * without the waits they need, core B in other threads' queues.
 */
#include "program.h"

#include "isa/tensix.h"

/* A word that somebody may write. */
static uint32_t shared_word(struct maker *m)
{
    return AT_SHARED + 4 * below(m, percent(m, 50) ? 8 : 64);
}

static void make_shared(struct maker *m)
{
    static const uint16_t ops[] = {
        RV_OP_LW, RV_OP_LBU, RV_OP_LH, RV_OP_SW, RV_OP_SW, RV_OP_SH, RV_OP_SB};
    emit_li(m, X_ADDRESS, shared_word(m));
    for (unsigned n = 1 + below(m, 4); n; n--) {
        unsigned k = below(m, 7);
        int32_t offset = (int32_t)(4 * below(m, 8));
        if (k < 3)
            emit(m,
                 (enum rv_op)ops[k],
                 (struct rv32_args){.rd = any(m), .rs1 = X_ADDRESS, .imm = offset});
        else
            emit(m,
                 (enum rv_op)ops[k],
                 (struct rv32_args){.rs2 = any(m), .rs1 = X_ADDRESS, .imm = offset});
    }
}

static void make_shared_atomic(struct maker *m)
{
    static const uint16_t ops[] = {
        RV_OP_AMOADD_W, RV_OP_AMOSWAP_W, RV_OP_AMOXOR_W, RV_OP_AMOMAXU_W};
    emit_li(m, X_ADDRESS, shared_word(m));
    emit(m,
         (enum rv_op)ops[below(m, 4)],
         (struct rv32_args){.rd = any(m), .rs1 = X_ADDRESS, .rs2 = any(m)});
}

static void make_clock_read(struct maker *m)
{
    static const uint16_t csr[] = {0xb00, 0xc00, 0xb02, 0xc02, 0xb80};
    if (percent(m, 60))
        EMIT(m, CSRRS, .rd = any(m), .csr = csr[below(m, 5)]);
    else
        emit_load(m, any(m), DEVICE_RESET + 0x40);
}

/* ---- polls ---- */

/* Something to read in a loop, into reg. */
static void make_poll_read(struct maker *m, uint8_t reg)
{
    bool t = is_t(m->core), nc = m->core == RV_NC;
    switch (below(m, 12)) {
    case 0: emit_load(m, reg, DEVICE_RESET); break;
    case 1:
        if (!nc)
            emit_load(m, reg, DEVICE_MAIL + 0x1000 * below(m, 4) + 4);
        break;
    case 2:
        if (t)
            emit_load(m, reg, DEVICE_SEM + 4 * below(m, 8));
        break;
    case 3:
        if (!nc)
            emit_load(m, reg, DEVICE_GPR + 4 * (4 + below(m, 8)));
        break;
    case 4:
        if (!nc)
            emit_load(m, reg, DEVICE_CONFIG + 4 * (72 + below(m, 24)));
        break;
    case 5:
        if (t)
            emit_load(m, reg, DEVICE_SYNC + 4 * below(m, 2));
        break;
    case 6: EMIT(m, CSRRS, .rd = reg, .csr = (uint16_t)(0xbc0 + below(m, 2))); break;
    case 7: EMIT(m, LW, .rd = reg, .rs1 = X_LOCAL, .imm = (int32_t)(4 * below(m, 8))); break;
    case 8: EMIT(m, LW, .rd = reg, .rs1 = X_L1, .imm = (int32_t)(4 * below(m, 8))); break;
    case 9: emit_load(m, reg, 0xFFB11014); break; /* TDMA-RISC's status */
    case 10:                                      /* its own data RAM through the window onto it */
        emit_load(m, reg, DEVICE_WINDOW(m->core) + 4 * below(m, 8));
        break;
    default: emit_load(m, reg, shared_word(m)); break;
    }
}

/* Around the read that decides: others, fences, arithmetic that repeats itself. */
static void make_poll_body(struct maker *m)
{
    for (unsigned n = below(m, 4); n; n--) {
        uint8_t reg = (uint8_t)(X_ANY + below(m, 4));
        switch (below(m, 5)) {
        case 0: EMIT(m, FENCE, .imm = 0xff); break;
        case 1: EMIT(m, ADDI, .rd = reg, .rs1 = X_LOOP, .imm = (int32_t)below(m, 100)); break;
        case 2: EMIT(m, MUL, .rd = reg, .rs1 = X_DEVICE, .rs2 = X_DEVICE); break;
        case 3: EMIT(m, DIVU, .rd = reg, .rs1 = X_L1, .rs2 = X_VALUE); break;
        default: make_poll_read(m, reg); break;
        }
    }
}

/* Until a counter that others add to is large enough: it will be, see make_tick(). Or only so often. */
static void make_poll(struct maker *m)
{
    uint32_t top, address = shared_word(m) + 0x400;
    bool bounded = percent(m, 50) || m->p->cores == 1u << m->core;
    if (bounded)
        emit_li(m, X_POLL, 1 + below(m, 60));
    emit_li(m, X_VALUE, 1);
    top = here(m);
    make_poll_body(m);
    if (percent(m, 60))
        EMIT(m, FENCE, .imm = 0xff);
    emit_load(m, X_DEVICE, address);
    if (bounded) {
        make_poll_read(m, X_DEVICE);
        EMIT(m, ADDI, .rd = X_POLL, .rs1 = X_POLL, .imm = -1);
        EMIT(m, BEQ, .rs1 = X_POLL, .imm = 8);
        emit_back(m, top, RV_OP_BEQ, (struct rv32_args){.rs1 = X_DEVICE});
        return;
    }
    emit_back(m, top, RV_OP_BEQ, (struct rv32_args){.rs1 = X_DEVICE});
    EMIT(m, FENCE, .imm = 0xff);
}

/* Sets all the counters that make_poll() looks at, one after the other. */
void make_tick(struct maker *m)
{
    emit_li(m, X_VALUE, 64);
    uint32_t top = here(m);
    emit_li(m, X_ADDRESS, AT_SHARED + 0x500);
    EMIT(m, SLLI, .rd = X_DEVICE, .rs1 = X_VALUE, .imm = 2);
    EMIT(m, SUB, .rd = X_ADDRESS, .rs1 = X_ADDRESS, .rs2 = X_DEVICE);
    if (percent(m, 50))
        EMIT(m, SW, .rs1 = X_ADDRESS, .rs2 = X_VALUE);
    else
        EMIT(m, AMOADD_W, .rs1 = X_ADDRESS, .rs2 = X_VALUE);
    if (percent(m, 50))
        make_shared_atomic(m);
    for (unsigned n = below(m, 3); n; n--)
        EMIT(m, DIV, .rd = any(m), .rs1 = any(m), .rs2 = any(m));
    EMIT(m, ADDI, .rd = X_VALUE, .rs1 = X_VALUE, .imm = -1);
    emit_back(m, top, RV_OP_BNE, (struct rv32_args){.rs1 = X_VALUE});
}

/* ---- Tensix words out of order ---- */

static void make_hasty_words(struct maker *m)
{
    for (unsigned n = 1 + below(m, 8); n; n--) {
        uint32_t word = make_word(m), reg = 72 + below(m, 24), gpr = 4 + below(m, 8);
        switch (below(m, 8)) {
        case 0:
            word = tensix_WRCFG_encode(
                (struct tensix_WRCFG){.gpr_address = gpr, .cfg_reg = reg, .wr128b = below(m, 2)});
            break;
        case 1:
            word = tensix_RDCFG_encode((struct tensix_RDCFG){.gpr_address = gpr, .cfg_reg = reg});
            break;
        case 2: word = tensix_SEMPOST_encode((struct tensix_SEMPOST){.sem_sel = 0xc0}); break;
        case 3: word = tensix_SEMGET_encode((struct tensix_SEMGET){.sem_sel = 0x80}); break;
        case 4: word = (uint32_t)TENSIX_OP_XMOV << 24; break;
        case 5: word = (uint32_t)TENSIX_OP_ATINCGET << 24 | below(m, 4096); break;
        case 6: word = (uint32_t)TENSIX_OP_LOADREG << 24 | gpr << 18; break;
        default: break;
        }
        make_push(m, word);
    }
}

/* The core looks at what its thread is still doing. */
static void make_hasty_access(struct maker *m)
{
    uint32_t address = percent(m, 50) ? DEVICE_GPR + 4 * (4 + below(m, 8))
                                      : DEVICE_CONFIG + 4 * (72 + below(m, 24));
    if (percent(m, 60))
        emit_load(m, any(m), address);
    else
        emit_store(m, any(m), address);
}

static void make_b_meddle(struct maker *m)
{
    emit_li(m, X_ADDRESS, DEVICE_PUSH + 0x10000 * below(m, 3));
    for (unsigned n = 1 + below(m, 10); n; n--) {
        emit_li(m, X_VALUE, make_word(m));
        EMIT(m, SW, .rs1 = X_ADDRESS, .rs2 = X_VALUE);
    }
}

static void make_sem_window(struct maker *m)
{
    emit_li(m, X_ADDRESS, DEVICE_SEM + 24);
    emit_li(m, X_VALUE, below(m, 2));
    for (unsigned n = 1 + below(m, 4); n; n--)
        EMIT(m, SW, .rs1 = X_ADDRESS, .rs2 = X_VALUE, .imm = (int32_t)(4 * below(m, 2)));
}

void make_race(struct maker *m, bool short_ones)
{
    unsigned k = below(m, 100);
    if (k < 35)
        make_shared(m);
    else if (k < 45)
        make_shared_atomic(m);
    else if (k < 50)
        make_clock_read(m);
    else if (k < 65 && !short_ones)
        make_poll(m);
    else if (k < 72 && !short_ones)
        make_tick(m);
    else if (m->core == RV_B)
        make_b_meddle(m);
    else if (!is_t(m->core))
        make_shared(m);
    else if (k < 88)
        make_hasty_words(m);
    else if (k < 95)
        make_hasty_access(m);
    else
        make_sem_window(m);
}
