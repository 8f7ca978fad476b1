/*
 * compute.h - what kernels that compute have in common. T0 unpacks tiles from L1 to Src, T1 computes into
 * one half of Dst while T2 packs the other half to L1. A tile is 32 x 32: four faces of 16 x 16, upper left,
 * upper right, lower left, lower right, each row by row; formats with shared exponents have them in front.
 *
 * Between T0 and T1 the valid bits of the Src banks are enough. MATH_PACK counts halves of Dst that T1
 * has filled and T2 has not emptied. UNPACK_SYNC counts addresses that T0's core has written and its
 * thread has not used; two contexts take turns. When T0 unpacks to Dst itself, T1 posts MATH_DONE for a half
 * that is empty and T0 posts UNPACK_TO_DEST when it is full.
 *
 * Core B writes the words of Config that several threads look at, before the others run; each thread
 * writes those of its own unit.
 */
#ifndef KERNELS_COMPUTE_H
#define KERNELS_COMPUTE_H

#include "blackhole.h"
#include "compute_args.h"

#define ARGS     ((const volatile struct compute_args *)COMPUTE_ARGS)
#define DST_HALF 512 /* rows */

/* Config words */
#define CFG_ALU            1
#define CFG_RELU           2
#define CFG_PACK_XY        12
#define CFG_PACK_ZW        13
#define CFG_PACK_CH1_XY    14
#define CFG_PACK_CH1_ZW    15
#define CFG_PACK_READ      18
#define CFG_ROW_SET0       20
#define CFG_ROW_SET1       21
#define CFG_EDGE0          24
#define CFG_EDGE1          25
#define CFG_PACK_COUNTERS  28
#define CFG_UNPACK0_ADD    50
#define CFG_UNPACK0_CH1_ZW 57
#define CFG_UNPACK1_CH1_ZW 59
#define CFG_UNPACK0_DESC   64
#define CFG_PACK_SECTIONS  68
#define CFG_PACK_ADDRESS   69
#define CFG_PACK_FORMATS   70
#define CFG_FP8            71
#define CFG_UNPACK0        72
#define CFG_UNPACK0_DEST   84
#define CFG_UNPACK0_X_DIM  86
#define CFG_UNPACK1_DESC   112
#define CFG_FP8_UNPACK1    119
#define CFG_UNPACK1        120
#define CFG_PACK_DST       180
#define CFG_PRNG_SEED      186
#define CFG_DST_ACCESS     220
/* words of a thread */
#define CFG_MATH_DST       1
#define CFG_SRCA_SET       5
#define CFG_MOD_AB         12
#define CFG_MOD_DST        28
#define CFG_MOD_PACK       37
#define CFG_UNPACK_CONTEXT 41

#define CONFIG_WORD(n) REG32(CONFIG + 4 * (n))

#define ADC_UNPACK0 1
#define ADC_UNPACK1 2
#define ADC_PACK    4

/* Bytes of a datum as address counters count them. */
static inline uint32_t counted_bytes(uint32_t format)
{
    return 4 >> ((format & 3) < 2 ? format & 3 : 2);
}

/* Go on when all stores to Config have arrived: a load comes behind them. */
static inline void config_written(void)
{
    mmio_read(CONFIG + 4 * CFG_ALU);
}

/* ---- core B ---- */

#if defined(CORE_B)
/* Whole numbers from -3 to 3 in BF16, for a kernel that is run without a host; up to six words too many.
   The pattern repeats after seven words. */
static inline void compute_fill(uint32_t at, uint32_t words, uint32_t step)
{
    static const uint16_t number[7] = {0xC040, 0xC000, 0xBF80, 0, 0x3F80, 0x4000, 0x4040};
    volatile uint32_t *p = (volatile uint32_t *)at;
    uint32_t w[7];
    for (unsigned i = 0; i < 7; i++)
        w[i] = number[2 * i * step % 7] | (uint32_t)number[(2 * i + 1) * step % 7] << 16;
    for (uint32_t i = 0; i < words; i += 7, p += 7) {
        p[0] = w[0];
        p[1] = w[1];
        p[2] = w[2];
        p[3] = w[3];
        p[4] = w[4];
        p[5] = w[5];
        p[6] = w[6];
    }
    arrived(p[-1]);
}

/* Everything that core B does. */
static inline void compute_start(void)
{
    if (ARGS->fill) {
        compute_fill(ARGS->in0, 512 * ARGS->rows * ARGS->inner, 3);
        compute_fill(ARGS->in1, 512 * ARGS->inner * ARGS->columns, 5);
    }
    CONFIG_WORD(CFG_ALU) = ARGS->alu | ARGS->pack_format << 25 | (ARGS->dst32 ? 3U << 29 : 0);
    CONFIG_WORD(CFG_RELU) = ARGS->relu;
    CONFIG_WORD(CFG_FP8) = ARGS->fp8;
    CONFIG_WORD(CFG_FP8_UNPACK1) = ARGS->fp8 & 1U << 22;
    CONFIG_WORD(CFG_DST_ACCESS) = ARGS->dst_access;
    config_written();
    push(0, OP_SEMINIT(2, 0, SEM_BIT(SEM_MATH_PACK)));
    push(0, OP_SEMINIT(2, 0, SEM_BIT(SEM_UNPACK_SYNC)));
    push(0, OP_SEMINIT(1, 0, SEM_BIT(SEM_UNPACK_TO_DEST)));
    push(0, OP_SEMINIT(1, 0, SEM_BIT(SEM_MATH_DONE)));
    release_cores(RESET_BIT_T(0) | RESET_BIT_T(1) | RESET_BIT_T(2));
    for (unsigned i = 0; i < 3; i++)
        mailbox_receive((enum mailbox)(MAILBOX_T0 + i));
    DONE = DONE_YES;
}
#endif

#if defined(CORE_T)
/* The thread has done all it was told. */
static inline void compute_end(void)
{
    tensix_sync();
    mailbox_send(MAILBOX_B, CORE_T);
}
#endif

/* ---- T0: unpack ---- */

#if defined(CORE_T) && CORE_T == 0
static unsigned unpack_context;

/* One unpacker: format in L1 and in Src, datums from one face to the next. mode: bit 8 transposes within faces (unpacker 0),
   bit 9 tilizes. */
static inline void unpack_format(unsigned unpacker, uint32_t from, uint32_t to, uint32_t mode)
{
    uint32_t desc = unpacker ? CFG_UNPACK1_DESC : CFG_UNPACK0_DESC;
    uint32_t word = unpacker ? CFG_UNPACK1 : CFG_UNPACK0;
    CONFIG_WORD(desc) = from | 1 << 4 | 256 << 16; /* not compressed; X size of unpacker 1 */
    CONFIG_WORD(desc + 1) = 1 | 4 << 16;           /* one Y, four Z: faces */
    CONFIG_WORD(word) = to | 2 << 4 | mode;
    CONFIG_WORD(word + 1) = 0x000F000F; /* no context is compressed */
    CONFIG_WORD(unpacker ? CFG_UNPACK1_CH1_ZW : CFG_UNPACK0_CH1_ZW) = 256 * counted_bytes(to);
}

/* What holds for every kernel; datums: unpacked by one instruction of each unpacker. */
static inline void unpack_start(uint32_t datums0, uint32_t datums1)
{
    CONFIG_WORD(CFG_UNPACK0_DEST) = 64 | 64 << 16; /* four rows further: where row 0 is */
    CONFIG_WORD(CFG_UNPACK0_X_DIM) = 256 | 256 << 16;
    CONFIG_WORD(CFG_UNPACK0_ADD) = 1 << 8; /* counters of channel 1 count */
    config_written();
    TT(OP_SETC16(CFG_STATE_ID, 0));
    TT(OP_SETC16(CFG_UNPACK_CONTEXT, 0));
    TT(OP_SETC16(CFG_SRCA_SET, 4)); /* counters choose the row of SrcA */
    TT(OP_SETADCXY(ADC_UNPACK0 | ADC_UNPACK1, 0, 0, 0, 0, 0xF));
    TT(OP_SETADCZW(ADC_UNPACK0 | ADC_UNPACK1, 0, 0, 0, 0, 0xF));
    push(OP_SETADCXX(ADC_UNPACK0, datums0 - 1, 0));
    push(OP_SETADCXX(ADC_UNPACK1, datums1 - 1, 0));
}

/* The addresses of the next operands, for the context whose turn it is. */
static inline void unpack_addresses(uint32_t a, uint32_t b)
{
    while (semaphore_read(SEM_UNPACK_SYNC) >= 2)
        ;
    CONFIG_WORD(CFG_UNPACK0_BASE + unpack_context) = a / 16 - 1;
    CONFIG_WORD(CFG_UNPACK1_BASE + unpack_context) = b / 16 - 1;
    semaphore_post(SEM_UNPACK_SYNC);
    TT(OP_STALLWAIT(STALL_UNPACK, WAIT_TRISC_CFG));
}

/* They have been used; the other context comes next. */
static inline void unpack_done(void)
{
    TT(OP_SEMGET(SEM_BIT(SEM_UNPACK_SYNC)));
    unpack_context = 1 - unpack_context;
    if (unpack_context)
        TT(OP_SETC16(CFG_UNPACK_CONTEXT, 0x0101));
    else
        TT(OP_SETC16(CFG_UNPACK_CONTEXT, 0));
}

/* A tile to SrcA and one to SrcB. */
static inline void unpack_tiles(uint32_t a, uint32_t b)
{
    unpack_addresses(a, b);
    TT(OP_UNPACR(0, 0, 1));
    TT(OP_UNPACR(1, 0, 1));
    unpack_done();
}
#endif

/* ---- T1: math ---- */

#if defined(CORE_T) && CORE_T == 1
static unsigned math_half;

/* How counters of one kind move: by n, from where the carriage return is (CR), or back to 0. */
#define MOD_ADD(n)      ((n)&0x3F)
#define MOD_CR(n)       (((n)&0x3F) | 0x40)
#define MOD_CLEAR       0xC0
#define MOD_DST_ADD(n)  ((n)&0x3FF)
#define MOD_DST_CR(n)   (((n)&0x3FF) | 0x400)
#define MOD_DST_CLEAR   0xC00
#define MOD_PHASE       0x2000 /* next fidelity phase */
#define MOD_PHASE_CLEAR 0x8000

static inline void math_modifier(unsigned slot, uint32_t a, uint32_t b, uint32_t dst)
{
    push(OP_SETC16(CFG_MOD_AB + slot, a | b << 8));
    push(OP_SETC16(CFG_MOD_DST + slot, dst));
}

static inline void math_start(void)
{
    TT(OP_SETC16(CFG_STATE_ID, 0));
    TT(OP_SETC16(CFG_MATH_DST, 0));
    TT(OP_SETRWC(0, 0, 0, 0, 0, 0xF));
    push(OP_ZEROACC(3, ARGS->dst32, 0, 0)); /* all of Dst */
}

/* Wait for a half of Dst that is empty. */
static inline void math_acquire(void)
{
    TT(OP_SEMWAIT(STALL_MATH | STALL_SFPU | STALL_SYNC, SEM_BIT(SEM_MATH_PACK), STALL_ON_MAX));
}

/* The half is full; the other one is next. */
static inline void math_release(void)
{
    T6_SEMAPHORE_POST(WAIT_MATH | WAIT_SFPU, SEM_MATH_PACK);
    math_half = 1 - math_half;
    TT(OP_STALLWAIT(STALL_CFG, WAIT_MATH | WAIT_SFPU));
    if (math_half)
        TT(OP_SETC16(CFG_MATH_DST, DST_HALF));
    else
        TT(OP_SETC16(CFG_MATH_DST, 0));
}
#endif

/* ---- T2: pack ---- */

#if defined(CORE_T) && CORE_T == 2
enum { GPR_ADDRESS = 4, GPR_HALF0 = 8, GPR_HALF1 = 12 };
static unsigned pack_half;

#define PACK_Y_ADD(n)    (n)
#define PACK_Y_CLEAR     (1 << 5)
#define PACK_YDST_ADD(n) ((n) << 6)
#define PACK_YDST_CLEAR  (1 << 11)
#define PACK_Z_NEXT      (1 << 12)
#define PACK_Z_CLEAR     (1 << 13)

/* rows: from one Z to the next */
static inline void pack_start(uint32_t z_rows)
{
    uint32_t from = ARGS->pack_format, to = ARGS->out_format, row = 16 * counted_bytes(from);
    CONFIG_WORD(CFG_PACK_XY) = row << 16;
    CONFIG_WORD(CFG_PACK_ZW) = z_rows * row | (64 * row) << 16;
    CONFIG_WORD(CFG_PACK_CH1_XY) = 0;
    CONFIG_WORD(CFG_PACK_CH1_ZW) = 0;
    CONFIG_WORD(CFG_PACK_READ) = ARGS->pack_read | (ARGS->dst32 ? 1 : 0);
    CONFIG_WORD(CFG_ROW_SET0) = 0;
    CONFIG_WORD(CFG_EDGE0) = 0xFFFF; /* every column of every row */
    CONFIG_WORD(CFG_PACK_COUNTERS) = 16 << 8;
    CONFIG_WORD(CFG_PACK_SECTIONS) = compute_is_bfp(to) ? 4 << 16 : 0;
    CONFIG_WORD(CFG_PACK_FORMATS) = 1 | to << 4 | from << 8;
    config_written();
    TT(OP_SETC16(CFG_STATE_ID, 0));
    TT_SET_GPR(GPR_HALF0, 0);
    TT_SET_GPR(GPR_HALF1, DST_HALF);
    TT(OP_STALLWAIT(STALL_CFG, WAIT_THCON));
    TT(OP_WRCFG(GPR_HALF0, 0, CFG_PACK_DST));
    TT(OP_SETADCXY(ADC_PACK, 0, 0, 0, 0, 0xF));
    TT(OP_SETADCZW(ADC_PACK, 0, 0, 0, 0, 0xF));
    TT(OP_SETADCXX(ADC_PACK, 15, 0));
}

/* A tile as it lies in Dst: four rows at a time, four times a face, four faces. */
static inline void pack_plain_program(void)
{
    static const struct mop_loops loops = {
        .outer = 4,
        .inner = 4,
        .start = OP_NOP,
        .end0 = OP_NOP,
        .end1 = OP_NOP,
        .body = OP_PACR(0, 0, 0, 0),
        .body1 = OP_NOP,
        .last_outer = OP_PACR(0, 1, 0, 1),
        .last_inner = OP_PACR(0, 2, 0, 0),
    };
    TT(OP_SETC16(CFG_MOD_PACK + 0, PACK_Y_ADD(4)));
    TT(OP_SETC16(CFG_MOD_PACK + 1, PACK_Y_CLEAR | PACK_Z_CLEAR | PACK_YDST_CLEAR));
    TT(OP_SETC16(CFG_MOD_PACK + 2, PACK_Y_CLEAR | PACK_Z_NEXT));
    mop_loops_program(&loops);
}

static inline void pack_address(uint32_t address)
{
    uint32_t value = (address / 16 - 1) | 1U << 31;
    push(OP_SETDMAREG_LO(GPR_ADDRESS, value));
    push(OP_SETDMAREG_HI(GPR_ADDRESS, value));
    TT(OP_STALLWAIT(STALL_CFG, WAIT_THCON | WAIT_PACK0));
    TT(OP_WRCFG(GPR_ADDRESS, 0, CFG_PACK_ADDRESS));
    TT(OP_DMANOP);
    TT(OP_DMANOP);
}

/* Wait for a half of Dst that is full. */
static inline void pack_acquire(void)
{
    TT(OP_SEMWAIT(STALL_TDMA, SEM_BIT(SEM_MATH_PACK), STALL_ON_ZERO));
}

/* The half is in L1: empty it and go on with the other. */
static inline void pack_release(uint32_t dst32)
{
    TT(OP_STALLWAIT(STALL_MATH, WAIT_PACK0));
    push(OP_ZEROACC(2, dst32, 1, pack_half));
    TT(OP_SEMGET(SEM_BIT(SEM_MATH_PACK)));
    pack_half = 1 - pack_half;
    TT(OP_STALLWAIT(STALL_CFG, WAIT_PACK0));
    if (pack_half)
        TT(OP_WRCFG(GPR_HALF1, 0, CFG_PACK_DST));
    else
        TT(OP_WRCFG(GPR_HALF0, 0, CFG_PACK_DST));
    TT(OP_DMANOP);
    TT(OP_DMANOP);
}

/* One tile from the half that is full. */
static inline void pack_tile(uint32_t address, uint32_t dst32)
{
    pack_acquire();
    pack_address(address);
    TT(OP_MOP(1, 0, 0));
    TT(OP_SETADCZW(ADC_PACK, 0, 0, 0, 0, 5));
    pack_release(dst32);
}

/* All tiles of the result one by one, as they lie in Dst, and the end. */
static inline void pack_all(void)
{
    const uint32_t tiles = ARGS->rows * ARGS->columns, repeat = ARGS->repeat, out = ARGS->out;
    const uint32_t dst32 = ARGS->dst32, size = compute_tile_bytes(ARGS->out_format);
    pack_plain_program();
    for (uint32_t n = 0; n < repeat; n++)
        for (uint32_t i = 0; i < tiles; i++)
            pack_tile(out + i * size, dst32);
    compute_end();
}
#endif

#endif
