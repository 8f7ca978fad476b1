/*
 * T1: Dst += SrcB x SrcA, sixteen MVMULs of 8 x 16 by 16 x 16 per fidelity phase. With the faces of a tile numbered
 * 0 to 3 the order is B0 A0, B0 A1, B2 A0, B2 A1 (results 0 to 3, the first half of each sum), then
 * B1 A2, B1 A3, B3 A2, B3 A3 (the second half). See compute.h.
 */
#include "compute.h"

/* slots of address modifiers */
enum { DOWN, RIGHT, NEXT_B, SECOND, PHASE };

int main(void)
{
    static const uint8_t order[16] = {DOWN,
                                      RIGHT,
                                      DOWN,
                                      NEXT_B,
                                      DOWN,
                                      RIGHT,
                                      DOWN,
                                      SECOND,
                                      DOWN,
                                      RIGHT,
                                      DOWN,
                                      NEXT_B,
                                      DOWN,
                                      RIGHT,
                                      DOWN,
                                      PHASE};
    const uint32_t phases = ARGS->phases, inner = ARGS->inner;
    const uint32_t tiles = ARGS->repeat * ARGS->rows * ARGS->columns;
    math_start();
    math_modifier(DOWN, MOD_ADD(0), MOD_ADD(8), MOD_DST_ADD(8));
    math_modifier(RIGHT, MOD_ADD(16), MOD_CR(0), MOD_DST_ADD(8));
    math_modifier(NEXT_B, MOD_CR(0), MOD_CR(32), MOD_DST_ADD(8));
    math_modifier(SECOND, MOD_CR(32), MOD_CR(48), MOD_DST_CR(0)); /* 32 + 48 is 16 in six bits */
    math_modifier(PHASE, MOD_CLEAR, MOD_CLEAR, MOD_DST_CLEAR | (phases > 1 ? MOD_PHASE : 0));
    push(OP_REPLAY(16, 16, 0, 1));
    for (unsigned i = 0; i < 16; i++)
        push(OP_MVMUL(i == 15 && phases == 1 ? 3 : 0, order[i], 0));
    const struct mop_loops loops = {
        .outer = 1,
        .inner = phases,
        .start = OP_NOP,
        .end0 = phases > 1 ? OP_SETRWC(3, 0, 0, 0, 0, 0xF) : OP_NOP,
        .end1 = OP_NOP,
        .body = OP_REPLAY(16, 16, 0, 0),
        .body1 = OP_NOP,
        .last_outer = OP_REPLAY(16, 16, 0, 0),
        .last_inner = OP_REPLAY(16, 16, 0, 0),
    };
    mop_loops_program(&loops);
    for (uint32_t i = 0; i < tiles; i++) {
        math_acquire();
        for (uint32_t k = 0; k < inner; k++)
            TT(OP_MOP(1, 0, 0));
        math_release();
    }
    compute_end();
    return 0;
}
