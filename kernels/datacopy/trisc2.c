/*
 * T2: tiles as they lie in Dst; or, when T0 read whole rows of 32 datums, every second row of Dst for the left and
 * for the right faces; or rows of a matrix, two rows of Dst at a time that are 16 apart. See compute.h.
 */
#include "compute.h"

/* Left halves of 16 rows, right halves, and again: 32 instructions, of which the last differs. */
static void tilize_program(void)
{
    TT(OP_SETC16(CFG_MOD_PACK + 0, PACK_Y_ADD(4)));
    TT(OP_SETC16(CFG_MOD_PACK + 1, PACK_Y_CLEAR));
    TT(OP_SETC16(CFG_MOD_PACK + 2, PACK_Y_CLEAR | PACK_Z_NEXT));
    TT(OP_SETC16(CFG_MOD_PACK + 3, PACK_Y_CLEAR | PACK_Z_CLEAR | PACK_YDST_CLEAR));
    push(OP_REPLAY(0, 16, 0, 1));
    for (unsigned i = 0; i < 16; i++)
        push(OP_PACR(0, i == 15 ? 2 : i == 7 ? 1 : 0, i < 8 ? 5 : 10, 0));
}

static void pack_tilize(void)
{
    REPLAY_PLAY(0, 16);
    REPLAY_PLAY(0, 15);
    TT(OP_PACR(0, 3, 10, 1));
}

/* Each instruction is a row of the matrix: it starts where the counter of channel 1 says. */
static void untilize_program(uint32_t row)
{
    static const struct mop_loops loops = {
        .outer = 2,
        .inner = 16,
        .start = OP_NOP,
        .end0 = OP_NOP,
        .end1 = OP_NOP,
        .body = OP_PACR(1, 0, 3, 1),
        .body1 = OP_NOP,
        .last_outer = OP_PACR(1, 2, 3, 1),
        .last_inner = OP_PACR(1, 1, 3, 1),
    };
    CONFIG_WORD(CFG_PACK_CH1_XY) = row << 16;
    config_written();
    TT(OP_SETC16(CFG_MOD_PACK + 0, PACK_Y_ADD(1) | PACK_YDST_ADD(1)));
    TT(OP_SETC16(CFG_MOD_PACK + 1, PACK_Y_CLEAR | PACK_Z_NEXT | PACK_YDST_ADD(1)));
    TT(OP_SETC16(CFG_MOD_PACK + 2, PACK_Y_CLEAR | PACK_Z_CLEAR | PACK_YDST_CLEAR));
    mop_loops_program(&loops);
}

int main(void)
{
    const uint32_t rows = ARGS->rows, columns = ARGS->columns, repeat = ARGS->repeat, op = ARGS->op;
    const uint32_t out = ARGS->out, dst32 = ARGS->dst32,
                   size = compute_tile_bytes(ARGS->out_format);
    const uint32_t bytes = 8 * compute_datum4(ARGS->out_format);
    pack_start(op == COPY_TILIZE || op == COPY_UNTILIZE ? 32 : 16);
    if (op == COPY_TILIZE)
        tilize_program();
    else if (op == COPY_UNTILIZE)
        untilize_program(bytes * columns);
    else
        pack_plain_program();
    for (uint32_t n = 0; n < repeat; n++)
        for (uint32_t i = 0; i < rows; i++)
            for (uint32_t j = 0; j < columns; j++) {
                uint32_t at = out + (i * columns + j) * size;
                if (op == COPY_UNTILIZE)
                    at = out + 32 * i * columns * bytes + j * bytes;
                pack_acquire();
                pack_address(at);
                if (op == COPY_TILIZE)
                    pack_tilize();
                else
                    TT(OP_MOP(1, 0, 0));
                TT(OP_SETADCZW(ADC_PACK, 0, 0, 0, 0, 5));
                pack_release(dst32);
            }
    compute_end();
    return 0;
}
