/*
 * matrix.h - Matrix Unit (FPU): who may go when, Src bank hand-over, Dst hazard. The effect of
 * instructions on data is in matrix_mul.c, matrix_pool.c and matrix_move.c.
 *
 * ISA pages: MatrixUnit and its instructions, SrcASrcB, Dst. Rules in time: docs/timing.md 4.10,
 * 4.11.
 */
#ifndef WG_MATRIX_MATRIX_H
#define WG_MATRIX_MATRIX_H

#include "base/bits.h"
#include "base/hot.h"
#include "isa/cfg.h"
#include "isa/timing.h"
#include "matrix/matrix_dot.h"
#include "state/config.h"
#include "state/dst.h"
#include "state/lanes.h"
#include "state/op.h"
#include "state/queue.h"
#include "state/rwc.h"
#include "state/src.h"
#include "wait/wait.h"

struct probe;

struct matrix {
    uint64_t done_at;     /* first cycle in which the pipe is empty */
    uint8_t users;        /* threads that sent something since it was last empty */
    uint64_t closed_end;  /* first cycle in which none of these hazards is open: */
    uint64_t movx2d_end;  /* readers of Dst are held before this cycle */
    uint64_t movd2a_end;  /* all but MOVD2A and MOVB2A */
    uint64_t movd2b_end;  /* all but MOVD2B */
    uint64_t issue_end;   /* everything: the last one took more than a slot */
    uint8_t row_a;        /* where in SrcA the last instruction began; SHIFTXA looks at it */
    bool plain;           /* no vector code, though the host has it; reset keeps this */
    bool narrow;          /* AVX2 at most; reset keeps this, too */
    bool fast, wide, fma; /* vector code is used: AVX2, AVX-512, FMA */
    uint32_t seed, noise; /* stochastic rounding: the seed last seen, the generator's state */
    struct matrix_numbers {
        uint16_t movx2d, movd2a, movd2b;   /* MOVX2D_WINDOW, MOVD2A_WINDOW, MOVD2B_WINDOW */
        uint16_t latency[256], issue[256]; /* by opcode */
        uint16_t traits[256];              /* matrix_traits[], and MATRIX_LONG */
    } numbers;
    struct matrix_dot_memo memo; /* no state: with or without it all is the same */
};

/* What an instruction of one thread looks at and changes. */
struct matrix_io {
    struct src *src;
    struct dst *dst;
    struct rwc_thread *rwc;
    const struct lanes *lanes; /* whose LaneConfig masks moves; NULL: none */
    const struct config *config;
    const uint32_t *cfg; /* the thread's bank of Config */
    const uint16_t *thread_config;
    struct probe *probe;
    unsigned thread;
    unsigned dst_base; /* added to the Dst rows that its instructions name */
    uint32_t access;   /* DEST_ACCESS_CFG */
    bool ready[2];     /* its Src banks belong to the Matrix Unit */
    bool dst32;        /* arithmetic and MOVD2A, MOVD2B use 32-bit rows of Dst */
    bool mapped;       /* rows of Dst are not simply physical rows */
};

void matrix_reset(struct matrix *m, const struct timing *t);
/* As m->plain and m->narrow are now. */
void matrix_vectors(struct matrix *m);

/* What an instruction does, by opcode; made from matrix.def. */
enum {
    MATRIX_USES_A = 0x1,
    MATRIX_USES_B = 0x2,
    MATRIX_READS_DST = 0x4,
    MATRIX_WRITES_DST = 0x8,
    MATRIX_ADDS_DST = 0x10,   /* reads Dst if dest_accum_en */
    MATRIX_MARKS_DST = 0x20,  /* reaches it in no hazard */
    MATRIX_FLIPS = 0x40,      /* clear_dvalid in bits 23:22 */
    MATRIX_BANKS = 0x80,      /* hands over banks without them */
    MATRIX_MOD14 = 0x100,     /* addr_mode in bits 16:14 */
    MATRIX_MOD15 = 0x200,     /* addr_mode in bits 17:15 */
    MATRIX_OTHER = 0x400,     /* counters and banks in its own way: matrix_other() */
    MATRIX_AFTER_MOV = 0x800, /* held behind MOVA2D, MOVB2D, MOVDBGA2D */
    /* Closes slots behind it: */
    MATRIX_OPENS_MOVX2D = 0x1000,
    MATRIX_OPENS_MOVD2A = 0x2000,
    MATRIX_OPENS_MOVD2B = 0x4000,
    MATRIX_LONG = 0x8000, /* takes more than a slot, by its ISSUE: see matrix_reset() */
    MATRIX_HAZARD = 0xf000,
    /* Rows that it touches, if not eight: */
    MATRIX_FOUR = 0x10000,
    MATRIX_FROM_A = 0x20000, /* moves to Dst in the width of SrcA's format */
    MATRIX_FROM_B = 0x40000,
    MATRIX_TO_SRC = 0x80000,
    MATRIX_HISTOGRAM = 0x100000, /* clears the histogram of the packer: reaches beyond the unit */
    MATRIX_NO_DATA = 0x200000,   /* what it does to data is not modelled */
    MATRIX_IN_ROWS = 0x400000    /* many in a row have a body of their own: matrix_mul_mvmuls() */
};
#define MATRIX_REACHES_DST                                                                         \
    (MATRIX_READS_DST | MATRIX_WRITES_DST | MATRIX_ADDS_DST | MATRIX_MARKS_DST)

extern const uint32_t matrix_traits[256];

/* Rarer parts, in matrix.c. */
bool matrix_closed(const struct matrix *m, unsigned traits, uint64_t now);
void matrix_windows(struct matrix *m, uint8_t op, unsigned traits, uint64_t now);
void matrix_flips(const struct matrix_io *io, unsigned thread, const struct entry *e, uint64_t now);
void matrix_other(const struct matrix_io *io, unsigned thread, const struct entry *e, uint64_t now);
void matrix_check_stale(const struct matrix_io *io, unsigned thread, const struct entry *e);
/* The Dst hazard where rows are not simply physical rows. */
uint64_t matrix_mapped_ready(const struct matrix_io *io, const struct entry *e, unsigned row);
void matrix_mapped_write(const struct matrix_io *io, const struct entry *e, unsigned row,
                         uint64_t now);

/* What an instruction does to Src and Dst, by opcode; NULL: nothing. row: matrix_dst_row(). */
typedef void matrix_effect(struct matrix *m, const struct matrix_io *io, const struct entry *e,
                           unsigned row);
extern matrix_effect *const matrix_effects[256];

/* Looked up once, valid until Config, ThreadConfig or a bank changes. */
HOT_INLINE struct matrix_io matrix_io_of(struct src *src, struct dst *dst, struct rwc *rwc,
                                         const struct config *c, const struct lanes *lanes,
                                         unsigned thread, struct probe *p)
{
    const uint32_t *cfg = c->word[config_state_id(c, thread)];
    const uint16_t *thcfg = c->thread[thread];
    uint32_t access = cfg[cfg_word(CFG_DEST_SWIZZLE_32B)];
    bool dst32 = (cfg_get(cfg, CFG_FP32_ENABLED) | cfg_get(cfg, CFG_INT8_MATH_ENABLED)) &
                 !cfg_thread_get(thcfg, THCFG_FP16A_FORCE);
    return (struct matrix_io){.src = src,
                              .dst = dst,
                              .rwc = &rwc->t[thread],
                              .lanes = lanes,
                              .config = c,
                              .cfg = cfg,
                              .thread_config = thcfg,
                              .probe = p,
                              .thread = thread,
                              .dst_base = cfg_thread_get(thcfg, THCFG_MATH_OFFSET) +
                                          cfg_get(cfg, CFG_DEST_REGW_BASE),
                              .access = access,
                              .ready = {src_matrix_ready(src, SRC_A), src_matrix_ready(src, SRC_B)},
                              .dst32 = dst32,
                              .mapped = dst32 | ((access & 3) != 0)};
}

/* The Dst row an instruction starts at. */
HOT_INLINE unsigned matrix_dst_row(const struct matrix_io *io, uint32_t word)
{
    return (bits_get(word, 0, 10) + io->rwc->dst + io->dst_base) % DST_ROWS;
}

/* Ledger key of the wait, 0 if e may go; row: where in Dst. */
HOT_INLINE uint16_t matrix_judge(const struct matrix *m, const struct matrix_io *io,
                                 const struct entry *e, unsigned row, uint64_t now)
{
    unsigned traits = matrix_traits[e->op];
    if (traits & MATRIX_USES_A && !io->ready[SRC_A])
        return wait_key(WAIT_SRCA_BANK, OWNER_UNPACK0);
    if (traits & MATRIX_USES_B && !io->ready[SRC_B])
        return wait_key(WAIT_SRCB_BANK, OWNER_UNPACK1);
    if (traits & MATRIX_ADDS_DST && bits_get(e->word, 21, 1))
        traits |= MATRIX_READS_DST;
    if (traits & MATRIX_READS_DST &&
        now < (io->mapped ? matrix_mapped_ready(io, e, row) : io->dst->ready[row / 8]))
        return wait_key(WAIT_DST_WINDOW, OWNER_MATRIX);
    if (now < m->closed_end && matrix_closed(m, traits, now))
        return wait_key(WAIT_STRUCTURAL, OWNER_MATRIX);
    return 0;
}

/* What follows the data: Dst's hazard, counters, the pipe. op: e's, perhaps a constant. */
HOT_INLINE void matrix_after(struct matrix *m, const struct matrix_io *io, const struct entry *e,
                             uint8_t op, unsigned row, uint64_t now)
{
    unsigned traits = m->numbers.traits[op];
    if (traits & MATRIX_WRITES_DST) {
        if (io->mapped || traits & MATRIX_HAZARD)
            matrix_mapped_write(io, e, row, now);
        else
            dst_write(io->dst, row, now);
    }
    if (traits & MATRIX_MOD14)
        rwc_modify(io->rwc, io->thread_config, bits_get(e->word, 14, 3), true);
    else if (traits & MATRIX_MOD15)
        rwc_modify(io->rwc, io->thread_config, bits_get(e->word, 15, 3), true);
    else if (traits & MATRIX_OTHER)
        matrix_other(io, io->thread, e, now);
    if (traits & MATRIX_HAZARD)
        matrix_windows(m, op, traits, now);
    uint64_t done = now + m->numbers.latency[op];
    if (now >= m->done_at)
        m->users = 0;
    if (done > m->done_at)
        m->done_at = done;
}

/* Data, counters, Dst and hazards: all that an instruction does if it hands over no bank. */
HOT_INLINE void matrix_run(struct matrix *m, const struct matrix_io *io, const struct entry *e,
                           unsigned row, uint64_t now)
{
    if (matrix_effects[e->op])
        matrix_effects[e->op](m, io, e, row);
    matrix_after(m, io, e, e->op, row, now);
}

/* The same for MVMULs in a ring, up to n from index on, each so many cycles after the one before: those that hand over no
   bank and broadcast nothing. Returns how many went. */
unsigned matrix_mul_mvmuls(struct matrix *m, const struct matrix_io *io, const struct entry *slot,
                           unsigned index, unsigned n, uint64_t now, unsigned apart);

/* The thread has sent something: C4 looks at who did since the pipe was last empty. */
HOT_INLINE void matrix_use(struct matrix *m, unsigned thread)
{
    m->users |= (uint8_t)(1u << thread);
}

HOT_INLINE void matrix_launch(struct matrix *m, const struct matrix_io *io, unsigned thread,
                              const struct entry *e, unsigned row, uint64_t now)
{
    unsigned traits = matrix_traits[e->op];
    if (traits & (MATRIX_READS_DST | MATRIX_WRITES_DST) && io->config->n_busy)
        matrix_check_stale(io, thread, e);
    matrix_run(m, io, e, row, now);
    if (traits & MATRIX_FLIPS && e->word & UINT32_C(3) << 22)
        matrix_flips(io, thread, e, now);
    matrix_use(m, thread);
}

/* May e of this thread go in cycle now? Ledger key of the wait, 0 if it may. */
HOT_INLINE uint16_t matrix_check(const struct matrix *m, const struct matrix_io *io,
                                 const struct entry *e, uint64_t now)
{
    return matrix_judge(m, io, e, matrix_dst_row(io, e->word), now);
}

HOT_INLINE void matrix_start(struct matrix *m, const struct matrix_io *io, unsigned thread,
                             const struct entry *e, uint64_t now)
{
    matrix_launch(m, io, thread, e, matrix_dst_row(io, e->word), now);
}

/* Goes if it may; for words that hand over no bank, while nobody else uses the unit and Config stands
   still. The caller sees to matrix_use() if it went. */
HOT_INLINE uint16_t matrix_try(struct matrix *m, const struct matrix_io *io, const struct entry *e,
                               uint64_t now)
{
    unsigned row = matrix_dst_row(io, e->word);
    uint16_t key = matrix_judge(m, io, e, row, now);
    if (!key)
        matrix_run(m, io, e, row, now);
    return key;
}

/* What C4 sees. */
static inline bool matrix_busy(const struct matrix *m, unsigned thread, uint64_t now)
{
    return now < m->done_at && (m->users >> thread) & 1;
}

#endif
