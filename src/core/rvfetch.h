/*
 * rvfetch.h - the front end of a baby RISC-V core as far as time goes: instruction cache, prefetcher,
 * branch prediction.
 *
 * ISA pages: BabyRISCV/README (Frontend), CSRs (cfg0). What is executed is decided elsewhere; here is only
 * when an instruction can be in EX1 at the earliest.
 */
#ifndef WG_CORE_RVFETCH_H
#define WG_CORE_RVFETCH_H

#include <stdbool.h>
#include <stdint.h>

#include "isa/timing.h"

#define RVFETCH_BRANCHES 256u
#define RVFETCH_TARGETS  64u
#define RVFETCH_SETS     (T_RISC_ICACHE_LINES / 2u)
#define RVFETCH_NO_LINE  UINT32_MAX

struct rvfetch_branch {
    uint8_t known;      /* has been seen */
    uint8_t steady;     /* 1: not taken, 2: taken, predicted so, and nothing would change */
    uint8_t history;    /* its last two outcomes */
    uint8_t counter[4]; /* by history: 2 and 3 predict taken */
};

struct rvfetch {
    uint16_t latency, prefetch; /* RISC_FETCH_LATENCY, RISC_PREFETCH */
    uint32_t line;              /* that the last instruction came from */
    bool changed; /* cache, prediction: something is not as it was; cleared by the user */
    bool jumped;  /* there was an indirect jump; cleared by the user */
    uint32_t tag[RVFETCH_SETS][2];
    uint64_t ready[RVFETCH_SETS][2]; /* cycle in which the line can be used */
    uint8_t old[RVFETCH_SETS];       /* the way that was used longer ago */
    uint32_t resting[RVFETCH_SETS];  /* lines for which rvfetch_stays() is known to be true */
    struct rvfetch_branch branch[RVFETCH_BRANCHES];
    uint32_t target[RVFETCH_TARGETS]; /* where indirect jumps went last */
};

/* Leaving reset: cache and prediction are empty. */
void rvfetch_reset(struct rvfetch *f, const struct timing *t);
/* Code goes on in another 16-byte line, at the earliest in cycle t. Returns when. */
uint64_t rvfetch_enter(struct rvfetch *f, uint32_t line, uint64_t cycle, bool prefetch);
/* A conditional branch went this way: was it predicted so? */
bool rvfetch_branch(struct rvfetch *f, uint32_t pc, bool taken, bool prediction);
/* Was it predicted so, and does the prediction stay as it is? */
static inline bool rvfetch_steady(const struct rvfetch *f, uint32_t pc, bool taken)
{
    return f->branch[pc / 4 % RVFETCH_BRANCHES].steady == 1u + taken;
}
/* Is a line, with those behind it that are fetched ahead, in the cache, and in the places it would have after being used? */
static inline bool rvfetch_rests(const struct rvfetch *f, uint32_t line, uint64_t cycle)
{
    uint32_t set = line % RVFETCH_SETS;
    unsigned way = !f->old[set];
    return f->tag[set][way] == line && f->ready[set][way] <= cycle;
}
static inline bool rvfetch_stays(struct rvfetch *f, uint32_t line, uint64_t cycle)
{
    if (f->resting[line % RVFETCH_SETS] != line) {
        if (!rvfetch_rests(f, line, cycle))
            return false;
        for (uint32_t i = 1; i <= f->prefetch; i++)
            if (!rvfetch_rests(f, line + i, UINT64_MAX))
                return false;
        f->resting[line % RVFETCH_SETS] = line; /* until anything changes */
    }
    f->line = line;
    return true;
}
/* Is any of these lines in the cache, or on its way? */
bool rvfetch_holds(const struct rvfetch *f, uint32_t first, uint32_t last);
/* An indirect jump went there: was that predicted? */
bool rvfetch_jump(struct rvfetch *f, uint32_t pc, uint32_t target);

#endif
