/*
 * gen_move.c - see gen.h: moves between Src and Dst, clearing, counters of the matrix unit, bank flips.
 */
#include "vectors/gen.h"

#include <string.h>

/* Fills a whole bank of Src with something; the format that it remembers. */
static unsigned load(struct gen *g, unsigned unit, unsigned rows)
{
    unsigned out = GEN_PICK(g, TF32, TF32, BF16, BFP8, BFP4, FP16, INT16);
    unsigned in = out == TF32 ? FP32 : out;
    gen_load_src(g, unit, in, out, gen_data(g, in, 16 * rows, gen_exponents(g, in)), rows);
    return out;
}

static void random_mod(struct gen *g, unsigned section, unsigned grain, unsigned dst_grain)
{
    struct gen_mod m = {.a = grain * gen_below(g, 3),
                        .b = grain * gen_below(g, 3),
                        .d = dst_grain * gen_below(g, 3),
                        .a_how = gen_below(g, 4),
                        .b_how = gen_below(g, 4),
                        .d_how = gen_percent(g, 60) ? gen_below(g, 4) : 4,
                        .fidelity = gen_below(g, 8)};
    gen_addr_mod(g, section, m);
}

/* ---- MOVA2D, MOVB2D ---- */

static void formats_of_move(struct gen *g)
{
    gen_config(g, 0, 0, 5, gen_percent(g, 20) ? 16 | GEN_PICK(g, BF16, TF32, FP16) : 0);
    gen_config(g, 1, 17, 4, GEN_PICK(g, FP32, FP16, TF32, TF32, BF16, BFP8, BFP4, INT32, INT16));
    gen_config(g, 1, 21, 4, GEN_PICK(g, FP32, FP16, TF32, TF32, BF16, BFP8, BFP4));
    gen_config(g, 1, 29, 1, gen_below(g, 2));
    gen_config(g, 2, 0, 1, gen_below(g, 2));
    gen_thread(g, 2, gen_below(g, 2));
    gen_thread(g, 3, gen_below(g, 2));
}

void gen_move_to_dst(struct gen *g, const char *name)
{
    unsigned unit = !strcmp(name, "MOVB2D"), n = 1 + gen_below(g, 3);
    unsigned format = load(g, unit, 64);
    if (gen_percent(g, 70))
        gen_load_dst(g, 0, 16, VEC_INT32, 31);
    else
        gen_push(g, W_ZEROACC(3, 0, 0, 0, 0));
    gen_barrier(g);
    formats_of_move(g);
    unsigned section = gen_below(g, 8), mod = GEN_PICK(g, 2, 3, 4, 5);
    unsigned grain = unit && mod >= 4 ? 4 : 8;
    random_mod(g, section, grain, grain);
    gen_thread(g, 1, 8 * gen_below(g, 2));
    gen_push(g, W_SETRWC(0, 0, 8 * gen_below(g, 2), 8 * gen_below(g, 2), 8 * gen_below(g, 2), 15));
    bool wide = g->thread_want[2] ? (g->want[1] >> 17 & 15) == TF32 : format == TF32;
    unsigned low = !wide && gen_percent(g, 25);
    for (unsigned i = 0; i < n; i++) {
        unsigned src = grain * gen_below(g, 24 / grain), dst = grain * gen_below(g, 16 / grain);
        gen_push(g,
                 unit ? W_MOVB2D(low, src, section, mod, dst)
                      : W_MOVE(0x12, low, src, section, 2, dst));
    }
    gen_dump16(g, 0, 64);
}

/* ---- MOVD2A, MOVD2B, MOVB2A, TRNSPSRCB ---- */

void gen_move_to_src(struct gen *g, const char *name)
{
    unsigned unit = !strcmp(name, "MOVD2B"), n = 1 + gen_below(g, 4);
    load(g, unit, gen_percent(g, 10) ? 64 : 8);
    gen_load_dst(g, 0, 48, gen_percent(g, 60) ? VEC_F32 : VEC_INT32, 31);
    if (gen_percent(g, 25))
        gen_push(g, W_ZEROACC(1, gen_below(g, 2), 0, 7, gen_below(g, 2)));
    gen_barrier(g);
    formats_of_move(g);
    bool wide = gen_below(g, 2);
    gen_config(g, 0, 0, 5, 0);
    gen_config(g, 1, 29, 1, wide);
    unsigned section = gen_below(g, 7);
    random_mod(g, section, 4, 4);
    gen_addr_mod(g, 7, (struct gen_mod){0});
    gen_thread(g, 2, 1);
    gen_config(g,
               1,
               17,
               4,
               wide ? GEN_PICK(g, FP32, TF32, TF32, BF16, BFP8, BFP4)
                    : GEN_PICK(g, FP32, FP16, FP16, BF16, BFP8, BFP4));
    gen_thread(g, 1, 4 * gen_below(g, 5));
    gen_push(g, W_SETRWC(0, 0, 4 * gen_below(g, 3), 4 * gen_below(g, 3), 4 * gen_below(g, 3), 15));
    for (unsigned i = 0; i < n; i++) {
        unsigned src = 4 * gen_below(g, unit ? 9 : 16), dst = 4 * gen_below(g, 8);
        unsigned mod = unit && gen_percent(g, 30) ? 0 : 2, low = 0;
        if (unit && wide && (g->want[1] >> 17 & 15) != TF32)
            low = gen_below(g, 2);
        gen_push(g, W_MOVE(unit ? 0x0A : 0x08, low, src, section, mod, dst));
    }
    gen_dump_src(g, unit, 0, 64);
}

void gen_movb2a(struct gen *g, const char *name)
{
    (void)name;
    unsigned n = 1 + gen_below(g, 4), section = gen_below(g, 8);
    load(g, 0, gen_percent(g, 10) ? 64 : 8);
    load(g, 1, 64);
    gen_barrier(g);
    gen_config(g, 2, 0, 1, gen_below(g, 2));
    random_mod(g, section, 4, 8);
    gen_push(g, W_SETRWC(0, 0, 0, 4 * gen_below(g, 3), 4 * gen_below(g, 3), 15));
    for (unsigned i = 0; i < n; i++)
        gen_push(g, W_MOVE(0x0B, 0, 4 * gen_below(g, 11), section, 2, 4 * gen_below(g, 11)));
    gen_dump_src(g, 0, 0, 64);
}

void gen_trnspsrcb(struct gen *g, const char *name)
{
    (void)name;
    load(g, 1, 32 + 8 * gen_below(g, 2));
    gen_push(g, 0x16000000u);
    if (gen_percent(g, 10))
        gen_push(g, 0x16000000u);
    gen_dump_src(g, 1, gen_percent(g, 80) ? 16 : 0, gen_percent(g, 80) ? 16 : 48);
}

/* ---- ZEROACC, ZEROSRC ---- */

/* Groups of rows in which something may have happened, and some in which nothing may. */
static unsigned zeroacc_groups(struct gen *g, unsigned row, uint16_t *group)
{
    static const int16_t around[] = {-32, -20, -16, -8, -4, 0, 4, 8, 12, 16, 20, 24, 32, 256, 512};
    unsigned n = 0;
    for (unsigned i = 0; i < sizeof around / sizeof *around; i++)
        group[n++] = (uint16_t)((row + (unsigned)(int)around[i]) & 1020);
    for (unsigned i = 0; i < 6; i++)
        group[n++] = (uint16_t)(4 * gen_below(g, 256));
    group[n++] = 0;
    group[n++] = 508;
    group[n++] = 1020;
    return n;
}

void gen_zeroacc(struct gen *g, const char *name)
{
    (void)name;
    uint16_t group[32];
    unsigned n = 1 + gen_below(g, 3), row = 0,
             offset = gen_below(g, 1024) & (gen_percent(g, 50) ? 0x3F0 : 0);
    gen_load_dst(g, 0, 256, VEC_MARK, 0);
    gen_load_dst(g, 256, 256, VEC_MARK, 0);
    gen_barrier(g);
    gen_config(g, 1, 29, 1, gen_below(g, 2));
    gen_config(g, 220, 3, 1, gen_below(g, 2));
    gen_thread(g, 1, offset);
    gen_addr_mod(g, 3, (struct gen_mod){.d = gen_below(g, 40), .d_how = gen_below(g, 4)});
    gen_push(g, W_SETRWC(0, 0, gen_below(g, 16), 0, 0, 15));
    for (unsigned i = 0; i < n; i++) {
        unsigned mode = GEN_PICK(g, 0, 0, 0, 1, 1, 1, 2, 3), wide = gen_below(g, 2), where = 0;
        if (mode == 0) {
            wide = 0;
            where = gen_below(g, gen_percent(g, 70) ? 64 : 900);
            row = where + offset;
            if (g->want[1] >> 29 & 1)
                row = gen_physical(row & 1023);
        } else if (mode == 1) {
            where = gen_below(g, wide ? 32 : 64);
            row = wide ? 32 * where : 16 * where;
        } else if (mode == 2) {
            where = gen_below(g, 2);
        } else if (gen_percent(g, 80)) {
            continue;
        }
        bool valid = mode == 1 && wide && gen_percent(g, 30);
        gen_push(g, W_ZEROACC(mode, wide, valid, 3, where));
    }
    gen_dump_groups(g, group, zeroacc_groups(g, row, group));
}

void gen_zerosrc(struct gen *g, const char *name)
{
    (void)name;
    unsigned both = gen_below(g, 4) == 0, mask = both ? 3 : 1 + gen_below(g, 3);
    unsigned unit = gen_below(g, 2), clear = 1 + unit;
    load(g, unit, 64);
    if (gen_percent(g, 60))
        load(g, unit, 64);
    else
        clear = 0;
    if (gen_percent(g, 50))
        load(g, 1 - unit, 8);
    gen_barrier(g);
    gen_push(g, 0x11000000u | (both ? 4 : 8) | mask);
    gen_dump_src(g, unit, 8 * gen_below(g, 8), 8);
    if (clear) {
        gen_push(g, W_SETRWC(clear, 0, 0, 0, 0, 0));
        gen_dump_src(g, unit, 8 * gen_below(g, 8), 8);
    }
}

/* ---- SETRWC, INCRWC ---- */

static void counter_word(struct gen *g, bool set)
{
    unsigned grain = gen_percent(g, 50) ? 4 : 8;
    unsigned a = grain * gen_below(g, 16 / grain), b = grain * gen_below(g, 16 / grain);
    unsigned d = grain * gen_below(g, 16 / grain);
    if (set) {
        unsigned mask = gen_below(g, 16), cr = gen_below(g, 8) & (mask | 4);
        gen_push(g, W_SETRWC(0, cr, d, b, a, mask));
    } else {
        gen_push(g, W_INCRWC(gen_percent(g, 40) ? 4 : 0, d, b, a));
    }
}

/* Bits 23:22 of SETRWC, with and without CLR_DVALID_Src?_Disable. */
static void rwc_flips(struct gen *g)
{
    unsigned unit = gen_below(g, 2), keep = gen_percent(g, 50);
    load(g, unit, 8);
    load(g, unit, 8);
    gen_thread(g, 7, keep ? 1 + unit : 2 - unit);
    gen_barrier(g);
    for (unsigned i = 0; i < 2 + keep; i++) {
        gen_dump_src(g, unit, 0, 8);
        if (i < 1 + keep)
            gen_push(g, W_SETRWC(1 + unit, 0, 0, 0, 0, 0));
    }
}

/* Seen through where a row of SrcB, SrcA or Dst comes from and goes to. */
void gen_rwc(struct gen *g, const char *name)
{
    bool set = !strcmp(name, "SETRWC");
    if (set && gen_percent(g, 15)) {
        rwc_flips(g);
        return;
    }
    unsigned n = 2 + gen_below(g, 3), section = gen_below(g, 7);
    gen_load_src(g, 0, BF16, BF16, gen_data(g, BF16, 1024, VEC_NUMBER(127, 60, 1)), 64);
    gen_load_src(g, 1, BF16, BF16, gen_data(g, BF16, 1024, VEC_NUMBER(127, 60, 1)), 64);
    gen_push(g, W_ZEROACC(3, 0, 0, 0, 0));
    gen_config(g, 1, 17, 8, BF16 | BF16 << 4);
    random_mod(g, section, 4, 4);
    gen_addr_mod(g, 7, (struct gen_mod){0});
    gen_barrier(g);
    for (unsigned i = 0; i < n; i++) {
        for (unsigned k = 1 + gen_below(g, 4); k; k--)
            counter_word(g, gen_percent(g, 70) ? set : !set);
        unsigned mod = gen_percent(g, 50) ? section : 7, what = gen_below(g, 10);
        if (what < 5)
            gen_push(g, W_MOVB2D(0, 0, mod, 4, 0));
        else if (what < 7)
            gen_push(g, W_MOVE(0x12, 0, 0, mod, 2, 0));
        else if (what < 8)
            gen_push(g, W_MOVE(0x0B, 0, 0, mod, 2, 0));
        else
            gen_push(g, 0x27000000u | mod << 14); /* ELWMUL: also the phase */
    }
    gen_dump16(g, 0, 128);
    gen_dump_src(g, 0, 0, 16);
}

/* ---- CLEARDVALID ---- */

void gen_cleardvalid(struct gen *g, const char *name)
{
    (void)name;
    unsigned unit = gen_below(g, 2), which = gen_percent(g, 50) ? 3 : 1 + unit;
    load(g, unit, 8);
    load(g, unit, 8);
    if (which == 3)
        load(g, 1 - unit, 8);
    gen_thread(g, 7, gen_below(g, 4));
    gen_barrier(g);
    gen_push(g, 0x36000000u | which << 22);
    gen_thread(g, 7, 0);
    if (gen_percent(g, 60)) {
        gen_dump_src(g, unit, 0, 8);
        gen_push(g, 0x36000000u | (1u + unit) << 22);
        gen_barrier(g);
    }
    load(g, unit, 16);
    if (gen_percent(g, 50))
        gen_dump_src(g, unit, 0, 16);
    gen_push(g, W_SETRWC(1 + unit, 0, 0, 0, 0, 0));
    load(g, unit, 8);
    gen_dump_src(g, unit, 0, 8);
}
