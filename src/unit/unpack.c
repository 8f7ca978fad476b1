/*
 * unpack.c - unpackers, timing and bank hand-over.
 *
 * ISA pages: Unpackers/README, UNPACR_Regular, UNPACR_NOP_*, UNPACR_FlushCache,
 * UNPACR_IncrementContextCounter (Wormhole, 2026 text with Blackhole branches); field meanings of
 * UNPACR_NOP from the vendor's Blackhole instruction database.
 *
 *     gate --> address (2 cycles, shared, holds the thread) --> queue --> [bank] data phase --> hand over
 *
 * Invariant: only the oldest instruction of an unpacker is `moving`.
 *
 * Inaccuracies: no data yet; every UNPACR takes the typical fetch time, whatever its tile, format
 * and port sharing. Unpacking to Dst is not told from unpacking to SrcA. The depth is a guess.
 */
#include "unit/unpack.h"

#include <assert.h>
#include <string.h>

#include "base/fault.h"
#include "isa/tensix.h"
#include "probe/probe.h"
#include "unit/op.h"
#include "wait/wait.h"

_Static_assert(T_UNPACK_DEPTH <= UNPACK_MAX, "unpack_op ring too small");

void unpack_reset(struct unpack *k)
{
    memset(k, 0, sizeof *k);
}

uint16_t unpack_check(const struct unpack *k, const struct entry *e, uint64_t now)
{
    unsigned u = unpack_which(e->word);
    if (now < k->issue_at)
        return ledger_key(WAIT_UNIT_BUSY, OWNER_UNPACK0 + unpack_which(k->last_word));
    if (k->u[u].n >= T_UNPACK_DEPTH)
        return ledger_key(WAIT_UNIT_BUSY, OWNER_UNPACK0 + u);
    return 0;
}

/* UNPACR: fetches and writes rows unless it only touches context counter or cache. */
static void unpack_plan_unpacr(struct unpack_op *o, const struct op *op)
{
    struct tensix_UNPACR a = tensix_UNPACR_decode(o->e.word);
    bool moves = !a.search_cache_flush && !a.cfg_context_cnt_inc;
    o->cycles = (uint16_t)(moves ? op->latency - op->issue + FAULT(21) : 1);
    o->bank = moves ? UNPACK_OWN_BANK : UNPACK_ANY;
    o->gives = moves && a.set_dat_valid;
}

/* UNPACR_NOP: clears a bank (pop = 1), or passes a cycle; may set dvalid. */
static void unpack_plan_nop(struct unpack_op *o)
{
    struct tensix_UNPACR_NOP a = tensix_UNPACR_NOP_decode(o->e.word);
    o->cycles = 1;
    o->bank = UNPACK_ANY;
    if (a.unpack_pop == 1)
        o->bank = a.stall_clr_cntrl ? UNPACK_OWN_BANK : UNPACK_MATRIX_BANK;
    o->gives = a.set_dvalid;
}

void unpack_start(struct unpack *k, const struct unpack_io *io, unsigned thread,
                  const struct entry *e, uint64_t now)
{
    (void)io;
    const struct op *op = &op_table[e->op];
    struct unpacker *u = &k->u[unpack_which(e->word)];
    assert(u->n < UNPACK_MAX);
    struct unpack_op *o = &u->op[(u->head + u->n++) % UNPACK_MAX];
    *o = (struct unpack_op){.e = *e, .thread = (uint8_t)thread, .ready = now + op->issue};
    if (e->op == TENSIX_OP_UNPACR)
        unpack_plan_unpacr(o, op);
    else
        unpack_plan_nop(o);
    u->in_flight[thread]++;
    k->last_word = e->word;
    k->issue_at = now + op->issue;
    k->block_end = now + op->issue + FAULT(39);
    k->block_thread = (uint8_t)thread;
}

static bool unpack_bank_ready(const struct unpack_op *o, const struct src *s, unsigned u)
{
    switch (o->bank) {
    case UNPACK_OWN_BANK: return src_unpack_ready(s, u);
    case UNPACK_MATRIX_BANK: return s->owner[u][s->matrix_bank[u]] == SRC_UNPACKERS;
    default: return true;
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
        o->end = now + o->cycles - 1u;
        moved = true;
    }
    return moved;
}

unsigned unpack_clock(struct unpack *k, const struct unpack_io *io, uint64_t now)
{
    struct src *s = io->src;
    struct probe *p = io->probe;
    unsigned done = 0;
    for (unsigned i = 0; i < 2; i++) {
        struct unpacker *u = &k->u[i];
        struct unpack_op *o = &u->op[u->head];
        if (!u->n || !o->moving || o->end > now)
            continue;
        if (o->gives) {
            unsigned bank = s->unpack_bank[i];
            if (!src_give(s, i))
                probe_diag(p, DIAG_DVALID_UNOWNED, OWNER_T0 + o->thread, o->e.tag, o->e.word, i);
            probe_event(p,
                        EV_BANK,
                        OWNER_UNPACK0 + i,
                        o->e.tag,
                        o->e.word,
                        i << 8 | bank << 4 | SRC_MATRIX);
        }
        probe_event(p, EV_DONE, OWNER_UNPACK0 + i, o->e.tag, o->e.word, 0);
        u->in_flight[o->thread]--;
        u->head = (uint8_t)((u->head + 1u) % UNPACK_MAX);
        u->n--;
        done |= 1u << i;
    }
    return done;
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
