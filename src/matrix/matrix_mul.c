/*
 * matrix_mul.c - Matrix Unit: MVMUL, DOTPV, GAPOOL, ELWMUL, ELWADD, ELWSUB on data.
 *
 * ISA pages: MVMUL, DOTPV, GAPOOL, ELWMUL, ELWADD, ELWSUB.
 *
 * Invariant: every row index is masked as the pages have it, so that no word reaches beyond a bank or
 * Dst.
 *
 * Inaccuracies: SrcA rows wrap at 64 if MVMUL starts in the last block of eight. Zero_Flag_disabled_src
 * acts on SrcB in MVMUL as it does in ELW*, and 0 minus minus zero is then a small number of no meaning; Zero_Flag_disabled_dst and Dstacc_override have no
 * effect. Fidelity phases other than 0 lower the exponent of ELWADD's and ELWSUB's sum before it is
 * rounded. Operands whose formats are of different exponent widths are looked at each by its own
 * code. Stochastic rounding (INFERRED): one generator, seeded when PRNG_SEED changes, one step per
 * datum in row order.
 */
#include "matrix/matrix_in.h"

#include "isa/tensix.h"
#include "matrix/matrix_dot.h"
#include "num/fpu.h"
#include "num/prng.h"

/* The generator starts anew where the seed has changed. */
static void mul_noise(struct matrix *m, uint32_t seed)
{
    uint32_t lane[PRNG_LANES];
    if (seed == m->seed)
        return;
    prng_seed(seed, lane);
    m->seed = seed;
    m->noise = lane[0];
}

HOT_INLINE struct matrix_style mul_style(struct matrix *m, const struct matrix_io *io)
{
    const uint16_t *thcfg = io->thread_config;
    unsigned a = matrix_format_a(io, SRC_A), b = matrix_format_b(io);
    bool force = cfg_thread_get(thcfg, THCFG_FP16A_FORCE);
    if (force)
        a = b = NUM_FP16;
    struct matrix_style s = {
        .mask_a = num_fpu_mask(a),
        .mask_b = num_fpu_mask(b),
        .format = (uint8_t)a,
        .phase = (io->rwc->fidelity + cfg_thread_get(thcfg, THCFG_FIDELITY_BASE)) & 3,
        .integer = !force && cfg_get(io->cfg, CFG_INT8_MATH_ENABLED),
        .x8 = !matrix_five(a),
        .a32 = io->dst32,
        .keep_b = cfg_get(io->cfg, CFG_ZERO_FLAG_DISABLED_SRC),
        .random = cfg_get(io->cfg, CFG_FPU_SRND_EN)};
    if (s.random)
        mul_noise(m, cfg_get(io->cfg, CFG_PRNG_SEED));
    return s;
}

struct matrix_style matrix_mul_style_of(struct matrix *m, const struct matrix_io *io)
{
    return mul_style(m, io);
}

/* ---- dot products ---- */

/* Integer form of the dot product. */
static void mul_dot_int(const struct matrix_dot *m, bool keep_b)
{
    uint32_t ga = num_fpu_int_mask_a(m->phase), gb = num_fpu_int_mask_b(m->phase);
    int32_t a[16][16];
    for (unsigned k = 0; k < 16; k++)
        for (unsigned j = 0; j < 16; j++)
            a[k][j] = num_fpu_int(m->a[k][j], ga, false);
    for (unsigned i = 0; i < m->rows; i++) {
        int32_t sum[16] = {0};
        for (unsigned k = 0; k < 16; k++) {
            int32_t b = num_fpu_int(m->b[i][k], gb, keep_b);
            for (unsigned j = 0; j < 16; j++)
                sum[j] += a[k][j] * b;
        }
        uint16_t *high = matrix_dot_high(m, i), *low = matrix_dot_low(m, i);
        for (unsigned j = 0; j < 16; j++) {
            uint32_t d = layout_from_dst32(high[j], low[j]);
            d = num_fpu_int_sum(d, sum[j]);
            high[j] = layout_high_to_dst(d);
            low[j] = (uint16_t)d;
        }
    }
}

/* Eight rows of Dst from p on: all are valid from now on. False if some were and some were not. */
HOT_INLINE bool mul_open_eight(struct dst *dst, unsigned p, bool *fresh)
{
    static const uint8_t valid[8] = {1, 1, 1, 1, 1, 1, 1, 1}, none[8] = {0};
    *fresh = !memcmp(&dst->valid[p], none, sizeof none);
    if (!*fresh && memcmp(&dst->valid[p], valid, sizeof valid) != 0)
        return false;
    memcpy(&dst->valid[p], valid, sizeof valid);
    return true;
}

/* Opens rows of Dst, `step` apart from `row` on. Those of each four are as far apart in memory; swizzling may take the second
   four elsewhere. */
HOT_INLINE void mul_open(const struct matrix_io *io, unsigned row, unsigned step,
                         struct matrix_dot *d)
{
    struct dst *dst = io->dst;
    bool wide = d->a32, together = !(wide && io->access & 1);
    unsigned p = wide ? dst_row32(row, io->access) : dst_row16(row, io->access);
    unsigned q = together ? p + 4 : dst_row32(row + 4, io->access);
    d->step = step * 16;
    d->high[0] = dst->d[p];
    d->high[1] = dst->d[q % DST_ROWS];
    if (wide) {
        d->low[0] = dst->d[p + DST_LOW];
        d->low[1] = dst->d[q + DST_LOW];
    }
    if (d->rows == 8 && together && mul_open_eight(dst, p, &d->fresh))
        return;
    d->fresh = false;
    for (unsigned i = 0; i < d->rows; i++)
        matrix_open(io, row + i * step, wide, 0);
}

/* What the first rows of a bank are called until it is written to; those from row r on: r / 8 more. */
static uint64_t mul_name(const struct src *s, unsigned which)
{
    unsigned bank = s->issue_bank[which] & 1;
    return (s->version[which][bank] + 1) * MATRIX_DOT_PLACES + (bank << 3);
}

/* Rows that hold nothing become zeros. */
static void mul_clear(struct matrix_dot *d)
{
    for (unsigned i = 0; d->fresh && i < d->rows; i++) {
        memset(matrix_dot_high(d, i), 0, sizeof(uint16_t[16]));
        if (d->a32)
            memset(matrix_dot_low(d, i), 0, sizeof(uint16_t[16]));
    }
    d->fresh = false;
}

/* What FMA does not take, by name. */
enum mul_rare { MUL_INTEGER = 1, MUL_KEEP_B = 2, MUL_RANDOM = 4 };

/* Whatever FMA does not take. */
static void mul_dot_as(struct matrix *m, struct matrix_dot *d, unsigned rare)
{
    mul_clear(d);
    if (rare & MUL_INTEGER)
        mul_dot_int(d, rare & MUL_KEEP_B);
    else if (rare)
        matrix_dot_rare(d, rare & MUL_KEEP_B, rare & MUL_RANDOM ? &m->noise : NULL);
    else if (m->wide)
        matrix_dot_avx512(d);
    else if (m->fast)
        matrix_dot_avx2(d);
    else
        matrix_dot_plain(d);
}

/* Sixteen rows of SrcA that go on at the bank's beginning. */
static void mul_around(struct matrix *m, struct matrix_dot *d, unsigned rare,
                       const uint32_t (*bank)[16], unsigned at)
{
    uint32_t around[16][16];
    for (unsigned k = 0; k < 16; k++)
        memcpy(around[k], bank[(at + k) % SRC_ROWS], sizeof around[k]);
    d->a = (const uint32_t(*)[16])around;
    d->name_a = 0;
    mul_dot_as(m, d, rare);
}

/* What products have in common until Config, ThreadConfig or a bank changes. */
struct mul_ground {
    struct matrix_dot d;     /* all but rows, names and phase */
    const uint32_t (*a)[16]; /* banks */
    const uint32_t (*b)[16];
    uint64_t name_a, name_b; /* of their first rows */
    uint8_t fidelity;        /* added to that of the counters */
    unsigned rare;
};

HOT_INLINE void mul_begin(struct matrix *m, const struct matrix_io *io, struct mul_ground *g)
{
    const struct matrix_style s = mul_style(m, io); /* in registers: nobody asks where it lies */
    g->rare = (s.integer ? MUL_INTEGER : 0u) | (s.keep_b ? MUL_KEEP_B : 0u) |
              (s.random ? MUL_RANDOM : 0u);
    g->a = (const uint32_t(*)[16])matrix_src(io, SRC_A);
    g->b = (const uint32_t(*)[16])matrix_src(io, SRC_B);
    g->name_a = mul_name(io->src, SRC_A);
    g->name_b = mul_name(io->src, SRC_B);
    g->fidelity = (uint8_t)cfg_thread_get(io->thread_config, THCFG_FIDELITY_BASE);
    /* field by field: clearing the rows of Dst takes longer than all the rest here */
    g->d.mask_a = s.mask_a;
    g->d.mask_b = s.mask_b;
    g->d.x8 = s.x8;
    g->d.a32 = s.a32;
    g->d.memo = &m->memo;
}

/* rows of Dst, `step` apart from `row` on; b: as many rows of SrcB. */
HOT_INLINE void mul_dot(struct matrix *m, const struct matrix_io *io, struct mul_ground *g,
                        unsigned row, unsigned rows, unsigned step, const uint32_t (*b)[16])
{
    unsigned at = io->rwc->srca & 0x38;
    struct matrix_dot *d = &g->d;
    d->a = g->a + at;
    d->b = b;
    d->rows = rows;
    d->phase = (io->rwc->fidelity + g->fidelity) & 3;
    d->k = num_fpu_k(d->phase, d->x8, d->a32);
    d->name_a = g->name_a + at / 8;
    d->name_b = step == 1 ? g->name_b + io->rwc->srcb / 8 % 8 : 0; /* else it is broadcast */
    m->row_a = (uint8_t)at;
    mul_open(io, row, step, d);
    if (at > SRC_ROWS - 16)
        mul_around(m, d, g->rare, g->a, at);
    else if (!m->fma || g->rare || !(m->wide ? matrix_dot_fma_512 : matrix_dot_fma)(d))
        mul_dot_as(m, d, g->rare);
}

HOT_INLINE void mul_eight_at(struct matrix *m, const struct matrix_io *io, struct mul_ground *g,
                             unsigned row)
{
    mul_dot(m, io, g, row & 0x3f8, 8, 1, g->b + (io->rwc->srcb & 0x38));
}

static void mul_eight(struct matrix *m, const struct matrix_io *io, unsigned row)
{
    struct mul_ground g;
    mul_begin(m, io, &g);
    mul_eight_at(m, io, &g, row);
}

/* One row of SrcB for every other of seven rows of Dst. */
static void mul_broadcast(struct matrix *m, const struct matrix_io *io, unsigned row)
{
    struct mul_ground g;
    uint32_t b[4][16];
    mul_begin(m, io, &g);
    for (unsigned i = 0; i < 4; i++)
        memcpy(b[i], g.b[io->rwc->srcb % SRC_ROWS], sizeof b[i]);
    row &= 0x400 - 7;
    if (g.d.a32 && io->access & 1) { /* swizzling takes the second half elsewhere */
        mul_dot(m, io, &g, row, 2, 2, (const uint32_t(*)[16])b);
        mul_dot(m, io, &g, row + 4, 2, 2, (const uint32_t(*)[16])b);
    } else {
        mul_dot(m, io, &g, row, 4, 2, (const uint32_t(*)[16])b);
    }
}

void matrix_mvmul(struct matrix *m, const struct matrix_io *io, const struct entry *e, unsigned row)
{
    if (bits_get(e->word, 19, 1))
        mul_broadcast(m, io, row);
    else
        mul_eight(m, io, row);
}

unsigned matrix_mul_mvmuls(struct matrix *m, const struct matrix_io *io, const struct entry *slot,
                           unsigned index, unsigned n, uint64_t now, unsigned apart)
{
    const uint32_t other = UINT32_C(0xff) << 24 | UINT32_C(3) << 22 | UINT32_C(1) << 19;
    struct mul_ground g;
    unsigned k = 0;
    mul_begin(m, io, &g);
    for (; k < n; k++, now += apart) {
        const struct entry *e = &slot[(index + k) % QUEUE_MAX];
        if ((e->word & other) != (uint32_t)TENSIX_OP_MVMUL << 24)
            break;
        unsigned row = matrix_dst_row(io, e->word);
        mul_eight_at(m, io, &g, row);
        matrix_after(m, io, e, TENSIX_OP_MVMUL, row, now);
    }
    return k;
}

void matrix_dotpv(struct matrix *m, const struct matrix_io *io, const struct entry *e, unsigned row)
{
    (void)e;
    mul_eight(m, io, row);
}

void matrix_gapool(struct matrix *m, const struct matrix_io *io, const struct entry *e,
                   unsigned row)
{
    struct mul_ground g;
    (void)e;
    mul_begin(m, io, &g);
    mul_dot(m, io, &g, row & 0x3fc, 4, 1, g.b + (io->rwc->srcb & 0x38));
}

/* ---- element by element ---- */

enum elw { ELW_MUL, ELW_ADD, ELW_SUB };

/* A row of Dst as {S, E8, M23}, and back. */
static void mul_load(const struct matrix_row *r, bool x8, uint32_t *out)
{
    if (r->low)
        for (unsigned j = 0; j < 16; j++)
            out[j] = layout_from_dst32(r->high[j], r->low[j]);
    else if (x8)
        for (unsigned j = 0; j < 16; j++)
            out[j] = (uint32_t)layout_bf16_from_dst(r->high[j]) << 16;
    else
        for (unsigned j = 0; j < 16; j++)
            out[j] = num_fpu_from_fp16(layout_fp16_from_dst(r->high[j]));
}

static void mul_store(const struct matrix_row *r, bool x8, const uint32_t *in)
{
    if (r->low)
        for (unsigned j = 0; j < 16; j++) {
            r->high[j] = layout_high_to_dst(in[j]);
            r->low[j] = (uint16_t)in[j];
        }
    else if (x8)
        for (unsigned j = 0; j < 16; j++)
            r->high[j] = layout_high_to_dst(in[j]);
    else
        for (unsigned j = 0; j < 16; j++)
            r->high[j] = layout_fp16_to_dst(num_fpu_to_fp16(in[j]));
}

HOT_INLINE void mul_row(enum elw what, const struct matrix_style *s, const uint32_t *a,
                        const uint32_t *b, uint32_t *d, uint32_t *noise, bool x8, bool a32)
{
    const struct num_fpu_term none = {0, 0};
    int k = num_fpu_k(s->phase, x8, a32);
    int lower = (s->phase & 1 ? 5 : 0) + (s->phase & 2 ? 7 : 0);
    for (unsigned j = 0; j < 16; j++) {
        uint32_t va = a[j] & s->mask_a;
        uint32_t vb = (b[j] ^ (what == ELW_SUB ? NUM_SRC_SIGN : 0)) & s->mask_b;
        struct num_fpu_term t;
        if (what == ELW_MUL) {
            t = num_fpu_product(va, vb, k, s->phase, s->keep_b);
        } else {
            t = num_fpu_add(va, vb, x8, a32, s->keep_b);
            t.e -= lower;
        }
        if (noise)
            d[j] = num_fpu_sum_as(t, none, d[j], x8, a32, true, prng_next(noise));
        else
            d[j] = num_fpu_sum(t, none, d[j], x8, a32);
    }
}

HOT_INLINE void mul_row_int(enum elw what, const struct matrix_style *s, const uint32_t *a,
                            const uint32_t *b, uint32_t *d)
{
    uint32_t ga = what == ELW_MUL ? num_fpu_int_mask_a(s->phase) : 0x3ff;
    uint32_t gb = what == ELW_MUL ? num_fpu_int_mask_b(s->phase) : 0x3ff;
    for (unsigned j = 0; j < 16; j++) {
        int32_t va = num_fpu_int(a[j], ga, false), vb = num_fpu_int(b[j], gb, s->keep_b);
        int32_t v = what == ELW_MUL ? va * vb : (what == ELW_ADD ? va + vb : va - vb);
        d[j] = num_fpu_int_sum(d[j], v);
    }
}

HOT_INLINE void mul_row_any(enum elw what, const struct matrix_style *s, const uint32_t *a,
                            const uint32_t *b, uint32_t *d, uint32_t *noise)
{
    if (s->integer)
        mul_row_int(what, s, a, b, d);
    else if (noise)
        mul_row(what, s, a, b, d, noise, s->x8, s->a32);
    else if (s->a32)
        mul_row(what, s, a, b, d, NULL, s->x8, true);
    else
        mul_row(what, s, a, b, d, NULL, s->x8, false);
}

HOT_INLINE void mul_elementwise(enum elw what, struct matrix *m, const struct matrix_io *io,
                                const struct entry *e, unsigned row)
{
    struct matrix_style s = matrix_mul_style_of(m, io);
    bool one_column = bits_get(e->word, 19, 1), one_row = bits_get(e->word, 20, 1);
    bool adds = what == ELW_MUL || bits_get(e->word, 21, 1);
    unsigned a = io->rwc->srca & 0x38, b = io->rwc->srcb & (one_row ? 0x3f : 0x38);
    uint32_t d[16], column[16];
    m->row_a = (uint8_t)a;
    row &= 0x3f8;
    for (unsigned i = 0; i < 8; i++) {
        const uint32_t *row_b = matrix_src(io, SRC_B)[b + (one_row ? 0 : i)];
        struct matrix_row r = matrix_open(io, row + i, s.a32, 0);
        if (one_column) {
            for (unsigned j = 0; j < 16; j++)
                column[j] = row_b[0];
            row_b = column;
        }
        if (adds)
            mul_load(&r, s.x8, d);
        else
            memset(d, 0, sizeof d);
        mul_row_any(what, &s, matrix_src(io, SRC_A)[a + i], row_b, d, s.random ? &m->noise : NULL);
        mul_store(&r, s.x8, d);
    }
}

void matrix_elwmul(struct matrix *m, const struct matrix_io *io, const struct entry *e,
                   unsigned row)
{
    mul_elementwise(ELW_MUL, m, io, e, row);
}

void matrix_elwadd(struct matrix *m, const struct matrix_io *io, const struct entry *e,
                   unsigned row)
{
    mul_elementwise(ELW_ADD, m, io, e, row);
}

void matrix_elwsub(struct matrix *m, const struct matrix_io *io, const struct entry *e,
                   unsigned row)
{
    mul_elementwise(ELW_SUB, m, io, e, row);
}
