/*
 * rvcore_vec_fp.c - floating point vector instructions that treat elements one by one.
 *
 * Block: EX1 to EX3 of T2. ISA page: BabyRISCV/InstructionSet (V); arithmetic as in rvcore_fp.c.
 *
 * **Inaccuracies**: singles only; no page says whether vectors of halves exist.
 */
#include "core/rvcore_in.h"
#include "core/rvcore_vec.h"

#define SIGN UINT32_C(0x80000000)

/* x * y + z with signs: bit 0 turns the product, bit 1 the addend. */
static uint32_t fused(const struct vec *v, uint32_t x, uint32_t y, uint32_t z, unsigned turn)
{
    return rvcore_fp_fma(
        RV_FP32, true, turn & 1 ? x ^ SIGN : x, y, turn & 2 ? z ^ SIGN : z, &v->c->fcsr);
}

/* a from vs2, b the other operand, d the old result. */
static uint32_t arithmetic(const struct vec *v, uint32_t a, uint32_t b, uint32_t d)
{
    uint32_t *flags = &v->c->fcsr;
    switch (v->f6) {
    case V6_VFADD_VV: return rvcore_fp_add(RV_FP32, true, a, b, flags);
    case V6_VFSUB_VV: return rvcore_fp_add(RV_FP32, true, a, b ^ SIGN, flags);
    case V6_VFRSUB_VF: return rvcore_fp_add(RV_FP32, true, b, a ^ SIGN, flags);
    case V6_VFMUL_VV: return rvcore_fp_mul(RV_FP32, true, a, b, flags);
    case V6_VFMIN_VV: return rvcore_fp_minmax(RV_FP32, false, a, b, flags);
    case V6_VFMAX_VV: return rvcore_fp_minmax(RV_FP32, true, a, b, flags);
    case V6_VFSGNJ_VV: return (a & ~SIGN) | (b & SIGN);
    case V6_VFSGNJN_VV: return (a & ~SIGN) | (~b & SIGN);
    case V6_VFSGNJX_VV: return a ^ (b & SIGN);
    case V6_VFMADD_VV: return fused(v, b, d, a, 0);
    case V6_VFNMADD_VV: return fused(v, b, d, a, 3);
    case V6_VFMSUB_VV: return fused(v, b, d, a, 2);
    case V6_VFNMSUB_VV: return fused(v, b, d, a, 1);
    case V6_VFMACC_VV: return fused(v, b, a, d, 0);
    case V6_VFNMACC_VV: return fused(v, b, a, d, 3);
    case V6_VFMSAC_VV: return fused(v, b, a, d, 2);
    default: return fused(v, b, a, d, 1); /* vfnmsac */
    }
}

static uint32_t unary(const struct vec *v, uint32_t a)
{
    uint32_t *flags = &v->c->fcsr;
    switch (v->e->op) {
    case RV_OP_VFCVT_XU_F_V: return rvcore_fp_to_int(RV_FP32, RV_FP_RNE, false, a, flags);
    case RV_OP_VFCVT_X_F_V: return rvcore_fp_to_int(RV_FP32, RV_FP_RNE, true, a, flags);
    case RV_OP_VFCVT_RTZ_XU_F_V: return rvcore_fp_to_int(RV_FP32, RV_FP_RTZ, false, a, flags);
    case RV_OP_VFCVT_RTZ_X_F_V: return rvcore_fp_to_int(RV_FP32, RV_FP_RTZ, true, a, flags);
    case RV_OP_VFCVT_F_XU_V: return rvcore_fp_from_int(RV_FP32, true, false, a, flags);
    case RV_OP_VFCVT_F_X_V: return rvcore_fp_from_int(RV_FP32, true, true, a, flags);
    default: return rvcore_fp_class(RV_FP32, a);
    }
}

static bool compares(const struct vec *v, uint32_t a, uint32_t b)
{
    uint32_t *flags = &v->c->fcsr;
    switch (v->f6) {
    case V6_VMFEQ_VV: return rvcore_fp_compare(RV_FP32, RV_FP_EQ, a, b, flags);
    case V6_VMFNE_VV: return !rvcore_fp_compare(RV_FP32, RV_FP_EQ, a, b, flags);
    case V6_VMFLE_VV: return rvcore_fp_compare(RV_FP32, RV_FP_LE, a, b, flags);
    case V6_VMFLT_VV: return rvcore_fp_compare(RV_FP32, RV_FP_LT, a, b, flags);
    case V6_VMFGT_VF: return rvcore_fp_compare(RV_FP32, RV_FP_LT, b, a, flags);
    default: return rvcore_fp_compare(RV_FP32, RV_FP_LE, b, a, flags); /* vmfge */
    }
}

static bool is_compare(const struct vec *v)
{
    return v->f6 >= V6_VMFEQ_VV && v->f6 <= V6_VMFGE_VF;
}

bool rvcore_vec_fp(struct vec *v)
{
    bool is_unary = v->kind == OPFVV && (v->f6 == V6_VFCVT_X_F_V || v->f6 == V6_VFCLASS_V);
    bool to_mask = is_compare(v), is_merge = v->f6 == V6_VFMERGE_VFM;
    if (v->sew != 4 || !rvcore_vec_group_ok(v->vs2, v->lmul8) ||
        (!to_mask && !rvcore_vec_group_ok(v->vd, v->lmul8)) ||
        (v->kind == OPFVV && !is_unary && !rvcore_vec_group_ok(v->vs1, v->lmul8)))
        return false;
    for (unsigned i = 0; i < v->vl; i++) {
        uint32_t a = rvcore_vec_get(v, v->vs2, i, 4);
        if (is_merge)
            rvcore_vec_put(
                v, v->vd, i, 4, rvcore_vec_active(v, i) ? rvcore_vec_operand(v, i, 4) : a);
        else if (!rvcore_vec_active(v, i))
            continue;
        else if (to_mask)
            rvcore_vec_put_bit(v, v->vd, i, compares(v, a, rvcore_vec_operand(v, i, 4)));
        else if (is_unary)
            rvcore_vec_put(v, v->vd, i, 4, unary(v, a));
        else
            rvcore_vec_put(
                v,
                v->vd,
                i,
                4,
                arithmetic(v, a, rvcore_vec_operand(v, i, 4), rvcore_vec_get(v, v->vd, i, 4)));
    }
    return true;
}
