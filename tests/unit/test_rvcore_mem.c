/*
 * The RISC-V core: memory, L0 data cache, atomics, .ttinsn, waiting; against the Blackhole pages
 * BabyRISCV/README, MemoryOrdering and PushTensixInstruction.
 */
#include "test.h"

#include "rv_drive.h"

static struct rv_drive d;

#define TT(n) rv32_encode(RV_OP_TTINSN, (struct rv32_args){.imm = (int32_t)(n)})

/* ---- loads and stores ---- */

static void sizes_and_signs(void **state)
{
    (void)state;
    rv_start(&d, RV_T0);
    rv_poke(&d, 0x1000, 0x8091a2b3);
    assert_int_equal(rv_one(&d, RV_OP_LW, 0x1000, 0, 0), 0x8091a2b3);
    assert_int_equal(rv_one(&d, RV_OP_LH, 0x1004, 0, -2), 0xffff8091);
    assert_int_equal(rv_one(&d, RV_OP_LHU, 0x1000, 0, 2), 0x8091);
    assert_int_equal(rv_one(&d, RV_OP_LB, 0x1000, 0, 0), 0xffffffb3);
    assert_int_equal(rv_one(&d, RV_OP_LBU, 0x1000, 0, 3), 0x80);
    rv_one(&d, RV_OP_SB, 0x1000, 0x11, 1);
    rv_one(&d, RV_OP_SH, 0x1000, 0x2233, 2);
    assert_int_equal(rv_peek(&d, 0x1000), 0x223311b3);
    rv_one(&d, RV_OP_SW, 0x1000, 0x44556677, 4);
    assert_int_equal(rv_peek(&d, 0x1004), 0x44556677);
    assert_int_equal(d.loads + d.stores, 0);
    assert_int_equal(d.written, 3);
}

static void local_memory_is_the_cores_own(void **state)
{
    (void)state;
    for (unsigned which = 0; which < RV_N_CORES; which++) {
        uint32_t last = RV_LOCAL_BASE + RV_LOCAL_SIZE(which) - 4;
        rv_start(&d, which);
        rv_one(&d, RV_OP_SW, last, 0x12345678, 0);
        assert_int_equal(rv_one(&d, RV_OP_LW, last, 0, 0), 0x12345678);
        assert_int_equal(rv_one(&d, RV_OP_LBU, last, 0, 3), 0x12);
        assert_int_equal(d.loads + d.stores, 0);
        rv_one(&d, RV_OP_LW, last, 0, 4); /* one word further it is the bus */
        assert_int_equal(d.loads, 1);
    }
}

static void everything_else_is_the_bus(void **state)
{
    (void)state;
    rv_start(&d, RV_B);
    d.answer = 0xfedcba98;
    assert_int_equal(rv_one(&d, RV_OP_LW, RV_BUS, 0, 8), 0xfedcba98);
    assert_int_equal(d.last_addr, RV_BUS + 8);
    assert_int_equal(rv_one(&d, RV_OP_LH, RV_BUS, 0, 2), 0xffffba98); /* cut and extended */
    assert_int_equal(d.last_size, 2);
    assert_int_equal(rv_one(&d, RV_OP_LBU, RV_BUS, 0, 1), 0x98);
    rv_one(&d, RV_OP_SB, RV_BUS, 0x12345678, 3);
    assert_int_equal(d.last_value, 0x78);
    assert_int_equal(d.last_addr, RV_BUS + 3);
    assert_int_equal(rv_one(&d, RV_OP_LW, RV_L1, 0, 0), 0xfedcba98);
    assert_int_equal(d.written, 0);
}

static void the_bus_may_refuse(void **state)
{
    (void)state;
    rv_start(&d, RV_B);
    d.answer = 99;
    d.refuse = true;
    assert_int_equal(rv_one(&d, RV_OP_LW, RV_BUS, 0, 0), 0);
    assert_int_equal(d.fault, RV_FAULT_BUS);
    assert_int_equal(d.fault_arg, RV_BUS);
    assert_int_equal(d.c.state, RV_RUNNING);
    rv_one(&d, RV_OP_SW, RV_BUS, 0, 4);
    assert_int_equal(d.n_faults, 2);
    d.c.stop_on |= UINT32_C(1) << RV_FAULT_BUS;
    d.c.x[3] = 7;
    rv_one(&d, RV_OP_LW, RV_BUS, 0, 0);
    assert_int_equal(d.c.state, RV_STOPPED);
    assert_int_equal(d.c.x[3], 7);
    /* no bus at all */
    rv_start(&d, RV_B);
    d.m.bus = NULL;
    assert_int_equal(rv_one(&d, RV_OP_LW, RV_BUS, 0, 0), 0);
}

static void misaligned_accesses_are_rounded_down(void **state)
{
    (void)state;
    rv_start(&d, RV_T0);
    rv_poke(&d, 0x1000, 0x11223344);
    assert_int_equal(rv_one(&d, RV_OP_LW, 0x1003, 0, 0), 0x11223344);
    assert_int_equal(d.fault, RV_FAULT_MISALIGNED);
    assert_int_equal(d.fault_arg, 0x1003);
    assert_int_equal(d.fault_pc, 0x100);
    rv_one(&d, RV_OP_SH, 0x1003, 0x5566, 0);
    assert_int_equal(rv_peek(&d, 0x1000), 0x55663344);
    assert_int_equal(rv_one(&d, RV_OP_LHU, RV_LOCAL_BASE + 1, 0, 0), 0);
    assert_int_equal(d.n_faults, 1); /* told once */
}

static void blocked_accesses_are_tried_again(void **state)
{
    (void)state;
    rv_start(&d, RV_T0);
    RV_PUT(&d, ADDI, .rd = 1, .imm = 1);
    RV_PUT(&d, LW, .rd = 3, .rs1 = 2, .imm = 4);
    RV_PUT(&d, SW, .rs1 = 2, .rs2 = 1, .imm = 8);
    d.c.x[2] = RV_BUS;
    d.answer = 77;
    d.block = 2;
    assert_int_equal(rv_run(&d, 10), 1);
    assert_int_equal(d.c.state, RV_BLOCKED);
    assert_int_equal(d.c.access, RV_ACCESS_LOAD);
    assert_int_equal(d.c.block_addr, RV_BUS + 4);
    assert_int_equal(d.c.pc, 4);
    assert_int_equal(d.c.x[3], 0);
    assert_int_equal(rv_run(&d, 10), 0);
    assert_int_equal(rv_run(&d, 1), 1);
    assert_int_equal(d.c.state, RV_RUNNING);
    assert_int_equal(d.c.x[3], 77);
    d.block = 1;
    assert_int_equal(rv_run(&d, 10), 0);
    assert_int_equal(d.c.access, RV_ACCESS_STORE);
    assert_int_equal(rv_run(&d, 1), 1);
    assert_int_equal(d.last_value, 1);
    assert_int_equal(d.c.steps, 3);
}

/* What the bus then answers is not for this life of the core: no value, no fault, nothing to wait for. */
static void an_access_may_reset_its_core(void **state)
{
    static const enum rv_op ops[] = {RV_OP_LW, RV_OP_SW};
    (void)state;
    for (unsigned i = 0; i < 6; i++) {
        rv_start(&d, RV_T0);
        d.resets = true;
        d.answer = 77;
        d.block = i / 2 == 1;
        d.refuse = i / 2 == 2;
        rv_one(&d, ops[i % 2], RV_BUS, 5, 0);
        assert_int_equal(d.loads + d.stores, 1);
        assert_int_equal(d.c.pc, RV_AGAIN);
        assert_int_equal(d.c.state, RV_RUNNING);
        assert_int_equal(d.n_faults, 0);
        for (unsigned x = 0; x < 32; x++)
            assert_int_equal(d.c.x[x], 0);
    }
}

/* ---- L0 data cache ---- */

static uint32_t load(uint32_t addr)
{
    return rv_one(&d, RV_OP_LW, addr, 0, 0);
}

/* A line in the cache that somebody else has overwritten. */
static void make_stale(void)
{
    rv_start(&d, RV_T0);
    rv_poke(&d, 0x1000, 1);
    rv_poke(&d, 0x1004, 1);
    assert_int_equal(load(0x1000), 1);
    rv_poke(&d, 0x1000, 2);
    rv_poke(&d, 0x1004, 2);
}

static void stale_values_show_until_invalidated(void **state)
{
    (void)state;
    make_stale();
    assert_int_equal(load(0x1000), 1);
    assert_int_equal(load(0x1004), 1); /* the whole line of 16 bytes */
    assert_int_equal(rv_one(&d, RV_OP_LBU, 0x1000, 0, 0), 1);
    rv_one(&d, RV_OP_FENCE, 0, 0, 0xff);
    assert_int_equal(load(0x1000), 2);

    make_stale(); /* an atomic anywhere */
    rv_one(&d, RV_OP_AMOADD_W, 0x2000, 1, 0);
    assert_int_equal(load(0x1000), 2);

    make_stale(); /* an own store to the line, and only to it */
    rv_one(&d, RV_OP_SW, 0x2000, 1, 0);
    assert_int_equal(load(0x1000), 1);
    rv_one(&d, RV_OP_SB, 0x100f, 1, 0);
    assert_int_equal(load(0x1000), 2);

    make_stale(); /* another line in its place: four lines, direct mapped */
    load(0x1010);
    load(0x1030);
    assert_int_equal(load(0x1000), 1);
    load(0x1040);
    assert_int_equal(load(0x1000), 2);
}

static void the_cache_can_be_switched_off(void **state)
{
    static const struct {
        unsigned csr;
        uint32_t value;
    } ways[] = {{0x7c0, RV_CFG0_NO_L0}, {0x7c1, 1}, {0x7c2, 1}};
    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        make_stale();
        d.at = 0x200;
        RV_PUT(&d, CSRRS, .rd = 0, .rs1 = 1, .csr = (uint16_t)ways[i].csr);
        d.c.pc = 0x200;
        d.c.x[1] = ways[i].value;
        rv_run(&d, 1);
        assert_int_equal(load(0x1000), 2);
        rv_poke(&d, 0x1000, 3);
        assert_int_equal(load(0x1000), 3);
    }
}

static void the_cache_empties_itself_now_and_then(void **state)
{
    unsigned n;
    (void)state;
    make_stale();
    for (n = 1; load(0x1000) == 1; n++)
        assert_true(n < 1000);
    assert_int_equal(n, RV_L0_REQUESTS_TO_FLUSH); /* only hits count, and the first load was none */
    make_stale();
    d.c.cfg0 |= RV_CFG0_NO_L0_FLUSH;
    for (n = 0; n < 1000; n++)
        assert_int_equal(load(0x1000), 1);
}

static void local_memory_is_not_cached(void **state)
{
    (void)state;
    rv_start(&d, RV_T0);
    d.local[0] = 1;
    assert_int_equal(load(RV_LOCAL_BASE), 1);
    d.local[0] = 2;
    assert_int_equal(load(RV_LOCAL_BASE), 2);
}

/* ---- atomics ---- */

static void atomics_read_and_change(void **state)
{
    static const struct {
        enum rv_op op;
        uint32_t old, with, new;
    } cases[] = {
        {RV_OP_AMOADD_W, 5, 7, 12},
        {RV_OP_AMOSWAP_W, 5, 7, 7},
        {RV_OP_AMOXOR_W, 0xff, 0x0f, 0xf0},
        {RV_OP_AMOOR_W, 0xf0, 0x0f, 0xff},
        {RV_OP_AMOAND_W, 0xff, 0x0f, 0x0f},
        {RV_OP_AMOMIN_W, 1, 0xffffffff, 0xffffffff},
        {RV_OP_AMOMAX_W, 1, 0xffffffff, 1},
        {RV_OP_AMOMINU_W, 1, 0xffffffff, 1},
        {RV_OP_AMOMAXU_W, 1, 0xffffffff, 0xffffffff},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        rv_start(&d, RV_B);
        rv_poke(&d, 0x1000, cases[i].old);
        assert_int_equal(rv_one(&d, cases[i].op, 0x1000, cases[i].with, 0), cases[i].old);
        assert_int_equal(rv_peek(&d, 0x1000), cases[i].new);
        assert_int_equal(d.written, cases[i].new != cases[i].old);
    }
}

static void atomics_reach_l1_only(void **state)
{
    static const uint32_t places[] = {RV_LOCAL_BASE, RV_BUS, RV_L1};
    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        rv_start(&d, RV_B);
        assert_int_equal(rv_one(&d, RV_OP_AMOADD_W, places[i], 1, 0), 0);
        assert_int_equal(d.fault, RV_FAULT_AMO);
        assert_int_equal(d.fault_arg, places[i]);
        assert_int_equal(d.loads + d.stores, 0);
        assert_int_equal(d.local[0], 0);
    }
}

/* ---- .ttinsn ---- */

static void four_in_a_line_go_together(void **state)
{
    (void)state;
    rv_start(&d, RV_T1);
    for (uint32_t i = 0; i < 6; i++)
        rv_word(&d, TT(0x100 + i));
    RV_PUT(&d, ADDI, .rd = 1, .imm = 1);
    rv_word(&d, TT(0x106));
    RV_PUT(&d, EBREAK, 0);
    assert_int_equal(rv_run(&d, 100), 4); /* 4, 2, addi, 1 */
    assert_int_equal(d.n_pushes, 3);
    assert_int_equal(d.pushes[0].n, 4);
    assert_int_equal(d.pushes[0].core, RV_T1);
    assert_int_equal(d.pushes[0].words[3], 0x103);
    assert_int_equal(d.pushes[1].n, 2); /* ended by another instruction */
    assert_int_equal(d.pushes[1].pc, 16);
    assert_int_equal(d.pushes[1].words[0], 0x104);
    assert_int_equal(d.pushes[2].n, 1);
    assert_int_equal(d.pushes[2].pc, 28);
    assert_int_equal(rvcore_instret(&d.c), 8);
    assert_int_equal(d.c.steps, 4);
}

static void lines_divide_what_goes_together(void **state)
{
    (void)state;
    rv_start(&d, RV_T0);
    for (uint32_t i = 0; i < 8; i++)
        rv_word(&d, TT(i));
    RV_PUT(&d, EBREAK, 0);
    d.c.pc = 8; /* entered in the middle of a line */
    rv_run(&d, 100);
    assert_int_equal(d.n_pushes, 2);
    assert_int_equal(d.pushes[0].n, 2);
    assert_int_equal(d.pushes[0].words[0], 2);
    assert_int_equal(d.pushes[1].n, 4);
    assert_int_equal(d.pushes[1].words[0], 4);
}

static void fusing_obeys_cfg0(void **state)
{
    (void)state;
    rv_start(&d, RV_T2);
    d.c.x[1] = RV_CFG0_NO_FUSE;
    RV_PUT(&d, CSRRS, .rd = 0, .rs1 = 1, .csr = 0x7c0);
    for (uint32_t i = 0; i < 3; i++)
        rv_word(&d, TT(i));
    RV_PUT(&d, CSRRC, .rd = 0, .rs1 = 1, .csr = 0x7c0);
    for (uint32_t i = 0; i < 3; i++)
        rv_word(&d, TT(i));
    RV_PUT(&d, EBREAK, 0);
    rv_run(&d, 100);
    assert_int_equal(d.n_pushes, 4);
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(d.pushes[i].n, 1);
    assert_int_equal(d.pushes[3].n, 3);
}

static void b_never_fuses_and_nc_never_pushes(void **state)
{
    (void)state;
    rv_start(&d, RV_B);
    for (uint32_t i = 0; i < 4; i++)
        rv_word(&d, TT(i));
    assert_int_equal(rv_run(&d, 4), 4);
    assert_int_equal(d.n_pushes, 4);
    assert_int_equal(d.pushes[3].core, RV_B);

    rv_start(&d, RV_NC);
    rv_word(&d, TT(0x12345));
    RV_PUT(&d, ADDI, .rd = 1, .imm = 1);
    assert_int_equal(rv_run(&d, 2), 2);
    assert_int_equal(d.n_pushes, 0);
    assert_int_equal(d.fault, RV_FAULT_PUSH);
    assert_int_equal(d.fault_arg, 0x12345);
    assert_int_equal(d.c.x[1], 1);
}

static void blocked_pushes_are_tried_again(void **state)
{
    (void)state;
    rv_start(&d, RV_T0);
    for (uint32_t i = 0; i < 5; i++)
        rv_word(&d, TT(i));
    RV_PUT(&d, EBREAK, 0);
    d.block = 3;
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(rv_run(&d, 10), 0);
        assert_int_equal(d.c.state, RV_BLOCKED);
        assert_int_equal(d.c.access, RV_ACCESS_PUSH);
        assert_int_equal(d.c.block_addr, 0xffe40000);
    }
    assert_int_equal(rv_run(&d, 1), 1);
    assert_int_equal(d.c.pc, 16);
    assert_int_equal(d.pushes[0].n, 4);
    assert_int_equal(rv_run(&d, 1), 1);
    assert_int_equal(d.pushes[1].n, 1);
}

static void changed_code_fuses_anew(void **state)
{
    (void)state;
    rv_start(&d, RV_T0);
    for (uint32_t i = 0; i < 4; i++)
        rv_word(&d, TT(i));
    rv_run(&d, 1);
    d.at = 8;
    RV_PUT(&d, ADDI, .rd = 1, .imm = 1);
    d.c.pc = 0;
    rv_run(&d, 3);
    assert_int_equal(d.pushes[1].n, 2);
    assert_int_equal(d.pushes[2].n, 1);
    assert_int_equal(d.pushes[2].words[0], 3);
}

/* ---- polls ---- */

/* x1: the address, x2: the value that is waited for. The forms differ in what else is in a round. */
enum poll_form {
    POLL_PLAIN,
    POLL_MASKED,
    POLL_TWO_PAGES, /* of decoded code */
    POLL_COUNTS,
    POLL_STORES, /* to its own memory, what no register shows at the load */
    POLL_LEAVES, /* the loop, and comes back with the same registers */
    POLL_FORMS
};

static void poll_code(enum poll_form form)
{
    d.at = d.c.pc = form == POLL_TWO_PAGES ? 0x100 - 4 : 0x100;
    if (form == POLL_MASKED)
        RV_PUT(&d, ADDI, .rd = 4, .rs1 = 0, .imm = 1);
    RV_PUT(&d, LW, .rd = 3, .rs1 = 1, .imm = 0);
    if (form == POLL_MASKED)
        RV_PUT(&d, AND, .rd = 3, .rs1 = 3, .rs2 = 4);
    if (form == POLL_COUNTS)
        RV_PUT(&d, ADDI, .rd = 5, .rs1 = 5, .imm = 1);
    if (form == POLL_STORES) {
        RV_PUT(&d, LW, .rd = 4, .rs1 = 6, .imm = 0);
        RV_PUT(&d, ADDI, .rd = 4, .rs1 = 4, .imm = 1);
        RV_PUT(&d, SW, .rs1 = 6, .rs2 = 4, .imm = 0);
        RV_PUT(&d, ADDI, .rd = 4, .rs1 = 0, .imm = 0);
    }
    if (form == POLL_LEAVES) {
        RV_PUT(&d, BEQ, .rs1 = 3, .rs2 = 2, .imm = -4); /* when it has come */
        RV_PUT(&d, SW, .rs1 = 1, .rs2 = 2, .imm = 8);
        RV_PUT(&d, JAL, .rd = 0, .imm = -12);
        return;
    }
    RV_PUT(&d, BNE, .rs1 = 3, .rs2 = 2, .imm = (int32_t)(d.c.pc - d.at));
    RV_PUT(&d, ADDI, .rd = 7, .rs1 = 7, .imm = 1);
    RV_PUT(&d, JAL, .rd = 0, .imm = 0);
}

typedef uint32_t run_function(struct rvcore *c, const struct rvmem *m, uint32_t quota);

/* Turns of `turn` steps; the value is `before`, and what is awaited comes after ten of them. Gives the core as it is then, and what the bus saw. */
static struct rvcore poll_turns(enum poll_form form, bool same, run_function *run, uint32_t turn,
                                uint32_t before)
{
    rv_start(&d, RV_T0);
    poll_code(form);
    d.c.x[1] = RV_BUS;
    d.c.x[2] = 1;
    d.c.x[6] = RV_LOCAL_BASE;
    d.same = same;
    for (unsigned i = 0; i < 12; i++) {
        d.answer = i >= 10 ? 1 : before;
        assert_int_equal(run(&d.c, &d.m, turn), turn);
    }
    struct rvcore c = d.c;
    c.poll = (struct rvpoll){0};
    return c;
}

/* Rounds in vain are not made, but nothing shows it. */
static void polls_in_vain_count_as_steps(void **state)
{
    static run_function *const runs[] = {rvcore_run, rvcore_run_plain};
    (void)state;
    for (unsigned form = 0; form < POLL_FORMS; form++)
        for (uint32_t turn = 1; turn < 300; turn++)
            for (unsigned i = 0; i < 4; i++) {
                run_function *run = runs[i % 2];
                uint32_t before = i / 2 * 6;
                struct rvcore made = poll_turns(form, false, run, turn, before);
                unsigned loads = d.loads, stores = d.stores;
                uint32_t counted = d.local[0];
                struct rvcore c = poll_turns(form, true, run, turn, before);
                assert_memory_equal(&c, &made, sizeof c);
                assert_int_equal(d.stores, stores);
                assert_int_equal(d.local[0], counted);
                if (turn > 100 && form <= POLL_MASKED)
                    assert_true(d.loads < loads / 4);
                if (form >= POLL_TWO_PAGES && form < POLL_LEAVES)
                    assert_int_equal(d.loads, loads);
            }
}

TEST_MAIN(cmocka_unit_test(sizes_and_signs), cmocka_unit_test(local_memory_is_the_cores_own),
          cmocka_unit_test(everything_else_is_the_bus), cmocka_unit_test(the_bus_may_refuse),
          cmocka_unit_test(misaligned_accesses_are_rounded_down),
          cmocka_unit_test(blocked_accesses_are_tried_again),
          cmocka_unit_test(an_access_may_reset_its_core),
          cmocka_unit_test(stale_values_show_until_invalidated),
          cmocka_unit_test(the_cache_can_be_switched_off),
          cmocka_unit_test(the_cache_empties_itself_now_and_then),
          cmocka_unit_test(local_memory_is_not_cached), cmocka_unit_test(atomics_read_and_change),
          cmocka_unit_test(atomics_reach_l1_only), cmocka_unit_test(four_in_a_line_go_together),
          cmocka_unit_test(lines_divide_what_goes_together), cmocka_unit_test(fusing_obeys_cfg0),
          cmocka_unit_test(b_never_fuses_and_nc_never_pushes),
          cmocka_unit_test(blocked_pushes_are_tried_again),
          cmocka_unit_test(changed_code_fuses_anew), cmocka_unit_test(polls_in_vain_count_as_steps))
