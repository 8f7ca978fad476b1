/*
 * Random programs with SFPLOADMACRO on the Vector Unit and on the second model (macro_model.h), cycle by cycle: registers
 * as the next cycle reads them, flags, Dst, templates, what is held and what is lost. Then the same words without time.
 *
 *     WAITGATE_SEED=n     another seed; it is printed
 */
#include "test.h"
#include "vector_drive.h"

#include <stdio.h>
#include <stdlib.h>

#include "model/rng.h"
#include "unit/macro_model.h"

#define PROGRAMS (WG_SLOW_BUILD ? 200u : 1500u)
#define CYCLES   48u
#define IDLE     12u /* cycles at the end, in which all that counts cycles ends */

static uint64_t seed = 20260711;

struct program {
    uint32_t word[CYCLES + IDLE]; /* 0: nothing comes */
    struct m_config config[32];
    uint32_t reg[17][32], flags, use;
    uint32_t dst[512][16];
};

static uint32_t number(struct rng *r)
{
    switch (rng_below(r, 4)) {
    case 0: return rng_below(r, 64);
    case 1: return 0x3f000000 + rng_below(r, 0x1000000);
    case 2: return (rng_below(r, 2) << 31) | rng_below(r, 0x1000000); /* often denormal */
    default: return rng_next(r);
    }
}

/* A simple, MAD or round instruction; vd: its field. */
static uint32_t arithmetic(struct rng *r, unsigned sub, unsigned vd)
{
    static const uint8_t simple[] = {
        0x7c, 0x80, 0x8d, 0x7e, 0x7f, 0x89, 0x79, 0x7a, 0x7b, 0x92, 0x92, 0x8a};
    static const uint8_t mad[] = {0x84, 0x85, 0x86, 0x84, 0x74, 0x75, 0x98};
    uint32_t vc = rng_below(r, rng_percent(r, 80) ? 8 : 16), vb = rng_below(r, 8);
    uint32_t word = vd << 4 | vc << 8 | vb << 12 | rng_below(r, 16) << 16 | rng_below(r, 16) << 20;
    uint32_t op, mod = rng_percent(r, 50) ? 0 : rng_below(r, 16);
    if (sub == M_MAD) {
        op = mad[rng_below(r, sizeof mad)];
        mod = rng_percent(r, 70) ? mod & 3 : mod;
    } else if (sub == M_ROUND && rng_percent(r, 40)) {
        op = 0x8e;
        mod = 1;
        word &= 0xffff;
    } else if (sub == M_ROUND) {
        op = 0x94;
        mod = rng_below(r, 7);
    } else {
        op = simple[rng_below(r, sizeof simple)];
        mod = op == 0x7c ? rng_below(r, 3) : op == 0x7b ? rng_below(r, 4) * 2 : mod;
        mod = op == 0x92 ? rng_below(r, 9) : mod;
        if (op == 0x8a && rng_percent(r, 70)) { /* all lanes on, mostly */
            mod = 10;
            word = vd << 4 | 3u << 12;
        }
    }
    return op << 24 | word | mod;
}

static uint32_t access(struct rng *r)
{
    return rng_below(r, 100) << 1 | (rng_percent(r, 30) ? 1u : 0u) << 13 |
           (3 + rng_below(r, 2)) << 16;
}

/* What software may send. VD 12-15 enters a template. */
static uint32_t instruction(struct rng *r)
{
    unsigned vd = rng_percent(r, 4) ? 12 + rng_below(r, 4) : rng_below(r, 8);
    switch (rng_below(r, 16)) {
    case 0:
    case 1: return 0;
    case 2: return 0x8f000000;
    case 3: return 0x70000000 | vd << 20 | access(r);
    case 4: return 0x71000000 | vd << 20 | 2 * rng_below(r, 2) << 16 | rng_below(r, 65536);
    case 5: return 0x72000000 | vd << 20 | access(r);
    case 6: return rng_percent(r, 20) ? 0x91000000 | (11 + rng_below(r, 4)) << 4 : 0x8f000000;
    case 7: return arithmetic(r, M_SIMPLE, vd);
    case 8: return arithmetic(r, M_MAD, vd);
    case 9: return arithmetic(r, M_ROUND, vd);
    default: {
        uint32_t low = access(r) & ~1u;
        return 0x93000000 | rng_below(r, 4) << 22 | rng_below(r, 4) << 20 | low | rng_below(r, 2);
    }
    }
}

/* Templates 0 and 1 are for any sub-unit but store, 3 may be an SFPSTORE; store bytes choose that or none. */
static void configure(struct rng *r, struct m_config *c)
{
    for (unsigned i = 0; i < 4; i++) {
        unsigned sub = i == 3 ? M_SIMPLE : i;
        c->template_[i] = arithmetic(r, sub, rng_below(r, 16));
        c->sequence[i] = 0;
        for (unsigned k = 0; k < 3; k++) {
            unsigned choice = rng_percent(r, 60) ? 4 + k : rng_below(r, 7);
            choice = rng_percent(r, 25) ? 0 : choice < 2 ? 2 : choice;
            c->sequence[i] |= (rng_below(r, 32) << 3 | choice) << (8 * k);
        }
    }
    c->misc = (rng_percent(r, 60) ? 0 : rng_below(r, 16) << 8);
}

static void make_config(struct rng *r, struct program *p)
{
    struct m_config column[8];
    uint32_t store[4], mode = 3 + rng_below(r, 2) + (rng_below(r, 16) << 4), vd = rng_below(r, 12);
    bool by_template = rng_percent(r, 30), differ = rng_percent(r, 15);
    for (unsigned i = 0; i < 4; i++)
        store[i] = rng_percent(r, 25) ? rng_below(r, 32) << 3
                                      : rng_below(r, 32) << 3 | (by_template ? 7 : 3);
    for (unsigned c = 0; c < 8; c++) {
        if (c && !differ)
            column[c] = column[0];
        else
            configure(r, &column[c]);
        column[c].misc = (column[c].misc & 0xf00) | mode;
        if (by_template)
            column[c].template_[3] = 0x72000000 | vd << 20;
        for (unsigned i = 0; i < 4; i++)
            column[c].sequence[i] = (column[c].sequence[i] & 0xffffff) | store[i] << 24;
    }
    for (unsigned l = 0; l < 32; l++)
        p->config[l] = column[l % 8];
}

static void make(struct rng *r, struct program *p)
{
    memset(p, 0, sizeof *p);
    make_config(r, p);
    for (unsigned l = 0; l < 32; l++)
        for (unsigned reg = 0; reg < 17; reg++)
            p->reg[reg][l] = number(r);
    p->use = rng_percent(r, 70) ? 0 : rng_next(r);
    p->flags = rng_next(r);
    for (unsigned row = 0; row < 512; row++)
        for (unsigned i = 0; i < 16; i++)
            p->dst[row][i] = number(r);
    for (unsigned i = 0; i < CYCLES; i++)
        p->word[i] = instruction(r);
}

static void start_unit(struct vector_drive *v, const struct program *p)
{
    vu_reset(v);
    struct lanes *l = &v->vector.lanes;
    memcpy(l->r, p->reg, sizeof l->r);
    l->flags = p->flags;
    l->use = p->use;
    v->config.thread[0][28 + 1] = 4; /* address modifier 1: four rows on */
    for (unsigned i = 0; i < 32; i++) {
        memcpy(l->macro[i].template_, p->config[i].template_, sizeof l->macro[i].template_);
        memcpy(l->macro[i].sequence, p->config[i].sequence, sizeof l->macro[i].sequence);
        l->macro[i].misc = p->config[i].misc;
    }
    for (unsigned row = 0; row < 512; row++)
        for (unsigned i = 0; i < 16; i++) {
            unsigned at = dst_row32(row, 0);
            v->dst.d[at][i] = layout_high_to_dst(p->dst[row][i]);
            v->dst.d[at + DST_LOW][i] = (uint16_t)p->dst[row][i];
        }
}

static void start_model(struct macro_model *m, const struct program *p)
{
    memset(m, 0, sizeof *m);
    m->now = 1;
    memcpy(m->reg, p->reg, sizeof m->reg);
    memcpy(m->dst, p->dst, sizeof m->dst);
    memcpy(m->config, p->config, sizeof m->config);
    m->flags = p->flags;
    m->use = p->use;
}

/* What cycle now can read. */
static uint32_t readable(const struct vector *v, unsigned reg, unsigned lane, uint64_t now)
{
    bool old = v->old.mask >> reg & 1 && now == v->old.at + 1;
    return old ? v->old.r[reg][lane] : v->lanes.r[reg][lane];
}

static bool same(const struct vector_drive *v, struct macro_model *m, uint64_t now)
{
    /* nothing can read in this cycle: the unit does not keep what was */
    bool nobody = now < v->vector.swap_end && !v->vector.macro.n;
    model_look(m);
    for (unsigned reg = 0; reg < 17 && !nobody; reg++)
        for (unsigned l = 0; l < 32; l++)
            if (readable(&v->vector, reg, l, now) != m->reg[reg][l]) {
                printf("LReg %u lane %u: 0x%08x, model 0x%08x\n",
                       reg,
                       l,
                       readable(&v->vector, reg, l, now),
                       m->reg[reg][l]);
                return false;
            }
    if (v->vector.lanes.flags != m->flags || v->vector.lanes.use != m->use) {
        printf("flags 0x%08x, model 0x%08x\n", v->vector.lanes.flags, m->flags);
        return false;
    }
    for (unsigned row = 0; row < 512; row++)
        for (unsigned i = 0; i < 16; i++) {
            unsigned at = dst_row32(row, 0);
            uint32_t x = layout_from_dst32(v->dst.d[at][i], v->dst.d[at + DST_LOW][i]);
            if (x != m->dst[row][i]) {
                printf("Dst %u %u: 0x%08x, model 0x%08x\n", row, i, x, m->dst[row][i]);
                return false;
            }
        }
    return true;
}

static void show(const struct program *p, unsigned n, uint64_t i)
{
    printf("seed %llu program %llu:", (unsigned long long)seed, (unsigned long long)i);
    for (unsigned k = 0; k <= n; k++)
        printf(" %08x", p->word[k]);
    printf("\nlane 0: templates %08x %08x %08x %08x sequences %08x %08x %08x %08x misc %03x\n",
           p->config[0].template_[0],
           p->config[0].template_[1],
           p->config[0].template_[2],
           p->config[0].template_[3],
           p->config[0].sequence[0],
           p->config[0].sequence[1],
           p->config[0].sequence[2],
           p->config[0].sequence[3],
           p->config[0].misc);
}

/* One cycle of the unit with time; false: the word was held. */
static bool unit_cycle(struct vector_drive *v, uint32_t word, uint64_t now)
{
    struct vector_io io = vector_io_of(&v->vector, &v->dst, &v->rwc, &v->config, 0, &v->probe);
    struct entry e = {.word = word, .op = (uint8_t)(word >> 24)};
    bool goes = word && !vector_check(&v->vector, &e, now);
    if (goes)
        vector_start(&v->vector, &io, &e, now);
    if (vector_ticks(&v->vector))
        vector_clock(&v->vector, &io, now);
    return goes;
}

static struct vector_drive unit, untimed;
static struct macro_model model;
static struct program program;

static bool run_beside(uint64_t i, unsigned *held)
{
    uint64_t now = 1;
    for (unsigned k = 0; k < CYCLES + IDLE; now++) {
        uint32_t word = program.word[k];
        bool may = !word || model_may_go(&model, word), went = unit_cycle(&unit, word, now);
        model_cycle(&model, may ? word : 0);
        if (word && may != went) {
            printf("%08x %s\n", word, may ? "held, not in the model" : "goes, held in the model");
            show(&program, k, i);
            return false;
        }
        if (!same(&unit, &model, now + 1)) {
            show(&program, k, i);
            return false;
        }
        *held += !may;
        k += may;
    }
    return true;
}

static void unit_and_second_model_agree_in_every_cycle(void **state)
{
    (void)state;
    unsigned held = 0, lost = 0, stale = 0;
    for (uint64_t i = 0; i < PROGRAMS; i++) {
        struct rng r = rng_of(seed, i);
        make(&r, &program);
        start_unit(&unit, &program);
        start_model(&model, &program);
        assert_true(run_beside(i, &held));
        assert_int_equal(unit.probe.count[DIAG_SFP_LOST], model.lost);
        lost += model.lost;
        stale += (unsigned)unit.probe.count[DIAG_STALE_LREG];
    }
    /* the programs reach what they are to reach */
    assert_true(held > PROGRAMS / 10 && lost > PROGRAMS / 10 && stale > PROGRAMS / 10);
}

/* Words, and cycles without one as a word of the same thread for another unit. */
static void run_untimed(struct vector_drive *v)
{
    struct vector_io io = vector_io_of(&v->vector, &v->dst, &v->rwc, &v->config, 0, &v->probe);
    v->vector.untimed = true;
    for (unsigned k = 0; k < CYCLES + IDLE; k++) {
        uint32_t word = program.word[k];
        struct entry e = {.word = word, .op = (uint8_t)(word >> 24)};
        if (word)
            vector_start(&v->vector, &io, &e, 1000 * k); /* time itself does not count */
        else
            vector_beside(&v->vector, &io, false);
    }
}

static void words_in_a_row_without_time_leave_the_same_bits(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < PROGRAMS; i++) {
        struct rng r = rng_of(seed, i);
        make(&r, &program);
        start_unit(&unit, &program);
        start_unit(&untimed, &program);
        uint64_t now = 1;
        for (unsigned k = 0; k < CYCLES + IDLE; now++)
            k += unit_cycle(&unit, program.word[k], now) || !program.word[k];
        run_untimed(&untimed);
        assert_memory_equal(&untimed.vector.lanes, &unit.vector.lanes, sizeof unit.vector.lanes);
        assert_memory_equal(untimed.dst.d, unit.dst.d, sizeof unit.dst.d);
        assert_int_equal(untimed.probe.count[DIAG_STALE_LREG], unit.probe.count[DIAG_STALE_LREG]);
        assert_int_equal(untimed.probe.count[DIAG_SFP_LOST], unit.probe.count[DIAG_SFP_LOST]);
    }
}

int main(void)
{
    const char *other = getenv("WAITGATE_SEED");
    if (other)
        seed = strtoull(other, NULL, 0);
    printf("seed %llu\n", (unsigned long long)seed);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unit_and_second_model_agree_in_every_cycle),
        cmocka_unit_test(words_in_a_row_without_time_leave_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
