/*
 * sync.c - Sync Unit.
 *
 * Semaphores: posts saturate at 15 and gets at 0, by instruction and by window alike; Max is only
 * read by SEMWAIT. Mutexes: the port serves one thread, which gets a free mutex (coproc.c arbitrates); a
 * release by a thread that does not hold it changes nothing.
 *
 * Invariants: value, max <= 15; holder <= 3; holder[1] is never used.
 *
 * Inaccuracies: the "cycle or two" that ATGETM and ATRELM may lose under contention is whatever
 * the one-per-mutex-and-cycle port yields.
 */
#include "front/sync.h"

#include <string.h>

#include "base/bits.h"
#include "isa/tensix.h"
#include "isa/timing.h"
#include "probe/probe.h"
#include "wait/wait.h"

void sync_reset(struct sync *s, const struct timing *t)
{
    memset(s, 0, sizeof *s);
    s->limit = (uint8_t)t->n.SEM_LIMIT;
    for (unsigned i = 0; i < SYNC_SEMAPHORES; i++)
        s->sem[i].last_by = OWNER_NONE;
}

uint16_t sync_check_mutex(const struct sync *s, unsigned thread, const struct entry *e)
{
    uint32_t i = tensix_ATGETM_decode(e->word).mutex_index;
    if (!sync_mutex_valid(i))
        return wait_key(WAIT_MUTEX_INVALID, OWNER_NOBODY);
    if (e->op == TENSIX_OP_ATGETM && s->holder[i] && s->holder[i] != thread + 1)
        return wait_key(WAIT_MUTEX, OWNER_T0 + s->holder[i] - 1u);
    return 0;
}

static void sync_changed(struct sync *s, unsigned i, unsigned by, uint64_t now,
                         const struct entry *e, struct probe *p)
{
    s->sem[i].last_by = (uint8_t)by;
    s->sem[i].last_at = now;
    s->sem[i].last_tag = e->tag;
    probe_event(p, EV_SEM, by, e->tag, e->word, i << 8 | s->sem[i].value);
}

/* A bit for each agent of the tile; a host keeps its own account. */
static uint32_t sync_agent(unsigned by)
{
    return by < N_AGENTS ? UINT32_C(1) << by : 0;
}

static void sync_post(struct sync *s, unsigned i, unsigned by, uint64_t now, const struct entry *e,
                      struct probe *p)
{
    struct sync_semaphore *sem = &s->sem[i];
    if (sem->value >= s->limit) {
        probe_diag(p, DIAG_SEM_SATURATED, by, e->tag, e->word, i);
        return;
    }
    if (sem->value >= sem->max)
        probe_diag(p, DIAG_SEM_ABOVE_MAX, by, e->tag, e->word, i);
    sem->value++;
    sem->posted_by |= sync_agent(by);
    sync_changed(s, i, by, now, e, p);
}

static void sync_get(struct sync *s, unsigned i, unsigned by, uint64_t now, const struct entry *e,
                     struct probe *p)
{
    if (s->sem[i].value == 0) {
        probe_diag(p, DIAG_SEM_UNDERFLOW, by, e->tag, e->word, i);
        return;
    }
    s->sem[i].value--;
    s->sem[i].got_by |= sync_agent(by);
    sync_changed(s, i, by, now, e, p);
}

static void sync_start_mutex(struct sync *s, unsigned thread, const struct entry *e, uint64_t now,
                             struct probe *p)
{
    unsigned i = tensix_ATGETM_decode(e->word).mutex_index;
    uint8_t holder = e->op == TENSIX_OP_ATGETM ? (uint8_t)(thread + 1) : 0;
    if (e->op == TENSIX_OP_ATRELM && s->holder[i] != thread + 1) {
        probe_diag(p, DIAG_MUTEX_NOT_HELD, OWNER_T0 + thread, e->tag, e->word, i);
        return;
    }
    s->holder[i] = holder;
    s->mutex_tag[i] = e->tag;
    s->mutex_at[i] = now;
    probe_event(p, EV_MUTEX, OWNER_T0 + thread, e->tag, e->word, i << 8 | holder);
}

void sync_start(struct sync *s, unsigned thread, const struct entry *e, uint64_t now,
                struct probe *p)
{
    unsigned by = OWNER_T0 + thread;
    if (e->op == TENSIX_OP_ATGETM || e->op == TENSIX_OP_ATRELM) {
        sync_start_mutex(s, thread, e, now, p);
        return;
    }
    struct tensix_SEMINIT a = tensix_SEMINIT_decode(e->word); /* sem_sel is at the same place */
    for (uint32_t left = a.sem_sel & bits_mask(SYNC_SEMAPHORES); left; left &= left - 1) {
        unsigned i = bits_lowest(left);
        if (e->op == TENSIX_OP_SEMPOST) {
            sync_post(s, i, by, now, e, p);
        } else if (e->op == TENSIX_OP_SEMGET) {
            sync_get(s, i, by, now, e, p);
        } else {
            s->sem[i].value = (uint8_t)a.init_value;
            s->sem[i].max = (uint8_t)a.max_value;
            sync_changed(s, i, by, now, e, p);
        }
    }
}

void sync_serve(struct sync *s, unsigned core, uint64_t now, struct probe *p)
{
    struct sync_request *r = &s->request[core];
    struct entry e = {.tag = r->tag};
    if (r->get)
        sync_get(s, r->sem, r->by, now, &e, p);
    else
        sync_post(s, r->sem, r->by, now, &e, p);
    r->taken = true;
}

uint16_t sync_test(const struct sync *s, unsigned mask, unsigned cond)
{
    mask &= bits_mask(SYNC_SEMAPHORES);
    for (uint32_t left = cond & 1 ? mask : 0; left; left &= left - 1) {
        unsigned i = bits_lowest(left);
        if (s->sem[i].value == 0)
            return wait_key(WAIT_SEM_ZERO, OWNER_SEM0 + i);
    }
    for (uint32_t left = cond & 2 ? mask : 0; left; left &= left - 1) {
        unsigned i = bits_lowest(left);
        if (s->sem[i].value >= s->sem[i].max)
            return wait_key(WAIT_SEM_MAX, OWNER_SEM0 + i);
    }
    return 0;
}
