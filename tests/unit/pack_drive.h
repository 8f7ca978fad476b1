/*
 * pack_drive.h - a packer with its configuration, counters, Dst and a small L1, and nothing else.
 */
#ifndef WG_TESTS_UNIT_PACK_DRIVE_H
#define WG_TESTS_UNIT_PACK_DRIVE_H

#include "test.h"

#include <string.h>

#include "config_drive.h"
#include "isa/tensix.h"
#include "isa/timing.h"
#include "model/rng.h"
#include "move/pack.h"
#include "num/layout.h"
#include "probe/probe.h"
#include "wait/wait.h"

#define L1_SIZE (64u * 1024)
#define BASE    0x4000u /* where output goes, behind the header */
#define SEED    UINT64_C(20250312)

static struct bench {
    struct config config;
    struct adc adc;
    struct dst dst;
    struct pack pack;
    struct probe probe;
    struct l1_port l1;
    struct regwrite regwrite;
    struct packmeta meta;
    struct pack_io io;
    uint64_t now;
    uint8_t bytes[L1_SIZE];
} b;

static inline void set(uint32_t field, unsigned words, uint32_t value)
{
    config_set_at(&b.config, field, words, 0, value);
}

static inline void set_x(uint32_t first, uint32_t last)
{
    b.adc.c[0][ADC_PACK][0][ADC_X].v = first;
    b.adc.c[0][ADC_PACK][1][ADC_X].v = last;
}

static inline struct adc_counter *counter(unsigned channel, enum adc_dim dim)
{
    return &b.adc.c[0][ADC_PACK][channel][dim];
}

/* Whole rows, everything kept; the datum in row r, column c of Dst is the BF16 1.0 plus 16 r + c units. */
static inline void start(unsigned in, unsigned out)
{
    memset(&b, 0, sizeof b);
    dst_reset(&b.dst, &timing_typical);
    pack_reset(&b.pack, &timing_typical);
    b.l1 = (struct l1_port){.bytes = b.bytes, .size = L1_SIZE};
    b.io = (struct pack_io){.config = &b.config,
                            .adc = &b.adc,
                            .dst = &b.dst,
                            .l1 = &b.l1,
                            .regwrite = &b.regwrite,
                            .meta = &b.meta,
                            .probe = &b.probe};
    b.now = 1000;
    memset(b.bytes, 0xaa, sizeof b.bytes);
    memset(b.dst.valid, 1, sizeof b.dst.valid);
    for (unsigned r = 0; r < DST_ROWS; r++)
        for (unsigned c = 0; c < 16; c++)
            b.dst.d[r][c] = layout_bf16_to_dst(0x3f80 + 16 * r + c);
    set(CFG_DSTACC_FMT, 0, in);
    set(CFG_PCK_IN_DATA_FORMAT, 0, in);
    set(CFG_PCK_OUT_DATA_FORMAT, 0, out);
    set(CFG_PCK_DISABLE_ZERO_COMPRESS, 0, 1);
    set(CFG_PCK_L1_DEST_ADDR, 0, BASE / 16 - 1);
    set(CFG_PCK0_CH0_YSTRIDE, 0, 16 * num_format_address_bytes(in));
    set(CFG_PCK_READS_PER_XY_PLANE, 0, 16);
    for (unsigned i = 0; i < 4; i++)
        set(CFG_PCK_EDGE_MASK, i, 0xffff);
    set_x(0, 15);
}

static inline struct entry entry_of(struct tensix_PACR i)
{
    return (struct entry){.word = tensix_PACR_encode(i), .op = TENSIX_OP_PACR};
}

/* Goes as soon as it may; returns the cycle. */
static inline uint64_t go(struct tensix_PACR i)
{
    struct entry e = entry_of(i);
    while (pack_check(&b.pack, &b.io, 0, &e, b.now))
        pack_clock(&b.pack, &b.io, b.now++);
    pack_start(&b.pack, &b.io, 0, &e, b.now);
    pack_clock(&b.pack, &b.io, b.now);
    return b.now++;
}

/* The same, and all of it is in L1. */
static inline void run(struct tensix_PACR i)
{
    go(i);
    b.now += 100;
    pack_clock(&b.pack, &b.io, b.now);
    assert_false(pack_holds(&b.pack));
}

#endif
