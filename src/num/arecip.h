/*
 * arecip.h - the Vector Unit's coarse reciprocal and exponential of FP32 numbers without sign.
 *
 * ISA page: SFPARECIP (Blackhole). Invariant: none, pure functions of bit patterns below 2^31.
 */
#ifndef WG_NUM_ARECIP_H
#define WG_NUM_ARECIP_H

#include <stdint.h>

#define ARECIP_EXP_FIRST UINT32_C(0x3c7f) /* upper half of the first entry's number */
#define ARECIP_EXP_LAST  UINT32_C(0x4000)

extern const uint8_t arecip_recip[128];
extern const uint16_t arecip_exp[ARECIP_EXP_LAST - ARECIP_EXP_FIRST + 1];

/* 1 / a: infinity for zero and denormals, 0 from 2^126 up and for NaN. */
static inline uint32_t arecip_of(uint32_t a)
{
    uint32_t r = (253 - (a >> 23)) << 23 | (uint32_t)arecip_recip[a >> 16 & 0x7f] << 16;
    r = a < 0x7e800000 ? r : 0;
    return a < 0x00800000 ? 0x7f800000 : r;
}

/* e^a for a below 2: the number's lower half becomes the result's. From 2 up the result is of no use. */
static inline uint32_t arecip_exp_of(uint32_t a)
{
    uint32_t h = a >> 16;
    h = h < ARECIP_EXP_FIRST ? ARECIP_EXP_FIRST : h;
    h = h > ARECIP_EXP_LAST ? ARECIP_EXP_LAST : h;
    uint32_t r = (0x3f80u + arecip_exp[h - ARECIP_EXP_FIRST]) << 16 | (a & 0xffff);
    return a < 0x00800000 ? 0x3f800000 : r;
}

#endif
