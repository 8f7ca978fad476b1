/*
 * vector_later.c - instructions of the Vector Unit that have no effect on data yet.
 *
 * Weak: a file that defines one of them for good wins. op_no_data() reports these.
 *
 * Inaccuracies: they do nothing.
 */
#include "unit/vector_in.h"

#define LATER(name)                                                                                \
    vector_effect name __attribute__((weak));                                                      \
    void name(const struct vector_io *io, const struct vector_op *o)                               \
    {                                                                                              \
        (void)io;                                                                                  \
        (void)o;                                                                                   \
    }

LATER(vector_sfpmad)
LATER(vector_sfpadd)
LATER(vector_sfpmul)
LATER(vector_sfpaddi)
LATER(vector_sfpmuli)
LATER(vector_sfplut)
LATER(vector_sfplutfp32)
LATER(vector_sfpmul24)
LATER(vector_sfpdivp2)
LATER(vector_sfpexexp)
LATER(vector_sfpexman)
LATER(vector_sfpiadd)
LATER(vector_sfpshft)
LATER(vector_sfpmov)
LATER(vector_sfpabs)
LATER(vector_sfpand)
LATER(vector_sfpor)
LATER(vector_sfpnot)
LATER(vector_sfpxor)
LATER(vector_sfplz)
LATER(vector_sfpsetexp)
LATER(vector_sfpsetman)
LATER(vector_sfpsetsgn)
LATER(vector_sfparecip)
LATER(vector_sfpcast)
LATER(vector_sfpstochrnd)
LATER(vector_sfpswap)
LATER(vector_sfpshft2)
LATER(vector_sfptransp)
