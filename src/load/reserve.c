/*
 * reserve.c - see reserve.h.
 *
 * Inaccuracies: a host that hands out more memory than it has says yes too often.
 */
#include "load/reserve.h"

#include <stdlib.h>

#define LEAST (256u << 10)        /* what there is besides */
#define MOST  (UINT64_C(8) << 30) /* a file that needs more is damaged */

bool reserve_has(uint64_t bytes, unsigned each)
{
    if (bytes > MOST / each)
        return false;
    void *room = malloc((size_t)bytes * each + LEAST);
    bool there = room != NULL;
    free(room);
    return there;
}
