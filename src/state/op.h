/*
 * op.h - what the hot path needs to know about an opcode, four bytes each, made from tensix.def.
 * What it costs is the machine's: isa/timing.h.
 */
#ifndef WG_STATE_OP_H
#define WG_STATE_OP_H

#include <stdint.h>

#include "isa/tensix.h"

enum { OP_KNOWN = 1, OP_UNDESCRIBED = 2 };

struct op {
    uint8_t unit; /* enum tensix_unit */
    uint8_t flags;
    uint16_t block;
};

extern const struct op op_table[256];

/* Does this block mask catch it at the gate? NOP, and words that should not be there and go like
   one, only if all nine bits are set. */
static inline bool op_caught(uint8_t opcode, unsigned mask)
{
    unsigned block = op_table[opcode].block;
    return block ? (block & mask) != 0 : mask == TENSIX_BLOCK_ALL;
}

#endif
