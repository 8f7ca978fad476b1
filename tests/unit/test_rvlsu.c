/*
 * The store queue of a core with time: what coalesces, what leaves when; at its wires and under programs. Against
 * BabyRISCV/README (Load/Store Unit), MemoryOrdering and CSRs (cfg0).
 */
#include "timed_drive.h"

#define CFG0_RESET   (16u << 13)
#define CFG0_NOMERGE (1u << 12)
#define CFG0         0x7c0u
#define DATA         0x20000u
#define NIU          UINT32_C(0xffb20000)
#define MAILBOX_T0   UINT32_C(0xffec1000) /* of core B */
#define ROUNDS       5u
#define COUNTER      31u

static struct rvlsu l;
static struct l1 banks;

/* ---- the queue at its wires ---- */

static int lsu_setup(void **state)
{
    (void)state;
    memset(&l, 0, sizeof l);
    l.depth = (uint8_t)timing_typical.n.RISC_STORE_QUEUE;
    l.loads = (uint8_t)timing_typical.n.RISC_LOADS;
    memset(&banks, 0, sizeof banks);
    return 0;
}

#define LSU_TEST(f) cmocka_unit_test_setup_teardown(f, lsu_setup, NULL)

static void append(unsigned kind, uint32_t addr, unsigned size, uint64_t cycle, uint32_t value)
{
    rvlsu_append(&l,
                 &(struct rvlsu_store){.kind = (uint8_t)kind,
                                       .size = (uint8_t)size,
                                       .addr = addr,
                                       .enter = cycle,
                                       .data = {value}});
}

static bool merges(uint32_t addr)
{
    return rvlsu_merges(&l, addr, 1, CFG0_RESET);
}

static uint64_t due(uint32_t cfg0)
{
    return rvlsu_due(&l, &banks, RV_B, cfg0);
}

static void stores_coalesce_within_16_bytes_and_4_of_the_last_start(void **state)
{
    (void)state;
    for (uint32_t first = 0x1000; first < 0x1010; first++) {
        lsu_setup(state);
        append(RVLSU_L1, first, 1, 100, 0);
        for (uint32_t second = 0xff0; second < 0x1020; second++) {
            uint32_t apart = second > first ? second - first : first - second;
            assert_int_equal(merges(second), apart <= 4 && second / 16 == first / 16);
        }
    }
}

static void start_of_the_last_partner_counts(void **state)
{
    (void)state;
    append(RVLSU_L1, 0x1000, 4, 100, 1);
    assert_false(merges(0x1008));
    rvlsu_merge(&l, 0, 101, 0x1004, 4, 2);
    assert_true(merges(0x1008));
    rvlsu_merge(&l, 0, 102, 0x1008, 4, 3);
    assert_false(merges(0x1000));
    rvlsu_merge(&l, 0, 103, 0x100c, 4, 4);
    assert_int_equal(l.n, 1);
    assert_int_equal(l.store[0].mask, 0xffff);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(l.store[0].data[i], i + 1);
}

static void later_partner_wins_where_both_write(void **state)
{
    (void)state;
    append(RVLSU_L1, 0x1004, 4, 100, 0x11223344);
    rvlsu_merge(&l, 0, 101, 0x1006, 2, 0xaabb);
    rvlsu_merge(&l, 0, 102, 0x1004, 1, 0xcc);
    assert_int_equal(l.store[0].mask, 0x00f0);
    assert_int_equal(l.store[0].data[1], 0xaabb33cc);
}

static void only_the_last_store_takes_partners(void **state)
{
    (void)state;
    append(RVLSU_L1, 0x1000, 4, 100, 0);
    append(RVLSU_L1, 0x2000, 4, 101, 0);
    assert_false(merges(0x1004));
    assert_true(merges(0x2004));
    append(RVLSU_BUS, NIU, 4, 102, 0);
    assert_false(merges(0x2004));
    assert_false(merges(NIU));
}

static void merging_can_be_switched_off(void **state)
{
    (void)state;
    append(RVLSU_L1, 0x1000, 4, 100, 0);
    assert_true(rvlsu_merges(&l, 0x1004, 4, CFG0_RESET));
    assert_false(rvlsu_merges(&l, 0x1004, 4, CFG0_RESET | CFG0_NOMERGE));
}

static void lone_store_waits_for_the_merge_timer(void **state)
{
    (void)state;
    append(RVLSU_L1, 0x1000, 4, 100, 0);
    for (uint32_t timer = 0; timer < 32; timer++)
        assert_int_equal(due(timer << 13), 101 + timer);
    assert_int_equal(due(CFG0_RESET | CFG0_NOMERGE), 101);
    rvlsu_merge(&l, 0, 110, 0x1004, 4, 0);
    assert_int_equal(due(CFG0_RESET), 127); /* counted from the last one */
}

static void whole_block_does_not_wait(void **state)
{
    (void)state;
    append(RVLSU_L1, 0x1000, 4, 100, 0);
    for (uint32_t i = 1; i < 4; i++)
        rvlsu_merge(&l, 0, 100 + i, 0x1000 + 4 * i, 4, 0);
    assert_int_equal(due(CFG0_RESET), 104);
}

static void store_to_a_device_does_not_wait(void **state)
{
    (void)state;
    append(RVLSU_BUS, NIU, 4, 100, 0);
    assert_int_equal(due(CFG0_RESET), 101);
    lsu_setup(state);
    append(RVLSU_PUSH, 0, 4, 100, 0);
    assert_int_equal(due(CFG0_RESET), 101);
}

static void store_behind_it_ends_the_wait(void **state)
{
    (void)state;
    append(RVLSU_L1, 0x1000, 4, 100, 0);
    append(RVLSU_BUS, NIU, 4, 107, 0);
    assert_int_equal(due(CFG0_RESET), 108);
    assert_int_equal(due(CFG0_RESET | CFG0_NOMERGE), 101);
}

static void order_to_drain_ends_the_wait(void **state)
{
    (void)state;
    append(RVLSU_L1, 0x1000, 4, 100, 0);
    rvlsu_force(&l, 105);
    assert_int_equal(due(CFG0_RESET), 105);
    rvlsu_force(&l, 90);
    assert_int_equal(due(CFG0_RESET), 101); /* not before it is there */
    append(RVLSU_L1, 0x2000, 4, 106, 0);
    rvlsu_pop(&l, 105);
    assert_int_equal(due(CFG0_RESET), 106 + 16 + 1); /* the order was not for those behind it */
}

static void loads_have_the_way_out_first(void **state)
{
    (void)state;
    append(RVLSU_BUS, NIU, 4, 100, 0);
    l.free = 102; /* a load went out in 101 */
    assert_int_equal(due(CFG0_RESET), 102);
}

static void one_store_leaves_in_a_cycle(void **state)
{
    (void)state;
    append(RVLSU_BUS, NIU, 4, 100, 0);
    append(RVLSU_BUS, NIU, 4, 100, 0);
    rvlsu_pop(&l, 101);
    assert_int_equal(due(CFG0_RESET), 102);
    assert_int_equal(l.emptied, 102);
}

static void busy_bank_or_port_holds_a_store(void **state)
{
    (void)state;
    append(RVLSU_L1, 0x1000, 4, 100, 0);
    l1_take(&banks, RV_T0, 0x1200, 100, 5); /* the same bank, 512 bytes on */
    assert_int_equal(due(CFG0_NOMERGE), 105);
    lsu_setup(state);
    append(RVLSU_L1, 0x1000, 4, 100, 0);
    l1_take(&banks, RV_T0, 0x1010, 100, 5);
    assert_int_equal(due(CFG0_NOMERGE), 101);
    l1_take(&banks, RV_B, 0x1020, 100, 5); /* the same port */
    assert_int_equal(due(CFG0_NOMERGE), 105);
}

static void store_that_was_refused_waits_for_somebody_else(void **state)
{
    (void)state;
    assert_int_equal(due(CFG0_RESET), RV_NEVER);
    append(RVLSU_BUS, NIU, 4, 100, 0);
    l.blocked = true;
    assert_int_equal(due(CFG0_RESET), RV_NEVER);
    l.blocked = false;
    l.staged = true;
    assert_int_equal(due(CFG0_RESET), RV_NEVER);
}

static void overlap_is_exact_to_the_byte(void **state)
{
    (void)state;
    append(RVLSU_L1, 0x1006, 1, 100, 0);
    append(RVLSU_L1, 0x1008, 4, 101, 0);
    for (uint32_t at = 0xff0; at < 0x1020; at++)
        assert_int_equal(rvlsu_overlaps(&l, at, 1), at == 0x1006 || (at >= 0x1008 && at < 0x100c));
    assert_false(rvlsu_overlaps(&l, 0x1004, 2));
    assert_true(rvlsu_overlaps(&l, 0x1006, 2));
    assert_true(rvlsu_overlaps(&l, 0x1004, 4));
    append(RVLSU_BUS, NIU + 4, 4, 102, 0);
    assert_false(rvlsu_overlaps(&l, NIU, 4));
    assert_true(rvlsu_overlaps(&l, NIU + 6, 2));
    append(RVLSU_PUSH, 0, 4, 103, 0);
    assert_false(rvlsu_overlaps(&l, 0, 4)); /* has no address */
}

/* ---- programs ---- */

/* The cycle in which core B was at pc for the last time. */
static uint64_t when(uint32_t pc)
{
    return when_last(B, pc);
}

static unsigned apart(uint32_t from, uint32_t to)
{
    return (unsigned)(when(to) - when(from));
}

/* Core B writes cfg0 and x20; then its body begins, with an empty queue. */
static uint32_t begin(struct tile *tile, uint32_t cfg0, uint32_t x20)
{
    uint32_t at = 0;
    put_li(tile, &at, 5, cfg0);
    PUT(CSRRW, .rd = 0, .rs1 = 5, .csr = CFG0);
    put_li(tile, &at, 20, x20);
    put_li(tile, &at, 6, 0x55);
    put_li(tile, &at, COUNTER, ROUNDS);
    PUT(FENCE, .imm = 0xff);
    return at;
}

static void go_round(struct tile *tile, uint32_t body, uint32_t at)
{
    PUT(FENCE, .imm = 0xff);
    for (unsigned i = 0; i < 8; i++) /* L1's port is free again */
        PUT(ADDI, .rd = 7, .imm = 0);
    PUT(ADDI, .rd = COUNTER, .rs1 = COUNTER, .imm = -1);
    PUT(BNE, .rs1 = COUNTER, .rs2 = 0, .imm = (int32_t)(body - at));
    PUT(JAL, .imm = 0);
    assert_int_equal(run(tile, BIT(B), 100000), TILE_END_DONE);
}

static void coalesced_stores_take_a_cycle_each(void **state)
{
    struct tile *tile = *state;
    uint32_t at = begin(tile, CFG0_RESET, DATA), body = at;
    for (int32_t i = 0; i < 64; i++)
        PUT(SW, .rs1 = 20, .rs2 = 6, .imm = 4 * i);
    go_round(tile, body, at);
    for (unsigned i = 0; i < 64; i++) {
        assert_int_equal(apart(body, body + 4 * i), i);
        assert_int_equal(peek(tile, DATA + 4 * i), 0x55);
    }
    for (unsigned i = 0; i < 16; i++) /* each block leaves in the cycle after its last word */
        assert_int_equal(written(tile, DATA + 16 * i), when(body + 16 * i + 12) + 1);
}

static void coalesced_bytes_take_a_cycle_each(void **state)
{
    struct tile *tile = *state;
    uint32_t at = begin(tile, CFG0_RESET, DATA), body = at;
    for (int32_t i = 0; i < 64; i++)
        PUT(SB, .rs1 = 20, .rs2 = 6, .imm = i);
    go_round(tile, body, at);
    for (unsigned i = 0; i < 64; i++)
        assert_int_equal(apart(body, body + 4 * i), i);
    assert_int_equal(peek(tile, DATA + 60), 0x55555555);
}

static void scattered_stores_take_five_cycles_each(void **state)
{
    static const uint8_t enters[] = {0, 1, 2, 3, 4, 8, 13, 18, 23, 28, 33, 38};
    struct tile *tile = *state;
    uint32_t at = begin(tile, CFG0_RESET, DATA), body = at;
    for (int32_t i = 0; i < 12; i++)
        PUT(SW, .rs1 = 20, .rs2 = 6, .imm = 16 * i);
    go_round(tile, body, at);
    /* the first leaves when the second has come, the others five cycles apart */
    for (unsigned i = 0; i < 12; i++) {
        assert_int_equal(written(tile, DATA + 16 * i), when(body) + 2 + 5 * i);
        assert_int_equal(apart(body, body + 4 * i), enters[i]);
    }
}

static void pairs_of_stores_take_five_cycles_together(void **state)
{
    struct tile *tile = *state;
    uint32_t at = begin(tile, CFG0_RESET, DATA), body = at;
    for (int32_t i = 0; i < 32; i++)
        PUT(SW, .rs1 = 20, .rs2 = 6, .imm = i / 2 * 16 + i % 2 * 4);
    go_round(tile, body, at);
    for (unsigned i = 0; i < 16; i++) {
        assert_int_equal(written(tile, DATA + 16 * i), when(body) + 3 + 5 * i);
        assert_int_equal(written(tile, DATA + 16 * i + 4), written(tile, DATA + 16 * i));
    }
}

static void without_merging_every_store_takes_five_cycles(void **state)
{
    struct tile *tile = *state;
    uint32_t at = begin(tile, CFG0_RESET | CFG0_NOMERGE, DATA), body = at;
    for (int32_t i = 0; i < 12; i++)
        PUT(SW, .rs1 = 20, .rs2 = 6, .imm = 4 * i);
    go_round(tile, body, at);
    for (unsigned i = 0; i < 12; i++)
        assert_int_equal(written(tile, DATA + 4 * i), when(body) + 1 + 5 * i);
}

static void stores_to_devices_take_a_cycle_each(void **state)
{
    struct tile *tile = *state;
    uint32_t at = begin(tile, CFG0_RESET, NIU), body = at;
    for (int32_t i = 0; i < 32; i++)
        PUT(SW, .rs1 = 20, .rs2 = 6, .imm = 4 * i);
    go_round(tile, body, at);
    for (unsigned i = 0; i < 32; i++) {
        assert_int_equal(apart(body, body + 4 * i), i);
        assert_int_equal(tile->niu[0][i], 0x55);
    }
}

static void stores_to_the_data_ram_take_a_cycle_each(void **state)
{
    struct tile *tile = *state;
    uint32_t at = begin(tile, CFG0_RESET, RV_LOCAL_BASE), body = at;
    for (int32_t i = 0; i < 32; i++)
        PUT(SW, .rs1 = 20, .rs2 = 6, .imm = 8 * i);
    go_round(tile, body, at);
    for (unsigned i = 0; i < 32; i++)
        assert_int_equal(apart(body, body + 4 * i), i);
}

/* A lone store with 40 other instructions behind it: how long it waits. */
static unsigned lone_store(void **state, uint32_t cfg0, int32_t behind)
{
    tile_teardown(state);
    timed_setup(state);
    struct tile *tile = *state;
    uint32_t at = begin(tile, cfg0, DATA), body = at;
    PUT(SW, .rs1 = 20, .rs2 = 6);
    for (unsigned i = 0; i < 40; i++)
        PUT(ADDI, .rd = 7, .imm = 1);
    if (behind)
        poke(tile,
             body + 4 * (uint32_t)behind,
             rv32_encode(RV_OP_SW, (struct rv32_args){.rs1 = 20, .rs2 = 6, .imm = 4}));
    go_round(tile, body, at);
    return (unsigned)(written(tile, DATA) - when(body));
}

static void lone_store_leaves_after_the_merge_timer(void **state)
{
    assert_int_equal(lone_store(state, CFG0_RESET, 0), 17);
    assert_int_equal(lone_store(state, 1u << 13, 0), 2);
    assert_int_equal(lone_store(state, 0, 0), 1);
    assert_int_equal(lone_store(state, 31u << 13, 0), 32);
    assert_int_equal(lone_store(state, CFG0_RESET | CFG0_NOMERGE, 0), 1);
}

static void partner_within_the_merge_timer_goes_with_it(void **state)
{
    for (int32_t behind = 1; behind <= 16; behind++)
        assert_int_equal(lone_store(state, CFG0_RESET, behind), behind + 17);
    assert_int_equal(lone_store(state, CFG0_RESET, 18), 17);
    struct tile *tile = *state;
    assert_true(written(tile, DATA + 4) > written(tile, DATA));
}

static void store_8_further_does_not_coalesce(void **state)
{
    struct tile *tile = *state;
    uint32_t at = begin(tile, CFG0_RESET, DATA), body = at;
    PUT(SW, .rs1 = 20, .rs2 = 6, .imm = 0);
    PUT(SW, .rs1 = 20, .rs2 = 6, .imm = 8);
    PUT(SW, .rs1 = 20, .rs2 = 6, .imm = 4); /* goes with that */
    go_round(tile, body, at);
    assert_int_equal(written(tile, DATA), when(body) + 2);
    assert_true(written(tile, DATA + 8) > written(tile, DATA));
    assert_int_equal(written(tile, DATA + 8), written(tile, DATA + 4));
}

static void store_queue_has_four_entries(void **state)
{
    struct tile *tile = *state;
    uint32_t at = 0, body;
    put_li(tile, &at, 20, MAILBOX_T0);
    body = at;
    for (unsigned i = 0; i < 12; i++)
        PUT(SW, .rs1 = 20, .rs2 = 6);
    assert_int_equal(run(tile, BIT(B), 10000), TILE_END_HANG);
    assert_int_equal(times(B, body + 4 * 7), 1); /* four in the mailbox, four in the queue */
    assert_int_equal(times(B, body + 4 * 8), 0);
    assert_int_equal(tile->pipe[B].lsu.n, 4);
    assert_int_equal(tile->core[B].pc, body + 4 * 8);
    const struct ledger *b = &tile->coproc.ledger[OWNER_CORE_B];
    assert_int_equal(b->key, wait_key(WAIT_MAILBOX_FULL, OWNER_CORE_T0));
    assert_int_equal(b->since, when(body + 4 * 7) + 1);
}

/* ---- loads and older stores ---- */

static void load_passes_older_stores_to_other_addresses(void **state)
{
    struct tile *tile = *state;
    uint32_t at = begin(tile, CFG0_RESET, DATA), body = at, store;
    store = at;
    PUT(SW, .rs1 = 20, .rs2 = COUNTER);
    PUT(LW, .rd = 5, .rs1 = 20, .imm = 0x110);
    PUT(LW, .rd = 6, .rs1 = 20, .imm = 4); /* the same 16 bytes */
    go_round(tile, body, at);
    assert_int_equal(apart(store, store + 4), 1);
    assert_int_equal(apart(store, store + 8), 2);
    assert_true(written(tile, DATA) > when(store + 8));
}

static void load_waits_for_an_older_store_to_the_same_bytes(void **state)
{
    static const struct {
        enum rv_op store, load;
        int32_t at;
        bool overlaps;
    } cases[] = {{RV_OP_SW, RV_OP_LW, 0, true},
                 {RV_OP_SB, RV_OP_LW, 3, true},
                 {RV_OP_SH, RV_OP_LW, 2, true},
                 {RV_OP_SB, RV_OP_LW, 4, false},
                 {RV_OP_SB, RV_OP_LBU, 1, false},
                 {RV_OP_SH, RV_OP_LHU, 2, false}};
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        tile_teardown(state);
        timed_setup(state);
        struct tile *tile = *state;
        uint32_t at = begin(tile, CFG0_RESET, DATA), body = at, store;
        store = at;
        poke(tile,
             at,
             rv32_encode(cases[i].store,
                         (struct rv32_args){.rs1 = 20, .rs2 = COUNTER, .imm = cases[i].at}));
        at += 4;
        poke(tile, at, rv32_encode(cases[i].load, (struct rv32_args){.rd = 6, .rs1 = 20}));
        at += 4;
        go_round(tile, body, at);
        /* the store leaves at once and has L1's port for five cycles */
        assert_int_equal(apart(store, store + 4), cases[i].overlaps ? 6 : 1);
        if (cases[i].overlaps) {
            assert_int_equal(written(tile, DATA + (uint32_t)cases[i].at / 4 * 4), when(store) + 1);
            assert_int_equal(tile->core[B].x[6], 1u << 8 * cases[i].at);
        }
    }
}

static void load_may_be_told_to_wait_for_all_stores(void **state)
{
    struct tile *tile = *state;
    uint32_t at = begin(tile, CFG0_RESET | 1, DATA), body = at, store;
    store = at;
    PUT(SW, .rs1 = 20, .rs2 = COUNTER);
    PUT(LW, .rd = 5, .rs1 = 20, .imm = 0x110);
    go_round(tile, body, at);
    assert_true(when(store + 4) > written(tile, DATA));
}

static void load_does_not_hurry_other_stores_when_the_one_it_overlaps_has_left(void **state)
{
    struct tile *tile = *state;
    uint32_t at = begin(tile, CFG0_RESET, DATA), body = at, first;
    first = at;
    PUT(SW, .rs1 = 20, .rs2 = COUNTER);
    PUT(SW, .rs1 = 20, .rs2 = COUNTER, .imm = 0x50); /* waits for a partner until 1 + 17 */
    for (unsigned i = 0; i < 8; i++)
        NOP;
    PUT(LW, .rd = 5, .rs1 = 20);
    for (unsigned i = 0; i < 20; i++)
        NOP;
    go_round(tile, body, at);
    assert_int_equal(written(tile, DATA), when(first) + 2);
    assert_int_equal(written(tile, DATA + 0x50), when(first) + 18);
}

TEST_MAIN(LSU_TEST(stores_coalesce_within_16_bytes_and_4_of_the_last_start),
          LSU_TEST(start_of_the_last_partner_counts), LSU_TEST(later_partner_wins_where_both_write),
          LSU_TEST(only_the_last_store_takes_partners), LSU_TEST(merging_can_be_switched_off),
          LSU_TEST(lone_store_waits_for_the_merge_timer), LSU_TEST(whole_block_does_not_wait),
          LSU_TEST(store_to_a_device_does_not_wait), LSU_TEST(store_behind_it_ends_the_wait),
          LSU_TEST(order_to_drain_ends_the_wait), LSU_TEST(loads_have_the_way_out_first),
          LSU_TEST(one_store_leaves_in_a_cycle), LSU_TEST(busy_bank_or_port_holds_a_store),
          LSU_TEST(store_that_was_refused_waits_for_somebody_else),
          LSU_TEST(overlap_is_exact_to_the_byte), TIMED_TEST(coalesced_stores_take_a_cycle_each),
          TIMED_TEST(coalesced_bytes_take_a_cycle_each),
          TIMED_TEST(scattered_stores_take_five_cycles_each),
          TIMED_TEST(pairs_of_stores_take_five_cycles_together),
          TIMED_TEST(without_merging_every_store_takes_five_cycles),
          TIMED_TEST(stores_to_devices_take_a_cycle_each),
          TIMED_TEST(stores_to_the_data_ram_take_a_cycle_each),
          TIMED_TEST(lone_store_leaves_after_the_merge_timer),
          TIMED_TEST(partner_within_the_merge_timer_goes_with_it),
          TIMED_TEST(store_8_further_does_not_coalesce), TIMED_TEST(store_queue_has_four_entries),
          TIMED_TEST(load_passes_older_stores_to_other_addresses),
          TIMED_TEST(load_waits_for_an_older_store_to_the_same_bytes),
          TIMED_TEST(load_may_be_told_to_wait_for_all_stores),
          TIMED_TEST(load_does_not_hurry_other_stores_when_the_one_it_overlaps_has_left))
