/*
 * The ledger: kept by intervals, it must say the same as a list with one entry per cycle.
 */
#include "test.h"

#include <string.h>

#include "model/rng.h"
#include "wait/wait.h"

#define SEED UINT64_C(20250101)

/* What a list with one entry per cycle would hold. */
struct count {
    uint64_t cycles[N_WAITS][N_OWNERS];
    uint32_t times[N_WAITS][N_OWNERS];
    uint64_t total;
};

static struct count count;

static uint64_t count_cause(unsigned cause)
{
    uint64_t sum = 0;
    for (unsigned o = 0; o < N_OWNERS; o++)
        sum += count.cycles[cause][o];
    return sum;
}

static const struct ledger_pair *find_pair(const struct ledger *l, unsigned cause, unsigned owner)
{
    for (unsigned i = 0; i < l->n_pairs; i++)
        if (l->pair[i].cause == cause && l->pair[i].owner == owner)
            return &l->pair[i];
    return NULL;
}

static uint64_t pair_sum(const struct ledger *l)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < l->n_pairs; i++)
        sum += l->pair[i].cycles;
    return sum;
}

/* After a reset the agent stands idle, waiting for nobody, and nothing is booked. */
static void reset_stands_idle(void **state)
{
    struct ledger l;
    (void)state;
    memset(&l, 0xa5, sizeof l);
    wait_ledger_reset(&l, 77);
    assert_int_equal(l.key, wait_key(WAIT_IDLE, OWNER_NONE));
    assert_int_equal(l.since, 77);
    assert_int_equal(l.n_pairs, 0);
    assert_int_equal(wait_ledger_sum(&l), 0);
    wait_ledger_settle(&l, 100);
    assert_int_equal(l.cycles[WAIT_IDLE], 23);
    assert_int_equal(wait_ledger_sum(&l), 23);
}

/* A key keeps cause and owner apart, for all of them. */
static void key_holds_cause_and_owner(void **state)
{
    (void)state;
    for (unsigned c = 0; c < N_WAITS; c++)
        for (unsigned o = 0; o < N_OWNERS; o++) {
            assert_int_equal(wait_key(c, o) >> 8, c);
            assert_int_equal(wait_key(c, o) & 0xff, o);
        }
}

/* Every cause and every owner has a name of its own. */
static void names_are_unique(void **state)
{
    (void)state;
    for (unsigned i = 0; i < N_WAITS; i++)
        for (unsigned j = 0; j < i; j++)
            assert_string_not_equal(wait_table[i].name, wait_table[j].name);
    for (unsigned i = 0; i < N_OWNERS; i++)
        for (unsigned j = 0; j < i; j++)
            assert_string_not_equal(owner_names[i], owner_names[j]);
}

/* Notes that repeat the key change nothing; a note in the same cycle replaces it without a trace. */
static void only_changes_are_booked(void **state)
{
    struct ledger l;
    uint16_t a = wait_key(WAIT_MUTEX, OWNER_T1), b = wait_key(WAIT_PROGRESS, OWNER_T0);
    (void)state;
    wait_ledger_reset(&l, 0);
    assert_true(wait_ledger_note(&l, 0, a));
    assert_int_equal(l.n_pairs, 0); /* no cycle has passed */
    assert_false(wait_ledger_note(&l, 1, a));
    assert_false(wait_ledger_note(&l, 9, a));
    assert_true(wait_ledger_note(&l, 10, b));
    assert_true(wait_ledger_note(&l, 10, a));
    assert_true(wait_ledger_note(&l, 12, b));
    wait_ledger_settle(&l, 14); /* looking at it does not divide it */
    wait_ledger_settle(&l, 15);
    assert_int_equal(l.cycles[WAIT_MUTEX], 12);
    assert_int_equal(l.cycles[WAIT_PROGRESS], 3);
    assert_int_equal(l.cycles[WAIT_IDLE], 0);
    assert_int_equal(find_pair(&l, WAIT_MUTEX, OWNER_T1)->times, 1); /* nothing came between */
    assert_int_equal(find_pair(&l, WAIT_PROGRESS, OWNER_T0)->times, 1);
    assert_int_equal(wait_ledger_sum(&l), 15);
}

/* Notes at random cycles, from a set of n_keys keys; the list of cycles is kept beside. */
static void play(struct ledger *l, struct rng *r, unsigned notes, unsigned causes, unsigned owners)
{
    uint64_t now = rng_below(r, 1000), start = now;
    uint16_t key = wait_key(WAIT_IDLE, OWNER_NONE), before = UINT16_MAX;
    memset(&count, 0, sizeof count);
    wait_ledger_reset(l, now);
    for (unsigned i = 0; i <= notes; i++) {
        uint16_t next = wait_key(rng_below(r, causes), rng_below(r, owners));
        uint32_t length = rng_percent(r, 20) ? rng_below(r, 100000) : rng_below(r, 4);
        assert_int_equal(wait_ledger_sum(l) + (now - l->since), now - start);
        now += length;
        count.cycles[key >> 8][key & 0xff] += length;
        count.total += length;
        if (next != key && i < notes) {
            if (now != l->since) {
                count.times[key >> 8][key & 0xff] += key != before;
                before = key;
            }
            assert_true(wait_ledger_note(l, now, next));
            key = next;
        } else if (i < notes) {
            assert_false(wait_ledger_note(l, now, next));
        }
    }
    if (now != l->since)
        count.times[key >> 8][key & 0xff] += key != before;
    wait_ledger_settle(l, now);
    assert_int_equal(wait_ledger_sum(l), now - start);
    assert_int_equal(count.total, now - start);
}

/* Every cycle lands in exactly one bucket: per cause, and per pair with its number of stretches. */
static void random_notes_agree_with_a_list(void **state)
{
    struct ledger l;
    (void)state;
    print_message("seed %llu\n", (unsigned long long)SEED);
    for (unsigned i = 0; i < 300; i++) {
        struct rng r = rng_of(SEED, i);
        play(&l, &r, 1 + rng_below(&r, 400), 6, 6); /* 36 pairs: all fit, idle included */
        for (unsigned c = 0; c < N_WAITS; c++) {
            assert_int_equal(l.cycles[c], count_cause(c));
            for (unsigned o = 0; o < N_OWNERS; o++) {
                const struct ledger_pair *p = find_pair(&l, c, o);
                assert_int_equal(p ? p->cycles : 0, count.cycles[c][o]);
                assert_int_equal(p ? p->times : 0, count.times[c][o]);
            }
        }
    }
}

/* More different pairs than fit: causes stay exact, and no cycle is lost among the pairs. */
static void surplus_pairs_keep_the_sum(void **state)
{
    struct ledger l;
    (void)state;
    print_message("seed %llu\n", (unsigned long long)SEED);
    for (unsigned i = 0; i < 200; i++) {
        struct rng r = rng_of(SEED + 1, i);
        play(&l, &r, 500 + rng_below(&r, 500), N_WAITS, N_OWNERS);
        assert_int_equal(l.n_pairs, LEDGER_PAIRS);
        for (unsigned c = 0; c < N_WAITS; c++)
            assert_int_equal(l.cycles[c], count_cause(c));
        assert_int_equal(pair_sum(&l), count.total);
        for (unsigned k = 0; k + 1 < LEDGER_PAIRS; k++) /* all but the last are exact */
            assert_int_equal(l.pair[k].cycles, count.cycles[l.pair[k].cause][l.pair[k].owner]);
        uint64_t times = 0, stretches = 0;
        for (unsigned k = 0; k < LEDGER_PAIRS; k++)
            times += l.pair[k].times;
        for (unsigned c = 0; c < N_WAITS; c++)
            for (unsigned o = 0; o < N_OWNERS; o++)
                stretches += count.times[c][o];
        assert_int_equal(times, stretches);
    }
}

/* Settling at any time, twice, or early leaves the sum closed and the stretch open. */
static void settling_keeps_the_stretch_open(void **state)
{
    struct ledger l;
    uint16_t key = wait_key(WAIT_SRCA_BANK, OWNER_UNPACK0);
    (void)state;
    wait_ledger_reset(&l, 5);
    wait_ledger_note(&l, 7, key);
    for (uint64_t now = 7; now < 50; now++) {
        wait_ledger_settle(&l, now);
        wait_ledger_settle(&l, now);
        assert_int_equal(l.key, key);
        assert_int_equal(wait_ledger_sum(&l), now - 5);
        assert_int_equal(l.cycles[WAIT_SRCA_BANK], now - 7);
    }
}

TEST_MAIN(cmocka_unit_test(reset_stands_idle), cmocka_unit_test(key_holds_cause_and_owner),
          cmocka_unit_test(names_are_unique), cmocka_unit_test(only_changes_are_booked),
          cmocka_unit_test(random_notes_agree_with_a_list),
          cmocka_unit_test(surplus_pairs_keep_the_sum),
          cmocka_unit_test(settling_keeps_the_stretch_open))
