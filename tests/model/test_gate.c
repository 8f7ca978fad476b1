/*
 * test_gate.c - the tile and a model of its Wait Gates that was written independently let the same
 * instructions go in the same cycles, on random programs of three threads.
 *
 * Arguments: seed, number of programs, first program. Or WG_SEED in the environment.
 * WG_SKIP=0: never skip quiet cycles. WG_COVERAGE=1: count opcodes.
 */
#include <stdio.h>
#include <stdlib.h>

#include "isa/tensix.h"
#include "model/gate_run.h"
#include "model/rng.h"

#define PROGRAMS 100000u

int main(int argc, char **argv)
{
    static char why[20000];
    static struct gate_stats s;
    const char *env = getenv("WG_SEED");
    uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 0) : env ? strtoull(env, NULL, 0) : 1;
    unsigned n = WG_SLOW_BUILD ? PROGRAMS / 20 : PROGRAMS, first = 0;
    if (argc > 2)
        n = (unsigned)strtoul(argv[2], NULL, 0);
    if (argc > 3)
        first = (unsigned)strtoul(argv[3], NULL, 0);
    const char *skip = getenv("WG_SKIP");
    gate_run_skips(!skip || atoi(skip) != 0);
    bool same = gate_run_from(seed, first, n, true, &s, why, sizeof why);
    printf("seed %llu: %u programs, %llu cycles, %llu instructions went, %llu programs stuck\n",
           (unsigned long long)seed,
           n,
           (unsigned long long)s.cycles,
           (unsigned long long)s.went,
           (unsigned long long)s.stuck);
    for (unsigned op = 0; getenv("WG_COVERAGE") && op < 256; op++)
        if (s.by_opcode[op])
            printf("  %-14s %llu\n",
                   tensix_table[op].name ? tensix_table[op].name : "?",
                   (unsigned long long)s.by_opcode[op]);
    if (!same)
        printf("DIFFERENT: %s\n", why);
    return !same;
}
