/*
 * pipe.h - one Alpha CPU as a pipeline of six stages: IF DE IS EX MEM WB.
 *
 * A tick runs the stages from the oldest instruction to the youngest, so that MEM publishes a result before EX reads
 * registers: what entered EX in cycle t is seen by what enters EX in t + 1. Then whatever is not held moves on.
 * `at` maps stages to slots; moving is changing that map.
 *
 *     IF   takes the instruction at fetch_pc
 *     DE, IS  nothing yet to do
 *     EX   reads registers and memory, computes, decides branches; several cycles for some
 *     MEM  writes registers; holds barriers and STx_C
 *     WB   traps, CALL_PAL, stores to the write buffer; the instruction has retired
 *
 * A held instruction keeps everything younger where it is; everything older goes on, and a bubble that
 * knows why it is empty fills the gap. So every cycle in which WB retires nothing has a cause, an owner and a culprit.
 *
 * Invariants: a slot executes once, publishes once and stores once. Nothing of a wrong path reaches EX. cpu.reg holds
 * exactly the results of what has passed MEM.
 */
#ifndef WG_ALPHA_PIPE_H
#define WG_ALPHA_PIPE_H

#include <stdbool.h>
#include <stdint.h>

#include "alpha/alpha_exec.h"
#include "alpha/alpha_mem.h"
#include "alpha/predict.h"
#include "alpha/wbuf.h"
#include "probe/probe.h"
#include "wait/blame.h"
#include "wait/wait.h"

#define PIPE_NEVER        UINT64_MAX
#define PIPE_LATENCY_MOST 1000000u /* of an instruction */
#define PIPE_PLACES       256u

enum pipe_stage { PIPE_IF, PIPE_DE, PIPE_IS, PIPE_EX, PIPE_MEM, PIPE_WB, PIPE_STAGES };

enum pipe_latency {
#define LATENCY(id, name, least, cycles, most, evidence, source, text) PIPE_##id,
#include "alpha/latency.def"
    PIPE_N_LATENCIES
};

struct pipe_latency_info {
    const char *name;
    uint32_t least, cycles, most;
    uint8_t evidence;
    const char *source, *text;
};
extern const struct pipe_latency_info pipe_latencies[PIPE_N_LATENCIES];

/* What can be chosen. */
struct pipe_settings {
    uint32_t insn[ALPHA_N_LATENCIES]; /* by enum alpha_latency */
    uint32_t other[PIPE_N_LATENCIES];
    bool fp_pipelined; /* FBox: a result comes later, EX is free; else the operation stays in EX */
    bool wmb_marker;   /* WMB keeps its place among the stores; else it waits for them */
    bool frozen; /* one held slot stops all six: a ring that moves as a whole and can deadlock */
};

/*
 * What lies behind addresses that are not memory. An access is made once, when nothing older can trap or store any more: a
 * load in EX, a store in WB. ready() is asked in EX.
 */
struct pipe_device {
    uint64_t base, size; /* size 0: none */
    void *context;
    bool (*ready)(void *context, uint64_t now, uint64_t offset, unsigned size, bool store);
    uint64_t (*load)(void *context, uint64_t now, uint64_t offset, unsigned size);
    bool (*store)(void *context, uint64_t now, uint64_t offset, unsigned size, uint64_t value);
    unsigned (*owner)(void *context, uint64_t offset, bool store); /* enum wait_owner */
    uint64_t (*wake)(void *context, uint64_t now); /* earliest cycle in which it may be ready */
    /* Who has a store that was made and that loads do not see yet, OWNER_NONE: nobody. MB and WMB wait for it. NULL: never. */
    unsigned (*draining)(void *context, uint64_t now);
};

struct pipe_slot {
    uint8_t valid, executed, published, device;
    uint8_t odd;    /* WB has more to do than to count it */
    uint16_t flags; /* AF_... */
    uint16_t key;   /* wait_key(): why it is held, or why it is empty */
    struct alpha_insn i;
    uint64_t pc, predicted;
    uint64_t free; /* cycle in which EX lets it go */
    struct alpha_out out;
    uint64_t culprit; /* a bubble's: the instruction that made it */
};

/* What the settings make of an operation. */
struct pipe_cost {
    uint32_t busy;  /* cycles in EX */
    uint32_t ready; /* cycles from EX to those who want the result */
    uint32_t fbox;  /* cycles until it can trap no more; 0: it cannot */
    uint16_t flags; /* AF_... */
    uint16_t key;   /* whose fault it is when somebody waits for the result */
    uint8_t odd;    /* WB: a store, CALL_PAL */
    uint8_t late;   /* MEM: more than writing a register */
    uint8_t size;   /* of a memory access */
};

/* Lost cycles that are not in the table of places yet. */
struct pipe_lost {
    uint64_t pc, since;
    uint16_t key; /* 0: none */
};

struct pipe_env;

struct pipe {
    struct alpha_cpu cpu;
    struct pipe_slot *at[PIPE_STAGES]; /* the slot in this stage; slot[] in some order */
    uint8_t n;                         /* number of this CPU */
    uint8_t stall;                     /* stage that holds all before it; PIPE_STAGES: none */
    bool stopped;                      /* at cpu.trap, until pipe_resume() */
    bool fresh;                        /* IF has not fetched yet */
    struct pipe_slot slot[PIPE_STAGES];
    uint64_t fetch_pc;
    uint64_t code_page; /* the page that `code` is, or 1 */
    struct alpha_insn *code;
    uint64_t ready[ALPHA_N_REGS];     /* cycle from which EX may read the register ... */
    uint16_t ready_key[ALPHA_N_REGS]; /* ... and whose fault it is before */
    uint64_t fbox;                    /* cycle from which nothing in the FBox can trap */
    uint64_t mb_since;                /* cycle of the request of the MB in MEM, PIPE_NEVER: none */
    uint64_t wmb_mark;                /* stores that entered the write buffer before the last WMB */
    uint64_t wake;                    /* of the held slot; PIPE_NEVER: something else must change */
    struct pipe_cost cost[ALPHA_N_OPS];
    struct wbuf wbuf;
    struct predict predict;
    uint64_t retired, flushes, mispredicts;
    struct ledger ledger;
    uint8_t pair[N_WAITS];       /* of the ledger: where that of a cause was last */
    uint16_t place[PIPE_PLACES]; /* of the blame: where those of some instructions were last */
    bool blame_on;
    struct pipe_lost lost;
    struct blame *blame; /* places are pc >> 2 */
};

/* What the CPUs of a machine share. */
struct pipe_env {
    struct alpha_mem *mem;
    const struct pipe_settings *set;
    struct pipe_device device;
    struct probe *probe; /* NULL: no trace */
    void *context;
    /* Cycle from which every other CPU has acknowledged; PIPE_NEVER: not known yet. NULL: there is no other. */
    uint64_t (*acknowledged)(void *context, unsigned cpu, uint64_t since);
    /* A store is in memory: others lose their lock. NULL: no others. */
    void (*stored)(void *context, unsigned cpu, uint64_t address, unsigned size);
    /* An instruction retires; registers are those after it. NULL: nobody wants to know. */
    void (*retire)(void *context, const struct pipe *p, const struct pipe_slot *s, uint64_t now);
    void *retire_context;
};

/* The numbers of the tables. */
void pipe_settings_init(struct pipe_settings *s);
/* Sets a latency by name; false: no such name, or out of range. */
bool pipe_settings_latency(struct pipe_settings *s, const char *name, uint64_t cycles);
/* Empty, to start at cpu.pc in cycle now. cpu, n and blame are the caller's. */
void pipe_reset(struct pipe *p, const struct pipe_settings *s, uint64_t now);
/* Stores whose time has come reach memory. */
void pipe_act(struct pipe *p, const struct pipe_env *e, uint64_t now);
/* One cycle. If the CPU stops at a trap, cpu.trap says why and `stopped` is set. */
void pipe_tick(struct pipe *p, const struct pipe_env *e, uint64_t now);
/* One CPU by itself: cycles from now on, up to limit, or until it has stopped or waits for a later cycle. Returns the next.
   glide: several at once where they are of the common kind. */
uint64_t pipe_run(struct pipe *p, const struct pipe_env *e, uint64_t now, uint64_t limit,
                  bool glide);
/* Nothing is held: the next cycle will be another one. */
static inline bool pipe_moves(const struct pipe *p)
{
    return p->stall == PIPE_STAGES && !p->stopped;
}
/* First cycle > now in which anything can change; PIPE_NEVER: never by itself. After pipe_tick(). */
uint64_t pipe_quiet_until(const struct pipe *p, const struct pipe_env *e, uint64_t now);
/* Goes on at cpu.pc after a stop. */
void pipe_resume(struct pipe *p, uint64_t now);
/* Books all up to now. */
void pipe_settle(struct pipe *p, uint64_t now);
/* The instruction that is held, its cause and owner; false if nothing is. */
bool pipe_held(const struct pipe *p, const struct pipe_slot **slot, enum pipe_stage *stage);
extern const char *const pipe_stage_names[PIPE_STAGES];

#endif
