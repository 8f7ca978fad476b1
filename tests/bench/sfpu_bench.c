/*
 * sfpu_bench.c - how fast a kernel of the Vector Unit computes behind the libttsim_* functions.
 *
 *     sfpu_bench FOLDER LIBRARY [OTHER]
 *
 * Boots one tile with the programs of kernels/unary, which compute exp, sqrt and gelu of the same tile of 32 x 32 in
 * BF16 (whole numbers from -3 to 3; positive ones for sqrt) from L1 to L1 again and again; prints tiles per second. With a second library the same of that, and how
 * much faster the first is. The libraries take turns, and the best of several rounds counts.
 */
#define _POSIX_C_SOURCE 200809L

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../../kernels/include/compute_args.h"
#include "dropin/host.h"

enum { ROUNDS = 3, FEW = 50, MANY = 1050, CLOCKS = 1000, MAX_CALLS = 1000000 };

static const struct host_place place = {1, 2};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Puts what an ELF file has for L1 there. */
static int load(struct host *h, const char *folder, const char *name)
{
    static uint8_t bytes[1 << 20];
    char path[512];
    Elf32_Ehdr head;
    snprintf(path, sizeof path, "%s/%s.elf", folder, name);
    FILE *f = fopen(path, "rb");
    size_t n = f ? fread(bytes, 1, sizeof bytes, f) : 0;
    if (f)
        fclose(f);
    if (n < sizeof head) {
        fprintf(stderr, "sfpu_bench: cannot read %s\n", path);
        return 0;
    }
    memcpy(&head, bytes, sizeof head);
    for (unsigned i = 0; i < head.e_phnum; i++) {
        Elf32_Phdr part;
        if (head.e_phoff + (i + 1) * sizeof part > n)
            return 0;
        memcpy(&part, bytes + head.e_phoff + i * sizeof part, sizeof part);
        if (part.p_type == PT_LOAD && part.p_filesz && part.p_offset + part.p_filesz <= n)
            host_write(h, place, part.p_paddr, bytes + part.p_offset, part.p_filesz);
    }
    return 1;
}

/* Seconds for so many tiles; negative if they do not end. */
static double run(struct host *h, const char *folder, uint32_t op, uint32_t tiles)
{
    static const char *const programs[] = {"brisc", "trisc0", "trisc1", "trisc2"};
    const struct compute_args args = {.in0 = 0x20000,
                                      .in1 = 0x30000,
                                      .out = 0x40000,
                                      .in0_format = FMT_BF16,
                                      .in1_format = FMT_BF16,
                                      .src0_format = FMT_BF16,
                                      .src1_format = FMT_BF16,
                                      .pack_format = FMT_BF16,
                                      .out_format = FMT_BF16,
                                      .alu = FMT_BF16 << 21,
                                      .phases = 1,
                                      .op = op,
                                      .rows = 1,
                                      .columns = 1,
                                      .inner = 1,
                                      .repeat = tiles,
                                      .fill = op != UNARY_SQRT};
    uint16_t
        positive[1024]; /* BF16 from 1/4 to 4: roots of negative numbers are not what is usual */
    for (unsigned i = 0; i < 1024; i++)
        positive[i] = (uint16_t)(0x3e80 + 37 * i % 0x200);
    host_poke(h, place, HOST_SOFT_RESET, HOST_SOFT_RESET_ALL);
    for (unsigned i = 0; i < 4; i++)
        if (!load(h, folder, programs[i]))
            return -1;
    host_write(h, place, COMPUTE_ARGS, &args, sizeof args);
    if (!args.fill)
        host_write(h, place, args.in0, positive, sizeof positive);
    host_poke(h, place, COMPUTE_DONE, 0);
    double begin = now();
    host_poke(h, place, HOST_SOFT_RESET, HOST_SOFT_RESET_ALL & ~(uint32_t)HOST_SOFT_RESET_B);
    if (!host_wait(h, place, COMPUTE_DONE, 0xFF, CLOCKS, MAX_CALLS))
        return -1;
    return now() - begin;
}

/* Tiles per second: the difference of a long and a short run, so that the start does not count. */
static double measure(struct host *h, const char *folder, uint32_t op)
{
    double few = run(h, folder, op, FEW), many = run(h, folder, op, MANY);
    return few > 0 && many > few ? (MANY - FEW) / (many - few) : 0;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        uint32_t op;
    } kinds[] = {{"exp", UNARY_EXP}, {"sqrt", UNARY_SQRT}, {"gelu", UNARY_GELU}};
    static const char *const libraries[2] = {"dropin", "other"};
    struct host hosts[2];
    char why[256];
    int n = argc - 2;
    if (n < 1 || n > 2) {
        fprintf(stderr, "usage: sfpu_bench FOLDER LIBRARY [OTHER]\n");
        return 2;
    }
    for (int i = 0; i < n; i++) {
        if (!host_load(&hosts[i], argv[2 + i], why, sizeof why)) {
            fprintf(stderr, "sfpu_bench: %s\n", why);
            return 1;
        }
        host_open(&hosts[i]);
    }
    for (unsigned k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        double best[2] = {0};
        for (unsigned round = 0; round < ROUNDS; round++)
            for (int i = 0; i < n; i++) {
                double rate = measure(&hosts[i], argv[1], kinds[k].op);
                best[i] = rate > best[i] ? rate : best[i];
            }
        for (int i = 0; i < n; i++) {
            if (best[i] <= 0) {
                fprintf(stderr, "sfpu_bench: %s: nothing ran\n", argv[2 + i]);
                return 1;
            }
            printf("%s_sfpu_%s %.1f tiles/s\n", libraries[i], kinds[k].name, best[i]);
        }
        if (n == 2)
            printf("dropin_sfpu_%s_vs_ttsim %.2f ratio\n", kinds[k].name, best[0] / best[1]);
    }
    fflush(stdout);
    for (int i = 0; i < n; i++)
        hosts[i].exit();
    return EXIT_SUCCESS;
}
