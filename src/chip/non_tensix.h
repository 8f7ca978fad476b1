/*
 * non_tensix.h - the tiles that are not Tensix, as far as a host looks at them: DRAM, ARC, Ethernet.
 *
 * DRAM: 8 channels of 4 GiB, each at three places of column 9 or 0 and, translated, at (17 or 18,
 * 12..23); memory is taken 2 MiB at a time when it is written. ARC (8,0): boot status and telemetry in
 * words that look as after a boot. Ethernet (20..31,25) and row 1: a heartbeat.
 */
#ifndef WG_CHIP_NON_TENSIX_H
#define WG_CHIP_NON_TENSIX_H

#include <stdbool.h>
#include <stdint.h>

#define NON_TENSIX_CHANNELS  8u
#define NON_TENSIX_PAGE      0x200000u
#define NON_TENSIX_PAGES     2048u /* of a channel */
#define NON_TENSIX_ARC_WORDS 1024u

struct non_tensix {
    uint8_t *dram[NON_TENSIX_CHANNELS][NON_TENSIX_PAGES]; /* NULL: all zero */
    uint32_t arc_memory[NON_TENSIX_ARC_WORDS];            /* from 0x10000000 */
    uint32_t arc_registers[NON_TENSIX_ARC_WORDS];         /* from 0x80030000 */
    uint32_t heartbeat;
};

void non_tensix_reset(struct non_tensix *o);
void non_tensix_free(struct non_tensix *o);
/* False if something was not there (reads give 0 for it). address + size must not exceed 4 GiB. */
bool non_tensix_read(struct non_tensix *o, unsigned x, unsigned y, uint32_t address, void *to,
                     uint32_t size);
bool non_tensix_write(struct non_tensix *o, unsigned x, unsigned y, uint32_t address,
                      const void *from, uint32_t size);

#endif
