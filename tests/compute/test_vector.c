/*
 * test_vector.c - kernels of the Vector Unit with random operands: on a tile without time, with time and without
 * skipping they leave the same bytes, and these are right by vector_case*.c.
 *
 *     vector_golden [SEED [KIND [FIRST [NUMBER]]]]
 *
 * With WG_COMPUTE_LIBRARY the cases run on that library, see run.h. A line per kind has a sum of all bytes that came
 * out, so that two libraries can be compared bit by bit.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run.h"
#include "vector_case.h"

static const struct {
    const char *name;
    vector_make *make;
    unsigned number;
} kinds[] = {{"unary", vector_unary, 180},
             {"typecast", vector_typecast, 70},
             {"integer", vector_integer, 78},
             {"topk", vector_topk, 12},
             {"sums", vector_sums, 24},
             {"macro", vector_macro, 16},
             {"stochastic", vector_stochastic, 54}};
#define N_KINDS (sizeof kinds / sizeof *kinds)

static struct vector_case c;
static uint32_t out[RUN_WAYS][VECTOR_DATUMS];

/* Patterns to the bytes of a format with 16 or 32 bits, and back. */
static uint32_t to_bytes(uint32_t format, const uint32_t *v, unsigned n, uint8_t *bytes)
{
    uint32_t size = compute_datum4(format) / 4;
    for (unsigned i = 0; i < n; i++)
        memcpy(bytes + i * size, (const uint8_t *)&v[i] + 4 - size, size);
    return n * size;
}

static void from_bytes(uint32_t format, const uint8_t *bytes, unsigned n, uint32_t *v)
{
    uint32_t size = compute_datum4(format) / 4;
    memset(v, 0, n * sizeof *v);
    for (unsigned i = 0; i < n; i++)
        memcpy((uint8_t *)&v[i] + 4 - size, bytes + i * size, size);
}

static void make(uint64_t seed, unsigned kind, unsigned number)
{
    struct rng r = rng_of(seed, (uint64_t)kind << 32 | number);
    memset(&c, 0, sizeof c);
    c.args.in0 = VECTOR_IN0;
    c.args.in1 = VECTOR_IN1;
    c.args.out = VECTOR_OUT;
    c.args.rows = c.args.repeat = c.args.inner = c.args.phases = 1;
    c.args.columns = 1 + rng_below(&r, VECTOR_TILES);
    c.n = c.args.columns * VECTOR_TILE;
    kinds[kind].make(&r, number, &c);
}

static void complain(unsigned kind, unsigned number, enum run_way way, const char *why)
{
    printf("%s %u (%s, %u tiles of %u bits), %s: %s\n",
           kinds[kind].name,
           number,
           c.name,
           (unsigned)c.args.columns,
           c.args.dst32 ? 32 : 16,
           run_way_names[way],
           why);
}

/* Runs the case in one way; sum goes on with what comes out. */
static bool run_one(unsigned kind, unsigned number, enum run_way way, uint64_t *sum)
{
    static uint8_t in[2][4 * VECTOR_DATUMS], got[4 * VECTOR_DATUMS];
    char why[300] = "";
    uint32_t in_size = to_bytes(c.args.in0_format, c.in[0], c.n, in[0]);
    uint32_t out_size = c.n * compute_datum4(c.args.out_format) / 4;
    to_bytes(c.args.in0_format, c.in[1], c.n, in[1]);
    const struct run_bytes bytes[] = {{c.args.in0, in[0], in_size}, {c.args.in1, in[1], in_size}};
    memset(got, 0, sizeof got);
    if (getenv("WG_COMPUTE_SHOW"))
        fprintf(stderr, "%s %u %s: %s\n", c.kernel, number, run_way_names[way], c.name);
    if (!run_kernel(way, c.kernel, &c.args, bytes, 2, got, out_size, why, sizeof why)) {
        complain(kind, number, way, why);
        return false;
    }
    for (uint32_t i = 0; i < out_size; i++)
        *sum = (*sum ^ got[i]) * UINT64_C(0x100000001B3);
    from_bytes(c.args.out_format, got, c.n, out[way]);
    if (c.judge(&c, out[way], why, sizeof why) &&
        (way == 0 || memcmp(out[way], out[0], sizeof out[0]) == 0))
        return true;
    complain(kind, number, way, why[0] ? why : "other bytes than without time");
    return false;
}

static bool run_case(uint64_t seed, unsigned kind, unsigned number, uint64_t *sum)
{
    bool good = true;
    uint64_t cycles[RUN_WAYS] = {0}, other = 0;
    make(seed, kind, number);
    memset(out, 0, sizeof out);
    for (unsigned way = 0; way < run_ways(); way++) {
        good &= run_one(kind, number, (enum run_way)way, way ? &other : sum);
        cycles[way] = run_cycles();
    }
    if (cycles[RUN_CLOCKED] != cycles[RUN_NO_SKIP]) {
        complain(kind, number, RUN_NO_SKIP, "other cycles than with skipping");
        good = false;
    }
    return good;
}

int main(int argc, char **argv)
{
    uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;
    unsigned bad = 0, all = 0;
    printf("seed %llu\n", (unsigned long long)seed);
    for (unsigned kind = 0; kind < N_KINDS; kind++) {
        uint64_t sum = UINT64_C(0xCBF29CE484222325);
        if (argc > 2 && strcmp(argv[2], kinds[kind].name) != 0)
            continue;
        unsigned first = argc > 3 ? (unsigned)strtoul(argv[3], NULL, 0) : 0;
        unsigned n = argc > 4 ? (unsigned)strtoul(argv[4], NULL, 0)
                              : kinds[kind].number / (WG_SLOW_BUILD ? 6 : 1);
        for (unsigned i = first; i < first + n; i++, all++)
            bad += !run_case(seed, kind, i, &sum);
        printf("%s: %u cases, sum %016llx\n", kinds[kind].name, n, (unsigned long long)sum);
    }
    printf("%u of %u cases are wrong\n", bad, all);
    return bad != 0;
}
