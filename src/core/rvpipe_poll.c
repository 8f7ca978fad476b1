/*
 * rvpipe_poll.c - loops in which nothing changes.
 *
 * A round of a loop that ends with the registers, the time stamps (seen from its start) and everything else of the
 * core as they were at its beginning, and that has written nothing, will be followed by the same round again as long
 * as what it reads stays the same. Its cycles are a wait. Such a core is parked at the start of a round; when
 * something it reads changes, it goes on at the start of the round in which that is seen. What it read in that round
 * before the change is known from the recorded one. A loop that reads nothing waits for the tile's clock at the start of
 * each round, so that code that is overwritten is seen from the same round on whether it is parked or not.
 *
 * Looking costs something, so after each look that found a difference the next ones are further apart.
 *
 * **Inaccuracies**: a loop that contains another loop is never parked, nor one with more than eight loads from
 * outside in a round.
 */
#include <string.h>

#include "core/rvpipe_in.h"

#define PAUSE_MAX 127u

/* Time from now; what is past is all the same. */
static uint16_t ahead(uint64_t cycle, uint64_t now)
{
    return cycle > now ? (uint16_t)(cycle - now < UINT16_MAX ? cycle - now : UINT16_MAX) : 0;
}

static void take_shape(const struct rvpipe *p, const struct rvcore *c, struct rvpipe_shape *s)
{
    uint64_t now = p->next;
    memset(s, 0, sizeof *s);
    memcpy(s->x, c->x, sizeof s->x);
    s->x[32] = 0;
    for (unsigned i = 0; i < 32; i++) {
        s->avail[i] = ahead(p->avail[i], now);
        s->retired[i] = ahead(p->retired[i], now);
    }
    for (unsigned i = 0; i < T_RISC_RETIRE_DEPTH; i++)
        s->ring[i] = ahead(p->ring[(p->n + i) % T_RISC_RETIRE_DEPTH], now);
    for (unsigned i = 0; i < p->lsu.loads; i++)
        s->slot[i] = ahead(p->lsu.slot[(p->lsu.next_slot + i) % p->lsu.loads], now);
    s->last = ahead(p->last, now);
    s->answered = ahead(p->lsu.answered, now);
    memcpy(s->l0_tag, c->l0_tag, sizeof s->l0_tag);
    s->l0_requests = c->l0_requests;
    s->bypass = p->bypass;
}

/* Nothing in the core will happen by itself. */
static bool is_calm(const struct rvpipe *p)
{
    return !p->lsu.pending.on && (!p->lsu.n || p->lsu.waits_since);
}

/* The head of the queue is tried (again) by itself, maybe still in this cycle: a parked core would not do that. */
static bool is_due(const struct rvpipe *p)
{
    return p->lsu.n && !p->lsu.blocked;
}

/* Somebody has a bank of L1 for so long that this round, which begins now, will be held up. */
static bool is_held_up(const struct rvpipe *p, const struct rvpipe_io *io)
{
    for (unsigned i = 0; i < p->poll.n_reads; i++) {
        const struct rvpipe_read *r = &p->poll.read[i];
        uint64_t cycle = p->loop.start + r->offset;
        if (r->l1 && l1_earliest(io->l1, io->c->which, r->addr, cycle) > cycle)
            return true;
    }
    return false;
}

/* What the loop waits for: its last read from outside; a loop that reads nothing is an end. */
static uint16_t poll_key(const struct rvpipe *p, const struct rvpipe_io *io)
{
    if (!p->poll.n_reads)
        return wait_key(WAIT_DONE, OWNER_NONE);
    const struct rvpipe_read *r = &p->poll.read[p->poll.n_reads - 1];
    unsigned owner =
        r->csr ? (unsigned)OWNER_FRONTEND : io->m->bus->owner(io->m->ctx, io->c->which, r->addr);
    return wait_key(WAIT_POLL, owner);
}

static void start_round(struct rvpipe *p, const struct rvcore *c)
{
    p->loop.clean = true;
    p->loop.n_reads = 0;
    p->loop.start = p->next;
    p->loop.steps = c->steps;
    p->fetch.changed = p->fetch.jumped = false;
    p->poll.replayed = 0;
    p->poll.disturbed = false;
}

/* One line when it begins, one when it is over. */
static void poll_trace(const struct rvpipe *p, const struct rvpipe_io *io, uint64_t cycle,
                       uint32_t cycles)
{
    uint16_t key = poll_key(p, io);
    struct event e = {.kind = EV_CORE_WAIT,
                      .agent = (uint8_t)io->agent,
                      .cause = (uint8_t)(key >> 8),
                      .owner = (uint8_t)key,
                      .word = p->loop.pc,
                      .arg = cycles};
    if (!probe_wants(io->probe, EV_CORE_WAIT))
        return;
    io->probe->now = cycle;
    probe_send(io->probe, &e);
}

static void poll_begin(struct rvpipe *p, struct rvpipe_io *io)
{
    struct rvpipe_poll *q = &p->poll;
    q->n_reads = p->loop.n_reads;
    memcpy(q->read, p->loop.read, sizeof q->read);
    q->end = p->loop.end;
    q->calls = p->fetch.jumped;
    q->period = (uint32_t)(p->next - p->loop.start);
    q->steps = (uint32_t)(io->c->steps - p->loop.steps);
    if (!q->on) {
        q->on = true;
        q->since = p->next;
        q->until = 0;
        wait_ledger_note(io->ledger, p->at + 1, poll_key(p, io));
        poll_trace(p, io, p->next, 0);
    }
}

void rvpipe_poll_end(struct rvpipe *p, struct rvpipe_io *io, uint64_t cycle)
{
    poll_trace(p, io, cycle, (uint32_t)(cycle - p->poll.since));
    p->poll.on = false;
    p->poll.until = 0;
    if (cycle > p->at)
        p->at = cycle - 1;
    if (io->blame && io->ledger->key >> 8 == WAIT_POLL)
        blame_add(io->blame, io->agent, p->loop.pc, io->ledger->key, cycle - io->ledger->since);
    wait_ledger_note(io->ledger, cycle, wait_key(WAIT_PROGRESS, OWNER_NONE));
    p->loop.shaped = false;
    p->loop.pause = p->loop.rest = 0;
}

bool rvpipe_poll_loop(struct rvpipe *p, struct rvpipe_io *io, uint32_t pc, uint32_t target)
{
    struct rvpipe_loop *l = &p->loop;
    struct rvpipe_shape now;
    l->end = pc;
    if (l->pc != target) {
        l->undecided = false;
        if (p->poll.on)
            rvpipe_poll_end(p, io, p->next);
        l->pc = target;
        l->first = p->next;
        l->shaped = false;
        l->rest = l->pause = 0;
    } else if (l->rest > 1) {
        l->rest--;
        return false;
    } else if (l->rest) {
        l->rest = 0;
    } else if (
        !l->undecided) { /* the clock comes here first: what has left the queue by then, or is answered, counts */
        l->undecided = true;
        return true;
    } else if (!l->shaped) {
        l->undecided = false;
        take_shape(p, io->c, &l->shape);
        l->shaped = true;
    } else {
        take_shape(p, io->c, &now);
        bool same = l->clean && !p->fetch.changed && !memcmp(&now, &l->shape, sizeof now);
        if (same && is_calm(p)) {
            l->undecided = false;
            poll_begin(p, io);
            start_round(p, io->c);
            p->poll.disturbed = is_held_up(p, io);
            p->poll.parked = !io->no_skip && !is_due(p) && !p->poll.disturbed;
            return p->poll.parked;
        }
        if (p->poll.on)
            rvpipe_poll_end(p, io, p->next);
        l->shaped = l->undecided = false;
        l->pause = (uint8_t)(l->pause < PAUSE_MAX / 2 ? 2u * l->pause + 1u : PAUSE_MAX);
        l->rest = l->pause;
    }
    start_round(p, io->c);
    return false;
}

uint32_t rvpipe_poll_replay(struct rvpipe *p, struct rvcore *c)
{
    struct rvpipe_loop *l = &p->loop;
    const struct rvpipe_read *r = &p->poll.read[p->poll.replayed++];
    if (l->n_reads < RVPIPE_READS)
        l->read[l->n_reads++] = *r;
    if (r->line)
        memcpy(c->l0_data[r->addr / RV_L0_LINE % RV_L0_LINES], r->bytes, sizeof r->bytes);
    return r->value;
}

void rvpipe_poll_record(struct rvpipe *p, struct rvpipe_io *io, uint64_t cycle,
                        struct rvpipe_read read)
{
    struct rvpipe_loop *l = &p->loop;
    if (p->poll.on) {
        const struct rvpipe_read *r = &p->poll.read[p->poll.replayed];
        if (p->poll.replayed == p->poll.n_reads || r->value != read.value)
            rvpipe_poll_end(p, io, cycle);
        else
            p->poll.replayed++;
    }
    if (l->n_reads == RVPIPE_READS) {
        l->clean = false;
        return;
    }
    read.offset = (uint32_t)(cycle - l->start);
    if (read.line)
        memcpy(read.bytes, io->c->l0_data[read.addr / RV_L0_LINE % RV_L0_LINES], sizeof read.bytes);
    l->read[l->n_reads++] = read;
}

/* Moves a time stamp; what would lie before the first cycle is just past. */
static void shift(uint64_t *t, int64_t by)
{
    if (*t >= RV_NEVER)
        return;
    *t = by < 0 && *t < (uint64_t)-by ? 0 : *t + (uint64_t)by;
}

/* The core has made so many rounds more, or less. */
static void poll_shift(struct rvpipe *p, struct rvcore *c, int64_t rounds)
{
    int64_t by = rounds * p->poll.period;
    uint64_t steps = (uint64_t)(rounds * p->poll.steps);
    c->steps += steps;
    shift(&p->at, by);
    shift(&p->next, by);
    shift(&p->base, by);
    shift(&p->last, by);
    shift(&p->busy, by);
    shift(&p->floor, by);
    shift(&p->bypass_at, by);
    shift(&p->loop.start, by);
    p->loop.steps += steps;
    for (unsigned i = 0; i < T_RISC_RETIRE_DEPTH; i++) {
        shift(&p->ring[i], by);
        shift(&p->done[i], by);
    }
    for (unsigned i = 0; i < RV_USE_NONE; i++) {
        shift(&p->avail[i], by);
        shift(&p->retired[i], by);
    }
    shift(&p->lsu.answered, by);
    shift(&p->lsu.free, by);
    for (unsigned i = 0; i < p->lsu.loads; i++)
        shift(&p->lsu.slot[i], by);
}

void rvpipe_poll_wake(struct rvpipe *p, struct rvcore *c, uint64_t cycle)
{
    struct rvpipe_poll *q = &p->poll;
    if (!q->parked)
        return;
    uint64_t start = p->loop.start,
             rounds = cycle + 1 > start ? (cycle + 1 - start) / q->period : 0;
    q->parked = false;
    q->until = cycle;
    q->replayed = 0;
    poll_shift(p, c, (int64_t)rounds);
    p->when = rvlsu_moment(p->next, RV_PHASE_LOAD);
}

void rvpipe_poll_at(struct rvpipe *p, struct rvpipe_io *io, uint64_t now)
{
    struct rvpipe_poll *q = &p->poll;
    struct rvpipe_io quiet = *io;
    uint64_t grant = rvlsu_moment(now, RV_PHASE_LOAD), limit = now, when = now;
    int64_t left = (int64_t)(now - p->at) - 1, period = (int64_t)q->period;
    poll_shift(p, io->c, left >= 0 ? left / period : -((period - 1 - left) / period));
    q->parked = false;
    q->until = now - 1;
    quiet.grant = &grant;
    quiet.limit = &limit;
    quiet.now = &when;
    quiet.no_skip = quiet.replays = true;
    quiet.parked = false;
    rvpipe_run(p, &quiet);
}

bool rvpipe_poll_uses(const struct rvpipe *p, uint32_t addr, uint32_t size)
{
    if (addr < p->poll.end + 4 && p->loop.pc < addr + size)
        return true;
    return p->poll.calls && rvfetch_holds(&p->fetch, addr / 16, (addr + size - 1) / 16);
}

void rvpipe_poll_written(struct rvpipe *p, uint32_t addr, uint32_t size)
{
    if ((addr < p->loop.end + 4 && p->loop.pc < addr + size) ||
        rvfetch_holds(&p->fetch, addr / 16, (addr + size - 1) / 16))
        p->loop.clean = false;
}

void rvpipe_poll_recode(struct rvpipe *p, struct rvpipe_io *io)
{
    if (p->next < RV_NEVER)
        rvpipe_poll_end(p, io, p->next);
    p->loop.clean = p->loop.undecided = false;
}

bool rvpipe_poll_meets(const struct rvpipe *p, unsigned bank, uint64_t cycle, unsigned cycles)
{
    const struct rvpipe_poll *q = &p->poll;
    if (!q->on)
        return false;
    for (unsigned i = 0; i < q->n_reads; i++) {
        const struct rvpipe_read *r = &q->read[i];
        uint64_t first = p->loop.start + r->offset;
        if (!r->l1 || l1_bank(r->addr) != bank)
            continue;
        uint64_t n = cycle > first ? (cycle - first + q->period - 1) / q->period : 0;
        if (first + n * q->period < cycle + cycles)
            return true;
    }
    return false;
}

/* Cycles x, x + p, ... and y, y + q, ...: the first that both have; RV_NEVER. Rounds can be millions of cycles long, so how many
   times p it takes is computed: Euclid's algorithm keeps k * p = r modulo q, and r becomes the greatest common divisor. */
static uint64_t first_common(uint64_t x, uint32_t p, uint64_t y, uint32_t q)
{
    int64_t k = 1, before = 0, r = p % q, above = q;
    if (x < y)
        x += (y - x + p - 1) / p * p;
    while (r) {
        int64_t times = above / r, k2 = before - times * k, r2 = above - times * r;
        before = k;
        k = k2;
        above = r;
        r = r2;
    }
    uint64_t divisor = (uint64_t)above, missing = (q - (x - y) % q) % q;
    if (missing % divisor)
        return RV_NEVER;
    uint64_t other = q / divisor, factor = (uint64_t)(before + (before < 0) * (int64_t)other);
    return x + missing / divisor * factor % other * p;
}

uint64_t rvpipe_poll_meeting(const struct rvpipe *a, const struct rvpipe *b)
{
    uint64_t first = RV_NEVER;
    for (unsigned i = 0; i < a->poll.n_reads; i++)
        for (unsigned k = 0; k < b->poll.n_reads; k++) {
            const struct rvpipe_read *x = &a->poll.read[i], *y = &b->poll.read[k];
            if (!x->l1 || !y->l1 || l1_bank(x->addr) != l1_bank(y->addr))
                continue;
            uint64_t cycle = first_common(a->loop.start + x->offset,
                                          a->poll.period,
                                          b->loop.start + y->offset,
                                          b->poll.period);
            first = cycle < first ? cycle : first;
        }
    return first;
}
