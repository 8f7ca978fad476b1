/*
 * gpr.h - the Tensix GPRs: 64 words of 32 bits per thread, shared by Scalar and Config Unit.
 *
 * ISA page: ScalarUnit. A pending bit says that an instruction has gone which will write the
 * register: whoever reads it now gets the old value, and is reported.
 */
#ifndef WG_STATE_GPR_H
#define WG_STATE_GPR_H

#include <stdbool.h>
#include <stdint.h>

#define GPR_COUNT 64u

struct gpr {
    uint32_t r[3][GPR_COUNT];
    uint64_t pending_scalar[3];           /* bit per register that the Scalar Unit owes */
    uint8_t pending_config[3][GPR_COUNT]; /* RDCFGs on their way to it */
};

static inline bool gpr_pending(const struct gpr *g, unsigned thread, unsigned reg)
{
    return (g->pending_scalar[thread] >> reg) & 1 || g->pending_config[thread][reg];
}

#endif
