/*
 * test_burst.c - a burst leaves exactly what so many single cycles leave.
 *
 * Two tiles run the same random MOP and REPLAY programs; one steps every cycle, the other runs
 * bursts wherever it can. After every burst both must be in the same state: counts, ledgers, front
 * ends, address counters, windows, busy times. Words that are pushed meanwhile, of all kinds, meet threads that play, wait
 * or stand before a full queue. Half of the tiles have other numbers than the typical ones, drawn within their minimum and
 * maximum, or some of them forced to anything there is room for.
 */
#include "test.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "coproc/coproc.h"
#include "isa/tensix.h"
#include "rng.h"
#include "timing_random.h"

static struct coproc step_tile, burst_tile;

static uint32_t random_word(struct rng *r, unsigned flavour)
{
    uint32_t dst = rng_below(r, 16) * 8, mode = rng_below(r, 8) << 14;
    switch (flavour ? flavour - 1 : rng_below(r, 6)) {
    case 0: return (uint32_t)TENSIX_OP_NOP << 24;
    case 1: return (uint32_t)TENSIX_OP_MVMUL << 24 | dst | mode;
    case 2:
        return rng_below(r, 8) ? (uint32_t)TENSIX_OP_SFPMAD << 24
                               : (uint32_t)TENSIX_OP_SFPSWAP << 24;
    case 3: return (uint32_t)TENSIX_OP_PACR << 24;
    case 4: return (uint32_t)TENSIX_OP_ELWADD << 24 | dst | rng_below(r, 2) << 21;
    default:
        return rng_below(r, 2)
                   ? (uint32_t)TENSIX_OP_SETADCXX << 24 | dst
                   : (uint32_t)TENSIX_OP_MOVA2D << 24 | rng_below(r, 64) << 17 | 2u << 12 | dst;
    }
}

/* What ends a burst, or keeps its thread at the gate. */
static uint32_t random_end(struct rng *r)
{
    uint32_t block = 0x1ffu << 15, all = 1u << 2 | 1u << 3 | 1u << 4;
    switch (rng_below(r, 6)) {
    case 0: return (uint32_t)TENSIX_OP_STALLWAIT << 24 | block | (1u << rng_below(r, 13));
    case 1: return (uint32_t)TENSIX_OP_SEMWAIT << 24 | block | all | (1u + rng_below(r, 2));
    case 2: return (uint32_t)TENSIX_OP_SEMPOST << 24 | all;
    case 3: return (uint32_t)TENSIX_OP_SEMGET << 24 | all;
    case 4: return (uint32_t)TENSIX_OP_MVMUL << 24 | (1u + rng_below(r, 3)) << 22;
    default:
        return (uint32_t)TENSIX_OP_REPLAY << 24 | rng_below(r, 32) << 14 | 1u << 4 |
               rng_below(r, 2);
    }
}

/* A core pushes something in this cycle, to both. */
static void push_some(struct rng *r)
{
    unsigned i = rng_below(r, COPROC_THREADS), n = 1 + rng_below(r, 4);
    uint32_t words[4], mop = (uint32_t)TENSIX_OP_MOP << 24 | 1u << 23;
    for (unsigned k = 0; k < 4; k++) {
        unsigned kind = rng_below(r, 8);
        words[k] = kind == 0 ? mop : kind < 4 ? random_end(r) : random_word(r, 0);
    }
    assert_int_equal(coproc_port_push(&step_tile, i, words, n, 2),
                     coproc_port_push(&burst_tile, i, words, n, 2));
}

/* A thread that plays: its buffer, and a MOP of REPLAYs. */
static void make_thread(struct rng *r, struct coproc *cp, unsigned i)
{
    unsigned flavour = rng_below(r, 5); /* mostly one kind of word, or anything */
    for (unsigned k = 0; k < REPLAY_SLOTS; k++) {
        uint32_t word = random_word(r, rng_below(r, 40) ? flavour : 0);
        cp->fe[i].replay.slot[k] = (struct entry){.word = word, .op = (uint8_t)(word >> 24)};
    }
    uint32_t *cfg = cp->fe[i].mop.cfg;
    uint32_t nop = (uint32_t)TENSIX_OP_NOP << 24;
    for (unsigned k = 0; k < MOP_CFG_WORDS; k++)
        cfg[k] = nop;
    cfg[0] = 1 + rng_below(r, 4);
    cfg[1] = 1 + rng_below(r, 24);
    for (unsigned k = 5; k < MOP_CFG_WORDS; k += k == 5 ? 2 : 1)
        cfg[k] =
            (uint32_t)TENSIX_OP_REPLAY << 24 | rng_below(r, 32) << 14 | (1 + rng_below(r, 32)) << 4;
    for (unsigned k = 0; k < 8; k++) {
        cp->config.thread[i][RWC_MOD_DST + k] = (uint16_t)(rng_below(r, 3) * 8);
        cp->config.thread[i][RWC_MOD_AB + k] = (uint16_t)rng_below(r, 4);
    }
}

static void make(uint64_t seed, struct coproc *cp)
{
    struct rng r = rng_of(seed, 0);
    memset(&cp->probe, 0, sizeof cp->probe);
    struct timing timing = timing_random(seed, seed % 4 == 3);
    coproc_time(cp, seed % 4 < 2 ? &timing_typical : &timing);
    src_set_owner(&cp->src, SRC_A, 0, SRC_MATRIX);
    if (rng_below(&r, 8))
        src_set_owner(&cp->src, SRC_B, 0, SRC_MATRIX);
    unsigned threads = 1 + rng_below(&r, 7);
    for (unsigned i = 0; i < COPROC_THREADS; i++) {
        make_thread(&r, cp, i);
        if (!((threads >> i) & 1))
            continue;
        uint32_t semwait = (uint32_t)TENSIX_OP_SEMWAIT << 24 | 0x1ffu << 15 | 1u << 2 | 1u;
        uint32_t stall = (uint32_t)TENSIX_OP_STALLWAIT << 24 | 0x1ffu << 15 | 1u << 3 | 1u << 4 |
                         1u << 11; /* packer, Matrix and Vector Unit idle */
        uint32_t mop = (uint32_t)TENSIX_OP_MOP << 24 | 1u << 23;
        uint32_t words[4] = {mop, rng_below(&r, 2) ? stall : random_word(&r, 0), mop, semwait};
        if (!rng_below(&r, 8)) /* it waits for ever */
            words[0] = semwait;
        assert_true(coproc_port_push(cp, i, words, 4, 1));
    }
}

static void same_front_end(struct frontend *a, struct frontend *b)
{
    assert_int_equal(a->tracked, b->tracked);
    assert_int_equal(a->q1.n, b->q1.n);
    assert_int_equal(a->q2.n, b->q2.n);
    assert_int_equal(a->q3.n, b->q3.n);
    for (unsigned i = 0; i < a->q2.n; i++)
        assert_int_equal(a->q2.slot[(a->q2.head + i) % QUEUE_MAX].word,
                         b->q2.slot[(b->q2.head + i) % QUEUE_MAX].word);
    for (unsigned i = 0; i < a->q3.n; i++)
        assert_memory_equal(&a->q3.slot[(a->q3.head + i) % QUEUE_MAX],
                            &b->q3.slot[(b->q3.head + i) % QUEUE_MAX],
                            sizeof(struct entry));
    assert_int_equal(a->replay.mode, b->replay.mode);
    assert_int_equal(a->replay.left, b->replay.left);
    assert_int_equal(a->replay.index, b->replay.index);
    assert_int_equal(a->mop.active, b->mop.active);
    assert_int_equal(a->mop.inner, b->mop.inner);
    assert_int_equal(a->mop.outer, b->mop.outer);
}

/* May a word that comes now still meet what was replaced? */
static bool old_counts(const struct vector *v, uint64_t now)
{
    return (v->old.mask || v->old.guarded) && now <= v->old.until;
}

/* What two-cycle results replace counts only as long as it can be seen, and what is known of words is no state. */
static void same_vector(struct vector *a, struct vector *b, uint64_t now)
{
    assert_memory_equal(a, b, offsetof(struct vector, old));
    assert_int_equal(old_counts(a, now), old_counts(b, now));
    if (old_counts(a, now)) {
        assert_int_equal(a->old.at, b->old.at);
        assert_int_equal(a->old.mask, b->old.mask);
        assert_int_equal(a->old.guarded, b->old.guarded);
        for (unsigned i = 0; i < LANES_LREGS; i++)
            if (a->old.mask >> i & 1)
                assert_memory_equal(a->old.r[i], b->old.r[i], sizeof a->old.r[i]);
    }
    assert_memory_equal(&a->settle, &b->settle, sizeof a->settle);
    assert_memory_equal(&a->macro, &b->macro, sizeof a->macro);
}

static void same(struct coproc *a, struct coproc *b)
{
    assert_int_equal(a->now, b->now);
    assert_memory_equal(a->issued, b->issued, sizeof a->issued);
    assert_memory_equal(a->last_go, b->last_go, sizeof a->last_go);
    assert_memory_equal(a->ledger, b->ledger, sizeof a->ledger);
    assert_memory_equal(&a->rwc, &b->rwc, sizeof a->rwc);
    assert_memory_equal(&a->dst, &b->dst, sizeof a->dst);
    assert_memory_equal(
        &a->matrix, &b->matrix, offsetof(struct matrix, memo)); /* no state from there on */
    same_vector(&a->vector, &b->vector, a->now);
    assert_memory_equal(&a->pack, &b->pack, sizeof a->pack);
    assert_memory_equal(&a->src, &b->src, sizeof a->src);
    assert_memory_equal(
        a->arbiter.first + 1, b->arbiter.first + 1, N_PORTS - 1); /* not PORT_NONE */
    assert_memory_equal(a->busy_to, b->busy_to, sizeof a->busy_to);
    for (unsigned i = 0; i < COPROC_THREADS; i++)
        same_front_end(&a->fe[i], &b->fe[i]);
}

static void bursts_change_nothing(void **state)
{
    (void)state;
    uint64_t in_bursts = 0, all = 0;
    const uint64_t seeds = WG_SLOW_BUILD ? 300 : 3000;
    for (uint64_t seed = 1; seed <= seeds; seed++) {
        make(seed, &step_tile);
        make(seed, &burst_tile);
        struct rng full = rng_of(seed, 1);
        bool pushes = seed % 2;
        for (unsigned k = 0; k < 400 && burst_tile.now < 4000; k++) {
            if (pushes && !rng_below(&full, 4))
                push_some(&full);
            uint64_t n = coproc_burst(&burst_tile, 4000, rng_below(&full, 16));
            in_bursts += n;
            coproc_step(&burst_tile);
            while (step_tile.now < burst_tile.now)
                coproc_step(&step_tile);
            if (n)
                same(&step_tile, &burst_tile);
        }
        all += burst_tile.now;
    }
    print_message("%llu of %llu cycles in bursts, seeds 1 to %llu\n",
                  (unsigned long long)in_bursts,
                  (unsigned long long)all,
                  (unsigned long long)seeds);
    assert_true(in_bursts > all / 5);
}

TEST_MAIN(cmocka_unit_test(bursts_change_nothing))
