/*
 * test_boot.c - a host program boots tiles through the shared library, as drivers do: configuration
 * space, windows, resets, start addresses, time.
 */
#include "test.h"

#include <string.h>

#include "dropin/host.h"
#include "dropin/rv.h"

#define OUT 0x20000u

static struct host h;
static const struct host_place tile = {1, 2};

static int open_chip(void **state)
{
    (void)state;
    host_open(&h);
    return 0;
}

static int close_chip(void **state)
{
    (void)state;
    h.exit();
    return 0;
}

static struct host_place nth(unsigned i)
{
    unsigned column = i % 14;
    return (struct host_place){column + (column < 7 ? 1 : 3), 2 + i / 14};
}

/* A program that stores a value and then goes round for ever. */
static void put_marker(struct host_place t, uint32_t at, uint32_t out, uint32_t value)
{
    const uint32_t words[] = {rv_lui(5, out >> 12),
                              rv_lui(6, value >> 12),
                              rv_addi(6, 6, (int32_t)(value & 0x7ff)),
                              rv_sw(6, (int32_t)(out & 0x7ff), 5),
                              rv_jal(0, 0)};
    host_write(&h, t, at, words, sizeof words);
}

static void configuration_space_looks_like_the_card(void **state)
{
    (void)state;
    static const uint32_t masks[6] = {0xE0000004, ~0u, 0xFFF00004, ~0u, 4, 0xFFFFFFF8};
    assert_int_equal(h.config_read(0, 0), 0xB1401E52);
    assert_int_equal(h.config_read(0, 8), 0x12000000);
    assert_int_equal(h.config_read(8, 0), UINT32_MAX);
    assert_int_equal(h.config_read(0, 0x400), 0);
    h.config_write(0, 4, 6);
    assert_int_equal(h.config_read(0, 4), 6);
    h.config_write(0, 0, 0);
    assert_int_equal(h.config_read(0, 0), 0xB1401E52);
    for (uint32_t i = 0; i < 6; i++) {
        uint32_t before = h.config_read(0, 0x10 + 4 * i);
        h.config_write(0, 0x10 + 4 * i, UINT32_MAX);
        assert_int_equal(h.config_read(0, 0x10 + 4 * i), masks[i]);
        h.config_write(0, 0x10 + 4 * i, before);
        assert_int_equal(h.config_read(0, 0x10 + 4 * i), before);
    }
}

static void bars_follow_their_registers(void **state)
{
    (void)state;
    host_poke(&h, tile, 0x100, 0x1234);
    h.config_write(0, 0x14, 0x77);
    h.bar0 = h.bar0 % (UINT64_C(1) << 32) + (UINT64_C(0x77) << 32);
    assert_int_equal(host_peek(&h, tile, 0x100), 0x1234);
}

static void every_tile_knows_its_place(void **state)
{
    (void)state;
    assert_int_equal(host_peek(&h, tile, 0xFFB20044), 0x10611081);
    assert_int_equal(host_peek(&h, tile, 0xFFB30044), 0x0061124F);
    for (unsigned write = 0; write < 2; write++) /* untouched, and with memory of its own */
        for (unsigned i = 0; i < 140; i++) {
            struct host_place t = nth(i);
            if (write)
                host_poke(&h, t, 0, i);
            assert_int_equal(host_peek(&h, t, 0xFFB20044), 0x10611000 | t.x | t.y << 6);
            assert_int_equal(host_peek(&h, t, 0xFFB30044),
                             0x00611000 | (16 - t.x) | (11 - t.y) << 6);
            assert_int_equal(host_peek(&h, t, 0xFFB20148), t.x | t.y << 6);
            assert_int_equal(host_peek(&h, t, HOST_SOFT_RESET), HOST_SOFT_RESET_ALL);
            assert_int_equal(host_peek(&h, t, 0), write ? i : 0);
        }
}

static void windows_show_the_same_memory(void **state)
{
    (void)state;
    uint8_t in[300], out[300];
    for (unsigned i = 0; i < sizeof in; i++)
        in[i] = (uint8_t)(i * 7 + 3);
    uint64_t a = host_tlb(&h, 200, tile, 0), b = host_tlb(&h, 3, tile, 0);
    uint64_t c = (h.config_read(0, 0x20) & ~15u) | (uint64_t)h.config_read(0, 0x24) << 32;
    const uint32_t big[3] = {0, tile.x | tile.y << 6, 0};
    h.mem_write(h.bar0 + 0x1FC00000 + 12 * 209, big, sizeof big);
    c += UINT64_C(7) << 32;
    for (uint32_t n = 1; n < sizeof in; n = n * 2 + 1) {
        h.mem_write(a + 0x1000 + n, in, n);
        memset(out, 0, sizeof out);
        h.mem_read(b + 0x1000 + n, out, n);
        assert_memory_equal(in, out, n);
        memset(out, 0, sizeof out);
        h.mem_read(c + 0x1000 + n, out, n);
        assert_memory_equal(in, out, n);
    }
    h.mem_read(h.bar0 + 0x1FC00000 + 12 * 209, out, sizeof big);
    assert_memory_equal(out, big, sizeof big);
}

static void an_access_may_span_two_windows(void **state)
{
    (void)state;
    const struct host_place other = {16, 11};
    const uint32_t words[4] = {1, 2, 3, 4};
    uint32_t back[4] = {0};
    uint64_t end = host_tlb(&h, 5, tile, 0x200000 * UINT64_C(0x7FD)) + 0x1FFFF8; /* 0xFFBFFFF8 */
    host_tlb(&h, 6, other, 0);
    h.mem_write(end, words, sizeof words);
    assert_int_equal(host_peek(&h, other, 0), 3);
    assert_int_equal(host_peek(&h, other, 4), 4);
    h.mem_read(end, back, sizeof back);
    assert_int_equal(back[2], 3);
    assert_int_equal(back[3], 4);
}

static void multicast_reaches_a_rectangle(void **state)
{
    (void)state;
    const struct host_place first = {2, 5}, last = {12, 7};
    const uint32_t value = 0xCAFE0001;
    h.mem_write(host_multicast(&h, 7, first, last, 0x4000), &value, 4);
    for (unsigned i = 0; i < 140; i++) {
        struct host_place t = nth(i);
        bool inside = t.x >= 2 && t.x <= 12 && t.y >= 5 && t.y <= 7;
        assert_int_equal(host_peek(&h, t, 0x4000), inside ? value : 0);
    }
}

static void core_b_starts_at_0_and_releases_t0_elsewhere(void **state)
{
    (void)state;
    const uint32_t program[] = {
        rv_lui(5, OUT >> 12),
        rv_lui(7, 0xFFB12),
        rv_addi(6, 0, 0x123),
        rv_sw(6, 0, 5),
        rv_lui(8, 0x30),
        rv_sw(8, 0x228, 7), /* T0 starts at 0x30000 ... */
        rv_addi(8, 0, 1),
        rv_sw(8, 0x234, 7), /* ... instead of 0x6000 */
        rv_lw(9, 0x1B0, 7),
        rv_sw(9, 8, 5),
        rv_lui(8, 0x46),
        rv_sw(8, 0x1B0, 7), /* T0 may run, T1, T2 and NC stay held */
        rv_jal(0, 0),
    };
    put_marker(tile, 0x30000, OUT + 4, 0x30456);
    put_marker(tile, 0x6000, OUT + 4, 0x6666);
    host_write(&h, tile, 0, program, sizeof program);
    assert_int_equal(host_peek(&h, tile, OUT), 0);
    h.clock(100);
    assert_int_equal(host_peek(&h, tile, OUT), 0);
    host_poke(&h, tile, HOST_SOFT_RESET, HOST_SOFT_RESET_ALL & ~(uint32_t)HOST_SOFT_RESET_B);
    assert_true(host_wait(&h, tile, OUT + 4, 0x30456, 1, 100));
    assert_int_equal(host_peek(&h, tile, OUT), 0x123);
    assert_int_equal(host_peek(&h, tile, OUT + 8), 0x47000);
    assert_int_equal(host_peek(&h, tile, HOST_SOFT_RESET), 0x46000);
}

static void cores_start_where_hardware_starts_them(void **state)
{
    (void)state;
    static const uint32_t start[5] = {0, 0x6000, 0xA000, 0xE000, 0x12000};
    for (unsigned i = 0; i < 5; i++)
        put_marker(tile, start[i], OUT + 4 * i, 0x100 + i);
    host_poke(&h, tile, HOST_SOFT_RESET, 0);
    for (unsigned i = 0; i < 5; i++)
        assert_true(host_wait(&h, tile, OUT + 4 * i, 0x100 + i, 1, 100));
}

static void start_addresses_can_be_set(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 4; i++)
        put_marker(tile, 0x40000 + 0x100 * i, OUT + 4 * i, 0x100 + i);
    for (unsigned i = 0; i < 3; i++)
        host_poke(&h, tile, HOST_T0_PC + 4 * i, 0x40000 + 0x100 * i);
    host_poke(&h, tile, HOST_T_OVERRIDE, 7);
    host_poke(&h, tile, HOST_NC_PC, 0x40300);
    host_poke(&h, tile, HOST_NC_OVERRIDE, 1);
    host_poke(&h, tile, HOST_SOFT_RESET, HOST_SOFT_RESET_B);
    for (unsigned i = 0; i < 4; i++)
        assert_true(host_wait(&h, tile, OUT + 4 * i, 0x100 + i, 1, 100));
}

/* Counts in a word, for ever. */
static void start_counter(struct host_place t)
{
    const uint32_t words[] = {
        rv_lui(5, OUT >> 12), rv_addi(6, 6, 1), rv_sw(6, 0, 5), rv_jal(0, -8)};
    host_write(&h, t, 0, words, sizeof words);
    host_poke(&h, t, HOST_SOFT_RESET, HOST_SOFT_RESET_ALL & ~(uint32_t)HOST_SOFT_RESET_B);
}

static void every_clock_is_worth_something(void **state)
{
    (void)state;
    start_counter(tile);
    uint32_t count = 0, wall = host_peek(&h, tile, 0xFFB121F0);
    for (unsigned i = 0; i < 20; i++) {
        uint32_t before = count, wall_before = wall;
        h.clock(1);
        count = host_peek(&h, tile, OUT);
        wall = host_peek(&h, tile, 0xFFB121F0);
        assert_true(count - before >= 10);
        assert_true(wall - wall_before >= 30);
    }
    h.clock(0);
    assert_int_equal(host_peek(&h, tile, OUT), count);
}

static void reset_stops_a_core_and_release_starts_it_again(void **state)
{
    (void)state;
    start_counter(tile);
    h.clock(1000);
    uint32_t count = host_peek(&h, tile, OUT);
    assert_true(count > 1000);
    host_poke(&h, tile, HOST_SOFT_RESET, HOST_SOFT_RESET_ALL);
    h.clock(100);
    assert_int_equal(host_peek(&h, tile, OUT), count);
    host_poke(&h, tile, HOST_SOFT_RESET, HOST_SOFT_RESET_ALL & ~(uint32_t)HOST_SOFT_RESET_B);
    h.clock(1);
    assert_true(host_peek(&h, tile, OUT) < count);
}

static void all_tiles_get_their_share(void **state)
{
    (void)state;
    uint32_t least = UINT32_MAX, most = 0;
    for (unsigned i = 0; i < 140; i++)
        start_counter(nth(i));
    for (unsigned i = 0; i < 200; i++)
        h.clock(1);
    for (unsigned i = 0; i < 140; i++) {
        uint32_t count = host_peek(&h, nth(i), OUT);
        least = count < least ? count : least;
        most = count > most ? count : most;
    }
    assert_true(least >= 1000);
    assert_true(most - least <= 512);
}

static void a_core_that_waits_goes_on_when_the_host_writes(void **state)
{
    (void)state;
    /* T0 waits for its PC buffer; the host lets core B fill it later. */
    const uint32_t t0[] = {
        rv_lui(7, 0xFFE80), rv_lw(6, 0, 7), rv_lui(5, OUT >> 12), rv_sw(6, 0, 5), rv_jal(0, 0)};
    const uint32_t b[] = {rv_lui(7, 0xFFE80), rv_addi(6, 0, 77), rv_sw(6, 0, 7), rv_jal(0, 0)};
    host_write(&h, tile, 0x6000, t0, sizeof t0);
    host_write(&h, tile, 0, b, sizeof b);
    host_poke(&h, tile, HOST_SOFT_RESET, HOST_SOFT_RESET_ALL & ~(uint32_t)HOST_SOFT_RESET_T0);
    h.clock(UINT32_MAX); /* nothing moves, so this costs nothing */
    assert_int_equal(host_peek(&h, tile, OUT), 0);
    host_poke(&h,
              tile,
              HOST_SOFT_RESET,
              HOST_SOFT_RESET_ALL & ~(uint32_t)(HOST_SOFT_RESET_T0 | HOST_SOFT_RESET_B));
    assert_true(host_wait(&h, tile, OUT, 77, 1, 100));
}

static void exit_and_init_give_a_new_chip(void **state)
{
    (void)state;
    start_counter(tile);
    h.clock(100);
    h.exit();
    host_open(&h);
    assert_int_equal(host_peek(&h, tile, OUT), 0);
    assert_int_equal(host_peek(&h, tile, HOST_SOFT_RESET), HOST_SOFT_RESET_ALL);
    h.init(); /* once more changes nothing */
    host_poke(&h, tile, OUT, 5);
    h.init();
    assert_int_equal(host_peek(&h, tile, OUT), 5);
}

static void tile_functions_need_no_window(void **state)
{
    (void)state;
    uint32_t value = 0xABCD, back = 0;
    h.tile_write(3, 4, 0x2002, &value, 4);
    assert_int_equal(host_peek(&h, (struct host_place){3, 4}, 0x2000), 0xABCD0000);
    h.tile_read(3, 4, 0x2002, &back, 4);
    assert_int_equal(back, value);
    h.tile_read(3, 4, HOST_SOFT_RESET, &back, 4);
    assert_int_equal(back, HOST_SOFT_RESET_ALL);
}

static void other_tiles_answer_drivers(void **state)
{
    (void)state;
    const struct host_place arc = {8, 0}, eth = {20, 25};
    assert_int_equal(host_peek(&h, arc, 0x80030408), 5);
    uint32_t table = host_peek(&h, arc, 0x80030434);
    assert_int_equal(host_peek(&h, arc, table), 1);
    assert_int_not_equal(host_peek(&h, eth, 0x7CC70), host_peek(&h, eth, 0x7CC70));
    for (unsigned i = 0; i < 8; i++) {
        struct host_place port = {17 + i / 4, 12 + 3 * (i % 4)};
        host_poke(&h, port, 0xFEFF0000u, 0xD0 + i);
        port.y += 2;
        assert_int_equal(host_peek(&h, port, 0xFEFF0000u), 0xD0 + i);
    }
    assert_int_equal(host_peek(&h, (struct host_place){0, 0}, 0xFEFF0000u), 0xD4);
    assert_int_equal(host_peek(&h, (struct host_place){9, 5}, 0xFEFF0000u), 0xD2);
    uint32_t id = 0;
    h.mem_read(h.bar0 + 0x1FD04044, &id, 4);
    assert_int_equal(id, 0x10611002);
}

static void what_is_not_there_reads_0(void **state)
{
    (void)state;
    assert_int_equal(host_peek(&h, (struct host_place){8, 5}, 0), 0);
    assert_int_equal(host_peek(&h, (struct host_place){63, 63}, 0), 0);
    assert_int_equal(host_peek(&h, tile, 0x180000), 0);
    assert_int_equal(host_peek(&h, tile, UINT64_C(1) << 32), 0);
    uint32_t value = 7;
    h.mem_read(0, &value, 4);
    assert_int_equal(value, 0);
}

#define CHIP_TEST(name) cmocka_unit_test_setup_teardown(name, open_chip, close_chip)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CHIP_TEST(configuration_space_looks_like_the_card),
        CHIP_TEST(bars_follow_their_registers),
        CHIP_TEST(every_tile_knows_its_place),
        CHIP_TEST(windows_show_the_same_memory),
        CHIP_TEST(an_access_may_span_two_windows),
        CHIP_TEST(multicast_reaches_a_rectangle),
        CHIP_TEST(core_b_starts_at_0_and_releases_t0_elsewhere),
        CHIP_TEST(cores_start_where_hardware_starts_them),
        CHIP_TEST(start_addresses_can_be_set),
        CHIP_TEST(every_clock_is_worth_something),
        CHIP_TEST(reset_stops_a_core_and_release_starts_it_again),
        CHIP_TEST(all_tiles_get_their_share),
        CHIP_TEST(a_core_that_waits_goes_on_when_the_host_writes),
        CHIP_TEST(exit_and_init_give_a_new_chip),
        CHIP_TEST(tile_functions_need_no_window),
        CHIP_TEST(other_tiles_answer_drivers),
        CHIP_TEST(what_is_not_there_reads_0),
    };
    char why[256];
    if (!host_load(&h, WG_TTSIM_BH, why, sizeof why)) {
        print_error("%s\n", why);
        return 1;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
