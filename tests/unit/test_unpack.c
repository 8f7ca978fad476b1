/*
 * Unpackers: which datums go where, in which bank, and what comes with it. Random settings against a reference that
 * goes datum by datum as the page UNPACR (Regular) does; the bank hand-over one by one.
 */
#include "unpack_drive.h"

#include "num/format.h"
#include "num/from_l1.h"

#define SEED UINT64_C(20250117)

/* ---- the common cases ---- */

static void a_tile_fills_its_bank_row_by_row(void **state)
{
    (void)state;
    rng = rng_of(SEED, 1);
    fill_l1();
    for (unsigned u = 0; u < 2; u++) {
        start(NUM_BF16, NUM_BF16, 1024);
        uint64_t version = d.t.src.version[u][0];
        run(tensix_UNPACR_encode(unpacr(u)));
        assert_true(d.t.src.version[u][0] != version);
        for (unsigned i = 0; i < 1024; i++)
            assert_int_equal(d.t.src.d[u][0][i / 16][i % 16], bf16_cell(half(0x1000 + 2 * i)));
        assert_int_equal(d.t.src.owner[u][0], SRC_MATRIX);
        assert_int_equal(d.t.src.format[u][0], NUM_BF16);
        assert_int_equal(d.t.src.unpack_bank[u], 1);
        assert_int_equal(d.t.probe.n_diags, 0);
    }
}

/* The output address has 18 bits; what else is in its word is not looked at. From address 0 on, SrcA misses four rows. */
static void the_output_address_has_18_bits(void **state)
{
    (void)state;
    rng = rng_of(SEED, 1);
    fill_l1();
    for (unsigned bit = 17; bit < 32; bit++) {
        start(NUM_BF16, NUM_BF16, 1024);
        set(CFG_UNP_DEST_CNTX, 0, 0, 0);
        set(CFG_UNP0_ADD_DEST_ADDR_CNTR, 0, 0, 1);
        d.t.config.word[0][cfg_word(CFG_UNP0_BASE_1)] |= UINT32_C(1) << bit;
        run(tensix_UNPACR_encode(unpacr(0)));
        /* an address of 2^17 is far behind the four */
        unsigned missed = bit == 17 ? 0 : 64, first = missed ? 0 : 60;
        for (unsigned i = 0; i < 1024 - missed; i++)
            assert_int_equal(d.t.src.d[0][0][(i / 16 + first) % 64][i % 16],
                             bf16_cell(half(0x1000 + 2 * (i + missed))));
        for (unsigned i = 1024 - missed; i < 1024; i++)
            assert_int_equal(d.t.src.d[0][0][i / 16][i % 16], 0);
    }
}

static void faces_come_by_the_z_counter(void **state)
{
    (void)state;
    rng = rng_of(SEED, 2);
    fill_l1();
    start(NUM_BF16, NUM_BF16, 256);
    struct tensix_UNPACR a = unpacr(1);
    a.addr_mode = 1; /* ch0 Z */
    for (unsigned face = 0; face < 2; face++) {
        run(tensix_UNPACR_encode(a));
        for (unsigned i = 0; i < 256; i++)
            assert_int_equal(d.t.src.d[1][face][i / 16][i % 16],
                             bf16_cell(half(0x1000 + 512 * face + 2 * i)));
    }
    assert_int_equal(d.t.adc.c[0][ADC_UNPACK1][0][ADC_Z].v, 2);
}

static void transposing_swaps_row_and_column_of_each_face(void **state)
{
    (void)state;
    rng = rng_of(SEED, 3);
    fill_l1();
    start(NUM_BF16, NUM_BF16, 512);
    set(CFG_UNP_HALOIZE_MODE, 0, 0, 1);
    run(tensix_UNPACR_encode(unpacr(0)));
    for (unsigned i = 0; i < 512; i++)
        assert_int_equal(d.t.src.d[0][0][i / 256 * 16 + i % 16][i / 16 % 16],
                         bf16_cell(half(0x1000 + 2 * i)));
}

static void tilizing_takes_rows_of_32_datums(void **state)
{
    (void)state;
    rng = rng_of(SEED, 4);
    fill_l1();
    start(NUM_BF16, NUM_BF16, 1024);
    set(CFG_UNP_TILEIZE_MODE, 0, 0, 1);
    set(CFG_UNP_SHIFT_AMOUNT, 0, 0, 0x120 / 16 % 16); /* rows are 0x120 bytes apart */
    set(CFG_UNP_SHIFT_AMOUNT, 0, 4, 0x120 / 256);
    run(tensix_UNPACR_encode(unpacr(0)));
    for (unsigned i = 0; i < 1024; i++)
        assert_int_equal(d.t.src.d[0][0][i / 16][i % 16],
                         bf16_cell(half(0x1000 + i / 32 * 0x120 + i % 32 * 2)));
}

static void to_dst_in_16_and_32_bits(void **state)
{
    (void)state;
    rng = rng_of(SEED, 5);
    fill_l1();
    for (unsigned access = 0; access < 4; access++) {
        start(NUM_FP32, NUM_FP32, 256);
        memset(d.t.dst.valid, 0, sizeof d.t.dst.valid);
        set(CFG_UNP_IF_SEL_CNTX, 0, 0, 1);
        set_thread(0, THCFG_SRCA_SET_OVRD_WITH_ADDR, 0, 0);
        set(CFG_DEST_SWIZZLE_32B, 0, 0, access & 1);
        set(CFG_DEST_REMAP_ADDRS, 0, 0, access >> 1);
        set(CFG_UNP_DEST_CNTX, 0, 0, 64 + 16 * 40);
        memset(d.t.dst.valid, 0, sizeof d.t.dst.valid);
        struct tensix_UNPACR a = unpacr(0);
        a.set_dat_valid = 0;
        run(tensix_UNPACR_encode(a));
        for (unsigned i = 0; i < 256; i++) {
            unsigned row = dst_row32(40 + i / 16, access);
            assert_int_equal(d.t.dst.d[row + 8][i % 16], half(0x1000 + 4 * i));
            assert_int_equal(d.t.dst.d[row][i % 16], layout_bf16_to_dst(half(0x1002 + 4 * i)));
            assert_int_equal(d.t.dst.valid[row], 1);
            assert_int_equal(d.t.dst.valid[row + 8], 0);
        }
        set(CFG_UNP_IN_DATA_FORMAT, 0, 0, NUM_FP16);
        set(CFG_UNP_OUT_DATA_FORMAT, 0, 0, NUM_FP16);
        run(tensix_UNPACR_encode(a));
        for (unsigned i = 0; i < 256; i++)
            assert_int_equal(d.t.dst.d[dst_row16(40 + i / 16, access)][i % 16],
                             layout_fp16_to_dst(half(0x1000 + 2 * i)));
        assert_int_equal(d.t.probe.n_diags, 0);
    }
}

/* ---- any settings, datum by datum ---- */

struct settings {
    unsigned u, thread, in, out, context;
    bool multi, to_dst, transpose, tilize, no_section, forced, over, interleave, zero;
    uint32_t x_dim, y_dim, z_dim, w_dim, digest, base, offset;
    uint32_t x, y, z, w, x_end, out_y, out_z, out_w;
    uint32_t y_stride, z_stride, w_stride, out_base, own, adds;
    uint32_t row_stride, shift, upsample, limit, fifo, exponent, src_row;
};

static uint32_t cells[64][16];  /* the Src bank */
static uint16_t rows[1024][16]; /* Dst */

static uint32_t wrap(const struct settings *s, uint32_t address)
{
    return address > s->limit * 16 ? address - s->fifo * 16 : address;
}

static uint32_t l1_word(uint64_t address)
{
    uint32_t v = 0;
    for (unsigned i = 0; i < 4; i++)
        v |= (uint32_t)l1[(address + i) % L1_SIZE] << (8 * i);
    return v;
}

static void put(const struct settings *s, unsigned kind, uint32_t value, uint32_t out)
{
    uint32_t row = out / 16;
    unsigned column = out % 16;
    uint16_t high, low;
    if (s->to_dst) {
        row = (row - 4) & (s->over ? 15 : 1023);
        from_l1_to_dst32(kind, &value, 1, &high, &low);
        unsigned at = s->out % 4 == 0 ? dst_row32(row, 0) : row;
        rows[at][column] = high;
        if (s->out % 4 == 0)
            rows[at + 8][column] = low;
        return;
    }
    from_l1_to_src(kind, &value, 1);
    if (s->u == 1) {
        cells[(row + s->src_row) & 63][column] = value;
        return;
    }
    if (row < 4 || column < s->shift)
        return;
    row -= 4;
    column -= s->shift;
    row = (row + (s->over ? 0 : s->src_row)) & 63;
    if (s->transpose)
        cells[(row & 48) + column][row & 15] = value;
    else
        cells[row][column] = value;
}

/* The page's main loop. */
static void reference(const struct settings *s)
{
    static const unsigned sizes[16] = {32, 16, 8, 4, 32, 16, 8, 4, 32, 16, 8, 2, 0, 0, 8, 2};
    unsigned bits = sizes[s->in], width = s->tilize && bits > 8 ? 32 : 16;
    bool block = s->in == 2 || s->in == 3 || s->in == 6 || s->in == 7 || s->in == 11 || s->in == 15;
    uint32_t address = (s->base + s->offset + 1 + s->digest) * 16, exponents = address;
    uint32_t z_dim = s->z_dim ? s->z_dim : 1, w_dim = s->w_dim ? s->w_dim : 1;
    if (block && !s->forced && (bits == 8 || !s->no_section))
        address += (s->x_dim * s->y_dim * z_dim * w_dim + 255) / 256 * 16;
    uint32_t first = ((s->w * z_dim + s->z) * s->y_dim + s->y) * s->x_dim + s->x;
    uint64_t bit = (uint64_t)wrap(s, address + first * bits / 8) * 8 + first * bits % 8;
    uint64_t exponent_at = (uint64_t)wrap(s, exponents + first / 16) * 16 + first % 16;
    uint32_t out =
        s->out_base + s->out_y * s->y_stride + s->out_z * s->z_stride + s->out_w * s->w_stride;
    out /= s->out % 4 == 0 ? 4 : s->out % 4 == 1 ? 2 : 1;
    if (s->multi && s->u == 0)
        out = s->to_dst || s->adds ? out + s->own : s->own;
    struct from_l1 f = {.in = (uint8_t)s->in, .out = (uint8_t)s->out};
    for (uint32_t i = 0, n = s->x_end + 1 - s->x; i < n; i++) {
        uint32_t datum, value, zero = 0;
        datum = l1_word(bit / 8);
        datum = bits == 32 ? datum : datum >> bit % 8 & ((1u << bits) - 1);
        uint8_t e = s->forced ? (uint8_t)s->exponent : l1[exponent_at / 16 % L1_SIZE];
        unsigned kind = from_l1_values(&f, (const uint8_t *)&datum, 0, &e, 0, 1, &value);
        bit += bits;
        if ((i + 1) % width == 0) {
            uint32_t next =
                (uint32_t)(bit / 8) + (s->tilize ? s->row_stride - width * bits / 8 : 0);
            bit = (uint64_t)wrap(s, next) * 8 + bit % 8;
        }
        if (++exponent_at % 256 == 0)
            exponent_at = (uint64_t)wrap(s, (uint32_t)(exponent_at / 16)) * 16;
        put(s, kind, s->zero ? 0 : value, out++);
        for (unsigned k = 1; k < 1u << s->upsample; k++, out++)
            if (!s->interleave)
                put(s, FROM_L1_RAW16, zero, out);
    }
}

static void choose_formats(struct settings *s)
{
    static const uint8_t plain[] = {1, 2, 3, 5, 6, 7, 9, 10, 11, 14, 15};
    static const uint8_t from_fp32[] = {NUM_TF32, NUM_BF16, NUM_FP16};
    s->in = s->out = plain[below(sizeof plain)];
    if (percent(25)) {
        s->in = NUM_FP32;
        s->out = from_fp32[below(3)];
    }
    if (s->to_dst && percent(30))
        s->in = s->out = percent(50) ? NUM_INT32 : NUM_FP32;
}

static struct settings choose(void)
{
    struct settings s = {
        .u = below(2), .thread = below(3), .multi = percent(70), .over = percent(60)};
    s.context = s.multi ? below(s.u ? 2 : 8) : 0;
    s.to_dst = s.u == 0 && percent(30);
    choose_formats(&s);
    bool wide = s.in % 4 < 2, byte = s.in % 4 == 2;
    s.x_dim = 16 * (1 + below(32));
    s.y_dim = 1 + below(8);
    s.z_dim = below(5);
    s.w_dim = below(3);
    s.digest = percent(20) ? below(4) : 0;
    s.base = 0x800 + below(0x8000);
    s.offset = percent(20) ? below(0x1000) : 0;
    s.x = percent(60) ? 0 : below(40);
    s.y = below(4);
    s.z = below(4);
    s.w = below(2);
    s.x_end = s.x + below(percent(80) ? 300 : 1100);
    s.tilize = (wide || byte) && percent(20);
    s.transpose = s.u == 0 && !s.to_dst && percent(25);
    if (s.tilize || s.transpose)
        s.x &= ~31u;
    s.row_stride = 16 * below(4096);
    s.shift = s.u == 0 && !s.to_dst && !s.tilize && percent(20) ? below(16) : 0;
    s.upsample = !s.tilize && percent(15) ? below(4) : 0;
    s.interleave = percent(50);
    s.no_section = percent(20);
    s.forced = percent(20);
    s.exponent = below(256);
    s.zero = percent(5);
    s.fifo = percent(25) ? below(64) * 16 : 0;
    s.limit = s.base + below(64);
    s.out_y = below(4);
    s.out_z = below(4);
    s.out_w = percent(20);
    s.y_stride = 4 * below(64);
    s.z_stride = 4 * below(512);
    s.w_stride = 4 * below(16);
    s.out_base = percent(20) ? 4 * below(64) : 0;
    s.own = percent(60) ? 64 : below(400);
    s.adds = percent(30);
    s.src_row = 16 * below(4);
    return s;
}

static void apply(const struct settings *s)
{
    unsigned sec = s->u * CFG_UNP_STEP, c = s->context, c3 = c & 3, b = s->u;
    bool per_context = s->multi && percent(30);
    set(CFG_UNP_IN_DATA_FORMAT, sec, 0, per_context ? below(16) : s->in);
    set(CFG_UNP_OUT_DATA_FORMAT, sec, 0, per_context ? below(16) : s->out);
    set(CFG_UNP_OVRD_DATA_FORMAT, sec, 0, per_context);
    set(CFG_UNP_DATA_FORMAT_CNTX, sec + c3, c & 4 ? 8 : 0, s->in);
    set(CFG_UNP_OUT_DATA_FORMAT_CNTX, sec + c3, c & 4 ? 8 : 0, s->out);
    set(CFG_UNP_IS_UNCOMPRESSED, sec, 0, !s->multi);
    set(CFG_UNP_DISABLE_ZERO_COMPRESS, sec, c3 + (c & 4 ? 16 : 0), s->multi);
    set(CFG_UNP_NO_BFP_EXP_SECTION, sec, 0, s->no_section);
    bool own_x = s->multi && s->u == 0;
    set(CFG_UNP_X_DIM, sec, 0, own_x ? 7 : s->x_dim);
    if (own_x)
        set(CFG_UNP_TILE_X_DIM, c3 / 2, c3 % 2 * 16, s->x_dim);
    set(CFG_UNP_Y_DIM, sec, 0, s->y_dim);
    set(CFG_UNP_Z_DIM, sec, 0, s->z_dim);
    set(CFG_UNP_W_DIM, sec, 0, s->w_dim);
    set(CFG_UNP_DIGEST_SIZE, sec, 0, s->digest);
    set(CFG_UNP_BASE_ADDRESS, sec + c, 0, s->base);
    set(CFG_UNP_OFFSET_ADDRESS, sec + c3, 0, s->offset);
    set(CFG_UNP_HALOIZE_MODE, sec, 0, s->transpose);
    set(CFG_UNP_TILEIZE_MODE, sec, 0, s->tilize);
    for (unsigned i = 0; i < 3; i++)
        set(CFG_UNP_SHIFT_AMOUNT, sec, 4 * i, s->tilize ? s->row_stride >> (4 + 4 * i) & 15 : 0);
    if (!s->tilize && s->u == 0)
        set(CFG_UNP_SHIFT_AMOUNT, sec, 4 * c3, s->shift);
    set(CFG_UNP_UPSAMPLE_RATE, sec, 0, s->upsample);
    set(CFG_UNP_UPSAMPLE_INTERLEAVE, sec, 0, s->interleave);
    set(CFG_UNP_FORCE_SHARED_EXP, sec, 0, s->forced);
    set(b ? CFG_UNP1_FORCED_SHARED_EXP : CFG_UNP0_FORCED_SHARED_EXP, 0, 0, s->exponent);
    set(CFG_UNP_LIMIT_ADDRESS, sec, 0, s->limit);
    set(CFG_UNP_FIFO_SIZE, sec, 0, s->fifo);
    if (s->u == 0 && s->multi)
        set(CFG_UNP_IF_SEL_CNTX, sec, c3 + (c & 4 ? 16 : 0), s->to_dst);
    else
        set(CFG_UNP_IF_SEL, sec, 0, s->to_dst);
    set(b ? CFG_UNP1_BASE_1 : CFG_UNP0_BASE_1, 0, 0, s->out_base);
    set(b ? CFG_UNP1_CH1_YSTRIDE : CFG_UNP0_CH1_YSTRIDE, 0, 0, s->y_stride);
    set(b ? CFG_UNP1_CH1_ZSTRIDE : CFG_UNP0_CH1_ZSTRIDE, 0, 0, s->z_stride);
    set(b ? CFG_UNP1_CH1_WSTRIDE : CFG_UNP0_CH1_WSTRIDE, 0, 0, s->w_stride);
    set(CFG_UNP_DEST_CNTX, c3 / 2, c3 % 2 * 16, s->own);
    set(CFG_UNP0_ADD_DEST_ADDR_CNTR, 0, 0, s->adds);
}

/* Runs it; xy: the thread whose X and Y count. */
static void execute(const struct settings *s)
{
    static const uint8_t z_w[2] = {ADC_Z, ADC_W};
    unsigned xy = s->multi ? below(3) : s->thread, split = s->multi ? below(8) : 0;
    const uint32_t zw[2][2] = {{s->z, s->w}, {s->out_z, s->out_w}};
    for (unsigned i = 0; i < 2; i++) {
        set_adc(s->thread, s->u, 0, z_w[i], zw[0][i]);
        set_adc(s->thread, s->u, 1, z_w[i], zw[1][i]);
    }
    set_adc(s->thread, s->u, 1, ADC_Y, s->out_y);
    set_adc(xy, s->u, 0, ADC_X, s->x);
    set_adc(xy, s->u, 0, ADC_Y, s->y);
    set_adc(xy, s->u, 1, ADC_X, s->x_end);
    set_thread(s->thread, THCFG_SRCA_SET_OVRD_WITH_ADDR, 0, s->over);
    set_thread(s->thread, THCFG_UNPACK_CONTEXT_OFFSET, 8 * s->u, (s->context - split) & 7);
    d.t.src.row[s->u][s->thread] = (uint8_t)s->src_row;
    struct tensix_UNPACR a = {.ovrd_thread_id = s->multi,
                              .cfg_context_id = split,
                              .addr_cnt_context_id = xy,
                              .zero_write2 = s->zero,
                              .unpack_block_selection = s->u};
    drive_add(&d, s->thread, tensix_UNPACR_encode(a));
    drive_run(&d);
}

static void any_settings_datum_by_datum(void **state)
{
    (void)state;
    rng = rng_of(SEED, 6);
    fill_l1();
    for (unsigned n = 0; n < 3000; n++) {
        drive_reset(&d);
        d.t.l1 = (struct l1_port){.bytes = l1, .size = L1_SIZE};
        struct settings s = choose();
        for (unsigned i = 0; i < 1024; i++)
            d.t.src.d[s.u][0][i / 16][i % 16] = cells[i / 16][i % 16] = layout_src(1, 0xa5, 0x1a5);
        memset(d.t.dst.d, 0xa5, sizeof rows);
        memset(rows, 0xa5, sizeof rows);
        apply(&s);
        execute(&s);
        reference(&s);
        if (memcmp(cells, d.t.src.d[s.u][0], sizeof cells) || memcmp(rows, d.t.dst.d, sizeof rows))
            fail_msg("case %u: unpacker %u, format %u to %u, tilize %u, transpose %u, to Dst %u, "
                     "shift %u, upsample %u, fifo %u",
                     n,
                     s.u,
                     s.in,
                     s.out,
                     s.tilize,
                     s.transpose,
                     s.to_dst,
                     s.shift,
                     s.upsample,
                     s.fifo);
    }
}

/* ---- contexts ---- */

static void the_context_counter_chooses_the_base(void **state)
{
    (void)state;
    rng = rng_of(SEED, 7);
    fill_l1();
    start(NUM_BF16, NUM_BF16, 16);
    struct tensix_UNPACR a = unpacr(1);
    a.set_dat_valid = 0;
    a.auto_inc_context_id = 1;
    set(CFG_UNP_CONTEXT_COUNT, CFG_UNP_STEP, 0, 1);
    set(CFG_UNP_DISABLE_ZERO_COMPRESS, CFG_UNP_STEP, 1, 1);
    set(CFG_UNP_BASE_ADDRESS, CFG_UNP_STEP + 1, 0, 0x8000 / 16 - 1);
    static const uint32_t from[] = {0x1000, 0x8000, 0x1000};
    for (unsigned i = 0; i < 3; i++) {
        run(tensix_UNPACR_encode(a));
        assert_int_equal(d.t.src.d[1][0][0][3], bf16_cell(half(from[i] + 6)));
    }
    assert_int_equal(d.t.unpack.context[1][0], 1);
    run(tensix_UNPACR_encode(
        (struct tensix_UNPACR){.cfg_context_cnt_inc = 1, .unpack_block_selection = 1}));
    assert_int_equal(d.t.unpack.context[1][0], 0);
    run(tensix_SETC16_encode((struct tensix_SETC16){.setc16_reg = 41, .setc16_value = 1u << 13}));
    assert_int_equal(d.t.unpack.context[1][0], 1);
    assert_int_equal(d.t.unpack.context[0][0], 0);
    run(tensix_SETC16_encode((struct tensix_SETC16){.setc16_reg = 41, .setc16_value = 1u << 12}));
    assert_int_equal(d.t.unpack.context[1][0], 0);
}

/* ---- rows of sets, hand-over ---- */

static void src_row_moves_on_without_hand_over(void **state)
{
    (void)state;
    rng = rng_of(SEED, 8);
    fill_l1();
    start(NUM_BF16, NUM_BF16, 256);
    set_thread(0, THCFG_SRCA_SET_OVRD_WITH_ADDR, 0, 0);
    set_thread(0, THCFG_SRCA_SET_BASE, 0, 1);
    set(CFG_UNP_SRC_REG_SET_UPD, 0, 0, 1);
    struct tensix_UNPACR a = unpacr(0);
    a.set_dat_valid = 0;
    run(tensix_UNPACR_encode(a));
    assert_int_equal(d.t.src.row[0][0], 32);
    a.set_dat_valid = 1;
    run(tensix_UNPACR_encode(a));
    assert_int_equal(d.t.src.row[0][0], 16);
    for (unsigned i = 0; i < 256; i++) {
        assert_int_equal(d.t.src.d[0][0][i / 16][i % 16], bf16_cell(half(0x1000 + 2 * i)));
        assert_int_equal(d.t.src.d[0][0][32 + i / 16][i % 16], bf16_cell(half(0x1000 + 2 * i)));
    }
}

static void data_comes_only_when_the_bank_is_free(void **state)
{
    (void)state;
    rng = rng_of(SEED, 9);
    fill_l1();
    start(NUM_BF16, NUM_BF16, 16);
    src_set_owner(&d.t.src, 0, 0, SRC_MATRIX);
    drive_add(&d, 0, tensix_UNPACR_encode(unpacr(0)));
    for (unsigned i = 0; i < 100; i++)
        drive_step(&d);
    assert_int_equal(d.t.src.d[0][0][0][0], 0);
    src_set_owner(&d.t.src, 0, 0, SRC_UNPACKERS);
    drive_run(&d);
    assert_int_equal(d.t.src.d[0][0][0][0], bf16_cell(half(0x1000)));
    assert_int_equal(d.t.src.owner[0][0], SRC_MATRIX);
}

static void setdvalid_sets_the_implied_format(void **state)
{
    (void)state;
    start(NUM_FP16, NUM_FP16, 16);
    d.t.src.row[1][0] = 32;
    run(tensix_SETDVALID_encode((struct tensix_SETDVALID){.setvalid = 3}));
    for (unsigned u = 0; u < 2; u++) {
        assert_int_equal(d.t.src.format[u][0], NUM_FP16);
        assert_int_equal(d.t.src.owner[u][0], SRC_MATRIX);
        assert_int_equal(d.t.src.row[u][0], 0);
    }
}

/* ---- time ---- */

static uint64_t cycles(unsigned in, unsigned out, unsigned n, uint32_t word70, uint32_t word72)
{
    start(in, out, n);
    for (unsigned b = 0; b < 2; b++) {
        d.t.config.word[b][70] = word70;
        d.t.config.word[b][72] |= word72;
    }
    uint64_t from = d.t.now;
    run(tensix_UNPACR_encode(unpacr(0)));
    return d.t.now - from - DRIVE_FIRST - 2 - T_UNPACK_PIPE;
}

static void the_data_phase_follows_from_the_bytes(void **state)
{
    (void)state;
    assert_int_equal(cycles(NUM_BF16, NUM_BF16, 1024, 0, 0), 16);
    assert_int_equal(cycles(NUM_FP32, NUM_TF32, 1024, 0, 0), 32);
    assert_int_equal(cycles(NUM_BFP8, NUM_BFP8, 1024, 0, 0), 8);
    assert_int_equal(cycles(NUM_BFP4, NUM_BFP4, 1024, 0, 0), 8);
    assert_int_equal(cycles(NUM_BFP2, NUM_BFP2, 1024, 0, 0), 16);
    assert_int_equal(cycles(NUM_BF16, NUM_BF16, 1, 0, 0), 1);
    assert_int_equal(cycles(NUM_BF16, NUM_BF16, 65, 0, 0), 2);
    assert_int_equal(cycles(NUM_BF16, NUM_BF16, 1024, 8, 0), 128);     /* throttled to x1 */
    assert_int_equal(cycles(NUM_BF16, NUM_BF16, 1024, 8, 1 << 4), 64); /* x2 */
    assert_int_equal(cycles(NUM_BF16, NUM_BF16, 1024, 8, 2 << 4),
                     16); /* x4 is twice as wide for 16 bits */
    assert_int_equal(cycles(NUM_INT8, NUM_INT8, 1024, 8, 2 << 4), 16); /* but not for 8 */
    assert_int_equal(cycles(NUM_INT8, NUM_INT8, 1024, 0, 1 << 9), 16); /* tilized */
}

/* ---- anything ---- */

static void garbage_does_no_harm(void **state)
{
    (void)state;
    rng = rng_of(SEED, 10);
    for (unsigned n = 0; n < 400; n++) {
        drive_reset(&d);
        d.t.l1 = (struct l1_port){.bytes = percent(90) ? l1 : NULL, .size = L1_SIZE};
        for (unsigned i = 0; i < CONFIG_WORDS; i++)
            for (unsigned b = 0; b < 2; b++)
                d.t.config.word[b][i] = (uint32_t)rng_next(&rng);
        for (unsigned i = 0; i < 3 * CONFIG_THREAD_WORDS; i++)
            d.t.config.thread[i / CONFIG_THREAD_WORDS][i % CONFIG_THREAD_WORDS] =
                (uint16_t)rng_next(&rng);
        for (unsigned i = 0; i < 48; i++)
            set_adc(i / 16, i / 8 % 2, i / 4 % 2, i % 4, below(percent(80) ? 2000 : 1u << 18));
        for (unsigned i = 0; i < 2; i++)
            drive_add(&d, i, (uint32_t)TENSIX_OP_UNPACR << 24 | below(1u << 24));
        drive_add(&d, 2, (uint32_t)TENSIX_OP_UNPACR_NOP << 24 | below(1u << 24));
        for (unsigned i = 0; i < 80000 && !drive_done(&d); i++)
            drive_step(&d);
        for (unsigned i = 0; i < 4096; i++)
            assert_int_equal(d.t.src.d[i / 2048][i / 1024 % 2][i / 16 % 64][i % 16] & ~NUM_SRC_TF32,
                             0);
    }
}

TEST_MAIN(cmocka_unit_test(a_tile_fills_its_bank_row_by_row),
          cmocka_unit_test(the_output_address_has_18_bits),
          cmocka_unit_test(faces_come_by_the_z_counter),
          cmocka_unit_test(transposing_swaps_row_and_column_of_each_face),
          cmocka_unit_test(tilizing_takes_rows_of_32_datums),
          cmocka_unit_test(to_dst_in_16_and_32_bits), cmocka_unit_test(any_settings_datum_by_datum),
          cmocka_unit_test(the_context_counter_chooses_the_base),
          cmocka_unit_test(src_row_moves_on_without_hand_over),
          cmocka_unit_test(data_comes_only_when_the_bank_is_free),
          cmocka_unit_test(setdvalid_sets_the_implied_format),
          cmocka_unit_test(the_data_phase_follows_from_the_bytes),
          cmocka_unit_test(garbage_does_no_harm))
