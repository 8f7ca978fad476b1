/*
 * hang.c - see hang.h.
 *
 * A wait names its cause and owner (wait.def). From these and the state behind them follows the thing that is waited
 * for, and from the thing who could change it: the agent that has an instruction for it in its queues, that has changed it before,
 * or that alone can. Each of those has ended, or waits itself; following the waits gives a chain or a circle.
 *
 * Inaccuracies: that somebody could clear a wait is read off what he did before and what stands in his queues; what his
 * program would do later is not known. A word of L1 that nobody has written yet could be written by every core.
 */
#include "tile/hang.h"

#include <string.h>

#include "isa/tensix.h"
#include "state/op.h"
#include "tile/proof.h"

static bool hang_is_core(unsigned agent)
{
    return tile_core_of(agent) < RV_N_CORES;
}

/* ---- where an agent stands ---- */

/* A loop that the core never leaves, and that reads something. */
static const struct rvproof *hang_loop(const struct tile *tile, unsigned core)
{
    const struct rvproof *f = &tile->proof[core];
    return f->end == RVPROOF_LOOPS && f->n_reads ? f : NULL;
}

static enum hang_why hang_why_core(const struct tile *tile, unsigned core)
{
    const struct rvcore *c = &tile->core[core];
    const struct rvpipe *p = &tile->pipe[core];
    if (c->state == RV_HELD)
        return HANG_RESET;
    if (p->lsu.pending.on || (p->lsu.n && (p->lsu.waits_since || c->state == RV_STOPPED)))
        return HANG_WAITS;
    if (c->state == RV_STOPPED)
        return HANG_STOPPED;
    if (hang_loop(tile, core) || c->state == RV_BLOCKED)
        return HANG_WAITS;
    if (proof_ended(tile, core))
        return HANG_ENDED;
    return p->poll.on ? HANG_WAITS : HANG_RUNS;
}

/* Why an agent will not do anything; HANG_WAITS if something holds it. */
static enum hang_why hang_why(const struct tile *tile, unsigned agent)
{
    struct wait_record w;
    if (agent <= OWNER_T2) {
        if (!frontend_empty(&tile->coproc.fe[agent]))
            return coproc_thread_wait(&tile->coproc, agent, &w) || tile->clock.end != TILE_END_LIMIT
                       ? HANG_WAITS
                       : HANG_RUNS;
        enum hang_why core = hang_why_core(tile, agent);
        return core == HANG_WAITS || core == HANG_RUNS ? core : HANG_EMPTY;
    }
    if (agent == OWNER_UNPACK0 || agent == OWNER_UNPACK1)
        return tile->coproc.unpack.u[agent - OWNER_UNPACK0].n ? HANG_WAITS : HANG_EMPTY;
    if (agent == OWNER_SCALAR)
        return tile->coproc.scalar.exec.busy ? HANG_WAITS : HANG_EMPTY;
    if (!hang_is_core(agent))
        return agent < N_AGENTS ? HANG_EMPTY : HANG_OUTSIDE;
    return hang_why_core(tile, tile_core_of(agent));
}

static bool hang_stands_thread(const struct tile *tile, unsigned thread, struct hang_agent *a)
{
    struct wait_record w;
    const struct gate *g = &tile->coproc.gate[thread];
    if (!coproc_thread_wait(&tile->coproc, thread, &w))
        return false;
    a->cause = w.cause;
    a->owner = w.owner;
    a->since = w.since;
    a->word = w.word;
    a->tag = w.tag;
    if (g->latched) {
        a->wait_word = g->word;
        a->wait_tag = g->tag;
    }
    return true;
}

static bool hang_stands_unpacker(const struct tile *tile, unsigned i, struct hang_agent *a)
{
    const struct unpacker *u = &tile->coproc.unpack.u[i];
    const struct ledger *l = &tile->coproc.ledger[OWNER_UNPACK0 + i];
    if (!u->n || !u->waiting)
        return false;
    a->cause = WAIT_UNIT_SRC_BANK;
    a->owner = OWNER_MATRIX;
    a->since = l->since;
    a->word = u->op[u->head].e.word;
    a->tag = u->op[u->head].e.tag;
    return true;
}

/* An atomic that tries in vain, a store that waits for its bank, a flush. */
static bool hang_stands_scalar(const struct tile *tile, struct hang_agent *a)
{
    const struct scalar_op *o = &tile->coproc.scalar.exec;
    const struct ledger *l = &tile->coproc.ledger[OWNER_SCALAR];
    if (!o->busy || l->key >> 8 <= WAIT_DONE)
        return false;
    a->cause = (uint8_t)(l->key >> 8);
    a->owner = (uint8_t)l->key;
    a->since = l->since;
    a->word = o->e.word;
    a->tag = o->e.tag;
    return true;
}

/* What of all that a loop reads is named first: the last in the order of addresses; the own data RAM only if there is
   nothing else. */
static const struct rvproof_read *hang_read(const struct rvproof *f)
{
    const struct rvproof_read *best = NULL;
    for (unsigned i = 0; i < f->n_reads; i++) {
        const struct rvproof_read *r = &f->read[i];
        bool own = r->addr - RV_LOCAL_BASE < 8192 && !r->csr;
        bool other = best && best->addr - RV_LOCAL_BASE < 8192 && !best->csr;
        if (!best || (own == other ? r->pc >= best->pc : other))
            best = r;
    }
    return best;
}

/* A core that goes round a loop for ever: it waits at what it reads there. */
static void hang_stands_loop(const struct tile *tile, unsigned core, const struct rvproof *f,
                             struct hang_agent *a)
{
    const struct rvproof_read *r = hang_read(f);
    const struct rvpipe *p = &tile->pipe[core];
    a->loops = true;
    a->cause = WAIT_POLL;
    a->pc = r->pc;
    a->since = p->loop.first < tile->clock.now ? p->loop.first : tile->clock.now - 1;
    if (r->csr)
        a->owner = OWNER_FRONTEND;
    else if (r->source == RV_SOURCE_RAM && tile_source_ram(core, r->addr) != core)
        a->owner = tile_agents[tile_source_ram(core, r->addr)];
    else
        a->owner = (uint8_t)tile_clock_bus.owner(NULL, core, r->addr);
}

/* Without time: the access at which the core is blocked. */
static bool hang_stands_untimed(const struct tile *tile, unsigned core, struct hang_agent *a)
{
    const struct rvcore *c = &tile->core[core];
    if (a->why != HANG_WAITS)
        return false;
    uint16_t key = tile_clock_bus.why(
        (struct tile *)(uintptr_t)tile, core, (enum rv_access)c->access, c->block_addr);
    a->cause = (uint8_t)(key >> 8);
    a->owner = (uint8_t)key;
    return true;
}

/* The instruction that waits: the load or store that is under way, or the one that stands at EX1. */
static bool hang_stands_core(const struct tile *tile, unsigned core, struct hang_agent *a)
{
    const struct rvpipe *p = &tile->pipe[core];
    const struct ledger *l = &tile->coproc.ledger[tile_agents[core]];
    const struct rvproof *f = hang_loop(tile, core);
    a->core = true;
    a->pc = tile->core[core].pc;
    memcpy(&a->word, tile_l1(tile) + (a->pc & ~3u) % TILE_L1_SIZE, 4);
    if (!tile->clock.on)
        return hang_stands_untimed(tile, core, a);
    if (a->why != HANG_WAITS)
        return false;
    if (f && !(p->poll.on && p->poll.n_reads)) {
        hang_stands_loop(tile, core, f, a);
        memcpy(&a->word, tile_l1(tile) + (a->pc & ~3u) % TILE_L1_SIZE, 4);
        return true;
    }
    if (l->key >> 8 <= WAIT_DONE)
        return false;
    a->cause = (uint8_t)(l->key >> 8);
    a->owner = (uint8_t)l->key;
    a->since = p->poll.on ? p->loop.first : l->since;
    if (p->poll.on)
        a->pc = p->poll.read[p->poll.n_reads - 1u].pc;
    else if (p->lsu.pending.on)
        a->pc = p->lsu.pending.pc;
    else if (p->lsu.n && p->lsu.waits_since)
        a->pc = p->lsu.store[p->lsu.head].pc;
    if (!p->poll.on && p->lsu.pending.on)
        a->since = p->lsu.pending.sent;
    memcpy(&a->word, tile_l1(tile) + (a->pc & ~3u) % TILE_L1_SIZE, 4);
    return true;
}

/* ---- who could clear it ---- */

static struct hang_clear *hang_add(const struct tile *tile, struct hang_agent *a, unsigned agent)
{
    for (unsigned i = 0; i < a->n_clears; i++)
        if (a->clear[i].agent == agent)
            return &a->clear[i];
    if (a->n_clears == HANG_CLEARS)
        return &a->clear[HANG_CLEARS - 1];
    struct hang_clear *c = &a->clear[a->n_clears++];
    *c = (struct hang_clear){.agent = (uint8_t)agent, .why = (uint8_t)hang_why(tile, agent)};
    return c;
}

typedef bool hang_test(const struct tile *tile, uint32_t word, uint32_t index);

static bool hang_in_queue(const struct tile *tile, const struct queue *q, hang_test *test,
                          uint32_t index)
{
    for (unsigned i = 0; i < q->n; i++)
        if (test(tile, q->slot[(q->head + i) % QUEUE_MAX].word, index))
            return true;
    return false;
}

/* Threads that have such an instruction in a queue, or in what their expanders play. */
static void hang_add_queued(const struct tile *tile, struct hang_agent *a, hang_test *test,
                            uint32_t index)
{
    for (unsigned i = 0; i < COPROC_THREADS; i++) {
        const struct frontend *f = &tile->coproc.fe[i];
        bool found = hang_in_queue(tile, &f->q1, test, index) ||
                     hang_in_queue(tile, &f->q2, test, index) ||
                     hang_in_queue(tile, &f->q3, test, index);
        for (unsigned k = 0; mop_expands(&f->mop) && k < MOP_CFG_WORDS; k++)
            found |= test(tile, f->mop.cfg[k], index);
        for (unsigned k = 0; f->replay.mode == REPLAY_PLAY && k < REPLAY_SLOTS; k++)
            found |= test(tile, f->replay.slot[k].word, index);
        if (found)
            hang_add(tile, a, OWNER_T0 + i)->queued = true;
    }
}

static bool hang_posts(const struct tile *tile, uint32_t word, uint32_t sem)
{
    (void)tile;
    return word >> 24 == TENSIX_OP_SEMPOST && tensix_SEMPOST_decode(word).sem_sel >> sem & 1;
}

static bool hang_gets(const struct tile *tile, uint32_t word, uint32_t sem)
{
    (void)tile;
    return word >> 24 == TENSIX_OP_SEMGET && tensix_SEMGET_decode(word).sem_sel >> sem & 1;
}

static bool hang_unpacks(const struct tile *tile, uint32_t word, uint32_t which)
{
    (void)tile;
    return word >> 24 == TENSIX_OP_UNPACR && unpack_which(word) == which;
}

static bool hang_multiplies(const struct tile *tile, uint32_t word, uint32_t which)
{
    (void)tile;
    (void)which;
    return op_table[word >> 24].unit == TENSIX_UNIT_MATRIX;
}

void hang_semaphore(const struct tile *tile, struct hang_agent *a, unsigned sem, bool post)
{
    const struct sync_semaphore *s = &tile->coproc.sync.sem[sem];
    uint32_t who = post ? s->posted_by : s->got_by;
    a->thing = HANG_SEMAPHORE;
    a->index = sem;
    a->value = s->value;
    a->changed = s->last_by != OWNER_NONE;
    a->changed_by = s->last_by;
    a->changed_at = s->last_at;
    a->changed_tag = s->last_tag;
    hang_add_queued(tile, a, post ? hang_posts : hang_gets, sem);
    for (unsigned i = 0; i < N_AGENTS; i++)
        if (who >> i & 1)
            hang_add(tile, a, i)->before = true;
    for (unsigned i = RV_T0; i <= RV_T2;
         i++) /* through the window; that of B's words is not known */
        if (tile_agents[i] != a->agent && hang_why(tile, tile_agents[i]) == HANG_WAITS)
            hang_add(tile, a, tile_agents[i]);
}

static void hang_mutex(const struct tile *tile, struct hang_agent *a)
{
    unsigned i = tensix_ATGETM_decode(a->word).mutex_index;
    a->thing = HANG_MUTEX;
    a->index = i;
    if (!sync_mutex_valid(i))
        return;
    const struct sync *s = &tile->coproc.sync;
    a->value = s->holder[i];
    a->changed = s->holder[i] != 0;
    a->changed_by = a->owner;
    a->changed_at = s->mutex_at[i];
    a->changed_tag = s->mutex_tag[i];
    hang_add(tile, a, a->owner)->before = true;
}

/* A bank that the unpackers must fill, or the Matrix Unit give back. */
static void hang_bank(const struct tile *tile, struct hang_agent *a, unsigned which, bool fill)
{
    a->thing = HANG_BANK;
    a->index = which;
    if (fill) {
        hang_add_queued(tile, a, hang_unpacks, which);
        if (tile->coproc.unpack.u[which].n)
            hang_add(tile, a, OWNER_UNPACK0 + which)->queued = true;
    } else {
        hang_add_queued(tile, a, hang_multiplies, which);
    }
}

static void hang_mailbox(const struct tile *tile, struct hang_agent *a, unsigned core, bool empty)
{
    unsigned from = tile_core_of(a->owner);
    unsigned me = core == RV_B ? 0 : core + 1, other = from == RV_B ? 0 : from + 1;
    a->thing = HANG_MAILBOX;
    a->index = empty ? other << 4 | me : me << 4 | other;
    a->value = tile->mailbox.box[a->index >> 4][a->index & 15].in;
    if (empty) {
        hang_add(tile, a, a->owner);
        return;
    }
    for (unsigned i = 0; i < MAILBOX_CORES; i++) /* the four share their room */
        if (tile->mailbox.box[me][i].n)
            hang_add(tile, a, tile_partner(i));
}

void hang_word(const struct tile *tile, struct hang_agent *a, unsigned core, uint32_t address)
{
    const struct writer *w = writers_find(&tile->writers, address);
    a->thing = HANG_WORD;
    a->address = address;
    memcpy(&a->value, tile_l1(tile) + (address & ~3u), 4);
    a->changed = w != NULL;
    if (w) {
        a->changed_by = writers_agent(w);
        a->changed_at = w->cycle;
        a->changed_pc = writers_pc(w);
        if (core == RV_N_CORES || writers_agent(w) != tile_agents[core])
            hang_add(tile, a, writers_agent(w))->before = true;
    }
    for (unsigned i = 0; i < RV_N_CORES; i++)
        if (i != core && tile->core[i].state != RV_HELD)
            hang_add(tile, a, tile_agents[i]);
}

/* A word of a data RAM: its core writes it, others can. */
static void hang_ram(const struct tile *tile, struct hang_agent *a, unsigned core,
                     const struct rvproof_read *r)
{
    unsigned of = tile_source_ram(core, r->addr);
    a->thing = HANG_RAM;
    a->index = of;
    a->address = r->addr % RV_LOCAL_SIZE(of);
    a->value = r->value;
    if (of != core)
        hang_add(tile, a, tile_agents[of]);
    for (unsigned i = 0; i < RV_N_CORES; i++)
        if (i != core && tile->core[i].state != RV_HELD)
            hang_add(tile, a, tile_agents[i]);
}

static void hang_poll(const struct tile *tile, struct hang_agent *a, unsigned core)
{
    const struct rvpipe_poll *q = &tile->pipe[core].poll;
    struct rvproof_read read, *r = &read;
    if (a->loops) {
        read = *hang_read(&tile->proof[core]);
    } else {
        const struct rvpipe_read *last = &q->read[q->n_reads - 1u];
        read = (struct rvproof_read){.addr = last->addr, .value = last->value, .csr = last->csr};
    }
    if (!r->csr && r->addr < TILE_L1_SIZE) {
        hang_word(tile, a, core, r->addr);
        return;
    }
    if (!r->csr && r->source == RV_SOURCE_RAM) {
        hang_ram(tile, a, core, r);
        return;
    }
    struct map_hit hit = map_find(core, r->addr);
    a->address = r->addr;
    a->value = r->value;
    if (r->csr) {
        a->thing = HANG_CSR;
        for (unsigned i = 0; i < COPROC_THREADS; i++)
            if (!frontend_empty(&tile->coproc.fe[i]))
                hang_add(tile, a, OWNER_T0 + i)->queued = true;
    } else if (hit.region == MAP_SEM) {
        hang_semaphore(tile, a, hit.index, r->value == 0);
    } else if (hit.region == MAP_MAILBOX) {
        hang_mailbox(tile, a, core, true);
    } else {
        a->thing = HANG_REGISTER;
        hang_add(tile, a, a->owner);
    }
}

/* What keeps a thread from being idle: its queues, or a unit that has its last instruction. */
static void hang_busy(const struct tile *tile, struct hang_agent *a, unsigned thread)
{
    const struct coproc *c = &tile->coproc;
    if (!frontend_empty(&c->fe[thread % 3]))
        hang_add(tile, a, thread);
    if ((c->scalar.exec.busy && c->scalar.exec.thread == thread) ||
        (c->scalar.stage.busy && c->scalar.stage.thread == thread))
        hang_add(tile, a, OWNER_SCALAR)->queued = true;
    for (unsigned i = 0; i < 2; i++)
        if (c->unpack.u[i].in_flight[thread % 3])
            hang_add(tile, a, OWNER_UNPACK0 + i)->queued = true;
    if (!a->n_clears)
        hang_add(tile, a, thread);
}

static void hang_core_thing(const struct tile *tile, struct hang_agent *a, unsigned core)
{
    switch (a->cause) {
    case WAIT_QUEUE_FULL:
    case WAIT_B_QUEUE_FULL:
        a->thing = HANG_QUEUE;
        a->index = a->owner;
        hang_add(tile, a, a->owner);
        break;
    case WAIT_TTSYNC:
    case WAIT_AUTO_TTSYNC:
        a->thing = HANG_THREAD;
        a->index = a->owner;
        hang_busy(tile, a, a->owner);
        break;
    case WAIT_MAILBOX_EMPTY: hang_mailbox(tile, a, core, true); break;
    case WAIT_MAILBOX_FULL: hang_mailbox(tile, a, core, false); break;
    case WAIT_PCBUF_EMPTY:
        a->thing = HANG_PCBUF;
        a->index = core;
        a->value = tile->pcbuf.to[core % 3].in;
        hang_add(tile, a, OWNER_CORE_B);
        break;
    case WAIT_PCBUF_FULL:
    case WAIT_PCBUF_DONE:
        a->thing = HANG_PCBUF;
        a->index = a->owner - OWNER_CORE_T0;
        hang_add(tile, a, a->owner);
        if (!coproc_thread_idle(&tile->coproc, a->index % 3))
            hang_add(tile, a, OWNER_T0 + a->index);
        break;
    case WAIT_POLL: hang_poll(tile, a, core); break;
    default:
        a->thing = HANG_UNIT;
        a->index = a->owner;
        break;
    }
}

static void hang_thread_thing(const struct tile *tile, struct hang_agent *a)
{
    switch (a->cause) {
    case WAIT_SEM_ZERO:
    case WAIT_SEM_MAX:
        hang_semaphore(tile, a, a->owner - OWNER_SEM0, a->cause == WAIT_SEM_ZERO);
        break;
    case WAIT_MUTEX:
    case WAIT_MUTEX_INVALID: hang_mutex(tile, a); break;
    case WAIT_C5_SRCA_CLR:
    case WAIT_C6_SRCB_CLR: hang_bank(tile, a, a->cause - WAIT_C5_SRCA_CLR, false); break;
    case WAIT_C7_SRCA_VLD:
    case WAIT_C8_SRCB_VLD: hang_bank(tile, a, a->cause - WAIT_C7_SRCA_VLD, true); break;
    case WAIT_SRCA_BANK:
    case WAIT_SRCB_BANK: hang_bank(tile, a, a->cause - WAIT_SRCA_BANK, true); break;
    case WAIT_UNIT_SRC_BANK:
        hang_bank(tile,
                  a,
                  a->agent == OWNER_SCALAR ? a->word >> 21 & 1 : a->agent - OWNER_UNPACK0 + 0u,
                  false);
        break;
    case WAIT_UNIT_ATOMIC:
        hang_word(tile, a, RV_N_CORES, scalar_memory_waits_at(&tile->coproc.scalar) % TILE_L1_SIZE);
        break;
    default:
        a->thing = HANG_UNIT;
        a->index = a->owner;
        if (a->owner < N_AGENTS)
            hang_add(tile, a, a->owner);
        break;
    }
}

/* ---- the chain ---- */

static int hang_find(const struct hang *h, unsigned agent)
{
    for (unsigned i = 0; i < h->n; i++)
        if (h->agent[i].agent == agent && h->agent[i].waits)
            return (int)i;
    return -1;
}

/* The agent that this one waits for, if that one waits too; a thread that has nothing waits for its core. */
static int hang_next(const struct hang *h, const struct hang_agent *a)
{
    for (unsigned i = 0; i < a->n_clears; i++) {
        unsigned agent = a->clear[i].agent;
        bool weak = a->thing == HANG_SEMAPHORE && !a->clear[i].queued && !a->clear[i].before &&
                    a->clear[i].why != HANG_BEHIND;
        if (weak &&
            (hang_find(h, agent) < 0 || h->agent[hang_find(h, agent)].cause != WAIT_QUEUE_FULL))
            continue; /* nothing says that it would; one in the midst of pushing might */
        int found = hang_find(h, agent);
        if (found < 0 && agent <= OWNER_T2)
            found = hang_find(h, OWNER_CORE_T0 + agent);
        if (found >= 0)
            return found;
    }
    return -1;
}

static bool hang_walk(struct hang *h, unsigned from)
{
    bool seen[HANG_AGENTS] = {false};
    int at = (int)from;
    h->n_chain = 0;
    h->closed = false;
    while (at >= 0 && !seen[at]) {
        seen[at] = true;
        h->chain[h->n_chain++] = (uint8_t)at;
        at = hang_next(h, &h->agent[at]);
    }
    for (unsigned i = 0; at >= 0 && i < h->n_chain; i++)
        if (h->chain[i] == at) {
            h->closed = true;
            h->back = i;
        }
    return h->closed;
}

/* A circle if there is one, else the longest chain. */
void hang_chain(struct hang *h)
{
    unsigned best = 0, length = 0;
    for (unsigned i = 0; i < h->n; i++) {
        if (!h->agent[i].waits)
            continue;
        if (hang_walk(h, i))
            return;
        if (h->n_chain > length) {
            length = h->n_chain;
            best = i;
        }
    }
    if (length)
        hang_walk(h, best);
}

static struct hang_agent *hang_agent(const struct tile *tile, struct hang *h, unsigned agent)
{
    struct hang_agent *a = &h->agent[h->n++];
    a->agent = (uint8_t)agent;
    a->why = (uint8_t)hang_why(tile, agent);
    return a;
}

void hang_explain(const struct tile *tile, struct hang *h)
{
    static const uint8_t order[RV_N_CORES] = {RV_B, RV_NC, RV_T0, RV_T1, RV_T2};
    memset(h, 0, sizeof *h);
    h->certain = tile->clock.now ? tile->clock.now - 1 : 0;
    for (unsigned i = 0; i < RV_N_CORES; i++) {
        struct hang_agent *a = hang_agent(tile, h, tile_agents[order[i]]);
        a->waits = hang_stands_core(tile, order[i], a);
        if (a->waits)
            hang_core_thing(tile, a, order[i]);
    }
    for (unsigned i = 0; i < COPROC_THREADS; i++) {
        struct hang_agent *a = hang_agent(tile, h, OWNER_T0 + i);
        if (frontend_empty(&tile->coproc.fe[i]))
            a->why = HANG_EMPTY;
        a->waits = hang_stands_thread(tile, i, a);
        if (a->waits)
            hang_thread_thing(tile, a);
    }
    for (unsigned i = 0; i < 2; i++) {
        struct hang_agent *a = hang_agent(tile, h, OWNER_UNPACK0 + i);
        a->waits = hang_stands_unpacker(tile, i, a);
        if (a->waits)
            hang_thread_thing(tile, a);
    }
    struct hang_agent *a = hang_agent(tile, h, OWNER_SCALAR);
    a->waits = hang_stands_scalar(tile, a);
    if (a->waits)
        hang_thread_thing(tile, a);
    hang_chain(h);
}
