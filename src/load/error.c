/* error.c - see error.h. */
#include "load/error.h"

#include <stdarg.h>
#include <stdio.h>

enum load_status error_set(struct load_error *error, enum load_status status, const char *format,
                           ...)
{
    if (!error)
        return status;
    error->status = status;
    error->line = 0;
    error->column = 0;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    return status;
}

enum load_status error_memory(struct load_error *error)
{
    return error_set(error, LOAD_ERROR_MEMORY, "no memory");
}
