/*
 * T1: changes of type, in 32-bit Dst. Integers are two's complement in Dst and, while they are rounded or converted,
 * sign and magnitude. See sfpu.h.
 *
 * FP32 to integers of 8 and 16 bits: to nearest, half away from zero, as large as the type allows. To 32 bits: to zero,
 * no more than 2^31 - 1 on either side. The lowest integer of 32 bits has no magnitude and becomes -0.0.
 */
#include "sfpu.h"

static const uint32_t fp32_int32_body[] = {
    SFPU_LOAD(L0),
    OP_SFPEXMAN(L0, L2, 0),
    OP_SFPEXEXP(L0, L1, 0),
    OP_SFPIADD(-23, L1, L3, ADD_IMM),
    OP_SFPSHFT(0, L3, L2, SHIFT_BY_VC),
    OP_SFPSETCC(L1, CC_NEGATIVE), /* less than 1 */
    OP_SFPLOADI(L2, IMM_INT, 0),
    SFPU_ALL_LANES,
    OP_SFPIADD(-31, L1, L3, ADD_IMM_POSITIVE), /* too large */
    SFPU_SET(L2, 0x7FFFFFFF),
    SFPU_ALL_LANES,
    OP_SFPSETCC(L0, CC_NEGATIVE),
    OP_SFPIADD(0, ZERO, L2, SUB),
    SFPU_ALL_LANES,
    OP_SFPSTORE(L2, AS_INT32, NEXT, 0),
};
static const uint32_t int32_fp32_body[] = {
    OP_SFPLOAD(L0, AS_INT32, STAY, 0),
    OP_SFPCAST(L0, L0, INT_TO_INT),
    OP_SFPCAST(L0, L0, INT_TO_FP32),
    OP_SFPSTORE(L0, AS_SRCB, NEXT, 0),
};
/* A number of 32 bits that the packer can cut without loss. */
static const uint32_t fp32_bf16_body[] = {
    SFPU_LOAD(L0),
    OP_SFP_STOCH_RND(NEAREST, L0, L1, TO_BF16),
    OP_SFPSTORE(L1, AS_SRCB, NEXT, 0),
};
#define ROUNDED(mode)                                                                              \
    {                                                                                              \
        SFPU_LOAD(L0), OP_SFP_STOCH_RND(NEAREST, L0, L1, mode), OP_SFPCAST(L1, L1, INT_TO_INT),    \
            OP_SFPSTORE(L1, AS_INT32, NEXT, 0),                                                    \
    }
static const uint32_t fp32_uint16_body[] = ROUNDED(TO_UINT16);
static const uint32_t fp32_int16_body[] = ROUNDED(TO_INT16);
static const uint32_t fp32_uint8_body[] = ROUNDED(TO_UINT8);
static const uint32_t fp32_int8_body[] = ROUNDED(TO_INT8);

static const uint32_t nothing[] = {OP_SFPNOP};

int main(void)
{
    static const struct sfpu_pass passes[CASTS] = {
        [CAST_FP32_INT32] = SFPU_PASS(nothing, fp32_int32_body),
        [CAST_INT32_FP32] = SFPU_PASS(nothing, int32_fp32_body),
        [CAST_FP32_BF16] = SFPU_PASS(nothing, fp32_bf16_body),
        [CAST_FP32_UINT16] = SFPU_PASS(nothing, fp32_uint16_body),
        [CAST_FP32_INT16] = SFPU_PASS(nothing, fp32_int16_body),
        [CAST_FP32_UINT8] = SFPU_PASS(nothing, fp32_uint8_body),
        [CAST_FP32_INT8] = SFPU_PASS(nothing, fp32_int8_body),
    };
    sfpu_run(&passes[ARGS->op]);
    return 0;
}
