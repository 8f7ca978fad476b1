/*
 * rvcore.h - one "baby" RISC-V core, executed instruction by instruction without time.
 *
 * ISA pages: BabyRISCV/README, InstructionSet, CSRs, MemoryOrdering, PushTensixInstruction, PIC
 * (Blackhole). The instructions are the rows of isa/rv32.def.
 *
 * struct rvcore is plain data without pointers: copying it copies the core. Memory, the decoded
 * instructions and the world behind the Load/Store Unit come with every call (struct rvmem).
 *
 *     addresses below l1_size             m->l1, loads through the L0 data cache
 *     RV_LOCAL_BASE + 0 .. local_size-1   m->local
 *     everything else                     m->bus
 *
 * One call of rvcore_run() executes up to `quota` steps. A step is an instruction, or up to four
 * fused .ttinsn. Where the bus says RV_BLOCK nothing of the instruction has happened; the core is
 * RV_BLOCKED with pc on it, and the next call tries it again.
 */
#ifndef WG_CORE_RVCORE_H
#define WG_CORE_RVCORE_H

#include <stdbool.h>
#include <stdint.h>

#include "state/rvcode.h"

struct l1_watch;

/* Which core; the order is that of enum map_core in tile/map.h. */
enum rv_which { RV_T0, RV_T1, RV_T2, RV_B, RV_NC, RV_N_CORES };

enum rv_state {
    RV_HELD,    /* in reset; executes nothing */
    RV_RUNNING, /* goes on with the next call */
    RV_BLOCKED, /* the bus did not take the access at pc; goes on with the next call */
    RV_STOPPED  /* see enum rv_stop; executes nothing until rvcore_resume() */
};

enum rv_stop { RV_STOP_NONE, RV_STOP_EBREAK, RV_STOP_ECALL, RV_STOP_FAULT };

enum rv_access { RV_ACCESS_NONE, RV_ACCESS_LOAD, RV_ACCESS_STORE, RV_ACCESS_PUSH };

enum rv_status {
    RV_OK,
    RV_SAME, /* a load without time: RV_OK, and the same again until the core does something outside */
    RV_BLOCK,  /* try the same instruction again later */
    RV_EARLY,  /* the same, but the core does not wait: others go first */
    RV_STAGED, /* with time: handed over; whether it was taken is known at the end of the cycle */
    RV_FAULT   /* no such access: a load gives 0, a store is lost; told as RV_FAULT_BUS */
};

/* What a core can complain of; struct rvbus fault(). The last column of each line: what the
   argument is, and what happens when the policy does not stop the core. */
enum rv_fault {
    RV_FAULT_ILLEGAL,     /* word; no such instruction on any core, or not on this one: skipped */
    RV_FAULT_UNSUPPORTED, /* word; legal, but not for these operands or this vtype: skipped */
    RV_FAULT_FETCH,       /* pc outside L1 or not a multiple of 4; always stops */
    RV_FAULT_BUS,         /* address; the bus has nothing there */
    RV_FAULT_MISALIGNED,  /* address; rounded down. Told once per reset */
    RV_FAULT_AMO,         /* address outside L1; gives 0 and writes nothing */
    RV_FAULT_PUSH,        /* Tensix word; NC cannot push: the word is lost */
    RV_FAULT_CSR,         /* CSR number; reads 0, writes are lost */
    RV_FAULT_CSR_WRITE,   /* CSR number; a write inside an interrupt handler is lost */
    RV_N_FAULTS
};

/* How what is read can change. A round of a loop that finds the same again is a fixpoint only if every source that it
   reads is one; which is which: isa/rv32_csr.def, tile/source.def. */
enum rv_source {
    RV_SOURCE_CONSTANT, /* by nothing but the core's own instructions */
    RV_SOURCE_EVENT,    /* when somebody acts; the clock is told */
    RV_SOURCE_UNTOLD,   /* when somebody acts; nobody is told */
    RV_SOURCE_RAM,      /* the same: data RAM of a core */
    RV_SOURCE_FREE,     /* with time */
    RV_SOURCE_ACT       /* by the read itself, or the read is reported */
};

/* Faults after which the core stops unless the owner changes struct rvcore stop_on. */
#define RV_STOP_ON_DEFAULT                                                                         \
    (UINT32_C(1) << RV_FAULT_ILLEGAL | UINT32_C(1) << RV_FAULT_UNSUPPORTED |                       \
     UINT32_C(1) << RV_FAULT_FETCH)

/* The world behind the Load/Store Unit. core is enum rv_which. Any pointer may be NULL: then the
   access is RV_FAULT (load, store, push), reads 0 (status), or nobody is told (the others). */
struct rvbus {
    /* size is 1, 2 or 4, addr a multiple of it; value in the low bits, the rest ignored or 0 */
    enum rv_status (*load)(void *ctx, unsigned core, uint32_t addr, unsigned size, uint32_t *value);
    enum rv_status (*store)(void *ctx, unsigned core, uint32_t addr, unsigned size, uint32_t value);
    /* n = 1..4 Tensix words that enter the queue in one cycle; pc of the first .ttinsn */
    enum rv_status (*push)(void *ctx, unsigned core, const uint32_t *words, unsigned n,
                           uint32_t pc);
    /* the live value of CSR 0xBC0..0xBC9 */
    uint32_t (*status)(void *ctx, unsigned core, unsigned csr);
    void (*fault)(void *ctx, unsigned core, enum rv_fault kind, uint32_t pc, uint32_t word_or_addr);

    /* With time only (rvpipe.h). */
    /* cycles of a load */
    unsigned (*latency)(void *ctx, unsigned core, uint32_t addr);
    /* who answers at an address: enum wait_owner */
    unsigned (*owner)(void *ctx, unsigned core, uint32_t addr);
    /* why an access that was refused with RV_BLOCK must wait: wait_key() */
    uint16_t (*why)(void *ctx, unsigned core, enum rv_access access, uint32_t addr);
    /* how can what this load finds change? */
    enum rv_source (*source)(void *ctx, unsigned core, uint32_t addr, unsigned size);
    /* where that is RV_SOURCE_RAM: of which core? */
    unsigned (*ram)(void *ctx, unsigned core, uint32_t addr);
    /* may a store there stop this very core? NULL: no */
    bool (*stops)(void *ctx, unsigned core, uint32_t addr);
    /* an access to L1 in cycle t would meet one of a core that is not looked at (it polls): true if
       that core was woken and must have its turn first */
    bool (*l1_meets)(void *ctx, unsigned core, uint32_t addr, uint64_t cycle, unsigned cycles);
};

/* ---- the memory ---- */

struct rvmem {
    const uint8_t *l1; /* written through l1_port.h only */
    uint32_t l1_size;  /* a multiple of 256 */
    uint8_t *local;
    uint32_t local_size; /* RV_LOCAL_SIZE(which), a multiple of 4 */
    struct rvcode *code;
    const struct rvbus *bus;
    void *ctx;
    const struct l1_watch *watch; /* whom to tell of writes to L1; NULL: nobody */
    uint8_t agent;                /* enum wait_owner: in whose name it writes */
};

#define RV_LOCAL_BASE        UINT32_C(0xffb00000)
#define RV_LOCAL_SIZE(which) ((which) == RV_B || (which) == RV_NC ? 8192u : 4096u)

/* ---- the core ---- */

#define RV_VLENB    16u
#define RV_L0_LINES 4u
#define RV_L0_LINE  16u
#define RV_L0_EMPTY UINT32_MAX

/* cfg0, CSR 0x7C0: the bits that change what a program computes or pushes. */
#define RV_CFG0_NO_L0           (UINT32_C(1) << 3)
#define RV_CFG0_PMC_CLEAR       (UINT32_C(1) << 8)
#define RV_CFG0_NO_FUSE         (UINT32_C(1) << 18)
#define RV_CFG0_NO_L0_FLUSH     (UINT32_C(1) << 24)
#define RV_CFG0_STATUS_FROZEN   (UINT32_C(1) << 29)
#define RV_CFG0_BFLOAT          (UINT32_C(1) << 30)
#define RV_CFG0_BFLOAT_RNE      (UINT32_C(1) << 31)
#define RV_CFG0_RESET           (UINT32_C(16) << 13) /* StMergeTimer */
#define RV_L0_REQUESTS_TO_FLUSH 128u

/* The last load that may be a poll; see rvcore_poll.c. */
struct rvpoll {
    uint32_t pc, value;
    uint64_t steps; /* of the core when it was made */
    uint32_t x[32]; /* registers then, if known */
    bool known;
    uint8_t round; /* steps of a round that was found to be in vain */
};

struct rvcore {
    uint32_t x[33]; /* x[0] is always 0; x[32] takes what is written to x0 */
    uint32_t pc;
    uint32_t f[32];               /* FLEN is 32; halves are NaN-boxed */
    uint8_t v[32][RV_VLENB];      /* T2 only */
    uint8_t which;                /* enum rv_which */
    uint8_t state;                /* enum rv_state */
    uint8_t stop;                 /* enum rv_stop, when STOPPED */
    uint8_t fault;                /* enum rv_fault, when stopped by one */
    uint8_t access;               /* enum rv_access, when BLOCKED */
    uint8_t in_handler;           /* between rvcore_interrupt() and mret */
    uint8_t told_misaligned;      /* RV_FAULT_MISALIGNED was reported */
    uint8_t l0_off;               /* follows cfg0 and pmacfg */
    uint32_t resets;              /* how often it went into reset or came out of it */
    uint32_t vec_done;            /* elements a blocked vector access has behind it */
    uint32_t block_addr;          /* when BLOCKED; of a push 0xFFE40000 */
    uint32_t stop_on;             /* bit per enum rv_fault: stop the core after it */
    uint32_t interrupted_pc;      /* where mret goes */
    uint64_t steps;               /* executed steps: without time, mcycle counts them */
    uint64_t stalled;             /* with time: cycles since reset beyond steps */
    uint64_t fused;               /* instructions beyond the first of each fused push */
    uint64_t mcycle_offset;       /* mcycle = steps + stalled + this */
    uint64_t minstret_offset;     /* minstret = steps + fused + this */
    uint32_t l0_tag[RV_L0_LINES]; /* addr >> 4, RV_L0_EMPTY */
    uint8_t l0_data[RV_L0_LINES][RV_L0_LINE];
    uint32_t l0_requests; /* since the last flush by count */
    /* CSRs that are no more than storage, or whose meaning lies elsewhere */
    uint32_t fcsr, vxsat, vxrm, vl, vtype, vlenb;
    uint32_t cfg0, pmacfg[2], scratch[4]; /* cfg1, hwa_mask, hwa_cfg, vgsrc */
    uint32_t mcountinhibit, mhpmevent[2];
    uint64_t mhpmcounter[2];
    uint32_t status[10]; /* 0xBC0..0xBC9: frozen, or scratch on B and NC */
    uint32_t intp_restore_pc;
    struct rvpoll poll;
    /* Untimed, for a scheduler that takes agents in the order of their virtual time, steps + lead. What others can see must
       not happen later than limit: the call ends before it. */
    uint64_t lead, limit;
    bool ordered; /* limit counts */
    bool parks;   /* a call ends where the core polls in vain, with poll.round set */
};

/* Out of reset with the first instruction at pc; registers zero, RV_RUNNING. */
void rvcore_reset(struct rvcore *c, unsigned which, uint32_t pc);
/* Into reset: RV_HELD. A core may do that to itself, by a store, or by a push: that instruction is its last. */
void rvcore_hold(struct rvcore *c);

/*
 * Executes at most quota steps, exactly quota unless the core blocks or stops. Returns how many. A
 * step that blocked, or that stopped the core, does not count.
 */
uint32_t rvcore_run(struct rvcore *c, const struct rvmem *m, uint32_t quota);
/* The same with another dispatcher (a plain switch); for tests, and for compilers without labels
   as values. */
uint32_t rvcore_run_plain(struct rvcore *c, const struct rvmem *m, uint32_t quota);

/* Goes on behind the ebreak, ecall or faulty instruction that stopped the core. */
void rvcore_resume(struct rvcore *c);
/* The PIC redirects core B or NC to a handler; false if it is in one already, or not RUNNING or
   BLOCKED, or another core. */
bool rvcore_interrupt(struct rvcore *c, uint32_t handler_pc);
/* Forget the L0 data cache. */
void rvcore_l0_flush(struct rvcore *c);

/* Virtual time. */
static inline uint64_t rvcore_time(const struct rvcore *c)
{
    return c->steps + c->lead;
}

/* instret, as CSR 0xB02 shows it. */
static inline uint64_t rvcore_instret(const struct rvcore *c)
{
    return c->steps + c->fused + c->minstret_offset;
}

#endif
