/*
 * The MOP expander gives the same words however it is asked: one by one, or as rows that end before a REPLAY. Source: MOPExpander (Wormhole); what is right one by one is checked by the model of the expanders.
 */
#include "test.h"

#include <string.h>

#include "front/mop.h"
#include "isa/tensix.h"
#include "model/rng.h"

#define SEED  UINT64_C(20261116)
#define WORDS 1000u /* more than any of them gives */

/* Few words, so that neighbours are often the same; NOP is left out by the expander. */
static void any_mop(struct rng *r, struct mop *m)
{
    static const uint32_t words[] = {UINT32_C(0x41000000),
                                     UINT32_C(0x41000001),
                                     UINT32_C(0x26000000),
                                     TENSIX_OP_NOP << 24,
                                     TENSIX_OP_REPLAY << 24};
    const unsigned kinds = rng_below(r, 3) ? 4 : 5;
    mop_reset(m, &timing_typical);
    for (unsigned i = 0; i < MOP_CFG_WORDS; i++)
        m->cfg[i] = words[rng_below(r, kinds)];
    bool twice = rng_below(r, 2);
    struct tensix_MOP mop = {.mop_type = twice,
                             .loop_count = rng_below(r, 20),
                             .zmask_lo16_or_loop_count = rng_below(r, 65536)};
    if (twice) {
        m->cfg[MOP_CFG1_OUTER] = rng_below(r, 6);
        m->cfg[MOP_CFG1_INNER] = rng_below(r, 10);
        if (rng_below(r, 4)) /* one word in the inner loop */
            m->cfg[MOP_CFG1_LOOP1] = TENSIX_OP_NOP << 24;
    } else {
        m->cfg[MOP_CFG0_FLAGS] = rng_below(r, 4);
    }
    m->mask_hi = (uint16_t)rng_next(r);
    struct entry e = {.word = tensix_MOP_encode(mop), .tag = 7, .flags = ENTRY_RETIRES};
    mop_start(m, &e);
}

static void same_entry(const struct entry *a, const struct entry *b, unsigned seed)
{
    if (a->word != b->word || a->tag != b->tag || a->op != b->op || a->flags != b->flags)
        fail_msg("seed %u: %08x instead of %08x", seed, (unsigned)a->word, (unsigned)b->word);
}

static void rows_are_single_words_one_by_one(void **state)
{
    (void)state;
    static struct entry one[WORDS], many[WORDS];
    unsigned in_rows = 0, cases = WG_SLOW_BUILD ? 300 : 3000;
    for (unsigned seed = 0; seed < cases; seed++) {
        struct rng r = rng_of(SEED, seed);
        struct mop m, copy;
        unsigned n = 0, k = 0;
        any_mop(&r, &m);
        for (copy = m; m.active; n++) {
            assert_in_range(n, 0, WORDS - 1);
            mop_give_any(&m, &one[n]);
        }
        while (copy.active) {
            unsigned room = 1 + rng_below(&r, 12), gone = mop_give_row(&copy, &many[k], room);
            assert_in_range(gone, 0, room);
            if (!gone) { /* a REPLAY, which goes alone */
                mop_give(&copy, &many[k]);
                assert_int_equal(many[k++].op, TENSIX_OP_REPLAY);
            }
            k += gone;
            in_rows += gone > 1;
        }
        assert_int_equal(k, n);
        for (unsigned i = 0; i < n; i++)
            same_entry(&many[i], &one[i], seed);
        assert_int_equal(copy.transition, m.transition);
    }
    assert_true(in_rows > cases);
}

TEST_MAIN(cmocka_unit_test(rows_are_single_words_one_by_one))
