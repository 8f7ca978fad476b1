/* test_memory.c - an idle chip takes little of the host's memory; so do reads of all its tiles. */
#define _DEFAULT_SOURCE
#include "test.h"

#include <stdio.h>
#include <unistd.h>

#include "dropin/ttsim.h"

#define MIB 1048576.0

static double resident(void)
{
    long all = 0, here = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    if (!f)
        return -1;
    int n = fscanf(f, "%ld %ld", &all, &here);
    fclose(f);
    return n == 2 ? (double)here * (double)sysconf(_SC_PAGESIZE) / MIB : -1;
}

static void an_idle_chip_is_small(void **state)
{
    (void)state;
    double before = resident();
    if (before < 0)
        skip();
    libttsim_init();
    libttsim_clock(1000);
    for (uint32_t y = 0; y < 12; y++)
        for (uint32_t x = 0; x < 17; x++)
            for (uint32_t a = 0; a < 0x180000; a += 4096) {
                uint32_t word;
                libttsim_tile_rd_bytes(x, y, a, &word, 4);
            }
    double after = resident();
    print_message("idle chip: %.1f MiB\n", after - before);
    assert_true(after < 64);
    assert_true(after - before < 8);
    libttsim_exit();
}

static void a_program_on_every_tile_fits(void **state)
{
    (void)state;
    const uint32_t jump_to_itself = 0x6f, release = 0x47000;
    double before = resident();
    if (before < 0)
        skip();
    libttsim_init();
    for (uint32_t y = 2; y < 12; y++)
        for (uint32_t x = 1; x < 17; x++) {
            libttsim_tile_wr_bytes(x, y, 0, &jump_to_itself, 4);
            libttsim_tile_wr_bytes(x, y, 0xFFB121B0, &release, 4);
        }
    libttsim_clock(100);
    print_message("140 tiles with a program: %.1f MiB\n", resident() - before);
    assert_true(resident() - before < 140);
    libttsim_exit();
}

TEST_MAIN(cmocka_unit_test(an_idle_chip_is_small), cmocka_unit_test(a_program_on_every_tile_fits))
