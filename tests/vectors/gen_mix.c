/*
 * gen_mix.c - see gen.h: many instructions of the matrix unit one after another, in both widths of Dst, with
 * banks that come and go: what one leaves behind is what the next one finds.
 */
#include "vectors/gen.h"

#define ROWS 32u /* of Dst, that instructions name */

struct mix {
    unsigned banks[2]; /* that are valid, of SrcA and SrcB */
    bool wide;
};

static void reload(struct gen *g, struct mix *m, unsigned unit)
{
    unsigned out = GEN_PICK(g, TF32, BF16, BF16, BFP8, BFP4), in = out == TF32 ? FP32 : out;
    uint32_t exponents = VEC_NUMBER(127, 4 + gen_below(g, 20), gen_below(g, 2));
    gen_load_src(g, unit, in, out, gen_data(g, in, 1024, exponents), 64);
    m->banks[unit]++;
}

static void mods(struct gen *g)
{
    for (unsigned i = 0; i < 3; i++)
        gen_addr_mod(g,
                     i,
                     (struct gen_mod){.a = 16 * gen_below(g, 2),
                                      .b = 8 * gen_below(g, 2),
                                      .d = 8 * gen_below(g, 2),
                                      .a_how = gen_below(g, 4),
                                      .b_how = gen_below(g, 4),
                                      .d_how = gen_below(g, 4),
                                      .fidelity = gen_below(g, 8)});
}

/* Widths and formats change while nothing is under way. */
static void formats(struct gen *g, struct mix *m)
{
    m->wide = gen_percent(g, 50);
    gen_config(g, 1, 29, 1, m->wide);
    gen_config(g, 1, 17, 8, m->wide && gen_percent(g, 50) ? TF32 | TF32 << 4 : BF16 | BF16 << 4);
    gen_thread(g, 2, 1);
    gen_thread(g, 3, gen_below(g, 2));
}

static uint32_t compute(struct gen *g, unsigned mod)
{
    unsigned dst = 8 * gen_below(g, ROWS / 8), broadcast = gen_below(g, 4);
    switch (gen_below(g, 5)) {
    case 0:
    case 1: return 0x26000000u | mod << 14 | dst;
    case 2: return 0x27000000u | broadcast << 19 | mod << 14 | dst;
    case 3: return 0x34080000u | mod << 15 | dst;
    default: {
        /* the phase must be 0 */
        gen_push(g, W_SETRWC(0, 0, 0, 0, 0, 8));
        uint32_t op = gen_below(g, 2) ? 40u : 48u;
        return op << 24 | gen_below(g, 2) << 21 | broadcast << 19 | mod << 14 | dst;
    }
    }
}

static uint32_t move(struct gen *g, const struct mix *m, unsigned mod)
{
    unsigned dst = 8 * gen_below(g, ROWS / 8), src = 8 * gen_below(g, 3);
    bool tf32 = (g->want[1] >> 17 & 15) == TF32;
    switch (gen_below(g, 8)) {
    case 0: return W_MOVE(0x12, 0, src, mod, 2, dst);
    case 1: return W_MOVB2D(0, src, mod, GEN_PICK(g, 2, 3, 4, 5), dst);
    case 2: return W_MOVE(0x08, 0, src, mod, 2, dst + 4 * gen_below(g, 2));
    case 3: return W_MOVE(0x0A, m->wide && !tf32 && gen_below(g, 2), src, mod, 2, dst);
    case 4: return W_MOVE(0x0B, 0, src + 4, mod, 2, src);
    case 5: return 0x16000000u;
    case 6:
        return m->wide && gen_below(g, 2) ? W_ZEROACC(1, 1, 0, mod, gen_below(g, 2))
                                          : W_ZEROACC(gen_below(g, 2), 0, 0, mod, gen_below(g, 2));
    default: return gen_percent(g, 80) ? W_INCRWC(4, 0, 8, 0) : 0x11000009u;
    }
}

static void flip(struct gen *g, struct mix *m)
{
    unsigned unit = gen_below(g, 2);
    gen_push(g, W_SETRWC(1u << unit, 0, 0, 0, 0, 15));
    if (--m->banks[unit] == 0) {
        gen_barrier(g);
        reload(g, m, unit);
        gen_barrier(g);
    }
}

void gen_mix(struct gen *g, const char *name)
{
    struct mix m = {0};
    unsigned n = 4 + gen_below(g, 14);
    (void)name;
    gen_load_dst(g, 0, ROWS, VEC_F32, VEC_NUMBER(127, 8, 1));
    for (unsigned i = 2 + gen_below(g, 3); i; i--)
        if (m.banks[i & 1] < 2)
            reload(g, &m, i & 1);
    for (unsigned unit = 0; unit < 2; unit++)
        if (!m.banks[unit])
            reload(g, &m, unit);
    gen_barrier(g);
    mods(g);
    formats(g, &m);
    for (unsigned i = 0; i < n; i++) {
        unsigned what = gen_below(g, 100), mod = gen_below(g, 3);
        if (what < 50)
            gen_push(g, compute(g, mod));
        else if (what < 85)
            gen_push(g, move(g, &m, mod));
        else if (what < 90)
            gen_push(g, W_SETRWC(0, 0, 8 * gen_below(g, 2), 8 * gen_below(g, 2), 0, 15));
        else if (what < 95)
            formats(g, &m);
        else
            flip(g, &m);
    }
    gen_dump16(g, 0, 80);
    gen_dump_src(g, gen_below(g, 2), 0, 16);
}
