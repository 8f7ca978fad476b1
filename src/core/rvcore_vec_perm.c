/*
 * rvcore_vec_perm.c - vector instructions that look at more than one element: moves, slides,
 * gathers, masks, reductions.
 *
 * Block: EX1 to EX3 of T2. ISA page: BabyRISCV/InstructionSet (V); V 1.0, chapters 14 to 16.
 *
 * **Inaccuracies**: floating point sums are made in the order of the elements, also where V 1.0
 * leaves the order open.
 */
#include "core/rvcore_in.h"
#include "core/rvcore_vec.h"

bool rvcore_vec_perm_has(const struct vec *v)
{
    switch (rv32_table[v->e->op].class) {
    case RV_CLASS_VPERM:
    case RV_CLASS_VMASK:
    case RV_CLASS_VRED: return true;
    default: return false;
    }
}

/* ---- gathers and slides ---- */

static bool two_groups(const struct vec *v)
{
    return rvcore_vec_group_ok(v->vd, v->lmul8) && rvcore_vec_group_ok(v->vs2, v->lmul8);
}

static bool gather(struct vec *v, unsigned index_size)
{
    unsigned index8 = v->lmul8 * index_size / v->sew;
    bool vv = v->kind == OPIVV;
    if (!two_groups(v) || (vv && !rvcore_vec_group_ok(v->vs1, index8)))
        return false;
    for (unsigned i = 0; i < v->vl; i++) {
        /* a register's index is not cut to the element */
        uint32_t from = vv ? rvcore_vec_get(v, v->vs1, i, index_size) : rvcore_vec_operand(v, i, 4);
        if (rvcore_vec_active(v, i))
            rvcore_vec_put(
                v, v->vd, i, v->sew, from < v->vlmax ? rvcore_vec_get(v, v->vs2, from, v->sew) : 0);
    }
    return true;
}

static bool slide_up(struct vec *v)
{
    uint32_t by = rvcore_vec_operand(v, 0, 4);
    if (!two_groups(v))
        return false;
    for (unsigned i = v->vl; i-- > 0 && i >= by;)
        if (rvcore_vec_active(v, i))
            rvcore_vec_put(v, v->vd, i, v->sew, rvcore_vec_get(v, v->vs2, i - by, v->sew));
    return true;
}

static bool slide_down(struct vec *v)
{
    uint32_t by = rvcore_vec_operand(v, 0, 4);
    if (!two_groups(v))
        return false;
    for (unsigned i = 0; i < v->vl; i++)
        if (rvcore_vec_active(v, i))
            rvcore_vec_put(
                v,
                v->vd,
                i,
                v->sew,
                by < v->vlmax && i + by < v->vlmax ? rvcore_vec_get(v, v->vs2, i + by, v->sew) : 0);
    return true;
}

static bool slide_one_up(struct vec *v)
{
    if (!two_groups(v))
        return false;
    for (unsigned i = v->vl; i-- > 0;)
        if (rvcore_vec_active(v, i))
            rvcore_vec_put(v,
                           v->vd,
                           i,
                           v->sew,
                           i ? rvcore_vec_get(v, v->vs2, i - 1, v->sew)
                             : rvcore_vec_operand(v, 0, v->sew));
    return true;
}

static bool slide_one_down(struct vec *v)
{
    if (!two_groups(v))
        return false;
    for (unsigned i = 0; i < v->vl; i++)
        if (rvcore_vec_active(v, i))
            rvcore_vec_put(v,
                           v->vd,
                           i,
                           v->sew,
                           i + 1 < v->vl ? rvcore_vec_get(v, v->vs2, i + 1, v->sew)
                                         : rvcore_vec_operand(v, 0, v->sew));
    return true;
}

static bool compress(struct vec *v)
{
    unsigned n = 0;
    if (!two_groups(v))
        return false;
    for (unsigned i = 0; i < v->vl; i++)
        if (rvcore_vec_bit(v, v->vs1, i))
            rvcore_vec_put(v, v->vd, n++, v->sew, rvcore_vec_get(v, v->vs2, i, v->sew));
    return true;
}

static bool whole(struct vec *v)
{
    unsigned n = v->vs1 + 1; /* 1, 2, 4 or 8 */
    if (v->vd % n || v->vs2 % n)
        return false;
    for (unsigned i = 0; i < n * RV_VLENB; i++)
        rvcore_vec_put(v, v->vd, i, 1, rvcore_vec_get(v, v->vs2, i, 1));
    return true;
}

/* ---- masks ---- */

static bool mask_logic(struct vec *v)
{
    for (unsigned i = 0; i < v->vl; i++) {
        bool a = rvcore_vec_bit(v, v->vs2, i), b = rvcore_vec_bit(v, v->vs1, i), r;
        switch (v->f6) {
        case V6_VMANDN_MM: r = a && !b; break;
        case V6_VMAND_MM: r = a && b; break;
        case V6_VMOR_MM: r = a || b; break;
        case V6_VMXOR_MM: r = a != b; break;
        case V6_VMORN_MM: r = a || !b; break;
        case V6_VMNAND_MM: r = !(a && b); break;
        case V6_VMNOR_MM: r = !(a || b); break;
        default: r = a == b; break; /* vmxnor */
        }
        rvcore_vec_put_bit(v, v->vd, i, r);
    }
    return true;
}

/* vmsbf, vmsof, vmsif */
static bool mask_first(struct vec *v)
{
    bool seen = false;
    for (unsigned i = 0; i < v->vl; i++) {
        if (!rvcore_vec_active(v, i))
            continue;
        bool one = rvcore_vec_bit(v, v->vs2, i), first = one && !seen;
        seen |= one;
        rvcore_vec_put_bit(v,
                           v->vd,
                           i,
                           v->vs1 == V5_VMSBF_M   ? !seen
                           : v->vs1 == V5_VMSOF_M ? first
                                                  : first || !seen);
    }
    return true;
}

/* viota, vid */
static bool mask_count(struct vec *v)
{
    uint32_t n = 0;
    if (!rvcore_vec_group_ok(v->vd, v->lmul8))
        return false;
    for (unsigned i = 0; i < v->vl; i++) {
        if (!rvcore_vec_active(v, i))
            continue;
        rvcore_vec_put(v, v->vd, i, v->sew, v->vs1 == V5_VID_V ? i : n);
        n += rvcore_vec_bit(v, v->vs2, i);
    }
    return true;
}

static bool to_register(struct vec *v)
{
    struct rvcore *c = v->c;
    uint32_t n = 0, first = UINT32_MAX;
    if (v->e->op == RV_OP_VMV_X_S) {
        c->x[v->e->rd] = (uint32_t)rvcore_vec_signed(rvcore_vec_get(v, v->vs2, 0, v->sew), v->sew);
        return true;
    }
    for (unsigned i = v->vl; i-- > 0;)
        if (rvcore_vec_active(v, i) && rvcore_vec_bit(v, v->vs2, i)) {
            n++;
            first = i;
        }
    c->x[v->e->rd] = v->e->op == RV_OP_VCPOP_M ? n : first;
    return true;
}

/* ---- reductions ---- */

static uint32_t reduce_int(const struct vec *v, uint32_t a, uint32_t b)
{
    int64_t sa = rvcore_vec_signed(a, v->sew), sb = rvcore_vec_signed(b, v->sew);
    switch (v->e->op) {
    case RV_OP_VREDSUM_VS: return a + b;
    case RV_OP_VREDAND_VS: return a & b;
    case RV_OP_VREDOR_VS: return a | b;
    case RV_OP_VREDXOR_VS: return a ^ b;
    case RV_OP_VREDMINU_VS: return a < b ? a : b;
    case RV_OP_VREDMIN_VS: return sa < sb ? a : b;
    case RV_OP_VREDMAXU_VS: return a > b ? a : b;
    default: return sa > sb ? a : b; /* vredmax */
    }
}

static uint32_t reduce_fp(const struct vec *v, uint32_t a, uint32_t b)
{
    uint32_t *flags = &v->c->fcsr;
    switch (v->e->op) {
    case RV_OP_VFREDMIN_VS: return rvcore_fp_minmax(RV_FP32, false, a, b, flags);
    case RV_OP_VFREDMAX_VS: return rvcore_fp_minmax(RV_FP32, true, a, b, flags);
    default: return rvcore_fp_add(RV_FP32, true, a, b, flags);
    }
}

static bool reduce(struct vec *v)
{
    bool wide = v->e->op == RV_OP_VWREDSUM_VS || v->e->op == RV_OP_VWREDSUMU_VS;
    bool fp = v->kind == OPFVV;
    unsigned n = wide ? 2 * v->sew : v->sew;
    if (n > 4 || (fp && n != 4) || !rvcore_vec_group_ok(v->vs2, v->lmul8))
        return false;
    uint32_t sum = rvcore_vec_get(v, v->vs1, 0, n);
    for (unsigned i = 0; i < v->vl; i++) {
        uint32_t a = rvcore_vec_get(v, v->vs2, i, v->sew);
        if (!rvcore_vec_active(v, i))
            continue;
        if (wide)
            sum += v->e->op == RV_OP_VWREDSUM_VS ? (uint32_t)rvcore_vec_signed(a, v->sew) : a;
        else
            sum = fp ? reduce_fp(v, sum, a) : reduce_int(v, sum, a);
    }
    if (v->vl)
        rvcore_vec_put(v, v->vd, 0, n, sum);
    return true;
}

bool rvcore_vec_perm(struct vec *v)
{
    if (rv32_table[v->e->op].class == RV_CLASS_VRED)
        return reduce(v);
    switch (v->e->op) {
    case RV_OP_VRGATHER_VV:
    case RV_OP_VRGATHER_VX:
    case RV_OP_VRGATHER_VI: return gather(v, v->sew);
    case RV_OP_VRGATHEREI16_VV: return gather(v, 2);
    case RV_OP_VSLIDEUP_VX:
    case RV_OP_VSLIDEUP_VI: return slide_up(v);
    case RV_OP_VSLIDEDOWN_VX:
    case RV_OP_VSLIDEDOWN_VI: return slide_down(v);
    case RV_OP_VFSLIDE1UP_VF:
        if (v->sew != 4)
            return false;
        return slide_one_up(v);
    case RV_OP_VSLIDE1UP_VX: return slide_one_up(v);
    case RV_OP_VFSLIDE1DOWN_VF:
        if (v->sew != 4)
            return false;
        return slide_one_down(v);
    case RV_OP_VSLIDE1DOWN_VX: return slide_one_down(v);
    case RV_OP_VCOMPRESS_VM: return compress(v);
    case RV_OP_VMV1R_V:
    case RV_OP_VMV2R_V:
    case RV_OP_VMV4R_V:
    case RV_OP_VMV8R_V: return whole(v);
    case RV_OP_VFMV_F_S:
        if (v->sew != 4)
            return false;
        v->c->f[v->vd] = rvcore_vec_get(v, v->vs2, 0, 4);
        return true;
    case RV_OP_VFMV_S_F:
    case RV_OP_VMV_S_X:
        if (v->kind == OPFVF && v->sew != 4)
            return false;
        if (v->vl)
            rvcore_vec_put(v, v->vd, 0, v->sew, rvcore_vec_operand(v, 0, v->sew));
        return true;
    case RV_OP_VMV_X_S:
    case RV_OP_VCPOP_M:
    case RV_OP_VFIRST_M: return to_register(v);
    case RV_OP_VMSBF_M:
    case RV_OP_VMSOF_M:
    case RV_OP_VMSIF_M: return mask_first(v);
    case RV_OP_VIOTA_M:
    case RV_OP_VID_V: return mask_count(v);
    default: return mask_logic(v);
    }
}
