/*
 * dbgif.c - the debug interface of the cores.
 *
 * ISA pages: DebugInterface (Wormhole), SoftReset (Blackhole: debug registers). Which_RISCV 4 for
 * core NC and its third bit: the vendor's header; Wormhole's NC has no debug interface.
 *
 * A core is paused when the debugger says so (dbgif_core.paused) or when it has stopped by itself
 * (ebreak, ecall, a fault that our policy stops at). Commands are carried out when they are written,
 * except those that make a core execute or wait: step, resume and memory accesses happen in the
 * core's next turn.
 *
 * Inaccuracies: a core in the hands of the debugger has no pipeline, so a pause is always between two instructions: a breakpoint
 * pauses behind its instruction, as documented; a load watchpoint before the load, a store watchpoint
 * behind the store (both GUESSED within what the page allows). Vector accesses hit no watchpoint.
 * Slow execution mode changes nothing but is required for resuming, as on silicon. Memory is read past
 * the L0 data cache. Differences of Blackhole (one step may need two commands; pc is not
 * readable) are not modelled: they are known from workarounds only.
 */
#include "tile/dbgif.h"

#include <string.h>

#include "isa/rv32.h"
#include "tile/tile.h"

#define TRIGGER     UINT32_C(0x80000000)
#define VALID       UINT32_C(0x40000000)
#define IS_WRITE    UINT32_C(0x00010000)
#define REGISTER_PC 32u

/* Which_RISCV to enum rv_which. */
static const uint8_t dbgif_which[RV_N_CORES] = {RV_B, RV_T0, RV_T1, RV_T2, RV_NC};

static void dbgif_diag(struct tile *tile, enum diag_id id, unsigned core, uint32_t arg)
{
    probe_diag(&tile->coproc.probe, id, tile_agents[core], 0, arg, arg);
}

static bool dbgif_trapped(const struct rvcore *c)
{
    return c->state == RV_STOPPED && c->stop != RV_STOP_FAULT;
}

/* Waits for the debugger, and is not busy with a command of its. */
static bool dbgif_is_paused(const struct tile *tile, unsigned core)
{
    const struct dbgif_core *d = &tile->dbgif.core[core];
    return (d->paused || tile->core[core].state == RV_STOPPED) && !d->access && !d->stepping;
}

/* The instruction behind an ebreak or ecall is the one that cannot leave. */
static uint32_t dbgif_pc(const struct rvcore *c)
{
    return dbgif_trapped(c) ? c->pc + 4 : c->pc;
}

static void dbgif_pause(struct dbgif_core *d, uint32_t reason)
{
    d->paused = true;
    d->wants_pause = d->stepping = false;
    d->reason = reason;
}

/* ---- commands ---- */

static void dbgif_go(struct tile *tile, unsigned core, bool step)
{
    struct dbgif_core *d = &tile->dbgif.core[core];
    rvcore_resume(&tile->core[core]);
    d->paused = false;
    d->reason = 0;
    d->stepping = step;
}

static void dbgif_write_pc(struct tile *tile, unsigned core)
{
    struct dbgif_core *d = &tile->dbgif.core[core];
    struct rvcore *c = &tile->core[core];
    c->pc = d->command & DBGIF_SLOW ? d->result : tile_control_start_pc(tile, core);
    c->state = RV_RUNNING;
    c->vec_done = 0;
    d->paused = true;
    d->passed = false;
    if (core <= RV_T2)
        tile->pcbuf.reading[core] = false;
}

static void dbgif_registers(struct dbgif_core *d, struct rvcore *c, uint32_t command)
{
    if (command & DBGIF_READ_REG)
        d->result = d->arg0 < REGISTER_PC    ? c->x[d->arg0]
                    : d->arg0 == REGISTER_PC ? dbgif_pc(c)
                                             : 0;
    if ((command & DBGIF_WRITE_REG) && d->arg0 && d->arg0 < 32)
        c->x[d->arg0] = d->arg1;
    if (command & DBGIF_CLEAR_REGS)
        memset(c->x, 0, sizeof c->x);
}

/* slow: the core was in slow execution mode before this command. */
static void dbgif_command(struct tile *tile, unsigned core, uint32_t command, bool slow)
{
    struct dbgif_core *d = &tile->dbgif.core[core];
    const uint32_t when_paused = 0x1fe;
    if (tile->core[core].state == RV_HELD)
        return;
    if (!dbgif_is_paused(tile, core)) {
        if (command & DBGIF_PAUSE)
            d->wants_pause = true;
        if (command & when_paused)
            dbgif_diag(tile, DIAG_DEBUG_NOT_PAUSED, core, command);
        return;
    }
    dbgif_registers(d, &tile->core[core], command);
    if (command & DBGIF_WRITE_PC)
        dbgif_write_pc(tile, core);
    else if ((command & (DBGIF_STEP | DBGIF_RESUME)) && !slow)
        dbgif_diag(tile, DIAG_DEBUG_NOT_SLOW, core, command);
    if (command & (DBGIF_READ_MEMORY | DBGIF_WRITE_MEMORY))
        d->access = command & (DBGIF_READ_MEMORY | DBGIF_WRITE_MEMORY);
    else if (command & DBGIF_RESUME)
        dbgif_go(tile, core, false);
    else if ((command & DBGIF_STEP) && !(command & DBGIF_WRITE_PC))
        dbgif_go(tile, core, true);
}

/* ---- registers ---- */

uint32_t dbgif_register(const struct tile *tile, unsigned core, unsigned reg)
{
    const struct dbgif_core *d = &tile->dbgif.core[core];
    switch (reg) {
    case DBGIF_STATUS: {
        uint32_t status = dbgif_is_paused(tile, core) ? DBGIF_PAUSED | d->reason : 0;
        return status | (status && dbgif_trapped(&tile->core[core]) ? DBGIF_EBREAK : 0);
    }
    case DBGIF_COMMAND: return d->command;
    case DBGIF_ARG0: return d->arg0;
    case DBGIF_ARG1: return d->arg1;
    case DBGIF_RESULT: return d->result;
    case DBGIF_MODES: return d->modes;
    default: break;
    }
    unsigned point = reg - DBGIF_POINT;
    return reg >= DBGIF_POINT && point < DBGIF_POINTS ? d->point[point] : 0;
}

static bool dbgif_keeps(const struct tile *tile, unsigned core)
{
    static const uint8_t bit[RV_N_CORES] = {
        [RV_T0] = 1, [RV_T1] = 3, [RV_T2] = 5, [RV_B] = 7, [RV_NC] = 9};
    return tile->control[0x224 / 4] >> bit[core] & 1;
}

void dbgif_set_register(struct tile *tile, unsigned core, unsigned reg, uint32_t value)
{
    struct dbgif_core *d = &tile->dbgif.core[core];
    bool slow = d->command & DBGIF_SLOW;
    if (tile->core[core].state == RV_HELD && !dbgif_keeps(tile, core))
        return;
    switch (reg) {
    case DBGIF_COMMAND:
        d->command = value;
        dbgif_command(tile, core, value, slow);
        if (tile->clock.on && tile->core[core].state != RV_HELD)
            tile_clock_attend(tile, core);
        return;
    case DBGIF_ARG0: d->arg0 = value; return;
    case DBGIF_ARG1: d->arg1 = value; return;
    case DBGIF_MODES:
        d->modes = value;
        if (tile->clock.on && tile->core[core].state != RV_HELD)
            tile_clock_attend(tile, core);
        return;
    default: break;
    }
    if (reg >= DBGIF_POINT && reg < DBGIF_POINT + DBGIF_POINTS)
        d->point[reg - DBGIF_POINT] = value;
}

/* ---- control words ---- */

uint32_t dbgif_read(const struct dbgif *d, unsigned word)
{
    switch (word) {
    case 0: return d->control;
    case 1: return d->write_value;
    case 3: return d->read_value;
    default: break;
    }
    uint32_t which = d->control >> 17 & 7, writes = d->control & IS_WRITE ? 1 : 0;
    return (d->control & (TRIGGER | 0x7ff)) | (d->read_valid ? VALID : 0) | writes << (13 + which);
}

void dbgif_write(struct tile *tile, unsigned word, uint32_t value)
{
    struct dbgif *d = &tile->dbgif;
    if (word == 1)
        d->write_value = value;
    if (word != 0)
        return;
    bool trigger = value & ~d->control & TRIGGER;
    unsigned which = value >> 17 & 7, reg = value & 0x7ff;
    d->control = value;
    if (!trigger)
        return;
    d->read_valid = !(value & IS_WRITE);
    if (value & IS_WRITE) {
        if (which < RV_N_CORES)
            dbgif_set_register(tile, dbgif_which[which], reg, d->write_value);
    } else {
        d->read_value = which < RV_N_CORES ? dbgif_register(tile, dbgif_which[which], reg) : 0;
    }
}

/* ---- turns ---- */

/* A memory access in the core's name. */
static void dbgif_access(struct tile *tile, unsigned core)
{
    struct dbgif_core *d = &tile->dbgif.core[core];
    uint32_t value = 0, address = d->arg0 & ~3u;
    enum rv_status status = d->access & DBGIF_WRITE_MEMORY
                                ? tile_bus_store(tile, core, address, 4, d->arg1)
                                : tile_bus_load(tile, core, address, &value);
    if (status == RV_BLOCK || status == RV_EARLY)
        return;
    if (status == RV_FAULT)
        dbgif_diag(tile, DIAG_RV_BUS, core, address);
    if (d->access & DBGIF_READ_MEMORY)
        d->result = value;
    else
        rvcore_l0_flush(&tile->core[core]);
    d->access = 0;
}

struct dbgif_touch {
    bool load, store;
    uint32_t address;
};

/* What the instruction at pc will access. */
static struct dbgif_touch dbgif_touches(const struct tile *tile, const struct rvcore *c)
{
    struct dbgif_touch touch = {0};
    uint32_t word;
    if (c->pc >= TILE_L1_SIZE || c->pc & 3)
        return touch;
    memcpy(&word, tile_l1(tile) + c->pc, 4);
    enum rv_op op = rv32_decode(word);
    struct rv32_args a = rv32_args_of(op, word);
    unsigned format = rv32_table[op].format;
    touch.load = format == RV_FMT_LOAD || format == RV_FMT_FLOAD || format == RV_FMT_AMO;
    touch.store = format == RV_FMT_STORE || format == RV_FMT_FSTORE || format == RV_FMT_AMO;
    touch.address = c->x[a.rs1] + (format == RV_FMT_AMO ? 0 : (uint32_t)a.imm);
    return touch;
}

/* Points hit by executing at pc or by an access: status bits. */
static uint32_t dbgif_hits(const struct dbgif_core *d, uint32_t pc, uint32_t address, bool load,
                           bool store)
{
    uint32_t hits = 0;
    for (unsigned i = 0; i < DBGIF_POINTS; i++) {
        unsigned mode = d->modes >> 4 * i & 0xf;
        bool loads = mode == DBGIF_AT_LOAD || mode == DBGIF_AT_ACCESS;
        bool stores = mode == DBGIF_AT_STORE || mode == DBGIF_AT_ACCESS;
        if (mode == DBGIF_AT_EXECUTE && d->point[i] == pc)
            hits |= DBGIF_HIT(i) | DBGIF_BREAKPOINT;
        if (((loads && load) || (stores && store)) && d->point[i] == address)
            hits |= DBGIF_HIT(i) | DBGIF_WATCHPOINT;
    }
    return hits;
}

/* One instruction; false if the core cannot go on. */
static bool dbgif_step(struct tile *tile, unsigned core)
{
    struct dbgif_core *d = &tile->dbgif.core[core];
    struct rvcore *c = &tile->core[core];
    struct dbgif_touch touch = dbgif_touches(tile, c);
    uint32_t pc = c->pc;
    if (d->modes && touch.load && !d->passed) {
        uint32_t hits = dbgif_hits(d, 1, touch.address, true, false);
        if (hits) {
            d->passed = true;
            dbgif_pause(d, hits);
            return false;
        }
    }
    struct rvmem m = tile_memory(tile, core);
    if (!rvcore_run(c, &m, 1)) {
        if (c->state == RV_STOPPED)
            d->wants_pause = d->stepping = d->passed = false;
        return false;
    }
    d->passed = false;
    uint32_t hits = d->modes ? dbgif_hits(d, pc, touch.address, false, touch.store) : 0;
    if (hits || d->stepping || d->wants_pause)
        dbgif_pause(d, hits);
    return true;
}

uint32_t dbgif_turn(struct tile *tile, unsigned core, uint32_t quota)
{
    struct dbgif_core *d = &tile->dbgif.core[core];
    struct rvcore *c = &tile->core[core];
    uint32_t steps = 0;
    if (d->access)
        dbgif_access(tile, core);
    if (d->wants_pause && c->state == RV_RUNNING)
        dbgif_pause(d, 0);
    while (steps < quota && !d->paused && !d->access &&
           (c->state == RV_RUNNING || c->state == RV_BLOCKED)) {
        if (!dbgif_step(tile, core))
            break;
        steps++;
    }
    return steps;
}

void dbgif_hold(struct dbgif *d, unsigned core, bool keep)
{
    struct dbgif_core *c = &d->core[core];
    if (!keep) {
        memset(c, 0, sizeof *c);
        return;
    }
    c->paused = c->wants_pause = c->stepping = c->passed = false;
    c->reason = c->access = 0;
}
