/*
 * clock_coproc.c - the coprocessor as an agent of the clock: its steps, and when it takes the next one.
 *
 * It steps in every cycle in which it moves something. When nothing moved it names the cycle in which it next can
 * (coproc_quiet_until()); a core that pushes or asks brings that forward (tile_clock_coproc_wake()). While no core acts it
 * goes through many cycles at once (coproc_burst()).
 *
 * Inaccuracies: none of its own.
 */
#include "base/watch.h"
#include "tile/clock_in.h"

void tile_clock_coproc_wake(struct tile *tile)
{
    uint64_t moment = rvlsu_moment(tile->clock.now, RV_PHASE_COPROC);
    if (moment < tile->clock.coproc)
        tile->clock.coproc = moment;
    clock_grant(tile, moment);
}

/* Answers to what cores have handed to the coprocessor in this cycle. */
static void clock_answers(struct tile *tile, uint64_t cycle)
{
    for (unsigned staged = tile->clock.staged; staged; staged &= staged - 1) {
        unsigned i = bits_lowest(staged);
        struct rvlsu *l = &tile->pipe[i].lsu;
        if (!l->staged)
            continue;
        const struct rvlsu_store *s = rvlsu_at(l, 0);
        struct map_hit hit = map_find(i, s->addr);
        bool taken = i == RV_B ? coproc_port_push_b_taken(&tile->coproc,
                                                          s->kind == RVLSU_PUSH ? 0 : hit.thread)
                               : coproc_port_sem_taken(&tile->coproc, i);
        struct rvmem m = tile_memory(tile, i);
        struct rvpipe_io io = clock_io(tile, i, &m);
        rvpipe_staged(&tile->pipe[i], &io, cycle, taken);
        clock_grant(tile, tile->pipe[i].when);
    }
    tile->clock.staged = 0;
}

/*
 * Many cycles of the coprocessor at once, up to the moment `second` in which the next core acts, if those that
 * wait can only be released by what ends a burst. False if there were none.
 */
static bool clock_burst(struct tile *tile, uint64_t second)
{
    struct coproc *c = &tile->coproc;
    unsigned full = COPROC_L1_SEEN;
    uint64_t limit = second >> 2 < tile->clock.limit ? second >> 2 : tile->clock.limit;
    uint64_t cycle = tile->clock.coproc >> 2;
    if (cycle < c->burst_after || limit < cycle + 2 || tile->clock.no_skip | c->blame_on ||
        tile->tdma.n || tile->soft_reset & ~TILE_SOFT_RESET)
        return false;
    unsigned waiting = tile->clock.waiting & ~(unsigned)tile->clock.deaf;
    for (; waiting; waiting &= waiting - 1) {
        unsigned i = bits_lowest(waiting);
        if (tile->clock.parked >> i & 1 ? !clock_wait_rests(tile, i)
                                        : !clock_refused(tile, i, true))
            return false;
        full |= (tile->clock.waits_for[i] & CLOCK_QUEUE ? 1u : 0u) << i;
    }
    coproc_skip(c, cycle);
    if (!coproc_burst(c, limit, full))
        return false;
    tile->clock.now = tile->clock.moved = c->now - 1;
    if (tile->clock.waiting)
        clock_changed(tile, c->now - 1, true);
    tile->clock.coproc = rvlsu_moment(c->now, RV_PHASE_COPROC);
    tile->clock.signal = RV_NEVER;
    tile->clock.active = c->now - 1;
    return true;
}

/* An atomic tries for ever: L1 has not what it wants, and no core will act any more. */
static bool clock_vain(const struct tile *tile)
{
    for (unsigned i = 0; i < RV_N_CORES; i++)
        if (tile->pipe[i].when < RV_NEVER)
            return false;
    return coproc_retries(&tile->coproc);
}

static void clock_coproc(struct tile *tile)
{
    struct coproc *c = &tile->coproc;
    uint64_t cycle = tile->clock.coproc >> 2;
    coproc_skip(c, cycle);
    tile->clock.now = cycle;
    bool moved = coproc_step(c);
    if (tile->tdma.n)
        moved |= tdma_work(tile);
    if (moved)
        tile->clock.moved = cycle;
    if (tile->soft_reset & ~TILE_SOFT_RESET)
        tile_control_hold_units(tile);
    clock_answers(tile, cycle);
    if (!moved && !tile->clock.no_end && (tile->clock.no_skip || !tile->clock.no_proof) &&
        clock_dead(tile))
        tile->clock.dead = true; /* all that waits has been tried in this cycle */
    if (tile->clock.waiting)
        clock_changed(tile, cycle, true);
    uint64_t next = moved ? c->now : coproc_quiet_until(c);
    if (next != COPROC_NEVER && (moved || !coproc_tries_again(c)))
        tile->clock.active = next - 1;
    if (tile->clock.no_skip)
        next = c->now;
    else if (!moved && next != COPROC_NEVER && clock_vain(tile))
        next = COPROC_NEVER;
    tile->clock.coproc = next == COPROC_NEVER ? RV_NEVER : rvlsu_moment(next, RV_PHASE_COPROC);
    tile->clock.signal =
        moved || next == COPROC_NEVER ? RV_NEVER : rvlsu_moment(next, RV_PHASE_LOAD);
}

void clock_coproc_alone(struct tile *tile, uint64_t second)
{
    tile->clock.grant = second;
    WATCH(watch);
    do {
        PROGRESS(watch, tile->clock.coproc, 1);
        if (!clock_burst(tile, tile->clock.grant))
            clock_coproc(tile);
    } while (tile->clock.coproc < tile->clock.grant &&
             tile->clock.coproc >> 2 < tile->clock.limit && tile->clock.signal == RV_NEVER &&
             !tile->clock.dead && !tile->coproc.probe.stop);
}

void clock_coproc_signal(struct tile *tile)
{
    uint64_t cycle = tile->clock.signal >> 2;
    tile->clock.signal = RV_NEVER;
    coproc_skip(&tile->coproc, cycle);
    tile->clock.now = cycle;
    if (cycle && tile->clock.waiting)
        clock_changed(tile, cycle - 1, false);
}
