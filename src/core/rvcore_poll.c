/*
 * rvcore_poll.c - a core that polls in vain, without time.
 *
 * Block: none of the hardware's. While a core has its turn nobody else acts, so a load that the bus calls RV_SAME gives
 * the same until the core itself does something outside. A round of a loop with such a load, and otherwise only
 * instructions that compute, that ends with all registers as they were at its beginning will be followed by the
 * same round again. rvcore_run() counts the steps of such rounds without making them.
 *
 * Invariant: poll.round is 0 except between rvcore_poll_in_vain() and the place in rvcore_run() that looks at it.
 *
 * **Inaccuracies**: none; what is not recognised is executed.
 */
#include <string.h>

#include "core/rvcore.h"
#include "core/rvcore_in.h"

#define ROUND_MAX 8u /* steps */

/* Is it decoded, and of this class? */
static bool poll_class(const struct rvcode *code, unsigned page, unsigned i, unsigned class)
{
    return code->insn[page][i].op < RV_N_OPS && code->use[page][i].class == class;
}

/* Is the load at pc in a loop of n instructions within one page, all others of which compute? */
static bool poll_loop(const struct rvcode *code, uint32_t pc, uint32_t n)
{
    unsigned page = (pc >> RV_PAGE_SHIFT) % RV_CODE_PAGES, at = pc / 4 % RV_PAGE_INSNS;
    unsigned end = at + 1;
    if (code->tag[page] != pc >> RV_PAGE_SHIFT || !poll_class(code, page, at, RV_CLASS_LOAD))
        return false;
    while (poll_class(code, page, end, RV_CLASS_ALU))
        end++;
    if (end == RV_PAGE_INSNS ||
        (!poll_class(code, page, end, RV_CLASS_BRANCH) && code->insn[page][end].op != RV_OP_JAL))
        return false;
    int64_t way = code->insn[page][end].imm / (int64_t)sizeof code->insn[page][end];
    int64_t begin = (int64_t)end + way;
    if (begin < 0 || begin > at || (int64_t)end - begin + 1 != n)
        return false;
    for (unsigned i = (unsigned)begin; i < at; i++)
        if (!poll_class(code, page, i, RV_CLASS_ALU))
            return false;
    return true;
}

bool rvcore_poll_in_vain(struct rvcore *c, const struct rvmem *m, uint32_t pc, uint32_t value)
{
    struct rvpoll *p = &c->poll;
    uint64_t round = c->steps - p->steps;
    bool again = p->pc == pc && p->value == value && round - 1 < ROUND_MAX;
    if (again && p->known && !memcmp(p->x, c->x, sizeof p->x) &&
        poll_loop(m->code, pc, (uint32_t)round)) {
        p->round = (uint8_t)round;
        p->known = false;
        return true;
    }
    p->known = again;
    if (again)
        memcpy(p->x, c->x, sizeof p->x);
    p->pc = pc;
    p->value = value;
    p->steps = c->steps;
    return false;
}
