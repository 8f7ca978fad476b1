/*
 * rvpipe_in.h - what the files of the core with time share; for rvpipe*.c only.
 */
#ifndef WG_CORE_RVPIPE_IN_H
#define WG_CORE_RVPIPE_IN_H

#include "base/hot.h"
#include "core/rvcore_in.h"
#include "core/rvpipe.h"

/* What became of an instruction that goes outside. */
enum pipe_result {
    PIPE_GO,      /* it is done */
    PIPE_PENDING, /* a load that its device has not answered */
    PIPE_STAY     /* not now: see pipe_wants(), pipe_sleeps() */
};

/* What an instruction that does not know when it goes on waits for. */
enum pipe_sleep {
    PIPE_SLEEP_OTHER, /* see why */
    PIPE_SLEEP_LOAD,  /* the load that is pending */
    PIPE_SLEEP_STORE  /* the head of the store queue */
};

/* An instruction on its way: where it stands, and when it enters EX1. */
struct pipe_insn {
    const struct rvinsn *e;
    const struct rvuse *u;
    uint32_t pc;
    uint64_t lat;      /* cycles to its result */
    uint64_t t;        /* cycle in EX1, as far as known */
    uint16_t why;      /* ledger_key(): what made that later than the cycle after the last one */
    uint16_t what;     /* ledger_key(): what waits for its result waits for this */
    unsigned hold;     /* cycles in EX1; 0: the next one waits for its retirement */
    uint16_t hold_why; /* what the next one then waits for */
    uint8_t sleeps;    /* enum pipe_sleep: what keeps it, if wants is RV_NEVER */
    uint64_t wants;    /* moment in which it can go on; RV_NEVER: when somebody else acts */
};

static inline void pipe_later(struct pipe_insn *i, uint64_t t, uint16_t why)
{
    if (t > i->t) {
        i->t = t;
        i->why = why;
    }
}

/* ---- rvpipe.c ---- */

/* May the core do something in cycle i->t that only it can see? */
bool pipe_reach(struct rvpipe *p, const struct rvpipe_io *io, struct pipe_insn *i);
/* May it do something that others can see? */
bool pipe_share(struct rvpipe *p, const struct rvpipe_io *io, struct pipe_insn *i,
                enum rv_phase phase);
/* May it complain (rvcore_fault())? Others see that, and when: a complaint can end the run. */
bool pipe_tells(struct rvpipe *p, struct rvpipe_io *io, struct pipe_insn *i);
/* The instruction waits for somebody else; key: for whom, if that is neither a load nor a store of its own. */
void pipe_sleep(struct pipe_insn *i, enum pipe_sleep what, uint16_t key);

/* ---- rvpipe_calm.c ---- */

/* Nothing is under way: the next instruction enters in the cycle after the last, whatever it is. */
static inline bool pipe_is_calm(const struct rvpipe *p)
{
    return !p->slow && !p->poll.on && p->next == p->at + 1 && p->busy <= p->next &&
           p->last <= p->at + 2 && p->last > p->at;
}
/* Executes as long as that is so. */
void pipe_calm(struct rvpipe *p, struct rvpipe_io *io);

/* ---- rvpipe_mem.c ---- */

enum pipe_result pipe_load(struct rvpipe *p, struct rvpipe_io *io, struct pipe_insn *i,
                           uint32_t addr, unsigned size, uint32_t *value);
enum pipe_result pipe_store(struct rvpipe *p, struct rvpipe_io *io, struct pipe_insn *i,
                            uint32_t addr, unsigned size, uint32_t value);
enum pipe_result pipe_push(struct rvpipe *p, struct rvpipe_io *io, struct pipe_insn *i, unsigned n);
enum pipe_result pipe_amo(struct rvpipe *p, struct rvpipe_io *io, struct pipe_insn *i);
enum pipe_result pipe_vec(struct rvpipe *p, struct rvpipe_io *io, struct pipe_insn *i);
/* All earlier stores have left and all earlier loads are answered. */
enum pipe_result pipe_quiet(struct rvpipe *p, struct rvpipe_io *io, struct pipe_insn *i);
/* Lets all stores leave that do so before cycle i->t; false: the clock is not there yet. */
bool pipe_drain_to(struct rvpipe *p, struct rvpipe_io *io, struct pipe_insn *i);
/* What can leave the store queue, or be answered, before the moment; true if anything did. */
bool pipe_drain(struct rvpipe *p, struct rvpipe_io *io, uint64_t before);
/* A try of the head of the queue has failed in cycle t. */
void pipe_refused(struct rvpipe *p, struct rvpipe_io *io, uint64_t t);
/* The moment of the next of these; RV_NEVER. */
uint64_t pipe_next_drain(const struct rvpipe *p, const struct rvpipe_io *io);

/* ---- rvpipe_poll.c ---- */

/* A backward jump from pc to target, from which the next instruction comes in cycle p->next. True: the core stays there:
   it is parked, or must be asked again in that cycle (loop.undecided). */
bool pipe_loop(struct rvpipe *p, struct rvpipe_io *io, uint32_t pc, uint32_t target);
/* Does a load in cycle t find what it found in the round before, because that was so then? */
static inline bool pipe_replays(const struct rvpipe *p, uint64_t t)
{
    return p->poll.on && t <= p->poll.until && p->poll.replayed < p->poll.n_reads;
}
/* The value of that load. */
uint32_t pipe_replay(struct rvpipe *p);
/* A load, or a status CSR, was read in cycle t. */
void pipe_record(struct rvpipe *p, struct rvpipe_io *io, uint64_t t, struct rvpipe_read read);
/* The loop goes on differently from cycle t on. */
void pipe_poll_end(struct rvpipe *p, struct rvpipe_io *io, uint64_t t);

#endif
