/*
 * coproc.h - the Tensix coprocessor of one tile: three front ends, three gates, the units, and the
 * ports through which cores reach them. coproc.c is the wiring diagram.
 *
 * All state is plain data embedded by value. A cycle: cores use the ports below (their requests are
 * staged), then coproc_step(). Nothing depends on the order in which ports are used.
 */
#ifndef WG_COPROC_COPROC_H
#define WG_COPROC_COPROC_H

#include "front/arbiter.h"
#include "front/frontend.h"
#include "front/gate.h"
#include "front/sync.h"
#include "matrix/matrix.h"
#include "move/mover.h"
#include "move/pack.h"
#include "move/unpack.h"
#include "probe/probe.h"
#include "scalar/scalar.h"
#include "state/adc.h"
#include "state/config.h"
#include "state/dst.h"
#include "state/gpr.h"
#include "state/l1_port.h"
#include "state/order.h"
#include "state/packmeta.h"
#include "state/regwrite.h"
#include "state/rwc.h"
#include "state/src.h"
#include "state/stream.h"
#include "vector/vector.h"
#include "wait/blame.h"
#include "wait/wait.h"

#define COPROC_THREADS 3
#define COPROC_NEVER   UINT64_MAX
#define COPROC_SETTLES                                                                             \
    65536u /* without time: cycles in which nothing new comes, and something is still under way */

/* What burst.c remembers of the last REPLAY it looked at. */
struct burst_memo {
    uint32_t word, records, ports;
};

/* What rush.c remembers of the last MOP of a thread: all its words, if MopCfg and the MOP are the same again. */
struct rush_memo {
    struct entry e;
    uint32_t cfg[MOP_CFG_WORDS];
    uint16_t mask_hi;
    uint8_t seen; /* 1: once, 2: more often, row and n are set */
    uint8_t n;    /* 0: it cannot go as a row */
    struct entry row[QUEUE_MAX];
};

/* The instruction of a thread that waits now. */
struct coproc_blamed {
    uint16_t key, tag;
    uint64_t since;
};

struct coproc {
    uint64_t now;         /* the cycle that coproc_step() will run next */
    struct timing timing; /* the machine's numbers; blocks have what they need of them */
    bool timed;           /* they are set */
    struct frontend fe[COPROC_THREADS];
    struct gate gate[COPROC_THREADS];
    struct sync sync;
    struct config config;
    struct gpr gpr;
    struct adc adc;
    struct rwc rwc;
    struct src src;
    struct dst dst;
    struct stream stream;
    struct unpack unpack;
    struct matrix matrix;
    struct pack pack;
    struct vector vector;
    struct scalar scalar;
    struct mover mover;
    struct regwrite regwrite;
    struct packmeta packmeta;
    struct arbiter arbiter;
    uint8_t sync_winner;  /* who got the sync group's slot in this cycle */
    bool sync_served;     /* a core's window write was served in the last cycle */
    uint64_t adc_at;      /* cycle + 1 of the last ADC instruction ... */
    bool adc_foreign;     /* ... and whether one addressed another thread's */
    uint8_t unpack_noted; /* two bits per unpacker: was it busy in the last cycle, did it wait */
    bool behind;          /* without time: words were pushed since coproc_rush() last ran */
    bool unexplained;     /* without time: what is held has not been looked at since */
    bool stuck;           /* without time: nothing moves before somebody asks for something */
    struct order order;   /* untimed: who goes next */
    uint64_t busy_to[N_AGENTS]; /* units: first cycle after the occupied stretch */
    uint64_t burst_after;       /* no burst is tried before this cycle */
    bool burst_over;            /* set from outside: the cycle that runs is the last of its burst */
    struct burst_memo burst_memo[COPROC_THREADS];
    struct rush_memo rush_memo[COPROC_THREADS];
    uint8_t burst_pause;              /* cycles that the last failed try put between */
    bool noted[256];                  /* opcodes already looked at by issue_note_op() */
    uint64_t issued[COPROC_THREADS];  /* instructions that left each gate */
    uint64_t last_go[COPROC_THREADS]; /* cycle of the last of them */
    struct ledger ledger[N_AGENTS];   /* by enum wait_owner */
    bool blame_on;                    /* count which instructions wait */
    struct coproc_blamed blamed[COPROC_THREADS];
    struct blame blame;
    struct probe probe;
    struct l1_port l1;
};

/* Reset state; the way to L1 and the probe's sink, mask and policy are kept, and so are the machine's numbers: typical ones if
   none were given before the first reset. */
void coproc_reset(struct coproc *cp);
/* The machine has these numbers from now on; everything is as after a reset. */
void coproc_time(struct coproc *cp, const struct timing *timing);
/* How much of the host's vector instructions the units may use: all, AVX2, none. The bits are the same. */
enum coproc_vectors { COPROC_ALL_VECTORS, COPROC_AVX2, COPROC_PLAIN };
void coproc_vectors(struct coproc *cp, enum coproc_vectors most);
/* Runs one cycle. True if anything moved in it. */
bool coproc_step(struct coproc *cp);
/* Runs as many cycles before `limit` as it can do at once; the same as so many coproc_step()s. For
   when no core does anything before limit; full: threads whose core waits to push, COPROC_L1_SEEN if
   what reaches L1 must do so in its cycle, for burst_over to be set. Returns how many it ran, often 0. */
#define COPROC_L1_SEEN 8u
uint64_t coproc_burst(struct coproc *cp, uint64_t limit, unsigned full);
/* Untimed: each thread runs until something holds it. False if nothing could move. _until: only what goes before a time, and
   only up to something that cores wait for. */
bool coproc_rush(struct coproc *cp);
bool coproc_rush_until(struct coproc *cp, uint64_t limit);
/* Is there room in a queue that is worth a turn of its core? */
bool coproc_rush_room(const struct coproc *cp, unsigned thread);
/* When it would do something next; ORDER_NEVER: not before somebody asks for something. */
uint64_t coproc_rush_next(const struct coproc *cp);
/* Without time: finds out what those wait for that stand still; for whoever wants to know. */
void coproc_rush_explain(struct coproc *cp);
/* Without time: may a bundle of words be pushed now? What was staged before is taken in; _ready: that need not be done. */
bool coproc_rush_push_open(struct coproc *cp, unsigned thread);
static inline bool coproc_push_ready(const struct coproc *cp, unsigned thread)
{
    return frontend_can_push(&cp->fe[thread]) && !cp->fe[thread].cfg_write;
}
/* Then frontend_enter() takes its words, and this makes sure that somebody looks after them. */
static inline void coproc_pushed(struct coproc *cp)
{
    cp->stuck = false;
    cp->behind = true;
}
/* Without time: a core's write of the semaphore window or of Config is carried out at once. */
void coproc_rush_sem_now(struct coproc *cp, unsigned core, unsigned sem, uint32_t value);
void coproc_rush_config_now(struct coproc *cp, unsigned bank, unsigned word, uint32_t value);
/* Finishes all that is in flight in the units, without letting anything leave a gate: between two
   steps this makes all latencies zero. True if anything was. */
bool coproc_drain(struct coproc *cp);
/* The core of this thread goes into reset: its words up to the MOP expander are dropped. */
void coproc_drop_pushed(struct coproc *cp, unsigned thread);
/* First cycle >= now in which something can change although no core acts; COPROC_NEVER if none.
   Meaningful after a coproc_step() that returned false. */
uint64_t coproc_quiet_until(const struct coproc *cp);
/* An atomic has found L1 unsuitable in the last cycle, and nothing but L1 can change that. */
bool coproc_retries(const struct coproc *cp);
/* Nothing outside has changed since before cycle `before`: will the coprocessor do nothing as long as that is so? An
   instruction that is tried again and again may be: one that waits for a value in L1, or that a device refuses. */
bool coproc_still(struct coproc *cp, uint64_t before);
/* All that is to come is another try of such an atomic, now or later. */
bool coproc_tries_again(const struct coproc *cp);
/* The same, and as L1 is now it will be refused again. */
bool coproc_tries_in_vain(struct coproc *cp);
/* Jumps to cycle `to`, up to which nothing changes. */
void coproc_skip(struct coproc *cp, uint64_t to);
/* Nothing in any front end, gate, unit or port. */
bool coproc_idle(const struct coproc *cp);
/* Books all ledgers up to now. */
void coproc_settle(struct coproc *cp);
/* The thread's wait in the last cycle; false if it was not waiting. */
bool coproc_thread_wait(const struct coproc *cp, unsigned thread, struct wait_record *out);

/* ---- ports for cores; at most one use per port and cycle ---- */

/* Core Ti pushes 1..4 words as one bundle; false: queue full, try again next cycle. */
bool coproc_port_push(struct coproc *cp, unsigned thread, const uint32_t *words, unsigned n,
                      unsigned tag);
/* Core B pushes behind thread's MOP expander; ask coproc_port_push_b_taken() after coproc_step(). */
void coproc_port_push_b(struct coproc *cp, unsigned thread, uint32_t word, unsigned tag);
bool coproc_port_push_b_taken(const struct coproc *cp, unsigned thread);
/* Core Ti writes its MopCfg[i]. */
void coproc_port_write_mop_cfg(struct coproc *cp, unsigned thread, unsigned i, uint32_t value);
/* Core Ti writes the semaphore window: value bit 0 = 0 posts, 1 gets. Repeat every cycle until
   coproc_port_sem_taken() is true after coproc_step(). Reading is free. */
void coproc_port_sem_write(struct coproc *cp, unsigned core, unsigned sem, uint32_t value);
/* The same by somebody else (enum wait_owner) who stands at the core's port. */
void coproc_port_sem_write_by(struct coproc *cp, unsigned core, unsigned sem, uint32_t value,
                              unsigned by, unsigned tag);
bool coproc_port_sem_taken(const struct coproc *cp, unsigned core);
unsigned coproc_port_sem_read(const struct coproc *cp, unsigned sem);
/* Core Ti (0..2) or B (3) writes a GPR or a Config word (bank 0, 1, or 2 = both): the request
   travels, the core goes on. False: its previous request is still on its way. */
bool coproc_port_gpr_write(struct coproc *cp, unsigned core, unsigned thread, unsigned reg,
                           uint32_t value);
bool coproc_port_config_write(struct coproc *cp, unsigned core, unsigned bank, unsigned word,
                              uint32_t value);
/* A core or unit stores a stream register; write: it takes any value, whatever stands behind it. */
void coproc_port_stream_store(struct coproc *cp, unsigned stream, unsigned reg, uint32_t value);
void coproc_port_stream_write(struct coproc *cp, unsigned stream, unsigned reg, uint32_t value);
/* The mover starts to move `count` pieces of 16 bytes, for a thread or for TDMA-RISC. */
#define COPROC_NO_THREAD COPROC_THREADS
void issue_occupy_mover(struct coproc *cp, unsigned thread, uint32_t count, unsigned mode);
/* What mop_sync and tensix_sync wait for. */
bool coproc_port_mop_idle(const struct coproc *cp, unsigned thread);
bool coproc_thread_idle(const struct coproc *cp, unsigned thread);

#endif
