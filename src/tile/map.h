/*
 * map.h - the address map of the cores, as far as the coprocessor goes.
 *
 * ISA pages: BabyRISCV/README and the page of each region (Blackhole).
 */
#ifndef WG_TILE_MAP_H
#define WG_TILE_MAP_H

#include <stdbool.h>
#include <stdint.h>

/* Cores as the ports of coproc.h number them. */
enum map_core {
    MAP_CORE_T0,
    MAP_CORE_T1,
    MAP_CORE_T2,
    MAP_CORE_B,
    MAP_CORE_NC,
    MAP_NOC, /* not a core: the NoC and the host */
    N_MAP_CORES
};

enum map_region {
    MAP_NOTHING, /* no such address for this core */
#define MAP(id, base, size, who, access, latency, owner, source, text) MAP_##id,
#include "tile/map.def"
    N_MAP_REGIONS
};

enum { MAP_READ = 1, MAP_WRITE = 2 };

struct map_info {
    const char *name, *text, *source;
    uint32_t base, size;
    uint8_t cores;   /* bit per enum map_core */
    uint8_t access;  /* MAP_READ, MAP_WRITE */
    uint8_t latency; /* cycles of a load by a core: enum timing_id */
    uint8_t owner;   /* enum wait_owner: who answers */
};

extern const struct map_info map_table[N_MAP_REGIONS];

/* Where an access lands. */
struct map_hit {
    uint8_t region; /* enum map_region */
    uint8_t thread; /* MOP_CFG, GPR*, PUSH*, PC_BUF*; CONFIG: bank, 2 both */
    uint16_t index; /* word within it: register, semaphore, Config word */
};

/* Finds the region of an access. */
struct map_hit map_find(unsigned core, uint32_t address);

/* Is it this region? Quicker than to find out which one it is. */
static inline bool map_is(enum map_region region, unsigned core, uint32_t address)
{
    const struct map_info *m = &map_table[region];
    return address - m->base < m->size && (m->cores >> core & 1);
}

#endif
