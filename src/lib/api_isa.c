/*
 * api_isa.c - the part of waitgate.h about instructions and tables, in terms of src/isa.
 *
 * Block: none. Documents: include/waitgate.h.
 * Invariants: evidence values of the public header equal those of base/evidence.h; a structure is
 * never written beyond the size the caller gave.
 *
 * **Inaccuracies**: none.
 */
#include <stdio.h>
#include <string.h>

#include "isa/tensix.h"
#include "isa/tensix_asm.h"
#include "isa/tensix_dis.h"
#include "isa/timing.h"
#include "lib/result.h"
#include "waitgate.h"

_Static_assert((int)WAITGATE_DOCUMENTED == (int)EVIDENCE_DOCUMENTED &&
                   (int)WAITGATE_MEASURED == (int)EVIDENCE_MEASURED &&
                   (int)WAITGATE_INFERRED == (int)EVIDENCE_INFERRED &&
                   (int)WAITGATE_GUESSED == (int)EVIDENCE_GUESSED,
               "evidence: the public values differ");
_Static_assert(WAITGATE_UNBOUNDED == TENSIX_UNBOUNDED, "unbounded: the public value differs");
_Static_assert((int)WAITGATE_DISASSEMBLE_SYMBOLIC == (int)TENSIX_DIS_SYMBOLIC, "flag differs");

const char *waitgate_version(void)
{
    return WAITGATE_VERSION;
}

const char *waitgate_evidence_text(enum waitgate_evidence evidence)
{
    switch (evidence) {
    case WAITGATE_DOCUMENTED: return "documented";
    case WAITGATE_MEASURED: return "measured";
    case WAITGATE_INFERRED: return "inferred";
    case WAITGATE_GUESSED: return "guessed";
    }
    return "unknown";
}

enum waitgate_status waitgate_assemble(const char *text, size_t length, uint32_t *word,
                                       struct waitgate_text_error *error)
{
    struct tensix_asm_error err;
    if (!text || !word)
        return WAITGATE_ERROR_ARGUMENT;
    if (tensix_asm_text(text, length, word, &err))
        return WAITGATE_OK;
    if (error) {
        _Static_assert(sizeof error->message == sizeof err.message, "message sizes differ");
        error->column = err.column;
        memcpy(error->message, err.message, sizeof err.message);
    }
    return err.empty ? WAITGATE_EMPTY : WAITGATE_ERROR_SYNTAX;
}

size_t waitgate_disassemble(uint32_t word, uint32_t flags, char *text, size_t size)
{
    return (size_t)tensix_dis_text(word, flags, text, text ? size : 0);
}

enum waitgate_status waitgate_ttinsn_encode(uint32_t word, uint32_t *ttinsn)
{
    if (!ttinsn)
        return WAITGATE_ERROR_ARGUMENT;
    if (!tensix_has_ttinsn(word))
        return WAITGATE_ERROR_RANGE;
    *ttinsn = tensix_to_ttinsn(word);
    return WAITGATE_OK;
}

enum waitgate_status waitgate_ttinsn_decode(uint32_t ttinsn, uint32_t *word)
{
    if (!word)
        return WAITGATE_ERROR_ARGUMENT;
    if (!tensix_has_ttinsn(tensix_from_ttinsn(ttinsn)))
        return WAITGATE_ERROR_RANGE;
    *word = tensix_from_ttinsn(ttinsn);
    return WAITGATE_OK;
}

/* ---- tables ---- */

static struct waitgate_cost public_cost(const struct cost *c)
{
    return (struct waitgate_cost){
        c->min, c->typ, c->max, (enum waitgate_evidence)c->evidence, c->source};
}

static struct waitgate_limits public_limits(const struct cost *c)
{
    return (struct waitgate_limits){
        c->lo, c->hi, c->follows ? timing_table[c->follows - 1].name : NULL};
}

/* Hand a row out, cut to what the caller's header knew. */
static enum waitgate_status fill(void *to, size_t size, const void *from, size_t full)
{
    if (!to || !size)
        return WAITGATE_ERROR_ARGUMENT;
    memcpy(to, from, size < full ? size : full);
    return WAITGATE_OK;
}

static const char *const unit_names[TENSIX_N_UNITS] = {
    [TENSIX_UNIT_NONE] = "none",
    [TENSIX_UNIT_SYNC] = "Sync",
    [TENSIX_UNIT_UNPACK] = "Unpack",
    [TENSIX_UNIT_MATRIX] = "Matrix",
    [TENSIX_UNIT_PACK] = "Pack",
    [TENSIX_UNIT_VECTOR] = "Vector",
    [TENSIX_UNIT_SCALAR] = "Scalar",
    [TENSIX_UNIT_CONFIG] = "Config",
    [TENSIX_UNIT_MOVER] = "Mover",
    [TENSIX_UNIT_MISC] = "Misc",
};

enum waitgate_status waitgate_insn_get(unsigned row, struct waitgate_insn *insn, size_t size)
{
    for (unsigned i = 0; i < 256; i++) {
        const struct tensix_insn *t = &tensix_table[i];
        if (!t->name || row--)
            continue;
        struct waitgate_insn out = {
            .name = t->name,
            .text = t->text,
            .unit = unit_names[t->unit],
            .opcode = t->opcode,
            .block_mask = t->block,
            .resource_class = t->resource_class == TENSIX_CLASS_NONE ? -1 : t->resource_class,
            .described = !(t->flags & TENSIX_UNDESCRIBED),
            .n_fields = t->n_fields,
            .field_mask = t->field_mask,
            .issue = public_cost(&t->issue),
            .latency = public_cost(&t->latency),
            .issue_limits = public_limits(&t->issue),
            .latency_limits = public_limits(&t->latency),
        };
        return fill(insn, size, &out, sizeof out);
    }
    return WAITGATE_ERROR_RANGE;
}

enum waitgate_status waitgate_insn_field(unsigned opcode, unsigned row,
                                         struct waitgate_field *field, size_t size)
{
    if (opcode > 255 || row >= tensix_table[opcode].n_fields)
        return WAITGATE_ERROR_RANGE;
    const struct tensix_field *f = &tensix_table[opcode].fields[row];
    struct waitgate_field out = {f->name, f->text, f->lo, f->width, f->hidden};
    return fill(field, size, &out, sizeof out);
}

enum waitgate_status waitgate_timing_get(unsigned row, struct waitgate_timing *timing, size_t size)
{
    if (row >= TIMING_N)
        return WAITGATE_ERROR_RANGE;
    const struct timing_row *t = &timing_table[row];
    struct waitgate_timing out = {t->name, t->text, public_cost(&t->cost), public_limits(&t->cost)};
    return fill(timing, size, &out, sizeof out);
}

bool api_isa_setting_take(struct timing *t, const struct waitgate_setting *s,
                          struct waitgate_text_error *error)
{
    char why[TIMING_WHY];
    if (timing_set(t, s->name, s->value, s->forced != 0, why))
        return true;
    if (error) {
        error->column = 0;
        snprintf(error->message, sizeof error->message, "%s", why);
    }
    return false;
}

enum waitgate_status waitgate_timing_check(const struct waitgate_setting *setting,
                                           struct waitgate_text_error *error)
{
    struct timing t = timing_typical;
    if (!setting || !setting->name)
        return WAITGATE_ERROR_ARGUMENT;
    return api_isa_setting_take(&t, setting, error) ? WAITGATE_OK : WAITGATE_ERROR_RANGE;
}
