/*
 * map.c - looking up addresses in map.def.
 *
 * Inaccuracies: none known; what lies behind a region may still be storage only, see bus.c.
 */
#include "tile/map.h"

#include "isa/timing.h"
#include "wait/wait.h"

#define T (1u << MAP_CORE_T0 | 1u << MAP_CORE_T1 | 1u << MAP_CORE_T2)
#define B (1u << MAP_CORE_B)
#define N (1u << MAP_CORE_NC)
#define X (1u << MAP_NOC)
#define R MAP_READ
#define W MAP_WRITE

const struct map_info map_table[N_MAP_REGIONS] = {
    [MAP_NOTHING] = {"NOTHING", "no such address", "", 0, 0, 0, 0, TIMING_LOAD_TILE, OWNER_NOBODY},
#define MAP(id, base, size, who, access, latency, owner, source, text)                             \
    [MAP_##id] = {#id, text, source, base, size, who, access, TIMING_##latency, OWNER_##owner},
#include "tile/map.def"
};

#undef T
#undef B
#undef N
#undef X
#undef R
#undef W

static void map_locate(struct map_hit *hit, uint32_t offset)
{
    switch (hit->region) {
    case MAP_GPR: hit->index = (uint16_t)(offset / 4 % 64); break;
    case MAP_GPR_ALL:
        hit->thread = (uint8_t)(offset / 256);
        hit->index = (uint16_t)(offset / 4 % 64);
        break;
    case MAP_PUSH_B:
    case MAP_PC_BUF_B: hit->thread = (uint8_t)(offset >> 16); break;
    case MAP_CONFIG:
        hit->thread = (uint8_t)(offset / 0x380);
        hit->index = (uint16_t)(offset % 0x380 / 4);
        break;
    case MAP_PUSH: break;
    case MAP_MAILBOX: hit->thread = (uint8_t)(offset >> 12); break;
    case MAP_OVERLAY:
        hit->thread = (uint8_t)(offset >> 12);
        hit->index = (uint16_t)(offset % 0x1000 / 4);
        break;
    default: hit->index = (uint16_t)(offset / 4); break;
    }
}

/* The first row that can hold an address of 0xFF......, by bits 23:16, where kernels push, poll and
   configure all the time; 0: any row. */
static const uint8_t map_first[256] = {
    [0xB0] = MAP_LOCAL,
    [0xB1] = MAP_TDMA,
    [0xE0] = MAP_GPR,
    [0xE4] = MAP_PUSH,
    [0xE8] = MAP_PC_BUF,
    [0xEC] = MAP_MAILBOX,
    [0xEF] = MAP_CONFIG,
};

struct map_hit map_find(unsigned core, uint32_t address)
{
    struct map_hit hit = {.region = MAP_NOTHING, .thread = (uint8_t)core};
    if (map_is(MAP_SEM, core, address)) { /* what kernels poll */
        hit.region = MAP_SEM;
        hit.index = (uint16_t)((address - map_table[MAP_SEM].base) / 4);
        return hit;
    }
    unsigned first = address >> 24 == 0xFF ? map_first[address >> 16 & 255] : 0;
    for (unsigned i = first; i < N_MAP_REGIONS; i++) {
        const struct map_info *m = &map_table[i];
        uint32_t offset = address - m->base;
        if (!((m->cores >> core) & 1) || address < m->base || offset >= m->size)
            continue;
        hit.region = (uint8_t)i;
        map_locate(&hit, offset);
        break;
    }
    return hit;
}
