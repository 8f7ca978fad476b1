/*
 * test_watch.c - the watchdog of loops: it lets progress go on, and no more passes without any than were allowed.
 */
#include "test.h"

#include "base/watch.h"

static void progress_goes_on(void **state)
{
    (void)state;
    struct watch w = {0, 0};
    for (uint64_t i = 0; i < 1000; i++)
        assert_true(watch_goes(&w, i, 1));
}

static void a_pass_without_progress_is_seen(void **state)
{
    (void)state;
    for (uint64_t most = 1; most < 5; most++)
        for (uint64_t first = 0; first < 3; first++) {
            struct watch w = {0, 0};
            for (uint64_t i = 0; i < most; i++)
                assert_true(watch_goes(&w, first, most));
            assert_false(watch_goes(&w, first, most));
            assert_true(watch_goes(&w, first + 1, most));
        }
}

static void steps_back_are_no_progress(void **state)
{
    (void)state;
    struct watch w = {0, 0};
    assert_true(watch_goes(&w, 10, 3));
    assert_true(watch_goes(&w, 9, 3));
    assert_true(watch_goes(&w, 10, 3));
    assert_false(watch_goes(&w, 9, 3));
    assert_true(watch_goes(&w, 11, 3));
}

TEST_MAIN(cmocka_unit_test(progress_goes_on), cmocka_unit_test(a_pass_without_progress_is_seen),
          cmocka_unit_test(steps_back_are_no_progress))
