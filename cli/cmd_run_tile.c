/*
 * cmd_run_tile.c - `waitgate run` with RISC-V programs for the cores of a tile: from ELF files on the
 * command line or from a case file (docs/case.md).
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "load/case.h"
#include "load/image.h"
#include "output.h"
#include "setting.h"
#include "waitgate.h"

#define DEFAULT_STEPS UINT64_C(100000000)
#define SLICE         UINT64_C(4096) /* steps between two looks at --until */
#define MAX_LIST      32u

enum { EXIT_HANG = 3, EXIT_STEPS = 4 };

struct job {
    const char *program[LOAD_N_CORES]; /* ELF files by enum load_core */
    const char *raw[MAX_LIST];         /* FILE@ADDR */
    unsigned n_raw;
    struct case_until until[MAX_LIST];
    unsigned n_until;
    struct case_dump dump[MAX_LIST];
    unsigned n_dump;
    bool released[LOAD_N_CORES];
    uint64_t max_steps, max_cycles;
    bool quiet, release_all, clocked, untimed, no_skip, report, json;
    bool steps_given,
        cycles_given; /* limits on the command line: they count, not those of the file */
    struct settings of_file,
        settings;      /* numbers of the machine: a case's, then those of the command line */
    const char *trace; /* file; "" standard output; NULL: none */
    const struct case_file *file; /* NULL: from the command line */
};

void cmd_run_tile_usage(FILE *to)
{
    fputs(
        "usage: waitgate run --brisc B.elf [--ncrisc N.elf] [--trisc0 T0.elf] ... [options]\n"
        "       waitgate run CASE.yaml [options]\n"
        "\n"
        "Runs RISC-V programs on the five cores of a tile: untimed, or clocked with every cycle.\n"
        "\n"
        "  --brisc, --ncrisc, --trisc0, --trisc1, --trisc2 FILE   the program of a core\n"
        "  --release all        let all cores with a program out of reset at the start\n"
        "                       (default: only B if it has one, which then releases the others)\n"
        "  --l1 FILE@ADDR       bytes of a file into L1\n"
        "  --until ADDR=VALUE   stop when this word of L1 has this value (all of them)\n"
        "  --dump ADDR:LEN=FILE write a piece of L1 to a file at the end\n"
        "  --max-steps N        stop after N steps of all cores together (default 100000000;\n"
        "                       of a case: its own limit)\n"
        "  --untimed            run untimed, also a case that is clocked; with --trace\n"
        "                       events by steps; no other option below goes with it\n"
        "  --clocked            run clocked; the options below imply it\n"
        "  --max-cycles N       stop after N cycles (the same defaults)\n"
        "  --report             where the cycles of each core, thread and unit went, and which\n"
        "                       instructions waited most\n"
        "  --json               the same, and why the tile hangs, as one JSON object\n"
        "  --trace[=FILE]       one line per event\n"
        "  --timing NAME=VALUE  give the machine another number than the typical one, for example\n"
        "                       LOAD_L1=10 or MVMUL.latency=6! (`waitgate timing` lists them; !:\n"
        "                       also outside of minimum and maximum); can be repeated\n"
        "  --no-skip            walk through waits and polls; slow, and the same in every cycle\n"
        "  --quiet              print nothing but errors and failed expectations\n"
        "\n"
        "exit status: 0 good; 1 bad input, or an expectation not met; 2 bad command line;\n"
        "  3 hang: something waits and nothing can change that; or nothing moves any more and\n"
        "  --until does not hold; 4 the limit was reached; 128 + N: interrupted by signal N,\n"
        "  trace and reports go up to there.\n",
        to);
}

/* A number that ends at `end`; NULL if it does not. */
static const char *number(const char *text, char end, uint32_t *value)
{
    char *rest;
    errno = 0;
    unsigned long long v = strtoull(text, &rest, 0);
    if (errno || rest == text || *rest != end || v > UINT32_MAX)
        return NULL;
    *value = (uint32_t)v;
    return rest + (end ? 1 : 0);
}

/* Says what is wrong with the value of an option. */
static bool complain(const char *option, const char *expected, const char *found)
{
    fprintf(stderr, "waitgate: run: %s: expected %s, found '%s'\n", option, expected, found);
    return false;
}

static bool parse_until(struct job *j, const char *text)
{
    struct case_until u;
    const char *rest = number(text, '=', &u.address);
    if (!rest || !number(rest, '\0', &u.value) || u.address & 3 || u.address >= LOAD_L1_SIZE)
        return complain("--until", "ADDR=VALUE with the address of a word in L1", text);
    if (j->n_until == MAX_LIST)
        return complain("--until", "no more than 32 of them", text);
    j->until[j->n_until++] = u;
    return true;
}

static bool parse_dump(struct job *j, const char *text)
{
    struct case_dump d = {0};
    const char *rest = number(text, ':', &d.from);
    rest = rest ? number(rest, '=', &d.length) : NULL;
    if (!rest || !*rest || d.from > LOAD_L1_SIZE || d.length > LOAD_L1_SIZE - d.from)
        return complain("--dump", "ADDR:LEN=FILE with a piece of L1", text);
    if (j->n_dump == MAX_LIST)
        return complain("--dump", "no more than 32 of them", text);
    d.file = (char *)(uintptr_t)rest;
    j->dump[j->n_dump++] = d;
    return true;
}

static bool parse_l1(struct job *j, const char *text)
{
    if (j->n_raw == MAX_LIST)
        return complain("--l1", "no more than 32 of them", text);
    j->raw[j->n_raw++] = text;
    return true;
}

static bool parse_limit(const char *option, const char *text, uint64_t *limit)
{
    char *rest;
    errno = 0;
    unsigned long long v = strtoull(text, &rest, 0);
    if (errno || rest == text || *rest || *text == '-' || !v)
        return complain(option, "a number from 1 up", text);
    *limit = v;
    return true;
}

static bool until_holds(waitgate_tile *tile, const struct job *j)
{
    for (unsigned i = 0; i < j->n_until; i++) {
        uint32_t word = 0;
        waitgate_tile_read(tile, j->until[i].address, &word, 4);
        if (word != j->until[i].value)
            return false;
    }
    return j->n_until != 0;
}

/* Where a core's data RAM lies as seen from outside. */
static uint32_t local_window(enum load_core core)
{
    static const uint32_t window[LOAD_N_CORES] = {[LOAD_CORE_B] = 0xFFB14000,
                                                  [LOAD_CORE_NC] = 0xFFB16000,
                                                  [LOAD_CORE_T0] = 0xFFB18000,
                                                  [LOAD_CORE_T1] = 0xFFB1A000,
                                                  [LOAD_CORE_T2] = 0xFFB1C000};
    return window[core];
}

static void write_word(waitgate_tile *tile, uint32_t address, uint32_t value)
{
    waitgate_tile_write(tile, address, &value, 4);
}

/* Start addresses, then the cores that have a program and are to run leave reset. Data linked into a
   core's own RAM is written after that, because reset clears it. */
static void start(waitgate_tile *tile, const struct image *image, const struct job *j)
{
    uint32_t held = 0x47800, override = 0;
    for (unsigned i = 0; i < image->n_parts; i++) {
        const struct image_part *p = &image->parts[i];
        if (p->place == ELF_L1)
            waitgate_tile_write(tile, p->addr, p->bytes, p->n_bytes);
    }
    for (unsigned i = 0; i < LOAD_N_CORES; i++) {
        if (!image->elfs[i])
            continue;
        if (i >= LOAD_CORE_T0 && i <= LOAD_CORE_T2) {
            write_word(tile, 0xFFB12228 + 4 * (i - LOAD_CORE_T0), image->start[i]);
            override |= 1u << (i - LOAD_CORE_T0);
        } else if (i == LOAD_CORE_NC) {
            write_word(tile, 0xFFB12238, image->start[i]);
            write_word(tile, 0xFFB1223C, 1);
        }
        if (j->released[i])
            held &= ~tile_cores_info((enum load_core)i)->reset_bit;
    }
    write_word(tile, 0xFFB12234, override);
    write_word(tile, 0xFFB121B0, held);
    for (unsigned i = 0; i < image->n_parts; i++) {
        const struct image_part *p = &image->parts[i];
        if (p->place == ELF_LOCAL)
            waitgate_tile_write(
                tile, local_window(p->core) + (p->addr - LOAD_LOCAL_BASE), p->bytes, p->n_bytes);
    }
}

/* Address, function and source line of an instruction. */
static void print_place(struct elf *elf, uint32_t pc)
{
    const char *name, *file;
    uint32_t offset;
    unsigned line;
    printf("; pc 0x%05x", pc);
    if (elf && elf_symbol(elf, pc, &name, &offset))
        printf(" %s+0x%x", name, offset);
    if (elf && elf_line(elf, pc, &file, &line))
        printf(" (%s:%u)", file, line);
}

static void print_core(const struct waitgate_core *c, struct elf *elf)
{
    static const char *const state[] = {"held in reset", "running", "waits", "stopped"};
    if (c->state == WAITGATE_CORE_HELD)
        return;
    printf("core %-2s  %12" PRIu64 " steps  %s", c->name, c->steps, state[c->state]);
    if (c->state == WAITGATE_CORE_BLOCKED)
        printf(" at 0x%08x: %s", c->address, c->waits);
    else if (c->state == WAITGATE_CORE_STOPPED)
        printf(": %s", c->waits);
    print_place(elf, c->pc);
    putchar('\n');
}

static void print_thread(const waitgate_tile *tile, const struct image *image, unsigned i)
{
    struct waitgate_thread t;
    char text[128];
    if (waitgate_tile_thread(tile, i, &t) != WAITGATE_OK)
        return;
    printf("thread T%u %10" PRIu64 " Tensix instructions", i, t.issued);
    if (t.queued)
        printf(", %u words waiting", t.queued);
    if (t.held) {
        waitgate_disassemble(t.word, WAITGATE_DISASSEMBLE_SYMBOLIC, text, sizeof text);
        printf("; held: %s", text);
        if (t.core >= 0)
            print_place(image->elfs[t.core], t.pc);
        if (t.wait_word) {
            waitgate_disassemble(t.wait_word, WAITGATE_DISASSEMBLE_SYMBOLIC, text, sizeof text);
            printf("; by %s", text);
            if (t.wait_core >= 0)
                print_place(image->elfs[t.wait_core], t.wait_pc);
        }
        printf("; %s; owner: %s", t.cause, t.owner);
    }
    putchar('\n');
}

static void print_notices(const waitgate_tile *tile, const struct image *image)
{
    struct waitgate_notice n;
    for (unsigned i = 0; waitgate_tile_notice(tile, i, &n); i++) {
        printf("%s %s: %s, word 0x%08x: %s", n.kind, n.id, n.who, n.word, n.text);
        if (n.core >= 0)
            print_place(image->elfs[n.core], n.pc);
        putchar('\n');
    }
}

static void print_summary(waitgate_tile *tile, const struct image *image, uint64_t steps)
{
    printf("%" PRIu64 " steps\n", steps);
    for (unsigned i = 0; i < WAITGATE_CORES; i++) {
        struct waitgate_core c;
        if (waitgate_tile_core(tile, i, &c) == WAITGATE_OK)
            print_core(&c, image->elfs[i]);
    }
    for (unsigned i = 0; i < 3; i++)
        print_thread(tile, image, i);
    print_notices(tile, image);
}

static bool check_expectations(waitgate_tile *tile, const struct case_file *file)
{
    bool good = true;
    for (unsigned i = 0; i < file->n_expects; i++)
        for (unsigned k = 0; k < file->expects[i].n_words; k++) {
            uint32_t at = file->expects[i].at + 4 * k, word = 0;
            waitgate_tile_read(tile, at, &word, 4);
            if (word == file->expects[i].words[k])
                continue;
            fprintf(stderr,
                    "%s:%u: expected 0x%x at 0x%x, got 0x%x\n",
                    file->path,
                    file->expects[i].line,
                    file->expects[i].words[k],
                    at,
                    word);
            good = false;
        }
    return good;
}

static bool write_dumps(waitgate_tile *tile, const struct case_dump *dumps, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        uint8_t *bytes = malloc(dumps[i].length ? dumps[i].length : 1);
        FILE *f = bytes ? fopen(dumps[i].file, "wb") : NULL;
        if (bytes)
            waitgate_tile_read(tile, dumps[i].from, bytes, dumps[i].length);
        bool good = f && fwrite(bytes, 1, dumps[i].length, f) == dumps[i].length;
        if (f && fclose(f))
            good = false;
        free(bytes);
        if (!good) {
            fprintf(stderr, "waitgate: %s: %s\n", dumps[i].file, strerror(errno));
            return false;
        }
    }
    return true;
}

static int finish(waitgate_tile *tile, const struct image *image, const struct job *j,
                  uint64_t steps, bool met)
{
    bool limit = steps >= j->max_steps;
    if (!j->quiet || (!met && j->n_until))
        print_summary(tile, image, steps);
    if (!write_dumps(tile, j->dump, j->n_dump))
        return EXIT_INPUT;
    if (output_stopped())
        return output_status(EXIT_INPUT);
    if (!met && j->n_until) {
        fprintf(stderr,
                limit ? "waitgate: the limit of steps was reached\n"
                      : "waitgate: nothing moves any more, and --until does not hold\n");
        return limit ? EXIT_STEPS : EXIT_HANG;
    }
    return !j->file || check_expectations(tile, j->file) ? EXIT_OK : EXIT_INPUT;
}

static int source_of(void *context, unsigned core, uint32_t pc, struct waitgate_source *s)
{
    struct elf *elf = ((struct image *)context)->elfs[core];
    if (!elf)
        return 0;
    bool symbol = elf_symbol(elf, pc, &s->function, &s->offset);
    bool line = elf_line(elf, pc, &s->file, &s->line);
    return symbol || line;
}

/* What there is to say after a clocked run. */
static void print_clocked(waitgate_tile *tile, const struct image *image, const struct job *j,
                          enum waitgate_tile_end end)
{
    struct output out = {.file = stdout};
    if (j->json) {
        waitgate_tile_report_json(tile, output_write, &out);
        return;
    }
    if (end == WAITGATE_TILE_HANG)
        waitgate_tile_report_hang(tile, output_write, &out);
    if (end == WAITGATE_TILE_LIMIT)
        waitgate_tile_report_stand(tile, output_write, &out);
    if (j->report) {
        if (end == WAITGATE_TILE_HANG || end == WAITGATE_TILE_LIMIT)
            putchar('\n');
        waitgate_tile_report(tile, output_write, &out);
    } else if (!j->quiet) {
        printf("%" PRIu64 " cycles\n", waitgate_tile_cycle(tile));
    }
    if (!j->quiet)
        print_notices(tile, image);
}

static int finish_clocked(waitgate_tile *tile, const struct image *image, const struct job *j,
                          enum waitgate_tile_end end)
{
    bool met = !j->n_until || until_holds(tile, j);
    print_clocked(tile, image, j, end);
    if (!write_dumps(tile, j->dump, j->n_dump))
        return EXIT_INPUT;
    if (end == WAITGATE_TILE_INTERRUPTED)
        return output_status(EXIT_INPUT);
    if (end == WAITGATE_TILE_HANG && !(j->n_until && met)) {
        fprintf(stderr, "waitgate: the tile hangs\n");
        return EXIT_HANG;
    }
    if (end == WAITGATE_TILE_LIMIT) {
        fprintf(stderr, "waitgate: the limit of cycles was reached\n");
        return EXIT_STEPS;
    }
    if (!met) {
        fprintf(stderr, "waitgate: all programs have ended, and --until does not hold\n");
        return EXIT_HANG;
    }
    return !j->file || check_expectations(tile, j->file) ? EXIT_OK : EXIT_INPUT;
}

static void interrupt(void *tile)
{
    waitgate_tile_interrupt(tile);
}

/* The trace, if one is wanted; from here on the run can be interrupted. False, with a message: there can be none. */
static bool open_trace(waitgate_tile *tile, const struct job *j, struct output *trace)
{
    if (!output_open(trace, j->trace))
        return false;
    if (trace->file && waitgate_tile_trace(tile, output_write, trace) != WAITGATE_OK) {
        fputs("waitgate: no memory for the trace\n", stderr);
        output_close(trace);
        return false;
    }
    output_interrupts(interrupt, tile);
    return true;
}

static bool close_trace(struct output *trace)
{
    output_interrupts(NULL, NULL);
    return output_close(trace);
}

/* With time, to the end, the limit or --until. */
static int run_clocked(waitgate_tile *tile, const struct image *image, const struct job *j)
{
    struct output trace;
    for (unsigned i = 0; i < j->of_file.n; i++) /* they have been checked */
        waitgate_tile_timing(tile, &j->of_file.setting[i], NULL);
    for (unsigned i = 0; i < j->settings.n; i++)
        waitgate_tile_timing(tile, &j->settings.setting[i], NULL);
    waitgate_tile_clock(tile, 0); /* from now on clocked */
    waitgate_tile_profile(tile, j->report || j->json);
    waitgate_tile_no_skip(tile, j->no_skip);
    for (unsigned i = 0; i < j->n_until; i++)
        waitgate_tile_until(tile, j->until[i].address, j->until[i].value);
    if (!open_trace(tile, j, &trace))
        return EXIT_INPUT;
    start(tile, image, j);
    enum waitgate_tile_end end = waitgate_tile_clock(tile, j->max_cycles);
    if (!close_trace(&trace))
        return EXIT_INPUT;
    if (end == WAITGATE_TILE_NO_MEMORY) {
        fputs("waitgate: no memory for the trace\n", stderr);
        return EXIT_INPUT;
    }
    return finish_clocked(tile, image, j, end);
}

static int run_untimed(waitgate_tile *tile, const struct image *image, const struct job *j)
{
    uint64_t steps = 0;
    bool met = false;
    struct output trace;
    if (!open_trace(tile, j, &trace))
        return EXIT_INPUT;
    start(tile, image, j);
    while (!met && steps < j->max_steps && !output_stopped()) {
        uint64_t left = j->max_steps - steps,
                 n = waitgate_tile_run(tile, left < SLICE ? left : SLICE);
        steps += n;
        met = until_holds(tile, j);
        if (!n)
            break;
    }
    return close_trace(&trace) ? finish(tile, image, j, steps, met) : EXIT_INPUT;
}

static int run_image(const struct image *image, const struct job *j)
{
    waitgate_tile *tile;
    if (waitgate_tile_create(&tile) != WAITGATE_OK) {
        fputs("waitgate: no memory for a tile\n", stderr);
        return EXIT_INPUT;
    }
    waitgate_tile_places(tile, source_of, (void *)(uintptr_t)image);
    int code = j->clocked ? run_clocked(tile, image, j) : run_untimed(tile, image, j);
    waitgate_tile_free(tile);
    return code;
}

static int fail(const struct load_error *error)
{
    fprintf(stderr, "%s\n", error->message);
    return EXIT_INPUT;
}

static bool take_settings(struct job *j, const struct case_file *file)
{
    char where[512];
    for (unsigned i = 0; i < file->n_timing; i++) {
        const struct case_timing *t = &file->timing[i];
        snprintf(where, sizeof where, "%.480s:%u: timing", file->path, t->line);
        if (!settings_put(&j->of_file, t->name, t->value, where))
            return false;
    }
    if (j->untimed && file->n_timing) {
        fprintf(stderr,
                "%s: untimed, no number counts: leave out timing there, or --untimed here\n",
                where);
        return false;
    }
    return true;
}

static int run_case(const char *path, struct job *j)
{
    struct load_error error;
    struct case_file *file;
    struct image image;
    image_init(&image);
    if (case_read(path, &file, &error) != LOAD_OK)
        return fail(&error);
    int code = EXIT_INPUT;
    if (!take_settings(j, file)) {
        code = EXIT_INPUT;
    } else if (file->n_until > MAX_LIST || file->n_dumps > MAX_LIST) {
        fprintf(stderr, "%s: at most %u entries in until and dump\n", path, MAX_LIST);
    } else if (case_image(file, &image, &error) != LOAD_OK) {
        code = fail(&error);
    } else {
        memcpy(j->released, file->released, sizeof j->released);
        for (unsigned i = 0; i < file->n_until; i++)
            j->until[i] = file->until[i];
        for (unsigned i = 0; i < file->n_dumps; i++)
            j->dump[i] = file->dumps[i];
        j->n_until = file->n_until;
        j->n_dump = file->n_dumps;
        if (file->max_steps && !j->steps_given)
            j->max_steps = file->max_steps;
        if (file->max_steps && !j->cycles_given)
            j->max_cycles = file->max_steps;
        j->clocked |= file->mode == CASE_CLOCKED && !j->untimed;
        j->file = file;
        code = run_image(&image, j);
    }
    image_free(&image);
    case_free(file);
    return code;
}

static int run_command_line(struct job *j)
{
    struct load_error error;
    struct image image;
    enum load_status status = LOAD_OK;
    image_init(&image);
    for (unsigned i = 0; i < LOAD_N_CORES && status == LOAD_OK; i++)
        if (j->program[i]) {
            status = image_add_elf(&image, (enum load_core)i, j->program[i], &error);
            j->released[i] = j->release_all || !j->program[LOAD_CORE_B] || i == LOAD_CORE_B;
        }
    for (unsigned i = 0; i < j->n_raw && status == LOAD_OK; i++)
        status = image_add_raw(&image, j->raw[i], &error);
    if (status == LOAD_OK)
        status = image_finish(&image, &error);
    int code = status == LOAD_OK ? run_image(&image, j) : fail(&error);
    image_free(&image);
    return code;
}

/* One option; false, with a message, if it is wrong. */
static bool take_option(struct job *j, int c, const char *value)
{
    switch (c) {
    case 'l': return parse_l1(j, value);
    case 'a':
        j->release_all = !strcmp(value, "all");
        return j->release_all || complain("--release", "all", value);
    case 'u': return parse_until(j, value);
    case 'd': return parse_dump(j, value);
    case 'm': j->steps_given = true; return parse_limit("--max-steps", value, &j->max_steps);
    case 'M':
        j->cycles_given = j->clocked = true;
        return parse_limit("--max-cycles", value, &j->max_cycles);
    case 'c': j->clocked = true; return true;
    case 'r': j->report = j->clocked = true; return true;
    case 'J': j->json = j->clocked = true; return true;
    case 'U': j->untimed = true; return true;
    case 't': j->trace = value ? value : ""; return true;
    case 'n': j->no_skip = j->clocked = true; return true;
    case 'q': j->quiet = true; return true;
    case 'T':
        j->clocked = true;
        return settings_add(&j->settings, value, "waitgate: run: --timing");
    default:
        if (c < 1 || c > LOAD_N_CORES)
            return false;
        j->program[c - 1] = value;
        return true;
    }
}

/* Programs by options, or one case file that says all of that itself? */
static bool is_one_job(struct job *j, int n, char **files)
{
    bool programs = false;
    if (j->untimed && j->settings.n) {
        fputs("waitgate: run: untimed, no number counts: leave out --timing, or --untimed\n",
              stderr);
        return false;
    }
    if (j->untimed && j->clocked) {
        fputs("waitgate: run: --untimed does not go with --clocked, or what implies that\n",
              stderr);
        return false;
    }
    j->clocked |= j->trace && !j->untimed;
    for (unsigned i = 0; i < LOAD_N_CORES; i++)
        programs |= j->program[i] != NULL;
    if (programs && n) {
        fprintf(stderr, "waitgate: run: unexpected argument '%s' beside programs\n", files[0]);
        return false;
    }
    if (n > 1) {
        fprintf(stderr, "waitgate: run: expected one case file, found %d\n", n);
        return false;
    }
    if (n && (j->n_raw || j->n_until || j->n_dump || j->release_all)) {
        fputs(
            "waitgate: run: --l1, --until, --dump and --release go with programs; a case file has "
            "its own\n",
            stderr);
        return false;
    }
    return true;
}

int cmd_run_tile(int argc, char **argv)
{
    static const struct option longs[] = {{"brisc", required_argument, NULL, 1 + LOAD_CORE_B},
                                          {"trisc0", required_argument, NULL, 1 + LOAD_CORE_T0},
                                          {"trisc1", required_argument, NULL, 1 + LOAD_CORE_T1},
                                          {"trisc2", required_argument, NULL, 1 + LOAD_CORE_T2},
                                          {"ncrisc", required_argument, NULL, 1 + LOAD_CORE_NC},
                                          {"release", required_argument, NULL, 'a'},
                                          {"l1", required_argument, NULL, 'l'},
                                          {"until", required_argument, NULL, 'u'},
                                          {"dump", required_argument, NULL, 'd'},
                                          {"max-steps", required_argument, NULL, 'm'},
                                          {"max-cycles", required_argument, NULL, 'M'},
                                          {"untimed", no_argument, NULL, 'U'},
                                          {"clocked", no_argument, NULL, 'c'},
                                          {"no-skip", no_argument, NULL, 'n'},
                                          {"timing", required_argument, NULL, 'T'},
                                          {"trace", optional_argument, NULL, 't'},
                                          {"quiet", no_argument, NULL, 'q'},
                                          {"report", no_argument, NULL, 'r'},
                                          {"json", no_argument, NULL, 'J'},
                                          {"help", no_argument, NULL, 'h'},
                                          {NULL, 0, NULL, 0}};
    struct job j = {.max_steps = DEFAULT_STEPS, .max_cycles = DEFAULT_STEPS};
    int c;
    while ((c = getopt_long(argc, argv, "hq", longs, NULL)) != -1) {
        if (c == 'h') {
            cmd_run_tile_usage(stdout);
            return EXIT_OK;
        }
        if (!take_option(&j, c, optarg)) {
            cmd_run_tile_usage(stderr);
            return EXIT_USAGE;
        }
    }
    if (!is_one_job(&j, argc - optind, argv + optind)) {
        cmd_run_tile_usage(stderr);
        return EXIT_USAGE;
    }
    return optind < argc ? run_case(argv[optind], &j) : run_command_line(&j);
}
