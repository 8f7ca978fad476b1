/*
 * joint_hang.c - see joint_hang.h.
 *
 * A CPU that is held waits for the thread whose queue is full, that is not idle, or whose instructions come before its access to a
 * GPR. A wait in the tile that nothing in the tile clears could be cleared by a CPU: it posts and gets semaphores, and it
 * pushes whatever is pushed. A CPU that waits would do so by an instruction behind the one that waits, as nothing passes
 * it; one that has stopped will not.
 *
 * **Inaccuracies**: what a program would do later is not known; every CPU could clear every wait of a thread.
 */
#include "joint/joint_hang.h"

#include <string.h>

_Static_assert(HANG_TILE_AGENTS + MACHINE_CPUS <= HANG_AGENTS,
               "room for the tile's agents and the CPUs");

#define CPU_STAGES_TO_WB(stage) ((unsigned)PIPE_WB - (unsigned)(stage))

/* ---- what a CPU waits for ---- */

static void joint_clear(struct hang_agent *a, unsigned agent, enum hang_why why, bool before)
{
    if (a->n_clears < HANG_CLEARS)
        a->clear[a->n_clears++] =
            (struct hang_clear){.agent = (uint8_t)agent, .why = (uint8_t)why, .before = before};
}

static bool joint_waits(const struct hang *h, unsigned agent)
{
    for (unsigned i = 0; i < h->n; i++)
        if (h->agent[i].agent == agent)
            return h->agent[i].waits;
    return false;
}

static void joint_thread(const struct hang *h, struct hang_agent *a, unsigned thread,
                         enum hang_thing thing)
{
    a->thing = (uint8_t)thing;
    a->index = thread;
    joint_clear(
        a, OWNER_T0 + thread, joint_waits(h, OWNER_T0 + thread) ? HANG_WAITS : HANG_EMPTY, false);
}

/* What a CPU that polls reads for ever; a thread that goes on may change it. */
static void joint_poll(const struct alpha_window *w, const struct hang *h, struct hang_agent *a,
                       const struct alpha_window_hit *hit)
{
    a->cause = WAIT_POLL;
    a->since = w->poll.first;
    switch (hit->id) {
    case ALPHA_WINDOW_ROOM: joint_thread(h, a, hit->index, HANG_QUEUE); return;
    case ALPHA_WINDOW_IDLE: joint_thread(h, a, hit->index, HANG_THREAD); return;
    case ALPHA_WINDOW_SEM:
        hang_semaphore(w->tile, a, hit->index, !coproc_port_sem_read(&w->tile->coproc, hit->index));
        return;
    case ALPHA_WINDOW_L1: hang_word(w->tile, a, RV_N_CORES, hit->at); break;
    default: break;
    }
    for (unsigned i = OWNER_T0; i <= OWNER_T2; i++)
        if (joint_waits(h, i))
            joint_clear(a, i, HANG_WAITS, false);
}

static void joint_thing(const struct hang *h, struct hang_agent *a,
                        const struct alpha_window_hit *hit)
{
    a->thing = HANG_UNIT;
    a->index = a->owner;
    if (a->cause != WAIT_BACK_PRESSURE)
        return;
    if (hit->id == ALPHA_WINDOW_PUSH)
        joint_thread(h, a, hit->index, HANG_QUEUE);
    else if (hit->id == ALPHA_WINDOW_SYNC)
        joint_thread(h, a, hit->index, HANG_THREAD);
    else if (hit->id == ALPHA_WINDOW_GPR && a->owner <= OWNER_T2)
        joint_thread(h, a, a->owner - OWNER_T0, HANG_THREAD);
}

static void joint_cpu(const struct alpha_window *w, struct hang *h, unsigned n)
{
    const struct pipe *p = &w->machine->cpu[n];
    const struct pipe_slot *s;
    enum pipe_stage stage;
    struct hang_agent *a = &h->agent[n];
    a->agent = (uint8_t)(OWNER_CPU0 + n);
    a->cpu = true;
    a->cpu_pc = p->cpu.pc;
    if (!pipe_held(p, &s, &stage))
        return;
    a->waits = true;
    a->cause = (uint8_t)(s->key >> 8);
    a->owner = (uint8_t)s->key;
    a->stage = (uint8_t)stage;
    a->cpu_pc = s->pc;
    a->word = s->i.word;
    a->since = p->lost.since; /* when the first bubble behind it came to WB */
    if (a->since > CPU_STAGES_TO_WB(stage))
        a->since -= CPU_STAGES_TO_WB(stage);
    struct alpha_window_hit hit = alpha_window_find(s->out.address - w->machine->env.device.base);
    if (w->poll.certain && w->poll.cpu == n && w->poll.pc == s->pc)
        joint_poll(w, h, a, &hit);
    else
        joint_thing(h, a, &hit);
}

/* ---- what a CPU could clear ---- */

static bool joint_before(const struct alpha_window *w, const struct hang_agent *a, unsigned cpu)
{
    if (a->thing != HANG_SEMAPHORE)
        return false;
    const uint8_t *who = a->cause == WAIT_SEM_MAX ? w->got : w->posted;
    return who[a->index] >> cpu & 1;
}

/* Agents of the tile whose wait nobody in the tile is about to clear. */
static bool joint_wants_host(const struct hang_agent *a)
{
    for (unsigned i = 0; i < a->n_clears; i++)
        if (a->clear[i].why == HANG_WAITS && (a->clear[i].queued || a->clear[i].before))
            return false;
    return true;
}

void joint_hang_explain(const struct alpha_window *w, struct hang *h)
{
    const struct machine *m = w->machine;
    unsigned cpus = m->n_cpus;
    hang_explain(w->tile, h);
    memmove(h->agent + cpus, h->agent, h->n * sizeof h->agent[0]); /* a chain begins with a CPU */
    memset(h->agent, 0, cpus * sizeof h->agent[0]);
    h->n += cpus;
    h->certain = m->now ? m->now - 1 : 0;
    for (unsigned i = 0; i < cpus; i++)
        joint_cpu(w, h, i);
    for (unsigned k = cpus; k < h->n; k++) {
        struct hang_agent *a = &h->agent[k];
        bool wants = a->waits && joint_wants_host(a);
        for (unsigned i = 0; wants && i < cpus; i++)
            joint_clear(a,
                        OWNER_CPU0 + i,
                        h->agent[i].waits ? HANG_BEHIND : HANG_ENDED,
                        joint_before(w, a, i));
    }
    hang_chain(h);
}
