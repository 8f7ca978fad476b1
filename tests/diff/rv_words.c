/*
 * rv_words.c - random legal words of every row of rv32.def, or the text of words.
 *
 *     rv_words make SEED PER_ROW    words as hexadecimal lines: word id-number
 *     rv_words text                 reads words at addresses 0, 4, ... and prints their text
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/rv32.h"

static uint64_t seed;

static uint32_t next(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (uint32_t)(seed >> 24);
}

static int make(unsigned long per_row)
{
    for (unsigned op = 0; op < RV_N_ROWS; op++)
        for (unsigned long i = 0; i < per_row; i++) {
            uint32_t w = (next() & ~rv32_table[op].mask) | rv32_table[op].match;
            printf("%08" PRIx32 " %u %s\n", w, (unsigned)rv32_decode(w), rv32_table[op].name);
        }
    return EXIT_SUCCESS;
}

static int text(void)
{
    char line[64], out[128];
    for (uint32_t pc = 0; fgets(line, sizeof line, stdin); pc += 4) {
        uint32_t w = (uint32_t)strtoul(line, NULL, 16);
        rv32_dis_text(w, pc, RV32_DIS_NUMERIC, out, sizeof out);
        printf("%08" PRIx32 "\t%s\n", w, out);
    }
    return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
    if (argc == 4 && !strcmp(argv[1], "make")) {
        seed = strtoull(argv[2], NULL, 0) * 0x9e3779b97f4a7c15u + 1;
        return make(strtoul(argv[3], NULL, 10));
    }
    if (argc == 2 && !strcmp(argv[1], "text"))
        return text();
    fprintf(stderr, "usage: rv_words make SEED PER_ROW | text\n");
    return 2;
}
