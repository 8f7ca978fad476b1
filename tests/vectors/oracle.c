/*
 * oracle.c - vec_oracle: plays vectors on any library with the ten libttsim_* functions; by hand only.
 *
 *   vec_oracle LIB.so record FILE INSTRUCTION SEED [COUNT]   make cases, store what the library gives
 *   vec_oracle LIB.so record-all FOLDER SEED                 the same for all instructions
 *   vec_oracle LIB.so compare FILE...                        say where the library gives something else
 *   vec_oracle LIB.so show FILE NUMBER                       print a case, and what the library gives
 *
 * Cases that the library refuses (it ends the process, or does not come to the end) are left out when
 * recording, and counted. A child process has the chip and is replaced when it ends.
 */
#define _GNU_SOURCE /* fork() and its kin beside C17 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "dropin/host.h"
#include "isa/tensix_dis.h"
#include "vectors/gen.h"

static struct host h;
static const char *library;

#define TILES 140u /* of a chip; each case has one to itself */

/* Shared with the child, which has the chip. */
struct shared {
    struct vec_file f;
    struct vec_case c;
    uint8_t bytes[VEC_OUT_MAX];
};
static struct shared *shared;
static pid_t child;
static int ask, hear; /* ends of the pipes */
static unsigned n_tiles;

/* Which cores shall leave reset. */
static uint32_t load(struct host_place tile)
{
    static struct vec_lists lists;
    static uint8_t bytes[0x180000];
    const struct vec_case *c = &shared->c;
    uint32_t player[VEC_PLAYER_WORDS], reset = HOST_SOFT_RESET_ALL;
    vec_list(&shared->f, c, &lists);
    for (unsigned i = 0; i < VEC_CORES; i++)
        if (lists.n[i]) {
            host_write(&h, tile, VEC_CODE(i), player, 4 * vec_player(i, player));
            host_write(&h, tile, VEC_LIST(i), lists.word[i], 4 * lists.n[i]);
            host_poke(&h, tile, HOST_T0_PC + 4 * i, VEC_CODE(i));
            reset &= ~((uint32_t)HOST_SOFT_RESET_T0 << i);
        }
    host_poke(&h, tile, HOST_T_OVERRIDE, 7);
    for (unsigned i = 0; i < c->n_inputs; i++) {
        vec_fill(&c->input[i], bytes);
        host_write(&h, tile, c->input[i].address, bytes, c->input[i].size);
    }
    return reset;
}

static bool play(struct host_place tile)
{
    const struct vec_case *c = &shared->c;
    host_poke(&h, tile, HOST_SOFT_RESET, load(tile));
    bool ended = host_wait(&h, tile, VEC_DONE, 1, 500, 200);
    uint32_t at = 0;
    for (unsigned i = 0; i < c->n_outputs; at += c->output[i++].size)
        host_read(&h, tile, c->output[i].address, shared->bytes + at, c->output[i].size);
    host_poke(&h, tile, HOST_SOFT_RESET, HOST_SOFT_RESET_ALL);
    return ended;
}

static _Noreturn void work(int in, int out, bool quiet)
{
    char byte, why[300];
    if (quiet && (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr)))
        _exit(2);
    if (!host_load(&h, library, why, sizeof why)) {
        fprintf(stderr, "%s\n", why);
        _exit(2);
    }
    host_open(&h);
    for (unsigned i = 0; read(in, &byte, 1) == 1; i++) {
        unsigned column = i % 14;
        byte = play((struct host_place){column + (column < 7 ? 1 : 3), 2 + i / 14 % 10});
        if (write(out, &byte, 1) != 1)
            break;
    }
    _exit(0);
}

static void hire(bool quiet)
{
    int a[2], b[2];
    fflush(NULL);
    if (pipe(a) || pipe(b) || (child = fork()) < 0) {
        perror("vec_oracle");
        exit(2);
    }
    if (!child) {
        close(a[1]);
        close(b[0]);
        work(a[0], b[1], quiet);
    }
    close(a[0]);
    close(b[1]);
    ask = a[1];
    hear = b[0];
    n_tiles = 0;
}

static void dismiss(void)
{
    close(ask);
    close(hear);
    waitpid(child, NULL, 0);
    child = 0;
}

/* False if the library refuses; quiet: nobody hears why. */
static bool run(bool quiet)
{
    char byte = 0;
    if (!child)
        hire(quiet);
    if (write(ask, &byte, 1) != 1 || read(hear, &byte, 1) != 1) {
        dismiss();
        return false;
    }
    if (!byte || ++n_tiles == TILES)
        dismiss();
    return byte;
}

static bool all_zero(const uint8_t *p, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (p[i])
            return false;
    return true;
}

static int record(const char *path, const char *name, uint64_t seed, unsigned count)
{
    struct vec_file *f = &shared->f;
    struct vec_case *c = &shared->c;
    memset(f, 0, sizeof *f);
    snprintf(f->name, sizeof f->name, "%s", name);
    f->n_cases = count;
    f->n_steps = gen_prologue(name, f->step);
    if (!vec_create(f, path)) {
        perror(path);
        return 2;
    }
    unsigned refused = 0, empty = 0, n = 0;
    bool loud = getenv("VEC_LOUD") != NULL;
    for (uint32_t number = 0; n < count && number < 20 * count; number++) {
        if (!gen_case(name, seed, number, c)) {
            fprintf(stderr, "no such instruction: %s\n", name);
            return 2;
        }
        if (!run(!loud)) {
            refused++;
            continue;
        }
        memcpy(c->expected, shared->bytes, c->n_expected);
        empty += all_zero(c->expected, c->n_expected);
        vec_write(f, c);
        n++;
    }
    printf("%-12s %u cases, %u refused, %u with nothing but zeros\n", name, n, refused, empty);
    if (n < count) {
        fprintf(stderr, "%s: too few\n", name);
        return 1;
    }
    return vec_close(f) ? 0 : 2;
}

static int record_all(const char *folder, uint64_t seed)
{
    int worst = 0;
    for (unsigned i = 0; i < gen_n; i++) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s.vec", folder, gen_table[i].name);
        int r = record(path, gen_table[i].name, seed, gen_table[i].cases);
        if (r > worst)
            worst = r;
    }
    return worst;
}

static void print_case(const struct vec_case *c)
{
    char text[200];
    for (unsigned i = 0; i < c->n_inputs; i++)
        printf("  input  0x%05x size %u kind %u parameter 0x%x seed 0x%llx\n",
               c->input[i].address,
               c->input[i].size,
               c->input[i].kind,
               c->input[i].parameter,
               (unsigned long long)c->input[i].seed);
    for (unsigned i = 0; i < c->n_outputs; i++)
        printf("  output 0x%05x size %u\n", c->output[i].address, c->output[i].size);
    for (unsigned i = 0; i < c->n_steps; i++)
        if (c->step[i].what == VEC_CONFIG) {
            printf(
                "  T%u config %3u 0x%08x\n", c->step[i].core, c->step[i].index, c->step[i].value);
        } else {
            tensix_dis_text(c->step[i].value, 0, text, sizeof text);
            printf("  T%u push   0x%08x %s\n", c->step[i].core, c->step[i].value, text);
        }
}

static void show_differences(const struct vec_case *c)
{
    uint32_t at = 0;
    for (unsigned k = 0; k < c->n_outputs; k++)
        for (uint32_t b = 0; b < c->output[k].size; b++, at++)
            if (shared->bytes[at] != c->expected[at])
                printf("  0x%05x (output %u byte %u): expected %02x, got %02x\n",
                       c->output[k].address + b,
                       k,
                       b,
                       c->expected[at],
                       shared->bytes[at]);
}

static int compare(const char *path, bool show, uint32_t number)
{
    struct vec_file *f = &shared->f;
    struct vec_case *c = &shared->c;
    if (!vec_open(f, path)) {
        fprintf(stderr, "%s: cannot read\n", path);
        return 2;
    }
    unsigned differ = 0, refused = 0;
    for (uint32_t i = 0; i < f->n_cases && vec_read(f, c); i++) {
        if (show && c->number != number)
            continue;
        if (show)
            print_case(c);
        if (!run(!show)) {
            printf("%s %u: refused, or does not end\n", f->name, c->number);
            refused++;
        } else if (memcmp(c->expected, shared->bytes, c->n_expected) != 0) {
            if (show)
                show_differences(c);
            printf("%s %u: differs\n", f->name, c->number);
            differ++;
        }
    }
    printf("%-12s %u cases, %u differ, %u refused\n", f->name, f->n_cases, differ, refused);
    return !vec_close(f) || differ || refused;
}

static int usage(void)
{
    fputs("usage: vec_oracle LIB.so record FILE INSTRUCTION SEED [COUNT]\n"
          "       vec_oracle LIB.so record-all FOLDER SEED\n"
          "       vec_oracle LIB.so compare FILE...\n"
          "       vec_oracle LIB.so show FILE NUMBER\n",
          stderr);
    return 2;
}

int main(int argc, char **argv)
{
    if (argc < 4)
        return usage();
    library = argv[1];
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) {
        perror("vec_oracle");
        return 2;
    }
    signal(SIGPIPE, SIG_IGN);
    if (!strcmp(argv[2], "record") && argc >= 6)
        return record(
            argv[3], argv[4], strtoull(argv[5], NULL, 0), argc > 6 ? (unsigned)atoi(argv[6]) : 200);
    if (!strcmp(argv[2], "record-all") && argc == 5)
        return record_all(argv[3], strtoull(argv[4], NULL, 0));
    if (!strcmp(argv[2], "show") && argc == 5)
        return compare(argv[3], true, (uint32_t)strtoul(argv[4], NULL, 0));
    if (strcmp(argv[2], "compare") != 0)
        return usage();
    int worst = 0;
    for (int i = 3; i < argc; i++)
        worst |= compare(argv[i], false, 0);
    return worst;
}
