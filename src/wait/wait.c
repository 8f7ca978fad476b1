/*
 * wait.c - the table of causes and the ledger.
 *
 * Invariant: wait_ledger_sum() + (now - since) == cycles since wait_ledger_reset(), in every cycle.
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

void wait_ledger_reset(struct ledger *l, uint64_t now)
{
    memset(l, 0, sizeof *l);
    l->key = wait_key(WAIT_IDLE, OWNER_NONE);
    l->before = UINT16_MAX;
    l->since = now;
}

/* Makes a pair the last of its cause. */
static void ledger_find(struct ledger *l, unsigned cause, unsigned owner)
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
}

/* The same where the pair is another one than the last of its cause, which it is from now on. */
static COLD void ledger_switch_pair(struct ledger *l, uint64_t now, uint16_t key)
{
    ledger_find(l, l->key >> 8, l->key & 0xff);
    wait_ledger_switch(l, now, key);
}

void wait_ledger_switch(struct ledger *l, uint64_t now, uint16_t key)
{
    uint64_t cycles = now - l->since;
    if (cycles) {
        unsigned cause = l->key >> 8, owner = l->key & 0xff, last = l->last[cause];
        struct ledger_pair *pair = &l->pair[last ? last - 1 : 0];
        if (!last || pair->cause != cause || pair->owner != owner) {
            ledger_switch_pair(l, now, key);
            return;
        }
        l->cycles[cause] += cycles;
        pair->times += !l->goes_on;
        pair->cycles += cycles;
        l->before = l->key;
    }
    l->goes_on = key == l->before;
    l->key = key;
    l->since = now;
}

void wait_ledger_settle(struct ledger *l, uint64_t now)
{
    if (now > l->since) /* a core can be ahead */
        wait_ledger_switch(l, now, l->key);
}

uint64_t wait_ledger_sum(const struct ledger *l)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < N_WAITS; i++)
        sum += l->cycles[i];
    return sum;
}
