/*
 * clock.c - the scheduler of a tile with time.
 *
 * Five cores and the coprocessor each name the moment (cycle and phase, rvlsu.h) at which they next do something that
 * others can see. The earliest goes first, and may go on up to the moment of the next one. So effects happen in the
 * order of time, whoever is called when; in a cycle all loads come before all stores, and those before the
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
#include "tile/proof.h"
#include "tile/tile.h"

#define KEY_RESET      ledger_key(WAIT_RESET, OWNER_NONE)
#define CLOCK_NO_LIMIT (RV_NEVER >> 3)
/* Turns before the tile comes to a new cycle: those of a cycle, and of cores that go once more through a round of a poll. */
#define CLOCK_TURNS (UINT64_C(1) << 20)

static struct ledger *clock_ledger(struct tile *t, unsigned core)
{
    return &t->coproc.ledger[tile_agents[core]];
}

/* Ledgers of cores can be ahead of the clock. */
static void clock_note(struct tile *t, unsigned core, uint64_t cycle, uint16_t key)
{
    struct ledger *l = clock_ledger(t, core);
    ledger_note(l, cycle > l->since ? cycle : l->since, key);
}

static struct rvpipe_io clock_io(struct tile *t, unsigned core, const struct rvmem *m)
{
    return (struct rvpipe_io){.c = &t->core[core],
                              .m = m,
                              .l1 = &t->banks,
                              .ledger = clock_ledger(t, core),
                              .blame = t->coproc.blame_on ? &t->coproc.blame : NULL,
                              .probe = &t->coproc.probe,
                              .agent = tile_agents[core],
                              .ahead = RVPIPE_AHEAD,
                              .grant = &t->clock.grant,
                              .limit = &t->clock.limit,
                              .now = &t->clock.now,
                              .no_skip = t->clock.no_skip,
                              .parked = t->clock.parked != 0};
}

/* ---- reset ---- */

void tile_clock_release(struct tile *t, unsigned core)
{
    const struct timing *n = &t->coproc.timing;
    unsigned ram = core >= RV_B ? n->n.RISC_RAM_CLEAR : n->n.RISC_RAM_CLEAR / 2;
    uint64_t at = t->clock.now;
    if (clock_ledger(t, core)->since > at)
        at = clock_ledger(t, core)->since;
    rvpipe_reset(&t->pipe[core], n, at, ram);
    if (t->pipe[core].when < t->clock.grant)
        t->clock.grant = t->pipe[core].when;
    clock_note(t, core, at, ledger_key(WAIT_FETCH, OWNER_L1));
}

void tile_clock_hold(struct tile *t, unsigned core)
{
    uint8_t others = (uint8_t) ~(1u << core);
    rvpipe_hold(&t->pipe[core]);
    t->clock.waiting &= others;
    t->clock.parked &= others;
    t->clock.deaf &= others;
    t->clock.staged &= others;
    t->clock.debugged &= others;
    clock_note(t, core, t->clock.now, KEY_RESET);
}

static void clock_start(struct tile *t)
{
    t->clock.on = true;
    t->clock.runs = RV_N_CORES;
    t->coproc.l1.watch = &tile_unit_watch;
    vector_untimed(&t->coproc.vector, false);
    t->clock.coproc = rv_moment(t->coproc.now, RV_PHASE_COPROC);
    t->clock.signal = t->clock.meet = RV_NEVER;
    t->clock.now = t->coproc.now;
    for (unsigned i = 0; i < RV_N_CORES; i++) {
        t->pipe[i].when = RV_NEVER;
        if (t->core[i].state == RV_HELD)
            clock_note(t, i, t->clock.now, KEY_RESET);
        else
            tile_clock_release(t, i);
    }
}

/* ---- what changes ---- */

/* Somebody acts at this moment: whoever runs now must let him. */
static void clock_grant(struct tile *t, uint64_t moment)
{
    if (moment < t->clock.grant)
        t->clock.grant = moment;
}

void tile_wake_coproc(struct tile *t)
{
    uint64_t moment = rv_moment(t->clock.now, RV_PHASE_COPROC);
    if (moment < t->clock.coproc)
        t->clock.coproc = moment;
    clock_grant(t, moment);
}

/* Would this read of a parked core find something else now? */
static bool clock_reads_other(struct tile *t, unsigned core, const struct rvpipe_read *r)
{
    uint32_t value = 0;
    if (r->l1) {
        memcpy(&value, tile_l1(t) + r->addr, r->size);
        if (value != r->value || !r->line)
            return value != r->value;
        const struct rvcore *c = &t->core[core];
        unsigned line = r->addr / RV_L0_LINE % RV_L0_LINES;
        return c->l0_tag[line] == r->addr / RV_L0_LINE &&
               memcmp(c->l0_data[line], tile_l1(t) + (r->addr & ~15u), RV_L0_LINE) != 0;
    }
    if (r->csr)
        return tile_bus.status(t, core, r->addr) != r->value;
    uint32_t sem = (r->addr - map_table[MAP_SEM].base) / 4;
    if (map_is(MAP_SEM, core, r->addr) && r->size == 4) /* what kernels poll most */
        return coproc_sem_read(&t->coproc, sem) != r->value;
    if (tile_source(t, core, r->addr, r->size) > RV_SOURCE_EVENT)
        return true; /* looking would be an act */
    return tile_bus.load(t, core, r->addr, r->size, &value) != RV_OK ||
           (value & (r->size < 4 ? (1u << 8 * r->size) - 1 : UINT32_MAX)) != r->value;
}

static bool clock_poll_sees(struct tile *t, unsigned core)
{
    const struct rvpipe_poll *q = &t->pipe[core].poll;
    for (unsigned i = 0; i < q->n_reads; i++)
        if (clock_reads_other(t, core, &q->read[i]))
            return true;
    return false;
}

static void clock_come(struct tile *t, unsigned core);

/* Goes on from the start of its round. Between runs it comes to the present: what the host does next must find it there. */
static void clock_unpark(struct tile *t, unsigned core, uint64_t cycle)
{
    if (!t->clock.limit) {
        clock_come(t, core);
        return;
    }
    rvpipe_wake(&t->pipe[core], &t->core[core], cycle);
    t->clock.parked = (uint8_t)(t->clock.parked & ~(1u << core));
    clock_grant(t, t->pipe[core].when);
}

static bool clock_interruptible(const struct tile *t, unsigned core)
{
    return core >= RV_B && pic_enabled(&t->pic, core == RV_B ? PIC_B : PIC_NC);
}

/* What a blocked store waits for. */
static unsigned clock_store_waits_for(unsigned core, const struct rvlsu_store *s)
{
    if (core <= RV_T2 && (s->kind == RVLSU_PUSH || map_is(MAP_PUSH, core, s->addr)))
        return CLOCK_QUEUE;
    return s->kind == RVLSU_BUS && map_is(MAP_MAILBOX, core, s->addr) ? CLOCK_BOX : CLOCK_OTHER;
}

static unsigned clock_load_waits_for(unsigned core, uint32_t address)
{
    if (map_is(MAP_MAILBOX, core, address))
        return CLOCK_WORD;
    return map_is(MAP_TTSYNC_THREAD, core, address) ? CLOCK_THREAD : CLOCK_OTHER;
}

/* What a core waits for outside: bits of enum clock_wait. */
static unsigned clock_waits_for(const struct rvlsu *l, unsigned core)
{
    unsigned waits = l->staged ? CLOCK_OTHER : 0;
    if (l->n && l->blocked)
        waits |= clock_store_waits_for(core, &l->store[l->head]);
    if (l->pending.on)
        waits |= clock_load_waits_for(core, l->pending.addr);
    return waits;
}

static bool clock_has_word(const struct tile *t, unsigned core)
{
    unsigned from = map_find(core, t->pipe[core].lsu.pending.addr).thread;
    return t->mailbox.box[from][core == RV_B ? 0 : core + 1].n != 0;
}

static bool clock_refused_any(const struct tile *t, unsigned core, bool coproc)
{
    unsigned waits = t->clock.waits_for[core];
    const struct frontend *f = &t->coproc.fe[core <= RV_T2 ? core : 0];
    if (!coproc && (waits & (CLOCK_BOX | CLOCK_THREAD) || clock_interruptible(t, core)))
        return false;
    if (waits & CLOCK_QUEUE && (frontend_can_push(f) || (!coproc && tile_debug_bus(t, core))))
        return false;
    if (waits & CLOCK_THREAD && frontend_empty(f))
        return false;
    if (waits & CLOCK_WORD && !coproc && clock_has_word(t, core))
        return false;
    return waits && !(waits & CLOCK_OTHER);
}

/*
 * Would this core, which waits, find what it found before? Exact for what kernels wait for most, else false. coproc: only the
 * coprocessor has done anything, which touches no mailbox and no control register.
 */
HOT_INLINE bool clock_refused(const struct tile *t, unsigned core, bool coproc)
{
    if (coproc && t->clock.waits_for[core] == CLOCK_QUEUE) /* the usual wait */
        return !frontend_can_push(&t->coproc.fe[core]);
    return clock_refused_any(t, core, coproc);
}

/* Something changed in this cycle, and is seen in the next. coproc: only the coprocessor has done
   anything. */
static void clock_changed(struct tile *t, uint64_t cycle, bool coproc)
{
    unsigned waiting = t->clock.waiting;
    if (coproc && !t->clock.no_skip)
        waiting &= ~(unsigned)t->clock.deaf;
    for (; waiting; waiting &= waiting - 1) {
        unsigned i = bits_lowest(waiting);
        if (t->clock.parked >> i & 1) {
            if (!t->pipe[i].lsu.blocked && !clock_poll_sees(t, i) && !clock_interruptible(t, i))
                continue;
            clock_unpark(t, i, cycle);
        } else if (!t->clock.no_skip && clock_refused(t, i, coproc)) {
            continue;
        }
        if (t->clock.debugged >> i & 1)
            t->pipe[i].when = rv_moment(cycle + 1, RV_PHASE_LOAD);
        rvpipe_changed(&t->pipe[i], cycle);
        clock_grant(t, t->pipe[i].when);
    }
}

/* Between runs the host acts before the next cycle. */
static uint64_t clock_cycle(const struct tile *t)
{
    return t->clock.limit ? t->clock.now : t->clock.now - 1;
}

void tile_changed(struct tile *t)
{
    t->clock.proven = false;
    t->clock.changed = t->clock.now;
    if (t->clock.waiting)
        clock_changed(t, clock_cycle(t), false);
    if (!t->clock.limit)
        tile_wake_coproc(t);
}

/* Does a parked core read from one of these lines of L1? */
static bool clock_reads_line(const struct rvpipe_read *r, uint32_t address, uint32_t size)
{
    return r->l1 && (r->addr & ~15u) < address + size && address < (r->addr | 15u) + 1;
}

void tile_l1_changed(struct tile *t, uint32_t address, uint32_t size)
{
    for (unsigned i = 0, parked = t->clock.parked; parked; i++, parked >>= 1) {
        if (!(parked & 1))
            continue;
        const struct rvpipe_poll *q = &t->pipe[i].poll;
        for (unsigned k = 0; k < q->n_reads; k++)
            if (clock_reads_line(&q->read[k], address, size) &&
                clock_reads_other(t, i, &q->read[k])) {
                clock_unpark(t, i, clock_cycle(t));
                t->coproc.burst_over = true;
                break;
            }
    }
    if (!t->clock.limit && t->coproc.scalar.exec.waits)
        tile_wake_coproc(t); /* an atomic may find what it wants */
    if (!t->clock.limit)
        t->clock.proven = false;
    else if (t->clock.n_until)
        tile_until_look(t, address, size);
}

/* ---- agents ---- */

/* Starts the handler of an interrupt that is due. */
static void clock_interrupt(struct tile *t, unsigned core, struct rvpipe_io *io)
{
    enum pic_side side = core == RV_B ? PIC_B : PIC_NC;
    unsigned irq = pic_next(&t->pic, side);
    if (irq == PIC_NONE || !rvcore_interrupt(&t->core[core], t->pic.handler_pc[irq]))
        return;
    pic_serve(&t->pic, side, irq);
    rvpipe_divert(&t->pipe[core], io, t->pipe[core].when >> 2);
}

/* Parked cores that would get into each other's way must not stay parked: when is that next? */
static void clock_find_meeting(struct tile *t)
{
    t->clock.meet = RV_NEVER;
    for (unsigned i = 0; t->clock.parked >> i; i++)
        for (unsigned k = i + 1; t->clock.parked >> i & 1 && t->clock.parked >> k; k++) {
            uint64_t meet =
                t->clock.parked >> k & 1 ? rvpipe_meeting(&t->pipe[i], &t->pipe[k]) : RV_NEVER;
            t->clock.meet = meet < t->clock.meet ? meet : t->clock.meet;
        }
}

/* In this cycle two or more of them meet: they go on by themselves. */
static void clock_meet(struct tile *t)
{
    uint64_t cycle = t->clock.meet;
    uint8_t meeting = 0;
    for (unsigned i = 0; t->clock.parked >> i; i++)
        for (unsigned k = i + 1; t->clock.parked >> i & 1 && t->clock.parked >> k; k++)
            if (t->clock.parked >> k & 1 && rvpipe_meeting(&t->pipe[i], &t->pipe[k]) == cycle)
                meeting = (uint8_t)(meeting | 1u << i | 1u << k);
    for (unsigned i = 0; meeting >> i; i++)
        if (meeting >> i & 1)
            clock_unpark(t, i, cycle - 1);
    clock_find_meeting(t);
}

/* What the core does next is to try a push for which there is no room. */
static bool clock_push_refused(const struct tile *t, unsigned core, const struct rvpipe *p)
{
    const struct rvlsu *l = &p->lsu;
    return (p->when & 3) == RV_PHASE_STORE && l->waiter && core <= RV_T2 &&
           !frontend_can_push(&t->coproc.fe[core]) &&
           clock_store_waits_for(core, &l->store[l->head]) == CLOCK_QUEUE &&
           !tile_debug_bus(t, core);
}

/* How far a core may run ahead. */
static unsigned clock_ahead(const struct tile *t, unsigned core)
{
    return t->clock.n_until || clock_interruptible(t, core) ? RVPIPE_AHEAD_SHORT : RVPIPE_AHEAD;
}

/* A core has run: what does it wait for? */
HOT_INLINE void clock_ran(struct tile *t, unsigned core)
{
    struct rvpipe *p = &t->pipe[core];
    uint8_t bit = (uint8_t)(1u << core);
    bool waits = p->poll.parked || p->lsu.blocked || p->lsu.pending.on;
    t->clock.staged = (uint8_t)(p->lsu.staged ? t->clock.staged | bit : t->clock.staged & ~bit);
    t->clock.waits_for[core] = (uint8_t)(waits ? clock_waits_for(&p->lsu, core) : 0);
    bool deaf = waits && !(t->clock.waits_for[core] & ~(CLOCK_WORD | CLOCK_BOX)) && !p->poll.parked;
    t->clock.deaf = (uint8_t)(deaf ? t->clock.deaf | bit : t->clock.deaf & ~bit);
    if (waits && !p->poll.parked && t->clock.changed >= p->lsu.tried &&
        (t->clock.no_skip || !clock_refused(t, core, false)))
        rvpipe_changed(p, t->clock.changed); /* that is seen in the next cycle only */
    t->clock.waiting = (uint8_t)(waits ? t->clock.waiting | bit : t->clock.waiting & ~bit);
    t->clock.parked = (uint8_t)(p->poll.parked ? t->clock.parked | bit : t->clock.parked & ~bit);
    if (p->poll.on)
        t->clock.polls |= bit;
    if (p->poll.parked && t->clock.parked != bit)
        clock_find_meeting(t);
}

/* A parked core goes on to where it would be now, as far as it does so before anything is written in this cycle. */
static COLD void clock_catch_up(struct tile *t, unsigned core, struct rvpipe_io *io)
{
    struct rvpipe *p = &t->pipe[core];
    const uint64_t grant = t->clock.grant, limit = t->clock.limit, now = t->clock.now;
    rvpipe_wake(p, &t->core[core], clock_cycle(t));
    io->no_skip = true; /* nor is it parked again */
    t->clock.grant = rv_moment(now, limit ? RV_PHASE_STORE : RV_PHASE_LOAD);
    t->clock.limit = limit ? CLOCK_NO_LIMIT : now;
    if (p->poll.n_reads || p->when < t->clock.grant) /* else it waits at the start of a round */
        rvpipe_run(p, io);
    t->clock.grant = grant;
    t->clock.limit = limit;
    t->clock.now = now;
    clock_ran(t, core);
    clock_grant(t, p->when);
    t->coproc.burst_over = true;
}

/* A core that may be parked comes to where it would be now. */
static COLD void clock_come(struct tile *t, unsigned core)
{
    struct rvmem m = tile_memory(t, core);
    struct rvpipe_io io = clock_io(t, core, &m);
    const uint64_t now = t->coproc.probe.now;
    io.ahead = clock_ahead(t, core);
    if (t->pipe[core].poll.parked)
        clock_catch_up(t, core, &io);
    t->coproc.probe.now = now;
}

void tile_clock_attend(struct tile *t, unsigned core)
{
    struct rvpipe *p = &t->pipe[core];
    const uint64_t at = rv_moment(clock_cycle(t) + 1, RV_PHASE_LOAD);
    clock_come(t, core);
    if (p->when > at)
        p->when = at;
    clock_grant(t, at);
}

/* The code of a core that polls is overwritten. */
static COLD void clock_recode(struct tile *t, unsigned core)
{
    struct rvmem m = tile_memory(t, core);
    struct rvpipe_io io = clock_io(t, core, &m);
    const uint64_t now = t->coproc.probe.now;
    io.ahead = clock_ahead(t, core);
    if (t->pipe[core].poll.parked)
        clock_catch_up(t, core, &io);
    if (t->pipe[core].poll.on)
        rvpipe_recode(&t->pipe[core], &io);
    t->coproc.probe.now = now;
}

/* The host is about to write: what a core has read before, and has in its cache, is what was there. */
static void clock_host_writes(struct tile *t, unsigned core, uint32_t address, uint32_t size)
{
    struct rvpipe *p = &t->pipe[core];
    rvpipe_written(p, address, size);
    for (unsigned k = 0; p->poll.parked && k < p->poll.n_reads; k++)
        if (clock_reads_line(&p->poll.read[k], address, size))
            clock_come(t, core);
}

void tile_core_ahead(struct tile *t, unsigned core)
{
    struct rvpipe *p = &t->pipe[core];
    if (!t->clock.on || !t->clock.limit || core == t->clock.runs ||
        t->core[core].state != RV_RUNNING || p->poll.parked || dbgif_attends(&t->dbgif, core))
        return;
    if (!t->clock.again && p->when >> 2 < t->clock.limit)
        return; /* it has come as far as it can */
    struct rvmem m = tile_memory(t, core);
    struct rvpipe_io io = clock_io(t, core, &m);
    const uint64_t grant = t->clock.grant, limit = t->clock.limit, now = t->clock.now;
    const uint64_t probed = t->coproc.probe.now;
    io.ahead = clock_ahead(t, core);
    t->clock.grant = 0; /* nothing that others see */
    t->clock.limit = CLOCK_NO_LIMIT;
    rvpipe_run(p, &io);
    t->clock.grant = grant;
    t->clock.limit = limit;
    t->clock.now = now;
    t->coproc.probe.now = probed;
    clock_ran(t, core);
}

void tile_l1_changes(struct tile *t, uint32_t address, uint32_t size)
{
    if (!t->clock.on || !size)
        return;
    bool code = rvcode_holds(&t->code, address, size);
    t->clock.polls = 0;
    for (unsigned i = 0; i < RV_N_CORES; i++) {
        if (code)
            tile_core_ahead(t, i);
        uint32_t pc = t->core[i].pc;
        if (t->pipe[i].poll.on && rvpipe_uses(&t->pipe[i], address, size))
            clock_recode(t, i);
        else if (!t->clock.limit)
            clock_host_writes(t, i, address, size);
        bool sleeps = t->core[i].state == RV_BLOCKED || t->pipe[i].lsu.waiter;
        if (sleeps && pc < address + size && address < (pc | 15u) + 1) {
            rvpipe_replaced(&t->pipe[i], clock_cycle(t));
            clock_grant(t, t->pipe[i].when);
        }
        t->clock.polls = (uint8_t)(t->clock.polls | t->pipe[i].poll.on << i);
    }
}

/* The debug interface has the core: an instruction a cycle. */
static void clock_debugged(struct tile *t, unsigned core, uint64_t cycle)
{
    struct rvpipe *p = &t->pipe[core];
    bool access = t->dbgif.core[core].access;
    t->clock.now = cycle;
    tile_clock_begin(t);
    uint32_t steps = dbgif_turn(t, core, 1);
    if (t->core[core].state == RV_HELD) /* has put itself into reset */
        return;
    p->at = cycle;
    p->next = cycle + 1;
    clock_note(t,
               core,
               cycle,
               steps ? ledger_key(WAIT_PROGRESS, OWNER_NONE) : ledger_key(WAIT_IDLE, OWNER_NONE));
    p->when = steps || t->dbgif.core[core].access ? rv_moment(cycle + 1, RV_PHASE_LOAD) : RV_NEVER;
    clock_ran(t, core);
    t->clock.debugged |= (uint8_t)(1u << core);
    if (t->core[core].state == RV_BLOCKED) { /* tried again with every change */
        t->clock.waiting |= (uint8_t)(1u << core);
        t->clock.waits_for[core] = CLOCK_OTHER;
    }
    if (steps || access)
        tile_changed(t);
}

/* As soon as nothing of the core is under way, the debugger has it. */
static void clock_attended(struct tile *t, unsigned core, struct rvpipe_io *io)
{
    uint64_t cycle = t->pipe[core].when >> 2;
    if (rvpipe_finish(&t->pipe[core], io))
        clock_debugged(t, core, cycle > t->clock.now ? cycle : t->clock.now);
    else
        clock_ran(t, core);
}

void tile_ram_changes(struct tile *t, unsigned core)
{
    if (t->clock.on && t->pipe[core].poll.on) /* its loop may read there: that is not recorded */
        clock_recode(t, core);
}

static void clock_core(struct tile *t, unsigned core, struct rvpipe_io *io, uint64_t grant)
{
    struct rvpipe *p = &t->pipe[core];
    t->clock.grant = grant;
    t->clock.runs = (uint8_t)core;
    io->parked = t->clock.parked != 0 || t->clock.no_skip;
    io->waits = t->clock.polls | t->clock.waiting | t->clock.staged;
    io->ahead = clock_ahead(t, core);
    if (dbgif_attends(&t->dbgif, core)) {
        clock_attended(t, core, io);
        return;
    }
    if (t->clock.debugged >> core & 1) { /* no longer */
        t->clock.debugged &= (uint8_t) ~(1u << core);
        rvpipe_start(p, p->when >> 2);
    }
    if (clock_interruptible(t, core)) {
        t->clock.grant = p->when + 1;
        if (p->when >> 2 > p->poll.until)
            clock_interrupt(t, core, io);
    }
    if (t->clock.no_skip || !clock_push_refused(t, core, p) || !rvpipe_refuse(p, io))
        rvpipe_run(p, io);
    if (p->poll.parked && clock_poll_sees(t, core)) /* changed while it went round the last time */
        rvpipe_wake(p, &t->core[core], p->next - 1);
    clock_ran(t, core);
}

/* Answers to what cores have handed to the coprocessor in this cycle. */
static void clock_answers(struct tile *t, uint64_t cycle)
{
    for (unsigned staged = t->clock.staged; staged; staged &= staged - 1) {
        unsigned i = bits_lowest(staged);
        struct rvlsu *l = &t->pipe[i].lsu;
        if (!l->staged)
            continue;
        const struct rvlsu_store *s = rvlsu_at(l, 0);
        struct map_hit hit = map_find(i, s->addr);
        bool taken = i == RV_B
                         ? coproc_push_b_taken(&t->coproc, s->kind == RVLSU_PUSH ? 0 : hit.thread)
                         : coproc_sem_taken(&t->coproc, i);
        struct rvmem m = tile_memory(t, i);
        struct rvpipe_io io = clock_io(t, i, &m);
        rvpipe_staged(&t->pipe[i], &io, cycle, taken);
        clock_grant(t, t->pipe[i].when);
    }
    t->clock.staged = 0;
}

/* After a step in which nothing moved: can nothing happen any more, although cores that poll go on? */
static bool clock_dead(struct tile *t)
{
    if ((coproc_quiet_until(&t->coproc) != COPROC_NEVER && !coproc_retries(&t->coproc)) ||
        t->clock.changed == t->clock.now)
        return false;
    for (unsigned i = 0; i < RV_N_CORES; i++) {
        const struct rvpipe *p = &t->pipe[i];
        if (p->poll.on ? p->poll.disturbed || clock_poll_sees(t, i) || (p->lsu.n && !p->lsu.blocked)
                       : p->when < RV_NEVER)
            return false;
        for (unsigned k = 0; k < i; k++) /* as for parked ones: these go on by themselves */
            if (p->poll.on && t->pipe[k].poll.on && rvpipe_meeting(p, &t->pipe[k]) < RV_NEVER)
                return false;
    }
    return true;
}

/* What a parked core looks at can only be changed by instructions that end a burst. */
static bool clock_rests(const struct tile *t, unsigned core)
{
    const struct rvpipe_poll *q = &t->pipe[core].poll;
    for (unsigned i = 0; i < q->n_reads; i++)
        if (!q->read[i].l1 && (q->read[i].csr || !map_is(MAP_SEM, core, q->read[i].addr)))
            return false;
    return !t->pipe[core].lsu.blocked && !clock_interruptible(t, core);
}

/*
 * Many cycles of the coprocessor at once, up to the moment `second` in which the next core acts, if those that
 * wait can only be released by what ends a burst. False if there were none.
 */
static bool clock_burst(struct tile *t, uint64_t second)
{
    struct coproc *c = &t->coproc;
    unsigned full = COPROC_L1_SEEN;
    uint64_t limit = second >> 2 < t->clock.limit ? second >> 2 : t->clock.limit;
    uint64_t cycle = t->clock.coproc >> 2;
    if (cycle < c->burst_after || limit < cycle + 2 || t->clock.no_skip | c->blame_on ||
        t->tdma.n || t->soft_reset & ~TILE_SOFT_RESET)
        return false;
    unsigned waiting = t->clock.waiting & ~(unsigned)t->clock.deaf;
    for (; waiting; waiting &= waiting - 1) {
        unsigned i = bits_lowest(waiting);
        if (t->clock.parked >> i & 1 ? !clock_rests(t, i) : !clock_refused(t, i, true))
            return false;
        full |= (t->clock.waits_for[i] & CLOCK_QUEUE ? 1u : 0u) << i;
    }
    coproc_skip(c, cycle);
    if (!coproc_burst(c, limit, full))
        return false;
    t->clock.now = t->clock.moved = c->now - 1;
    if (t->clock.waiting)
        clock_changed(t, c->now - 1, true);
    t->clock.coproc = rv_moment(c->now, RV_PHASE_COPROC);
    t->clock.signal = RV_NEVER;
    t->clock.active = c->now - 1;
    return true;
}

/* An atomic tries for ever: L1 has not what it wants, and no core will act any more. */
static bool clock_vain(const struct tile *t)
{
    for (unsigned i = 0; i < RV_N_CORES; i++)
        if (t->pipe[i].when < RV_NEVER)
            return false;
    return coproc_retries(&t->coproc);
}

static void clock_coproc(struct tile *t)
{
    struct coproc *c = &t->coproc;
    uint64_t cycle = t->clock.coproc >> 2;
    coproc_skip(c, cycle);
    t->clock.now = cycle;
    bool moved = coproc_step(c);
    if (t->tdma.n)
        moved |= tdma_work(t);
    if (moved)
        t->clock.moved = cycle;
    if (t->soft_reset & ~TILE_SOFT_RESET)
        tile_hold_units(t);
    clock_answers(t, cycle);
    if (!moved && t->clock.no_skip && clock_dead(t))
        t->clock.dead = true; /* all that waits has been tried in this cycle */
    if (t->clock.waiting)
        clock_changed(t, cycle, true);
    uint64_t next = moved ? c->now : coproc_quiet_until(c);
    if (next != COPROC_NEVER && (moved || !coproc_tries_again(c)))
        t->clock.active = next - 1;
    if (t->clock.no_skip)
        next = c->now;
    else if (!moved && next != COPROC_NEVER && clock_vain(t))
        next = COPROC_NEVER;
    t->clock.coproc = next == COPROC_NEVER ? RV_NEVER : rv_moment(next, RV_PHASE_COPROC);
    t->clock.signal = moved || next == COPROC_NEVER ? RV_NEVER : rv_moment(next, RV_PHASE_LOAD);
}

/* The coprocessor goes on by itself up to the moment `second` of the next core, or until it lets one go on. */
static void clock_coproc_alone(struct tile *t, uint64_t second)
{
    t->clock.grant = second;
    WATCH(watch);
    do {
        PROGRESS(watch, t->clock.coproc, 1);
        if (!clock_burst(t, t->clock.grant))
            clock_coproc(t);
    } while (t->clock.coproc < t->clock.grant && t->clock.coproc >> 2 < t->clock.limit &&
             t->clock.signal == RV_NEVER && !t->clock.dead && !t->coproc.probe.stop);
}

/* Time alone changes what cores see in this cycle. */
static void clock_signal(struct tile *t)
{
    uint64_t cycle = t->clock.signal >> 2;
    t->clock.signal = RV_NEVER;
    coproc_skip(&t->coproc, cycle);
    t->clock.now = cycle;
    if (cycle && t->clock.waiting)
        clock_changed(t, cycle - 1, false);
}

/* ---- the loop ---- */

/* Nothing can happen any more: how that is called. */
static enum tile_end clock_verdict(struct tile *t)
{
    proof_explore(t);
    return proof_verdict(t);
}

/* The cycle in which the last agent came to its end, or the last thing happened. */
static uint64_t clock_last_change(const struct tile *t)
{
    uint64_t last = 0;
    for (unsigned i = 0; i < N_AGENTS; i++) {
        if (t->coproc.ledger[i].since > last)
            last = t->coproc.ledger[i].since;
        if (t->coproc.busy_to[i] > last && t->coproc.busy_to[i] != UINT64_MAX)
            last = t->coproc.busy_to[i];
    }
    for (unsigned i = 0; i < RV_N_CORES; i++)
        if (t->pipe[i].lsu.emptied > last + 1)
            last = t->pipe[i].lsu.emptied - 1;
    return t->clock.active > last ? t->clock.active : last;
}

/* over: nothing can happen any more. */
static void clock_settle(struct tile *t, uint64_t now, bool over)
{
    t->clock.now = now;
    t->coproc.now = now;
    for (unsigned i = 0; i < RV_N_CORES; i++) {
        struct rvmem m = tile_memory(t, i);
        struct rvpipe_io io = clock_io(t, i, &m);
        if (t->core[i].state == RV_HELD)
            continue;
        rvpipe_settle(&t->pipe[i], &io, now);
        if (over && t->clock.no_skip && t->pipe[i].poll.on) {
            rvpipe_at(&t->pipe[i], &io, now); /* it went on until that was found */
            clock_ran(t, i);
        }
    }
    t->clock.limit = 0;
}

void tile_core_now(struct tile *t, unsigned core, struct rvcore *out)
{
    *out = t->core[core];
    struct rvpipe p = t->pipe[core];
    if (!t->clock.on || !p.poll.on || (!p.poll.parked && p.at < t->clock.now))
        return;
    struct rvmem m = tile_memory(t, core);
    struct rvpipe_io io = clock_io(t, core, &m);
    const uint64_t probed = t->coproc.probe.now;
    io.c = out;
    rvpipe_at(&p, &io, t->clock.now);
    t->coproc.probe.now = probed;
}

static enum tile_end clock_loop(struct tile *t)
{
    struct rvmem m[RV_N_CORES];
    struct rvpipe_io io[RV_N_CORES];
    for (unsigned i = 0; i < RV_N_CORES; i++) {
        m[i] = tile_memory(t, i);
        io[i] = clock_io(t, i, &m[i]);
    }
    WATCH(watch);
    for (;;) {
        uint64_t first = t->clock.coproc, second = RV_NEVER;
        unsigned who = RV_N_CORES;
        for (unsigned i = 0; i < RV_N_CORES; i++) {
            uint64_t when = t->pipe[i].when;
            if (when < first) {
                second = first;
                first = when;
                who = i;
            } else if (when < second) {
                second = when;
            }
        }
        bool signal = t->clock.signal <= first;
        if (signal)
            first = t->clock.signal;
        t->clock.runs = RV_N_CORES;
        uint64_t meet = rv_moment(t->clock.meet, RV_PHASE_LOAD);
        if (first >= RV_NEVER && (meet >= RV_NEVER || t->clock.no_proof))
            return clock_verdict(t);
        PROGRESS(watch, (first < meet ? first : meet) >> 2, CLOCK_TURNS);
        if (meet <= first && t->clock.meet < t->clock.limit) {
            clock_meet(t);
            continue;
        }
        if (first >> 2 >= t->clock.limit)
            return t->clock.until_met ? TILE_END_UNTIL : TILE_END_LIMIT;
        if (signal) {
            clock_signal(t);
            continue;
        }
        second = meet < second ? meet : second;
        if (who < RV_N_CORES) {
            if (t->clock.signal < second)
                second = t->clock.signal;
            clock_core(t, who, &io[who], second > first ? second : first + 1);
        } else {
            clock_coproc_alone(t, second);
            if (t->clock.dead)
                return clock_verdict(t);
        }
        if (t->coproc.probe.stop)
            return TILE_END_STOPPED;
    }
}

/* Up to this cycle, in stretches that end where the proof is asked for. looked: that is why it has ended. */
static enum tile_end clock_stretches(struct tile *t, uint64_t limit, bool *looked)
{
    uint64_t at = t->clock.now;
    for (;;) {
        uint64_t look = t->clock.no_proof || t->clock.no_looks ? RV_NEVER : proof_next(at);
        t->clock.limit = at = look < limit ? look : limit;
        enum tile_end end = clock_loop(t);
        if (end != TILE_END_LIMIT)
            return end;
        *looked = at == look && proof_holds(t, at) && proof_verdict(t) == TILE_END_HANG;
        if (*looked)
            return TILE_END_HANG;
        if (at == limit)
            return end;
    }
}

enum tile_end tile_clock_run(struct tile *t, uint64_t cycles)
{
    if (!t->clock.on)
        clock_start(t);
    uint64_t from = t->clock.now;
    uint64_t limit = cycles < CLOCK_NO_LIMIT - from ? from + cycles : CLOCK_NO_LIMIT;
    bool looked = false;
    if (!cycles)
        return TILE_END_LIMIT;
    if (t->clock.proven)
        return TILE_END_HANG;
    t->clock.until_met = t->clock.dead = false;
    enum tile_end end = clock_stretches(t, limit, &looked);
    if (end == TILE_END_LIMIT && !t->clock.no_skip && !t->clock.no_proof &&
        t->clock.coproc >= RV_NEVER && clock_dead(t))
        end = clock_verdict(t); /* who polls need not come to the start of a round for that */
    uint64_t now = t->clock.limit;
    if (looked && !proof_all_wait(t)) {
        t->clock.proven = true;
    } else if (end != TILE_END_LIMIT && end != TILE_END_UNTIL) {
        now = clock_last_change(t) + 1;
        now = now < from ? from : now;
        if (now > limit) { /* the next call says so */
            now = limit;
            end = TILE_END_LIMIT;
        }
    }
    if (end == TILE_END_LIMIT)
        memset(t->proof, 0, sizeof t->proof); /* nothing is proven */
    t->clock.again = true;
    clock_settle(t, now, end != TILE_END_LIMIT && end != TILE_END_UNTIL);
    t->clock.end = (uint8_t)end;
    return end;
}

void tile_clock_pass(struct tile *t, uint64_t cycle)
{
    if (!t->clock.on)
        clock_start(t);
    if (cycle > t->clock.now)
        t->clock.now = t->coproc.now = cycle;
    if (t->clock.coproc < rv_moment(t->clock.now, RV_PHASE_COPROC)) /* no_skip */
        t->clock.coproc = rv_moment(t->clock.now, RV_PHASE_COPROC);
}

void tile_settle(struct tile *t)
{
    for (unsigned i = 0; t->coproc.blame_on && i < RV_N_CORES; i++) {
        const struct ledger *l = clock_ledger(t, i);
        const struct rvpipe *p = &t->pipe[i];
        if (l->key >> 8 > WAIT_DONE && l->key >> 8 != WAIT_RESET && t->clock.now > l->since)
            blame_add(&t->coproc.blame,
                      tile_agents[i],
                      p->poll.on ? p->loop.pc : t->core[i].pc,
                      l->key,
                      t->clock.now - l->since);
    }
    coproc_settle(&t->coproc);
}
