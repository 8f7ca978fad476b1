/*
 * books.c - ledgers and the profile of a tile closed for a report, and opened again when the tile goes on.
 *
 * A report books what waits up to now, under the name it has now. Whoever goes on afterwards may find that the wait was
 * another one: so what was booked is taken back first, and a run is the same with and without reports in between.
 *
 * Block: none.
 *
 * **Inaccuracies**: none.
 */
#include <string.h>

#include "lib/handle.h"

void books_close(waitgate_tile *tile)
{
    struct books *b = &tile->books;
    struct coproc *c = &tile->tile.coproc;
    if (b->closed)
        return;
    b->closed = true;
    memcpy(b->ledger, c->ledger, sizeof b->ledger);
    b->blame = c->blame;
    memcpy(b->blamed, c->blamed, sizeof b->blamed);
    b->n_diags = c->probe.n_diags;
    memcpy(b->count, c->probe.count, sizeof b->count);
    memcpy(b->seen, c->probe.seen, sizeof b->seen);
    uint32_t mask = c->probe.mask; /* nothing happens: nothing to trace */
    c->probe.mask = 0;
    tile_clock_settle(&tile->tile);
    c->probe.mask = mask;
}

void books_open(waitgate_tile *tile)
{
    const struct books *b = &tile->books;
    struct coproc *c = &tile->tile.coproc;
    if (!b->closed)
        return;
    memcpy(c->ledger, b->ledger, sizeof b->ledger);
    c->blame = b->blame;
    memcpy(c->blamed, b->blamed, sizeof b->blamed);
    c->probe.n_diags = b->n_diags;
    memcpy(c->probe.count, b->count, sizeof b->count);
    memcpy(c->probe.seen, b->seen, sizeof b->seen);
    tile->books.closed = false;
}
