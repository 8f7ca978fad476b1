/*
 * GPRs that are read without waiting for whoever writes them (docs/timing.md 4.5, 4.8 and 11): which value is read, and what the
 * report says of the margin.
 */
#include "test.h"

#include "drive.h"

static struct drive d;

#define OP(name) ((uint32_t)TENSIX_OP_##name << 24)

#define OLD     0x1111u /* register 3 at the start */
#define CONFIG  0x3333u /* word 20 of Config */
#define ANOTHER 0x5555u /* word 21 */
#define NEW     0x2222u

#define NONE N_DIAGS
#define OPEN PROBE_MARGIN_OPEN

#define SETDMAREG(half, value) (OP(SETDMAREG) | (uint32_t)(value) << 8 | (half))

#define SET       SETDMAREG(6, NEW)                                   /* low half of register 3 */
#define ADD       (OP(ADDDMAREG) | 1u << 23 | 3u << 12 | 1u << 6 | 3) /* 3 = 3 + 1, three cycles */
#define ADD_4     (OP(ADDDMAREG) | 9u << 12 | 1u << 6 | 8)            /* four cycles */
#define RDCFG     (OP(RDCFG) | 3u << 16 | 20)                         /* to register 3 */
#define RDCFG_2   (OP(RDCFG) | 3u << 16 | 21)
#define LOADIND   (OP(LOADIND) | 1u << 22 | 4u << 14 | 3u << 6 | 1) /* to register 3, from 0 */
#define REG2FLOP  (OP(REG2FLOP) | 1u << 22 | 8u << 6 | 1)           /* two cycles */
#define ATCAS     (OP(ATCAS) | 1)
#define FLUSHDMA  (OP(FLUSHDMA) | 1)
#define NOP       DRIVE_NOP
#define STALL     (OP(STALLWAIT) | 0x80u << 15 | 1) /* STALL_CFG, THCON */
#define STALL_C12 (OP(STALLWAIT) | 0x80u << 15 | 1u << 12)
#define WRCFG     (OP(WRCFG) | 3u << 16 | 30)
#define READER    (OP(ADDDMAREG) | 1u << 23 | 4u << 12 | 3) /* 4 = 3 + 0 */

#define WORDS(...)                                                                                 \
    (const uint32_t[])                                                                             \
    {                                                                                              \
        __VA_ARGS__, 0                                                                             \
    }

static void machine(unsigned lag)
{
    static const struct timing *typical = &timing_typical;
    struct timing t = *typical;
    char why[TIMING_WHY];
    assert_true(timing_set(&t, "WRCFG_READ_LAG", lag, false, why));
    coproc_time(&d.t, &t);
    drive_reset(&d);
    d.t.gpr.r[0][3] = OLD;
    d.t.config.word[0][20] = CONFIG;
    d.t.config.word[0][21] = ANOTHER;
}

static void add(unsigned thread, const uint32_t *words)
{
    for (; *words; words++)
        drive_add(&d, thread, *words);
}

/* There is exactly this report about register 3, or none. */
static void reported(unsigned id, int64_t margin)
{
    const struct probe *p = &d.t.probe;
    assert_int_equal(p->count[DIAG_STALE_GPR], id == DIAG_STALE_GPR);
    assert_int_equal(p->count[DIAG_GPR_NO_WAIT], id == DIAG_GPR_NO_WAIT);
    if (id == NONE)
        return;
    assert_int_equal(p->diag[0].id, id);
    assert_int_equal(p->diag[0].arg & 0xff, 3);
    assert_int_equal((int32_t)p->diag[0].arg >> 8, margin);
}

/* What WRCFG of register 3 finds behind T0's words while T1 and T2 do theirs. */
static void wrcfg_finds(unsigned lag, const uint32_t *words, const uint32_t *beside, uint32_t value,
                        unsigned id, int64_t margin)
{
    machine(lag);
    add(0, words);
    drive_add(&d, 0, WRCFG);
    if (beside)
        add(1, beside);
    drive_run(&d);
    assert_int_equal(d.t.config.word[0][30], value);
    reported(id, margin);
}

/* ---- WRCFG behind the Scalar Unit ---- */

/* Nothing delays it: the result of a single cycle comes in the last possible one, or, with the other lag, one too late. */
static void wrcfg_alone(void **state)
{
    (void)state;
    wrcfg_finds(1, WORDS(NOP), NULL, OLD, NONE, 0);
    wrcfg_finds(1, WORDS(SETDMAREG(8, NEW)), NULL, OLD, NONE, 0); /* another register */
    wrcfg_finds(1, WORDS(SET), NULL, NEW, DIAG_GPR_NO_WAIT, 0);
    wrcfg_finds(0, WORDS(SET), NULL, OLD, DIAG_STALE_GPR, -1);
    for (unsigned lag = 0; lag < 2; lag++) {
        wrcfg_finds(lag, WORDS(SET, NOP), NULL, NEW, NONE, 0);
        wrcfg_finds(lag, WORDS(SET, STALL), NULL, NEW, NONE, 0);
        wrcfg_finds(lag, WORDS(ADD, STALL), NULL, OLD + 1, NONE, 0);
        wrcfg_finds(lag, WORDS(ADD, NOP), NULL, OLD + 1, NONE, 0); /* held while it executes */
        wrcfg_finds(lag, WORDS(ADD), NULL, OLD, DIAG_STALE_GPR, -3 + (int)lag);
        wrcfg_finds(lag, WORDS(LOADIND), NULL, OLD, DIAG_STALE_GPR, -9 + (int)lag);
    }
    wrcfg_finds(1, WORDS(SET, SETDMAREG(6, 0x4444)), NULL, 0x4444, DIAG_GPR_NO_WAIT, 0);
    wrcfg_finds(0, WORDS(SET, SETDMAREG(6, 0x4444)), NULL, NEW, DIAG_STALE_GPR, -1);
    wrcfg_finds(1, WORDS(SET, SETDMAREG(7, 1)), NULL, NEW | 0x10000, DIAG_GPR_NO_WAIT, 0);
    wrcfg_finds(1, WORDS(ADD, SETDMAREG(7, 1)), NULL, (OLD + 1) | 0x10000, DIAG_GPR_NO_WAIT, 0);
}

/* T1's instruction executes in 4 and later. T0's SETDMAREG goes in 4 and waits in the stage; its WRCFG overtakes it in 5. */
static void wrcfg_beside_another_thread(void **state)
{
    static const struct {
        uint32_t word;
        int64_t margin;
    } beside[] = {{OP(DMANOP), 0},
                  {SETDMAREG(6, 1), 0},
                  {REG2FLOP, -1},
                  {ADD, -2},
                  {LOADIND, -2},
                  {ADD_4, -3},
                  {ATCAS, OPEN},
                  {FLUSHDMA, -1}};
    (void)state;
    for (unsigned i = 0; i < sizeof beside / sizeof beside[0]; i++)
        for (unsigned lag = 0; lag < 2; lag++) {
            bool new = lag &&beside[i].margin == 0, open = beside[i].margin == OPEN;
            wrcfg_finds(lag,
                        WORDS(NOP, SET),
                        WORDS(beside[i].word),
                        new ? NEW : OLD,
                        new ? DIAG_GPR_NO_WAIT : DIAG_STALE_GPR,
                        beside[i].margin - (!lag && !open));
            wrcfg_finds(lag, WORDS(NOP, SET, STALL), WORDS(beside[i].word), NEW, NONE, 0);
        }
    wrcfg_finds(1, WORDS(NOP, SET, NOP), WORDS(ADD), OLD, DIAG_STALE_GPR, -1);
    wrcfg_finds(1, WORDS(NOP, SET, NOP, NOP), WORDS(ADD), NEW, DIAG_GPR_NO_WAIT, 0);
    wrcfg_finds(1, WORDS(NOP, SET, NOP, NOP, NOP), WORDS(ADD), NEW, NONE, 0);
    wrcfg_finds(1, WORDS(NOP, LOADIND), WORDS(ADD), OLD, DIAG_STALE_GPR, -10);
}

/* 128 bits: each of the four registers counts by itself. */
static void wide_wrcfg(void **state)
{
    (void)state;
    for (uint32_t reg = 0; reg < 64; reg++)
        for (uint32_t half = 0; half < 128; half += 1 + half % 3) {
            machine(1);
            drive_add(&d, 0, SETDMAREG(half, 0x7777));
            drive_add(&d, 0, OP(WRCFG) | reg << 16 | 1u << 15 | 40);
            drive_run(&d);
            assert_int_equal(d.t.probe.count[DIAG_GPR_NO_WAIT], half / 2 / 4 == reg / 4);
            assert_int_equal(d.t.probe.count[DIAG_STALE_GPR], 0);
            assert_memory_equal(&d.t.config.word[0][40], &d.t.gpr.r[0][reg & ~3u], 16);
        }
    machine(1); /* the addition is late, the other register is not */
    add(1, WORDS(REG2FLOP));
    add(0, WORDS(NOP, SETDMAREG(2, 0x7777), OP(WRCFG) | 1u << 15 | 40));
    drive_run(&d);
    assert_int_equal(d.t.config.word[0][41], 0);
    assert_int_equal(d.t.config.word[0][43], OLD);
    assert_int_equal(d.t.probe.count[DIAG_STALE_GPR], 1);
}

/* A core's write that arrives with the result of the Scalar Unit, to the other half: only the result is taken. */
static void only_the_result_is_taken(void **state)
{
    (void)state;
    machine(1);
    add(0, WORDS(SET, WRCFG));
    for (unsigned i = 0; i < DRIVE_FIRST - 1; i++)
        drive_step(&d);
    assert_true(
        coproc_port_gpr_write(&d.t, 0, 0, 3, 0x99990000)); /* made in 2, there at the end of 4 */
    drive_run(&d);
    assert_int_equal(d.t.gpr.r[0][3], 0x99990000 | NEW);
    assert_int_equal(d.t.config.word[0][30], NEW);
}

/* ---- behind RDCFG ---- */

/* WRCFG reads the old value, with any lag: its page says that the one instruction behind RDCFG must not read the register. */
static void wrcfg_behind_rdcfg(void **state)
{
    (void)state;
    for (unsigned lag = 0; lag < 2; lag++) {
        wrcfg_finds(lag, WORDS(RDCFG), NULL, OLD, DIAG_STALE_GPR, -1);
        wrcfg_finds(lag, WORDS(RDCFG, NOP), NULL, CONFIG, NONE, 0);
        wrcfg_finds(lag, WORDS(RDCFG, STALL_C12), NULL, CONFIG, NONE, 0);
        wrcfg_finds(lag, WORDS(RDCFG, RDCFG_2), NULL, CONFIG, DIAG_STALE_GPR, -1);
        /* T1's SETDMAREG has the port in 5, in which it would be written */
        wrcfg_finds(lag, WORDS(NOP, RDCFG), WORDS(NOP, SETDMAREG(9, 1)), OLD, DIAG_STALE_GPR, -2);
        wrcfg_finds(
            lag, WORDS(NOP, RDCFG, NOP), WORDS(NOP, SETDMAREG(9, 1)), OLD, DIAG_STALE_GPR, -1);
    }
}

/* What the Scalar Unit finds behind T0's words. */
static void scalar_finds(const uint32_t *words, const uint32_t *beside, uint32_t value, unsigned id,
                         int64_t margin)
{
    machine(1);
    add(0, words);
    drive_add(&d, 0, READER);
    if (beside)
        add(1, beside);
    drive_run(&d);
    assert_int_equal(d.t.gpr.r[0][4], value);
    reported(id, margin);
}

/* The extra stage of the Scalar Unit covers the gap, unless another thread's result takes the port of the GPRs. */
static void scalar_behind_rdcfg(void **state)
{
    (void)state;
    scalar_finds(WORDS(RDCFG), NULL, CONFIG, DIAG_GPR_NO_WAIT, 0);
    scalar_finds(WORDS(RDCFG, NOP), NULL, CONFIG, NONE, 0);
    scalar_finds(WORDS(RDCFG, STALL_C12), NULL, CONFIG, NONE, 0);
    scalar_finds(WORDS(NOP, RDCFG), WORDS(NOP, SETDMAREG(9, 1)), OLD, DIAG_STALE_GPR, -1);
    scalar_finds(WORDS(NOP, RDCFG, NOP), WORDS(NOP, SETDMAREG(9, 1)), CONFIG, DIAG_GPR_NO_WAIT, 0);
}

/* Behind a load: its value comes in +9, and what executes from +10 on has it. */
static void scalar_behind_a_load(void **state)
{
    (void)state;
    scalar_finds(WORDS(LOADIND), NULL, OLD, DIAG_STALE_GPR, -6); /* goes in +3 */
    scalar_finds(WORDS(LOADIND, FLUSHDMA), NULL, 0, NONE, 0);
    for (int64_t nops = 1; nops < 9; nops++) { /* the second goes in +4 */
        const uint32_t words[] = {LOADIND,
                                  NOP,
                                  nops > 1 ? NOP : 0,
                                  nops > 2 ? NOP : 0,
                                  nops > 3 ? NOP : 0,
                                  nops > 4 ? NOP : 0,
                                  nops > 5 ? NOP : 0,
                                  nops > 6 ? NOP : 0,
                                  nops > 7 ? NOP : 0,
                                  0};
        int64_t margin = nops == 1 ? -6 : nops + 3 - 9;
        scalar_finds(words,
                     NULL,
                     margin < 0 ? OLD : 0,
                     margin < 0    ? DIAG_STALE_GPR
                     : margin == 0 ? DIAG_GPR_NO_WAIT
                                   : NONE,
                     margin);
    }
}

TEST_MAIN(cmocka_unit_test(wrcfg_alone), cmocka_unit_test(wrcfg_beside_another_thread),
          cmocka_unit_test(wide_wrcfg), cmocka_unit_test(only_the_result_is_taken),
          cmocka_unit_test(wrcfg_behind_rdcfg), cmocka_unit_test(scalar_behind_rdcfg),
          cmocka_unit_test(scalar_behind_a_load))
