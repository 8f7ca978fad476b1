/*
 * tensix.c - the instruction table, made from tensix.def.
 *
 * Block: none; this is data used by the expanders, the Wait Gate and all nine back-end units.
 * Documents: seeds 003 (block table), BabyRISCV/AutoTTSync.md (classes), one page per instruction
 * for fields, the unit pages for costs; see the source in each cost.
 *
 * Invariants, checked by the compiler: no two fields of an instruction overlap, no field reaches
 * the opcode byte, no opcode occurs twice (-Wextra refuses a row given
 * twice, and test_tensix_table counts them). Fields are in ascending bit order (tested).
 *
 * **Inaccuracies**: a cost is one number with a range, although some depend on operands (SFPSHFT2
 * shuffles, GPR groups of scalar arithmetic); the unit that executes the instruction refines it.
 * Ten opcodes have no public description: their unit and block bits are inferred from the vendor's
 * resource column, their costs guessed.
 */
#include "isa/tensix.h"

#include "isa/timing.h"

/* Short words used by the .def file. */
enum {
    B0 = TENSIX_B0,
    B1 = TENSIX_B1,
    B2 = TENSIX_B2,
    B3 = TENSIX_B3,
    B4 = TENSIX_B4,
    B5 = TENSIX_B5,
    B6 = TENSIX_B6,
    B7 = TENSIX_B7,
    B8 = TENSIX_B8,
    B_ALL = TENSIX_BLOCK_ALL,
    NONE = TENSIX_CLASS_NONE,
    COST_ROOM =
        60000 /* the largest cost that can be set; all sums of a few of them fit into 64 bits */
};

/* The readers of the table are laid out by hand. */
/* clang-format off */

/* Ranges of the rows that costs follow. */
enum {
#define TIMING(name, min, typ, max, set, evidence, source, text) MIN_##name = (min), MAX_##name = (max),
#include "isa/timing.def"
};

#define MASK(lo, width) (((1 << (width)) - 1) << (lo))

/* All bits of an instruction's fields, by union and by sum: they differ if two fields overlap. */
#define INSN(name, opcode, unit, block, class, text) enum { name##_UNION = 0
#define FIELD(f, lo, width, text)                        | MASK(lo, width)
#define END(name)                                        };
#include "isa/tensix.def"

#define INSN(name, opcode, unit, block, class, text) enum { name##_SUM = 0
#define FIELD(f, lo, width, text)                        + MASK(lo, width)
#define END(name)                                        };
#include "isa/tensix.def"

#define END(name) _Static_assert((int)name##_UNION == (int)name##_SUM, #name ": fields overlap");
#include "isa/tensix.def"

#define INSN(name, opcode, unit, block, class, text) _Static_assert((opcode) <= 0xff
#define FIELD(f, lo, width, text)                        && (width) > 0 && (lo) + (width) <= 24
#define END(name)                                        , #name ": a field reaches the opcode");
#include "isa/tensix.def"

/* One field list per instruction, closed by an empty row so that none is of length zero. */
#define INSN(name, opcode, unit, block, class, text)                                               \
    static const struct tensix_field name##_fields[] = {
#define FIELD(f, lo, width, text)  {#f, lo, width, false, text},
#define HFIELD(f, lo, width, text) {#f, lo, width, true, text},
#define END(name)                  {NULL, 0, 0, false, NULL}};
#include "isa/tensix.def"

const struct tensix_insn tensix_table[256] = {
#define INSN(name_, opcode_, unit_, block_, class_, text_)                                         \
    [opcode_] = {.name = #name_,                                                                   \
                 .opcode = (opcode_),                                                              \
                 .unit = TENSIX_UNIT_##unit_,                                                      \
                 .block = (block_),                                                                \
                 .resource_class = (class_),                                                       \
                 .n_fields = sizeof name_##_fields / sizeof name_##_fields[0] - 1,                 \
                 .fields = name_##_fields,                                                         \
                 .field_mask = name_##_UNION,                                                      \
                 .text = text_,
#define FLAG(flag)                      .flags = TENSIX_##flag,
#define COST(min, typ, max, lo, hi, of, ev, src) {min, typ, max, lo, hi, of, EVIDENCE_##ev, src}
#define OF(row, plus, ev, src)                                                                     \
    COST(MIN_##row + (plus), T_##row + (plus), MAX_##row + (plus), 0, 0, TIMING_##row + 1, ev, src)
#define ISSUE(min, typ, max, ev, src)    .issue = COST(min, typ, max, 1, COST_ROOM, 0, ev, src),
#define LATENCY(min, typ, max, ev, src)  .latency = COST(min, typ, max, 1, COST_ROOM, 0, ev, src),
#define FIXED_ISSUE(min, typ, max, ev, src)   .issue = COST(min, typ, max, 0, 0, 0, ev, src),
#define FIXED_LATENCY(min, typ, max, ev, src) .latency = COST(min, typ, max, 0, 0, 0, ev, src),
#define ISSUE_OF(row, plus, ev, src)     .issue = OF(row, plus, ev, src),
#define LATENCY_OF(row, plus, ev, src)   .latency = OF(row, plus, ev, src),
#define END(name)                       },
#include "isa/tensix.def"
};
