/*
 * Fuzz target: any text through the assembler. What it takes must survive disassembly and
 * assembling again; what it refuses must have a place inside the text and a message.
 */
#include <stdlib.h>
#include <string.h>

#include "isa/tensix_asm.h"
#include "isa/tensix_dis.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data;
    struct tensix_asm_error err;
    uint32_t word, back;
    char out[512];

    if (!tensix_asm_text(text, size, &word, &err)) {
        if (err.column < 1 || err.column > size + 1 || !err.message[0])
            abort();
        return 0;
    }
    for (unsigned flags = 0; flags <= TENSIX_DIS_SYMBOLIC; flags++) {
        int n = tensix_dis_text(word, flags, out, sizeof out);
        if (n <= 0 || (size_t)n >= sizeof out)
            abort();
        if (!tensix_asm_text(out, (size_t)n, &back, &err) || back != word)
            abort();
    }
    return 0;
}
