/*
 * gpr.h - the Tensix GPRs: 64 words of 32 bits per thread, shared by Scalar and Config Unit.
 *
 * ISA page: ScalarUnit. A pending bit says that an instruction has gone which will write the
 * register: whoever reads it now gets the old value. A register that was written in this cycle is fresh:
 * whoever takes it at the end of this cycle gets the new value, and would have got the old one a cycle earlier. Both are
 * reported, with the margin: how many cycles it was in time, or, below 0, too early.
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
    uint64_t fresh_at;                    /* the last cycle in which RDCFG or a load wrote ... */
    uint64_t fresh[3];                    /* ... these: bit per register */
};

static inline bool gpr_pending(const struct gpr *g, unsigned thread, unsigned reg)
{
    return (g->pending_scalar[thread] >> reg) & 1 || g->pending_config[thread][reg];
}

/* RDCFG, or the value of a load, writes a register at the end of cycle now. */
static inline void gpr_freshen(struct gpr *g, unsigned thread, unsigned reg, uint64_t now)
{
    if (g->fresh_at != now)
        g->fresh[0] = g->fresh[1] = g->fresh[2] = 0;
    g->fresh_at = now;
    g->fresh[thread] |= UINT64_C(1) << reg;
}

static inline bool gpr_fresh(const struct gpr *g, unsigned thread, unsigned reg, uint64_t now)
{
    return g->fresh_at == now && (g->fresh[thread] >> reg) & 1;
}

#endif
