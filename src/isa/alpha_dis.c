/* alpha_dis.c - text of Alpha instruction words, as objdump writes it. */
#include "isa/alpha.h"

#include <inttypes.h>
#include <stdio.h>

int alpha_disassemble(uint32_t word, uint64_t pc, char *buf, size_t n)
{
    const struct alpha_form *f = alpha_form_of(word);
    (void)pc;
    if (!f)
        return snprintf(buf, n, ".long\t0x%" PRIx32, word);
    return snprintf(buf, n, "%s", f->name);
}
