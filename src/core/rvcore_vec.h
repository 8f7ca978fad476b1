/*
 * rvcore_vec.h - what the files of the vector instructions share; for rvcore_vec*.c only.
 *
 * An instruction is told apart by its major kind (bits 14:12) and funct6; the numbers come from
 * isa/rv32.def. The functions return false for operands hardware has no meaning for.
 */
#ifndef WG_CORE_RVCORE_VEC_H
#define WG_CORE_RVCORE_VEC_H

#include "base/bits.h"
#include "core/rvcore.h"
#include "isa/rv32.h"

/* V6_VADD_VV: funct6 of that row; V5_VMV_X_S: its vs1 field. */
enum {
#define RV(id, name, match, mask, format, extension, class, text) V6_##id = (int)((match) >> 26),
#include "isa/rv32.def"
};
enum {
#define RV(id, name, match, mask, format, extension, class, text)                                  \
    V5_##id = (int)((match) >> 15 & 31),
#include "isa/rv32.def"
};

enum { OPIVV, OPFVV, OPMVV, OPIVI, OPIVX, OPFVF, OPMVX, OPCFG };

struct vec {
    struct rvcore *c;
    const struct rvinsn *e;
    unsigned kind, f6;
    unsigned vd, vs1, vs2; /* fields of the word */
    unsigned sew;          /* bytes of an element */
    unsigned lmul8;        /* registers of a group, times 8 */
    unsigned vl, vlmax;
    bool masked;
};

static inline uint32_t rvcore_vec_get(const struct vec *v, unsigned reg, unsigned i, unsigned bytes)
{
    unsigned at = i * bytes;
    const uint8_t *p = &v->c->v[(reg + at / RV_VLENB) & 31][at % RV_VLENB];
    uint32_t value = p[0];
    for (unsigned b = 1; b < bytes; b++)
        value |= (uint32_t)p[b] << 8 * b;
    return value;
}

static inline void rvcore_vec_put(const struct vec *v, unsigned reg, unsigned i, unsigned bytes,
                                  uint32_t value)
{
    unsigned at = i * bytes;
    uint8_t *p = &v->c->v[(reg + at / RV_VLENB) & 31][at % RV_VLENB];
    for (unsigned b = 0; b < bytes; b++)
        p[b] = (uint8_t)(value >> 8 * b);
}

static inline bool rvcore_vec_bit(const struct vec *v, unsigned reg, unsigned i)
{
    return v->c->v[reg & 31][i / 8 % RV_VLENB] >> i % 8 & 1;
}

static inline void rvcore_vec_put_bit(const struct vec *v, unsigned reg, unsigned i, bool bit)
{
    uint8_t *p = &v->c->v[reg & 31][i / 8 % RV_VLENB];
    *p = (uint8_t)((*p & ~(1u << i % 8)) | (unsigned)bit << i % 8);
}

/* Does this element take part? */
static inline bool rvcore_vec_active(const struct vec *v, unsigned i)
{
    return !v->masked || rvcore_vec_bit(v, 0, i);
}

/* The operand that is a vector, a register or an immediate, cut to the element. */
static inline uint32_t rvcore_vec_operand(const struct vec *v, unsigned i, unsigned bytes)
{
    switch (v->kind) {
    case OPIVI: return (uint32_t)v->e->imm & bits_mask(8 * bytes);
    case OPIVX:
    case OPMVX: return v->c->x[v->vs1] & bits_mask(8 * bytes);
    case OPFVF: return v->c->f[v->vs1] & bits_mask(8 * bytes);
    default: return rvcore_vec_get(v, v->vs1, i, bytes);
    }
}

static inline int64_t rvcore_vec_signed(uint32_t value, unsigned bytes)
{
    uint32_t top = UINT32_C(1) << (8 * bytes - 1);
    return (int64_t)(int32_t)(((value & bits_mask(8 * bytes)) ^ top) - top);
}

/* May a group of this size begin at this register? Fractions of a register take a whole one. */
static inline bool rvcore_vec_group_ok(unsigned reg, unsigned emul8)
{
    return emul8 >= 1 && emul8 <= 64 && reg % (emul8 > 8 ? emul8 / 8 : 1) == 0;
}

bool rvcore_vec_int(struct vec *v);  /* OPI and OPM: elements by themselves */
bool rvcore_vec_perm(struct vec *v); /* OPI, OPM, OPF: moves, slides, masks, reductions */
bool rvcore_vec_fp(struct vec *v);   /* OPF: elements by themselves */
/* Is it one of rvcore_vec_perm's? */
bool rvcore_vec_perm_has(const struct vec *v);

#endif
