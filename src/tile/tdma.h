/*
 * tdma.h - TDMA-RISC: the cores' way to the mover, and registers about packers and unpackers.
 *
 * ISA pages: TDMA-RISC, Mover (Wormhole; Blackhole has none of its own). The region is at 0xFFB11000.
 */
#ifndef WG_TILE_TDMA_H
#define WG_TILE_TDMA_H

#include <stdbool.h>
#include <stdint.h>

#include "core/rvcore.h"

struct tile;

#define TDMA_QUEUE   4u
#define TDMA_CREDITS 2u /* commands with parameters that may be queued */

struct tdma_command {
    uint32_t word, param[4];
    uint8_t who; /* enum map_core: whose base address counts */
};

struct tdma {
    uint32_t param[4];
    uint32_t mover_base[4]; /* T0, T1, T2, B */
    struct tdma_command queue[TDMA_QUEUE];
    uint8_t head, n;
    uint8_t with_params; /* of the queued ones */
    uint32_t hysteresis;
    uint16_t scaler[4];
};

/* What the mover can do; the names say L0 for "not L1". */
enum tdma_mode { TDMA_L0_TO_L1, TDMA_L1_TO_L0, TDMA_L0_TO_L0, TDMA_L1_TO_L1 };

enum rv_status tdma_read(struct tile *tile, unsigned who, uint32_t offset, uint32_t *value);
enum rv_status tdma_write(struct tile *tile, unsigned who, uint32_t offset, uint32_t value);
/* The command processor works as far as it can; true if it did anything. */
bool tdma_work(struct tile *tile);
/* Soft reset: of TDMA-RISC itself; of packers (bit per packer). */
void tdma_reset(struct tdma *d);
void tdma_reset_packers(struct tile *tile, unsigned packers);
/* The mover's whole transfer at once, in bytes. Where mode writes L0, `to` is an offset in the
   configuration space. */
void tdma_move(struct tile *tile, uint32_t to, uint32_t from, uint32_t count, enum tdma_mode mode);

#endif
