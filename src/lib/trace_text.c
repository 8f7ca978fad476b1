/*
 * trace_text.c - events as text, one line each. The format is described in docs/trace-format.md.
 *
 * Block: none.
 *
 * **Inaccuracies**: none.
 */
#include <stdio.h>
#include <string.h>

#include "isa/tensix_dis.h"
#include "lib/result.h"

const char *trace_text_source(const struct tts_program *p, unsigned tag, char *buf, size_t n)
{
    uint32_t line = tts_line(p, tag);
    if (line)
        snprintf(buf, n, "%s:%u", p->name, line);
    else if (n)
        buf[0] = '\0';
    return buf;
}

static void when_text(const struct tts_action *a, char *buf, size_t n)
{
    char item[64], value[64];
    if (a->item.kind == ITEM_IDLE)
        snprintf(buf, n, "when idle T%u", a->item.thread);
    else
        snprintf(buf,
                 n,
                 "when %s %s %s",
                 tts_item_text(a->item, item, sizeof item),
                 tts_compare_names[a->compare],
                 tts_item_value_text(a->item, a->value, value, sizeof value));
}

const char *trace_text_action(const struct tts_program *p, unsigned tag, char *buf, size_t n)
{
    char item[64], value[96];
    if (!tag || tag > p->n_actions) {
        snprintf(buf, n, "-");
        return buf;
    }
    const struct tts_action *a = &p->action[tag - 1];
    const char *name = tts_action_names[a->kind];
    switch (a->kind) {
    case ACT_PUSH: tensix_dis_text(p->word[a->first], 0, buf, n); break;
    case ACT_PUSH_B:
        tensix_dis_text(p->word[a->first], 0, value, sizeof value);
        snprintf(buf, n, "push T%u: %s", a->item.thread, value);
        break;
    case ACT_SEMPOST:
    case ACT_SEMGET: snprintf(buf, n, "%s %s", name, tts_sem_names[a->item.index]); break;
    case ACT_MOPCFG:
        tensix_dis_text((uint32_t)a->value, 0, value, sizeof value);
        snprintf(buf, n, "mopcfg %u = %s", a->item.index, value);
        break;
    case ACT_WRITE:
        snprintf(buf,
                 n,
                 "%s = 0x%llx",
                 tts_item_text(a->item, item, sizeof item),
                 (unsigned long long)a->value);
        break;
    case ACT_WHEN: when_text(a, buf, n); break;
    case ACT_WAIT:
    case ACT_AT: snprintf(buf, n, "%s %llu", name, (unsigned long long)a->value); break;
    default: snprintf(buf, n, "%s", name); break;
    }
    return buf;
}

static void cause_text(const struct event *e, char *buf, size_t n)
{
    snprintf(buf, n, "%s owner=%s", wait_table[e->cause].name, owner_names[e->owner]);
}

static void value_detail(const struct event *e, char *buf, size_t n)
{
    unsigned hi = e->arg >> 8, lo = e->arg & 0xff;
    switch (e->kind) {
    case EV_SEM: snprintf(buf, n, "semaphore %u (%s) = %u", hi, tts_sem_names[hi & 7], lo); break;
    case EV_MUTEX:
        if (lo)
            snprintf(buf, n, "mutex %u = T%u", hi, lo - 1);
        else
            snprintf(buf, n, "mutex %u = free", hi);
        break;
    case EV_BANK:
        snprintf(buf,
                 n,
                 "Src%c bank %u to %s",
                 "AB"[hi & 1],
                 lo >> 4,
                 lo & 1 ? "Matrix Unit" : "unpackers");
        break;
    case EV_CONFIG:
        snprintf(buf, n, "config %u %u = 0x%x", e->arg >> 16, e->arg & 0xffff, e->word);
        break;
    default: snprintf(buf, n, "gpr %u = 0x%x", e->arg, e->word); break;
    }
}

static void plain_detail(const struct event *e, char *buf, size_t n)
{
    switch (e->kind) {
    case EV_PUSH:
        if (e->arg > 1)
            snprintf(buf, n, "bundle of %u", e->arg);
        break;
    case EV_PUSH_B: snprintf(buf, n, "to T%u", e->arg); break;
    case EV_REPLAY: snprintf(buf, n, "count %u", e->arg); break;
    case EV_RECORDED: snprintf(buf, n, "slot %u", e->arg); break;
    case EV_LATCH: snprintf(buf, n, "block 0x%x", e->arg); break;
    case EV_UNLATCH: snprintf(buf, n, "after %u", e->arg); break;
    case EV_DIAG: snprintf(buf, n, "%s", diag_table[e->arg].id); break;
    case EV_HOLD:
    case EV_UNIT_WAIT:
    case EV_CORE_WAIT: cause_text(e, buf, n); break;
    default: break;
    }
}

void trace_text_words(const struct event *e, struct trace_words *w)
{
    w->what[0] = w->detail[0] = '\0';
    switch (e->kind) {
    case EV_SEM:
    case EV_MUTEX:
    case EV_BANK:
    case EV_CONFIG:
    case EV_GPR: value_detail(e, w->what, sizeof w->what); break;
    case EV_CORE:
    case EV_CORE_WAIT: plain_detail(e, w->detail, sizeof w->detail); break;
    default:
        if (e->kind != EV_DIAG || e->word || e->tag) /* not all of them have an instruction */
            tensix_dis_text(e->word, 0, w->what, sizeof w->what);
        plain_detail(e, w->detail, sizeof w->detail);
        break;
    }
}

void trace_text_line(const struct text_sink *o, const struct event *e, const struct trace_words *w,
                     const char *where)
{
    char line[768];
    int n = snprintf(line,
                     sizeof line,
                     "%10llu  %-11s  %-9s  %-34s  %-30s  %s",
                     (unsigned long long)e->cycle,
                     owner_names[e->agent],
                     probe_event_names[e->kind],
                     w->what,
                     w->detail,
                     where);
    size_t length = n < 0 ? 0 : (size_t)n < sizeof line ? (size_t)n : sizeof line - 1;
    while (length && line[length - 1] == ' ')
        length--;
    line[length < sizeof line - 1 ? length++ : length - 1] = '\n';
    o->write(o->context, line, length);
}

void trace_text(struct text_sink *o, const struct tts_program *p, const struct event *e)
{
    struct trace_words w;
    char where[160];
    trace_text_words(e, &w);
    if (e->kind == EV_CORE || e->kind == EV_CORE_WAIT)
        trace_text_action(p, e->tag, w.what, sizeof w.what);
    trace_text_source(p, e->tag, where, sizeof where);
    trace_text_line(o, e, &w, where);
}
