/* tile_cores.c - see tile_cores.h. Sources: BabyRISCV/README.md (memory map), SoftReset.md. */
#include "load/tile_cores.h"

const struct core_info *tile_cores_info(enum load_core core)
{
    static const struct core_info cores[LOAD_N_CORES] = {
        [LOAD_CORE_B] = {"B", "brisc", 0x2000, 0x00000, UINT32_C(1) << 11},
        [LOAD_CORE_T0] = {"T0", "trisc0", 0x1000, 0x06000, UINT32_C(1) << 12},
        [LOAD_CORE_T1] = {"T1", "trisc1", 0x1000, 0x0A000, UINT32_C(1) << 13},
        [LOAD_CORE_T2] = {"T2", "trisc2", 0x1000, 0x0E000, UINT32_C(1) << 14},
        [LOAD_CORE_NC] = {"NC", "ncrisc", 0x2000, 0x12000, UINT32_C(1) << 18},
    };
    return &cores[core];
}
