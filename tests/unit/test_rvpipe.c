/*
 * Cores with time: when instructions enter EX1, against the Blackhole pages BabyRISCV/README (EX1, EX2, Retire Unit)
 * and MemoryOrdering, and the numbers of isa/timing.def. Loads and stores: test_rvpipe_mem.c, test_rvlsu.c.
 *
 * Most programs go round a loop several times; what counts is the last round, in which the code is in the
 * instruction cache and its branches are known.
 */
#include "timed_drive.h"

#include "model/rng.h"

#define ROUNDS  5u
#define COUNTER 31u
#define MCYCLE  0xb00u
#define CFG0    0x7c0u
#define MAILBOX UINT32_C(0xffec0000)

/* Cycles from one instruction to the other in the last round of core B. */
static unsigned apart(uint32_t from, uint32_t to)
{
    return (unsigned)(when_last(B, to) - when_last(B, from));
}

/* ---- programs ---- */

/* Starts a program of a core; returns where its body goes. */
static uint32_t begin(struct tile *tile, unsigned core)
{
    uint32_t at = tile_control_start_pc(tile, core);
    put_li(tile, &at, COUNTER, ROUNDS);
    return at;
}

/* The core goes ROUNDS times round the body, which ends at `at`. */
static void go_round(struct tile *tile, unsigned core, uint32_t body, uint32_t at)
{
    PUT(ADDI, .rd = COUNTER, .rs1 = COUNTER, .imm = -1);
    PUT(BNE, .rs1 = COUNTER, .rs2 = 0, .imm = (int32_t)(body - at));
    PUT(JAL, .imm = 0);
    assert_int_equal(run(tile, BIT(core), 100000), TILE_END_DONE);
    assert_int_equal(times(core, body), ROUNDS);
}

/* ---- EX1 ---- */

static void first_instruction_enters_ex1_when_its_line_has_come(void **state)
{
    struct tile *tile = *state;
    uint32_t at = 0;
    PUT(ADDI, .rd = 5, .imm = 1);
    PUT(JAL, .imm = 0);
    run(tile, BIT(B), 100);
    assert_int_equal(when_in(B, 0, 0), 14); /* four stages, ten cycles for a line */
    assert_int_equal(when_in(B, 4, 0), 15);
    assert_int_equal(lost(tile, B, WAIT_FETCH), 14);
}

static void alu_results_are_there_for_the_next_instruction(void **state)
{
    struct tile *tile = *state;
    uint32_t at = begin(tile, B), body = at;
    for (unsigned i = 0; i < 20; i++)
        PUT(ADDI, .rd = 5, .rs1 = 5, .imm = 1);
    PUT(ADD, .rd = 6, .rs1 = 5, .rs2 = 5);
    PUT(SUB, .rd = 7, .rs1 = 6, .rs2 = 5);
    PUT(LUI, .rd = 8, .imm = 0x1000);
    PUT(SRAI, .rd = 8, .rs1 = 8, .csr = 3, .imm = 3);
    go_round(tile, B, body, at);
    for (uint32_t pc = body; pc < at; pc += 4)
        assert_int_equal(apart(body, pc), (pc - body) / 4);
    assert_int_equal(tile->core[B].x[7], 20 * ROUNDS);
}

static void wall_clock_and_mcycle_count_cycles(void **state)
{
    struct tile *tile = *state;
    uint32_t at = 0, first, second;
    put_li(tile, &at, 20, CONTROL(0x1f0));
    PUT(JAL, .rd = 1, .imm = (int32_t)(0x40 - at));
    at = 0x40;
    first = at;
    PUT(LW, .rd = 10, .rs1 = 20);
    for (unsigned i = 0; i < 9; i++)
        NOP;
    PUT(LW, .rd = 11, .rs1 = 20);
    PUT(FENCE, .imm = 0xff); /* lets the load retire */
    second = at;
    PUT(CSRRS, .rd = 12, .csr = MCYCLE);
    PUT(CSRRS, .rd = 13, .csr = MCYCLE);
    PUT(BEQ, .rs1 = 21, .rs2 = 0, .imm = 8);
    PUT(JAL, .imm = 0);
    PUT(ADDI, .rd = 21, .imm = 1); /* once more, now with the code in the cache */
    PUT(JAL, .imm = (int32_t)(first - at));
    assert_int_equal(run(tile, BIT(B), 10000), TILE_END_DONE);
    assert_int_equal(tile->core[B].x[11] - tile->core[B].x[10], 10);
    assert_int_equal(tile->core[B].x[10],
                     when_in(B, first, 1)); /* a load acts when it enters EX1 */
    assert_int_equal(tile->core[B].x[12], when_in(B, second, 1)); /* released in cycle 0 */
    assert_int_equal(tile->core[B].x[13] - tile->core[B].x[12], 4);
}

static void mcycle_starts_when_the_core_leaves_reset(void **state)
{
    struct tile *tile = *state;
    uint32_t at = 0;
    PUT(CSRRS, .rd = 12, .csr = MCYCLE);
    PUT(JAL, .imm = 0);
    release(tile, NC); /* NC runs into nothing; B comes later */
    poke(tile, 0x12000, rv32_encode(RV_OP_JAL, (struct rv32_args){.imm = 0}));
    tile_clock_run(tile, 777);
    run(tile, BIT(B), 1000);
    assert_int_equal(tile->core[B].x[12], 14);
}

/* ---- EX2 ---- */

static void multiplications_have_latency_two(void **state)
{
    static const enum rv_op ops[] = {RV_OP_MUL, RV_OP_MULH, RV_OP_MULHSU, RV_OP_MULHU};
    struct tile *tile = *state;
    uint32_t at = begin(tile, B), body = at;
    for (unsigned i = 0; i < 4; i++) {
        poke(tile, at, rv32_encode(ops[i], (struct rv32_args){.rd = 5, .rs1 = 6, .rs2 = 7}));
        at += 4;
        PUT(ADDI, .rd = 8, .rs1 = 5);
    }
    uint32_t hidden = at;
    PUT(MUL, .rd = 5, .rs1 = 6, .rs2 = 7);
    NOP;
    PUT(ADDI, .rd = 8, .rs1 = 5);
    go_round(tile, B, body, at);
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(apart(body + 8 * i, body + 8 * i + 4), 2);
        assert_int_equal(held_by(B, body + 8 * i + 4), wait_key(WAIT_OPERAND, OWNER_PIPELINE));
    }
    assert_int_equal(apart(hidden, hidden + 4), 1);
    assert_int_equal(apart(hidden, hidden + 8), 2);
}

static void multiplications_are_pipelined(void **state)
{
    struct tile *tile = *state;
    uint32_t at = begin(tile, B), body = at, chain;
    for (unsigned i = 0; i < 8; i++)
        PUT(MUL, .rd = (uint8_t)(5 + i), .rs1 = 20, .rs2 = 21);
    chain = at;
    for (unsigned i = 0; i < 8; i++)
        PUT(MUL, .rd = 22, .rs1 = 22, .rs2 = 21);
    go_round(tile, B, body, at);
    for (unsigned i = 0; i < 8; i++) {
        assert_int_equal(apart(body, body + 4 * i), i);
        assert_int_equal(apart(chain, chain + 4 * i), 2 * i);
    }
}

static void floating_point_has_latency_two(void **state)
{
    struct tile *tile = *state;
    uint32_t at = begin(tile, B), body = at, apart_ones;
    PUT(FADD_S, .rd = 1, .rs1 = 2, .rs2 = 3);
    PUT(FMADD_S, .rd = 4, .rs1 = 2, .rs2 = 3, .rs3 = 1);
    PUT(FMUL_S, .rd = 5, .rs1 = 4, .rs2 = 3);
    PUT(FADD_S, .rd = 6, .rs1 = 5, .rs2 = 5);
    apart_ones = at;
    PUT(FADD_S, .rd = 7, .rs1 = 2, .rs2 = 3);
    PUT(FADD_S, .rd = 8, .rs1 = 2, .rs2 = 3);
    go_round(tile, B, body, at);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(apart(body, body + 4 * i), 2 * i);
    assert_int_equal(apart(apart_ones, apart_ones + 4), 1);
}

/* ---- divisions ---- */

static const struct {
    enum rv_op op;
    uint32_t dividend, divisor;
    unsigned cycles;
} divisions[] = {
    {RV_OP_DIV, 1000, 0, 2},
    {RV_OP_DIVU, 0xffffffff, 0, 2},
    {RV_OP_REM, 0x12345678, 0, 2},
    {RV_OP_DIV, 0x7fffffff, 1, 2},
    {RV_OP_REMU, 0xffffffff, 1, 2},
    {RV_OP_DIV, 0x80000000, 0xffffffff, 2},
    {RV_OP_REM, 0x80000000, 0xffffffff, 2},
    {RV_OP_DIVU, 0x80000000, 0xffffffff, 33}, /* nothing special without a sign */
    {RV_OP_DIV, 0, 3, 6},
    {RV_OP_DIV, 1, 3, 6},
    {RV_OP_DIVU, 31, 3, 6},
    {RV_OP_DIVU, 0xfff, 3, 14},
    {RV_OP_REMU, 0x800, 3, 14},
    {RV_OP_DIV, (uint32_t)-0xfff, 3, 14}, /* the magnitude counts */
    {RV_OP_REM, (uint32_t)-0xfff, (uint32_t)-3, 14},
    {RV_OP_DIVU, 0x7fff, 3, 17}, /* fitted between those that were measured, 12 and 29 bits */
    {RV_OP_DIVU, 0xffff, 3, 19},
    {RV_OP_DIVU, 0x1fffffff, 3, 33},
    {RV_OP_DIVU, 0x10000000, 0x7fffffff, 33},
    {RV_OP_DIVU, 0xffffffff, 3, 33},
    {RV_OP_DIV, 0x80000000, 3, 33},
    {RV_OP_DIV, (uint32_t)-1, 3, 6},
};

static void divisions_occupy_ex1_by_the_bits_of_the_dividend(void **state)
{
    enum { N = sizeof divisions / sizeof divisions[0] };
    struct tile *tile = *state;
    uint32_t at = begin(tile, B), body = at, pc[N];
    for (unsigned i = 0; i < N; i++) {
        put_li(tile, &at, 6, divisions[i].dividend);
        put_li(tile, &at, 7, divisions[i].divisor);
        pc[i] = at;
        poke(tile,
             at,
             rv32_encode(divisions[i].op, (struct rv32_args){.rd = 5, .rs1 = 6, .rs2 = 7}));
        at += 4;
        NOP; /* needs nothing of it */
    }
    go_round(tile, B, body, at);
    for (unsigned i = 0; i < N; i++) {
        if (apart(pc[i], pc[i] + 4) != divisions[i].cycles)
            fail_msg("division %u takes %u cycles", i, apart(pc[i], pc[i] + 4));
        assert_int_equal(held_by(B, pc[i] + 4), wait_key(WAIT_DIVIDE, OWNER_PIPELINE));
    }
}

static void quotient_is_there_for_the_next_instruction(void **state)
{
    struct tile *tile = *state;
    uint32_t at = begin(tile, B), body = at;
    put_li(tile, &at, 6, 0xfff);
    put_li(tile, &at, 7, 9);
    uint32_t pc = at;
    PUT(DIVU, .rd = 5, .rs1 = 6, .rs2 = 7);
    PUT(ADDI, .rd = 8, .rs1 = 5);
    go_round(tile, B, body, at);
    assert_int_equal(apart(pc, pc + 4), 14);
    assert_int_equal(tile->core[B].x[8], 455);
}

/* ---- branches ---- */

/* Pads to the start of a 16-byte line, so that what follows does not wait for its code. */
static void align(struct tile *tile, uint32_t *to)
{
    uint32_t at = *to;
    while (at & 15)
        NOP;
    *to = at;
}

static void new_branch_that_is_taken_costs_four_empty_cycles(void **state)
{
    struct tile *tile = *state;
    uint32_t at = begin(tile, B);
    align(tile, &at);
    uint32_t body = at;
    PUT(BEQ, .rs1 = 0, .rs2 = 0, .imm = 8);
    NOP;
    PUT(BEQ, .rs1 = 0, .rs2 = COUNTER, .imm = 8);
    NOP;
    go_round(tile, B, body, at);
    assert_int_equal(when_in(B, body + 8, 0) - when_in(B, body, 0), 5);
    assert_int_equal(when_in(B, body + 12, 0) - when_in(B, body + 8, 0), 1);
    for (unsigned i = 1; i < ROUNDS; i++) {
        assert_int_equal(when_in(B, body + 8, i) - when_in(B, body, i), 1);
        assert_int_equal(when_in(B, body + 12, i) - when_in(B, body + 8, i), 1);
    }
    assert_int_equal(held_by(B, body + 8), wait_key(WAIT_MISPREDICT, OWNER_PIPELINE));
    /* this branch, the loop's when it is new and at its end, and the jump at the end */
    assert_int_equal(lost(tile, B, WAIT_MISPREDICT), 4 * 4);
    assert_int_equal(times(B, body + 4), 0);
}

static void loop_is_learnt_at_once_and_mispredicted_at_its_end(void **state)
{
    struct tile *tile = *state;
    uint32_t at = begin(tile, B), body, inner;
    align(tile, &at);
    body = at;
    PUT(ADDI, .rd = 5, .imm = 10);
    inner = at;
    PUT(ADDI, .rd = 5, .rs1 = 5, .imm = -1);
    PUT(BNE, .rs1 = 5, .rs2 = 0, .imm = -4);
    go_round(tile, B, body, at);
    assert_int_equal(times(B, inner), 10 * ROUNDS);
    for (unsigned i = 1; i < 10 * ROUNDS; i++) {
        unsigned taken = (unsigned)(when_in(B, inner, i) - when_in(B, inner + 4, i - 1));
        if (i % 10)
            assert_int_equal(taken, i == 1 ? 5 : 1);
    }
    for (unsigned i = 0; i < ROUNDS; i++)
        assert_int_equal(when_in(B, at, i) - when_in(B, inner + 4, 10 * i + 9), 5);
}

static void alternating_branch_is_learnt(void **state)
{
    struct tile *tile = *state;
    uint32_t at = begin(tile, B), body, loop;
    align(tile, &at);
    body = at;
    PUT(ADDI, .rd = 6, .imm = 40);
    NOP;
    NOP;
    NOP;
    loop = at;
    PUT(XORI, .rd = 5, .rs1 = 5, .imm = 1);
    PUT(BEQ, .rs1 = 5, .rs2 = 0, .imm = 8);
    PUT(ADDI, .rd = 7, .rs1 = 7, .imm = 1);
    PUT(ADDI, .rd = 6, .rs1 = 6, .imm = -1);
    PUT(BNE, .rs1 = 6, .rs2 = 0, .imm = -16);
    go_round(tile, B, body, at);
    for (unsigned i = 6; i < 40; i++) { /* not taken in even rounds */
        unsigned gap = (unsigned)(when_in(B, loop + 12, i) - when_in(B, loop + 4, i));
        assert_int_equal(gap, i % 2 ? 1 : 2);
    }
}

static void without_prediction_every_taken_branch_costs(void **state)
{
    struct tile *tile = *state;
    uint32_t at = begin(tile, B), body;
    PUT(CSRRSI, .rd = 0, .csr = CFG0, .imm = 2);
    align(tile, &at);
    body = at;
    PUT(BEQ, .rs1 = 0, .rs2 = 0, .imm = 8);
    NOP;
    PUT(BEQ, .rs1 = 0, .rs2 = COUNTER, .imm = 8);
    NOP;
    go_round(tile, B, body, at);
    for (unsigned i = 0; i < ROUNDS; i++) {
        assert_int_equal(when_in(B, body + 8, i) - when_in(B, body, i), 5);
        assert_int_equal(when_in(B, body + 12, i) - when_in(B, body + 8, i), 1);
    }
}

static void indirect_jump_costs_when_it_goes_elsewhere(void **state)
{
    struct tile *tile = *state;
    uint32_t at = begin(tile, B), body, jump;
    align(tile, &at);
    body = at;
    put_li(tile, &at, 5, body + 0x18);
    PUT(SLTIU, .rd = 6, .rs1 = COUNTER, .imm = 2); /* in the last round */
    PUT(SLLI, .rd = 6, .rs1 = 6, .csr = 2, .imm = 2);
    PUT(ADD, .rd = 5, .rs1 = 5, .rs2 = 6);
    jump = at;
    PUT(JALR, .rd = 1, .rs1 = 5);
    NOP; /* body + 0x18 */
    NOP;
    go_round(tile, B, body, at);
    assert_int_equal(times(B, jump + 4), ROUNDS - 1);
    assert_int_equal(when_in(B, jump + 4, 0) - when_in(B, jump, 0), 5);
    for (unsigned i = 1; i < ROUNDS - 1; i++)
        assert_int_equal(when_in(B, jump + 4, i) - when_in(B, jump, i), 1);
    assert_int_equal(when_in(B, jump + 8, ROUNDS - 1) - when_in(B, jump, ROUNDS - 1), 5);
}

/* ---- what serialises ---- */

static void csr_read_to_csr_read_takes_four_cycles(void **state)
{
    struct tile *tile = *state;
    uint32_t at = begin(tile, B), body = at;
    PUT(CSRRS, .rd = 5, .csr = MCYCLE);
    PUT(CSRRS, .rd = 6, .csr = MCYCLE);
    PUT(CSRRW, .rd = 0, .rs1 = 5, .csr = 0x7c3);
    NOP;
    go_round(tile, B, body, at);
    assert_int_equal(apart(body, body + 4), 4);
    assert_int_equal(apart(body + 4, body + 8), 4);
    assert_int_equal(apart(body + 8, body + 12), 4); /* whatever comes behind it */
    assert_int_equal(tile->core[B].x[6] - tile->core[B].x[5], 4);
    assert_int_equal(held_by(B, body + 4), wait_key(WAIT_SERIAL, OWNER_PIPELINE));
}

static void csr_waits_for_all_before_it_to_retire(void **state)
{
    struct tile *tile = *state;
    uint32_t at = begin(tile, B), body = at;
    put_li(tile, &at, 20, 0x20000);
    PUT(FENCE, .imm = 0xff);
    uint32_t load = at;
    PUT(LW, .rd = 5, .rs1 = 20); /* eight cycles, and the CSR instruction needs nothing of it */
    PUT(CSRRS, .rd = 6, .csr = MCYCLE);
    NOP;
    go_round(tile, B, body, at);
    assert_int_equal(apart(load, load + 4), 1);
    assert_int_equal(apart(load, load + 8), 8 + 1 + 3); /* it retires behind the load */
}

static void csr_sync_can_be_switched_off(void **state)
{
    struct tile *tile = *state;
    uint32_t at = begin(tile, B), body;
    put_li(tile, &at, 5, 1u << 10);
    PUT(CSRRS, .rd = 0, .rs1 = 5, .csr = CFG0);
    body = at;
    PUT(CSRRS, .rd = 5, .csr = MCYCLE);
    PUT(CSRRS, .rd = 6, .csr = MCYCLE);
    NOP;
    go_round(tile, B, body, at);
    assert_int_equal(apart(body, body + 4), 1);
    assert_int_equal(apart(body, body + 8), 2);
}

static void vsetvli_serialises_as_a_csr_does(void **state)
{
    struct tile *tile = *state;
    uint32_t at = begin(tile, T2), body = at;
    PUT(VSETIVLI, .rd = 5, .rs1 = 4, .imm = 0xd0);
    NOP;
    go_round(tile, T2, body, at);
    assert_int_equal(when_in(T2, body + 4, ROUNDS - 1) - when_in(T2, body, ROUNDS - 1), 4);
}

static void cause_of_a_wait_before_a_status_csr_keeps_its_name(void **state)
{
    for (unsigned no_skip = 0; no_skip < 2; no_skip++) {
        tile_teardown(state);
        timed_setup(state);
        struct tile *tile = *state;
        uint32_t at = tile_control_start_pc(tile, T0);
        tile->clock.no_skip = no_skip;
        PUT(CSRRS, .rd = 5, .csr = 0xbc0);
        PUT(ADDI, .rd = 6, .rs1 = 6, .imm = 1);
        PUT(BEQ, .rs1 = 0, .rs2 = 0, .imm = -8); /* new, mispredicted, once */
        run(tile, BIT(T0), 200);
        assert_int_equal(lost(tile, T0, WAIT_FETCH), 14);
        assert_int_equal(lost(tile, T0, WAIT_MISPREDICT), 4);
    }
}

static void wait_before_an_ebreak_is_not_its_end(void **state)
{
    struct tile *tile = *state;
    uint32_t at = 0;
    PUT(ADDI, .rd = 5, .imm = 1);           /* 14 */
    PUT(BEQ, .rs1 = 0, .rs2 = 0, .imm = 8); /* 15, mispredicted */
    NOP;
    PUT(EBREAK, .rd = 0); /* 20 */
    assert_int_equal(run(tile, BIT(B), 1000), TILE_END_STOPPED);
    assert_int_equal(tile->clock.now, 21);
    assert_int_equal(lost(tile, B, WAIT_MISPREDICT), 4);
    assert_int_equal(lost(tile, B, WAIT_DONE), 1);
}

/* ---- the retire-order queue ---- */

static void eight_instructions_can_be_unretired(void **state)
{
    struct tile *tile = *state;
    uint32_t at = begin(tile, B), body = at, slow;
    put_li(tile, &at, 20, 0x20000);
    PUT(FENCE, .imm = 0xff);
    slow = at;
    PUT(AMOADD_W, .rd = 5, .rs1 = 20, .rs2 = 0); /* twelve cycles */
    for (unsigned i = 0; i < 9; i++)
        PUT(ADDI, .rd = (uint8_t)(6 + i), .imm = 1);
    go_round(tile, B, body, at);
    for (unsigned i = 0; i <= 7; i++)
        assert_int_equal(apart(slow, slow + 4 * i), i);
    assert_int_equal(apart(slow, slow + 4 * 8),
                     12); /* the cycle in which the atomic leaves the queue */
    assert_int_equal(apart(slow, slow + 4 * 9), 13); /* one more every cycle */
    assert_int_equal(held_by(B, slow + 4 * 8), wait_key(WAIT_RETIRE_FULL, OWNER_PIPELINE));
}

static void seven_instructions_run_ahead_of_a_load_without_an_answer(void **state)
{
    struct tile *tile = *state;
    uint32_t at = 0, load;
    put_li(tile, &at, 5, MAILBOX);
    load = at;
    PUT(LW, .rd = 7, .rs1 = 5);
    for (unsigned i = 0; i < 12; i++)
        PUT(ADDI, .rd = (uint8_t)(8 + i), .imm = 1);
    assert_int_equal(run(tile, BIT(B), 1000), TILE_END_HANG);
    assert_int_equal(times(B, load + 4 * 7), 1);
    assert_int_equal(times(B, load + 4 * 8), 0);
    assert_int_equal(tile->core[B].state, RV_BLOCKED);
    const struct ledger *l = &tile->coproc.ledger[OWNER_CORE_B];
    assert_int_equal(l->key, wait_key(WAIT_MAILBOX_EMPTY, OWNER_CORE_B));
    assert_int_equal(l->since, when_in(B, load + 4 * 7, 0) + 1);
}

/* ---- forwarding ---- */

/* The example of MemoryOrdering, "Mailbox read from the future". nops: bit i puts a nop into the place
   of instruction i behind the mv (0 is the ori). */
static enum tile_end read_from_the_future(struct tile *tile, unsigned nops)
{
    uint32_t at = 0;
    put_li(tile, &at, 5, MAILBOX);
    put_li(tile, &at, 6, 123);
    PUT(LW, .rd = 7, .rs1 = 5);
    PUT(ADDI, .rd = 28, .rs1 = 5);
    for (unsigned i = 0; i < 5; i++) {
        if (nops >> i & 1)
            NOP;
        else if (i)
            PUT(ADDI, .rd = 28, .rs1 = 28);
        else
            PUT(ORI, .rd = 28, .rs1 = 28);
    }
    PUT(SW, .rs1 = 28, .rs2 = 6);
    PUT(EBREAK, .rd = 0);
    return run(tile, BIT(B), 1000);
}

static void mailbox_read_from_the_future(void **state)
{
    struct tile *tile = *state;
    assert_int_equal(read_from_the_future(tile, 0), TILE_END_STOPPED);
    assert_int_equal(tile->core[B].x[7], 123);
}

static void mailbox_read_right_before_its_write(void **state)
{
    struct tile *tile = *state;
    uint32_t at = 0;
    put_li(tile, &at, 5, MAILBOX);
    put_li(tile, &at, 6, 123);
    PUT(LW, .rd = 7, .rs1 = 5);
    PUT(SW, .rs1 = 5, .rs2 = 6);
    PUT(EBREAK, .rd = 0);
    assert_int_equal(run(tile, BIT(B), 1000), TILE_END_STOPPED);
    assert_int_equal(tile->core[B].x[7], 123);
}

/* Two unretired writers of a register: neither can be had unless by the very next instruction. */
static void nop_for_any_addi_before_the_write_hangs(void **state)
{
    for (unsigned i = 1; i <= 4; i++) {
        tile_teardown(state);
        timed_setup(state);
        struct tile *tile = *state;
        assert_int_equal(read_from_the_future(tile, 1u << i), TILE_END_HANG);
        assert_int_equal(tile->core[B].x[7], 0);
        assert_int_equal(tile->core[B].state, RV_BLOCKED);
        assert_int_equal(tile->mailbox.box[0][0].n, 0);
    }
}

static void nops_for_all_but_the_mv_work_again(void **state)
{
    struct tile *tile = *state;
    assert_int_equal(read_from_the_future(tile, 0x1f), TILE_END_STOPPED);
    assert_int_equal(tile->core[B].x[7], 123);
}

static void one_instruction_too_many_before_the_write_hangs(void **state)
{
    struct tile *tile = *state;
    uint32_t at = 0;
    put_li(tile, &at, 5, MAILBOX);
    put_li(tile, &at, 6, 123);
    PUT(LW, .rd = 7, .rs1 = 5);
    for (unsigned i = 0; i < 7; i++)
        NOP;
    PUT(SW, .rs1 = 5, .rs2 = 6);
    PUT(EBREAK, .rd = 0);
    assert_int_equal(run(tile, BIT(B), 1000), TILE_END_HANG);
}

static void value_behind_an_unretired_writer_waits_for_that_one(void **state)
{
    struct tile *tile = *state;
    uint32_t at = begin(tile, B), body = at, load;
    put_li(tile, &at, 20, 0x20000);
    PUT(FENCE, .imm = 0xff);
    load = at;
    PUT(LW, .rd = 5, .rs1 = 20);              /* retires in cycle 8 of this */
    PUT(ADDI, .rd = 28, .imm = 1);            /* 9 */
    PUT(ADDI, .rd = 28, .rs1 = 28, .imm = 1); /* 10; right behind its producer */
    PUT(ADDI, .rd = 29, .rs1 = 28, .imm = 1); /* right behind its producer */
    PUT(ADDI, .rd = 30, .rs1 = 28, .imm = 1); /* not */
    go_round(tile, B, body, at);
    assert_int_equal(apart(load, load + 4), 1);
    assert_int_equal(apart(load, load + 8), 2);
    assert_int_equal(apart(load, load + 12), 3);
    assert_int_equal(apart(load, load + 16), 10);
    assert_int_equal(held_by(B, load + 16), wait_key(WAIT_OPERAND, OWNER_PIPELINE));
    assert_int_equal(tile->core[B].x[30], 3);
}

static void one_unretired_writer_forwards_at_any_distance(void **state)
{
    struct tile *tile = *state;
    uint32_t at = begin(tile, B), body = at, load;
    put_li(tile, &at, 20, 0x20000);
    PUT(FENCE, .imm = 0xff);
    load = at;
    PUT(LW, .rd = 5, .rs1 = 20);
    PUT(ADDI, .rd = 28, .imm = 1);
    PUT(ADDI, .rd = 29, .imm = 1);
    PUT(ADDI, .rd = 30, .rs1 = 28, .imm = 1);
    PUT(ADDI, .rd = 27, .rs1 = 28, .imm = 1);
    PUT(ADDI, .rd = 26, .rs1 = 30, .imm = 1);
    go_round(tile, B, body, at);
    for (unsigned i = 0; i < 6; i++)
        assert_int_equal(apart(load, load + 4 * i), i);
}

/* ---- with and without a trace ---- */

/* Work on registers and the core's own data RAM, which goes another way when nobody watches. */
static void put_random(struct tile *tile, uint32_t *to, struct rng *r)
{
    uint32_t at = *to;
    uint8_t d = (uint8_t)(5 + rng_below(r, 6)), a = (uint8_t)(5 + rng_below(r, 6));
    int32_t word = (int32_t)(4 * rng_below(r, 4));
    switch (rng_below(r, 12)) {
    case 0: PUT(MUL, .rd = d, .rs1 = a, .rs2 = 5); break;
    case 1: PUT(LW, .rd = d, .rs1 = 20, .imm = word); break;
    case 2: PUT(SW, .rs1 = 20, .rs2 = a, .imm = word); break;
    case 3: PUT(BEQ, .rs1 = a, .rs2 = d, .imm = 8); break;
    case 4: PUT(BNE, .rs1 = a, .rs2 = d, .imm = 8); break;
    case 5: PUT(CSRRS, .rd = d, .csr = MCYCLE); break;
    case 6: PUT(DIVU, .rd = d, .rs1 = a, .rs2 = COUNTER); break;
    case 7: PUT(FADD_S, .rd = d, .rs1 = a, .rs2 = d); break;
    case 8: PUT(ANDI, .rd = d, .rs1 = a, .imm = 1); break;
    case 9: PUT(JAL, .rd = d, .imm = 8); break;
    default: break;
    }
    PUT(ADD, .rd = d, .rs1 = d, .rs2 = a);
    *to = at;
}

static void nobody_watching_changes_nothing(void **state)
{
    struct rng r = rng_of(815, 0);
    for (unsigned i = 0; i < 100; i++) {
        tile_teardown(state);
        timed_setup(state);
        struct tile *tile = *state;
        uint32_t at = 0, body;
        put_li(tile, &at, 20, RV_LOCAL_BASE);
        PUT(CSRRSI, .rd = 0, .csr = CFG0, .imm = (int32_t)(rng_below(&r, 4) ? 0 : 6));
        PUT(ADDI, .rd = COUNTER, .imm = 80);
        body = at;
        for (unsigned n = 1 + rng_below(&r, 40); n; n--)
            put_random(tile, &at, &r);
        PUT(ADDI, .rd = COUNTER, .rs1 = COUNTER, .imm = -1);
        PUT(BNE, .rs1 = COUNTER, .rs2 = 0, .imm = (int32_t)(body - at));
        NOP; /* nothing to wait for before the end */
        align(tile, &at);
        NOP;
        PUT(EBREAK, .rd = 0);
        assert_int_not_equal(run(tile, BIT(B), 1000 + rng_below(&r, 4000)), TILE_END_HANG);
    }
}

TEST_MAIN(TIMED_TEST(first_instruction_enters_ex1_when_its_line_has_come),
          TIMED_TEST(alu_results_are_there_for_the_next_instruction),
          TIMED_TEST(wall_clock_and_mcycle_count_cycles),
          TIMED_TEST(mcycle_starts_when_the_core_leaves_reset),
          TIMED_TEST(multiplications_have_latency_two), TIMED_TEST(multiplications_are_pipelined),
          TIMED_TEST(floating_point_has_latency_two),
          TIMED_TEST(divisions_occupy_ex1_by_the_bits_of_the_dividend),
          TIMED_TEST(quotient_is_there_for_the_next_instruction),
          TIMED_TEST(new_branch_that_is_taken_costs_four_empty_cycles),
          TIMED_TEST(loop_is_learnt_at_once_and_mispredicted_at_its_end),
          TIMED_TEST(alternating_branch_is_learnt),
          TIMED_TEST(without_prediction_every_taken_branch_costs),
          TIMED_TEST(indirect_jump_costs_when_it_goes_elsewhere),
          TIMED_TEST(csr_read_to_csr_read_takes_four_cycles),
          TIMED_TEST(csr_waits_for_all_before_it_to_retire),
          TIMED_TEST(csr_sync_can_be_switched_off), TIMED_TEST(vsetvli_serialises_as_a_csr_does),
          TIMED_TEST(cause_of_a_wait_before_a_status_csr_keeps_its_name),
          TIMED_TEST(wait_before_an_ebreak_is_not_its_end),
          TIMED_TEST(eight_instructions_can_be_unretired),
          TIMED_TEST(seven_instructions_run_ahead_of_a_load_without_an_answer),
          TIMED_TEST(mailbox_read_from_the_future), TIMED_TEST(mailbox_read_right_before_its_write),
          TIMED_TEST(nop_for_any_addi_before_the_write_hangs),
          TIMED_TEST(nops_for_all_but_the_mv_work_again),
          TIMED_TEST(one_instruction_too_many_before_the_write_hangs),
          TIMED_TEST(value_behind_an_unretired_writer_waits_for_that_one),
          TIMED_TEST(one_unretired_writer_forwards_at_any_distance),
          TIMED_TEST(nobody_watching_changes_nothing))
