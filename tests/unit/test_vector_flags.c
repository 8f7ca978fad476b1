/*
 * The Vector Unit's lane flags, their stack, comparisons, SFPCONFIG and the backdoor.
 */
#include "vector_drive.h"

static struct vector_drive v;

#define L v.vector.lanes

static uint32_t word_mod(uint8_t op, unsigned vc, unsigned vd, unsigned mode)
{
    return (uint32_t)op << 24 | vc << 8 | vd << 4 | mode;
}

static void go(uint8_t op, unsigned vc, unsigned vd, unsigned mode)
{
    vu_go(&v, word_mod(op, vc, vd, mode));
}

/* Imm16 [23:8] */
static void configure(unsigned imm, unsigned vd, unsigned mode)
{
    vu_go(&v, (uint32_t)TENSIX_OP_SFPCONFIG << 24 | imm << 8 | vd << 4 | mode);
}

static void all_lanes_are_on_after_reset(void **state)
{
    (void)state;
    vu_reset(&v);
    assert_int_equal(lanes_enabled(&L), UINT32_MAX);
    assert_int_equal(L.flags | L.use, 0);
    assert_int_equal(L.r[10][5], 0x3f800000);
    assert_int_equal(L.r[15][31], 62);
}

static void sfpencc_sets_use_and_flags(void **state)
{
    (void)state;
    static const struct {
        unsigned mode, imm;
        uint32_t use, flags; /* both were 0x0f0f0f0f */
    } cases[] = {
        {0, 0, 0x0f0f0f0f, UINT32_MAX},
        {1, 0, 0xf0f0f0f0, UINT32_MAX},
        {2, 1, UINT32_MAX, UINT32_MAX},
        {3, 0, 0, UINT32_MAX}, /* the immediate wins */
        {8, 0, 0x0f0f0f0f, 0},
        {10, 3, UINT32_MAX, UINT32_MAX},
        {10, 1, UINT32_MAX, 0},
        {4, 3, 0x0f0f0f0f, UINT32_MAX},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        vu_reset(&v);
        L.use = L.flags = 0x0f0f0f0f;
        vu_go(&v, word_mod(TENSIX_OP_SFPENCC, 0, 0, cases[i].mode) | cases[i].imm << 12);
        assert_int_equal(L.use, cases[i].use);
        assert_int_equal(L.flags, cases[i].flags);
    }
}

static void sfpsetcc_by_mode(void **state)
{
    (void)state;
    static const struct {
        unsigned mode, imm;
        uint32_t flags; /* of lanes 0 to 3: 0, -0, 1, -1 */
    } cases[] = {
        {0, 0, 10}, {2, 0, 14}, {4, 0, 5}, {6, 0, 1}, {1, 1, 15}, {1, 0, 0}, {8, 1, 0}, {9, 1, 0}};
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        vu_reset(&v);
        L.r[5][1] = 0x80000000;
        L.r[5][2] = 1;
        L.r[5][3] = UINT32_MAX;
        L.use = L.flags = UINT32_MAX;
        vu_go(&v, word_mod(TENSIX_OP_SFPSETCC, 5, 0, cases[i].mode) | cases[i].imm << 12);
        assert_int_equal(L.flags & 15, cases[i].flags);
    }
}

static void sfpsetcc_clears_flags_that_are_not_used(void **state)
{
    (void)state;
    vu_reset(&v);
    L.use = 0xff;
    L.flags = 0xff0f;
    vu_go(&v, word_mod(TENSIX_OP_SFPSETCC, 0, 0, 6)); /* all lanes are 0; 4 to 7 are off */
    assert_int_equal(L.flags, 0x0f);
}

static void push_and_pop_are_last_in_first_out(void **state)
{
    (void)state;
    vu_reset(&v);
    for (unsigned i = 1; i <= LANES_STACK; i++) {
        L.flags = 0x01010101 * i;
        L.use = ~L.flags;
        go(TENSIX_OP_SFPPUSHC, 0, 0, 0);
    }
    L.flags = 0;
    go(TENSIX_OP_SFPPUSHC, 0, 0, 0); /* full: lost */
    for (unsigned i = LANES_STACK; i; i--) {
        L.flags = 0x55555555;
        go(TENSIX_OP_SFPPOPC, 0, 0, 0);
        assert_int_equal(L.flags, 0x01010101 * i);
        assert_int_equal(L.use, ~(0x01010101 * i));
    }
    go(TENSIX_OP_SFPPOPC, 0, 0, 0); /* empty */
    assert_int_equal(L.flags | L.use, 0);
}

/* By the low four lanes: A 1 1 0 0, B 1 0 1 0 from lane 3 down. */
static const uint8_t boolean[13] = {0, 10, 5, 8, 14, 4, 13, 2, 11, 1, 7, 6, 9};

static void popc_looks_at_the_top(void **state)
{
    (void)state;
    for (unsigned mode = 1; mode < 16; mode++) {
        vu_reset(&v);
        L.flags = 10, L.use = 6;
        go(TENSIX_OP_SFPPUSHC, 0, 0, 0);
        L.flags = 12, L.use = 3;
        go(TENSIX_OP_SFPPOPC, 0, 0, mode);
        assert_int_equal(L.depth[0], 1);
        assert_int_equal(L.use & 15, mode <= 12 ? 6 : (mode == 13 ? 3 : 15));
        assert_int_equal(L.flags & 15,
                         mode <= 12 ? boolean[mode] : (mode == 13 ? 3 : (mode == 14 ? 15 : 0)));
    }
}

static void pushc_changes_the_top(void **state)
{
    (void)state;
    for (unsigned mode = 1; mode < 16; mode++) {
        vu_reset(&v);
        L.flags = 12, L.use = 3;
        go(TENSIX_OP_SFPPUSHC, 0, 0, 0);
        L.flags = 10, L.use = 6;
        go(TENSIX_OP_SFPPUSHC, 0, 0, mode);
        assert_int_equal(L.depth[0], 1);
        assert_int_equal(L.flags & 15, mode == 13 ? 5 : 10);
        assert_int_equal(L.use & 15, 6);
        assert_int_equal(L.stack_use[0] & 15, mode <= 13 ? 6 : 15);
        assert_int_equal(L.stack_flags[0] & 15,
                         mode <= 12 ? boolean[mode] : (mode == 13 ? 5 : (mode == 14 ? 15 : 0)));
    }
    vu_reset(&v);
    go(TENSIX_OP_SFPPUSHC, 0, 0, 14); /* empty */
    assert_int_equal(L.stack_flags[0] | L.depth[0], 0);
}

static void compc_is_else(void **state)
{
    (void)state;
    vu_reset(&v);
    L.use = 0xff, L.flags = 0xffff;
    go(TENSIX_OP_SFPPUSHC, 0, 0, 0);
    L.stack_use[0] = 0x0f, L.stack_flags[0] = 0x77;
    L.flags = 0xff32;
    go(TENSIX_OP_SFPCOMPC, 0, 0, 0);
    assert_int_equal(L.flags, 0x05); /* top uses and has the flag, lane does not */
    vu_reset(&v);
    L.use = 0xff, L.flags = 0xff32; /* empty: as if all were on */
    go(TENSIX_OP_SFPCOMPC, 0, 0, 0);
    assert_int_equal(L.flags, 0xcd);
}

static void comparisons_order_by_sign_and_magnitude(void **state)
{
    (void)state;
    static const uint32_t order[] = {
        0xffffffff, 0xff800000, 0xbf800000, 0x80000000, 0, 1, 0x7f800000, 0x7fffffff};
    vu_reset(&v);
    for (unsigned a = 0; a < 8; a++)
        for (unsigned b = 0; b < 8; b++) {
            vu_fill(&v, 1, order[a]);
            vu_fill(&v, 2, order[b]);
            go(TENSIX_OP_SFPGT, 2, 1, 1); /* VD > VC */
            assert_int_equal(L.flags, a > b ? UINT32_MAX : 0);
            go(TENSIX_OP_SFPLE, 2, 1, 1);
            assert_int_equal(L.flags, a <= b ? UINT32_MAX : 0);
            assert_int_equal(L.r[1][3], order[a]);
            go(TENSIX_OP_SFPLE, 2, 1, 8);
            assert_int_equal(L.r[1][3], a <= b ? UINT32_MAX : 0);
        }
}

static void comparisons_change_the_stack_in_all_lanes(void **state)
{
    (void)state;
    vu_reset(&v);
    L.use = UINT32_MAX, L.flags = 0x3333;
    go(TENSIX_OP_SFPPUSHC, 0, 0, 0);
    L.flags = 0;
    L.r[1][0] = L.r[1][2] = 5; /* greater in lanes 0 and 2 */
    go(TENSIX_OP_SFPGT, 2, 1, 2 | 4 | 1);
    assert_int_equal(L.stack_flags[0], 0x3337);
    assert_int_equal(L.flags, 0); /* no lane was enabled */
    go(TENSIX_OP_SFPGT, 2, 1, 2);
    assert_int_equal(L.stack_flags[0], 5);
    assert_int_equal(L.stack_use[0], UINT32_MAX);
}

static void row_mask_turns_lanes_off(void **state)
{
    (void)state;
    vu_reset(&v);
    configure(0x5000, 15, 1);
    assert_int_equal(lanes_enabled(&L), 0xff00ff00);
    configure(0, 15, 1);
    assert_int_equal(lanes_enabled(&L), UINT32_MAX);
}

static void sfpconfig_takes_row_0_for_all_rows(void **state)
{
    (void)state;
    vu_reset(&v);
    for (unsigned i = 0; i < LANES; i++)
        L.r[0][i] = 0x70000 + i;
    for (unsigned vd = 0; vd < 16; vd++)
        configure(0x1234, vd, 0);
    for (unsigned i = 0; i < LANES; i++) {
        uint32_t x = 0x70000 + i % 8;
        for (unsigned k = 0; k < 4; k++) {
            assert_int_equal(L.macro[i].template_[k], x);
            assert_int_equal(L.macro[i].sequence[k], x);
            assert_int_equal(L.r[11 + k][i], x);
        }
        assert_int_equal(L.macro[i].misc, i % 8);
        assert_int_equal(L.config[i], 0x30000 + i % 8);
        assert_int_equal(L.r[9][i], 0);
        assert_int_equal(L.r[10][i], 0x3f800000);
    }
}

static void sfpconfig_with_an_immediate(void **state)
{
    (void)state;
    static const uint32_t fixed[] = {0xbf800000, 0x37800000, 0xbf2cc4c7, 0xbeb08ff9};
    vu_reset(&v);
    vu_fill(&v, 0, 0x99);
    for (unsigned vd = 11; vd < 15; vd++)
        vu_fill(&v, vd, 0);
    for (unsigned vd = 0; vd < 15; vd++)
        configure(0x1234, vd, 1);
    for (unsigned k = 0; k < 4; k++) {
        assert_int_equal(L.macro[9].template_[k], 0x99); /* does not fit */
        assert_int_equal(L.macro[9].sequence[k], 0x1234);
        assert_int_equal(L.r[11 + k][9], fixed[k]);
    }
    assert_int_equal(L.macro[9].misc, 0x234);
}

static void sfpconfig_combines(void **state)
{
    (void)state;
    static const uint32_t misc[] = {0x0ff, 0x1ff, 0x033, 0x1cc};
    for (unsigned k = 0; k < 4; k++) {
        vu_reset(&v);
        vu_configure(&v, 0x20133);
        configure(0x133, 8, 1);
        configure(0x0ff, 8, 2 * k | 1);
        assert_int_equal(L.macro[20].misc, misc[k]);
        configure(0x0ff, 15, 2 * k | 1);
        assert_int_equal(L.config[20], misc[k] | 0x20000); /* out of reach */
    }
    vu_reset(&v);
    vu_configure(&v, 0x20133);
    vu_fill(&v, 0, 0x100ff);
    configure(0, 15, 0);
    assert_int_equal(L.config[20], 0x100ff);
    assert_int_equal(L.config_any, 0x100ff);
}

static void sfpconfig_leaves_columns_out(void **state)
{
    (void)state;
    vu_reset(&v);
    vu_fill(&v, 0, 7);
    L.use = 0x0f;
    L.flags = 0x05;          /* row 0: columns 1 and 3 are off */
    configure(0x0554, 4, 8); /* bits 2, 4, 6, 8, 10: columns 1 to 5 */
    for (unsigned i = 0; i < LANES; i++)
        assert_int_equal(L.macro[i].sequence[0], 0x34u >> i % 8 & 1 ? 7 : 0);
}

static void the_backdoor_takes_words_as_templates(void **state)
{
    (void)state;
    vu_reset(&v);
    uint32_t encc = word_mod(TENSIX_OP_SFPENCC, 0, 14, 10) | 3 << 12;
    uint32_t loadi = VU(SFPLOADI, .lreg_ind = 13, .imm16 = 0x4000);
    L.config[3] = LANE_NO_BACKDOOR;
    lanes_configured(&L);
    vu_go(&v, encc);
    vu_go(&v, loadi);
    for (unsigned i = 0; i < LANES; i++) {
        assert_int_equal(L.macro[i].template_[2], i == 3 ? 0 : encc);
        assert_int_equal(L.macro[i].template_[1], i == 3 ? 0 : loadi);
    }
    assert_int_equal(L.use, 8); /* only lane 3 carried it out */
    go(TENSIX_OP_SFPPUSHC, 0, 12, 0);
    L.flags = 0;
    go(TENSIX_OP_SFPPUSHC, 0, 0, 0); /* depths differ now */
    assert_int_equal(L.depth[3], 2);
    assert_int_equal(L.depth[4], 1);
    go(TENSIX_OP_SFPPOPC, 0, 0, 0);
    go(TENSIX_OP_SFPPOPC, 0, 12, 0);
    assert_int_equal(L.flags, 8);
    assert_int_equal(L.depth[3] | L.depth[4], 0);
}

TEST_MAIN(cmocka_unit_test(all_lanes_are_on_after_reset),
          cmocka_unit_test(sfpencc_sets_use_and_flags), cmocka_unit_test(sfpsetcc_by_mode),
          cmocka_unit_test(sfpsetcc_clears_flags_that_are_not_used),
          cmocka_unit_test(push_and_pop_are_last_in_first_out),
          cmocka_unit_test(popc_looks_at_the_top), cmocka_unit_test(pushc_changes_the_top),
          cmocka_unit_test(compc_is_else),
          cmocka_unit_test(comparisons_order_by_sign_and_magnitude),
          cmocka_unit_test(comparisons_change_the_stack_in_all_lanes),
          cmocka_unit_test(row_mask_turns_lanes_off),
          cmocka_unit_test(sfpconfig_takes_row_0_for_all_rows),
          cmocka_unit_test(sfpconfig_with_an_immediate), cmocka_unit_test(sfpconfig_combines),
          cmocka_unit_test(sfpconfig_leaves_columns_out),
          cmocka_unit_test(the_backdoor_takes_words_as_templates))
