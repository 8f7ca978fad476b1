/*
 * report_text.c - the summary of a run as text: where every cycle of every thread, core and unit
 * went, and what the run has to say about the program.
 *
 * Block: none.
 * Invariants: the rows of an agent add up to the cycles of the run, and their shares, rounded to
 * tenths of a percent by largest remainder, to 100.0.
 *
 * **Inaccuracies**: none.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/tensix_dis.h"
#include "lib/result.h"

/* Shares of total in tenths of a percent that add up to 1000. */
static void shares(const uint64_t *part, unsigned n, uint64_t total, unsigned *share)
{
    unsigned given = 0;
    uint64_t rest[LEDGER_PAIRS];
    for (unsigned i = 0; i < n; i++) {
        /* 128-bit free: cycles stay far below 2^53 */
        share[i] = (unsigned)(part[i] / total * 1000 + part[i] % total * 1000 / total);
        rest[i] = part[i] % total * 1000 % total;
        given += share[i];
    }
    for (; given < 1000; given++) {
        unsigned best = 0;
        for (unsigned i = 1; i < n; i++)
            if (rest[i] > rest[best])
                best = i;
        share[best]++;
        rest[best] = 0;
    }
}

/* Pairs of a ledger in the order of their causes. */
static unsigned sort_pairs(const struct ledger *l, const struct ledger_pair *sorted[LEDGER_PAIRS])
{
    for (unsigned i = 0; i < l->n_pairs; i++) {
        unsigned k = i;
        const struct ledger_pair *p = &l->pair[i];
        for (; k && (sorted[k - 1]->cause > p->cause ||
                     (sorted[k - 1]->cause == p->cause && sorted[k - 1]->owner > p->owner));
             k--)
            sorted[k] = sorted[k - 1];
        sorted[k] = p;
    }
    return l->n_pairs;
}

void report_text_ledger(const struct text_sink *o, const struct ledger *l, uint64_t cycles)
{
    const struct ledger_pair *pair[LEDGER_PAIRS];
    uint64_t part[LEDGER_PAIRS];
    unsigned share[LEDGER_PAIRS], n = sort_pairs(l, pair);
    for (unsigned i = 0; i < n; i++)
        part[i] = pair[i]->cycles;
    if (!n || !cycles)
        return;
    shares(part, n, cycles, share);
    for (unsigned i = 0; i < n; i++) {
        const struct wait_info *w = &wait_table[pair[i]->cause];
        text_sink_print(o, "  %10" PRIu64 "  %3u.%u %%  ", part[i], share[i] / 10, share[i] % 10);
        if (pair[i]->cause <= WAIT_DONE)
            text_sink_print(o, "%s\n", w->name);
        else
            text_sink_print(o,
                            "%-13s  %-14s  %s\n",
                            w->name,
                            pair[i]->owner == OWNER_NONE ? "" : result_owner_text(pair[i]),
                            w->text);
    }
    text_sink_print(o, "  %10" PRIu64 "  100.0 %%\n", cycles);
}

void report_text_changes(const struct text_sink *o, const struct timing *t)
{
    struct timing_change c;
    for (unsigned at = 0, n = 0; timing_next_change(t, &at, &c); n++)
        text_sink_print(o,
                        "%s  %-22s  %u (typical %u)\n",
                        n ? "" : "\nnumbers that are not the typical ones\n",
                        c.name,
                        c.value,
                        c.typ);
}

static int by_cycles(const void *a, const void *b)
{
    const struct blame_slot *x = *(const struct blame_slot *const *)a,
                            *y = *(const struct blame_slot *const *)b;
    if (x->cycles != y->cycles)
        return x->cycles < y->cycles ? 1 : -1;
    if (x->place != y->place)
        return x->place < y->place ? -1 : 1;
    return x->agent != y->agent ? (int)x->agent - (int)y->agent : (int)x->key - (int)y->key;
}

unsigned report_text_top_slots(const struct blame *b, const struct blame_slot *top[BLAME_SLOTS])
{
    unsigned n = 0;
    for (unsigned i = 0; i < BLAME_SLOTS; i++)
        if (b->slot[i].key && b->slot[i].cycles)
            top[n++] = &b->slot[i];
    qsort(top, n, sizeof *top, by_cycles);
    return n;
}

static void summary_threads(const struct text_sink *o, const struct run *r)
{
    for (unsigned i = 0; i < COPROC_THREADS; i++) {
        const struct coproc *cp = &r->coproc;
        if (!cp->issued[i] && cp->ledger[i].cycles[WAIT_IDLE] == r->cycles)
            continue;
        text_sink_print(o, "\nT%u: %" PRIu64 " issued", i, cp->issued[i]);
        if (cp->issued[i])
            text_sink_print(o, ", the last in cycle %" PRIu64, cp->last_go[i]);
        text_sink_print(o, "\n");
        report_text_ledger(o, &cp->ledger[i], r->cycles);
    }
}

static void summary_cores(const struct text_sink *o, const struct run *r)
{
    for (unsigned i = 0; i < TTS_CORES; i++) {
        unsigned agent = actor_agent(&r->actor[i]);
        if (!r->program->core[i].n)
            continue;
        text_sink_print(o, "\n%s\n", owner_names[agent]);
        report_text_ledger(o, &r->coproc.ledger[agent], r->cycles);
    }
}

void report_text_units(const struct text_sink *o, const struct coproc *cp, uint64_t cycles)
{
    bool any = false;
    for (unsigned i = OWNER_SYNC; i < N_AGENTS; i++) {
        const struct ledger *l = &cp->ledger[i];
        uint64_t busy = l->cycles[WAIT_PROGRESS];
        if (l->cycles[WAIT_IDLE] == cycles)
            continue;
        text_sink_print(o,
                        "%s  %10" PRIu64 "  %5.1f %%  %s",
                        any ? "" : "\nunits: cycles busy\n",
                        busy,
                        (double)busy * 100.0 / (double)cycles,
                        owner_names[i]);
        any = true;
        for (unsigned k = 0; k < l->n_pairs; k++)
            if (l->pair[k].cause > WAIT_DONE)
                text_sink_print(o,
                                "  %" PRIu64 " %s (%s)",
                                l->pair[k].cycles,
                                wait_table[l->pair[k].cause].name,
                                owner_names[l->pair[k].owner]);
        text_sink_print(o, "\n");
    }
}

/* The first one kept of its kind tells how many there were. */
static bool first_of_kind(const struct probe *p, uint32_t i)
{
    for (uint32_t k = 0; k < i; k++)
        if (p->diag[k].id == p->diag[i].id)
            return false;
    return true;
}

static void summary_diag(const struct text_sink *o, const struct run *r, uint32_t i)
{
    const struct probe *p = &r->coproc.probe;
    const struct diag *d = &p->diag[i];
    char where[160], word[96], text[256];
    trace_text_source(r->program, d->tag, where, sizeof where);
    text_sink_print(o,
                    "  %s%s%s %s",
                    where,
                    *where ? ": " : "",
                    diag_category_names[diag_table[d->id].category],
                    diag_table[d->id].id);
    if (p->count[d->id] > 1 && first_of_kind(p, i))
        text_sink_print(o, " (%u times in all)", p->count[d->id]);
    text_sink_print(o, "\n      cycle %" PRIu64 ", %s", d->cycle, owner_names[d->agent]);
    if (d->word) {
        tensix_dis_text(d->word, 0, word, sizeof word);
        text_sink_print(o, ", %s", word);
    }
    text_sink_print(o, ": %s\n", probe_diag_text(d, text, sizeof text));
}

static void summary_diags(const struct text_sink *o, const struct run *r, bool notes)
{
    const struct probe *p = &r->coproc.probe;
    bool any = false;
    for (uint32_t i = 0; i < p->n_diags; i++) {
        if ((diag_table[p->diag[i].id].category == DIAG_NOTE) != notes)
            continue;
        if (!any)
            text_sink_print(o, "\n%s\n", notes ? "notes" : "diagnostics");
        any = true;
        summary_diag(o, r, i);
    }
    if (!notes && p->n_diags == DIAG_KEEP)
        text_sink_print(o, "  (only the first %u diagnostics are listed)\n", DIAG_KEEP);
}

static void summary_end(const struct text_sink *o, const struct run *r)
{
    text_sink_print(o, "%s: %" PRIu64 " cycles", r->program->name, r->cycles);
    switch (r->end) {
    case RUN_END_DEADLOCK:
        text_sink_print(o, ", deadlock: certain in cycle %" PRIu64, r->end_cycle);
        break;
    case RUN_END_MAX: text_sink_print(o, ", not finished: the limit of cycles was reached"); break;
    case RUN_END_STOPPED: text_sink_print(o, ", stopped by a diagnostic"); break;
    case RUN_END_INTERRUPTED: text_sink_print(o, ", not finished: interrupted"); break;
    default: break;
    }
    unsigned n = r->program->n_expects, failed = r->check.n_failed + r->check.n_unexpected;
    if (r->program->has_expect && !failed)
        text_sink_print(o, ", all %u expectations met", n);
    else if (failed)
        text_sink_print(o, ", %u expectation%s not met", failed, failed == 1 ? "" : "s");
    text_sink_print(o, "\n");
}

void waitgate_report_summary(const waitgate_result *result, waitgate_write *write, void *context)
{
    if (!result || !write)
        return;
    const struct text_sink o = {write, context};
    const struct run *r = &result->run;
    summary_end(&o, r);
    report_text_changes(&o, &r->coproc.timing);
    summary_threads(&o, r);
    summary_cores(&o, r);
    report_text_units(&o, &r->coproc, r->cycles);
    summary_diags(&o, r, false);
    summary_diags(&o, r, true);
}
