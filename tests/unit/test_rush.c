/*
 * Without time a thread's words go in rows (coproc/rush.c): a MOP's as many at a time as a ring holds, and those of a MOP
 * that comes again from what is remembered of it. Cycle by cycle without latencies is the same machine, so on
 * random programs both must have let the same words go whenever they stand still.
 *
 * WG_SEED in the environment: the first program.
 */
#include "rush_drive.h"

#define PROGRAMS (WG_SLOW_BUILD ? 200u : 4000u)
#define ROUNDS   12u
#define WORDS    40u
#define SEMS     2u

/* Additions whose result depends on their order, and what holds and lets go. */
static uint32_t any_word(struct rng *r)
{
    uint32_t sem = 1u << rng_below(r, SEMS), k = rng_below(r, 100);
    if (k < 6)
        return WORD(SEMWAIT, .stall_res = TENSIX_BLOCK_ALL, .sem_sel = sem, .wait_sem_cond = 1);
    if (k < 12)
        return WORD(SEMGET, .sem_sel = sem);
    if (k < 18)
        return WORD(SEMPOST, .sem_sel = sem);
    if (k < 25)
        return PLAIN(NOP);
    return WORD(ADDDMAREG,
                .op_a_reg_index = rng_below(r, 4),
                .op_b_reg_index = rng_below(r, 8),
                .op_b_is_const = rng_below(r, 2),
                .result_reg_index = rng_below(r, 4));
}

static uint32_t any_replay(struct rng *r, bool load)
{
    return WORD(REPLAY,
                .load_mode = load,
                .execute_while_loading = load && rng_below(r, 2),
                .len = 1 + rng_below(r, 12),
                .start_idx = rng_below(r, 32));
}

/* MopCfg of both, whose threads are empty. */
static void configure(struct rng *r, unsigned thread)
{
    for (unsigned i = 0; i < MOP_CFG_WORDS; i++) {
        uint32_t value = rng_percent(r, 30)   ? PLAIN(NOP)
                         : rng_percent(r, 15) ? any_replay(r, rng_percent(r, 10))
                                              : any_word(r);
        if (i < 2)
            value = rng_below(r, rng_percent(r, 20) ? 16 : 4);
        quick.fe[thread].mop.cfg[i] = slow.fe[thread].mop.cfg[i] = value;
    }
}

/* A program; words that are the same have the same tag, as if they came from a loop. */
static unsigned make(struct rng *r, uint32_t *word)
{
    uint32_t mop = WORD(MOP,
                        .mop_type = rng_below(r, 2),
                        .loop_count = rng_below(r, rng_percent(r, 20) ? 64 : 8),
                        .zmask_lo16_or_loop_count = rng_below(r, 65536));
    for (unsigned n = 0; n < WORDS;) {
        unsigned k = rng_below(r, 100);
        if (k < 8 && n < WORDS - 12) {
            unsigned len = 1 + rng_below(r, 11);
            word[n++] = WORD(REPLAY,
                             .load_mode = 1,
                             .execute_while_loading = rng_below(r, 2),
                             .len = len,
                             .start_idx = rng_below(r, 32));
            for (; len; len--)
                word[n++] = rng_percent(r, 10) ? mop : any_word(r);
        } else if (k < 15) {
            word[n++] = any_replay(r, false);
        } else if (k < 18) {
            word[n++] = WORD(MOP_CFG, .zmask_hi16 = rng_below(r, 65536));
        } else {
            word[n++] = k < 55 ? mop : any_word(r);
        }
    }
    return WORDS;
}

static void assert_same(unsigned thread)
{
    assert_int_equal(quick.issued[thread], slow.issued[thread]);
    assert_memory_equal(quick.gpr.r, slow.gpr.r, sizeof quick.gpr.r);
    for (unsigned i = 0; i < SEMS; i++)
        assert_int_equal(coproc_port_sem_read(&quick, i), coproc_port_sem_read(&slow, i));
}

static void start(struct coproc *cp)
{
    rush_start(cp);
    for (uint32_t i = 0; i < 4; i++)
        cp->gpr.r[0][i] = cp->gpr.r[1][i] = cp->gpr.r[2][i] = 1 + i;
}

static void program(uint64_t seed)
{
    struct rng r = rng_of(seed, 0);
    uint32_t word[WORDS];
    unsigned thread = rng_below(&r, 3);
    start(&quick);
    start(&slow);
    configure(&r, thread);
    unsigned n = make(&r, word);
    for (unsigned round = 0; round < ROUNDS; round++) {
        unsigned in_quick = 0, in_slow = 0, tries = 0;
        do {
            in_quick = run_quick(thread, word, in_quick, n);
            in_slow = run_slow(thread, word, in_slow, n);
            assert_same(thread);
            for (unsigned i = 0; i < SEMS; i++) {
                coproc_rush_sem_now(&quick, 0, i, 0);
                coproc_rush_sem_now(&slow, 0, i, 0);
            }
            assert_true(tries++ < 100000);
        } while (in_quick < n || in_slow < n || !frontend_empty(&quick.fe[thread]) ||
                 !frontend_empty(&slow.fe[thread]));
        assert_int_equal(quick.fe[thread].tracked, 0);
        assert_int_equal(slow.fe[thread].tracked, 0);
        if (rng_percent(&r, 20))
            configure(&r, thread);
        if (rng_percent(&r, 20))
            n = make(&r, word);
    }
}

static void rows_are_words_one_by_one(void **state)
{
    (void)state;
    uint64_t seed = rush_seed(PROGRAMS);
    for (unsigned i = 0; i < PROGRAMS; i++)
        program(seed + i);
}

TEST_MAIN(cmocka_unit_test(rows_are_words_one_by_one))
