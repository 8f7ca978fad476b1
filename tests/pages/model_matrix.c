/*
 * model_matrix.c - MVMUL, DOTPV, GAPOOL, ELWMUL, ELWADD, ELWSUB and GMPOOL.
 *
 * ISA pages: the instructions' own (rows, modes, broadcasts), SrcASrcB (phases). Arithmetic: fact sheet on
 * numbers, 3.2 to 3.8 (the pages call theirs a rough guide).
 */
#include "pages.h"

/* What decides how an instruction reads and writes. */
struct mode {
    bool integer, wide, five; /* INT8 math, Dst32, 5-bit exponents */
    uint32_t fa, fb;
    unsigned phase;
};

struct number {
    int sign, exponent;
    int64_t magnitude; /* bit 23 is 1.0 */
};

static struct mode mode_of(const struct pg *m, unsigned thread)
{
    struct mode o = {.fa = pg_matrix_format(m, thread, PG_A),
                     .fb = pg_matrix_format(m, thread, PG_B)};
    if (m->th[thread][55] & 1) {
        o.five = true;
    } else if (pg_cfg(m, thread, 1, 31, 1)) {
        o.integer = o.wide = true;
    } else {
        o.five = pg_five_bits(o.fa);
        o.wide = pg_cfg(m, thread, 1, 29, 1);
    }
    o.phase = (m->rwc[thread].phase + (m->th[thread][11] & 3)) & 3;
    return o;
}

/* Each operand is cut by its own format. */
static uint32_t cut(uint32_t v, uint32_t format)
{
    if (format == F_FP16 || format == F_FP8)
        return v & ~0xe0u;
    return format == F_TF32 ? v : v & ~0x700u;
}

static int64_t half_away(int64_t v, int d)
{
    return d ? (v + (INT64_C(1) << (d - 1))) >> d : v;
}

static int top_bit(int64_t v)
{
    int n = -1;
    for (; v; v >>= 1)
        n++;
    return n;
}

static int largest(int a, int b)
{
    return a > b ? a : b;
}

/* ---- 3.4: Dst + two terms ---- */

static struct number read_dst(const struct pg *m, const struct mode *o, unsigned row,
                              unsigned column)
{
    struct number n = {0};
    if (o->wide) {
        uint32_t v = pg_order32(pg_read32(m, row, column));
        n = (struct number){(int)(v >> 31), (int)pg_bits(v, 30, 23), v & 0x7fffff};
    } else {
        uint32_t v = pg_read16(m, row, column);
        if (o->five)
            n = (struct number){(int)(v >> 15), (int)(v & 31), (int64_t)pg_bits(v, 14, 5) << 13};
        else
            n = (struct number){(int)(v >> 15), (int)(v & 255), (int64_t)pg_bits(v, 14, 8) << 16};
    }
    n.magnitude = n.exponent ? n.magnitude + (1 << 23) : 0;
    return n;
}

static void write_dst(struct pg *m, const struct mode *o, unsigned row, unsigned column,
                      struct number n)
{
    uint32_t s = (uint32_t)n.sign, e = (uint32_t)n.exponent;
    uint32_t f = (uint32_t)n.magnitude & 0x7fffff;
    if (o->wide)
        pg_write32(m, row, column, pg_to_dst32(s << 31 | e << 23 | f));
    else if (o->five)
        pg_write16(m, row, column, (uint16_t)(s << 15 | f >> 13 << 5 | e));
    else
        pg_write16(m, row, column, (uint16_t)(s << 15 | f >> 16 << 8 | e));
}

static struct number align_term(struct number t, int to, bool narrow)
{
    int d = to - t.exponent;
    if (d >= 31)
        t.magnitude = 0;
    else if (d > 0)
        t.magnitude = (t.magnitude + (INT64_C(1) << (d - 1)) - t.sign) >> d;
    if (narrow)
        t.magnitude = (t.magnitude + 4096 - t.sign) & ~INT64_C(8191);
    return t;
}

static struct number add_up(const struct mode *o, struct number t0, struct number t1,
                            struct number d)
{
    struct number zero = {0};
    int x = largest(largest(t0.exponent, t1.exponent), d.exponent);
    if (x <= 0)
        return zero;
    t0 = align_term(t0, x, !o->wide);
    t1 = align_term(t1, x, !o->wide);
    d.magnitude = x - d.exponent < 31 ? half_away(d.magnitude, x - d.exponent) : 0;
    if (!o->wide)
        d.magnitude = (d.magnitude + 4096) & ~INT64_C(8191);
    int64_t n = 0;
    n += d.sign ? -d.magnitude : d.magnitude;
    n += t0.sign ? -t0.magnitude : t0.magnitude;
    n += t1.sign ? -t1.magnitude : t1.magnitude;
    if (!n)
        return zero;
    struct number r = {.sign = n < 0};
    n = n < 0 ? -n : n;
    int top = top_bit(n), keep = o->wide ? 24 : (o->five ? 11 : 8);
    r.exponent = x + top - 23;
    int drop = top + 1 - keep;
    if (drop > 0) {
        n = half_away(n, drop);
        if (n >> keep) {
            n >>= 1;
            r.exponent++;
        }
        n <<= 24 - keep;
    } else {
        n <<= 23 - top;
    }
    r.magnitude = n;
    if (r.exponent <= 0)
        return zero;
    if (!o->wide && o->five) {
        if (r.exponent >= 32)
            return (struct number){r.sign, 31, 0x7fe000};
    } else if (r.exponent >= 255) {
        return (struct number){r.sign, 255, 0};
    }
    return r;
}

/* ---- 3.2: phases ---- */

static uint32_t part_a(uint32_t v, unsigned phase)
{
    uint32_t s = 1024 | pg_bits(v, 17, 8);
    return phase & 1 ? pg_bits(s, 5, 1) : pg_bits(s, 10, 6);
}

static uint32_t part_b(uint32_t v, unsigned phase)
{
    uint32_t s = 1024 | pg_bits(v, 17, 8);
    return phase & 2 ? pg_bits(s, 3, 0) * 8 : pg_bits(s, 10, 4);
}

static int constant(const struct mode *o)
{
    int base = o->five ? (o->wide ? 97 : -15) : -127;
    return base - (o->phase & 1 ? 5 : 0) - (o->phase & 2 ? 7 : 0);
}

/* One product; the unit of magnitude is 2^10. */
static struct number product(const struct mode *o, uint32_t a, uint32_t b)
{
    int k = constant(o);
    if (!(a & 255) || !(b & 255))
        return (struct number){0, largest(k, 0), 0};
    return (struct number){(int)((a ^ b) >> 18 & 1),
                           (int)(a & 255) + (int)(b & 255) + k,
                           (int64_t)part_a(a, o->phase) * part_b(b, o->phase)};
}

/* ---- 3.3: eight lanes ---- */

static struct number group(const struct number *p)
{
    int g = p[0].exponent;
    for (unsigned i = 1; i < 8; i++)
        g = largest(g, p[i].exponent);
    if (g <= 0)
        return (struct number){0};
    int64_t sum = 0;
    for (unsigned i = 0; i < 8; i++) {
        int d = g - p[i].exponent;
        int64_t q = half_away(p[i].magnitude, d > 30 ? 30 : d);
        sum += p[i].sign ? -q : q;
    }
    return (struct number){sum < 0, g, (sum < 0 ? -sum : sum) << 13};
}

/* ---- 3.7: integers ---- */

static int64_t whole(uint32_t v, uint32_t mask)
{
    int64_t n = v & 255 ? (int64_t)(pg_bits(v, 17, 8) & mask) : 0;
    return v >> 18 & 1 ? -n : n;
}

static void integer(struct pg *m, unsigned row, unsigned column, int64_t v, bool accumulate)
{
    if (accumulate) {
        uint32_t old = pg_order32(pg_read32(m, row, column));
        int64_t d = old & 0x7fffffff;
        v += old >> 31 ? -d : d;
    }
    if (v > 0x7fffffff)
        v = 0x7fffffff;
    if (v < -0x7fffffff)
        v = -0x7fffffff;
    uint32_t bits = v < 0 ? 0x80000000u | (uint32_t)-v : (uint32_t)v;
    pg_write32(m, row, column, pg_to_dst32(bits));
}

static void dot(struct pg *m, const struct mode *o, unsigned ra, const uint32_t *b, unsigned row)
{
    uint32_t(*a)[16] = &m->src[PG_A][m->mbank[PG_A]][ra];
    for (unsigned j = 0; j < 16; j++) {
        if (o->integer) {
            int64_t sum = 0;
            for (unsigned k = 0; k < 16; k++)
                sum += whole(a[k][j], o->phase & 1 ? 0x1f : 0xe0) *
                       whole(b[k], o->phase & 2 ? 0x0f : 0x3f0);
            integer(m, row, j, sum, true);
            continue;
        }
        struct number p[16];
        for (unsigned k = 0; k < 16; k++)
            p[k] = product(o, cut(a[k][j], o->fa), cut(b[k], o->fb));
        write_dst(m, o, row, j, add_up(o, group(p), group(p + 8), read_dst(m, o, row, j)));
    }
}

/* MVMUL, DOTPV, GAPOOL */
static void multiply(struct pg *m, unsigned thread, uint32_t word, const struct mode *o)
{
    unsigned op = word >> 24;
    bool spread = op == 38 && pg_bits(word, 19, 19);
    unsigned rows = op == 52 ? 4 : (spread ? 7 : 8);
    unsigned ra = m->rwc[thread].a & 0x38, rb = m->rwc[thread].b & (spread ? 0x3f : 0x38);
    unsigned rd = (pg_bits(word, 9, 0) + pg_dst_base(m, thread)) & (0x400 - rows);
    for (unsigned i = 0; i < rows; i += spread ? 2 : 1)
        dot(m, o, ra, m->src[PG_B][m->mbank[PG_B]][rb + (spread ? 0 : i)], rd + i);
    m->bug_row = ra;
}

/* 3.6: the larger operand's grid decides. */
static struct number sum(const struct mode *o, uint32_t a, uint32_t b)
{
    uint32_t x = a & 255 ? a : 0, y = b & 255 ? b : 0;
    uint32_t kx = pg_bits(x, 7, 0) << 10 | pg_bits(x, 17, 8);
    uint32_t ky = pg_bits(y, 7, 0) << 10 | pg_bits(y, 17, 8);
    if (kx < ky) {
        uint32_t t = x;
        x = y;
        y = t;
    }
    int ex = (int)(x & 255), d = ex - (int)(y & 255);
    int64_t mx = x ? 1024 | pg_bits(x, 17, 8) : 0, my = y ? 1024 | pg_bits(y, 17, 8) : 0;
    my = d >= 12 ? 0 : half_away(my, d);
    int64_t n = (x ^ y) >> 18 & 1 ? mx - my : mx + my;
    if (o->five && o->wide)
        ex = ex ? ex + 112 : 97;
    ex -= (o->phase & 1 ? 5 : 0) + (o->phase & 2 ? 7 : 0);
    return (struct number){(int)(x >> 18), ex, n << 13};
}

static void one_cell(struct pg *m, const struct mode *o, uint32_t word, uint32_t a, uint32_t b,
                     unsigned row, unsigned column)
{
    unsigned op = word >> 24;
    bool accumulate = op == 39 || pg_bits(word, 21, 21);
    if (o->integer) {
        int64_t v;
        if (op == 39)
            v = whole(a, o->phase & 1 ? 0x1f : 0xe0) * whole(b, o->phase & 2 ? 0x0f : 0x3f0);
        else
            v = whole(a, 0x3ff) + (op == 48 ? -whole(b, 0x3ff) : whole(b, 0x3ff));
        integer(m, row, column, v, accumulate);
        return;
    }
    a = cut(a, o->fa);
    b = cut(b, o->fb);
    struct number zero = {0}, d = zero, t;
    if (accumulate)
        d = read_dst(m, o, row, column);
    if (op == 39) {
        t = product(o, a, b);
        if (t.exponent <= 0 || !(a & 255) || !(b & 255))
            t = (struct number){0, largest(constant(o), 0), 0};
        t.magnitude <<= 13;
    } else {
        t = sum(o, a, op == 48 ? b ^ 1u << 18 : b);
    }
    write_dst(m, o, row, column, add_up(o, t, zero, d));
}

static void elementwise(struct pg *m, unsigned thread, uint32_t word, const struct mode *o)
{
    bool column0 = pg_bits(word, 19, 19), spread = pg_bits(word, 20, 20);
    unsigned ra = m->rwc[thread].a & 0x38, rb = m->rwc[thread].b & (spread ? 0x3f : 0x38);
    unsigned rd = (pg_bits(word, 9, 0) + pg_dst_base(m, thread)) & 0x3f8;
    for (unsigned i = 0; i < 8; i++)
        for (unsigned j = 0; j < 16; j++)
            one_cell(m,
                     o,
                     word,
                     m->src[PG_A][m->mbank[PG_A]][ra + i][j],
                     m->src[PG_B][m->mbank[PG_B]][rb + (spread ? 0 : i)][column0 ? 0 : j],
                     rd + i,
                     j);
    m->bug_row = ra;
}

void pg_matrix(struct pg *m, unsigned thread, uint32_t word)
{
    struct mode o = mode_of(m, thread);
    unsigned op = word >> 24;
    if (op == 38 || op == 41 || op == 52)
        multiply(m, thread, word, &o);
    else
        elementwise(m, thread, word, &o);
    pg_flip(m, thread, word);
    pg_addr_mod(m, thread, op == 52 ? pg_bits(word, 17, 15) : pg_bits(word, 16, 14));
}
