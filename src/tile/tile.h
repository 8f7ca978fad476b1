/*
 * tile.h - one Tensix tile: the coprocessor, five cores, L1, and what lies between them.
 *
 * All state is plain data embedded by value, about 2 MB; a program that makes many tiles should let the
 * system give zeroed pages. Two schedulers: the clocked one (clock.c), and the untimed one (tile.c), in
 * which each agent runs until it blocks and nothing has a latency.
 */
#ifndef WG_TILE_TILE_H
#define WG_TILE_TILE_H

#include "coproc/coproc.h"
#include "core/rvcore.h"
#include "core/rvpipe.h"
#include "core/rvproof.h"
#include "state/l1.h"
#include "state/l1_port.h"
#include "tile/core_dst.h"
#include "tile/dbgif.h"
#include "tile/mailbox.h"
#include "tile/map.h"
#include "tile/order.h"
#include "tile/pic.h"
#include "tile/sites.h"
#include "tile/tdma.h"
#include "tile/ttsync.h"
#include "tile/writers.h"

#define TILE_L1_SIZE       0x180000u
#define TILE_CONTROL_WORDS 1024u
#define TILE_NIU_WORDS     2048u /* of each NIU's window; the rest reads 0 */
#define TILE_PIC_QUOTA     8u    /* the same for a core that can be interrupted */
#define TILE_QUOTA         512u  /* steps of a core before the next agent has its turn */

#define TILE_ADVANCES                                                                              \
    65536u /* untimed: how often the coprocessor can go on before it wants something of a core */

#define TILE_UNTIL_MAX 32u

/* How a stretch of cycles ended. */
enum tile_end {
    TILE_END_LIMIT,   /* the cycles were run */
    TILE_END_DONE,    /* all programs have ended, nothing is in flight */
    TILE_END_HANG,    /* something is held and nothing in the tile can change that */
    TILE_END_STOPPED, /* as DONE, and a core was stopped by ebreak, ecall or a fault */
    TILE_END_UNTIL    /* the words that tile_clock_until() named have their values */
};

/* What a core waits for outside: bits. */
enum clock_wait {
    CLOCK_QUEUE = 1,  /* room in its own thread's queue */
    CLOCK_WORD = 2,   /* a word in a mailbox */
    CLOCK_BOX = 4,    /* room in a mailbox */
    CLOCK_THREAD = 8, /* its own thread to be idle */
    CLOCK_OTHER = 16  /* anything else */
};

/* The scheduler with time; see clock.c. Moments are those of rvlsu.h. */
struct tile_clock {
    bool on;       /* this tile runs with time */
    bool no_skip;  /* walk through everything */
    bool blame_on; /* count which instructions wait */
    bool until_met;
    bool
        no_proof; /* never end because cores go round loops for ever (proof.c): whoever runs it lets it run on */
    bool
        proven; /* the last run has ended for that reason, and nothing was done from outside since */
    bool no_looks;    /* for tests: a proof only when nobody names a moment any more */
    bool no_end;      /* for tests, with no_skip: walk on when nothing can happen any more */
    uint8_t end;      /* enum tile_end of the last run */
    uint32_t holds;   /* for tests: how often a core was put into reset */
    bool dead;        /* with no_skip: nothing can happen any more */
    uint8_t waiting;  /* cores that wait for the outside: pending, blocked or parked */
    uint8_t parked;   /* those that are parked */
    uint8_t polls;    /* cores in a loop in which nothing changes, parked or not, or lately so */
    uint8_t deaf;     /* those that only another core can let go on */
    uint8_t debugged; /* cores that the debugger has */
    uint8_t
        cut; /* cores that an earlier call has stopped, or that were woken, and that have not gone on since */
    uint8_t runs; /* core that runs now, or none: RV_N_CORES */
    uint8_t
        staged; /* cores that have handed something to the coprocessor, which answers in its step */
    uint8_t waits_for[RV_N_CORES]; /* enum clock_wait, of those that wait and are not parked */
    uint64_t now;     /* cycle of the access that is being made; between runs the next cycle */
    uint64_t limit;   /* of this run */
    uint64_t grant;   /* the core that runs may act before this moment */
    uint64_t coproc;  /* moment of the coprocessor's next step */
    uint64_t changed; /* cycle in which something that cores can see changed last */
    uint64_t moved;   /* cycle in which the coprocessor moved last */
    uint64_t active;  /* cycle before the last in which the coprocessor had something to do */
    uint64_t meet;    /* cycle in which two parked cores would meet at a bank of L1; RV_NEVER */
    uint64_t signal;  /* moment at which time alone changes what cores see of the coprocessor */
    unsigned n_until;
    struct {
        uint32_t address, value;
    } until[TILE_UNTIL_MAX];
};

struct tile {
    struct coproc coproc;
    struct tile_clock clock;
    struct tile_order order;        /* untimed */
    struct rvpipe pipe[RV_N_CORES]; /* by enum rv_which */
    struct rvproof proof
        [RV_N_CORES]; /* what they do for ever, when a run has ended because of that; see proof.c */
    struct l1 banks;
    struct writers writers;         /* who wrote a word of L1 last */
    struct rvcore core[RV_N_CORES]; /* by enum rv_which */
    struct mailbox mailbox;
    struct pcbuf pcbuf;
    uint32_t control[TILE_CONTROL_WORDS]; /* tile control registers that are plain storage */
    uint32_t soft_reset;
    bool inside;        /* a unit of the coprocessor makes an access of its own */
    uint32_t wall_high; /* latched by reading the low half */
    struct tdma tdma;
    struct pic pic;
    struct dbgif dbgif;
    struct ttsync ttsync;
    uint32_t niu[2][TILE_NIU_WORDS];
    struct sites sites; /* where words were pushed */
    uint64_t steps;     /* untimed: executed by all cores */
    uint32_t
        turn; /* steps of the turn that is under way, while they are traced; steps lacks them */
    uint8_t local[RV_N_CORES][8192];
    uint8_t l1_bytes[TILE_L1_SIZE]; /* seen with tile_l1(), written with tile_port() */
    struct rvcode code;
};

/* Power-up of a tile in zeroed memory: all cores held. */
void tile_reset(struct tile *tile);
/* The machine has these numbers, with time; right after tile_reset(). */
void tile_time(struct tile *tile, const struct timing *timing);
/* Untimed: runs until `budget` steps were executed or nothing moves. Returns the steps. */
uint64_t tile_run(struct tile *tile, uint64_t budget);
/* Nothing will move any more without the host: every core held, stopped or blocked, the
   coprocessor still. Meaningful after a tile_run() that returned early. */
bool tile_still(const struct tile *tile);
/* Lets the coprocessor do one thing, without time; false if there is nothing it can do. */
bool tile_advance(struct tile *tile);

/* With time: runs until `cycles` more were run or nothing can happen any more without the host. */
enum tile_end tile_clock_run(struct tile *tile, uint64_t cycles);
/* Time passes on a tile on which nothing can happen, up to this cycle. */
void tile_clock_pass(struct tile *tile, uint64_t cycle);
/* Somebody is about to see or do something in the cycle clock.now: what others see is the state of that cycle. */
void tile_clock_bus_begin(struct tile *tile);
/* The run shall end when all words named this way have their values; false: too many. */
bool tile_clock_until(struct tile *tile, uint32_t address, uint32_t value);
/* Have they? And: these bytes were written; if all have, the cycles that cores have already run are the last ones. */
bool tile_clock_until_met(const struct tile *tile);
void tile_clock_until_look(struct tile *tile, uint32_t address, uint32_t size);
/* A core as it is at the start of cycle clock.now: registers, pc, steps. A core that polls is not executed, so its own are those of
   some earlier round. */
void tile_clock_core_now(struct tile *tile, unsigned core, struct rvcore *out);
/* Books all ledgers, and what instructions have waited, up to now. */
void tile_clock_settle(struct tile *tile);
/* What the clock must know: the core leaves or enters reset; something that cores can read or wait for has
   changed in the cycle clock.now; words of L1 are about to be written by somebody; they were. */
void tile_clock_release(struct tile *tile, unsigned core);
void tile_clock_hold(struct tile *tile, unsigned core);
/* The debugger wants something of the core. */
void tile_clock_attend(struct tile *tile, unsigned core);
void tile_clock_changed(struct tile *tile);
void tile_clock_l1_changes(struct tile *tile, uint32_t address, uint32_t size);
void tile_clock_l1_changed(struct tile *tile, uint32_t address, uint32_t size);
/* The same for a core's data RAM, not by its own stores. */
void tile_clock_ram_changes(struct tile *tile, unsigned core);
/* Who is told of writes to L1 with time: by cores, the host and the tile; by units of the coprocessor. */
extern const struct l1_watch tile_watch, tile_unit_watch;
/* Somebody else looks at, or is about to change, what this core uses by itself: its data RAM, its pc, its code. It has run ahead by
   then, and goes on in the same way whether or not a call ends there. */
void tile_clock_core_ahead(struct tile *tile, unsigned core);
/* The coprocessor is asked for something in the cycle clock.now. */
void tile_clock_coproc_wake(struct tile *tile);
extern const struct rvbus tile_clock_bus;

/* Accesses by the NoC or the host: any size, any alignment, split into words where registers are.
   False if something was not there (reads give 0 for it). */
bool tile_read(struct tile *tile, uint32_t address, void *to, uint32_t size);
bool tile_write(struct tile *tile, uint32_t address, const void *from, uint32_t size);

/* Value of SOFT_RESET_0 after power-up, and its bits of the cores by enum rv_which. */
#define TILE_SOFT_RESET 0x47800u
extern const uint32_t tile_reset_bits[RV_N_CORES];
/* The cores as agents (enum wait_owner), by enum rv_which. */
extern const uint8_t tile_agents[RV_N_CORES];
/* The other way; RV_N_CORES: the agent is no core. */
unsigned tile_core_of(unsigned agent);
/* The same of a mailbox partner's number: B, T0, T1, T2. */
unsigned tile_partner(unsigned partner);

/* source.c: how what this load of a core would find can change; of a data RAM, whose it is. */
enum rv_source tile_source(struct tile *tile, unsigned core, uint32_t address, unsigned size);
unsigned tile_source_ram(unsigned core, uint32_t address);
/* bus.c: what the cores and the NoC see. */
extern const struct rvbus tile_bus;
/* Must an access to this address wait for what the core has pushed before (Auto TTSync)? */
bool tile_bus_ttsync_holds(const struct tile *tile, unsigned who, uint32_t address, bool store);
enum rv_status tile_bus_load(struct tile *tile, unsigned who, uint32_t address, uint32_t *value);
enum rv_status tile_bus_store(struct tile *tile, unsigned who, uint32_t address, unsigned size,
                              uint32_t value);
/* control.c: tile control, debug and status registers. */
uint32_t tile_control_read(struct tile *tile, uint32_t offset);
/* Would that read be reported? */
bool tile_control_tells(const struct tile *tile, uint32_t offset);
void tile_control_write(struct tile *tile, uint32_t offset, uint32_t value);
/* Where the core starts when it leaves reset. */
uint32_t tile_control_start_pc(const struct tile *tile, unsigned core);
/* Soft reset that lasts: what units may not change while they are held. */
void tile_control_hold_units(struct tile *tile);
/* The debug bus has control of what thread pushes: nobody else can. */
bool tile_control_debug_bus(const struct tile *tile, unsigned thread);
/* Dst16 is the high halves of Dst32: bit 11 of DBG_FEATURE_DISABLE. */
bool tile_control_dst_high(const struct tile *tile);
struct rvmem tile_memory(struct tile *tile, unsigned core);

/* L1, to read; and the one way to write it, for all but units (they have coproc.l1). */
static inline const uint8_t *tile_l1(const struct tile *tile)
{
    return tile->l1_bytes;
}
struct l1_port tile_port(struct tile *tile);

#endif
