/*
 * sfpu_avx2.c - the multiply-add of 32 lanes with AVX2, which can shift each lane by its own distance.
 *
 * The same functions as in sfpu.c; that they have no branches lets the compiler take eight lanes at once. Built only
 * where the compiler can make AVX2 code, used only where the processor has it.
 *
 * ISA page: SFPMAD (Blackhole).
 *
 * Invariant: as in sfpu.h.
 *
 * Inaccuracies: those of sfpu.h.
 */
#include "num/sfpu.h"

#ifdef NUM_SFPU_AVX2

__attribute__((target("avx2"))) void num_sfpu_mads_avx2(const uint32_t *x, const uint32_t *y,
                                                        const uint32_t *z, uint32_t *d)
{
    uint32_t r[NUM_SFPU_LANES], special = 0;
    for (unsigned i = 0; i < NUM_SFPU_LANES; i++) {
        r[i] = num_sfpu_finite(x[i], y[i], z[i]);
        special |= num_sfpu_special(x[i], y[i], z[i]);
    }
    if (special)
        for (unsigned i = 0; i < NUM_SFPU_LANES; i++)
            if (num_sfpu_special(x[i], y[i], z[i]))
                r[i] = num_sfpu_infinite(x[i], y[i], z[i]);
    memcpy(d, r, sizeof r);
}

#endif
