/*
 * macro_model.h - a second model of the Vector Unit in time: sub-units, SFPLOADMACRO, two-cycle results and the check
 * that guards them, lane by lane, as the ISA pages tell it.
 *
 * Nothing of src/vector is in it. Every result is a write with the cycle from which it can be read, and what is scheduled
 * is a list per lane and sub-unit with a counter each. Arithmetic itself (products and sums) is src/num's.
 *
 * A subset of instructions: those that test_vector_macro_model.c makes. Dst is 512 rows of 16 numbers of 32 bits.
 */
#ifndef WG_TESTS_UNIT_MACRO_MODEL_H
#define WG_TESTS_UNIT_MACRO_MODEL_H

#include <stdbool.h>
#include <stdint.h>

enum { M_SIMPLE, M_MAD, M_ROUND, M_STORE, M_LOAD };

/* An instruction with its fields; VB and VC as the pages call them. */
struct m_insn {
    uint32_t word;
    unsigned op, va, vb, vc, vd, mode, address;
    bool scheduled;
};

struct m_waiting {
    struct m_insn insn;
    unsigned delay;
    bool by_instructions;
};

struct m_write {
    uint64_t from;  /* first cycle in which it can be read */
    uint64_t issue; /* of two for one register, the later instruction's stays */
    unsigned lane, reg, order;
    uint32_t value;
};

/* The second cycle of SFPSWAP. */
struct m_swap {
    uint64_t at;
    unsigned lane, c, d;
};

struct m_config {
    uint32_t template_[4], sequence[4], misc;
};

struct macro_model {
    uint64_t now;
    uint32_t reg[17][32]; /* what can be read in this cycle */
    uint32_t flags, use;
    uint32_t dst[512][16];
    unsigned row; /* RWC Dst */
    struct m_config config[32];
    struct m_waiting waiting[32][4][16];
    unsigned n_waiting[32][4];
    struct m_write write[4096];
    unsigned n_writes;
    struct m_swap swap[256];
    unsigned n_swaps;
    /* what went in the last cycle, for the check */
    uint32_t last_word;
    bool last_went;
    unsigned lost; /* instructions that gave way */
};

/* May the instruction go in this cycle? */
bool model_may_go(const struct macro_model *m, uint32_t word);
/* One cycle; word 0: nothing comes. */
void model_cycle(struct macro_model *m, uint32_t word);
/* Makes reg[] what can be read in the cycle to come. */
void model_look(struct macro_model *m);
/* The sub-unit of an opcode. */
unsigned model_sub_unit(unsigned op);

#endif
