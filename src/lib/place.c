/*
 * place.c - where an instruction comes from, in words.
 *
 * Block: none.
 *
 * **Inaccuracies**: none.
 */
#include <stdio.h>
#include <string.h>

#include "lib/handle.h"

int place_of_tag(const struct tile *t, unsigned thread, unsigned tag, uint32_t *pc)
{
    bool by_b;
    if (!sites_find(&t->sites, tag, pc, &by_b))
        return -1;
    return by_b ? 0 : (int)thread + 1;
}

int place_core(unsigned agent)
{
    static const int8_t number[] = {0, 4, 1, 2, 3}; /* B, NC, T0, T1, T2 */
    return agent >= OWNER_CORE_B && agent <= OWNER_CORE_T2 ? number[agent - OWNER_CORE_B] : -1;
}

const char *place_text(const waitgate_tile *tile, int core, uint32_t pc, char *buf, size_t n)
{
    struct waitgate_source s = {.function = "", .file = ""};
    int at;
    buf[0] = '\0';
    if (core < 0)
        return buf;
    at = snprintf(buf, n, "0x%05x", pc);
    if (!tile->place || !tile->place(tile->place_context, (unsigned)core, pc, &s) || at < 0)
        return buf;
    if (s.function && *s.function)
        at += snprintf(buf + at, (size_t)at < n ? n - (size_t)at : 0, " %s+0x%x", s.function, s.offset);
    if (s.file && *s.file && (size_t)at < n)
        snprintf(buf + at, n - (size_t)at, " (%s:%u)", s.file, s.line);
    return buf;
}
