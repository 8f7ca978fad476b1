/*
 * alpha_state.h - an Alpha processor as plain data: what a program can see, and why it stopped.
 *
 * Both schedulers work on this; between two calls of either, everything is in here and in alpha_mem.
 *
 * Invariants: reg[ALPHA_ZERO] and reg[ALPHA_FZERO] are 0; reg[ALPHA_SINK] is of no meaning; pc is the
 * next instruction and a multiple of 4.
 */
#ifndef WG_ALPHA_STATE_H
#define WG_ALPHA_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "isa/alpha.h"

/* FPCR, Handbook 4.7.8. */
#define ALPHA_FPCR_SUM   (UINT64_C(1) << 63) /* any of the status bits */
#define ALPHA_FPCR_INED  (UINT64_C(1) << 62)
#define ALPHA_FPCR_UNFD  (UINT64_C(1) << 61)
#define ALPHA_FPCR_UNDZ  (UINT64_C(1) << 60)
#define ALPHA_FPCR_DYN   (UINT64_C(3) << 58) /* 0 chop, 1 minus, 2 nearest, 3 plus infinity */
#define ALPHA_FPCR_IOV   (UINT64_C(1) << 57)
#define ALPHA_FPCR_INE   (UINT64_C(1) << 56)
#define ALPHA_FPCR_UNF   (UINT64_C(1) << 55)
#define ALPHA_FPCR_OVF   (UINT64_C(1) << 54)
#define ALPHA_FPCR_DZE   (UINT64_C(1) << 53)
#define ALPHA_FPCR_INV   (UINT64_C(1) << 52)
#define ALPHA_FPCR_OVFD  (UINT64_C(1) << 51)
#define ALPHA_FPCR_DZED  (UINT64_C(1) << 50)
#define ALPHA_FPCR_INVD  (UINT64_C(1) << 49)
#define ALPHA_FPCR_DNZ   (UINT64_C(1) << 48)
#define ALPHA_FPCR_DNOD  (UINT64_C(1) << 47)
#define ALPHA_FPCR_START UINT64_C(0x680e800000000000) /* of a Linux program */

/* FPCR as a program reads it: SUM is no bit of its own (Handbook, table 4-11). */
static inline uint64_t alpha_state_fpcr_read(uint64_t fpcr)
{
    const uint64_t status = ALPHA_FPCR_IOV | ALPHA_FPCR_INE | ALPHA_FPCR_UNF | ALPHA_FPCR_OVF |
                            ALPHA_FPCR_DZE | ALPHA_FPCR_INV;
    return (fpcr & ~ALPHA_FPCR_SUM) | (fpcr & status ? ALPHA_FPCR_SUM : 0);
}

/* Exception summary of an arithmetic trap: bits of alpha_trap_info.detail. */
#define ALPHA_EXC_SWC 0x01u /* software completion was asked for */
#define ALPHA_EXC_INV 0x02u
#define ALPHA_EXC_DZE 0x04u
#define ALPHA_EXC_FOV 0x08u
#define ALPHA_EXC_UNF 0x10u
#define ALPHA_EXC_INE 0x20u
#define ALPHA_EXC_IOV 0x40u

/* Why an instruction did not simply end. */
enum alpha_trap {
    ALPHA_TRAP_NONE,
    ALPHA_TRAP_CALLSYS, /* system call: number v0, arguments a0-a5 */
    ALPHA_TRAP_ILLEGAL, /* no instruction, a privileged one, or VAX arithmetic; detail: the word */
    ALPHA_TRAP_BPT,     /* breakpoint */
    ALPHA_TRAP_BUGCHK,  /* bug check */
    ALPHA_TRAP_GENTRAP, /* detail: a0 */
    ALPHA_TRAP_ARITH,   /* detail: ALPHA_EXC_...; precise: no register was written */
    ALPHA_TRAP_FETCH,   /* no executable memory at pc */
    ALPHA_TRAP_LOAD,    /* no readable memory at address */
    ALPHA_TRAP_STORE,   /* no writable memory at address */
    ALPHA_TRAP_UNALIGNED, /* LDx_L or STx_C at an address that is not a multiple of its size */
    ALPHA_TRAP_MEMORY     /* the host has no memory for the page, or the limit is reached */
};

struct alpha_trap_info {
    uint8_t trap; /* enum alpha_trap */
    uint64_t pc;  /* of the instruction */
    uint64_t address;
    uint64_t detail;
};

/* The bytes that LDx_L watches: Handbook 4.2.4 allows 16 to a page. */
#define ALPHA_LOCK_RANGE 16u

struct alpha_cpu {
    uint64_t reg[ALPHA_N_REGS];
    uint64_t pc;
    uint64_t fpcr;
    uint64_t unique;             /* thread pointer of RDUNIQ and WRUNIQ */
    uint64_t lock_address;       /* start of the range that is watched */
    uint8_t lock;                /* lock flag */
    uint8_t flag;                /* of RC and RS */
    uint64_t steps;              /* instructions done; RPCC of the untimed scheduler */
    struct alpha_trap_info trap; /* of the last stop */
};

/* All zero, but pc and the FPCR of a Linux program. */
void alpha_cpu_reset(struct alpha_cpu *c, uint64_t pc);

/* The monitor of LDx_L and STx_C. A store by anybody else to the range breaks it; so does CALLSYS. */
static inline void alpha_state_lock_set(struct alpha_cpu *c, uint64_t address)
{
    c->lock = 1;
    c->lock_address = address & ~(uint64_t)(ALPHA_LOCK_RANGE - 1);
}

/* Another processor has written size bytes (at most 8) at address. */
static inline void alpha_state_lock_break(struct alpha_cpu *c, uint64_t address, unsigned size)
{
    if (c->lock && address + size > c->lock_address && address < c->lock_address + ALPHA_LOCK_RANGE)
        c->lock = 0;
}

/* May an STx_C to address store? Clears the flag either way. */
static inline bool alpha_state_lock_take(struct alpha_cpu *c, uint64_t address)
{
    bool held = c->lock && c->lock_address == (address & ~(uint64_t)(ALPHA_LOCK_RANGE - 1));
    c->lock = 0;
    return held;
}

#endif
