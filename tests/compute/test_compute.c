/*
 * test_compute.c - compute kernels with random operands: on a tile without time, with time and without
 * skipping they leave the bytes that golden.c says.
 *
 *     compute_golden [SEED [KIND [FIRST [NUMBER]]]]
 *
 * With WG_COMPUTE_SHOW in the environment every case is named before it runs; with WG_COMPUTE_LIBRARY the cases
 * run on that library, see run.h.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "case.h"
#include "run.h"

static const struct {
    const char *name;
    make_case *make;
    unsigned number;
} kinds[] = {{"matmul", case_matmul, 300},
             {"eltwise", case_eltwise, 400},
             {"reduce", case_reduce, 400},
             {"copy", case_copy, 800}};
#define N_KINDS (sizeof kinds / sizeof *kinds)

static struct case_ c;

static unsigned differing(const uint8_t *got, uint32_t *first)
{
    unsigned n = 0;
    for (uint32_t i = c.out_size; i-- > 0;)
        if (got[i] != c.out[i]) {
            n++;
            *first = i;
        }
    return n;
}

static bool run_case(uint64_t seed, unsigned kind, unsigned number)
{
    static uint8_t got[CASE_BYTES];
    struct rng r = rng_of(seed, (uint64_t)kind << 32 | number);
    bool good = true;
    uint64_t cycles = 0;
    kinds[kind].make(&r, &c);
    const struct run_bytes in[] = {{c.args.in0, c.in[0], c.in_size[0]},
                                   {c.args.in1, c.in[1], c.in_size[1]},
                                   {c.args.out, c.before, c.before_size}};
    for (unsigned way = 0; way < run_ways(); way++) {
        char why[400] = "";
        uint32_t first = 0;
        memset(got, 0, sizeof got);
        if (getenv("WG_COMPUTE_SHOW"))
            fprintf(stderr, "%s %u %s: %s\n", kinds[kind].name, number, run_way_names[way], c.text);
        if (!run_kernel(
                (enum run_way)way, c.kernel, &c.args, in, 3, got, c.out_size, why, sizeof why)) {
            printf(
                "%s %u, %s: %s: %s\n", kinds[kind].name, number, c.text, run_way_names[way], why);
            good = false;
            continue;
        }
        if (way == RUN_CLOCKED)
            cycles = run_cycles();
        if (way == RUN_NO_SKIP && run_cycles() != cycles) {
            printf("%s %u, %s: %llu cycles, without skipping %llu\n",
                   kinds[kind].name,
                   number,
                   c.text,
                   (unsigned long long)cycles,
                   (unsigned long long)run_cycles());
            good = false;
        }
        unsigned n = differing(got, &first);
        if (!n)
            continue;
        good = false;
        printf("%s %u, %s: %s: %u of %u bytes differ, first 0x%x: 0x%02x, must be 0x%02x\n",
               kinds[kind].name,
               number,
               c.text,
               run_way_names[way],
               n,
               (unsigned)c.out_size,
               (unsigned)first,
               got[first],
               c.out[first]);
    }
    return good;
}

int main(int argc, char **argv)
{
    uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;
    unsigned bad = 0, all = 0;
    printf("seed %llu\n", (unsigned long long)seed);
    for (unsigned kind = 0; kind < N_KINDS; kind++) {
        if (argc > 2 && strcmp(argv[2], kinds[kind].name) != 0)
            continue;
        unsigned first = argc > 3 ? (unsigned)strtoul(argv[3], NULL, 0) : 0;
        unsigned n = argc > 4 ? (unsigned)strtoul(argv[4], NULL, 0)
                              : kinds[kind].number / (WG_SLOW_BUILD ? 20 : 1);
        for (unsigned i = first; i < first + n; i++, all++)
            bad += !run_case(seed, kind, i);
    }
    printf("%u of %u cases differ\n", bad, all);
    return bad != 0;
}
