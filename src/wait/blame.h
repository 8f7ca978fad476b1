/*
 * blame.h - which instructions lose the cycles: a table by place, cause and owner.
 *
 * A place is a pc of a core, or the source position (tag) of a word at a thread's gate. The table has a fixed
 * size and never grows; what does not fit is counted in `rest`.
 */
#ifndef WG_WAIT_BLAME_H
#define WG_WAIT_BLAME_H

#include <stddef.h>
#include <stdint.h>

#define BLAME_SLOTS 1024u
#define BLAME_PROBE 8u

struct blame_slot {
    uint32_t place;
    uint16_t key;  /* ledger_key(), 0: free */
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
    uint32_t at = ((place ^ (uint32_t)key << 14 ^ agent << 26) * UINT32_C(2654435761)) >> 22;
    for (unsigned i = 0; i < BLAME_PROBE; i++) {
        struct blame_slot *s = &b->slot[(at + i) % BLAME_SLOTS];
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
