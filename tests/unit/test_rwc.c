/*
 * Row counters: SETRWC, INCRWC and address modifiers against a reference written from the pages
 * RWCs, SETRWC and INCRWC; fields of the modifiers at the bits the register database gives.
 */
#include "test.h"

#include <string.h>

#include "drive.h"
#include "model/rng.h"
#include "state/rwc.h"

#define SEED UINT64_C(20250104)

static struct drive d;

/* ---- the reference: counters of exactly the documented widths wrap by themselves ---- */

struct ref {
    unsigned dst : 10, dst_cr : 10, a : 6, a_cr : 6, b : 6, b_cr : 6, fidelity : 2;
};

static void ref_setrwc(struct ref *r, uint32_t word)
{
    unsigned which = word & 15, cr = word >> 18 & 15;
    unsigned va = word >> 6 & 15, vb = word >> 10 & 15, vd = word >> 14 & 15;
    if (which & 1) {
        r->a = (va + (cr & 1) * r->a_cr) & 63;
        r->a_cr = r->a;
    }
    if (which & 2) {
        r->b = (vb + (cr >> 1 & 1) * r->b_cr) & 63;
        r->b_cr = r->b;
    }
    if (cr & 8)
        r->dst = r->dst_cr = (vd + r->dst) & 1023;
    else if (which & 4)
        r->dst = r->dst_cr = (vd + (cr >> 2 & 1) * r->dst_cr) & 1023;
    if (which & 8)
        r->fidelity = 0;
}

static void ref_incrwc(struct ref *r, uint32_t word)
{
    unsigned va = word >> 6 & 15, vb = word >> 10 & 15, vd = word >> 14 & 15;
    if (word >> 18 & 1)
        r->a = r->a_cr = (r->a_cr + va) & 63;
    else
        r->a = (r->a + va) & 63;
    if (word >> 19 & 1)
        r->b = r->b_cr = (r->b_cr + vb) & 63;
    else
        r->b = (r->b + vb) & 63;
    if (word >> 20 & 1)
        r->dst = r->dst_cr = (r->dst_cr + vd) & 1023;
    else
        r->dst = (r->dst + vd) & 1023;
}

struct modifier {
    unsigned a_incr, a_cr, a_clear, b_incr, b_cr, b_clear;
    unsigned d_incr, d_cr, d_clear, d_ctocr, f_incr, f_clear;
};

static uint16_t modifier_ab(const struct modifier *m)
{
    return (uint16_t)(m->a_incr | m->a_cr << 6 | m->a_clear << 7 | m->b_incr << 8 | m->b_cr << 14 |
                      m->b_clear << 15);
}

static uint16_t modifier_dst(const struct modifier *m)
{
    return (uint16_t)(m->d_incr | m->d_cr << 10 | m->d_clear << 11 | m->d_ctocr << 12 |
                      m->f_incr << 13 | m->f_clear << 15);
}

static void ref_modify(struct ref *r, const struct modifier *m, bool fidelity)
{
    if (m->a_clear)
        r->a = r->a_cr = 0;
    else if (m->a_cr)
        r->a = r->a_cr = (r->a_cr + m->a_incr) & 63;
    else
        r->a = (r->a + m->a_incr) & 63;
    if (m->b_clear)
        r->b = r->b_cr = 0;
    else if (m->b_cr)
        r->b = r->b_cr = (r->b_cr + m->b_incr) & 63;
    else
        r->b = (r->b + m->b_incr) & 63;
    if (m->d_clear) {
        r->dst = r->dst_cr = 0;
    } else if (m->d_ctocr) {
        r->dst = (r->dst + m->d_incr) & 1023;
        r->dst_cr = r->dst;
    } else if (m->d_cr) {
        r->dst_cr = (r->dst_cr + m->d_incr) & 1023;
        r->dst = r->dst_cr;
    } else {
        r->dst = (r->dst + m->d_incr) & 1023;
    }
    if (fidelity)
        r->fidelity = m->f_clear ? 0 : (r->fidelity + m->f_incr) & 3;
}

static void same(const struct rwc_thread *t, const struct ref *r)
{
    assert_int_equal(t->dst, r->dst);
    assert_int_equal(t->dst_cr, r->dst_cr);
    assert_int_equal(t->srca, r->a);
    assert_int_equal(t->srca_cr, r->a_cr);
    assert_int_equal(t->srcb, r->b);
    assert_int_equal(t->srcb_cr, r->b_cr);
    assert_int_equal(t->fidelity, r->fidelity);
}

static bool one_in(struct rng *g, unsigned n)
{
    return rng_below(g, n) == 0;
}

static struct modifier random_modifier(struct rng *g)
{
    struct modifier m = {.a_incr = rng_below(g, 64),
                         .a_cr = rng_below(g, 2),
                         .a_clear = one_in(g, 8),
                         .b_incr = rng_below(g, 64),
                         .b_cr = rng_below(g, 2),
                         .b_clear = one_in(g, 8),
                         .d_incr = rng_below(g, 1024),
                         .d_cr = rng_below(g, 2),
                         .d_clear = one_in(g, 8),
                         .d_ctocr = rng_below(g, 2),
                         .f_incr = rng_below(g, 4),
                         .f_clear = one_in(g, 8)};
    if (one_in(g, 8)) /* only one half of a section does something */
        m = (struct modifier){.d_incr = m.d_incr, .f_incr = m.f_incr};
    else if (one_in(g, 8))
        m = (struct modifier){.a_incr = m.a_incr, .b_cr = m.b_cr};
    return m;
}

/* SETRWC, INCRWC and all eight modifier sections in random sequence, from any state. */
static void random_sequences(void **state)
{
    struct rng g = rng_of(SEED, 0);
    struct rwc_thread t = {0};
    struct ref r = {0};
    uint16_t thread_config[CONFIG_THREAD_WORDS] = {0};
    (void)state;
    print_message("seed %llu\n", (unsigned long long)SEED);
    for (unsigned n = 0; n < 300000; n++) {
        uint32_t bits = rng_next(&g) & 0x3fffff;
        unsigned kind = rng_below(&g, 4), section = rng_below(&g, 8);
        if (kind == 0) {
            rwc_set(&t, (uint32_t)TENSIX_OP_SETRWC << 24 | bits);
            ref_setrwc(&r, bits);
        } else if (kind == 1) {
            rwc_inc(&t, (uint32_t)TENSIX_OP_INCRWC << 24 | bits);
            ref_incrwc(&r, bits);
        } else {
            struct modifier m = random_modifier(&g);
            thread_config[12 + section] = modifier_ab(&m);
            thread_config[28 + section] = modifier_dst(&m);
            rwc_modify(&t, thread_config, section, kind == 2);
            ref_modify(&r, &m, kind == 2);
        }
        same(&t, &r);
    }
}

/* Every SETRWC: all select and carry bits with all states of a small set, values at their edges. */
static void setrwc_exhaustive(void **state)
{
    static const uint8_t edge[] = {0, 1, 15};
    (void)state;
    for (uint32_t which = 0; which < 16; which++)
        for (uint32_t cr = 0; cr < 16; cr++)
            for (unsigned v = 0; v < 27; v++) {
                uint32_t a = edge[v % 3], b = edge[v / 3 % 3], dst = edge[v / 9];
                uint32_t word = which | a << 6 | b << 10 | dst << 14 | cr << 18;
                struct ref r = {.dst = 1020,
                                .dst_cr = 1015,
                                .a = 60,
                                .a_cr = 50,
                                .b = 33,
                                .b_cr = 62,
                                .fidelity = 3};
                struct rwc_thread t = {.dst = 1020,
                                       .dst_cr = 1015,
                                       .srca = 60,
                                       .srca_cr = 50,
                                       .srcb = 33,
                                       .srcb_cr = 62,
                                       .fidelity = 3};
                ref_setrwc(&r, word);
                rwc_set(&t, (uint32_t)TENSIX_OP_SETRWC << 24 | word);
                same(&t, &r);
            }
}

/* Through the tile: each thread has counters and modifiers of its own; Matrix instructions advance
   the fidelity phase, SFPLOAD and SFPSTORE do not. */
static void random_sequences_through_the_tile(void **state)
{
    struct rng g = rng_of(SEED, 1);
    struct ref r[3];
    struct modifier m[3][8];
    (void)state;
    print_message("seed %llu\n", (unsigned long long)SEED);
    memset(r, 0, sizeof r);
    drive_reset(&d);
    for (unsigned t = 0; t < 3; t++)
        for (uint32_t i = 0; i < 8; i++) {
            m[t][i] = random_modifier(&g);
            uint32_t setc16 = (uint32_t)TENSIX_OP_SETC16 << 24;
            drive_one(&d, t, setc16 | (12 + i) << 16 | modifier_ab(&m[t][i]));
            drive_one(&d, t, setc16 | (28 + i) << 16 | modifier_dst(&m[t][i]));
        }
    for (unsigned n = 0; n < 20000; n++) {
        unsigned t = rng_below(&g, 3);
        uint32_t i = rng_below(&g, 8), bits = rng_next(&g) & 0x3fffff;
        switch (rng_below(&g, 5)) {
        case 0:
            drive_one(&d, t, (uint32_t)TENSIX_OP_SETRWC << 24 | bits);
            ref_setrwc(&r[t], bits);
            break;
        case 1:
            drive_one(&d, t, (uint32_t)TENSIX_OP_INCRWC << 24 | bits);
            ref_incrwc(&r[t], bits);
            break;
        case 2:
            drive_one(&d, t, (uint32_t)TENSIX_OP_MOVDBGA2D << 24 | i << 14);
            ref_modify(&r[t], &m[t][i], true);
            break;
        case 3:
            drive_one(&d, t, (uint32_t)TENSIX_OP_SFPLOAD << 24 | i << 13);
            ref_modify(&r[t], &m[t][i], false);
            break;
        default:
            drive_one(&d, t, (uint32_t)TENSIX_OP_SFPSTORE << 24 | i << 13);
            ref_modify(&r[t], &m[t][i], false);
            break;
        }
        for (unsigned k = 0; k < 3; k++)
            same(&d.t.rwc.t[k], &r[k]);
    }
}

TEST_MAIN(cmocka_unit_test(random_sequences), cmocka_unit_test(setrwc_exhaustive),
          cmocka_unit_test(random_sequences_through_the_tile))
