/*
 * matmul_bench.c - how fast a kernel computes behind the libttsim_* functions.
 *
 *     matmul_bench FOLDER LIBRARY [OTHER]
 *
 * Boots one tile with the programs of kernels/matmul, which multiply the same two matrices in BF16 from L1 to L1 again
 * and again, with one fidelity phase and with four: single tiles of 32 x 32, and ("blocked") matrices of 4 x 4 such
 * tiles, whose sums are made in Dst. Prints products per second. With a second library the same of that, and how much
 * faster the first is; see bench.h.
 */
#include "bench.h"

/* Of matrices of n x n tiles. */
#define PRODUCT(p, n)                                                                              \
    {                                                                                              \
        BENCH_ARGS_BF16, .phases = (p), .rows = (n), .columns = (n), .inner = (n), .fill = 1       \
    }

int main(int argc, char **argv)
{
    static const struct bench_kind kinds[] = {
        {.name = "lofi", .args = PRODUCT(1, 1), .few = 200, .many = 4000},
        {.name = "hifi4", .args = PRODUCT(4, 1), .few = 200, .many = 4000},
        {.name = "blocked_lofi", .args = PRODUCT(1, 4), .few = 4, .many = 64},
        {.name = "blocked_hifi4", .args = PRODUCT(4, 4), .few = 4, .many = 64},
    };
    return bench_kernel(argc, argv, "matmul", "products", kinds, sizeof kinds / sizeof *kinds);
}
