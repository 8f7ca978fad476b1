/*
 * assume.c - what the model takes for granted about the host, checked at compile time.
 */
#include <limits.h>
#include <stdint.h>

_Static_assert(CHAR_BIT == 8, "bytes are octets");
_Static_assert(sizeof(int) >= 4, "int holds 32 bits");
_Static_assert(sizeof(long long) >= 8, "long long holds 64 bits");
_Static_assert(INT_MIN == -INT_MAX - 1, "two's complement");
_Static_assert((-8 >> 1) == -4, "right shift of a negative number is arithmetic");
_Static_assert((int32_t)UINT32_C(0x80000000) == INT32_MIN, "conversion to signed wraps");
