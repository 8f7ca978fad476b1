/*
 * report_tile.c - where the cycles of a tile went: per core, thread and unit, and which instructions lost most.
 *
 * Block: none.
 *
 * **Inaccuracies**: the instructions that wait are counted in a table of fixed size; what did not fit is named as such.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/handle.h"
#include "lib/result.h"

#define TOP 15u

static const char *const end_texts[] = {"the limit of cycles was reached",
                                        "all programs have ended",
                                        "hang",
                                        "a core was stopped",
                                        "the awaited words are there",
                                        "interrupted",
                                        "no memory for the trace"};
static const char *const end_names[] = {
    "limit", "done", "hang", "stopped", "until", "interrupted", "memory"};

static bool only(const struct ledger *l, unsigned cause, uint64_t cycles)
{
    return l->cycles[cause] == cycles;
}

static void report_cores(const struct text_sink *o, const struct tile *tile)
{
    for (unsigned agent = OWNER_CORE_B; agent <= OWNER_CORE_T2; agent++) {
        const struct ledger *l = &tile->coproc.ledger[agent];
        if (only(l, WAIT_RESET, tile->clock.now))
            continue;
        text_sink_print(
            o, "\n%s: %" PRIu64 " instructions\n", owner_names[agent], l->cycles[WAIT_PROGRESS]);
        report_text_ledger(o, l, tile->clock.now);
    }
}

static void report_threads(const struct text_sink *o, const struct tile *tile)
{
    for (unsigned i = 0; i < COPROC_THREADS; i++) {
        const struct ledger *l = &tile->coproc.ledger[OWNER_T0 + i];
        if (!tile->coproc.issued[i] && only(l, WAIT_IDLE, tile->clock.now))
            continue;
        text_sink_print(o, "\nthread T%u: %" PRIu64 " issued\n", i, tile->coproc.issued[i]);
        report_text_ledger(o, l, tile->clock.now);
    }
}

/* ---- instructions ---- */

static int slot_core(const struct tile *tile, const struct blame_slot *s, uint32_t *pc)
{
    *pc = s->place;
    if (s->agent > OWNER_T2)
        return code_place_core(s->agent);
    return code_place_of_tag(tile, s->agent - OWNER_T0, s->place, pc);
}

static void report_top(const struct text_sink *o, const waitgate_tile *w)
{
    const struct tile *tile = &w->tile;
    const struct blame_slot *top[BLAME_SLOTS];
    unsigned n = report_text_top_slots(&tile->coproc.blame, top);
    uint64_t all = tile->coproc.blame.rest;
    char place[400];
    for (unsigned i = 0; i < n; i++)
        all += top[i]->cycles;
    if (!all)
        return;
    text_sink_print(o,
                    "\nwaiting instructions: %" PRIu64
                    " cycles lost by all agents; the %u that lost most\n",
                    all,
                    n < TOP ? n : TOP);
    for (unsigned i = 0; i < n && i < TOP; i++) {
        uint32_t pc;
        int core = slot_core(tile, top[i], &pc);
        text_sink_print(o,
                        "  %10" PRIu64 "  %5.1f %%  %-8s  %-13s  %-14s  %s\n",
                        top[i]->cycles,
                        (double)top[i]->cycles * 100.0 / (double)all,
                        owner_names[top[i]->agent],
                        wait_table[top[i]->key >> 8].name,
                        (top[i]->key & 0xff) == OWNER_NONE ? "" : owner_names[top[i]->key & 0xff],
                        core >= 0 ? code_place_text(w, core, pc, place, sizeof place) : "-");
    }
    if (tile->coproc.blame.rest)
        text_sink_print(
            o, "  %10" PRIu64 "  at places that are not listed\n", tile->coproc.blame.rest);
}

void waitgate_tile_report(waitgate_tile *tile, waitgate_write *write, void *context)
{
    const struct text_sink o = {write, context};
    if (!tile || !write || !tile->tile.clock.on)
        return;
    books_close(tile);
    text_sink_print(&o, "%" PRIu64 " cycles: %s\n", tile->tile.clock.now, end_texts[tile->end]);
    report_text_changes(&o, &tile->tile.coproc.timing);
    if (!tile->tile.clock.now)
        return;
    report_cores(&o, &tile->tile);
    report_threads(&o, &tile->tile);
    report_text_units(&o, &tile->tile.coproc, tile->tile.clock.now);
    if (tile->tile.coproc.blame_on)
        report_top(&o, tile);
}

/* ---- JSON ---- */

static void json_top(const struct text_sink *o, const waitgate_tile *w)
{
    const struct blame_slot *top[BLAME_SLOTS];
    unsigned n = report_text_top_slots(&w->tile.coproc.blame, top);
    text_sink_print(o, "  \"waiting\": [");
    for (unsigned i = 0; i < n; i++) {
        struct waitgate_source s;
        uint32_t pc;
        int core = slot_core(&w->tile, top[i], &pc);
        text_sink_print(o, "%s\n    {", i ? "," : "");
        text_sink_json_member(o, "agent", owner_names[top[i]->agent]);
        text_sink_print(o, ", ");
        text_sink_json_member(o, "cause", wait_table[top[i]->key >> 8].name);
        text_sink_print(o, ", ");
        text_sink_json_member(o, "owner", owner_names[top[i]->key & 0xff]);
        text_sink_print(
            o, ", \"cycles\": %" PRIu64 ", \"times\": %u", top[i]->cycles, top[i]->times);
        if (core >= 0)
            text_sink_print(o, ", \"pc\": %u", pc);
        if (core >= 0 && code_place_find(w, core, pc, &s)) {
            text_sink_print(o, ", ");
            text_sink_json_member(o, "file", s.file);
            text_sink_print(o, ", \"line\": %u", s.line);
        }
        text_sink_print(o, "}");
    }
    text_sink_print(o, "%s],\n", n ? "\n  " : "");
}

static void json_notices(const struct text_sink *o, const waitgate_tile *w)
{
    struct waitgate_notice n;
    unsigned i;
    text_sink_print(o, "  \"diagnostics\": [");
    for (i = 0; waitgate_tile_notice(w, i, &n); i++) {
        text_sink_print(o, "%s\n    {", i ? "," : "");
        text_sink_json_member(o, "id", n.id);
        text_sink_print(o, ", ");
        text_sink_json_member(o, "category", n.kind);
        text_sink_print(o, ", \"cycle\": %" PRIu64 ", ", n.step);
        text_sink_json_member(o, "agent", n.who);
        text_sink_print(o, ", ");
        text_sink_json_member(o, "text", n.text);
        text_sink_print(o, "}");
    }
    text_sink_print(o, "%s]\n", i ? "\n  " : "");
}

void waitgate_tile_report_json(waitgate_tile *tile, waitgate_write *write, void *context)
{
    const struct text_sink out = {write, context}, *o = &out;
    if (!tile || !write)
        return;
    if (!tile->tile.clock.on) {
        text_sink_print(o, "{\n  \"steps\": %" PRIu64 ",\n", tile->tile.steps);
        report_hang_json_stand(o, tile);
        report_json_threads(o, &tile->tile.coproc);
        json_notices(o, tile);
        text_sink_print(o, "}\n");
        return;
    }
    books_close(tile);
    text_sink_print(o, "{\n  \"cycles\": %" PRIu64 ",\n  ", tile->tile.clock.now);
    text_sink_json_member(o, "end", end_names[tile->end]);
    text_sink_print(o, ",\n");
    report_json_changes(o, &tile->tile.coproc.timing);
    if (tile->end == WAITGATE_TILE_HANG)
        report_hang_json(o, tile);
    if (tile->end == WAITGATE_TILE_LIMIT)
        report_hang_json_stand(o, tile);
    report_json_threads(o, &tile->tile.coproc);
    report_json_ledgers(o, &tile->tile.coproc);
    json_top(o, tile);
    json_notices(o, tile);
    text_sink_print(o, "}\n");
}
