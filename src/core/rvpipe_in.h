/*
 * rvpipe_in.h - what the files of the core with time share; for rvpipe*.c only.
 */
#ifndef WG_CORE_RVPIPE_IN_H
#define WG_CORE_RVPIPE_IN_H

#include "base/hot.h"
#include "core/rvcore_in.h"
#include "core/rvpipe.h"

/* What became of an instruction that goes outside. */
enum rvpipe_result {
    PIPE_GO,      /* it is done */
    PIPE_PENDING, /* a load that its device has not answered */
    PIPE_STAY     /* not now: see wants and sleeps */
};

/* What an instruction that does not know when it goes on waits for. */
enum rvpipe_sleep {
    PIPE_SLEEP_OTHER, /* see why */
    PIPE_SLEEP_LOAD,  /* the load that is pending */
    PIPE_SLEEP_STORE  /* the head of the store queue */
};

/* An instruction on its way: where it stands, and when it enters EX1. */
struct rvpipe_insn {
    const struct rvinsn *e;
    const struct rvuse *u;
    uint32_t pc;
    uint64_t lat;      /* cycles to its result */
    uint64_t cycle;    /* cycle in EX1, as far as known */
    uint16_t why;      /* wait_key(): what made that later than the cycle after the last one */
    uint16_t what;     /* wait_key(): what waits for its result waits for this */
    unsigned hold;     /* cycles in EX1; 0: the next one waits for its retirement */
    uint16_t hold_why; /* what the next one then waits for */
    uint8_t sleeps;    /* enum rvpipe_sleep: what keeps it, if wants is RV_NEVER */
    uint64_t wants;    /* moment in which it can go on; RV_NEVER: when somebody else acts */
};

static inline void rvpipe_later(struct rvpipe_insn *i, uint64_t cycle, uint16_t why)
{
    if (cycle > i->cycle) {
        i->cycle = cycle;
        i->why = why;
    }
}

/* ---- rvpipe.c ---- */

/* May the core do something in cycle i->t that only it can see? */
bool rvpipe_reach(struct rvpipe *p, const struct rvpipe_io *io, struct rvpipe_insn *i);
/* May it do something that others can see? */
bool rvpipe_share(struct rvpipe *p, const struct rvpipe_io *io, struct rvpipe_insn *i,
                  enum rv_phase phase);
/* May it complain (rvcore_mem_fault())? Others see that, and when: a complaint can end the run. */
bool rvpipe_tells(struct rvpipe *p, struct rvpipe_io *io, struct rvpipe_insn *i);
/* The instruction waits for somebody else; key: for whom, if that is neither a load nor a store of its own. */
void rvpipe_sleep(struct rvpipe_insn *i, enum rvpipe_sleep what, uint16_t key);

/* ---- rvpipe_calm.c ---- */

/* Nothing is under way: the next instruction enters in the cycle after the last, whatever it is. */
static inline bool rvpipe_is_calm(const struct rvpipe *p)
{
    return !p->slow && !p->poll.on && p->next == p->at + 1 && p->busy <= p->next &&
           p->last <= p->at + 2 && p->last > p->at;
}
/* Executes as long as that is so. */
void rvpipe_calm(struct rvpipe *p, struct rvpipe_io *io);

/* ---- rvpipe_mem.c ---- */

enum rvpipe_result rvpipe_mem_load(struct rvpipe *p, struct rvpipe_io *io, struct rvpipe_insn *i,
                                   uint32_t addr, unsigned size, uint32_t *value);
enum rvpipe_result rvpipe_mem_store(struct rvpipe *p, struct rvpipe_io *io, struct rvpipe_insn *i,
                                    uint32_t addr, unsigned size, uint32_t value);
enum rvpipe_result rvpipe_mem_push(struct rvpipe *p, struct rvpipe_io *io, struct rvpipe_insn *i,
                                   unsigned n);
enum rvpipe_result rvpipe_mem_amo(struct rvpipe *p, struct rvpipe_io *io, struct rvpipe_insn *i);
enum rvpipe_result rvpipe_mem_vec(struct rvpipe *p, struct rvpipe_io *io, struct rvpipe_insn *i);
/* All earlier stores have left and all earlier loads are answered. */
enum rvpipe_result rvpipe_mem_quiet(struct rvpipe *p, struct rvpipe_io *io, struct rvpipe_insn *i);
/* Lets all stores leave that do so before cycle i->t; false: the clock is not there yet. */
bool rvpipe_mem_drain_to(struct rvpipe *p, struct rvpipe_io *io, struct rvpipe_insn *i);
/* What can leave the store queue, or be answered, before the moment; true if anything did. */
bool rvpipe_mem_drain(struct rvpipe *p, struct rvpipe_io *io, uint64_t before);
/* A try of the head of the queue has failed in cycle t. */
void rvpipe_mem_refused(struct rvpipe *p, struct rvpipe_io *io, uint64_t cycle);
/* The moment of the next of these; RV_NEVER. */
uint64_t rvpipe_mem_next_drain(const struct rvpipe *p, const struct rvpipe_io *io);

/* ---- rvpipe_poll.c ---- */

/* A backward jump from pc to target, from which the next instruction comes in cycle p->next. True: the core stays there:
   it is parked, or must be asked again in that cycle (loop.undecided). */
bool rvpipe_poll_loop(struct rvpipe *p, struct rvpipe_io *io, uint32_t pc, uint32_t target);
/* Does a load in cycle t find what it found in the round before, because that was so then? */
static inline bool rvpipe_replays(const struct rvpipe *p, uint64_t cycle)
{
    return p->poll.on && cycle <= p->poll.until && p->poll.replayed < p->poll.n_reads;
}
/* The value of that load; its line goes into the L0 data cache as it was then. */
uint32_t rvpipe_poll_replay(struct rvpipe *p, struct rvcore *c);
/* A load, or a status CSR, was read in cycle t. */
void rvpipe_poll_record(struct rvpipe *p, struct rvpipe_io *io, uint64_t cycle,
                        struct rvpipe_read read);
/* The loop goes on differently from cycle t on. */
void rvpipe_poll_end(struct rvpipe *p, struct rvpipe_io *io, uint64_t cycle);

#endif
