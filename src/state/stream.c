/*
 * stream.c - see stream.h.
 *
 * A stream that software fills and software empties:
 *
 *     NEW_MSG_INFO, or headers in L1 --> messages --INFO_CLEAR--> sizes --DATA_CLEAR--> RD_PTR moves on
 *                                                                          UNPACR_NOP
 *
 * Invariants: fifo.n and fifo.taken are at most the stream's capacity; reg[] is what a load gives, but for
 * three registers of a stream that nobody has written yet.
 *
 * Inaccuracies: behaviour and capacities are those of Wormhole's pages, registers those of Blackhole's header. All
 * happens in the cycle of the store. There is no NoC: streams that are connected to others take and send nothing
 * (STREAM_NOC). Gather, configuration from L1 (PHASE_AUTO_CONFIG), token, copy, infinite phases, and headers in a ring are not
 * carried out. When a phase ends is inferred: when all its messages are taken and given back.
 */
#include "state/stream.h"

#include <string.h>

#include "base/bits.h"
#include "probe/probe.h"

#define MISC_SOURCE_ENDPOINT   (1u << 4)
#define MISC_CONNECTED         (1u << 3 | 1u << 5 | 1u << 7 | 1u << 8) /* to other streams */
#define MISC_RECEIVER_ENDPOINT (1u << 6)
#define POINTER                0x1ffffu
#define ROUND                  (POINTER + 1)

enum stream_access { RW, RO, WO };

struct stream_info {
    uint8_t bits, access;
};

static struct stream_info stream_info(unsigned reg)
{
    static const struct {
        uint16_t index, count;
        struct stream_info info;
    } table[] = {
#define STREAM_REG(id, index, count, bits, access, text) {index, count, {bits, access}},
#include "state/stream.def"
    };
    for (unsigned i = 0; i < sizeof table / sizeof *table; i++)
        if (reg - table[i].index < table[i].count && reg >= table[i].index)
            return table[i].info;
    return (struct stream_info){32, RW};
}

/* ---- which stream can what ---- */

static bool stream_multicasts(unsigned id)
{
    return id < 4;
}

static bool stream_reaches_dram(unsigned id)
{
    return id < 4 || (id >= 8 && id < 12);
}

static bool stream_has_headers(unsigned id)
{
    return id == 4 || id == 5;
}

static unsigned stream_capacity(unsigned id)
{
    return stream_reaches_dram(id) || stream_has_headers(id) ? STREAM_FIFO : 2;
}

static bool stream_lacks(unsigned id, unsigned reg)
{
    switch (reg) {
    case STREAM_DEST_BUF_START_HI:
    case STREAM_DEST_INFO_WR_PTR_HI: return !stream_reaches_dram(id);
    case STREAM_HEADER_FORMAT: return id != 0;
    default: return reg - STREAM_SCRATCH < 6 && !stream_reaches_dram(id);
    }
}

/* ---- messages ---- */

/* A pointer into the receive buffer goes on. */
static uint32_t stream_step(uint32_t pointer, uint32_t by, uint32_t size)
{
    uint32_t at = (pointer & POINTER) + by, round = pointer & ROUND;
    if (size && at >= size) {
        at %= size;
        round ^= ROUND;
    }
    return (at & POINTER) | round;
}

static void stream_take_in(struct stream_fifo *f, struct stream_message m)
{
    f->m[f->n++] = m;
    f->come++;
}

/* Takes the n oldest messages out; returns their size. */
static uint32_t stream_take_out(struct stream_fifo *f, unsigned n)
{
    uint32_t size = 0;
    for (unsigned i = 0; i < n; i++)
        size += f->m[i].size;
    f->n = (uint8_t)(f->n - n);
    f->gone = (uint16_t)(f->gone + n);
    memmove(f->m, f->m + n, f->n * sizeof *f->m);
    return size;
}

static void stream_give_back(struct stream_fifo *f, uint32_t *r, uint32_t size)
{
    r[STREAM_RD_PTR] = stream_step(r[STREAM_RD_PTR], size, r[STREAM_BUF_SIZE]);
    f->held -= size < f->held ? size : f->held;
}

/* The size in a header, as register HEADER_FORMAT of stream 0 says. */
static uint32_t stream_header_size(const uint8_t *header, uint32_t format)
{
    unsigned first = bits_get(format, 0, 7) / 8, width = bits_get(format, 7, 7);
    uint64_t v = 0;
    for (unsigned i = 0; i < 5 && first + i < 16; i++)
        v |= (uint64_t)header[first + i] << 8 * i;
    return (uint32_t)(width < 32 ? v & bits_mask(width) : v);
}

/* Headers in L1 become messages while there is room. */
static void stream_load_headers(struct stream *s, const struct l1_port *l1, unsigned id)
{
    struct stream_fifo *f = &s->fifo[id];
    uint32_t *r = s->reg[id];
    while (f->running && f->n < stream_capacity(id) &&
           r[STREAM_INFO_PTR] != r[STREAM_INFO_WR_PTR]) {
        uint8_t header[16] = {0};
        struct stream_message m = {.address = (r[STREAM_BUF_START] + f->next) & POINTER};
        l1_port_read(l1, l1->bytes ? (r[STREAM_INFO_PTR] << 4) % l1->size : 0, header, 16);
        m.size = stream_header_size(header, s->reg[0][STREAM_HEADER_FORMAT]);
        memcpy(m.header, header, 16);
        f->next = stream_step(f->next, m.size, r[STREAM_BUF_SIZE]) & POINTER;
        r[STREAM_INFO_PTR] = (r[STREAM_INFO_PTR] + 1) & POINTER;
        stream_take_in(f, m);
    }
}

/* All that follows from an order. */
static void stream_settle(struct stream *s, const struct l1_port *l1, unsigned id)
{
    struct stream_fifo *f = &s->fifo[id];
    uint32_t *r = s->reg[id];
    stream_load_headers(s, l1, id);
    while (f->clear && f->n) {
        f->clear--;
        stream_give_back(f, r, stream_take_out(f, 1));
        stream_load_headers(s, l1, id);
    }
    if (f->running && f->gone >= f->expected && !f->taken && !f->n)
        f->running = false;
}

/* The registers that show it. */
static void stream_show(struct stream *s, unsigned id)
{
    const struct stream_fifo *f = &s->fifo[id];
    uint32_t *r = s->reg[id];
    s->shown |= UINT64_C(1) << id;
    uint32_t waiting = (r[STREAM_INFO_WR_PTR] - r[STREAM_INFO_PTR]) & POINTER;
    uint32_t size = r[STREAM_BUF_SIZE], full = f->n == stream_capacity(id);
    unsigned words = stream_has_headers(id) ? 6 : 2, n_dest = stream_multicasts(id) ? 32 : 1;
    r[STREAM_WAIT_STATUS] = f->running ? 1u << 2 | 5u << 3 : 1;
    r[STREAM_MSGS_IN_MEM] = stream_has_headers(id) ? f->n + waiting : 0;
    r[STREAM_NUM_MSGS] = f->n;
    r[STREAM_BUF_SPACE] =
        f->held && size
            ? ((r[STREAM_RD_PTR] & POINTER) + size - (r[STREAM_WR_PTR] & POINTER) % size) % size
            : size;
    r[STREAM_INFO_FULL] = r[STREAM_INFO_FULL + 1] = full;
    r[STREAM_CAN_PUSH] = !full && !waiting;
    r[STREAM_ALL_PUSHED] = f->running && f->come >= f->expected;
    r[STREAM_READY_FOR_PUSH] = f->running;
    memset(&r[STREAM_MSG_INFO], 0, 48 * sizeof *r);
    for (unsigned i = 0; i < f->n; i++)
        memcpy(&r[STREAM_MSG_INFO + i * words], &f->m[i], words * sizeof *r);
    if (f->n) {
        r[STREAM_NEXT_ADDR] = f->m[0].address;
        r[STREAM_NEXT_SIZE] = f->m[0].size;
    }
    uint32_t all = 1;
    for (unsigned i = 0; i < n_dest; i++)
        all &= r[STREAM_DEST_SPACE + i] != 0;
    r[STREAM_DEBUG_STATUS + 2] = (f->taken < stream_capacity(id)) | all << 3;
}

/* ---- orders ---- */

static unsigned stream_push(struct stream_fifo *f, uint32_t *r, uint32_t value)
{
    if (!f->running || !(r[STREAM_MISC_CFG] & MISC_SOURCE_ENDPOINT) || !r[STREAM_CAN_PUSH])
        return DIAG_STREAM_ORDER;
    struct stream_message m = {.address = value & POINTER, .size = bits_get(value, 17, 14)};
    memcpy(m.header, &r[STREAM_SET_HEADER], sizeof m.header);
    r[STREAM_WR_PTR] = stream_step(r[STREAM_WR_PTR], m.size, r[STREAM_BUF_SIZE]);
    r[STREAM_INFO_PTR] = r[STREAM_INFO_WR_PTR] = (r[STREAM_INFO_PTR] + 1) & POINTER;
    f->next = r[STREAM_WR_PTR] & POINTER;
    f->held += m.size;
    stream_take_in(f, m);
    return N_DIAGS;
}

static unsigned stream_add_headers(struct stream_fifo *f, uint32_t *r, uint32_t value)
{
    if (!f->running || !(r[STREAM_MISC_CFG] & MISC_SOURCE_ENDPOINT))
        return DIAG_STREAM_ORDER;
    uint32_t size = bits_get(value, 12, 17);
    r[STREAM_INFO_WR_PTR] = (r[STREAM_INFO_WR_PTR] + bits_get(value, 0, 12)) & POINTER;
    r[STREAM_WR_PTR] = stream_step(r[STREAM_WR_PTR], size, r[STREAM_BUF_SIZE]);
    f->held += size;
    return N_DIAGS;
}

static unsigned stream_info_clear(struct stream_fifo *f, const uint32_t *r, unsigned id, uint32_t n)
{
    if (!(r[STREAM_MISC_CFG] & MISC_RECEIVER_ENDPOINT) || n > f->n ||
        f->taken == stream_capacity(id))
        return DIAG_STREAM_ORDER;
    f->size[f->taken++] = stream_take_out(f, n);
    return N_DIAGS;
}

static unsigned stream_data_clear(struct stream_fifo *f, uint32_t *r)
{
    if (!f->taken)
        return DIAG_STREAM_EMPTY;
    stream_give_back(f, r, f->size[0]);
    memmove(f->size, f->size + 1, --f->taken * sizeof *f->size);
    return N_DIAGS;
}

static unsigned stream_start(struct stream_fifo *f, const uint32_t *r)
{
    if (f->running)
        return DIAG_STREAM_ORDER;
    *f = (struct stream_fifo){.running = true,
                              .expected = (uint16_t)bits_get(r[STREAM_PHASE_HEADER], 12, 12),
                              .next = r[STREAM_WR_PTR] & POINTER};
    return r[STREAM_MISC_CFG] & MISC_CONNECTED ? DIAG_STREAM_NOC : N_DIAGS;
}

static unsigned stream_order(struct stream *s, unsigned id, unsigned reg, uint32_t value)
{
    struct stream_fifo *f = &s->fifo[id];
    uint32_t *r = s->reg[id];
    switch (reg) {
    case STREAM_NEW_MSG_INFO: return stream_push(f, r, value);
    case STREAM_NUM_MSGS_INC: return stream_add_headers(f, r, value);
    case STREAM_INFO_CLEAR: return stream_info_clear(f, r, id, value);
    case STREAM_DATA_CLEAR: return stream_data_clear(f, r);
    case STREAM_MULTI_CLEAR:
        if (!f->running || !(r[STREAM_MISC_CFG] & MISC_RECEIVER_ENDPOINT))
            return DIAG_STREAM_ORDER;
        f->clear += value & 0xfff;
        return N_DIAGS;
    case STREAM_PHASE_ADVANCE: return stream_start(f, r);
    case STREAM_RESET: *f = (struct stream_fifo){0}; return N_DIAGS;
    default: { /* DEST_SPACE_UPDATE */
        unsigned i = bits_get(value, 0, 6);
        if (i >= (stream_multicasts(id) ? 32u : 1u))
            return DIAG_STREAM_ORDER;
        uint32_t *space = &r[STREAM_DEST_SPACE + i];
        *space = (*space + bits_get(value, 6, 17)) & POINTER;
        return N_DIAGS;
    }
    }
}

/* ---- registers that change others ---- */

static void stream_set(uint32_t *r, unsigned id, unsigned reg, uint32_t value)
{
    uint32_t before = r[reg];
    r[reg] = value;
    switch (reg) {
    case STREAM_DEST_BUF_START: r[STREAM_DEST_WR_PTR] = 0; break;
    case STREAM_DEST_BUF_SIZE:
        for (unsigned i = 0; i < (stream_multicasts(id) ? 32u : 1u); i++)
            r[STREAM_DEST_SPACE + i] = value;
        break;
    case STREAM_BUF_START: r[STREAM_RD_PTR] = r[STREAM_WR_PTR] = 0; break;
    case STREAM_RD_PTR:
        r[STREAM_NEXT_SIZE] = 0;
        r[STREAM_NEXT_ADDR] = (r[STREAM_BUF_START] + value) & POINTER;
        break;
    case STREAM_INFO_PTR: r[STREAM_INFO_WR_PTR] = value; break;
    case STREAM_CURR_PHASE_BASE: /* what is stored is the sum */
        r[STREAM_CURR_PHASE] = (r[STREAM_CURR_PHASE] + before - value) & 0xfffff;
        r[STREAM_REMOTE_SRC_PHASE] = (r[STREAM_REMOTE_SRC_PHASE] + before - value) & 0xfffff;
        break;
    case STREAM_PHASE_HEADER:
        r[STREAM_CURR_PHASE] = (r[STREAM_CURR_PHASE] + (value & 0xfff)) & 0xfffff;
        r[reg] = value & ~0xfffu;
        break;
    default: break;
    }
}

void stream_reset(struct stream *s)
{
    if (s->used)
        memset(s, 0, sizeof *s);
}

uint32_t stream_load(const struct stream *s, unsigned id, unsigned reg)
{
    if (!(s->shown >> id & 1) &&
        (reg == STREAM_WAIT_STATUS || reg == STREAM_CAN_PUSH || reg == STREAM_DEBUG_STATUS + 2))
        return 1;
    return s->reg[id][reg];
}

unsigned stream_store(struct stream *s, const struct l1_port *l1, unsigned id, unsigned reg,
                      uint32_t value)
{
    struct stream_info info = stream_info(reg);
    unsigned said = N_DIAGS;
    s->used = true;
    if (info.access == RO || stream_lacks(id, reg))
        return N_DIAGS;
    if (info.access == WO)
        said = stream_order(s, id, reg, value);
    else
        stream_set(s->reg[id], id, reg, value & bits_mask(info.bits));
    stream_settle(s, l1, id);
    stream_show(s, id);
    return said;
}
