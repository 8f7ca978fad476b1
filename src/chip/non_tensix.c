/*
 * non_tensix.c - DRAM, ARC and Ethernet tiles, as far as a host looks at them.
 *
 * Sources: tt-umd for the places of the DRAM channels, the ARC's words and the heartbeat.
 *
 * Inaccuracies: no registers but these; the ARC answers no messages; Ethernet tiles have no memory and
 * no cores. UNSURE: which channel each place of column 0 leads to; taken to be as in column 9.
 */
#include "chip/non_tensix.h"

#include <stdlib.h>
#include <string.h>

enum {
    ARC_MEMORY = 0x10000000,
    ARC_TABLE = 0x10000100,
    ARC_VALUES = 0x10000200,
    ARC_QUEUE = 0x10000300,
    ARC_QUEUE_AT = 0x10000400,
    ARC_QUEUE_SHAPE = 0x408,
    ARC_SCRATCH = 0x400, /* in arc_registers */
    ARC_BOOTED = 5,
    ETH_HEARTBEAT = 0x7CC70
};
#define ARC_REGISTERS UINT32_C(0x80030000)

static const uint32_t telemetry[][2] = {
#define TELEMETRY(tag, value, text) {tag, value},
#include "chip/telemetry.def"
};
#define N_TELEMETRY ((uint32_t)(sizeof telemetry / sizeof *telemetry))

void non_tensix_reset(struct non_tensix *o)
{
    uint32_t *table = &o->arc_memory[(ARC_TABLE - ARC_MEMORY) / 4];
    uint32_t *values = &o->arc_memory[(ARC_VALUES - ARC_MEMORY) / 4];
    uint32_t *queue = &o->arc_memory[(ARC_QUEUE - ARC_MEMORY) / 4];
    uint32_t *scratch = &o->arc_registers[ARC_SCRATCH / 4];
    table[0] = 1; /* version */
    table[1] = N_TELEMETRY;
    for (uint32_t i = 0; i < N_TELEMETRY; i++) {
        table[2 + i] = telemetry[i][0] | i << 16;
        values[i] = telemetry[i][1];
    }
    queue[0] = ARC_QUEUE_AT;
    queue[1] = ARC_QUEUE_SHAPE;
    scratch[2] = ARC_BOOTED;
    scratch[11] = ARC_QUEUE;
    scratch[12] = ARC_VALUES;
    scratch[13] = ARC_TABLE;
}

void non_tensix_free(struct non_tensix *o)
{
    for (unsigned i = 0; i < NON_TENSIX_CHANNELS; i++)
        for (unsigned k = 0; k < NON_TENSIX_PAGES; k++)
            free(o->dram[i][k]);
}

/* ---- DRAM ---- */

static bool dram_channel(unsigned x, unsigned y, unsigned *channel)
{
    static const uint8_t of_row[12] = {0, 0, 1, 1, 3, 2, 2, 2, 3, 3, 1, 0};
    if ((x == 9 || x == 0) && y < 12)
        *channel = of_row[y] + (x == 0 ? 4u : 0u);
    else if ((x == 17 || x == 18) && y >= 12 && y < 24)
        *channel = (y - 12) / 3 + (x == 18 ? 4u : 0u);
    else
        return false;
    return true;
}

static uint32_t dram_piece(uint32_t address, uint32_t size)
{
    uint32_t room = NON_TENSIX_PAGE - address % NON_TENSIX_PAGE;
    return size < room ? size : room;
}

static void dram_read(uint8_t **pages, uint32_t address, uint8_t *to, uint32_t size)
{
    for (uint32_t n; size; size -= n, to += n, address += n) {
        const uint8_t *page = pages[address / NON_TENSIX_PAGE];
        n = dram_piece(address, size);
        if (page)
            memcpy(to, page + address % NON_TENSIX_PAGE, n);
        else
            memset(to, 0, n);
    }
}

static bool dram_write(uint8_t **pages, uint32_t address, const uint8_t *from, uint32_t size)
{
    for (uint32_t n; size; size -= n, from += n, address += n) {
        uint8_t **page = &pages[address / NON_TENSIX_PAGE];
        n = dram_piece(address, size);
        if (!*page)
            *page = calloc(1, NON_TENSIX_PAGE);
        if (!*page)
            return false;
        memcpy(*page + address % NON_TENSIX_PAGE, from, n);
    }
    return true;
}

/* ---- words ---- */

/* The place of an access that lies within what the ARC has; NULL if it does not. */
static uint8_t *arc_place(struct non_tensix *o, uint32_t address, uint32_t size)
{
    const uint32_t bytes = NON_TENSIX_ARC_WORDS * 4;
    uint32_t memory = address - ARC_MEMORY, registers = address - ARC_REGISTERS;
    if (memory < bytes && size <= bytes - memory)
        return (uint8_t *)o->arc_memory + memory;
    if (registers < bytes && size <= bytes - registers)
        return (uint8_t *)o->arc_registers + registers;
    return NULL;
}

static bool is_arc(unsigned x, unsigned y)
{
    return x == 8 && y == 0;
}

static bool is_ethernet(unsigned x, unsigned y)
{
    return (y == 25 && x >= 20 && x <= 31) || (y == 1 && x >= 1 && x <= 16 && x != 8 && x != 9);
}

bool non_tensix_read(struct non_tensix *o, unsigned x, unsigned y, uint32_t address, void *to,
                     uint32_t size)
{
    unsigned channel;
    const uint8_t *place = is_arc(x, y) ? arc_place(o, address, size) : NULL;
    if (place) {
        memcpy(to, place, size);
        return true;
    }
    if (dram_channel(x, y, &channel)) {
        dram_read(o->dram[channel], address, to, size);
        return true;
    }
    memset(to, 0, size);
    if (!is_ethernet(x, y) || address != ETH_HEARTBEAT || size != 4)
        return false;
    memcpy(to, &o->heartbeat, 4);
    o->heartbeat++;
    return true;
}

bool non_tensix_write(struct non_tensix *o, unsigned x, unsigned y, uint32_t address,
                      const void *from, uint32_t size)
{
    unsigned channel;
    uint8_t *place = is_arc(x, y) ? arc_place(o, address, size) : NULL;
    if (place) {
        memcpy(place, from, size);
        return true;
    }
    return dram_channel(x, y, &channel) && dram_write(o->dram[channel], address, from, size);
}
