/*
 * test_dbgif.c - the debug interface of the cores, through the control registers.
 *
 * Facts (ISA page DebugInterface): CNTL_0 at 0x80 (register 10:0, write 16, core 19:17, trigger 31), CNTL_1
 * at 0x84, STATUS_0 at 0x88 (valid 30, trigger 31), STATUS_1 at 0x8C; registers 0 status, 1 command, 2 and 3
 * arguments, 4 result, 5 modes, 10 to 17 addresses; commands and modes as below.
 */
#include "tile_drive.h"

enum { STATUS, COMMAND, ARG0, ARG1, RESULT, MODES, POINT = 10 };
enum {
    PAUSE = 1,
    STEP = 2,
    RESUME = 4,
    READ_REG = 8,
    WRITE_REG = 16,
    READ_MEM = 32,
    WRITE_MEM = 64,
    CLEAR = 128,
    WRITE_PC = 256
};
#define SLOW UINT32_C(0x80000000)

/* The debugger's number of each core. */
static const uint8_t number[] = {[T0] = 1, [T1] = 2, [T2] = 3, [B] = 0, [NC] = 4};
static const uint32_t start[] = {
    [T0] = 0x6000, [T1] = 0xA000, [T2] = 0xE000, [B] = 0, [NC] = 0x12000};

static uint32_t get(struct tile *tile, unsigned who, unsigned core, unsigned reg)
{
    uint32_t control = SLOW | (uint32_t)number[core] << 17 | reg;
    store(tile, who, CONTROL(0x80), 0);
    assert_int_equal(load(tile, who, CONTROL(0x88)) >> 31, 0);
    store(tile, who, CONTROL(0x80), control);
    assert_int_equal(load(tile, who, CONTROL(0x88)), 0xC0000000 | reg);
    return load(tile, who, CONTROL(0x8C));
}

static void set(struct tile *tile, unsigned who, unsigned core, unsigned reg, uint32_t value)
{
    uint32_t control = SLOW | 1u << 16 | (uint32_t)number[core] << 17 | reg;
    store(tile, who, CONTROL(0x84), value);
    store(tile, who, CONTROL(0x80), 0);
    store(tile, who, CONTROL(0x80), control);
    assert_int_equal(load(tile, who, CONTROL(0x88)), 0x80000000 | 1u << (13 + number[core]) | reg);
}

/* A command in slow execution mode, and time for it. */
static void command(struct tile *tile, unsigned core, uint32_t bits)
{
    set(tile, NOC, core, COMMAND, SLOW | bits);
    tile_run(tile, 100);
}

static uint32_t reg(struct tile *tile, unsigned core, unsigned i)
{
    set(tile, NOC, core, ARG0, i);
    command(tile, core, READ_REG);
    return get(tile, NOC, core, RESULT);
}

static uint32_t pc(struct tile *tile, unsigned core)
{
    return reg(tile, core, 32);
}

/* x5 counts, with stores of it to 0x5000 and loads back. */
static void begin(struct tile *tile, unsigned core)
{
    uint32_t at = start[core];
    RV_PUT(tile, &at, LUI, .rd = 6, .imm = 0x5000);
    RV_PUT(tile, &at, ADDI, .rd = 5, .rs1 = 5, .imm = 1);
    RV_PUT(tile, &at, SW, .rs1 = 6, .rs2 = 5, .imm = 8);
    RV_PUT(tile, &at, LW, .rs1 = 6, .rd = 7, .imm = 8);
    RV_PUT(tile, &at, JAL, .rd = 0, .imm = -12);
    release(tile, core);
}

static void every_core_pauses_steps_and_resumes(void **state)
{
    struct tile *tile = *state;
    for (unsigned core = T0; core <= NC; core++) {
        begin(tile, core);
        tile_run(tile, 200);
        assert_int_equal(get(tile, NOC, core, STATUS), 0);
        command(tile, core, PAUSE);
        assert_int_equal(get(tile, NOC, core, STATUS), 1);
        assert_true(tile_still(tile));
        uint32_t before = tile->core[core].x[5];
        assert_true(before > 10);
        tile_run(tile, 200);
        assert_int_equal(tile->core[core].x[5], before);
        set(tile, NOC, core, ARG0, 0); /* bring it to a known place: pc from the result */
        tile->dbgif.core[core].result = start[core] + 4;
        command(tile, core, WRITE_PC | STEP);
        assert_int_equal(pc(tile, core), start[core] + 4);
        for (unsigned i = 1; i < 5; i++) {
            command(tile, core, STEP);
            assert_int_equal(get(tile, NOC, core, STATUS), 1);
            assert_int_equal(pc(tile, core), start[core] + 4 + (i < 4 ? 4 * i : 0));
        }
        assert_int_equal(reg(tile, core, 5), before + 1);
        command(tile, core, RESUME);
        assert_int_equal(get(tile, NOC, core, STATUS), 0);
        assert_true(tile->core[core].x[5] > before + 5);
        hold(tile, core);
    }
    assert_int_equal(told(tile, DIAG_DEBUG_NOT_SLOW), 0);
}

static void registers_are_read_and_written(void **state)
{
    struct tile *tile = *state;
    begin(tile, T1);
    set(tile, B, T1, COMMAND, SLOW | PAUSE); /* a core can be the debugger */
    tile_run(tile, 10);
    assert_int_equal(get(tile, B, T1, STATUS), 1);
    for (unsigned i = 0; i < 32; i++) {
        set(tile, B, T1, ARG0, i);
        set(tile, B, T1, ARG1, 0x1000 + i);
        command(tile, T1, WRITE_REG);
    }
    for (unsigned i = 0; i < 32; i++)
        assert_int_equal(reg(tile, T1, i), i ? 0x1000 + i : 0);
    assert_int_equal(reg(tile, T1, 33), 0);
    command(tile, T1, CLEAR);
    for (unsigned i = 0; i < 32; i++)
        assert_int_equal(reg(tile, T1, i), 0);
    assert_int_equal(get(tile, B, T1, ARG1), 0x101f);
    set(tile, B, T1, STATUS, 0xff);
    set(tile, B, T1, RESULT, 0xff);
    assert_int_equal(get(tile, B, T1, STATUS), 1);
    assert_int_equal(get(tile, B, T1, RESULT), 0);
}

static void memory_is_the_cores_own(void **state)
{
    struct tile *tile = *state;
    begin(tile, T0);
    begin(tile, B);
    for (unsigned core = T0; core <= B; core += B) {
        command(tile, core, PAUSE);
        set(tile, NOC, core, ARG0, 0xFFB00010);
        set(tile, NOC, core, ARG1, 0xABC0 + core);
        command(tile, core, WRITE_MEM);
        assert_int_equal(get(tile, NOC, core, STATUS), 1);
    }
    assert_int_equal(load(tile, NOC, 0xFFB18010), 0xABC0 + T0);
    assert_int_equal(load(tile, NOC, 0xFFB14010), 0xABC0 + B);
    command(tile, T0, READ_MEM);
    assert_int_equal(get(tile, NOC, T0, RESULT), 0xABC0 + T0);
    set(tile, NOC, T0, ARG0, 0x7000);
    set(tile, NOC, T0, ARG1, 0x7777);
    command(tile, T0, WRITE_MEM);
    assert_int_equal(peek(tile, 0x7000), 0x7777);
    /* a read that has to wait keeps the core busy */
    set(tile, NOC, T0, ARG0, 0xFFEC0000);
    command(tile, T0, READ_MEM);
    assert_int_equal(get(tile, NOC, T0, STATUS), 0);
    store(tile, B, 0xFFEC1000, 0x4321);
    tile_run(tile, 10);
    assert_int_equal(get(tile, NOC, T0, STATUS), 1);
    assert_int_equal(get(tile, NOC, T0, RESULT), 0x4321);
    /* B reaches no semaphores, and is told */
    set(tile, NOC, B, ARG0, 0xFFB80000);
    command(tile, B, READ_MEM);
    assert_int_equal(get(tile, NOC, B, RESULT), 0);
    assert_int_equal(told(tile, DIAG_RV_BUS), 1);
}

static void ebreak_pauses_behind_itself(void **state)
{
    struct tile *tile = *state;
    for (unsigned call = 0; call < 2; call++) {
        uint32_t at = 0;
        RV_PUT(tile, &at, ADDI, .rd = 1, .imm = 5);
        if (call)
            RV_PUT(tile, &at, ECALL, .rd = 0);
        else
            RV_PUT(tile, &at, EBREAK, .rd = 0);
        RV_PUT(tile, &at, ADDI, .rd = 2, .imm = 6);
        RV_PUT(tile, &at, JAL, .rd = 0, .imm = 0);
        release(tile, B);
        tile_run(tile, 100);
        assert_int_equal(get(tile, NOC, B, STATUS), 9);
        assert_int_equal(pc(tile, B), 8);
        assert_int_equal(reg(tile, B, 2), 0);
        command(tile, B, STEP);
        assert_int_equal(get(tile, NOC, B, STATUS), 1);
        assert_int_equal(pc(tile, B), 12);
        assert_int_equal(reg(tile, B, 2), 6);
        hold(tile, B);
    }
}

static void points(void **state)
{
    struct tile *tile = *state;
    begin(tile, T2);
    set(tile, NOC, T2, COMMAND, SLOW);
    set(tile, NOC, T2, POINT + 3, 0xE008); /* the store */
    set(tile, NOC, T2, MODES, 8u << 12);
    tile_run(tile, 100);
    assert_int_equal(get(tile, NOC, T2, STATUS), 1 | 2 | 1u << 11);
    assert_int_equal(pc(tile, T2), 0xE00C); /* behind it */
    assert_int_equal(peek(tile, 0x5008), 1);
    command(tile, T2, RESUME); /* once round */
    assert_int_equal(get(tile, NOC, T2, STATUS), 1 | 2 | 1u << 11);
    assert_int_equal(reg(tile, T2, 5), 2);

    set(tile, NOC, T2, POINT, 0x5008);
    for (unsigned mode = 9; mode <= 11; mode++) {
        set(tile, NOC, T2, MODES, mode);
        assert_int_equal(get(tile, NOC, T2, MODES), mode);
        assert_int_equal(get(tile, NOC, T2, POINT), 0x5008);
        command(tile, T2, RESUME);
        assert_int_equal(get(tile, NOC, T2, STATUS), 1 | 4 | 1u << 8);
        assert_int_equal(pc(tile, T2), 0xE00C); /* before the load, behind the store */
        uint32_t count = reg(tile, T2, 5);
        command(tile, T2, RESUME); /* passes it and comes round again */
        assert_int_equal(get(tile, NOC, T2, STATUS), 1 | 4 | 1u << 8);
        assert_int_equal(pc(tile, T2), 0xE00C);
        assert_int_equal(reg(tile, T2, 5), count + 1);
        pc(tile, T2); /* where it is sent: to the same load, which has not been passed then */
        command(tile, T2, WRITE_PC);
        command(tile, T2, RESUME);
        assert_int_equal(get(tile, NOC, T2, STATUS), 1 | 4 | 1u << 8);
        assert_int_equal(pc(tile, T2), 0xE00C);
        assert_int_equal(reg(tile, T2, 5), count + 1 + (mode == 10)); /* the next store */
    }
    for (unsigned mode = 0; mode < 16; mode++)
        if (mode < 8 || mode > 11) {
            set(tile, NOC, T2, MODES, mode);
            command(tile, T2, RESUME);
            assert_int_equal(get(tile, NOC, T2, STATUS), 0);
            command(tile, T2, PAUSE);
        }
}

static void a_waiting_core_pauses_later(void **state)
{
    struct tile *tile = *state;
    uint32_t at = 0x6000;
    put_li(tile, &at, 10, 0xFFEC0000);
    RV_PUT(tile, &at, LW, .rd = 11, .rs1 = 10);
    RV_PUT(tile, &at, JAL, .rd = 0, .imm = 0);
    release(tile, T0);
    command(tile, T0, PAUSE);
    assert_int_equal(get(tile, NOC, T0, STATUS), 1); /* it ran, then paused: still RUNNING */
    command(tile, T0, RESUME);
    command(tile, T0, PAUSE);
    assert_int_equal(get(tile, NOC, T0, STATUS), 0); /* waits at the mailbox */
    store(tile, B, 0xFFEC1000, 3);
    tile_run(tile, 10);
    assert_int_equal(get(tile, NOC, T0, STATUS), 1);
    assert_int_equal(reg(tile, T0, 11), 3);
}

static void what_is_wrong_is_told(void **state)
{
    struct tile *tile = *state;
    begin(tile, T0);
    set(tile, NOC, T0, COMMAND, READ_REG);
    assert_int_equal(told(tile, DIAG_DEBUG_NOT_PAUSED), 1);
    set(tile, NOC, T0, COMMAND, PAUSE);
    tile_run(tile, 10);
    set(tile, NOC, T0, COMMAND, RESUME);
    assert_int_equal(told(tile, DIAG_DEBUG_NOT_SLOW), 1);
    /* without slow mode, writing pc goes to the place after reset */
    tile_run(tile, 10);
    set(tile, NOC, T0, COMMAND, PAUSE);
    tile_run(tile, 10);
    set(tile, NOC, T0, COMMAND, WRITE_PC | STEP);
    tile_run(tile, 10);
    assert_int_equal(tile->core[T0].pc, 0x6000);
    assert_int_equal(told(tile, DIAG_DEBUG_NOT_SLOW), 1);
    /* a trigger needs an edge */
    store(tile, NOC, CONTROL(0x84), 0x55);
    store(tile, NOC, CONTROL(0x80), 0);
    store(tile, NOC, CONTROL(0x80), SLOW | 1u << 16 | 1u << 17 | ARG0);
    store(tile, NOC, CONTROL(0x84), 0x66);
    store(tile, NOC, CONTROL(0x80), SLOW | 1u << 16 | 1u << 17 | ARG0);
    assert_int_equal(get(tile, NOC, T0, ARG0), 0x55);
}

static void soft_reset_clears_or_keeps(void **state)
{
    struct tile *tile = *state;
    for (unsigned core = T0; core <= NC; core++) {
        static const uint8_t bit[] = {[T0] = 1, [T1] = 3, [T2] = 5, [B] = 7, [NC] = 9};
        begin(tile, core);
        set(tile, NOC, core, POINT, 0x123);
        hold(tile, core);
        assert_int_equal(get(tile, NOC, core, POINT), 0);
        set(tile, NOC, core, POINT, 0x123); /* lost while held */
        assert_int_equal(get(tile, NOC, core, POINT), 0);
        store(tile, NOC, CONTROL(0x224), 1u << bit[core]);
        set(tile, NOC, core, POINT, 0x456);
        release(tile, core);
        command(tile, core, PAUSE);
        assert_int_equal(get(tile, NOC, core, STATUS), 1);
        hold(tile, core);
        assert_int_equal(get(tile, NOC, core, STATUS), 0);
        assert_int_equal(get(tile, NOC, core, POINT), 0x456);
        store(tile, NOC, CONTROL(0x224), 0);
    }
}

TEST_MAIN(TILE_TEST(every_core_pauses_steps_and_resumes), TILE_TEST(registers_are_read_and_written),
          TILE_TEST(memory_is_the_cores_own), TILE_TEST(ebreak_pauses_behind_itself),
          TILE_TEST(points), TILE_TEST(a_waiting_core_pauses_later),
          TILE_TEST(what_is_wrong_is_told), TILE_TEST(soft_reset_clears_or_keeps))
