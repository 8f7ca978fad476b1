/*
 * golden.c - see golden.h.
 */
#include "golden.h"

#include <math.h>
#include <string.h>

/* ---- formats ---- */

static src_datum make(uint32_t s, uint32_t e, uint32_t m)
{
    return s << 18 | (e & 255) << 10 | (m & 1023);
}

static uint32_t sign(src_datum x)
{
    return x >> 18 & 1;
}

static int exponent(src_datum x)
{
    return (int)(x >> 10 & 255);
}

static uint32_t fraction(src_datum x)
{
    return x & 1023;
}

static bool five_bits(uint32_t format)
{
    return format == FMT_FP16 || format == FMT_BFP8A || format == FMT_BFP4A || format == FMT_FP8 ||
           format == FMT_BFP2A || format == FMT_INT8;
}

static uint32_t load(const uint8_t *p, unsigned size)
{
    uint32_t v = 0;
    memcpy(&v, p, size);
    return v;
}

/* FP32 to FP16 by truncation, without infinities: {S, E5, M10}. */
static uint32_t fp32_to_fp16(uint32_t v)
{
    int e = (int)(v >> 23 & 255) - 112;
    uint32_t s = v >> 31 << 15;
    if (e < 0)
        return s;
    return e > 31 ? s | 0x7FFF : s | (uint32_t)e << 10 | (v >> 13 & 1023);
}

static src_datum from_fp16(uint32_t h)
{
    return make(h >> 15, h >> 10 & 31, h);
}

static src_datum from_fp32(uint32_t v, uint32_t to)
{
    if (to == FMT_TF32)
        return make(v >> 31, v >> 23, v >> 13);
    if (to == FMT_FP16)
        return from_fp16(fp32_to_fp16(v));
    uint32_t m = v >> 23 & 255 ? v >> 16 & 127 : 0;
    return make(v >> 31, v >> 23, m << 3);
}

static src_datum from_fp8(uint32_t v, bool e4m3)
{
    uint32_t s = v >> 7;
    if (!e4m3)
        return from_fp16(v << 8 | ((v & 127) == 127 ? 255 : 0));
    uint32_t e = v >> 3 & 15, m = v & 7;
    return make(s, e ? e + 8 : 0, m << 7 | (e == 15 && m == 7 ? 127 : 0));
}

/* width: bits of the magnitude */
static src_datum from_bfp(uint32_t datum, unsigned width, uint32_t shared, bool wide)
{
    uint32_t s = datum >> width & 1, g = (datum & ((1u << width) - 1)) << (7 - width);
    unsigned n = 0;
    if (!g)
        return s ? wide ? make(1, 255, 0) : make(1, 31, 0) : 0;
    while (!(g << n & 64))
        n++;
    return make(s, shared - n, (g << n & 63) << 4);
}

static src_datum unpack_bfp(uint32_t format, const uint8_t *bytes, unsigned n, unsigned i)
{
    unsigned bits = format == FMT_BFP8 || format == FMT_BFP8A   ? 8
                    : format == FMT_BFP4 || format == FMT_BFP4A ? 4
                                                                : 2;
    const uint8_t *data = bytes + (n / 16 + 15) / 16 * 16;
    uint32_t datum = (uint32_t)data[i * bits / 8] >> i * bits % 8;
    return from_bfp(datum, bits - 1, bytes[i / 16], !five_bits(format));
}

src_datum golden_unpack(const struct golden_from *f, const uint8_t *bytes, unsigned n, unsigned i)
{
    uint32_t v;
    switch (f->format) {
    case FMT_FP32: return from_fp32(load(bytes + 4 * i, 4), f->src_format);
    case FMT_FP16: return from_fp16(load(bytes + 2 * i, 2));
    case FMT_BF16: v = load(bytes + 2 * i, 2); return make(v >> 15, v >> 7, (v & 127) << 3);
    case FMT_INT16: v = load(bytes + 2 * i, 2); return make(v >> 15, v, (v >> 8 & 127) << 3);
    case FMT_FP8: return from_fp8(bytes[i], f->e4m3);
    case FMT_INT8:
        v = f->unsigned8 ? bytes[i] : bytes[i] & 127u;
        return make(f->unsigned8 ? 0 : bytes[i] >> 7, v ? 16 : 0, v);
    default: return unpack_bfp(f->format, bytes, n, i);
    }
}

dst_datum golden_unpack_dst(const uint8_t *bytes, unsigned i)
{
    return load(bytes + 4 * i, 4);
}

/* ---- arithmetic ---- */

struct term {
    bool negative;
    int exp;
    int64_t mag; /* bit 23 is one */
};

struct style {
    bool wide; /* 8-bit exponents */
    bool dst32;
};

static struct style style_of(const struct golden_math *m)
{
    return (struct style){!five_bits(m->a_format), m->dst32};
}

/* What the Matrix Unit sees of a Src datum. */
static src_datum masked(uint32_t format, src_datum x)
{
    if (format == FMT_FP16 || format == FMT_FP8)
        return x & ~(src_datum)(7 << 15);
    return format == FMT_TF32 ? x : x & ~(src_datum)7;
}

static int64_t half_away(int64_t m, int d)
{
    return d ? (m + ((int64_t)1 << (d - 1))) >> d : m;
}

static int larger(int x, int y)
{
    return x > y ? x : y;
}

static struct term dst_term(struct style st, dst_datum d)
{
    struct term t;
    uint32_t f;
    if (st.dst32) {
        t.negative = d >> 31;
        t.exp = d >> 23 & 255;
        f = d & 0x7FFFFF;
    } else if (st.wide) {
        t.negative = d >> 15 & 1;
        t.exp = d >> 7 & 255;
        f = (d & 127) << 16;
    } else {
        t.negative = d >> 15 & 1;
        t.exp = d >> 10 & 31;
        f = (d & 1023) << 13;
    }
    t.mag = t.exp ? 1 << 23 | f : 0;
    return t;
}

static dst_datum dst_make(struct style st, bool negative, int e, uint32_t bits)
{
    if (e <= 0)
        return 0;
    if (st.dst32)
        return (uint32_t)negative << 31 |
               (e >= 255 ? 0x7F800000 : (uint32_t)e << 23 | (bits & 0x7FFFFF));
    if (st.wide)
        return (uint32_t)negative << 15 | (e >= 255 ? 0x7F80 : (uint32_t)e << 7 | (bits & 127));
    return (uint32_t)negative << 15 | (e >= 32 ? 0x7FFF : (uint32_t)e << 10 | (bits & 1023));
}

static int64_t aligned(struct style st, struct term t, int top)
{
    int d = top - t.exp, s = t.negative;
    int64_t m = t.mag;
    if (d > 0)
        m = d < 31 ? (m + ((int64_t)1 << (d - 1)) - s) >> d : 0;
    if (!st.dst32)
        m = (m + 4096 - s) & ~(int64_t)8191;
    return s ? -m : m;
}

static dst_datum accumulate(struct style st, struct term t0, struct term t1, dst_datum dst)
{
    struct term old = dst_term(st, dst);
    int top = larger(larger(t0.exp, t1.exp), old.exp), d = top - old.exp;
    if (top <= 0)
        return 0;
    int64_t m = d < 31 ? half_away(old.mag, d) : 0;
    if (!st.dst32)
        m = (m + 4096) & ~(int64_t)8191;
    int64_t sum = (old.negative ? -m : m) + aligned(st, t0, top) + aligned(st, t1, top);
    if (!sum)
        return 0;
    int64_t n = sum < 0 ? -sum : sum;
    int lead = 63 - __builtin_clzll((unsigned long long)n), e = top + lead - 23;
    int keep = st.dst32 ? 24 : st.wide ? 8 : 11;
    if (lead + 1 > keep) {
        n = half_away(n, lead + 1 - keep);
        if (n >> keep) {
            n = (int64_t)1 << (keep - 1);
            e++;
        }
    } else {
        n <<= keep - 1 - lead;
    }
    return dst_make(st, sum < 0, e, (uint32_t)n);
}

static int constant(struct style st, unsigned phase)
{
    static const int adjust[4] = {0, -5, -7, -12};
    return (st.wide ? -127 : st.dst32 ? 97 : -15) + adjust[phase];
}

/* Parts of two significands that a phase multiplies, and the exponent of the product; false: zero. */
static bool product(const struct golden_math *m, struct style st, src_datum a, src_datum b,
                    bool test_b, unsigned phase, int *e, uint32_t *q)
{
    a = masked(m->a_format, a);
    b = masked(m->b_format, b);
    if (!exponent(a) || (test_b && !exponent(b)))
        return false;
    uint32_t ma = 1024 | fraction(a), mb = 1024 | fraction(b);
    uint32_t pa = phase & 1 ? ma >> 1 & 31 : ma >> 6;
    uint32_t pb = phase & 2 ? (mb & 15) * 8 : mb >> 4;
    *q = pa * pb;
    *e = exponent(a) + exponent(b) + constant(st, phase);
    return true;
}

static struct term group(const struct golden_math *m, struct style st, const src_datum *a,
                         const src_datum *b, unsigned phase)
{
    int e[8], top = -1000;
    int64_t sum = 0;
    uint32_t q[8];
    for (unsigned k = 0; k < 8; k++) {
        if (!product(m, st, a[k], b[k], true, phase, &e[k], &q[k])) {
            e[k] = larger(constant(st, phase), 0);
            q[k] = 0;
        }
        top = larger(top, e[k]);
    }
    if (top <= 0)
        return (struct term){0};
    for (unsigned k = 0; k < 8; k++) {
        int d = top - e[k];
        int64_t part = half_away(q[k], d < 30 ? d : 30);
        sum += sign(a[k]) != sign(b[k]) ? -part : part;
    }
    return (struct term){sum < 0, top, (sum < 0 ? -sum : sum) * 8192};
}

/* ---- integers ---- */

static int64_t int_value(src_datum x, uint32_t keep, bool test)
{
    int64_t v = fraction(x) & keep;
    if (test && !exponent(x))
        return 0;
    return sign(x) ? -v : v;
}

static int64_t int_product(const struct golden_math *m, src_datum a, src_datum b, unsigned phase)
{
    return int_value(a, phase & 1 ? 0x1F : 0xE0, true) *
           int_value(b, phase & 2 ? 0x0F : 0x3F0, !m->zero_flag_off);
}

static dst_datum int_add(dst_datum dst, int64_t add)
{
    int64_t v = dst & 0x7FFFFFFF;
    v = (dst >> 31 ? -v : v) + add;
    v = v > INT32_MAX ? INT32_MAX : v < -INT32_MAX ? -INT32_MAX : v;
    return v < 0 ? UINT32_C(1) << 31 | (uint32_t)-v : (uint32_t)v;
}

/* ---- instructions ---- */

dst_datum golden_dot(const struct golden_math *m, const src_datum *a, const src_datum *b,
                     unsigned phase, dst_datum dst)
{
    struct style st = style_of(m);
    if (m->int8) {
        int64_t sum = 0;
        for (unsigned k = 0; k < 16; k++)
            sum += int_product(m, a[k], b[k], phase);
        return int_add(dst, sum);
    }
    struct term t0 = group(m, st, a, b, phase), t1 = group(m, st, a + 8, b + 8, phase);
    return accumulate(st, t0, t1, dst);
}

dst_datum golden_mul(const struct golden_math *m, src_datum a, src_datum b, unsigned phase,
                     dst_datum dst)
{
    struct style st = style_of(m);
    int e;
    uint32_t q;
    if (m->int8)
        return int_add(dst, int_product(m, a, b, phase));
    struct term t = {false, larger(constant(st, phase), 0), 0};
    if (product(m, st, a, b, !m->zero_flag_off, phase, &e, &q) && e > 0)
        t = (struct term){sign(a) != sign(b), e, (int64_t)q * 8192};
    return accumulate(st, t, (struct term){0}, dst);
}

dst_datum golden_add(const struct golden_math *m, src_datum a, src_datum b, bool subtract,
                     dst_datum dst)
{
    struct style st = style_of(m);
    if (subtract)
        b ^= 1u << 18;
    if (m->int8)
        return int_add(dst, int_value(a, 1023, true) + int_value(b, 1023, !m->zero_flag_off));
    a = masked(m->a_format, a);
    b = masked(m->b_format, b);
    if (!exponent(a))
        a = 0;
    if (!exponent(b) && !m->zero_flag_off)
        b = 0;
    if ((a & 0x3FFFF) < (b & 0x3FFFF)) {
        src_datum other = a;
        a = b;
        b = other;
    }
    int64_t ma = a ? 1024 | fraction(a) : 0, mb = b ? 1024 | fraction(b) : 0;
    int d = exponent(a) - exponent(b), e = exponent(a);
    mb = d < 12 ? half_away(mb, d) : 0;
    if (!st.wide && st.dst32)
        e = e ? e + 112 : 97;
    struct term t = {sign(a), e, (sign(a) == sign(b) ? ma + mb : ma - mb) * 8192};
    return accumulate(st, t, (struct term){0}, dst);
}

/* Sign-magnitude patterns of so many bits in their order. */
static int64_t rank(uint32_t x, unsigned bits)
{
    int64_t v = x & ((1u << (bits - 1)) - 1);
    return x >> (bits - 1) & 1 ? -v : v;
}

dst_datum golden_max(const struct golden_math *m, src_datum a, dst_datum dst)
{
    a = masked(m->a_format, a);
    if (!exponent(a))
        a = 0;
    uint32_t low = m->dst32 ? 13 : 0;
    uint32_t x = m->dst32 ? a : a >> 3, old = dst == GOLDEN_LOWEST ? dst : dst >> low;
    unsigned bits = m->dst32 ? 19 : 16;
    return rank(x, bits) > rank(old, bits) ? x << low : dst;
}

dst_datum golden_max_end(const struct golden_math *m, dst_datum dst)
{
    if (dst == GOLDEN_LOWEST)
        return m->dst32 ? 0xFFFFE000 : 0xFFFF;
    return dst;
}

dst_datum golden_move(const struct golden_math *m, uint32_t format, src_datum a, bool flush)
{
    (void)m;
    if (flush && !exponent(a))
        a = 0;
    if (format == FMT_TF32)
        return a << 13;
    if (five_bits(format))
        return sign(a) << 15 | (a & 0x7FFF);
    return a >> 3;
}

src_datum golden_move_back(const struct golden_math *m, uint32_t format, dst_datum d)
{
    if (format == FMT_TF32)
        return d >> 13;
    d = m->dst32 ? d >> 16 : d;
    return five_bits(format) ? from_fp16(d & 0xFFFF) : (d & 0xFFFF) << 3;
}

/* ---- packing ---- */

/* 16 bits of BF16: NaN becomes infinity, too small becomes 0; keep: low bits that are cleared. */
static uint32_t clean_bf16(uint32_t v)
{
    return v & 0x7F80 ? v : 0;
}

static uint32_t early32(const struct golden_to *t, uint32_t v)
{
    uint32_t s = v >> 31, mag = v & 0x7FFFFFFF;
    bool integer = t->pack_format == FMT_INT8;
    if (!integer && mag > 0x7F800000)
        mag = 0x7F800000;
    switch (t->pack_format) {
    case FMT_BF16: return clean_bf16(((s << 31 | mag) + 0x8000) >> 16);
    case FMT_BFP8: return clean_bf16((((s << 31 | mag) >> 16) + 1) & 0xFFFE);
    case FMT_FP16: /* still 19 bits: ReLU comes first */
        mag = ((s << 31 | mag) + 0x1000) >> 13;
        return mag & 0x3FC00 ? mag : 0;
    case FMT_INT8:
        if (t->read & 2)
            return s ? 0 : mag > 255 ? 255 : mag;
        return s << 7 | (mag > 127 ? 127 : mag);
    case FMT_INT16: /* the upper half as it lies in Dst, which keeps the exponent last */
        return s << 15 | (v >> 16 & 0x7F) << 8 | (v >> 23 & 0xFF);
    default: return v;
    }
}

static uint32_t bf16_to_fp16(uint32_t w)
{
    int e = (int)(w >> 7 & 255) - 112;
    uint32_t s = w & 0x8000;
    if (e < 0)
        return s;
    return e > 31 ? s | 0x7FFF : s | (uint32_t)e << 10 | (w & 127) << 3;
}

static uint32_t early16(const struct golden_to *t, uint32_t w)
{
    uint32_t s = w & 0x8000;
    switch (t->pack_format) {
    case FMT_BF16:
    case FMT_BFP8:
        if ((w & 0x7FFF) > 0x7F80)
            w = s | 0x7F80;
        if (!(w & 0x7F80))
            return 0;
        return t->pack_format == FMT_BF16 ? w : (w + 1) & 0xFFFE;
    case FMT_FP16: return t->read & 8 ? bf16_to_fp16(w) : w & 0x7C00 ? w : 0;
    case FMT_BFP8A:
        if ((w & 0x7FFF) > 0x7FF7)
            w = s | 0x7FF0;
        w = (w + 8) & 0xFFF0;
        return w & 0x7C00 ? w : 0;
    case FMT_INT16: /* as it lies in Dst */ return s | (w & 0x7F) << 8 | (w >> 7 & 0xFF);
    default: return w;
    }
}

/* width: of the pattern; the threshold has 16 bits. */
static uint32_t relu(const struct golden_to *t, uint32_t v, unsigned width)
{
    uint32_t mode = t->relu >> 2 & 15, limit = (t->relu >> 6 & 0xFFFF) << (width - 16);
    if (!mode)
        return v;
    if (v >> (width - 1))
        return 0;
    if (mode == 2)
        return v <= limit ? 0 : v;
    if (mode == 3 && width == 32)
        return v >> 13 > limit >> 13 ? limit : v;
    return mode == 3 && v > limit ? limit : v;
}

static uint32_t intermediate(const struct golden_to *t, dst_datum d)
{
    uint32_t f = t->pack_format;
    uint32_t v = t->dst32 ? early32(t, d) : early16(t, d);
    if (f == FMT_FP32 || f == FMT_INT32)
        return relu(t, v, 32);
    if (f == FMT_INT8 || f == FMT_INT16)
        return v;
    if (t->dst32 && f == FMT_FP16)
        return fp32_to_fp16(relu(t, v, 19) << 13);
    return relu(t, v, 16);
}

/* 16 bits {S, E8, M7} for a format with shared exponents. */
static uint32_t late_bf16(uint32_t from, uint32_t v)
{
    if (from == FMT_FP32)
        return clean_bf16(v >> 16);
    if (from == FMT_FP16 || from == FMT_BFP8A)
        return v & 0x7C00 ? (v & 0x8000) | ((v >> 10 & 31) + 112) << 7 | (v >> 3 & 127) : 0;
    return v;
}

static uint32_t late_fp32(uint32_t from, uint32_t v)
{
    if (from == FMT_FP16) {
        uint32_t e = v >> 10 & 31;
        return v >> 15 << 31 | (e ? e + 112 : 0) << 23 | (v & 1023) << 13;
    }
    return from == FMT_BF16 || from == FMT_BFP8 ? v << 16 : v;
}

static uint32_t late_fp8(uint32_t v)
{
    uint32_t s = v >> 15 << 7, e = v >> 10 & 31;
    return e <= 8 ? s : e >= 24 ? s | 0x7F : s | (e - 8) << 3 | (v >> 7 & 7);
}

static uint32_t late(const struct golden_to *t, uint32_t v)
{
    switch (t->out_format) {
    case FMT_FP32: return late_fp32(t->pack_format, v);
    case FMT_FP16: return t->pack_format == FMT_FP32 ? fp32_to_fp16(v) : v;
    case FMT_BF16: return late_bf16(t->pack_format, v);
    case FMT_FP8: return late_fp8(v);
    default: return v;
    }
}

/* Sixteen datums with one exponent. */
static void pack_shared(uint32_t format, const uint32_t *v, uint8_t *exp, uint8_t *data)
{
    unsigned bits = format == FMT_BFP8 ? 8 : format == FMT_BFP4 ? 4 : 2;
    uint32_t top = 0;
    for (unsigned i = 0; i < 16; i++)
        if ((v[i] >> 7 & 255) > top)
            top = v[i] >> 7 & 255;
    *exp = (uint8_t)top;
    for (unsigned i = 0; i < 16; i++) {
        uint32_t e = v[i] >> 7 & 255, m = (e ? 128 : 0) | (v[i] & 127), d = top - e;
        uint32_t mag = d >= 8 ? 0 : (m + (1u << d)) >> (d + 1);
        mag = (mag > 127 ? 127 : mag) >> (8 - bits);
        uint32_t datum = mag ? (v[i] >> 15 & 1) << (bits - 1) | mag : 0;
        data[i * bits / 8] |= (uint8_t)(datum << i * bits % 8);
    }
}

unsigned golden_pack(const struct golden_to *t, const dst_datum *d, unsigned n, uint8_t *bytes)
{
    uint32_t quarter = compute_datum4(t->out_format);
    unsigned exponents = compute_is_bfp(t->out_format) ? n / 16 : 0,
             total = exponents + n * quarter / 4;
    memset(bytes, 0, total);
    for (unsigned i = 0; i < n; i += 16) {
        uint32_t v[16];
        for (unsigned k = 0; k < 16; k++)
            v[k] = intermediate(t, d[i + k]);
        if (exponents) {
            for (unsigned k = 0; k < 16; k++)
                v[k] = late_bf16(t->pack_format, v[k]);
            pack_shared(t->out_format, v, bytes + i / 16, bytes + exponents + i * quarter / 4);
            continue;
        }
        for (unsigned k = 0; k < 16; k++) {
            uint32_t x = late(t, v[k]);
            memcpy(bytes + (i + k) * quarter / 4, &x, quarter / 4);
        }
    }
    return total;
}

/* ---- the packer adds to L1 ---- */

static float as_float(uint32_t v)
{
    float f;
    memcpy(&f, &v, 4);
    return f;
}

static uint32_t as_bits(float f)
{
    uint32_t v;
    memcpy(&v, &f, 4);
    return v;
}

/* Too small to have an exponent: zero with a sign. */
static uint32_t flushed(uint32_t v)
{
    return v & 0x7F800000 ? v : v & 0x80000000;
}

static uint32_t add_fp32(uint32_t old, uint32_t new)
{
    float sum = as_float(flushed(old)) + as_float(flushed(new));
    return isnan(sum) ? 0x7FC00000 : flushed(as_bits(sum));
}

/* The value of a BF16 number; NaN is finite, and in memory larger than all others. */
static double bf16_value(uint32_t v, bool in_memory)
{
    double sign = v & 0x8000 ? -1 : 1;
    int e = (int)(v >> 7 & 255);
    if (!e)
        return sign * 0.0;
    if (e == 255 && !(v & 127))
        return sign * INFINITY;
    if (e == 255 && in_memory)
        return sign * ldexp(1, 200);
    return sign * ldexp(1 + (v & 127) / 128.0, e - 127);
}

static uint32_t add_bf16(uint32_t old, uint32_t new)
{
    double sum = bf16_value(old, true) + bf16_value(new, false);
    uint32_t s = signbit(sum) ? 0x8000 : 0;
    int e;
    if (isnan(sum))
        return 0x7FC0;
    if (sum == 0)
        return s;
    if (isinf(sum))
        return s | 0x7F80;
    double part = frexp(fabs(sum), &e); /* 0.5 .. 1 */
    e += 126;
    if (e <= 0)
        return s;
    if (e >= 255)
        return s | 0x7F80;
    /* a carry goes to the exponent */
    return s | (((uint32_t)(e - 1) << 7) + (uint32_t)nearbyint(part * 256));
}

static float fp16_value(uint32_t v)
{
    int e = (int)(v >> 10 & 31);
    float m = e ? ldexpf(1 + (float)(v & 1023) / 1024, e - 15) : 0;
    return v & 0x8000 ? -m : m;
}

static uint32_t add_fp16(uint32_t old, uint32_t new)
{
    float sum = fp16_value(old) + fp16_value(new);
    uint32_t s = signbit(sum) ? 0x8000 : 0;
    if (sum == 0)
        return s | ((old >> 10 & 31) >= 30 ? 0x7FFF : 0);
    int e = (int)(as_bits(sum) >> 23 & 255) - 112;
    if (e <= 0)
        return e < 0 ? s | 0x7FFF : s;
    uint32_t m = (uint32_t)nearbyint(ldexp(fabs((double)sum), 15 - e) * 1024); /* 1024 .. 2048 */
    uint32_t v = ((uint32_t)(e - 1) << 10) + m;
    return s | (v >= 0x8000 ? 0x7FFF : v);
}

void golden_add_l1(uint32_t format, const uint8_t *old, uint8_t *bytes, unsigned size)
{
    unsigned step = format == FMT_FP32 ? 4 : 2;
    for (unsigned i = 0; i < size; i += step) {
        uint32_t x = load(old + i, step), y = load(bytes + i, step);
        uint32_t sum = format == FMT_FP32   ? add_fp32(x, y)
                       : format == FMT_BF16 ? add_bf16(x, y)
                                            : add_fp16(x, y);
        memcpy(bytes + i, &sum, step);
    }
}
