/*
 * Fuzz target: programs for the five cores of a tile with time and without a trace, so that bursts and all other short cuts are used.
 * Every call ends, within its limit, whatever they push, store and load, and whoever puts whom into reset. Walking through
 * everything, many short calls, and both together leave the same: L1, registers, how and when it ended, all ledgers, the text
 * of a hang. Without time every call ends within its steps.
 *
 * The input is a list of five programs, see maker.h.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock/outcome.h"
#include "maker.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define LIMIT   3000u /* cycles */
#define STEPS   3000u
#define CODE    0x1800u /* bytes of a core's program */
#define SECONDS 60u     /* an input takes a few milliseconds */

/* A tile with the programs; the first byte says which cores run at once, and how. */
static void make(struct outcome *o, const uint8_t *data, size_t size)
{
    outcome_start(o);
    struct tile *tile = o->tile;
    struct maker m = {.data = data, .end = data + size};
    uint32_t cores = maker_byte(&m), bits = 0;
    for (unsigned i = 0; i < RV_N_CORES; i++) {
        maker_program(&m, tile->l1_bytes + maker_start[i], CODE);
        bits |= cores >> i & 1 ? tile_reset_bits[i] : 0;
    }
    tile_write(tile, MAKER_SOFT_RESET, &bits, 4);
    for (unsigned i = 0; cores & 0x80 && i < RV_N_CORES; i++)
        tile->core[i].stop_on = 1u << RV_FAULT_FETCH; /* go on behind everything else */
    if (cores & 0x40)
        tile_clock_until(tile, MAKER_SHARED, 5);
}

/* ---- running them ---- */

static void no_end(int signal)
{
    static const char text[] = "fuzz_clocked: a run does not end\n";
    (void)signal;
    if (write(2, text, sizeof text - 1) > 0)
        abort();
    abort();
}

static void fail(const char *what, uint64_t a, uint64_t b)
{
    fprintf(stderr,
            "fuzz_clocked: %s: %llu, %llu\n",
            what,
            (unsigned long long)a,
            (unsigned long long)b);
    abort();
}

static void whole(const struct tile *tile)
{
    for (unsigned i = 0; i < COPROC_THREADS; i++) {
        const struct frontend *f = &tile->coproc.fe[i];
        if (f->tracked > T_Q1_DEPTH || f->q2.n > T_Q2_DEPTH || f->q3.n > T_Q3_DEPTH)
            fail("a queue holds too much: thread, words tracked", i, f->tracked);
    }
    for (unsigned i = 0; i < RV_N_CORES; i++) {
        bool held = tile->soft_reset & tile_reset_bits[i];
        if (tile->core[i].x[0] || tile->pipe[i].lsu.n > T_RISC_STORE_QUEUE)
            fail("x0, or the store queue: core, stores", i, tile->pipe[i].lsu.n);
        if ((tile->core[i].state == RV_HELD) != held)
            fail("in reset or not: core, state", i, tile->core[i].state);
    }
}

enum { SKIPS, WALKS, SLICES, SLICES_WALKS, N_WAYS };
static const char *const ways[N_WAYS] = {"", "no_skip", "slices", "slices and no_skip"};

/* The bytes of the input are the sizes of the calls: 1 to 37 cycles, for a few of them more. */
static void run_slices(struct outcome *o, const uint8_t *data, size_t size)
{
    size_t k = 0;
    do {
        uint64_t left = LIMIT - o->tile->clock.now, n = size ? data[k++ % size] : 0;
        n = n < 0xf0 ? 1 + n % 37 : 64 * (1 + n % 16);
        waitgate_tile_clock(o->handle, n < left ? n : left);
    } while (o->handle->end == WAITGATE_TILE_LIMIT && o->tile->clock.now < LIMIT);
}

static void run(struct outcome *o, unsigned way, const uint8_t *data, size_t size)
{
    make(o, data, size);
    struct tile *tile = o->tile;
    waitgate_tile_no_skip(o->handle, way == WALKS || way == SLICES_WALKS);
    tile->clock.no_looks = !size || !(data[0] & 0x20);
    if (way == SLICES || way == SLICES_WALKS)
        run_slices(o, data, size);
    else
        waitgate_tile_clock(o->handle, LIMIT);
    if (tile->clock.now > LIMIT ||
        (o->handle->end == WAITGATE_TILE_LIMIT && tile->clock.now != LIMIT))
        fail("not the limit: end, cycle", o->handle->end, tile->clock.now);
    whole(tile);
    outcome_end(o);
}

/* Slices may differ: a core was put into reset, or a word has ended the run. Cores may have run ahead of that, as far as the call
   went (docs/timing.md 7.26, 7.27). */
static bool ran_ahead(const struct outcome *o)
{
    return o->tile->clock.holds || o->handle->end == WAITGATE_TILE_UNTIL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct outcome o[N_WAYS];
    struct difference d;
    bool ahead = false;
    signal(SIGALRM, no_end);
    alarm(SECONDS);
    for (unsigned way = 0; way < N_WAYS; way++) {
        run(&o[way], way, data, size);
        ahead |= ran_ahead(&o[way]);
        if (way == SKIPS || (way != WALKS && ahead) || outcome_same(&o[SKIPS], &o[way], &d))
            continue;
        fprintf(stderr, "fuzz_clocked: clocked and %s: %s\n", ways[way], d.what);
        abort();
    }
    make(&o[SKIPS], data, size);
    for (unsigned i = 0; i < 3; i++)
        if (tile_run(o[SKIPS].tile, STEPS) > STEPS)
            fail("too many steps: call", i, STEPS);
    whole(o[SKIPS].tile);
    alarm(0);
    return 0;
}
