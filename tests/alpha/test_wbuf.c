/*
 * The Alpha's write buffer: order and moments in which stores reach memory, and what a load finds in it.
 */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "alpha/wbuf.h"

#define SEED 20260101u

/* Two stores in cycles 5 and 6, five cycles each: in memory in 10 and 15 (the MB test of the fact sheet). */
static void entries_take_their_time_one_after_the_other(void **state)
{
    struct wbuf b;
    struct wbuf_entry e;
    (void)state;
    wbuf_reset(&b, 8, 5);
    assert_true(wbuf_push(&b, 5, &(struct wbuf_entry){.address = 0x100, .data = 1, .size = 8}));
    assert_true(wbuf_push(&b, 6, &(struct wbuf_entry){.address = 0x108, .data = 2, .size = 8}));
    assert_false(wbuf_pop(&b, 9, &e));
    assert_true(wbuf_pop(&b, 10, &e));
    assert_int_equal(e.data, 1);
    assert_false(wbuf_pop(&b, 14, &e));
    assert_true(wbuf_pop(&b, 15, &e));
    assert_int_equal(e.data, 2);
    assert_int_equal(b.n, 0);
}

static void a_full_buffer_takes_nothing(void **state)
{
    struct wbuf b;
    struct wbuf_entry e = {.size = 8};
    (void)state;
    wbuf_reset(&b, 3, 10);
    for (unsigned i = 0; i < 3; i++)
        assert_true(wbuf_push(&b, 0, &e));
    assert_false(wbuf_push(&b, 0, &e));
    assert_true(wbuf_pop(&b, 10, &e));
    assert_true(wbuf_push(&b, 10, &e));
}

/* Random stores and loads against a plain array of bytes with the number of the youngest store to each. */
static void loads_find_the_youngest_bytes(void **state)
{
    (void)state;
    print_message("seed %u\n", SEED);
    srand(SEED);
    for (unsigned round = 0; round < 20000; round++) {
        uint8_t bytes[32] = {0};
        int who[32];
        struct wbuf b;
        memset(who, -1, sizeof who);
        wbuf_reset(&b, 8, 4);
        int n = rand() % 9;
        for (int i = 0; i < n; i++) {
            struct wbuf_entry e = {.size = (uint8_t)(1u << rand() % 4)};
            e.address = (uint64_t)(rand() % 24) & ~(uint64_t)(e.size - 1);
            e.data = (uint64_t)rand() << 33 ^ (uint64_t)rand();
            assert_true(wbuf_push(&b, 0, &e));
            for (unsigned k = 0; k < e.size; k++) {
                bytes[e.address + k] = (uint8_t)(e.data >> 8 * k);
                who[e.address + k] = i;
            }
        }
        unsigned size = 1u << rand() % 4, at = ((unsigned)rand() % 24) & ~(size - 1);
        uint64_t value = 0, want = 0;
        int youngest = -1;
        bool all = true;
        for (unsigned k = 0; k < size; k++) {
            want |= (uint64_t)bytes[at + k] << 8 * k;
            youngest = who[at + k] > youngest ? who[at + k] : youngest;
        }
        for (unsigned k = 0; k < size; k++)
            all &= who[at + k] == youngest;
        enum wbuf_found f = wbuf_find(&b, at, size, &value);
        assert_int_equal(f, youngest < 0 ? WBUF_NONE : all ? WBUF_ALL : WBUF_PARTLY);
        if (f == WBUF_ALL)
            assert_int_equal(value, want);
    }
}

TEST_MAIN(cmocka_unit_test(entries_take_their_time_one_after_the_other),
          cmocka_unit_test(a_full_buffer_takes_nothing),
          cmocka_unit_test(loads_find_the_youngest_bytes))
