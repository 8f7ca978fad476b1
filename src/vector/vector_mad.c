/*
 * vector_mad.c - what the MAD sub-unit of the Vector Unit does to the lanes: multiply-add and its short forms, the
 * piecewise linear functions, products of 23-bit integers.
 *
 * ISA pages: SFPMAD, SFPADD, SFPMUL, SFPADDI, SFPMULI, SFPLUT, SFPLUTFP32, SFPMUL24 (Blackhole).
 *
 * Invariant: only lanes that are on change, and in them only the destination; every operand is read before it.
 *
 * Inaccuracies: modifier bits without a documented meaning do nothing. While LaneConfig.ENABLE_DEST_INDEX is set, the
 * vendor's simulator says that results for LReg 4-7 are undefined; here they are written as ever.
 */
#include "vector/vector_in.h"

#include "num/rows.h"
#include "num/sfpu.h"
#include "num/sfpu_quick.h"

enum { MAD_NEGATE_B = 1, MAD_NEGATE_C = 2, MAD_INDIRECT_A = 4, MAD_INDIRECT_D = 8 };
enum { LUT_KEEP_SIGN = 4 };
enum { LUT_HALVES = 2, LUT_HALVES_OF_ONE = 8, LUT_CUT_AT_4 = 1 };
enum { MUL24_UPPER = 1 };

#define MAD_INDEX 7u  /* the register whose low four bits name registers */
#define MAD_ZERO  9u  /* the register that is always 0 */
#define MAD_ONE   10u /* the register that is always 1.0 */

static unsigned mad_mod1(const struct vector_op *o)
{
    return o->word & 15;
}

static const uint32_t *mad_register(const struct vector_io *io, unsigned n)
{
    return io->lanes->r[n < LANES_LREGS ? n : 0];
}

static void mad_lanes(const struct vector_io *io, const uint32_t *a, const uint32_t *b,
                      const uint32_t *c, uint32_t *d)
{
#ifdef NUM_SFPU_AVX2
    if (!io->plain && rows_avx2_usable()) {
        num_sfpu_avx2_mads(a, b, c, d);
        return;
    }
#endif
    (void)io;
    num_sfpu_mads(a, b, c, d);
}

/* The register itself, or room filled with it and the other sign. */
static const uint32_t *mad_signed(const uint32_t *v, bool negate, uint32_t *room)
{
    if (!negate)
        return v;
    for (unsigned i = 0; i < LANES; i++)
        room[i] = v[i] ^ NUM_SFPU_SIGN;
    return room;
}

/* VA, which may be another register in each lane. */
static const uint32_t *mad_va(const struct vector_io *io, const struct vector_op *o, uint32_t *room)
{
    if (!(mad_mod1(o) & MAD_INDIRECT_A))
        return mad_register(io, o->va);
    for (unsigned i = 0; i < LANES; i++)
        room[i] = io->lanes->r[io->lanes->r[MAD_INDEX][i] & 15][i];
    return room;
}

static void mad_write(const struct vector_io *io, const struct vector_op *o, bool indirect,
                      const uint32_t *d)
{
    if (!indirect || o->vd == 16) {
        vector_write(io, o, o->vd, d);
        return;
    }
    for (unsigned i = 0; i < LANES; i++) {
        unsigned vd = io->lanes->r[MAD_INDEX][i] & 15;
        if (vector_writable(vd) && (o->on >> i & 1))
            io->out[vd][i] = d[i];
    }
}

static void mad_full(const struct vector_io *io, const struct vector_op *o)
{
    unsigned mod = mad_mod1(o);
    uint32_t a[LANES], b[LANES], c[LANES], d[LANES];
    mad_lanes(io,
              mad_va(io, o, a),
              mad_signed(mad_register(io, o->vb), mod & MAD_NEGATE_B, b),
              mad_signed(mad_register(io, o->vc), mod & MAD_NEGATE_C, c),
              d);
    mad_write(io, o, mod & MAD_INDIRECT_D, d);
}

#ifdef VECTOR_AVX2
/* The usual case at once, to a register or to room; false: nothing is done. Signs: masks; all but operands are constants. */
enum mad_kind { MAD_SUM, MAD_PRODUCT, MAD_BOTH };

HOT_INLINE bool mad_quick(const struct vector_io *io, const struct vector_op *o, enum mad_kind kind,
                          uint32_t sign_b, uint32_t sign_c, uint32_t *d)
{
    uint32_t(*r)[LANES] = io->lanes->r;
    unsigned factor = o->va == MAD_ONE ? o->vb : o->va;
    switch (kind) {
    case MAD_SUM:
        return num_sfpu_quick_add(r[factor], NUM_SFPU_REGISTER, r[o->vc], sign_b, sign_c, d);
    case MAD_PRODUCT:
        return num_sfpu_quick_mul(r[o->va], NUM_SFPU_REGISTER, r[o->vb], sign_b, sign_c, d);
    default: return num_sfpu_quick_mad(r[o->va], r[o->vb], r[o->vc], sign_b, sign_c, d);
    }
}

/* What it is, if no register names another one. */
static enum mad_kind mad_kind(const struct vector_op *o)
{
    if (o->vc == MAD_ZERO)
        return MAD_PRODUCT;
    return o->va == MAD_ONE || o->vb == MAD_ONE ? MAD_SUM : MAD_BOTH;
}

static bool mad_direct(const struct vector_op *o)
{
    return !(mad_mod1(o) & (MAD_INDIRECT_A | MAD_INDIRECT_D)) && vector_writable(o->vd);
}

static bool mad_some(const struct vector_io *io, const struct vector_op *o)
{
    unsigned mod = mad_mod1(o);
    uint32_t sign_b = mod & MAD_NEGATE_B ? NUM_SFPU_SIGN : 0;
    uint32_t sign_c = mod & MAD_NEGATE_C ? NUM_SFPU_SIGN : 0;
    uint32_t d[LANES];
    bool done;
    if (!mad_direct(o))
        return false;
    switch (mad_kind(o)) {
    case MAD_SUM: done = mad_quick(io, o, MAD_SUM, sign_b, sign_c, d); break;
    case MAD_PRODUCT: done = mad_quick(io, o, MAD_PRODUCT, sign_b, sign_c, d); break;
    default: done = mad_quick(io, o, MAD_BOTH, sign_b, sign_c, d); break;
    }
    if (done)
        vector_write(io, o, o->vd, d);
    return done;
}

/* While all lanes are on. */
#define MAD_USUAL(name, kind, sign_b, sign_c)                                                      \
    static void name(const struct vector_io *io, const struct vector_op *o)                        \
    {                                                                                              \
        uint32_t(*r)[LANES] = io->lanes->r;                                                        \
        if (!LIKELY(mad_quick(io, o, kind, sign_b, sign_c, r[o->vd])))                             \
            num_sfpu_avx2_mads_signed(r[o->va], r[o->vb], r[o->vc], sign_b, sign_c, r[o->vd]);     \
    }
MAD_USUAL(mad_sum, MAD_SUM, 0, 0)
MAD_USUAL(mad_product, MAD_PRODUCT, 0, 0)
MAD_USUAL(mad_both, MAD_BOTH, 0, 0)
MAD_USUAL(mad_both_negate_b, MAD_BOTH, NUM_SFPU_SIGN, 0)
MAD_USUAL(mad_both_negate_c, MAD_BOTH, 0, NUM_SFPU_SIGN)

/* SFPMAD, SFPADD, SFPMUL */
static vector_effect *mad_usual(const struct vector_op *o)
{
    enum mad_kind kind = mad_kind(o);
    unsigned negate = mad_mod1(o);
    if (!mad_direct(o) || negate == (MAD_NEGATE_B | MAD_NEGATE_C))
        return NULL;
    if (!negate)
        return kind == MAD_SUM ? mad_sum : kind == MAD_PRODUCT ? mad_product : mad_both;
    if (kind != MAD_BOTH)
        return NULL;
    return negate == MAD_NEGATE_B ? mad_both_negate_b : mad_both_negate_c;
}
#endif

void vector_sfpmad(const struct vector_io *io, const struct vector_op *o)
{
#ifdef VECTOR_AVX2
    if (mad_some(io, o))
        return;
#endif
    mad_full(io, o);
}

/* The hardware does not ask for a factor of one, or for an addend of zero. */
void vector_sfpadd(const struct vector_io *io, const struct vector_op *o)
{
    vector_sfpmad(io, o);
}

void vector_sfpmul(const struct vector_io *io, const struct vector_op *o)
{
    vector_sfpmad(io, o);
}

static void mad_fill(uint32_t *v, uint32_t value)
{
    for (unsigned i = 0; i < LANES; i++)
        v[i] = value;
}

/* The short forms read what they write, unless SFPLOADMACRO names another register. */
static const uint32_t *mad_same(const struct vector_io *io, const struct vector_op *o)
{
    return mad_register(io, o->macro ? o->vc : o->vd);
}

static uint32_t mad_imm(const struct vector_op *o)
{
    return bits_get(o->word, 8, 16) << 16;
}

void vector_sfpaddi(const struct vector_io *io, const struct vector_op *o)
{
    bool negate = mad_mod1(o) & MAD_NEGATE_C;
    uint32_t imm = mad_imm(o), a[LANES], b[LANES], c[LANES], d[LANES];
    const uint32_t *v = mad_same(io, o);
#ifdef VECTOR_AVX2
    if (!num_sfpu_quick_add(&imm, NUM_SFPU_NUMBER, v, 0, negate ? NUM_SFPU_SIGN : 0, d))
#endif
    {
        mad_fill(a, imm);
        mad_fill(b, NUM_SFPU_ONE);
        mad_lanes(io, a, b, mad_signed(v, negate, c), d);
    }
    mad_write(io, o, mad_mod1(o) & MAD_INDIRECT_D, d);
}

void vector_sfpmuli(const struct vector_io *io, const struct vector_op *o)
{
    bool negate = mad_mod1(o) & MAD_NEGATE_C;
    uint32_t imm = mad_imm(o), a[LANES], b[LANES], c[LANES] = {0}, d[LANES];
    const uint32_t *v = mad_same(io, o);
#ifdef VECTOR_AVX2
    if (!num_sfpu_quick_mul(&imm, NUM_SFPU_NUMBER, v, negate ? NUM_SFPU_SIGN : 0, 0, d))
#endif
    {
        mad_fill(a, imm);
        mad_lanes(io, a, mad_signed(v, negate, b), c, d);
    }
    mad_write(io, o, mad_mod1(o) & MAD_INDIRECT_D, d);
}

#ifdef VECTOR_AVX2
/* While all lanes are on. */
static void mad_addi(const struct vector_io *io, const struct vector_op *o)
{
    uint32_t imm = mad_imm(o), *d = io->lanes->r[o->vd];
    if (!LIKELY(num_sfpu_quick_add(&imm, NUM_SFPU_NUMBER, d, 0, 0, d)))
        vector_sfpaddi(io, o);
}

static void mad_muli(const struct vector_io *io, const struct vector_op *o)
{
    uint32_t imm = mad_imm(o), *d = io->lanes->r[o->vd];
    if (!LIKELY(num_sfpu_quick_mul(&imm, NUM_SFPU_NUMBER, d, 0, 0, d)))
        vector_sfpmuli(io, o);
}

static vector_effect *mad_usual_imm(const struct vector_op *o)
{
    if (mad_mod1(o) || o->macro || !vector_writable(o->vd))
        return NULL;
    return o->word >> 24 == TENSIX_OP_SFPADDI ? mad_addi : mad_muli;
}
#endif

/* ---- piecewise linear functions of |LReg[3]| ---- */

/* Of three registers from first on, the one of v's piece: below 1.0, below 2.0, the rest. Patterns compare like
   numbers, and NaN as the largest. */
HOT_INLINE uint32_t mad_piece(const struct lanes *l, unsigned first, unsigned i, uint32_t v)
{
    uint32_t low = num_sfpu_pick(v >= 0x3f800000, l->r[first + 1][i], l->r[first][i]);
    return num_sfpu_pick(v >= 0x40000000, l->r[first + 2][i], low);
}

static void mad_linear(const struct vector_io *io, const struct vector_op *o, unsigned mod,
                       const uint32_t *a, const uint32_t *b, const uint32_t *c)
{
    const uint32_t *in = io->lanes->r[3];
    uint32_t d[LANES];
#ifdef VECTOR_AVX2
    if (!num_sfpu_quick_mad(a, b, c, 0, 0, d))
#endif
        mad_lanes(io, a, b, c, d);
    if (mod & LUT_KEEP_SIGN)
        for (unsigned i = 0; i < LANES; i++)
            d[i] = (d[i] & ~NUM_SFPU_SIGN) | (in[i] & NUM_SFPU_SIGN);
    mad_write(io, o, mod & MAD_INDIRECT_D, d);
}

void vector_sfplut(const struct vector_io *io, const struct vector_op *o)
{
    const struct lanes *l = io->lanes;
    uint32_t a[LANES], b[LANES], c[LANES];
    for (unsigned i = 0; i < LANES; i++) {
        uint32_t v = l->r[3][i] & ~NUM_SFPU_SIGN, word = mad_piece(l, 0, i, v);
        a[i] = num_sfpu_lut8(word >> 8 & 0xff);
        c[i] = num_sfpu_lut8(word & 0xff);
        b[i] = v;
    }
    mad_linear(io, o, bits_get(o->word, 16, 4), a, b, c);
}

/* Each piece of a table of six is cut in two; the upper part's coefficients lie in the upper halves. */
HOT_INLINE uint32_t mad_half(uint32_t v, uint32_t cut, uint32_t word)
{
    uint32_t middle = num_sfpu_pick(v >= 0x3f800000, 0x3fc00000, 0x3f000000);
    middle = num_sfpu_pick(v >= 0x40000000, cut, middle);
    return num_sfpu_lut16(num_sfpu_pick(v >= middle, word >> 16, word & 0xffff));
}

/* Coefficients, and |LReg[3]|; how: bits of Mod1, a constant. */
HOT_INLINE void mad_table(const struct lanes *l, unsigned how, uint32_t cut, uint32_t *a,
                          uint32_t *b, uint32_t *c)
{
    for (unsigned i = 0; i < LANES; i++) {
        uint32_t v = l->r[3][i] & ~NUM_SFPU_SIGN, word = mad_piece(l, 0, i, v);
        b[i] = v;
        if (how == (LUT_HALVES | LUT_HALVES_OF_ONE)) {
            a[i] = num_sfpu_lut16(word >> 16);
            c[i] = num_sfpu_lut16(word & 0xffff);
        } else {
            uint32_t offset = mad_piece(l, 4, i, v);
            a[i] = how ? mad_half(v, cut, word) : word;
            c[i] = how ? mad_half(v, cut, offset) : offset;
        }
    }
}

void vector_sfplutfp32(const struct vector_io *io, const struct vector_op *o)
{
    unsigned mod = mad_mod1(o);
    uint32_t a[LANES], b[LANES], c[LANES], cut = mod & LUT_CUT_AT_4 ? 0x40800000 : 0x40400000;
    if (!(mod & LUT_HALVES))
        mad_table(io->lanes, 0, cut, a, b, c);
    else if (mod & LUT_HALVES_OF_ONE)
        mad_table(io->lanes, LUT_HALVES | LUT_HALVES_OF_ONE, cut, a, b, c);
    else
        mad_table(io->lanes, LUT_HALVES, cut, a, b, c);
    mad_linear(io, o, mod, a, b, c);
}

#ifdef VECTOR_AVX2
HOT_INLINE __m256i mad_eight(const uint32_t *v)
{
    return _mm256_loadu_si256((const __m256i *)v);
}

HOT_INLINE __m256i mad_choose(__m256i no, __m256i yes, __m256i mask)
{
    return _mm256_blendv_epi8(no, yes, mask);
}

/* num_sfpu_lut16() of upper halves. */
HOT_INLINE __m256i mad_lut16(__m256i h)
{
    const __m256i top = _mm256_set1_epi32(0x7c000000);
    __m256i none = _mm256_cmpeq_epi32(_mm256_and_si256(h, top), top);
    __m256i x = _mm256_and_si256(_mm256_srli_epi32(h, 3), _mm256_set1_epi32(0x0fffe000));
    x = _mm256_add_epi32(
        x, mad_choose(_mm256_set1_epi32(112 << 23), _mm256_set1_epi32(-(31 << 23)), none));
    return _mm256_or_si256(x, _mm256_and_si256(h, _mm256_set1_epi32(INT32_MIN)));
}

/* mad_half() of mad_piece() for eight lanes; one, two: those not below 1.0, 2.0; upper: halves. */
HOT_INLINE __m256i mad_sixth(const uint32_t r[][LANES], unsigned i, __m256i one, __m256i two,
                             __m256i upper)
{
    __m256i word = mad_choose(mad_eight(&r[0][i]), mad_eight(&r[1][i]), one);
    word = mad_choose(word, mad_eight(&r[2][i]), two);
    return mad_lut16(mad_choose(_mm256_slli_epi32(word, 16), word, upper));
}

/* SFPLUTFP32 with tables of six, while all lanes are on. */
static void mad_six(const struct vector_io *io, const struct vector_op *o)
{
    const uint32_t(*r)[LANES] = (const uint32_t(*)[LANES])io->lanes->r;
    unsigned mod = mad_mod1(o);
    uint32_t a[LANES], b[LANES], c[LANES];
    const __m256i cut = _mm256_set1_epi32(mod & LUT_CUT_AT_4 ? 0x407fffff : 0x403fffff);
#pragma GCC unroll 4
    for (unsigned i = 0; i < LANES; i += 8) {
        __m256i v = _mm256_and_si256(mad_eight(&r[3][i]), _mm256_set1_epi32(INT32_MAX));
        __m256i one = _mm256_cmpgt_epi32(v, _mm256_set1_epi32(0x3f7fffff));
        __m256i two = _mm256_cmpgt_epi32(v, _mm256_set1_epi32(0x3fffffff));
        __m256i middle =
            mad_choose(_mm256_set1_epi32(0x3effffff), _mm256_set1_epi32(0x3fbfffff), one);
        __m256i upper = _mm256_cmpgt_epi32(v, mad_choose(middle, cut, two));
        _mm256_storeu_si256((__m256i *)&a[i], mad_sixth(r, i, one, two, upper));
        _mm256_storeu_si256((__m256i *)&b[i], v);
        _mm256_storeu_si256((__m256i *)&c[i], mad_sixth(r + 4, i, one, two, upper));
    }
    if (!LIKELY(num_sfpu_quick_mad(a, b, c, 0, 0, io->lanes->r[o->vd])))
        num_sfpu_avx2_mads_signed(a, b, c, 0, 0, io->lanes->r[o->vd]);
}

static vector_effect *mad_usual_lut(const struct vector_op *o)
{
    unsigned plain = LUT_KEEP_SIGN | MAD_INDIRECT_D | LUT_HALVES | LUT_HALVES_OF_ONE;
    return (mad_mod1(o) & plain) == LUT_HALVES && vector_writable(o->vd) ? mad_six : NULL;
}
#endif

/* ---- integers ---- */

void vector_sfpmul24(const struct vector_io *io, const struct vector_op *o)
{
    unsigned mod = mad_mod1(o);
    bool upper = mod & MUL24_UPPER;
    uint32_t room[LANES], d[LANES];
    const uint32_t *a = mad_va(io, o, room), *b = mad_register(io, o->vb);
    const uint32_t *c = mad_register(io, o->vc);
    uint32_t exponents = 0;
    for (unsigned i = 0; i < LANES; i++) {
        d[i] = num_sfpu_mul24(a[i], b[i], upper);
        exponents |= c[i] & NUM_SFPU_INF;
    }
    if (exponents) /* rare: the addend should be zero */
        for (unsigned i = 0; i < LANES; i++)
            d[i] = num_sfpu_mul24_add(d[i], c[i]);
    mad_write(io, o, mod & MAD_INDIRECT_D, d);
}
