/*
 * Every operation that computes, with its qualifiers, against answers of qemu-alpha (data/qemu.vec):
 * the result, FPCR afterwards, and whether it traps. By way of alpha_exec_compute() and of the loop.
 */
#include "test.h"

#include <stdio.h>

#include "alpha/alpha_exec.h"
#include "alpha/drive.h"
#include "alpha/vec.h"

static const char path[] = WG_SOURCE_DIR "/tests/alpha/data/qemu.vec";

static unsigned signal_of(unsigned trap)
{
    return trap == ALPHA_TRAP_ARITH ? 8 : trap == ALPHA_TRAP_ILLEGAL ? 4 : trap;
}

static void check(const struct vec *v, const char *how, unsigned trap, const uint64_t *reg,
                  uint64_t fpcr)
{
    bool same = signal_of(trap) == v->signal && fpcr == v->fpcr_after &&
                (trap || (reg[3] == v->integer && reg[35] == v->floating));
    char text[64];
    if (same)
        return;
    alpha_dis_text((uint32_t)v->word, 0, text, sizeof text);
    print_error("%s: %s a %llx b %llx c %llx fpcr %llx\n",
                how,
                text,
                (unsigned long long)v->a,
                (unsigned long long)v->b,
                (unsigned long long)v->c,
                (unsigned long long)v->fpcr);
    print_error("  here %llx %llx fpcr %llx trap %u\n",
                (unsigned long long)reg[3],
                (unsigned long long)reg[35],
                (unsigned long long)fpcr,
                trap);
    print_error("  qemu %llx %llx fpcr %llx signal %u\n",
                (unsigned long long)v->integer,
                (unsigned long long)v->floating,
                (unsigned long long)v->fpcr_after,
                (unsigned)v->signal);
    fail();
}

static void registers_of(const struct vec *v, uint64_t *reg)
{
    memset(reg, 0, ALPHA_N_REGS * sizeof *reg);
    reg[1] = reg[33] = v->a;
    reg[2] = reg[34] = v->b;
    reg[3] = reg[35] = v->c;
}

static void by_pieces(const struct vec *v)
{
    uint64_t reg[ALPHA_N_REGS];
    struct alpha_insn i = alpha_decode((uint32_t)v->word);
    struct alpha_in in = {.pc = CODE, .fpcr = v->fpcr};
    struct alpha_out out = {.fpcr = v->fpcr};
    registers_of(v, reg);
    alpha_exec_compute(&i, reg[i.a], alpha_exec_operand_b(&i, reg), reg[i.c], &in, &out);
    if (!out.trap)
        reg[i.d] = out.value;
    check(v, "pieces", out.trap, reg, out.fpcr);
}

static void by_loop(const struct vec *v, struct machine *m, runner *run)
{
    uint32_t word = (uint32_t)v->word;
    put_words(m, CODE, &word, 1);
    alpha_cpu_reset(&m->cpu, CODE);
    registers_of(v, m->cpu.reg);
    m->cpu.fpcr = v->fpcr;
    run(&m->cpu, &m->mem, 1);
    check(v, "loop", m->cpu.trap.trap, m->cpu.reg, m->cpu.fpcr);
}

static void vectors(void **state)
{
    static struct machine m;
    struct vec v;
    unsigned n = 0, trapped = 0;
    FILE *f = fopen(path, "rb");
    (void)state;
    assert_non_null(f);
    machine_open(&m);
    while (fread(&v, sizeof v, 1, f) == 1) {
        by_pieces(&v);
        by_loop(&v, &m, alpha_run);
        by_loop(&v, &m, alpha_run_plain);
        n++;
        trapped += v.signal != 0;
    }
    fclose(f);
    machine_close(&m);
    assert_true(n > 20000 && trapped > 200);
}

TEST_MAIN(cmocka_unit_test(vectors))
