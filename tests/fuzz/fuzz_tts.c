/*
 * Fuzz target: any text as a program. What is refused must have a place and a message; what is taken
 * must run to one of the four ends, twice alike: with and without skipping.
 */
#include <stdlib.h>
#include <string.h>

#include "waitgate.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void hash_text(void *context, const char *text, size_t length)
{
    uint64_t *h = context;
    for (size_t i = 0; i < length; i++)
        *h = (*h ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
}

/* Everything a run says about itself, in one number. */
static uint64_t run_hash(const waitgate_program *program, int no_skip)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    struct waitgate_options o = WAITGATE_OPTIONS_INIT;
    o.max_cycles = 2000;
    o.no_skip = no_skip;
    o.trace = hash_text;
    o.trace_context = &h;
    waitgate_result *result;
    if (waitgate_run(program, &o, &result) != WAITGATE_OK)
        abort();
    waitgate_report_json(result, hash_text, &h);
    waitgate_report_summary(result, hash_text, &h);
    waitgate_report_held(result, hash_text, &h);
    waitgate_result_free(result);
    return h;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct waitgate_parse_error error;
    waitgate_program *program;
    enum waitgate_status status =
        waitgate_program_parse((const char *)data, size, "fuzz.tts", &program, &error);
    if (status != WAITGATE_OK) {
        if (status != WAITGATE_ERROR_SYNTAX || !error.line || !error.column || !error.message[0])
            abort();
        return 0;
    }
    if (run_hash(program, 0) != run_hash(program, 1))
        abort();
    waitgate_program_free(program);
    return 0;
}
