/*
 * scalar.h - Scalar Unit (ThCon): DMAREG arithmetic on the GPRs, REG2FLOP, FLUSHDMA, and the
 * timing of its memory instructions.
 *
 * ISA page: ScalarUnit and its instructions. Rules in time: docs/timing.md 4.7 to 4.9.
 */
#ifndef WG_UNIT_SCALAR_H
#define WG_UNIT_SCALAR_H

#include "base/fault.h"
#include "unit/adc.h"
#include "unit/config.h"
#include "unit/gpr.h"
#include "unit/queue.h"

struct probe;

#define SCALAR_OPEN UINT64_MAX /* end not known yet: FLUSHDMA */

/* Gone in the last cycle, executes from the coming one. */
struct scalar_stage {
    bool busy;
    uint8_t thread;
    struct entry e;
};

struct scalar_op {
    bool busy;
    uint8_t thread;
    struct entry e;
    uint64_t start, end; /* first and last cycle of execution */
    uint8_t n, reg;      /* GPRs it will write */
    uint32_t value[4], mask[4];
};

struct scalar {
    struct scalar_stage stage;
    struct scalar_op exec;
    uint64_t memory_until[3]; /* first cycle without outstanding requests, per thread */
};

/* Everything its instructions touch. */
struct scalar_io {
    struct gpr *gpr;
    struct config *config;
    struct adc *adc;
    struct probe *probe;
    bool thcon_taken; /* the Config Unit writes THCON configuration in this cycle */
};

void scalar_reset(struct scalar *s);
/* Cycles of execution of this word. */
unsigned scalar_cycles(const struct entry *e);
/* The unit takes an instruction in cycle now? */
static inline bool scalar_free(const struct scalar *s, uint64_t now)
{
    return !s->stage.busy && (!s->exec.busy || s->exec.end <= now);
}
/* Instructions of this thread for other units are held in cycle now? */
static inline bool scalar_blocks(const struct scalar *s, unsigned thread, uint64_t now)
{
    return s->exec.busy && s->exec.thread == thread && s->exec.start < now;
}
/* What C0 sees. */
static inline bool scalar_outstanding(const struct scalar *s, unsigned thread, uint64_t now)
{
    return (s->stage.busy && s->stage.thread == thread) ||
           (s->exec.busy && s->exec.thread == thread) || now < s->memory_until[thread] + FAULT(36);
}
/* Will a GPR be written at the end of cycle now? */
static inline bool scalar_writes_gpr(const struct scalar *s, uint64_t now)
{
    return s->exec.busy && s->exec.n && s->exec.end <= now;
}
void scalar_start(struct scalar *s, struct gpr *g, unsigned thread, const struct entry *e,
                  uint64_t now, struct probe *p);
/* FLUSHDMA is executing and may end in cycle now if its conditions are met. */
static inline bool scalar_flushing(const struct scalar *s, uint64_t now)
{
    return s->exec.busy && s->exec.end == SCALAR_OPEN && s->exec.start < now;
}
/* End of cycle now; true if anything changed. */
bool scalar_clock(struct scalar *s, const struct scalar_io *io, uint64_t now);

#endif
