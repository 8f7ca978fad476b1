/*
 * The packer: which datums PACR takes, where their bytes go and when. Sources: PACR (Blackhole), the pages
 * Packers/InputAddressGenerator, OutputAddressGenerator, EdgeMasking, Downsampling, ExponentHistogram; rule
 * 4.13 of docs/timing.md.
 */
#include "pack_drive.h"

static unsigned half_at(uint32_t address)
{
    return b.bytes[address] | (unsigned)b.bytes[address + 1] << 8;
}

/* Datum k of the output is that of row r, column c. */
static void expect_datum(unsigned k, unsigned r, unsigned c)
{
    assert_int_equal(half_at(BASE + 2 * k), 0x3f80 + 16 * r + c);
}

static void untouched_from(uint32_t address)
{
    for (uint32_t i = address; i < address + 64; i++)
        assert_int_equal(b.bytes[i], 0xaa);
}

/* ---- input ---- */

static void the_mask_selects_rows_relative_to_the_start_row(void **state)
{
    (void)state;
    for (unsigned mask = 0; mask < 16; mask++)
        for (unsigned y = 8; y < 12; y++) {
            unsigned rows = mask ? mask : 15, k = 0;
            start(NUM_BF16, NUM_BF16);
            counter(0, ADC_Y)->v = y;
            run((struct tensix_PACR){.read_intf_sel = mask, .last = 1});
            for (unsigned i = 0; i < 4; i++)
                for (unsigned c = 0; rows >> i & 1 && c < 16; c++)
                    expect_datum(k++, y + i, c);
            untouched_from(BASE + 2 * k);
            assert_int_equal(b.probe.n_diags != 0, rows << (y & 3) > 15);
        }
}

static void rows_add_offset_and_strides(void **state)
{
    (void)state;
    start(NUM_BF16, NUM_BF16);
    set(CFG_PCK0_CH0_ZSTRIDE, 0, 16 * 32);
    set(CFG_PCK0_CH0_WSTRIDE, 0, 64 * 32);
    set(CFG_PCK_DEST_OFFSET, 0, 512);
    counter(0, ADC_Y)->v = 3;
    counter(0, ADC_Z)->v = 2;
    counter(0, ADC_W)->v = 1;
    run((struct tensix_PACR){.read_intf_sel = 1, .last = 1});
    expect_datum(0, 512 + 64 + 32 + 3, 0);
}

static void strided_mode_reads_rows_sixteen_apart(void **state)
{
    (void)state;
    start(NUM_BF16, NUM_BF16);
    set(CFG_DEST_REMAP_ADDRS, 0, 1);
    set(CFG_DEST_SWIZZLE_32B, 0, 1);
    counter(0, ADC_Y)->v = 5;
    run((struct tensix_PACR){.dst_access_mode = 1, .last = 1});
    for (unsigned i = 0; i < 4; i++)
        expect_datum(16 * i, dst_row16(5 + 16 * i, 3), 0);
}

static void the_x_range_takes_a_part_of_each_row(void **state)
{
    (void)state;
    start(NUM_BF16, NUM_BF16);
    set(CFG_PCK0_CH0_XSTRIDE, 0, 2);
    set_x(10, 13);
    run((struct tensix_PACR){.read_intf_sel = 3, .last = 1});
    for (unsigned k = 0; k < 8; k++)
        expect_datum(k, k / 4, 10 + k % 4);
    untouched_from(BASE + 16);
}

static void invalid_rows_and_zero_writes_are_zeros(void **state)
{
    (void)state;
    start(NUM_BF16, NUM_BF16);
    b.dst.valid[1] = 0;
    run((struct tensix_PACR){.read_intf_sel = 7, .last = 1});
    expect_datum(0, 0, 0);
    assert_int_equal(half_at(BASE + 32), 0);
    expect_datum(32, 2, 0);
    run((struct tensix_PACR){.zero_write = 1, .last = 1});
    for (unsigned k = 0; k < 64; k++)
        assert_int_equal(half_at(BASE + 2 * k), 0);
}

static void words_lie_in_two_rows(void **state)
{
    (void)state;
    start(NUM_FP32, NUM_FP32);
    set(CFG_PCK_READ_32B, 0, 1);
    counter(0, ADC_Y)->v = 9;
    for (unsigned c = 0; c < 16; c++)
        b.dst.d[dst_row32(9, 0) + DST_LOW][c] = (uint16_t)(0x1230 + c);
    run((struct tensix_PACR){.read_intf_sel = 1, .last = 1});
    for (unsigned c = 0; c < 16; c++) {
        assert_int_equal(half_at(BASE + 4 * c), 0x1230 + c);
        assert_int_equal(half_at(BASE + 4 * c + 2), 0x3f80 + 16 * dst_row32(9, 0) + c);
    }
}

static void counters_move_by_the_address_modifier(void **state)
{
    (void)state;
    start(NUM_BF16, NUM_BF16);
    uint16_t *mod = &b.config.thread[0][THCFG_ADDR_MOD_PACK >> 16];
    mod[0] = 4 | 1 << 6 | 1 << 12 | 1 << 14;       /* Y += 4; Y of channel 1 += 1; both Z += 1 */
    mod[1] = 2 | 1 << 4 | 3 << 6 | 1 << 10;        /* carriage return of both Y */
    mod[2] = 1 << 5 | 1 << 11 | 1 << 13 | 1 << 15; /* clear */
    counter(0, ADC_Y)->cr = 7;
    counter(1, ADC_Y)->cr = 5;
    run((struct tensix_PACR){.addr_mode = 0, .last = 1});
    assert_int_equal(counter(0, ADC_Y)->v, 4);
    assert_int_equal(counter(1, ADC_Y)->v, 1);
    assert_int_equal(counter(0, ADC_Z)->v, 1);
    assert_int_equal(counter(1, ADC_Z)->v, 1);
    run((struct tensix_PACR){.addr_mode = 1, .last = 1});
    assert_int_equal(counter(0, ADC_Y)->v, 9);
    assert_int_equal(counter(0, ADC_Y)->cr, 9);
    assert_int_equal(counter(1, ADC_Y)->v, 8);
    run((struct tensix_PACR){.addr_mode = 2, .last = 1});
    for (unsigned ch = 0; ch < 2; ch++) {
        assert_int_equal(counter(ch, ADC_Y)->v | counter(ch, ADC_Y)->cr, 0);
        assert_int_equal(counter(ch, ADC_Z)->v | counter(ch, ADC_Z)->cr, 0);
    }
}

static void another_threads_counters_can_be_used(void **state)
{
    (void)state;
    start(NUM_BF16, NUM_BF16);
    b.adc.c[1][ADC_PACK][0][ADC_Y].v = 20;
    b.adc.c[1][ADC_PACK][1][ADC_X].v = 15;
    run((struct tensix_PACR){.ovrd_thread_id = 1, .addr_cnt_context = 1, .last = 1});
    expect_datum(0, 20, 0);
}

/* ---- output ---- */

static void output_is_appended_until_last(void **state)
{
    (void)state;
    start(NUM_BF16, NUM_BF16);
    set_x(0, 2);
    for (unsigned i = 0; i < 5; i++) {
        counter(0, ADC_Y)->v = i;
        run((struct tensix_PACR){.read_intf_sel = 1, .last = i == 4});
        if (i < 2)
            untouched_from(BASE); /* a block that is not full waits */
    }
    for (unsigned k = 0; k < 15; k++)
        expect_datum(k, k / 3, k % 3);
    assert_int_equal(half_at(BASE + 30), 0); /* completed with zeros */
    untouched_from(BASE + 32);
    run((struct tensix_PACR){.read_intf_sel = 1, .last = 1});
    expect_datum(0, 4, 0); /* from the start again */
}

static void flush_completes_and_packs_nothing(void **state)
{
    (void)state;
    start(NUM_BF16, NUM_BF16);
    set_x(0, 3);
    run((struct tensix_PACR){.read_intf_sel = 1});
    untouched_from(BASE);
    run((struct tensix_PACR){.flush = 1});
    expect_datum(3, 0, 3);
    assert_int_equal(half_at(BASE + 8), 0);
    untouched_from(BASE + 16);
}

static void setreg_completes_the_open_block(void **state)
{
    (void)state;
    start(NUM_BF16, NUM_BF16);
    set_x(0, 3);
    run((struct tensix_PACR){.read_intf_sel = 1});
    struct entry e = {.word = UINT32_C(0x4a800002), .op = TENSIX_OP_PACR_SETREG};
    pack_start(&b.pack, &b.io, 0, &e, b.now);
    pack_clock(&b.pack, &b.io, b.now + 100);
    expect_datum(3, 0, 3);
    assert_int_equal(half_at(BASE + 8), 0);
}

static struct {
    unsigned n, thread;
    uint32_t address, value, half; /* half: what the data were when the register was written */
} wrote;

static bool note_store(void *ctx, unsigned thread, uint32_t address, uint32_t value)
{
    (void)ctx;
    wrote.n++;
    wrote.thread = thread;
    wrote.address = address;
    wrote.value = value;
    wrote.half = half_at(BASE);
    return true;
}

static void setreg(unsigned thread, struct tensix_PACR_SETREG a)
{
    struct entry e = {.word = tensix_PACR_SETREG_encode(a), .op = TENSIX_OP_PACR_SETREG};
    pack_start(&b.pack, &b.io, thread, &e, b.now);
}

/* Blackhole: mode_sel loads a half of the data (bit 2: which; bits 3 to 18), push and flush write them to
   0xFFB, 2 bits, stream_id, 10 bits, 00, behind the rows before them. */
static void setreg_writes_a_register(void **state)
{
    (void)state;
    start(NUM_BF16, NUM_BF16);
    memset(&wrote, 0, sizeof wrote);
    b.l1.store = note_store;
    b.regwrite.pack = 0x10au | 0x3u << 10 | 1u << 20 | 1u << 22;
    struct entry low = {.word = UINT32_C(0x4a400000) | 0xbeef << 3, .op = TENSIX_OP_PACR_SETREG};
    struct entry high = {.word = low.word ^ (0xbeef ^ 0xdead) << 3 ^ 4,
                         .op = TENSIX_OP_PACR_SETREG};
    pack_start(&b.pack, &b.io, 0, &low, b.now++);
    pack_start(&b.pack, &b.io, 0, &high, b.now++);
    set_x(0, 3);
    struct entry row = entry_of((struct tensix_PACR){.read_intf_sel = 1});
    pack_start(&b.pack, &b.io, 0, &row, b.now++);
    setreg(2, (struct tensix_PACR_SETREG){.push = 1, .flush = 1, .stream_id = 9});
    pack_clock(&b.pack, &b.io, b.now + T_PACK_PIPE - 1);
    assert_int_equal(wrote.n, 0);
    pack_clock(&b.pack, &b.io, b.now + T_PACK_PIPE);
    assert_int_equal(wrote.n, 1);
    assert_int_equal(wrote.thread, 2);
    assert_int_equal(wrote.address, 0xFFB40000 + (9 << 12) + (0x10a << 2));
    assert_int_equal(wrote.value, 0xdeadbeef);
    assert_int_equal(wrote.half, 0x3f80);
    setreg(0, (struct tensix_PACR_SETREG){.push = 1, .flush = 1, .stream_id = 63, .addr_sel = 1});
    pack_clock(&b.pack, &b.io, b.now + 100);
    assert_int_equal(wrote.address, 0xFFB40000 + (63 << 12) + 12);
    assert_int_equal(wrote.n, 2);
    setreg(0, (struct tensix_PACR_SETREG){.push = 1});
    setreg(0, (struct tensix_PACR_SETREG){.flush = 1});
    setreg(0, (struct tensix_PACR_SETREG){.push = 1, .flush = 1, .addr_sel = 2});
    b.regwrite.pack = 0;
    setreg(0, (struct tensix_PACR_SETREG){.push = 1, .flush = 1, .stream_id = 16});
    pack_clock(&b.pack, &b.io, b.now + 200);
    assert_int_equal(wrote.n, 2);
    assert_int_equal(b.probe.count[DIAG_REGWRITE_SELECT], 1);
    assert_int_equal(b.probe.count[DIAG_REGWRITE_RANGE], 1);
}

static void addresses_have_a_header_and_channel_1(void **state)
{
    (void)state;
    start(NUM_BF16, NUM_BF16);
    set(CFG_PCK_SUB_L1_TILE_HEADER_SIZE, 0, 1);
    run((struct tensix_PACR){.last = 1});
    assert_int_equal(half_at(BASE - 16), 0x3f80);
    start(NUM_BF16, NUM_BF16);
    set(CFG_PCK0_CH1_YSTRIDE, 0, 24);
    set(CFG_PCK0_CH1_ZSTRIDE, 0, 256);
    set(CFG_PCK0_CH1_WSTRIDE, 0, 4096);
    set(CFG_PCK0_BASE_1, 0, 16);
    counter(1, ADC_Y)->v = 1;
    counter(1, ADC_Z)->v = 2;
    counter(1, ADC_W)->v = 1;
    run((struct tensix_PACR){.last = 1}); /* 16 + 24 + 512 + 4096, in steps of 16 */
    assert_int_equal(half_at(BASE + 32 + 512 + 4096), 0x3f80);
}

static void blocks_have_their_exponents_in_front(void **state)
{
    (void)state;
    start(NUM_BF16, NUM_BFP8);
    set(CFG_PCK_EXP_SECTION_SIZE, 0, 4);
    for (unsigned i = 0; i < 5; i++) {
        counter(0, ADC_Y)->v = 4 * i;
        run((struct tensix_PACR){.last = i == 4});
        if (i < 3)
            untouched_from(BASE);
    }
    for (unsigned r = 0; r < 20; r++) {
        assert_int_equal(b.bytes[BASE + r], 127 + (16 * r + 15) / 128);
        assert_int_equal(b.bytes[BASE + 64 + 16 * r] & 0x80, 0);
    }
    assert_int_equal(b.bytes[BASE + 20], 0);
    assert_int_equal(b.bytes[BASE + 31], 0);
    assert_int_equal(b.bytes[BASE + 32], 0xaa);
    assert_int_equal(b.bytes[BASE + 64], 0x40); /* 1.0 is 64/64 */
}

static void small_datums_of_three_rows_are_completed(void **state)
{
    (void)state;
    start(NUM_BF16, NUM_BFP4);
    set(CFG_PCK_EXP_SECTION_SIZE, 0, 1);
    run((struct tensix_PACR){.read_intf_sel = 7, .last = 1});
    assert_int_equal(b.bytes[BASE + 16], 0x44); /* 48 datums are 24 bytes */
    assert_int_equal(b.bytes[BASE + 16 + 23], 0x55);
    for (unsigned i = 24; i < 32; i++)
        assert_int_equal(b.bytes[BASE + 16 + i], 0);
    untouched_from(BASE + 16 + 32);
}

static void accumulation_adds_to_what_is_in_l1_when_it_lands(void **state)
{
    (void)state;
    start(NUM_BF16, NUM_BF16);
    set(CFG_PCK_L1_ACC, 0, 1);
    set_x(0, 3);
    go((struct tensix_PACR){.read_intf_sel = 1, .last = 1});
    memset(b.bytes + BASE, 0, 16);
    b.bytes[BASE] = 0x80; /* 1.0, written while the datums are on their way */
    b.bytes[BASE + 1] = 0x3f;
    b.bytes[BASE + 8] = 0x77;
    pack_clock(&b.pack, &b.io, b.now + 100);
    assert_int_equal(half_at(BASE), 0x4000);
    expect_datum(1, 0, 1);
    assert_int_equal(half_at(BASE + 8), 0); /* completion does not add */
}

/* ---- masks ---- */

static void edge_masks_by_row_and_column(void **state)
{
    (void)state;
    start(NUM_BF16, NUM_BF16);
    set(CFG_PCK_EDGE_MASK, 0, 0x00ff);
    set(CFG_PCK_EDGE_MASK, 3, 0x8001);
    set(CFG_PCK_ROW_SET_SELECT, 0, 2);
    b.config.word[0][cfg_word(CFG_PCK_ROW_SET_MAPPING) + 2] = 3u << 10; /* row 5: mask 3 */
    for (unsigned i = 0; i < 2; i++) {
        counter(0, ADC_Y)->v = 4 * i;
        run((struct tensix_PACR){.last = i == 1});
    }
    for (unsigned k = 0; k < 128; k++) {
        unsigned mask = k / 16 == 5 ? 0x8001 : 0x00ff;
        assert_int_equal(half_at(BASE + 2 * k), mask >> k % 16 & 1 ? 0x3f80 + k : 0);
    }
}

static void the_position_returns_to_zero_only_when_it_lands_on_the_plane(void **state)
{
    (void)state;
    start(NUM_BF16, NUM_BF16);
    set(CFG_PCK_READS_PER_XY_PLANE, 0, 6);
    run((struct tensix_PACR){.read_intf_sel = 7});
    assert_int_equal(b.pack.at.row, 3);
    run((struct tensix_PACR){.read_intf_sel = 7});
    assert_int_equal(b.pack.at.row, 0);
    assert_int_equal(b.pack.at.plane, 1);
    run((struct tensix_PACR){.read_intf_sel = 0});
    run((struct tensix_PACR){.read_intf_sel = 0});
    assert_int_equal(b.pack.at.row, 8); /* stepped over it */
    run((struct tensix_PACR){.last = 1});
    assert_int_equal(b.pack.at.row | b.pack.at.plane, 0);
}

static void face_sets_choose_by_plane(void **state)
{
    (void)state;
    start(NUM_BF16, NUM_BF16);
    set(CFG_PCK_READS_PER_XY_PLANE, 0, 4);
    set(CFG_PCK_FACE_SET_ENABLE, 0, 1);
    set(CFG_PCK_FACE_SET_SELECT, 0, 1);
    b.config.word[0][cfg_word(CFG_PCK_FACE_SET_MAPPING) + 1] = 2u << 2;    /* plane 1: row set 2 */
    b.config.word[0][cfg_word(CFG_PCK_ROW_SET_MAPPING) + 2] = 0x55555555u; /* all rows: mask 1 */
    set(CFG_PCK_EDGE_MASK, 1, 0);
    run((struct tensix_PACR){0});
    run((struct tensix_PACR){.last = 1});
    expect_datum(63, 3, 15);
    assert_int_equal(half_at(BASE + 128), 0);
}

static void masked_datums_can_be_minus_infinity(void **state)
{
    (void)state;
    start(NUM_BF16, NUM_BF16);
    set(CFG_PCK_EDGE_MASK, 0, 1);
    set(CFG_PCK_EDGE_MODE, 0, 1);
    run((struct tensix_PACR){.read_intf_sel = 1, .last = 1});
    expect_datum(0, 0, 0);
    assert_int_equal(half_at(BASE + 2), 0xff80);
    set(CFG_APPLY_RELU, 0, 1); /* which comes behind the mask */
    run((struct tensix_PACR){.read_intf_sel = 1, .last = 1});
    assert_int_equal(half_at(BASE + 2), 0);
}

static void downsampling_keeps_the_datums_of_its_mask(void **state)
{
    (void)state;
    start(NUM_BF16, NUM_BF16);
    set(CFG_PCK_DOWNSAMPLE_MASK, 0, 0x1111);
    run((struct tensix_PACR){.read_intf_sel = 3, .last = 1});
    for (unsigned k = 0; k < 8; k++)
        expect_datum(k, k / 4, k % 4 * 4);
    untouched_from(BASE + 16);
}

static void exponents_are_counted_while_statistics_are_on(void **state)
{
    (void)state;
    start(NUM_BF16, NUM_BF16);
    run((struct tensix_PACR){.last = 1});
    assert_int_equal(b.meta.histogram.bin[127 & 31], 0);
    b.config.thread[1][THCFG_ENABLE_ACC_STATS >> 16] = 1;
    run((struct tensix_PACR){.last = 1});
    assert_int_equal(b.meta.histogram.bin[127 & 31], 64);
    assert_int_equal(b.meta.histogram.most, 127);
}

/* A bin holds 255 at most: four PACRs of 64 datums of one exponent fill it, and one more changes nothing. */
static void a_bin_of_the_histogram_saturates(void **state)
{
    static const unsigned after[] = {64, 128, 192, 255, 255};
    (void)state;
    start(NUM_BF16, NUM_BF16);
    b.config.thread[1][THCFG_ENABLE_ACC_STATS >> 16] = 1;
    for (unsigned i = 0; i < sizeof after / sizeof *after; i++) {
        run((struct tensix_PACR){.last = 1});
        for (unsigned bin = 0; bin < 32; bin++)
            assert_int_equal(b.meta.histogram.bin[bin], bin == (127 & 31) ? after[i] : 0);
    }
}

/* Sizes in 16 bytes when a tile ends with Last; a header counts one. TDMA-RISC's offset moves the output. */
static void tiles_are_measured(void **state)
{
    (void)state;
    start(NUM_BF16, NUM_BF16);
    run((struct tensix_PACR){0});
    assert_int_equal(b.meta.last_size, 0);
    run((struct tensix_PACR){.last = 1});
    assert_int_equal(b.meta.last_size, 16);
    assert_int_equal(b.meta.sum[0], 16);
    set(CFG_PCK_ADD_TILE_HEADER_SIZE, 0, 1);
    run((struct tensix_PACR){.last = 1});
    assert_int_equal(b.meta.last_size, 8);
    assert_int_equal(b.meta.sum[0], 25);
    assert_int_equal(packmeta_last(&b.meta, 0), 8);
    assert_int_equal(packmeta_last(&b.meta, 1), 0);
    start(NUM_BF16, NUM_BFP8);
    set(CFG_PCK_EXP_SECTION_SIZE, 0, 1);
    run((struct tensix_PACR){.last = 1});
    assert_int_equal(b.meta.last_size, 4 + 1); /* 64 bytes, 4 exponents in one block */
    start(NUM_BF16, NUM_BF16);
    b.meta.l1_offset[0] = 3;
    run((struct tensix_PACR){.last = 1});
    assert_int_equal(half_at(BASE), 0x3f80);
    set(CFG_PCK_ADD_L1_DEST_ADDR_OFFSET, 0, 1);
    run((struct tensix_PACR){.last = 1});
    assert_int_equal(half_at(BASE + 48), 0x3f80);
}

/* ---- time ---- */

static void a_tile_takes_sixteen_cycles_and_the_pipe(void **state)
{
    (void)state;
    start(NUM_BF16, NUM_BF16);
    uint64_t first = b.now, last = 0;
    for (unsigned i = 0; i < 16; i++) {
        counter(0, ADC_Y)->v = 4 * i;
        last = go((struct tensix_PACR){.last = i == 15});
    }
    assert_int_equal(last - first, 15);
    assert_int_equal(b.pack.done_at[0] - first, 25);
    for (; b.now < first + 24; b.now++) {
        pack_clock(&b.pack, &b.io, b.now - 1);
        assert_true(pack_holds(&b.pack));
    }
    untouched_from(BASE + 2 * 64 * 15);
    pack_clock(&b.pack, &b.io, first + 24);
    assert_false(pack_holds(&b.pack));
    for (unsigned k = 0; k < 1024; k++)
        expect_datum(k, k / 16, k % 16);
}

static void rows_of_words_take_two_cycles(void **state)
{
    (void)state;
    start(NUM_FP32, NUM_FP32);
    set(CFG_PCK_READ_32B, 0, 1);
    uint64_t first = go((struct tensix_PACR){0});
    struct entry e = entry_of((struct tensix_PACR){0});
    assert_int_equal(pack_check(&b.pack, &b.io, 0, &e, first + 1),
                     wait_key(WAIT_UNIT_BUSY, OWNER_PACK));
    assert_int_equal(go((struct tensix_PACR){.last = 1}), first + 2);
    set_x(0, 7);
    assert_int_equal(go((struct tensix_PACR){0}), first + 4 + T_PACK_PIPE);
    assert_int_equal(go((struct tensix_PACR){0}), first + 5 + T_PACK_PIPE);
}

/* The next tile begins when the last one is in L1. */
static void the_last_row_of_a_tile_drains_it(void **state)
{
    (void)state;
    start(NUM_FP32, NUM_BF16);
    uint64_t first = go((struct tensix_PACR){0});
    uint64_t last = go((struct tensix_PACR){.last = 1});
    assert_int_equal(last - first, go((struct tensix_PACR){0}) - last - T_PACK_PIPE);
}

static void rows_written_just_now_hold_it(void **state)
{
    (void)state;
    start(NUM_BF16, NUM_BF16);
    struct entry e = entry_of((struct tensix_PACR){.last = 1});
    counter(0, ADC_Y)->v = 20;
    dst_write(&b.dst, 16, b.now); /* the same block of eight rows */
    for (unsigned i = 1; i <= T_DST_WINDOW; i++)
        assert_int_equal(pack_check(&b.pack, &b.io, 0, &e, b.now + i),
                         wait_key(WAIT_DST_WINDOW, OWNER_MATRIX));
    assert_int_equal(pack_check(&b.pack, &b.io, 0, &e, b.now + T_DST_WINDOW + 1), 0);
    counter(0, ADC_Y)->v = 24; /* the next one */
    assert_int_equal(pack_check(&b.pack, &b.io, 0, &e, b.now + 1), 0);
    set(CFG_PCK_READ_32B, 0, 1); /* the low halves of rows 0..7 lie in block 1 */
    counter(0, ADC_Y)->v = 0;
    dst_write(&b.dst, 8, b.now);
    assert_int_not_equal(pack_check(&b.pack, &b.io, 0, &e, b.now + 1), 0);
}

static void late_clocks_land_everything_in_order(void **state)
{
    (void)state;
    start(NUM_BF16, NUM_BF16);
    for (unsigned i = 0; i < 40; i++) { /* all to the same place; nobody clocks */
        struct entry e = entry_of((struct tensix_PACR){.last = 1});
        counter(0, ADC_Y)->v = 4 * i;
        pack_start(&b.pack, &b.io, 0, &e, b.now++);
    }
    pack_clock(&b.pack, &b.io, b.now + 1000);
    expect_datum(0, 4 * 39, 0);
}

/* ---- garbage ---- */

static void any_configuration_is_harmless(void **state)
{
    (void)state;
    struct rng r = rng_of(SEED, 1);
    start(NUM_BF16, NUM_BF16);
    for (unsigned i = 0; i < (WG_SLOW_BUILD ? 3000 : 30000); i++) {
        for (unsigned n = rng_below(&r, 6); n; n--)
            b.config.word[rng_below(&r, 2)][rng_below(&r, CONFIG_WORDS)] = rng_next(&r);
        b.config.thread[0][rng_below(&r, CONFIG_THREAD_WORDS)] = (uint16_t)rng_next(&r);
        counter(rng_below(&r, 2), rng_below(&r, 4))->v =
            rng_next(&r) & bits_mask(rng_below(&r, 18));
        struct entry e = {.word = (rng_next(&r) & 0xffffff) | UINT32_C(0x41000000),
                          .op = TENSIX_OP_PACR};
        if (rng_below(&r, 10) == 0)
            e = (struct entry){.word = UINT32_C(0x4a800002), .op = TENSIX_OP_PACR_SETREG};
        while (pack_check(&b.pack, &b.io, 0, &e, b.now))
            b.now++;
        uint64_t through = pack_start(&b.pack, &b.io, 0, &e, b.now);
        assert_true(through > b.now && through < b.now + 16);
        if (rng_below(&r, 3) == 0)
            pack_clock(&b.pack, &b.io, b.now);
        assert_true(pack_next(&b.pack, b.now) >= b.now);
    }
}

TEST_MAIN(cmocka_unit_test(the_mask_selects_rows_relative_to_the_start_row),
          cmocka_unit_test(rows_add_offset_and_strides),
          cmocka_unit_test(strided_mode_reads_rows_sixteen_apart),
          cmocka_unit_test(the_x_range_takes_a_part_of_each_row),
          cmocka_unit_test(invalid_rows_and_zero_writes_are_zeros),
          cmocka_unit_test(words_lie_in_two_rows),
          cmocka_unit_test(counters_move_by_the_address_modifier),
          cmocka_unit_test(another_threads_counters_can_be_used),
          cmocka_unit_test(output_is_appended_until_last),
          cmocka_unit_test(flush_completes_and_packs_nothing), cmocka_unit_test(tiles_are_measured),
          cmocka_unit_test(setreg_writes_a_register),
          cmocka_unit_test(setreg_completes_the_open_block),
          cmocka_unit_test(addresses_have_a_header_and_channel_1),
          cmocka_unit_test(blocks_have_their_exponents_in_front),
          cmocka_unit_test(small_datums_of_three_rows_are_completed),
          cmocka_unit_test(accumulation_adds_to_what_is_in_l1_when_it_lands),
          cmocka_unit_test(edge_masks_by_row_and_column),
          cmocka_unit_test(the_position_returns_to_zero_only_when_it_lands_on_the_plane),
          cmocka_unit_test(face_sets_choose_by_plane),
          cmocka_unit_test(masked_datums_can_be_minus_infinity),
          cmocka_unit_test(downsampling_keeps_the_datums_of_its_mask),
          cmocka_unit_test(exponents_are_counted_while_statistics_are_on),
          cmocka_unit_test(a_bin_of_the_histogram_saturates),
          cmocka_unit_test(a_tile_takes_sixteen_cycles_and_the_pipe),
          cmocka_unit_test(rows_of_words_take_two_cycles),
          cmocka_unit_test(the_last_row_of_a_tile_drains_it),
          cmocka_unit_test(rows_written_just_now_hold_it),
          cmocka_unit_test(late_clocks_land_everything_in_order),
          cmocka_unit_test(any_configuration_is_harmless))
