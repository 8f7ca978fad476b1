/*
 * map.c - looking up addresses in map.def.
 *
 * Inaccuracies: local RAM, L1, NoC, mailbox and debug windows are not listed here yet; they belong
 * to the cores.
 */
#include "tile/map.h"

#define T (1u << MAP_CORE_T0 | 1u << MAP_CORE_T1 | 1u << MAP_CORE_T2)
#define B (1u << MAP_CORE_B)
#define R MAP_READ
#define W MAP_WRITE

const struct map_info map_table[N_MAP_WINDOWS] = {
    [MAP_NOTHING] = {"NOTHING", "no such address", "", 0, 0, 0, 0},
#define MAP(id, base, size, cores, access, source, text)                                           \
    [MAP_##id] = {#id, text, source, base, size, cores, access},
#include "tile/map.def"
};

#undef T
#undef B
#undef R
#undef W

static void map_locate(struct map_hit *hit, uint32_t offset)
{
    switch (hit->window) {
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
    default: hit->index = (uint16_t)(offset / 4); break;
    }
}

struct map_hit map_find(unsigned core, uint32_t address)
{
    struct map_hit hit = {.window = MAP_NOTHING, .thread = (uint8_t)core};
    for (unsigned i = 1; i < N_MAP_WINDOWS; i++) {
        const struct map_info *m = &map_table[i];
        uint32_t offset = address - m->base;
        if (!((m->cores >> core) & 1) || address < m->base || offset >= m->size)
            continue;
        hit.window = (uint8_t)i;
        map_locate(&hit, offset);
        break;
    }
    return hit;
}
