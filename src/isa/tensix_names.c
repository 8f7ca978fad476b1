/*
 * tensix_names.c - names for block bits, conditions and semaphores.
 *
 * Block: none; used by assembler and disassembler.
 * Documents: STALLWAIT.md (bits), the semaphore list of seed 004, the vendor's p_stall constants.
 * Invariants: a printed name is one bit or one whole value; tested over all masks.
 *
 * **Inaccuracies**: none known.
 */
#include "isa/tensix_names.h"

#include <ctype.h>
#include <string.h>

/* clang-format off */
const struct tensix_name tensix_names[] = {
#define NAME(kind, name, value, print) {#name, TENSIX_KIND_##kind, print, value},
#include "isa/tensix_names.def"
};
/* clang-format on */

const size_t tensix_names_count = sizeof tensix_names / sizeof tensix_names[0];

enum tensix_kind tensix_names_kind(const struct tensix_field *field)
{
    static const struct {
        const char *field;
        enum tensix_kind kind;
    } kinds[] = {
        {"stall_res", TENSIX_KIND_STALL_RES},
        {"wait_res", TENSIX_KIND_WAIT_RES},
        {"sem_sel", TENSIX_KIND_SEM_SEL},
        {"wait_sem_cond", TENSIX_KIND_SEM_COND},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (!strcmp(field->name, kinds[i].field))
            return kinds[i].kind;
    return TENSIX_KIND_NUMBER;
}

const struct tensix_name *tensix_names_find(enum tensix_kind kind, const char *text, size_t n)
{
    for (size_t i = 0; i < tensix_names_count; i++) {
        const struct tensix_name *name = &tensix_names[i];
        size_t k = 0;
        if (name->kind != kind)
            continue;
        while (k < n && name->name[k] && toupper((unsigned char)text[k]) == name->name[k])
            k++;
        if (k == n && !name->name[k])
            return name;
    }
    return NULL;
}
