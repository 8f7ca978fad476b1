/*
 * actor.c - see actor.h.
 *
 * Inaccuracies: a script is not a core. It has no fetch, no pipeline and no load latency: each
 * action takes the one cycle in which the tile sees it, and a condition (`when`) costs nothing.
 */
#include "script/actor.h"

#include <string.h>

#include "script/item_value.h"

static const struct tts_action *current(const struct actor *a, const struct tts_program *p)
{
    return &p->action[p->core[a->core].first + a->pc];
}

/* Goes through .repeat and .end to the next action, or to the end of the script. */
static void settle(struct actor *a, const struct tts_program *p)
{
    while (a->pc < p->core[a->core].n) {
        const struct tts_action *action = current(a, p);
        if (action->kind == ACT_REPEAT) {
            a->left[a->depth++] = action->value;
            a->pc++;
        } else if (action->kind != ACT_END) {
            return;
        } else if (--a->left[a->depth - 1]) {
            a->pc = action->first + 1;
        } else {
            a->depth--;
            a->pc++;
        }
    }
    a->done = true;
}

static void advance(struct actor *a, const struct tts_program *p)
{
    a->pc++;
    settle(a, p);
}

void actor_reset(struct actor *a, unsigned core, const struct tts_program *p)
{
    memset(a, 0, sizeof *a);
    a->core = (uint8_t)core;
    a->cause = WAIT_IDLE;
    a->owner = OWNER_NONE;
    settle(a, p);
}

unsigned actor_tag(const struct actor *a, const struct tts_program *p)
{
    return a->done ? 0 : p->core[a->core].first + a->pc + 1;
}

static void wait_for(struct actor *a, unsigned cause, unsigned owner)
{
    a->cause = (uint8_t)cause;
    a->owner = (uint8_t)owner;
}

/* Whoever can make a condition come true. */
static unsigned item_owner(struct tts_item item)
{
    switch (item.kind) {
    case ITEM_SEM: return OWNER_SEM0 + item.index;
    case ITEM_ISSUED:
    case ITEM_IDLE: return OWNER_T0 + item.thread;
    case ITEM_STREAM: return OWNER_STREAM;
    case ITEM_GPR: return OWNER_SCALAR;
    case ITEM_CONFIG: return OWNER_CONFIG;
    case ITEM_MUTEX: return OWNER_SYNC;
    default: return OWNER_NONE;
    }
}

/* Has the core waited long enough at this guard? */
static bool guard_passes(struct actor *a, const struct tts_action *action, const struct coproc *cp)
{
    switch (action->kind) {
    case ACT_WAIT:
        if (!a->until)
            a->until = cp->now + action->value;
        wait_for(a, WAIT_UNTIL, OWNER_NONE);
        if (cp->now < a->until)
            return false;
        a->until = 0;
        return true;
    case ACT_AT: wait_for(a, WAIT_UNTIL, OWNER_NONE); return cp->now >= action->value;
    default:
        wait_for(a, WAIT_UNTIL, item_owner(action->item));
        return item_value_compare(
            item_value_read(cp, action->item), action->compare, action->value);
    }
}

static bool is_guard(unsigned kind)
{
    return kind == ACT_WAIT || kind == ACT_AT || kind == ACT_WHEN;
}

/* Passes what takes no cycle by itself. False: the core waits there, or its script is over. */
static bool pass_guards(struct actor *a, const struct tts_program *p, const struct coproc *cp)
{
    while (!a->done) {
        const struct tts_action *action = current(a, p);
        if (!is_guard(action->kind))
            return true;
        if (!guard_passes(a, action, cp))
            return false;
        advance(a, p);
    }
    wait_for(a, WAIT_DONE, OWNER_NONE);
    return false;
}

/* A stream register changes at the end of the cycle, so it is written when the cycle is over. */
static bool write_item(struct actor *a, struct coproc *cp, const struct tts_action *action)
{
    const struct tts_item *item = &action->item;
    uint32_t value = (uint32_t)action->value;
    if (item->kind == ITEM_STREAM) {
        a->asked = true;
        return false;
    }
    bool sent = item->kind == ITEM_GPR
                    ? coproc_port_gpr_write(cp, a->core, item->thread, item->index, value)
                    : coproc_port_config_write(cp, a->core, item->thread, item->index, value);
    if (!sent)
        wait_for(a, WAIT_MMIO_BUSY, OWNER_CONFIG);
    return sent;
}

/* Tries the action in cycle now. True if it is over with this cycle. */
static bool perform(struct actor *a, const struct tts_program *p, struct coproc *cp,
                    const struct tts_action *action)
{
    unsigned thread = a->core, tag = actor_tag(a, p);
    switch (action->kind) {
    case ACT_PUSH:
        if (coproc_port_push(cp, thread, p->word + action->first, action->n, tag)) {
            for (unsigned i = 0; i < action->n; i++)
                probe_event(&cp->probe,
                            EV_PUSH,
                            actor_agent(a),
                            tag,
                            p->word[action->first + i],
                            action->n);
            return true;
        }
        wait_for(a, WAIT_QUEUE_FULL, OWNER_T0 + thread);
        return false;
    case ACT_PUSH_B:
        coproc_port_push_b(cp, action->item.thread, p->word[action->first], tag);
        a->asked = true;
        return false;
    case ACT_MOPCFG:
        coproc_port_write_mop_cfg(cp, thread, action->item.index, (uint32_t)action->value);
        return true;
    case ACT_SEMPOST:
    case ACT_SEMGET:
        coproc_port_sem_write(cp, thread, action->item.index, action->kind == ACT_SEMGET);
        a->asked = true;
        return false;
    case ACT_WRITE: return write_item(a, cp, action);
    case ACT_MOP_SYNC:
    case ACT_TENSIX_SYNC:
        if (action->kind == ACT_MOP_SYNC ? coproc_port_mop_idle(cp, thread)
                                         : coproc_thread_idle(cp, thread))
            return true;
        wait_for(a, WAIT_TTSYNC, OWNER_T0 + thread);
        return false;
    default: return false;
    }
}

static void note_core(struct actor *a, struct coproc *cp, unsigned tag,
                      const struct tts_action *action)
{
    if (action->kind != ACT_PUSH && action->kind != ACT_PUSH_B)
        probe_event(
            &cp->probe, EV_CORE, actor_agent(a), tag, (uint32_t)action->value, action->kind);
}

void actor_act(struct actor *a, const struct tts_program *p, struct coproc *cp)
{
    a->asked = false;
    a->tag = 0;
    if (!pass_guards(a, p, cp))
        return;
    const struct tts_action *action = current(a, p);
    unsigned tag = actor_tag(a, p);
    a->tag = (uint16_t)tag;
    if (perform(a, p, cp, action)) {
        wait_for(a, WAIT_PROGRESS, OWNER_NONE);
        note_core(a, cp, tag, action);
        advance(a, p);
    }
}

static bool answered(const struct actor *a, struct coproc *cp, const struct tts_action *action)
{
    switch (action->kind) {
    case ACT_PUSH_B: return coproc_port_push_b_taken(cp, action->item.thread);
    case ACT_WRITE:
        coproc_port_stream_write(
            cp, action->item.thread, action->item.index, (uint32_t)action->value);
        return true;
    default: return coproc_port_sem_taken(cp, a->core);
    }
}

/* The answer to a request that was made in this cycle. */
static void take_answer(struct actor *a, const struct tts_program *p, struct coproc *cp)
{
    const struct tts_action *action = current(a, p);
    unsigned tag = actor_tag(a, p);
    bool to_b = action->kind == ACT_PUSH_B;
    if (!answered(a, cp, action)) {
        wait_for(a,
                 to_b ? WAIT_B_QUEUE_FULL : WAIT_SEM_SLOT,
                 to_b ? OWNER_T0 + action->item.thread : OWNER_SYNC);
        return;
    }
    wait_for(a, WAIT_PROGRESS, OWNER_NONE);
    note_core(a, cp, tag, action);
    advance(a, p);
}

static void note_wait(struct actor *a, const struct tts_program *p, struct coproc *cp)
{
    struct event e = {.kind = EV_CORE_WAIT,
                      .agent = (uint8_t)actor_agent(a),
                      .cause = a->cause,
                      .owner = a->owner,
                      .tag = (uint16_t)actor_tag(a, p)};
    if (probe_wants(&cp->probe, EV_CORE_WAIT))
        probe_send(&cp->probe, &e);
}

bool actor_after(struct actor *a, const struct tts_program *p, struct coproc *cp, uint64_t now)
{
    if (a->asked)
        take_answer(a, p, cp);
    bool acted = a->cause == WAIT_PROGRESS;
    if (wait_ledger_note(&cp->ledger[actor_agent(a)], now, wait_key(a->cause, a->owner))) {
        a->since = now;
        if (!acted && a->cause != WAIT_DONE)
            note_wait(a, p, cp);
    }
    return acted;
}

uint64_t actor_quiet_until(const struct actor *a, const struct tts_program *p)
{
    if (a->done)
        return COPROC_NEVER;
    const struct tts_action *action = current(a, p);
    if (action->kind == ACT_WAIT && a->until)
        return a->until;
    return action->kind == ACT_AT ? action->value : COPROC_NEVER;
}

bool actor_blocks(const struct actor *a, const struct tts_program *p, const struct coproc *cp)
{
    return !a->done && a->cause == WAIT_PROGRESS && current(a, p)->kind == ACT_PUSH &&
           !frontend_can_push(&cp->fe[a->core]);
}

/* A burst changes no semaphore, register or stream and frees no tracking entry; but what changed in
   the last cycle has not been looked at yet. */
uint64_t actor_rests_until(const struct actor *a, const struct tts_program *p,
                           const struct coproc *cp)
{
    if (a->done) /* its end is booked in the coming cycle */
        return 0;
    if (a->cause == WAIT_QUEUE_FULL)
        return frontend_can_push(&cp->fe[a->core]) ? 0 : COPROC_NEVER;
    if (a->cause != WAIT_UNTIL)
        return 0;
    const struct tts_action *action = current(a, p);
    if (action->kind != ACT_WHEN)
        return actor_quiet_until(a, p);
    if (action->item.kind == ITEM_ISSUED || action->item.kind == ITEM_IDLE ||
        item_value_compare(item_value_read(cp, action->item), action->compare, action->value))
        return 0;
    return COPROC_NEVER;
}
