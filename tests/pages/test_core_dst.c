/*
 * test_core_dst.c - a core's loads from and stores to Dst, element by element, against the functions that the page
 * gives for them. All 8- and 16-bit elements, random 32-bit ones.
 *
 * ISA page: Dst (Blackhole), "RISCV access to Dst": Load32, Load16, Load8, Store32, Store16, Store8.
 */
#include "model/rng.h"
#include "num/dst_word.h"
#include "test.h"

static uint32_t page_load(unsigned fmt, bool no_swizzle, bool unsigned_int, uint32_t value)
{
    switch (fmt) {
    case 0:
    case 1:
        if (!no_swizzle)
            value =
                (value & 0x8000ffff) | ((value & 0x7f000000) >> 8) | ((value & 0x00ff0000) << 7);
        if (fmt == 1 && !no_swizzle && value >= 0x80000000)
            value = 0u - (value & 0x7fffffff);
        return value;
    case 2:
        if (!no_swizzle)
            value = (value & 0x8000) | ((value & 0x7fe0) >> 5) | ((value & 0x001f) << 10);
        return value;
    case 3:
        if (!no_swizzle)
            value = (value & 0x8000) | ((value & 0x7f00) >> 8) | ((value & 0x00ff) << 7);
        return value;
    case 4:
        if (!no_swizzle && !unsigned_int && value >= 0x8000)
            value = (0u - (value & 0x7fff)) & 0xffff;
        return value;
    default: {
        if (no_swizzle || unsigned_int)
            return (value >> 5) & 0xff;
        uint32_t mag = (value >> 5) & 0x7f;
        return (value & 0x8000 ? 0u - mag : mag) & 0xff;
    }
    }
}

static uint32_t page_store(unsigned fmt, bool no_swizzle, bool unsigned_int, uint32_t value)
{
    switch (fmt) {
    case 0:
    case 1:
        if (fmt == 1 && !no_swizzle && value >= 0x80000000)
            value = 0x80000000 | (0u - (value + (value == 0x80000000)));
        if (!no_swizzle)
            value =
                (value & 0x8000ffff) | ((value & 0x7f800000) >> 7) | ((value & 0x007f0000) << 8);
        return value;
    case 2:
        if (!no_swizzle)
            value = (value & 0x8000) | ((value & 0x7c00) >> 10) | ((value & 0x03ff) << 5);
        return value;
    case 3:
        if (!no_swizzle)
            value = (value & 0x8000) | ((value & 0x7f80) >> 7) | ((value & 0x007f) << 8);
        return value;
    case 4:
        if (!no_swizzle && !unsigned_int && value >= 0x8000)
            value = 0x8000 | ((0u - (value + (value == 0x8000))) & 0xffff);
        return value;
    default:
        if (no_swizzle || unsigned_int || value < 0x80)
            return value << 5 | (value ? 16 : 0);
        return 0x8000 | ((0x180 - value - (value == 0x80)) & 0xff) << 5 | 16;
    }
}

static void compare(unsigned fmt, unsigned flags, uint32_t cell, uint32_t value)
{
    struct dst_word w = {
        .format = (uint8_t)fmt, .no_swizzle = flags & 1, .unsigned_int = flags >> 1};
    uint32_t load = page_load(fmt, flags & 1, flags >> 1, cell);
    uint32_t store = page_store(fmt, flags & 1, flags >> 1, value);
    if (dst_word_load(w, cell) != load)
        fail_msg("load, format %u flags %u, cell %08x: %08x, page says %08x",
                 fmt,
                 flags,
                 cell,
                 dst_word_load(w, cell),
                 load);
    if (dst_word_store(w, value) != store)
        fail_msg("store, format %u flags %u, value %08x: %08x, page says %08x",
                 fmt,
                 flags,
                 value,
                 dst_word_store(w, value),
                 store);
}

static void every_narrow_element(void **state)
{
    (void)state;
    for (unsigned fmt = 2; fmt < 6; fmt++)
        for (unsigned flags = 0; flags < 4; flags++)
            for (uint32_t v = 0; v < 0x10000; v++)
                compare(fmt, flags, v, fmt == 5 ? v & 0xff : v);
}

static void many_wide_elements(void **state)
{
    (void)state;
    struct rng r = rng_of(1, 1);
    for (unsigned i = 0; i < 400000; i++) {
        uint32_t v = rng_next(&r);
        if (rng_percent(&r, 10))
            v = 0x80000000u + (v & 1) * 0x7fffffff + (v >> 1 & 1);
        compare(i & 1, i >> 1 & 3, v, rng_percent(&r, 50) ? v : rng_next(&r));
    }
}

TEST_MAIN(cmocka_unit_test(every_narrow_element), cmocka_unit_test(many_wide_elements))
