/*
 * model_vector.c - the Vector Unit's lanes: one function per kind of page, each for one lane where the page is lanewise.
 *
 * ISA pages: VectorUnit, LReg, SFPCONFIG, and those of the SFP* instructions but SFPLOADMACRO. SFPLOAD and SFPSTORE
 * are in model_sfpdst.c, arithmetic in model_sfpmath.c. What a page calls undefined is named by
 * pg_vector_undefined(), and so is what no page has: whether the backdoor takes the word in lanes that are not
 * enabled, and with loads.
 */
#include "pages.h"
#include "sfp.h"

struct sfp {
    uint32_t word;
    unsigned op, mod, vd, vc, vb, va;
    uint32_t imm12, imm16;
    int32_t signed12;
};

static struct sfp decode(uint32_t w)
{
    struct sfp s = {.word = w,
                    .op = w >> 24,
                    .mod = w & 15,
                    .vd = w >> 4 & 15,
                    .vc = w >> 8 & 15,
                    .vb = w >> 12 & 15,
                    .va = w >> 16 & 15,
                    .imm12 = w >> 12 & 0xfff,
                    .imm16 = w >> 8 & 0xffff};
    s.signed12 = (int32_t)s.imm12 - (s.imm12 & 0x800 ? 4096 : 0);
    if (s.op >= SFPLOAD && s.op <= SFPLUT) {
        s.vd = w >> 20 & 15;
        s.mod = w >> 16 & 15;
        s.imm16 = w & 0xffff;
    }
    return s;
}

bool pg_lane_enabled(const struct pg *m, unsigned lane)
{
    if (m->v.config[lane & 7] >> (12 + lane / 8) & 1)
        return false;
    return !m->v.use[lane] || m->v.flag[lane];
}

bool pg_lane_gate(const struct pg *m, unsigned lane, unsigned vd)
{
    return vd < 12 || m->v.config[lane] & 2;
}

static void put(struct pg *m, unsigned lane, unsigned vd, uint32_t value)
{
    if (vd < 8)
        m->v.r[vd][lane] = value;
}

static uint32_t advance(struct pg *m, unsigned lane)
{
    uint32_t x = m->v.prng[lane], taps = (x >> 31) + (x >> 21) + (x >> 1) + x;
    m->v.prng[lane] = (~taps & 1) << 31 | x >> 1;
    return x;
}

/* ---- multiply and add ---- */

/* Where the low bits of LReg[7] may say it. */
static unsigned target(const struct pg *m, const struct sfp *s, unsigned lane)
{
    return s->mod & 8 ? m->v.r[7][lane] & 15 : s->vd;
}

static void mad(struct pg *m, const struct sfp *s, unsigned lane)
{
    unsigned va = s->mod & 4 ? m->v.r[7][lane] & 15 : s->va;
    uint32_t b = m->v.r[s->vb][lane] ^ (s->mod & 1 ? 0x80000000u : 0);
    uint32_t c = m->v.r[s->vc][lane] ^ (s->mod & 2 ? 0x80000000u : 0);
    put(m, lane, target(m, s, lane), pg_sfp_mad(m->v.r[va][lane], b, c));
}

static void mad_immediate(struct pg *m, const struct sfp *s, unsigned lane)
{
    uint32_t c = m->v.r[s->vd][lane] ^ (s->mod & 2 ? 0x80000000u : 0), i = s->imm16 << 16;
    uint32_t d = s->op == SFPMULI ? pg_sfp_mad(i, c, 0) : pg_sfp_mad(i, 0x3f800000, c);
    put(m, lane, target(m, s, lane), d);
}

static unsigned third(uint32_t b)
{
    return b < 0x3f800000 ? 0 : b < 0x40000000 ? 1 : 2;
}

/* SFPLUT, SFPLUTFP32 */
static void lut(struct pg *m, const struct sfp *s, unsigned lane)
{
    uint32_t l3 = m->v.r[3][lane], b = l3 & 0x7fffffff, a, c;
    unsigned i = third(b);
    if (s->op == SFPLUT) {
        a = pg_sfp_lut8(m->v.r[i][lane] >> 8 & 0xff);
        c = pg_sfp_lut8(m->v.r[i][lane] & 0xff);
    } else if (!(s->mod & 2)) {
        a = m->v.r[i][lane];
        c = m->v.r[4 + i][lane];
    } else if (s->mod & 8) {
        a = pg_sfp_lut16(m->v.r[i][lane] >> 16);
        c = pg_sfp_lut16(m->v.r[i][lane] & 0xffff);
    } else {
        const uint32_t middle[3] = {0x3f000000, 0x3fc00000, s->mod & 1 ? 0x40800000 : 0x40400000};
        unsigned j = b < middle[i] ? 0 : 16;
        a = pg_sfp_lut16(m->v.r[i][lane] >> j & 0xffff);
        c = pg_sfp_lut16(m->v.r[4 + i][lane] >> j & 0xffff);
    }
    uint32_t d = pg_sfp_mad(a, b, c);
    if (s->mod & 4)
        d = (d & 0x7fffffff) | (l3 & 0x80000000);
    put(m, lane, target(m, s, lane), d);
}

static void mul24(struct pg *m, const struct sfp *s, unsigned lane)
{
    unsigned va = s->mod & 4 ? m->v.r[7][lane] & 15 : s->va;
    uint64_t p = (uint64_t)(m->v.r[va][lane] & 0x7fffff) * (m->v.r[s->vb][lane] & 0x7fffff);
    uint32_t d = (uint32_t)(s->mod & 1 ? p >> 23 : p) & 0x7fffff, z = m->v.r[s->vc][lane];
    uint32_t e = pg_bits(z, 30, 23);
    if (e) {
        unsigned right = e < 129 ? (129 - e) % 32 : 0;
        uint32_t whole = ((1u << 23) | (z & 0x7fffff)) * 8, q = whole >> right;
        d >>= e > 129 ? (e - 129) % 32 : 0;
        if (q)
            d = (d + q + (whole - (q << right) > 0xffff ? 0x10000u : 0)) & 0x7fffff;
    }
    put(m, lane, target(m, s, lane), d);
}

/* ---- the simple ones ---- */

static uint32_t shifted(uint32_t x, int32_t by, bool arithmetic)
{
    uint32_t n = by >= 0 ? (uint32_t)by & 31 : (0u - (uint32_t)by) & 31;
    if (by >= 0)
        return x << n;
    return n && arithmetic && x >> 31 ? x >> n | ~(UINT32_MAX >> n) : x >> n;
}

static uint32_t special(struct pg *m, unsigned lane, unsigned vc)
{
    if (vc <= 8)
        return m->v.macro[lane][vc];
    return vc == 9 ? advance(m, lane) : vc == 15 ? m->v.config[lane] : 0;
}

/* Flags of SFPEXEXP, SFPIADD, SFPLZ: set, then inverted. */
static void set_flag(struct pg *m, unsigned lane, bool set, bool value, bool invert)
{
    if (set)
        m->v.flag[lane] = value;
    if (invert)
        m->v.flag[lane] = !m->v.flag[lane];
}

static uint32_t zeros(uint32_t c)
{
    uint32_t n = 0;
    while (n < 32 && !(c >> (31 - n)))
        n++;
    return n;
}

/* Instructions that do nothing at all unless VD can be written. */
static void simple(struct pg *m, const struct sfp *s, unsigned lane)
{
    uint32_t c = m->v.r[s->vc][lane], d = m->v.r[s->vd][lane], b = m->v.r[s->vb][lane];
    uint32_t sign = c & 0x80000000u, e = pg_bits(c, 30, 23), f = c & 0x7fffff,
             imm8 = s->imm12 & 255;
    uint32_t x = 0;
    switch (s->op) {
    case SFPDIVP2:
        x = s->mod & 1 ? (e == 255 ? 255 : (e + imm8) & 255) : imm8;
        x = sign | x << 23 | f;
        break;
    case SFPEXEXP: x = e - (s->mod & 1 ? 0 : 127); break;
    case SFPEXMAN: x = f + (s->mod & 1 ? 0 : 0x800000); break;
    case SFPIADD: x = s->mod & 1 ? c + (uint32_t)s->signed12 : s->mod & 2 ? c - d : c + d; break;
    case SFPSHFT:
        x = s->mod & 1 ? shifted(s->mod & 4 ? c : d, s->signed12, s->mod & 2)
                       : shifted(d, (int32_t)c, s->mod & 2);
        break;
    case SFPABS:
        x = c;
        if (sign)
            x = !(s->mod & 1) ? 0u - c : c > 0xff800000u ? c : c ^ 0x80000000u;
        break;
    case SFPAND: x = (s->mod & 1 ? b : d) & c; break;
    case SFPOR: x = (s->mod & 1 ? b : d) | c; break;
    case SFPNOT: x = ~c; break;
    case SFPLZ: x = zeros(s->mod & 4 ? c & 0x7fffffff : c); break;
    case SFPSETEXP:
        x = s->mod & 1 ? imm8 : s->mod & 2 ? pg_bits(d, 30, 23) : d & 255;
        x = sign | x << 23 | f;
        break;
    case SFPSETMAN: x = sign | e << 23 | (s->mod & 1 ? s->imm12 << 11 : d & 0x7fffff); break;
    case SFPSETSGN: x = (c & 0x7fffffff) | (s->mod & 1 ? s->imm12 << 31 : d & 0x80000000u); break;
    case SFPXOR: x = d ^ c; break;
    case SFPCAST:
        x = c;
        if (sign)
            x = s->mod & 1 ? sign | (0u - c) : 0u - c;
        break;
    default: /* SFPARECIP */
        if (s->mod == 0)
            x = sign | pg_sfp_recip(c & 0x7fffffff);
        else if (s->mod == 1)
            x = b >> 31 ? pg_sfp_recip(c & 0x7fffffff) : c;
        else
            x = sign | pg_sfp_exp(c & 0x7fffffff);
        break;
    }
    put(m, lane, s->vd, x);
    if (s->op == SFPEXEXP)
        set_flag(m, lane, s->mod & 2, x >> 31, s->mod & 8);
    if (s->op == SFPIADD)
        set_flag(m, lane, !(s->mod & 4), x >> 31, s->mod & 8);
    if (s->op == SFPLZ)
        set_flag(m, lane, s->mod & 2, x != 32, s->mod & 8);
}

/* ---- rounding ---- */

/* SFPCAST from sign and magnitude to FP32 */
static void to_float(struct pg *m, const struct sfp *s, unsigned lane)
{
    uint32_t c = m->v.r[s->vc][lane], mag = c & 0x7fffffff, rest = 0, d = 0;
    if (mag) {
        unsigned z = zeros(mag);
        rest = mag << z & 0xff;
        d = ((158 - z) << 23) + ((mag << z >> 8) & 0x7fffff);
    }
    if (s->mod & 1)
        d += rest >> 1 > (advance(m, lane) >> 10 & 0x7f);
    else
        d += rest > 0x80 || (rest == 0x80 && d & 1);
    put(m, lane, s->vd, d | (c & 0x80000000u));
}

static void stochrnd(struct pg *m, const struct sfp *s, unsigned lane)
{
    static const uint32_t most[8] = {0, 0, 255, 127, 255, 127, 65535, 32767};
    uint32_t c = m->v.r[s->vc][lane], h = advance(m, lane) & 0x7fffff, mode = s->mod & 7;
    uint32_t rounding = pg_bits(s->word, 22, 21), e = pg_bits(c, 30, 23), x = 0;
    if (rounding == 0)
        h = 0x400000;
    else if (rounding == 2)
        h = 0x7fffff;
    if (mode < 2) {
        uint32_t unit = mode ? 0x10000 : 0x2000, rest = c & (unit - 1);
        if (e == 255)
            x = c & 0xff800000u;
        else if (e)
            x = c - rest + (rest >= h >> (mode ? 7 : 10) ? unit : 0);
    } else {
        uint64_t mag, clamp = most[mode];
        uint32_t sign = mode & 1 ? c & 0x80000000u : 0;
        if (mode == 4 || mode == 5) {
            unsigned by = s->mod & 8 ? pg_bits(s->word, 20, 16) : m->v.r[s->vb][lane] & 31;
            mag = (uint64_t)(c & 0x7fffffff) << 23 >> by;
        } else {
            mag = (c & 0x7fffff) | 0x800000;
            if (e < 126)
                mag = 0;
            else if (e >= 143)
                mag = clamp << 23;
            else
                mag = e == 126 ? mag >> 1 : mag << (e - 127);
        }
        bool fixed = mode != 4 && mode != 5 && (e < 126 || e >= 143);
        mag = (mag >> 23) + (!fixed && (mag & 0x7fffff) >= h);
        if (mag > clamp)
            mag = clamp;
        x = mag ? sign | (uint32_t)mag : 0;
    }
    put(m, lane, s->vd, x);
}

/* ---- flags ---- */

static bool boolean(unsigned how, bool a, bool b)
{
    switch (how) {
    case 1: return b;
    case 2: return !b;
    case 3: return a && b;
    case 4: return a || b;
    case 5: return a && !b;
    case 6: return a || !b;
    case 7: return !a && b;
    case 8: return !a || b;
    case 9: return !(a || b);
    case 10: return !(a && b);
    case 11: return a != b;
    default: return a == b;
    }
}

static void push(struct pg_vector *v, unsigned mod, unsigned lane)
{
    if (mod == 0) {
        v->stack_flag[lane][v->depth[lane]] = v->flag[lane];
        v->stack_use[lane][v->depth[lane]++] = v->use[lane];
        return;
    }
    uint8_t *flag = &v->stack_flag[lane][v->depth[lane] - 1];
    uint8_t *use = &v->stack_use[lane][v->depth[lane] - 1];
    if (mod == 13)
        v->flag[lane] = !v->flag[lane];
    *use = mod >= 14 ? 1 : v->use[lane];
    *flag = mod >= 14 ? mod == 14 : mod == 13 ? v->flag[lane] : boolean(mod, *flag, v->flag[lane]);
}

static void pop(struct pg_vector *v, unsigned mod, unsigned lane)
{
    bool empty = !v->depth[lane];
    uint8_t flag = empty ? 0 : v->stack_flag[lane][v->depth[lane] - 1];
    uint8_t use = empty ? 0 : v->stack_use[lane][v->depth[lane] - 1];
    if (mod == 0)
        v->depth[lane]--;
    if (mod == 13) {
        v->flag[lane] = !v->flag[lane];
        return;
    }
    v->use[lane] = mod >= 14 ? 1 : use;
    v->flag[lane] = mod >= 14 ? mod == 14 : mod ? boolean(mod, v->flag[lane], flag) : flag;
}

static void complement(struct pg_vector *v, unsigned lane)
{
    bool flag = true, use = true;
    if (v->depth[lane]) {
        flag = v->stack_flag[lane][v->depth[lane] - 1];
        use = v->stack_use[lane][v->depth[lane] - 1];
    }
    v->flag[lane] = use && v->use[lane] && flag && !v->flag[lane];
}

static void encc(struct pg_vector *v, const struct sfp *s, unsigned lane)
{
    if (s->mod & 2)
        v->use[lane] = s->imm12 & 1;
    else if (s->mod & 1)
        v->use[lane] = !v->use[lane];
    v->flag[lane] = s->mod & 8 ? s->imm12 >> 1 & 1 : 1;
}

static void setcc(struct pg_vector *v, const struct sfp *s, unsigned lane)
{
    uint32_t c = v->r[s->vc][lane];
    bool negative = c >> 31, zero = !c;
    if (!v->use[lane] || s->mod & 8)
        v->flag[lane] = 0;
    else if (s->mod & 1)
        v->flag[lane] = s->imm12 & 1;
    else
        v->flag[lane] = s->mod == 0   ? negative
                        : s->mod == 2 ? !zero
                        : s->mod == 4 ? !negative
                                      : zero;
}

/* SFPLE, SFPGT */
static void compare(struct pg *m, const struct sfp *s, unsigned lane)
{
    struct pg_vector *v = &m->v;
    bool is = pg_sfp_smaller(v->r[s->vc][lane], v->r[s->vd][lane]) == (s->op == SFPGT);
    bool enabled = pg_lane_enabled(m, lane);
    if (enabled && s->mod & 8)
        put(m, lane, s->vd, is ? 0xffffffffu : 0);
    if (enabled && s->mod & 1)
        v->flag[lane] = is;
    if (s->mod & 2 && v->depth[lane]) {
        uint8_t *top = &v->stack_flag[lane][v->depth[lane] - 1];
        *top = s->mod & 4 ? *top | is : *top & is;
    }
}

/* ---- between lanes or registers ---- */

static bool gets_min(unsigned mod, unsigned row)
{
    static const uint8_t rows[16] = {0, 15, 3, 5, 9, 1, 2, 4, 8};
    return rows[mod] >> row & 1;
}

static void exchange(struct pg_vector *v, unsigned lane, unsigned i, unsigned j)
{
    uint32_t t = v->r[i][lane];
    v->r[i][lane] = v->r[j][lane];
    v->r[j][lane] = t;
}

static void swap(struct pg *m, const struct sfp *s, unsigned lane)
{
    struct pg_vector *v = &m->v;
    uint32_t c = v->r[s->vc][lane], d = v->r[s->vd][lane];
    bool does = pg_sfp_smaller(c, d) == gets_min(s->mod, lane / 8);
    if (v->config[lane] & 0x100)
        does = !does;
    if (s->mod && !does)
        return;
    bool index = v->config[lane] & 4;
    if (s->vc < (index ? 4 : 8))
        v->r[s->vc][lane] = d;
    if (s->vd < (index ? 4 : 8))
        v->r[s->vd][lane] = c;
    if (index)
        exchange(v, lane, 4 + s->vc % 4, 4 + s->vd % 4);
}

static void shft2(struct pg *m, const struct sfp *s)
{
    uint32_t c[PG_LANES], first[PG_LANES];
    for (unsigned i = 0; i < PG_LANES; i++) {
        c[i] = m->v.r[s->vc][i];
        first[i] = m->v.r[0][i];
    }
    for (unsigned i = 0; i < PG_LANES; i++) {
        uint32_t b = m->v.r[s->vb][i], left = c[i % 8 ? i - 1 : i + 7];
        if (!pg_lane_enabled(m, i) || (s->mod <= 3 && !pg_lane_gate(m, i, s->vd)))
            continue;
        if (s->mod <= 2) {
            for (unsigned k = 0; k < 3; k++)
                m->v.r[k][i] = m->v.r[k + 1][i];
            m->v.r[3][i] = s->mod == 0 ? 0 : s->mod == 1 ? (i < 24 ? first[i + 8] : 0) : left;
        } else if (s->mod <= 4) {
            put(m, i, s->vd, s->mod == 4 && i % 8 == 0 ? 0 : left);
        } else {
            put(m, i, s->vd, shifted(b, s->mod == 5 ? (int32_t)c[i] : s->signed12, false));
        }
    }
}

static void transpose(struct pg *m)
{
    struct pg_vector before = m->v;
    for (unsigned k = 0; k < 8; k++)
        for (unsigned i = 0; i < PG_LANES; i++)
            if (pg_lane_enabled(m, i))
                m->v.r[k][i] = before.r[(k & 4) + i / 8][8 * (k % 4) + i % 8];
}

/* ---- SFPCONFIG ---- */

static uint32_t combine(unsigned mod, uint32_t old, uint32_t value)
{
    switch (mod & 6) {
    case 0: return value;
    case 2: return old | value;
    case 4: return old & value;
    default: return old ^ value;
    }
}

static void config(struct pg *m, const struct sfp *s)
{
    static const uint32_t fixed[4] = {0xbf800000, 0x37800000, 0xbf2cc4c7, 0xbeb08ff9};
    struct pg_vector *v = &m->v;
    for (unsigned i = 0; i < PG_LANES; i++) {
        unsigned column = i % 8;
        if (s->mod & 8 && !(s->imm16 >> (2 * column) & 1))
            continue;
        if (v->use[column] && !v->flag[column])
            continue;
        uint32_t l0 = v->r[0][column], x = s->mod & 1 ? s->imm16 : l0, old = v->config[i];
        if (s->vd < 4)
            v->macro[i][s->vd] = l0;
        else if (s->vd < 8)
            v->macro[i][s->vd] = x;
        else if (s->vd == 8)
            v->macro[i][8] = combine(s->mod, v->macro[i][8], x & 0xfff);
        else if (s->vd == 15)
            v->config[i] = (combine(s->mod, old, x) | (s->mod & 1 ? old & 0x30000 : 0)) & 0x3ffff;
        else if (s->vd > 10)
            v->r[s->vd][i] = s->mod & 1 ? fixed[s->vd - 11] : l0;
    }
}

/* ---- which is which ---- */

static bool needs_target(unsigned op, unsigned mod)
{
    if (op == SFPCAST)
        return mod & 2;
    return (op >= SFPDIVP2 && op <= SFPSHFT) || (op >= SFPABS && op <= SFPSETMAN) ||
           op == SFPSETSGN || op == SFPXOR || op == SFPARECIP;
}

static void lanewise(struct pg *m, const struct sfp *s, unsigned lane)
{
    struct pg_vector *v = &m->v;
    bool enabled = pg_lane_enabled(m, lane);
    switch (s->op) {
    case SFPPUSHC: push(v, s->mod, lane); return;
    case SFPPOPC: pop(v, s->mod, lane); return;
    case SFPENCC: encc(v, s, lane); return;
    case SFPCOMPC: complement(v, lane); return;
    case SFPLE:
    case SFPGT: compare(m, s, lane); return;
    case SFPMOV:
        if (enabled || s->mod == 2)
            put(m,
                lane,
                s->vd,
                s->mod & 8 ? special(m, lane, s->vc)
                           : v->r[s->vc][lane] ^ (s->mod & 1 ? 0x80000000u : 0));
        return;
    default: break;
    }
    if (!enabled)
        return;
    switch (s->op) {
    case SFPLUT:
    case SFPLUTFP32: lut(m, s, lane); break;
    case SFPMULI:
    case SFPADDI: mad_immediate(m, s, lane); break;
    case SFPSETCC: setcc(v, s, lane); break;
    case SFPMAD:
    case SFPADD:
    case SFPMUL: mad(m, s, lane); break;
    case SFPSTOCHRND: stochrnd(m, s, lane); break;
    case SFPSWAP: swap(m, s, lane); break;
    case SFPMUL24: mul24(m, s, lane); break;
    default:
        if (!needs_target(s->op, s->mod))
            to_float(m, s, lane);
        else if (s->vd < 8)
            simple(m, s, lane);
        break;
    }
}

void pg_vector(struct pg *m, unsigned thread, uint32_t word)
{
    struct sfp s = decode(word);
    bool gate[PG_LANES];
    if (s.op == SFPNOP)
        return;
    if (s.op == SFPCONFIG) {
        config(m, &s);
        return;
    }
    for (unsigned i = 0; i < PG_LANES; i++) {
        gate[i] = pg_lane_gate(m, i, s.vd);
        if (!gate[i])
            m->v.macro[i][s.vd - 12] = word;
    }
    if (s.op == SFPLOAD || s.op == SFPLOADI || s.op == SFPSTORE)
        pg_sfp_dst(m, thread, word);
    else if (s.op == SFPSHFT2)
        shft2(m, &s);
    else if (s.op == SFPTRANSP && gate[0])
        transpose(m);
    else if (s.op != SFPTRANSP)
        for (unsigned i = 0; i < PG_LANES; i++)
            if (gate[i])
                lanewise(m, &s, i);
}

bool pg_vector_undefined(const struct pg *m, uint32_t word)
{
    struct sfp s = decode(word);
    unsigned open = 0;
    if (s.op == SFPLOADI && (s.mod > 10 || !(0x517 >> s.mod & 1)))
        return true;
    if (s.op == SFPSHFT2 && s.mod > 6)
        return true;
    if (s.op == SFPSTOCHRND && s.mod & 8 && (s.mod & 6) != 4)
        return true;
    if (s.op == SFPCONFIG)
        return false;
    for (unsigned i = 0; i < PG_LANES; i++) {
        if (!pg_lane_gate(m, i, s.vd)) {
            if (!pg_lane_enabled(m, i))
                return true;
            continue;
        }
        open++;
        if (s.op == SFPPUSHC && (s.mod ? !m->v.depth[i] : m->v.depth[i] == 8))
            return true;
        if (s.op == SFPPOPC && !s.mod && !m->v.depth[i])
            return true;
    }
    bool together = s.op == SFPTRANSP || (s.op == SFPSHFT2 && s.mod >= 2 && s.mod <= 3);
    if (s.op == SFPLOAD || s.op == SFPLOADI)
        return open < PG_LANES;
    return together && open && open < PG_LANES;
}
