/*
 * T1: functions of one number, in lists of words of which one is played for each 32 datums. See sfpu.h.
 *
 * exp         2^n * 2^g with n whole and |g| <= 1/2: n by rounding x * log2(e) to an integer, g = x * log2(e) - n with
 *             a log2(e) of two numbers, 2^g a polynomial of degree 5, 2^n by writing the exponent. 2^n is halved
 *             and the result doubled, so that only what is too large becomes infinite.
 * reciprocal  SFPARECIP and two steps of Newton; none where the estimate is 0 or infinite.
 * sqrt        an estimate of 1/sqrt(x) by integer arithmetic on the number's bits, three steps of Newton; x times that.
 * sigmoid     1/2 and a function of |x| in six straight pieces, which has the sign of x.
 * tanh        three straight pieces with coefficients of eight bits.
 * gelu        x times the normal distribution, which is made like sigmoid.
 */
#include "sfpu.h"

static const uint32_t exp_setup[] = {
    SFPU_CONSTANT(C0, 0x3FB8AA3B), /* log2(e) */
    SFPU_CONSTANT(C1, 0x32A57060), /* the rest of it */
    SFPU_CONSTANT(C2, 0x3AADDD0A), /* coefficients */
    SFPU_CONSTANT(C3, 0x3C1E7544),
    SFPU_SET(L4, 0x3D635BA9),
    SFPU_SET(L5, 0x3E75FCDE),
    SFPU_SET(L6, 0x3F317215),
};
static const uint32_t exp_body[] = {
    SFPU_LOAD(L0),
    OP_SFPMOV(L0, L7, 0),
    OP_SFPLOADI(L1, IMM_BF16, 0x42B3), /* 89.5: infinite */
    OP_SFPSWAP(L1, L0, SWAP_MIN),
    OP_SFPLOADI(L1, IMM_BF16, 0xC2AF), /* -87.5: zero */
    OP_SFPSWAP(L1, L0, SWAP_MAX),
    OP_SFPMUL(L0, C0, ZERO, L1, 0),
    OP_SFP_STOCH_RND(NEAREST, L1, L2, TO_INT16), /* n */
    OP_SFPCAST(L2, L1, INT_TO_FP32),
    OP_SFPCAST(L2, L2, INT_TO_INT),
    OP_SFPMAD(L0, C0, L1, L1, NEGATE_C),
    OP_SFPMAD(L0, C1, L1, L0, 0), /* g */
    OP_SFPMAD(C2, L0, C3, L1, 0),
    OP_SFPMAD(L1, L0, L4, L1, 0),
    OP_SFPMAD(L1, L0, L5, L1, 0),
    OP_SFPMAD(L1, L0, L6, L1, 0),
    OP_SFPMAD(L1, L0, ONE, L1, 0),
    OP_SFPIADD(126, L2, L2, ADD_IMM),
    OP_SFPSETEXP(0, ONE, L2, FROM_VD), /* 2^(n - 1) */
    OP_SFPMUL(L1, L2, ZERO, L1, 0),
    OP_SFPMULI(0x4000, L1, 0),
    OP_SFPMOV(L7, L0, 0),
    SFPU_KEEP_NAN(L1),
    SFPU_STORE(L0),
};

static const uint32_t reciprocal_body[] = {
    SFPU_LOAD(L0),
    OP_SFPARECIP(L0, L1, 0),
    OP_SFPMAD(L0, L1, ONE, L2, NEGATE_B),
    OP_SFPEXEXP(L2, L3, 2), /* where |1 - x * y| < 1 */
    OP_SFPMAD(L1, L2, L1, L1, 0),
    OP_SFPMAD(L0, L1, ONE, L2, NEGATE_B),
    OP_SFPMAD(L1, L2, L1, L1, 0),
    SFPU_ALL_LANES,
    SFPU_KEEP_NAN(L1),
    SFPU_STORE(L0),
};

static const uint32_t sqrt_setup[] = {
    SFPU_CONSTANT(C1, 0x5F3759DF), /* minus half of the bits: about 1/sqrt */
    SFPU_CONSTANT(C2, 0xBF000000), /* -0.5 */
    SFPU_CONSTANT(C3, 0x3FC00000), /* 1.5 */
};
/* y := y * (1.5 + x * y * (-y/2)), x in LReg 0 and y in LReg 1 */
#define NEWTON                                                                                     \
    OP_SFPMUL(L0, L1, ZERO, L3, 0), OP_SFPMUL(L1, C2, ZERO, L2, 0), OP_SFPMAD(L3, L2, C3, L3, 0),  \
        OP_SFPMUL(L1, L3, ZERO, L1, 0)
static const uint32_t sqrt_body[] = {
    SFPU_LOAD(L0),
    OP_SFPSHFT(-1, L0, L1, SHIFT_VC_BY_IMM),
    OP_SFPIADD(0, C1, L1, SUB),
    NEWTON,
    NEWTON,
    NEWTON,
    OP_SFPMUL(L0, L1, ZERO, L1, 0),
    OP_SFPLOADI(L2, IMM_BF16, 0x7F80),
    OP_SFPGT(L0, L2, FLAGS), /* infinity and NaN stay */
    OP_SFPMOV(L0, L3, 0),
    OP_SFPMOV(L1, L0, 0),
    OP_SFPLOADI(L2, IMM_BF16, 0x8080),
    OP_SFPLE(L2, L3, FLAGS), /* of a negative number: NaN */
    OP_SFPLOADI(L0, IMM_BF16, 0x7FC0),
    SFPU_ALL_LANES,
    SFPU_STORE(L0),
};

/* Slopes and offsets: a piece in each half, the lower one below 0.5, 1.5, 3. */
static const uint32_t sigmoid_setup[] = {
    SFPU_CONSTANT(C1, 0x3F000000), /* 0.5 */
    SFPU_SET(L0, 0x32F333D6),
    SFPU_SET(L1, 0x300C3189),
    SFPU_SET(L2, 0x253F2C98),
    SFPU_SET(L4, 0x23B70FF2),
    SFPU_SET(L5, 0x30232B9E),
    SFPU_SET(L6, 0x365233B6),
};
static const uint32_t sigmoid_body[] = {
    SFPU_LOAD(L3),
    OP_SFPLUTFP32(L7, LUT_SIX),
    OP_SFPNOP,
    OP_SFPSWAP(C1, L7, SWAP_MIN),
    OP_SFPNOP,
    OP_SFPSETSGN(0, L7, L3, FROM_VD),
    OP_SFPADDI(0x3F00, L3, 0),
    SFPU_STORE(L3),
};

static const uint32_t tanh_setup[] = {
    SFPU_CONSTANT(C1, 0x41800000), /* 16 */
    SFPU_CONSTANT(C2, 0xC1800000),
    SFPU_SET(L0, 0x1AFF), /* 0.8125 x */
    SFPU_SET(L1, 0x3913), /* 0.1953125 x + 0.59375 */
    SFPU_SET(L2, 0xFF00), /* 1 */
};
static const uint32_t tanh_body[] = {
    SFPU_LOAD(L3),
    OP_SFPSWAP(C1, L3, SWAP_MIN),
    OP_SFPNOP,
    OP_SFPSWAP(C2, L3, SWAP_MAX),
    OP_SFPNOP,
    OP_SFPLUT(L4, LUT_KEEP_SIGN),
    SFPU_STORE(L4),
};

static const uint32_t gelu_setup[] = {
    SFPU_CONSTANT(C1, 0x3F000000), /* 0.5 */
    SFPU_CONSTANT(C2, 0xC1800000), /* -16: from there on all is zero */
    SFPU_SET(L0, 0x34B7361B),
    SFPU_SET(L1, 0x2D8D31C9),
    SFPU_SET(L2, 0x1C9C252C),
    SFPU_SET(L4, 0x2A4D1752),
    SFPU_SET(L5, 0x34E53147),
    SFPU_SET(L6, 0x37C3370C),
};
static const uint32_t gelu_body[] = {
    SFPU_LOAD(L3),
    OP_SFPLUTFP32(L7, LUT_SIX),
    OP_SFPNOP,
    OP_SFPSWAP(C1, L7, SWAP_MIN),
    OP_SFPNOP,
    OP_SFPSETSGN(0, L7, L3, FROM_VD),
    OP_SFPADDI(0x3F00, L3, 0),
    SFPU_LOAD(L7),
    OP_SFPSWAP(C2, L7, SWAP_MAX),
    OP_SFPNOP,
    OP_SFPMUL(L3, L7, ZERO, L3, 0),
    SFPU_STORE(L3),
};

static const uint32_t relu_body[] = {
    SFPU_LOAD(L0),
    OP_SFPSETCC(L0, CC_NEGATIVE),
    OP_SFPLOADI(L0, IMM_BF16, 0),
    SFPU_ALL_LANES,
    SFPU_STORE(L0),
};
static const uint32_t leaky_relu_body[] = {
    SFPU_LOAD(L0),
    OP_SFPSETCC(L0, CC_NEGATIVE),
    OP_SFPMULI(0x3E00, L0, 0),
    SFPU_ALL_LANES,
    SFPU_STORE(L0),
};
static const uint32_t relu6_setup[] = {SFPU_CONSTANT(C1, 0x40C00000)}; /* 6 */
static const uint32_t relu6_body[] = {
    SFPU_LOAD(L0),
    OP_SFPPUSHC(0),
    OP_SFPSETCC(L0, CC_NEGATIVE),
    OP_SFPMULI(0x3E00, L0, 0),
    OP_SFPCOMPC, /* else */
    OP_SFPSWAP(C1, L0, SWAP_MIN),
    OP_SFPNOP,
    OP_SFPPOPC(0),
    SFPU_STORE(L0),
};

static const uint32_t nothing[] = {OP_SFPNOP};

int main(void)
{
    static const struct sfpu_pass passes[UNARIES] = {
        [UNARY_EXP] = SFPU_PASS(exp_setup, exp_body),
        [UNARY_RECIPROCAL] = SFPU_PASS(nothing, reciprocal_body),
        [UNARY_SQRT] = SFPU_PASS(sqrt_setup, sqrt_body),
        [UNARY_SIGMOID] = SFPU_PASS(sigmoid_setup, sigmoid_body),
        [UNARY_TANH] = SFPU_PASS(tanh_setup, tanh_body),
        [UNARY_GELU] = SFPU_PASS(gelu_setup, gelu_body),
        [UNARY_RELU] = SFPU_PASS(nothing, relu_body),
        [UNARY_LEAKY_RELU] = SFPU_PASS(nothing, leaky_relu_body),
        [UNARY_RELU6] = SFPU_PASS(relu6_setup, relu6_body),
    };
    sfpu_run(&passes[ARGS->op]);
    return 0;
}
