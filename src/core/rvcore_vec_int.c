/*
 * rvcore_vec_int.c - integer and fixed point vector instructions that treat elements one by one.
 *
 * Block: EX1 to EX3 of T2. ISA page: BabyRISCV/InstructionSet (V); V 1.0, chapters 11 and 12.
 */
#include "core/rvcore_vec.h"

/* ---- arithmetic on one element; a from vs2, b the other operand ---- */

static uint32_t saturated(const struct vec *v, int64_t exact, int64_t least, int64_t most)
{
    if (exact >= least && exact <= most)
        return (uint32_t)exact;
    v->c->vxsat = 1;
    return (uint32_t)(exact < least ? least : most);
}

static int64_t least_of(unsigned bytes)
{
    return -(INT64_C(1) << (8 * bytes - 1));
}

/* What rounding adds when the low `by` bits go; mode vxrm. */
static int64_t increment(const struct vec *v, int64_t x, unsigned by)
{
    if (!by)
        return 0;
    bool half = (uint64_t)x >> (by - 1) & 1, next = (uint64_t)x >> by & 1;
    bool below = ((uint64_t)x & ((UINT64_C(1) << (by - 1)) - 1)) != 0;
    switch (v->c->vxrm & 3) {
    case 0: return half;
    case 1: return half && (below || next);
    case 2: return 0;
    default: return !next && (half || below);
    }
}

static int64_t shift_rounding(const struct vec *v, int64_t x, unsigned by)
{
    return (x >> by) + increment(v, x, by);
}

static uint32_t opi(const struct vec *v, uint32_t a, uint32_t b)
{
    unsigned n = v->sew, by = b & (8 * n - 1);
    int64_t sa = rvcore_vec_signed(a, n), sb = rvcore_vec_signed(b, n), top = least_of(n);
    int64_t all = (int64_t)bits_mask(8 * n);
    switch (v->f6) {
    case V6_VADD_VV: return a + b;
    case V6_VSUB_VV: return a - b;
    case V6_VRSUB_VX: return b - a;
    case V6_VMINU_VV: return a < b ? a : b;
    case V6_VMIN_VV: return sa < sb ? a : b;
    case V6_VMAXU_VV: return a > b ? a : b;
    case V6_VMAX_VV: return sa > sb ? a : b;
    case V6_VAND_VV: return a & b;
    case V6_VOR_VV: return a | b;
    case V6_VXOR_VV: return a ^ b;
    case V6_VSADDU_VV: return saturated(v, (int64_t)a + b, 0, all);
    case V6_VSADD_VV: return saturated(v, sa + sb, top, -top - 1);
    case V6_VSSUBU_VV: return saturated(v, (int64_t)a - b, 0, all);
    case V6_VSSUB_VV: return saturated(v, sa - sb, top, -top - 1);
    case V6_VSLL_VV: return a << by;
    case V6_VSRL_VV: return a >> by;
    case V6_VSRA_VV: return (uint32_t)(sa >> by);
    case V6_VSSRL_VV: return (uint32_t)shift_rounding(v, a, by);
    case V6_VSSRA_VV: return (uint32_t)shift_rounding(v, sa, by);
    default: /* vsmul */ return saturated(v, shift_rounding(v, sa * sb, 8 * n - 1), top, -top - 1);
    }
}

static uint32_t opm(const struct vec *v, uint32_t a, uint32_t b, uint32_t d)
{
    unsigned n = v->sew;
    int64_t sa = rvcore_vec_signed(a, n), sb = rvcore_vec_signed(b, n);
    switch (v->f6) {
    case V6_VAADDU_VV: return (uint32_t)shift_rounding(v, (int64_t)a + b, 1);
    case V6_VAADD_VV: return (uint32_t)shift_rounding(v, sa + sb, 1);
    case V6_VASUBU_VV: return (uint32_t)shift_rounding(v, (int64_t)a - b, 1);
    case V6_VASUB_VV: return (uint32_t)shift_rounding(v, sa - sb, 1);
    case V6_VMULHU_VV: return (uint32_t)((uint64_t)a * b >> 8 * n);
    case V6_VMUL_VV: return a * b;
    case V6_VMULHSU_VV: return (uint32_t)(sa * (int64_t)b >> 8 * n);
    case V6_VMULH_VV: return (uint32_t)(sa * sb >> 8 * n);
    case V6_VMADD_VV: return d * b + a;
    case V6_VNMSUB_VV: return a - d * b;
    case V6_VMACC_VV: return d + b * a;
    default: return d - b * a; /* vnmsac */
    }
}

static bool compares(const struct vec *v, uint32_t a, uint32_t b)
{
    int64_t sa = rvcore_vec_signed(a, v->sew), sb = rvcore_vec_signed(b, v->sew);
    switch (v->f6) {
    case V6_VMSEQ_VV: return a == b;
    case V6_VMSNE_VV: return a != b;
    case V6_VMSLTU_VV: return a < b;
    case V6_VMSLT_VV: return sa < sb;
    case V6_VMSLEU_VV: return a <= b;
    case V6_VMSLE_VV: return sa <= sb;
    case V6_VMSGTU_VX: return a > b;
    default: return sa > sb; /* vmsgt */
    }
}

/* ---- shapes ---- */

static bool groups_ok(const struct vec *v, unsigned d8, unsigned s8)
{
    bool vv = v->kind == OPIVV || v->kind == OPMVV;
    return rvcore_vec_group_ok(v->vd, d8) && rvcore_vec_group_ok(v->vs2, s8) &&
           (!vv || rvcore_vec_group_ok(v->vs1, v->lmul8));
}

static bool simple(struct vec *v)
{
    bool is_opm = v->kind == OPMVV || v->kind == OPMVX;
    if (!groups_ok(v, v->lmul8, v->lmul8))
        return false;
    for (unsigned i = 0; i < v->vl; i++) {
        uint32_t a = rvcore_vec_get(v, v->vs2, i, v->sew), b = rvcore_vec_operand(v, i, v->sew);
        if (rvcore_vec_active(v, i))
            rvcore_vec_put(v,
                           v->vd,
                           i,
                           v->sew,
                           is_opm ? opm(v, a, b, rvcore_vec_get(v, v->vd, i, v->sew))
                                  : opi(v, a, b));
    }
    return true;
}

/* Masks as results: comparisons. */
static bool compare(struct vec *v)
{
    if (!groups_ok(v, 8, v->lmul8))
        return false;
    for (unsigned i = 0; i < v->vl; i++)
        if (rvcore_vec_active(v, i))
            rvcore_vec_put_bit(v,
                               v->vd,
                               i,
                               compares(v,
                                        rvcore_vec_get(v, v->vs2, i, v->sew),
                                        rvcore_vec_operand(v, i, v->sew)));
    return true;
}

/* vadc, vsbc, vmadc, vmsbc: v0 is the carry, not a mask. */
static bool carry(struct vec *v)
{
    bool subtract = v->f6 == V6_VSBC_VVM || v->f6 == V6_VMSBC_VVM;
    bool out = v->f6 == V6_VMADC_VVM || v->f6 == V6_VMSBC_VVM;
    if (!groups_ok(v, out ? 8 : v->lmul8, v->lmul8))
        return false;
    for (unsigned i = 0; i < v->vl; i++) {
        uint64_t a = rvcore_vec_get(v, v->vs2, i, v->sew), b = rvcore_vec_operand(v, i, v->sew);
        uint64_t in = v->masked && rvcore_vec_bit(v, 0, i);
        uint64_t r = subtract ? a - b - in : a + b + in;
        if (out)
            rvcore_vec_put_bit(v, v->vd, i, r >> 8 * v->sew & 1);
        else
            rvcore_vec_put(v, v->vd, i, v->sew, (uint32_t)r);
    }
    return true;
}

/* vmerge, and vmv.v, which is a vmerge that takes everything. */
static bool merge(struct vec *v)
{
    if (!groups_ok(v, v->lmul8, v->lmul8))
        return false;
    for (unsigned i = 0; i < v->vl; i++)
        rvcore_vec_put(v,
                       v->vd,
                       i,
                       v->sew,
                       rvcore_vec_active(v, i) ? rvcore_vec_operand(v, i, v->sew)
                                               : rvcore_vec_get(v, v->vs2, i, v->sew));
    return true;
}

static uint32_t widened(const struct vec *v, uint32_t wide, uint32_t a, uint32_t b, uint32_t d)
{
    int64_t sa = rvcore_vec_signed(a, v->sew), sb = rvcore_vec_signed(b, v->sew), sw = wide;
    int64_t ua = a, ub = b, r;
    switch (v->f6) {
    case V6_VWADDU_VV: r = ua + ub; break;
    case V6_VWADD_VV: r = sa + sb; break;
    case V6_VWSUBU_VV: r = ua - ub; break;
    case V6_VWSUB_VV: r = sa - sb; break;
    case V6_VWADDU_WV: r = sw + ub; break;
    case V6_VWADD_WV: r = sw + sb; break;
    case V6_VWSUBU_WV: r = sw - ub; break;
    case V6_VWSUB_WV: r = sw - sb; break;
    case V6_VWMULU_VV: r = ua * ub; break;
    case V6_VWMULSU_VV: r = sa * ub; break;
    case V6_VWMUL_VV: r = sa * sb; break;
    case V6_VWMACCU_VV: r = ua * ub + d; break;
    case V6_VWMACC_VV: r = sa * sb + d; break;
    case V6_VWMACCUS_VX: r = sa * ub + d; break;
    default: r = ua * sb + d; break; /* vwmaccsu */
    }
    return (uint32_t)r;
}

static bool widen(struct vec *v)
{
    bool wide = v->f6 >= V6_VWADDU_WV && v->f6 <= V6_VWSUB_WV;
    unsigned n = v->sew;
    if (n > 2 || !groups_ok(v, 2 * v->lmul8, wide ? 2 * v->lmul8 : v->lmul8))
        return false;
    /* from the last element down, so that a result over its own sources comes out right */
    for (unsigned i = v->vl; i-- > 0;) {
        uint32_t a = rvcore_vec_get(v, v->vs2, i, n),
                 w = wide ? rvcore_vec_get(v, v->vs2, i, 2 * n) : 0;
        uint32_t b = rvcore_vec_operand(v, i, n), d = rvcore_vec_get(v, v->vd, i, 2 * n);
        if (rvcore_vec_active(v, i))
            rvcore_vec_put(v, v->vd, i, 2 * n, widened(v, w, a, b, d));
    }
    return true;
}

static bool narrow(struct vec *v)
{
    unsigned n = v->sew;
    if (n > 2 || !groups_ok(v, v->lmul8, 2 * v->lmul8))
        return false;
    for (unsigned i = 0; i < v->vl; i++) {
        uint32_t a = rvcore_vec_get(v, v->vs2, i, 2 * n), r;
        unsigned by = rvcore_vec_operand(v, i, n) & (16 * n - 1);
        int64_t sa = rvcore_vec_signed(a, 2 * n), top = least_of(n);
        if (!rvcore_vec_active(v, i))
            continue;
        switch (v->f6) {
        case V6_VNSRL_WV: r = a >> by; break;
        case V6_VNSRA_WV: r = (uint32_t)(sa >> by); break;
        case V6_VNCLIPU_WV:
            r = saturated(v, shift_rounding(v, a, by), 0, (int64_t)bits_mask(8 * n));
            break;
        default: r = saturated(v, shift_rounding(v, sa, by), top, -top - 1); break;
        }
        rvcore_vec_put(v, v->vd, i, n, r);
    }
    return true;
}

static bool extend(struct vec *v)
{
    unsigned by = v->vs1 <= (unsigned)V5_VSEXT_VF4 ? 4 : 2, from = v->sew / by;
    bool sign = v->vs1 & 1;
    if (!from || v->lmul8 < by || !rvcore_vec_group_ok(v->vd, v->lmul8) ||
        !rvcore_vec_group_ok(v->vs2, v->lmul8 / by))
        return false;
    for (unsigned i = v->vl; i-- > 0;) {
        uint32_t a = rvcore_vec_get(v, v->vs2, i, from);
        if (rvcore_vec_active(v, i))
            rvcore_vec_put(v, v->vd, i, v->sew, sign ? (uint32_t)rvcore_vec_signed(a, from) : a);
    }
    return true;
}

bool rvcore_vec_int(struct vec *v)
{
    if (v->kind == OPMVV || v->kind == OPMVX) {
        if (v->kind == OPMVV && v->f6 == V6_VZEXT_VF2)
            return extend(v);
        return v->f6 >= V6_VWADDU_VV ? widen(v) : simple(v);
    }
    switch (v->f6) {
    case V6_VADC_VVM:
    case V6_VMADC_VVM:
    case V6_VSBC_VVM:
    case V6_VMSBC_VVM: return carry(v);
    case V6_VMERGE_VVM: return merge(v);
    case V6_VMSEQ_VV:
    case V6_VMSNE_VV:
    case V6_VMSLTU_VV:
    case V6_VMSLT_VV:
    case V6_VMSLEU_VV:
    case V6_VMSLE_VV:
    case V6_VMSGTU_VX:
    case V6_VMSGT_VX: return compare(v);
    case V6_VNSRL_WV:
    case V6_VNSRA_WV:
    case V6_VNCLIPU_WV:
    case V6_VNCLIP_WV: return narrow(v);
    default: return simple(v);
    }
}
