/*
 * machine.c - several Alpha CPUs in lock step.
 *
 * Block: what lies between the CPUs: the order of stores in memory, locks, and the barrier coordinator.
 *
 * An MB asks every other CPU; it has acknowledged when the stores that it had taken by then are in memory and mb-ack cycles have
 * passed.
 *
 * **Inaccuracies**: memory has no caches and no distance; a store is seen by all CPUs in the same cycle.
 */
#include "alpha/machine.h"

#include <string.h>

#include "base/watch.h"
static uint64_t machine_acknowledged(void *context, unsigned cpu, uint64_t since)
{
    struct machine *m = context;
    struct machine_barrier *b = &m->barrier[cpu];
    if (b->since != since) {
        b->since = since;
        for (unsigned i = 0; i < m->n_cpus; i++)
            b->marker[i] = m->cpu[i].wbuf.entered;
    }
    for (unsigned i = 0; i < m->n_cpus; i++) {
        const struct wbuf *w = &m->cpu[i].wbuf;
        if (i != cpu && w->entered - w->n < b->marker[i])
            return PIPE_NEVER; /* that CPU's next store in memory is an event of its own */
    }
    return since + m->set.other[PIPE_MB_ACK];
}

static void machine_stored(void *context, unsigned cpu, uint64_t address, unsigned size)
{
    struct machine *m = context;
    for (unsigned i = 0; i < m->n_cpus; i++)
        if (i != cpu)
            alpha_state_lock_break(&m->cpu[i].cpu, address, size);
}

bool machine_init(struct machine *m, unsigned n_cpus, size_t limit)
{
    if (!n_cpus || n_cpus > MACHINE_CPUS || !alpha_mem_init(&m->mem, limit))
        return false;
    m->n_cpus = n_cpus;
    pipe_settings_init(&m->set);
    m->env = (struct pipe_env){.mem = &m->mem, .set = &m->set, .context = m};
    if (n_cpus > 1) {
        m->env.acknowledged = machine_acknowledged;
        m->env.stored = machine_stored;
    }
    for (unsigned i = 0; i < n_cpus; i++) {
        alpha_cpu_reset(&m->cpu[i].cpu, 0);
        m->cpu[i].n = (uint8_t)i;
        m->cpu[i].blame = &m->blame;
    }
    return true;
}

void machine_free(struct machine *m)
{
    alpha_mem_free(&m->mem);
}

void machine_start(struct machine *m)
{
    for (unsigned i = 0; i < m->n_cpus; i++) {
        pipe_reset(&m->cpu[i], &m->set, m->now);
        m->barrier[i].since = PIPE_NEVER;
    }
    m->pending = 0;
    memset(&m->blame, 0, sizeof m->blame);
}

void machine_resume(struct machine *m, unsigned cpu)
{
    pipe_resume(&m->cpu[cpu], m->now);
}

void machine_settle(struct machine *m)
{
    for (unsigned i = 0; i < m->n_cpus; i++)
        pipe_settle(&m->cpu[i], m->now);
}

/* The first cycle from now on in which something can change. */
static uint64_t machine_next(const struct machine *m)
{
    uint64_t next = PIPE_NEVER;
    for (unsigned i = 0; i < m->n_cpus; i++)
        if (pipe_moves(&m->cpu[i]))
            return m->now;
    for (unsigned i = 0; i < m->n_cpus; i++) {
        uint64_t quiet = pipe_quiet_until(&m->cpu[i], &m->env, m->now - 1);
        next = quiet < next ? quiet : next;
    }
    return next;
}

static bool machine_all_stopped(const struct machine *m)
{
    for (unsigned i = 0; i < m->n_cpus; i++)
        if (!m->cpu[i].stopped || m->cpu[i].wbuf.n)
            return false;
    return true;
}

static enum machine_end machine_report(struct machine *m)
{
    for (m->stopped = 0; !(m->pending >> m->stopped & 1);)
        m->stopped++;
    m->pending &= (uint8_t) ~(1u << m->stopped);
    return MACHINE_TRAP;
}

/* One cycle of all CPUs. */
static void machine_cycle(struct machine *m)
{
    for (unsigned i = 0; i < m->n_cpus; i++)
        if (wbuf_due(&m->cpu[i].wbuf, m->now))
            pipe_act(&m->cpu[i], &m->env, m->now);
    for (unsigned i = 0; i < m->n_cpus; i++) {
        struct pipe *p = &m->cpu[i];
        if (p->stopped)
            continue;
        pipe_tick(p, &m->env, m->now);
        if (p->stopped)
            m->pending |= (uint8_t)(1u << i);
    }
    m->now++;
}

/* One CPU by itself. */
static void machine_alone(struct machine *m, uint64_t limit)
{
    struct pipe *p = &m->cpu[0];
    m->now = pipe_run(p, &m->env, m->now, limit, !m->no_skip);
    m->pending |= p->stopped;
}

enum machine_end machine_run(struct machine *m, uint64_t cycles)
{
    uint64_t limit = cycles < PIPE_NEVER - m->now ? m->now + cycles : PIPE_NEVER;
    WATCH(watch);
    while (m->now < limit) {
        PROGRESS(watch, m->now, 1);
        if (m->pending)
            return machine_report(m);
        if (machine_all_stopped(m))
            return MACHINE_DONE;
        if (m->follow)
            m->follow(m->follow_context, m->now);
        if (m->n_cpus == 1 && !m->follow)
            machine_alone(m, limit);
        else
            machine_cycle(m);
        uint64_t next = machine_next(m);
        if (next <= m->now || m->pending)
            continue;
        if (next == PIPE_NEVER)
            return machine_all_stopped(m) ? MACHINE_DONE : MACHINE_HANG;
        if (m->no_skip)
            continue;
        next = next < limit ? next : limit;
        m->skipped += next - m->now;
        m->now = next;
    }
    return m->pending ? machine_report(m) : MACHINE_LIMIT;
}
