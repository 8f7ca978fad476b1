/*
 * vector_macro.h - what SFPLOADMACRO has scheduled: one place per sub-unit of the Vector Unit and per remaining delay.
 *
 * ISA page: SFPLOADMACRO (Blackhole). LoadMacroConfig may differ from column to column, so a place holds up to eight
 * instructions, each for lanes of its own; nearly always it is one for all lanes.
 *
 * Invariant: n and n_words count the instructions in all places; instructions of one place have no lane in common.
 */
#ifndef WG_VECTOR_VECTOR_MACRO_H
#define WG_VECTOR_VECTOR_MACRO_H

#include <stdbool.h>
#include <stdint.h>

#include "state/lanes.h"

enum { SUB_SIMPLE, SUB_MAD, SUB_ROUND, SUB_STORE, N_SUBS, SUB_LOAD = N_SUBS };

#define MACRO_DELAYS 8u
#define MACRO_GROUPS 8u /* columns of lanes */
#define MACRO_CONFIG 9u /* SFPCONFIG's destinations 0-8: templates, sequences, Misc */

/* An instruction that waits for its time. */
struct macro_op {
    uint32_t word;
    uint32_t lanes;
    uint16_t address, tag; /* address: of SFPSTORE, as the load had it */
    uint8_t vd, vb, vc, mode, thread;
    bool by_words; /* counts instructions, not cycles */
};

struct macro_place {
    uint8_t n;
    struct macro_op op[MACRO_GROUPS];
};

struct vector_macro {
    struct macro_place place[N_SUBS][MACRO_DELAYS]; /* [head + delay] */
    uint8_t head;
    uint16_t n, n_words; /* instructions; those that count instructions */
    uint64_t next;       /* cycle behind the last one that was carried out */
    uint64_t swap_end;   /* simple and round must stand still before it */
};

/* Writes of LoadMacroConfig that SFPLOADMACRO does not see yet. */
struct vector_settle {
    uint64_t last;                /* all is settled from here on */
    uint64_t until[MACRO_CONFIG]; /* each destination */
    struct lanes_macro old[LANES];
};

/* What is scheduled for delay d of a sub-unit. */
static inline struct macro_place *vector_macro_at(struct vector_macro *m, unsigned sub,
                                                  unsigned delay)
{
    return &m->place[sub][(m->head + delay) % MACRO_DELAYS];
}

/* Something runs in the next cycle. */
static inline bool vector_macro_due(const struct vector_macro *m)
{
    unsigned i = m->head;
    return m->place[SUB_SIMPLE][i].n | m->place[SUB_MAD][i].n | m->place[SUB_ROUND][i].n |
           m->place[SUB_STORE][i].n;
}

/* Cycles alone bring it on: nothing that waits counts instructions, or something is due. */
static inline bool vector_macro_ticks(const struct vector_macro *m)
{
    return m->n && (!m->n_words || vector_macro_due(m));
}

#endif
