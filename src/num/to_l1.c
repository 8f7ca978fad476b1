/*
 * to_l1.c - the packer's arithmetic; see to_l1.h.
 *
 * ISA pages: Packers/FormatConversion, ReLU, ExponentThresholding; FloatBitPatterns.
 *
 * Invariant: a value never has more bits than its form; zero stays zero in every stage.
 *
 * Inaccuracies: pairs of formats that the pages call impossible do something harmless. Stochastic rounding adds 1
 * to 2^n below the last bit kept (INFERRED from "slightly too often away from zero, even for values that need no
 * rounding"). Minus infinity in a block is the pattern with sign and no magnitude (INFERRED). INT32
 * in L1 is added with saturation (INFERRED). The sums of L1 accumulation follow the vendor's simulator; no
 * document describes them.
 */
#include "num/to_l1.h"

#include <string.h>

#include "base/hot.h"
#include "num/layout.h"
#include "num/prng.h"

/* Unions, because compilers turn loops over them into vectors. */
union num_pun {
    uint32_t u;
    float f;
};

static inline float num_float(uint32_t x)
{
    return (union num_pun){.u = x}.f;
}

static inline uint32_t num_float_bits(float f)
{
    return (union num_pun){.f = f}.u;
}

/* ---- which way ---- */

/* From words in Dst. */
static bool num_choose_word(struct num_to_l1 *p, const struct num_to_l1_config *c)
{
    p->read = NUM_READ_WORD;
    switch (c->intermediate) {
    case NUM_FP32: p->early = c->round10 && !c->raw ? NUM_EARLY_TF32 : NUM_EARLY_SAME; return true;
    case NUM_TF32: p->early = c->raw ? NUM_EARLY_SAME : NUM_EARLY_TF32; return true;
    case NUM_INT32: p->integer = true; return true;
    case NUM_BF16:
        if (c->round10 && !c->raw && (c->out == NUM_FP16 || c->in == NUM_FP16)) {
            p->early = NUM_EARLY_TF32;
            p->narrow = c->in == NUM_FP16;
            return true;
        }
        p->carrier = NUM_CARRY_BF16;
        p->early = c->raw ? NUM_EARLY_BF16_CUT : NUM_EARLY_BF16;
        return true;
    case NUM_BFP8:
    case NUM_BFP4:
    case NUM_BFP2:
        p->carrier = NUM_CARRY_BF16;
        p->early = c->raw ? NUM_EARLY_BF16_CUT : NUM_EARLY_E8M6;
        return c->intermediate == NUM_BFP8;
    case NUM_INT8:
        p->carrier = NUM_CARRY_INT8;
        p->integer = true;
        if (c->unsigned8)
            p->early = c->raw ? NUM_EARLY_UINT8_CUT : NUM_EARLY_UINT8;
        else
            p->early = c->raw ? NUM_EARLY_INT8_CUT : NUM_EARLY_INT8;
        return true;
    case NUM_INT16:
        p->read = NUM_READ_RAW;
        p->carrier = NUM_CARRY_INT16;
        p->integer = true;
        return true;
    default: /* FP16 by way of TF32; the other 5-bit forms are not on the list */
        p->early = NUM_EARLY_TF32;
        p->narrow = true;
        return c->intermediate == NUM_FP16 && c->round10;
    }
}

static bool num_choose_bf16(struct num_to_l1 *p, const struct num_to_l1_config *c)
{
    bool wide = c->intermediate == NUM_FP32 || c->intermediate == NUM_TF32;
    p->read = NUM_READ_BF16;
    if (wide) {
        bool rounds = !c->raw && (c->intermediate == NUM_TF32 || c->round10);
        p->early = rounds ? NUM_EARLY_BF16_WIDE : NUM_EARLY_BF16_SHIFTED;
        p->carrier = NUM_CARRY_WORD;
        return rounds;
    }
    p->carrier = NUM_CARRY_BF16;
    if (c->intermediate == NUM_BF16 && c->round10 && !c->raw && c->in == NUM_FP16) {
        p->early = NUM_EARLY_BF16_FP16;
        p->carrier = NUM_CARRY_FP16;
    } else if (c->raw) {
        p->early = NUM_EARLY_SAME;
    } else {
        p->early = c->intermediate == NUM_BF16 ? NUM_EARLY_BF16_CLEAN : NUM_EARLY_BF16_E8M6;
    }
    return c->intermediate == NUM_BF16 || c->intermediate == NUM_BFP8;
}

/* From 16 bits in Dst. */
static bool num_choose_half(struct num_to_l1 *p, const struct num_to_l1_config *c)
{
    p->read = NUM_READ_FP16;
    p->carrier = NUM_CARRY_FP16;
    switch (c->intermediate) {
    case NUM_FP16:
        if (c->round10) {
            p->read = NUM_READ_BF16;
            p->early = NUM_EARLY_BF16_FP16;
        } else {
            p->early = c->raw ? NUM_EARLY_SAME : NUM_EARLY_FP16_CLEAN;
        }
        return true;
    case NUM_BFP8A: p->early = c->raw ? NUM_EARLY_E5M7 : NUM_EARLY_E5M6; return true;
    case NUM_FP8: p->early = NUM_EARLY_E5M2; return c->raw;
    case NUM_BFP4A:
    case NUM_BFP2A: p->early = NUM_EARLY_E5M6; return false;
    case NUM_INT16:
    case NUM_INT32:
        p->read = NUM_READ_RAW;
        p->carrier = NUM_CARRY_INT16;
        p->integer = true;
        return c->intermediate == NUM_INT16;
    case NUM_INT8:
        p->read = NUM_READ_RAW;
        p->carrier = NUM_CARRY_INT8;
        p->integer = true;
        p->early = c->unsigned8 ? NUM_EARLY_ZERO : NUM_EARLY_SIGN;
        return c->raw && !c->unsigned8;
    default: return num_choose_bf16(p, c);
    }
}

/* Is there a late conversion from this carrier? Integers only stay what they are. */
static bool num_late_listed(const struct num_to_l1 *p)
{
    switch (p->out) {
    case NUM_INT32: return p->late == NUM_CARRY_WORD;
    case NUM_INT16: return p->late == NUM_CARRY_INT16;
    case NUM_INT8: return p->late == NUM_CARRY_INT8;
    default:
        return num_formats[p->out].bits && p->late <= NUM_CARRY_FP16 &&
               !(p->integer && p->late == NUM_CARRY_WORD && p->out != NUM_FP32);
    }
}

bool num_to_l1_choose(struct num_to_l1 *p, const struct num_to_l1_config *c)
{
    memset(p, 0, sizeof *p);
    bool listed = c->read32 ? num_choose_word(p, c) : num_choose_half(p, c);
    p->relu = c->relu & 3;
    p->late = p->narrow ? NUM_CARRY_FP16 : p->carrier;
    p->out = c->out & 15;
    p->shift = c->shift & 31;
    p->e4m3 = c->e4m3;
    p->round_early = c->round_early;
    p->round_late = c->round_late;
    p->exponent = c->exponent;
    p->exponent_on = c->exponent_on && !p->integer;
    p->threshold = c->relu_threshold & 0x7fff;
    if (p->carrier == NUM_CARRY_WORD)
        p->threshold <<= 16;
    if (p->integer && p->relu) /* no threshold; unsigned numbers have no sign to look at */
        p->relu = p->carrier == NUM_CARRY_INT8 && c->unsigned8 ? NUM_RELU_NONE : NUM_RELU_ZERO;
    return listed & num_late_listed(p);
}

/* ---- reading ---- */

void num_to_l1_read(const struct num_to_l1 *p, const uint16_t *high, const uint16_t *low,
                    uint32_t v[NUM_ROW])
{
    if (!high) {
        memset(v, 0, NUM_ROW * sizeof v[0]);
        return;
    }
    switch (p->read) {
    case NUM_READ_WORD:
        for (unsigned i = 0; i < NUM_ROW; i++)
            v[i] = layout_from_dst32(high[i], low[i]);
        break;
    case NUM_READ_BF16:
        for (unsigned i = 0; i < NUM_ROW; i++)
            v[i] = layout_bf16_from_dst(high[i]);
        break;
    case NUM_READ_FP16:
        for (unsigned i = 0; i < NUM_ROW; i++)
            v[i] = layout_fp16_from_dst(high[i]);
        break;
    default:
        for (unsigned i = 0; i < NUM_ROW; i++)
            v[i] = high[i];
        break;
    }
}

/* ---- early conversion ---- */

/* NaN becomes infinity. */
static inline uint32_t num_word_no_nan(uint32_t x)
{
    return (x & 0x7fffffff) > 0x7f800000 ? (x & 0x80000000) | 0x7f800000 : x;
}

static inline uint32_t num_bf16_no_nan(uint32_t x)
{
    return (x & 0x7fff) > 0x7f80 ? (x & 0x8000) | 0x7f80 : x;
}

/* Zero if the exponent is zero. */
static inline uint32_t num_word_no_denormal(uint32_t x)
{
    return (x & 0x7f800000) ? x : 0;
}

static inline uint32_t num_bf16_no_denormal(uint32_t x)
{
    return (x & 0x7f80) ? x : 0;
}

static inline uint32_t num_fp16_no_denormal(uint32_t x)
{
    return (x & 0x7c00) ? x : 0;
}

/* r: what is added below the last bit kept. */
static inline uint32_t num_round_tf32(uint32_t x, uint32_t r)
{
    return num_word_no_denormal((num_word_no_nan(x) + r) & ~UINT32_C(0x1fff));
}

static inline uint32_t num_round_bf16(uint32_t x, uint32_t r)
{
    return num_bf16_no_denormal((num_word_no_nan(x) + r) >> 16);
}

static inline uint32_t num_round_e8m6(uint32_t x, uint32_t r)
{
    return num_bf16_no_denormal((num_word_no_nan(x) + r) >> 16 & 0xfffe);
}

static inline uint32_t num_clean_bf16(uint32_t x)
{
    return num_bf16_no_denormal(num_bf16_no_nan(x));
}

static inline uint32_t num_round_e5m6(uint32_t x, uint32_t r)
{
    x = (x & 0x7fff) > 0x7ff7 ? (x & 0x8000) | 0x7ff0 : x;
    return num_fp16_no_denormal((x + r) & 0xfff0);
}

/* {S, E8, M10 in the high bits of 23} to FP16: saturates, and keeps M when the exponent just reaches 0. */
static inline uint32_t num_word_to_fp16(uint32_t x)
{
    uint32_t e = x >> 23 & 0xff, s = x >> 16 & 0x8000;
    uint32_t m = s | (((x >> 13) - (UINT32_C(112) << 10)) & 0x7fff);
    m = e > 112 + 31 ? s | 0x7fff : m;
    return e < 112 ? s : m;
}

static inline uint32_t num_to_int8(uint32_t x, unsigned shift, uint32_t most)
{
    uint32_t half = shift ? UINT32_C(1) << (shift - 1) : 0;
    uint32_t m = ((x & 0x7fffffff) + half) >> shift;
    return m > most ? most : m;
}

#define NUM_EACH(expression)                                                                       \
    for (unsigned i = 0; i < NUM_ROW; i++) {                                                       \
        uint32_t x = v[i];                                                                         \
        v[i] = (expression);                                                                       \
    }                                                                                              \
    break

/* One to 2^bits. */
static uint32_t num_random(uint32_t *rng, unsigned bits)
{
    return (prng_next(rng) & ((UINT32_C(1) << bits) - 1)) + 1;
}

/* The conversions that round, with random bits; false: this one does not. */
static bool num_early_stochastic(const struct num_to_l1 *p, uint32_t v[NUM_ROW], uint32_t *rng)
{
    switch (p->early) {
    case NUM_EARLY_TF32: NUM_EACH(num_round_tf32(x, num_random(rng, 13)));
    case NUM_EARLY_BF16: NUM_EACH(num_round_bf16(x, num_random(rng, 16)));
    case NUM_EARLY_E8M6: NUM_EACH(num_round_e8m6(x, num_random(rng, 17)));
    case NUM_EARLY_BF16_E8M6: NUM_EACH((num_clean_bf16(x) + num_random(rng, 1)) & 0xfffe);
    case NUM_EARLY_E5M6: NUM_EACH(num_round_e5m6(x, num_random(rng, 4)));
    default: return false;
    }
    return true;
}

void num_to_l1_early(const struct num_to_l1 *p, uint32_t v[NUM_ROW], uint32_t *rng)
{
    if (p->round_early && num_early_stochastic(p, v, rng))
        return;
    switch (p->early) {
    case NUM_EARLY_TF32: NUM_EACH(num_round_tf32(x, 0x1000));
    case NUM_EARLY_BF16: NUM_EACH(num_round_bf16(x, 0x8000));
    case NUM_EARLY_BF16_CUT: NUM_EACH(x >> 16);
    case NUM_EARLY_E8M6: NUM_EACH(num_round_e8m6(x, 0x10000));
    case NUM_EARLY_INT8: NUM_EACH((x >> 24 & 0x80) | num_to_int8(x, p->shift, 127));
    case NUM_EARLY_UINT8: NUM_EACH(x >> 31 ? 0 : num_to_int8(x, p->shift, 255));
    case NUM_EARLY_INT8_CUT: NUM_EACH((x >> 24 & 0x80) | (x & 0x7f));
    case NUM_EARLY_UINT8_CUT: NUM_EACH(x & 0xff);
    case NUM_EARLY_BF16_CLEAN: NUM_EACH(num_clean_bf16(x));
    case NUM_EARLY_BF16_E8M6: NUM_EACH((num_clean_bf16(x) + 1) & 0xfffe);
    case NUM_EARLY_BF16_WIDE: NUM_EACH(num_clean_bf16(x) << 16);
    case NUM_EARLY_BF16_SHIFTED: NUM_EACH(x << 16);
    case NUM_EARLY_BF16_FP16: NUM_EACH(num_word_to_fp16(x << 16));
    case NUM_EARLY_FP16_CLEAN: NUM_EACH(num_fp16_no_denormal(x));
    case NUM_EARLY_E5M6: NUM_EACH(num_round_e5m6(x, 8));
    case NUM_EARLY_E5M7: NUM_EACH(x & 0xfff8);
    case NUM_EARLY_E5M2: NUM_EACH(x & 0xff00);
    case NUM_EARLY_SIGN: NUM_EACH(x >> 8 & 0x80);
    case NUM_EARLY_ZERO: memset(v, 0, NUM_ROW * sizeof v[0]); break;
    default: break;
    }
}

/* ---- between the conversions ---- */

uint32_t num_to_l1_infinity(const struct num_to_l1 *p)
{
    switch (p->carrier) {
    case NUM_CARRY_WORD: return p->integer ? 0xffffffff : 0xff800000;
    case NUM_CARRY_BF16: return 0xff80;
    case NUM_CARRY_INT8: return 0xff;
    default: return 0xffff;
    }
}

/* Bit of the sign. */
static uint32_t num_carrier_sign(unsigned carrier)
{
    return carrier == NUM_CARRY_WORD ? 0x80000000 : (carrier == NUM_CARRY_INT8 ? 0x80 : 0x8000);
}

void num_to_l1_relu(const struct num_to_l1 *p, uint32_t v[NUM_ROW])
{
    uint32_t sign = num_carrier_sign(p->carrier), t = p->threshold;
    unsigned blur = p->carrier == NUM_CARRY_WORD ? 13 : 0; /* bits that "above" does not see */
    switch (p->relu) {
    case NUM_RELU_ZERO: NUM_EACH(x & sign ? 0 : x);
    case NUM_RELU_MIN: NUM_EACH(x & sign || x <= t ? 0 : x);
    case NUM_RELU_MAX: NUM_EACH(x & sign ? 0 : (x >> blur > t >> blur ? t : x));
    default: break;
    }
    if (p->narrow)
        for (unsigned i = 0; i < NUM_ROW; i++)
            v[i] = num_word_to_fp16(v[i]);
}

uint32_t num_to_l1_exponent(const struct num_to_l1 *p, uint32_t v)
{
    switch (p->late) {
    case NUM_CARRY_WORD: return v >> 23 & 0xff;
    case NUM_CARRY_BF16: return v >> 7 & 0xff;
    case NUM_CARRY_FP16: return v >> 10 & 0x1f;
    default: return v & 0xff;
    }
}

void num_to_l1_threshold(const struct num_to_l1 *p, uint32_t v[NUM_ROW])
{
    for (unsigned i = 0; p->exponent_on && i < NUM_ROW; i++)
        if (num_to_l1_exponent(p, v[i]) < p->exponent)
            v[i] = 0;
}

/* ---- late conversion ---- */

/* Without exponent the fraction is only shifted, which makes a denormal of the wrong size. */
static inline uint32_t num_fp16_to_word(uint32_t x)
{
    uint32_t e = x & 0x7c00 ? UINT32_C(112) << 23 : 0;
    return (x & 0x8000) << 16 | (((x & 0x7fff) << 13) + e);
}

static inline uint32_t num_fp16_to_bf16(uint32_t x)
{
    return x & 0x7c00 ? (x & 0x8000) | ((x >> 3 & 0xfff) + (112 << 7)) : 0;
}

static inline uint32_t num_fp16_to_fp8(uint32_t x)
{
    uint32_t s = x >> 8 & 0x80;
    return x & 0x7c00 ? s | (x >> 8 & 0x7f) : s;
}

static inline uint32_t num_fp16_to_e4m3(uint32_t x)
{
    uint32_t s = x >> 8 & 0x80, e = x >> 10 & 0x1f;
    uint32_t m = e >= 24 ? 0x7f : (x >> 7 & 0xff) - (8 << 3);
    return e <= 8 ? s : s | (m & 0x7f);
}

static void num_late_to_word(unsigned from, uint32_t v[NUM_ROW])
{
    switch (from) {
    case NUM_CARRY_BF16: NUM_EACH(x << 16);
    case NUM_CARRY_FP16: NUM_EACH(num_fp16_to_word(x));
    default: break;
    }
}

static void num_late_to_bf16(unsigned from, uint32_t v[NUM_ROW])
{
    switch (from) {
    case NUM_CARRY_WORD: NUM_EACH(num_bf16_no_denormal(x >> 16));
    case NUM_CARRY_FP16: NUM_EACH(num_fp16_to_bf16(x));
    default: break;
    }
}

static void num_late_to_fp16(unsigned from, uint32_t v[NUM_ROW])
{
    switch (from) {
    case NUM_CARRY_WORD: NUM_EACH(num_word_to_fp16(x));
    case NUM_CARRY_BF16: NUM_EACH(num_word_to_fp16(x << 16));
    default: break;
    }
}

/* Five bits of exponent, and no more bits of fraction than the datums of a block have. Denormals come there by the
   threshold of ReLU, too. */
static inline bool num_early_is_short(unsigned early)
{
    return early == NUM_EARLY_E5M7 || early == NUM_EARLY_E5M6 || early == NUM_EARLY_E5M2;
}

void num_to_l1_late(const struct num_to_l1 *p, uint32_t v[NUM_ROW])
{
    switch (p->out) {
    case NUM_FP32: num_late_to_word(p->late, v); break;
    case NUM_TF32: num_late_to_word(p->late, v); NUM_EACH(x & ~UINT32_C(0x1fff));
    case NUM_BF16:
    case NUM_BFP8:
    case NUM_BFP4:
    case NUM_BFP2: num_late_to_bf16(p->late, v); break;
    case NUM_FP16: num_late_to_fp16(p->late, v); break;
    case NUM_FP8:
        num_late_to_fp16(p->late, v);
        if (p->early == NUM_EARLY_E5M2 && !p->e4m3) { /* the same widths: denormals stay */
            NUM_EACH(x >> 8);
        }
        NUM_EACH(p->e4m3 ? num_fp16_to_e4m3(x) : num_fp16_to_fp8(x));
    case NUM_BFP8A:
    case NUM_BFP4A:
    case NUM_BFP2A: /* narrowing a fraction drops denormals; narrowing an exponent keeps what is left of them */
        if (p->late == NUM_CARRY_FP16 && !num_early_is_short(p->early)) {
            NUM_EACH(num_fp16_no_denormal(x) & 0xfff8);
        }
        num_late_to_fp16(p->late, v);
        NUM_EACH(x & 0xfff8);
    default: break;
    }
}

/* ---- blocks ---- */

/* 2^-n, n small. */
static inline float num_scale(int32_t n)
{
    return num_float((uint32_t)(127 - n) << 23);
}

/*
 * A whole block, rounded to nearest. The shift by a distance of its own for every datum is a multiplication,
 * exact in float; low: where the seven bits of fraction start.
 */
HOT_INLINE uint8_t num_block_row(int32_t v[NUM_ROW], unsigned low, int32_t mask, unsigned bits)
{
    int32_t shared = 0;
    for (unsigned i = 0; i < NUM_ROW; i++) {
        int32_t e = v[i] >> (low + 7) & mask;
        shared = e > shared ? e : shared;
    }
    for (unsigned i = 0; i < NUM_ROW; i++) {
        int32_t x = v[i], e = x >> (low + 7) & mask, d = shared - e;
        int32_t m = (x >> low & 0x7f) | (e ? 0x80 : 0);
        d = d < 8 ? d : 8;
        m = (int32_t)((float)m * num_scale(d + 1) + 0.5f);
        m = (m < 127 ? m : 127) >> (8 - bits);
        v[i] = m ? m | (x >> 15 & 1) << (bits - 1) : 0;
    }
    return (uint8_t)shared;
}

/* One constant call for each format that is common. */
static uint8_t num_block_whole(unsigned bits, bool small, int32_t v[NUM_ROW])
{
    if (small)
        return num_block_row(v, 3, 0x1f, bits);
    if (bits == 8)
        return num_block_row(v, 0, 0xff, 8);
    return bits == 4 ? num_block_row(v, 0, 0xff, 4) : num_block_row(v, 0, 0xff, 2);
}

/* The same in general: fewer datums, random bits, infinities. */
static uint8_t num_block_any(unsigned bits, bool small, uint32_t v[NUM_ROW], unsigned n,
                             unsigned infinite, uint32_t *rng)
{
    unsigned low = small ? 3 : 0;
    uint32_t mask = small ? 0x1f : 0xff, shared = 0;
    for (unsigned i = 0; i < n; i++) {
        uint32_t e = v[i] >> (low + 7) & mask;
        if (!(infinite >> i & 1) && e > shared)
            shared = e;
    }
    for (unsigned i = 0; i < n; i++) {
        uint32_t e = v[i] >> (low + 7) & mask, d = shared - e;
        uint32_t m = (v[i] >> low & 0x7f) | (uint32_t)(e != 0) << 7;
        d = d > 8 ? 8 : d;
        m = (m + (rng ? num_random(rng, d + 1) : UINT32_C(1) << d)) >> (d + 1);
        m = d == 8 ? 0 : (m > 127 ? 127 : m);
        m >>= 8 - bits;
        v[i] = m ? m | (v[i] >> 15 & 1) << (bits - 1) : 0;
        if (infinite >> i & 1)
            v[i] = UINT32_C(1) << (bits - 1);
    }
    return (uint8_t)shared;
}

uint8_t num_to_l1_block(unsigned out, uint32_t v[NUM_ROW], unsigned n, unsigned infinite,
                        uint32_t *rng)
{
    unsigned bits = num_formats[out & 15].bits;
    bool small = num_formats[out & 15].exponent == 5;
    if (n == NUM_ROW && !infinite && !rng)
        return num_block_whole(bits, small, (int32_t *)v);
    return num_block_any(bits, small, v, n, infinite, rng);
}

/* ---- storing ---- */

/* Sixteen datums of less than 8 bits at a byte. */
static void num_store_small(unsigned bits, const uint32_t v[NUM_ROW], uint8_t *to)
{
    unsigned each = 8 / bits;
    for (unsigned i = 0; i < NUM_ROW / each; i++) {
        uint32_t x = 0;
        for (unsigned k = 0; k < each; k++)
            x |= v[each * i + k] << (bits * k);
        to[i] = (uint8_t)x;
    }
}

/* Sixteen datums at a byte. */
static void num_store_row(unsigned bits, const uint32_t v[NUM_ROW], uint8_t *to)
{
    uint16_t half[NUM_ROW];
    uint8_t byte[NUM_ROW];
    switch (bits) {
    case 32: memcpy(to, v, 4 * NUM_ROW); break;
    case 16:
        for (unsigned i = 0; i < NUM_ROW; i++)
            half[i] = (uint16_t)v[i];
        memcpy(to, half, sizeof half);
        break;
    case 8:
        for (unsigned i = 0; i < NUM_ROW; i++)
            byte[i] = (uint8_t)v[i];
        memcpy(to, byte, sizeof byte);
        break;
    case 4: num_store_small(4, v, to); break;
    case 2: num_store_small(2, v, to); break;
    default: break;
    }
}

unsigned num_to_l1_store(unsigned out, const uint32_t v[NUM_ROW], unsigned n, uint8_t *to,
                         unsigned at)
{
    unsigned bits = num_formats[out & 15].bits;
    if (n == NUM_ROW && !(at & 7)) {
        num_store_row(bits, v, to + at / 8);
    } else if (bits >= 8) {
        unsigned size = bits / 8;
        to += at / 8;
        for (unsigned i = 0; i < n; i++)
            for (unsigned k = 0; k < size; k++)
                to[size * i + k] = (uint8_t)(v[i] >> (8 * k));
    } else {
        for (unsigned i = 0; i < n; i++) {
            unsigned bit = at + bits * i;
            to[bit / 8] = (uint8_t)(to[bit / 8] | v[i] << (bit & 7));
        }
    }
    return bits * n;
}

/* ---- L1 accumulation ---- */

/* Denormals become zeros with their sign. */
static inline uint32_t num_word_signed_zero(uint32_t x)
{
    return x & 0x7f800000 ? x : x & 0x80000000;
}

uint32_t num_to_l1_add_fp32(uint32_t old, uint32_t datum)
{
    float sum = num_float(num_word_signed_zero(old)) + num_float(num_word_signed_zero(datum));
    uint32_t x = num_float_bits(sum);
    return (x & 0x7fffffff) > 0x7f800000 ? 0x7fc00000 : num_word_signed_zero(x);
}

/* A double from the pieces of a binary fraction: sign in bit 15, exponent with bias 1023, 7 bits. */
static double num_double(uint32_t sign, uint64_t exponent, uint64_t fraction)
{
    uint64_t x = (uint64_t)(sign & 0x8000) << 48 | exponent << 52 | fraction << 45;
    double d;
    memcpy(&d, &x, sizeof d);
    return d;
}

/* Exact value; nan: the exponent with which a NaN counts as a number. */
static double num_bf16_value(uint32_t x, uint64_t nan)
{
    uint64_t e = x >> 7 & 0xff, m = x & 0x7f;
    if (!e)
        return num_double(x, 0, 0);
    if (e == 0xff)
        return num_double(x, m ? nan : 0x7ff, m);
    return num_double(x, e + 1023 - 127, m);
}

uint16_t num_to_l1_add_bf16(uint16_t old, uint16_t datum)
{
    if ((old ^ datum) == 0x8000 && (old & 0x7fff) == 0x7f80)
        return 0x7fc0;
    double sum = num_bf16_value(old, 0x7fe) + num_bf16_value(datum, 255 + 1023 - 127);
    uint64_t x;
    memcpy(&x, &sum, sizeof x);
    uint32_t s = (uint32_t)(x >> 48) & 0x8000;
    int e = (int)(x >> 52 & 0x7ff) - 1023 + 127;
    uint64_t m = x & ((UINT64_C(1) << 52) - 1);
    if (e <= 0)
        return (uint16_t)s;
    if (e >= 255)
        return (uint16_t)(s | 0x7f80);
    m = (m + (UINT64_C(1) << 44) - 1 + (m >> 45 & 1)) >> 45;
    return (uint16_t)(s | (((uint32_t)e << 7) + (uint32_t)m));
}

uint16_t num_to_l1_add_fp16(uint16_t old, uint16_t datum)
{
    uint32_t a = old & 0x7c00 ? num_fp16_to_word(old) : (old & 0x8000u) << 16;
    uint32_t b = datum & 0x7c00 ? num_fp16_to_word(datum) : (datum & 0x8000u) << 16;
    uint32_t x = num_float_bits(num_float(a) + num_float(b));
    uint32_t s = x >> 16 & 0x8000, m = x & 0x7fffff;
    int e = (int)(x >> 23 & 0xff) - 112;
    if (!(x & 0x7fffffff)) /* large numbers that cancel out overflow */
        return (uint16_t)(s | ((old >> 10 & 31) >= 30 ? 0x7fff : 0));
    if (e <= 0) /* and so does underflow */
        return (uint16_t)(s | (e < 0 ? 0x7fff : 0));
    x = ((uint32_t)e << 10) + ((m + 0xfff + (m >> 13 & 1)) >> 13);
    return (uint16_t)(s | (x < 0x8000 ? x : 0x7fff));
}

uint32_t num_to_l1_add_int32(uint32_t old, uint32_t datum)
{
    int64_t a = old & 0x7fffffff, b = datum & 0x7fffffff;
    int64_t sum = (old >> 31 ? -a : a) + (datum >> 31 ? -b : b);
    int64_t m = sum < 0 ? -sum : sum;
    return (uint32_t)(sum < 0) << 31 | (uint32_t)(m > 0x7fffffff ? 0x7fffffff : m);
}

bool num_to_l1_adds(unsigned out)
{
    return out == NUM_FP32 || out == NUM_BF16 || out == NUM_FP16 || out == NUM_INT32;
}

/* Neither infinite nor NaN, so that the sum in FP32 is exact or as good as exact: BF16 has 8 bits of 24. */
static inline uint32_t num_add_bf16_finite(uint32_t old, uint32_t datum)
{
    float sum =
        num_float(num_word_signed_zero(old << 16)) + num_float(num_word_signed_zero(datum << 16));
    uint32_t x = num_word_signed_zero(num_float_bits(sum));
    return (x + 0x7fff + (x >> 16 & 1)) >> 16;
}

static void num_add_row_bf16(uint16_t *restrict old, const uint16_t *restrict datums)
{
    unsigned special = 0;
    uint16_t sum[NUM_ROW];
    for (unsigned i = 0; i < NUM_ROW; i++)
        special |= (unsigned)((old[i] & 0x7f80) == 0x7f80) | ((datums[i] & 0x7f80) == 0x7f80);
    for (unsigned i = 0; i < NUM_ROW; i++)
        sum[i] = (uint16_t)num_add_bf16_finite(old[i], datums[i]);
    for (unsigned i = 0; special && i < NUM_ROW; i++)
        sum[i] = num_to_l1_add_bf16(old[i], datums[i]);
    memcpy(old, sum, sizeof sum);
}

static void num_add_row_fp16(uint16_t *restrict old, const uint16_t *restrict datums)
{
    for (unsigned i = 0; i < NUM_ROW; i++)
        old[i] = num_to_l1_add_fp16(old[i], datums[i]);
}

static void num_add_row_word(unsigned out, uint32_t *restrict old, const uint32_t *restrict datums)
{
    if (out == NUM_FP32)
        for (unsigned i = 0; i < NUM_ROW; i++)
            old[i] = num_to_l1_add_fp32(old[i], datums[i]);
    else
        for (unsigned i = 0; i < NUM_ROW; i++)
            old[i] = num_to_l1_add_int32(old[i], datums[i]);
}

/* Sixteen datums, or what is left of them, at a time. */
void num_to_l1_add(unsigned out, uint8_t *old, const uint8_t *datums, unsigned n)
{
    unsigned size = num_formats[out & 15].bits / 8;
    for (unsigned i = 0; i < n; i += size * NUM_ROW) {
        uint32_t a[NUM_ROW] = {0}, b[NUM_ROW] = {0};
        uint16_t c[NUM_ROW] = {0}, d[NUM_ROW] = {0};
        unsigned k = n - i < size * NUM_ROW ? n - i : size * NUM_ROW;
        if (size == 4) {
            memcpy(a, old + i, k);
            memcpy(b, datums + i, k);
            num_add_row_word(out, a, b);
            memcpy(old + i, a, k);
        } else if (size == 2) {
            memcpy(c, old + i, k);
            memcpy(d, datums + i, k);
            if (out == NUM_BF16)
                num_add_row_bf16(c, d);
            else
                num_add_row_fp16(c, d);
            memcpy(old + i, c, k);
        } else {
            return; /* num_to_l1_adds() says no */
        }
    }
}
