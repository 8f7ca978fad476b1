/*
 * unpack.h - the two unpackers: address generation they share, and per unpacker a queue of
 * instructions of which the oldest moves data once its Src bank is free.
 *
 * ISA pages: Unpackers/README, UNPACR, UNPACR_NOP. Rules in time: docs/timing.md 4.12.
 */
#ifndef WG_MOVE_UNPACK_H
#define WG_MOVE_UNPACK_H

#include "isa/tensix.h"
#include "isa/timing.h"
#include "move/unpack_plan.h"
#include "state/adc.h"
#include "state/config.h"
#include "state/dst.h"
#include "state/l1_port.h"
#include "state/order.h"
#include "state/queue.h"
#include "state/regwrite.h"
#include "state/src.h"

struct probe;

enum unpack_bank { UNPACK_ANY, UNPACK_OWN_BANK, UNPACK_MATRIX_BANK };

struct unpack_op {
    struct entry e;
    uint8_t thread;
    uint8_t bank;  /* enum unpack_bank: which bank must belong to the unpackers */
    bool moving;   /* in its data phase */
    uint16_t rate; /* bytes per cycle, from cycle since on */
    uint32_t left; /* bytes to fetch, at the start of cycle since */
    uint64_t since;
    uint64_t ready; /* first cycle in which the data phase may start */
    uint64_t end;   /* last cycle of the data phase, once moving; later if it has to share */
    struct unpack_plan plan;
};

#define UNPACK_MAX 8u

/* What an instruction looks at and changes. */
struct unpack_io {
    const struct config *config;
    struct adc *adc;
    struct src *src;
    struct dst *dst;
    const struct l1_port *l1;
    struct regwrite *regwrite;
    struct probe *probe;
    struct order *order; /* untimed */
};

struct unpacker {
    uint8_t head, n;
    uint8_t in_flight[3]; /* instructions inside, per thread: C1, C2 */
    bool waiting;         /* the oldest waits for its bank */
    struct unpack_op op[UNPACK_MAX];
};

struct unpack {
    struct unpacker u[2];
    uint64_t issue_at;  /* first cycle in which an unpacker instruction may go */
    uint64_t block_end; /* first cycle in which block_thread may send again */
    uint8_t block_thread;
    uint32_t last_word;        /* the instruction that went last */
    uint8_t context[2][3];     /* [unpacker][thread]: context counters */
    bool plain;                /* no vector code, though the host has it; reset keeps this */
    bool fast;                 /* vector code is used */
    uint8_t depth;             /* UNPACK_DEPTH */
    uint16_t pipe;             /* UNPACK_PIPE */
    uint16_t issue, nop_issue; /* of UNPACR, UNPACR_NOP */
    struct unpack_shapes shapes;
};

void unpack_reset(struct unpack *k, const struct timing *t);
/* Which unpacker a word is for. */
static inline unsigned unpack_which(uint32_t word)
{
    return word >> 23 & 1;
}
/* May e go in cycle now? Ledger key of the wait, 0 if it may. */
uint16_t unpack_check(const struct unpack *k, const struct entry *e, uint64_t now);
void unpack_start(struct unpack *k, const struct unpack_io *io, unsigned thread,
                  const struct entry *e, uint64_t now);
/* SETC16 has written UNPACK_MISC_CFG of the thread: reset or increment of its context counters. */
void unpack_thread_config(struct unpack *k, const struct config *c, unsigned thread);
/* SETDVALID: as UNPACR_NOP that only hands over. False if the Matrix Unit already owned the bank. */
bool unpack_give(struct src *s, const struct config *c, unsigned thread, unsigned u);
/* Address generation of the thread's own UNPACR holds it in cycle now. */
static inline bool unpack_blocks(const struct unpack *k, unsigned thread, uint64_t now)
{
    return now < k->block_end && k->block_thread == thread;
}
/* The oldest has the bank that it needs. */
static inline bool unpack_bank_ready(const struct unpack_op *o, const struct src *s, unsigned u)
{
    switch (o->bank) {
    case UNPACK_OWN_BANK: return src_unpack_ready(s, u);
    case UNPACK_MATRIX_BANK: return s->owner[u][s->matrix_bank[u]] == SRC_UNPACKERS;
    default: return true;
    }
}
/* Nothing but its bank keeps the oldest from moving data, and it has none; or there is nothing inside. */
static inline bool unpack_stands(const struct unpacker *u, const struct src *s, unsigned i)
{
    const struct unpack_op *o = &u->op[u->head];
    return !u->n || !(o->moving || unpack_bank_ready(o, s, i));
}
/* The oldest may start to move data in cycle now, if it has its bank; it ends by the end of it. */
static inline bool unpack_wants(const struct unpacker *u, uint64_t now)
{
    const struct unpack_op *o = &u->op[u->head];
    return u->n && !o->moving && now >= o->ready;
}
static inline bool unpack_ends(const struct unpacker *u, uint64_t now)
{
    const struct unpack_op *o = &u->op[u->head];
    return u->n && o->moving && o->end <= now;
}
/* Start of cycle now: the oldest of each unpacker starts to move data if it may. True if one did. */
bool unpack_begin(struct unpack *k, const struct src *s, uint64_t now);
/* End of cycle now: those that finish hand over their bank. Bit mask of the unpackers that did. */
unsigned unpack_clock(struct unpack *k, const struct unpack_io *io, uint64_t now);
/* Moves data? Else UNPACR only touches context counter or cache. */
static inline bool unpack_fetches(const struct entry *e)
{
    struct tensix_UNPACR a = tensix_UNPACR_decode(e->word);
    return e->op == TENSIX_OP_UNPACR && !(a.search_cache_flush | a.cfg_context_cnt_inc);
}
/* Without time: is e an UNPACR that need not wait, neither for its bank nor behind others? Then unpack_do() carries it out as a
   whole. */
static inline bool unpack_is_free(const struct unpack *k, const struct src *s,
                                  const struct entry *e)
{
    unsigned i = unpack_which(e->word);
    return unpack_fetches(e) && !k->u[i].n && src_unpack_ready(s, i);
}
void unpack_do(struct unpack *k, const struct unpack_io *io, unsigned thread,
               const struct entry *e);
/* Without time: all that have their banks are carried out. */
void unpack_drain(struct unpack *k, const struct unpack_io *io);
/* The cycle in which the oldest starts to move data, or ends if it does already; 0: there is none. */
static inline uint64_t unpack_due(const struct unpacker *u)
{
    const struct unpack_op *o = &u->op[u->head];
    return !u->n ? 0 : (o->moving ? o->end : o->ready);
}
/* Would unpack_begin() start anything in cycle now? A bank may have come back in the last one. */
bool unpack_begins(const struct unpack *k, const struct src *s, uint64_t now);
/* First cycle in which an unpacker does something by itself. */
uint64_t unpack_next(const struct unpack *k, uint64_t now);

#endif
