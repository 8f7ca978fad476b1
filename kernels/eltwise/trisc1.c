/*
 * T1: eight instructions of 8 x 16 datums per tile and fidelity phase. Which rows of SrcB they take is a matter of
 * address modifiers: all; the upper halves of faces 0 and 1, for all rows alike; the left faces, twice each;
 * or always the first. See compute.h.
 */
#include "compute.h"

/* slots of address modifiers, by what happens to the row of SrcB */
enum { NEXT, SAME, BACK, LOWER, RIGHT, FIRST, END };

static uint32_t word(uint32_t op, uint32_t how, uint32_t modifier, uint32_t clear)
{
    static const uint8_t bits[4] = {0, 2, 1, 3}; /* bit 0: one column, bit 1: one row */
    if (op == ELTWISE_MUL)
        return OP_ELWMUL(clear, bits[how], modifier, 0);
    return op == ELTWISE_ADD ? OP_ELWADD(clear, 0, bits[how], modifier, 0)
                             : OP_ELWSUB(clear, 0, bits[how], modifier, 0);
}

int main(void)
{
    static const uint8_t order[4][8] = {
        [BROADCAST_NONE] = {NEXT, NEXT, NEXT, NEXT, NEXT, NEXT, NEXT, END},
        [BROADCAST_ROW] = {SAME, RIGHT, SAME, FIRST, SAME, RIGHT, SAME, END},
        [BROADCAST_COLUMN] = {NEXT, BACK, NEXT, LOWER, NEXT, BACK, NEXT, END},
        [BROADCAST_SCALAR] = {SAME, SAME, SAME, SAME, SAME, SAME, SAME, END},
    };
    const uint32_t phases = ARGS->phases, tiles = ARGS->repeat * ARGS->rows * ARGS->columns;
    math_start();
    math_modifier(NEXT, MOD_ADD(8), MOD_ADD(8), MOD_DST_ADD(8));
    math_modifier(SAME, MOD_ADD(8), MOD_ADD(0), MOD_DST_ADD(8));
    math_modifier(BACK, MOD_ADD(8), MOD_CR(0), MOD_DST_ADD(8));
    math_modifier(LOWER, MOD_ADD(8), MOD_CR(32), MOD_DST_ADD(8));
    math_modifier(RIGHT, MOD_ADD(8), MOD_ADD(16), MOD_DST_ADD(8));
    math_modifier(FIRST, MOD_ADD(8), MOD_CLEAR, MOD_DST_ADD(8));
    math_modifier(END, MOD_CLEAR, MOD_CLEAR, MOD_DST_CLEAR | (phases > 1 ? MOD_PHASE : 0));
    push(OP_REPLAY(16, 8, 0, 1));
    for (unsigned i = 0; i < 8; i++)
        push(word(ARGS->op, ARGS->how & 3, order[ARGS->how & 3][i], 0));
    const struct mop_loops loops = {
        .outer = 1,
        .inner = phases,
        .start = OP_NOP,
        .end0 = OP_SETRWC(3, 0, 0, 0, 0, 0xF),
        .end1 = OP_NOP,
        .body = OP_REPLAY(16, 8, 0, 0),
        .body1 = OP_NOP,
        .last_outer = OP_REPLAY(16, 8, 0, 0),
        .last_inner = OP_REPLAY(16, 8, 0, 0),
    };
    mop_loops_program(&loops);
    for (uint32_t i = 0; i < tiles; i++) {
        math_acquire();
        TT(OP_MOP(1, 0, 0));
        math_release();
    }
    compute_end();
    return 0;
}
