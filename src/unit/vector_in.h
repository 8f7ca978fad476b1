/*
 * vector_in.h - what the files of the Vector Unit's data path share.
 *
 * ISA pages: VectorUnit and the SFP* pages (Blackhole). An effect is what one instruction does to the lanes
 * that are on; vector_effects[] has one for every opcode, and both schedulers and SFPLOADMACRO call it.
 */
#ifndef WG_UNIT_VECTOR_IN_H
#define WG_UNIT_VECTOR_IN_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/bits.h"
#include "base/hot.h"
#include "isa/cfg.h"
#include "isa/tensix.h"
#include "num/rows.h"
#include "num/sfpu.h"
#include "unit/config.h"
#include "unit/dst.h"
#include "unit/lanes.h"
#include "unit/queue.h"
#include "unit/rwc.h"

#ifdef VECTOR_AVX2
#include <immintrin.h>
#endif

struct probe;

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
    bool plain; /* no vector code of the host's */
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
    return !io->plain && num_has_avx2() ? &num_sfpu_avx2 : &num_sfpu_plain;
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

/* vector_hazard.c */
struct vector_uses vector_uses_of(const struct vector_op *o);

/* Where the registers stand in a word. */
enum {
    VECTOR_FORM_C = 1,      /* VC at 8 */
    VECTOR_FORM_B = 2,      /* VB at 12 */
    VECTOR_FORM_A = 4,      /* VA at 16 */
    VECTOR_FORM_HIGH = 8,   /* VD at 20, not at 4 */
    VECTOR_FORM_CLOSED = 16 /* no backdoor */
};

extern const uint8_t vector_forms[256];
extern vector_effect *const vector_effects[256];
/* The same with the host's vector code: vector_avx2.c. Only to be used where vector_has_avx2(), those of the MAD sub-unit
   only while vector_host_rounds(), too. */
extern vector_effect *const vector_effects_avx2[256];
/* A shorter way to the same, only to be used while all lanes are on, none is configured, and results go to the lanes'
   registers; NULL: there is none for this word. */
vector_effect *vector_usual_avx2(const struct vector_op *o);
bool vector_has_avx2(void);
/* Does the host round as is usual? Asking takes a while. */
bool vector_host_rounds(void);

/* What the word says; open and on are as the lanes stand. */
struct vector_op vector_decode(const struct lanes *l, uint32_t word, uint16_t tag);

/* By file. vector_load.c: */
vector_effect vector_sfpload, vector_sfpstore, vector_sfploadi;

/* In parts, for SFPLOADMACRO: Addr (moves the stack pointer in mode 10), and load and store at Addr in a mode. */
unsigned vector_address(const struct vector_io *io, uint32_t word, bool store);
/* The block of eight rows of Dst that a load looks at; nothing moves. */
unsigned vector_load_block(const struct vector_io *io, uint32_t word);
void vector_load_at(const struct vector_io *io, const struct vector_op *o, unsigned mode,
                    unsigned address);
void vector_store_at(const struct vector_io *io, const struct vector_op *o, unsigned mode,
                     unsigned address);

/* vector_mad.c: */
vector_effect vector_sfpmad, vector_sfpadd, vector_sfpmul, vector_sfpaddi, vector_sfpmuli,
    vector_sfplut, vector_sfplutfp32, vector_sfpmul24;
/* vector_simple.c: */
vector_effect vector_sfpdivp2, vector_sfpexexp, vector_sfpexman, vector_sfpiadd, vector_sfpshft,
    vector_sfpmov, vector_sfpabs, vector_sfpand, vector_sfpor, vector_sfpnot, vector_sfpxor,
    vector_sfplz, vector_sfpsetexp, vector_sfpsetman, vector_sfpsetsgn, vector_sfparecip;
/* vector_round.c: */
vector_effect vector_sfpcast, vector_sfpstochrnd;
/* vector_flags.c: */
vector_effect vector_sfpsetcc, vector_sfpencc, vector_sfpcompc, vector_sfppushc, vector_sfppopc,
    vector_sfple, vector_sfpgt, vector_sfpconfig;
/* vector_shuffle.c: */
vector_effect vector_sfpswap, vector_sfpshft2, vector_sfptransp;

/* What each opcode does; expanded once for every way to build the effects. */
#define VECTOR_EFFECTS                                                                             \
    [TENSIX_OP_SFPLOAD] = vector_sfpload, [TENSIX_OP_SFPLOADI] = vector_sfploadi,                  \
    [TENSIX_OP_SFPSTORE] = vector_sfpstore, [TENSIX_OP_SFPLUT] = vector_sfplut,                    \
    [TENSIX_OP_SFPMULI] = vector_sfpmuli, [TENSIX_OP_SFPADDI] = vector_sfpaddi,                    \
    [TENSIX_OP_SFPDIVP2] = vector_sfpdivp2, [TENSIX_OP_SFPEXEXP] = vector_sfpexexp,                \
    [TENSIX_OP_SFPEXMAN] = vector_sfpexman, [TENSIX_OP_SFPIADD] = vector_sfpiadd,                  \
    [TENSIX_OP_SFPSHFT] = vector_sfpshft, [TENSIX_OP_SFPSETCC] = vector_sfpsetcc,                  \
    [TENSIX_OP_SFPMOV] = vector_sfpmov, [TENSIX_OP_SFPABS] = vector_sfpabs,                        \
    [TENSIX_OP_SFPAND] = vector_sfpand, [TENSIX_OP_SFPOR] = vector_sfpor,                          \
    [TENSIX_OP_SFPNOT] = vector_sfpnot, [TENSIX_OP_SFPLZ] = vector_sfplz,                          \
    [TENSIX_OP_SFPSETEXP] = vector_sfpsetexp, [TENSIX_OP_SFPSETMAN] = vector_sfpsetman,            \
    [TENSIX_OP_SFPMAD] = vector_sfpmad, [TENSIX_OP_SFPADD] = vector_sfpadd,                        \
    [TENSIX_OP_SFPMUL] = vector_sfpmul, [TENSIX_OP_SFPPUSHC] = vector_sfppushc,                    \
    [TENSIX_OP_SFPPOPC] = vector_sfppopc, [TENSIX_OP_SFPSETSGN] = vector_sfpsetsgn,                \
    [TENSIX_OP_SFPENCC] = vector_sfpencc, [TENSIX_OP_SFPCOMPC] = vector_sfpcompc,                  \
    [TENSIX_OP_SFPTRANSP] = vector_sfptransp, [TENSIX_OP_SFPXOR] = vector_sfpxor,                  \
    [TENSIX_OP_SFPSTOCHRND] = vector_sfpstochrnd, [TENSIX_OP_SFPCAST] = vector_sfpcast,            \
    [TENSIX_OP_SFPCONFIG] = vector_sfpconfig, [TENSIX_OP_SFPSWAP] = vector_sfpswap,                \
    [TENSIX_OP_SFPSHFT2] = vector_sfpshft2, [TENSIX_OP_SFPLUTFP32] = vector_sfplutfp32,            \
    [TENSIX_OP_SFPLE] = vector_sfple, [TENSIX_OP_SFPGT] = vector_sfpgt,                            \
    [TENSIX_OP_SFPMUL24] = vector_sfpmul24, [TENSIX_OP_SFPARECIP] = vector_sfparecip

#endif
