/*
 * vector.h - Vector Unit (SFPU): rate, latency, the guard of two-cycle results, the slot behind SFPSWAP and the
 * shuffles, and what SFPLOADMACRO has scheduled.
 *
 * ISA pages: VectorUnit, SFPMAD, SFPSWAP, SFPSHFT2, SFPLOADMACRO (Blackhole). Rules in time: docs/timing.md 4.14 to 4.18.
 *
 * Untimed, the unit has a clock of its own (`own`): every instruction takes one cycle of it, documented stalls
 * included, and so does every word that the same thread sends to another unit. Both schedulers use the same rules on it.
 *
 * Invariant: a result of a two-cycle instruction that went in cycle t stands in the lanes' registers from then on, and
 * what it replaces in `old`, which readers of cycle t+1 are given.
 */
#ifndef WG_VECTOR_VECTOR_H
#define WG_VECTOR_VECTOR_H

#include "base/bits.h"
#include "base/hot.h"
#include "isa/tensix.h"
#include "isa/timing.h"
#include "state/config.h"
#include "state/lanes.h"
#include "state/op.h"
#include "state/queue.h"
#include "state/rwc.h"
#include "vector/vector_in.h"
#include "vector/vector_macro.h"
#include "wait/wait.h"

/* Registers whose new values cannot be read yet. */
struct vector_old {
    uint64_t at;      /* cycle of the instruction: the old values show in the next one, */
    uint64_t until;   /* and up to this one */
    uint32_t mask;    /* bit per register */
    uint32_t guarded; /* readers of these are held, if the check knows that they read */
    uint32_t r[LANES_LREGS][LANES];
};

/* What a word does, if the lanes' configuration has no say in it. */
struct vector_memo {
    struct vector_op op; /* all lanes open; which are on is to be filled in */
    struct vector_uses uses;
    uint16_t traits;          /* vector_traits[] */
    uint16_t latency;         /* cycles to the result */
    uint16_t closes;          /* vector_closes() */
    uint8_t after, behind;    /* vector_play.c */
    vector_effect *effect[3]; /* by enum vector_way; NULL: nothing is known of it */
};
#define VECTOR_MEMO_BITS 10
#define VECTOR_MEMOS     (1u << VECTOR_MEMO_BITS)

/* Words that are played, as they were found last: vector_play.c. */
#define VECTOR_RING 32u
struct vector_ring {
    uint64_t version; /* of the words */
    struct entry word[VECTOR_RING];
    struct vector_memo memo[VECTOR_RING];
    struct vector_run { /* those that go from a place on; in cycles from the first one on: */
        uint64_t version;
        uint8_t ways;     /* what else it holds for; 0: for nothing */
        uint8_t step;     /* cycles of the clock from word to word */
        uint8_t asked, n; /* how many were to go, and how many do */
        bool ends;        /* the word behind them is not for this, however many were to go */
        uint8_t at;       /* in which the last goes: of the unit's own, or of the clock */
        uint8_t through;  /* of the clock: all are through */
        uint8_t empty;    /* of the clock: the last one goes that finds those before it through */
        uint8_t open;     /* the unit is open again; 0: it is not closed */
        uint8_t late;     /* the last two-cycle word: 0: none, else 1 and how many go before it */
        uint8_t late_at;  /* in which that goes */
        uint32_t held;    /* with time, bit per cycle: in which one is held that goes in the next */
    } run[VECTOR_RING];
};

struct vector {
    uint64_t done_at;  /* first cycle in which the pipe is empty */
    uint64_t swap_end; /* only SFPNOP goes before this cycle */
    uint8_t users;     /* threads that sent something since it was last empty */
    uint8_t thread;    /* who sent the last instruction */
    bool plain;        /* no vector code, though the host has it; reset keeps this */
    bool untimed;      /* cycles are those of `own` */
    uint32_t seeds;    /* writes of PRNG_SEED that the lanes know of */
    uint64_t own;
    uint64_t backdoor_at; /* cycle behind a change of DISABLE_BACKDOOR_LOAD */
    struct vector_numbers {
        uint16_t late, swap, settle;       /* SFPU_LATE, SFPSWAP_WINDOW, SFPCONFIG_SETTLE */
        int64_t slack;                     /* DST_WINDOW - SFPLOAD_DISTANCE */
        bool plays;                        /* they are such as vector_play.c rests on */
        uint16_t latency[256], issue[256]; /* by opcode */
    } numbers;
    struct lanes lanes;
    struct vector_old old;
    struct vector_settle settle;
    struct vector_macro macro;
    /* From here on no state. */
    struct vector_memo memo[VECTOR_MEMOS]; /* of words that have gone before */
    struct vector_ring ring[3];            /* per thread */
};

void vector_reset(struct vector *v, const struct timing *t);
/* From now on cycles are those of the clock, or the unit's own: nothing that was under way is left but what is
   scheduled. */
void vector_untimed(struct vector *v, bool untimed);
/* What an instruction does, by opcode; made from vector.def. */
enum {
    VECTOR_DST = 1,         /* reaches Dst, and advances the counter of its rows */
    VECTOR_SWAPS = 2,       /* exchanges what its second cycle finds, and closes a slot behind it */
    VECTOR_MAY_SHUFFLE = 4, /* closes a slot behind it in some modes: vector_shuffles() */
    VECTOR_LATE = 8,        /* results of the MAD sub-unit */
    VECTOR_MACRO = 16,      /* schedules */
    VECTOR_CONFIGS = 32,    /* SFPCONFIG */
    VECTOR_FLAGS = 64,      /* other lanes may be on behind it */
    VECTOR_READS_DST = 128,
    VECTOR_NOTHING = 256 /* does nothing, anywhere: it alone goes while the unit is closed */
};

extern const uint16_t vector_traits[256];
/* The sub-unit that an instruction goes to. */
extern const uint8_t vector_subs[256];

bool vector_shuffles(const struct entry *e, unsigned traits);
/* For how many cycles behind e only SFPNOP goes. */
unsigned vector_closes(const struct vector *v, const struct entry *e, unsigned traits);
/* Fills in what a word does; false, and nothing is known: it is not the unit's, or the lanes' configuration has a say in it. */
bool vector_memorise(const struct vector *v, struct vector_memo *m, const struct vector_op *o);
/* Does the check hold e back, one cycle behind a two-cycle instruction? */
bool vector_waits(const struct vector *v, const struct entry *e);
/* What the instruction does to lanes and Dst in cycle at, together with what is scheduled for it. False: it is lost. */
bool vector_run(struct vector *v, const struct vector_io *io, const struct entry *e, uint64_t at);
/* Looks for writes of the Matrix Unit that a load in cycle now comes too early for. */
void vector_look_at_dst(const struct vector *v, const struct vector_io *io, const struct entry *e,
                        uint64_t now);
/* May a load in cycle now come too early for them? */
HOT_INLINE bool vector_is_early(const struct vector *v, const struct dst *d, uint64_t now)
{
    return (int64_t)now + v->numbers.slack < (int64_t)d->last_ready;
}
/* Without time: the cycle of the unit's own in which e goes. */
uint64_t vector_own(struct vector *v, const struct vector_io *io, const struct entry *e);
/* Without time: the thread sends a word to another unit; waits: one that may wait for this one. While nothing is
   scheduled, the unit's clock goes on by VECTOR_REST then, by 1 otherwise. */
#define VECTOR_REST    4u /* cycles in which all that needs time but is not scheduled has settled */
#define VECTOR_LONGEST 1024u /* more cycles than anything takes that is scheduled */
void vector_beside(struct vector *v, const struct vector_io *io, bool waits);
/* Carries out all that only waits for cycles. */
void vector_finish(struct vector *v, const struct vector_io *io);

/* vector_macro.c: one cycle in which something is scheduled, or an instruction reads what is not there yet; e: that
   goes in it, or NULL. False: e is lost. */
bool vector_macro_cycle(struct vector *v, const struct vector_io *io, const struct entry *e,
                        uint64_t at);
/* SFPCONFIG is about to change LoadMacroConfig. */
void vector_macro_unsettle(struct vector *v, const struct vector_op *o, uint64_t at);

/* vector.c, for it: */
/* Keeps what a two-cycle instruction is about to replace. */
void vector_keep(struct vector *v, const struct vector_io *io, const struct vector_op *o,
                 uint64_t at);
void vector_carry_out(struct vector *v, const struct vector_io *io, const struct vector_op *o,
                      uint64_t at);
void vector_report(const struct vector *v, const struct vector_io *io, const struct vector_op *o,
                   uint64_t at, unsigned diag, uint32_t arg);

HOT_INLINE struct vector_io vector_io_of(struct vector *v, struct dst *dst, struct rwc *rwc,
                                         const struct config *c, unsigned thread, struct probe *p)
{
    return (struct vector_io){.lanes = &v->lanes,
                              .out = v->lanes.r,
                              .dst = dst,
                              .rwc = &rwc->t[thread],
                              .config = c,
                              .cfg = c->word[config_state_id(c, thread)],
                              .thread_config = c->thread[thread],
                              .probe = p,
                              .thread = thread,
                              .plain = v->plain || !vector_avx2_usable()};
}

/* How effects go: without vector code, with it, and with it while all lanes are on and none is configured. */
enum vector_way { VECTOR_PLAIN, VECTOR_FAST, VECTOR_USUAL };

HOT_INLINE enum vector_way vector_way(const struct vector_io *io, uint32_t on)
{
    if (io->plain)
        return VECTOR_PLAIN;
    return on == UINT32_MAX && !io->lanes->config_any ? VECTOR_USUAL : VECTOR_FAST;
}

/* Where a word is remembered. */
HOT_INLINE unsigned vector_memo_at(uint32_t word)
{
    return (word ^ word >> 13) * UINT32_C(0x85ebca6b) >> (32 - VECTOR_MEMO_BITS);
}

/* Is that the word? */
HOT_INLINE bool vector_known(const struct vector_memo *m, uint32_t word)
{
    return m->op.word == word && m->effect[VECTOR_PLAIN];
}

/* May a result of two cycles not be there yet? */
HOT_INLINE bool vector_too_early(const struct vector *v, uint64_t at)
{
    return v->old.mask && at > v->old.at && at <= v->old.until;
}

/* What may be remembered of a word. */
HOT_INLINE const struct vector_memo *vector_recall(const struct vector *v, uint32_t word)
{
    return &v->memo[vector_memo_at(word)];
}

/* The hardware's reasons to hold e in cycle now. Ledger key of the wait, 0 if there is none. */
HOT_INLINE uint16_t vector_guard(const struct vector *v, const struct entry *e, uint64_t now)
{
    if (now < v->swap_end && !(vector_traits[e->op] & VECTOR_NOTHING))
        return wait_key(WAIT_STRUCTURAL, OWNER_VECTOR);
    if (v->old.guarded && now <= v->old.until) {
        const struct vector_memo *m = vector_recall(v, e->word);
        if (vector_known(m, e->word) ? m->uses.seen & v->old.guarded : vector_waits(v, e))
            return wait_key(WAIT_LREG, OWNER_VECTOR);
    }
    return 0;
}

/* May e go in cycle now? */
HOT_INLINE uint16_t vector_check(const struct vector *v, const struct entry *e, uint64_t now)
{
    return v->untimed ? 0 : vector_guard(v, e, now);
}

/* The thread has sent something: C11 looks at who did since the pipe was last empty. */
HOT_INLINE void vector_use(struct vector *v, unsigned thread)
{
    v->users |= (uint8_t)(1u << thread);
}

/* Done in cycle done or later. */
HOT_INLINE void vector_until(struct vector *v, uint64_t now, uint64_t done)
{
    if (now >= v->done_at && !vector_macro_ticks(&v->macro))
        v->users = 0;
    if (done > v->done_at)
        v->done_at = done;
}

/* The instruction goes, whatever it is and whatever is scheduled. */
void vector_start_any(struct vector *v, const struct vector_io *io, const struct entry *e,
                      uint64_t now);

/* The first cycle from at on in which a word goes, while nothing is scheduled; seen: vector_uses. */
HOT_INLINE uint64_t vector_free(const struct vector *v, unsigned op, uint32_t seen, uint64_t at)
{
    if (at < v->swap_end && !(vector_traits[op] & VECTOR_NOTHING))
        at = v->swap_end;
    if (seen & v->old.guarded && at <= v->old.until)
        at = v->old.until + 1;
    return at;
}

/* Keeps what a remembered two-cycle instruction is about to replace, mostly one register. */
HOT_INLINE void vector_keep_memo(struct vector *v, const struct vector_io *io,
                                 const struct vector_memo *m, uint64_t at)
{
    struct vector_old *old = &v->old;
    uint32_t late = m->uses.late;
    if (!LIKELY(old->at != at)) {
        vector_keep(v, io, &m->op, at);
        return;
    }
    old->at = at;
    old->until = at + v->numbers.late;
    old->mask = late;
    old->guarded = cfg_get(io->cfg, CFG_SFPU_SCOREBOARD_DISABLE) ? 0 : m->uses.claimed;
    for (; late; late &= late - 1) {
        unsigned i = (unsigned)__builtin_ctz(late);
        memcpy(old->r[i], io->out[i], sizeof old->r[i]);
    }
}

/* May a word go the short way: it was remembered, nothing is scheduled, no seed was written? */
HOT_INLINE bool vector_ready(const struct vector *v, const struct vector_io *io)
{
    return !v->macro.n && io->config->seeds == v->seeds;
}

/*
 * What vector_start_any() does with a remembered word in cycle at, if vector_ready(). The caller sees to what time itself
 * changes. False: something is read too early, and nothing is done.
 */
HOT_INLINE bool vector_start_memo(struct vector *v, const struct vector_io *io,
                                  struct vector_memo *m, const struct entry *e, uint64_t now,
                                  uint64_t at)
{
    if (m->uses.reads & v->old.mask && vector_too_early(v, at))
        return false;
    if (m->traits & VECTOR_READS_DST && vector_is_early(v, io->dst, now))
        vector_look_at_dst(v, io, e, now);
    m->op.tag = e->tag;
    m->op.on = lanes_enabled(&v->lanes);
    if (m->traits & VECTOR_LATE)
        vector_keep_memo(v, io, m, at);
    enum vector_way way = vector_way(io, m->op.on);
    if (m->traits & VECTOR_LATE && !vector_avx2_host_rounds())
        way = VECTOR_PLAIN;
    m->effect[way](io, &m->op);
    if (m->traits & VECTOR_DST)
        rwc_modify(io->rwc, io->thread_config, bits_get(e->word, 13, 3), false);
    if (m->closes)
        v->swap_end = at + 1 + m->closes;
    return true;
}

/* The instruction goes; the caller sees to vector_use(). */
HOT_INLINE void vector_start(struct vector *v, const struct vector_io *io, const struct entry *e,
                             uint64_t now)
{
    struct vector_memo *m = (struct vector_memo *)vector_recall(v, e->word);
    uint64_t at = v->untimed ? vector_free(v, e->op, m->uses.seen, v->own) : now;
    if (!LIKELY(vector_known(m, e->word) && vector_ready(v, io) &&
                vector_start_memo(v, io, m, e, now, at))) {
        vector_start_any(v, io, e, now);
        return;
    }
    if (v->untimed)
        v->own = at + 1;
    v->thread = (uint8_t)io->thread;
    vector_until(v, now, now + m->latency);
}

/* What time has to do with the words that vector_play() starts. */
struct vector_time {
    uint64_t end;   /* none goes in this cycle or later */
    uint64_t until; /* answer: no earlier than before; when the last of them is through */
    uint32_t
        held; /* answer, bit per cycle from the first on: one was held by what it reads, and went in the next */
    unsigned cycles; /* answer: from the first on, up to the last and with it */
};

/*
 * Starts up to n instructions of one thread, the first in cycle now and each `step` cycles behind the one before, as long
 * as vector_start() would do no more with them than it does with remembered words. The first is e, the others come from the ring
 * `slot` of VECTOR_RING words, from index on. With time one that is held by what it reads goes a cycle later, unless it is the
 * n-th, and the unit is never idle in between; time is NULL without. Returns how many went.
 */
unsigned vector_play(struct vector *v, struct vector_io *io, const struct entry *e,
                     const struct entry *slot, unsigned index, unsigned n, uint64_t now,
                     unsigned step, struct vector_time *time);

/* Time alone changes something in the unit. */
static inline bool vector_ticks(const struct vector *v)
{
    return vector_macro_ticks(&v->macro);
}

/* With time: the end of a cycle in which something may be scheduled. */
static inline void vector_clock(struct vector *v, const struct vector_io *io, uint64_t now)
{
    if (v->macro.next <= now)
        vector_macro_cycle(v, io, NULL, now);
}

/* What C11 sees: what counts instructions is not waited for. */
static inline bool vector_busy(const struct vector *v, unsigned thread, uint64_t now)
{
    return (now < v->done_at || vector_ticks(v)) && (v->users >> thread) & 1;
}

#endif
