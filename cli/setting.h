/* setting.h - numbers of a machine that are to be others than the typical ones, as they are written: NAME=VALUE, NAME=VALUE!. */
#ifndef WAITGATE_CLI_SETTING_H
#define WAITGATE_CLI_SETTING_H

#include <stdbool.h>

#include "waitgate.h"

#define SETTINGS_MAX 128u

struct settings {
    unsigned n;
    struct waitgate_setting setting[SETTINGS_MAX];
    char name[SETTINGS_MAX][48];
};

/* Adds one; false, with a message that begins with where, if it is none, or cannot be. */
bool settings_add(struct settings *s, const char *text, const char *where);
/* The same, with name and value apart. */
bool settings_put(struct settings *s, const char *name, const char *value, const char *where);

#endif
