/*
 * Kernels in the way of real ones, with SFPLOADMACRO and without: the same numbers must be in Dst. Each runs cycle by
 * cycle, in bursts, and without time.
 *
 *     to_fp32     unsigned integers to FP32, three macros for a row, three cycles each; all counts instructions
 *     power       a coarse exponential: clamp in a first pass, then multiply-add, round, shift and store; counts cycles
 *     signed      the same with a sign, and with an instruction from outside between each two macros
 */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "coproc/coproc.h"
#include "model/rng.h"
#include "num/layout.h"

#define ROWS   32u /* loads of a tile of 512 numbers */
#define FP32   3u
#define INT32  4u
#define NOP    0x8f000000u
#define THREAD 1u

struct words {
    uint32_t w[1024];
    unsigned n;
};

static void add(struct words *k, uint32_t word)
{
    assert_true(k->n < sizeof k->w / sizeof *k->w);
    k->w[k->n++] = word;
}

/* ---- instructions ---- */

static void loadi(struct words *k, unsigned vd, uint32_t value)
{
    add(k, 0x71000000 | vd << 20 | 10u << 16 | (value & 0xffff)); /* low half, then high half */
    add(k, 0x71000000 | vd << 20 | 8u << 16 | value >> 16);
}

/* SFPCONFIG by way of LReg 0. */
static void configure(struct words *k, unsigned dest, uint32_t value)
{
    loadi(k, 0, value);
    add(k, 0x91000000 | dest << 4);
}

/* Misc comes last; then it takes two cycles until SFPLOADMACRO sees it. */
static void misc(struct words *k, uint32_t value)
{
    configure(k, 8, value);
    add(k, NOP);
    add(k, NOP);
}

static uint32_t load(unsigned vd, unsigned mode, unsigned row)
{
    return 0x70000000 | vd << 20 | mode << 16 | 4 * (row / 2) | 2 * (row % 2);
}

static uint32_t store(unsigned vd, unsigned mode, unsigned row)
{
    return 0x72000000 | vd << 20 | mode << 16 | 4 * (row / 2) | 2 * (row % 2);
}

static uint32_t macro(unsigned index, unsigned vd, unsigned mode, unsigned row)
{
    uint32_t address = (4 * (row / 2) | 2 * (row % 2)) | vd >> 2;
    return 0x93000000 | index << 22 | (vd & 3) << 20 | mode << 16 | address;
}

static uint32_t op(unsigned opcode, unsigned imm, unsigned c, unsigned d, unsigned mod)
{
    return (uint32_t)opcode << 24 | (imm & 0xfff) << 12 | c << 8 | d << 4 | mod;
}

static uint32_t mad(unsigned a, unsigned b, unsigned c, unsigned d, unsigned mod)
{
    return 0x84000000 | a << 16 | b << 12 | c << 8 | d << 4 | mod;
}

/* A byte of a sequence. */
static uint32_t part(unsigned choice, unsigned delay, unsigned flags)
{
    return flags | delay << 3 | choice;
}

enum { TO_16 = 0x40, BY_VB = 0x80 };
enum { SETSGN = 0x89, CAST = 0x90, SHFT = 0x7a, SHFT2 = 0x94, ROUND = 0x8e, SWAP = 0x92 };

static void sequence(struct words *k, unsigned index, uint32_t simple, uint32_t mad_,
                     uint32_t round_, uint32_t store_)
{
    configure(k, 4 + index, simple | mad_ << 8 | round_ << 16 | store_ << 24);
}

static void finish(struct words *k)
{
    for (unsigned i = 0; i < 8; i++)
        add(k, NOP);
}

/* ---- kernels ---- */

/* The sign bit stands for 2^31: LReg 7 names LReg 0 or 1, which is 0 or that. */
static void to_fp32(struct words *k, bool macros)
{
    configure(k, 12, (uint32_t)-31);
    if (macros) {
        add(k, op(SETSGN, 0, 0, 12, 1));
        add(k, op(CAST, 0, 2, 13, 0));
        add(k, op(SHFT2, 0, 12, 14, 5));
        add(k, mad(0, 10, 0, 15, 4));
        sequence(k, 0, part(4, 0, 0), 0, 0, 0);
        sequence(k, 1, part(5, 0, BY_VB), part(7, 2, TO_16), 0, 0);
        sequence(k, 2, 0, 0, part(6, 0, BY_VB), part(3, 3, TO_16));
        misc(k, 0x700 | FP32);
    }
    loadi(k, 0, 0);
    loadi(k, 1, 0x4f000000);
    for (unsigned i = 0; i < ROWS; i++) {
        if (macros) {
            add(k, macro(0, 2, INT32, i));
            add(k, macro(1, 3, INT32, i));
            add(k, macro(2, 7, INT32, i));
            continue;
        }
        add(k, load(2, INT32, i));
        add(k, op(SHFT, 0xfe1, 2, 7, 5)); /* right by 31 */
        add(k, op(SETSGN, 0, 2, 3, 1));
        add(k, op(CAST, 0, 3, 3, 0));
        add(k, mad(0, 10, 3, 3, 4));
        add(k, store(3, FP32, i));
    }
    finish(k);
}

static void power(struct words *k, bool macros)
{
    configure(k, 12, 0x43b8aa3b); /* 256 / ln 2 */
    configure(k, 13, 0x46fde9a3);
    configure(k, 14, 0xc2b10000); /* -88.5 */
    if (macros) {
        configure(k, 0, op(SWAP, 0, 0, 14, 1));
        add(k, mad(12, 0, 13, 13, 0));
        add(k, op(ROUND, 0, 0, 14, 6));
        add(k, op(SHFT, 15, 0, 15, 1));
        sequence(
            k, 0, part(7, 3, TO_16 | BY_VB), part(5, 0, BY_VB), part(6, 2, 0), part(3, 4, TO_16));
        sequence(k, 1, part(4, 0, 0), 0, 0, part(3, 2, 0));
        misc(k, FP32);
        for (unsigned i = 0; i < ROWS; i++) {
            add(k, macro(1, i % 4, FP32, i));
            add(k, NOP);
        }
        for (unsigned i = 0; i < ROWS; i++)
            add(k, macro(0, i % 4, FP32, i));
        finish(k);
        return;
    }
    for (unsigned i = 0; i < ROWS; i++) {
        add(k, load(0, FP32, i));
        add(k, op(SWAP, 0, 14, 0, 9)); /* the greater one */
        add(k, mad(12, 0, 13, 0, 0));
        add(k, op(ROUND, 0, 0, 0, 6));
        add(k, op(SHFT, 15, 0, 0, 1));
        add(k, store(0, FP32, i));
    }
}

static void signed_(struct words *k, bool macros)
{
    configure(k, 12, 0x42000000); /* 32 */
    configure(k, 13, 0x3f000000); /* 0.5 */
    configure(k, 14, 15);
    if (macros) {
        add(k, mad(12, 0, 13, 13, 0));
        add(k, op(ROUND, 0, 0, 14, 7));
        add(k, op(SETSGN, 0, 4, 15, 0));
        sequence(
            k, 0, part(7, 5, TO_16 | BY_VB), part(5, 0, BY_VB), part(6, 3, 0), part(3, 6, TO_16));
        misc(k, 0xf00 | INT32);
        for (unsigned i = 0; i < ROWS + 2; i++) { /* the shift belongs to the row before the last */
            add(k, i < ROWS ? macro(0, i % 4, FP32, i) : NOP);
            add(k, op(SHFT2, (i + 2) % 4, 14, 4, 5));
        }
        finish(k);
        return;
    }
    for (unsigned i = 0; i < ROWS; i++) {
        add(k, load(0, FP32, i));
        add(k, mad(12, 0, 13, 0, 0));
        add(k, op(ROUND, 0, 0, 0, 7));
        add(k, op(SHFT2, 0, 14, 4, 5));
        add(k, op(SETSGN, 0, 4, 0, 0));
        add(k, NOP);
        add(k, store(0, INT32, i));
    }
}

/* ---- runs ---- */

enum { STEPS, BURSTS, UNTIMED, WAYS };

static struct coproc machine;
static uint16_t before[DST_ROWS][16];

static void run(const struct words *k, unsigned way)
{
    struct coproc *cp = &machine;
    coproc_reset(cp);
    cp->vector.untimed = way == UNTIMED;
    memcpy(cp->dst.d, before, sizeof before);
    unsigned next = 0;
    for (unsigned i = 0; i < 100000 && (next < k->n || !coproc_idle(cp)); i++) {
        while (next < k->n && coproc_port_push(cp, THREAD, &k->w[next], 1, 0)) {
            next++;
            if (way == STEPS)
                break;
        }
        if (way == UNTIMED)
            coproc_rush(cp);
        else if (way == STEPS || !coproc_burst(cp, cp->now + 100, 0))
            coproc_step(cp);
    }
    assert_int_equal(next, k->n);
    assert_true(coproc_idle(cp));
    assert_int_equal(cp->vector.macro.n, 0);
    assert_int_equal(cp->probe.n_diags, 0);
}

static void compare(void (*kernel)(struct words *, bool), uint32_t (*input)(struct rng *))
{
    struct rng r = rng_of(20260712, 0);
    static struct words words;
    static uint16_t expected[DST_ROWS][16];
    for (unsigned row = 0; row < 64; row++)
        for (unsigned i = 0; i < 16; i++) {
            uint32_t x = input(&r);
            before[dst_row32(row, 0)][i] = layout_high_to_dst(x);
            before[dst_row32(row, 0) + DST_LOW][i] = (uint16_t)x;
        }
    for (unsigned way = 0; way < WAYS; way++) {
        words.n = 0;
        kernel(&words, false);
        run(&words, way);
        if (way)
            assert_memory_equal(machine.dst.d, expected, sizeof expected);
        memcpy(expected, machine.dst.d, sizeof expected);
        assert_true(memcmp(expected, before, sizeof before)); /* it has done something */
        words.n = 0;
        kernel(&words, true);
        run(&words, way);
        assert_memory_equal(machine.dst.d, expected, sizeof expected);
    }
}

static uint32_t any_word(struct rng *r)
{
    return rng_percent(r, 20) ? rng_below(r, 100) - 50 : rng_next(r);
}

static uint32_t small_number(struct rng *r)
{
    return (rng_next(r) & 0x807fffff) | (122 + rng_below(r, 12)) << 23;
}

static void integers_to_fp32_in_three_macros(void **state)
{
    (void)state;
    compare(to_fp32, any_word);
}

static void clamp_and_exponential_by_cycles(void **state)
{
    (void)state;
    compare(power, small_number);
}

static void sign_joined_with_instructions_between(void **state)
{
    (void)state;
    compare(signed_, small_number);
}

TEST_MAIN(cmocka_unit_test(integers_to_fp32_in_three_macros),
          cmocka_unit_test(clamp_and_exponential_by_cycles),
          cmocka_unit_test(sign_joined_with_instructions_between))
