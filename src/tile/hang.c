/*
 * hang.c - see hang.h.
 *
 * A wait names its cause and owner (wait.def). From these and the state behind them follows the thing that is waited
 * for, and from the thing who could change it: who has an instruction for it in his queues, who has changed it before,
 * or who alone can. Each of those has ended, or waits himself; following the waits gives a chain or a circle.
 *
 * Inaccuracies: that somebody could clear a wait is read off what he did before and what stands in his queues; what his
 * program would do later is not known. A word of L1 that nobody has written yet could be written by every core.
 */
#include "tile/hang.h"

#include <string.h>

#include "isa/tensix.h"
#include "unit/op.h"

static const uint8_t core_agents[RV_N_CORES] = {
    OWNER_CORE_T0, OWNER_CORE_T1, OWNER_CORE_T2, OWNER_CORE_B, OWNER_CORE_NC};

static unsigned hang_core(unsigned agent)
{
    switch (agent) {
    case OWNER_CORE_B: return RV_B;
    case OWNER_CORE_NC: return RV_NC;
    default: return agent - OWNER_CORE_T0;
    }
}

static bool hang_is_core(unsigned agent)
{
    return agent >= OWNER_CORE_B && agent <= OWNER_CORE_T2;
}

static unsigned hang_partner(unsigned partner)
{
    return partner ? OWNER_CORE_T0 + partner - 1 : (unsigned)OWNER_CORE_B;
}

/* ---- where an agent stands ---- */

/* Why an agent will not do anything; HANG_WAITS if something holds it. */
static enum hang_why hang_why(const struct tile *t, unsigned agent)
{
    if (agent <= OWNER_T2) {
        if (!frontend_empty(&t->coproc.fe[agent]))
            return HANG_WAITS;
        return hang_why(t, OWNER_CORE_T0 + agent) == HANG_WAITS ? HANG_WAITS : HANG_EMPTY;
    }
    if (agent == OWNER_UNPACK0 || agent == OWNER_UNPACK1)
        return t->coproc.unpack.u[agent - OWNER_UNPACK0].n ? HANG_WAITS : HANG_EMPTY;
    if (!hang_is_core(agent))
        return agent < N_AGENTS ? HANG_EMPTY : HANG_OUTSIDE;
    const struct rvcore *c = &t->core[hang_core(agent)];
    const struct rvpipe *p = &t->pipe[hang_core(agent)];
    if (c->state == RV_HELD)
        return HANG_RESET;
    if (p->lsu.n || p->lsu.pending.on)
        return HANG_WAITS;
    if (c->state == RV_STOPPED)
        return HANG_STOPPED;
    return p->poll.on && !p->poll.n_reads ? HANG_ENDED : HANG_WAITS;
}

static bool hang_stands_thread(const struct tile *t, unsigned thread, struct hang_agent *a)
{
    struct wait_record w;
    const struct gate *g = &t->coproc.gate[thread];
    if (!coproc_thread_wait(&t->coproc, thread, &w))
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

static bool hang_stands_unpacker(const struct tile *t, unsigned i, struct hang_agent *a)
{
    const struct unpacker *u = &t->coproc.unpack.u[i];
    const struct ledger *l = &t->coproc.ledger[OWNER_UNPACK0 + i];
    if (!u->n || !u->waiting)
        return false;
    a->cause = WAIT_UNIT_SRC_BANK;
    a->owner = OWNER_MATRIX;
    a->since = l->since;
    a->word = u->op[u->head].e.word;
    a->tag = u->op[u->head].e.tag;
    return true;
}

/* The instruction that waits: the load or store that is under way, or the one that stands at EX1. */
static bool hang_stands_core(const struct tile *t, unsigned core, struct hang_agent *a)
{
    const struct rvpipe *p = &t->pipe[core];
    const struct ledger *l = &t->coproc.ledger[core_agents[core]];
    enum hang_why why = hang_why(t, core_agents[core]);
    a->core = true;
    a->pc = t->core[core].pc;
    if (why != HANG_WAITS || l->key >> 8 <= WAIT_DONE)
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
    memcpy(&a->word, t->l1 + (a->pc & ~3u) % TILE_L1_SIZE, 4);
    return true;
}

/* ---- who could clear it ---- */

static struct hang_clear *hang_add(const struct tile *t, struct hang_agent *a, unsigned agent)
{
    for (unsigned i = 0; i < a->n_clears; i++)
        if (a->clear[i].agent == agent)
            return &a->clear[i];
    if (a->n_clears == HANG_CLEARS)
        return &a->clear[HANG_CLEARS - 1];
    struct hang_clear *c = &a->clear[a->n_clears++];
    *c = (struct hang_clear){.agent = (uint8_t)agent, .why = (uint8_t)hang_why(t, agent)};
    return c;
}

typedef bool hang_test(const struct tile *t, uint32_t word, uint32_t index);

static bool hang_in_queue(const struct tile *t, const struct queue *q, hang_test *test,
                          uint32_t index)
{
    for (unsigned i = 0; i < q->n; i++)
        if (test(t, q->slot[(q->head + i) % QUEUE_MAX].word, index))
            return true;
    return false;
}

/* Threads that have such an instruction in a queue, or in what their expanders play. */
static void hang_add_queued(const struct tile *t, struct hang_agent *a, hang_test *test,
                            uint32_t index)
{
    for (unsigned i = 0; i < COPROC_THREADS; i++) {
        const struct frontend *f = &t->coproc.fe[i];
        bool found = hang_in_queue(t, &f->q1, test, index) ||
                     hang_in_queue(t, &f->q2, test, index) || hang_in_queue(t, &f->q3, test, index);
        for (unsigned k = 0; f->mop.active && k < MOP_CFG_WORDS; k++)
            found |= test(t, f->mop.cfg[k], index);
        for (unsigned k = 0; f->replay.mode == REPLAY_PLAY && k < REPLAY_SLOTS; k++)
            found |= test(t, f->replay.slot[k].word, index);
        if (found)
            hang_add(t, a, OWNER_T0 + i)->queued = true;
    }
}

static bool hang_posts(const struct tile *t, uint32_t word, uint32_t sem)
{
    (void)t;
    return word >> 24 == TENSIX_OP_SEMPOST && tensix_SEMPOST_decode(word).sem_sel >> sem & 1;
}

static bool hang_gets(const struct tile *t, uint32_t word, uint32_t sem)
{
    (void)t;
    return word >> 24 == TENSIX_OP_SEMGET && tensix_SEMGET_decode(word).sem_sel >> sem & 1;
}

static bool hang_unpacks(const struct tile *t, uint32_t word, uint32_t which)
{
    (void)t;
    return word >> 24 == TENSIX_OP_UNPACR && unpack_which(word) == which;
}

static bool hang_multiplies(const struct tile *t, uint32_t word, uint32_t which)
{
    (void)t;
    (void)which;
    return op_table[word >> 24].unit == TENSIX_UNIT_MATRIX;
}

void hang_semaphore(const struct tile *t, struct hang_agent *a, unsigned sem, bool post)
{
    const struct sync_semaphore *s = &t->coproc.sync.sem[sem];
    uint32_t who = post ? s->posted_by : s->got_by;
    a->thing = HANG_SEMAPHORE;
    a->index = sem;
    a->value = s->value;
    a->changed = s->last_by != OWNER_NONE;
    a->changed_by = s->last_by;
    a->changed_at = s->last_at;
    a->changed_tag = s->last_tag;
    hang_add_queued(t, a, post ? hang_posts : hang_gets, sem);
    for (unsigned i = 0; i < N_AGENTS; i++)
        if (who >> i & 1)
            hang_add(t, a, i)->before = true;
    for (unsigned i = RV_T0; i <= RV_T2;
         i++) /* through the window; that of B's words is not known */
        if (core_agents[i] != a->agent && hang_why(t, core_agents[i]) == HANG_WAITS)
            hang_add(t, a, core_agents[i]);
}

static void hang_mutex(const struct tile *t, struct hang_agent *a)
{
    unsigned i = tensix_ATGETM_decode(a->word).mutex_index;
    a->thing = HANG_MUTEX;
    a->index = i;
    if (!sync_mutex_valid(i))
        return;
    const struct sync *s = &t->coproc.sync;
    a->value = s->holder[i];
    a->changed = s->holder[i] != 0;
    a->changed_by = a->owner;
    a->changed_at = s->mutex_at[i];
    a->changed_tag = s->mutex_tag[i];
    hang_add(t, a, a->owner)->before = true;
}

/* A bank that the unpackers must fill, or the Matrix Unit give back. */
static void hang_bank(const struct tile *t, struct hang_agent *a, unsigned which, bool fill)
{
    a->thing = HANG_BANK;
    a->index = which;
    if (fill) {
        hang_add_queued(t, a, hang_unpacks, which);
        if (t->coproc.unpack.u[which].n)
            hang_add(t, a, OWNER_UNPACK0 + which)->queued = true;
    } else {
        hang_add_queued(t, a, hang_multiplies, which);
    }
}

static void hang_mailbox(const struct tile *t, struct hang_agent *a, unsigned core, bool empty)
{
    unsigned me = core == RV_B ? 0 : core + 1;
    unsigned other = a->owner == OWNER_CORE_B ? 0 : a->owner - OWNER_CORE_T0 + 1u;
    a->thing = HANG_MAILBOX;
    a->index = empty ? other << 4 | me : me << 4 | other;
    a->value = t->mailbox.box[a->index >> 4][a->index & 15].in;
    if (empty) {
        hang_add(t, a, a->owner);
        return;
    }
    for (unsigned i = 0; i < MAILBOX_CORES; i++) /* the four share their room */
        if (t->mailbox.box[me][i].n)
            hang_add(t, a, hang_partner(i));
}

void hang_word(const struct tile *t, struct hang_agent *a, unsigned core, uint32_t address)
{
    const struct writer *w = writers_find(&t->writers, address);
    a->thing = HANG_WORD;
    a->address = address;
    memcpy(&a->value, t->l1 + (address & ~3u), 4);
    a->changed = w != NULL;
    if (w) {
        a->changed_by = writer_agent(w);
        a->changed_at = w->cycle;
        a->changed_pc = writer_pc(w);
        hang_add(t, a, writer_agent(w))->before = true;
    }
    for (unsigned i = 0; i < RV_N_CORES; i++)
        if (i != core && t->core[i].state != RV_HELD)
            hang_add(t, a, core_agents[i]);
}

static void hang_poll(const struct tile *t, struct hang_agent *a, unsigned core)
{
    const struct rvpipe_poll *q = &t->pipe[core].poll;
    const struct rvpipe_read *r = &q->read[q->n_reads - 1u];
    if (r->l1) {
        hang_word(t, a, core, r->addr);
        return;
    }
    struct map_hit hit = map_find(core, r->addr);
    a->address = r->addr;
    a->value = r->value;
    if (r->csr) {
        a->thing = HANG_CSR;
        for (unsigned i = 0; i < COPROC_THREADS; i++)
            if (!frontend_empty(&t->coproc.fe[i]))
                hang_add(t, a, OWNER_T0 + i)->queued = true;
    } else if (hit.window == MAP_SEM) {
        hang_semaphore(t, a, hit.index, r->value == 0);
    } else if (hit.window == MAP_MAILBOX) {
        hang_mailbox(t, a, core, true);
    } else {
        a->thing = HANG_REGISTER;
        hang_add(t, a, a->owner);
    }
}

static void hang_core_thing(const struct tile *t, struct hang_agent *a, unsigned core)
{
    switch (a->cause) {
    case WAIT_QUEUE_FULL:
    case WAIT_B_QUEUE_FULL:
        a->thing = HANG_QUEUE;
        a->index = a->owner;
        hang_add(t, a, a->owner);
        break;
    case WAIT_TTSYNC:
    case WAIT_AUTO_TTSYNC:
        a->thing = HANG_THREAD;
        a->index = a->owner;
        hang_add(t, a, a->owner);
        break;
    case WAIT_MAILBOX_EMPTY: hang_mailbox(t, a, core, true); break;
    case WAIT_MAILBOX_FULL: hang_mailbox(t, a, core, false); break;
    case WAIT_PCBUF_EMPTY:
        a->thing = HANG_PCBUF;
        a->index = core;
        a->value = t->pcbuf.to[core % 3].in;
        hang_add(t, a, OWNER_CORE_B);
        break;
    case WAIT_PCBUF_FULL:
    case WAIT_PCBUF_DONE:
        a->thing = HANG_PCBUF;
        a->index = a->owner - OWNER_CORE_T0;
        hang_add(t, a, a->owner);
        if (!coproc_thread_idle(&t->coproc, a->index % 3))
            hang_add(t, a, OWNER_T0 + a->index);
        break;
    case WAIT_POLL: hang_poll(t, a, core); break;
    default:
        a->thing = HANG_UNIT;
        a->index = a->owner;
        break;
    }
}

static void hang_thread_thing(const struct tile *t, struct hang_agent *a)
{
    switch (a->cause) {
    case WAIT_SEM_ZERO:
    case WAIT_SEM_MAX:
        hang_semaphore(t, a, a->owner - OWNER_SEM0, a->cause == WAIT_SEM_ZERO);
        break;
    case WAIT_MUTEX:
    case WAIT_MUTEX_INVALID: hang_mutex(t, a); break;
    case WAIT_C5_SRCA_CLR:
    case WAIT_C6_SRCB_CLR: hang_bank(t, a, a->cause - WAIT_C5_SRCA_CLR, false); break;
    case WAIT_C7_SRCA_VLD:
    case WAIT_C8_SRCB_VLD: hang_bank(t, a, a->cause - WAIT_C7_SRCA_VLD, true); break;
    case WAIT_SRCA_BANK:
    case WAIT_SRCB_BANK: hang_bank(t, a, a->cause - WAIT_SRCA_BANK, true); break;
    case WAIT_UNIT_SRC_BANK: hang_bank(t, a, a->agent - OWNER_UNPACK0, false); break;
    default:
        a->thing = HANG_UNIT;
        a->index = a->owner;
        if (a->owner < N_AGENTS)
            hang_add(t, a, a->owner);
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

void hang_explain(const struct tile *t, struct hang *h)
{
    memset(h, 0, sizeof *h);
    h->certain = t->clock.now ? t->clock.now - 1 : 0;
    for (unsigned i = 0; i < RV_N_CORES; i++) {
        static const uint8_t order[RV_N_CORES] = {RV_B, RV_NC, RV_T0, RV_T1, RV_T2};
        struct hang_agent *a = &h->agent[h->n++];
        a->agent = core_agents[order[i]];
        a->waits = hang_stands_core(t, order[i], a);
        if (a->waits)
            hang_core_thing(t, a, order[i]);
    }
    for (unsigned i = 0; i < COPROC_THREADS; i++) {
        struct hang_agent *a = &h->agent[h->n++];
        a->agent = (uint8_t)(OWNER_T0 + i);
        a->waits = hang_stands_thread(t, i, a);
        if (a->waits)
            hang_thread_thing(t, a);
    }
    for (unsigned i = 0; i < 2; i++) {
        struct hang_agent *a = &h->agent[h->n++];
        a->agent = (uint8_t)(OWNER_UNPACK0 + i);
        a->waits = hang_stands_unpacker(t, i, a);
        if (a->waits)
            hang_thread_thing(t, a);
    }
    hang_chain(h);
}
