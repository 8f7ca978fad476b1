/*
 * unpack_plan.c - address generation of the unpackers.
 *
 * ISA pages: UNPACR (Regular, IncrementContextCounter), UNPACR_NOP (ZEROSRC, SETDVALID, Nop, SETREG,
 * OverlayClear), Unpackers/README, Unpackers/FormatConversion (Wormhole, 2026 text with Blackhole branches);
 * fields of UNPACR_NOP from the vendor's Blackhole instruction database. Rows of 32 datums on Blackhole and
 * e4m3: from the vendor's simulator.
 *
 *     Config --> context --> shape: formats, sizes, modes --+
 *     Config, ThreadConfig, ADCs --> place: addresses ------+--> plan
 *
 * Invariants: a shape is used again only with the word, context and Config words that it was made from, all of
 * which unpack_plan_same() compares. Only usual shapes are: not compressed, no row searched for, nothing to report.
 * A plan never names a bank, context or format that does not exist, whatever Config holds.
 *
 * Inaccuracies: an address is tested against the limit at each row, of 16 datums, or 32 when tilizing. srcb_bcast follows the one sentence there is. NOP_REG_CLR_VAL is taken
 * as the 19 bits of a cell, and the format of a one follows the names in the instruction database. SrcB is never
 * cleared to minus infinity, as on Wormhole. UNPACR_NOP that pops a message pops one, as the Wormhole page
 * says, whatever its count or MsgNum of ThreadConfig is; a count of 0 takes the stream of ThreadConfig.
 */
#include "move/unpack_plan.h"

#include <string.h>

#include "base/hot.h"
#include "isa/cfg.h"
#include "isa/tensix.h"
#include "isa/timing.h"
#include "num/format.h"
#include "num/layout.h"
#include "probe/probe.h"
#include "state/regwrite.h"

/* An instruction while it is being planned. */
struct unpack_job {
    struct unpack_plan *p;
    struct unpack_shape *s;
    uint16_t rate, rate_wide; /* struct unpack_shapes */
    const uint32_t *cfg;
    const uint16_t *thcfg;
    const struct adc *adc;
    const struct l1_port *l1;
    uint32_t word;
    unsigned u, thread, sec; /* sec: words from unpacker 0's THCON section to this one's */
    unsigned context, xy;    /* xy: whose X and Y counters */
    bool multi;
    struct unpack_remark remark;
};

enum { BAD_ALIGNED = 1, BAD_X, BAD_CONTEXT, BAD_TO_DST, BAD_UPSAMPLE };

static void unpack_plan_say(struct unpack_job *j, unsigned id, uint32_t arg)
{
    if (j->remark.id == N_DIAGS) /* the first one is enough */
        j->remark = (struct unpack_remark){id, arg};
}

HOT_INLINE uint32_t unpack_plan_get(const struct unpack_job *j, uint32_t field)
{
    return cfg_get_at(j->cfg, field, j->sec, 0);
}

HOT_INLINE uint32_t unpack_plan_adc(const struct unpack_job *j, unsigned thread, unsigned channel,
                                    unsigned dim)
{
    return j->adc->c[thread][ADC_UNPACK0 + j->u][channel][dim].v;
}

HOT_INLINE void unpack_plan_context(struct unpack_job *j, unsigned counter)
{
    struct tensix_UNPACR a = tensix_UNPACR_decode(j->word);
    j->multi = a.ovrd_thread_id;
    j->context = 0;
    j->xy = j->thread;
    if (!j->multi)
        return;
    unsigned base = a.auto_inc_context_id ? counter : a.cfg_context_id;
    j->context = (base + cfg_thread_get_at(j->thcfg, THCFG_UNPACK_CONTEXT_OFFSET, 0, 8 * j->u)) & 7;
    j->xy = a.addr_cnt_context_id < 3 ? a.addr_cnt_context_id : j->thread;
}

/* ---- its shape ---- */

/* Contexts 4..7 have their bit 16 above that of 0..3. */
static bool unpack_plan_context_bit(const struct unpack_job *j, uint32_t field)
{
    return cfg_get_at(j->cfg, field, j->sec, (j->context & 3) + (j->context & 4) * 4);
}

static void unpack_plan_formats(struct unpack_job *j, struct unpack_plan *p)
{
    unsigned c = j->context & 3, up = j->context & 4 ? 8 : 0;
    p->convert.in = (uint8_t)unpack_plan_get(j, CFG_UNP_IN_DATA_FORMAT);
    p->convert.out = (uint8_t)unpack_plan_get(j, CFG_UNP_OUT_DATA_FORMAT);
    if (j->multi && unpack_plan_get(j, CFG_UNP_OVRD_DATA_FORMAT)) {
        p->convert.in = (uint8_t)cfg_get_at(j->cfg, CFG_UNP_DATA_FORMAT_CNTX, j->sec + c, up);
        p->convert.out = (uint8_t)cfg_get_at(j->cfg, CFG_UNP_OUT_DATA_FORMAT_CNTX, j->sec + c, up);
    }
    p->convert.e4m3 = unpack_plan_get(j, CFG_UNP0_LF8_4B_EXP);
    p->convert.is_unsigned = cfg_get(j->cfg, j->u ? CFG_SRCB_UNSIGNED : CFG_SRCA_UNSIGNED);
    p->format = p->convert.out;
    if (j->u == 0)
        p->to_dst = j->multi ? unpack_plan_context_bit(j, CFG_UNP_IF_SEL_CNTX)
                             : unpack_plan_get(j, CFG_UNP_IF_SEL);
    p->wide = p->to_dst && (p->convert.out & 3) == 0;
    if (!from_l1_defined(p->convert.in, p->convert.out, p->to_dst))
        unpack_plan_say(j, DIAG_UNPACK_FORMAT, p->convert.in * 16u + p->convert.out);
}

/* The tile in L1: its sizes, and where its parts begin. */
static void unpack_plan_tile(struct unpack_job *j, struct unpack_plan *p)
{
    struct unpack_shape *s = j->s;
    uint32_t z_dim = unpack_plan_get(j, CFG_UNP_Z_DIM), w_dim = unpack_plan_get(j, CFG_UNP_W_DIM);
    s->bits = (uint8_t)from_l1_bits(p->convert.in);
    s->x_dim = unpack_plan_get(j, CFG_UNP_X_DIM);
    if (j->multi && j->u == 0)
        s->x_dim =
            cfg_get_at(j->cfg, CFG_UNP_TILE_X_DIM, j->context >> 1 & 1, (j->context & 1) * 16);
    s->y_dim = unpack_plan_get(j, CFG_UNP_Y_DIM);
    s->z_dim = z_dim ? z_dim : 1;
    w_dim = w_dim ? w_dim : 1;
    s->table = s->exponents = (1 + unpack_plan_get(j, CFG_UNP_DIGEST_SIZE)) * 16;
    if (p->packed) {
        uint32_t blobs = unpack_plan_get(j, CFG_UNP_BLOBS_PER_XY_PLANE);
        s->exponents += (((blobs ? blobs : s->y_dim) * s->z_dim * w_dim + 1) * 2 + 15) & ~15u;
    }
    s->data = s->exponents;
    p->forced = unpack_plan_get(j, CFG_UNP_FORCE_SHARED_EXP);
    p->exponent =
        (uint8_t)cfg_get(j->cfg, j->u ? CFG_UNP1_FORCED_SHARED_EXP : CFG_UNP0_FORCED_SHARED_EXP);
    if (num_formats[p->convert.in].kind == NUM_BLOCK && !p->forced &&
        (s->bits == 8 || !unpack_plan_get(j, CFG_UNP_NO_BFP_EXP_SECTION))) {
        uint64_t groups = ((uint64_t)s->x_dim * s->y_dim * s->z_dim * w_dim + 15) / 16;
        s->data += (uint32_t)((groups + 15) & ~UINT64_C(15));
    }
    p->limit = unpack_plan_get(j, CFG_UNP_LIMIT_ADDRESS) * 16;
    p->fifo = unpack_plan_get(j, CFG_UNP_FIFO_SIZE) * 16;
}

/* Rows of L1, tilized or one after the other. */
static void unpack_plan_rows(struct unpack_job *j, struct unpack_plan *p)
{
    unsigned bits = j->s->bits, c = j->context & 3;
    bool tilize = unpack_plan_get(j, CFG_UNP_TILEIZE_MODE);
    p->row = tilize && bits > 8 ? 32 : 16;
    p->stride = p->row * bits / 8;
    if (tilize)
        p->stride = cfg_get_at(j->cfg, CFG_UNP_SHIFT_AMOUNT, j->sec, 0) << 4 |
                    cfg_get_at(j->cfg, CFG_UNP_SHIFT_AMOUNT, j->sec, 4) << 8 |
                    cfg_get_at(j->cfg, CFG_UNP_SHIFT_AMOUNT, j->sec, 8) << 12;
    else if (j->u == 0)
        p->shift = (uint8_t)cfg_get_at(j->cfg, CFG_UNP_SHIFT_AMOUNT, j->sec, 4 * c);
    p->tilize = tilize;
    p->transpose = j->u == 0 && unpack_plan_get(j, CFG_UNP_HALOIZE_MODE);
    p->spread = (uint8_t)(1u << unpack_plan_get(j, CFG_UNP_UPSAMPLE_RATE));
    p->interleave = unpack_plan_get(j, CFG_UNP_UPSAMPLE_INTERLEAVE);
}

/* Bytes it wants per cycle. */
static unsigned unpack_plan_rate(const struct unpack_job *j, const struct unpack_plan *p)
{
    unsigned bits = j->s->bits, mode = unpack_plan_get(j, CFG_UNP_THROTTLE_MODE);
    if (!cfg_get(j->cfg, CFG_OVRD_DEFAULT_THROTTLE_MODE))
        mode = bits == 8 ? 3 : 2;
    if (p->spread == 2 && mode > 1)
        mode = 1;
    if (p->to_dst && bits == 4 && mode > 1)
        mode = 1;
    if (p->tilize)
        mode = 2;
    if (bits == 2 || p->spread > 2 || p->packed)
        mode = 0;
    return mode == 2 && bits >= 16 ? j->rate_wide : (unsigned)j->rate << mode;
}

/* Bytes of a datum for which whole rows go to Src in one pass; 0: they do not. */
static unsigned unpack_plan_pass(const struct unpack_plan *p)
{
    if (p->to_dst | p->zero | p->broadcast | p->transpose | p->tilize | p->packed || p->shift ||
        p->spread != 1)
        return 0;
    switch (p->convert.in) {
    case NUM_BF16: return 2;
    case NUM_FP32: return p->convert.out == NUM_BF16 || p->convert.out == NUM_FP16 ? 0 : 4;
    case NUM_BFP8: return p->forced || p->fifo ? 0 : 1;
    default: return 0;
    }
}

HOT_INLINE unsigned unpack_plan_exponent(unsigned u)
{
    return u ? cfg_word(CFG_UNP1_FORCED_SHARED_EXP) : cfg_word(CFG_UNP0_FORCED_SHARED_EXP);
}

/* Keeps the Config words that a shape comes from. */
static void unpack_plan_remember(const struct unpack_job *j)
{
    struct unpack_shape *s = j->s;
    const uint32_t *own = j->cfg + j->sec;
    memcpy(s->tile, own + cfg_word(CFG_UNP_IN_DATA_FORMAT), sizeof s->tile);
    memcpy(s->modes, own + cfg_word(CFG_UNP_OUT_DATA_FORMAT), sizeof s->modes);
    s->formats = own[cfg_word(CFG_UNP_DATA_FORMAT_CNTX) + (j->context & 3)];
    s->fp8 = own[cfg_word(CFG_UNP0_LF8_4B_EXP)];
    s->exponent = j->cfg[unpack_plan_exponent(j->u)];
    s->x_dims = j->cfg[cfg_word(CFG_UNP_TILE_X_DIM) + (j->context >> 1 & 1)];
    s->throttle = j->cfg[cfg_word(CFG_OVRD_DEFAULT_THROTTLE_MODE)];
    s->alu = j->cfg[cfg_word(CFG_SRCA_UNSIGNED)];
}

/* A shape from nothing. */
static void unpack_plan_shape(struct unpack_job *j)
{
    struct tensix_UNPACR a = tensix_UNPACR_decode(j->word);
    struct unpack_shape *s = j->s;
    struct unpack_plan *p = &s->plan;
    memset(s, 0, sizeof *s);
    if (j->multi && ((j->u == 1 && j->context >= 2) || a.addr_cnt_context_id == 3))
        unpack_plan_say(j, DIAG_UNPACK_SETTINGS, BAD_CONTEXT);
    p->what = UNPACK_MOVE;
    p->context = (uint8_t)j->context;
    p->gives = a.set_dat_valid;
    p->zero = a.zero_write2;
    p->broadcast = j->u == 1 && a.srcb_bcast;
    p->packed = j->multi ? !unpack_plan_context_bit(j, CFG_UNP_DISABLE_ZERO_COMPRESS)
                         : !unpack_plan_get(j, CFG_UNP_IS_UNCOMPRESSED);
    p->next_set = unpack_plan_get(j, CFG_UNP_SRC_REG_SET_UPD);
    unpack_plan_formats(j, p);
    unpack_plan_tile(j, p);
    unpack_plan_rows(j, p);
    p->rate = (uint16_t)unpack_plan_rate(j, p);
    p->pass = (uint8_t)unpack_plan_pass(p);
    s->shift = (uint8_t)(num_format_address_bytes(p->convert.out) >> 1); /* of 1, 2, 4 */
    s->context = (uint8_t)j->context;
    unpack_plan_remember(j);
}

/* Two words. */
HOT_INLINE uint64_t unpack_plan_pair(const uint32_t *w)
{
    uint64_t pair;
    memcpy(&pair, w, sizeof pair);
    return pair;
}

/* The shape that is kept is that of the instruction. */
HOT_INLINE bool unpack_plan_same(const struct unpack_job *j)
{
    const struct unpack_shape *s = j->s;
    const uint32_t *own = j->cfg + j->sec, *tile = own + cfg_word(CFG_UNP_IN_DATA_FORMAT),
                   *modes = own + cfg_word(CFG_UNP_OUT_DATA_FORMAT);
    uint64_t pairs = (unpack_plan_pair(tile) ^ unpack_plan_pair(s->tile)) |
                     (unpack_plan_pair(tile + 2) ^ unpack_plan_pair(s->tile + 2)) |
                     (unpack_plan_pair(modes) ^ unpack_plan_pair(s->modes)) |
                     (unpack_plan_pair(modes + 2) ^ unpack_plan_pair(s->modes + 2));
    uint32_t words = (j->word ^ s->word) | (j->context ^ s->context) |
                     (own[cfg_word(CFG_UNP_DATA_FORMAT_CNTX) + (j->context & 3)] ^ s->formats) |
                     (own[cfg_word(CFG_UNP0_LF8_4B_EXP)] ^ s->fp8) |
                     (j->cfg[unpack_plan_exponent(j->u)] ^ s->exponent) |
                     (j->cfg[cfg_word(CFG_UNP_TILE_X_DIM) + (j->context >> 1 & 1)] ^ s->x_dims) |
                     (j->cfg[cfg_word(CFG_OVRD_DEFAULT_THROTTLE_MODE)] ^ s->throttle) |
                     (j->cfg[cfg_word(CFG_SRCA_UNSIGNED)] ^ s->alu);
    return !(pairs | words);
}

/* ---- its place ---- */

/* Usual: neither compressed, nor is a row searched for. */
enum unpack_usual { UNPACK_UNUSUAL, UNPACK_USUAL };

/* The eight rows at which the blobs of a plane start, in units of 16 datums. */
static uint32_t unpack_plan_blobs(const struct unpack_job *j)
{
    if (j->multi && j->u == 0)
        return cfg_get_at(j->cfg, CFG_UNP0_BLOBS_Y_START, j->context >> 1 & 1, 0);
    return unpack_plan_get(j, CFG_UNP_BLOBS_Y_START_LOW) |
           unpack_plan_get(j, CFG_UNP_BLOBS_Y_START_HIGH) << 16;
}

/* X, Y and the end of X if rows are searched for. */
static void unpack_plan_search(const struct unpack_job *j, uint32_t *x, uint32_t *y, uint32_t *end)
{
    uint32_t blobs_per_plane = unpack_plan_get(j, CFG_UNP_BLOBS_PER_XY_PLANE);
    if (!blobs_per_plane) {
        *x = 0;
        --*end;
        return;
    }
    uint32_t blobs = unpack_plan_blobs(j), next = (*x & 7) + 1;
    *x = bits_get(blobs, 4 * (*y & 7), 4) << 4;
    *y = 0;
    *end = next == blobs_per_plane ? j->s->x_dim & 0x1f0 : bits_get(blobs, 4 * (next & 7), 4) << 4;
}

/* Where in the tile the datums are; returns the number of the first. */
HOT_INLINE uint32_t unpack_plan_range(struct unpack_job *j, enum unpack_usual usual)
{
    const struct unpack_shape *s = j->s;
    uint32_t x = unpack_plan_adc(j, j->xy, 0, ADC_X), y = unpack_plan_adc(j, j->xy, 0, ADC_Y);
    uint32_t end = unpack_plan_adc(j, j->xy, 1, ADC_X) + 1;
    uint32_t z = unpack_plan_adc(j, j->thread, 0, ADC_Z);
    uint32_t w = unpack_plan_adc(j, j->thread, 0, ADC_W);
    if (!usual && tensix_UNPACR_decode(j->word).row_search)
        unpack_plan_search(j, &x, &y, &end);
    if (end < x)
        unpack_plan_say(j, DIAG_UNPACK_SETTINGS, BAD_X);
    j->p->count = end < x ? 0 : end - x;
    return ((w * s->z_dim + z) * s->y_dim + y) * s->x_dim + x;
}

/* Entry i of the table of row starts. */
static uint32_t unpack_plan_row_start(const struct unpack_job *j, uint32_t table, uint32_t i)
{
    uint8_t b[2];
    l1_port_read(j->l1, table + 2 * i, b, 2);
    return b[0] | (uint32_t)b[1] << 8;
}

/* The same for compressed data: rows begin where the table says. */
static uint32_t unpack_plan_packed(struct unpack_job *j, uint32_t table)
{
    struct unpack_plan *p = j->p;
    const struct unpack_shape *s = j->s;
    bool row_search = tensix_UNPACR_decode(j->word).row_search;
    uint32_t x = unpack_plan_adc(j, j->xy, 0, ADC_X),
             y = unpack_plan_adc(j, j->xy, 0, ADC_Y) & 0xff;
    uint32_t last = unpack_plan_adc(j, j->xy, 1, ADC_X);
    uint32_t z = unpack_plan_adc(j, j->thread, 0, ADC_Z);
    uint32_t w = unpack_plan_adc(j, j->thread, 0, ADC_W);
    uint32_t blobs = unpack_plan_get(j, CFG_UNP_BLOBS_PER_XY_PLANE);
    table += 2 * (w * s->z_dim + z) * (row_search && blobs ? blobs : s->y_dim);
    uint32_t first = unpack_plan_row_start(j, table, y), end;
    p->most = UINT32_MAX;
    if (row_search) {
        end = unpack_plan_row_start(j, table, (x & 0xff) + 1);
    } else if (x == 0 && last + 1 == s->x_dim) {
        end = unpack_plan_row_start(j, table, y + 1);
    } else { /* some datums of the row; how many in L1 that takes is seen on the way */
        p->drop = x;
        p->most = last + 1 < x ? 0 : last + 1 - x;
        end = first + p->most;
    }
    if (end < first)
        unpack_plan_say(j, DIAG_UNPACK_SETTINGS, BAD_X);
    p->count = end < first ? 0 : end - first;
    return first;
}

/* Bits from the first datum of compressed data to number `first`, and where its count of zeros is. */
static uint64_t unpack_plan_packed_bit(struct unpack_job *j, uint32_t data, uint32_t first)
{
    unsigned bits = j->s->bits;
    uint32_t zeros = first / 32 * (4 * bits + 16) + 4 * bits; /* behind 32 datums: 32 counts */
    j->p->zeros = unpack_plan_wrap(j->p, data + zeros + first % 32 / 2) * 2 + first % 2;
    return (uint64_t)(first / 32) * (32 * bits + 128) + first % 32 * bits;
}

HOT_INLINE void unpack_plan_input(struct unpack_job *j, enum unpack_usual usual)
{
    struct unpack_plan *p = j->p;
    const struct unpack_shape *s = j->s;
    unsigned bits = s->bits, c = j->context;
    bool packed = !usual && p->packed;
    uint32_t base = (cfg_get_at(j->cfg, CFG_UNP_BASE_ADDRESS, j->sec + c, 0) +
                     cfg_get_at(j->cfg, CFG_UNP_OFFSET_ADDRESS, j->sec + (c & 3), 0)) *
                    16;
    uint32_t first = packed ? unpack_plan_packed(j, base + s->table) : unpack_plan_range(j, usual);
    uint64_t bit =
        packed ? unpack_plan_packed_bit(j, base + s->data, first) : (uint64_t)first * bits;
    p->address = unpack_plan_wrap(p, base + s->data + (uint32_t)(bit / 8));
    p->first = (uint8_t)(bits < 8 ? bit % 8 / bits : 0);
    p->exponents = unpack_plan_wrap(p, base + s->exponents + first / 16);
    p->phase = (uint8_t)(first % 16);
    p->steps =
        p->tilize || (p->fifo && (uint64_t)p->address + (uint64_t)p->count * bits / 8 > p->limit);
    if ((p->tilize | p->transpose) && (p->address % 16 || p->first))
        unpack_plan_say(j, DIAG_UNPACK_SETTINGS, BAD_ALIGNED);
}

HOT_INLINE uint8_t unpack_plan_row_base(const uint16_t *thcfg, unsigned u)
{
    return (uint8_t)(cfg_thread_get(thcfg, u ? THCFG_SRCB_SET_BASE : THCFG_SRCA_SET_BASE) * 16);
}

HOT_INLINE void unpack_plan_output(struct unpack_job *j)
{
    struct unpack_plan *p = j->p;
    bool b = j->u;
    uint32_t out = cfg_get(j->cfg, b ? CFG_UNP1_BASE_1 : CFG_UNP0_BASE_1) +
                   unpack_plan_adc(j, j->thread, 1, ADC_Y) *
                       cfg_get(j->cfg, b ? CFG_UNP1_CH1_YSTRIDE : CFG_UNP0_CH1_YSTRIDE) +
                   unpack_plan_adc(j, j->thread, 1, ADC_Z) *
                       cfg_get(j->cfg, b ? CFG_UNP1_CH1_ZSTRIDE : CFG_UNP0_CH1_ZSTRIDE) +
                   unpack_plan_adc(j, j->thread, 1, ADC_W) *
                       cfg_get(j->cfg, b ? CFG_UNP1_CH1_WSTRIDE : CFG_UNP0_CH1_WSTRIDE);
    out >>= j->s->shift;
    if (j->multi && j->u == 0) {
        unsigned c = j->context;
        uint32_t own = cfg_get_at(j->cfg, CFG_UNP_DEST_CNTX, c >> 1 & 1, (c & 1) * 16);
        bool adds = p->to_dst || cfg_get(j->cfg, CFG_UNP0_ADD_DEST_ADDR_CNTR);
        out = adds ? out + own : own;
    }
    p->out = out;
    p->over_row = j->u == 0 && cfg_thread_get(j->thcfg, THCFG_SRCA_SET_OVRD_WITH_ADDR);
    p->access = j->cfg[cfg_word(CFG_DEST_REMAP_ADDRS)];
    p->row_base = unpack_plan_row_base(j->thcfg, j->u);
}

/* What documents exclude, or do not describe. */
static void unpack_plan_odd(struct unpack_job *j)
{
    const struct unpack_plan *p = j->p;
    if (p->to_dst && (p->shift || p->transpose))
        unpack_plan_say(j, DIAG_UNPACK_SETTINGS, BAD_TO_DST);
    if (p->tilize && (p->spread > 1 || p->packed))
        unpack_plan_say(j, DIAG_UNPACK_SETTINGS, BAD_UPSAMPLE);
    if (p->broadcast)
        unpack_plan_say(j, DIAG_UNPACK_BROADCAST, 0);
}

HOT_INLINE struct unpack_job unpack_plan_job(struct unpack_plan *p, struct unpack_shapes *shapes,
                                             const struct config *c, const struct adc *a,
                                             const struct l1_port *l1, unsigned thread,
                                             uint32_t word, unsigned counter)
{
    struct unpack_job j = {.p = p,
                           .rate = shapes->rate,
                           .rate_wide = shapes->rate_wide,
                           .cfg = c->word[config_state_id(c, thread)],
                           .thcfg = c->thread[thread],
                           .adc = a,
                           .l1 = l1,
                           .word = word,
                           .thread = thread,
                           .remark = {N_DIAGS, 0}};
    j.u = tensix_UNPACR_decode(word).unpack_block_selection;
    j.sec = j.u * CFG_UNP_STEP;
    unpack_plan_context(&j, counter);
    j.s = &shapes->of[j.u][j.context & 1];
    HOT_KEEP(j.s);
    return j;
}

/* A plan from nothing. */
HOT_APART static struct unpack_remark unpack_plan_anew(struct unpack_plan *p,
                                                       struct unpack_shapes *shapes,
                                                       const struct config *c, const struct adc *a,
                                                       const struct l1_port *l1, unsigned thread,
                                                       uint32_t word, unsigned counter)
{
    struct unpack_job j = unpack_plan_job(p, shapes, c, a, l1, thread, word, counter);
    unpack_plan_shape(&j);
    *p = j.s->plan;
    unpack_plan_input(&j, UNPACK_UNUSUAL);
    unpack_plan_output(&j);
    unpack_plan_odd(&j);
    if (j.remark.id == N_DIAGS && !p->packed && !tensix_UNPACR_decode(word).row_search)
        j.s->word = word;
    return j.remark;
}

struct unpack_remark unpack_plan_unpacr(struct unpack_plan *p, struct unpack_shapes *shapes,
                                        const struct config *c, const struct adc *a,
                                        const struct l1_port *l1, unsigned thread, uint32_t word,
                                        unsigned counter)
{
    struct unpack_job j = unpack_plan_job(p, shapes, c, a, l1, thread, word, counter);
    if (!LIKELY(unpack_plan_same(&j)))
        return unpack_plan_anew(p, shapes, c, a, l1, thread, word, counter);
    *p = j.s->plan;
    unpack_plan_input(&j, UNPACK_USUAL);
    unpack_plan_output(&j);
    return j.remark;
}

/* What a cell is cleared to. */
static uint32_t unpack_plan_clear(const uint32_t *cfg, const struct tensix_UNPACR_NOP *a)
{
    static const uint32_t one[4] = {
        15, 127, 1 << 8 | 16, 0}; /* FP16, BF16, integer: {S, M10, E8} */
    bool b = a->unpacker_select;
    switch (a->src_clr_val_ctrl) {
    case 1: return b ? 0 : NUM_SRC_TF32;
    case 2: return layout_src_from_bits(one[a->clr_to1_fmt_ctrl]);
    case 3:
        return layout_src_from_bits(cfg_get(cfg, b ? CFG_UNP1_NOP_CLR_VAL : CFG_UNP0_NOP_CLR_VAL));
    default: return 0;
    }
}

#define NOP_OTHER_BITS 0x408ff8u /* of the form with a stream: neither it nor its count */

/* UNPACR_NOP that writes a register: of an overlay stream, or where TDMA-RISC says. */
static struct unpack_remark unpack_plan_register(struct unpack_plan *p, const uint16_t *thcfg,
                                                 uint32_t word)
{
    if (bits_get(word, 0, 3) == 7) {
        p->what = UNPACK_WRITE;
        p->sums = bits_get(word, 3, 1);
        p->value = bits_get(word, 4, 11);
        p->stream = (uint8_t)bits_get(word, 16, 6);
        p->select = (uint8_t)(bits_get(word, 22, 1) << 1 | bits_get(word, 15, 1));
        return p->select < REGWRITE_ADDRESSES
                   ? (struct unpack_remark){N_DIAGS, 0}
                   : (struct unpack_remark){DIAG_REGWRITE_SELECT, p->select};
    }
    bool named = bits_get(word, 0, 2) == 3;
    uint32_t odd = word & (named ? NOP_OTHER_BITS : 0x7ffffc);
    p->what = UNPACK_POP;
    p->stream = (uint8_t)(named && bits_get(word, 4, 11)
                              ? bits_get(word, 16, 6)
                              : cfg_thread_get_at(
                                    thcfg, THCFG_OVERLAY_CLEAR_STREAM, bits_get(word, 23, 1), 0));
    return (struct unpack_remark){odd ? DIAG_UNPACK_NOP_BITS : N_DIAGS, odd};
}

struct unpack_remark unpack_plan_nop(struct unpack_plan *p, const struct config *c, unsigned thread,
                                     uint32_t word)
{
    const uint32_t *cfg = c->word[config_state_id(c, thread)];
    struct tensix_UNPACR_NOP a = tensix_UNPACR_NOP_decode(word);
    unsigned u = a.unpacker_select;
    memset(p, 0, sizeof *p);
    p->format = (uint8_t)cfg_get_at(cfg, CFG_UNP_OUT_DATA_FORMAT, u * CFG_UNP_STEP, 0);
    p->row_base = unpack_plan_row_base(c->thread[thread], u);
    if (a.unpack_pop == 0 || a.unpack_pop == 3)
        return unpack_plan_register(p, c->thread[thread], word);
    bool only_gives = a.clr_to1_fmt_ctrl == 3;
    p->gives = (a.unpack_pop == 1 && a.set_dvalid & 1) || only_gives;
    if (a.unpack_pop == 1 && !only_gives) {
        p->what = UNPACK_CLEAR;
        p->both = a.bank_clr_ctrl;
        p->value = unpack_plan_clear(cfg, &a);
    }
    return (struct unpack_remark){N_DIAGS, 0};
}

void unpack_plan_advance(struct adc *a, unsigned thread, uint32_t word)
{
    struct tensix_UNPACR i = tensix_UNPACR_decode(word);
    unsigned user = ADC_UNPACK0 + i.unpack_block_selection, m = i.addr_mode;
    for (unsigned t = 0; t < 3; t++) {
        if (t != thread && !(i.ovrd_thread_id && t == i.addr_cnt_context_id))
            continue;
        adc_add(a, t, user, 0, ADC_Z, m & 3);
        adc_add(a, t, user, 0, ADC_Y, m >> 2 & 3);
        adc_add(a, t, user, 1, ADC_Z, m >> 4 & 3);
        adc_add(a, t, user, 1, ADC_Y, m >> 6 & 3);
    }
}

unsigned unpack_plan_counter(const struct config *c, unsigned thread, unsigned u, unsigned counter)
{
    const uint32_t *cfg = c->word[config_state_id(c, thread)];
    unsigned n = 1u << cfg_get_at(cfg, CFG_UNP_CONTEXT_COUNT, u * CFG_UNP_STEP, 0);
    if (cfg_get_at(cfg, CFG_UNP_CONTEXT_COUNT_NON_LOG2_EN, u * CFG_UNP_STEP, 0))
        n = cfg_get_at(cfg, CFG_UNP_CONTEXT_COUNT_NON_LOG2, u * CFG_UNP_STEP, 0);
    unsigned next = (counter + 1) & 7;
    return next >= n ? 0 : next;
}
