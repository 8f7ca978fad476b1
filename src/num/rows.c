/*
 * rows.c - whole rows of sixteen datums in one pass, in plain C; see rows.h.
 *
 * ISA pages: Packers/FormatConversion, Unpackers/FormatConversion, FloatBitPatterns, SrcASrcB, Dst (Blackhole).
 *
 * Invariant: the results are those of the stages in to_l1.c and from_l1.c; the tests compare them. Loops have no
 * branches and a constant length, so that compilers make vectors of them.
 *
 * Inaccuracies: those of to_l1.c and from_l1.c.
 */
#include "num/rows.h"

#include <string.h>

#include "num/format.h"
#include "num/from_l1.h"
#include "num/layout.h"

#define ROW 16u

/* ---- Dst to L1 ---- */

static void rows_bf16(const uint16_t *row, unsigned n, uint8_t *to)
{
    for (; n; n--, row += ROW, to += 2 * (size_t)ROW) {
        uint16_t out[ROW];
        for (unsigned i = 0; i < ROW; i++) {
            uint16_t s = row[i] & 0x8000, m = row[i] >> 8 & 0x7f, e = row[i] & 0xff;
            m = e == 0xff ? 0 : m;
            uint16_t x = (uint16_t)(s | e << 7 | m);
            out[i] = e ? x : 0;
        }
        memcpy(to, out, sizeof out);
    }
}

static void rows_word(const uint16_t *high, const uint16_t *low, unsigned n, uint8_t *to)
{
    for (; n; n--, high += ROW, low += ROW, to += 4 * (size_t)ROW) {
        uint32_t out[ROW];
        for (unsigned i = 0; i < ROW; i++)
            out[i] = layout_from_dst32(high[i], low[i]);
        memcpy(to, out, sizeof out);
    }
}

static void rows_word_bf16(const uint16_t *high, const uint16_t *low, unsigned n, uint8_t *to)
{
    for (; n; n--, high += ROW, low += ROW, to += 2 * (size_t)ROW) {
        uint16_t out[ROW];
        for (unsigned i = 0; i < ROW; i++) {
            uint16_t h = high[i], up = low[i] >> 15, s = h & 0x8000, m = h >> 8 & 0x7f,
                     e = h & 0xff;
            uint16_t x = e == 0xff ? 0 : (uint16_t)(m + up); /* may carry into the exponent */
            x = (uint16_t)(s | ((e << 7) + x));
            out[i] = x & 0x7f80 ? x : 0;
        }
        memcpy(to, out, sizeof out);
    }
}

/* Sixteen magnitudes of 8 bits m, with exponents e, to the seven bits of a block of BFP8; 16-bit arithmetic only.
   The shift to the right by e's distance is one to the left by what is missing of seven, in three steps. */
static uint8_t rows_block(const uint16_t m[ROW], const uint16_t e[ROW], const uint16_t sign[ROW],
                          uint8_t *to)
{
    uint16_t shared = 0;
    uint8_t out[ROW];
    for (unsigned i = 0; i < ROW; i++)
        shared = e[i] > shared ? e[i] : shared;
    for (unsigned i = 0; i < ROW; i++) {
        uint16_t d = (uint16_t)(shared - e[i]), x = m[i], s = sign[i], up = (uint16_t)(7 - d);
        x = d > 7 ? 0 : x;
        x = (uint16_t)(up & 1 ? x << 1 : x);
        x = (uint16_t)(up & 2 ? x << 2 : x);
        x = (uint16_t)(up & 4 ? x << 4 : x);
        x = (uint16_t)(x + 128) >> 8;
        x = x > 127 ? 127 : x;
        out[i] = (uint8_t)(x ? x | s : 0);
    }
    memcpy(to, out, sizeof out);
    return (uint8_t)shared;
}

static void rows_bfp8(const uint16_t *row, bool clean, unsigned n, uint8_t *to, uint8_t *exponents)
{
    uint16_t m[ROW], e[ROW], sign[ROW], nan = clean ? 0 : 0x7f;
    for (; n; n--, row += ROW, to += ROW) {
        for (unsigned i = 0; i < ROW; i++) {
            uint16_t x = row[i];
            e[i] = x & 0xff;
            sign[i] = x >> 8 & 0x80;
            x = x >> 8 & 0x7f;
            x = e[i] == 0xff ? x & nan : x;
            m[i] = e[i] ? x | 0x80 : 0;
        }
        *exponents++ = rows_block(m, e, sign, to);
    }
}

/* ---- L1 to Src ---- */

static void rows_src_bf16(const uint8_t *in, unsigned n, uint32_t *cell)
{
    for (; n; n--, in += 2 * (size_t)ROW, cell += ROW) {
        uint16_t v[ROW];
        memcpy(v, in, sizeof v);
        for (unsigned i = 0; i < ROW; i++)
            cell[i] = (uint32_t)v[i] << 16;
    }
}

static void rows_src_word(const uint8_t *in, unsigned n, uint32_t *cell)
{
    for (; n; n--, in += 4 * (size_t)ROW, cell += ROW) {
        uint32_t v[ROW];
        memcpy(v, in, sizeof v);
        for (unsigned i = 0; i < ROW; i++)
            cell[i] = v[i] & NUM_SRC_TF32;
    }
}

static void rows_src_bfp8(const uint8_t *in, const uint8_t *exponents, unsigned n, uint32_t *cell)
{
    const struct from_l1 f = {.in = NUM_BFP8, .out = NUM_BFP8};
    from_l1_to_src(from_l1_values(&f, in, 0, exponents, 0, n * ROW, cell), cell, n * ROW);
}

/* ---- Src to Dst ---- */

static void rows_dst_bf16(const uint32_t *cell, bool flush, unsigned n, uint16_t *row)
{
    const uint32_t always = flush ? 0 : UINT32_MAX; /* a mask, so that all are done at once */
    for (; n; n--, cell += ROW, row += ROW)
        for (unsigned i = 0; i < ROW; i++) {
            uint32_t x = cell[i] & (layout_src_exponent(cell[i]) ? UINT32_MAX : always);
            row[i] = layout_src_to_dst(x, false);
        }
}

const struct num_rows num_rows_plain = {.bf16 = rows_bf16,
                                        .word = rows_word,
                                        .word_bf16 = rows_word_bf16,
                                        .bfp8 = rows_bfp8,
                                        .src_bf16 = rows_src_bf16,
                                        .src_word = rows_src_word,
                                        .src_bfp8 = rows_src_bfp8,
                                        .dst_bf16 = rows_dst_bf16};
