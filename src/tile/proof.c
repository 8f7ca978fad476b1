/*
 * proof.c - the proof of a hang.
 *
 * Claim: nothing that one agent of the tile can see of another will change any more. Proof: let E be all of that, L1, devices,
 * coprocessor, data RAMs. It holds that
 *   1. the coprocessor will do nothing as long as E stays: it has no event in the future, and what it tries again and again
 *      is refused (coproc_still()); TDMA-RISC has no command;
 *   2. no core has anything in flight: its store queue is empty, or the head of it is refused for longer than any answer
 *      takes, as is a load that it waits for; no interrupt is due;
 *   3. every core that executes will, as long as E stays, go round for ever without changing E (rvproof.c);
 *   4. no core reads a data RAM in which another core's loop leaves something else for a while.
 * So the first change of E would have to come before itself. Time plays no part in that: which core is how far, and who
 * gets a bank of L1 first, makes no difference.
 *
 * The same with and without skipping, by construction: the question is asked in cycles that follow from the cycle number
 * alone (proof_next()), when every agent has come to just that cycle and no instruction beyond it was executed, and nothing in
 * 1 to 4 depends on whether polls are parked. A parked core stands at the start of a round that is known to repeat: the answer
 * for it is that for any other place in the round. When nobody names a moment the clock need not wait for such a cycle; the
 * end is then booked for the last change in a ledger, as it is by a look if by then all agents wait.
 *
 * Asking costs little: four times while the number of cycles doubles, and at most as many steps of a core as there were cycles
 * so far divided by STEPS_SHARE, beside a few hundred.
 *
 * Invariant: t->proof[] belongs to the end of the last run.
 *
 * **Inaccuracies**: what is true but not found: docs/timing.md 8.
 */
#include "tile/proof.h"

#include <string.h>

#include "base/bits.h"

#define FIRST_LOOK  1024u
#define STEPS_LEAST 512u
#define STEPS_SHARE 2048u
#define STEPS_LAST  65536u /* at the end of a run */
/* Cycles after which everything that was tried again because of a change has been answered. */
#define SETTLED 32u

uint64_t proof_next(uint64_t cycle)
{
    if (cycle < FIRST_LOOK)
        return FIRST_LOOK;
    uint64_t step = FIRST_LOOK / 4;
    while (step * 8 <= cycle)
        step *= 2;
    return (cycle / step + 1) * step;
}

static bool proof_interrupted(const struct tile *tile, unsigned core)
{
    return core >= RV_B && !tile->core[core].in_handler &&
           pic_next(&tile->pic, core == RV_B ? PIC_B : PIC_NC) != PIC_NONE;
}

/* The head of the store queue is refused since before this cycle. */
static bool proof_refused(const struct rvlsu *l, uint64_t before)
{
    return l->n && l->waits_since && l->waits_since < before;
}

/* Will this core change nothing for ever? before: what was refused then already is refused for good. */
static bool proof_core(struct tile *tile, unsigned core, uint64_t before, uint64_t steps)
{
    const struct rvcore *c = &tile->core[core];
    const struct rvlsu *l = &tile->pipe[core].lsu;
    const struct dbgif_core *d = &tile->dbgif.core[core];
    if (c->state == RV_HELD)
        return true;
    if (dbgif_attends(&tile->dbgif, core))
        return d->paused && !d->access && !l->n && !l->pending.on;
    if (l->staged || (l->n && !proof_refused(l, before)) || proof_interrupted(tile, core))
        return false;
    if (l->pending.on)
        return l->pending.sent < before;
    if (c->state == RV_STOPPED || (l->n && l->waiter))
        return true;
    struct rvmem m = tile_memory(tile, core);
    rvproof_run(c, &m, l->n, steps, &tile->proof[core]);
    return tile->proof[core].end == RVPROOF_LOOPS || tile->proof[core].end == RVPROOF_STUCK;
}

/* No loop reads a data RAM that another one, or it itself through a window, changes. */
static bool proof_rams(const struct tile *tile)
{
    for (unsigned i = 0; i < RV_N_CORES; i++)
        for (unsigned k = 0; k < RV_N_CORES; k++)
            if (tile->proof[i].rams >> k & tile->proof[k].writes_ram)
                return false;
    return true;
}

bool proof_holds(struct tile *tile, uint64_t now)
{
    uint64_t before = now - SETTLED;
    memset(tile->proof, 0, sizeof tile->proof);
    if (now < SETTLED || tile->clock.changed >= before || tile->clock.moved >= before ||
        tile->tdma.n || !coproc_still(&tile->coproc, before))
        return false;
    for (unsigned i = 0; i < RV_N_CORES; i++)
        if (!proof_core(tile, i, before, STEPS_LEAST + now / STEPS_SHARE))
            return false;
    return proof_rams(tile);
}

void proof_explore(struct tile *tile)
{
    memset(tile->proof, 0, sizeof tile->proof);
    for (unsigned i = 0; i < RV_N_CORES; i++)
        proof_core(tile, i, UINT64_MAX, STEPS_LAST);
}

bool proof_ended(const struct tile *tile, unsigned core)
{
    const struct rvcore *c = &tile->core[core];
    const struct rvpipe *p = &tile->pipe[core];
    const struct rvproof *f = &tile->proof[core];
    if (c->state == RV_HELD || tile->dbgif.core[core].paused)
        return true;
    if (p->lsu.n || p->lsu.pending.on)
        return false;
    if (c->state == RV_STOPPED)
        return true;
    return f->end == RVPROOF_LOOPS ? !f->n_reads : p->poll.on && !p->poll.n_reads;
}

enum tile_end proof_verdict(const struct tile *tile)
{
    bool stopped = false;
    for (unsigned i = 0; i < RV_N_CORES; i++) {
        if (!proof_ended(tile, i))
            return TILE_END_HANG;
        stopped |= tile->core[i].state == RV_STOPPED;
    }
    if (!coproc_idle(&tile->coproc))
        return TILE_END_HANG;
    return stopped ? TILE_END_STOPPED : TILE_END_DONE;
}

bool proof_all_wait(const struct tile *tile)
{
    for (unsigned i = 0; i < RV_N_CORES; i++) {
        unsigned cause = tile->coproc.ledger[tile_agents[i]].key >> 8;
        bool loops = tile->proof[i].end == RVPROOF_LOOPS;
        if (loops ? !tile->pipe[i].poll.on : cause <= WAIT_IDLE && !tile->dbgif.core[i].paused)
            return false;
    }
    return true;
}
