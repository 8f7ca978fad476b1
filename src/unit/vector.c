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

void vector_reset(struct vector *v)
{
    memset(v, 0, sizeof *v);
}

const uint8_t vector_traits[256] = {
    [TENSIX_OP_SFPLOAD] = VECTOR_LOADS,
    [TENSIX_OP_SFPSTORE] = VECTOR_LOADS,
    [TENSIX_OP_SFPLOADMACRO] = VECTOR_LOADS,
    [TENSIX_OP_SFPSWAP] = VECTOR_SWAPS,
    [TENSIX_OP_SFPSHFT2] = VECTOR_MAY_SHUFFLE,
};

/* SFPSWAP in all modes, SFPSHFT2 in its three shuffling ones. */
bool vector_shuffles(const struct entry *e, unsigned traits)
{
    unsigned mode = bits_get(e->word, 0, 4);
    return traits & VECTOR_SWAPS || (traits & VECTOR_MAY_SHUFFLE && mode >= 2 && mode <= 4);
}
