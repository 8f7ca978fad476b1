/*
 * alpha_fp.h - IEEE arithmetic of the Alpha, S and T, in integers: pure functions of operands,
 * qualifiers and FPCR.
 *
 * Registers hold S values in T format.
 *
 * **Inaccuracies**: software completion is done at once: results of /S instructions are those the
 * operating system would have made.
 */
#ifndef WG_ALPHA_FP_H
#define WG_ALPHA_FP_H

#include <stdbool.h>
#include <stdint.h>

#include "alpha/alpha_state.h"

enum alpha_round { ALPHA_CHOP, ALPHA_MINUS, ALPHA_NEAREST, ALPHA_PLUS };

struct alpha_fp_result {
    uint64_t value;
    uint64_t fpcr; /* after it */
    uint32_t exc;  /* ALPHA_EXC_...; 0: no trap */
};

/* One floating point operation with its qualifiers: op is enum alpha_op of F operations that
   have AF_FPCR and AF_TRAP. */
struct alpha_fp_result alpha_fp(unsigned op, unsigned qual, uint64_t a, uint64_t b, uint64_t fpcr);

/* The same without the host's arithmetic; the tests compare both. */
struct alpha_fp_result alpha_fp_thorough(unsigned op, unsigned qual, uint64_t a, uint64_t b,
                                         uint64_t fpcr);

/* S in memory to the register format, and back. No arithmetic, no exceptions. */
static inline uint64_t alpha_fp_s_to_reg(uint32_t s)
{
    uint64_t exp = s >> 23 & 0xff, wide = (exp & 0x80) << 3 | (exp & 0x7f);
    if (exp == 0xff)
        wide = 0x7ff;
    else if (exp && !(exp & 0x80))
        wide |= 0x380;
    return (uint64_t)(s >> 31) << 63 | wide << 52 | (uint64_t)(s & 0x7fffff) << 29;
}

static inline uint32_t alpha_fp_reg_to_s(uint64_t t)
{
    return (uint32_t)((t >> 32 & 0xc0000000) | (t >> 29 & 0x3fffffff));
}

#endif
