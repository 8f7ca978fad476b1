/*
 * unpack.c - unpackers: their queues, time, and bank hand-over.
 *
 * ISA pages: Unpackers/README, UNPACR_Regular, UNPACR_NOP_*, UNPACR_FlushCache,
 * UNPACR_IncrementContextCounter (Wormhole, 2026 text with Blackhole branches); field meanings of
 * UNPACR_NOP from the vendor's Blackhole instruction database.
 *
 *     gate --> address (2 cycles, shared, holds the thread) --> queue --> [bank] data phase --> hand over
 *              unpack_plan.c                                                      unpack_move.c
 *
 * Invariant: only the oldest instruction of an unpacker is `moving`; its `left` and `rate` hold from cycle
 * `since` on, and `end` follows from them.
 *
 * Inaccuracies: all data is read from L1 and written in the last cycle of the data phase. Bytes of exponents take no time.
 * How two unpackers share L1 on Blackhole follows the Wormhole table. Pipe and queue depth are guesses. Writing
 * the increment bit of UNPACK_MISC_CFG is taken to count once per SETC16.
 */
#include "move/unpack.h"

#include <assert.h>
#include <string.h>

#include "isa/cfg.h"
#include "isa/tensix.h"
#include "move/unpack_move.h"
#include "probe/probe.h"
#include "state/op.h"
#include "state/stream.h"
#include "wait/wait.h"

_Static_assert(ROOM_UNPACK_DEPTH <= UNPACK_MAX, "unpack_op ring too small");

void unpack_reset(struct unpack *k, const struct timing *t)
{
    bool plain = k->plain;
    memset(k, 0, sizeof *k);
    k->plain = plain;
    k->fast = !plain && rows_avx2_usable();
    k->depth = (uint8_t)t->n.UNPACK_DEPTH;
    k->pipe = t->n.UNPACK_PIPE;
    k->issue = t->op[TENSIX_OP_UNPACR].issue;
    k->nop_issue = t->op[TENSIX_OP_UNPACR_NOP].issue;
    k->shapes.rate = t->n.UNPACK_RATE_1;
    k->shapes.rate_wide = t->n.UNPACK_RATE_WIDE;
}

uint16_t unpack_check(const struct unpack *k, const struct entry *e, uint64_t now)
{
    unsigned u = unpack_which(e->word);
    if (now < k->issue_at)
        return wait_key(WAIT_UNIT_BUSY, OWNER_UNPACK0 + unpack_which(k->last_word));
    if (k->u[u].n >= k->depth)
        return wait_key(WAIT_UNIT_BUSY, OWNER_UNPACK0 + u);
    return 0;
}

static void unpack_remark(const struct unpack_io *io, unsigned thread, const struct entry *e,
                          struct unpack_remark r)
{
    if (r.id != N_DIAGS)
        probe_diag(io->probe, r.id, OWNER_T0 + thread, e->tag, e->word, r.arg);
}

/* UNPACR that moves data: what it will do; counters go on. */
static void unpack_prepare(struct unpack *k, struct unpack_op *o, const struct unpack_io *io)
{
    uint32_t word = o->e.word;
    struct tensix_UNPACR a = tensix_UNPACR_decode(word);
    unsigned u = a.unpack_block_selection, thread = o->thread;
    uint8_t *counter = &k->context[u][thread];
    unpack_remark(io,
                  thread,
                  &o->e,
                  unpack_plan_unpacr(
                      &o->plan, &k->shapes, io->config, io->adc, io->l1, thread, word, *counter));
    if (a.addr_mode)
        unpack_plan_advance(io->adc, thread, word);
    if (a.ovrd_thread_id && a.auto_inc_context_id)
        *counter = (uint8_t)unpack_plan_counter(io->config, thread, u, o->plan.context);
}

static void unpack_start_unpacr(struct unpack *k, struct unpack_op *o, const struct unpack_io *io)
{
    struct tensix_UNPACR a = tensix_UNPACR_decode(o->e.word);
    unsigned u = a.unpack_block_selection;
    uint8_t *counter = &k->context[u][o->thread];
    if (!unpack_fetches(&o->e)) {
        if (a.cfg_context_cnt_inc)
            *counter = (uint8_t)unpack_plan_counter(io->config, o->thread, u, *counter);
        return;
    }
    unpack_prepare(k, o, io);
    uint64_t bits = (uint64_t)o->plan.count * from_l1_bits(o->plan.convert.in);
    o->bank = UNPACK_OWN_BANK;
    o->left = bits ? (uint32_t)((bits + 7) / 8) : 1;
    o->ready += k->pipe;
}

/* UNPACR_NOP: clears a bank (pop = 1), passes a cycle, or writes a register; may set dvalid. */
static void unpack_start_nop(struct unpack_op *o, const struct unpack_io *io)
{
    struct tensix_UNPACR_NOP a = tensix_UNPACR_NOP_decode(o->e.word);
    unpack_remark(
        io, o->thread, &o->e, unpack_plan_nop(&o->plan, io->config, o->thread, o->e.word));
    if (o->plan.what == UNPACK_CLEAR)
        o->bank = a.stall_clr_cntrl ? UNPACK_OWN_BANK : UNPACK_MATRIX_BANK;
}

void unpack_start(struct unpack *k, const struct unpack_io *io, unsigned thread,
                  const struct entry *e, uint64_t now)
{
    unsigned issue = e->op == TENSIX_OP_UNPACR ? k->issue : k->nop_issue;
    struct unpacker *u = &k->u[unpack_which(e->word)];
    assert(u->n < UNPACK_MAX);
    struct unpack_op *o = &u->op[(u->head + u->n++) % UNPACK_MAX];
    o->e = *e;
    o->thread = (uint8_t)thread;
    o->bank = UNPACK_ANY;
    o->moving = false;
    o->rate = 0;
    o->left = 1;
    o->ready = now + issue;
    o->plan.what = UNPACK_NOTHING;
    o->plan.gives = false;
    if (e->op == TENSIX_OP_UNPACR)
        unpack_start_unpacr(k, o, io);
    else
        unpack_start_nop(o, io);
    u->in_flight[thread]++;
    k->last_word = e->word;
    k->issue_at = now + issue;
    k->block_end = now + issue;
    k->block_thread = (uint8_t)thread;
}

void unpack_thread_config(struct unpack *k, const struct config *c, unsigned thread)
{
    const uint16_t *t = c->thread[thread];
    for (unsigned u = 0; u < 2; u++) {
        uint8_t *counter = &k->context[u][thread];
        if (cfg_thread_get_at(t, THCFG_UNPACK_CONTEXT_INC, 0, 8 * u))
            *counter = (uint8_t)unpack_plan_counter(c, thread, u, *counter);
        if (cfg_thread_get_at(t, THCFG_UNPACK_CONTEXT_RESET, 0, 8 * u))
            *counter = 0;
    }
}

/* The one that moves data, if any. */
static struct unpack_op *unpack_moving(struct unpack *k, unsigned i)
{
    struct unpacker *u = &k->u[i];
    struct unpack_op *o = &u->op[u->head];
    return u->n && o->moving && o->plan.what == UNPACK_MOVE ? o : NULL;
}

/* From cycle now on: who fetches how many bytes per cycle, and when each will be done. */
static void unpack_share(struct unpack *k, uint64_t now)
{
    struct unpack_op *o[2] = {unpack_moving(k, 0), unpack_moving(k, 1)};
    bool both =
        o[0] && o[1] && o[0]->plan.rate > k->shapes.rate && o[1]->plan.rate > k->shapes.rate;
    for (unsigned i = 0; i < 2; i++) {
        if (!o[i])
            continue;
        uint64_t fetched = (uint64_t)o[i]->rate * (now > o[i]->since ? now - o[i]->since : 0);
        o[i]->left = fetched < o[i]->left ? o[i]->left - (uint32_t)fetched : 0;
        o[i]->since = now;
        o[i]->rate = (uint16_t)(both ? o[i]->plan.rate / 2 : o[i]->plan.rate);
        uint64_t cycles = (o[i]->left + o[i]->rate - 1u) / o[i]->rate;
        o[i]->end = now + (cycles ? cycles : 1) - 1;
    }
}

bool unpack_begin(struct unpack *k, const struct src *s, uint64_t now)
{
    bool moved = false;
    for (unsigned i = 0; i < 2; i++) {
        struct unpacker *u = &k->u[i];
        struct unpack_op *o = &u->op[u->head];
        if (!u->n || o->moving || now < o->ready)
            continue;
        u->waiting = !unpack_bank_ready(o, s, i);
        if (u->waiting)
            continue;
        o->moving = true;
        o->end = o->since = now;
        moved = true;
    }
    if (moved)
        unpack_share(k, now);
    return moved;
}

bool unpack_give(struct src *s, const struct config *c, unsigned thread, unsigned u)
{
    struct unpack_plan p;
    uint32_t word = tensix_UNPACR_NOP_encode(
        (struct tensix_UNPACR_NOP){.unpack_pop = 2, .clr_to1_fmt_ctrl = 3, .unpacker_select = u});
    unpack_plan_nop(&p, c, thread, word);
    unpack_move_row(&p, u, thread, s);
    s->format[u][s->unpack_bank[u]] = p.format;
    return src_give(s, u);
}

/* o of unpacker i is done: data first, then the bank. */
static void unpack_finish(const struct unpack *k, struct unpack_op *o, unsigned i,
                          const struct unpack_io *io)
{
    struct src *s = io->src;
    struct probe *p = io->probe;
    unpack_move(
        &o->plan, i, o->thread, k->fast ? &num_rows_avx2 : &num_rows_plain, s, io->dst, io->l1);
    unpack_move_row(&o->plan, i, o->thread, s);
    if (o->plan.gives) {
        unsigned bank = s->unpack_bank[i];
        s->format[i][bank] = o->plan.format;
        if (!src_give(s, i))
            probe_diag(p, DIAG_DVALID_UNOWNED, OWNER_T0 + o->thread, o->e.tag, o->e.word, i);
        probe_event(
            p, EV_BANK, OWNER_UNPACK0 + i, o->e.tag, o->e.word, i << 8 | bank << 4 | SRC_MATRIX);
    }
    probe_event(p, EV_DONE, OWNER_UNPACK0 + i, o->e.tag, o->e.word, 0);
}

/* Untimed: how long o, which unpacker i has just finished, would have kept it; bank: what it may have given. */
static void unpack_order(const struct unpack *k, const struct unpack_op *o, unsigned i,
                         unsigned bank, struct order *order)
{
    const struct unpack_plan *p = &o->plan;
    uint32_t cycles = 1;
    order_later(&order->through[i], order->now + k->issue + k->pipe);
    if (p->what == UNPACK_MOVE)
        cycles += p->count * from_l1_bits(p->convert.in) / 8 / p->rate;
    order->through[i] += cycles;
    order->inside[i] = k->depth * cycles;
    if (p->gives)
        order->given[i][bank] = order->through[i];
}

/* What is written after all earlier instructions of unpacker i: a register. The instruction has left the queue, for the
   register may be one that resets units. */
static void unpack_write_register(const struct unpack_op *o, unsigned i, const struct unpack_io *io)
{
    const struct unpack_plan *p = &o->plan;
    uint32_t address = stream_address(p->stream, STREAM_DATA_CLEAR), value = 1;
    if (p->what == UNPACK_WRITE) {
        uint32_t *sum = &io->regwrite->sum[i];
        value = p->value;
        if (p->sums)
            value = *sum = value ? (*sum + value) & REGWRITE_SUM : 0;
        if (p->select >= REGWRITE_ADDRESSES || (p->sums && !p->value))
            return;
        address = regwrite_address(io->regwrite->unpack >> 8, p->select, p->stream);
    }
    unpack_remark(
        io,
        o->thread,
        &o->e,
        (struct unpack_remark){regwrite_store(io->l1, o->thread, address, value), address});
}

/* The oldest of unpacker i is done, and leaves. */
static void unpack_leave(struct unpack *k, unsigned i, const struct unpack_io *io)
{
    struct unpacker *u = &k->u[i];
    struct unpack_op *o = &u->op[u->head];
    unpack_finish(k, o, i, io);
    u->in_flight[o->thread]--;
    u->head = (uint8_t)((u->head + 1u) % UNPACK_MAX);
    u->n--;
    if (o->plan.what >= UNPACK_POP)
        unpack_write_register(o, i, io);
}

unsigned unpack_clock(struct unpack *k, const struct unpack_io *io, uint64_t now)
{
    unsigned done = 0;
    for (unsigned i = 0; i < 2; i++)
        if (unpack_ends(&k->u[i], now)) {
            unpack_leave(k, i, io);
            done |= 1u << i;
        }
    if (done == 1 || done == 2)
        unpack_share(k, now + 1);
    return done;
}

void unpack_do(struct unpack *k, const struct unpack_io *io, unsigned thread, const struct entry *e)
{
    unsigned i = unpack_which(e->word);
    struct unpack_op *o = &k->u[i].op[k->u[i].head]; /* nobody is there */
    o->e = *e;
    o->thread = (uint8_t)thread;
    unpack_prepare(k, o, io);
    unpack_order(k, o, i, io->src->unpack_bank[i], io->order);
    unpack_finish(k, o, i, io);
}

void unpack_drain(struct unpack *k, const struct unpack_io *io)
{
    unsigned stand = 0;
    for (unsigned i = 0; stand < 2; i ^= 1) { /* in turn, until both stand */
        if (unpack_stands(&k->u[i], io->src, i)) {
            stand++;
        } else {
            struct unpacker *u = &k->u[i];
            stand = 0;
            unpack_order(k, &u->op[u->head], i, io->src->unpack_bank[i], io->order);
            unpack_leave(k, i, io);
        }
    }
}

bool unpack_begins(const struct unpack *k, const struct src *s, uint64_t now)
{
    for (unsigned i = 0; i < 2; i++) {
        const struct unpacker *u = &k->u[i];
        const struct unpack_op *o = &u->op[u->head];
        if (u->n && !o->moving && now >= o->ready && unpack_bank_ready(o, s, i))
            return true;
    }
    return false;
}

uint64_t unpack_next(const struct unpack *k, uint64_t now)
{
    uint64_t next = UINT64_MAX;
    for (unsigned i = 0; i < 2; i++) {
        const struct unpacker *u = &k->u[i];
        const struct unpack_op *o = &u->op[u->head];
        if (!u->n || (!o->moving && now >= o->ready && u->waiting))
            continue;
        uint64_t at = o->moving ? o->end : (o->ready > now ? o->ready : now);
        if (at < next)
            next = at;
    }
    return next;
}
