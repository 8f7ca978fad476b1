/*
 * vector_hazard.c - which registers an instruction of the Vector Unit reads in its first cycle, which of them the
 * hardware's check knows of, and which it writes one cycle late.
 *
 * ISA pages: SFPMAD, SFPLUTFP32, SFPSWAP, SFPSHFT2: "Instruction scheduling" (Blackhole). A two-cycle result can be read
 * in the second cycle behind its instruction. The check holds a reader that comes sooner, if it knows of the read; the
 * pages list the reads that it does not know of, and they are `reads` without `seen` here.
 *
 * Inaccuracies: reads that no page speaks of are taken to be known to the check (SFPLUT, COPY4 of SFPSHFT2, VB of
 * SFPARECIP and SFPSTOCHRND). Half-word loads (SFPLOADI, modes 14 and 15 of SFPLOAD) count as no read of the other
 * half. A result aimed at LReg 8 to 15 is none, for the check neither.
 */
#include "isa/tensix.h"
#include "vector/vector_in.h"

#define USES_ALL UINT32_C(0xffff)
#define USES_LUT UINT32_C(0x000f) /* coefficients in 0-2, the argument in 3 */
#define INDIRECT UINT32_C(0x0080) /* LReg 7 names registers */

enum { INDIRECT_A = 4, INDIRECT_D = 8 };

static uint32_t uses_bit(unsigned r)
{
    return UINT32_C(1) << r;
}

/* The operand that simple instructions call VB and have no field for. */
static uint32_t uses_b(const struct vector_op *o)
{
    return uses_bit(o->macro ? o->vb : o->vd);
}

/* Both what is read and what is seen to be read. */
static void uses_read(struct vector_uses *u, uint32_t registers)
{
    u->reads |= registers;
    u->seen |= registers;
}

/* A result one cycle late; indirect: to a register that LReg 7 names. */
static void uses_late(struct vector_uses *u, const struct vector_op *o, bool indirect, bool claimed)
{
    uint32_t direct = vector_writable(o->vd) ? uses_bit(o->vd) : 0;
    bool named = indirect && o->vd != 16;
    u->late = named ? 0xff : direct;
    u->claimed = claimed ? USES_ALL : direct;
    if (named)
        u->reads |= INDIRECT;
}

static void uses_mad(struct vector_uses *u, const struct vector_op *o)
{
    unsigned mod1 = o->word & 15;
    u->reads = uses_bit(o->vb) | uses_bit(o->vc);
    u->reads |= mod1 & INDIRECT_A ? USES_ALL : uses_bit(o->va);
    uses_late(u, o, mod1 & INDIRECT_D, mod1 & INDIRECT_D);
    u->seen = u->reads;
}

/* SFPADDI, SFPMULI: the register they write, unless SFPLOADMACRO names another one. */
static void uses_immediate(struct vector_uses *u, const struct vector_op *o)
{
    unsigned mod1 = o->word & 15;
    u->reads = uses_bit(o->macro ? o->vc : o->vd);
    uses_late(u, o, mod1 & INDIRECT_D, mod1 & INDIRECT_D);
    u->seen = u->reads;
}

static void uses_lut(struct vector_uses *u, const struct vector_op *o)
{
    unsigned mod0 = bits_get(o->word, 16, 4);
    u->reads = USES_LUT;
    uses_late(u, o, mod0 & INDIRECT_D, mod0 & INDIRECT_D);
    u->seen = u->reads;
}

/* The check looks at a copy of the modifier, and takes it that all tables are read. */
static void uses_lutfp32(struct vector_uses *u, const struct vector_op *o)
{
    unsigned mod1 = o->word & 15, mirror = bits_get(o->word, 16, 4);
    bool of_one = (mod1 & 10) == 10; /* both coefficients from LReg 0-2 */
    u->reads = USES_LUT | (of_one ? 0 : 0x70);
    uses_late(u, o, mod1 & INDIRECT_D, mirror & INDIRECT_D);
    u->seen = mirror & INDIRECT_D ? USES_ALL : USES_ALL & ~INDIRECT;
}

static void uses_shft2(struct vector_uses *u, const struct vector_op *o)
{
    switch (o->word & 15) {
    case 0: uses_read(u, 0xe); break;
    case 1: uses_read(u, 0xf); break;
    case 2:
        u->reads = 0xe | uses_bit(o->vc);
        u->late = 0xf;
        break;
    case 3:
    case 4:
        u->reads = uses_bit(o->vc);
        u->late = vector_writable(o->vd) ? uses_bit(o->vd) : 0;
        break;
    case 5:
        u->reads = uses_bit(o->vb) | uses_bit(o->vc);
        u->seen = uses_bit(o->vd) | uses_bit(o->vc);
        break;
    case 6:
        u->reads = uses_bit(o->vb);
        u->seen = uses_bit(o->vd);
        break;
    default: break;
    }
}

/* Compares in the first cycle, which the check does not see, and reads again in the second. */
static void uses_swap(struct vector_uses *u, const struct vector_op *o)
{
    unsigned d = vector_swap_d(o);
    uint32_t both = uses_bit(o->vc) | uses_bit(d);
    u->reads = o->word & 15 ? both : 0;
    u->late = (both & 0xff) | uses_bit(4 + (o->vc & 3u)) | uses_bit(4 + (d & 3u));
}

static void uses_none(struct vector_uses *u, const struct vector_op *o)
{
    (void)u, (void)o;
}

static void uses_vd(struct vector_uses *u, const struct vector_op *o)
{
    uses_read(u, uses_bit(o->vd));
}

static void uses_vc(struct vector_uses *u, const struct vector_op *o)
{
    uses_read(u, uses_bit(o->vc));
}

/* VC, and what simple instructions call VB. */
static void uses_both(struct vector_uses *u, const struct vector_op *o)
{
    uses_read(u, uses_bit(o->vc) | uses_b(o));
}

/* The same, or an immediate. */
static void uses_set(struct vector_uses *u, const struct vector_op *o)
{
    uses_read(u, uses_bit(o->vc) | (o->word & 1 ? 0 : uses_b(o)));
}

/* SFPAND, SFPOR: the check does not know of the modifier. */
static void uses_and(struct vector_uses *u, const struct vector_op *o)
{
    u->reads = uses_bit(o->vc) | uses_bit(o->word & 1 ? o->vb : o->vd);
    u->seen = uses_bit(o->vc) | uses_bit(o->vd);
}

static void uses_iadd(struct vector_uses *u, const struct vector_op *o)
{
    u->reads = uses_bit(o->vc) | (o->word & 1 ? 0 : uses_b(o));
    u->seen = uses_bit(o->vc);
}

static void uses_shft(struct vector_uses *u, const struct vector_op *o)
{
    unsigned mod1 = o->word & 15;
    u->reads = (mod1 & 5) == 1 ? 0 : uses_bit(o->vc);
    u->reads |= (mod1 & 5) == 5 ? 0 : uses_b(o);
    u->seen = uses_bit(o->vc);
}

static void uses_mov(struct vector_uses *u, const struct vector_op *o)
{
    uses_read(u, o->word & 8 ? 0 : uses_bit(o->vc));
}

static void uses_arecip(struct vector_uses *u, const struct vector_op *o)
{
    uses_read(u, uses_bit(o->vc) | ((o->word & 15) == 1 ? uses_bit(o->vb) : 0));
}

/* SFPTRANSP */
static void uses_lower(struct vector_uses *u, const struct vector_op *o)
{
    (void)o;
    uses_read(u, 0xff);
}

/* Four and five of SFPSTOCHRND shift by VB. */
static void uses_round(struct vector_uses *u, const struct vector_op *o)
{
    bool by_vb = (o->word & 6) == 4 && !(o->word & 8);
    uses_read(u, uses_bit(o->vc) | (by_vb ? uses_bit(o->vb) : 0));
}

static void uses_config(struct vector_uses *u, const struct vector_op *o)
{
    u->reads = o->word & 1 && o->vd >= 4 ? 0 : 1;
}

struct vector_uses vector_hazard_uses_of(const struct vector_op *o)
{
    struct vector_uses u = {0};
    /* clang-format off */
    switch (o->word >> 24) {
#define VECTOR(name, form, sub, registers, dst, flags, effect, usual, traits)                      \
    case TENSIX_OP_##name: uses_##registers(&u, o); break;
#include "vector/vector.def"
    default: break;
    }
    /* clang-format on */
    return u;
}
