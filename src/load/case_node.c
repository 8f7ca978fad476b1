/* case_node.c - see case_node.h. */
#include "load/case_node.h"

#include <libfyaml.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "load/file.h"

/* The first token of a node: a mapping or list has none of its own in block style. */
static const struct fy_mark *mark_of(struct fy_node *node)
{
    void *position = NULL;
    for (unsigned depth = 0; node && depth < 64; depth++, position = NULL) {
        struct fy_token *token = fy_node_get_scalar_token(node);
        if (token)
            return fy_token_start_mark(token);
        if (fy_node_is_mapping(node)) {
            struct fy_node_pair *pair = fy_node_mapping_iterate(node, &position);
            node = pair ? fy_node_pair_key(pair) : NULL;
        } else if (fy_node_is_sequence(node)) {
            node = fy_node_sequence_iterate(node, &position);
        } else {
            return NULL;
        }
    }
    return NULL;
}

unsigned case_node_line(struct fy_node *node)
{
    const struct fy_mark *mark = mark_of(node);
    return mark ? (unsigned)mark->line + 1 : 1;
}

enum load_status case_node_fail(const struct case_reader *reader, struct fy_node *node,
                                const char *format, ...)
{
    char what[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);

    const struct fy_mark *mark = mark_of(node);
    while (!mark && node && (node = fy_node_get_parent(node))) /* an empty list has no place */
        mark = mark_of(node);
    unsigned line = mark ? (unsigned)mark->line + 1 : 1;
    unsigned column = mark ? (unsigned)mark->column + 1 : 1;
    error_set(reader->error, LOAD_ERROR_SYNTAX, "%s:%u:%u: %s", reader->path, line, column, what);
    if (reader->error) {
        reader->error->line = line;
        reader->error->column = column;
    }
    return LOAD_ERROR_SYNTAX;
}

/* The characters of a plain value; NULL for anything else. */
static const char *scalar(struct fy_node *node, size_t *n)
{
    if (!node || !fy_node_is_scalar(node) || fy_node_is_alias(node))
        return NULL;
    const char *text = fy_node_get_scalar(node, n);
    return text ? text : NULL;
}

static bool parse_number(const char *text, size_t n, uint64_t *value)
{
    bool hex = n > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    uint64_t base = hex ? 16 : 10;
    *value = 0;
    if (!n)
        return false;
    for (size_t i = hex ? 2 : 0; i < n; i++) {
        unsigned char c = (unsigned char)text[i];
        uint64_t digit;
        if (c >= '0' && c <= '9')
            digit = (uint64_t)(c - '0');
        else if (hex && (c | 0x20) >= 'a' && (c | 0x20) <= 'f')
            digit = (uint64_t)((c | 0x20) - 'a' + 10);
        else
            return false;
        if (*value > (UINT64_MAX - digit) / base)
            return false;
        *value = *value * base + digit;
    }
    return true;
}

enum load_status case_node_number(const struct case_reader *reader, struct fy_node *node,
                                  const char *what, uint64_t max, uint64_t *value)
{
    size_t n;
    const char *text = scalar(node, &n);
    if (!text || !parse_number(text, n, value))
        return case_node_fail(reader, node, "%s must be a number, decimal or 0x...", what);
    if (*value > max)
        return case_node_fail(
            reader, node, "%s is larger than 0x%llx", what, (unsigned long long)max);
    return LOAD_OK;
}

enum load_status case_node_text(const struct case_reader *reader, struct fy_node *node,
                                const char *what, char **text)
{
    size_t n;
    const char *found = scalar(node, &n);
    if (!found || !n || memchr(found, '\0', n))
        return case_node_fail(reader, node, "%s must be a text", what);
    *text = file_copy_text(found, n);
    return *text ? LOAD_OK : error_memory(reader->error);
}

struct words {
    uint32_t *words;
};

static enum load_status take_word(const struct case_reader *reader, void *context, unsigned index,
                                  struct fy_node *value)
{
    struct words *words = context;
    uint64_t number;
    enum load_status status = case_node_number(reader, value, "a word", UINT32_MAX, &number);
    if (status == LOAD_OK)
        words->words[index] = (uint32_t)number;
    return status;
}

enum load_status case_node_words(const struct case_reader *reader, struct fy_node *node,
                                 uint32_t **words, unsigned *n_words)
{
    unsigned n = case_node_count(node, false);
    if (!n)
        return case_node_fail(reader, node, "words must be a list of numbers, [1, 0x2]");
    struct words context = {calloc(n, sizeof **words)};
    if (!context.words)
        return error_memory(reader->error);
    enum load_status status = case_node_list(reader, node, "words", false, take_word, &context);
    if (status != LOAD_OK) {
        free(context.words);
        return status;
    }
    *words = context.words;
    *n_words = n;
    return LOAD_OK;
}

static enum load_status unknown_key(const struct case_reader *reader, struct fy_node *key,
                                    const char *what, const char *const *keys)
{
    size_t n;
    const char *text = scalar(key, &n);
    char known[256] = "";
    size_t used = 0;
    for (unsigned i = 0; keys[i]; i++) {
        int written = snprintf(known + used, sizeof known - used, "%s%s", i ? ", " : "", keys[i]);
        if (written < 0 || (size_t)written >= sizeof known - used)
            break;
        used += (size_t)written;
    }
    if (!text)
        return case_node_fail(reader, key, "a key of %s must be one of %s", what, known);
    return case_node_fail(
        reader, key, "%s has no key '%.*s'; it has %s", what, (int)(n < 60 ? n : 60), text, known);
}

enum load_status case_node_mapping(const struct case_reader *reader, struct fy_node *node,
                                   const char *what, const char *const *keys, node_take *take,
                                   void *context)
{
    if (!node || !fy_node_is_mapping(node))
        return case_node_fail(reader, node, "%s must be a mapping, {key: value, ...}", what);
    void *position = NULL;
    struct fy_node_pair *pair;
    while ((pair = fy_node_mapping_iterate(node, &position)) != NULL) {
        struct fy_node *name = fy_node_pair_key(pair);
        size_t n = 0;
        const char *text = scalar(name, &n);
        unsigned key = 0;
        while (keys[key] && !(text && strlen(keys[key]) == n && memcmp(keys[key], text, n) == 0))
            key++;
        if (!keys[key])
            return unknown_key(reader, name, what, keys);
        enum load_status status = take(reader, context, key, fy_node_pair_value(pair));
        if (status != LOAD_OK)
            return status;
    }
    return LOAD_OK;
}

unsigned case_node_pair_count(struct fy_node *node)
{
    int n = node && fy_node_is_mapping(node) ? fy_node_mapping_item_count(node) : 0;
    return n > 0 ? (unsigned)n : 0;
}

enum load_status case_node_pairs(const struct case_reader *reader, struct fy_node *node,
                                 const char *what, node_take_pair *take, void *context)
{
    if (!node || !fy_node_is_mapping(node))
        return case_node_fail(reader, node, "%s must be a mapping, {NAME: VALUE, ...}", what);
    void *position = NULL;
    struct fy_node_pair *pair;
    for (unsigned i = 0; (pair = fy_node_mapping_iterate(node, &position)) != NULL; i++) {
        size_t n = 0;
        const char *text = scalar(fy_node_pair_key(pair), &n);
        if (!text)
            return case_node_fail(
                reader, fy_node_pair_key(pair), "a key of %s must be a name", what);
        enum load_status status = take(reader, context, i, text, n, fy_node_pair_value(pair));
        if (status != LOAD_OK)
            return status;
    }
    return LOAD_OK;
}

unsigned case_node_count(struct fy_node *node, bool one_is_enough)
{
    if (!node)
        return 0;
    if (!fy_node_is_sequence(node))
        return one_is_enough;
    int n = fy_node_sequence_item_count(node);
    return n > 0 ? (unsigned)n : 0;
}

enum load_status case_node_list(const struct case_reader *reader, struct fy_node *node,
                                const char *what, bool one_is_enough, node_take *take,
                                void *context)
{
    if (one_is_enough && node && !fy_node_is_sequence(node))
        return take(reader, context, 0, node);
    if (!node || !fy_node_is_sequence(node))
        return case_node_fail(reader, node, "%s must be a list, [...]", what);
    void *position = NULL;
    struct fy_node *item;
    for (unsigned i = 0; (item = fy_node_sequence_iterate(node, &position)) != NULL; i++) {
        enum load_status status = take(reader, context, i, item);
        if (status != LOAD_OK)
            return status;
    }
    return LOAD_OK;
}
