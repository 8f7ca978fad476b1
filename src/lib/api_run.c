/*
 * api_run.c - the part of waitgate.h that parses and runs programs.
 *
 * Block: none; src/script does the work.
 *
 * **Inaccuracies**: none.
 */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/result.h"

enum waitgate_status waitgate_program_parse(const char *text, size_t length, const char *name,
                                            waitgate_program **program,
                                            struct waitgate_parse_error *error)
{
    struct tts_error e = {0};
    if (!text || !name || !program)
        return WAITGATE_ERROR_ARGUMENT;
    *program = NULL;
    waitgate_program *p = calloc(1, sizeof *p);
    if (p && tts_parse(text, length, name, &p->tts, &e)) {
        *program = p;
        return WAITGATE_OK;
    }
    if (error) {
        error->line = e.line;
        error->column = e.column;
        snprintf(error->message, sizeof error->message, "%s", p ? e.text : "out of memory");
    }
    enum waitgate_status status =
        !p || !strcmp(e.text, "out of memory") ? WAITGATE_ERROR_MEMORY : WAITGATE_ERROR_SYNTAX;
    free(p);
    return status;
}

void waitgate_program_free(waitgate_program *program)
{
    if (program)
        tts_parse_free(program->tts);
    free(program);
}

static void on_event(void *context, const struct event *e)
{
    struct waitgate_result *r = context;
    trace_text(&r->trace, r->run.program, e);
}

#define FIELD_END(field)                                                                           \
    (offsetof(struct waitgate_options, field) + sizeof((struct waitgate_options *)0)->field)

/* Where each field ends. */
static const size_t field_ends[] = {FIELD_END(size),
                                    FIELD_END(max_cycles),
                                    FIELD_END(no_skip),
                                    FIELD_END(stop_on),
                                    FIELD_END(ignore),
                                    FIELD_END(trace),
                                    FIELD_END(trace_context),
                                    FIELD_END(interrupt),
                                    FIELD_END(settings),
                                    FIELD_END(n_settings)};
_Static_assert(FIELD_END(n_settings) == sizeof(struct waitgate_options), "one field is not there");

/* The caller's structure may be older and shorter: the fields that are whole. */
static struct waitgate_options read_options(const struct waitgate_options *given)
{
    struct waitgate_options o = WAITGATE_OPTIONS_INIT;
    size_t n = 0;
    for (unsigned i = 0; given && i < sizeof field_ends / sizeof *field_ends; i++)
        if (field_ends[i] <= given->size)
            n = field_ends[i];
    if (n)
        memcpy(&o, given, n);
    return o;
}

static void set_policy(struct run_options *run, const struct waitgate_options *o)
{
    for (unsigned i = 0; i < N_DIAG_CATEGORIES; i++) {
        run->policy[i] = DIAG_POLICY_WARN;
        if (o->ignore >> i & 1)
            run->policy[i] = DIAG_POLICY_IGNORE;
        if (o->stop_on >> i & 1)
            run->policy[i] = DIAG_POLICY_STOP;
    }
}

/* The machine that the program asks for, with the numbers that the caller wants. */
static enum waitgate_status set_numbers(struct timing *t, const struct tts_program *p,
                                        const struct waitgate_options *o)
{
    *t = p->timing;
    if (o->n_settings && !o->settings)
        return WAITGATE_ERROR_ARGUMENT;
    for (size_t i = 0; i < o->n_settings; i++) {
        if (!o->settings[i].name)
            return WAITGATE_ERROR_ARGUMENT;
        if (!api_isa_setting_take(t, &o->settings[i], NULL))
            return WAITGATE_ERROR_RANGE;
    }
    return WAITGATE_OK;
}

enum waitgate_status waitgate_run(const waitgate_program *program,
                                  const struct waitgate_options *options, waitgate_result **result)
{
    if (!program || !result || (options && options->size < sizeof options->size))
        return WAITGATE_ERROR_ARGUMENT;
    *result = NULL;
    struct waitgate_options o = read_options(options);
    waitgate_result *r = calloc(1, sizeof *r);
    if (!r)
        return WAITGATE_ERROR_MEMORY;
    struct run_options run = {
        .max_cycles = o.max_cycles, .no_skip = o.no_skip, .interrupt = o.interrupt};
    set_policy(&run, &o);
    enum waitgate_status status = set_numbers(&run.timing, program->tts, &o);
    if (status != WAITGATE_OK) {
        free(r);
        return status;
    }
    if (o.trace) {
        r->trace = (struct text_sink){o.trace, o.trace_context};
        run.trace = on_event;
        run.trace_ctx = r;
    }
    if (!run_init(&r->run, program->tts, &run)) {
        free(r);
        return WAITGATE_ERROR_MEMORY;
    }
    run_go(&r->run);
    if (r->run.end == RUN_END_BROKEN) {
        waitgate_result_free(r);
        return WAITGATE_ERROR_INTERNAL;
    }
    *result = r;
    return WAITGATE_OK;
}

void waitgate_result_free(waitgate_result *result)
{
    if (result)
        run_free(&result->run);
    free(result);
}

_Static_assert((int)RUN_END_DONE == WAITGATE_END_DONE &&
                   (int)RUN_END_DEADLOCK == WAITGATE_END_DEADLOCK &&
                   (int)RUN_END_MAX == WAITGATE_END_LIMIT &&
                   (int)RUN_END_STOPPED == WAITGATE_END_STOPPED &&
                   (int)RUN_END_INTERRUPTED == WAITGATE_END_INTERRUPTED,
               "ends are the same inside and outside");

enum waitgate_end waitgate_result_end(const waitgate_result *result)
{
    return result ? (enum waitgate_end)result->run.end : WAITGATE_END_DONE;
}

int waitgate_result_end_expected(const waitgate_result *result)
{
    if (!result)
        return 0;
    const struct tts_program *p = result->run.program;
    switch (result->run.end) {
    case RUN_END_DONE: return 1;
    case RUN_END_DEADLOCK: return check_expects(p, EXPECT_DEADLOCK);
    case RUN_END_MAX: return check_expects(p, EXPECT_MAX_CYCLES);
    default: return 0;
    }
}

uint64_t waitgate_result_cycles(const waitgate_result *result)
{
    return result ? result->run.cycles : 0;
}

uint64_t waitgate_result_skipped(const waitgate_result *result)
{
    return result ? result->run.skipped : 0;
}

uint64_t waitgate_result_issued(const waitgate_result *result, unsigned thread)
{
    return result && thread < COPROC_THREADS ? result->run.coproc.issued[thread] : 0;
}

uint64_t waitgate_result_diagnostics(const waitgate_result *result, unsigned kinds)
{
    uint64_t n = 0;
    for (unsigned i = 0; result && i < N_DIAGS; i++)
        if (kinds >> diag_table[i].category & 1)
            n += result->run.coproc.probe.count[i];
    return n;
}

enum waitgate_status waitgate_result_ledger(const waitgate_result *result, unsigned row,
                                            struct waitgate_ledger *ledger, size_t size)
{
    if (!result || !ledger)
        return WAITGATE_ERROR_ARGUMENT;
    for (unsigned agent = 0; agent < N_AGENTS; agent++) {
        const struct ledger *l = &result->run.coproc.ledger[agent];
        if (row >= l->n_pairs) {
            row -= l->n_pairs;
            continue;
        }
        const struct ledger_pair *pair = &l->pair[row];
        struct waitgate_ledger all = {owner_names[agent],
                                      wait_table[pair->cause].name,
                                      wait_table[pair->cause].text,
                                      result_owner_text(pair),
                                      pair->cycles};
        memcpy(ledger, &all, size < sizeof all ? size : sizeof all);
        return WAITGATE_OK;
    }
    return WAITGATE_ERROR_RANGE;
}

unsigned waitgate_result_failures(const waitgate_result *result)
{
    return result ? result->run.check.n_failed + result->run.check.n_unexpected : 0;
}

size_t waitgate_result_failure(const waitgate_result *result, unsigned i, char *text, size_t size)
{
    char what[400];
    if (i >= waitgate_result_failures(result) || (!text && size))
        return 0;
    unsigned line = check_failure(&result->run.check, &result->run, i, what, sizeof what);
    int n = line ? snprintf(text, size, "%s:%u: %s", result->run.program->name, line, what)
                 : snprintf(text, size, "%s: %s", result->run.program->name, what);
    return n < 0 ? 0 : (size_t)n;
}
