/*
 * unpack_plan.c - address generation of the unpackers.
 *
 * ISA pages: UNPACR (Regular, IncrementContextCounter), UNPACR_NOP (ZEROSRC, SETDVALID, Nop, SETREG,
 * OverlayClear), Unpackers/README, Unpackers/FormatConversion (Wormhole, 2026 text with Blackhole branches);
 * fields of UNPACR_NOP from the vendor's Blackhole instruction database. Rows of 32 datums on Blackhole and
 * e4m3: from the vendor's simulator.
 *
 *     Config, ThreadConfig, ADCs --> context --> formats --> input address --> output address --> plan
 *
 * Invariant: a plan never names a bank, context or format that does not exist, whatever Config holds.
 *
 * Inaccuracies: An address is tested against the
 * limit at each row, of 16 datums, or 32 when tilizing. srcb_bcast follows the one sentence there is. NOP_REG_CLR_VAL is taken
 * as the 19 bits of a cell, and the format of a one follows the names in the instruction database. SrcB is never
 * cleared to minus infinity, as on Wormhole. UNPACR_NOP that pops a message pops one, as the Wormhole page
 * says, whatever its count or MsgNum of ThreadConfig is; a count of 0 takes the stream of ThreadConfig.
 */
#include "unit/unpack_plan.h"

#include <string.h>

#include "isa/cfg.h"
#include "isa/tensix.h"
#include "isa/timing.h"
#include "num/format.h"
#include "num/layout.h"
#include "probe/probe.h"
#include "unit/regwrite.h"

/* An instruction while it is being planned. */
struct unpack_job {
    struct unpack_plan *p;
    const uint32_t *cfg;
    const uint16_t *thcfg;
    const struct adc *adc;
    const struct l1_port *l1;
    struct tensix_UNPACR a;
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

static uint32_t unpack_plan_get(const struct unpack_job *j, uint32_t field)
{
    return cfg_get_at(j->cfg, field, j->sec, 0);
}

static uint32_t unpack_plan_adc(const struct unpack_job *j, unsigned thread, unsigned channel,
                                unsigned dim)
{
    return j->adc->c[thread][ADC_UNPACK0 + j->u][channel][dim].v;
}

static void unpack_plan_context(struct unpack_job *j, unsigned counter)
{
    j->multi = j->a.ovrd_thread_id;
    j->context = 0;
    j->xy = j->thread;
    if (!j->multi)
        return;
    unsigned base = j->a.auto_inc_context_id ? counter : j->a.cfg_context_id;
    j->context = (base + thcfg_get_at(j->thcfg, THCFG_UNPACK_CONTEXT_OFFSET, 0, 8 * j->u)) & 7;
    j->xy = j->a.addr_cnt_context_id < 3 ? j->a.addr_cnt_context_id : j->thread;
    j->p->context = (uint8_t)j->context;
    if ((j->u == 1 && j->context >= 2) || j->a.addr_cnt_context_id == 3)
        unpack_plan_say(j, DIAG_UNPACK_SETTINGS, BAD_CONTEXT);
}

/* Contexts 4..7 have their bit 16 above that of 0..3. */
static bool unpack_plan_context_bit(const struct unpack_job *j, uint32_t field)
{
    return cfg_get_at(j->cfg, field, j->sec, (j->context & 3) + (j->context & 4) * 4);
}

static void unpack_plan_formats(struct unpack_job *j)
{
    struct unpack_plan *p = j->p;
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

/* The eight rows at which the blobs of a plane start, in units of 16 datums. */
static uint32_t unpack_plan_blobs(const struct unpack_job *j)
{
    if (j->multi && j->u == 0)
        return cfg_get_at(j->cfg, CFG_UNP0_BLOBS_Y_START, j->context >> 1 & 1, 0);
    return unpack_plan_get(j, CFG_UNP_BLOBS_Y_START_LOW) |
           unpack_plan_get(j, CFG_UNP_BLOBS_Y_START_HIGH) << 16;
}

/* Where in the tile the datums are; returns the number of the first. */
static uint32_t unpack_plan_range(struct unpack_job *j, uint32_t x_dim, uint32_t y_dim,
                                  uint32_t z_dim)
{
    uint32_t x = unpack_plan_adc(j, j->xy, 0, ADC_X), y = unpack_plan_adc(j, j->xy, 0, ADC_Y);
    uint32_t end = unpack_plan_adc(j, j->xy, 1, ADC_X) + 1;
    uint32_t z = unpack_plan_adc(j, j->thread, 0, ADC_Z);
    uint32_t w = unpack_plan_adc(j, j->thread, 0, ADC_W);
    uint32_t blobs_per_plane = unpack_plan_get(j, CFG_UNP_BLOBS_PER_XY_PLANE);
    if (j->a.row_search && blobs_per_plane) {
        uint32_t blobs = unpack_plan_blobs(j), next = (x & 7) + 1;
        x = bits_get(blobs, 4 * (y & 7), 4) << 4;
        y = 0;
        end = next == blobs_per_plane ? x_dim & 0x1f0 : bits_get(blobs, 4 * (next & 7), 4) << 4;
    } else if (j->a.row_search) {
        x = 0;
        end--;
    }
    if (end < x)
        unpack_plan_say(j, DIAG_UNPACK_SETTINGS, BAD_X);
    j->p->count = end < x ? 0 : end - x;
    return ((w * z_dim + z) * y_dim + y) * x_dim + x;
}

/* Entry i of the table of row starts. */
static uint32_t unpack_plan_row_start(const struct unpack_job *j, uint32_t table, uint32_t i)
{
    uint8_t b[2];
    l1_port_read(j->l1, table + 2 * i, b, 2);
    return b[0] | (uint32_t)b[1] << 8;
}

/* The same for compressed data: rows begin where the table says. */
static uint32_t unpack_plan_packed(struct unpack_job *j, uint32_t table, uint32_t x_dim,
                                   uint32_t y_dim, uint32_t z_dim)
{
    struct unpack_plan *p = j->p;
    uint32_t x = unpack_plan_adc(j, j->xy, 0, ADC_X),
             y = unpack_plan_adc(j, j->xy, 0, ADC_Y) & 0xff;
    uint32_t last = unpack_plan_adc(j, j->xy, 1, ADC_X);
    uint32_t z = unpack_plan_adc(j, j->thread, 0, ADC_Z);
    uint32_t w = unpack_plan_adc(j, j->thread, 0, ADC_W);
    uint32_t blobs = unpack_plan_get(j, CFG_UNP_BLOBS_PER_XY_PLANE);
    table += 2 * (w * z_dim + z) * (j->a.row_search && blobs ? blobs : y_dim);
    uint32_t first = unpack_plan_row_start(j, table, y), end;
    p->most = UINT32_MAX;
    if (j->a.row_search) {
        end = unpack_plan_row_start(j, table, (x & 0xff) + 1);
    } else if (x == 0 && last + 1 == x_dim) {
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

static void unpack_plan_input(struct unpack_job *j)
{
    struct unpack_plan *p = j->p;
    unsigned in = p->convert.in, bits = from_l1_bits(in), c = j->context;
    uint32_t x_dim = unpack_plan_get(j, CFG_UNP_X_DIM), y_dim = unpack_plan_get(j, CFG_UNP_Y_DIM);
    uint32_t z_dim = unpack_plan_get(j, CFG_UNP_Z_DIM), w_dim = unpack_plan_get(j, CFG_UNP_W_DIM);
    if (j->multi && j->u == 0)
        x_dim = cfg_get_at(j->cfg, CFG_UNP_TILE_X_DIM, c >> 1 & 1, (c & 1) * 16);
    z_dim = z_dim ? z_dim : 1;
    w_dim = w_dim ? w_dim : 1;
    uint32_t base = cfg_get_at(j->cfg, CFG_UNP_BASE_ADDRESS, j->sec + c, 0) +
                    cfg_get_at(j->cfg, CFG_UNP_OFFSET_ADDRESS, j->sec + (c & 3), 0);
    base = (base + 1 + unpack_plan_get(j, CFG_UNP_DIGEST_SIZE)) * 16;
    uint32_t table = base;
    if (p->packed) {
        uint32_t blobs = unpack_plan_get(j, CFG_UNP_BLOBS_PER_XY_PLANE);
        base += (((blobs ? blobs : y_dim) * z_dim * w_dim + 1) * 2 + 15) & ~15u;
    }
    uint32_t exponents = base;
    p->forced = unpack_plan_get(j, CFG_UNP_FORCE_SHARED_EXP);
    p->exponent =
        (uint8_t)cfg_get(j->cfg, j->u ? CFG_UNP1_FORCED_SHARED_EXP : CFG_UNP0_FORCED_SHARED_EXP);
    if (num_formats[in].kind == NUM_BLOCK && !p->forced &&
        (bits == 8 || !unpack_plan_get(j, CFG_UNP_NO_BFP_EXP_SECTION))) {
        uint64_t groups = ((uint64_t)x_dim * y_dim * z_dim * w_dim + 15) / 16;
        base += (uint32_t)((groups + 15) & ~UINT64_C(15));
    }
    uint32_t first = p->packed ? unpack_plan_packed(j, table, x_dim, y_dim, z_dim)
                               : unpack_plan_range(j, x_dim, y_dim, z_dim);
    uint64_t bit = (uint64_t)first * bits;
    uint32_t zeros = first / 32 * (4 * bits + 16) + 4 * bits; /* behind 32 datums: 32 counts */
    if (p->packed)
        bit = (uint64_t)(first / 32) * (32 * bits + 128) + first % 32 * bits;
    p->limit = unpack_plan_get(j, CFG_UNP_LIMIT_ADDRESS) * 16;
    p->fifo = unpack_plan_get(j, CFG_UNP_FIFO_SIZE) * 16;
    p->address = unpack_plan_wrap(p, base + (uint32_t)(bit / 8));
    p->first = (uint8_t)(bit % 8 / bits);
    p->exponents = unpack_plan_wrap(p, exponents + first / 16);
    p->phase = (uint8_t)(first % 16);
    p->zeros = unpack_plan_wrap(p, base + zeros + first % 32 / 2) * 2 + first % 2;
}

/* Rows of L1, tilized or one after the other. */
static void unpack_plan_rows(struct unpack_job *j)
{
    struct unpack_plan *p = j->p;
    unsigned bits = from_l1_bits(p->convert.in), c = j->context & 3;
    bool tilize = unpack_plan_get(j, CFG_UNP_TILEIZE_MODE);
    p->row = tilize && bits > 8 ? 32 : 16;
    p->stride = p->row * bits / 8;
    if (tilize)
        p->stride = cfg_get_at(j->cfg, CFG_UNP_SHIFT_AMOUNT, j->sec, 0) << 4 |
                    cfg_get_at(j->cfg, CFG_UNP_SHIFT_AMOUNT, j->sec, 4) << 8 |
                    cfg_get_at(j->cfg, CFG_UNP_SHIFT_AMOUNT, j->sec, 8) << 12;
    else if (j->u == 0)
        p->shift = (uint8_t)cfg_get_at(j->cfg, CFG_UNP_SHIFT_AMOUNT, j->sec, 4 * c);
    p->steps =
        tilize || (p->fifo && (uint64_t)p->address + (uint64_t)p->count * bits / 8 > p->limit);
    p->transpose = j->u == 0 && unpack_plan_get(j, CFG_UNP_HALOIZE_MODE);
    p->spread = (uint8_t)(1u << unpack_plan_get(j, CFG_UNP_UPSAMPLE_RATE));
    p->interleave = unpack_plan_get(j, CFG_UNP_UPSAMPLE_INTERLEAVE);
    if ((tilize || p->transpose) && (p->address % 16 || p->first))
        unpack_plan_say(j, DIAG_UNPACK_SETTINGS, BAD_ALIGNED);
    if (p->to_dst && (p->shift || p->transpose))
        unpack_plan_say(j, DIAG_UNPACK_SETTINGS, BAD_TO_DST);
    if (tilize && (p->spread > 1 || p->packed))
        unpack_plan_say(j, DIAG_UNPACK_SETTINGS, BAD_UPSAMPLE);
}

/* Bytes it wants per cycle. */
static unsigned unpack_plan_rate(const struct unpack_job *j)
{
    unsigned bits = from_l1_bits(j->p->convert.in),
             mode = unpack_plan_get(j, CFG_UNP_THROTTLE_MODE);
    if (!cfg_get(j->cfg, CFG_OVRD_DEFAULT_THROTTLE_MODE))
        mode = bits == 8 ? 3 : 2;
    if (j->p->spread == 2 && mode > 1)
        mode = 1;
    if (j->p->to_dst && bits == 4 && mode > 1)
        mode = 1;
    if (unpack_plan_get(j, CFG_UNP_TILEIZE_MODE))
        mode = 2;
    if (bits == 2 || j->p->spread > 2 || j->p->packed)
        mode = 0;
    return mode == 2 && bits >= 16 ? T_UNPACK_RATE_WIDE : (unsigned)T_UNPACK_RATE_1 << mode;
}

static void unpack_plan_output(struct unpack_job *j)
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
    out /= num_address_bytes(p->convert.out);
    if (j->multi && j->u == 0) {
        unsigned c = j->context;
        uint32_t own = cfg_get_at(j->cfg, CFG_UNP_DEST_CNTX, c >> 1 & 1, (c & 1) * 16);
        bool adds = p->to_dst || cfg_get(j->cfg, CFG_UNP0_ADD_DEST_ADDR_CNTR);
        out = adds ? out + own : own;
    }
    p->out = out;
    p->over_row = j->u == 0 && thcfg_get(j->thcfg, THCFG_SRCA_SET_OVRD_WITH_ADDR);
    p->next_set = unpack_plan_get(j, CFG_UNP_SRC_REG_SET_UPD);
    p->access = j->cfg[cfg_word(CFG_DEST_REMAP_ADDRS)];
}

static uint8_t unpack_plan_row_base(const uint16_t *thcfg, unsigned u)
{
    return (uint8_t)(thcfg_get(thcfg, u ? THCFG_SRCB_SET_BASE : THCFG_SRCA_SET_BASE) * 16);
}

struct unpack_remark unpack_plan_unpacr(struct unpack_plan *p, const struct config *c,
                                        const struct adc *a, const struct l1_port *l1,
                                        unsigned thread, uint32_t word, unsigned counter)
{
    struct unpack_job j = {.p = p,
                           .cfg = c->word[config_state_id(c, thread)],
                           .thcfg = c->thread[thread],
                           .adc = a,
                           .l1 = l1,
                           .a = tensix_UNPACR_decode(word),
                           .thread = thread,
                           .remark = {N_DIAGS, 0}};
    memset(p, 0, sizeof *p);
    j.u = j.a.unpack_block_selection;
    j.sec = j.u * CFG_UNP_STEP;
    p->what = UNPACK_MOVE;
    p->gives = j.a.set_dat_valid;
    p->zero = j.a.zero_write2;
    p->broadcast = j.u == 1 && j.a.srcb_bcast;
    p->row_base = unpack_plan_row_base(j.thcfg, j.u);
    unpack_plan_context(&j, counter);
    p->packed = j.multi ? !unpack_plan_context_bit(&j, CFG_UNP_DISABLE_ZERO_COMPRESS)
                        : !unpack_plan_get(&j, CFG_UNP_IS_UNCOMPRESSED);
    unpack_plan_formats(&j);
    unpack_plan_input(&j);
    unpack_plan_rows(&j);
    unpack_plan_output(&j);
    p->rate = (uint16_t)unpack_plan_rate(&j);
    if (p->broadcast)
        unpack_plan_say(&j, DIAG_UNPACK_BROADCAST, 0);
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
    case 2: return num_src_from_bits(one[a->clr_to1_fmt_ctrl]);
    case 3: return num_src_from_bits(cfg_get(cfg, b ? CFG_UNP1_NOP_CLR_VAL : CFG_UNP0_NOP_CLR_VAL));
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
    p->stream =
        (uint8_t)(named && bits_get(word, 4, 11)
                      ? bits_get(word, 16, 6)
                      : thcfg_get_at(thcfg, THCFG_OVERLAY_CLEAR_STREAM, bits_get(word, 23, 1), 0));
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
