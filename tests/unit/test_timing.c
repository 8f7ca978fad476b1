/*
 * test_timing.c - numbers of a machine, seen from outside: what is refused, in which words, and when.
 */
#include "test.h"

#include <string.h>

#include "isa/tensix.h"
#include "isa/timing.h"
#include "waitgate.h"

static void says(const char *name, uint32_t value, int forced, const char *message)
{
    struct waitgate_setting s = {name, value, forced};
    struct waitgate_text_error e;
    assert_int_equal(waitgate_timing_check(&s, &e), WAITGATE_ERROR_RANGE);
    assert_int_equal(waitgate_timing_check(&s, NULL), WAITGATE_ERROR_RANGE);
    assert_string_equal(e.message, message);
}

static void what_cannot_be_is_refused_in_words(void **state)
{
    (void)state;
    says("SRC_RELEASE",
         6,
         0,
         "SRC_RELEASE = 6 is outside of its range of 1 to 5 (typical 2); 6! forces it");
    says("SRC_RELEASE", 9, 1, "SRC_RELEASE = 9: the model has room for 1 to 8 only");
    says("Q1_WIDTH",
         4,
         1,
         "Q1_WIDTH is structural: it follows from how the model is built, and cannot be set");
    says("PACR.latency", 8, 1, "PACR.latency follows PACK_PIPE: set that");
    says("mvmul.latenci",
         5,
         0,
         "no number is called 'mvmul.latenci'; did you mean 'MVMUL.latency'?; `waitgate timing` "
         "lists all");
    says("?", 5, 0, "no number is called '?'; `waitgate timing` lists all");
    assert_int_equal(waitgate_timing_check(NULL, NULL), WAITGATE_ERROR_ARGUMENT);
    assert_int_equal(waitgate_timing_check(&(struct waitgate_setting){0}, NULL),
                     WAITGATE_ERROR_ARGUMENT);
}

/* Names of any length and any bytes do no harm. */
static void any_name_is_only_unknown(void **state)
{
    (void)state;
    char name[300];
    for (size_t n = 0; n < sizeof name; n++) {
        memset(name, n % 3 ? 'S' : 0xff, sizeof name);
        name[n] = '\0';
        if (n > 9)
            memcpy(name + n - 8, ".latency", 8);
        assert_int_equal(waitgate_timing_check(&(struct waitgate_setting){name, 1, 1}, NULL),
                         WAITGATE_ERROR_RANGE);
    }
}

/* A cost that follows a row changes with it, and is not told apart. */
static void costs_follow_their_rows(void **state)
{
    (void)state;
    struct timing t = timing_typical;
    struct timing_change c;
    char why[TIMING_WHY];
    unsigned at = 0;
    assert_true(timing_set(&t, "SFPU_LATE", 3, true, why));
    assert_int_equal(t.op[TENSIX_OP_SFPMAD].latency, 4);
    assert_int_equal(t.op[TENSIX_OP_SFPABS].latency, 1);
    assert_true(timing_next_change(&t, &at, &c));
    assert_string_equal(c.name, "SFPU_LATE");
    assert_int_equal(c.value, 3);
    assert_int_equal(c.typ, 1);
    assert_false(timing_next_change(&t, &at, &c));
    assert_true(timing_set(&t, "SFPU_LATE", 1, false, why));
    assert_memory_equal(&t, &timing_typical, sizeof t);
}

static void a_tile_gets_its_numbers_before_it_runs(void **state)
{
    (void)state;
    struct waitgate_setting s = {"SRC_RELEASE", 3, 0}, bad = {"SRC_RELEASE", 7, 0};
    struct waitgate_text_error e;
    waitgate_tile *tile;
    assert_int_equal(waitgate_tile_create(&tile), WAITGATE_OK);
    assert_int_equal(waitgate_tile_timing(tile, &bad, &e), WAITGATE_ERROR_RANGE);
    assert_non_null(strstr(e.message, "outside of its range"));
    assert_int_equal(waitgate_tile_timing(tile, &s, NULL), WAITGATE_OK);
    assert_int_equal(waitgate_tile_run(tile, 100), 0); /* with time only */
    waitgate_tile_clock(tile, 10);
    assert_int_equal(waitgate_tile_cycle(tile), 1); /* every core is held: it is over at once */
    assert_int_equal(waitgate_tile_timing(tile, &s, NULL), WAITGATE_ERROR_ARGUMENT);
    assert_int_equal(waitgate_tile_timing(NULL, &s, NULL), WAITGATE_ERROR_ARGUMENT);
    assert_int_equal(waitgate_tile_timing(tile, NULL, NULL), WAITGATE_ERROR_ARGUMENT);
    waitgate_tile_free(tile);
}

TEST_MAIN(cmocka_unit_test(what_cannot_be_is_refused_in_words),
          cmocka_unit_test(any_name_is_only_unknown), cmocka_unit_test(costs_follow_their_rows),
          cmocka_unit_test(a_tile_gets_its_numbers_before_it_runs))
