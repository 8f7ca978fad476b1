/*
 * gate_program.h - random programs for three threads and their cores.
 */
#ifndef WG_TESTS_MODEL_GATE_PROGRAM_H
#define WG_TESTS_MODEL_GATE_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#define GP_ACTIONS 200u

/* What a core does, in order, at most one per cycle. */
enum gp_kind {
    GP_PUSH,    /* a: word */
    GP_MOP_CFG, /* a: index, b: value; waits until no MOP expands */
    GP_SEM,     /* a: semaphore, b: value; until it gets its slot */
    GP_GPR,     /* a: register, b: value */
    GP_CONFIG,  /* a: bank << 16 | word, b: value */
    GP_PAUSE    /* a: cycles */
};

struct gp_action {
    uint8_t kind;
    uint32_t a, b;
};

struct gate_program {
    unsigned n[3];
    unsigned width[3]; /* words that a core pushes in one cycle */
    bool skip;         /* let the tile jump over cycles in which it says nothing happens */
    struct gp_action action[3][GP_ACTIONS];
    uint32_t unpack_config[144]; /* Config words in both banks, for the unpackers only */
};

/* Program number i of a seed. */
void gate_program_make(struct gate_program *p, uint64_t seed, unsigned number);

#endif
