/*
 * report.c - tells of a difference: which program, what differs, the events before it, the code around it.
 */
#include "run.h"

#include <stdio.h>
#include <string.h>

#include "isa/tensix_dis.h"

static const char *const core_names[] = {"T0", "T1", "T2", "B", "NC"};
static const char *const kind_names[] = {"work", "mail", "pcbuf", "flag", "sem", "barrier"};
static const uint8_t core_of[] = {[OWNER_T0] = RV_T0,
                                  [OWNER_T1] = RV_T1,
                                  [OWNER_T2] = RV_T2,
                                  [OWNER_CORE_B] = RV_B,
                                  [OWNER_CORE_NC] = RV_NC,
                                  [OWNER_CORE_T0] = RV_T0,
                                  [OWNER_CORE_T1] = RV_T1,
                                  [OWNER_CORE_T2] = RV_T2};

static void print_word(FILE *f, uint32_t word, uint32_t pc)
{
    char text[200];
    rv32_dis_text(word, pc, RV32_DIS_NUMERIC, text, sizeof text);
    if ((word & 3) != 3)
        tensix_dis_text(bits_rotr(word, 2), 0, text, sizeof text);
    fprintf(f, "%s", text);
}

/* Where in its program an event's agent was; UINT32_MAX: nowhere. */
static uint32_t pc_of(const struct tile *tile, const struct event *e)
{
    uint32_t pc = UINT32_MAX;
    bool by_b;
    if (e->kind == EV_CORE)
        return e->arg;
    if (e->kind == EV_CORE_WAIT)
        return e->word;
    if (!sites_find(&tile->sites, e->tag, &pc, &by_b))
        return UINT32_MAX;
    return pc;
}

static void print_event(FILE *f, const struct tile *tile, const struct event *e)
{
    uint32_t pc = pc_of(tile, e), word = e->word;
    fprintf(f,
            "    %7llu  %-11s %-10s",
            (unsigned long long)e->cycle,
            owner_names[e->agent],
            probe_event_names[e->kind]);
    if (e->kind == EV_CORE_WAIT || e->kind == EV_HOLD || e->kind == EV_UNIT_WAIT)
        fprintf(f, " %s, %s;", wait_table[e->cause].name, owner_names[e->owner]);
    if (pc != UINT32_MAX)
        fprintf(f, " %05x:", pc);
    if (e->kind == EV_CORE_WAIT)
        memcpy(&word, tile->l1_bytes + pc, 4);
    fprintf(f, " ");
    if (e->kind == EV_CORE || e->kind == EV_CORE_WAIT) {
        print_word(f, word, pc);
        if (e->kind == EV_CORE_WAIT)
            fprintf(f, " waited %u", e->arg);
    } else {
        char text[120];
        tensix_dis_text(word, 0, text, sizeof text);
        fprintf(f, "%s (0x%x) arg 0x%x", text, word, e->arg);
    }
    fprintf(f, "\n");
}

/* The last events of both up to the difference, and a few more. */
static void print_events(const struct outcome *o, const char *name, size_t at)
{
    size_t from = at > 12 ? at - 12 : 0, to = at + 6 < o->n_events ? at + 6 : o->n_events;
    printf("  %s:\n", name);
    for (size_t i = from; i < to; i++) {
        printf("%s", i == at ? "  >" : "   ");
        print_event(stdout, o->tile, &o->event[i]);
    }
}

static void print_around(const struct program *p, unsigned core, uint32_t pc)
{
    const struct program_core *c = &p->core[core];
    uint32_t at = (pc - c->start) / 4, from = at > 12 ? at - 12 : 0;
    if (at >= c->n)
        return;
    printf("  code of %s:\n", core_names[core]);
    for (uint32_t i = from; i < c->n && i < at + 12; i++) {
        uint32_t address = c->start + 4 * i;
        printf("   %c %05x  [step %u]  ", address == pc ? '>' : ' ', address, c->step[i]);
        print_word(stdout, c->word[i], address);
        printf("\n");
    }
}

/* Cycles that one ledger has in a pair. */
static unsigned long long booked(const struct ledger *l, const struct ledger_pair *like)
{
    for (unsigned i = 0; i < l->n_pairs; i++)
        if (l->pair[i].cause == like->cause && l->pair[i].owner == like->owner)
            return l->pair[i].cycles;
    return 0;
}

static void print_ledgers(const struct coproc *a, const struct coproc *b)
{
    for (unsigned i = 0; i < N_AGENTS; i++)
        for (unsigned k = 0; k < 2; k++) {
            const struct ledger *x = k ? &b->ledger[i] : &a->ledger[i];
            for (unsigned n = 0; n < x->n_pairs; n++) {
                const struct ledger_pair *p = &x->pair[n];
                unsigned long long one = booked(&a->ledger[i], p), other = booked(&b->ledger[i], p);
                if (one != other && (!k || !one))
                    printf("  ledger of %s: %s, %s: %llu, %llu cycles\n",
                           owner_names[i],
                           wait_table[p->cause].name,
                           owner_names[p->owner],
                           one,
                           other);
            }
        }
}

/* Programs that were cut down are shown whole. */
static void print_rest(const struct program *p)
{
    unsigned left = 0;
    for (unsigned i = 0; i < RV_N_CORES; i++)
        for (uint32_t k = 0; has_core(p, i) && k < p->core[i].n; k++)
            left += p->core[i].word[k] != 0x13;
    if (left > 400)
        return;
    printf("  all code but nops:\n");
    for (unsigned i = 0; i < RV_N_CORES; i++)
        for (uint32_t k = 0; has_core(p, i) && k < p->core[i].n; k++) {
            uint32_t address = p->core[i].start + 4 * k;
            if (p->core[i].word[k] == 0x13)
                continue;
            printf("    %-2s %05x  ", core_names[i], address);
            print_word(stdout, p->core[i].word[k], address);
            printf("\n");
        }
}

void report_trace(const struct outcome *o, const char *path)
{
    FILE *f = fopen(path, "w");
    if (!f)
        return;
    for (size_t i = 0; i < o->n_events; i++)
        print_event(f, o->tile, &o->event[i]);
    fclose(f);
}

void report(const struct program *p, const struct outcome *a, const struct outcome *b, enum way way,
            const struct difference *d)
{
    printf("seed %llu, program %u%s, cores",
           (unsigned long long)p->seed,
           p->number,
           p->racy ? " (racy)" : "");
    for (unsigned i = 0; i < RV_N_CORES; i++)
        if (has_core(p, i))
            printf(" %s", core_names[i]);
    printf("%s: clocked and %s differ\n  %s\n",
           p->by_b ? ", released by B" : "",
           way_names[way],
           d->what);
    if (way == WAY_UNTIMED)
        for (unsigned i = 0; i < RV_N_CORES; i++)
            if (has_core(p, i))
                printf("  %s ends at %05x: at %05x, %05x\n",
                       core_names[i],
                       p->core[i].end,
                       a->tile->core[i].pc,
                       b->tile->core[i].pc);
    printf("  steps:");
    for (unsigned i = 1; i <= p->n_steps; i++)
        if (!p->step[i].off)
            printf(" %u:%s", i, kind_names[p->step[i].kind]);
    printf("\n");
    if (way != WAY_UNTIMED && !d->in_trace)
        print_ledgers(&a->tile->coproc, &b->tile->coproc);
    if (d->in_trace) {
        print_events(a, way_names[WAY_CLOCK], d->at);
        print_events(b, way_names[way], d->at);
        for (unsigned k = 0; k < 2; k++) {
            const struct outcome *o = k ? b : a;
            if (d->at >= o->n_events || o->event[d->at].agent > OWNER_CORE_T2)
                continue;
            const struct event *e = &o->event[d->at];
            uint32_t pc = pc_of(o->tile, e);
            if (pc != UINT32_MAX)
                print_around(p, core_of[e->agent], pc);
        }
    }
    print_rest(p);
    fflush(stdout);
}
