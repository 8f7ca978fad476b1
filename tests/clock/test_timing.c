/*
 * test_timing.c - every number that can be set changes a run.
 *
 * For each row of timing.def and each cost of tensix.def that is not structural, and follows no other, some run must come out
 * differently when it has another value: the programs of tests/tts, a program of the instruction itself, which is made from the
 * table, or random programs for the cores (program.h). The values are taken within minimum and maximum; where those are the same,
 * the number is forced. A new row that nothing reads, or that no program shows, fails with its name. Structural numbers
 * must be refused. Each is also set to the least and the most that there is room for.
 */
#include <glob.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/tensix.h"
#include "isa/timing.h"
#include "lib/handle.h"
#include "program.h"
#include "waitgate.h"

#define TEXTS  400u
#define CORES  60u /* random programs */
#define CYCLES 20000u
#define VALUES 8u

/* What can be run, and what becomes of it on a machine with the typical numbers. */
struct text {
    waitgate_program *program;
    uint64_t typical;
};
struct cores {
    struct program *program;
    uint64_t typical;
};

static struct text texts[TEXTS];
static struct cores cores[CORES];
static unsigned n_texts;

/* ---- what a run shows, as one number: all its events ---- */

static void mix(uint64_t *sum, const void *bytes, size_t n)
{
    const unsigned char *b = bytes;
    for (size_t i = 0; i < n; i++)
        *sum = (*sum ^ b[i]) * UINT64_C(0x100000001b3);
}

static void take_text(void *sum, const char *text, size_t length)
{
    mix(sum, text, length);
}

static uint64_t run_text(const waitgate_program *program, const struct waitgate_setting *setting)
{
    uint64_t sum = UINT64_C(0xcbf29ce484222325);
    struct waitgate_options o = WAITGATE_OPTIONS_INIT;
    waitgate_result *result;
    o.max_cycles = CYCLES;
    o.trace = take_text;
    o.trace_context = &sum;
    o.settings = setting;
    o.n_settings = setting != NULL;
    if (waitgate_run(program, &o, &result) != WAITGATE_OK) {
        fprintf(stderr,
                "%s = %u: the run fails\n",
                setting ? setting->name : "typical",
                setting ? setting->value : 0);
        exit(1);
    }
    uint64_t cycles = waitgate_result_cycles(result);
    mix(&sum, &cycles, sizeof cycles);
    waitgate_result_free(result);
    return sum;
}

static void take_event(void *sum, const struct event *e)
{
    const uint64_t what[] = {e->cycle, e->kind, e->agent, e->cause, e->owner, e->word, e->arg};
    mix(sum, what, sizeof what);
}

static uint64_t run_cores(const struct program *p, const struct waitgate_setting *setting)
{
    static struct waitgate_tile tile;
    uint64_t sum = UINT64_C(0xcbf29ce484222325);
    memset(&tile, 0, sizeof tile);
    tile_reset(&tile.tile);
    if (setting && waitgate_tile_timing(&tile, setting, NULL) != WAITGATE_OK) {
        fprintf(stderr, "%s = %u: refused\n", setting->name, setting->value);
        exit(1);
    }
    program_load(p, &tile.tile);
    struct probe *probe = &tile.tile.coproc.probe;
    probe->sink = take_event;
    probe->ctx = &sum;
    probe->mask = UINT32_MAX;
    waitgate_tile_clock(&tile, CYCLES);
    mix(&sum, &tile.tile.clock.now, sizeof tile.tile.clock.now);
    return sum;
}

/* ---- what there is to run ---- */

static void add_text(const char *text, size_t length, const char *name)
{
    struct waitgate_parse_error e;
    struct text *t = &texts[n_texts];
    if (n_texts == TEXTS ||
        waitgate_program_parse(text, length, name, &t->program, &e) != WAITGATE_OK) {
        fprintf(stderr, "%s: no room, or not a program\n", name);
        exit(1);
    }
    t->typical = run_text(t->program, NULL);
    n_texts++;
}

static void add_files(const char *pattern)
{
    static char text[1 << 16];
    glob_t found;
    if (glob(pattern, 0, NULL, &found) != 0 || !found.gl_pathc) {
        fprintf(stderr, "%s: nothing\n", pattern);
        exit(1);
    }
    for (size_t i = 0; i < found.gl_pathc; i++) {
        FILE *f = fopen(found.gl_pathv[i], "rb");
        size_t n = f ? fread(text, 1, sizeof text, f) : 0;
        if (f)
            fclose(f);
        add_text(text, n, found.gl_pathv[i]);
    }
    globfree(&found);
}

/* Core T0 uses what it loads from its own data RAM by the slow way, and from Dst. */
static void make_loads(struct program *p)
{
    struct program_core *c = &p->core[RV_T0];
    const uint32_t base[] = {0xFFB18000, 0xFFBD8000};
    memset(p, 0, sizeof *p);
    p->cores = 1u << RV_T0;
    c->start = 0x6000;
    for (unsigned i = 0; i < 2; i++) {
        c->word[c->n++] =
            rv32_encode(RV_OP_LUI, (struct rv32_args){.rd = 5, .imm = (int32_t)base[i]});
        c->word[c->n++] = rv32_encode(RV_OP_LW, (struct rv32_args){.rd = 6, .rs1 = 5});
        c->word[c->n++] = rv32_encode(RV_OP_LW, (struct rv32_args){.rd = 6, .rs1 = 5});
        c->word[c->n++] = rv32_encode(RV_OP_ADD, (struct rv32_args){.rd = 7, .rs1 = 6, .rs2 = 6});
    }
    c->word[c->n++] = rv32_encode(RV_OP_EBREAK, (struct rv32_args){0});
}

static void make_cores(void)
{
    for (unsigned i = 0; i < CORES; i++) {
        cores[i].program = malloc(sizeof *cores[i].program);
        if (!cores[i].program)
            exit(1);
        if (i) {
            program_plan(cores[i].program, 1, i, i & 1);
            program_write(cores[i].program);
        } else {
            make_loads(cores[i].program);
        }
        cores[i].typical = run_cores(cores[i].program, NULL);
    }
}

/* Two of an instruction; and a wait for its unit; and, between, one that no window lets through. */
static waitgate_program *make_insn(const struct tensix_insn *insn, unsigned kind)
{
    static const unsigned wait[TENSIX_N_UNITS] = {[TENSIX_UNIT_UNPACK] = 6,
                                                  [TENSIX_UNIT_MATRIX] = 1u << 4,
                                                  [TENSIX_UNIT_PACK] = 1u << 3,
                                                  [TENSIX_UNIT_VECTOR] = 1u << 11,
                                                  [TENSIX_UNIT_SCALAR] = 1,
                                                  [TENSIX_UNIT_MOVER] = 1u << 9};
    char text[400];
    uint32_t word = (uint32_t)insn->opcode << 24;
    waitgate_program *program;
    int n =
        snprintf(text,
                 sizeof text,
                 ".preset\n bank A 0 = matrix\n bank B 0 = matrix\n.core T0\n 0x%08x\n 0x%08x\n%s",
                 (unsigned)word,
                 (unsigned)word,
                 kind == 2 && insn->unit == TENSIX_UNIT_VECTOR ? " ttsfpmov 0, 0, 0, 0\n" : "");
    if (kind)
        n += snprintf(text + n,
                      sizeof text - (size_t)n,
                      " ttstallwait 511, %u\n ttnop\n ttsetadcxx 4, 0, 0\n",
                      wait[insn->unit]);
    struct waitgate_parse_error e;
    if (waitgate_program_parse(text, (size_t)n, insn->name, &program, &e) != WAITGATE_OK) {
        fprintf(stderr, "%s:%u: %s\n%s", insn->name, e.line, e.message, text);
        exit(1);
    }
    return program;
}

/* ---- proofs ---- */

/* Other values of a number: within minimum and maximum if there are any. */
static unsigned other_values(const struct cost *c, struct waitgate_setting setting[VALUES])
{
    unsigned lo = c->min > c->lo ? c->min : c->lo, hi = c->max < c->hi ? c->max : c->hi, n = 0;
    bool forced = lo == hi;
    if (forced) {
        lo = c->lo;
        hi = c->hi;
    }
    const unsigned want[] = {
        hi, lo, c->typ + 1u, c->typ + 5u, c->typ + 20u, c->typ - 1u, 2u * c->typ, c->typ / 2u};
    for (unsigned i = 0; i < VALUES; i++)
        if (want[i] >= lo && want[i] <= hi && want[i] != c->typ && want[i] <= c->typ + 64u)
            setting[n++] = (struct waitgate_setting){"", want[i], forced};
    return n;
}

static bool proved_by_texts(const struct waitgate_setting *s)
{
    for (unsigned i = 0; i < n_texts; i++)
        if (run_text(texts[i].program, s) != texts[i].typical)
            return true;
    return false;
}

static bool proved_by_cores(const struct waitgate_setting *s)
{
    for (unsigned i = 0; i < CORES; i++)
        if (run_cores(cores[i].program, s) != cores[i].typical)
            return true;
    return false;
}

static bool proved_by_itself(const struct tensix_insn *insn, const struct waitgate_setting *s)
{
    if (!insn)
        return false;
    bool differs = false;
    for (unsigned kind = 0; kind < 3 && !differs; kind++) {
        waitgate_program *program = make_insn(insn, kind);
        differs = run_text(program, NULL) != run_text(program, s);
        waitgate_program_free(program);
    }
    return differs;
}

/* The least and the most that there is room for: whatever comes of it, runs come to an end. */
static void try_extremes(const char *name, const struct cost *c)
{
    static unsigned next;
    const unsigned value[] = {c->lo, c->hi};
    for (unsigned i = 0; i < 2; i++) {
        struct waitgate_setting s = {name, value[i], 1};
        for (unsigned k = 0; k < 4; k++)
            run_text(texts[next++ % n_texts].program, &s);
        run_cores(cores[next % CORES].program, &s);
    }
}

/* Structural, or following another: it must be refused. */
static bool is_refused(const char *name, const struct cost *c)
{
    struct waitgate_setting s = {name, c->typ, 1};
    struct waitgate_text_error e;
    if (waitgate_timing_check(&s, &e) == WAITGATE_ERROR_RANGE &&
        strstr(e.message, c->follows ? "follows" : "structural"))
        return true;
    fprintf(stderr, "%s: can be set, or is refused without a reason\n", name);
    return false;
}

struct counts {
    unsigned proved, structural, failed;
};

static void try_number(const char *name, const struct cost *c, const struct tensix_insn *insn,
                       struct counts *n)
{
    struct waitgate_setting setting[VALUES];
    if (!c->hi) {
        n->structural += is_refused(name, c);
        n->failed += !is_refused(name, c);
        return;
    }
    try_extremes(name, c);
    unsigned values = other_values(c, setting);
    bool proved = false, of_core = !strncmp(name, "RISC_", 5) || !strncmp(name, "LOAD_", 5) ||
                                   !strncmp(name, "L1_", 3);
    for (unsigned i = 0; i < values; i++)
        setting[i].name = name;
    for (unsigned i = 0; i < values && !proved; i++)
        proved = proved_by_itself(insn, &setting[i]);
    for (unsigned i = 0; i < values && !proved && !of_core; i++)
        proved = proved_by_texts(&setting[i]);
    for (unsigned i = 0; i < values && !proved; i++)
        proved = proved_by_cores(&setting[i]);
    for (unsigned i = 0; i < values && !proved && of_core; i++)
        proved = proved_by_texts(&setting[i]);
    n->proved += proved;
    n->failed += !proved;
    if (!proved)
        fprintf(stderr, "%s: no run changes with it\n", name);
}

int main(void)
{
    struct counts n = {0};
    char name[48];
    add_files(WG_SOURCE_DIR "/tests/tts/*/*.tts");
    make_cores();
    for (unsigned i = 0; i < TIMING_N; i++)
        try_number(timing_table[i].name, &timing_table[i].cost, NULL, &n);
    for (unsigned i = 0; i < 256; i++) {
        const struct tensix_insn *insn = &tensix_table[i];
        if (!insn->name)
            continue;
        snprintf(name, sizeof name, "%s.issue", insn->name);
        try_number(name, &insn->issue, insn, &n);
        snprintf(name, sizeof name, "%s.latency", insn->name);
        try_number(name, &insn->latency, insn, &n);
    }
    printf(
        "%u numbers change a run, %u cannot be set, %u fail\n", n.proved, n.structural, n.failed);
    for (unsigned i = 0; i < n_texts; i++)
        waitgate_program_free(texts[i].program);
    for (unsigned i = 0; i < CORES; i++)
        free(cores[i].program);
    return n.failed != 0;
}
