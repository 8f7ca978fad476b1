/*
 * Scalar Unit: SETDMAREG, DMAREG arithmetic and REG2FLOP run through a whole tile, against a
 * reference written from their pages; the hazards around the GPRs and the cycles they take
 * (docs/timing.md 4.7, 4.8).
 */
#include "test.h"

#include <string.h>

#include "drive.h"
#include "model/rng.h"

#define SEED UINT64_C(20250108)

static struct drive d;

/* ---- the reference: one instruction after the other ---- */

static uint32_t gpr[3][64];
static uint32_t bad_modes;

static uint32_t ref_bitwise(unsigned mode, uint32_t x, uint32_t y)
{
    uint32_t out = 0;
    for (unsigned i = 0; i < 32; i++) {
        unsigned a = x >> i & 1, b = y >> i & 1;
        unsigned bit = mode == 0 ? a * b : (mode == 1 ? a + b > 0 : a != b);
        out |= (uint32_t)bit << i;
    }
    return out;
}

static uint32_t ref_shift(unsigned mode, uint32_t x, uint32_t y)
{
    for (unsigned i = 0; i < y % 32; i++)
        x = mode == 0 ? x * 2 : x / 2;
    return x;
}

static uint32_t ref_result(unsigned op, unsigned mode, uint32_t x, uint32_t y)
{
    uint64_t wide = UINT64_C(1) << 32;
    bool moded =
        op == TENSIX_OP_BITWOPDMAREG || op == TENSIX_OP_SHIFTDMAREG || op == TENSIX_OP_CMPDMAREG;
    if (moded && mode > (op == TENSIX_OP_SHIFTDMAREG ? 1u : 2u)) {
        bad_modes++;
        return 0;
    }
    switch (op) {
    case TENSIX_OP_ADDDMAREG: return (uint32_t)((wide + x + y) % wide);
    case TENSIX_OP_SUBDMAREG: return (uint32_t)((wide + x - y) % wide);
    case TENSIX_OP_MULDMAREG: return (uint32_t)((uint64_t)(x % 65536) * (y % 65536));
    case TENSIX_OP_BITWOPDMAREG: return ref_bitwise(mode, x, y);
    case TENSIX_OP_SHIFTDMAREG: return ref_shift(mode, x, y);
    default: return mode == 0 ? x > y : (mode == 1 ? x < y : x == y);
    }
}

static const uint8_t arithmetic[] = {TENSIX_OP_ADDDMAREG,
                                     TENSIX_OP_SUBDMAREG,
                                     TENSIX_OP_MULDMAREG,
                                     TENSIX_OP_BITWOPDMAREG,
                                     TENSIX_OP_SHIFTDMAREG,
                                     TENSIX_OP_CMPDMAREG};

struct sum {
    uint32_t op, mode, immediate, result, right, left;
};

static uint32_t sum_word(const struct sum *s)
{
    return s->op << 24 | s->immediate << 23 | s->mode << 18 | s->result << 12 | s->right << 6 |
           s->left;
}

static void ref_sum(unsigned t, const struct sum *s)
{
    uint32_t y = s->immediate ? s->right : gpr[t][s->right];
    gpr[t][s->result] = ref_result(s->op, s->mode, gpr[t][s->left], y);
}

static uint32_t setdmareg(uint32_t half, uint32_t value)
{
    return (uint32_t)TENSIX_OP_SETDMAREG << 24 | value << 8 | half;
}

static void ref_setdmareg(unsigned t, uint32_t half, uint32_t value)
{
    uint32_t *r = &gpr[t][half / 2];
    *r = half % 2 ? value * 65536 + *r % 65536 : *r - *r % 65536 + value;
}

static void same(void)
{
    assert_memory_equal(d.t.gpr.r, gpr, sizeof gpr);
}

static struct rng start(uint64_t stream)
{
    struct rng g = rng_of(SEED, stream);
    if (stream <= 1000) /* the first of many programs speaks for them */
        print_message("seed %llu\n", (unsigned long long)SEED);
    drive_reset(&d);
    bad_modes = 0;
    for (unsigned t = 0; t < 3; t++)
        for (unsigned i = 0; i < 64; i++)
            gpr[t][i] = rng_next(&g);
    memcpy(d.t.gpr.r, gpr, sizeof gpr);
    return g;
}

static struct sum random_sum(struct rng *g)
{
    return (struct sum){.op = arithmetic[rng_below(g, 6)],
                        .mode = rng_below(g, 8),
                        .immediate = rng_below(g, 2),
                        .result = rng_below(g, 64),
                        .right = rng_below(g, 64),
                        .left = rng_below(g, 64)};
}

/* ---- results ---- */

/* Every instruction in every mode, with registers and with immediates, over values at the edges;
   undefined modes give 0 and are reported. */
static void arithmetic_at_the_edges(void **state)
{
    static const uint32_t edge[] = {0, 1, 31, 32, 63, 0xffff, 0x10000, 0x80000000, 0xffffffff};
    enum { N = sizeof edge / sizeof edge[0] };
    (void)state;
    struct rng g = start(0);
    for (unsigned k = 0; k < 6; k++)
        for (uint32_t mode = 0; mode < 8; mode++)
            for (unsigned v = 0; v < N * N; v++) {
                unsigned t = rng_below(&g, 3);
                struct sum s = {arithmetic[k], mode, v % N < 5 && v % 2, 40, 5, 6};
                gpr[t][5] = d.t.gpr.r[t][5] = edge[v % N];
                gpr[t][6] = d.t.gpr.r[t][6] = edge[v / N];
                if (s.immediate)
                    s.right = edge[v % N];
                ref_sum(t, &s);
                drive_one(&d, t, sum_word(&s));
                same();
                assert_int_equal(d.t.probe.count[DIAG_DMAREG_MODE], bad_modes);
            }
}

/* Random operands and registers, result on top of an operand included. */
static void arithmetic_at_random(void **state)
{
    (void)state;
    struct rng g = start(1);
    for (unsigned n = 0; n < 30000; n++) {
        unsigned t = rng_below(&g, 3);
        struct sum s = random_sum(&g);
        s.mode = rng_percent(&g, 90) ? s.mode % 3 : s.mode;
        ref_sum(t, &s);
        drive_one(&d, t, sum_word(&s));
        same();
        if (n % 64 == 0) {
            uint32_t half = rng_below(&g, 128), value = rng_below(&g, 65536);
            ref_setdmareg(t, half, value);
            drive_one(&d, t, setdmareg(half, value));
        }
    }
    assert_int_equal(d.t.probe.count[DIAG_DMAREG_MODE], bad_modes);
}

/* SETDMAREG: all 128 halves of every thread; the other half stays. */
static void setdmareg_writes_one_half(void **state)
{
    (void)state;
    struct rng g = start(2);
    for (unsigned t = 0; t < 3; t++)
        for (uint32_t half = 0; half < 128; half++)
            for (unsigned k = 0; k < 4; k++) {
                uint32_t value = k < 2 ? k * 65535 : rng_below(&g, 65536);
                ref_setdmareg(t, half, value);
                drive_one(&d, t, setdmareg(half, value));
                same();
            }
}

/* Programs of three threads at full speed, each instruction using what came just before: the same
   registers as one after the other, since Scalar instructions never overtake each other. */
static void dependent_programs(void **state)
{
    (void)state;
    for (unsigned n = 0; n < 150; n++) {
        struct rng g = start(1000 + n);
        for (unsigned t = 0; t < 3; t++)
            for (unsigned i = 0; i < 60; i++) {
                if (rng_percent(&g, 25)) {
                    uint32_t half = rng_below(&g, 16), value = rng_below(&g, 65536);
                    ref_setdmareg(t, half, value);
                    drive_add(&d, t, setdmareg(half, value));
                } else if (rng_percent(&g, 20)) {
                    drive_add(&d, t, DRIVE_NOP);
                } else {
                    struct sum s = random_sum(&g);
                    s.result %= 8, s.left %= 8, s.right %= 8;
                    s.mode %= rng_percent(&g, 90) ? 2 : 8;
                    ref_sum(t, &s);
                    drive_add(&d, t, sum_word(&s));
                }
            }
        drive_run(&d);
        same();
        assert_int_equal(d.t.probe.count[DIAG_STALE_GPR], 0);
        assert_int_equal(d.t.probe.count[DIAG_DMAREG_MODE], bad_modes);
    }
}

/* ---- REG2FLOP ---- */

static uint32_t reg2flop(uint32_t size, uint32_t target, uint32_t shift, uint32_t thread,
                         uint32_t flop, uint32_t reg)
{
    return (uint32_t)TENSIX_OP_REG2FLOP << 24 | size << 22 | target << 20 | shift << 18 |
           thread << 16 | flop << 6 | reg;
}

/* To THCON configuration (words 64 to 179): 32 bits, or 128 with size 0; the thread's bank. */
static void reg2flop_to_configuration(void **state)
{
    static uint32_t cfg[2][CONFIG_WORDS];
    uint32_t bad = 0;
    (void)state;
    struct rng g = start(3);
    memset(cfg, 0, sizeof cfg);
    for (unsigned n = 0; n < 128 * 16; n++) {
        uint32_t flop = n % 128, reg = rng_below(&g, 64), size = n / 128 % 4;
        unsigned t = rng_below(&g, 3), bank = rng_below(&g, 2);
        d.t.config.thread[t][0] = (uint16_t)bank;
        if (flop >= 180 - 64)
            bad++;
        else if (size)
            cfg[bank][64 + flop] = gpr[t][reg];
        else
            memcpy(&cfg[bank][64 + flop / 4 * 4], &gpr[t][reg / 4 * 4], 16);
        drive_one(&d, t, reg2flop(size, 0, 0, 0, flop, reg));
        assert_memory_equal(d.t.config.word, cfg, sizeof cfg);
        assert_int_equal(d.t.probe.count[DIAG_CFG_RANGE], bad);
        same();
    }
}

static uint32_t ref_piece(uint32_t value, uint32_t size, uint32_t shift)
{
    const uint32_t byte[4] = {
        value % 256, value / 256 % 256, value / 65536 % 256, value / 16777216};
    if (size == 3)
        return byte[shift];
    if (size == 2 && shift != 1 && shift != 3)
        return byte[shift] + 256 * byte[shift + 1];
    return size == 1 && shift == 0 ? value : 0;
}

/* To ADCs: every size, shift, thread override, unpacker or packer, channel, counter and copy. */
static void reg2flop_to_adcs(void **state)
{
    static const unsigned width[4] = {18, 13, 8, 8};
    static struct adc expect;
    (void)state;
    struct rng g = start(4);
    memset(&expect, 0, sizeof expect);
    for (uint32_t n = 0; n < 64 * 128; n++) {
        uint32_t flop = n % 64, size = n / 64 % 4, shift = n / 256 % 4, over = n / 1024 % 2;
        uint32_t sel = n / 2048, reg = rng_below(&g, 64);
        unsigned t = rng_below(&g, 3), to = over ? sel : t;
        unsigned dim = flop & 3, cr = flop >> 2 & 1, user = flop >> 3 & 3, channel = flop >> 5;
        if (to < 3 && user < 3) {
            struct adc_counter *c = &expect.c[to][user][channel][dim];
            uint32_t v = ref_piece(gpr[t][reg], size, shift) % (1u << width[dim]);
            *(cr ? &c->cr : &c->v) = v;
        }
        drive_one(&d, t, reg2flop(size, 2 + over, shift, sel, flop, reg));
        assert_memory_equal(&d.t.adc, &expect, sizeof expect);
    }
    same();
}

/* ---- time ---- */

/* Cycles the unit is taken: how much later than alone the next Scalar instruction, of any thread, has its result. */
static unsigned cycles_of(uint32_t word, unsigned other)
{
    drive_reset(&d);
    drive_add(&d, 0, word);
    if (other)
        drive_add(&d, other, DRIVE_NOP);
    drive_add(&d, other, setdmareg(126, 1));
    while (!d.t.gpr.r[other][63])
        drive_step(&d);
    unsigned taken = (unsigned)d.t.now - (DRIVE_FIRST + 2);
    drive_run(&d);
    assert_int_equal(d.went[0][0], DRIVE_FIRST);
    assert_int_equal(d.went[other][1], other ? DRIVE_FIRST + 1 : DRIVE_FIRST + taken);
    return taken;
}

/* Arithmetic takes 3 cycles with an immediate or with both registers from one aligned group of
   four, else 4: all pairs of registers. */
static void three_or_four_cycles(void **state)
{
    (void)state;
    for (uint32_t a = 0; a < 64; a++)
        for (uint32_t b = 0; b < 64; b++) {
            struct sum s = {arithmetic[(a + b) % 6], 0, 0, 9, b, a};
            assert_int_equal(cycles_of(sum_word(&s), a % 2), a / 4 == b / 4 ? 3 : 4);
            s.immediate = 1;
            assert_int_equal(cycles_of(sum_word(&s), b % 2), 3);
        }
    assert_int_equal(cycles_of(setdmareg(4, 5), 0), 1);
    assert_int_equal(cycles_of(setdmareg(4, 5), 2), 1);
    assert_int_equal(cycles_of((uint32_t)TENSIX_OP_DMANOP << 24, 0), 1);
    assert_int_equal(cycles_of(reg2flop(1, 0, 0, 0, 0, 0), 0), 2);
    assert_int_equal(cycles_of(reg2flop(1, 2, 0, 0, 0, 0), 1), 2);
}

/* N cycles: the result is seen in t + N + 1; the thread's other instructions pass in t + 1 and
   then not before t + N + 1; those of other threads always pass. */
static void result_and_thread_hold(void **state)
{
    (void)state;
    for (unsigned n = 1; n < 5; n++) {
        struct sum s = {TENSIX_OP_ADDDMAREG, 0, n == 3, 8, 1, n == 4 ? 4 : 2};
        uint32_t word = n == 1   ? setdmareg(16, 9)
                        : n == 2 ? reg2flop(1, 0, 0, 0, 8, 1)
                                 : sum_word(&s);
        drive_reset(&d);
        for (unsigned i = 0; i < 8; i++)
            d.t.gpr.r[0][i] = 100 + i;
        drive_add(&d, 0, word);
        for (unsigned i = 0; i < 4; i++) {
            drive_add(&d, 0, DRIVE_NOP);
            drive_add(&d, 1, DRIVE_NOP);
        }
        const uint32_t *result = n == 2 ? &d.t.config.word[0][72] : &d.t.gpr.r[0][8];
        uint64_t seen = 0;
        while (!drive_done(&d)) {
            drive_step(&d);
            if (!seen && *result)
                seen = d.t.now;
        }
        assert_int_equal(seen, DRIVE_FIRST + n + 1);
        assert_int_equal(d.went[0][1], DRIVE_FIRST + 1);
        assert_int_equal(d.went[0][2], DRIVE_FIRST + n + 1);
        for (unsigned i = 0; i < 4; i++)
            assert_int_equal(d.went[1][i], DRIVE_FIRST + i);
    }
}

/* ---- beside the Config Unit ---- */

/* REG2FLOP reads its register as visible when it starts to execute (docs/timing.md 4.8): a younger
   RDCFG that slips in behind it does not change what it moves. */
static void reg2flop_reads_before_a_younger_rdcfg(void **state)
{
    (void)state;
    drive_reset(&d);
    d.t.gpr.r[0][3] = 0x1111;
    d.t.config.word[0][20] = 0x3333;
    drive_add(&d, 0, reg2flop(1, 0, 0, 0, 8, 3));
    drive_add(&d, 0, (uint32_t)TENSIX_OP_RDCFG << 24 | 3u << 16 | 20);
    drive_run(&d);
    assert_int_equal(d.t.config.word[0][72], 0x1111);
}

/* REG2FLOP that would write in a cycle in which the Config Unit writes THCON configuration (stage 0,
   words 64 to 179) writes one cycle later. */
static void reg2flop_gives_way_to_the_config_unit(void **state)
{
    (void)state;
    for (unsigned nops = 0; nops < 5; nops++)
        for (unsigned rmw = 0; rmw < 2; rmw++)
            for (uint32_t word = 10; word < 210; word += 60) { /* 10, 70, 130, 190 */
                uint32_t op = rmw ? TENSIX_OP_RMWCIB0 : TENSIX_OP_WRCFG;
                drive_reset(&d);
                d.t.gpr.r[0][3] = 0x1111;
                drive_add(&d, 0, reg2flop(1, 0, 0, 0, 8, 3));
                for (unsigned i = 0; i < nops; i++)
                    drive_add(&d, 1, DRIVE_NOP);
                drive_add(&d, 1, op << 24 | word);
                while (!d.t.config.word[0][72])
                    drive_step(&d);
                bool clash = nops == (rmw ? 2 : 1) && word >= 64 && word < 180;
                assert_int_equal(d.t.now, DRIVE_FIRST + 3 + clash);
                drive_run(&d);
            }
}

/* While T0's addition executes (in +1 .. +3), the stage takes one instruction of another thread, whose younger ones overtake it; the
   next one, of any thread, waits until it executes. So does T0's own next one. */
static void stage_holds_one_of_another_thread(void **state)
{
    struct sum s = {TENSIX_OP_ADDDMAREG, 0, 1, 9, 1, 2};
    (void)state;
    drive_reset(&d);
    drive_add(&d, 0, sum_word(&s));
    drive_add(&d, 0, setdmareg(0, 1));
    drive_add(&d, 1, DRIVE_NOP);
    drive_add(&d, 1, setdmareg(0, 1));
    drive_add(&d, 1, DRIVE_NOP);
    drive_add(&d, 1, DRIVE_NOP);
    drive_add(&d, 2, DRIVE_NOP);
    drive_add(&d, 2, DRIVE_NOP);
    drive_add(&d, 2, setdmareg(0, 1));
    drive_run(&d);
    assert_int_equal(d.went[1][1], DRIVE_FIRST + 1);
    assert_int_equal(d.went[1][2], DRIVE_FIRST + 2);
    assert_int_equal(d.went[1][3], DRIVE_FIRST + 3);
    assert_int_equal(d.went[2][2], DRIVE_FIRST + 4); /* the first behind T1 */
    assert_int_equal(d.went[0][1], DRIVE_FIRST + 5);
}

TEST_MAIN(cmocka_unit_test(arithmetic_at_the_edges), cmocka_unit_test(arithmetic_at_random),
          cmocka_unit_test(setdmareg_writes_one_half), cmocka_unit_test(dependent_programs),
          cmocka_unit_test(reg2flop_to_configuration), cmocka_unit_test(reg2flop_to_adcs),
          cmocka_unit_test(three_or_four_cycles), cmocka_unit_test(result_and_thread_hold),
          cmocka_unit_test(reg2flop_reads_before_a_younger_rdcfg),
          cmocka_unit_test(reg2flop_gives_way_to_the_config_unit),
          cmocka_unit_test(stage_holds_one_of_another_thread))
