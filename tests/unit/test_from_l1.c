/*
 * Conversions of the unpackers: every datum of every 8- and 16-bit format, every datum of the block formats with every
 * exponent, and a grid of FP32, against references in integer and ldexp arithmetic written from the pages
 * FloatBitPatterns, SrcASrcB, Dst and Unpackers/FormatConversion.
 */
#include "test.h"

#include <math.h>
#include <string.h>

#include "num/format.h"
#include "num/from_l1.h"

/* ---- the reference ---- */

/* A number taken apart. */
struct parts {
    unsigned sign, exponent, fraction; /* fraction: 10 bits, as in Src */
};

static struct parts src_parts(uint32_t cell)
{
    assert_int_equal(cell % 8192, 0); /* a float with ten bits of fraction */
    return (struct parts){cell / 2147483648, cell / 8388608 % 256, cell / 8192 % 1024};
}

static void assert_parts(struct parts p, unsigned sign, unsigned exponent, unsigned fraction)
{
    assert_int_equal(p.sign, sign);
    assert_int_equal(p.exponent, exponent);
    assert_int_equal(p.fraction, fraction);
}

static uint32_t convert(struct from_l1 f, const void *in, unsigned exponent, bool to_src,
                        uint16_t dst[2])
{
    uint8_t e = (uint8_t)exponent;
    uint32_t v;
    enum from_l1_kind kind = from_l1_values(&f, in, 0, &e, 0, 1, &v);
    from_l1_to_dst32(kind, &v, 1, &dst[0], &dst[1]);
    if (to_src)
        from_l1_to_src(kind, &v, 1);
    return v;
}

static struct parts to_src(unsigned format, uint32_t datum, unsigned exponent)
{
    uint16_t dst[2];
    struct from_l1 f = {.in = (uint8_t)format, .out = (uint8_t)format};
    return src_parts(convert(f, &datum, exponent, true, dst));
}

static unsigned to_dst(unsigned format, uint32_t datum, unsigned exponent)
{
    uint16_t dst[2];
    struct from_l1 f = {.in = (uint8_t)format, .out = (uint8_t)format};
    convert(f, &datum, exponent, false, dst);
    return dst[0];
}

/* ---- 16 bits ---- */

static void bf16_keeps_every_pattern(void **state)
{
    (void)state;
    for (unsigned x = 0; x < 65536; x++) {
        unsigned s = x / 32768, e = x / 128 % 256, m = x % 128;
        assert_parts(to_src(NUM_BF16, x, 0), s, e, m * 8);
        assert_int_equal(to_dst(NUM_BF16, x, 0), s * 32768 + m * 256 + e);
    }
}

static void fp16_keeps_every_pattern(void **state)
{
    (void)state;
    for (unsigned x = 0; x < 65536; x++) {
        unsigned s = x / 32768, e = x / 1024 % 32, m = x % 1024;
        assert_parts(to_src(NUM_FP16, x, 0), s, e, m);
        assert_int_equal(to_dst(NUM_FP16, x, 0), s * 32768 + m * 32 + e);
    }
}

static void int16_is_opaque(void **state)
{
    (void)state;
    for (unsigned x = 0; x < 65536; x++) {
        assert_parts(to_src(NUM_INT16, x, 0), x / 32768, x % 256, x / 256 % 128 * 8);
        assert_int_equal(to_dst(NUM_INT16, x, 0), x);
    }
}

/* ---- 8 bits ---- */

static void int8_and_uint8(void **state)
{
    (void)state;
    for (unsigned x = 0; x < 256; x++) {
        uint8_t datum = (uint8_t)x;
        for (unsigned is_unsigned = 0; is_unsigned < 2; is_unsigned++) {
            struct from_l1 f = {.in = NUM_INT8, .out = NUM_INT8, .is_unsigned = is_unsigned};
            unsigned s = is_unsigned ? 0 : x / 128, magnitude = is_unsigned ? x : x % 128;
            unsigned e = magnitude ? 16 : 0;
            uint16_t dst[2];
            assert_parts(src_parts(convert(f, &datum, 0, true, dst)), s, e, magnitude);
            assert_int_equal(dst[0], s * 32768 + magnitude * 32 + e);
        }
    }
}

static double fp16_value(struct parts p)
{
    return ldexp(1024 + p.fraction, (int)p.exponent - 15 - 10) * (p.sign ? -1 : 1);
}

static void fp8_e5m2_keeps_its_value(void **state)
{
    (void)state;
    for (unsigned x = 0; x < 256; x++) {
        struct parts p = to_src(NUM_FP8, x, 0);
        if (x % 128 == 127) { /* the pattern that stands for infinity */
            assert_parts(p, x / 128, 31, 1023);
            continue;
        }
        double value = ldexp(4 + x % 4, (int)(x / 4 % 32) - 15 - 2) * (x / 128 ? -1 : 1);
        assert_true(fp16_value(p) == value);
        assert_true((p.exponent == 0) == (x / 4 % 32 == 0)); /* zero stays zero */
    }
}

static void fp8_e4m3_keeps_its_value(void **state)
{
    (void)state;
    for (unsigned x = 0; x < 256; x++) {
        uint8_t datum = (uint8_t)x;
        uint16_t dst[2];
        struct from_l1 f = {.in = NUM_FP8, .out = NUM_FP8, .e4m3 = true};
        struct parts p = src_parts(convert(f, &datum, 0, true, dst));
        unsigned e = x / 8 % 16, m = x % 8;
        if (x % 128 == 127) {
            assert_parts(p, x / 128, 23, 1023);
        } else if (e == 0) {
            assert_parts(p, x / 128, 0, m * 128);
        } else {
            double value = ldexp(8 + m, (int)e - 7 - 3) * (x / 128 ? -1 : 1);
            assert_true(fp16_value(p) == value);
        }
        assert_int_equal(dst[0], p.sign * 32768 + p.fraction * 32 + p.exponent);
    }
}

/* ---- block formats ---- */

/* width: bits of the magnitude; bias and range of the exponent. */
static void check_block(unsigned format, unsigned width, int bias, unsigned range)
{
    for (unsigned exponent = 0; exponent < range; exponent++)
        for (unsigned x = 0; x < 2u << width; x++) {
            unsigned s = x >> width, magnitude = x % (1u << width);
            struct parts p = to_src(format, x, exponent);
            if (!magnitude) { /* minus zero stands for minus infinity */
                assert_parts(p, s, s ? range - 1 : 0, 0);
                continue;
            }
            double value = ldexp(magnitude, (int)exponent - bias - (int)width + 1);
            double cell = ldexp(1024 + p.fraction, (int)p.exponent - bias - 10);
            if (ldexp(1, -bias) > value) /* below the range exponents wrap */
                cell = ldexp(cell, -(int)range);
            assert_true(cell == value);
            assert_int_equal(p.sign, s);
        }
}

static void block_formats_keep_their_value(void **state)
{
    (void)state;
    check_block(NUM_BFP8, 7, 127, 256);
    check_block(NUM_BFP4, 3, 127, 256);
    check_block(NUM_BFP2, 1, 127, 256);
    check_block(NUM_BFP8A, 7, 15, 32);
    check_block(NUM_BFP4A, 3, 15, 32);
    check_block(NUM_BFP2A, 1, 15, 32);
}

static void small_datums_start_at_the_low_end_of_a_byte(void **state)
{
    (void)state;
    static const uint8_t bytes[] = {0x21, 0x43, 0x65, 0xe4, 0x1b};
    static const uint8_t exponents[] = {127, 130};
    struct from_l1 four = {.in = NUM_BFP4, .out = NUM_BFP4},
                   two = {.in = NUM_BFP2, .out = NUM_BFP2};
    uint32_t v[8], one;
    from_l1_values(
        &four, bytes, 1, exponents, 12, 6, v); /* 2 3 4 5 6 4; the exponent changes after 4 */
    for (unsigned i = 0; i < 6; i++) {
        static const uint8_t nibble[] = {2, 3, 4, 5, 6, 4};
        from_l1_values(&four, &nibble[i], 0, &exponents[i >= 4], 0, 1, &one);
        assert_int_equal(v[i], one);
    }
    from_l1_values(&two, bytes + 3, 2, exponents, 0, 5, v); /* 2 3 3 2 1 */
    for (unsigned i = 0; i < 5; i++) {
        static const uint8_t pair[] = {2, 3, 3, 2, 1};
        from_l1_values(&two, &pair[i], 0, exponents, 0, 1, &one);
        assert_int_equal(v[i], one);
    }
}

/* ---- 32 bits ---- */

static const uint32_t fractions[] = {0,
                                     1,
                                     0x1fff,
                                     0x2000,
                                     0x3fff,
                                     0xffff,
                                     0x10000,
                                     0x18000,
                                     0x123456,
                                     0x3fffff,
                                     0x400000,
                                     0x5a5a5a,
                                     0x7fdfff,
                                     0x7fe000,
                                     0x7f0000,
                                     0x7fffff};

static void check_fp32(uint32_t s, uint32_t e, uint32_t m)
{
    uint32_t x = s << 31 | e << 23 | m;
    uint16_t dst[2];
    struct from_l1 f = {.in = NUM_FP32, .out = NUM_TF32};
    assert_parts(src_parts(convert(f, &x, 0, true, dst)), s, e, m / 8192);
    assert_int_equal(dst[0], s * 32768 + m / 65536 * 256 + e);
    assert_int_equal(dst[1], m % 65536);
    f.out = NUM_BF16;
    assert_parts(src_parts(convert(f, &x, 0, true, dst)), s, e, e ? m / 65536 * 8 : 0);
    assert_int_equal(dst[0], s * 32768 + (e ? m / 65536 * 256 : 0) + e);
    f.out = NUM_FP16;
    struct parts p = src_parts(convert(f, &x, 0, true, dst));
    int unbiased = (int)e - 127 + 15;
    if (unbiased < 0)
        assert_parts(p, s, 0, 0);
    else if (unbiased > 31)
        assert_parts(p, s, 31, 1023);
    else
        assert_parts(p, s, (unsigned)unbiased, m / 8192);
    assert_int_equal(dst[0], p.sign * 32768 + p.fraction * 32 + p.exponent);
}

static void fp32_to_tf32_bf16_fp16(void **state)
{
    (void)state;
    for (uint32_t e = 0; e < 256; e++)
        for (unsigned i = 0; i < sizeof fractions / sizeof *fractions; i++)
            for (uint32_t s = 0; s < 2; s++)
                check_fp32(s, e, fractions[i]);
}

static void int32_and_fp32_keep_all_bits_in_dst(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 32; i++) {
        uint32_t x = UINT32_C(1) << i | UINT32_C(0x80000001);
        static const uint8_t formats[] = {NUM_INT32, NUM_FP32, NUM_TF32};
        for (unsigned k = 0; k < 3; k++) {
            uint16_t dst[2];
            struct from_l1 f = {.in = formats[k], .out = formats[k]};
            convert(f, &x, 0, false, dst);
            assert_int_equal(dst[1], x % 65536);
            assert_int_equal(dst[0],
                             x / 0x80000000u * 32768 + x / 65536 % 128 * 256 + x / 8388608 % 256);
        }
    }
}

static void which_conversions_are_defined(void **state)
{
    (void)state;
    for (unsigned in = 0; in < 16; in++)
        for (unsigned out = 0; out < 16; out++)
            for (unsigned dst = 0; dst < 2; dst++) {
                bool same = in == out && in != 12 && in != 13;
                bool only_dst = in == out && (in == NUM_FP32 || in == NUM_TF32 || in == NUM_INT32);
                bool fp32 =
                    in == NUM_FP32 && (out == NUM_TF32 || out == NUM_BF16 || out == NUM_FP16);
                assert_int_equal(from_l1_defined(in, out, dst),
                                 fp32 || (same && (dst || !only_dst)));
            }
}

TEST_MAIN(cmocka_unit_test(bf16_keeps_every_pattern), cmocka_unit_test(fp16_keeps_every_pattern),
          cmocka_unit_test(int16_is_opaque), cmocka_unit_test(int8_and_uint8),
          cmocka_unit_test(fp8_e5m2_keeps_its_value), cmocka_unit_test(fp8_e4m3_keeps_its_value),
          cmocka_unit_test(block_formats_keep_their_value),
          cmocka_unit_test(small_datums_start_at_the_low_end_of_a_byte),
          cmocka_unit_test(fp32_to_tf32_bf16_fp16),
          cmocka_unit_test(int32_and_fp32_keep_all_bits_in_dst),
          cmocka_unit_test(which_conversions_are_defined))
