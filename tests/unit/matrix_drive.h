/*
 * matrix_drive.h - a Matrix Unit with its Src banks, Dst, counters and configuration, and nothing else; all
 * banks are its own.
 */
#ifndef WG_TESTS_UNIT_MATRIX_DRIVE_H
#define WG_TESTS_UNIT_MATRIX_DRIVE_H

#include "test.h"

#include <string.h>

#include "config_drive.h"
#include "isa/tensix.h"
#include "matrix/matrix.h"
#include "num/format.h"
#include "num/layout.h"
#include "probe/probe.h"

/* MD(MVMUL, .dst = 8): the word */
#define MD(name, ...) tensix_##name##_encode((struct tensix_##name){__VA_ARGS__})

struct matrix_drive {
    struct src src;
    struct dst dst;
    struct rwc rwc;
    struct config config;
    struct matrix matrix;
    struct probe probe;
    uint64_t now;
};

/* As after reset, but that SrcA and SrcB are full: 8-bit exponents, BF16. */
static inline void md_reset(struct matrix_drive *m)
{
    memset(m, 0, sizeof *m);
    src_reset(&m->src, &timing_typical);
    dst_reset(&m->dst, &timing_typical);
    rwc_reset(&m->rwc);
    config_reset(&m->config, &timing_typical);
    matrix_reset(&m->matrix, &timing_typical);
    for (unsigned which = SRC_A; which <= SRC_B; which++)
        for (unsigned bank = 0; bank < 2; bank++) {
            src_set_owner(&m->src, which, bank, SRC_MATRIX);
            m->src.format[which][bank] = NUM_BF16;
        }
    m->now = 100;
}

static inline struct matrix_io md_io(struct matrix_drive *m)
{
    return matrix_io_of(&m->src, &m->dst, &m->rwc, &m->config, NULL, 0, &m->probe);
}

static inline void md_set(struct matrix_drive *m, uint32_t field, uint32_t value)
{
    config_set(&m->config, field, value);
}

static inline void md_thread_set(struct matrix_drive *m, uint32_t field, uint32_t value)
{
    config_set_thread_at(&m->config, 0, field, 0, value);
}

/* One instruction of thread 0, long after the one before. */
static inline void md_go(struct matrix_drive *m, uint32_t word)
{
    struct matrix_io io = md_io(m);
    struct entry e = {.word = word, .op = (uint8_t)(word >> 24)};
    m->now += 20;
    assert_int_equal(matrix_check(&m->matrix, &io, &e, m->now), 0);
    matrix_start(&m->matrix, &io, 0, &e, m->now);
}

/* The cycles that a word would have to wait behind the last one. */
static inline unsigned md_wait(struct matrix_drive *m, uint32_t word)
{
    struct matrix_io io = md_io(m);
    struct entry e = {.word = word, .op = (uint8_t)(word >> 24)};
    unsigned n = 0;
    while (n < 10 && matrix_check(&m->matrix, &io, &e, m->now + 1 + n))
        n++;
    return n;
}

/* A float as a Src datum, fraction cut. */
static inline uint32_t md_src(float f)
{
    uint32_t u;
    memcpy(&u, &f, sizeof u);
    return layout_src(u >> 31, u >> 23 & 255, u >> 13 & 0x3ff);
}

/* BF16 of a physical row, and FP32 of the physical rows r and r + 8. */
static inline float md_bf16(const struct matrix_drive *m, unsigned r, unsigned column)
{
    uint32_t u = (uint32_t)layout_bf16_from_dst(m->dst.d[r][column]) << 16;
    float f;
    memcpy(&f, &u, sizeof f);
    return f;
}

static inline float md_fp32(const struct matrix_drive *m, unsigned r, unsigned column)
{
    uint32_t u = layout_from_dst32(m->dst.d[r][column], m->dst.d[r + 8][column]);
    float f;
    memcpy(&f, &u, sizeof f);
    return f;
}

static inline void md_fill(struct matrix_drive *m, unsigned which, unsigned bank, float f)
{
    for (unsigned i = 0; i < SRC_ROWS; i++)
        for (unsigned j = 0; j < SRC_COLUMNS; j++)
            m->src.d[which][bank][i][j] = md_src(f);
    src_wrote(&m->src, which, bank);
}

/* Floats are compared exactly. */
#define assert_float(a, b) assert_true((a) == (b))

#endif
