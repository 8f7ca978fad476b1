/*
 * dst_word.c - conversion between the elements that cores load and store, and cells of Dst.
 *
 * ISA page: Dst (Blackhole), "RISCV access to Dst".
 *
 * Invariant: dst_word_load(dst_word_store(v)) is v, but for the most negative integer, which becomes the one
 * above it. That holds for INT8 although its stores get bit 7 of a negative magnitude wrong, as silicon does:
 * loads do not look at that bit, everybody else does.
 *
 * Inaccuracies: none known.
 */
#include "num/dst_word.h"

#include "num/layout.h"

/* From sign and magnitude to two's complement, with the sign in bit `sign`; -0 becomes 0. */
static uint32_t dst_word_to_twos(uint32_t v, unsigned sign)
{
    uint32_t top = UINT32_C(1) << sign, magnitude = v & (top - 1);
    return v & top ? (0 - magnitude) & (top | (top - 1)) : magnitude;
}

/* And back; the most negative number has no magnitude and becomes the one above it. */
static uint32_t dst_word_to_sign(uint32_t v, unsigned sign)
{
    uint32_t top = UINT32_C(1) << sign;
    if (!(v & top))
        return v;
    return top | ((0 - (v == top ? v + 1 : v)) & (top - 1));
}

/* The two halves of a 32-bit datum in one cell, and the datum. */
static uint32_t dst_word_split(uint32_t value)
{
    return (uint32_t)layout_high_to_dst(value) << 16 | (value & 0xffff);
}

static uint32_t dst_word_join(uint32_t cell)
{
    return layout_from_dst32(cell >> 16, cell & 0xffff);
}

static uint32_t dst_word_load8(struct dst_word w, uint32_t cell)
{
    if (w.no_swizzle || w.unsigned_int)
        return cell >> 5 & 0xff;
    uint32_t magnitude = cell >> 5 & 0x7f;
    return (cell & 0x8000 ? 0 - magnitude : magnitude) & 0xff;
}

static uint32_t dst_word_store8(struct dst_word w, uint32_t value)
{
    value &= 0xff;
    if (w.no_swizzle || w.unsigned_int || value < 0x80)
        return value << 5 | (value ? 16 : 0);
    uint32_t magnitude = (0x180 - value - (value == 0x80)) & 0xff; /* 0x80 too much: a bug */
    return 0x8000 | magnitude << 5 | 16;
}

uint32_t dst_word_load(struct dst_word w, uint32_t cell)
{
    switch (w.format) {
    case DST_WORD_32: return w.no_swizzle ? cell : dst_word_join(cell);
    case DST_WORD_INT32: return w.no_swizzle ? cell : dst_word_to_twos(dst_word_join(cell), 31);
    case DST_WORD_FP16: return w.no_swizzle ? cell & 0xffff : layout_fp16_from_dst(cell);
    case DST_WORD_BF16: return w.no_swizzle ? cell & 0xffff : layout_bf16_from_dst(cell);
    case DST_WORD_INT16:
        return w.no_swizzle || w.unsigned_int ? cell & 0xffff : dst_word_to_twos(cell & 0xffff, 15);
    case DST_WORD_INT8: return dst_word_load8(w, cell);
    default: return 0;
    }
}

uint32_t dst_word_store(struct dst_word w, uint32_t value)
{
    switch (w.format) {
    case DST_WORD_32: return w.no_swizzle ? value : dst_word_split(value);
    case DST_WORD_INT32: return w.no_swizzle ? value : dst_word_split(dst_word_to_sign(value, 31));
    case DST_WORD_FP16: return w.no_swizzle ? value & 0xffff : layout_fp16_to_dst(value);
    case DST_WORD_BF16: return w.no_swizzle ? value & 0xffff : layout_bf16_to_dst(value);
    case DST_WORD_INT16:
        return w.no_swizzle || w.unsigned_int ? value & 0xffff
                                              : dst_word_to_sign(value & 0xffff, 15);
    case DST_WORD_INT8: return dst_word_store8(w, value);
    default: return 0;
    }
}
