/*
 * The order of accesses to the window from an Alpha machine onto a tile: for every row of its table, a load finds what the stores
 * before it to the same register have done; behind an MB, what all stores have; and stores keep their order over a WMB, also with
 * stores to memory.
 */
#include "alpha_window_bench.h"

enum barrier { NO_BARRIER, BARRIER_MB, N_BARRIERS };

#define ROUNDS 8u
#define CALM   24 /* cycles after which a thread has nothing more to do than to wait */

static void emit_nops(struct bench *b, unsigned cpu, int n)
{
    for (int i = 0; i < n; i++)
        emit(b, cpu, AX_NOP);
}

/* Some threads, as bits, fight for the Sync Unit from the post on: another post of the CPU is long under way. */
static void emit_contention(struct bench *b, unsigned cpu, unsigned threads)
{
    for (unsigned i = 0; i < SYNC_SEMAPHORES; i++)
        b->t->coproc.sync.sem[i].max = 15;
    for (unsigned thread = 0; thread < COPROC_THREADS; thread++) {
        if (!(threads >> thread & 1))
            continue;
        emit_push(b, cpu, thread, OP_SEMWAIT(STALL_THREAD, SEM_BIT(0), STALL_ON_ZERO));
        for (unsigned i = 0; i < 12; i++) {
            emit_push(b, cpu, thread, OP_SEMPOST(SEM_BIT(5 + thread)));
            emit_push(b, cpu, thread, OP_SEMGET(SEM_BIT(5 + thread)));
        }
    }
    emit(b, cpu, ax_stl(31, TENSIX_SEM(0), 2));
}

static uint32_t word_store(unsigned size, unsigned ra, uint32_t at)
{
    static const uint8_t opcode[] = {[1] = 0x0e, [2] = 0x0d, [4] = 0x2c, [8] = 0x2d};
    bool l1 = at >= TENSIX_L1;
    return ax_memory(opcode[size], ra, (int)(l1 ? at - TENSIX_L1 : at), l1 ? 3 : 2);
}

static uint32_t word_load(unsigned size, unsigned ra, uint32_t at)
{
    static const uint8_t opcode[] = {[1] = 0x0a, [2] = 0x0c, [4] = 0x28, [8] = 0x29};
    bool l1 = at >= TENSIX_L1;
    return ax_memory(opcode[size], ra, (int)(l1 ? at - TENSIX_L1 : at), l1 ? 3 : 2);
}

/* A store and a load right behind it, or with nothing but an MB between them. Returns the result's number. */
static unsigned emit_store_load(struct bench *b, uint32_t store, uint32_t load, unsigned size,
                                uint64_t value, enum barrier barrier)
{
    unsigned k = 8 * b->n_data[0]++, n = b->n_results[0]++;
    assert_true(alpha_mem_poke(&b->m.mem, DATA + k, &value, sizeof value));
    emit(b, 0, ax_ldq(6, (int)k, 1));
    emit(b, 0, word_store(size, 6, store));
    if (barrier == BARRIER_MB)
        emit(b, 0, AX_MB);
    emit(b, 0, word_load(size, 7, load));
    emit(b, 0, ax_stq(7, (int)(RESULTS + 8 * n), 1));
    return n;
}

/* What a load should give: a value, or one less than an earlier load gave. */
struct wanted {
    unsigned result;
    uint64_t value, mask;
    int less_than; /* number of the earlier result, -1: value counts */
};

/* Room in a queue shrinks, and its thread is not idle, as soon as something was pushed: words pile up behind a wait. */
static unsigned queue_row(struct bench *b, enum alpha_window_id id, unsigned thread,
                          enum barrier barrier, struct wanted *w)
{
    unsigned n = 0;
    emit_push(b, 0, thread, OP_SEMWAIT(STALL_THREAD, SEM_BIT(SEM), STALL_ON_ZERO));
    emit_push(b, 0, thread, OP_NOP);
    emit_nops(b, 0, CALM);
    int before = (int)emit_load(b, 0, TENSIX_ROOM(thread), 4);
    for (; n < ROUNDS; n++) {
        bool idle = id == ALPHA_WINDOW_IDLE;
        uint32_t load = idle ? TENSIX_IDLE(thread) : TENSIX_ROOM(thread);
        unsigned found = emit_store_load(b, TENSIX_PUSH(thread), load, 4, OP_NOP, barrier);
        w[n] = (struct wanted){found, 0, UINT64_MAX, idle ? -1 : before};
        before = (int)found;
    }
    emit_store(b, 0, TENSIX_SEM(SEM), 4, 0);
    return n;
}

/* SYNC waits for what was pushed right before it. */
static unsigned sync_row(struct bench *b, unsigned thread, enum barrier barrier, struct wanted *w)
{
    unsigned n = 0;
    while (n < ROUNDS) {
        uint32_t word = OP_SETDMAREG_LO(20, n + 1);
        unsigned found =
            emit_store_load(b, TENSIX_PUSH(thread), TENSIX_SYNC(thread), 4, word, barrier);
        w[n++] = (struct wanted){found, 1, UINT64_MAX, -1};
        w[n] = (struct wanted){emit_load(b, 0, TENSIX_GPR(thread, 20), 4), n, 0xffff, -1};
        n++;
    }
    return n;
}

/* The accesses of one register, and what loads should find. */
static unsigned emit_row(struct bench *b, enum alpha_window_id id, unsigned index,
                         enum barrier barrier, struct wanted *w)
{
    uint32_t at = alpha_window_table[id].offset + index * alpha_window_table[id].stride;
    for (unsigned i = 0; i < ROUNDS; i++) {
        unsigned size = 1u << i % 4;
        uint64_t value = UINT64_C(0x8182838485868788) * (2 * i + 1);
        switch (id) {
        case ALPHA_WINDOW_PUSH:
        case ALPHA_WINDOW_ROOM:
        case ALPHA_WINDOW_IDLE: return queue_row(b, id, index, barrier, w);
        case ALPHA_WINDOW_SYNC: return sync_row(b, index, barrier, w);
        case ALPHA_WINDOW_SEM: /* five posts and three gets */
            w[i] = (struct wanted){.value = i < 5 ? i + 1 : 9 - i, .mask = 15, .less_than = -1};
            w[i].result = emit_store_load(b, at, at, i & 1 ? 8 : 4, i >= 5, barrier);
            break;
        case ALPHA_WINDOW_GPR:
            w[i] = (struct wanted){.value = value, .mask = UINT32_MAX, .less_than = -1};
            w[i].result = emit_store_load(b, at, at, 4, value, barrier);
            break;
        case ALPHA_WINDOW_L1:
            w[i] = (struct wanted){.value = value, .mask = UINT64_MAX, .less_than = -1};
            w[i].mask >>= 64 - 8 * size;
            w[i].result =
                emit_store_load(b, at + 64 * (i % 2), at + 64 * (i % 2), size, value, barrier);
            break;
        case ALPHA_WINDOW_CYCLE: /* nothing can be stored */
        case ALPHA_WINDOW_NOTHING: return 0;
        }
    }
    return ROUNDS;
}

static void row_keeps_order(enum alpha_window_id id, unsigned index, enum barrier barrier,
                            bool contention)
{
    struct bench *b = bench_make(1);
    struct wanted w[ROUNDS + 1];
    if (contention)
        emit_contention(b, 0, 7);
    unsigned n = emit_row(b, id, index, barrier, w);
    assert_int_equal(bench_run(b), MACHINE_DONE);
    for (unsigned i = 0; i < n; i++) {
        uint64_t found = bench_result(b, 0, w[i].result), value = w[i].value;
        if (w[i].less_than >= 0)
            value = bench_result(b, 0, (unsigned)w[i].less_than) - 1;
        if ((found ^ value) & w[i].mask)
            fail_msg("%s %u, access %u%s%s: 0x%llx instead of 0x%llx",
                     alpha_window_table[id].name,
                     index,
                     i,
                     barrier == BARRIER_MB ? ", MB" : "",
                     contention ? ", contention" : "",
                     (unsigned long long)found,
                     (unsigned long long)value);
    }
    bench_free(b);
}

static void every_row_keeps_order(void **state)
{
    (void)state;
    for (unsigned id = 0; id < N_ALPHA_WINDOW_IDS; id++)
        for (unsigned k = 0; k < 4; k++)
            for (unsigned barrier = 0; barrier < N_BARRIERS; barrier++)
                for (unsigned contention = 0; contention < 2; contention++) {
                    bool queue = id == ALPHA_WINDOW_PUSH || id == ALPHA_WINDOW_ROOM ||
                                 id == ALPHA_WINDOW_IDLE;
                    /* semaphores that nobody else uses; queues that nothing else moves */
                    unsigned index =
                        id == ALPHA_WINDOW_SEM ? 1 + k : k * (alpha_window_table[id].count - 1) / 3;
                    if (!queue || !contention)
                        row_keeps_order(
                            (enum alpha_window_id)id, index, (enum barrier)barrier, contention);
                }
}

/* ---- between different places, with a barrier ---- */

enum place { PLACE_MEMORY, PLACE_SEM, PLACE_GPR, PLACE_L1, N_PLACES };
#define SHARED (DATA + 0x6000u) /* in CPU 0's data; r8 of both CPUs */

static uint32_t place_store(enum place p)
{
    switch (p) {
    case PLACE_MEMORY: return ax_stl(9, 0, 8);
    case PLACE_SEM: return ax_stl(31, TENSIX_SEM(SEM), 2); /* 0: posts */
    case PLACE_GPR: return ax_stl(9, TENSIX_GPR(1, 30), 2);
    default: return ax_stl(9, 0x40, 3);
    }
}

static uint32_t place_load(enum place p, unsigned ra)
{
    switch (p) {
    case PLACE_MEMORY: return ax_ldl(ra, 0, 8);
    case PLACE_SEM: return ax_ldl(ra, TENSIX_SEM(SEM), 2);
    case PLACE_GPR: return ax_ldl(ra, TENSIX_GPR(1, 30), 2);
    default: return ax_ldl(ra, 0x40, 3);
    }
}

/* CPU 0 stores to one place, then behind a barrier to another; CPU 1 waits for the second and must see the first. */
static void message_passes(enum place first, enum place second, uint32_t barrier, bool marker)
{
    struct bench *b = bench_make(2);
    b->m.set.wmb_marker = marker;
    b->m.set.other[PIPE_WBUF_ENTRY] = 40;
    for (unsigned i = 0; i < 2; i++) {
        b->m.cpu[i].cpu.reg[8] = SHARED;
        b->m.cpu[i].cpu.reg[9] = 1;
    }
    emit_contention(b, 0, 7);
    emit(b, 0, place_store(first));
    emit(b, 0, barrier);
    emit(b, 0, place_store(second));
    emit(b, 1, place_load(second, 5));
    emit(b, 1, ax_beq(5, -2));
    emit(b, 1, place_load(first, 7));
    assert_int_equal(bench_run(b), MACHINE_DONE);
    if (b->m.cpu[1].cpu.reg[7] != 1)
        fail_msg("place %u, then %s, then place %u%s: not seen in order",
                 first,
                 barrier == AX_MB ? "MB" : "WMB",
                 second,
                 marker ? ", marker" : "");
    bench_free(b);
}

static void barriers_order_stores_to_all_places(void **state)
{
    (void)state;
    for (unsigned k = 0; k < N_PLACES * N_PLACES; k++)
        for (unsigned marker = 0; marker < 2; marker++)
            if (k / N_PLACES != k % N_PLACES) {
                message_passes(
                    (enum place)(k / N_PLACES), (enum place)(k % N_PLACES), AX_MB, marker);
                message_passes(
                    (enum place)(k / N_PLACES), (enum place)(k % N_PLACES), AX_WMB, marker);
            }
}

struct barrier_watch {
    struct bench *b;
    unsigned seen, early;
};

/* A barrier retires: has everything that was stored before it been done? */
static void watch_retire(void *context, const struct pipe *p, const struct pipe_slot *s,
                         uint64_t now)
{
    struct barrier_watch *w = context;
    (void)p, (void)now;
    if (!(s->flags & (AF_MB | AF_WMB)))
        return;
    w->seen++;
    w->early += w->b->w.post.on;
    for (unsigned i = 0; i < COPROC_THREADS; i++)
        w->early += w->b->t->coproc.config.request[i].pending;
}

/* Whoever is given something behind the barrier, a thread too, finds what was stored before it. */
static void no_store_outlives_a_barrier(void **state)
{
    (void)state;
    for (unsigned k = 0; k < 2u * 2u * 8u; k++) {
        struct bench *b = bench_make(1);
        struct barrier_watch watch = {.b = b};
        b->m.env.retire = watch_retire;
        b->m.env.retire_context = &watch;
        b->m.set.wmb_marker = k & 1;
        emit_contention(b, 0, 7);
        emit_nops(b, 0, (int)(k >> 2)); /* in every phase of the Sync Unit's turns */
        for (unsigned i = 0; i < 4; i++) {
            emit(b, 0, place_store(i & 1 ? PLACE_GPR : PLACE_SEM));
            emit(b, 0, k & 2 ? AX_MB : AX_WMB);
        }
        assert_int_equal(bench_run(b), MACHINE_DONE);
        assert_int_equal(watch.seen, 4);
        assert_int_equal(watch.early, 0);
        bench_free(b);
    }
}

/* ---- whose name ---- */

/* A semaphore that a CPU posts above its maximum, and offsets that are nothing: the CPU is named that did it, not the port. */
static void notices_name_the_cpu(void **state)
{
    struct bench *b = bench_make(2);
    (void)state;
    emit_nops(b, 1, 40);
    for (unsigned cpu = 0; cpu < 2; cpu++) {
        emit_store(b, cpu, TENSIX_SEM(SEM - cpu), 4, 0);
        if (cpu)
            emit_load(b, cpu, 0x28, 8);
        else
            emit_store(b, cpu, 0x20, 8, 0);
    }
    assert_int_equal(bench_run(b), MACHINE_DONE);
    const struct probe *p = &b->t->coproc.probe;
    assert_int_equal(p->n_diags, 4);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(p->diag[i].agent, OWNER_CPU0 + i / 2);
    for (unsigned i = 0; i < 2; i++) {
        const struct sync_semaphore *s = &b->t->coproc.sync.sem[SEM - i];
        assert_int_equal(s->last_by, OWNER_CPU0 + i);
        assert_int_equal(s->posted_by, 0); /* of the tile's agents */
        assert_int_equal(b->w.posted[SEM - i], 1u << i);
    }
    bench_free(b);
}

TEST_MAIN(cmocka_unit_test(every_row_keeps_order),
          cmocka_unit_test(barriers_order_stores_to_all_places),
          cmocka_unit_test(no_store_outlives_a_barrier), cmocka_unit_test(notices_name_the_cpu))
