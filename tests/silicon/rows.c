/*
 * rows.c - more programs that were timed on silicon, on the emulated tile: rows.def as text, run on five cores.
 *
 *     rows [-s NAME=VALUE]... [ID]...    runs the rows of these names, or all; prints for each: id,cycles
 *
 * A row is a program for each core that takes part. A statement of a program, up to a semicolon:
 *
 *     add a0, a1, a2      an instruction of the core; loads and stores as lw a0, 4(a1); jumps to the next one as jal zero
 *     ttnop               a Tensix instruction, as .ttinsn
 *     li a0, NUMBER       a constant; instead of a number a Tensix instruction: the word
 *     st ADDRESS, NUMBER  its store: two constants, sw
 *     ld a0, ADDRESS      a constant, lw
 *     clock               reads the wall clock and keeps it in L1; the second one ends with a fence
 *     mark                reads the wall clock; behind the second one both are kept
 *     clocks              the same, with the high word before and behind, as the programs of June 2026 did
 *     loop N, end         N rounds: branch at the head, jump at the end
 *     turn N, back        N rounds: branch at the end
 *     meet M              waits for the other cores of mask M, by words of L1
 *     N*STATEMENT         N times
 *     N[ ... ]            the statements N times, one after the other
 *
 * A number can be $, that of the run. The first clock of a core is subtracted from the second. How cycles come of
 * that stands in rows.def; what is compared with what: rows.py.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/rv32.h"
#include "waitgate.h"

#define SOFT_RESET 0xFFB121B0u
#define WALL_CLOCK 0xFFB121F0u
#define RESET_PC   0xFFB12228u /* of T0, T1, T2; RESET_PCS: use it; then the same of NC */
#define RESET_PCS  0xFFB12234u
#define RESET_PC_N 0xFFB12238u
#define RESET_N    0xFFB1223Cu
#define CODE_STEP  0x00010000u
#define CODE(core) ((core)*CODE_STEP)
#define RESULT     0x0017F000u /* 16 bytes for each core: two clocks, done */
#define MEETING    0x0017F100u
#define DONE       0x600Du
#define RESET_ALL  0x47800u
#define MAX_CYCLES 20000000u
#define SLICE      4096u

enum { B, NC, T0, T1, T2, CORES };
static const uint32_t reset_bit[CORES] = {0x800, 0x40000, 0x1000, 0x2000, 0x4000};

/* How cycles come of the clocks. */
enum how {
    TOTAL, /* of a run with the number n, over per */
    SLOPE, /* of two runs with n and 2 n: the difference over n and per */
};

struct row {
    const char *id;
    enum how how;
    unsigned n;
    double per;
    unsigned core;    /* whose clocks */
    uint32_t cfg0;    /* of all cores */
    const char *less; /* this row's cycles are taken off; NULL: none */
    const char *program[CORES];
};

static const struct row rows[] = {
#define ROW(id, how, n, per, core, cfg0, less, ...)                                                \
    {id, how, n, per, core, cfg0, less, {__VA_ARGS__}},
#include "rows.def"
};

#define N_ROWS (sizeof rows / sizeof *rows)

/* ---- writing programs ---- */

#define CODE_WORDS (CODE_STEP / 4)
#define DEPTH      8u

struct code {
    unsigned n, number, core, clocks, meetings;
    unsigned depth, from[DEPTH];
    const char *id;
    uint32_t words[CODE_WORDS];
};

static void fail(const char *what, const char *name)
{
    fprintf(stderr, "rows: %s: %s\n", name, what);
    exit(EXIT_FAILURE);
}

static void put(struct code *c, uint32_t word)
{
    if (c->n == CODE_WORDS)
        fail("too long", c->id);
    c->words[c->n++] = word;
}

#define PUT(c, id, ...) put(c, rv32_encode(RV_OP_##id, (struct rv32_args){__VA_ARGS__}))

enum { ZERO, TP = 5, TV, TEMP, S0, S1, K0 = 26 };
/* TP, TV, TEMP: of the statements; S0, S1: rounds, of S1 and the two behind by depth; x26 to x31: clocks */

static void put_li(struct code *c, unsigned rd, uint32_t value)
{
    int32_t low = (int32_t)((value & 0xfff) ^ 0x800) - 0x800;
    uint32_t high = value - (uint32_t)low;
    if (high)
        PUT(c, LUI, .rd = (uint8_t)rd, .imm = (int32_t)high);
    if (low || !high)
        PUT(c, ADDI, .rd = (uint8_t)rd, .rs1 = high ? (uint8_t)rd : ZERO, .imm = low);
}

/* What lui gives for an address that a load or store completes with `low`. */
static int32_t put_page(struct code *c, unsigned rd, uint32_t address)
{
    int32_t low = (int32_t)((address & 0xfff) ^ 0x800) - 0x800;
    PUT(c, LUI, .rd = (uint8_t)rd, .imm = (int32_t)(address - (uint32_t)low));
    return low;
}

/* ---- reading statements ---- */

struct reader {
    const char *at;
    struct code *c;
};

static void wrong(const struct reader *r, const char *what)
{
    fprintf(stderr, "rows: %s: %s before: %.40s\n", r->c->id, what, r->at);
    exit(EXIT_FAILURE);
}

static void blanks(struct reader *r)
{
    while (*r->at == ' ' || *r->at == ',')
        r->at++;
}

static unsigned reg(struct reader *r)
{
    static const char *const names[32] = {"zero", "ra", "sp",  "gp",  "tp", "t0", "t1", "t2",
                                          "s0",   "s1", "a0",  "a1",  "a2", "a3", "a4", "a5",
                                          "a6",   "a7", "s2",  "s3",  "s4", "s5", "s6", "s7",
                                          "s8",   "s9", "s10", "s11", "t3", "t4", "t5", "t6"};
    blanks(r);
    size_t n = strcspn(r->at, " ,;)]");
    for (unsigned i = 0; i < 32; i++)
        if (strlen(names[i]) == n && !strncmp(names[i], r->at, n)) {
            r->at += n;
            return i;
        }
    wrong(r, "no register");
    return 0;
}

/* A Tensix word: up to the end of the statement. */
static uint32_t tensix(struct reader *r)
{
    size_t n = strcspn(r->at, ";]");
    uint32_t word;
    if (waitgate_assemble(r->at, n, &word, NULL) != WAITGATE_OK)
        wrong(r, "cannot be assembled");
    r->at += n;
    return word;
}

static uint32_t number(struct reader *r)
{
    char *end;
    blanks(r);
    if (*r->at == '$') {
        r->at++;
        return r->c->number;
    }
    if (!strncmp(r->at, "tt", 2))
        return tensix(r);
    uint32_t value = (uint32_t)strtoll(r->at, &end, 0);
    if (end == r->at)
        wrong(r, "no number");
    r->at = end;
    blanks(r);
    if (*r->at != '+')
        return value;
    r->at++;
    return value + number(r);
}

/* off(base) */
static uint8_t based(struct reader *r, int32_t *offset)
{
    *offset = (int32_t)number(r);
    if (*r->at++ != '(')
        wrong(r, "no base");
    uint8_t base = (uint8_t)reg(r);
    r->at++;
    return base;
}

/* An instruction of the core: the operands that its format has. */
static void instruction(struct reader *r, const char *name, size_t n)
{
    for (unsigned op = 0; op < RV_N_ROWS; op++) {
        const struct rv32_insn *x = &rv32_table[op];
        struct rv32_args a = {0};
        if (strlen(x->name) != n || strncmp(x->name, name, n))
            continue;
        switch (x->format) {
        case RV_FMT_R:
            a.rd = (uint8_t)reg(r), a.rs1 = (uint8_t)reg(r), a.rs2 = (uint8_t)reg(r);
            break;
        case RV_FMT_R1: a.rd = (uint8_t)reg(r), a.rs1 = (uint8_t)reg(r); break;
        case RV_FMT_I:
        case RV_FMT_SHIFT:
            a.rd = (uint8_t)reg(r), a.rs1 = (uint8_t)reg(r), a.imm = (int32_t)number(r);
            break;
        case RV_FMT_U: a.rd = (uint8_t)reg(r), a.imm = (int32_t)number(r); break;
        case RV_FMT_B:
            a.rs1 = (uint8_t)reg(r), a.rs2 = (uint8_t)reg(r), a.imm = (int32_t)number(r);
            break;
        case RV_FMT_J: a.rd = (uint8_t)reg(r), a.imm = 4; break;
        case RV_FMT_JALR: a.rd = (uint8_t)reg(r), a.rs1 = based(r, &a.imm); break;
        case RV_FMT_LOAD: a.rd = (uint8_t)reg(r), a.rs1 = based(r, &a.imm); break;
        case RV_FMT_STORE: a.rs2 = (uint8_t)reg(r), a.rs1 = based(r, &a.imm); break;
        case RV_FMT_FENCE: a.imm = 0xff; break;
        case RV_FMT_CSR:
            a.rd = (uint8_t)reg(r), a.csr = (uint16_t)number(r), a.rs1 = (uint8_t)reg(r);
            break;
        default: wrong(r, "a format that nobody needed yet");
        }
        put(r->c, rv32_encode((enum rv_op)op, a));
        return;
    }
    wrong(r, "no instruction");
}

static void put_ttinsn(struct reader *r)
{
    uint32_t word;
    if (waitgate_ttinsn_encode(tensix(r), &word) != WAITGATE_OK)
        wrong(r, "no .ttinsn");
    put(r->c, word);
}

static void put_store(struct code *c, uint32_t address, unsigned from)
{
    int32_t low = put_page(c, TP, address);
    PUT(c, SW, .rs1 = TP, .rs2 = (uint8_t)from, .imm = low);
}

static void put_clock(struct code *c)
{
    put_li(c, K0, WALL_CLOCK);
    PUT(c, LW, .rd = K0 + 1, .rs1 = K0);
    put_li(c, K0, RESULT + 16 * c->core + 4 * c->clocks);
    PUT(c, SW, .rs1 = K0, .rs2 = K0 + 1);
    if (c->clocks++)
        PUT(c, FENCE, .imm = 0xff);
}

static void put_mark(struct code *c)
{
    put_li(c, K0, WALL_CLOCK);
    PUT(c, LW, .rd = (uint8_t)(K0 + 2 + c->clocks), .rs1 = K0);
    if (c->clocks++)
        for (unsigned i = 0; i < 2; i++)
            put_store(c, RESULT + 16 * c->core + 4 * i, K0 + 2 + i);
}

/* High word, low word, high word; again if the high one has changed. */
static void put_clocks(struct code *c)
{
    put_li(c, K0, WALL_CLOCK + 8);
    PUT(c, LW, .rd = K0 + 1, .rs1 = K0);
    PUT(c, LW, .rd = (uint8_t)(K0 + 2 + c->clocks), .rs1 = K0, .imm = -8);
    PUT(c, LW, .rd = K0 + 5, .rs1 = K0);
    PUT(c, BNE, .rs1 = K0 + 1, .rs2 = K0 + 5, .imm = -12);
    if (c->clocks++)
        for (unsigned i = 0; i < 2; i++)
            put_store(c, RESULT + 16 * c->core + 4 * i, K0 + 2 + i);
}

static void put_jump(struct code *c, unsigned from, unsigned to)
{
    int32_t distance = ((int32_t)to - (int32_t)from) * 4;
    c->words[from] = rv32_encode(RV_OP_JAL, (struct rv32_args){.imm = distance});
}

static void put_head(struct code *c, uint32_t rounds)
{
    put_li(c, S0, rounds);
    c->from[c->depth++] = c->n;
    put(c, 0); /* the branch comes when its end is known */
}

static void put_end(struct code *c)
{
    unsigned head = c->from[--c->depth];
    PUT(c, ADDI, .rd = S0, .rs1 = S0, .imm = -1);
    put_jump(c, c->n, head);
    c->n++;
    int32_t over = (int32_t)(c->n - head) * 4;
    if (over < 4096) {
        c->words[head] = rv32_encode(RV_OP_BEQ, (struct rv32_args){.rs1 = S0, .imm = over});
        return;
    }
    fail("a loop is too long for its branch", c->id);
}

/* The register that counts the rounds of a turn: s1, or gp, tp inside another one. */
static unsigned turning(const struct code *c)
{
    return c->depth ? 2 + c->depth : S1;
}

static void put_back(struct code *c)
{
    unsigned head = c->from[--c->depth], rd = turning(c);
    PUT(c, ADDI, .rd = (uint8_t)rd, .rs1 = (uint8_t)rd, .imm = -1);
    int32_t distance = ((int32_t)head - (int32_t)c->n) * 4;
    if (distance >= -4096) {
        PUT(c, BNE, .rs1 = (uint8_t)rd, .imm = distance);
    } else {
        PUT(c, BEQ, .rs1 = (uint8_t)rd, .imm = 8);
        c->n++;
        put_jump(c, c->n - 1, head);
    }
}

static void put_meet(struct code *c, unsigned mask)
{
    PUT(c, ADDI, .rd = TEMP, .imm = (int32_t)++c->meetings);
    put_store(c, MEETING + 64 * c->core, TEMP);
    for (unsigned i = 0; mask >> i; i++) {
        if (!(mask >> i & 1))
            continue;
        int32_t low = put_page(c, TP, MEETING + 64 * i);
        PUT(c, LW, .rd = TV, .rs1 = TP, .imm = low);
        PUT(c, BLT, .rs1 = TV, .rs2 = TEMP, .imm = -4);
    }
}

static void statements(struct reader *r);

/* N*STATEMENT, N[ ... ] */
static bool repeated(struct reader *r, void one(struct reader *))
{
    const char *from = r->at;
    size_t n = strspn(r->at, "0123456789$");
    if (!n || (from[n] != '*' && from[n] != '['))
        return false;
    bool many = from[n] == '[';
    unsigned times = number(r);
    const char *body = ++r->at;
    for (unsigned i = 0; i < times; i++) {
        r->at = body;
        if (many)
            statements(r);
        else
            one(r);
    }
    r->at += many; /* the bracket */
    return true;
}

static void statement(struct reader *r)
{
    struct code *c = r->c;
    blanks(r);
    if (repeated(r, statement))
        return;
    if (!strncmp(r->at, "tt", 2)) {
        put_ttinsn(r);
        return;
    }
    const char *name = r->at;
    size_t n = strcspn(name, " ;]");
    r->at += n;
#define IS(text) (n == sizeof text - 1 && !strncmp(name, text, n))
    if (IS("li")) {
        unsigned rd = reg(r);
        put_li(c, rd, number(r));
    } else if (IS("st")) {
        uint32_t address = number(r), value = number(r);
        if (value)
            put_li(c, TV, value);
        put_store(c, address, value ? TV : ZERO);
    } else if (IS("ld")) {
        unsigned rd = reg(r);
        int32_t low = put_page(c, TP, number(r));
        PUT(c, LW, .rd = (uint8_t)rd, .rs1 = TP, .imm = low);
    } else if (IS("clock")) {
        put_clock(c);
    } else if (IS("mark")) {
        put_mark(c);
    } else if (IS("clocks")) {
        put_clocks(c);
    } else if (IS("loop")) {
        put_head(c, number(r));
    } else if (IS("end")) {
        put_end(c);
    } else if (IS("turn")) {
        put_li(c, turning(c), number(r));
        c->from[c->depth++] = c->n;
    } else if (IS("back")) {
        put_back(c);
    } else if (IS("meet")) {
        put_meet(c, number(r));
    } else {
        instruction(r, name, n);
    }
#undef IS
}

static void statements(struct reader *r)
{
    for (;; r->at++) {
        while (*r->at == ' ' || *r->at == ';')
            r->at++;
        if (!*r->at || *r->at == ']')
            return;
        statement(r);
        blanks(r);
        if (!*r->at || *r->at == ']')
            return;
        if (*r->at != ';')
            wrong(r, "no semicolon");
    }
}

static void assemble(struct code *c, const struct row *row, unsigned core, unsigned n)
{
    struct reader r = {.at = row->program[core], .c = c};
    c->n = c->clocks = c->meetings = c->depth = 0;
    c->number = n;
    c->core = core;
    c->id = row->id;
    put_li(c, TP, row->cfg0);
    PUT(c, CSRRS, .rs1 = TP, .csr = 0x7c0);
    statements(&r);
    put_li(c, TV, DONE);
    put_store(c, RESULT + 16 * core + 8, TV);
    PUT(c, FENCE, .imm = 0xff);
    PUT(c, JAL, .imm = 0);
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

static bool done(waitgate_tile *tile, const struct row *row)
{
    for (unsigned i = 0; i < CORES; i++)
        if (row->program[i] && peek(tile, RESULT + 16 * i + 8) != DONE)
            return false;
    return true;
}

static struct waitgate_setting settings[64];
static unsigned n_settings;

static void set(char *text)
{
    char *value = strchr(text, '=');
    if (!value || n_settings == sizeof settings / sizeof *settings)
        fail("is no setting", text);
    *value = 0;
    settings[n_settings++] = (struct waitgate_setting){
        .name = text, .value = (uint32_t)strtoul(value + 1, NULL, 0), .forced = 1};
}

static unsigned run(const struct row *row, unsigned n)
{
    static struct code code;
    waitgate_tile *tile = NULL;
    uint32_t bits = 0;
    if (waitgate_tile_create(&tile) != WAITGATE_OK)
        fail("no memory", row->id);
    for (unsigned i = 0; i < n_settings; i++)
        if (waitgate_tile_timing(tile, &settings[i], NULL) != WAITGATE_OK)
            fail("cannot be", settings[i].name);
    if (getenv("ROWS_NO_SKIP"))
        waitgate_tile_no_skip(tile, 1);
    poke(tile, RESET_PCS, 7);
    poke(tile, RESET_N, 1);
    for (unsigned i = 0; i < CORES; i++) {
        if (!row->program[i])
            continue;
        assemble(&code, row, i, n);
        if (waitgate_tile_write(tile, CODE(i), code.words, code.n * 4) != WAITGATE_OK)
            fail("does not fit", row->id);
        if (i == NC)
            poke(tile, RESET_PC_N, CODE(i));
        else if (i >= T0)
            poke(tile, RESET_PC + 4 * (i - T0), CODE(i));
        bits |= reset_bit[i];
    }
    poke(tile, SOFT_RESET, RESET_ALL & ~bits);
    while (!done(tile, row)) {
        enum waitgate_tile_end end = waitgate_tile_clock(tile, SLICE);
        if (waitgate_tile_cycle(tile) > MAX_CYCLES)
            fail("takes too long", row->id);
        if (end != WAITGATE_TILE_LIMIT && !done(tile, row))
            fail("ended early", row->id);
    }
    uint32_t at = RESULT + 16 * row->core;
    unsigned cycles = peek(tile, at + 4) - peek(tile, at);
    waitgate_tile_free(tile);
    return cycles;
}

static double measure(const struct row *row)
{
    double less = 0;
    for (unsigned i = 0; row->less && i < N_ROWS; i++)
        if (!strcmp(rows[i].id, row->less))
            less = measure(&rows[i]);
    if (row->how == TOTAL)
        return run(row, row->n) / row->per - less;
    return ((double)run(row, 2 * row->n) - run(row, row->n)) / row->n / row->per - less;
}

int main(int argc, char **argv)
{
    int first = 1;
    for (; first + 1 < argc && !strcmp(argv[first], "-s"); first += 2)
        set(argv[first + 1]);
    for (unsigned i = 0; i < N_ROWS; i++) {
        bool wanted = first == argc;
        for (int k = first; k < argc; k++)
            wanted |= !strcmp(argv[k], rows[i].id);
        if (wanted)
            printf("%s,%.3f\n", rows[i].id, measure(&rows[i]));
    }
    return ferror(stdout) || fclose(stdout) ? EXIT_FAILURE : EXIT_SUCCESS;
}
