/*
 * Configuration Unit, what its instructions do: each runs through a whole tile and is compared with
 * a reference written from the Blackhole pages WRCFG, RDCFG, RMWCIB, CFGSHIFTMASK, SETC16,
 * STREAMWRCFG and BackendConfiguration. When they do it: test_config_pipe.c.
 */
#include "test.h"

#include <string.h>

#include "drive.h"
#include "model/rng.h"

#define SEED UINT64_C(20250106)

enum { WORDS = 224, THREAD_WORDS = 68, GLOBAL = 180, STATE_RESET_EN = 4, SCRATCH = 209 };

static struct drive d;

/* ---- the reference ---- */

static struct ref {
    uint32_t cfg[2][WORDS];
    uint16_t thread[3][THREAD_WORDS];
    uint32_t gpr[3][64];
    uint32_t out_of_range;
} ref;

/* A write by anything but RMWCIB. */
static void ref_write(unsigned bank, unsigned word, uint32_t value)
{
    if (word >= GLOBAL) {
        ref.cfg[0][word] = ref.cfg[1][word] = value;
    } else if (word == STATE_RESET_EN) {
        for (unsigned i = 0; i < GLOBAL; i++)
            ref.cfg[bank][i] = 0;
    } else {
        ref.cfg[bank][word] = value;
    }
}

static unsigned ref_bank(unsigned t)
{
    return ref.thread[t][0] % 2;
}

static void ref_wrcfg(unsigned t, unsigned reg, bool wide, unsigned word)
{
    if (word >= WORDS) {
        ref.out_of_range++;
    } else if (!wide) {
        ref_write(ref_bank(t), word, ref.gpr[t][reg]);
    } else {
        unsigned to = word - word % 4, from = reg - reg % 4;
        for (unsigned i = 0; i < 4; i++)
            ref_write(ref_bank(t), to + i, ref.gpr[t][from + i]);
    }
}

static void ref_rdcfg(unsigned t, unsigned reg, unsigned word)
{
    if (word < WORDS)
        ref.gpr[t][reg] = ref.cfg[ref_bank(t)][word];
    else
        ref.out_of_range++;
}

/* One byte of the word; STATE_RESET_EN is an ordinary word here. */
static void ref_rmwcib(unsigned t, unsigned lane, unsigned mask, unsigned value, unsigned word)
{
    if (word >= WORDS) {
        ref.out_of_range++;
        return;
    }
    uint32_t result = ref.cfg[ref_bank(t)][word];
    for (unsigned b = 0; b < 8; b++)
        if (mask >> b & 1) {
            uint32_t bit = UINT32_C(1) << (8 * lane + b);
            result = value >> b & 1 ? result | bit : result & ~bit;
        }
    ref.cfg[ref_bank(t)][word] = result;
    if (word >= GLOBAL)
        ref.cfg[ref_bank(t) ^ 1][word] = result;
}

struct shiftmask {
    unsigned keep, op, width, rotate, scratch, word;
};

/* Bit by bit: bit i of the field stands at (i - rotate) mod 32. */
static uint32_t ref_rotate(uint32_t x, unsigned by)
{
    uint32_t out = 0;
    for (unsigned i = 0; i < 32; i++)
        if (x >> i & 1)
            out |= UINT32_C(1) << ((i + 32 - by) % 32);
    return out;
}

static uint32_t ref_alu(unsigned op, uint32_t old, uint32_t x)
{
    switch (op) {
    case 0: return old | x;
    case 1: return old & x;
    case 2: return old ^ x;
    case 3: return old + x;
    case 4: return old | (x ^ UINT32_MAX);
    case 5: return old & (x ^ UINT32_MAX);
    case 6: return old ^ x ^ UINT32_MAX;
    default: return old + (UINT32_MAX - x) + 1;
    }
}

static void ref_shiftmask(unsigned t, const struct shiftmask *s)
{
    if (s->word >= WORDS) {
        ref.out_of_range++;
        return;
    }
    uint32_t field = 0;
    for (unsigned i = 0; i <= s->width; i++)
        field |= UINT32_C(1) << i;
    unsigned from = SCRATCH + (s->scratch == 3 ? t : s->scratch);
    uint32_t x = ref_rotate(ref.cfg[0][from] & field, s->rotate);
    uint32_t old = ref.cfg[ref_bank(t)][s->word];
    if (!s->keep)
        old &= ~ref_rotate(field, s->rotate);
    ref_write(ref_bank(t), s->word, ref_alu(s->op, old, x));
}

/* ---- instructions ---- */

static uint32_t wrcfg(unsigned reg, bool wide, unsigned word)
{
    return (uint32_t)TENSIX_OP_WRCFG << 24 | reg << 16 | (uint32_t)wide << 15 | word;
}

static uint32_t rdcfg(unsigned reg, unsigned word)
{
    return (uint32_t)TENSIX_OP_RDCFG << 24 | reg << 16 | word;
}

static uint32_t rmwcib(unsigned lane, unsigned mask, unsigned value, unsigned word)
{
    return (uint32_t)(TENSIX_OP_RMWCIB0 + lane) << 24 | mask << 16 | value << 8 | word;
}

static uint32_t setc16(unsigned word, unsigned value)
{
    return (uint32_t)TENSIX_OP_SETC16 << 24 | word << 16 | value;
}

static uint32_t cfgshiftmask(const struct shiftmask *s)
{
    return (uint32_t)TENSIX_OP_CFGSHIFTMASK << 24 | s->keep << 23 | s->op << 20 | s->width << 15 |
           s->rotate << 10 | s->scratch << 8 | s->word;
}

static uint32_t streamwrcfg(unsigned sel, unsigned reg, unsigned word)
{
    return (uint32_t)TENSIX_OP_STREAMWRCFG << 24 | sel << 21 | reg << 11 | word;
}

/* ---- comparing ---- */

static void same(void)
{
    const struct config *c = &d.t.config;
    assert_memory_equal(c->word, ref.cfg, sizeof ref.cfg);
    assert_memory_equal(c->thread, ref.thread, sizeof ref.thread);
    assert_memory_equal(d.t.gpr.r, ref.gpr, sizeof ref.gpr);
    assert_int_equal(d.t.probe.count[DIAG_CFG_RANGE], ref.out_of_range);
}

static void run(unsigned thread, uint32_t word)
{
    drive_one(&d, thread, word);
    same();
}

/* Random contents everywhere; words from 180 up are equal in both banks. */
static void fill(struct rng *g)
{
    for (unsigned i = 0; i < WORDS; i++) {
        ref.cfg[0][i] = rng_next(g);
        ref.cfg[1][i] = i < GLOBAL ? rng_next(g) : ref.cfg[0][i];
    }
    for (unsigned t = 0; t < 3; t++)
        for (unsigned i = 0; i < 64; i++)
            ref.gpr[t][i] = rng_next(g);
    memcpy(d.t.config.word, ref.cfg, sizeof ref.cfg);
    memcpy(d.t.gpr.r, ref.gpr, sizeof ref.gpr);
}

static struct rng start(uint64_t stream)
{
    struct rng g = rng_of(SEED, stream);
    if (stream <= 100) /* the first of many programs speaks for them */
        print_message("seed %llu\n", (unsigned long long)SEED);
    drive_reset(&d);
    memset(&ref, 0, sizeof ref);
    fill(&g);
    return g;
}

/* Gives the thread one of the two banks. */
static void choose_bank(struct rng *g, unsigned t)
{
    unsigned value = rng_next(g) & 0xffff; /* only bit 0 counts */
    ref.thread[t][0] = (uint16_t)value;
    run(t, setc16(0, value));
}

/* ---- tests ---- */

/* WRCFG, 32 and 128 bit: every word as target, every register as source, both banks. */
static void wrcfg_moves_registers(void **state)
{
    (void)state;
    struct rng g = start(0);
    for (unsigned word = 0; word < 2048; word += word < WORDS ? 1 : 1 + rng_below(&g, 64))
        for (unsigned wide = 0; wide < 2; wide++) {
            unsigned t = rng_below(&g, 3), reg = (word + 64 * wide) % 64;
            choose_bank(&g, t);
            ref_wrcfg(t, reg, wide, word);
            run(t, wrcfg(reg, wide, word));
            if (word / 4 == STATE_RESET_EN / 4)
                fill(&g);
        }
}

/* RDCFG: every word, every register. */
static void rdcfg_moves_words(void **state)
{
    (void)state;
    struct rng g = start(1);
    for (unsigned word = 0; word < 2048; word += word < WORDS ? 1 : 1 + rng_below(&g, 64)) {
        unsigned t = rng_below(&g, 3), reg = word % 64;
        choose_bank(&g, t);
        ref_rdcfg(t, reg, word);
        run(t, rdcfg(reg, word));
    }
}

/* RMWCIB0 to 3: all lanes with all masks; all words, also those that do not exist. */
static void rmwcib_changes_one_byte(void **state)
{
    (void)state;
    struct rng g = start(2);
    for (unsigned i = 0; i < 4 * 256 * 4; i++) {
        unsigned t = rng_below(&g, 3), lane = i % 4, mask = i / 4 % 256, word = i % 256;
        unsigned value = rng_below(&g, 256);
        if (i % 16 == 0)
            choose_bank(&g, t);
        ref_rmwcib(t, lane, mask, value, word);
        run(t, rmwcib(lane, mask, value, word));
    }
}

/* SETC16: all words of all threads; words from 68 up are reported and change nothing. */
static void setc16_writes_thread_config(void **state)
{
    (void)state;
    struct rng g = start(3);
    uint32_t bad = 0;
    for (unsigned word = 0; word < 256; word++)
        for (unsigned t = 0; t < 3; t++) {
            unsigned value = rng_next(&g) & 0xffff;
            if (word < THREAD_WORDS)
                ref.thread[t][word] = (uint16_t)value;
            else
                bad++;
            run(t, setc16(word, value));
            assert_int_equal(d.t.probe.count[DIAG_THCFG_RANGE], bad);
        }
}

/* CFGSHIFTMASK: all operations, mask modes, rotations, widths and scratch selectors. */
static void cfgshiftmask_exhaustive(void **state)
{
    (void)state;
    struct rng g = start(4);
    for (unsigned i = 0; i < 65536; i += 1 + WG_SLOW_BUILD * 6) {
        unsigned t = rng_below(&g, 3);
        struct shiftmask s = {.op = i & 7,
                              .keep = i >> 3 & 1,
                              .rotate = i >> 4 & 31,
                              .width = i >> 9 & 31,
                              .scratch = i >> 14,
                              .word = rng_below(&g, 256)};
        if (i % 64 == 0)
            choose_bank(&g, t);
        if (i % 256 == 0)
            fill(&g);
        ref_shiftmask(t, &s);
        run(t, cfgshiftmask(&s));
    }
}

/* STREAMWRCFG: the stream comes from the issuing thread's STREAM_ID_SYNC words, six bits of them. */
static void streamwrcfg_moves_stream_registers(void **state)
{
    (void)state;
    struct rng g = start(5);
    for (unsigned s = 0; s < 64; s++)
        for (unsigned r = 0; r < 512; r++)
            coproc_port_stream_write(&d.t, s, r, rng_next(&g));
    for (unsigned i = 0; i < 5000; i++) {
        unsigned t = rng_below(&g, 3), sel = rng_below(&g, 4), reg = rng_below(&g, 512);
        unsigned word = rng_below(&g, rng_percent(&g, 10) ? 2048 : WORDS);
        unsigned id = rng_next(&g) & 0xffff;
        choose_bank(&g, t);
        ref.thread[t][59 + sel] = (uint16_t)id;
        run(t, setc16(59 + sel, id));
        if (word < WORDS)
            ref_write(ref_bank(t), word, d.t.stream.reg[id % 64][reg]);
        else
            ref.out_of_range++;
        run(t, streamwrcfg(sel, reg, word));
        if (i % 100 == 0)
            fill(&g);
    }
}

/* Writing anything to STATE_RESET_EN zeroes words 0 to 179 of that bank and nothing else; RMWCIB
   only changes the word. */
static void state_reset_zeroes_its_bank(void **state)
{
    (void)state;
    struct rng g = start(6);
    struct shiftmask s = {.word = STATE_RESET_EN};
    for (unsigned how = 0; how < 8; how++)
        for (unsigned t = 0; t < 3; t++) {
            choose_bank(&g, t);
            fill(&g);
            unsigned bank = ref_bank(t);
            bool zero = how < 5;
            switch (how) {
            case 0: ref_wrcfg(t, 9, false, 4), run(t, wrcfg(9, false, 4)); break;
            case 1: ref_wrcfg(t, 9, true, 4), run(t, wrcfg(9, true, 4)); break;
            case 2: ref_wrcfg(t, 9, true, 7), run(t, wrcfg(9, true, 7)); break;
            case 3: ref_shiftmask(t, &s), run(t, cfgshiftmask(&s)); break;
            case 4: ref_write(bank, 4, 0), run(t, streamwrcfg(0, 3, 4)); break;
            default:
                ref_rmwcib(t, how - 5, 0xff, how, 4);
                run(t, rmwcib(how - 5, 0xff, how, 4));
                break;
            }
            assert_int_equal(d.t.config.word[bank][0] == 0, zero);
            assert_int_equal(d.t.config.word[bank][179] == 0, zero);
            assert_int_not_equal(d.t.config.word[bank][180], 0);
            assert_int_not_equal(d.t.config.word[bank ^ 1][4], 0);
        }
}

/* Writes of cores: bank 0, bank 1, both; words from 180 up always reach both. */
static void cores_write_one_bank_or_both(void **state)
{
    (void)state;
    struct rng g = start(7);
    for (unsigned word = 0; word < WORDS; word++)
        for (unsigned bank = 0; bank < 3; bank++) {
            unsigned core = rng_below(&g, 4);
            uint32_t value = rng_next(&g);
            if (bank != 1)
                ref_write(0, word, value);
            if (bank != 0)
                ref_write(1, word, value);
            assert_true(coproc_port_config_write(&d.t, core, bank, word, value));
            drive_run(&d);
            same();
            if (word == STATE_RESET_EN)
                fill(&g);
        }
}

/* Writes of cores to GPRs, and one request at a time per core. */
static void cores_write_gprs(void **state)
{
    (void)state;
    struct rng g = start(8);
    for (unsigned i = 0; i < 64 * 3 * 4; i++) {
        unsigned core = i % 4, t = i / 4 % 3, reg = i / 12;
        uint32_t value = rng_next(&g);
        ref.gpr[t][reg] = value;
        assert_true(coproc_port_gpr_write(&d.t, core, t, reg, value));
        assert_false(coproc_port_gpr_write(&d.t, core, t, reg, ~value));
        assert_false(coproc_port_config_write(&d.t, core, 0, 0, ~value));
        drive_run(&d);
        same();
    }
}

/* Long random mixtures, each instruction finished before the next. */
static void random_mixture(void **state)
{
    (void)state;
    struct rng g = start(9);
    for (unsigned i = 0; i < 20000; i++) {
        unsigned t = rng_below(&g, 3), reg = rng_below(&g, 64), word = rng_below(&g, WORDS);
        unsigned a = rng_below(&g, 256), b = rng_below(&g, 256), lane = rng_below(&g, 4);
        struct shiftmask s = {a & 1, a >> 1 & 7, b & 31, rng_below(&g, 32), lane, word};
        switch (rng_below(&g, 6)) {
        case 0: ref_wrcfg(t, reg, false, word), run(t, wrcfg(reg, false, word)); break;
        case 1: ref_wrcfg(t, reg, true, word), run(t, wrcfg(reg, true, word)); break;
        case 2: ref_rdcfg(t, reg, word), run(t, rdcfg(reg, word)); break;
        case 3: ref_rmwcib(t, lane, a, b, word), run(t, rmwcib(lane, a, b, word)); break;
        case 4: ref_shiftmask(t, &s), run(t, cfgshiftmask(&s)); break;
        default: choose_bank(&g, t); break;
        }
        if (i % 512 == 0)
            fill(&g);
    }
}

/* One random word of a program that keeps to words 30 t + 20 .. 30 t + 49 of its bank, reads GPRs below
   32 and writes those above, so that nothing depends on other threads or on GPR hazards. */
static void add_ordered(struct rng *g, unsigned t)
{
    unsigned word = 20 + 30 * t + rng_below(g, 30), reg = rng_below(g, 32), lane = rng_below(g, 4);
    unsigned a = rng_below(g, 256), b = rng_below(g, 256);
    struct shiftmask s = {a & 1, a >> 1 & 7, b & 31, rng_below(g, 32), lane, word};
    switch (rng_below(g, 7)) {
    case 0: ref_wrcfg(t, reg, false, word), drive_add(&d, t, wrcfg(reg, false, word)); break;
    case 1: ref_rdcfg(t, 32 + reg, word), drive_add(&d, t, rdcfg(32 + reg, word)); break;
    case 2: ref_rmwcib(t, lane, a, b, word), drive_add(&d, t, rmwcib(lane, a, b, word)); break;
    case 3: ref_shiftmask(t, &s), drive_add(&d, t, cfgshiftmask(&s)); break;
    case 4:
        ref_write(ref_bank(t), word, d.t.stream.reg[0][b]);
        drive_add(&d, t, streamwrcfg(0, b, word));
        break;
    case 5:
        ref.thread[t][0] = (uint16_t)a;
        drive_add(&d, t, setc16(0, a));
        break;
    default: drive_add(&d, t, DRIVE_NOP); break;
    }
}

/* Programs of three threads at full speed: each thread's own accesses happen in program order, the
   last writer and every RDCFG see what one after the other would give. */
static void programs_keep_their_order(void **state)
{
    (void)state;
    for (unsigned n = 0; n < 150; n++) {
        struct rng g = start(100 + n);
        for (unsigned r = 0; r < 256; r++)
            coproc_port_stream_write(&d.t, 0, r, rng_next(&g));
        for (unsigned t = 0; t < 3; t++)
            for (unsigned i = 0; i < 100; i++)
                add_ordered(&g, t);
        drive_run(&d);
        same();
    }
}

TEST_MAIN(cmocka_unit_test(wrcfg_moves_registers), cmocka_unit_test(rdcfg_moves_words),
          cmocka_unit_test(rmwcib_changes_one_byte), cmocka_unit_test(setc16_writes_thread_config),
          cmocka_unit_test(cfgshiftmask_exhaustive),
          cmocka_unit_test(streamwrcfg_moves_stream_registers),
          cmocka_unit_test(state_reset_zeroes_its_bank),
          cmocka_unit_test(cores_write_one_bank_or_both), cmocka_unit_test(cores_write_gprs),
          cmocka_unit_test(random_mixture), cmocka_unit_test(programs_keep_their_order))
