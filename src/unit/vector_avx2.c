/*
 * vector_avx2.c - what the Vector Unit's instructions do, built a second time for hosts with AVX2 and a fused
 * multiply-add: the same sources, whose loops over 32 lanes become four steps of eight.
 *
 * Where a source does better by hand, it does so where VECTOR_AVX2 is defined. Built only where the compiler can make
 * such code, used only where the processor has it.
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
#define vector_address     vector_avx2_address
#define vector_load_at     vector_avx2_load_at
#define vector_load_block  vector_avx2_load_block
#define vector_sfpabs      vector_avx2_sfpabs
#define vector_sfpadd      vector_avx2_sfpadd
#define vector_sfpaddi     vector_avx2_sfpaddi
#define vector_sfpand      vector_avx2_sfpand
#define vector_sfparecip   vector_avx2_sfparecip
#define vector_sfpcast     vector_avx2_sfpcast
#define vector_sfpcompc    vector_avx2_sfpcompc
#define vector_sfpconfig   vector_avx2_sfpconfig
#define vector_sfpdivp2    vector_avx2_sfpdivp2
#define vector_sfpencc     vector_avx2_sfpencc
#define vector_sfpexexp    vector_avx2_sfpexexp
#define vector_sfpexman    vector_avx2_sfpexman
#define vector_sfpgt       vector_avx2_sfpgt
#define vector_sfpiadd     vector_avx2_sfpiadd
#define vector_sfple       vector_avx2_sfple
#define vector_sfpload     vector_avx2_sfpload
#define vector_sfploadi    vector_avx2_sfploadi
#define vector_sfplut      vector_avx2_sfplut
#define vector_sfplutfp32  vector_avx2_sfplutfp32
#define vector_sfplz       vector_avx2_sfplz
#define vector_sfpmad      vector_avx2_sfpmad
#define vector_sfpmov      vector_avx2_sfpmov
#define vector_sfpmul      vector_avx2_sfpmul
#define vector_sfpmul24    vector_avx2_sfpmul24
#define vector_sfpmuli     vector_avx2_sfpmuli
#define vector_sfpnot      vector_avx2_sfpnot
#define vector_sfpor       vector_avx2_sfpor
#define vector_sfppopc     vector_avx2_sfppopc
#define vector_sfppushc    vector_avx2_sfppushc
#define vector_sfpsetcc    vector_avx2_sfpsetcc
#define vector_sfpsetexp   vector_avx2_sfpsetexp
#define vector_sfpsetman   vector_avx2_sfpsetman
#define vector_sfpsetsgn   vector_avx2_sfpsetsgn
#define vector_sfpshft     vector_avx2_sfpshft
#define vector_sfpshft2    vector_avx2_sfpshft2
#define vector_sfpstochrnd vector_avx2_sfpstochrnd
#define vector_sfpstore    vector_avx2_sfpstore
#define vector_sfpswap     vector_avx2_sfpswap
#define vector_sfptransp   vector_avx2_sfptransp
#define vector_sfpxor      vector_avx2_sfpxor
#define vector_store_at    vector_avx2_store_at

#include "unit/vector_in.h"

#include "unit/vector_flags.c"
#include "unit/vector_load.c"
#include "unit/vector_mad.c"
#include "unit/vector_round.c"
#include "unit/vector_shuffle.c"
#include "unit/vector_simple.c"

vector_effect *const vector_effects_avx2[256] = {VECTOR_EFFECTS};

vector_effect *vector_usual_avx2(const struct vector_op *o)
{
    switch (o->word >> 24) {
    case TENSIX_OP_SFPLOAD:
    case TENSIX_OP_SFPSTORE: return load_or_store_usual(o);
    case TENSIX_OP_SFPMAD:
    case TENSIX_OP_SFPADD:
    case TENSIX_OP_SFPMUL: return mad_usual(o);
    case TENSIX_OP_SFPADDI:
    case TENSIX_OP_SFPMULI: return mad_usual_imm(o);
    case TENSIX_OP_SFPLUTFP32: return mad_usual_lut(o);
    case TENSIX_OP_SFPLOADI: return loadi_usual(o);
    case TENSIX_OP_SFPMOV: return simple_mov_usual(o);
    case TENSIX_OP_SFPSTOCHRND: return round_usual(o);
    case TENSIX_OP_SFPSWAP: return shuffle_swap_usual(o);
    default: return NULL;
    }
}

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

bool vector_has_avx2(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

bool vector_host_rounds(void)
{
    return num_sfpu_usual();
}

#else

#include "unit/vector_in.h"

vector_effect *const vector_effects_avx2[256];

vector_effect *vector_usual_avx2(const struct vector_op *o)
{
    (void)o;
    return NULL;
}

bool vector_has_avx2(void)
{
    return false;
}

bool vector_host_rounds(void)
{
    return true;
}

#endif
