/*
 * gate_run.h - compares the tile with its second model on random three-thread programs.
 */
#ifndef WG_TESTS_MODEL_GATE_RUN_H
#define WG_TESTS_MODEL_GATE_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gate_stats {
    uint64_t cycles, went, stuck; /* stuck: programs that ended in a deadlock */
    uint64_t by_opcode[256];
};

/* Runs programs first .. first+n-1 of the seed. False at the first difference: why then holds the
   program, cut down to what still differs if `shrink`. */
bool gate_run_from(uint64_t seed, unsigned first, unsigned n, bool shrink, struct gate_stats *stats,
                   char *why, size_t size);
/* Let the tile skip quiet cycles in half of the programs (default), or never. */
void gate_run_skips(bool yes);
bool gate_run(uint64_t seed, unsigned n, char *why, size_t size);

#endif
