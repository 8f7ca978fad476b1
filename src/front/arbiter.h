/*
 * arbiter.h - round robin for ports that take one requester per cycle (docs/timing.md 3.6).
 *
 * Inaccuracies: which policy silicon uses is not public; round robin is a choice. Two equal streams
 * measured on silicon share a unit evenly, which any fair policy would give.
 */
#ifndef WG_FRONT_ARBITER_H
#define WG_FRONT_ARBITER_H

#include <assert.h>
#include <stdint.h>

enum port {
    PORT_NONE, /* takes all threads at once */
    PORT_SYNC, /* semaphores, waits, window writes */
    PORT_MUTEX,
    PORT_UNPACK = PORT_MUTEX + 5,
    PORT_MATRIX,
    PORT_PACK,
    PORT_VECTOR,
    PORT_SCALAR,
    PORT_MOVER,
    PORT_CONFIG, /* one per entry stage */
    N_PORTS = PORT_CONFIG + 6
};

struct arbiter {
    uint8_t first[N_PORTS]; /* requester to look at first: the one after the last served */
};

/* Serves one of the requesters in the mask (bit per requester, n of them). */
static inline unsigned arbiter_pick(struct arbiter *a, unsigned port, unsigned mask, unsigned n)
{
    unsigned i = a->first[port];
    assert(mask);
    while (!((mask >> i) & 1))
        i = i + 1 == n ? 0 : i + 1;
    a->first[port] = (uint8_t)((i + 1) % n);
    return i;
}

/* Requester i, the only one of three, is served. */
static inline void arbiter_serve(struct arbiter *a, unsigned port, unsigned i)
{
    static const uint8_t next[3] = {1, 2, 0};
    a->first[port] = port == PORT_SYNC ? (uint8_t)(i + 1) : next[i];
}

#endif
