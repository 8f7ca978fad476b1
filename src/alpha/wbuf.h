/*
 * wbuf.h - the write buffer of one Alpha CPU: stores on their way to memory, oldest first.
 *
 * A store enters in WB. The oldest entry is in memory `entry_cycles` after it became the oldest; then the next one starts.
 * Entries never merge and never pass each other, so a WMB needs no more than its place in the order.
 *
 * Invariants: entries leave in the order in which they came; `done` counts only while n > 0.
 */
#ifndef WG_ALPHA_WBUF_H
#define WG_ALPHA_WBUF_H

#include <stdbool.h>
#include <stdint.h>

#define WBUF_MAX 64u /* entries that `depth` can ask for */

struct wbuf_entry {
    uint64_t address, data;
    uint64_t pc; /* of the store */
    uint8_t size;
};

struct wbuf {
    uint64_t done;    /* cycle in which the oldest entry is in memory */
    uint64_t entered; /* entries so far: the number of the youngest one */
    uint32_t entry_cycles;
    uint8_t depth, head, n;
    struct wbuf_entry entry[WBUF_MAX];
};

enum wbuf_found {
    WBUF_NONE,  /* no store to any of these bytes */
    WBUF_ALL,   /* the youngest store that touches them has all of them */
    WBUF_PARTLY /* it has only some: memory must be waited for */
};

void wbuf_reset(struct wbuf *b, unsigned depth, unsigned entry_cycles);
/* Takes a store in cycle now; false: full. */
bool wbuf_push(struct wbuf *b, uint64_t now, const struct wbuf_entry *e);
/* What a load of these bytes finds. Bytes are little-endian: value has the first in its low bits. */
enum wbuf_found wbuf_find(const struct wbuf *b, uint64_t address, unsigned size, uint64_t *value);
/* The same for one store. */
enum wbuf_found wbuf_match(const struct wbuf_entry *e, uint64_t address, unsigned size,
                           uint64_t *value);
/* Takes out the oldest entry if it is in memory by cycle now. */
bool wbuf_pop(struct wbuf *b, uint64_t now, struct wbuf_entry *e);

static inline bool wbuf_due(const struct wbuf *b, uint64_t now)
{
    return b->n && b->done <= now;
}

#endif
