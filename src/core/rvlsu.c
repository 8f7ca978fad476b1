/*
 * rvlsu.c - the store queue of rvlsu.h: what merges, what leaves when.
 *
 * A store waits in the queue; one to L1 that does not fill its 16 bytes waits for a partner until the merge
 * timer runs out, another store comes behind it, or the queue is told to drain. Only the last one in the queue
 * takes partners: same 16 bytes, start addresses at most four apart.
 *
 * **Inaccuracies**: that a fence, an atomic or an overlapping load cuts the merge timer short is guessed. Loads
 * from the core's own data RAM do not compete with the queue for the way out, and loads never lose against it. Stores
 * to the data RAM take no entry.
 */
#include "core/rvlsu.h"

#include <assert.h>

#define CFG0_NO_MERGE (UINT32_C(1) << 12)
#define CFG0_TIMER(x) ((x) >> 13 & 31)

bool rvlsu_overlaps(const struct rvlsu *l, uint32_t addr, unsigned size)
{
    for (unsigned i = 0; i < l->n; i++) {
        const struct rvlsu_store *s = &l->store[(l->head + i) % RVLSU_STORES];
        if (s->kind == RVLSU_PUSH)
            continue;
        if (s->kind != RVLSU_L1) {
            if (addr < s->addr + s->size && s->addr < addr + size)
                return true;
        } else if (addr / 16 == s->addr / 16) {
            uint32_t bytes = ((UINT32_C(1) << size) - 1) << addr % 16;
            if (bytes & s->mask)
                return true;
        }
    }
    return false;
}

/* The cycle from which on this store no longer waits for a partner. */
static uint64_t deadline(const struct rvlsu_store *s, uint32_t cfg0)
{
    if (s->kind != RVLSU_L1 || s->mask == 0xffff || cfg0 & CFG0_NO_MERGE || s->force <= s->last)
        return s->last + 1;
    uint64_t end = s->last + CFG0_TIMER(cfg0) + 1;
    return s->force < end ? s->force : end;
}

uint64_t rvlsu_deadline(const struct rvlsu *l, uint32_t cfg0)
{
    return deadline(&l->store[(l->head + l->n - 1u) % RVLSU_STORES], cfg0);
}

uint64_t rvlsu_due(const struct rvlsu *l, const struct l1 *l1, unsigned port, uint32_t cfg0)
{
    if (!l->n || l->blocked || l->staged)
        return RV_NEVER;
    const struct rvlsu_store *s = &l->store[l->head];
    uint64_t cycle = s->last + 1;
    if (s->kind == RVLSU_L1) {
        uint64_t end = deadline(s, cfg0);
        if (l->n > 1) {
            uint64_t next = l->store[(l->head + 1) % RVLSU_STORES].enter + 1;
            end = next < end ? next : end;
        }
        cycle = end > cycle ? end : cycle;
    }
    if (l->free > cycle)
        cycle = l->free;
    if (s->kind == RVLSU_L1)
        cycle = l1_earliest(l1, port, s->addr, cycle);
    return cycle;
}

bool rvlsu_merges(const struct rvlsu *l, uint32_t addr, unsigned size, uint32_t cfg0)
{
    if (!l->n || cfg0 & CFG0_NO_MERGE)
        return false;
    const struct rvlsu_store *s = &l->store[(l->head + l->n - 1u) % RVLSU_STORES];
    (void)size;
    return s->kind == RVLSU_L1 && s->addr == (addr & ~UINT32_C(15)) && addr + 4 >= s->start &&
           addr <= s->start + 4;
}

static void put(struct rvlsu_store *s, uint32_t addr, unsigned size, uint32_t value)
{
    for (unsigned i = 0; i < size; i++) {
        unsigned at = addr % 16 + i, shift = at % 4 * 8;
        s->data[at / 4] &= ~(UINT32_C(0xff) << shift);
        s->data[at / 4] |= (value >> 8 * i & 0xff) << shift;
        s->mask = (uint16_t)(s->mask | 1u << at);
    }
}

void rvlsu_merge(struct rvlsu *l, uint32_t pc, uint64_t cycle, uint32_t addr, unsigned size,
                 uint32_t value)
{
    struct rvlsu_store *s = rvlsu_at(l, l->n - 1u);
    s->last = cycle;
    s->start = addr;
    s->pc = pc;
    put(s, addr, size, value);
}

void rvlsu_append(struct rvlsu *l, const struct rvlsu_store *s)
{
    struct rvlsu_store *to = rvlsu_at(l, l->n++);
    assert(l->n <= l->depth);
    *to = *s;
    to->last = s->enter;
    to->force = RV_NEVER;
    if (s->kind == RVLSU_L1) {
        to->start = s->addr;
        to->addr = s->addr & ~UINT32_C(15);
        to->mask = 0;
        put(to, s->addr, s->size, s->data[0]);
    }
}

void rvlsu_drop(struct rvlsu *l)
{
    l->n = 0;
    l->blocked = l->staged = l->waiter = l->careful = false;
    l->waits_since = 0;
}

void rvlsu_pop(struct rvlsu *l, uint64_t cycle)
{
    assert(l->n);
    l->waits_for = rvlsu_why(l, l->waits_if);
    l->head = (uint8_t)((l->head + 1u) % RVLSU_STORES);
    l->n--;
    l->free = cycle + 1;
    l->emptied = cycle + 1;
    l->blocked = l->staged = false;
    l->waits_since = 0;
    if (!l->n)
        l->careful = false;
}

void rvlsu_force(struct rvlsu *l, uint64_t cycle)
{
    for (unsigned i = 0; i < l->n; i++) {
        struct rvlsu_store *s = rvlsu_at(l, i);
        s->force = s->force < cycle ? s->force : cycle;
    }
}
