/*
 * timing.h - the numbers of a machine: depths, lags and rates (timing.def), issue cost and latency of each
 * instruction (tensix.def). They are data: a machine gets its own when it is created, the typical ones or others.
 *
 * struct timing is what a machine runs with. Blocks are given it when they are reset and keep what they need of it, so
 * that nothing outside of a block is looked at while it runs. T_<NAME> is the typical value as a constant: what a
 * structural row is, and what tests expect. ROOM_<NAME> is the largest value that can be set: for sizes of arrays.
 *
 * Invariant: a number that can be set is always within the range that the model has room for (lo..hi).
 */
#ifndef WG_ISA_TIMING_H
#define WG_ISA_TIMING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/evidence.h"

/* clang-format off */
enum timing_id {
#define TIMING(name, min, typ, max, set, evidence, source, text) TIMING_##name,
#include "isa/timing.def"
    TIMING_N
};

enum timing_value {
#define TIMING(name, min, typ, max, set, evidence, source, text) T_##name = (typ),
#include "isa/timing.def"
};

/* Untimed, virtual time counts typical latencies: a machine with other numbers runs clocked only. What loads take that are not
   from data RAM, beyond what those take. */
enum timing_untimed {
    TIMING_NEAR = T_LOAD_LOCAL,
    TIMING_BEYOND_L1 = T_LOAD_L1 - T_LOAD_LOCAL,
    TIMING_BEYOND_SYNC = T_LOAD_SYNC - T_LOAD_LOCAL
};

enum timing_room {
#define SET(lo, hi) + (hi)
#define TIMING(name, min, typ, max, set, evidence, source, text) ROOM_##name = 0 set,
#include "isa/timing.def"
};

/* One word per row, by name and by number. */
union timing_rows {
    struct {
#define TIMING(name, min, typ, max, set, evidence, source, text) uint16_t name;
#include "isa/timing.def"
    };
    uint16_t row[TIMING_N];
};
/* clang-format on */

struct timing_cost {
    uint16_t issue, latency;
};

struct timing {
    union timing_rows n;
    struct timing_cost op[256]; /* by opcode */
};

/* What every machine has that was given nothing else. */
extern const struct timing timing_typical;

struct timing_row {
    const char *name;
    struct cost cost;
    const char *text;
};

extern const struct timing_row timing_table[TIMING_N]; /* by enum timing_id */

/* Room for what timing_set() has to say. */
#define TIMING_WHY 320u

/*
 * Sets a number by its name: a row of timing.def, or an instruction's cost as "MVMUL.latency", "MVMUL.issue". Costs
 * that follow a row change with it. force: also outside of min..max, but never of what the model has room for. False:
 * nothing is changed, and why says, in words, what is wrong.
 */
bool timing_set(struct timing *t, const char *name, uint32_t value, bool force,
                char why[TIMING_WHY]);

/* A number that is not the typical one. */
struct timing_change {
    char name[40];
    unsigned value, typ;
};
/* The next of them, *at counts on from 0; costs that only follow a row are left out. False: there is none left. */
bool timing_next_change(const struct timing *t, unsigned *at, struct timing_change *change);

#endif
