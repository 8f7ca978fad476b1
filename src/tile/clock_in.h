/*
 * clock_in.h - what the files of the tile's clock share; for clock*.c only.
 */
#ifndef WG_TILE_CLOCK_IN_H
#define WG_TILE_CLOCK_IN_H

#include "base/hot.h"
#include "tile/tile.h"

/* ---- clock.c ---- */

/* Somebody acts at this moment: whoever runs now must let him. */
static inline void clock_grant(struct tile *tile, uint64_t moment)
{
    if (moment < tile->clock.grant)
        tile->clock.grant = moment;
}

/* What a core finds around it when it runs; m must live as long. */
struct rvpipe_io clock_io(struct tile *tile, unsigned core, const struct rvmem *m);
/* Something changed in this cycle, and is seen in the next. coproc: only the coprocessor has done anything. */
void clock_changed(struct tile *tile, uint64_t cycle, bool coproc);
/* After a step in which nothing moved: can nothing happen any more, although cores that poll go on? */
bool clock_dead(struct tile *tile);

/* ---- clock_coproc.c ---- */

/* The coprocessor goes on by itself up to the moment `second` of the next core, or until it lets one go on. */
void clock_coproc_alone(struct tile *tile, uint64_t second);
/* Time alone changes what cores see in this cycle. */
void clock_coproc_signal(struct tile *tile);

/* ---- clock_wait.c ---- */

/* Does a parked core read from one of these lines of L1? */
static inline bool clock_reads_line(const struct rvpipe_read *r, uint32_t address, uint32_t size)
{
    return r->l1 && (r->addr & ~15u) < address + size && address < (r->addr | 15u) + 1;
}

static inline bool clock_interruptible(const struct tile *tile, unsigned core)
{
    return core >= RV_B && pic_enabled(&tile->pic, core == RV_B ? PIC_B : PIC_NC);
}

/* Would this read of a parked core find something else now? And any of those that it polls? */
bool clock_wait_reads_other(struct tile *tile, unsigned core, const struct rvpipe_read *r);
bool clock_wait_sees(struct tile *tile, unsigned core);
/* What a parked core looks at can only be changed by instructions that end a burst. */
bool clock_wait_rests(const struct tile *tile, unsigned core);
/* What a core waits for outside: bits of enum clock_wait. */
unsigned clock_wait_kinds(const struct rvlsu *l, unsigned core);
/* The head of the queue is tried again, and will be refused for ever. */
bool clock_wait_store_hangs(const struct rvpipe *p, unsigned core);
/* What the core does next is to try a push for which there is no room. */
bool clock_wait_push_refused(const struct tile *tile, unsigned core, const struct rvpipe *p);
/* See clock_refused(). */
bool clock_wait_refused(const struct tile *tile, unsigned core, bool coproc);

/*
 * Would this core, which waits, find what it found before? Exact for what kernels wait for most, else false. coproc: only the
 * coprocessor has done anything, which touches no mailbox and no control register.
 */
HOT_INLINE bool clock_refused(const struct tile *tile, unsigned core, bool coproc)
{
    if (coproc && tile->clock.waits_for[core] == CLOCK_QUEUE) /* the usual wait */
        return !frontend_can_push(&tile->coproc.fe[core]);
    return clock_wait_refused(tile, core, coproc);
}

#endif
