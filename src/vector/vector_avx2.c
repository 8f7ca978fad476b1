/*
 * vector_avx2.c - what the Vector Unit's instructions do, built a second time for hosts with AVX2 and a fused
 * multiply-add: the same sources, whose loops over 32 lanes become four steps of eight.
 *
 * Where a source does better by hand, it does so where VECTOR_AVX2 is defined. Built only where the compiler can make
 * such code, used only where the processor has it. Here a body is static, so its name is the same in both builds.
 *
 * ISA pages: those of the sources.
 *
 * Invariant: no bit differs from what the sources do as they are; the tests compare them.
 *
 * Inaccuracies: those of the sources.
 */
#if defined(__x86_64__) && defined(__GNUC__)

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,fma")
#endif

#define VECTOR_AVX2

#include "vector/vector_in.h"

#include "vector/vector_flags.c"
#include "vector/vector_load.c"
#include "vector/vector_mad.c"
#include "vector/vector_round.c"
#include "vector/vector_shuffle.c"
#include "vector/vector_simple.c"

/* clang-format off */
vector_effect *const vector_effects_avx2[256] = {
#define VECTOR(name, form, sub, registers, dst, flags, effect, usual, traits)                      \
    [TENSIX_OP_##name] = vector_##effect,
#include "vector/vector.def"
};

static vector_effect *no_usual(const struct vector_op *o)
{
    (void)o;
    return NULL;
}

vector_effect *vector_avx2_usual(const struct vector_op *o)
{
    switch (o->word >> 24) {
#define VECTOR(name, form, sub, registers, dst, flags, effect, usual, traits)                      \
    case TENSIX_OP_##name: return usual(o);
#include "vector/vector.def"
    default: return NULL;
    }
}
/* clang-format on */

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

bool vector_avx2_usable(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

bool vector_avx2_host_rounds(void)
{
    return num_sfpu_avx2_usual();
}

#else

#include "vector/vector_in.h"

vector_effect *const vector_effects_avx2[256];

vector_effect *vector_avx2_usual(const struct vector_op *o)
{
    (void)o;
    return NULL;
}

bool vector_avx2_usable(void)
{
    return false;
}

bool vector_avx2_host_rounds(void)
{
    return true;
}

#endif
