/*
 * pack_row.h - the packer's datum pipeline: rows of Dst (or of L1, or zeros) to bytes for L1.
 *
 * ISA pages: Packers/README and the page of each stage.
 */
#ifndef WG_MOVE_PACK_ROW_H
#define WG_MOVE_PACK_ROW_H

#include <stdint.h>

#include "move/pack_plan.h"
#include "num/rows.h"
#include "state/dst.h"
#include "state/l1_port.h"
#include "state/packmeta.h"

/* Where the bytes of one PACR go; what was left over from the one before stands in front. */
struct pack_bytes {
    uint8_t *data, *exponents;
    unsigned bits, n_exponents; /* so far */
};

/* Largest output of one PACR: 64 datums of 4 bytes behind an open block, and its completion. */
#define PACK_DATA_MAX      (16u + 256u + 16u)
#define PACK_EXPONENTS_MAX 32u

/* A plan that is fast, p->bytes of it. rows: the code for rows in one pass. */
void pack_row_fast(const struct pack_plan *p, const struct num_rows *rows, const struct dst *d,
                   uint8_t *to, uint8_t *exponents);
/* n PACRs with a plan that is quick, each with the run of rows from run[] on. */
void pack_row_many(const struct pack_plan *p, const struct num_rows *rows, const struct dst *d,
                   const uint16_t *run, unsigned n, uint8_t *to);
/* Any plan. rng: state of the stochastic rounding; h: NULL if nobody counts. */
void pack_row_run(const struct pack_plan *p, const struct num_rows *rows, const struct dst *d,
                  const struct l1_port *l1, uint32_t *rng, struct pack_histogram *h,
                  struct pack_bytes *out);

#endif
