/*
 * setting.c - see setting.h.
 *
 * Block: none.
 *
 * **Inaccuracies**: none.
 */
#include "setting.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool settings_put(struct settings *s, const char *name, const char *value, const char *where)
{
    struct waitgate_text_error error;
    char *rest;
    errno = 0;
    unsigned long long v = strtoull(value, &rest, 0);
    bool forced = *rest == '!' && !rest[1];
    if (errno || rest == value || *value == '-' || (*rest && !forced) || v > UINT32_MAX) {
        fprintf(stderr, "%s: expected NAME=VALUE or NAME=VALUE!, found '%s'\n", where, value);
        return false;
    }
    struct waitgate_setting one = {name, (uint32_t)v, forced};
    if (waitgate_timing_check(&one, &error) != WAITGATE_OK) {
        fprintf(stderr, "%s: %s\n", where, error.message);
        return false;
    }
    if (s->n == SETTINGS_MAX) {
        fprintf(stderr, "%s: no more than %u of them\n", where, SETTINGS_MAX);
        return false;
    }
    snprintf(s->name[s->n], sizeof s->name[0], "%s", name);
    one.name = s->name[s->n];
    s->setting[s->n++] = one;
    return true;
}

bool settings_add(struct settings *s, const char *text, const char *where)
{
    char name[64];
    const char *equals = strchr(text, '=');
    if (!equals || equals == text) {
        fprintf(stderr, "%s: expected NAME=VALUE or NAME=VALUE!, found '%s'\n", where, text);
        return false;
    }
    snprintf(name, sizeof name, "%.*s", (int)(equals - text), text);
    return settings_put(s, name, equals + 1, where);
}
