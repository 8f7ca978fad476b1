/*
 * machine.h - up to four Alpha CPUs in lock step on one memory, and perhaps one device.
 *
 * Each cycle: first the owners act (stores reach memory, the device moves), then the CPUs by number. All is determined by
 * program and settings. Cycles in which nothing can change are jumped over.
 *
 * Invariant: a CPU's ledger adds up to the cycles since machine_start(), stopped CPUs included.
 */
#ifndef WG_ALPHA_MACHINE_H
#define WG_ALPHA_MACHINE_H

#include "alpha/pipe.h"

#define MACHINE_CPUS 4u

enum machine_end {
    MACHINE_LIMIT, /* the cycles were run */
    MACHINE_TRAP,  /* a CPU has stopped: machine.stopped */
    MACHINE_DONE,  /* all CPUs had stopped before, and all stores are in memory */
    MACHINE_HANG   /* CPUs wait, and nothing can change that */
};

/* The barrier coordinator: what an MB has asked the others for. */
struct machine_barrier {
    uint64_t since;                /* cycle of the request, PIPE_NEVER: none yet */
    uint64_t marker[MACHINE_CPUS]; /* stores that each CPU had taken by then */
};

struct machine {
    struct alpha_mem mem;
    struct pipe_settings set;
    struct pipe_env env;
    /* What moves with every cycle besides the CPUs, up to (not including) this one; NULL: nothing. */
    void (*follow)(void *context, uint64_t cycle);
    void *follow_context;
    unsigned n_cpus;
    unsigned stopped; /* number of the CPU of the last MACHINE_TRAP */
    uint8_t pending;  /* CPUs that have stopped, not reported yet: a bit each */
    bool no_skip;     /* run every cycle, also those in which nothing can change */
    uint64_t now;     /* next cycle */
    uint64_t skipped;
    struct machine_barrier barrier[MACHINE_CPUS];
    struct pipe cpu[MACHINE_CPUS];
    struct blame blame;
};

/* In zeroed memory. False: no memory. limit as for alpha_mem_init(). */
bool machine_init(struct machine *m, unsigned n_cpus, size_t limit);
void machine_free(struct machine *m);
/* Starts all CPUs at their cpu.pc with the settings of now. */
void machine_start(struct machine *m);
/* Runs up to so many cycles more. After MACHINE_TRAP, machine_resume() lets that CPU go on; otherwise it stays. */
enum machine_end machine_run(struct machine *m, uint64_t cycles);
void machine_resume(struct machine *m, unsigned cpu);
/* Books all ledgers up to now. */
void machine_settle(struct machine *m);

#endif
