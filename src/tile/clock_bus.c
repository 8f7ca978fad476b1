/*
 * clock_bus.c - bus.c for clocked cores: what a core finds outside of L1 and its data RAM in the cycle
 * clock.now, how long that takes, and why it may have to wait.
 *
 * Each request is made once per cycle at most and is answered at once, refused (RV_BLOCK: tried again after the next
 * change), or handed to the coprocessor, which answers at the end of the cycle (RV_STAGED).
 *
 * Inaccuracies: see bus.c. A device answers any number of cores in one cycle.
 */
#include "tile/clock_in.h"
#include "tile/tile.h"

void tile_clock_bus_begin(struct tile *tile)
{
    coproc_skip(&tile->coproc, tile->clock.now);
    tile->coproc.probe.now = tile->clock.now;
}

/* Does a load from this region change what others wait for? */
static bool clock_bus_takes(unsigned region, uint32_t address)
{
    return (region == MAP_MAILBOX && !(address & 4)) || region == MAP_PC_BUF;
}

/* What is refused in a cycle in which something has changed is tried again in the next one: the turn ends before that. */
static enum rv_status clock_bus_answer(struct tile *tile, enum rv_status status)
{
    if (status == RV_BLOCK && tile->clock.changed == tile->clock.now)
        clock_grant(tile, rvlsu_moment(tile->clock.now + 1, RV_PHASE_LOAD));
    return status;
}

static enum rv_status clock_bus_load(void *ctx, unsigned core, uint32_t address, unsigned size,
                                     uint32_t *value)
{
    struct tile *tile = ctx;
    struct map_hit hit = map_find(core, address);
    bool was = core <= RV_T2 && tile->pcbuf.reading[core];
    tile_clock_bus_begin(tile);
    enum rv_status status = tile_bus.load(ctx, core, address, size, value);
    if (clock_bus_takes(hit.region, address) &&
        (status == RV_OK || (core <= RV_T2 && tile->pcbuf.reading[core] != was)))
        tile_clock_changed(tile);
    return clock_bus_answer(tile, status);
}

static enum rv_status clock_bus_store(void *ctx, unsigned core, uint32_t address, unsigned size,
                                      uint32_t value)
{
    struct tile *tile = ctx;
    tile_clock_bus_begin(tile);
    enum rv_status status = tile_bus.store(ctx, core, address, size, value);
    if (status != RV_BLOCK)
        tile_clock_coproc_wake(tile);
    if (status == RV_OK)
        tile_clock_changed(tile);
    return clock_bus_answer(tile, status);
}

static enum rv_status clock_bus_push(void *ctx, unsigned core, const uint32_t *words, unsigned n,
                                     uint32_t pc)
{
    struct tile *tile = ctx;
    tile_clock_bus_begin(tile);
    enum rv_status status = tile_bus.push(ctx, core, words, n, pc);
    if (status != RV_BLOCK)
        tile_clock_coproc_wake(tile);
    if (status == RV_OK && probe_wants(&tile->coproc.probe, EV_PUSH))
        for (unsigned i = 0; i < n; i++)
            probe_event(&tile->coproc.probe,
                        EV_PUSH,
                        tile_agents[core],
                        sites_tag(&tile->sites, pc, false),
                        words[i],
                        n);
    return clock_bus_answer(tile, status);
}

static uint32_t clock_bus_status(void *ctx, unsigned core, unsigned csr)
{
    tile_clock_bus_begin(ctx);
    return tile_bus.status(ctx, core, csr);
}

static void clock_bus_fault(void *ctx, unsigned core, enum rv_fault kind, uint32_t pc,
                            uint32_t word)
{
    struct tile *tile = ctx;
    tile->coproc.probe.now = tile->clock.now;
    tile_bus.fault(ctx, core, kind, pc, word);
}

static unsigned clock_bus_latency(void *ctx, unsigned core, uint32_t address)
{
    const struct tile *tile = ctx;
    return tile->coproc.timing.n.row[map_table[map_find(core, address).region].latency];
}

static unsigned clock_bus_owner_of(struct map_hit hit)
{
    switch (hit.region) {
    case MAP_SEM: return OWNER_SEM0 + hit.index;
    case MAP_MAILBOX: return tile_partner(hit.thread);
    case MAP_PC_BUF_B: return OWNER_CORE_T0 + hit.thread;
    case MAP_TTSYNC_THREAD:
    case MAP_TTSYNC_MOP: return OWNER_T0 + hit.thread;
    default: return map_table[hit.region].owner;
    }
}

static unsigned clock_bus_owner(void *ctx, unsigned core, uint32_t address)
{
    (void)ctx;
    return clock_bus_owner_of(map_find(core, address));
}

static uint16_t clock_bus_why(void *ctx, unsigned core, enum rv_access access, uint32_t address)
{
    struct tile *tile = ctx;
    bool load = access == RV_ACCESS_LOAD;
    if (access == RV_ACCESS_PUSH && core == RV_B)
        return wait_key(WAIT_B_QUEUE_FULL, OWNER_T0);
    if (!load && map_is(MAP_PUSH, core, address)) /* the usual wait */
        return wait_key(WAIT_QUEUE_FULL, OWNER_T0 + core);
    struct map_hit hit = map_find(core, address);
    unsigned owner = clock_bus_owner_of(hit);
    switch (hit.region) {
    case MAP_PUSH: return wait_key(WAIT_QUEUE_FULL, OWNER_T0 + hit.thread);
    case MAP_PUSH_B: return wait_key(WAIT_B_QUEUE_FULL, OWNER_T0 + hit.thread);
    case MAP_MAILBOX: return wait_key(load ? WAIT_MAILBOX_EMPTY : WAIT_MAILBOX_FULL, owner);
    case MAP_PC_BUF: return wait_key(WAIT_PCBUF_EMPTY, OWNER_CORE_B);
    case MAP_PC_BUF_B: return wait_key(load ? WAIT_PCBUF_DONE : WAIT_PCBUF_FULL, owner);
    case MAP_TTSYNC_THREAD:
    case MAP_TTSYNC_MOP: return wait_key(WAIT_TTSYNC, owner);
    case MAP_SEM: return wait_key(WAIT_SEM_SLOT, OWNER_SYNC);
    case MAP_GPR:
    case MAP_GPR_ALL:
    case MAP_CONFIG:
    case MAP_THREAD_CONFIG:
        if (tile_bus_ttsync_holds(tile, core, address, !load))
            return wait_key(WAIT_AUTO_TTSYNC, OWNER_T0 + core);
        return wait_key(WAIT_MMIO_BUSY, OWNER_CONFIG);
    case MAP_TDMA:
        if (tile_bus_ttsync_holds(tile, core, address, !load))
            return wait_key(WAIT_AUTO_TTSYNC, OWNER_T0 + core);
        return wait_key(WAIT_DEVICE, owner);
    default: return wait_key(WAIT_DEVICE, map_table[hit.region].owner);
    }
}

static enum rv_source clock_bus_source(void *ctx, unsigned core, uint32_t address, unsigned size)
{
    return tile_source(ctx, core, address, size);
}

static unsigned clock_bus_ram(void *ctx, unsigned core, uint32_t address)
{
    (void)ctx;
    return tile_source_ram(core, address);
}

/* Soft reset, and the debug interface. */
static bool clock_bus_stops(void *ctx, unsigned core, uint32_t address)
{
    (void)ctx;
    return map_is(MAP_CONTROL, core, address) &&
           ((address & 0xffc) == 0x1b0 || (address & 0xff0) == 0x80);
}

static bool clock_bus_l1_meets(void *ctx, unsigned core, uint32_t address, uint64_t cycle,
                               unsigned cycles)
{
    struct tile *tile = ctx;
    bool met = false;
    for (unsigned i = 0; i < RV_N_CORES; i++) {
        struct rvpipe *p = &tile->pipe[i];
        if (i == core || !rvpipe_poll_meets(p, l1_bank(address), cycle, cycles))
            continue;
        p->poll.disturbed = true; /* this round is not like the one before */
        if (!p->poll.parked)      /* no_skip: it goes on anyway */
            continue;
        rvpipe_poll_wake(p, &tile->core[i], cycle - 1);
        if (p->when < tile->clock.grant)
            tile->clock.grant = p->when;
        tile->clock.parked = (uint8_t)(tile->clock.parked & ~(1u << i));
        met = true;
    }
    return met;
}

const struct rvbus tile_clock_bus = {.load = clock_bus_load,
                                     .store = clock_bus_store,
                                     .push = clock_bus_push,
                                     .status = clock_bus_status,
                                     .fault = clock_bus_fault,
                                     .latency = clock_bus_latency,
                                     .owner = clock_bus_owner,
                                     .why = clock_bus_why,
                                     .source = clock_bus_source,
                                     .ram = clock_bus_ram,
                                     .stops = clock_bus_stops,
                                     .l1_meets = clock_bus_l1_meets};
