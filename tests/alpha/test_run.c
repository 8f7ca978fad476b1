/*
 * The untimed scheduler: the loop with a jump through a table, the loop with a switch, and the pieces
 * that a pipeline uses do the same on random programs; budgets are exact; code may change itself.
 */
#include "test.h"

#include "alpha/drive.h"
#include "model/rng.h"

#define WORDS 4096u /* two pages */

/* Mostly instructions of the table, with registers 0..7, 30 and 31; sometimes anything. */
static uint32_t random_word(struct rng *r)
{
    if (rng_percent(r, 4))
        return rng_next(r);
    const struct alpha_form *f = &alpha_forms[rng_below(r, ALPHA_N_FORMS)];
    uint32_t w = (uint32_t)f->opcode << 26, fields = rng_next(r) & 0x3ffffff;
    static const uint8_t registers[] = {0, 1, 2, 3, 4, 5, 30, 31};
    fields = (fields & ~0x03ff001fu) | (uint32_t)registers[rng_below(r, 8)] << 21 |
             (uint32_t)registers[rng_below(r, 8)] << 16 | registers[rng_below(r, 8)];
    if (f->op == ALPHA_OP_VAX && !rng_percent(r, 2))
        return W_NOP;
    switch (f->format) {
    case ALPHA_FMT_LDA: return w | fields;
    case ALPHA_FMT_LOAD:
    case ALPHA_FMT_STORE:
    case ALPHA_FMT_STORE_C:
    case ALPHA_FMT_FLOAD:
    case ALPHA_FMT_FSTORE: /* most of them near the stack pointer, which points to data */
        return w | (fields & ~0xffffu) | rng_below(r, 64) * (rng_percent(r, 90) ? 8 : 1) |
               (rng_percent(r, 90) ? 30u << 16 : 0);
    case ALPHA_FMT_BR:
    case ALPHA_FMT_BRANCH:
    case ALPHA_FMT_FBRANCH: /* short; now and then to the other page */
        return w | (fields & 31u << 21) |
               (rng_percent(r, 80) ? rng_below(r, 12) : rng_below(r, 2048));
    case ALPHA_FMT_JUMP:
    case ALPHA_FMT_RET: return W_NOP;
    case ALPHA_FMT_OPERATE:
    case ALPHA_FMT_OPERATE_N:
    case ALPHA_FMT_CMOVE: return w | (fields & ~0xfe0u) | (uint32_t)f->function << 5;
    case ALPHA_FMT_OPERATE_B:
    case ALPHA_FMT_OPERATE_R:
    case ALPHA_FMT_SEXT: return w | 31u << 21 | (fields & 0x001f001f) | (uint32_t)f->function << 5;
    case ALPHA_FMT_FTOI:
    case ALPHA_FMT_ITOF: return w | 31u << 16 | (fields & 0x03e0001f) | (uint32_t)f->function << 5;
    case ALPHA_FMT_FOPERATE:
    case ALPHA_FMT_FCMOVE: return w | (fields & ~0xffe0u) | (uint32_t)f->function << 5;
    case ALPHA_FMT_FOPERATE_B:
        return w | 31u << 21 | (fields & 0x001f001f) | (uint32_t)f->function << 5;
    case ALPHA_FMT_MISC:
    case ALPHA_FMT_MISC_A:
    case ALPHA_FMT_MISC_AB: return w | (fields & ~0xffffu) | f->function;
    case ALPHA_FMT_MISC_B: return w | 31u << 21 | (fields & 0x001f0000) | f->function;
    case ALPHA_FMT_PAL: return f->op == ALPHA_OP_HALT ? W_NOP : f->function;
    default: return W_NOP;
    }
}

static void fill(struct machine *m, struct rng r)
{
    static uint32_t words[WORDS];
    machine_open(m);
    assert_true(alpha_mem_map(&m->mem, CODE, 4 * ALPHA_PAGE, 7)); /* stores may hit it, too */
    for (unsigned i = 0; i < WORDS; i++)
        words[i] = random_word(&r);
    put_words(m, CODE, words, WORDS);
    for (unsigned i = 0; i < 64; i++)
        m->cpu.reg[i] = rng_percent(&r, 50)
                            ? rng_below(&r, 100)
                            : rng_next(&r) * UINT64_C(0x100000001) << rng_below(&r, 32);
    m->cpu.reg[30] = rng_percent(&r, 80) ? DATA + 256 : CODE + 128;
    m->cpu.reg[1] = rng_percent(&r, 30) ? CODE + 512 : m->cpu.reg[1];
    m->cpu.reg[31] = m->cpu.reg[63] = 0;
    m->cpu.pc = CODE + 4 * rng_below(&r, 64);
}

static void same(struct machine *a, struct machine *b, uint64_t seed, unsigned step)
{
    a->cpu.reg[ALPHA_SINK] = b->cpu.reg[ALPHA_SINK] = 0;
    bool equal = !memcmp(a->cpu.reg, b->cpu.reg, sizeof a->cpu.reg) && a->cpu.pc == b->cpu.pc &&
                 a->cpu.fpcr == b->cpu.fpcr && a->cpu.unique == b->cpu.unique &&
                 a->cpu.lock == b->cpu.lock && a->cpu.flag == b->cpu.flag &&
                 a->cpu.steps == b->cpu.steps && a->cpu.trap.trap == b->cpu.trap.trap &&
                 (!a->cpu.trap.trap ||
                  (a->cpu.trap.pc == b->cpu.trap.pc && a->cpu.trap.address == b->cpu.trap.address &&
                   a->cpu.trap.detail == b->cpu.trap.detail));
    if (!equal)
        fail_msg("seed %llu, turn %u: pc %llx and %llx, trap %u and %u",
                 (unsigned long long)seed,
                 step,
                 (unsigned long long)a->cpu.pc,
                 (unsigned long long)b->cpu.pc,
                 a->cpu.trap.trap,
                 b->cpu.trap.trap);
    assert_int_equal(a->cpu.reg[31], 0);
    assert_int_equal(a->cpu.reg[63], 0);
}

/* After a trap that is not done the program goes on behind the instruction. */
static void go_on(struct machine *m)
{
    switch (m->cpu.trap.trap) {
    case ALPHA_TRAP_ILLEGAL:
    case ALPHA_TRAP_LOAD:
    case ALPHA_TRAP_STORE:
    case ALPHA_TRAP_UNALIGNED: m->cpu.pc += 4; break;
    default: break;
    }
}

static void one_program(uint64_t seed)
{
    static struct machine m[N_RUNNERS];
    static uint8_t bytes[2][8 * 8192];
    struct rng r = rng_of(seed, 1);
    for (unsigned i = 0; i < N_RUNNERS; i++)
        fill(&m[i], rng_of(seed, 0));
    for (unsigned turn = 0; turn < 60 && m[0].cpu.trap.trap != ALPHA_TRAP_FETCH; turn++) {
        uint64_t budget = rng_percent(&r, 30) ? rng_below(&r, 4) : rng_below(&r, 400), done = 0;
        for (unsigned i = 0; i < N_RUNNERS; i++) {
            uint64_t n = runners[i](&m[i].cpu, &m[i].mem, budget);
            assert_true(n <= budget);
            if (!m[i].cpu.trap.trap)
                assert_int_equal(n, budget);
            if (i)
                assert_int_equal(n, done);
            done = n;
            if (i)
                same(&m[0], &m[i], seed, turn);
        }
        for (unsigned i = 0; i < N_RUNNERS; i++)
            go_on(&m[i]);
    }
    for (unsigned i = 0; i < N_RUNNERS; i++) {
        assert_true(alpha_mem_peek(&m[i].mem, CODE, bytes[i != 0], 4 * ALPHA_PAGE));
        assert_true(
            alpha_mem_peek(&m[i].mem, DATA, bytes[i != 0] + 4 * ALPHA_PAGE, 4 * ALPHA_PAGE));
        if (i)
            assert_memory_equal(bytes[0], bytes[1], sizeof bytes[0]);
        machine_close(&m[i]);
    }
}

static void random_programs(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 300; seed++)
        one_program(seed);
}

/* Bytes as instructions: always an end, never anything else. */
static void noise(void **state)
{
    (void)state;
    static struct machine m;
    for (uint64_t seed = 1; seed <= 100; seed++) {
        struct rng r = rng_of(seed, 5);
        machine_open(&m);
        for (unsigned i = 0; i < 2048; i++) {
            uint32_t word = rng_next(&r);
            put_words(&m, CODE + 4 * i, &word, 1);
        }
        for (unsigned i = 0; i < 63; i++)
            m.cpu.reg[i] = rng_percent(&r, 30) ? DATA + rng_below(&r, 9000)
                                               : rng_next(&r) * UINT64_C(0x100000001);
        m.cpu.reg[31] = 0;
        for (unsigned turn = 0; turn < 3000; turn++) {
            alpha_run(&m.cpu, &m.mem, 50);
            m.cpu.pc = CODE + 4 * rng_below(&r, 2048);
        }
        machine_close(&m);
    }
}

/* A loop that rewrites one of its instructions: seen in the next round. */
static void self_modifying(void **state)
{
    (void)state;
    static struct machine m;
    for (unsigned i = 0; i < N_RUNNERS; i++) {
        const uint32_t words[] = {
            w_lit(0x10, 0x20, 1, 1, 1), /* addq t0,1,t0: becomes addq t0,2,t0 */
            w_mem(0x2c, 2, 0, 3),       /* stl t1,0(t2) */
            w_lit(0x10, 0x29, 4, 1, 4), /* subq t3,1,t3 */
            w_br(0x3d, 4, -4),          /* bne t3 */
            W_CALLSYS,
        };
        machine_open(&m);
        assert_true(alpha_mem_map(&m.mem, CODE, ALPHA_PAGE, 7));
        put_words(&m, CODE, words, 5);
        m.cpu.reg[2] = w_lit(0x10, 0x20, 1, 2, 1);
        m.cpu.reg[3] = CODE;
        m.cpu.reg[4] = 10;
        assert_int_equal(runners[i](&m.cpu, &m.mem, 1000), 41);
        assert_int_equal(m.cpu.trap.trap, ALPHA_TRAP_CALLSYS);
        assert_int_equal(m.cpu.reg[1], 1 + 9 * 2);
        machine_close(&m);
    }
}

/* A budget ends exactly there, also at the end of a page and behind a jump. */
static void budgets(void **state)
{
    (void)state;
    static struct machine m;
    for (unsigned i = 0; i < N_RUNNERS; i++) {
        machine_open(&m);
        for (unsigned n = 0; n < 4096; n++) {
            uint32_t nop = W_NOP;
            put_words(&m, CODE + 4 * n, &nop, 1);
        }
        for (uint64_t budget = 2046; budget < 2051; budget++) {
            m.cpu.pc = CODE;
            assert_int_equal(runners[i](&m.cpu, &m.mem, budget), budget);
            assert_int_equal(m.cpu.pc, CODE + 4 * budget);
        }
        uint32_t far = w_br(0x30, 31, 2047);
        put_words(&m, CODE, &far, 1);
        m.cpu.pc = CODE;
        assert_int_equal(runners[i](&m.cpu, &m.mem, 1), 1);
        assert_int_equal(m.cpu.pc, CODE + ALPHA_PAGE);
        assert_int_equal(runners[i](&m.cpu, &m.mem, 0), 0);
        assert_int_equal(m.cpu.pc, CODE + ALPHA_PAGE);
        machine_close(&m);
    }
}

TEST_MAIN(cmocka_unit_test(random_programs), cmocka_unit_test(noise),
          cmocka_unit_test(self_modifying), cmocka_unit_test(budgets))
