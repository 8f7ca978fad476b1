/*
 * report_held.c - what is held when a run stops: each instruction, its cause, and who would have
 * to clear it.
 *
 * Block: none.
 *
 * **Inaccuracies**: whether somebody "could still post" a semaphore is read off the words that
 * wait in queues and scripts; that they will be reached is not proven.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "isa/tensix.h"
#include "isa/tensix_dis.h"
#include "lib/result.h"

static bool word_changes(uint32_t word, unsigned sem, bool post)
{
    if (word >> 24 != (post ? TENSIX_OP_SEMPOST : TENSIX_OP_SEMGET))
        return false;
    return tensix_SEMPOST_decode(word).sem_sel >> sem & 1;
}

/* Where somebody could still post (get) this semaphore. */
struct changer {
    const char *who; /* NULL: nobody */
    unsigned tag;
};

static bool queue_changes(const struct queue *q, unsigned sem, bool post, unsigned *tag)
{
    for (unsigned i = 0; i < q->n; i++) {
        const struct entry *e = &q->slot[(q->head + i) % QUEUE_MAX];
        if (word_changes(e->word, sem, post)) {
            *tag = e->tag;
            return true;
        }
    }
    return false;
}

static bool expanders_change(const struct frontend *f, unsigned sem, bool post, unsigned *tag)
{
    for (unsigned i = 0; i < MOP_CFG_WORDS; i++)
        if (word_changes(f->mop.cfg[i], sem, post)) {
            *tag = f->mop.parent_tag;
            return true;
        }
    for (unsigned i = 0; i < REPLAY_SLOTS; i++)
        if (word_changes(f->replay.slot[i].word, sem, post)) {
            *tag = f->replay.slot[i].tag;
            return true;
        }
    return false;
}

static bool action_changes(const struct tts_program *p, const struct tts_action *a, unsigned sem,
                           bool post)
{
    if (a->kind == (post ? ACT_SEMPOST : ACT_SEMGET))
        return a->item.index == sem;
    if (a->kind != ACT_PUSH && a->kind != ACT_PUSH_B)
        return false;
    for (unsigned i = 0; i < a->n; i++)
        if (word_changes(p->word[a->first + i], sem, post))
            return true;
    return false;
}

/* The first action that can still be reached: inside a .repeat, its first. */
static uint32_t first_open(const struct tts_program *p, const struct actor *a)
{
    const struct tts_action *action = p->action + p->core[a->core].first;
    for (uint32_t i = 0; i < a->pc; i++) {
        if (action[i].kind != ACT_REPEAT)
            continue;
        if (action[i].first >= a->pc)
            return i;
        i = action[i].first;
    }
    return a->pc;
}

static struct changer find_changer(const struct run *r, unsigned sem, bool post)
{
    struct changer c = {NULL, 0};
    for (unsigned i = 0; i < COPROC_THREADS; i++) {
        const struct frontend *f = &r->coproc.fe[i];
        if (frontend_empty(f))
            continue;
        if (queue_changes(&f->q3, sem, post, &c.tag) || queue_changes(&f->q2, sem, post, &c.tag) ||
            queue_changes(&f->q1, sem, post, &c.tag) || expanders_change(f, sem, post, &c.tag)) {
            c.who = owner_names[i];
            return c;
        }
    }
    for (unsigned i = 0; i < TTS_CORES; i++) {
        const struct actor *a = &r->actor[i];
        const struct tts_core *core = &r->program->core[i];
        for (uint32_t k = a->done ? core->n : first_open(r->program, a); k < core->n; k++)
            if (action_changes(r->program, &r->program->action[core->first + k], sem, post)) {
                c.who = owner_names[actor_agent(a)];
                c.tag = core->first + k + 1;
                return c;
            }
    }
    return c;
}

/* What stands in the way of a semaphore wait, and who could remove it. */
static void held_semaphore(const struct text_sink *o, const struct run *r, unsigned sem, bool post)
{
    const struct sync_semaphore *s = &r->coproc.sync.sem[sem];
    text_sink_print(o,
                    ", waits for semaphore %u (%s) to be %s",
                    sem,
                    tts_sem_names[sem],
                    post ? "> 0" : "below its Max");
    if (!post)
        text_sink_print(o, " of %u", s->max);
    text_sink_print(o, "; it is %u, ", s->value);
    if (s->last_by == OWNER_NONE)
        text_sink_print(o, "never changed");
    else
        text_sink_print(
            o, "last changed by %s in cycle %" PRIu64, owner_names[s->last_by], s->last_at);
    struct changer c = find_changer(r, sem, post);
    if (c.who)
        text_sink_print(o,
                        "; only %s line %u would %s it, and that is held too",
                        c.who,
                        tts_line(r->program, c.tag),
                        post ? "post" : "get");
    else
        text_sink_print(o, "; nobody left can %s it", post ? "post" : "get");
}

static void held_thread(const struct text_sink *o, const struct run *r, unsigned thread)
{
    struct wait_record w;
    if (!coproc_thread_wait(&r->coproc, thread, &w))
        return;
    char text[128];
    const struct gate *g = &r->coproc.gate[thread];
    tensix_dis_text(w.word, 0, text, sizeof text);
    text_sink_print(o,
                    "  T%u line %u %s: held since cycle %" PRIu64,
                    thread,
                    tts_line(r->program, w.tag),
                    text,
                    r->stand[thread].since);
    if (g->latched && w.cause >= WAIT_C0_THCON && w.cause <= WAIT_RELEASE_LAG) {
        tensix_dis_text(g->word, 0, text, sizeof text);
        text_sink_print(o, " by %s of line %u", text, tts_line(r->program, g->tag));
    }
    if ((w.cause == WAIT_SEM_ZERO || w.cause == WAIT_SEM_MAX) && w.owner >= OWNER_SEM0 &&
        w.owner <= OWNER_SEM7)
        held_semaphore(o, r, w.owner - OWNER_SEM0, w.cause == WAIT_SEM_ZERO);
    else
        text_sink_print(o,
                        ", %s: %s; owner: %s",
                        wait_table[w.cause].name,
                        wait_table[w.cause].text,
                        owner_names[w.owner]);
    text_sink_print(o, "\n");
}

static void held_core(const struct text_sink *o, const struct run *r, const struct actor *a)
{
    char text[128];
    unsigned tag = actor_tag(a, r->program);
    if (!tag || a->cause <= WAIT_DONE)
        return;
    text_sink_print(o,
                    "  %s line %u %s: waits since cycle %" PRIu64 ", %s: %s",
                    owner_names[actor_agent(a)],
                    tts_line(r->program, tag),
                    trace_text_action(r->program, tag, text, sizeof text),
                    a->since,
                    wait_table[a->cause].name,
                    wait_table[a->cause].text);
    if (a->owner != OWNER_NONE)
        text_sink_print(o, "; owner: %s", owner_names[a->owner]);
    text_sink_print(o, "\n");
}

static void held_unit(const struct text_sink *o, const struct run *r, unsigned agent)
{
    const struct run_stand *s = &r->stand[agent];
    unsigned cause = s->key >> 8, owner = s->key & 0xff;
    if (cause > WAIT_DONE)
        text_sink_print(o,
                        "  %s: since cycle %" PRIu64 ", %s: %s; owner: %s\n",
                        owner_names[agent],
                        s->since,
                        wait_table[cause].name,
                        wait_table[cause].text,
                        owner_names[owner]);
}

void waitgate_report_held(const waitgate_result *result, waitgate_write *write, void *context)
{
    if (!result || !write)
        return;
    const struct text_sink out = {write, context}, *o = &out;
    const struct run *r = &result->run;
    if (r->end == RUN_END_DONE)
        return;
    if (r->end == RUN_END_DEADLOCK)
        text_sink_print(o,
                        "%s: deadlock in cycle %" PRIu64 ": nothing moves and nothing can change\n",
                        r->program->name,
                        r->end_cycle);
    else
        text_sink_print(o, "%s: held in cycle %" PRIu64 ":\n", r->program->name, r->end_cycle);
    for (unsigned i = 0; i < COPROC_THREADS; i++)
        held_thread(o, r, i);
    for (unsigned i = 0; i < TTS_CORES; i++)
        held_core(o, r, &r->actor[i]);
    for (unsigned i = OWNER_SYNC; i < N_AGENTS; i++)
        held_unit(o, r, i);
}
