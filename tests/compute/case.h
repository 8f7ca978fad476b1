/*
 * case.h - one random compute case: arguments, operands, and the bytes that must come out.
 */
#ifndef WG_TESTS_COMPUTE_CASE_H
#define WG_TESTS_COMPUTE_CASE_H

#include "compute_args.h"
#include "golden.h"
#include "model/rng.h"

enum { CASE_TILES = 16, CASE_BYTES = CASE_TILES * 4096 + 16 };

struct case_ {
    const char *kernel;
    char text[200];
    struct compute_args args;
    uint8_t in[2][CASE_BYTES];
    uint32_t in_size[2];
    uint8_t out[CASE_BYTES];
    uint32_t out_size;
};

/* Each makes one. */
typedef void make_case(struct rng *r, struct case_ *c);
make_case case_matmul, case_eltwise, case_reduce, case_copy;

#endif
