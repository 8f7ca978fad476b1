/*
 * main.c - the waitgate program: find the subcommand and hand over.
 *
 * Block: none; a plain client of include/waitgate.h.
 * Exit status: 0 good, 1 something in the input is wrong or output was lost, 2 the command line is wrong.
 *
 * **Inaccuracies**: none.
 */
#define _POSIX_C_SOURCE 200809L

#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "cmd.h"
#include "output.h"
#include "waitgate.h"

static const struct command {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *text;
} commands[] = {
#ifndef CLI_WITHOUT_LOADER
    {"alpha", cmd_alpha, "run Linux programs for Alpha through a pipeline"},
#endif
    {"asm", cmd_asm, "instructions in vendor syntax to words"},
    {"disasm", cmd_disasm, "words to instructions in vendor syntax"},
    {"isa", cmd_isa, "the instruction table: fields, units, block bits, costs"},
#ifndef CLI_WITHOUT_RUN
    {"run", cmd_run, "run Tensix programs cycle by cycle"},
#endif
    {"timing", cmd_timing, "every number of the timing model and how well it is known"},
};

static void print_usage(FILE *out)
{
    fprintf(out, "usage: waitgate <command> [options] [arguments]\n\ncommands:\n");
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        fprintf(out, "  %-8s %s\n", commands[i].name, commands[i].text);
    fprintf(out,
            "\n  waitgate <command> --help   options of a command\n"
            "  waitgate --version          version of program and library\n");
}

int main(int argc, char **argv)
{
    signal(SIGXFSZ, SIG_IGN); /* a file that gets too long is an error like a full disk */
    if (argc < 2) {
        print_usage(stderr);
        return EXIT_USAGE;
    }
    const char *name = argv[1];
    if (!strcmp(name, "--help") || !strcmp(name, "-h") || !strcmp(name, "help")) {
        print_usage(stdout);
        return output_finish(EXIT_OK);
    }
    if (!strcmp(name, "--version") || !strcmp(name, "-V")) {
        printf("waitgate %s\n", waitgate_version());
        return output_finish(EXIT_OK);
    }
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        if (!strcmp(name, commands[i].name))
            return output_finish(commands[i].run(argc - 1, argv + 1));
    fprintf(stderr, "waitgate: unknown command '%s'; expected one of", name);
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        fprintf(stderr, " %s", commands[i].name);
    fprintf(stderr, "\n");
    return EXIT_USAGE;
}
