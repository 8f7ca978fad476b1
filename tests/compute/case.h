/*
 * case.h - one random compute case: arguments, operands, and the bytes that must come out.
 */
#ifndef WG_TESTS_COMPUTE_CASE_H
#define WG_TESTS_COMPUTE_CASE_H

#include "../../kernels/include/compute_args.h"
#include "golden.h"
#include "model/rng.h"

enum { CASE_TILES = 16, CASE_BYTES = CASE_TILES * 4096 + 16 };

struct case_ {
    const char *kernel;
    char text[200];
    struct compute_args args;
    uint8_t in[2][CASE_BYTES];
    uint32_t in_size[2];
    uint8_t before[CASE_BYTES]; /* what lies where the result goes */
    uint32_t before_size;
    uint8_t out[CASE_BYTES];
    uint32_t out_size;
};

enum { CASE_IN0 = 0x20000, CASE_IN1 = 0x40000, CASE_OUT = 0x60000 };

/* Arguments of a kernel that does nothing special. */
void case_start(struct case_ *c, const char *kernel);
/* Tiles of random data; returns the number of bytes. */
uint32_t case_tiles(struct rng *r, uint32_t format, unsigned tiles, uint8_t *to);
/* What an operand is unpacked to. */
uint32_t case_src(struct rng *r, uint32_t format, bool dst32);
/* Something that can be packed from a Dst with 8-bit exponents. */
void case_out(struct rng *r, struct compute_args *a);
/* Formats of two operands and of a result. */
void case_formats(struct rng *r, struct compute_args *a);
/* Datums of one tile of operand 0 or 1 by unpacker 0 or 1, row by row. */
void case_unpack(const struct compute_args *a, unsigned which, unsigned unpacker,
                 const uint8_t *bytes, src_datum *to);
/* A tile of results, row by row, to where the packer puts it; returns the number of bytes. */
uint32_t case_pack(const struct compute_args *a, const dst_datum *d, uint8_t *to);
struct golden_to case_packing(const struct compute_args *a);
/* The text of a case. */
void case_describe(struct case_ *c, const char *what);

/* Each makes one. */
typedef void make_case(struct rng *r, struct case_ *c);
make_case case_matmul, case_eltwise, case_reduce, case_copy;

#endif
