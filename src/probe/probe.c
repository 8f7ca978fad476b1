/*
 * probe.c - tables of events and diagnostics, and their bookkeeping.
 *
 * Inaccuracies: a diagnostic that repeats at the same source position with the same id is counted
 * but kept only once, and no more than DIAG_KEEP are kept.
 */
#include "probe/probe.h"

#include <stdio.h>
#include <string.h>

#include "base/hot.h"

const struct diag_info diag_table[N_DIAGS] = {
#define DIAG(id, category, text) {#id, text, DIAG_##category},
#include "probe/diag.def"
};

const char *const diag_category_names[N_DIAG_CATEGORIES] = {
    [DIAG_UNDEFINED] = "undefined",
    [DIAG_CONTRACT] = "contract",
    [DIAG_HAZARD] = "hazard",
    [DIAG_UNMODELLED] = "unmodelled",
    [DIAG_NOTE] = "note",
};

const char *const probe_event_names[N_EVENTS] = {
#define EVENT(id, name) name,
#include "probe/probe.def"
};

/* One conversion of a text; returns its length, which is less than TEXT_ROOM. */
#define TEXT_ROOM 32
static int probe_text_arg(char kind, uint32_t arg, char *buf, size_t n)
{
    int32_t margin = (int32_t)arg >> 8;
    uint32_t cycles = margin < 0 ? -(uint32_t)margin : (uint32_t)margin;
    switch (kind) {
    case 'x': return snprintf(buf, n, "%x", arg);
    case 'r': return snprintf(buf, n, "%u", arg & 0xff);
    case 'm':
        if (margin == PROBE_MARGIN_OPEN)
            return snprintf(buf, n, "nobody knows how many cycles");
        return snprintf(buf, n, "%u cycle%s", cycles, &"s"[cycles == 1]);
    default: return snprintf(buf, n, "%u", arg);
    }
}

const char *probe_diag_text(const struct diag *d, char *buf, size_t n)
{
    size_t at = 0;
    for (const char *s = diag_table[d->id].text; *s && at + TEXT_ROOM < n; s++) {
        if (s[0] == '%' && s[1] && strchr("uxrm", s[1])) {
            at += (size_t)probe_text_arg(s[1], d->arg, buf + at, n - at);
            s++;
        } else {
            buf[at++] = *s;
        }
    }
    buf[at] = '\0';
    return buf;
}

void probe_reset(struct probe *p)
{
    p->stop = false;
    p->now = 0;
    p->n_diags = 0;
    memset(p->count, 0, sizeof p->count);
}

void probe_send(struct probe *p, const struct event *e)
{
    if (!p->sink)
        return;
    struct event stamped = *e;
    stamped.cycle = p->now;
    p->sink(p->ctx, &stamped);
}

COLD void probe_tell(struct probe *p, enum probe_event kind, unsigned agent, unsigned tag,
                     uint32_t word, uint32_t arg)
{
    struct event e = {.kind = (uint8_t)kind,
                      .agent = (uint8_t)agent,
                      .tag = (uint16_t)tag,
                      .word = word,
                      .arg = arg};
    probe_send(p, &e);
}

static bool probe_same(const struct probe *p, uint32_t i, enum diag_id id, unsigned agent,
                       unsigned tag)
{
    const struct diag *d = &p->diag[i];
    return i < p->n_diags && d->id == id && d->agent == agent && d->tag == tag;
}

/* Keeps and tells it, unless there is one like it. */
HOT_APART static void probe_keep(struct probe *p, struct diag d, uint8_t *seen)
{
    for (uint32_t i = 0; i < p->n_diags; i++)
        if (probe_same(p, i, d.id, d.agent, d.tag)) {
            *seen = (uint8_t)i;
            return;
        }
    if (p->n_diags < DIAG_KEEP)
        p->diag[p->n_diags++] = d;
    probe_event(p, EV_DIAG, d.agent, d.tag, d.word, d.id);
}

_Static_assert(DIAG_KEEP <= UINT8_MAX + 1, "seen[]");

/* Most that come again are found where seen[] says, which is only a hint. */
void probe_diag(struct probe *p, enum diag_id id, unsigned agent, unsigned tag, uint32_t word,
                uint32_t arg)
{
    uint8_t policy = p->policy[diag_table[id].category];
    uint8_t *seen = &p->seen[(id * 5 + agent * 3 + tag) % DIAG_SEEN];
    if (policy == DIAG_POLICY_IGNORE)
        return;
    p->count[id]++;
    if (policy == DIAG_POLICY_STOP)
        p->stop = true;
    if (!LIKELY(probe_same(p, *seen, id, agent, tag)))
        probe_keep(p,
                   (struct diag){.cycle = p->now,
                                 .id = (uint8_t)id,
                                 .agent = (uint8_t)agent,
                                 .tag = (uint16_t)tag,
                                 .word = word,
                                 .arg = arg},
                   seen);
}
