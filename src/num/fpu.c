/*
 * fpu.c - what GMPOOL compares.
 *
 * ISA page: GMPOOL.
 *
 * Invariant: a value read from Dst and written back with the same style is the same, but for bits that
 * the style does not have.
 *
 * Inaccuracies: FP16 operands with 32-bit Dst are taken as the page's text has them: exponents are
 * not brought from the one bias to the other.
 */
#include "num/fpu.h"

static uint32_t pool(uint32_t sign, uint32_t exponent, uint32_t field)
{
    return sign << 19 | (exponent & 0x1ff) << 10 | (field & 0x3ff);
}

uint32_t num_fpu_pool_src(uint32_t a, uint32_t b, enum num_fpu_pool style)
{
    uint32_t ea = layout_src_exponent(a), eb = layout_src_exponent(b), m = layout_src_fraction(a);
    uint32_t sign = layout_src_sign(a);
    if (!eb)
        return pool(1, 0x1ff, 0x3ff); /* less than anything */
    if (!ea)
        return 0;
    switch (style) {
    case NUM_POOL_INT: return pool(sign, 0, m);
    case NUM_POOL_FP16: return pool(sign, (ea & 31) + (eb & 31), m);
    case NUM_POOL_TF32: return pool(sign, ea + eb, m);
    default: return pool(sign, ea + eb, m & 0x3f8);
    }
}

uint32_t num_fpu_pool_read(uint32_t dst, enum num_fpu_pool style)
{
    uint32_t sign = dst >> 31;
    switch (style) {
    case NUM_POOL_INT: return pool(sign, (dst >> 10 & 0x3f) | (dst >> 24 & 7) << 6, dst);
    case NUM_POOL_FP16: return pool(sign, (dst >> 16 & 31) + 15, dst >> 21);
    case NUM_POOL_TF32:
        return pool(sign, (dst >> 16 & 255) + 127, (dst >> 24 & 0x7f) << 3 | (dst >> 13 & 7));
    default: return pool(sign, (dst >> 16 & 255) + 127, (dst >> 24 & 0x7f) << 3);
    }
}

uint32_t num_fpu_pool_write(uint32_t p, enum num_fpu_pool style)
{
    uint32_t sign = p >> 19 << 31, e = p >> 10 & 0x1ff, m = p & 0x3ff;
    switch (style) {
    case NUM_POOL_INT: return sign | (e & 7) << 10 | m;
    case NUM_POOL_FP16: return e & 0x3f ? sign | m << 21 | ((e - 15) & 31) << 16 : 0;
    default: break;
    }
    if (!e)
        return 0;
    uint32_t low = style == NUM_POOL_TF32 ? (m & 7) << 13 : 0;
    return sign | (m & 0x3f8) << 21 | ((e - 127) & 255) << 16 | low;
}
