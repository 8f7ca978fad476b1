/*
 * chip.h - a Blackhole chip as its host sees it: a grid of Tensix tiles behind PCI windows.
 *
 * A tile takes memory when it is first written to; until then it answers like any tile after power-up.
 * Time passes only in chip_clock(), and it passes for all tiles: those on which nothing can move are not run, but whoever looks at
 * them finds them at the chip's time.
 * Nothing here prints or ends the process; what an access did not find reads 0 and is counted.
 */
#ifndef WG_CHIP_CHIP_H
#define WG_CHIP_CHIP_H

#include "chip/non_tensix.h"
#include "chip/pci.h"
#include "tile/tile.h"

#define CHIP_TILES  140u
#define CHIP_WIDTH  17u
#define CHIP_HEIGHT 12u

/* What did not work; for whoever wants to tell the user. */
struct chip_missed {
    uint64_t reads, writes; /* accesses of which something was not there */
    uint64_t memory;        /* writes lost because the host has no memory */
};

struct chip {
    struct tile *tile[CHIP_TILES]; /* NULL: never written to */
    struct tile *blank;            /* after power-up: answers for those ... */
    uint32_t latch[CHIP_TILES];    /* ... each with the high half of its own wall clock */
    uint8_t active[CHIP_TILES];    /* tiles on which something may move, in no order ... */
    bool is_active[CHIP_TILES];
    unsigned n_active;
    unsigned turn; /* ... and whose turn is next */
    bool clocked;  /* with time: every clock is a cycle of every tile */
    uint64_t time; /* cycles that have passed; untimed: steps, see chip.c */
    enum coproc_vectors vectors;
    struct chip_missed missed;
    struct pci pci;
    struct non_tensix other;
};

/* A rectangle of tiles, both ends included; it may wrap around the edges. */
struct chip_rect {
    unsigned x0, y0, x1, y1;
};

/* NULL if there is no memory. */
struct chip *chip_new(void);
void chip_free(struct chip *c); /* NULL is fine */

/* Runs every tile on which something may move; returns the steps the cores have executed, or the cycles of all tiles
   that ran. clocked and vectors must be set before the first write. */
uint64_t chip_clock(struct chip *c, uint32_t n_clocks);

/* Access to one tile, of any kind, at a NoC address of it. False if something was not there. */
bool chip_read(struct chip *c, unsigned x, unsigned y, uint64_t address, void *to, uint32_t size);
bool chip_write(struct chip *c, unsigned x, unsigned y, uint64_t address, const void *from,
                uint32_t size);
/* Writes to the Tensix tiles of a rectangle. */
bool chip_multicast(struct chip *c, const struct chip_rect *r, uint64_t address, const void *from,
                    uint32_t size);

/* Index of the Tensix tile at a place, or CHIP_TILES. */
unsigned chip_index(unsigned x, unsigned y);

/* NODE_ID of a network interface at a place. */
uint32_t chip_node_id(unsigned noc, unsigned x, unsigned y);

#endif
