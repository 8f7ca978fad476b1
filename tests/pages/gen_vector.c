/*
 * gen_vector.c - cases of the Vector Unit: all modifiers, lanes whose configuration, flags and stacks differ.
 *
 * Left out because nothing says what happens: what pg_vector_undefined() names, bits of a word that no field has,
 * SFPLOADMACRO, stores to rows that ZEROACC has marked, and values that hardware does not guard: an SFPNOP stands
 * between a result of two cycles and the instructions whose reads the scoreboard misses, and behind each SFPCONFIG.
 */
#include "gen.h"
#include "sfp.h"

#include <string.h>

#define NOP ((uint32_t)SFPNOP << 24)

/* Where the case stands, so that no word is undefined when it comes. */
static struct pg at;

static const uint8_t ops_mad[] = {SFPMAD, SFPMAD, SFPADD, SFPMUL, SFPMULI, SFPADDI};
static const uint8_t ops_lut[] = {SFPLUT, SFPLUTFP32, SFPLUTFP32};
static const uint8_t ops_mul24[] = {SFPMUL24};
static const uint8_t ops_simple[] = {SFPDIVP2,
                                     SFPEXEXP,
                                     SFPEXMAN,
                                     SFPIADD,
                                     SFPSHFT,
                                     SFPMOV,
                                     SFPABS,
                                     SFPAND,
                                     SFPOR,
                                     SFPNOT,
                                     SFPLZ,
                                     SFPSETEXP,
                                     SFPSETMAN,
                                     SFPSETSGN,
                                     SFPXOR};
static const uint8_t ops_recip[] = {SFPARECIP};
static const uint8_t ops_round[] = {SFPSTOCHRND, SFPSTOCHRND, SFPCAST};
static const uint8_t ops_compare[] = {SFPLE, SFPGT, SFPMOV};
static const uint8_t ops_flags[] = {
    SFPSETCC, SFPPUSHC, SFPPOPC, SFPENCC, SFPCOMPC, SFPEXEXP, SFPIADD, SFPLZ, SFPGT, SFPLOADI};
static const uint8_t ops_swap[] = {SFPSWAP, SFPSWAP, SFPSWAP, SFPMOV};
static const uint8_t ops_shuffle[] = {SFPSHFT2, SFPSHFT2, SFPSHFT2, SFPTRANSP};
static const uint8_t ops_config[] = {SFPCONFIG, SFPCONFIG, SFPCONFIG, SFPMOV, SFPMOV, SFPADD};
static const uint8_t ops_load[] = {SFPLOAD, SFPLOAD, SFPLOAD, SFPLOADI};
static const uint8_t ops_store[] = {SFPSTORE, SFPSTORE, SFPSTORE, SFPLOAD};

/* ---- what the lanes hold ---- */

static uint32_t number(struct rng *r)
{
    static const uint32_t edge[] = {
        0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x7f800000, 0xff800000, 0x7fc00000,
        0xffc00000, 0x7f800001, 0xff800001, 0x00800000, 0x80800000, 0x7f7fffff, 0xff7fffff,
        0x3f800000, 0xbf800000, 0x007fffff, 0x7fffffff, 0xffffffff, 0x40000000, 0x3f000000,
        0x40400000, 0x40800000, 0x3fc00000, 0x3f7fffff, 0x3c800000, 0x7e800000, 0x43800000,
        0x477fffff, 0x47800000, 0x00008000, 0x0000ffff, 0x00010000};
    uint32_t x = rng_next(r);
    switch (rng_below(r, 10)) {
    case 0: return edge[rng_below(r, sizeof edge / sizeof *edge)];
    case 1: return edge[rng_below(r, sizeof edge / sizeof *edge)] + rng_below(r, 3) - 1;
    case 2: return x;
    case 3: return rng_below(r, 600) - 300;
    case 4: return (x & 0x80000000u) | (x & UINT32_MAX >> (1 + rng_below(r, 31)));
    case 5: return (x & 0x807fffff) | (uint32_t)gen_exponent(r) << 23;
    case 6: return (x & 0x80700000) | (124 + rng_below(r, 8)) << 23;
    default: return (x & 0x807fffff) | (120 + rng_below(r, 26)) << 23;
    }
}

/* Some lanes hold x, y and a z next to -x * y, wherever the word finds them. */
static void cancel(struct pg_case *c, struct rng *r, unsigned lane)
{
    union {
        float f;
        uint32_t u;
    } x = {.u = number(r)}, y = {.u = number(r)}, z;
    z.f = -(x.f * y.f);
    z.u += rng_below(r, 5) - 2;
    unsigned k = rng_below(r, 8);
    c->start.v.r[k][lane] = x.u;
    c->start.v.r[(k + 1) % 8][lane] = y.u;
    c->start.v.r[(k + 2) % 8][lane] = z.u;
}

static void registers(struct pg_case *c, struct rng *r)
{
    struct pg_vector *v = &c->start.v;
    for (unsigned i = 0; i < PG_LANES; i++) {
        for (unsigned k = 0; k < 8; k++) {
            v->r[k][i] = number(r);
            if (k && rng_percent(r, 8))
                v->r[k][i] = v->r[k - 1][i] ^ (rng_percent(r, 30) ? 0x80000000u : 0);
        }
        if (rng_percent(r, 40))
            cancel(c, r, i);
        v->r[8][i] = 0x3f56594b;
        v->r[9][i] = 0;
        v->r[10][i] = 0x3f800000;
        for (unsigned k = 11; k < 15; k++)
            v->r[k][i] = i < 8 ? number(r) : v->r[k][i % 8];
        v->r[15][i] = 2 * i;
        v->prng[i] = rng_next(r);
        for (unsigned k = 0; k < 9; k++)
            v->macro[i][k] = k == 8 ? rng_next(r) & 0xfff : rng_next(r);
    }
}

/* LaneConfig: by column, as SFPCONFIG leaves it. */
static uint32_t lane_config(struct rng *r)
{
    uint32_t x = rng_next(r) & rng_next(r) & 0x3ffff;
    if (rng_percent(r, 70))
        x &= ~0xf000u;
    return x;
}

static void lanes(struct pg_case *c, struct rng *r)
{
    struct pg_vector *v = &c->start.v;
    bool plain = rng_percent(r, 25), flags = rng_percent(r, 60), alike = rng_percent(r, 50);
    uint32_t all = lane_config(r);
    unsigned depth = rng_below(r, 9);
    for (unsigned i = 0; i < PG_LANES; i++) {
        if (i < 8)
            v->config[i] = plain ? 0 : alike ? all : lane_config(r);
        else
            v->config[i] = v->config[i % 8];
        v->use[i] = flags && (alike || rng_percent(r, 70));
        v->flag[i] = rng_percent(r, 70);
        v->depth[i] = (uint8_t)(alike ? depth : rng_below(r, 9));
        for (unsigned k = 0; k < v->depth[i]; k++) {
            v->stack_flag[i][k] = rng_next(r) & 1;
            v->stack_use[i][k] = rng_percent(r, 70);
        }
    }
}

/* ---- words ---- */

static uint32_t source(struct rng *r)
{
    return rng_percent(r, 80) ? rng_below(r, 8) : 8 + rng_below(r, 8);
}

static uint32_t destination(struct rng *r)
{
    return rng_percent(r, 88) ? rng_below(r, 8) : 8 + rng_below(r, 8);
}

static uint32_t immediate(struct rng *r)
{
    uint32_t x = rng_next(r);
    return (rng_percent(r, 50) ? x : x % 131 - 65) & 0xfff;
}

static uint32_t dst_word(struct rng *r, unsigned op)
{
    uint32_t mode = rng_percent(r, 20) ? GEN_PICK(r, 0, 10) : rng_below(r, 16);
    if (op == SFPLOADI)
        return 0x71000000u | destination(r) << 20 | GEN_PICK(r, 0, 1, 2, 4, 8, 10) << 16 |
               (rng_next(r) & 0xffff);
    return op << 24 | (op == SFPSTORE ? source(r) : destination(r)) << 20 | mode << 16 |
           rng_below(r, 8) << 13 | (rng_next(r) & 0x3ff);
}

static uint32_t make(struct rng *r, unsigned op)
{
    uint32_t m12 = op << 24 | source(r) << 8 | destination(r) << 4 | rng_below(r, 16);
    uint32_t m16 = op << 24 | (rng_next(r) & 0xffff) << 8 | destination(r) << 4 | rng_below(r, 16);
    uint32_t vb = source(r) << 12;
    switch (op) {
    case SFPLOAD:
    case SFPLOADI:
    case SFPSTORE: return dst_word(r, op);
    case SFPLUT: return op << 24 | destination(r) << 20 | rng_below(r, 16) << 16;
    case SFPMULI:
    case SFPADDI: return m16;
    case SFPCONFIG: return (m16 & ~0xf0u) | rng_below(r, 16) << 4;
    case SFPDIVP2:
    case SFPSETEXP: return m12 | (immediate(r) & 0xff) << 12;
    case SFPIADD:
    case SFPSHFT:
    case SFPSETMAN: return m12 | immediate(r) << 12;
    case SFPSETCC:
    case SFPSETSGN: return m12 | (rng_next(r) & 1) << 12;
    case SFPENCC: return (m12 & ~0xf00u) | (rng_next(r) & 3) << 12;
    case SFPMOV: return rng_percent(r, 20) ? (m12 & ~0xfu) | 8 : m12;
    case SFPAND:
    case SFPOR:
    case SFPARECIP: return m12 | vb;
    case SFPMAD:
    case SFPADD:
    case SFPMUL:
    case SFPMUL24: return m12 | vb | source(r) << 16;
    case SFPPUSHC:
    case SFPPOPC: return m12 & ~0xf00u;
    case SFPCOMPC:
    case SFPTRANSP: return m12 & ~0xf0fu;
    case SFPNOT:
    case SFPXOR: return m12 & ~0xfu;
    case SFPSTOCHRND: return m12 | vb | rng_below(r, 32) << 16 | rng_below(r, 4) << 21;
    case SFPSHFT2:
        m12 = (m12 & ~0xfu) | rng_below(r, 7);
        return (m12 & 15) == 6 ? (m12 & ~0xf00u) | immediate(r) << 12 : m12 | vb;
    case SFPLUTFP32:
        return (m12 & ~0xf00u) | (rng_percent(r, 70) ? m12 & 15 : rng_below(r, 16)) << 16;
    default: return m12;
    }
}

static bool two_cycles(uint32_t word)
{
    unsigned op = word >> 24;
    return op == SFPLUT || op == SFPMULI || op == SFPADDI || (op >= SFPMAD && op <= SFPMUL) ||
           op == SFPLUTFP32 || op == SFPMUL24;
}

static bool unguarded(uint32_t word)
{
    unsigned op = word >> 24;
    return op == SFPAND || op == SFPOR || op == SFPIADD || op == SFPSHFT || op == SFPCONFIG ||
           op == SFPSWAP || op == SFPSHFT2;
}

/* SFPLUTFP32 whose second copy of Mod1, by which the scoreboard goes, is another one. */
static bool misleads(uint32_t word)
{
    return word >> 24 == SFPLUTFP32 && (word & 15) != (word >> 16 & 15);
}

static void add(struct pg_case *c, uint32_t word)
{
    uint32_t last = c->n ? c->word[c->n - 1] : 0;
    if (two_cycles(last) && (unguarded(word) || misleads(word) || misleads(last)))
        gen_add(c, NOP);
    gen_add(c, word);
    if (word >> 24 == SFPCONFIG || misleads(word))
        gen_add(c, NOP);
    pg_exec(&at, c->thread[0], word);
}

static void words(struct pg_case *c, struct rng *r, const uint8_t *ops, unsigned n)
{
    unsigned count = 1 + rng_below(r, 10);
    memcpy(&at, &c->start, sizeof at);
    for (unsigned i = 0; i < count; i++) {
        uint32_t word = make(r, ops[rng_below(r, n)]);
        for (unsigned again = 0; again < 8 && pg_vector_undefined(&at, word); again++)
            word = make(r, ops[rng_below(r, n)]);
        if (!pg_vector_undefined(&at, word))
            add(c, word);
        if (rng_percent(r, 5))
            gen_add(c, NOP);
    }
    gen_add(c, NOP);
}

/* ---- kinds ---- */

static void base(struct pg_case *c, struct rng *r, const char *kind)
{
    gen_base(c, r, kind);
    registers(c, r);
    lanes(c, r);
}

static void dst(struct pg_case *c, struct rng *r, bool stores)
{
    if (stores)
        memset(c->start.valid, 1, sizeof c->start.valid);
    uint16_t *th = c->start.th[c->thread[0]];
    gen_dst(c, r, (enum gen_cells)rng_below(r, 3), false);
    gen_addr_mods(c, r, true);
    gen_set(c, 1, 30, 1, rng_percent(r, 30));
    gen_set(c, 1, 21, 4, rng_next(r));
    gen_set(c, 0, 5, 5, rng_next(r));
    gen_set(c, 7, 0, 16, rng_percent(r, 50) ? 0 : rng_next(r));
    th[36] = (uint16_t)(rng_percent(r, 50) ? GEN_PICK(r, 2, 4, 8) : rng_next(r));
    for (unsigned i = 0; i < 3; i++)
        c->start.sp[i] = rng_percent(r, 30) ? 0 : rng_next(r) & 0x3ff;
}

#define KIND(name, with_dst, stores, ...)                                                          \
    static void name(struct pg_case *c, struct rng *r)                                             \
    {                                                                                              \
        base(c, r, #name);                                                                         \
        if (with_dst)                                                                              \
            dst(c, r, stores);                                                                     \
        words(c, r, __VA_ARGS__, sizeof __VA_ARGS__);                                              \
    }
KIND(sfpmad, false, false, ops_mad)
KIND(sfplut, false, false, ops_lut)
KIND(sfpmul24, false, false, ops_mul24)
KIND(sfpsimple, false, false, ops_simple)
KIND(sfpround, false, false, ops_round)
KIND(sfpcompare, false, false, ops_compare)
KIND(sfpflags, false, false, ops_flags)
KIND(sfpswap, false, false, ops_swap)
KIND(sfpshuffle, false, false, ops_shuffle)
KIND(sfpconfig, false, false, ops_config)
KIND(sfpload, true, false, ops_load)
KIND(sfpstore, true, true, ops_store)

/* All of both tables. */
static void sfparecip(struct pg_case *c, struct rng *r)
{
    base(c, r, "sfparecip");
    for (unsigned i = 0; i < 8 * PG_LANES; i++)
        if (rng_percent(r, 60))
            c->start.v.r[i / PG_LANES][i % PG_LANES] =
                (rng_next(r) & 0x80000000u) + 0x3c800000 + rng_below(r, 0x03800000);
    words(c, r, ops_recip, sizeof ops_recip);
}

/* SETRWC sets the stack pointer; mode 10 moves it. */
static void sfpstack(struct pg_case *c, struct rng *r)
{
    base(c, r, "sfpstack");
    dst(c, r, true);
    memcpy(&at, &c->start, sizeof at);
    for (unsigned i = 2 + rng_below(r, 10); i; i--) {
        uint32_t word = dst_word(r, rng_percent(r, 50) ? SFPLOAD : SFPSTORE);
        if (rng_percent(r, 80))
            word = (word & 0xfff0ffffu) | 10u << 16;
        if (rng_percent(r, 15))
            word = 0x37000010u | (rng_next(r) & 0xffc0);
        if (word >> 24 == 0x37 || !pg_vector_undefined(&at, word))
            add(c, word);
    }
}

/* Any of them, also recorded and played. */
static void sfpmix(struct pg_case *c, struct rng *r)
{
    uint8_t ops[64];
    unsigned n = 0;
    for (unsigned i = SFPLOAD; i <= SFPARECIP; i++)
        if (i != SFPLOADMACRO && i != SFPNOP)
            ops[n++] = (uint8_t)i;
    base(c, r, "sfpmix");
    dst(c, r, true);
    if (rng_percent(r, 20)) { /* nothing here can be undefined in a later round */
        static const uint8_t calm[] = {SFPDIVP2,
                                       SFPEXMAN,
                                       SFPSHFT,
                                       SFPABS,
                                       SFPAND,
                                       SFPNOT,
                                       SFPMAD,
                                       SFPADD,
                                       SFPMUL,
                                       SFPMULI,
                                       SFPADDI,
                                       SFPMUL24,
                                       SFPSWAP,
                                       SFPSTOCHRND,
                                       SFPCAST,
                                       SFPARECIP};
        for (unsigned i = 0; i < PG_LANES; i++)
            c->start.v.config[i] |= 2;
        words(c, r, calm, sizeof calm);
        c->plays = 1 + rng_below(r, 4);
        c->drain = false;
        return;
    }
    words(c, r, ops, n);
}

const struct pg_kind pg_kinds_vector[] = {{"sfpmad", sfpmad},
                                          {"sfplut", sfplut},
                                          {"sfpmul24", sfpmul24},
                                          {"sfpsimple", sfpsimple},
                                          {"sfparecip", sfparecip},
                                          {"sfpround", sfpround},
                                          {"sfpcompare", sfpcompare},
                                          {"sfpflags", sfpflags},
                                          {"sfpswap", sfpswap},
                                          {"sfpshuffle", sfpshuffle},
                                          {"sfpconfig", sfpconfig},
                                          {"sfpload", sfpload},
                                          {"sfpstore", sfpstore},
                                          {"sfpstack", sfpstack},
                                          {"sfpmix", sfpmix},
                                          {0}};
