/*
 * The window from an Alpha machine onto a tile: what each register does, that what the tile cannot take holds the CPU and then
 * happens once and in order, and that nothing depends on how the time in between was walked.
 */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "alpha_window_bench.h"
#include "joint/joint_hang.h"

/* ---- the map ---- */

/* Rows are inside the window and do not overlap; every byte finds its own row. */
static void rows_do_not_overlap(void **state)
{
    (void)state;
    for (unsigned i = 0; i < N_ALPHA_WINDOW_IDS; i++) {
        const struct alpha_window_info *a = &alpha_window_table[i];
        uint32_t end = a->offset + a->count * a->stride;
        assert_true(end <= ALPHA_WINDOW_SIZE);
        for (unsigned k = 0; k < i; k++) {
            const struct alpha_window_info *c = &alpha_window_table[k];
            assert_true(c->offset + c->count * c->stride <= a->offset || end <= c->offset);
        }
        struct alpha_window_hit last = alpha_window_find(end - 1);
        assert_int_equal(last.id, i);
        assert_int_equal(last.index, a->count - 1);
        assert_int_equal(last.at, a->stride - 1);
    }
    assert_int_equal(alpha_window_find(ALPHA_WINDOW_SIZE).id, ALPHA_WINDOW_NOTHING);
    assert_int_equal(alpha_window_find(UINT64_MAX).id, ALPHA_WINDOW_NOTHING);
}

/* The header for programs has the same offsets as the table. */
static void header_has_the_same_map(void **state)
{
    static const struct {
        enum alpha_window_id id;
        uint32_t first, last;
    } rows[] = {
        {ALPHA_WINDOW_PUSH, TENSIX_PUSH(0), TENSIX_PUSH(2)},
        {ALPHA_WINDOW_ROOM, TENSIX_ROOM(0), TENSIX_ROOM(2)},
        {ALPHA_WINDOW_IDLE, TENSIX_IDLE(0), TENSIX_IDLE(2)},
        {ALPHA_WINDOW_SYNC, TENSIX_SYNC(0), TENSIX_SYNC(2)},
        {ALPHA_WINDOW_SEM, TENSIX_SEM(0), TENSIX_SEM(7)},
        {ALPHA_WINDOW_CYCLE, TENSIX_CYCLE, TENSIX_CYCLE},
        {ALPHA_WINDOW_GPR, TENSIX_GPR(0, 0), TENSIX_GPR(2, 63)},
        {ALPHA_WINDOW_L1, TENSIX_L1, TENSIX_L1},
    };
    (void)state;
    assert_int_equal(sizeof rows / sizeof rows[0], N_ALPHA_WINDOW_IDS);
    for (unsigned i = 0; i < N_ALPHA_WINDOW_IDS; i++) {
        const struct alpha_window_info *a = &alpha_window_table[rows[i].id];
        assert_int_equal(rows[i].id, i);
        assert_int_equal(rows[i].first, a->offset);
        assert_int_equal(rows[i].last, a->offset + (a->count - 1) * a->stride);
    }
    assert_int_equal(TENSIX_L1_SIZE, alpha_window_table[ALPHA_WINDOW_L1].stride);
    assert_int_equal(TENSIX_L1_SIZE, TILE_L1_SIZE);
}

/* ---- each register ---- */

static void registers_do_what_the_table_says(void **state)
{
    struct bench *b = bench_make(1);
    (void)state;
    unsigned room0 = emit_load(b, 0, TENSIX_ROOM(1), 4);
    unsigned idle0 = emit_load(b, 0, TENSIX_IDLE(1), 8);
    emit_push(b, 0, 1, OP_SEMINIT(15, 4, SEM_BIT(SEM)));
    unsigned room1 = emit_load(b, 0, TENSIX_ROOM(1), 4);
    emit_push(b, 0, 1, OP_NOP);
    unsigned busy = emit_load(b, 0, TENSIX_IDLE(1), 4);
    unsigned sync = emit_load(b, 0, TENSIX_SYNC(1), 4);
    unsigned sem0 = emit_load(b, 0, TENSIX_SEM(SEM), 4);
    emit_store(b, 0, TENSIX_SEM(SEM), 4, 0);
    emit_store(b, 0, TENSIX_SEM(SEM), 4, 0);
    emit_store(b, 0, TENSIX_SEM(SEM), 8, 1);
    emit_store(b, 0, TENSIX_SEM(SEM), 4, 2); /* even: posts */
    for (int i = 0; i < 8; i++)
        emit(b, 0, AX_NOP);
    unsigned sem1 = emit_load(b, 0, TENSIX_SEM(SEM), 8);
    emit_store(b, 0, TENSIX_GPR(2, 63), 4, 0xfedcba98);
    for (int i = 0; i < 32; i++)
        emit(b, 0, AX_NOP);
    unsigned gpr = emit_load(b, 0, TENSIX_GPR(2, 63), 4);
    emit_store(b, 0, TENSIX_L1 + 0x100, 8, UINT64_C(0x0123456789abcdef));
    unsigned word = emit_load(b, 0, TENSIX_L1 + 0x104, 4);
    unsigned cycle0 = emit_load(b, 0, TENSIX_CYCLE, 8);
    unsigned cycle1 = emit_load(b, 0, TENSIX_CYCLE, 8);

    assert_int_equal(bench_run(b), MACHINE_DONE);
    assert_int_equal(bench_result(b, 0, room0), T_Q1_THRESHOLD + 1);
    assert_int_equal(bench_result(b, 0, idle0), 1);
    assert_int_equal(bench_result(b, 0, busy), 0);
    assert_int_equal(bench_result(b, 0, room1), T_Q1_THRESHOLD);
    assert_int_equal(bench_result(b, 0, sync), 1);
    assert_int_equal(bench_result(b, 0, sem0), 4);
    assert_int_equal(bench_result(b, 0, sem1), 4 + 3 - 1);
    assert_int_equal((uint32_t)bench_result(b, 0, gpr), 0xfedcba98);
    assert_int_equal(b->t->coproc.gpr.r[2][63], 0xfedcba98);
    assert_int_equal(bench_result(b, 0, word), 0x01234567);
    assert_memory_equal(b->t->l1_bytes + 0x100, "\xef\xcd\xab\x89\x67\x45\x23\x01", 8);
    uint64_t passed = bench_result(b, 0, cycle1) - bench_result(b, 0, cycle0);
    assert_true(passed >= 2 && passed < 10);
    assert_int_equal(b->t->coproc.probe.n_diags, 0);
    assert_int_equal(b->t->clock.now, b->m.now);
    bench_free(b);
}

/* A store of eight bytes pushes two words, the low one first. */
static void eight_bytes_are_two_words(void **state)
{
    struct bench *b = bench_make(1);
    uint64_t both = OP_SETDMAREG_LO(5, 0x1111) | (uint64_t)OP_SETDMAREG_LO(5, 0x2222) << 32;
    (void)state;
    emit_store(b, 0, TENSIX_PUSH(1), 8, both);
    assert_int_equal(bench_run(b), MACHINE_DONE);
    assert_int_equal(b->n_went, 2);
    assert_int_equal(b->went[0], (uint32_t)both);
    assert_int_equal(b->went[1], both >> 32);
    assert_int_equal(b->t->coproc.gpr.r[1][5], 0x2222);
    bench_free(b);
}

/* A thread that must wait for a GPR write through STALLWAIT C10 sees it. */
static void gpr_write_is_seen_behind_stallwait(void **state)
{
    struct bench *b = bench_make(1);
    (void)state;
    emit_store(b, 0, TENSIX_GPR(1, 8), 4, 41);
    emit_push(b, 0, 1, OP_STALLWAIT(STALL_THCON, WAIT_TRISC_CFG));
    emit_push(b, 0, 1, OP_ADDDMAREG(1, 8, 1, 8));
    unsigned sync = emit_load(b, 0, TENSIX_SYNC(1), 4);
    unsigned gpr = emit_load(b, 0, TENSIX_GPR(1, 8), 4);
    assert_int_equal(bench_run(b), MACHINE_DONE);
    assert_int_equal(bench_result(b, 0, sync), 1);
    assert_int_equal(bench_result(b, 0, gpr), 42);
    bench_free(b);
}

static uint64_t lost_to(const struct bench *b, unsigned cause, unsigned owner)
{
    const struct ledger *l = &b->m.cpu[0].ledger;
    for (unsigned i = 0; i < l->n_pairs; i++)
        if (l->pair[i].cause == cause && l->pair[i].owner == owner)
            return l->pair[i].cycles;
    return 0;
}

/* A second write to the GPRs of a thread waits until the first has arrived. */
static void gpr_writes_wait_for_each_other(void **state)
{
    struct bench *b = bench_make(1);
    (void)state;
    for (unsigned i = 0; i < 8; i++)
        emit(b, 0, ax_lda(10 + i, 100 + (int)i, 31));
    for (unsigned i = 0; i < 8; i++)
        emit(b, 0, ax_stl(10 + i, TENSIX_GPR(0, 10 + (int)i), 2));
    assert_int_equal(bench_run(b), MACHINE_DONE);
    for (unsigned i = 0; i < 8; i++)
        assert_int_equal(b->t->coproc.gpr.r[0][10 + i], 100 + i);
    /* between two of them the request travels */
    assert_true(lost_to(b, WAIT_BACK_PRESSURE, OWNER_CONFIG) >= 7 * T_RISC_MMIO_TRAVEL);
    bench_free(b);
}

/* ---- back-pressure ---- */

/* T1 waits for a post that CPU 1 makes late; CPU 0 pushes more than fits. */
static struct bench *bench_full(unsigned words)
{
    struct bench *b = bench_make(2);
    emit_push(b, 0, 1, OP_SEMWAIT(STALL_THREAD, SEM_BIT(SEM), STALL_ON_ZERO));
    for (unsigned i = 0; i < words; i++)
        emit_push(b, 0, 1, OP_SETDMAREG_LO(6, i));
    for (int i = 0; i < 400; i++)
        emit(b, 1, AX_NOP);
    emit_store(b, 1, TENSIX_SEM(SEM), 4, 0);
    return b;
}

static void full_queue_holds_the_store_in_ex(void **state)
{
    struct bench *b = bench_full(60);
    const struct pipe_slot *s;
    enum pipe_stage stage;
    (void)state;
    b->t->coproc.sync.sem[SEM].max = 1;
    machine_start(&b->m);
    assert_int_equal(machine_run(&b->m, 300), MACHINE_LIMIT);
    alpha_window_follow(&b->w, b->m.now);
    assert_true(pipe_held(&b->m.cpu[0], &s, &stage));
    assert_int_equal(stage, PIPE_EX);
    assert_int_equal(s->key, wait_key(WAIT_BACK_PRESSURE, OWNER_T1));
    assert_int_equal(b->t->coproc.fe[1].tracked, T_Q1_THRESHOLD + 1);
    /* taken: as many stores as are tracked, and the wait at the gate; two instructions each */
    uint64_t retired = b->m.cpu[0].retired;
    assert_int_equal(retired, 2u * (T_Q1_THRESHOLD + 2u) + 1u);
    assert_int_equal(machine_run(&b->m, 50), MACHINE_LIMIT);
    assert_int_equal(b->m.cpu[0].retired, retired);
    bench_free(b);
}

static void held_stores_happen_once_and_in_order(void **state)
{
    struct bench *b = bench_full(60);
    (void)state;
    b->t->coproc.sync.sem[SEM].max = 1;
    assert_int_equal(bench_run(b), MACHINE_DONE);
    assert_int_equal(b->n_went, 61);
    for (unsigned i = 0; i < 60; i++)
        assert_int_equal(b->went[1 + i], OP_SETDMAREG_LO(6, i));
    assert_int_equal(b->t->coproc.gpr.r[1][6], 59);
    assert_true(b->m.cpu[0].ledger.cycles[WAIT_BACK_PRESSURE] > 200);
    assert_int_equal(b->w.posted[SEM], 1u << 1);
    assert_int_equal(b->t->coproc.sync.sem[SEM].last_by, OWNER_CPU1);
    bench_free(b);
}

/* Posts share the Sync Unit with the threads: they wait, in EX and not later, and all are made. */
static void posts_wait_for_the_sync_unit(void **state)
{
    struct bench *b = bench_make(1);
    unsigned ex = 0;
    (void)state;
    for (unsigned i = 0; i < 8; i++)
        b->t->coproc.sync.sem[i].max = 15;
    for (unsigned thread = 0; thread < COPROC_THREADS; thread++) {
        emit_push(b, 0, thread, OP_SEMWAIT(STALL_THREAD, SEM_BIT(SEM), STALL_ON_ZERO));
        for (unsigned i = 0; i < 12; i++) {
            emit_push(b, 0, thread, OP_SEMPOST(SEM_BIT(5 + thread)));
            emit_push(b, 0, thread, OP_SEMGET(SEM_BIT(5 + thread)));
        }
    }
    for (unsigned i = 0; i < 8; i++)
        emit(b, 0, ax_stl(31, TENSIX_SEM(SEM), 2));
    emit(b, 0, AX_HALT);
    machine_start(&b->m);
    while (machine_run(&b->m, 1) == MACHINE_LIMIT) {
        const struct pipe_slot *s;
        enum pipe_stage stage;
        if (!pipe_held(&b->m.cpu[0], &s, &stage) ||
            s->key != wait_key(WAIT_BACK_PRESSURE, OWNER_SYNC))
            continue;
        assert_int_equal(stage, PIPE_EX);
        ex++;
    }
    assert_true(ex > 2 * 7); /* one each because stores to a device are two cycles apart */
    alpha_window_finish(&b->w, b->m.now + 1000);
    assert_int_equal(b->t->coproc.sync.sem[SEM].value, 8);
    assert_int_equal(b->t->coproc.sync.sem[SEM].last_by, OWNER_CPU0);
    assert_int_equal(b->t->coproc.sync.sem[SEM].posted_by, 0);
    bench_free(b);
}

/* Two CPUs that push to one thread: each one's words come in order, and all of them once. */
static void two_cpus_share_a_queue(void **state)
{
    struct bench *b = bench_make(2);
    unsigned next[2] = {0, 0};
    (void)state;
    for (unsigned i = 0; i < 100; i++)
        for (unsigned cpu = 0; cpu < 2; cpu++)
            emit_push(b, cpu, 1, OP_SETDMAREG_LO(10 + cpu, i));
    assert_int_equal(bench_run(b), MACHINE_DONE);
    assert_int_equal(b->n_went, 200);
    for (unsigned i = 0; i < 200; i++) {
        unsigned cpu = b->went[i] == OP_SETDMAREG_LO(11, next[1]);
        assert_int_equal(b->went[i], OP_SETDMAREG_LO(10 + cpu, next[cpu]));
        next[cpu]++;
    }
    bench_free(b);
}

/* ---- bad accesses ---- */

static void bad_accesses_do_nothing_but_say_so(void **state)
{
    static const struct {
        uint32_t offset, size;
        bool store;
        enum diag_id id;
    } bad[] = {
        {0x20, 4, false, DIAG_HOST_NOTHING},
        {0x20, 8, true, DIAG_HOST_NOTHING},
        {ALPHA_WINDOW_SIZE - 8, 8, false, DIAG_HOST_NOTHING},
        {TENSIX_PUSH(0), 4, false, DIAG_WRITE_ONLY},
        {TENSIX_ROOM(0), 4, true, DIAG_READ_ONLY},
        {TENSIX_SYNC(0), 4, true, DIAG_READ_ONLY},
        {TENSIX_CYCLE, 4, true, DIAG_READ_ONLY},
        {TENSIX_PUSH(0), 2, true, DIAG_HOST_WIDTH},
        {TENSIX_PUSH(0) + 4, 4, true, DIAG_HOST_WIDTH},
        {TENSIX_GPR(0, 0), 8, true, DIAG_HOST_WIDTH},
        {TENSIX_SEM(0), 1, false, DIAG_HOST_WIDTH},
        {TENSIX_L1 + TENSIX_L1_SIZE - 4, 8, false, DIAG_HOST_WIDTH},
        {TENSIX_L1 + TENSIX_L1_SIZE - 4, 8, true, DIAG_HOST_WIDTH},
    };
    (void)state;
    for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct bench *b = bench_make(1);
        const struct pipe_device *d = &b->m.env.device;
        machine_start(&b->m);
        memset(b->t->l1_bytes + TILE_L1_SIZE - 8, 0xa5, 8);
        assert_true(d->ready(d->context, 5, bad[i].offset, bad[i].size, bad[i].store));
        if (bad[i].store)
            assert_true(d->store(d->context, 5, bad[i].offset, bad[i].size, 0x1234));
        else
            assert_int_equal(d->load(d->context, 5, bad[i].offset, bad[i].size), 0);
        assert_int_equal(b->t->coproc.probe.n_diags, 1);
        assert_int_equal(b->t->coproc.probe.diag[0].id, bad[i].id);
        assert_int_equal(b->t->coproc.probe.diag[0].cycle, 5);
        assert_true(coproc_idle(&b->t->coproc));
        assert_false(b->w.post.on);
        assert_int_equal(b->t->l1_bytes[TILE_L1_SIZE - 4], 0xa5);
        bench_free(b);
    }
}

/* No access of any size at any offset does harm. */
static void no_access_crashes(void **state)
{
    struct bench *b = bench_make(1);
    const struct pipe_device *d = &b->m.env.device;
    uint64_t now = 0;
    (void)state;
    machine_start(&b->m);
    for (uint32_t at = 0; at < ALPHA_WINDOW_SIZE; at += at < 0x1400 ? 1 : 1021)
        for (unsigned size = 1; size <= 8; size *= 2)
            for (unsigned store = 0; store < 2; store++) {
                now += 3;
                bool ready = d->ready(d->context, now, at, size, store);
                d->owner(d->context, at, store);
                assert_true(ready || d->wake(d->context, now) > now);
                if (ready && store)
                    d->store(d->context, now, at, size, 0x0202020202020202); /* NOPs */
                else if (ready)
                    d->load(d->context, now, at, size);
            }
    assert_true(b->t->coproc.issued[0] > 0);
    bench_free(b);
}

/* ---- the same however it is walked ---- */

static uint32_t next_random(uint32_t *s)
{
    *s = *s * 1664525u + 1013904223u;
    return *s >> 8;
}

static void emit_random(struct bench *b, unsigned cpu, uint32_t *seed)
{
    uint32_t r = next_random(seed), thread = r >> 8 & 1, sem = r >> 10 & 3, k = r >> 12 & 15;
    switch (r % 12) {
    case 0: emit_push(b, cpu, thread, OP_SEMPOST(SEM_BIT(sem))); break;
    case 1: emit_push(b, cpu, thread, OP_SEMGET(SEM_BIT(sem))); break;
    case 2: emit_push(b, cpu, thread, OP_ADDDMAREG(1, 8, k, 8)); break;
    case 3: emit_push(b, cpu, thread, OP_STALLWAIT(STALL_THREAD, WAIT_THCON)); break;
    case 4: emit_push(b, cpu, thread, OP_STOREIND_L1(1, 24, 2, 8, 13)); break;
    case 5: emit_push(b, cpu, thread, OP_LOADIND(1, 24, 0, 9, 13)); break;
    case 6: emit_store(b, cpu, TENSIX_SEM(sem), 4, k & 1); break;
    case 7: emit_store(b, cpu, TENSIX_GPR(thread, k), 4, r); break;
    case 8: emit_store(b, cpu, TENSIX_L1 + 16 * k, 8, r); break;
    case 9: emit_load(b, cpu, TENSIX_SYNC(thread), 4); break;
    case 10: emit_load(b, cpu, TENSIX_CYCLE, 8); break;
    default:
        if (k < 4)
            emit_push(b, cpu, thread, OP_SEMWAIT(STALL_THREAD, SEM_BIT(sem), 1));
        else
            emit_load(b, cpu, TENSIX_ROOM(thread), 4);
        break;
    }
}

static struct bench *bench_random(uint32_t seed, bool no_skip, enum machine_end *end)
{
    struct bench *b = bench_make(1 + seed % 2);
    b->m.no_skip = b->t->clock.no_skip = no_skip;
    for (unsigned i = 0; i < 8; i++)
        b->t->coproc.sync.sem[i].max = 15;
    for (unsigned i = 0; i < 150; i++)
        emit_random(b, i % b->m.n_cpus, &seed);
    emit_poll(b, 0, TENSIX_IDLE(1), false);
    *end = bench_run(b);
    machine_settle(&b->m);
    tile_clock_settle(b->t);
    return b;
}

static void assert_same(const struct bench *a, const struct bench *b)
{
    assert_int_equal(a->m.now, b->m.now);
    for (unsigned i = 0; i < a->m.n_cpus; i++) {
        assert_memory_equal(
            a->m.cpu[i].cpu.reg, b->m.cpu[i].cpu.reg, ALPHA_SINK * sizeof a->m.cpu[i].cpu.reg[0]);
        assert_memory_equal(
            a->m.cpu[i].ledger.cycles, b->m.cpu[i].ledger.cycles, sizeof a->m.cpu[i].ledger.cycles);
    }
    for (unsigned i = 0; i < COPROC_THREADS; i++)
        assert_memory_equal(a->t->coproc.ledger[i].cycles,
                            b->t->coproc.ledger[i].cycles,
                            sizeof a->t->coproc.ledger[i].cycles);
    assert_memory_equal(a->t->coproc.gpr.r, b->t->coproc.gpr.r, sizeof a->t->coproc.gpr.r);
    assert_memory_equal(a->t->l1_bytes, b->t->l1_bytes, sizeof a->t->l1_bytes);
    assert_int_equal(a->n_went, b->n_went);
    assert_memory_equal(a->went, b->went, a->n_went * sizeof a->went[0]);
}

/* Random programs for one and two CPUs, also such that hang: the same cycles, registers and accounts with and without jumping. */
static void jumping_changes_nothing(void **state)
{
    unsigned hangs = 0, polls = 0, runs = 60;
    (void)state;
    for (uint32_t seed = 1; seed <= runs; seed++) {
        enum machine_end end, other;
        struct bench *a = bench_random(seed, false, &end);
        struct bench *b = bench_random(seed, true, &other);
        if (end != other || a->m.now != b->m.now)
            print_message("seed %u\n", seed);
        assert_int_equal(end, other);
        assert_same(a, b);
        hangs += end == MACHINE_HANG;
        polls += a->w.poll.certain;
        bench_free(a);
        bench_free(b);
    }
    assert_true(polls > 0 && hangs > polls && hangs < runs);
}

/* ---- hangs ---- */

static const struct hang_agent *agent_of(const struct hang *h, unsigned agent)
{
    for (unsigned i = 0; i < h->n; i++)
        if (h->agent[i].agent == agent)
            return &h->agent[i];
    fail();
    return NULL;
}

static void expect_chain(const struct hang *h, bool closed, unsigned n, const uint8_t *agents)
{
    assert_int_equal(h->closed, closed);
    assert_int_equal(h->n_chain, n);
    for (unsigned i = 0; i < n; i++)
        assert_int_equal(h->agent[h->chain[i]].agent, agents[i]);
}

#define CHAIN(h, closed, ...)                                                                      \
    do {                                                                                           \
        static const uint8_t agents_[] = {__VA_ARGS__};                                            \
        expect_chain(h, closed, sizeof agents_, agents_);                                          \
    } while (0)

/* The queue is full, its thread waits for a post that comes behind the store that waits. */
static void post_behind_a_full_queue(void **state)
{
    struct bench *b = bench_make(1);
    struct hang h;
    (void)state;
    emit_push(b, 0, 1, OP_SEMWAIT(STALL_THREAD, SEM_BIT(SEM), STALL_ON_ZERO));
    for (unsigned i = 0; i < 40; i++)
        emit_push(b, 0, 1, OP_NOP);
    emit_store(b, 0, TENSIX_SEM(SEM), 4, 0);
    assert_int_equal(bench_run(b), MACHINE_HANG);
    joint_hang_explain(&b->w, &h);
    CHAIN(&h, true, OWNER_CPU0, OWNER_T1);
    const struct hang_agent *cpu = agent_of(&h, OWNER_CPU0), *t1 = agent_of(&h, OWNER_T1);
    assert_int_equal(cpu->stage, PIPE_EX);
    assert_int_equal(cpu->cause, WAIT_BACK_PRESSURE);
    assert_int_equal(cpu->thing, HANG_QUEUE);
    assert_int_equal(cpu->index, 1);
    assert_int_equal(cpu->cpu_pc, CODE + 4 * (2 * (T_Q1_THRESHOLD + 2) + 1));
    assert_int_equal(t1->thing, HANG_SEMAPHORE);
    assert_int_equal(t1->index, SEM);
    assert_int_equal(t1->n_clears, 1);
    assert_int_equal(t1->clear[0].agent, OWNER_CPU0);
    assert_int_equal(t1->clear[0].why, HANG_BEHIND);
    assert_true(t1->since < cpu->since && cpu->since <= h.certain);
    bench_free(b);
}

/* The program has ended, and the thread still waits for a post. */
static void host_has_ended(void **state)
{
    struct bench *b = bench_make(1);
    struct hang h;
    (void)state;
    emit_store(b, 0, TENSIX_SEM(SEM), 4, 0);
    emit_push(b, 0, 2, OP_SEMGET(SEM_BIT(SEM)));
    unsigned sync = emit_load(b, 0, TENSIX_SYNC(2), 4);
    emit_push(b, 0, 1, OP_SEMWAIT(STALL_THREAD, SEM_BIT(SEM), STALL_ON_ZERO));
    emit_push(b, 0, 1, OP_NOP);
    assert_int_equal(bench_run(b), MACHINE_HANG);
    assert_int_equal(bench_result(b, 0, sync), 1);
    joint_hang_explain(&b->w, &h);
    CHAIN(&h, false, OWNER_T1);
    const struct hang_agent *t1 = agent_of(&h, OWNER_T1);
    assert_int_equal(t1->n_clears, 1);
    assert_int_equal(t1->clear[0].agent, OWNER_CPU0);
    assert_int_equal(t1->clear[0].why, HANG_ENDED);
    assert_true(t1->clear[0].before);
    assert_false(agent_of(&h, OWNER_CPU0)->waits);
    bench_free(b);
}

/* The CPU waits for T1 to finish, T1 for a mutex of T0, and T0 for words of the CPU. */
static void mutex_of_a_thread_without_words(void **state)
{
    struct bench *b = bench_make(1);
    struct hang h;
    (void)state;
    emit_push(b, 0, 0, OP_ATGETM(2));
    emit_load(b, 0, TENSIX_SYNC(0), 4);
    emit_push(b, 0, 1, OP_ATGETM(2));
    emit_load(b, 0, TENSIX_SYNC(1), 4);
    emit_push(b, 0, 0, OP_ATRELM(2));
    assert_int_equal(bench_run(b), MACHINE_HANG);
    joint_hang_explain(&b->w, &h);
    CHAIN(&h, true, OWNER_CPU0, OWNER_T1);
    const struct hang_agent *t1 = agent_of(&h, OWNER_T1);
    assert_int_equal(agent_of(&h, OWNER_CPU0)->thing, HANG_THREAD);
    assert_int_equal(t1->thing, HANG_MUTEX);
    assert_int_equal(t1->clear[0].agent, OWNER_T0);
    assert_int_equal(t1->clear[0].why, HANG_EMPTY);
    assert_int_equal(t1->clear[1].agent, OWNER_CPU0);
    assert_int_equal(t1->clear[1].why, HANG_BEHIND);
    bench_free(b);
}

/* A wait that another thread's queued instruction would clear leads there, and from there on to the CPU. */
static void chain_through_two_threads(void **state)
{
    struct bench *b = bench_make(1);
    struct hang h;
    (void)state;
    emit_push(b, 0, 0, OP_STALLWAIT(STALL_THREAD, WAIT_SRCA_VLD)); /* nobody fills SrcA */
    emit_push(b, 0, 0, OP_SEMPOST(SEM_BIT(SEM)));
    emit_push(b, 0, 1, OP_SEMWAIT(STALL_THREAD, SEM_BIT(SEM), STALL_ON_ZERO));
    emit_push(b, 0, 1, OP_NOP);
    emit_load(b, 0, TENSIX_SYNC(1), 4);
    assert_int_equal(bench_run(b), MACHINE_HANG);
    joint_hang_explain(&b->w, &h);
    CHAIN(&h, true, OWNER_CPU0, OWNER_T1, OWNER_T0);
    assert_int_equal(agent_of(&h, OWNER_T0)->thing, HANG_BANK);
    assert_int_equal(agent_of(&h, OWNER_T1)->clear[0].agent, OWNER_T0);
    assert_true(agent_of(&h, OWNER_T1)->clear[0].queued);
    bench_free(b);
}

/* A CPU that polls what a thread that waits will never change hangs, too. */
static void polling_for_ever_is_a_hang(void **state)
{
    static const struct {
        uint32_t offset;
        bool until_zero, closed;
        enum hang_thing thing;
    } polls[] = {
        {TENSIX_IDLE(1), false, true, HANG_THREAD},
        {TENSIX_SEM(4), false, true, HANG_SEMAPHORE},
        {TENSIX_L1 + 0x40, false, true, HANG_WORD},
        {TENSIX_SEM(6), false, false, HANG_SEMAPHORE}, /* nobody would post this one */
    };
    (void)state;
    for (unsigned i = 0; i < sizeof polls / sizeof polls[0]; i++) {
        struct bench *b = bench_make(1);
        struct hang h;
        emit_push(b, 0, 1, OP_SEMWAIT(STALL_THREAD, SEM_BIT(SEM), STALL_ON_ZERO));
        emit_push(b, 0, 1, OP_SEMPOST(SEM_BIT(4)));
        emit_poll(b, 0, polls[i].offset, polls[i].until_zero);
        assert_int_equal(bench_run(b), MACHINE_HANG);
        joint_hang_explain(&b->w, &h);
        const struct hang_agent *cpu = agent_of(&h, OWNER_CPU0);
        assert_int_equal(cpu->cause, WAIT_POLL);
        assert_int_equal(cpu->thing, polls[i].thing);
        assert_int_equal(cpu->cpu_pc, CODE + 4 * 4);
        assert_int_equal(h.closed, polls[i].closed);
        if (polls[i].closed)
            CHAIN(&h, true, OWNER_CPU0, OWNER_T1);
        bench_free(b);
    }
}

/* A poll whose end comes late, from the tile or from another CPU, or by counting, is none. */
static void polling_that_ends_is_no_hang(void **state)
{
    struct bench *b = bench_make(2);
    (void)state;
    for (unsigned i = 0; i < 8; i++)
        b->t->coproc.sync.sem[i].max = 15;
    emit_poll(b, 0, TENSIX_SEM(4), false);
    unsigned after = emit_load(b, 0, TENSIX_CYCLE, 8);
    for (int i = 0; i < 300; i++)
        emit(b, 1, AX_NOP);
    emit_store(b, 1, TENSIX_SEM(4), 4, 0);
    assert_int_equal(bench_run(b), MACHINE_DONE);
    assert_true(bench_result(b, 0, after) > 300);
    bench_free(b);

    b = bench_make(1); /* 100 times round */
    emit(b, 0, ax_lda(6, 100, 31));
    emit(b, 0, ax_ldl(5, TENSIX_SEM(4), 2));
    emit(b, 0, ax_lda(6, -1, 6));
    emit(b, 0, ax_bne(6, -3));
    assert_int_equal(bench_run(b), MACHINE_DONE);
    assert_int_equal(b->w.poll.loads, 100);
    bench_free(b);
}

/* Two CPUs: one has ended, the other waits. */
static void other_cpu_has_ended(void **state)
{
    struct bench *b = bench_make(2);
    struct hang h;
    (void)state;
    emit_push(b, 1, 1, OP_SEMWAIT(STALL_THREAD, SEM_BIT(SEM), STALL_ON_ZERO));
    emit_push(b, 1, 1, OP_NOP);
    emit_load(b, 1, TENSIX_SYNC(1), 4);
    assert_int_equal(bench_run(b), MACHINE_HANG);
    joint_hang_explain(&b->w, &h);
    CHAIN(&h, true, OWNER_CPU1, OWNER_T1);
    assert_int_equal(agent_of(&h, OWNER_T1)->clear[0].why, HANG_ENDED);
    assert_int_equal(agent_of(&h, OWNER_T1)->clear[1].why, HANG_BEHIND);
    bench_free(b);
}

TEST_MAIN(cmocka_unit_test(rows_do_not_overlap), cmocka_unit_test(header_has_the_same_map),
          cmocka_unit_test(registers_do_what_the_table_says),
          cmocka_unit_test(eight_bytes_are_two_words),
          cmocka_unit_test(gpr_write_is_seen_behind_stallwait),
          cmocka_unit_test(gpr_writes_wait_for_each_other),
          cmocka_unit_test(full_queue_holds_the_store_in_ex),
          cmocka_unit_test(held_stores_happen_once_and_in_order),
          cmocka_unit_test(posts_wait_for_the_sync_unit), cmocka_unit_test(two_cpus_share_a_queue),
          cmocka_unit_test(bad_accesses_do_nothing_but_say_so), cmocka_unit_test(no_access_crashes),
          cmocka_unit_test(jumping_changes_nothing), cmocka_unit_test(post_behind_a_full_queue),
          cmocka_unit_test(host_has_ended), cmocka_unit_test(mutex_of_a_thread_without_words),
          cmocka_unit_test(chain_through_two_threads), cmocka_unit_test(polling_for_ever_is_a_hang),
          cmocka_unit_test(polling_that_ends_is_no_hang), cmocka_unit_test(other_cpu_has_ended))
