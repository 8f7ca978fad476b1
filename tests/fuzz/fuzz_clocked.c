/*
 * Fuzz target: programs for the five cores of a tile with time and without a trace, so that bursts and all other short cuts are used.
 * Every call ends, within its limit, whatever they push, store and load, and whoever puts whom into reset; walking through
 * everything leaves the same L1 in the same cycle. Without time every call ends within its steps.
 *
 * The input is a list of five programs. Each byte names something to do and is followed by what that needs; what
 * is missing is 0. So inputs stay programs when they are changed, cut or put together.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "isa/rv32.h"
#include "isa/tensix.h"
#include "tile/tile.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define LIMIT   3000u /* cycles */
#define STEPS   3000u
#define CODE    0x1800u /* bytes of a core's program */
#define SECONDS 60u     /* an input takes a few milliseconds */

#define SOFT_RESET UINT32_C(0xFFB121B0)
#define PUSH       UINT32_C(0xFFE40000)
#define MOP_CFG    UINT32_C(0xFFB80000)
#define SHARED     UINT32_C(0x20000) /* words of L1 that all use */

static const uint32_t start[RV_N_CORES] = {
    [RV_T0] = 0x6000, [RV_T1] = 0xA000, [RV_T2] = 0xE000, [RV_B] = 0x0, [RV_NC] = 0x12000};

/* Places worth hitting. */
static const uint32_t places[] = {
    SHARED,     SHARED + 4, SHARED + 16, SHARED + 64, PUSH,       0xFFE50000, 0xFFE60000,
    0xFFE80000, 0xFFE80004, 0xFFE80008,  0xFFE80020,  0xFFE80024, 0xFFE8003C, MOP_CFG,
    0xFFE00000, 0xFFE00010, 0xFFEF0000,  0xFFEF0190,  0xFFEC0000, 0xFFEC1000, 0xFFEC2000,
    0xFFEC3000, 0xFFEC0004, 0xFFB12000,  SOFT_RESET,  0xFFB121F0, 0xFFB12080, 0xFFB120A0,
    0xFFB120A4, 0xFFB11000, 0xFFB13000,  0xFFB20000,  0xFFB40000, 0xFFB14000, 0xFFBD8000,
    0xFFB12060, 0xFFB00000, 0xFFB00010,  0x6000,      0xA000,     0x0,        0x12000};
#define N_PLACES (sizeof places / sizeof places[0])

/* ---- from bytes to programs ---- */

/* Registers with a purpose; what is raw may use them as well. */
enum { X_LOOP = 5, X_AT, X_VALUE, X_ANY, X_OUTER = 28 };

struct maker {
    const uint8_t *data, *end;
    struct tile *t;
    uint32_t at, limit;
};

static uint32_t byte(struct maker *m)
{
    return m->data < m->end ? *m->data++ : 0;
}

static uint32_t word(struct maker *m)
{
    uint32_t value = byte(m);
    for (unsigned i = 8; i < 32; i += 8)
        value |= byte(m) << i;
    return value;
}

static void emit_word(struct maker *m, uint32_t value)
{
    if (m->at >= m->limit)
        return;
    memcpy(m->t->l1_bytes + m->at, &value, 4);
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

static uint32_t place(struct maker *m)
{
    uint32_t n = byte(m);
    return places[n % N_PLACES] + (n >= 2 * N_PLACES ? 4 * (n % 5) : 0);
}

/* Nearly always a small number: those mean something to most. */
static uint32_t value(struct maker *m)
{
    uint32_t n = byte(m);
    return n < 0xe0 ? n : n < 0xf0 ? UINT32_C(1) << n % 32 : word(m);
}

static uint32_t replay(struct maker *m)
{
    uint32_t a = byte(m), b = byte(m);
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
    uint32_t op = byte(m), a = byte(m);
    if (op < 0x60)
        return (uint32_t)often[op % sizeof often] << 24 | a << 2 | (a & 3) << 15;
    if (op < 0x90)
        return replay(m);
    return (op < 0xc0 ? a : byte(m)) << 24 | (word(m) & 0xffffff);
}

/* Counts down, or goes round until a place has what it wants, so many times at most. */
static void emit_loop(struct maker *m, bool polls)
{
    uint32_t rounds = 1 + byte(m);
    emit_li(m, X_LOOP, rounds);
    if (polls)
        emit_li(m, X_AT, place(m));
    uint32_t loop = m->at;
    if (polls) {
        EMIT(m, LW, .rd = X_VALUE, .rs1 = X_AT);
        EMIT(m, BNE, .rs1 = X_VALUE, .rs2 = 0, .imm = 12);
    }
    if (rounds != 1 + 0xff) /* else it polls for ever */
        EMIT(m, ADDI, .rd = X_LOOP, .rs1 = X_LOOP, .imm = -1);
    EMIT(m, BNE, .rs1 = X_LOOP, .rs2 = 0, .imm = (int32_t)(loop - m->at));
}

static void emit_mop(struct maker *m)
{
    uint32_t which = byte(m);
    for (unsigned i = 0; i < 9; i++)
        if (which >> i % 8 & 1)
            emit_store(m, MOP_CFG + 4 * i, i < 2 ? byte(m) % 32 : tensix_word(m));
    emit_push(m, (uint32_t)TENSIX_OP_MOP << 24 | (which & 1) << 23 | byte(m) << 16);
}

static void emit_reset(struct maker *m)
{
    uint32_t cores = byte(m), bits = 0;
    for (unsigned i = 0; i < RV_N_CORES; i++)
        bits |= cores >> i & 1 ? tile_reset_bits[i] : 0;
    emit_store(m, SOFT_RESET, bits | (cores >> 5 == 7 ? word(m) : 0));
}

static void emit_atomic(struct maker *m)
{
    emit_li(m, X_AT, SHARED + 4 * (byte(m) % 8));
    EMIT(m, AMOADD_W, .rd = X_ANY, .rs1 = X_AT, .rs2 = X_AT);
}

/* Does one thing; false: the program is over. */
static bool emit_one(struct maker *m, uint32_t *again)
{
    uint32_t kind = byte(m);
    switch (kind % 16) {
    case 0: return kind != 0;
    case 1: emit_word(m, word(m)); break;
    case 2:
    case 3:
    case 4: emit_push(m, tensix_word(m)); break;
    case 5:
    case 6: {
        uint32_t to = place(m);
        emit_store(m, to, value(m));
        break;
    }
    case 7:
        emit_li(m, X_AT, place(m));
        EMIT(m, LW, .rd = (uint8_t)(X_ANY + kind / 16 % 8), .rs1 = X_AT);
        break;
    case 8: emit_loop(m, kind & 0x10); break;
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

/* A tile with the programs; the first byte says which cores run at once. */
static void make(struct tile *tile, const uint8_t *data, size_t size)
{
    struct maker m = {.data = data, .end = data + size, .t = tile};
    memset(tile, 0, sizeof *tile);
    tile_reset(tile);
    uint32_t cores = byte(&m), bits = 0;
    for (unsigned i = 0; i < RV_N_CORES; i++) {
        m.at = start[i];
        m.limit = start[i] + CODE - 4;
        uint32_t again = m.at;
        while (m.at < m.limit && emit_one(&m, &again))
            ;
        uint32_t end = rv32_encode(RV_OP_JAL, (struct rv32_args){.imm = 0});
        memcpy(tile->l1_bytes + m.at, &end, 4);
        bits |= cores >> i & 1 ? tile_reset_bits[i] : 0;
    }
    tile_write(tile, SOFT_RESET, &bits, 4);
    for (unsigned i = 0; cores & 0x80 && i < RV_N_CORES; i++)
        tile->core[i].stop_on = 1u << RV_FAULT_FETCH; /* go on behind everything else */
    if (cores & 0x40)
        tile_clock_until(tile, SHARED, 5);
}

/* ---- running them ---- */

static void no_end(int signal)
{
    static const char text[] = "fuzz_clocked: a run does not end\n";
    (void)signal;
    if (write(2, text, sizeof text - 1) > 0)
        abort();
    abort();
}

static void fail(const char *what, uint64_t a, uint64_t b)
{
    fprintf(stderr,
            "fuzz_clocked: %s: %llu, %llu\n",
            what,
            (unsigned long long)a,
            (unsigned long long)b);
    abort();
}

static void whole(const struct tile *tile)
{
    for (unsigned i = 0; i < COPROC_THREADS; i++) {
        const struct frontend *f = &tile->coproc.fe[i];
        if (f->tracked > T_Q1_DEPTH || f->q2.n > T_Q2_DEPTH || f->q3.n > T_Q3_DEPTH)
            fail("a queue holds too much: thread, words tracked", i, f->tracked);
    }
    for (unsigned i = 0; i < RV_N_CORES; i++) {
        bool held = tile->soft_reset & tile_reset_bits[i];
        if (tile->core[i].x[0] || tile->pipe[i].lsu.n > T_RISC_STORE_QUEUE)
            fail("x0, or the store queue: core, stores", i, tile->pipe[i].lsu.n);
        if ((tile->core[i].state == RV_HELD) != held)
            fail("in reset or not: core, state", i, tile->core[i].state);
    }
}

static enum tile_end run(struct tile *tile, bool no_skip)
{
    tile->clock.no_skip = no_skip;
    enum tile_end end = tile_clock_run(tile, LIMIT);
    if (tile->clock.now > LIMIT || (end == TILE_END_LIMIT && tile->clock.now != LIMIT))
        fail("not the limit: end, cycle", end, tile->clock.now);
    whole(tile);
    return end;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct tile *skips, *walks;
    if (!skips) {
        skips = calloc(1, sizeof *skips);
        walks = calloc(1, sizeof *walks);
        signal(SIGALRM, no_end);
    }
    if (!skips || !walks)
        abort();
    alarm(SECONDS);
    make(skips, data, size);
    make(walks, data, size);
    enum tile_end end = run(skips, false);
    if (run(walks, true) == end && skips->clock.now != walks->clock.now)
        fail("last cycle", skips->clock.now, walks->clock.now);
    for (uint32_t i = 0; memcmp(skips->l1_bytes, walks->l1_bytes, sizeof skips->l1_bytes) != 0; i++)
        if (skips->l1_bytes[i] != walks->l1_bytes[i])
            fail("L1: address, byte", i, walks->l1_bytes[i]);
    make(skips, data, size);
    for (unsigned i = 0; i < 3; i++)
        if (tile_run(skips, STEPS) > STEPS)
            fail("too many steps: call", i, STEPS);
    whole(skips);
    alarm(0);
    return 0;
}
