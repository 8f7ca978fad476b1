/*
 * test_api_run.c - the part of waitgate.h that runs programs, seen from outside.
 */
#include "test.h"

#include <stdio.h>
#include <string.h>

#include "waitgate.h"

struct buffer {
    size_t n;
    char text[16384];
};

static void collect(void *context, const char *text, size_t length)
{
    struct buffer *b = context;
    assert_true(b->n + length < sizeof b->text);
    memcpy(b->text + b->n, text, length);
    b->n += length;
    b->text[b->n] = '\0';
}

static waitgate_program *parse(const char *text)
{
    waitgate_program *p;
    assert_int_equal(waitgate_program_parse(text, strlen(text), "t.tts", &p, NULL), WAITGATE_OK);
    return p;
}

static waitgate_result *run(const waitgate_program *p, const struct waitgate_options *o)
{
    waitgate_result *r;
    assert_int_equal(waitgate_run(p, o, &r), WAITGATE_OK);
    return r;
}

static void test_run(void **state)
{
    (void)state;
    waitgate_program *p = parse(".core T0\nttnop\nttnop\n.core T1\nttnop\n");
    waitgate_result *r = run(p, NULL);
    assert_int_equal(waitgate_result_end(r), WAITGATE_END_DONE);
    assert_true(waitgate_result_end_expected(r));
    assert_int_equal(waitgate_result_cycles(r), 5);
    assert_int_equal(waitgate_result_issued(r, 0), 2);
    assert_int_equal(waitgate_result_issued(r, 1), 1);
    assert_int_equal(waitgate_result_issued(r, 3), 0);
    assert_int_equal(waitgate_result_failures(r), 0);
    assert_int_equal(waitgate_result_diagnostics(r, 0x1f), 0);
    waitgate_result_free(r);
    waitgate_program_free(p);
}

static void test_ledger_rows_add_up(void **state)
{
    (void)state;
    waitgate_program *p = parse(".preset\nbank A 0 = matrix\nbank B 0 = matrix\n.core T1\n"
                                "ttmvmul 0, 0, 0, 0\nttmvmul 0, 0, 0, 0\n");
    waitgate_result *r = run(p, NULL);
    struct waitgate_ledger row;
    uint64_t t1 = 0, window = 0;
    unsigned n = 0;
    while (waitgate_result_ledger(r, n, &row, sizeof row) == WAITGATE_OK) {
        n++;
        if (strcmp(row.agent, "T1"))
            continue;
        t1 += row.cycles;
        if (!strcmp(row.cause, "dst-window")) {
            assert_string_equal(row.owner, "Matrix Unit");
            window = row.cycles;
        }
    }
    assert_true(n > 10);
    assert_int_equal(t1, waitgate_result_cycles(r));
    assert_int_equal(window, 5);
    assert_int_equal(waitgate_result_ledger(r, n, &row, sizeof row), WAITGATE_ERROR_RANGE);
    /* a shorter structure is filled as far as it goes */
    struct waitgate_ledger part = {NULL, "kept", NULL, NULL, 7};
    assert_int_equal(waitgate_result_ledger(r, 0, &part, sizeof part.agent), WAITGATE_OK);
    assert_string_equal(part.agent, "T0");
    assert_string_equal(part.cause, "kept");
    waitgate_result_free(r);
    waitgate_program_free(p);
}

static void test_errors(void **state)
{
    (void)state;
    struct waitgate_parse_error e;
    waitgate_program *p;
    waitgate_result *r;
    assert_int_equal(waitgate_program_parse(".core T0\n x\n", 12, "t", &p, &e),
                     WAITGATE_ERROR_SYNTAX);
    assert_null(p);
    assert_int_equal(e.line, 2);
    assert_int_equal(e.column, 2);
    assert_true(e.message[0]);
    assert_int_equal(waitgate_program_parse(NULL, 0, "t", &p, &e), WAITGATE_ERROR_ARGUMENT);
    assert_int_equal(waitgate_program_parse("", 0, NULL, &p, &e), WAITGATE_ERROR_ARGUMENT);
    assert_int_equal(waitgate_run(NULL, NULL, &r), WAITGATE_ERROR_ARGUMENT);
    p = parse(".core T0\nttnop\n");
    assert_int_equal(waitgate_run(p, NULL, NULL), WAITGATE_ERROR_ARGUMENT);
    struct waitgate_options o = WAITGATE_OPTIONS_INIT;
    o.size = 0;
    assert_int_equal(waitgate_run(p, &o, &r), WAITGATE_ERROR_ARGUMENT);
    waitgate_program_free(p);
    waitgate_program_free(NULL);
    waitgate_result_free(NULL);
}

static void test_options(void **state)
{
    (void)state;
    waitgate_program *p = parse(".core T0\n.repeat 100000\nttsempost 2\n.end\n");
    struct waitgate_options o = WAITGATE_OPTIONS_INIT;
    o.max_cycles = 50;
    waitgate_result *r = run(p, &o);
    assert_int_equal(waitgate_result_end(r), WAITGATE_END_LIMIT);
    assert_false(waitgate_result_end_expected(r));
    assert_int_equal(waitgate_result_cycles(r), 50);
    assert_int_equal(waitgate_result_diagnostics(r, WAITGATE_CONTRACT), 47);
    waitgate_result_free(r);
    o.stop_on = WAITGATE_CONTRACT;
    r = run(p, &o);
    assert_int_equal(waitgate_result_end(r), WAITGATE_END_STOPPED);
    assert_int_equal(waitgate_result_cycles(r), 4);
    waitgate_result_free(r);
    o.stop_on = 0;
    o.ignore = WAITGATE_CONTRACT;
    r = run(p, &o);
    assert_int_equal(waitgate_result_diagnostics(r, 0x1f), 0);
    waitgate_result_free(r);
    /* a caller built against an older, shorter structure: its limit counts, the rest is default */
    o.size = offsetof(struct waitgate_options, no_skip);
    r = run(p, &o);
    assert_int_equal(waitgate_result_cycles(r), 50);
    assert_int_equal(waitgate_result_diagnostics(r, WAITGATE_CONTRACT), 47);
    waitgate_result_free(r);
    waitgate_program_free(p);
}

static void test_reports(void **state)
{
    (void)state;
    static struct buffer trace, held, json, summary;
    waitgate_program *p = parse(".core T0\nttatgetm 1\n.expect\ncycles 9\n");
    struct waitgate_options o = WAITGATE_OPTIONS_INIT;
    o.trace = collect;
    o.trace_context = &trace;
    waitgate_result *r = run(p, &o);
    assert_int_equal(waitgate_result_end(r), WAITGATE_END_DEADLOCK);
    waitgate_report_held(r, collect, &held);
    waitgate_report_json(r, collect, &json);
    waitgate_report_summary(r, collect, &summary);
    assert_non_null(strstr(trace.text, "hold       ttatgetm 1"));
    assert_non_null(strstr(held.text, "T0 line 2 ttatgetm 1: held since cycle 3, mutex-invalid"));
    assert_non_null(strstr(json.text, "\"end\": \"deadlock\""));
    assert_non_null(strstr(summary.text, "MUTEX_INVALID"));
    char text[128];
    assert_int_equal(waitgate_result_failures(r), 2);
    size_t n = waitgate_result_failure(r, 0, text, sizeof text);
    assert_int_equal(n, strlen(text));
    assert_string_equal(text, "t.tts:4: expected cycles 9, got 4");
    waitgate_result_failure(r, 1, text, sizeof text);
    assert_string_equal(text, "t.tts:2: expected no fault, got MUTEX_INVALID by T0 in cycle 3");
    waitgate_result_free(r);
    waitgate_program_free(p);
}

static void test_nothing_held(void **state)
{
    (void)state;
    static struct buffer held;
    waitgate_program *p = parse(".preset\ngpr T0 1 = 2\n.expect\ncycles 0\ngpr T0 1 = 2\n");
    waitgate_result *r = run(p, NULL);
    assert_int_equal(waitgate_result_failures(r), 0);
    waitgate_report_held(r, collect, &held);
    assert_int_equal(held.n, 0);
    waitgate_report_summary(r, collect, &held);
    waitgate_result_free(r);
    waitgate_program_free(p);
}

TEST_MAIN(cmocka_unit_test(test_run), cmocka_unit_test(test_ledger_rows_add_up),
          cmocka_unit_test(test_errors), cmocka_unit_test(test_options),
          cmocka_unit_test(test_reports), cmocka_unit_test(test_nothing_held))
