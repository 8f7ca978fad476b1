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
    pack_start(16);
    pack_only(ARGS->how);
    pack_all();
    return 0;
}
