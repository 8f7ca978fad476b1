/* T2: the tiles of the result; only the row, column or datum that counts, zeros elsewhere. See compute.h. */
#include "compute.h"

/* Rows of set 1 take mask 1, all others mask 0, which keeps nothing. */
static void pack_only(uint32_t how)
{
    CONFIG_WORD(CFG_EDGE1) = how == REDUCE_COLUMN ? 0xFFFF : 1;
    CONFIG_WORD(CFG_ROW_SET1) = how == REDUCE_ROW ? 0x55555555 : 1;
    CONFIG_WORD(CFG_EDGE0) = 1 << 17;
    config_written();
}

int main(void)
{
    const uint32_t tiles = ARGS->rows * ARGS->columns, repeat = ARGS->repeat, out = ARGS->out;
    const uint32_t dst32 = ARGS->dst32, size = compute_tile_bytes(ARGS->out_format);
    pack_start(16);
    pack_only(ARGS->how);
    pack_plain_program();
    for (uint32_t n = 0; n < repeat; n++)
        for (uint32_t i = 0; i < tiles; i++)
            pack_tile(out + i * size, dst32);
    compute_end();
    return 0;
}
