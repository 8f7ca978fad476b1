/*
 * vector_drive.h - a Vector Unit with Dst, counters and configuration, and nothing else.
 */
#ifndef WG_TESTS_UNIT_VECTOR_DRIVE_H
#define WG_TESTS_UNIT_VECTOR_DRIVE_H

#include "test.h"

#include <string.h>

#include "config_drive.h"
#include "isa/tensix.h"
#include "num/layout.h"
#include "probe/probe.h"
#include "vector/vector.h"

/* VU(SFPLOAD, .lreg_ind = 3): the word */
#define VU(name, ...) tensix_##name##_encode((struct tensix_##name){__VA_ARGS__})

struct vector_drive {
    struct dst dst;
    struct rwc rwc;
    struct config config;
    struct vector vector;
    struct probe probe;
    uint64_t now;
};

static inline void vu_reset(struct vector_drive *v)
{
    memset(v, 0, sizeof *v);
    dst_reset(&v->dst, &timing_typical);
    rwc_reset(&v->rwc);
    config_reset(&v->config, &timing_typical);
    vector_reset(&v->vector, &timing_typical);
    v->now = 100;
}

static inline void vu_set(struct vector_drive *v, uint32_t field, uint32_t value)
{
    config_set(&v->config, field, value);
}

static inline void vu_thread_set(struct vector_drive *v, uint32_t field, uint32_t value)
{
    config_set_thread_at(&v->config, 0, field, 0, value);
}

/* One instruction of thread 0, long after the one before. */
static inline void vu_go(struct vector_drive *v, uint32_t word)
{
    struct vector_io io = vector_io_of(&v->vector, &v->dst, &v->rwc, &v->config, 0, &v->probe);
    struct entry e = {.word = word, .op = (uint8_t)(word >> 24)};
    v->now += 20;
    assert_int_equal(vector_check(&v->vector, &e, v->now), 0);
    vector_start(&v->vector, &io, &e, v->now);
}

/* LaneConfig of all lanes. */
static inline void vu_configure(struct vector_drive *v, uint32_t lane_config)
{
    for (unsigned i = 0; i < LANES; i++)
        v->vector.lanes.config[i] = lane_config;
    lanes_configured(&v->vector.lanes);
}

static inline void vu_fill(struct vector_drive *v, unsigned reg, uint32_t value)
{
    for (unsigned i = 0; i < LANES; i++)
        v->vector.lanes.r[reg][i] = value;
}

#endif
