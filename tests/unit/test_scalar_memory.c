/*
 * Scalar Unit, memory: LOADIND, STOREIND (L1, registers, Src), LOADREG, STOREREG, the atomics in L1, and
 * XMOV. With time on a coprocessor that has an L1; registers and the mover on a tile without time.
 */
#include "tile_drive.h"

#include "drive.h"
#include "model/rng.h"
#include "num/layout.h"

#define L1_SIZE 0x2000u
#define AT      0x400u /* GPR 1 holds AT / 16 */

static struct drive d;
static uint8_t l1[L1_SIZE];

#define OP(name) ((uint32_t)TENSIX_OP_##name << 24)

static void start(void)
{
    drive_reset(&d);
    memset(l1, 0, sizeof l1);
    for (unsigned i = 0; i < 64; i++)
        l1[AT + i] = (uint8_t)(0xA0 + i);
    d.t.l1 = (struct l1_port){.bytes = l1, .size = L1_SIZE};
    for (unsigned t = 0; t < 3; t++)
        for (unsigned i = 0; i < 64; i++)
            d.t.gpr.r[t][i] = 0x11110000u * (t + 1) + i;
    d.t.gpr.r[1][1] = AT / 16;
}

static uint32_t word_at(uint32_t at)
{
    uint32_t w;
    memcpy(&w, l1 + at, 4);
    return w;
}

static void set_word(uint32_t at, uint32_t w)
{
    memcpy(l1 + at, &w, 4);
}

/* Fields as the pages have them: size, half register with the offset, increment, data, address. */
static uint32_t loadind(uint32_t size, uint32_t half, uint32_t inc, uint32_t reg)
{
    return OP(LOADIND) | size << 22 | half << 14 | inc << 12 | reg << 6 | 1;
}

static uint32_t storeind(uint32_t form, uint32_t half, uint32_t inc, uint32_t reg)
{
    return OP(STOREIND) | form << 21 | half << 14 | inc << 12 | reg << 6 | 1;
}

/* ---- loads ---- */

static void loadind_reads_each_size(void **state)
{
    (void)state;
    start();
    d.t.gpr.r[1][2] = 7 << 16; /* half register 5: 7 */
    drive_one(&d, 1, loadind(0, 5, 0, 22));
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(d.t.gpr.r[1][20 + i], word_at(AT + 4 * i));
    assert_int_equal(d.t.gpr.r[1][24], 0x22220018);
    drive_one(&d, 1, loadind(1, 5, 0, 30));
    assert_int_equal(d.t.gpr.r[1][30], 0xA7A6A5A4);
    drive_one(&d, 1, loadind(2, 5, 0, 31));
    assert_int_equal(d.t.gpr.r[1][31], 0x2222A7A6);
    drive_one(&d, 1, loadind(3, 5, 0, 32));
    assert_int_equal(d.t.gpr.r[1][32], 0x222200A7);
    assert_int_equal(d.t.gpr.r[1][2], 7 << 16);
    assert_int_equal(d.t.probe.count[DIAG_NO_DATA_EFFECT], 0);
}

/* The half register grows by 0, 2, 4, 16, modulo 2^16, without a carry into the other half. */
static void offsets_grow_within_their_half(void **state)
{
    static const uint32_t step[] = {0, 2, 4, 16};
    (void)state;
    for (uint32_t inc = 0; inc < 4; inc++)
        for (uint32_t half = 4; half < 6; half++)
            for (unsigned k = 0; k < 2; k++) {
                start();
                d.t.gpr.r[1][2] = 0xfff8fff8;
                d.t.gpr.r[1][1] = 0;
                drive_one(&d, 1, k ? storeind(5, half, inc, 9) : loadind(1, half, inc, 9));
                uint32_t now = (0xfff8 + step[inc]) & 0xffff;
                assert_int_equal(d.t.gpr.r[1][2], half & 1 ? now << 16 | 0xfff8 : 0xfff80000 | now);
            }
}

/* A load that goes in t executes in t+1 .. t+3; the value is there when C0 clears, in t+10. */
static void values_arrive_as_c0_clears(void **state)
{
    (void)state;
    start();
    d.t.gpr.r[1][2] = 0;
    drive_add(&d, 1, loadind(1, 4, 2, 40));
    while (d.t.gpr.r[1][40] != word_at(AT)) {
        assert_true(d.t.now <= DRIVE_FIRST + 9);
        assert_int_equal(d.t.gpr.r[1][2], d.t.now > DRIVE_FIRST + 3 ? 4 : 0);
        drive_step(&d);
    }
    assert_int_equal(d.t.now, DRIVE_FIRST + 10); /* the cycle that comes next */
    assert_false(scalar_outstanding(&d.t.scalar, 1, d.t.now));
    drive_run(&d);
}

/* An instruction that reads the register too early gets the old value and is reported. */
static void early_readers_are_told(void **state)
{
    uint32_t add = OP(ADDDMAREG) | 1u << 23 | 41u << 12 | 1u << 6 | 40;
    (void)state;
    start();
    d.t.gpr.r[1][2] = 0;
    drive_add(&d, 1, loadind(1, 4, 0, 40));
    drive_add(&d, 1, add);
    drive_run(&d);
    assert_int_equal(d.t.gpr.r[1][41], 0x22220029);
    assert_int_equal(d.t.probe.count[DIAG_STALE_GPR], 1);
    assert_int_equal(d.t.gpr.pending_scalar[1], 0);
    start();
    d.t.gpr.r[1][2] = 0;
    drive_add(&d, 1, loadind(1, 4, 0, 40));
    drive_add(&d, 1, OP(FLUSHDMA) | 1);
    drive_add(&d, 1, add);
    drive_run(&d);
    assert_int_equal(d.t.gpr.r[1][41], word_at(AT) + 1);
    assert_int_equal(d.t.probe.count[DIAG_STALE_GPR], 0);
}

/* ---- stores ---- */

static void storeind_writes_each_size(void **state)
{
    static const uint32_t first[] = {20, 4, 6, 7}, bytes[] = {16, 4, 2, 1};
    (void)state;
    for (uint32_t size = 0; size < 4; size++) {
        uint8_t want[64];
        start();
        d.t.gpr.r[1][2] = size ? 7 : 23;
        memcpy(want, l1 + AT, 64);
        memcpy(want + (size ? first[size] : 16), &d.t.gpr.r[1][size ? 34 : 32], bytes[size]);
        drive_one(&d, 1, storeind(4 | size, 4, 1, 34));
        assert_memory_equal(l1 + AT, want, 64);
        assert_int_equal(d.t.gpr.r[1][2], size ? 9 : 25);
    }
}

/* Beyond L1 addresses wrap, and that is reported. */
static void addresses_wrap_at_the_end_of_l1(void **state)
{
    (void)state;
    start();
    d.t.gpr.r[1][2] = 0;
    d.t.gpr.r[1][1] = (L1_SIZE + AT) / 16;
    drive_one(&d, 1, loadind(1, 4, 0, 40));
    assert_int_equal(d.t.gpr.r[1][40], word_at(AT));
    drive_one(&d, 1, storeind(5, 4, 0, 9));
    assert_int_equal(word_at(AT), 0x22220009);
    assert_int_equal(d.t.probe.count[DIAG_SCALAR_L1], 2);
}

/* Low halves have the exponent below, high halves are BF16 as in memory. */
static void storeind_writes_src(void **state)
{
    (void)state;
    for (unsigned which = 0; which < 2; which++) {
        start();
        d.t.src.row[which][1] = 32;
        d.t.src.unpack_bank[which] = 1;
        d.t.gpr.r[1][1] = (which ? 0 : 16) + 5 * 4; /* row 5 */
        d.t.gpr.r[1][2] = 2 << 4;                   /* columns 8 to 11 */
        d.t.gpr.r[1][8] = 0xC0408380;               /* -3.0 and sign, fraction 3, exponent 0x80 */
        d.t.gpr.r[1][9] = 0x3F80007F;               /* 1.0 twice */
        uint64_t version = d.t.src.version[which][1];
        drive_one(&d, 1, storeind(which, 4, 3, 10));
        assert_true(d.t.src.version[which][1] != version);
        const uint32_t *cell = &d.t.src.d[which][1][37][8];
        assert_int_equal(cell[0], layout_src(1, 0x80, 3 << 3));
        assert_int_equal(cell[1], layout_src(1, 0x80, 0x40 << 3));
        assert_int_equal(cell[2], layout_src(0, 0x7f, 0));
        assert_int_equal(cell[3], layout_src(0, 0x7f, 0));
        assert_int_equal(d.t.gpr.r[1][2], 3 << 4);
    }
}

static void rows_of_src_that_it_cannot_reach(void **state)
{
    (void)state;
    for (unsigned which = 0; which < 2; which++) {
        start();
        struct src before = d.t.src;
        d.t.gpr.r[1][2] = 0;
        d.t.gpr.r[1][1] = which ? 16 * 4 : 20 * 4; /* row 16 */
        drive_one(&d, 1, storeind(which, 4, 0, 8));
        d.t.gpr.r[1][1] = 0x10000;
        drive_one(&d, 1, storeind(which, 4, 0, 8));
        assert_int_equal(d.t.probe.count[DIAG_SCALAR_SRC], 2);
        assert_memory_equal(d.t.src.d, before.d, sizeof before.d);
    }
    start();
    d.t.gpr.r[1][2] = 0;
    d.t.gpr.r[1][1] = 15; /* SrcA: below the first row, nothing happens */
    drive_one(&d, 1, storeind(0, 4, 0, 8));
    assert_int_equal(d.t.probe.count[DIAG_SCALAR_SRC], 0);
    d.t.config.thread[1][5] = 4; /* SRCA_SET_SetOvrdWithAddr: all 64 rows */
    d.t.src.row[0][1] = 48;
    d.t.gpr.r[1][1] = (63 + 4) * 4;
    drive_one(&d, 1, storeind(0, 4, 0, 8));
    assert_int_equal(d.t.src.d[0][0][63][0], layout_src(0, 8, 0));
    assert_int_equal(d.t.probe.count[DIAG_SCALAR_SRC], 0);
}

/* Until the unpackers own the bank; the thread and the unit wait with it. */
static void storeind_waits_for_the_bank(void **state)
{
    (void)state;
    start();
    d.t.gpr.r[1][2] = 0;
    d.t.gpr.r[1][1] = 0;
    src_set_owner(&d.t.src, SRC_B, 0, SRC_MATRIX);
    drive_add(&d, 1, storeind(1, 4, 0, 8));
    drive_add(&d, 1, DRIVE_NOP);
    drive_add(&d, 1, DRIVE_NOP);
    for (unsigned i = 0; i < 40; i++)
        drive_step(&d);
    assert_int_equal(d.t.src.d[1][0][0][1], 0);
    assert_true(d.went[1][1] != DRIVE_NEVER && d.went[1][2] == DRIVE_NEVER);
    assert_int_equal(coproc_quiet_until(&d.t), COPROC_NEVER); /* nothing can change */
    src_set_owner(&d.t.src, SRC_B, 0, SRC_UNPACKERS);
    drive_run(&d);
    assert_int_not_equal(d.t.src.d[1][0][0][1], 0);
    assert_int_equal(d.went[1][2], 41);
}

/* ---- atomics ---- */

static void atincget_adds_within_its_width(void **state)
{
    (void)state;
    for (uint32_t width = 0; width < 32; width++) {
        uint32_t mask = width == 31 ? UINT32_MAX : (1u << (width + 1)) - 1;
        start();
        set_word(AT + 8, 0xdeadbeef);
        d.t.gpr.r[1][50] = 0x7ffffff3;
        drive_one(&d, 1, OP(ATINCGET) | width << 14 | 2u << 12 | 50u << 6 | 1);
        uint32_t sum = 0xdeadbeefu + 0x7ffffff3u;
        assert_int_equal(word_at(AT + 8), (sum & mask) | (0xdeadbeef & ~mask));
        assert_int_equal(d.t.gpr.r[1][50], 0xdeadbeef);
    }
}

static void atswap_writes_masked_halves(void **state)
{
    (void)state;
    for (uint32_t mask = 0; mask < 256; mask += 5)
        for (uint32_t single = 0; single < 2; single++) {
            uint16_t want[8], data[8] = {0};
            start();
            memcpy(want, l1 + AT, 16);
            if (single)
                memcpy(data + 4, &d.t.gpr.r[1][22], 4);
            else
                memcpy(data, &d.t.gpr.r[1][20], 16);
            for (unsigned i = 0; i < 8; i++)
                want[i] = mask >> i & 1 ? data[i] : want[i];
            drive_one(&d, 1, OP(ATSWAP) | single << 22 | mask << 14 | 22u << 6 | 1);
            assert_memory_equal(l1 + AT, want, 16);
            assert_int_equal(d.t.gpr.r[1][22], 0x22220016);
        }
}

/* Attempts of 15 cycles until the word has the value; then the thread goes on. */
static void atcas_tries_again(void **state)
{
    (void)state;
    start();
    set_word(AT + 12, 3);
    drive_add(&d, 1, OP(ATCAS) | 9u << 18 | 5u << 14 | 3u << 12 | 1);
    drive_add(&d, 1, DRIVE_NOP);
    drive_add(&d, 1, DRIVE_NOP);
    while (d.t.now < DRIVE_FIRST + 40)
        drive_step(&d);
    assert_int_equal(word_at(AT + 12), 3);
    set_word(AT + 12, 5);
    while (word_at(AT + 12) == 5)
        drive_step(&d);
    assert_int_equal(word_at(AT + 12), 9);
    assert_int_equal(d.t.now, DRIVE_FIRST + 3 * 15 + 1);
    drive_run(&d);
    assert_int_equal(d.went[1][2], DRIVE_FIRST + 3 * 15 + 1);
}

static uint32_t pointer(uint32_t width, uint32_t ofs, uint32_t log2, uint32_t no_incr)
{
    return OP(ATINCGETPTR) | no_incr << 22 | log2 << 18 | width << 14 | ofs << 12 | 50u << 6 | 1;
}

/* Counters of 4 bits: eight elements. */
static void atincgetptr_pushes_and_pops(void **state)
{
    (void)state;
    start();
    set_word(AT, 7);
    set_word(AT + 4, 14);
    drive_one(&d, 1, pointer(4, 1, 0, 0)); /* push: 7 of 8 there */
    assert_int_equal(d.t.gpr.r[1][50], 14);
    assert_int_equal(word_at(AT + 4), 15);
    drive_add(&d, 1, pointer(4, 1, 1, 0)); /* full */
    for (unsigned i = 0; i < 60; i++)
        drive_step(&d);
    assert_int_equal(word_at(AT + 4), 15);
    set_word(AT, 8);
    drive_run(&d);
    assert_int_equal(d.t.gpr.r[1][50], 15);
    assert_int_equal(word_at(AT + 4), 1);  /* 17 in four bits */
    drive_one(&d, 1, pointer(4, 0, 3, 1)); /* looks at the read pointer */
    assert_int_equal(d.t.gpr.r[1][50], 8);
    assert_int_equal(word_at(AT), 8);
    set_word(AT, 1);
    drive_add(&d, 1, pointer(4, 0, 0, 0)); /* empty */
    for (unsigned i = 0; i < 60; i++)
        drive_step(&d);
    assert_int_equal(word_at(AT), 1);
    set_word(AT + 4, 2);
    drive_run(&d);
    assert_int_equal(word_at(AT), 2);
}

/* Any words, any registers: nothing leaves its memory, everything ends or waits. */
static void garbage_is_safe(void **state)
{
    static const uint8_t ops[] = {TENSIX_OP_LOADIND,
                                  TENSIX_OP_STOREIND,
                                  TENSIX_OP_LOADREG,
                                  TENSIX_OP_STOREREG,
                                  TENSIX_OP_ATINCGET,
                                  TENSIX_OP_ATSWAP,
                                  TENSIX_OP_ATCAS,
                                  TENSIX_OP_ATINCGETPTR,
                                  TENSIX_OP_XMOV};
    struct rng g = rng_of(77, 1);
    struct tile *tile = *state;
    for (unsigned round = 0; round < 400; round++) {
        tile->coproc.config.word[0][90] &= 0xc00000ff;
        for (unsigned i = 0; i < 64; i++)
            tile->coproc.gpr.r[0][i] = rng_next(&g) >> rng_below(&g, 32);
        for (unsigned i = 0; i < 20; i++) {
            unsigned k = rng_below(&g, 40);
            k = k < 30 ? k % 6 : (k < 38 ? 8 : 6 + k % 2);
            uint32_t w = (uint32_t)ops[k] << 24 | (rng_next(&g) & 0xffffff);
            if ((ops[k] == TENSIX_OP_STOREREG || ops[k] == TENSIX_OP_LOADREG) && i % 2)
                w &=
                    0xfffc7fff; /* TDMA-RISC, tile control, debugger; else mostly streams and nothing */
            coproc_port_push(&tile->coproc, 0, &w, 1, 0);
            settle(tile);
        }
        if (tile->coproc.scalar.exec.busy || !coproc_thread_idle(&tile->coproc, 0)) {
            coproc_reset(&tile->coproc); /* an atomic waits for ever */
            tile->coproc.config.word[0][88] = rng_next(&g) & 0xfffff;
            tile->coproc.config.word[0][89] = rng_next(&g) & 0xfffff;
            tile->coproc.config.word[0][90] = rng_next(&g);
        }
    }
}

/* ---- on a tile: registers and the mover ---- */

static void push(struct tile *tile, uint32_t word)
{
    store(tile, T1, 0xFFE40000, word);
    settle(tile);
}

static void registers_are_stored_and_loaded(void **state)
{
    struct tile *tile = *state;
    uint32_t stream = 0xFFB40000 + 3 * 0x1000 + 4 * 20;
    tile->coproc.gpr.r[1][7] = 0x123;
    push(tile, OP(STOREREG) | 7u << 18 | (stream >> 2 & 0x3ffff));
    assert_int_equal(load(tile, NOC, stream), 0x123);
    push(tile, OP(LOADREG) | 8u << 18 | (stream >> 2 & 0x3ffff));
    assert_int_equal(tile->coproc.gpr.r[1][8], 0x123);
    tile->coproc.gpr.r[1][1] = (stream & 0xfffff) - 5;
    tile->coproc.gpr.r[1][2] = 9 << 4;
    push(tile, storeind(2, 4, 3, 8));
    assert_int_equal(load(tile, NOC, stream + 4), 0x123);
    assert_int_equal(tile->coproc.gpr.r[1][2], 10 << 4);
    assert_int_equal(told(tile, DIAG_SCALAR_MMIO), 0);
    push(tile, OP(STOREREG) | 7u << 18 | 0x10);
    push(tile, OP(LOADREG) | 8u << 18 | 0x10);
    assert_int_equal(told(tile, DIAG_SCALAR_MMIO), 2);
    assert_int_equal(tile->coproc.gpr.r[1][8], 0);
}

/* TDMA-RISC is reached in the name of the thread's core. */
static void scalar_unit_commands_the_mover(void **state)
{
    struct tile *tile = *state;
    static const uint32_t params[] = {0x100, 0x200, 2, 3, 0x40};
    poke(tile, 0x1010, 0xabcd);
    for (unsigned i = 0; i < 5; i++) {
        tile->coproc.gpr.r[1][7] = params[i];
        push(tile, OP(STOREREG) | 7u << 18 | ((0x11000 + 4 * i) >> 2));
    }
    assert_int_equal(peek(tile, 0x2010), 0xabcd);
}

static void xmov_moves(void **state)
{
    struct tile *tile = *state;
    uint32_t *c = tile->coproc.config.word[0];
    for (uint32_t i = 0; i < 0x40; i += 4)
        poke(tile, 0x1000 + i, 0x5000 + i);
    c[88] = 0x100, c[89] = 0x300, c[90] = 3u << 30 | 0x10002; /* size: 16 bits count */
    push(tile, OP(XMOV));
    assert_int_equal(peek(tile, 0x3000), 0x5000);
    assert_int_equal(peek(tile, 0x301C), 0x501C);
    assert_int_equal(peek(tile, 0x3020), 0);
    c[90] = 1;
    push(tile, OP(XMOV)); /* zeros to L1 */
    assert_int_equal(peek(tile, 0x300C), 0);
    assert_int_equal(peek(tile, 0x3010), 0x5010);
    c[89] = 20 * 4 / 16, c[90] = 1u << 30 | 1;
    push(tile, OP(XMOV)); /* to Config words 20 to 23 */
    assert_int_equal(c[20], 0x5000);
    assert_int_equal(c[23], 0x500C);
    c[90] = 2u << 30 | 1;
    push(tile, OP(XMOV));
    assert_int_equal(c[23], 0);
    assert_int_equal(told(tile, DIAG_NO_DATA_EFFECT), 0);
    assert_int_equal(told(tile, DIAG_MOVER_NOWHERE), 0);
}

/* Without time: the thread stands at ATCAS until a core stores the value; nobody wakes it but L1. */
static void atcas_waits_without_time(void **state)
{
    struct tile *tile = *state;
    tile->coproc.gpr.r[1][1] = AT / 16;
    push(tile, OP(ATCAS) | 2u << 18 | 1u << 14 | 1);
    push(tile, OP(SETDMAREG) | 0x77u << 8 | 40);
    push(tile, OP(SETC16) | 3u << 16 | 0x44);
    settle(tile);
    assert_int_equal(tile->coproc.gpr.r[1][20], 0);
    assert_int_equal(tile->coproc.config.thread[1][3], 0);
    tile->l1_bytes[AT] = 1;
    settle(tile);
    assert_int_equal(peek(tile, AT), 2);
    assert_int_equal(tile->coproc.gpr.r[1][20], 0x77);
    assert_int_equal(tile->coproc.config.thread[1][3], 0x44);
}

/* T1 pushes a word that waits and stores behind it; B stores the value a while later, then waits for the result. */
static uint64_t run_with_time(bool no_skip, unsigned late, uint32_t *result)
{
    void *state = NULL;
    tile_setup(&state);
    struct tile *tile = state;
    const uint32_t words[] = {OP(ATCAS) | 2u << 18 | 1u << 14 | 1,
                              OP(ATINCGET) | 31u << 14 | 1u << 12 | 5u << 6 | 1,
                              OP(FLUSHDMA) | 1,
                              storeind(5, 4, 0, 5)};
    uint32_t code = 0x1000, at = code;
    assert_int_equal(tile_clock_run(tile, 0), TILE_END_LIMIT);
    tile->clock.no_skip = no_skip;
    tile->coproc.gpr.r[1][1] = AT / 16;
    tile->coproc.gpr.r[1][2] = 8;
    poke(tile, AT + 4, 0x4321);
    put_li(tile, &at, 1, AT);
    put_li(tile, &at, 2, 1);
    for (unsigned i = 0; i < late; i++)
        RV_PUT(tile, &at, ADDI, .rd = 3, .rs1 = 3, .imm = 1);
    RV_PUT(tile, &at, SW, .rs1 = 1, .rs2 = 2, .imm = 0);
    RV_PUT(tile, &at, LW, .rd = 4, .rs1 = 1, .imm = 8);
    RV_PUT(tile, &at, BEQ, .rs1 = 4, .rs2 = 0, .imm = -4);
    RV_PUT(tile, &at, EBREAK, .rd = 0);
    poke(tile, 0, rv32_encode(RV_OP_JAL, (struct rv32_args){.imm = (int32_t)code}));
    assert_true(coproc_port_push(&tile->coproc, 1, words, 4, 0));
    store(tile, NOC, CONTROL(0x1b0), load(tile, NOC, CONTROL(0x1b0)) & ~tile_reset_bits[B]);
    assert_int_equal(tile_clock_run(tile, 5000), TILE_END_STOPPED);
    assert_int_equal(peek(tile, AT), 2);
    *result = tile->core[B].x[4];
    uint64_t now = tile->clock.now;
    free(tile);
    return now;
}

/* Whether cycles in which nothing happens are skipped or not: the same values in the same cycles. */
static void with_time_skipping_changes_nothing(void **state)
{
    (void)state;
    for (unsigned late = 0; late < 40; late++) {
        uint32_t a, b;
        uint64_t skips = run_with_time(false, late, &a), walks = run_with_time(true, late, &b);
        assert_int_equal(a, 0x4321);
        assert_int_equal(b, 0x4321);
        assert_int_equal(skips, walks);
    }
}

/* An atomic that nobody can satisfy is a hang; if the host stores the value, it goes on. */
static void an_atomic_without_hope_is_a_hang(void **state)
{
    uint64_t end[2];
    (void)state;
    for (unsigned no_skip = 0; no_skip < 2; no_skip++) {
        void *place = NULL;
        tile_setup(&place);
        struct tile *tile = place;
        uint32_t cas = OP(ATCAS) | 2u << 18 | 1u << 14 | 1;
        assert_int_equal(tile_clock_run(tile, 0), TILE_END_LIMIT);
        tile->clock.no_skip = no_skip;
        tile->coproc.gpr.r[1][1] = AT / 16;
        assert_true(coproc_port_push(&tile->coproc, 1, &cas, 1, 0));
        assert_int_equal(tile_clock_run(tile, 5000), TILE_END_HANG);
        end[no_skip] = tile->clock.now;
        poke(tile, AT, 1);
        assert_int_equal(tile_clock_run(tile, 5000), TILE_END_DONE);
        assert_int_equal(peek(tile, AT), 2);
        free(tile);
    }
    assert_int_equal(end[0], end[1]);
}

/* Copies take 11 cycles for eight pieces of 16 bytes, zeros one each. */
static void xmov_takes_its_length(void **state)
{
    (void)state;
    assert_int_equal(mover_cycles(0, 3), 0);
    assert_int_equal(mover_cycles(8, 3), 11);
    assert_int_equal(mover_cycles(80, 1), 110);
    assert_int_equal(mover_cycles(80, 0), 80);
    start();
    d.t.config.word[0][90] = 3u << 30 | 8;
    drive_add(&d, 0, OP(XMOV));
    drive_add(&d, 0, OP(XMOV));
    drive_run(&d);
    assert_int_equal(d.went[0][1] - d.went[0][0], 16 + 11);
}

TEST_MAIN(
    cmocka_unit_test(loadind_reads_each_size), cmocka_unit_test(offsets_grow_within_their_half),
    cmocka_unit_test(values_arrive_as_c0_clears), cmocka_unit_test(early_readers_are_told),
    cmocka_unit_test(storeind_writes_each_size), cmocka_unit_test(addresses_wrap_at_the_end_of_l1),
    cmocka_unit_test(storeind_writes_src), cmocka_unit_test(rows_of_src_that_it_cannot_reach),
    cmocka_unit_test(storeind_waits_for_the_bank), cmocka_unit_test(atincget_adds_within_its_width),
    cmocka_unit_test(atswap_writes_masked_halves), cmocka_unit_test(atcas_tries_again),
    cmocka_unit_test(atincgetptr_pushes_and_pops), TILE_TEST(garbage_is_safe),
    TILE_TEST(registers_are_stored_and_loaded), TILE_TEST(scalar_unit_commands_the_mover),
    TILE_TEST(xmov_moves), TILE_TEST(atcas_waits_without_time),
    cmocka_unit_test(xmov_takes_its_length), cmocka_unit_test(with_time_skipping_changes_nothing),
    cmocka_unit_test(an_atomic_without_hope_is_a_hang))
