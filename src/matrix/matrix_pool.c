/*
 * matrix_pool.c - Matrix Unit: GMPOOL, the maximum of each column of SrcA.
 *
 * ISA page: GMPOOL.
 *
 * Invariant: of four rows of Dst the first gets the maxima, the others are cleared.
 *
 * Inaccuracies: as the page has it; the vendor's simulator carries out less (no SrcB other than
 * 1.0, no FP16, no integers, no argmax).
 */
#include "matrix/matrix_in.h"

#include "isa/tensix.h"
#include "num/fpu.h"

struct pool {
    enum num_fpu_pool src, dst;
    bool a32, argmax;
};

static struct pool pool_of(struct matrix *m, const struct matrix_io *io, bool argmax)
{
    struct matrix_style s = matrix_mul_style_of(m, io);
    struct pool p = {.a32 = s.a32, .argmax = argmax};
    if (s.integer)
        p.src = p.dst = NUM_POOL_INT;
    else if (!s.x8)
        p.src = NUM_POOL_FP16, p.dst = s.a32 && !argmax ? NUM_POOL_TF32 : NUM_POOL_FP16;
    else if (s.format != NUM_TF32)
        p.src = NUM_POOL_BF16, p.dst = s.a32 && !argmax ? NUM_POOL_TF32 : NUM_POOL_BF16;
    else
        p.src = NUM_POOL_TF32,
        p.dst = argmax ? NUM_POOL_INT : (s.a32 ? NUM_POOL_TF32 : NUM_POOL_BF16);
    return p;
}

static uint32_t pool_load(const struct matrix_row *r, unsigned j)
{
    return (uint32_t)r->high[j] << 16 | (r->low ? r->low[j] : 0u);
}

static void pool_store(const struct matrix_row *r, unsigned j, uint32_t v)
{
    r->high[j] = (uint16_t)(v >> 16);
    if (r->low)
        r->low[j] = (uint16_t)v;
}

/* Column j; a: sixteen rows of SrcA, b: a row of SrcB. Returns what becomes of the Dst datum. */
static uint32_t pool_column(const struct pool *p, const uint32_t (*a)[16], const uint32_t *b,
                            unsigned j, uint32_t dst)
{
    static const uint8_t turned[8] = {0, 3, 6, 1, 4, 7, 2, 5};
    uint32_t max = num_fpu_pool_read(dst, p->dst), phase = (dst + 0x100) & 0xf00;
    uint32_t index = dst & 0xff;
    for (unsigned n = 0; n < 16; n++) {
        unsigned i = n < 8 ? n ^ 4 : n; /* the order decides between equals */
        uint32_t x = num_fpu_pool_src(a[i][j], b[i], p->src);
        if (num_fpu_pool_key(x) < num_fpu_pool_key(max))
            continue;
        max = x;
        if (i < 8)
            index = (phase >> 4) + turned[i];
    }
    if (!p->argmax)
        return num_fpu_pool_write(max, p->dst);
    return (p->dst == NUM_POOL_INT ? 0 : num_fpu_pool_write(max, p->dst)) | phase | index;
}

void matrix_gmpool(struct matrix *m, const struct matrix_io *io, const struct entry *e,
                   unsigned row)
{
    struct pool p = pool_of(m, io, bits_get(e->word, 14, 1));
    unsigned at = io->rwc->srca & 0x30;
    const uint32_t(*a)[16] = (const uint32_t(*)[16])matrix_src(io, SRC_A) + at;
    const uint32_t *b = matrix_src(io, SRC_B)[io->rwc->srcb & 0x38];
    m->row_a = (uint8_t)at;
    row &= 0x3fc;
    struct matrix_row r = matrix_open(io, row, p.a32, 0xff);
    for (unsigned j = 0; j < 16; j++)
        pool_store(&r, j, pool_column(&p, a, b, j, pool_load(&r, j)));
    for (unsigned i = 1; i < 4; i++) {
        r = matrix_open(io, row + i, p.a32, 0xff);
        for (unsigned j = 0; j < 16; j++)
            pool_store(&r, j, p.a32 && p.argmax ? (pool_load(&r, j) + 0x100) & 0xf00 : 0);
    }
}
