/*
 * unpack_drive.h - a coprocessor with an L1 that its unpackers read, set up as kernels do it.
 */
#ifndef WG_TESTS_UNIT_UNPACK_DRIVE_H
#define WG_TESTS_UNIT_UNPACK_DRIVE_H

#include "test.h"

#include <string.h>

#include "config_drive.h"
#include "drive.h"
#include "model/rng.h"
#include "num/layout.h"

#define L1_SIZE 0x180000u

static struct drive d;
static uint8_t l1[L1_SIZE];
static struct rng rng;

static inline uint32_t below(uint32_t n)
{
    return rng_below(&rng, n);
}

static inline bool percent(uint32_t n)
{
    return rng_percent(&rng, n);
}

/* ---- settings ---- */

static inline void set(uint32_t field, unsigned words, unsigned bits, uint32_t value)
{
    config_set_at(&d.t.config, field, words, bits, value);
}

static inline void set_thread(unsigned thread, uint32_t field, unsigned bits, uint32_t value)
{
    config_set_thread_at(&d.t.config, thread, field, bits, value);
}

static inline void set_adc(unsigned thread, unsigned u, unsigned channel, unsigned dim,
                           uint32_t value)
{
    adc_write(&d.t.adc, thread, u, channel, dim, false, value);
}

/* One instruction of T0 to its end. */
static inline void run(uint32_t word)
{
    drive_add(&d, 0, word);
    drive_run(&d);
}

/* BF16 to SrcA and SrcB as kernels do it: context 0, rows from 0 on, n datums from 0x1000 on. */
static inline void start(unsigned in, unsigned out, unsigned n)
{
    drive_reset(&d);
    d.t.l1 = (struct l1_port){.bytes = l1, .size = L1_SIZE};
    for (unsigned u = 0; u < 2; u++) {
        unsigned sec = u * CFG_UNP_STEP;
        set(CFG_UNP_IN_DATA_FORMAT, sec, 0, in);
        set(CFG_UNP_X_DIM, sec, 0, 256);
        set(CFG_UNP_Y_DIM, sec, 0, 1);
        set(CFG_UNP_Z_DIM, sec, 0, 4);
        set(CFG_UNP_OUT_DATA_FORMAT, sec, 0, out);
        set(CFG_UNP_DISABLE_ZERO_COMPRESS, sec, 0, 1);
        set(CFG_UNP_BASE_ADDRESS, sec, 0, 0x1000 / 16 - 1);
        set_adc(0, u, 1, ADC_X, n - 1);
    }
    set(CFG_UNP_TILE_X_DIM, 0, 0, 256);
    set(CFG_UNP_DEST_CNTX, 0, 0, 64);
    set_thread(0, THCFG_SRCA_SET_OVRD_WITH_ADDR, 0, 1);
}

static inline struct tensix_UNPACR unpacr(unsigned u)
{
    return (struct tensix_UNPACR){
        .last = 1, .ovrd_thread_id = 1, .set_dat_valid = 1, .unpack_block_selection = u};
}

static inline void fill_l1(void)
{
    for (unsigned i = 0; i < L1_SIZE; i += 4) {
        uint32_t v = (uint32_t)rng_next(&rng);
        memcpy(l1 + i, &v, 4);
    }
}

static inline uint32_t bf16_cell(unsigned x)
{
    return layout_src(x >> 15, x >> 7 & 0xff, (x & 0x7f) << 3);
}

static inline unsigned half(uint32_t address)
{
    return l1[address] | (unsigned)l1[address + 1] << 8;
}

#endif
