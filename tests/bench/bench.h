/*
 * bench.h - what the programs share that measure libraries behind the libttsim_* functions: one library, or two
 * beside each other, on one tile; and kernels that do the same work again and again there.
 */
#ifndef WG_TESTS_BENCH_BENCH_H
#define WG_TESTS_BENCH_BENCH_H

#include "../../kernels/include/compute_args.h"
#include "dropin/host.h"

enum { BENCH_ROUNDS = 3, BENCH_LIBRARIES = 2 };

/* The libraries that were named: ours first, then the other one. */
struct bench {
    const char *program; /* for messages */
    char **paths;
    int n;
    struct host hosts[BENCH_LIBRARIES];
};

extern const struct host_place bench_place;                /* the tile */
extern const char *const bench_libraries[BENCH_LIBRARIES]; /* what lines of a library begin with */

/* Loads and opens the n libraries of paths; says on stderr if it cannot. */
bool bench_open(struct bench *b, const char *program, char **paths, int n);
void bench_close(struct bench *b);
/* Says on stderr that a library did nothing; returns the exit status. */
int bench_nothing_ran(const struct bench *b, int library);

/* Work for a kernel: its arguments but .repeat, its first operand if .fill is 0; how often in the short and in the
   long run. */
struct bench_kind {
    const char *name;
    struct compute_args args;
    const void *in0;
    uint32_t in0_size;
    uint32_t few, many;
};

/* The arguments that all of them have: everything in BF16, from L1 to L1. */
#define BENCH_ARGS_BF16                                                                            \
    .in0 = 0x20000, .in1 = 0x30000, .out = 0x40000, .in0_format = FMT_BF16,                        \
    .in1_format = FMT_BF16, .src0_format = FMT_BF16, .src1_format = FMT_BF16,                      \
    .pack_format = FMT_BF16, .out_format = FMT_BF16

/*
 * The whole of a program that measures a kernel, called as `<what>_bench FOLDER LIBRARY [OTHER]`: for each kind what
 * is done per second by each library, in the given unit, and how much faster the first is. The libraries take turns,
 * and the best of several rounds counts. Returns the exit status.
 */
int bench_kernel(int argc, char **argv, const char *what, const char *unit,
                 const struct bench_kind *kinds, unsigned n_kinds);

#endif
