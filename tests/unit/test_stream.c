/*
 * test_stream.c - streams of the NoC overlay: registers, and messages from software to software.
 *
 * Facts (ISA pages NoC/Overlay AsGeneralUse, ReceiveFromSoftware, TransmitToSoftware; register numbers of the vendor's Blackhole
 * header): DEST_BUF_SIZE (10) sets the space (297) that 270 adds to; 0 and 1 push messages, 265 takes them, 266 gives
 * their space back, 264 does both; 259 is their number.
 */
#include "tile_drive.h"

#include <stdio.h>

#include "model/rng.h"

#define AT(stream, reg) (UINT32_C(0xFFB40000) + (stream)*0x1000u + 4u * (reg))

static uint32_t get(struct tile *tile, unsigned stream, unsigned reg)
{
    return load(tile, B, AT(stream, reg));
}

static void put(struct tile *tile, unsigned stream, unsigned reg, uint32_t value)
{
    store(tile, B, AT(stream, reg), value);
}

static void registers_have_their_width(void **state)
{
    struct tile *tile = *state;
    static const struct {
        unsigned reg, bits;
    } c[] = {{3, 24},  {4, 24},  {5, 20},  {6, 4},   {7, 18},  {8, 17},   {9, 15},   {10, 17},
             {11, 17}, {13, 17}, {14, 15}, {17, 17}, {18, 17}, {19, 18},  {20, 18},  {22, 17},
             {23, 17}, {29, 20}, {33, 21}, {36, 24}, {41, 24}, {100, 32}, {208, 32}, {294, 32}};
    for (unsigned i = 0; i < sizeof c / sizeof *c; i++) {
        put(tile, 0, c[i].reg, 0xffffffff);
        assert_int_equal(get(tile, 0, c[i].reg), (uint32_t)((UINT64_C(1) << c[i].bits) - 1));
        put(tile, 0, c[i].reg, 0);
    }
    static const uint16_t read_only[] = {
        258, 259, 260, 262, 273, 277, 278, 297, 328, 329, 376, 501};
    for (unsigned i = 0; i < sizeof read_only / sizeof *read_only; i++) {
        uint32_t before = get(tile, 1, read_only[i]);
        put(tile, 1, read_only[i], 0x55);
        assert_int_equal(get(tile, 1, read_only[i]), before);
    }
    for (unsigned reg = 9; reg < 42;
         reg += reg == 9 ? 5 : 22) { /* 9, 14, 36: streams that reach DRAM */
        put(tile, 7, reg, 3);
        put(tile, 11, reg, 3);
        assert_int_equal(get(tile, 7, reg), 0);
        assert_int_equal(get(tile, 11, reg), 3);
    }
}

static void writes_reach_other_registers(void **state)
{
    struct tile *tile = *state;
    put(tile, 5, 20, 4);
    put(tile, 5, 19, 3);
    assert_int_equal(get(tile, 5, 262), 3);
    put(tile, 5, 17, 0x100);
    assert_int_equal(get(tile, 5, 19), 0);
    assert_int_equal(get(tile, 5, 20), 0);
    put(tile, 5, 11, 9);
    put(tile, 5, 8, 0x20);
    assert_int_equal(get(tile, 5, 11), 0);
    put(tile, 5, 22, 77);
    assert_int_equal(get(tile, 5, 23), 77);
    put(tile, 5, 29, 10);
    put(tile, 5, 34, 4000u << 12 | 5);
    assert_int_equal(get(tile, 5, 29), 15);
    assert_int_equal(get(tile, 5, 34) >> 12, 4000);
    put(tile, 5, 28, 4); /* the sum stays */
    assert_int_equal(get(tile, 5, 29), 11);
    put(tile, 5, 28, 0);
    assert_int_equal(get(tile, 5, 29), 15);
}

static void space_at_destinations(void **state)
{
    struct tile *tile = *state;
    put(tile, 20, 10, 0x1fff0);
    assert_int_equal(get(tile, 20, 297), 0x1fff0);
    assert_int_equal(get(tile, 20, 298), 0);
    put(tile, 20, 270, 0x1fu << 6);
    assert_int_equal(get(tile, 20, 297), 0xf);
    assert_int_equal(told(tile, DIAG_STREAM_ORDER), 0);
    put(tile, 20, 270, 1u << 6 | 1);
    assert_int_equal(told(tile, DIAG_STREAM_ORDER), 1);
    put(tile, 2, 10, 8);
    put(tile, 2, 270, 3u << 6 | 31);
    assert_int_equal(get(tile, 2, 297), 8);
    assert_int_equal(get(tile, 2, 328), 11);
    assert_int_equal(get(tile, 2, 503) >> 3 & 1, 1);
    assert_int_equal(get(tile, 3, 503) >> 3 & 1, 0);
}

/* Stream from software to software; a receive buffer of `size` from 0x100 on. */
static void start(struct tile *tile, unsigned stream, unsigned size, unsigned messages)
{
    put(tile, stream, 3, 1u << 4 | 1u << 6);
    put(tile, stream, 17, 0x100);
    put(tile, stream, 18, size);
    put(tile, stream, 22, 0x400);
    put(tile, stream, 34, messages << 12 | 1);
    assert_int_equal(get(tile, stream, 257), 1);
    put(tile, stream, 267, 0);
    assert_int_equal(get(tile, stream, 257), 1u << 2 | 5u << 3);
}

static void messages_come_and_go(void **state)
{
    struct tile *tile = *state;
    start(tile, 20, 16, 5);
    assert_int_equal(get(tile, 20, 260), 16);
    put(tile, 20, 0, 0x100 | 6u << 17);
    put(tile, 20, 0, 0x106 | 4u << 17);
    assert_int_equal(get(tile, 20, 259), 2);
    assert_int_equal(get(tile, 20, 275), 0); /* most streams hold two */
    assert_int_equal(get(tile, 20, 262), 0x100);
    assert_int_equal(get(tile, 20, 263), 6);
    assert_int_equal(get(tile, 20, 331), 0x106);
    assert_int_equal(get(tile, 20, 332), 4);
    assert_int_equal(get(tile, 20, 260), 6);
    put(tile, 20, 0, 0x10a | 1u << 17); /* full */
    assert_int_equal(told(tile, DIAG_STREAM_ORDER), 1);
    put(tile, 20, 265, 1);
    assert_int_equal(get(tile, 20, 259), 1);
    assert_int_equal(get(tile, 20, 262), 0x106);
    assert_int_equal(get(tile, 20, 19), 0);
    put(tile, 20, 266, 1);
    assert_int_equal(get(tile, 20, 19), 6);
    assert_int_equal(get(tile, 20, 260), 12);
    put(tile, 20, 0, 0x10a | 9u << 17);
    assert_int_equal(get(tile, 20, 20) & 0x1ffff, 3); /* goes round */
    put(tile, 20, 265, 2);
    put(tile, 20, 266, 1); /* one for both */
    assert_int_equal(get(tile, 20, 19) & 0x1ffff, 3);
    assert_int_equal(get(tile, 20, 260), 16);
    put(tile, 20, 266, 1); /* nothing to give back */
    assert_int_equal(told(tile, DIAG_STREAM_EMPTY), 1);
    put(tile, 20, 0, 0x103 | 1u << 17);
    put(tile, 20, 0, 0x104 | 1u << 17);
    assert_int_equal(get(tile, 20, 277), 1);
    put(tile, 20, 264, 2);
    assert_int_equal(get(tile, 20, 257), 1); /* all five are through */
    put(tile, 20, 0, 0x100 | 1u << 17);
    assert_int_equal(told(tile, DIAG_STREAM_ORDER), 2);
}

/* Headers are in L1; bits 32 to 47 have the size. */
static void headers_are_loaded(void **state)
{
    struct tile *tile = *state;
    put(tile, 0, 33, 16u << 7 | 32);
    start(tile, 4, 64, 12);
    for (unsigned i = 0; i < 12; i++) {
        poke(tile, 0x4000 + 16 * i, 0xaaaa0000 + i);
        poke(tile, 0x4004 + 16 * i, 0xbbbb0000 + 2 + i);
    }
    put(tile, 4, 1, 54u << 12 | 9); /* nine messages, 2 to 10 */
    assert_int_equal(get(tile, 4, 259), 8);
    assert_int_equal(get(tile, 4, 258), 9);
    assert_int_equal(get(tile, 4, 263), 2);
    assert_int_equal(get(tile, 4, 329 + 6), 0x102);
    assert_int_equal(get(tile, 4, 329 + 7), 3);
    assert_int_equal(get(tile, 4, 329 + 8), 0xaaaa0001);
    put(tile, 4, 265, 4);
    assert_int_equal(get(tile, 4, 259), 5); /* the ninth comes in */
    assert_int_equal(get(tile, 4, 262), 0x100 + 2 + 3 + 4 + 5);
    put(tile, 4, 266, 0);
    assert_int_equal(get(tile, 4, 19), 14);
    put(tile, 4, 264, 8); /* five now, three as they come */
    assert_int_equal(get(tile, 4, 259), 0);
    assert_int_equal(get(tile, 4, 19), 54);
    put(tile, 4, 1, (11u + 12 + 13) << 12 | 3);
    assert_int_equal(get(tile, 4, 19) & 0x1ffff, (54 + 36) % 64);
    assert_int_equal(get(tile, 4, 257), 1);
}

static void connected_streams_are_told(void **state)
{
    struct tile *tile = *state;
    put(tile, 9, 3, 1u << 5 | 1u << 6);
    put(tile, 9, 34, 1u << 12);
    put(tile, 9, 267, 1);
    assert_int_equal(told(tile, DIAG_STREAM_NOC), 1);
    put(tile, 9, 267, 1);
    assert_int_equal(told(tile, DIAG_STREAM_ORDER), 1);
    put(tile, 9, 271, 1);
    assert_int_equal(get(tile, 9, 257), 1);
}

/* UNPACR_NOP gives the space of a message back, by each of its three ways. */
static void an_unpacker_pops_messages(void **state)
{
    struct tile *tile = *state;
    const uint32_t nop = (uint32_t)TENSIX_OP_UNPACR_NOP << 24;
    start(tile, 8, 64, 8);
    for (unsigned i = 0; i < 8; i++) {
        put(tile, 8, 0, (0x100 + i) | (i + 1) << 17);
        put(tile, 8, 265, 1);
    }
    store(tile, T0, 0xFFE40000, (uint32_t)TENSIX_OP_SETC16 << 24 | 42u << 16 | 8);
    store(tile, T0, 0xFFE40000, nop);
    settle(tile);
    assert_int_equal(get(tile, 8, 19), 1);
    store(tile, T0, 0xFFE40000, nop | 8u << 16 | 1u << 12 | 3);
    settle(tile);
    assert_int_equal(get(tile, 8, 19), 3);
    store(tile, B, TDMA(0x24), 0x3f | (266u | 1u << 20) << 8);
    store(tile, T0, 0xFFE40000, nop | 1u << 23 | 8u << 16 | 1u << 4 | 7);
    settle(tile);
    assert_int_equal(get(tile, 8, 19), 6);
    assert_int_equal(told(tile, DIAG_STREAM_EMPTY), 0);
}

/* Any orders in any state: pointers and counts stay where they belong. */
static void garbage_does_no_harm(void **state)
{
    struct tile *tile = *state;
    static const uint16_t regs[] = {0,  1,  1,   3,   17,  18,  19,  20,  22,  23,  28,  29,
                                    33, 34, 264, 265, 265, 266, 266, 267, 267, 270, 271, 10};
    struct rng g = rng_of(20250316, 1);
    printf("seed 20250316\n");
    for (unsigned i = 0; i < 200000; i++) {
        unsigned stream = rng_below(&g, 64), reg = regs[rng_below(&g, 24)];
        if (reg == 271 && rng_percent(&g, 90))
            continue;
        uint32_t v = rng_next(&g) >> rng_below(&g, 32);
        if (reg == 3)
            v |= rng_percent(&g, 80) ? 0x50 : 0;
        if (rng_percent(&g, 50))
            stream &= 7;
        put(tile, stream, reg, v);
        const struct stream_fifo *f = &tile->coproc.stream.fifo[stream];
        assert_true(f->n <= STREAM_FIFO && f->taken <= STREAM_FIFO);
        assert_int_equal(get(tile, stream, 259), f->n);
        assert_true(get(tile, stream, 260) <= 0x1ffff);
    }
}

TEST_MAIN(TILE_TEST(registers_have_their_width), TILE_TEST(writes_reach_other_registers),
          TILE_TEST(space_at_destinations), TILE_TEST(messages_come_and_go),
          TILE_TEST(headers_are_loaded), TILE_TEST(connected_streams_are_told),
          TILE_TEST(an_unpacker_pops_messages), TILE_TEST(garbage_does_no_harm))
