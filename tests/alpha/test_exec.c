/*
 * What Alpha instructions do, where the vectors do not reach: memory, branches, jumps, locks, PALcode, traps.
 * Every program runs on all three ways to execute.
 */
#include "test.h"

#include "alpha/alpha_exec.h"
#include "alpha/drive.h"

static struct machine m;

/* Run words from CODE until CALLSYS, or another trap if one is expected. */
static void play(runner *run, const uint32_t *words, size_t n, unsigned trap)
{
    put_words(&m, CODE, words, n);
    m.cpu.pc = CODE;
    run(&m.cpu, &m.mem, 1000);
    assert_int_equal(m.cpu.trap.trap, trap);
}

#define PLAY(trap, ...)                                                                            \
    do {                                                                                           \
        const uint32_t words_[] = {__VA_ARGS__};                                                   \
        play(run, words_, sizeof words_ / sizeof words_[0], trap);                                 \
    } while (0)
#define R(n) m.cpu.reg[n]
#define F(n) m.cpu.reg[32 + (n)]

static void each(void (*body)(runner *run))
{
    for (unsigned i = 0; i < N_RUNNERS; i++) {
        machine_open(&m);
        body(runners[i]);
        assert_int_equal(R(31), 0);
        assert_int_equal(F(31), 0);
        machine_close(&m);
    }
}

static void put64(uint64_t at, uint64_t value)
{
    assert_int_equal(alpha_mem_write(&m.mem, at, 8, value), 0);
}

static uint64_t get64(uint64_t at)
{
    uint64_t value = 0;
    assert_int_equal(alpha_mem_read(&m.mem, at, 8, &value), 0);
    return value;
}

static void do_loads(runner *run)
{
    R(2) = DATA;
    put64(DATA + 8, UINT64_C(0xfedcba9876543280));
    put64(DATA + 16, UINT64_C(0xffffffffbfc00000));
    PLAY(ALPHA_TRAP_CALLSYS,
         w_mem(0x0a, 1, 8, 2),
         w_mem(0x0c, 3, 8, 2),
         w_mem(0x28, 4, 12, 2),
         w_mem(0x29, 5, 8, 2),
         w_mem(0x0b, 6, 13, 2),
         w_mem(0x22, 1, 16, 2),
         w_mem(0x23, 2, 8, 2),
         w_mem(0x29, 7, 9, 2),
         w_mem(0x29, 31, 0, 31),
         W_CALLSYS);
    assert_int_equal(R(1), 0x80);
    assert_int_equal(R(3), 0x3280);
    assert_int_equal(R(4), UINT64_C(0xfffffffffedcba98)); /* longwords are sign-extended */
    assert_int_equal(R(5), UINT64_C(0xfedcba9876543280));
    assert_int_equal(R(6), R(5));                         /* LDQ_U ignores the low bits */
    assert_int_equal(F(1), UINT64_C(0xbff8000000000000)); /* -1.5 */
    assert_int_equal(F(2), R(5));
    assert_int_equal(R(7), UINT64_C(0x00fedcba98765432)); /* unaligned: done, as Linux does it */
    assert_int_equal(m.mem.unaligned, 1);
}

static void loads(void **state)
{
    (void)state;
    each(do_loads);
}

static void do_stores(runner *run)
{
    R(2) = DATA;
    R(1) = UINT64_C(0x1122334455667788);
    F(1) = UINT64_C(0xbff8000000000000);
    put64(DATA, 0);
    put64(DATA + 8, 0);
    put64(DATA + 16, 0);
    PLAY(ALPHA_TRAP_CALLSYS,
         w_mem(0x0e, 1, 1, 2),
         w_mem(0x0d, 1, 4, 2),
         w_mem(0x2c, 1, 8, 2),
         w_mem(0x26, 1, 12, 2),
         w_mem(0x0f, 1, 23, 2),
         w_mem(0x27, 1, 24, 2),
         W_CALLSYS);
    assert_int_equal(get64(DATA), UINT64_C(0x0000778800008800));
    assert_int_equal(get64(DATA + 8), UINT64_C(0xbfc0000055667788));
    assert_int_equal(get64(DATA + 16), R(1));
    assert_int_equal(get64(DATA + 24), F(1));
}

static void stores(void **state)
{
    (void)state;
    each(do_stores);
}

static void do_branches(runner *run)
{
    static const struct {
        unsigned opcode;
        bool taken[4]; /* for -2, 0, 1, 2 */
    } rows[] = {{0x38, {1, 1, 0, 1}},
                {0x39, {0, 1, 0, 0}},
                {0x3a, {1, 0, 0, 0}},
                {0x3b, {1, 1, 0, 0}},
                {0x3c, {0, 0, 1, 0}},
                {0x3d, {1, 0, 1, 1}},
                {0x3e, {0, 1, 1, 1}},
                {0x3f, {0, 0, 1, 1}}};
    static const int64_t values[] = {-2, 0, 1, 2};
    for (unsigned i = 0; i < 8; i++)
        for (unsigned j = 0; j < 4; j++) {
            R(1) = (uint64_t)values[j];
            R(3) = 0;
            PLAY(ALPHA_TRAP_CALLSYS,
                 w_br(rows[i].opcode, 1, 1),
                 w_lit(0x11, 0x20, 31, 1, 3),
                 W_CALLSYS);
            assert_int_equal(R(3), !rows[i].taken[j]);
        }
    /* -0.0 is zero, but its sign is set */
    static const struct {
        unsigned opcode;
        bool taken[4]; /* for -1.0, -0.0, 0.0, 1.0 */
    } floats[] = {{0x31, {0, 1, 1, 0}},
                  {0x32, {1, 0, 0, 0}},
                  {0x33, {1, 1, 1, 0}},
                  {0x35, {1, 0, 0, 1}},
                  {0x36, {0, 1, 1, 1}},
                  {0x37, {0, 0, 0, 1}}};
    static const uint64_t bits[] = {
        UINT64_C(0xbff0000000000000), UINT64_C(1) << 63, 0, UINT64_C(0x3ff0000000000000)};
    for (unsigned i = 0; i < 6; i++)
        for (unsigned j = 0; j < 4; j++) {
            F(1) = bits[j];
            R(3) = 0;
            PLAY(ALPHA_TRAP_CALLSYS,
                 w_br(floats[i].opcode, 1, 1),
                 w_lit(0x11, 0x20, 31, 1, 3),
                 W_CALLSYS);
            assert_int_equal(R(3), !floats[i].taken[j]);
        }
}

static void branches(void **state)
{
    (void)state;
    each(do_branches);
}

static void do_jumps(runner *run)
{
    /* jsr to an address with low bits set: they are ignored; ra == rb jumps to the old value */
    R(27) = CODE + 16 + 3;
    PLAY(ALPHA_TRAP_CALLSYS,
         w_mem(0x1a, 27, 0x4000, 27),
         W_CALLSYS,
         W_CALLSYS,
         W_CALLSYS,
         w_lit(0x11, 0x20, 31, 7, 3),
         W_CALLSYS);
    assert_int_equal(R(3), 7);
    assert_int_equal(R(27), CODE + 4);
    /* bsr over the end of a page and back */
    uint32_t back[] = {w_lit(0x11, 0x20, 31, 9, 4), w_mem(0x1a, 31, 0x8001, 26)};
    put_words(&m, CODE + ALPHA_PAGE - 4, back, 2);
    PLAY(ALPHA_TRAP_CALLSYS, w_br(0x34, 26, (int)(ALPHA_PAGE / 4) - 2), W_CALLSYS);
    assert_int_equal(R(4), 9);
    assert_int_equal(R(26), CODE + 4);
    assert_int_equal(m.cpu.pc, CODE + 8);
}

static void jumps(void **state)
{
    (void)state;
    each(do_jumps);
}

#define LDQ_L(ra, rb) w_mem(0x2b, ra, 0, rb)
#define STQ_C(ra, rb) w_mem(0x2f, ra, 0, rb)

static void do_locks(runner *run)
{
    R(2) = DATA;
    put64(DATA, 5);
    /* the pair, with MB between: stores, answers 1 (Handbook 4.2.5) */
    R(3) = 7;
    PLAY(ALPHA_TRAP_CALLSYS, LDQ_L(1, 2), W_MB, STQ_C(3, 2), W_CALLSYS);
    assert_int_equal(R(1), 5);
    assert_int_equal(R(3), 1);
    assert_int_equal(get64(DATA), 7);
    /* the second of two STx_C fails and stores nothing */
    R(3) = 8;
    R(4) = 9;
    PLAY(ALPHA_TRAP_CALLSYS, LDQ_L(1, 2), STQ_C(3, 2), STQ_C(4, 2), W_CALLSYS);
    assert_int_equal(R(3), 1);
    assert_int_equal(R(4), 0);
    assert_int_equal(get64(DATA), 8);
    /* another address */
    R(3) = 9;
    R(5) = DATA + 64;
    PLAY(ALPHA_TRAP_CALLSYS, LDQ_L(1, 2), STQ_C(3, 5), W_CALLSYS);
    assert_int_equal(R(3), 0);
    /* a system call between them */
    PLAY(ALPHA_TRAP_CALLSYS, LDQ_L(1, 2), W_CALLSYS, STQ_C(3, 2), W_CALLSYS);
    assert_false(m.cpu.lock);
    /* somebody else's store: only to the range */
    PLAY(ALPHA_TRAP_BPT, LDQ_L(1, 2), 0x80);
    alpha_state_lock_break(&m.cpu, DATA + 16, 8);
    assert_true(m.cpu.lock);
    alpha_state_lock_break(&m.cpu, DATA + 15, 1);
    assert_false(m.cpu.lock);
    /* unaligned: a trap, and the flag stays */
    R(2) = DATA + 4;
    PLAY(ALPHA_TRAP_UNALIGNED, LDQ_L(1, 2));
    assert_int_equal(m.cpu.trap.address, DATA + 4);
    assert_int_equal(m.cpu.pc, CODE);
}

static void locks(void **state)
{
    (void)state;
    each(do_locks);
}

static void do_pal(runner *run)
{
    R(16) = 0x1234;
    PLAY(ALPHA_TRAP_CALLSYS, 0x9f, w_lit(0x11, 0x20, 31, 1, 16), 0x9e, W_IMB, W_CALLSYS);
    assert_int_equal(R(0), 0x1234);
    assert_int_equal(m.cpu.unique, 0x1234);
    PLAY(ALPHA_TRAP_GENTRAP, 0xaa);
    assert_int_equal(m.cpu.trap.detail, 1);
    assert_int_equal(m.cpu.pc, CODE + 4);
    PLAY(ALPHA_TRAP_BUGCHK, 0x81);
    PLAY(ALPHA_TRAP_ILLEGAL, 0x00); /* halt is privileged */
    assert_int_equal(m.cpu.pc, CODE);
    PLAY(ALPHA_TRAP_ILLEGAL, 0x04000000);
    assert_int_equal(m.cpu.trap.detail, 0x04000000);
    PLAY(ALPHA_TRAP_ILLEGAL, 0x54221003); /* addf: VAX floating point */
    PLAY(ALPHA_TRAP_ILLEGAL, 0x64000000); /* pal19 */
    /* rs, rs, rc: the flag before it; rpcc counts instructions */
    m.cpu.steps = 100;
    PLAY(ALPHA_TRAP_CALLSYS, 0x6020f000, 0x6040f000, 0x6060e000, 0x6080e000, 0x60bfc000, W_CALLSYS);
    assert_int_equal(R(1), 0);
    assert_int_equal(R(2), 1);
    assert_int_equal(R(3), 1);
    assert_int_equal(R(4), 0);
    assert_int_equal(R(5), 104);
}

static void pal(void **state)
{
    (void)state;
    each(do_pal);
}

static void do_traps(runner *run)
{
    /* addq/v: no register is written, the pc is behind it */
    R(1) = INT64_MAX;
    R(3) = 77;
    PLAY(ALPHA_TRAP_ARITH, w_lit(0x10, 0x60, 1, 1, 3));
    assert_int_equal(m.cpu.trap.detail, ALPHA_EXC_IOV);
    assert_int_equal(m.cpu.trap.pc, CODE);
    assert_int_equal(m.cpu.pc, CODE + 4);
    assert_int_equal(R(3), 77);
    /* divt by zero: FPCR keeps the status bit */
    F(1) = UINT64_C(0x3ff0000000000000);
    PLAY(ALPHA_TRAP_ARITH, w_op(0x16, 0x0a3, 1, 31, 2));
    assert_int_equal(m.cpu.trap.detail, ALPHA_EXC_DZE);
    assert_true(m.cpu.fpcr & ALPHA_FPCR_DZE);
    /* ... with /su: disabled in FPCR, so the result is infinite */
    PLAY(ALPHA_TRAP_CALLSYS, w_op(0x16, 0x5a3, 1, 31, 2), W_CALLSYS);
    assert_int_equal(F(2), UINT64_C(0x7ff0000000000000));
    /* memory that is not there, or may not be written */
    R(2) = 8;
    PLAY(ALPHA_TRAP_LOAD, w_mem(0x29, 1, 0, 2));
    assert_int_equal(m.cpu.trap.address, 8);
    assert_int_equal(m.cpu.pc, CODE);
    R(2) = CODE;
    PLAY(ALPHA_TRAP_STORE, w_mem(0x2d, 1, 8, 2));
    assert_int_equal(m.cpu.trap.address, CODE + 8);
    R(3) = 3;
    PLAY(ALPHA_TRAP_STORE, LDQ_L(1, 2), STQ_C(3, 2));
    R(2) = DATA;
    PLAY(ALPHA_TRAP_FETCH, w_mem(0x1a, 31, 0, 2));
    assert_int_equal(m.cpu.pc, DATA);
    /* straight out of the last page */
    uint32_t last = W_NOP;
    put_words(&m, CODE + 4 * ALPHA_PAGE - 4, &last, 1);
    m.cpu.pc = CODE + 4 * ALPHA_PAGE - 4;
    assert_int_equal(run(&m.cpu, &m.mem, 10), 1);
    assert_int_equal(m.cpu.trap.trap, ALPHA_TRAP_FETCH);
    assert_int_equal(m.cpu.pc, CODE + 4 * ALPHA_PAGE);
}

static void traps(void **state)
{
    (void)state;
    each(do_traps);
}

static void do_fpcr(runner *run)
{
    F(1) = UINT64_C(0x8a3f123456789abc);
    PLAY(ALPHA_TRAP_CALLSYS, w_op(0x17, 0x24, 1, 1, 1), w_op(0x17, 0x25, 2, 2, 2), W_CALLSYS);
    assert_int_equal(F(2), UINT64_C(0x8a3f123400000000));
    /* SUM says whether there is a status bit, whatever was written to it */
    static const uint64_t rows[][2] = {{ALPHA_FPCR_SUM, 0},
                                       {ALPHA_FPCR_INED, ALPHA_FPCR_INED},
                                       {ALPHA_FPCR_INE, ALPHA_FPCR_INE | ALPHA_FPCR_SUM},
                                       {ALPHA_FPCR_IOV, ALPHA_FPCR_IOV | ALPHA_FPCR_SUM},
                                       {ALPHA_FPCR_INV, ALPHA_FPCR_INV | ALPHA_FPCR_SUM}};
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        F(1) = rows[i][0];
        PLAY(ALPHA_TRAP_CALLSYS, w_op(0x17, 0x24, 1, 1, 1), w_op(0x17, 0x25, 2, 2, 2), W_CALLSYS);
        assert_int_equal(F(2), rows[i][1]);
    }
    m.cpu.fpcr = ALPHA_FPCR_START; /* 1 / 0 */
    F(1) = UINT64_C(0x3ff0000000000000);
    PLAY(ALPHA_TRAP_CALLSYS, w_op(0x16, 0x5a3, 1, 31, 3), w_op(0x17, 0x25, 2, 2, 2), W_CALLSYS);
    assert_int_equal(F(2), ALPHA_FPCR_START | ALPHA_FPCR_DZE | ALPHA_FPCR_SUM);
    /* implver: an EV6 */
    PLAY(ALPHA_TRAP_CALLSYS, w_lit(0x11, 0x6c, 31, 1, 3), W_CALLSYS);
    assert_int_equal(R(3), 2);
}

static void fpcr(void **state)
{
    (void)state;
    each(do_fpcr);
}

TEST_MAIN(cmocka_unit_test(loads), cmocka_unit_test(stores), cmocka_unit_test(branches),
          cmocka_unit_test(jumps), cmocka_unit_test(locks), cmocka_unit_test(pal),
          cmocka_unit_test(traps), cmocka_unit_test(fpcr))
