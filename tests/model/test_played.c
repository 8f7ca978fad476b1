/*
 * test_played.c - anything can be played: every opcode, also those that are no instruction, and buffers that were never
 * recorded, by each thread. Bursts end, and leave what single cycles leave.
 */
#include "test.h"

#include <string.h>

#include "coproc/coproc.h"
#include "isa/tensix.h"
#include "model/rng.h"
#include "state/op.h"

#define CYCLES 2000u /* more than any of it takes, if nothing holds it */

static struct coproc one, many; /* step by step; in bursts */

static uint32_t replay(unsigned start, unsigned n, bool load)
{
    return tensix_REPLAY_encode(
        (struct tensix_REPLAY){.load_mode = load, .start_idx = start, .len = n});
}

static void make(struct coproc *cp)
{
    memset(cp, 0, sizeof *cp);
    coproc_reset(cp);
}

/* Pushes and runs; what is pushed is taken in as soon as there is room. */
static void play(struct coproc *cp, unsigned thread, const uint32_t *words, unsigned n, bool bursts)
{
    for (unsigned k = 0; cp->now < CYCLES;) {
        if (k < n && coproc_port_push(cp, thread, &words[k], 1, k + 1))
            k++;
        uint64_t limit = k < n ? cp->now : CYCLES;
        if (!bursts || !coproc_burst(cp, limit, k < n ? 1u << thread : 0))
            coproc_step(cp);
    }
    coproc_settle(cp);
}

static void same(unsigned thread, const uint32_t *words, unsigned n)
{
    make(&one);
    make(&many);
    play(&one, thread, words, n, false);
    play(&many, thread, words, n, true);
    assert_int_equal(one.now, many.now);
    assert_memory_equal(one.issued, many.issued, sizeof one.issued);
    assert_memory_equal(one.ledger, many.ledger, sizeof one.ledger);
    assert_memory_equal(one.probe.count, many.probe.count, sizeof one.probe.count);
}

/* The opcode fills a buffer with words of its own, or NOPs in front of them; that is played again and again. */
static void play_opcode(unsigned op, unsigned thread, unsigned nops)
{
    uint32_t words[40], n = 0;
    words[n++] = replay(0, 8, true);
    for (unsigned i = 0; i < 8; i++)
        words[n++] = i < nops ? (uint32_t)TENSIX_OP_NOP << 24 : (uint32_t)op << 24;
    for (; n < 40; n++)
        words[n] = replay(0, n % 2 ? 8 : 24, false);
    same(thread, words, n);
}

static void every_opcode_can_be_played(void **state)
{
    (void)state;
    unsigned none = 0;
    for (unsigned op = 0; op < 256; op++) {
        bool known = op_table[op].flags & OP_KNOWN;
        none += !known;
        for (unsigned thread = 0; thread < COPROC_THREADS; thread++)
            for (unsigned nops = 0; nops < 8; nops += 7)
                play_opcode(op, thread, nops);
        bool legacy = known && strstr(tensix_table[op].name, "3S"); /* CONV3S1, APOOL3S2, .. */
        assert_int_equal(many.probe.count[DIAG_NO_DATA_EFFECT], legacy);
        if (!known) { /* told once, as is 0, which was never recorded; goes like a NOP */
            assert_int_equal(many.probe.count[DIAG_ILLEGAL_WORD], op ? 2 : 1);
            assert_true(many.issued[2] > 31 * 8);
        }
    }
    assert_int_equal(none, 119);
}

static void buffers_that_were_never_recorded_can_be_played(void **state)
{
    (void)state;
    for (unsigned start = 0; start < REPLAY_SLOTS; start++)
        for (unsigned n = WG_SLOW_BUILD ? start % 8 : 0; n < 64; n += WG_SLOW_BUILD ? 8 : 1)
            for (unsigned thread = 0; thread < COPROC_THREADS; thread++) {
                uint32_t words[] = {replay(start, n, false), replay(start, n, false)};
                same(thread, words, 2);
                assert_int_equal(many.issued[thread], 2 * (n ? n : 64));
            }
}

TEST_MAIN(cmocka_unit_test(every_opcode_can_be_played),
          cmocka_unit_test(buffers_that_were_never_recorded_can_be_played))
