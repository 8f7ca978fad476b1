/*
 * clock_wait.c - what a core of a clocked tile waits for outside, and whether it would find it now.
 *
 * Questions only: nothing here changes anything. A core that waits is tried again when the answer may have changed, and a
 * core that is parked goes on when it would read something else.
 *
 * Inaccuracies: none of its own.
 */
#include <string.h>

#include "tile/clock_in.h"

bool clock_wait_reads_other(struct tile *tile, unsigned core, const struct rvpipe_read *r)
{
    uint32_t value = 0;
    if (r->l1) {
        memcpy(&value, tile_l1(tile) + r->addr, r->size);
        return value != r->value ||
               (r->line && memcmp(r->bytes, tile_l1(tile) + (r->addr & ~15u), RV_L0_LINE) != 0);
    }
    if (r->csr)
        return tile_bus.status(tile, core, r->addr) != r->value;
    uint32_t sem = (r->addr - map_table[MAP_SEM].base) / 4;
    if (map_is(MAP_SEM, core, r->addr) && r->size == 4) /* what kernels poll most */
        return coproc_port_sem_read(&tile->coproc, sem) != r->value;
    if (tile_source(tile, core, r->addr, r->size) > RV_SOURCE_EVENT)
        return true; /* looking would be an act */
    return tile_bus.load(tile, core, r->addr, r->size, &value) != RV_OK ||
           (value & (r->size < 4 ? (1u << 8 * r->size) - 1 : UINT32_MAX)) != r->value;
}

bool clock_wait_sees(struct tile *tile, unsigned core)
{
    const struct rvpipe_poll *q = &tile->pipe[core].poll;
    for (unsigned i = 0; i < q->n_reads; i++)
        if (clock_wait_reads_other(tile, core, &q->read[i]))
            return true;
    return false;
}

/* What a blocked store waits for. */
static unsigned clock_store_waits_for(unsigned core, const struct rvlsu_store *s)
{
    if (core <= RV_T2 && (s->kind == RVLSU_PUSH || map_is(MAP_PUSH, core, s->addr)))
        return CLOCK_QUEUE;
    return s->kind == RVLSU_BUS && map_is(MAP_MAILBOX, core, s->addr) ? CLOCK_BOX : CLOCK_OTHER;
}

static unsigned clock_load_waits_for(unsigned core, uint32_t address)
{
    if (map_is(MAP_MAILBOX, core, address))
        return CLOCK_WORD;
    return map_is(MAP_TTSYNC_THREAD, core, address) ? CLOCK_THREAD : CLOCK_OTHER;
}

unsigned clock_wait_kinds(const struct rvlsu *l, unsigned core)
{
    unsigned waits = l->staged ? CLOCK_OTHER : 0;
    if (l->n && l->blocked)
        waits |= clock_store_waits_for(core, &l->store[l->head]);
    if (l->pending.on)
        waits |= clock_load_waits_for(core, l->pending.addr);
    return waits;
}

static bool clock_has_word(const struct tile *tile, unsigned core)
{
    unsigned from = map_find(core, tile->pipe[core].lsu.pending.addr).thread;
    return tile->mailbox.box[from][core == RV_B ? 0 : core + 1].n != 0;
}

bool clock_wait_refused(const struct tile *tile, unsigned core, bool coproc)
{
    unsigned waits = tile->clock.waits_for[core];
    const struct frontend *f = &tile->coproc.fe[core <= RV_T2 ? core : 0];
    if (!coproc && (waits & (CLOCK_BOX | CLOCK_THREAD) || clock_interruptible(tile, core)))
        return false;
    if (waits & CLOCK_QUEUE &&
        (frontend_can_push(f) || (!coproc && tile_control_debug_bus(tile, core))))
        return false;
    if (waits & CLOCK_THREAD && frontend_empty(f))
        return false;
    if (waits & CLOCK_WORD && !coproc && clock_has_word(tile, core))
        return false;
    return waits && !(waits & CLOCK_OTHER);
}

bool clock_wait_store_hangs(const struct rvpipe *p, unsigned core)
{
    const struct rvlsu *l = &p->lsu;
    const struct rvlsu_store *s = &l->store[l->head];
    return l->n && !l->blocked && l->waits_since && s->kind == RVLSU_BUS &&
           map_is(MAP_PUSH_HANGS, core, s->addr);
}

bool clock_wait_push_refused(const struct tile *tile, unsigned core, const struct rvpipe *p)
{
    const struct rvlsu *l = &p->lsu;
    return (p->when & 3) == RV_PHASE_STORE && l->waiter && core <= RV_T2 &&
           !frontend_can_push(&tile->coproc.fe[core]) &&
           clock_store_waits_for(core, &l->store[l->head]) == CLOCK_QUEUE &&
           !tile_control_debug_bus(tile, core);
}

bool clock_wait_rests(const struct tile *tile, unsigned core)
{
    const struct rvpipe_poll *q = &tile->pipe[core].poll;
    for (unsigned i = 0; i < q->n_reads; i++)
        if (!q->read[i].l1 && (q->read[i].csr || !map_is(MAP_SEM, core, q->read[i].addr)))
            return false;
    return !tile->pipe[core].lsu.blocked && !clock_interruptible(tile, core);
}
