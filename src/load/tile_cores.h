/* tile_cores.h - the five RISC-V cores of a tile, as far as loading goes. */
#ifndef WG_LOAD_TILE_CORES_H
#define WG_LOAD_TILE_CORES_H

#include <stdint.h>

enum load_core {
    LOAD_CORE_B = 0,
    LOAD_CORE_T0 = 1,
    LOAD_CORE_T1 = 2,
    LOAD_CORE_T2 = 3,
    LOAD_CORE_NC = 4,
};
#define LOAD_N_CORES 5

#define LOAD_L1_SIZE    UINT32_C(0x180000)   /* 1536 KiB from address 0 */
#define LOAD_LOCAL_BASE UINT32_C(0xFFB00000) /* where each core sees its own RAM */

struct core_info {
    const char *name;    /* "B" */
    const char *program; /* "brisc": in case files and on the command line */
    uint32_t local_size; /* bytes of RAM at LOAD_LOCAL_BASE */
    uint32_t reset_pc;   /* where it starts if no register says otherwise */
    uint32_t reset_bit;  /* of the soft reset register 0xFFB121B0 */
};

const struct core_info *tile_cores_info(enum load_core core);

#endif
