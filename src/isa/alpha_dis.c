/*
 * alpha_dis.c - text of Alpha instruction words, as objdump writes it.
 *
 * How operands are written is a string: a, b, c are integer registers, A, B, C floating point registers;
 * b is the literal if there is one, r is never; d the displacement of a memory instruction, t the target of a branch, h
 * the target a jump hints at, n the bare hint, p what PALcode is called with. Anything else stands for
 * itself.
 */
#include "isa/alpha.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/bits.h"

static const char *const operands_of[] = {
    [ALPHA_FMT_LDA] = "a,d(r)",      [ALPHA_FMT_LOAD] = "a,d(r)",   [ALPHA_FMT_STORE] = "a,d(r)",
    [ALPHA_FMT_STORE_C] = "a,d(r)",  [ALPHA_FMT_FLOAD] = "A,d(r)",  [ALPHA_FMT_FSTORE] = "A,d(r)",
    [ALPHA_FMT_BR] = "a,t",          [ALPHA_FMT_BRANCH] = "a,t",    [ALPHA_FMT_FBRANCH] = "A,t",
    [ALPHA_FMT_JUMP] = "a,(r),h",    [ALPHA_FMT_RET] = "a,(r),n",   [ALPHA_FMT_OPERATE] = "a,b,c",
    [ALPHA_FMT_OPERATE_N] = "a,b,c", [ALPHA_FMT_OPERATE_B] = "b,c", [ALPHA_FMT_OPERATE_R] = "b,c",
    [ALPHA_FMT_SEXT] = "b,c",        [ALPHA_FMT_IMPLVER] = "c",     [ALPHA_FMT_CMOVE] = "a,b,c",
    [ALPHA_FMT_FTOI] = "A,c",        [ALPHA_FMT_ITOF] = "a,C",      [ALPHA_FMT_FOPERATE] = "A,B,C",
    [ALPHA_FMT_FOPERATE_B] = "B,C",  [ALPHA_FMT_FCMOVE] = "A,B,C",  [ALPHA_FMT_FPCR_R] = "A",
    [ALPHA_FMT_FPCR_W] = "A",        [ALPHA_FMT_MISC] = "",         [ALPHA_FMT_MISC_A] = "a",
    [ALPHA_FMT_MISC_B] = "(r)",      [ALPHA_FMT_MISC_AB] = "a,r",   [ALPHA_FMT_PAL] = "",
    [ALPHA_FMT_PAL_ANY] = "p"};

struct text {
    char *buf;
    size_t size;
    int length;
};

static int64_t sign_extend(uint64_t value, unsigned bits)
{
    uint64_t sign = UINT64_C(1) << (bits - 1);
    return (int64_t)((value ^ sign) - sign);
}

/* One operand, or a character that stands for itself, with snprintf's result. */
static int operand(char *buf, size_t size, char what, uint32_t word, uint64_t pc)
{
    unsigned ra = bits_get(word, 21, 5), rb = bits_get(word, 16, 5), rc = bits_get(word, 0, 5);
    uint64_t next = pc + 4, to;
    switch (what) {
    case 'a': return snprintf(buf, size, "%s", alpha_reg_name(ra));
    case 'r': return snprintf(buf, size, "%s", alpha_reg_name(rb));
    case 'c': return snprintf(buf, size, "%s", alpha_reg_name(rc));
    case 'b':
        if (word >> 12 & 1)
            return snprintf(buf, size, "%#x", bits_get(word, 13, 8));
        return snprintf(buf, size, "%s", alpha_reg_name(rb));
    case 'A': return snprintf(buf, size, "$f%u", ra);
    case 'B': return snprintf(buf, size, "$f%u", rb);
    case 'C': return snprintf(buf, size, "$f%u", rc);
    case 'd': return snprintf(buf, size, "%d", (int)sign_extend(word & 0xffff, 16));
    case 't':
        to = next + (uint64_t)sign_extend(bits_get(word, 0, 21), 21) * 4;
        return snprintf(buf, size, "%#" PRIx64, to);
    case 'h':
        to = next + (uint64_t)sign_extend(bits_get(word, 0, 14), 14) * 4;
        return snprintf(buf, size, "%#" PRIx64, to);
    case 'n': return snprintf(buf, size, "%#x", bits_get(word, 0, 14));
    case 'p': return snprintf(buf, size, "%#x", bits_get(word, 0, 26));
    default: return snprintf(buf, size, "%c", what);
    }
}

/* What is left of the buffer behind `length` characters. */
static void add(struct text *t, int more)
{
    t->length += more;
    size_t step = more > 0 && (size_t)more < t->size ? (size_t)more : t->size;
    if (step) /* the buffer may be no buffer at all */
        t->buf += step;
    t->size -= step;
}

static int write_text(const char *name, const char *operands, uint32_t word, uint64_t pc, char *buf,
                      size_t n)
{
    struct text t = {buf, n, 0};
    add(&t, snprintf(t.buf, t.size, "%s%s", name, *operands ? "\t" : ""));
    for (; *operands; operands++)
        add(&t, operand(t.buf, t.size, *operands, word, pc));
    return t.length;
}

int alpha_dis_text(uint32_t word, uint64_t pc, char *buf, size_t n)
{
    static const struct {
        const char *name;
        uint32_t value, mask;
        int same;
        const char *operands;
    } aliases[] = {
#define ALPHA_ALIAS(name, value, mask, same, operands) {name, value, mask, same, operands},
#include "isa/alpha.def"
    };
    const struct alpha_form *f = alpha_form_of(word);
    if (!f || (f->format == ALPHA_FMT_SEXT && word >> 12 & 1))
        return snprintf(buf, n, ".long\t%#" PRIx32, word);
    for (size_t i = 0; i < sizeof aliases / sizeof aliases[0]; i++)
        if ((word & aliases[i].mask) == aliases[i].value &&
            (!aliases[i].same || bits_get(word, 21, 5) == bits_get(word, 16, 5)))
            return write_text(aliases[i].name, aliases[i].operands, word, pc, buf, n);
    return write_text(f->name, operands_of[f->format], word, pc, buf, n);
}
