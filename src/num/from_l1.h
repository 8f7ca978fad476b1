/*
 * from_l1.h - datums on their way from L1 into SrcA, SrcB or Dst.
 *
 *     bytes in L1 --> values in their usual bit order --> cells of Src (19 bits) or Dst (16, 32 bits)
 *                 from_l1_values                      from_l1_to_src, from_l1_to_dst16, _dst32
 *
 * ISA pages: UNPACR (Regular), Unpackers/FormatConversion, FloatBitPatterns.
 */
#ifndef WG_NUM_FROM_L1_H
#define WG_NUM_FROM_L1_H

#include <stdbool.h>
#include <stdint.h>

/* What a value is after the first step. */
enum from_l1_kind {
    FROM_L1_BF16,  /* {S, E8, M7} */
    FROM_L1_FP16,  /* {S, E5, M10}; 8-bit integers look like it */
    FROM_L1_RAW16, /* 16 opaque bits */
    FROM_L1_WORD   /* 32 bits */
};

struct from_l1 {
    uint8_t in,
        out;   /* data format codes; anything but FP32 has one conversion, whatever out says */
    bool e4m3; /* FP8 has four exponent bits */
    bool is_unsigned; /* INT8 is UINT8 */
};

/* Bits of a datum in L1: 2, 4, 8, 16 or 32 also for codes that name nothing. */
unsigned from_l1_bits(unsigned in);
/* It shares an exponent with its neighbours. */
bool from_l1_is_block(unsigned in);
/* The documents define this conversion. */
bool from_l1_defined(unsigned in, unsigned out, bool to_dst);
/* Converts n datums; the first is number `first` counted from the least significant bit of in[0].
   Block formats take exponent[(phase + i) / 16] for datum i. */
enum from_l1_kind from_l1_values(const struct from_l1 *f, const uint8_t *in, unsigned first,
                                 const uint8_t *exponent, unsigned phase, unsigned n,
                                 uint32_t *value);
/* Values to cells: Src in place; Dst to halves of 16 bits. */
void from_l1_to_src(enum from_l1_kind kind, uint32_t *value, unsigned n);
void from_l1_to_dst16(enum from_l1_kind kind, const uint32_t *value, unsigned n, uint16_t *cell);
void from_l1_to_dst32(enum from_l1_kind kind, const uint32_t *value, unsigned n, uint16_t *high,
                      uint16_t *low);

#endif
