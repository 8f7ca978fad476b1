/* bench.c - see bench.h. */
#define _POSIX_C_SOURCE 200809L

#include "bench.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { CLOCKS = 1000, MAX_CALLS = 1000000 };

const struct host_place bench_place = {1, 2};
const char *const bench_libraries[BENCH_LIBRARIES] = {"dropin", "other"};

bool bench_open(struct bench *b, const char *program, char **paths, int n)
{
    char why[256];
    *b = (struct bench){.program = program, .paths = paths, .n = n};
    for (int i = 0; i < n; i++) {
        if (!host_load(&b->hosts[i], paths[i], why, sizeof why)) {
            fprintf(stderr, "%s: %s\n", program, why);
            return false;
        }
        host_open(&b->hosts[i]);
    }
    return true;
}

/* A library may end the program when it closes. */
void bench_close(struct bench *b)
{
    fflush(stdout);
    for (int i = 0; i < b->n; i++)
        b->hosts[i].exit();
}

int bench_nothing_ran(const struct bench *b, int library)
{
    fprintf(stderr, "%s: %s: nothing ran\n", b->program, b->paths[library]);
    return 1;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Puts what an ELF file has for L1 there. */
static bool load(const struct bench *b, struct host *h, const char *folder, const char *name)
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
        fprintf(stderr, "%s: cannot read %s\n", b->program, path);
        return false;
    }
    memcpy(&head, bytes, sizeof head);
    for (unsigned i = 0; i < head.e_phnum; i++) {
        Elf32_Phdr part;
        if (head.e_phoff + (i + 1) * sizeof part > n)
            return false;
        memcpy(&part, bytes + head.e_phoff + i * sizeof part, sizeof part);
        if (part.p_type == PT_LOAD && part.p_filesz && part.p_offset + part.p_filesz <= n)
            host_write(h, bench_place, part.p_paddr, bytes + part.p_offset, part.p_filesz);
    }
    return true;
}

/* Seconds for so many repetitions; negative if they do not end. */
static double run(const struct bench *b, struct host *h, const char *folder,
                  const struct bench_kind *k, uint32_t repeat)
{
    static const char *const programs[] = {"brisc", "trisc0", "trisc1", "trisc2"};
    struct compute_args args = k->args;
    args.repeat = repeat;
    host_poke(h, bench_place, HOST_SOFT_RESET, HOST_SOFT_RESET_ALL);
    for (unsigned i = 0; i < sizeof programs / sizeof *programs; i++)
        if (!load(b, h, folder, programs[i]))
            return -1;
    host_write(h, bench_place, COMPUTE_ARGS, &args, sizeof args);
    if (k->in0)
        host_write(h, bench_place, args.in0, k->in0, k->in0_size);
    host_poke(h, bench_place, COMPUTE_DONE, 0);
    double begin = now();
    host_poke(h, bench_place, HOST_SOFT_RESET, HOST_SOFT_RESET_ALL & ~(uint32_t)HOST_SOFT_RESET_B);
    if (!host_wait(h, bench_place, COMPUTE_DONE, 0xFF, CLOCKS, MAX_CALLS))
        return -1;
    return now() - begin;
}

/* Repetitions per second: the difference of a long and a short run, so that the start does not count. */
static double measure(const struct bench *b, struct host *h, const char *folder,
                      const struct bench_kind *k)
{
    double few = run(b, h, folder, k, k->few), many = run(b, h, folder, k, k->many);
    return few > 0 && many > few ? (k->many - k->few) / (many - few) : 0;
}

int bench_kernel(int argc, char **argv, const char *what, const char *unit,
                 const struct bench_kind *kinds, unsigned n_kinds)
{
    char program[32];
    struct bench b;
    int n = argc - 2;
    snprintf(program, sizeof program, "%s_bench", what);
    if (n < 1 || n > BENCH_LIBRARIES) {
        fprintf(stderr, "usage: %s FOLDER LIBRARY [OTHER]\n", program);
        return 2;
    }
    if (!bench_open(&b, program, argv + 2, n))
        return 1;
    for (const struct bench_kind *k = kinds; k < kinds + n_kinds; k++) {
        double best[BENCH_LIBRARIES] = {0};
        for (unsigned round = 0; round < BENCH_ROUNDS; round++)
            for (int i = 0; i < n; i++) {
                double rate = measure(&b, &b.hosts[i], argv[1], k);
                best[i] = rate > best[i] ? rate : best[i];
            }
        for (int i = 0; i < n; i++) {
            if (best[i] <= 0)
                return bench_nothing_ran(&b, i);
            printf("%s_%s_%s %.1f %s/s\n", bench_libraries[i], what, k->name, best[i], unit);
        }
        if (n == BENCH_LIBRARIES)
            printf("dropin_%s_%s_vs_ttsim %.2f ratio\n", what, k->name, best[0] / best[1]);
    }
    bench_close(&b);
    return EXIT_SUCCESS;
}
