/*
 * l1.h - who has the banks and ports of L1, and until when.
 *
 * ISA pages: L1 (Wormhole; the Blackhole page is a stub), MemoryOrdering (Blackhole). Each core has a port
 * of its own, in order, with head-of-line blocking; ports meet at 32 banks of 16 bytes each. A read or a
 * write of a whole 16 bytes takes port and bank for a cycle, a narrower write or an atomic for five.
 *
 * Accesses are made in the order of time, so that time stamps are enough: whoever comes later finds the
 * cycle from which on bank and port are free.
 *
 * Inaccuracies: which client uses which port is not public. That each core has its own is inferred from two
 * cores' loads not disturbing each other (tt-sim). The way addresses go to banks is guessed. Fetching of code
 * takes no bank.
 */
#ifndef WG_STATE_L1_H
#define WG_STATE_L1_H

#include <stdint.h>

#include "isa/timing.h"

#define L1_PORTS 8u

struct l1 {
    uint64_t bank_free[T_L1_BANKS];
    uint64_t port_free[L1_PORTS];
    uint8_t bank_by[T_L1_BANKS]; /* port that took it last */
    uint16_t narrow;             /* L1_NARROW */
};

static inline unsigned l1_bank(uint32_t address)
{
    return address / 16 % T_L1_BANKS;
}

/* First cycle >= t in which the access can be made. */
static inline uint64_t l1_earliest(const struct l1 *l, unsigned port, uint32_t address,
                                   uint64_t cycle)
{
    uint64_t bank = l->bank_free[l1_bank(address)];
    cycle = cycle > bank ? cycle : bank;
    return cycle > l->port_free[port] ? cycle : l->port_free[port];
}

static inline void l1_take(struct l1 *l, unsigned port, uint32_t address, uint64_t cycle,
                           unsigned cycles)
{
    unsigned bank = l1_bank(address);
    l->bank_free[bank] = l->port_free[port] = cycle + cycles;
    l->bank_by[bank] = (uint8_t)port;
}

/* A read that is told late: others may have had the bank since. */
static inline void l1_took(struct l1 *l, unsigned port, uint32_t address, uint64_t cycle,
                           unsigned cycles)
{
    if (l->bank_free[l1_bank(address)] < cycle + cycles)
        l1_take(l, port, address, cycle, cycles);
}

#endif
