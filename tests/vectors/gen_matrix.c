/*
 * gen_matrix.c - see gen.h: the instructions of the matrix unit that compute.
 */
#include "vectors/gen.h"

#include <string.h>

enum { STYLE_8, STYLE_5, STYLE_INT };

struct plan {
    unsigned style;
    bool dst32, add_only, pool, elw;
    bool no_zero;                      /* operands that are hardly ever 0 */
    unsigned base, offset, field, rwc; /* row of Dst: base = offset + field, and then RWC */
    unsigned n, window;
    unsigned sections;
};

/* Data in a format that the style can read; the format that the bank remembers. */
static unsigned load_operand(struct gen *g, const struct plan *p, unsigned unit, unsigned five)
{
    unsigned in, out;
    if (p->style == STYLE_INT) {
        in = out = INT8;
    } else if (p->style == STYLE_5) {
        out = five;
        in = five == FP16 && gen_percent(g, 25) ? FP32 : five;
    } else {
        out = GEN_PICK(g, TF32, BF16, BF16, BFP8, BFP4);
        if (p->no_zero)
            out = TF32;
        else if (gen_percent(g, 8))
            out = p->elw ? BFP2 : unit ? INT16 : BF16;
        in = out == TF32 || (out == BF16 && gen_percent(g, 30)) ? FP32 : out;
    }
    uint32_t exponents = gen_exponents(g, in == FP32 && out == FP16 ? BF16 : in);
    gen_load_src(g, unit, in, out, gen_data(g, in, 64 * 16, exponents), 64);
    return out;
}

static void choose_formats(struct gen *g, const struct plan *p, unsigned five)
{
    unsigned a = GEN_PICK(g, FP32, TF32, BF16, BFP8, BFP4);
    unsigned b = GEN_PICK(g, FP32, TF32, BF16, BFP8, BFP4, INT16);
    if (p->style == STYLE_5)
        a = b = five;
    if (p->style == STYLE_INT)
        a = b = INT8;
    gen_config(g, 1, 17, 8, a | b << 4);
    gen_config(g, 1, 29, 1, p->dst32 && p->style != STYLE_INT);
    gen_config(g, 1, 31, 1, p->style == STYLE_INT);
    bool explicit_both = gen_percent(g, 25);
    gen_thread(g, 2, explicit_both || (p->style == STYLE_8 && gen_percent(g, 15)));
    gen_thread(g, 3, explicit_both || (p->style == STYLE_8 && gen_percent(g, 15)));
}

/* Where in Dst: windows begin at a multiple of 16 rows. */
static void choose_rows(struct gen *g, struct plan *p)
{
    unsigned grain = p->pool ? 4 : 8;
    p->base = 16 * gen_below(g, p->dst32 ? 28 : 60);
    p->offset = gen_percent(g, 50) ? p->base & ~63u : 0;
    p->field = p->base - p->offset;
    if (gen_percent(g, 30))
        p->field += grain;
    p->rwc = gen_percent(g, 40) ? grain * gen_below(g, 16 / grain) : 0;
    p->window = p->field + p->offset - p->base + p->rwc + grain;
    p->n = 1 + gen_below(g, 3);
}

/* Sections that the case uses; the window grows with what they add. */
static unsigned choose_mods(struct gen *g, struct plan *p)
{
    unsigned grain = p->pool ? 4 : 8, section = gen_below(g, 8), largest = 0;
    for (unsigned i = 0; i < 2; i++) {
        struct gen_mod m = {.a = (p->elw ? 8 : 16) * gen_below(g, p->elw ? 4 : 3),
                            .b = 8 * gen_below(g, 4),
                            .d = grain * gen_below(g, 2),
                            .a_how = gen_below(g, 4),
                            .b_how = gen_below(g, 4)};
        static const uint8_t how[5] = {0, 1, 2, 3, 4};
        m.d_how = gen_percent(g, 50) ? 0 : how[gen_below(g, 5)];
        if (!p->add_only)
            m.fidelity = gen_percent(g, 70) ? gen_below(g, 4) : gen_below(g, 8);
        if (m.d > largest)
            largest = m.d;
        gen_addr_mod(g, (section + i) & 7, m);
    }
    p->window += largest * (p->n - 1);
    return section;
}

static void fill_dst(struct gen *g, const struct plan *p)
{
    unsigned how = gen_below(g, 10);
    unsigned first = p->dst32 ? p->base : p->base / 2;
    unsigned rows = p->dst32 ? p->window : (p->window + 15) / 16 * 8;
    if (how < 2) {
        gen_push(g, W_ZEROACC(3, 0, 0, 0, 0));
        return;
    }
    if (p->style == STYLE_INT)
        gen_load_dst(g, first, rows, VEC_INT32, gen_percent(g, 50) ? 31 : 18);
    else if (how < 8)
        gen_load_dst(g, first, rows, VEC_F32, gen_exponents(g, BF16));
    else
        gen_load_dst(g, first, rows, VEC_BYTES, 0);
    if (how == 3)
        gen_push(g, W_ZEROACC(1, p->dst32, 0, 7, p->base / (p->dst32 ? 16 : 16)));
}

/* SrcA to a multiple of 8, SrcB to 0 or 8, Dst to the start; fidelity to any phase. */
static void start_counters(struct gen *g, const struct plan *p)
{
    unsigned a = p->elw ? 8 * gen_below(g, 6) : 16 * gen_below(g, 3);
    unsigned b = 8 * gen_below(g, 5), phase = p->add_only ? 0 : gen_below(g, 4);
    gen_push(g, W_SETRWC(0, 0, p->rwc, b ? 8 : 0, a ? 8 : 0, 15));
    for (unsigned i = 8; i < a; i += 8)
        gen_push(g, W_SETRWC(0, 1, 0, 0, 8, 1));
    for (unsigned i = 8; i < b; i += 8)
        gen_push(g, W_SETRWC(0, 2, 0, 8, 0, 2));
    if (phase && p->style != STYLE_INT) {
        /* clears the zero flag of a row far away; its modifier is what matters */
        uint16_t ab = g->thread_want[12], dst = g->thread_want[28];
        gen_addr_mod(g, 0, (struct gen_mod){.fidelity = phase});
        gen_push(g, W_ZEROACC(0, 0, 0, 0, 1010 - p->rwc - p->offset));
        gen_thread(g, 12, ab);
        gen_thread(g, 28, dst);
    }
}

static void plan(struct gen *g, struct plan *p, unsigned *section)
{
    unsigned style = gen_below(g, 100);
    p->style = style < 65 ? STYLE_8 : style < 85 ? STYLE_5 : STYLE_INT;
    p->dst32 = p->style == STYLE_INT || gen_percent(g, 50);
    choose_rows(g, p);
    *section = choose_mods(g, p);
}

/* Everything before the first operation; returns its address modifier section. */
static unsigned prepare(struct gen *g, struct plan *p, unsigned *both)
{
    unsigned section, five = gen_percent(g, 70) ? FP16 : FP8;
    plan(g, p, &section);
    fill_dst(g, p);
    gen_config(g, 1, 15, 2, gen_below(g, 4)); /* unsigned */
    load_operand(g, p, 0, five);
    load_operand(g, p, 1, five);
    *both = p->n > 1 && gen_percent(g, 30) ? 1 + gen_below(g, 3) : 0;
    if (*both & 1)
        load_operand(g, p, 0, five);
    if (*both & 2)
        load_operand(g, p, 1, five);
    gen_barrier(g);
    choose_formats(g, p, five);
    gen_thread(g, 1, p->offset);
    start_counters(g, p);
    return section;
}

static void look(struct gen *g, const struct plan *p)
{
    if (p->dst32)
        gen_dump32(g, p->base, p->window);
    else
        gen_dump16(g, p->base, p->window);
}

void gen_matmul(struct gen *g, const char *name)
{
    struct plan p = {.pool = !strcmp(name, "GAPOOL")};
    unsigned both, section = prepare(g, &p, &both);
    for (unsigned i = 0; i < p.n; i++) {
        unsigned clear = i == 0 ? both : 0, mod = (section + gen_below(g, 2)) & 7;
        if (i + 1 == p.n)
            clear |= gen_below(g, 4);
        uint32_t word = p.pool ? 0x34080000u | mod << 15 : 0x26000000u | mod << 14;
        gen_push(g, word | clear << 22 | p.field);
    }
    look(g, &p);
}

void gen_elw(struct gen *g, const char *name)
{
    bool mul = !strcmp(name, "ELWMUL");
    /* 0 - 1 wraps in the library that the vectors come from: no minus zero in a sum of unflushed numbers */
    bool keep = gen_percent(g, 25);
    struct plan p = {.elw = true, .add_only = !mul, .no_zero = keep && !mul};
    unsigned both, section = prepare(g, &p, &both);
    uint32_t op = mul ? 39 : !strcmp(name, "ELWADD") ? 40 : 48;
    gen_config(g, 2, 0, 1, keep && (mul || p.style != STYLE_5));
    for (unsigned i = 0; p.no_zero && i < g->c->n_inputs; i++)
        g->c->input[i].parameter &= 0xFFFF;
    for (unsigned i = 0; i < p.n; i++) {
        unsigned clear = i == 0 ? both : 0, mod = (section + gen_below(g, 2)) & 7;
        unsigned accumulate = mul ? 0 : gen_below(g, 2), broadcast = gen_below(g, 4);
        if (i + 1 == p.n)
            clear |= gen_below(g, 4);
        gen_push(g,
                 op << 24 | clear << 22 | accumulate << 21 | broadcast << 19 | mod << 14 | p.field);
    }
    look(g, &p);
}

void gen_gmpool(struct gen *g, const char *name)
{
    (void)name;
    struct plan p = {.pool = true, .add_only = true};
    unsigned section;
    plan(g, &p, &section);
    p.style = STYLE_8;
    p.dst32 = gen_percent(g, 50);
    if (p.base >= 28 * 16)
        p.dst32 = false;
    fill_dst(g, &p);
    if (gen_percent(g, 20))
        gen_push(g, W_UNPACR_NOP(0, 1, 0, 1));
    else
        load_operand(g, &p, 0, FP16);
    uint32_t ones = gen_input(g, 64 * 32, VEC_SAME, 0x3F80) / 16 - 1;
    gen_load_src(g, 1, BF16, BF16, ones, 64);
    gen_barrier(g);
    choose_formats(g, &p, FP16);
    gen_thread(g, 3, 0);
    gen_thread(g, 1, p.offset);
    start_counters(g, &p);
    for (unsigned i = 0; i < p.n; i++)
        gen_push(g, 0x33080000u | ((section + gen_below(g, 2)) & 7) << 15 | p.field);
    look(g, &p);
}
