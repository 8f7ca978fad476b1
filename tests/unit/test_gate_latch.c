/*
 * The latch of the Wait Gate: what STALLWAIT, SEMWAIT and STREAMWAIT leave in it, and what is worth
 * reporting about them. Facts: the Blackhole pages of the three instructions.
 */
#include "test.h"

#include <string.h>

#include "drive.h"
#include "front/gate.h"
#include "model/rng.h"

#define SEED UINT64_C(20250105)

static struct probe probe;
static struct gate gate;
static struct drive d;

static void latch(uint32_t word, const uint16_t hi[2])
{
    static const uint16_t none[2];
    struct entry e = {.word = word, .tag = 9, .op = (uint8_t)(word >> 24)};
    memset(&probe, 0, sizeof probe);
    gate_reset(&gate);
    gate_latch(&gate, 2, &e, 100, hi ? hi : none, &probe);
    assert_int_equal(gate.word, word);
    assert_int_equal(gate.tag, 9);
    assert_int_equal(gate.since, 101); /* seen from the next cycle on */
    assert_false(gate.held);
}

static uint32_t stallwait(uint32_t block, uint32_t conditions)
{
    return (uint32_t)TENSIX_OP_STALLWAIT << 24 | block << 15 | conditions;
}

static uint32_t semwait(uint32_t block, uint32_t mask, uint32_t cond)
{
    return (uint32_t)TENSIX_OP_SEMWAIT << 24 | block << 15 | mask << 2 | cond;
}

static uint32_t streamwait(uint32_t block, uint32_t low, uint32_t which, uint32_t stream)
{
    return (uint32_t)TENSIX_OP_STREAMWAIT << 24 | block << 15 | low << 4 | which << 3 | stream;
}

/* All 512 block masks and all 8192 condition masks; 0 means B6 and 0x0F. */
static void stallwait_defaults(void **state)
{
    (void)state;
    for (uint32_t block = 0; block < 512; block++) {
        latch(stallwait(block, 1), NULL);
        assert_int_equal(gate.latched, GATE_STALLWAIT);
        assert_int_equal(gate.block, block == 0 ? 1u << 6 : block);
        latch(semwait(block, 1, 1), NULL);
        assert_int_equal(gate.block, block == 0 ? 1u << 6 : block);
        latch(streamwait(block, 1, 0, 0), NULL);
        assert_int_equal(gate.block, block == 0 ? 1u << 6 : block);
    }
    for (uint32_t cond = 0; cond < 8192; cond++) {
        latch(stallwait(0x1ff, cond), NULL);
        assert_int_equal(gate.conditions, cond == 0 ? 0x0f : cond);
    }
}

/* SEMWAIT: all masks and conditions; condition 0 acts as STALLWAIT 0x0F and is reported. */
static void semwait_fields(void **state)
{
    (void)state;
    for (uint32_t cond = 0; cond < 4; cond++)
        for (uint32_t mask = 0; mask < 8192; mask++) {
            latch(semwait(3, mask, cond), NULL);
            assert_int_equal(probe.count[DIAG_SEMWAIT_COND0], cond == 0);
            if (cond == 0) {
                assert_int_equal(gate.latched, GATE_STALLWAIT);
                assert_int_equal(gate.conditions, 0x0f);
                continue;
            }
            assert_int_equal(gate.latched, GATE_SEMWAIT);
            assert_int_equal(gate.sem_mask, mask % 256); /* there are only eight */
            assert_int_equal(gate.sem_cond, cond);
            assert_int_equal(probe.count[DIAG_SEMWAIT_MASK], mask > 255);
            if (mask > 255)
                assert_int_equal(probe.diag[0].arg, mask & 0x1f00);
            assert_int_equal(probe.count[DIAG_SEMWAIT_NONE], mask % 256 == 0);
        }
}

/* STREAMWAIT: the target's high part comes from 10 bits of PHASE_HI or 7 of NUM_MSGS_HI, its low
   part from the instruction; the condition chooses the register. */
static void streamwait_target(void **state)
{
    struct rng g = rng_of(SEED, 0);
    (void)state;
    print_message("seed %llu\n", (unsigned long long)SEED);
    for (unsigned n = 0; n < 20000; n++) {
        uint16_t hi[2] = {(uint16_t)rng_next(&g), (uint16_t)rng_next(&g)};
        uint32_t low = rng_below(&g, 1024), which = rng_below(&g, 2), stream = rng_below(&g, 4);
        uint32_t high = which ? hi[1] % 128u : hi[0] % 1024u;
        latch(streamwait(rng_below(&g, 512), low, which, stream), hi);
        assert_int_equal(gate.latched, GATE_STREAMWAIT);
        assert_int_equal(gate.stream_sel, stream);
        assert_int_equal(gate.stream_reg, which ? 259 : 29);
        assert_int_equal(gate.target, high * 1024 + low);
    }
}

/* The same from ThreadConfig of the issuing thread (words 57 and 58), streams chosen by words 59 to
   62: the wait ends exactly when the register reaches the target. */
static void streamwait_reads_thread_config(void **state)
{
    struct rng g = rng_of(SEED, 1);
    (void)state;
    print_message("seed %llu\n", (unsigned long long)SEED);
    for (unsigned n = 0; n < 200; n++) {
        unsigned thread = rng_below(&g, 3), stream = rng_below(&g, 64);
        uint32_t which = rng_below(&g, 2), sel = rng_below(&g, 4), low = rng_below(&g, 1024);
        uint32_t hi = rng_below(&g, which ? 128 : 1024), target = hi << 10 | low;
        drive_reset(&d);
        for (unsigned t = 0; t < 3; t++)
            for (unsigned w = 57; w < 63; w++)
                d.t.config.thread[t][w] = (uint16_t)(t == thread ? 0 : rng_next(&g));
        d.t.config.thread[thread][57 + which] = (uint16_t)hi;
        d.t.config.thread[thread][59 + sel] = (uint16_t)(stream | (rng_next(&g) & 0xffc0));
        target += target == 0;
        drive_add(&d, thread, streamwait(0x1ff, target & 1023, which, sel));
        drive_add(&d, thread, DRIVE_NOP);
        coproc_port_stream_write(&d.t, stream, which ? 259 : 29, target - 1);
        for (unsigned i = 0; i < 30; i++)
            drive_step(&d);
        assert_int_equal(d.went[thread][1], DRIVE_NEVER);
        coproc_port_stream_write(&d.t, stream, which ? 259 : 29, target);
        uint64_t now = d.t.now;
        drive_run(&d);
        assert_int_equal(d.went[thread][1], now + 1); /* one cycle of release lag */
    }
}

/* The notes of the STALLWAIT page: which block bits should stand beside which condition. */
static bool advised(unsigned c, uint32_t block)
{
    bool b0 = block & 1, b2 = block >> 2 & 1, b3 = block >> 3 & 1, b4 = block >> 4 & 1;
    switch (c) {
    case 1:
    case 2: return b3 || b0;
    case 3: return b2 || b0;
    case 4: return block >> 6 & 1;
    case 9: return b4 || b0;
    case 11: return block >> 8 & 1;
    case 12: return block >> 7 & 1;
    default: return true;
    }
}

/* Each condition with each block mask; then random sets of conditions. */
static void block_mismatch_is_reported(void **state)
{
    struct rng g = rng_of(SEED, 2);
    (void)state;
    print_message("seed %llu\n", (unsigned long long)SEED);
    for (unsigned c = 0; c < 13; c++)
        for (uint32_t block = 0; block < 512; block++) {
            latch(stallwait(block, 1u << c), NULL);
            bool fine = advised(c, block ? block : 1u << 6);
            assert_int_equal(probe.count[DIAG_BLOCK_MISMATCH], !fine);
            if (!fine)
                assert_int_equal(probe.diag[0].arg, c);
        }
    for (unsigned n = 0; n < 50000; n++) {
        uint32_t block = rng_below(&g, 512), conditions = rng_below(&g, 8192), expect = 0;
        for (unsigned c = 0; c < 13; c++)
            expect +=
                ((conditions ? conditions : 0x0f) >> c & 1) && !advised(c, block ? block : 1u << 6);
        latch(stallwait(block, conditions), NULL);
        assert_int_equal(probe.count[DIAG_BLOCK_MISMATCH], expect);
    }
}

/* A wait that held nothing is noted when it is forgotten, one that held something is not. */
static void never_held_is_noted(void **state)
{
    (void)state;
    for (unsigned held = 0; held < 2; held++) {
        latch(stallwait(0x40, 0x10), NULL);
        gate.held = held;
        gate_unlatch(&gate, 2, 105, &probe);
        assert_int_equal(gate.latched, GATE_OPEN);
        assert_int_equal(probe.count[DIAG_NEVER_HELD], !held);
    }
}

/* Through the tile: a caught word makes the wait useful, words that are not caught do not. */
static void never_held_through_the_tile(void **state)
{
    (void)state;
    for (unsigned caught = 0; caught < 2; caught++) {
        drive_reset(&d);
        drive_add(&d, 0, stallwait(0x40, 0x10));
        drive_add(&d, 0, caught ? (uint32_t)TENSIX_OP_INCRWC << 24 : DRIVE_NOP);
        drive_run(&d);
        assert_int_equal(d.t.probe.count[DIAG_NEVER_HELD], !caught);
        assert_int_equal(d.went[0][1], DRIVE_FIRST + 1 + caught);
    }
}

/* Catching: nothing while open; else what the mask holds, a NOP only under all nine bits. */
static void open_gate_catches_nothing(void **state)
{
    (void)state;
    for (unsigned op = 0; op < 256; op++) {
        gate_reset(&gate);
        gate.block = 0x1ff;
        assert_false(gate_catches(&gate, (uint8_t)op));
    }
    for (uint32_t block = 1; block < 512; block++) {
        latch(stallwait(block, 0x20), NULL);
        assert_true(gate_catches(&gate, TENSIX_OP_STALLWAIT));
        assert_true(gate_catches(&gate, TENSIX_OP_SEMWAIT));
        assert_true(gate_catches(&gate, TENSIX_OP_STREAMWAIT));
        assert_int_equal(gate_catches(&gate, TENSIX_OP_NOP), block == 0x1ff);
        assert_int_equal(gate_catches(&gate, TENSIX_OP_MVMUL), block >> 6 & 1);
        assert_int_equal(gate_catches(&gate, TENSIX_OP_PACR), (block & 5) != 0);
    }
}

TEST_MAIN(cmocka_unit_test(stallwait_defaults), cmocka_unit_test(semwait_fields),
          cmocka_unit_test(streamwait_target), cmocka_unit_test(streamwait_reads_thread_config),
          cmocka_unit_test(block_mismatch_is_reported), cmocka_unit_test(never_held_is_noted),
          cmocka_unit_test(never_held_through_the_tile),
          cmocka_unit_test(open_gate_catches_nothing))
