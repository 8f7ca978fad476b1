/*
 * tensix_names.h - names for masks: block bits, conditions, semaphores; made from tensix_names.def.
 *
 * The same word can mean different things in different operands, so a name always belongs to a
 * kind, and the kind follows from the operand.
 */
#ifndef WG_ISA_TENSIX_NAMES_H
#define WG_ISA_TENSIX_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "isa/tensix.h"

enum tensix_kind {
    TENSIX_KIND_NUMBER, /* no names */
    TENSIX_KIND_STALL_RES,
    TENSIX_KIND_WAIT_RES,
    TENSIX_KIND_SEM_SEL,
    TENSIX_KIND_SEM_COND
};

struct tensix_name {
    const char *name;
    uint8_t kind;
    bool print; /* the disassembler uses it */
    uint16_t value;
};

extern const struct tensix_name tensix_names[];
extern const size_t tensix_names_count;

/* Which names an operand takes. */
enum tensix_kind tensix_names_kind(const struct tensix_field *field);

/* The name of a kind by its text, which need not end in NUL; case matters not. NULL if unknown. */
const struct tensix_name *tensix_names_find(enum tensix_kind kind, const char *text, size_t n);

#endif
