/*
 * pack.c - Packer: its instructions in time, and its output streams.
 *
 * ISA pages: PACR (Blackhole), PACR_SETREG, Packers/README, OutputAddressGenerator. Rules in time: docs/timing.md
 * 4.13.
 *
 * A PACR reads configuration, address counters and Dst when it goes. Its bytes wait in pending[]
 * until it is through. Then they reach L1, in whole blocks of 16 bytes; the rest waits in its stream.
 *
 * Invariant: pending[] is ordered by due; a stream's part[] holds less than 16 bytes, and zeros behind them.
 *
 * Inaccuracies: the depth of the pipe is fitted to a whole tile; L1 accumulation takes no longer than plain writing
 * (silicon: 16 to 24 cycles per tile, depending on bank conflicts). Fields and data of PACR_SETREG follow
 * the vendor's Blackhole instruction database (Wormhole's page has a value of ten bits and a scaler instead); last and
 * disable_stall do nothing. The random generator's state is one word, seeded when PRNG_SEED changes (INFERRED). Seeds
 * and the histogram's switch are looked at when a PACR goes.
 */
#include "move/pack.h"

#include <string.h>

#include "base/hot.h"
#include "isa/cfg.h"
#include "isa/tensix.h"
#include "isa/timing.h"
#include "num/prng.h"
#include "probe/probe.h"
#include "state/op.h"
#include "wait/wait.h"

_Static_assert(ROOM_PACK_PIPE + 2 <= PACK_PENDING, "room for all that can be in the pipe");

void pack_reset(struct pack *k, const struct timing *t)
{
    bool plain = k->plain;
    memset(k, 0, sizeof *k);
    k->plain = plain;
    k->fast = !plain && rows_avx2_usable();
    k->pipe = t->n.PACK_PIPE;
    k->setreg = t->op[TENSIX_OP_PACR_SETREG].issue;
    k->tbufcmd = t->op[TENSIX_OP_TBUFCMD].issue;
    k->memo.rate = t->n.PACK_BYTES;
    k->memo.least = t->op[TENSIX_OP_PACR].issue;
}

/* ---- may it go? ---- */

/* Has one of the rows been written just now? */
static bool pack_meets_hazard(const struct pack *k, const struct pack_io *io, unsigned thread,
                              uint32_t word, uint64_t now)
{
    struct pack_rows r;
    pack_plan_rows(io->config, io->adc, thread, word, k->at, &r);
    for (unsigned i = 0; i < r.n; i++) {
        unsigned block = pack_plan_row_at(&r, i) / 8u;
        if (io->dst->ready[block] > now)
            return true;
        if (r.wide && io->dst->ready[(block + DST_LOW / 8) % DST_BLOCKS] > now)
            return true;
    }
    return false;
}

uint16_t pack_check(const struct pack *k, const struct pack_io *io, unsigned thread,
                    const struct entry *e, uint64_t now)
{
    if (now < k->free_at)
        return wait_key(WAIT_UNIT_BUSY, OWNER_PACK);
    if (now < io->dst->last_ready && e->op == TENSIX_OP_PACR &&
        pack_meets_hazard(k, io, thread, e->word, now))
        return wait_key(WAIT_DST_WINDOW, OWNER_MATRIX);
    return 0;
}

/* ---- to L1 ---- */

/* L1 plus the data. */
COLD static void pack_land_sum(const struct pack_write *w, const struct pack_io *io)
{
    uint8_t sum[PACK_DATA_MAX];
    l1_port_read(io->l1, w->data_at, sum, w->n_data);
    num_to_l1_add(w->format, sum, w->data, w->n_add);
    memcpy(sum + w->n_add, w->data + w->n_add, w->n_data - w->n_add);
    l1_port_write(io->l1, OWNER_PACK, w->data_at, sum, w->n_data);
}

static void pack_land(const struct pack_write *w, const struct pack_io *io)
{
    if (w->n_add)
        pack_land_sum(w, io);
    else
        l1_port_write(io->l1, OWNER_PACK, w->data_at, w->data, w->n_data);
    if (w->n_exponents)
        l1_port_write(io->l1, OWNER_PACK, w->exponents_at, w->exponents, w->n_exponents);
}

/* PACR_SETREG has reached the end of the pipe. */
COLD static void pack_set_register(const struct pack_write *w, const struct pack_io *io)
{
    struct tensix_PACR_SETREG a = tensix_PACR_SETREG_decode(w->e.word);
    unsigned said = DIAG_REGWRITE_SELECT;
    uint32_t arg = a.addr_sel;
    if (a.addr_sel < REGWRITE_ADDRESSES) {
        arg = regwrite_address(io->regwrite->pack, a.addr_sel, a.stream_id);
        said = regwrite_store(io->l1, w->thread, arg, w->value);
    }
    if (said != N_DIAGS)
        probe_diag(io->probe, said, OWNER_T0 + w->thread, w->e.tag, w->e.word, arg);
}

/* How large a tile is, once it is in L1. ends: see struct pack_write. */
HOT_INLINE void pack_measure(struct packmeta *m, unsigned thread, unsigned bytes, unsigned ends)
{
    m->size = (uint16_t)(m->size + bytes / 16);
    if (!ends)
        return;
    m->last_size = m->size;
    m->last_thread = (uint8_t)thread;
    m->sum[thread] = (uint16_t)(m->sum[thread] + m->size + ends - 1);
    m->size = 0;
}

/* The register comes last, when the instruction has left the pipe: it may be one that resets units. */
static void pack_land_head(struct pack *k, const struct pack_io *io)
{
    const struct pack_write *w = &k->pending[k->head];
    pack_land(w, io);
    pack_measure(io->meta, w->thread, w->n_data + w->n_exponents, w->ends);
    k->head = (k->head + 1) % PACK_PENDING;
    k->n--;
    if (w->sets) {
        k->n_sets--;
        pack_set_register(w, io);
    }
}

bool pack_clock(struct pack *k, const struct pack_io *io, uint64_t now)
{
    bool moved = false;
    while (k->n && k->pending[k->head].due <= now) {
        pack_land_head(k, io);
        moved = true;
    }
    return moved;
}

/* ---- it goes ---- */

/* A place in the pipe; what should have left it does so first. */
HOT_INLINE struct pack_write *pack_enter(struct pack *k, const struct pack_io *io, uint64_t now,
                                         uint64_t due)
{
    if (now && k->n && k->pending[k->head].due < now)
        pack_clock(k, io, now - 1);
    if (k->n == PACK_PENDING)
        pack_land_head(k, io);
    struct pack_write *w = &k->pending[(k->head + k->n++) % PACK_PENDING];
    w->due = due;
    w->n_add = 0;
    w->sets = false;
    w->ends = 0;
    return w;
}

/* The stream's open block stands at the front of bytes[], `bits` are in use now. What fills blocks is
   returned, in bytes; the rest stays open, or is completed with zeros. */
COLD static uint16_t pack_cut_any(struct pack_stream *s, uint8_t *bytes, unsigned bits,
                                  bool complete)
{
    unsigned n = bits / 128 * 16, rest = bits % 128, used = (rest + 7) / 8;
    if (rest && complete) {
        memset(bytes + n + used, 0, 16 - used);
        n += 16;
        rest = 0;
    } else if (rest) {
        memset(s->part, 0, sizeof s->part);
        memcpy(s->part, bytes + n, used);
    }
    s->bits = rest;
    s->address += n;
    return (uint16_t)n;
}

HOT_INLINE uint16_t pack_cut(struct pack_stream *s, uint8_t *bytes, unsigned bits, bool complete)
{
    if (bits % 128)
        return pack_cut_any(s, bytes, bits, complete);
    s->bits = 0;
    s->address += bits / 8;
    return (uint16_t)(bits / 8);
}

/* Puts both streams' open blocks into w. */
HOT_INLINE struct pack_bytes pack_resume(const struct pack *k, struct pack_write *w)
{
    w->data_at = k->data.address;
    w->exponents_at = k->exponents.address;
    if (k->data.bits)
        memcpy(w->data, k->data.part, sizeof k->data.part);
    if (k->exponents.bits)
        memcpy(w->exponents, k->exponents.part, sizeof k->exponents.part);
    return (struct pack_bytes){.data = w->data,
                               .exponents = w->exponents,
                               .bits = k->data.bits,
                               .n_exponents = k->exponents.bits / 8};
}

/* Reports what is new about the plan; once per kind. */
COLD static void pack_report(struct pack *k, const struct pack_io *io, unsigned thread,
                             const struct entry *e, unsigned odd)
{
    static const uint8_t ids[] = {DIAG_PACK_ROWS,
                                  DIAG_PACK_RANGE,
                                  DIAG_PACK_FORMAT,
                                  DIAG_PACK_RELU,
                                  DIAG_PACK_ADD,
                                  DIAG_PACK_OPTION};
    odd &= (unsigned)~k->odd;
    k->odd = (uint8_t)(k->odd | odd);
    for (unsigned i = 0; odd >> i; i++)
        if (odd >> i & 1)
            probe_diag(io->probe, ids[i], OWNER_T0 + thread, e->tag, e->word, 0);
}

COLD static void pack_seed(struct pack *k, const struct pack_io *io)
{
    uint32_t lane[PRNG_LANES], seed = cfg_get(io->config->word[0], CFG_PRNG_SEED);
    if (seed == k->seed)
        return;
    prng_seed(seed, lane);
    k->seed = seed;
    k->rng = lane[0];
}

static bool pack_counts(const struct config *c)
{
    return (cfg_thread_get(c->thread[0], THCFG_ENABLE_ACC_STATS) |
            cfg_thread_get(c->thread[1], THCFG_ENABLE_ACC_STATS) |
            cfg_thread_get(c->thread[2], THCFG_ENABLE_ACC_STATS)) != 0;
}

/* What the plan makes of Dst or L1, behind what is open. */
COLD static void pack_fill(struct pack *k, const struct pack_io *io, const struct num_rows *rows,
                           const struct pack_plan *p, struct pack_write *w)
{
    if (p->way.round_early | p->way.round_late)
        pack_seed(k, io);
    struct pack_bytes out = pack_resume(k, w);
    struct pack_histogram *h = pack_counts(io->config) ? &io->meta->histogram : NULL;
    pack_row_run(p, rows, io->dst, io->l1, &k->rng, h, &out);
    w->n_data = pack_cut(&k->data, w->data, out.bits, p->last);
    if (p->add)
        w->n_add = (uint16_t)(out.bits / 8 < w->n_data ? out.bits / 8 : w->n_data);
    w->n_exponents = pack_cut(&k->exponents, w->exponents, 8 * out.n_exponents, p->last);
}

/* Whole rows find their place: no block is open, nobody counts exponents. */
HOT_INLINE bool pack_is_plain(const struct pack *k, const struct pack_io *io)
{
    return !(k->data.bits | k->exponents.bits) && !pack_counts(io->config);
}

/* What pack_write.ends says of a PACR. */
HOT_INLINE unsigned pack_ends(const struct pack_io *io, unsigned thread, bool last)
{
    const struct config *c = io->config;
    return last ? 1 + cfg_get(c->word[config_state_id(c, thread)], CFG_PCK_ADD_TILE_HEADER_SIZE)
                : 0;
}

HOT_INLINE const struct num_rows *pack_rows_of(const struct pack *k)
{
    return k->fast ? &num_rows_avx2 : &num_rows_plain;
}

/* Output goes on, or where the plan starts it. */
HOT_INLINE void pack_follow(struct pack *k, const struct pack_plan *p, bool open)
{
    if (open)
        return;
    k->data.address = p->data;
    k->exponents.address = p->exponents;
}

/* Returns for how many cycles the interfaces are taken. */
HOT_INLINE unsigned pack_go(struct pack *k, const struct pack_io *io, unsigned thread,
                            const struct entry *e, uint64_t now)
{
    bool open = k->at.open;
    const struct pack_plan *p = pack_plan_make(
        io->config, io->adc, thread, e->word, io->meta->l1_offset[0], &k->at, &k->memo);
    pack_follow(k, p, open);
    struct pack_write *w = pack_enter(k, io, now, now + k->pipe + p->cycles - 1);
    w->format = p->way.out;
    w->thread = (uint8_t)thread;
    w->ends = (uint8_t)pack_ends(io, thread, e->word & 1);
    if (LIKELY(p->quick && pack_is_plain(k, io))) {
        w->data_at = k->data.address;
        w->n_data = p->bytes;
        w->n_add = p->add ? p->bytes : 0;
        w->n_exponents = 0;
        k->data.address += p->bytes;
        pack_row_fast(p, pack_rows_of(k), io->dst, w->data, w->exponents);
    } else {
        pack_report(k, io, thread, e, p->odd);
        pack_fill(k, io, pack_rows_of(k), p, w);
    }
    return p->cycles;
}

/* PACR_SETREG: loads half of the data for register writes, or completes the open blocks and writes a register. */
COLD static void pack_go_setreg(struct pack *k, const struct pack_io *io, unsigned thread,
                                const struct entry *e, uint64_t now)
{
    struct tensix_PACR_SETREG a = tensix_PACR_SETREG_decode(e->word);
    if (a.mode_sel) {
        unsigned shift = bits_get(e->word, 2, 1) * 16;
        io->regwrite->data =
            (io->regwrite->data & ~(UINT32_C(0xffff) << shift)) | bits_get(e->word, 3, 16) << shift;
        return;
    }
    if (!a.flush || !(k->data.bits | k->exponents.bits | a.push))
        return;
    struct pack_write *w = pack_enter(k, io, now, now + k->pipe);
    struct pack_bytes out = pack_resume(k, w);
    w->n_data = pack_cut(&k->data, w->data, out.bits, true);
    w->n_exponents = pack_cut(&k->exponents, w->exponents, 8 * out.n_exponents, true);
    w->sets = a.push;
    k->n_sets = (uint8_t)(k->n_sets + a.push);
    w->thread = (uint8_t)thread;
    w->value = io->regwrite->data;
    w->e = *e;
}

/* One that goes now takes the interfaces for so many cycles; the last one of a tile until it is through. Returns the first cycle
   in which it is. */
HOT_INLINE uint64_t pack_take(struct pack *k, unsigned thread, uint64_t now, unsigned cycles,
                              bool last)
{
    uint64_t done = now + k->pipe + cycles;
    k->free_at = last ? done : now + cycles;
    if (done > k->done_at[thread])
        k->done_at[thread] = done;
    return done;
}

uint64_t pack_start(struct pack *k, const struct pack_io *io, unsigned thread,
                    const struct entry *e, uint64_t now)
{
    unsigned cycles = e->op == TENSIX_OP_PACR_SETREG ? k->setreg : k->tbufcmd;
    if (e->op == TENSIX_OP_PACR)
        cycles = pack_go(k, io, thread, e, now);
    else if (e->op == TENSIX_OP_PACR_SETREG)
        pack_go_setreg(k, io, thread, e, now);
    return pack_take(k, thread, now, cycles, e->op == TENSIX_OP_PACR && e->word & 1);
}

/* ---- without time ---- */

/* Bytes that are added to L1, or do not lie there in one piece: each PACR's by itself. */
COLD static void pack_land_many(struct pack *k, const struct pack_io *io, const uint16_t *run,
                                unsigned n)
{
    const struct pack_plan *p = &k->memo.plan;
    struct pack_write w = {.data_at = k->data.address,
                           .n_data = p->bytes,
                           .n_add = p->add ? p->bytes : 0,
                           .format = p->way.out};
    for (unsigned i = 0; i < n; i++, w.data_at += p->bytes) {
        pack_row_many(p, pack_rows_of(k), io->dst, &run[i], 1, w.data);
        pack_land(&w, io);
    }
}

unsigned pack_start_many(struct pack *k, const struct pack_io *io, unsigned thread,
                         const struct entry *slot, unsigned index, unsigned n, uint64_t *now)
{
    const struct pack_plan *p = &k->memo.plan;
    unsigned offset = io->meta->l1_offset[0];
    bool open = k->at.open;
    uint16_t run[QUEUE_MAX];
    if (k->n || !pack_is_plain(k, io))
        return 0;
    n = pack_plan_many(io->config, io->adc, thread, slot, index, n, offset, &k->at, &k->memo, run);
    if (!n)
        return 0;
    pack_follow(k, p, open);
    uint32_t at = k->data.address, bytes = n * p->bytes;
    uint8_t *to = p->add ? NULL : l1_port_place(io->l1, OWNER_PACK, at, bytes);
    if (LIKELY(to)) {
        pack_row_many(p, pack_rows_of(k), io->dst, run, n, to);
        l1_port_end(io->l1, (struct l1_writer){.owner = OWNER_PACK}, at, bytes);
    } else {
        pack_land_many(k, io, run, n);
    }
    k->data.address += bytes;
    pack_measure(io->meta, thread, bytes, pack_ends(io, thread, p->last));
    *now += (n - 1) * (k->pipe + p->cycles);
    pack_take(k, thread, *now, p->cycles, p->last);
    return n;
}

/* ---- skipping ---- */

uint64_t pack_next(const struct pack *k, uint64_t now)
{
    uint64_t next = k->free_at >= now ? k->free_at : UINT64_MAX;
    for (unsigned i = 0; i < 3; i++)
        if (k->done_at[i] >= now && k->done_at[i] < next)
            next = k->done_at[i];
    if (k->n) {
        uint64_t due = k->pending[k->head].due;
        due = due > now ? due : now;
        next = due < next ? due : next;
    }
    return next;
}
