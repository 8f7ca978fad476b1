/*
 * T0: a face of the operand and one of the factors at a time. Sums of rows are sums of columns of faces
 * transposed on the way. See compute.h.
 */
#include "compute.h"

int main(void)
{
    const uint32_t tiles = ARGS->rows * ARGS->columns, in0 = ARGS->in0, in1 = ARGS->in1;
    const uint32_t repeat = ARGS->repeat, size0 = compute_tile_bytes(ARGS->in0_format);
    unpack_format(0, ARGS->in0_format, ARGS->src0_format, ARGS->how == REDUCE_ROW ? 1 << 8 : 0);
    unpack_format(1, ARGS->in1_format, ARGS->src1_format, 0);
    unpack_start(256, 256);
    for (uint32_t n = 0; n < repeat; n++)
        for (uint32_t i = 0; i < tiles; i++) {
            unpack_addresses(in0 + i * size0, in1);
            for (unsigned face = 0; face < 4; face++) {
                TT(OP_UNPACR(0, 1, 1)); /* then the next Z of channel 0: face in L1 */
                TT(OP_UNPACR(1, 1, 1));
            }
            TT(OP_SETADCZW(ADC_UNPACK0 | ADC_UNPACK1, 0, 0, 0, 0, 5));
            unpack_done();
        }
    compute_end();
    return 0;
}
