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

void report_json_threads(const struct out *o, const struct coproc *t)
{
    out_text(o, "  \"threads\": [\n");
    for (unsigned i = 0; i < COPROC_THREADS; i++) {
        out_text(o, "    {\"name\": \"T%u\", \"issued\": %" PRIu64 ", \"last\": ", i, t->issued[i]);
        if (t->issued[i])
            out_text(o, "%" PRIu64, t->last_go[i]);
        else
            out_text(o, "null");
        out_text(o, "}%s\n", i + 1 < COPROC_THREADS ? "," : "");
    }
    out_text(o, "  ],\n");
}

void report_json_changes(const struct out *o, const struct timing *t)
{
    struct timing_change c;
    unsigned n = 0;
    for (unsigned at = 0; timing_next_change(t, &at, &c); n++) {
        out_text(o, n ? ",\n    {" : "  \"timing\": [\n    {");
        out_json_member(o, "name", c.name);
        out_text(o, ", \"value\": %u, \"typical\": %u}", c.value, c.typ);
    }
    out_text(o, n ? "\n  ],\n" : "");
}

void report_json_pairs(const struct out *o, const struct ledger *l)
{
    for (unsigned i = 0; i < l->n_pairs; i++) {
        const struct ledger_pair *p = &l->pair[i];
        out_text(o, "%s\n      {", i ? "," : "");
        out_json_member(o, "cause", wait_table[p->cause].name);
        out_text(o, ", ");
        out_json_member(o, "owner", owner_text(p));
        out_text(o, ", \"cycles\": %" PRIu64 ", \"times\": %u}", p->cycles, p->times);
    }
}

void report_json_ledgers(const struct out *o, const struct coproc *t)
{
    out_text(o, "  \"ledgers\": {");
    for (unsigned i = 0; i < N_AGENTS; i++) {
        out_text(o, "%s\n    ", i ? "," : "");
        out_json(o, owner_names[i]);
        out_text(o, ": [");
        report_json_pairs(o, &t->ledger[i]);
        out_text(o, "]");
    }
    out_text(o, "\n  },\n");
}

static void json_diags(const struct out *o, const struct run *r)
{
    const struct probe *p = &r->coproc.probe;
    out_text(o, "  \"diagnostics\": [");
    for (uint32_t i = 0; i < p->n_diags; i++) {
        const struct diag *d = &p->diag[i];
        char text[256], word[96];
        out_text(o, "%s\n    {", i ? "," : "");
        out_json_member(o, "id", diag_table[d->id].id);
        out_text(o, ", ");
        out_json_member(o, "category", diag_category_names[diag_table[d->id].category]);
        out_text(o, ", \"cycle\": %" PRIu64 ", ", d->cycle);
        out_json_member(o, "agent", owner_names[d->agent]);
        out_text(o, ", \"line\": %u, ", tts_line(r->program, d->tag));
        tensix_disassemble(d->word, 0, word, sizeof word);
        out_json_member(o, "instruction", word);
        out_text(o, ", ");
        out_json_member(o, "text", diag_text(d, text, sizeof text));
        out_text(o, ", \"count\": %u}", p->count[d->id]);
    }
    out_text(o, "%s],\n", p->n_diags ? "\n  " : "");
}

static void json_failures(const struct out *o, const waitgate_result *result)
{
    unsigned n = waitgate_result_failures(result);
    char text[512];
    out_text(o, "  \"expectations\": %u,\n  \"failures\": [", result->run.program->n_expects);
    for (unsigned i = 0; i < n; i++) {
        waitgate_result_failure(result, i, text, sizeof text);
        out_text(o, "%s\n    ", i ? "," : "");
        out_json(o, text);
    }
    out_text(o, "%s]\n", n ? "\n  " : "");
}

void waitgate_report_json(const waitgate_result *result, waitgate_write *write, void *context)
{
    if (!result || !write)
        return;
    const struct out out = {write, context}, *o = &out;
    const struct run *r = &result->run;
    out_text(o, "{\n  ");
    out_json_member(o, "program", r->program->name);
    out_text(o, ",\n  \"cycles\": %" PRIu64 ",\n  ", r->cycles);
    out_json_member(o, "end", end_names[r->end]);
    out_text(o, ",\n");
    if (r->end == RUN_END_DEADLOCK)
        out_text(o, "  \"deadlock\": %" PRIu64 ",\n", r->end_cycle);
    report_json_changes(o, &r->coproc.timing);
    report_json_threads(o, &r->coproc);
    report_json_ledgers(o, &r->coproc);
    json_diags(o, r);
    json_failures(o, result);
    out_text(o, "}\n");
}
