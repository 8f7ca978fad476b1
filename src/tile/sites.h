/*
 * sites.h - where in its program a core pushed a word. An instruction carries 16 bits of source
 * position; here they stand for (program counter, core B or not) of the push.
 *
 * Inaccuracies: only so many places are remembered; words pushed from further ones have none.
 */
#ifndef WG_TILE_SITES_H
#define WG_TILE_SITES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hot.h"

#define SITES_COUNT 4096u
#define SITES_PROBE 16u

struct sites {
    uint32_t place[SITES_COUNT]; /* pc | by core B << 1 | 1; 0: free */
};

/* The tag of a place that is not where it is looked for first; 0 if there is no room. */
unsigned sites_search(struct sites *s, uint32_t place, uint32_t at);

static inline uint32_t sites_first(uint32_t place)
{
    return (place * UINT32_C(2654435761)) >> 20; /* below SITES_COUNT */
}

/* The tag for words pushed from pc by a T core, if it is where it is looked for first; 0 if not. */
static inline unsigned sites_known(const struct sites *s, uint32_t pc)
{
    uint32_t place = (pc & ~3u) | 1, at = sites_first(place);
    return s->place[at] == place ? at + 1 : 0;
}

/* The tag for words pushed from pc; 0 if there is no room. */
static inline unsigned sites_tag(struct sites *s, uint32_t pc, bool by_b)
{
    uint32_t place = (pc & ~3u) | (uint32_t)by_b << 1 | 1, at = sites_first(place);
    return LIKELY(s->place[at] == place) ? at + 1 : sites_search(s, place, at);
}

/* The program counter behind a tag; false if it has none. */
static inline bool sites_find(const struct sites *s, unsigned tag, uint32_t *pc, bool *by_b)
{
    if (!tag || tag > SITES_COUNT || !s->place[tag - 1])
        return false;
    *pc = s->place[tag - 1] & ~3u;
    *by_b = s->place[tag - 1] & 2;
    return true;
}

#endif
