/* bits.h: extraction and rotation at the edges of the word. */
#include "test.h"

#include "base/bits.h"

static void mask_covers_none_some_and_all(void **state)
{
    (void)state;
    assert_int_equal(bits_mask(0), 0);
    assert_int_equal(bits_mask(1), 1);
    assert_int_equal(bits_mask(31), 0x7fffffff);
    assert_int_equal(bits_mask(32), 0xffffffff);
}

static void get_takes_the_named_bits(void **state)
{
    (void)state;
    assert_int_equal(bits_get(0xdeadbeef, 0, 8), 0xef);
    assert_int_equal(bits_get(0xdeadbeef, 24, 8), 0xde);
    assert_int_equal(bits_get(0xdeadbeef, 0, 32), 0xdeadbeef);
    assert_int_equal(bits_get(0xdeadbeef, 31, 1), 1);
}

static void rotations_undo_each_other(void **state)
{
    (void)state;
    for (unsigned n = 0; n < 64; n++)
        assert_int_equal(bits_rotr(bits_rotl(0x80000001, n), n), 0x80000001);
    assert_int_equal(bits_rotl(0x80000001, 2), 0x6);
    assert_int_equal(bits_rotr(0x6, 2), 0x80000001);
}

TEST_MAIN(cmocka_unit_test(mask_covers_none_some_and_all),
          cmocka_unit_test(get_takes_the_named_bits), cmocka_unit_test(rotations_undo_each_other))
