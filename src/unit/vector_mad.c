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
#include "unit/vector_in.h"

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
    if (!io->plain && num_has_avx2()) {
        num_sfpu_mads_avx2(a, b, c, d);
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

#ifdef VECTOR_AVX2
/* The usual case of a * b + c at once; false: nothing is done. kind: a constant. */
HOT_INLINE bool mad_quick(const struct vector_io *io, const struct vector_op *o, const uint32_t *a,
                          const uint32_t *b, const uint32_t *c, enum num_sfpu_kind kind)
{
    unsigned mod = mad_mod1(o);
    uint32_t sign_b = mod & MAD_NEGATE_B ? NUM_SFPU_SIGN : 0;
    uint32_t sign_c = mod & MAD_NEGATE_C ? NUM_SFPU_SIGN : 0;
    uint32_t d[LANES];
    if (LIKELY(o->on == UINT32_MAX))
        return num_sfpu_quick(a, b, c, sign_b, sign_c, kind, io->out[o->vd]);
    if (!num_sfpu_quick(a, b, c, sign_b, sign_c, kind, d))
        return false;
    vector_write(io, o, o->vd, d);
    return true;
}

static bool mad_usual(const struct vector_io *io, const struct vector_op *o)
{
    const uint32_t *a = mad_register(io, o->va), *b = mad_register(io, o->vb);
    const uint32_t *c = mad_register(io, o->vc);
    if (mad_mod1(o) & (MAD_INDIRECT_A | MAD_INDIRECT_D) || !vector_writable(o->vd))
        return false;
    if (o->vc == MAD_ZERO)
        return mad_quick(io, o, a, b, c, NUM_SFPU_MUL);
    if (o->va == MAD_ONE || o->vb == MAD_ONE)
        return mad_quick(io, o, a, b, c, NUM_SFPU_ADD);
    return mad_quick(io, o, a, b, c, NUM_SFPU_MAD);
}
#endif

/* d := a * b + c; kind: a constant. */
HOT_INLINE void mad_any(const struct vector_io *io, const uint32_t *a, const uint32_t *b,
                        const uint32_t *c, enum num_sfpu_kind kind, uint32_t *d)
{
#ifdef VECTOR_AVX2
    if (num_sfpu_quick(a, b, c, 0, 0, kind, d))
        return;
#endif
    (void)kind;
    mad_lanes(io, a, b, c, d);
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

void vector_sfpmad(const struct vector_io *io, const struct vector_op *o)
{
#ifdef VECTOR_AVX2
    if (mad_usual(io, o))
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
static const uint32_t *mad_same(const struct vector_io *io, const struct vector_op *o,
                                uint32_t *room)
{
    const uint32_t *v = mad_register(io, o->macro ? o->vc : o->vd);
    return mad_signed(v, mad_mod1(o) & MAD_NEGATE_C, room);
}

void vector_sfpaddi(const struct vector_io *io, const struct vector_op *o)
{
    uint32_t a[LANES], b[LANES], c[LANES], d[LANES];
    mad_fill(a, bits_get(o->word, 8, 16) << 16);
    mad_fill(b, NUM_SFPU_ONE);
    mad_any(io, a, b, mad_same(io, o, c), NUM_SFPU_ADD, d);
    mad_write(io, o, mad_mod1(o) & MAD_INDIRECT_D, d);
}

void vector_sfpmuli(const struct vector_io *io, const struct vector_op *o)
{
    uint32_t a[LANES], b[LANES], c[LANES] = {0}, d[LANES];
    mad_fill(a, bits_get(o->word, 8, 16) << 16);
    mad_any(io, a, mad_same(io, o, b), c, NUM_SFPU_MUL, d);
    mad_write(io, o, mad_mod1(o) & MAD_INDIRECT_D, d);
}

/* ---- piecewise linear functions of |LReg[3]| ---- */

/* |LReg[3]| and, of three registers from first on, the one of its piece: below 1.0, below 2.0, the rest. Patterns
   compare like numbers, and NaN as the largest. */
static void mad_pieces(const struct lanes *l, unsigned first, uint32_t *b, uint32_t *word)
{
    for (unsigned i = 0; i < LANES; i++) {
        uint32_t v = l->r[3][i] & ~NUM_SFPU_SIGN, low = l->r[first][i];
        low = num_sfpu_pick(v >= 0x3f800000, l->r[first + 1][i], low);
        word[i] = num_sfpu_pick(v >= 0x40000000, l->r[first + 2][i], low);
        b[i] = v;
    }
}

static void mad_linear(const struct vector_io *io, const struct vector_op *o, unsigned mod,
                       const uint32_t *a, const uint32_t *b, const uint32_t *c)
{
    const uint32_t *in = io->lanes->r[3];
    uint32_t d[LANES];
    mad_any(io, a, b, c, NUM_SFPU_MAD, d);
    if (mod & LUT_KEEP_SIGN)
        for (unsigned i = 0; i < LANES; i++)
            d[i] = (d[i] & ~NUM_SFPU_SIGN) | (in[i] & NUM_SFPU_SIGN);
    mad_write(io, o, mod & MAD_INDIRECT_D, d);
}

void vector_sfplut(const struct vector_io *io, const struct vector_op *o)
{
    uint32_t a[LANES], b[LANES], c[LANES], word[LANES];
    mad_pieces(io->lanes, 0, b, word);
    for (unsigned i = 0; i < LANES; i++) {
        a[i] = num_sfpu_lut8(word[i] >> 8 & 0xff);
        c[i] = num_sfpu_lut8(word[i] & 0xff);
    }
    mad_linear(io, o, bits_get(o->word, 16, 4), a, b, c);
}

/* Each piece of a table of six is cut in two; the upper part's coefficients lie in the upper halves. */
static void mad_halves(const uint32_t *b, uint32_t cut, uint32_t *word)
{
    for (unsigned i = 0; i < LANES; i++) {
        uint32_t v = b[i], middle = num_sfpu_pick(v >= 0x3f800000, 0x3fc00000, 0x3f000000);
        middle = num_sfpu_pick(v >= 0x40000000, cut, middle);
        word[i] = num_sfpu_lut16(num_sfpu_pick(v >= middle, word[i] >> 16, word[i] & 0xffff));
    }
}

void vector_sfplutfp32(const struct vector_io *io, const struct vector_op *o)
{
    unsigned mod = mad_mod1(o);
    uint32_t a[LANES], b[LANES], c[LANES], cut = mod & LUT_CUT_AT_4 ? 0x40800000 : 0x40400000;
    mad_pieces(io->lanes, 0, b, a);
    mad_pieces(io->lanes, 4, b, c);
    if ((mod & LUT_HALVES) && (mod & LUT_HALVES_OF_ONE)) {
        for (unsigned i = 0; i < LANES; i++) {
            c[i] = num_sfpu_lut16(a[i] & 0xffff);
            a[i] = num_sfpu_lut16(a[i] >> 16);
        }
    } else if (mod & LUT_HALVES) {
        mad_halves(b, cut, a);
        mad_halves(b, cut, c);
    }
    mad_linear(io, o, mod, a, b, c);
}

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
