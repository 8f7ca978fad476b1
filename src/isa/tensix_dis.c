/*
 * tensix_dis.c - disassembler, made from the instruction table.
 *
 * Block: none. Documents: the vendor's assembler syntax: "tt", the name in lower case, operands
 * from the high bits down, in decimal.
 * Invariants: tensix_asm_text(tensix_dis_text(word)) == word for every word, also symbolic.
 *
 * **Inaccuracies**: bits that the vendor's syntax cannot express are written as name=value, which
 * the vendor's assembler does not read.
 */
#include "isa/tensix_dis.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>

#include "isa/tensix_names.h"

struct out {
    char *buf;
    size_t room;
    size_t length; /* of the whole text, written or not */
};

__attribute__((format(printf, 2, 3))) static void put(struct out *out, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    size_t left = out->length < out->room ? out->room - out->length : 0;
    int n = vsnprintf(left ? out->buf + out->length : NULL, left, format, args);
    va_end(args);
    if (n > 0)
        out->length += (size_t)n;
}

/* A mask by name: one name for the whole value if there is one, else bit by bit. */
static void put_names(struct out *out, enum tensix_kind kind, uint32_t value)
{
    for (size_t i = 0; i < tensix_names_count; i++) {
        const struct tensix_name *name = &tensix_names[i];
        if (name->kind == kind && name->print && name->value == value) {
            put(out, "%s", name->name);
            return;
        }
    }
    uint32_t rest = value;
    const char *separator = "";
    for (size_t i = 0; i < tensix_names_count && rest; i++) {
        const struct tensix_name *name = &tensix_names[i];
        if (name->kind != kind || !name->print || (name->value & (name->value - 1)))
            continue;
        if (rest & name->value) {
            put(out, "%s%s", separator, name->name);
            separator = "|";
            rest &= ~(uint32_t)name->value;
        }
    }
    if (rest)
        put(out, "%s0x%x", separator, (unsigned)rest);
    else if (!value)
        put(out, "0");
}

int tensix_dis_text(uint32_t word, unsigned flags, char *buf, size_t n)
{
    struct out out = {buf, n, 0};
    const struct tensix_insn *insn = tensix_lookup(word);

    if (!tensix_legal(word)) {
        put(&out, "ttinsn 0x%08x", (unsigned)word);
        return (int)out.length;
    }
    put(&out, "tt");
    for (const char *c = insn->name; *c; c++)
        put(&out, "%c", tolower((unsigned char)*c));

    const char *separator = " ";
    for (unsigned hidden = 0; hidden < 2; hidden++) {
        for (unsigned i = insn->n_fields; i-- > 0;) {
            const struct tensix_field *field = &insn->fields[i];
            uint32_t value = bits_get(word, field->lo, field->width);
            enum tensix_kind kind = tensix_names_kind(field);
            if (field->hidden != (hidden == 1) || (hidden && !value))
                continue;
            put(&out, "%s", separator);
            separator = ", ";
            if (hidden)
                put(&out, "%s=", field->name);
            if ((flags & TENSIX_DIS_SYMBOLIC) && kind != TENSIX_KIND_NUMBER)
                put_names(&out, kind, value);
            else
                put(&out, "%u", (unsigned)value);
        }
    }
    return (int)out.length;
}
