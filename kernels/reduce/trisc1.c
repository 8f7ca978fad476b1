/*
 * T1: GAPOOL multiplies a row of factors (SrcB) with a face (SrcA) and so adds up its columns; GMPOOL takes
 * the largest. What comes out lies in a row of Dst; for sums of rows it becomes a column by way of SrcB rows 16..31, which
 * can be transposed. For one number that column goes to SrcA and is reduced once more. See compute.h.
 */
#include "compute.h"

/* slots of address modifiers */
enum { STAY, PHASE, DOWN_B, CLEAR_B };

static uint32_t pool, phases;

/* One face into a row of Dst; at the end banks go back as clear says. */
static void pool_face(uint32_t dst, uint32_t clear)
{
    if (pool == POOL_MAX) {
        push(OP_GMPOOL(clear, STAY, dst));
        return;
    }
    for (uint32_t i = 1; i < phases; i++)
        push(OP_GAPOOL(0, PHASE, dst));
    push(OP_GAPOOL(clear, STAY, dst));
}

/* A row of Dst to row 16 of SrcB, and from there to a column. */
static void row_to_column(uint32_t dst)
{
    push(OP_MOVD2B(0, 16, STAY, 0, dst));
    TT(OP_GATESRCRST(1, 1));
    TT(OP_TRNSPSRCB);
    TT(OP_GATESRCRST(1, 1));
}

static void reduce_rows(void)
{
    for (uint32_t dst = 0; dst < 64; dst += 32) {
        pool_face(dst, 3);
        pool_face(dst, 0);
        row_to_column(dst);
        TT(OP_ZEROSRC(1, 0, 1)); /* SrcA */
        TT(OP_INCRWC(0, 0, 8, 0));
        TT(OP_INCRWC(0, 0, 8, 0)); /* row 16 of SrcB */
        push(OP_ELWADD(0, 0, 0, DOWN_B, dst));
        push(OP_ELWADD(3, 0, 0, CLEAR_B, dst + 8));
    }
}

static void reduce_columns(void)
{
    for (unsigned face = 0; face < 4; face++)
        pool_face(16 * (face & 1), 3);
}

static void reduce_all(void)
{
    for (unsigned face = 0; face < 4; face++)
        pool_face(4, face < 3 ? 3 : 0);
    row_to_column(4);
    for (uint32_t row = 0; row < 16; row += 4)
        push(OP_MOVB2A(row, STAY, 2, 16 + row));
    TT(OP_GATESRCRST(1, 1));
    push(OP_ZEROACC(0, 0, STAY, 4));
    pool_face(0, 3);
}

int main(void)
{
    const uint32_t tiles = ARGS->repeat * ARGS->rows * ARGS->columns, how = ARGS->how;
    pool = ARGS->op;
    phases = ARGS->phases;
    math_start();
    math_modifier(STAY, 0, 0, MOD_PHASE_CLEAR);
    math_modifier(PHASE, 0, 0, MOD_PHASE);
    math_modifier(DOWN_B, 0, MOD_ADD(8), 0);
    math_modifier(CLEAR_B, 0, MOD_CLEAR, 0);
    for (uint32_t i = 0; i < tiles; i++) {
        math_acquire();
        if (how == REDUCE_ROW)
            reduce_rows();
        else if (how == REDUCE_COLUMN)
            reduce_columns();
        else
            reduce_all();
        math_release();
    }
    compute_end();
    return 0;
}
