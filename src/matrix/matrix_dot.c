/*
 * matrix_dot.c - the dot product of MVMUL, GAPOOL and DOTPV, in plain C.
 *
 * ISA pages: MVMUL, GAPOOL, DOTPV.
 *
 * The sixteen lanes form two groups of eight. The products of a group are cut to the group's largest
 * exponent and added exactly; then both groups and Dst are added in one step.
 *
 * Invariant: the bits are those of num/fpu.h, whichever way they are computed.
 *
 * Inaccuracies: none known against the vendor's simulator; the pages leave this arithmetic open.
 */
#include "matrix/matrix_dot.h"

#include <stddef.h>
#include <string.h>

#include "base/hot.h"
#include "num/fpu.h"
#include "num/layout.h"
#include "num/prng.h"

#define LANES 16
#define NEVER (-4096) /* exponent of a zero: below every other one */

/* Operands taken apart: signed parts of significands (small integers), exponents. */
struct parts {
    float p[LANES][LANES];
    int16_t e[LANES][LANES];
};

static void dot_parts_a(const struct matrix_dot *m, struct parts *a)
{
    unsigned phase = m->phase;
    for (unsigned k = 0; k < LANES; k++)
        for (unsigned j = 0; j < LANES; j++) {
            uint32_t d = m->a[k][j] & m->mask_a, e = layout_src_exponent(d);
            int32_t part = (int32_t)num_fpu_part_a(d, phase);
            part = layout_src_sign(d) ? -part : part;
            a->p[k][j] = (float)(e ? part : 0);
            a->e[k][j] = (int16_t)(e ? (int)e : NEVER);
        }
}

static void dot_parts_b(const struct matrix_dot *m, struct parts *b, bool keep)
{
    unsigned phase = m->phase;
    for (unsigned i = 0; i < m->rows; i++)
        for (unsigned k = 0; k < LANES; k++) {
            uint32_t d = m->b[i][k] & m->mask_b, e = layout_src_exponent(d);
            bool zero = !e && !keep;
            int part = zero ? 0 : (int)num_fpu_part_b(d, phase);
            b->p[i][k] = (float)(layout_src_sign(d) ? -part : part);
            b->e[i][k] = (int16_t)(zero ? NEVER : (int)e + m->k);
        }
}

/* num_fpu_cut() of sixteen products pa * pb, d to be shifted out; in floats, where a compiler finds
   vector instructions for it. All is exact but what is below a half anyway. */
static void dot_cut(const float *pa, float pb, const int16_t *d, int32_t *sum)
{
    uint32_t bits[LANES];
    float scale[LANES];
    for (unsigned j = 0; j < LANES; j++) {
        int32_t x = 127 - d[j];
        bits[j] = (uint32_t)(x > 0 ? x : 0) << 23; /* 2^-d */
    }
    memcpy(scale, bits, sizeof scale);
    for (unsigned j = 0; j < LANES; j++) {
        float q = pa[j] * pb;
        sum[j] += (int32_t)(q * scale[j] + (q < 0 ? -0.5f : 0.5f));
    }
}

/* The terms of the group from lane `first` on, in all columns; p, e: a row of SrcB. */
static void dot_group(const struct parts *a, const float *p, const int16_t *e, unsigned first,
                      int k, struct num_fpu_term *out)
{
    int16_t top[LANES], d[LANES];
    int32_t sum[LANES] = {0};
    for (unsigned j = 0; j < LANES; j++)
        top[j] = (int16_t)(k > 0 ? k : 0); /* where zeros stand, and the least that counts */
    for (unsigned l = first; l < first + 8; l++)
        for (unsigned j = 0; j < LANES; j++) {
            int16_t s = (int16_t)(a->e[l][j] + e[l]);
            top[j] = s > top[j] ? s : top[j];
        }
    for (unsigned l = first; l < first + 8; l++) {
        if (p[l] == 0)
            continue;
        for (unsigned j = 0; j < LANES; j++)
            d[j] = (int16_t)(top[j] - (int16_t)(a->e[l][j] + e[l]));
        dot_cut(a->p[l], p[l], d, sum);
    }
    for (unsigned j = 0; j < LANES; j++)
        out[j] = (struct num_fpu_term){top[j] > 0 ? sum[j] * (1 << 13) : 0, top[j]};
}

/* A Dst datum as {S, E8, M23}, and back. */
HOT_INLINE uint32_t dot_load(const uint16_t *high, const uint16_t *low, unsigned j, bool x8,
                             bool a32)
{
    if (a32)
        return layout_from_dst32(high[j], low[j]);
    if (x8)
        return (uint32_t)layout_bf16_from_dst(high[j]) << 16;
    return num_fpu_from_fp16(layout_fp16_from_dst(high[j]));
}

HOT_INLINE void dot_store(uint16_t *high, uint16_t *low, unsigned j, uint32_t v, bool x8, bool a32)
{
    if (!a32 && !x8) {
        high[j] = layout_fp16_to_dst(num_fpu_to_fp16(v));
        return;
    }
    high[j] = layout_high_to_dst(v);
    if (a32)
        low[j] = (uint16_t)v;
}

HOT_INLINE void dot_rows(const struct matrix_dot *m, bool x8, bool a32, bool keep, uint32_t *noise)
{
    struct parts a, b;
    struct num_fpu_term t0[LANES], t1[LANES];
    dot_parts_a(m, &a);
    dot_parts_b(m, &b, keep);
    for (unsigned i = 0; i < m->rows; i++) {
        uint16_t *high = matrix_dot_high(m, i), *low = a32 ? matrix_dot_low(m, i) : NULL;
        dot_group(&a, b.p[i], b.e[i], 0, m->k, t0);
        dot_group(&a, b.p[i], b.e[i], 8, m->k, t1);
        for (unsigned j = 0; j < LANES; j++) {
            uint32_t d = dot_load(high, low, j, x8, a32);
            if (noise)
                d = num_fpu_sum_as(t0[j], t1[j], d, x8, a32, true, prng_next(noise));
            else
                d = num_fpu_sum(t0[j], t1[j], d, x8, a32);
            dot_store(high, low, j, d, x8, a32);
        }
    }
}

void matrix_dot_plain(const struct matrix_dot *m)
{
    if (m->a32)
        dot_rows(m, m->x8, true, false, NULL);
    else if (m->x8)
        dot_rows(m, true, false, false, NULL);
    else
        dot_rows(m, false, false, false, NULL);
}

void matrix_dot_rare(const struct matrix_dot *m, bool keep_b, uint32_t *noise)
{
    dot_rows(m, m->x8, m->a32, keep_b, noise);
}
