/*
 * talk.c - messages: mailboxes, PC buffers, words in L1, semaphores, barriers; with or without data in L1 that the
 * message announces.
 */
#include "program.h"

#include "isa/tensix.h"

#define WORD(name, ...) tensix_##name##_encode((struct tensix_##name){__VA_ARGS__})

/* Mailboxes count B, T0, T1, T2. */
static uint32_t mailbox_of(unsigned core)
{
    return DEVICE_MAIL + 0x1000 * (core == RV_B ? 0 : core + 1);
}

/* ---- data that goes with a message ---- */

static void make_data(struct maker *m, unsigned words)
{
    if (!words)
        return;
    emit_li(m, X_ADDRESS, AT_BUFFER(m->step));
    for (unsigned i = 0; i < words; i++)
        EMIT(m, SW, .rs1 = X_ADDRESS, .rs2 = any(m), .imm = (int32_t)(4 * i));
    if (percent(m, 50))
        EMIT(m, FENCE, .imm = 0xff);
    EMIT(m, LW, .rs1 = X_ADDRESS, .rd = X_DEVICE, .imm = (int32_t)(4 * (words - 1)));
    emit_use(m, X_DEVICE);
}

static void take_data(struct maker *m, unsigned words)
{
    if (!words)
        return;
    EMIT(m, FENCE, .imm = 0xff);
    emit_li(m, X_ADDRESS, AT_BUFFER(m->step));
    for (unsigned i = 0; i < words; i++)
        EMIT(m, LW, .rs1 = X_ADDRESS, .rd = any(m), .imm = (int32_t)(4 * i));
}

/* What was received is used, kept, or both. */
static void make_received(struct maker *m, uint8_t reg)
{
    if (!reg) {
        EMIT(m, FENCE, .imm = 0xff);
        return;
    }
    if (percent(m, 50))
        make_simple(m);
    EMIT(m, XOR, .rd = any(m), .rs1 = reg, .rs2 = any(m));
    if (percent(m, 50))
        EMIT(m, SW, .rs1 = X_L1, .rs2 = reg, .imm = (int32_t)(4 * below(m, 16)));
}

/* ---- mailboxes and PC buffers ---- */

static void make_mail(struct maker *m, unsigned from, unsigned to)
{
    unsigned words = percent(m, 40) ? 1 + below(m, 8) : 0, copies = 1 + below(m, 3);
    if (from == to)
        copies = 1;
    maker_core(m, from);
    make_data(m, words);
    emit_li(m, X_ADDRESS, mailbox_of(to));
    for (unsigned i = 0; i < copies; i++)
        EMIT(m, SW, .rs1 = X_ADDRESS, .rs2 = any(m));
    maker_core(m, to);
    for (unsigned i = 0; i < copies; i++) {
        uint8_t reg = percent(m, 5) ? 0 : any(m);
        emit_li(m, X_ADDRESS, mailbox_of(from));
        uint32_t top = here(m);
        if (percent(m, 40)) {
            EMIT(m, LW, .rd = X_DEVICE, .rs1 = X_ADDRESS, .imm = 4);
            if (percent(m, 50))
                EMIT(m, ADDI, .imm = 0);
            emit_back(m, top, RV_OP_BEQ, (struct rv32_args){.rs1 = X_DEVICE});
        }
        EMIT(m, LW, .rd = reg, .rs1 = X_ADDRESS);
        make_received(m, reg);
    }
    take_data(m, words);
}

static void make_pcbuf(struct maker *m, unsigned to)
{
    unsigned words = percent(m, 30) ? 1 + below(m, 4) : 0, copies = 1 + below(m, 3);
    uint8_t reg = any(m);
    maker_core(m, RV_B);
    make_data(m, words);
    emit_li(m, X_ADDRESS, DEVICE_PCBUF + 0x10000 * to);
    if (percent(m, 30)) { /* it has come back to its buffer, and its thread is idle */
        EMIT(m, LW, .rd = X_DEVICE, .rs1 = X_ADDRESS);
        emit_use(m, X_DEVICE);
    }
    for (unsigned i = 0; i < copies; i++)
        EMIT(m, SW, .rs1 = X_ADDRESS, .rs2 = any(m));
    maker_core(m, to);
    for (unsigned i = 0; i < copies; i++) {
        emit_load(m, reg, DEVICE_PCBUF);
        make_received(m, reg);
    }
    take_data(m, words);
}

/* ---- words in L1 ---- */

/* Goes round until the word at X_ADDRESS is not 0. */
static void make_flag_poll(struct maker *m)
{
    uint32_t top = here(m);
    struct rv32_args back = {.rs1 = X_DEVICE};
    switch (below(m, 5)) {
    case 0:
    case 1:
        EMIT(m, FENCE, .imm = 0xff);
        EMIT(m, LW, .rd = X_DEVICE, .rs1 = X_ADDRESS);
        break;
    case 2:
        EMIT(m, LW, .rd = X_DEVICE, .rs1 = X_ADDRESS);
        EMIT(m, FENCE, .imm = 0xff);
        break;
    case 3: EMIT(m, AMOOR_W, .rd = X_DEVICE, .rs1 = X_ADDRESS); break;
    default: /* the data cache is emptied now and then */
        EMIT(m, LW, .rd = X_DEVICE, .rs1 = X_ADDRESS);
        break;
    }
    if (percent(m, 20))
        EMIT(m, LW, .rd = X_VALUE, .rs1 = X_LOCAL, .imm = 8);
    if (percent(m, 80)) {
        emit_back(m, top, RV_OP_BEQ, back);
    } else {
        EMIT(m, BNE, .rs1 = X_DEVICE, .imm = 8);
        emit_back(m, top, RV_OP_JAL, (struct rv32_args){.imm = 0});
    }
}

static void make_flag(struct maker *m, unsigned from, unsigned to)
{
    unsigned words = percent(m, 70) ? 1 + below(m, 8) : 0;
    int32_t offset = (int32_t)(4 * below(m, 4));
    maker_core(m, from);
    make_data(m, words);
    emit_li(m, X_VALUE, 1 + below(m, 1000));
    emit_li(m, X_ADDRESS, AT_FLAG(m->step) + (uint32_t)offset);
    EMIT(m, SW, .rs1 = X_ADDRESS, .rs2 = X_VALUE);
    maker_core(m, to);
    emit_li(m, X_ADDRESS, AT_FLAG(m->step) + (uint32_t)offset);
    make_flag_poll(m);
    take_data(m, words);
    emit_li(m, X_VALUE, 0);
}

void make_barrier(struct maker *m)
{
    unsigned n = (unsigned)__builtin_popcount(m->p->cores);
    for (unsigned i = 0; i < RV_N_CORES; i++) {
        if (!has_core(m->p, i))
            continue;
        maker_core(m, i);
        emit_li(m, X_ADDRESS, AT_COUNT(m->step));
        emit_li(m, X_VALUE, 1);
        EMIT(m, AMOADD_W, .rd = 0, .rs1 = X_ADDRESS, .rs2 = X_VALUE);
        emit_li(m, X_VALUE, n);
        uint32_t top = here(m);
        EMIT(m, FENCE, .imm = 0xff);
        EMIT(m, LW, .rd = X_DEVICE, .rs1 = X_ADDRESS);
        emit_back(m, top, RV_OP_BNE, (struct rv32_args){.rs1 = X_DEVICE, .rs2 = X_VALUE});
    }
}

/* ---- semaphores ---- */

static void make_post(struct maker *m, unsigned s, unsigned words, bool config, uint32_t value)
{
    const struct program_sem *sem = &m->p->sem[s];
    if (!sem->from_thread) {
        make_data(m, words);
        emit_store(m, 0, DEVICE_SEM + 4 * s);
        return;
    }
    if (config) { /* a word of Config goes with it */
        make_push(m, word_set_half(2 * 60, value));
        make_push(m, (uint32_t)TENSIX_OP_DMANOP << 24);
        make_push(m, word_stallwait(0x1ff, 1));
        make_push(m, WORD(WRCFG, .gpr_address = 60, .cfg_reg = 100 + s));
        make_push(m, word_stallwait(0x1ff, 0x1000));
    } else if (percent(m, 40)) {
        make_push(m,
                  WORD(SEMWAIT,
                       .wait_sem_cond = 2,
                       .sem_sel = 1u << s,
                       .stall_res = percent(m, 50) ? 0x1ffu : 2u | below(m, 0x1ff)));
    }
    if (percent(m, 40))
        make_push(m, make_word(m));
    make_push(m, WORD(SEMPOST, .sem_sel = 1u << s));
}

static void make_get(struct maker *m, unsigned s, unsigned words)
{
    const struct program_sem *sem = &m->p->sem[s];
    if (sem->to_thread) {
        make_push(m,
                  WORD(SEMWAIT,
                       .wait_sem_cond = 1,
                       .sem_sel = 1u << s,
                       .stall_res = percent(m, 50) ? 0x1ffu : 2u | below(m, 0x1ff)));
        if (percent(m, 40))
            make_push(m, make_word(m));
        make_push(m, WORD(SEMGET, .sem_sel = 1u << s));
        return;
    }
    emit_li(m, X_ADDRESS, DEVICE_SEM + 4 * s);
    uint32_t top = here(m);
    EMIT(m, LW, .rd = X_DEVICE, .rs1 = X_ADDRESS);
    if (percent(m, 30))
        EMIT(m, LW, .rd = X_VALUE, .rs1 = X_L1, .imm = 64);
    emit_back(m, top, RV_OP_BEQ, (struct rv32_args){.rs1 = X_DEVICE});
    emit_li(m, X_VALUE, 1);
    EMIT(m, SW, .rs1 = X_ADDRESS, .rs2 = X_VALUE);
    emit_li(m, X_DEVICE, 7);
    take_data(m, words);
}

static void make_sem(struct maker *m, unsigned from, unsigned to)
{
    unsigned s = 2 * from + (to > from ? to - 1 : to);
    const struct program_sem *sem = &m->p->sem[s];
    unsigned words = !sem->from_thread && !sem->to_thread && percent(m, 50) ? 1 + below(m, 4) : 0;
    uint32_t value = below(m, 65536);
    bool config = sem->from_thread && sem->posts == 1;
    maker_core(m, from);
    make_post(m, s, words, config, value);
    maker_core(m, to);
    make_get(m, s, words);
    if (!config)
        return;
    if (sem->to_thread) {
        make_push(m, word_stallwait(0x1ff, 1));
        make_push(m, WORD(RDCFG, .gpr_address = 61, .cfg_reg = 100 + s));
        make_push(m, word_stallwait(0x1ff, 0x1000));
    } else {
        emit_load(m, any(m), DEVICE_CONFIG + 4 * (100 + s));
    }
}

void make_talk(struct maker *m, const struct program_step *s)
{
    switch (s->kind) {
    case STEP_MAIL: make_mail(m, s->a, s->b); break;
    case STEP_PCBUF: make_pcbuf(m, s->b); break;
    case STEP_FLAG: make_flag(m, s->a, s->b); break;
    case STEP_SEM: make_sem(m, s->a, s->b); break;
    default: make_barrier(m); break;
    }
}
