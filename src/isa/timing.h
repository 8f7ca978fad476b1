/*
 * timing.h - depths, lags and rates that are not the cost of one instruction; made from timing.def.
 *
 * T_<NAME> is the typical value as a constant for array sizes and comparisons; timing_table has the
 * range, the evidence and the source. Costs of instructions stand in isa/tensix.h.
 */
#ifndef WG_ISA_TIMING_H
#define WG_ISA_TIMING_H

#include "base/evidence.h"

/* clang-format off */
enum timing_id {
#define TIMING(name, min, typ, max, evidence, source, text) TIMING_##name,
#include "isa/timing.def"
    TIMING_N
};

enum timing_value {
#define TIMING(name, min, typ, max, evidence, source, text) T_##name = (typ),
#include "isa/timing.def"
};
/* clang-format on */

struct timing_row {
    const char *name;
    struct cost cost;
    const char *text;
};

extern const struct timing_row timing_table[TIMING_N]; /* by enum timing_id */

#endif
