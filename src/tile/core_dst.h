/*
 * core_dst.h - the cores' access to Dst, and what the debug array read shows of it.
 *
 * ISA page: Dst (Blackhole), "RISCV access to Dst".
 */
#ifndef WG_TILE_CORE_DST_H
#define WG_TILE_CORE_DST_H

#include <stdbool.h>
#include <stdint.h>

struct tile;

/* Accesses by core T0, T1 or T2; offset into the window, a multiple of size, which is 1, 2 or 4. */
uint32_t core_dst_load(struct tile *tile, unsigned core, uint32_t offset, unsigned size);
/* Would that load be reported? */
bool core_dst_tells(struct tile *tile, unsigned core, uint32_t offset, unsigned size);
void core_dst_store(struct tile *tile, unsigned core, uint32_t offset, unsigned size,
                    uint32_t value);
/* What DBG_ARRAY_RD_DATA reads; command: DBG_ARRAY_RD_CMD. */
uint32_t core_dst_array(struct tile *tile, bool enabled, uint32_t command);
/* Is there anything to read? */
bool core_dst_has_array(bool enabled, uint32_t command);

#endif
