/*
 * cmd_alpha.c - `waitgate alpha`: static Linux programs for Alpha, through the six-stage pipeline.
 *
 * Block: none; a client of include/waitgate.h and of the loader.
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "load/alpha_linux.h"
#include "output.h"
#include "setting.h"
#include "waitgate.h"

enum { EXIT_HANG = 3, EXIT_LIMIT = 4, DIRS = 16 };

extern char **environ;

struct job {
    bool untimed, report, json, no_skip, fixed_time;
    const char *report_file, *trace;
    uint64_t limit;
    waitgate_tile *tile;     /* --tile */
    struct settings numbers; /* of that tile */
    struct alpha_linux *os;  /* with the directories that were given */
    unsigned n_dirs;
    struct {
        char *path;
        bool read_only;
    } dir[DIRS];
    bool no_dir; /* only those */
};

static void usage(FILE *to)
{
    fputs(
        "usage: waitgate alpha run [options] PROGRAM [ARGUMENTS]\n"
        "       waitgate alpha latencies\n"
        "\n"
        "Runs a static Linux program for Alpha: every instruction through a pipeline of six "
        "stages, every\n"
        "lost cycle with its cause. Output and exit status are the program's own. It sees the "
        "working\n"
        "directory and the standard streams, and nothing else of this machine (docs/alpha.md).\n"
        "\n"
        "  --report[=FILE]     where the cycles went, and which instructions lost most (standard "
        "error)\n"
        "  --json[=FILE]       the same as one JSON object\n"
        "  --trace=FILE        one line per retired, held or flushed instruction;\n"
        "                      with --tile also the tile's events; with --untimed one line per\n"
        "                      instruction\n"
        "  --latency NAME=N    another number of cycles; `waitgate alpha latencies` lists the "
        "names\n"
        "  --policy fbox=blocking|pipelined   does a floating-point operation keep EX?\n"
        "  --policy wmb=drain|marker          does WMB wait for the stores before it?\n"
        "  --policy ring=partial|frozen       frozen: one held stage stops all; it can deadlock\n"
        "  --tile              a Tensix tile behind a window at 0x8000000000 "
        "(docs/alpha-tile.md)\n"
        "  --timing NAME=VALUE give that tile another number than the typical one, for example\n"
        "                      UNPACK_PIPE=5 or MVMUL.latency=6! (`waitgate timing` lists them; "
        "!:\n"
        "                      also outside of minimum and maximum); can be repeated\n"
        "  --dir PATH[:ro]     the program may use this directory too, to read only with :ro; "
        "again for more\n"
        "  --no-dir            it may not use the working directory, only those of --dir\n"
        "  --memory N          at most N MiB for it, page tables and decoded code included (1024)\n"
        "  --untimed           no pipeline, only results\n"
        "  --max N             stop after N cycles (--untimed: instructions)\n"
        "  --no-skip           walk through waits; slow, and the same in every cycle\n"
        "  --fixed-time        clocks show the same time in every run\n"
        "  --env               the program gets this environment (default: none)\n"
        "\n"
        "exit status: the program's; 128 + signal if a signal ended it; 1 bad program; 2 bad "
        "command line;\n"
        "  3 hang; 4 the limit was reached; 128 + N also if signal N has interrupted the run:\n"
        "  trace and report go up to there.\n",
        to);
}

static int place(void *context, uint64_t pc, struct waitgate_source *s)
{
    struct alpha_elf *elf = context;
    bool symbol = alpha_elf_symbol(elf, pc, &s->function, &s->offset);
    bool line = alpha_elf_line(elf, pc, &s->file, &s->line);
    return symbol || line;
}

static bool parse_number(const char *text, uint64_t *value)
{
    char *rest;
    errno = 0;
    *value = strtoull(text, &rest, 0);
    return !errno && rest != text && !*rest && *text != '-' && *value;
}

static bool set_latency(waitgate_alpha *m, const char *name, const char *text)
{
    uint64_t n;
    return parse_number(text, &n) && waitgate_alpha_latency(m, name, n) == WAITGATE_OK;
}

/* NAME=VALUE, which is whole again afterwards. */
static bool set_pair(waitgate_alpha *m, char *text, bool policy)
{
    char *equals = strchr(text, '=');
    bool good = false;
    if (equals) {
        *equals = '\0';
        good = policy ? waitgate_alpha_policy(m, text, equals + 1) == WAITGATE_OK
                      : set_latency(m, text, equals + 1);
        *equals = '=';
    }
    if (!good)
        fprintf(stderr, "waitgate: no such %s or value: %s\n", policy ? "policy" : "latency", text);
    return good;
}

static bool set_limit(const char *text, uint64_t *limit)
{
    bool good = parse_number(text, limit);
    if (!good)
        fprintf(stderr, "waitgate: alpha: expected a number from 1 up, found '%s'\n", text);
    return good;
}

static bool set_memory(waitgate_alpha *m, const char *text)
{
    uint64_t n;
    bool good = parse_number(text, &n) && n < UINT64_C(1) << 24 &&
                waitgate_alpha_memory(m, n << 20) == WAITGATE_OK;
    if (!good)
        fprintf(stderr, "waitgate: alpha: expected a number of MiB from 1 up, found '%s'\n", text);
    return good;
}

/* PATH, PATH:ro, or PATH:rw for one whose name ends in :ro. */
static bool add_dir(struct job *j, char *text)
{
    size_t n = strlen(text);
    bool read_only = n > 3 && !strcmp(text + n - 3, ":ro");
    if (j->n_dirs == DIRS) {
        fprintf(stderr, "waitgate: alpha: more than %d directories\n", DIRS);
        return false;
    }
    if (read_only || (n > 3 && !strcmp(text + n - 3, ":rw")))
        text[n - 3] = '\0';
    j->dir[j->n_dirs].path = text;
    j->dir[j->n_dirs++].read_only = read_only;
    return true;
}

/* What was asked for, and the working directory; false, with a message, if one cannot be given. */
static bool give_dirs(const struct job *j)
{
    struct load_error error;
    bool good = j->no_dir || alpha_linux_give(j->os, ".", false, &error);
    for (unsigned i = 0; good && i < j->n_dirs; i++)
        good = alpha_linux_give(j->os, j->dir[i].path, j->dir[i].read_only, &error);
    if (!good)
        fprintf(stderr, "waitgate: %s\n", error.message);
    return good;
}

static int list_latencies(void)
{
    struct waitgate_timing t;
    printf("%-11s %7s  %s\n", "name", "cycles", "what it is");
    for (unsigned i = 0; waitgate_alpha_latency_get(i, &t, sizeof t) == WAITGATE_OK; i++)
        printf("%-11s %7u  %s (%s: %s)\n",
               t.name,
               t.cost.typ,
               t.text,
               waitgate_evidence_text(t.cost.evidence),
               t.cost.source);
    return EXIT_OK;
}

/* ---- the run ---- */

static void write_report(waitgate_alpha *m, const struct job *j, struct output *report)
{
    struct output err = {.file = stderr}, *to = report->file ? report : &err;
    if (j->json)
        waitgate_alpha_report_json(m, output_write, to);
    else if (j->report)
        waitgate_alpha_report(m, output_write, to);
}

static void interrupt(void *m)
{
    waitgate_alpha_interrupt(m);
}

static void say_unknown(const struct alpha_linux *l)
{
    for (unsigned i = 0; i < l->n_unknown && i < 16; i++)
        fprintf(stderr,
                "waitgate: system call %" PRIu64 " is not there; the program got ENOSYS\n",
                l->unknown[i]);
}

static enum waitgate_alpha_end run_on(waitgate_alpha *m, const struct job *j)
{
    uint64_t done = waitgate_alpha_cycle(m), left = done < j->limit ? j->limit - done : 0;
    if (!left)
        return WAITGATE_ALPHA_LIMIT;
    return j->untimed ? waitgate_alpha_run(m, left) : waitgate_alpha_clock(m, left);
}

/* What the tile has noticed about what was done to it. */
static void say_notices(const waitgate_tile *tile)
{
    struct waitgate_notice n;
    for (unsigned i = 0; waitgate_tile_notice(tile, i, &n); i++)
        if (strcmp(n.kind, "note"))
            fprintf(stderr,
                    "waitgate: tile, cycle %" PRIu64 ", %s: %s: %s\n",
                    n.step,
                    n.who,
                    n.kind,
                    n.text);
}

static int run_to_end(waitgate_alpha *m, struct alpha_linux *l, const struct job *j)
{
    enum waitgate_alpha_end end = WAITGATE_ALPHA_STOP;
    while (!l->ended) {
        struct waitgate_alpha_stop stop;
        end = run_on(m, j);
        if (end != WAITGATE_ALPHA_STOP || waitgate_alpha_stopped(m, &stop) != WAITGATE_OK)
            break;
        alpha_linux_stop(l, &stop);
    }
    if (l->ended && j->tile)
        end = run_on(m, j); /* the tile goes on to its end */
    output_flush();
    say_unknown(l);
    if (j->tile)
        say_notices(j->tile);
    if (l->ended && l->signal)
        fprintf(stderr, "waitgate: the program ended by signal %d: %s\n", l->signal, l->message);
    if (l->ended && (!j->tile || end == WAITGATE_ALPHA_DONE))
        return l->status;
    if (end == WAITGATE_ALPHA_INTERRUPTED)
        return output_status(EXIT_INPUT);
    if (end == WAITGATE_ALPHA_NO_MEMORY) {
        fputs("waitgate: no memory for the trace\n", stderr);
        return EXIT_INPUT;
    }
    if (end == WAITGATE_ALPHA_HANG) {
        struct output err = {.file = stderr};
        waitgate_alpha_report_hang(m, output_write, &err);
        fputs("waitgate: the machine hangs\n", stderr);
        return EXIT_HANG;
    }
    fputs("waitgate: the limit was reached\n", stderr);
    return EXIT_LIMIT;
}

/* From here on the run can be interrupted. */
static int run_traced(waitgate_alpha *m, struct alpha_linux *l, const struct job *j,
                      struct output *report)
{
    output_interrupts(interrupt, m);
    int code = run_to_end(m, l, j);
    output_interrupts(NULL, NULL);
    write_report(m, j, report);
    return code;
}

static int run_program(waitgate_alpha *m, const struct job *j, char **argv, char **envp)
{
    struct load_error error;
    struct alpha_elf *elf;
    int code = EXIT_INPUT;
    struct output trace = {0}, report = {0};
    if (alpha_elf_read(argv[0], &elf, &error) != LOAD_OK) {
        fprintf(stderr, "waitgate: %s\n", error.message);
        return EXIT_INPUT;
    }
    bool files = output_open(&trace, j->trace) && output_open(&report, j->report_file);
    if (files && !alpha_linux_start(j->os, m, elf, argv, envp, &error)) {
        fprintf(stderr, "waitgate: %s\n", error.message);
    } else if (files && j->tile &&
               waitgate_alpha_tile(m, j->tile, WAITGATE_ALPHA_WINDOW) != WAITGATE_OK) {
        fputs("waitgate: the program has memory where the tile's window has to be\n", stderr);
    } else if (files) {
        waitgate_alpha_places(m, place, elf);
        waitgate_alpha_no_skip(m, j->no_skip);
        if (j->tile)
            waitgate_tile_profile(j->tile, j->report || j->json);
        if (trace.file)
            waitgate_alpha_trace(m, output_write, &trace);
        if (trace.file && j->tile &&
            waitgate_tile_trace(j->tile, output_write, &trace) != WAITGATE_OK)
            fputs("waitgate: no memory for the trace\n", stderr);
        else
            code = run_traced(m, j->os, j, &report);
    }
    if (!output_close(&trace))
        code = EXIT_INPUT;
    if (!output_close(&report))
        code = EXIT_INPUT;
    alpha_elf_free(elf);
    return code;
}

/* The tile of --tile, with its numbers; false, with a message: there can be none. */
static bool make_tile(struct job *j)
{
    if (waitgate_tile_create(&j->tile) != WAITGATE_OK) {
        fputs("waitgate: no memory for a tile\n", stderr);
        return false;
    }
    for (unsigned i = 0; i < j->numbers.n; i++) /* they have been checked */
        waitgate_tile_timing(j->tile, &j->numbers.setting[i], NULL);
    return true;
}

/* What does not go together, in words; NULL: nothing. */
static const char *contradiction(const struct job *j, bool tile)
{
    if (j->untimed && (j->json || tile))
        return "--untimed does not go with --json or --tile";
    if (j->numbers.n && !tile)
        return "--timing sets numbers of a tile: give --tile, too (--latency sets those of the "
               "Alpha)";
    return NULL;
}

static int run(int argc, char **argv, waitgate_alpha *m)
{
    static const struct option longs[] = {{"report", optional_argument, NULL, 'r'},
                                          {"json", optional_argument, NULL, 'J'},
                                          {"trace", required_argument, NULL, 't'},
                                          {"latency", required_argument, NULL, 'l'},
                                          {"policy", required_argument, NULL, 'p'},
                                          {"tile", no_argument, NULL, 'T'},
                                          {"timing", required_argument, NULL, 'i'},
                                          {"dir", required_argument, NULL, 'd'},
                                          {"no-dir", no_argument, NULL, 'D'},
                                          {"memory", required_argument, NULL, 'M'},
                                          {"untimed", no_argument, NULL, 'u'},
                                          {"max", required_argument, NULL, 'm'},
                                          {"no-skip", no_argument, NULL, 'n'},
                                          {"fixed-time", no_argument, NULL, 'f'},
                                          {"env", no_argument, NULL, 'e'},
                                          {"help", no_argument, NULL, 'h'},
                                          {NULL, 0, NULL, 0}};
    static char *nothing[] = {NULL};
    struct job j = {.limit = UINT64_MAX};
    char **envp = nothing;
    bool tile = false;
    int c;
    while ((c = getopt_long(argc, argv, "+h", longs, NULL)) != -1) {
        bool good = true;
        switch (c) {
        case 'r': j.report = true, j.report_file = optarg; break;
        case 'J': j.json = true, j.report_file = optarg; break;
        case 't': j.trace = optarg; break;
        case 'l':
        case 'p': good = set_pair(m, optarg, c == 'p'); break;
        case 'T': tile = true; break;
        case 'i': good = settings_add(&j.numbers, optarg, "waitgate: alpha run: --timing"); break;
        case 'd': good = add_dir(&j, optarg); break;
        case 'D': j.no_dir = true; break;
        case 'M': good = set_memory(m, optarg); break;
        case 'u': j.untimed = true; break;
        case 'm': good = set_limit(optarg, &j.limit); break;
        case 'n': j.no_skip = true; break;
        case 'f': j.fixed_time = true; break;
        case 'e': envp = environ; break;
        case 'h': usage(stdout); return EXIT_OK;
        default: good = false; break;
        }
        if (!good) {
            usage(stderr);
            return EXIT_USAGE;
        }
    }
    const char *wrong = contradiction(&j, tile);
    if (!wrong && optind == argc)
        wrong = "expected a program";
    if (wrong) {
        fprintf(stderr, "waitgate: alpha run: %s\n", wrong);
        usage(stderr);
        return EXIT_USAGE;
    }
    if (tile && !make_tile(&j))
        return EXIT_INPUT;
    struct alpha_linux os; /* before a file is opened: what is open now is the program's */
    int code = EXIT_INPUT;
    j.os = &os;
    if (!alpha_linux_init(&os)) {
        fputs("waitgate: no memory for a program\n", stderr);
    } else {
        os.fixed_time = j.fixed_time;
        if (give_dirs(&j))
            code = run_program(m, &j, argv + optind, envp);
        alpha_linux_free(&os);
    }
    waitgate_tile_free(j.tile);
    return code;
}

int cmd_alpha(int argc, char **argv)
{
    waitgate_alpha *m;
    if (argc == 2 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))) {
        usage(stdout);
        return EXIT_OK;
    }
    if (argc == 2 && !strcmp(argv[1], "latencies"))
        return list_latencies();
    if (argc < 2 || strcmp(argv[1], "run")) {
        if (argc >= 2 && strcmp(argv[1], "latencies"))
            fprintf(stderr, "waitgate: alpha: expected run or latencies, found '%s'\n", argv[1]);
        usage(stderr);
        return EXIT_USAGE;
    }
    if (waitgate_alpha_create(1, &m) != WAITGATE_OK) {
        fputs("waitgate: no memory for a machine\n", stderr);
        return EXIT_INPUT;
    }
    int code = run(argc - 1, argv + 1, m);
    waitgate_alpha_free(m);
    return code;
}
