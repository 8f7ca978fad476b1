/*
 * alpha_fp_quick.h - the operations that the host's arithmetic does with the same bits.
 *
 * That is: normal operands, rounding to nearest, a result well inside the normal range, and nobody who
 * asks whether it was exact (/S without /I, or FPCR.INE is set already). Then no exception is
 * possible, and FPCR does not change. Everything else is left to alpha_fp.c.
 *
 * With a constant op only one case remains. The host must round to nearest, as a C program does unless
 * it asks for something else.
 */
#ifndef WG_ALPHA_FP_QUICK_H
#define WG_ALPHA_FP_QUICK_H

#include <float.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "alpha/alpha_fp.h"
#include "base/hot.h"

#define ALPHA_EXP_OF(t) ((uint32_t)((t) >> 52) & 0x7ff)

#if defined(FLT_EVAL_METHOD) && FLT_EVAL_METHOD == 0 && FLT_RADIX == 2 && DBL_MANT_DIG == 53

static inline double alpha_fp_quick_host_t(uint64_t bits)
{
    double d;
    memcpy(&d, &bits, sizeof d);
    return d;
}

static inline float alpha_fp_quick_host_s(uint32_t bits)
{
    float s;
    memcpy(&s, &bits, sizeof s);
    return s;
}

static inline uint64_t alpha_fp_quick_from_t(double d)
{
    uint64_t bits;
    memcpy(&bits, &d, sizeof bits);
    return bits;
}

static inline uint32_t alpha_fp_quick_from_s(float s)
{
    uint32_t bits;
    memcpy(&bits, &s, sizeof bits);
    return bits;
}

static inline bool alpha_fp_quick_is_normal(uint64_t t)
{
    return ALPHA_EXP_OF(t) - 1 < 0x7fe;
}

/* Normal in the S format, too. */
static inline bool alpha_fp_quick_is_normal_s(uint64_t t)
{
    return ALPHA_EXP_OF(t) - 897 < 254;
}

/* Does nobody ask whether the result is exact? */
static inline bool alpha_fp_quick_inexact_idle(unsigned qual, uint64_t fpcr)
{
    return !(qual & ALPHA_QUAL_I) && (qual & ALPHA_QUAL_S || fpcr & ALPHA_FPCR_INE);
}

static inline bool alpha_fp_quick_rounds_nearest(unsigned qual, uint64_t fpcr)
{
    unsigned round = qual & ALPHA_QUAL_ROUND;
    return round == ALPHA_NEAREST ||
           (round == ALPHA_PLUS && (fpcr & ALPHA_FPCR_DYN) >> 58 == ALPHA_NEAREST);
}

HOT_INLINE bool alpha_fp_quick_t(unsigned op, uint64_t a, uint64_t b, uint64_t *value)
{
    double x = alpha_fp_quick_host_t(a), y = alpha_fp_quick_host_t(b), z;
    if (!alpha_fp_quick_is_normal(a) || !alpha_fp_quick_is_normal(b))
        return false;
    switch (op) {
    case ALPHA_OP_ADDT: z = x + y; break;
    case ALPHA_OP_SUBT: z = x - y; break;
    case ALPHA_OP_MULT: z = x * y; break;
    default: z = x / y; break;
    }
    *value = alpha_fp_quick_from_t(z);
    return ALPHA_EXP_OF(*value) - 2 < 0x7fd;
}

/* A result of the host in the S format, if it is well inside the range. */
HOT_INLINE bool alpha_fp_quick_result_s(float z, uint64_t *value)
{
    uint32_t bits = alpha_fp_quick_from_s(z);
    *value = alpha_fp_s_to_reg(bits);
    return (bits >> 23 & 0xff) - 2 < 0xfd;
}

HOT_INLINE bool alpha_fp_quick_s(unsigned op, uint64_t a, uint64_t b, uint64_t *value)
{
    float x = alpha_fp_quick_host_s(alpha_fp_reg_to_s(a)),
          y = alpha_fp_quick_host_s(alpha_fp_reg_to_s(b)), z;
    if (!alpha_fp_quick_is_normal_s(a) || !alpha_fp_quick_is_normal_s(b))
        return false;
    switch (op) {
    case ALPHA_OP_ADDS: z = x + y; break;
    case ALPHA_OP_SUBS: z = x - y; break;
    case ALPHA_OP_MULS: z = x * y; break;
    default: z = x / y; break;
    }
    return alpha_fp_quick_result_s(z, value);
}

HOT_INLINE bool alpha_fp_quick_compare(unsigned op, uint64_t a, uint64_t b, uint64_t *value)
{
    double x = alpha_fp_quick_host_t(a), y = alpha_fp_quick_host_t(b);
    bool holds;
    if ((!alpha_fp_quick_is_normal(a) && a << 1) || (!alpha_fp_quick_is_normal(b) && b << 1))
        return false;
    switch (op) {
    case ALPHA_OP_CMPTEQ: holds = x == y; break;
    case ALPHA_OP_CMPTLT: holds = x < y; break;
    case ALPHA_OP_CMPTLE: holds = x <= y; break;
    default: holds = false; break;
    }
    *value = holds ? UINT64_C(0x4000000000000000) : 0;
    return true;
}

/* True if *value is the result, and nothing else happens. */
HOT_INLINE bool alpha_fp_quick(unsigned op, unsigned qual, uint64_t a, uint64_t b, uint64_t fpcr,
                               uint64_t *value)
{
    bool easy =
        alpha_fp_quick_inexact_idle(qual, fpcr) && alpha_fp_quick_rounds_nearest(qual, fpcr);
    switch (op) {
    case ALPHA_OP_ADDT:
    case ALPHA_OP_SUBT:
    case ALPHA_OP_MULT:
    case ALPHA_OP_DIVT: return easy && alpha_fp_quick_t(op, a, b, value);
    case ALPHA_OP_ADDS:
    case ALPHA_OP_SUBS:
    case ALPHA_OP_MULS:
    case ALPHA_OP_DIVS: return easy && alpha_fp_quick_s(op, a, b, value);
    case ALPHA_OP_CMPTUN:
    case ALPHA_OP_CMPTEQ:
    case ALPHA_OP_CMPTLT:
    case ALPHA_OP_CMPTLE: return alpha_fp_quick_compare(op, a, b, value);
    case ALPHA_OP_CVTQT:
        *value = alpha_fp_quick_from_t((double)(int64_t)b);
        return !(qual & ALPHA_QUAL_I) && alpha_fp_quick_rounds_nearest(qual, fpcr);
    case ALPHA_OP_CVTTS:
        return easy && alpha_fp_quick_is_normal_s(b) &&
               alpha_fp_quick_result_s((float)alpha_fp_quick_host_t(b), value);
    case ALPHA_OP_CVTST: *value = b & ~UINT64_C(0x1fffffff); return alpha_fp_quick_is_normal_s(b);
    case ALPHA_OP_CVTTQ:
        /* only where the host cannot overflow */
        if ((qual & ALPHA_QUAL_ROUND) != ALPHA_CHOP || !alpha_fp_quick_inexact_idle(qual, fpcr) ||
            ALPHA_EXP_OF(b) - 1 >= 1023 + 61)
            return false;
        *value = (uint64_t)(int64_t)alpha_fp_quick_host_t(b);
        return true;
    default: return false;
    }
}

#else

static inline bool alpha_fp_quick(unsigned op, unsigned qual, uint64_t a, uint64_t b, uint64_t fpcr,
                                  uint64_t *value)
{
    (void)op, (void)qual, (void)a, (void)b, (void)fpcr, (void)value;
    return false;
}

#endif

#endif
