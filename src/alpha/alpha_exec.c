/*
 * alpha_exec.c - what an instruction does, as a function of values. The text is alpha_exec.def.
 *
 * Every row of it becomes a case; the fields of alpha_out that a kind of row does not write keep what
 * they had.
 */
#include "alpha/alpha_exec.h"

#include "alpha/alpha_fp.h"
#include "alpha/alpha_math.h"

#define A       a
#define B       b
#define C       c
#define ADDRESS (b + (uint64_t)(int64_t)i->imm)
#define FPCR    in->fpcr
#define UNIQUE  in->unique
#define COUNTER in->counter
#define FLAG    in->flag
#define WORD    i->word

#define VALUE(id, x)                                                                               \
    case ALPHA_OP_##id:                                                                            \
        out->value = (x);                                                                          \
        break;
#define X_INT(id, x)  VALUE(id, x)
#define X_MOVE(id, x) VALUE(id, x)
#define X_INT_V(id, x, overflow)                                                                   \
    case ALPHA_OP_##id:                                                                            \
        out->value = (x);                                                                          \
        if (overflow) {                                                                            \
            out->trap = ALPHA_TRAP_ARITH;                                                          \
            out->detail = ALPHA_EXC_IOV;                                                           \
        }                                                                                          \
        break;
#define X_CMOVE(id, condition)       VALUE(id, (condition) ? B : C)
#define X_FCMOVE(id, condition)      VALUE(id, (condition) ? B : C)
#define X_LOAD(id, size, at, value_) AT(id, at, 0)
#define X_LOAD_L(id, size, value_)   AT(id, ADDRESS, 0)
#define X_STORE(id, size, at, data)  AT(id, at, data)
#define X_STORE_C(id, size, data)    AT(id, ADDRESS, data)
#define AT(id, at, data)                                                                           \
    case ALPHA_OP_##id:                                                                            \
        out->address = (at);                                                                       \
        out->value = (data);                                                                       \
        break;
#define X_BRANCH(id, condition)                                                                    \
    case ALPHA_OP_##id:                                                                            \
        out->taken = (condition) ? 1 : 0;                                                          \
        out->address = in->pc + 4 + (uint64_t)(int64_t)i->imm;                                     \
        break;
#define X_LINK(id) GO(id, in->pc + 4 + (uint64_t)(int64_t)i->imm)
#define X_JUMP(id) GO(id, B & ~UINT64_C(3))
#define GO(id, to)                                                                                 \
    case ALPHA_OP_##id:                                                                            \
        out->taken = 1;                                                                            \
        out->address = (to);                                                                       \
        out->value = in->pc + 4;                                                                   \
        break;
#define X_FP(id)                                                                                   \
    case ALPHA_OP_##id:                                                                            \
        floating(i, a, b, in, out);                                                                \
        break;
#define X_SET(id, what, x, result) SET_##what(id, x, result)
#define SET_FPCR(id, x, result)    SET(id, fpcr, x, result)
#define SET_UNIQUE(id, x, result)  SET(id, unique, x, result)
#define SET_FLAG(id, x, result)    SET(id, flag, x, result)
#define SET(id, field, x, result)                                                                  \
    case ALPHA_OP_##id:                                                                            \
        out->value = (result);                                                                     \
        out->field = (x);                                                                          \
        break;
#define X_NOTHING(id)                                                                              \
    case ALPHA_OP_##id:                                                                            \
        out->value = 0;                                                                            \
        break;
#define X_TRAP(id, why, what)                                                                      \
    case ALPHA_OP_##id:                                                                            \
        out->trap = ALPHA_TRAP_##why;                                                              \
        out->detail = (what);                                                                      \
        break;

static void floating(const struct alpha_insn *i, uint64_t a, uint64_t b, const struct alpha_in *in,
                     struct alpha_out *out)
{
    struct alpha_fp_result r = alpha_fp(i->op, i->qual, a, b, in->fpcr);
    out->value = r.value;
    out->fpcr = r.fpcr;
    if (r.exc) {
        out->trap = ALPHA_TRAP_ARITH;
        out->detail = r.exc;
    }
}

void alpha_exec_compute(const struct alpha_insn *i, uint64_t a, uint64_t b, uint64_t c,
                        const struct alpha_in *in, struct alpha_out *out)
{
    out->trap = ALPHA_TRAP_NONE;
    out->taken = 0;
    switch (i->op) {
#include "alpha/alpha_exec.def"
    default: break;
    }
}

#undef VALUE
#define V raw
#define VALUE(id, x)                                                                               \
    case ALPHA_OP_##id: raw = (x); break;

uint64_t alpha_exec_load_value(unsigned op, uint64_t raw)
{
    switch (op) {
#define X_LOAD(id, size, address, value) VALUE(id, value)
#define X_LOAD_L(id, size, value)        VALUE(id, value)
#include "alpha/alpha_exec.def"
    default: break;
    }
    return raw;
}
