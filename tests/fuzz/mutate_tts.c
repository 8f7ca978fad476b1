/*
 * mutate_tts.c - the programs of the suite, changed at random, through fuzz_tts.c.
 *
 *     mutate_tts ROUNDS SEED FILE...
 *
 * Changes keep to the shape of the format, so that many of the results still are programs: numbers
 * change, lines go, come twice, change places or come from another file, bytes are hit, the end is cut.
 * ROUNDS and SEED are printed; the same ones give the same programs.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "waitgate.h"

#define MAX_TEXT  16384
#define MAX_FILES 512

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct text {
    size_t n;
    char c[MAX_TEXT];
};

static struct text file[MAX_FILES], work;
static unsigned n_files;
static uint64_t state;

static unsigned next(unsigned below)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (unsigned)(state >> 32) % below;
}

/* Replaces [at, at + old) by n bytes. */
static void splice(struct text *t, size_t at, size_t old, const char *bytes, size_t n)
{
    if (t->n - old + n > MAX_TEXT)
        return;
    memmove(t->c + at + n, t->c + at + old, t->n - at - old);
    memcpy(t->c + at, bytes, n);
    t->n = t->n - old + n;
}

/* A random line, with its newline. */
static size_t pick_line(const struct text *t, size_t *length)
{
    size_t at = t->n ? next((unsigned)t->n) : 0, end = at;
    while (at && t->c[at - 1] != '\n')
        at--;
    while (end < t->n && t->c[end] != '\n')
        end++;
    *length = end < t->n ? end + 1 - at : end - at;
    return at;
}

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static void change_number(struct text *t)
{
    static const char *const values[] = {"0",
                                         "1",
                                         "2",
                                         "3",
                                         "4",
                                         "7",
                                         "8",
                                         "15",
                                         "16",
                                         "31",
                                         "64",
                                         "128",
                                         "255",
                                         "0x1ff",
                                         "511",
                                         "1024",
                                         "0xffffffff"};
    size_t at = t->n ? next((unsigned)t->n) : 0, end;
    while (at < t->n && !is_digit(t->c[at]))
        at++;
    for (end = at; end < t->n && is_digit(t->c[end]);)
        end++;
    const char *value = values[next(sizeof values / sizeof values[0])];
    splice(t, at, end - at, value, strlen(value));
}

static void change_line(struct text *t)
{
    char line[512];
    size_t n, m;
    size_t at = pick_line(t, &n);
    const struct text *from = next(2) ? t : &file[next(n_files)];
    size_t other = pick_line(from, &m);
    if (m > sizeof line)
        return;
    memcpy(line, from->c + other, m);
    switch (next(3)) {
    case 0: splice(t, at, n, "", 0); break;    /* goes */
    case 1: splice(t, at, 0, line, m); break;  /* another one comes */
    default: splice(t, at, n, line, m); break; /* gives way to another */
    }
}

static void mutate(struct text *t)
{
    for (unsigned n = 1 + next(5); n; n--) {
        unsigned what = next(16);
        if (what < 7)
            change_number(t);
        else if (what < 14)
            change_line(t);
        else if (what < 15 && t->n)
            t->c[next((unsigned)t->n)] = (char)next(256);
        else if (t->n)
            t->n = next((unsigned)t->n);
    }
}

static int load(const char *path)
{
    FILE *in = fopen(path, "rb");
    if (!in || n_files == MAX_FILES)
        return 0;
    file[n_files].n = fread(file[n_files].c, 1, MAX_TEXT, in);
    n_files++;
    return !fclose(in);
}

/* An exact copy on the heap, so that the sanitizers see a read past the end. */
static void feed(const struct text *t)
{
    uint8_t *copy = malloc(t->n ? t->n : 1);
    if (!copy)
        return;
    memcpy(copy, t->c, t->n);
    LLVMFuzzerTestOneInput(copy, t->n);
    free(copy);
}

static int is_program(const struct text *t)
{
    waitgate_program *p;
    int good = waitgate_program_parse(t->c, t->n, "t", &p, NULL) == WAITGATE_OK;
    if (good)
        waitgate_program_free(p);
    return good;
}

int main(int argc, char **argv)
{
    if (argc < 4) {
        fprintf(stderr, "usage: mutate_tts ROUNDS SEED FILE...\n");
        return 2;
    }
    unsigned long rounds = strtoul(argv[1], NULL, 0), programs = 0;
    state = strtoull(argv[2], NULL, 0) * 2 + UINT64_C(0x9e3779b97f4a7c15);
    for (int i = 3; i < argc; i++)
        if (!load(argv[i])) {
            perror(argv[i]);
            return 1;
        }
    printf("%lu rounds, seed %s, %u files\n", rounds, argv[2], n_files);
    fflush(stdout);
    for (unsigned i = 0; i < n_files; i++)
        feed(&file[i]);
    const char *keep = getenv("MUTATE_TTS_KEEP");
    for (unsigned long i = 0; i < rounds; i++) {
        work = file[next(n_files)];
        mutate(&work);
        if (keep) { /* leaves the input that fails behind */
            FILE *out = fopen(keep, "wb");
            if (out) {
                fwrite(work.c, 1, work.n, out);
                fclose(out);
            }
        }
        programs += (unsigned long)is_program(&work);
        feed(&work);
    }
    printf("%lu of them still were programs\n", programs);
    return 0;
}
