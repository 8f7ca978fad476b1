/* T2: the tiles of the result, one by one. See compute.h. */
#include "compute.h"

int main(void)
{
    const uint32_t tiles = ARGS->rows * ARGS->columns, repeat = ARGS->repeat, out = ARGS->out;
    const uint32_t dst32 = ARGS->dst32, size = compute_tile_bytes(ARGS->out_format);
    pack_start(16);
    pack_plain_program();
    for (uint32_t n = 0; n < repeat; n++)
        for (uint32_t i = 0; i < tiles; i++)
            pack_tile(out + i * size, dst32);
    compute_end();
    return 0;
}
