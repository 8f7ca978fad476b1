/*
 * The clock of a tile: ledgers that add up, loops that are parked, runs in slices, and how runs end. What is parked
 * must go on in the same cycle as what is walked through (clock.no_skip).
 */
#include "tile_drive.h"

#include <stdio.h>

#define FLAG       0x20000u
#define RESULT     0x20100u
#define DATA       0x20400u
#define CFG0       0x7c0u
#define SEM0       UINT32_C(0xffe80020)
#define PUSH       UINT32_C(0xffe40000)
#define MAILBOX_B  UINT32_C(0xffec0000) /* of core T0: from and to B */
#define MAILBOX_T0 UINT32_C(0xffec1000) /* of core B: from and to T0 */
#define NIU        UINT32_C(0xffb20000)
#define PHASES     64u

/* What each core did: its events, as a number that depends on all of them and their order. */
static uint64_t trace[N_AGENTS];

static void note(void *ctx, const struct event *e)
{
    const uint64_t part[] = {e->cycle, e->kind, e->cause, e->owner, e->word, e->arg};
    (void)ctx;
    for (unsigned i = 0; i < sizeof part / sizeof part[0]; i++)
        trace[e->agent] = (trace[e->agent] ^ part[i]) * UINT64_C(0x100000001b3);
}

static int clock_setup(void **state)
{
    tile_setup(state);
    struct tile *tile = *state;
    memset(trace, 0, sizeof trace);
    return tile_clock_run(tile, 0) == TILE_END_LIMIT ? 0 : -1;
}

#define CLOCK_TEST(f) cmocka_unit_test_setup_teardown(f, clock_setup, tile_teardown)

static struct tile *new_tile(bool no_skip)
{
    void *state = NULL;
    clock_setup(&state);
    struct tile *tile = state;
    tile->clock.no_skip = no_skip;
    tile->coproc.probe.sink = note;
    tile->coproc.probe.mask = 1u << EV_CORE | 1u << EV_CORE_WAIT;
    return tile;
}

static void release_all(struct tile *tile, uint32_t bits)
{
    store(tile, NOC, CONTROL(0x1b0), load(tile, NOC, CONTROL(0x1b0)) & ~bits);
}

#define BIT(core) tile_reset_bits[core]

static unsigned agent_of(unsigned core)
{
    return core == NC ? OWNER_CORE_NC : core == B ? OWNER_CORE_B : OWNER_CORE_T0 + core;
}

static void assert_ledgers_add_up(struct tile *tile, uint64_t cycles)
{
    coproc_settle(&tile->coproc);
    for (unsigned i = 0; i < N_AGENTS; i++)
        if (wait_ledger_sum(&tile->coproc.ledger[i]) != cycles)
            fail_msg("%s: %u of %u cycles",
                     owner_names[i],
                     (unsigned)wait_ledger_sum(&tile->coproc.ledger[i]),
                     (unsigned)cycles);
}

/* The two tiles went the same way. */
static void assert_same(struct tile *a, struct tile *b, const char *what)
{
    coproc_settle(&a->coproc);
    coproc_settle(&b->coproc);
    if (a->clock.now != b->clock.now)
        fail_msg("%s: cycle %u, %u", what, (unsigned)a->clock.now, (unsigned)b->clock.now);
    for (unsigned i = 0; i < RV_N_CORES; i++) {
        const struct rvcore *p = &a->core[i], *q = &b->core[i];
        assert_memory_equal(p->x, q->x, 32 * sizeof p->x[0]);
        if (a->pipe[i].poll.on) /* steps and pc of a parked core move on when it wakes */
            continue;
        if (p->pc != q->pc || p->state != q->state || p->steps != q->steps)
            fail_msg("%s: %s pc %x, %x state %u, %u steps %u, %u",
                     what,
                     owner_names[agent_of(i)],
                     (unsigned)p->pc,
                     (unsigned)q->pc,
                     p->state,
                     q->state,
                     (unsigned)p->steps,
                     (unsigned)q->steps);
    }
    for (unsigned i = 0; i < N_AGENTS; i++)
        for (unsigned k = 0; k < N_WAITS; k++) {
            uint64_t p = a->coproc.ledger[i].cycles[k], q = b->coproc.ledger[i].cycles[k];
            if (p != q)
                fail_msg("%s: %s %s %u, %u",
                         what,
                         owner_names[i],
                         wait_table[k].name,
                         (unsigned)p,
                         (unsigned)q);
        }
    for (unsigned i = 0; i < WRITERS_COUNT; i++)
        if (a->writers.of[i].cycle != b->writers.of[i].cycle)
            fail_msg("%s: %x written in cycle %u, %u",
                     what,
                     4 * (unsigned)a->writers.of[i].word - 4,
                     (unsigned)a->writers.of[i].cycle,
                     (unsigned)b->writers.of[i].cycle);
    assert_memory_equal(a->l1_bytes, b->l1_bytes, sizeof a->l1_bytes);
    assert_memory_equal(a->local, b->local, sizeof a->local);
    assert_memory_equal(a->niu, b->niu, sizeof a->niu);
    assert_memory_equal(a->coproc.gpr.r, b->coproc.gpr.r, sizeof a->coproc.gpr.r);
    assert_memory_equal(&a->mailbox, &b->mailbox, sizeof a->mailbox);
    assert_memory_equal(a->coproc.issued, b->coproc.issued, sizeof a->coproc.issued);
}

#define PUT(id, ...) RV_PUT(tile, &at, id, __VA_ARGS__)
#define NOP          PUT(ADDI, .rd = 0)
#define FENCE_ALL    PUT(FENCE, .imm = 0xff)

/* The end of a program, with nothing before it that takes time. */
static void put_end(struct tile *tile, uint32_t at)
{
    while (at % 16 != 8)
        NOP;
    NOP;
    PUT(EBREAK, .rd = 0);
}

/* ---- how runs end ---- */

static void run_lasts_as_long_as_it_shall(void **state)
{
    struct tile *tile = *state;
    assert_int_equal(tile->clock.now, 0);
    uint32_t at = 0;
    PUT(ADDI, .rd = 5, .rs1 = 5, .imm = 1);
    PUT(JAL, .imm = -4);
    release(tile, B);
    assert_int_equal(tile_clock_run(tile, 0), TILE_END_LIMIT);
    assert_int_equal(tile->clock.now, 0);
    assert_int_equal(tile_clock_run(tile, 1), TILE_END_LIMIT);
    assert_int_equal(tile->clock.now, 1);
    assert_int_equal(tile_clock_run(tile, 12345), TILE_END_LIMIT);
    assert_int_equal(tile->clock.now, 12346);
    assert_int_equal(load(tile, NOC, CONTROL(0x1f0)), 12346);
    /* an addi and a jump a round from cycle 14 on, 4 more for the jump that was new */
    assert_int_equal(tile->core[B].x[5], (12346 - 14 - 4 + 1) / 2);
}

static void empty_loop_is_the_end(void **state)
{
    struct tile *tile = *state;
    uint32_t at = 0;
    PUT(ADDI, .rd = 5, .imm = 1);
    PUT(JAL, .imm = 0);
    release(tile, B);
    assert_int_equal(tile_clock_run(tile, 100000), TILE_END_DONE);
    assert_true(tile->clock.now < 100000);
    assert_int_equal(tile->coproc.ledger[OWNER_CORE_B].key, wait_key(WAIT_DONE, OWNER_NONE));
    assert_ledgers_add_up(tile, tile->clock.now);
}

static void ebreak_is_an_end_too(void **state)
{
    struct tile *tile = *state;
    uint32_t at = 0;
    PUT(ADDI, .rd = 5, .imm = 1);
    PUT(EBREAK, .rd = 0);
    release(tile, B);
    assert_int_equal(tile_clock_run(tile, 100000), TILE_END_STOPPED);
    assert_int_equal(tile->clock.now, 16); /* 14 the addi; the ebreak is found behind it */
    assert_ledgers_add_up(tile, 16);
}

static void read_that_nobody_answers_is_a_hang(void **state)
{
    struct tile *tile = *state;
    uint32_t at = 0;
    put_li(tile, &at, 20, MAILBOX_T0);
    PUT(LW, .rd = 5, .rs1 = 20);
    PUT(ADDI, .rd = 6, .rs1 = 5);
    release(tile, B);
    assert_int_equal(tile_clock_run(tile, 100000), TILE_END_HANG);
    assert_true(tile->clock.now < 100);
    assert_int_equal(tile->coproc.ledger[OWNER_CORE_B].key,
                     wait_key(WAIT_MAILBOX_EMPTY, OWNER_CORE_T0));
    assert_ledgers_add_up(tile, tile->clock.now);
}

static void poll_that_nobody_ends_is_a_hang(void **state)
{
    struct tile *tile = *state;
    uint32_t at = 0;
    put_li(tile, &at, 20, FLAG);
    FENCE_ALL;
    PUT(LW, .rd = 5, .rs1 = 20);
    PUT(BEQ, .rs1 = 5, .rs2 = 0, .imm = -8);
    release(tile, B);
    assert_int_equal(tile_clock_run(tile, 100000), TILE_END_HANG);
    assert_true(tile->pipe[B].poll.parked);
    assert_int_equal(tile->coproc.ledger[OWNER_CORE_B].key, wait_key(WAIT_POLL, OWNER_L1));
    poke(tile, FLAG, 1); /* the host ends it */
    PUT(EBREAK, .rd = 0);
    assert_int_equal(tile_clock_run(tile, 100000), TILE_END_STOPPED);
    assert_int_equal(tile->core[B].x[5], 1);
    assert_ledgers_add_up(tile, tile->clock.now);
}

static void walking_finds_the_hang_behind_a_full_mailbox(void **state)
{
    struct tile *tile = *state;
    uint32_t at = 0;
    put_li(tile, &at, 20, MAILBOX_T0);
    for (unsigned i = 0; i < 5; i++)
        PUT(SW, .rs1 = 20, .rs2 = 0);
    put_end(tile, at);
    tile->clock.no_skip = true;
    release(tile, B);
    assert_int_equal(tile_clock_run(tile, 10000), TILE_END_HANG);
}

static void walking_lets_stores_leave_before_it_calls_a_hang(void **state)
{
    struct tile *tile = *state;
    uint32_t at = 0;
    put_li(tile, &at, 20, MAILBOX_T0);
    put_li(tile, &at, 21, DATA);
    PUT(LW, .rd = 5, .rs1 = 20); /* never answered */
    PUT(SW, .rs1 = 21, .rs2 = 21);
    PUT(ADDI, .rd = 6, .rs1 = 5);
    tile->clock.no_skip = true;
    release(tile, B);
    assert_int_equal(tile_clock_run(tile, 10000), TILE_END_HANG);
    assert_int_equal(peek(tile, DATA), DATA);
}

/* ---- cores and the coprocessor ---- */

static uint64_t gone[8];
static unsigned n_gone;

static void note_go(void *ctx, const struct event *e)
{
    (void)ctx;
    if (n_gone < 8)
        gone[n_gone++] = e->cycle;
}

/* Core T0 stores two words to its push window, then goes round an empty loop, or ends. */
static void push_two(void **state, bool ends)
{
    struct tile *tile = *state;
    uint32_t at = tile_control_start_pc(tile, T0);
    put_li(tile, &at, 20, PUSH);
    put_li(tile, &at, 5, setdmareg(4, 0x77));
    PUT(SW, .rs1 = 20, .rs2 = 5); /* 24: leaves in 25, is before the gate in 28 */
    for (unsigned i = 0; i < 3; i++)
        NOP;
    PUT(SW, .rs1 = 20, .rs2 = 5); /* 28 */
    if (ends)
        put_end(tile, at);
    else
        PUT(JAL, .imm = 0);
    n_gone = 0;
    tile->coproc.probe.sink = note_go;
    tile->coproc.probe.mask = 1u << EV_GO;
    release(tile, T0);
    tile_clock_run(tile, 10000);
    assert_int_equal(n_gone, 2);
    assert_int_equal(gone[0], 25 + 3);
    assert_int_equal(gone[1], gone[0] + 4);
}

static void words_leave_the_gate_three_cycles_after_they_left_the_core(void **state)
{
    push_two(state, true);
    tile_teardown(state);
    clock_setup(state);
    push_two(state, false);
}

/* ---- polling ---- */

enum poll_kind {
    POLL_L1_FENCE,
    POLL_L1_NO_CACHE,
    POLL_SEM,
    POLL_SEM_BUSY, /* with loads under way from one round to the next ... */
    POLL_SEM_FULL, /* ... and with a full retire-order queue */
    POLL_MAILBOX,
    POLL_QSTATUS,
    N_POLLS
};

static const struct {
    const char *name;
    unsigned poller, writer;
    uint16_t key;
    uint32_t target, value; /* what the writer writes */
} polls[N_POLLS] = {
    [POLL_L1_FENCE] = {"L1 word, fence", B, NC, WAIT_POLL << 8 | OWNER_L1, FLAG, 1},
    [POLL_L1_NO_CACHE] = {"L1 word, no cache", NC, B, WAIT_POLL << 8 | OWNER_L1, FLAG + 4, 1},
    [POLL_SEM] = {"semaphore", T0, T1, WAIT_POLL << 8 | OWNER_SEM0, SEM0, 0},
    [POLL_SEM_BUSY] = {"semaphore, busy", T2, T1, WAIT_POLL << 8 | OWNER_TILE, SEM0, 0},
    [POLL_SEM_FULL] = {"semaphore, full", T2, T1, WAIT_POLL << 8 | OWNER_L1, SEM0, 0},
    [POLL_MAILBOX] = {"mailbox", T0, B, WAIT_POLL << 8 | OWNER_CORE_B, MAILBOX_T0, 7},
    [POLL_QSTATUS] = {"queue status", T0, T1, WAIT_POLL << 8 | OWNER_FRONTEND, SEM0, 0},
};

/* Words that wait at T0's gate until semaphore 0 is posted. */
static void put_barrier(struct tile *tile, uint32_t *to)
{
    const uint32_t words[] = {
        tensix_SEMINIT_encode((struct tensix_SEMINIT){.sem_sel = 1, .max_value = 1}),
        tensix_SEMWAIT_encode(
            (struct tensix_SEMWAIT){.wait_sem_cond = 1, .sem_sel = 1, .stall_res = 0x1ff}),
        setdmareg(2, 0x123),
    };
    uint32_t at = *to;
    put_li(tile, &at, 22, PUSH);
    for (unsigned i = 0; i < 3; i++) {
        put_li(tile, &at, 7, words[i]);
        PUT(SW, .rs1 = 22, .rs2 = 7);
    }
    *to = at;
}

/* The program that polls; returns where its loop begins. When it is through, it stores to RESULT. */
static uint32_t put_poller(struct tile *tile, enum poll_kind kind)
{
    static const uint32_t source[N_POLLS] = {FLAG, FLAG + 4, SEM0, SEM0, SEM0, MAILBOX_B + 4, 0};
    uint32_t at = tile_control_start_pc(tile, polls[kind].poller), loop;
    put_li(tile, &at, 20, source[kind]);
    put_li(tile, &at, 21, RESULT);
    if (kind == POLL_L1_NO_CACHE || kind == POLL_SEM_FULL)
        PUT(CSRRSI, .rd = 0, .csr = CFG0, .imm = 8);
    if (kind == POLL_QSTATUS) {
        put_barrier(tile, &at);
        for (unsigned i = 0; i < 30; i++)
            NOP;
    }
    if (kind == POLL_SEM_BUSY || kind == POLL_SEM_FULL)
        put_li(tile, &at, 23, kind == POLL_SEM_BUSY ? CONTROL(0x1b0) : DATA);
    loop = at;
    if (kind == POLL_L1_FENCE)
        FENCE_ALL;
    if (kind == POLL_QSTATUS) {
        NOP; /* what waits before a status CSR loses its name, see test_rvpipe.c */
        PUT(CSRRS, .rd = 5, .csr = 0xbc0);
        PUT(ANDI, .rd = 5, .rs1 = 5, .imm = 0x7ff);
        PUT(BNE, .rs1 = 5, .rs2 = 0, .imm = (int32_t)(loop - at));
    } else {
        PUT(LW, .rd = 5, .rs1 = 20);
        for (unsigned i = 0; kind == POLL_SEM_BUSY && i < 4; i++)
            PUT(LW, .rd = (uint8_t)(6 + i), .rs1 = 23);
        for (unsigned i = 0; kind == POLL_SEM_FULL && i < 5; i++) /* eight instructions in all */
            NOP;
        if (kind == POLL_SEM_FULL)
            PUT(LW, .rd = 6, .rs1 = 23);
        PUT(BEQ, .rs1 = 5, .rs2 = 0, .imm = (int32_t)(loop - at));
    }
    PUT(SW, .rs1 = 21, .rs2 = 20);
    FENCE_ALL;
    put_end(tile, at);
    return loop;
}

/* Some 9000 cycles and `phase` more. */
static void put_delay(struct tile *tile, uint32_t *to, unsigned phase)
{
    uint32_t at = *to;
    put_li(tile, &at, 5, 4500 + phase / 2);
    PUT(ADDI, .rd = 5, .rs1 = 5, .imm = -1);
    PUT(BNE, .rs1 = 5, .rs2 = 0, .imm = -4);
    if (phase % 2)
        NOP;
    *to = at;
}

static void put_writer(struct tile *tile, enum poll_kind kind, unsigned phase)
{
    uint32_t at = tile_control_start_pc(tile, polls[kind].writer);
    put_li(tile, &at, 20, polls[kind].target);
    put_li(tile, &at, 6, polls[kind].value);
    put_delay(tile, &at, phase);
    PUT(SW, .rs1 = 20, .rs2 = 6);
    FENCE_ALL;
    put_end(tile, at);
}

static struct tile *start_polling(enum poll_kind kind, unsigned phase, bool no_skip)
{
    struct tile *tile = new_tile(no_skip);
    put_poller(tile, kind);
    put_writer(tile, kind, phase);
    release_all(tile, BIT(polls[kind].poller) | BIT(polls[kind].writer));
    return tile;
}

static struct tile *polling_tile(enum poll_kind kind, unsigned phase, bool no_skip,
                                 uint64_t traces[N_AGENTS])
{
    struct tile *tile = start_polling(kind, phase, no_skip);
    assert_int_equal(tile_clock_run(tile, 100000), TILE_END_STOPPED);
    assert_non_null(writers_find(&tile->writers, RESULT));
    if (traces)
        memcpy(traces, trace, sizeof trace);
    return tile;
}

static void poll_resumes_as_if_it_had_never_slept(enum poll_kind kind)
{
    unsigned different = 0;
    uint64_t before = 0;
    for (unsigned phase = 0; phase < PHASES; phase++) {
        uint64_t skipped[N_AGENTS], walked[N_AGENTS];
        struct tile *a = polling_tile(kind, phase, false, skipped);
        struct tile *b = polling_tile(kind, phase, true, walked);
        uint64_t at = writers_find(&a->writers, RESULT)->cycle;
        uint64_t want = writers_find(&b->writers, RESULT)->cycle;
        if (at != want)
            fail_msg(
                "%s, phase %u: %u, not %u", polls[kind].name, phase, (unsigned)at, (unsigned)want);
        assert_same(a, b, polls[kind].name);
        assert_memory_equal(skipped, walked, sizeof walked);
        different += at != before;
        before = at;
        free(a);
        free(b);
    }
    assert_true(different > PHASES / 16); /* the writer did come later and later */
}

static void poll_of_an_l1_word_resumes_as_if_it_had_never_slept(void **state)
{
    (void)state;
    poll_resumes_as_if_it_had_never_slept(POLL_L1_FENCE);
    poll_resumes_as_if_it_had_never_slept(POLL_L1_NO_CACHE);
}

static void poll_of_a_semaphore_resumes_as_if_it_had_never_slept(void **state)
{
    (void)state;
    poll_resumes_as_if_it_had_never_slept(POLL_SEM);
    poll_resumes_as_if_it_had_never_slept(POLL_SEM_BUSY);
    poll_resumes_as_if_it_had_never_slept(POLL_SEM_FULL);
}

static void poll_of_a_mailbox_resumes_as_if_it_had_never_slept(void **state)
{
    (void)state;
    poll_resumes_as_if_it_had_never_slept(POLL_MAILBOX);
}

static void poll_of_the_queue_status_resumes_as_if_it_had_never_slept(void **state)
{
    (void)state;
    poll_resumes_as_if_it_had_never_slept(POLL_QSTATUS);
}

static void polls_are_parked_and_counted_as_waiting(void **state)
{
    (void)state;
    for (enum poll_kind kind = 0; kind < N_POLLS; kind++) {
        struct tile *a = start_polling(kind, 0, false), *b = start_polling(kind, 0, true);
        assert_int_equal(tile_clock_run(a, 8900), TILE_END_LIMIT);
        assert_int_equal(tile_clock_run(b, 8900), TILE_END_LIMIT);
        unsigned poller = polls[kind].poller, agent = agent_of(poller);
        assert_true(a->pipe[poller].poll.parked);
        assert_false(b->pipe[poller].poll.parked);
        assert_false(a->pipe[polls[kind].writer].poll.parked); /* it counts */
        assert_int_equal(a->coproc.ledger[agent].key, polls[kind].key);
        assert_int_equal(b->coproc.ledger[agent].key, polls[kind].key);
        assert_int_equal(a->coproc.ledger[agent].since, b->coproc.ledger[agent].since);
        assert_ledgers_add_up(a, 8900);
        assert_ledgers_add_up(b, 8900);
        free(a);
        free(b);
    }
}

static void word_that_changes_and_changes_back_is_not_missed(void **state)
{
    (void)state;
    for (unsigned phase = 0; phase < PHASES; phase++) {
        struct tile *ab[2];
        for (unsigned k = 0; k < 2; k++) {
            struct tile *tile = ab[k] = new_tile(k);
            put_poller(tile, POLL_L1_NO_CACHE);
            uint32_t at = tile_control_start_pc(tile, B);
            put_li(tile, &at, 20, FLAG);
            put_delay(tile, &at, phase);
            for (unsigned i = 0; i < 8; i++) { /* on for some six cycles, off again */
                PUT(SW, .rs1 = 20, .rs2 = 20, .imm = 4);
                FENCE_ALL;
                PUT(SW, .rs1 = 20, .rs2 = 0, .imm = 4);
                FENCE_ALL;
            }
            PUT(JAL, .imm = 0);
            release_all(tile, BIT(B) | BIT(NC));
            tile_clock_run(tile, 12000);
        }
        assert_same(ab[0], ab[1], "word that changes back");
        free(ab[0]);
        free(ab[1]);
    }
}

static void round_that_met_another_core_at_a_bank_is_not_what_a_parked_poll_repeats(void **state)
{
    (void)state;
    for (unsigned phase = 0; phase < PHASES; phase++) {
        struct tile *ab[2];
        for (unsigned k = 0; k < 2; k++) {
            struct tile *tile = ab[k] = new_tile(k);
            put_poller(tile, POLL_L1_FENCE); /* core B */
            uint32_t at = tile_control_start_pc(tile, NC);
            put_li(tile, &at, 20, FLAG);
            put_delay(tile, &at, phase);
            for (unsigned i = 0; i < 6; i++) { /* the same bank, another word */
                PUT(SW, .rs1 = 20, .rs2 = 20, .imm = 512);
                FENCE_ALL;
                for (unsigned n = 0; n < 40; n++)
                    NOP;
            }
            PUT(SW, .rs1 = 20, .rs2 = 20);
            FENCE_ALL;
            put_end(tile, at);
            release_all(tile, BIT(B) | BIT(NC));
            assert_int_equal(tile_clock_run(tile, 20000), TILE_END_STOPPED);
        }
        assert_same(ab[0], ab[1], "poll that met another core");
        free(ab[0]);
        free(ab[1]);
    }
}

/* A loop of core B; true if it is parked after 9000 cycles. */
static bool is_parked(const uint32_t *words, unsigned n, uint32_t x20)
{
    struct tile *tile = new_tile(false);
    uint32_t at = 0;
    put_li(tile, &at, 20, x20);
    uint32_t loop = at;
    for (unsigned i = 0; i < n; i++, at += 4)
        poke(tile, at, words[i]);
    PUT(JAL, .imm = (int32_t)(loop - at));
    release(tile, B);
    tile_clock_run(tile, 9000);
    bool parked = tile->pipe[B].poll.parked;
    free(tile);
    return parked;
}

#define WORD(id, ...) rv32_encode(RV_OP_##id, (struct rv32_args){__VA_ARGS__})

static void loop_that_counts_is_not_parked(void **state)
{
    const uint32_t counts[] = {WORD(ADDI, .rd = 5, .rs1 = 5, .imm = 1)};
    const uint32_t sets[] = {WORD(ADDI, .rd = 5, .imm = 1)};
    (void)state;
    assert_false(is_parked(counts, 1, 0));
    assert_true(is_parked(sets, 1, 0));
}

static void loop_that_reads_the_time_is_not_parked(void **state)
{
    const uint32_t clock[] = {WORD(LW, .rd = 5, .rs1 = 20)};
    const uint32_t nowhere[] = {WORD(LW, .rd = 0, .rs1 = 20)};
    const uint32_t mcycle[] = {WORD(CSRRS, .rd = 5, .csr = 0xb00)};
    (void)state;
    assert_false(is_parked(clock, 1, CONTROL(0x1f0)));
    assert_false(is_parked(nowhere, 1, CONTROL(0x1f0)));
    assert_false(is_parked(mcycle, 1, 0));
    assert_true(is_parked(clock, 1, CONTROL(0x1b0))); /* the soft reset register */
}

static void loop_that_writes_is_not_parked(void **state)
{
    uint32_t stores[24] = {WORD(SW, .rs1 = 20, .rs2 = 0)};
    const uint32_t atomic[] = {WORD(AMOADD_W, .rd = 5, .rs1 = 20, .rs2 = 0)};
    (void)state;
    for (unsigned i = 1; i < 24; i++) /* the store has left at the end of the round */
        stores[i] = WORD(ADDI, .rd = 0);
    assert_false(is_parked(stores, 24, DATA));
    assert_false(is_parked(stores, 24, RV_LOCAL_BASE));
    assert_false(is_parked(stores, 24, NIU));
    assert_false(is_parked(atomic, 1, DATA));
    assert_true(is_parked(stores + 1, 23, 0));
}

/* ---- a poll with words behind a full queue ---- */

#define WORDS_MIN 36u
#define WORDS_MAX 60u

/* A word of the coprocessor as an instruction of a core. */
static uint32_t rotated(uint32_t word)
{
    return word << 2 | word >> 30;
}

/* T0: words that wait for semaphore 0, the last posts semaphore 1, which it polls; T1 posts semaphore 0. */
static struct tile *words_before_a_poll(unsigned words, unsigned phase, bool no_skip)
{
    const uint32_t post = tensix_SEMPOST_encode((struct tensix_SEMPOST){.sem_sel = 2});
    struct tile *tile = new_tile(no_skip);
    uint32_t at = tile_control_start_pc(tile, T0), loop;
    put_li(tile, &at, 20, SEM0 + 4);
    put_li(tile, &at, 21, RESULT);
    put_barrier(tile, &at);
    for (unsigned i = 0; i <= words; i++, at += 4)
        poke(tile, at, rotated(i < words ? setdmareg(2, 0x123) : post));
    loop = at;
    PUT(LW, .rd = 5, .rs1 = 20);
    PUT(ANDI, .rd = 5, .rs1 = 5, .imm = 0xff);
    PUT(BEQ, .rs1 = 5, .rs2 = 0, .imm = (int32_t)(loop - at));
    PUT(SW, .rs1 = 21, .rs2 = 20);
    FENCE_ALL;
    put_end(tile, at);
    put_writer(tile, POLL_SEM, phase);
    release_all(tile, BIT(T0) | BIT(T1));
    return tile;
}

/* Words that find room while the core polls leave by themselves, whenever that is in a round of the poll. */
static void words_behind_a_full_queue_leave_while_the_core_polls(void **state)
{
    (void)state;
    unsigned waited = 0;
    for (unsigned words = WORDS_MIN; words < WORDS_MAX; words++)
        for (unsigned phase = 0; phase < 8; phase++) {
            struct tile *a = words_before_a_poll(words, phase, false);
            struct tile *b = words_before_a_poll(words, phase, true);
            assert_int_equal(tile_clock_run(a, 5000), TILE_END_LIMIT);
            waited += a->pipe[T0].lsu.n && a->pipe[T0].poll.parked;
            assert_int_equal(tile_clock_run(a, 15000), TILE_END_STOPPED);
            assert_int_equal(tile_clock_run(b, 20000), TILE_END_STOPPED);
            assert_non_null(writers_find(&a->writers, RESULT));
            assert_same(a, b, "words before a poll");
            free(a);
            free(b);
        }
    assert_true(waited > 0); /* some were parked with words in their store queue */
}

/* ---- traffic of two cores ---- */

#define TRAFFIC_ROUNDS 25

/* B: L1, NoC registers, mailboxes, its data RAM; T0: mailboxes, semaphores, GPRs, pushes, L1. */
static void put_traffic(struct tile *tile)
{
    uint32_t at = tile_control_start_pc(tile, B), loop;
    put_li(tile, &at, 20, DATA);
    put_li(tile, &at, 21, NIU);
    put_li(tile, &at, 22, MAILBOX_T0);
    put_li(tile, &at, 23, RV_LOCAL_BASE);
    PUT(ADDI, .rd = 31, .imm = TRAFFIC_ROUNDS);
    loop = at;
    PUT(LW, .rd = 5, .rs1 = 20);
    PUT(SW, .rs1 = 22, .rs2 = 31); /* to T0 */
    PUT(SW, .rs1 = 20, .rs2 = 31, .imm = 0x40);
    PUT(SW, .rs1 = 20, .rs2 = 5, .imm = 0x44);
    PUT(SB, .rs1 = 20, .rs2 = 5, .imm = 0x60);
    PUT(LW, .rd = 6, .rs1 = 20, .imm = 0x210);
    PUT(SW, .rs1 = 21, .rs2 = 31);
    PUT(MUL, .rd = 7, .rs1 = 5, .rs2 = 31);
    PUT(LW, .rd = 8, .rs1 = 21);
    PUT(SW, .rs1 = 23, .rs2 = 7);
    PUT(DIVU, .rd = 9, .rs1 = 7, .rs2 = 31);
    PUT(AMOADD_W, .rd = 10, .rs1 = 20, .rs2 = 31);
    PUT(LW, .rd = 11, .rs1 = 22); /* from T0 */
    PUT(ADD, .rd = 12, .rs1 = 12, .rs2 = 11);
    FENCE_ALL;
    PUT(ADDI, .rd = 31, .rs1 = 31, .imm = -1);
    PUT(BNE, .rs1 = 31, .rs2 = 0, .imm = (int32_t)(loop - at));
    put_end(tile, at);

    at = tile_control_start_pc(tile, T0);
    put_li(tile, &at, 20, DATA);
    put_li(tile, &at, 21, SEM0);
    put_li(tile, &at, 22, MAILBOX_B);
    put_li(tile, &at, 23, PUSH);
    put_li(tile, &at, 24, 0xffe00000);
    put_li(tile, &at, 25, setdmareg(4, 0x77));
    PUT(ADDI, .rd = 31, .imm = TRAFFIC_ROUNDS);
    loop = at;
    PUT(LW, .rd = 5, .rs1 = 22); /* from B */
    PUT(SW, .rs1 = 23, .rs2 = 25);
    PUT(SW, .rs1 = 21, .rs2 = 0); /* post */
    PUT(LW, .rd = 6, .rs1 = 21);
    PUT(SW, .rs1 = 24, .rs2 = 5, .imm = 0x20);
    PUT(LW, .rd = 7, .rs1 = 24, .imm = 8);
    PUT(ADDI, .rd = 8, .imm = 1);
    PUT(SW, .rs1 = 21, .rs2 = 8); /* get */
    PUT(SW, .rs1 = 20, .rs2 = 5, .imm = 0x210);
    PUT(LW, .rd = 9, .rs1 = 20, .imm = 0x200);
    PUT(ADD, .rd = 10, .rs1 = 10, .rs2 = 9);
    PUT(SW, .rs1 = 22, .rs2 = 5); /* to B */
    PUT(CSRRS, .rd = 11, .csr = 0xbc0);
    PUT(ADDI, .rd = 31, .rs1 = 31, .imm = -1);
    PUT(BNE, .rs1 = 31, .rs2 = 0, .imm = (int32_t)(loop - at));
    put_end(tile, at);
}

/* Runs it in slices of so many cycles. */
static struct tile *traffic(bool no_skip, uint64_t slice)
{
    struct tile *tile = new_tile(no_skip);
    enum tile_end end;
    put_traffic(tile);
    release_all(tile, BIT(B) | BIT(T0));
    for (unsigned i = 0; (end = tile_clock_run(tile, slice)) == TILE_END_LIMIT; i++)
        assert_true(i < 50000);
    assert_int_equal(end, TILE_END_STOPPED);
    assert_int_equal(tile->core[B].x[12], TRAFFIC_ROUNDS * (TRAFFIC_ROUNDS + 1) / 2);
    assert_ledgers_add_up(tile, tile->clock.now);
    return tile;
}

static void walking_through_everything_changes_nothing(void **state)
{
    (void)state;
    struct tile *a = traffic(false, 1000000), *b = traffic(true, 1000000);
    assert_same(a, b, "no_skip");
    free(a);
    free(b);
}

static void slices_change_nothing(void **state)
{
    static const uint64_t slices[] = {1000, 64, 63, 17, 5, 2, 1};
    (void)state;
    struct tile *whole = traffic(false, 1000000);
    for (unsigned i = 0; i < sizeof slices / sizeof slices[0]; i++) {
        char what[32];
        snprintf(what, sizeof what, "slices of %u", (unsigned)slices[i]);
        struct tile *tile = traffic(false, slices[i]);
        assert_same(whole, tile, what);
        free(tile);
    }
    free(whole);
}

static void slices_of_a_poll_change_nothing(void **state)
{
    static const uint64_t slices[] = {1000, 64, 7, 1};
    (void)state;
    for (enum poll_kind kind = 0; kind < N_POLLS; kind++) {
        struct tile *whole = polling_tile(kind, 3, false, NULL);
        for (unsigned i = 0; i < sizeof slices / sizeof slices[0]; i++) {
            struct tile *tile = start_polling(kind, 3, false);
            while (tile_clock_run(tile, slices[i]) == TILE_END_LIMIT)
                assert_true(tile->clock.now < 20000);
            assert_same(whole, tile, polls[kind].name);
            free(tile);
        }
        free(whole);
    }
}

/* ---- ledgers ---- */

static void ledgers_add_up_whenever_one_looks(void **state)
{
    (void)state;
    struct tile *tile = new_tile(false);
    put_traffic(tile);
    release_all(tile, BIT(B) | BIT(T0));
    for (uint64_t at = 0, step = 1; at < 3000; at += step, step = step % 37 + 1) {
        if (tile_clock_run(tile, step) != TILE_END_LIMIT)
            break;
        assert_int_equal(tile->clock.now, at + step);
        struct tile *copy = malloc(sizeof *copy);
        assert_non_null(copy);
        memcpy(copy, tile, sizeof *tile);
        assert_ledgers_add_up(copy, at + step);
        free(copy);
    }
    free(tile);
}

static void wait_that_lasts_is_named_when_the_run_ends(void **state)
{
    struct tile *tile = *state;
    uint32_t at = 0;
    put_li(tile, &at, 20, RV_LOCAL_BASE);
    PUT(LW, .rd = 5, .rs1 = 20); /* 16: until the data RAM is cleared */
    release(tile, B);
    tile_clock_run(tile, 500);
    coproc_settle(&tile->coproc);
    assert_int_equal(tile->coproc.ledger[OWNER_CORE_B].cycles[WAIT_RAM_CLEAR], 500 - 16);
}

static void held_cores_wait_for_the_end_of_reset(void **state)
{
    struct tile *tile = *state;
    for (unsigned core = B; core <= NC; core++) { /* both count */
        uint32_t at = tile_control_start_pc(tile, core);
        PUT(ADDI, .rd = 5, .rs1 = 5, .imm = 1);
        PUT(JAL, .imm = -4);
    }
    release(tile, NC);
    tile_clock_run(tile, 100);
    release(tile, B);
    tile_clock_run(tile, 500);
    hold(tile, B);
    tile_clock_run(tile, 300);
    assert_ledgers_add_up(tile, 900);
    const struct ledger *l = &tile->coproc.ledger[OWNER_CORE_B];
    assert_int_equal(l->cycles[WAIT_FETCH], 14);
    assert_int_equal(l->cycles[WAIT_MISPREDICT], 4);
    assert_int_equal(l->cycles[WAIT_PROGRESS], 500 - 14 - 4);
    assert_int_equal(l->cycles[WAIT_RESET], 100 + 300);
}

TEST_MAIN(CLOCK_TEST(run_lasts_as_long_as_it_shall), CLOCK_TEST(empty_loop_is_the_end),
          CLOCK_TEST(ebreak_is_an_end_too), CLOCK_TEST(read_that_nobody_answers_is_a_hang),
          CLOCK_TEST(poll_that_nobody_ends_is_a_hang),
          CLOCK_TEST(walking_finds_the_hang_behind_a_full_mailbox),
          CLOCK_TEST(walking_lets_stores_leave_before_it_calls_a_hang),
          CLOCK_TEST(words_leave_the_gate_three_cycles_after_they_left_the_core),
          CLOCK_TEST(poll_of_an_l1_word_resumes_as_if_it_had_never_slept),
          CLOCK_TEST(poll_of_a_semaphore_resumes_as_if_it_had_never_slept),
          CLOCK_TEST(poll_of_a_mailbox_resumes_as_if_it_had_never_slept),
          CLOCK_TEST(poll_of_the_queue_status_resumes_as_if_it_had_never_slept),
          CLOCK_TEST(polls_are_parked_and_counted_as_waiting),
          CLOCK_TEST(word_that_changes_and_changes_back_is_not_missed),
          CLOCK_TEST(round_that_met_another_core_at_a_bank_is_not_what_a_parked_poll_repeats),
          CLOCK_TEST(loop_that_counts_is_not_parked),
          CLOCK_TEST(loop_that_reads_the_time_is_not_parked),
          CLOCK_TEST(loop_that_writes_is_not_parked),
          CLOCK_TEST(words_behind_a_full_queue_leave_while_the_core_polls),
          CLOCK_TEST(walking_through_everything_changes_nothing), CLOCK_TEST(slices_change_nothing),
          CLOCK_TEST(slices_of_a_poll_change_nothing),
          CLOCK_TEST(ledgers_add_up_whenever_one_looks),
          CLOCK_TEST(wait_that_lasts_is_named_when_the_run_ends),
          CLOCK_TEST(held_cores_wait_for_the_end_of_reset))
