/*
 * The effects of the Vector Unit as they are built for hosts with vector code: every bit is that of the plain ones.
 */
#include "vector_drive.h"

#include <stdio.h>

#include "model/rng.h"

enum { SEED = 20261116, CASES = 30000 };

static struct rng rng;

static const uint32_t edges[] = {0,          1,          0x80000000, 0x80000001, 0x7fffffff,
                                 0xffffffff, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000,
                                 0x7fc00000, 0x007fffff, 0x00800000, 0x01000000, 0x20800000,
                                 0x207fffff, 0x7f7fffff, 0x7e800000, 0x40000000, 0xa0800000};
enum { EDGES = sizeof edges / sizeof *edges };

static uint32_t edge(void)
{
    return edges[rng_below(&rng, EDGES)];
}

/* Registers of numbers alike, for which there are short ways, perhaps with an edge; and of any numbers. */
static void fill_register(uint32_t r[LANES])
{
    static const uint32_t kept[] = {0xffffffff, 0xffff0000, 0xfffff000, 0xff800000, 0xfffffff0};
    unsigned kind = rng_below(&rng, 8),
             base = rng_below(&rng, 4) ? 118 + rng_below(&rng, 14) : rng_below(&rng, 256);
    unsigned spread = 1 + rng_below(&rng, 4), strange = rng_below(&rng, 8);
    uint32_t mask = kept[rng_below(&rng, sizeof kept / sizeof *kept)];
    for (unsigned i = 0; i < LANES; i++) {
        uint32_t e = (base + rng_below(&rng, spread)) & 255;
        r[i] = (rng_next(&rng) & 0x807fffff & mask) | e << 23;
        if (kind == 0)
            r[i] = rng_next(&rng);
        else if (kind == 1)
            r[i] = rng_below(&rng, 400) - 200;
        if (strange == 0 && rng_percent(&rng, 10))
            r[i] = edge();
        else if (strange == 1 && rng_percent(&rng, 20))
            r[i] = 0;
    }
}

static void fill(struct vector_drive *v)
{
    struct lanes *l = &v->vector.lanes;
    bool configured = rng_percent(&rng, 20);
    vu_reset(v);
    for (unsigned i = 0; i < LANES_LREGS; i++)
        if (i != 9 && i != 10) /* always 0 and 1.0 */
            fill_register(l->r[i]);
    for (unsigned i = 0; i < LANES; i++) {
        l->config[i] = configured ? rng_below(&rng, 1u << 18) & rng_next(&rng) : 0;
        l->random[i] = rng_next(&rng);
        l->depth[i] = 2;
    }
    lanes_configured(l);
    l->flags = rng_next(&rng);
    l->use = rng_next(&rng);
    l->stack_flags[1] = rng_next(&rng);
    l->stack_use[1] = rng_next(&rng);
    for (unsigned i = 0; i < DST_ROWS; i++) {
        uint32_t like = rng_next(&rng);
        v->dst.valid[i] = !rng_percent(&rng, 3);
        for (unsigned j = 0; j < 16; j++)
            v->dst.d[i][j] = v->dst.valid[i] ? (uint16_t)(like * (j + 1)) : 0;
    }
    v->rwc.t[0].dst = (uint16_t)rng_below(&rng, DST_ROWS);
    vu_set(v, CFG_SRCB_FMT, rng_below(&rng, 16));
    vu_set(v, CFG_SFPU_FP32_ENABLED, rng_percent(&rng, 30));
    vu_set(v, CFG_DEST_SWIZZLE_32B, rng_percent(&rng, 20));
}

static uint32_t draw_word(void)
{
    uint32_t op;
    do
        op = rng_below(&rng, 256);
    while (!vector_effects[op] || vector_traits[op] & VECTOR_MACRO);
    uint32_t word = op << 24 | (rng_next(&rng) & 0xffffff);
    bool multiplies = op == TENSIX_OP_SFPMAD || op == TENSIX_OP_SFPADD || op == TENSIX_OP_SFPMUL;
    if (multiplies && rng_percent(&rng, 30)) /* the constant 0 as addend, or 1.0 as factor */
        word = rng_percent(&rng, 50) ? (word & ~UINT32_C(0xf00)) | 9u << 8
                                     : (word & ~UINT32_C(0xf000)) | 10u << 12;
    if (multiplies && rng_percent(&rng, 80))
        word &= ~UINT32_C(0xc); /* no register names another */
    return word;
}

static void effects_in_vector_code_are_the_plain_ones(void **state)
{
    static struct vector_drive a, b;
    (void)state;
    printf("seed %d\n", SEED);
    rng = rng_of(SEED, 1);
    if (!vector_avx2_usable())
        skip();
    for (unsigned n = 0; n < CASES; n++) {
        if (n % 4 == 0)
            fill(&a);
        b = a;
        struct vector_io p = vector_io_of(&a.vector, &a.dst, &a.rwc, &a.config, 0, &a.probe);
        struct vector_io q = vector_io_of(&b.vector, &b.dst, &b.rwc, &b.config, 0, &b.probe);
        uint32_t word = draw_word();
        struct vector_op o = vector_decode(&a.vector.lanes, word, 0);
        if (o.vd >= 12)
            continue; /* lanes behind the backdoor are not for effects */
        if (rng_percent(&rng, 60))
            o.on = UINT32_MAX;
        p.plain = true;
        vector_effects[word >> 24](&p, &o);
        vector_effect *usual = NULL;
        if (o.on == UINT32_MAX && !a.vector.lanes.config_any && rng_percent(&rng, 70))
            usual = vector_avx2_usual(&o);
        (usual ? usual : vector_effects_avx2[word >> 24])(&q, &o);
        if (memcmp(&a.vector.lanes, &b.vector.lanes, sizeof a.vector.lanes) ||
            memcmp(&a.dst, &b.dst, sizeof a.dst) || memcmp(&a.rwc, &b.rwc, sizeof a.rwc))
            fail_msg("case %u: %08x, lanes %08x", n, (unsigned)word, (unsigned)o.on);
    }
}

/* d := a * b + c with both codes, and in the usual way if there is one. */
static void compare_sum(struct vector_drive *v, uint32_t word)
{
    static struct lanes before, want;
    struct vector_io io = vector_io_of(&v->vector, &v->dst, &v->rwc, &v->config, 0, &v->probe);
    struct vector_op o = vector_decode(&v->vector.lanes, word, 0);
    vector_effect *ways[] = {vector_effects_avx2[word >> 24], vector_avx2_usual(&o)};
    bool fast = io.plain;
    before = v->vector.lanes;
    io.plain = true;
    vector_effects[word >> 24](&io, &o);
    want = v->vector.lanes;
    io.plain = fast;
    for (unsigned i = 0; i < 2; i++) {
        v->vector.lanes = before;
        if (ways[i])
            ways[i](&io, &o);
        if (ways[i] && memcmp(&v->vector.lanes, &want, sizeof want))
            fail_msg("way %u of %08x: %08x * %08x + %08x",
                     i,
                     (unsigned)word,
                     (unsigned)before.r[o.va][7],
                     (unsigned)before.r[o.vb][7],
                     (unsigned)before.r[o.vc][7]);
    }
    v->vector.lanes = before;
}

/* Short ways test all lanes at once: each edge has to be seen where nothing else keeps them off. */
static void an_edge_among_ordinary_lanes_is_seen(void **state)
{
    static struct vector_drive v;
    const uint32_t mad = (uint32_t)TENSIX_OP_SFPMAD << 24 | 3 << 4; /* L3 := L0 * L1 + L2 */
    const uint32_t ordinary[3] = {0x3fa66666, 0x3fc00000, 0x3f99999a};
    (void)state;
    if (!vector_avx2_usable())
        skip();
    vu_reset(&v);
    for (unsigned n = 0; n < EDGES * EDGES * EDGES; n++) {
        for (unsigned k = 0, rest = n; k < 3; k++, rest /= EDGES) {
            for (unsigned i = 0; i < LANES; i++)
                v.vector.lanes.r[k][i] = ordinary[k];
            v.vector.lanes.r[k][7] = edges[rest % EDGES];
        }
        for (unsigned negate = 0; negate < 4; negate++) {
            compare_sum(&v, mad | 0u << 16 | 1 << 12 | 2 << 8 | negate);
            compare_sum(&v, mad | 0u << 16 | 10 << 12 | 2 << 8 | negate); /* L0 * 1.0 + L2 */
            compare_sum(&v, mad | 0u << 16 | 1 << 12 | 9 << 8 | negate);  /* L0 * L1 + 0 */
        }
    }
}

/* The unit itself takes the short way with words that it knows, and nobody can tell. */
static void a_word_that_is_known_does_the_same_again(void **state)
{
    static struct vector_drive a, b;
    (void)state;
    rng = rng_of(SEED, 2);
    for (unsigned n = 0; n < CASES / 2; n++) {
        static uint32_t words[16];
        if (n % 256 == 0) {
            fill(&a);
            a.vector.untimed = true;
            for (unsigned i = 0; i < 16; i++)
                words[i] = draw_word();
        }
        uint32_t word = words[rng_below(&rng, 16)];
        struct entry e = {.word = word, .op = (uint8_t)(word >> 24)};
        b = a;
        memset(b.vector.memo, 0, sizeof b.vector.memo);
        b.vector.plain = true;
        struct vector_io p = vector_io_of(&a.vector, &a.dst, &a.rwc, &a.config, 0, &a.probe);
        struct vector_io q = vector_io_of(&b.vector, &b.dst, &b.rwc, &b.config, 0, &b.probe);
        vector_start(&a.vector, &p, &e, n);
        vector_start_any(&b.vector, &q, &e, n);
        assert_int_equal(a.vector.own, b.vector.own);
        assert_int_equal(a.vector.swap_end, b.vector.swap_end);
        assert_int_equal(a.vector.done_at, b.vector.done_at);
        assert_memory_equal(&a.vector.lanes, &b.vector.lanes, sizeof a.vector.lanes);
        assert_memory_equal(&a.vector.old, &b.vector.old, sizeof a.vector.old);
        assert_memory_equal(&a.dst, &b.dst, sizeof a.dst);
        assert_memory_equal(&a.rwc, &b.rwc, sizeof a.rwc);
    }
}

/* What the words that come next can see of two units is the same; next: the cycle of the first of them. */
static void assert_alike(const struct vector_drive *a, const struct vector_drive *b, uint64_t next)
{
    const struct vector_old *x = &a->vector.old, *y = &b->vector.old;
    assert_int_equal(a->vector.own, b->vector.own);
    assert_int_equal(a->vector.swap_end, b->vector.swap_end);
    assert_int_equal(a->vector.done_at, b->vector.done_at);
    assert_int_equal(a->vector.users, b->vector.users);
    assert_int_equal(x->at, y->at);
    assert_int_equal(x->mask, y->mask);
    assert_int_equal(x->guarded, y->guarded);
    for (unsigned i = 0; i < LANES_LREGS && next <= x->at + T_SFPU_LATE; i++)
        if (x->mask >> i & 1)
            assert_memory_equal(x->r[i], y->r[i], sizeof x->r[i]);
    assert_memory_equal(&a->vector.lanes, &b->vector.lanes, sizeof a->vector.lanes);
    assert_memory_equal(&a->dst, &b->dst, sizeof a->dst);
    assert_memory_equal(&a->rwc, &b->rwc, sizeof a->rwc);
}

static unsigned
    waited; /* words that were held by what they read, and went by a plan all the same */

/* One by one up to the k words that went by a plan: each in the cycle that the plan has for it, and none in one in which it is
   held. With time says in which of 32 cycles words were held by what they read, and when the last is through. */
static void follow(struct vector_drive *b, const struct vector_io *io, const struct entry *slot,
                   unsigned index, unsigned k, uint64_t *now, unsigned step,
                   struct vector_time *time)
{
    uint64_t first = *now;
    for (unsigned i = 0; i < k; i++) {
        const struct entry *e = &slot[(index + i) % VECTOR_RING];
        uint16_t key = vector_check(&b->vector, e, *now);
        if (key && time && i) {
            assert_int_equal(key, wait_key(WAIT_LREG, OWNER_VECTOR));
            assert_in_range(*now, 0, time->until - 1); /* the unit is not idle */
            assert_in_range(*now - first, 0, 31);
            time->held |= UINT32_C(1) << (*now - first);
            waited++;
            ++*now;
            key = vector_check(&b->vector, e, *now);
        }
        assert_int_equal(key, 0);
        vector_start_any(&b->vector, io, e, *now);
        if (time) {
            uint64_t done = *now + timing_typical.op[e->op].latency;
            time->until = done > time->until ? done : time->until;
            time->cycles = (unsigned)(*now + 1 - first);
        }
        *now += step;
    }
}

/* The words of a ring from index on, the first of them e, go by a plan and one by one. Returns how many went. */
static unsigned play_both(struct vector_drive *a, struct vector_drive *b, const struct entry *slot,
                          unsigned index, unsigned n, uint64_t *now, unsigned step)
{
    struct vector_io p = vector_io_of(&a->vector, &a->dst, &a->rwc, &a->config, 0, &a->probe);
    struct vector_io q = vector_io_of(&b->vector, &b->dst, &b->rwc, &b->config, 0, &b->probe);
    struct vector_time time = {.end = *now + 1 + rng_below(&rng, 40), .until = *now}, twin = time;
    bool timed = !a->vector.untimed;
    unsigned k = vector_play(&a->vector,
                             &p,
                             &slot[index % VECTOR_RING],
                             slot,
                             (index + 1) % VECTOR_RING,
                             n,
                             *now,
                             step,
                             timed ? &time : NULL);
    assert_in_range(k, 0, n);
    follow(b, &q, slot, index, k, now, step, timed ? &twin : NULL);
    if (k && timed) {
        assert_in_range(*now, 0, time.end);
        assert_int_equal(time.held, twin.held);
        assert_int_equal(time.cycles, twin.cycles);
        assert_int_equal(time.until, twin.until);
    }
    if (k)
        return k;
    const struct entry *e = &slot[index % VECTOR_RING];
    for (; vector_check(&b->vector, e, *now); ++*now)
        assert_int_not_equal(vector_check(&a->vector, e, *now), 0);
    vector_start(&a->vector, &p, e, *now);
    vector_start_any(&b->vector, &q, e, *now);
    *now += step;
    return 1;
}

static void words_that_are_played_do_what_they_do_one_by_one(void **state)
{
    static struct vector_drive a, b;
    static struct entry slot[VECTOR_RING];
    unsigned planned = 0, words = 0;
    (void)state;
    rng = rng_of(SEED, 3);
    for (unsigned n = 0; n < CASES / 16; n++) {
        bool untimed = rng_percent(&rng, 50);
        unsigned start = rng_below(&rng, VECTOR_RING), count = 1 + rng_below(&rng, 40);
        unsigned step = untimed ? 2 : 1;
        uint64_t now = 1000;
        if (n % 64 == 0)
            for (unsigned i = 0; i < VECTOR_RING; i++) {
                uint32_t word;
                do
                    word = draw_word();
                while (word >> 24 == TENSIX_OP_SFPCONFIG && rng_percent(&rng, 80));
                if (rng_percent(&rng, 90)) /* no backdoor */
                    word &= ~UINT32_C(0x00800080);
                if (rng_percent(&rng, 10))
                    word = (uint32_t)TENSIX_OP_SFPNOP << 24;
                slot[i] = (struct entry){.word = word, .op = (uint8_t)(word >> 24)};
            }
        struct vector_ring kept = a.vector.ring[0];
        fill(&a);
        a.vector.ring[0] = kept;
        if (rng_percent(&rng, 60))
            a.vector.lanes.use = 0;
        if (rng_percent(&rng, 10)) {
            slot[rng_below(&rng, VECTOR_RING)].word ^= 0x10;
            slot[rng_below(&rng, VECTOR_RING)].tag++;
        }
        vu_set(&a, CFG_SFPU_SCOREBOARD_DISABLE, rng_percent(&rng, 10));
        a.vector.untimed = untimed;
        a.vector.users = 7;
        a.vector.done_at = now + rng_below(&rng, 6);
        b = a;
        b.vector.plain = true;
        for (unsigned i = 0; i < count;) {
            unsigned k = play_both(&a, &b, slot, start + i, count - i, &now, step);
            assert_alike(&a, &b, untimed ? a.vector.own : now);
            planned += k > 1 ? k : 0;
            words += k;
            i += k;
        }
    }
    assert_in_range(planned, words / 2, words);
    assert_in_range(waited, words / 100, words);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_that_are_played_do_what_they_do_one_by_one),
        cmocka_unit_test(effects_in_vector_code_are_the_plain_ones),
        cmocka_unit_test(an_edge_among_ordinary_lanes_is_seen),
        cmocka_unit_test(a_word_that_is_known_does_the_same_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
