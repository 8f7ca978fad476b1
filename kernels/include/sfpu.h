/*
 * sfpu.h - what kernels of the Vector Unit have in common. T0 unpacks tiles to SrcA or to Dst, T1 moves SrcA to Dst,
 * changes Dst by way of the LRegs, T2 packs. See compute.h.
 *
 * A pass is a list of words that loads 32 datums, computes and stores them; it is kept in the replay buffer, and a MOP
 * plays it eight times for a face: four rows of every second column, the columns between, four rows further. A short one it
 * plays for all four faces. Where the buffer has room for them, the words that move SrcA to Dst are kept there, too.
 * A second operand lies 64 rows behind the first.
 *
 * Who writes a list sees to what the hardware does not: the slot behind SFPMAD and its kin when SFPSWAP, SFPSHFT2 or
 * SFPIADD by VD reads the result, and the slots behind SFPSWAP and the shuffles of SFPSHFT2.
 */
#ifndef KERNELS_SFPU_H
#define KERNELS_SFPU_H

#include "compute.h"

/* ---- LRegs ---- */

enum { L0, L1, L2, L3, L4, L5, L6, L7 };
enum { ZERO = 9, ONE = 10, C0 = 11, C1 = 12, C2 = 13, C3 = 14 }; /* C: constants of a pass */

/* ---- modifiers ---- */

enum { AS_SRCB = 0, AS_INT32 = 4 };                                /* SFPLOAD, SFPSTORE */
enum { IMM_BF16 = 0, IMM_INT = 4, IMM_HIGH = 8, IMM_LOW = 10 };    /* SFPLOADI */
enum { NEGATE_B = 1, NEGATE_C = 2 };                               /* SFPMAD */
enum { CC_NEGATIVE = 0, CC_NOT_0 = 2, CC_POSITIVE = 4, CC_0 = 6 }; /* SFPSETCC */
enum { FLAGS = 1, VALUE = 8 };                                     /* SFPGT, SFPLE */
enum { FROM_VD = 0, IMM = 1 };                                     /* SFPSETSGN, SFPSETEXP, ... */
enum { ADD_IMM = 5, ADD = 4, SUB = 6 };                            /* SFPIADD, flags stay */
enum { SUB_NEGATIVE = 2, ADD_IMM_POSITIVE = 9 };                   /* SFPIADD, flags: < 0, >= 0 */
enum { SHIFT_BY_VC = 0, SHIFT_SIGNED_BY_VC = 2, SHIFT_VC_BY_IMM = 5 }; /* SFPSHFT */
/* SFPCAST: from sign-magnitude; to or from it */
enum { INT_TO_FP32 = 0, INT_TO_FP32_STOCHASTIC = 1, INT_TO_INT = 3 };
/* SFP_STOCH_RND: from FP32; from sign-magnitude */
enum { TO_TF32 = 0, TO_BF16 = 1, TO_UINT8 = 2, TO_INT8 = 3, TO_UINT16 = 6, TO_INT16 = 7 };
enum { INT32_TO_INT8 = 5 };
enum { NEAREST = 0, STOCHASTIC = 1 };
enum { RANDOM_NUMBER = 9, FROM_SPECIAL = 8 }; /* SFPMOV: what, and its modifier */
enum { SWAP_MIN = 1, SWAP_MIN_ROWS01 = 2, SWAP_MIN_ROWS02 = 3, SWAP_MAX = 9 }; /* what VD gets */
enum { SHIFT_LANES_AROUND = 3 };                                               /* SFPSHFT2 */
enum { LUT_SIX = 2, LUT_KEEP_SIGN = 4 }; /* SFPLUTFP32; SFPLUT */

/* ---- slots of address modifiers ---- */

enum { STAY = 0, NEXT = 1 }; /* next: the columns between, or the next four rows */
enum { SECOND = 64 };        /* rows to the second operand */

/* ---- words that come together ---- */

/* Any 32 bits to an LReg below 8; to a constant, by way of LReg 0. */
#define SFPU_SET(lreg, bits)                                                                       \
    OP_SFPLOADI(lreg, IMM_LOW, (bits)&0xFFFF), OP_SFPLOADI(lreg, IMM_HIGH, (uint32_t)(bits) >> 16)
#define SFPU_CONSTANT(c, bits) SFPU_SET(L0, bits), OP_SFPCONFIG(0, c, 0)
/* The lane flags decide, and all are set. */
#define SFPU_ALL_LANES OP_SFPENCC(3, 10)
/* The operand; the result, rounded to nearest if Dst has 16 bits (else the rounding is left out). */
#define SFPU_LOAD(lreg)  OP_SFPLOAD(lreg, AS_SRCB, STAY, 0)
#define SFPU_ROUND(lreg) OP_SFP_STOCH_RND(NEAREST, lreg, lreg, TO_BF16)
#define SFPU_STORE(lreg) SFPU_ROUND(lreg), OP_SFPSTORE(lreg, AS_SRCB, NEXT, 0)
/* LReg 0 := result, except where LReg 0, the operand, is NaN. Uses LRegs 2 and 3. */
#define SFPU_KEEP_NAN(result)                                                                      \
    OP_SFPSETSGN(0, L0, L2, IMM), OP_SFPLOADI(L3, IMM_BF16, 0x7F80), OP_SFPLE(L3, L2, FLAGS),      \
        OP_SFPMOV(result, L0, 0), SFPU_ALL_LANES

struct sfpu_pass {
    const uint32_t *setup, *body;
    uint32_t n_setup, n_body; /* at most 32 words of body */
    uint32_t plays;           /* of the body, for a face */
};
#define SFPU_PASS(setup, body) SFPU_PASS_OF(setup, body, 8)
/* The same with a body that takes part of the eight groups of a face at a time. */
#define SFPU_PASS_OF(setup, body, plays)                                                           \
    {                                                                                              \
        setup, body, sizeof(setup) / sizeof *(setup), sizeof(body) / sizeof *(body), plays         \
    }

#if defined(CORE_T) && CORE_T == 0
/* Where in Dst the two contexts unpack to: two halves, or two operands of one half. */
static inline void sfpu_unpack_where(uint32_t operands, uint32_t half)
{
    uint32_t at = 64 + half * 16 * DST_HALF;
    CONFIG_WORD(CFG_UNPACK0_DEST) =
        operands > 1 ? at | (at + 16 * SECOND) << 16 : 64 | (64 + 16 * DST_HALF) << 16;
    config_written();
}

/* Operands to an empty half of Dst; T1 hears of it when all are there. */
static inline void sfpu_unpack_to_dst(uint32_t operands, uint32_t a, uint32_t b, uint32_t half)
{
    if (operands > 1) {
        tensix_sync(); /* both contexts change */
        sfpu_unpack_where(operands, half);
    }
    for (uint32_t i = 0; i < operands; i++) {
        uint32_t at = i ? b : a;
        unpack_addresses(at, at);
        if (i == 0) {
            TT(OP_SEMWAIT(STALL_UNPACK | STALL_SYNC, SEM_BIT(SEM_MATH_DONE), STALL_ON_ZERO));
            TT(OP_SEMGET(SEM_BIT(SEM_MATH_DONE)));
        }
        TT(OP_UNPACR(0, 0, 0));
        if (i + 1 == operands)
            T6_SEMAPHORE_POST(WAIT_UNPACK0, SEM_UNPACK_TO_DEST);
        unpack_done();
    }
}

/* Everything that T0 does. inner: operands of a result. */
static inline void sfpu_unpack(void)
{
    const uint32_t repeat = ARGS->repeat, tiles = ARGS->rows * ARGS->columns, in0 = ARGS->in0;
    const uint32_t in1 = ARGS->in1, operands = ARGS->inner, to_dst = ARGS->to_dst;
    const uint32_t size = compute_tile_bytes(ARGS->in0_format);
    uint32_t half = 0;
    unpack_format(0, ARGS->in0_format, ARGS->src0_format, 0);
    unpack_format(1, ARGS->src0_format, ARGS->src0_format, 0);
    unpack_start(1024, 16);
    if (to_dst) {
        CONFIG_WORD(CFG_UNPACK0 + 1) = 0x000F00FF; /* all contexts */
        sfpu_unpack_where(operands, 0);
        TT(OP_SETC16(CFG_SRCA_SET, 0));
    }
    for (uint32_t n = 0; n < repeat; n++)
        for (uint32_t i = 0; i < tiles; i++, half = 1 - half) {
            if (to_dst) {
                sfpu_unpack_to_dst(operands, in0 + i * size, in1 + i * size, half);
                continue;
            }
            unpack_addresses(in0 + i * size, in0 + i * size);
            TT(OP_UNPACR(0, 0, 1));
            unpack_done();
        }
    compute_end();
}
#endif

#if defined(CORE_T) && CORE_T == 1
static inline void sfpu_start(void)
{
    math_start();
    math_modifier(STAY, 0, 0, 0);
    math_modifier(NEXT, 0, 0, MOD_DST_ADD(2));
    TT(SFPU_ALL_LANES);
}

/* How the tiles of a pass are done. */
struct sfpu_way {
    uint32_t
        moves; /* first slot of the replay buffer with the words that move SrcA to Dst; 0: not kept */
    uint32_t mops; /* for a tile */
};
#define SFPU_MOVES 8u
#define SFPU_SLOTS 32u
/* Words that a MOP should become at most: simulators may hold no more than 512, with some there already. */
#define SFPU_MOP_WORDS 448u

static inline void sfpu_push_moves(void)
{
    for (uint32_t row = 0; row < 8 * SFPU_MOVES; row += 8)
        push(OP_MOVA2D(0, row, STAY, 2, row));
}

/* A half of Dst with the operands in it. */
static inline void sfpu_begin(uint32_t to_dst, uint32_t moves)
{
    math_acquire();
    if (to_dst) {
        T6_SEMAPHORE_POST(WAIT_MATH, SEM_MATH_DONE);
        T6_SEMAPHORE_WAIT_ON_ZERO(STALL_SYNC | STALL_MATH | STALL_SFPU, SEM_UNPACK_TO_DEST);
        TT(OP_SEMGET(SEM_BIT(SEM_UNPACK_TO_DEST)));
    } else {
        if (moves)
            push(OP_REPLAY(moves, SFPU_MOVES, 0, 0));
        else
            sfpu_push_moves();
        TT(OP_SETRWC(1, 0, 0, 0, 0, 0xF));
        TT(OP_STALLWAIT(STALL_SFPU, WAIT_MATH));
    }
}

static inline void sfpu_end(void)
{
    math_release();
    TT(OP_SETRWC(0, 0, 0, 0, 0, 0xF));
}

static inline void sfpu_push(const uint32_t *words, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        push(words[i]);
}

static inline int sfpu_is_rounding(uint32_t word)
{
    uint32_t lreg = word >> 4 & 15;
    return word == SFPU_ROUND(lreg);
}

/* Keeps the body in the replay buffer and makes a MOP that plays it. */
static inline struct sfpu_way sfpu_program(const struct sfpu_pass *p)
{
    const uint32_t dst32 = ARGS->dst32;
    uint32_t n = 0;
    for (uint32_t i = 0; i < p->n_body; i++)
        n += !(dst32 && sfpu_is_rounding(p->body[i]));
    sfpu_push(p->setup, p->n_setup);
    push(OP_REPLAY(0, n, 0, 1));
    for (uint32_t i = 0; i < p->n_body; i++)
        if (!(dst32 && sfpu_is_rounding(p->body[i])))
            push(p->body[i]);
    const struct sfpu_way way = {
        .moves = n + SFPU_MOVES <= SFPU_SLOTS ? SFPU_SLOTS - SFPU_MOVES : 0,
        .mops = 4 * p->plays * n <= SFPU_MOP_WORDS ? 1 : 4,
    };
    if (way.moves) {
        push(OP_REPLAY(way.moves, SFPU_MOVES, 0, 1));
        sfpu_push_moves();
    }
    const struct mop_loops loops = {
        .outer = way.mops == 1 ? 4 : 1,
        .inner = p->plays,
        .start = OP_NOP,
        .end0 = OP_NOP,
        .end1 = OP_NOP,
        .body = OP_REPLAY(0, n, 0, 0),
        .body1 = OP_NOP,
        .last_outer = OP_REPLAY(0, n, 0, 0),
        .last_inner = OP_REPLAY(0, n, 0, 0),
    };
    mop_loops_program(&loops);
    return way;
}

/* A tile, by the MOP of sfpu_program(). */
static inline void sfpu_tile(uint32_t to_dst, struct sfpu_way way)
{
    sfpu_begin(to_dst, way.moves);
    for (uint32_t i = 0; i < way.mops; i++)
        TT(OP_MOP(1, 0, 0));
    sfpu_end();
}

/* Everything that T1 does, if it is the same for all of a tile. */
static inline void sfpu_run(const struct sfpu_pass *p)
{
    const uint32_t tiles = ARGS->repeat * ARGS->rows * ARGS->columns, to_dst = ARGS->to_dst;
    sfpu_start();
    const struct sfpu_way way = sfpu_program(p);
    for (uint32_t i = 0; i < tiles; i++)
        sfpu_tile(to_dst, way);
    compute_end();
}
#endif

#if defined(CORE_T) && CORE_T == 2
/* Everything that T2 does. */
static inline void sfpu_pack(void)
{
    pack_start(16);
    pack_all();
}
#endif

#endif
