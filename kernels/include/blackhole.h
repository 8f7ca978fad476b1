/*
 * blackhole.h - what a bare-metal program for a core of a Blackhole Tensix tile needs: addresses,
 * ordering, semaphores, mailboxes, PC buffers, and Tensix instructions.
 *
 * The build defines one of CORE_B, CORE_NC and CORE_T (0, 1 or 2); what a core cannot reach is not
 * declared for it.
 */
#ifndef KERNELS_BLACKHOLE_H
#define KERNELS_BLACKHOLE_H

#include <stdint.h>

#include "tensix_ops.h"

#define REG32(address) (*(volatile uint32_t *)(address))

/* ---- addresses ---- */

#define SOFT_RESET       0xFFB121B0
#define RESET_BIT_B      (1U << 11)
#define RESET_BIT_T(i)   (1U << (12 + (i)))
#define RESET_BIT_NC     (1U << 18)
#define WALL_CLOCK_LOW   0xFFB121F0
#define WALL_CLOCK_HIGH  0xFFB121F8 /* of the moment when the low word was read */
#define RESET_PC_T(i)    (0xFFB12228 + 4 * (i))
#define RESET_PC_T_USE   0xFFB12234 /* bit i: T core i starts at RESET_PC_T(i) */
#define RESET_PC_NC      0xFFB12238
#define RESET_PC_NC_USE  0xFFB1223C
#define MOP_CFG          0xFFB80000 /* nine words, write only; own thread */
#define GPRS             0xFFE00000 /* 64 words of the own thread; B: 64 for each of three */
#define PUSH             0xFFE40000 /* own thread; B: T0, the others 0x10000 and 0x20000 further */
#define PC_BUFFER        0xFFE80000 /* T: read end; B: write end for T0, the others 0x10000 apart */
#define TENSIX_SYNC      0xFFE80004
#define MOP_SYNC         0xFFE80008
#define SEMAPHORES       0xFFE80020
#define MAILBOXES        0xFFEC0000 /* + 0x1000 * partner: 0 B, 1 T0, 2 T1, 3 T2 */
#define CONFIG           0xFFEF0000 /* bank 0 */
#define CONFIG_BANK_SIZE 0x380

#define CFG_STATE_ID      0   /* thread configuration: the Config bank in use */
#define CFG_SCRATCH       209 /* Config: three words for CFGSHIFTMASK */
#define CFG_UNPACK0_BASE  76  /* Config: where unpacker 0 would read from */
#define CFG_UNPACK0_BASE1 77
#define CFG_UNPACK1_BASE  124 /* the same for unpacker 1 */

#define CSR_CFG0                  0x7C0
#define CFG0_NO_BRANCH_PREDICTION (1U << 1)
#define CFG0_NO_DATA_CACHE        (1U << 3)
#define CFG0_NO_FUSION            (1U << 18)
#define CFG0_NO_PERIODIC_FLUSH    (1U << 24)

/* ---- words in L1 that all example programs share ---- */

#define DONE     REG32(0x1F000) /* 0xFF ends the program */
#define DONE_YES 0xFF
#define RESULT   ((volatile uint32_t *)0x20000)

/* ---- ordering ---- */

/* Wait for own loads and for the store queue to drain; forget the L0 data cache. */
static inline void fence(void)
{
    __asm__ volatile("fence" ::: "memory");
}

/* L1 may have been written by others: what is cached of it must not be used. */
static inline void invalidate_l1_cache(void)
{
    fence();
}

/* Go on only when a loaded value has arrived: an instruction that uses it. */
static inline uint32_t arrived(uint32_t value)
{
    __asm__ volatile("mv %0, %0" : "+r"(value)::"memory");
    return value;
}

/* Load from a device, and wait for the answer. */
static inline uint32_t mmio_read(uint32_t address)
{
    return arrived(REG32(address));
}

/*
 * Store to L1, and go on when the word is there: a load of the same word comes behind the store. Needed
 * before telling another core by other means than L1, which could otherwise overtake.
 */
static inline void l1_write(volatile uint32_t *p, uint32_t value)
{
    *p = value;
    arrived(*p);
}

static inline uint32_t l1_read(const volatile uint32_t *p)
{
    invalidate_l1_cache();
    return arrived(*p);
}

static inline void l1_wait(const volatile uint32_t *p, uint32_t value)
{
    while (l1_read(p) != value)
        ;
}

/* Atomic addition and exchange in L1 (Zaamo); the old value. Assembled by hand: the compiler's -march
 * would otherwise have to promise all of A. */
static inline uint32_t l1_add(volatile uint32_t *p, uint32_t value)
{
    uint32_t old;
    __asm__ volatile(".insn r 0x2F, 2, 0x00, %0, %1, %2" /* amoadd.w */
                     : "=r"(old)
                     : "r"(p), "r"(value)
                     : "memory");
    return old;
}

static inline uint32_t l1_swap(volatile uint32_t *p, uint32_t value)
{
    uint32_t old;
    __asm__ volatile(".insn r 0x2F, 2, 0x04, %0, %1, %2" /* amoswap.w */
                     : "=r"(old)
                     : "r"(p), "r"(value)
                     : "memory");
    return old;
}

/* ---- switches of the core ---- */

static inline void cfg0_set(uint32_t bits)
{
    __asm__ volatile("csrrs zero, 0x7C0, %0" ::"r"(bits) : "memory");
}

static inline void cfg0_clear(uint32_t bits)
{
    __asm__ volatile("csrrc zero, 0x7C0, %0" ::"r"(bits) : "memory");
}

static inline uint32_t wall_clock(void)
{
    return mmio_read(WALL_CLOCK_LOW);
}

static inline void spin(uint32_t ticks)
{
    uint32_t start = wall_clock();
    while (wall_clock() - start < ticks)
        ;
}

/* ---- reset of other cores ---- */

static inline void hold_cores(uint32_t bits)
{
    REG32(SOFT_RESET) = mmio_read(SOFT_RESET) | bits;
    arrived(REG32(SOFT_RESET));
}

static inline void release_cores(uint32_t bits)
{
    REG32(SOFT_RESET) = mmio_read(SOFT_RESET) & ~bits;
    arrived(REG32(SOFT_RESET));
}

/* ---- mailboxes: not for NC ---- */

#if !defined(CORE_NC)
enum mailbox { MAILBOX_B = 0, MAILBOX_T0 = 1, MAILBOX_T1 = 2, MAILBOX_T2 = 3 };

static inline void mailbox_send(enum mailbox to, uint32_t value)
{
    REG32(MAILBOXES + 0x1000 * to) = value;
}

static inline uint32_t mailbox_receive(enum mailbox from)
{
    return mmio_read(MAILBOXES + 0x1000 * from);
}
#endif

/* ---- Tensix instructions ---- */

#if defined(CORE_B)
/* Push a word behind the MOP expander of a thread; no MOP here. */
static inline void push(unsigned thread, uint32_t word)
{
    REG32(PUSH + 0x10000 * thread) = word;
}

static inline void pc_buffer_send(unsigned thread, uint32_t value)
{
    REG32(PC_BUFFER + 0x10000 * thread) = value;
}
#endif

#if defined(CORE_T)
/* One instruction in the code itself. The word must be a constant. The assembler gives only instructions a source
   line of their own, so the low half of the word passes for one. */
#define TT(word)                                                                                   \
    __asm__ volatile(".insn 2, %0\n\t.2byte %1" ::"i"(TENSIX_TTINSN(word) & 0xFFFF),               \
                     "i"(TENSIX_TTINSN(word) >> 16)                                                \
                     : "memory")

/* One instruction that is known only when the program runs. */
static inline void push(uint32_t word)
{
    REG32(PUSH) = word;
}

static inline uint32_t gpr_read(unsigned n)
{
    return mmio_read(GPRS + 4 * n);
}

static inline uint32_t config_read(unsigned n)
{
    return mmio_read(CONFIG + 4 * n);
}

static inline uint32_t pc_buffer_receive(void)
{
    return mmio_read(PC_BUFFER);
}

/* Wait until the thread has nothing in flight. The store keeps the load behind earlier pushes. */
static inline void tensix_sync(void)
{
    REG32(TENSIX_SYNC) = 0;
    mmio_read(TENSIX_SYNC);
}

/* Wait until the MOP configuration may be changed. */
static inline void mop_sync(void)
{
    REG32(MOP_SYNC) = 0;
    mmio_read(MOP_SYNC);
}

/* ---- semaphores from the core ---- */

static inline uint32_t semaphore_read(enum semaphore s)
{
    return mmio_read(SEMAPHORES + 4 * s);
}

static inline void semaphore_post(enum semaphore s)
{
    REG32(SEMAPHORES + 4 * s) = 0;
}

static inline void semaphore_get(enum semaphore s)
{
    REG32(SEMAPHORES + 4 * s) = 1;
}

/* ---- semaphores from the thread ---- */

/* wait: conditions that must clear first, 0 for none */
#define T6_SEMAPHORE_POST(wait, s)                                                                 \
    do {                                                                                           \
        if (wait)                                                                                  \
            TT(OP_STALLWAIT(STALL_SYNC, wait));                                                    \
        TT(OP_SEMPOST(SEM_BIT(s)));                                                                \
    } while (0)

#define T6_SEMAPHORE_GET(wait, s)                                                                  \
    do {                                                                                           \
        if (wait)                                                                                  \
            TT(OP_STALLWAIT(STALL_SYNC, wait));                                                    \
        TT(OP_SEMGET(SEM_BIT(s)));                                                                 \
    } while (0)

#define T6_SEMAPHORE_WAIT_ON_ZERO(block, s) TT(OP_SEMWAIT(block, SEM_BIT(s), STALL_ON_ZERO))
#define T6_SEMAPHORE_WAIT_ON_MAX(block, s)  TT(OP_SEMWAIT(block, SEM_BIT(s), STALL_ON_MAX))

/* ---- GPRs, replay, MOP ---- */

#define TT_SET_GPR(gpr, value)                                                                     \
    do {                                                                                           \
        TT(OP_SETDMAREG_LO(gpr, value));                                                           \
        TT(OP_SETDMAREG_HI(gpr, value));                                                           \
    } while (0)

/*
 * While a replay is recorded, words of the code must not be fused. They are fused early in the pipe, so
 * the switch is set without branch prediction and some instructions are put behind it.
 */
static inline void fusion_off(void)
{
    cfg0_set(CFG0_NO_BRANCH_PREDICTION);
    fence();
    cfg0_set(CFG0_NO_FUSION);
    cfg0_clear(CFG0_NO_BRANCH_PREDICTION);
    fence();
    __asm__ volatile("nop\n\tnop\n\tnop" ::: "memory");
}

static inline void fusion_on(void)
{
    cfg0_clear(CFG0_NO_FUSION);
}

/* The next n words go into the replay buffer from slot start up; execute them as well, or not. */
#define REPLAY_RECORD(start, n, execute)                                                           \
    do {                                                                                           \
        fusion_off();                                                                              \
        TT(OP_REPLAY(start, n, execute, 1));                                                       \
    } while (0)
#define REPLAY_RECORD_END()   fusion_on()
#define REPLAY_PLAY(start, n) TT(OP_REPLAY(start, n, 0, 0))

/* Template 1: two nested loops. OP_NOP leaves a place out. */
struct mop_loops {
    uint32_t outer, inner;
    uint32_t start, end0, end1;
    uint32_t body, body1;            /* body1: alternates with body, twice as many steps */
    uint32_t last_outer, last_inner; /* last step of the last, and of every other, outer loop */
};

static inline void mop_loops_program(const struct mop_loops *m)
{
    volatile uint32_t *cfg = (volatile uint32_t *)MOP_CFG;
    mop_sync();
    cfg[0] = m->outer;
    cfg[1] = m->inner;
    cfg[2] = m->start;
    cfg[3] = m->end0;
    cfg[4] = m->end1;
    cfg[5] = m->body;
    cfg[6] = m->body1;
    cfg[7] = m->last_outer;
    cfg[8] = m->last_inner;
}

/* Template 0: for each bit of a mask, one sequence for 0 and another for 1. */
struct mop_mask {
    uint32_t flags; /* 1: b and skip_b are there; 2: a1, a2, a3 are there */
    uint32_t b, a0, a1, a2, a3, skip_a0, skip_b;
};

static inline void mop_mask_program(const struct mop_mask *m)
{
    volatile uint32_t *cfg = (volatile uint32_t *)MOP_CFG;
    mop_sync();
    cfg[1] = m->flags;
    cfg[2] = m->b;
    cfg[3] = m->a0;
    cfg[4] = m->a1;
    cfg[5] = m->a2;
    cfg[6] = m->a3;
    cfg[7] = m->skip_a0;
    cfg[8] = m->skip_b;
}
#endif

#endif
