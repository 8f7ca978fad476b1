/*
 * vec.h - test vectors of the data path: what a case is, how it is stored, how it is played.
 *
 * A case is a list of steps (pushes of Tensix words and writes of Config words, by the cores T0, T1, T2, strictly one
 * after another), regions
 * of L1 that are filled before, and regions of L1 that are compared afterwards. The expected bytes were
 * recorded from another implementation; nothing here computes a result.
 *
 * A file holds the cases of one instruction:
 *   "WGVEC1\n" 0, name with its length, number of cases, steps that all cases begin with, cases.
 * A case:
 *   number, inputs (address, size, kind, parameter, seed), outputs (address, size), steps, expected bytes of
 *   all outputs one after another, packed.
 * Numbers are LEB128. A step is a byte with the core in bits 5:4, and a word (4 bytes); with bit 0 set the
 * index of a Config word (1 byte) stands between them.
 * Packed bytes: t < 128: t + 1 bytes follow; t >= 128: t - 126 bytes of zero.
 *
 * Invariant: the bytes that an input stands for never change (the files depend on them), see vec_fill().
 */
#ifndef WG_TESTS_VECTORS_VEC_H
#define WG_TESTS_VECTORS_VEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define VEC_STEPS   900u
#define VEC_INPUTS  24u
#define VEC_OUTPUTS 8u
#define VEC_OUT_MAX 0x10000u /* bytes of all outputs of a case */

/* Where things are in L1. */
#define VEC_CODE(core) (0x1000u + 0x100u * (core))
#define VEC_TURN       0x1FE0u /* number of the turn; cores wait for theirs */
#define VEC_DONE       0x1FF0u
#define VEC_LIST(core) (0x2000u + 0x4000u * (core))
#define VEC_IN         0x10000u
#define VEC_OUT        0x60000u

/* What the bytes of an input are like. */
enum vec_kind {
    VEC_BYTES, /* any, some of them special */
    VEC_F32,   /* numbers: see vec_number() for the parameter */
    VEC_BF16,
    VEC_F16,
    VEC_EXP,   /* bytes: shared exponents; parameter as that of numbers */
    VEC_INT32, /* sign and magnitude; the parameter is the most bits of it */
    VEC_SAME,  /* the two bytes of the parameter again and again */
    VEC_MARK,  /* rows of 16 words of which only the first is not 0 */
    VEC_EDGE   /* words, as numbers and as integers next to where something ends */
};
#define VEC_NUMBER(centre, spread, special)                                                        \
    ((uint32_t)(centre) | (uint32_t)(spread) << 8 | (uint32_t)(special) << 16)

struct vec_input {
    uint32_t address, size, kind, parameter;
    uint64_t seed;
};

struct vec_output {
    uint32_t address, size;
};

enum { VEC_PUSH, VEC_CONFIG };

struct vec_step {
    uint8_t what, core, index;
    uint32_t value;
};

struct vec_case {
    uint32_t number;
    unsigned n_inputs, n_outputs, n_steps;
    struct vec_input input[VEC_INPUTS];
    struct vec_output output[VEC_OUTPUTS];
    struct vec_step step[VEC_STEPS];
    uint32_t n_expected;
    uint8_t expected[VEC_OUT_MAX];
};

struct vec_file {
    char name[16];
    uint32_t n_cases;
    unsigned n_steps; /* that all cases begin with */
    struct vec_step step[VEC_STEPS];
    FILE *f;
    bool bad;
};

/* splitmix64: documented, small, the same everywhere. */
uint64_t vec_random(uint64_t *state);
/* The bytes of an input. */
void vec_fill(const struct vec_input *in, uint8_t *to);

/* The programs of the cores that play lists, and the lists of a case: pairs of words. */
#define VEC_PLAYER_WORDS 32u
unsigned vec_player(unsigned core, uint32_t *words);
#define VEC_CORES      3u
#define VEC_LIST_WORDS 4096u
struct vec_lists {
    unsigned n[VEC_CORES]; /* words; 0: the core is not needed */
    uint32_t word[VEC_CORES][VEC_LIST_WORDS];
};
void vec_list(const struct vec_file *f, const struct vec_case *c, struct vec_lists *to);

bool vec_create(struct vec_file *f, const char *path);
void vec_write(struct vec_file *f, const struct vec_case *c);
bool vec_open(struct vec_file *f, const char *path);
bool vec_read(struct vec_file *f, struct vec_case *c);
/* False if something went wrong. */
bool vec_close(struct vec_file *f);

#endif
