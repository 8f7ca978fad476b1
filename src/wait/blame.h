/*
 * blame.h - which instructions lose the cycles: a table by place, cause and owner.
 *
 * A place is a pc of a core, or the source position (tag) of a word at a thread's gate. The table has a fixed
 * size and never grows; what does not fit is counted in `rest`. Each agent has a part of its own: what fits must not depend
 * on who comes first, because cores run ahead of each other.
 */
#ifndef WG_WAIT_BLAME_H
#define WG_WAIT_BLAME_H

#include <stddef.h>
#include <stdint.h>

#define BLAME_PARTS 8u /* threads and cores are the first eight owners */
#define BLAME_BITS  11u
#define BLAME_PART  (1u << BLAME_BITS)
#define BLAME_SLOTS (BLAME_PARTS * BLAME_PART)
#define BLAME_PROBE 16u

struct blame_slot {
    uint32_t place;
    uint16_t key;  /* wait_key(), 0: free */
    uint8_t agent; /* enum wait_owner */
    uint32_t times;
    uint64_t cycles;
};

struct blame {
    uint64_t rest;
    struct blame_slot slot[BLAME_SLOTS];
};

/* Returns the place's slot, NULL if it has none. */
static inline struct blame_slot *blame_add(struct blame *b, unsigned agent, uint32_t place,
                                           uint16_t key, uint64_t cycles)
{
    struct blame_slot *part = &b->slot[agent % BLAME_PARTS * BLAME_PART];
    uint32_t at =
        ((place ^ (uint32_t)key << 14 ^ agent << 26) * UINT32_C(2654435761)) >> (32 - BLAME_BITS);
    for (unsigned i = 0; i < BLAME_PROBE; i++) {
        struct blame_slot *s = &part[(at + i) % BLAME_PART];
        if (!s->key) {
            s->place = place;
            s->key = key;
            s->agent = (uint8_t)agent;
        } else if (s->place != place || s->key != key || s->agent != agent) {
            continue;
        }
        s->times++;
        s->cycles += cycles;
        return s;
    }
    b->rest += cycles;
    return NULL;
}

#endif
