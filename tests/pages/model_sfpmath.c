/*
 * model_sfpmath.c - the Vector Unit's arithmetic, one number at a time.
 *
 * ISA pages: SFPMAD (and the model it refers to), SFPLUT, SFPLUTFP32, SFPARECIP, SFPSWAP. x * y + z is only partly
 * fused: the product keeps 28 bits, of which the last says whether anything below was lost.
 */
#include "pages.h"

/* Shifts right; what falls out stays visible in bit 0. */
static uint64_t sticky(uint64_t v, unsigned n)
{
    if (n >= 64)
        return v != 0;
    uint64_t out = v >> n;
    return out | (out << n != v);
}

/* The smaller side: what vanishes altogether leaves nothing behind. */
static uint64_t align(uint64_t v, int32_t n, int32_t most)
{
    if (n >= most || !(v >> n))
        return 0;
    return sticky(v, (unsigned)n);
}

static unsigned length(uint64_t v)
{
    unsigned n = 0;
    while (v) {
        v >>= 1;
        n++;
    }
    return n;
}

struct parts {
    uint32_t sign;
    int32_t e;
    uint64_t m; /* with its leading one; 0 for denormals, too */
    bool nan;
};

static struct parts split(uint32_t x)
{
    struct parts p = {.sign = x >> 31, .e = (int32_t)pg_bits(x, 30, 23)};
    p.m = p.e ? (1u << 23) | (x & 0x7fffff) : 0;
    p.nan = p.e == 255 && (x & 0x7fffff);
    return p;
}

/* Sum of both sides, at exponent e: normalised, rounded to nearest even, denormals flushed. */
static uint32_t compose(uint32_t sign, int32_t e, uint64_t m)
{
    int32_t n = (int32_t)length(m) - 27;
    e += n;
    if (e >= 255)
        return sign << 31 | 0x7f800000u;
    if (e <= 0) {
        n++;
        e = 0;
    }
    m = n <= 0 ? m << -n : sticky(m, (unsigned)n);
    uint32_t r = ((uint32_t)e << 23) + (uint32_t)(m >> 3 & 0x7fffff), rest = m & 7;
    r += rest > 4 || (rest == 4 && r & 1);
    return sign << 31 | (r < 0x800000 ? 0 : r);
}

uint32_t pg_sfp_mad(uint32_t x, uint32_t y, uint32_t z)
{
    struct parts a = split(x), b = split(y), c = split(z);
    uint32_t sign = a.sign ^ b.sign;
    int32_t e = a.e + b.e - 127;
    uint64_t p = sticky(a.m * b.m * 8, 23), add = c.m * 8;
    if (a.e == 255 || b.e == 255 || c.e == 255 || e >= 255) {
        bool infinite = a.e == 255 || b.e == 255;
        if (a.nan || b.nan || c.nan || (a.e == 255 && !b.m) || (b.e == 255 && !a.m) ||
            (c.e == 255 && infinite && c.sign != sign))
            return 0x7fc00000;
        if (c.e == 255)
            return z;
        if (infinite || p)
            return sign << 31 | 0x7f800000u;
    }
    if (!p || e < 0)
        return add ? z : (c.sign & sign) << 31;
    if (e > c.e)
        add = align(add, e - c.e, 32);
    else
        p = align(p, c.e - e, 64);
    int32_t top = e > c.e ? e : c.e;
    if (sign == c.sign)
        return compose(sign, top, p + add);
    if (p == add)
        return (c.sign & sign) << 31;
    return p > add ? compose(sign, top, p - add) : compose(c.sign, top, add - p);
}

uint32_t pg_sfp_lut8(uint32_t t)
{
    return t == 0xff ? 0 : (t & 0x80) << 24 | (127 - (t >> 4 & 7)) << 23 | (t & 15) << 19;
}

uint32_t pg_sfp_lut16(uint32_t t)
{
    uint32_t e = t >> 10 & 31;
    return (t & 0x8000) << 16 | (e == 31 ? 0 : 112 + e) << 23 | (t & 0x3ff) << 13;
}

/* The table of the page is the nearest whole number to 65536 / (257 + 2i), without its leading one. */
uint32_t pg_sfp_recip(uint32_t a)
{
    if (a < 0x00800000)
        return 0x7f800000;
    if (a >= 0x7e800000)
        return 0;
    uint32_t d = 257 + 2 * pg_bits(a, 22, 16);
    return (253 - (a >> 23)) << 23 | ((131072 + d) / (2 * d) - 128) << 16;
}

/* e^t, by its series. */
static double power(double t)
{
    double sum = 1, term = 1;
    for (unsigned i = 1; i < 40; i++) {
        term *= t / i;
        sum += term;
    }
    return sum;
}

/* The table of the page is e^t, cut to BF16, at the upper half of the argument. */
static uint32_t exp_table(uint32_t high)
{
    double t = 1 + (high & 0x7f) / 128.0;
    for (unsigned e = high >> 7; e < 127; e++)
        t /= 2;
    double y = power(t);
    uint32_t e = 127;
    while (y >= 2) {
        y /= 2;
        e++;
    }
    return e << 7 | (uint32_t)((y - 1) * 128);
}

uint32_t pg_sfp_exp(uint32_t a)
{
    uint32_t low = a & 0xffff;
    if (a < 0x00800000)
        return 0x3f800000;
    if (a < 0x3c800000)
        return 0x3f810000 | low;
    if (a >= 0x40000000)
        return 0x40800000 | low;
    return exp_table(a >> 16) << 16 | low;
}

/* Sign and magnitude; minus zero is less than plus zero. */
bool pg_sfp_smaller(uint32_t c, uint32_t d)
{
    int64_t x = c >> 31 ? -(int64_t)(c & 0x7fffffff) - 1 : (int64_t)c;
    int64_t y = d >> 31 ? -(int64_t)(d & 0x7fffffff) - 1 : (int64_t)d;
    return x < y;
}
