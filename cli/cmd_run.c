/*
 * cmd_run.c - waitgate run: run a program in the .tts format and say where its cycles went.
 *
 * Block: none; the format is described in docs/tts.md.
 *
 * **Inaccuracies**: none.
 */
#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cmd.h"
#include "output.h"
#include "setting.h"
#include "waitgate.h"

enum {
    EXIT_DEADLOCK = 3,
    EXIT_LIMIT = 4,
    EXIT_STOPPED = 5,
    EXIT_BROKEN = 6,
};

#define MAX_FILE ((size_t)64 << 20)

struct options {
    struct waitgate_options run;
    bool trace, json, quiet, report;
    const char *trace_file;
    struct settings settings;
};

static void print_usage(FILE *out)
{
    fprintf(
        out,
        "usage: waitgate run FILE|- [options]\n\n"
        "Runs Tensix programs as text (docs/tts.md) cycle by cycle and prints where the cycles\n"
        "went. RISC-V programs: waitgate run --brisc B.elf ..., waitgate run CASE.yaml.\n\n"
        "  --trace[=FILE]     one line per event, on standard output or in FILE\n"
        "  --json             the result as JSON instead of the summary\n"
        "  --report           the summary also when expectations are checked, and what is held\n"
        "  --quiet            print nothing but errors and failed expectations\n"
        "  --max-cycles N     stop after N cycles (default: the file's limit, or 10000000)\n"
        "  --no-skip          walk through idle stretches instead of jumping over them\n"
        "  --timing NAME=VALUE  give the machine another number than the typical one, for example\n"
        "                     UNPACK_PIPE=5 or MVMUL.latency=6! (`waitgate timing` lists them; !:\n"
        "                     also outside of minimum and maximum); can be repeated\n"
        "  --stop-on KINDS    stop at the first diagnostic of these kinds, separated by\n"
        "                     commas: undefined, contract, hazard, unmodelled, note, all\n"
        "  --ignore KINDS     do not count diagnostics of these kinds\n\n"
        "exit status: 0 good; 1 bad input, or an expectation not met; 2 bad command line;\n"
        "  3 deadlock; 4 the limit of cycles was reached; 5 stopped by --stop-on;\n"
        "  6 internal error; 128 + N: interrupted by signal N, trace and report go up to there.\n"
        "  A deadlock or limit that the program expects is good.\n");
}

static bool parse_kinds(const char *text, unsigned *mask)
{
    static const char *const names[] = {"undefined", "contract", "hazard", "unmodelled", "note"};
    *mask = 0;
    while (*text) {
        size_t n = strcspn(text, ",");
        bool found = n == 3 && !strncmp(text, "all", 3);
        if (found)
            *mask |= 0x1f;
        for (unsigned i = 0; i < 5; i++)
            if (strlen(names[i]) == n && !strncmp(names[i], text, n)) {
                *mask |= 1u << i;
                found = true;
            }
        if (!found) {
            fprintf(stderr,
                    "waitgate: run: unknown kind '%.*s'; expected undefined, contract, hazard, "
                    "unmodelled, note or all\n",
                    (int)n,
                    text);
            return false;
        }
        text += n;
        text += *text == ',';
    }
    return true;
}

static bool parse_count(const char *text, uint64_t *out)
{
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 0);
    if (errno || end == text || *end || *text == '-' || !value) {
        fprintf(stderr, "waitgate: run: expected a number of cycles from 1 up, found '%s'\n", text);
        return false;
    }
    *out = value;
    return true;
}

/* The whole of a stream. NULL, with a message, if that fails. */
static char *read_stream(FILE *in, const char *name, size_t *length)
{
    size_t room = 4096, n = 0;
    char *text = malloc(room);
    while (text) {
        n += fread(text + n, 1, room - n, in);
        if (n < room)
            break;
        char *more = room < MAX_FILE ? realloc(text, room *= 2) : NULL;
        if (!more) {
            fprintf(stderr, "waitgate: %s: larger than %zu MiB\n", name, MAX_FILE >> 20);
            free(text);
            return NULL;
        }
        text = more;
    }
    if (!text || ferror(in)) {
        fprintf(stderr, "waitgate: %s: %s\n", name, text ? "read error" : "out of memory");
        free(text);
        return NULL;
    }
    *length = n;
    return text;
}

static char *read_program(const char *path, size_t *length)
{
    if (!strcmp(path, "-"))
        return read_stream(stdin, "standard input", length);
    struct stat st;
    FILE *in = fopen(path, "rb");
    if (in && !stat(path, &st) && S_ISDIR(st.st_mode)) {
        fprintf(stderr, "waitgate: %s: is a directory\n", path);
        fclose(in);
        return NULL;
    }
    if (!in) {
        fprintf(stderr, "waitgate: %s: %s\n", path, strerror(errno));
        return NULL;
    }
    char *text = read_stream(in, path, length);
    fclose(in);
    return text;
}

static void print_result(const waitgate_result *result, const struct options *o)
{
    unsigned n = waitgate_result_failures(result);
    bool bad = !waitgate_result_end_expected(result);
    struct output out = {.file = stdout}, err = {.file = stderr};
    if (o->json)
        waitgate_report_json(result, output_write, &out);
    else if (!o->quiet)
        waitgate_report_summary(result, output_write, &out);
    output_flush();
    if (bad || (o->report && !o->json))
        waitgate_report_held(result, output_write, bad ? &err : &out);
    for (unsigned i = 0; i < n; i++) {
        char text[512];
        waitgate_result_failure(result, i, text, sizeof text);
        fprintf(stderr, "%s\n", text);
    }
}

static int exit_status(const waitgate_result *result)
{
    if (!waitgate_result_end_expected(result)) {
        switch (waitgate_result_end(result)) {
        case WAITGATE_END_DEADLOCK: return EXIT_DEADLOCK;
        case WAITGATE_END_LIMIT: return EXIT_LIMIT;
        case WAITGATE_END_INTERRUPTED: return output_status(EXIT_INPUT);
        default: return EXIT_STOPPED;
        }
    }
    return waitgate_result_failures(result) ? EXIT_INPUT : EXIT_OK;
}

static void interrupt(void *flag)
{
    *(volatile int *)flag = 1;
}

static int run_program(const waitgate_program *program, struct options *o)
{
    volatile int interrupted = 0;
    struct output trace;
    if (!output_open(&trace, !o->trace ? NULL : o->trace_file ? o->trace_file : ""))
        return EXIT_INPUT;
    if (o->trace) {
        o->run.trace = output_write;
        o->run.trace_context = &trace;
    }
    o->run.interrupt = &interrupted;
    output_interrupts(interrupt, (void *)(uintptr_t)&interrupted);
    waitgate_result *result;
    enum waitgate_status status = waitgate_run(program, &o->run, &result);
    output_interrupts(NULL, NULL);
    if (!output_close(&trace)) {
        if (status == WAITGATE_OK)
            waitgate_result_free(result);
        return EXIT_INPUT;
    }
    if (status != WAITGATE_OK) {
        fprintf(stderr, "waitgate: run: %s\n", waitgate_status_text(status));
        return status == WAITGATE_ERROR_MEMORY ? EXIT_INPUT : EXIT_BROKEN;
    }
    print_result(result, o);
    int code = exit_status(result);
    waitgate_result_free(result);
    return code;
}

static int run_file(const char *path, struct options *o)
{
    size_t length;
    char *text = read_program(path, &length);
    if (!text)
        return EXIT_INPUT;
    const char *name = strcmp(path, "-") ? path : "standard input";
    if (length >= 4 && !memcmp(text, "\177ELF", 4)) {
        fprintf(stderr,
                "waitgate: %s: an ELF file; name the core that it is for: --brisc FILE, --ncrisc, "
                "--trisc0, --trisc1 or --trisc2\n",
                name);
        free(text);
        return EXIT_INPUT;
    }
    struct waitgate_parse_error error;
    waitgate_program *program;
    enum waitgate_status status = waitgate_program_parse(text, length, name, &program, &error);
    free(text);
    if (status != WAITGATE_OK) {
        fprintf(stderr, "%s:%u:%u: error: %s\n", name, error.line, error.column, error.message);
        return EXIT_INPUT;
    }
    int code = run_program(program, o);
    waitgate_program_free(program);
    return code;
}

/* RISC-V programs for a tile, or a case file that names them? */
static bool is_tile_job(int argc, char **argv)
{
    static const char *const options[] = {
        "--brisc", "--ncrisc", "--trisc0", "--trisc1", "--trisc2"};
    static const char *const endings[] = {".yaml", ".yml", ".json"};
    for (int i = 1; i < argc; i++) {
        size_t length = strlen(argv[i]);
        for (size_t k = 0; k < sizeof options / sizeof *options; k++)
            if (!strncmp(argv[i], options[k], strlen(options[k])))
                return true;
        for (size_t k = 0; k < sizeof endings / sizeof *endings; k++) {
            size_t n = strlen(endings[k]);
            if (argv[i][0] != '-' && length > n && !strcmp(argv[i] + length - n, endings[k]))
                return true;
        }
    }
    return false;
}

#ifdef CLI_WITHOUT_LOADER
void cmd_run_tile_usage(FILE *to)
{
    fputs("built without the loader of RISC-V programs\n", to);
}

int cmd_run_tile(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    fputs(
        "waitgate: built without the loader of RISC-V programs; install libelf-dev, libdw-dev and "
        "libfyaml-dev and build again\n",
        stderr);
    return EXIT_INPUT;
}
#endif

int cmd_run(int argc, char **argv)
{
    if (is_tile_job(argc, argv))
        return cmd_run_tile(argc, argv);
    static const struct option longs[] = {{"trace", optional_argument, NULL, 't'},
                                          {"json", no_argument, NULL, 'j'},
                                          {"report", no_argument, NULL, 'r'},
                                          {"quiet", no_argument, NULL, 'q'},
                                          {"max-cycles", required_argument, NULL, 'm'},
                                          {"no-skip", no_argument, NULL, 'n'},
                                          {"timing", required_argument, NULL, 'T'},
                                          {"stop-on", required_argument, NULL, 's'},
                                          {"ignore", required_argument, NULL, 'i'},
                                          {"help", no_argument, NULL, 'h'},
                                          {NULL, 0, NULL, 0}};
    struct options o = {.run = WAITGATE_OPTIONS_INIT};
    int c;
    while ((c = getopt_long(argc, argv, "hq", longs, NULL)) != -1) {
        bool good = true;
        switch (c) {
        case 't':
            o.trace = true;
            o.trace_file = optarg;
            break;
        case 'j': o.json = true; break;
        case 'r': o.report = true; break;
        case 'q': o.quiet = true; break;
        case 'm': good = parse_count(optarg, &o.run.max_cycles); break;
        case 'n': o.run.no_skip = 1; break;
        case 'T':
            if (!settings_add(&o.settings, optarg, "waitgate: run: --timing"))
                return EXIT_USAGE;
            break;
        case 's': good = parse_kinds(optarg, &o.run.stop_on); break;
        case 'i': good = parse_kinds(optarg, &o.run.ignore); break;
        case 'h':
            print_usage(stdout);
            putchar('\n');
            cmd_run_tile_usage(stdout);
            return EXIT_OK;
        default: good = false; break;
        }
        if (!good) {
            print_usage(stderr);
            return EXIT_USAGE;
        }
    }
    if (argc - optind != 1) {
        fprintf(stderr, "waitgate: run: expected one program, found %d\n", argc - optind);
        print_usage(stderr);
        return EXIT_USAGE;
    }
    o.run.settings = o.settings.setting;
    o.run.n_settings = o.settings.n;
    return run_file(argv[optind], &o);
}
