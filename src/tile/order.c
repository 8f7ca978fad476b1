/*
 * order.c - the untimed scheduler of a tile: see order.h. Whose turn it is, for how long, and when those go on who wait.
 *
 * Cores and the coprocessor are agents. The one whose virtual time is least has its turn: a core up to its quota, but to nothing that
 * others can see later than the next agent's time; the coprocessor up to the time of the next core. Pushes are not seen by others:
 * they carry their time with them.
 *
 * Inaccuracies: those of state/order.h. L1 is reached up to RV_L1_SLACK early.
 */
#include "tile/order.h"

#include <string.h>

#include "base/bits.h"
#include "base/hot.h"
#include "base/watch.h"
#include "tile/tile.h"

#define ORDER_COPROC RV_N_CORES       /* the coprocessor as an agent */
#define ORDER_NOBODY (RV_N_CORES + 1) /* no agent can go */

uint64_t tile_order_now(const struct tile *tile)
{
    if (tile->order.runs)
        return rvcore_time(&tile->core[tile->order.core]);
    return tile->inside ? tile->coproc.order.now : tile->order.time;
}

void tile_order_act(struct tile *tile, unsigned who)
{
    uint64_t now = tile_order_now(tile);
    struct order *o = &tile->coproc.order;
    tile->order.acts++;
    tile->order.survey = true;
    order_later(&o->event, now);
    order_stir(o, now);
    if (who < RV_N_CORES && tile->core[who].limit > now)
        tile->core[who].limit = now;
}

void tile_order_stir(struct tile *tile)
{
    tile->order.acts++;
    tile->order.survey = true;
    tile->order.cut = false;
    order_later(&tile->coproc.order.event, tile->order.time);
    order_stir(&tile->coproc.order, tile->order.time);
}

void tile_order_pass(struct tile *tile, uint64_t time)
{
    order_later(&tile->order.time, time);
}

void tile_order_reset(struct tile *tile, unsigned core)
{
    struct rvcore *c = &tile->core[core];
    uint64_t now = tile_order_now(tile);
    tile->order.parked = (uint8_t)(tile->order.parked & ~(1u << core));
    tile->order.survey = true;
    if (tile->order.core == core)
        tile->order.cut = false;
    if (rvcore_time(c) < now)
        c->lead = now - c->steps;
}

/* ---- who can go ---- */

static bool order_runnable(const struct rvcore *c)
{
    return c->state == RV_RUNNING || c->state == RV_BLOCKED;
}

/* Starts the handler of an interrupt that is due; returns how long the core may go on without
   another look. */
static uint32_t order_interrupt(struct tile *tile, unsigned core)
{
    enum pic_side side = core == RV_B ? PIC_B : PIC_NC;
    if (core < RV_B || !pic_enabled(&tile->pic, side))
        return TILE_QUOTA;
    unsigned irq = pic_next(&tile->pic, side);
    if (irq != PIC_NONE && !tile->dbgif.core[core].paused &&
        rvcore_interrupt(&tile->core[core], tile->pic.handler_pc[irq]))
        pic_serve(&tile->pic, side, irq);
    return TILE_PIC_QUOTA;
}

/* Interrupts may take it out of a wait. */
static bool order_interruptible(const struct tile *tile, unsigned core)
{
    return core >= RV_B && pic_enabled(&tile->pic, core == RV_B ? PIC_B : PIC_NC);
}

static bool order_interrupted(const struct tile *tile, unsigned core)
{
    return order_interruptible(tile, core) && !tile->core[core].in_handler &&
           pic_next(&tile->pic, core == RV_B ? PIC_B : PIC_NC) != PIC_NONE;
}

/* What a core waits for that has just been blocked. */
static enum order_wait order_wait_of(const struct tile *tile, unsigned core)
{
    const struct rvcore *c = &tile->core[core];
    bool load = c->access == RV_ACCESS_LOAD;
    if (core <= RV_T2 && !load &&
        (c->access == RV_ACCESS_PUSH || map_is(MAP_PUSH, core, c->block_addr)))
        return ORDER_ROOM;
    if (load && map_is(MAP_MAILBOX, core, c->block_addr))
        return ORDER_WORD;
    if (load && core <= RV_T2 && map_is(MAP_TTSYNC_THREAD, core, c->block_addr))
        return ORDER_IDLE;
    return ORDER_ANYTHING;
}

/* Would a blocked core find what it waits for? */
static bool order_finds(struct tile *tile, unsigned core)
{
    const struct tile_order *o = &tile->order;
    switch (o->wait[core]) {
    case ORDER_ROOM: return coproc_rush_room(&tile->coproc, core);
    case ORDER_WORD:
        return tile->mailbox.box[o->semaphore[core]][core == RV_B ? 0 : core + 1].n != 0;
    case ORDER_IDLE: return coproc_thread_idle(&tile->coproc, core) || o->tried[core] != o->acts;
    default: return o->tried[core] != o->acts;
    }
}

/* A core that is blocked, or polls, goes on if it can: when what it waits for has happened. */
static bool order_goes_on(struct tile *tile, unsigned core)
{
    struct tile_order *o = &tile->order;
    struct rvcore *c = &tile->core[core];
    const struct order *threads = &tile->coproc.order;
    uint64_t event = threads->event;
    if (dbgif_attends(&tile->dbgif, core) || order_interruptible(tile, core)) {
        o->parked = (uint8_t)(o->parked & ~(1u << core));
        return o->tried[core] != o->acts || order_interrupted(tile, core);
    }
    if (o->parked >> core & 1) {
        if (coproc_port_sem_read(&tile->coproc, o->semaphore[core]) == c->poll.value)
            return false;
        uint64_t round = o->round[core] + TIMING_BEYOND_SYNC, now = rvcore_time(c);
        uint64_t rounds = event > now ? (event - now + round - 1) / round : 0;
        c->steps += rounds * o->round[core];
        c->lead += rounds * (round - o->round[core]);
        o->parked = (uint8_t)(o->parked & ~(1u << core));
        return true;
    }
    if (!order_finds(tile, core))
        return false;
    if (o->wait[core] == ORDER_ROOM)
        event = threads->at[core];
    if (rvcore_time(c) < event)
        c->lead = event - c->steps;
    return true;
}

/* Has it a turn, if it is its turn? */
HOT_INLINE bool order_can_go(struct tile *tile, unsigned core)
{
    const struct tile_order *o = &tile->order;
    const struct rvcore *c = &tile->core[core];
    const struct dbgif_core *d = &tile->dbgif.core[core];
    if (c->state == RV_HELD)
        return false;
    if (d->access)
        return o->tried[core] != o->acts;
    if (d->paused || !order_runnable(c))
        return false;
    return (c->state == RV_RUNNING && !(o->parked >> core & 1)) || order_goes_on(tile, core);
}

/* Who of the cores can go, who might later. */
static void order_survey(struct tile *tile)
{
    struct tile_order *o = &tile->order;
    o->survey = false;
    o->ready = o->patient = 0;
    for (unsigned i = 0; i < RV_N_CORES; i++) {
        const struct rvcore *c = &tile->core[i];
        const struct dbgif_core *d = &tile->dbgif.core[i];
        if (order_can_go(tile, i)) {
            bool asked = d->access || d->wants_pause; /* debuggers want it at once */
            o->at[i] = asked ? 0 : rvcore_time(c);
            o->ready = (uint8_t)(o->ready | 1u << i);
        } else if (d->access || (c->state == RV_BLOCKED && o->wait[i] == ORDER_ANYTHING)) {
            o->patient = (uint8_t)(o->patient | 1u << i);
        }
    }
}

/* Who is furthest behind. limit: how far it may go before the next one. */
HOT_INLINE unsigned order_pick(struct tile *tile, uint64_t *limit)
{
    const struct tile_order *o = &tile->order;
    uint64_t first = coproc_rush_next(&tile->coproc), second = ORDER_NEVER;
    unsigned agent = first < ORDER_NEVER ? (unsigned)ORDER_COPROC : (unsigned)ORDER_NOBODY;
    if (o->survey)
        order_survey(tile);
    for (unsigned left = o->ready; left; left &= left - 1) {
        unsigned i = bits_lowest(left);
        uint64_t at = o->at[i];
        if (at < first) {
            second = first;
            first = at;
            agent = i;
        } else if (at < second) {
            second = at;
        }
    }
    *limit = second;
    return agent;
}

/* ---- turns ---- */

/* Steps of a core, each told when it is done. */
static COLD uint32_t order_trace(struct tile *tile, unsigned core, const struct rvmem *m,
                                 uint32_t quota)
{
    struct rvcore *c = &tile->core[core];
    tile->turn = 0;
    while (tile->turn < quota && order_runnable(c)) {
        uint32_t pc = c->pc, word = 0;
        if (!(pc & 3) && pc < TILE_L1_SIZE)
            memcpy(&word, tile_l1(tile) + pc, sizeof word);
        uint32_t n = rvcore_run(c, m, 1);
        if (!n)
            break;
        probe_event(&tile->coproc.probe, EV_CORE, tile_agents[core], 0, word, pc);
        tile->turn += n;
    }
    uint32_t done = tile->turn;
    tile->turn = 0;
    return done;
}

static uint32_t order_run(struct tile *tile, unsigned core, uint32_t quota)
{
    struct rvcore *c = &tile->core[core];
    bool traced = probe_wants(&tile->coproc.probe, EV_CORE);
    bool odd = dbgif_attends(&tile->dbgif, core);
    uint32_t n;
    c->ordered = !odd;
    c->parks = !odd && !traced && !order_interruptible(tile, core);
    tile->order.runs = true;
    if (odd) {
        n = dbgif_turn(tile, core, quota);
    } else {
        struct rvmem m = tile_memory(tile, core);
        n = traced ? order_trace(tile, core, &m, quota) : rvcore_run(c, &m, quota);
    }
    tile->order.runs = false;
    c->ordered = c->parks = false;
    order_later(&tile->order.time, rvcore_time(c));
    return n;
}

/* The core cannot go on: what it waits for. */
static void order_rest(struct tile *tile, unsigned core)
{
    struct tile_order *o = &tile->order;
    struct rvcore *c = &tile->core[core];
    struct order *threads = &tile->coproc.order;
    o->tried[core] = o->acts;
    if (c->state == RV_RUNNING && !c->poll.round && !dbgif_attends(&tile->dbgif, core)) {
        o->at[core] = rvcore_time(c);
        return;
    }
    o->survey = true;
    if (c->state == RV_BLOCKED) {
        o->wait[core] = order_wait_of(tile, core);
        if (o->wait[core] == ORDER_WORD)
            o->semaphore[core] = map_find(core, c->block_addr).thread;
        if (o->wait[core] == ORDER_ROOM) {
            threads->rooms = (uint8_t)(threads->rooms | 1u << core);
            threads->room_since[core] = rvcore_time(c);
        } else if (o->wait[core] == ORDER_IDLE) {
            threads->idles = (uint8_t)(threads->idles | 1u << core);
        }
    } else if (c->poll.round) {
        o->parked = (uint8_t)(o->parked | 1u << core);
        o->round[core] = c->poll.round;
        threads->polled = (uint8_t)(threads->polled | 1u << o->semaphore[core]);
        c->poll.round = 0;
    }
}

/* Some or all of the turn of the core whose turn it is; at most so many steps. Returns how many. */
static uint32_t order_turn(struct tile *tile, uint64_t most)
{
    struct tile_order *o = &tile->order;
    unsigned core = o->core;
    struct rvcore *c = &tile->core[core];
    uint32_t quota = most < o->left ? (uint32_t)most : o->left;
    uint32_t n = order_run(tile, core, quota);
    o->left -= n;
    o->cut = n == quota && o->left && c->state == RV_RUNNING && !c->poll.round;
    tile->steps += n;
    order_rest(tile, core);
    return n;
}

/* A core's turn begins. */
static void order_begin(struct tile *tile, unsigned core, uint64_t limit)
{
    struct order *threads = &tile->coproc.order;
    tile->order.core = (uint8_t)core;
    tile->order.left = order_interrupt(tile, core);
    tile->core[core].limit = limit;
    if (core < COPROC_THREADS) {
        threads->rooms = (uint8_t)(threads->rooms & ~(1u << core));
        threads->idles = (uint8_t)(threads->idles & ~(1u << core));
    }
}

/* The coprocessor's turn; false: nothing moved. */
static bool order_coproc(struct tile *tile, uint64_t limit)
{
    bool moved = coproc_rush_until(&tile->coproc, limit);
    if (tile->soft_reset & ~TILE_SOFT_RESET)
        tile_control_hold_units(tile);
    tile->order.acts += moved;
    if (tile->coproc.order.wake || tile->order.patient)
        tile->order.survey = true;
    return moved;
}

/* Nobody can go but those that poll in vain: they do so for as long as there are steps. */
static uint64_t order_idle(struct tile *tile, uint64_t steps)
{
    struct tile_order *o = &tile->order;
    uint64_t done = 0, each = steps / RV_N_CORES + 1;
    if (!o->parked)
        return 0;
    for (unsigned i = 0; i < RV_N_CORES; i++) {
        if (!(o->parked >> i & 1))
            continue;
        struct rvcore *c = &tile->core[i];
        uint64_t rounds = each / o->round[i] + 1;
        c->steps += rounds * o->round[i];
        c->lead += rounds * (TIMING_BEYOND_SYNC);
        order_later(&o->time, rvcore_time(c));
        done += rounds * o->round[i];
    }
    tile->steps += done;
    return steps;
}

uint64_t tile_order_run(struct tile *tile, uint64_t budget)
{
    struct tile_order *o = &tile->order;
    uint64_t done = 0;
    o->survey = true;
    WATCH(watch);
    while (!tile->clock.on && done < budget) {
        uint64_t limit;
        PROGRESS(watch, done, TILE_ADVANCES);
        if (!o->cut) {
            unsigned agent = order_pick(tile, &limit);
            if (tile->tdma.n && tdma_work(tile)) {
                tile_order_act(tile, RV_N_CORES);
                continue;
            }
            if (agent == ORDER_COPROC) {
                order_coproc(tile, limit);
                continue;
            }
            if (agent == ORDER_NOBODY) {
                if (order_coproc(tile, ORDER_NEVER))
                    continue;
                done += order_idle(tile, budget - done);
                break;
            }
            order_begin(tile, agent, limit);
        }
        done += order_turn(tile, budget - done);
    }
    coproc_rush_explain(&tile->coproc);
    return done;
}
