/*
 * pipe_wb.c - stages MEM and WB: results become visible, barriers hold, stores and traps happen.
 *
 * Block: CBox. Each barrier is cleared by its owner: the write buffer empties, other CPUs acknowledge, the FBox has nothing left
 * that can trap. MEM only looks, in every cycle, before it publishes; what a barrier does is never done twice.
 *
 * Invariant: registers are written in MEM, memory in WB or later, so a trap in WB finds nothing younger done.
 *
 * **Inaccuracies**: arithmetic traps are precise, as on EV6. IMB waits like MB.
 */
#include "alpha/pipe_in.h"

#include "base/hot.h"

/* ---- MEM ---- */

/* Stores that a device has taken and not shown yet: a barrier waits for them too. */
static bool mem_device_held(struct pipe *p, struct pipe_slot *s, const struct pipe_env *e,
                            unsigned cause, uint64_t now)
{
    const struct pipe_device *d = &e->device;
    unsigned owner = d->size && d->draining ? d->draining(d->context, now) : OWNER_NONE;
    return owner != OWNER_NONE && pipe_hold(p, s, cause, owner, d->wake(d->context, now));
}

static bool mem_mb_held(struct pipe *p, struct pipe_slot *s, const struct pipe_env *e, uint64_t now)
{
    if (p->mb_since == PIPE_NEVER)
        p->mb_since = now;
    if (p->wbuf.n)
        return pipe_hold(p, s, WAIT_MB, OWNER_WBUF, p->wbuf.done);
    if (mem_device_held(p, s, e, WAIT_MB, now))
        return true;
    uint64_t at = e->acknowledged ? e->acknowledged(e->context, p->n, p->mb_since) : 0;
    if (at > now)
        return pipe_hold(p, s, WAIT_MB, OWNER_BARRIER, at);
    p->mb_since = PIPE_NEVER;
    return false;
}

/* Barriers and STx_C: true while they may not pass. */
static bool mem_held(struct pipe *p, struct pipe_slot *s, const struct pipe_env *e, uint64_t now)
{
    if (s->flags & AF_MB)
        return mem_mb_held(p, s, e, now);
    if (s->flags & AF_WMB && p->wbuf.n && !e->set->wmb_marker)
        return pipe_hold(p, s, WAIT_WMB, OWNER_WBUF, p->wbuf.done);
    if (s->flags & AF_WMB && mem_device_held(p, s, e, WAIT_WMB, now))
        return true;
    if (s->flags & (AF_TRAPB | AF_EXCB) && p->fbox > now)
        return pipe_hold(p, s, WAIT_TRAPB, OWNER_FBOX, p->fbox);
    if ((s->flags & (AF_STORE | AF_LOCKED)) == (AF_STORE | AF_LOCKED) && p->wbuf.n)
        return pipe_hold(p, s, WAIT_STORE_COND, OWNER_WBUF, p->wbuf.done);
    return false;
}

/* STx_C at the point where all CPUs see the same memory: stores, or not. A device is no place to do so. */
static void mem_store_conditional(struct pipe *p, struct pipe_slot *s, const struct pipe_env *e)
{
    unsigned size = p->cost[s->i.op].size;
    bool held = alpha_state_lock_take(&p->cpu, s->out.address) && !s->device;
    if (held) {
        alpha_mem_write(e->mem, s->out.address, size, s->out.value);
        if (e->stored)
            e->stored(e->context, p->n, s->out.address, size);
    }
    s->out.value = held;
}

bool pipe_wb_mem(struct pipe *p, struct pipe_slot *s, const struct pipe_env *e, uint64_t now)
{
    if (s->flags & (AF_BARRIER | AF_LOCKED) && !s->out.trap && mem_held(p, s, e, now))
        return true;
    s->published = 1;
    if (s->flags & AF_WMB)
        p->wmb_mark = p->wbuf.entered;
    if (s->flags & AF_FPCR)
        p->cpu.fpcr = s->out.fpcr;
    if (!LIKELY(!s->out.trap))
        return false;
    if ((s->flags & (AF_STORE | AF_LOCKED)) == (AF_STORE | AF_LOCKED))
        mem_store_conditional(p, s, e);
    if (s->flags & AF_FLAG)
        p->cpu.flag = s->out.flag;
    if (s->i.op == ALPHA_OP_WRUNIQ)
        p->cpu.unique = s->out.unique;
    p->cpu.reg[s->i.d] = s->out.value;
    return false;
}

/* ---- WB ---- */

/* Traps after which the program goes on behind the instruction; see alpha_run.h. */
static bool wb_counts(unsigned trap)
{
    return trap == ALPHA_TRAP_CALLSYS || trap == ALPHA_TRAP_BPT || trap == ALPHA_TRAP_BUGCHK ||
           trap == ALPHA_TRAP_GENTRAP || trap == ALPHA_TRAP_ARITH;
}

static void wb_retire(struct pipe *p, const struct pipe_env *e, struct pipe_slot *s, uint64_t now)
{
    p->retired++;
    p->cpu.pc = s->flags & (AF_BRANCH | AF_JUMP) && s->out.taken ? s->out.address : s->pc + 4;
    if (e->retire)
        e->retire(e->retire_context, p, s, now);
    if (e->probe)
        pipe_event(p, e, EV_RETIRE, s, now);
    s->valid = 0;
}

/* The program stops here, with everything before this instruction in memory. */
static enum pipe_wb wb_trap(struct pipe *p, const struct pipe_env *e, struct pipe_slot *s,
                            uint64_t now)
{
    if (p->wbuf.n) {
        pipe_hold(p, s, WAIT_WRITE_BUFFER, OWNER_WBUF, p->wbuf.done);
        return PIPE_WB_HELD;
    }
    p->stopped = true;
    p->cpu.trap = (struct alpha_trap_info){
        .trap = s->out.trap, .pc = s->pc, .address = s->out.address, .detail = s->out.detail};
    if (s->out.trap == ALPHA_TRAP_CALLSYS)
        p->cpu.lock = 0;
    if (wb_counts(s->out.trap)) {
        wb_retire(p, e, s, now);
    } else {
        s->key = wait_key(WAIT_FLUSH, OWNER_NONE);
        p->cpu.pc = s->pc;
    }
    return PIPE_WB_FLUSHED;
}

static bool wb_store(struct pipe *p, const struct pipe_env *e, struct pipe_slot *s, uint64_t now)
{
    const struct pipe_device *d = &e->device;
    unsigned size = p->cost[s->i.op].size;
    if (s->device) {
        if (d->store(d->context, now, s->out.address - d->base, size, s->out.value))
            return true;
        pipe_hold(p,
                  s,
                  WAIT_BACK_PRESSURE,
                  d->owner(d->context, s->out.address - d->base, true),
                  d->wake(d->context, now));
        return false;
    }
    if (wbuf_push(&p->wbuf,
                  now,
                  &(struct wbuf_entry){.address = s->out.address,
                                       .data = s->out.value,
                                       .pc = s->pc,
                                       .size = (uint8_t)size}))
        return true;
    pipe_hold(p, s, WAIT_WRITE_BUFFER, OWNER_WBUF, p->wbuf.done);
    return false;
}

enum pipe_wb pipe_wb(struct pipe *p, struct pipe_slot *s, const struct pipe_env *e, uint64_t now)
{
    if (!LIKELY(!s->out.trap))
        return wb_trap(p, e, s, now);
    if ((s->flags & (AF_STORE | AF_LOCKED)) == AF_STORE && !wb_store(p, e, s, now))
        return PIPE_WB_HELD;
    wb_retire(p, e, s, now);
    return s->flags & AF_PAL ? PIPE_WB_FLUSHED : PIPE_WB_ON;
}
