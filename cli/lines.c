/*
 * lines.c - input of asm and disasm: arguments, files or standard input, line by line.
 *
 * Block: none.
 * Invariants: every error names file, line and column; a wrong line does not stop the next one.
 *
 * **Inaccuracies**: an argument that happens to name an existing file is read as that file.
 */
#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cmd.h"
#include "output.h"

void cmd_line_error(const struct cmd_line *line, unsigned column, const char *format, ...)
{
    va_list args;
    output_flush();
    fprintf(stderr, "%s:%u:%u: error: ", line->file, line->number, column);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
}

static int each_line_of(FILE *in, const char *name, cmd_line_fn *fn, void *context)
{
    char *text = NULL;
    size_t room = 0;
    ssize_t n;
    int status = EXIT_OK;
    struct cmd_line line = {.file = name};

    while ((n = getline(&text, &room, in)) >= 0) {
        while (n > 0 && (text[n - 1] == '\n' || text[n - 1] == '\r'))
            text[--n] = '\0';
        line.number++;
        line.text = text;
        line.length = (size_t)n;
        if (!fn(&line, context))
            status = EXIT_INPUT;
    }
    free(text);
    if (ferror(in)) {
        fprintf(stderr, "waitgate: %s: read error\n", name);
        status = EXIT_INPUT;
    }
    return status;
}

static int each_line_of_file(const char *path, cmd_line_fn *fn, void *context)
{
    FILE *in = fopen(path, "r");
    int status;
    if (!in) {
        fprintf(stderr, "waitgate: %s: %s\n", path, strerror(errno));
        return EXIT_INPUT;
    }
    status = each_line_of(in, path, fn, context);
    fclose(in);
    return status;
}

int cmd_each_line(int n, char **arguments, cmd_line_fn *fn, void *context)
{
    int status = EXIT_OK;
    if (n == 0)
        return each_line_of(stdin, "standard input", fn, context);
    for (int i = 0; i < n; i++) {
        const char *argument = arguments[i];
        struct stat st;
        int one;
        if (!strcmp(argument, "-")) {
            one = each_line_of(stdin, "standard input", fn, context);
        } else if (!stat(argument, &st) && !S_ISDIR(st.st_mode)) {
            one = each_line_of_file(argument, fn, context);
        } else {
            char name[32];
            snprintf(name, sizeof name, "argument %d", i + 1);
            struct cmd_line line = {name, 1, argument, strlen(argument)};
            one = fn(&line, context) ? EXIT_OK : EXIT_INPUT;
        }
        if (one != EXIT_OK)
            status = one;
    }
    return status;
}
