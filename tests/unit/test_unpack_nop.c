/*
 * UNPACR_NOP in all its forms: what it clears, waits for and hands over, the messages it pops and the registers it writes.
 */
#include "unpack_drive.h"

/* Values here are the 19 bits {S, M10, E8}. */
static void fill_src(uint32_t value)
{
    for (unsigned i = 0; i < 2 * 2 * 1024; i++)
        d.t.src.d[i / 2048][i / 1024 % 2][i / 16 % 64][i % 16] = layout_src_from_bits(value);
}

static bool bank_is(unsigned u, unsigned bank, uint32_t value)
{
    for (unsigned i = 0; i < 1024; i++)
        if (d.t.src.d[u][bank][i / 16][i % 16] != layout_src_from_bits(value))
            return false;
    return true;
}

static void nops_clear_one_bank_or_both(void **state)
{
    (void)state;
    static const struct {
        struct tensix_UNPACR_NOP a;
        uint32_t expect;
    } c[] = {{{.unpack_pop = 1}, 0},
             {{.unpack_pop = 1, .src_clr_val_ctrl = 1}, 0x7ffff},
             {{.unpack_pop = 1, .src_clr_val_ctrl = 1, .unpacker_select = 1}, 0},
             {{.unpack_pop = 1, .src_clr_val_ctrl = 2}, 15},
             {{.unpack_pop = 1, .src_clr_val_ctrl = 2, .clr_to1_fmt_ctrl = 1}, 127},
             {{.unpack_pop = 1, .src_clr_val_ctrl = 2, .clr_to1_fmt_ctrl = 2}, 0x110},
             {{.unpack_pop = 1, .src_clr_val_ctrl = 3}, 0x12345},
             {{.unpack_pop = 2}, 77}};
    for (unsigned i = 0; i < sizeof c / sizeof *c; i++)
        for (unsigned both = 0; both < 2; both++) {
            struct tensix_UNPACR_NOP a = c[i].a;
            unsigned u = a.unpacker_select;
            start(NUM_BF16, NUM_BF16, 16);
            set(CFG_UNP0_NOP_CLR_VAL, 0, 0, 0x12345);
            fill_src(77);
            a.bank_clr_ctrl = both;
            run(tensix_UNPACR_NOP_encode(a));
            assert_true(bank_is(u, 0, c[i].expect));
            assert_true(bank_is(u, 1, both ? c[i].expect : 77));
            assert_true(bank_is(1 - u, 0, 77) && bank_is(1 - u, 1, 77));
            assert_int_equal(d.t.src.owner[u][0], SRC_UNPACKERS);
        }
}

static void nops_hand_over(void **state)
{
    (void)state;
    static const struct tensix_UNPACR_NOP c[] = {{.unpack_pop = 1, .set_dvalid = 1},
                                                 {.unpack_pop = 2, .clr_to1_fmt_ctrl = 3},
                                                 {.unpack_pop = 1, .clr_to1_fmt_ctrl = 3}};
    for (unsigned i = 0; i < 3; i++) {
        start(NUM_BF16, NUM_BF16, 16);
        fill_src(77);
        run(tensix_UNPACR_NOP_encode(c[i]));
        assert_int_equal(d.t.src.owner[0][0], SRC_MATRIX);
        assert_int_equal(d.t.src.format[0][0], NUM_BF16);
        assert_true(bank_is(0, 0, i ? 77 : 0));
    }
    start(NUM_BF16, NUM_BF16, 16);
    run(tensix_UNPACR_NOP_encode((struct tensix_UNPACR_NOP){.unpack_pop = 1, .set_dvalid = 2}));
    assert_int_equal(d.t.src.owner[0][0], SRC_UNPACKERS); /* only bit 8 means it */
    run(tensix_UNPACR_NOP_encode((struct tensix_UNPACR_NOP){.unpack_pop = 2, .set_dvalid = 1}));
    assert_int_equal(d.t.src.owner[0][0], SRC_UNPACKERS); /* and that only behind a clear */
}

static void a_clear_waits_for_either_bank(void **state)
{
    (void)state;
    for (unsigned like_unpacr = 0; like_unpacr < 2; like_unpacr++) {
        start(NUM_BF16, NUM_BF16, 16);
        fill_src(77);
        d.t.src.unpack_bank[0] = 1;
        src_set_owner(&d.t.src, 0, like_unpacr, SRC_MATRIX); /* 0: the bank of the Matrix Unit */
        drive_add(&d,
                  0,
                  tensix_UNPACR_NOP_encode(
                      (struct tensix_UNPACR_NOP){.unpack_pop = 1, .stall_clr_cntrl = like_unpacr}));
        for (unsigned i = 0; i < 50; i++)
            drive_step(&d);
        assert_true(bank_is(0, 1, 77));
        src_set_owner(&d.t.src, 0, like_unpacr, SRC_UNPACKERS);
        drive_run(&d);
        assert_true(bank_is(0, 1, 0));
        assert_true(bank_is(0, 0, 77));
    }
}

/* ---- UNPACR_NOP that writes registers ---- */

static struct {
    unsigned n;
    bool refuse;
    uint32_t thread[8], address[8], value[8];
    uint64_t cycle[8];
    uint32_t src[8]; /* a datum of SrcA as it was then */
} wrote;

static bool note_store(void *ctx, unsigned thread, uint32_t address, uint32_t value)
{
    (void)ctx;
    if (wrote.refuse)
        return false;
    assert_true(wrote.n < 8);
    wrote.thread[wrote.n] = thread;
    wrote.address[wrote.n] = address;
    wrote.value[wrote.n] = value;
    wrote.src[wrote.n] = layout_src_to_bits(d.t.src.d[0][0][63][15]);
    wrote.cycle[wrote.n++] = d.t.now;
    return true;
}

/* TDMA-RISC: address 0 is 0xFFB, 1, middle, 0x123, 00; address 1 is 0xFFB, 1, middle, 0x042, 00. */
static void start_writes(void)
{
    start(NUM_BF16, NUM_BF16, 1024);
    memset(&wrote, 0, sizeof wrote);
    memset(d.t.probe.count, 0, sizeof d.t.probe.count);
    d.t.l1.store = note_store;
    d.t.regwrite.unpack = 0x3f | (0x123u | 0x042u << 10 | 1u << 20 | 1u << 22) << 8;
}

static void expect_write(unsigned i, uint32_t address, uint32_t value)
{
    assert_true(i < wrote.n);
    assert_int_equal(wrote.address[i], address);
    assert_int_equal(wrote.value[i], value);
}

#define NOP_WORD ((uint32_t)TENSIX_OP_UNPACR_NOP << 24)

/* Wormhole page OverlayClear: MSG_DATA_CLEAR (266) gets 1; pop 0 takes the stream of ThreadConfig (words 42, 43), pop 3
   its own unless the count is 0. */
static void nops_pop_messages(void **state)
{
    (void)state;
    start_writes();
    set_thread(0, THCFG_OVERLAY_CLEAR_STREAM, 0, 61);
    d.t.config.thread[0][43] = 7u << 8 | 5;
    run(NOP_WORD);
    run(NOP_WORD | 1u << 23);
    run(NOP_WORD | 33u << 16 | 2u << 12 | 3);
    run(NOP_WORD | 33u << 16 | 3);
    assert_int_equal(wrote.n, 4);
    expect_write(0, 0xFFB40000 + 61 * 0x1000 + 4 * 266, 1);
    expect_write(1, 0xFFB40000 + 5 * 0x1000 + 4 * 266, 1);
    expect_write(2, 0xFFB40000 + 33 * 0x1000 + 4 * 266, 1);
    expect_write(3, 0xFFB40000 + 61 * 0x1000 + 4 * 266, 1);
    assert_int_equal(d.t.probe.count[DIAG_UNPACK_NOP_BITS], 0);
    run(NOP_WORD | 1u << 15 | 33u << 16 | 2u << 12 | 3);
    run(NOP_WORD | 1u << 8);
    assert_int_equal(d.t.probe.count[DIAG_UNPACK_NOP_BITS], 2);
    assert_int_equal(wrote.n, 6);
}

/* Page SETREG with Blackhole's fields: 11 bits of value, address select bits 22 and 15. */
static void nops_write_registers(void **state)
{
    (void)state;
    start_writes();
    run(NOP_WORD | 9u << 16 | 0x7ffu << 4 | 7);
    run(NOP_WORD | 1u << 23 | 1u << 15 | 0x3fu << 16 | 5u << 4 | 7);
    assert_int_equal(wrote.n, 2);
    expect_write(0, 0xFFB00000 + (1u << 18) + (9u << 12) + (0x123u << 2), 0x7ff);
    expect_write(1, 0xFFB00000 + (1u << 18) + (0x3fu << 12) + (0x042u << 2), 5);
    run(NOP_WORD | 1u << 22 | 5u << 4 | 7); /* addresses 2 and 3 are in no document */
    run(NOP_WORD | 1u << 22 | 1u << 15 | 5u << 4 | 7);
    assert_int_equal(wrote.n, 2);
    assert_int_equal(d.t.probe.count[DIAG_REGWRITE_SELECT], 2);
}

/* The sum has 17 bits, is kept per unpacker, and 0 clears it without a write. */
static void nops_add_up(void **state)
{
    (void)state;
    uint32_t add = NOP_WORD | 1u << 15 | 0x10u << 16 | 8 | 7;
    start_writes();
    run(add | 700u << 4);
    run(add | 1u << 23 | 1u << 4);
    run(add | 50u << 4);
    expect_write(0, 0xFFB50108, 700);
    expect_write(1, 0xFFB50108, 1);
    expect_write(2, 0xFFB50108, 750);
    d.t.regwrite.sum[0] = 0x1fffe;
    run(add | 5u << 4);
    expect_write(3, 0xFFB50108, 3);
    run(add);
    assert_int_equal(wrote.n, 4);
    assert_int_equal(d.t.regwrite.sum[0], 0);
    assert_int_equal(d.t.regwrite.sum[1], 1);
}

/* The write comes when the data of the UNPACR before it is there, and does not wait for the other unpacker. */
static void register_writes_follow_the_reads(void **state)
{
    (void)state;
    start_writes();
    fill_src(77);
    memset(l1 + 0x1000, 0, 2048);
    struct tensix_UNPACR a = unpacr(0);
    a.set_dat_valid = 0;
    drive_add(&d, 0, tensix_UNPACR_encode(a));
    drive_add(&d, 0, NOP_WORD | 1u << 12 | 3);
    drive_add(&d, 0, NOP_WORD | 1u << 23 | 2u << 16 | 1u << 12 | 3);
    drive_run(&d);
    assert_int_equal(wrote.n, 2);
    expect_write(0, 0xFFB42000 + 4 * 266, 1);
    expect_write(1, 0xFFB40000 + 4 * 266, 1);
    assert_int_equal(wrote.src[0], 77);
    assert_int_equal(wrote.src[1], 0);
    uint64_t unpacked =
        d.went[0][0] + 2 + T_UNPACK_PIPE + 16 - 1; /* last cycle of its data phase */
    assert_int_equal(wrote.cycle[1], unpacked + 1);
    assert_int_equal(wrote.cycle[0], d.went[0][2] + 1);
}

static void writes_that_go_nowhere_are_told(void **state)
{
    (void)state;
    start_writes();
    d.t.regwrite.unpack = 0;
    run(NOP_WORD | 1u << 4 | 0x10u << 16 | 7); /* 0xFFB10000 */
    assert_int_equal(d.t.probe.count[DIAG_REGWRITE_RANGE], 1);
    run(NOP_WORD | 1u << 4 | 0x11u << 16 | 7); /* 0xFFB11000 */
    assert_int_equal(d.t.probe.count[DIAG_REGWRITE_RANGE], 1);
    expect_write(0, 0xFFB11000, 1);
    d.t.regwrite.unpack = 2u << 28; /* 0xFFB80000 */
    run(NOP_WORD | 1u << 4 | 7);
    assert_int_equal(d.t.probe.count[DIAG_REGWRITE_RANGE], 2);
    wrote.refuse = true;
    d.t.regwrite.unpack = 1u << 28;
    run(NOP_WORD | 1u << 4 | 7);
    assert_int_equal(d.t.probe.count[DIAG_REGWRITE_LOST], 1);
    assert_int_equal(wrote.n, 1);
    d.t.l1.store = NULL;
    run(NOP_WORD | 1u << 4 | 7);
    assert_int_equal(d.t.probe.count[DIAG_REGWRITE_LOST], 1);
}

TEST_MAIN(cmocka_unit_test(nops_clear_one_bank_or_both), cmocka_unit_test(nops_hand_over),
          cmocka_unit_test(nops_pop_messages), cmocka_unit_test(nops_write_registers),
          cmocka_unit_test(nops_add_up), cmocka_unit_test(register_writes_follow_the_reads),
          cmocka_unit_test(writes_that_go_nowhere_are_told),
          cmocka_unit_test(a_clear_waits_for_either_bank))
