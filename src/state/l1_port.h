/*
 * l1_port.h - the one way to write L1, and how a unit of the coprocessor reaches L1, the registers of its tile and the mover.
 *
 * A write takes five steps: whoever may have to know is told that it comes, the bytes are written, code that was
 * decoded from them is forgotten, whoever may have to know is told that it was, and the writer is noted (the last two
 * by the owner of the memory, struct l1_watch). l1_port_begin() and l1_port_end() are these steps, and the other functions are made
 * of the two. Everybody else has the bytes as const: the one cast is here, and a lint looks for others.
 *
 * Whoever owns the memory sets the port once; a coprocessor without one reads zeros and writes nowhere.
 * A unit's addresses wrap at the size of L1, so no address can leave it.
 *
 * Inaccuracies: bank conflicts of units with cores and with each other are not modelled.
 */
#ifndef WG_STATE_L1_PORT_H
#define WG_STATE_L1_PORT_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "state/rvcode.h"
#include "wait/wait.h"

/* Who writes. */
struct l1_writer {
    uint8_t owner; /* enum wait_owner */
    bool calm;     /* the writer knows that nobody polls or sleeps */
    uint32_t pc;   /* of a core's store; 0: none */
};

/* Whom to tell of writes. */
struct l1_watch {
    void (*writes)(void *ctx, uint32_t address, uint32_t size); /* somebody is about to */
    void (*wrote)(void *ctx, struct l1_writer by, uint32_t address, uint32_t size);
};

struct l1_port {
    const uint8_t *bytes; /* NULL: no memory */
    uint32_t size;
    struct rvcode *code;          /* decoded from it; NULL: none */
    const struct l1_watch *watch; /* NULL: nobody is told */
    /* The rest is for units. A register of the tile (0xFFB.....), for a thread; false: not now, ask again. */
    bool (*store)(void *ctx, unsigned thread, uint32_t address, uint32_t value);
    bool (*load)(void *ctx, unsigned thread, uint32_t address, uint32_t *value);
    /* The mover's whole transfer, in bytes; mode as XMOV has it. */
    void (*move)(void *ctx, uint32_t to, uint32_t from, uint32_t count, unsigned mode);
    void *ctx;
};

/* n bytes from address on, into to. */
static inline void l1_port_read(const struct l1_port *p, uint32_t address, void *to, uint32_t n)
{
    uint8_t *out = to;
    if (p->bytes && address < p->size && n <= p->size - address) {
        memcpy(out, p->bytes + address, n);
        return;
    }
    for (uint32_t i = 0; i < n; i++)
        out[i] = p->bytes ? p->bytes[(address + i) % p->size] : 0;
}

/* ---- writing ---- */

/* The writer by is about to write some of n > 0 bytes that lie in L1, and does so where the result points to; to be followed by
   l1_port_end(). */
static inline uint8_t *l1_port_begin(const struct l1_port *p, struct l1_writer by, uint32_t address,
                                     uint32_t n)
{
    if (p->watch && (!by.calm || rvcode_holds(p->code, address, n)))
        p->watch->writes(p->ctx, address, n);
    return (uint8_t *)(uintptr_t)p->bytes + address;
}

/* The steps behind the bytes; code can be in the first `look` of them only. */
static inline void l1_port_behind(const struct l1_port *p, struct l1_writer by, uint32_t address,
                                  uint32_t n, uint32_t look)
{
    if (p->code && rvcode_holds(p->code, address, look))
        rvcode_invalidate(p->code, address, n);
    if (p->watch)
        p->watch->wrote(p->ctx, by, address, n);
}

/* It has written these n > 0 bytes, all of them. */
static inline void l1_port_end(const struct l1_port *p, struct l1_writer by, uint32_t address,
                               uint32_t n)
{
    l1_port_behind(p, by, address, n, n);
}

/* n bytes that lie in L1; from may overlap them. NULL: zeros. */
static inline void l1_port_put(const struct l1_port *p, struct l1_writer by, uint32_t address,
                               const void *from, uint32_t n)
{
    if (!n)
        return;
    uint8_t *to = l1_port_begin(p, by, address, n);
    if (from)
        memmove(to, from, n);
    else
        memset(to, 0, n);
    l1_port_end(p, by, address, n);
}

/* 1, 2 or 4 bytes of a value at an address that is a multiple of that. */
static inline void l1_port_put_value(const struct l1_port *p, struct l1_writer by, uint32_t address,
                                     unsigned size, uint32_t value)
{
    uint8_t *to = l1_port_begin(p, by, address, size);
    if (size == 4)
        memcpy(to, &value, 4);
    else if (size == 2)
        memcpy(to, &value, 2);
    else
        *to = (uint8_t)value;
    l1_port_behind(p, by, address, size, 1); /* they share a page of code */
}

/* Where n bytes that a unit is about to write lie; NULL: not in one piece, or nowhere. Followed by l1_port_end(). */
static inline uint8_t *l1_port_place(const struct l1_port *p, unsigned owner, uint32_t address,
                                     uint32_t n)
{
    if (!n || !p->bytes || address >= p->size || n > p->size - address)
        return NULL;
    return l1_port_begin(p, (struct l1_writer){.owner = (uint8_t)owner}, address, n);
}

/* n bytes of a unit, at any address. */
static inline void l1_port_write(const struct l1_port *p, unsigned owner, uint32_t address,
                                 const void *from, uint32_t n)
{
    const uint8_t *in = from;
    while (p->bytes && n) {
        if (address >= p->size)
            address %= p->size;
        uint32_t first = n <= p->size - address ? n : p->size - address;
        l1_port_put(p, (struct l1_writer){.owner = (uint8_t)owner}, address, in, first);
        address = 0;
        in += first;
        n -= first;
    }
}

#endif
