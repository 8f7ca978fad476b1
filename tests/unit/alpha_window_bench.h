/*
 * alpha_window_bench.h - one to four Alpha CPUs and a tile behind their window, for tests that write the programs word by word.
 */
#ifndef WG_TESTS_UNIT_ALPHA_WINDOW_BENCH_H
#define WG_TESTS_UNIT_ALPHA_WINDOW_BENCH_H

#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "../../examples/alpha/tensix_window.h"
#include "../../kernels/include/tensix_ops.h"
#include "../alpha/words.h"
#include "joint/alpha_window.h"

#define CODE    0x10000u
#define DATA    0x20000u /* r1: operands, results from RESULTS on */
#define RESULTS 0x4000u
#define BASE    0x40000000u /* r2: registers; r3: L1 */
#define CPU     0x40000u    /* from one CPU's code and data to the next's */
#define MOST    4096
#define SEM     3u

struct bench {
    struct machine m;
    struct alpha_window w;
    struct tile *t;
    unsigned n_code[MACHINE_CPUS], n_data[MACHINE_CPUS], n_results[MACHINE_CPUS];
    uint32_t went[MOST]; /* words that left T1's gate */
    unsigned n_went;
};

static inline void bench_event(void *context, const struct event *e)
{
    struct bench *b = context;
    if (e->kind == EV_GO && e->agent == OWNER_T1 && b->n_went < MOST)
        b->went[b->n_went++] = e->word;
}

static inline struct bench *bench_make(unsigned cpus)
{
    struct bench *b = calloc(1, sizeof *b);
    assert_non_null(b);
    b->t = calloc(1, sizeof *b->t);
    assert_non_null(b->t);
    tile_reset(b->t);
    b->t->coproc.probe.sink = bench_event;
    b->t->coproc.probe.ctx = b;
    b->t->coproc.probe.mask = 1u << EV_GO;
    assert_true(machine_init(&b->m, cpus, 0));
    for (unsigned i = 0; i < cpus; i++) {
        assert_true(alpha_mem_map(&b->m.mem, CODE + CPU * i, 0x10000, ALPHA_PROT_READ | 4));
        assert_true(alpha_mem_map(&b->m.mem, DATA + CPU * i, 0x8000, 3));
        b->m.cpu[i].cpu.pc = CODE + CPU * i;
        b->m.cpu[i].cpu.reg[1] = DATA + CPU * i;
        b->m.cpu[i].cpu.reg[2] = BASE;
        b->m.cpu[i].cpu.reg[3] = BASE + TENSIX_L1;
    }
    alpha_window_attach(&b->w, &b->m, b->t, BASE);
    return b;
}

static inline void bench_free(struct bench *b)
{
    machine_free(&b->m);
    free(b->t);
    free(b);
}

static inline void emit(struct bench *b, unsigned cpu, uint32_t word)
{
    uint64_t at = CODE + CPU * cpu + 4 * b->n_code[cpu]++;
    assert_true(alpha_mem_poke(&b->m.mem, at, &word, sizeof word));
}

/* A store of 4 or 8 bytes. */
static inline void emit_store(struct bench *b, unsigned cpu, uint32_t offset, unsigned size,
                              uint64_t value)
{
    unsigned k = 8 * b->n_data[cpu]++;
    bool l1 = offset >= TENSIX_L1;
    int at = (int)(l1 ? offset - TENSIX_L1 : offset);
    assert_true(k < RESULTS);
    assert_true(alpha_mem_poke(&b->m.mem, DATA + CPU * cpu + k, &value, sizeof value));
    emit(b, cpu, ax_ldq(4, (int)k, 1));
    emit(b, cpu, size == 8 ? ax_stq(4, at, l1 ? 3 : 2) : ax_stl(4, at, l1 ? 3 : 2));
}

/* A load, whose value bench_result() gives after the run. */
static inline unsigned emit_load(struct bench *b, unsigned cpu, uint32_t offset, unsigned size)
{
    unsigned n = b->n_results[cpu]++;
    bool l1 = offset >= TENSIX_L1;
    int at = (int)(l1 ? offset - TENSIX_L1 : offset);
    emit(b, cpu, size == 8 ? ax_ldq(5, at, l1 ? 3 : 2) : ax_ldl(5, at, l1 ? 3 : 2));
    emit(b, cpu, ax_stq(5, (int)(RESULTS + 8 * n), 1));
    return n;
}

static inline void emit_push(struct bench *b, unsigned cpu, unsigned thread, uint32_t word)
{
    emit_store(b, cpu, TENSIX_PUSH(thread), 4, word);
}

/* A loop that reads until something is not 0, or until it is 0. */
static inline void emit_poll(struct bench *b, unsigned cpu, uint32_t offset, bool until_zero)
{
    bool l1 = offset >= TENSIX_L1;
    emit(b, cpu, ax_ldl(5, (int)(l1 ? offset - TENSIX_L1 : offset), l1 ? 3 : 2));
    emit(b, cpu, until_zero ? ax_bne(5, -2) : ax_beq(5, -2));
}

static inline uint64_t bench_result(struct bench *b, unsigned cpu, unsigned n)
{
    uint64_t value = 0;
    assert_true(
        alpha_mem_peek(&b->m.mem, DATA + CPU * cpu + RESULTS + 8 * n, &value, sizeof value));
    return value;
}

/* All CPUs to their HALT, the tile to its end; as the public interface does it. */
static inline enum machine_end bench_run(struct bench *b)
{
    enum machine_end end;
    for (unsigned i = 0; i < b->m.n_cpus; i++)
        emit(b, i, AX_HALT);
    machine_start(&b->m);
    while ((end = machine_run(&b->m, 100000)) == MACHINE_TRAP)
        ;
    if (end == MACHINE_DONE)
        end = alpha_window_finish(&b->w, b->m.now + 100000) == TILE_END_HANG ? MACHINE_HANG : end;
    alpha_window_follow(&b->w, b->m.now);
    for (unsigned i = 0; i < b->m.n_cpus; i++) {
        struct pipe p = b->m.cpu[i]; /* the account as it would be */
        wait_ledger_settle(&p.ledger, b->m.now);
        assert_int_equal(wait_ledger_sum(&p.ledger), b->m.now);
    }
    return end;
}

#endif
