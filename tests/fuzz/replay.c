/*
 * replay.c - runs a fuzz target as an ordinary test, without a fuzzing engine.
 *
 *     fuzz_<name> ROUNDS [FILE...]
 *
 * Every FILE is fed to the target, then ROUNDS inputs made from a fixed seed: pure noise and the
 * files with some bytes changed. The same inputs every time, so a failure can be repeated.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_INPUT 4096
#define MAX_FILES 256

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct input {
    uint8_t *data;
    size_t size;
};

/* The sanitizer's malloc() answers as the host's does when there is no memory. */
const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1";
}

static uint64_t seed = 0x9e3779b97f4a7c15;

static uint32_t next(uint32_t below)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (uint32_t)(seed >> 32) % below;
}

static bool load(const char *path, struct input *input)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        return false;
    }
    uint8_t buffer[MAX_INPUT];
    input->size = fread(buffer, 1, sizeof buffer, file);
    fclose(file);
    input->data = malloc(input->size ? input->size : 1);
    if (!input->data)
        return false;
    memcpy(input->data, buffer, input->size);
    return true;
}

/* An exact copy on the heap, so that the sanitizers see a read past the end. */
static bool feed(const uint8_t *data, size_t size)
{
    uint8_t *copy = malloc(size ? size : 1);
    if (!copy)
        return false;
    memcpy(copy, data, size);
    LLVMFuzzerTestOneInput(copy, size);
    free(copy);
    return true;
}

static bool round_of(const struct input *files, uint32_t n_files)
{
    uint8_t buffer[MAX_INPUT];
    size_t size;
    if (n_files && next(4)) {
        const struct input *base = &files[next(n_files)];
        size = base->size;
        memcpy(buffer, base->data, size);
        for (uint32_t n = 1 + next(4); n && size; n--)
            buffer[next((uint32_t)size)] = (uint8_t)next(256);
        if (size && !next(4))
            size = next((uint32_t)size);
    } else {
        size = next(256);
        for (size_t i = 0; i < size; i++)
            buffer[i] = (uint8_t)next(256);
    }
    return feed(buffer, size);
}

int main(int argc, char **argv)
{
    static struct input files[MAX_FILES];
    uint32_t n_files = 0;
    unsigned long rounds = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
    bool ok = true;

    for (int i = 2; i < argc && n_files < MAX_FILES && ok; i++) {
        ok = load(argv[i], &files[n_files]);
        ok = ok && feed(files[n_files].data, files[n_files].size);
        n_files += ok;
    }
    for (unsigned long i = 0; i < rounds && ok; i++)
        ok = round_of(files, n_files);
    for (uint32_t i = 0; i < n_files; i++)
        free(files[i].data);
    printf("%u files, %lu rounds\n", (unsigned)n_files, rounds);
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
