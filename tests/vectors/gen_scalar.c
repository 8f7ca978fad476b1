/*
 * gen_scalar.c - see gen.h: what the library that the vectors come from carries out of Scalar and Config Unit.
 *
 * A GPR is looked at by way of the Vector Unit: it becomes PRNG_SEED, and the lanes' first random numbers, which tell all 32
 * bits of it, go to Dst. Configuration is looked at by RDCFG. Both are waited for, so nothing depends on cycles.
 *
 * Left out: loads, stores and atomics, which the library refuses; STOREREG and mutexes, which leave nothing in L1.
 */
#include "vectors/gen.h"

#include <string.h>

#define SHOWN     2u /* registers per case */
#define OUT_ROW   16u
#define SEED_WORD 186u

static void nops(struct gen *g)
{
    for (unsigned i = 0; i < 5; i++)
        gen_push(g, 0x02000000u);
}

static uint32_t any(struct gen *g)
{
    uint32_t x = gen_below(g, UINT32_MAX);
    switch (gen_below(g, 6)) {
    case 0: return x & 0xFFFF;
    case 1: return x | 0xFFFF0000u;
    case 2: return 0u - (x & 3);
    default: return x;
    }
}

static void set(struct gen *g, unsigned reg, uint32_t value)
{
    gen_push(g, 0x45000000u | (value & 0xFFFF) << 8 | 2 * reg);
    gen_push(g, 0x45000000u | (value >> 16) << 8 | (2 * reg + 1));
}

static void show(struct gen *g, unsigned reg, unsigned slot)
{
    gen_push(g, W_STALLWAIT(0x1FF, 1));
    gen_push(g, 0xB0000000u | reg << 16 | SEED_WORD);
    nops(g);
    gen_push(g, 0x7C000908u | slot << 4); /* SFPMOV: the lanes' random numbers */
}

/* Words of Config of which all bits exist and that nothing here uses. */
static unsigned place(struct gen *g)
{
    return GEN_PICK(g, 69, 76, 77, 84, 124, 125);
}

/* It is not what was written before. */
static void changed(struct gen *g, unsigned word)
{
    g->have[word] = ~g->want[word];
}

static void read_back(struct gen *g, unsigned word, unsigned reg)
{
    nops(g);
    gen_push(g, 0xB1000000u | reg << 16 | word);
    nops(g);
    changed(g, word);
}

static void arithmetic(struct gen *g, unsigned op, unsigned slot)
{
    unsigned a = gen_below(g, 64), b = gen_below(g, 64), d = gen_below(g, 64);
    set(g, a, any(g));
    if (b != a)
        set(g, b, any(g));
    gen_push(g, (uint32_t)op << 24 | d << 12 | b << 6 | a);
    show(g, d, slot);
}

static void halves(struct gen *g, unsigned slot)
{
    unsigned reg = gen_below(g, 64);
    set(g, reg, any(g));
    for (unsigned n = 1 + gen_below(g, 3); n; n--)
        gen_push(g, 0x45000000u | gen_below(g, 65536) << 8 | (2 * reg + gen_below(g, 2)));
    show(g, reg, slot);
}

static void wrcfg(struct gen *g, unsigned slot)
{
    bool quad = gen_percent(g, 50);
    unsigned reg = quad ? 4 * gen_below(g, 15) : gen_below(g, 60), word = quad ? 12 : place(g);
    unsigned look = gen_below(g, quad ? 4 : 1);
    for (unsigned i = 0; i < (quad ? 4 : 1); i++)
        set(g, reg + i, any(g));
    gen_push(g, W_STALLWAIT(0x1FF, 1));
    gen_push(g, 0xB0000000u | reg << 16 | (quad ? 0x8000 : 0) | word);
    for (unsigned i = 0; i < (quad ? 4 : 1); i++)
        changed(g, word + i);
    read_back(g, word + look, 63);
    show(g, 63, slot);
}

/* RDCFG, RMWCIB, CFGSHIFTMASK: on a word that a core has written. */
static void rmw(struct gen *g, unsigned op, unsigned slot)
{
    unsigned word = place(g), reg = gen_below(g, 64), scratch = gen_below(g, 4);
    gen_config(g, word, 0, 32, any(g));
    for (unsigned i = 0; i < 3; i++)
        gen_config(g, 209 + i, 0, 32, any(g));
    for (unsigned n = op == 0xB1 ? 0 : 1 + gen_below(g, 3); n; n--)
        if (op == 0xB8)
            gen_push(g, 0xB8000000u | 1u << 23 | 3u << 20 | 31u << 15 | scratch << 8 | word);
        else
            gen_push(g, (uint32_t)op << 24 | gen_below(g, 65536) << 8 | word);
    gen_push(g, 0x02000000u);
    read_back(g, word, reg);
    show(g, reg, slot);
}

void gen_scalar(struct gen *g, const char *name)
{
    static const struct {
        const char *name;
        uint8_t op;
    } ops[] = {{"SETDMAREG", 0x45},
               {"ADDDMAREG", 0x58},
               {"MULDMAREG", 0x5A},
               {"WRCFG", 0xB0},
               {"RDCFG", 0xB1},
               {"RMWCIB0", 0xB3},
               {"RMWCIB1", 0xB4},
               {"RMWCIB2", 0xB5},
               {"RMWCIB3", 0xB6},
               {"CFGSHIFTMASK", 0xB8}};
    unsigned op = 0;
    uint16_t group[2 * SHOWN];
    for (unsigned i = 0; i < sizeof ops / sizeof *ops; i++)
        if (!strcmp(ops[i].name, name))
            op = ops[i].op;
    g->core = g->matrix; /* GPRs belong to a thread: all words are its own */
    for (unsigned i = 0; i < SHOWN; i++)
        switch (op) {
        case 0x45: halves(g, i); break;
        case 0x58:
        case 0x5A: arithmetic(g, op, i); break;
        case 0xB0: wrcfg(g, i); break;
        default: rmw(g, op, i); break;
        }
    for (unsigned i = 0; i < SHOWN; i++)
        gen_push(g, 0x7204E000u | i << 20 | (OUT_ROW + 2 * i)); /* SFPSTORE */
    gen_push(g, W_STALLWAIT(0x1FF, 0x81E));
    for (unsigned i = 0; i < SHOWN; i++)
        group[i] = (uint16_t)(2 * OUT_ROW + 8 * i);
    gen_dump_groups(g, group, SHOWN);
}
