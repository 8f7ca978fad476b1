/*
 * Configuration Unit, when its instructions may enter the pipe: small tables of cycles, from the
 * rules of the Blackhole page ConfigurationUnit (docs/timing.md 4.4 to 4.6).
 *
 * A program is a string, one letter per word: W WRCFG (enters -1), R RMWCIB (0), D RDCFG (0), M
 * CFGSHIFTMASK (0, twice), S STREAMWRCFG (-4), C SETC16 (no pipe), G SETDMAREG, N NOP. The expected
 * cycles count from the one in which the first words stand at the gates, '0' .. '9'.
 */
#include "test.h"

#include <string.h>

#include "drive.h"

static struct drive d;

enum { TARGET = 100, GPR = 7 };

static uint32_t word_of(char letter)
{
    switch (letter) {
    case 'W': return (uint32_t)TENSIX_OP_WRCFG << 24 | (uint32_t)GPR << 16 | TARGET;
    case 'R': return (uint32_t)TENSIX_OP_RMWCIB0 << 24 | 0xffu << 16 | 0x11u << 8 | TARGET;
    case 'D': return (uint32_t)TENSIX_OP_RDCFG << 24 | (uint32_t)GPR << 16 | TARGET;
    case 'M': return (uint32_t)TENSIX_OP_CFGSHIFTMASK << 24 | 31u << 15 | TARGET;
    case 'S': return (uint32_t)TENSIX_OP_STREAMWRCFG << 24 | 5u << 11 | TARGET;
    case 'C': return (uint32_t)TENSIX_OP_SETC16 << 24 | 40u << 16 | 1;
    case 'G': return (uint32_t)TENSIX_OP_SETDMAREG << 24 | 0x22u << 8 | 2 * 9;
    default: return DRIVE_NOP;
    }
}

static void load(const char *program[3])
{
    drive_reset(&d);
    for (unsigned t = 0; t < 3; t++)
        for (const char *p = program[t] ? program[t] : ""; *p; p++)
            drive_add(&d, t, word_of(*p));
}

static const struct row {
    const char *fact, *program[3], *cycles[3];
} rows[] = {
    /* one thread */
    {"WRCFG starts every cycle", {"WWWW"}, {"0123"}},
    {"RMWCIB starts every cycle", {"RRRR"}, {"0123"}},
    {"RDCFG starts every cycle", {"DDDD"}, {"0123"}},
    {"CFGSHIFTMASK starts every other cycle", {"MMMM"}, {"0246"}},
    {"STREAMWRCFG starts every cycle", {"SSSS"}, {"0123"}},
    {"SETC16 does not use the pipe", {"WCSC"}, {"0123"}},
    {"RMWCIB finds WRCFG in stage 0", {"WR"}, {"02"}},
    {"RDCFG finds WRCFG in stage 0", {"WD"}, {"02"}},
    {"CFGSHIFTMASK finds WRCFG in stage 0", {"WM"}, {"02"}},
    {"WRCFG behind RMWCIB enters one stage earlier", {"RW"}, {"01"}},
    {"WRCFG enters beside CFGSHIFTMASK's second cycle", {"MWW"}, {"012"}},
    {"RMWCIB waits for CFGSHIFTMASK's second cycle", {"MR"}, {"02"}},
    {"RDCFG waits for CFGSHIFTMASK's second cycle", {"MD"}, {"02"}},
    {"CFGSHIFTMASK behind RDCFG", {"DM"}, {"01"}},
    {"RMWCIB behind STREAMWRCFG waits until it is through", {"SR"}, {"05"}},
    {"RDCFG behind STREAMWRCFG waits until it is through", {"SD"}, {"05"}},
    {"CFGSHIFTMASK behind STREAMWRCFG waits until it is through", {"SM"}, {"05"}},
    {"WRCFG behind STREAMWRCFG enters when it is in stage 0", {"SW"}, {"04"}},
    {"several STREAMWRCFG hold RMWCIB longer", {"SSSR"}, {"0127"}},
    {"a STREAMWRCFG may enter while others are on their way", {"SWS"}, {"045"}},
    {"nothing else is held", {"SNNN"}, {"0123"}},
    /* several threads */
    {"three SETC16 in one cycle", {"CCC", "CCC", "CCC"}, {"012", "012", "012"}},
    {"one RMWCIB per cycle for all", {"R", "R", "R"}, {"0", "1", "2"}},
    {"one WRCFG per cycle for all", {"W", "W", "W"}, {"0", "1", "2"}},
    {"WRCFG and RMWCIB enter at different stages", {"W", "R"}, {"0", "0"}},
    {"WRCFG every cycle starves RMWCIB", {"WWWWWW", "NR"}, {"012345", "07"}},
    {"WRCFG every cycle starves RDCFG", {"NWWWW", "NND"}, {"01234", "016"}},
    {"WRCFG every cycle starves CFGSHIFTMASK", {"WWWWWW", "NM"}, {"012345", "07"}},
    {"of WRCFG and CFGSHIFTMASK the first goes", {"W", "M"}, {"0", "2"}},
    {"whichever thread it is in", {"M", NULL, "W"}, {"2", NULL, "0"}},
    {"STREAMWRCFG in -4 is overtaken by RMWCIB", {"S", "R"}, {"0", "0"}},
    {"STREAMWRCFG in -4 is overtaken by WRCFG", {"S", "W"}, {"0", "0"}},
    {"STREAMWRCFG in -4 is overtaken by CFGSHIFTMASK", {"S", "M"}, {"0", "0"}},
    {"STREAMWRCFG in -4 is overtaken by RDCFG", {NULL, "D", "S"}, {NULL, "0", "0"}},
    {"but not in -3, by any thread", {"S", "NR"}, {"0", "05"}},
    {"nor in -2", {"S", "NNR"}, {"0", "015"}},
    {"nor in -1", {"S", "NNNR"}, {"0", "0125"}},
    {"nor in 0", {"S", "NNNNR"}, {"0", "01235"}},
    {"WRCFG neither in -3", {"S", "NW"}, {"0", "04"}},
    {"WRCFG neither in -1", {"S", "NNNW"}, {"0", "0124"}},
    {"but in 0", {"S", "NNNNW"}, {"0", "01234"}},
    /* the write port of the GPRs */
    {"RDCFG in +1 waits for the Scalar Unit's write, who follows waits too",
     {"DDD", "G"},
     {"013", "0"}},
    {"a Scalar write in another cycle holds nothing", {"DDD", "NNG"}, {"012", "012"}},
};

/* Every row of the table. */
static void entry_rules(void **state)
{
    (void)state;
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        load((const char **)(uintptr_t)rows[i].program);
        for (unsigned n = 0; n < 60; n++)
            drive_step(&d);
        for (unsigned t = 0; t < 3; t++)
            for (unsigned k = 0; rows[i].program[t] && rows[i].program[t][k]; k++) {
                uint64_t expect = DRIVE_FIRST + (uint64_t)(rows[i].cycles[t][k] - '0');
                if (d.went[t][k] != expect)
                    fail_msg("%s: T%u word %u went in %d, not %d",
                             rows[i].fact,
                             t,
                             k,
                             (int)d.went[t][k] - (int)DRIVE_FIRST,
                             (int)expect - (int)DRIVE_FIRST);
            }
        assert_true(coproc_idle(&d.t));
    }
}

/* Runs one word and returns after how many cycles since it went its result is seen. */
static unsigned latency(char letter)
{
    const char program[2] = {letter, 0}, *programs[3] = {program};
    load(programs);
    d.t.gpr.r[0][GPR] = letter == 'D' ? 0 : 0x33;
    d.t.config.word[0][TARGET] = letter == 'D' ? 0x44 : 0;
    d.t.config.word[0][CONFIG_SCRATCH] = 0x55;
    coproc_port_stream_write(&d.t, 0, 5, 0x66);
    const uint32_t *result = letter == 'D'   ? &d.t.gpr.r[0][GPR]
                             : letter == 'C' ? NULL
                                             : &d.t.config.word[0][TARGET];
    while (result ? *result == 0 : !d.t.config.thread[0][40]) {
        drive_step(&d);
        assert_in_range(d.t.now, 0, 30);
    }
    return (unsigned)(d.t.now - d.went[0][0]);
}

/* Latencies of the page: SETC16 and RMWCIB 1, WRCFG, CFGSHIFTMASK and RDCFG 2, STREAMWRCFG 5. */
static void latencies(void **state)
{
    (void)state;
    assert_int_equal(latency('C'), 1);
    assert_int_equal(latency('R'), 1);
    assert_int_equal(latency('W'), 2);
    assert_int_equal(latency('M'), 2);
    assert_int_equal(latency('D'), 2);
    assert_int_equal(latency('S'), 5);
}

/* An overtaken STREAMWRCFG writes last although it went first. */
static void overtaking_changes_the_last_writer(void **state)
{
    const char *programs[3] = {"S", "W"};
    (void)state;
    load(programs);
    coproc_port_stream_write(&d.t, 0, 5, 0x66);
    d.t.gpr.r[1][GPR] = 0x33;
    while (d.t.now < DRIVE_FIRST + 2)
        drive_step(&d);
    assert_int_equal(d.t.config.word[0][TARGET], 0x33);
    drive_run(&d);
    assert_int_equal(d.t.config.word[0][TARGET], 0x66);
}

/* In which cycle, counted like those of the table, a core's write that arrives in cycle `at` is
   carried out beside this program. */
static int core_write(const char *program, int at)
{
    const char *programs[3] = {program};
    load(programs);
    uint64_t made = (uint64_t)((int)DRIVE_FIRST + at) - T_RISC_MMIO_TRAVEL;
    while (d.t.now < made)
        drive_step(&d);
    assert_true(coproc_port_config_write(&d.t, 3, 0, 50, 0x77));
    while (d.t.config.word[0][50] != 0x77) {
        drive_step(&d);
        assert_in_range(d.t.now, 0, 100);
    }
    return (int)d.t.now - 1 - (int)DRIVE_FIRST;
}

/* A core's access needs stage 0, and gives way to instructions that enter it. */
static void cores_wait_for_stage_0(void **state)
{
    (void)state;
    assert_int_equal(core_write("", 0), 0);
    assert_int_equal(core_write("NNNN", 1), 1);
    assert_int_equal(core_write("CCCC", 1), 1);
    assert_int_equal(core_write("WWWWWW", 0), 0); /* the first is still in -1 */
    assert_int_equal(core_write("WWWWWW", 1), 7); /* starved until the last is through */
    assert_int_equal(core_write("RRRR", 0), 4);
    assert_int_equal(core_write("DDDD", 0), 4);
    assert_int_equal(core_write("MMM", 0), 6);
    assert_int_equal(core_write("S", 0), 0);
    assert_int_equal(core_write("S", 1), 5);
    assert_int_equal(core_write("NW", 1), 1);
}

/* RDCFG in +1 gives way to the Scalar Unit: its register is written one cycle later. */
static void rdcfg_gives_way_to_the_scalar_unit(void **state)
{
    (void)state;
    for (unsigned clash = 0; clash < 2; clash++) {
        const char *programs[3] = {"D", clash ? "G" : "NG"};
        load(programs);
        d.t.config.word[0][TARGET] = 0x44;
        while (d.t.gpr.r[0][GPR] == 0) {
            drive_step(&d);
            assert_in_range(d.t.now, 0, 30);
        }
        assert_int_equal(d.t.now, DRIVE_FIRST + 2 + clash);
        drive_run(&d);
        assert_int_equal(d.t.gpr.r[1][9], 0x22);
    }
}

TEST_MAIN(cmocka_unit_test(entry_rules), cmocka_unit_test(latencies),
          cmocka_unit_test(overtaking_changes_the_last_writer),
          cmocka_unit_test(cores_wait_for_stage_0),
          cmocka_unit_test(rdcfg_gives_way_to_the_scalar_unit))
