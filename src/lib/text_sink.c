/*
 * text_sink.c - see text_sink.h.
 *
 * Inaccuracies: none.
 */
#include "lib/text_sink.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void text_sink_print(const struct text_sink *o, const char *format, ...)
{
    char buf[1024];
    va_list args;
    va_start(args, format);
    int n = vsnprintf(buf, sizeof buf, format, args);
    va_end(args);
    if (n <= 0)
        return;
    size_t length = (size_t)n < sizeof buf ? (size_t)n : sizeof buf - 1;
    o->write(o->context, buf, length);
}

void text_sink_json(const struct text_sink *o, const char *text)
{
    const char *start = text;
    o->write(o->context, "\"", 1);
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c >= ' ' && c != '"' && c != '\\' && c < 127)
            continue;
        if (text > start)
            o->write(o->context, start, (size_t)(text - start));
        if (c == '"' || c == '\\')
            text_sink_print(o, "\\%c", c);
        else
            text_sink_print(o, "\\u%04x", c);
        start = text + 1;
    }
    if (text > start)
        o->write(o->context, start, (size_t)(text - start));
    o->write(o->context, "\"", 1);
}

void text_sink_json_member(const struct text_sink *o, const char *name, const char *text)
{
    text_sink_print(o, "\"%s\": ", name);
    text_sink_json(o, text);
}
