/*
 * test_api_sizes.c - structures of every size, and runs that are interrupted, seen from outside.
 *
 * A caller's structure may be shorter or longer than the library's, and a wrong size may end inside a field. Each lies here in memory
 * of just that size, so that sanitizers see every byte too many.
 */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "waitgate.h"

#define MORE 64u

/* ---- what is given to the library ---- */

static size_t lines;

static void count(void *context, const char *text, size_t length)
{
    (void)text;
    lines += length != 0;
    if (context)
        waitgate_tile_interrupt(context);
}

#define END(field)                                                                                 \
    (offsetof(struct waitgate_options, field) + sizeof((struct waitgate_options *)0)->field)

static waitgate_program *endless(void)
{
    static const char text[] =
        ".core T0\nttnop\n.core T1\nttmvmul 0, 0, 0, 0\n.repeat 4000\nttnop\n.end\n";
    waitgate_program *p;
    assert_int_equal(waitgate_program_parse(text, sizeof text - 1, "t", &p, NULL), WAITGATE_OK);
    return p;
}

/* A field counts when it is there as a whole: 8 cycles, a trace, or an interrupt from the start. */
static void options_of_every_size(void **state)
{
    waitgate_program *program = endless();
    volatile int on = 1;
    (void)state;
    for (size_t size = sizeof(size_t); size <= sizeof(struct waitgate_options) + MORE; size++) {
        struct waitgate_options whole = WAITGATE_OPTIONS_INIT, *o = malloc(size);
        waitgate_result *result;
        assert_non_null(o);
        memset(o, 0xa5, size);
        whole.size = size;
        whole.max_cycles = 8;
        whole.trace = count;
        whole.interrupt = &on;
        memcpy(o, &whole, size < sizeof whole ? size : sizeof whole);
        lines = 0;
        assert_int_equal(waitgate_run(program, o, &result), WAITGATE_OK);
        bool interrupted = size >= END(interrupt);
        assert_int_equal(waitgate_result_end(result) == WAITGATE_END_INTERRUPTED, interrupted);
        assert_int_equal(waitgate_result_cycles(result) <= 8, size >= END(max_cycles));
        assert_int_equal(lines != 0, size >= END(trace) && !interrupted);
        waitgate_result_free(result);
        free(o);
    }
    for (size_t size = 0; size < sizeof(size_t); size++) {
        struct waitgate_options o = WAITGATE_OPTIONS_INIT;
        waitgate_result *result;
        o.size = size;
        assert_int_equal(waitgate_run(program, &o, &result), WAITGATE_ERROR_ARGUMENT);
    }
    waitgate_program_free(program);
}

/* ---- what the library fills ---- */

static const waitgate_result *made;

static enum waitgate_status get_insn(void *to, size_t size)
{
    return waitgate_insn_get(3, to, size);
}

static enum waitgate_status get_field(void *to, size_t size)
{
    return waitgate_insn_field(0xa2, 1, to, size);
}

static enum waitgate_status get_timing(void *to, size_t size)
{
    return waitgate_timing_get(2, to, size);
}

static enum waitgate_status get_latency(void *to, size_t size)
{
    return waitgate_alpha_latency_get(1, to, size);
}

static enum waitgate_status get_ledger(void *to, size_t size)
{
    return waitgate_result_ledger(made, 0, to, size);
}

/*
 * Bytes up to the size are those of the whole structure, the next ones stay as they are. What follows the last member
 * (told: where it ends) only fills the structure up.
 */
static void fill_told(enum waitgate_status (*get)(void *to, size_t size), size_t full, size_t told)
{
    uint8_t whole[256] = {0};
    assert_true(full <= sizeof whole);
    assert_int_equal(get(whole, full), WAITGATE_OK);
    for (size_t size = 0; size <= full + MORE; size++) {
        uint8_t *to = malloc(size + 1);
        assert_non_null(to);
        memset(to, 0x5a, size + 1);
        enum waitgate_status status = get(to, size);
        assert_true(status == WAITGATE_OK || (!size && status == WAITGATE_ERROR_ARGUMENT));
        assert_memory_equal(to, whole, size < told ? size : told);
        for (size_t i = full; i < size + 1; i++)
            assert_int_equal(to[i], 0x5a);
        assert_int_equal(to[size], 0x5a);
        free(to);
    }
}

static void fill(enum waitgate_status (*get)(void *to, size_t size), size_t full)
{
    fill_told(get, full, full);
}

static void structures_of_every_size(void **state)
{
    waitgate_program *program = endless();
    waitgate_result *result;
    (void)state;
    assert_int_equal(waitgate_run(program, NULL, &result), WAITGATE_OK);
    made = result;
    fill(get_insn, sizeof(struct waitgate_insn));
    fill_told(get_field,
              sizeof(struct waitgate_field),
              offsetof(struct waitgate_field, hidden) + sizeof(int));
    fill(get_timing, sizeof(struct waitgate_timing));
    fill(get_latency, sizeof(struct waitgate_timing));
    fill(get_ledger, sizeof(struct waitgate_ledger));
    waitgate_result_free(result);
    waitgate_program_free(program);
}

/* ---- runs that are interrupted ---- */

/* A core that counts for ever. */
static waitgate_tile *counting(void)
{
    static const uint32_t code[] = {0x00130313, 0xffdff06f};
    const uint32_t released = 0x47000;
    waitgate_tile *tile;
    assert_int_equal(waitgate_tile_create(&tile), WAITGATE_OK);
    waitgate_tile_write(tile, 0, code, sizeof code);
    waitgate_tile_write(tile, 0xFFB121B0, &released, sizeof released);
    return tile;
}

/* The next run ends before its first cycle, and the one after that goes on. */
static void an_interrupt_is_for_one_run(void **state)
{
    waitgate_tile *tile = counting();
    (void)state;
    assert_int_equal(waitgate_tile_clock(tile, 100), WAITGATE_TILE_LIMIT);
    waitgate_tile_interrupt(tile);
    assert_int_equal(waitgate_tile_clock(tile, UINT64_MAX), WAITGATE_TILE_INTERRUPTED);
    assert_int_equal(waitgate_tile_cycle(tile), 100);
    assert_int_equal(waitgate_tile_clock(tile, 100), WAITGATE_TILE_LIMIT);
    assert_int_equal(waitgate_tile_cycle(tile), 200);
    waitgate_tile_free(tile);

    tile = counting();
    waitgate_tile_interrupt(tile);
    assert_int_equal(waitgate_tile_run(tile, UINT64_MAX), 0);
    assert_int_equal(waitgate_tile_run(tile, 5000000), 5000000);
    waitgate_tile_free(tile);
    waitgate_tile_interrupt(NULL);
    waitgate_alpha_interrupt(NULL);
}

/* A write function that has failed ends the run, which would never end; everything up to there is told. */
static void a_write_function_interrupts(void **state)
{
    waitgate_tile *tile = counting();
    (void)state;
    lines = 0;
    assert_int_equal(waitgate_tile_trace(tile, count, tile), WAITGATE_OK);
    assert_int_equal(waitgate_tile_clock(tile, UINT64_MAX), WAITGATE_TILE_INTERRUPTED);
    assert_true(lines > 0);
    assert_true(waitgate_tile_cycle(tile) > 0);
    waitgate_tile_free(tile);

    tile = counting();
    lines = 0;
    assert_int_equal(waitgate_tile_trace(tile, count, tile), WAITGATE_OK);
    uint64_t steps = waitgate_tile_run(tile, UINT64_MAX);
    assert_true(steps > 0);
    assert_int_equal(lines, steps); /* a line for each */
    waitgate_tile_free(tile);
}

static void interrupt_machine(void *context, const char *text, size_t length)
{
    (void)text;
    (void)length;
    lines++;
    waitgate_alpha_interrupt(context);
}

static void an_alpha_is_interrupted(void **state)
{
    const uint32_t loop = 0xc3ffffff;
    (void)state;
    for (unsigned clocked = 0; clocked < 2; clocked++) {
        waitgate_alpha *m;
        assert_int_equal(waitgate_alpha_create(1, &m), WAITGATE_OK);
        assert_int_equal(waitgate_alpha_map(m, 0x10000, 8192, 7), WAITGATE_OK);
        assert_int_equal(waitgate_alpha_poke(m, 0x10000, &loop, 4), WAITGATE_OK);
        waitgate_alpha_set(m, 0, WAITGATE_ALPHA_PC, 0x10000);
        assert_int_equal(waitgate_alpha_trace(m, interrupt_machine, m), WAITGATE_OK);
        lines = 0;
        enum waitgate_alpha_end end =
            clocked ? waitgate_alpha_clock(m, UINT64_MAX) : waitgate_alpha_run(m, UINT64_MAX);
        assert_int_equal(end, WAITGATE_ALPHA_INTERRUPTED);
        assert_true(lines > 0);
        if (!clocked)
            assert_int_equal(lines, waitgate_alpha_retired(m, 0));
        waitgate_alpha_free(m);
    }
}

TEST_MAIN(cmocka_unit_test(options_of_every_size), cmocka_unit_test(structures_of_every_size),
          cmocka_unit_test(an_interrupt_is_for_one_run),
          cmocka_unit_test(a_write_function_interrupts), cmocka_unit_test(an_alpha_is_interrupted))
