/*
 * report_hang.c - why a tile stands still, or where everyone stands at a limit, in words and as JSON.
 *
 * Block: none.
 *
 * **Inaccuracies**: see tile/hang.c.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "isa/alpha.h"
#include "isa/rv32.h"
#include "isa/tensix_dis.h"
#include "lib/handle.h"
#include "lib/handle_alpha.h"
#include "lib/result.h"

static const char *const partner_names[] = {"B", "T0", "T1", "T2"};
static const char *const rv_names[RV_N_CORES] = {"T0", "T1", "T2", "B", "NC"};

/* Core and program counter of an instruction: of a core itself, or of the push of a thread's word. */
static int site(const waitgate_tile *w, unsigned agent, bool core, uint32_t *pc, unsigned tag)
{
    if (core)
        return code_place_core(agent);
    if (agent <= OWNER_T2)
        return code_place_of_tag(&w->tile, agent - OWNER_T0, tag, pc);
    for (unsigned i = 0; i < COPROC_THREADS; i++) { /* an unpacker: whoever pushed it */
        int found = code_place_of_tag(&w->tile, i, tag, pc);
        if (found >= 0)
            return found;
    }
    return -1;
}

static const char *instruction(const struct hang_agent *a, char *buf, size_t n)
{
    if (a->cpu) {
        alpha_dis_text(a->word, a->cpu_pc, buf, n);
    } else if (a->core) {
        rv32_dis_text(a->word, a->pc, 0, buf, n);
    } else {
        tensix_dis_text(a->word, TENSIX_DIS_SYMBOLIC, buf, n);
        return buf;
    }
    for (char *c = buf; *c; c++)
        if (*c == '\t')
            *c = ' ';
    return buf;
}

/* Where an agent stands, in words; "" if that is not known. */
static const char *agent_place(const waitgate_tile *w, const struct hang_agent *a, char *buf,
                               size_t n)
{
    uint32_t pc = a->pc;
    buf[0] = '\0';
    if (a->cpu)
        return w->host ? report_alpha_place(w->host, a->cpu_pc, buf, n) : buf;
    int core = site(w, a->agent, a->core, &pc, a->tag);
    return code_place_text(w, core, pc, buf, n);
}

/* ---- what is waited for ---- */

static void semaphore_text(const struct tile *tile, const struct hang_agent *a, char *buf, size_t n)
{
    const struct sync_semaphore *s = &tile->coproc.sync.sem[a->index];
    snprintf(buf,
             n,
             "semaphore %u (%s) is %u, maximum %u",
             a->index,
             tts_sem_names[a->index & 7],
             s->value,
             s->max);
}

static void bank_text(const struct tile *tile, const struct hang_agent *a, char *buf, size_t n)
{
    const struct src *s = &tile->coproc.src;
    bool matrix = a->cause != WAIT_UNIT_SRC_BANK && a->cause != WAIT_C5_SRCA_CLR &&
                  a->cause != WAIT_C6_SRCB_CLR;
    unsigned bank = matrix ? s->matrix_bank[a->index] : s->unpack_bank[a->index];
    snprintf(buf,
             n,
             "Src%c bank %u belongs to %s",
             "AB"[a->index & 1],
             bank,
             s -> owner[a->index][bank] == SRC_MATRIX ? "the Matrix Unit" : "the unpackers");
}

static void mailbox_text(const struct tile *tile, const struct hang_agent *a, char *buf, size_t n)
{
    unsigned from = a->index >> 4, to = a->index & 15;
    const struct fifo *f = &tile->mailbox.box[from][to];
    snprintf(buf,
             n,
             "mailbox from core %s to core %s: %u sent, %u read, %u in it",
             partner_names[from & 3],
             partner_names[to & 3],
             f->in,
             f->out,
             f->n);
}

static const char *thing_text(const struct tile *tile, const struct hang_agent *a, char *buf,
                              size_t n)
{
    buf[0] = '\0';
    switch (a->thing) {
    case HANG_SEMAPHORE: semaphore_text(tile, a, buf, n); break;
    case HANG_MUTEX:
        if (a->changed)
            snprintf(buf, n, "mutex %u is held by %s", a->index, owner_names[a->owner]);
        else
            snprintf(buf, n, "there is no mutex %u", a->index);
        break;
    case HANG_BANK: bank_text(tile, a, buf, n); break;
    case HANG_QUEUE:
        snprintf(buf,
                 n,
                 "the instruction queue of %s is full: %u words tracked",
                 owner_names[a->index],
                 tile->coproc.fe[a->index % 3].tracked);
        break;
    case HANG_MAILBOX: mailbox_text(tile, a, buf, n); break;
    case HANG_PCBUF: {
        const struct fifo *f = &tile->pcbuf.to[a->index % 3];
        snprintf(buf,
                 n,
                 "PC buffer to core T%u: %u sent, %u read, %u in it",
                 a->index,
                 f->in,
                 f->out,
                 f->n);
        break;
    }
    case HANG_THREAD: snprintf(buf, n, "thread %s is not idle", owner_names[a->index]); break;
    case HANG_WORD: snprintf(buf, n, "word 0x%05x of L1 is 0x%x", a->address, a->value); break;
    case HANG_RAM:
        snprintf(buf,
                 n,
                 "word 0x%04x of the data RAM of core %s is 0x%x",
                 a->address,
                 rv_names[a->index % RV_N_CORES],
                 a->value);
        break;
    case HANG_REGISTER: snprintf(buf, n, "register 0x%08x reads 0x%x", a->address, a->value); break;
    case HANG_CSR: snprintf(buf, n, "CSR 0x%x reads 0x%x", a->address, a->value); break;
    default:
        if (a->owner != OWNER_NONE)
            snprintf(buf, n, "%s", owner_names[a->owner]);
        break;
    }
    return buf;
}

/* Who changed the thing last; "" where that has no meaning. */
static const char *changed_text(const waitgate_tile *w, const struct hang_agent *a, char *buf,
                                size_t n)
{
    char place[400];
    uint32_t pc = a->changed_pc;
    buf[0] = '\0';
    if (a->thing != HANG_SEMAPHORE && a->thing != HANG_MUTEX && a->thing != HANG_WORD)
        return buf;
    if (!a->changed) {
        if (a->thing != HANG_MUTEX)
            snprintf(buf, n, "nobody has changed it");
        return buf;
    }
    bool core = a->changed_by >= OWNER_CORE_B && a->changed_by <= OWNER_CORE_T2;
    int at = core && !pc ? -1 : site(w, a->changed_by, core, &pc, a->changed_tag);
    code_place_text(w, at, pc, place, sizeof place);
    snprintf(buf,
             n,
             "last changed in cycle %" PRIu64 " by %s%s%s",
             a->changed_at,
             a->changed_by == OWNER_NOBODY ? "the host" : owner_names[a->changed_by],
             *place ? " at " : "",
             place);
    return buf;
}

/* ---- who could clear it ---- */

static const char *const why_names[] = {
    "waits", "ended", "reset", "stopped", "empty", "outside", "runs", "behind"};

static const char *why_text(unsigned why)
{
    switch (why) {
    case HANG_WAITS: return "waits itself";
    case HANG_ENDED: return "its program has ended";
    case HANG_RESET: return "is held in reset";
    case HANG_STOPPED: return "was stopped";
    case HANG_EMPTY: return "has nothing to do, and nobody who could give it something goes on";
    case HANG_RUNS: return "goes on";
    case HANG_BEHIND:
        return "waits itself; whether its program would do so behind the instruction that waits "
               "is not known";
    default: return "is outside of this tile";
    }
}

/* The same behind a name and a comma. */
static const char *which_text(unsigned why)
{
    switch (why) {
    case HANG_WAITS: return "which waits itself";
    case HANG_ENDED: return "whose program has ended";
    case HANG_RESET: return "which is held in reset";
    case HANG_STOPPED: return "which was stopped";
    case HANG_EMPTY: return "which has nothing to do";
    case HANG_RUNS: return "which goes on";
    case HANG_BEHIND: return "which waits itself";
    default: return "which is outside of this tile";
    }
}

static const char *clear_text(const struct hang_clear *c, char *buf, size_t n)
{
    snprintf(buf,
             n,
             "%s could clear it%s: %s",
             c->agent == OWNER_NOBODY ? "the host" : owner_names[c->agent],
             c->queued   ? " (has the instruction in its queues)"
             : c->before ? " (has changed it before)"
                         : "",
             why_text(c->why));
    return buf;
}

/* ---- loops ---- */

/* The loop that a core never leaves. */
static const struct rvproof *loop_of(const waitgate_tile *w, const struct hang_agent *a)
{
    for (unsigned i = 0; a->loops && i < RV_N_CORES; i++)
        if (code_place_core(a->agent) == code_place_core(tile_agents[i]))
            return &w->tile.proof[i];
    return NULL;
}

/* One of the things that it reads. */
static const char *read_text(const struct rvproof_read *r, char *buf, size_t n)
{
    if (r->csr)
        snprintf(buf, n, "CSR 0x%x: 0x%x", r->addr, r->value);
    else if (r->addr < TILE_L1_SIZE)
        snprintf(buf, n, "0x%05x of L1: 0x%x", r->addr, r->value);
    else if (r->source == RV_SOURCE_RAM)
        snprintf(buf, n, "data RAM at 0x%08x: 0x%x", r->addr, r->value);
    else
        snprintf(buf, n, "register 0x%08x: 0x%x", r->addr, r->value);
    return buf;
}

static void loop_text(const struct text_sink *o, const struct rvproof *f)
{
    char text[80];
    text_sink_print(
        o,
        "            runs in a loop for ever that nobody can leave: 0x%05x to 0x%05x, the same "
        "again after %u instructions\n",
        f->low,
        f->high,
        f->steps);
    text_sink_print(o, "            reads there");
    for (unsigned i = 0; i < f->n_reads; i++)
        text_sink_print(o, "%s %s", i ? "," : "", read_text(&f->read[i], text, sizeof text));
    text_sink_print(o, "%s\n", f->more ? ", and more" : "");
}

/* ---- text ---- */

static void agent_text(const struct text_sink *o, const waitgate_tile *w,
                       const struct hang_agent *a)
{
    char text[400], place[600];
    uint32_t pc = 0;
    text_sink_print(o,
                    "\n%-10s  waits%s%s since cycle %" PRIu64 "%s: %s\n",
                    owner_names[a->agent],
                    a->cpu ? " in " : "",
                    a->cpu ? pipe_stage_names[a->stage] : "",
                    a->since,
                    a->loops ? " at the latest" : "",
                    instruction(a, text, sizeof text));
    if (*agent_place(w, a, place, sizeof place))
        text_sink_print(o, "            at %s\n", place);
    if (a->wait_word) {
        tensix_dis_text(a->wait_word, TENSIX_DIS_SYMBOLIC, text, sizeof text);
        int core = site(w, a->agent, false, &pc, a->wait_tag);
        text_sink_print(o,
                        "            held by %s%s%s\n",
                        text,
                        core >= 0 ? " at " : "",
                        code_place_text(w, core, pc, place, sizeof place));
    }
    if (loop_of(w, a))
        loop_text(o, loop_of(w, a));
    text_sink_print(
        o, "            %s: %s\n", wait_table[a->cause].name, wait_table[a->cause].text);
    if (*thing_text(&w->tile, a, text, sizeof text))
        text_sink_print(o, "            %s", text);
    if (*changed_text(w, a, place, sizeof place))
        text_sink_print(o, "; %s", place);
    text_sink_print(o, "%s", *text ? "\n" : "");
    for (unsigned i = 0; i < a->n_clears; i++)
        text_sink_print(o, "            %s\n", clear_text(&a->clear[i], text, sizeof text));
    if (!a->n_clears)
        text_sink_print(
            o,
            "            nobody in the tile could clear it: nobody has done so before or is "
            "about to\n");
}

/* A link from an agent of the tile to a CPU that has never done what is waited for: the program may have other plans. */
static bool supposed(const struct hang_agent *from, const struct hang_agent *to)
{
    for (unsigned i = 0; i < from->n_clears; i++)
        if (from->clear[i].agent == to->agent)
            return from->clear[i].why == HANG_BEHIND && !from->clear[i].before;
    return false;
}

static void chain_text(const struct text_sink *o, const struct hang *h)
{
    if (!h->n_chain)
        return;
    text_sink_print(o, "\n%s", h->closed ? "circle" : "chain");
    for (unsigned i = h->closed ? h->back : 0; i < h->n_chain; i++) {
        bool last = i + 1 == h->n_chain;
        const struct hang_agent *from = &h->agent[h->chain[i]],
                                *to = &h->agent[h->chain[last ? h->back : i + 1]];
        if ((!last || h->closed) && supposed(from, to))
            text_sink_print(o,
                            ", if %s is to clear what %s waits for",
                            owner_names[to->agent],
                            owner_names[from->agent]);
    }
    text_sink_print(o, ": ");
    for (unsigned i = h->closed ? h->back : 0; i < h->n_chain; i++)
        text_sink_print(o, "%s waits for ", owner_names[h->agent[h->chain[i]].agent]);
    const struct hang_agent *last = &h->agent[h->chain[h->n_chain - 1]];
    if (h->closed)
        text_sink_print(o, "%s\n", owner_names[h->agent[h->chain[h->back]].agent]);
    else if (last->n_clears)
        text_sink_print(o,
                        "%s, %s\n",
                        last->clear[0].agent == OWNER_NOBODY ? "the host"
                                                             : owner_names[last->clear[0].agent],
                        which_text(last->clear[0].why));
    else
        text_sink_print(o, "what nobody clears\n");
}

/* A core or CPU whose program has ended. */
static bool ended(const waitgate_tile *w, const struct hang_agent *a)
{
    bool core = code_place_core(a->agent) >= 0;
    return !a->waits &&
           (a->cpu || (core && w->tile.coproc.ledger[a->agent].key >> 8 != WAIT_RESET));
}

void waitgate_tile_report_hang(const waitgate_tile *tile, waitgate_write *write, void *context)
{
    const struct text_sink o = {write, context};
    if (!tile || !write || tile->end != WAITGATE_TILE_HANG)
        return;
    const struct hang *h = &tile->hang;
    text_sink_print(&o,
                    "hang: nothing in the %s can move any more, certain in cycle %" PRIu64 ".%s\n",
                    tile->host ? "machine or its tile" : "tile",
                    h->certain,
                    tile->host ? "" : " Only the host or the NoC can change that.");
    for (unsigned i = 0; i < h->n; i++)
        if (h->agent[i].waits)
            agent_text(&o, tile, &h->agent[i]);
    bool any = false;
    for (unsigned i = 0; i < h->n; i++)
        if (ended(tile, &h->agent[i])) {
            text_sink_print(
                &o, "%s%s", any ? ", " : "\nnot waiting, ended: ", owner_names[h->agent[i].agent]);
            any = true;
        }
    text_sink_print(&o, "%s", any ? "\n" : "");
    chain_text(&o, h);
}

/* What an agent does that does not wait. */
static const char *stands_text(const struct hang_agent *a)
{
    switch (a->why) {
    case HANG_ENDED: return "its program has ended";
    case HANG_RESET: return "held in reset";
    case HANG_STOPPED: return "stopped";
    case HANG_RUNS: return "runs";
    case HANG_WAITS: return a->core ? "runs" : "goes on";
    default: return "has nothing to do";
    }
}

void waitgate_tile_report_stand(const waitgate_tile *tile, waitgate_write *write, void *context)
{
    const struct text_sink o = {write, context};
    struct hang h;
    char text[400];
    if (!tile || !write || !tile->tile.clock.on || tile->end != WAITGATE_TILE_LIMIT)
        return;
    hang_explain(&tile->tile, &h);
    text_sink_print(&o,
                    "limit: the run was ended in front of cycle %" PRIu64
                    "; nothing says that it would not go on. Where everyone stands:\n\n",
                    tile->tile.clock.now);
    for (unsigned i = 0; i < RV_N_CORES + COPROC_THREADS; i++) {
        const struct hang_agent *a = &h.agent[i];
        if (a->waits)
            continue;
        text_sink_print(&o, "%-10s  %s", owner_names[a->agent], stands_text(a));
        if (a->core && a->why != HANG_RESET && *agent_place(tile, a, text, sizeof text))
            text_sink_print(&o, " at %s", text);
        text_sink_print(&o, "\n");
    }
    for (unsigned i = 0; i < h.n; i++)
        if (h.agent[i].waits)
            agent_text(&o, tile, &h.agent[i]);
}

/* ---- JSON ---- */

static void json_source(const struct text_sink *o, const char *prefix,
                        const struct waitgate_source *s)
{
    char name[32];
    text_sink_print(o, ", ");
    snprintf(name, sizeof name, "%sfunction", prefix);
    text_sink_json_member(o, name, s->function);
    text_sink_print(o, ", ");
    snprintf(name, sizeof name, "%sfile", prefix);
    text_sink_json_member(o, name, s->file);
    text_sink_print(o, ", \"%sline\": %u", prefix, s->line);
}

static void json_place(const struct text_sink *o, const waitgate_tile *w, const char *prefix,
                       int core, uint32_t pc)
{
    struct waitgate_source s;
    if (core < 0)
        return;
    text_sink_print(o, ", \"%spc\": %" PRIu64, prefix, code_place_pc(w, pc));
    if (code_place_find(w, core, pc, &s))
        json_source(o, prefix, &s);
}

static void json_cpu_place(const struct text_sink *o, const waitgate_tile *w,
                           const struct hang_agent *a)
{
    struct waitgate_source s;
    text_sink_print(o, ", ");
    text_sink_json_member(o, "stage", pipe_stage_names[a->stage]);
    text_sink_print(o, ", \"pc\": %" PRIu64, a->cpu_pc);
    if (code_place_find_host(w, a->cpu_pc, &s))
        json_source(o, "", &s);
}

static void json_clears(const struct text_sink *o, const struct hang_agent *a)
{
    text_sink_print(o, ", \"clears\": [");
    for (unsigned i = 0; i < a->n_clears; i++) {
        text_sink_print(o, "%s{", i ? ", " : "");
        text_sink_json_member(o, "agent", owner_names[a->clear[i].agent]);
        text_sink_print(o, ", ");
        text_sink_json_member(o, "why", why_names[a->clear[i].why]);
        text_sink_print(o, ", \"queued\": %s}", a->clear[i].queued ? "true" : "false");
    }
    text_sink_print(o, "]");
}

static void json_loop(const struct text_sink *o, const struct rvproof *f)
{
    char text[80];
    text_sink_print(o,
                    ", \"loop\": {\"first\": %u, \"last\": %u, \"instructions\": %u, \"reads\": [",
                    f->low,
                    f->high,
                    f->steps);
    for (unsigned i = 0; i < f->n_reads; i++) {
        text_sink_print(o, "%s", i ? ", " : "");
        text_sink_json(o, read_text(&f->read[i], text, sizeof text));
    }
    text_sink_print(o, "]}");
}

static void json_agent(const struct text_sink *o, const waitgate_tile *w,
                       const struct hang_agent *a)
{
    char text[600];
    uint32_t pc = a->pc;
    text_sink_print(o, "{");
    text_sink_json_member(o, "agent", owner_names[a->agent]);
    text_sink_print(o, ", \"since\": %" PRIu64 ", ", a->since);
    text_sink_json_member(o, "cause", wait_table[a->cause].name);
    text_sink_print(o, ", ");
    text_sink_json_member(o, "owner", owner_names[a->owner]);
    text_sink_print(o, ", ");
    text_sink_json_member(o, "instruction", instruction(a, text, sizeof text));
    if (a->cpu) {
        json_cpu_place(o, w, a);
    } else {
        int at = site(w, a->agent, a->core, &pc, a->tag);
        json_place(o, w, "", at, pc);
    }
    if (a->wait_word) {
        int core = site(w, a->agent, false, &pc, a->wait_tag);
        tensix_dis_text(a->wait_word, TENSIX_DIS_SYMBOLIC, text, sizeof text);
        text_sink_print(o, ", ");
        text_sink_json_member(o, "wait", text);
        json_place(o, w, "wait_", core, pc);
    }
    text_sink_print(o, ", ");
    text_sink_json_member(o, "text", thing_text(&w->tile, a, text, sizeof text));
    if (*changed_text(w, a, text, sizeof text)) {
        text_sink_print(o, ", ");
        text_sink_json_member(o, "changed", text);
    }
    if (loop_of(w, a))
        json_loop(o, loop_of(w, a));
    json_clears(o, a);
    text_sink_print(o, "}");
}

/* An agent that does not wait. */
static void json_stands(const struct text_sink *o, const waitgate_tile *w,
                        const struct hang_agent *a)
{
    text_sink_print(o, "{");
    text_sink_json_member(o, "agent", owner_names[a->agent]);
    text_sink_print(o, ", ");
    text_sink_json_member(
        o, "does", a->why == HANG_WAITS ? why_names[HANG_RUNS] : why_names[a->why]);
    if (a->core && a->why != HANG_RESET)
        json_place(o, w, "", code_place_core(a->agent), a->pc);
    text_sink_print(o, "}");
}

void report_hang_json_stand(const struct text_sink *o, const waitgate_tile *tile)
{
    struct hang h;
    bool any = false;
    hang_explain(&tile->tile, &h);
    text_sink_print(o, "  \"stand\": [");
    for (unsigned i = 0; i < h.n; i++) {
        const struct hang_agent *a = &h.agent[i];
        if (!a->waits && i >= RV_N_CORES + COPROC_THREADS)
            continue;
        text_sink_print(o, "%s\n    ", any ? "," : "");
        if (a->waits)
            json_agent(o, tile, a);
        else
            json_stands(o, tile, a);
        any = true;
    }
    text_sink_print(o, "\n  ],\n");
}

void report_hang_json(const struct text_sink *o, const waitgate_tile *tile)
{
    const struct hang *h = &tile->hang;
    bool any = false;
    text_sink_print(o, "  \"hang\": {\n    \"cycle\": %" PRIu64 ",\n    \"agents\": [", h->certain);
    for (unsigned i = 0; i < h->n; i++)
        if (h->agent[i].waits) {
            text_sink_print(o, "%s\n      ", any ? "," : "");
            json_agent(o, tile, &h->agent[i]);
            any = true;
        }
    text_sink_print(o, "],\n    \"closed\": %s,\n    \"chain\": [", h->closed ? "true" : "false");
    for (unsigned i = h->closed ? h->back : 0, n = 0; i < h->n_chain; i++, n++) {
        text_sink_print(o, "%s", n ? ", " : "");
        text_sink_json(o, owner_names[h->agent[h->chain[i]].agent]);
    }
    text_sink_print(o, "]\n  },\n");
}
