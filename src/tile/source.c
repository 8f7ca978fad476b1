/*
 * source.c - looking up source.def: how what a load finds can change.
 *
 * Block: none of the hardware's. Two readers: the pipeline, which parks a loop only if everything it reads is CONSTANT or
 * EVENT (rvpipe_poll.c), and the proof of a hang (proof.c).
 *
 * Invariant: whether a load would change or report something depends on the state; then the answer is ACT in just that
 * state.
 *
 * **Inaccuracies**: none.
 */
#include "tile/tile.h"

static const uint8_t source_kinds[N_MAP_REGIONS] = {
#define SOURCE(region, kind, text) [MAP_##region] = RV_SOURCE_##kind,
#include "tile/source.def"
};

/* Windows with rows of their own for some of their words. */
static const bool source_varies[N_MAP_REGIONS] = {[MAP_TDMA] = true,
                                                  [MAP_CONTROL] = true,
                                                  [MAP_PIC] = true,
                                                  [MAP_MAILBOX] = true,
                                                  [MAP_DST] = true};

struct source_part {
    uint8_t region, kind;
    uint16_t mask, first, last;
};

static const struct source_part source_parts[] = {
#define SOURCE_AT(region, mask, first, last, kind, text)                                           \
    {MAP_##region, RV_SOURCE_##kind, mask, first, last},
#include "tile/source.def"
};

static enum rv_source source_of(unsigned region, uint32_t offset)
{
    for (unsigned i = 0; i < sizeof source_parts / sizeof *source_parts; i++) {
        const struct source_part *p = &source_parts[i];
        uint32_t at = offset & ~3u & p->mask;
        if (p->region == region && at >= p->first && at <= p->last)
            return (enum rv_source)p->kind;
    }
    return (enum rv_source)source_kinds[region];
}

enum rv_source tile_source(struct tile *tile, unsigned core, uint32_t address, unsigned size)
{
    struct map_hit hit = map_find(core, address);
    if (!source_varies[hit.region])
        return (enum rv_source)source_kinds[hit.region];
    uint32_t offset = address - map_table[hit.region].base;
    enum rv_source kind = source_of(hit.region, offset);
    switch (hit.region) {
    case MAP_PIC:
        return kind == RV_SOURCE_ACT && !pic_peek(&tile->pic, offset / 4) ? RV_SOURCE_UNTOLD : kind;
    case MAP_DST: return core_dst_tells(tile, core, offset, size) ? RV_SOURCE_ACT : kind;
    case MAP_CONTROL: return tile_control_tells(tile, offset & ~3u) ? RV_SOURCE_ACT : kind;
    default: return kind;
    }
}

unsigned tile_source_ram(unsigned core, uint32_t address)
{
    switch (map_find(core, address).region) {
    case MAP_SLOW_B: return RV_B;
    case MAP_SLOW_NC: return RV_NC;
    case MAP_SLOW_T0: return RV_T0;
    case MAP_SLOW_T1: return RV_T1;
    case MAP_SLOW_T2: return RV_T2;
    default: return core;
    }
}
