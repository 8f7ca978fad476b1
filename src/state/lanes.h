/*
 * lanes.h - what the Vector Unit's 32 lanes hold: LRegs, lane flags and their stack, LaneConfig, the load-macro
 * configuration, random numbers.
 *
 * ISA pages: VectorUnit, LReg, SFPCONFIG (Blackhole). Lane 8 * row + column. Registers are [register][lane], so that
 * an operation on a register is a loop over 32 words.
 *
 * Invariant: config_any is the union of all lanes' LaneConfig; who writes config[] calls lanes_configured().
 *
 * Inaccuracies: LReg 0-7 and 16 and the random numbers are 0 after reset, which nobody documents. LReg 12 starts with
 * SFPCONFIG's default for it. Who the random numbers are seeded for, and how, is known from the vendor's simulator only.
 */
#ifndef WG_STATE_LANES_H
#define WG_STATE_LANES_H

#include <stdint.h>
#include <string.h>

#define LANES       32u
#define LANES_LREGS 17u /* 16: scratch of SFPLOADMACRO */
#define LANES_STACK 8u

enum {
    LANE_FP16A_INF = 1u << 0,
    LANE_NO_BACKDOOR = 1u << 1,
    LANE_DEST_INDEX = 1u << 2,
    LANE_CAPTURE_INDEX = 1u << 3,
    LANE_NO_STORE = 1u << 4,
    LANE_NO_LOAD = 1u << 5,
    LANE_LOAD_ODD = 1u << 6,
    LANE_STORE_ODD = 1u << 7,
    LANE_EXCHANGE = 1u << 8,
    LANE_NO_MOVE = 3u << 9, /* BLOCK_DEST_MOV: even, odd column */
    LANE_ROW_MASK = 0xfu << 12
};

/* LoadMacroConfig of one lane. */
struct lanes_macro {
    uint32_t template_[4]; /* instruction words */
    uint32_t sequence[4];
    uint32_t misc;
};

struct lanes {
    uint32_t r[LANES_LREGS][LANES];
    uint32_t flags; /* LaneFlags, bit per lane */
    uint32_t use;   /* UseLaneFlagsForLaneEnable, bit per lane */
    uint32_t stack_flags[LANES_STACK], stack_use[LANES_STACK];
    uint8_t depth[LANES];   /* of the stack, per lane */
    uint32_t config[LANES]; /* LaneConfig */
    uint32_t config_any;    /* what is set in any of them: mostly nothing */
    struct lanes_macro macro[LANES];
    uint32_t random[LANES]; /* generator states */
};

void lanes_reset(struct lanes *l);
/* A write to PRNG_SEED. */
void lanes_seed(struct lanes *l, uint32_t seed);
/* The lane's next random number. */
uint32_t lanes_random(struct lanes *l, unsigned lane);

/* LaneConfig has changed. */
static inline void lanes_configured(struct lanes *l)
{
    l->config_any = 0;
    for (unsigned i = 0; i < LANES; i++)
        l->config_any |= l->config[i];
}

/* Lanes that have this bit of LaneConfig, bit per lane. */
static inline uint32_t lanes_with(const struct lanes *l, uint32_t bit)
{
    uint32_t with = 0;
    if (!(l->config_any & bit))
        return 0;
    for (unsigned i = 0; i < LANES; i++)
        with |= (uint32_t)((l->config[i] & bit) != 0) << i;
    return with;
}

/* Lanes that are enabled, bit per lane. */
static inline uint32_t lanes_enabled(const struct lanes *l)
{
    uint32_t on = ~l->use | l->flags, off = 0;
    if (!(l->config_any & LANE_ROW_MASK))
        return on;
    for (unsigned column = 0; column < 8; column++)
        for (unsigned row = 0; row < 4; row++)
            off |= (l->config[column] >> (12 + row) & 1) << (8 * row + column);
    return on & ~off;
}

#endif
