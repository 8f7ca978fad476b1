/*
 * sites.c - places of pushes that are not where they are looked for first; see sites.h.
 *
 * Inaccuracies: see sites.h.
 */
#include "tile/sites.h"

COLD unsigned sites_search(struct sites *s, uint32_t place, uint32_t at)
{
    for (unsigned i = 0; i < SITES_PROBE; i++) {
        uint32_t *slot = &s->place[(at + i) % SITES_COUNT];
        if (!*slot)
            *slot = place;
        if (*slot == place)
            return (at + i) % SITES_COUNT + 1;
    }
    return 0;
}
