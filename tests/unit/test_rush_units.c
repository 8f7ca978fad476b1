/*
 * How words go to units without time (coproc/rush_unit.c). Most take a short way: waits that are met are not latched, what
 * needs no unit's pipe is carried out as it goes, and UNPACR that has its bank moves its data at once. Cycle by cycle
 * without latencies is the same machine: on random programs of one thread both have the same state, and have told the same,
 * whenever they stand still.
 *
 * WG_SEED in the environment: the first program.
 */
#include "rush_drive.h"

#include "config_drive.h"
#include "num/format.h"
#include "num/layout.h"

#define PROGRAMS (WG_SLOW_BUILD ? 200u : 3000u)
#define WORDS    60u
#define SEMS     3u

/* ---- words ---- */

/* Block bits and conditions of all kinds, but C5 to C8: when they see a bank change hands is a matter of cycles. */
static uint32_t any_wait(struct rng *r)
{
    static const uint16_t conditions[] = {
        0, 1, 2, 4, 8, 9, 16, 0x810, 0x800, 0x1000, 0x400, 0x200, 0x1e1f};
    unsigned block = rng_percent(r, 20)   ? TENSIX_BLOCK_ALL
                     : rng_percent(r, 10) ? 0
                                          : 1u << rng_below(r, 9) | 1u << rng_below(r, 9);
    if (rng_percent(r, 30))
        return WORD(SEMWAIT,
                    .stall_res = block,
                    .sem_sel = rng_percent(r, 10) ? rng_below(r, 1u << 13) & 0x1f07
                                                  : 1u << rng_below(r, SEMS),
                    .wait_sem_cond = rng_below(r, 4));
    return WORD(STALLWAIT,
                .stall_res = block,
                .wait_res = conditions[rng_below(r, sizeof conditions / sizeof *conditions)]);
}

static uint32_t sync_word(struct rng *r)
{
    uint32_t sem = rng_below(r, 1u << SEMS);
    switch (rng_below(r, 8)) {
    case 0: return WORD(SEMINIT, .sem_sel = sem, .init_value = 1, .max_value = rng_below(r, 4));
    case 1:
    case 2: return WORD(SEMPOST, .sem_sel = sem);
    case 3:
    case 4: return WORD(SEMGET, .sem_sel = sem);
    case 5: return WORD(ATGETM, .mutex_index = 2);
    case 6: return WORD(ATRELM, .mutex_index = 2 + rng_below(r, 2));
    default: return PLAIN(NOP);
    }
}

static uint32_t scalar_word(struct rng *r)
{
    unsigned reg = rng_below(r, 8);
    switch (rng_below(r, 6)) {
    case 0: return PLAIN(DMANOP);
    case 1:
        return WORD(ADDDMAREG,
                    .op_a_reg_index = reg,
                    .op_b_reg_index = rng_below(r, 8),
                    .op_b_is_const = rng_below(r, 2),
                    .result_reg_index = rng_below(r, 8));
    case 2:
        return WORD(REG2FLOP,
                    .reg_index = reg,
                    .flop_index = rng_below(r, 64),
                    .size_sel = rng_below(r, 4),
                    .target_sel = 2,
                    .byte_offset = rng_below(r, 4));
    default:
        return WORD(SETDMAREG,
                    .reg_index_16b = rng_below(r, 16),
                    .payload_sig_sel = rng_below(r, 1u << 14),
                    .payload_sig_sel_size = rng_below(r, 4),
                    .set_signals_mode = rng_percent(r, 10));
    }
}

/* Scratch words, the reset of a bank, words that do not exist; of unpackers only base addresses and context. */
static uint32_t config_word(struct rng *r)
{
    static const uint16_t word[] = {209, 210, 211, 20, 21, 223, 300, 76, 77, 124, 125};
    static const uint8_t thread[] = {20, 21, 100};
    unsigned at = word[rng_below(r, sizeof word / sizeof *word)], reg = rng_below(r, 8);
    switch (rng_below(r, 6)) {
    case 0: return WORD(RMWCIB0, .cfg_reg_addr = at & 0xff, .data = reg, .mask = 7);
    case 1: return WORD(CFGSHIFTMASK, .cfg_reg = at & 0xff, .mask_width = 7, .scratch_sel = 3);
    case 2: return WORD(RDCFG, .cfg_reg = at, .gpr_address = reg);
    case 3: return WORD(SETC16, .setc16_reg = 41, .setc16_value = rng_below(r, 2) * 0x0101);
    case 4:
        return WORD(SETC16,
                    .setc16_reg = thread[rng_below(r, sizeof thread)],
                    .setc16_value = rng_below(r, 65536));
    default: return WORD(WRCFG, .cfg_reg = at, .gpr_address = reg, .wr128b = rng_percent(r, 20));
    }
}

static uint32_t unpack_word(struct rng *r)
{
    unsigned u = rng_below(r, 2);
    switch (rng_below(r, 8)) {
    case 0: return WORD(SETDVALID, .setvalid = 1 + rng_below(r, 3));
    case 1: return WORD(CLEARDVALID, .cleardvalid = 1 + rng_below(r, 3));
    case 2:
        return WORD(UNPACR_NOP,
                    .unpack_pop = 1 + rng_below(r, 2),
                    .stall_clr_cntrl = rng_below(r, 2),
                    .set_dvalid = rng_below(r, 2),
                    .unpacker_select = u);
    case 3:
        return WORD(SETADCZW,
                    .bit_mask = rng_below(r, 16),
                    .ch0_x = rng_below(r, 4),
                    .ch1_x = rng_below(r, 4),
                    .cnt_set_mask = rng_below(r, 8));
    default:
        return WORD(UNPACR,
                    .unpack_block_selection = u,
                    .ovrd_thread_id = rng_percent(r, 80),
                    .auto_inc_context_id = rng_percent(r, 20),
                    .cfg_context_cnt_inc = rng_percent(r, 5),
                    .set_dat_valid = rng_percent(r, 60),
                    .zero_write2 = rng_percent(r, 10),
                    .row_search = rng_percent(r, 5),
                    .addr_mode = rng_percent(r, 30) ? rng_below(r, 256) : 0);
    }
}

static uint32_t any_word(struct rng *r)
{
    switch (rng_below(r, 6)) {
    case 0:
    case 1: return any_wait(r);
    case 2: return sync_word(r);
    case 3: return scalar_word(r);
    case 4: return config_word(r);
    default: return unpack_word(r);
    }
}

/* ---- both ways ---- */

static void start(struct coproc *cp)
{
    rush_start(cp);
    for (unsigned i = 0; i < SEMS; i++)
        cp->sync.sem[i].max = 2;
    for (unsigned i = 0; i < GPR_COUNT; i++)
        cp->gpr.r[0][i] = cp->gpr.r[1][i] = cp->gpr.r[2][i] = 100 + i;
    for (unsigned u = 0; u < 2; u++) {
        unsigned sec = u * CFG_UNP_STEP;
        config_set_at(&cp->config, CFG_UNP_IN_DATA_FORMAT, sec, 0, NUM_BF16);
        config_set_at(&cp->config, CFG_UNP_IS_UNCOMPRESSED, sec, 0, 1);
        config_set_at(&cp->config, CFG_UNP_X_DIM, sec, 0, 256);
        config_set_at(&cp->config, CFG_UNP_Y_DIM, sec, 0, 1);
        config_set_at(&cp->config, CFG_UNP_Z_DIM, sec, 0, 4);
        config_set_at(&cp->config, CFG_UNP_OUT_DATA_FORMAT, sec, 0, NUM_BF16);
        config_set_at(&cp->config, CFG_UNP_DISABLE_ZERO_COMPRESS, sec, 0, 3);
        config_set_at(&cp->config, CFG_UNP_DISABLE_ZERO_COMPRESS, sec, 1, 3);
        for (unsigned thread = 0; thread < 3; thread++)
            adc_write(&cp->adc, thread, u, 1, ADC_X, false, 255);
    }
    config_set(&cp->config, CFG_UNP_TILE_X_DIM, 256);
    config_set(&cp->config, CFG_UNP_DEST_CNTX, 64);
}

static void assert_same(unsigned thread)
{
    const struct gate *g = &quick.gate[thread], *h = &slow.gate[thread];
    assert_int_equal(quick.issued[thread], slow.issued[thread]);
    assert_int_equal(g->latched, h->latched);
    if (g->latched) {
        assert_int_equal(g->word, h->word);
        assert_int_equal(g->block, h->block);
        assert_int_equal(g->held, h->held);
    }
    for (unsigned i = 0; i < SYNC_SEMAPHORES; i++) {
        assert_int_equal(quick.sync.sem[i].value, slow.sync.sem[i].value);
        assert_int_equal(quick.sync.sem[i].posted_by, slow.sync.sem[i].posted_by);
    }
    assert_memory_equal(quick.sync.holder, slow.sync.holder, sizeof quick.sync.holder);
    assert_memory_equal(quick.gpr.r, slow.gpr.r, sizeof quick.gpr.r);
    assert_memory_equal(quick.config.word, slow.config.word, sizeof quick.config.word);
    assert_memory_equal(quick.config.thread, slow.config.thread, sizeof quick.config.thread);
    assert_memory_equal(&quick.adc, &slow.adc, sizeof quick.adc);
    assert_memory_equal(quick.src.owner, slow.src.owner, sizeof quick.src.owner);
    assert_memory_equal(quick.src.row, slow.src.row, sizeof quick.src.row);
    assert_memory_equal(quick.src.format, slow.src.format, sizeof quick.src.format);
    assert_memory_equal(quick.src.d, slow.src.d, sizeof quick.src.d);
    assert_memory_equal(quick.unpack.context, slow.unpack.context, sizeof quick.unpack.context);
    for (unsigned u = 0; u < 2; u++)
        assert_int_equal(quick.unpack.u[u].n, slow.unpack.u[u].n);
    for (unsigned i = 0; i < N_DIAGS; i++)
        if (quick.probe.count[i] != slow.probe.count[i])
            fail_msg("%s: %u, not %u",
                     diag_table[i].id,
                     (unsigned)quick.probe.count[i],
                     (unsigned)slow.probe.count[i]);
}

/* Help for those that wait: semaphores go up and down, banks come back. */
static void help(struct coproc *cp, unsigned tries)
{
    for (unsigned i = 0; i < SEMS; i++)
        coproc_rush_sem_now(cp, 0, i, tries & 1);
    if (tries % 4 == 3)
        for (unsigned i = 0; i < 2; i++) {
            src_set_owner(&cp->src, i, 0, SRC_UNPACKERS);
            src_set_owner(&cp->src, i, 1, SRC_UNPACKERS);
        }
}

static void program(uint64_t seed)
{
    struct rng r = rng_of(seed, 0);
    uint32_t word[WORDS];
    unsigned thread = rng_below(&r, 3), in_quick = 0, in_slow = 0;
    start(&quick);
    start(&slow);
    for (unsigned i = 0; i < WORDS - 1; i++)
        word[i] = any_word(&r);
    word[WORDS - 1] = PLAIN(NOP); /* a wait that is met is forgotten when a word comes */
    for (unsigned tries = 0; tries < 100; tries++) {
        in_quick = run_quick(thread, word, in_quick, WORDS);
        in_slow = run_slow(thread, word, in_slow, WORDS);
        assert_same(thread);
        if (in_quick == WORDS && frontend_empty(&quick.fe[thread]))
            return;
        help(&quick, tries);
        help(&slow, tries);
    }
}

static void the_short_way_is_the_long_way(void **state)
{
    (void)state;
    for (unsigned i = 0; i < sizeof memory; i++)
        memory[i] = (uint8_t)(i * 37 + i / 256);
    uint64_t seed = rush_seed(PROGRAMS);
    for (unsigned i = 0; i < PROGRAMS; i++)
        program(seed + i);
}

/* ---- products in a row ---- */

/* Both banks of both operands hold numbers, the same on either side, and belong to the Matrix Unit. */
static void hand_over(struct coproc *cp, struct rng r)
{
    for (unsigned i = 0; i < 4; i++) {
        src_set_owner(&cp->src, i / 2, i % 2, SRC_MATRIX);
        cp->src.format[i / 2][i % 2] = NUM_BF16;
        src_wrote(&cp->src, i / 2, i % 2);
        for (unsigned k = 0; k < SRC_ROWS * SRC_COLUMNS; k++)
            cp->src.d[i / 2][i % 2][k / SRC_COLUMNS][k % SRC_COLUMNS] =
                layout_src(rng_below(&r, 2),
                           rng_percent(&r, 5) ? 0 : 120 + rng_below(&r, 14),
                           rng_below(&r, 128) << 3);
    }
    for (unsigned i = 0; i < DST_ROWS; i++)
        cp->dst.valid[i] = i / 16 % 2;
}

/* Any address modifiers; some words broadcast or hand over a bank, which ends a row. */
static void products(uint64_t seed)
{
    struct rng r = rng_of(seed, 1);
    uint32_t word[WORDS];
    unsigned thread = rng_below(&r, 3);
    bool wide = rng_percent(&r, 30), swizzled = rng_percent(&r, 20);
    for (unsigned side = 0; side < 2; side++) {
        struct coproc *cp = side ? &slow : &quick;
        struct rng same = rng_of(seed, 2);
        rush_start(cp);
        hand_over(cp, rng_of(seed, 3));
        config_set(&cp->config, CFG_FP32_ENABLED, wide);
        config_set(&cp->config, CFG_DEST_SWIZZLE_32B, swizzled);
        for (unsigned i = 0; i < 8; i++) {
            cp->config.thread[thread][RWC_MOD_AB + i] = (uint16_t)rng_next(&same);
            cp->config.thread[thread][RWC_MOD_DST + i] = (uint16_t)rng_next(&same);
        }
    }
    for (unsigned i = 0; i < WORDS; i++)
        word[i] = WORD(MVMUL,
                       .clear_dvalid = rng_percent(&r, 2) ? rng_below(&r, 4) : 0,
                       .instr_mod19 = rng_percent(&r, 5),
                       .addr_mode = rng_below(&r, 8),
                       .dst = rng_percent(&r, 50) ? rng_below(&r, 1024) : 0);
    unsigned in_quick = run_quick(thread, word, 0, WORDS),
             in_slow = run_slow(thread, word, 0, WORDS);
    assert_int_equal(in_quick, in_slow);
    assert_same(thread);
    assert_memory_equal(&quick.rwc.t[thread], &slow.rwc.t[thread], sizeof quick.rwc.t[thread]);
    assert_memory_equal(quick.dst.valid, slow.dst.valid, sizeof quick.dst.valid);
    for (unsigned i = 0; i < DST_ROWS; i++)
        if (quick.dst.valid[i])
            assert_memory_equal(quick.dst.d[i], slow.dst.d[i], sizeof quick.dst.d[i]);
}

static void products_in_a_row_are_single_ones(void **state)
{
    (void)state;
    uint64_t seed = rush_seed(PROGRAMS / 4);
    for (unsigned i = 0; i < PROGRAMS / 4; i++)
        products(seed + i);
}

TEST_MAIN(cmocka_unit_test(the_short_way_is_the_long_way),
          cmocka_unit_test(products_in_a_row_are_single_ones))
