/*
 * scalar.h - Scalar Unit (ThCon): DMAREG arithmetic on the GPRs, REG2FLOP, FLUSHDMA, and loads,
 * stores and atomics (scalar_memory.c).
 *
 * ISA page: ScalarUnit and its instructions. Rules in time: docs/timing.md 4.7 to 4.9.
 */
#ifndef WG_SCALAR_SCALAR_H
#define WG_SCALAR_SCALAR_H

#include "isa/tensix.h"
#include "isa/timing.h"
#include "state/adc.h"
#include "state/config.h"
#include "state/gpr.h"
#include "state/l1_port.h"
#include "state/packmeta.h"
#include "state/queue.h"
#include "state/src.h"

struct probe;

#define SCALAR_OPEN UINT64_MAX /* end not known yet: FLUSHDMA, STOREIND without its Src bank */
#define SCALAR_LOADS                                                                               \
    32u /* more than are ever under way: one starts every 3 cycles. Forced costs: see scalar_memory_end() */

/* Gone, and not yet executing: for one cycle, or for as long as another thread's instruction executes. Younger instructions of its
   thread overtake it. */
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
    bool memory;      /* a load, store or atomic ... */
    bool waits;       /* ... that could not end yet */
    uint32_t address; /* where: L1, a register, or the index into Src */
    uint32_t data[4]; /* what it takes there */
    uint64_t until;   /* memory instructions: first cycle without this request */
};

/* A value on its way to a GPR. */
struct scalar_load {
    uint64_t due; /* written at the end of this cycle */
    uint8_t thread, reg, n;
    uint16_t tag;
    uint32_t value[4], mask;
};

struct scalar {
    struct scalar_stage stage;
    struct scalar_op exec;
    uint64_t memory_until[3]; /* first cycle without outstanding requests, per thread */
    unsigned n_loads;
    struct scalar_load load[SCALAR_LOADS]; /* in the order of their requests */
    uint16_t second_read;                  /* SCALAR_SECOND_READ */
    struct timing_cost op[256];            /* by opcode */
};

/* Everything its instructions touch. */
struct scalar_io {
    struct gpr *gpr;
    struct config *config;
    struct adc *adc;
    struct src *src;
    const struct l1_port *l1;
    struct packmeta *meta;
    struct probe *probe;
    bool thcon_taken; /* the Config Unit writes THCON configuration in this cycle */
};

void scalar_reset(struct scalar *s, const struct timing *t);
/* Cycles of execution of this word. */
unsigned scalar_cycles(const struct scalar *s, const struct entry *e);
/* The unit takes an instruction of this thread in cycle now? While another thread's executes, it takes one into its stage, but not
   without time, where nothing is ever overtaken. */
static inline bool scalar_free(const struct scalar *s, unsigned thread, uint64_t now, bool untimed)
{
    return !s->stage.busy &&
           (!s->exec.busy || s->exec.end <= now || (s->exec.thread != thread && !untimed));
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
           (s->exec.busy && s->exec.thread == thread) || now < s->memory_until[thread];
}
/* Does it hold anything that scalar_clock() must look at? */
static inline bool scalar_holds(const struct scalar *s)
{
    return s->stage.busy | s->exec.busy | (s->n_loads != 0);
}
/* Will the write port of the GPRs be taken at the end of cycle now? Not by memory instructions. */
static inline bool scalar_writes_gpr(const struct scalar *s, uint64_t now)
{
    return s->exec.busy && s->exec.n && !s->exec.memory && s->exec.end <= now;
}
void scalar_start(struct scalar *s, struct gpr *g, unsigned thread, const struct entry *e,
                  struct probe *p);
/* The last cycle at whose end it writes a register that it owes; SCALAR_OPEN: that depends on others. */
uint64_t scalar_due(const struct scalar *s, unsigned thread, unsigned reg);
/* FLUSHDMA is executing and may end in cycle now if its conditions are met. */
static inline bool scalar_flushing(const struct scalar *s, uint64_t now)
{
    return s->exec.busy && s->exec.end == SCALAR_OPEN && s->exec.start < now && !s->exec.memory;
}
/* A memory instruction is in its last cycle and may find that it must wait. */
static inline bool scalar_trying(const struct scalar *s, uint64_t now)
{
    return s->exec.busy && s->exec.memory && (s->exec.end <= now || s->exec.end == SCALAR_OPEN);
}
/* Start of cycle now: an atomic that waits for a value tries again, a store to Src looks for its bank. False if
   it goes on waiting: until exec.end, or for an event if that is SCALAR_OPEN. */
bool scalar_memory_try(struct scalar *s, const struct scalar_io *io, uint64_t now);
/* Is it an atomic that waits for values in L1? Would it, if it tried now? */
static inline bool scalar_is_atomic(const struct scalar_op *o)
{
    return o->e.op == TENSIX_OP_ATCAS || o->e.op == TENSIX_OP_ATINCGETPTR;
}
bool scalar_memory_waits(const struct scalar *s, const struct scalar_io *io);
/* The word of L1 that decides about it. */
uint32_t scalar_memory_waits_at(const struct scalar *s);
/* First cycle in which a value arrives; UINT64_MAX if none is under way. */
uint64_t scalar_next_load(const struct scalar *s);
/* End of cycle now; true if anything changed. */
bool scalar_clock(struct scalar *s, const struct scalar_io *io, uint64_t now);
/* 16 bits of a register: SETDMAREG in its plain form. */
struct scalar_half {
    unsigned reg;
    uint32_t mask, value;
};
static inline struct scalar_half scalar_half(uint32_t word)
{
    struct tensix_SETDMAREG a = tensix_SETDMAREG_decode(word);
    unsigned shift = a.reg_index_16b & 1 ? 16 : 0;
    return (struct scalar_half){.reg = a.reg_index_16b / 2,
                                .mask = UINT32_C(0xffff) << shift,
                                .value = (a.payload_sig_sel | a.payload_sig_sel_size << 14)
                                         << shift};
}
/* Without time: carries out e if that takes nothing but GPRs: DMANOP, and SETDMAREG in its plain form. False, and nothing
   happens, if it does not, or others are under way. */
static inline bool scalar_do_plain(const struct scalar *s, struct gpr *g, unsigned thread,
                                   const struct entry *e)
{
    bool set = e->op == TENSIX_OP_SETDMAREG && !tensix_SETDMAREG_decode(e->word).set_signals_mode;
    if ((e->op != TENSIX_OP_DMANOP && !set) || scalar_holds(s))
        return false;
    if (set) {
        struct scalar_half h = scalar_half(e->word);
        g->r[thread][h.reg] = (g->r[thread][h.reg] & ~h.mask) | h.value;
    }
    return true;
}
/* Without time: carries out e as a whole. False, and nothing happens, if it may have to wait, or others are under way. */
bool scalar_do(struct scalar *s, const struct scalar_io *io, unsigned thread,
               const struct entry *e);

/* ---- between scalar.c and scalar_memory.c ---- */

/* A GPR as an instruction reads it whose execution starts. */
uint32_t scalar_read(const struct scalar *s, const struct scalar_io *io, unsigned reg);
/* Registers that a memory instruction writes: bit mask. */
uint64_t scalar_memory_targets(const struct entry *e);
/* Is it a memory instruction whose value comes later than its execution ends, to this register? */
bool scalar_memory_loads(const struct entry *e, unsigned reg);
/* Execution starts: operands are read. */
void scalar_memory_begin(struct scalar *s, const struct scalar_io *io);
/* Execution ends: memory is read or written. False: not in this cycle. */
bool scalar_memory_end(struct scalar *s, const struct scalar_io *io, uint64_t now);

#endif
