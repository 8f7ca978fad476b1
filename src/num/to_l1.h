/*
 * to_l1.h - numbers on their way from Dst to L1: what the packer does to them.
 *
 *     Dst -> read -> early conversion -> edge mask -> ReLU -> (narrow) -> exponent threshold
 *         -> late conversion -> blocks with a shared exponent -> L1, or L1 plus it
 *
 * Between the two conversions a datum travels in one of five forms (enum num_carrier). Which functions a datum
 * passes depends on configuration only: num_to_l1_choose() decides once per instruction.
 *
 * ISA pages: Packers/FormatConversion, ReLU, ExponentThresholding; FloatBitPatterns.
 */
#ifndef WG_NUM_TO_L1_H
#define WG_NUM_TO_L1_H

#include <stdbool.h>
#include <stdint.h>

#include "num/format.h"

#define NUM_ROW 16u /* datums of a row of Dst */

/* How the bits of a datum are read. */
enum num_read {
    NUM_READ_WORD, /* 32 bits */
    NUM_READ_BF16,
    NUM_READ_FP16,
    NUM_READ_RAW /* 16 bits as they lie */
};

/* What a datum is between the conversions. */
enum num_carrier {
    NUM_CARRY_WORD, /* FP32; TF32 with 13 zero bits below; INT32 */
    NUM_CARRY_BF16, /* BF16, E8M6 */
    NUM_CARRY_FP16, /* FP16, E5M7, E5M6, e5m2: the fraction's high bits */
    NUM_CARRY_INT16,
    NUM_CARRY_INT8 /* INT8, UINT8 */
};

enum num_early {
    NUM_EARLY_SAME,
    NUM_EARLY_TF32,         /* word, rounded */
    NUM_EARLY_BF16,         /* word, rounded */
    NUM_EARLY_BF16_CUT,     /* word, truncated */
    NUM_EARLY_E8M6,         /* word, rounded */
    NUM_EARLY_INT8,         /* word: shift, round, saturate */
    NUM_EARLY_UINT8,        /* the same */
    NUM_EARLY_INT8_CUT,     /* word: sign and low 7 bits */
    NUM_EARLY_UINT8_CUT,    /* word: low 8 bits */
    NUM_EARLY_BF16_CLEAN,   /* BF16: no denormals, no NaN */
    NUM_EARLY_BF16_E8M6,    /* BF16, rounded */
    NUM_EARLY_BF16_WIDE,    /* BF16 to TF32, clean */
    NUM_EARLY_BF16_SHIFTED, /* BF16 to FP32, as it is */
    NUM_EARLY_BF16_FP16,    /* BF16 to FP16, saturating */
    NUM_EARLY_FP16_CLEAN,   /* FP16: no denormals */
    NUM_EARLY_E5M6,         /* FP16, rounded */
    NUM_EARLY_E5M7,         /* FP16, truncated */
    NUM_EARLY_E5M2,         /* FP16, truncated */
    NUM_EARLY_SIGN,         /* 16 bits: the sign as an INT8 */
    NUM_EARLY_ZERO
};

enum num_relu { NUM_RELU_NONE, NUM_RELU_ZERO, NUM_RELU_MIN, NUM_RELU_MAX };

/* What configuration says about the conversions. */
struct num_to_l1_config {
    bool read32, raw, unsigned8, round10; /* PCK_DEST_RD_CTRL */
    uint8_t intermediate;                 /* Dstacc */
    uint8_t in, out;                      /* In_data_format, Out_data_format */
    bool e4m3;                            /* FP8 has a 4-bit exponent */
    uint8_t relu;                         /* enum num_relu */
    uint16_t relu_threshold;
    uint8_t shift; /* INT8: right shift before saturation */
    bool exponent_on;
    uint8_t exponent;             /* datums with a smaller one become zero */
    bool round_early, round_late; /* stochastic */
};

/* The way through the stages that it chooses. */
struct num_to_l1 {
    uint8_t read;    /* enum num_read */
    uint8_t early;   /* enum num_early */
    uint8_t carrier; /* enum num_carrier, up to ReLU */
    uint8_t relu;    /* enum num_relu */
    bool narrow;     /* after ReLU: from word to FP16 */
    uint8_t late;    /* enum num_carrier, after that */
    uint8_t out;     /* format code */
    uint8_t size;    /* from L1: bytes of a datum */
    uint8_t shift, exponent;
    bool exponent_on, e4m3, integer, round_early, round_late;
    uint32_t threshold; /* of ReLU, in the form of the carrier */
};

/* False: the pages do not list this conversion; what is chosen then is harmless. */
bool num_to_l1_choose(struct num_to_l1 *p, const struct num_to_l1_config *c);

/* Reads a row. low is used for words only; NULL rows read as zero. */
void num_to_l1_read(const struct num_to_l1 *p, const uint16_t *high, const uint16_t *low,
                    uint32_t v[NUM_ROW]);
/* rng: state of the generator for stochastic rounding. */
void num_to_l1_early(const struct num_to_l1 *p, uint32_t v[NUM_ROW], uint32_t *rng);
/* Minus infinity before ReLU. */
uint32_t num_to_l1_infinity(const struct num_to_l1 *p);
/* ReLU and, where it follows, the step from word to FP16. */
void num_to_l1_relu(const struct num_to_l1 *p, uint32_t v[NUM_ROW]);
void num_to_l1_threshold(const struct num_to_l1 *p, uint32_t v[NUM_ROW]);
/* The exponent that histogram and threshold look at. */
uint32_t num_to_l1_exponent(const struct num_to_l1 *p, uint32_t v);
/* Late conversion; block formats end as BF16 (FP16 with 7 bits of fraction for the "a" formats). */
void num_to_l1_late(const struct num_to_l1 *p, uint32_t v[NUM_ROW]);

/*
 * n datums of one block to sign and magnitude; returns the shared exponent. Datums in `infinite` (a bit each) do
 * not count for it and become the pattern of minus infinity.
 */
uint8_t num_to_l1_block(unsigned out, uint32_t v[NUM_ROW], unsigned n, unsigned infinite,
                        uint32_t *rng);

/* Stores n datums of the format from bit `at` of to on; the bits from there on must be zero. Bits stored. */
unsigned num_to_l1_store(unsigned out, const uint32_t v[NUM_ROW], unsigned n, uint8_t *to,
                         unsigned at);

/* L1 := L1 + datum, for one datum. */
uint32_t num_to_l1_add_fp32(uint32_t old, uint32_t datum);
uint16_t num_to_l1_add_bf16(uint16_t old, uint16_t datum);
uint16_t num_to_l1_add_fp16(uint16_t old, uint16_t datum);
uint32_t num_to_l1_add_int32(uint32_t old, uint32_t datum);
/* Does the packer accumulate this format? */
bool num_to_l1_adds(unsigned out);
/* n bytes of `old` plus n bytes of `datums`, into old. */
void num_to_l1_add(unsigned out, uint8_t *old, const uint8_t *datums, unsigned n);

#endif
