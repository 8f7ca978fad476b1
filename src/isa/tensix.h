/*
 * tensix.h - what is known about a Tensix instruction word without running it.
 *
 * Everything here is made from tensix.def: opcode numbers, one operand structure with decoder and
 * encoder per instruction (struct tensix_MVMUL, tensix_MVMUL_decode, tensix_MVMUL_encode) and the
 * table of units, block bits, resource classes and costs.
 */
#ifndef WG_ISA_TENSIX_H
#define WG_ISA_TENSIX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bits.h"
#include "base/evidence.h"

/* The back-end unit an instruction goes to. NONE: consumed before the Wait Gate. */
enum tensix_unit {
    TENSIX_UNIT_NONE,
    TENSIX_UNIT_SYNC,
    TENSIX_UNIT_UNPACK,
    TENSIX_UNIT_MATRIX,
    TENSIX_UNIT_PACK,
    TENSIX_UNIT_VECTOR,
    TENSIX_UNIT_SCALAR,
    TENSIX_UNIT_CONFIG,
    TENSIX_UNIT_MOVER,
    TENSIX_UNIT_MISC,
    TENSIX_N_UNITS
};

/* Bits of a block mask (stall_res of STALLWAIT, SEMWAIT, STREAMWAIT). */
#define TENSIX_B0        0x001u
#define TENSIX_B1        0x002u
#define TENSIX_B2        0x004u
#define TENSIX_B3        0x008u
#define TENSIX_B4        0x010u
#define TENSIX_B5        0x020u
#define TENSIX_B6        0x040u
#define TENSIX_B7        0x080u
#define TENSIX_B8        0x100u
#define TENSIX_BLOCK_ALL 0x1ffu

#define TENSIX_CLASS_NONE  0xffu  /* no resource class: NOP, MOP_CFG, RESOURCEDECL */
#define TENSIX_UNDESCRIBED 0x01u  /* flag: no public description; unit and bits are inferred */
#define TENSIX_UNBOUNDED   65535u /* a cost's maximum when there is none */

/* Opcodes, by value: TENSIX_OP_MOP = 0x01 and so on. */
enum tensix_op {
#define INSN(name, opcode, unit, block, class, text) TENSIX_OP_##name = (opcode),
#include "isa/tensix.def"
    TENSIX_OP_SFPSTOCHRND = TENSIX_OP_SFP_STOCH_RND /* the documents' spelling */
};

struct tensix_field {
    const char *name;
    uint8_t lo, width;
    bool hidden; /* not an operand of the vendor's syntax */
    const char *text;
};

struct tensix_insn {
    const char *name; /* NULL: no such opcode */
    uint8_t opcode, unit;
    uint16_t block;
    uint8_t resource_class;
    uint8_t flags;
    uint8_t n_fields;
    const struct tensix_field *fields; /* from bit 0 up */
    struct cost issue, latency;
    uint32_t field_mask; /* all bits that belong to a field */
    const char *text;
};

extern const struct tensix_insn tensix_table[256];

/* The table row of a word, NULL if there is no such opcode. */
static inline const struct tensix_insn *tensix_lookup(uint32_t word)
{
    const struct tensix_insn *insn = &tensix_table[word >> 24];
    return insn->name ? insn : NULL;
}

/* Known opcode and no bit outside its fields. */
static inline bool tensix_legal(uint32_t word)
{
    const struct tensix_insn *insn = tensix_lookup(word);
    return insn && !(word & UINT32_C(0x00ffffff) & ~insn->field_mask);
}

/*
 * Does a block mask hold this word at the Wait Gate? A NOP is held only by all nine bits; words
 * that never reach the gate and unknown opcodes are not held.
 */
static inline bool tensix_blocked(uint32_t word, uint32_t block_mask)
{
    if (word >> 24 == TENSIX_OP_NOP)
        return (block_mask & TENSIX_BLOCK_ALL) == TENSIX_BLOCK_ALL;
    return (tensix_table[word >> 24].block & block_mask) != 0;
}

/* A .ttinsn is the word rotated left by two; words from 0xC0000000 up have none. */
static inline bool tensix_has_ttinsn(uint32_t word)
{
    return word < UINT32_C(0xC0000000);
}

static inline uint32_t tensix_to_ttinsn(uint32_t word)
{
    return bits_rotl(word, 2);
}

static inline uint32_t tensix_from_ttinsn(uint32_t ttinsn)
{
    return bits_rotr(ttinsn, 2);
}

/* The readers of the table are laid out by hand. */
/* clang-format off */

/* Operand structures; none_ only keeps the structure of an instruction without fields legal C. */
#define INSN(name, opcode, unit, block, class, text) struct tensix_##name {
#define FIELD(f, lo, width, text)                        uint32_t f;
#define END(name)                                        uint8_t none_; };
#include "isa/tensix.def"

#define INSN(name, opcode, unit, block, class, text)                                              \
    static inline struct tensix_##name tensix_##name##_decode(uint32_t word)                       \
    {                                                                                              \
        struct tensix_##name a = {0};                                                              \
        (void)word;
#define FIELD(f, lo, width, text) a.f = bits_get(word, lo, width);
#define END(name)                                                                                  \
        return a;                                                                                  \
    }
#include "isa/tensix.def"

/* Values too wide for their field are cut to it. */
#define INSN(name, opcode, unit, block, class, text)                                              \
    static inline uint32_t tensix_##name##_encode(struct tensix_##name a)                          \
    {                                                                                              \
        uint32_t word = (uint32_t)(opcode) << 24;                                                  \
        (void)a;
#define FIELD(f, lo, width, text) word |= (a.f & bits_mask(width)) << (lo);
#define END(name)                                                                                  \
        return word;                                                                               \
    }
#include "isa/tensix.def"

/* clang-format on */

#endif
