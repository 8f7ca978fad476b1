/*
 * gen_util.c - see gen.h: data into Src and Dst, and out of them into L1.
 */
#include "vectors/gen.h"

uint32_t gen_bits(unsigned format)
{
    return format == BFP4 ? 4 : format == BFP2 ? 2 : 32u >> (format & 3);
}

bool gen_bfp(unsigned format)
{
    return format == BFP8 || format == BFP4 || format == BFP2;
}

uint32_t gen_exponents(struct gen *g, unsigned format)
{
    static const uint8_t spread[6] = {1, 4, 12, 30, 60, 0};
    uint32_t width = spread[gen_below(g, 6)], special = gen_below(g, 4);
    if (format == FP16)
        return VEC_NUMBER(15, width > 20 ? 0 : width, special);
    return VEC_NUMBER(gen_percent(g, 85) ? 127 : gen_below(g, 256), width, special);
}

static enum vec_kind kind_of(unsigned format)
{
    switch (format) {
    case FP32:
    case TF32: return VEC_F32;
    case BF16: return VEC_BF16;
    case FP16: return VEC_F16;
    case INT32: return VEC_INT32;
    default: return VEC_BYTES;
    }
}

uint32_t gen_data(struct gen *g, unsigned format, uint32_t datums, uint32_t parameter)
{
    uint32_t at = g->in, exponents = gen_bfp(format) ? (datums + 15) / 16 : 0;
    if (exponents) {
        gen_input(g, (exponents + 15) & ~15u, VEC_EXP, parameter & 0xFFFF);
        gen_input(g, (datums * gen_bits(format) + 7) / 8, VEC_BYTES, parameter & 0xFF0000);
    } else {
        if (format == INT32)
            parameter = 31;
        gen_input(g, (datums * gen_bits(format) + 7) / 8, kind_of(format), parameter);
    }
    return at / 16 - 1;
}

/* The unpacker's configuration of context 0 for contiguous datums. */
static void unpack_plain(struct gen *g, unsigned unit, unsigned in, unsigned out, uint32_t base,
                         uint32_t datums)
{
    unsigned k = unit ? 48 : 0; /* words of section 1 follow those of section 0 */
    gen_config(g, 64 + k, 0, 32, in | 1 << 4 | datums << 16);
    gen_config(g, 65 + k, 0, 32, 1 | 1 << 16);
    gen_config(g, 72 + k, 0, 32, out);
    gen_config(g, 73 + k, 8, 1, 0);
    gen_config(g, 76 + k, 0, 32, base);
    if (!unit) {
        gen_config(g, 50, 8, 1, 0);
        gen_config(g, 56, 0, 32, 0);
        gen_config(g, 57, 0, 32, 0);
        gen_config(g, 86, 0, 16, datums);
        gen_config(g, 92, 0, 16, 0);
    } else {
        gen_config(g, 59, 0, 32, 0);
    }
    gen_thread(g, 41, 0);
}

static void count(struct gen *g, unsigned sets, uint32_t datums)
{
    if (datums <= 1024) {
        gen_push(g, W_SETADCXX(sets, 0, datums - 1));
    } else {
        gen_push(g, W_SETADC(sets, 0, 0, 0));
        gen_push(g, W_SETADC(sets, 1, 0, datums - 1));
    }
}

void gen_load_src(struct gen *g, unsigned unit, unsigned in, unsigned out, uint32_t base,
                  unsigned rows)
{
    unpack_plain(g, unit, in, out, base, 16 * rows);
    gen_thread(g, 5, 4);
    if (!unit) {
        gen_config(g, 73, 4, 1, 0);
        gen_config(g, 84, 0, 16, 64);
    }
    count(g, 1u << unit, 16 * rows);
    gen_push(g, W_UNPACR(unit, 0, 1));
}

void gen_load_dst(struct gen *g, unsigned row, unsigned rows, enum vec_kind kind,
                  uint32_t parameter)
{
    gen_load_dst_from(g, gen_input(g, 64 * rows, kind, parameter), row, rows);
}

void gen_load_dst_from(struct gen *g, uint32_t at, unsigned row, unsigned rows)
{
    unpack_plain(g, 0, INT32, INT32, at / 16 - 1, 16 * rows);
    gen_thread(g, 5, 0);
    gen_config(g, 73, 4, 1, 1);
    gen_config(g, 84, 0, 16, 64 + 16 * row);
    count(g, 1, 16 * rows);
    gen_push(g, W_UNPACR(0, 0, 0));
    gen_barrier(g);
    gen_config(g, 73, 4, 1, 0);
    gen_thread(g, 5, 4);
}

unsigned gen_physical(unsigned row)
{
    return (row & 0x1F8) << 1 | (row & 0x207);
}

void gen_dump_config(struct gen *g, uint32_t at)
{
    gen_config(g, 1, 25, 4, INT16);
    gen_config(g, 2, 0, 32, 0);
    gen_config(g, 12, 0, 32, 32u << 16);
    gen_config(g, 13, 0, 32, 0);
    gen_config(g, 14, 0, 32, 0);
    gen_config(g, 18, 0, 32, 0);
    gen_config(g, 24, 0, 32, 0xFFFF);
    gen_config(g, 68, 0, 32, 0);
    gen_config(g, 69, 0, 32, at / 16 - 1);
    gen_config(g, 70, 0, 32, 1 | INT16 << 4 | INT16 << 8);
    gen_config(g, 71, 0, 32, 0);
    gen_config(g, 180, 0, 32, 0);
    gen_thread(g, 37, 4); /* the next group */
}

void gen_dump_groups(struct gen *g, const uint16_t *row, unsigned n)
{
    uint32_t at = gen_output(g, 128 * n);
    gen_barrier(g);
    gen_dump_config(g, at);
    gen_push(g, W_SETADCXX(4, 0, 15));
    gen_push(g, W_ADC4(0x54, 4, 15, 0, 0, 0, 0)); /* SETADCZW */
    gen_push(g, W_ADC4(0x51, 4, 10, 0, 0, 0, 0)); /* SETADCXY: both Y */
    for (unsigned i = 0; i < n; i++) {
        if (i == 0 || row[i] != row[i - 1] + 4)
            gen_push(g, W_SETADC(4, 0, 1, row[i]));
        gen_push(g, W_PACR(0, 0, i + 1 == n));
    }
    gen_barrier(g);
}

void gen_dump16(struct gen *g, unsigned row, unsigned rows)
{
    uint16_t group[256];
    unsigned n = 0;
    for (unsigned r = row & ~3u; r < row + rows && n < 256; r += 4)
        group[n++] = (uint16_t)(r & 1023);
    gen_dump_groups(g, group, n);
}

void gen_dump32(struct gen *g, unsigned row, unsigned rows)
{
    unsigned first = row & ~7u, last = (row + rows + 7) & ~7u;
    uint16_t group[256];
    unsigned n = 0;
    for (unsigned r = first; r < last && n < 256; r += 8)
        for (unsigned k = 0; k < 16; k += 4)
            group[n++] = (uint16_t)((gen_physical(r & 1023) + k) & 1023);
    gen_dump_groups(g, group, n);
}

void gen_dump_src(struct gen *g, unsigned unit, unsigned row, unsigned rows)
{
    gen_barrier(g);
    gen_config(g, 0, 0, 32, 0);
    gen_config(g, 1, 17, 8, TF32 | TF32 << 4);
    gen_config(g, 2, 0, 32, 1); /* E = 0 is not zero */
    gen_thread(g, 1, 0);
    gen_thread(g, 2, 1);
    gen_thread(g, 3, 1);
    gen_addr_mod(g, 7, (struct gen_mod){.fidelity = 4});
    gen_push(g, W_SETRWC(0, 0, 0, 0, 0, 15));
    if (unit) {
        for (unsigned r = 0; r < rows; r += 4)
            gen_push(g, W_MOVB2D(0, row + r, 7, 4, r));
    } else {
        for (unsigned r = 0; r < rows; r += 8)
            gen_push(g, W_MOVE(0x12, 0, row + r, 7, 2, r));
    }
    gen_dump32(g, 0, rows);
}

void gen_addr_mod(struct gen *g, unsigned section, struct gen_mod m)
{
    gen_thread(
        g, 12 + section, (m.a & 63) | (m.a_how & 3) << 6 | (m.b & 63) << 8 | (m.b_how & 3) << 14);
    gen_thread(g, 28 + section, (m.d & 1023) | (m.d_how & 7) << 10 | (m.fidelity & 7) << 13);
}
