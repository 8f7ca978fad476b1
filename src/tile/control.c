/*
 * control.c - tile control, debug and status registers: soft reset, reset program counters, wall
 * clock, PC buffer override, Config and debug array read-back, the debug bus's way to the instruction queues.
 *
 * ISA pages: SoftReset, TileControlDebugStatus, DebugTimestamper, PushTensixInstruction (Blackhole),
 * PCBufs. The debug interface of the cores is in dbgif.c.
 *
 * Inaccuracies: soft reset reaches the cores, Src bank owners, THCON configuration, TDMA-RISC, mover
 * commands of cores and Auto TTSync; that other units hold their instructions is not modelled and
 * reported. Of DBG_FEATURE_DISABLE only bit 11 means something, and only to the cores' access to Dst.
 * Performance counters and timestamper are storage only. Untimed, the wall clock shows virtual time
 * (order.h). While the debug bus has control, words
 * that were pushed before still leave the MOP expander.
 */
#include "tile/tile.h"

#include <string.h>

enum {
    REG_CFG_RD_CNTL = 0x58,
    REG_ARRAY_RD_EN = 0x60,
    REG_ARRAY_RD_CMD = 0x64,
    REG_FEATURE_DISABLE = 0x68,
    REG_ARRAY_RD_DATA = 0x6C,
    REG_CFG_RD_DATA = 0x78,
    REG_DEBUG = 0x80, /* four words */
    REG_INSTRN_CTRL0 = 0xA0,
    REG_INSTRN_CTRL1 = 0xA4,
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

static uint32_t control_word(const struct tile *tile, uint32_t offset)
{
    return tile->control[offset / 4];
}

uint32_t tile_control_start_pc(const struct tile *tile, unsigned which)
{
    static const uint32_t fixed[3] = {0x6000, 0xA000, 0xE000};
    if (which == RV_B)
        return 0;
    if (which == RV_NC)
        return control_word(tile, REG_NC_OVERRIDE) & 1 ? control_word(tile, REG_NC_RESET_PC)
                                                       : 0x12000;
    return (control_word(tile, REG_T_OVERRIDE) >> which) & 1
               ? control_word(tile, REG_T0_RESET_PC + 4 * which)
               : fixed[which];
}

/* DISABLE_RESET keeps the core's data RAM; one bit further, its debug registers. */
static bool control_keeps(const struct tile *tile, unsigned which, unsigned further)
{
    static const uint8_t bit[RV_N_CORES] = {
        [RV_T0] = 0, [RV_T1] = 2, [RV_T2] = 4, [RV_B] = 6, [RV_NC] = 8};
    return control_word(tile, REG_DISABLE_RESET) >> (bit[which] + further) & 1;
}

static void control_release(struct tile *tile, unsigned which)
{
    if (!control_keeps(tile, which, 0))
        memset(tile->local[which], 0, sizeof tile->local[which]);
    if (which <= RV_T2)
        memset(&tile->pcbuf.to[which], 0, sizeof tile->pcbuf.to[which]);
    rvcore_reset(&tile->core[which], which, tile_control_start_pc(tile, which));
    if (tile->clock.on)
        tile_clock_release(tile, which);
    else
        tile_order_reset(tile, which);
}

/* A core goes into reset: what it has pushed and not yet expanded is dropped, as are its mails. */
static void control_hold(struct tile *tile, unsigned which)
{
    rvcore_hold(&tile->core[which]);
    if (tile->clock.on)
        tile_clock_hold(tile, which);
    else
        tile_order_reset(tile, which);
    dbgif_hold(&tile->dbgif, which, control_keeps(tile, which, 1));
    if (which == RV_NC)
        return;
    unsigned box = which == RV_B ? 0 : which + 1;
    memset(tile->mailbox.box[box], 0, sizeof tile->mailbox.box[box]);
    if (which > RV_T2)
        return;
    coproc_drop_pushed(&tile->coproc, which);
    tile->pcbuf.reading[which] = false;
}

/* ---- units ---- */

#define RESET_PACKERS 0x0000003cu /* one bit each */
#define RESET_TDMA    0x00000100u
#define RESET_THCON   0x00000200u
#define RESET_SRCA    0x00008000u
#define RESET_SRCB    0x00010000u
#define RESET_TTSYNC  0x00800000u
#define RESET_PARTLY  0x007b07bfu /* those of which more would have to happen */

static void control_reset_src(struct src *s, unsigned which)
{
    for (unsigned bank = 0; bank < 2; bank++)
        src_set_owner(s, which, bank, SRC_UNPACKERS);
    s->unpack_bank[which] = s->matrix_bank[which] = s->issue_bank[which] = 0;
}

void tile_control_hold_units(struct tile *tile)
{
    if (tile->soft_reset & RESET_SRCA)
        control_reset_src(&tile->coproc.src, SRC_A);
    if (tile->soft_reset & RESET_SRCB)
        control_reset_src(&tile->coproc.src, SRC_B);
    if (tile->soft_reset & RESET_THCON)
        for (unsigned bank = 0; bank < 2; bank++)
            memset(&tile->coproc.config.word[bank][CONFIG_THCON_BASE],
                   0,
                   (CONFIG_GLOBAL_BASE - CONFIG_THCON_BASE) * sizeof(uint32_t));
    if (tile->soft_reset & RESET_TTSYNC)
        ttsync_reset(&tile->ttsync);
}

static void control_reset_units(struct tile *tile, uint32_t entered, uint32_t left)
{
    if (entered & RESET_PARTLY)
        probe_diag(
            &tile->coproc.probe, DIAG_UNIT_RESET, OWNER_NOBODY, 0, entered, entered & RESET_PARTLY);
    if (entered & RESET_TDMA) {
        tdma_reset(&tile->tdma);
        tile->coproc.mover.queued = false;
    }
    tdma_reset_packers(tile, (left & RESET_PACKERS) >> 2);
    if (!tile->clock.on && !tile->inside)
        coproc_drain(&tile->coproc);
    tile_control_hold_units(tile);
}

static void control_soft_reset(struct tile *tile, uint32_t value)
{
    uint32_t before = tile->soft_reset;
    tile->soft_reset = value;
    for (unsigned i = 0; i < RV_N_CORES; i++) {
        uint32_t bit = tile_reset_bits[i];
        if (before & bit & ~value)
            control_release(tile, i);
        else if (value & bit & ~before)
            control_hold(tile, i);
    }
    control_reset_units(tile, value & ~before, before & ~value);
}

/* ---- instruction queues ---- */

bool tile_control_debug_bus(const struct tile *tile, unsigned thread)
{
    return control_word(tile, REG_INSTRN_CTRL0) >> thread & 1;
}

/* A bit that goes from 0 to 1 pushes CTRL1 to the queue before a Replay expander. */
static void control_debug_push(struct tile *tile, uint32_t before, uint32_t value)
{
    for (unsigned i = 0; i < COPROC_THREADS; i++) {
        if (!(value >> i & value >> (4 + i) & ~before >> (4 + i) & 1))
            continue;
        coproc_port_push_b(&tile->coproc, i, control_word(tile, REG_INSTRN_CTRL1), 0);
        if (tile->clock.on || tile->inside)
            continue; /* a later cycle carries it out; nobody is told if there was no room */
        coproc_step(&tile->coproc);
        bool taken = coproc_port_push_b_taken(&tile->coproc, i);
        coproc_drain(&tile->coproc);
        if (!taken)
            probe_diag(&tile->coproc.probe,
                       DIAG_DEBUG_BUS_FULL,
                       OWNER_T0 + i,
                       0,
                       control_word(tile, REG_INSTRN_CTRL1),
                       i);
    }
}

/* Bits 0-2: the queue before the Replay expander has room; 4-6: it is empty. */
static uint32_t control_instrn_status(const struct tile *tile)
{
    uint32_t status = 0;
    for (unsigned i = 0; i < COPROC_THREADS; i++) {
        status |= (uint32_t)(tile->coproc.fe[i].q2.n < tile->coproc.fe[i].depth2) << i;
        status |= (uint32_t)!tile->coproc.fe[i].q2.n << (4 + i);
    }
    return status;
}

/* The word of the Config space that RD_CNTL points at. */
static uint32_t control_config_word(const struct tile *tile, uint32_t index)
{
    const struct config *c = &tile->coproc.config;
    index &= 0x7ff;
    if (index < 3 * CONFIG_WORDS)
        return c->word[index < 2 * CONFIG_WORDS ? index / CONFIG_WORDS : 0][index % CONFIG_WORDS];
    index -= 3 * CONFIG_WORDS;
    return index < 3 * CONFIG_THREAD_WORDS
               ? c->thread[index / CONFIG_THREAD_WORDS][index % CONFIG_THREAD_WORDS]
               : 0;
}

bool tile_control_dst_high(const struct tile *tile)
{
    return control_word(tile, REG_FEATURE_DISABLE) >> 11 & 1;
}

/* The wall clock: cycles, or virtual time. */
static uint64_t control_wall(const struct tile *tile)
{
    return tile->clock.on ? tile->clock.now : tile_order_now(tile);
}

uint32_t tile_control_read(struct tile *tile, uint32_t offset)
{
    switch (offset) {
    case REG_DEBUG:
    case REG_DEBUG + 4:
    case REG_DEBUG + 8:
    case REG_DEBUG + 12: return dbgif_read(&tile->dbgif, (offset - REG_DEBUG) / 4);
    case REG_SOFT_RESET: return tile->soft_reset;
    case REG_WALL_LOW:
        tile->wall_high = (uint32_t)(control_wall(tile) >> 32);
        return (uint32_t)control_wall(tile);
    case REG_WALL_HIGH: return (uint32_t)(control_wall(tile) >> 32);
    case REG_WALL_HIGH_AT: return tile->wall_high;
    case REG_INSTRN_STATUS: return control_instrn_status(tile);
    case REG_CFG_RD_DATA: return control_config_word(tile, control_word(tile, REG_CFG_RD_CNTL));
    case REG_ARRAY_RD_DATA:
        return core_dst_array(
            tile, control_word(tile, REG_ARRAY_RD_EN) & 1, control_word(tile, REG_ARRAY_RD_CMD));
    default: return control_word(tile, offset);
    }
}

bool tile_control_tells(const struct tile *tile, uint32_t offset)
{
    return offset == REG_ARRAY_RD_DATA &&
           !core_dst_has_array(control_word(tile, REG_ARRAY_RD_EN) & 1,
                               control_word(tile, REG_ARRAY_RD_CMD));
}

void tile_control_write(struct tile *tile, uint32_t offset, uint32_t value)
{
    uint32_t before = control_word(tile, offset);
    tile->control[offset / 4] = value;
    switch (offset) {
    case REG_DEBUG:
    case REG_DEBUG + 4: dbgif_write(tile, (offset - REG_DEBUG) / 4, value); break;
    case REG_INSTRN_CTRL0: control_debug_push(tile, before, value); break;
    case REG_SOFT_RESET: control_soft_reset(tile, value); break;
    default: break;
    }
}
