/*
 * ask.c - questions about every operation of the Alpha that computes something.
 *
 *     alpha_ask PER_OPERATION SEED > questions
 *     alpha-linux-gnu-gcc -O1 -static -Wl,--no-relax answer.c -o answer
 *     qemu-alpha ./answer < questions > data/qemu.vec
 */
#include <stdio.h>
#include <stdlib.h>

#include "alpha/alpha_fp.h"
#include "alpha/vec.h"
#include "isa/alpha.h"
#include "model/rng.h"

static struct rng rng;

static uint64_t bits64(void)
{
    uint64_t high = rng_next(&rng);
    return high << 32 | rng_next(&rng);
}

/* Small numbers, powers of two, words: where integer instructions have their edges. */
static uint64_t an_integer(void)
{
    switch (rng_below(&rng, 8)) {
    case 0: return rng_below(&rng, 16);
    case 1: return 0 - (uint64_t)rng_below(&rng, 16);
    case 2: return UINT64_C(1) << rng_below(&rng, 64);
    case 3: return (UINT64_C(1) << rng_below(&rng, 64)) - 1;
    case 4: return (uint64_t)(int64_t)(int32_t)rng_next(&rng);
    case 5: return bits64() >> rng_below(&rng, 64);
    default: return bits64();
    }
}

static uint64_t a_fraction(unsigned bits)
{
    uint64_t all = (UINT64_C(1) << bits) - 1;
    switch (rng_below(&rng, 6)) {
    case 0: return 0;
    case 1: return all;
    case 2: return UINT64_C(1) << rng_below(&rng, bits);
    case 3: return all << rng_below(&rng, bits) & all;
    default: return bits64() & all;
    }
}

static uint64_t a_t(void)
{
    static const uint16_t edges[] = {0,    1,    2,    1022, 1023, 1024, 1075,
                                     1076, 1085, 1086, 1087, 2045, 2046, 2047,
                                     897,  896,  874,  873,  1150, 1151, 895};
    uint64_t exp = 1019 + rng_below(&rng, 8), sign = rng_next(&rng) & 1;
    switch (rng_below(&rng, 6)) {
    case 0: exp = edges[rng_below(&rng, sizeof edges / sizeof edges[0])]; break;
    case 1: exp = 959 + rng_below(&rng, 128); break;
    case 2: exp = rng_below(&rng, 2048); break;
    case 3: exp = 1 + rng_below(&rng, 4); break;
    default: break;
    }
    return sign << 63 | exp << 52 | a_fraction(52);
}

static uint64_t an_s(void)
{
    static const uint8_t edges[] = {0, 1, 2, 126, 127, 128, 150, 151, 253, 254, 255};
    uint32_t exp = 123 + rng_below(&rng, 8);
    switch (rng_below(&rng, 5)) {
    case 0: exp = edges[rng_below(&rng, sizeof edges)]; break;
    case 1: exp = rng_below(&rng, 256); break;
    case 2: exp = 1 + rng_below(&rng, 3); break;
    default: break;
    }
    return alpha_fp_s_to_reg((rng_next(&rng) & 1) << 31 | exp << 23 | (uint32_t)a_fraction(23));
}

static uint64_t an_operand(const struct alpha_form *f)
{
    unsigned file = alpha_ops[f->op].box;
    uint64_t value = file == ALPHA_BOX_F && f->format != ALPHA_FMT_ITOF ? a_t() : an_integer();
    switch (f->op) {
    case ALPHA_OP_ADDS:
    case ALPHA_OP_SUBS:
    case ALPHA_OP_MULS:
    case ALPHA_OP_DIVS:
    case ALPHA_OP_SQRTS:
    case ALPHA_OP_CVTST: value = rng_below(&rng, 16) ? an_s() : a_t(); break;
    case ALPHA_OP_CVTTS: value = rng_below(&rng, 3) ? a_t() : an_s() | rng_next(&rng) >> 3; break;
    case ALPHA_OP_CVTQS:
    case ALPHA_OP_CVTQT:
    case ALPHA_OP_CVTQL:
    case ALPHA_OP_CVTLQ: value = an_integer(); break;
    default: break;
    }
    return file == ALPHA_BOX_F && !rng_below(&rng, 12) ? value & UINT64_C(1) << 63 : value;
}

/* Linux's, with another rounding, with other switches, or anything. */
static uint64_t an_fpcr(void)
{
    uint64_t start = ALPHA_FPCR_START, round = (uint64_t)rng_below(&rng, 4) << 58;
    switch (rng_below(&rng, 4)) {
    case 0: return start;
    case 1: return (start & ~ALPHA_FPCR_DYN) | round;
    case 2: return bits64() & UINT64_C(0x7fff800000000000);
    default: return start ^ round ^ (rng_next(&rng) & 1 ? ALPHA_FPCR_UNDZ : ALPHA_FPCR_DNZ);
    }
}

/* The word with registers 1, 2, 3; 0 if the form does not compute. */
static uint32_t word_of(const struct alpha_form *f)
{
    uint32_t w = (uint32_t)f->opcode << 26 | (uint32_t)f->function << 5 | 3;
    bool literal = false;
    switch (f->format) {
    case ALPHA_FMT_OPERATE:
    case ALPHA_FMT_CMOVE: literal = true; /* fall through */
    case ALPHA_FMT_OPERATE_N:
    case ALPHA_FMT_FOPERATE:
    case ALPHA_FMT_FCMOVE: w |= UINT32_C(1) << 21 | UINT32_C(2) << 16; break;
    case ALPHA_FMT_OPERATE_B: literal = true; /* fall through */
    case ALPHA_FMT_OPERATE_R:
    case ALPHA_FMT_SEXT:
    case ALPHA_FMT_FOPERATE_B: w |= UINT32_C(31) << 21 | UINT32_C(2) << 16; break;
    case ALPHA_FMT_FTOI:
    case ALPHA_FMT_ITOF: w |= UINT32_C(1) << 21 | UINT32_C(31) << 16; break;
    default: return 0;
    }
    if (literal && !rng_below(&rng, 3))
        w = (w & ~UINT32_C(0x1ff000)) | 1 << 12 | rng_below(&rng, 256) << 13;
    return w;
}

static void ask(const struct alpha_form *f, uint32_t word)
{
    struct vec v = {.word = word, .a = an_operand(f), .b = an_operand(f), .c = an_operand(f)};
    if (!rng_below(&rng, 8))
        v.b = v.a;
    v.fpcr = an_fpcr();
    fwrite(&v, sizeof v, 1, stdout);
}

int main(int argc, char **argv)
{
    unsigned per_op = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 0) : 200;
    rng.state = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
    for (unsigned op = 0; op < ALPHA_OP_VAX; op++) {
        const struct alpha_form *forms[16];
        unsigned n = 0;
        for (unsigned i = 0; i < ALPHA_N_FORMS; i++)
            if (alpha_forms[i].op == op && n < 16)
                forms[n++] = &alpha_forms[i];
        for (unsigned i = 0; n && i < per_op; i++) {
            const struct alpha_form *f = forms[i % n];
            uint32_t word = word_of(f);
            if (word)
                ask(f, word);
        }
    }
    return 0;
}
