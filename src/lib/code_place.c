/*
 * code_place.c - where an instruction comes from, in words.
 *
 * Block: none.
 *
 * **Inaccuracies**: none.
 */
#include <stdio.h>
#include <string.h>

#include "lib/handle.h"
#include "lib/handle_alpha.h"

int code_place_of_tag(const struct tile *tile, unsigned thread, unsigned tag, uint32_t *pc)
{
    bool by_b;
    if (!sites_find(&tile->sites, tag, pc, &by_b))
        return -1;
    return by_b ? 0 : (int)thread + 1;
}

int code_place_core(unsigned agent)
{
    static const int8_t number[] = {0, 4, 1, 2, 3}; /* B, NC, T0, T1, T2 */
    return agent >= OWNER_CORE_B && agent <= OWNER_CORE_T2 ? number[agent - OWNER_CORE_B] : -1;
}

uint64_t code_place_pc(const waitgate_tile *tile, uint32_t pc)
{
    return tile->host ? alpha_window_pc(&tile->host->window, pc) : pc;
}

bool code_place_find_host(const waitgate_tile *tile, uint64_t pc, struct waitgate_source *s)
{
    const waitgate_alpha *a = tile->host;
    *s = (struct waitgate_source){.function = "", .file = ""};
    return a && a->place && a->place(a->place_context, pc, s);
}

bool code_place_find(const waitgate_tile *tile, int core, uint32_t pc, struct waitgate_source *s)
{
    if (core >= 0 && tile->host)
        return code_place_find_host(tile, code_place_pc(tile, pc), s);
    *s = (struct waitgate_source){.function = "", .file = ""};
    return core >= 0 && tile->place && tile->place(tile->place_context, (unsigned)core, pc, s);
}

const char *code_place_text(const waitgate_tile *tile, int core, uint32_t pc, char *buf, size_t n)
{
    struct waitgate_source s;
    char function[160] = "", line[320] = "";
    buf[0] = '\0';
    if (core < 0)
        return buf;
    if (tile->host)
        return report_alpha_place(tile->host, code_place_pc(tile, pc), buf, n);
    if (code_place_find(tile, core, pc, &s)) {
        if (s.function && *s.function)
            snprintf(function, sizeof function, " %s+0x%x", s.function, s.offset);
        if (s.file && *s.file)
            snprintf(line, sizeof line, " (%s:%u)", s.file, s.line);
    }
    snprintf(buf, n, "0x%05x%s%s", pc, function, line);
    return buf;
}
