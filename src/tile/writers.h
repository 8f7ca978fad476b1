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

/* Small and quick to fill in, for every word that the packer writes gets one. */
struct writer {
    uint64_t word; /* address / 4 + 1; 0: none. Above it the agent and the pc: see below */
    uint64_t cycle;
};

#define WRITERS_AGENT 24 /* where in word */
#define WRITERS_PC    32

/* enum wait_owner; OWNER_NOBODY: from outside the tile */
static inline uint8_t writers_agent(const struct writer *w)
{
    return (uint8_t)(w->word >> WRITERS_AGENT);
}

/* Of the store; 0: not of a core. */
static inline uint32_t writers_pc(const struct writer *w)
{
    return (uint32_t)(w->word >> WRITERS_PC);
}

struct writers {
    struct writer of[WRITERS_COUNT];
};

static inline uint64_t writers_word(uint32_t address, unsigned agent, uint32_t pc)
{
    return (uint64_t)pc << WRITERS_PC | (uint64_t)agent << WRITERS_AGENT | (address / 4 + 1);
}

/* All words of a range. */
static inline void writers_note_range(struct writers *w, uint32_t address, uint32_t size,
                                      unsigned agent, uint32_t pc, uint64_t cycle)
{
    uint32_t first = address / 4, left = (address + size + 3) / 4 - first;
    uint64_t word = writers_word(address, agent, pc);
    while (left) {
        struct writer *to = &w->of[first % WRITERS_COUNT];
        uint32_t n = WRITERS_COUNT - first % WRITERS_COUNT;
        n = left < n ? left : n;
        left -= n;
        first += n;
        for (; n >= 4; n -= 4, to += 4, word += 4) { /* units write blocks of them */
            to[0] = (struct writer){.word = word, .cycle = cycle};
            to[1] = (struct writer){.word = word + 1, .cycle = cycle};
            to[2] = (struct writer){.word = word + 2, .cycle = cycle};
            to[3] = (struct writer){.word = word + 3, .cycle = cycle};
        }
        for (; n; n--, to++, word++)
            *to = (struct writer){.word = word, .cycle = cycle};
    }
}

/* NULL: not known, or nobody. */
static inline const struct writer *writers_find(const struct writers *w, uint32_t address)
{
    const struct writer *found = &w->of[address / 4 % WRITERS_COUNT];
    return (found->word & ((UINT32_C(1) << WRITERS_AGENT) - 1)) == address / 4 + 1 ? found : 0;
}

#endif
