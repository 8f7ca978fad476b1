/*
 * dropin_bench.c - how fast cores run behind the libttsim_* functions.
 *
 *     dropin_bench LIBRARY [OTHER]
 *
 * Boots one tile with a loop of register instructions on one core, then on five, and prints steps per
 * second and per clock; with a second library the same of that, and how much faster the first is. The
 * libraries take turns, and the best of several rounds counts.
 */
#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "bench.h"
#include "dropin/rv.h"

enum { N_CORES = 5, INNER = 250, STEPS = 1 + 4 * INNER + 3, COUNTS = 0x1F000 };

static const uint32_t start[N_CORES] = {0, 0x6000, 0xA000, 0xE000, 0x12000};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Counts its rounds of STEPS steps in a word of its own. */
static void load_loop(struct host *h, unsigned core)
{
    const uint32_t words[] = {
        rv_lui(9, COUNTS >> 12),
        rv_addi(9, 9, (int32_t)(16 * core)),
        rv_addi(10, 0, 0), /* not every library clears registers in reset */
        rv_addi(8, 0, INNER),
        rv_add(6, 6, 8),
        rv_xor(7, 7, 6),
        rv_addi(8, 8, -1),
        rv_bne(8, 0, -12),
        rv_addi(10, 10, 1),
        rv_sw(10, 0, 9),
        rv_jal(0, -28),
    };
    host_write(h, bench_place, start[core], words, sizeof words);
}

static double steps_done(struct host *h)
{
    double sum = 0;
    for (unsigned i = 0; i < N_CORES; i++)
        sum += host_peek(h, bench_place, COUNTS + 16 * i);
    return sum * STEPS;
}

struct rate {
    double per_second, per_clock;
};

static void measure(struct host *h, unsigned n_cores, struct rate *best)
{
    static const uint32_t bits[N_CORES] = {HOST_SOFT_RESET_B,
                                           HOST_SOFT_RESET_T0,
                                           HOST_SOFT_RESET_T0 << 1,
                                           HOST_SOFT_RESET_T0 << 2,
                                           HOST_SOFT_RESET_NC};
    uint32_t held = HOST_SOFT_RESET_ALL;
    host_poke(h, bench_place, HOST_SOFT_RESET, held);
    for (unsigned i = 0; i < N_CORES; i++) {
        load_loop(h, i);
        host_poke(h, bench_place, COUNTS + 16 * i, 0);
        held &= i < n_cores ? ~bits[i] : ~0u;
    }
    host_poke(h, bench_place, HOST_SOFT_RESET, held);
    h->clock(3 * STEPS); /* every core has stored its count */
    double before = steps_done(h), begin = now(), took, clocks = 0;
    do {
        h->clock(1000);
        clocks += 1000;
        took = now() - begin;
    } while (took < 0.5);
    double done = steps_done(h) - before;
    if (done / took > best->per_second)
        *best = (struct rate){done / took, done / clocks};
}

int main(int argc, char **argv)
{
    struct bench b;
    struct rate best[BENCH_LIBRARIES][2] = {0};
    static const unsigned cores[2] = {1, N_CORES};
    static const char *const names[2] = {"one_core", "five_cores"};
    int n = argc - 1;
    if (n < 1 || n > BENCH_LIBRARIES) {
        fprintf(stderr, "usage: dropin_bench LIBRARY [OTHER]\n");
        return 2;
    }
    if (!bench_open(&b, "dropin_bench", argv + 1, n))
        return 1;
    for (unsigned round = 0; round < BENCH_ROUNDS; round++)
        for (unsigned k = 0; k < 2; k++)
            for (int i = 0; i < n; i++)
                measure(&b.hosts[i], cores[k], &best[i][k]);
    for (unsigned k = 0; k < 2; k++) {
        for (int i = 0; i < n; i++) {
            const struct rate *r = &best[i][k];
            if (r->per_second <= 0)
                return bench_nothing_ran(&b, i);
            printf("%s_%s %.1f Msteps/s\n", bench_libraries[i], names[k], r->per_second / 1e6);
            printf("%s_%s_clock %.1f steps/clock\n", bench_libraries[i], names[k], r->per_clock);
        }
        if (n == BENCH_LIBRARIES)
            printf("dropin_%s_vs_ttsim %.2f ratio\n",
                   names[k],
                   best[0][k].per_second / best[1][k].per_second);
    }
    bench_close(&b);
    return EXIT_SUCCESS;
}
