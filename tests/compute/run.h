/*
 * run.h - a compute kernel on a tile: load, run, read back. The tile is ours, or, if the environment names a
 * library in WG_COMPUTE_LIBRARY, one behind the libttsim_* functions of that library.
 */
#ifndef WG_TESTS_COMPUTE_RUN_H
#define WG_TESTS_COMPUTE_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "../../kernels/include/compute_args.h"

enum run_way { RUN_UNTIMED, RUN_CLOCKED, RUN_NO_SKIP, RUN_WAYS };
extern const char *const run_way_names[RUN_WAYS];

struct run_bytes {
    uint32_t at;
    const void *data;
    uint32_t size;
};

/* How many of the ways there are: 1 with a library. */
unsigned run_ways(void);
/* Runs a kernel and reads size bytes at args->out back; false: why says why not. */
bool run_kernel(enum run_way way, const char *kernel, const struct compute_args *args,
                const struct run_bytes *in, unsigned n_in, void *out, uint32_t size, char *why,
                unsigned why_size);
/* Cycles of the last run; 0 without time. */
uint64_t run_cycles(void);

#endif
