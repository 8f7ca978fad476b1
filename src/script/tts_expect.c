/*
 * tts_expect.c - the lines of .preset and .expect sections.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe/probe.h"
#include "script/tts_build.h"

#define PRESET_KINDS                                                                               \
    (1u << ITEM_GPR | 1u << ITEM_CONFIG | 1u << ITEM_THCONFIG | 1u << ITEM_SEM |                   \
     1u << ITEM_MOPCFG | 1u << ITEM_REPLAY | 1u << ITEM_BANK | 1u << ITEM_STREAM |                 \
     1u << ITEM_MUTEX | 1u << ITEM_ADC | TTS_OR_DATA)
#define STATE_KINDS (PRESET_KINDS | 1u << ITEM_RWC)

static bool preset_data(struct build *b)
{
    struct tts_data d;
    if (!tts_data(b, true, &d))
        return false;
    struct tts_data *slot = tts_parse_add(b, &b->fills, sizeof *slot);
    if (slot)
        *slot = d;
    return slot;
}

bool tts_expect_preset(struct build *b)
{
    struct lex *l = &b->l;
    if (tts_data_next(l))
        return preset_data(b);
    struct tts_preset p = {.line = l->line, .max = 15};
    if (!tts_item(l, PRESET_KINDS, &p.item) || !tts_lex_expect_char(l, '=') ||
        !tts_item_value(l, p.item, &p.value))
        return false;
    if (p.item.kind == ITEM_SEM && tts_lex_accept_word(l, "max")) {
        uint64_t max;
        if (!tts_lex_number(l, 15, "the Max of a semaphore", &max))
            return false;
        p.max = (uint32_t)max;
    }
    struct tts_preset *slot = tts_parse_add(b, &b->presets, sizeof *slot);
    if (slot)
        *slot = p;
    return slot;
}

static bool cycle_number(struct lex *l, uint64_t *out)
{
    return tts_lex_number(l, UINT64_MAX - 1, "a cycle", out);
}

static bool cause_name(struct lex *l, uint8_t *out)
{
    const char *names[N_WAITS];
    for (unsigned i = 0; i < N_WAITS; i++)
        names[i] = wait_table[i].name;
    int i = tts_lex_name(l, names, N_WAITS);
    if (i < 0)
        return tts_lex_fail(l,
                            "expected the name of a cause, such as C4-math (waitgate run --help "
                            "names the page)");
    *out = (uint8_t)i;
    return true;
}

static bool owner_name(struct lex *l, unsigned n, const char *what, uint8_t *out)
{
    int i = tts_lex_name(l, owner_names, n);
    if (i < 0)
        return tts_lex_fail(l, "expected %s, such as T0, core T1, Matrix Unit, Unpacker 0", what);
    *out = (uint8_t)i;
    return true;
}

static bool optional_owner(struct lex *l, uint8_t *out)
{
    *out = N_OWNERS;
    return !tts_lex_accept_word(l, "owner") || owner_name(l, N_OWNERS, "an owner", out);
}

static bool expect_waited(struct lex *l, struct tts_expect *e)
{
    e->kind = EXPECT_WAITED;
    return owner_name(l, N_AGENTS, "an agent", &e->agent) && cause_name(l, &e->cause) &&
           optional_owner(l, &e->owner) && tts_lex_expect_char(l, '=') &&
           tts_lex_number(l, UINT64_MAX, "a number of cycles", &e->value);
}

/* A label, and #n behind it. */
static bool label_name(struct lex *l, struct tts_expect *e)
{
    struct lex_text w = tts_lex_peek_word(l);
    char buf[24];
    if (!w.n)
        return tts_lex_fail(
            l, "expected an expectation or a label, found %s", tts_lex_found(l, buf));
    if (w.n >= sizeof e->label)
        return tts_lex_fail(l, "a label has at most 31 characters");
    memcpy(e->label, w.p, w.n);
    e->column = (uint32_t)(w.p - l->line_start) + 1;
    l->p += w.n;
    e->n = 1;
    if (l->p < l->end && *l->p == '#') {
        uint64_t n;
        l->p++;
        if (!tts_lex_number(l, UINT32_MAX, "which dispatch", &n))
            return false;
        if (!n)
            return tts_lex_fail(l, "dispatches are counted from 1");
        e->n = (uint32_t)n;
    }
    return true;
}

static bool expect_held(struct lex *l, struct tts_expect *e)
{
    e->kind = EXPECT_HELD;
    return label_name(l, e) && cause_name(l, &e->cause) && optional_owner(l, &e->owner) &&
           tts_lex_number(l, UINT64_MAX, "a number of cycles", &e->value);
}

static bool expect_diag(struct lex *l, struct tts_expect *e, bool note)
{
    const char *names[N_DIAGS];
    for (unsigned i = 0; i < N_DIAGS; i++)
        names[i] = (diag_table[i].category == DIAG_NOTE) == note ? diag_table[i].id : NULL;
    int i = tts_lex_name(l, names, N_DIAGS);
    if (i < 0)
        return tts_lex_fail(l,
                            "expected the name of a %s, such as %s",
                            note ? "note" : "fault",
                            note ? "NEVER_HELD" : "SEMWAIT_COND0");
    e->kind = EXPECT_DIAG;
    e->diag = (uint8_t)i;
    struct lex_text w = tts_lex_peek_word(l);
    if (!w.n)
        return true;
    uint64_t count;
    if (*w.p != 'x')
        return tts_lex_fail(l, "expected x and a count, such as x3");
    l->p++;
    if (!tts_lex_number(l, UINT32_MAX, "a count", &count))
        return false;
    e->has_count = true;
    e->count = (uint32_t)count;
    return true;
}

/* T0 at 7 ttsempost 4; T0 go = [3, 4, 7] */
static bool expect_thread(struct build *b, struct tts_expect *e)
{
    struct lex *l = &b->l;
    if (tts_lex_accept_word(l, "at")) {
        e->kind = EXPECT_GO_WORD;
        return cycle_number(l, &e->value) && tts_lex_instruction(l, &e->word);
    }
    if (!tts_lex_accept_word(l, "go"))
        return tts_lex_fail(l, "expected at CYCLE INSTRUCTION, or go = [CYCLES]");
    if (!tts_lex_expect_char(l, '=') || !tts_lex_expect_char(l, '['))
        return false;
    e->kind = EXPECT_GO_ALL;
    e->first = b->list.n;
    for (;;) {
        while (tts_lex_accept_char(l, ',') || (tts_lex_eol(l) && tts_lex_newline(l)))
            ;
        if (l->p == l->end)
            return tts_lex_fail(l, "expected ']' before the end of the file");
        if (tts_lex_accept_char(l, ']'))
            break;
        uint64_t cycle, last;
        if (!cycle_number(l, &cycle))
            return false;
        last = cycle;
        if (tts_lex_accept(l, "..") && !cycle_number(l, &last))
            return false;
        if (last < cycle || last - cycle > 1000000)
            return tts_lex_fail(l, "a range runs upwards, over at most a million cycles");
        for (; cycle <= last; cycle++) {
            uint64_t *slot = tts_parse_add(b, &b->list, sizeof *slot);
            if (!slot)
                return false;
            *slot = cycle;
        }
    }
    e->n = b->list.n - e->first;
    return true;
}

static bool expect_state(struct lex *l, struct tts_expect *e)
{
    uint32_t value;
    e->kind = EXPECT_STATE;
    if (!tts_item(l, STATE_KINDS, &e->item) || !tts_lex_expect_char(l, '=') ||
        !tts_item_value(l, e->item, &value))
        return false;
    e->value = value;
    if (e->item.kind == ITEM_CONFIG && e->item.thread == TTS_BOTH_BANKS)
        return tts_lex_fail(l, "expect one bank at a time");
    if (e->item.kind == ITEM_SEM && tts_lex_accept_word(l, "max")) {
        uint64_t max;
        if (!tts_lex_number(l, 15, "the Max of a semaphore", &max))
            return false;
        e->has_max = true;
        e->max = (uint32_t)max;
    }
    return true;
}

static bool is_state(struct lex *l)
{
    static const char *const names[] = {"gpr",
                                        "config",
                                        "thconfig",
                                        "sem",
                                        "mutex",
                                        "mopcfg",
                                        "replay",
                                        "bank",
                                        "stream",
                                        "adc",
                                        "rwc"};
    struct lex_text w = tts_lex_peek_word(l);
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++)
        if (tts_lex_same(w, names[i]))
            return true;
    return false;
}

static bool expect_end(struct build *b, struct tts_expect *e)
{
    struct lex *l = &b->l;
    if (tts_lex_accept_word(l, "deadlock")) {
        e->kind = EXPECT_DEADLOCK;
        e->value = TTS_NO_CYCLE;
        return !tts_lex_accept_word(l, "at") || cycle_number(l, &e->value);
    }
    if (!tts_lex_accept_word(l, "max-cycles"))
        return false;
    e->kind = EXPECT_MAX_CYCLES;
    return !tts_lex_at_digit(l) ||
           (tts_lex_number(l, UINT64_C(1) << 62, "a limit", &b->max_cycles) &&
            (b->max_cycles || tts_lex_fail(l, "the limit is at least 1")));
}

static bool expect_label(struct lex *l, struct tts_expect *e)
{
    e->kind = EXPECT_LABEL;
    if (!label_name(l, e))
        return false;
    if (!tts_lex_accept_word(l, "at"))
        return tts_lex_fail(l, "expected 'at' and a cycle after the label '%s'", e->label);
    return cycle_number(l, &e->value);
}

static bool parse_expect(struct build *b, struct tts_expect *e)
{
    struct lex *l = &b->l;
    if (tts_lex_accept_word(l, "cycles")) {
        e->kind = EXPECT_CYCLES;
        return tts_lex_number(l, UINT64_MAX, "a number of cycles", &e->value);
    }
    if (tts_lex_accept_word(l, "issued")) {
        e->kind = EXPECT_STATE;
        e->item.kind = ITEM_ISSUED;
        return tts_lex_thread(l, &e->item.thread) && tts_lex_expect_char(l, '=') &&
               tts_lex_number(l, UINT64_MAX, "a number of instructions", &e->value);
    }
    if (tts_lex_accept_word(l, "waited"))
        return expect_waited(l, e);
    if (tts_lex_accept_word(l, "held"))
        return expect_held(l, e);
    if (tts_lex_accept_word(l, "fault"))
        return expect_diag(l, e, false);
    if (tts_lex_accept_word(l, "note"))
        return expect_diag(l, e, true);
    if (tts_data_next(l)) {
        e->kind = EXPECT_DATA;
        return tts_data(b, false, &e->data);
    }
    if (is_state(l))
        return expect_state(l, e);
    if (expect_end(b, e) || l->failed)
        return !l->failed;
    int thread = tts_lex_name(l, tts_core_names, 3);
    if (thread >= 0) {
        e->agent = (uint8_t)thread;
        return expect_thread(b, e);
    }
    return expect_label(l, e);
}

bool tts_expect_line(struct build *b)
{
    struct tts_expect e = {.line = b->l.line};
    if (!parse_expect(b, &e))
        return false;
    struct tts_expect *slot = tts_parse_add(b, &b->expects, sizeof *slot);
    if (slot)
        *slot = e;
    return slot;
}

/* ---- labels ---- */

static int compare_text(struct lex_text a, struct lex_text b)
{
    int c = memcmp(a.p, b.p, a.n < b.n ? a.n : b.n);
    return c ? c : (a.n > b.n) - (a.n < b.n);
}

static int compare_labels(const void *a, const void *b)
{
    const struct tts_label *x = a, *y = b;
    int c = compare_text(x->name, y->name);
    return c ? c : (x->line > y->line) - (x->line < y->line);
}

static const struct tts_label *find_label(const struct vec *labels, const char *name)
{
    const struct tts_label *label = labels->data;
    struct lex_text text = {name, strlen(name)};
    uint32_t lo = 0, hi = labels->n;
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        int c = compare_text(label[mid].name, text);
        if (!c)
            return &label[mid];
        if (c < 0)
            lo = mid + 1;
        else
            hi = mid;
    }
    return NULL;
}

bool tts_expect_resolve_labels(struct build *b, struct tts_program *p)
{
    struct tts_label *label = b->labels.data;
    if (b->labels.n)
        qsort(label, b->labels.n, sizeof *label, compare_labels);
    for (uint32_t i = 1; i < b->labels.n; i++)
        if (!compare_text(label[i - 1].name, label[i].name))
            return tts_lex_fail_line(&b->l,
                                     label[i].line,
                                     label[i].column,
                                     "label '%.*s' is already in line %u",
                                     (int)label[i].name.n,
                                     label[i].name.p,
                                     label[i - 1].line);
    for (uint32_t i = 0; i < p->n_expects; i++) {
        struct tts_expect *e = &p->expect[i];
        if (e->kind == EXPECT_GO_ALL || e->kind == EXPECT_GO_WORD)
            p->expects_events = true;
        if (e->kind != EXPECT_LABEL && e->kind != EXPECT_HELD)
            continue;
        p->expects_events = true;
        const struct tts_label *found = find_label(&b->labels, e->label);
        if (!found)
            return tts_lex_fail_line(&b->l, e->line, e->column, "there is no label '%s'", e->label);
        e->tag = (uint16_t)(p->core[found->core].first + found->index + 1);
    }
    return true;
}
