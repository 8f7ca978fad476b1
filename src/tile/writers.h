/*
 * writers.h - who wrote a word of L1 last (cores, host, packer), when and from where; for reports, nothing in
 * the model reads it.
 *
 * Inaccuracies: words share entries; of a word whose entry was taken by another the writer is not known.
 */
#ifndef WG_TILE_WRITERS_H
#define WG_TILE_WRITERS_H

#include <stdbool.h>
#include <stdint.h>

#define WRITERS_COUNT 2048u

struct writer {
    uint32_t word; /* address / 4 + 1; 0: none */
    uint32_t pc;   /* of the store; 0: not of a core */
    uint64_t cycle;
    uint8_t agent; /* enum wait_owner; OWNER_NOBODY: from outside the tile */
};

struct writers {
    struct writer of[WRITERS_COUNT];
};

static inline void writers_note(struct writers *w, uint32_t address, unsigned agent, uint32_t pc,
                                uint64_t cycle)
{
    uint32_t word = address / 4;
    w->of[word % WRITERS_COUNT] =
        (struct writer){.word = word + 1, .pc = pc, .cycle = cycle, .agent = (uint8_t)agent};
}

/* NULL: not known, or nobody. */
static inline const struct writer *writers_find(const struct writers *w, uint32_t address)
{
    const struct writer *found = &w->of[address / 4 % WRITERS_COUNT];
    return found->word == address / 4 + 1 ? found : 0;
}

#endif
