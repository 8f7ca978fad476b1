/* maker.c - see maker.h. */
#include "maker.h"

#include <string.h>

#include "isa/rv32.h"
#include "isa/tensix.h"

#define PUSH    UINT32_C(0xFFE40000)
#define MOP_CFG UINT32_C(0xFFB80000)

const uint32_t maker_start[RV_N_CORES] = {
    [RV_T0] = 0x6000, [RV_T1] = 0xA000, [RV_T2] = 0xE000, [RV_B] = 0x0, [RV_NC] = 0x12000};

/* Places worth hitting. */
static const uint32_t places[] = {MAKER_SHARED,
                                  MAKER_SHARED + 4,
                                  MAKER_SHARED + 16,
                                  MAKER_SHARED + 64,
                                  PUSH,
                                  0xFFE50000,
                                  0xFFE60000,
                                  0xFFE80000,
                                  0xFFE80004,
                                  0xFFE80008,
                                  0xFFE80020,
                                  0xFFE80024,
                                  0xFFE8003C,
                                  MOP_CFG,
                                  0xFFE00000,
                                  0xFFE00010,
                                  0xFFEF0000,
                                  0xFFEF0190,
                                  0xFFEC0000,
                                  0xFFEC1000,
                                  0xFFEC2000,
                                  0xFFEC3000,
                                  0xFFEC0004,
                                  0xFFB12000,
                                  MAKER_SOFT_RESET,
                                  0xFFB121F0,
                                  0xFFB12080,
                                  0xFFB120A0,
                                  0xFFB120A4,
                                  0xFFB11000,
                                  0xFFB13000,
                                  0xFFB20000,
                                  0xFFB40000,
                                  0xFFB14000,
                                  0xFFBD8000,
                                  0xFFB12060,
                                  0xFFB00000,
                                  0xFFB00010,
                                  0x6000,
                                  0xA000,
                                  0x0,
                                  0x12000};
#define N_PLACES (sizeof places / sizeof places[0])

/* Registers with a purpose; what is raw may use them as well. */
enum { X_LOOP = 5, X_AT, X_VALUE, X_ANY, X_OUTER = 28 };

uint32_t maker_byte(struct maker *m)
{
    return m->data < m->end ? *m->data++ : 0;
}

uint32_t maker_word(struct maker *m)
{
    uint32_t value = maker_byte(m);
    for (unsigned i = 8; i < 32; i += 8)
        value |= maker_byte(m) << i;
    return value;
}

static void emit_word(struct maker *m, uint32_t value)
{
    if (m->at >= m->limit)
        return;
    memcpy(m->code + m->at, &value, 4);
    m->at += 4;
}

#define EMIT(m, id, ...) emit_word(m, rv32_encode(RV_OP_##id, (struct rv32_args){__VA_ARGS__}))

static void emit_li(struct maker *m, unsigned rd, uint32_t value)
{
    EMIT(m, LUI, .rd = (uint8_t)rd, .imm = (int32_t)((value + 0x800) & 0xfffff000));
    EMIT(m,
         ADDI,
         .rd = (uint8_t)rd,
         .rs1 = (uint8_t)rd,
         .imm = (int32_t)((value & 0xfff) ^ 0x800) - 0x800);
}

static void emit_store(struct maker *m, uint32_t address, uint32_t value)
{
    emit_li(m, X_AT, address);
    emit_li(m, X_VALUE, value);
    EMIT(m, SW, .rs1 = X_AT, .rs2 = X_VALUE);
}

/* A store to the window, or a .ttinsn if the word can be one. */
static void emit_push(struct maker *m, uint32_t value)
{
    uint32_t ttinsn = value << 2 | value >> 30;
    if ((ttinsn & 3) != 3)
        emit_word(m, ttinsn);
    else
        emit_store(m, PUSH, value);
}

uint32_t maker_place(struct maker *m)
{
    uint32_t n = maker_byte(m);
    return places[n % N_PLACES] + (n >= 2 * N_PLACES ? 4 * (n % 5) : 0);
}

/* Nearly always a small number: those mean something to most. */
uint32_t maker_value(struct maker *m)
{
    uint32_t n = maker_byte(m);
    return n < 0xe0 ? n : n < 0xf0 ? UINT32_C(1) << n % 32 : maker_word(m);
}

static uint32_t replay(struct maker *m)
{
    uint32_t a = maker_byte(m), b = maker_byte(m);
    return tensix_REPLAY_encode((struct tensix_REPLAY){.load_mode = a >> 6 & 1,
                                                       .execute_while_loading = a >> 7,
                                                       .start_idx = a % 32,
                                                       .len = b % 64});
}

/* A word that does something, waits for something, or plays. */
static uint32_t tensix_word(struct maker *m)
{
    static const uint8_t often[] = {TENSIX_OP_NOP,
                                    TENSIX_OP_MVMUL,
                                    TENSIX_OP_ELWADD,
                                    TENSIX_OP_SFPMAD,
                                    TENSIX_OP_SFPLOAD,
                                    TENSIX_OP_SFPSTORE,
                                    TENSIX_OP_PACR,
                                    TENSIX_OP_SETDVALID,
                                    TENSIX_OP_CLEARDVALID,
                                    TENSIX_OP_SEMPOST,
                                    TENSIX_OP_SEMGET,
                                    TENSIX_OP_SEMWAIT,
                                    TENSIX_OP_STALLWAIT,
                                    TENSIX_OP_UNPACR,
                                    TENSIX_OP_SFPLOADMACRO,
                                    TENSIX_OP_STOREREG};
    uint32_t op = maker_byte(m), a = maker_byte(m);
    if (op < 0x60)
        return (uint32_t)often[op % sizeof often] << 24 | a << 2 | (a & 3) << 15;
    if (op < 0x90)
        return replay(m);
    return (op < 0xc0 ? a : maker_byte(m)) << 24 | (maker_word(m) & 0xffffff);
}

/* Counts down, or goes round until a place has what it wants, so many times at most. */
static void emit_loop(struct maker *m, bool polls, bool fences)
{
    uint32_t rounds = 1 + maker_byte(m);
    emit_li(m, X_LOOP, rounds);
    if (polls)
        emit_li(m, X_AT, maker_place(m));
    uint32_t loop = m->at;
    if (polls) {
        if (fences) /* else it finds the word in its cache, mostly */
            EMIT(m, FENCE, .imm = 0xff);
        EMIT(m, LW, .rd = X_VALUE, .rs1 = X_AT);
        EMIT(m, BNE, .rs1 = X_VALUE, .rs2 = 0, .imm = 12);
    }
    if (rounds != 1 + 0xff) /* else it polls for ever */
        EMIT(m, ADDI, .rd = X_LOOP, .rs1 = X_LOOP, .imm = -1);
    EMIT(m, BNE, .rs1 = X_LOOP, .rs2 = 0, .imm = (int32_t)(loop - m->at));
}

static void emit_mop(struct maker *m)
{
    uint32_t which = maker_byte(m);
    for (unsigned i = 0; i < 9; i++)
        if (which >> i % 8 & 1)
            emit_store(m, MOP_CFG + 4 * i, i < 2 ? maker_byte(m) % 32 : tensix_word(m));
    emit_push(m, (uint32_t)TENSIX_OP_MOP << 24 | (which & 1) << 23 | maker_byte(m) << 16);
}

static void emit_reset(struct maker *m)
{
    uint32_t cores = maker_byte(m), bits = 0;
    for (unsigned i = 0; i < RV_N_CORES; i++)
        bits |= cores >> i & 1 ? tile_reset_bits[i] : 0;
    emit_store(m, MAKER_SOFT_RESET, bits | (cores >> 5 == 7 ? maker_word(m) : 0));
}

static void emit_atomic(struct maker *m)
{
    emit_li(m, X_AT, MAKER_SHARED + 4 * (maker_byte(m) % 8));
    EMIT(m, AMOADD_W, .rd = X_ANY, .rs1 = X_AT, .rs2 = X_AT);
}

/* Does one thing; false: the program is over. */
static bool emit_one(struct maker *m, uint32_t *again)
{
    uint32_t kind = maker_byte(m);
    switch (kind % 16) {
    case 0: return kind != 0;
    case 1: emit_word(m, maker_word(m)); break;
    case 2:
    case 3:
    case 4: emit_push(m, tensix_word(m)); break;
    case 5:
    case 6: {
        uint32_t to = maker_place(m);
        emit_store(m, to, maker_value(m));
        break;
    }
    case 7:
        emit_li(m, X_AT, maker_place(m));
        EMIT(m, LW, .rd = (uint8_t)(X_ANY + kind / 16 % 8), .rs1 = X_AT);
        break;
    case 8: emit_loop(m, kind & 0x10, kind & 0x20); break;
    case 9: emit_mop(m); break;
    case 10: emit_reset(m); break;
    case 11: emit_atomic(m); break;
    case 12: EMIT(m, FENCE, .imm = 0xff); break;
    case 13: EMIT(m, CSRRS, .rd = X_ANY, .rs1 = 0, .csr = (uint16_t)(0xbc0 + kind / 16)); break;
    case 14: /* all since the last of these once more, a few times */
        EMIT(m, ADDI, .rd = X_OUTER, .rs1 = X_OUTER, .imm = 1);
        EMIT(m, ANDI, .rd = X_LOOP, .rs1 = X_OUTER, .imm = 7);
        EMIT(m, BNE, .rs1 = X_LOOP, .rs2 = 0, .imm = (int32_t)(*again - m->at));
        *again = m->at;
        break;
    default:
        EMIT(m, ADD, .rd = X_ANY, .rs1 = X_ANY, .rs2 = (uint8_t)(X_ANY + kind / 16 % 8));
        break;
    }
    return true;
}

uint32_t maker_program(struct maker *m, uint8_t *code, uint32_t size)
{
    m->code = code;
    m->at = 0;
    m->limit = size - 4;
    uint32_t again = m->at;
    while (m->at < m->limit && emit_one(m, &again))
        ;
    uint32_t end = rv32_encode(RV_OP_JAL, (struct rv32_args){.imm = 0});
    memcpy(code + m->at, &end, 4);
    return m->at + 4;
}
