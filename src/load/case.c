/*
 * case.c - see case.h. libfyaml reads YAML and JSON alike; each mapping of the format has a list of
 * its keys and one function that takes their values.
 *
 * libfyaml 0.7.12 never returns from some texts that are none: bytes that are not UTF-8, directives. So
 * these are refused before it sees them. Nor does it survive an allocation that fails: see reserve.h.
 *
 * Inaccuracies: directives and aliases of YAML are refused, a second document in the file is not seen.
 */
#include "load/case.h"

#include <libfyaml.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "load/case_node.h"
#include "load/file.h"
#include "load/reserve.h"

#define YAML_BYTES 1024u /* of memory per byte of text: libfyaml takes up to 510 */

/* An address in L1 and the n bytes from there. */
static enum load_status check_l1(const struct case_reader *reader, struct fy_node *node,
                                 uint32_t addr, uint64_t n, bool aligned)
{
    if (aligned && addr % 4)
        return case_node_fail(reader, node, "address 0x%x is not a multiple of 4", (unsigned)addr);
    if (addr >= LOAD_L1_SIZE || n > LOAD_L1_SIZE - addr)
        return case_node_fail(reader,
                              node,
                              "%llu bytes at 0x%x lie outside L1 (0x0..0x%x)",
                              (unsigned long long)n,
                              (unsigned)addr,
                              (unsigned)(LOAD_L1_SIZE - 1));
    return LOAD_OK;
}

static enum load_status take_u32(const struct case_reader *reader, struct fy_node *node,
                                 const char *what, uint32_t *out)
{
    uint64_t number;
    enum load_status status = case_node_number(reader, node, what, UINT32_MAX, &number);
    if (status == LOAD_OK)
        *out = (uint32_t)number;
    return status;
}

static enum load_status take_path(const struct case_reader *reader, struct fy_node *node,
                                  const char *what, char **out)
{
    char *name = NULL;
    enum load_status status = case_node_text(reader, node, what, &name);
    if (status != LOAD_OK)
        return status;
    *out = file_beside(reader->path, name);
    free(name);
    return *out ? LOAD_OK : error_memory(reader->error);
}

/* ---- l1, expect ---- */

static enum load_status l1_key(const struct case_reader *reader, void *context, unsigned key,
                               struct fy_node *value)
{
    struct case_l1 *l1 = context;
    switch (key) {
    case 0: return take_path(reader, value, "file", &l1->file);
    case 1: return case_node_words(reader, value, &l1->words, &l1->n_words);
    default: return take_u32(reader, value, "at", &l1->at);
    }
}

static enum load_status take_l1(const struct case_reader *reader, void *context, unsigned index,
                                struct fy_node *node)
{
    static const char *const keys[] = {"file", "words", "at", NULL};
    struct case_file *file = context;
    struct case_l1 *l1 = &file->l1[index];
    l1->at = UINT32_MAX;
    l1->line = case_node_line(node);
    enum load_status status = case_node_mapping(reader, node, "an entry of l1", keys, l1_key, l1);
    if (status != LOAD_OK)
        return status;
    if (!l1->file == !l1->words)
        return case_node_fail(reader, node, "an entry of l1 needs either file or words");
    if (l1->at == UINT32_MAX)
        return case_node_fail(reader, node, "an entry of l1 needs at, the address");
    return check_l1(reader, node, l1->at, (uint64_t)l1->n_words * 4, l1->words != NULL);
}

static enum load_status expect_key(const struct case_reader *reader, void *context, unsigned key,
                                   struct fy_node *value)
{
    struct case_expect *expect = context;
    if (key == 0)
        return take_u32(reader, value, "at", &expect->at);
    return case_node_words(reader, value, &expect->words, &expect->n_words);
}

static enum load_status take_expect(const struct case_reader *reader, void *context, unsigned index,
                                    struct fy_node *node)
{
    static const char *const keys[] = {"at", "words", NULL};
    struct case_file *file = context;
    struct case_expect *expect = &file->expects[index];
    expect->at = UINT32_MAX;
    expect->line = case_node_line(node);
    enum load_status status =
        case_node_mapping(reader, node, "an entry of expect", keys, expect_key, expect);
    if (status != LOAD_OK)
        return status;
    if (expect->at == UINT32_MAX || !expect->words)
        return case_node_fail(reader, node, "an entry of expect needs at and words");
    return check_l1(reader, node, expect->at, (uint64_t)expect->n_words * 4, true);
}

/* ---- until, dump ---- */

struct until_seen {
    struct case_until *until;
    bool address, value;
};

static enum load_status until_key(const struct case_reader *reader, void *context, unsigned key,
                                  struct fy_node *value)
{
    struct until_seen *seen = context;
    if (key == 0) {
        seen->address = true;
        return take_u32(reader, value, "address", &seen->until->address);
    }
    seen->value = true;
    return take_u32(reader, value, "value", &seen->until->value);
}

static enum load_status take_until(const struct case_reader *reader, void *context, unsigned index,
                                   struct fy_node *node)
{
    static const char *const keys[] = {"address", "value", NULL};
    struct case_file *file = context;
    struct until_seen seen = {.until = &file->until[index]};
    enum load_status status = case_node_mapping(reader, node, "until", keys, until_key, &seen);
    if (status != LOAD_OK)
        return status;
    if (!seen.address || !seen.value)
        return case_node_fail(reader, node, "until needs address and value");
    return check_l1(reader, node, seen.until->address, 4, true);
}

static enum load_status dump_key(const struct case_reader *reader, void *context, unsigned key,
                                 struct fy_node *value)
{
    struct case_dump *dump = context;
    switch (key) {
    case 0: return take_u32(reader, value, "from", &dump->from);
    case 1: return take_u32(reader, value, "length", &dump->length);
    default: return take_path(reader, value, "file", &dump->file);
    }
}

static enum load_status take_dump(const struct case_reader *reader, void *context, unsigned index,
                                  struct fy_node *node)
{
    static const char *const keys[] = {"from", "length", "file", NULL};
    struct case_file *file = context;
    struct case_dump *dump = &file->dumps[index];
    dump->from = UINT32_MAX;
    enum load_status status =
        case_node_mapping(reader, node, "an entry of dump", keys, dump_key, dump);
    if (status != LOAD_OK)
        return status;
    if (dump->from == UINT32_MAX || !dump->length || !dump->file)
        return case_node_fail(reader, node, "an entry of dump needs from, length and file");
    return check_l1(reader, node, dump->from, dump->length, false);
}

/* ---- the whole ---- */

enum {
    KEY_BRISC,
    KEY_TRISC0,
    KEY_TRISC1,
    KEY_TRISC2,
    KEY_NCRISC,
    KEY_RELEASE,
    KEY_L1,
    KEY_UNTIL,
    KEY_DUMP,
    KEY_EXPECT,
    KEY_MAX_STEPS,
    KEY_MODE,
    KEY_TIMING
};
static const char *const CASE_KEYS[] = {
    "brisc", /* the first five in the order of enum load_core */
    "trisc0",
    "trisc1",
    "trisc2",
    "ncrisc",
    "release",
    "l1",
    "until",
    "dump",
    "expect",
    "max_steps",
    "mode",
    "timing",
    NULL,
};

static enum load_status take_release(const struct case_reader *reader, void *context,
                                     unsigned index, struct fy_node *node)
{
    (void)index;
    struct case_file *file = context;
    char *name = NULL;
    enum load_status status = case_node_text(reader, node, "release", &name);
    if (status != LOAD_OK)
        return status;
    unsigned core = 0;
    while (core < LOAD_N_CORES && strcmp(name, CASE_KEYS[core]) != 0)
        core++;
    free(name);
    if (core == LOAD_N_CORES)
        return case_node_fail(
            reader, node, "release names cores: brisc, trisc0, trisc1, trisc2, ncrisc");
    file->released[core] = true;
    return LOAD_OK;
}

static enum load_status take_mode(const struct case_reader *reader, struct fy_node *node,
                                  struct case_file *file)
{
    char *name = NULL;
    enum load_status status = case_node_text(reader, node, "mode", &name);
    if (status != LOAD_OK)
        return status;
    bool clocked = strcmp(name, "clocked") == 0, untimed = strcmp(name, "untimed") == 0;
    free(name);
    if (!clocked && !untimed)
        return case_node_fail(reader, node, "mode must be untimed or clocked");
    file->mode = clocked ? CASE_CLOCKED : CASE_UNTIMED;
    return LOAD_OK;
}

static enum load_status take_timing(const struct case_reader *reader, void *context, unsigned index,
                                    const char *key, size_t length, struct fy_node *value)
{
    struct case_timing *t = &((struct case_file *)context)->timing[index];
    t->line = case_node_line(value);
    t->name = file_copy_text(key, length);
    return t->name ? case_node_text(reader, value, "timing", &t->value)
                   : error_memory(reader->error);
}

/* Room for the items of a list, all zero; NULL without memory. */
static void *make_items(struct fy_node *list, size_t size, unsigned *n)
{
    *n = case_node_count(list, true);
    return calloc(*n ? *n : 1, size);
}

static enum load_status take_items(const struct case_reader *reader, struct fy_node *list,
                                   const char *what, const void *room, node_take *take,
                                   struct case_file *file)
{
    if (!room)
        return error_memory(reader->error);
    return case_node_list(reader, list, what, true, take, file);
}

static enum load_status take_limit(const struct case_reader *reader, struct fy_node *value,
                                   const char *what, uint64_t *limit)
{
    enum load_status status = case_node_number(reader, value, what, UINT64_MAX, limit);
    if (status == LOAD_OK && !*limit)
        return case_node_fail(reader, value, "%s must be at least 1", what);
    return status;
}

struct case_keys {
    struct case_file *file;
    bool release;
};

static enum load_status case_key(const struct case_reader *reader, void *context, unsigned key,
                                 struct fy_node *value)
{
    struct case_keys *keys = context;
    struct case_file *f = keys->file;
    const char *what = CASE_KEYS[key];
    switch (key) {
    case KEY_RELEASE:
        keys->release = true;
        return case_node_list(reader, value, what, true, take_release, f);
    case KEY_L1:
        f->l1 = make_items(value, sizeof *f->l1, &f->n_l1);
        return take_items(reader, value, what, f->l1, take_l1, f);
    case KEY_UNTIL:
        f->until = make_items(value, sizeof *f->until, &f->n_until);
        return take_items(reader, value, what, f->until, take_until, f);
    case KEY_DUMP:
        f->dumps = make_items(value, sizeof *f->dumps, &f->n_dumps);
        return take_items(reader, value, what, f->dumps, take_dump, f);
    case KEY_EXPECT:
        f->expects = make_items(value, sizeof *f->expects, &f->n_expects);
        return take_items(reader, value, what, f->expects, take_expect, f);
    case KEY_MAX_STEPS: return take_limit(reader, value, what, &f->max_steps);
    case KEY_MODE: return take_mode(reader, value, f);
    case KEY_TIMING:
        f->n_timing = case_node_pair_count(value);
        f->timing = calloc(f->n_timing + 1, sizeof *f->timing);
        return f->timing ? case_node_pairs(reader, value, what, take_timing, f)
                         : error_memory(reader->error);
    default: return take_path(reader, value, what, &f->programs[key]);
    }
}

static enum load_status read_document(const struct case_reader *reader,
                                      struct fy_document *document, struct case_file *file)
{
    struct case_keys keys = {.file = file};
    struct fy_node *root = fy_document_root(document);
    enum load_status status =
        case_node_mapping(reader, root, "a case file", CASE_KEYS, case_key, &keys);
    if (status != LOAD_OK)
        return status;
    bool any = false;
    for (unsigned i = 0; i < LOAD_N_CORES; i++) {
        any |= file->programs[i] != NULL;
        if (file->released[i] && !file->programs[i])
            return case_node_fail(reader, root, "%s is released but has no program", CASE_KEYS[i]);
    }
    if (!any)
        return case_node_fail(
            reader, root, "no program: one of brisc, trisc0, trisc1, trisc2, ncrisc is needed");
    if (file->n_timing && file->mode != CASE_CLOCKED)
        return case_node_fail(reader, root, "timing needs mode: clocked");
    for (unsigned i = 0; i < LOAD_N_CORES && !keys.release; i++)
        file->released[i] = file->programs[i] && (i == LOAD_CORE_B || !file->programs[LOAD_CORE_B]);
    return LOAD_OK;
}

/* The length of the character at p, 0 if it is no printable character of UTF-8, tab or end of line. */
static size_t character(const unsigned char *p, size_t n)
{
    if (*p < 0x80)
        return *p == '\t' || *p == '\n' || *p == '\r' || (*p >= 0x20 && *p != 0x7F);
    size_t length = *p >= 0xC2 && *p < 0xE0   ? 2
                    : (*p & 0xF0) == 0xE0     ? 3
                    : *p >= 0xF0 && *p < 0xF5 ? 4
                                              : 0;
    if (length > n)
        return 0;
    for (size_t i = 1; i < length; i++)
        if ((p[i] & 0xC0) != 0x80)
            return 0;
    bool overlong = (*p == 0xE0 && p[1] < 0xA0) || (*p == 0xF0 && p[1] < 0x90);
    bool no_character = (*p == 0xED && p[1] >= 0xA0) || (*p == 0xF4 && p[1] >= 0x90);
    bool control = *p == 0xC2 && p[1] < 0xA0;
    return overlong || no_character || control ? 0 : length;
}

static enum load_status fail_at(const struct case_reader *reader, unsigned line, unsigned column,
                                const char *what)
{
    error_set(reader->error, LOAD_ERROR_SYNTAX, "%s:%u:%u: %s", reader->path, line, column, what);
    if (reader->error) {
        reader->error->line = line;
        reader->error->column = column;
    }
    return LOAD_ERROR_SYNTAX;
}

static enum load_status check_text(const struct case_reader *reader, const char *text, size_t size)
{
    unsigned line = 1, column = 1;
    for (size_t i = 0, length; i < size; i += length) {
        length = character((const unsigned char *)text + i, size - i);
        if (!length)
            return fail_at(reader, line, column, "not a text: no printable character of UTF-8");
        if (text[i] == '%' && column == 1)
            return fail_at(reader, line, column, "directives of YAML are not taken");
        column++;
        if (text[i] == '\n' || text[i] == '\r') {
            line += text[i] == '\n';
            column = 1;
        }
    }
    return LOAD_OK;
}

/* Nothing but space and comments? */
static bool is_blank(const char *text, size_t size)
{
    bool comment = false;
    for (size_t i = 0; i < size; i++) {
        if (text[i] == '\n')
            comment = false;
        else if (text[i] == '#')
            comment = true;
        else if (!comment && text[i] != ' ' && text[i] != '\t' && text[i] != '\r')
            return false;
    }
    return true;
}

/* The first thing libfyaml had to say. */
static enum load_status syntax_error(const struct case_reader *reader, struct fy_diag *diag)
{
    void *position = NULL;
    const struct fy_diag_error *found = fy_diag_errors_iterate(diag, &position);
    unsigned line = found && found->line > 0 ? (unsigned)found->line : 1;
    unsigned column = found && found->column > 0 ? (unsigned)found->column : 1;
    return fail_at(
        reader, line, column, found && found->msg ? found->msg : "neither YAML nor JSON");
}

static enum load_status parse(const struct case_reader *reader, const char *text, size_t size,
                              struct case_file *file)
{
    enum load_status status = check_text(reader, text, size);
    if (status == LOAD_OK && is_blank(text, size))
        status = fail_at(reader, 1, 1, "the file is empty; a case needs a program, brisc: FILE");
    if (status != LOAD_OK)
        return status;
    if (!reserve_has(size, YAML_BYTES))
        return error_memory(reader->error);
    struct fy_diag_cfg diag_config;
    fy_diag_cfg_default(&diag_config);
    diag_config.fp = NULL;
    struct fy_diag *diag = fy_diag_create(&diag_config);
    if (!diag)
        return error_memory(reader->error);
    fy_diag_set_collect_errors(diag, true);
    struct fy_parse_cfg config = {.flags = FYPCF_QUIET | FYPCF_COLLECT_DIAG, .diag = diag};
    struct fy_document *document = fy_document_build_from_string(&config, text, size);
    if (document) {
        status = read_document(reader, document, file);
        fy_document_destroy(document);
    } else {
        status = syntax_error(reader, diag);
    }
    fy_diag_destroy(diag);
    return status;
}

enum load_status case_read_memory(const char *text, size_t size, const char *path,
                                  struct case_file **out, struct load_error *error)
{
    *out = NULL;
    struct case_file *file = calloc(1, sizeof *file);
    if (!file)
        return error_memory(error);
    struct case_reader reader = {.path = path, .error = error};
    file->path = file_copy_text(path, strlen(path));
    enum load_status status = file->path ? parse(&reader, text, size, file) : error_memory(error);
    if (status == LOAD_OK)
        *out = file;
    else
        case_free(file);
    return status;
}

enum load_status case_read(const char *path, struct case_file **out, struct load_error *error)
{
    *out = NULL;
    struct file_bytes bytes;
    enum load_status status = file_read(path, &bytes, error);
    if (status != LOAD_OK)
        return status;
    status = case_read_memory((const char *)bytes.data, bytes.size, path, out, error);
    free(bytes.data);
    return status;
}

void case_free(struct case_file *file)
{
    if (!file)
        return;
    for (unsigned i = 0; i < LOAD_N_CORES; i++)
        free(file->programs[i]);
    for (unsigned i = 0; file->l1 && i < file->n_l1; i++) {
        free(file->l1[i].file);
        free(file->l1[i].words);
    }
    for (unsigned i = 0; file->dumps && i < file->n_dumps; i++)
        free(file->dumps[i].file);
    for (unsigned i = 0; file->timing && i < file->n_timing; i++) {
        free(file->timing[i].name);
        free(file->timing[i].value);
    }
    for (unsigned i = 0; file->expects && i < file->n_expects; i++)
        free(file->expects[i].words);
    free(file->timing);
    free(file->l1);
    free(file->until);
    free(file->dumps);
    free(file->expects);
    free(file->path);
    free(file);
}

static enum load_status add_l1(const struct case_file *file, const struct case_l1 *l1,
                               struct image *image, struct load_error *error)
{
    if (l1->file)
        return image_add_file(image, l1->file, l1->at, error);
    char name[256];
    snprintf(name, sizeof name, "%.200s:%u: words", file->path, l1->line);
    return image_add_words(image, name, l1->at, l1->words, l1->n_words, error);
}

enum load_status case_image(const struct case_file *file, struct image *image,
                            struct load_error *error)
{
    image_init(image);
    enum load_status status = LOAD_OK;
    for (unsigned i = 0; i < LOAD_N_CORES && status == LOAD_OK; i++)
        if (file->programs[i])
            status = image_add_elf(image, (enum load_core)i, file->programs[i], error);
    for (unsigned i = 0; i < file->n_l1 && status == LOAD_OK; i++)
        status = add_l1(file, &file->l1[i], image, error);
    if (status == LOAD_OK)
        status = image_finish(image, error);
    if (status != LOAD_OK)
        image_free(image);
    return status;
}
