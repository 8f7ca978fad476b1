/*
 * wait.h - waiting is a value: who, at which instruction, on what, since when, owed by whom.
 *
 * A ledger belongs to one agent. It is kept by intervals: wait_ledger_note() says where the agent
 * stands in a cycle; only when that changes is the elapsed stretch booked. Invariant: the booked
 * cycles plus the open stretch always equal the cycles that have passed (wait_ledger_sum()). A stretch counts once however
 * often it was looked at: one that goes on where one of the same key was booked up to is no new one.
 */
#ifndef WG_WAIT_WAIT_H
#define WG_WAIT_WAIT_H

#include <stdbool.h>
#include <stdint.h>

enum wait_cause {
#define WAIT(id, name, text) WAIT_##id,
#include "wait/wait.def"
    N_WAITS
};

enum wait_owner {
#define OWNER(id, name) OWNER_##id,
#include "wait/owner.def"
    N_OWNERS,
    N_AGENTS = OWNER_NONE
};

struct wait_info {
    const char *id, *name, *text;
};

extern const struct wait_info wait_table[N_WAITS];
extern const char *const owner_names[N_OWNERS];

/* An agent standing still: what a hang report is made of. */
struct wait_record {
    uint8_t agent, cause, owner; /* owner, wait_cause, owner */
    uint16_t tag;                /* source position of the instruction, 0: none */
    uint32_t word;               /* the instruction */
    uint64_t since;              /* first cycle of this wait */
};

#define LEDGER_PAIRS 40

/* Cycles booked per (cause, owner). */
struct ledger_pair {
    uint8_t cause, owner;
    uint32_t times;
    uint64_t cycles;
};

struct ledger {
    uint16_t key;          /* cause << 8 | owner of the open stretch */
    uint16_t before;       /* key of the stretch that was booked last, up to `since` */
    bool goes_on;          /* the open one is the same */
    uint8_t n_pairs;       /* the last pair takes what does not fit */
    uint64_t since;        /* first cycle of the open stretch */
    uint8_t last[N_WAITS]; /* 1 + pair of the last stretch of this cause; 0: none yet */
    uint64_t cycles[N_WAITS];
    struct ledger_pair pair[LEDGER_PAIRS];
};

static inline uint16_t wait_key(unsigned cause, unsigned owner)
{
    return (uint16_t)(cause << 8 | owner);
}

static inline bool wait_pair_is(const struct ledger_pair *p, uint16_t key)
{
    return wait_key(p->cause, p->owner) == key;
}

/* Starts at cycle now, standing idle. */
void wait_ledger_reset(struct ledger *l, uint64_t now);
/* Books the open stretch up to (not including) now and opens one with this key. */
void wait_ledger_switch(struct ledger *l, uint64_t now, uint16_t key);
/* Books the open stretch up to now and leaves it open. */
void wait_ledger_settle(struct ledger *l, uint64_t now);
/* Sum of all booked cycles. */
uint64_t wait_ledger_sum(const struct ledger *l);

/* In cycle now the agent stands at key; true if that is a change. */
static inline bool wait_ledger_note(struct ledger *l, uint64_t now, uint16_t key)
{
    if (l->key == key)
        return false;
    wait_ledger_switch(l, now, key);
    return true;
}

#endif
