/*
 * vector_simple.c - the Vector Unit's simple instructions: bits, exponents, fractions, signs, integers, shifts, moves
 * and the coarse reciprocal, with what they do to the lane flags.
 *
 * ISA pages: SFPDIVP2, SFPEXEXP, SFPEXMAN, SFPIADD, SFPSHFT, SFPMOV, SFPABS, SFPAND, SFPOR, SFPNOT, SFPXOR, SFPLZ,
 * SFPSETEXP, SFPSETMAN, SFPSETSGN, SFPARECIP; SFPLOADMACRO for registers (Blackhole).
 *
 * Invariant: every result is complete before the first register is written, so VD may be any of the operands; flags
 * change in the lanes of vector_op.on only, and only for VD 0..7. Loops are over all 32 lanes and have no branches:
 * the mode is chosen outside.
 *
 * Inaccuracies: the erratum that vendors' code names TEN-2932 (results in LReg 4-7 while ENABLE_DEST_INDEX is set are
 * undefined, for all but SFPSWAP) is not modelled: the result is that of the page.
 */
#include "num/arecip.h"
#include "num/prng.h"
#include "vector/vector_in.h"

#define SIGN     UINT32_C(0x80000000)
#define EXPONENT UINT32_C(0x7f800000)
#define FRACTION UINT32_C(0x007fffff)

static unsigned simple_mod1(const struct vector_op *o)
{
    return bits_get(o->word, 0, 4);
}

static uint32_t simple_imm8(const struct vector_op *o)
{
    return bits_get(o->word, 12, 8);
}

/* The signed 12-bit immediate. */
static int32_t simple_imm12(const struct vector_op *o)
{
    return (int32_t)(o->word << 8) >> 20;
}

static const uint32_t *simple_c(const struct vector_io *io, const struct vector_op *o)
{
    return io->lanes->r[o->vc];
}

/* The operand that these instructions call VB and have no field for: VD, unless SFPLOADMACRO says otherwise. */
static const uint32_t *simple_b(const struct vector_io *io, const struct vector_op *o)
{
    return io->lanes->r[o->macro ? o->vb : o->vd];
}

/* Which lanes have this bit. */
static uint32_t simple_with(const uint32_t v[LANES], unsigned bit)
{
    uint32_t m = 0;
    for (unsigned i = 0; i < LANES; i++)
        m |= (v[i] >> bit & 1) << i;
    return m;
}

/* Sets the flags of the lanes that are on, unless the result goes to the scratch register or nowhere. */
static void simple_flags(const struct vector_io *io, const struct vector_op *o, uint32_t flags,
                         bool invert)
{
    struct lanes *l = io->lanes;
    if (o->vd < 8)
        l->flags ^= (l->flags ^ flags ^ (invert ? UINT32_MAX : 0)) & o->on;
}

/* The bits of mask from b, the others from c. */
static void simple_merge(const struct vector_io *io, const struct vector_op *o, uint32_t mask,
                         const uint32_t b[LANES])
{
    const uint32_t *c = simple_c(io, o);
    uint32_t room[LANES], *v = vector_to(io, o, o->vd, room);
    HOT_LOOP
    for (unsigned i = 0; i < LANES; i++)
        v[i] = (c[i] & ~mask) | (b[i] & mask);
    vector_made(io, o, o->vd, v);
}

/* The same with an immediate. */
static void simple_merge_imm(const struct vector_io *io, const struct vector_op *o, uint32_t mask,
                             uint32_t imm)
{
    const uint32_t *c = simple_c(io, o);
    uint32_t room[LANES], *v = vector_to(io, o, o->vd, room);
    HOT_LOOP
    for (unsigned i = 0; i < LANES; i++)
        v[i] = (c[i] & ~mask) | (imm & mask);
    vector_made(io, o, o->vd, v);
}

void vector_sfpnop(const struct vector_io *io, const struct vector_op *o)
{
    (void)io, (void)o;
}

/* ---- bits ---- */

void vector_sfpand(const struct vector_io *io, const struct vector_op *o)
{
    const uint32_t *c = simple_c(io, o), *b = io->lanes->r[simple_mod1(o) & 1 ? o->vb : o->vd];
    uint32_t room[LANES], *v = vector_to(io, o, o->vd, room);
    HOT_LOOP
    for (unsigned i = 0; i < LANES; i++)
        v[i] = b[i] & c[i];
    vector_made(io, o, o->vd, v);
}

void vector_sfpor(const struct vector_io *io, const struct vector_op *o)
{
    const uint32_t *c = simple_c(io, o), *b = io->lanes->r[simple_mod1(o) & 1 ? o->vb : o->vd];
    uint32_t room[LANES], *v = vector_to(io, o, o->vd, room);
    HOT_LOOP
    for (unsigned i = 0; i < LANES; i++)
        v[i] = b[i] | c[i];
    vector_made(io, o, o->vd, v);
}

void vector_sfpxor(const struct vector_io *io, const struct vector_op *o)
{
    const uint32_t *c = simple_c(io, o), *b = simple_b(io, o);
    uint32_t room[LANES], *v = vector_to(io, o, o->vd, room);
    HOT_LOOP
    for (unsigned i = 0; i < LANES; i++)
        v[i] = b[i] ^ c[i];
    vector_made(io, o, o->vd, v);
}

void vector_sfpnot(const struct vector_io *io, const struct vector_op *o)
{
    const uint32_t *c = simple_c(io, o);
    uint32_t room[LANES], *v = vector_to(io, o, o->vd, room);
    HOT_LOOP
    for (unsigned i = 0; i < LANES; i++)
        v[i] = ~c[i];
    vector_made(io, o, o->vd, v);
}

/* Mod1: 2 flags := not zero, 4 the sign does not count, 8 flags inverted. */
void vector_sfplz(const struct vector_io *io, const struct vector_op *o)
{
    const uint32_t *c = simple_c(io, o);
    unsigned mod1 = simple_mod1(o);
    uint32_t mask = mod1 & 4 ? ~SIGN : UINT32_MAX, room[LANES], *v = vector_to(io, o, o->vd, room);
    /* A one below the word ends the count of an empty one. */
    HOT_LOOP
    for (unsigned i = 0; i < LANES; i++)
        v[i] = (uint32_t)__builtin_clzll((uint64_t)(c[i] & mask) << 1 | 1) - 31;
    vector_made(io, o, o->vd, v);
    /* Only an empty word's count is 32. */
    simple_flags(io, o, mod1 & 2 ? ~simple_with(v, 5) : io->lanes->flags, mod1 & 8);
}

/* ---- parts of floating-point numbers ---- */

/* Mod1: 1 adds to the exponent, which stays if it is 255. */
void vector_sfpdivp2(const struct vector_io *io, const struct vector_op *o)
{
    const uint32_t *c = simple_c(io, o);
    uint32_t imm = simple_imm8(o) << 23, room[LANES], *v = vector_to(io, o, o->vd, room);
    if (!(simple_mod1(o) & 1)) {
        simple_merge_imm(io, o, EXPONENT, imm);
        return;
    }
    HOT_LOOP
    for (unsigned i = 0; i < LANES; i++) {
        uint32_t e = (c[i] & EXPONENT) == EXPONENT ? EXPONENT : (c[i] + imm) & EXPONENT;
        v[i] = (c[i] & ~EXPONENT) | e;
    }
    vector_made(io, o, o->vd, v);
}

/* Mod1: 1 keeps the bias, 2 flags := negative, 8 flags inverted. */
void vector_sfpexexp(const struct vector_io *io, const struct vector_op *o)
{
    const uint32_t *c = simple_c(io, o);
    unsigned mod1 = simple_mod1(o);
    uint32_t bias = mod1 & 1 ? 0 : 127, room[LANES], *v = vector_to(io, o, o->vd, room);
    HOT_LOOP
    for (unsigned i = 0; i < LANES; i++)
        v[i] = (c[i] >> 23 & 0xff) - bias;
    vector_made(io, o, o->vd, v);
    simple_flags(io, o, mod1 & 2 ? vector_lanes(io)->negative(v) : io->lanes->flags, mod1 & 8);
}

/* Mod1: 1 leaves out the hidden bit. */
void vector_sfpexman(const struct vector_io *io, const struct vector_op *o)
{
    const uint32_t *c = simple_c(io, o);
    uint32_t hidden = simple_mod1(o) & 1 ? 0 : FRACTION + 1, room[LANES],
             *v = vector_to(io, o, o->vd, room);
    HOT_LOOP
    for (unsigned i = 0; i < LANES; i++)
        v[i] = (c[i] & FRACTION) | hidden;
    vector_made(io, o, o->vd, v);
}

/* Mod1: 1 immediate, else 2 the other number's exponent, else its low byte. */
void vector_sfpsetexp(const struct vector_io *io, const struct vector_op *o)
{
    const uint32_t *b = simple_b(io, o);
    unsigned mod1 = simple_mod1(o);
    if (mod1 & 1) {
        simple_merge_imm(io, o, EXPONENT, simple_imm8(o) << 23);
    } else if (mod1 & 2) {
        simple_merge(io, o, EXPONENT, b);
    } else {
        uint32_t low[LANES];
        for (unsigned i = 0; i < LANES; i++)
            low[i] = b[i] << 23;
        simple_merge(io, o, EXPONENT, low);
    }
}

/* Mod1: 1 immediate. */
void vector_sfpsetman(const struct vector_io *io, const struct vector_op *o)
{
    if (simple_mod1(o) & 1)
        simple_merge_imm(io, o, FRACTION, bits_get(o->word, 12, 12) << 11);
    else
        simple_merge(io, o, FRACTION, simple_b(io, o));
}

/* Mod1: 1 immediate. */
void vector_sfpsetsgn(const struct vector_io *io, const struct vector_op *o)
{
    if (simple_mod1(o) & 1)
        simple_merge_imm(io, o, SIGN, bits_get(o->word, 12, 1) << 31);
    else
        simple_merge(io, o, SIGN, simple_b(io, o));
}

/* Mod1: 1 FP32, whose negative NaNs stay; else two's complement, whose smallest number stays. */
void vector_sfpabs(const struct vector_io *io, const struct vector_op *o)
{
    const uint32_t *c = simple_c(io, o);
    uint32_t room[LANES], *v = vector_to(io, o, o->vd, room);
    if (simple_mod1(o) & 1) {
        HOT_LOOP
        for (unsigned i = 0; i < LANES; i++)
            v[i] = c[i] > (SIGN | EXPONENT) ? c[i] : c[i] & ~SIGN;
    } else {
        HOT_LOOP
        for (unsigned i = 0; i < LANES; i++)
            v[i] = c[i] & SIGN ? 0 - c[i] : c[i];
    }
    vector_made(io, o, o->vd, v);
}

/* Mod1: 0 reciprocal, 1 reciprocal without sign where VB is negative, others exponential. */
void vector_sfparecip(const struct vector_io *io, const struct vector_op *o)
{
    const uint32_t *c = simple_c(io, o), *b = io->lanes->r[o->vb];
    uint32_t room[LANES], *v = vector_to(io, o, o->vd, room);
    switch (simple_mod1(o)) {
    case 0:
        HOT_LOOP
        for (unsigned i = 0; i < LANES; i++)
            v[i] = (c[i] & SIGN) | arecip_of(c[i] & ~SIGN);
        break;
    case 1:
        HOT_LOOP
        for (unsigned i = 0; i < LANES; i++)
            v[i] = b[i] & SIGN ? arecip_of(c[i] & ~SIGN) : c[i];
        break;
    default:
        HOT_LOOP
        for (unsigned i = 0; i < LANES; i++)
            v[i] = (c[i] & SIGN) | arecip_exp_of(c[i] & ~SIGN);
    }
    vector_made(io, o, o->vd, v);
}

/* ---- integers ---- */

/* Mod1: 1 immediate, else 2 difference; flags := negative unless 4; 8 flags inverted. */
void vector_sfpiadd(const struct vector_io *io, const struct vector_op *o)
{
    const uint32_t *c = simple_c(io, o), *b = simple_b(io, o);
    unsigned mod1 = simple_mod1(o);
    uint32_t imm = (uint32_t)simple_imm12(o), room[LANES], *v = vector_to(io, o, o->vd, room);
    if (mod1 & 1) {
        HOT_LOOP
        for (unsigned i = 0; i < LANES; i++)
            v[i] = c[i] + imm;
    } else if (mod1 & 2) {
        HOT_LOOP
        for (unsigned i = 0; i < LANES; i++)
            v[i] = c[i] - b[i];
    } else {
        HOT_LOOP
        for (unsigned i = 0; i < LANES; i++)
            v[i] = c[i] + b[i];
    }
    vector_made(io, o, o->vd, v);
    simple_flags(io, o, mod1 & 4 ? io->lanes->flags : vector_lanes(io)->negative(v), mod1 & 8);
}

/* Mod1: 1 by the immediate, and then 4 of VC instead of VD; 2 right shifts are arithmetic. */
void vector_sfpshft(const struct vector_io *io, const struct vector_op *o)
{
    const uint32_t *c = simple_c(io, o), *x = simple_b(io, o);
    unsigned mod1 = simple_mod1(o);
    uint32_t fill = mod1 & 2 ? SIGN : 0, room[LANES], *v = vector_to(io, o, o->vd, room);
    if (mod1 & 1) {
        uint32_t n = (uint32_t)simple_imm12(o), k = (n & SIGN ? 0 - n : n) & 31;
        x = mod1 & 4 ? c : x;
        if (n & SIGN) {
            HOT_LOOP
            for (unsigned i = 0; i < LANES; i++) {
                uint32_t s = x[i] & fill ? UINT32_MAX : 0; /* shifts in the sign's copies */
                v[i] = (x[i] ^ s) >> k ^ s;
            }
        } else {
            HOT_LOOP
            for (unsigned i = 0; i < LANES; i++)
                v[i] = x[i] << k;
        }
    } else {
        HOT_LOOP
        for (unsigned i = 0; i < LANES; i++) {
            uint32_t n = c[i], s = x[i] & fill ? UINT32_MAX : 0;
            uint32_t right = (x[i] ^ s) >> ((0 - n) & 31) ^ s;
            v[i] = n & SIGN ? right : x[i] << (n & 31);
        }
    }
    vector_made(io, o, o->vd, v);
}

/* ---- moves ---- */

/* What SFPMOV reads for VC when it does not read an LReg. */
static void simple_special(const struct vector_io *io, const struct vector_op *o, uint32_t v[LANES])
{
    struct lanes *l = io->lanes;
    unsigned from = o->vc;
    for (unsigned i = 0; i < LANES; i++) {
        const struct lanes_macro *m = &l->macro[i];
        switch (from) {
        case 0:
        case 1:
        case 2:
        case 3: v[i] = m->template_[from]; break;
        case 4:
        case 5:
        case 6:
        case 7: v[i] = m->sequence[from - 4]; break;
        case 8: v[i] = m->misc; break;
        case 9: v[i] = o->on >> i & 1 ? prng_next(&l->random[i]) : 0; break;
        case 15: v[i] = l->config[i]; break;
        default: v[i] = 0;
        }
    }
}

/* Mod1: 8 from special places, else 1 changes the sign; exactly 2: all lanes. Random numbers are used up even if VD
 * cannot be written. */
void vector_sfpmov(const struct vector_io *io, const struct vector_op *o)
{
    const uint32_t *c = simple_c(io, o);
    unsigned mod1 = simple_mod1(o);
    struct vector_op all = *o;
    if (mod1 == 2)
        all.on = o->open;
    uint32_t room[LANES], *v = vector_to(io, &all, o->vd, room);
    if (mod1 & 8) {
        simple_special(io, o, v);
    } else {
        uint32_t sign = mod1 & 1 ? SIGN : 0;
        HOT_LOOP
        for (unsigned i = 0; i < LANES; i++)
            v[i] = c[i] ^ sign;
    }
    vector_made(io, &all, o->vd, v);
}

#ifdef VECTOR_AVX2
static void simple_copy(const struct vector_io *io, const struct vector_op *o)
{
    memcpy(io->lanes->r[o->vd], simple_c(io, o), sizeof io->lanes->r[0]);
}

static vector_effect *simple_mov_usual(const struct vector_op *o)
{
    return !(simple_mod1(o) & 9) && vector_writable(o->vd) ? simple_copy : NULL;
}
#endif
