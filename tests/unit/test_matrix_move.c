/*
 * What the Matrix Unit's moves, shifts and clearing instructions do to SrcA, SrcB and Dst.
 */
#include "matrix_drive.h"

static struct matrix_drive m;

/* Every datum of a Src another one: sign and exponent 0x80 + row, column in the fraction. */
static uint32_t tag(unsigned which, unsigned bank, unsigned row, unsigned column)
{
    return layout_src(which, 0x80 + row, bank << 9 | column << 3);
}

static void start(void)
{
    md_reset(&m);
    for (unsigned which = SRC_A; which <= SRC_B; which++)
        for (unsigned bank = 0; bank < 2; bank++)
            for (unsigned i = 0; i < SRC_ROWS; i++)
                for (unsigned j = 0; j < SRC_COLUMNS; j++)
                    m.src.d[which][bank][i][j] = tag(which, bank, i, j);
}

/* BF16 as Dst holds it. */
static uint16_t bf16(uint32_t d)
{
    return (uint16_t)(layout_src_sign(d) << 15 | layout_src_fraction(d) >> 3 << 8 |
                      layout_src_exponent(d));
}

static void all_rows_are_valid_after_reset(void **state)
{
    (void)state;
    md_reset(&m);
    for (unsigned i = 0; i < DST_ROWS; i++)
        assert_int_equal(m.dst.valid[i], 1);
}

static void mova2d_moves_one_row_or_eight(void **state)
{
    (void)state;
    start();
    m.rwc.t[0].srca = 60;
    md_go(&m, MD(MOVA2D, .dst = 33, .src = 7)); /* 67 is row 3 */
    assert_int_equal(m.dst.d[33][5], bf16(tag(SRC_A, 0, 3, 5)));
    assert_int_equal(m.dst.d[34][5], 0);
    m.rwc.t[0].srca = 0;
    md_go(&m, MD(MOVDBGA2D, .dst = 69, .src = 13, .instr_mod = 2));
    for (unsigned i = 0; i < 8; i++)
        assert_int_equal(m.dst.d[64 + i][15], bf16(tag(SRC_A, 0, 8 + i, 15)));
}

static void movx2d_by_format(void **state)
{
    (void)state;
    start();
    m.src.d[SRC_A][0][0][0] = layout_src(1, 0x91, 0x3ff);
    m.src.format[SRC_A][0] = NUM_TF32;
    md_go(&m, MD(MOVA2D, .dst = 8)); /* 32 bits: physical 16 and 24 */
    assert_int_equal(layout_from_dst32(m.dst.d[16][0], m.dst.d[24][0]), 0xc8ffe000);
    m.src.format[SRC_A][0] = NUM_FP16;
    md_go(&m, MD(MOVA2D, .dst = 8));
    assert_int_equal(layout_fp16_from_dst(m.dst.d[8][0]), 0x8000 | 0x11 << 10 | 0x3ff);
    m.src.format[SRC_A][0] = NUM_BF16;
    md_go(&m, MD(MOVA2D, .dst = 8));
    assert_int_equal(layout_bf16_from_dst(m.dst.d[8][0]), 0x8000 | 0x91 << 7 | 0x7f);
    md_go(&m, MD(MOVA2D, .dst = 8, .dest_32b_lo = 1)); /* high half stays */
    assert_int_equal(m.dst.d[24][0], bf16(layout_src(1, 0x91, 0x3ff)));
    assert_int_equal(layout_bf16_from_dst(m.dst.d[16][0]), 0xc8ff);
}

static void movx2d_flushes_unless_told_otherwise(void **state)
{
    (void)state;
    start();
    m.src.d[SRC_A][0][0][0] = m.src.d[SRC_B][0][0][0] = layout_src(1, 0, 0x208);
    md_go(&m, MD(MOVA2D, .dst = 0));
    md_go(&m, MD(MOVB2D, .dst = 1));
    md_go(&m, MD(MOVB2A, .srca = 9));
    assert_int_equal(m.dst.d[0][0] | m.dst.d[1][0], 0);
    assert_int_equal(m.src.d[SRC_A][0][9][0], 0);
    md_set(&m, CFG_ZERO_FLAG_DISABLED_SRC, 1);
    md_go(&m, MD(MOVA2D, .dst = 0));
    md_go(&m, MD(MOVB2D, .dst = 1));
    md_go(&m, MD(MOVB2A, .srca = 9));
    assert_int_equal(layout_bf16_from_dst(m.dst.d[0][0]), 0x8041);
    assert_int_equal(layout_bf16_from_dst(m.dst.d[1][0]), 0x8041);
    assert_int_equal(m.src.d[SRC_A][0][9][0], layout_src(1, 0, 0x208));
}

static void movb2d_broadcasts_rows_and_columns(void **state)
{
    (void)state;
    start();
    m.rwc.t[0].srcb = 5;
    md_go(&m, MD(MOVB2D, .dst = 10, .movb2d_instr_mod = 2)); /* row 5 to rows 8..15 */
    assert_int_equal(m.dst.d[8][3], bf16(tag(SRC_B, 0, 5, 3)));
    assert_int_equal(m.dst.d[15][3], bf16(tag(SRC_B, 0, 5, 3)));
    md_go(&m, MD(MOVB2D, .dst = 22, .movb2d_instr_mod = 4)); /* rows 4..7 to 20..23 */
    assert_int_equal(m.dst.d[20][3], bf16(tag(SRC_B, 0, 4, 3)));
    assert_int_equal(m.dst.d[23][3], bf16(tag(SRC_B, 0, 7, 3)));
    md_go(&m, MD(MOVB2D, .dst = 22, .movb2d_instr_mod = 5));
    assert_int_equal(m.dst.d[23][3], bf16(tag(SRC_B, 0, 7, 0)));
    md_go(&m, MD(MOVB2D, .dst = 30, .movb2d_instr_mod = 1));
    assert_int_equal(m.dst.d[30][9], bf16(tag(SRC_B, 0, 5, 0)));
    assert_int_equal(m.dst.d[31][9], 0);
}

static void movb2d_takes_the_format_of_srcb(void **state)
{
    (void)state;
    start();
    m.src.format[SRC_A][0] = NUM_BF16;
    m.src.format[SRC_B][0] = NUM_TF32;
    md_go(&m, MD(MOVB2D, .dst = 8));
    assert_int_equal(m.dst.d[16][1], bf16(tag(SRC_B, 0, 0, 1)));
    assert_int_equal(m.dst.d[8][1], 0);
    m.src.format[SRC_B][0] = NUM_INT8; /* all ten bits of the magnitude */
    m.src.d[SRC_B][0][0][0] = layout_src(1, 16, 0x3ff);
    md_go(&m, MD(MOVB2D, .dst = 8));
    assert_int_equal(m.dst.d[8][0], 0x8000 | 0x3ff << 5 | 16);
}

static void movd2a_and_movd2b_move_one_row_or_four(void **state)
{
    (void)state;
    start();
    for (unsigned i = 0; i < DST_ROWS; i++)
        m.dst.d[i][2] = (uint16_t)(i * 64 + 1);
    m.rwc.t[0].srca = 62;
    md_go(&m, MD(MOVD2A, .dst = 7, .src = 3)); /* row 1 */
    assert_int_equal(m.src.d[SRC_A][0][1][2],
                     layout_src_from_bits((7 * 64 & 0xff00) << 3 | ((7 * 64 + 1) & 0xff)));
    assert_int_equal(m.src.d[SRC_A][0][2][2], tag(SRC_A, 0, 2, 2));
    md_go(&m, MD(MOVD2B, .dst = 38, .src = 18, .instr_mod = 2));
    for (unsigned i = 0; i < 4; i++) {
        unsigned d = (36 + i) * 64 + 1;
        assert_int_equal(m.src.d[SRC_B][0][16 + i][2],
                         layout_src_from_bits((d & 0xff00) << 3 | (d & 0xff)));
    }
    m.dst.valid[36] = 0;
    md_go(&m, MD(MOVD2B, .dst = 36, .src = 16));
    assert_int_equal(m.src.d[SRC_B][0][16][2], 0);
    assert_int_equal(m.dst.valid[36], 0);
}

static void movd2b_from_32_bits(void **state)
{
    (void)state;
    start();
    md_set(&m, CFG_FP32_ENABLED, 1);
    m.dst.d[16][0] = layout_high_to_dst(0xc0b7e123);
    m.dst.d[24][0] = 0xe123;
    md_go(&m, MD(MOVD2B, .dst = 8));
    assert_int_equal(m.src.d[SRC_B][0][0][0], layout_src(1, 0x81, 0x37 << 3));
    m.src.format[SRC_B][0] = NUM_TF32;
    md_go(&m, MD(MOVD2B, .dst = 8));
    assert_int_equal(m.src.d[SRC_B][0][0][0], layout_src(1, 0x81, 0x37 << 3 | 7));
    md_go(&m, MD(MOVD2B, .dst = 8, .dest_32b_lo = 1));
    assert_int_equal(m.src.d[SRC_B][0][0][0], layout_src_from_bits(0xe123 & 0x1fff));
    m.src.format[SRC_B][0] = NUM_BF16;
    md_go(&m, MD(MOVD2B, .dst = 8, .dest_32b_lo = 1));
    assert_int_equal(m.src.d[SRC_B][0][0][0], layout_src_from_bits(0xe1 << 11 | 0x23));
    m.src.format[SRC_B][0] = NUM_FP16;
    md_go(&m, MD(MOVD2B, .dst = 8, .dest_32b_lo = 1));
    assert_int_equal(m.src.d[SRC_B][0][0][0], layout_src_from_bits(0xe120 << 3 | 3));
}

static void movb2a_copies_rows(void **state)
{
    (void)state;
    start();
    m.rwc.t[0].srcb = 2;
    m.src.issue_bank[SRC_B] = 1;
    md_go(&m, MD(MOVB2A, .srcb = 7, .srca = 21, .instr_mod = 2));
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(m.src.d[SRC_A][0][20 + i][6], tag(SRC_B, 1, 8 + i, 6));
    md_go(&m, MD(MOVB2A, .srcb = 7, .srca = 41));
    assert_int_equal(m.src.d[SRC_A][0][41][6], tag(SRC_B, 1, 9, 6));
    assert_int_equal(m.src.d[SRC_A][0][42][6], tag(SRC_A, 0, 42, 6));
}

static void trnspsrcb_transposes_rows_16_to_31(void **state)
{
    (void)state;
    start();
    md_go(&m, (uint32_t)TENSIX_OP_TRNSPSRCB << 24);
    for (unsigned i = 0; i < 16; i++)
        for (unsigned j = 0; j < 16; j++) {
            assert_int_equal(m.src.d[SRC_B][0][16 + i][j], tag(SRC_B, 0, 16 + j, i));
            assert_int_equal(m.src.d[SRC_B][0][i][j], tag(SRC_B, 0, i, j));
            assert_int_equal(m.src.d[SRC_B][1][16 + i][j], tag(SRC_B, 1, 16 + i, j));
        }
}

static void shiftxb_rotates_or_shifts_one_row_left(void **state)
{
    (void)state;
    start();
    m.rwc.t[0].srcb = 60;
    md_go(&m, MD(SHIFTXB, .shift_row = 9)); /* row 5 */
    assert_int_equal(m.src.d[SRC_B][0][5][0], tag(SRC_B, 0, 5, 1));
    assert_int_equal(m.src.d[SRC_B][0][5][15], tag(SRC_B, 0, 5, 0));
    md_go(&m, MD(SHIFTXB, .shift_row = 9, .rot_shift = 1));
    assert_int_equal(m.src.d[SRC_B][0][5][0], tag(SRC_B, 0, 5, 2));
    assert_int_equal(m.src.d[SRC_B][0][5][15], 0);
}

static void shiftxa_reads_where_the_last_instruction_began(void **state)
{
    (void)state;
    start();
    md_go(&m, MD(MOVA2D, .src = 37));
    md_go(&m, MD(SHIFTXA, .shift_mode = 3));
    for (unsigned i = 0; i < 16; i++) {
        assert_int_equal(m.src.d[SRC_A][0][i][0], tag(SRC_A, 0, 32 + i, 1));
        assert_int_equal(m.src.d[SRC_A][0][i][15], 0);
    }
    start();
    md_go(&m, MD(SHIFTXA, .shift_mode = 2));
    assert_int_equal(m.src.d[SRC_A][0][3][0], 0);
    assert_int_equal(m.src.d[SRC_A][0][3][15], tag(SRC_A, 0, 3, 14));
}

/* How many rows are invalid, and the first of them. */
static unsigned invalid(unsigned *first)
{
    unsigned n = 0;
    *first = DST_ROWS;
    for (unsigned i = 0; i < DST_ROWS; i++)
        if (!m.dst.valid[i]) {
            n++;
            *first = *first < i ? *first : i;
        }
    return n;
}

static void expect_invalid(unsigned n, unsigned first)
{
    unsigned f, k = invalid(&f);
    assert_int_equal(k, n);
    assert_int_equal(f, first);
    memset(m.dst.valid, 1, sizeof m.dst.valid);
}

static void zeroacc_takes_one_row(void **state)
{
    (void)state;
    start();
    m.rwc.t[0].dst = 1000;
    md_thread_set(&m, THCFG_MATH_OFFSET, 30);
    md_go(&m, MD(ZEROACC, .where = 3)); /* 1033 is row 9 */
    expect_invalid(1, 9);
    md_set(&m, CFG_INT8_MATH_ENABLED, 1);
    md_go(&m, MD(ZEROACC, .where = 3));
    expect_invalid(1, 17);
    md_set(&m, CFG_DEST_REMAP_ADDRS, 1);
    md_go(&m, MD(ZEROACC, .where = 3));
    expect_invalid(1, 65);
}

static void zeroacc_takes_sixteen_rows(void **state)
{
    (void)state;
    start();
    md_go(&m, MD(ZEROACC, .where = 5, .clear_mode = 1));
    expect_invalid(16, 80);
    md_go(&m, MD(ZEROACC, .where = 5, .clear_mode = 1, .use_32_bit_mode = 1));
    assert_int_equal(m.dst.valid[160 + 7] | m.dst.valid[160 + 16] | m.dst.valid[160 + 23], 0);
    assert_int_equal(m.dst.valid[160 + 8] & m.dst.valid[160 + 24], 1);
    md_go(&m,
          MD(ZEROACC, .where = 5, .clear_mode = 1, .use_32_bit_mode = 1, .clear_zero_flags = 1));
    expect_invalid(0, DST_ROWS);
    md_go(&m, MD(ZEROACC, .where = 64, .clear_mode = 1)); /* no such block */
    expect_invalid(0, DST_ROWS);
    md_thread_set(&m, THCFG_MATH_OFFSET, 512); /* the other half */
    md_go(&m, MD(ZEROACC, .where = 1, .clear_mode = 1));
    expect_invalid(16, 528);
    md_go(&m, MD(ZEROACC, .where = 1, .clear_mode = 1, .use_32_bit_mode = 1));
    expect_invalid(16, 17 * 32);
    md_set(&m, CFG_ZEROACC_ABSOLUTE_TILE, 1);
    md_go(&m, MD(ZEROACC, .where = 1, .clear_mode = 1));
    expect_invalid(16, 16);
}

static void zeroacc_takes_half_or_all(void **state)
{
    (void)state;
    start();
    md_go(&m, MD(ZEROACC, .where = 1, .clear_mode = 2));
    expect_invalid(512, 512);
    md_go(&m, MD(ZEROACC, .where = 0, .clear_mode = 2, .use_32_bit_mode = 1));
    expect_invalid(512, 0);
    md_go(&m, MD(ZEROACC, .clear_mode = 3));
    expect_invalid(1024, 0);
    assert_int_equal(m.dst.d[0][0], 0);
}

static void zeroacc_moves_counters_for_one_or_sixteen_rows_only(void **state)
{
    (void)state;
    start();
    m.config.thread[0][RWC_MOD_DST + 1] = 8;
    for (unsigned mode = 0; mode < 4; mode++)
        md_go(&m, MD(ZEROACC, .clear_mode = mode, .addr_mode = 1));
    assert_int_equal(m.rwc.t[0].dst, 16);
}

static bool bank_is(unsigned which, unsigned bank, uint32_t v)
{
    for (unsigned i = 0; i < SRC_ROWS; i++)
        for (unsigned j = 0; j < SRC_COLUMNS; j++)
            if (m.src.d[which][bank][i][j] != v)
                return false;
    return true;
}

static void zerosrc_clears_what_its_bits_say(void **state)
{
    (void)state;
    start();
    m.src.issue_bank[SRC_A] = 1; /* the unpackers' are banks 0 */
    md_go(&m, MD(ZEROSRC, .src_mask = 1, .write_mode = 1, .zero_val = 1));
    assert_true(bank_is(SRC_A, 1, layout_src(1, 0xff, 0x3ff)));
    assert_int_equal(m.src.d[SRC_A][0][0][0], tag(SRC_A, 0, 0, 0));
    md_go(&m, MD(ZEROSRC, .src_mask = 3));
    assert_true(bank_is(SRC_A, 0, 0));
    assert_true(bank_is(SRC_B, 0, 0));
    assert_int_equal(m.src.d[SRC_B][1][0][0], tag(SRC_B, 1, 0, 0));
    md_go(&m, MD(ZEROSRC, .src_mask = 2, .bank_mask = 1, .zero_val = 1)); /* ones: SrcA only */
    assert_true(bank_is(SRC_B, 1, 0));
    assert_true(bank_is(SRC_A, 1, layout_src(1, 0xff, 0x3ff)));
}

TEST_MAIN(cmocka_unit_test(all_rows_are_valid_after_reset),
          cmocka_unit_test(mova2d_moves_one_row_or_eight), cmocka_unit_test(movx2d_by_format),
          cmocka_unit_test(movx2d_flushes_unless_told_otherwise),
          cmocka_unit_test(movb2d_broadcasts_rows_and_columns),
          cmocka_unit_test(movb2d_takes_the_format_of_srcb),
          cmocka_unit_test(movd2a_and_movd2b_move_one_row_or_four),
          cmocka_unit_test(movd2b_from_32_bits), cmocka_unit_test(movb2a_copies_rows),
          cmocka_unit_test(trnspsrcb_transposes_rows_16_to_31),
          cmocka_unit_test(shiftxb_rotates_or_shifts_one_row_left),
          cmocka_unit_test(shiftxa_reads_where_the_last_instruction_began),
          cmocka_unit_test(zeroacc_takes_one_row), cmocka_unit_test(zeroacc_takes_sixteen_rows),
          cmocka_unit_test(zeroacc_takes_half_or_all),
          cmocka_unit_test(zeroacc_moves_counters_for_one_or_sixteen_rows_only),
          cmocka_unit_test(zerosrc_clears_what_its_bits_say))
