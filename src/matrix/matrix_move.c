/*
 * matrix_move.c - Matrix Unit: moves between SrcA, SrcB and Dst, clearing, shifts, transposition.
 *
 * ISA pages: MOVA2D, MOVB2D, MOVDBGA2D, MOVD2A, MOVD2B, MOVB2A, TRNSPSRCB, SHIFTXA, SHIFTXB, ZEROACC, ZEROSRC,
 * Dst (Blackhole).
 *
 * Invariant: every row index is masked as the pages have it.
 *
 * Inaccuracies: MOVD2A and MOVD2B from 16-bit Dst with dest_32b_lo or TF32 (undefined) move it as BF16; MOVA2D and MOVB2D of TF32 with
 * dest_32b_lo (an erratum) do what the page shows. SHIFTXA's source row after MOVB2D, MOVD2B and
 * the legacy instructions is taken from the SrcA counter; modes other than left shift right. In modes
 * other than one row ZEROACC with clear_zero_flags (undefined) makes rows valid again.
 */
#include "matrix/matrix_in.h"

#include "isa/tensix.h"
#include "num/fpu.h"
#include "num/rows.h"
#include "probe/probe.h"
#include "state/lanes.h"

/* ---- Src to Dst ---- */

/* Columns that BLOCK_DEST_MOV of the Vector Unit's LaneConfig keeps from moving, bit per column. */
static unsigned move_blocked(const struct matrix_io *io)
{
    unsigned blocked = 0;
    if (!io->lanes || LIKELY(!(io->lanes->config_any & LANE_NO_MOVE)))
        return 0;
    for (unsigned i = 0; i < 8; i++)
        blocked |= (io->lanes->config[i] & LANE_NO_MOVE) >> 9 << 2 * i;
    return blocked;
}

struct move {
    unsigned blocked;            /* columns that stay */
    uint32_t keep;               /* bits of the datum that go on */
    bool flush;                  /* exponent 0 means zero */
    bool five;                   /* 5-bit exponents */
    bool tf32;                   /* to 32 bits */
    bool low;                    /* dest_32b_lo */
    const struct num_rows *rows; /* whole rows of 16 bits with 8-bit exponents; NULL: another way */
};

static void move_row(const struct matrix_io *io, const struct move *v, const uint32_t *from,
                     unsigned row)
{
    uint32_t d[16], always = v->flush ? 0 : v->keep; /* masks, so that all are done at once */
    if (LIKELY(v->rows)) {
        v->rows->dst_bf16(from, v->flush, 1, matrix_open(io, row, false, 0).high);
        return;
    }
    for (unsigned j = 0; j < 16; j++)
        d[j] = from[j] & (layout_src_exponent(from[j]) ? v->keep : always);
    struct matrix_row r = matrix_open(io, row, v->tf32 | v->low, 0);
    if (v->tf32) {
        for (unsigned j = 0; j < 16; j++) {
            r.high[j] = layout_src_to_dst(d[j], v->five);
            r.low[j] = (uint16_t)(d[j] | (v->low ? r.high[j] : 0u));
        }
        return;
    }
    uint16_t *to = v->low ? r.low : r.high;
    if (v->five)
        for (unsigned j = 0; j < 16; j++)
            to[j] = layout_src_to_dst(d[j], true);
    else
        for (unsigned j = 0; j < 16; j++)
            to[j] = layout_src_to_dst(d[j], false);
}

/* Only some columns. */
COLD static void move_row_partly(const struct matrix_io *io, const struct move *v,
                                 const uint32_t *from, unsigned row)
{
    bool wide = v->tf32 | v->low;
    struct move all = *v;
    uint16_t high[16], low[16] = {0};
    if (v->blocked == 0xffff)
        return;
    struct matrix_row r = matrix_open(io, row, wide, 0);
    memcpy(high, r.high, sizeof high);
    if (wide)
        memcpy(low, r.low, sizeof low);
    all.blocked = 0;
    move_row(io, &all, from, row);
    for (unsigned j = 0; j < 16; j++) {
        if (!(v->blocked >> j & 1))
            continue;
        r.high[j] = high[j];
        if (wide)
            r.low[j] = low[j];
    }
}

static void move_row_or_part(const struct matrix_io *io, const struct move *v, const uint32_t *from,
                             unsigned row)
{
    if (LIKELY(!v->blocked))
        move_row(io, v, from, row);
    else
        move_row_partly(io, v, from, row);
}

/* n rows that lie behind each other in Src and, unless addresses are remapped, in Dst. */
static void move_rows(const struct matrix_io *io, const struct move *v,
                      uint32_t (*from)[SRC_COLUMNS], unsigned row, unsigned n)
{
    if (v->rows && !v->blocked && !(io->access & 2)) {
        memset(&io->dst->valid[row], 1, n);
        v->rows->dst_bf16(*from, v->flush, n, io->dst->d[row]);
        return;
    }
    for (unsigned i = 0; i < n; i++)
        move_row_or_part(io, v, from[i], row + i);
}

/* Puts back what a move should have left alone. */
COLD static void move_undo(uint32_t *to, const uint32_t before[16], unsigned blocked)
{
    for (unsigned j = 0; j < 16; j++)
        if (blocked >> j & 1)
            to[j] = before[j];
}

/* keep: bits of the datum that go on */
static struct move move_of(const struct matrix *m, const struct matrix_io *io,
                           const struct entry *e, unsigned which, uint32_t keep)
{
    unsigned format = matrix_format_a(io, which);
    struct move v = {.blocked = move_blocked(io),
                     .keep = keep,
                     .flush = !cfg_get(io->cfg, CFG_ZERO_FLAG_DISABLED_SRC),
                     .five = matrix_five(format) ||
                             cfg_thread_get(io->thread_config, THCFG_FP16A_FORCE),
                     .tf32 = format == NUM_TF32,
                     .low = bits_get(e->word, 23, 1)};
    if (!(v.five | v.tf32 | v.low) && (keep & NUM_SRC_BF16) == NUM_SRC_BF16)
        v.rows = m->fast ? &num_rows_avx2 : &num_rows_plain;
    return v;
}

bool matrix_move_wide(const struct matrix_io *io, const struct entry *e)
{
    unsigned traits = matrix_traits[e->op];
    if (traits & MATRIX_FROM_A)
        return bits_get(e->word, 23, 1) || matrix_format_a(io, SRC_A) == NUM_TF32;
    if (traits & MATRIX_FROM_B)
        return bits_get(e->word, 23, 1) || matrix_format_a(io, SRC_B) == NUM_TF32;
    return io->dst32;
}

static void move_check(const struct matrix_io *io, const struct entry *e, bool bad)
{
    if (bad)
        probe_diag(io->probe, DIAG_DST_WIDTH, OWNER_T0 + io->thread, e->tag, e->word, 0);
}

void matrix_mova2d(struct matrix *m, const struct matrix_io *io, const struct entry *e,
                   unsigned row)
{
    struct tensix_MOVA2D w = tensix_MOVA2D_decode(e->word);
    struct move v = move_of(m, io, e, SRC_A, NUM_SRC_TF32);
    unsigned from = w.src + io->rwc->srca, n = w.instr_mod & 2 ? 8 : 1;
    move_check(io, e, v.tf32 && v.low);
    from &= 64 - n;
    row &= 1024 - n;
    m->row_a = (uint8_t)from;
    move_rows(io, &v, matrix_src(io, SRC_A) + from, row, n);
}

/* Bits of SrcB's data that go on, by both codes; integers keep all of their magnitude. */
static uint32_t move_keep_b(unsigned format_a, unsigned format_b)
{
    if (format_b == NUM_FP16 || format_b == NUM_TF32)
        return num_fpu_mask(format_b);
    return matrix_five(format_a) && format_a != NUM_FP16 ? NUM_SRC_FP16 : NUM_SRC_BF16;
}

void matrix_movb2d(struct matrix *m, const struct matrix_io *io, const struct entry *e,
                   unsigned row)
{
    struct tensix_MOVB2D w = tensix_MOVB2D_decode(e->word);
    uint32_t keep = move_keep_b(matrix_format_a(io, SRC_B), matrix_format_b(io));
    struct move v = move_of(m, io, e, SRC_B, keep);
    bool one_row = w.movb2d_instr_mod & 2, one_column = w.movb2d_instr_mod & 1;
    unsigned n = one_row ? 8 : (w.movb2d_instr_mod & 4 ? 4 : 1);
    unsigned from = (w.src + io->rwc->srcb) & (one_row ? 63 : 64 - n);
    uint32_t column[16];
    move_check(io, e, v.tf32 && v.low);
    m->row_a = io->rwc->srca;
    row &= 1024 - n;
    if (!one_row && !one_column) {
        move_rows(io, &v, matrix_src(io, SRC_B) + from, row, n);
        return;
    }
    for (unsigned i = 0; i < n; i++) {
        const uint32_t *d = matrix_src(io, SRC_B)[from + (one_row ? 0 : i)];
        if (one_column) {
            for (unsigned j = 0; j < 16; j++)
                column[j] = d[0];
            d = column;
        }
        move_row_or_part(io, &v, d, row + i);
    }
}

/* ---- Dst to Src ---- */

static void move_back_row(const struct matrix_io *io, bool five, bool tf32, bool low, unsigned row,
                          uint32_t *to)
{
    unsigned p = io->dst32 ? dst_row32(row, io->access) : dst_row16(row, io->access);
    const uint16_t *h = io->dst->d[p], *l = io->dst32 ? io->dst->d[p + DST_LOW] : h;
    if (!io->dst->valid[p]) {
        memset(to, 0, 16 * sizeof *to);
        return;
    }
    if (tf32 && io->dst32) {
        for (unsigned j = 0; j < 16; j++)
            to[j] = low ? layout_src_from_bits(l[j] & 0x1fffu)
                        : layout_from_dst32(h[j], l[j]) & NUM_SRC_TF32;
        return;
    }
    if (low)
        h = l;
    for (unsigned j = 0; j < 16; j++)
        to[j] = layout_src_from_dst(h[j], five);
}

static void move_back(const struct matrix_io *io, const struct entry *e, unsigned which,
                      unsigned from, unsigned to)
{
    unsigned format = matrix_format_a(io, which), n = bits_get(e->word, 13, 1) ? 4 : 1;
    bool force = cfg_thread_get(io->thread_config, THCFG_FP16A_FORCE),
         low = bits_get(e->word, 23, 1);
    bool tf32 = format == NUM_TF32 && !force;
    move_check(io, e, !io->dst32 && (low || tf32));
    from &= 1024 - n;
    to &= 64 - n;
    unsigned blocked = move_blocked(io);
    for (unsigned i = 0; i < n; i++) {
        uint32_t before[16], *d = matrix_src_out(io, which)[to + i];
        if (blocked)
            memcpy(before, d, sizeof before);
        move_back_row(io, matrix_five(format) || force, tf32, low, from + i, d);
        if (blocked)
            move_undo(d, before, blocked);
    }
}

void matrix_movd2a(struct matrix *m, const struct matrix_io *io, const struct entry *e,
                   unsigned row)
{
    unsigned to = bits_get(e->word, 17, 6) + io->rwc->srca;
    m->row_a = (uint8_t)(to & (bits_get(e->word, 13, 1) ? 0x3c : 0x3f));
    move_back(io, e, SRC_A, row, to);
}

void matrix_movd2b(struct matrix *m, const struct matrix_io *io, const struct entry *e,
                   unsigned row)
{
    m->row_a = io->rwc->srca;
    move_back(io, e, SRC_B, row, bits_get(e->word, 17, 6) + io->rwc->srcb);
}

/* ---- within Src ---- */

void matrix_movb2a(struct matrix *m, const struct matrix_io *io, const struct entry *e,
                   unsigned row)
{
    struct tensix_MOVB2A w = tensix_MOVB2A_decode(e->word);
    bool flush = !cfg_get(io->cfg, CFG_ZERO_FLAG_DISABLED_SRC);
    unsigned n = w.instr_mod & 2 ? 4 : 1, blocked = move_blocked(io);
    unsigned a = (w.srca + io->rwc->srca) & (64 - n), b = (w.srcb + io->rwc->srcb) & (64 - n);
    (void)row;
    m->row_a = (uint8_t)a;
    for (unsigned i = 0; i < n; i++) {
        const uint32_t *from = matrix_src(io, SRC_B)[b + i];
        uint32_t *to = matrix_src_out(io, SRC_A)[a + i], before[16];
        memcpy(before, to, sizeof before);
        for (unsigned j = 0; j < 16; j++)
            to[j] = flush && !layout_src_exponent(from[j]) ? 0 : from[j];
        if (blocked)
            move_undo(to, before, blocked);
    }
}

void matrix_trnspsrcb(struct matrix *m, const struct matrix_io *io, const struct entry *e,
                      unsigned row)
{
    uint32_t(*b)[16] = matrix_src_out(io, SRC_B) + 16;
    (void)m, (void)e, (void)row;
    for (unsigned i = 0; i < 16; i++)
        for (unsigned j = 0; j < i; j++) {
            uint32_t d = b[i][j];
            b[i][j] = b[j][i];
            b[j][i] = d;
        }
}

void matrix_shiftxa(struct matrix *m, const struct matrix_io *io, const struct entry *e,
                    unsigned row)
{
    uint32_t(*a)[16] = matrix_src_out(io, SRC_A);
    unsigned from = m->row_a & 0x30;
    bool left = bits_get(e->word, 0, 2) == 3;
    (void)row;
    for (unsigned i = 0; i < 16; i++) {
        uint32_t d[18] = {0};
        memcpy(d + 1, a[from + i], sizeof a[0]);
        memcpy(a[i], d + (left ? 2 : 0), sizeof a[0]);
    }
}

void matrix_shiftxb(struct matrix *m, const struct matrix_io *io, const struct entry *e,
                    unsigned row)
{
    uint32_t *b = matrix_src_out(io, SRC_B)[(bits_get(e->word, 0, 6) + io->rwc->srcb) % SRC_ROWS];
    uint32_t first = b[0];
    (void)m, (void)row;
    memmove(b, b + 1, 15 * sizeof *b);
    b[15] = bits_get(e->word, 10, 1) ? 0 : first;
}

void matrix_legacy(struct matrix *m, const struct matrix_io *io, const struct entry *e,
                   unsigned row)
{
    (void)e, (void)row;
    m->row_a = io->rwc->srca;
}

/* ---- clearing ---- */

/* Sixteen rows, by number of the block; Blackhole counts from the half that the offset names. */
static void move_zero_block(const struct matrix_io *io, unsigned block, bool wide, uint8_t valid)
{
    unsigned offset = cfg_thread_get(io->thread_config, THCFG_MATH_OFFSET) + io->rwc->dst;
    bool absolute = cfg_get(io->cfg, CFG_ZEROACC_ABSOLUTE_TILE);
    if (!absolute && offset & (wide ? 0x300 : 0x200))
        block += wide ? 16 : 32;
    if (block >= DST_ROWS / (wide ? 32 : 16))
        return;
    for (unsigned i = 0; i < 16; i++) {
        unsigned r = 16 * block + i;
        io->dst->valid[wide ? dst_row32(r, io->access) : dst_row16(r, io->access)] = valid;
    }
}

void matrix_zeroacc(struct matrix *m, const struct matrix_io *io, const struct entry *e,
                    unsigned row)
{
    struct tensix_ZEROACC w = tensix_ZEROACC_decode(e->word);
    bool wide = cfg_get(io->cfg, CFG_FP32_ENABLED) | cfg_get(io->cfg, CFG_INT8_MATH_ENABLED);
    uint8_t *valid = io->dst->valid, to = (uint8_t)w.clear_zero_flags;
    (void)m;
    switch (w.clear_mode & 3) {
    case 0: valid[wide ? dst_row32(row, io->access) : dst_row16(row, io->access)] = 0; break;
    case 1: move_zero_block(io, w.where & 0xff, w.use_32_bit_mode, to); break;
    case 2: memset(valid + (w.where & 1) * DST_ROWS / 2, to, DST_ROWS / 2); break;
    default: memset(valid, to, DST_ROWS); break;
    }
}

void matrix_zerosrc(struct matrix *m, const struct matrix_io *io, const struct entry *e,
                    unsigned row)
{
    struct tensix_ZEROSRC w = tensix_ZEROSRC_decode(e->word);
    struct src *s = io->src;
    (void)m, (void)row;
    for (unsigned which = SRC_A; which <= SRC_B; which++) {
        unsigned bank = (w.write_mode ? s->issue_bank : s->unpack_bank)[which] & 1;
        uint32_t v = w.zero_val && which == SRC_A ? NUM_SRC_TF32 : 0;
        for (unsigned i = 0; i < 2; i++) {
            if (!(w.src_mask >> which & 1) || (!w.bank_mask && i != bank))
                continue;
            src_wrote(s, which, i);
            for (unsigned j = 0; j < SRC_ROWS * SRC_COLUMNS; j++)
                s->d[which][i][j / SRC_COLUMNS][j % SRC_COLUMNS] = v;
        }
    }
}
