/*
 * The Alpha's pipeline, cycle by cycle: each cause holds where it should, for as long as it should, and nothing else is late.
 *
 * Cycle 0 is the first fetch; an instruction retires in the cycle in which it is in WB. The numbers of the first five tests
 * are those of the fact sheet (design 8.19: owners act before the stages of a tick).
 */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "alpha/machine.h"
#include "words.h"

#define CODE   0x10000u
#define DATA   0x20000u
#define DEVICE 0x40000u
#define MOST   64

struct bench {
    struct machine m;
    unsigned n;
    uint64_t at[MOST], pc[MOST]; /* retired: cycle and instruction */
    /* the device: a command, a status that is ready `delay` cycles after it */
    unsigned delay, loads, stores;
    uint64_t ready_at;
};

static void bench_retire(void *context, const struct pipe *p, const struct pipe_slot *s,
                         uint64_t now)
{
    struct bench *b = context;
    (void)p;
    if (b->n < MOST) {
        b->at[b->n] = now;
        b->pc[b->n] = s->pc;
    }
    b->n++;
}

static bool device_ready(void *context, uint64_t now, uint64_t offset, unsigned size, bool store)
{
    struct bench *b = context;
    (void)offset, (void)size;
    return store || now >= b->ready_at;
}

static uint64_t device_load(void *context, uint64_t now, uint64_t offset, unsigned size)
{
    struct bench *b = context;
    (void)now, (void)offset, (void)size;
    return 0x100 + b->loads++;
}

static bool device_store(void *context, uint64_t now, uint64_t offset, unsigned size,
                         uint64_t value)
{
    struct bench *b = context;
    (void)offset, (void)size, (void)value;
    b->stores++;
    b->ready_at = now + b->delay;
    return true;
}

static unsigned device_owner(void *context, uint64_t offset, bool store)
{
    (void)context, (void)offset, (void)store;
    return OWNER_DEVICE;
}

static uint64_t device_wake(void *context, uint64_t now)
{
    struct bench *b = context;
    (void)now;
    return b->ready_at;
}

/* One CPU with the program; r1 is DATA, r2 is DEVICE. */
static struct bench *bench_make(const uint32_t *words, unsigned n)
{
    struct bench *b = calloc(1, sizeof *b);
    assert_non_null(b);
    assert_true(machine_init(&b->m, 1, 0));
    assert_true(alpha_mem_map(&b->m.mem, CODE, 0x2000, ALPHA_PROT_READ | ALPHA_PROT_EXEC));
    assert_true(alpha_mem_map(&b->m.mem, DATA, 0x2000, ALPHA_PROT_READ | ALPHA_PROT_WRITE));
    assert_true(alpha_mem_poke(&b->m.mem, CODE, words, n * sizeof *words));
    b->m.cpu[0].cpu.pc = CODE;
    b->m.cpu[0].cpu.reg[1] = DATA;
    b->m.cpu[0].cpu.reg[2] = DEVICE;
    b->m.env.retire = bench_retire;
    b->m.env.retire_context = b;
    b->ready_at = PIPE_NEVER;
    b->delay = 3;
    b->m.env.device = (struct pipe_device){.base = DEVICE,
                                           .size = 0x100,
                                           .context = b,
                                           .ready = device_ready,
                                           .load = device_load,
                                           .store = device_store,
                                           .owner = device_owner,
                                           .wake = device_wake};
    return b;
}

static void bench_free(struct bench *b)
{
    machine_free(&b->m);
    free(b);
}

/* Runs to the HALT behind the program; every cycle is accounted for, and no account depends on jumping. */
static enum machine_end bench_run(struct bench *b)
{
    machine_start(&b->m);
    enum machine_end end = machine_run(&b->m, 100000);
    machine_settle(&b->m);
    const struct pipe *p = &b->m.cpu[0];
    assert_int_equal(wait_ledger_sum(&p->ledger), b->m.now);
    assert_int_equal(p->ledger.cycles[WAIT_PROGRESS], p->retired);
    return end;
}

static uint64_t lost(const struct bench *b, unsigned cause)
{
    return b->m.cpu[0].ledger.cycles[cause];
}

static void expect_cycles(const struct bench *b, const uint64_t *at, unsigned n)
{
    assert_int_equal(b->n, n);
    for (unsigned i = 0; i < n; i++)
        assert_int_equal(b->at[i], at[i]);
}

#define COUNT(a)     (sizeof(a) / sizeof(a)[0])
#define PROGRAM(...) const uint32_t program[] = {__VA_ARGS__, AX_HALT}
#define RETIRES(b, ...)                                                                            \
    do {                                                                                           \
        static const uint64_t at_[] = {__VA_ARGS__};                                               \
        expect_cycles(b, at_, COUNT(at_));                                                         \
    } while (0)

/* Two stores of five cycles each: the MB waits in MEM until both are in memory, and goes to WB in the next cycle. */
static void mb_waits_for_the_stores_before_it(void **state)
{
    PROGRAM(ax_stq(3, 0, 1), ax_stq(4, 8, 1), AX_NOP, AX_MB, AX_NOP);
    struct bench *b = bench_make(program, COUNT(program));
    (void)state;
    b->m.cpu[0].cpu.reg[3] = 0x1111;
    b->m.cpu[0].cpu.reg[4] = 0x2222;
    assert_int_equal(bench_run(b), MACHINE_TRAP);
    RETIRES(b, 5, 6, 7, 16, 17);
    assert_int_equal(lost(b, WAIT_MB), 8);
    uint64_t v;
    assert_int_equal(alpha_mem_read(&b->m.mem, DATA + 8, 8, &v), ALPHA_TRAP_NONE);
    assert_int_equal(v, 0x2222);
    bench_free(b);
}

static void wmb_drains_or_only_keeps_its_place(void **state)
{
    PROGRAM(ax_stq(3, 0, 1), ax_stq(4, 8, 1), AX_NOP, AX_WMB, ax_ldq(5, 16, 1));
    (void)state;
    for (int marker = 0; marker < 2; marker++) {
        struct bench *b = bench_make(program, COUNT(program));
        b->m.set.wmb_marker = marker;
        assert_int_equal(bench_run(b), MACHINE_TRAP);
        if (marker)
            RETIRES(b, 5, 6, 7, 8, 9);
        else
            RETIRES(b, 5, 6, 7, 16, 17);
        assert_int_equal(lost(b, WAIT_WMB), marker ? 0 : 8);
        bench_free(b);
    }
}

/* Twelve cycles in EX; what is older goes on. Taken literally, the frozen ring keeps the second NOP until 17. */
static void a_long_operation_holds_only_the_younger(void **state)
{
    PROGRAM(AX_NOP, AX_NOP, ax_divt(1, 2, 3), AX_NOP, AX_NOP);
    (void)state;
    for (int frozen = 0; frozen < 2; frozen++) {
        struct bench *b = bench_make(program, COUNT(program));
        b->m.set.insn[ALPHA_LATENCY_FDIVT] = 12;
        b->m.set.frozen = frozen;
        b->m.cpu[0].cpu.reg[ALPHA_FP + 2] = UINT64_C(0x3ff0000000000000);
        assert_int_equal(bench_run(b), MACHINE_TRAP);
        if (frozen)
            RETIRES(b, 5, 17, 18, 19, 20);
        else
            RETIRES(b, 5, 6, 18, 19, 20);
        assert_int_equal(lost(b, WAIT_FP_BUSY), 11);
        bench_free(b);
    }
}

/* If FP blocks EX there is nothing left for TRAPB to wait for. If it does not, TRAPB waits for the rest of the division. */
static void trapb_waits_only_for_a_pipelined_fbox(void **state)
{
    PROGRAM(ax_divt(1, 2, 3), AX_TRAPB, AX_NOP);
    (void)state;
    for (int pipelined = 0; pipelined < 2; pipelined++) {
        struct bench *b = bench_make(program, COUNT(program));
        b->m.set.fp_pipelined = pipelined;
        b->m.cpu[0].cpu.reg[ALPHA_FP + 2] = UINT64_C(0x3ff0000000000000);
        assert_int_equal(bench_run(b), MACHINE_TRAP);
        if (pipelined)
            RETIRES(b, 5, 19, 20); /* in EX in 3, over in 18: TRAPB in MEM from 5 to 18 */
        else
            RETIRES(b, 19, 20, 21);
        assert_int_equal(lost(b, WAIT_TRAPB), pipelined ? 13 : 0);
        assert_int_equal(lost(b, WAIT_FP_BUSY), pipelined ? 0 : 14);
        bench_free(b);
    }
}

/* Division by zero without /S: the trap has the division's pc, and nothing behind it is done. */
static void an_arithmetic_trap_is_precise(void **state)
{
    PROGRAM(ax_divt(1, 31, 3), AX_TRAPB, ax_lda(4, 77, 31));
    (void)state;
    for (int pipelined = 0; pipelined < 2; pipelined++) {
        struct bench *b = bench_make(program, COUNT(program));
        b->m.set.fp_pipelined = pipelined;
        b->m.cpu[0].cpu.reg[ALPHA_FP + 1] = UINT64_C(0x3ff0000000000000);
        b->m.cpu[0].cpu.fpcr = 0;
        assert_int_equal(bench_run(b), MACHINE_TRAP);
        assert_int_equal(b->m.cpu[0].cpu.trap.trap, ALPHA_TRAP_ARITH);
        assert_int_equal(b->m.cpu[0].cpu.trap.pc, CODE);
        assert_int_equal(b->m.cpu[0].cpu.reg[4], 0);
        bench_free(b);
    }
}

/* A command and a load of the status that is ready three cycles after it: each access happens once. */
static void a_device_holds_the_load_until_it_is_ready(void **state)
{
    PROGRAM(ax_stq(3, 0, 2), ax_ldq(4, 8, 2), AX_NOP);
    struct bench *b = bench_make(program, COUNT(program));
    (void)state;
    assert_int_equal(bench_run(b), MACHINE_TRAP);
    RETIRES(b, 5, 10, 11);
    assert_int_equal(b->stores, 1);
    assert_int_equal(b->loads, 1);
    assert_int_equal(b->m.cpu[0].cpu.reg[4], 0x100);
    assert_int_equal(lost(b, WAIT_BACK_PRESSURE), 4);
    bench_free(b);
}

/* The guide's text taken literally: the command waits in MEM for a ring that waits for the load. Found in the cycle in which it is certain. */
static void the_frozen_ring_deadlocks(void **state)
{
    PROGRAM(ax_stq(3, 0, 2), ax_ldq(4, 8, 2), AX_NOP);
    struct bench *b = bench_make(program, COUNT(program));
    const struct pipe_slot *s;
    enum pipe_stage stage;
    (void)state;
    b->m.set.frozen = true;
    assert_int_equal(bench_run(b), MACHINE_HANG);
    assert_int_equal(b->n, 0);
    assert_true(b->m.now < 10);
    assert_true(pipe_held(&b->m.cpu[0], &s, &stage));
    assert_int_equal(stage, PIPE_EX);
    assert_int_equal(s->pc, CODE + 4);
    assert_int_equal(s->key, wait_key(WAIT_BACK_PRESSURE, OWNER_DEVICE));
    bench_free(b);
}

/* The same between a store and a load of more, or of other bytes too: every pair of sizes and places. Whatever is not forwarded and is
   right behind the store never ends; a NOP between them is enough to get the store out. */
static void the_frozen_ring_deadlocks_on_a_part(void **state)
{
    static const uint8_t store[] = {0x0e, 0x0d, 0x2c, 0x2d}, load[] = {0x0a, 0x0c, 0x28, 0x29};
    (void)state;
    for (unsigned k = 0; k < 4 * 4 * 8 * 2; k++) {
        int size = 1 << (k & 3), wanted = 1 << (k >> 2 & 3), at = (int)(k >> 4 & 7);
        bool apart = k >> 7, part = at < 4 + size && 4 < at + wanted;
        bool all = at >= 4 && at + wanted <= 4 + size;
        uint32_t program[4] = {ax_memory(store[k & 3], 3, 4, 1), AX_NOP};
        program[1 + apart] = ax_memory(load[k >> 2 & 3], 4, at, 1);
        program[2 + apart] = AX_HALT;
        struct bench *b = bench_make(program, 3 + apart);
        b->m.set.frozen = true;
        bool hangs = part && !all && !apart;
        assert_int_equal(bench_run(b), hangs ? MACHINE_HANG : MACHINE_TRAP);
        const struct pipe_slot *s;
        enum pipe_stage stage;
        assert_int_equal(pipe_held(&b->m.cpu[0], &s, &stage), hangs);
        if (hangs)
            assert_int_equal(s->key, wait_key(WAIT_OVERLAP, OWNER_PIPELINE));
        bench_free(b);
    }
}

/* A load reads the youngest store, at every distance, and of any part of it. */
static void loads_see_the_stores_before_them(void **state)
{
    (void)state;
    for (unsigned distance = 0; distance < 12; distance++) {
        uint32_t program[16];
        unsigned n = 0;
        program[n++] = ax_stq(3, 0, 1);
        for (unsigned i = 0; i < distance; i++)
            program[n++] = AX_NOP;
        program[n++] = ax_ldl(4, 4, 1);
        program[n++] = AX_HALT;
        struct bench *b = bench_make(program, n);
        b->m.cpu[0].cpu.reg[3] = UINT64_C(0x8000000112345678);
        assert_int_equal(bench_run(b), MACHINE_TRAP);
        assert_int_equal(b->m.cpu[0].cpu.reg[4], UINT64_C(0xffffffff80000001));
        assert_int_equal(lost(b, WAIT_OVERLAP), 0);
        bench_free(b);
    }
}

/* A load of more than the store has waits until the store is in memory: entered in 5, there in 10. */
static void a_load_of_more_than_the_store_waits(void **state)
{
    PROGRAM(ax_stl(3, 0, 1), ax_ldq(4, 0, 1));
    struct bench *b = bench_make(program, COUNT(program));
    (void)state;
    b->m.cpu[0].cpu.reg[3] = 0x12345678;
    assert_int_equal(bench_run(b), MACHINE_TRAP);
    RETIRES(b, 5, 12);
    assert_int_equal(b->m.cpu[0].cpu.reg[4], 0x12345678);
    assert_int_equal(lost(b, WAIT_OVERLAP), 6);
    bench_free(b);
}

/* Two entries: the third store stays in WB until the first is in memory. */
static void a_full_write_buffer_holds_wb(void **state)
{
    PROGRAM(ax_stq(3, 0, 1), ax_stq(3, 8, 1), ax_stq(3, 16, 1), AX_NOP);
    struct bench *b = bench_make(program, COUNT(program));
    (void)state;
    b->m.set.other[PIPE_WBUF_DEPTH] = 2;
    assert_int_equal(bench_run(b), MACHINE_TRAP);
    RETIRES(b, 5, 6, 10, 11);
    assert_true(lost(b, WAIT_WRITE_BUFFER) >= 3);
    bench_free(b);
}

/* A result of seven cycles: the consumer enters EX seven cycles after the producer. */
static void a_consumer_waits_for_its_operand(void **state)
{
    PROGRAM(ax_mulq(1, 1, 3), ax_addq(3, 31, 4), ax_ldq(5, 0, 1), ax_addq(5, 31, 6));
    struct bench *b = bench_make(program, COUNT(program));
    (void)state;
    assert_int_equal(bench_run(b), MACHINE_TRAP);
    RETIRES(b, 5, 12, 13, 16);
    assert_int_equal(lost(b, WAIT_OPERAND), 6);
    assert_int_equal(lost(b, WAIT_LOAD), 2);
    assert_int_equal(b->m.cpu[0].cpu.reg[4], (uint64_t)DATA * DATA);
    bench_free(b);
}

/* A wrong guess costs the three stages before EX. Forward branches are not expected to be taken. */
static void a_mispredicted_branch_costs_three_cycles(void **state)
{
    PROGRAM(ax_beq(31, 1), ax_lda(4, 1, 31), ax_lda(5, 2, 31));
    struct bench *b = bench_make(program, COUNT(program));
    (void)state;
    assert_int_equal(bench_run(b), MACHINE_TRAP);
    RETIRES(b, 5, 9);
    assert_int_equal(b->m.cpu[0].cpu.reg[4], 0);
    assert_int_equal(b->m.cpu[0].cpu.reg[5], 2);
    assert_int_equal(lost(b, WAIT_MISPREDICT), 3);
    bench_free(b);
}

/* STx_C is decided when all stores before it are in memory; MB between the pair does no harm, a second STx_C fails. */
static void store_conditional_waits_and_decides(void **state)
{
    PROGRAM(ax_stq(3, 8, 1), ax_ldq_l(4, 0, 1), AX_MB, ax_stq_c(5, 0, 1), ax_stq_c(6, 0, 1));
    struct bench *b = bench_make(program, COUNT(program));
    uint64_t v;
    (void)state;
    b->m.cpu[0].cpu.reg[5] = b->m.cpu[0].cpu.reg[6] = 0x55;
    assert_int_equal(bench_run(b), MACHINE_TRAP);
    assert_int_equal(b->m.cpu[0].cpu.reg[5], 1);
    assert_int_equal(b->m.cpu[0].cpu.reg[6], 0);
    assert_int_equal(alpha_mem_read(&b->m.mem, DATA, 8, &v), ALPHA_TRAP_NONE);
    assert_int_equal(v, 0x55);
    bench_free(b);
}

/* Jumping over waits changes nothing: same cycles, same account. */
static void skipping_changes_nothing(void **state)
{
    PROGRAM(ax_stq(3, 0, 1),
            ax_stq(3, 8, 2),
            ax_divt(1, 2, 3),
            AX_TRAPB,
            AX_MB,
            ax_ldq(4, 8, 2),
            ax_mulq(4, 4, 5),
            ax_addq(5, 4, 6),
            AX_EXCB,
            ax_stl(6, 0, 1),
            ax_ldq(7, 0, 1));
    (void)state;
    for (unsigned policy = 0; policy < 4; policy++) {
        struct bench *b[2];
        for (unsigned k = 0; k < 2; k++) {
            b[k] = bench_make(program, COUNT(program));
            b[k]->m.no_skip = k;
            b[k]->m.set.fp_pipelined = policy & 1;
            b[k]->m.set.wmb_marker = policy >> 1;
            b[k]->delay = 40;
            b[k]->m.cpu[0].cpu.reg[ALPHA_FP + 2] = UINT64_C(0x3ff0000000000000);
            assert_int_equal(bench_run(b[k]), MACHINE_TRAP);
        }
        assert_true(b[0]->m.skipped > 10);
        assert_int_equal(b[1]->m.skipped, 0);
        assert_int_equal(b[0]->m.now, b[1]->m.now);
        assert_int_equal(b[0]->n, b[1]->n);
        assert_memory_equal(b[0]->at, b[1]->at, sizeof b[0]->at);
        assert_memory_equal(b[0]->m.cpu[0].cpu.reg, b[1]->m.cpu[0].cpu.reg, 64 * sizeof(uint64_t));
        assert_memory_equal(b[0]->m.cpu[0].ledger.cycles,
                            b[1]->m.cpu[0].ledger.cycles,
                            sizeof b[0]->m.cpu[0].ledger.cycles);
        bench_free(b[0]);
        bench_free(b[1]);
    }
}

/* What all instructions have lost. */
static uint64_t blamed(const struct bench *b)
{
    uint64_t sum = b->m.blame.rest;
    for (unsigned i = 0; i < COUNT(b->m.blame.slot); i++)
        sum += b->m.blame.slot[i].cycles;
    return sum;
}

/* A second start of the same machine opens a new account: it adds up to the cycles since that start, cause by cause and place by place. */
static void a_second_start_opens_a_new_account(void **state)
{
    PROGRAM(ax_stq(3, 0, 1), AX_MB, AX_NOP);
    struct bench *b = bench_make(program, COUNT(program));
    (void)state;
    b->m.cpu[0].blame_on = true;
    assert_int_equal(bench_run(b), MACHINE_TRAP);
    const struct pipe *p = &b->m.cpu[0];
    uint64_t places = blamed(b), waited = lost(b, WAIT_MB), retired = p->retired;
    assert_true(waited > 0 && places > 0);
    b->m.cpu[0].cpu.pc = CODE;
    machine_start(&b->m);
    assert_int_equal(machine_run(&b->m, 100000), MACHINE_TRAP); /* one that nobody settles */
    uint64_t first = b->m.now;
    b->m.cpu[0].cpu.pc = CODE;
    machine_start(&b->m);
    assert_int_equal(wait_ledger_sum(&p->ledger), 0);
    assert_int_equal(machine_run(&b->m, 100000), MACHINE_TRAP);
    machine_settle(&b->m);
    assert_int_equal(wait_ledger_sum(&p->ledger), b->m.now - first);
    assert_int_equal(lost(b, WAIT_MB), waited);
    assert_int_equal(lost(b, WAIT_PROGRESS), retired);
    assert_int_equal(blamed(b), places);
    bench_free(b);
}

/* FPCR is written in program order, before anything reads it. */
static void fpcr_is_the_programs(void **state)
{
    PROGRAM(ax_operate(0x17, 0x24, 10, 10, 10), /* mt_fpcr f10 */
            ax_operate(0x17, 0x25, 11, 11, 11), /* mf_fpcr f11 */
            ax_operate(0x17, 0x24, 12, 12, 12),
            ax_operate(0x17, 0x25, 13, 13, 13));
    static const uint64_t values[] = {ALPHA_FPCR_DNZ, ALPHA_FPCR_UNDZ};
    (void)state;
    for (int pipelined = 0; pipelined < 2; pipelined++) {
        struct bench *b = bench_make(program, COUNT(program));
        uint64_t *f = b->m.cpu[0].cpu.reg + ALPHA_FP;
        b->m.set.fp_pipelined = pipelined;
        f[10] = values[0];
        f[12] = values[1];
        assert_int_equal(bench_run(b), MACHINE_TRAP);
        assert_int_equal(f[11], values[0]);
        assert_int_equal(f[13], values[1]);
        assert_int_equal(b->m.cpu[0].cpu.fpcr, values[1]);
        bench_free(b);
    }
}

TEST_MAIN(cmocka_unit_test(fpcr_is_the_programs),
          cmocka_unit_test(a_second_start_opens_a_new_account),
          cmocka_unit_test(mb_waits_for_the_stores_before_it),
          cmocka_unit_test(wmb_drains_or_only_keeps_its_place),
          cmocka_unit_test(a_long_operation_holds_only_the_younger),
          cmocka_unit_test(trapb_waits_only_for_a_pipelined_fbox),
          cmocka_unit_test(an_arithmetic_trap_is_precise),
          cmocka_unit_test(a_device_holds_the_load_until_it_is_ready),
          cmocka_unit_test(the_frozen_ring_deadlocks),
          cmocka_unit_test(the_frozen_ring_deadlocks_on_a_part),
          cmocka_unit_test(loads_see_the_stores_before_them),
          cmocka_unit_test(a_load_of_more_than_the_store_waits),
          cmocka_unit_test(a_full_write_buffer_holds_wb),
          cmocka_unit_test(a_consumer_waits_for_its_operand),
          cmocka_unit_test(a_mispredicted_branch_costs_three_cycles),
          cmocka_unit_test(store_conditional_waits_and_decides),
          cmocka_unit_test(skipping_changes_nothing))
