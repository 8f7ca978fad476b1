/*
 * Litmus tests on two Alpha CPUs in lock step: which outcomes can be seen, over many relative starts and latencies. The sets
 * that are asserted here are those of docs/alpha.md.
 *
 * x is at DATA, y at DATA + 128; r1 is x's address, r2 is y's, r3 is 1; results are in r4 and r5.
 */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "alpha/machine.h"
#include "words.h"

#define CODE   0x10000u
#define DATA   0x20000u
#define STARTS 14u
#define WORDS  64u

struct cpu_code {
    uint32_t word[WORDS];
    unsigned n;
};

static void emit(struct cpu_code *c, uint32_t word)
{
    if (c->n < WORDS)
        c->word[c->n++] = word;
}

static struct machine *two_cpus(const struct cpu_code code[2], const uint32_t latency[3])
{
    struct machine *m = calloc(1, sizeof *m);
    assert_non_null(m);
    assert_true(machine_init(m, 2, 0));
    assert_true(alpha_mem_map(&m->mem, CODE, 0x4000, ALPHA_PROT_READ | ALPHA_PROT_EXEC));
    assert_true(alpha_mem_map(&m->mem, DATA, 0x2000, ALPHA_PROT_READ | ALPHA_PROT_WRITE));
    for (unsigned i = 0; i < 2; i++) {
        struct alpha_cpu *c = &m->cpu[i].cpu;
        assert_true(alpha_mem_poke(&m->mem, CODE + 0x2000u * i, code[i].word, code[i].n * 4));
        c->pc = CODE + 0x2000u * i;
        c->reg[1] = DATA;
        c->reg[2] = DATA + 128;
        c->reg[3] = 1;
        c->reg[4] = c->reg[5] = 99;
    }
    for (unsigned i = 0; i < PIPE_N_LATENCIES; i++)
        m->set.other[i] = latency[i] ? latency[i] : m->set.other[i];
    return m;
}

/* To the end of both programs; every cycle of both CPUs is accounted for. */
static void run_both(struct machine *m)
{
    enum machine_end end;
    machine_start(m);
    while ((end = machine_run(m, 1000000)) == MACHINE_TRAP)
        assert_int_equal(m->cpu[m->stopped].cpu.trap.trap, ALPHA_TRAP_ILLEGAL); /* HALT */
    assert_int_equal(end, MACHINE_DONE);
    machine_settle(m);
    for (unsigned i = 0; i < 2; i++)
        assert_int_equal(wait_ledger_sum(&m->cpu[i].ledger), m->now);
}

/* The outcomes as a set: bit 2 * a + b for results a and b. */
static unsigned outcomes(const uint32_t first[4], const uint32_t second[4], bool two_from_second,
                         bool marker)
{
    static const uint32_t latencies[][PIPE_N_LATENCIES] = {
        {1, 8, 1}, {2, 8, 3}, {5, 8, 4}, {9, 1, 12}, {30, 3, 1}};
    unsigned seen = 0;
    for (unsigned k = 0; k < sizeof latencies / sizeof latencies[0]; k++)
        for (unsigned s0 = 0; s0 < STARTS; s0++)
            for (unsigned s1 = 0; s1 < STARTS; s1++) {
                unsigned gap = k * 4; /* between the first instruction and the others */
                struct cpu_code code[2] = {{{0}, 0}, {{0}, 0}};
                for (unsigned i = 0; i < s0; i++)
                    emit(&code[0], AX_NOP);
                for (unsigned i = 0; i < s1; i++)
                    emit(&code[1], AX_NOP);
                for (unsigned i = 0; i < 4; i++) {
                    for (unsigned w = 0; i == 1 && w < gap; w++) {
                        emit(&code[0], AX_NOP);
                        emit(&code[1], AX_NOP);
                    }
                    if (first[i])
                        emit(&code[0], first[i]);
                    if (second[i])
                        emit(&code[1], second[i]);
                }
                emit(&code[0], AX_HALT);
                emit(&code[1], AX_HALT);
                struct machine *m = two_cpus(code, latencies[k]);
                m->set.wmb_marker = marker;
                run_both(m);
                uint64_t a = m->cpu[two_from_second].cpu.reg[4],
                         b = m->cpu[1].cpu.reg[two_from_second ? 5 : 4];
                assert_true(a < 2 && b < 2);
                seen |= 1u << (2 * a + b);
                machine_free(m);
                free(m);
            }
    return seen;
}

#define O00 1u
#define O01 2u
#define O10 4u
#define O11 8u

static const uint32_t none = 0;

/* Each stores to its own word and reads the other's: both may read 0, unless an MB stands between. */
static void store_buffering(void **state)
{
    (void)state;
    for (int mb = 0; mb < 2; mb++) {
        const uint32_t p0[4] = {ax_stq(3, 0, 1), mb ? AX_MB : none, ax_ldq(4, 0, 2)};
        const uint32_t p1[4] = {ax_stq(3, 0, 2), mb ? AX_MB : none, ax_ldq(4, 0, 1)};
        assert_int_equal(outcomes(p0, p1, false, false),
                         mb ? O01 | O10 | O11 : O00 | O01 | O10 | O11);
    }
}

/* WMB orders stores only: store buffering stays. */
static void wmb_does_not_stop_store_buffering(void **state)
{
    const uint32_t p0[4] = {ax_stq(3, 0, 1), AX_WMB, ax_ldq(4, 0, 2)};
    const uint32_t p1[4] = {ax_stq(3, 0, 2), AX_WMB, ax_ldq(4, 0, 1)};
    (void)state;
    assert_int_equal(outcomes(p0, p1, false, true), O00 | O01 | O10 | O11);
}

/* Data, then a flag; the reader sees the flag without the data never with barriers, and here not without either: stores leave
   in order and loads are made in order, which is more than the architecture promises. */
static void message_passing(void **state)
{
    (void)state;
    for (int barriers = 0; barriers < 3; barriers++) {
        const uint32_t p0[4] = {ax_stq(3, 0, 1), barriers ? AX_WMB : none, ax_stq(3, 0, 2)};
        const uint32_t p1[4] = {ax_ldq(4, 0, 2), barriers ? AX_MB : none, ax_ldq(5, 0, 1)};
        assert_int_equal(outcomes(p0, p1, true, barriers == 2), O00 | O01 | O11);
    }
}

/* Each reads the other's word and then stores its own: not both read 1. */
static void load_buffering(void **state)
{
    (void)state;
    for (int mb = 0; mb < 2; mb++) {
        const uint32_t p0[4] = {ax_ldq(4, 0, 1), mb ? AX_MB : none, ax_stq(3, 0, 2)};
        const uint32_t p1[4] = {ax_ldq(4, 0, 2), mb ? AX_MB : none, ax_stq(3, 0, 1)};
        assert_int_equal(outcomes(p0, p1, false, false), O00 | O01 | O10);
    }
}

/*
 * An MB waits for exactly the stores that the other CPU had taken when it asked: CPU 1 makes some stores, CPU 0 asks after more or
 * fewer of them. In the cycle in which the MB is over the last of those is in memory, and the one behind it is not.
 */
static void mb_waits_for_the_stores_of_others(void **state)
{
    static const uint32_t latency[PIPE_N_LATENCIES] = {20, 8, 1};
    (void)state;
    for (unsigned stores = 1; stores <= 4; stores++)
        for (unsigned start = 0; start < stores + 4; start++) {
            struct cpu_code code[2] = {{{0}, 0}, {{0}, 0}};
            unsigned taken = start < 2 ? 0 : start - 1; /* in WB before the MB is in MEM */
            taken = taken < stores ? taken : stores;
            for (unsigned i = 0; i < stores; i++)
                emit(&code[1], ax_stq(3, (int)(8 + 8 * i), 1));
            emit(&code[1], AX_HALT);
            for (unsigned i = 0; i < start; i++)
                emit(&code[0], AX_NOP);
            emit(&code[0], AX_MB);
            emit(&code[0], ax_ldq(4, (int)(8 * taken), 1));
            emit(&code[0], ax_ldq(5, (int)(8 + 8 * taken), 1));
            emit(&code[0], AX_HALT);
            struct machine *m = two_cpus(code, latency);
            run_both(m);
            assert_int_equal(m->cpu[0].cpu.reg[4], taken != 0); /* nothing is stored to word 0 */
            assert_int_equal(m->cpu[0].cpu.reg[5], 0);
            machine_free(m);
            free(m);
        }
}

/* Both CPUs add 1 to a word a hundred times with LDQ_L and STQ_C: nothing is lost, whatever the latencies. */
static void atomic_counter(void **state)
{
    static const uint32_t latencies[][PIPE_N_LATENCIES] = {{1, 8, 1}, {5, 8, 4}, {13, 2, 40}};
    (void)state;
    for (unsigned k = 0; k < sizeof latencies / sizeof latencies[0]; k++)
        for (unsigned mb = 0; mb < 2; mb++) {
            struct cpu_code code[2] = {{{0}, 0}, {{0}, 0}};
            for (unsigned i = 0; i < 2; i++) {
                if (mb)
                    emit(&code[i], AX_MB);
                emit(&code[i], ax_ldq_l(4, 0, 1));
                emit(&code[i], ax_addq(4, 3, 4));
                emit(&code[i], ax_stq_c(4, 0, 1));
                emit(&code[i], ax_beq(4, -4 - (int)mb));
                emit(&code[i], ax_lda(6, -1, 6));
                emit(&code[i], ax_bne(6, -6 - (int)mb));
                emit(&code[i], AX_HALT);
            }
            struct machine *m = two_cpus(code, latencies[k]);
            uint64_t v = 0;
            m->cpu[0].cpu.reg[6] = m->cpu[1].cpu.reg[6] = 100;
            run_both(m);
            assert_int_equal(alpha_mem_read(&m->mem, DATA, 8, &v), ALPHA_TRAP_NONE);
            assert_int_equal(v, 200);
            assert_true(m->cpu[0].ledger.cycles[WAIT_MB] > 0 || !mb);
            machine_free(m);
            free(m);
        }
}

TEST_MAIN(cmocka_unit_test(store_buffering), cmocka_unit_test(wmb_does_not_stop_store_buffering),
          cmocka_unit_test(message_passing), cmocka_unit_test(load_buffering),
          cmocka_unit_test(mb_waits_for_the_stores_of_others), cmocka_unit_test(atomic_counter))
