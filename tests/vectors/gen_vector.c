/*
 * gen_vector.c - see gen.h: the instructions of the Vector Unit (without SFPLOADMACRO).
 *
 * Dst is filled with any words, LReg[0..7] are loaded from it, some lanes are disabled, a few words of the
 * instruction follow, then registers and the lanes that are enabled go to Dst. What all cases have in common
 * is the prologue of the files: a case itself is short. SFPMIX: many words of any of the instructions.
 *
 * Rows of Dst as 32-bit rows: 0 to 15 what is loaded (two registers every four rows), 16 to 31 what is
 * stored, 32 to 39 anything.
 *
 * Left out: what the library that the vectors come from refuses, and everything that depends on the
 * cycles between a write and a read that hardware does not guard: an SFPNOP stands between them.
 */
#include "vectors/gen.h"

#include <string.h>

#define ROWS      40u
#define INPUT     (VEC_IN + 16)
#define ROWS_BYTE 64u /* bytes of a row */
#define OUT_ROW   16u
#define NO_MOD    7u /* address modifier that changes nothing */

#define W_M12(op, imm, vc, vd, mod)                                                                \
    ((uint32_t)(op) << 24 | (uint32_t)(imm) << 12 | (uint32_t)(vc) << 8 | (uint32_t)(vd) << 4 |    \
     (uint32_t)(mod))
#define W_M16(op, imm, vd, mod)                                                                    \
    ((uint32_t)(op) << 24 | (uint32_t)(imm) << 8 | (uint32_t)(vd) << 4 | (uint32_t)(mod))
#define W_MAD(op, va, vb, vc, vd, mod) W_M12(op, (va) << 4 | (vb), vc, vd, mod)
#define W_DST(op, vd, mod, addr_mod, imm)                                                          \
    ((uint32_t)(op) << 24 | (uint32_t)(vd) << 20 | (uint32_t)(mod) << 16 |                         \
     (uint32_t)(addr_mod) << 13 | (uint32_t)(imm))
#define W_SFPLOADI(vd, mod, imm)                                                                   \
    (0x71000000u | (uint32_t)(vd) << 20 | (uint32_t)(mod) << 16 | (uint32_t)(imm))
#define W_SFPSETCC(vc, mod)       W_M12(0x7B, 0, vc, 0, mod)
#define W_SFPENCC(use, flags)     W_M12(0x8A, (flags) << 1 | (use), 0, 0, 10)
#define W_SFPPUSHC                0x87000000u
#define W_SFPPOPC                 0x88000000u
#define W_SFPCOMPC                0x8B000000u
#define W_SFPNOP                  0x8F000000u
#define W_SFPCONFIG(vd, mod, imm) W_M16(0x91, imm, vd, mod)
#define WORDS                     4u /* INT32: a word of Dst as it is */

struct lanes {
    unsigned op;
    unsigned vd[3]; /* registers that the words write, in turn; they are looked at */
    unsigned turn;
    bool flags; /* lanes can be disabled */
    bool all;   /* look at all registers */
    bool swap_index;
    unsigned depth;
    bool saved[8]; /* flags, as they were at each SFPPUSHC */
};

static const struct {
    const char *name;
    uint8_t op;
} ops[] = {
    {"SFPLOAD", 0x70},    {"SFPLOADI", 0x71},  {"SFPSTORE", 0x72},    {"SFPLUT", 0x73},
    {"SFPMULI", 0x74},    {"SFPADDI", 0x75},   {"SFPDIVP2", 0x76},    {"SFPEXEXP", 0x77},
    {"SFPEXMAN", 0x78},   {"SFPIADD", 0x79},   {"SFPSHFT", 0x7A},     {"SFPSETCC", 0x7B},
    {"SFPMOV", 0x7C},     {"SFPABS", 0x7D},    {"SFPAND", 0x7E},      {"SFPOR", 0x7F},
    {"SFPNOT", 0x80},     {"SFPLZ", 0x81},     {"SFPSETEXP", 0x82},   {"SFPSETMAN", 0x83},
    {"SFPMAD", 0x84},     {"SFPADD", 0x85},    {"SFPMUL", 0x86},      {"SFPPUSHC", 0x87},
    {"SFPPOPC", 0x88},    {"SFPSETSGN", 0x89}, {"SFPENCC", 0x8A},     {"SFPCOMPC", 0x8B},
    {"SFPTRANSP", 0x8C},  {"SFPXOR", 0x8D},    {"SFPSTOCHRND", 0x8E}, {"SFPNOP", 0x8F},
    {"SFPCAST", 0x90},    {"SFPCONFIG", 0x91}, {"SFPSWAP", 0x92},     {"SFPSHFT2", 0x94},
    {"SFPLUTFP32", 0x95}, {"SFPLE", 0x96},     {"SFPGT", 0x97},       {"SFPMUL24", 0x98},
    {"SFPARECIP", 0x99},
};

/* ---- what all cases have in common ---- */

/* Where a register is loaded from, and (counted from OUT_ROW) stored to. */
static unsigned place(unsigned i)
{
    return 4 * (i / 2) + 2 * (i % 2);
}

static void barrier(struct gen *g)
{
    gen_push(g, W_STALLWAIT(0x1FF, 0x81E)); /* the Vector Unit, too */
}

void gen_vector_prologue(struct gen *g)
{
    static const uint32_t constant[3] = {0x37800000, 0xBF2CC4C7, 0x40490FDB};
    gen_load_dst_from(g, INPUT, 0, ROWS);
    gen_push(g, W_SFPENCC(0, 1));
    gen_push(g, W_SFPCONFIG(15, 1, 0));
    gen_push(g, W_SFPNOP);
    gen_push(g, W_SFPCONFIG(11, 1, 0));
    for (unsigned i = 0; i < 3; i++) {
        gen_push(g, W_SFPLOADI(0, 10, constant[i] & 0xFFFF));
        gen_push(g, W_SFPLOADI(0, 8, constant[i] >> 16));
        gen_push(g, W_SFPNOP);
        gen_push(g, W_SFPCONFIG(12 + i, 0, 0));
    }
    for (unsigned i = 0; i < 8; i++)
        gen_push(g, W_DST(0x70, i, WORDS, NO_MOD, place(i)));
    gen_dump_config(g, VEC_OUT + 16);
    gen_push(g, W_SFPNOP); /* so that it is written */
    barrier(g);
}

/* ---- operands ---- */

static unsigned source(struct gen *g)
{
    return gen_percent(g, 85) ? gen_below(g, 8) : 8 + gen_below(g, 8);
}

static unsigned destination(struct lanes *l)
{
    unsigned n = l->op == 0x92 ? 2 : 3; /* SFPSWAP: a pair */
    return l->vd[l->turn++ % n];
}

/* Immediates of 8, 12, 16 bits: any, small, or next to an end. */
static uint32_t immediate(struct gen *g, unsigned bits)
{
    uint32_t mask = (1u << bits) - 1, any = gen_below(g, 1u << bits), k = gen_below(g, 10);
    if (k < 5)
        return any;
    return (k < 8 ? any % 67 - 33 : (1u << (bits - 1)) + any % 3 - 1) & mask;
}

/* What two registers hold. */
static void fill_any(struct gen *g, uint32_t at, uint32_t size)
{
    unsigned kind = gen_below(g, 10);
    if (kind < 2)
        gen_fill(g, at, size, VEC_F32, VEC_NUMBER(127, 1 + gen_below(g, 3), gen_below(g, 2)));
    else if (kind < 4)
        gen_fill(g, at, size, VEC_F32, VEC_NUMBER(gen_below(g, 256), 16, 2));
    else if (kind < 5)
        gen_fill(g, at, size, VEC_F32, VEC_NUMBER(0, 0, 1));
    else if (kind < 6)
        gen_fill(g, at, size, VEC_INT32, 31);
    else
        gen_fill(g, at, size, VEC_EDGE, 0);
}

enum style {
    STYLE_ANY,
    STYLE_CLOSE,
    STYLE_PRODUCTS,
    STYLE_FACTORS,
    STYLE_HALF,
    STYLE_ROUND,
    STYLE_TABLE
};

static enum style choose_style(struct gen *g, unsigned op)
{
    bool mad = op == 0x74 || op == 0x75 || (op >= 0x84 && op <= 0x86);
    unsigned k = gen_below(g, 100);
    if (op == 0x73 || op == 0x95)
        return STYLE_TABLE;
    if (mad && k < 40)
        return k < 20 ? STYLE_PRODUCTS : STYLE_FACTORS;
    if (op == 0x72 && k < 35)
        return STYLE_HALF;
    if (op == 0x8E && k < 40)
        return STYLE_ROUND;
    return k >= 75 ? STYLE_CLOSE : STYLE_ANY;
}

/* What the eight registers hold: four areas of two; some are as the one before. */
static void inputs(struct gen *g, const struct lanes *l)
{
    enum style style = choose_style(g, l->op);
    /* exponents of factors whose product is next to the smallest or the biggest number */
    unsigned first = 64 + gen_below(g, 62), other = 127 - first;
    if (gen_percent(g, 50)) {
        first += 64;
        other = 382 - first;
    }
    for (unsigned i = 0; i < 4; i++) {
        uint32_t at = INPUT + 4 * ROWS_BYTE * i, size = 4 * ROWS_BYTE;
        struct vec_input *in = &g->c->input[g->c->n_inputs];
        if (style == STYLE_TABLE && i == 1)
            gen_fill(g, at, size, VEC_F32, VEC_NUMBER(127, 4, gen_below(g, 3)));
        else if (style == STYLE_CLOSE)
            gen_fill(g, at, size, VEC_F32, VEC_NUMBER(127, 1 + gen_below(g, 3), gen_below(g, 2)));
        else if (style == STYLE_PRODUCTS)
            gen_fill(g, at, size, VEC_F32, VEC_NUMBER(i % 2 ? first : other, 3, 0));
        else if (style == STYLE_FACTORS)
            gen_fill(g, at, size, VEC_EDGE, 1);
        else if (style == STYLE_HALF)
            gen_fill(g, at, size, VEC_F32, VEC_NUMBER(i % 2 ? 112 : 143, 4, 1));
        else if (style == STYLE_ROUND)
            gen_fill(g, at, size, VEC_F32, VEC_NUMBER(i % 2 ? 134 : 127, i % 2 ? 24 : 4, 1));
        else
            fill_any(g, at, size);
        if (i && style <= STYLE_CLOSE && gen_percent(g, 20)) {
            uint32_t same = in->address;
            *in = in[-1];
            in->address = same;
        }
    }
}

/* ---- lanes ---- */

static void set_lanes(struct gen *g, struct lanes *l, bool use)
{
    gen_push(g, W_SFPENCC(use, 1));
    l->flags = use;
}

static void push_lanes(struct gen *g, struct lanes *l)
{
    if (l->depth == 8)
        return;
    gen_push(g, W_SFPPUSHC);
    l->saved[l->depth++] = l->flags;
}

static void pop_lanes(struct gen *g, struct lanes *l)
{
    if (!l->depth)
        return;
    gen_push(g, W_SFPPOPC);
    l->flags = l->saved[--l->depth];
}

static void complement(struct gen *g, const struct lanes *l)
{
    if (l->flags && (!l->depth || l->saved[l->depth - 1]))
        gen_push(g, W_SFPCOMPC);
}

static void compare(struct gen *g, const struct lanes *l)
{
    if (l->flags)
        gen_push(g,
                 W_SFPSETCC(gen_percent(g, 50) ? gen_below(g, 8) : source(g),
                            GEN_PICK(g, 0, 4, 0, 4, 0, 4, 2, 6)));
}

static void some_lanes(struct gen *g, struct lanes *l)
{
    set_lanes(g, l, gen_percent(g, 75));
    if (!l->flags)
        return;
    gen_push(g, W_SFPSETCC(gen_below(g, 8), GEN_PICK(g, 0, 4, 0, 4, 2)));
    if (gen_percent(g, 30)) {
        push_lanes(g, l);
        compare(g, l);
        if (gen_percent(g, 60))
            complement(g, l);
    } else if (gen_percent(g, 30)) {
        complement(g, l);
    }
}

/* One of the instructions that only lanes feel, or a write that shows which are enabled. */
static void lane_word(struct gen *g, struct lanes *l, unsigned op)
{
    switch (op) {
    case 0x7B: compare(g, l); break;
    case 0x87: push_lanes(g, l); break;
    case 0x88: pop_lanes(g, l); break;
    case 0x8B: complement(g, l); break;
    case 0x8A:
        if (gen_percent(g, 35)) {
            gen_push(g, 0x8A000000u);
        } else {
            l->flags = gen_percent(g, 70);
            gen_push(g, W_SFPENCC(l->flags, gen_percent(g, 70)));
        }
        break;
    default:
        gen_push(g, W_SFPLOADI(destination(l), GEN_PICK(g, 8, 10), gen_below(g, 65536)));
        break;
    }
}

static bool lanes_only(unsigned op)
{
    return op == 0x7B || op == 0x87 || op == 0x88 || op == 0x8A || op == 0x8B;
}

static void lane_words(struct gen *g, struct lanes *l)
{
    some_lanes(g, l);
    if (gen_percent(g, 50))
        push_lanes(g, l);
    for (unsigned n = 2 + gen_below(g, 8); n; n--) {
        unsigned k = gen_below(g, 10);
        if (k < 1)
            set_lanes(g, l, true);
        else
            lane_word(g,
                      l,
                      k < 4   ? l->op
                      : k < 8 ? GEN_PICK(g, 0x7B, 0x7B, 0x87, 0x88, 0x8B, 0x8B, 0x8A)
                              : 0u);
    }
}

/* ---- loads and stores ---- */

/* Mode 0: what it stands for is in Config. */
static bool wide_mode(struct gen *g, unsigned mode, bool store)
{
    if (mode == 0) {
        bool fp32 = gen_percent(g, 30);
        gen_config(g, 1, 30, 1, fp32);
        gen_config(g,
                   1,
                   21,
                   4,
                   store ? GEN_PICK(g, FP32, FP16, FP16, BF16, BFP8, BFP4, INT16, BFP2)
                         : GEN_PICK(g, FP32, FP16, FP16, BF16, BFP8, BFP4, INT16));
        return fp32;
    }
    return mode == 3 || mode == 4 || mode == 12 || (store && (mode == 7 || mode == 9));
}

static void dst_words(struct gen *g, struct lanes *l, bool store)
{
    unsigned n = 1 + gen_below(g, 4), section = gen_below(g, 6);
    for (unsigned i = 0; i < n; i++) {
        unsigned mode = store ? GEN_PICK(g, 0, 0, 0, 2, 3, 4, 6, 7, 9, 12, 14, 15)
                              : GEN_PICK(g, 0, 0, 0, 2, 3, 4, 6, 12, 14, 15);
        bool wide = wide_mode(g, mode, store);
        unsigned low = store ? (wide ? 16 : 32) : 0, high = store  ? (wide ? 32 : 64)
                                                            : wide ? 40
                                                                   : 80;
        unsigned row = low + 2 * gen_below(g, (high - low) / 2), offset = 0, counter = 0;
        if (gen_percent(g, 30))
            offset = 2 * gen_below(g, row / 2 + 1);
        if (gen_percent(g, 30))
            counter = 2 * gen_below(g, 8);
        gen_thread(g, 1, offset);
        gen_addr_mod(
            g,
            section,
            (struct gen_mod){.d = 2 * gen_below(g, 4), .d_how = GEN_PICK(g, 0, 0, 1, 2, 4)});
        gen_push(g, W_SETRWC(0, 0, counter, 0, 0, 15));
        unsigned vd = store || gen_percent(g, 10) ? gen_below(g, 12) : destination(l);
        uint32_t imm = (row - offset - counter) & 1023;
        gen_push(g, W_DST(store ? 0x72 : 0x70, vd, mode, section, imm));
        /* once more, where the modifier says */
        if (gen_percent(g, 50))
            gen_push(g, W_DST(store ? 0x72 : 0x70, vd, mode, NO_MOD, (low - offset) & 1023));
    }
    gen_thread(g, 1, 0);
    gen_push(g, W_SETRWC(0, 0, 0, 0, 0, 15));
}

/* ---- registers ---- */

static uint32_t mad_word(struct gen *g, const struct lanes *l, unsigned vd)
{
    unsigned a = source(g), b = source(g), c = source(g);
    switch (l->op) {
    case 0x84: return W_MAD(0x84, a, b, c, vd, gen_below(g, 4));
    case 0x85:
        if (gen_percent(g, 70))
            a = 10;
        else
            b = 10;
        return W_MAD(0x85, a, b, c, vd, gen_below(g, 4));
    case 0x86: return W_MAD(0x86, a, b, 9, vd, gen_below(g, 2));
    case 0x98: return W_MAD(0x98, a, b, 9, vd, gen_below(g, 2));
    case 0x73: return 0x73040000u | vd << 20;
    case 0x95: return W_M12(0x95, 0, 0, vd, 2);
    default: { /* SFPMULI, SFPADDI */
        uint32_t imm = immediate(g, 16);
        if (gen_percent(g, 60)) /* next to 1.0 */
            imm = (imm & 0x807F) | (117 + gen_below(g, 20)) << 7;
        return W_M16(l->op, imm, vd, 0);
    }
    }
}

/* Instructions that have immediates or many modifiers. */
static uint32_t edit_word(struct gen *g, const struct lanes *l, unsigned vd)
{
    unsigned c = source(g), mod = gen_below(g, 2);
    switch (l->op) {
    case 0x76: {
        uint32_t imm = immediate(g, 8);
        return W_M12(0x76, imm | (imm & 0x80 ? 0xF00 : 0), c, vd, mod);
    }
    case 0x79: return W_M12(0x79, immediate(g, 12), c, vd, GEN_PICK(g, 0, 1, 2, 4, 5, 6, 8, 9, 10));
    case 0x7A:
        mod = GEN_PICK(g, 0, 1, 2, 3, 5, 7);
        return W_M12(0x7A, mod & 1 ? immediate(g, 12) : 0, c, vd, mod);
    case 0x7C: mod = GEN_PICK(g, 0, 1, 2, 8); return W_M12(0x7C, 0, mod == 8 ? 9 : c, vd, mod);
    case 0x7E:
    case 0x7F: return W_M12(l->op, mod ? source(g) : 0, c, vd, mod);
    case 0x82:
        mod = gen_below(g, 3);
        return W_M12(0x82, mod == 1 ? immediate(g, 8) : 0, c, vd, mod);
    case 0x89: return W_M12(0x89, mod ? gen_below(g, 2) : 0, c, vd, mod);
    case 0x8E: return W_M12(0x8E, gen_below(g, 16), c, vd, GEN_PICK(g, 1, 2, 3, 6, 7));
    case 0x94: mod = GEN_PICK(g, 3, 4, 5); return W_M12(0x94, mod == 5 ? source(g) : 0, c, vd, mod);
    default: return 0;
    }
}

static uint32_t plain_word(struct gen *g, const struct lanes *l, unsigned vd)
{
    unsigned c = source(g);
    switch (l->op) {
    case 0x71: return W_SFPLOADI(vd, GEN_PICK(g, 0, 1, 2, 4, 8, 10), immediate(g, 16));
    case 0x77: return W_M12(0x77, 0, c, vd, GEN_PICK(g, 0, 1, 2, 10));
    case 0x78:
    case 0x7D:
    case 0x83: return W_M12(l->op, 0, c, vd, gen_below(g, 2));
    case 0x81: return W_M12(0x81, 0, c, vd, GEN_PICK(g, 0, 2, 4));
    case 0x8C: return 0x8C000000u;
    case 0x8F: return W_SFPNOP;
    case 0x90: return W_M12(0x90, 0, c, vd, GEN_PICK(g, 0, 3));
    case 0x92: {
        unsigned from = l->vd[0] == vd ? l->vd[1] : l->vd[0];
        if (!l->swap_index && gen_percent(g, 10))
            from = source(g);
        else if (!l->swap_index && gen_percent(g, 10))
            vd = 8 + gen_below(g, 4);
        return W_M12(0x92, 0, from, vd, GEN_PICK(g, 0, 1, 1, 2, 3, 9));
    }
    case 0x96:
    case 0x97: return W_M12(l->op, 0, c, vd, GEN_PICK(g, 1, 8));
    default: return W_M12(l->op, 0, c, vd, 0); /* SFPNOT, SFPXOR, SFPARECIP */
    }
}

static uint32_t word(struct gen *g, const struct lanes *l, unsigned vd)
{
    static const uint8_t mad[] = {0x73, 0x74, 0x75, 0x84, 0x85, 0x86, 0x95, 0x98};
    if (memchr(mad, (int)l->op, sizeof mad))
        return mad_word(g, l, vd);
    uint32_t w = edit_word(g, l, vd);
    return w ? w : plain_word(g, l, vd);
}

static void register_words(struct gen *g, struct lanes *l)
{
    if (l->op == 0x7C || l->op == 0x8E) /* random numbers are the same everywhere */
        gen_config(g, 186, 0, 32, gen_below(g, UINT32_MAX) | 1);
    if (l->op == 0x92 && gen_percent(g, 50)) {
        unsigned bits = GEN_PICK(g, 1, 64, 65, 65);
        l->swap_index = bits & 1;
        gen_push(g, W_SFPCONFIG(15, 1, bits << 2));
        gen_push(g, W_SFPNOP);
        l->vd[0] &= 3;
        l->vd[1] = l->swap_index ? (l->vd[0] + 1 + gen_below(g, 3)) & 3 : l->vd[1];
    }
    some_lanes(g, l);
    for (unsigned n = 1 + gen_below(g, 4); n; n--) {
        unsigned vd = destination(l);
        /* not executed: the word is a template of macros */
        if (!l->flags && l->op >= 0x74 && !l->swap_index && gen_percent(g, 5))
            vd = 12 + gen_below(g, 4);
        gen_push(g, word(g, l, vd));
        gen_push(g, W_SFPNOP);
    }
    if (l->op == 0x8E && gen_percent(g, 50))
        gen_push(g, W_M12(0x7C, 0, 9, l->vd[1], 8));
}

/* LReg[11] to LReg[14], and words that only macros use. */
static void config_words(struct gen *g, struct lanes *l)
{
    set_lanes(g, l, gen_percent(g, 30));
    for (unsigned n = 1 + gen_below(g, 4); n; n--) {
        unsigned vd = gen_percent(g, 80) ? 11 + gen_below(g, 4) : gen_below(g, 9);
        bool imm = vd == 8 || (vd >= 4 && vd < 8 && gen_percent(g, 50));
        if (vd == 11 && gen_percent(g, 30)) {
            gen_push(g, W_SFPCONFIG(11, 1, 0));
        } else {
            gen_push(g, W_SFPLOADI(0, GEN_PICK(g, 0, 1, 2, 4), immediate(g, 16)));
            if (gen_percent(g, 50))
                gen_push(g, W_SFPLOADI(0, 10, immediate(g, 16)));
            gen_push(g, W_SFPNOP);
            gen_push(g, W_SFPCONFIG(vd, imm, imm ? immediate(g, 12) : 0));
        }
        gen_push(g, W_SFPNOP);
        gen_push(g, W_M12(0x7C, 0, 11 + gen_below(g, 4), destination(l), 0));
    }
}

/* Any instructions one after another, by any lanes. */
static void mixed_words(struct gen *g, struct lanes *l)
{
    gen_config(g, 186, 0, 32, gen_below(g, UINT32_MAX) | 1);
    some_lanes(g, l);
    for (unsigned n = 8 + gen_below(g, 16); n; n--) {
        unsigned op = ops[gen_below(g, sizeof ops / sizeof *ops)].op;
        if (gen_percent(g, 8)) {
            set_lanes(g, l, gen_percent(g, 80));
        } else if (lanes_only(op)) {
            lane_word(g, l, op);
        } else if (op == 0x70) {
            gen_push(g,
                     W_DST(0x70,
                           gen_below(g, 8),
                           GEN_PICK(g, 2, 3, 4, 6, 12, 14, 15),
                           NO_MOD,
                           2 * gen_below(g, 8)));
        } else if (op != 0x72 && op != 0x91) {
            l->op = op;
            gen_push(g, word(g, l, gen_below(g, 8)));
            gen_push(g, W_SFPNOP);
        }
    }
    l->op = 0;
}

/* ---- what is left ---- */

static void store(struct gen *g, unsigned i, unsigned slot)
{
    gen_push(g, W_DST(0x72, i, WORDS, NO_MOD, OUT_ROW + place(slot)));
}

/* Enabled lanes are those where 1.0 has been stored. */
static void look(struct gen *g, struct lanes *l, bool only_lanes)
{
    uint16_t group[9];
    unsigned n = l->all ? 8 : 4;
    store(g, 10, l->all ? 8 : 3);
    if (only_lanes) {
        if (l->depth && gen_percent(g, 70))
            pop_lanes(g, l);
        else
            complement(g, l);
        store(g, 10, l->all ? 9 : 2);
    }
    set_lanes(g, l, false);
    if (l->all) {
        for (unsigned i = 0; i < 8; i++)
            store(g, i, i);
    } else {
        store(g, l->vd[0], 0);
        store(g, l->vd[1], 1);
        if (!only_lanes)
            store(g, l->vd[2], 2);
    }
    barrier(g);
    for (unsigned i = 0; i < 9; i++)
        group[i] = (uint16_t)(2 * OUT_ROW + 4 * i);
    gen_dump_groups(g, group, l->all ? n + 1 : n);
}

void gen_vector(struct gen *g, const char *name)
{
    struct lanes l = {.vd = {gen_below(g, 8)}};
    for (unsigned i = 0; i < sizeof ops / sizeof *ops; i++)
        if (!strcmp(ops[i].name, name))
            l.op = ops[i].op;
    bool is_store = l.op == 0x72, only_lanes = lanes_only(l.op);
    l.vd[1] = (l.vd[0] + 1 + gen_below(g, 3)) & 7;
    l.vd[2] = (l.vd[0] + 4 + gen_below(g, 4)) & 7;
    l.turn = gen_below(g, 6);
    l.all = !l.op || l.op == 0x8C || (l.op == 0x92 && gen_percent(g, 60)) || gen_percent(g, 6);
    inputs(g, &l);
    /* what loads find and stores leave */
    uint32_t rest = INPUT + 16 * ROWS_BYTE;
    if (l.op == 0x70 || (is_store && gen_percent(g, 50)))
        gen_fill(g, rest, 24 * ROWS_BYTE, VEC_EDGE, 0);
    else
        gen_fill(g, rest, 24 * ROWS_BYTE, VEC_SAME, 0);
    if (l.op == 0x70)
        gen_fill(g, rest, 16 * ROWS_BYTE, VEC_SAME, 0);
    if (is_store || l.op == 0x70) {
        some_lanes(g, &l);
        dst_words(g, &l, is_store);
    } else if (only_lanes) {
        lane_words(g, &l);
    } else if (!l.op) {
        mixed_words(g, &l);
    } else if (l.op == 0x91) {
        config_words(g, &l);
    } else {
        register_words(g, &l);
    }
    if (is_store) {
        barrier(g);
        gen_dump16(g, 2 * OUT_ROW, 32);
    } else {
        look(g, &l, only_lanes);
    }
}
