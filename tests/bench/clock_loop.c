/*
 * clock_loop.c - runs the five cores of a tile with time; for callgrind.
 *
 *     clock_loop busy CYCLES      all five go round a loop of 24 instructions: arithmetic, a multiplication, a call, data
 *                                 RAM, branches
 *     clock_loop l1 CYCLES        the same with a load from L1, whose latency is hidden, and a store to L1 in each round
 *     clock_loop registers CYCLES the same with a loop of four register instructions
 *     clock_loop poll CYCLES      all five poll a word of L1 that nobody writes
 *     ... report                  also count which instructions wait, and write the report
 *     ... no-skip                 walk through the polls
 *
 * tests/bench/run runs it at two lengths and prints host instructions per core and cycle.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/rv32.h"
#include "waitgate.h"

enum { N_CORES = 5, DATA = 0x20000 };

static const uint32_t start[N_CORES] = {0, 0x6000, 0xA000, 0xE000, 0x12000};

struct program {
    uint32_t word[64];
    unsigned n;
};

static void put(struct program *p, enum rv_op op, struct rv32_args a)
{
    p->word[p->n++] = rv32_encode(op, a);
}

#define PUT(p, op, ...) put(p, RV_OP_##op, (struct rv32_args){__VA_ARGS__})

/* x5 the core's words in L1, x6 its data RAM, x10 counts. */
static void prologue(struct program *p, unsigned core)
{
    PUT(p, LUI, .rd = 5, .imm = DATA);
    PUT(p, ADDI, .rd = 5, .rs1 = 5, .imm = (int32_t)(64 * core));
    PUT(p, LUI, .rd = 6, .imm = (int32_t)0xFFB00000);
    PUT(p, ADDI, .rd = 10, .rs1 = 0, .imm = 0);
}

/* base: the register through which it loads and stores once a round, x5 for L1, x6 for data RAM */
static void busy(struct program *p, uint8_t base)
{
    int32_t top = (int32_t)(4 * p->n);
    PUT(p, LW, .rd = 11, .rs1 = base, .imm = 0); /* used nine instructions later */
    PUT(p, ADDI, .rd = 10, .rs1 = 10, .imm = 1);
    PUT(p, SLLI, .rd = 12, .rs1 = 10, .imm = 2);
    PUT(p, XOR, .rd = 13, .rs1 = 12, .rs2 = 10);
    PUT(p, MUL, .rd = 14, .rs1 = 13, .rs2 = 10);
    PUT(p, SW, .rs1 = 6, .rs2 = 13, .imm = 16);
    PUT(p, LW, .rd = 15, .rs1 = 6, .imm = 32);
    PUT(p, ANDI, .rd = 16, .rs1 = 10, .imm = 255);
    PUT(p, ADD, .rd = 17, .rs1 = 14, .rs2 = 15);
    PUT(p, ADD, .rd = 18, .rs1 = 11, .rs2 = 17);
    PUT(p, JAL, .rd = 1, .imm = 12 * 4);
    PUT(p, SUB, .rd = 19, .rs1 = 18, .rs2 = 10);
    PUT(p, OR, .rd = 20, .rs1 = 19, .rs2 = 16);
    PUT(p, LW, .rd = 21, .rs1 = 6, .imm = 16);
    PUT(p, SRLI, .rd = 22, .rs1 = 20, .imm = 3);
    PUT(p, ADD, .rd = 23, .rs1 = 22, .rs2 = 12);
    PUT(p, SW, .rs1 = base, .rs2 = 23, .imm = 4);
    PUT(p, SLTU, .rd = 24, .rs1 = 23, .rs2 = 21);
    PUT(p, ADD, .rd = 25, .rs1 = 24, .rs2 = 25);
    PUT(p, XORI, .rd = 26, .rs1 = 25, .imm = 85);
    PUT(p, ADDI, .rd = 27, .rs1 = 26, .imm = -1);
    PUT(p, BNE, .rs1 = 10, .rs2 = 0, .imm = top - (int32_t)(4 * p->n));
    PUT(p, ADDI, .rd = 28, .rs1 = 18, .imm = 7); /* the function */
    PUT(p, JALR, .rd = 0, .rs1 = 1, .imm = 0);
}

static void registers(struct program *p)
{
    PUT(p, ADDI, .rd = 10, .rs1 = 10, .imm = 1);
    PUT(p, ADD, .rd = 11, .rs1 = 11, .rs2 = 10);
    PUT(p, XOR, .rd = 12, .rs1 = 12, .rs2 = 11);
    PUT(p, BNE, .rs1 = 10, .rs2 = 0, .imm = -12);
}

static void poll(struct program *p)
{
    PUT(p, FENCE, .imm = 0);
    PUT(p, LW, .rd = 11, .rs1 = 5, .imm = 0);
    PUT(p, BEQ, .rs1 = 11, .rs2 = 0, .imm = -8);
}

static void to_stdout(void *context, const char *text, size_t length)
{
    (void)context;
    fwrite(text, 1, length, stdout);
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fprintf(stderr, "usage: clock_loop busy|l1|registers|poll CYCLES [report|no-skip]\n");
        return 2;
    }
    waitgate_tile *tile;
    bool report = argc > 3 && !strcmp(argv[3], "report");
    uint32_t released = 0x47800 & ~0x47800u;
    if (waitgate_tile_create(&tile) != WAITGATE_OK)
        return EXIT_FAILURE;
    waitgate_tile_clock(tile, 0);
    waitgate_tile_profile(tile, report);
    waitgate_tile_no_skip(tile, argc > 3 && !strcmp(argv[3], "no-skip"));
    for (unsigned i = 0; i < N_CORES; i++) {
        struct program p = {.n = 0};
        prologue(&p, i);
        if (!strcmp(argv[1], "busy") || !strcmp(argv[1], "l1"))
            busy(&p, argv[1][0] == 'b' ? 6 : 5);
        else if (!strcmp(argv[1], "poll"))
            poll(&p);
        else
            registers(&p);
        waitgate_tile_write(tile, start[i], p.word, 4 * p.n);
    }
    waitgate_tile_write(tile, 0xFFB121B0, &released, 4);
    enum waitgate_tile_end end = waitgate_tile_clock(tile, strtoull(argv[2], NULL, 10));
    printf("%d after %" PRIu64 " cycles\n", (int)end, waitgate_tile_cycle(tile));
    if (report)
        waitgate_tile_report(tile, to_stdout, NULL);
    waitgate_tile_free(tile);
    return EXIT_SUCCESS;
}
