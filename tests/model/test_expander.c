/*
 * test_expander.c - the front end of a thread and a model of it that was written independently
 * agree, cycle by cycle, on random MOP and REPLAY programs under random back-pressure.
 *
 * Arguments: seed, number of programs, first program. Or WG_SEED in the environment.
 */
#include <stdio.h>
#include <stdlib.h>

#include "model/expander_run.h"
#include "model/rng.h"

#define PROGRAMS 120000u

int main(int argc, char **argv)
{
    static char why[8192];
    struct expander_stats s = {0};
    const char *env = getenv("WG_SEED");
    uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 0) : env ? strtoull(env, NULL, 0) : 1;
    unsigned n = WG_SLOW_BUILD ? PROGRAMS / 20 : PROGRAMS, first = 0;
    if (argc > 2)
        n = (unsigned)strtoul(argv[2], NULL, 0);
    if (argc > 3)
        first = (unsigned)strtoul(argv[3], NULL, 0);
    bool same = expander_run_from(seed, first, n, &s, why, sizeof why);
    printf("seed %llu: %u programs, %llu cycles, %llu words at the gate, %llu outer bugs, "
           "%llu words lost, %llu cycles of a full queue\n",
           (unsigned long long)seed,
           n,
           (unsigned long long)s.cycles,
           (unsigned long long)s.popped,
           (unsigned long long)s.outer_bugs,
           (unsigned long long)s.lost,
           (unsigned long long)s.push_waits);
    if (!same)
        printf("DIFFERENT: %s\n", why);
    return !same;
}
