/*
 * test_threads.c - any thread may call any of the ten functions at any time: nothing crashes, no call is torn apart by
 * another, everybody gets his turn. Linked with the functions themselves, so that sanitizers see everything.
 *
 * Random parts start from WAITGATE_SEED, which is printed.
 */
#define _GNU_SOURCE /* fopencookie */
#include "test.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "dropin/host.h"
#include "dropin/rv.h"
#include "dropin/ttsim.h"
#include "dropin/turn.h"

#define THREADS       4u
#define BAR0          UINT64_C(0x100000000)
#define TLB_REGISTERS UINT64_C(0x11FC00000)

static uint64_t seed;

/* What one thread is about; what must not be there any more when it has ended is counted. */
struct worker {
    pthread_t thread;
    unsigned number;
    uint64_t rng;
    unsigned wrong;
    bool stays; /* the chip does */
};

static uint32_t rng(struct worker *w, uint32_t below)
{
    w->rng ^= w->rng << 13;
    w->rng ^= w->rng >> 7;
    w->rng ^= w->rng << 17;
    return (uint32_t)(w->rng >> 20) % below;
}

static unsigned run_all(void *(*work)(void *))
{
    struct worker w[THREADS];
    unsigned wrong = 0;
    for (unsigned i = 0; i < THREADS; i++) {
        w[i] = (struct worker){.number = i, .rng = (seed + i) * UINT64_C(0x9E3779B97F4A7C15) | 1};
        assert_int_equal(pthread_create(&w[i].thread, NULL, work, &w[i]), 0);
    }
    for (unsigned i = 0; i < THREADS; i++) {
        pthread_join(w[i].thread, NULL);
        wrong += w[i].wrong;
    }
    return wrong;
}

static void with_time(bool on)
{
    if (on)
        setenv("WAITGATE_CLOCKED", "1", 1);
    else
        unsetenv("WAITGATE_CLOCKED");
}

/* ---- noise ---- */

static void no_read(uint64_t address, void *to, uint32_t size)
{
    (void)address, (void)to, (void)size;
}

static void no_write(uint64_t address, const void *from, uint32_t size)
{
    (void)address, (void)from, (void)size;
}

/* One call of any kind; the chip comes and goes, unless it stays. */
static void any_call(struct worker *w)
{
    uint32_t x = 1 + rng(w, 7), y = 2 + rng(w, 9), go = rng(w, 2) ? 0 : HOST_SOFT_RESET_ALL;
    uint32_t words[16], at = rng(w, 0x10000) & ~3u;
    for (unsigned i = 0; i < 16; i++)
        words[i] = rng(w, UINT32_MAX);
    switch (rng(w, 13)) {
    case 0: libttsim_clock(rng(w, 4)); break;
    case 1: libttsim_tile_wr_bytes(x, y, HOST_SOFT_RESET, &go, 4); break;
    case 2: libttsim_tile_rd_bytes(x, y, at, words, sizeof words); break;
    case 3:
    case 4: libttsim_tile_wr_bytes(x, y, at, words, sizeof words); break;
    case 5: libttsim_tile_rd_bytes(x, y, 0xFFB12000 + (at & 0xfff), words, 4); break;
    case 6: libttsim_pci_mem_wr_bytes(TLB_REGISTERS + rng(w, 2000), words, 12); break;
    case 7: libttsim_pci_mem_rd_bytes(BAR0 + rng(w, 0x19400000), words, 64); break;
    case 8: libttsim_pci_mem_wr_bytes(BAR0 + rng(w, 0x19400000), words, 64); break;
    case 9: libttsim_pci_config_wr32(0, rng(w, 64), words[0]); break;
    case 10: libttsim_pci_config_rd32(0, rng(w, 64)); break;
    case 11: libttsim_set_pci_dma_mem_callbacks(go ? no_read : NULL, go ? no_write : NULL); break;
    default:
        if (rng(w, 8) || w->stays)
            break;
        libttsim_exit();
        if (rng(w, 4))
            libttsim_init();
    }
}

static void *make_noise(void *ctx)
{
    for (unsigned i = 0; i < 2000; i++)
        any_call(ctx);
    return NULL;
}

static void any_thread_calls_anything(void **state)
{
    (void)state;
    for (unsigned clocked = 0; clocked < 2; clocked++) {
        with_time(clocked);
        libttsim_init();
        run_all(make_noise);
        libttsim_exit();
    }
    with_time(false);
}

/* ---- whole calls ---- */

/* Every write is of equal bytes, so every read must find equal bytes: in L1, in DRAM, in the windows' registers. */
static void *write_whole(void *ctx)
{
    struct worker *w = ctx;
    uint8_t bytes[1024];
    for (unsigned i = 0; i < 1500; i++) {
        unsigned kind = rng(w, 3), size = kind == 2 ? 12u : (unsigned)sizeof bytes;
        bool write = rng(w, 2);
        memset(bytes, (int)rng(w, 256), sizeof bytes);
        if (kind == 2 && write)
            libttsim_pci_mem_wr_bytes(TLB_REGISTERS, bytes, size);
        else if (kind == 2)
            libttsim_pci_mem_rd_bytes(TLB_REGISTERS, bytes, size);
        else if (write)
            libttsim_tile_wr_bytes(kind ? 9 : 1, 2, 0x400, bytes, size);
        else
            libttsim_tile_rd_bytes(kind ? 9 : 1, 2, 0x400, bytes, size);
        w->wrong += memcmp(bytes, bytes + 1, size - 1) != 0;
    }
    return NULL;
}

static void no_call_is_torn_apart(void **state)
{
    (void)state;
    libttsim_init();
    assert_int_equal(run_all(write_whole), 0);
    libttsim_exit();
}

/* Cycles of all threads add up, and no thread ever sees time go back. */
static void *pass_time(void *ctx)
{
    struct worker *w = ctx;
    uint32_t last = 0, now = 0;
    for (unsigned i = 0; i < 500; i++) {
        libttsim_clock(1 + w->number);
        libttsim_tile_rd_bytes(1 + w->number, 2, HOST_WALL_CLOCK, &now, 4);
        w->wrong += now < last + 1 + w->number;
        last = now;
    }
    return NULL;
}

static void time_adds_up(void **state)
{
    (void)state;
    uint32_t program[] = {rv_addi(5, 5, 1), rv_jal(0, -4)}, now = 0;
    const uint32_t go = HOST_SOFT_RESET_ALL & ~(uint32_t)HOST_SOFT_RESET_B;
    with_time(true);
    libttsim_init();
    libttsim_tile_wr_bytes(2, 2, 0, program, sizeof program); /* one of four tiles runs */
    libttsim_tile_wr_bytes(2, 2, HOST_SOFT_RESET, &go, 4);
    assert_int_equal(run_all(pass_time), 0);
    libttsim_tile_rd_bytes(1, 2, HOST_WALL_CLOCK, &now, 4);
    assert_int_equal(now, 500 * (1 + 2 + 3 + 4));
    libttsim_exit();
    with_time(false);
}

/* ---- turns ---- */

static atomic_uint served;

static void *take_a_turn(void *ctx)
{
    struct worker *w = ctx;
    turn_take();
    w->wrong = atomic_fetch_add(&served, 1) != w->number;
    turn_give();
    return NULL;
}

static void first_come_first_served(void **state)
{
    (void)state;
    for (unsigned round = 0; round < 50; round++) {
        struct worker w[THREADS] = {{0}};
        atomic_store(&served, 0);
        turn_take();
        for (unsigned i = 0; i < THREADS; i++) {
            uint64_t before = turn_asked();
            w[i].number = i;
            assert_int_equal(pthread_create(&w[i].thread, NULL, take_a_turn, &w[i]), 0);
            while (turn_asked() == before)
                usleep(10);
        }
        turn_give();
        for (unsigned i = 0; i < THREADS; i++) {
            pthread_join(w[i].thread, NULL);
            assert_int_equal(w[i].wrong, 0);
        }
    }
}

#define TURNS 200u

/* It has been cancelled before its first turn, and gives back the lock for the others whenever one of them came earlier. */
static void *take_turns_cancelled(void *ctx)
{
    (void)ctx;
    pthread_cancel(pthread_self());
    for (unsigned i = 0; i < TURNS; i++) {
        turn_take();
        atomic_fetch_add(&served, 1);
        turn_give();
    }
    pthread_testcancel();
    return NULL;
}

static void who_is_cancelled_keeps_his_turns(void **state)
{
    (void)state;
    pthread_t thread[THREADS];
    void *end;
    atomic_store(&served, 0);
    alarm(120); /* rather than waiting for ever */
    turn_take();
    uint64_t before = turn_asked();
    for (unsigned i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, take_turns_cancelled, NULL), 0);
    while (turn_asked() < before + THREADS)
        usleep(10);
    turn_give();
    for (unsigned i = 0; i < THREADS; i++) {
        pthread_join(thread[i], &end);
        assert_ptr_equal(end, PTHREAD_CANCELED);
    }
    alarm(0);
    assert_int_equal(atomic_load(&served), THREADS * TURNS);
}

/* ---- from inside of a call, and after a fork ---- */

static unsigned calls_from_inside;

/* The stream to which messages go calls back. */
static ssize_t write_calls(void *cookie, const char *text, size_t size)
{
    struct worker *w = cookie;
    (void)text;
    calls_from_inside++;
    for (unsigned i = 0; i < 50; i++)
        any_call(w);
    return (ssize_t)size;
}

static void what_a_message_calls_may_call_back(void **state)
{
    (void)state;
    struct worker w = {.rng = seed | 1};
    FILE *was = stderr, *s = fopencookie(&w, "w", (cookie_io_functions_t){.write = write_calls});
    const uint32_t program = 0xFFFFFFFF, go = 0;
    assert_non_null(s);
    setvbuf(s, NULL, _IONBF, 0);
    setenv("WAITGATE_VERBOSE", "1", 1);
    for (unsigned i = 0; i < 20; i++) {
        stderr = s;
        libttsim_exit();
        libttsim_init();
        libttsim_tile_rd_bytes(0, 1, 5, &w, 4000000000u);
        libttsim_tile_wr_bytes(1, 2, 0, &program, 4);
        libttsim_tile_wr_bytes(1, 2, HOST_SOFT_RESET, &go, 4);
        libttsim_clock(10);
        libttsim_exit();
    }
    unsetenv("WAITGATE_VERBOSE");
    stderr = was;
    fclose(s);
    libttsim_exit();
    assert_true(calls_from_inside > 20);
}

static atomic_bool enough;

static void *clock_on(void *ctx)
{
    while (!atomic_load(&enough))
        any_call(ctx);
    return NULL;
}

/* The child has a chip of its own, whatever the parent's threads were doing. */
static void a_child_has_its_own_chip(void **state)
{
    (void)state;
    struct worker w[2] = {{.rng = seed | 1, .stays = true}, {.rng = seed * 3 | 1, .stays = true}};
    libttsim_init();
    atomic_store(&enough, false);
    for (unsigned i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&w[i].thread, NULL, clock_on, &w[i]), 0);
    for (unsigned i = 0; i < 20; i++) {
        int status = 0;
        pid_t child = fork();
        assert_true(child >= 0);
        if (!child) {
            uint32_t word = 0x12345678 + i, found = 0;
            alarm(120); /* rather than waiting for ever */
            libttsim_exit();
            libttsim_init();
            libttsim_tile_wr_bytes(1, 2, 0x100, &word, 4);
            libttsim_clock(3);
            libttsim_tile_rd_bytes(1, 2, 0x100, &found, 4);
            libttsim_exit();
            _exit(found != word);
        }
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_int_equal(status, 0);
    }
    atomic_store(&enough, true);
    for (unsigned i = 0; i < 2; i++)
        pthread_join(w[i].thread, NULL);
    libttsim_exit();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_thread_calls_anything),
        cmocka_unit_test(no_call_is_torn_apart),
        cmocka_unit_test(time_adds_up),
        cmocka_unit_test(first_come_first_served),
        cmocka_unit_test(who_is_cancelled_keeps_his_turns),
        cmocka_unit_test(what_a_message_calls_may_call_back),
        cmocka_unit_test(a_child_has_its_own_chip),
    };
    const char *text = getenv("WAITGATE_SEED");
    seed = text ? strtoul(text, NULL, 0) : (unsigned long)getpid();
    printf("WAITGATE_SEED=%llu\n", (unsigned long long)seed);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
