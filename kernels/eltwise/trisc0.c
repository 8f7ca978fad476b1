/* T0: a tile of each operand at a time. See compute.h. */
#include "compute.h"

int main(void)
{
    const uint32_t tiles = ARGS->rows * ARGS->columns, in0 = ARGS->in0, in1 = ARGS->in1;
    const uint32_t repeat = ARGS->repeat, size0 = compute_tile_bytes(ARGS->in0_format);
    const uint32_t size1 = compute_tile_bytes(ARGS->in1_format);
    unpack_format(0, ARGS->in0_format, ARGS->src0_format, 0);
    unpack_format(1, ARGS->in1_format, ARGS->src1_format, 0);
    unpack_start(1024, 1024);
    for (uint32_t n = 0; n < repeat; n++)
        for (uint32_t i = 0; i < tiles; i++)
            unpack_tiles(in0 + i * size0, in1 + i * size1);
    compute_end();
    return 0;
}
