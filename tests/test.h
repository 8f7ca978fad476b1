/*
 * test.h - cmocka and the headers it wants before it. Include this first in every test program.
 */
#ifndef WG_TESTS_TEST_H
#define WG_TESTS_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* The body of main: TEST_MAIN(cmocka_unit_test(a), cmocka_unit_test(b)) */
#define TEST_MAIN(...)                                                                             \
    int main(void)                                                                                 \
    {                                                                                              \
        const struct CMUnitTest tests[] = {__VA_ARGS__};                                           \
        return cmocka_run_group_tests(tests, NULL, NULL);                                          \
    }

#endif
