/*
 * clock.c - the scheduler of a clocked tile.
 *
 * Five cores and the coprocessor each name the moment (cycle and phase, rvlsu.h) at which they next do something that
 * others can see. The earliest goes first, and may go on up to the moment of the next one. So effects happen in the
 * order of time, in whatever order agents are called. In a cycle all loads come before all stores, and those before the
 * coprocessor's step, which takes in what was pushed.
 *
 * Waiting costs nothing: a core that waits for the outside names no moment, and is looked at again when something has
 * changed; a core that polls is parked (rvpipe_poll.c) until what it polls changes. When nobody names a moment, nothing
 * can happen any more: all programs have ended, or the tile hangs. With no_skip the coprocessor steps in every cycle, what
 * waits is tried in every cycle, and nobody is parked; trace, ledgers and results are the same.
 *
 * Inaccuracies: a core that somebody else puts into reset may have run ahead, RVPIPE_AHEAD cycles at most; what it did then
 * counts. A core in the hands of the debug interface takes one cycle an instruction. An interrupt is seen when the
 * core next touches the outside, or after RVPIPE_AHEAD cycles.
 */
#include <string.h>

#include "base/bits.h"
#include "base/hot.h"
#include "base/watch.h"
#include "tile/clock_in.h"
#include "tile/proof.h"

#define KEY_RESET      wait_key(WAIT_RESET, OWNER_NONE)
#define CLOCK_NO_LIMIT (RV_NEVER >> 3)
/* Turns before the tile comes to a new cycle: those of a cycle, and of cores that go once more through a round of a poll. */
#define CLOCK_TURNS (UINT64_C(1) << 20)

static struct ledger *clock_ledger(struct tile *tile, unsigned core)
{
    return &tile->coproc.ledger[tile_agents[core]];
}

/* Ledgers of cores can be ahead of the clock. */
static void clock_note(struct tile *tile, unsigned core, uint64_t cycle, uint16_t key)
{
    struct ledger *l = clock_ledger(tile, core);
    wait_ledger_note(l, cycle > l->since ? cycle : l->since, key);
}

struct rvpipe_io clock_io(struct tile *tile, unsigned core, const struct rvmem *m)
{
    return (struct rvpipe_io){.c = &tile->core[core],
                              .m = m,
                              .l1 = &tile->banks,
                              .ledger = clock_ledger(tile, core),
                              .blame = tile->coproc.blame_on ? &tile->coproc.blame : NULL,
                              .probe = &tile->coproc.probe,
                              .agent = tile_agents[core],
                              .ahead = RVPIPE_AHEAD,
                              .grant = &tile->clock.grant,
                              .limit = &tile->clock.limit,
                              .now = &tile->clock.now,
                              .no_skip = tile->clock.no_skip,
                              .parked = tile->clock.parked != 0};
}

/* ---- reset ---- */

void tile_clock_release(struct tile *tile, unsigned core)
{
    const struct timing *n = &tile->coproc.timing;
    unsigned ram = core >= RV_B ? n->n.RISC_RAM_CLEAR : n->n.RISC_RAM_CLEAR / 2;
    uint64_t at = tile->clock.now;
    if (clock_ledger(tile, core)->since > at)
        at = clock_ledger(tile, core)->since;
    rvpipe_reset(&tile->pipe[core], n, at, ram);
    if (tile->pipe[core].when < tile->clock.grant)
        tile->clock.grant = tile->pipe[core].when;
    clock_note(tile, core, at, wait_key(WAIT_FETCH, OWNER_L1));
}

void tile_clock_hold(struct tile *tile, unsigned core)
{
    uint8_t others = (uint8_t) ~(1u << core);
    rvpipe_hold(&tile->pipe[core]);
    tile->clock.holds++;
    tile->clock.waiting &= others;
    tile->clock.parked &= others;
    tile->clock.deaf &= others;
    tile->clock.staged &= others;
    tile->clock.debugged &= others;
    clock_note(tile, core, tile->clock.now, KEY_RESET);
}

static void clock_start(struct tile *tile)
{
    tile->clock.on = true;
    tile->clock.runs = RV_N_CORES;
    tile->coproc.l1.watch = &tile_unit_watch;
    vector_untimed(&tile->coproc.vector, false);
    tile->clock.coproc = rvlsu_moment(tile->coproc.now, RV_PHASE_COPROC);
    tile->clock.signal = tile->clock.meet = RV_NEVER;
    tile->clock.now = tile->coproc.now;
    for (unsigned i = 0; i < RV_N_CORES; i++) {
        tile->pipe[i].when = RV_NEVER;
        if (tile->core[i].state == RV_HELD)
            clock_note(tile, i, tile->clock.now, KEY_RESET);
        else
            tile_clock_release(tile, i);
    }
}

/* ---- what changes ---- */

static void clock_come(struct tile *tile, unsigned core);

/* Goes on from the start of its round. Between runs it comes to the present: what the host does next must find it there. */
static void clock_unpark(struct tile *tile, unsigned core, uint64_t cycle)
{
    if (!tile->clock.limit) {
        clock_come(tile, core);
        return;
    }
    rvpipe_poll_wake(&tile->pipe[core], &tile->core[core], cycle);
    tile->clock.parked = (uint8_t)(tile->clock.parked & ~(1u << core));
    tile->clock.cut |= (uint8_t)(1u << core);
    clock_grant(tile, tile->pipe[core].when);
}

void clock_changed(struct tile *tile, uint64_t cycle, bool coproc)
{
    unsigned waiting = tile->clock.waiting;
    if (coproc && !tile->clock.no_skip)
        waiting &= ~(unsigned)tile->clock.deaf;
    for (; waiting; waiting &= waiting - 1) {
        unsigned i = bits_lowest(waiting);
        if (tile->clock.parked >> i & 1) {
            if (!tile->pipe[i].lsu.blocked && !clock_wait_sees(tile, i) &&
                !clock_interruptible(tile, i))
                continue;
            clock_unpark(tile, i, cycle);
        } else if (!tile->clock.no_skip && clock_refused(tile, i, coproc)) {
            continue;
        }
        if (tile->clock.debugged >> i & 1)
            tile->pipe[i].when = rvlsu_moment(cycle + 1, RV_PHASE_LOAD);
        rvpipe_changed(&tile->pipe[i], cycle);
        clock_grant(tile, tile->pipe[i].when);
    }
}

/* Between runs the host acts before the next cycle. */
static uint64_t clock_cycle(const struct tile *tile)
{
    return tile->clock.limit ? tile->clock.now : tile->clock.now - 1;
}

void tile_clock_changed(struct tile *tile)
{
    tile->clock.proven = false;
    tile->clock.changed = tile->clock.now;
    if (tile->clock.waiting)
        clock_changed(tile, clock_cycle(tile), false);
    if (!tile->clock.limit)
        tile_clock_coproc_wake(tile);
}

void tile_clock_l1_changed(struct tile *tile, uint32_t address, uint32_t size)
{
    for (unsigned i = 0, parked = tile->clock.parked; parked; i++, parked >>= 1) {
        if (!(parked & 1))
            continue;
        const struct rvpipe_poll *q = &tile->pipe[i].poll;
        for (unsigned k = 0; k < q->n_reads; k++)
            if (clock_reads_line(&q->read[k], address, size) &&
                clock_wait_reads_other(tile, i, &q->read[k])) {
                clock_unpark(tile, i, clock_cycle(tile));
                tile->coproc.burst_over = true;
                break;
            }
    }
    if (!tile->clock.limit && tile->coproc.scalar.exec.waits)
        tile_clock_coproc_wake(tile); /* an atomic may find what it wants */
    if (!tile->clock.limit)
        tile->clock.proven = false;
    else if (tile->clock.n_until)
        tile_clock_until_look(tile, address, size);
}

/* ---- agents ---- */

/* Starts the handler of an interrupt that is due. */
static void clock_interrupt(struct tile *tile, unsigned core, struct rvpipe_io *io)
{
    enum pic_side side = core == RV_B ? PIC_B : PIC_NC;
    unsigned irq = pic_next(&tile->pic, side);
    if (irq == PIC_NONE || !rvcore_interrupt(&tile->core[core], tile->pic.handler_pc[irq]))
        return;
    pic_serve(&tile->pic, side, irq);
    rvpipe_divert(&tile->pipe[core], io, tile->pipe[core].when >> 2);
}

/* Parked cores that would get into each other's way must not stay parked: when is that next? */
static void clock_find_meeting(struct tile *tile)
{
    tile->clock.meet = RV_NEVER;
    for (unsigned i = 0; tile->clock.parked >> i; i++)
        for (unsigned k = i + 1; tile->clock.parked >> i & 1 && tile->clock.parked >> k; k++) {
            uint64_t meet = tile->clock.parked >> k & 1
                                ? rvpipe_poll_meeting(&tile->pipe[i], &tile->pipe[k])
                                : RV_NEVER;
            tile->clock.meet = meet < tile->clock.meet ? meet : tile->clock.meet;
        }
}

/* In this cycle two or more of them meet: they go on by themselves. */
static void clock_meet(struct tile *tile)
{
    uint64_t cycle = tile->clock.meet;
    uint8_t meeting = 0;
    for (unsigned i = 0; tile->clock.parked >> i; i++)
        for (unsigned k = i + 1; tile->clock.parked >> i & 1 && tile->clock.parked >> k; k++)
            if (tile->clock.parked >> k & 1 &&
                rvpipe_poll_meeting(&tile->pipe[i], &tile->pipe[k]) == cycle)
                meeting = (uint8_t)(meeting | 1u << i | 1u << k);
    for (unsigned i = 0; meeting >> i; i++)
        if (meeting >> i & 1)
            clock_unpark(tile, i, cycle - 1);
    clock_find_meeting(tile);
}

/* How far a core may run ahead. */
static unsigned clock_ahead(const struct tile *tile, unsigned core)
{
    return tile->clock.n_until || clock_interruptible(tile, core) ? RVPIPE_AHEAD_SHORT
                                                                  : RVPIPE_AHEAD;
}

/* A core has run: what does it wait for? */
HOT_INLINE void clock_ran(struct tile *tile, unsigned core)
{
    struct rvpipe *p = &tile->pipe[core];
    uint8_t bit = (uint8_t)(1u << core);
    bool waits = p->poll.parked || p->lsu.blocked || p->lsu.pending.on;
    tile->clock.cut &= (uint8_t)~bit;
    tile->clock.staged =
        (uint8_t)(p->lsu.staged ? tile->clock.staged | bit : tile->clock.staged & ~bit);
    tile->clock.waits_for[core] = (uint8_t)(waits ? clock_wait_kinds(&p->lsu, core) : 0);
    bool deaf =
        waits && !(tile->clock.waits_for[core] & ~(CLOCK_WORD | CLOCK_BOX)) && !p->poll.parked;
    tile->clock.deaf = (uint8_t)(deaf ? tile->clock.deaf | bit : tile->clock.deaf & ~bit);
    /* What changed behind a try of this turn, its own doing or not, is seen in the next cycle; of all else it is told. */
    bool missed = p->lsu.tried != p->lsu.told && tile->clock.changed >= p->lsu.tried;
    p->lsu.told = p->lsu.tried;
    if (waits && (!p->poll.parked || p->lsu.blocked) && missed &&
        (tile->clock.no_skip || !clock_refused(tile, core, false))) {
        tile->clock.cut |= p->poll.parked ? bit : 0;
        rvpipe_poll_wake(p, &tile->core[core], tile->clock.changed);
        rvpipe_changed(p, tile->clock.changed);
    }
    tile->clock.waiting = (uint8_t)(waits ? tile->clock.waiting | bit : tile->clock.waiting & ~bit);
    tile->clock.parked =
        (uint8_t)(p->poll.parked ? tile->clock.parked | bit : tile->clock.parked & ~bit);
    if (p->poll.on)
        tile->clock.polls |= bit;
    if (p->poll.parked && tile->clock.parked != bit)
        clock_find_meeting(tile);
}

/* A parked core goes on to where it would be now, as far as it does so before anything is written in this cycle. */
static COLD void clock_catch_up(struct tile *tile, unsigned core, struct rvpipe_io *io)
{
    struct rvpipe *p = &tile->pipe[core];
    const uint64_t grant = tile->clock.grant, limit = tile->clock.limit, now = tile->clock.now;
    rvpipe_poll_wake(p, &tile->core[core], clock_cycle(tile));
    io->no_skip = true; /* nor is it parked again */
    tile->clock.grant = rvlsu_moment(now, limit ? RV_PHASE_STORE : RV_PHASE_LOAD);
    tile->clock.limit = limit ? CLOCK_NO_LIMIT : now;
    if (p->when < tile->clock.grant) /* else it waits at the start of a round */
        rvpipe_run(p, io);
    tile->clock.grant = grant;
    tile->clock.limit = limit;
    tile->clock.now = now;
    clock_ran(tile, core);
    if (!limit)
        tile->clock.cut |= (uint8_t)(1u << core);
    clock_grant(tile, p->when);
    tile->coproc.burst_over = true;
}

/* A core that may be parked comes to where it would be now. */
static COLD void clock_come(struct tile *tile, unsigned core)
{
    struct rvmem m = tile_memory(tile, core);
    struct rvpipe_io io = clock_io(tile, core, &m);
    const uint64_t now = tile->coproc.probe.now;
    io.ahead = clock_ahead(tile, core);
    if (tile->pipe[core].poll.parked)
        clock_catch_up(tile, core, &io);
    tile->coproc.probe.now = now;
}

void tile_clock_attend(struct tile *tile, unsigned core)
{
    struct rvpipe *p = &tile->pipe[core];
    const uint64_t at = rvlsu_moment(clock_cycle(tile) + 1, RV_PHASE_LOAD);
    clock_come(tile, core);
    if (p->when > at)
        p->when = at;
    clock_grant(tile, at);
}

/* The code of a core that polls is overwritten. */
static COLD void clock_recode(struct tile *tile, unsigned core)
{
    struct rvmem m = tile_memory(tile, core);
    struct rvpipe_io io = clock_io(tile, core, &m);
    const uint64_t now = tile->coproc.probe.now;
    io.ahead = clock_ahead(tile, core);
    if (tile->pipe[core].poll.parked)
        clock_catch_up(tile, core, &io);
    if (tile->pipe[core].poll.on)
        rvpipe_poll_recode(&tile->pipe[core], &io);
    tile->coproc.probe.now = now;
}

/* The host is about to write: what a core has read before, and has in its cache, is what was there. */
static void clock_host_writes(struct tile *tile, unsigned core, uint32_t address, uint32_t size)
{
    struct rvpipe *p = &tile->pipe[core];
    rvpipe_poll_written(p, address, size);
    for (unsigned k = 0; p->poll.parked && k < p->poll.n_reads; k++)
        if (clock_reads_line(&p->poll.read[k], address, size))
            clock_come(tile, core);
}

void tile_clock_core_ahead(struct tile *tile, unsigned core)
{
    struct rvpipe *p = &tile->pipe[core];
    if (!tile->clock.on || !tile->clock.limit || core == tile->clock.runs ||
        tile->core[core].state != RV_RUNNING || p->poll.parked || dbgif_attends(&tile->dbgif, core))
        return;
    if (!(tile->clock.cut >> core & 1) && !p->limited)
        return; /* it has come as far as it can */
    struct rvmem m = tile_memory(tile, core);
    struct rvpipe_io io = clock_io(tile, core, &m);
    const uint64_t grant = tile->clock.grant, limit = tile->clock.limit, now = tile->clock.now;
    const uint64_t probed = tile->coproc.probe.now;
    io.ahead = clock_ahead(tile, core);
    tile->clock.grant = 0; /* nothing that others see */
    tile->clock.limit = CLOCK_NO_LIMIT;
    rvpipe_run(p, &io);
    tile->clock.grant = grant;
    tile->clock.limit = limit;
    tile->clock.now = now;
    tile->coproc.probe.now = probed;
    clock_ran(tile, core);
}

void tile_clock_l1_changes(struct tile *tile, uint32_t address, uint32_t size)
{
    if (!tile->clock.on || !size)
        return;
    bool code = rvcode_holds(&tile->code, address, size);
    tile->clock.polls = 0;
    for (unsigned i = 0; i < RV_N_CORES; i++) {
        if (code)
            tile_clock_core_ahead(tile, i);
        uint32_t pc = tile->core[i].pc;
        if (tile->pipe[i].poll.on && rvpipe_poll_uses(&tile->pipe[i], address, size))
            clock_recode(tile, i);
        else if (!tile->clock.limit)
            clock_host_writes(tile, i, address, size);
        else if (code && !tile->pipe[i].poll.on) /* this round may be the first of a poll */
            rvpipe_poll_written(&tile->pipe[i], address, size);
        bool sleeps = tile->core[i].state == RV_BLOCKED || tile->pipe[i].lsu.waiter;
        if (sleeps && pc < address + size && address < (pc | 15u) + 1) {
            rvpipe_replaced(&tile->pipe[i], clock_cycle(tile));
            clock_grant(tile, tile->pipe[i].when);
        }
        tile->clock.polls = (uint8_t)(tile->clock.polls | tile->pipe[i].poll.on << i);
    }
}

/* The debug interface has the core: an instruction a cycle. */
static void clock_debugged(struct tile *tile, unsigned core, uint64_t cycle)
{
    struct rvpipe *p = &tile->pipe[core];
    bool access = tile->dbgif.core[core].access;
    tile->clock.now = cycle;
    tile_clock_bus_begin(tile);
    uint32_t steps = dbgif_turn(tile, core, 1);
    if (tile->core[core].state == RV_HELD) /* has put itself into reset */
        return;
    p->at = cycle;
    p->next = cycle + 1;
    clock_note(tile,
               core,
               cycle,
               steps ? wait_key(WAIT_PROGRESS, OWNER_NONE) : wait_key(WAIT_IDLE, OWNER_NONE));
    p->when =
        steps || tile->dbgif.core[core].access ? rvlsu_moment(cycle + 1, RV_PHASE_LOAD) : RV_NEVER;
    clock_ran(tile, core);
    tile->clock.debugged |= (uint8_t)(1u << core);
    if (tile->core[core].state == RV_BLOCKED) { /* tried again with every change */
        tile->clock.waiting |= (uint8_t)(1u << core);
        tile->clock.waits_for[core] = CLOCK_OTHER;
    }
    if (steps || access)
        tile_clock_changed(tile);
}

/* As soon as nothing of the core is under way, the debugger has it. */
static void clock_attended(struct tile *tile, unsigned core, struct rvpipe_io *io)
{
    uint64_t cycle = tile->pipe[core].when >> 2;
    if (rvpipe_finish(&tile->pipe[core], io))
        clock_debugged(tile, core, cycle > tile->clock.now ? cycle : tile->clock.now);
    else
        clock_ran(tile, core);
}

void tile_clock_ram_changes(struct tile *tile, unsigned core)
{
    if (tile->clock.on &&
        tile->pipe[core].poll.on) /* its loop may read there: that is not recorded */
        clock_recode(tile, core);
}

static void clock_core(struct tile *tile, unsigned core, struct rvpipe_io *io, uint64_t grant)
{
    struct rvpipe *p = &tile->pipe[core];
    tile->clock.grant = grant;
    tile->clock.runs = (uint8_t)core;
    io->parked = tile->clock.parked != 0 || tile->clock.no_skip;
    io->waits = tile->clock.polls | tile->clock.waiting | tile->clock.staged;
    io->ahead = clock_ahead(tile, core);
    if (dbgif_attends(&tile->dbgif, core)) {
        clock_attended(tile, core, io);
        return;
    }
    if (tile->clock.debugged >> core & 1) { /* no longer */
        tile->clock.debugged &= (uint8_t) ~(1u << core);
        rvpipe_start(p, p->when >> 2);
    }
    if (clock_interruptible(tile, core)) {
        tile->clock.grant = p->when + 1;
        if (p->when >> 2 > p->poll.until)
            clock_interrupt(tile, core, io);
    }
    if (tile->clock.no_skip || !clock_wait_push_refused(tile, core, p) || !rvpipe_mem_refuse(p, io))
        rvpipe_run(p, io);
    bool woken = p->poll.parked && clock_wait_sees(tile, core);
    if (woken) /* changed while it went round the last time */
        rvpipe_poll_wake(p, &tile->core[core], p->next - 1);
    clock_ran(tile, core);
    if (woken)
        tile->clock.cut |= (uint8_t)(1u << core);
}

/* A core that polls: will it do anything else? */
static bool clock_goes_on(struct tile *tile, unsigned core)
{
    const struct rvpipe *p = &tile->pipe[core];
    return p->poll.disturbed || clock_wait_sees(tile, core) ||
           (p->lsu.n && !p->lsu.blocked && !clock_wait_store_hangs(p, core));
}

/* All that a core has to do is to try a store again that is refused for ever. */
static bool clock_stands(const struct rvpipe *p, const struct rvcore *c)
{
    return c->state != RV_RUNNING && !p->lsu.pending.on && clock_wait_store_hangs(p, c->which);
}

bool clock_dead(struct tile *tile)
{
    if ((coproc_quiet_until(&tile->coproc) != COPROC_NEVER &&
         !coproc_tries_in_vain(&tile->coproc)) ||
        tile->clock.changed == tile->clock.now)
        return false;
    for (unsigned i = 0; i < RV_N_CORES; i++) {
        const struct rvpipe *p = &tile->pipe[i];
        if (p->poll.on ? clock_goes_on(tile, i)
                       : p->when < RV_NEVER && !clock_stands(p, &tile->core[i]))
            return false;
        for (unsigned k = 0; k < i; k++) /* as for parked ones: these go on by themselves */
            if (p->poll.on && tile->pipe[k].poll.on &&
                rvpipe_poll_meeting(p, &tile->pipe[k]) < RV_NEVER)
                return false;
    }
    return true;
}

/* ---- the loop ---- */

/* Nothing can happen any more: how that is called. */
static enum tile_end clock_verdict(struct tile *tile)
{
    proof_explore(tile);
    return proof_verdict(tile);
}

/* The cycle in which the last agent came to its end, or the last thing happened. */
static uint64_t clock_last_change(const struct tile *tile)
{
    uint64_t last = 0;
    for (unsigned i = 0; i < N_AGENTS; i++) {
        if (tile->coproc.ledger[i].since > last)
            last = tile->coproc.ledger[i].since;
        if (tile->coproc.busy_to[i] > last && tile->coproc.busy_to[i] != UINT64_MAX)
            last = tile->coproc.busy_to[i];
    }
    for (unsigned i = 0; i < RV_N_CORES; i++) {
        const struct rvpipe *p = &tile->pipe[i];
        if (p->lsu.emptied > last + 1)
            last = p->lsu.emptied - 1;
        if (tile->core[i].state == RV_BLOCKED && p->next > last && p->next < RV_NEVER)
            last = p->next; /* before, it had not come to the instruction that is held */
        if (p->poll.on &&
            p->poll.since > last + 1) /* that it polls is known when its next round begins */
            last = p->poll.since - 1;
    }
    return tile->clock.active > last ? tile->clock.active : last;
}

/* over: nothing can happen any more. */
static void clock_settle(struct tile *tile, uint64_t now, bool over)
{
    tile->clock.now = now;
    tile->coproc.now = now;
    for (unsigned i = 0; i < RV_N_CORES; i++) {
        struct rvmem m = tile_memory(tile, i);
        struct rvpipe_io io = clock_io(tile, i, &m);
        if (tile->core[i].state == RV_HELD)
            continue;
        rvpipe_settle(&tile->pipe[i], &io, now);
        if (over && tile->clock.no_skip && tile->pipe[i].poll.on) {
            rvpipe_poll_at(&tile->pipe[i], &io, now); /* it went on until that was found */
            clock_ran(tile, i);
        }
    }
    tile->clock.limit = 0;
}

void tile_clock_core_now(struct tile *tile, unsigned core, struct rvcore *out)
{
    *out = tile->core[core];
    struct rvpipe p = tile->pipe[core];
    if (!tile->clock.on || !p.poll.on || (!p.poll.parked && p.at < tile->clock.now))
        return;
    struct rvmem m = tile_memory(tile, core);
    struct rvpipe_io io = clock_io(tile, core, &m);
    const uint64_t probed = tile->coproc.probe.now;
    io.c = out;
    rvpipe_poll_at(&p, &io, tile->clock.now);
    tile->coproc.probe.now = probed;
}

/* A call ends between two tries of an atomic, and the coprocessor has not moved in its last cycle. */
static bool clock_tries_in_vain(struct tile *tile)
{
    return tile->clock.moved + 1 < tile->clock.limit && coproc_tries_in_vain(&tile->coproc);
}

static enum tile_end clock_loop(struct tile *tile)
{
    struct rvmem m[RV_N_CORES];
    struct rvpipe_io io[RV_N_CORES];
    for (unsigned i = 0; i < RV_N_CORES; i++) {
        m[i] = tile_memory(tile, i);
        io[i] = clock_io(tile, i, &m[i]);
    }
    WATCH(watch);
    for (;;) {
        uint64_t first = tile->clock.coproc, second = RV_NEVER;
        unsigned who = RV_N_CORES;
        for (unsigned i = 0; i < RV_N_CORES; i++) {
            uint64_t when = tile->pipe[i].when;
            if (when < first) {
                second = first;
                first = when;
                who = i;
            } else if (when < second) {
                second = when;
            }
        }
        bool signal = tile->clock.signal <= first;
        if (signal)
            first = tile->clock.signal;
        tile->clock.runs = RV_N_CORES;
        uint64_t meet = rvlsu_moment(tile->clock.meet, RV_PHASE_LOAD);
        if (first >= RV_NEVER && (meet >= RV_NEVER || tile->clock.no_proof))
            return clock_verdict(tile);
        PROGRESS(watch, (first < meet ? first : meet) >> 2, CLOCK_TURNS);
        if (meet <= first && tile->clock.meet < tile->clock.limit) {
            clock_meet(tile);
            continue;
        }
        if (first >> 2 >= tile->clock.limit)
            return tile->clock.until_met ? TILE_END_UNTIL : TILE_END_LIMIT;
        if (signal) {
            clock_coproc_signal(tile);
            continue;
        }
        second = meet < second ? meet : second;
        if (who < RV_N_CORES) {
            if (tile->clock.signal < second)
                second = tile->clock.signal;
            clock_core(tile, who, &io[who], second > first ? second : first + 1);
        } else {
            clock_coproc_alone(tile, second);
            if (tile->clock.dead)
                return clock_verdict(tile);
        }
        if (tile->coproc.probe.stop)
            return TILE_END_STOPPED;
    }
}

/* Up to this cycle, in stretches that end where the proof is asked for. looked: that is why it has ended. */
static enum tile_end clock_stretches(struct tile *tile, uint64_t limit, bool *looked)
{
    uint64_t at = tile->clock.now;
    for (;;) {
        uint64_t look = tile->clock.no_proof || tile->clock.no_looks ? RV_NEVER : proof_next(at);
        tile->clock.limit = at = look < limit ? look : limit;
        enum tile_end end = clock_loop(tile);
        if (end != TILE_END_LIMIT)
            return end;
        *looked = at == look && proof_holds(tile, at) && proof_verdict(tile) == TILE_END_HANG;
        if (*looked)
            return TILE_END_HANG;
        if (at == limit)
            return end;
    }
}

enum tile_end tile_clock_run(struct tile *tile, uint64_t cycles)
{
    if (!tile->clock.on)
        clock_start(tile);
    uint64_t from = tile->clock.now;
    uint64_t limit = cycles < CLOCK_NO_LIMIT - from ? from + cycles : CLOCK_NO_LIMIT;
    bool looked = false;
    if (!cycles)
        return TILE_END_LIMIT;
    if (tile->clock.proven)
        return TILE_END_HANG;
    tile->clock.until_met = tile->clock.dead = false;
    enum tile_end end = clock_stretches(tile, limit, &looked);
    if (end == TILE_END_LIMIT && !tile->clock.no_skip && !tile->clock.no_proof &&
        (tile->clock.coproc >= RV_NEVER || clock_tries_in_vain(tile)) && clock_dead(tile))
        end = clock_verdict(
            tile); /* neither who polls nor an atomic need come to its next round for that */
    uint64_t now = tile->clock.limit;
    if (looked) {
        tile->clock.proven = true;
    } else if (end != TILE_END_LIMIT && end != TILE_END_UNTIL) {
        now = clock_last_change(tile) + 1;
        now = now < from ? from : now;
        if (now > limit) { /* the next call says so */
            now = limit;
            end = TILE_END_LIMIT;
        }
    }
    if (end == TILE_END_LIMIT)
        memset(tile->proof, 0, sizeof tile->proof); /* nothing is proven */
    tile->clock.cut = (uint8_t)~tile->clock.parked;
    clock_settle(tile, now, end != TILE_END_LIMIT && end != TILE_END_UNTIL);
    tile->clock.end = (uint8_t)end;
    return end;
}

void tile_clock_pass(struct tile *tile, uint64_t cycle)
{
    if (!tile->clock.on)
        clock_start(tile);
    if (cycle > tile->clock.now)
        tile->clock.now = tile->coproc.now = cycle;
    if (tile->clock.coproc < rvlsu_moment(tile->clock.now, RV_PHASE_COPROC)) /* no_skip */
        tile->clock.coproc = rvlsu_moment(tile->clock.now, RV_PHASE_COPROC);
}
