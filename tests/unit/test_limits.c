/*
 * test_limits.c - programs that never end, and never stand still either: every call ends at its limit, in its very cycle or step,
 * through the public functions, with time, without skipping and without time, and in a chip.
 */
#include "tile_drive.h"

#include "chip/chip.h"
#include "waitgate.h"

#define RESET UINT32_C(0xFFB121B0)
#define PUSH  UINT32_C(0xFFE40000)

/* What core T0 does for ever. */
enum forever { NO_INSTRUCTION, NEVER_RECORDED, COUNTS, LOOKS_AT_CLOCK, EXPANDS, N_FOREVER };

static uint32_t replay(unsigned n)
{
    return tensix_REPLAY_encode((struct tensix_REPLAY){.len = n});
}

/* Its program, at `to`; returns how many words. */
static unsigned make(enum forever what, uint32_t *to)
{
    unsigned n = 0;
#define INSN(id, ...) to[n++] = rv32_encode(RV_OP_##id, (struct rv32_args){__VA_ARGS__})
    uint32_t word = what == NO_INSTRUCTION   ? UINT32_C(0xff) << 24
                    : what == NEVER_RECORDED ? replay(40)
                                             : (uint32_t)TENSIX_OP_MOP << 24 | 1u << 23;
    uint32_t place = what == LOOKS_AT_CLOCK ? CONTROL(0x1f0) : what == COUNTS ? 0x20000 : PUSH;
    INSN(LUI, .rd = 5, .imm = (int32_t)((place + 0x800) & 0xfffff000));
    INSN(ADDI, .rd = 5, .rs1 = 5, .imm = (int32_t)((place & 0xfff) ^ 0x800) - 0x800);
    INSN(LUI, .rd = 6, .imm = (int32_t)((word + 0x800) & 0xfffff000));
    INSN(ADDI, .rd = 6, .rs1 = 6, .imm = (int32_t)((word & 0xfff) ^ 0x800) - 0x800);
    if (what == EXPANDS) { /* five times five words that are no instruction */
        INSN(LUI, .rd = 7, .imm = (int32_t)UINT32_C(0xffb80000));
        INSN(ADDI, .rd = 8, .imm = 5);
        INSN(SW, .rs1 = 7, .rs2 = 8);
        INSN(SW, .rs1 = 7, .rs2 = 8, .imm = 4);
    }
    unsigned loop = n;
    if (what == COUNTS || what == LOOKS_AT_CLOCK)
        INSN(LW, .rd = 6, .rs1 = 5);
    if (what == COUNTS)
        INSN(ADDI, .rd = 6, .rs1 = 6, .imm = 1);
    if (what != LOOKS_AT_CLOCK)
        INSN(SW, .rs1 = 5, .rs2 = 6);
    int32_t back = 4 * ((int32_t)loop - (int32_t)n);
    INSN(JAL, .imm = back);
#undef INSN
    return n;
}

static waitgate_tile *new_tile(enum forever what)
{
    waitgate_tile *t = NULL;
    uint32_t code[32], bits = TILE_SOFT_RESET & ~tile_reset_bits[T0];
    assert_int_equal(waitgate_tile_create(&t), WAITGATE_OK);
    assert_int_equal(waitgate_tile_write(t, 0x6000, code, 4 * make(what, code)), WAITGATE_OK);
    assert_int_equal(waitgate_tile_write(t, RESET, &bits, 4), WAITGATE_OK);
    return t;
}

static const uint64_t calls[] = {1, 1, 2, 3, 7, 100, 1000, 1, 5000, 12345};
#define N_CALLS (sizeof calls / sizeof calls[0])

static void cycles_of_a_tile(void **state)
{
    (void)state;
    for (unsigned what = 0; what < N_FOREVER; what++)
        for (unsigned no_skip = 0; no_skip < 2; no_skip++) {
            waitgate_tile *t = new_tile((enum forever)what);
            uint64_t cycles = 0;
            waitgate_tile_no_skip(t, (int)no_skip);
            assert_int_equal(waitgate_tile_until(t, 0x30000, 1), WAITGATE_OK); /* never so */
            for (unsigned i = 0; i < N_CALLS; i++) {
                cycles += calls[i];
                assert_int_equal(waitgate_tile_clock(t, calls[i]), WAITGATE_TILE_LIMIT);
                assert_int_equal(waitgate_tile_cycle(t), cycles);
            }
            waitgate_tile_free(t);
        }
}

static void steps_of_a_tile(void **state)
{
    (void)state;
    for (unsigned what = 0; what < N_FOREVER; what++) {
        waitgate_tile *t = new_tile((enum forever)what);
        for (unsigned i = 0; i < N_CALLS; i++)
            assert_int_equal(waitgate_tile_run(t, calls[i]), calls[i]);
        waitgate_tile_free(t);
    }
}

static void words_of_l1_end_a_run(void **state)
{
    (void)state;
    for (unsigned no_skip = 0; no_skip < 2; no_skip++) {
        waitgate_tile *t = new_tile(COUNTS);
        waitgate_tile_no_skip(t, (int)no_skip);
        assert_int_equal(waitgate_tile_until(t, 0x20000, 77), WAITGATE_OK);
        assert_int_equal(waitgate_tile_clock(t, 1000000), WAITGATE_TILE_UNTIL);
        assert_true(waitgate_tile_cycle(t) < 77 * 50);
        waitgate_tile_free(t);
    }
}

static void cycles_of_a_script(void **state)
{
    (void)state;
    static const char *const text[] = {
        ".core T0\n.repeat 1000000000\n ttreplay 0, 20, 0, 0\n.end\n",
        ".core T0\n.repeat 1000000000\n ttnop\n.end\n"};
    for (unsigned k = 0; k < 2; k++)
        for (unsigned no_skip = 0; no_skip < 2; no_skip++)
            for (unsigned i = 0; i < N_CALLS; i++) {
                waitgate_program *p = NULL;
                waitgate_result *r = NULL;
                struct waitgate_options o = {
                    .size = sizeof o, .max_cycles = calls[i], .no_skip = (int)no_skip};
                assert_int_equal(
                    waitgate_program_parse(text[k], strlen(text[k]), "limits", &p, NULL),
                    WAITGATE_OK);
                assert_int_equal(waitgate_run(p, &o, &r), WAITGATE_OK);
                assert_int_equal(waitgate_result_end(r), WAITGATE_END_LIMIT);
                assert_int_equal(waitgate_result_cycles(r), calls[i]);
                waitgate_result_free(r);
                waitgate_program_free(p);
            }
}

static void clocks_of_a_chip(void **state)
{
    (void)state;
    for (unsigned what = 0; what < N_FOREVER; what++)
        for (unsigned clocked = 0; clocked < 2; clocked++) {
            struct chip *c = chip_new();
            uint32_t code[32], n = make((enum forever)what, code);
            uint32_t bits = TILE_SOFT_RESET & ~tile_reset_bits[T0];
            assert_non_null(c);
            c->clocked = clocked;
            assert_true(chip_write(c, 1, 2, 0x6000, code, 4 * n));
            assert_true(chip_write(c, 1, 2, RESET, &bits, 4));
            for (unsigned i = 0; i < N_CALLS; i++) {
                uint64_t done = chip_clock(c, (uint32_t)calls[i]);
                if (clocked)
                    assert_int_equal(done, calls[i]);
                else
                    assert_true(done && done <= calls[i] * TILE_QUOTA);
            }
            chip_free(c);
        }
}

TEST_MAIN(cmocka_unit_test(cycles_of_a_tile), cmocka_unit_test(steps_of_a_tile),
          cmocka_unit_test(words_of_l1_end_a_run), cmocka_unit_test(cycles_of_a_script),
          cmocka_unit_test(clocks_of_a_chip))
