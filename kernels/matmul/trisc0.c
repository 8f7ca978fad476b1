/* T0: for every tile of the result and every step of the sum, one tile of each operand. See compute.h. */
#include "compute.h"

int main(void)
{
    const uint32_t rows = ARGS->rows, columns = ARGS->columns, inner = ARGS->inner;
    const uint32_t in0 = ARGS->in0, in1 = ARGS->in1, repeat = ARGS->repeat;
    const uint32_t size0 = compute_tile_bytes(ARGS->in0_format);
    const uint32_t size1 = compute_tile_bytes(ARGS->in1_format);
    unpack_format(0, ARGS->in1_format, ARGS->src1_format, 0);
    unpack_format(1, ARGS->in0_format, ARGS->src0_format, 0);
    unpack_start(1024, 1024);
    for (uint32_t n = 0; n < repeat; n++)
        for (uint32_t i = 0; i < rows; i++)
            for (uint32_t j = 0; j < columns; j++)
                for (uint32_t k = 0; k < inner; k++)
                    unpack_tiles(in1 + (k * columns + j) * size1, in0 + (i * inner + k) * size0);
    compute_end();
    return 0;
}
