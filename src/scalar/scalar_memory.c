/*
 * scalar_memory.c - loads, stores and atomics of the Scalar Unit.
 *
 * ISA pages: LOADIND, STOREIND (L1, MMIO, Src), LOADREG, STOREREG, ATINCGET, ATINCGETPTR, ATSWAP, ATCAS
 * (Wormhole; Blackhole has none of its own).
 *
 *     t+1: address and data are read     t+N: memory is touched, the offset written back
 *     t+L-1: the value of a load is written to its GPRs (L: latency; N: cycles of execution)
 *
 * ATCAS and ATINCGETPTR look at memory in the last cycle of an attempt; if it does not suit them, another
 * attempt of the same length follows. A store to Src waits in its last cycle for the bank.
 *
 * Invariant: no address leaves its memory: L1 wraps, registers below 0xFFB11000 and cells of Src that do not
 * exist are lost.
 *
 * Inaccuracies: that requests reach memory in the last cycle of execution is a choice; the pages only say
 * "later". Bank conflicts are not modelled. Bit 23 of the atomics (memory selector) is ignored. The increment of an
 * offset does not take the GPRs' write port. Without L1 no atomic waits.
 */
#include <assert.h>

#include "base/bits.h"
#include "isa/cfg.h"
#include "isa/tensix.h"
#include "num/layout.h"
#include "probe/probe.h"
#include "scalar/scalar.h"
#include "state/op.h"

#define MMIO_BASE  UINT32_C(0xFFB00000)
#define MMIO_FIRST UINT32_C(0xFFB11000)

/* STOREIND's three forms. */
enum { TO_SRC, TO_MMIO, TO_L1 };

static unsigned scalar_store_form(uint32_t word)
{
    return word >> 23 & 1 ? TO_L1 : word >> 22 & 1;
}

static unsigned scalar_size(const struct entry *e)
{
    return e->op == TENSIX_OP_LOADIND ? e->word >> 22 & 3 : e->word >> 21 & 3;
}

/* Where the value goes, and to how many registers. */
static unsigned scalar_result(const struct entry *e, unsigned *n)
{
    unsigned reg = e->word >> 6 & 63;
    *n = 1;
    switch (e->op) {
    case TENSIX_OP_LOADIND:
        if (scalar_size(e))
            return reg;
        *n = 4;
        return reg & ~3u;
    case TENSIX_OP_LOADREG: return e->word >> 18 & 63;
    case TENSIX_OP_ATINCGET:
    case TENSIX_OP_ATINCGETPTR: return reg;
    default: *n = 0; return 0;
    }
}

uint64_t scalar_memory_targets(const struct entry *e)
{
    unsigned n, reg = scalar_result(e, &n);
    uint64_t mask = (uint64_t)bits_mask(n) << reg;
    bool indirect = e->op == TENSIX_OP_LOADIND || e->op == TENSIX_OP_STOREIND;
    if (indirect && tensix_LOADIND_decode(e->word).auto_inc_spec)
        mask |= UINT64_C(1) << tensix_LOADIND_decode(e->word).offset_index / 2;
    return mask;
}

bool scalar_memory_loads(const struct entry *e, unsigned reg)
{
    unsigned n, first = scalar_result(e, &n);
    return e->op != TENSIX_OP_ATINCGETPTR && reg - first < n;
}

static void scalar_diag(const struct scalar *s, const struct scalar_io *io, enum diag_id id,
                        uint32_t arg)
{
    const struct scalar_op *o = &s->exec;
    probe_diag(io->probe, id, OWNER_T0 + o->thread, o->e.tag, o->e.word, arg);
}

/* ---- operands ---- */

static void scalar_take_data(struct scalar *s, const struct scalar_io *io, unsigned reg, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        s->exec.data[i] = scalar_read(s, io, reg + i);
}

/* The 16 bits of the offset; what they become is written when execution ends. */
static uint32_t scalar_take_offset(struct scalar *s, const struct scalar_io *io)
{
    static const uint8_t step[] = {0, 2, 4, 16};
    struct scalar_op *o = &s->exec;
    struct tensix_LOADIND a = tensix_LOADIND_decode(o->e.word);
    unsigned shift = a.offset_index % 2 * 16;
    uint32_t offset = scalar_read(s, io, a.offset_index / 2) >> shift & 0xffff;
    if (a.auto_inc_spec) {
        o->n = 1;
        o->reg = (uint8_t)(a.offset_index / 2);
        o->mask[0] = UINT32_C(0xffff) << shift;
        o->value[0] = ((offset + step[a.auto_inc_spec]) & 0xffff) << shift;
    }
    return offset;
}

static void scalar_begin_indirect(struct scalar *s, const struct scalar_io *io)
{
    struct scalar_op *o = &s->exec;
    uint32_t base = scalar_read(s, io, o->e.word & 63), offset = scalar_take_offset(s, io);
    unsigned reg = o->e.word >> 6 & 63, form = scalar_store_form(o->e.word);
    if (o->e.op == TENSIX_OP_LOADIND || form == TO_L1) {
        static const uint32_t align[] = {15, 3, 1, 0};
        unsigned size = scalar_size(&o->e);
        o->address = (base * 16 + offset) & ~align[size];
        if (o->e.op == TENSIX_OP_STOREIND)
            scalar_take_data(s, io, size ? reg : reg & ~3u, size ? 1 : 4);
    } else if (form == TO_MMIO) {
        o->address = MMIO_BASE + ((base + (offset >> 4)) & 0xffffc);
        scalar_take_data(s, io, reg, 1);
    } else {
        o->address = (base + (offset >> 4)) & 0xfffff;
        scalar_take_data(s, io, reg & ~3u, 2);
    }
}

static void scalar_begin_swap(struct scalar *s, const struct scalar_io *io)
{
    struct scalar_op *o = &s->exec;
    unsigned reg = o->e.word >> 6 & 63;
    if (!tensix_ATSWAP_decode(o->e.word).single_data_reg) {
        scalar_take_data(s, io, reg & ~3u, 4);
        return;
    }
    for (unsigned i = 0; i < 4; i++)
        o->data[i] = 0;
    o->data[reg % 4] = scalar_read(s, io, reg);
}

void scalar_memory_begin(struct scalar *s, const struct scalar_io *io)
{
    struct scalar_op *o = &s->exec;
    switch (o->e.op) {
    case TENSIX_OP_LOADIND:
    case TENSIX_OP_STOREIND: scalar_begin_indirect(s, io); return;
    case TENSIX_OP_LOADREG:
    case TENSIX_OP_STOREREG:
        o->address = MMIO_BASE + 4 * (o->e.word & 0x3ffff);
        if (o->e.op == TENSIX_OP_STOREREG)
            scalar_take_data(s, io, o->e.word >> 18 & 63, 1);
        return;
    default: break;
    }
    o->address = scalar_read(s, io, o->e.word & 63) * 16;
    if (o->e.op == TENSIX_OP_ATINCGET)
        scalar_take_data(s, io, o->e.word >> 6 & 63, 1);
    else if (o->e.op == TENSIX_OP_ATSWAP)
        scalar_begin_swap(s, io);
}

/* ---- L1 ---- */

static void scalar_check_l1(const struct scalar *s, const struct scalar_io *io)
{
    if (io->l1->bytes && s->exec.address >= io->l1->size)
        scalar_diag(s, io, DIAG_SCALAR_L1, s->exec.address);
}

static uint32_t scalar_l1_word(const struct scalar_io *io, uint32_t address)
{
    uint32_t word;
    l1_port_read(io->l1, address, &word, 4);
    return word;
}

static void scalar_l1_set(const struct scalar_io *io, uint32_t address, uint32_t word)
{
    l1_port_write(io->l1, OWNER_SCALAR, address, &word, 4);
}

/* The value in data[] sets out for its registers. */
static void scalar_send(struct scalar *s, uint32_t mask)
{
    const struct scalar_op *o = &s->exec;
    unsigned n, reg = scalar_result(&o->e, &n);
    assert(s->n_loads < SCALAR_LOADS); /* see scalar_memory_end() */
    struct scalar_load *l = &s->load[s->n_loads++];
    *l = (struct scalar_load){.due = o->until - 1,
                              .thread = o->thread,
                              .reg = (uint8_t)reg,
                              .n = (uint8_t)n,
                              .tag = o->e.tag,
                              .mask = mask};
    for (unsigned i = 0; i < n; i++)
        l->value[i] = o->data[i];
}

static void scalar_load_l1(struct scalar *s, const struct scalar_io *io)
{
    static const uint8_t bytes[] = {16, 4, 2, 1};
    struct scalar_op *o = &s->exec;
    unsigned n = bytes[scalar_size(&o->e)];
    o->data[0] = 0;
    scalar_check_l1(s, io);
    l1_port_read(io->l1, o->address, o->data, n);
    scalar_send(s, n >= 4 ? UINT32_MAX : bits_mask(8 * n));
}

static void scalar_store_l1(struct scalar *s, const struct scalar_io *io)
{
    static const uint8_t bytes[] = {16, 4, 2, 1};
    const struct scalar_op *o = &s->exec;
    scalar_check_l1(s, io);
    l1_port_write(io->l1, OWNER_SCALAR, o->address, o->data, bytes[scalar_size(&o->e)]);
}

/* ATINCGET: adds within the counter's width, the old word is returned. */
static void scalar_increment(struct scalar *s, const struct scalar_io *io)
{
    struct scalar_op *o = &s->exec;
    struct tensix_ATINCGET a = tensix_ATINCGET_decode(o->e.word);
    uint32_t at = o->address + 4 * a.sel32b, old = scalar_l1_word(io, at);
    uint32_t mask = (UINT32_C(2) << a.wrap_val) - 1;
    scalar_check_l1(s, io);
    scalar_l1_set(io, at, ((old + o->data[0]) & mask) | (old & ~mask));
    o->data[0] = old;
    scalar_send(s, UINT32_MAX);
}

static void scalar_swap(struct scalar *s, const struct scalar_io *io)
{
    const struct scalar_op *o = &s->exec;
    uint32_t mask = tensix_ATSWAP_decode(o->e.word).swap_mask;
    scalar_check_l1(s, io);
    for (unsigned i = 0; i < 8; i++)
        if (mask >> i & 1)
            l1_port_write(
                io->l1, OWNER_SCALAR, o->address + 2 * i, (const uint8_t *)o->data + 2 * i, 2);
}

/* ---- atomics that wait ---- */

static bool scalar_cas_waits(const struct scalar_op *o, const struct scalar_io *io)
{
    struct tensix_ATCAS a = tensix_ATCAS_decode(o->e.word);
    return io->l1->bytes && scalar_l1_word(io, o->address + 4 * a.sel32b) != a.cmp_val;
}

static bool scalar_try_cas(struct scalar *s, const struct scalar_io *io)
{
    const struct scalar_op *o = &s->exec;
    struct tensix_ATCAS a = tensix_ATCAS_decode(o->e.word);
    if (scalar_cas_waits(o, io))
        return false;
    scalar_check_l1(s, io);
    scalar_l1_set(io, o->address + 4 * a.sel32b, a.swap_val);
    return true;
}

/* ATINCGETPTR: word 0 is the FIFO's read pointer, word 1 its write pointer. */
static bool scalar_pointer_waits(const struct scalar_op *o, const struct scalar_io *io)
{
    struct tensix_ATINCGETPTR a = tensix_ATINCGETPTR_decode(o->e.word);
    uint32_t fill = scalar_l1_word(io, o->address + 4) - scalar_l1_word(io, o->address);
    uint32_t capacity = a.wrap_val ? UINT32_C(1) << (a.wrap_val - 1) : 0x8000;
    bool waits = a.sel32b & 1 ? fill && fill % capacity == 0 : !fill;
    return waits && io->l1->bytes;
}

static bool scalar_try_pointer(struct scalar *s, const struct scalar_io *io)
{
    struct scalar_op *o = &s->exec;
    struct tensix_ATINCGETPTR a = tensix_ATINCGETPTR_decode(o->e.word);
    if (scalar_pointer_waits(o, io))
        return false;
    uint32_t at = o->address + 4 * a.sel32b, old = scalar_l1_word(io, at);
    uint32_t mask = (UINT32_C(1) << a.wrap_val) - 1;
    uint32_t next = old + (a.no_incr ? 0 : UINT32_C(1) << a.incr_val);
    scalar_check_l1(s, io);
    scalar_l1_set(io, at, (next & mask) | (old & ~mask));
    o->n = 1;
    o->reg = (uint8_t)a.data_reg_index;
    o->mask[0] = UINT32_MAX;
    o->value[0] = old;
    return true;
}

uint32_t scalar_memory_waits_at(const struct scalar *s)
{
    const struct scalar_op *o = &s->exec;
    bool cas = o->e.op == TENSIX_OP_ATCAS;
    return o->address + (cas ? 4 * tensix_ATCAS_decode(o->e.word).sel32b : 0);
}

bool scalar_memory_waits(const struct scalar *s, const struct scalar_io *io)
{
    const struct scalar_op *o = &s->exec;
    return o->e.op == TENSIX_OP_ATCAS ? scalar_cas_waits(o, io) : scalar_pointer_waits(o, io);
}

bool scalar_memory_try(struct scalar *s, const struct scalar_io *io, uint64_t now)
{
    struct scalar_op *o = &s->exec;
    bool done = true;
    if (o->e.op == TENSIX_OP_STOREIND && scalar_store_form(o->e.word) == TO_SRC) {
        done = src_unpack_ready(io->src, o->e.word >> 21 & 1);
        o->end = done ? now : SCALAR_OPEN;
        return done;
    }
    if (o->e.op == TENSIX_OP_ATCAS)
        done = scalar_try_cas(s, io);
    else if (o->e.op == TENSIX_OP_ATINCGETPTR)
        done = scalar_try_pointer(s, io);
    if (!done)
        o->end = now + scalar_cycles(s, &o->e);
    return done;
}

/* ---- Src ---- */

static void scalar_store_src(struct scalar *s, const struct scalar_io *io)
{
    const struct scalar_op *o = &s->exec;
    unsigned which = o->e.word >> 21 & 1, column = (o->address & 3) * 4;
    bool whole = which == SRC_A &&
                 cfg_thread_get(io->config->thread[o->thread], THCFG_SRCA_SET_OVRD_WITH_ADDR);
    uint32_t row = o->address >> 2, first = which == SRC_A ? 4 : 0;
    if (o->address < 0x10000 && row < first)
        return; /* as the page has it: nothing is written */
    row -= first;
    if (o->address >= 0x10000 || row >= (whole ? SRC_ROWS : 16)) {
        scalar_diag(s, io, DIAG_SCALAR_SRC, o->address);
        return;
    }
    if (!whole)
        row = (row + io->src->row[which][o->thread]) % SRC_ROWS;
    uint32_t *d = &io->src->d[which][io->src->unpack_bank[which]][row][column];
    src_wrote(io->src, which, io->src->unpack_bank[which]);
    for (unsigned i = 0; i < 2; i++) {
        /* BF16: the low half has the exponent below, the high half the fraction */
        d[2 * i] = layout_src_from_dst(o->data[i] & 0xffff, false);
        d[2 * i + 1] = o->data[i] & NUM_SRC_BF16;
    }
}

/* ---- registers of the tile ---- */

static bool scalar_store_mmio(struct scalar *s, const struct scalar_io *io)
{
    const struct scalar_op *o = &s->exec;
    if (o->address < MMIO_FIRST) {
        scalar_diag(s, io, DIAG_SCALAR_MMIO, o->address);
        return true;
    }
    return !io->l1->store || io->l1->store(io->l1->ctx, o->thread, o->address, o->data[0]);
}

static bool scalar_load_mmio(struct scalar *s, const struct scalar_io *io)
{
    struct scalar_op *o = &s->exec;
    o->data[0] = 0;
    if (o->address < MMIO_FIRST)
        scalar_diag(s, io, DIAG_SCALAR_MMIO, o->address);
    else if (io->l1->load && !io->l1->load(io->l1->ctx, o->thread, o->address, &o->data[0]))
        return false;
    scalar_send(s, UINT32_MAX);
    return true;
}

bool scalar_memory_end(struct scalar *s, const struct scalar_io *io, uint64_t now)
{
    struct scalar_op *o = &s->exec;
    if (s->n_loads == SCALAR_LOADS && !scalar_is_atomic(o))
        return false;    /* no room for its value; it tries again */
    if (o->until <= now) /* it has had to wait */
        o->until = now + 1;
    switch (o->e.op) {
    case TENSIX_OP_LOADIND: scalar_load_l1(s, io); return true;
    case TENSIX_OP_STOREIND:
        switch (scalar_store_form(o->e.word)) {
        case TO_SRC: scalar_store_src(s, io); return true;
        case TO_MMIO: return scalar_store_mmio(s, io);
        default: scalar_store_l1(s, io); return true;
        }
    case TENSIX_OP_LOADREG: return scalar_load_mmio(s, io);
    case TENSIX_OP_STOREREG: return scalar_store_mmio(s, io);
    case TENSIX_OP_ATINCGET: scalar_increment(s, io); return true;
    case TENSIX_OP_ATSWAP: scalar_swap(s, io); return true;
    default: return true; /* those that wait have done it */
    }
}
