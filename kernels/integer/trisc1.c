/*
 * T1: integers of 32 bits, two's complement, datum by datum: the first operand in LReg 0, the second in LReg 1,
 * the result in LReg 0. See sfpu.h.
 */
#include "sfpu.h"

#define TWO_OPERANDS OP_SFPLOAD(L0, AS_INT32, STAY, 0), OP_SFPLOAD(L1, AS_INT32, STAY, SECOND)
#define LEAVE        OP_SFPSTORE(L0, AS_INT32, NEXT, 0)

static const uint32_t add[] = {TWO_OPERANDS, OP_SFPIADD(0, L1, L0, ADD), LEAVE};
static const uint32_t sub[] = {
    TWO_OPERANDS, OP_SFPIADD(0, L0, L1, SUB), OP_SFPMOV(L1, L0, 0), LEAVE};
static const uint32_t mul_low[] = {TWO_OPERANDS, OP_SFPMUL24(L0, L1, ZERO, L0, 0), LEAVE};
static const uint32_t mul_high[] = {TWO_OPERANDS, OP_SFPMUL24(L0, L1, ZERO, L0, 1), LEAVE};
static const uint32_t shift[] = {TWO_OPERANDS, OP_SFPSHFT(0, L1, L0, SHIFT_BY_VC), LEAVE};
static const uint32_t shift_signed[] = {
    TWO_OPERANDS, OP_SFPSHFT(0, L1, L0, SHIFT_SIGNED_BY_VC), LEAVE};
static const uint32_t and_[] = {TWO_OPERANDS, OP_SFPAND(L1, L0), LEAVE};
static const uint32_t or_[] = {TWO_OPERANDS, OP_SFPOR(L1, L0), LEAVE};
static const uint32_t xor_[] = {TWO_OPERANDS, OP_SFPXOR(L1, L0), LEAVE};
static const uint32_t not_[] = {TWO_OPERANDS, OP_SFPNOT(L0, L0), LEAVE};
/* By the sign of the difference, which must not be longer than 32 bits. */
static const uint32_t less[] = {TWO_OPERANDS,
                                OP_SFPIADD(0, L0, L1, SUB_NEGATIVE),
                                OP_SFPLOADI(L0, IMM_INT, 1),
                                OP_SFPCOMPC, /* else */
                                OP_SFPLOADI(L0, IMM_INT, 0),
                                SFPU_ALL_LANES,
                                LEAVE};
static const uint32_t abs_[] = {TWO_OPERANDS, OP_SFPABS(L0, L0, 0), LEAVE};
static const uint32_t leading_zeros[] = {TWO_OPERANDS, OP_SFPLZ(L0, L0, 0), LEAVE};

static const uint32_t nothing[] = {OP_SFPNOP};

int main(void)
{
    static const struct sfpu_pass passes[INTEGERS] = {
        [INTEGER_ADD] = SFPU_PASS(nothing, add),
        [INTEGER_SUB] = SFPU_PASS(nothing, sub),
        [INTEGER_MUL_LOW] = SFPU_PASS(nothing, mul_low),
        [INTEGER_MUL_HIGH] = SFPU_PASS(nothing, mul_high),
        [INTEGER_SHIFT] = SFPU_PASS(nothing, shift),
        [INTEGER_SHIFT_SIGNED] = SFPU_PASS(nothing, shift_signed),
        [INTEGER_AND] = SFPU_PASS(nothing, and_),
        [INTEGER_OR] = SFPU_PASS(nothing, or_),
        [INTEGER_XOR] = SFPU_PASS(nothing, xor_),
        [INTEGER_NOT] = SFPU_PASS(nothing, not_),
        [INTEGER_LESS] = SFPU_PASS(nothing, less),
        [INTEGER_ABS] = SFPU_PASS(nothing, abs_),
        [INTEGER_LEADING_ZEROS] = SFPU_PASS(nothing, leading_zeros),
    };
    sfpu_run(&passes[ARGS->op]);
    return 0;
}
