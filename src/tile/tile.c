/*
 * tile.c - the untimed scheduler of one tile, and access from outside.
 *
 * Untimed is the same machine with all latencies zero: the coprocessor finishes each word before the next
 * (coproc/rush.c), and the cores run TILE_QUOTA steps at a time. A core that would wait for the coprocessor lets it
 * run (tile_advance) and blocks only if that does not help. What a core pushes may wait in its queue until the core
 * does anything else outside of L1 and its data RAM.
 *
 * Inaccuracies: untimed shows no races: a WRCFG behind a SETDMAREG always sees the new value. The
 * NoC interfaces are storage only.
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
static void tile_unit_begin(struct tile *t)
{
    if (t->clock.on && t->coproc.now > t->clock.now)
        t->clock.now = t->coproc.now;
}

/* ---- who writes L1, with time (struct l1_watch) ---- */

/* The clock wants to know if somebody polls, sleeps or runs code there, or may be brought to the present. */
static void tile_writes(void *ctx, uint32_t address, uint32_t size)
{
    struct tile *t = ctx;
    const struct tile_clock *k = &t->clock;
    bool own = k->runs < RV_N_CORES && t->pipe[k->runs].poll.on;
    if (k->polls | k->waiting | k->staged | own || !k->limit ||
        rvcode_holds(&t->code, address, size))
        tile_l1_changes(t, address, size);
}

static void tile_wrote(void *ctx, struct l1_writer by, uint32_t address, uint32_t size)
{
    struct tile *t = ctx;
    tile_l1_changed(t, address, size);
    writers_note_range(&t->writers, address, size, by.owner, by.pc, t->clock.now);
}

static void tile_unit_writes(void *ctx, uint32_t address, uint32_t size)
{
    tile_unit_begin(ctx);
    tile_writes(ctx, address, size);
}

const struct l1_watch tile_watch = {.writes = tile_writes, .wrote = tile_wrote};
const struct l1_watch tile_unit_watch = {.writes = tile_unit_writes, .wrote = tile_wrote};

struct l1_port tile_port(struct tile *t)
{
    return (struct l1_port){.bytes = t->l1_bytes,
                            .size = TILE_L1_SIZE,
                            .code = &t->code,
                            .watch = t->clock.on ? &tile_watch : NULL,
                            .ctx = t};
}

/* ---- what units ask of the tile ---- */

/* The Scalar Unit's way to registers: TDMA-RISC as the thread's core, the rest as the NoC. What it asks for
   must not make the coprocessor work, in whose cycle it is. */
static bool tile_unit_store(void *ctx, unsigned thread, uint32_t address, uint32_t value)
{
    struct tile *t = ctx;
    bool was = t->inside;
    tile_unit_begin(t);
    t->inside = true;
    enum rv_status status = map_find(thread, address).window == MAP_TDMA
                                ? tdma_write(t, thread, address & 0xffc, value)
                                : tile_store(t, MAP_NOC, address, 4, value);
    t->inside = was;
    if (t->clock.on)
        tile_changed(t);
    return status != RV_BLOCK;
}

static bool tile_unit_load(void *ctx, unsigned thread, uint32_t address, uint32_t *value)
{
    struct tile *t = ctx;
    bool was = t->inside;
    tile_unit_begin(t);
    t->inside = true;
    enum rv_status status = map_find(thread, address).window == MAP_TDMA
                                ? tdma_read(t, thread, address & 0xffc, value)
                                : tile_load(t, MAP_NOC, address, value);
    t->inside = was;
    return status != RV_BLOCK;
}

static void tile_unit_move(void *ctx, uint32_t to, uint32_t from, uint32_t count, unsigned mode)
{
    tdma_move(ctx, to, from, count, (enum tdma_mode)mode);
}

void tile_reset(struct tile *t)
{
    t->coproc.l1 = tile_port(t);
    t->coproc.l1.store = tile_unit_store;
    t->coproc.l1.load = tile_unit_load;
    t->coproc.l1.move = tile_unit_move;
    coproc_reset(&t->coproc);
    ttsync_reset(&t->ttsync);
    rvcode_flush(&t->code);
    t->soft_reset = TILE_SOFT_RESET;
    for (unsigned i = 0; i < RV_N_CORES; i++) {
        rvcore_reset(&t->core[i], i, 0);
        t->core[i].state = RV_HELD;
    }
}

struct rvmem tile_memory(struct tile *t, unsigned core)
{
    return (struct rvmem){.l1 = tile_l1(t),
                          .l1_size = TILE_L1_SIZE,
                          .local = t->local[core],
                          .local_size = RV_LOCAL_SIZE(core),
                          .code = &t->code,
                          .bus = t->clock.on ? &tile_clock_bus : &tile_bus,
                          .ctx = t,
                          .watch = t->clock.on ? &tile_watch : NULL,
                          .agent = tile_agents[core]};
}

bool tile_advance(struct tile *t)
{
    if (t->clock.on || t->inside)
        return false; /* the clock does that, or the coprocessor works already */
    bool moved = coproc_rush(&t->coproc);
    if (t->soft_reset & ~TILE_SOFT_RESET)
        tile_hold_units(t);
    return (t->tdma.n && tdma_work(t)) || moved;
}

static bool tile_runnable(const struct rvcore *c)
{
    return c->state == RV_RUNNING || c->state == RV_BLOCKED;
}

/* Starts the handler of an interrupt that is due; returns how long the core may go on without
   another look. */
static uint32_t tile_interrupt(struct tile *t, unsigned core)
{
    enum pic_side side = core == RV_B ? PIC_B : PIC_NC;
    if (core < RV_B || !pic_enabled(&t->pic, side))
        return TILE_QUOTA;
    unsigned irq = pic_next(&t->pic, side);
    if (irq != PIC_NONE && !t->dbgif.core[core].paused &&
        rvcore_interrupt(&t->core[core], t->pic.handler_pc[irq]))
        pic_serve(&t->pic, side, irq);
    return TILE_PIC_QUOTA;
}

/* Steps of a core, each told when it is done. */
static COLD uint32_t tile_trace(struct tile *t, unsigned core, const struct rvmem *m,
                                uint32_t quota)
{
    struct rvcore *c = &t->core[core];
    t->turn = 0;
    while (t->turn < quota && tile_runnable(c)) {
        uint32_t pc = c->pc, word = 0;
        if (!(pc & 3) && pc < TILE_L1_SIZE)
            memcpy(&word, tile_l1(t) + pc, sizeof word);
        uint32_t n = rvcore_run(c, m, 1);
        if (!n)
            break;
        probe_event(&t->coproc.probe, EV_CORE, tile_agents[core], 0, word, pc);
        t->turn += n;
    }
    uint32_t done = t->turn;
    t->turn = 0;
    return done;
}

static uint32_t tile_turn(struct tile *t, unsigned core, uint64_t left)
{
    struct rvcore *c = &t->core[core];
    if (c->state == RV_HELD)
        return 0;
    uint32_t quota = tile_interrupt(t, core);
    if (left < quota)
        quota = (uint32_t)left;
    if (dbgif_attends(&t->dbgif, core))
        return dbgif_turn(t, core, quota);
    struct rvmem m = tile_memory(t, core);
    if (!tile_runnable(c))
        return 0;
    return probe_wants(&t->coproc.probe, EV_CORE) ? tile_trace(t, core, &m, quota)
                                                  : rvcore_run(c, &m, quota);
}

uint64_t tile_run(struct tile *t, uint64_t budget)
{
    uint64_t done = 0;
    bool moved = !t->clock.on;
    WATCH(watch);
    while (moved && done < budget) {
        PROGRESS(watch, done, TILE_ADVANCES);
        moved = false;
        for (unsigned i = 0; i < RV_N_CORES; i++) {
            uint32_t n = tile_turn(t, i, budget - done);
            done += n;
            t->steps += n;
            moved |= n != 0;
            if (done >= budget)
                break;
        }
        for (unsigned i = 0; i < TILE_QUOTA && tile_advance(t); i++)
            moved = true;
    }
    coproc_explain(&t->coproc);
    return done;
}

bool tile_still(const struct tile *t)
{
    for (unsigned i = 0; i < RV_N_CORES; i++)
        if (t->core[i].state == RV_RUNNING && !t->dbgif.core[i].paused)
            return false;
    return true;
}

/* ---- from outside ---- */

bool tile_read(struct tile *t, uint32_t address, void *to, uint32_t size)
{
    uint8_t *out = to;
    bool all = true;
    if (address < TILE_L1_SIZE && size <= TILE_L1_SIZE - address) {
        memcpy(out, tile_l1(t) + address, size);
        return true;
    }
    if (t->clock.on)
        tile_clock_begin(t);
    while (size) {
        uint32_t value = 0, at = address & 3, n = 4 - at < size ? 4 - at : size;
        all &= tile_load(t, MAP_NOC, address & ~3u, &value) == RV_OK;
        memcpy(out, (const uint8_t *)&value + at, n);
        address += n;
        out += n;
        size -= n;
    }
    return all;
}

bool tile_write(struct tile *t, uint32_t address, const void *from, uint32_t size)
{
    const uint8_t *in = from;
    bool all = true;
    if (t->clock.on)
        tile_clock_begin(t);
    if (address < TILE_L1_SIZE && size <= TILE_L1_SIZE - address) {
        const struct l1_port port = tile_port(t);
        l1_port_put(&port, (struct l1_writer){.owner = OWNER_NOBODY}, address, in, size);
        return true;
    }
    while (size) {
        uint32_t value = 0, at = address & 3, n = 4 - at < size ? 4 - at : size;
        if (n < 4)
            tile_load(t, MAP_NOC, address & ~3u, &value);
        memcpy((uint8_t *)&value + at, in, n);
        all &= tile_store(t, MAP_NOC, address & ~3u, 4, value) == RV_OK;
        address += n;
        in += n;
        size -= n;
    }
    if (t->clock.on)
        tile_changed(t);
    return all;
}
