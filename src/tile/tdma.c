/*
 * tdma.c - TDMA-RISC's registers, its command queue and processor, and what a transfer does.
 *
 * ISA pages: TDMA-RISC, Mover (Wormhole), SoftReset (Blackhole: mover, TDMA-RISC, packers).
 *
 * Invariants: n <= TDMA_QUEUE; with_params is the number of queued commands without bit 31.
 *
 * Inaccuracies: taken from Wormhole throughout; L1 is Blackhole's, and the instruction RAM of core NC
 * does not exist there. A transfer happens as it starts, though the mover is busy for as long as with XMOV; commands themselves take no time. Flags of packers
 * read 0 and their FIFOs are empty; of four packers the first is there. SetRegHiScaler is stored, Blackhole's PACR_SETREG does not use it. A compact command takes the base address of the core that gave it, as of when it is carried out.
 */
#include "tile/tdma.h"

#include <string.h>

#include "base/watch.h"
#include "tile/tile.h"

enum {
    REG_PARAM = 0x00, /* four */
    REG_COMMAND = 0x10,
    REG_STATUS = 0x14,
    REG_PACKED_SIZE = 0x18,
    REG_ACC_SIZE = 0x1C,
    REG_ZERO_FLAGS = 0x20,
    REG_UNPACK_ADDRESS = 0x24,
    REG_HYSTERESIS = 0x28,
    REG_MOVER_BASE = 0x2C,
    REG_FIFO_PEEK = 0x30,
    REG_FIFO_POP = 0x34,
    REG_FIFO_STATUS = 0x38,
    REG_SCALERS = 0x3C
};

enum { COMMAND_MOVE = 0x40, COMMAND_WAIT = 0x46, COMMAND_WRITE = 0x66, COMMAND_NOP = 0x89 };

#define COMPACT      UINT32_C(0x80000000)
#define RESET_MOVER  (UINT32_C(1) << 6)
#define RESET_TDMA   (UINT32_C(1) << 8)
#define CONFIG_SPACE 0x10000u

static void tdma_diag(struct tile *tile, enum diag_id id, unsigned who, uint32_t word, uint32_t arg)
{
    probe_diag(&tile->coproc.probe, id, tile_agents[who], 0, word, arg);
}

/* ---- the mover ---- */

/* One word to the configuration space; beyond Config it is lost. */
static void tdma_config_word(struct tile *tile, uint32_t offset, uint32_t value)
{
    uint32_t bank = offset / 4 / CONFIG_WORDS;
    if (bank <= 2)
        config_write(&tile->coproc.config, bank, offset / 4 % CONFIG_WORDS, value, false);
}

static void tdma_to_l0(struct tile *tile, uint32_t to, const uint8_t *from, uint32_t count)
{
    if (to >= CONFIG_SPACE || count > CONFIG_SPACE - to) {
        probe_diag(&tile->coproc.probe, DIAG_MOVER_NOWHERE, OWNER_MOVER, 0, to, to);
        return;
    }
    for (uint32_t i = 0; i < count; i += 4) {
        uint32_t word = 0;
        if (from)
            memcpy(&word, from + i, 4);
        tdma_config_word(tile, to + i, word);
    }
}

/* from: NULL: zeros. */
static void tdma_write_l1(struct tile *tile, uint32_t to, const void *from, uint32_t count)
{
    const struct l1_port port = tile_port(tile);
    l1_port_put(&port, (struct l1_writer){.owner = OWNER_MOVER}, to, from, count);
}

void tdma_move(struct tile *tile, uint32_t to, uint32_t from, uint32_t count, enum tdma_mode mode)
{
    bool copies = mode == TDMA_L1_TO_L0 || mode == TDMA_L1_TO_L1;
    if (tile->soft_reset & RESET_MOVER)
        return;
    if (copies && (from >= TILE_L1_SIZE || count > TILE_L1_SIZE - from)) {
        probe_diag(&tile->coproc.probe, DIAG_MOVER_NOWHERE, OWNER_MOVER, 0, from, from);
        return;
    }
    if (mode == TDMA_L1_TO_L0 || mode == TDMA_L0_TO_L0) {
        tdma_to_l0(tile, to, copies ? tile_l1(tile) + from : NULL, count);
        return;
    }
    if (to >= TILE_L1_SIZE || count > TILE_L1_SIZE - to) {
        probe_diag(&tile->coproc.probe, DIAG_MOVER_NOWHERE, OWNER_MOVER, 0, to, to);
        return;
    }
    tdma_write_l1(tile, to, copies ? tile_l1(tile) + from : NULL, count);
}

/* ---- commands ---- */

static void tdma_run_move(struct tile *tile, const struct tdma_command *c)
{
    uint32_t to = c->param[1], from = c->param[0], count = c->param[2] & 0xffff;
    enum tdma_mode mode = (enum tdma_mode)(c->param[3] & 3);
    if (c->word & COMPACT) {
        from = tile->tdma.mover_base[c->who] + (c->word >> 8 & 0xff);
        to = c->word >> 16 & 0xff;
        count = c->word >> 24 & 0x3f;
        mode = c->word >> 30 & 1 ? TDMA_L1_TO_L1 : TDMA_L1_TO_L0;
    }
    if (tile->clock.on && !(tile->soft_reset & RESET_MOVER))
        issue_occupy_mover(&tile->coproc, COPROC_NO_THREAD, count, mode);
    tdma_move(tile, to << 4, from << 4, count << 4, mode);
}

static void tdma_run_write(struct tile *tile, const struct tdma_command *c)
{
    uint32_t to = c->param[0], size = c->word & 0x100 ? 8 : 4;
    bool known = !(c->word & COMPACT) && (c->word & 0x600) == 0x600;
    if (!known || to >= TILE_L1_SIZE || size > TILE_L1_SIZE - to) {
        tdma_diag(tile, DIAG_TDMA_COMMAND, c->who, c->word, c->word);
        return;
    }
    tdma_write_l1(tile, to, &c->param[2], size);
}

static void tdma_run(struct tile *tile, const struct tdma_command *c)
{
    switch (c->word & 0xff) {
    case COMMAND_MOVE: tdma_run_move(tile, c); break;
    case COMMAND_WRITE: tdma_run_write(tile, c); break;
    case COMMAND_WAIT:
    case COMMAND_NOP: break;
    default: tdma_diag(tile, DIAG_TDMA_COMMAND, c->who, c->word, c->word); break;
    }
}

static bool tdma_mover_busy(const struct tile *tile, uint64_t now)
{
    return !(tile->soft_reset & RESET_MOVER) && mover_busy(&tile->coproc.mover, now);
}

/* Does a move wait in the queue? */
static bool tdma_wants_mover(const struct tdma *d)
{
    for (unsigned i = 0; i < d->n; i++)
        if ((d->queue[(d->head + i) % TDMA_QUEUE].word & 0xff) == COMMAND_MOVE)
            return true;
    return false;
}

bool tdma_work(struct tile *tile)
{
    struct tdma *d = &tile->tdma;
    uint64_t now =
        tile->clock.on ? tile->clock.now : tile->coproc.now; /* behind a step it is one ahead */
    bool any = false;
    while (d->n) {
        const struct tdma_command *c = &d->queue[d->head];
        unsigned code = c->word & 0xff;
        if ((code == COMMAND_MOVE || code == COMMAND_WAIT) && tdma_mover_busy(tile, now))
            break;
        tdma_run(tile, c);
        d->with_params = (uint8_t)(d->with_params - !(c->word & COMPACT));
        d->head = (uint8_t)((d->head + 1u) % TDMA_QUEUE);
        d->n--;
        any = true;
    }
    tile->coproc.mover.queued = tdma_wants_mover(d);
    return any;
}

static enum rv_status tdma_enqueue(struct tile *tile, unsigned who, uint32_t word)
{
    struct tdma *d = &tile->tdma;
    WATCH(watch);
    while (d->n == TDMA_QUEUE) {
        PROGRESS(watch, 0, TILE_ADVANCES);
        if (!tile_advance(tile))
            return RV_BLOCK;
    }
    struct tdma_command c = {.word = word, .who = (uint8_t)who};
    if (!(word & COMPACT)) {
        if (d->with_params >= TDMA_CREDITS)
            tdma_diag(tile, DIAG_TDMA_CREDITS, who, word, word);
        memcpy(c.param, d->param, sizeof c.param);
        d->with_params++;
    }
    d->queue[(d->head + d->n++) % TDMA_QUEUE] = c;
    tdma_work(tile);
    return RV_OK;
}

/* ---- registers ---- */

static uint32_t tdma_status(const struct tile *tile)
{
    const struct tdma *d = &tile->tdma;
    unsigned credits = d->with_params < TDMA_CREDITS ? TDMA_CREDITS - d->with_params : 0;
    /* As a load finds it in the next cycle, if the coprocessor has had its step in this one. */
    return (uint32_t)tdma_mover_busy(tile, tile->coproc.now) | (uint32_t)(d->n == TDMA_QUEUE) << 2 |
           (uint32_t)!d->n << 3 | (uint32_t)!credits << 4 |
           (uint32_t)(credits == TDMA_CREDITS) << 5 | (uint32_t)(TDMA_QUEUE - d->n) << 8;
}

/* Scalers; is the packer busy for T2; the highest bit of an unpacker's sum. */
static uint32_t tdma_scalers(const struct tile *tile, unsigned unpacker)
{
    const struct tdma *d = &tile->tdma;
    return (uint32_t)d->scaler[0] | (uint32_t)d->scaler[1] << 9 | (uint32_t)d->scaler[2] << 18 |
           (uint32_t)pack_busy(&tile->coproc.pack, 2, tile->coproc.now) << 27 |
           (tile->coproc.regwrite.sum[unpacker] >> 16 & 1) << 31;
}

/* Registers that exist once per packer, at 0x100 * packer; some also per thread, at 0x40 * thread. */
static bool tdma_per_packer(uint32_t offset)
{
    uint32_t reg = offset & 0x3f;
    if (offset >= 0x400)
        return false;
    if (reg == REG_PACKED_SIZE || reg == REG_ACC_SIZE)
        return (offset & 0xc0) != 0xc0;
    return !(offset & 0xc0) &&
           (reg == REG_ZERO_FLAGS || reg == REG_FIFO_PEEK || reg == REG_FIFO_POP);
}

static enum rv_status tdma_read_packer(struct tile *tile, unsigned who, uint32_t offset,
                                       uint32_t *value)
{
    const struct packmeta *m = &tile->coproc.packmeta;
    unsigned packer = offset >> 8, thread = offset >> 6 & 3;
    if ((offset & 0x3f) == REG_PACKED_SIZE && !packer)
        *value = packmeta_last(m, thread);
    if ((offset & 0x3f) == REG_ACC_SIZE)
        *value = tile->coproc.regwrite.sum[packer & 1] << 16 | (packer ? 0u : m->sum[thread]);
    if ((offset & 0x3f) == REG_FIFO_PEEK)
        return RV_BLOCK; /* until the packer leaves something there */
    if ((offset & 0x3f) == REG_FIFO_POP)
        tdma_diag(tile, DIAG_TDMA_EMPTY, who, 0, offset);
    return RV_OK;
}

enum rv_status tdma_read(struct tile *tile, unsigned who, uint32_t offset, uint32_t *value)
{
    const struct tdma *d = &tile->tdma;
    *value = 0;
    if (tdma_per_packer(offset))
        return tdma_read_packer(tile, who, offset, value);
    switch (offset) {
    case REG_PARAM:
    case REG_PARAM + 4:
    case REG_PARAM + 8:
    case REG_PARAM + 12:
    case REG_COMMAND: break; /* read 0 */
    case REG_STATUS: *value = tdma_status(tile); break;
    case REG_UNPACK_ADDRESS: *value = tile->coproc.regwrite.unpack; break;
    case REG_HYSTERESIS: *value = d->hysteresis; break;
    case REG_MOVER_BASE: *value = d->mover_base[who]; break;
    case REG_FIFO_STATUS:
        *value = tile->coproc.regwrite.pack << 8 | 0x55;
        break; /* four empty FIFOs */
    case REG_SCALERS:
    case REG_SCALERS + 0x100: *value = tdma_scalers(tile, offset >> 8); break;
    default: tdma_diag(tile, DIAG_TDMA_REGISTER, who, 0, offset); break;
    }
    return RV_OK;
}

static void tdma_set_scalers(struct tdma *d, unsigned first, uint32_t values)
{
    for (unsigned i = first; i < first + 3 && i < 4; i++, values >>= 9)
        d->scaler[i] = values & 0x1ff;
}

static void tdma_write_packer(struct packmeta *m, uint32_t offset, uint32_t value)
{
    if ((offset & 0x3f) != REG_ACC_SIZE)
        return;
    if (value >> 16 & 1)
        packmeta_reset_sums(m);
    for (unsigned i = 0; i < PACKMETA_PACKERS; i++)
        if (value >> (16 + i) & 1)
            m->l1_offset[i] = (uint16_t)value;
}

enum rv_status tdma_write(struct tile *tile, unsigned who, uint32_t offset, uint32_t value)
{
    struct tdma *d = &tile->tdma;
    if (tile->soft_reset & RESET_TDMA)
        return RV_OK;
    if (tdma_per_packer(offset)) {
        tdma_write_packer(&tile->coproc.packmeta, offset, value);
        return RV_OK;
    }
    switch (offset) {
    case REG_PARAM:
    case REG_PARAM + 4:
    case REG_PARAM + 8:
    case REG_PARAM + 12: d->param[offset / 4] = value; break;
    case REG_COMMAND: return tdma_enqueue(tile, who, value);
    case REG_STATUS: break;
    case REG_UNPACK_ADDRESS: tile->coproc.regwrite.unpack = value & 0xffffff7f; break;
    case REG_HYSTERESIS:
        d->hysteresis = value & 0x01ff007f;
        tdma_set_scalers(d, 3, value >> 16);
        break;
    case REG_MOVER_BASE: d->mover_base[who] = value; break;
    case REG_FIFO_STATUS: tile->coproc.regwrite.pack = value; break;
    case REG_SCALERS:
    case REG_SCALERS + 0x100: tdma_set_scalers(d, 0, value); break;
    default: tdma_diag(tile, DIAG_TDMA_REGISTER, who, value, offset); break;
    }
    return RV_OK;
}

/* ---- soft reset ---- */

void tdma_reset(struct tdma *d)
{
    memset(d->param, 0, sizeof d->param);
    d->n = d->with_params = 0;
}

void tdma_reset_packers(struct tile *tile, unsigned packers)
{
    for (unsigned i = 0; i < PACKMETA_PACKERS; i++)
        if (packers >> i & 1)
            tile->coproc.packmeta.l1_offset[i] = 0;
}
