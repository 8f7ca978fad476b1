/*
 * rows.h - whole rows of sixteen datums in one pass: the usual conversions between L1, Src and Dst.
 *
 * Each does what the stages of to_l1.h and from_l1.h do to such a row without ReLU, mask or threshold. There are two
 * sets of them with the same results: plain C, and AVX2 for processors that have it.
 *
 * ISA pages: Packers/FormatConversion, Unpackers/FormatConversion, FloatBitPatterns, SrcASrcB, Dst (Blackhole).
 */
#ifndef WG_NUM_ROWS_H
#define WG_NUM_ROWS_H

#include <stdbool.h>
#include <stdint.h>

/* n rows that lie one after the other, on both sides. */
struct num_rows {
    /* Dst to L1. bf16: 16-bit rows, no denormals, no NaN; word: as they are; word_bf16: rounded. */
    void (*bf16)(const uint16_t *row, unsigned n, uint8_t *to);
    void (*word)(const uint16_t *high, const uint16_t *low, unsigned n, uint8_t *to);
    void (*word_bf16)(const uint16_t *high, const uint16_t *low, unsigned n, uint8_t *to);
    /* From BF16 (clean: NaN becomes infinity) or from the high halves of FP32 to blocks of BFP8. */
    void (*bfp8)(const uint16_t *row, bool clean, unsigned n, uint8_t *to, uint8_t *exponents);
    /* L1 to Src: BF16; FP32, of which TF32 is kept; BFP8. */
    void (*src_bf16)(const uint8_t *in, unsigned n, uint32_t *cell);
    void (*src_word)(const uint8_t *in, unsigned n, uint32_t *cell);
    void (*src_bfp8)(const uint8_t *in, const uint8_t *exponents, unsigned n, uint32_t *cell);
    /* Src to 16-bit rows of Dst, with 8-bit exponents; flush: exponent 0 means zero. */
    void (*dst_bf16)(const uint32_t *cell, bool flush, unsigned n, uint16_t *row);
};

extern const struct num_rows num_rows_plain;
/* Only to be used where rows_avx2_usable(). */
extern const struct num_rows num_rows_avx2;

#if defined(__x86_64__) && defined(__GNUC__)
#define NUM_ROWS_AVX2
#endif
bool rows_avx2_usable(void);

#endif
