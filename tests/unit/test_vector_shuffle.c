/*
 * SFPSWAP, SFPSHFT2 and SFPTRANSP, lane by lane, against a second formulation: every mode, every pair of registers,
 * random operands, lanes and LaneConfig.
 */
#include "test.h"

#include <inttypes.h>
#include <stdlib.h>

#include "vector_effect.h"

#define SEED  UINT64_C(20261116)
#define TIMES (WG_SLOW_BUILD ? 4000u : 100000u)

/* Twice the number, minus one for negative ones, so that -0 is below 0. */
static int64_t rank(uint32_t x)
{
    int64_t twice = (int64_t)(x % 0x80000000) * 2;
    return x < 0x80000000 ? twice : -twice - 1;
}

/* Does VD become the smaller one in this row? */
static bool gets_min(unsigned mod1, unsigned row)
{
    static const char *const rows[] = {"", "0123", "01", "02", "03", "0", "1", "2", "3"};
    return mod1 < 9 && strchr(rows[mod1], (int)('0' + row));
}

static void swap_lane(struct lanes *l, const struct vector_op *o, unsigned i)
{
    unsigned vd = o->macro ? o->vb : o->vd; /* scheduled: what stands in VB's place */
    uint32_t c = l->r[o->vc][i], d = l->r[vd][i];
    unsigned mod1 = o->word & 15;
    bool swap = mod1 == 0 || (gets_min(mod1, i / 8) ? rank(c) < rank(d) : rank(c) >= rank(d));
    if (mod1 && l->config[i] & LANE_EXCHANGE)
        swap = !swap;
    if (!swap)
        return;
    bool index = l->config[i] & LANE_DEST_INDEX;
    unsigned limit = index ? 4 : 8;
    unsigned ic = 4 + o->vc % 4, id = 4 + vd % 4;
    uint32_t xc = l->r[ic][i], xd = l->r[id][i];
    if (o->vc < limit)
        l->r[o->vc][i] = d;
    if (vd < limit)
        l->r[vd][i] = c;
    if (index) {
        l->r[ic][i] = xd;
        l->r[id][i] = xc;
    }
}

static void compare(const struct lanes *want, const struct vector_op *o)
{
    if (memcmp(want, &after, sizeof *want) == 0)
        return;
    for (unsigned n = 0; n < LANES_LREGS; n++)
        for (unsigned i = 0; i < LANES; i++)
            if (want->r[n][i] != after.r[n][i])
                print_error(
                    "LReg %u lane %u: %08x, should be %08x\n", n, i, after.r[n][i], want->r[n][i]);
    fail_msg("%06x, VD %u, VC %u, macro %d", o->word, o->vd, o->vc, o->macro);
}

static void swap_all_modes_with_and_without_indices(void **state)
{
    struct rng r = rng_of(SEED, 1);
    (void)state;
    print_message("seed %" PRIu64 "\n", SEED);
    for (unsigned n = 0; n < TIMES; n++) {
        struct vector_op o = effect_op(&r);
        if (n % 16 == 0)
            effect_fill(&r, &before);
        struct lanes want = before;
        for (unsigned i = 0; i < LANES; i++)
            if (o.on >> i & 1)
                swap_lane(&want, &o, i);
        effect_run(vector_sfpswap, &o);
        compare(&want, &o);
    }
}

/* Min and max by Mod1, with values that are told apart; equal numbers carry their indices along where VD gets max. */
static void swap_keeps_indices_with_their_numbers(void **state)
{
    struct vector_op o = {.word = 1, .vd = 0, .vc = 1, .on = UINT32_MAX};
    (void)state;
    memset(&before, 0, sizeof before);
    for (unsigned i = 0; i < LANES; i++) {
        before.config[i] = LANE_DEST_INDEX;
        before.r[0][i] = i % 2 ? 0x40000000 : 0xc0000000; /* 2, -2 */
        before.r[1][i] = 0x3f800000;                      /* 1 */
        before.r[4][i] = 100 + i;
        before.r[5][i] = 200 + i;
    }
    effect_run(vector_sfpswap, &o);
    for (unsigned i = 0; i < LANES; i++) {
        assert_int_equal(after.r[0][i], i % 2 ? 0x3f800000 : 0xc0000000);
        assert_int_equal(after.r[4][i], (i % 2 ? 200 : 100) + i);
        assert_int_equal(after.r[5][i], (i % 2 ? 100 : 200) + i);
    }
    for (unsigned i = 0; i < LANES; i++)
        before.r[1][i] = before.r[0][i];
    for (o.word = 1; o.word < 16; o.word++) {
        effect_run(vector_sfpswap, &o);
        for (unsigned i = 0; i < LANES; i++)
            assert_int_equal(after.r[4][i], (gets_min(o.word, i / 8) ? 100 : 200) + i);
    }
}

static uint32_t shifted(uint32_t x, int64_t n)
{
    uint64_t by = UINT64_C(1) << llabs(n) % 32;
    return (uint32_t)(n < 0 ? x / by : x * by);
}

static void shft2_lane(struct lanes *want, const struct vector_op *o, unsigned i)
{
    unsigned mod1 = o->word & 15, row = i / 8, column = i % 8;
    uint32_t left = before.r[o->vc][row * 8 + (column + 7) % 8], v = 0;
    int64_t imm = o->word >> 12 & 0xfff;
    imm = imm < 2048 ? imm : imm - 4096;
    switch (mod1) {
    case 1: v = row < 3 ? before.r[0][(row + 1) * 8 + column] : 0; break;
    case 2:
    case 3: v = left; break;
    case 4: v = column ? left : 0; break;
    case 5: v = shifted(before.r[o->vb][i], (int32_t)before.r[o->vc][i]); break;
    case 6: v = shifted(before.r[o->vb][i], imm); break;
    default: break;
    }
    if (mod1 < 3) {
        for (unsigned n = 0; n < 3; n++)
            want->r[n][i] = before.r[n + 1][i];
        want->r[3][i] = v;
    } else if (mod1 < 7 && (o->vd < 8 || o->vd == 16)) {
        want->r[o->vd][i] = v;
    }
}

static void shft2_all_modes(void **state)
{
    struct rng r = rng_of(SEED, 2);
    (void)state;
    for (unsigned n = 0; n < TIMES; n++) {
        struct vector_op o = effect_op(&r);
        if (n % 16 == 0)
            effect_fill(&r, &before);
        struct lanes want = before;
        for (unsigned i = 0; i < LANES; i++)
            if (o.on >> i & 1)
                shft2_lane(&want, &o, i);
        effect_run(vector_sfpshft2, &o);
        compare(&want, &o);
    }
}

static void shft2_reserved_modes_are_reported(void **state)
{
    (void)state;
    for (unsigned mod1 = 0; mod1 < 16; mod1++) {
        struct vector_op o = {.word = 0x94000000 | mod1, .on = UINT32_MAX};
        probe_reset(&effect_probe);
        effect_run(vector_sfpshft2, &o);
        assert_int_equal(effect_probe.count[DIAG_SHFT2_MODE], mod1 > 6);
    }
}

/* Four registers are a box of 4 registers, 4 rows, 8 columns; its first two axes change places. */
static void transp_exchanges_registers_and_rows(void **state)
{
    struct rng r = rng_of(SEED, 3);
    (void)state;
    for (unsigned n = 0; n < TIMES / 8; n++) {
        struct vector_op o = effect_op(&r);
        effect_fill(&r, &before);
        struct lanes want = before;
        for (unsigned at = 0; at < 256; at++) {
            unsigned box = at / 128, reg = at / 32 % 4, row = at / 8 % 4, column = at % 8;
            if (o.on >> (at % 32) & 1)
                want.r[4 * box + reg][at % 32] = before.r[4 * box + row][8 * reg + column];
        }
        effect_run(vector_sfptransp, &o);
        compare(&want, &o);
    }
}

TEST_MAIN(cmocka_unit_test(swap_all_modes_with_and_without_indices),
          cmocka_unit_test(swap_keeps_indices_with_their_numbers),
          cmocka_unit_test(shft2_all_modes), cmocka_unit_test(shft2_reserved_modes_are_reported),
          cmocka_unit_test(transp_exchanges_registers_and_rows))
