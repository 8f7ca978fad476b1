/*
 * cmd_asm.c - waitgate asm: instructions in vendor syntax to words, one per line.
 *
 * Block: none; see src/isa/tensix_asm.c for the syntax.
 *
 * **Inaccuracies**: none.
 */
#define _POSIX_C_SOURCE 200809L

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>

#include "cmd.h"
#include "waitgate.h"

struct options {
    bool ttinsn;
};

static void print_usage(FILE *out)
{
    fprintf(out,
            "usage: waitgate asm [--ttinsn] [instruction | file | -]...\n\n"
            "Prints one word per instruction. Without arguments reads standard input.\n"
            "Operands are numbers (10, 0x10, 0b10) or names: STALL_CFG|STALL_SYNC, THCON,\n"
            "MATH_PACK or t6_sem(1), STALL_ON_MAX. Comments begin with #, ; or //.\n\n"
            "  --ttinsn    print words as they stand in RISC-V code (rotated left by two)\n"
            "  --symbolic  accepted for symmetry with disasm; names are always understood\n");
}

static bool assemble_line(const struct cmd_line *line, void *context)
{
    const struct options *options = context;
    struct waitgate_text_error error;
    uint32_t word;
    enum waitgate_status status = waitgate_assemble(line->text, line->length, &word, &error);

    if (status == WAITGATE_EMPTY)
        return true;
    if (status != WAITGATE_OK) {
        cmd_line_error(line, error.column, "%s", error.message);
        return false;
    }
    if (options->ttinsn && waitgate_ttinsn_encode(word, &word) != WAITGATE_OK) {
        cmd_line_error(
            line, 1, "0x%08" PRIx32 " has no .ttinsn form, expected below 0xc0000000", word);
        return false;
    }
    printf("0x%08" PRIx32 "\n", word);
    return true;
}

int cmd_asm(int argc, char **argv)
{
    static const struct option longs[] = {{"ttinsn", no_argument, NULL, 't'},
                                          {"symbolic", no_argument, NULL, 's'},
                                          {"help", no_argument, NULL, 'h'},
                                          {NULL, 0, NULL, 0}};
    struct options options = {false};
    int c;
    while ((c = getopt_long(argc, argv, "tsh", longs, NULL)) != -1) {
        switch (c) {
        case 't': options.ttinsn = true; break;
        case 's': break;
        case 'h': print_usage(stdout); return EXIT_OK;
        default: print_usage(stderr); return EXIT_USAGE;
        }
    }
    return cmd_each_line(argc - optind, argv + optind, assemble_line, &options);
}
