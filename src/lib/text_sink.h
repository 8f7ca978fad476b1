/*
 * text_sink.h - formatted text into a caller's write function.
 */
#ifndef WG_LIB_TEXT_SINK_H
#define WG_LIB_TEXT_SINK_H

#include <stddef.h>

#include "waitgate.h"

struct text_sink {
    waitgate_write *write;
    void *context;
};

/* One piece of at most 1 KiB; what is longer is cut. */
void text_sink_print(const struct text_sink *o, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* A JSON string with its quotes. */
void text_sink_json(const struct text_sink *o, const char *text);
/* The same with the name of a member in front and a colon between. */
void text_sink_json_member(const struct text_sink *o, const char *name, const char *text);

#endif
