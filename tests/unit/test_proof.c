/*
 * The proof of a hang: loops that are one, and loops that look like one and are left in the end. Both with and without
 * skipping, with the same end in the same cycle.
 */
#include "tile_drive.h"

#include "tile/hang.h"
#include "tile/proof.h"

#define FLAG   0x20000u
#define OTHER  0x20010u
#define RESULT 0x20100u
#define ROUNDS 400 /* several looks long */

#define PUT(id, ...) RV_PUT(tile, &at, id, __VA_ARGS__)

static struct tile *new_tile(bool no_skip)
{
    void *state = NULL;
    tile_setup(&state);
    struct tile *tile = state;
    assert_int_equal(tile_clock_run(tile, 0), TILE_END_LIMIT);
    tile->clock.no_skip = no_skip;
    return tile;
}

/* ---- when it is asked ---- */

static void looks_are_apart_by_a_quarter_of_the_time_at_most(void **state)
{
    (void)state;
    uint64_t at = 0, n = 0;
    while (at < UINT64_C(1) << 40) {
        uint64_t next = proof_next(at);
        assert_true(next > at);
        assert_true(at < 1024 || next - at <= at / 4);
        assert_int_equal(proof_next(next - 1), next); /* from wherever one asks */
        at = next;
        n++;
    }
    assert_true(n < 130);
}

/* ---- loops ---- */

/* x20 FLAG, x21 RESULT, x22 data RAM; x9 counts rounds from 0, x10 is ROUNDS. The body goes on behind itself, or leaves by
   a jump of LEAVE bytes beyond its end, where the result is written. */
typedef void body(struct tile *tile, uint32_t *to, bool leads_out);

/* A branch over the rest of the loop: three instructions, to what writes the result. */
#define OUT 12

static uint32_t put_program(struct tile *tile, unsigned core, body *b, bool leads_out)
{
    uint32_t at = tile_control_start_pc(tile, core);
    put_li(tile, &at, 20, FLAG);
    put_li(tile, &at, 21, RESULT);
    put_li(tile, &at, 22, RV_LOCAL_BASE + 0x200);
    PUT(ADDI, .rd = 10, .imm = ROUNDS);
    uint32_t top = at;
    PUT(FENCE, .imm = 0xff);
    PUT(LW, .rd = 5, .rs1 = 20);
    PUT(ADDI, .rd = 9, .rs1 = 9, .imm = 1);
    b(tile, &at, leads_out);
    PUT(ADDI, .rd = 6);
    PUT(BEQ, .rs1 = 5, .rs2 = 0, .imm = (int32_t)(top - at));
    PUT(ADDI, .rd = 7, .imm = 1);
    PUT(SW, .rs1 = 21, .rs2 = 7);
    PUT(JAL, .imm = 0);
    return top;
}

/* The count decides directly; else it is thrown away. */
static void by_division(struct tile *tile, uint32_t *to, bool leads_out)
{
    uint32_t at = *to;
    PUT(DIVU, .rd = 6, .rs1 = 9, .rs2 = 10);
    PUT(MUL, .rd = 8, .rs1 = 6, .rs2 = 9);
    PUT(BNE, .rs1 = leads_out ? 6 : 0, .rs2 = 0, .imm = OUT);
    *to = at;
}

/* The count comes to the branch three rounds late. */
static void by_copies(struct tile *tile, uint32_t *to, bool leads_out)
{
    uint32_t at = *to;
    PUT(ADDI, .rd = 13, .rs1 = 12);
    PUT(ADDI, .rd = 12, .rs1 = 11);
    PUT(ADDI, .rd = 11, .rs1 = 9);
    PUT(BLTU, .rs1 = leads_out ? 10 : 0, .rs2 = leads_out ? 13 : 0, .imm = OUT);
    *to = at;
}

/* A jump goes where the count says. */
static void by_a_jump(struct tile *tile, uint32_t *to, bool leads_out)
{
    uint32_t at = *to;
    PUT(DIVU, .rd = 6, .rs1 = 9, .rs2 = 10);
    PUT(SLLI, .rd = 6, .rs1 = 6, .imm = 2);
    PUT(AUIPC, .rd = 8);
    PUT(ADD, .rd = 8, .rs1 = 8, .rs2 = leads_out ? 6 : 0);
    PUT(JALR, .rd = 0, .rs1 = 8, .imm = 12);
    PUT(JAL, .rd = 0, .imm = 8); /* goes on */
    PUT(JAL, .rd = 0, .imm = OUT);
    *to = at;
}

/* A word of the data RAM counts. */
static void by_data_ram(struct tile *tile, uint32_t *to, bool leads_out)
{
    uint32_t at = *to;
    PUT(LW, .rd = 11, .rs1 = 22);
    PUT(ADDI, .rd = 12, .rs1 = 11, .imm = leads_out);
    PUT(SW, .rs1 = 22, .rs2 = 12);
    PUT(BLTU, .rs1 = 10, .rs2 = 11, .imm = OUT);
    *to = at;
}

/* One bit of the data RAM, which comes again; but what is stored is made of the count. */
static void by_data_that_changes_late(struct tile *tile, uint32_t *to, bool leads_out)
{
    uint32_t at = *to;
    PUT(DIVU, .rd = 6, .rs1 = 9, .rs2 = 10);
    PUT(SB, .rs1 = 22, .rs2 = leads_out ? 6 : 0);
    PUT(LB, .rd = 11, .rs1 = 22);
    PUT(BNE, .rs1 = 11, .rs2 = 0, .imm = OUT);
    *to = at;
}

/* A word of L1, silently the same until then. */
static void by_l1(struct tile *tile, uint32_t *to, bool leads_out)
{
    uint32_t at = *to;
    PUT(DIVU, .rd = 6, .rs1 = 9, .rs2 = 10);
    PUT(SW, .rs1 = 20, .rs2 = leads_out ? 6 : 0, .imm = OTHER - FLAG);
    PUT(LW, .rd = 11, .rs1 = 20, .imm = OTHER - FLAG);
    PUT(BNE, .rs1 = 11, .rs2 = 0, .imm = OUT);
    *to = at;
}

static void by_an_atomic(struct tile *tile, uint32_t *to, bool leads_out)
{
    uint32_t at = *to;
    PUT(DIVU, .rd = 6, .rs1 = 9, .rs2 = 10);
    PUT(ADDI, .rd = 12, .rs1 = 20, .imm = OTHER - FLAG);
    PUT(AMOOR_W, .rd = 11, .rs1 = 12, .rs2 = leads_out ? 6 : 0);
    PUT(BNE, .rs1 = 11, .rs2 = 0, .imm = OUT);
    *to = at;
}

/* A scratch CSR, which is written with the count. */
static void by_a_csr(struct tile *tile, uint32_t *to, bool leads_out)
{
    uint32_t at = *to;
    PUT(DIVU, .rd = 6, .rs1 = 9, .rs2 = 10);
    PUT(CSRRW, .rd = 11, .rs1 = leads_out ? 6 : 0, .csr = 0x7c4);
    PUT(BNE, .rs1 = 11, .rs2 = 0, .imm = OUT);
    *to = at;
}

/* A floating point register counts: x9 is not used at all. */
static void by_a_float(struct tile *tile, uint32_t *to, bool leads_out)
{
    uint32_t at = *to;
    PUT(LUI, .rd = 6, .imm = leads_out ? 0x3f800000 : 0); /* 1.0 or 0 */
    PUT(FMV_W_X, .rd = 1, .rs1 = 6);
    PUT(LUI, .rd = 6, .imm = 0x43c80000); /* 400.0 */
    PUT(FMV_W_X, .rd = 2, .rs1 = 6);
    PUT(FADD_S, .rd = 3, .rs1 = 3, .rs2 = 1);
    PUT(FLT_S, .rd = 11, .rs1 = 2, .rs2 = 3);
    PUT(BNE, .rs1 = 11, .rs2 = 0, .imm = OUT);
    *to = at;
}

/* The count goes through a floating point register. */
static void by_a_float_made_of_the_count(struct tile *tile, uint32_t *to, bool leads_out)
{
    uint32_t at = *to;
    PUT(DIVU, .rd = 6, .rs1 = 9, .rs2 = 10);
    PUT(FMV_W_X, .rd = 1, .rs1 = leads_out ? 6 : 0);
    PUT(FMV_X_W, .rd = 11, .rs1 = 1);
    PUT(BNE, .rs1 = 11, .rs2 = 0, .imm = OUT);
    *to = at;
}

/* An element of a vector counts; T2 only. */
static void by_a_vector(struct tile *tile, uint32_t *to, bool leads_out)
{
    uint32_t at = *to;
    PUT(VSETIVLI, .rd = 6, .rs1 = 4, .imm = 2 << 3);
    PUT(VADD_VI, .rd = 2, .rs2 = 2, .imm = leads_out, .vm = 1);
    PUT(VMV_X_S, .rd = 11, .rs2 = 2);
    PUT(BLTU, .rs1 = 10, .rs2 = 11, .imm = OUT);
    *to = at;
}

/* A loop in the loop whose length is the count's. */
static void by_an_inner_loop(struct tile *tile, uint32_t *to, bool leads_out)
{
    uint32_t at = *to;
    PUT(DIVU, .rd = 6, .rs1 = 9, .rs2 = 10);
    PUT(ADDI, .rd = 11, .rs1 = leads_out ? 6 : 0, .imm = 3);
    PUT(ADDI, .rd = 12);
    PUT(ADDI, .rd = 12, .rs1 = 12, .imm = 1);
    PUT(ADDI, .rd = 11, .rs1 = 11, .imm = -1);
    PUT(BNE, .rs1 = 11, .rs2 = 0, .imm = -8);
    PUT(ADDI, .rd = 13, .imm = 4);
    PUT(BEQ, .rs1 = 12, .rs2 = 13, .imm = OUT);
    *to = at;
}

static const struct {
    const char *name;
    body *body;
    uint8_t core;
} loops[] = {{"division", by_division, B},
             {"copies", by_copies, B},
             {"jump", by_a_jump, T0},
             {"data RAM", by_data_ram, B},
             {"data that changes late", by_data_that_changes_late, NC},
             {"L1", by_l1, B},
             {"atomic", by_an_atomic, T1},
             {"CSR", by_a_csr, B},
             {"float", by_a_float, T2},
             {"float made of the count", by_a_float_made_of_the_count, B},
             {"vector", by_a_vector, T2},
             {"inner loop", by_an_inner_loop, NC}};

#define N_LOOPS (sizeof loops / sizeof loops[0])

static bool left(const struct tile *tile)
{
    return tile->l1_bytes[RESULT] == 1;
}

static void count_that_leads_out_is_no_hang(void **state)
{
    (void)state;
    for (unsigned i = 0; i < N_LOOPS; i++) {
        uint64_t cycles[2];
        for (unsigned no_skip = 0; no_skip < 2; no_skip++) {
            struct tile *tile = new_tile(no_skip);
            put_program(tile, loops[i].core, loops[i].body, true);
            release(tile, loops[i].core);
            if (tile_clock_run(tile, 200000) != TILE_END_DONE || !left(tile))
                fail_msg("%s: does not end", loops[i].name);
            cycles[no_skip] = tile->clock.now;
            free(tile);
        }
        assert_int_equal(cycles[0], cycles[1]);
        assert_true(cycles[0] > 4096);
    }
}

static void count_that_leads_nowhere_is_a_hang(void **state)
{
    (void)state;
    for (unsigned i = 0; i < N_LOOPS; i++) {
        uint64_t cycles[2];
        for (unsigned no_skip = 0; no_skip < 2; no_skip++) {
            struct tile *tile = new_tile(no_skip);
            put_program(tile, loops[i].core, loops[i].body, false);
            release(tile, loops[i].core);
            enum tile_end end = tile_clock_run(tile, 200000);
            if (end != TILE_END_HANG || left(tile))
                fail_msg(
                    "%s: ends as %u in cycle %u", loops[i].name, end, (unsigned)tile->clock.now);
            cycles[no_skip] = tile->clock.now;
            assert_true(tile->clock.now <= 4096);
            /* the host sets the flag */
            poke(tile, FLAG, 1);
            assert_int_equal(tile_clock_run(tile, 2000), TILE_END_DONE);
            assert_true(left(tile));
            free(tile);
        }
        if (cycles[0] != cycles[1])
            fail_msg("%s: %u, %u", loops[i].name, (unsigned)cycles[0], (unsigned)cycles[1]);
    }
}

/* The same in slices: the hang is found in the same cycle. */
static void slices_change_nothing(void **state)
{
    (void)state;
    for (unsigned slice = 1; slice < 300; slice += 23) {
        struct tile *tile = new_tile(false);
        put_program(tile, B, by_division, false);
        release(tile, B);
        enum tile_end end;
        do
            end = tile_clock_run(tile, slice);
        while (end == TILE_END_LIMIT);
        assert_int_equal(end, TILE_END_HANG);
        assert_int_equal(tile->clock.now, 1024);
        assert_int_equal(tile_clock_run(tile, slice), TILE_END_HANG); /* again, in no time */
        assert_int_equal(tile->clock.now, 1024);
        free(tile);
    }
}

/* ---- caches ---- */

/*
 * 128 loads of one line in a round: the cache counts to its end, and flushes, in the middle of it. Registers, tags and the
 * count are the same at the end as at the start, but the line is not.
 */
static void line_that_is_stale_until_it_is_flushed_is_no_hang(void **state)
{
    (void)state;
    for (unsigned no_skip = 0; no_skip < 2; no_skip++) {
        struct tile *tile = new_tile(no_skip);
        uint32_t at = tile_control_start_pc(tile, B);
        put_li(tile, &at, 20, FLAG);
        put_li(tile, &at, 21, RESULT);
        for (unsigned i = 0; i < 30; i++)
            PUT(LW, .rd = 6, .rs1 = 20);
        uint32_t top = at;
        PUT(LW, .rd = 5, .rs1 = 20);
        PUT(BNE, .rs1 = 5, .rs2 = 0, .imm = 4 * (127 + 3));
        for (unsigned i = 0; i < 127; i++)
            PUT(LW, .rd = 6, .rs1 = 20);
        PUT(ADDI, .rd = 6);
        PUT(JAL, .imm = (int32_t)(top - at));
        PUT(ADDI, .rd = 7, .imm = 1);
        PUT(SW, .rs1 = 21, .rs2 = 7);
        PUT(JAL, .imm = 0);
        release(tile, B);
        for (unsigned i = 0; i < 5; i++) {
            tile_clock_run(tile, 333);
            assert_false(left(tile));
        }
        poke(tile, FLAG, 1);
        tile_clock_run(tile, 3000);
        assert_true(left(tile));
        free(tile);
    }
}

/* Without fence: the L0 data cache answers until it is flushed. */
static void cached_poll(struct tile *tile, bool never_flushed)
{
    uint32_t at = tile_control_start_pc(tile, B);
    put_li(tile, &at, 20, FLAG);
    put_li(tile, &at, 21, RESULT);
    put_li(tile, &at, 8, RV_CFG0_NO_L0_FLUSH);
    PUT(CSRRS, .rd = 0, .rs1 = never_flushed ? 8 : 0, .csr = 0x7c0);
    PUT(LW, .rd = 5, .rs1 = 20);
    PUT(BEQ, .rs1 = 5, .rs2 = 0, .imm = -4);
    PUT(ADDI, .rd = 7, .imm = 1);
    PUT(SW, .rs1 = 21, .rs2 = 7);
    PUT(JAL, .imm = 0);
    release(tile, B);
}

static void cached_poll_is_a_hang_until_l1_changes(void **state)
{
    (void)state;
    for (unsigned no_skip = 0; no_skip < 2; no_skip++) {
        struct tile *tile = new_tile(no_skip);
        cached_poll(tile, false);
        assert_int_equal(tile_clock_run(tile, 100000), TILE_END_HANG);
        assert_int_equal(tile->clock.now, 1024);
        poke(tile, FLAG, 1); /* the line is stale now, which is no hang: it will be flushed */
        assert_int_equal(tile_clock_run(tile, 10), TILE_END_LIMIT);
        assert_false(proof_holds(tile, tile->clock.now + 64));
        assert_int_equal(tile_clock_run(tile, 3000), TILE_END_DONE);
        assert_true(left(tile));
        free(tile);
    }
}

/* With a cache that is never flushed the stale line stays for ever: that is one. */
static void stale_line_that_is_never_flushed_is_a_hang(void **state)
{
    (void)state;
    for (unsigned no_skip = 0; no_skip < 2; no_skip++) {
        struct tile *tile = new_tile(no_skip);
        cached_poll(tile, true);
        assert_int_equal(tile_clock_run(tile, 500), TILE_END_LIMIT);
        poke(tile, FLAG, 1);
        assert_int_equal(tile_clock_run(tile, 100000), TILE_END_HANG);
        assert_false(left(tile));
        struct hang h;
        hang_explain(tile, &h);
        assert_int_equal(h.agent[0].agent, OWNER_CORE_B);
        assert_true(h.agent[0].loops);
        assert_int_equal(h.agent[0].thing, HANG_WORD);
        assert_int_equal(h.agent[0].address, FLAG);
        free(tile);
    }
}

/* ---- several cores ---- */

/* T0 polls the data RAM of B, which B's loop changes for a while in each round: no reader of it is proven to hang. */
static void data_ram_that_another_loop_changes_is_no_constant(void **state)
{
    (void)state;
    for (unsigned way = 0; way < 4; way++) {
        bool toggles = way & 1;
        struct tile *tile = new_tile(way >> 1);
        uint32_t at = tile_control_start_pc(tile, B);
        put_li(tile, &at, 22, RV_LOCAL_BASE + 0x200);
        put_li(tile, &at, 20, FLAG);
        PUT(ADDI, .rd = 8, .imm = toggles);
        uint32_t top = at;
        PUT(SW, .rs1 = 22, .rs2 = 8);
        PUT(SW, .rs1 = 22, .rs2 = 0);
        PUT(LW, .rd = 5, .rs1 = 20);
        PUT(BEQ, .rs1 = 5, .rs2 = 0, .imm = (int32_t)(top - at));
        PUT(JAL, .imm = 0);
        at = tile_control_start_pc(tile, T0);
        put_li(tile, &at, 20, 0xFFB14200);
        PUT(LW, .rd = 5, .rs1 = 20);
        PUT(ADDI, .rd = 5);
        PUT(BEQ, .rs1 = 5, .rs2 = 0, .imm = -8);
        release(tile, B);
        release(tile, T0);
        assert_int_equal(tile_clock_run(tile, 30000), toggles ? TILE_END_LIMIT : TILE_END_HANG);
        free(tile);
    }
}

/* Two polls of one bank hold each other up now and then: a hang all the same, and in the same cycle. */
static void polls_that_meet_at_a_bank_hang(void **state)
{
    (void)state;
    uint64_t cycles[2];
    for (unsigned no_skip = 0; no_skip < 2; no_skip++) {
        struct tile *tile = new_tile(no_skip);
        for (unsigned core = T0; core <= T1; core++) {
            uint32_t at = tile_control_start_pc(tile, core);
            put_li(tile, &at, 20, FLAG);
            uint32_t top = at;
            PUT(FENCE, .imm = 0xff);
            PUT(LW, .rd = 5, .rs1 = 20);
            for (unsigned i = 0; i < core + 1; i++)
                PUT(ADDI, .rd = 0);
            PUT(BEQ, .rs1 = 5, .rs2 = 0, .imm = (int32_t)(top - at));
            release(tile, core);
        }
        assert_int_equal(tile_clock_run(tile, 100000), TILE_END_HANG);
        cycles[no_skip] = tile->clock.now;
        free(tile);
    }
    assert_int_equal(cycles[0], cycles[1]);
}

/* An interrupt that is due is no hang; one that nobody raises does not keep it from being one. */
static void interrupt_that_is_due_is_no_hang(void **state)
{
    (void)state;
    for (unsigned no_skip = 0; no_skip < 2; no_skip++) {
        struct tile *tile = new_tile(no_skip);
        uint32_t at = put_program(tile, B, by_division, false);
        uint32_t handler = 0x3000;
        at = handler;
        PUT(ADDI, .rd = 7, .imm = 1);
        PUT(SW, .rs1 = 21, .rs2 = 7);
        PUT(JAL, .imm = 0);
        poke(tile, PIC(0x0a8), handler); /* of software IRQ 0 */
        poke(tile, PIC(0x000), 1);
        release(tile, B);
        assert_int_equal(tile_clock_run(tile, 100000), TILE_END_HANG);
        poke(tile, PIC(0x018), 1);
        assert_false(proof_holds(tile, tile->clock.now + 64));
        assert_int_equal(tile_clock_run(tile, 1000), TILE_END_DONE);
        assert_true(left(tile));
        free(tile);
    }
}

/* A debugger's breakpoint in the loop will stop the core. */
static void breakpoint_in_the_loop_is_no_hang(void **state)
{
    struct tile *tile = *state;
    assert_int_equal(tile_clock_run(tile, 0), TILE_END_LIMIT);
    put_program(tile, B, by_division, false);
    release(tile, B);
    assert_int_equal(tile_clock_run(tile, 600), TILE_END_LIMIT);
    assert_true(proof_holds(tile, tile->clock.now));
    tile->dbgif.core[B].modes = DBGIF_AT_EXECUTE;
    assert_false(proof_holds(tile, tile->clock.now));
}

/* What the coprocessor will still do by itself. */
static void coprocessor_that_works_is_no_hang(void **state)
{
    struct tile *tile = *state;
    assert_int_equal(tile_clock_run(tile, 0), TILE_END_LIMIT);
    put_program(tile, B, by_division, false);
    release(tile, B);
    assert_int_equal(tile_clock_run(tile, 600), TILE_END_LIMIT);
    assert_true(proof_holds(tile, tile->clock.now));
    tile->coproc.mover.done_at = tile->clock.now + 100000;
    assert_false(proof_holds(tile, tile->clock.now));
    tile->coproc.mover.done_at = 0;
    tile->tdma.n = 1;
    assert_false(proof_holds(tile, tile->clock.now));
    tile->tdma.n = 0;
    tile->clock.changed = tile->clock.now - 3; /* maybe somebody tries again now */
    assert_false(proof_holds(tile, tile->clock.now));
}

/* A core that computes for long, and will then do something, is not taken for one that hangs. */
static void long_computation_is_no_hang(void **state)
{
    (void)state;
    for (unsigned no_skip = 0; no_skip < 2; no_skip++) {
        struct tile *tile = new_tile(no_skip);
        uint32_t at = tile_control_start_pc(tile, B);
        put_li(tile, &at, 20, FLAG);
        put_li(tile, &at, 21, RESULT);
        put_li(tile, &at, 8, 30000);
        PUT(LW, .rd = 5, .rs1 = 20);
        PUT(ADDI, .rd = 8, .rs1 = 8, .imm = -1);
        PUT(BNE, .rs1 = 8, .rs2 = 0, .imm = -8);
        PUT(ADDI, .rd = 7, .imm = 1);
        PUT(SW, .rs1 = 21, .rs2 = 7);
        PUT(JAL, .imm = 0);
        release(tile, B);
        assert_int_equal(tile_clock_run(tile, 1000000), TILE_END_DONE);
        assert_true(left(tile));
        free(tile);
    }
}

/* One that computes silently and will then end beside one that hangs: the hang is called when it has ended. */
static void hang_waits_for_who_is_not_in_his_last_loop(void **state)
{
    (void)state;
    uint64_t cycles[2];
    for (unsigned no_skip = 0; no_skip < 2; no_skip++) {
        struct tile *tile = new_tile(no_skip);
        uint32_t at = tile_control_start_pc(tile, B);
        PUT(ADDI, .rd = 8, .imm = 700);
        PUT(ADDI, .rd = 8, .rs1 = 8, .imm = -1);
        PUT(BNE, .rs1 = 8, .rs2 = 0, .imm = -4);
        PUT(JAL, .imm = 0);
        put_program(tile, T0, by_division, false);
        release(tile, B);
        release(tile, T0);
        assert_int_equal(tile_clock_run(tile, 100000), TILE_END_HANG);
        assert_int_equal(tile->core[B].x[8], 0);
        cycles[no_skip] = tile->clock.now;
        free(tile);
    }
    assert_int_equal(cycles[0], cycles[1]);
}

TEST_MAIN(cmocka_unit_test(looks_are_apart_by_a_quarter_of_the_time_at_most),
          cmocka_unit_test(count_that_leads_out_is_no_hang),
          cmocka_unit_test(count_that_leads_nowhere_is_a_hang),
          cmocka_unit_test(slices_change_nothing),
          cmocka_unit_test(line_that_is_stale_until_it_is_flushed_is_no_hang),
          cmocka_unit_test(cached_poll_is_a_hang_until_l1_changes),
          cmocka_unit_test(stale_line_that_is_never_flushed_is_a_hang),
          cmocka_unit_test(data_ram_that_another_loop_changes_is_no_constant),
          cmocka_unit_test(polls_that_meet_at_a_bank_hang),
          cmocka_unit_test(interrupt_that_is_due_is_no_hang),
          TILE_TEST(breakpoint_in_the_loop_is_no_hang),
          TILE_TEST(coprocessor_that_works_is_no_hang),
          cmocka_unit_test(long_computation_is_no_hang),
          cmocka_unit_test(hang_waits_for_who_is_not_in_his_last_loop))
