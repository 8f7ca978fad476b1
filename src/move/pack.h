/*
 * pack.h - Packer: reads rows of Dst, converts them and writes L1.
 *
 * ISA pages: PACR (Blackhole), PACR_SETREG, Packers/README. Rules in time: docs/timing.md 4.13.
 */
#ifndef WG_MOVE_PACK_H
#define WG_MOVE_PACK_H

#include <stdbool.h>
#include <stdint.h>

#include "move/pack_plan.h"
#include "move/pack_row.h"
#include "state/adc.h"
#include "state/config.h"
#include "state/dst.h"
#include "state/l1_port.h"
#include "state/packmeta.h"
#include "state/queue.h"
#include "state/regwrite.h"

struct probe;

#define PACK_PENDING 16u /* more than fit into the pipe; the oldest is through before it wraps */

/* What one instruction writes when it is through: whole blocks of 16 bytes. */
struct pack_write {
    uint64_t due; /* at the end of this cycle */
    uint32_t data_at, exponents_at;
    uint16_t n_data, n_exponents; /* bytes */
    uint16_t n_add;               /* so many of the data are added to what is in L1 */
    uint8_t format;               /* as which */
    uint8_t ends;                 /* 1: a tile ends with it, 2: one that counts a header, too */
    bool sets;                    /* PACR_SETREG writes a register behind them */
    uint8_t thread;               /* for which thread, */
    uint32_t value;               /* what, */
    struct entry e;               /* and where */
    uint8_t data[PACK_DATA_MAX];
    uint8_t exponents[PACK_EXPONENTS_MAX];
};

/* One output stream: the block of 16 bytes that is being filled. */
struct pack_stream {
    uint32_t address; /* of the block */
    uint32_t bits;    /* in it */
    uint8_t part[16];
};

struct pack {
    uint64_t done_at[3];      /* per thread: first cycle without an instruction in the pipe */
    uint64_t pipe;            /* PACK_PIPE */
    uint16_t setreg, tbufcmd; /* issue costs of PACR_SETREG, TBUFCMD */
    uint64_t free_at;         /* first cycle in which the interfaces take another one */
    uint8_t odd;              /* enum pack_odd: what has been reported */
    bool plain;               /* no vector code, though the host has it; reset keeps this */
    bool fast;                /* vector code is used */
    struct pack_position at;
    struct pack_stream data, exponents;
    struct pack_memo memo;
    uint32_t rng, seed; /* stochastic rounding; the seed it comes from */
    uint32_t head, n;   /* of pending[] */
    uint8_t n_sets;     /* so many of them will write a register */
    struct pack_write pending[PACK_PENDING];
};

/* What an instruction looks at and changes. */
struct pack_io {
    const struct config *config;
    struct adc *adc;
    struct dst *dst;
    const struct l1_port *l1;
    struct regwrite *regwrite;
    struct packmeta *meta;
    struct probe *probe;
};

struct timing;
void pack_reset(struct pack *k, const struct timing *t);
/* May e go in cycle now? Ledger key of the wait, 0 if it may. */
uint16_t pack_check(const struct pack *k, const struct pack_io *io, unsigned thread,
                    const struct entry *e, uint64_t now);
/* It goes; returns the first cycle in which it is through. */
uint64_t pack_start(struct pack *k, const struct pack_io *io, unsigned thread,
                    const struct entry *e, uint64_t now);
/*
 * Without time, with an empty pipe: PACRs of a ring of QUEUE_MAX words, n of them from index on, each of which is through
 * before the next goes. Those like the last one go at once, straight to L1; *now becomes the cycle in which the last
 * one goes. Returns how many; 0: none, and nothing has happened; then pack_start() has to do it.
 */
unsigned pack_start_many(struct pack *k, const struct pack_io *io, unsigned thread,
                         const struct entry *slot, unsigned index, unsigned n, uint64_t *now);
/* End of cycle now: what is through reaches L1. True if anything did. */
bool pack_clock(struct pack *k, const struct pack_io *io, uint64_t now);
/* First cycle >= now at whose end something reaches L1 or C3 changes; UINT64_MAX if none. */
uint64_t pack_next(const struct pack *k, uint64_t now);

/* Something is on its way to L1. */
static inline bool pack_holds(const struct pack *k)
{
    return k->n != 0;
}

/* What C3 sees. */
static inline bool pack_busy(const struct pack *k, unsigned thread, uint64_t now)
{
    return now < k->done_at[thread];
}

#endif
