/*
 * test_garbage.c - words of the data path with any operands, under any configuration: nothing may crash, and
 * walking through everything must not change what L1 holds.
 *
 *   vectors_garbage [SEED [CASES]]
 */
#include <stdlib.h>
#include <string.h>

#include "vectors/vec_tile.h"

#define CYCLES 60000u
#define WORDS  40u

static struct tile tile;
static struct vec_file file;
static struct vec_case one;

static const uint8_t opcodes[] = {0x08, 0x09, 0x0A, 0x0B, 0x10, 0x11, 0x12, 0x13, 0x16, 0x17, 0x18,
                                  0x21, 0x26, 0x27, 0x28, 0x29, 0x30, 0x33, 0x34, 0x35, 0x36, 0x37,
                                  0x38, 0x41, 0x41, 0x41, 0x42, 0x42, 0x42, 0x43, 0x43, 0x4A, 0x50,
                                  0x51, 0x52, 0x53, 0x54, 0x55, 0x56, 0x57, 0x57, 0x5E, 0xB2};

static void step(unsigned what, unsigned index, uint32_t value)
{
    one.step[one.n_steps++] = (struct vec_step){(uint8_t)what, 0, (uint8_t)index, value};
}

/* Addresses stay in L1 most of the time; the rest is anything. */
static void make(uint64_t seed, uint32_t number)
{
    uint64_t s = seed << 32 | number;
    memset(&one, 0, offsetof(struct vec_case, step));
    one.number = number;
    one.n_inputs = 1;
    one.input[0] = (struct vec_input){VEC_IN, 0x8000, VEC_BYTES, 0x20000, s};
    for (unsigned i = 0; i < 224; i++) {
        uint64_t r = vec_random(&s);
        if (i == 4 || i == 185 || (r >> 32 & 3) == 0)
            continue;
        step(VEC_CONFIG, i, (uint32_t)r & ((r >> 34 & 1) ? 0xFFFF : 0xFFFFFFFF));
    }
    for (unsigned i = 0; i < WORDS; i++) {
        uint64_t r = vec_random(&s);
        uint32_t op = opcodes[(r >> 32) % sizeof opcodes], operands = r & 0xFFFFFF;
        if (op == 0xB2) /* SETC16: of the words that exist */
            operands = (operands & 0xFFFF) | (uint32_t)(r >> 40) % 60 << 16;
        if (i % 4 == 0) { /* SETDVALID: so that not everything waits for ever */
            op = 0x57;
            operands = i % 8 ? 1 : 2;
        }
        if (i % 4 == 2) /* any instruction of the Vector Unit */
            op = 0x70 + (uint32_t)(r >> 40) % 0x2A;
        step(VEC_PUSH, 0, op << 24 | operands);
    }
}

static uint64_t run(unsigned way)
{
    vec_tile_load(&tile, &file, &one, false);
    if (way == 0) {
        tile_run(&tile, 200000);
    } else {
        tile.clock.no_skip = way == 2;
        tile_clock_run(&tile, CYCLES);
    }
    uint64_t sum = 0, w;
    for (size_t i = 0; i < sizeof tile.l1_bytes; i += 8) {
        memcpy(&w, tile.l1_bytes + i, 8);
        sum = (sum ^ w) * UINT64_C(0x9E3779B97F4A7C15);
    }
    return sum;
}

int main(int argc, char **argv)
{
    uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;
    unsigned cases = argc > 2 ? (unsigned)atoi(argv[2]) : 150, failed = 0;
    for (uint32_t i = 0; i < cases; i++) {
        make(seed, i);
        run(0);
        if (run(1) != run(2)) {
            printf("seed %llu case %u: L1 differs\n", (unsigned long long)seed, i);
            failed++;
        }
    }
    printf("%u cases, %u failed\n", cases, failed);
    return failed != 0;
}
