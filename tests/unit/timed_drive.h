/*
 * timed_drive.h - cores with time: a log of what they did in which cycle, and programs that run twice, once with
 * nobody watching.
 */
#ifndef WG_TESTS_UNIT_TIMED_DRIVE_H
#define WG_TESTS_UNIT_TIMED_DRIVE_H

#include "tile_drive.h"

#define LOG_SIZE 65536u

#define BIT(core)    tile_reset_bits[core]
#define PUT(id, ...) RV_PUT(tile, &at, id, __VA_ARGS__)
#define NOP          PUT(ADDI, .rd = 0)

/* ---- what the cores did ---- */

static struct {
    uint64_t cycle;
    uint32_t pc, waited; /* waited: cycles, of a wait only */
    uint8_t kind, agent, cause, owner;
} log_of[LOG_SIZE];
static unsigned n_log;

static inline void note(void *ctx, const struct event *e)
{
    bool wait = e->kind == EV_CORE_WAIT;
    (void)ctx;
    if (n_log == LOG_SIZE)
        return;
    log_of[n_log].cycle = e->cycle;
    log_of[n_log].pc = wait ? e->word : e->arg;
    log_of[n_log].waited = wait ? e->arg : 0;
    log_of[n_log].kind = e->kind;
    log_of[n_log].agent = e->agent;
    log_of[n_log].cause = e->cause;
    log_of[n_log++].owner = e->owner;
}

static inline int timed_setup(void **state)
{
    tile_setup(state);
    struct tile *tile = *state;
    tile->coproc.probe.sink = note;
    tile->coproc.probe.mask = 1u << EV_CORE | 1u << EV_CORE_WAIT;
    n_log = 0;
    return tile_clock_run(tile, 0) == TILE_END_LIMIT ? 0 : -1;
}

#define TIMED_TEST(f) cmocka_unit_test_setup_teardown(f, timed_setup, tile_teardown)

static inline unsigned agent_of(unsigned core)
{
    return core == NC ? OWNER_CORE_NC : core == B ? OWNER_CORE_B : OWNER_CORE_T0 + core;
}

/* Is entry i of the log of this kind, and about the instruction at pc on this core? */
static inline bool log_is(unsigned i, unsigned kind, unsigned core, uint32_t pc)
{
    return log_of[i].kind == kind && log_of[i].pc == pc && log_of[i].agent == agent_of(core);
}

/* How often a core has executed the instruction at pc. */
static inline unsigned times(unsigned core, uint32_t pc)
{
    unsigned n = 0;
    for (unsigned i = 0; i < n_log; i++)
        n += log_is(i, EV_CORE, core, pc);
    return n;
}

/* The cycle in which it entered EX1 in a round, counted from 0. */
static inline uint64_t when_in(unsigned core, uint32_t pc, unsigned round)
{
    for (unsigned i = 0; i < n_log; i++)
        if (log_is(i, EV_CORE, core, pc) && !round--)
            return log_of[i].cycle;
    fail_msg("core %u was not at %x so often", core, (unsigned)pc);
    return 0;
}

/* The same in the last one. */
static inline uint64_t when_last(unsigned core, uint32_t pc)
{
    for (unsigned i = n_log; i--;)
        if (log_is(i, EV_CORE, core, pc))
            return log_of[i].cycle;
    fail_msg("core %u was never at %x", core, (unsigned)pc);
    return 0;
}

/* What held the instruction at pc the last time, as wait_key(); 0 if nothing did. */
static inline unsigned held_by(unsigned core, uint32_t pc)
{
    for (unsigned i = n_log; i--;)
        if (log_is(i, EV_CORE_WAIT, core, pc))
            return wait_key(log_of[i].cause, log_of[i].owner);
    return 0;
}

/* Cycles that a core lost for a cause in the whole run. */
static inline unsigned lost(struct tile *tile, unsigned core, unsigned cause)
{
    coproc_settle(&tile->coproc);
    return (unsigned)tile->coproc.ledger[agent_of(core)].cycles[cause];
}

/* The cycle in which a word of L1 was written last. */
static inline uint64_t written(struct tile *tile, uint32_t address)
{
    const struct writer *w = writers_find(&tile->writers, address);
    assert_non_null(w);
    return w->cycle;
}

/* ---- programs ---- */

/* Leaves reset with these cores and runs; a copy that nobody watches must go the same way. */
static inline enum tile_end run(struct tile *tile, uint32_t bits, uint64_t cycles)
{
    struct tile *plain = malloc(sizeof *plain);
    assert_non_null(plain);
    memcpy(plain, tile, sizeof *plain);
    plain->coproc.probe.mask = 0;
    store(plain, NOC, CONTROL(0x1b0), plain->soft_reset & ~bits);
    store(tile, NOC, CONTROL(0x1b0), tile->soft_reset & ~bits);
    enum tile_end end = tile_clock_run(tile, cycles);
    assert_int_equal(tile_clock_run(plain, cycles), end);
    assert_int_equal(plain->clock.now, tile->clock.now);
    for (unsigned i = 0; i < RV_N_CORES; i++) {
        assert_memory_equal(plain->core[i].x, tile->core[i].x, 32 * sizeof plain->core[i].x[0]);
        assert_int_equal(plain->core[i].steps, tile->core[i].steps);
    }
    for (unsigned i = 0; i < N_AGENTS; i++)
        assert_memory_equal(plain->coproc.ledger[i].cycles,
                            tile->coproc.ledger[i].cycles,
                            sizeof tile->coproc.ledger[i].cycles);
    free(plain);
    return end;
}

#endif
