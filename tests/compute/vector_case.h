/*
 * vector_case.h - one random case of a kernel of the Vector Unit: arguments, operands, and a judge of what comes out.
 */
#ifndef WG_TESTS_COMPUTE_VECTOR_CASE_H
#define WG_TESTS_COMPUTE_VECTOR_CASE_H

#include <stdbool.h>
#include <stdint.h>

#include "../../kernels/include/compute_args.h"
#include "model/rng.h"

enum { VECTOR_TILES = 3, VECTOR_TILE = 1024, VECTOR_DATUMS = VECTOR_TILES * VECTOR_TILE };

struct vector_case;
/* Is got[i] right? Else why says why not. got: as patterns of 32 bits, in the order of L1. */
typedef bool vector_judge(const struct vector_case *c, const uint32_t *got, char *why,
                          unsigned size);

struct vector_case {
    const char *kernel, *name; /* folder; operation */
    struct compute_args args;
    uint32_t in[2][VECTOR_DATUMS]; /* patterns of 32 bits; BF16 in their upper halves */
    unsigned n;                    /* datums */
    vector_judge *judge;
};

enum { VECTOR_IN0 = 0x20000, VECTOR_IN1 = 0x40000, VECTOR_OUT = 0x60000 };

/* The value of a pattern; denormals are zeros. */
double vector_value(uint32_t bits);
/* Some FP32 number: near 1, anywhere, or special. */
uint32_t vector_random(struct rng *r);
/* From FP32 or BF16 tiles to the same; 32 bits by way of Dst, 16 bits by way of SrcA. */
void vector_floats(struct vector_case *c, struct rng *r, bool wide);
/* From 32-bit words to the same. */
void vector_words(struct vector_case *c, unsigned operands);

/* Each makes number n. */
typedef void vector_make(struct rng *r, unsigned n, struct vector_case *c);
vector_make vector_unary, vector_typecast, vector_integer, vector_topk, vector_sums, vector_macro,
    vector_stochastic;

#endif
