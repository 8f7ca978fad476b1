/*
 * packmeta.h - what the packer tells of itself, and what it is told beside Config: sizes of tiles, the exponent histogram, the offset of its
 * output. SETDMAREG and TDMA-RISC read it, CLREXPHIST and TDMA-RISC reset it.
 *
 * ISA pages: TDMA-RISC, SETDMAREG_Special, Packers/ExponentHistogram, OutputAddressGenerator (Wormhole).
 *
 * Inaccuracies: sizes are in 16 bytes, data and exponents of all PACRs since the last tile's end (INFERRED: a header counts
 * 1). The first of four packers is there. AllZeroFlags and FIFOs of metadata are not. The largest exponent is kept only
 * while exponents are counted.
 */
#ifndef WG_STATE_PACKMETA_H
#define WG_STATE_PACKMETA_H

#include <stdint.h>

#define PACKMETA_PACKERS 4u /* as registers have it; Blackhole has one */

struct pack_histogram {
    uint8_t bin[32]; /* saturate */
    uint8_t most;
};

struct packmeta {
    struct pack_histogram histogram;
    uint16_t size;       /* of the tile that is being packed */
    uint16_t last_size;  /* LastTileSize ... */
    uint8_t last_thread; /* ... and who packed it */
    uint16_t sum[3];     /* AccTileSize of each thread */
    /* Added to a packer's output address, if Config says so. */
    uint16_t l1_offset[PACKMETA_PACKERS];
};

/* LastTileSize as a thread sees it. */
static inline uint16_t packmeta_last(const struct packmeta *m, unsigned thread)
{
    return m->last_thread == thread ? m->last_size : 0;
}

static inline void packmeta_reset_sums(struct packmeta *m)
{
    m->sum[0] = m->sum[1] = m->sum[2] = 0;
}

#endif
