/*
 * op.c - the dense table behind op.h.
 */
#include "state/op.h"

/* clang-format off */
#define FLAG(flag)                               | OP_##flag
#define INSN(name, opcode, unit_, block_, class, text)                                             \
    [opcode] = {.unit = TENSIX_UNIT_##unit_, .block = block_, .flags = OP_KNOWN
#define END(name)                                },
/* block bits as tensix.def writes them */
#define B0 TENSIX_B0
#define B1 TENSIX_B1
#define B2 TENSIX_B2
#define B3 TENSIX_B3
#define B4 TENSIX_B4
#define B5 TENSIX_B5
#define B6 TENSIX_B6
#define B7 TENSIX_B7
#define B8 TENSIX_B8
#define B_ALL TENSIX_BLOCK_ALL
const struct op op_table[256] = {
#include "isa/tensix.def"
};
/* clang-format on */
