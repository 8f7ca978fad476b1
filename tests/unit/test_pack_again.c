/*
 * The packer does the same whatever it remembers of the PACRs before, and whether PACRs go one by one or in rows. There is
 * no source but the packer itself: with nothing remembered, one instruction at a time, in plain C.
 */
#include "pack_drive.h"

/* ---- what is remembered ---- */

/* One field to another value, most often one that decides about the way through the stages. */
static void poke_a_field(struct rng *r)
{
    static const uint32_t fields[] = {
        CFG_DSTACC_FMT,           CFG_DSTACC_FMT_VAL,      CFG_DSTACC_FMT_OVERRIDE,
        CFG_GASKET_SRND_EN,       CFG_PACKER_SRND_EN,      CFG_APPLY_RELU,
        CFG_RELU_THRESHOLD,       CFG_INT_DESCALE_ENABLE,  CFG_INT_DESCALE_VALUES,
        CFG_PCK0_CH0_XSTRIDE,     CFG_PCK0_CH0_YSTRIDE,    CFG_PCK0_CH0_ZSTRIDE,
        CFG_PCK0_BASE_0,          CFG_PCK0_BASE_1,         CFG_PCK_READ_32B,
        CFG_PCK_READ_RAW,         CFG_PCK_ROUND_10B_MANT,  CFG_PCK_FACE_SET_ENABLE,
        CFG_PCK_ROW_SET_MAPPING,  CFG_PCK_EDGE_MASK,       CFG_PCK_EDGE_MODE,
        CFG_PCK_ROW_SET_SELECT,   CFG_PCK_YZ_TRANSPOSED,   CFG_PCK_READS_PER_XY_PLANE,
        CFG_PCK_EXP_SECTION_SIZE, CFG_PCK_L1_DEST_ADDR,    CFG_PCK_AUTO_SET_LAST_INTF_SEL,
        CFG_PCK_OUT_DATA_FORMAT,  CFG_PCK_IN_DATA_FORMAT,  CFG_PCK_SUB_L1_TILE_HEADER_SIZE,
        CFG_PCK_SOURCE_INTERFACE, CFG_PCK_DOWNSAMPLE_MASK, CFG_PCK_L1_ACC,
        CFG_PCK_EXP_THRESHOLD_EN, CFG_PCK_EXP_THRESHOLD,   CFG_PCK_LIMIT_ADDRESS,
        CFG_PCK_DEST_OFFSET,      CFG_DEST_SWIZZLE_32B,    CFG_DEST_REMAP_ADDRS};
    uint32_t field = fields[rng_below(r, sizeof fields / sizeof fields[0])];
    if (rng_below(r, 4) == 0) /* edge masks are four words, and four more choose among them */
        field = rng_below(r, 2) ? CFG_PCK_EDGE_MASK : CFG_PCK_ROW_SET_MAPPING;
    if (rng_below(r, 10) == 0)
        field = CFG_INT_DESCALE_ENABLE;
    bool four = field == CFG_PCK_EDGE_MASK || field == CFG_PCK_ROW_SET_MAPPING;
    set(field, four ? rng_below(r, 4) : 0, (uint32_t)rng_next(r));
}

/* A new start in one of the usual ways. */
static void start_usual(struct rng *r)
{
    static const uint8_t formats[] = {NUM_BF16, NUM_BF16, NUM_FP32, NUM_BFP8, NUM_FP16, NUM_INT8};
    static const uint8_t modifiers[] = {0, 4, 4 | 16, 32, 4};
    unsigned out = formats[rng_below(r, 6)], wide = out == NUM_INT8 || rng_below(r, 2);
    bool own = out == NUM_INT8 || (wide && out == NUM_FP32);
    struct pack keep = b.pack;
    uint64_t now = b.now;
    start(own ? out : NUM_BF16, out);
    b.pack = keep; /* what it remembers is what this is about */
    b.now = now;
    set(CFG_PCK_READ_32B, 0, wide);
    bool mapped = rng_below(r, 2); /* to masks that all keep everything, or all to the first */
    for (unsigned i = 0; i < 4; i++) {
        set(CFG_PCK_EDGE_MASK, i, mapped || !i ? 0xffff : 0);
        set(CFG_PCK_ROW_SET_MAPPING, i, mapped ? (uint32_t)rng_next(r) : 0);
    }
    set(CFG_PCK_ROW_SET_SELECT, 0, rng_below(r, 4));
    for (unsigned i = 0; i < 16; i++)
        set(CFG_INT_DESCALE_VALUES, i, (uint32_t)rng_next(r));
    for (unsigned i = 0; i < DST_ROWS; i++)
        for (unsigned c = 0; c < 16; c++)
            b.dst.d[i][c] = (uint16_t)rng_next(r);
    for (unsigned i = 0; rng_below(r, 3) == 0 && i < 64; i++)
        b.dst.valid[rng_below(r, DST_ROWS)] = 0;
    for (unsigned i = 0; i < 4; i++)
        b.config.thread[0][cfg_word(THCFG_ADDR_MOD_PACK) + i] =
            (uint16_t)(modifiers[rng_below(r, 5)] | modifiers[rng_below(r, 5)] << 6);
}

static struct tensix_PACR mostly_usual(struct rng *r)
{
    struct tensix_PACR i = {.addr_mode = rng_below(r, 4), .last = rng_below(r, 8) == 0};
    if (rng_below(r, 12) == 0)
        i.read_intf_sel = rng_below(r, 16);
    if (rng_below(r, 20) == 0)
        i.zero_write = 1;
    if (rng_below(r, 30) == 0)
        i.flush = 1;
    if (rng_below(r, 20) == 0)
        i.dst_access_mode = 1;
    return i;
}

/* What the last instruction has written. */
static uint64_t sum_of_write(void)
{
    const struct pack_write *w = &b.pack.pending[(b.pack.head + PACK_PENDING - 1) % PACK_PENDING];
    uint64_t sum = w->n_data + 1000u * w->n_exponents + 100000u * w->n_add + w->format;
    if (w->n_data)
        sum = sum * 31 + w->data_at;
    if (w->n_exponents)
        sum = sum * 31 + w->exponents_at;
    for (unsigned i = 0; i < w->n_data; i++)
        sum = sum * 31 + w->data[i];
    for (unsigned i = 0; i < w->n_exponents; i++)
        sum = sum * 31 + w->exponents[i];
    return sum;
}

/* Runs a case; forget: with nothing remembered before each instruction. Returns what became of everything. */
static uint64_t one_case(uint64_t seed, bool forget, bool fast, unsigned *again)
{
    struct rng r = rng_of(SEED + 1, seed);
    memset(&b, 0, sizeof b);
    b.now = 1000;
    start_usual(&r);
    b.pack.plain = !fast;
    pack_reset(&b.pack, &timing_typical);
    uint64_t sum = 0;
    for (unsigned i = 0; i < 60; i++) {
        if (rng_below(&r, 8) == 0)
            start_usual(&r);
        if (rng_below(&r, 6) == 0)
            poke_a_field(&r);
        if (rng_below(&r, 10) == 0)
            counter(rng_below(&r, 2), rng_below(&r, 4))->v = rng_below(&r, 40);
        if (rng_below(&r, 8) == 0)
            set_x(0, 15);
        if (forget)
            b.pack.memo = (struct pack_memo){.rate = b.pack.memo.rate, .least = b.pack.memo.least};
        struct tensix_PACR p = mostly_usual(&r);
        *again += b.pack.memo.word == tensix_PACR_encode(p);
        run(p);
        sum = sum * 31 + b.now + b.pack.at.row + 256u * b.pack.at.plane + b.pack.odd;
        for (unsigned c = 0; c < 8; c++)
            sum = sum * 31 + counter(c / 4, c % 4)->v;
        sum = sum * 31 + sum_of_write();
    }
    return sum;
}

static void what_is_remembered_changes_nothing(void **state)
{
    (void)state;
    unsigned again = 0, never = 0, cases = WG_SLOW_BUILD ? 100 : 1500;
    for (uint64_t seed = 0; seed < cases; seed++) {
        uint64_t want = one_case(seed, true, false, &never);
        assert_int_equal(one_case(seed, false, false, &again), want);
        if (rows_avx2_usable())
            assert_int_equal(one_case(seed, false, true, &again), want);
    }
    assert_int_equal(never, 0);
    assert_true(again > cases); /* it was remembered */
}

/* ---- without time ---- */

/* What the packer's instructions leave behind, so that nothing is missed. */
static uint64_t sum_of_all(void)
{
    const struct pack *k = &b.pack;
    uint64_t sum = b.now;
    sum = sum * 31 + k->done_at[0] + 1000 * (k->free_at + 1000 * k->at.row + k->at.open);
    sum = sum * 31 + k->at.plane + k->data.address + 7ull * k->data.bits + k->odd;
    sum = sum * 31 + k->exponents.address + 7ull * k->exponents.bits;
    sum = sum * 31 + b.meta.size + 7ull * b.meta.last_size + 1000ull * b.meta.sum[0];
    for (unsigned c = 0; c < 8; c++)
        sum = sum * 31 + counter(c / 4, c % 4)->v + 7ull * counter(c / 4, c % 4)->cr;
    for (unsigned i = 0; i < L1_SIZE; i++)
        sum = sum * 31 + b.bytes[i];
    return sum;
}

/* Every byte that is told of has been written before. */
static uint64_t told;
static void note_begin(void *ctx, uint32_t address, uint32_t size)
{
    (void)ctx;
    assert_true(address < L1_SIZE && size <= L1_SIZE - address);
}

static void note_write(void *ctx, struct l1_writer by, uint32_t address, uint32_t size)
{
    (void)ctx;
    assert_int_equal(by.owner, OWNER_PACK);
    for (uint32_t i = address; i < address + size; i++)
        told += (i + 1) * (b.bytes[i] + 1ull);
}

static const struct l1_watch noted = {.writes = note_begin, .wrote = note_write};

/* Words of a ring go, each through before the next; in rows where they may. Adds up those that went in rows. */
static void go_all(const struct entry *ring, unsigned index, unsigned n, bool rows,
                   unsigned *in_rows)
{
    while (n) {
        const struct entry *e = &ring[index];
        unsigned gone = rows ? pack_start_many(&b.pack, &b.io, 0, ring, index, n, &b.now) : 0;
        assert_true(gone <= n);
        *in_rows += gone > 1 ? gone : 0;
        if (!gone) {
            pack_start(&b.pack, &b.io, 0, e, b.now);
            gone = 1;
        }
        b.now = b.pack.done_at[0];
        pack_clock(&b.pack, &b.io, b.now);
        assert_false(pack_holds(&b.pack));
        index = (index + gone) % QUEUE_MAX;
        n -= gone;
    }
}

static uint64_t case_of_rows(uint64_t seed, bool rows, bool fast, unsigned *in_rows)
{
    struct rng r = rng_of(SEED + 2, seed);
    uint64_t sum = 0;
    memset(&b, 0, sizeof b);
    b.now = 1000;
    told = 0;
    start_usual(&r);
    b.pack.plain = !fast;
    pack_reset(&b.pack, &timing_typical);
    for (unsigned i = 0; i < 8; i++) {
        struct entry ring[QUEUE_MAX];
        unsigned usual = rng_below(&r, 4);
        if (rng_below(&r, 4) == 0)
            start_usual(&r);
        if (rng_below(&r, 4) == 0)
            poke_a_field(&r);
        if (rng_below(&r, 4) == 0) /* where rows follow each other, and where they end */
            set(CFG_PCK_L1_DEST_ADDR, 0, L1_SIZE / 16 - rng_below(&r, 40));
        if (rng_below(&r, 4) == 0)
            set(CFG_PCK_DEST_OFFSET, 0, DST_ROWS - 8 * rng_below(&r, 4));
        if (rng_below(&r, 4) == 0)
            set(CFG_PCK_L1_ACC, 0, rng_below(&r, 2));
        if (rng_below(&r, 4) == 0)
            set(CFG_PCK_ADD_TILE_HEADER_SIZE, 0, rng_below(&r, 2));
        if (rng_below(&r, 10) == 0)
            b.config.thread[0][cfg_word(THCFG_ENABLE_ACC_STATS)] ^= 1;
        if (rng_below(&r, 4) == 0)
            b.dst.valid[rng_below(&r, 64)] = 0;
        set_x(0, rng_below(&r, 8) ? 15 : 7);
        b.l1.watch = &noted;
        for (unsigned k = 0; k < QUEUE_MAX; k++) {
            struct tensix_PACR p = mostly_usual(&r);
            if (usual)
                p = (struct tensix_PACR){.addr_mode = usual, .last = p.last};
            ring[k] = entry_of(p);
            if (rng_below(&r, 20) == 0)
                ring[k] = (struct entry){.word = UINT32_C(0x4a800002), .op = TENSIX_OP_PACR_SETREG};
        }
        go_all(ring, rng_below(&r, QUEUE_MAX), rng_below(&r, QUEUE_MAX + 1), rows, in_rows);
        sum = sum * 31 + sum_of_all() + told;
    }
    return sum;
}

/* Those that differ in rows only go to L1 at once; nobody can tell. */
static void rows_of_pacrs_are_single_ones_one_by_one(void **state)
{
    (void)state;
    unsigned in_rows = 0, none = 0, cases = WG_SLOW_BUILD ? 40 : 300;
    for (uint64_t seed = 0; seed < cases; seed++) {
        uint64_t want = case_of_rows(seed, false, false, &none);
        if (case_of_rows(seed, true, false, &in_rows) != want)
            fail_msg("seed %u", (unsigned)seed);
        if (rows_avx2_usable() && case_of_rows(seed, true, true, &in_rows) != want)
            fail_msg("seed %u, AVX2", (unsigned)seed);
    }
    assert_int_equal(none, 0);
    assert_true(in_rows > 20 * cases);
}

TEST_MAIN(cmocka_unit_test(what_is_remembered_changes_nothing),
          cmocka_unit_test(rows_of_pacrs_are_single_ones_one_by_one))
