/* alpha_cpu.c - an Alpha processor before its first instruction. */
#include <string.h>

#include "alpha/alpha_state.h"

void alpha_cpu_reset(struct alpha_cpu *c, uint64_t pc)
{
    memset(c, 0, sizeof *c);
    c->pc = pc;
    c->fpcr = ALPHA_FPCR_START;
}
