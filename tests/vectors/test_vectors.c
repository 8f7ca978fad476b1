/*
 * test_vectors.c - every case of every file under data/ on a tile: all of them without time, every tenth
 * also with time, and with time walking through everything.
 *
 *   vectors_data [-a] [FILE...]     -a: all cases in all three ways
 */
#include <glob.h>
#include <stdlib.h>
#include <string.h>

#include "vectors/vec_tile.h"

#define STEPS  20000000u /* without time */
#define CYCLES 4000000u
#define SHOWN  5u /* failures of a file that are told one by one */

enum way { WAY_UNTIMED, WAY_CLOCK, WAY_NO_SKIP, N_WAYS };
static const char *const way_names[N_WAYS] = {"untimed", "clocked", "no_skip"};

static struct tile tile;
static struct vec_file file;
static struct vec_case one;

static bool done(void)
{
    uint32_t flag;
    memcpy(&flag, tile.l1_bytes + VEC_DONE, 4);
    return flag == 1;
}

/* NULL, or what is wrong. */
static const char *run(enum way way)
{
    static char what[200];
    vec_tile_load(&tile, &file, &one, one.number % 2 == 1);
    if (way == WAY_UNTIMED) {
        for (uint64_t steps = 0; !done() && steps < STEPS;) {
            uint64_t n = tile_run(&tile, 4 * TILE_QUOTA);
            steps += n ? n : STEPS;
        }
    } else {
        tile.clock.no_skip = way == WAY_NO_SKIP;
        tile_clock_until(&tile, VEC_DONE, 1);
        tile_clock_run(&tile, CYCLES);
    }
    if (one.number % 2 == 1 && tile.coproc.matrix.fast)
        return "uses vector instructions";
    if (!done())
        return "does not come to its end";
    uint32_t at = 0;
    for (unsigned k = 0; k < one.n_outputs; k++)
        for (uint32_t b = 0; b < one.output[k].size; b++, at++)
            if (tile.l1_bytes[one.output[k].address + b] != one.expected[at]) {
                snprintf(what,
                         sizeof what,
                         "output %u byte %u (L1 0x%05x): expected 0x%02x, got 0x%02x",
                         k,
                         b,
                         one.output[k].address + b,
                         one.expected[at],
                         tile.l1_bytes[one.output[k].address + b]);
                return what;
            }
    return NULL;
}

/* Failures of a file, or -1. */
static int test_file(const char *path, bool all)
{
    int failed = 0;
    unsigned runs = 0;
    if (!vec_open(&file, path)) {
        fprintf(stderr, "%s: cannot read\n", path);
        return -1;
    }
    for (uint32_t i = 0; i < file.n_cases; i++) {
        if (!vec_read(&file, &one))
            break;
        unsigned ways = all || i % 10 == 0 ? N_WAYS : 1;
        for (unsigned way = 0; way < ways; way++) {
            const char *what = run(way);
            runs++;
            if (!what)
                continue;
            if ((unsigned)failed++ < SHOWN)
                printf("%s case %u, %s: %s\n", file.name, one.number, way_names[way], what);
        }
    }
    printf("%-12s %u cases, %u runs, %d failed\n", file.name, file.n_cases, runs, failed);
    return vec_close(&file) ? failed : -1;
}

int main(int argc, char **argv)
{
    bool all = argc > 1 && !strcmp(argv[1], "-a"), bad = false;
    int first = all ? 2 : 1;
    glob_t files = {0};
    if (first == argc && glob(WG_SOURCE_DIR "/tests/vectors/data/*.vec", 0, NULL, &files) != 0) {
        fputs("no vectors\n", stderr);
        return 1;
    }
    for (int i = first; i < argc; i++)
        if (test_file(argv[i], all) != 0)
            bad = true;
    for (size_t i = 0; i < files.gl_pathc; i++)
        if (test_file(files.gl_pathv[i], all) != 0)
            bad = true;
    globfree(&files);
    return bad;
}
