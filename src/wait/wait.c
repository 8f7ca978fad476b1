/*
 * wait.c - the table of causes and the ledger.
 *
 * Invariant: ledger_sum() + (now - since) == cycles since ledger_reset(), in every cycle.
 *
 * Inaccuracies: when an agent meets more than LEDGER_PAIRS different (cause, owner) pairs, the
 * surplus is booked on the last pair; the sum per cause stays exact.
 */
#include "wait/wait.h"

#include <string.h>

#include "base/hot.h"

const struct wait_info wait_table[N_WAITS] = {
#define WAIT(id, name, text) {#id, name, text},
#include "wait/wait.def"
};

const char *const owner_names[N_OWNERS] = {
#define OWNER(id, name) name,
#include "wait/owner.def"
};

void ledger_reset(struct ledger *l, uint64_t now)
{
    memset(l, 0, sizeof *l);
    l->key = ledger_key(WAIT_IDLE, OWNER_NONE);
    l->since = now;
}

/* The pair of a stretch that is not the one its cause had last. */
static COLD struct ledger_pair *ledger_find(struct ledger *l, unsigned cause, unsigned owner)
{
    unsigned i = 0;
    while (i < l->n_pairs && (l->pair[i].cause != cause || l->pair[i].owner != owner))
        i++;
    if (i == l->n_pairs) {
        if (i == LEDGER_PAIRS)
            i--;
        else
            l->n_pairs++;
        l->pair[i].cause = (uint8_t)cause;
        l->pair[i].owner = (uint8_t)owner;
    }
    l->last[cause] = (uint8_t)(i + 1);
    return &l->pair[i];
}

void ledger_switch(struct ledger *l, uint64_t now, uint16_t key)
{
    uint64_t cycles = now - l->since;
    if (cycles) {
        unsigned cause = l->key >> 8, owner = l->key & 0xff, last = l->last[cause];
        struct ledger_pair *pair = &l->pair[last ? last - 1 : 0];
        if (!last || pair->cause != cause || pair->owner != owner)
            pair = ledger_find(l, cause, owner);
        l->cycles[cause] += cycles;
        pair->times++;
        pair->cycles += cycles;
    }
    l->key = key;
    l->since = now;
}

void ledger_settle(struct ledger *l, uint64_t now)
{
    ledger_switch(l, now, l->key);
}

uint64_t ledger_sum(const struct ledger *l)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < N_WAITS; i++)
        sum += l->cycles[i];
    return sum;
}
