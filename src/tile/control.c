/*
 * control.c - tile control, debug and status registers: soft reset, reset program counters, wall
 * clock, PC buffer override, Config read-back.
 *
 * ISA pages: SoftReset, TileControlDebugStatus, DebugTimestamper (Blackhole), PCBufs.
 *
 * Inaccuracies: soft reset of units other than the cores and the Src bank owners has no effect yet;
 * the debug interface of the cores, performance counters and timestamper are storage only; the wall
 * clock counts executed steps, because there is no time in the untimed scheduler.
 */
#include "tile/tile.h"

#include <string.h>

enum {
    REG_CFG_RD_CNTL = 0x58,
    REG_CFG_RD_DATA = 0x78,
    REG_INSTRN_STATUS = 0xA8,
    REG_SOFT_RESET = 0x1B0,
    REG_WALL_LOW = 0x1F0,
    REG_WALL_HIGH = 0x1F4,
    REG_WALL_HIGH_AT = 0x1F8, /* as it was when the low half was read */
    REG_DISABLE_RESET = 0x224,
    REG_T0_RESET_PC = 0x228, /* T1, T2 follow */
    REG_T_OVERRIDE = 0x234,
    REG_NC_RESET_PC = 0x238,
    REG_NC_OVERRIDE = 0x23C
};

const uint32_t tile_reset_bits[RV_N_CORES] = {
    [RV_B] = 1u << 11,
    [RV_T0] = 1u << 12,
    [RV_T1] = 1u << 13,
    [RV_T2] = 1u << 14,
    [RV_NC] = 1u << 18,
};

static uint32_t control_word(const struct tile *t, uint32_t offset)
{
    return t->control[offset / 4];
}

static uint32_t control_start_pc(const struct tile *t, unsigned which)
{
    static const uint32_t fixed[3] = {0x6000, 0xA000, 0xE000};
    if (which == RV_B)
        return 0;
    if (which == RV_NC)
        return control_word(t, REG_NC_OVERRIDE) & 1 ? control_word(t, REG_NC_RESET_PC) : 0x12000;
    return (control_word(t, REG_T_OVERRIDE) >> which) & 1
               ? control_word(t, REG_T0_RESET_PC + 4 * which)
               : fixed[which];
}

static void control_release(struct tile *t, unsigned which)
{
    static const uint8_t keep_bit[RV_N_CORES] = {
        [RV_T0] = 0, [RV_T1] = 2, [RV_T2] = 4, [RV_B] = 6, [RV_NC] = 8};
    if (!((control_word(t, REG_DISABLE_RESET) >> keep_bit[which]) & 1))
        memset(t->local[which], 0, sizeof t->local[which]);
    if (which <= RV_T2)
        memset(&t->pcbuf.to[which], 0, sizeof t->pcbuf.to[which]);
    rvcore_reset(&t->core[which], which, control_start_pc(t, which));
}

/* A core goes into reset: what it has pushed and not yet expanded is dropped, as are its mails. */
static void control_hold(struct tile *t, unsigned which)
{
    t->core[which].state = RV_HELD;
    if (which == RV_NC)
        return;
    unsigned box = which == RV_B ? 0 : which + 1;
    memset(t->mailbox.box[box], 0, sizeof t->mailbox.box[box]);
    if (which <= RV_T2)
        coproc_drop_pushed(&t->coproc, which);
}

static void control_soft_reset(struct tile *t, uint32_t value)
{
    uint32_t before = t->soft_reset;
    t->soft_reset = value;
    for (unsigned i = 0; i < RV_N_CORES; i++) {
        uint32_t bit = tile_reset_bits[i];
        if (before & bit & ~value)
            control_release(t, i);
        else if (value & bit & ~before)
            control_hold(t, i);
    }
    for (unsigned which = SRC_A; which <= SRC_B; which++)
        if ((value >> (15 + which)) & 1)
            for (unsigned bank = 0; bank < 2; bank++)
                src_set_owner(&t->coproc.src, which, bank, SRC_UNPACKERS);
}

/* Bits 0-2: the queue before the Replay expander has room; 4-6: it is empty. */
static uint32_t control_instrn_status(const struct tile *t)
{
    uint32_t status = 0;
    for (unsigned i = 0; i < COPROC_THREADS; i++) {
        status |= (uint32_t)(t->coproc.fe[i].q2.n < T_Q2_DEPTH) << i;
        status |= (uint32_t)!t->coproc.fe[i].q2.n << (4 + i);
    }
    return status;
}

/* The word of the Config space that RD_CNTL points at. */
static uint32_t control_config_word(const struct tile *t, uint32_t index)
{
    const struct config *c = &t->coproc.config;
    index &= 0x7ff;
    if (index < 3 * CONFIG_WORDS)
        return c->word[index < 2 * CONFIG_WORDS ? index / CONFIG_WORDS : 0][index % CONFIG_WORDS];
    index -= 3 * CONFIG_WORDS;
    return index < 3 * CONFIG_THREAD_WORDS
               ? c->thread[index / CONFIG_THREAD_WORDS][index % CONFIG_THREAD_WORDS]
               : 0;
}

uint32_t tile_control_read(struct tile *t, uint32_t offset)
{
    switch (offset) {
    case REG_SOFT_RESET: return t->soft_reset;
    case REG_WALL_LOW: t->wall_high = (uint32_t)(t->steps >> 32); return (uint32_t)t->steps;
    case REG_WALL_HIGH: return (uint32_t)(t->steps >> 32);
    case REG_WALL_HIGH_AT: return t->wall_high;
    case REG_INSTRN_STATUS: return control_instrn_status(t);
    case REG_CFG_RD_DATA: return control_config_word(t, control_word(t, REG_CFG_RD_CNTL));
    default: return control_word(t, offset);
    }
}

void tile_control_write(struct tile *t, uint32_t offset, uint32_t value)
{
    t->control[offset / 4] = value;
    if (offset == REG_SOFT_RESET)
        control_soft_reset(t, value);
}
