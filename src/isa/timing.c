/*
 * timing.c - the table of depths, lags and rates, made from timing.def.
 *
 * Block: none; data used by the front end, the gate and the units.
 * Documents: named row by row in timing.def.
 * Invariants, checked by the compiler: min <= typ <= max.
 *
 * **Inaccuracies**: those of the rows marked GUESSED; `waitgate timing` lists them.
 */
#include "isa/timing.h"

/* clang-format off */
#define TIMING(name, min, typ, max, evidence, source, text)                                        \
    _Static_assert((min) <= (typ) && (typ) <= (max), #name ": range out of order");
#include "isa/timing.def"

const struct timing_row timing_table[TIMING_N] = {
#define TIMING(name, min, typ, max, evidence, source, text)                                        \
    {#name, {min, typ, max, EVIDENCE_##evidence, source}, text},
#include "isa/timing.def"
};
