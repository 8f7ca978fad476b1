/*
 * expander_run.h - compares the front end with its second model on random programs.
 */
#ifndef WG_TESTS_MODEL_EXPANDER_RUN_H
#define WG_TESTS_MODEL_EXPANDER_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How much was covered, to show that the programs are not all trivial. */
struct expander_stats {
    uint64_t cycles, popped, mops, outer_bugs, replays, lost, push_waits;
};

/* Runs programs first .. first+n-1 of the seed. False at the first difference; why then says where. */
bool expander_run_from(uint64_t seed, unsigned first, unsigned n, struct expander_stats *stats,
                       char *why, size_t size);
bool expander_run(uint64_t seed, unsigned n, char *why, size_t size);

#endif
