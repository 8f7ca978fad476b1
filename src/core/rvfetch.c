/*
 * rvfetch.c - see rvfetch.h.
 *
 * A line that is used starts the fetch of the lines behind it; one that is missing stops the core until it
 * has come. With two lines under way and ten cycles each, code that misses always runs at one line in five
 * cycles, which is what was measured.
 *
 * A branch is predicted by a counter that its own last two outcomes choose, so that loops and alternating
 * branches are learnt; one that was never seen is predicted not to be taken, and its first outcome sets all
 * its counters. Direct jumps cost a misprediction when they are new, indirect ones when they go elsewhere.
 *
 * **Inaccuracies**: organisation of the cache, predictor and prefetcher are not public. Two ways with the older
 * one replaced fit the cost of loops between 4 and 8 KiB (tt-sim phases F and G). The predictor is guessed (a
 * branch costs one misprediction when it is new: tt-sim branch_t; an alternating one none: c_xor_alt). There is no return stack. Different
 * branches share an entry when their addresses are 1 KiB apart. Fetches do not compete for L1.
 */
#include "core/rvfetch.h"

#include <string.h>

void rvfetch_reset(struct rvfetch *f, const struct timing *t)
{
    memset(f, 0, sizeof *f);
    f->latency = t->n.RISC_FETCH_LATENCY;
    f->prefetch = t->n.RISC_PREFETCH;
    memset(f->tag, 0xff, sizeof f->tag);
    memset(f->resting, 0xff, sizeof f->resting);
    f->line = RVFETCH_NO_LINE;
}

/* Asks for a line in cycle t unless it is there or on its way; returns when it can be used. */
static uint64_t fetch_line(struct rvfetch *f, uint32_t line, uint64_t cycle)
{
    uint32_t set = line % RVFETCH_SETS;
    unsigned way = f->tag[set][1] == line;
    if (f->tag[set][way] != line) {
        way = f->old[set];
        f->tag[set][way] = line;
        f->ready[set][way] = cycle + f->latency;
    }
    if (f->old[set] == way) {
        f->changed = true;
        memset(f->resting, 0xff, sizeof f->resting);
    }
    f->old[set] = !way;
    return f->ready[set][way];
}

uint64_t rvfetch_enter(struct rvfetch *f, uint32_t line, uint64_t cycle, bool prefetch)
{
    uint64_t ready = fetch_line(f, line, cycle);
    f->line = line;
    if (ready > cycle)
        cycle = ready;
    for (uint32_t i = 1; prefetch && i <= f->prefetch; i++)
        fetch_line(f, line + i, cycle);
    return cycle;
}

bool rvfetch_holds(const struct rvfetch *f, uint32_t first, uint32_t last)
{
    for (uint32_t i = 0; i <= last - first && i < RVFETCH_SETS; i++) {
        const uint32_t *tag = f->tag[(first + i) % RVFETCH_SETS];
        if (tag[0] - first <= last - first || tag[1] - first <= last - first)
            return true;
    }
    return false;
}

/* Counts up or down, from 0 to 3; true if that changed it. */
static bool count(uint8_t *counter, bool up)
{
    if (*counter == (up ? 3 : 0))
        return false;
    *counter = (uint8_t)(up ? *counter + 1 : *counter - 1);
    return true;
}

bool rvfetch_branch(struct rvfetch *f, uint32_t pc, bool taken, bool prediction)
{
    struct rvfetch_branch *b = &f->branch[pc / 4 % RVFETCH_BRANCHES];
    if (!prediction) {
        b->steady = 0;
        return !taken;
    }
    if (!b->known) {
        b->known = 1;
        b->history = taken ? 3 : 0;
        memset(b->counter, taken ? 2 : 1, sizeof b->counter);
        f->changed = true;
        return !taken;
    }
    bool predicted = b->counter[b->history] >= 2;
    uint8_t history = (uint8_t)((b->history << 1 | taken) & 3);
    f->changed |= count(&b->counter[b->history], taken) | (history != b->history);
    b->history = history;
    b->steady = (uint8_t)(history == 3 && b->counter[3] == 3   ? 2
                          : history == 0 && b->counter[0] == 0 ? 1
                                                               : 0);
    return predicted == taken;
}

bool rvfetch_jump(struct rvfetch *f, uint32_t pc, uint32_t target)
{
    uint32_t *last = &f->target[pc / 4 % RVFETCH_TARGETS];
    bool predicted = *last == target;
    f->changed |= !predicted;
    f->jumped = true;
    *last = target;
    return predicted;
}
