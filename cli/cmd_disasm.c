/*
 * cmd_disasm.c - waitgate disasm: words to instructions in vendor syntax, one per line.
 *
 * Block: none; see src/isa/tensix_dis.c for the syntax.
 *
 * **Inaccuracies**: none.
 */
#define _POSIX_C_SOURCE 200809L

#include <ctype.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>

#include "cmd.h"
#include "waitgate.h"

struct options {
    bool ttinsn;
    uint32_t flags;
};

static void print_usage(FILE *out)
{
    fprintf(out,
            "usage: waitgate disasm [--ttinsn] [--symbolic] [word | file | -]...\n\n"
            "Words are hexadecimal, one per line. Without arguments reads standard input.\n"
            "What is not a legal instruction is printed as ttinsn 0x????????.\n\n"
            "  --ttinsn    words are as they stand in RISC-V code (rotated left by two)\n"
            "  --symbolic  print block bits, conditions and semaphores by name\n");
}

static int hex_digit(char c)
{
    if (isdigit((unsigned char)c))
        return c - '0';
    if (isxdigit((unsigned char)c))
        return toupper((unsigned char)c) - 'A' + 10;
    return -1;
}

/* A hexadecimal word and nothing else but space and comment. 1 read, 0 blank line, -1 wrong. */
static int read_word(const struct cmd_line *line, uint32_t *word)
{
    const char *p = line->text;
    while (isspace((unsigned char)*p))
        p++;
    if (!*p || *p == '#' || *p == ';' || (p[0] == '/' && p[1] == '/'))
        return 0;
    const char *start = p;
    if (p[0] == '0' && (p[1] == 'x' || p[1] == 'X'))
        p += 2;
    const char *digits = p;
    *word = 0;
    for (; hex_digit(*p) >= 0 && p - digits < 8; p++)
        *word = *word << 4 | (uint32_t)hex_digit(*p);
    const char *end = p;
    while (isspace((unsigned char)*p))
        p++;
    bool ended = !*p || *p == '#' || *p == ';' || (p[0] == '/' && p[1] == '/');
    if (end == digits || !ended) {
        const char *at = end == digits ? start : p;
        cmd_line_error(line,
                       (unsigned)(at - line->text) + 1,
                       "expected one hexadecimal word of up to 8 digits");
        return -1;
    }
    return 1;
}

static bool disassemble_line(const struct cmd_line *line, void *context)
{
    const struct options *options = context;
    char text[512];
    uint32_t word;
    int got = read_word(line, &word);

    if (got <= 0)
        return got == 0;
    if (options->ttinsn && waitgate_ttinsn_decode(word, &word) != WAITGATE_OK) {
        cmd_line_error(line,
                       1,
                       "0x%08" PRIx32 " is not a .ttinsn, expected the two low bits not both set",
                       word);
        return false;
    }
    waitgate_disassemble(word, options->flags, text, sizeof text);
    printf("%s\n", text);
    return true;
}

int cmd_disasm(int argc, char **argv)
{
    static const struct option longs[] = {{"ttinsn", no_argument, NULL, 't'},
                                          {"symbolic", no_argument, NULL, 's'},
                                          {"help", no_argument, NULL, 'h'},
                                          {NULL, 0, NULL, 0}};
    struct options options = {false, 0};
    int c;
    while ((c = getopt_long(argc, argv, "tsh", longs, NULL)) != -1) {
        switch (c) {
        case 't': options.ttinsn = true; break;
        case 's': options.flags |= WAITGATE_DISASSEMBLE_SYMBOLIC; break;
        case 'h': print_usage(stdout); return EXIT_OK;
        default: print_usage(stderr); return EXIT_USAGE;
        }
    }
    return cmd_each_line(argc - optind, argv + optind, disassemble_line, &options);
}
