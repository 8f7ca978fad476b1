/*
 * report_json.c - the result of a run as one JSON object. Its members are described in
 * docs/trace-format.md.
 *
 * Block: none.
 *
 * **Inaccuracies**: none.
 */
#include <inttypes.h>
#include <string.h>

#include "isa/tensix_dis.h"
#include "lib/result.h"

static const char *const end_names[] = {
    "done", "deadlock", "limit", "stopped", "interrupted", "broken"};

void report_json_threads(const struct text_sink *o, const struct coproc *cp)
{
    text_sink_print(o, "  \"threads\": [\n");
    for (unsigned i = 0; i < COPROC_THREADS; i++) {
        text_sink_print(
            o, "    {\"name\": \"T%u\", \"issued\": %" PRIu64 ", \"last\": ", i, cp->issued[i]);
        if (cp->issued[i])
            text_sink_print(o, "%" PRIu64, cp->last_go[i]);
        else
            text_sink_print(o, "null");
        text_sink_print(o, "}%s\n", i + 1 < COPROC_THREADS ? "," : "");
    }
    text_sink_print(o, "  ],\n");
}

void report_json_changes(const struct text_sink *o, const struct timing *t)
{
    struct timing_change c;
    unsigned n = 0;
    for (unsigned at = 0; timing_next_change(t, &at, &c); n++) {
        text_sink_print(o, n ? ",\n    {" : "  \"timing\": [\n    {");
        text_sink_json_member(o, "name", c.name);
        text_sink_print(o, ", \"value\": %u, \"typical\": %u}", c.value, c.typ);
    }
    text_sink_print(o, n ? "\n  ],\n" : "");
}

void report_json_pairs(const struct text_sink *o, const struct ledger *l)
{
    for (unsigned i = 0; i < l->n_pairs; i++) {
        const struct ledger_pair *p = &l->pair[i];
        text_sink_print(o, "%s\n      {", i ? "," : "");
        text_sink_json_member(o, "cause", wait_table[p->cause].name);
        text_sink_print(o, ", ");
        text_sink_json_member(o, "owner", result_owner_text(p));
        text_sink_print(o, ", \"cycles\": %" PRIu64 ", \"times\": %u}", p->cycles, p->times);
    }
}

void report_json_ledgers(const struct text_sink *o, const struct coproc *cp)
{
    text_sink_print(o, "  \"ledgers\": {");
    for (unsigned i = 0; i < N_AGENTS; i++) {
        text_sink_print(o, "%s\n    ", i ? "," : "");
        text_sink_json(o, owner_names[i]);
        text_sink_print(o, ": [");
        report_json_pairs(o, &cp->ledger[i]);
        text_sink_print(o, "]");
    }
    text_sink_print(o, "\n  },\n");
}

static void json_diags(const struct text_sink *o, const struct run *r)
{
    const struct probe *p = &r->coproc.probe;
    text_sink_print(o, "  \"diagnostics\": [");
    for (uint32_t i = 0; i < p->n_diags; i++) {
        const struct diag *d = &p->diag[i];
        char text[256], word[96];
        text_sink_print(o, "%s\n    {", i ? "," : "");
        text_sink_json_member(o, "id", diag_table[d->id].id);
        text_sink_print(o, ", ");
        text_sink_json_member(o, "category", diag_category_names[diag_table[d->id].category]);
        text_sink_print(o, ", \"cycle\": %" PRIu64 ", ", d->cycle);
        text_sink_json_member(o, "agent", owner_names[d->agent]);
        text_sink_print(o, ", \"line\": %u, ", tts_line(r->program, d->tag));
        tensix_dis_text(d->word, 0, word, sizeof word);
        text_sink_json_member(o, "instruction", word);
        text_sink_print(o, ", ");
        text_sink_json_member(o, "text", probe_diag_text(d, text, sizeof text));
        text_sink_print(o, ", \"count\": %u}", p->count[d->id]);
    }
    text_sink_print(o, "%s],\n", p->n_diags ? "\n  " : "");
}

static void json_failures(const struct text_sink *o, const waitgate_result *result)
{
    unsigned n = waitgate_result_failures(result);
    char text[512];
    text_sink_print(
        o, "  \"expectations\": %u,\n  \"failures\": [", result->run.program->n_expects);
    for (unsigned i = 0; i < n; i++) {
        waitgate_result_failure(result, i, text, sizeof text);
        text_sink_print(o, "%s\n    ", i ? "," : "");
        text_sink_json(o, text);
    }
    text_sink_print(o, "%s]\n", n ? "\n  " : "");
}

void waitgate_report_json(const waitgate_result *result, waitgate_write *write, void *context)
{
    if (!result || !write)
        return;
    const struct text_sink out = {write, context}, *o = &out;
    const struct run *r = &result->run;
    text_sink_print(o, "{\n  ");
    text_sink_json_member(o, "program", r->program->name);
    text_sink_print(o, ",\n  \"cycles\": %" PRIu64 ",\n  ", r->cycles);
    text_sink_json_member(o, "end", end_names[r->end]);
    text_sink_print(o, ",\n");
    if (r->end == RUN_END_DEADLOCK)
        text_sink_print(o, "  \"deadlock\": %" PRIu64 ",\n", r->end_cycle);
    report_json_changes(o, &r->coproc.timing);
    report_json_threads(o, &r->coproc);
    report_json_ledgers(o, &r->coproc);
    json_diags(o, r);
    json_failures(o, result);
    text_sink_print(o, "}\n");
}
