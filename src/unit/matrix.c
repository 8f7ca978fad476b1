/*
 * matrix.c - Matrix Unit (FPU), timing and bank hand-over; the table of what instructions do to data.
 *
 * ISA pages: MatrixUnit, MVMUL, ELWADD .., MOVA2D, MOVB2D, MOVD2A, MOVD2B, MOVB2A, SHIFTXB, ZEROACC,
 * SETRWC, INCRWC, CLEARDVALID; Dst (Blackhole).
 *
 * Invariant: an instruction that reads SrcA or SrcB goes only while the Matrix Unit owns the bank.
 *
 * Inaccuracies: the legacy instructions (CONV3S1 .., APOOL3S1 .., MPOOL3S1 ..)
 * wait for no bank and leave data alone. The fidelity and HF stalls that RTL counters name are not modelled: one
 * instruction is one phase is one cycle.
 */
#include "unit/matrix.h"

#include <string.h>

#include "base/bits.h"
#include "base/fault.h"
#include "isa/tensix.h"
#include "isa/timing.h"
#include "probe/probe.h"
#include "unit/matrix_in.h"
#include "unit/op.h"
#include "wait/wait.h"

#define USES_AB (MATRIX_USES_A | MATRIX_USES_B)
#define PRODUCT (USES_AB | MATRIX_READS_DST | MATRIX_WRITES_DST | MATRIX_FLIPS | MATRIX_AFTER_MOV)

const uint16_t matrix_traits[256] = {
    [TENSIX_OP_MVMUL] = PRODUCT | MATRIX_MOD14,
    [TENSIX_OP_DOTPV] = PRODUCT | MATRIX_MOD14,
    [TENSIX_OP_ELWMUL] = PRODUCT | MATRIX_MOD14,
    [TENSIX_OP_GAPOOL] = PRODUCT | MATRIX_MOD15,
    [TENSIX_OP_GMPOOL] = PRODUCT | MATRIX_MOD15,
    [TENSIX_OP_ELWADD] =
        USES_AB | MATRIX_ADDS_DST | MATRIX_WRITES_DST | MATRIX_FLIPS | MATRIX_MOD14,
    [TENSIX_OP_ELWSUB] =
        USES_AB | MATRIX_ADDS_DST | MATRIX_WRITES_DST | MATRIX_FLIPS | MATRIX_MOD14,
    [TENSIX_OP_MOVA2D] = MATRIX_USES_A | MATRIX_WRITES_DST | MATRIX_MOD14 | MATRIX_WINDOW,
    [TENSIX_OP_MOVB2D] = MATRIX_USES_B | MATRIX_WRITES_DST | MATRIX_MOD14 | MATRIX_WINDOW,
    [TENSIX_OP_MOVDBGA2D] = MATRIX_WRITES_DST | MATRIX_MOD14 | MATRIX_WINDOW,
    [TENSIX_OP_MOVD2A] = MATRIX_READS_DST | MATRIX_MOD14 | MATRIX_AFTER_MOV | MATRIX_WINDOW,
    [TENSIX_OP_MOVD2B] = MATRIX_READS_DST | MATRIX_MOD14 | MATRIX_AFTER_MOV | MATRIX_WINDOW,
    [TENSIX_OP_MOVB2A] = MATRIX_USES_B | MATRIX_MOD14 | MATRIX_WINDOW,
    [TENSIX_OP_SHIFTXA] = MATRIX_USES_A,
    [TENSIX_OP_SHIFTXB] = MATRIX_USES_B | MATRIX_MOD14 | MATRIX_WINDOW,
    [TENSIX_OP_TRNSPSRCB] = MATRIX_USES_B,
    [TENSIX_OP_SETRWC] = MATRIX_FLIPS | MATRIX_OTHER,
    [TENSIX_OP_INCRWC] = MATRIX_OTHER,
    [TENSIX_OP_CLEARDVALID] = MATRIX_OTHER,
    [TENSIX_OP_ZEROACC] = MATRIX_OTHER,
    [TENSIX_OP_CONV3S1] = MATRIX_FLIPS | MATRIX_MOD14,
    [TENSIX_OP_CONV3S2] = MATRIX_FLIPS | MATRIX_MOD14,
    [TENSIX_OP_MFCONV3S1] = MATRIX_FLIPS | MATRIX_MOD14,
    [TENSIX_OP_APOOL3S1] = MATRIX_FLIPS | MATRIX_MOD15,
    [TENSIX_OP_APOOL3S2] = MATRIX_FLIPS | MATRIX_MOD15,
    [TENSIX_OP_MPOOL3S1] = MATRIX_FLIPS | MATRIX_MOD15,
    [TENSIX_OP_MPOOL3S2] = MATRIX_FLIPS | MATRIX_MOD15,
};

matrix_effect *const matrix_effects[256] = {
    [TENSIX_OP_MVMUL] = matrix_mvmul,      [TENSIX_OP_DOTPV] = matrix_dotpv,
    [TENSIX_OP_GAPOOL] = matrix_gapool,    [TENSIX_OP_GMPOOL] = matrix_gmpool,
    [TENSIX_OP_ELWMUL] = matrix_elwmul,    [TENSIX_OP_ELWADD] = matrix_elwadd,
    [TENSIX_OP_ELWSUB] = matrix_elwsub,    [TENSIX_OP_MOVA2D] = matrix_mova2d,
    [TENSIX_OP_MOVDBGA2D] = matrix_mova2d, [TENSIX_OP_MOVB2D] = matrix_movb2d,
    [TENSIX_OP_MOVD2A] = matrix_movd2a,    [TENSIX_OP_MOVD2B] = matrix_movd2b,
    [TENSIX_OP_MOVB2A] = matrix_movb2a,    [TENSIX_OP_TRNSPSRCB] = matrix_trnspsrcb,
    [TENSIX_OP_SHIFTXA] = matrix_shiftxa,  [TENSIX_OP_SHIFTXB] = matrix_shiftxb,
    [TENSIX_OP_ZEROACC] = matrix_zeroacc,  [TENSIX_OP_ZEROSRC] = matrix_zerosrc,
    [TENSIX_OP_CONV3S1] = matrix_legacy,   [TENSIX_OP_CONV3S2] = matrix_legacy,
    [TENSIX_OP_MFCONV3S1] = matrix_legacy, [TENSIX_OP_APOOL3S1] = matrix_legacy,
    [TENSIX_OP_APOOL3S2] = matrix_legacy,  [TENSIX_OP_MPOOL3S1] = matrix_legacy,
    [TENSIX_OP_MPOOL3S2] = matrix_legacy,
};

void matrix_reset(struct matrix *m, const struct timing *t)
{
    bool plain = m->plain, narrow = m->narrow;
    memset(m, 0, sizeof *m);
    m->plain = plain;
    m->narrow = narrow;
    m->numbers.movx2d = t->n.MOVX2D_WINDOW;
    m->numbers.movd2a = t->n.MOVD2A_WINDOW;
    m->numbers.movd2b = t->n.MOVD2B_WINDOW;
    for (unsigned i = 0; i < 256; i++) {
        m->numbers.latency[i] = t->op[i].latency;
        m->numbers.issue[i] = t->op[i].issue;
        m->numbers.traits[i] =
            (uint16_t)(matrix_traits[i] | (t->op[i].issue > 1 ? MATRIX_WINDOW : 0));
    }
    matrix_vectors(m);
}

void matrix_vectors(struct matrix *m)
{
    m->fast = !m->plain && matrix_dot_has_avx2();
    m->wide = m->fast && !m->narrow && matrix_dot_has_avx512();
    m->fma = m->fast && matrix_dot_has_fma();
}

/* Rows that an instruction touches from its aligned first one on: 1, 4 or 8; all lie in one aligned
   group of eight. */
static unsigned matrix_rows(const struct entry *e)
{
    switch (e->op) {
    case TENSIX_OP_GAPOOL:
    case TENSIX_OP_GMPOOL: return 4;
    case TENSIX_OP_MOVA2D:
    case TENSIX_OP_MOVDBGA2D: return bits_get(e->word, 13, 1) ? 8 : 1;
    case TENSIX_OP_MOVB2D: return bits_get(e->word, 12, 1) ? 8 : (bits_get(e->word, 13, 1) ? 4 : 1);
    case TENSIX_OP_MOVD2A:
    case TENSIX_OP_MOVD2B: return bits_get(e->word, 13, 1) ? 4 : 1;
    default: return 8;
    }
}

/* The physical rows that stand for the one or two blocks they lie in. */
static unsigned matrix_mapped(const struct matrix_io *io, const struct entry *e, unsigned row,
                              unsigned p[2])
{
    unsigned n = matrix_rows(e);
    bool wide = matrix_wide(io, e);
    row &= DST_ROWS - n;
    for (unsigned i = 0; i < 2; i++)
        p[i] = wide ? dst_row32(row + 4 * i, io->access) : dst_row16(row + 4 * i, io->access);
    return n == 8 && p[0] / 8 != p[1] / 8 ? 2 : 1; /* swizzle_32b parts eight rows */
}

uint64_t matrix_mapped_ready(const struct matrix_io *io, const struct entry *e, unsigned row)
{
    unsigned p[2], n = matrix_mapped(io, e, row, p);
    uint64_t a = io->dst->ready[p[0] / 8], b = io->dst->ready[p[1] / 8];
    return n == 2 && b > a ? b : a;
}

void matrix_mapped_write(const struct matrix_io *io, const struct entry *e, unsigned row,
                         uint64_t now)
{
    unsigned p[2], n = matrix_mapped(io, e, row, p);
    for (unsigned i = 0; i < n; i++)
        dst_write(io->dst, p[i], now);
}

/* Slots that the previous instructions close. */
bool matrix_closed(const struct matrix *m, uint8_t op, unsigned traits, uint64_t now)
{
    return (now < m->movx2d_end && traits & MATRIX_AFTER_MOV) ||
           (now < m->movd2a_end && op != TENSIX_OP_MOVD2A && op != TENSIX_OP_MOVB2A) ||
           (now < m->movd2b_end && op != TENSIX_OP_MOVD2B) || now < m->issue_end;
}

static void matrix_flip(const struct matrix_io *io, unsigned thread, const struct entry *e,
                        unsigned which, uint64_t now, bool release, bool toggle)
{
    if (!src_flip(io->src, which, now, release, toggle))
        probe_diag(io->probe, DIAG_FLIP_UNOWNED, OWNER_T0 + thread, e->tag, e->word, which);
}

void matrix_flips(const struct matrix_io *io, unsigned thread, const struct entry *e, uint64_t now)
{
    unsigned keep = io->thread_config[THCONFIG_CLR_DVALID];
    for (unsigned which = SRC_A; which <= SRC_B; which++)
        if ((e->word >> (22 + which)) & 1)
            matrix_flip(io, thread, e, which, now, !((keep >> which) & 1), true);
}

static void matrix_cleardvalid(const struct matrix_io *io, unsigned thread, const struct entry *e,
                               uint64_t now)
{
    struct tensix_CLEARDVALID a = tensix_CLEARDVALID_decode(e->word);
    if (a.reset & 1) {
        src_clear(io->src);
        return;
    }
    for (unsigned which = SRC_A; which <= SRC_B; which++)
        if ((a.cleardvalid >> which) & 1)
            matrix_flip(io, thread, e, which, now, true, !(a.reset & 2));
}

/* Opens a window of n cycles behind an instruction that goes now. */
static void matrix_window(struct matrix *m, uint64_t *end, unsigned n, uint64_t now)
{
    *end = now + 1 + n;
    if (*end > m->closed_end)
        m->closed_end = *end;
}

void matrix_windows(struct matrix *m, uint8_t op, uint64_t now)
{
    if (m->numbers.issue[op] > 1)
        matrix_window(m, &m->issue_end, m->numbers.issue[op] - 1u, now);
    switch (op) {
    case TENSIX_OP_MOVA2D:
    case TENSIX_OP_MOVB2D:
    case TENSIX_OP_MOVDBGA2D: matrix_window(m, &m->movx2d_end, m->numbers.movx2d, now); break;
    case TENSIX_OP_MOVD2A:
    case TENSIX_OP_MOVB2A: matrix_window(m, &m->movd2a_end, m->numbers.movd2a, now); break;
    case TENSIX_OP_MOVD2B:
        matrix_window(m, &m->movd2b_end, (unsigned)(m->numbers.movd2b - FAULT(24)), now);
        break;
    default: break;
    }
}

/* Instructions without an address modifier of the usual kind. */
void matrix_other(const struct matrix_io *io, unsigned thread, const struct entry *e, uint64_t now)
{
    struct rwc_thread *rwc = io->rwc;
    if (e->op == TENSIX_OP_SETRWC)
        rwc_set(rwc, e->word);
    else if (e->op == TENSIX_OP_INCRWC)
        rwc_inc(rwc, e->word);
    else if (e->op == TENSIX_OP_CLEARDVALID)
        matrix_cleardvalid(io, thread, e, now);
    else if (e->op == TENSIX_OP_ZEROACC && bits_get(e->word, 19, 2) < 2)
        rwc_modify(rwc, io->thread_config, bits_get(e->word, 14, 3), true);
}

/* The row depends on a Config word that is still being written. */
void matrix_check_stale(const struct matrix_io *io, unsigned thread, const struct entry *e)
{
    if (config_pending(io->config, config_state_id(io->config, thread), CONFIG_DEST_REGW_BASE))
        probe_diag(
            io->probe, DIAG_STALE_CFG, OWNER_T0 + thread, e->tag, e->word, CONFIG_DEST_REGW_BASE);
}
