/*
 * regwrite.h - how unpackers (UNPACR_NOP) and packer (PACR_SETREG) write a register of the tile: the addresses that
 * TDMA-RISC holds for them, the sums of UNPACR_NOP, the data of PACR_SETREG.
 *
 * ISA pages: UNPACR_NOP (SETREG), PACR_SETREG, TDMA-RISC (Wormhole); the vendor's Blackhole instruction database.
 *
 *     address = 0xFFB, 2 bits of TDMA-RISC, 6 bits of the instruction, 10 bits of TDMA-RISC, 00
 *
 * Inaccuracies: where TDMA-RISC keeps the addresses for unpackers is inferred: register 0x24 has them from bit 8 on, above the clock
 * gates that firmware sets (0x3F), in the order that the page gives for the packer's 24 bits. Blackhole's instructions
 * select one of four addresses; documents have two, a write to the others is reported and lost. That unpackers reach the same window as
 * the packer is inferred, too. The writes take no time of their own.
 */
#ifndef WG_STATE_REGWRITE_H
#define WG_STATE_REGWRITE_H

#include <stdint.h>

#include "probe/probe.h"
#include "state/l1_port.h"

#define REGWRITE_ADDRESSES 2u
#define REGWRITE_FIRST     UINT32_C(0xFFB11000) /* below: undefined */
#define REGWRITE_END       UINT32_C(0xFFB80000) /* from here on: nothing happens */
#define REGWRITE_SUM       0x1ffffu

struct regwrite {
    uint32_t unpack; /* TDMA-RISC 0x24: from bit 8 on the addresses for unpackers */
    uint32_t pack;   /* TDMA-RISC 0x38: those for the packer */
    uint32_t sum[2]; /* SetRegAcc of each unpacker */
    uint32_t data;   /* what PACR_SETREG writes */
};

/* addresses: 24 bits, as TDMA-RISC has them; select < REGWRITE_ADDRESSES; middle: 6 bits. */
static inline uint32_t regwrite_address(uint32_t addresses, unsigned select, unsigned middle)
{
    uint32_t low = addresses >> 10 * select & 0x3ff, high = addresses >> (20 + 2 * select) & 3;
    return UINT32_C(0xFFB00000) | high << 18 | (uint32_t)middle << 12 | low << 2;
}

/* Returns the diagnostic to report, N_DIAGS if none. */
static inline unsigned regwrite_store(const struct l1_port *l1, unsigned thread, uint32_t address,
                                      uint32_t value)
{
    if (address < REGWRITE_FIRST || address >= REGWRITE_END)
        return DIAG_REGWRITE_RANGE;
    if (l1->store && !l1->store(l1->ctx, thread, address, value))
        return DIAG_REGWRITE_LOST;
    return N_DIAGS;
}

#endif
