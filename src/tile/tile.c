/*
 * tile.c - one tile: its reset, what units ask of it, and access from outside.
 *
 * Inaccuracies: the NoC interfaces are storage only.
 */
#include "tile/tile.h"

#include <string.h>

#include "base/hot.h"
#include "base/watch.h"

const uint8_t tile_agents[RV_N_CORES] = {[RV_T0] = OWNER_CORE_T0,
                                         [RV_T1] = OWNER_CORE_T1,
                                         [RV_T2] = OWNER_CORE_T2,
                                         [RV_B] = OWNER_CORE_B,
                                         [RV_NC] = OWNER_CORE_NC};

_Static_assert((unsigned)RV_T0 == MAP_CORE_T0 && (unsigned)RV_T1 == MAP_CORE_T1 &&
                   (unsigned)RV_T2 == MAP_CORE_T2 && (unsigned)RV_B == MAP_CORE_B &&
                   (unsigned)RV_NC == MAP_CORE_NC,
               "a core has the same number as an agent of the map");

unsigned tile_core_of(unsigned agent)
{
    unsigned core = 0;
    while (core < RV_N_CORES && tile_agents[core] != agent)
        core++;
    return core;
}

unsigned tile_partner(unsigned partner)
{
    static const uint8_t cores[MAILBOX_CORES] = {RV_B, RV_T0, RV_T1, RV_T2};
    return tile_agents[cores[partner]];
}

/* A unit acts in the coprocessor's cycle, which may be one of a burst. */
static void tile_unit_begin(struct tile *tile)
{
    if (tile->clock.on && tile->coproc.now > tile->clock.now)
        tile->clock.now = tile->coproc.now;
}

/* ---- who writes L1, with time (struct l1_watch) ---- */

/* The clock wants to know if somebody polls, sleeps or runs code there, or may be brought to the present. */
static void tile_writes(void *ctx, uint32_t address, uint32_t size)
{
    struct tile *tile = ctx;
    const struct tile_clock *k = &tile->clock;
    bool own = k->runs < RV_N_CORES && tile->pipe[k->runs].poll.on;
    if (k->polls | k->waiting | k->staged | own || !k->limit ||
        rvcode_holds(&tile->code, address, size))
        tile_clock_l1_changes(tile, address, size);
}

static void tile_wrote(void *ctx, struct l1_writer by, uint32_t address, uint32_t size)
{
    struct tile *tile = ctx;
    tile_clock_l1_changed(tile, address, size);
    writers_note_range(&tile->writers, address, size, by.owner, by.pc, tile->clock.now);
}

static void tile_unit_writes(void *ctx, uint32_t address, uint32_t size)
{
    tile_unit_begin(ctx);
    tile_writes(ctx, address, size);
}

const struct l1_watch tile_watch = {.writes = tile_writes, .wrote = tile_wrote};
const struct l1_watch tile_unit_watch = {.writes = tile_unit_writes, .wrote = tile_wrote};

struct l1_port tile_port(struct tile *tile)
{
    return (struct l1_port){.bytes = tile->l1_bytes,
                            .size = TILE_L1_SIZE,
                            .code = &tile->code,
                            .watch = tile->clock.on ? &tile_watch : NULL,
                            .ctx = tile};
}

/* ---- what units ask of the tile ---- */

/* The Scalar Unit's way to registers: TDMA-RISC as the thread's core, the rest as the NoC. What it asks for
   must not make the coprocessor work, in whose cycle it is. */
static bool tile_unit_store(void *ctx, unsigned thread, uint32_t address, uint32_t value)
{
    struct tile *tile = ctx;
    bool was = tile->inside;
    tile_unit_begin(tile);
    tile->inside = true;
    enum rv_status status = map_find(thread, address).region == MAP_TDMA
                                ? tdma_write(tile, thread, address & 0xffc, value)
                                : tile_bus_store(tile, MAP_NOC, address, 4, value);
    tile->inside = was;
    if (tile->clock.on)
        tile_clock_changed(tile);
    return status != RV_BLOCK;
}

static bool tile_unit_load(void *ctx, unsigned thread, uint32_t address, uint32_t *value)
{
    struct tile *tile = ctx;
    bool was = tile->inside;
    tile_unit_begin(tile);
    tile->inside = true;
    enum rv_status status = map_find(thread, address).region == MAP_TDMA
                                ? tdma_read(tile, thread, address & 0xffc, value)
                                : tile_bus_load(tile, MAP_NOC, address, value);
    tile->inside = was;
    return status != RV_BLOCK;
}

static void tile_unit_move(void *ctx, uint32_t to, uint32_t from, uint32_t count, unsigned mode)
{
    tdma_move(ctx, to, from, count, (enum tdma_mode)mode);
}

/* What the tile itself keeps of the machine's numbers. */
static void tile_numbers(struct tile *tile)
{
    rvcode_time(&tile->code, &tile->coproc.timing);
    tile->banks.narrow = tile->coproc.timing.n.L1_NARROW;
}

void tile_time(struct tile *tile, const struct timing *timing)
{
    coproc_time(&tile->coproc, timing);
    tile_numbers(tile);
}

void tile_reset(struct tile *tile)
{
    tile->coproc.l1 = tile_port(tile);
    tile->coproc.l1.store = tile_unit_store;
    tile->coproc.l1.load = tile_unit_load;
    tile->coproc.l1.move = tile_unit_move;
    coproc_reset(&tile->coproc);
    ttsync_reset(&tile->ttsync);
    rvcode_flush(&tile->code);
    tile_numbers(tile);
    tile->soft_reset = TILE_SOFT_RESET;
    for (unsigned i = 0; i < RV_N_CORES; i++) {
        rvcore_reset(&tile->core[i], i, 0);
        tile->core[i].state = RV_HELD;
    }
}

struct rvmem tile_memory(struct tile *tile, unsigned core)
{
    return (struct rvmem){.l1 = tile_l1(tile),
                          .l1_size = TILE_L1_SIZE,
                          .local = tile->local[core],
                          .local_size = RV_LOCAL_SIZE(core),
                          .code = &tile->code,
                          .bus = tile->clock.on ? &tile_clock_bus : &tile_bus,
                          .ctx = tile,
                          .watch = tile->clock.on ? &tile_watch : NULL,
                          .agent = tile_agents[core]};
}

bool tile_advance(struct tile *tile)
{
    if (tile->clock.on || tile->inside)
        return false; /* the clock does that, or the coprocessor works already */
    if (tile->order.runs)
        return false; /* who waits gives others their turn */
    bool moved = coproc_rush(&tile->coproc);
    if (tile->soft_reset & ~TILE_SOFT_RESET)
        tile_control_hold_units(tile);
    return (tile->tdma.n && tdma_work(tile)) || moved;
}

uint64_t tile_run(struct tile *tile, uint64_t budget)
{
    return tile_order_run(tile, budget);
}

bool tile_still(const struct tile *tile)
{
    for (unsigned i = 0; i < RV_N_CORES; i++)
        if (tile->core[i].state == RV_RUNNING && !tile->dbgif.core[i].paused)
            return false;
    return true;
}

/* ---- from outside ---- */

bool tile_read(struct tile *tile, uint32_t address, void *to, uint32_t size)
{
    uint8_t *out = to;
    bool all = true;
    if (address < TILE_L1_SIZE && size <= TILE_L1_SIZE - address) {
        memcpy(out, tile_l1(tile) + address, size);
        return true;
    }
    if (tile->clock.on)
        tile_clock_bus_begin(tile);
    while (size) {
        uint32_t value = 0, at = address & 3, n = 4 - at < size ? 4 - at : size;
        all &= tile_bus_load(tile, MAP_NOC, address & ~3u, &value) == RV_OK;
        memcpy(out, (const uint8_t *)&value + at, n);
        address += n;
        out += n;
        size -= n;
    }
    return all;
}

bool tile_write(struct tile *tile, uint32_t address, const void *from, uint32_t size)
{
    const uint8_t *in = from;
    bool all = true;
    if (tile->clock.on)
        tile_clock_bus_begin(tile);
    else
        tile_order_stir(tile);
    if (address < TILE_L1_SIZE && size <= TILE_L1_SIZE - address) {
        const struct l1_port port = tile_port(tile);
        l1_port_put(&port, (struct l1_writer){.owner = OWNER_NOBODY}, address, in, size);
        return true;
    }
    while (size) {
        uint32_t value = 0, at = address & 3, n = 4 - at < size ? 4 - at : size;
        if (n < 4)
            tile_bus_load(tile, MAP_NOC, address & ~3u, &value);
        memcpy((uint8_t *)&value + at, in, n);
        all &= tile_bus_store(tile, MAP_NOC, address & ~3u, 4, value) == RV_OK;
        address += n;
        in += n;
        size -= n;
    }
    if (tile->clock.on)
        tile_clock_changed(tile);
    return all;
}
