/*
 * report_alpha.c - where the cycles of an Alpha machine went: per CPU, and which instructions lost most; its trace; and why it hangs.
 *
 * Block: none.
 *
 * **Inaccuracies**: the instructions that lose cycles are counted in a table of fixed size; what did not fit is named as such. Places
 * above 2^34 share their names with those 2^34 below.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/handle.h"
#include "lib/handle_alpha.h"
#include "lib/result.h"

#define TOP 15u

static const char *const end_texts[] = {"the limit was reached",
                                        "a CPU has stopped",
                                        "all programs have ended",
                                        "hang",
                                        "interrupted",
                                        "no memory for the trace"};
static const char *const end_names[] = {"limit", "stop", "done", "hang", "interrupted", "memory"};

const char *report_alpha_place(const waitgate_alpha *a, uint64_t pc, char *buf, size_t n)
{
    struct waitgate_source s = {NULL, NULL, 0, 0};
    int at = snprintf(buf, n, "0x%" PRIx64, pc);
    if (a->place && a->place(a->place_context, pc, &s)) {
        if (s.function && at > 0 && (size_t)at < n)
            at += snprintf(buf + at, n - (size_t)at, " %s+0x%x", s.function, s.offset);
        if (s.file && at > 0 && (size_t)at < n)
            snprintf(buf + at, n - (size_t)at, " (%s:%u)", s.file, s.line);
    }
    return buf;
}

/* ---- the account ---- */

static void report_top(const struct text_sink *o, waitgate_alpha *a)
{
    const struct blame_slot *top[BLAME_SLOTS];
    unsigned n = report_text_top_slots(&a->m.blame, top);
    uint64_t all = a->m.blame.rest;
    char place[400], text[96];
    for (unsigned i = 0; i < n; i++)
        all += top[i]->cycles;
    if (!all)
        return;
    text_sink_print(o,
                    "\ninstructions behind the lost cycles: %" PRIu64 "; the %u that lost most\n",
                    all,
                    n < TOP ? n : TOP);
    for (unsigned i = 0; i < n && i < TOP; i++) {
        uint64_t pc = (uint64_t)top[i]->place << 2;
        uint32_t word = 0;
        alpha_mem_peek(&a->m.mem, pc, &word, sizeof word);
        alpha_dis_text(word, pc, text, sizeof text);
        for (char *t = text; *t; t++)
            *t = *t == '\t' ? ' ' : *t;
        text_sink_print(o,
                        "  %10" PRIu64 "  %5.1f %%  %-6s %-13s  %10u times  %-28s  %s\n",
                        top[i]->cycles,
                        (double)top[i]->cycles * 100.0 / (double)all,
                        owner_names[top[i]->agent],
                        wait_table[top[i]->key >> 8].name,
                        top[i]->times,
                        text,
                        report_alpha_place(a, pc, place, sizeof place));
    }
    if (a->m.blame.rest)
        text_sink_print(o, "  %10" PRIu64 "  at places that are not listed\n", a->m.blame.rest);
}

void waitgate_alpha_report(waitgate_alpha *alpha, waitgate_write *write, void *context)
{
    const struct text_sink o = {write, context};
    if (!alpha || !write)
        return;
    if (alpha->mode != ALPHA_MODE_CLOCKED) {
        text_sink_print(&o, "%" PRIu64 " instructions, without time\n", alpha->m.cpu[0].retired);
        return;
    }
    machine_settle(&alpha->m);
    text_sink_print(&o, "%" PRIu64 " cycles: %s\n", alpha->m.now, end_texts[alpha->end]);
    for (unsigned i = 0; i < alpha->m.n_cpus; i++) {
        const struct pipe *p = &alpha->m.cpu[i];
        text_sink_print(&o,
                        "\nCPU %u: %" PRIu64 " instructions, %.2f cycles each; %" PRIu64
                        " mispredicted branches, %" PRIu64 " flushes\n",
                        i,
                        p->retired,
                        p->retired ? (double)alpha->m.now / (double)p->retired : 0.0,
                        p->mispredicts,
                        p->flushes);
        report_text_ledger(&o, &p->ledger, alpha->m.now);
    }
    report_top(&o, alpha);
    if (alpha->tile) {
        text_sink_print(&o, "\ntile: ");
        waitgate_tile_report(alpha->tile, write, context);
    }
}

/* ---- JSON ---- */

static void json_top(const struct text_sink *o, waitgate_alpha *a)
{
    const struct blame_slot *top[BLAME_SLOTS];
    unsigned n = report_text_top_slots(&a->m.blame, top);
    text_sink_print(o, "  \"lost\": [");
    for (unsigned i = 0; i < n; i++) {
        struct waitgate_source s = {NULL, NULL, 0, 0};
        uint64_t pc = (uint64_t)top[i]->place << 2;
        text_sink_print(o, "%s\n    {", i ? "," : "");
        text_sink_json_member(o, "cpu", owner_names[top[i]->agent]);
        text_sink_print(o, ", ");
        text_sink_json_member(o, "cause", wait_table[top[i]->key >> 8].name);
        text_sink_print(o,
                        ", \"cycles\": %" PRIu64 ", \"times\": %u, \"pc\": %" PRIu64,
                        top[i]->cycles,
                        top[i]->times,
                        pc);
        if (a->place && a->place(a->place_context, pc, &s) && s.function) {
            text_sink_print(o, ", ");
            text_sink_json_member(o, "function", s.function);
        }
        text_sink_print(o, "}");
    }
    text_sink_print(o, "%s]", n ? "\n  " : "");
}

void waitgate_alpha_report_json(waitgate_alpha *alpha, waitgate_write *write, void *context)
{
    const struct text_sink out = {write, context}, *o = &out;
    if (!alpha || !write || alpha->mode != ALPHA_MODE_CLOCKED)
        return;
    machine_settle(&alpha->m);
    text_sink_print(o, "{\n  \"cycles\": %" PRIu64 ",\n  ", alpha->m.now);
    text_sink_json_member(o, "end", end_names[alpha->end]);
    text_sink_print(o, ",\n  \"cpus\": [");
    for (unsigned i = 0; i < alpha->m.n_cpus; i++) {
        const struct pipe *p = &alpha->m.cpu[i];
        text_sink_print(o,
                        "%s\n    {\"instructions\": %" PRIu64 ", \"mispredicted\": %" PRIu64
                        ", \"flushes\": %" PRIu64 ", ",
                        i ? "," : "",
                        p->retired,
                        p->mispredicts,
                        p->flushes);
        text_sink_print(o, "\"ledger\": [");
        report_json_pairs(o, &p->ledger);
        text_sink_print(o, "]");
        text_sink_print(o, "}");
    }
    text_sink_print(o, "\n  ],\n");
    json_top(o, alpha);
    if (alpha->tile) {
        text_sink_print(o, ",\n  \"tile\": ");
        waitgate_tile_report_json(alpha->tile, write, context);
    }
    text_sink_print(o, "%s}\n", alpha->tile ? "" : "\n");
}

/* ---- trace ---- */

static void trace_alpha_words(const struct event *e, struct trace_words *w)
{
    w->detail[0] = '\0';
    alpha_dis_text(e->word, e->pc, w->what, sizeof w->what);
    for (char *t = w->what; *t; t++)
        *t = *t == '\t' ? ' ' : *t;
    if (e->kind == EV_STALL)
        snprintf(w->detail,
                 sizeof w->detail,
                 "%s owner=%s",
                 wait_table[e->cause].name,
                 owner_names[e->owner]);
}

void report_alpha_trace_line(const waitgate_alpha *a, const struct event *e)
{
    struct trace_words w;
    char place[400];
    trace_alpha_words(e, &w);
    trace_text_line(&a->trace, e, &w, report_alpha_place(a, e->pc, place, sizeof place));
}

static void trace_alpha_event(void *context, const struct event *e)
{
    const waitgate_alpha *a = context;
    struct trace_words w;
    if (a->tile && a->tile->trace.write) {
        trace_tile_host(a->tile, e);
        return;
    }
    trace_alpha_words(e, &w);
    text_sink_print(&a->trace,
                    "%10" PRIu64 "  %-6s  %-7s  0x%" PRIx64 "  %-28s  %s\n",
                    e->cycle,
                    owner_names[e->agent],
                    probe_event_names[e->kind],
                    e->pc,
                    w.what,
                    w.detail);
}

void report_alpha_trace_step(waitgate_alpha *a, uint64_t n, uint64_t pc, uint32_t word)
{
    const struct event e = {
        .cycle = n, .kind = EV_RETIRE, .agent = OWNER_CPU0, .word = word, .pc = pc};
    trace_alpha_event(a, &e);
}

enum waitgate_status waitgate_alpha_trace(waitgate_alpha *alpha, waitgate_write *write,
                                          void *context)
{
    if (!alpha)
        return WAITGATE_ERROR_ARGUMENT;
    alpha->trace = (struct text_sink){write, context};
    alpha->probe.sink = write ? trace_alpha_event : NULL;
    alpha->probe.ctx = alpha;
    alpha->probe.mask = write ? UINT32_MAX : 0;
    alpha->m.env.probe = write ? &alpha->probe : NULL;
    return WAITGATE_OK;
}

/* ---- hang ---- */

void waitgate_alpha_report_hang(const waitgate_alpha *alpha, waitgate_write *write, void *context)
{
    const struct text_sink o = {write, context};
    char place[400], text[96];
    if (!alpha || !write || alpha->end != WAITGATE_ALPHA_HANG)
        return;
    if (alpha->tile) {
        waitgate_tile_report_hang(alpha->tile, write, context);
        return;
    }
    text_sink_print(&o, "hang: certain in cycle %" PRIu64 "\n", alpha->m.now - 1);
    for (unsigned i = 0; i < alpha->m.n_cpus; i++) {
        const struct pipe_slot *s;
        enum pipe_stage stage;
        const struct pipe *p = &alpha->m.cpu[i];
        if (!pipe_held(p, &s, &stage)) {
            text_sink_print(&o, "  CPU %u has stopped\n", i);
            continue;
        }
        alpha_dis_text(s->i.word, s->pc, text, sizeof text);
        for (char *t = text; *t; t++)
            *t = *t == '\t' ? ' ' : *t;
        text_sink_print(&o,
                        "  CPU %u waits in %s since cycle %" PRIu64
                        " at %s: %s\n    %s: %s; owner: %s\n",
                        i,
                        pipe_stage_names[stage],
                        p->lost.since,
                        report_alpha_place(alpha, s->pc, place, sizeof place),
                        text,
                        wait_table[s->key >> 8].name,
                        wait_table[s->key >> 8].text,
                        owner_names[s->key & 0xff]);
    }
}
