/*
 * wbuf.c - the write buffer of one Alpha CPU.
 *
 * Block: the CBox's write buffer (21164PC: six entries of 32 bytes that merge; here eight of one store each).
 *
 * Inaccuracies: no merging, one entry under way at a time; the time per entry is a setting, not a memory system.
 */
#include "alpha/wbuf.h"

void wbuf_reset(struct wbuf *b, unsigned depth, unsigned entry_cycles)
{
    *b = (struct wbuf){.depth = (uint8_t)(depth < 1          ? 1
                                          : depth > WBUF_MAX ? WBUF_MAX
                                                             : depth),
                       .entry_cycles = entry_cycles < 1 ? 1 : entry_cycles};
}

bool wbuf_push(struct wbuf *b, uint64_t now, const struct wbuf_entry *e)
{
    if (b->n == b->depth)
        return false;
    if (!b->n)
        b->done = now + b->entry_cycles;
    b->entry[(b->head + b->n) % WBUF_MAX] = *e;
    b->n++;
    b->entered++;
    return true;
}

bool wbuf_pop(struct wbuf *b, uint64_t now, struct wbuf_entry *e)
{
    if (!wbuf_due(b, now))
        return false;
    *e = b->entry[b->head];
    b->head = (uint8_t)((b->head + 1) % WBUF_MAX);
    b->n--;
    b->done += b->entry_cycles;
    return true;
}

static uint64_t bytes_mask(unsigned size)
{
    return size >= 8 ? UINT64_MAX : (UINT64_C(1) << 8 * size) - 1;
}

enum wbuf_found wbuf_match(const struct wbuf_entry *e, uint64_t address, unsigned size,
                           uint64_t *value)
{
    uint64_t into = address - e->address; /* wraps when the load starts first */
    if (into < e->size && into + size <= e->size) {
        *value = e->data >> 8 * into & bytes_mask(size);
        return WBUF_ALL;
    }
    return into < e->size || e->address - address < size ? WBUF_PARTLY : WBUF_NONE;
}

enum wbuf_found wbuf_find(const struct wbuf *b, uint64_t address, unsigned size, uint64_t *value)
{
    for (unsigned i = b->n; i-- > 0;) {
        enum wbuf_found f = wbuf_match(&b->entry[(b->head + i) % WBUF_MAX], address, size, value);
        if (f != WBUF_NONE)
            return f;
    }
    return WBUF_NONE;
}
