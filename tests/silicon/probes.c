/*
 * probes.c - the programs that were timed on silicon, on the emulated RISC-V cores.
 *
 *     probes [NAME]     runs every probe, or those of that name, and prints one line for each:
 *                       program,phase,probe,threads,thread,unroll,cycles per probe
 *                       retire,zone,cycles,instructions
 *
 * A probe is run by T1 alone, or by T0 and T1 at once. The program of a core, with the data cache
 * and the fusing of .ttinsn switched off:
 *
 *     four times, with N = 32, 64, 96, 128:
 *         barrier                  own word of L1 = how often it was here; wait for the others'
 *         read the wall clock
 *         N times { the probe, `unroll` times; count down; branch }
 *         read the wall clock, write the difference to L1
 *
 * Cycles per probe are the slope of the straight line with the least squares through the four
 * points, over `unroll`; the loop's own share is still in it, and in that of "loop_overhead", which
 * has nothing in its loop. Core B runs the zones of "retire" one after the other, between two reads
 * of mcycle and minstret each. What is compared with what: compare.py.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/rv32.h"
#include "waitgate.h"

/* ---- the tile: where things lie ---- */

#define SOFT_RESET 0xFFB121B0u
#define WALL_CLOCK 0xFFB121F0u
#define RESET_PC   0xFFB12228u /* of T0; T1 and T2 follow */
#define RESET_PCS  0xFFB12234u /* one bit for each of them: use it */
#define LOCAL      0xFFB00FA8u /* two words that a stack would have */
#define CODE       0x00008000u /* of T0; of core B: 0 */
#define CODE_STEP  0x00008000u
#define RESULTS    0x0017C000u /* of T0 or B; RESULTS_STEP bytes for each core */
#define BARRIER    0x0017D000u /* a word for each thread */
#define SCRATCH    0x0017D440u /* of T0 or B; SCRATCH_STEP bytes for each core, as on silicon */

#define RESULTS_STEP 0x400u
#define SCRATCH_STEP 0x800u

#define RESET_ALL   0x47800u
#define RESET_B     0x00800u
#define RESET_T(i)  (0x01000u << (i))
#define CSR_CFG0    0x7c0
#define CFG0_BITS   (1u << 3 | 1u << 18) /* no data cache, no fusing */
#define CSR_CYCLE   0xb00
#define CSR_INSTRET 0xb02

#define POINTS      4u
#define BASE_BLOCKS 32u
#define NODES       64u /* of the pointer chase in L1, 16 bytes apart */
#define DONE        0x600Du
#define DONE_WORD   (RESULTS_STEP - 4) /* among the results of a core */
#define MAX_CYCLES  20000000u
#define SLICE       16384u

/* ---- registers ---- */

enum {
    ZERO,
    TEMP = 5,
    RESULT = 8,
    WALL = 9,
    A0 = 10, /* what the probes work on */
    A1,
    A2,
    A3,
    K, /* 3 */
    DIVIDEND,
    DATA,  /* the scratch in L1 */
    CHASE, /* walks through it */
    BARRIERS,
    SEQUENCE,
    POINTS_LEFT,
    BLOCKS,
    COUNT,
    START,
    END,
    START_RETIRED,
    END_RETIRED,
    STACK, /* walks through LOCAL */
    TOGGLE,
    SINK,
    SMALL /* a small dividend */
};

/* ---- what a probe is ---- */

/* One instruction, so many times; a text is a Tensix instruction. */
struct item {
    unsigned times; /* 0: there are no more */
    enum rv_op op;
    struct rv32_args args;
    const char *text;
};

#define ITEMS 8u

struct probe {
    const char *program, *phase, *name;
    unsigned unroll, words_each;
    struct item items[ITEMS + 1];
};

struct zone {
    struct probe body;
    unsigned rounds, once, each;
};

static const struct probe probes[] = {
#define PROBE(program, phase, name, unroll, words, ...)                                            \
    {program, phase, name, unroll, words, {__VA_ARGS__}},
#include "probes.def"
};

static const struct zone zones[] = {
#define ZONE(name, rounds, unroll, words, once, each, ...)                                         \
    {{"retire", "", name, unroll, words, {__VA_ARGS__}}, rounds, once, each},
#include "probes.def"
};

#define N_PROBES (sizeof probes / sizeof *probes)
#define N_ZONES  (sizeof zones / sizeof *zones)

/* ---- writing programs ---- */

#define CODE_WORDS 4096u

struct code {
    unsigned n;
    uint32_t words[CODE_WORDS];
};

static void fail(const char *what, const char *name)
{
    fprintf(stderr, "probes: %s: %s\n", name, what);
    exit(EXIT_FAILURE);
}

static void put_word(struct code *c, uint32_t word)
{
    if (c->n == CODE_WORDS)
        fail("too long", "program");
    c->words[c->n++] = word;
}

#define PUT(c, id, ...) put_word(c, rv32_encode(RV_OP_##id, (struct rv32_args){__VA_ARGS__}))

static void put_li(struct code *c, unsigned rd, uint32_t value)
{
    PUT(c, LUI, .rd = (uint8_t)rd, .imm = (int32_t)((value + 0x800) & 0xfffff000));
    PUT(c,
        ADDI,
        .rd = (uint8_t)rd,
        .rs1 = (uint8_t)rd,
        .imm = (int32_t)((value & 0xfff) ^ 0x800) - 0x800);
}

/* Back to word `to` while the register is not 0, in the form a compiler would choose. */
static void put_back(struct code *c, unsigned rs, unsigned to)
{
    int32_t distance = ((int32_t)to - (int32_t)c->n) * 4;
    if (distance >= -4096) {
        PUT(c, BNE, .rs1 = (uint8_t)rs, .imm = distance);
    } else {
        PUT(c, BEQ, .rs1 = (uint8_t)rs, .imm = 8);
        PUT(c, JAL, .imm = distance - 4);
    }
}

static uint32_t item_word(const struct item *item)
{
    uint32_t word;
    if (!item->text)
        return rv32_encode(item->op, item->args);
    if (waitgate_assemble(item->text, strlen(item->text), &word, NULL) != WAITGATE_OK ||
        waitgate_ttinsn_encode(word, &word) != WAITGATE_OK)
        fail("cannot be assembled", item->text);
    return word;
}

static void put_body(struct code *c, const struct probe *p)
{
    uint32_t words[ITEMS * 16];
    unsigned n = 0;
    for (const struct item *item = p->items; item->times; item++)
        for (unsigned i = 0; i < item->times; i++)
            words[n++] = item_word(item);
    for (unsigned i = 0; i < p->unroll * p->words_each; i++)
        put_word(c, words[i % n]);
}

/* What all programs begin with; core: which results and scratch are its. */
static void put_prologue(struct code *c, unsigned core)
{
    put_li(c, TEMP, CFG0_BITS);
    PUT(c, CSRRS, .rs1 = TEMP, .csr = CSR_CFG0);
    put_li(c, RESULT, RESULTS + core * RESULTS_STEP);
    put_li(c, WALL, WALL_CLOCK);
    put_li(c, BARRIERS, BARRIER);
    put_li(c, DATA, SCRATCH + core * SCRATCH_STEP);
    put_li(c, CHASE, SCRATCH + core * SCRATCH_STEP);
    put_li(c, DIVIDEND, 0x12345678);
    put_li(c, SMALL, 0xfff);
    put_li(c, STACK, LOCAL);
    PUT(c, ADDI, .rd = TEMP, .rs1 = STACK, .imm = 4);
    PUT(c, SW, .rs1 = STACK, .rs2 = TEMP);
    PUT(c, SW, .rs1 = TEMP, .rs2 = STACK);
    PUT(c, ADDI, .rd = K, .imm = 3);
    for (unsigned i = 0; i < 4; i++)
        PUT(c, ADDI, .rd = (uint8_t)(A0 + i), .imm = (int32_t)i + 1);
    PUT(c, ADDI, .rd = TOGGLE);
}

static void put_epilogue(struct code *c, unsigned core)
{
    put_li(c, RESULT, RESULTS + core * RESULTS_STEP);
    put_li(c, TEMP, DONE);
    PUT(c, SW, .rs1 = RESULT, .rs2 = TEMP, .imm = DONE_WORD);
    PUT(c, FENCE, .imm = 0xff);
    PUT(c, JAL, .imm = 0);
}

static void put_barrier(struct code *c, unsigned thread, unsigned active)
{
    PUT(c, ADDI, .rd = SEQUENCE, .rs1 = SEQUENCE, .imm = 1);
    PUT(c, SW, .rs1 = BARRIERS, .rs2 = SEQUENCE, .imm = (int32_t)thread * 4);
    for (unsigned i = 0; active >> i; i++) {
        if (!(active >> i & 1))
            continue;
        PUT(c, LW, .rd = TEMP, .rs1 = BARRIERS, .imm = (int32_t)i * 4);
        PUT(c, BLTU, .rs1 = TEMP, .rs2 = SEQUENCE, .imm = -4);
    }
}

/* The program of one thread; active: one bit for each thread that runs. */
static void put_probe(struct code *c, const struct probe *p, unsigned thread, unsigned active)
{
    put_prologue(c, thread);
    PUT(c, ADDI, .rd = SEQUENCE);
    PUT(c, ADDI, .rd = BLOCKS);
    PUT(c, ADDI, .rd = POINTS_LEFT, .imm = POINTS);
    unsigned point = c->n;
    PUT(c, ADDI, .rd = BLOCKS, .rs1 = BLOCKS, .imm = BASE_BLOCKS);
    put_barrier(c, thread, active);
    PUT(c, ADDI, .rd = COUNT, .rs1 = BLOCKS);
    PUT(c, LW, .rd = START, .rs1 = WALL);
    unsigned loop = c->n;
    put_body(c, p);
    PUT(c, ADDI, .rd = COUNT, .rs1 = COUNT, .imm = -1);
    put_back(c, COUNT, loop);
    PUT(c, LW, .rd = END, .rs1 = WALL);
    PUT(c, SUB, .rd = END, .rs1 = END, .rs2 = START);
    PUT(c, SW, .rs1 = RESULT, .rs2 = END);
    PUT(c, ADDI, .rd = RESULT, .rs1 = RESULT, .imm = 4);
    PUT(c, ADDI, .rd = POINTS_LEFT, .rs1 = POINTS_LEFT, .imm = -1);
    put_back(c, POINTS_LEFT, point);
    put_epilogue(c, thread);
}

static void put_nops(struct code *c, unsigned n)
{
    for (; n; n--)
        PUT(c, ADDI, .rd = ZERO);
}

static void put_zone(struct code *c, const struct zone *z)
{
    PUT(c, ADDI, .rd = COUNT, .imm = (int32_t)z->rounds);
    PUT(c, CSRRS, .rd = START, .csr = CSR_CYCLE);
    PUT(c, CSRRS, .rd = START_RETIRED, .csr = CSR_INSTRET);
    put_nops(c, z->once);
    unsigned loop = c->n;
    put_body(c, &z->body);
    put_nops(c, z->each);
    PUT(c, ADDI, .rd = COUNT, .rs1 = COUNT, .imm = -1);
    put_back(c, COUNT, loop);
    PUT(c, CSRRS, .rd = END_RETIRED, .csr = CSR_INSTRET);
    PUT(c, CSRRS, .rd = END, .csr = CSR_CYCLE);
    PUT(c, SUB, .rd = END, .rs1 = END, .rs2 = START);
    PUT(c, SUB, .rd = END_RETIRED, .rs1 = END_RETIRED, .rs2 = START_RETIRED);
    PUT(c, SW, .rs1 = RESULT, .rs2 = END);
    PUT(c, SW, .rs1 = RESULT, .rs2 = END_RETIRED, .imm = 4);
    PUT(c, ADDI, .rd = RESULT, .rs1 = RESULT, .imm = 8);
}

/* ---- running them ---- */

static void poke(waitgate_tile *tile, uint32_t address, uint32_t word)
{
    if (waitgate_tile_write(tile, address, &word, 4) != WAITGATE_OK)
        fail("is not there", "an address");
}

static uint32_t peek(waitgate_tile *tile, uint32_t address)
{
    uint32_t word = 0;
    if (waitgate_tile_read(tile, address, &word, 4) != WAITGATE_OK)
        fail("is not there", "an address");
    return word;
}

/* Loads a program and the pointer chase of its core. */
static void load(waitgate_tile *tile, const struct code *c, uint32_t address, unsigned core)
{
    uint32_t chase = SCRATCH + core * SCRATCH_STEP;
    if (waitgate_tile_write(tile, address, c->words, c->n * 4) != WAITGATE_OK)
        fail("does not fit", "program");
    for (unsigned i = 0; i < NODES; i++)
        poke(tile, chase + 16 * i, chase + 16 * ((i + 1) % NODES));
}

static bool done(waitgate_tile *tile, unsigned cores)
{
    for (unsigned i = 0; cores >> i; i++)
        if (cores >> i & 1 && peek(tile, RESULTS + i * RESULTS_STEP + DONE_WORD) != DONE)
            return false;
    return true;
}

/* Takes cores out of reset and runs until each has said that it is done. */
static void run(waitgate_tile *tile, uint32_t reset_bits, unsigned cores, const char *name)
{
    poke(tile, SOFT_RESET, RESET_ALL & ~reset_bits);
    while (!done(tile, cores)) {
        enum waitgate_tile_end end = waitgate_tile_clock(tile, SLICE);
        if (waitgate_tile_cycle(tile) > MAX_CYCLES)
            fail("takes too long", name);
        if (end != WAITGATE_TILE_LIMIT && !done(tile, cores))
            fail("ended early", name);
    }
}

static waitgate_tile *tile_new(void)
{
    waitgate_tile *tile = NULL;
    if (waitgate_tile_create(&tile) != WAITGATE_OK)
        fail("no memory", "tile");
    return tile;
}

/* Cycles per loop round: slope of the line with the least squares. */
static double slope(waitgate_tile *tile, unsigned thread)
{
    uint32_t at = RESULTS + thread * RESULTS_STEP;
    double y[POINTS];
    for (unsigned i = 0; i < POINTS; i++)
        y[i] = peek(tile, at + 4 * i);
    return (3 * (y[3] - y[0]) + y[2] - y[1]) / (10 * BASE_BLOCKS);
}

static void measure(const struct probe *p, unsigned active)
{
    static struct code code;
    uint32_t reset_bits = 0;
    waitgate_tile *tile = tile_new();
    poke(tile, RESET_PCS, 7);
    for (unsigned i = 0; active >> i; i++) {
        if (!(active >> i & 1))
            continue;
        code.n = 0;
        put_probe(&code, p, i, active);
        load(tile, &code, CODE + i * CODE_STEP, i);
        poke(tile, RESET_PC + 4 * i, CODE + i * CODE_STEP);
        reset_bits |= RESET_T(i);
    }
    run(tile, reset_bits, active, p->name);
    for (unsigned i = 0; active >> i; i++)
        if (active >> i & 1)
            printf("%s,%s,%s,%u,%u,%u,%.3f\n",
                   p->program,
                   p->phase,
                   p->name,
                   active == 3 ? 2u : 1u,
                   i,
                   p->unroll,
                   slope(tile, i) / p->unroll);
    waitgate_tile_free(tile);
}

static void retire(const char *only)
{
    static struct code code;
    waitgate_tile *tile = tile_new();
    put_prologue(&code, 0);
    for (unsigned i = 0; i < N_ZONES; i++)
        put_zone(&code, &zones[i]);
    put_epilogue(&code, 0);
    load(tile, &code, 0, 0);
    run(tile, RESET_B, 1, "retire");
    for (unsigned i = 0; i < N_ZONES; i++)
        if (!only || !strcmp(only, zones[i].body.name))
            printf("retire,%s,%" PRIu32 ",%" PRIu32 "\n",
                   zones[i].body.name,
                   peek(tile, RESULTS + 8 * i),
                   peek(tile, RESULTS + 8 * i + 4));
    waitgate_tile_free(tile);
}

int main(int argc, char **argv)
{
    const char *only = argc > 1 ? argv[1] : NULL;
    for (unsigned i = 0; i < N_PROBES; i++) {
        if (only && strcmp(only, probes[i].name))
            continue;
        measure(&probes[i], 2); /* T1 */
        measure(&probes[i], 3); /* T0 and T1 */
    }
    retire(only);
    return ferror(stdout) || fclose(stdout) ? EXIT_FAILURE : EXIT_SUCCESS;
}
