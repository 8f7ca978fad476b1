/*
 * Fuzz target: any words as the programs of all five cores of a tile at once, with registers that point
 * at the windows of the coprocessor, mailboxes, control registers and L1. Whatever they push, store and
 * load, the tile must stay whole and every call must end.
 *
 * The input is cut into five pieces of code; each is repeated to fill 256 bytes.
 */
#include <stdlib.h>
#include <string.h>

#include "tile/tile.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define CODE  256u
#define STEPS 3000u

static const uint32_t start[RV_N_CORES] = {
    [RV_T0] = 0x6000, [RV_T1] = 0xA000, [RV_T2] = 0xE000, [RV_B] = 0x0, [RV_NC] = 0x12000};

/* Places worth hitting. */
static const uint32_t places[] = {
    0xFFE40000, 0xFFE50000, 0xFFE80000, 0xFFE80004, 0xFFE80008, 0xFFE80020, 0xFFE80024, 0xFFB80000,
    0xFFE00000, 0xFFEF0000, 0xFFEC0000, 0xFFEC1000, 0xFFB12000, 0xFFB121B0, 0xFFB11000, 0xFFB13000,
    0xFFB20000, 0xFFB40000, 0xFFB14000, 0xFFBD8000, 0xFFB12060, 0x20000};

static void fill(struct tile *tile, const uint8_t *data, size_t size, unsigned core)
{
    size_t piece = size / RV_N_CORES;
    for (uint32_t i = 0; piece && i < CODE; i++)
        tile->l1_bytes[start[core] + i] = data[core * piece + i % piece];
    for (unsigned i = 0; i < sizeof places / sizeof *places; i++)
        tile->core[core].x[8 + i] = places[(i + core) % (sizeof places / sizeof *places)];
    tile->core[core].stop_on = 1u << RV_FAULT_FETCH; /* go on behind everything else */
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct tile *tile;
    if (!tile)
        tile = calloc(1, sizeof *tile);
    if (!tile)
        abort();
    memset(tile, 0, sizeof *tile);
    tile_reset(tile);
    uint32_t none = 0;
    tile_write(tile, 0xFFB121B0, &none, 4); /* all five leave reset */
    for (unsigned i = 0; i < RV_N_CORES; i++)
        fill(tile, data, size, i);
    for (unsigned i = 0; i < 4; i++)
        if (!tile_run(tile, STEPS))
            break;
    for (unsigned i = 0; i < COPROC_THREADS; i++) {
        const struct frontend *f = &tile->coproc.fe[i];
        if (f->tracked > T_Q1_DEPTH || f->q2.n > T_Q2_DEPTH || f->q3.n > T_Q3_DEPTH)
            abort();
    }
    for (unsigned i = 0; i < RV_N_CORES; i++)
        if (tile->core[i].x[0])
            abort();
    return 0;
}
