/*
 * Plans of UNPACR: whatever changes between two of them, Config, ThreadConfig, counters, context or the word itself, the
 * plan that is made from a kept shape is the one that is made from nothing, and so is what is said about it.
 */
#include "test.h"

#include <string.h>

#include "config_drive.h"
#include "isa/tensix.h"
#include "model/rng.h"
#include "move/unpack_plan.h"
#include "num/format.h"
#include "probe/probe.h"

#define SEED    UINT64_C(20261117)
#define L1_SIZE 0x1000u

static struct rng rng;
static struct config config;
static struct adc adc;
static uint8_t l1[L1_SIZE];
static const struct l1_port port = {.bytes = l1, .size = L1_SIZE};
static struct unpack_shapes shapes;
static unsigned kept; /* plans that came from a kept shape */

static uint32_t below(uint32_t n)
{
    return rng_below(&rng, n);
}

/* As kernels have it: BF16, faces of 256 datums, nothing compressed. */
static void usual(void)
{
    memset(&config, 0, sizeof config);
    memset(&adc, 0, sizeof adc);
    memset(&shapes, 0, sizeof shapes);
    for (unsigned bank = 0; bank < 2; bank++)
        for (unsigned u = 0; u < 2; u++) {
            uint32_t *own = config.word[bank] + u * CFG_UNP_STEP;
            own[cfg_word(CFG_UNP_IN_DATA_FORMAT)] = NUM_BF16 | 1 << 4 | 256 << 16;
            own[cfg_word(CFG_UNP_Y_DIM)] = 1 | 4 << 16;
            own[cfg_word(CFG_UNP_OUT_DATA_FORMAT)] = NUM_BF16;
            own[cfg_word(CFG_UNP_DISABLE_ZERO_COMPRESS)] = 0x000f000f;
        }
}

static uint32_t usual_word(unsigned u)
{
    return tensix_UNPACR_encode((struct tensix_UNPACR){
        .last = 1, .ovrd_thread_id = 1, .set_dat_valid = 1, .unpack_block_selection = u});
}

static bool is_kept(uint32_t word)
{
    for (unsigned i = 0; i < 4; i++)
        if (shapes.of[i / 2][i % 2].word == word)
            return true;
    return false;
}

static void check(unsigned thread, uint32_t word, unsigned counter)
{
    struct unpack_shapes none;
    struct unpack_plan p, q;
    memset(&none, 0, sizeof none);
    memset(&p, 0, sizeof p);
    memset(&q, 0, sizeof q);
    kept += is_kept(word);
    struct unpack_remark a =
        unpack_plan_unpacr(&p, &shapes, &config, &adc, &port, thread, word, counter);
    struct unpack_remark b =
        unpack_plan_unpacr(&q, &none, &config, &adc, &port, thread, word, counter);
    assert_int_equal(a.id, b.id);
    assert_int_equal(a.arg, b.arg);
    assert_memory_equal(&p, &q, sizeof p);
}

/* One thing becomes different. */
static void change(uint32_t word[2], unsigned *counter)
{
    unsigned thread = below(3);
    switch (below(6)) {
    case 0: adc_write(&adc, thread, below(2), below(2), below(4), false, below(2048)); break;
    case 1: config.thread[thread][below(CONFIG_THREAD_WORDS)] ^= (uint16_t)(1u << below(16)); break;
    case 2: word[below(2)] ^= 1u << below(23); break;
    case 3: *counter = below(8); break;
    default: config.word[below(2)][below(CONFIG_WORDS)] ^= 1u << below(32); break;
    }
}

static void any_change_is_seen(void **state)
{
    (void)state;
    rng = rng_of(SEED, 1);
    kept = 0;
    for (unsigned round = 0; round < 300; round++) {
        uint32_t word[2] = {usual_word(0), usual_word(1)};
        unsigned counter = 0;
        usual();
        for (unsigned n = 0; n < 60; n++) {
            unsigned u = below(2);
            check(0, word[u], counter);
            check(0, word[u], counter);
            change(word, &counter);
        }
    }
    assert_true(kept > 10000);
}

/* Every bit of Config, one by one. */
static void every_bit_of_config_is_seen(void **state)
{
    (void)state;
    static const uint8_t contexts[] = {0, 1, 2, 3, 4, 7};
    for (unsigned c = 0; c < sizeof contexts; c++)
        for (unsigned u = 0; u < 2; u++)
            for (unsigned i = 0; i < CONFIG_WORDS * 32; i++) {
                usual();
                config_set_thread_at(&config, 0, THCFG_UNPACK_CONTEXT_OFFSET, 8 * u, contexts[c]);
                check(0, usual_word(u), 0);
                config.word[0][i / 32] ^= UINT32_C(1) << i % 32;
                check(0, usual_word(u), 0);
            }
}

/* A value that no UNPACR has, put into what is kept: it comes back if the shape is not made anew. */
static bool comes_from_kept(uint32_t word)
{
    struct unpack_plan p;
    for (unsigned i = 0; i < 4; i++)
        shapes.of[i / 2][i % 2].plan.value = 0x5a5a;
    memset(&p, 0, sizeof p);
    unpack_plan_unpacr(&p, &shapes, &config, &adc, &port, 0, word, 0);
    return p.value == 0x5a5a;
}

/* The same once more needs no new shape, whatever Config says. */
static void what_is_kept_is_used(void **state)
{
    (void)state;
    unsigned used = 0;
    for (unsigned u = 0; u < 2; u++)
        for (unsigned c = 0; c < (u ? 2 : 4); c++)
            for (unsigned i = 0; i < CONFIG_WORDS * 32; i++) {
                uint32_t word = usual_word(u);
                usual();
                config_set_thread_at(&config, 0, THCFG_UNPACK_CONTEXT_OFFSET, 8 * u, c);
                config.word[0][i / 32] ^= UINT32_C(1) << i % 32;
                check(0, word, 0);
                bool has = is_kept(word), uses = comes_from_kept(word);
                assert_int_equal(uses, has);
                used += has;
            }
    assert_true(used > CONFIG_WORDS * 32 * 5); /* of 6: some bits give rise to remarks */
}

TEST_MAIN(cmocka_unit_test(any_change_is_seen), cmocka_unit_test(every_bit_of_config_is_seen),
          cmocka_unit_test(what_is_kept_is_used))
