/*
 * cut.c - makes a program with a difference smaller: first without steps, then with nops in place of words.
 *
 * In a program without races most words cannot be taken away: they may be what keeps the races out.
 */
#include "run.h"

#include <string.h>
#include <time.h>

#define SECONDS 20 /* is enough */

struct cutter {
    struct program *p;
    enum way way;
    struct outcome *a, *b;
    const struct difference *d;
    clock_t until;
};

/* Is the difference still of the same kind? */
static bool differs(const struct cutter *c)
{
    struct difference d;
    if (clock() > c->until)
        return false;
    run_program(c->p, WAY_CLOCK, c->a);
    run_program(c->p, c->way, c->b);
    return !run_same(c->a, c->b, c->way, &d) && !strcmp(d.kind, c->d->kind);
}

static void cut_steps(const struct cutter *c)
{
    struct program *p = c->p;
    for (unsigned size = p->n_steps; size; size /= 2)
        for (unsigned from = 1; from <= p->n_steps; from += size) {
            bool was[PROGRAM_STEPS], any_on = false;
            for (unsigned i = from; i < from + size && i <= p->n_steps; i++) {
                was[i] = p->step[i].off;
                any_on |= !was[i];
                p->step[i].off = true;
            }
            if (!any_on)
                continue;
            program_write(p);
            if (differs(c))
                continue;
            for (unsigned i = from; i < from + size && i <= p->n_steps; i++)
                p->step[i].off = was[i];
        }
    program_write(p);
}

static uint32_t last(const struct program *p, unsigned core)
{
    return (p->core[core].end - p->core[core].start) / 4;
}

/* Arithmetic on anybody's registers, accesses to the core's own memory. */
static bool is_private(uint32_t word)
{
    enum rv_op op = rv32_decode(word);
    struct rv32_args a = rv32_args_of(op, word);
    switch (rv32_table[op].class) {
    case RV_CLASS_ALU:
    case RV_CLASS_MUL:
    case RV_CLASS_DIV: return a.rd >= X_ANY && a.rd < X_POLL;
    case RV_CLASS_FMA:
    case RV_CLASS_FCVT:
    case RV_CLASS_FMISC: return true;
    case RV_CLASS_LOAD:
        return (a.rs1 == X_L1 || a.rs1 == X_LOCAL) && (a.rd < X_POLL || a.rd == X_VALUE);
    case RV_CLASS_STORE: return a.rs1 == X_L1 || a.rs1 == X_LOCAL;
    default: return false;
    }
}

/* The end of each core's program stays. */
static void cut_words(const struct cutter *c)
{
    struct program *p = c->p;
    const uint32_t nop = 0x13;
    for (unsigned i = 0; i < RV_N_CORES; i++)
        for (unsigned size = 64; has_core(p, i) && size; size /= 2)
            for (uint32_t from = 0; from < last(p, i); from += size) {
                uint32_t was[64], *word = p->core[i].word + from;
                uint32_t n = last(p, i) - from < size ? last(p, i) - from : size;
                bool any_left = false;
                for (uint32_t k = 0; k < n; k++) {
                    was[k] = word[k];
                    if (c->way != WAY_UNTIMED || is_private(word[k]))
                        word[k] = nop;
                    any_left |= was[k] != word[k];
                }
                if (any_left && differs(c))
                    continue;
                for (uint32_t k = 0; k < n; k++)
                    word[k] = was[k];
            }
}

void cut(struct program *p, enum way way, struct outcome *a, struct outcome *b,
         const struct difference *d)
{
    struct cutter c = {p, way, a, b, d, clock() + (clock_t)SECONDS * CLOCKS_PER_SEC};
    cut_steps(&c);
    cut_words(&c);
}
