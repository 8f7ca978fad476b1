/*
 * Fuzz target: any words as a program, on every core, with both dispatchers. They must end where they
 * are told to, do the same, and leave x0 alone.
 *
 * The first byte chooses the core and the first registers, the second what the bus does; the rest is
 * code.
 */
#include <stdlib.h>
#include <string.h>

#include "core/rvcore.h"
#include "state/l1_port.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define L1    0x2000u
#define STEPS 400u

struct world {
    struct rvcore c;
    uint8_t l1[L1], local[8192];
    struct rvcode code;
    uint32_t calls;
    uint8_t mood;
};

static enum rv_status answer(struct world *w)
{
    w->calls = w->calls * 1664525 + 1013904223;
    if (w->mood & 1 && w->calls >> 30 == 0)
        return RV_BLOCK;
    return w->mood & 2 && w->calls >> 29 == 7 ? RV_FAULT : RV_OK;
}

static enum rv_status load(void *ctx, unsigned core, uint32_t addr, unsigned size, uint32_t *value)
{
    struct world *w = ctx;
    if (core >= RV_N_CORES || addr % size || addr < L1)
        abort();
    *value = w->calls;
    return answer(w);
}

static enum rv_status store(void *ctx, unsigned core, uint32_t addr, unsigned size, uint32_t value)
{
    struct world *w = ctx;
    if (core >= RV_N_CORES || addr % size || addr < L1 || (size < 4 && value >> 8 * size))
        abort();
    return answer(w);
}

static enum rv_status push(void *ctx, unsigned core, const uint32_t *words, unsigned n, uint32_t pc)
{
    struct world *w = ctx;
    if (core == RV_NC || n < 1 || n > 4 || (n > 1 && core == RV_B) || pc >= L1)
        abort();
    for (unsigned i = 0; i < n; i++)
        if (words[i] >= 0xc0000000)
            abort();
    return answer(w);
}

static uint32_t status(void *ctx, unsigned core, unsigned csr)
{
    (void)ctx;
    return core * 1000 + csr;
}

static void l1_written(void *ctx, struct l1_writer by, uint32_t addr, uint32_t size)
{
    (void)ctx;
    (void)by;
    if (addr + size > L1)
        abort();
}

static void fault(void *ctx, unsigned core, enum rv_fault kind, uint32_t pc, uint32_t arg)
{
    (void)ctx;
    (void)pc;
    (void)arg;
    if (core >= RV_N_CORES || kind >= RV_N_FAULTS)
        abort();
}

static const struct rvbus bus = {
    .load = load, .store = store, .push = push, .status = status, .fault = fault};

static void l1_writes(void *ctx, uint32_t addr, uint32_t size)
{
    (void)ctx;
    if (addr + size > L1)
        abort();
}

static const struct l1_watch watch = {.writes = l1_writes, .wrote = l1_written};

static void run(struct world *w, const uint8_t *data, size_t size, bool plain)
{
    unsigned which = data[0] % RV_N_CORES;
    struct rvmem m = {w->l1, L1, w->local, RV_LOCAL_SIZE(which), &w->code, &bus, w, &watch, 0};
    uint32_t left = STEPS;
    memset(w->l1, 0x13, sizeof w->l1);
    memset(w->local, 0, sizeof w->local);
    memcpy(w->l1, data + 2, size - 2 < L1 / 2 ? size - 2 : L1 / 2);
    w->mood = data[1];
    w->calls = 1;
    rvcode_flush(&w->code);
    rvcore_reset(&w->c, which, 0);
    for (uint32_t i = 1; i < 32; i++)
        w->c.x[i] = data[0] & 0x80 ? i * 0x04040404u * data[1] : i * 64;
    if (data[0] & 0x40)
        w->c.stop_on = 0;
    /* each call either makes steps, blocks or stops, so this ends */
    for (unsigned calls = 0; calls < STEPS && left && w->c.state != RV_STOPPED; calls++) {
        uint32_t part = left < 100 ? left : 100;
        uint32_t done = plain ? rvcore_run_plain(&w->c, &m, part) : rvcore_run(&w->c, &m, part);
        if (done > part || (done < part && w->c.state == RV_RUNNING))
            abort();
        left -= done;
    }
    if (w->c.x[0])
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct world a, b;
    if (size < 2)
        return 0;
    run(&a, data, size, false);
    run(&b, data, size, true);
    if (memcmp(&a.c, &b.c, sizeof a.c) || memcmp(a.l1, b.l1, sizeof a.l1) ||
        memcmp(a.local, b.local, sizeof a.local))
        abort();
    return 0;
}
