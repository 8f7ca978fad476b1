/*
 * vector_shuffle.c - the Vector Unit's instructions that move numbers between registers and lanes: SFPSWAP, SFPSHFT2,
 * SFPTRANSP.
 *
 * ISA pages: SFPSWAP, SFPSHFT2, SFPTRANSP; SFPLOADMACRO for registers (Blackhole).
 *
 * Invariant: everything is read before anything is written; only lanes of vector_op.on change. SFPSWAP compares what
 * stands in the lanes' registers and exchanges what stands where results go (vector_io.out). SFPSHFT2 by immediate
 * takes VB from vector_op, whose VB is the word's unless SFPLOADMACRO chose one.
 *
 * Inaccuracies: behind SFPLOADMACRO the operand that SFPSWAP calls VD is VB (INFERRED: the page has it for other simple
 * instructions, and tt-llk's exponential, which compares with a constant, needs it). Where the pages of SFPSHFT2 and SFPTRANSP do not say whose LaneConfig decides about the backdoor, each lane's own
 * does (INFERRED). Modes 7-15 of SFPSHFT2, which are undefined, do nothing.
 */
#include "probe/probe.h"
#include "vector/vector_in.h"
#include "wait/wait.h"

#ifdef VECTOR_AVX2
#include <immintrin.h>
#endif

static unsigned shuffle_mod1(const struct vector_op *o)
{
    return bits_get(o->word, 0, 4);
}

/* ---- SFPSWAP ---- */

/* A key whose order as a signed number is the order of sign-magnitude numbers, -0 before 0. */
static int32_t shuffle_key(uint32_t x)
{
    return (int32_t)(x ^ (uint32_t)((int32_t)x >> 31) >> 1);
}

/* Does any lane have this bit of LaneConfig? Mostly not, and then nobody has to look lane by lane. */
static bool shuffle_any(const struct lanes *l, uint32_t bit)
{
    uint32_t any = 0;
    for (unsigned i = 0; i < LANES; i++)
        any |= l->config[i];
    return any & bit;
}

/* Rows where VD is to become the smaller one, by Mod1; 0 exchanges always. */
static const uint8_t shuffle_min[16] = {
    [1] = 0xf, [2] = 0x3, [3] = 0x5, [4] = 0x9, [5] = 0x1, [6] = 0x2, [7] = 0x4, [8] = 0x8};

/* All ones in lanes where VC and VD are to be exchanged, else 0. */
static void shuffle_swaps(const struct lanes *l, const struct vector_op *o, uint32_t swap[LANES])
{
    const uint32_t *c = l->r[o->vc], *d = l->r[vector_swap_d(o)];
    unsigned mod1 = shuffle_mod1(o);
    if (mod1 == 0) {
        memset(swap, 0xff, LANES * sizeof *swap);
    } else {
        for (unsigned i = 0; i < LANES; i++)
            swap[i] = 0 - (uint32_t)(shuffle_key(c[i]) < shuffle_key(d[i]));
        for (unsigned row = 0; row < 4; row++)
            for (unsigned i = 8 * row; i < 8 * row + 8; i++)
                swap[i] ^= (shuffle_min[mod1] >> row & 1u) - 1;
        if (shuffle_any(l, LANE_EXCHANGE))
            for (unsigned i = 0; i < LANES; i++)
                swap[i] ^= l->config[i] & LANE_EXCHANGE ? UINT32_MAX : 0;
    }
    if (o->on != UINT32_MAX)
        for (unsigned i = 0; i < LANES; i++)
            swap[i] &= 0 - (o->on >> i & 1);
}

/* Writes each register's old number to the other one, where the register's mask allows it. SFPSWAP compares in its
   first cycle and reads again in its second: what it exchanges is what then stands where results go. */
static void shuffle_exchange(uint32_t r[][LANES], unsigned c, unsigned d,
                             const uint32_t on_c[LANES], const uint32_t on_d[LANES])
{
    uint32_t v[LANES], w[LANES];
    for (unsigned i = 0; i < LANES; i++) {
        uint32_t x = r[c][i] ^ r[d][i];
        v[i] = r[c][i] ^ (x & on_c[i]);
        w[i] = r[d][i] ^ (x & on_d[i]);
    }
    memcpy(r[c], v, sizeof v);
    memcpy(r[d], w, sizeof w);
}

#ifdef VECTOR_AVX2
static __m256i shuffle_keys(__m256i v)
{
    return _mm256_xor_si256(v, _mm256_srli_epi32(_mm256_srai_epi32(v, 31), 1));
}

/* All lanes are on, and nothing is special about any of them; mod1 is not 0. min: rows, as in shuffle_min. */
HOT_INLINE void shuffle_usual(const struct vector_io *io, const struct vector_op *o, unsigned min)
{
    unsigned vd = vector_swap_d(o);
#pragma GCC unroll 4
    for (unsigned row = 0; row < 4; row++) {
        __m256i *c = (__m256i *)(io->out[o->vc] + 8 * row);
        __m256i *d = (__m256i *)(io->out[vd] + 8 * row);
        __m256i x = _mm256_loadu_si256(c), y = _mm256_loadu_si256(d);
        __m256i a = shuffle_keys(x),
                b = shuffle_keys(y); /* of the same key are only the same numbers */
        __m256i swap = min >> row & 1u ? _mm256_cmpgt_epi32(b, a) : _mm256_cmpgt_epi32(a, b);
        if (o->vc < 8)
            _mm256_storeu_si256(c, _mm256_blendv_epi8(x, y, swap));
        if (vd < 8)
            _mm256_storeu_si256(d, _mm256_blendv_epi8(y, x, swap));
    }
}

static void shuffle_swap_min(const struct vector_io *io, const struct vector_op *o)
{
    shuffle_usual(io, o, 0xf);
}

static void shuffle_swap_max(const struct vector_io *io, const struct vector_op *o)
{
    shuffle_usual(io, o, 0);
}

static vector_effect *shuffle_swap_usual(const struct vector_op *o)
{
    unsigned mod1 = shuffle_mod1(o);
    if (!mod1 || o->vc >= LANES_LREGS)
        return NULL;
    return shuffle_min[mod1] == 0xf ? shuffle_swap_min
           : shuffle_min[mod1]      ? NULL
                                    : shuffle_swap_max;
}
#endif

void vector_sfpswap(const struct vector_io *io, const struct vector_op *o)
{
#ifdef VECTOR_AVX2
    if (o->on == UINT32_MAX && !io->lanes->config_any && shuffle_mod1(o) &&
        io->out == io->lanes->r) {
        shuffle_usual(io, o, shuffle_min[shuffle_mod1(o)]);
        return;
    }
#endif
    static const uint32_t never[LANES];
    struct lanes *l = io->lanes;
    uint32_t swap[LANES], number[LANES], index[LANES];
    const uint32_t *high = swap; /* where LReg 4-7 are numbers */
    bool indices = shuffle_any(l, LANE_DEST_INDEX);
    unsigned vd = vector_swap_d(o);
    shuffle_swaps(l, o, swap);
    if (indices) { /* there LReg 4-7 follow LReg 0-3 and are not themselves written as numbers */
        for (unsigned i = 0; i < LANES; i++) {
            index[i] = l->config[i] & LANE_DEST_INDEX ? swap[i] : 0;
            number[i] = swap[i] & ~index[i];
        }
        high = number;
    }
    if (o->vc != vd)
        shuffle_exchange(io->out,
                         o->vc,
                         vd,
                         o->vc < 4   ? swap
                         : o->vc < 8 ? high
                                     : never,
                         vd < 4   ? swap
                         : vd < 8 ? high
                                  : never);
    if (indices && (o->vc & 3) != (vd & 3))
        shuffle_exchange(io->out, 4 + (o->vc & 3u), 4 + (vd & 3u), index, index);
}

/* ---- SFPSHFT2 ---- */

/* Each lane's left neighbour; column 0 takes column 7 of its row, or 0. */
static void shuffle_left(const uint32_t c[LANES], bool around, uint32_t v[LANES])
{
    for (unsigned row = 0; row < LANES; row += 8) {
        v[row] = around ? c[row + 7] : 0;
        for (unsigned i = 1; i < 8; i++)
            v[row + i] = c[row + i - 1];
    }
}

/* LReg 0-2 take the numbers of LReg 1-3, and LReg 3 the given ones. */
static void shuffle_copy4(const struct vector_io *io, const struct vector_op *o,
                          const uint32_t last[LANES])
{
    uint32_t(*r)[LANES] = io->lanes->r;
    for (unsigned i = 0; i < 3; i++)
        vector_write(io, o, i, r[i + 1]);
    vector_write(io, o, 3, last);
}

/* VB by VC's number of bits, or by the immediate; to the right if it is negative. */
static void shuffle_bits(const struct vector_io *io, const struct vector_op *o, bool immediate,
                         uint32_t v[LANES])
{
    const uint32_t *b = io->lanes->r[o->vb], *c = io->lanes->r[o->vc];
    uint32_t imm = (uint32_t)((int32_t)(o->word << 8) >> 20);
    for (unsigned i = 0; i < LANES; i++) {
        uint32_t n = immediate ? imm : c[i];
        v[i] = n >> 31 ? b[i] >> ((0 - n) & 31) : b[i] << (n & 31);
    }
}

void vector_sfpshft2(const struct vector_io *io, const struct vector_op *o)
{
    const struct lanes *l = io->lanes;
    unsigned mod1 = shuffle_mod1(o);
    uint32_t v[LANES] = {0};
    switch (mod1) {
    case 0: shuffle_copy4(io, o, v); return;
    case 1:
        memcpy(v, l->r[0] + 8, 24 * sizeof *v); /* the next row's */
        shuffle_copy4(io, o, v);
        return;
    case 2:
        shuffle_left(l->r[o->vc], true, v);
        shuffle_copy4(io, o, v);
        return;
    case 3:
    case 4: shuffle_left(l->r[o->vc], mod1 == 3, v); break;
    case 5:
    case 6: shuffle_bits(io, o, mod1 == 6, v); break;
    default: vector_play_report(io, o, DIAG_SHFT2_MODE, mod1); return;
    }
    vector_write(io, o, o->vd, v);
}

/* ---- SFPTRANSP ---- */

void vector_sfptransp(const struct vector_io *io, const struct vector_op *o)
{
    uint32_t(*r)[LANES] = io->lanes->r;
    for (unsigned base = 0; base < 8; base += 4) {
        uint32_t v[4][LANES];
        for (unsigned i = 0; i < 4; i++)
            for (unsigned row = 0; row < 4; row++)
                memcpy(v[i] + 8 * row, r[base + row] + 8 * i, 8 * sizeof v[i][0]);
        for (unsigned i = 0; i < 4; i++)
            vector_write(io, o, base + i, v[i]);
    }
}
