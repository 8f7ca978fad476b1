/*
 * cmd.h - the subcommands of the waitgate program and what they share.
 *
 * A subcommand gets its own name as argv[0] and returns the exit status.
 */
#ifndef WAITGATE_CLI_CMD_H
#define WAITGATE_CLI_CMD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum {
    EXIT_OK = 0,
    EXIT_INPUT = 1, /* something in the input is wrong */
    EXIT_USAGE = 2  /* the command line is wrong */
};

int cmd_alpha(int argc, char **argv);
int cmd_asm(int argc, char **argv);
int cmd_disasm(int argc, char **argv);
int cmd_isa(int argc, char **argv);
int cmd_run(int argc, char **argv);
int cmd_run_tile(int argc, char **argv); /* run, with RISC-V programs */
void cmd_run_tile_usage(FILE *to);
int cmd_timing(int argc, char **argv);

/* One line of input and where it came from. */
struct cmd_line {
    const char *file;
    unsigned number;
    const char *text; /* ends in NUL, no newline */
    size_t length;
};

/* Handles one line; false if it is wrong (and said so with cmd_line_error). */
typedef bool cmd_line_fn(const struct cmd_line *line, void *context);

/*
 * Call fn for each line of input. Each argument is a line by itself ("argument 1"), the name of an
 * existing file, or - for standard input; without arguments standard input is read. Returns the
 * exit status.
 */
int cmd_each_line(int n, char **arguments, cmd_line_fn *fn, void *context);

/* "file:line:column: error: ..." on standard error. */
void cmd_line_error(const struct cmd_line *line, unsigned column, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
