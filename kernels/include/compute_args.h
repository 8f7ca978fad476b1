/*
 * compute_args.h - what a compute kernel is told: a block of words in L1, written by the host before core B
 * starts. Formats are the codes of the hardware. Shared with the tests, so it needs nothing but stdint.h.
 */
#ifndef KERNELS_COMPUTE_ARGS_H
#define KERNELS_COMPUTE_ARGS_H

#include <stdint.h>

#define COMPUTE_ARGS 0x1E000 /* where the block is */
#define COMPUTE_DONE 0x1F000 /* 0xFF when the kernel is over */

enum compute_format {
    FMT_FP32 = 0,
    FMT_FP16 = 1,
    FMT_BFP8A = 2,
    FMT_BFP4A = 3,
    FMT_TF32 = 4,
    FMT_BF16 = 5,
    FMT_BFP8 = 6,
    FMT_BFP4 = 7,
    FMT_INT32 = 8,
    FMT_INT16 = 9,
    FMT_FP8 = 10,
    FMT_BFP2A = 11,
    FMT_INT8 = 14,
    FMT_BFP2 = 15,
};

enum compute_eltwise { ELTWISE_ADD, ELTWISE_SUB, ELTWISE_MUL };
/* Which part of the second operand counts: all; row 0; column 0; datum 0 of row 0. */
enum compute_broadcast { BROADCAST_NONE, BROADCAST_ROW, BROADCAST_COLUMN, BROADCAST_SCALAR };
/* What is left: column 0 with a datum per row; row 0 with one per column; one datum. */
enum compute_reduce { REDUCE_ROW, REDUCE_COLUMN, REDUCE_SCALAR };
enum compute_pool { POOL_SUM, POOL_MAX };
enum compute_copy {
    COPY_PLAIN,
    COPY_TRANSPOSE, /* of the whole tile */
    COPY_TILIZE,    /* rows of datums in L1 become tiles */
    COPY_UNTILIZE,  /* and back */
};
/* Kernels of the Vector Unit */
enum compute_unary {
    UNARY_EXP,
    UNARY_RECIPROCAL,
    UNARY_SQRT,
    UNARY_SIGMOID,
    UNARY_TANH,
    UNARY_GELU,
    UNARY_RELU,
    UNARY_LEAKY_RELU, /* negative numbers times 1/8 */
    UNARY_RELU6,      /* the same, and no more than 6 */
    UNARIES
};
enum compute_typecast {
    CAST_FP32_INT32, /* to zero */
    CAST_INT32_FP32,
    CAST_FP32_BF16,
    CAST_FP32_UINT16,
    CAST_FP32_INT16,
    CAST_FP32_UINT8,
    CAST_FP32_INT8,
    CASTS
};
enum compute_integer {
    INTEGER_ADD,
    INTEGER_SUB,
    INTEGER_MUL_LOW,  /* bits 22:0 of the product of bits 22:0 */
    INTEGER_MUL_HIGH, /* bits 45:23 */
    INTEGER_SHIFT,    /* to the left, or, by negative numbers, to the right */
    INTEGER_SHIFT_SIGNED,
    INTEGER_AND,
    INTEGER_OR,
    INTEGER_XOR,
    INTEGER_NOT,
    INTEGER_LESS, /* 1 or 0 */
    INTEGER_ABS,
    INTEGER_LEADING_ZEROS,
    INTEGERS
};
enum compute_sum { SUM_COLUMNS, SUM_ROWS };
/* The first tile becomes random numbers; how: the seed of the lanes. */
enum compute_stochastic {
    STOCHASTIC_BF16,
    STOCHASTIC_TF32,
    STOCHASTIC_UINT8, /* integers are sign and magnitude */
    STOCHASTIC_INT8,
    STOCHASTIC_UINT16,
    STOCHASTIC_INT16,
    STOCHASTIC_SCALE,    /* an integer by 2^STOCHASTIC_SHIFT, to INT8 */
    STOCHASTIC_FP32,     /* from an integer */
    STOCHASTIC_NEGATIVE, /* BF16, negative numbers only */
    STOCHASTICS
};
enum { STOCHASTIC_SHIFT = 9 };
enum compute_macro { MACRO_CAST, MACRO_CAST_PLAIN, MACRO_LINEAR, MACRO_LINEAR_PLAIN };

struct compute_args {
    uint32_t in0, in1, out;            /* addresses in L1, multiples of 16 */
    uint32_t in0_format, in1_format;   /* in L1 */
    uint32_t src0_format, src1_format; /* of the same operands after unpacking */
    uint32_t to_dst;                   /* unpack to Dst instead of Src (datacopy) */
    uint32_t dst32;                    /* Dst holds 32-bit datums */
    uint32_t alu;                      /* more bits for Config word 1 */
    uint32_t relu;                     /* Config word 2 */
    uint32_t fp8;                      /* Config word 71; bit 22 also counts for word 119 */
    uint32_t dst_access;               /* Config word 220 */
    uint32_t pack_read;                /* Config word 18 */
    uint32_t pack_format;              /* between Dst and the packer's last stage */
    uint32_t out_format;               /* in L1 */
    uint32_t phases;                   /* fidelity: 1 .. 4 */
    uint32_t op;                       /* what to do: one of the enums above */
    uint32_t how;                      /* broadcast, dimension or seed */
    uint32_t rows, columns, inner;     /* in tiles */
    uint32_t repeat;                   /* do everything so many times */
    uint32_t fill; /* core B writes the operands itself: small whole numbers in BF16 */
};

/* Bytes of one datum times 4, so that parts of a byte count as well. */
static inline uint32_t compute_datum4(uint32_t format)
{
    uint32_t low = format & 3;
    if (low != 3)
        return 16 >> low;
    return format & 8 ? 1 : 2;
}

/* Has shared exponents: one byte per 16 datums before the data. */
static inline int compute_is_bfp(uint32_t format)
{
    return (format & 2) && format != FMT_FP8 && format != FMT_INT8;
}

/* A tile of 32 x 32: a multiple of 16 bytes. */
static inline uint32_t compute_tile_bytes(uint32_t format)
{
    return 256 * compute_datum4(format) + (compute_is_bfp(format) ? 64 : 0);
}

#endif
