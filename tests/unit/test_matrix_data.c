/*
 * What MVMUL, DOTPV, GAPOOL, GMPOOL, ELWMUL, ELWADD and ELWSUB do to Dst: rows, formats, valid bits, broadcast,
 * banks. The arithmetic of single data is test_fpu.c's.
 */
#include "matrix_drive.h"

#include "model/rng.h"
#include "num/fpu.h"

static struct matrix_drive m;

/* SrcA rows from `at` on are c times the identity. */
static void identity(unsigned bank, unsigned at, float c)
{
    for (unsigned i = 0; i < 16; i++)
        for (unsigned j = 0; j < 16; j++)
            m.src.d[SRC_A][bank][at + i][j] = md_src(i == j ? c : 0.0f);
    src_wrote(&m.src, SRC_A, bank);
}

/* SrcB's row i, column j is i + j/16. */
static void ramp(unsigned bank)
{
    for (unsigned i = 0; i < 64; i++)
        for (unsigned j = 0; j < 16; j++)
            m.src.d[SRC_B][bank][i][j] = md_src((float)i + (float)j / 16);
    src_wrote(&m.src, SRC_B, bank);
}

/* The six significant bits that SrcB's phase 0 and BF16 keep; no rounding wanted here. */
static void whole_rows(unsigned bank)
{
    for (unsigned i = 0; i < 64; i++)
        for (unsigned j = 0; j < 16; j++)
            m.src.d[SRC_B][bank][i][j] = md_src((float)(i + 1));
    src_wrote(&m.src, SRC_B, bank);
}

static void mvmul_adds_eight_rows(void **state)
{
    (void)state;
    md_reset(&m);
    identity(0, 16, 2.0f);
    whole_rows(0);
    m.rwc.t[0].srca = 16;
    m.rwc.t[0].srcb = 8;
    m.rwc.t[0].dst = 40;
    md_thread_set(&m, THCFG_MATH_OFFSET, 64);
    md_set(&m, CFG_DEST_REGW_BASE, 128);
    for (unsigned times = 1; times <= 2; times++) {
        md_go(&m, MD(MVMUL, .dst = 8));
        for (unsigned i = 0; i < 8; i++)
            for (unsigned j = 0; j < 16; j++)
                assert_float(md_bf16(&m, 240 + i, j), (float)(times * 2 * (9 + i)));
    }
    assert_float(md_bf16(&m, 239, 0), 0.0f);
    assert_float(md_bf16(&m, 248, 0), 0.0f);
}

static void mvmul_masks_its_rows_to_blocks_of_eight(void **state)
{
    (void)state;
    md_reset(&m);
    identity(0, 8, 1.0f);
    whole_rows(0);
    m.rwc.t[0].srca = 8 + 5;
    m.rwc.t[0].srcb = 16 + 3;
    md_go(&m, MD(MVMUL, .dst = 7));
    assert_float(md_bf16(&m, 0, 3), 17.0f);
    assert_float(md_bf16(&m, 7, 15), 24.0f);
}

static void fp32_rows_lie_in_two_halves(void **state)
{
    (void)state;
    md_reset(&m);
    identity(0, 0, 1.0f);
    ramp(0);
    md_set(&m, CFG_FP32_ENABLED, 1);
    md_go(&m, MD(MVMUL, .dst = 24));
    /* row 24 of 32 bits: physical 48, low halves from 56 on */
    assert_float(md_fp32(&m, 49, 8), 1.5f);
    assert_float(md_bf16(&m, 24, 8), 0.0f);
}

static void remap_and_swizzle_move_rows(void **state)
{
    (void)state;
    md_reset(&m);
    identity(0, 0, 1.0f);
    whole_rows(0);
    md_set(&m, CFG_DEST_REMAP_ADDRS, 1);
    md_go(&m, MD(MVMUL, .dst = 8)); /* bit 3 becomes bit 5 */
    assert_float(md_bf16(&m, 32, 0), 1.0f);
    assert_float(md_bf16(&m, 39, 0), 8.0f);
    md_reset(&m);
    identity(0, 0, 1.0f);
    whole_rows(0);
    md_set(&m, CFG_FP32_ENABLED, 1);
    md_set(&m, CFG_DEST_SWIZZLE_32B, 1);
    md_go(&m, MD(MVMUL, .dst = 8)); /* 8..11: bit 3 becomes bit 2; 12..15: bit 2 becomes bit 3 */
    assert_float(md_fp32(&m, 4, 0), 1.0f);
    assert_float(md_fp32(&m, 7, 0), 4.0f);
    assert_float(md_fp32(&m, 20, 0), 5.0f);
}

static void invalid_rows_read_zero_and_become_valid(void **state)
{
    (void)state;
    md_reset(&m);
    identity(0, 0, 1.0f);
    whole_rows(0);
    memset(m.dst.d, 0x41, sizeof m.dst.d);
    memset(m.dst.valid, 0, sizeof m.dst.valid);
    md_go(&m, MD(MVMUL, .dst = 16));
    assert_float(md_bf16(&m, 17, 1), 2.0f);
    assert_int_equal(m.dst.valid[16], 1);
    assert_int_equal(m.dst.valid[23], 1);
    assert_int_equal(m.dst.valid[24], 0);
    md_set(&m, CFG_FP32_ENABLED, 1);
    md_go(&m, MD(MVMUL, .dst = 64));
    assert_float(md_fp32(&m, 129, 1), 2.0f);
    assert_int_equal(m.dst.valid[129], 1);
    assert_int_equal(m.dst.valid[137], 0); /* the low half's bit is not looked at */
}

static void mvmul_broadcasts_a_row_to_every_other_one(void **state)
{
    (void)state;
    md_reset(&m);
    identity(0, 0, 1.0f);
    whole_rows(0);
    m.rwc.t[0].srcb = 5;
    md_go(&m, MD(MVMUL, .dst = 9, .instr_mod19 = 1));
    for (unsigned i = 0; i < 8; i++)
        assert_float(md_bf16(&m, 8 + i, 2), i & 1 ? 6.0f : 0.0f);
}

static void gapool_adds_four_rows_and_dotpv_eight(void **state)
{
    (void)state;
    md_reset(&m);
    identity(0, 0, 1.0f);
    whole_rows(0);
    m.rwc.t[0].srcb = 12;
    md_go(&m, MD(GAPOOL, .dst = 6));
    assert_float(md_bf16(&m, 4, 0), 9.0f); /* SrcB's rows stay those of the block of eight */
    assert_float(md_bf16(&m, 7, 0), 12.0f);
    assert_float(md_bf16(&m, 8, 0), 0.0f);
    md_go(&m, MD(DOTPV, .dst = 6, .instr_mod19 = 3));
    assert_float(md_bf16(&m, 0, 0), 9.0f);
    assert_float(md_bf16(&m, 7, 0), 12.0f + 16.0f);
}

static void fidelity_base_is_added_to_the_phase(void **state)
{
    (void)state;
    md_reset(&m);
    md_fill(&m, SRC_A, 0, 1.0f + 1.0f / 32); /* bit 5 of the significand: phase 1 has it */
    md_fill(&m, SRC_B, 0, 1.0f);
    md_set(&m, CFG_FP32_ENABLED, 1);
    md_go(&m, MD(ELWMUL, .dst = 0));
    assert_float(md_fp32(&m, 0, 0), 1.0f);
    md_thread_set(&m, THCFG_FIDELITY_BASE, 2);
    m.rwc.t[0].fidelity = 3;
    md_go(&m, MD(ELWMUL, .dst = 0));
    assert_float(md_fp32(&m, 0, 0), 1.0f + 1.0f / 32);
}

static void a_bank_is_used_before_it_is_handed_back(void **state)
{
    (void)state;
    md_reset(&m);
    identity(0, 0, 1.0f);
    identity(1, 0, 4.0f);
    whole_rows(0);
    md_go(&m, MD(MVMUL, .dst = 0, .clear_dvalid = 1));
    assert_float(md_bf16(&m, 0, 0), 1.0f);
    assert_int_equal(m.src.issue_bank[SRC_A], 1);
    assert_int_equal(m.src.issue_bank[SRC_B], 0);
    md_go(&m, MD(MVMUL, .dst = 8, .clear_dvalid = 3));
    assert_float(md_bf16(&m, 8, 0), 4.0f);
    assert_int_equal(m.src.issue_bank[SRC_B], 1);
}

static void formats_come_with_the_bank_or_from_config(void **state)
{
    (void)state;
    md_reset(&m);
    uint32_t low = md_src(1.0f) | layout_src(0, 0, 1); /* a bit that BF16 does not have */
    for (unsigned j = 0; j < 16; j++)
        m.src.d[SRC_A][0][0][j] = low;
    md_set(&m, CFG_FP32_ENABLED, 1);
    md_go(&m, MD(ELWADD, .dst = 0));
    assert_float(md_fp32(&m, 0, 0), 1.0f);
    m.src.format[SRC_A][0] = NUM_TF32;
    md_go(&m, MD(ELWADD, .dst = 0));
    assert_float(md_fp32(&m, 0, 0), 1.0f + 1.0f / 1024);
    md_thread_set(&m, THCFG_DISABLE_IMPLIED_SRCA_FMT, 1);
    md_set(&m, CFG_SRCA_FMT, NUM_BFP8);
    md_go(&m, MD(ELWADD, .dst = 0));
    assert_float(md_fp32(&m, 0, 0), 1.0f);
    md_set(&m, CFG_SRCA_FMT_VAL, NUM_TF32);
    md_set(&m, CFG_SRCA_FMT_OVERRIDE, 1);
    md_go(&m, MD(ELWADD, .dst = 0));
    assert_float(md_fp32(&m, 0, 0), 1.0f + 1.0f / 1024);
}

static void fp16a_force_means_fp16_in_dst16(void **state)
{
    (void)state;
    md_reset(&m);
    for (unsigned j = 0; j < 16; j++) {
        m.src.d[SRC_A][0][0][j] = layout_src(0, 15, 1);
        m.src.d[SRC_B][0][0][j] =
            layout_src(0, 0xe0 | 15, 0); /* high exponent bits are not there */
    }
    md_set(&m, CFG_FP32_ENABLED, 1);
    md_set(&m, CFG_INT8_MATH_ENABLED, 1);
    md_thread_set(&m, THCFG_FP16A_FORCE, 1);
    md_go(&m, MD(ELWADD, .dst = 8));
    /* 2.0009765625 rounds to the even or odd neighbour away from zero */
    assert_int_equal(layout_fp16_from_dst(m.dst.d[8][0]), 16u << 10 | 1);
}

static void fp16_in_fp32_dst_gets_the_other_bias(void **state)
{
    (void)state;
    md_reset(&m);
    m.src.format[SRC_A][0] = m.src.format[SRC_B][0] = NUM_FP16;
    for (unsigned i = 0; i < 8; i++)
        for (unsigned j = 0; j < 16; j++) {
            m.src.d[SRC_A][0][i][j] = layout_src(1, 16, 0); /* -2 */
            m.src.d[SRC_B][0][i][j] = layout_src(0, 14, 0); /* 0.5 */
        }
    md_set(&m, CFG_FP32_ENABLED, 1);
    md_go(&m, MD(ELWMUL, .dst = 0));
    assert_float(md_fp32(&m, 7, 15), -1.0f);
    md_go(&m, MD(ELWADD, .dst = 0));
    assert_float(md_fp32(&m, 7, 15), -1.5f);
}

static void elwadd_and_elwsub_add_dst_only_if_told(void **state)
{
    (void)state;
    md_reset(&m);
    md_fill(&m, SRC_A, 0, 3.0f);
    md_fill(&m, SRC_B, 0, 0.5f);
    md_go(&m, MD(ELWADD, .dst = 0));
    md_go(&m, MD(ELWADD, .dst = 0));
    assert_float(md_bf16(&m, 5, 5), 3.5f);
    md_go(&m, MD(ELWADD, .dst = 0, .dest_accum_en = 1));
    assert_float(md_bf16(&m, 5, 5), 7.0f);
    md_go(&m, MD(ELWSUB, .dst = 0, .dest_accum_en = 1));
    assert_float(md_bf16(&m, 5, 5), 9.5f);
    md_go(&m, MD(ELWMUL, .dst = 0)); /* always adds */
    assert_float(md_bf16(&m, 5, 5), 11.0f);
    m.rwc.t[0].fidelity = 1;
    md_go(&m, MD(ELWADD, .dst = 0));
    assert_float(md_bf16(&m, 5, 5), 3.5f / 32);
    m.rwc.t[0].fidelity = 2;
    md_go(&m, MD(ELWADD, .dst = 0));
    assert_float(md_bf16(&m, 5, 5), 3.5f / 128);
}

static void elementwise_broadcast_of_srcb(void **state)
{
    (void)state;
    md_reset(&m);
    md_fill(&m, SRC_A, 0, 0.0f);
    for (unsigned i = 0; i < 64; i++)
        for (unsigned j = 0; j < 16; j++)
            m.src.d[SRC_B][0][i][j] = md_src((float)(i % 16 * 16 + j));
    m.rwc.t[0].srcb = 3;
    md_go(&m, MD(ELWADD, .dst = 0, .instr_mod19 = 0)); /* row masked to 0 */
    assert_float(md_bf16(&m, 2, 4), 36.0f);
    md_go(&m, MD(ELWADD, .dst = 0, .instr_mod19 = 1)); /* column 0 */
    assert_float(md_bf16(&m, 2, 4), 32.0f);
    md_go(&m, MD(ELWADD, .dst = 0, .instr_mod19 = 2)); /* row 3, not masked */
    assert_float(md_bf16(&m, 2, 4), 52.0f);
    md_go(&m, MD(ELWADD, .dst = 0, .instr_mod19 = 3));
    assert_float(md_bf16(&m, 2, 4), 48.0f);
}

/* Sign and 10 bits of magnitude. */
static uint32_t integer(int v)
{
    return layout_src(v < 0, v ? 16 : 0, (uint32_t)(v < 0 ? -v : v));
}

static uint32_t dst_int(unsigned row, unsigned column)
{
    return layout_from_dst32(m.dst.d[row][column], m.dst.d[row + 8][column]);
}

static void integers_use_dst32_whatever_the_format(void **state)
{
    (void)state;
    md_reset(&m);
    md_set(&m, CFG_INT8_MATH_ENABLED, 1);
    for (unsigned i = 0; i < 16; i++)
        for (unsigned j = 0; j < 16; j++) {
            m.src.d[SRC_A][0][i][j] = integer(-(int)(0x20 + j % 2));
            m.src.d[SRC_B][0][i][j] = integer(0x30);
        }
    md_go(&m, MD(MVMUL, .dst = 0)); /* phase 0: 0xe0 of SrcA, 0x3f0 of SrcB */
    assert_int_equal(dst_int(0, 1), 0x80000000u | 16 * 0x20 * 0x30);
    m.rwc.t[0].fidelity = 1;
    md_go(&m, MD(MVMUL, .dst = 0)); /* low five bits of SrcA */
    assert_int_equal(dst_int(0, 1), 0x80000000u | 16 * 0x21 * 0x30);
    assert_int_equal(dst_int(0, 0), 0x80000000u | 16 * 0x20 * 0x30);
    m.rwc.t[0].fidelity = 0;
    md_go(&m, MD(ELWSUB, .dst = 8));
    assert_int_equal(dst_int(16, 1), 0x80000000u | 0x51);
    md_go(&m, MD(ELWADD, .dst = 8, .dest_accum_en = 1));
    assert_int_equal(dst_int(16, 1), 0x80000000u | 0x42);
    m.dst.d[17][3] = 0xffff, m.dst.d[25][3] = 0xfff0;
    md_go(&m, MD(ELWMUL, .dst = 8));
    assert_int_equal(dst_int(17, 3), 0xffffffff); /* saturated */
}

static void stochastic_rounding_goes_with_its_bit_and_seed(void **state)
{
    uint16_t first[8][16];
    (void)state;
    for (unsigned run = 0; run < 3; run++) {
        md_reset(&m);
        md_fill(&m, SRC_A, 0, 1.0f);
        md_fill(&m, SRC_B, 0, 0.00341796875f); /* not a BF16 sum */
        m.src.format[SRC_A][0] = m.src.format[SRC_B][0] = NUM_TF32;
        md_set(&m, CFG_FPU_SRND_EN, 1);
        md_set(&m, CFG_PRNG_SEED, run < 2 ? 99 : 7);
        md_go(&m, MD(ELWADD, .dst = 0));
        bool both = memcmp(m.dst.d[0], m.dst.d[1], sizeof m.dst.d[0]) != 0;
        assert_true(both);
        if (!run)
            memcpy(first, m.dst.d, sizeof first);
        assert_true((memcmp(first, m.dst.d, sizeof first) == 0) == (run < 2));
    }
}

/* ---- GMPOOL ---- */

static void gmpool_takes_column_maxima_and_clears_three_rows(void **state)
{
    (void)state;
    md_reset(&m);
    md_fill(&m, SRC_B, 0, 1.0f);
    for (unsigned i = 0; i < 16; i++)
        for (unsigned j = 0; j < 16; j++)
            m.src.d[SRC_A][0][i][j] = md_src(i == j ? -1.0f : -2.0f - (float)i);
    memset(m.dst.valid, 0, sizeof m.dst.valid);
    memset(m.dst.d, 0x55, sizeof m.dst.d);
    md_go(&m, MD(GMPOOL, .dst = 5, .instr_mod19 = 1));
    for (unsigned j = 0; j < 16; j++)
        assert_float(md_bf16(&m, 4, j), -1.0f); /* invalid: less than anything */
    for (unsigned i = 5; i < 8; i++) {
        assert_int_equal(m.dst.valid[i], 1);
        assert_int_equal(m.dst.d[i][7], 0);
    }
    m.dst.d[4][2] = layout_bf16_to_dst(0x4000); /* 2.0 */
    md_go(&m, MD(GMPOOL, .dst = 4, .instr_mod19 = 1));
    assert_float(md_bf16(&m, 4, 2), 2.0f);
    assert_float(md_bf16(&m, 4, 3), -1.0f);
}

static void gmpool_scales_by_the_exponent_of_srcb(void **state)
{
    (void)state;
    md_reset(&m);
    md_set(&m, CFG_FP32_ENABLED, 1);
    for (unsigned i = 0; i < 16; i++) {
        m.src.d[SRC_B][0][8][i] = md_src(i == 3 ? 4.5f : (i == 4 ? 0.0f : 1.0f));
        for (unsigned j = 0; j < 16; j++)
            m.src.d[SRC_A][0][16 + i][j] = md_src(i == 4 ? 100.0f : 1.5f);
    }
    m.rwc.t[0].srca = 16 + 9;
    m.rwc.t[0].srcb = 8 + 2;
    md_go(&m, MD(GMPOOL, .dst = 8));
    assert_float(md_fp32(&m, 16, 0), 6.0f); /* row 3 times 4; row 4 times 0 does not count */
}

static void gmpool_of_fp16_and_integers(void **state)
{
    (void)state;
    md_reset(&m);
    m.src.format[SRC_A][0] = NUM_FP16;
    for (unsigned i = 0; i < 16; i++)
        for (unsigned j = 0; j < 16; j++) {
            m.src.d[SRC_B][0][i][j] = layout_src(0, 15, 0);
            m.src.d[SRC_A][0][i][j] = layout_src(0, 15, i * 8 + j);
        }
    md_go(&m, MD(GMPOOL, .dst = 0));
    assert_int_equal(layout_fp16_from_dst(m.dst.d[0][3]), 15u << 10 | 123);
    md_set(&m, CFG_INT8_MATH_ENABLED, 1);
    for (unsigned i = 0; i < 16; i++)
        m.src.d[SRC_A][0][i][0] = integer((int)i - 20);
    memset(m.dst.valid, 0, sizeof m.dst.valid);
    md_go(&m, MD(GMPOOL, .dst = 0));
    assert_int_equal(dst_int(0, 0), 0x80000005);
    m.dst.d[8][0] = 0x2345, m.dst.d[0][0] = 0;
    md_go(&m, MD(GMPOOL, .dst = 0));
    assert_int_equal(dst_int(0, 0), 0x345); /* 13 bits of magnitude are written */
}

static void gmpool_argmax_numbers_the_first_eight_rows(void **state)
{
    static const uint8_t turned[8] = {0, 3, 6, 1, 4, 7, 2, 5};
    (void)state;
    md_reset(&m);
    md_fill(&m, SRC_B, 0, 1.0f);
    md_set(&m, CFG_FP32_ENABLED, 1);
    for (unsigned i = 0; i < 16; i++)
        for (unsigned j = 0; j < 16; j++)
            m.src.d[SRC_A][0][i][j] = md_src(i == j % 8 ? 3.0f : 1.0f);
    memset(m.dst.valid, 0, sizeof m.dst.valid);
    m.dst.valid[0] = 1;
    m.dst.d[9][0] = 0x200;
    m.dst.valid[1] = 1;
    md_go(&m, MD(GMPOOL, .dst = 0, .max_pool_index_en = 1));
    for (unsigned j = 0; j < 8; j++) {
        assert_int_equal(layout_bf16_from_dst(m.dst.d[0][j]), 0x4040);
        assert_int_equal(m.dst.d[8][j], 0x110 | turned[j]);
    }
    assert_int_equal(m.dst.d[9][0], 0x300); /* the other rows count on, too */
    assert_int_equal(m.dst.d[10][0], 0);
    m.src.format[SRC_A][0] = NUM_TF32; /* index only */
    m.dst.d[0][0] = 0, m.dst.d[8][0] = 0;
    md_go(&m, MD(GMPOOL, .dst = 0, .max_pool_index_en = 1));
    assert_int_equal(m.dst.d[0][0], 0);
    assert_int_equal(m.dst.d[8][0] & 0xf00, 0x100);
}

/* ---- the window ---- */

static void the_window_belongs_to_physical_blocks(void **state)
{
    (void)state;
    md_reset(&m);
    md_go(&m, MD(MVMUL, .dst = 8));
    assert_int_equal(md_wait(&m, MD(MVMUL, .dst = 8)), T_DST_WINDOW);
    assert_int_equal(md_wait(&m, MD(MVMUL, .dst = 16)), 0);
    md_set(&m, CFG_FP32_ENABLED, 1);
    assert_int_equal(md_wait(&m, MD(MVMUL, .dst = 8)), 0); /* physical rows 16 to 23 */
    md_go(&m, MD(MVMUL, .dst = 8));
    assert_int_equal(md_wait(&m, MD(MVMUL, .dst = 8)), T_DST_WINDOW);
    md_set(&m, CFG_FP32_ENABLED, 0);
    assert_int_equal(md_wait(&m, MD(MVMUL, .dst = 16)), T_DST_WINDOW);
    md_set(&m, CFG_FP32_ENABLED, 1);
    md_set(&m, CFG_DEST_SWIZZLE_32B, 1);
    m.now += 20;
    md_go(&m, MD(GAPOOL, .dst = 12)); /* high halves in rows 20 to 23 */
    assert_int_equal(md_wait(&m, MD(MVMUL, .dst = 0)), T_DST_WINDOW); /* 0 to 3 and 16 to 19 */
    assert_int_equal(md_wait(&m, MD(GAPOOL, .dst = 0)), 0);
    assert_int_equal(md_wait(&m, MD(MVMUL, .dst = 8)), T_DST_WINDOW); /* 4 to 7 and 20 to 23 */
    assert_int_equal(md_wait(&m, MD(MVMUL, .dst = 16)), 0);           /* 48 to 51 and 32 to 35 */
}

/* MVMUL behind every instruction that writes Src: with and without the vector code, which keeps decoded operands. */
static void mvmul_sees_what_was_written_to_src(void **state)
{
    static struct matrix_drive other;
    static const uint8_t writers[] = {TENSIX_OP_MOVD2A,
                                      TENSIX_OP_MOVD2B,
                                      TENSIX_OP_MOVB2A,
                                      TENSIX_OP_TRNSPSRCB,
                                      TENSIX_OP_SHIFTXA,
                                      TENSIX_OP_SHIFTXB,
                                      TENSIX_OP_ZEROSRC};
    (void)state;
    struct rng r = rng_of(20261116, 1);
    for (unsigned round = 0; round < 700; round++) {
        md_reset(&m);
        for (unsigned i = 0; i < 4 * SRC_ROWS * SRC_COLUMNS; i++)
            m.src.d[i >> 11][i >> 10 & 1][i / 16 % 64][i % 16] =
                layout_src(rng_below(&r, 2), 120 + rng_below(&r, 12), rng_below(&r, 1024));
        m.rwc.t[0].srca = (uint8_t)(8 * rng_below(&r, 8));
        m.rwc.t[0].srcb = (uint8_t)(8 * rng_below(&r, 8));
        other = m;
        other.matrix.plain = true;
        matrix_vectors(&other.matrix);
        for (unsigned i = 0; i < 6; i++) {
            uint32_t word = MD(MVMUL, .dst = 8 * rng_below(&r, 4));
            if (i % 2)
                word = (uint32_t)writers[round % sizeof writers] << 24 | (rng_next(&r) & 0x27ff);
            if (i % 2 && round % sizeof writers == 6)
                word |= 3; /* both operands */
            md_go(&m, word);
            md_go(&other, word);
            assert_memory_equal(m.dst.d, other.dst.d, sizeof m.dst.d);
        }
        assert_memory_equal(m.src.d, other.src.d, sizeof m.src.d);
    }
}

/* With swizzle_32b eight rows lie in two blocks; a write to the second is in the way of those that look at it, only. */
static void four_rows_wait_for_one_block_only(void **state)
{
    const struct {
        uint32_t word;
        bool eight;
    } readers[] = {
        {MD(MVMUL, .dst = 0), true},
        {MD(ELWMUL, .dst = 0), true},
        {MD(GMPOOL, .dst = 0), false},
        {MD(GAPOOL, .dst = 0), false},
        {MD(MOVD2A, .instr_mod = 2), false},
        {MD(MOVD2B, .instr_mod = 2), false},
    };
    (void)state;
    for (unsigned i = 0; i < sizeof readers / sizeof *readers; i++) {
        md_reset(&m);
        md_set(&m, CFG_FP32_ENABLED, 1);
        md_set(&m, CFG_DEST_SWIZZLE_32B, 1);
        struct matrix_io io = md_io(&m);
        unsigned first = dst_row32(0, io.access) / 8, second = dst_row32(4, io.access) / 8;
        assert_int_not_equal(first, second);
        m.dst.ready[second] = m.now + 4;
        assert_int_equal(md_wait(&m, readers[i].word), readers[i].eight ? 3 : 0);
        m.dst.ready[second] = 0;
        m.dst.ready[first] = m.now + 4;
        assert_int_equal(md_wait(&m, readers[i].word), 3);
    }
}

static void any_word_and_configuration_stay_in_bounds(void **state)
{
    (void)state;
    struct rng r = rng_of(20251117, 0);
    md_reset(&m);
    for (unsigned i = 0; i < 20000; i++) {
        unsigned op = rng_below(&r, 256);
        if (!matrix_effects[op])
            continue;
        for (unsigned w = 0; w < 8; w++)
            m.config.word[0][w] = rng_next(&r);
        m.config.word[0][220] = rng_next(&r);
        for (unsigned w = 1; w < 60; w++)
            m.config.thread[0][w] = (uint16_t)rng_next(&r);
        m.rwc.t[0].dst = (uint16_t)rng_below(&r, 1024);
        m.rwc.t[0].srca = (uint8_t)rng_below(&r, 64);
        m.rwc.t[0].srcb = (uint8_t)rng_below(&r, 64);
        m.src.d[rng_below(&r, 2)][rng_below(&r, 2)][rng_below(&r, 64)][3] =
            rng_next(&r) & NUM_SRC_TF32;
        struct matrix_io io = md_io(&m);
        struct entry e = {.word = op << 24 | (rng_next(&r) & 0x3fffff), .op = (uint8_t)op};
        matrix_start(&m.matrix, &io, 0, &e, m.now++);
    }
    for (unsigned i = 0; i < SRC_ROWS * SRC_COLUMNS; i++)
        assert_int_equal(m.src.d[SRC_A][0][i / 16][i % 16] & ~NUM_SRC_TF32, 0);
}

TEST_MAIN(cmocka_unit_test(mvmul_adds_eight_rows),
          cmocka_unit_test(four_rows_wait_for_one_block_only),
          cmocka_unit_test(mvmul_masks_its_rows_to_blocks_of_eight),
          cmocka_unit_test(fp32_rows_lie_in_two_halves),
          cmocka_unit_test(remap_and_swizzle_move_rows),
          cmocka_unit_test(invalid_rows_read_zero_and_become_valid),
          cmocka_unit_test(mvmul_broadcasts_a_row_to_every_other_one),
          cmocka_unit_test(gapool_adds_four_rows_and_dotpv_eight),
          cmocka_unit_test(fidelity_base_is_added_to_the_phase),
          cmocka_unit_test(a_bank_is_used_before_it_is_handed_back),
          cmocka_unit_test(formats_come_with_the_bank_or_from_config),
          cmocka_unit_test(fp16a_force_means_fp16_in_dst16),
          cmocka_unit_test(fp16_in_fp32_dst_gets_the_other_bias),
          cmocka_unit_test(elwadd_and_elwsub_add_dst_only_if_told),
          cmocka_unit_test(elementwise_broadcast_of_srcb),
          cmocka_unit_test(integers_use_dst32_whatever_the_format),
          cmocka_unit_test(stochastic_rounding_goes_with_its_bit_and_seed),
          cmocka_unit_test(gmpool_takes_column_maxima_and_clears_three_rows),
          cmocka_unit_test(gmpool_scales_by_the_exponent_of_srcb),
          cmocka_unit_test(gmpool_of_fp16_and_integers),
          cmocka_unit_test(gmpool_argmax_numbers_the_first_eight_rows),
          cmocka_unit_test(the_window_belongs_to_physical_blocks),
          cmocka_unit_test(mvmul_sees_what_was_written_to_src),
          cmocka_unit_test(any_word_and_configuration_stay_in_bounds))
