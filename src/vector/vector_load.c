/*
 * vector_load.c - SFPLOAD, SFPSTORE and SFPLOADI: between Dst and the lanes.
 *
 * ISA pages: SFPLOAD, SFPSTORE, SFPLOADI, Dst (Blackhole). An access is four rows of eight cells: the even or the odd
 * columns. Cells are collected first, and converted in loops over all lanes without branches.
 *
 * Invariant: a row that a store makes valid has all its other columns 0 (see dst.h).
 *
 * Inaccuracies: whether a store to a part of an invalid row shows what was in the other columns is not documented.
 * The stack pointer has ten bits. SFPU_DEST_FMT of ThreadConfig, which nobody describes, is ignored. Modes of SFPLOADI
 * that do not exist do nothing.
 */
#include "num/format.h"
#include "num/layout.h"
#include "probe/probe.h"
#include "vector/vector_in.h"
#include "wait/wait.h"

#ifdef VECTOR_AVX2
#include <immintrin.h>
#endif

enum {
    MODE_SRCB,
    MODE_FP16,
    MODE_BF16,
    MODE_FP32,
    MODE_INT32,
    MODE_INT8,
    MODE_UINT16,
    MODE_HI16,
    MODE_INT16,
    MODE_LO16,
    MODE_INT32_ALL,
    MODE_ZERO,
    MODE_INT32_SM,
    MODE_INT8_COMP,
    MODE_LO16_ONLY,
    MODE_HI16_ONLY
};

/* Modes, as bits, that see rows of 32 bits. */
#define LOADS_WIDE  (1u << MODE_FP32 | 1u << MODE_INT32 | 1u << MODE_INT32_ALL | 1u << MODE_INT32_SM)
#define STORES_WIDE (LOADS_WIDE | 1u << MODE_HI16 | 1u << MODE_LO16)

/* The cells of an access, by lane. */
struct vector_cells {
    uint16_t high[LANES], low[LANES];
};

/* Formats whose 16-bit form is BF16. */
#define VECTOR_BF16_FORMATS                                                                        \
    (1u << NUM_FP32 | 1u << NUM_TF32 | 1u << NUM_BF16 | 1u << NUM_BFP8 | 1u << NUM_BFP4 |          \
     1u << NUM_BFP2 | 1u << NUM_INT32 | 1u << NUM_INT16)

/* Mode 0 is what Config says of SrcB. */
static unsigned vector_mode(const struct vector_io *io, unsigned mode)
{
    if (mode != MODE_SRCB)
        return mode;
    if (cfg_get(io->cfg, CFG_SFPU_FP32_ENABLED))
        return MODE_FP32;
    unsigned format =
        cfg_get(io->cfg, cfg_get(io->cfg, CFG_SRCB_FMT_OVERRIDE) ? CFG_SRCB_FMT_VAL : CFG_SRCB_FMT);
    return VECTOR_BF16_FORMATS >> format & 1 ? MODE_BF16 : MODE_FP16;
}

/* Addr; all: the mode that goes by the stack pointer, and moves it. */
HOT_INLINE unsigned vector_address_in(const struct vector_io *io, uint32_t word, bool store,
                                      bool all)
{
    unsigned step = all ? cfg_thread_get(io->thread_config, THCFG_SFPU_STACK_INCR) : 0;
    if (all && !store && io->rwc->sp)
        io->rwc->sp = (uint16_t)((io->rwc->sp - step) % DST_ROWS);
    unsigned base = bits_get(word, 0, 10) + cfg_thread_get(io->thread_config, THCFG_MATH_OFFSET);
    unsigned dst = io->rwc->dst + cfg_get(io->cfg, CFG_DEST_REGW_BASE);
    unsigned sp = io->rwc->sp + cfg_get(io->cfg, CFG_DEST_SP_BASE);
    if (all && store)
        io->rwc->sp = (uint16_t)((io->rwc->sp + step) % DST_ROWS);
    return (base + (all ? sp + (dst & 3) : dst + (sp & 3))) % DST_ROWS;
}

unsigned vector_load_address(const struct vector_io *io, uint32_t word, bool store)
{
    return vector_address_in(io, word, store, bits_get(word, 16, 4) == MODE_INT32_ALL);
}

/* Which lanes of a row of lanes see the odd columns, bit per column; bit: of LaneConfig. */
static unsigned vector_odd(const struct vector_io *io, unsigned address, uint32_t bit)
{
    return address & 2 ? 0xff : lanes_with(io->lanes, bit) & 0xff;
}

/* Eight cells of a row of Dst. */
static void vector_pick(uint16_t out[8], const uint16_t row[16], unsigned odd)
{
    if (odd == 0)
        for (unsigned i = 0; i < 8; i++)
            out[i] = row[2 * i];
    else if (odd == 0xff)
        for (unsigned i = 0; i < 8; i++)
            out[i] = row[2 * i + 1];
    else
        for (unsigned i = 0; i < 8; i++)
            out[i] = row[2 * i + (odd >> i & 1)];
}

static void vector_read(const struct vector_io *io, unsigned address, bool wide,
                        struct vector_cells *c)
{
    uint32_t access = io->cfg[cfg_word(CFG_DEST_SWIZZLE_32B)];
    unsigned odd = vector_odd(io, address, LANE_LOAD_ODD);
    for (unsigned i = 0; i < 4; i++) {
        unsigned r = (address & ~3u) + i;
        unsigned p = wide ? dst_row32(r, access) : dst_row16(r, access);
        if (!io->dst->valid[p]) {
            memset(&c->high[8 * i], 0, 8 * sizeof c->high[0]);
            memset(&c->low[8 * i], 0, 8 * sizeof c->low[0]);
            continue;
        }
        vector_pick(&c->high[8 * i], io->dst->d[p], odd);
        if (wide)
            vector_pick(&c->low[8 * i], io->dst->d[p + DST_LOW], odd);
    }
}

/* Eight cells into a row of Dst; on: bit per column. */
static void vector_put(uint16_t row[16], const uint16_t in[8], unsigned odd, unsigned on)
{
    if (on == 0xff && odd == 0)
        for (unsigned i = 0; i < 8; i++)
            row[2 * i] = in[i];
    else if (on == 0xff && odd == 0xff)
        for (unsigned i = 0; i < 8; i++)
            row[2 * i + 1] = in[i];
    else
        for (unsigned i = 0; i < 8; i++) {
            uint16_t *cell = &row[2 * i + (odd >> i & 1)];
            *cell = on >> i & 1 ? in[i] : *cell;
        }
}

static void vector_write_dst(const struct vector_io *io, unsigned address, bool wide,
                             const struct vector_cells *c, uint32_t on)
{
    uint32_t access = io->cfg[cfg_word(CFG_DEST_SWIZZLE_32B)];
    unsigned odd = vector_odd(io, address, LANE_STORE_ODD);
    for (unsigned i = 0; i < 4; i++, on >>= 8) {
        unsigned r = (address & ~3u) + i;
        unsigned p = wide ? dst_row32(r, access) : dst_row16(r, access);
        uint16_t *high = io->dst->d[p], *low = io->dst->d[wide ? p + DST_LOW : p];
        if (!(on & 0xff))
            continue;
        if (!io->dst->valid[p]) {
            memset(high, 0, sizeof io->dst->d[0]);
            memset(low, 0, sizeof io->dst->d[0]);
            io->dst->valid[p] = 1;
        }
        vector_put(high, &c->high[8 * i], odd, on & 0xff);
        if (wide)
            vector_put(low, &c->low[8 * i], odd, on & 0xff);
    }
}

/* FP16 as Dst has it; exponent 0 stays 0, so that arithmetic takes it for zero. */
static void vector_from_fp16(uint32_t v[LANES], const uint16_t cell[LANES], uint32_t infinite)
{
    for (unsigned i = 0; i < LANES; i++) {
        uint32_t exponent = cell[i] & 0x1f, fraction = cell[i] >> 5 & 0x3ff;
        uint32_t finite = (exponent + (exponent ? 112 : 0)) << 23 | fraction << 13;
        bool inf = (cell[i] & 0x7fff) == 0x7fff && infinite >> i & 1;
        v[i] = (uint32_t)(cell[i] >> 15) << 31 | (inf ? 0x7f800000 : finite);
    }
}

/* Sign and some of the bits below. */
static void vector_from_int(uint32_t v[LANES], const uint16_t cell[LANES], unsigned shift,
                            uint32_t mask)
{
    for (unsigned i = 0; i < LANES; i++)
        v[i] = (uint32_t)(cell[i] >> 15) << 31 | (cell[i] >> shift & mask);
}

/* old: the register before. */
static void vector_from_cells(uint32_t v[LANES], const struct vector_cells *c, unsigned mode,
                              const uint32_t old[LANES], uint32_t infinite)
{
    switch (mode) {
    case MODE_FP16: vector_from_fp16(v, c->high, infinite); break;
    case MODE_BF16:
        for (unsigned i = 0; i < LANES; i++)
            v[i] = (uint32_t)layout_bf16_from_dst(c->high[i]) << 16;
        break;
    case MODE_INT8: vector_from_int(v, c->high, 5, 0xff); break;
    case MODE_INT8_COMP: vector_from_int(v, c->high, 5, 0x3ff); break;
    case MODE_INT16: vector_from_int(v, c->high, 0, 0x7fff); break;
    case MODE_UINT16:
    case MODE_LO16:
        for (unsigned i = 0; i < LANES; i++)
            v[i] = c->high[i];
        break;
    case MODE_HI16:
        for (unsigned i = 0; i < LANES; i++)
            v[i] = (uint32_t)c->high[i] << 16;
        break;
    case MODE_LO16_ONLY:
        for (unsigned i = 0; i < LANES; i++)
            v[i] = (old[i] & 0xffff0000) | c->high[i];
        break;
    case MODE_HI16_ONLY:
        for (unsigned i = 0; i < LANES; i++)
            v[i] = (old[i] & 0xffff) | (uint32_t)c->high[i] << 16;
        break;
    case MODE_ZERO: memset(v, 0, LANES * sizeof v[0]); break;
    default: /* 32 bits */
        for (unsigned i = 0; i < LANES; i++)
            v[i] = layout_from_dst32(c->high[i], c->low[i]);
        break;
    }
}

/* Where each lane's datum came from, for SFPSWAP's index tracking. */
static void vector_capture(const struct vector_io *io, unsigned vd, unsigned address, uint32_t on)
{
    unsigned odd = vector_odd(io, address, LANE_LOAD_ODD);
    on &= lanes_with(io->lanes, LANE_DEST_INDEX) & lanes_with(io->lanes, LANE_CAPTURE_INDEX);
    for (unsigned i = 0; i < LANES; i++) {
        unsigned row = (address & ~3u) + i / 8, column = 2 * (i % 8) + (odd >> i % 8 & 1);
        if (on >> i & 1)
            io->out[vd + 4][i] = row << 4 | column;
    }
}

#ifdef VECTOR_AVX2
/* An access to rows of BF16 or FP32 in all lanes, with nothing special about any of them: where it begins; or DST_ROWS. */
static unsigned vector_usual_row(const struct vector_io *io, unsigned mode, unsigned address)
{
    uint32_t access = io->cfg[cfg_word(CFG_DEST_SWIZZLE_32B)], valid;
    unsigned row = address & ~3u;
    if (mode != MODE_BF16 && mode != MODE_FP32)
        return DST_ROWS;
    row = mode == MODE_FP32 ? dst_row32(row, access) : dst_row16(row, access);
    memcpy(&valid, &io->dst->valid[row], sizeof valid);
    return valid == 0x01010101 ? row : DST_ROWS;
}

/* The same, if that is so. */
static unsigned vector_usual(const struct vector_io *io, unsigned mode, unsigned address,
                             uint32_t on)
{
    return on == UINT32_MAX && !io->lanes->config_any ? vector_usual_row(io, mode, address)
                                                      : DST_ROWS;
}

static __m256i vector_row(const uint16_t row[16])
{
    return _mm256_loadu_si256((const __m256i *)row);
}

/* v moved to the left by n bits, or to the right by -n, and of that the bits of mask. n: a constant. */
HOT_INLINE __m256i vector_bits(__m256i v, int n, uint32_t mask)
{
    v = n < 0 ? _mm256_srli_epi32(v, -n) : n ? _mm256_slli_epi32(v, n) : v;
    return _mm256_and_si256(v, _mm256_set1_epi32((int)mask));
}

HOT_INLINE __m256i vector_three(__m256i a, __m256i b, __m256i c)
{
    return _mm256_or_si256(_mm256_or_si256(a, b), c);
}

/* Even or odd columns of four rows; wide, odd: constants. A cell has its sign, fraction and exponent in this order. */
HOT_INLINE void vector_load_columns(const struct vector_io *io, unsigned row, bool wide, bool odd,
                                    uint32_t *v)
{
    int up = odd ? 0 : 16;
#pragma GCC unroll 4
    for (unsigned i = 0; i < 4; i++) {
        __m256i c = vector_row(io->dst->d[row + i]);
        __m256i x = vector_three(vector_bits(c, up, 0x80000000),
                                 vector_bits(c, up - 9 + 16, 0x7f800000),
                                 vector_bits(c, up - 8, 0x007f0000));
        if (wide)
            x = _mm256_or_si256(
                x, vector_bits(vector_row(io->dst->d[row + i + DST_LOW]), up - 16, 0xffff));
        _mm256_storeu_si256((__m256i *)(v + 8 * i), x);
    }
}

/* The same for a store; denormals are zeros. */
HOT_INLINE void vector_store_columns(const struct vector_io *io, unsigned row, bool wide, bool odd,
                                     const uint32_t *v)
{
    int up = odd ? 0 : -16;
#pragma GCC unroll 4
    for (unsigned i = 0; i < 4; i++) {
        __m256i x = _mm256_loadu_si256((const __m256i *)(v + 8 * i));
        __m256i zero = _mm256_cmpeq_epi32(vector_bits(x, 0, 0x7f800000), _mm256_setzero_si256());
        x = _mm256_andnot_si256(vector_bits(zero, 0, 0x7fffffff), x);
        __m256i c = vector_three(vector_bits(x, up, odd ? 0x80000000 : 0x8000),
                                 vector_bits(x, up - 7, odd ? 0x00ff0000 : 0xff),
                                 vector_bits(x, up + 8, odd ? 0x7f000000 : 0x7f00));
        __m256i *high = (__m256i *)io->dst->d[row + i];
        _mm256_storeu_si256(high,
                            odd ? _mm256_blend_epi16(_mm256_loadu_si256(high), c, 0xaa)
                                : _mm256_blend_epi16(_mm256_loadu_si256(high), c, 0x55));
        if (!wide)
            continue;
        __m256i *low = (__m256i *)io->dst->d[row + i + DST_LOW];
        c = _mm256_loadu_si256(low);
        _mm256_storeu_si256(low,
                            odd ? _mm256_blend_epi16(c, _mm256_slli_epi32(x, 16), 0xaa)
                                : _mm256_blend_epi16(c, x, 0x55));
    }
}

/* row: vector_usual() */
static void vector_load_usual(const struct vector_io *io, unsigned row, bool wide, bool odd,
                              uint32_t *v)
{
    switch (2 * wide + odd) {
    case 0: vector_load_columns(io, row, false, false, v); break;
    case 1: vector_load_columns(io, row, false, true, v); break;
    case 2: vector_load_columns(io, row, true, false, v); break;
    default: vector_load_columns(io, row, true, true, v); break;
    }
}

static void vector_store_usual(const struct vector_io *io, unsigned row, bool wide, bool odd,
                               const uint32_t *v)
{
    switch (2 * wide + odd) {
    case 0: vector_store_columns(io, row, false, false, v); break;
    case 1: vector_store_columns(io, row, false, true, v); break;
    case 2: vector_store_columns(io, row, true, false, v); break;
    default: vector_store_columns(io, row, true, true, v); break;
    }
}

/* SFPLOAD or SFPSTORE while all lanes are on and none is configured. */
HOT_INLINE void usual(const struct vector_io *io, const struct vector_op *o, bool store)
{
    unsigned mode = vector_mode(io, bits_get(o->word, 16, 4));
    unsigned address = vector_address_in(io, o->word, store, false);
    unsigned row = vector_usual_row(io, mode, address);
    if (!LIKELY(row < DST_ROWS))
        (store ? vector_load_store_at : vector_load_at)(io, o, mode, address);
    else if (store)
        vector_store_usual(io, row, mode == MODE_FP32, address & 2, io->lanes->r[o->vd]);
    else
        vector_load_usual(io, row, mode == MODE_FP32, address & 2, io->lanes->r[o->vd]);
}

static void load_usual(const struct vector_io *io, const struct vector_op *o)
{
    usual(io, o, false);
}

static void store_usual(const struct vector_io *io, const struct vector_op *o)
{
    usual(io, o, true);
}

static vector_effect *load_or_store_usual(const struct vector_op *o)
{
    bool store = o->word >> 24 == TENSIX_OP_SFPSTORE;
    if (bits_get(o->word, 16, 4) == MODE_INT32_ALL || (!store && o->vd >= 8))
        return NULL;
    return store ? store_usual : load_usual;
}
#endif

void vector_load_at(const struct vector_io *io, const struct vector_op *o, unsigned mode,
                    unsigned address)
{
    struct vector_cells c;
    uint32_t v[LANES];
    if (o->vd >= 8)
        return;
    mode = vector_mode(io, mode);
#ifdef VECTOR_AVX2
    unsigned usual = vector_usual(io, mode, address, o->on);
    if (usual < DST_ROWS) {
        vector_load_usual(io, usual, mode == MODE_FP32, address & 2, io->out[o->vd]);
        return;
    }
#endif
    vector_read(io, address, LOADS_WIDE >> mode & 1, &c);
    vector_from_cells(v, &c, mode, io->lanes->r[o->vd], lanes_with(io->lanes, LANE_FP16A_INF));
    struct vector_op part = *o;
    part.on = (mode == MODE_INT32_ALL ? o->open : o->on) & ~lanes_with(io->lanes, LANE_NO_LOAD);
    vector_write(io, &part, o->vd, v);
    if (o->vd < 4 && io->lanes->config_any & LANE_CAPTURE_INDEX)
        vector_capture(io, o->vd, address, part.on);
}

unsigned vector_load_block(const struct vector_io *io, uint32_t word)
{
    struct rwc_thread rwc = *io->rwc;
    struct vector_io still = *io;
    still.rwc = &rwc;
    unsigned mode = vector_mode(io, bits_get(word, 16, 4));
    unsigned row = vector_load_address(&still, word, false) & ~3u;
    uint32_t access = io->cfg[cfg_word(CFG_DEST_SWIZZLE_32B)];
    bool wide = LOADS_WIDE >> mode & 1;
    return (wide ? dst_row32(row, access) : dst_row16(row, access)) / 8;
}

void vector_sfpload(const struct vector_io *io, const struct vector_op *o)
{
    unsigned address = vector_load_address(io, o->word, false);
    vector_load_at(io, o, bits_get(o->word, 16, 4), address);
}

/* What is too big becomes the biggest number, what is too small a zero with its sign. */
static uint16_t vector_to_fp16(uint32_t v)
{
    uint32_t exponent = v >> 23 & 0xff, fraction = v >> 13 & 0x3ff;
    uint32_t cell = fraction << 5 | ((exponent - 112) & 0x1f);
    cell = exponent <= 112 ? 0 : cell;
    cell = exponent > 143 ? 0x7fff : cell;
    return (uint16_t)(v >> 31 << 15 | cell);
}

/* Denormals are zeros. */
static uint32_t vector_flush(uint32_t v)
{
    return v & (v & 0x7f800000 ? UINT32_MAX : 0x80000000);
}

static void vector_to_cells32(struct vector_cells *c, const uint32_t v[LANES], unsigned mode)
{
    for (unsigned i = 0; i < LANES; i++) {
        uint32_t x = mode == MODE_FP32 ? vector_flush(v[i]) : v[i];
        c->high[i] = layout_high_to_dst(x);
        c->low[i] = (uint16_t)x;
    }
}

static void vector_to_cells(struct vector_cells *c, const uint32_t v[LANES], unsigned mode)
{
    switch (mode) {
    case MODE_FP16:
        for (unsigned i = 0; i < LANES; i++)
            c->high[i] = vector_to_fp16(v[i]);
        break;
    case MODE_BF16:
        for (unsigned i = 0; i < LANES; i++)
            c->high[i] = layout_high_to_dst(vector_flush(v[i]));
        break;
    case MODE_INT8:
    case MODE_INT8_COMP:
        for (unsigned i = 0; i < LANES; i++)
            c->high[i] = (uint16_t)(v[i] >> 31 << 15 | (v[i] & 0x3ff) << 5 | 16);
        break;
    case MODE_UINT16:
    case MODE_LO16_ONLY:
        for (unsigned i = 0; i < LANES; i++)
            c->high[i] = (uint16_t)v[i];
        break;
    case MODE_HI16_ONLY:
        for (unsigned i = 0; i < LANES; i++)
            c->high[i] = (uint16_t)(v[i] >> 16);
        break;
    case MODE_INT16:
        for (unsigned i = 0; i < LANES; i++)
            c->high[i] = (uint16_t)(v[i] >> 31 << 15 | (v[i] & 0x7fff));
        break;
    case MODE_HI16: /* 32 bits as they are */
        for (unsigned i = 0; i < LANES; i++)
            c->high[i] = (uint16_t)(v[i] >> 16), c->low[i] = (uint16_t)v[i];
        break;
    case MODE_LO16: /* halves exchanged */
        for (unsigned i = 0; i < LANES; i++)
            c->high[i] = (uint16_t)v[i], c->low[i] = (uint16_t)(v[i] >> 16);
        break;
    case MODE_ZERO: memset(c, 0, sizeof *c); break;
    default: vector_to_cells32(c, v, mode); break;
    }
}

void vector_load_store_at(const struct vector_io *io, const struct vector_op *o, unsigned mode,
                          unsigned address)
{
    struct vector_cells c;
    mode = vector_mode(io, mode);
    uint32_t on = mode == MODE_INT32_ALL ? o->open : o->on;
#ifdef VECTOR_AVX2
    unsigned usual = vector_usual(io, mode, address, on);
    if (usual < DST_ROWS) {
        vector_store_usual(io, usual, mode == MODE_FP32, address & 2, io->lanes->r[o->vd]);
        return;
    }
#endif
    vector_to_cells(&c, io->lanes->r[o->vd], mode);
    vector_write_dst(
        io, address, STORES_WIDE >> mode & 1, &c, on & ~lanes_with(io->lanes, LANE_NO_STORE));
}

void vector_sfpstore(const struct vector_io *io, const struct vector_op *o)
{
    unsigned address = vector_load_address(io, o->word, true);
    vector_load_store_at(io, o, bits_get(o->word, 16, 4), address);
}

void vector_sfploadi(const struct vector_io *io, const struct vector_op *o)
{
    uint32_t imm = bits_get(o->word, 0, 16), keep = 0;
    unsigned mode = bits_get(o->word, 16, 4);
    if (o->vd >= 8)
        return;
    switch (mode) {
    case 0: imm <<= 16; break;
    case 1: imm = imm >> 15 << 31 | ((imm >> 10 & 0x1f) + 112) << 23 | (imm & 0x3ff) << 13; break;
    case 2: break;
    case 4: imm = (imm ^ 0x8000) - 0x8000; break;
    case 8: imm <<= 16, keep = 0xffff; break;
    case 10: keep = 0xffff0000; break;
    default: vector_play_report(io, o, DIAG_SFP_MODE, mode); return;
    }
    const uint32_t *old = io->lanes->r[o->vd];
    uint32_t room[LANES], *v = vector_to(io, o, o->vd, room);
    HOT_LOOP
    for (unsigned i = 0; i < LANES; i++)
        v[i] = imm | (old[i] & keep);
    vector_made(io, o, o->vd, v);
}

#ifdef VECTOR_AVX2
static void loadi_bf16(const struct vector_io *io, const struct vector_op *o)
{
    uint32_t imm = bits_get(o->word, 0, 16) << 16;
    for (unsigned i = 0; i < LANES; i++)
        io->lanes->r[o->vd][i] = imm;
}

static vector_effect *loadi_usual(const struct vector_op *o)
{
    return bits_get(o->word, 16, 4) == 0 && o->vd < 8 ? loadi_bf16 : NULL;
}
#endif
