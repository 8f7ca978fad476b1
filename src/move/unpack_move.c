/*
 * unpack_move.c - moves data from L1 into SrcA, SrcB and Dst.
 *
 *     runs of datums from L1 --> values --> pieces of one row each --> Src, Dst16, Dst32
 *
 * A run is as long as the datums lie one after the other in L1 (up to UNPACK_RUN of them), so
 * that the conversions are plain loops over it.
 *
 * ISA pages: UNPACR (Regular), UNPACR_NOP (ZEROSRC), SrcASrcB, Dst (Blackhole).
 *
 * Invariant: no row or column outside SrcA, SrcB or Dst is ever written, whatever the plan says.
 *
 * Inaccuracies: rows beyond a bank wrap, where documents call it undefined. Writes to SrcA that silicon drops at
 * the borders of 16-row sets are all made. Unpacking to Dst leaves the SrcA bank as it was.
 */
#include "move/unpack_move.h"

#include <string.h>

#include "base/hot.h"
#include "num/format.h"

#define UNPACK_RUN       1024u
#define UNPACK_SKIP      4u /* rows which unpacker 0 counts below its first */
#define UNPACK_BROADCAST 8u /* rows of srcb_bcast */
#define UNPACK_EXPONENTS (UNPACK_RUN / 16 + 1)
#define UNPACK_RUN_BYTES (UNPACK_RUN * 4 + 1)

/* Where a run goes. */
struct unpack_target {
    const struct unpack_plan *p;
    unsigned u;
    unsigned row; /* SrcRow, if it counts */
    enum from_l1_kind kind;
    uint32_t (*src)[SRC_COLUMNS];
    struct dst *dst;
};

/* Where the next run comes from. */
struct unpack_source {
    const struct unpack_plan *p;
    const struct l1_port *l1;
    uint32_t address, exponents;
    unsigned phase;
};

/* ---- to registers ---- */

static void unpack_move_dst(const struct unpack_target *t, uint32_t row, unsigned column,
                            unsigned n, const uint32_t *value)
{
    struct dst *d = t->dst;
    row = (row - UNPACK_SKIP) & (t->p->over_row ? 15 : DST_ROWS - 1);
    unsigned at = t->p->wide ? dst_row32(row, t->p->access) : dst_row16(row, t->p->access);
    if (t->p->wide)
        from_l1_to_dst32(
            t->kind, value, n, &d->d[at][column], &d->d[(at + DST_LOW) % DST_ROWS][column]);
    else
        from_l1_to_dst16(t->kind, value, n, &d->d[at][column]);
    d->valid[at] = 1;
}

static void unpack_move_srca(const struct unpack_target *t, uint32_t row, unsigned column,
                             unsigned n, const uint32_t *cell)
{
    unsigned shift = t->p->shift;
    if (row < UNPACK_SKIP || column + n <= shift)
        return;
    if (column < shift) {
        cell += shift - column;
        n -= shift - column;
        column = shift;
    }
    column -= shift;
    row = (row - UNPACK_SKIP + t->row) % SRC_ROWS;
    if (!t->p->transpose) {
        memcpy(&t->src[row][column], cell, n * sizeof *cell);
        return;
    }
    for (unsigned i = 0; i < n; i++)
        t->src[(row & ~15u) | (column + i)][row & 15] = cell[i];
}

/* n values, all for one row. Values for Src are cells already. */
static void unpack_move_piece(const struct unpack_target *t, uint32_t out, unsigned n,
                              const uint32_t *value)
{
    uint32_t row = out / 16;
    unsigned column = out % 16;
    if (t->p->to_dst)
        unpack_move_dst(t, row, column, n, value);
    else if (t->u == 0)
        unpack_move_srca(t, row, column, n, value);
    else
        memcpy(&t->src[(row + t->row) % SRC_ROWS][column], value, n * sizeof *value);
}

static void unpack_move_run(const struct unpack_target *t, uint32_t out, unsigned n,
                            const uint32_t *value)
{
    while (n) {
        unsigned piece = 16 - out % 16;
        piece = piece < n ? piece : n;
        unpack_move_piece(t, out, piece, value);
        out += piece;
        value += piece;
        n -= piece;
    }
}

/* Upsampling: every datum is followed by zeros, or by places left alone. */
static void unpack_move_spread(const struct unpack_target *t, uint32_t out, unsigned n,
                               const uint32_t *value)
{
    static const uint32_t zero[16];
    unsigned spread = t->p->spread;
    for (unsigned i = 0; i < n; i++, out += spread) {
        unpack_move_run(t, out, 1, &value[i]);
        if (!t->p->interleave)
            unpack_move_run(t, out + 1, spread - 1, zero);
    }
}

/* The first row of datums to eight rows. */
static void unpack_move_broadcast(const struct unpack_target *t, uint32_t out, unsigned n,
                                  const uint32_t *value)
{
    for (unsigned i = 0; i < UNPACK_BROADCAST; i++)
        unpack_move_run(t, out + 16 * i, n < 16 ? n : 16, value);
}

/* ---- from L1 ---- */

/* The bytes there: in L1 itself if they lie inside it, else gathered in buf. */
static const uint8_t *unpack_move_bytes(const struct l1_port *l1, uint32_t address, uint32_t n,
                                        uint8_t *buf)
{
    if (l1->bytes && address < l1->size && n <= l1->size - address)
        return l1->bytes + address;
    l1_port_read(l1, l1->bytes ? address % l1->size : 0, buf, n);
    return buf;
}

/* Exponents for the next n datums; the address is tested whenever it comes to a multiple of 16. */
static const uint8_t *unpack_move_exponents(struct unpack_source *s, unsigned n, uint8_t *buf)
{
    unsigned used = s->phase + n, groups = (used + 15) / 16;
    if (s->p->forced) {
        memset(buf, s->p->exponent, groups);
        return buf;
    }
    uint32_t size = s->l1->bytes ? s->l1->size : 1;
    if (!s->p->fifo) {
        l1_port_read(s->l1, s->exponents % size, buf, groups);
        s->exponents += used / 16;
    }
    for (unsigned i = 0; s->p->fifo && i < groups; i++) {
        l1_port_read(s->l1, s->exponents % size, &buf[i], 1);
        if (i * 16 + 16 > used)
            break; /* the next run needs it again */
        s->exponents++;
        if (s->exponents % 16 == 0)
            s->exponents = unpack_plan_wrap(s->p, s->exponents);
    }
    s->phase = used % 16;
    return buf;
}

/* The next n datums, converted. */
static enum from_l1_kind unpack_move_read(struct unpack_source *s, bool block, unsigned n,
                                          uint32_t *value)
{
    const struct unpack_plan *p = s->p;
    uint8_t buf[UNPACK_RUN_BYTES], exponent_buf[UNPACK_EXPONENTS + 1];
    unsigned bits = from_l1_bits(p->convert.in), bytes = ((p->first + n) * bits + 7) / 8,
             phase = s->phase;
    const uint8_t *exponent = block ? unpack_move_exponents(s, n, exponent_buf) : NULL;
    const uint8_t *in = unpack_move_bytes(s->l1, s->address, bytes, buf);
    enum from_l1_kind kind = from_l1_values(&p->convert, in, p->first, exponent, phase, n, value);
    s->address = p->steps ? unpack_plan_wrap(p, s->address + p->stride) : s->address + n * bits / 8;
    return kind;
}

static void unpack_move_datums(const struct unpack_plan *p, struct unpack_target *t,
                               const struct l1_port *l1)
{
    uint32_t value[UNPACK_RUN], out = p->out;
    struct unpack_source s = {
        .p = p, .l1 = l1, .address = p->address, .exponents = p->exponents, .phase = p->phase};
    bool block = from_l1_is_block(p->convert.in);
    uint32_t run = p->steps ? p->row : UNPACK_RUN;
    t->kind = FROM_L1_RAW16; /* zero is zero in any layout */
    if (p->zero)
        memset(value, 0, sizeof value);
    for (uint32_t left = p->count; left;) {
        unsigned n = left < run ? left : run;
        if (!p->zero) {
            t->kind = unpack_move_read(&s, block, n, value);
            if (!p->to_dst)
                from_l1_to_src(t->kind, value, n);
        }
        if (p->broadcast) {
            unpack_move_broadcast(t, out, n, value);
            return;
        }
        if (p->spread > 1)
            unpack_move_spread(t, out, n, value);
        else
            unpack_move_run(t, out, n, value);
        out += n * p->spread;
        left -= n;
    }
}

/* One datum of compressed data, and how many zeros follow it. */
static unsigned unpack_move_unpack(struct unpack_source *s, uint32_t i, uint64_t *bit,
                                   uint32_t *count_at, enum from_l1_kind *kind, uint32_t *value)
{
    const struct unpack_plan *p = s->p;
    unsigned bits = from_l1_bits(p->convert.in);
    uint8_t in[5], exponent[2] = {0}, zeros;
    l1_port_read(s->l1, (uint32_t)(*bit / 8), in, bits > 8 ? bits / 8 : 1);
    if (from_l1_is_block(p->convert.in))
        unpack_move_exponents(s, 1, exponent);
    *kind = from_l1_values(&p->convert, in, (unsigned)(*bit % 8) / bits, exponent, 0, 1, value);
    *bit += bits;
    if (i % 16 == 15)
        *bit = (uint64_t)unpack_plan_wrap(p, (uint32_t)(*bit / 8)) * 8 + *bit % 8;
    l1_port_read(s->l1, *count_at / 2, &zeros, 1);
    zeros = zeros >> (*count_at % 2 * 4) & 15;
    if (++*count_at % 32 == 0) { /* behind 32 counts come the next 32 datums */
        *bit += 128;
        *count_at = unpack_plan_wrap(p, *count_at / 2 + 4 * bits) * 2;
    }
    return zeros;
}

static void unpack_move_packed(const struct unpack_plan *p, struct unpack_target *t,
                               const struct l1_port *l1)
{
    struct unpack_source s = {.p = p, .l1 = l1, .exponents = p->exponents, .phase = p->phase};
    uint64_t bit = (uint64_t)p->address * 8 + p->first * from_l1_bits(p->convert.in);
    uint32_t count_at = p->zeros, drop = p->drop, most = p->most, out = p->out;
    for (uint32_t i = 0; i < p->count + p->drop && most; i++) {
        uint32_t value = 0;
        unsigned zeros = unpack_move_unpack(&s, i, &bit, &count_at, &t->kind, &value);
        if (p->zero)
            value = zeros = 0;
        else if (!p->to_dst)
            from_l1_to_src(t->kind, &value, 1);
        for (unsigned j = 0; j <= zeros && most; j++, value = 0) {
            if (drop) {
                drop--;
                continue;
            }
            unpack_move_spread(t, out, 1, &value);
            out += p->spread;
            most--;
        }
    }
}

/* ---- whole rows to Src, in one pass ---- */

/* n bytes that lie in L1, or NULL. */
static const uint8_t *unpack_move_in_l1(const struct l1_port *l1, uint32_t address, uint32_t n)
{
    return l1->bytes && address < l1->size && n <= l1->size - address ? l1->bytes + address : NULL;
}

/* src_row: SrcRow, if it counts. False: it is not such a simple case, and nothing has happened. */
HOT_INLINE bool unpack_move_fast(const struct unpack_plan *p, unsigned u, unsigned src_row,
                                 uint32_t (*src)[SRC_COLUMNS], const struct num_rows *rows,
                                 const struct l1_port *l1)
{
    unsigned size = p->pass;
    if (!size || p->steps || p->first || (size == 1 && p->phase) || (p->out | p->count) % 16 ||
        p->count > 16 * SRC_ROWS)
        return false;
    uint32_t row = p->out / 16;
    if (u == 0 && (row < UNPACK_SKIP || row >= 1u << 24))
        return false;
    const uint8_t *in = unpack_move_in_l1(l1, p->address, p->count * size);
    const uint8_t *exponents = unpack_move_in_l1(l1, p->exponents, p->count / 16);
    if (!in || !exponents)
        return false;
    row += src_row - (u == 0 ? UNPACK_SKIP : 0);
    for (unsigned left = p->count / 16, n; left; left -= n) {
        row %= SRC_ROWS;
        n = left < SRC_ROWS - row ? left : SRC_ROWS - row;
        uint32_t *cell = src[row];
        if (size == 2)
            rows->src_bf16(in, n, cell);
        else if (size == 4)
            rows->src_word(in, n, cell);
        else
            rows->src_bfp8(in, exponents, n, cell);
        in += (size_t)16 * size * n;
        exponents += n;
        row += n;
    }
    return true;
}

static void unpack_move_clear(const struct unpack_plan *p, unsigned u, struct src *s)
{
    for (unsigned bank = 0; bank < 2; bank++) {
        if (!p->both && bank != s->unpack_bank[u])
            continue;
        uint32_t *cell = &s->d[u][bank][0][0];
        src_wrote(s, u, bank);
        for (unsigned i = 0; i < SRC_ROWS * SRC_COLUMNS; i++)
            cell[i] = p->value;
    }
}

/* Datum by datum. */
HOT_APART static void unpack_move_any(const struct unpack_plan *p, unsigned u, unsigned row,
                                      struct src *s, struct dst *d, const struct l1_port *l1)
{
    struct unpack_target t = {
        .p = p, .u = u, .row = row, .src = s->d[u][s->unpack_bank[u]], .dst = d};
    if (p->packed)
        unpack_move_packed(p, &t, l1);
    else
        unpack_move_datums(p, &t, l1);
}

void unpack_move(const struct unpack_plan *p, unsigned u, unsigned thread,
                 const struct num_rows *rows, struct src *s, struct dst *d,
                 const struct l1_port *l1)
{
    unsigned row = p->over_row ? 0 : s->row[u][thread];
    src_wrote(s, u, s->unpack_bank[u]);
    if (LIKELY(p->what == UNPACK_MOVE)) {
        if (!unpack_move_fast(p, u, row, s->d[u][s->unpack_bank[u]], rows, l1))
            unpack_move_any(p, u, row, s, d, l1);
    } else if (p->what == UNPACK_CLEAR) {
        unpack_move_clear(p, u, s);
    }
}

void unpack_move_row(const struct unpack_plan *p, unsigned u, unsigned thread, struct src *s)
{
    uint8_t *row = &s->row[u][thread];
    if (p->gives)
        *row = p->row_base;
    else if (p->what == UNPACK_MOVE && p->next_set)
        *row = (uint8_t)((*row + 16u + p->row_base) % SRC_ROWS);
}
