/*
 * golden.h - what the compute kernels must leave in L1, bit by bit: conversion to Src, the arithmetic of the
 * Matrix Unit, packing. Plain C from the documents and from what is known of the vendor's simulator; shares
 * nothing with the emulator.
 *
 * Tiles in memory are 32 x 32 in faces; here a tile is an array of 1024 datums row by row, and face order
 * is only applied where bytes are read or written.
 */
#ifndef WG_TESTS_COMPUTE_GOLDEN_H
#define WG_TESTS_COMPUTE_GOLDEN_H

#include <stdbool.h>
#include <stdint.h>

#include "../../kernels/include/compute_args.h"

enum { TILE = 1024 };

/* The place of row r, column c in a tile of faces. */
static inline unsigned golden_place(unsigned r, unsigned c)
{
    return (r >> 4) * 512 + (c >> 4) * 256 + (r & 15) * 16 + (c & 15);
}

/* Of Src: {sign, exponent 8, fraction 10}, 19 bits. */
typedef uint32_t src_datum;
/* Of Dst: FP32 or sign-magnitude bits (32-bit Dst), or {sign, exponent, fraction} in 16 bits. */
typedef uint32_t dst_datum;

struct golden_from {
    uint32_t format, src_format;
    bool unsigned8, e4m3;
};

/* Datum i of bytes in L1 as it comes to Src. n: datums of the whole, for the length of the exponents. */
src_datum golden_unpack(const struct golden_from *f, const uint8_t *bytes, unsigned n, unsigned i);
/* The same to Dst, without arithmetic; 32-bit formats. */
dst_datum golden_unpack_dst(const uint8_t *bytes, unsigned i);

/* How the Matrix Unit computes. */
struct golden_math {
    uint32_t a_format, b_format; /* of Src */
    bool dst32, int8;
    bool zero_flag_off; /* exponent 0 of SrcB is not zero (ELW) */
};

/* Dst + sum of a[k] * b[k], k = 0 .. 15 */
dst_datum golden_dot(const struct golden_math *m, const src_datum *a, const src_datum *b,
                     unsigned phase, dst_datum dst);
dst_datum golden_mul(const struct golden_math *m, src_datum a, src_datum b, unsigned phase,
                     dst_datum dst);
dst_datum golden_add(const struct golden_math *m, src_datum a, src_datum b, bool subtract,
                     dst_datum dst);
/* The larger of Dst and a datum of SrcA; SrcB is 1.0. */
dst_datum golden_max(const struct golden_math *m, src_datum a, dst_datum dst);
#define GOLDEN_LOWEST UINT32_MAX /* a Dst datum of a row that is not valid, for golden_max */
/* What is written when only that was seen. */
dst_datum golden_max_end(const struct golden_math *m, dst_datum dst);
/* SrcA or SrcB to Dst. */
dst_datum golden_move(const struct golden_math *m, uint32_t format, src_datum a, bool flush);
/* Dst to Src. */
src_datum golden_move_back(const struct golden_math *m, uint32_t format, dst_datum d);

struct golden_to {
    bool dst32;
    uint32_t read, pack_format, out_format, relu; /* as in struct compute_args */
    bool e4m3;
};

/* n datums (a multiple of 16) to bytes; exponents, if any, first. Returns the number of bytes. */
unsigned golden_pack(const struct golden_to *t, const dst_datum *d, unsigned n, uint8_t *bytes);
/* FP32, BF16 or FP16: what L1 holds when the packer adds to it what is there. */
void golden_add_l1(uint32_t format, const uint8_t *old, uint8_t *bytes, unsigned size);

#endif
