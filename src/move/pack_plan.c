/*
 * pack_plan.c - configuration sampling and address generation of the packer; see pack_plan.h.
 *
 * ISA pages: PACR (Blackhole), Packers/InputAddressGenerator, OutputAddressGenerator, EdgeMasking,
 * Downsampling (Wormhole).
 *
 * Invariant: whatever the configuration says, rows are below DST_ROWS, and column plus datums at most 16.
 *
 * Inaccuracies: all configuration is sampled when the instruction goes. cfg_context picks the output address only
 * (tt-llk#61, INFERRED); ctxt_ctrl, row_pad_zero, Downsample_rate, pack_start_intf_pos, Dis_shared_exp_assembler,
 * Enable_out_fifo and compression are not carried out. Z of
 * INT_DESCALE mode 1 is taken from the address counters (the page says "some value").
 */
#include "move/pack_plan.h"

#include <string.h>

#include "base/hot.h"
#include "isa/cfg.h"
#include "isa/tensix.h"
#include "isa/timing.h"
#include "state/dst.h"

/* Whose address counters an instruction uses. */
HOT_INLINE unsigned pack_plan_adc(unsigned thread, uint32_t word)
{
    struct tensix_PACR i = tensix_PACR_decode(word);
    if (!i.ovrd_thread_id)
        return thread;
    return i.addr_cnt_context < 3 ? i.addr_cnt_context : 0;
}

static const uint32_t *pack_plan_config(const struct config *c, unsigned thread)
{
    return c->word[config_state_id(c, thread)];
}

/* ---- input ---- */

/* Byte address as channel 0 counts it, but for Y and Z. */
HOT_INLINE uint32_t pack_plan_base(const uint32_t *w, const struct adc_counter n[4])
{
    return cfg_get(w, CFG_PCK0_BASE_0) + n[ADC_X].v * (cfg_get(w, CFG_PCK0_CH0_XSTRIDE) & 15) +
           n[ADC_W].v * cfg_get(w, CFG_PCK0_CH0_WSTRIDE);
}

static uint32_t pack_plan_input(const uint32_t *w, const struct adc_counter n[4])
{
    return pack_plan_base(w, n) + n[ADC_Y].v * cfg_get(w, CFG_PCK0_CH0_YSTRIDE) +
           n[ADC_Z].v * cfg_get(w, CFG_PCK0_CH0_ZSTRIDE);
}

/* Index of the first datum in Dst: row * 16 + column. */
static uint32_t pack_plan_index(const uint32_t *w, const struct adc_counter n[4])
{
    uint32_t bytes = num_format_address_bytes(cfg_get(w, CFG_PCK_IN_DATA_FORMAT));
    uint32_t fine = 16 / bytes - 1; /* what X alone can address */
    uint32_t index = (pack_plan_input(w, n) / bytes & ~fine) + (n[ADC_X].v & fine);
    return (index + (cfg_get(w, CFG_PCK_DEST_OFFSET) << 4)) & 0x3fff;
}

/* Read interfaces, as a mask. The last PACR of a plane can be told to stop at its end. */
static unsigned pack_plan_mask(const uint32_t *w, const struct tensix_PACR *i,
                               struct pack_position at)
{
    unsigned mask = i->read_intf_sel ? i->read_intf_sel : 15;
    unsigned rows = cfg_get(w, CFG_PCK_READS_PER_XY_PLANE);
    if (cfg_get(w, CFG_PCK_AUTO_SET_LAST_INTF_SEL) && rows > at.row && rows - at.row < 4)
        mask = (1u << (rows - at.row)) - 1;
    return mask;
}

static void pack_plan_pick(const uint32_t *w, const struct adc_counter n[4],
                           const struct tensix_PACR *i, struct pack_position at,
                           struct pack_rows *r)
{
    uint32_t index = pack_plan_index(w, n), access = w[cfg_word(CFG_DEST_SWIZZLE_32B)];
    unsigned start = index >> 4, mask = pack_plan_mask(w, i, at), k = 0;
    r->first = index & 15;
    r->wide = cfg_get(w, CFG_PCK_READ_32B);
    r->strange = !i->dst_access_mode && mask << (start & 3) > 15;
    for (unsigned b = 0; b < PACK_INTERFACES; b++) {
        if (!(mask >> b & 1))
            continue;
        unsigned row = start + (i->dst_access_mode ? 16 * k : b);
        r->row[k++] = (uint16_t)(r->wide ? dst_row32(row, access) : dst_row16(row, access));
    }
    r->n = (uint8_t)k;
    r->run = k == PACK_INTERFACES && !(r->row[0] & 3);
    for (unsigned b = 1; b < PACK_INTERFACES; b++)
        r->run &= r->row[b] == r->row[0] + b;
}

void pack_plan_rows(const struct config *c, const struct adc *a, unsigned thread, uint32_t word,
                    struct pack_position at, struct pack_rows *rows)
{
    struct tensix_PACR i = tensix_PACR_decode(word);
    pack_plan_pick(
        pack_plan_config(c, thread), a->c[pack_plan_adc(thread, word)][ADC_PACK][0], &i, at, rows);
}

/* ---- conversions ---- */

static uint8_t pack_plan_shift(const uint32_t *w, uint32_t z)
{
    if (!cfg_get(w, CFG_INT_DESCALE_ENABLE))
        return 0;
    if (!cfg_get(w, CFG_INT_DESCALE_MODE))
        return cfg_get(w, CFG_INT_DESCALE_VALUES) & 31;
    z &= 63;
    return cfg_get_at(w, CFG_INT_DESCALE_VALUES, z >> 2, 0) >> ((z & 3) * 8) & 31;
}

/* Chooses the way; false: not in the tables. */
static bool pack_plan_choose(const uint32_t *w, uint32_t z, struct num_to_l1 *way)
{
    bool override = cfg_get(w, CFG_DSTACC_FMT_OVERRIDE);
    struct num_to_l1_config c = {
        .read32 = cfg_get(w, CFG_PCK_READ_32B),
        .raw = cfg_get(w, CFG_PCK_READ_RAW),
        .unsigned8 = cfg_get(w, CFG_PCK_READ_UNSIGNED),
        .round10 = cfg_get(w, CFG_PCK_ROUND_10B_MANT),
        .intermediate =
            (uint8_t)(override ? cfg_get(w, CFG_DSTACC_FMT_VAL) : cfg_get(w, CFG_DSTACC_FMT)),
        .in = (uint8_t)cfg_get(w, CFG_PCK_IN_DATA_FORMAT),
        .out = (uint8_t)cfg_get(w, CFG_PCK_OUT_DATA_FORMAT),
        .e4m3 = cfg_get(w, CFG_PCK_LF8_4B_EXP),
        .relu = cfg_get(w, CFG_APPLY_RELU) & 3,
        .relu_threshold = (uint16_t)cfg_get(w, CFG_RELU_THRESHOLD),
        .shift = pack_plan_shift(w, z),
        .exponent_on = cfg_get(w, CFG_PCK_EXP_THRESHOLD_EN),
        .exponent = (uint8_t)cfg_get(w, CFG_PCK_EXP_THRESHOLD),
        .round_early = cfg_get(w, CFG_GASKET_SRND_EN),
        .round_late = cfg_get(w, CFG_PACKER_SRND_EN),
    };
    return num_to_l1_choose(way, &c);
}

/* Words that decide it, other than those of INT_DESCALE. */
static bool pack_plan_way(const uint32_t *w, uint32_t z, struct pack_memo *memo)
{
    const uint32_t key[6] = {w[cfg_word(CFG_DSTACC_FMT_VAL)],
                             w[cfg_word(CFG_DSTACC_FMT)],
                             w[cfg_word(CFG_APPLY_RELU)],
                             w[cfg_word(CFG_PCK_READ_32B)],
                             w[cfg_word(CFG_PCK_OUT_DATA_FORMAT)],
                             w[cfg_word(CFG_PCK_EXP_THRESHOLD)]};
    if (memo->valid && !cfg_get(w, CFG_INT_DESCALE_ENABLE) && !memcmp(key, memo->key, sizeof key))
        return memo->listed;
    memcpy(memo->key, key, sizeof key);
    memo->valid = !cfg_get(w, CFG_INT_DESCALE_ENABLE);
    memo->listed = pack_plan_choose(w, z, &memo->way);
    return memo->listed;
}

/* Datums per interface, within the row. */
static void pack_plan_range(const struct adc_counter n[2][4], bool flush, struct pack_plan *p)
{
    uint32_t count = (n[1][ADC_X].v - n[0][ADC_X].v + 1) & 0x3ffff, room = 16u - p->rows.first;
    if (count == 0 || count > room)
        p->odd |= PACK_ODD_RANGE;
    p->datums = (uint8_t)(flush ? 0 : (count > room ? room : count));
}

/* Datums from L1 are what In_data_format says; there is no early conversion. */
static void pack_plan_source(const uint32_t *w, const struct adc_counter n[4], struct pack_plan *p)
{
    static const uint8_t carriers[N_NUM_FORMATS] = {[NUM_FP32] = NUM_CARRY_WORD,
                                                    [NUM_TF32] = NUM_CARRY_WORD,
                                                    [NUM_INT32] = NUM_CARRY_WORD,
                                                    [NUM_BF16] = NUM_CARRY_BF16,
                                                    [NUM_BFP8] = NUM_CARRY_BF16,
                                                    [NUM_BFP4] = NUM_CARRY_BF16,
                                                    [NUM_BFP2] = NUM_CARRY_BF16,
                                                    [NUM_INT16] = NUM_CARRY_INT16,
                                                    [13] = NUM_CARRY_INT16,
                                                    [NUM_FP16] = NUM_CARRY_FP16,
                                                    [NUM_FP8] = NUM_CARRY_FP16,
                                                    [NUM_BFP8A] = NUM_CARRY_FP16,
                                                    [NUM_BFP4A] = NUM_CARRY_FP16,
                                                    [NUM_BFP2A] = NUM_CARRY_FP16,
                                                    [NUM_INT8] = NUM_CARRY_INT8};
    unsigned in = cfg_get(w, CFG_PCK_IN_DATA_FORMAT);
    uint32_t bytes = num_format_address_bytes(in), at = pack_plan_input(w, n) & 0x3fff0;
    p->source_bytes = (uint8_t)bytes;
    p->source = (cfg_get(w, CFG_PCK_L1_SOURCE_ADDR) << 18) + at;
    p->source = (p->source + bytes * (n[ADC_X].v & (16 / bytes - 1))) & 0x1fffff;
    p->rows.first = 0;
    p->way.late = carriers[in];
    p->way.early = in == NUM_FP8    ? NUM_EARLY_E5M2
                   : in == NUM_FP16 ? NUM_EARLY_SAME
                                    : NUM_EARLY_E5M7;
    p->odd &= (uint8_t)~PACK_ODD_FORMAT;
}

/* ---- edge masks ---- */

/* Sets the masks; false if they keep nothing. */
static bool pack_plan_edges(const uint32_t *w, struct pack_position at, struct pack_plan *p)
{
    bool swapped = cfg_get(w, CFG_PCK_YZ_TRANSPOSED);
    unsigned any = 0;
    const uint32_t *m = w + cfg_word(CFG_PCK_EDGE_MASK);
    p->minus_infinity = cfg_get(w, CFG_PCK_EDGE_MODE);
    if ((m[0] & m[1] & m[2] & m[3] & 0xffff) == 0xffff) {
        memset(p->keep, 0xff, sizeof p->keep);
        return true;
    }
    for (unsigned k = 0; k < p->rows.n; k++) {
        unsigned row = at.row + k, y = swapped ? at.plane : row, z = swapped ? row : at.plane;
        unsigned set = cfg_get(w, CFG_PCK_ROW_SET_SELECT) & 3;
        if (cfg_get(w, CFG_PCK_FACE_SET_ENABLE)) {
            z = (z + cfg_get(w, CFG_PCK_DEST_Z_OFFSET)) & 15;
            set = cfg_get_at(
                      w, CFG_PCK_FACE_SET_MAPPING, cfg_get(w, CFG_PCK_FACE_SET_SELECT) & 3, 0) >>
                      (2 * z) &
                  3;
        }
        unsigned which = cfg_get_at(w, CFG_PCK_ROW_SET_MAPPING, set, 0) >> (2 * (y & 15)) & 3;
        p->keep[k] = (uint16_t)cfg_get_at(w, CFG_PCK_EDGE_MASK, which, 0);
        any |= p->keep[k];
    }
    return any != 0;
}

/* Where the packer stands after it. plane: rows of a plane. */
HOT_INLINE struct pack_position pack_plan_move(uint32_t plane, struct pack_position at,
                                               const struct pack_plan *p)
{
    if (p->last)
        return (struct pack_position){0};
    at.open = true;
    if (!p->datums)
        return at;
    at.row = (uint8_t)(at.row + p->rows.n);
    if (at.row == plane) {
        at.row = 0;
        at.plane++;
    }
    return at;
}

/* ---- output ---- */

COLD static void pack_plan_output(const uint32_t *w, const struct adc_counter n[4],
                                  unsigned context, unsigned more, struct pack_plan *p)
{
    static const uint8_t words[4] = {0, 28, 48, 76}; /* THCON_SEC0_REG1, REG8, SEC1_REG1, REG8 */
    uint32_t offset = cfg_get(w, CFG_PCK0_BASE_1) + n[ADC_Y].v * cfg_get(w, CFG_PCK0_CH1_YSTRIDE) +
                      n[ADC_Z].v * cfg_get(w, CFG_PCK0_CH1_ZSTRIDE) +
                      n[ADC_W].v * cfg_get(w, CFG_PCK0_CH1_WSTRIDE);
    uint32_t at = cfg_get_at(w, CFG_PCK_L1_DEST_ADDR, words[context & 3], 0) +
                  !cfg_get(w, CFG_PCK_SUB_L1_TILE_HEADER_SIZE) + (offset >> 4);
    if (cfg_get(w, CFG_PCK_ADD_L1_DEST_ADDR_OFFSET))
        at += more;
    if (at > 2 * cfg_get(w, CFG_PCK_LIMIT_ADDRESS) + 1)
        at -= 2 * cfg_get(w, CFG_PCK_FIFO_SIZE);
    p->exponents = (at & 0x1ffff) << 4;
    if (p->way.out & 2) /* all formats of less than 16 bits, also those without exponents */
        at += cfg_get(w, CFG_PCK_EXP_SECTION_SIZE);
    p->data = (at & 0x1ffff) << 4;
}

/* ---- all of it ---- */

/* Cycles in which the interfaces deliver: each moves so many bytes per cycle. */
static uint16_t pack_plan_cycles(const uint32_t *w, const struct pack_memo *memo)
{
    const struct pack_plan *p = &memo->plan;
    unsigned in = 8 * num_format_address_bytes(cfg_get(w, CFG_PCK_IN_DATA_FORMAT));
    unsigned out = num_formats[p->way.out].bits, bits = (in > out ? in : out) * p->datums;
    unsigned cycles = (bits + 8u * memo->rate - 1) / (8u * memo->rate);
    return (uint16_t)(cycles > memo->least ? cycles : memo->least);
}

/* Which of the ways in one pass it is. */
static enum pack_fast pack_plan_fast(const struct pack_plan *p)
{
    const struct num_to_l1 *way = &p->way;
    unsigned keep = 0xffff;
    for (unsigned k = 0; k < p->rows.n; k++)
        keep &= p->keep[k];
    if (p->zero | p->from_l1 | p->minus_infinity | way->exponent_on | way->round_early ||
        way->narrow || way->relu || p->datums != NUM_ROW || keep != 0xffff || p->sample != 0xffff)
        return PACK_SLOW;
    if (way->early == NUM_EARLY_BF16_CLEAN && way->out == NUM_BF16)
        return PACK_BF16;
    if (way->early == NUM_EARLY_BF16_CLEAN && way->out == NUM_BFP8 && !way->round_late)
        return PACK_BFP8;
    if (way->read != NUM_READ_WORD)
        return PACK_SLOW;
    if (way->early == NUM_EARLY_SAME && way->out == NUM_BFP8 && !way->round_late && !way->integer)
        return PACK_WORD_BFP8;
    if (way->early == NUM_EARLY_SAME && (way->out == NUM_FP32 || way->out == NUM_INT32))
        return PACK_WORD;
    return way->early == NUM_EARLY_BF16 && way->out == NUM_BF16 ? PACK_WORD_BF16 : PACK_SLOW;
}

/* Everything but where the output goes. */
static void pack_plan_all(const uint32_t *w, const struct adc_counter n[2][4],
                          const struct tensix_PACR *i, struct pack_position at,
                          struct pack_memo *memo)
{
    struct pack_plan *p = &memo->plan;
    uint32_t sample = cfg_get(w, CFG_PCK_DOWNSAMPLE_MASK);
    p->odd = 0;
    pack_plan_pick(w, n[0], i, at, &p->rows);
    if (p->rows.strange)
        p->odd |= PACK_ODD_ROWS;
    if (!pack_plan_way(w, n[0][ADC_Z].v, memo))
        p->odd |= PACK_ODD_FORMAT;
    p->way = memo->way;
    if (p->way.relu > NUM_RELU_ZERO && cfg_get(w, CFG_RELU_THRESHOLD) & 0x8000)
        p->odd |= PACK_ODD_RELU;
    if (!cfg_get(w, CFG_PCK_DISABLE_ZERO_COMPRESS) ||
        cfg_get(w, CFG_PCK_DIS_SHARED_EXP_ASSEMBLER) || i->row_pad_zero)
        p->odd |= PACK_ODD_COMPRESS;
    p->zero = i->zero_write;
    p->from_l1 = cfg_get(w, CFG_PCK_SOURCE_INTERFACE) && !p->zero;
    if (p->from_l1)
        pack_plan_source(w, n[0], p);
    pack_plan_range(n, i->flush, p);
    p->last = i->last || i->flush;
    p->blocks = num_formats[p->way.out].kind == NUM_BLOCK;
    p->sample = (uint16_t)(sample ? sample : 0xffff);
    p->add = cfg_get(w, CFG_PCK_L1_ACC) && num_to_l1_adds(p->way.out);
    if (cfg_get(w, CFG_PCK_L1_ACC) && !p->add)
        p->odd |= PACK_ODD_ADD;
    if (!pack_plan_edges(w, at, p)) /* no datum that is converted */
        p->odd &= (uint8_t)~PACK_ODD_FORMAT;
    p->cycles = pack_plan_cycles(w, memo);
    p->fast = (uint8_t)pack_plan_fast(p);
    p->bytes = (uint16_t)(p->rows.n * NUM_ROW * num_formats[p->way.out].bits / 8);
    p->quick = p->fast != PACK_SLOW && !p->blocks && !p->odd && p->rows.run && !p->way.round_late;
}

/* ---- the same again ---- */

/* What differs from the instruction before in ways that a usual plan allows for: Last, addr_mode, cfg_context. */
#define PACK_FREE_BITS (UINT32_C(1) | UINT32_C(3) << 15 | UINT32_C(3) << 21)

/* The words that a usual plan depends on, in two groups and what is left; strides, offsets and bases are looked at
   again. */
enum { PACK_FORMATS = 0, PACK_READ = 18 };

_Static_assert(CFG_DSTACC_FMT_VAL >> 16 == PACK_FORMATS && CFG_DSTACC_FMT >> 16 <= 3 &&
                   CFG_APPLY_RELU >> 16 <= 3 && CFG_GASKET_SRND_EN >> 16 <= 3,
               "first group");
_Static_assert(CFG_PCK_READ_32B >> 16 == PACK_READ && CFG_PCK_FACE_SET_ENABLE >> 16 == 19 &&
                   CFG_PCK_ROW_SET_MAPPING >> 16 == 20 && CFG_PCK_EDGE_MASK >> 16 == 24,
               "second group");
_Static_assert(CFG_PCK_OUT_DATA_FORMAT >> 16 == 70 && CFG_PCK_EXP_THRESHOLD >> 16 == 71, "a pair");

/* Two words. */
HOT_INLINE uint64_t pack_plan_pair(const uint32_t *w)
{
    uint64_t pair;
    memcpy(&pair, w, sizeof pair);
    return pair;
}

HOT_INLINE uint64_t pack_plan_differs(const uint32_t *w, const struct pack_memo *m)
{
    const uint32_t *r = w + PACK_READ, *o = w + cfg_word(CFG_PCK_OUT_DATA_FORMAT);
    return (w[cfg_word(CFG_INT_DESCALE_ENABLE)] ^ m->descale) |
           (pack_plan_pair(w) ^ pack_plan_pair(m->formats)) |
           (pack_plan_pair(w + 2) ^ pack_plan_pair(m->formats + 2)) |
           (pack_plan_pair(r) ^ pack_plan_pair(m->read)) |
           (pack_plan_pair(r + 2) ^ pack_plan_pair(m->read + 2)) |
           (pack_plan_pair(r + 4) ^ pack_plan_pair(m->read + 4)) |
           (pack_plan_pair(r + 6) ^ pack_plan_pair(m->read + 6)) |
           (pack_plan_pair(r + 8) ^ pack_plan_pair(m->read + 8)) |
           (pack_plan_pair(o) ^ pack_plan_pair(m->output));
}

/* No edge mask takes anything away, wherever the packer stands. */
static bool pack_plan_keeps_all(const uint32_t *w)
{
    const uint32_t *m = w + cfg_word(CFG_PCK_EDGE_MASK);
    unsigned set = cfg_get(w, CFG_PCK_ROW_SET_SELECT) & 3;
    if ((m[0] & m[1] & m[2] & m[3] & 0xffff) == 0xffff)
        return true;
    return (m[0] & 0xffff) == 0xffff && !cfg_get(w, CFG_PCK_FACE_SET_ENABLE) &&
           !cfg_get_at(w, CFG_PCK_ROW_SET_MAPPING, set, 0);
}

/* Remembers whether the plan can be used again. */
static void pack_plan_remember(const uint32_t *w, const struct tensix_PACR *i, uint32_t word,
                               struct pack_memo *m)
{
    const struct pack_plan *p = &m->plan;
    bool usual = p->rows.run && p->rows.first == 0 && p->datums == NUM_ROW && !p->from_l1 &&
                 !(p->odd & (PACK_ODD_ROWS | PACK_ODD_RANGE)) && !i->flush && !i->dst_access_mode &&
                 pack_plan_keeps_all(w) && !cfg_get(w, CFG_INT_DESCALE_ENABLE) &&
                 !cfg_get(w, CFG_PCK_AUTO_SET_LAST_INTF_SEL);
    m->word = usual ? word : ~word; /* which is no PACR */
    if (!usual)
        return;
    m->coarse = ~(uint32_t)(16 / num_format_address_bytes(cfg_get(w, CFG_PCK_IN_DATA_FORMAT)) - 1);
    m->shift = (uint8_t)(num_format_address_bytes(cfg_get(w, CFG_PCK_IN_DATA_FORMAT)) >>
                         1); /* of 1, 2, 4 */
    m->descale = w[cfg_word(CFG_INT_DESCALE_ENABLE)];
    m->output[0] = w[cfg_word(CFG_PCK_OUT_DATA_FORMAT)];
    m->output[1] = w[cfg_word(CFG_PCK_EXP_THRESHOLD)];
    memcpy(m->formats, w + PACK_FORMATS, sizeof m->formats);
    memcpy(m->read, w + PACK_READ, sizeof m->read);
}

/* A plan from nothing. */
COLD static void pack_plan_anew(const uint32_t *w, const struct adc_counter n[2][4], uint32_t word,
                                struct pack_position at, struct pack_memo *memo)
{
    struct tensix_PACR i = tensix_PACR_decode(word);
    pack_plan_all(w, n, &i, at, memo);
    pack_plan_remember(w, &i, word, memo);
}

/* How the first row of a PACR like the last one follows from Y and Z, as long as nothing else changes. */
struct pack_walk {
    uint32_t base, y, z; /* byte address as channel 0 counts it */
    uint32_t coarse;
    uint32_t offset; /* datums */
    uint32_t access; /* DEST_ACCESS_CFG */
    uint8_t shift;
    bool wide;
};

HOT_INLINE struct pack_walk pack_plan_walk(const uint32_t *w, const struct adc_counter n[4],
                                           const struct pack_memo *memo)
{
    return (struct pack_walk){.base = pack_plan_base(w, n),
                              .y = cfg_get(w, CFG_PCK0_CH0_YSTRIDE),
                              .z = cfg_get(w, CFG_PCK0_CH0_ZSTRIDE),
                              .coarse = memo->coarse,
                              .offset = (n[ADC_X].v & ~memo->coarse) +
                                        (cfg_get(w, CFG_PCK_DEST_OFFSET) << 4),
                              .access = w[cfg_word(CFG_DEST_SWIZZLE_32B)],
                              .shift = memo->shift,
                              .wide = memo->plan.rows.wide};
}

/* The physical row; DST_ROWS: rows are not whole, or no run. */
HOT_INLINE unsigned pack_plan_row(const struct pack_walk *s, const struct adc_counter n[4])
{
    uint32_t bytes = s->base + n[ADC_Y].v * s->y + n[ADC_Z].v * s->z;
    uint32_t index = (bytes >> s->shift & s->coarse) + s->offset;
    unsigned start = index >> 4 & 0x3ff;
    if (index & (PACK_INTERFACES * NUM_ROW - 1))
        return DST_ROWS;
    /* no mapping touches the low two bits */
    return s->wide ? dst_row32(start, s->access) : dst_row16(start, s->access);
}

/* Finds the rows of a PACR like the last one; false: it is different after all. */
HOT_INLINE bool pack_plan_again(const uint32_t *w, const struct adc_counter n[2][4], uint32_t word,
                                struct pack_memo *memo)
{
    uint64_t differs = ((word ^ memo->word) & ~PACK_FREE_BITS) | pack_plan_differs(w, memo);
    differs |= (n[1][ADC_X].v - n[0][ADC_X].v + 1 - NUM_ROW) & 0x3ffff;
    if (differs)
        return false;
    struct pack_walk walk = pack_plan_walk(w, n[0], memo);
    unsigned row = pack_plan_row(&walk, n[0]);
    if (row == DST_ROWS)
        return false;
    memo->plan.rows.row[0] = (uint16_t)row;
    memo->plan.last = word & 1;
    return true;
}

/* ---- counters ---- */

/* Y of one channel: increment, carriage return, clear; and Z: increment, clear. */
HOT_INLINE void pack_plan_count(struct adc_counter n[4], uint32_t mod, uint32_t z)
{
    uint32_t y = mod & 15;
    if (mod & 32)
        n[ADC_Y] = (struct adc_counter){0};
    else if (mod & 16)
        n[ADC_Y].v = n[ADC_Y].cr = adc_cut(ADC_Y, n[ADC_Y].cr + y);
    else if (y)
        n[ADC_Y].v = adc_cut(ADC_Y, n[ADC_Y].v + y);
    if (z & 2)
        n[ADC_Z] = (struct adc_counter){0};
    else if (z & 1)
        n[ADC_Z].v = adc_cut(ADC_Z, n[ADC_Z].v + 1);
}

/* Moves the address counters as ADDR_MOD_PACK says. */
HOT_INLINE void pack_plan_advance(const uint16_t *thcfg, struct adc_counter n[2][4], uint32_t word)
{
    uint32_t mod =
        cfg_thread_get_at(thcfg, THCFG_ADDR_MOD_PACK, tensix_PACR_decode(word).addr_mode & 3, 0);
    pack_plan_count(n[0], mod, mod >> 12);
    if (mod & 0xcfc0)
        pack_plan_count(n[1], mod >> 6, mod >> 14);
}

const struct pack_plan *pack_plan_make(const struct config *c, struct adc *a, unsigned thread,
                                       uint32_t word, unsigned offset, struct pack_position *at,
                                       struct pack_memo *memo)
{
    const uint16_t *thcfg = c->thread[thread];
    const uint32_t *w = c->word[thcfg[THCONFIG_STATE_ID] & 1];
    struct adc_counter(*n)[4] = a->c[pack_plan_adc(thread, word)][ADC_PACK];
    const struct adc_counter(*now)[4] = (const struct adc_counter(*)[4])n;
    if (!pack_plan_again(w, now, word, memo))
        pack_plan_anew(w, now, word, *at, memo);
    if (!at->open)
        pack_plan_output(w, n[1], tensix_PACR_decode(word).cfg_context, offset, &memo->plan);
    *at = pack_plan_move(cfg_get(w, CFG_PCK_READS_PER_XY_PLANE), *at, &memo->plan);
    pack_plan_advance(thcfg, n, word);
    return &memo->plan;
}

unsigned pack_plan_many(const struct config *c, struct adc *a, unsigned thread,
                        const struct entry *slot, unsigned index, unsigned left, unsigned offset,
                        struct pack_position *at, struct pack_memo *memo, uint16_t run[QUEUE_MAX])
{
    struct pack_plan *p = &memo->plan;
    uint32_t word = slot[index].word;
    const uint16_t *thcfg = c->thread[thread];
    const uint32_t *w = c->word[thcfg[THCONFIG_STATE_ID] & 1];
    struct adc_counter(*n)[4] = a->c[pack_plan_adc(thread, word)][ADC_PACK];
    if (!p->quick || !pack_plan_again(w, (const struct adc_counter(*)[4])n, word, memo))
        return 0;
    if (!at->open)
        pack_plan_output(w, n[1], tensix_PACR_decode(word).cfg_context, offset, p);
    /* Nothing else happens in between: Config stays, and X and W. */
    const struct pack_walk walk = pack_plan_walk(w, n[0], memo);
    const uint32_t plane = cfg_get(w, CFG_PCK_READS_PER_XY_PLANE), like = memo->word;
    struct pack_position stands = *at;
    unsigned row = p->rows.row[0], many = 0;
    do {
        run[many++] = (uint16_t)row;
        p->last = word & 1;
        stands = pack_plan_move(plane, stands, p);
        pack_plan_advance(thcfg, n, word);
        if (many == left || p->last)
            break;
        word = slot[(index + many) % QUEUE_MAX].word;
        row = pack_plan_row(&walk, n[0]);
    } while (!((word ^ like) & ~PACK_FREE_BITS) && row != DST_ROWS);
    *at = stands;
    return many;
}
