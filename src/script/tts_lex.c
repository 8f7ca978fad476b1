/*
 * tts_lex.c - see tts_lex.h.
 */
#include "script/tts_lex.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "isa/tensix_asm.h"

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_word(char c)
{
    return is_letter(c) || is_digit(c);
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

void tts_lex_open(struct lex *l, const char *text, size_t len, struct tts_error *error)
{
    *l = (struct lex){.p = text, .end = text + len, .line_start = text, .line = 1, .error = error};
}

__attribute__((format(printf, 4, 0))) static void
tts_lex_vfail(struct lex *l, unsigned line, unsigned column, const char *format, va_list args)
{
    if (!l->failed) {
        l->failed = true;
        l->error->line = line;
        l->error->column = column;
        vsnprintf(l->error->text, sizeof l->error->text, format, args);
    }
    l->p = l->end;
}

static unsigned lex_column(const struct lex *l, const char *at)
{
    return (unsigned)(at - l->line_start) + 1;
}

bool tts_lex_fail_line(struct lex *l, unsigned line, unsigned column, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    tts_lex_vfail(l, line, column, format, args);
    va_end(args);
    return false;
}

bool tts_lex_fail_at(struct lex *l, const char *at, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    tts_lex_vfail(l, l->line, lex_column(l, at), format, args);
    va_end(args);
    return false;
}

bool tts_lex_fail(struct lex *l, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    tts_lex_vfail(l, l->line, lex_column(l, l->p), format, args);
    va_end(args);
    return false;
}

/* A # opens a comment at the start of a line or after a blank, // does anywhere. */
static bool at_comment(const struct lex *l, const char *p)
{
    if (p == l->end)
        return false;
    if (*p == '#')
        return p == l->line_start || is_blank(p[-1]);
    return *p == '/' && p + 1 < l->end && p[1] == '/';
}

void tts_lex_blank(struct lex *l)
{
    while (l->p < l->end && is_blank(*l->p))
        l->p++;
    if (at_comment(l, l->p))
        while (l->p < l->end && *l->p != '\n')
            l->p++;
}

bool tts_lex_eol(struct lex *l)
{
    tts_lex_blank(l);
    return l->p == l->end || *l->p == '\n';
}

bool tts_lex_newline(struct lex *l)
{
    if (l->p == l->end)
        return false;
    l->p++;
    l->line++;
    l->line_start = l->p;
    return true;
}

const char *tts_lex_found(struct lex *l, char buf[24])
{
    if (tts_lex_eol(l))
        return "the end of the line";
    struct lex_text w = tts_lex_peek_word(l);
    if (w.n)
        snprintf(buf, 24, "'%.*s'", (int)(w.n < 18 ? w.n : 18), w.p);
    else if (*l->p > ' ' && *l->p < 127)
        snprintf(buf, 24, "'%c'", *l->p);
    else
        snprintf(buf, 24, "the byte 0x%02x", (unsigned)(unsigned char)*l->p);
    return buf;
}

bool tts_lex_expect_eol(struct lex *l)
{
    if (l->failed)
        return false;
    char buf[24];
    return tts_lex_eol(l) ||
           tts_lex_fail(l, "expected the end of the line, found %s", tts_lex_found(l, buf));
}

struct lex_text tts_lex_peek_word(struct lex *l)
{
    tts_lex_blank(l);
    struct lex_text t = {l->p, 0};
    if (l->p == l->end || !is_letter(*l->p))
        return t;
    while (t.p + t.n < l->end &&
           (is_word(t.p[t.n]) || t.p[t.n] == '.' ||
            (t.p[t.n] == '-' && t.p + t.n + 1 < l->end && is_word(t.p[t.n + 1]))))
        t.n++;
    return t;
}

bool tts_lex_same(struct lex_text t, const char *s)
{
    if (strlen(s) != t.n)
        return false;
    for (size_t i = 0; i < t.n; i++)
        if (lower(s[i]) != lower(t.p[i]))
            return false;
    return true;
}

bool tts_lex_accept_word(struct lex *l, const char *word)
{
    struct lex_text t = tts_lex_peek_word(l);
    if (!t.n || !tts_lex_same(t, word))
        return false;
    l->p += t.n;
    return true;
}

bool tts_lex_accept(struct lex *l, const char *chars)
{
    tts_lex_blank(l);
    size_t n = strlen(chars);
    if ((size_t)(l->end - l->p) < n || memcmp(l->p, chars, n) != 0)
        return false;
    l->p += n;
    return true;
}

bool tts_lex_accept_char(struct lex *l, char c)
{
    tts_lex_blank(l);
    if (l->p == l->end || *l->p != c)
        return false;
    l->p++;
    return true;
}

bool tts_lex_expect_char(struct lex *l, char c)
{
    char buf[24];
    return tts_lex_accept_char(l, c) ||
           tts_lex_fail(l, "expected '%c', found %s", c, tts_lex_found(l, buf));
}

bool tts_lex_at_digit(struct lex *l)
{
    tts_lex_blank(l);
    return l->p < l->end && is_digit(*l->p);
}

static int digit_value(char c)
{
    if (is_digit(c))
        return c - '0';
    c = lower(c);
    return c >= 'a' && c <= 'z' ? c - 'a' + 10 : 99;
}

bool tts_lex_number(struct lex *l, uint64_t max, const char *what, uint64_t *out)
{
    char buf[24];
    if (!tts_lex_at_digit(l))
        return tts_lex_fail(l, "expected %s, found %s", what, tts_lex_found(l, buf));
    const char *start = l->p, *p = l->p;
    unsigned base = 10;
    if (*p == '0' && p + 1 < l->end && (lower(p[1]) == 'x' || lower(p[1]) == 'b')) {
        base = lower(p[1]) == 'x' ? 16 : 2;
        p += 2;
    }
    uint64_t value = 0;
    const char *digits = p;
    bool large = false;
    for (; p < l->end && is_word(*p); p++) {
        if (*p == '_')
            continue;
        unsigned d = (unsigned)digit_value(*p);
        if (d >= base)
            return tts_lex_fail_at(l, p, "'%c' is not a digit of base %u", *p, base);
        if (value > (UINT64_MAX - d) / base)
            large = true;
        value = value * base + d;
    }
    if (p == digits)
        return tts_lex_fail_at(l, start, "expected digits after '%.2s'", start);
    if (large || value > max)
        return tts_lex_fail_at(l, start, "%s must be 0..%llu", what, (unsigned long long)max);
    l->p = p;
    *out = value;
    return true;
}

static size_t name_matches(const struct lex *l, const char *name)
{
    size_t n = strlen(name);
    if (!n || (size_t)(l->end - l->p) < n)
        return 0;
    for (size_t i = 0; i < n; i++)
        if (lower(name[i]) != lower(l->p[i]))
            return 0;
    const char *after = l->p + n;
    return after < l->end && is_word(*after) ? 0 : n;
}

int tts_lex_name(struct lex *l, const char *const *names, unsigned n)
{
    tts_lex_blank(l);
    int best = -1;
    size_t best_length = 0;
    for (unsigned i = 0; i < n; i++) {
        size_t length = names[i] ? name_matches(l, names[i]) : 0;
        if (length > best_length) {
            best_length = length;
            best = (int)i;
        }
    }
    l->p += best_length;
    return best;
}

bool tts_lex_thread(struct lex *l, uint8_t *out)
{
    char buf[24];
    int i = tts_lex_name(l, tts_core_names, 3);
    if (i < 0)
        return tts_lex_fail(l, "expected T0, T1 or T2, found %s", tts_lex_found(l, buf));
    *out = (uint8_t)i;
    return true;
}

bool tts_lex_sem(struct lex *l, uint16_t *out)
{
    char buf[24];
    int i = tts_lex_name(l, tts_sem_names, 8);
    if (i >= 0) {
        *out = (uint16_t)i;
        return true;
    }
    uint64_t value;
    if (!tts_lex_at_digit(l))
        return tts_lex_fail(
            l, "expected a semaphore (0..7 or its name), found %s", tts_lex_found(l, buf));
    if (!tts_lex_number(l, 7, "a semaphore", &value))
        return false;
    *out = (uint16_t)value;
    return true;
}

static const char *instruction_end(const struct lex *l)
{
    const char *p = l->p;
    while (p < l->end && *p != '\n' && *p != ';' && *p != ']' && *p != '}' && !at_comment(l, p))
        p++;
    while (p > l->p && is_blank(p[-1]))
        p--;
    return p;
}

bool tts_lex_instruction(struct lex *l, uint32_t *word)
{
    tts_lex_blank(l);
    char buf[24];
    if (tts_lex_at_digit(l)) {
        uint64_t value;
        if (!tts_lex_number(l, UINT32_MAX, "an instruction word", &value))
            return false;
        *word = (uint32_t)value;
        return true;
    }
    const char *end = instruction_end(l);
    if (end == l->p)
        return tts_lex_fail(l, "expected an instruction, found %s", tts_lex_found(l, buf));
    struct tensix_asm_error e = {0};
    if (!tensix_asm_text(l->p, (size_t)(end - l->p), word, &e)) {
        const char *at = e.column ? l->p + (e.column - 1) : l->p;
        return tts_lex_fail_at(
            l, at <= end ? at : end, "%s", e.empty ? "expected an instruction" : e.message);
    }
    l->p = end;
    return true;
}
