/*
 * rvpipe.h - a baby RISC-V core with time: when each instruction enters EX1, and why not sooner.
 *
 * ISA pages: BabyRISCV/README (Pipeline), MemoryOrdering, CSRs. Blackhole. What instructions do is written in
 * rvcore_exec.def, for this and for the loop without time.
 *
 * The pipeline is a scoreboard of time stamps, not a row of stages: when is each register known, when does each
 * of the last eight instructions retire, when is the way out free. A core runs ahead of the tile through work on
 * registers and its own data RAM, at most io->ahead cycles; before each access that others can see, it waits
 * until the tile's clock has come there (rvlsu_moment(), rvpipe_run()'s grant).
 *
 * A load acts in the cycle in which it enters EX1; all its latency lies on the way back.
 */
#ifndef WG_CORE_RVPIPE_H
#define WG_CORE_RVPIPE_H

#include "core/rvfetch.h"
#include "core/rvlsu.h"
#include "probe/probe.h"
#include "wait/blame.h"
#include "wait/wait.h"

#define RVPIPE_AHEAD 256u /* as a rule */
#define RVPIPE_AHEAD_SHORT                                                                         \
    16u /* for a core that can be interrupted, or whose run may end at any time */
#define RVPIPE_READS 8u
#define RVPIPE_PENDS RV_NEVER /* latency of a load without an answer */

/* What a loop has read in one round: it can be parked if nothing of it changes anything. */
struct rvpipe_read {
    uint32_t addr; /* of a CSR 0xBC0.. its number */
    uint32_t pc;
    uint32_t value;
    uint32_t offset; /* cycles from the start of the round */
    uint8_t size;
    bool csr, l1, line;        /* line: its whole 16 bytes went into the L0 data cache ... */
    uint8_t bytes[RV_L0_LINE]; /* ... and were these */
};

/* Times relative to the start of a round; what has passed is 0. */
struct rvpipe_shape {
    uint32_t x[33];
    uint16_t avail[32], retired[32];
    uint16_t ring[T_RISC_RETIRE_DEPTH], slot[RVLSU_LOADS], last, answered;
    uint32_t l0_tag[RV_L0_LINES], l0_requests;
    uint8_t bypass;
};

struct rvpipe_loop {
    uint32_t pc;  /* where a round begins; UINT32_MAX: no loop */
    uint32_t end; /* the jump that ended the last one */
    bool shaped;  /* shape is that of the last start */
    /* The core stands at the start of a round that may be the last it is looked at. */
    bool undecided;
    bool clean; /* since the last start nothing but registers was written */
    uint8_t n_reads;
    uint8_t rest, pause; /* rounds before the next look; how many after the next failure */
    uint64_t start;      /* cycle of the last start */
    uint64_t first;      /* cycle of the first one */
    uint64_t steps;      /* core's steps at that time */
    uint32_t fused;
    struct rvpipe_read read[RVPIPE_READS];
    struct rvpipe_shape shape;
};

/* A core that goes round a loop in which nothing changes. */
struct rvpipe_poll {
    bool on;        /* cycles count as waiting */
    bool parked;    /* not executed: woken by rvpipe_poll_wake() */
    bool disturbed; /* not parked: this round will be held up by somebody at a bank of L1 */
    bool calls;     /* code outside of pc to end belongs to a round */
    uint8_t n_reads, replayed;
    uint32_t end;           /* address of the jump that ends a round */
    uint32_t period, steps; /* cycles and steps of a round */
    uint64_t start;         /* cycle of the start of a round */
    uint64_t until;         /* loads up to this cycle find what they found before */
    uint64_t since;
    struct rvpipe_read read[RVPIPE_READS];
};

/* What a core keeps of the machine's numbers; by the names of their rows. */
struct rvpipe_numbers {
    uint16_t mispredict, serial, load_local, load_l1;
    uint16_t div_trivial, div_min, div_max, div_bits;
    bool calm; /* they are such as rvpipe_calm.c rests on */
};

struct rvpipe {
    struct rvpipe_numbers numbers;
    uint64_t when;     /* moment of its next access to the outside, or of its next look; RV_NEVER */
    uint64_t at;       /* cycle of the last entry to EX1 */
    uint64_t next;     /* cycle from which on the front end has the next instruction for EX1 */
    uint16_t next_why; /* wait_key() if that is later than the cycle after `at` */
    uint64_t base;     /* how far it may run ahead is counted from here */
    uint64_t reset_at;
    uint32_t n;                         /* instructions that entered EX1, modulo 2^32 */
    uint64_t ring[T_RISC_RETIRE_DEPTH]; /* cycle of retirement of the last ones, by number */
    uint64_t done[T_RISC_RETIRE_DEPTH]; /* cycle from which on their results are known */
    uint8_t dest[T_RISC_RETIRE_DEPTH];
    uint64_t busy;                  /* from this cycle on all results are known */
    uint64_t last;                  /* retirement of the last one */
    uint64_t avail[RV_USE_COUNT];   /* cycle from which on a register can be read */
    uint64_t retired[RV_USE_COUNT]; /* retirement of its last writer */
    uint16_t why[RV_USE_COUNT];     /* what a reader would wait for */
    uint8_t bypass;     /* register that only the very next instruction gets sooner ... */
    uint64_t bypass_at; /* ... namely then; RV_USE_NONE: there is none */
    bool slow; /* held, bypass, a pending load or a trace: see to them at the next instruction */
    bool
        limited; /* the end of the call keeps the next instruction, which else might go on already */
    uint16_t settled; /* wait_key() under which a wait under way was booked at the end of a call */
    uint16_t held;    /* wait_key() while the core sleeps in the middle of a wait, else 0 */
    uint64_t floor; /* the next instruction has found that it cannot enter before this cycle ... */
    uint16_t floor_why; /* ... because of this */
    uint16_t stay;      /* what keeps the next instruction, as far as known */
    struct rvfetch fetch;
    struct rvlsu lsu;
    struct rvpipe_loop loop;
    struct rvpipe_poll poll;
};

/* What a call of rvpipe_run() works with. */
struct rvpipe_io {
    struct rvcore *c;
    const struct rvmem *m;
    struct l1 *l1;
    struct ledger *ledger;
    struct blame *blame; /* NULL: not wanted */
    struct probe *probe;
    unsigned agent;        /* enum wait_owner */
    unsigned ahead;        /* cycles it may run ahead */
    const uint64_t *grant; /* moment before which it may touch what others see; may come closer */
    const uint64_t *limit; /* cycle in which nothing happens any more */
    uint64_t *now;         /* told the cycle of each access to the outside */
    bool no_skip;          /* never park */
    bool replays;          /* only to see what it had done by a cycle: rvpipe_poll_at() */
    bool no_calm;          /* never use rvpipe_calm.c */
    bool parked;           /* some core is parked: l1_meets must be asked */
    bool waits;            /* some core polls or sleeps: it must be told of writes to L1 */
};

/* The core leaves reset in cycle now. ram: cycles until its data RAM can be used. */
void rvpipe_reset(struct rvpipe *p, const struct timing *t, uint64_t now, unsigned ram);
/* The core goes into reset, maybe by a store of its own that leaves the queue in this very call of rvpipe_run(). */
void rvpipe_hold(struct rvpipe *p);
/* Goes on from p->when as far as grant and limit allow; sets p->when. */
void rvpipe_run(struct rvpipe *p, struct rvpipe_io *io);
/* The same for a core whose next act is to let a push leave its store queue, if that is refused and only an instruction
   that finds the queue full waits for it. False: not so, and nothing is done. */
bool rvpipe_mem_refuse(struct rvpipe *p, struct rvpipe_io *io);
/* Cycle now ends the run for the time being: the ledger shall say why the core stands where it does. */
void rvpipe_settle(struct rvpipe *p, struct rvpipe_io *io, uint64_t now);
/* At the end of cycle t: was the store that the coprocessor had been handed taken? */
void rvpipe_staged(struct rvpipe *p, struct rvpipe_io *io, uint64_t cycle, bool taken);
/* Something changed in cycle t: what waits for the outside is tried again in the next. */
void rvpipe_changed(struct rvpipe *p, uint64_t cycle);
/* A parked core goes on as if it had gone round its loop up to now; what changed did so in cycle t. */
void rvpipe_poll_wake(struct rvpipe *p, struct rvcore *c, uint64_t cycle);
/* A core that polls comes to where it is at the start of cycle now, earlier or later than where it was looked at last: nothing that
   it reads changes between. */
void rvpipe_poll_at(struct rvpipe *p, struct rvpipe_io *io, uint64_t now);
/* Is any of these bytes code of the loop in which the core polls? Maybe, if that calls functions. */
bool rvpipe_poll_uses(const struct rvpipe *p, uint32_t addr, uint32_t size);
/* These bytes are overwritten: a round of which they are code says nothing about the next one. */
void rvpipe_poll_written(struct rvpipe *p, uint32_t addr, uint32_t size);
/* Code of a core that polls is about to be overwritten: from here on it is not known what its loop does. */
void rvpipe_poll_recode(struct rvpipe *p, struct rvpipe_io *io);
/* The instruction for which the core sleeps is overwritten in cycle t: the new one is tried in the next. */
void rvpipe_replaced(struct rvpipe *p, uint64_t cycle);
/* An interrupt or a debugger takes the pipeline away from the loop and waits of its program. */
void rvpipe_divert(struct rvpipe *p, struct rvpipe_io *io, uint64_t cycle);
/* A debugger has the core: what it has sent out goes on its way, nothing new is executed. False: not all of it is there yet. */
bool rvpipe_finish(struct rvpipe *p, struct rvpipe_io *io);
/* The debugger lets the core go on in cycle now. */
void rvpipe_start(struct rvpipe *p, uint64_t now);
/* Would a read of the parked core fall on this bank in the cycles from t on? */
bool rvpipe_poll_meets(const struct rvpipe *p, unsigned bank, uint64_t cycle, unsigned cycles);
/* The first cycle in which reads of two parked cores would fall on the same bank; RV_NEVER. */
uint64_t rvpipe_poll_meeting(const struct rvpipe *a, const struct rvpipe *b);

#endif
