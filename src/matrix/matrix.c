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
#include "matrix/matrix.h"

#include <string.h>

#include "base/bits.h"
#include "isa/tensix.h"
#include "isa/timing.h"
#include "matrix/matrix_in.h"
#include "probe/probe.h"
#include "state/op.h"
#include "wait/wait.h"

/* ---- the table ---- */

/* clang-format off */

/* A second row of an opcode does not compile, nor does an opcode of the unit without a row, nor a row of another unit's. */
enum {
#define MATRIX(name, ...) ROW_##name,
#include "matrix/matrix.def"
#define OF_MATRIX(name) OPCODE_##name = ROW_##name,
#include "isa/tensix_units.def"
#define MATRIX(name, ...) ROW_OF_THE_UNIT_##name = OPCODE_##name,
#include "matrix/matrix.def"
};

enum {
    BANKS_NONE,
    BANKS_A = MATRIX_USES_A,
    BANKS_B = MATRIX_USES_B,
    BANKS_AB = MATRIX_USES_A | MATRIX_USES_B,
    DST_NONE = 0,
    DST_READS = MATRIX_READS_DST,
    DST_WRITES = MATRIX_WRITES_DST,
    DST_BOTH = MATRIX_READS_DST | MATRIX_WRITES_DST,
    DST_ADDS = MATRIX_ADDS_DST | MATRIX_WRITES_DST,
    DST_MARKS = MATRIX_MARKS_DST,
    ROWS_NONE = 0,
    ROWS_EIGHT = 0,
    ROWS_FOUR = MATRIX_FOUR,
    ROWS_FROM_A = MATRIX_FROM_A,
    ROWS_FROM_B = MATRIX_FROM_B,
    ROWS_TO_SRC = MATRIX_TO_SRC,
    COUNTERS_NONE = 0,
    COUNTERS_MOD14 = MATRIX_MOD14,
    COUNTERS_MOD15 = MATRIX_MOD15,
    COUNTERS_OWN = MATRIX_OTHER,
    WINDOW_NONE = 0,
    WINDOW_MOVX2D = MATRIX_OPENS_MOVX2D,
    WINDOW_MOVD2A = MATRIX_OPENS_MOVD2A,
    WINDOW_MOVD2B = MATRIX_OPENS_MOVD2B
};

const uint32_t matrix_traits[256] = {
#define MATRIX(name, banks, dst, rows, counters, hazard, effect, traits)                           \
    [TENSIX_OP_##name] = BANKS_##banks | DST_##dst | ROWS_##rows | COUNTERS_##counters |           \
                         WINDOW_##hazard | (traits),
#include "matrix/matrix.def"
};

#define matrix_nothing NULL /* a call would cost more than the question whether there is one */
matrix_effect *const matrix_effects[256] = {
#define MATRIX(name, banks, dst, rows, counters, hazard, effect, traits)                           \
    [TENSIX_OP_##name] = matrix_##effect,
#include "matrix/matrix.def"
};
#undef matrix_nothing

/* clang-format on */

void matrix_reset(struct matrix *m, const struct timing *t)
{
    bool plain = m->plain, narrow = m->narrow;
    memset(m, 0, sizeof *m);
    m->plain = plain;
    m->narrow = narrow;
    m->numbers.movx2d = t->n.MOVX2D_WINDOW;
    m->numbers.movd2a = t->n.MOVD2A_WINDOW;
    m->numbers.movd2b = t->n.MOVD2B_WINDOW;
    m->numbers.high = t->n.MOVA2D_HIGH;
    for (unsigned i = 0; i < 256; i++) {
        m->numbers.latency[i] = t->op[i].latency;
        m->numbers.issue[i] = t->op[i].issue;
        m->numbers.traits[i] =
            (uint16_t)(matrix_traits[i] | (t->op[i].issue > 1 ? MATRIX_LONG : 0));
    }
    matrix_vectors(m);
}

void matrix_vectors(struct matrix *m)
{
    m->fast = !m->plain && matrix_dot_avx2_usable();
    m->wide = m->fast && !m->narrow && matrix_dot_avx512_usable();
    m->fma = m->fast && matrix_dot_fma_usable();
}

/* Rows of Dst that an instruction touches from its aligned first one on: 1, 4 or 8; all lie in one aligned
   group of eight. */
static unsigned matrix_rows(const struct entry *e)
{
    unsigned traits = matrix_traits[e->op];
    if (traits & MATRIX_FOUR)
        return 4;
    if (traits & MATRIX_FROM_A)
        return bits_get(e->word, 13, 1) ? 8 : 1;
    if (traits & MATRIX_FROM_B)
        return bits_get(e->word, 12, 1) ? 8 : (bits_get(e->word, 13, 1) ? 4 : 1);
    if (traits & MATRIX_TO_SRC)
        return bits_get(e->word, 13, 1) ? 4 : 1;
    return 8;
}

/* The physical rows that stand for the one or two blocks they lie in. */
static unsigned matrix_mapped(const struct matrix_io *io, const struct entry *e, unsigned row,
                              unsigned p[2])
{
    unsigned n = matrix_rows(e);
    bool wide = matrix_move_wide(io, e);
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
bool matrix_closed(const struct matrix *m, unsigned traits, uint64_t now)
{
    return (now < m->movx2d_end && traits & MATRIX_AFTER_MOV) ||
           (now < m->movd2a_end && !(traits & MATRIX_OPENS_MOVD2A)) ||
           (now < m->movd2b_end && !(traits & MATRIX_OPENS_MOVD2B)) || now < m->issue_end;
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

/* Opens a hazard of n cycles behind an instruction that goes now. */
static void matrix_hazard(struct matrix *m, uint64_t *end, unsigned n, uint64_t now)
{
    *end = now + 1 + n;
    if (*end > m->closed_end)
        m->closed_end = *end;
}

/* MOVA2D and the like keep readers of Dst waiting, those of the Vector Unit, too. */
static void matrix_moves(struct matrix *m, const struct matrix_io *io, unsigned n, uint64_t now)
{
    matrix_hazard(m, &m->movx2d_end, n, now);
    io->dst->turn.moved = m->movx2d_end;
    dst_turn_until(&io->dst->turn, m->movx2d_end);
}

/* Cycles of an instruction that has just gone. */
static unsigned matrix_cycles(const struct matrix *m, const struct matrix_io *io, uint8_t op)
{
    bool high = op == TENSIX_OP_MOVA2D && io->dst32 && m->row_a & 32;
    return high && m->numbers.high > m->numbers.issue[op] ? m->numbers.high : m->numbers.issue[op];
}

void matrix_windows(struct matrix *m, const struct matrix_io *io, uint8_t op, unsigned traits,
                    uint64_t now)
{
    unsigned more = matrix_cycles(m, io, op) - 1u;
    if (more)
        matrix_hazard(m, &m->issue_end, more, now);
    if (traits & MATRIX_OPENS_MOVX2D)
        matrix_moves(m, io, m->numbers.movx2d + more, now);
    else if (traits & MATRIX_OPENS_MOVD2A)
        matrix_hazard(m, &m->movd2a_end, m->numbers.movd2a, now);
    else if (traits & MATRIX_OPENS_MOVD2B)
        matrix_hazard(m, &m->movd2b_end, m->numbers.movd2b, now);
}

/* ---- counters and banks in their own ways ---- */

static void matrix_counters_SETRWC(const struct matrix_io *io, unsigned thread,
                                   const struct entry *e, uint64_t now)
{
    (void)thread, (void)now;
    rwc_set(io->rwc, e->word);
}

static void matrix_counters_INCRWC(const struct matrix_io *io, unsigned thread,
                                   const struct entry *e, uint64_t now)
{
    (void)thread, (void)now;
    rwc_inc(io->rwc, e->word);
}

static void matrix_counters_CLEARDVALID(const struct matrix_io *io, unsigned thread,
                                        const struct entry *e, uint64_t now)
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

/* Single rows and blocks of 16 only. */
static void matrix_counters_ZEROACC(const struct matrix_io *io, unsigned thread,
                                    const struct entry *e, uint64_t now)
{
    (void)thread, (void)now;
    if (bits_get(e->word, 19, 2) < 2)
        rwc_modify(io->rwc, io->thread_config, bits_get(e->word, 14, 3), true);
}

/* Instructions without an address modifier of the usual kind. */
void matrix_other(const struct matrix_io *io, unsigned thread, const struct entry *e, uint64_t now)
{
    /* clang-format off */
    switch (e->op) {
#define CASE_NONE(name)
#define CASE_MOD14(name)
#define CASE_MOD15(name)
#define CASE_OWN(name) case TENSIX_OP_##name: matrix_counters_##name(io, thread, e, now); break;
#define MATRIX(name, banks, dst, rows, counters, hazard, effect, traits) CASE_##counters(name)
#include "matrix/matrix.def"
    default: break;
    }
    /* clang-format on */
}

/* The row depends on a Config word that is still being written. */
void matrix_check_stale(const struct matrix_io *io, unsigned thread, const struct entry *e)
{
    if (config_pending(io->config, config_state_id(io->config, thread), CONFIG_DEST_REGW_BASE))
        probe_diag(
            io->probe, DIAG_STALE_CFG, OWNER_T0 + thread, e->tag, e->word, CONFIG_DEST_REGW_BASE);
}
