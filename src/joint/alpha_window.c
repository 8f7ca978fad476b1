/*
 * alpha_window.c - see alpha_window.h.
 *
 * Block: the way from a host to a tile; there is none like it on a Blackhole card, whose hosts are behind PCIe.
 *
 * Semaphores are written through core T0's port of the Sync Unit, GPRs of a thread through its own core's, so STALLWAIT's C10
 * waits for them.
 *
 * A CPU that polls would make loads for ever; as soon as that is certain, the next is not taken any more, and the machine hangs.
 *
 * **Inaccuracies**: the way has no length: a word is taken in the cycle in which the store is in WB. L1 is reached past its banks.
 * If two CPUs store the same to the same place in one cycle, and the first is refused, the second's word is booked on the first.
 * A loop that also stores, or in which a second CPU runs, is not found.
 */
#include "joint/alpha_window.h"

#include <string.h>

#include "base/watch.h"
#define R         ALPHA_WINDOW_READ
#define W         ALPHA_WINDOW_WRITE
#define POST_PORT 0u /* of the Sync Unit: that of core T0 */

const struct alpha_window_info alpha_window_table[N_ALPHA_WINDOW_IDS] = {
#define ALPHA_WINDOW(id, offset, count, stride, width, access, text)                               \
    {#id, text, offset, count, stride, width, access},
#include "joint/alpha_window.def"
};

struct alpha_window_hit alpha_window_find(uint64_t offset)
{
    for (unsigned i = 0; i < N_ALPHA_WINDOW_IDS; i++) {
        const struct alpha_window_info *r = &alpha_window_table[i];
        uint64_t in = offset - r->offset;
        if (offset >= r->offset && in < (uint64_t)r->count * r->stride)
            return (struct alpha_window_hit){
                (enum alpha_window_id)i, (uint32_t)(in / r->stride), (uint32_t)(in % r->stride)};
    }
    return (struct alpha_window_hit){ALPHA_WINDOW_NOTHING, 0, 0};
}

/* ---- time ---- */

static void alpha_window_posted(struct alpha_window *w)
{
    uint8_t *who = w->post.get ? w->got : w->posted;
    who[w->post.sem] |= (uint8_t)(1u << w->post.cpu);
    w->post.on = false;
}

static void alpha_window_run(struct alpha_window *w, uint64_t cycles)
{
    struct tile *tile = w->tile;
    bool post = w->post.on;
    if (post) {
        coproc_port_sem_write_by(&tile->coproc,
                                 POST_PORT,
                                 w->post.sem,
                                 w->post.get,
                                 OWNER_CPU0 + w->post.cpu,
                                 w->post.tag);
        tile_clock_coproc_wake(tile);
    }
    w->end = tile_clock_run(tile, post ? 1 : cycles);
    if (post && coproc_port_sem_taken(&tile->coproc, POST_PORT))
        alpha_window_posted(w);
}

static bool alpha_window_still(const struct alpha_window *w)
{
    return w->end != TILE_END_LIMIT && !w->post.on;
}

void alpha_window_follow(struct alpha_window *w, uint64_t cycle)
{
    WATCH(watch);
    while (w->tile->clock.now < cycle && !alpha_window_still(w)) {
        PROGRESS(watch, w->tile->clock.now, 2); /* once more for what a hang leaves to post */
        alpha_window_run(w, cycle - w->tile->clock.now);
    }
    tile_clock_pass(w->tile, cycle);
}

void alpha_window_look(struct alpha_window *w)
{
    w->end = TILE_END_LIMIT;
    w->poll.loads = 0;
    w->poll.certain = false;
}

enum tile_end alpha_window_finish(struct alpha_window *w, uint64_t limit)
{
    WATCH(watch);
    while (w->tile->clock.now < limit && !alpha_window_still(w)) {
        PROGRESS(watch, w->tile->clock.now, 2);
        alpha_window_run(w, limit - w->tile->clock.now);
    }
    if (w->tile->clock.now > w->machine->now)
        w->machine->now = w->tile->clock.now;
    return w->end;
}

/* ---- what the pipeline asks ---- */

/* The CPU whose access this is: a store stands in WB, a load in EX. */
static unsigned alpha_window_caller(const struct alpha_window *w, uint64_t offset,
                                    enum pipe_stage stage, const struct pipe_slot **at)
{
    const struct machine *m = w->machine;
    uint16_t kind = stage == PIPE_WB ? AF_STORE : AF_LOAD;
    for (unsigned i = 0; i < m->n_cpus; i++) {
        const struct pipe_slot *s = m->cpu[i].at[stage];
        if (!m->cpu[i].stopped && s->valid && s->flags & kind &&
            s->out.address - m->env.device.base == offset) {
            *at = s;
            return i;
        }
    }
    *at = NULL;
    return 0;
}

/* The source position of the store, as an instruction's tag. */
static uint16_t alpha_window_tag(struct alpha_window *w, uint64_t offset, unsigned *cpu)
{
    const struct pipe_slot *s;
    *cpu = alpha_window_caller(w, offset, PIPE_WB, &s);
    if (!s)
        return 0;
    if (!w->placed) {
        w->placed = true;
        w->code_high = (uint32_t)(s->pc >> 32);
    }
    if (s->pc >> 32 != w->code_high)
        return 0;
    return (uint16_t)sites_tag(&w->tile->sites, (uint32_t)s->pc, false);
}

uint64_t alpha_window_pc(const struct alpha_window *w, uint32_t low)
{
    return (uint64_t)w->code_high << 32 | low;
}

/* Says why an access cannot be made; false if it can. */
static bool alpha_window_bad(struct alpha_window *w, uint64_t offset, unsigned size, bool store)
{
    struct alpha_window_hit hit = alpha_window_find(offset);
    struct probe *p = &w->tile->coproc.probe;
    const struct pipe_slot *s;
    uint32_t arg = (uint32_t)offset;
    enum diag_id id;
    if (hit.id == ALPHA_WINDOW_NOTHING)
        id = DIAG_HOST_NOTHING;
    else if (!(alpha_window_table[hit.id].access &
               (store ? ALPHA_WINDOW_WRITE : ALPHA_WINDOW_READ)))
        id = store ? DIAG_READ_ONLY : DIAG_WRITE_ONLY;
    else if (hit.id == ALPHA_WINDOW_L1 ? size > TILE_L1_SIZE - hit.at
                                       : hit.at || !(alpha_window_table[hit.id].width & size))
        id = DIAG_HOST_WIDTH;
    else
        return false;
    p->now = w->tile->clock.now;
    unsigned cpu = alpha_window_caller(w, offset, store ? PIPE_WB : PIPE_EX, &s);
    probe_diag(p, id, OWNER_CPU0 + cpu, 0, arg, arg);
    return true;
}

/* One GPR: its thread and number. */
static unsigned alpha_window_gpr_thread(const struct alpha_window_hit *hit)
{
    return hit->index / GPR_COUNT;
}

static bool alpha_window_thread_idle(const struct alpha_window *w, unsigned thread)
{
    const struct coproc *c = &w->tile->coproc;
    return coproc_thread_idle(c, thread) && !c->config.request[thread].pending;
}

/* A write to GPRs of the thread is on its way; a load waits for that of its own register only. */
static bool alpha_window_gpr_travels(const struct alpha_window *w,
                                     const struct alpha_window_hit *hit, bool store)
{
    const struct config_request *r = &w->tile->coproc.config.request[alpha_window_gpr_thread(hit)];
    return r->pending && (store || r->index == hit->index % GPR_COUNT);
}

static bool alpha_window_gpr_ready(const struct alpha_window *w, const struct alpha_window_hit *hit,
                                   bool store)
{
    return !alpha_window_gpr_travels(w, hit, store) &&
           !ttsync_holds(
               &w->tile->ttsync, &w->tile->coproc, alpha_window_gpr_thread(hit), TTSYNC_GPR, store);
}

static bool alpha_window_alone(const struct alpha_window *w, unsigned cpu)
{
    const struct machine *m = w->machine;
    for (unsigned i = 0; i < m->n_cpus; i++)
        if (i != cpu && (!m->cpu[i].stopped || m->cpu[i].wbuf.n))
            return false;
    return true;
}

/* A load is about to be made: does the CPU go round for ever? Brent's way to find a loop, one state kept. */
static bool alpha_window_polls(struct alpha_window *w, uint64_t now, uint64_t offset)
{
    struct alpha_window_poll *q = &w->poll;
    const struct pipe_slot *s;
    unsigned cpu = alpha_window_caller(w, offset, PIPE_EX, &s);
    if (!s || !alpha_window_still(w) || !alpha_window_alone(w, cpu)) {
        q->loads = 0;
        return false;
    }
    const struct pipe *p = &w->machine->cpu[cpu];
    if (q->loads && q->pc == s->pc && q->entered == p->wbuf.entered && q->flushes == p->flushes &&
        !memcmp(q->reg, p->cpu.reg, ALPHA_SINK * sizeof q->reg[0]))
        return q->certain = true;
    if (!q->loads) {
        q->first = now;
        q->next = 1;
    }
    if (++q->loads == q->next) {
        q->next *= 2;
        q->cpu = (uint8_t)cpu;
        q->pc = s->pc;
        q->entered = p->wbuf.entered;
        q->flushes = p->flushes;
        memcpy(q->reg, p->cpu.reg, sizeof q->reg);
    }
    return false;
}

static bool alpha_window_free(const struct alpha_window *w, uint64_t offset, bool store)
{
    struct alpha_window_hit hit = alpha_window_find(offset);
    switch (hit.id) {
    case ALPHA_WINDOW_PUSH: return !store || frontend_can_push(&w->tile->coproc.fe[hit.index]);
    case ALPHA_WINDOW_SYNC: return store || alpha_window_thread_idle(w, hit.index);
    case ALPHA_WINDOW_SEM: return !w->post.on || (!store && w->post.sem != hit.index);
    case ALPHA_WINDOW_GPR: return alpha_window_gpr_ready(w, &hit, store);
    default: return true;
    }
}

static bool alpha_window_ready(void *context, uint64_t now, uint64_t offset, unsigned size,
                               bool store)
{
    struct alpha_window *w = context;
    (void)size;
    alpha_window_follow(w, now);
    return alpha_window_free(w, offset, store) && !(!store && alpha_window_polls(w, now, offset));
}

static unsigned alpha_window_owner(void *context, uint64_t offset, bool store)
{
    const struct alpha_window *w = context;
    struct alpha_window_hit hit = alpha_window_find(offset);
    switch (hit.id) {
    case ALPHA_WINDOW_PUSH:
    case ALPHA_WINDOW_ROOM:
    case ALPHA_WINDOW_IDLE:
    case ALPHA_WINDOW_SYNC: return OWNER_T0 + hit.index;
    case ALPHA_WINDOW_SEM: return OWNER_SYNC;
    case ALPHA_WINDOW_GPR:
        if (alpha_window_gpr_travels(w, &hit, store))
            return OWNER_CONFIG;
        return OWNER_T0 + alpha_window_gpr_thread(&hit);
    default: return OWNER_DEVICE;
    }
}

static uint64_t alpha_window_wake(void *context, uint64_t now)
{
    const struct alpha_window *w = context;
    const struct tile_clock *c = &w->tile->clock;
    if (alpha_window_still(w))
        return PIPE_NEVER;
    uint64_t step = c->coproc < RV_NEVER ? (c->coproc >> 2) + 1 : now + 1;
    uint64_t signal = c->signal < RV_NEVER ? c->signal >> 2 : step;
    uint64_t wake = signal < step ? signal : step;
    return w->post.on || wake <= now ? now + 1 : wake;
}

/* Who has a store that was made and is not seen by loads yet. Words that were pushed, and L1, are. */
static unsigned alpha_window_draining(void *context, uint64_t now)
{
    struct alpha_window *w = context;
    alpha_window_follow(w, now);
    if (w->post.on)
        return OWNER_SYNC;
    for (unsigned i = 0; i < COPROC_THREADS; i++)
        if (w->tile->coproc.config.request[i].pending)
            return OWNER_CONFIG;
    return OWNER_NONE;
}

/* ---- accesses ---- */

static unsigned alpha_window_room(const struct frontend *f)
{
    unsigned used = f->tracked + f->n_in; /* as many when the cycle is over */
    return used <= f->threshold ? f->threshold + 1u - used : 0;
}

static uint64_t alpha_window_load(void *context, uint64_t now, uint64_t offset, unsigned size)
{
    struct alpha_window *w = context;
    struct alpha_window_hit hit = alpha_window_find(offset);
    const struct coproc *c = &w->tile->coproc;
    uint64_t value = 0;
    alpha_window_follow(w, now);
    if (alpha_window_bad(w, offset, size, false))
        return 0;
    switch (hit.id) {
    case ALPHA_WINDOW_ROOM: return alpha_window_room(&c->fe[hit.index]);
    case ALPHA_WINDOW_IDLE: return alpha_window_thread_idle(w, hit.index);
    case ALPHA_WINDOW_SYNC: return 1;
    case ALPHA_WINDOW_SEM: return coproc_port_sem_read(c, hit.index);
    case ALPHA_WINDOW_CYCLE: return now;
    case ALPHA_WINDOW_GPR: return c->gpr.r[alpha_window_gpr_thread(&hit)][hit.index % GPR_COUNT];
    case ALPHA_WINDOW_L1: tile_read(w->tile, hit.at, &value, size); return value;
    default: return 0;
    }
}

static bool alpha_window_push(struct alpha_window *w, unsigned thread, uint64_t offset,
                              unsigned size, uint64_t value)
{
    struct tile *tile = w->tile;
    const uint32_t words[2] = {(uint32_t)value, (uint32_t)(value >> 32)};
    unsigned n = size / 4, cpu;
    if (!frontend_can_push(&tile->coproc.fe[thread]))
        return false;
    uint16_t tag = alpha_window_tag(w, offset, &cpu);
    uint16_t tags[2] = {tag, tag};
    coproc_port_push(&tile->coproc, thread, words, n, tag);
    if (n > 1)
        frontend_tag(&tile->coproc.fe[thread], words, tags, n);
    for (unsigned i = 0; i < n; i++)
        ttsync_pushed(&tile->ttsync, thread, words[i]);
    return true;
}

static bool alpha_window_post(struct alpha_window *w, unsigned sem, uint64_t offset, uint64_t value)
{
    unsigned cpu;
    if (w->post.on)
        return false;
    uint16_t tag = alpha_window_tag(w, offset, &cpu);
    w->post = (struct alpha_window_post){
        .on = true, .get = value & 1, .sem = (uint8_t)sem, .cpu = (uint8_t)cpu, .tag = tag};
    return true;
}

static bool alpha_window_store(void *context, uint64_t now, uint64_t offset, unsigned size,
                               uint64_t value)
{
    struct alpha_window *w = context;
    struct alpha_window_hit hit = alpha_window_find(offset);
    bool taken = true;
    alpha_window_follow(w, now);
    if (alpha_window_bad(w, offset, size, true))
        return true;
    switch (hit.id) {
    case ALPHA_WINDOW_PUSH: taken = alpha_window_push(w, hit.index, offset, size, value); break;
    case ALPHA_WINDOW_SEM: taken = alpha_window_post(w, hit.index, offset, value); break;
    case ALPHA_WINDOW_GPR: {
        unsigned thread = alpha_window_gpr_thread(&hit);
        taken = alpha_window_gpr_ready(w, &hit, true) &&
                coproc_port_gpr_write(
                    &w->tile->coproc, thread, thread, hit.index % GPR_COUNT, (uint32_t)value);
        break;
    }
    default:
        tile_write(w->tile, hit.at, &value, size); /* L1 */
        break;
    }
    if (taken) {
        w->end = TILE_END_LIMIT;
        tile_clock_coproc_wake(w->tile);
    }
    return taken;
}

void alpha_window_attach(struct alpha_window *w, struct machine *m, struct tile *tile,
                         uint64_t base)
{
    *w = (struct alpha_window){.tile = tile, .machine = m};
    m->env.device = (struct pipe_device){.base = base,
                                         .size = ALPHA_WINDOW_SIZE,
                                         .context = w,
                                         .ready = alpha_window_ready,
                                         .load = alpha_window_load,
                                         .store = alpha_window_store,
                                         .owner = alpha_window_owner,
                                         .draining = alpha_window_draining,
                                         .wake = alpha_window_wake};
    tile->clock.no_proof = true; /* the machine may change what its cores wait for */
    tile_clock_pass(tile, m->now);
}
