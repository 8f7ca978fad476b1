/*
 * T1: eight times eight rows from SrcA to Dst, by MOVA2D or by adding the zeros of SrcB; to transpose, the second and
 * the third face change places. If T0 writes Dst itself, only the hand-over. See compute.h.
 */
#include "compute.h"

/* slots of address modifiers */
enum { STAY, DOWN_A };

static void record(uint32_t add, uint32_t transpose)
{
    push(OP_REPLAY(16, 8, 0, 1));
    for (uint32_t i = 0; i < 8; i++) {
        uint32_t dst = transpose ? (i & 1) * 8 + (i & 2) * 16 + (i & 4) * 4 : 8 * i;
        push(add ? OP_ELWADD(0, 0, 0, DOWN_A, dst) : OP_MOVA2D(0, 8 * i, STAY, 2, dst));
    }
}

int main(void)
{
    const uint32_t tiles = ARGS->repeat * ARGS->rows * ARGS->columns, to_dst = ARGS->to_dst;
    const uint32_t with_b = ARGS->how;
    math_start();
    math_modifier(STAY, 0, 0, 0);
    math_modifier(DOWN_A, MOD_ADD(8), 0, 0);
    record(with_b, ARGS->op == COPY_TRANSPOSE);
    for (uint32_t i = 0; i < tiles; i++) {
        math_acquire();
        if (to_dst) {
            T6_SEMAPHORE_POST(WAIT_MATH, SEM_MATH_DONE);
            T6_SEMAPHORE_WAIT_ON_ZERO(STALL_SYNC | STALL_MATH, SEM_UNPACK_TO_DEST);
            TT(OP_SEMGET(SEM_BIT(SEM_UNPACK_TO_DEST)));
        } else {
            REPLAY_PLAY(16, 8);
            if (with_b)
                TT(OP_SETRWC(3, 0, 0, 0, 0, 0xF));
            else
                TT(OP_SETRWC(1, 0, 0, 0, 0, 0xF));
        }
        math_release();
    }
    compute_end();
    return 0;
}
