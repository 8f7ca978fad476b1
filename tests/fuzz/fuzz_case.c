/*
 * Fuzz target: any text as a case file. What is refused must have a place and a message; what is taken must
 * have a program, and addresses inside L1.
 */
#include <stdlib.h>
#include <string.h>

#include "load/case.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds)
        abort();
}

static void check(const struct case_file *file)
{
    bool any = false;
    for (unsigned i = 0; i < LOAD_N_CORES; i++) {
        any |= file->programs[i] != NULL;
        require(!file->released[i] || file->programs[i]);
    }
    require(any);
    for (unsigned i = 0; i < file->n_l1; i++)
        require(file->l1[i].at < LOAD_L1_SIZE && !file->l1[i].file == (file->l1[i].n_words > 0));
    for (unsigned i = 0; i < file->n_until; i++)
        require(file->until[i].address <= LOAD_L1_SIZE - 4);
    for (unsigned i = 0; i < file->n_dumps; i++)
        require(file->dumps[i].from + file->dumps[i].length <= LOAD_L1_SIZE);
    for (unsigned i = 0; i < file->n_expects; i++)
        require(file->expects[i].n_words > 0 && file->expects[i].line > 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct case_file *file;
    struct load_error error = {0};
    enum load_status status =
        case_read_memory((const char *)data, size, "fuzz.yaml", &file, &error);
    if (status != LOAD_OK) {
        require(!file && status == LOAD_ERROR_SYNTAX && error.line && error.column);
        require(strncmp(error.message, "fuzz.yaml:", 10) == 0);
        return 0;
    }
    check(file);
    case_free(file);
    return 0;
}
