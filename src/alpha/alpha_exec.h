/*
 * alpha_exec.h - what instructions do, as functions of values, in the pieces a pipeline needs.
 *
 * The text is alpha_exec.def; the untimed scheduler (alpha_run.c) reads it into its loop, alpha_exec_compute()
 * is the same text as a switch. Nothing here touches registers or memory:
 *
 *     alpha_exec_compute(insn, a, b, c, in, out)   operands to result, address, branch, trap
 *     load:   raw = the size bytes at out.address, little-endian, zero-extended (from a write
 *             buffer or alpha_mem_read); result = alpha_exec_load_value(op, raw)
 *     store:  the low size bytes of out.value go to out.address, little-endian
 *     STx_C:  store only if alpha_state_lock_take(); result for register d is 1 or 0
 *     LDx_L:  like a load, and alpha_state_lock_set()
 *
 * If out.trap is not ALPHA_TRAP_NONE, value is not to be written. (CALLSYS is a trap, too; the pc
 * to go on at is the next one.) out.fpcr is to be published even with a trap: status bits are kept.
 */
#ifndef WG_ALPHA_EXEC_H
#define WG_ALPHA_EXEC_H

#include <stdbool.h>
#include <stdint.h>

#include "alpha/alpha_state.h"
#include "isa/alpha.h"

/* What an instruction sees besides its operands. Constant for most. */
struct alpha_in {
    uint64_t pc;
    uint64_t fpcr;
    uint64_t unique;
    uint64_t counter; /* of RPCC: low 32 bits are used */
    uint8_t flag;     /* of RC and RS */
};

struct alpha_out {
    uint64_t value;   /* result for register d; data of a store */
    uint64_t address; /* memory: effective address; branches and jumps: the next pc if taken */
    uint64_t fpcr;    /* new value; written only for AF_FPCR */
    uint64_t detail;  /* of the trap */
    uint64_t unique;  /* written only for WRUNIQ */
    uint8_t trap;     /* enum alpha_trap */
    uint8_t taken;    /* branches and jumps: goes to address */
    uint8_t flag;     /* written only for AF_FLAG */
};

/* Values of the operands as alpha_insn says: b is the literal if it is one. `in` is read only for
   what the operation needs; out->trap and out->taken are always written. */
void alpha_exec_compute(const struct alpha_insn *i, uint64_t a, uint64_t b, uint64_t c,
                        const struct alpha_in *in, struct alpha_out *out);

/* The b operand: literal or register. */
static inline uint64_t alpha_exec_operand_b(const struct alpha_insn *i, const uint64_t *reg)
{
    return i->go & ALPHA_GO_LITERAL ? (uint64_t)i->imm : reg[i->b];
}

/* Register value of a load (also LDx_L) from the bytes it read. */
uint64_t alpha_exec_load_value(unsigned op, uint64_t raw);

/* Must address be a multiple of the size, or is the access a trap? Only LDx_L and STx_C: other
   unaligned accesses are done, as Linux does them. */
static inline bool alpha_exec_misaligned(unsigned op, uint64_t address)
{
    return (alpha_ops[op].flags & AF_LOCKED) && (address & (alpha_ops[op].size - 1u));
}

/* Extensions that AMASK reports: BWX, FIX, CIX, MVI, precise arithmetic traps, prefetch. */
#define ALPHA_AMASK   UINT64_C(0x1307)
#define ALPHA_IMPLVER 2 /* EV6 */

#endif
