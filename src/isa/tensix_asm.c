/*
 * tensix_asm.c - assembler for single instructions, made from the instruction table.
 *
 * Block: none. Documents: as tensix_dis.c; names as tensix_names.def.
 * Two passes over the line: cut it into mnemonic and operands, then evaluate each operand with what
 * its field allows, so that a wrong count is reported before a wrong value.
 * Invariants: takes back every text that tensix_dis_text makes; never reads past text + len.
 *
 * **Inaccuracies**: no expressions but |; no labels; values are unsigned, as in the vendor's words.
 */
#include "isa/tensix_asm.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "isa/tensix_names.h"

#define MAX_OPERANDS 24

struct span {
    const char *at;
    size_t n;
};

struct operand {
    struct span name; /* n == 0: positional */
    struct span text;
};

struct line {
    const char *start, *end; /* end: before the comment */
    struct span mnemonic;
    unsigned n_operands; /* all of them, even those not stored */
    struct operand operands[MAX_OPERANDS];
    struct tensix_asm_error *err;
};

__attribute__((format(printf, 3, 4))) static bool fail(const struct line *line, const char *at,
                                                       const char *format, ...)
{
    va_list args;
    va_start(args, format);
    line->err->column = (unsigned)(at - line->start) + 1;
    line->err->empty = false;
    vsnprintf(line->err->message, sizeof line->err->message, format, args);
    va_end(args);
    return false;
}

/* Append to the message; what does not fit is left out. */
__attribute__((format(printf, 2, 3))) static void more(const struct line *line, const char *format,
                                                       ...)
{
    size_t used = strlen(line->err->message);
    va_list args;
    va_start(args, format);
    vsnprintf(line->err->message + used, sizeof line->err->message - used, format, args);
    va_end(args);
}

static int width_of(struct span s)
{
    return s.n > 64 ? 64 : (int)s.n;
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == ':' || c == '.' || c == '-' || c == '+';
}

static const char *skip_space(const char *p, const char *end)
{
    while (p < end && isspace((unsigned char)*p))
        p++;
    return p;
}

static const char *find_comment(const char *p, const char *end)
{
    for (; p < end; p++)
        if (*p == '#' || *p == ';' || (*p == '/' && p + 1 < end && p[1] == '/'))
            break;
    return p;
}

/* ---- first pass: cut ---- */

/* One term: a word, or word(word). Returns its end, NULL after an error. */
static const char *cut_term(const struct line *line, const char *p)
{
    const char *start = p;
    while (p < line->end && is_word(*p))
        p++;
    if (p == start) {
        fail(line, p, "expected an operand");
        if (p < line->end)
            more(line, ", got '%c'", isprint((unsigned char)*p) ? *p : '?');
        return NULL;
    }
    const char *open = skip_space(p, line->end);
    if (open == line->end || *open != '(')
        return p;
    p = open;
    while (p < line->end && *p != ')')
        p++;
    if (p == line->end) {
        fail(line, open, "expected ')' to close this '('");
        return NULL;
    }
    return p + 1;
}

/* One operand: term | term ..., or name = value. */
static const char *cut_operand(struct line *line, const char *p, struct operand *op)
{
    op->name = (struct span){p, 0};
    op->text.at = p;
    for (;;) {
        const char *end = cut_term(line, p);
        if (!end)
            return NULL;
        const char *next = skip_space(end, line->end);
        if (next < line->end && *next == '=' && !op->name.n && p == op->text.at) {
            op->name = (struct span){p, (size_t)(end - p)};
            p = skip_space(next + 1, line->end);
            op->text.at = p;
            continue;
        }
        if (next < line->end && *next == '|') {
            p = skip_space(next + 1, line->end);
            continue;
        }
        op->text.n = (size_t)(end - op->text.at);
        return end;
    }
}

static bool cut_line(struct line *line, const char *text, size_t len)
{
    const char *p = skip_space(text, text + len);
    line->start = text;
    line->end = find_comment(text, text + len);
    while (line->end > text && isspace((unsigned char)line->end[-1]))
        line->end--;
    if (p >= line->end) {
        fail(line, text, "expected an instruction");
        line->err->empty = true;
        return false;
    }
    line->mnemonic.at = p;
    while (p < line->end && is_word(*p))
        p++;
    line->mnemonic.n = (size_t)(p - line->mnemonic.at);
    if (!line->mnemonic.n)
        return fail(line, p, "expected a mnemonic");
    if (p < line->end && !isspace((unsigned char)*p))
        return fail(line, p, "expected a space after the mnemonic");
    p = skip_space(p, line->end);

    while (p < line->end) {
        struct operand scratch;
        unsigned i = line->n_operands++;
        p = cut_operand(line, p, i < MAX_OPERANDS ? &line->operands[i] : &scratch);
        if (!p)
            return false;
        p = skip_space(p, line->end);
        if (p < line->end && *p == ',') {
            p = skip_space(p + 1, line->end);
            if (p == line->end)
                return fail(line, p, "expected an operand after ','");
        }
    }
    return true;
}

/* ---- mnemonics ---- */

static bool same(struct span s, const char *name)
{
    size_t i = 0;
    while (i < s.n && name[i] && toupper((unsigned char)s.at[i]) == toupper((unsigned char)name[i]))
        i++;
    return i == s.n && !name[i];
}

/* Edit distance, for suggestions; texts longer than the row count as far away. */
static unsigned distance(struct span a, const char *b)
{
    unsigned row[33];
    size_t n = strlen(b);
    if (n > 32 || a.n > 32)
        return 99;
    for (unsigned j = 0; j <= n; j++)
        row[j] = j;
    for (unsigned i = 1; i <= a.n; i++) {
        unsigned diagonal = row[0];
        row[0] = i;
        for (unsigned j = 1; j <= n; j++) {
            bool equal = toupper((unsigned char)a.at[i - 1]) == toupper((unsigned char)b[j - 1]);
            unsigned best = diagonal + !equal;
            diagonal = row[j];
            if (row[j] + 1 < best)
                best = row[j] + 1;
            if (row[j - 1] + 1 < best)
                best = row[j - 1] + 1;
            row[j] = best;
        }
    }
    return row[n];
}

static struct span without_tt(struct span s)
{
    if (s.n > 2 && toupper((unsigned char)s.at[0]) == 'T' && toupper((unsigned char)s.at[1]) == 'T')
        return (struct span){s.at + 2, s.n - 2};
    return s;
}

/* The instruction whose name is nearest to a misspelt one, NULL if none is near. */
static const struct tensix_insn *nearest_insn(struct span name)
{
    const struct tensix_insn *near = NULL;
    unsigned nearest = 4;
    for (unsigned i = 0; i < 256; i++) {
        const struct tensix_insn *insn = &tensix_table[i];
        unsigned d = insn->name ? distance(name, insn->name) : nearest;
        if (d < nearest && d * 2 < strlen(insn->name)) {
            nearest = d;
            near = insn;
        }
    }
    return near;
}

static const struct tensix_insn *find_insn(const struct line *line)
{
    struct span name = without_tt(line->mnemonic);
    const struct tensix_insn *near;

    if (same(name, "SFPSTOCHRND"))
        return &tensix_table[TENSIX_OP_SFP_STOCH_RND];
    for (unsigned i = 0; i < 256; i++)
        if (tensix_table[i].name && same(name, tensix_table[i].name))
            return &tensix_table[i];

    fail(line,
         line->mnemonic.at,
         "unknown mnemonic '%.*s'",
         width_of(line->mnemonic),
         line->mnemonic.at);
    near = nearest_insn(name);
    if (near) {
        more(line, "; did you mean 'tt");
        for (const char *c = near->name; *c; c++)
            more(line, "%c", tolower((unsigned char)*c));
        more(line, "'?");
    } else {
        more(line, "; expected a Tensix instruction such as ttstallwait");
    }
    return NULL;
}

/* ---- second pass: values ---- */

/* What an operand may be and how to speak of it. */
struct expect {
    char label[64]; /* "operand 2 (wait_res)" */
    enum tensix_kind kind;
    unsigned width;
};

/* Digits in base 10, 16 or 2. False if the text is not a number at all; saturates. */
static bool parse_number(struct span s, uint64_t *value)
{
    const char *p = s.at, *end = s.at + s.n;
    unsigned base = 10;
    if (s.n > 2 && p[0] == '0' && (p[1] == 'x' || p[1] == 'X'))
        base = 16;
    else if (s.n > 2 && p[0] == '0' && (p[1] == 'b' || p[1] == 'B'))
        base = 2;
    if (base != 10)
        p += 2;
    if (p == end)
        return false;
    *value = 0;
    for (; p < end; p++) {
        unsigned digit = isdigit((unsigned char)*p) ? (unsigned)(*p - '0')
                         : isxdigit((unsigned char)*p)
                             ? (unsigned)(toupper((unsigned char)*p) - 'A') + 10
                             : 99;
        if (digit >= base)
            return false;
        *value = *value > UINT64_MAX / 32 ? UINT64_MAX / 2 : *value * base + digit;
    }
    return true;
}

static struct span trim(const char *at, const char *end)
{
    at = skip_space(at, end);
    while (end > at && isspace((unsigned char)end[-1]))
        end--;
    return (struct span){at, (size_t)(end - at)};
}

/* Take off p_stall:: or semaphore::, which vendor sources write. */
static struct span without_scope(struct span s)
{
    for (size_t i = s.n; i >= 2; i--)
        if (s.at[i - 1] == ':' && s.at[i - 2] == ':')
            return (struct span){s.at + i, s.n - i};
    return s;
}

static bool fail_expected(const struct line *line, struct span at, const struct expect *e,
                          const char *what)
{
    fail(line,
         at.at,
         "%s: %s '%.*s', expected 0..%u",
         e->label,
         what,
         width_of(at),
         at.at,
         (unsigned)bits_mask(e->width));
    const char *separator = " or names: ";
    for (size_t i = 0; i < tensix_names_count; i++)
        if (tensix_names[i].kind == e->kind && tensix_names[i].print) {
            more(line, "%s%s", separator, tensix_names[i].name);
            separator = ", ";
        }
    return false;
}

/* t6_sem(n): the mask bit of semaphore n, which may itself be a name. */
static bool term_t6_sem(const struct line *line, struct span inside, const struct expect *e,
                        uint64_t *value)
{
    const struct tensix_name *name;
    struct span bare = without_scope(inside);
    uint64_t index;
    if (parse_number(inside, &index) && index < 8) {
        *value = UINT64_C(1) << index;
        return true;
    }
    name = tensix_names_find(TENSIX_KIND_SEM_SEL, bare.at, bare.n);
    if (name) {
        *value = name->value;
        return true;
    }
    return fail(line,
                inside.at,
                "%s: expected a semaphore 0..7 or its name in t6_sem(), got '%.*s'",
                e->label,
                width_of(inside),
                inside.at);
}

static bool term_value(const struct line *line, struct span s, const struct expect *e,
                       uint64_t *value)
{
    const char *open = memchr(s.at, '(', s.n);
    struct span bare = without_scope(open ? trim(s.at, open) : s);
    if (s.n && isdigit((unsigned char)s.at[0])) {
        if (parse_number(s, value))
            return true;
        return fail_expected(line, s, e, "bad number");
    }
    if (s.n && (s.at[0] == '-' || s.at[0] == '+'))
        return fail(line,
                    s.at,
                    "%s is %.*s, expected 0..%u",
                    e->label,
                    width_of(s),
                    s.at,
                    (unsigned)bits_mask(e->width));
    if (open) {
        if (e->kind != TENSIX_KIND_SEM_SEL || !same(bare, "T6_SEM") || s.at[s.n - 1] != ')')
            return fail_expected(line, s, e, "unknown function");
        return term_t6_sem(line, trim(open + 1, s.at + s.n - 1), e, value);
    }
    const struct tensix_name *name = tensix_names_find(e->kind, bare.at, bare.n);
    if (!name)
        return fail_expected(line, s, e, "unknown name");
    *value = name->value;
    return true;
}

/* All terms of an operand, or-ed together, within the field's range. */
static bool operand_value(const struct line *line, struct span s, const struct expect *e,
                          uint32_t *value)
{
    const char *p = s.at, *end = s.at + s.n;
    uint64_t sum = 0;
    for (;;) {
        const char *bar = memchr(p, '|', (size_t)(end - p));
        uint64_t term = 0;
        if (!term_value(line, trim(p, bar ? bar : end), e, &term))
            return false;
        sum |= term;
        if (!bar)
            break;
        p = bar + 1;
    }
    if (sum > bits_mask(e->width))
        return fail(line,
                    s.at,
                    "%s is %" PRIu64 ", expected 0..%u",
                    e->label,
                    sum,
                    (unsigned)bits_mask(e->width));
    *value = (uint32_t)sum;
    return true;
}

/* ---- instructions ---- */

static bool assemble_raw(const struct line *line, uint32_t *word)
{
    struct expect e = {"operand 1 (word)", TENSIX_KIND_NUMBER, 32};
    if (line->n_operands != 1 || line->operands[0].name.n)
        return fail(
            line, line->mnemonic.at, "ttinsn takes 1 operand (word), got %u", line->n_operands);
    return operand_value(line, line->operands[0].text, &e, word);
}

static bool fail_count(const struct line *line, const struct tensix_insn *insn, unsigned wanted,
                       unsigned got)
{
    const char *at =
        got > wanted && wanted < MAX_OPERANDS ? line->operands[wanted].text.at : line->end;
    fail(line, at, "tt");
    for (const char *c = insn->name; *c; c++)
        more(line, "%c", tolower((unsigned char)*c));
    more(line, " takes %u operand%s", wanted, wanted == 1 ? "" : "s");
    const char *separator = " (";
    for (unsigned i = insn->n_fields; i-- > 0;)
        if (!insn->fields[i].hidden) {
            more(line, "%s%s", separator, insn->fields[i].name);
            separator = ", ";
        }
    more(line, "%s, got %u", wanted ? ")" : "", got);
    return false;
}

/* name=value, allowed for hidden fields only. */
static bool assemble_named(const struct line *line, const struct tensix_insn *insn,
                           const struct operand *op, uint32_t *seen, uint32_t *word)
{
    bool any = false;
    for (unsigned i = 0; i < insn->n_fields; i++) {
        const struct tensix_field *field = &insn->fields[i];
        struct expect e = {"", tensix_names_kind(field), field->width};
        uint32_t value = 0;
        any |= field->hidden;
        if (!field->hidden || !same(op->name, field->name))
            continue;
        if (*seen & (UINT32_C(1) << i))
            return fail(line, op->name.at, "operand %s is given twice", field->name);
        *seen |= UINT32_C(1) << i;
        snprintf(e.label, sizeof e.label, "operand %s", field->name);
        if (!operand_value(line, op->text, &e, &value))
            return false;
        *word |= value << field->lo;
        return true;
    }
    fail(line, op->name.at, "no operand '%.*s=' here", width_of(op->name), op->name.at);
    more(line, any ? "; expected" : "; this instruction takes none by name");
    for (unsigned i = 0; i < insn->n_fields; i++)
        if (insn->fields[i].hidden)
            more(line, " %s=", insn->fields[i].name);
    return false;
}

static bool assemble_insn(const struct line *line, const struct tensix_insn *insn, uint32_t *word)
{
    unsigned wanted = 0, got = 0, next = 0;
    uint32_t result = (uint32_t)insn->opcode << 24, seen = 0;
    unsigned stored = line->n_operands < MAX_OPERANDS ? line->n_operands : MAX_OPERANDS;

    for (unsigned i = 0; i < insn->n_fields; i++)
        wanted += !insn->fields[i].hidden;
    for (unsigned i = 0; i < stored; i++) {
        if (line->operands[i].name.n)
            continue;
        if (got != i)
            return fail(line, line->operands[i].text.at, "expected operands by name to come last");
        got++;
    }
    if (line->n_operands > MAX_OPERANDS)
        got = line->n_operands;
    if (got != wanted)
        return fail_count(line, insn, wanted, got);

    for (unsigned i = insn->n_fields; i-- > 0;) {
        const struct tensix_field *field = &insn->fields[i];
        struct expect e = {"", tensix_names_kind(field), field->width};
        uint32_t value = 0;
        if (field->hidden)
            continue;
        snprintf(e.label, sizeof e.label, "operand %u (%s)", next + 1, field->name);
        if (!operand_value(line, line->operands[next++].text, &e, &value))
            return false;
        result |= value << field->lo;
    }
    for (; next < stored; next++)
        if (!assemble_named(line, insn, &line->operands[next], &seen, &result))
            return false;
    *word = result;
    return true;
}

bool tensix_asm_text(const char *text, size_t len, uint32_t *word, struct tensix_asm_error *err)
{
    struct line line = {.err = err};
    const struct tensix_insn *insn;

    err->message[0] = '\0';
    err->column = 1;
    err->empty = false;
    if (!cut_line(&line, text, len))
        return false;
    if (same(line.mnemonic, "TTINSN") || same(line.mnemonic, ".TTINSN"))
        return assemble_raw(&line, word);
    insn = find_insn(&line);
    return insn && assemble_insn(&line, insn, word);
}
