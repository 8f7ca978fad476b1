/*
 * The pipeline's glide: random programs, with random settings and numbers of cycles at a time, go through the same cycles with it and without it
 * (no_skip). Loops are short, code is written by the program itself and lies in several pages, stores and loads overlap: what the
 * glide has to notice. After every piece of a run the accounts, the places of lost cycles, the prediction and the write buffer are
 * the same; after every stop also registers and memory.
 */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "alpha/machine.h"
#include "model/rng.h"
#include "words.h"

#define CODE     0x10000u
#define DATA     0x40000u
#define PAGES    8u
#define BLOCK    16u
#define WORDS    (PAGES * (unsigned)ALPHA_PAGE / 4)
#define PROGRAMS (WG_SLOW_BUILD ? 100u : 1000u)
#define CYCLES   6000u
#define STILL    1000u /* cycles without an instruction that no setting explains */

/* r1..r6 numbers, r7 a word, r8 the code nearby, r9 code, r10 and r11 data, the latter at the end of a page, r26 links. */
static unsigned any_register(struct rng *r)
{
    return rng_percent(r, 8) ? 31 : 1 + rng_below(r, 6);
}

static uint32_t word_integer(struct rng *r)
{
    static const uint16_t operations[] = {0x1020,
                                          0x1000,
                                          0x1029,
                                          0x102d,
                                          0x104d,
                                          0x1100,
                                          0x1120,
                                          0x1140,
                                          0x1124,
                                          0x1146,
                                          0x1234,
                                          0x1239,
                                          0x1206,
                                          0x1231,
                                          0x1320,
                                          0x1300,
                                          0x1060,
                                          0x1022};
    uint32_t o = operations[rng_below(r, sizeof operations / sizeof operations[0])];
    if (rng_percent(r, 15))
        return ax_lda(any_register(r), (int)rng_below(r, 64) - 32, any_register(r));
    uint32_t w = ax_operate(o >> 8, o & 0xff, any_register(r), 0, any_register(r));
    return rng_percent(r, 50) ? w | rng_below(r, 256) << 13 | 1u << 12 : w | any_register(r) << 16;
}

static uint32_t word_memory(struct rng *r)
{
    static const uint8_t opcodes[] = {
        0x28, 0x29, 0x0a, 0x0c, 0x0b, 0x22, 0x23, 0x2c, 0x2d, 0x0e, 0x0d, 0x0f, 0x26, 0x27};
    unsigned opcode = opcodes[rng_below(r, sizeof opcodes)];
    if (rng_percent(r, 10)) /* LDx_L, STx_C, mostly aligned */
        return ax_memory(0x2a + rng_below(r, 2) + 4 * rng_below(r, 2),
                         any_register(r),
                         8 * (int)rng_below(r, 3) + rng_percent(r, 5),
                         10);
    if (rng_percent(r, 3))
        return ax_ldl(7, 4 * (int)rng_below(r, 200), 9);
    return ax_memory(opcode, any_register(r), (int)rng_below(r, 40), rng_percent(r, 90) ? 10 : 11);
}

static uint32_t word_branch(struct rng *r)
{
    unsigned ra = any_register(r);
    uint32_t to = (uint32_t)((int)rng_below(r, 20) - 8) & 0x1fffff;
    if (rng_percent(r, 4))
        to = rng_below(r, WORDS);
    switch (rng_below(r, 8)) {
    case 0: return 0x30u << 26 | 31u << 21 | (to & 0xf);
    case 1: return 0x34u << 26 | 26u << 21 | (to & 0x1f);
    case 2: return 0x1au << 26 | 31u << 21 | 26u << 16 | 2u << 14; /* ret */
    case 3: return 0x1au << 26 | 26u << 21 | 26u << 16 | rng_below(r, 4) << 14;
    case 4: return (0x31u + rng_below(r, 3)) << 26 | ra << 21 | to; /* of floating point */
    default: return (0x38u + rng_below(r, 8)) << 26 | ra << 21 | to;
    }
}

static uint32_t word_floating(struct rng *r)
{
    static const uint16_t functions[] = {
        0x5a0, 0x5a1, 0x5a2, 0x5a3, 0x5a5, 0x5a6, 0x0a0, 0x0a2, 0x580};
    unsigned a = any_register(r), b = any_register(r), c = any_register(r);
    switch (rng_below(r, 8)) {
    case 0: return ax_operate(0x17, 0x20, a, b, c);   /* cpys */
    case 1: return ax_operate(0x17, 0x2a, a, b, c);   /* fcmoveq */
    case 2: return ax_operate(0x14, 0x24, a, 31, c);  /* itoft */
    case 3: return ax_operate(0x1c, 0x70, a, 31, c);  /* ftoit */
    case 4: return ax_operate(0x16, 0x0be, 31, b, c); /* cvtqt */
    case 5:
        return rng_percent(r, 30) ? ax_operate(0x17, 0x25, a, a, a)
                                  : ax_operate(0x14, 0x5ab, 31, b, c);
    default:
        return ax_operate(
            0x16, functions[rng_below(r, sizeof functions / sizeof functions[0])], a, b, c);
    }
}

static uint32_t any_word(struct rng *r)
{
    static const uint32_t others[] = {AX_TRAPB,
                                      AX_EXCB,
                                      AX_MB,
                                      AX_WMB,
                                      AX_NOP,
                                      0x2ffe0000,
                                      0x60048000,
                                      0x6020c000,
                                      0x6020e000,
                                      0x00000083,
                                      0x0000009e,
                                      0x00000086};
    unsigned kind = rng_below(r, 100);
    if (kind < 50)
        return word_integer(r);
    if (kind < 70)
        return word_memory(r);
    if (kind < 84)
        return word_branch(r);
    return kind < 95 ? word_floating(r) : others[rng_below(r, sizeof others / sizeof others[0])];
}

/* Writes code a little further on, in this page or the next, and goes on there soon. */
static void write_code(struct rng *r, uint32_t w[BLOCK])
{
    unsigned further = BLOCK + (rng_percent(r, 50) ? rng_below(r, 8) : 2030 + rng_below(r, 40));
    unsigned stores = 1 + rng_below(r, 3), last = stores + 1 + rng_below(r, BLOCK - stores - 1);
    for (unsigned i = 1; i < last; i++)
        w[i] = i <= stores ? ax_stl(7, 4 * (int)(further + i), 8) : word_integer(r);
    w[0] = 0x30u << 26 | 8u << 21; /* br r8: what is behind it */
    w[last] = 0x30u << 26 | 31u << 21 | (further - last - rng_below(r, 4));
}

static struct machine *make(uint64_t seed, bool no_skip, bool frozen)
{
    struct machine *m = calloc(1, sizeof *m);
    struct rng r = rng_of(seed, 0);
    assert_non_null(m);
    assert_true(machine_init(m, 1, 0));
    assert_true(alpha_mem_map(
        &m->mem, CODE, PAGES * ALPHA_PAGE, ALPHA_PROT_READ | ALPHA_PROT_WRITE | ALPHA_PROT_EXEC));
    assert_true(alpha_mem_map(&m->mem, DATA, 2 * ALPHA_PAGE, ALPHA_PROT_READ | ALPHA_PROT_WRITE));
    for (unsigned i = 0; i < WORDS; i += BLOCK) {
        uint32_t w[BLOCK];
        for (unsigned k = 0; k < BLOCK; k++)
            w[k] = any_word(&r);
        if (rng_percent(&r, 12))
            write_code(&r, w);
        assert_true(alpha_mem_poke(&m->mem, CODE + 4 * i, w, sizeof w));
    }
    struct alpha_cpu *c = &m->cpu[0].cpu;
    for (unsigned i = 1; i <= 6; i++) {
        c->reg[i] = rng_below(&r, 100);
        c->reg[ALPHA_FP + i] = UINT64_C(0x3ff0000000000000) + ((uint64_t)rng_next(&r) << 20);
    }
    c->reg[7] = any_word(&r);
    c->reg[8] = c->reg[9] = CODE;
    c->reg[10] = DATA + 64;
    c->reg[11] = DATA + ALPHA_PAGE - 20;
    c->reg[26] = CODE + 4 * rng_below(&r, WORDS);
    c->pc = CODE + 4 * rng_below(&r, WORDS);
    m->set.fp_pipelined = rng_percent(&r, 40);
    m->set.wmb_marker = rng_percent(&r, 40);
    for (unsigned i = 0; i < ALPHA_N_LATENCIES; i++)
        m->set.insn[i] = rng_percent(&r, 20) ? 1 + rng_below(&r, 9) : m->set.insn[i];
    m->set.other[PIPE_WBUF_ENTRY] = 1 + rng_below(&r, 9);
    m->set.other[PIPE_WBUF_DEPTH] = 1 + rng_below(&r, 10);
    m->cpu[0].blame_on = true;
    m->no_skip = no_skip;
    m->set.frozen = frozen;
    machine_start(m);
    return m;
}

static bool same_accounts(const struct pipe *a, const struct pipe *b)
{
    const struct ledger *x = &a->ledger, *y = &b->ledger;
    bool same = x->n_pairs == y->n_pairs && !memcmp(x->cycles, y->cycles, sizeof x->cycles);
    for (unsigned i = 0; i < x->n_pairs; i++)
        same &= x->pair[i].cause == y->pair[i].cause && x->pair[i].owner == y->pair[i].owner &&
                x->pair[i].times == y->pair[i].times && x->pair[i].cycles == y->pair[i].cycles;
    return same;
}

static bool same_blame(const struct blame *a, const struct blame *b)
{
    bool same = a->rest == b->rest;
    for (unsigned i = 0; i < BLAME_SLOTS; i++) {
        const struct blame_slot *x = &a->slot[i], *y = &b->slot[i];
        same &= x->key == y->key && x->place == y->place && x->times == y->times &&
                x->cycles == y->cycles;
    }
    return same;
}

static bool same_stores(const struct wbuf *a, const struct wbuf *b)
{
    bool same = a->n == b->n && a->entered == b->entered && (!a->n || a->done == b->done);
    for (unsigned i = 0; same && i < a->n; i++) {
        const struct wbuf_entry *x = &a->entry[(a->head + i) % WBUF_MAX],
                                *y = &b->entry[(b->head + i) % WBUF_MAX];
        uint64_t mask = x->size == 8 ? UINT64_MAX : (UINT64_C(1) << 8 * x->size) - 1;
        same = x->address == y->address && x->size == y->size && x->pc == y->pc &&
               !((x->data ^ y->data) & mask);
    }
    return same;
}

static const char *difference(const struct machine *a, const struct machine *b)
{
    const struct pipe *p = &a->cpu[0], *q = &b->cpu[0];
    if (a->now != b->now)
        return "cycles";
    if (p->retired != q->retired || p->mispredicts != q->mispredicts || p->flushes != q->flushes)
        return "instructions";
    if (!same_accounts(p, q))
        return "accounts";
    if (!same_blame(&a->blame, &b->blame))
        return "places";
    if (!same_stores(&p->wbuf, &q->wbuf))
        return "write buffer";
    if (memcmp(p->predict.counter, q->predict.counter, sizeof p->predict.counter) ||
        memcmp(p->predict.target, q->predict.target, sizeof p->predict.target) ||
        memcmp(p->predict.ret, q->predict.ret, sizeof p->predict.ret) ||
        p->predict.top != q->predict.top)
        return "prediction";
    return NULL;
}

/* After a stop. */
static const char *difference_stopped(struct machine *a, struct machine *b)
{
    static uint8_t bytes[2][(PAGES + 2) * ALPHA_PAGE];
    const struct alpha_cpu *c = &a->cpu[0].cpu, *d = &b->cpu[0].cpu;
    struct machine *m[2] = {a, b};
    if (memcmp(c->reg, d->reg, ALPHA_SINK * sizeof c->reg[0]) || c->fpcr != d->fpcr ||
        c->lock != d->lock || c->flag != d->flag)
        return "registers";
    if (c->pc != d->pc || c->trap.trap != d->trap.trap || c->trap.pc != d->trap.pc)
        return "trap";
    for (unsigned i = 0; i < 2; i++) {
        assert_true(alpha_mem_peek(&m[i]->mem, CODE, bytes[i], PAGES * ALPHA_PAGE));
        assert_true(
            alpha_mem_peek(&m[i]->mem, DATA, bytes[i] + PAGES * ALPHA_PAGE, 2 * ALPHA_PAGE));
    }
    return memcmp(bytes[0], bytes[1], sizeof bytes[0]) ? "memory" : NULL;
}

/* Behind the instruction, or somewhere if there is none. */
static void go_on(struct machine *m, uint64_t elsewhere)
{
    struct alpha_cpu *c = &m->cpu[0].cpu;
    if (c->trap.trap == ALPHA_TRAP_FETCH)
        c->pc = elsewhere;
    else if (c->pc == c->trap.pc)
        c->pc += 4;
    machine_resume(m, 0);
}

/* True: it ended in a hang. Standing still without one is wrong. */
static bool one_program(uint64_t seed, bool frozen)
{
    struct machine *m[2] = {make(seed, false, frozen), make(seed, true, frozen)};
    struct rng r = rng_of(seed, 1);
    const char *differ = NULL;
    uint64_t retired = 0, moved = 0;
    bool hangs = false;
    while (!hangs && m[0]->now < CYCLES && !differ) {
        uint64_t cycles = rng_percent(&r, 30) ? 1 + rng_below(&r, 12) : 1 + rng_below(&r, 2000);
        uint64_t elsewhere = CODE + 4 * rng_below(&r, WORDS);
        enum machine_end end = machine_run(m[0], cycles);
        if (machine_run(m[1], cycles) != end)
            differ = "end";
        machine_settle(m[0]);
        machine_settle(m[1]);
        if (!differ)
            differ = difference(m[0], m[1]);
        if (m[0]->cpu[0].retired != retired) {
            retired = m[0]->cpu[0].retired;
            moved = m[0]->now;
        }
        if (end == MACHINE_LIMIT && m[0]->now - moved > STILL)
            differ = "progress: none, and no hang";
        hangs = frozen && end == MACHINE_HANG;
        if (end == MACHINE_LIMIT || differ || hangs)
            continue;
        assert_int_equal(end, MACHINE_TRAP);
        differ = difference_stopped(m[0], m[1]);
        go_on(m[0], elsewhere);
        go_on(m[1], elsewhere);
    }
    if (differ)
        fail_msg("seed %llu, cycles %llu and %llu: other %s",
                 (unsigned long long)seed,
                 (unsigned long long)m[0]->now,
                 (unsigned long long)m[1]->now,
                 differ);
    for (unsigned i = 0; i < 2; i++) {
        machine_free(m[i]);
        free(m[i]);
    }
    return hangs;
}

static void gliding_changes_nothing(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= PROGRAMS; seed++)
        assert_false(one_program(seed, false));
}

/* A ring that moves as a whole can deadlock, and then says so: no run goes on for ever without an instruction. */
static void a_frozen_ring_moves_or_hangs(void **state)
{
    unsigned hangs = 0, programs = PROGRAMS / 2;
    (void)state;
    for (uint64_t seed = 1; seed <= programs; seed++)
        hangs += one_program(seed, true);
    assert_in_range(hangs, 1, programs - 1);
}

TEST_MAIN(cmocka_unit_test(gliding_changes_nothing), cmocka_unit_test(a_frozen_ring_moves_or_hangs))
