/*
 * chip.c - the grid of Tensix tiles: who is where, who has memory, whose turn it is.
 *
 * ISA pages: NoC/Coordinates, NoC/MemoryMap (Blackhole).
 *
 * A tile's turn is TILE_QUOTA steps of each of its cores; a clock is worth CLOCK_STEPS of them, so a
 * clock gives each active tile a fraction of a turn, and at least one tile a whole one. Tiles on which
 * nothing can move leave the list and cost nothing; a write from outside puts them back.
 *
 * Tiles outside of the list keep the time at which they left it, and are brought to the chip's time (chip_pass) before any
 * access. With time that is the number of cycles. Untimed it is in steps of a tile's cores, which the wall clock counts: a clock is
 * worth CLOCK_STEPS of each, and if a tile has executed more, that counts. So no tile is ever ahead of the chip.
 *
 * Inaccuracies: a clock is a unit of progress, not a cycle (there is no time in the untimed
 * scheduler). The tiles do not talk to each other yet: network interfaces are storage.
 */
#include "chip/chip.h"

#include <stdlib.h>
#include <string.h>

#define CLOCK_STEPS     64u
#define CLOCKS_PER_TURN (TILE_QUOTA / CLOCK_STEPS)
#define CLOCKS_IN_FULL  0x10000u /* of one call; each of the rest is worth one step */

enum { NIU_NODE_ID = 0x44, NIU_LOGICAL_ID = 0x148 };

/* ---- places ---- */

unsigned chip_index(unsigned x, unsigned y)
{
    if (x < 1 || x > 16 || x == 8 || x == 9 || y < 2 || y > 11)
        return CHIP_TILES;
    return (y - 2) * 14 + (x < 8 ? x - 1 : x - 3);
}

uint32_t chip_node_id(unsigned noc, unsigned x, unsigned y)
{
    uint32_t size = CHIP_WIDTH << 12 | CHIP_HEIGHT << 19;
    if (noc) /* counts from the opposite corner */
        return size | (CHIP_WIDTH - 1 - x) | (CHIP_HEIGHT - 1 - y) << 6;
    return UINT32_C(1) << 28 | size | x | y << 6;
}

static void chip_identify(struct tile *tile, unsigned x, unsigned y)
{
    for (unsigned noc = 0; noc < 2; noc++) {
        tile->niu[noc][NIU_NODE_ID / 4] = chip_node_id(noc, x, y);
        tile->niu[noc][NIU_LOGICAL_ID / 4] = x | y << 6;
    }
}

/* ---- tiles ---- */

static struct tile *chip_new_tile(void)
{
    struct tile *tile = calloc(1, sizeof *tile); /* large: pages come when they are touched */
    if (tile) {
        tile_reset(tile);
        tile->clock.no_proof =
            true; /* one that stands still sleeps, one that goes round a loop does not */
    }
    return tile;
}

/* The time of a tile, awake or not, is the chip's whenever somebody outside can see it. */
static void chip_pass(const struct chip *c, struct tile *tile)
{
    if (c->clocked)
        tile_clock_pass(tile, c->time);
    else
        tile_order_pass(tile, c->time);
}

static bool chip_read_tile(struct chip *c, unsigned x, unsigned y, uint32_t address, void *to,
                           uint32_t size)
{
    unsigned i = chip_index(x, y);
    struct tile *tile = c->tile[i] ? c->tile[i] : c->blank;
    if (tile == c->blank) {
        chip_identify(tile, x, y);
        tile->wall_high = c->latch[i];
    }
    chip_pass(c, tile);
    bool all = tile_read(tile, address, to, size);
    c->latch[i] = tile->wall_high;
    return all;
}

static struct tile *chip_tile_to_write(struct chip *c, unsigned i, unsigned x, unsigned y)
{
    if (!c->tile[i]) {
        c->tile[i] = chip_new_tile();
        if (!c->tile[i]) {
            c->missed.memory++;
            return NULL;
        }
        chip_identify(c->tile[i], x, y);
        c->tile[i]->wall_high = c->latch[i];
        coproc_vectors(&c->tile[i]->coproc, c->vectors);
    }
    chip_pass(c, c->tile[i]);
    if (!c->is_active[i]) {
        c->is_active[i] = true;
        c->active[c->n_active++] = (uint8_t)i;
    }
    return c->tile[i];
}

struct chip *chip_new(void)
{
    struct chip *c = calloc(1, sizeof *c);
    if (!c)
        return NULL;
    c->blank = chip_new_tile();
    if (!c->blank) {
        free(c);
        return NULL;
    }
    pci_reset(&c->pci);
    non_tensix_reset(&c->other);
    return c;
}

void chip_free(struct chip *c)
{
    if (!c)
        return;
    for (unsigned i = 0; i < CHIP_TILES; i++)
        free(c->tile[i]);
    free(c->blank);
    non_tensix_free(&c->other);
    free(c);
}

/* ---- access ---- */

/* How much of an access lies in the 4 GiB that a tile has. */
static uint32_t chip_fits(uint64_t address, uint32_t size)
{
    uint64_t end = UINT64_C(1) << 32;
    if (address >= end)
        return 0;
    return size <= end - address ? size : (uint32_t)(end - address);
}

bool chip_read(struct chip *c, unsigned x, unsigned y, uint64_t address, void *to, uint32_t size)
{
    uint32_t fits = chip_fits(address, size);
    bool all = fits == size;
    memset((uint8_t *)to + fits, 0, size - fits);
    if (chip_index(x, y) == CHIP_TILES)
        all &= non_tensix_read(&c->other, x, y, (uint32_t)address, to, fits);
    else if (fits)
        all &= chip_read_tile(c, x, y, (uint32_t)address, to, fits);
    c->missed.reads += !all;
    return all;
}

static bool chip_write_tile(struct chip *c, unsigned x, unsigned y, uint32_t address,
                            const void *from, uint32_t size)
{
    struct tile *tile = chip_tile_to_write(c, chip_index(x, y), x, y);
    return tile && tile_write(tile, address, from, size);
}

bool chip_write(struct chip *c, unsigned x, unsigned y, uint64_t address, const void *from,
                uint32_t size)
{
    uint32_t fits = chip_fits(address, size);
    bool all = fits == size;
    if (chip_index(x, y) == CHIP_TILES)
        all &= non_tensix_write(&c->other, x, y, (uint32_t)address, from, fits);
    else if (fits)
        all &= chip_write_tile(c, x, y, (uint32_t)address, from, fits);
    c->missed.writes += !all;
    return all;
}

static bool chip_between(unsigned at, unsigned first, unsigned last)
{
    return first <= last ? at >= first && at <= last : at >= first || at <= last;
}

bool chip_multicast(struct chip *c, const struct chip_rect *r, uint64_t address, const void *from,
                    uint32_t size)
{
    uint32_t fits = chip_fits(address, size);
    bool all = fits == size, any = false;
    for (unsigned y = 0; fits && y < CHIP_HEIGHT; y++)
        for (unsigned x = 0; x < CHIP_WIDTH; x++)
            if (chip_index(x, y) != CHIP_TILES && chip_between(x, r->x0, r->x1) &&
                chip_between(y, r->y0, r->y1)) {
                all &= chip_write_tile(c, x, y, (uint32_t)address, from, fits);
                any = true;
            }
    c->missed.writes += !(all && any);
    return all && any;
}

/* ---- time ---- */

/* Gives a tile some turns; false if nothing will move there any more without the host. */
static bool chip_run(struct tile *tile, uint64_t turns, uint64_t *steps)
{
    unsigned n = 0;
    for (unsigned i = 0; i < RV_N_CORES; i++)
        n += tile->core[i].state == RV_RUNNING || tile->core[i].state == RV_BLOCKED;
    uint64_t budget = turns * TILE_QUOTA * (n ? n : 1);
    uint64_t done = tile_run(tile, budget);
    *steps += done;
    return done >= budget || !tile_still(tile);
}

/* How many turns all tiles have together in so many clocks. */
static uint64_t chip_turns(const struct chip *c, uint32_t n_clocks)
{
    uint64_t full = n_clocks < CLOCKS_IN_FULL ? n_clocks : CLOCKS_IN_FULL;
    uint64_t turns =
        full * c->n_active / CLOCKS_PER_TURN + (n_clocks - full) * c->n_active / TILE_QUOTA;
    return turns || !n_clocks ? turns : 1;
}

/* With time: so many cycles of every tile on which something can happen. */
static uint64_t chip_cycles(struct chip *c, uint32_t n_clocks)
{
    unsigned kept = 0;
    uint64_t cycles = 0;
    for (unsigned k = 0; k < c->n_active; k++) {
        unsigned i = c->active[k];
        struct tile *tile = c->tile[i];
        uint64_t before = tile->clock.now;
        if (tile_clock_run(tile, n_clocks) == TILE_END_LIMIT)
            c->active[kept++] = (uint8_t)i;
        else
            c->is_active[i] = false;
        cycles += tile->clock.now - before;
    }
    c->n_active = kept;
    c->time += n_clocks;
    return cycles;
}

/* Untimed: the steps for which so many clocks stand, on a tile on which all cores execute. */
static uint64_t chip_worth(uint32_t n_clocks)
{
    uint64_t full = n_clocks < CLOCKS_IN_FULL ? n_clocks : CLOCKS_IN_FULL;
    return (full * CLOCK_STEPS + n_clocks - full) * RV_N_CORES;
}

uint64_t chip_clock(struct chip *c, uint32_t n_clocks)
{
    if (c->clocked)
        return chip_cycles(c, n_clocks);
    uint64_t steps = 0;
    unsigned n = c->n_active, kept = 0;
    c->time += chip_worth(n_clocks);
    if (!n || !n_clocks)
        return 0;
    uint64_t turns = chip_turns(c, n_clocks), each = turns / n;
    unsigned more = (unsigned)(turns % n), first = c->turn % n;
    for (unsigned k = 0; k < n; k++) {
        unsigned i = c->active[k];
        struct tile *tile = c->tile[i];
        uint64_t mine = each + ((k + n - first) % n < more);
        if (!mine || chip_run(tile, mine, &steps))
            c->active[kept++] = (uint8_t)i;
        else
            c->is_active[i] = false;
        c->time = c->time < tile->order.time ? tile->order.time : c->time;
    }
    c->n_active = kept;
    c->turn = first + more;
    return steps;
}
