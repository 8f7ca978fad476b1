/*
 * rv_loop.c - runs a loop of register instructions on the RISC-V core; for callgrind.
 *
 *     rv_loop STEPS [plain]     executes STEPS instructions, prints what it did
 *
 * tests/bench/run runs it at two lengths and prints host instructions per instruction.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/rvcore.h"
#include "isa/rv32.h"

static uint8_t l1[4096], local[4096];
static struct rvcode code;
static struct rvcore core;

static void put(uint32_t at, enum rv_op op, struct rv32_args a)
{
    uint32_t w = rv32_encode(op, a);
    for (unsigned i = 0; i < 4; i++)
        l1[at + i] = (uint8_t)(w >> 8 * i);
}

int main(int argc, char **argv)
{
    uint32_t steps = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 1000000;
    bool plain = argc > 2 && !strcmp(argv[2], "plain");
    struct rvmem m = {l1, sizeof l1, local, sizeof local, &code, NULL, NULL, NULL, 0};

    put(0, RV_OP_ADDI, (struct rv32_args){.rd = 5, .rs1 = 5, .imm = 1});
    put(4, RV_OP_ADD, (struct rv32_args){.rd = 6, .rs1 = 6, .rs2 = 5});
    put(8, RV_OP_XOR, (struct rv32_args){.rd = 7, .rs1 = 7, .rs2 = 6});
    put(12, RV_OP_BNE, (struct rv32_args){.rs1 = 5, .rs2 = 0, .imm = -12});
    rvcode_flush(&code);
    rvcore_reset(&core, RV_B, 0);
    uint32_t done = plain ? rvcore_run_plain(&core, &m, steps) : rvcore_run(&core, &m, steps);
    printf("%u steps, x5 %u x6 %u x7 %u\n",
           (unsigned)done,
           (unsigned)core.x[5],
           (unsigned)core.x[6],
           (unsigned)core.x[7]);
    return done == steps ? EXIT_SUCCESS : EXIT_FAILURE;
}
