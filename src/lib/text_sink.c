/*
 * text_sink.c - see out.h.
 *
 * Inaccuracies: none.
 */
#include "lib/text_sink.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void out_text(const struct out *o, const char *format, ...)
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

void out_json(const struct out *o, const char *text)
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
            out_text(o, "\\%c", c);
        else
            out_text(o, "\\u%04x", c);
        start = text + 1;
    }
    if (text > start)
        o->write(o->context, start, (size_t)(text - start));
    o->write(o->context, "\"", 1);
}

void out_json_member(const struct out *o, const char *name, const char *text)
{
    out_text(o, "\"%s\": ", name);
    out_json(o, text);
}
