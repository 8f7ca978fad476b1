/*
 * Sync Unit: semaphores and mutexes against the Blackhole pages SyncUnit, SEMINIT, SEMPOST, SEMGET,
 * SEMWAIT, ATGETM, ATRELM.
 */
#include "test.h"

#include <string.h>

#include "drive.h"
#include "front/sync.h"
#include "model/rng.h"

#define SEED UINT64_C(20250102)

static struct probe probe;
static struct sync sync_;
static struct drive d;

static struct entry entry_of(uint32_t word)
{
    return (struct entry){.word = word, .tag = 1, .op = (uint8_t)(word >> 24)};
}

static void execute(unsigned thread, uint32_t word, uint64_t now)
{
    struct entry e = entry_of(word);
    sync_start(&sync_, thread, &e, now, &probe);
}

static uint32_t seminit(unsigned value, unsigned max, unsigned mask)
{
    return tensix_SEMINIT_encode(
        (struct tensix_SEMINIT){.sem_sel = mask, .init_value = value, .max_value = max});
}

static uint32_t sempost(unsigned mask)
{
    return tensix_SEMPOST_encode((struct tensix_SEMPOST){.sem_sel = mask});
}

static uint32_t semget(unsigned mask)
{
    return tensix_SEMGET_encode((struct tensix_SEMGET){.sem_sel = mask});
}

/* ---- the reference: value and max as the pages describe them, and what is worth reporting ---- */

struct ref {
    int value[8], max[8];
    uint32_t above, saturated, underflow;
};

static void ref_post(struct ref *r, unsigned i)
{
    if (r->value[i] == 15) {
        r->saturated++;
    } else {
        r->value[i]++;
        r->above += r->value[i] > r->max[i];
    }
}

static void ref_get(struct ref *r, unsigned i)
{
    if (r->value[i] > 0)
        r->value[i]--;
    else
        r->underflow++;
}

static void same(const struct ref *r, const struct sync *s, const struct probe *p)
{
    for (unsigned i = 0; i < 8; i++) {
        assert_int_equal(s->sem[i].value, r->value[i]);
        assert_int_equal(s->sem[i].max, r->max[i]);
    }
    assert_int_equal(p->count[DIAG_SEM_ABOVE_MAX], r->above);
    assert_int_equal(p->count[DIAG_SEM_SATURATED], r->saturated);
    assert_int_equal(p->count[DIAG_SEM_UNDERFLOW], r->underflow);
}

/* Posts saturate at 15 and gets at 0, for all value and max, whatever Max is; each odd case is
   reported exactly when it happens. By instruction. */
static void all_values_by_instruction(void **state)
{
    (void)state;
    for (int v = 0; v < 16; v++)
        for (int m = 0; m < 16; m++)
            for (unsigned i = 0; i < 8; i++)
                for (unsigned get = 0; get < 2; get++) {
                    struct ref r = {.value = {0}};
                    memset(&probe, 0, sizeof probe);
                    sync_reset(&sync_, &timing_typical);
                    execute(0, seminit((unsigned)v, (unsigned)m, 1u << i), 5);
                    r.value[i] = v;
                    r.max[i] = m;
                    same(&r, &sync_, &probe);
                    execute(1, get ? semget(1u << i) : sempost(1u << i), 6);
                    if (get)
                        ref_get(&r, i);
                    else
                        ref_post(&r, i);
                    same(&r, &sync_, &probe);
                }
}

/* The same through the cores' window: bit 0 of the value written chooses, other bits do not. */
static void all_values_by_window(void **state)
{
    (void)state;
    drive_reset(&d);
    for (int v = 0; v < 16; v++)
        for (int m = 0; m < 16; m++)
            for (unsigned core = 0; core < 3; core++)
                for (uint32_t value = 0; value < 4; value++) {
                    unsigned i = (unsigned)(v + m) % 8;
                    struct ref r = {.value = {0}};
                    sync_reset(&d.t.sync, &timing_typical);
                    memset(d.t.probe.count, 0, sizeof d.t.probe.count);
                    r.value[i] = v;
                    r.max[i] = m;
                    d.t.sync.sem[i].value = (uint8_t)v;
                    d.t.sync.sem[i].max = (uint8_t)m;
                    coproc_port_sem_write(&d.t, core, i, value | 0xfffffff0u);
                    coproc_step(&d.t);
                    assert_true(coproc_port_sem_taken(&d.t, core));
                    if (value & 1)
                        ref_get(&r, i);
                    else
                        ref_post(&r, i);
                    same(&r, &d.t.sync, &d.t.probe);
                    assert_int_equal(coproc_port_sem_read(&d.t, i), r.value[i]);
                }
}

/* Random SEMINIT, SEMPOST and SEMGET over all masks, and who changed what last. */
static void random_instructions(void **state)
{
    struct rng g = rng_of(SEED, 0);
    struct ref r = {.value = {0}};
    unsigned last_by[8];
    (void)state;
    print_message("seed %llu\n", (unsigned long long)SEED);
    memset(&probe, 0, sizeof probe);
    sync_reset(&sync_, &timing_typical);
    for (unsigned i = 0; i < 8; i++)
        last_by[i] = OWNER_NONE;
    for (unsigned n = 0; n < 200000; n++) {
        unsigned mask = rng_below(&g, 256), kind = rng_below(&g, 8), thread = rng_below(&g, 3);
        unsigned v = rng_below(&g, 16), m = rng_below(&g, 16);
        uint32_t junk = rng_next(&g) & 0xfc03u; /* bits that are no fields of POST and GET */
        for (unsigned i = 0; i < 8; i++) {
            if (!((mask >> i) & 1))
                continue;
            int before = r.value[i];
            if (kind == 0) {
                r.value[i] = (int)v;
                r.max[i] = (int)m;
            } else if (kind < 5) {
                ref_post(&r, i);
            } else {
                ref_get(&r, i);
            }
            if (kind == 0 || r.value[i] != before)
                last_by[i] = OWNER_T0 + thread;
        }
        execute(thread,
                kind == 0  ? seminit(v, m, mask)
                : kind < 5 ? sempost(mask) | junk
                           : semget(mask) | junk,
                n);
        same(&r, &sync_, &probe);
        for (unsigned i = 0; i < 8; i++)
            assert_int_equal(sync_.sem[i].last_by, last_by[i]);
    }
}

/* SEMWAIT holds while any selected semaphore is 0 (C0) or at or above its Max (C1). */
static bool holds(unsigned mask, unsigned cond)
{
    for (unsigned i = 0; i < 8; i++) {
        const struct sync_semaphore *s = &sync_.sem[i];
        if (((mask >> i) & 1) == 0)
            continue;
        if (((cond & 1) && s->value == 0) || ((cond & 2) && s->value >= s->max))
            return true;
    }
    return false;
}

/* A key names a condition that is selected and true of the semaphore it blames. */
static void check_key(uint16_t key, unsigned mask, unsigned cond)
{
    unsigned i = (key & 0xffu) - OWNER_SEM0;
    assert_in_range(i, 0, 7);
    assert_true((mask >> i) & 1);
    if (key >> 8 == WAIT_SEM_ZERO) {
        assert_true(cond & 1);
        assert_int_equal(sync_.sem[i].value, 0);
    } else {
        assert_int_equal(key >> 8, WAIT_SEM_MAX);
        assert_true(cond & 2);
        assert_true(sync_.sem[i].value >= sync_.sem[i].max);
    }
}

static void test_one(unsigned mask, unsigned cond)
{
    uint16_t key = sync_test(&sync_, mask, cond);
    assert_int_equal(key != 0, holds(mask, cond));
    if (key)
        check_key(key, mask, cond);
}

/* All value, max, condition and semaphore for one; then random ones with random masks. */
static void semwait_tests_what_the_page_says(void **state)
{
    struct rng g = rng_of(SEED, 1);
    (void)state;
    print_message("seed %llu\n", (unsigned long long)SEED);
    sync_reset(&sync_, &timing_typical);
    for (unsigned n = 0; n < 16 * 16 * 8; n++) {
        unsigned i = n % 8;
        sync_.sem[i].value = (uint8_t)(n / 8 % 16);
        sync_.sem[i].max = (uint8_t)(n / 128);
        for (unsigned cond = 0; cond < 4; cond++)
            test_one(1u << i, cond);
    }
    for (unsigned n = 0; n < 2000; n++) {
        for (unsigned i = 0; i < 8; i++) {
            sync_.sem[i].value = (uint8_t)rng_below(&g, rng_percent(&g, 50) ? 16 : 3);
            sync_.sem[i].max = (uint8_t)rng_below(&g, rng_percent(&g, 50) ? 16 : 3);
        }
        for (unsigned cond = 0; cond < 4; cond++)
            for (unsigned k = 0; k < 16; k++)
                test_one(rng_below(&g, 256), cond);
        test_one(0, 3);
    }
}

/* Only mutexes 0, 2, 3, 4 exist: all 65536 indices, all holders, all threads, both instructions. */
static void mutex_check_matrix(void **state)
{
    (void)state;
    for (uint32_t index = 0; index < 65536; index++)
        for (unsigned holder = 0; holder < 4; holder++)
            for (unsigned thread = 0; thread < 3; thread++) {
                bool exists = index == 0 || index == 2 || index == 3 || index == 4;
                struct entry get = entry_of((uint32_t)TENSIX_OP_ATGETM << 24 | index);
                struct entry rel = entry_of((uint32_t)TENSIX_OP_ATRELM << 24 | index);
                memset(sync_.holder, (int)holder, sizeof sync_.holder);
                uint16_t get_key = sync_check_mutex(&sync_, thread, &get);
                uint16_t rel_key = sync_check_mutex(&sync_, thread, &rel);
                bool foreign = holder != 0 && holder - 1 != thread;
                if (!exists) {
                    assert_int_equal(get_key, wait_key(WAIT_MUTEX_INVALID, OWNER_NOBODY));
                    assert_int_equal(rel_key, wait_key(WAIT_MUTEX_INVALID, OWNER_NOBODY));
                } else {
                    assert_int_equal(get_key,
                                     foreign ? wait_key(WAIT_MUTEX, OWNER_T0 + holder - 1) : 0);
                    assert_int_equal(rel_key, 0);
                }
            }
}

/* Getting makes the thread the holder; releasing frees only what the thread holds, else reported;
   no other mutex changes. */
static void mutex_effects(void **state)
{
    static const unsigned index[] = {0, 2, 3, 4};
    (void)state;
    for (unsigned k = 0; k < 4; k++)
        for (unsigned holder = 0; holder < 4; holder++)
            for (unsigned thread = 0; thread < 3; thread++) {
                uint8_t expect[SYNC_MUTEXES];
                memset(&probe, 0, sizeof probe);
                memset(sync_.holder, (int)holder, sizeof sync_.holder);
                memset(expect, (int)holder, sizeof expect);
                if (holder == 0 || holder == thread + 1) {
                    expect[index[k]] = (uint8_t)(thread + 1);
                    execute(thread, (uint32_t)TENSIX_OP_ATGETM << 24 | index[k], 1);
                    assert_memory_equal(sync_.holder, expect, sizeof expect);
                }
                memset(sync_.holder, (int)holder, sizeof sync_.holder);
                memset(expect, (int)holder, sizeof expect);
                if (holder == thread + 1)
                    expect[index[k]] = 0;
                execute(thread, (uint32_t)TENSIX_OP_ATRELM << 24 | index[k], 1);
                assert_memory_equal(sync_.holder, expect, sizeof expect);
                assert_int_equal(probe.count[DIAG_MUTEX_NOT_HELD], holder != thread + 1);
            }
}

/* Released by thread i with both others waiting, the mutex goes to thread (i + 1) mod 3. */
static void mutex_release_is_fair(void **state)
{
    static const unsigned index[] = {0, 2, 3, 4};
    (void)state;
    for (unsigned k = 0; k < 4; k++)
        for (unsigned i = 0; i < 3; i++)
            for (unsigned delay = 0; delay < 4; delay++) { /* which of the two came first */
                drive_reset(&d);
                drive_add(&d, i, (uint32_t)TENSIX_OP_ATGETM << 24 | index[k]);
                for (unsigned n = 0; n < 8; n++)
                    drive_add(&d, i, DRIVE_NOP);
                drive_add(&d, i, (uint32_t)TENSIX_OP_ATRELM << 24 | index[k]);
                for (unsigned j = 0; j < 3; j++) {
                    unsigned nops = 2 + (j == (i + 1) % 3 ? delay : 3 - delay);
                    for (unsigned n = 0; j != i && n < nops; n++)
                        drive_add(&d, j, DRIVE_NOP);
                    if (j != i)
                        drive_add(&d, j, (uint32_t)TENSIX_OP_ATGETM << 24 | index[k]);
                }
                for (unsigned n = 0; n < 40; n++)
                    drive_step(&d);
                assert_int_equal(d.t.sync.holder[index[k]], (i + 1) % 3 + 1);
            }
}

/* An index that does not exist holds its thread for ever, is reported once, and hurts nobody else. */
static void invalid_mutex_waits_for_ever(void **state)
{
    static const uint32_t index[] = {1, 5, 6, 7, 255, 256, 65535};
    (void)state;
    for (unsigned k = 0; k < sizeof index / sizeof index[0]; k++)
        for (unsigned rel = 0; rel < 2; rel++) {
            uint32_t op = rel ? TENSIX_OP_ATRELM : TENSIX_OP_ATGETM;
            drive_reset(&d);
            drive_add(&d, 1, op << 24 | index[k]);
            drive_add(&d, 1, DRIVE_NOP);
            drive_add(&d, 2, DRIVE_NOP);
            for (unsigned n = 0; n < 200; n++)
                drive_step(&d);
            assert_int_equal(d.went[1][0], DRIVE_NEVER);
            assert_int_equal(d.went[1][1], DRIVE_NEVER);
            assert_int_equal(d.went[2][0], DRIVE_FIRST);
            assert_int_equal(d.t.probe.count[DIAG_MUTEX_INVALID], 1);
            assert_int_equal(d.t.probe.diag[0].arg, index[k]);
        }
}

/* One semaphore or wait instruction or window write per cycle for the whole tile. */
static void the_group_takes_one_per_cycle(void **state)
{
    uint64_t went[9];
    unsigned n = 0;
    (void)state;
    drive_reset(&d);
    for (unsigned i = 0; i < 3; i++)
        for (unsigned k = 0; k < 3; k++)
            drive_add(&d, i, k == 1 ? semget(1u << i) : sempost(1u << i));
    drive_run(&d);
    for (unsigned i = 0; i < 3; i++)
        for (unsigned k = 0; k < 3; k++)
            went[n++] = d.went[i][k];
    for (unsigned i = 0; i < 9; i++) {
        assert_in_range(went[i], DRIVE_FIRST, DRIVE_FIRST + 8);
        for (unsigned j = 0; j < i; j++)
            assert_int_not_equal(went[i], went[j]);
    }
}

TEST_MAIN(cmocka_unit_test(all_values_by_instruction), cmocka_unit_test(all_values_by_window),
          cmocka_unit_test(random_instructions), cmocka_unit_test(semwait_tests_what_the_page_says),
          cmocka_unit_test(mutex_check_matrix), cmocka_unit_test(mutex_effects),
          cmocka_unit_test(mutex_release_is_fair), cmocka_unit_test(invalid_mutex_waits_for_ever),
          cmocka_unit_test(the_group_takes_one_per_cycle))
