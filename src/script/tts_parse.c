/*
 * tts_parse.c - sections, labels, numbers of the machine, and the scripts of the cores.
 *
 * Every pass of a .repeat takes at least one cycle: a body without an action that takes time is
 * refused, so that a script can never loop within one cycle.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "script/tts_build.h"

const char *const tts_sem_names[8] = {"FPU_SFPU",
                                      "MATH_PACK",
                                      "UNPACK_TO_DEST",
                                      "UNPACK_OPERAND_SYNC",
                                      "PACK_DONE",
                                      "UNPACK_SYNC",
                                      "UNPACK_MATH_DONE",
                                      "MATH_DONE"};
const char *const tts_core_names[TTS_CORES] = {"T0", "T1", "T2", "B"};
const char *const tts_action_names[N_ACTIONS] = {
    [ACT_PUSH] = "push",
    [ACT_PUSH_B] = "push",
    [ACT_MOPCFG] = "mopcfg",
    [ACT_SEMPOST] = "sempost",
    [ACT_SEMGET] = "semget",
    [ACT_WRITE] = "write",
    [ACT_MOP_SYNC] = "mop_sync",
    [ACT_TENSIX_SYNC] = "tensix_sync",
    [ACT_WAIT] = "wait",
    [ACT_AT] = "at",
    [ACT_WHEN] = "when",
    [ACT_REPEAT] = ".repeat",
    [ACT_END] = ".end",
};
const char *const tts_compare_names[6] = {"==", "!=", "<", "<=", ">", ">="};

void *tts_parse_add(struct build *b, struct vec *v, size_t size)
{
    if (v->n == v->room) {
        uint32_t room = v->room ? v->room * 2 : 16;
        void *data = v->room > UINT32_MAX / 4 ? NULL : realloc(v->data, room * size);
        if (!data) {
            tts_lex_fail(&b->l, "out of memory");
            return NULL;
        }
        v->data = data;
        v->room = room;
    }
    char *at = (char *)v->data + (size_t)v->n++ * size;
    memset(at, 0, size);
    return at;
}

/* ---- scripts of the cores ---- */

static bool takes_cycle(unsigned kind)
{
    return kind != ACT_AT && kind != ACT_WHEN && kind != ACT_REPEAT && kind != ACT_END;
}

static struct tts_action *add_action(struct build *b, unsigned kind)
{
    struct build_core *c = &b->cores[b->core];
    if (b->n_actions == TTS_MAX_ACTIONS) {
        tts_lex_fail(&b->l, "more than %u actions in one file; use .repeat", TTS_MAX_ACTIONS);
        return NULL;
    }
    struct tts_action *a = tts_parse_add(b, &c->actions, sizeof *a);
    if (!a)
        return NULL;
    b->n_actions++;
    a->kind = (uint8_t)kind;
    a->line = b->l.line;
    if (takes_cycle(kind) && c->depth)
        c->spends[c->depth - 1] = true;
    if (kind != ACT_REPEAT && kind != ACT_END) {
        struct tts_label *labels = b->labels.data;
        for (; b->first_unbound < b->labels.n; b->first_unbound++)
            labels[b->first_unbound].index = c->actions.n - 1;
    }
    return a;
}

static bool labels_bound(struct build *b)
{
    if (b->first_unbound == b->labels.n || b->l.failed)
        return !b->l.failed;
    const struct tts_label *label = (const struct tts_label *)b->labels.data + b->first_unbound;
    return tts_lex_fail_line(&b->l,
                             label->line,
                             label->column,
                             "label '%.*s' stands before no action",
                             (int)label->name.n,
                             label->name.p);
}

static bool add_word(struct build *b, uint32_t word)
{
    uint32_t *w = tts_parse_add(b, &b->words, sizeof *w);
    if (w)
        *w = word;
    return w;
}

/* Inside brackets the end of a line separates items, as ; does. */
static bool next_item(struct build *b, char close)
{
    struct lex *l = &b->l;
    for (;;) {
        if (tts_lex_accept_char(l, close) || l->failed)
            return false;
        if (tts_lex_accept_char(l, ';') || tts_lex_accept_char(l, ','))
            continue;
        if (!tts_lex_eol(l))
            return true;
        if (!tts_lex_newline(l))
            return tts_lex_fail(l, "expected '%c' before the end of the file", close);
    }
}

static bool line_bundle(struct build *b)
{
    struct tts_action *a = add_action(b, ACT_PUSH);
    if (!a)
        return false;
    uint32_t at = b->cores[b->core].actions.n - 1, first = b->words.n, n = 0;
    while (next_item(b, '}')) {
        uint32_t word;
        if (n == TTS_BUNDLE)
            return tts_lex_fail(&b->l, "a bundle has at most %u instructions", TTS_BUNDLE);
        if (!tts_lex_instruction(&b->l, &word) || !add_word(b, word))
            return false;
        n++;
    }
    if (b->l.failed)
        return false;
    if (n < 2)
        return tts_lex_fail(&b->l, "a bundle has 2 to %u instructions", TTS_BUNDLE);
    a = (struct tts_action *)b->cores[b->core].actions.data + at;
    a->first = first;
    a->n = (uint8_t)n;
    return true;
}

static bool line_push(struct build *b)
{
    uint32_t word;
    struct tts_action *a = add_action(b, ACT_PUSH);
    if (!a)
        return false;
    a->first = b->words.n;
    a->n = 1;
    return tts_lex_instruction(&b->l, &word) && add_word(b, word);
}

static bool line_push_b(struct build *b)
{
    uint32_t word;
    struct tts_action *a = add_action(b, ACT_PUSH_B);
    if (!a)
        return false;
    a->first = b->words.n;
    a->n = 1;
    return tts_lex_thread(&b->l, &a->item.thread) && tts_lex_expect_char(&b->l, ':') &&
           tts_lex_instruction(&b->l, &word) && add_word(b, word);
}

bool tts_parse_add_value(struct build *b, unsigned kind, struct tts_item item, uint32_t value)
{
    struct tts_action *a = add_action(b, kind);
    if (!a)
        return false;
    a->item = item;
    a->value = value;
    return true;
}

bool tts_parse_add_push(struct build *b, unsigned kind, struct tts_item item, uint32_t word)
{
    struct tts_action *a = add_action(b, kind);
    if (!a)
        return false;
    a->item = item;
    a->first = b->words.n;
    a->n = 1;
    return add_word(b, word);
}

static bool add_mopcfg(struct build *b, unsigned index, uint32_t value)
{
    struct tts_item item = {ITEM_MOPCFG, b->core, (uint16_t)index};
    return tts_parse_add_value(b, ACT_MOPCFG, item, value);
}

/* mopcfg 5 = WORD, or mopcfg = [nine words]. */
static bool line_mopcfg(struct build *b)
{
    struct lex *l = &b->l;
    uint32_t word;
    if (tts_lex_at_digit(l)) {
        uint64_t index;
        return tts_lex_number(l, 8, "an index of MopCfg", &index) && tts_lex_expect_char(l, '=') &&
               tts_lex_instruction(l, &word) && add_mopcfg(b, (unsigned)index, word);
    }
    if (!tts_lex_expect_char(l, '=') || !tts_lex_expect_char(l, '['))
        return false;
    unsigned n = 0;
    while (next_item(b, ']')) {
        if (n == 9)
            return tts_lex_fail(l, "MopCfg has nine words");
        if (!tts_lex_instruction(l, &word) || !add_mopcfg(b, n++, word))
            return false;
    }
    if (!l->failed && n != 9)
        return tts_lex_fail(l, "MopCfg has nine words, found %u", n);
    return !l->failed;
}

static bool line_sem(struct build *b, unsigned kind)
{
    struct tts_action *a = add_action(b, kind);
    if (!a)
        return false;
    a->item.kind = ITEM_SEM;
    return tts_lex_sem(&b->l, &a->item.index);
}

static bool line_write(struct build *b)
{
    uint32_t value;
    struct tts_action *a = add_action(b, ACT_WRITE);
    if (!a || !tts_item(&b->l, 1u << ITEM_GPR | 1u << ITEM_CONFIG | 1u << ITEM_STREAM, &a->item) ||
        !tts_lex_expect_char(&b->l, '=') || !tts_item_value(&b->l, a->item, &value))
        return false;
    a->value = value;
    return true;
}

static bool line_cycles(struct build *b, unsigned kind)
{
    struct tts_action *a = add_action(b, kind);
    if (!a || !tts_lex_number(&b->l, UINT64_C(1) << 62, "a number of cycles", &a->value))
        return false;
    if (kind == ACT_WAIT && !a->value)
        return tts_lex_fail(&b->l, "wait takes at least one cycle");
    return true;
}

static bool line_when(struct build *b)
{
    struct lex *l = &b->l;
    struct tts_action *a = add_action(b, ACT_WHEN);
    uint32_t kinds = 1u << ITEM_SEM | 1u << ITEM_GPR | 1u << ITEM_CONFIG | 1u << ITEM_ISSUED |
                     1u << ITEM_IDLE | 1u << ITEM_STREAM | 1u << ITEM_MUTEX;
    if (!a || !(tts_lex_accept_word(l, "load") ? tts_store_load_item(b, &a->item)
                                               : tts_item(l, kinds, &a->item)))
        return false;
    if (a->item.kind == ITEM_CONFIG && a->item.thread == TTS_BOTH_BANKS)
        return tts_lex_fail(l, "test one bank at a time");
    a->value = 1;
    a->compare = COMPARE_EQ;
    if (a->item.kind == ITEM_IDLE)
        return true;
    static const char *const order[] = {"==", "!=", "<=", ">=", "<", ">"};
    static const uint8_t meaning[] = {
        COMPARE_EQ, COMPARE_NE, COMPARE_LE, COMPARE_GE, COMPARE_LT, COMPARE_GT};
    for (unsigned i = 0; i < 6; i++) {
        if (!tts_lex_accept(l, order[i]))
            continue;
        a->compare = meaning[i];
        if (a->item.kind == ITEM_ISSUED)
            return tts_lex_number(l, UINT64_MAX, "a number of instructions", &a->value);
        uint32_t value;
        if (!tts_item_value(l, a->item, &value))
            return false;
        a->value = value;
        return true;
    }
    return tts_lex_fail(l, "expected ==, !=, <, <=, > or >=");
}

static bool line_repeat(struct build *b)
{
    struct build_core *c = &b->cores[b->core];
    if (!labels_bound(b))
        return false;
    if (c->depth == TTS_MAX_DEPTH)
        return tts_lex_fail(&b->l, ".repeat is nested more than %u deep", TTS_MAX_DEPTH);
    struct tts_action *a = add_action(b, ACT_REPEAT);
    if (!a || !tts_lex_number(&b->l, TTS_MAX_REPEAT, "a number of repeats", &a->value))
        return false;
    if (!a->value)
        return tts_lex_fail(&b->l, "a number of repeats must be 1..%u", TTS_MAX_REPEAT);
    c->open[c->depth] = c->actions.n - 1;
    c->spends[c->depth++] = false;
    return true;
}

static bool line_end(struct build *b)
{
    struct build_core *c = &b->cores[b->core];
    if (!labels_bound(b))
        return false;
    if (!c->depth)
        return tts_lex_fail(&b->l, ".end without .repeat");
    c->depth--;
    if (!c->spends[c->depth])
        return tts_lex_fail(&b->l, "nothing between .repeat and .end takes a cycle");
    if (c->depth)
        c->spends[c->depth - 1] = true;
    struct tts_action *a = add_action(b, ACT_END);
    if (!a)
        return false;
    a->first = c->open[c->depth];
    ((struct tts_action *)c->actions.data)[a->first].first = c->actions.n - 1;
    return true;
}

/* name: in front of an action. */
static bool take_label(struct build *b)
{
    struct lex *l = &b->l;
    struct lex_text w = tts_lex_peek_word(l);
    if (!w.n || w.p + w.n == l->end || w.p[w.n] != ':')
        return false;
    static const char *const reserved[] = {
        "T0",     "T1",       "T2",         "cycles", "issued", "waited",   "held", "fault",
        "note",   "deadlock", "max-cycles", "gpr",    "config", "thconfig", "sem",  "mutex",
        "mopcfg", "replay",   "bank",       "stream", "adc",    "rwc",      "core"};
    for (unsigned i = 0; i < sizeof reserved / sizeof reserved[0]; i++)
        if (tts_lex_same(w, reserved[i]))
            return tts_lex_fail(l, "'%s' cannot be a label", reserved[i]);
    if (w.n >= sizeof((struct tts_expect *)0)->label)
        return tts_lex_fail(l, "a label has at most 31 characters");
    struct tts_label *label = tts_parse_add(b, &b->labels, sizeof *label);
    if (!label)
        return false;
    label->name = w;
    label->line = l->line;
    label->column = (unsigned)(w.p - l->line_start) + 1;
    label->core = b->core;
    l->p += w.n + 1;
    return true;
}

bool tts_parse_core(struct build *b)
{
    struct lex *l = &b->l;
    while (take_label(b))
        ;
    if (l->failed || tts_lex_eol(l))
        return !l->failed;
    bool is_b = b->core == TTS_CORE_B;
    struct lex_text w = tts_lex_peek_word(l);
    if (tts_lex_same(w, "gpr") || tts_lex_same(w, "config") || tts_lex_same(w, "stream"))
        return line_write(b);
    if (tts_lex_accept_word(l, "wait"))
        return line_cycles(b, ACT_WAIT);
    if (tts_lex_accept_word(l, "at"))
        return line_cycles(b, ACT_AT);
    if (tts_lex_accept_word(l, "when"))
        return line_when(b);
    if (tts_lex_accept_word(l, "store"))
        return tts_store_line(b);
    if (is_b) {
        if (tts_lex_accept_word(l, "push"))
            return line_push_b(b);
        return tts_lex_fail(l,
                            "expected push T0: ..., store, gpr, config, stream, wait, at or when "
                            "(core B has nothing else)");
    }
    if (tts_lex_accept_word(l, "mopcfg"))
        return line_mopcfg(b);
    if (tts_lex_accept_word(l, "sempost"))
        return line_sem(b, ACT_SEMPOST);
    if (tts_lex_accept_word(l, "semget"))
        return line_sem(b, ACT_SEMGET);
    if (tts_lex_accept_word(l, "mop_sync"))
        return add_action(b, ACT_MOP_SYNC);
    if (tts_lex_accept_word(l, "tensix_sync"))
        return add_action(b, ACT_TENSIX_SYNC);
    if (tts_lex_accept_char(l, '{'))
        return line_bundle(b);
    return line_push(b);
}

/* ---- sections ---- */

static bool open_section(struct build *b, enum build_section section)
{
    if (!labels_bound(b))
        return false;
    struct build_core *c = &b->cores[b->core];
    if (b->section == SECTION_CORE && c->depth)
        return tts_lex_fail(&b->l,
                            "the .repeat of line %u has no .end",
                            ((struct tts_action *)c->actions.data)[c->open[c->depth - 1]].line);
    b->section = section;
    b->has_expect |= section == SECTION_EXPECT;
    return true;
}

/* .timing NAME = VALUE, or VALUE! to force it: another number than the typical one. */
static bool line_timing(struct build *b)
{
    struct lex *l = &b->l;
    char name[48], why[TIMING_WHY];
    uint64_t value;
    struct lex_text w = tts_lex_peek_word(l);
    const char *at = w.p;
    if (!w.n || w.n >= sizeof name)
        return tts_lex_fail(l, "expected the name of a number, as `waitgate timing` lists them");
    memcpy(name, w.p, w.n);
    name[w.n] = '\0';
    if (!tts_lex_accept_word(l, name) || !tts_lex_expect_char(l, '=') ||
        !tts_lex_number(l, UINT32_MAX, "a number of the machine", &value))
        return false;
    bool forced = tts_lex_accept_char(l, '!');
    return timing_set(&b->timing, name, (uint32_t)value, forced, why) ||
           tts_lex_fail_at(l, at, "%s", why);
}

static bool line_directive(struct build *b)
{
    struct lex *l = &b->l;
    if (tts_lex_accept_word(l, "core")) {
        if (!open_section(b, SECTION_CORE))
            return false;
        int core = tts_lex_name(l, tts_core_names, TTS_CORES);
        if (core < 0)
            return tts_lex_fail(l, "expected T0, T1, T2 or B");
        b->core = (uint8_t)core;
        return true;
    }
    if (tts_lex_accept_word(l, "preset"))
        return open_section(b, SECTION_PRESET);
    if (tts_lex_accept_word(l, "expect"))
        return open_section(b, SECTION_EXPECT);
    if (tts_lex_accept_word(l, "timing"))
        return line_timing(b);
    bool repeat = tts_lex_accept_word(l, "repeat");
    if (repeat || tts_lex_accept_word(l, "end")) {
        if (b->section != SECTION_CORE)
            return tts_lex_fail(l, ".repeat and .end belong into the script of a core");
        return repeat ? line_repeat(b) : line_end(b);
    }
    return tts_lex_fail(l, "expected .core, .preset, .expect, .timing, .repeat or .end");
}

static bool parse_line(struct build *b)
{
    struct lex *l = &b->l;
    if (tts_lex_eol(l))
        return true;
    if (tts_lex_accept_char(l, '.'))
        return line_directive(b) && tts_lex_expect_eol(l);
    switch (b->section) {
    case SECTION_CORE: return tts_parse_core(b) && tts_lex_expect_eol(l);
    case SECTION_PRESET: return tts_expect_preset(b) && tts_lex_expect_eol(l);
    case SECTION_EXPECT: return tts_expect_line(b) && tts_lex_expect_eol(l);
    case SECTION_NONE: break;
    }
    return tts_lex_fail(l, "expected .core, .preset or .expect before anything else");
}

static void *take(struct vec *v)
{
    void *data = v->data;
    *v = (struct vec){0};
    return data;
}

static bool finish(struct build *b, struct tts_program *p, const char *name)
{
    size_t length = strlen(name);
    p->name = malloc(length + 1);
    p->action = malloc((b->n_actions + 1) * sizeof *p->action);
    if (!p->name || !p->action)
        return tts_lex_fail(&b->l, "out of memory");
    memcpy(p->name, name, length + 1);
    for (unsigned core = 0; core < TTS_CORES; core++) {
        struct vec *v = &b->cores[core].actions;
        p->core[core] = (struct tts_core){p->n_actions, v->n};
        if (v->n)
            memcpy(p->action + p->n_actions, v->data, v->n * sizeof *p->action);
        p->n_actions += v->n;
    }
    p->n_words = b->words.n;
    p->word = take(&b->words);
    p->n_presets = b->presets.n;
    p->preset = take(&b->presets);
    p->n_fills = b->fills.n;
    p->fill = take(&b->fills);
    p->n_expects = b->expects.n;
    p->expect = take(&b->expects);
    p->n_list = b->list.n;
    p->list = take(&b->list);
    p->has_expect = b->has_expect;
    p->uses_l1 = b->uses_l1;
    p->max_cycles = b->max_cycles;
    p->timing = b->timing;
    return tts_expect_resolve_labels(b, p);
}

bool tts_parse(const char *text, size_t len, const char *name, struct tts_program **out,
               struct tts_error *error)
{
    struct build b = {.timing = timing_typical};
    *error = (struct tts_error){0};
    tts_lex_open(&b.l, text, len, error);
    *out = NULL;
    struct tts_program *p = calloc(1, sizeof *p);
    if (!p)
        tts_lex_fail(&b.l, "out of memory");
    do {
        if (!parse_line(&b))
            break;
    } while (tts_lex_newline(&b.l));
    if (!b.l.failed && !b.n_actions && !b.has_expect && b.section == SECTION_NONE)
        tts_lex_fail(&b.l, "the file holds no program: expected .core, .preset or .expect");
    if (!b.l.failed && open_section(&b, SECTION_NONE))
        finish(&b, p, name);
    for (unsigned core = 0; core < TTS_CORES; core++)
        free(b.cores[core].actions.data);
    free(b.words.data);
    free(b.presets.data);
    free(b.fills.data);
    free(b.expects.data);
    free(b.list.data);
    free(b.labels.data);
    if (b.l.failed) {
        tts_parse_free(p);
        return false;
    }
    *out = p;
    return true;
}

void tts_parse_free(struct tts_program *p)
{
    if (!p)
        return;
    free(p->name);
    free(p->action);
    free(p->word);
    free(p->preset);
    free(p->fill);
    free(p->expect);
    free(p->list);
    free(p);
}
