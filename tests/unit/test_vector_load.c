/*
 * SFPLOAD, SFPSTORE and SFPLOADI: where they reach in Dst, and what each mode makes of the bits.
 */
#include "vector_drive.h"

static struct vector_drive v;

#define R v.vector.lanes.r

static void load(unsigned mode, unsigned address)
{
    vu_go(&v, VU(SFPLOAD, .lreg_ind = 2, .instr_mod0 = mode, .dest_reg_addr = address));
}

static void store(unsigned mode, unsigned address)
{
    vu_go(&v, VU(SFPSTORE, .lreg_ind = 3, .instr_mod0 = mode, .dest_reg_addr = address));
}

/* Every cell another one. */
static void number_dst(void)
{
    vu_reset(&v);
    for (unsigned i = 0; i < DST_ROWS; i++)
        for (unsigned j = 0; j < 16; j++)
            v.dst.d[i][j] = (uint16_t)(i << 4 | j);
}

/* What a load gives for a cell with this in its high and low half. */
static uint32_t loaded(unsigned mode, unsigned high, unsigned low)
{
    vu_reset(&v);
    v.dst.d[0][0] = (uint16_t)high;
    v.dst.d[8][0] = (uint16_t)low;
    R[2][0] = 0x12345678;
    load(mode, 0);
    return R[2][0];
}

/* What a store writes; the low half counts for 32 bits only. */
static uint32_t stored(unsigned mode, uint32_t value)
{
    vu_reset(&v);
    R[3][9] = value;
    store(mode, 0);
    return (uint32_t)v.dst.d[1][2] << 16 | v.dst.d[9][2];
}

static void an_access_is_four_rows_of_eight_columns(void **state)
{
    (void)state;
    number_dst();
    load(6, 20);
    for (unsigned i = 0; i < LANES; i++)
        assert_int_equal(R[2][i], (20 + i / 8) << 4 | 2 * (i % 8));
    load(6, 23); /* bit 1: odd columns; bit 0 does not count */
    for (unsigned i = 0; i < LANES; i++)
        assert_int_equal(R[2][i], (20 + i / 8) << 4 | (2 * (i % 8) + 1));
    memset(v.dst.d, 0, sizeof v.dst.d);
    store(6, 42);
    for (unsigned i = 0; i < DST_ROWS; i++)
        for (unsigned j = 0; j < 16; j++)
            assert_int_equal(v.dst.d[i][j], 0); /* LReg 3 is 0 */
    vu_fill(&v, 3, 7);
    store(6, 42);
    for (unsigned i = 0; i < DST_ROWS; i++)
        for (unsigned j = 0; j < 16; j++)
            assert_int_equal(v.dst.d[i][j], i / 4 == 10 && j % 2 ? 7 : 0);
}

static void an_address_is_the_sum_of_all_bases(void **state)
{
    (void)state;
    number_dst();
    vu_thread_set(&v, THCFG_MATH_OFFSET, 512);
    vu_set(&v, CFG_DEST_REGW_BASE, 256);
    vu_set(&v, CFG_DEST_SP_BASE, 0x101); /* only its low two bits */
    v.rwc.t[0].sp = 1;
    v.rwc.t[0].dst = 260;
    load(6, 8); /* 1036 + 2 */
    assert_int_equal(R[2][0], 12 << 4 | 1);
}

static void mode_10_has_a_stack_pointer(void **state)
{
    (void)state;
    vu_reset(&v);
    vu_thread_set(&v, THCFG_SFPU_STACK_INCR, 4);
    vu_set(&v, CFG_DEST_SP_BASE, 16);
    v.vector.lanes.use = UINT32_MAX; /* no lane is enabled: no matter */
    v.rwc.t[0].dst = 4;              /* only its low two bits */
    vu_fill(&v, 3, 0x11);
    store(10, 0);
    assert_int_equal(v.rwc.t[0].sp, 4);
    vu_fill(&v, 3, 0x22);
    store(10, 0);
    assert_int_equal(v.rwc.t[0].sp, 8);
    assert_int_equal(v.dst.d[40][0], 0x11); /* rows 16 and 20: 32, 36 and their low halves */
    assert_int_equal(v.dst.d[44][0], 0x22);
    load(10, 0);
    assert_int_equal(R[2][31], 0x22);
    load(10, 0);
    assert_int_equal(R[2][31], 0x11);
    load(10, 0); /* at 0 it stays */
    assert_int_equal(v.rwc.t[0].sp, 0);
}

static void setrwc_sets_the_stack_pointer(void **state)
{
    (void)state;
    vu_reset(&v);
    rwc_set(&v.rwc.t[0], VU(SETRWC, .rwc_a = 5, .rwc_b = 6, .rwc_d = 1) | 1 << 4);
    assert_int_equal(v.rwc.t[0].sp, 0x165);
    assert_int_equal(v.rwc.t[0].dst, 0);
}

static void mode_0_is_what_config_says_of_srcb(void **state)
{
    (void)state;
    static const unsigned bf16[] = {0, 4, 5, 6, 7, 8, 9, 15}, fp16[] = {1, 2, 3, 10, 11, 14};
    for (unsigned i = 0; i < 8 + 6; i++) {
        vu_reset(&v);
        v.dst.d[0][0] = layout_bf16_to_dst(0x4049);
        vu_set(&v, CFG_SRCB_FMT, i < 8 ? bf16[i] : fp16[i - 8]);
        load(0, 0);
        assert_int_equal(R[2][0], i < 8 ? 0x40490000 : 0x00498000);
        if (i < 8)
            continue;
        vu_set(&v, CFG_SRCB_FMT_OVERRIDE, 1);
        vu_set(&v, CFG_SRCB_FMT_VAL, 5);
        load(0, 0);
        assert_int_equal(R[2][0], 0x40490000);
    }
    v.dst.d[8][0] = 0xfdb;
    vu_set(&v, CFG_SFPU_FP32_ENABLED, 1);
    load(0, 0);
    assert_int_equal(R[2][0], 0x40490fdb);
}

static void what_loads_make_of_a_cell(void **state)
{
    (void)state;
    uint32_t pi = layout_bf16_to_dst(0xc049);
    assert_int_equal(loaded(1, layout_fp16_to_dst(0xc248), 9), 0xc0490000);
    assert_int_equal(loaded(1, layout_fp16_to_dst(0x8001), 9), 0x80002000);
    assert_int_equal(loaded(1, 0xffff, 9), 0xc7ffe000);
    assert_int_equal(loaded(2, pi, 9), 0xc0490000);
    assert_int_equal(loaded(3, pi, 0xfdb), 0xc0490fdb);
    assert_int_equal(loaded(4, pi, 0xfdb), 0xc0490fdb);
    assert_int_equal(loaded(5, 0xffff, 9), 0x800000ff);
    assert_int_equal(loaded(6, 0xfedc, 9), 0xfedc);
    assert_int_equal(loaded(7, 0xfedc, 9), 0xfedc0000);
    assert_int_equal(loaded(8, 0xfedc, 9), 0x80007edc);
    assert_int_equal(loaded(9, 0xfedc, 9), 0xfedc);
    assert_int_equal(loaded(10, pi, 0xfdb), 0xc0490fdb);
    assert_int_equal(loaded(11, 0xfedc, 9), 0);
    assert_int_equal(loaded(12, pi, 0xfdb), 0xc0490fdb);
    assert_int_equal(loaded(13, 0xffff, 9), 0x800003ff);
    assert_int_equal(loaded(14, 0xfedc, 9), 0x1234fedc);
    assert_int_equal(loaded(15, 0xfedc, 9), 0xfedc5678);
}

static void what_stores_make_of_a_value(void **state)
{
    (void)state;
    uint32_t pi = layout_bf16_to_dst(0xc049);
    assert_int_equal(stored(1, 0xc0490fdb), (uint32_t)layout_fp16_to_dst(0xc248) << 16);
    assert_int_equal(stored(1, 0xb8000000), 0x80000000); /* 2^-15: too small */
    assert_int_equal(stored(1, 0x38800000), 0x00010000); /* 2^-14 */
    assert_int_equal(stored(1, 0x47ffffff), 0x7fff0000); /* the biggest */
    assert_int_equal(stored(1, 0x48000000), 0x7fff0000); /* too big */
    assert_int_equal(stored(1, 0xff800000), 0xffff0000); /* infinity */
    assert_int_equal(stored(2, 0xc049ffff), pi << 16);   /* cut */
    assert_int_equal(stored(2, 0x807fffff), 0x80000000); /* denormal */
    assert_int_equal(stored(3, 0xc0490fdb), pi << 16 | 0xfdb);
    assert_int_equal(stored(3, 0x807fffff), 0x80000000);
    assert_int_equal(stored(4, 0x807fffff), 0xff00ffff);
    assert_int_equal(stored(5, 0x800007fe), 0x8000u << 16 | 0x3fe << 21 | 16 << 16);
    assert_int_equal(stored(6, 0x8123fedc), 0xfedc0000);
    assert_int_equal(stored(7, 0x8123fedc), 0x8123fedc);
    assert_int_equal(stored(8, 0x8123fedc), 0xfedc0000);
    assert_int_equal(stored(8, 0x0123fedc), 0x7edc0000);
    assert_int_equal(stored(9, 0x8123fedc), 0xfedc8123);
    assert_int_equal(stored(10, 0x807fffff), 0xff00ffff);
    assert_int_equal(stored(11, 0x8123fedc), 0);
    assert_int_equal(stored(12, 0x807fffff), 0xff00ffff);
    assert_int_equal(stored(13, 0x000003ff), 0x7ff00000);
    assert_int_equal(stored(14, 0x8123fedc), 0xfedc0000);
    assert_int_equal(stored(15, 0x8123fedc), 0x81230000);
}

static void the_biggest_fp16_may_be_infinity(void **state)
{
    (void)state;
    vu_reset(&v);
    vu_configure(&v, LANE_FP16A_INF);
    v.dst.d[0][0] = 0xffff;
    v.dst.d[0][2] = 0x7fdf;
    load(1, 0);
    assert_int_equal(R[2][0], 0xff800000);
    assert_int_equal(R[2][1], 0x47ffc000);
}

static void lane_config_blocks_and_exchanges(void **state)
{
    (void)state;
    number_dst();
    v.vector.lanes.config[9] = LANE_NO_LOAD;
    v.vector.lanes.config[1] = LANE_LOAD_ODD; /* the column's, in all rows */
    v.vector.lanes.config[10] = LANE_NO_STORE;
    v.vector.lanes.config[2] = LANE_STORE_ODD;
    lanes_configured(&v.vector.lanes);
    vu_fill(&v, 2, 1);
    load(6, 0);
    assert_int_equal(R[2][9], 1);
    assert_int_equal(R[2][17], 2 << 4 | 3);
    assert_int_equal(R[2][18], 2 << 4 | 4);
    vu_fill(&v, 3, 0xbeef);
    store(6, 0);
    assert_int_equal(v.dst.d[1][5], 1 << 4 | 5);
    assert_int_equal(v.dst.d[2][5], 0xbeef);
    assert_int_equal(v.dst.d[2][4], 2 << 4 | 4);
    assert_int_equal(v.dst.d[2][2], 0xbeef);
}

static void a_load_can_remember_where(void **state)
{
    (void)state;
    number_dst();
    vu_configure(&v, LANE_DEST_INDEX | LANE_CAPTURE_INDEX);
    load(2, 70);
    assert_int_equal(R[6][11], (68 + 1) << 4 | 7);
    vu_configure(&v, LANE_CAPTURE_INDEX);
    load(2, 0);
    assert_int_equal(R[6][11], (68 + 1) << 4 | 7);
}

static void lanes_that_are_off_keep_theirs(void **state)
{
    (void)state;
    number_dst();
    v.vector.lanes.use = 0xffff;
    v.vector.lanes.flags = 0xaaaa;
    v.vector.lanes.config[7] = 4u << 12; /* row 2, column 7 */
    lanes_configured(&v.vector.lanes);
    vu_fill(&v, 2, 0xffffffff);
    load(6, 0);
    for (unsigned i = 0; i < LANES; i++)
        assert_int_equal(R[2][i] != 0xffffffff, i < 16 ? i & 1 : i != 23);
}

static void invalid_rows_read_zero_and_stores_make_them_valid(void **state)
{
    (void)state;
    number_dst();
    v.dst.valid[1] = v.dst.valid[2] = 0;
    v.vector.lanes.use = v.vector.lanes.flags = 0;
    load(6, 0);
    assert_int_equal(R[2][7], 14);
    assert_int_equal(R[2][8 + 7], 0);
    v.vector.lanes.use = 0x00ff0000; /* row 2 is off: its row stays as it was */
    vu_fill(&v, 3, 5);
    store(6, 0);
    assert_int_equal(v.dst.valid[1], 1);
    assert_int_equal(v.dst.valid[2], 0);
    assert_int_equal(v.dst.d[1][0], 5);
    assert_int_equal(v.dst.d[1][1], 0);
    assert_int_equal(v.dst.d[0][1], 1);
}

static void rows_are_remapped(void **state)
{
    (void)state;
    number_dst();
    vu_set(&v, CFG_DEST_REMAP_ADDRS, 1);
    load(6, 8);
    assert_int_equal(R[2][0], 32 << 4);
    vu_set(&v, CFG_DEST_SWIZZLE_32B, 1);
    for (unsigned i = 0; i < 4; i++)
        v.dst.d[dst_row32(52 + i, 3)][2] = layout_bf16_to_dst(i);
    load(3, 52);
    assert_int_equal(R[2][25] >> 16, 3);
}

static void what_sfploadi_makes_of_its_immediate(void **state)
{
    (void)state;
    static const struct {
        unsigned mode;
        uint32_t imm, result;
    } cases[] = {
        {0, 0xc049, 0xc0490000},
        {1, 0xc248, 0xc0490000},
        {1, 0x8000, 0xb8000000},
        {1, 0x7fff, 0x47ffe000},
        {2, 0xfedc, 0x0000fedc},
        {4, 0xfedc, 0xfffffedc},
        {4, 0x7edc, 0x00007edc},
        {8, 0xfedc, 0xfedc5678},
        {10, 0xfedc, 0x1234fedc},
        {3, 0xfedc, 0x12345678}, /* undefined */
    };
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        vu_reset(&v);
        vu_fill(&v, 2, 0x12345678);
        vu_go(&v, VU(SFPLOADI, .lreg_ind = 2, .instr_mod0 = cases[i].mode, .imm16 = cases[i].imm));
        assert_int_equal(R[2][0], cases[i].result);
        assert_int_equal(R[2][31], cases[i].result);
    }
}

static void constants_are_not_written(void **state)
{
    (void)state;
    vu_reset(&v);
    struct lanes before = v.vector.lanes;
    for (unsigned i = 8; i < 12; i++) {
        vu_go(&v, VU(SFPLOADI, .lreg_ind = i, .imm16 = 0x4000));
        vu_go(&v, VU(SFPLOAD, .lreg_ind = i, .instr_mod0 = 6));
    }
    assert_memory_equal(&before, &v.vector.lanes, sizeof before);
    vu_go(&v, VU(SFPSTORE, .lreg_ind = 15, .instr_mod0 = 6)); /* taken as a template */
    assert_int_equal(v.dst.d[0][2], 0);
    vu_configure(&v, LANE_NO_BACKDOOR);
    vu_go(&v, VU(SFPSTORE, .lreg_ind = 15, .instr_mod0 = 6));
    assert_int_equal(v.dst.d[0][2], 2); /* lane number, doubled */
}

static void the_address_modifier_is_applied_behind_it(void **state)
{
    (void)state;
    number_dst();
    v.config.thread[0][RWC_MOD_DST + 3] = 4;
    for (unsigned i = 0; i < 3; i++) {
        vu_go(&v, VU(SFPLOAD, .lreg_ind = 2, .instr_mod0 = 6, .sfpu_addr_mode = 3));
        assert_int_equal(R[2][0], 4 * i << 4);
    }
}

static void random_numbers_follow_the_seed(void **state)
{
    (void)state;
    vu_reset(&v);
    config_write(&v.config, 0, CONFIG_PRNG_SEED, 1, false);
    vu_go(&v, VU(SFPNOP, 0));
    assert_int_equal(v.vector.lanes.random[0], 0x8b9e613d);
    assert_int_equal(v.vector.lanes.random[31], 0x044666aa);
    config_write(&v.config, 1, CONFIG_PRNG_SEED, 0, false);
    vu_go(&v, VU(SFPNOP, 0));
    assert_int_equal(lanes_random(&v.vector.lanes, 0), 0xc5cf309e);
    assert_int_equal(v.vector.lanes.random[1], 0x173cc27a);
    assert_int_equal(v.vector.lanes.random[30], 0xc088ccd5);
    config_write(&v.config, 1, CONFIG_PRNG_SEED, 0, false); /* the same seed again */
    vu_go(&v, VU(SFPNOP, 0));
    assert_int_equal(v.vector.lanes.random[0], 0xc5cf309e);
}

TEST_MAIN(
    cmocka_unit_test(an_access_is_four_rows_of_eight_columns),
    cmocka_unit_test(an_address_is_the_sum_of_all_bases),
    cmocka_unit_test(mode_10_has_a_stack_pointer), cmocka_unit_test(setrwc_sets_the_stack_pointer),
    cmocka_unit_test(mode_0_is_what_config_says_of_srcb),
    cmocka_unit_test(what_loads_make_of_a_cell), cmocka_unit_test(what_stores_make_of_a_value),
    cmocka_unit_test(the_biggest_fp16_may_be_infinity),
    cmocka_unit_test(lane_config_blocks_and_exchanges), cmocka_unit_test(a_load_can_remember_where),
    cmocka_unit_test(lanes_that_are_off_keep_theirs),
    cmocka_unit_test(invalid_rows_read_zero_and_stores_make_them_valid),
    cmocka_unit_test(rows_are_remapped), cmocka_unit_test(what_sfploadi_makes_of_its_immediate),
    cmocka_unit_test(constants_are_not_written),
    cmocka_unit_test(the_address_modifier_is_applied_behind_it),
    cmocka_unit_test(random_numbers_follow_the_seed))
