/*
 * from_l1.c - conversions of the unpackers.
 *
 * ISA pages: UNPACR (Regular), Unpackers/FormatConversion, FloatBitPatterns. FP8 on Blackhole: e4m3, and what
 * the pattern of all ones becomes, are known from the vendor's simulator only.
 *
 * Invariant: every result fits its cell: 19 bits for Src, 16 for a half of Dst.
 *
 * Inaccuracies: pairs of formats the documents call undefined do what comes naturally: the output format
 * is ignored, a 32-bit datum for Src loses its low 13 bits, one for 16 bits of Dst its low 16. A block
 * exponent of the 5-bit family that leaves its range wraps.
 */
#include "num/from_l1.h"

#include <string.h>

#include "num/format.h"
#include "num/layout.h"

unsigned from_l1_bits(unsigned in)
{
    unsigned bits = num_formats[in % N_NUM_FORMATS].bits;
    return bits ? bits : ((in & 3) == 0 ? 32 : 16); /* codes 12, 13 */
}

bool from_l1_is_block(unsigned in)
{
    return num_formats[in % N_NUM_FORMATS].kind == NUM_BLOCK;
}

bool from_l1_defined(unsigned in, unsigned out, bool to_dst)
{
    if (in == NUM_FP32)
        return out == NUM_TF32 || out == NUM_BF16 || out == NUM_FP16 || (out == NUM_FP32 && to_dst);
    if (in != out || !num_formats[in % N_NUM_FORMATS].bits)
        return false;
    return to_dst || (in != NUM_INT32 && in != NUM_TF32);
}

/* ---- bytes to values ---- */

static void from_l1_words(const uint8_t *in, unsigned n, uint32_t *value)
{
    memcpy(value, in, n * sizeof *value); /* both little-endian */
}

static void from_l1_halves(const uint8_t *in, unsigned n, uint32_t *value)
{
    for (unsigned i = 0; i < n; i++) {
        uint16_t v;
        memcpy(&v, in + 2 * (size_t)i, sizeof v);
        value[i] = v;
    }
}

/* Denormals become zero, low bits go. */
static void from_l1_fp32_bf16(const uint8_t *in, unsigned n, uint32_t *value)
{
    from_l1_words(in, n, value);
    for (unsigned i = 0; i < n; i++) {
        uint32_t v = value[i];
        value[i] = v & 0x7f800000 ? v >> 16 : v >> 16 & 0x8000;
    }
}

/* Truncated; too small becomes zero, too large the largest pattern. */
static void from_l1_fp32_fp16(const uint8_t *in, unsigned n, uint32_t *value)
{
    from_l1_words(in, n, value);
    for (unsigned i = 0; i < n; i++) {
        uint32_t v = value[i], sign = v >> 16 & 0x8000, e = v >> 23 & 0xff;
        uint32_t inside = (e - 112) << 10 | (v >> 13 & 0x3ff);
        value[i] = sign | (e < 112 ? 0 : (e > 143 ? 0x7fff : inside));
    }
}

static void from_l1_fp8(const uint8_t *in, unsigned n, bool e4m3, uint32_t *value)
{
    for (unsigned i = 0; i < n; i++) {
        uint32_t v = in[i], sign = (v & 0x80) << 8, e = v >> 3 & 15, m = v & 7;
        uint32_t ones = (v & 0x7f) == 0x7f;
        if (e4m3)
            value[i] = sign | (e ? e + 8 : 0) << 10 | m << 7 | (ones ? 0x7f : 0);
        else
            value[i] = v << 8 | (ones ? 0xff : 0);
    }
}

/* An integer looks like an FP16 with exponent 16, zero with exponent 0. */
static void from_l1_int8(const uint8_t *in, unsigned n, bool is_unsigned, uint32_t *value)
{
    uint32_t sign_bit = is_unsigned ? 0 : 0x80;
    for (unsigned i = 0; i < n; i++) {
        uint32_t v = in[i], sign = v & sign_bit, magnitude = v ^ sign;
        value[i] = sign << 8 | magnitude | (magnitude ? 16u << 10 : 0);
    }
}

/* The datums of a block format as eight bits each: sign, then the magnitude at the top. */
static void from_l1_spread(const uint8_t *in, unsigned first, unsigned bits, unsigned n,
                           uint32_t *value)
{
    switch (bits) {
    case 8:
        for (unsigned i = 0; i < n; i++)
            value[i] = in[i];
        break;
    case 4:
        for (unsigned i = 0; i < n; i++)
            value[i] = (uint32_t)in[(first + i) / 2] >> (first + i) % 2 * 4 << 4 & 0xf0;
        break;
    default:
        for (unsigned i = 0; i < n; i++)
            value[i] = (uint32_t)in[(first + i) / 4] >> (first + i) % 4 * 2 << 6 & 0xc0;
        break;
    }
}

/* if_not_zero or if_zero, without a branch: that keeps loops straight. */
static inline uint32_t from_l1_choose(uint32_t x, uint32_t if_not_zero, uint32_t if_zero)
{
    uint32_t mask = (uint32_t)(x != 0) * UINT32_MAX;
    return (if_not_zero & mask) | (if_zero & ~mask);
}

/* The magnitude as a float has its leading one removed and the rest aligned as BF16 wants it; 133 is
   the exponent of a magnitude without leading zeros. */
static inline uint32_t from_l1_bfp(uint32_t v, uint32_t exponent)
{
    uint32_t sign = v >> 7 << 15, magnitude = v & 0x7f, bits;
    float normal = (float)(int32_t)magnitude;
    memcpy(&bits, &normal, sizeof bits);
    uint32_t e = ((bits >> 23) - 133 + exponent) & 0xff;
    uint32_t number = sign | e << 7 | (bits >> 16 & 0x7f);
    return from_l1_choose(magnitude, number, from_l1_choose(sign, 0xff80, 0));
}

/* The same for the family with five exponent bits. */
static inline uint32_t from_l1_bfpa(uint32_t v, uint32_t exponent)
{
    uint32_t sign = v >> 7 << 15, magnitude = v & 0x7f, bits;
    float normal = (float)(int32_t)magnitude;
    memcpy(&bits, &normal, sizeof bits);
    uint32_t e = ((bits >> 23) - 133 + exponent) & 0x1f;
    uint32_t number = sign | e << 10 | (bits >> 13 & 0x3ff);
    return from_l1_choose(magnitude, number, from_l1_choose(sign, 0xfc00, 0));
}

/* Every datum gets its exponent above it first, so that there is one long loop for the rest. */
static void from_l1_blocks(const uint8_t *exponent, unsigned phase, bool a, unsigned n,
                           uint32_t *value)
{
    for (unsigned i = 0; i < n;) {
        uint32_t e = (uint32_t)exponent[(phase + i) / 16] << 8;
        unsigned end = i + 16 - (phase + i) % 16;
        end = end < n ? end : n;
        for (; i < end; i++)
            value[i] |= e;
    }
    if (a)
        for (unsigned i = 0; i < n; i++)
            value[i] = from_l1_bfpa(value[i] & 0xff, value[i] >> 8);
    else
        for (unsigned i = 0; i < n; i++)
            value[i] = from_l1_bfp(value[i] & 0xff, value[i] >> 8);
}

static enum from_l1_kind from_l1_fp32(unsigned out, const uint8_t *in, unsigned n, uint32_t *value)
{
    switch (out) {
    case NUM_BF16: from_l1_fp32_bf16(in, n, value); return FROM_L1_BF16;
    case NUM_FP16: from_l1_fp32_fp16(in, n, value); return FROM_L1_FP16;
    default: from_l1_words(in, n, value); return FROM_L1_WORD;
    }
}

enum from_l1_kind from_l1_values(const struct from_l1 *f, const uint8_t *in, unsigned first,
                                 const uint8_t *exponent, unsigned phase, unsigned n,
                                 uint32_t *value)
{
    const struct num_format_info *info = &num_formats[f->in % N_NUM_FORMATS];
    if (info->kind == NUM_BLOCK) {
        bool a = info->exponent == 5;
        from_l1_spread(in, first, info->bits, n, value);
        from_l1_blocks(exponent, phase, a, n, value);
        return a ? FROM_L1_FP16 : FROM_L1_BF16;
    }
    switch (f->in) {
    case NUM_FP32: return from_l1_fp32(f->out, in, n, value);
    case NUM_BF16: from_l1_halves(in, n, value); return FROM_L1_BF16;
    case NUM_FP16: from_l1_halves(in, n, value); return FROM_L1_FP16;
    case NUM_FP8: from_l1_fp8(in, n, f->e4m3, value); return FROM_L1_FP16;
    case NUM_INT8: from_l1_int8(in, n, f->is_unsigned, value); return FROM_L1_FP16;
    default:
        if (from_l1_bits(f->in) == 32) {
            from_l1_words(in, n, value);
            return FROM_L1_WORD;
        }
        from_l1_halves(in, n, value);
        return FROM_L1_RAW16;
    }
}

/* ---- values to cells ---- */

void from_l1_to_src(enum from_l1_kind kind, uint32_t *value, unsigned n)
{
    switch (kind) {
    case FROM_L1_BF16:
        for (unsigned i = 0; i < n; i++)
            value[i] <<= 16;
        break;
    case FROM_L1_FP16:
        for (unsigned i = 0; i < n; i++) {
            uint32_t v = value[i];
            value[i] = layout_src(v >> 15, v >> 10 & 0x1f, v & 0x3ff);
        }
        break;
    case FROM_L1_RAW16:
        for (unsigned i = 0; i < n; i++)
            value[i] = layout_src_from_dst(value[i], false);
        break;
    case FROM_L1_WORD:
        for (unsigned i = 0; i < n; i++)
            value[i] &= NUM_SRC_TF32;
        break;
    }
}

void from_l1_to_dst16(enum from_l1_kind kind, const uint32_t *value, unsigned n, uint16_t *cell)
{
    switch (kind) {
    case FROM_L1_BF16:
        for (unsigned i = 0; i < n; i++)
            cell[i] = layout_bf16_to_dst(value[i]);
        break;
    case FROM_L1_FP16:
        for (unsigned i = 0; i < n; i++)
            cell[i] = layout_fp16_to_dst(value[i]);
        break;
    case FROM_L1_RAW16:
        for (unsigned i = 0; i < n; i++)
            cell[i] = (uint16_t)value[i];
        break;
    case FROM_L1_WORD:
        for (unsigned i = 0; i < n; i++)
            cell[i] = layout_high_to_dst(value[i]);
        break;
    }
}

void from_l1_to_dst32(enum from_l1_kind kind, const uint32_t *value, unsigned n, uint16_t *high,
                      uint16_t *low)
{
    from_l1_to_dst16(kind, value, n, high);
    for (unsigned i = 0; i < n; i++)
        low[i] = kind == FROM_L1_WORD ? (uint16_t)value[i] : 0;
}
