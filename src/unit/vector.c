/*
 * vector.c - Vector Unit (SFPU), timing only.
 *
 * ISA pages: VectorUnit and the SFP* pages (Blackhole).
 *
 * Inaccuracies: no lanes yet. The register scoreboard (a two-cycle result read in the next slot)
 * and its documented misses come with the lanes; SFPLOADMACRO takes its own slot and schedules
 * nothing.
 */
#include "unit/vector.h"

#include <string.h>

#include "base/bits.h"
#include "isa/tensix.h"
#include "isa/timing.h"
#include "unit/op.h"
#include "wait/wait.h"

_Static_assert(T_SFPSWAP_WINDOW == 1, "vector_check looks one cycle back");

void vector_reset(struct vector *v)
{
    memset(v, 0, sizeof *v);
}

uint16_t vector_check(const struct vector *v, const struct entry *e, uint64_t now)
{
    if (now == v->swap_at && now && e->op != TENSIX_OP_SFPNOP)
        return ledger_key(WAIT_STRUCTURAL, OWNER_VECTOR);
    return 0;
}

/* SFPSWAP in all modes, SFPSHFT2 in its three shuffling ones. */
static bool vector_shuffles(const struct entry *e)
{
    if (e->op == TENSIX_OP_SFPSHFT2) {
        unsigned mode = bits_get(e->word, 0, 4);
        return mode >= 2 && mode <= 4;
    }
    return e->op == TENSIX_OP_SFPSWAP;
}

void vector_start(struct vector *v, struct rwc *rwc, const struct config *c, unsigned thread,
                  const struct entry *e, uint64_t now)
{
    if (e->op == TENSIX_OP_SFPLOAD || e->op == TENSIX_OP_SFPSTORE ||
        e->op == TENSIX_OP_SFPLOADMACRO)
        rwc_modify(&rwc->t[thread], c->thread[thread], bits_get(e->word, 13, 3), false);
    if (vector_shuffles(e))
        v->swap_at = now + 1;
    if (now >= v->done_at)
        v->users = 0;
    v->users |= (uint8_t)(1u << thread);
    uint64_t done = now + op_table[e->op].latency;
    if (done > v->done_at)
        v->done_at = done;
}
