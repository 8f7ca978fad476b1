/*
 * test_api_null.c - every function of waitgate.h takes null pointers, numbers that name nothing and calls in the wrong
 * order: a status says so, or nothing happens.
 */
#include "test.h"

#include <string.h>

#include "waitgate.h"

static unsigned written;

static void count(void *context, const char *text, size_t length)
{
    (void)context;
    (void)text;
    written += (unsigned)length;
}

#define BAD(call) assert_int_equal((call), WAITGATE_ERROR_ARGUMENT)

static void texts_and_tables(void **state)
{
    (void)state;
    uint32_t word;
    struct waitgate_insn insn;
    struct waitgate_field field;
    struct waitgate_timing timing;
    char text[8] = "";
    assert_non_null(waitgate_status_text((enum waitgate_status)99));
    assert_non_null(waitgate_evidence_text((enum waitgate_evidence)99));
    BAD(waitgate_assemble(NULL, 5, &word, NULL));
    BAD(waitgate_assemble("ttnop", 5, NULL, NULL));
    assert_int_equal(waitgate_assemble("ttfoo", 5, &word, NULL), WAITGATE_ERROR_SYNTAX);
    assert_true(waitgate_disassemble(0x02000000, 0, NULL, 0) > 0);
    waitgate_disassemble(0x02000000, 0, NULL, 9);
    waitgate_disassemble(0x02000000, ~0u, text, 1);
    assert_true(waitgate_alpha_disassemble(0x47ff041f, 0, NULL, 0) > 0);
    assert_true(waitgate_alpha_disassemble(0x47ff041f, 0, NULL, 9) > 0);
    BAD(waitgate_ttinsn_encode(0, NULL));
    BAD(waitgate_ttinsn_decode(0, NULL));
    BAD(waitgate_insn_get(0, NULL, sizeof insn));
    assert_int_equal(waitgate_insn_get(9999, &insn, sizeof insn), WAITGATE_ERROR_RANGE);
    BAD(waitgate_insn_field(0xa2, 0, NULL, sizeof field));
    assert_int_equal(waitgate_insn_field(9999, 0, &field, sizeof field), WAITGATE_ERROR_RANGE);
    assert_int_equal(waitgate_insn_field(0xa2, 9999, &field, sizeof field), WAITGATE_ERROR_RANGE);
    BAD(waitgate_timing_get(0, NULL, sizeof timing));
    assert_int_equal(waitgate_timing_get(~0u, &timing, sizeof timing), WAITGATE_ERROR_RANGE);
    BAD(waitgate_alpha_latency_get(0, NULL, sizeof timing));
    assert_int_equal(waitgate_alpha_latency_get(~0u, &timing, sizeof timing), WAITGATE_ERROR_RANGE);
}

static void programs(void **state)
{
    (void)state;
    static const char text[] = ".core T0\n ttnop\n";
    waitgate_program *program;
    waitgate_result *result;
    struct waitgate_ledger ledger;
    char line[64];
    BAD(waitgate_program_parse(NULL, 5, "x", &program, NULL));
    BAD(waitgate_program_parse(text, sizeof text - 1, "x", NULL, NULL));
    assert_int_equal(waitgate_program_parse(text, sizeof text - 1, "x", &program, NULL),
                     WAITGATE_OK);
    BAD(waitgate_run(NULL, NULL, &result));
    BAD(waitgate_run(program, NULL, NULL));
    assert_int_equal(waitgate_run(program, NULL, &result), WAITGATE_OK);
    BAD(waitgate_result_ledger(result, 0, NULL, sizeof ledger));
    assert_int_equal(waitgate_result_ledger(result, ~0u, &ledger, sizeof ledger),
                     WAITGATE_ERROR_RANGE);
    assert_int_equal(waitgate_result_issued(result, 99), 0);
    assert_int_equal(waitgate_result_failure(result, 99, line, sizeof line), 0);
    assert_int_equal(waitgate_result_failure(result, 0, NULL, sizeof line), 0);
    waitgate_report_summary(result, NULL, NULL);
    waitgate_report_json(result, NULL, NULL);
    waitgate_report_held(result, NULL, NULL);
    waitgate_result_free(result);
    waitgate_program_free(program);
}

static void no_result(void **state)
{
    (void)state;
    struct waitgate_ledger ledger;
    char line[64];
    BAD(waitgate_result_ledger(NULL, 0, &ledger, sizeof ledger));
    assert_int_equal(waitgate_result_end(NULL), WAITGATE_END_DONE);
    assert_int_equal(waitgate_result_end_expected(NULL), 0);
    assert_int_equal(waitgate_result_cycles(NULL), 0);
    assert_int_equal(waitgate_result_skipped(NULL), 0);
    assert_int_equal(waitgate_result_issued(NULL, 0), 0);
    assert_int_equal(waitgate_result_diagnostics(NULL, ~0u), 0);
    assert_int_equal(waitgate_result_failures(NULL), 0);
    assert_int_equal(waitgate_result_failure(NULL, 0, line, sizeof line), 0);
    written = 0;
    waitgate_report_summary(NULL, count, NULL);
    waitgate_report_json(NULL, count, NULL);
    waitgate_report_held(NULL, count, NULL);
    assert_int_equal(written, 0);
    waitgate_result_free(NULL);
    waitgate_program_free(NULL);
}

static void no_tile(void **state)
{
    (void)state;
    uint32_t word = 0;
    struct waitgate_core core;
    struct waitgate_thread thread;
    struct waitgate_notice notice;
    BAD(waitgate_tile_create(NULL));
    BAD(waitgate_tile_read(NULL, 0, &word, 4));
    BAD(waitgate_tile_write(NULL, 0, &word, 4));
    BAD(waitgate_tile_until(NULL, 0, 0));
    BAD(waitgate_tile_core(NULL, 0, &core));
    BAD(waitgate_tile_thread(NULL, 0, &thread));
    assert_int_equal(waitgate_tile_run(NULL, 5), 0);
    assert_int_equal(waitgate_tile_clock(NULL, 5), WAITGATE_TILE_LIMIT);
    assert_int_equal(waitgate_tile_cycle(NULL), 0);
    assert_int_equal(waitgate_tile_issued(NULL, 0), 0);
    assert_int_equal(waitgate_tile_notice(NULL, 0, &notice), 0);
    written = 0;
    waitgate_tile_places(NULL, NULL, NULL);
    waitgate_tile_trace(NULL, count, NULL);
    waitgate_tile_profile(NULL, 1);
    waitgate_tile_no_skip(NULL, 1);
    waitgate_tile_report(NULL, count, NULL);
    waitgate_tile_report_json(NULL, count, NULL);
    waitgate_tile_report_hang(NULL, count, NULL);
    assert_int_equal(written, 0);
    waitgate_tile_free(NULL);
}

static void a_tile(void **state)
{
    (void)state;
    uint32_t word = 0;
    waitgate_tile *tile;
    struct waitgate_core core;
    struct waitgate_thread thread;
    struct waitgate_notice notice;
    assert_int_equal(waitgate_tile_create(&tile), WAITGATE_OK);
    BAD(waitgate_tile_read(tile, 0, NULL, 4));
    BAD(waitgate_tile_write(tile, 0, NULL, 4));
    assert_int_equal(waitgate_tile_read(tile, 0, NULL, 0), WAITGATE_OK);
    assert_int_equal(waitgate_tile_write(tile, 0, NULL, 0), WAITGATE_OK);
    BAD(waitgate_tile_read(tile, 0x17FFFE, &word, 4));
    BAD(waitgate_tile_read(tile, UINT32_MAX, &word, 4));
    BAD(waitgate_tile_write(tile, 0x17FFFE, &word, 4));
    BAD(waitgate_tile_until(tile, 3, 0));
    BAD(waitgate_tile_until(tile, 0x180000, 0));
    BAD(waitgate_tile_core(tile, 0, NULL));
    BAD(waitgate_tile_thread(tile, 0, NULL));
    assert_int_not_equal(waitgate_tile_core(tile, WAITGATE_CORES, &core), WAITGATE_OK);
    assert_int_not_equal(waitgate_tile_thread(tile, 3, &thread), WAITGATE_OK);
    assert_int_equal(waitgate_tile_issued(tile, 3), 0);
    assert_int_equal(waitgate_tile_notice(tile, ~0u, &notice), 0);
    assert_int_equal(waitgate_tile_notice(tile, 0, NULL), 0);
    waitgate_tile_report(tile, NULL, NULL);
    waitgate_tile_report_json(tile, NULL, NULL);
    waitgate_tile_report_hang(tile, NULL, NULL);
    waitgate_tile_report(tile, count, NULL); /* nothing has run yet */
    waitgate_tile_report_json(tile, count, NULL);
    waitgate_tile_trace(tile, NULL, NULL);
    /* with time and without, in turns */
    waitgate_tile_run(tile, 5);
    assert_int_equal(waitgate_tile_clock(tile, UINT64_MAX), WAITGATE_TILE_DONE);
    waitgate_tile_run(tile, 5);
    waitgate_tile_free(tile);
}

static void no_alpha(void **state)
{
    (void)state;
    waitgate_alpha *alpha;
    struct waitgate_alpha_stop stop;
    uint64_t x = 0;
    BAD(waitgate_alpha_create(1, NULL));
    assert_int_not_equal(waitgate_alpha_create(0, &alpha), WAITGATE_OK);
    assert_int_not_equal(waitgate_alpha_create(WAITGATE_ALPHA_CPUS + 1, &alpha), WAITGATE_OK);
    BAD(waitgate_alpha_latency(NULL, "IMUL", 1));
    BAD(waitgate_alpha_policy(NULL, "fbox", "blocking"));
    BAD(waitgate_alpha_map(NULL, 0, 8192, 3));
    BAD(waitgate_alpha_protect(NULL, 0, 8192, 3));
    BAD(waitgate_alpha_peek(NULL, 0, &x, 8));
    BAD(waitgate_alpha_poke(NULL, 0, &x, 8));
    BAD(waitgate_alpha_read(NULL, 0, &x, 8));
    BAD(waitgate_alpha_write(NULL, 0, &x, 8));
    BAD(waitgate_alpha_tile(NULL, NULL, WAITGATE_ALPHA_WINDOW));
    BAD(waitgate_alpha_stopped(NULL, &stop));
    assert_int_equal(waitgate_alpha_mapped(NULL, 0, 8), 0);
    assert_int_equal(waitgate_alpha_room(NULL, 0, 8192, 1 << 20), 0);
    assert_int_equal(waitgate_alpha_get(NULL, 0, 0), 0);
    assert_int_equal(waitgate_alpha_cycle(NULL), 0);
    assert_int_equal(waitgate_alpha_retired(NULL, 0), 0);
    waitgate_alpha_clock(NULL, 5);
    waitgate_alpha_run(NULL, 5);
    waitgate_alpha_unmap(NULL, 0, 8192);
    waitgate_alpha_set(NULL, 0, 0, 0);
    waitgate_alpha_resume(NULL, 0);
    waitgate_alpha_no_skip(NULL, 1);
    assert_int_equal(waitgate_alpha_memory(NULL, 1), WAITGATE_ERROR_ARGUMENT);
    assert_int_equal(waitgate_alpha_memory_used(NULL), 0);
    waitgate_alpha_watch(NULL, NULL, NULL);
    waitgate_alpha_places(NULL, NULL, NULL);
    waitgate_alpha_trace(NULL, count, NULL);
    written = 0;
    waitgate_alpha_report(NULL, count, NULL);
    waitgate_alpha_report_json(NULL, count, NULL);
    waitgate_alpha_report_hang(NULL, count, NULL);
    assert_int_equal(written, 0);
    waitgate_alpha_free(NULL);
}

static void an_alpha(void **state)
{
    (void)state;
    waitgate_alpha *alpha;
    waitgate_tile *tile;
    struct waitgate_alpha_stop stop;
    uint64_t x = 0;
    assert_int_equal(waitgate_alpha_create(1, &alpha), WAITGATE_OK);
    assert_int_equal(waitgate_tile_create(&tile), WAITGATE_OK);
    assert_int_not_equal(waitgate_alpha_latency(alpha, NULL, 1), WAITGATE_OK);
    assert_int_not_equal(waitgate_alpha_latency(alpha, "IMUL", UINT64_MAX), WAITGATE_OK);
    assert_int_not_equal(waitgate_alpha_policy(alpha, NULL, "x"), WAITGATE_OK);
    assert_int_not_equal(waitgate_alpha_policy(alpha, "fbox", NULL), WAITGATE_OK);
    assert_int_not_equal(waitgate_alpha_map(alpha, 0, UINT64_MAX, 3), WAITGATE_OK);
    assert_int_not_equal(waitgate_alpha_peek(alpha, 0, NULL, 8), WAITGATE_OK);
    assert_int_not_equal(waitgate_alpha_peek(alpha, 0, &x, 8), WAITGATE_OK); /* nothing is there */
    assert_int_not_equal(waitgate_alpha_poke(alpha, UINT64_MAX - 3, &x, 8), WAITGATE_OK);
    assert_int_equal(waitgate_alpha_mapped(alpha, UINT64_MAX - 3, 8), 0);
    assert_int_equal(waitgate_alpha_get(alpha, 99, 0), 0);
    assert_int_equal(waitgate_alpha_get(alpha, 0, 999), 0);
    waitgate_alpha_set(alpha, 99, 0, 1);
    waitgate_alpha_set(alpha, 0, 999, 1);
    waitgate_alpha_resume(alpha, 99);
    assert_int_not_equal(waitgate_alpha_stopped(alpha, &stop), WAITGATE_OK);
    assert_int_not_equal(waitgate_alpha_stopped(alpha, NULL), WAITGATE_OK);
    assert_int_not_equal(waitgate_alpha_tile(alpha, NULL, WAITGATE_ALPHA_WINDOW), WAITGATE_OK);
    assert_int_not_equal(waitgate_alpha_tile(alpha, tile, 3), WAITGATE_OK);
    assert_int_equal(waitgate_alpha_tile(alpha, tile, WAITGATE_ALPHA_WINDOW), WAITGATE_OK);
    assert_int_not_equal(waitgate_alpha_tile(alpha, tile, WAITGATE_ALPHA_WINDOW), WAITGATE_OK);
    waitgate_alpha_report(alpha, NULL, NULL);
    waitgate_alpha_report_json(alpha, NULL, NULL);
    waitgate_alpha_report_hang(alpha, NULL, NULL);
    waitgate_alpha_free(alpha);
    waitgate_tile_free(tile);
}

TEST_MAIN(cmocka_unit_test(texts_and_tables), cmocka_unit_test(programs),
          cmocka_unit_test(no_result), cmocka_unit_test(no_tile), cmocka_unit_test(a_tile),
          cmocka_unit_test(no_alpha), cmocka_unit_test(an_alpha))
