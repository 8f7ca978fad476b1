/*
 * rush_drive.h - the coprocessor without time twice: word by word (coproc/rush.c), and cycle by cycle without latencies.
 */
#ifndef WG_TESTS_UNIT_RUSH_DRIVE_H
#define WG_TESTS_UNIT_RUSH_DRIVE_H

#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "coproc/coproc.h"
#include "isa/tensix.h"
#include "model/rng.h"

#define WORD(name, ...) tensix_##name##_encode((struct tensix_##name){__VA_ARGS__})
#define PLAIN(name)     ((uint32_t)TENSIX_OP_##name << 24)

static struct coproc quick, slow;
static uint8_t memory[1 << 16];

static inline void rush_start(struct coproc *cp)
{
    memset(cp, 0, sizeof *cp);
    cp->l1 = (struct l1_port){.bytes = memory, .size = sizeof memory};
    coproc_reset(cp);
}

/* Pushes what has room and runs until nothing moves. Returns how many words are in. */
static inline unsigned run_quick(unsigned thread, const uint32_t *word, unsigned at, unsigned n)
{
    unsigned before;
    do {
        before = at;
        for (; at < n && coproc_rush_push_open(&quick, thread); at++) {
            frontend_enter(&quick.fe[thread], word[at], word[at] & 7, ENTRY_RETIRES);
            coproc_pushed(&quick);
        }
    } while (coproc_rush(&quick) || at != before);
    return at;
}

static inline unsigned run_slow(unsigned thread, const uint32_t *word, unsigned at, unsigned n)
{
    bool moved = true;
    while (moved) {
        moved = at < n && coproc_port_push(&slow, thread, &word[at], 1, word[at] & 7);
        at += moved;
        moved |= coproc_step(&slow);
        moved |= coproc_drain(&slow);
    }
    return at;
}

/* WG_SEED in the environment, or 1. */
static inline uint64_t rush_seed(unsigned programs)
{
    const char *env = getenv("WG_SEED");
    uint64_t seed = env ? strtoull(env, NULL, 0) : 1;
    print_message("seed %llu, %u programs\n", (unsigned long long)seed, programs);
    return seed;
}

#endif
