/*
 * T1: stochastic rounding, in 32-bit Dst. All datums are patterns of 32 bits, so that numbers, integers and random
 * bits go the same way. See sfpu.h.
 *
 * The lanes' generators are seeded first (.how). The first tile becomes random numbers: what a lane gives is the whole
 * state of its generator, so that everything that follows can be foretold from there. The others are rounded;
 * integers are sign and magnitude, before and after.
 */
#include "sfpu.h"

static const uint32_t numbers_body[] = {
    OP_SFPMOV(RANDOM_NUMBER, L0, FROM_SPECIAL),
    OP_SFPSTORE(L0, AS_INT32, NEXT, 0),
};
#define ROUNDED(word)                                                                              \
    {                                                                                              \
        OP_SFPLOAD(L0, AS_INT32, STAY, 0), word, OP_SFPSTORE(L1, AS_INT32, NEXT, 0),               \
    }
static const uint32_t bf16_body[] = ROUNDED(OP_SFP_STOCH_RND(STOCHASTIC, L0, L1, TO_BF16));
static const uint32_t tf32_body[] = ROUNDED(OP_SFP_STOCH_RND(STOCHASTIC, L0, L1, TO_TF32));
static const uint32_t uint8_body[] = ROUNDED(OP_SFP_STOCH_RND(STOCHASTIC, L0, L1, TO_UINT8));
static const uint32_t int8_body[] = ROUNDED(OP_SFP_STOCH_RND(STOCHASTIC, L0, L1, TO_INT8));
static const uint32_t uint16_body[] = ROUNDED(OP_SFP_STOCH_RND(STOCHASTIC, L0, L1, TO_UINT16));
static const uint32_t int16_body[] = ROUNDED(OP_SFP_STOCH_RND(STOCHASTIC, L0, L1, TO_INT16));
static const uint32_t scale_body[] =
    ROUNDED(OP_SFP_STOCH_RND_BY(STOCHASTIC, STOCHASTIC_SHIFT, L0, L1, INT32_TO_INT8));
static const uint32_t fp32_body[] = ROUNDED(OP_SFPCAST(L0, L1, INT_TO_FP32_STOCHASTIC));
/* Lanes that are off keep their number and use up no random one. */
static const uint32_t negative_body[] = {
    OP_SFPLOAD(L0, AS_INT32, STAY, 0),
    OP_SFPSETCC(L0, CC_NEGATIVE),
    OP_SFP_STOCH_RND(STOCHASTIC, L0, L0, TO_BF16),
    SFPU_ALL_LANES,
    OP_SFPSTORE(L0, AS_INT32, NEXT, 0),
};

static const uint32_t nothing[] = {OP_SFPNOP};

int main(void)
{
    static const struct sfpu_pass numbers = SFPU_PASS(nothing, numbers_body);
    static const struct sfpu_pass passes[STOCHASTICS] = {
        [STOCHASTIC_BF16] = SFPU_PASS(nothing, bf16_body),
        [STOCHASTIC_TF32] = SFPU_PASS(nothing, tf32_body),
        [STOCHASTIC_UINT8] = SFPU_PASS(nothing, uint8_body),
        [STOCHASTIC_INT8] = SFPU_PASS(nothing, int8_body),
        [STOCHASTIC_UINT16] = SFPU_PASS(nothing, uint16_body),
        [STOCHASTIC_INT16] = SFPU_PASS(nothing, int16_body),
        [STOCHASTIC_SCALE] = SFPU_PASS(nothing, scale_body),
        [STOCHASTIC_FP32] = SFPU_PASS(nothing, fp32_body),
        [STOCHASTIC_NEGATIVE] = SFPU_PASS(nothing, negative_body),
    };
    const uint32_t tiles = ARGS->rows * ARGS->columns, to_dst = ARGS->to_dst;
    CONFIG_WORD(CFG_PRNG_SEED) = ARGS->how;
    config_written();
    struct sfpu_way way = {0};
    sfpu_start();
    for (uint32_t i = 0; i < tiles; i++) {
        if (i < 2)
            way = sfpu_program(i ? &passes[ARGS->op] : &numbers);
        sfpu_tile(to_dst, way);
    }
    compute_end();
    return 0;
}
