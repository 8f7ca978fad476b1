/*
 * Address counters: every ADC instruction against a reference with named counters of 18, 13, 8 and
 * 8 bits, written from the pages ADCs, SETADC*, INCADC*, ADDRCR*.
 */
#include "test.h"

#include <string.h>

#include "drive.h"
#include "model/rng.h"
#include "state/adc.h"

#define SEED UINT64_C(20250103)

/* ---- the reference ---- */

struct channel {
    unsigned x : 18, x_cr : 18, y : 13, y_cr : 13, z : 8, z_cr : 8, w : 8, w_cr : 8;
};

struct ref {
    struct channel c[3][3][2]; /* [thread][unpacker 0, 1, packer][channel] */
};

/* An instruction taken apart by hand; bit positions of the encoding diagrams. */
struct parts {
    unsigned op, users, override, select;
    unsigned v[4]; /* channel 0 first, X or Z before Y or W */
};

static struct parts take_apart(uint32_t word)
{
    struct parts p = {.op = word >> 24, .users = word >> 21 & 7};
    p.override = p.op == TENSIX_OP_SETADC ? word >> 16 & 3 : word >> 18 & 3;
    p.select = word & 15;
    for (unsigned i = 0; i < 4; i++)
        p.v[i] = word >> (6 + 3 * i) & 7;
    return p;
}

#define SET(dim, value) (c->dim = c->dim##_cr = (value)&0x3ffff)
#define INC(dim, value) (c->dim += (value))
#define CR(dim, value)  (c->dim##_cr += (value), c->dim = c->dim##_cr)
/* each of the four counters on its own, a and b being x and y or z and w */
#define QUAD(how, a, b, all)                                                                       \
    do {                                                                                           \
        for (unsigned k = 0; k < 2; k++) {                                                         \
            struct channel *c = &ch[k];                                                            \
            if ((all) || (p->select >> (2 * k) & 1))                                               \
                how(a, p->v[2 * k] & 7);                                                           \
            if ((all) || (p->select >> (2 * k + 1) & 1))                                           \
                how(b, p->v[2 * k + 1] & 7);                                                       \
        }                                                                                          \
    } while (0)

static void ref_setadc(struct channel *ch, uint32_t word)
{
    struct channel *c = &ch[word >> 20 & 1];
    unsigned value = word & 0xffff; /* bits 16 and 17 name the thread */
    switch (word >> 18 & 3) {
    case 0: SET(x, value); break;
    case 1: SET(y, value & 0x1fff); break;
    case 2: SET(z, value & 0xff); break;
    default: SET(w, value & 0xff); break;
    }
}

static void ref_setadcxx(struct channel *ch, uint32_t word)
{
    struct channel *c = &ch[0];
    SET(x, word & 0x3ff);
    c = &ch[1];
    SET(x, word >> 10 & 0x3ff);
}

static void ref_apply(struct channel *ch, const struct parts *p, uint32_t word)
{
    switch (p->op) {
    case TENSIX_OP_SETADC: ref_setadc(ch, word); break;
    case TENSIX_OP_SETADCXX: ref_setadcxx(ch, word); break;
    case TENSIX_OP_SETADCXY: QUAD(SET, x, y, false); break;
    case TENSIX_OP_SETADCZW: QUAD(SET, z, w, false); break;
    case TENSIX_OP_INCADCXY: QUAD(INC, x, y, true); break;
    case TENSIX_OP_INCADCZW: QUAD(INC, z, w, true); break;
    case TENSIX_OP_ADDRCRXY: QUAD(CR, x, y, false); break;
    default: QUAD(CR, z, w, false); break;
    }
}

static unsigned ref_thread(unsigned thread, const struct parts *p)
{
    return p->op == TENSIX_OP_SETADCXX || p->override == 0 ? thread : p->override - 1;
}

static void ref_execute(struct ref *r, unsigned thread, uint32_t word)
{
    struct parts p = take_apart(word);
    for (unsigned u = 0; u < 3; u++)
        if (p.users >> u & 1)
            ref_apply(r->c[ref_thread(thread, &p)][u], &p, word);
}

static void same_counter(const struct adc_counter *c, unsigned v, unsigned cr)
{
    assert_int_equal(c->v, v);
    assert_int_equal(c->cr, cr);
}

static void same(const struct adc *a, const struct ref *r)
{
    for (unsigned t = 0; t < 3; t++)
        for (unsigned u = 0; u < 3; u++)
            for (unsigned ch = 0; ch < 2; ch++) {
                const struct channel *c = &r->c[t][u][ch];
                const struct adc_counter *m = a->c[t][u][ch];
                same_counter(&m[ADC_X], c->x, c->x_cr);
                same_counter(&m[ADC_Y], c->y, c->y_cr);
                same_counter(&m[ADC_Z], c->z, c->z_cr);
                same_counter(&m[ADC_W], c->w, c->w_cr);
            }
}

static const uint8_t ops[] = {TENSIX_OP_SETADC,
                              TENSIX_OP_SETADCXX,
                              TENSIX_OP_SETADCXY,
                              TENSIX_OP_SETADCZW,
                              TENSIX_OP_INCADCXY,
                              TENSIX_OP_INCADCZW,
                              TENSIX_OP_ADDRCRXY,
                              TENSIX_OP_ADDRCRZW};
#define N_OPS (sizeof ops / sizeof ops[0])

static struct drive d;

/* All eight instructions with random operand bits, in sequence, thread overrides included. */
static void random_instructions(void **state)
{
    struct rng g = rng_of(SEED, 0);
    struct adc a;
    struct ref r;
    (void)state;
    print_message("seed %llu\n", (unsigned long long)SEED);
    adc_reset(&a);
    memset(&r, 0, sizeof r);
    for (unsigned n = 0; n < 200000; n++) {
        unsigned thread = rng_below(&g, 3);
        uint32_t word = (uint32_t)ops[rng_below(&g, N_OPS)] << 24 | (rng_next(&g) & 0xffffff);
        struct parts p = take_apart(word);
        assert_int_equal(adc_targets(thread, word), 1u << ref_thread(thread, &p));
        adc_execute(&a, thread, word);
        ref_execute(&r, thread, word);
        same(&a, &r);
    }
}

/* X wraps at 18 bits, Y at 13, Z and W at 8, by both ways of counting up. */
static void counters_wrap_at_their_width(void **state)
{
    static const unsigned width[4] = {18, 13, 8, 8};
    (void)state;
    for (unsigned dim = 0; dim < 4; dim++)
        for (unsigned ch = 0; ch < 2; ch++)
            for (unsigned inc = 1; inc < 8; inc++)
                for (unsigned cr = 0; cr < 2; cr++) {
                    struct adc a;
                    unsigned slot = 2 * ch + (dim & 1), top = (1u << width[dim]) - 1;
                    unsigned op = dim < 2 ? (cr ? TENSIX_OP_ADDRCRXY : TENSIX_OP_INCADCXY)
                                          : (cr ? TENSIX_OP_ADDRCRZW : TENSIX_OP_INCADCZW);
                    adc_reset(&a);
                    adc_write(&a, 1, 2, ch, dim, false, UINT32_MAX);
                    adc_write(&a, 1, 2, ch, dim, true, UINT32_MAX);
                    same_counter(&a.c[1][2][ch][dim], top, top);
                    adc_execute(&a, 1, op << 24 | 4u << 21 | inc << (6 + 3 * slot) | 1u << slot);
                    same_counter(&a.c[1][2][ch][dim], inc - 1, cr ? inc - 1 : top);
                }
}

/* The same through the tile: three threads, no two in the same cycle, latency 1. */
static void random_instructions_through_the_tile(void **state)
{
    struct rng g = rng_of(SEED, 1);
    struct ref r;
    (void)state;
    print_message("seed %llu\n", (unsigned long long)SEED);
    drive_reset(&d);
    memset(&r, 0, sizeof r);
    for (unsigned n = 0; n < 5000; n++) {
        unsigned thread = rng_below(&g, 3);
        uint32_t word = (uint32_t)ops[rng_below(&g, N_OPS)] << 24 | (rng_next(&g) & 0xffffff);
        drive_one(&d, thread, word);
        ref_execute(&r, thread, word);
        same(&d.t.adc, &r);
    }
    assert_int_equal(d.t.probe.count[DIAG_ADC_COLLISION], 0);
}

/* The vendor's kernels set the end of X in another thread's counters: the bits that name the thread are no part of it. */
static void the_thread_is_no_part_of_the_value(void **state)
{
    struct adc a;
    (void)state;
    for (unsigned over = 0; over < 4; over++)
        for (unsigned dim = 0; dim < 4; dim++) {
            unsigned thread = over ? over - 1 : 2;
            adc_reset(&a);
            adc_execute(&a,
                        2,
                        (uint32_t)TENSIX_OP_SETADC << 24 | 1u << 21 | 1u << 20 | dim << 18 |
                            over << 16 | 255);
            assert_int_equal(a.c[thread][ADC_UNPACK0][1][dim].v, 255);
            assert_int_equal(a.c[thread][ADC_UNPACK0][1][dim].cr, 255);
        }
}

static uint32_t adc_word(unsigned op, unsigned override)
{
    unsigned lo = op == TENSIX_OP_SETADC ? 16 : 18;
    return (uint32_t)op << 24 | (op == TENSIX_OP_SETADCXX ? 0 : override << lo) | 7u << 21 | 1;
}

/* Two threads change ADCs in the same cycle: reported if one of them addresses the other's, not if
   each keeps to its own (also when it names itself), and not one cycle later. */
static void collision(unsigned a, unsigned b, unsigned op, unsigned over_a, unsigned over_b,
                      unsigned gap)
{
    unsigned to_a = over_a ? over_a - 1 : a, to_b = over_b ? over_b - 1 : b;
    bool at_other = to_a == b || to_b == a, own = to_a == a && to_b == b;
    drive_reset(&d);
    drive_add(&d, a, adc_word(op, over_a));
    for (unsigned i = 0; i < gap; i++)
        drive_add(&d, b, DRIVE_NOP);
    drive_add(&d, b, adc_word(op == TENSIX_OP_SETADC ? TENSIX_OP_SETADCZW : op, over_b));
    drive_run(&d);
    assert_int_equal(d.went[a][0], DRIVE_FIRST);
    assert_int_equal(d.went[b][gap], DRIVE_FIRST + gap);
    if (gap || own)
        assert_int_equal(d.t.probe.count[DIAG_ADC_COLLISION], 0);
    else if (at_other)
        assert_int_equal(d.t.probe.count[DIAG_ADC_COLLISION], 1);
}

static void collisions_are_reported(void **state)
{
    (void)state;
    for (unsigned a = 0; a < 3; a++)
        for (unsigned b = 0; b < 3; b++)
            for (unsigned k = 0; a != b && k < N_OPS; k++)
                for (unsigned over = 0; over < 16; over++)
                    for (unsigned gap = 0; gap < 2; gap++)
                        if (ops[k] != TENSIX_OP_SETADCXX || !over)
                            collision(a, b, ops[k], over & 3, over >> 2, gap);
}

/* Three threads at once on their own ADCs: one cycle, no report, all three take effect. */
static void three_threads_at_once(void **state)
{
    struct ref r;
    (void)state;
    for (unsigned k = 0; k < N_OPS; k++) {
        drive_reset(&d);
        memset(&r, 0, sizeof r);
        for (unsigned i = 0; i < 3; i++) {
            uint32_t word = adc_word(ops[k], 0) | (i + 1) << 6;
            drive_add(&d, i, word);
            ref_execute(&r, i, word);
        }
        drive_run(&d);
        same(&d.t.adc, &r);
        for (unsigned i = 0; i < 3; i++)
            assert_int_equal(d.went[i][0], DRIVE_FIRST);
        assert_int_equal(d.t.probe.count[DIAG_ADC_COLLISION], 0);
    }
}

/* Three at once, one of them on another's ADCs: reported for each that joins it, also for the third, whose own is its own. */
static void the_third_thread_collides_too(void **state)
{
    static const unsigned reports[] = {
        2, 2, 1}; /* threads are taken in order: T0 can only be the first */
    (void)state;
    for (unsigned foreign = 0; foreign < 3; foreign++)
        for (unsigned other = 0; other < 3; other++) {
            drive_reset(&d);
            for (unsigned i = 0; i < 3; i++)
                drive_add(&d, i, adc_word(TENSIX_OP_SETADCZW, i == foreign ? other + 1 : 0));
            drive_run(&d);
            for (unsigned i = 0; i < 3; i++)
                assert_int_equal(d.went[i][0], DRIVE_FIRST);
            assert_int_equal(d.t.probe.count[DIAG_ADC_COLLISION],
                             other == foreign ? 0 : reports[foreign]);
        }
}

TEST_MAIN(cmocka_unit_test(random_instructions), cmocka_unit_test(counters_wrap_at_their_width),
          cmocka_unit_test(random_instructions_through_the_tile),
          cmocka_unit_test(the_thread_is_no_part_of_the_value),
          cmocka_unit_test(collisions_are_reported), cmocka_unit_test(three_threads_at_once),
          cmocka_unit_test(the_third_thread_collides_too))
