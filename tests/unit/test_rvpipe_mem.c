/*
 * Cores with time: loads, atomics, fences, the L0 data cache, banks of L1, and the data RAM after reset. Against the
 * Blackhole pages BabyRISCV/README (Load/Store Unit, Local Data RAM) and MemoryOrdering. What counts is the last
 * round of a loop, as in test_rvpipe.c.
 */
#include "timed_drive.h"

#define ROUNDS  5u
#define COUNTER 31u
#define CFG0    0x7c0u
#define DATA    0x20000u
#define MAILBOX UINT32_C(0xffec0000)

static void start_again(void **state)
{
    tile_teardown(state);
    timed_setup(state);
}

static unsigned apart(unsigned core, uint32_t from, uint32_t to)
{
    return (unsigned)(when_last(core, to) - when_last(core, from));
}

/* ---- programs ---- */

#define FENCE_ALL PUT(FENCE, .imm = 0xff)

/* Starts a program with x20 and, if it is not 0, further bits in cfg0; returns where its body goes. */
static uint32_t begin(struct tile *tile, unsigned core, uint32_t x20, uint32_t cfg0)
{
    uint32_t at = tile_control_start_pc(tile, core);
    put_li(tile, &at, COUNTER, ROUNDS);
    put_li(tile, &at, 20, x20);
    if (cfg0) {
        put_li(tile, &at, 5, cfg0);
        PUT(CSRRS, .rd = 0, .rs1 = 5, .csr = CFG0);
    }
    return at;
}

static void end_round(struct tile *tile, uint32_t body, uint32_t at)
{
    PUT(ADDI, .rd = COUNTER, .rs1 = COUNTER, .imm = -1);
    PUT(BNE, .rs1 = COUNTER, .rs2 = 0, .imm = (int32_t)(body - at));
    PUT(JAL, .imm = 0);
}

static void go_round(struct tile *tile, unsigned core, uint32_t body, uint32_t at)
{
    end_round(tile, body, at);
    assert_int_equal(run(tile, BIT(core), 100000), TILE_END_DONE);
}

/* ---- latency ---- */

static const struct {
    const char *what;
    unsigned core;
    uint32_t address;
    unsigned latency;
} regions[] = {
    {"own data RAM", B, 0xffb00000, 2},
    {"own data RAM", NC, 0xffb01ffc, 2},
    {"own data RAM", T1, 0xffb00ffc, 2},
    {"semaphore", T0, 0xffe80020, 3},
    {"semaphore", T2, 0xffe8003c, 3},
    {"mailbox status", B, 0xffec1004, 3},
    {"mailbox status", T1, 0xffec0004, 3},
    {"tensix_sync", T0, 0xffe80004, 3},
    {"mop_sync", T1, 0xffe80008, 3},
    {"GPR", T0, 0xffe00000, 4},
    {"GPR", B, 0xffe00104, 4},
    {"Config", T2, 0xffef0000, 4},
    {"Config", B, 0xffef0384, 4},
    {"ThreadConfig", T0, 0xffef0a80, 4},
    {"TDMA-RISC", B, 0xffb11014, 4},
    {"tile control", B, 0xffb12054, 7},
    {"wall clock", NC, 0xffb121f0, 7},
    {"PIC", NC, 0xffb13000, 7},
    {"pc snapshot", T0, 0xffb13138, 7},
    {"NoC 0", NC, 0xffb20000, 7},
    {"NoC 1", B, 0xffb30000, 7},
    {"overlay", T1, 0xffb40000, 7},
    {"data RAM of B, slow path", B, 0xffb14000, 8},
    {"data RAM of T0, slow path", NC, 0xffb18000, 8},
    {"L1", B, DATA, 8},
    {"L1", T2, 0x17fffc, 8},
};

static void load_use_distance_is_the_latency_of_the_region(void **state)
{
    for (unsigned i = 0; i < sizeof regions / sizeof regions[0]; i++) {
        start_again(state);
        struct tile *tile = *state;
        unsigned core = regions[i].core, n = regions[i].latency;
        uint32_t at = begin(tile, core, regions[i].address, 0), body = at, load, hidden;
        FENCE_ALL; /* nothing in the L0 data cache */
        load = at;
        PUT(LW, .rd = 5, .rs1 = 20);
        PUT(ADDI, .rd = 6, .rs1 = 5);
        FENCE_ALL;
        hidden = at;
        PUT(LW, .rd = 5, .rs1 = 20);
        for (unsigned k = 1; k < n; k++) /* so many independent ones hide it */
            PUT(ADDI, .rd = (uint8_t)(6 + k), .imm = 1);
        PUT(ADDI, .rd = 6, .rs1 = 5);
        go_round(tile, core, body, at);
        if (apart(core, load, load + 4) != n)
            fail_msg("%s: %u", regions[i].what, apart(core, load, load + 4));
        assert_int_equal(held_by(core, load + 4) >> 8, WAIT_LOAD);
        for (unsigned k = 1; k < n; k++)
            assert_int_equal(apart(core, hidden, hidden + 4 * k), k);
        /* with seven of them the retire-order queue is full until this very cycle */
        assert_int_equal(apart(core, hidden, hidden + 4 * n), n);
    }
}

static void load_that_hits_the_l0_data_cache_has_latency_two(void **state)
{
    struct tile *tile = *state;
    uint32_t at = begin(tile, B, DATA, 0), body = at, load;
    poke(tile, DATA + 12, 77);
    FENCE_ALL;
    PUT(LW, .rd = 5, .rs1 = 20);
    PUT(ADDI, .rd = 6, .rs1 = 5);
    load = at;
    PUT(LW, .rd = 5, .rs1 = 20, .imm = 12); /* the same 16 bytes */
    PUT(ADDI, .rd = 7, .rs1 = 5);
    PUT(LW, .rd = 5, .rs1 = 20, .imm = 16); /* others */
    PUT(ADDI, .rd = 8, .rs1 = 5);
    go_round(tile, B, body, at);
    assert_int_equal(apart(B, load, load + 4), 2);
    assert_int_equal(tile->core[B].x[7], 77);
    assert_int_equal(apart(B, load + 8, load + 12), 8);
}

static void without_the_l0_data_cache_every_load_has_latency_eight(void **state)
{
    struct tile *tile = *state;
    uint32_t at = begin(tile, B, DATA, 1u << 3), body = at;
    for (unsigned i = 0; i < 4; i++) {
        PUT(LW, .rd = 5, .rs1 = 20);
        PUT(ADDI, .rd = 6, .rs1 = 5);
    }
    go_round(tile, B, body, at);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(apart(B, body + 8 * i, body + 8 * i + 4), 8);
}

static void pointer_chase_through_l1_takes_eight_cycles_a_step(void **state)
{
    struct tile *tile = *state;
    uint32_t at = begin(tile, B, DATA, 1u << 3), body = at;
    poke(tile, DATA, DATA);
    for (unsigned i = 0; i < 8; i++)
        PUT(LW, .rd = 20, .rs1 = 20);
    go_round(tile, B, body, at);
    for (unsigned i = 0; i < 8; i++)
        assert_int_equal(apart(B, body, body + 4 * i), 8 * i);
}

static void atomic_has_latency_twelve(void **state)
{
    struct tile *tile = *state;
    uint32_t at = begin(tile, B, DATA, 0), body = at, amo;
    PUT(ADDI, .rd = 7, .imm = 3);
    FENCE_ALL;
    amo = at;
    PUT(AMOADD_W, .rd = 5, .rs1 = 20, .rs2 = 7);
    PUT(ADDI, .rd = 6, .rs1 = 5);
    go_round(tile, B, body, at);
    assert_int_equal(apart(B, amo, amo + 4), 12);
    assert_int_equal(held_by(B, amo + 4), wait_key(WAIT_LOAD, OWNER_L1));
    assert_int_equal(peek(tile, DATA), 3 * ROUNDS);
    assert_int_equal(tile->core[B].x[6], 3 * (ROUNDS - 1));
}

/* ---- loads under way ---- */

/* Cycles in which 16 independent loads from 16 blocks enter, behind a fence. */
static void independent_loads(void **state, uint32_t address, unsigned enters[16])
{
    start_again(state);
    struct tile *tile = *state;
    uint32_t at = begin(tile, B, address, 1u << 3), body = at, load;
    FENCE_ALL;
    load = at;
    for (unsigned i = 0; i < 16; i++)
        PUT(LW, .rd = (uint8_t)(5 + i % 8), .rs1 = 20, .imm = (int32_t)(16 * i % 128));
    go_round(tile, B, body, at);
    for (unsigned i = 0; i < 16; i++)
        enters[i] = apart(B, load, load + 4 * i);
    if (enters[4] > 4)
        assert_int_equal(held_by(B, load + 16), wait_key(WAIT_LOAD_SLOTS, OWNER_PIPELINE));
}

static void four_loads_from_l1_take_seven_cycles(void **state)
{
    unsigned enters[16];
    independent_loads(state, DATA, enters);
    for (unsigned i = 0; i < 16; i++)
        assert_int_equal(enters[i], i / 4 * 7 + i % 4);
}

static void four_loads_take_a_cycle_less_than_one_of_them(void **state)
{
    unsigned enters[16];
    independent_loads(state, CONTROL(0x100), enters); /* latency 7 */
    for (unsigned i = 0; i < 16; i++)
        assert_int_equal(enters[i], i / 4 * 6 + i % 4);
    independent_loads(state, 0xffef0000, enters); /* latency 4: no limit */
    for (unsigned i = 0; i < 16; i++)
        assert_int_equal(enters[i], i);
}

static void loads_from_the_data_ram_take_a_cycle_each(void **state)
{
    unsigned enters[16];
    independent_loads(state, RV_LOCAL_BASE, enters);
    for (unsigned i = 0; i < 16; i++)
        assert_int_equal(enters[i], i);
}

/* ---- loads and stores ---- */

static void load_right_behind_a_store_to_the_same_word_of_the_data_ram_waits_a_cycle(void **state)
{
    struct tile *tile = *state;
    uint32_t at = begin(tile, B, RV_LOCAL_BASE, 0), body = at, same, other;
    same = at;
    PUT(SW, .rs1 = 20, .rs2 = COUNTER);
    PUT(LW, .rd = 5, .rs1 = 20);
    other = at;
    PUT(SW, .rs1 = 20, .rs2 = COUNTER);
    PUT(LW, .rd = 6, .rs1 = 20, .imm = 4);
    go_round(tile, B, body, at);
    assert_int_equal(apart(B, same, same + 4), 2);
    assert_int_equal(apart(B, other, other + 4), 1);
    assert_int_equal(tile->core[B].x[5], 1);
}

static void store_leaves_later_than_a_load_of_the_same_cycle(void **state)
{
    struct tile *tile = *state;
    uint32_t at = begin(tile, B, 0xffb20000, 0), body = at, store;
    put_li(tile, &at, 21, 0xffb30000);
    FENCE_ALL;
    store = at;
    PUT(SW,
        .rs1 = 20,
        .rs2 = COUNTER); /* could leave in the next three cycles, but for the loads */
    PUT(LW, .rd = 5, .rs1 = 21);
    PUT(LW, .rd = 6, .rs1 = 21);
    PUT(LW, .rd = 7, .rs1 = 21);
    FENCE_ALL;
    go_round(tile, B, body, at);
    assert_int_equal(apart(B, store, store + 12), 3);
    assert_int_equal(tile->niu[0][0], 1);
    /* left in cycle 4, the loads have their values in 10 */
    assert_int_equal(apart(B, store, store + 16), 10);
}

/* ---- what was stored is what is loaded ---- */

static void
own_store_is_seen_although_its_line_came_to_the_l0_data_cache_before_it_left(void **state)
{
    struct tile *tile = *state;
    uint32_t at = begin(tile, B, DATA, 0), body = at;
    PUT(SW, .rs1 = 20, .rs2 = COUNTER);
    PUT(LW, .rd = 5, .rs1 = 20, .imm = 4); /* passes the store and brings the line */
    PUT(ADDI, .rd = 6, .rs1 = 5);
    PUT(LW, .rd = 7, .rs1 = 20);
    go_round(tile, B, body, at);
    assert_int_equal(tile->core[B].x[7], 1);
}

static void registers_behind_the_coprocessor_read_back_what_was_stored(void **state)
{
    static const uint32_t addresses[] = {0xffe00020, 0xffef0040}; /* a GPR, a word of Config */
    for (unsigned i = 0; i < 4; i++) {
        start_again(state);
        struct tile *tile = *state;
        unsigned core = i % 2 ? B : T0;
        uint32_t at = begin(tile, core, addresses[i / 2], 0), body = at;
        PUT(SW, .rs1 = 20, .rs2 = COUNTER);
        PUT(LW, .rd = 5, .rs1 = 20);
        go_round(tile, core, body, at);
        assert_int_equal(tile->core[core].x[5], 1);
    }
}

static void semaphore_is_read_in_the_cycle_after_the_post_was_made(void **state)
{
    struct tile *tile = *state;
    uint32_t at = begin(tile, T0, 0xffe80020, 0), body = at, post;
    FENCE_ALL;
    post = at;
    PUT(SW, .rs1 = 20, .rs2 = 0);
    PUT(LW, .rd = 5, .rs1 = 20);
    go_round(tile, T0, body, at);
    assert_int_equal(tile->core[T0].x[5], ROUNDS);
    assert_int_equal(apart(T0, post, post + 4), 2);
}

/* ---- fences and atomics ---- */

static void fence_waits_for_the_store_queue(void **state)
{
    struct tile *tile = *state;
    uint32_t at = begin(tile, B, DATA, 0), body = at, store;
    FENCE_ALL;
    for (unsigned i = 0; i < 8; i++)
        NOP;
    store = at;
    for (int32_t i = 0; i < 4; i++)
        PUT(SW, .rs1 = 20, .rs2 = COUNTER, .imm = 16 * i);
    FENCE_ALL;
    NOP;
    go_round(tile, B, body, at);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(written(tile, DATA + 16 * i), when_last(B, store) + 2 + 5 * i);
    assert_int_equal(apart(B, store, store + 16), 2 + 5 * 3 + 1);
    assert_int_equal(held_by(B, store + 16), wait_key(WAIT_ORDER, OWNER_PIPELINE));
    assert_int_equal(apart(B, store + 16, store + 20), 4); /* EX1, retired */
}

static void fence_waits_for_loads(void **state)
{
    struct tile *tile = *state;
    uint32_t at = begin(tile, B, DATA, 1u << 3), body = at, load;
    FENCE_ALL;
    load = at;
    PUT(LW, .rd = 5, .rs1 = 20);
    PUT(LW, .rd = 6, .rs1 = 20, .imm = 16);
    FENCE_ALL;
    go_round(tile, B, body, at);
    assert_int_equal(apart(B, load, load + 8), 1 + 8);
    assert_int_equal(held_by(B, load + 8), wait_key(WAIT_ORDER, OWNER_PIPELINE));
}

static void fence_empties_the_l0_data_cache(void **state)
{
    struct tile *tile = *state;
    uint32_t at = begin(tile, B, DATA, 0), body = at, load;
    PUT(LW, .rd = 5, .rs1 = 20);
    PUT(ADDI, .rd = 6, .rs1 = 5);
    FENCE_ALL;
    load = at;
    PUT(LW, .rd = 5, .rs1 = 20);
    PUT(ADDI, .rd = 6, .rs1 = 5);
    go_round(tile, B, body, at);
    assert_int_equal(apart(B, body, body + 4), 2); /* of the round before */
    assert_int_equal(apart(B, load, load + 4), 8);
}

static void atomic_waits_for_stores_and_loads_and_empties_the_l0_data_cache(void **state)
{
    struct tile *tile = *state;
    uint32_t at = begin(tile, B, DATA, 0), body = at, store, load;
    PUT(ADDI, .rd = 21, .rs1 = 20, .imm = 0x100);
    FENCE_ALL;
    for (unsigned i = 0; i < 8; i++)
        NOP;
    store = at;
    PUT(SW, .rs1 = 20, .rs2 = COUNTER);
    PUT(AMOSWAP_W, .rd = 5, .rs1 = 21, .rs2 = 0); /* the port is taken by the store */
    PUT(ADDI, .rd = 6, .rs1 = 5);
    for (unsigned i = 0; i < 8; i++)
        NOP;
    load = at;
    PUT(LW, .rd = 7, .rs1 = 20, .imm = 0x50);
    PUT(AMOSWAP_W, .rd = 5, .rs1 = 21, .rs2 = 0);
    PUT(ADDI, .rd = 6, .rs1 = 5);
    PUT(LW, .rd = 7, .rs1 = 20, .imm = 0x50); /* was in the cache */
    PUT(ADDI, .rd = 8, .rs1 = 7);
    go_round(tile, B, body, at);
    assert_int_equal(apart(B, store, store + 4), 1 + 5);
    assert_int_equal(apart(B, store + 4, store + 8), 12);
    assert_int_equal(apart(B, load, load + 4), 8);
    assert_int_equal(apart(B, load + 12, load + 16), 8);
}

static void atomic_does_not_hold_what_follows(void **state)
{
    struct tile *tile = *state;
    uint32_t at = begin(tile, B, DATA, 0), body = at, amo;
    put_li(tile, &at, 21, 0xffb20000);
    FENCE_ALL;
    amo = at;
    PUT(AMOADD_W, .rd = 5, .rs1 = 20, .rs2 = 0);
    PUT(SW, .rs1 = 21, .rs2 = COUNTER);
    PUT(LW, .rd = 6, .rs1 = 21, .imm = 4);
    PUT(LW, .rd = 7, .rs1 = 20, .imm = 16); /* L1's port is taken for five cycles */
    go_round(tile, B, body, at);
    assert_int_equal(apart(B, amo, amo + 4), 1);
    assert_int_equal(apart(B, amo, amo + 8), 2);
    assert_int_equal(apart(B, amo, amo + 12), 5);
    assert_int_equal(held_by(B, amo + 12), wait_key(WAIT_L1_BANK, OWNER_L1));
}

/* ---- the L0 data cache is not coherent ---- */

static void store_empties_its_line_only(void **state)
{
    struct tile *tile = *state;
    uint32_t at = begin(tile, B, DATA, 0), body = at, again;
    PUT(LW, .rd = 5, .rs1 = 20);
    PUT(LW, .rd = 6, .rs1 = 20, .imm = 16);
    PUT(SW, .rs1 = 20, .rs2 = COUNTER, .imm = 12);
    for (unsigned i = 0; i < 40; i++) /* it leaves */
        NOP;
    again = at;
    PUT(LW, .rd = 5, .rs1 = 20);
    PUT(ADDI, .rd = 7, .rs1 = 5);
    PUT(LW, .rd = 6, .rs1 = 20, .imm = 16);
    PUT(ADDI, .rd = 7, .rs1 = 6);
    go_round(tile, B, body, at);
    assert_int_equal(apart(B, again, again + 4), 8);
    assert_int_equal(apart(B, again + 8, again + 12), 2);
}

static void what_another_core_writes_stays_unseen_until_the_line_is_emptied(void **state)
{
    struct tile *tile = *state;
    uint32_t at = 0, last;
    put_li(tile, &at, 20, DATA);
    PUT(LW, .rd = 5, .rs1 = 20);
    PUT(ADDI, .rd = 10, .rs1 = 5);
    for (unsigned i = 0; i < 100; i++) /* NC writes meanwhile */
        NOP;
    last = at;
    PUT(LW, .rd = 5, .rs1 = 20);
    PUT(ADDI, .rd = 11, .rs1 = 5);
    FENCE_ALL;
    PUT(LW, .rd = 12, .rs1 = 20);
    PUT(JAL, .imm = 0);
    at = tile_control_start_pc(tile, NC);
    put_li(tile, &at, 20, DATA);
    for (unsigned i = 0; i < 40; i++)
        NOP;
    PUT(SW, .rs1 = 20, .rs2 = 20);
    FENCE_ALL;
    PUT(JAL, .imm = 0);
    assert_int_equal(run(tile, BIT(B) | BIT(NC), 100000), TILE_END_DONE);
    assert_true(written(tile, DATA) < when_last(B, last));
    assert_int_equal(tile->core[B].x[10], 0);
    assert_int_equal(tile->core[B].x[11], 0);
    assert_int_equal(tile->core[B].x[12], DATA);
}

static void every_128th_hit_empties_the_l0_data_cache(void **state)
{
    for (unsigned off = 0; off < 2; off++) {
        start_again(state);
        struct tile *tile = *state;
        uint32_t at = begin(tile, B, DATA, off << 24), body;
        put_li(tile, &at, COUNTER, 300);
        PUT(LW, .rd = 5, .rs1 = 20); /* fills it */
        body = at;
        PUT(LW, .rd = 5, .rs1 = 20);
        PUT(ADDI, .rd = 6, .rs1 = 5);
        go_round(tile, B, body, at);
        unsigned misses = 0;
        uint64_t sent = 0;
        for (unsigned i = 0; i < n_log; i++) {
            if (log_of[i].kind != EV_CORE)
                continue;
            if (log_of[i].pc == body)
                sent = log_of[i].cycle;
            misses += log_of[i].pc == body + 4 && log_of[i].cycle - sent == 8;
        }
        assert_int_equal(misses, off ? 0 : 2);
    }
}

/* ---- banks of L1 ---- */

/* B and NC start together, and do the same in the same cycle with x20 of their own. */
static struct tile *two_cores(void **state, enum rv_op op, uint32_t b, uint32_t nc, uint32_t *pc)
{
    start_again(state);
    struct tile *tile = *state;
    for (unsigned core = B; core <= NC; core++) {
        uint32_t at = begin(tile, core, core == B ? b : nc, 0), body = at;
        NOP;
        FENCE_ALL;
        for (unsigned i = 0; i < 8; i++)
            NOP;
        pc[core] = at;
        poke(tile, at, rv32_encode(op, (struct rv32_args){.rd = 5, .rs1 = 20, .rs2 = COUNTER}));
        at += 4;
        for (unsigned i = 0; i < 8; i++)
            NOP;
        PUT(ADDI, .rd = 6, .rs1 = 5);
        for (unsigned i = 0; i < 40; i++)
            NOP;
        end_round(tile, body, at);
    }
    assert_int_equal(run(tile, BIT(B) | BIT(NC), 100000), TILE_END_DONE);
    return tile;
}

static void loads_of_two_cores_from_one_bank_in_one_cycle_are_made_one_after_the_other(void **state)
{
    uint32_t pc[RV_N_CORES];
    struct tile *tile = two_cores(state, RV_OP_LW, DATA, DATA + 512, pc);
    /* in the first round, behind which both wait for code, and in the second; then NC is a cycle behind */
    assert_int_equal(lost(tile, B, WAIT_L1_BANK), 0);
    assert_int_equal(lost(tile, NC, WAIT_L1_BANK), 2);
    assert_int_equal(held_by(NC, pc[NC]), wait_key(WAIT_L1_BANK, OWNER_L1));
    assert_int_equal(when_last(NC, pc[NC]) - when_last(B, pc[B]), 1);
    tile = two_cores(state, RV_OP_LW, DATA, DATA, pc); /* even if both want the same */
    assert_int_equal(lost(tile, NC, WAIT_L1_BANK), 2);
}

static void loads_of_two_cores_from_two_banks_do_not_meet(void **state)
{
    static const uint32_t apart_by[] = {16, 32, 256, 512 - 16, 512 + 16};
    uint32_t pc[RV_N_CORES];
    for (unsigned i = 0; i < sizeof apart_by / sizeof apart_by[0]; i++) {
        struct tile *tile = two_cores(state, RV_OP_LW, DATA, DATA + apart_by[i], pc);
        assert_int_equal(lost(tile, B, WAIT_L1_BANK) + lost(tile, NC, WAIT_L1_BANK), 0);
        assert_int_equal(when_last(NC, pc[NC]), when_last(B, pc[B]));
    }
}

static void narrow_store_has_its_bank_for_five_cycles(void **state)
{
    uint32_t pc[RV_N_CORES];
    struct tile *tile = two_cores(state, RV_OP_SW, DATA, DATA + 512, pc);
    uint64_t first = written(tile, DATA), second = written(tile, DATA + 512);
    assert_int_equal(first - when_last(B, pc[B]), 17); /* the merge timer */
    assert_int_equal(second - first, 5);
    tile = two_cores(state, RV_OP_SW, DATA, DATA + 16, pc);
    assert_int_equal(written(tile, DATA + 16), written(tile, DATA));
}

static void load_waits_for_the_narrow_store_of_another_core(void **state)
{
    unsigned waits = 0;
    for (unsigned early = 0; early < 8; early++) {
        start_again(state);
        struct tile *tile = *state;
        uint32_t pc[RV_N_CORES];
        for (unsigned core = B; core <= NC; core++) {
            uint32_t at = begin(tile, core, DATA, 1u << 3 | 1u << 12), body = at;
            FENCE_ALL;
            for (unsigned i = 0; core == NC && i < early; i++)
                NOP;
            pc[core] = at;
            if (core == B)
                PUT(SW, .rs1 = 20, .rs2 = COUNTER, .imm = 4); /* acts in the next cycle */
            else
                PUT(LW, .rd = 5, .rs1 = 20);
            for (unsigned i = core == NC ? early : 0; i < 24; i++)
                NOP;
            FENCE_ALL;
            put_li(tile, &at, COUNTER, 1); /* one round */
            end_round(tile, body, at);
            while (at & 15)
                NOP;
        }
        assert_int_equal(run(tile, BIT(B) | BIT(NC), 100000), TILE_END_DONE);
        uint64_t write = written(tile, DATA + 4), read = when_last(NC, pc[NC]);
        assert_true(read <= write || read >= write + 5);
        if (lost(tile, NC, WAIT_L1_BANK)) {
            waits += lost(tile, NC, WAIT_L1_BANK);
            assert_int_equal(read, write + 5);
        }
    }
    assert_int_equal(waits,
                     4 + 3 + 2 + 1); /* it comes one cycle behind the store, two, three, four */
}

/* ---- devices that do not answer at once ---- */

static void mailbox_answers_three_cycles_after_it_was_written(void **state)
{
    struct tile *tile = *state;
    uint32_t at = tile_control_start_pc(tile, T0), load, mail;
    put_li(tile, &at, 20, MAILBOX); /* from B */
    load = at;
    PUT(LW, .rd = 5, .rs1 = 20);
    PUT(ADDI, .rd = 6, .rs1 = 5);
    PUT(JAL, .imm = 0);
    at = 0;
    put_li(tile, &at, 20, MAILBOX + 0x1000);
    for (unsigned i = 0; i < 50; i++)
        NOP;
    mail = at;
    PUT(SW, .rs1 = 20, .rs2 = 20);
    PUT(JAL, .imm = 0);
    assert_int_equal(run(tile, BIT(B) | BIT(T0), 100000), TILE_END_DONE);
    assert_int_equal(tile->core[T0].x[6], MAILBOX + 0x1000);
    /* the store leaves a cycle after EX1, is seen in the next, and three later the value is there */
    assert_int_equal(when_last(T0, load + 4) - when_last(B, mail), 1 + 1 + 3);
    assert_int_equal(held_by(T0, load + 4), wait_key(WAIT_MAILBOX_EMPTY, OWNER_CORE_B));
}

/* One load at a time waits for devices: the next is sent when the first has its answer, and finds what is there then. */
static void next_device_is_asked_when_the_first_has_answered(void **state)
{
    struct tile *tile = *state;
    uint32_t at = tile_control_start_pc(tile, T0), load, mail;
    put_li(tile, &at, 20, MAILBOX);    /* from B */
    put_li(tile, &at, 21, 0xFFE80020); /* semaphore 0 */
    load = at;
    PUT(LW, .rd = 5, .rs1 = 20);
    PUT(ADDI, .rd = 6, .imm = 1);
    PUT(LW, .rd = 7, .rs1 = 21);
    PUT(JAL, .imm = 0);
    at = 0;
    put_li(tile, &at, 20, MAILBOX + 0x1000);
    for (unsigned i = 0; i < 50; i++)
        NOP;
    mail = at;
    PUT(SW, .rs1 = 20, .rs2 = 20);
    PUT(JAL, .imm = 0);
    assert_int_equal(run(tile, BIT(B) | BIT(T0), 100000), TILE_END_DONE);
    assert_true(when_last(T0, load + 4) < when_last(B, mail));
    /* the store leaves a cycle after EX1, the mailbox answers in the next, and another later the way is free */
    assert_int_equal(when_last(T0, load + 8) - when_last(B, mail), 1 + 1 + 1);
    assert_int_equal(held_by(T0, load + 8), wait_key(WAIT_MAILBOX_EMPTY, OWNER_CORE_B));
}

static void l1_is_reached_while_a_mailbox_does_not_answer(void **state)
{
    struct tile *tile = *state;
    uint32_t at = 0, load;
    put_li(tile, &at, 20, MAILBOX);
    put_li(tile, &at, 21, DATA);
    poke(tile, DATA, 4711);
    load = at;
    PUT(LW, .rd = 5, .rs1 = 20);
    PUT(LW, .rd = 6, .rs1 = 21);
    PUT(SW, .rs1 = 21, .rs2 = 6, .imm = 32); /* needs that load's value, not the first one's */
    PUT(ADDI, .rd = 7, .rs1 = 6);
    PUT(ADDI, .rd = 8, .rs1 = 5);
    assert_int_equal(run(tile, BIT(B), 1000), TILE_END_HANG);
    assert_int_equal(peek(tile, DATA + 32), 4711);
    assert_int_equal(tile->core[B].x[7], 4711);
    assert_int_equal(tile->core[B].pc, load + 16);
}

/* ---- the data RAM after reset ---- */

static void data_ram_can_be_used_when_it_is_cleared(void **state)
{
    static const uint16_t ready[RV_N_CORES] = {
        [RV_T0] = 1024, [RV_T1] = 1024, [RV_T2] = 1024, [RV_B] = 2048, [RV_NC] = 2048};
    for (unsigned core = 0; core < RV_N_CORES; core++)
        for (unsigned is_store = 0; is_store < 2; is_store++)
            for (unsigned late = 0; late < 2; late++) {
                start_again(state);
                struct tile *tile = *state;
                uint32_t at = tile_control_start_pc(tile, core), access;
                put_li(tile, &at, 20, RV_LOCAL_BASE);
                access = at;
                if (is_store)
                    PUT(SW, .rs1 = 20, .rs2 = 0);
                else
                    PUT(LW, .rd = 5, .rs1 = 20);
                PUT(ADDI, .rd = 6, .imm = 1);
                PUT(JAL, .imm = 0);
                if (late) /* counted from the end of reset */
                    tile_clock_run(tile, 333);
                uint64_t from = tile->clock.now;
                assert_int_equal(run(tile, BIT(core), 100000), TILE_END_DONE);
                assert_int_equal(when_last(core, access) - from, ready[core]);
                assert_int_equal(held_by(core, access), wait_key(WAIT_RAM_CLEAR, OWNER_DATA_RAM));
                assert_int_equal(when_last(core, access + 4), when_last(core, access) + 1);
            }
}

TEST_MAIN(TIMED_TEST(load_use_distance_is_the_latency_of_the_region),
          TIMED_TEST(load_that_hits_the_l0_data_cache_has_latency_two),
          TIMED_TEST(without_the_l0_data_cache_every_load_has_latency_eight),
          TIMED_TEST(pointer_chase_through_l1_takes_eight_cycles_a_step),
          TIMED_TEST(atomic_has_latency_twelve), TIMED_TEST(four_loads_from_l1_take_seven_cycles),
          TIMED_TEST(four_loads_take_a_cycle_less_than_one_of_them),
          TIMED_TEST(loads_from_the_data_ram_take_a_cycle_each),
          TIMED_TEST(load_right_behind_a_store_to_the_same_word_of_the_data_ram_waits_a_cycle),
          TIMED_TEST(store_leaves_later_than_a_load_of_the_same_cycle),
          TIMED_TEST(own_store_is_seen_although_its_line_came_to_the_l0_data_cache_before_it_left),
          TIMED_TEST(registers_behind_the_coprocessor_read_back_what_was_stored),
          TIMED_TEST(semaphore_is_read_in_the_cycle_after_the_post_was_made),
          TIMED_TEST(fence_waits_for_the_store_queue), TIMED_TEST(fence_waits_for_loads),
          TIMED_TEST(fence_empties_the_l0_data_cache),
          TIMED_TEST(atomic_waits_for_stores_and_loads_and_empties_the_l0_data_cache),
          TIMED_TEST(atomic_does_not_hold_what_follows), TIMED_TEST(store_empties_its_line_only),
          TIMED_TEST(what_another_core_writes_stays_unseen_until_the_line_is_emptied),
          TIMED_TEST(every_128th_hit_empties_the_l0_data_cache),
          TIMED_TEST(loads_of_two_cores_from_one_bank_in_one_cycle_are_made_one_after_the_other),
          TIMED_TEST(loads_of_two_cores_from_two_banks_do_not_meet),
          TIMED_TEST(narrow_store_has_its_bank_for_five_cycles),
          TIMED_TEST(load_waits_for_the_narrow_store_of_another_core),
          TIMED_TEST(mailbox_answers_three_cycles_after_it_was_written),
          TIMED_TEST(next_device_is_asked_when_the_first_has_answered),
          TIMED_TEST(l1_is_reached_while_a_mailbox_does_not_answer),
          TIMED_TEST(data_ram_can_be_used_when_it_is_cleared))
