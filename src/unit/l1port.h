/*
 * l1port.h - how a unit of the coprocessor reaches L1 (the bytes, and whom to tell about a write), the
 * registers of its tile and the mover.
 *
 * Whoever owns the memory sets it once; a coprocessor without one reads zeros and writes nowhere.
 * Addresses wrap at the size of L1, so no address can leave it.
 *
 * Inaccuracies: bank conflicts of units with cores and with each other are not modelled.
 */
#ifndef WG_UNIT_L1PORT_H
#define WG_UNIT_L1PORT_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "wait/wait.h"

struct l1_port {
    uint8_t *bytes; /* NULL: no memory */
    uint32_t size;
    /* A unit is about to write; may be NULL, as those below. */
    void (*writes)(void *ctx, uint32_t address, uint32_t size);
    /* It has; owner: the unit, enum wait_owner. */
    void (*wrote)(void *ctx, unsigned owner, uint32_t address, uint32_t size);
    /* A register of the tile (0xFFB.....), for a thread; false: not now, ask again. */
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

/* Where n bytes from address on lie, for a unit that writes them there itself and tells it with l1_port_wrote(); NULL: not
   in one piece, or nowhere. */
static inline uint8_t *l1_port_place(const struct l1_port *p, uint32_t address, uint32_t n)
{
    if (!p->bytes || address >= p->size || n > p->size - address)
        return NULL;
    if (p->writes)
        p->writes(p->ctx, address, n);
    return p->bytes + address;
}

/* A unit has written bytes that lie in one piece. */
static inline void l1_port_wrote(const struct l1_port *p, unsigned owner, uint32_t address,
                                 uint32_t n)
{
    if (p->wrote)
        p->wrote(p->ctx, owner, address, n);
}

/* At any address. */
static inline void l1_port_write_round(const struct l1_port *p, unsigned owner, uint32_t address,
                                       const uint8_t *in, uint32_t n)
{
    while (p->bytes && n) {
        address %= p->size;
        uint32_t first = n <= p->size - address ? n : p->size - address;
        if (p->writes)
            p->writes(p->ctx, address, first);
        memcpy(p->bytes + address, in, first);
        l1_port_wrote(p, owner, address, first);
        address = 0;
        in += first;
        n -= first;
    }
}

static inline void l1_port_write_as(const struct l1_port *p, unsigned owner, uint32_t address,
                                    const void *from, uint32_t n)
{
    uint8_t *to = l1_port_place(p, address, n);
    if (!to) {
        l1_port_write_round(p, owner, address, from, n);
    } else if (n) {
        memcpy(to, from, n);
        l1_port_wrote(p, owner, address, n);
    }
}

/* By the packer. */
static inline void l1_port_write(const struct l1_port *p, uint32_t address, const void *from,
                                 uint32_t n)
{
    l1_port_write_as(p, OWNER_PACK, address, from, n);
}

#endif
