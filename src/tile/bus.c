/*
 * bus.c - what a core or the NoC finds at an address beyond L1 and its own data RAM.
 *
 * ISA pages: BabyRISCV/README (memory map), PushTensixInstruction, ManualTTSync, AutoTTSync, PCBufs,
 * Mailboxes, SyncUnit, BackendConfiguration, ScalarUnit. Who reaches what: map.def.
 *
 * A request that has to wait for the coprocessor lets it work (tile_advance); if it then still has
 * to wait, the core blocks on it and tries again in its next turn.
 *
 * Inaccuracies: NIU regions are storage only. The behaviour of silicon at an address where there is
 * nothing is not documented (an access might wait for ever): here a load gives 0, a store is lost, both
 * are reported. Status CSRs show a change of the lanes at once. The semaphore region is 32 bytes, TTSync 8; the
 * map gives them more without saying what is there.
 */
#include <string.h>

#include "base/bits.h"
#include "base/hot.h"
#include "base/watch.h"
#include "isa/tensix.h"
#include "state/op.h"
#include "tile/tile.h"

static unsigned bus_agent(unsigned who)
{
    return who == MAP_NOC ? (unsigned)OWNER_NOBODY : tile_agents[who];
}

static void bus_diag(struct tile *tile, enum diag_id id, unsigned who, uint32_t word, uint32_t arg)
{
    probe_diag(&tile->coproc.probe, id, bus_agent(who), 0, word, arg);
}

/* There is nothing at this address. A core reports that itself, with its pc. */
static enum rv_status bus_nothing(struct tile *tile, unsigned who, uint32_t word, uint32_t address)
{
    if (who == MAP_NOC)
        bus_diag(tile, DIAG_NOC_UNMAPPED, who, word, address);
    return RV_FAULT;
}

static uint32_t bus_offset(const struct map_hit *hit, uint32_t address)
{
    return address - map_table[hit->region].base;
}

/* B is mailbox partner 0, T0, T1, T2 are 1, 2, 3. */
static unsigned bus_partner(unsigned who)
{
    return who == MAP_CORE_B ? 0 : who + 1;
}

/* ---- waiting for the coprocessor ---- */

/* Resources that Auto TTSync tracks behind a region. */
static unsigned bus_resources(const struct tile *tile, unsigned who, const struct map_hit *hit)
{
    switch (hit->region) {
    case MAP_GPR: return TTSYNC_GPR;
    case MAP_TDMA: return TTSYNC_TDMA;
    case MAP_CONFIG: return ttsync_config(&tile->coproc, who, hit->thread, hit->index);
    case MAP_THREAD_CONFIG:
        return ttsync_config(&tile->coproc, who, TTSYNC_THREAD_CONFIG, hit->index);
    default: return 0;
    }
}

/* Auto TTSync: a T core's access comes after what it has pushed. */
static bool bus_ttsync_holds(const struct tile *tile, unsigned who, const struct map_hit *hit,
                             bool store)
{
    if (who > MAP_CORE_T2 || !ttsync_tracks(&tile->coproc, who))
        return false;
    unsigned resources = bus_resources(tile, who, hit);
    return resources && ttsync_holds(&tile->ttsync, &tile->coproc, who, resources, store);
}

bool tile_bus_ttsync_holds(const struct tile *tile, unsigned who, uint32_t address, bool store)
{
    struct map_hit hit = map_find(who, address);
    return bus_ttsync_holds(tile, who, &hit, store);
}

static bool bus_in_order(struct tile *tile, unsigned who, const struct map_hit *hit, bool store)
{
    WATCH(watch);
    while (bus_ttsync_holds(tile, who, hit, store)) {
        PROGRESS(watch, 0, TILE_ADVANCES);
        if (!tile_advance(tile))
            return false;
    }
    return true;
}

/* Untimed: what a core has pushed goes before a core sees or does anything else later than that. False: it is to have its turn
   first. The NoC finds what is there. */
static bool bus_catch_up(struct tile *tile, unsigned who)
{
    struct coproc *cp = &tile->coproc;
    if (LIKELY(!cp->behind) || tile->inside || who == MAP_NOC)
        return true;
    if (!tile->order.runs) {
        tile_advance(tile);
        return true;
    }
    cp->behind = false;
    return coproc_rush_next(cp) > rvcore_time(&tile->core[who]);
}

/* The debug bus has control of the thread's queue: what is pushed is lost. */
static bool bus_push_lost(struct tile *tile, unsigned who, unsigned thread, uint32_t word)
{
    bool lost = tile_control_debug_bus(tile, thread);
    if (lost)
        bus_diag(tile, DIAG_DEBUG_BUS_LOST, who, word, thread);
    return lost;
}

/* With time: the queue takes all of the words or none, at the end of the cycle. */
static enum rv_status bus_push_staged(struct tile *tile, unsigned thread, const uint32_t *words,
                                      unsigned n, uint32_t pc)
{
    uint16_t tags[4];
    if (!frontend_can_push(&tile->coproc.fe[thread]))
        return RV_BLOCK;
    for (unsigned i = 0; i < n; i++)
        tags[i] = (uint16_t)sites_tag(&tile->sites, pc + 4 * i, false);
    if (!coproc_port_push(&tile->coproc, thread, words, n, tags[0]))
        return RV_BLOCK;
    if (n > 1)
        frontend_tag(&tile->coproc.fe[thread], words, tags, n);
    for (unsigned i = 0; i < n; i++)
        if (words[i] >> 24 == TENSIX_OP_RESOURCEDECL)
            ttsync_pushed(&tile->ttsync, thread, words[i]);
    return RV_OK;
}

/* Without time: the coprocessor works until the words have room; false if there is nothing it can do. */
COLD static bool bus_push_waits(struct tile *tile, unsigned thread)
{
    WATCH(watch);
    while (!coproc_rush_push_open(&tile->coproc, thread)) {
        PROGRESS(watch, 0, TILE_ADVANCES);
        if (!tile_advance(tile))
            return false;
    }
    return true;
}

/* Untimed: the last word of the queue comes now. */
HOT_INLINE void bus_pushed_at(struct tile *tile, unsigned thread)
{
    const struct queue *q = &tile->coproc.fe[thread].q1;
    tile->coproc.order.when[thread][(q->head + q->n - 1u) % QUEUE_MAX] =
        rvcore_time(&tile->core[thread]);
}

/* Without time: the words have room. flags: ENTRY_* of all of them. */
HOT_APART static enum rv_status bus_push_now(struct tile *tile, unsigned thread,
                                             const uint32_t *words, unsigned n, uint32_t pc,
                                             unsigned flags)
{
    for (; n; n--, words++, pc += 4, bus_pushed_at(tile, thread))
        if (!frontend_enter(
                &tile->coproc.fe[thread], *words, sites_tag(&tile->sites, pc, false), flags))
            ttsync_pushed(&tile->ttsync, thread, *words);
    coproc_pushed(&tile->coproc);
    return RV_OK;
}

static unsigned bus_push_flags(unsigned n)
{
    return n > 1 ? ENTRY_RETIRES | ENTRY_FUSED : ENTRY_RETIRES;
}

/* Words that take time, or have no room yet, or are lost. */
HOT_APART static enum rv_status bus_push_else(struct tile *tile, unsigned thread,
                                              const uint32_t *words, unsigned n, uint32_t pc)
{
    if (bus_push_lost(tile, thread, thread, words[0]))
        return RV_OK;
    if (tile->clock.on)
        return bus_push_staged(tile, thread, words, n, pc);
    if (!bus_push_waits(tile, thread))
        return RV_BLOCK;
    return bus_push_now(tile, thread, words, n, pc, bus_push_flags(n));
}

HOT_APART static enum rv_status bus_push_b(struct tile *tile, unsigned thread, uint32_t word,
                                           uint32_t pc)
{
    bool moved;
    if (bus_push_lost(tile, MAP_CORE_B, thread, word))
        return RV_OK;
    if (tile->clock.on) {
        coproc_port_push_b(&tile->coproc, thread, word, sites_tag(&tile->sites, pc, true));
        return RV_STAGED;
    }
    WATCH(watch);
    do {
        PROGRESS(watch, tile->coproc.now, 1);
        coproc_port_push_b(&tile->coproc, thread, word, sites_tag(&tile->sites, pc, true));
        moved = coproc_step(&tile->coproc);
        bool taken = coproc_port_push_b_taken(&tile->coproc, thread);
        moved |= coproc_drain(&tile->coproc);
        if (taken)
            return RV_OK;
    } while (moved);
    return RV_BLOCK;
}

/* What happens with most words is done here, without a call: without time, there is room, the place is known. */
static enum rv_status bus_push(void *ctx, unsigned core, const uint32_t *words, unsigned n,
                               uint32_t pc)
{
    struct tile *tile = ctx;
    if (core > MAP_CORE_T2)
        return core == MAP_CORE_B ? bus_push_b(tile, 0, words[0], pc) : RV_FAULT;
    struct frontend *f = &tile->coproc.fe[core];
    unsigned flags = bus_push_flags(n);
    HOT_KEEP(f);
    if (!LIKELY(!tile->clock.on && coproc_push_ready(&tile->coproc, core) &&
                !tile_control_debug_bus(tile, core)))
        return bus_push_else(tile, core, words, n, pc);
    for (; n; n--, words++, pc += 4) {
        unsigned tag = sites_known(&tile->sites, pc);
        if (!LIKELY(tag && frontend_enter(f, *words, tag, flags)))
            return bus_push_now(tile, core, words, n, pc, flags);
        bus_pushed_at(tile, core);
    }
    coproc_pushed(&tile->coproc);
    return RV_OK;
}

static enum rv_status bus_semaphore(struct tile *tile, unsigned core, unsigned sem, uint32_t value)
{
    if (tile->clock.on) {
        coproc_port_sem_write(&tile->coproc, core, sem, value);
        return RV_STAGED;
    }
    coproc_rush_sem_now(&tile->coproc, core, sem, value);
    return RV_OK;
}

static enum rv_status bus_mop_cfg(struct tile *tile, unsigned thread, unsigned i, uint32_t value)
{
    if (tile->coproc.fe[thread].cfg_write) { /* one write a cycle */
        if (tile->clock.on)
            return RV_BLOCK;
        coproc_rush_push_open(&tile->coproc, thread);
    }
    coproc_port_write_mop_cfg(&tile->coproc, thread, i, value);
    return RV_OK;
}

static enum rv_status bus_config(struct tile *tile, unsigned who, unsigned bank, unsigned word,
                                 uint32_t value)
{
    unsigned core = who == MAP_CORE_B ? 3 : who;
    if (tile->clock.on)
        return coproc_port_config_write(&tile->coproc, core, bank, word, value) ? RV_OK : RV_BLOCK;
    coproc_rush_config_now(&tile->coproc, bank, word, value);
    if (tile->soft_reset & ~TILE_SOFT_RESET)
        tile_control_hold_units(tile);
    return RV_OK;
}

static enum rv_status bus_gpr(struct tile *tile, unsigned who, const struct map_hit *hit,
                              unsigned shift, uint32_t mask, uint32_t value)
{
    uint32_t *r = &tile->coproc.gpr.r[hit->thread][hit->index];
    uint32_t word = (*r & ~(mask << shift)) | (value & mask) << shift;
    if (tile->clock.on) {
        unsigned core = who == MAP_CORE_B ? 3 : who;
        return coproc_port_gpr_write(&tile->coproc, core, hit->thread, hit->index, word) ? RV_OK
                                                                                         : RV_BLOCK;
    }
    *r = word;
    return RV_OK;
}

/* tensix_sync and mop_sync: the load answers when there is nothing left to wait for. */
static enum rv_status bus_ttsync(struct tile *tile, unsigned thread, bool mop)
{
    uint32_t override = tile->control[0x90 / 4] >> (10 * thread);
    WATCH(watch);
    while (mop ? !coproc_port_mop_idle(&tile->coproc, thread)
               : !coproc_thread_idle(&tile->coproc, thread)) {
        PROGRESS(watch, 0, TILE_ADVANCES);
        if ((override & 3) == 3)
            break;
        if (!tile_advance(tile))
            return RV_BLOCK;
    }
    return RV_OK;
}

/* ---- PC buffers ---- */

static uint32_t bus_take(const struct tile *tile, struct fifo *f)
{
    f->out_at = tile->clock.now;
    return mailbox_fifo_pop(f);
}

/* Cycles, for what depends on them; 0: there are none. */
static uint64_t bus_now(const struct tile *tile)
{
    return tile->clock.on ? tile->clock.now : 0;
}

static enum rv_status bus_pcbuf_take(struct tile *tile, unsigned thread, uint32_t *value)
{
    struct fifo *f = &tile->pcbuf.to[thread];
    uint32_t override = tile->control[0x90 / 4] >> (10 * thread);
    bool begins = !tile->pcbuf.reading[thread];
    if (begins)
        tile->pcbuf.since[thread] = tile->clock.now;
    tile->pcbuf.reading[thread] = !f->n;
    if (tile->order.runs && (begins || f->n)) /* B may wait for either */
        tile_order_act(tile, thread);
    if (f->n)
        *value = bus_take(tile, f);
    else if (override & 1)
        *value = (override >> 2) & 0xff;
    else
        return RV_BLOCK;
    tile->pcbuf.reading[thread] = false;
    return RV_OK;
}

/* B's read answers when the T core waits at its empty buffer and its thread is idle. */
static enum rv_status bus_pcbuf_done(struct tile *tile, unsigned thread)
{
    uint32_t override = tile->control[0x90 / 4] >> (10 * thread);
    if ((override & 3) == 3)
        return RV_OK;
    bool idle = tile->pcbuf.reading[thread] && !tile->pcbuf.to[thread].n;
    if (tile->clock.on && tile->pcbuf.since[thread] >= tile->clock.now)
        idle = false; /* is seen in the next cycle */
    return idle && bus_ttsync(tile, thread, false) == RV_OK ? RV_OK : RV_BLOCK;
}

/* ---- status CSRs ---- */

/* The bits of CSRs 0xBC0 and 0xBC1 that an instruction of a unit sets. */
static const uint16_t unit_kinds[TENSIX_N_UNITS] = {
    [TENSIX_UNIT_SYNC] = 1u << 7,
    [TENSIX_UNIT_UNPACK] = 1u << 4 | 1u << 8,
    [TENSIX_UNIT_MATRIX] = 1u << 10,
    [TENSIX_UNIT_PACK] = 1u << 5 | 1u << 8,
    [TENSIX_UNIT_VECTOR] = 1u << 9,
    [TENSIX_UNIT_SCALAR] = 1u << 2 | 1u << 8,
    [TENSIX_UNIT_CONFIG] = 1u << 6,
    [TENSIX_UNIT_MOVER] = 1u << 3 | 1u << 8,
    [TENSIX_UNIT_MISC] = 1u << 8,
};

/* Which kinds of instruction a thread still has before its gate: bits of CSR 0xBC0. */
static uint32_t bus_kinds_of(const struct entry *e)
{
    uint8_t op = e->op;
    if (op == TENSIX_OP_NOP)
        return 0;
    if (op == TENSIX_OP_MOP)
        return 1u << 1;
    if (op == TENSIX_OP_REPLAY) { /* one that only records does not count */
        struct tensix_REPLAY r = tensix_REPLAY_decode(e->word);
        return r.execute_while_loading || !r.load_mode ? 1u << 0 : 0;
    }
    return unit_kinds[op_table[op].unit];
}

static uint32_t bus_queue_kinds(const struct queue *q)
{
    uint32_t kinds = 0;
    for (unsigned i = 0; i < q->n; i++)
        kinds |= bus_kinds_of(&q->slot[(q->head + i) % QUEUE_MAX]);
    return kinds;
}

static uint32_t bus_thread_kinds(const struct tile *tile, unsigned thread)
{
    const struct frontend *f = &tile->coproc.fe[thread];
    uint32_t kinds = bus_queue_kinds(&f->q1) | bus_queue_kinds(&f->q2) | bus_queue_kinds(&f->q3);
    for (unsigned i = 0; i < f->n_in; i++)
        kinds |= bus_kinds_of(&f->in[i]);
    return kinds | (uint32_t)mop_expands(&f->mop) << 1 | (uint32_t)(f->replay.mode == REPLAY_PLAY);
}

#define STATUS_LANES (1u << 11 | 1u << 24) /* some lane of the Vector Unit is enabled */

/* The same kinds for what has left the gate and is not finished: CSR 0xBC1 shows both. */
static uint32_t bus_executing_kinds(const struct coproc *c, unsigned thread)
{
    uint32_t kinds = 0;
    if (scalar_outstanding(&c->scalar, thread, c->now))
        kinds |= unit_kinds[TENSIX_UNIT_SCALAR];
    if (mover_busy(&c->mover, c->now) && c->mover.thread == thread)
        kinds |= unit_kinds[TENSIX_UNIT_MOVER];
    if (c->unpack.u[0].in_flight[thread] | c->unpack.u[1].in_flight[thread])
        kinds |= unit_kinds[TENSIX_UNIT_UNPACK];
    if (pack_busy(&c->pack, thread, c->now))
        kinds |= unit_kinds[TENSIX_UNIT_PACK];
    if (config_in_flight(&c->config, thread))
        kinds |= unit_kinds[TENSIX_UNIT_CONFIG];
    if (vector_busy(&c->vector, thread, c->now))
        kinds |= unit_kinds[TENSIX_UNIT_VECTOR];
    if (matrix_busy(&c->matrix, thread, c->now))
        kinds |= unit_kinds[TENSIX_UNIT_MATRIX];
    return kinds;
}

/* CSRs 0xBC2..0xBC9 of a T core: phase, then messages received, of the four streams that its
   ThreadConfig names. That these are STREAM_ID_TRISC_SEC is inferred from their name. */
static uint32_t bus_stream_status(const struct tile *tile, unsigned thread, unsigned csr)
{
    unsigned i = csr - 0xBC2;
    unsigned id = tile->coproc.config.thread[thread][THCONFIG_STREAM_TRISC + i % 4] % STREAM_COUNT;
    return tile->coproc.stream.reg[id][i < 4 ? STREAM_CURR_PHASE : STREAM_NUM_MSGS];
}

static uint32_t bus_status(void *ctx, unsigned core, unsigned csr)
{
    struct tile *tile = ctx;
    uint32_t own = 0, any = 0;
    if (!bus_catch_up(tile, core))
        coproc_rush_until(&tile->coproc, rvcore_time(&tile->core[core]));
    if (csr >= 0xBC2)
        return core <= MAP_CORE_T2 ? bus_stream_status(tile, core, csr) : 0;
    for (unsigned i = 0; i < COPROC_THREADS; i++) {
        uint32_t kinds = bus_thread_kinds(tile, i);
        if (csr == 0xBC1)
            kinds |= bus_executing_kinds(&tile->coproc, i);
        any |= kinds;
        own |= i == core ? kinds : 0;
    }
    if (core > MAP_CORE_T2)
        own = any;
    if (csr == 0xBC1)
        return own | any << 11;
    return own | any << 13 | (lanes_enabled(&tile->coproc.vector.lanes) ? STATUS_LANES : 0);
}

/* ---- loads ---- */

static uint32_t bus_local_word(struct tile *tile, unsigned core, uint32_t offset)
{
    uint32_t word;
    tile_clock_core_ahead(tile, core);
    memcpy(&word, tile->local[core] + offset % RV_LOCAL_SIZE(core), 4);
    return word;
}

static uint32_t bus_pc_snapshot(struct tile *tile, unsigned i)
{
    static const uint8_t order[] = {RV_B, RV_NC, RV_T0, RV_T1, RV_T2};
    struct rvcore c = {0};
    if (i < 5) {
        tile_clock_core_ahead(tile, order[i]);
        tile_clock_core_now(tile, order[i], &c);
    }
    return c.pc;
}

/* Registers and memories that answer at once. */
static uint32_t bus_load_plain(struct tile *tile, const struct map_hit *hit, uint32_t address)
{
    uint32_t offset = bus_offset(hit, address);
    const struct config *c = &tile->coproc.config;
    switch (hit->region) {
    case MAP_CONTROL: return tile_control_read(tile, offset);
    case MAP_PIC: return pic_read(&tile->pic, offset / 4);
    case MAP_PC_SNAPSHOT: return bus_pc_snapshot(tile, offset / 4);
    case MAP_LOCAL:
    case MAP_LOCAL_8K: return bus_local_word(tile, hit->thread, offset);
    case MAP_SLOW_B: return bus_local_word(tile, RV_B, offset);
    case MAP_SLOW_NC: return bus_local_word(tile, RV_NC, offset);
    case MAP_SLOW_T0: return bus_local_word(tile, RV_T0, offset);
    case MAP_SLOW_T1: return bus_local_word(tile, RV_T1, offset);
    case MAP_SLOW_T2: return bus_local_word(tile, RV_T2, offset);
    case MAP_NIU0:
    case MAP_NIU1:
        return offset / 4 < TILE_NIU_WORDS ? tile->niu[hit->region - MAP_NIU0][offset / 4] : 0;
    case MAP_OVERLAY:
        return hit->index < STREAM_REGS ? stream_load(&tile->coproc.stream, hit->thread, hit->index)
                                        : 0;
    case MAP_SEM: return coproc_port_sem_read(&tile->coproc, hit->index);
    case MAP_CONFIG: return c->word[hit->thread == 1][hit->index];
    case MAP_THREAD_CONFIG:
        return c->thread[offset / 4 / CONFIG_THREAD_WORDS][offset / 4 % CONFIG_THREAD_WORDS];
    default: return tile->coproc.gpr.r[hit->thread][hit->index]; /* GPR, GPR_ALL */
    }
}

/* With time: a load from GPRs or Config comes behind the core's own store that is still on its way there. */
static bool bus_behind_own(const struct tile *tile, unsigned who, const struct map_hit *hit)
{
    bool there = hit->region == MAP_GPR || hit->region == MAP_GPR_ALL ||
                 hit->region == MAP_CONFIG || hit->region == MAP_THREAD_CONFIG;
    return tile->clock.on && there && who <= MAP_CORE_B &&
           tile->coproc.config.request[who == MAP_CORE_B ? 3 : who].pending;
}

/* Untimed: a core's load from there takes longer than one from its data RAM. */
static void bus_takes(struct tile *tile, unsigned who, unsigned region)
{
    if (tile->order.runs && !tile->inside && who < RV_N_CORES)
        tile->core[who].lead += tile->coproc.timing.n.row[map_table[region].latency] - TIMING_NEAR;
}

static enum rv_status bus_load_word(struct tile *tile, unsigned who, struct map_hit hit,
                                    uint32_t address, uint32_t *value)
{
    *value = 0;
    if (!bus_catch_up(tile, who))
        return RV_EARLY;
    bus_takes(tile, who, hit.region);
    if (!bus_in_order(tile, who, &hit, false) || bus_behind_own(tile, who, &hit))
        return RV_BLOCK;
    switch (hit.region) {
    case MAP_NOTHING: return bus_nothing(tile, who, 0, address);
    case MAP_TDMA: return tdma_read(tile, who, address & 0xffc, value);
    case MAP_L1: memcpy(value, tile_l1(tile) + address, 4); return RV_OK;
    case MAP_MOP_CFG:
    case MAP_PUSH:
    case MAP_PUSH_B:
    case MAP_PUSH_HANGS: bus_diag(tile, DIAG_WRITE_ONLY, who, 0, address); return RV_OK;
    case MAP_DST: *value = core_dst_load(tile, who, bus_offset(&hit, address), 4); return RV_OK;
    case MAP_PC_BUF: return bus_pcbuf_take(tile, hit.thread, value);
    case MAP_PC_BUF_B: return bus_pcbuf_done(tile, hit.thread);
    case MAP_TTSYNC_THREAD: return bus_ttsync(tile, hit.thread, false);
    case MAP_TTSYNC_MOP: return bus_ttsync(tile, hit.thread, true);
    case MAP_MAILBOX: {
        unsigned me = bus_partner(who);
        if (address & 4) {
            *value = tile->mailbox.box[hit.thread][me].n != 0;
            return RV_OK;
        }
        struct fifo *f = &tile->mailbox.box[hit.thread][me];
        if (!f->n)
            return RV_BLOCK;
        *value = bus_take(tile, f);
        if (tile->order.runs)
            tile_order_act(tile, who);
        return RV_OK;
    }
    default: *value = bus_load_plain(tile, &hit, address); return RV_OK;
    }
}

enum rv_status tile_bus_load(struct tile *tile, unsigned who, uint32_t address, uint32_t *value)
{
    return bus_load_word(tile, who, map_find(who, address), address, value);
}

static enum rv_status bus_load(void *ctx, unsigned core, uint32_t address, unsigned size,
                               uint32_t *value)
{
    if (size == 4 && map_is(MAP_SEM, core, address)) { /* what kernels poll most */
        struct tile *tile = ctx;
        unsigned sem = (address - map_table[MAP_SEM].base) / 4;
        if (!bus_catch_up(tile, core))
            return RV_EARLY;
        *value = coproc_port_sem_read(&tile->coproc, sem);
        if (tile->clock.on)
            return RV_OK;
        tile->core[core].lead += TIMING_BEYOND_SYNC;
        tile->order.semaphore[core] = (uint8_t)sem;
        return RV_SAME;
    }
    struct map_hit hit = map_find(core, address);
    if (hit.region == MAP_DST) { /* how it looks depends on the size */
        if (!bus_catch_up(ctx, core))
            return RV_EARLY;
        *value = core_dst_load(ctx, core, bus_offset(&hit, address), size);
        return RV_OK;
    }
    uint32_t word;
    enum rv_status status = bus_load_word(ctx, core, hit, address & ~3u, &word);
    *value = (word >> 8 * (address & 3)) & bits_mask(8 * size);
    return status;
}

/* ---- stores ---- */

/* Part of a 32-bit register or memory word. */
static uint32_t bus_merge(uint32_t old, uint32_t address, unsigned size, uint32_t value)
{
    uint32_t mask = bits_mask(8 * size), shift = 8 * (address & 3);
    return (old & ~(mask << shift)) | (value & mask) << shift;
}

static void bus_store_local(struct tile *tile, unsigned core, uint32_t offset, unsigned size,
                            uint32_t value)
{
    tile_clock_core_ahead(tile, core);
    tile_clock_ram_changes(tile, core);
    memcpy(tile->local[core] + offset % RV_LOCAL_SIZE(core), &value, size);
}

/* Registers and memories that take a store at once. */
static enum rv_status bus_store_plain(struct tile *tile, const struct map_hit *hit,
                                      uint32_t address, unsigned size, uint32_t value)
{
    uint32_t offset = bus_offset(hit, address), word = offset / 4;
    switch (hit->region) {
    case MAP_CONTROL:
        tile_control_write(
            tile,
            offset & ~3u,
            size == 4 ? value
                      : bus_merge(tile_control_read(tile, offset & ~3u), address, size, value));
        break;
    case MAP_PIC:
        pic_write(&tile->pic, word, bus_merge(pic_peek(&tile->pic, word), address, size, value));
        break;
    case MAP_LOCAL:
    case MAP_LOCAL_8K: bus_store_local(tile, hit->thread, offset, size, value); break;
    case MAP_SLOW_B: bus_store_local(tile, RV_B, offset, size, value); break;
    case MAP_SLOW_NC: bus_store_local(tile, RV_NC, offset, size, value); break;
    case MAP_SLOW_T0: bus_store_local(tile, RV_T0, offset, size, value); break;
    case MAP_SLOW_T1: bus_store_local(tile, RV_T1, offset, size, value); break;
    case MAP_SLOW_T2: bus_store_local(tile, RV_T2, offset, size, value); break;
    case MAP_NIU0:
    case MAP_NIU1:
        if (word < TILE_NIU_WORDS) {
            uint32_t *r = &tile->niu[hit->region - MAP_NIU0][word];
            *r = bus_merge(*r, address, size, value);
        }
        break;
    case MAP_OVERLAY:
        if (hit->index < STREAM_REGS)
            coproc_port_stream_store(
                &tile->coproc,
                hit->thread,
                hit->index,
                bus_merge(tile->coproc.stream.reg[hit->thread][hit->index], address, size, value));
        break;
    default: break; /* TTSync and the T side of the PC buffer discard stores */
    }
    return RV_OK;
}

static enum rv_status bus_store_l1(struct tile *tile, unsigned who, uint32_t address, unsigned size,
                                   uint32_t value)
{
    const struct l1_port port = tile_port(tile);
    const struct l1_writer by = {.owner = (uint8_t)bus_agent(who)};
    l1_port_put_value(&port, by, address, size, value);
    return RV_OK;
}

static enum rv_status bus_store_word(struct tile *tile, unsigned who, struct map_hit hit,
                                     uint32_t address, unsigned size, uint32_t value)
{
    if (hit.region && !(map_table[hit.region].access & MAP_WRITE)) {
        bus_diag(tile, DIAG_READ_ONLY, who, value, address);
        return RV_OK;
    }
    if (hit.region != MAP_PUSH && !bus_catch_up(tile, who))
        return RV_EARLY;
    tile->coproc.stuck = false;
    if (!bus_in_order(tile, who, &hit, true))
        return RV_BLOCK;
    switch (hit.region) {
    case MAP_NOTHING: return bus_nothing(tile, who, value, address);
    case MAP_TDMA: return tdma_write(tile, who, address & 0xffc, value);
    case MAP_L1: return bus_store_l1(tile, who, address, size, value);
    case MAP_MOP_CFG: return bus_mop_cfg(tile, hit.thread, hit.index, value);
    case MAP_PUSH: return bus_push(tile, hit.thread, &value, 1, tile->core[hit.thread].pc);
    case MAP_PUSH_B: return bus_push_b(tile, hit.thread, value, tile->core[RV_B].pc);
    case MAP_PUSH_HANGS: bus_diag(tile, DIAG_CORE_HANGS, who, value, address); return RV_BLOCK;
    case MAP_SEM: return bus_semaphore(tile, who, hit.index, value);
    case MAP_PC_BUF_B:
        if (mailbox_fifo_fill(&tile->pcbuf.to[hit.thread], bus_now(tile)) >= PCBUF_DEPTH)
            return RV_BLOCK;
        mailbox_fifo_push(&tile->pcbuf.to[hit.thread], value);
        return RV_OK;
    case MAP_MAILBOX:
        return mailbox_write(&tile->mailbox, bus_partner(who), hit.thread, value, bus_now(tile))
                   ? RV_OK
                   : RV_BLOCK;
    case MAP_CONFIG:
        if (size != 4) {
            bus_diag(tile, DIAG_CONFIG_WIDTH, who, value, address);
            return RV_OK;
        }
        return bus_config(tile, who, hit.thread, hit.index, value);
    case MAP_GPR:
    case MAP_GPR_ALL:
        return bus_gpr(tile, who, &hit, 8 * (address & 3), bits_mask(8 * size), value);
    case MAP_DST: core_dst_store(tile, who, bus_offset(&hit, address), size, value); return RV_OK;
    default: return bus_store_plain(tile, &hit, address, size, value);
    }
}

/* Stores there let nobody go on who waits. */
static bool bus_is_quiet(unsigned region)
{
    return region == MAP_PUSH || region == MAP_MOP_CFG || region == MAP_GPR ||
           region == MAP_GPR_ALL || region == MAP_CONFIG || region == MAP_DST;
}

enum rv_status tile_bus_store(struct tile *tile, unsigned who, uint32_t address, unsigned size,
                              uint32_t value)
{
    struct map_hit hit = map_find(who, address);
    enum rv_status status = bus_store_word(tile, who, hit, address, size, value);
    if (tile->order.runs && status == RV_OK && !bus_is_quiet(hit.region))
        tile_order_act(tile, who);
    else if (!tile->order.runs && !tile->inside && !tile->clock.on)
        tile_order_stir(tile);
    return status;
}

/* Does a store there push? What kernels store most, so it is found without a look at the map. */
static bool bus_pushes(unsigned core, uint32_t address)
{
    return core <= MAP_CORE_T2 && address - map_table[MAP_PUSH].base < map_table[MAP_PUSH].size;
}

static enum rv_status bus_store(void *ctx, unsigned core, uint32_t address, unsigned size,
                                uint32_t value)
{
    struct tile *tile = ctx;
    if (bus_pushes(core, address))
        return bus_push(tile, core, &value, 1, tile->core[core].pc);
    return tile_bus_store(ctx, core, address, size, value);
}

static void bus_fault(void *ctx, unsigned core, enum rv_fault kind, uint32_t pc, uint32_t word)
{
    _Static_assert(DIAG_RV_CSR_WRITE - DIAG_RV_ILLEGAL == RV_N_FAULTS - 1, "same order");
    bus_diag(ctx, (enum diag_id)(DIAG_RV_ILLEGAL + kind), core, word, pc);
}

const struct rvbus tile_bus = {.load = bus_load,
                               .store = bus_store,
                               .push = bus_push,
                               .status = bus_status,
                               .fault = bus_fault};
