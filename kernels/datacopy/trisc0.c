/*
 * T0: tiles to SrcA, transposed within faces if that is wanted, or to Dst; or rows of a matrix, of which an instruction
 * takes 32 at a time from 32 places. See compute.h.
 */
#include "compute.h"

/* To Dst there must be an empty half, and T1 must hear of it when it is full. */
static void unpack_to_dst(void)
{
    TT(OP_SEMWAIT(STALL_UNPACK | STALL_SYNC, SEM_BIT(SEM_MATH_DONE), STALL_ON_ZERO));
    TT(OP_SEMGET(SEM_BIT(SEM_MATH_DONE)));
    TT(OP_UNPACR(0, 0, 0));
    T6_SEMAPHORE_POST(WAIT_UNPACK0, SEM_UNPACK_TO_DEST);
}

static uint32_t mode(uint32_t op, uint32_t row)
{
    if (op == COPY_TILIZE)
        return 1 << 9 | (row / 16) << 16; /* from row to row, in 16 bytes */
    return op == COPY_TRANSPOSE ? 1 << 8 : 0;
}

int main(void)
{
    const uint32_t rows = ARGS->rows, columns = ARGS->columns, repeat = ARGS->repeat, op = ARGS->op;
    const uint32_t in = ARGS->in0, size = compute_tile_bytes(ARGS->in0_format),
                   to_dst = ARGS->to_dst;
    const uint32_t with_b = ARGS->how, bytes = 8 * compute_datum4(ARGS->in0_format);
    unpack_format(0, ARGS->in0_format, ARGS->src0_format, mode(op, bytes * columns));
    unpack_format(1, ARGS->src0_format, ARGS->src0_format, 0);
    unpack_start(1024, 16);
    if (to_dst) {
        CONFIG_WORD(CFG_UNPACK0 + 1) = 0x000F00FF;                       /* all contexts */
        CONFIG_WORD(CFG_UNPACK0_DEST) = 64 | (64 + 16 * DST_HALF) << 16; /* a half for each */
        TT(OP_SETC16(CFG_SRCA_SET, 0));
    }
    for (uint32_t n = 0; n < repeat; n++)
        for (uint32_t i = 0; i < rows; i++)
            for (uint32_t j = 0; j < columns; j++) {
                uint32_t at = in + (i * columns + j) * size;
                if (op == COPY_TILIZE)
                    at = in + 32 * i * columns * bytes + j * bytes;
                unpack_addresses(at, at);
                if (to_dst) {
                    unpack_to_dst();
                } else {
                    TT(OP_UNPACR(0, 0, 1));
                    if (with_b)
                        TT(OP_UNPACR_NOP_CLEAR(1, 1, 0, 0)); /* zeros */
                }
                unpack_done();
            }
    compute_end();
    return 0;
}
