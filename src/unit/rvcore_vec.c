/*
 * rvcore_vec.c - vector instructions of core T2. Not there yet: every one is unsupported.
 */
#include "unit/rvcore.h"
#include "unit/rvcore_in.h"

bool rvcore_vec(struct rvcore *c, const struct rvmem *m, uint32_t pc, const struct rvinsn *e)
{
    return !rvcore_fault(c, m, RV_FAULT_UNSUPPORTED, pc, e->word);
}
