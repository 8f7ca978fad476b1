/*
 * status.c - the words for enum waitgate_status.
 *
 * Block: none. Documents: include/waitgate.h. Every status of the header has a line here; the
 * compiler's -Wswitch says which is missing.
 *
 * **Inaccuracies**: none.
 */
#include "waitgate.h"

const char *waitgate_status_text(enum waitgate_status status)
{
    switch (status) {
    case WAITGATE_OK: return "no error";
    case WAITGATE_EMPTY: return "the text holds no instruction";
    case WAITGATE_ERROR_ARGUMENT: return "bad argument";
    case WAITGATE_ERROR_RANGE: return "out of range";
    case WAITGATE_ERROR_SYNTAX: return "syntax error";
    case WAITGATE_ERROR_MEMORY: return "out of memory";
    case WAITGATE_ERROR_INTERNAL: return "internal error";
    }
    return "unknown status";
}
