/*
 * pipe_ex.c - stage EX: operands, arithmetic, loads, branch decisions.
 *
 * Blocks: EBox, FBox, MBox. What instructions compute is alpha_exec.c's.
 *
 * A load finds the youngest store to its bytes: in MEM, in the write buffer (what is in WB has entered it in this
 * tick), then in memory. If that store has only some of the bytes, the load waits until it is in memory.
 *
 * Invariant: an instruction is executed once; until then it changes nothing and can be asked again.
 *
 * **Inaccuracies**: a division does not keep the next one out of a pipelined FBox. Every load hits.
 */
#include "alpha/pipe_in.h"

#include "base/hot.h"

/* ---- memory ---- */

static bool ex_is_device(const struct pipe_env *e, uint64_t address)
{
    return address - e->device.base < e->device.size;
}

/* A store in MEM, not an STx_C, which is over: is it in the way of this load? */
static enum wbuf_found ex_find(struct pipe *p, uint64_t address, unsigned size, uint64_t *value,
                               bool *in_mem)
{
    const struct pipe_slot *m = p->at[PIPE_MEM];
    *in_mem = true;
    if (m->valid && (m->flags & (AF_STORE | AF_LOCKED)) == AF_STORE && !m->out.trap && !m->device) {
        struct wbuf_entry w = {
            .address = m->out.address, .data = m->out.value, .size = p->cost[m->i.op].size};
        enum wbuf_found f = wbuf_match(&w, address, size, value);
        if (f != WBUF_NONE)
            return f;
    }
    *in_mem = false;
    return p->wbuf.n ? wbuf_find(&p->wbuf, address, size, value) : WBUF_NONE;
}

/* An older instruction in MEM has to get on; in a frozen ring it never does. */
static uint64_t ex_wake_behind_mem(const struct pipe_env *e, uint64_t now)
{
    return e->set->frozen ? PIPE_NEVER : now + 1;
}

/* Devices are touched when nothing older can trap or store any more. */
static bool ex_device_held(struct pipe *p, struct pipe_slot *s, const struct pipe_env *e,
                           bool store, uint64_t now)
{
    const struct pipe_device *d = &e->device;
    const struct pipe_slot *m = p->at[PIPE_MEM];
    uint64_t offset = s->out.address - d->base;
    if (m->valid && (m->flags & (AF_STORE | AF_PAL) || m->out.trap))
        return pipe_hold(p,
                         s,
                         WAIT_BACK_PRESSURE,
                         d->owner(d->context, offset, store),
                         ex_wake_behind_mem(e, now));
    if (store && p->wbuf.entered - p->wbuf.n < p->wmb_mark) /* a WMB that was a mere marker */
        return pipe_hold(p, s, WAIT_WMB, OWNER_WBUF, p->wbuf.done);
    if (!d->ready(d->context, now, offset, p->cost[s->i.op].size, store))
        return pipe_hold(p,
                         s,
                         WAIT_BACK_PRESSURE,
                         d->owner(d->context, offset, store),
                         d->wake(d->context, now));
    return false;
}

/* alpha_mem_load() wants to know the size. */
static enum alpha_trap ex_read(struct alpha_mem *m, uint64_t address, unsigned size,
                               uint64_t *value)
{
    switch (size) {
    case 8: return alpha_mem_load(m, address, 8, value);
    case 4: return alpha_mem_load(m, address, 4, value);
    case 2: return alpha_mem_load(m, address, 2, value);
    default: return alpha_mem_load(m, address, 1, value);
    }
}

static bool ex_load(struct pipe *p, struct pipe_slot *s, const struct pipe_env *e, uint64_t now)
{
    unsigned size = p->cost[s->i.op].size;
    uint64_t raw = 0, address = s->out.address;
    if (s->i.d == ALPHA_SINK && !(s->flags & AF_LOCKED))
        return false; /* a prefetch */
    if (!LIKELY(!ex_is_device(e, address))) {
        if (ex_device_held(p, s, e, false, now))
            return true;
        raw = e->device.load(e->device.context, now, address - e->device.base, size);
    } else {
        bool in_mem;
        enum wbuf_found f = ex_find(p, address, size, &raw, &in_mem);
        if (f == WBUF_PARTLY)
            return pipe_hold(p,
                             s,
                             WAIT_OVERLAP,
                             in_mem && e->set->frozen ? OWNER_PIPELINE : OWNER_WBUF,
                             in_mem ? ex_wake_behind_mem(e, now) : now + 1);
        if (f == WBUF_NONE) {
            enum alpha_trap t = ex_read(e->mem, address, size, &raw);
            if (t) {
                s->out.trap = (uint8_t)t;
                return false;
            }
        }
    }
    if (s->flags & AF_LOCKED)
        alpha_state_lock_set(&p->cpu, address);
    s->out.value = alpha_exec_load_value(s->i.op, raw);
    return false;
}

static bool ex_store(struct pipe *p, struct pipe_slot *s, const struct pipe_env *e, uint64_t now)
{
    if (!LIKELY(!ex_is_device(e, s->out.address))) {
        s->device = 1;
        return ex_device_held(p, s, e, true, now);
    }
    if (!LIKELY(alpha_mem_stores(e->mem, s->out.address, p->cost[s->i.op].size)))
        s->out.trap = (uint8_t)alpha_mem_may_write(e->mem, s->out.address, p->cost[s->i.op].size);
    return false;
}

static bool ex_memory(struct pipe *p, struct pipe_slot *s, const struct pipe_env *e, uint64_t now)
{
    if (alpha_exec_misaligned(s->i.op, s->out.address)) {
        s->out.trap = ALPHA_TRAP_UNALIGNED;
        return false;
    }
    return s->flags & AF_LOAD ? ex_load(p, s, e, now) : ex_store(p, s, e, now);
}

/* ---- the rest ---- */

/* Where to go on; what was fetched behind a wrong guess is dropped. */
static void ex_branch(struct pipe *p, const struct pipe_slot *s)
{
    uint64_t next = s->out.taken ? s->out.address : s->pc + 4;
    predict_train(&p->predict, s->pc, s->flags & AF_JUMP, s->out.taken, next);
    if (LIKELY(next == s->predicted))
        return;
    p->mispredicts++;
    pipe_kill(p, PIPE_EX, WAIT_MISPREDICT, s->pc);
    p->fetch_pc = next;
    p->fresh = false;
}

bool pipe_ex_execute(struct pipe *p, struct pipe_slot *s, const struct pipe_env *e, uint64_t now)
{
    const struct alpha_insn *i = &s->i;
    const struct pipe_cost *cost = &p->cost[i->op];
    unsigned late = i->a;
    late = p->ready[i->b] > p->ready[late] ? i->b : late;
    late = p->ready[i->c] > p->ready[late] ? i->c : late;
    if (!LIKELY(p->ready[late] <= now))
        return !pipe_hold(p, s, p->ready_key[late] >> 8, p->ready_key[late] & 0xff, p->ready[late]);
    struct alpha_in in = {.pc = s->pc,
                          .fpcr = p->cpu.fpcr,
                          .unique = p->cpu.unique,
                          .counter = now,
                          .flag = p->cpu.flag};
    alpha_exec_compute(
        i, p->cpu.reg[i->a], alpha_exec_operand_b(i, p->cpu.reg), p->cpu.reg[i->c], &in, &s->out);
    if (s->flags & (AF_LOAD | AF_STORE) && !s->out.trap && ex_memory(p, s, e, now))
        return false;
    s->odd |= s->out.trap != ALPHA_TRAP_NONE;
    s->executed = 1;
    s->free = now + cost->busy - 1;
    p->ready[i->d] = now + cost->ready;
    p->ready_key[i->d] = cost->key;
    if (cost->fbox && p->fbox < now + cost->fbox)
        p->fbox = now + cost->fbox;
    if (s->flags & (AF_BRANCH | AF_JUMP))
        ex_branch(p, s);
    return true;
}
