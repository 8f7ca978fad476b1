/*
 * hang.h - why a tile stands still: for every agent what it waits for, who could clear that, and why he will not. Or, after
 * a limit, where everyone stands.
 *
 * Made from the state between two runs; nothing here changes it.
 */
#ifndef WG_TILE_HANG_H
#define WG_TILE_HANG_H

#include "tile/tile.h"

/* Agents that can stand in a chain: the threads, the cores, the unpackers, the Scalar Unit, and up to four CPUs of a
   host. */
#define HANG_TILE_AGENTS 11u
#define HANG_AGENTS      15u
#define HANG_CLEARS      8u

/* Why somebody who could clear a wait will not. */
enum hang_why {
    HANG_WAITS,   /* waits himself */
    HANG_ENDED,   /* his program has ended */
    HANG_RESET,   /* held in reset */
    HANG_STOPPED, /* stopped by ebreak, ecall or a fault */
    HANG_EMPTY,   /* a thread or unit with nothing to do, whose core has ended */
    HANG_OUTSIDE, /* not in this tile: the host or the NoC */
    HANG_RUNS,    /* goes on: only where the end of a run was a limit */
    HANG_BEHIND   /* a CPU that waits itself: it would do so behind the instruction that waits */
};

struct hang_clear {
    uint8_t agent; /* enum wait_owner */
    uint8_t why;
    bool queued; /* it has the instruction that would do it in its queues ... */
    bool before; /* ... or has done such a thing before */
};

/* What is waited for. */
enum hang_thing {
    HANG_NOTHING,
    HANG_SEMAPHORE, /* index */
    HANG_MUTEX,     /* index */
    HANG_BANK,      /* index: 0 SrcA, 1 SrcB */
    HANG_QUEUE,     /* index: thread */
    HANG_MAILBOX,   /* index: from << 4 | to, partners B, T0, T1, T2 */
    HANG_PCBUF,     /* index: thread */
    HANG_THREAD,    /* index: that must become idle */
    HANG_WORD,      /* address in L1 */
    HANG_RAM,       /* address in the data RAM of core `index` (enum rv_which) */
    HANG_REGISTER,  /* address of a device */
    HANG_CSR,       /* address: number of the CSR */
    HANG_UNIT       /* index: enum wait_owner */
};

struct hang_agent {
    uint8_t agent; /* enum wait_owner */
    bool waits;
    uint8_t why; /* enum hang_why: if it does not wait, what then? */
    bool loops;  /* a core: t->proof[] has the loop that it never leaves */
    uint8_t cause, owner;
    uint64_t since;
    bool core;         /* pc counts, not tag and word */
    uint32_t pc, word; /* where it stands; the instruction */
    uint16_t tag;
    bool cpu; /* of a host: cpu_pc and stage count, not pc and tag */
    uint8_t stage;
    uint64_t cpu_pc;
    uint32_t wait_word; /* a thread's latched wait that holds it, 0: none */
    uint16_t wait_tag;
    uint8_t thing; /* enum hang_thing */
    uint32_t index, address, value;
    bool changed; /* the thing was changed before: by whom, when, from where */
    uint8_t changed_by;
    uint64_t changed_at;
    uint32_t changed_pc; /* of a core, or ... */
    uint16_t changed_tag;
    unsigned n_clears;
    struct hang_clear clear[HANG_CLEARS];
};

struct hang {
    uint64_t certain; /* cycle */
    unsigned n;
    struct hang_agent agent[HANG_AGENTS];
    /* From the first agent that waits on: each waits for the next. If closed, the last for number `back`. */
    unsigned n_chain, back;
    bool closed;
    uint8_t chain[HANG_AGENTS]; /* indices of agent[] */
};

void hang_explain(const struct tile *tile, struct hang *h);
/* The agent waits for a post or get of a semaphore; for a word of L1, and is this core, or RV_N_CORES. */
void hang_semaphore(const struct tile *tile, struct hang_agent *a, unsigned sem, bool post);
void hang_word(const struct tile *tile, struct hang_agent *a, unsigned core, uint32_t address);
/* Finds the chain again, when agents or clears were added. */
void hang_chain(struct hang *h);

#endif
