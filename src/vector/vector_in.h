/*
 * vector_in.h - what the files of the Vector Unit's data path share.
 *
 * ISA pages: VectorUnit and the SFP* pages (Blackhole). An effect is what one instruction does to the lanes
 * that are on; vector.def has one for every opcode, and both schedulers and SFPLOADMACRO call it.
 */
#ifndef WG_VECTOR_VECTOR_IN_H
#define WG_VECTOR_VECTOR_IN_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/bits.h"
#include "base/hot.h"
#include "isa/cfg.h"
#include "isa/tensix.h"
#include "num/rows.h"
#include "num/sfpu.h"
#include "state/config.h"
#include "state/dst.h"
#include "state/lanes.h"
#include "state/queue.h"
#include "state/rwc.h"

#ifdef VECTOR_AVX2
#include <immintrin.h>
#endif

struct probe;
struct vector_part;

/* What an instruction of one thread looks at and changes. */
struct vector_io {
    struct lanes *lanes;
    uint32_t (*out)[LANES]; /* where results go: the lanes' registers, or a copy (vector_macro.c) */
    struct dst *dst;
    struct rwc_thread *rwc;
    const struct config *config;
    const uint32_t *cfg; /* the thread's bank of it */
    const uint16_t *thread_config;
    struct probe *probe;
    unsigned thread;
    bool plain;                     /* no vector code of the host's */
    const struct vector_part *part; /* vector_play() is at this one; NULL: probe->now is right */
};

/* One instruction as it is to be carried out: registers may be 16, and differ from the word's, behind SFPLOADMACRO.
   Where the word has no VB or no VC, that is VD. */
struct vector_op {
    uint32_t word;
    uint16_t tag;
    uint8_t vd, vc, vb, va;
    bool macro;      /* scheduled by SFPLOADMACRO */
    uint32_t open;   /* lanes that the backdoor does not catch, enabled or not */
    uint32_t on;     /* lanes that carry it out: enabled, and not caught by the backdoor */
    uint32_t caught; /* lanes that take it as a template */
};

typedef void vector_effect(const struct vector_io *io, const struct vector_op *o);

/* Results for VD 8..15 are dropped. */
static inline bool vector_writable(unsigned vd)
{
    return vd < 8 || vd == 16;
}

/* Work on 32 lanes, with the host's vector code or without it. */
static inline const struct num_sfpu_lanes *vector_lanes(const struct vector_io *io)
{
#ifdef VECTOR_AVX2
    (void)io;
    return &num_sfpu_avx2;
#else
    return !io->plain && rows_avx2_usable() ? &num_sfpu_avx2 : &num_sfpu_plain;
#endif
}

/* SFPSWAP's operand VD: what stands in VB's place, behind SFPLOADMACRO as ever. */
static inline unsigned vector_swap_d(const struct vector_op *o)
{
    return o->macro ? o->vb : o->vd;
}

/* Writes value[] to register vd in the lanes that are on. */
static inline void vector_write(const struct vector_io *io, const struct vector_op *o, unsigned vd,
                                const uint32_t value[LANES])
{
    if (!vector_writable(vd))
        return;
    if (o->on == UINT32_MAX) { /* nearly always */
        memcpy(io->out[vd], value, LANES * sizeof *value);
        return;
    }
#ifdef VECTOR_AVX2
    const __m256i bit = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
    for (unsigned i = 0; i < LANES; i += 8) {
        __m256i on = _mm256_and_si256(_mm256_set1_epi32((int)(o->on >> i)), bit);
        _mm256_maskstore_epi32((int *)&io->out[vd][i],
                               _mm256_cmpeq_epi32(on, bit),
                               _mm256_loadu_si256((const __m256i *)(value + i)));
    }
#else
    for (unsigned i = 0; i < LANES; i++)
        io->out[vd][i] = o->on >> i & 1 ? value[i] : io->out[vd][i];
#endif
}

/* Where a result for register vd is made, lane by lane: in the register, if all lanes are on, else in room. Registers are
   the same or apart, so loops over lanes are for HOT_LOOP. */
static inline uint32_t *vector_to(const struct vector_io *io, const struct vector_op *o,
                                  unsigned vd, uint32_t room[LANES])
{
    return o->on == UINT32_MAX && vector_writable(vd) ? io->out[vd] : room;
}

/* It is made: v is from vector_to(). */
static inline void vector_made(const struct vector_io *io, const struct vector_op *o, unsigned vd,
                               const uint32_t *v)
{
    if (v != io->out[vd])
        vector_write(io, o, vd, v);
}

/* Registers of an instruction, bit per register. */
struct vector_uses {
    uint32_t reads;   /* in its first cycle */
    uint32_t seen;    /* what the hardware's check believes that it reads */
    uint32_t late;    /* written one cycle late: two-cycle results */
    uint32_t claimed; /* what the check believes of the MAD sub-unit's */
};

/* vector_play.c: something is reported about a word that may be one of those that vector_play() is at. */
void vector_play_report(const struct vector_io *io, const struct vector_op *o, unsigned diag,
                        uint32_t arg);

/* vector_hazard.c */
struct vector_uses vector_hazard_uses_of(const struct vector_op *o);

/* Where the registers stand in a word. */
enum {
    VECTOR_FORM_NONE = 0,
    VECTOR_FORM_C = 1, /* VC at 8 */
    VECTOR_FORM_B = 2, /* VB at 12 */
    VECTOR_FORM_BC = VECTOR_FORM_B | VECTOR_FORM_C,
    VECTOR_FORM_A = 4, /* VA at 16 */
    VECTOR_FORM_ABC = VECTOR_FORM_A | VECTOR_FORM_BC,
    VECTOR_FORM_HIGH = 8,   /* VD at 20, not at 4 */
    VECTOR_FORM_CLOSED = 16 /* no backdoor */
};

extern const uint8_t vector_forms[256];
extern vector_effect *const vector_effects[256];
/* The same with the host's vector code: vector_avx2.c. Only to be used where vector_avx2_usable(), those of the MAD sub-unit
   only while vector_avx2_host_rounds(), too. */
extern vector_effect *const vector_effects_avx2[256];
/* A shorter way to the same, only to be used while all lanes are on, none is configured, and results go to the lanes'
   registers; NULL: there is none for this word. */
vector_effect *vector_avx2_usual(const struct vector_op *o);
bool vector_avx2_usable(void);
/* Does the host round as is usual? Asking takes a while. */
bool vector_avx2_host_rounds(void);

/* What the word says; open and on are as the lanes stand. */
struct vector_op vector_decode(const struct lanes *l, uint32_t word, uint16_t tag);

/* Bodies are built twice; those with the host's vector code are known in vector_avx2.c only. */
#ifdef VECTOR_AVX2
#define VECTOR_BODY static __attribute__((unused))
#else
#define VECTOR_BODY
#endif

/* clang-format off */
#define VECTOR(name, form, sub, registers, dst, flags, effect, usual, traits)                      \
    VECTOR_BODY vector_effect vector_##effect;
#include "vector/vector.def"
/* clang-format on */

/* Load and store in parts, for SFPLOADMACRO: Addr (moves the stack pointer in mode 10), and both at Addr in a mode. */
VECTOR_BODY unsigned vector_load_address(const struct vector_io *io, uint32_t word, bool store);
/* The block of eight rows of Dst that a load looks at; nothing moves. */
VECTOR_BODY unsigned vector_load_block(const struct vector_io *io, uint32_t word);
VECTOR_BODY void vector_load_at(const struct vector_io *io, const struct vector_op *o,
                                unsigned mode, unsigned address);
VECTOR_BODY void vector_load_store_at(const struct vector_io *io, const struct vector_op *o,
                                      unsigned mode, unsigned address);

#endif
