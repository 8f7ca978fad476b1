/*
 * matrix.c - Matrix Unit (FPU), timing and bank hand-over.
 *
 * ISA pages: MatrixUnit, MVMUL, ELWADD .., MOVA2D, MOVB2D, MOVD2A, MOVD2B, MOVB2A, SHIFTXB, ZEROACC,
 * SETRWC, INCRWC, CLEARDVALID; Dst (Blackhole).
 *
 * Invariant: an instruction that reads SrcA or SrcB goes only while the Matrix Unit owns the bank.
 *
 * Inaccuracies: no arithmetic yet. The legacy instructions (CONV3S1 .., APOOL3S1 .., MPOOL3S1 ..)
 * wait for no bank. The fidelity and HF stalls that RTL counters name are not modelled: one
 * instruction is one phase is one cycle.
 */
#include "unit/matrix.h"

#include <string.h>

#include "base/bits.h"
#include "base/fault.h"
#include "isa/tensix.h"
#include "isa/timing.h"
#include "probe/probe.h"
#include "unit/op.h"
#include "wait/wait.h"

enum {
    USES_A = 1,
    USES_B = 2,
    READS_DST = 4,
    WRITES_DST = 8,
    ADDS_DST = 16,  /* reads Dst if dest_accum_en */
    FLIPS = 32,     /* clear_dvalid in bits 23:22 */
    MOD14 = 64,     /* addr_mode in bits 16:14 */
    MOD15 = 128,    /* addr_mode in bits 17:15 */
    AFTER_MOV = 256 /* held behind MOVA2D, MOVB2D, MOVDBGA2D */
};

#define USES_AB (USES_A | USES_B)
#define PRODUCT (USES_AB | READS_DST | WRITES_DST | FLIPS | AFTER_MOV)

static const uint16_t matrix_traits[256] = {
    [TENSIX_OP_MVMUL] = PRODUCT | MOD14,
    [TENSIX_OP_DOTPV] = PRODUCT | MOD14,
    [TENSIX_OP_ELWMUL] = PRODUCT | MOD14,
    [TENSIX_OP_GAPOOL] = PRODUCT | MOD15,
    [TENSIX_OP_GMPOOL] = PRODUCT | MOD15,
    [TENSIX_OP_ELWADD] = USES_AB | ADDS_DST | WRITES_DST | FLIPS | MOD14,
    [TENSIX_OP_ELWSUB] = USES_AB | ADDS_DST | WRITES_DST | FLIPS | MOD14,
    [TENSIX_OP_MOVA2D] = USES_A | WRITES_DST | MOD14,
    [TENSIX_OP_MOVB2D] = USES_B | WRITES_DST | MOD14,
    [TENSIX_OP_MOVDBGA2D] = WRITES_DST | MOD14,
    [TENSIX_OP_MOVD2A] = READS_DST | MOD14 | AFTER_MOV,
    [TENSIX_OP_MOVD2B] = READS_DST | MOD14 | AFTER_MOV,
    [TENSIX_OP_MOVB2A] = USES_B | MOD14,
    [TENSIX_OP_SHIFTXA] = USES_A,
    [TENSIX_OP_SHIFTXB] = USES_B | MOD14,
    [TENSIX_OP_TRNSPSRCB] = USES_B,
    [TENSIX_OP_SETRWC] = FLIPS,
    [TENSIX_OP_CONV3S1] = FLIPS | MOD14,
    [TENSIX_OP_CONV3S2] = FLIPS | MOD14,
    [TENSIX_OP_MFCONV3S1] = FLIPS | MOD14,
    [TENSIX_OP_APOOL3S1] = FLIPS | MOD15,
    [TENSIX_OP_APOOL3S2] = FLIPS | MOD15,
    [TENSIX_OP_MPOOL3S1] = FLIPS | MOD15,
    [TENSIX_OP_MPOOL3S2] = FLIPS | MOD15,
};

void matrix_reset(struct matrix *m)
{
    memset(m, 0, sizeof *m);
}

/* The Dst row an instruction starts at. */
static unsigned matrix_dst_row(const struct matrix_io *io, unsigned thread, uint32_t word)
{
    const struct config *c = io->config;
    return (bits_get(word, 0, 10) + io->rwc->t[thread].dst +
            bits_get(c->thread[thread][THCONFIG_MATH_OFFSET], 0, 12) +
            bits_get(c->word[config_state_id(c, thread)][CONFIG_DEST_REGW_BASE], 0, 16)) %
           DST_ROWS;
}

/* Slots that the previous instructions close. */
static bool matrix_closed(const struct matrix *m, uint8_t op, unsigned traits, uint64_t now)
{
    if (now < m->movx2d_end && traits & AFTER_MOV)
        return true;
    if (now < m->movd2b_end && op != TENSIX_OP_MOVD2B)
        return true;
    if (now != m->last_at + 1)
        return false;
    switch (m->last_op) {
    case TENSIX_OP_MOVD2A:
    case TENSIX_OP_MOVB2A: return op != TENSIX_OP_MOVD2A && op != TENSIX_OP_MOVB2A;
    case TENSIX_OP_SHIFTXB: return true;
    default: return false;
    }
}

_Static_assert(T_MOVD2A_WINDOW == 1 && T_SHIFTXB_WINDOW == 1, "matrix_closed looks one cycle back");

uint16_t matrix_check(const struct matrix *m, const struct matrix_io *io, unsigned thread,
                      const struct entry *e, uint64_t now)
{
    unsigned traits = matrix_traits[e->op];
    if (traits & USES_A && !src_matrix_ready(io->src, SRC_A))
        return ledger_key(WAIT_SRCA_BANK, OWNER_UNPACK0);
    if (traits & USES_B && !src_matrix_ready(io->src, SRC_B))
        return ledger_key(WAIT_SRCB_BANK, OWNER_UNPACK1);
    if (traits & ADDS_DST && bits_get(e->word, 21, 1))
        traits |= READS_DST;
    if (traits & READS_DST && now < io->dst->last_ready &&
        now < io->dst->ready[matrix_dst_row(io, thread, e->word) / 8])
        return ledger_key(WAIT_DST_WINDOW, OWNER_MATRIX);
    if (matrix_closed(m, e->op, traits, now))
        return ledger_key(WAIT_STRUCTURAL, OWNER_MATRIX);
    return 0;
}

static void matrix_flip(const struct matrix_io *io, unsigned thread, const struct entry *e,
                        unsigned which, uint64_t now, bool release, bool toggle)
{
    if (!src_flip(io->src, which, now, release, toggle))
        probe_diag(io->probe, DIAG_FLIP_UNOWNED, OWNER_T0 + thread, e->tag, e->word, which);
}

static void matrix_flips(const struct matrix_io *io, unsigned thread, const struct entry *e,
                         uint64_t now)
{
    unsigned keep = io->config->thread[thread][THCONFIG_CLR_DVALID];
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

static void matrix_windows(struct matrix *m, uint8_t op, uint64_t now)
{
    m->last_op = op;
    m->last_at = now;
    if (op == TENSIX_OP_MOVA2D || op == TENSIX_OP_MOVB2D || op == TENSIX_OP_MOVDBGA2D)
        m->movx2d_end = now + 1 + T_MOVX2D_WINDOW;
    if (op == TENSIX_OP_MOVD2B)
        m->movd2b_end = now + 1 + T_MOVD2B_WINDOW - FAULT(24);
}

void matrix_start(struct matrix *m, const struct matrix_io *io, unsigned thread,
                  const struct entry *e, uint64_t now)
{
    unsigned traits = matrix_traits[e->op];
    struct rwc_thread *rwc = &io->rwc->t[thread];
    unsigned bank = config_state_id(io->config, thread);
    if (traits & (READS_DST | WRITES_DST) &&
        config_pending(io->config, bank, CONFIG_DEST_REGW_BASE))
        probe_diag(
            io->probe, DIAG_STALE_CFG, OWNER_T0 + thread, e->tag, e->word, CONFIG_DEST_REGW_BASE);
    if (traits & WRITES_DST)
        dst_write(io->dst, matrix_dst_row(io, thread, e->word), now);
    if (e->op == TENSIX_OP_SETRWC)
        rwc_set(rwc, e->word);
    else if (e->op == TENSIX_OP_INCRWC)
        rwc_inc(rwc, e->word);
    else if (e->op == TENSIX_OP_CLEARDVALID)
        matrix_cleardvalid(io, thread, e, now);
    if (traits & MOD14)
        rwc_modify(rwc, io->config->thread[thread], bits_get(e->word, 14, 3), true);
    else if (traits & MOD15)
        rwc_modify(rwc, io->config->thread[thread], bits_get(e->word, 15, 3), true);
    else if (e->op == TENSIX_OP_ZEROACC && bits_get(e->word, 19, 2) < 2)
        rwc_modify(rwc, io->config->thread[thread], bits_get(e->word, 14, 3), true);
    if (traits & FLIPS && e->word & UINT32_C(3) << 22)
        matrix_flips(io, thread, e, now);
    matrix_windows(m, e->op, now);
    if (now >= m->done_at)
        m->users = 0;
    m->users |= (uint8_t)(1u << thread);
    uint64_t done = now + op_table[e->op].latency;
    if (done > m->done_at)
        m->done_at = done;
}
