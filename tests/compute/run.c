/*
 * run.c - see run.h. Our tile is a new one for every run; that of a library is used again and again, which
 * the kernels do not mind.
 */
#include "run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dropin/host.h"
#include "load/image.h"
#include "waitgate.h"

enum { STEPS = 100000000, CYCLES = 20000000, CLOCKS = 64, DONE = 0xFF, MAX_KERNELS = 16 };

const char *const run_way_names[RUN_WAYS] = {"untimed", "clocked", "no_skip"};

static uint64_t cycles;
static struct host library;
static bool library_open;
static const struct host_place place = {1, 2};

static const char *library_path(void)
{
    return getenv("WG_COMPUTE_LIBRARY");
}

unsigned run_ways(void)
{
    return library_path() ? 1 : RUN_WAYS;
}

uint64_t run_cycles(void)
{
    return cycles;
}

/* ---- programs, read once ---- */

static bool load(const char *kernel, const struct image **found, char *why, unsigned why_size)
{
    static const char *const programs[] = {"brisc", "trisc0", "trisc1", "trisc2"};
    static struct {
        char name[32];
        struct image image;
    } known[MAX_KERNELS];
    struct load_error error;
    unsigned i = 0;
    while (i < MAX_KERNELS && known[i].name[0] && strcmp(known[i].name, kernel))
        i++;
    if (i == MAX_KERNELS) {
        snprintf(why, why_size, "too many kernels");
        return false;
    }
    *found = &known[i].image;
    if (known[i].name[0])
        return true;
    image_init(&known[i].image);
    for (unsigned k = 0; k < 4; k++) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s/%s.elf", WG_KERNELS_DIR, kernel, programs[k]);
        if (image_add_elf(&known[i].image, (enum load_core)k, path, &error) != LOAD_OK) {
            snprintf(why, why_size, "%s", error.message);
            return false;
        }
    }
    snprintf(known[i].name, sizeof known[i].name, "%s", kernel);
    return true;
}

/* ---- where bytes go ---- */

typedef void put(void *context, uint32_t at, const void *data, uint32_t size);

static void put_tile(void *context, uint32_t at, const void *data, uint32_t size)
{
    waitgate_tile_write(context, at, data, size);
}

static void put_library(void *context, uint32_t at, const void *data, uint32_t size)
{
    (void)context;
    host_write(&library, place, at, data, size);
}

static void put_all(put *to, void *context, const struct image *image,
                    const struct compute_args *args, const struct run_bytes *in, unsigned n_in)
{
    const uint32_t zero = 0;
    for (unsigned i = 0; i < image->n_parts; i++)
        if (image->parts[i].n_bytes)
            to(context, image->parts[i].addr, image->parts[i].bytes, image->parts[i].n_bytes);
    for (unsigned i = 0; i < n_in; i++)
        if (in[i].size)
            to(context, in[i].at, in[i].data, in[i].size);
    to(context, COMPUTE_ARGS, args, sizeof *args);
    to(context, COMPUTE_DONE, &zero, 4);
}

/* ---- running ---- */

static bool run_tile(waitgate_tile *tile, enum run_way way, char *why, unsigned why_size)
{
    uint32_t done = 0;
    uint64_t steps = 0, n = 1;
    if (way == RUN_UNTIMED) {
        while (done != DONE && n && steps < STEPS) {
            steps += n = waitgate_tile_run(tile, 20000);
            waitgate_tile_read(tile, COMPUTE_DONE, &done, 4);
        }
    } else {
        waitgate_tile_no_skip(tile, way == RUN_NO_SKIP);
        waitgate_tile_until(tile, COMPUTE_DONE, DONE);
        waitgate_tile_clock(tile, CYCLES);
        waitgate_tile_read(tile, COMPUTE_DONE, &done, 4);
        cycles = waitgate_tile_cycle(tile);
    }
    if (done == DONE)
        return true;
    snprintf(why, why_size, "does not end");
    for (unsigned i = 0; i < 3; i++) {
        struct waitgate_thread t;
        size_t n_why = strlen(why);
        waitgate_tile_thread(tile, i, &t);
        if (t.held)
            snprintf(why + n_why,
                     why_size - n_why,
                     "; T%u holds 0x%08x: %s, %s",
                     i,
                     (unsigned)t.word,
                     t.cause ? t.cause : "?",
                     t.owner ? t.owner : "?");
    }
    return false;
}

static bool on_tile(enum run_way way, const struct image *image, const struct compute_args *args,
                    const struct run_bytes *in, unsigned n_in, void *out, uint32_t size, char *why,
                    unsigned why_size)
{
    static const uint32_t reset = 0x47800 & ~(UINT32_C(1) << 11);
    waitgate_tile *tile;
    if (waitgate_tile_create(&tile) != WAITGATE_OK) {
        snprintf(why, why_size, "no memory");
        return false;
    }
    put_all(put_tile, tile, image, args, in, n_in);
    waitgate_tile_write(tile, 0xFFB121B0, &reset, 4);
    bool ok = run_tile(tile, way, why, why_size);
    waitgate_tile_read(tile, args->out, out, size);
    waitgate_tile_free(tile);
    return ok;
}

static bool on_library(const struct image *image, const struct compute_args *args,
                       const struct run_bytes *in, unsigned n_in, void *out, uint32_t size,
                       char *why, unsigned why_size)
{
    if (!library_open) {
        if (!host_load(&library, library_path(), why, why_size))
            return false;
        host_open(&library);
        library_open = true;
    }
    host_poke(&library, place, HOST_SOFT_RESET, HOST_SOFT_RESET_ALL);
    host_poke(&library, place, HOST_T_OVERRIDE, 0);
    put_all(put_library, NULL, image, args, in, n_in);
    host_poke(&library, place, HOST_SOFT_RESET, HOST_SOFT_RESET_ALL & ~(uint32_t)HOST_SOFT_RESET_B);
    if (!host_wait(&library, place, COMPUTE_DONE, DONE, CLOCKS, 2000000 / CLOCKS)) {
        snprintf(why, why_size, "does not end");
        return false;
    }
    host_read(&library, place, args->out, out, size);
    return true;
}

bool run_kernel(enum run_way way, const char *kernel, const struct compute_args *args,
                const struct run_bytes *in, unsigned n_in, void *out, uint32_t size, char *why,
                unsigned why_size)
{
    const struct image *image;
    cycles = 0;
    if (!load(kernel, &image, why, why_size))
        return false;
    if (library_path())
        return on_library(image, args, in, n_in, out, size, why, why_size);
    return on_tile(way, image, args, in, n_in, out, size, why, why_size);
}
