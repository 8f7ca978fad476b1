/*
 * rvpipe_mem.c - loads, stores, atomics and fences of the core with time.
 *
 * Block: Load/Store Unit. ISA pages: BabyRISCV/README, MemoryOrdering (Blackhole).
 *
 * Loads take their value in the cycle in which they are sent; a device that does not answer keeps the load pending,
 * and the core runs on until it needs the value, wants another device, or the retire-order queue is full. Stores act
 * when they leave the queue. What others can see is done only when the tile's clock is there (rvpipe_share()).
 *
 * **Inaccuracies**: one load at a time can be pending at devices. Vector accesses wait for all earlier ones and act at
 * once, whatever their length. A run that a vector instruction with unsupported operands ends may end before others have
 * come to that cycle. The core's own data RAM takes stores at once.
 */
#include <string.h>

#include "base/bits.h"
#include "base/watch.h"
#include "core/rvpipe_in.h"

#define CFG0_LOADS_WAIT UINT32_C(1)
#define PUSH_ADDRESS    UINT32_C(0xffe40000)

/* ---- the store queue drains ---- */

uint64_t rvpipe_mem_next_drain(const struct rvpipe *p, const struct rvpipe_io *io)
{
    uint64_t due = rvlsu_due(&p->lsu, io->l1, io->c->which, io->c->cfg0);
    uint64_t store = rvlsu_moment(due, RV_PHASE_STORE);
    uint64_t load =
        p->lsu.pending.on ? rvlsu_moment(p->lsu.pending.retry, RV_PHASE_LOAD) : RV_NEVER;
    return store < load ? store : load;
}

/* Bytes of one 16, all of them written in this cycle. */
static void write_l1(const struct rvpipe *p, struct rvpipe_io *io, const struct rvlsu_store *s,
                     uint64_t cycle)
{
    const struct l1_port port = rvcore_port(io->m);
    const struct l1_writer by = {
        .owner = (uint8_t)io->agent, .calm = !(io->waits | p->poll.on), .pc = s->pc};
    rvcore_mem_l0_forget(io->c, s->addr); /* a load may have brought the line back meanwhile */
    uint8_t *to = l1_port_begin(&port, by, s->addr, 16);
    for (unsigned w = 0; w < 4; w++) {
        unsigned mask = s->mask >> 4 * w & 15;
        if (mask == 15)
            rvcore_put32(to + 4 * w, s->data[w]);
        else
            for (unsigned b = 0; b < 4; b++)
                if (mask >> b & 1)
                    to[4 * w + b] = (uint8_t)(s->data[w] >> 8 * b);
    }
    l1_take(io->l1, io->c->which, s->addr, cycle, s->mask == 0xffff ? T_L1_WIDE : io->l1->narrow);
    unsigned first = 0, end = 16;
    while (!(s->mask >> first & 1))
        first++;
    while (!(s->mask >> (end - 1) & 1))
        end--;
    l1_port_end(&port, by, s->addr + first, end - first);
}

void rvpipe_mem_refused(struct rvpipe *p, struct rvpipe_io *io, uint64_t cycle)
{
    struct rvlsu *l = &p->lsu;
    const struct rvlsu_store *s = rvlsu_at(l, 0);
    bool push = s->kind == RVLSU_PUSH;
    l->refused = io->m->bus->why(io->m->ctx,
                                 io->c->which,
                                 push ? RV_ACCESS_PUSH : RV_ACCESS_STORE,
                                 push ? PUSH_ADDRESS : s->addr);
    if (!l->waits_since)
        l->waits_since = cycle;
}

/* The head of the queue in cycle t; false: it stays. */
static bool drain_head(struct rvpipe *p, struct rvpipe_io *io, uint64_t cycle)
{
    struct rvlsu *l = &p->lsu;
    const struct rvlsu_store *s = rvlsu_at(l, 0);
    const struct rvmem *m = io->m;
    enum rv_status status = RV_OK;
    uint32_t pc = io->c->pc;
    if (s->kind != RVLSU_L1) /* there it is the next instruction's, which may be what is written */
        io->c->pc = s->pc;   /* whoever takes it may want to know */
    *io->now = cycle;
    switch (s->kind) {
    case RVLSU_L1: {
        unsigned cycles = s->mask == 0xffff ? T_L1_WIDE : io->l1->narrow;
        if (io->parked && m->bus->l1_meets(m->ctx, io->c->which, s->addr, cycle, cycles))
            return false;
        write_l1(p, io, s, cycle);
        break;
    }
    case RVLSU_BUS:
        status = m->bus->store(m->ctx, io->c->which, s->addr, s->size, s->data[0]);
        break;
    default: status = m->bus->push(m->ctx, io->c->which, s->data, s->size, s->pc); break;
    }
    io->c->pc = pc;
    if (io->c->state == RV_HELD)
        return false; /* it has put its own core into reset: the queue is gone */
    if (status == RV_BLOCK || status == RV_STAGED) {
        l->blocked = status == RV_BLOCK;
        l->tried = cycle;
        l->staged = status == RV_STAGED;
        if (l->blocked)
            rvpipe_mem_refused(p, io, cycle);
        return false;
    }
    if (status == RV_FAULT)
        rvcore_mem_fault(io->c, m, RV_FAULT_BUS, s->pc, s->addr);
    rvlsu_pop(l, cycle);
    return true;
}

/* ---- a load that waited is answered ---- */

static uint32_t extend(unsigned op, uint32_t value)
{
    switch (op) {
    case RV_OP_LB: return ((value & 0xff) ^ 0x80) - 0x80;
    case RV_OP_LH: return ((value & 0xffff) ^ 0x8000) - 0x8000;
    default: return value;
    }
}

/* All that entered behind the load has a time of retirement now. */
static void retire_again(struct rvpipe *p, uint64_t done)
{
    const struct rvlsu_pending *q = &p->lsu.pending;
    uint64_t last = q->before;
    p->done[q->index % T_RISC_RETIRE_DEPTH] = done;
    p->slow = true;
    p->bypass = RV_USE_NONE;
    p->bypass_at = 0;
    for (uint32_t n = q->index; n != p->n; n++) {
        unsigned k = n % T_RISC_RETIRE_DEPTH, d = p->dest[k];
        last = p->done[k] > last + 1 ? p->done[k] : last + 1;
        p->ring[k] = last;
        p->avail[d] = p->done[k];
        for (uint32_t older = q->index; older != n; older++)
            if (p->dest[older % T_RISC_RETIRE_DEPTH] == d &&
                p->ring[older % T_RISC_RETIRE_DEPTH] >= p->done[k]) {
                p->avail[d] = p->ring[older % T_RISC_RETIRE_DEPTH] + 1;
                if (n + 1 == p->n && d != RV_USE_SINK) {
                    p->bypass = (uint8_t)d;
                    p->bypass_at = p->done[k];
                }
            }
        p->retired[d] = last;
    }
    p->last = last;
    p->busy = last;
    if (p->next >= RV_NEVER) /* behind a CSR instruction that waited for it */
        p->next = last + p->numbers.serial;
}

/* Is the load's register still to be written by it? */
static bool still_wanted(const struct rvpipe *p)
{
    for (uint32_t n = p->lsu.pending.index + 1; n != p->n; n++)
        if (p->dest[n % T_RISC_RETIRE_DEPTH] == p->lsu.pending.d)
            return false;
    return true;
}

static bool try_pending(struct rvpipe *p, struct rvpipe_io *io)
{
    struct rvlsu_pending *q = &p->lsu.pending;
    const struct rvmem *m = io->m;
    struct rvcore *c = io->c;
    uint32_t value = 0, pc = c->pc;
    uint64_t cycle = q->retry;
    q->retry = RV_NEVER;
    c->pc = q->pc;
    *io->now = cycle;
    enum rv_status status = m->bus->load(m->ctx, c->which, q->addr, q->size, &value);
    c->pc = pc;
    p->lsu.tried = cycle;
    if (status == RV_BLOCK) {
        q->why = m->bus->why(m->ctx, c->which, RV_ACCESS_LOAD, q->addr);
        return false;
    }
    uint64_t done = cycle + m->bus->latency(m->ctx, c->which, q->addr);
    if (still_wanted(p)) {
        if (q->d >= RV_USE_F && q->d != RV_USE_SINK)
            c->f[q->rd] = q->size == 2 ? value | UINT32_C(0xffff0000) : value;
        else if (q->d != RV_USE_SINK)
            c->x[q->rd] = extend(q->op, value);
        p->why[q->d] = q->why; /* else who waits for the register waits for its younger writer */
    }
    retire_again(p, done);
    if (done > p->lsu.answered) {
        p->lsu.answered = done;
        p->lsu.answer_why = q->why;
    }
    p->lsu.device_free = cycle + 1;
    q->on = false;
    return true;
}

bool rvpipe_mem_drain(struct rvpipe *p, struct rvpipe_io *io, uint64_t before)
{
    bool any = false, asleep = before >= RV_NEVER;
    if (before > rvlsu_moment(*io->limit, RV_PHASE_LOAD))
        before = rvlsu_moment(*io->limit, RV_PHASE_LOAD);
    WATCH(watch);
    for (;;) {
        PROGRESS(watch, p->lsu.free, 3); /* once more for a load, and for a store that is refused */
        uint64_t at = rvpipe_mem_next_drain(p, io);
        if (at >= before || at >= *io->grant)
            return any;
        bool load = (at & 3) == RV_PHASE_LOAD;
        if (load ? try_pending(p, io) : drain_head(p, io, at >> 2)) {
            if (load || asleep)
                return true; /* what waited for that may want the next one to leave sooner */
            any = true;
        } else if (!load && rvpipe_mem_next_drain(p, io) == at)
            return any; /* another core must have its turn first */
    }
}

/* A store that has left may have overwritten the instruction before which it left, or its neighbours: that is then looked at anew, as it is
   if it has to wait for that store. */
static bool overwritten(struct rvpipe_insn *i)
{
    if (!i->e || i->e->op != OWN_DECODE)
        return false;
    i->wants = rvlsu_moment(i->cycle, RV_PHASE_LOAD);
    return true;
}

/* A load is tried before a store leaves in the same cycle, and sees nothing of what its core does behind it. False: it was
   answered, or the clock is not there yet; the instruction is looked at anew. */
static bool answers_first(struct rvpipe *p, struct rvpipe_io *io, struct rvpipe_insn *i,
                          uint64_t due)
{
    uint64_t retry = p->lsu.pending.on ? p->lsu.pending.retry : RV_NEVER;
    if (retry > due || retry >= RV_NEVER)
        return true;
    i->wants = rvlsu_moment(retry, RV_PHASE_LOAD);
    if (i->wants >= *io->grant || retry >= *io->limit)
        return false;
    if (!try_pending(p, io))
        return true;
    i->wants = rvlsu_moment(i->cycle, RV_PHASE_LOAD);
    return false;
}

bool rvpipe_mem_drain_to(struct rvpipe *p, struct rvpipe_io *io, struct rvpipe_insn *i)
{
    WATCH(watch);
    for (;;) {
        PROGRESS(watch, p->lsu.free, 2); /* once more for a store that is refused */
        if (p->lsu.staged) {             /* whether it leaves is known at the end of its cycle */
            rvpipe_sleep(i,
                         PIPE_SLEEP_OTHER,
                         i->cycle > p->at + 1 ? i->why : wait_key(WAIT_SEM_SLOT, OWNER_SYNC));
            return false;
        }
        uint64_t due = rvlsu_due(&p->lsu, io->l1, io->c->which, io->c->cfg0);
        if (due >= i->cycle)
            return true;
        if (!answers_first(p, io, i, due))
            return false;
        i->wants = rvlsu_moment(due, RV_PHASE_STORE);
        if (i->wants >= *io->grant || due >= *io->limit)
            return false;
        drain_head(p, io, due);
        if (io->c->state == RV_HELD) {
            rvpipe_sleep(i, PIPE_SLEEP_OTHER, i->why);
            return false;
        }
        if (overwritten(i))
            return false;
    }
}

/* The instruction has waited for a store that has left meanwhile: it follows in the next cycle. */
static void after_drain(struct rvpipe *p, struct rvpipe_insn *i)
{
    if (p->lsu.waiter)
        rvpipe_later(i, p->lsu.free, p->lsu.waits_for);
}

/* Lets one store leave, whenever that is; false: not now. */
static bool drain_one(struct rvpipe *p, struct rvpipe_io *io, struct rvpipe_insn *i, uint16_t why)
{
    struct rvlsu *l = &p->lsu;
    uint64_t due = rvlsu_due(l, io->l1, io->c->which, io->c->cfg0);
    uint16_t key = rvlsu_why(l, why);
    if (due < RV_NEVER && !answers_first(p, io, i, due))
        return false;
    i->wants = rvlsu_moment(due, RV_PHASE_STORE);
    if (due < RV_NEVER && i->wants < *io->grant && due < *io->limit) {
        if (!drain_head(p, io, due))
            return drain_one(p, io, i, why);
        rvpipe_later(i, due + 1, key);
        if (!overwritten(i))
            return true;
        l->waiter = p->slow = true;
        l->waits_for = key;
        return false;
    }
    l->waiter = p->slow = true;
    l->waits_if = why;
    if (due >= RV_NEVER)
        rvpipe_sleep(i, PIPE_SLEEP_STORE, key);
    else
        i->why = i->cycle == p->at + 1 ? key : i->why;
    return false;
}

/*
 * What a whole turn comes to in this case: the instruction finds no room as before (drain_one()), the head stays
 * (drain_head()), the core sleeps (rvpipe_rest()).
 */
bool rvpipe_mem_refuse(struct rvpipe *p, struct rvpipe_io *io)
{
    struct rvlsu *l = &p->lsu;
    uint64_t cycle = p->when >> 2, enters = p->next > p->floor ? p->next : p->floor;
    if (l->n != l->depth || !l->waiter || l->waits_since || l->pending.on || l->staged ||
        l->waits_if != wait_key(WAIT_STORE_QUEUE, OWNER_L1) || p->held || p->poll.on ||
        p->loop.undecided || io->c->state != RV_RUNNING || cycle >= *io->limit)
        return false;
    enters = enters > l->free ? enters : l->free;
    *io->now = cycle;
    l->blocked = true;
    l->tried = cycle;
    rvpipe_mem_refused(p, io, cycle);
    if (enters > p->floor && enters > p->next) {
        p->floor = enters;
        p->floor_why = l->refused;
    }
    p->when = RV_NEVER;
    p->stay = p->held = l->refused;
    p->slow = true;
    io->c->state = RV_BLOCKED;
    io->c->block_addr = rvlsu_at(l, 0)->addr;
    wait_ledger_note(io->ledger, p->at + 1, p->held);
    return true;
}

/* ---- loads ---- */

static uint16_t load_key(struct rvpipe_io *io, uint32_t addr)
{
    return wait_key(WAIT_LOAD, io->m->bus->owner(io->m->ctx, io->c->which, addr));
}

/* The core's own data RAM. */
static enum rvpipe_result load_local(struct rvpipe *p, struct rvpipe_io *io, struct rvpipe_insn *i,
                                     uint32_t addr, unsigned size, uint32_t *value)
{
    struct rvlsu *l = &p->lsu;
    rvpipe_later(i, l->ram_ready, wait_key(WAIT_RAM_CLEAR, OWNER_DATA_RAM));
    if (l->local_at + 1 == i->cycle && l->local_addr == ((addr - RV_LOCAL_BASE) & ~3u))
        rvpipe_later(i, i->cycle + 1, wait_key(WAIT_ORDER, OWNER_DATA_RAM));
    if (!rvpipe_reach(p, io, i))
        return PIPE_STAY;
    *value = rvcore_get(io->m->local + (addr - RV_LOCAL_BASE), size);
    i->lat = p->numbers.load_local;
    i->what = wait_key(WAIT_LOAD, OWNER_DATA_RAM);
    return PIPE_GO;
}

/* Finds the cycle in which a load can be sent. */
static bool load_when(struct rvpipe *p, struct rvpipe_io *io, struct rvpipe_insn *i, uint32_t addr,
                      unsigned size, bool l1)
{
    struct rvlsu *l = &p->lsu;
    const struct rvcore *c = io->c;
    bool in_order = c->cfg0 & CFG0_LOADS_WAIT || (c->pmacfg[0] | c->pmacfg[1]) & 1;
    after_drain(p, i);
    if (!rvpipe_mem_drain_to(p, io, i))
        return false;
    while (l->n && (in_order || rvlsu_overlaps(l, addr, size))) {
        rvlsu_force(l, i->cycle);
        if (!drain_one(p, io, i, wait_key(WAIT_ORDER, OWNER_PIPELINE)))
            return false;
    }
    rvpipe_later(i, l->slot[l->next_slot], wait_key(WAIT_LOAD_SLOTS, OWNER_PIPELINE));
    WATCH(watch);
    for (;;) {
        uint64_t cycle = i->cycle;
        PROGRESS(watch, cycle, 1);
        if (!rvpipe_mem_drain_to(p, io, i))
            return false;
        uint64_t free =
            l1 && !rvpipe_replays(p, i->cycle) ? l1_earliest(io->l1, c->which, addr, i->cycle) : 0;
        rvpipe_later(i, free, wait_key(WAIT_L1_BANK, OWNER_L1));
        p->loop.clean &= i->cycle == cycle; /* a round that was held up is not like the next */
        if (i->cycle == cycle)
            return rvpipe_share(p, io, i, RV_PHASE_LOAD);
    }
}

static void load_sent(struct rvpipe *p, struct rvpipe_insn *i)
{
    struct rvlsu *l = &p->lsu;
    if (l->free <= i->cycle)
        l->free = i->cycle + 1; /* loads go first */
    l->slot[l->next_slot] = i->cycle + i->lat - 1;
    l->next_slot = (uint8_t)((l->next_slot + 1u) % l->loads);
    if (l->answered < i->cycle + i->lat) {
        l->answered = i->cycle + i->lat;
        l->answer_why = wait_key(WAIT_ORDER, OWNER_PIPELINE);
    }
}

static enum rvpipe_result load_l1(struct rvpipe *p, struct rvpipe_io *io, struct rvpipe_insn *i,
                                  uint32_t addr, unsigned size, uint32_t *value)
{
    struct rvcore *c = io->c;
    if (rvlsu_overlaps(&p->lsu, addr & ~15u, 16) && !rvpipe_mem_drain_to(p, io, i))
        return PIPE_STAY; /* a store empties its line when it leaves: has it by then? */
    const uint32_t requests = c->l0_requests;
    bool hits = !rvlsu_overlaps(&p->lsu, addr, size) && rvcore_mem_l0_hits(c, addr);
    if (c->l0_requests <
        requests) /* counted to the end and flushed: what is there is not what was */
        p->loop.clean = false;
    if (hits) { /* nobody else sees that */
        *value = rvcore_mem_l0_load(c, addr, size);
        i->lat = p->numbers.load_local;
        i->what = wait_key(WAIT_LOAD, OWNER_L1);
        return PIPE_GO;
    }
    if (!load_when(p, io, i, addr, size, true))
        return PIPE_STAY;
    bool replays = rvpipe_replays(p, i->cycle); /* the past is not to be changed */
    if (!replays && io->parked &&
        io->m->bus->l1_meets(io->m->ctx, c->which, addr, i->cycle, T_L1_WIDE)) {
        i->wants = rvlsu_moment(i->cycle, RV_PHASE_LOAD);
        return PIPE_STAY;
    }
    i->lat = p->numbers.load_l1;
    i->what = wait_key(WAIT_LOAD, OWNER_L1);
    *value = rvcore_mem_l0_fill(c, io->m, addr, size);
    if (replays) {
        *value = rvpipe_poll_replay(p, c);
        l1_took(io->l1, c->which, addr, i->cycle, T_L1_WIDE);
    } else {
        l1_take(io->l1, c->which, addr, i->cycle, T_L1_WIDE);
        rvpipe_poll_record(p,
                           io,
                           i->cycle,
                           (struct rvpipe_read){.addr = addr,
                                                .pc = i->pc,
                                                .value = *value,
                                                .size = (uint8_t)size,
                                                .l1 = true,
                                                .line = !c->l0_off});
    }
    load_sent(p, i);
    return PIPE_GO;
}

/* The device does not answer: the core goes on without the value. */
static enum rvpipe_result load_pends(struct rvpipe *p, struct rvpipe_insn *i, uint32_t addr,
                                     unsigned size, uint16_t why)
{
    p->lsu.pending = (struct rvlsu_pending){.on = true,
                                            .op = i->e->op,
                                            .rd = i->e->rd,
                                            .d = i->u->d,
                                            .size = (uint8_t)size,
                                            .addr = addr,
                                            .pc = i->pc,
                                            .why = why,
                                            .sent = i->cycle,
                                            .retry = RV_NEVER,
                                            .before = p->last,
                                            .index = p->n};
    p->loop.clean = false;
    p->slow = true; /* what follows must be remembered */
    p->lsu.tried = i->cycle;
    if (p->lsu.free <= i->cycle)
        p->lsu.free = i->cycle + 1;
    i->lat = RVPIPE_PENDS;
    i->what = why;
    return PIPE_PENDING;
}

static enum rvpipe_result load_device(struct rvpipe *p, struct rvpipe_io *io, struct rvpipe_insn *i,
                                      uint32_t addr, unsigned size, uint32_t *value)
{
    const struct rvmem *m = io->m;
    struct rvcore *c = io->c;
    if (p->lsu.pending.on) {
        rvpipe_sleep(i, PIPE_SLEEP_LOAD, p->lsu.pending.why);
        return PIPE_STAY;
    }
    rvpipe_later(i, p->lsu.device_free, p->lsu.pending.why);
    if (!load_when(p, io, i, addr, size, false))
        return PIPE_STAY;
    *value = 0;
    i->lat = m->bus->latency(m->ctx, c->which, addr);
    i->what = load_key(io, addr);
    if (rvpipe_replays(p, i->cycle)) {
        *value = rvpipe_poll_replay(p, c);
        load_sent(p, i);
        return PIPE_GO;
    }
    c->pc = i->pc; /* whoever answers may want to know */
    *io->now = i->cycle;
    enum rv_source source = m->bus->source(m->ctx, c->which, addr, size);
    enum rv_status status = m->bus->load(m->ctx, c->which, addr, size, value);
    if (status == RV_BLOCK)
        return load_pends(p, i, addr, size, m->bus->why(m->ctx, c->which, RV_ACCESS_LOAD, addr));
    *value &= bits_mask(size * 8);
    if (status != RV_OK) {
        *value = 0;
        if (rvcore_mem_fault(c, m, RV_FAULT_BUS, i->pc, addr))
            return PIPE_STAY;
    }
    p->loop.clean &= source <= RV_SOURCE_EVENT;
    rvpipe_poll_record(
        p,
        io,
        i->cycle,
        (struct rvpipe_read){.addr = addr, .pc = i->pc, .value = *value, .size = (uint8_t)size});
    load_sent(p, i);
    return PIPE_GO;
}

/* rvcore_mem_align() with time, for an address that is not aligned. */
static COLD bool rvpipe_align(struct rvpipe *p, struct rvpipe_io *io, struct rvpipe_insn *i,
                              unsigned size, uint32_t *addr)
{
    if (!io->c->told_misaligned && !rvpipe_tells(p, io, i))
        return false;
    return rvcore_mem_align(io->c, io->m, i->pc, size, addr);
}

enum rvpipe_result rvpipe_mem_load(struct rvpipe *p, struct rvpipe_io *io, struct rvpipe_insn *i,
                                   uint32_t addr, unsigned size, uint32_t *value)
{
    if (addr & (size - 1) && !rvpipe_align(p, io, i, size, &addr))
        return PIPE_STAY;
    if (addr - RV_LOCAL_BASE < io->m->local_size)
        return load_local(p, io, i, addr, size, value);
    if (addr < io->m->l1_size)
        return load_l1(p, io, i, addr, size, value);
    return load_device(p, io, i, addr, size, value);
}

/* ---- stores ---- */

/* Room for one more; false: not now. */
static bool store_room(struct rvpipe *p, struct rvpipe_io *io, struct rvpipe_insn *i)
{
    after_drain(p, i);
    while (p->lsu.n == p->lsu.depth)
        if (!drain_one(p, io, i, wait_key(WAIT_STORE_QUEUE, OWNER_L1)))
            return false;
    return rvpipe_reach(p, io, i);
}

static enum rvpipe_result store_local(struct rvpipe *p, struct rvpipe_io *io, struct rvpipe_insn *i,
                                      uint32_t addr, unsigned size, uint32_t value)
{
    rvpipe_later(i, p->lsu.ram_ready, wait_key(WAIT_RAM_CLEAR, OWNER_DATA_RAM));
    if (!rvpipe_reach(p, io, i))
        return PIPE_STAY;
    rvcore_put(io->m->local + (addr - RV_LOCAL_BASE), size, value);
    p->lsu.local_addr = (addr - RV_LOCAL_BASE) & ~3u;
    p->lsu.local_at = i->cycle;
    p->loop.clean = false;
    return PIPE_GO;
}

enum rvpipe_result rvpipe_mem_store(struct rvpipe *p, struct rvpipe_io *io, struct rvpipe_insn *i,
                                    uint32_t addr, unsigned size, uint32_t value)
{
    struct rvlsu *l = &p->lsu;
    struct rvcore *c = io->c;
    if (addr & (size - 1) && !rvpipe_align(p, io, i, size, &addr))
        return PIPE_STAY;
    if (addr - RV_LOCAL_BASE < io->m->local_size)
        return store_local(p, io, i, addr, size, value);
    bool l1 = addr < io->m->l1_size;
    if (l1 && l->n && i->cycle >= rvlsu_deadline(l, c->cfg0) && !rvpipe_mem_drain_to(p, io, i))
        return PIPE_STAY;
    bool merges = l1 && rvlsu_merges(l, addr, size, c->cfg0);
    if (merges ? !rvpipe_reach(p, io, i) : !store_room(p, io, i))
        return PIPE_STAY;
    p->loop.clean = false;
    if (l1)
        rvcore_mem_l0_forget(c, addr);
    if (merges && rvlsu_merges(l, addr, size, c->cfg0))
        rvlsu_merge(l, i->pc, i->cycle, addr, size, value);
    else
        rvlsu_append(l,
                     &(struct rvlsu_store){.kind = l1 ? RVLSU_L1 : RVLSU_BUS,
                                           .size = (uint8_t)size,
                                           .addr = addr,
                                           .pc = i->pc,
                                           .enter = i->cycle,
                                           .data = {value & bits_mask(8 * size)}});
    if (!l1 && io->m->bus->stops && io->m->bus->stops(io->m->ctx, c->which, addr))
        l->careful = p->slow = true;
    return PIPE_GO;
}

enum rvpipe_result rvpipe_mem_push(struct rvpipe *p, struct rvpipe_io *io, struct rvpipe_insn *i,
                                   unsigned n)
{
    struct rvlsu_store s = {.kind = RVLSU_PUSH, .size = (uint8_t)n, .pc = i->pc};
    for (unsigned k = 0; k < n; k++)
        s.data[k] = bits_rotr(rvcore_get32(io->m->l1 + i->pc + 4 * k), 2);
    if (io->c->which == RV_NC)
        return !rvpipe_tells(p, io, i) ||
                       rvcore_mem_fault(io->c, io->m, RV_FAULT_PUSH, i->pc, s.data[0])
                   ? PIPE_STAY
                   : PIPE_GO;
    if (!store_room(p, io, i))
        return PIPE_STAY;
    s.enter = i->cycle;
    p->loop.clean = false;
    rvlsu_append(&p->lsu, &s);
    return PIPE_GO;
}

/* ---- what waits for all the others ---- */

enum rvpipe_result rvpipe_mem_quiet(struct rvpipe *p, struct rvpipe_io *io, struct rvpipe_insn *i)
{
    struct rvlsu *l = &p->lsu;
    after_drain(p, i);
    while (l->n) {
        rvlsu_force(l, i->cycle);
        if (!drain_one(p, io, i, wait_key(WAIT_ORDER, OWNER_PIPELINE)))
            return PIPE_STAY;
    }
    if (l->pending.on) {
        rvpipe_sleep(i, PIPE_SLEEP_LOAD, l->pending.why);
        return PIPE_STAY;
    }
    rvpipe_later(i, l->emptied, wait_key(WAIT_ORDER, OWNER_PIPELINE));
    rvpipe_later(i, l->answered, l->answer_why);
    return rvpipe_reach(p, io, i) ? PIPE_GO : PIPE_STAY;
}

enum rvpipe_result rvpipe_mem_amo(struct rvpipe *p, struct rvpipe_io *io, struct rvpipe_insn *i)
{
    struct rvcore *c = io->c;
    uint32_t addr = c->x[i->e->rs1] & ~3u;
    if (rvpipe_mem_quiet(p, io, i) != PIPE_GO)
        return PIPE_STAY;
    if (addr < io->m->l1_size)
        rvpipe_later(
            i, l1_earliest(io->l1, c->which, addr, i->cycle), wait_key(WAIT_L1_BANK, OWNER_L1));
    if (!rvpipe_share(p, io, i, RV_PHASE_STORE))
        return PIPE_STAY;
    if (addr < io->m->l1_size && io->parked &&
        io->m->bus->l1_meets(io->m->ctx, c->which, addr, i->cycle, io->l1->narrow))
        return PIPE_STAY;
    p->loop.clean = false;
    *io->now = i->cycle;
    if (!rvcore_mem_amo(c, io->m, i->pc, i->e))
        return PIPE_STAY;
    i->what = wait_key(WAIT_LOAD, OWNER_L1);
    if (addr < io->m->l1_size)
        l1_take(io->l1, c->which, addr, i->cycle, io->l1->narrow);
    load_sent(p, i);
    return PIPE_GO;
}

enum rvpipe_result rvpipe_mem_vec(struct rvpipe *p, struct rvpipe_io *io, struct rvpipe_insn *i)
{
    struct rvcore *c = io->c;
    unsigned class = i->u->class;
    bool memory = class == RV_CLASS_VLOAD || class == RV_CLASS_VSTORE;
    i->what = wait_key(memory ? WAIT_LOAD : WAIT_OPERAND, memory ? OWNER_L1 : OWNER_PIPELINE);
    if (memory &&
        (rvpipe_mem_quiet(p, io, i) != PIPE_GO || !rvpipe_share(p, io, i, RV_PHASE_STORE)))
        return PIPE_STAY;
    if (c->which != RV_T2 && !rvpipe_tells(p, io, i))
        return PIPE_STAY;
    *io->now = i->cycle;
    if (!rvcore_vec(c, io->m, i->pc, i->e)) {
        if (c->state == RV_BLOCKED) {
            c->state = RV_RUNNING;
            rvpipe_sleep(i, PIPE_SLEEP_OTHER, wait_key(WAIT_DEVICE, OWNER_TILE));
        }
        return PIPE_STAY;
    }
    if (memory)
        load_sent(p, i);
    return PIPE_GO;
}
