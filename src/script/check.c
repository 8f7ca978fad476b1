/*
 * check.c - see check.h.
 */
#include "script/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/tensix_dis.h"
#include "script/data_value.h"
#include "script/item_value.h"
#include "script/run.h"

bool check_init(struct check *c, const struct tts_program *p)
{
    memset(c, 0, sizeof *c);
    c->program = p;
    c->state = calloc(p->n_expects + 1, sizeof *c->state);
    return c->state;
}

void check_free(struct check *c)
{
    free(c->state);
    c->state = NULL;
}

/* ---- while it runs ---- */

static bool owner_fits(const struct tts_expect *e, unsigned owner)
{
    return e->owner == N_OWNERS || e->owner == owner;
}

static void close_hold(struct check *c, unsigned thread, uint64_t now)
{
    struct check_hold *h = &c->hold[thread];
    if (!h->open)
        return;
    h->open = false;
    for (uint32_t i = 0; i < c->program->n_expects; i++) {
        const struct tts_expect *e = &c->program->expect[i];
        if (e->kind == EXPECT_HELD && e->tag == h->tag && e->cause == h->cause &&
            owner_fits(e, h->owner))
            c->state[i].value += now - h->since;
    }
}

static void follow_go(const struct tts_program *p, const struct tts_expect *e,
                      struct check_state *s, const struct event *go)
{
    switch (e->kind) {
    case EXPECT_GO_ALL:
        if (e->agent != go->agent)
            return;
        if (!s->differs && s->seen < e->n && p->list[e->first + s->seen] != go->cycle) {
            s->differs = true;
            s->where = s->seen;
            s->value = go->cycle;
        }
        s->seen++;
        return;
    case EXPECT_GO_WORD:
        if (e->agent == go->agent && e->value == go->cycle) {
            s->seen = 1;
            s->value = go->word;
        }
        return;
    case EXPECT_LABEL:
        if (e->tag == go->tag && ++s->seen == e->n)
            s->value = go->cycle;
        return;
    default: return;
    }
}

void check_event(struct check *c, const struct event *e)
{
    if ((e->kind != EV_GO && e->kind != EV_HOLD) || e->agent > OWNER_T2)
        return;
    close_hold(c, e->agent, e->cycle);
    if (e->kind == EV_HOLD) {
        c->hold[e->agent] = (struct check_hold){
            .open = true, .cause = e->cause, .owner = e->owner, .tag = e->tag, .since = e->cycle};
        return;
    }
    for (uint32_t i = 0; i < c->program->n_expects; i++)
        follow_go(c->program, &c->program->expect[i], &c->state[i], e);
}

/* ---- when it is over ---- */

bool check_expects(const struct tts_program *p, unsigned kind)
{
    for (uint32_t i = 0; i < p->n_expects; i++)
        if (p->expect[i].kind == kind)
            return true;
    return false;
}

static uint64_t waited(const struct run *r, const struct tts_expect *e)
{
    const struct ledger *l = &r->coproc.ledger[e->agent];
    if (e->owner == N_OWNERS)
        return l->cycles[e->cause];
    for (unsigned i = 0; i < l->n_pairs; i++)
        if (l->pair[i].cause == e->cause && l->pair[i].owner == e->owner)
            return l->pair[i].cycles;
    return 0;
}

/* Compares all cells; notes how many differ, and the first that does. */
static bool data_holds(const struct check *c, const struct run *r, const struct tts_data *d,
                       struct check_state *s)
{
    for (uint32_t i = 0; i < data_value_cells(d); i++) {
        uint32_t got = data_value_read(&r->coproc, d, i);
        if (got == data_value_written(c->program, d, i))
            continue;
        if (!s->seen++) {
            s->where = i;
            s->value = got;
        }
    }
    return !s->seen;
}

static bool holds(const struct check *c, const struct run *r, uint32_t i)
{
    const struct tts_expect *e = &c->program->expect[i];
    struct check_state *s = &c->state[i];
    switch (e->kind) {
    case EXPECT_CYCLES: s->value = r->cycles; return s->value == e->value;
    case EXPECT_STATE:
        s->value = item_value_read(&r->coproc, e->item);
        return s->value == e->value &&
               (!e->has_max || item_value_sem_max(&r->coproc, e->item.index) == e->max);
    case EXPECT_DATA: return data_holds(c, r, &e->data, s);
    case EXPECT_WAITED: s->value = waited(r, e); return s->value == e->value;
    case EXPECT_GO_ALL: return !s->differs && s->seen == e->n;
    case EXPECT_GO_WORD: return s->seen && s->value == e->word;
    case EXPECT_LABEL: return s->seen >= e->n && s->value == e->value;
    case EXPECT_HELD: return s->value == e->value;
    case EXPECT_DIAG:
        s->value = r->coproc.probe.count[e->diag];
        return e->has_count ? s->value == e->count : s->value > 0;
    case EXPECT_DEADLOCK:
        return r->end == RUN_END_DEADLOCK && (e->value == TTS_NO_CYCLE || e->value == r->end_cycle);
    case EXPECT_MAX_CYCLES: return r->end == RUN_END_MAX;
    default: return false;
    }
}

static bool unexpected(const struct check *c, const struct diag *d)
{
    unsigned category = diag_table[d->id].category;
    if (category != DIAG_UNDEFINED && category != DIAG_CONTRACT && category != DIAG_HAZARD)
        return false;
    for (uint32_t i = 0; i < c->program->n_expects; i++)
        if (c->program->expect[i].kind == EXPECT_DIAG && c->program->expect[i].diag == d->id)
            return false;
    return true;
}

void check_judge(struct check *c, const struct run *r)
{
    for (unsigned i = 0; i < 3; i++)
        close_hold(c, i, r->cycles);
    for (uint32_t i = 0; i < c->program->n_expects; i++)
        if (!holds(c, r, i)) {
            c->state[i].failed = true;
            c->n_failed++;
        }
    if (!c->program->has_expect)
        return;
    for (uint32_t i = 0; i < r->coproc.probe.n_diags; i++)
        if (unexpected(c, &r->coproc.probe.diag[i]))
            c->n_unexpected++;
}

/* ---- in words ---- */

typedef unsigned long long ull;

static void text_state(const struct run *r, const struct tts_expect *e, uint64_t got, char *buf,
                       size_t n)
{
    char item[64], want[64], have[64], want_max[16] = "", have_max[16] = "";
    if (e->has_max) {
        snprintf(want_max, sizeof want_max, " max %u", e->max);
        snprintf(
            have_max, sizeof have_max, " max %u", item_value_sem_max(&r->coproc, e->item.index));
    }
    snprintf(buf,
             n,
             "expected %s = %s%s, got %s%s",
             tts_item_text(e->item, item, sizeof item),
             tts_item_value_text(e->item, e->value, want, sizeof want),
             want_max,
             tts_item_value_text(e->item, got, have, sizeof have),
             have_max);
}

static void text_data(const struct check *c, const struct tts_data *d, const struct check_state *s,
                      char *buf, size_t n)
{
    char cell[40], want[16], got[16], more[64] = "";
    uint32_t where = (uint32_t)s->where;
    if (s->seen > 1)
        snprintf(more, sizeof more, "; %llu of %u cells differ", (ull)s->seen, data_value_cells(d));
    snprintf(buf,
             n,
             "expected %s = %s, got %s%s",
             tts_data_text(d, where, cell, sizeof cell),
             tts_data_value_text(d, data_value_written(c->program, d, where), want, sizeof want),
             tts_data_value_text(d, (uint32_t)s->value, got, sizeof got),
             more);
}

static void text_go_word(const struct tts_expect *e, const struct check_state *s, char *buf,
                         size_t n)
{
    char want[96], got[96] = "nothing";
    tensix_dis_text(e->word, 0, want, sizeof want);
    if (s->seen)
        tensix_dis_text((uint32_t)s->value, 0, got, sizeof got);
    snprintf(buf,
             n,
             "expected %s to dispatch '%s' in cycle %llu, got %s%s%s",
             owner_names[e->agent],
             want,
             (ull)e->value,
             s->seen ? "'" : "",
             got,
             s->seen ? "'" : "");
}

static void text_label(const struct tts_expect *e, const struct check_state *s, char *buf, size_t n)
{
    if (s->seen < e->n)
        snprintf(buf,
                 n,
                 "expected %s#%u in cycle %llu, got only %llu dispatches",
                 e->label,
                 e->n,
                 (ull)e->value,
                 (ull)s->seen);
    else
        snprintf(buf,
                 n,
                 "expected %s#%u in cycle %llu, got cycle %llu",
                 e->label,
                 e->n,
                 (ull)e->value,
                 (ull)s->value);
}

static void text_end(const struct run *r, char *buf, size_t n, const char *wanted, ull at)
{
    static const char *const ends[] = {
        "the end", "a deadlock", "the limit", "a stop", "an internal error"};
    bool deadlock = r->end == RUN_END_DEADLOCK;
    if (at == TTS_NO_CYCLE)
        snprintf(buf,
                 n,
                 "expected %s, got %s in cycle %llu",
                 wanted,
                 ends[r->end],
                 (ull)(deadlock ? r->end_cycle : r->cycles));
    else
        snprintf(buf,
                 n,
                 "expected %s in cycle %llu, got %s in cycle %llu",
                 wanted,
                 at,
                 ends[r->end],
                 (ull)(deadlock ? r->end_cycle : r->cycles));
}

static void text_failure(const struct check *c, const struct run *r, uint32_t i, char *buf,
                         size_t n)
{
    const struct tts_expect *e = &c->program->expect[i];
    const struct check_state *s = &c->state[i];
    bool any = e->owner == N_OWNERS;
    switch (e->kind) {
    case EXPECT_CYCLES:
        snprintf(buf, n, "expected cycles %llu, got %llu", (ull)e->value, (ull)s->value);
        return;
    case EXPECT_DATA: text_data(c, &e->data, s, buf, n); return;
    case EXPECT_STATE: text_state(r, e, s->value, buf, n); return;
    case EXPECT_WAITED:
        snprintf(buf,
                 n,
                 "expected waited %s %s%s%s = %llu, got %llu",
                 owner_names[e->agent],
                 wait_table[e->cause].name,
                 any ? "" : " owner ",
                 any ? "" : owner_names[e->owner],
                 (ull)e->value,
                 (ull)s->value);
        return;
    case EXPECT_GO_ALL:
        if (s->differs)
            snprintf(buf,
                     n,
                     "expected dispatch %llu of %s in cycle %llu, got cycle %llu",
                     (ull)s->where + 1,
                     owner_names[e->agent],
                     (ull)c->program->list[e->first + s->where],
                     (ull)s->value);
        else
            snprintf(buf,
                     n,
                     "expected %u dispatches of %s, got %llu",
                     e->n,
                     owner_names[e->agent],
                     (ull)s->seen);
        return;
    case EXPECT_GO_WORD: text_go_word(e, s, buf, n); return;
    case EXPECT_LABEL: text_label(e, s, buf, n); return;
    case EXPECT_HELD:
        snprintf(buf,
                 n,
                 "expected %s held by %s%s%s for %llu cycles, got %llu",
                 e->label,
                 wait_table[e->cause].name,
                 any ? "" : " owner ",
                 any ? "" : owner_names[e->owner],
                 (ull)e->value,
                 (ull)s->value);
        return;
    case EXPECT_DIAG:
        if (e->has_count)
            snprintf(buf,
                     n,
                     "expected %s %u times, got %llu",
                     diag_table[e->diag].id,
                     e->count,
                     (ull)s->value);
        else
            snprintf(buf, n, "expected %s, got none", diag_table[e->diag].id);
        return;
    case EXPECT_DEADLOCK: text_end(r, buf, n, "a deadlock", (ull)e->value); return;
    default: text_end(r, buf, n, "the limit of cycles", TTS_NO_CYCLE); return;
    }
}

unsigned check_failure(const struct check *c, const struct run *r, unsigned i, char *buf, size_t n)
{
    for (uint32_t k = 0; k < c->program->n_expects; k++)
        if (c->state[k].failed && !i--) {
            text_failure(c, r, k, buf, n);
            return c->program->expect[k].line;
        }
    for (uint32_t k = 0; k < r->coproc.probe.n_diags; k++) {
        const struct diag *d = &r->coproc.probe.diag[k];
        if (unexpected(c, d) && !i--) {
            snprintf(buf,
                     n,
                     "expected no fault, got %s by %s in cycle %llu",
                     diag_table[d->id].id,
                     owner_names[d->agent],
                     (ull)d->cycle);
            return tts_line(c->program, d->tag);
        }
    }
    if (n)
        buf[0] = '\0';
    return 0;
}
