/*
 * matrix_in.h - what the files of the Matrix Unit's data path share: formats, and rows of Src and Dst.
 *
 * ISA pages: MVMUL, MOVA2D, MOVB2D, Dst (Blackhole). On Blackhole a format comes with the Src bank unless
 * DISABLE_IMPLIED_*_FMT says that Config has it.
 */
#ifndef WG_MATRIX_MATRIX_IN_H
#define WG_MATRIX_MATRIX_IN_H

#include <string.h>

#include "isa/cfg.h"
#include "matrix/matrix.h"
#include "num/format.h"

/* How an arithmetic instruction sees its data. */
struct matrix_style {
    uint32_t mask_a, mask_b; /* kept bits of the operands */
    uint8_t format;          /* SrcA's code, it decides */
    uint8_t phase;           /* fidelity phase */
    bool integer;            /* 8-bit integers, Dst INT32 */
    bool x8, a32;            /* as in num/fpu.h */
    bool keep_b;             /* exponent 0 in SrcB does not mean zero */
    bool random;             /* results are rounded stochastically */
};

struct matrix_style matrix_mul_style_of(struct matrix *m, const struct matrix_io *io);

/* Does an instruction that writes or reads Dst see 32-bit rows? */
bool matrix_move_wide(const struct matrix_io *io, const struct entry *e);

/* SrcA's code as Config has it. */
static inline unsigned matrix_config_format_a(const struct matrix_io *io)
{
    return cfg_get(io->cfg,
                   cfg_get(io->cfg, CFG_SRCA_FMT_OVERRIDE) ? CFG_SRCA_FMT_VAL : CFG_SRCA_FMT);
}

/* SrcA's code; an instruction that has SrcB's data only takes the code that came with them. */
static inline unsigned matrix_format_a(const struct matrix_io *io, unsigned which)
{
    if (cfg_thread_get(io->thread_config, THCFG_DISABLE_IMPLIED_SRCA_FMT))
        return matrix_config_format_a(io);
    return io->src->format[which][io->src->issue_bank[which] & 1] & 15;
}

static inline unsigned matrix_format_b(const struct matrix_io *io)
{
    if (cfg_thread_get(io->thread_config, THCFG_DISABLE_IMPLIED_SRCB_FMT))
        return cfg_get(io->cfg,
                       cfg_get(io->cfg, CFG_SRCB_FMT_OVERRIDE) ? CFG_SRCB_FMT_VAL : CFG_SRCB_FMT);
    return io->src->format[SRC_B][io->src->issue_bank[SRC_B] & 1] & 15;
}

static inline bool matrix_five(unsigned format)
{
    return num_formats[format & 15].exponent == 5;
}

/* The rows of the bank that the Matrix Unit points at. */
static inline uint32_t (*matrix_src(const struct matrix_io *io, unsigned which))[SRC_COLUMNS]
{
    return io->src->d[which][io->src->issue_bank[which] & 1];
}

/* The same, to be written. */
static inline uint32_t (*matrix_src_out(const struct matrix_io *io, unsigned which))[SRC_COLUMNS]
{
    src_wrote(io->src, which, io->src->issue_bank[which] & 1);
    return matrix_src(io, which);
}

/* A row of Dst in its halves; low: NULL for 16 bits. */
struct matrix_row {
    uint16_t *high, *low;
};

/* Row r, valid from now on. fill: what an invalid row reads as. */
static inline struct matrix_row matrix_open(const struct matrix_io *io, unsigned r, bool wide,
                                            uint8_t fill)
{
    struct dst *d = io->dst;
    unsigned p = wide ? dst_row32(r, io->access) : dst_row16(r, io->access);
    struct matrix_row row = {d->d[p], wide ? d->d[p + DST_LOW] : NULL};
    if (!d->valid[p]) {
        memset(row.high, fill, sizeof d->d[0]);
        if (wide)
            memset(row.low, fill, sizeof d->d[0]);
        d->valid[p] = 1;
    }
    return row;
}

/* Data effects; a row whose effect is "nothing" has none. */
/* clang-format off */
#define MATRIX(name, banks, dst, rows, counters, window, effect, traits) \
    matrix_effect matrix_##effect;
#include "matrix/matrix.def"
/* clang-format on */

#endif
