/*
 * sfpu_bench.c - how fast a kernel of the Vector Unit computes behind the libttsim_* functions.
 *
 *     sfpu_bench FOLDER LIBRARY [OTHER]
 *
 * Boots one tile with the programs of kernels/unary, which compute exp, sqrt and gelu of the same tile of 32 x 32 in
 * BF16 (whole numbers from -3 to 3; positive ones for sqrt) from L1 to L1 again and again; prints tiles per second.
 * With a second library the same of that, and how much faster the first is; see bench.h.
 */
#include "bench.h"

#define UNARY(o, f)                                                                                \
    {                                                                                              \
        BENCH_ARGS_BF16, .alu = FMT_BF16 << 21, .phases = 1, .op = (o), .rows = 1, .columns = 1,   \
                         .inner = 1, .fill = (f)                                                   \
    }

int main(int argc, char **argv)
{
    /* BF16 from 1/4 to 4: roots of negative numbers are not what is usual */
    static uint16_t positive[1024];
    for (unsigned i = 0; i < 1024; i++)
        positive[i] = (uint16_t)(0x3e80 + 37 * i % 0x200);
    static const struct bench_kind kinds[] = {
        {.name = "exp", .args = UNARY(UNARY_EXP, 1), .few = 50, .many = 1050},
        {.name = "sqrt",
         .args = UNARY(UNARY_SQRT, 0),
         .in0 = positive,
         .in0_size = sizeof positive,
         .few = 50,
         .many = 1050},
        {.name = "gelu", .args = UNARY(UNARY_GELU, 1), .few = 50, .many = 1050},
    };
    return bench_kernel(argc, argv, "sfpu", "tiles", kinds, sizeof kinds / sizeof *kinds);
}
