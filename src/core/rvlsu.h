/*
 * rvlsu.h - the Load/Store Unit of a baby RISC-V core with time: store queue, loads under way.
 *
 * ISA pages: BabyRISCV/README (Load/Store Unit), MemoryOrdering, CSRs (cfg0). Blackhole.
 *
 * Moments are keys: cycle << 2 | phase. In a cycle loads come first (they see what the last cycle left), then
 * stores, then the coprocessor. A core may do what others can see only before the key it was granted.
 */
#ifndef WG_CORE_RVLSU_H
#define WG_CORE_RVLSU_H

#include <stdbool.h>
#include <stdint.h>

#include "core/rvcore.h"
#include "isa/timing.h"
#include "state/l1.h"

#define RVLSU_STORES ((unsigned)ROOM_RISC_STORE_QUEUE)
#define RVLSU_LOADS  ((unsigned)ROOM_RISC_LOADS)
#define RV_NEVER     (UINT64_C(1) << 60) /* as a cycle or a key: not before somebody else acts */

enum rv_phase { RV_PHASE_LOAD, RV_PHASE_STORE, RV_PHASE_COPROC };

static inline uint64_t rvlsu_moment(uint64_t cycle, enum rv_phase phase)
{
    return cycle >= RV_NEVER >> 2 ? RV_NEVER : cycle << 2 | phase;
}

enum rvlsu_kind { RVLSU_L1, RVLSU_BUS, RVLSU_PUSH };

struct rvlsu_store {
    uint8_t kind;   /* enum rvlsu_kind */
    uint8_t size;   /* bytes; PUSH: words */
    uint16_t mask;  /* L1: which of the 16 bytes */
    uint32_t addr;  /* L1: of the 16 bytes */
    uint32_t start; /* L1: address of the last store that went into it */
    uint32_t pc;    /* of the last one */
    uint64_t enter; /* cycle in EX1 of the first ... */
    uint64_t last;  /* ... and of the last store */
    uint64_t
        force; /* from this cycle on it waits for no partner: something behind it waits for it */
    uint32_t data[4];
};

/* A load that a device has not answered yet. */
struct rvlsu_pending {
    bool on;
    uint16_t op; /* enum rv_op */
    uint8_t rd, d, size;
    uint32_t addr, pc;
    uint16_t why;    /* wait_key(): why the last try failed */
    uint64_t sent;   /* cycle */
    uint64_t retry;  /* cycle of the next try; RV_NEVER */
    uint64_t before; /* retirement of the instruction in front of it */
    uint32_t index;  /* its number in the retire-order queue */
};

struct rvlsu {
    struct rvlsu_store store[RVLSU_STORES];
    uint8_t depth, loads; /* RISC_STORE_QUEUE, RISC_LOADS */
    uint8_t head, n;
    bool blocked; /* what the head writes to does not take it */
    bool staged; /* the head was handed to the coprocessor, which answers at the end of the cycle */
    bool careful; /* a store in the queue may stop the core itself: it must not run ahead of that */
    uint64_t tried; /* cycle of the last try of anything that was refused ... */
    uint64_t told;  /* ... and the one for which the clock has looked what changed behind it */
    uint64_t waits_since; /* cycle of the first try that failed, 0: none has */
    uint16_t refused;     /* wait_key(): why the last one did */
    uint64_t free;        /* the head can leave from this cycle on: one request a cycle goes out */
    uint64_t emptied;     /* cycle after the last store left */
    bool waiter;          /* the next instruction waits for a store to leave ... */
    uint16_t waits_if;    /* ... wait_key(), if no try of the store fails ... */
    uint16_t waits_for;   /* ... and what it has waited for when one has left */
    uint64_t slot[RVLSU_LOADS]; /* cycle from which on another load may be under way */
    uint8_t next_slot;
    uint64_t answered;   /* all loads so far have their values from this cycle on ... */
    uint16_t answer_why; /* ... wait_key(): what made the last of them so late */
    uint64_t
        device_free; /* a device can be asked from this cycle on: the last load that was pending is answered */
    uint32_t local_addr; /* last store to the own data RAM ... */
    uint64_t local_at;   /* ... and when */
    uint64_t ram_ready;  /* cycle from which on the data RAM can be used */
    struct rvlsu_pending pending;
};

static inline struct rvlsu_store *rvlsu_at(struct rvlsu *l, unsigned i)
{
    return &l->store[(l->head + i) % RVLSU_STORES];
}

/* What an instruction that has to wait for the head of the queue waits for; otherwise: if no try of it has failed. */
static inline uint16_t rvlsu_why(const struct rvlsu *l, uint16_t otherwise)
{
    return l->waits_since ? l->refused : otherwise;
}

/* Does a store that is still in the queue touch these bytes? */
bool rvlsu_overlaps(const struct rvlsu *l, uint32_t addr, unsigned size);
/* Cycle in which the head of the queue can be tried next; RV_NEVER: not by itself. */
uint64_t rvlsu_due(const struct rvlsu *l, const struct l1 *l1, unsigned port, uint32_t cfg0);
/* Can this store go together with the last one in the queue? */
bool rvlsu_merges(const struct rvlsu *l, uint32_t addr, unsigned size, uint32_t cfg0);
/* The cycle from which on the last store in the queue no longer waits for a partner. */
uint64_t rvlsu_deadline(const struct rvlsu *l, uint32_t cfg0);
void rvlsu_merge(struct rvlsu *l, uint32_t pc, uint64_t cycle, uint32_t addr, unsigned size,
                 uint32_t value);
/* There must be room. */
void rvlsu_append(struct rvlsu *l, const struct rvlsu_store *s);
void rvlsu_pop(struct rvlsu *l, uint64_t cycle);
/* All that is still in the queue is lost, even what the coprocessor has been handed in this cycle. */
void rvlsu_drop(struct rvlsu *l);
/* From cycle t on all stores that are in the queue have to leave it. */
void rvlsu_force(struct rvlsu *l, uint64_t cycle);

#endif
