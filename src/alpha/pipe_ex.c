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
static enum wbuf_found ex_find(struct pipe *p, uint64_t address, unsigned size, uint64_t *value)
{
    const struct pipe_slot *m = pipe_at(p, PIPE_MEM);
    if (m->valid && (m->flags & (AF_STORE | AF_LOCKED)) == AF_STORE && !m->out.trap && !m->device) {
        struct wbuf_entry w = {
            .address = m->out.address, .data = m->out.value, .size = alpha_ops[m->i.op].size};
        enum wbuf_found f = wbuf_match(&w, address, size, value);
        if (f != WBUF_NONE)
            return f;
    }
    return p->wbuf.n ? wbuf_find(&p->wbuf, address, size, value) : WBUF_NONE;
}

/* Devices are touched when nothing older can trap or store any more. */
static bool ex_device_held(struct pipe *p, struct pipe_slot *s, const struct pipe_env *e,
                           bool store, uint64_t now)
{
    const struct pipe_device *d = &e->device;
    const struct pipe_slot *m = pipe_at(p, PIPE_MEM);
    uint64_t offset = s->out.address - d->base;
    if (m->valid && (m->flags & (AF_STORE | AF_PAL) || m->out.trap))
        return pipe_hold(p,
                         s,
                         WAIT_BACK_PRESSURE,
                         d->owner(d->context, offset, store),
                         e->set->frozen ? PIPE_NEVER : now + 1);
    if (!d->ready(d->context, now, offset, alpha_ops[s->i.op].size, store))
        return pipe_hold(p,
                         s,
                         WAIT_BACK_PRESSURE,
                         d->owner(d->context, offset, store),
                         d->wake(d->context, now));
    return false;
}

static bool ex_load(struct pipe *p, struct pipe_slot *s, const struct pipe_env *e, uint64_t now)
{
    unsigned size = alpha_ops[s->i.op].size;
    uint64_t raw = 0, address = s->out.address;
    if (s->i.d == ALPHA_SINK && !(s->flags & AF_LOCKED))
        return false; /* a prefetch */
    if (!LIKELY(!ex_is_device(e, address))) {
        if (ex_device_held(p, s, e, false, now))
            return true;
        raw = e->device.load(e->device.context, now, address - e->device.base, size);
    } else {
        enum wbuf_found f = ex_find(p, address, size, &raw);
        if (f == WBUF_PARTLY)
            return pipe_hold(p, s, WAIT_OVERLAP, OWNER_WBUF, now + 1);
        if (f == WBUF_NONE) {
            enum alpha_trap t = alpha_mem_read(e->mem, address, size, &raw);
            if (t) {
                s->out.trap = (uint8_t)t;
                return false;
            }
        }
    }
    if (s->flags & AF_LOCKED)
        alpha_lock_set(&p->cpu, address);
    s->out.value = alpha_load_value(s->i.op, raw);
    return false;
}

static bool ex_store(struct pipe *p, struct pipe_slot *s, const struct pipe_env *e, uint64_t now)
{
    if (!LIKELY(!ex_is_device(e, s->out.address))) {
        s->device = 1;
        return ex_device_held(p, s, e, true, now);
    }
    s->out.trap = (uint8_t)alpha_mem_may_write(e->mem, s->out.address, alpha_ops[s->i.op].size);
    return false;
}

static bool ex_memory(struct pipe *p, struct pipe_slot *s, const struct pipe_env *e, uint64_t now)
{
    if (alpha_misaligned(s->i.op, s->out.address)) {
        s->out.trap = ALPHA_TRAP_UNALIGNED;
        return false;
    }
    return s->flags & AF_LOAD ? ex_load(p, s, e, now) : ex_store(p, s, e, now);
}

/* ---- the rest ---- */

/* When the result is there, and who makes those wait that want it. */
static void ex_result(struct pipe *p, struct pipe_slot *s, const struct pipe_settings *set,
                      uint64_t now)
{
    const struct alpha_op_info *op = &alpha_ops[s->i.op];
    uint64_t cycles = set->insn[op->latency];
    s->free = now;
    if (op->box == ALPHA_BOX_F && !set->fp_pipelined)
        s->free = now + cycles - 1;
    else if (op->box == ALPHA_BOX_F && s->flags & AF_TRAP && p->fbox < now + cycles)
        p->fbox = now + cycles;
    p->ready[s->i.d] = now + cycles;
    p->ready_key[s->i.d] = op->box == ALPHA_BOX_M   ? ledger_key(WAIT_LOAD, OWNER_PIPELINE)
                           : op->box == ALPHA_BOX_F ? ledger_key(WAIT_OPERAND, OWNER_FBOX)
                                                    : ledger_key(WAIT_OPERAND, OWNER_PIPELINE);
}

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

/* False: it has to wait. */
static bool ex_execute(struct pipe *p, struct pipe_slot *s, const struct pipe_env *e, uint64_t now)
{
    const struct alpha_insn *i = &s->i;
    unsigned late = i->a;
    late = p->ready[i->b] > p->ready[late] ? i->b : late;
    late = p->ready[i->c] > p->ready[late] ? i->c : late;
    if (p->ready[late] > now)
        return !pipe_hold(p, s, p->ready_key[late] >> 8, p->ready_key[late] & 0xff, p->ready[late]);
    struct alpha_in in = {.pc = s->pc,
                          .fpcr = p->cpu.fpcr,
                          .unique = p->cpu.unique,
                          .counter = now,
                          .flag = p->cpu.flag};
    alpha_compute(
        i, p->cpu.reg[i->a], alpha_operand_b(i, p->cpu.reg), p->cpu.reg[i->c], &in, &s->out);
    if (s->flags & (AF_LOAD | AF_STORE) && !s->out.trap && ex_memory(p, s, e, now))
        return false;
    ex_result(p, s, e->set, now);
    s->executed = 1;
    if (s->flags & (AF_BRANCH | AF_JUMP))
        ex_branch(p, s);
    return true;
}

bool pipe_ex(struct pipe *p, const struct pipe_env *e, uint64_t now)
{
    struct pipe_slot *s = pipe_at(p, PIPE_EX);
    if (!s->valid || (!s->executed && !ex_execute(p, s, e, now)))
        return s->valid;
    if (!LIKELY(s->free <= now))
        return pipe_hold(p, s, WAIT_FP_BUSY, OWNER_FBOX, s->free);
    return false;
}
