/*
 * config.h - Configuration Unit: the two banks of Config, ThreadConfig, and the pipe with stages -4
 * to +1 through which everything but SETC16 goes.
 *
 * ISA pages: ConfigurationUnit, BackendConfiguration, WRCFG, RDCFG, RMWCIB, CFGSHIFTMASK, SETC16,
 * STREAMWRCFG (all Blackhole). Rules in time: docs/timing.md 4.4 to 4.6.
 */
#ifndef WG_STATE_CONFIG_H
#define WG_STATE_CONFIG_H

#include <stdbool.h>
#include <stdint.h>

#include "isa/tensix.h"
#include "state/gpr.h"
#include "state/queue.h"
#include "state/stream.h"

#define CONFIG_WORDS        224u /* CFG_STATE_SIZE * 4 */
#define CONFIG_THCON_BASE   64u  /* THCON_CFGREG_BASE_ADDR32 */
#define CONFIG_GLOBAL_BASE  180u /* from here on one value for both banks */
#define CONFIG_THREAD_WORDS 68u  /* THD_STATE_SIZE */

/* Words this and other units look at. */
#define CONFIG_STATE_RESET_EN 4u
#define CONFIG_DEST_REGW_BASE 6u
#define CONFIG_PRNG_SEED      186u
#define CONFIG_SCRATCH        209u /* three of them */
#define THCONFIG_STATE_ID     0u
#define THCONFIG_MATH_OFFSET  1u
#define THCONFIG_CLR_DVALID   7u  /* bit 0: SrcA disabled, bit 1: SrcB */
#define THCONFIG_PHASE_HI     57u /* STREAMWAIT_PHASE_HI_Val */
#define THCONFIG_MSGS_HI      58u /* STREAMWAIT_NUM_MSGS_HI_Val */
#define THCONFIG_STREAM_ID    59u /* four: STREAM_ID_SYNC_SEC */
#define THCONFIG_STREAM_TRISC 63u /* four: STREAM_ID_TRISC_SEC */

/* Index into stage[]: the documents' stage number plus four. */
enum config_stage {
    CONFIG_M4,
    CONFIG_M3,
    CONFIG_M2,
    CONFIG_M1,
    CONFIG_S0,
    CONFIG_P1,
    N_CONFIG_STAGES
};

enum config_source { CONFIG_FREE, CONFIG_INSN, CONFIG_CORE };

/* What sits in one stage of the pipe. */
struct config_slot {
    uint8_t busy;   /* enum config_source */
    uint8_t op;     /* opcode */
    uint8_t thread; /* or core, for CONFIG_CORE */
    uint8_t bank;   /* 0, 1; 2: both (core writes) */
    uint8_t second; /* CFGSHIFTMASK: in its second cycle */
    uint8_t n;      /* words in value[] */
    uint8_t owed;   /* WRCFG: registers that the Scalar Unit owes; << 4: that an RDCFG writes */
    uint16_t index; /* first Config word; RDCFG: the GPR */
    uint16_t tag;
    uint32_t word;
    uint32_t value[4];
};

/* An access by a core on its way. */
struct config_request {
    bool pending;
    bool gpr; /* a GPR write: index is the register, bank the thread */
    uint8_t bank;
    uint16_t index;
    uint32_t value;
    uint64_t made, arrives;
};

#define CONFIG_CORES 4u /* T0, T1, T2, B */

struct config {
    uint32_t word[2][CONFIG_WORDS];
    uint16_t thread[3][CONFIG_THREAD_WORDS];
    struct config_slot stage[N_CONFIG_STAGES]; /* where everybody is in the coming cycle */
    uint32_t seeds;                            /* writes of PRNG_SEED so far */
    bool late;      /* in this cycle a WRCFG has gone whose registers somebody else still writes */
    uint8_t n_busy; /* occupied stages */
    uint8_t n_requests;
    uint8_t last_core; /* served last */
    uint16_t travel;   /* RISC_MMIO_TRAVEL */
    uint16_t read_lag; /* WRCFG_READ_LAG */
    struct config_request request[CONFIG_CORES];
};

struct probe;

struct timing;
void config_reset(struct config *c, const struct timing *t);
/* Entry stage of an instruction; N_CONFIG_STAGES for SETC16, which does not use the pipe. */
unsigned config_entry(uint8_t op);
/* May an instruction enter at this stage in the coming cycle? */
bool config_can_enter(const struct config *c, unsigned stage);
/* An instruction goes: samples GPR and Config. */
void config_start(struct config *c, struct gpr *g, unsigned thread, const struct entry *e,
                  struct probe *p);
/* Without time: carries out e as a whole. False, and nothing happens, if it is one of the few that need the pipe, or
   others are in it. */
bool config_do(struct config *c, struct gpr *g, unsigned thread, const struct entry *e,
               struct probe *p);
/* End of the cycle. gpr_port_busy: the Scalar Unit writes a GPR in this cycle. True if anything
   moved. */
bool config_clock(struct config *c, struct gpr *g, const struct stream *s, bool gpr_port_busy,
                  struct probe *p);
/* Requests of cores that have arrived are carried out, after the instructions of the cycle have
   entered; open: config_can_enter(CONFIG_S0) held before they did. */
bool config_clock_requests(struct config *c, struct gpr *g, uint64_t now, bool open,
                           struct probe *p);
/* Files a core's request; false if its last one is still on its way. */
bool config_request(struct config *c, unsigned core, struct config_request r);
/* The WRCFG that has gone in this cycle without waiting for its registers; config_clock() may have moved it. */
struct config_slot *config_late(struct config *c);
/* The Scalar Unit writes bits of a register at the end of this cycle, and config_late() may still get them. */
void config_forward(struct config *c, unsigned thread, unsigned reg, uint32_t mask, uint32_t value);
/* The first register that a WRCFG reads. */
static inline unsigned config_wrcfg_gpr(uint32_t word)
{
    struct tensix_WRCFG a = tensix_WRCFG_decode(word);
    return a.wr128b ? a.gpr_address & ~3u : a.gpr_address;
}
/* Writes a word with all side effects; bank 2: both. */
void config_write(struct config *c, unsigned bank, unsigned index, uint32_t value, bool rmw);
/* Will a write to THCON configuration happen at the end of this cycle? */
bool config_writes_thcon(const struct config *c);
/* An instruction of this thread is in the pipe. */
bool config_in_flight(const struct config *c, unsigned thread);
/* A write of this word is still in the pipe. */
bool config_pending(const struct config *c, unsigned bank, unsigned index);

static inline unsigned config_state_id(const struct config *c, unsigned thread)
{
    return c->thread[thread][THCONFIG_STATE_ID] & 1;
}

#endif
