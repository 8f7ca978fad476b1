/*
 * The front end of a core with time: instruction cache, prefetcher and branch prediction, at their wires and under
 * programs. How they are organised is not public; the numbers are those that fit the measured ones (isa/timing.def).
 */
#include "timed_drive.h"

#define CFG0 0x7c0u

static struct rvfetch f;

/* ---- instruction cache ---- */

static void line_that_is_missing_comes_after_ten_cycles(void **state)
{
    (void)state;
    rvfetch_reset(&f, &timing_typical);
    assert_int_equal(rvfetch_enter(&f, 7, 100, false), 110);
    assert_int_equal(rvfetch_enter(&f, 8, 114, false), 124); /* nobody has asked for it */
    assert_int_equal(rvfetch_enter(&f, 7, 128, false), 128); /* is there */
    assert_int_equal(rvfetch_enter(&f, 8, 128, false), 128);
    rvfetch_reset(&f, &timing_typical);
    assert_int_equal(rvfetch_enter(&f, 7, 200, false), 210); /* reset empties it */
}

static void two_lines_are_fetched_ahead(void **state)
{
    (void)state;
    rvfetch_reset(&f, &timing_typical);
    assert_int_equal(rvfetch_enter(&f, 7, 100, true), 110);
    assert_int_equal(rvfetch_enter(&f, 8, 111, true), 120); /* both were asked for in 110 */
    assert_int_equal(rvfetch_enter(&f, 9, 121, true), 121);
    assert_int_equal(rvfetch_enter(&f, 10, 122, true), 130); /* asked for in 120, with 9 known */
    assert_int_equal(rvfetch_enter(&f, 12, 131, true), 140); /* in 130 */
    assert_int_equal(rvfetch_enter(&f, 15, 150, true), 160); /* never */
}

static void line_under_way_is_waited_for(void **state)
{
    (void)state;
    rvfetch_reset(&f, &timing_typical);
    rvfetch_enter(&f, 7, 100, true); /* 8 and 9 come in 120 */
    assert_int_equal(rvfetch_enter(&f, 9, 117, false), 120);
    assert_int_equal(rvfetch_enter(&f, 8, 125, false), 125);
}

static void older_of_two_ways_is_replaced(void **state)
{
    const uint32_t a = 5, b = a + 128, c = a + 256; /* 256 lines in two ways */
    (void)state;
    rvfetch_reset(&f, &timing_typical);
    rvfetch_enter(&f, a, 100, false);
    rvfetch_enter(&f, b, 200, false);
    assert_int_equal(rvfetch_enter(&f, a, 300, false), 300);
    assert_int_equal(rvfetch_enter(&f, b, 400, false), 400);
    assert_int_equal(rvfetch_enter(&f, a, 500, false), 500);
    assert_int_equal(rvfetch_enter(&f, c, 600, false), 610); /* in the place of b */
    assert_int_equal(rvfetch_enter(&f, a, 700, false), 700);
    assert_int_equal(rvfetch_enter(&f, b, 800, false), 810);
    assert_int_equal(rvfetch_enter(&f, c, 900, false), 910);
    assert_int_equal(rvfetch_enter(&f, a + 1, 1000, false), 1010); /* the next set is another */
    assert_int_equal(rvfetch_enter(&f, c, 1100, false), 1100);
}

static void change_of_the_cache_is_told(void **state)
{
    (void)state;
    rvfetch_reset(&f, &timing_typical);
    rvfetch_enter(&f, 1, 100, false);
    assert_true(f.changed);
    f.changed = false;
    rvfetch_enter(&f, 1, 200, false);
    assert_false(f.changed); /* the other way is the older one as before */
    rvfetch_enter(&f, 129, 300, false);
    assert_true(f.changed);
}

/* ---- branch prediction ---- */

/* Goes through a pattern of outcomes n times; returns how many were mispredicted from round `from` on. */
static unsigned mispredicted(uint32_t pc, const char *pattern, unsigned n, unsigned from)
{
    unsigned wrong = 0;
    for (unsigned i = 0; i < n; i++)
        for (const char *p = pattern; *p; p++)
            wrong += !rvfetch_branch(&f, pc, *p == 't', true) && i >= from;
    return wrong;
}

static void new_branch_is_predicted_not_taken(void **state)
{
    (void)state;
    rvfetch_reset(&f, &timing_typical);
    assert_true(rvfetch_branch(&f, 0x100, false, true));
    assert_false(rvfetch_branch(&f, 0x104, true, true));
}

static void first_outcome_is_believed(void **state)
{
    (void)state;
    rvfetch_reset(&f, &timing_typical);
    assert_int_equal(mispredicted(0x100, "t", 20, 0), 1);
    assert_int_equal(mispredicted(0x104, "n", 20, 0), 0);
}

static void loop_branch_costs_when_new_and_at_its_end(void **state)
{
    (void)state;
    rvfetch_reset(&f, &timing_typical);
    assert_int_equal(mispredicted(0x100, "tttttttttn", 1, 0), 2);
    assert_int_equal(mispredicted(0x100, "tttttttttn", 10, 0), 10);
}

static void patterns_of_two_outcomes_are_learnt(void **state)
{
    (void)state;
    rvfetch_reset(&f, &timing_typical);
    assert_int_equal(mispredicted(0x100, "tn", 50, 5), 0);
    assert_int_equal(mispredicted(0x104, "nt", 50, 5), 0);
    assert_int_equal(mispredicted(0x108, "ttn", 50, 5), 0);
    assert_int_equal(mispredicted(0x10c, "nnt", 50, 5), 0);
    assert_int_equal(mispredicted(0x110, "tttn", 50, 5), 45); /* too long */
}

static void without_prediction_nothing_is_taken_or_learnt(void **state)
{
    (void)state;
    rvfetch_reset(&f, &timing_typical);
    for (unsigned i = 0; i < 10; i++) {
        assert_false(rvfetch_branch(&f, 0x100, true, false));
        assert_true(rvfetch_branch(&f, 0x100, false, false));
    }
    assert_false(rvfetch_branch(&f, 0x100, true, true)); /* still new */
}

static void branches_1_kib_apart_share_an_entry(void **state)
{
    (void)state;
    rvfetch_reset(&f, &timing_typical);
    assert_int_equal(mispredicted(0x100, "t", 10, 0), 1);
    assert_int_equal(mispredicted(0x500, "t", 10, 0), 0);
    assert_int_equal(mispredicted(0x504, "t", 10, 0), 1);
}

static void indirect_jump_is_predicted_to_go_where_it_went(void **state)
{
    (void)state;
    rvfetch_reset(&f, &timing_typical);
    assert_false(rvfetch_jump(&f, 0x100, 0x1000));
    assert_true(rvfetch_jump(&f, 0x100, 0x1000));
    assert_false(rvfetch_jump(&f, 0x100, 0x2000));
    assert_false(rvfetch_jump(&f, 0x100, 0x1000));
    assert_false(rvfetch_jump(&f, 0x104, 0x1000));
}

static void change_of_the_prediction_is_told(void **state)
{
    (void)state;
    rvfetch_reset(&f, &timing_typical);
    for (unsigned i = 0; i < 4; i++)
        rvfetch_branch(&f, 0x100, true, true);
    rvfetch_jump(&f, 0x200, 0x1000);
    f.changed = false;
    rvfetch_branch(&f, 0x100, true, true);
    rvfetch_jump(&f, 0x200, 0x1000);
    assert_false(f.changed); /* as sure as it can be */
    rvfetch_branch(&f, 0x100, false, true);
    assert_true(f.changed);
    f.changed = false;
    rvfetch_jump(&f, 0x200, 0x1004);
    assert_true(f.changed);
}

/* ---- programs ---- */

/* The cycle in which core B was at pc the n-th time, counted from 0. */
static uint64_t when(uint32_t pc, unsigned n)
{
    return when_in(B, pc, n);
}

/* Core B, with these bits of cfg0, goes `rounds` times round a loop of `bytes`; returns where it begins. */
static uint32_t run_loop(struct tile *tile, unsigned cfg0, uint32_t bytes, unsigned rounds)
{
    uint32_t at = 0, body = 0x100;
    PUT(CSRRSI, .rd = 0, .csr = CFG0, .imm = (int32_t)cfg0);
    PUT(ADDI, .rd = 31, .imm = (int32_t)rounds);
    PUT(JAL, .imm = (int32_t)(body - at));
    at = body;
    while (at < body + bytes - 12)
        PUT(ADDI, .rd = 5, .rs1 = 5, .imm = 1);
    PUT(ADDI, .rd = 31, .rs1 = 31, .imm = -1);
    PUT(BEQ, .rs1 = 31, .rs2 = 0, .imm = 8);
    PUT(JAL, .imm = (int32_t)(body - at)); /* a branch does not reach so far */
    PUT(JAL, .imm = 0);
    assert_int_equal(run(tile, BIT(B), 1000000), TILE_END_DONE);
    return body;
}

static void loop_of_2_kib_misses_in_its_first_round_only(void **state)
{
    struct tile *tile = *state;
    uint32_t body = run_loop(tile, 0, 2048, 5);
    /* a line in five cycles, the start of that, and the jump back, which is new */
    assert_int_equal(when(body, 1) - when(body, 0), 128 * 5 + 4 + 4);
    for (unsigned i = 1; i < 4; i++)
        assert_int_equal(when(body, i + 1) - when(body, i), 512);
}

static void loop_of_4_kib_less_what_is_fetched_ahead_fits(void **state)
{
    struct tile *tile = *state;
    uint32_t body = run_loop(tile, 0, 4096 - 32, 5);
    for (unsigned i = 1; i < 4; i++)
        assert_int_equal(when(body, i + 1) - when(body, i), 1024 - 8);
}

static void loop_of_8_kib_misses_everywhere(void **state)
{
    struct tile *tile = *state;
    uint32_t body = run_loop(tile, 0, 8192, 4);
    for (unsigned i = 1; i < 3; i++)
        assert_in_range(when(body, i + 1) - when(body, i), 512 * 5, 512 * 5 + 20);
}

static void straight_line_runs_at_a_line_in_five_cycles(void **state)
{
    struct tile *tile = *state;
    uint32_t body = run_loop(tile, 0, 16384, 1);
    for (uint32_t at = 16; at < 16384 - 32; at += 16) /* two lines under way, ten cycles each */
        assert_int_equal(when(body + at + 32, 0) - when(body + at, 0), 10);
    for (uint32_t at = 16; at < 16384 - 32; at += 16) /* within a line one a cycle */
        assert_int_equal(when(body + at + 12, 0) - when(body + at, 0), 3);
}

static void without_prefetch_a_line_takes_fourteen_cycles(void **state)
{
    struct tile *tile = *state;
    uint32_t body = run_loop(tile, 4, 4096, 1);
    for (uint32_t at = 16; at < 4096 - 32; at += 16) /* ten until it is there, four instructions */
        assert_int_equal(when(body + at + 16, 0) - when(body + at, 0), 14);
}

TEST_MAIN(cmocka_unit_test(line_that_is_missing_comes_after_ten_cycles),
          cmocka_unit_test(two_lines_are_fetched_ahead),
          cmocka_unit_test(line_under_way_is_waited_for),
          cmocka_unit_test(older_of_two_ways_is_replaced),
          cmocka_unit_test(change_of_the_cache_is_told),
          cmocka_unit_test(new_branch_is_predicted_not_taken),
          cmocka_unit_test(first_outcome_is_believed),
          cmocka_unit_test(loop_branch_costs_when_new_and_at_its_end),
          cmocka_unit_test(patterns_of_two_outcomes_are_learnt),
          cmocka_unit_test(without_prediction_nothing_is_taken_or_learnt),
          cmocka_unit_test(branches_1_kib_apart_share_an_entry),
          cmocka_unit_test(indirect_jump_is_predicted_to_go_where_it_went),
          cmocka_unit_test(change_of_the_prediction_is_told),
          TIMED_TEST(loop_of_2_kib_misses_in_its_first_round_only),
          TIMED_TEST(loop_of_4_kib_less_what_is_fetched_ahead_fits),
          TIMED_TEST(loop_of_8_kib_misses_everywhere),
          TIMED_TEST(straight_line_runs_at_a_line_in_five_cycles),
          TIMED_TEST(without_prefetch_a_line_takes_fourteen_cycles))
