/*
 * dbgif.h - the debug interface of the cores: pause, step, resume, registers, memory, eight
 * breakpoints or watchpoints each.
 *
 * ISA pages: DebugInterface (Wormhole), SoftReset (Blackhole: debug registers). It is reached through
 * four words of the control registers, from any core and from outside.
 */
#ifndef WG_TILE_DBGIF_H
#define WG_TILE_DBGIF_H

#include <stdbool.h>
#include <stdint.h>

#include "core/rvcore.h"

struct tile;

#define DBGIF_POINTS 8u

/* Debug registers. */
enum {
    DBGIF_STATUS = 0,
    DBGIF_COMMAND = 1,
    DBGIF_ARG0 = 2,
    DBGIF_ARG1 = 3,
    DBGIF_RESULT = 4,
    DBGIF_MODES = 5,
    DBGIF_POINT = 10 /* eight */
};

/* Bits of the status. */
#define DBGIF_PAUSED     UINT32_C(0x01)
#define DBGIF_BREAKPOINT UINT32_C(0x02)
#define DBGIF_WATCHPOINT UINT32_C(0x04)
#define DBGIF_EBREAK     UINT32_C(0x08)
#define DBGIF_HIT(i)     (UINT32_C(0x100) << (i))

/* Bits of the command. */
#define DBGIF_PAUSE        UINT32_C(0x001)
#define DBGIF_STEP         UINT32_C(0x002)
#define DBGIF_RESUME       UINT32_C(0x004)
#define DBGIF_READ_REG     UINT32_C(0x008)
#define DBGIF_WRITE_REG    UINT32_C(0x010)
#define DBGIF_READ_MEMORY  UINT32_C(0x020)
#define DBGIF_WRITE_MEMORY UINT32_C(0x040)
#define DBGIF_CLEAR_REGS   UINT32_C(0x080)
#define DBGIF_WRITE_PC     UINT32_C(0x100)
#define DBGIF_SLOW         UINT32_C(0x80000000)

/* Modes of a point. */
enum { DBGIF_AT_EXECUTE = 8, DBGIF_AT_LOAD, DBGIF_AT_STORE, DBGIF_AT_ACCESS };

struct dbgif_core {
    uint32_t command, arg0, arg1, result, modes, point[DBGIF_POINTS];
    uint32_t reason;  /* status bits other than DBGIF_PAUSED */
    uint32_t access;  /* DBGIF_READ_MEMORY or DBGIF_WRITE_MEMORY: under way */
    bool paused;      /* by the debugger or one of its points */
    bool wants_pause; /* as soon as an instruction gets through */
    bool stepping;    /* pause again after one instruction */
    bool passed;      /* the load at pc has hit its watchpoint already */
};

struct dbgif {
    uint32_t control, write_value, read_value;
    bool read_valid;
    struct dbgif_core core[RV_N_CORES]; /* by enum rv_which */
};

/* The four control words: 0 control, 1 value to write, 2 status, 3 value read. */
uint32_t dbgif_read(const struct dbgif *d, unsigned word);
void dbgif_write(struct tile *tile, unsigned word, uint32_t value);

/* The debug registers, as the control words reach them. */
uint32_t dbgif_register(const struct tile *tile, unsigned core, unsigned reg);
void dbgif_set_register(struct tile *tile, unsigned core, unsigned reg, uint32_t value);

/* Must this core's turn go through dbgif_turn()? */
static inline bool dbgif_attends(const struct dbgif *d, unsigned core)
{
    const struct dbgif_core *c = &d->core[core];
    return c->modes || c->paused || c->wants_pause || c->stepping || c->access;
}

/* A turn of a core that the debugger watches; returns the steps. */
uint32_t dbgif_turn(struct tile *tile, unsigned core, uint32_t quota);
/* The core goes into soft reset; keep: DISABLE_RESET protects its debug registers. */
void dbgif_hold(struct dbgif *d, unsigned core, bool keep);

#endif
