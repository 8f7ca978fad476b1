/*
 * test_short_cuts.c - every opcode of the Vector and of the Matrix Unit meets every short cut: bursts and plays with time,
 * rows of words without time, the host's vector code, and what SFPLOADMACRO schedules. Each must leave what the long way
 * leaves: single cycles, words that nobody remembers, plain C.
 *
 * Opcodes come from the tables, so a new one is in here as soon as it has its row. Around it go random words of both units;
 * operands, registers, flags, banks and Dst are random.
 *
 *     WAITGATE_SEED=n     another seed; it is printed
 */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "coproc/coproc.h"
#include "isa/cfg.h"
#include "matrix/matrix_dot.h"
#include "num/format.h"
#include "num/layout.h"
#include "num/rows.h"
#include "rng.h"
#include "state/op.h"
#include "unit/config_drive.h"

#define PROGRAMS (WG_SLOW_BUILD ? 4u : 60u)   /* for each opcode */
#define MACROS   (WG_SLOW_BUILD ? 40u : 400u) /* the same with SFPLOADMACRO */
#define CHUNKS   8u
#define CHUNK    64u /* cycles between two looks */
#define PUSHED   8u
#define L1_SIZE  65536u

static uint64_t seed = 20261118;
static struct coproc reference, quick;
static uint8_t l1_of_reference[L1_SIZE], l1_of_quick[L1_SIZE];

static bool is_subject(unsigned op)
{
    return op_table[op].unit == TENSIX_UNIT_VECTOR || op_table[op].unit == TENSIX_UNIT_MATRIX;
}

/* ---- programs ---- */

/* Mostly registers and modes that do something; a bank is handed over now and then. */
static uint32_t word_of(struct rng *r, unsigned op)
{
    uint32_t word = op << 24 | (rng_next(r) & 0xffffff);
    if (op_table[op].unit == TENSIX_UNIT_MATRIX)
        return rng_percent(r, 90) ? word & ~(UINT32_C(3) << 22) : word;
    if (rng_percent(r, 95)) /* the backdoor stays closed */
        word &= ~(UINT32_C(0x8) << (vector_forms[op] & VECTOR_FORM_HIGH ? 20 : 4));
    if (vector_traits[op] & VECTOR_LATE && rng_percent(r, 70)) /* no register names another */
        word &= ~UINT32_C(0xc);
    return word;
}

/* A word that may stand beside op: of the same unit, and mostly none that ends every short cut. */
static uint32_t companion(struct rng *r, unsigned op)
{
    unsigned unit = rng_percent(r, 90) ? op_table[op].unit : TENSIX_UNIT_VECTOR, other;
    bool ends = rng_percent(r, 2);
    do
        other = rng_below(r, 256);
    while (op_table[other].unit != unit || matrix_traits[other] & MATRIX_BANKS ||
           (!ends && vector_traits[other] & (VECTOR_MACRO | VECTOR_CONFIGS)));
    return word_of(r, other);
}

static void put(struct coproc *cp, unsigned thread, unsigned place, uint32_t word)
{
    cp->fe[thread].replay.slot[place] = (struct entry){.word = word, .op = (uint8_t)(word >> 24)};
}

static uint32_t replay(struct rng *r)
{
    return tensix_REPLAY_encode(
        (struct tensix_REPLAY){.start_idx = rng_below(r, 32), .len = 1 + rng_below(r, 63)});
}

/* A thread's replay buffer is full of words around op, and so is a MOP of playbacks. Returns what it pushes. */
static void make_thread(struct rng *r, struct coproc *cp, unsigned thread, unsigned op,
                        uint32_t push[PUSHED])
{
    uint32_t mop = tensix_MOP_encode((struct tensix_MOP){.mop_type = 1});
    for (unsigned i = 0; i < REPLAY_SLOTS; i++)
        put(cp, thread, i, rng_percent(r, 25) ? word_of(r, op) : companion(r, op));
    uint32_t *cfg = cp->fe[thread].mop.cfg;
    for (unsigned i = 0; i < MOP_CFG_WORDS; i++)
        cfg[i] = (uint32_t)TENSIX_OP_NOP << 24;
    cfg[0] = 1;
    cfg[1] = 1 + rng_below(r, 6);
    for (unsigned i = 5; i < MOP_CFG_WORDS; i += i == 5 ? 2 : 1)
        cfg[i] = replay(r);
    for (unsigned i = 0; i < PUSHED; i++)
        push[i] = i == 0 || rng_percent(r, 20) ? mop
                  : rng_percent(r, 50)         ? replay(r)
                                               : word_of(r, op);
}

/* Another thread, whose words meet those of the first one at Dst: a packer, or the other unit. */
static void make_other(struct rng *r, struct coproc *cp, unsigned thread, unsigned op,
                       uint32_t push[PUSHED])
{
    bool packs = rng_percent(r, 60);
    unsigned other = op_table[op].unit == TENSIX_UNIT_VECTOR ? TENSIX_OP_MVMUL : TENSIX_OP_SFPLOAD;
    make_thread(r, cp, thread, other, push);
    for (unsigned i = 0; packs && i < REPLAY_SLOTS; i++)
        put(cp, thread, i, (uint32_t)(i % 4 ? TENSIX_OP_NOP : TENSIX_OP_PACR) << 24);
    for (unsigned i = 0; packs && i < PUSHED; i++)
        push[i] = i % 2 ? push[i] >> 24 == TENSIX_OP_MOP ? push[i] : replay(r)
                        : (uint32_t)TENSIX_OP_PACR << 24;
}

/* ---- states ---- */

static uint32_t number(struct rng *r)
{
    uint32_t n = rng_next(r);
    switch (rng_below(r, 8)) {
    case 0: return n;
    case 1: return rng_below(r, 400) - 200;
    case 2: return n & 0x807fffff;
    default: return (n & 0x807fffff) | (118 + rng_below(r, 14)) << 23;
    }
}

static void fill_lanes(struct rng *r, struct lanes *l)
{
    for (unsigned i = 0; i < LANES_LREGS; i++)
        for (unsigned k = 0; k < LANES && i != 9 && i != 10; k++)
            l->r[i][k] = number(r);
    bool some = rng_percent(r, 50);
    l->flags = some ? rng_next(r) : 0;
    l->use = some ? rng_next(r) : 0;
    for (unsigned i = 0; i < LANES; i++) {
        l->depth[i] = 2;
        l->random[i] = rng_next(r);
    }
    for (unsigned i = 0; i < 2; i++) {
        l->stack_flags[i] = rng_next(r);
        l->stack_use[i] = rng_next(r);
    }
    lanes_configured(l);
}

static void fill_banks(struct rng *r, struct src *s)
{
    static const uint8_t formats[] = {NUM_BF16, NUM_BF16, NUM_TF32, NUM_FP16};
    for (unsigned i = 0; i < 4; i++) {
        s->format[i / 2][i % 2] = formats[rng_below(r, sizeof formats)];
        src_wrote(s, i / 2, i % 2);
        for (unsigned k = 0; k < SRC_ROWS * SRC_COLUMNS; k++)
            s->d[i / 2][i % 2][k / SRC_COLUMNS][k % SRC_COLUMNS] =
                layout_src(rng_below(r, 2),
                           rng_percent(r, 5) ? 0 : 120 + rng_below(r, 14),
                           rng_below(r, 128) << 3);
    }
}

static void fill(struct coproc *cp, struct rng r, uint8_t *l1, bool untimed)
{
    memset(cp, 0, sizeof *cp);
    memset(l1, 0, L1_SIZE);
    cp->l1 = (struct l1_port){.bytes = l1, .size = L1_SIZE};
    coproc_reset(cp);
    vector_untimed(&cp->vector, untimed);
    fill_lanes(&r, &cp->vector.lanes);
    fill_banks(&r, &cp->src);
    for (unsigned i = 0; i < DST_ROWS; i++) {
        cp->dst.valid[i] = rng_percent(&r, 90);
        for (unsigned k = 0; k < 16; k++)
            cp->dst.d[i][k] = cp->dst.valid[i] ? (uint16_t)rng_next(&r) : 0;
    }
    config_set(&cp->config, CFG_FP32_ENABLED, rng_percent(&r, 20));
    config_set(&cp->config, CFG_SFPU_FP32_ENABLED, rng_percent(&r, 20));
    config_set(&cp->config, CFG_DEST_SWIZZLE_32B, rng_percent(&r, 20));
    config_set(&cp->config, CFG_SFPU_SCOREBOARD_DISABLE, rng_percent(&r, 10));
    for (unsigned i = 0; i < COPROC_THREADS; i++)
        for (unsigned k = 0; k < 8; k++) {
            cp->config.thread[i][RWC_MOD_AB + k] = (uint16_t)(rng_below(&r, 4) * 0x0101);
            cp->config.thread[i][RWC_MOD_DST + k] = (uint16_t)(rng_below(&r, 4) * 2);
        }
}

/* Banks that were handed over come back, and there is something for CLREXPHIST to do. */
static void help(struct coproc *cp)
{
    memset(&cp->packmeta.histogram, 0x5a, sizeof cp->packmeta.histogram);
    for (unsigned i = 0; i < 4; i++)
        src_set_owner(&cp->src, i / 2, i % 2, SRC_MATRIX);
}

/* Nothing is known of any word any more. */
static void forget(struct coproc *cp, unsigned thread, const uint32_t push[PUSHED])
{
    for (unsigned i = 0; i < REPLAY_SLOTS + PUSHED; i++) {
        uint32_t word =
            i < REPLAY_SLOTS ? cp->fe[thread].replay.slot[i].word : push[i - REPLAY_SLOTS];
        memset(cp->vector.memo[vector_memo_at(word)].effect, 0, sizeof cp->vector.memo[0].effect);
    }
}

#define SAME(what)                                                                                 \
    if (memcmp(&reference.what, &quick.what, sizeof reference.what))                               \
    fail_msg("%s, program %u: %s differs", tensix_table[op].name, program, #what)

/* Data, counters and what was told. */
static void same_data(unsigned op, unsigned program)
{
    SAME(issued);
    SAME(rwc);
    SAME(dst.valid);
    for (unsigned i = 0; i < DST_ROWS; i++)
        if (reference.dst.valid[i])
            SAME(dst.d[i]);
    SAME(vector.lanes);
    SAME(src.d);
    SAME(src.issue_owner);
    SAME(src.issue_bank);
    SAME(packmeta.histogram);
    SAME(probe.count);
    if (memcmp(l1_of_reference, l1_of_quick, L1_SIZE))
        fail_msg("%s, program %u: L1 differs", tensix_table[op].name, program);
}

/* ---- with time ---- */

struct program {
    unsigned threads, first; /* bit per thread; the one with the opcode */
    uint32_t push[COPROC_THREADS][PUSHED];
    unsigned pushed[COPROC_THREADS];
};

/* Up to a cycle, in bursts or cycle by cycle. Returns how many cycles went in bursts. */
static uint64_t run_to(struct coproc *cp, struct program *p, uint64_t end, bool bursts)
{
    uint64_t sum = 0;
    while (cp->now < end) {
        bool waits = false;
        unsigned full = 0;
        for (unsigned i = 0; i < COPROC_THREADS; i++)
            if (p->threads >> i & 1 && p->pushed[i] < PUSHED) {
                p->pushed[i] +=
                    coproc_port_push(cp, i, &p->push[i][p->pushed[i]], 1, p->pushed[i] + 1);
                waits |= p->pushed[i] < PUSHED && frontend_can_push(&cp->fe[i]);
                full |= 1u << i;
            }
        uint64_t n = bursts ? coproc_burst(cp, waits ? cp->now : end, full) : 0;
        sum += n;
        if (n)
            continue;
        for (unsigned i = 0; !bursts && i < COPROC_THREADS; i++)
            forget(cp, i, p->push[i]);
        coproc_step(cp);
    }
    return sum;
}

static struct program make(struct rng *r, struct coproc *cp, unsigned op)
{
    struct program p = {.first = rng_below(r, COPROC_THREADS)};
    unsigned other = (p.first + 1 + rng_below(r, 2)) % COPROC_THREADS;
    p.threads = 1u << p.first;
    make_thread(r, cp, p.first, op, p.push[p.first]);
    if (rng_percent(r, 50)) {
        p.threads |= 1u << other;
        make_other(r, cp, other, op, p.push[other]);
    }
    return p;
}

static uint64_t in_bursts, all;

static void program_with_time(unsigned op, unsigned program)
{
    uint64_t at = (uint64_t)op * PROGRAMS + program;
    struct rng r = rng_of(seed, 2 * at), same = r;
    fill(&reference, rng_of(seed, 2 * at + 1), l1_of_reference, false);
    fill(&quick, rng_of(seed, 2 * at + 1), l1_of_quick, false);
    struct program p = make(&r, &reference, op), q = make(&same, &quick, op);
    coproc_vectors(&reference, COPROC_PLAIN);
    coproc_vectors(&quick, rng_percent(&r, 70) ? COPROC_ALL_VECTORS : COPROC_AVX2);
    for (unsigned i = 1; i <= CHUNKS; i++) {
        help(&reference);
        help(&quick);
        run_to(&reference, &p, i * CHUNK, false);
        in_bursts += run_to(&quick, &q, i * CHUNK, true);
        all += CHUNK;
        assert_int_equal(reference.now, quick.now);
        same_data(op, program);
        SAME(last_go);
    }
    coproc_settle(&reference);
    coproc_settle(&quick);
    SAME(ledger);
}

static void bursts_leave_what_single_cycles_leave(void **state)
{
    (void)state;
    for (unsigned op = 0; op < 256; op++)
        for (unsigned i = 0; is_subject(op) && i < PROGRAMS; i++)
            program_with_time(op, i);
    print_message("%u of %u cycles in bursts\n", (unsigned)in_bursts, (unsigned)all);
    assert_true(in_bursts > all / 4);
}

/* ---- without time ---- */

static unsigned rush(struct coproc *cp, unsigned thread, const uint32_t *push, unsigned n)
{
    unsigned before;
    do {
        before = n;
        for (; n < PUSHED && coproc_rush_push_open(cp, thread); n++) {
            frontend_enter(&cp->fe[thread], push[n], n + 1, ENTRY_RETIRES);
            coproc_pushed(cp);
        }
    } while (coproc_rush(cp) || n != before);
    return n;
}

static unsigned walk(struct coproc *cp, unsigned thread, const uint32_t *push, unsigned n)
{
    bool moved = true;
    while (moved) {
        forget(cp, thread, push);
        moved = n < PUSHED && coproc_port_push(cp, thread, &push[n], 1, n + 1);
        n += moved;
        moved |= coproc_step(cp);
        moved |= coproc_drain(cp);
    }
    return n;
}

static void program_without_time(unsigned op, unsigned program)
{
    uint64_t at = (uint64_t)op * PROGRAMS + program;
    struct rng r = rng_of(seed + 1, 2 * at), same = r;
    uint32_t push[PUSHED];
    unsigned thread = rng_below(&r, COPROC_THREADS), walked = 0, rushed = 0;
    fill(&reference, rng_of(seed + 1, 2 * at + 1), l1_of_reference, true);
    fill(&quick, rng_of(seed + 1, 2 * at + 1), l1_of_quick, true);
    rng_below(&same, COPROC_THREADS);
    make_thread(&r, &reference, thread, op, push);
    make_thread(&same, &quick, thread, op, push);
    coproc_vectors(&reference, COPROC_PLAIN);
    coproc_vectors(&quick, rng_percent(&r, 70) ? COPROC_ALL_VECTORS : COPROC_AVX2);
    for (unsigned tries = 0; tries < 200; tries++) {
        help(&reference);
        help(&quick);
        quick.stuck = false;
        walked = walk(&reference, thread, push, walked);
        rushed = rush(&quick, thread, push, rushed);
        assert_int_equal(walked, rushed);
        same_data(op, program);
        if (walked == PUSHED && frontend_empty(&reference.fe[thread]))
            return;
    }
}

static void rows_leave_what_single_words_leave(void **state)
{
    (void)state;
    for (unsigned op = 0; op < 256; op++)
        for (unsigned i = 0; is_subject(op) && i < PROGRAMS; i++)
            program_without_time(op, i);
}

/* ---- SFPLOADMACRO ---- */

static void go(struct coproc *cp, uint32_t word, uint64_t now)
{
    struct vector_io io = vector_io_of(&cp->vector, &cp->dst, &cp->rwc, &cp->config, 0, &cp->probe);
    struct entry e = {.word = word, .op = (uint8_t)(word >> 24)};
    while (vector_check(&cp->vector, &e, now))
        vector_clock(&cp->vector, &io, now++);
    vector_start(&cp->vector, &io, &e, now);
    vector_clock(&cp->vector, &io, now);
}

/* All that waits for cycles. */
static void finish(struct coproc *cp, uint64_t now)
{
    struct vector_io io = vector_io_of(&cp->vector, &cp->dst, &cp->rwc, &cp->config, 0, &cp->probe);
    for (; vector_ticks(&cp->vector); now++)
        vector_clock(&cp->vector, &io, now);
}

static void same_lanes(unsigned op, unsigned program)
{
    SAME(rwc);
    SAME(dst.valid);
    SAME(dst.d);
    SAME(vector.lanes);
}

/* A word by itself, and while something waits in a place of another sub-unit: then it goes through a cycle for many. */
static void beside_what_is_scheduled(unsigned op, unsigned program, struct rng r)
{
    const struct vector_old *a = &reference.vector.old, *b = &quick.vector.old;
    uint32_t word = word_of(&r, op);
    unsigned sub = vector_subs[op] == SUB_SIMPLE ? SUB_MAD : SUB_SIMPLE;
    vector_macro_at(&quick.vector.macro, sub, 7)->op[0] =
        (struct macro_op){.word = (uint32_t)TENSIX_OP_SFPNOP << 24, .lanes = UINT32_MAX};
    vector_macro_at(&quick.vector.macro, sub, 7)->n = 1;
    quick.vector.macro.n = 1;
    go(&reference, word, 100);
    go(&quick, word, 100);
    assert_int_equal(reference.vector.swap_end, quick.vector.swap_end);
    if (!reference.vector.swap_end) { /* else nobody can see it */
        assert_int_equal(a->mask, b->mask);
        if (a->mask) /* SFPLUTFP32 that writes nothing and claims all does so by itself only */
            assert_int_equal(a->guarded, b->guarded);
        for (unsigned i = 0; i < LANES_LREGS; i++)
            if (a->mask >> i & 1)
                SAME(vector.old.r[i]);
    }
    finish(&reference, 101);
    finish(&quick, 101);
    same_lanes(op, program);
}

/* A word behind a load, and the same one scheduled by it for the next cycle. */
static void as_it_is_scheduled(unsigned op, unsigned program, struct rng r)
{
    unsigned vd = rng_below(&r, 4), mode = rng_below(&r, 2) ? 3 : 4, sub = vector_subs[op];
    uint32_t load = mode << 16 | rng_below(&r, 200) << 1 | vd << 20, word = word_of(&r, op);
    bool as_b = rng_percent(&r, 50);
    bool high = vector_forms[op] & VECTOR_FORM_HIGH;
    word = (word & ~(UINT32_C(15) << (high ? 20 : 4))) | vd << (high ? 20 : 4);
    if (vector_forms[op] & VECTOR_FORM_C && !as_b)
        word = (word & ~UINT32_C(0xf00)) | vd << 8;
    if (vector_forms[op] & VECTOR_FORM_B && as_b)
        word = (word & ~UINT32_C(0xf000)) | vd << 12;
    if (sub == SUB_STORE)
        word = (uint32_t)op << 24 | load;
    for (unsigned i = 0; i < LANES; i++) {
        struct lanes_macro *a = &reference.vector.lanes.macro[i], *b = &quick.vector.lanes.macro[i];
        a->template_[0] = b->template_[0] = word;
        a->sequence[0] = b->sequence[0] =
            sub < N_SUBS ? (4u | (as_b && sub != SUB_STORE ? 0x80u : 0)) << 8 * sub : 0;
        a->misc = b->misc = mode;
    }
    go(&reference, (uint32_t)TENSIX_OP_SFPLOAD << 24 | load, 100);
    go(&reference, sub < N_SUBS ? word : (uint32_t)TENSIX_OP_SFPNOP << 24, 101);
    go(&quick, (uint32_t)TENSIX_OP_SFPLOADMACRO << 24 | load, 100);
    go(&quick, (uint32_t)TENSIX_OP_SFPNOP << 24, 101);
    finish(&reference, 102);
    finish(&quick, 102);
    same_lanes(op, program);
}

static void scheduled_words_do_what_words_do(void **state)
{
    (void)state;
    for (unsigned op = 0; op < 256; op++)
        for (unsigned i = 0; op_table[op].unit == TENSIX_UNIT_VECTOR && i < MACROS; i++) {
            struct rng r = rng_of(seed + 2, (uint64_t)op * MACROS + i);
            uint64_t state_of = seed ^ rng_next(&r);
            if (i % 16 == 0) {
                fill(&reference, rng_of(state_of, 0), l1_of_reference, false);
                memset(reference.config.thread, 0, sizeof reference.config.thread);
            }
            coproc_vectors(&reference, COPROC_PLAIN);
            reference.vector.macro.n = 0;
            memset(&reference.vector.macro, 0, sizeof reference.vector.macro);
            reference.vector.swap_end = reference.vector.old.at = 0;
            reference.vector.old.mask = reference.vector.old.guarded = 0;
            memset(&reference.vector.settle, 0, sizeof reference.vector.settle);
            quick = reference;
            coproc_vectors(&quick, COPROC_ALL_VECTORS);
            if (i % 2)
                beside_what_is_scheduled(op, i, r);
            else
                as_it_is_scheduled(op, i, r);
        }
}

/* All that follows compares a coprocessor in plain C with one that uses what the host has: it must not be one way twice, not
   even after a reset. */
static void the_ways_are_different_ways(void **state)
{
    (void)state;
    static const enum coproc_vectors most[] = {COPROC_ALL_VECTORS, COPROC_PLAIN, COPROC_AVX2};
    struct coproc *cp = &quick;
    for (unsigned i = 0; i < 2 * sizeof most / sizeof *most; i++) {
        enum coproc_vectors way = most[i / 2];
        bool plain = way == COPROC_PLAIN, narrow = way == COPROC_AVX2;
        if (i % 2)
            coproc_reset(cp);
        else
            coproc_vectors(cp, way);
        assert_int_equal(cp->matrix.plain, plain);
        assert_int_equal(cp->pack.plain, plain);
        assert_int_equal(cp->unpack.plain, plain);
        assert_int_equal(cp->vector.plain, plain);
        assert_int_equal(cp->matrix.narrow, narrow);
        assert_int_equal(cp->matrix.fast, !plain && matrix_dot_avx2_usable());
        assert_int_equal(cp->matrix.wide, way == COPROC_ALL_VECTORS && matrix_dot_avx512_usable());
        assert_int_equal(cp->matrix.fma, !plain && matrix_dot_fma_usable());
        assert_int_equal(cp->pack.fast, !plain && rows_avx2_usable());
        assert_int_equal(cp->unpack.fast, !plain && rows_avx2_usable());
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_ways_are_different_ways),
        cmocka_unit_test(bursts_leave_what_single_cycles_leave),
        cmocka_unit_test(rows_leave_what_single_words_leave),
        cmocka_unit_test(scheduled_words_do_what_words_do),
    };
    const char *text = getenv("WAITGATE_SEED");
    seed = text ? strtoull(text, NULL, 0) : seed;
    print_message("WAITGATE_SEED=%llu\n", (unsigned long long)seed);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
