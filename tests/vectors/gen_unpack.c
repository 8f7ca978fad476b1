/*
 * gen_unpack.c - see gen.h: UNPACR, UNPACR_NOP and the instructions of the address counters.
 */
#include "vectors/gen.h"

#include <string.h>

static const uint8_t to_src[][2] = {{FP32, TF32},
                                    {FP32, BF16},
                                    {FP32, FP16},
                                    {FP16, FP16},
                                    {BF16, BF16},
                                    {BFP8, BFP8},
                                    {BFP4, BFP4},
                                    {BFP2, BFP2},
                                    {INT16, INT16},
                                    {FP8, FP8},
                                    {INT8, INT8}};
static const uint8_t to_dst[][2] = {{FP32, FP32}, {FP32, TF32}, {INT32, INT32}};

struct unpack {
    unsigned unit, in, out, context, out_bytes;
    bool dst, tilize, transpose, forced, add;
    unsigned row, rows; /* first, and how many are written at most */
    uint32_t xdim, ydim, zdim, x, datums;
};

static void choose(struct gen *g, struct unpack *u)
{
    unsigned target = gen_below(g, 100);
    memset(u, 0, sizeof *u);
    u->unit = target >= 45 && target < 80;
    u->dst = target >= 80;
    const uint8_t *pair = u->dst ? to_dst[gen_below(g, 3)] : to_src[gen_below(g, 11)];
    u->in = pair[0];
    u->out = pair[1];
    u->out_bytes = gen_bits(u->out) < 8 ? 1 : gen_bits(u->out) / 8;
    u->context = gen_below(g, 2);
    u->forced = gen_percent(g, 20);
    u->transpose = !u->unit && !u->dst && gen_percent(g, 25);
    u->tilize = !u->unit && gen_bits(u->in) >= 8 && gen_percent(g, 25);
    u->add = gen_percent(g, 40);
    u->xdim = gen_percent(g, 70) ? 16u << gen_below(g, 5) : 1 + gen_below(g, 200);
    u->ydim = 1 + gen_below(g, 4);
    u->zdim = gen_below(g, 4);
    u->x = gen_percent(g, 50) ? 0 : gen_percent(g, 50) ? 16 * gen_below(g, 8) : gen_below(g, 64);
    if (u->tilize || u->transpose)
        u->x &= ~63u;
    u->datums = gen_percent(g, 60) ? 16 * (1 + gen_below(g, gen_percent(g, 20) ? 64 : 16))
                                   : 1 + gen_below(g, 300);
    u->rows = (u->datums + 15) / 16;
    u->row = 8 * gen_below(g, 8);
    if (u->datums <= 16 && gen_percent(g, 50))
        u->row = gen_below(g, 64);
    if (u->dst)
        u->row = gen_below(g, gen_percent(g, 80) ? 400 : 900);
    if (u->unit && u->row + u->rows > 64)
        u->row = 0;
}

static void addresses(struct gen *g, const struct unpack *u, uint32_t base)
{
    unsigned k = u->unit ? 48 : 0, c = u->context;
    gen_config(g, 76 + k + c, 0, 32, base);
    if (u->unit) {
        /* ch1.Z times its stride is the only way to another row of SrcB */
        gen_config(g, 59, 0, 16, 16 * u->out_bytes * u->row);
        return;
    }
    if (gen_percent(g, 30)) {
        uint32_t off = gen_below(g, 0x100);
        gen_config(g, 76 + c, 0, 32, base - off);
        gen_config(g, 92 + c, 0, 16, off);
    }
    gen_config(g, 84, 16 * c, 16, 64 + 16 * u->row);
    gen_config(g, 86, 16 * c, 16, u->xdim);
    gen_config(g, 50, 8, 1, u->add);
    gen_config(g, 56, 16, 16, u->out_bytes * 16 * 8 * gen_below(g, 3));
    gen_config(g, 57, 0, 16, u->out_bytes * 16 * 8 * gen_below(g, 3));
}

static void configure(struct gen *g, const struct unpack *u)
{
    unsigned k = u->unit ? 48 : 0;
    uint32_t base =
        gen_data(g, u->in, u->xdim * u->ydim * (u->zdim ? u->zdim : 1), gen_exponents(g, u->in));
    /* so that more datums than the tile has are not all 0 */
    gen_input(g, 4096, VEC_BYTES, 0x20000);
    gen_config(g, 64 + k, 0, 32, u->in | 1 << 4 | u->xdim << 16);
    gen_config(g, 65 + k, 0, 32, u->ydim | u->zdim << 16);
    gen_config(g, 72 + k, 0, 16, u->out | (unsigned)u->transpose << 8 | (unsigned)u->tilize << 9);
    gen_config(g, 73 + k, 8, 1, u->forced);
    gen_config(g, 71 + k, 22, 1, gen_below(g, 2));
    gen_config(g, 1, 15, 2, gen_below(g, 4)); /* unsigned */
    if (u->tilize) {
        gen_config(g, 72, 16, 4, gen_below(g, 16));
        gen_config(g, 72, 20, 4, gen_below(g, 3));
    }
    if (!u->unit) {
        gen_config(g, 50, 0, 8, gen_below(g, 256));
        gen_config(g, 73, 4, 2, u->dst ? 3 : 0);
    }
    addresses(g, u, base);
    gen_thread(g, 5, u->dst ? 0 : 4);
    gen_thread(g, 41, u->unit ? u->context << 8 : u->context);
}

void gen_unpacr(struct gen *g, const char *name)
{
    struct unpack u;
    (void)name;
    choose(g, &u);
    configure(g, &u);
    unsigned sets = 1u << u.unit, n = 1 + gen_below(g, 3), mod = 0;
    gen_push(g, W_SETADC(sets, 0, 0, u.x));
    gen_push(g, W_SETADC(sets, 1, 0, u.x + u.datums - 1));
    if (gen_percent(g, 50))
        gen_push(g, W_SETADC(sets, 0, 1, gen_below(g, 4)));
    if (gen_percent(g, 50))
        gen_push(g, W_SETADC(sets, 0, 2, gen_below(g, 4)));
    if (gen_percent(g, 20))
        gen_push(g, W_SETADC(sets, 0, 3, gen_below(g, 2)));
    if (u.unit)
        gen_push(g, W_SETADC(sets, 1, 2, 1)); /* makes Zstride the first row */
    for (unsigned i = 0; i < n; i++) {
        mod = gen_percent(g, 50) ? gen_below(g, 256) : 0;
        if (u.unit && u.rows + u.row > 20)
            mod &= 0xCF; /* Z stays */
        gen_push(g, W_UNPACR(u.unit, mod, i + 1 == n && !u.dst));
    }
    if (u.dst) {
        unsigned rows = u.rows > 24 ? 24 : u.rows;
        gen_dump32(g, u.row, rows);
    } else {
        gen_dump_src(g, u.unit, 0, 64);
    }
}

/* ---- UNPACR_NOP ---- */

void gen_unpacr_nop(struct gen *g, const char *name)
{
    (void)name;
    unsigned unit = gen_below(g, 2), rows = 8 * (1 + gen_below(g, 8)), value = 0;
    unsigned how = gen_below(g, 4), format = GEN_PICK(g, FP16, BF16, BFP8, BFP4, BF16, TF32);
    unsigned in = format == TF32 ? FP32 : format, clear = 1 + unit;
    if (!unit)
        value = gen_below(g, 2);
    uint32_t data = gen_data(g, in, 16 * rows, gen_exponents(g, in));
    if (how == 0) { /* cleared, then partly filled */
        gen_load_src(g, unit, in, format, data, 64);
        gen_barrier(g);
        gen_push(g, W_SETRWC(clear, 0, 0, 0, 0, 0));
        gen_load_src(g, unit, in, format, data, 8);
        gen_barrier(g);
        gen_push(g, W_SETRWC(clear, 0, 0, 0, 0, 0));
        gen_barrier(g);
        gen_push(g, W_UNPACR_NOP(unit, 0, gen_below(g, 2), value));
        gen_load_src(g, unit, in, format, data, rows);
        gen_dump_src(g, unit, 0, 64);
        return;
    }
    if (how == 1) { /* the other bank is not touched */
        gen_load_src(g, unit, in, format, data, rows);
        gen_push(g, W_UNPACR_NOP(unit, 1, 1, value));
        gen_dump_src(g, unit, 0, rows < 32 ? rows : 32);
        gen_push(g, W_SETRWC(clear, 0, 0, 0, 0, 0));
        gen_dump_src(g, unit, 0, 16);
        return;
    }
    /* what it hands over has a format */
    gen_config(g, unit ? 120 : 72, 0, 4, format);
    gen_config(g, 2, 0, 1, gen_below(g, 2));
    gen_config(g, 1, 17, 8, BF16 | BF16 << 4);
    if (how == 3) {
        gen_load_src(g, unit, in, format, data, rows);
        gen_barrier(g);
        gen_push(g, W_SETRWC(clear, 0, 0, 0, 0, 0));
        gen_barrier(g);
    }
    gen_load_dst(g, 0, 16, VEC_INT32, 31);
    gen_config(g, unit ? 120 : 72, 0, 4, format);
    gen_push(g, W_UNPACR_NOP(unit, 1, gen_below(g, 2), value));
    gen_push(g, unit ? W_MOVB2D(0, 0, 0, 4, 8) : W_MOVE(0x12, 0, 8, 0, 2, 8));
    gen_dump32(g, 0, 16);
}

/* ---- address counters ---- */

enum { ADC_SET, ADC_SETXY, ADC_INCXY, ADC_CRXY, ADC_SETZW, ADC_INCZW, ADC_CRZW, ADC_SETXX, N_ADC };
static const char *const adc_names[N_ADC] = {
    "SETADC", "SETADCXY", "INCADCXY", "ADDRCRXY", "SETADCZW", "INCADCZW", "ADDRCRZW", "SETADCXX"};

/* ch1.W stays 0, and ch1.X above ch0.X. */
static void adc_word(struct gen *g, unsigned what, unsigned sets)
{
    unsigned a = gen_below(g, 8), b = gen_below(g, 8), c = gen_below(g, 8), d = gen_below(g, 8);
    unsigned mask = 1 + gen_below(g, 15);
    switch (what) {
    case ADC_SET: {
        unsigned channel = gen_below(g, 2), dim = gen_below(g, 4 - channel);
        uint32_t v = gen_below(g, gen_percent(g, 50) ? 8 : 64);
        if (dim == 0)
            v = channel ? 40 + gen_below(g, 200) : gen_below(g, 40);
        else if (gen_percent(g, 15))
            v |= dim == 1 ? 0x2000u << gen_below(g, 3) : 0x100u << gen_below(g, 8);
        gen_push(g, W_SETADC(sets, channel, dim, v));
        break;
    }
    case ADC_SETXY:
        if (mask & 4)
            mask ^= 4 & (gen_percent(g, 80) ? 4 : 0);
        gen_push(g, W_ADC4(0x51, sets, mask ? mask : 2, a / 2, b, c | 4, d));
        break;
    case ADC_INCXY: gen_push(g, W_ADC4(0x52, sets, 0, a, b, c, d)); break;
    case ADC_CRXY: gen_push(g, W_ADC4(0x53, sets, mask, a, b, c, d)); break;
    case ADC_SETZW: gen_push(g, W_ADC4(0x54, sets, mask, a, b, c, 0)); break;
    case ADC_INCZW: gen_push(g, W_ADC4(0x55, sets, 0, a, b, c, 0)); break;
    case ADC_CRZW: gen_push(g, W_ADC4(0x56, sets, mask, a, b, c, 0)); break;
    default: {
        uint32_t first = gen_below(g, 100);
        gen_push(g, W_SETADCXX(sets, first, first + gen_below(g, 200)));
        break;
    }
    }
}

static void adc_seen_by_unpacker(struct gen *g, unsigned unit)
{
    unsigned k = unit ? 48 : 0;
    gen_config(g, 64 + k, 0, 32, BF16 | 1 << 4 | 16 << 16);
    gen_config(g, 65 + k, 0, 32, 2 | 3 << 16);
    gen_config(g, 72 + k, 0, 32, BF16);
    gen_config(g, 76 + k, 0, 32, gen_input(g, 24000, VEC_BYTES, 0x10000) / 16 - 1);
    if (unit) {
        gen_config(g, 59, 0, 16, 32);
    } else {
        gen_config(g, 84, 0, 16, 64);
        gen_config(g, 86, 0, 16, 16);
        gen_config(g, 50, 8, 1, 1);
        gen_config(g, 56, 16, 16, 8 * 32); /* eight rows */
        gen_config(g, 57, 0, 16, 16 * 32);
    }
    unsigned mod = gen_below(g, 256);
    gen_push(g, W_UNPACR(unit, mod, 0));
    gen_push(g, W_UNPACR(unit, 0, 1));
    gen_dump_src(g, unit, 0, 64);
}

static void adc_seen_by_packer(struct gen *g)
{
    gen_load_dst(g, 0, 128, VEC_INT32, 31);
    gen_config(g, 1, 25, 4, INT16);
    gen_config(g, 70, 0, 32, 1 | INT16 << 4 | INT16 << 8);
    gen_config(g, 12, 16, 16, 32);
    gen_config(g, 13, 0, 32, (2 * 32) | (4u * 32) << 16);
    gen_config(g, 14, 16, 16, 32);
    uint32_t out = gen_output(g, 2560);
    gen_config(g, 69, 0, 32, out / 16 - 1);
    gen_thread(g, 37, gen_below(g, 16) | gen_below(g, 2) << 4 | gen_below(g, 4) << 6);
    gen_push(g, W_SETADCXX(4, 0, 15));
    gen_push(g, W_SETADC(4, 1, 2, 0)); /* ch1.Z must be 0 here */
    gen_push(g, W_PACR(1, 0, 1));
    gen_push(g, W_PACR(1, 0, 1));
    gen_barrier(g);
}

void gen_adc(struct gen *g, const char *name)
{
    unsigned what = 0, seen = gen_below(g, 5), n = 2 + gen_below(g, 5);
    while (strcmp(adc_names[what], name) != 0)
        what++;
    g->pack = 0; /* all sets are those of one thread */
    if (what == ADC_SETXX && seen >= 4)
        seen = 0;
    unsigned set = seen < 2 ? 0 : seen < 4 ? 1 : 2;
    if (set == 2) /* Dst is filled by unpacker 0, whose counters must be 0 */
        gen_load_dst(g, 128, 1, VEC_INT32, 31);
    gen_push(g, W_SETADCXX(7, gen_below(g, 20), 60 + gen_below(g, 100)));
    for (unsigned i = 0; i < n; i++) {
        unsigned kind = i == n - 1 || gen_percent(g, 60) ? what : gen_below(g, N_ADC);
        unsigned sets = (gen_below(g, 8) & ~1u) | (set == 2 ? 0 : gen_below(g, 2));
        if (gen_percent(g, 75))
            sets |= 1u << set;
        else if (gen_percent(g, 90))
            sets &= ~(1u << set);
        adc_word(g, kind, sets ? sets : 1u << set);
    }
    if (set == 2)
        adc_seen_by_packer(g);
    else
        adc_seen_by_unpacker(g, set);
}
