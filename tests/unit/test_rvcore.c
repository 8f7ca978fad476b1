/*
 * The RISC-V core: integer instructions, control flow, steps, system instructions and CSRs, against
 * the RISC-V manuals and the Blackhole pages BabyRISCV/InstructionSet, CSRs and PIC.
 */
#include "test.h"

#include "model/rng.h"
#include "rv_drive.h"

static struct rv_drive d;

/* ---- integer ---- */

static void register_instructions_compute(void **state)
{
    static const struct {
        enum rv_op op;
        uint32_t a, b, want;
    } cases[] = {
        {RV_OP_ADD, 0xffffffff, 2, 1},
        {RV_OP_SUB, 1, 2, 0xffffffff},
        {RV_OP_SLL, 1, 33, 2},
        {RV_OP_SRL, 0x80000000, 31, 1},
        {RV_OP_SRA, 0x80000000, 31, 0xffffffff},
        {RV_OP_SLT, 0x80000000, 0, 1},
        {RV_OP_SLTU, 0x80000000, 0, 0},
        {RV_OP_XOR, 0xff00ff00, 0x0ff00ff0, 0xf0f0f0f0},
        {RV_OP_OR, 0xff00ff00, 0x0ff00ff0, 0xfff0fff0},
        {RV_OP_AND, 0xff00ff00, 0x0ff00ff0, 0x0f000f00},
        {RV_OP_MUL, 0x10001, 0x10001, 0x20001},
        {RV_OP_MULH, 0x80000000, 0x80000000, 0x40000000},
        {RV_OP_MULHSU, 0xffffffff, 0xffffffff, 0xffffffff},
        {RV_OP_MULHU, 0xffffffff, 0xffffffff, 0xfffffffe},
        {RV_OP_DIV, 7, (uint32_t)-2, (uint32_t)-3},
        {RV_OP_DIV, 0x80000000, 0xffffffff, 0x80000000},
        {RV_OP_DIV, 5, 0, 0xffffffff},
        {RV_OP_DIVU, 5, 0, 0xffffffff},
        {RV_OP_DIVU, 0x80000000, 0xffffffff, 0},
        {RV_OP_REM, (uint32_t)-7, 2, (uint32_t)-1},
        {RV_OP_REM, 0x80000000, 0xffffffff, 0},
        {RV_OP_REM, 5, 0, 5},
        {RV_OP_REMU, 5, 0, 5},
        {RV_OP_REMU, 7, 4, 3},
        {RV_OP_SH1ADD, 5, 100, 110},
        {RV_OP_SH2ADD, 5, 100, 120},
        {RV_OP_SH3ADD, 0x80000001, 1, 9},
        {RV_OP_ANDN, 0xff, 0x0f, 0xf0},
        {RV_OP_ORN, 0, 0xf, 0xfffffff0},
        {RV_OP_XNOR, 0xff, 0x0f, 0xffffff0f},
        {RV_OP_MAX, 0xffffffff, 1, 1},
        {RV_OP_MAXU, 0xffffffff, 1, 0xffffffff},
        {RV_OP_MIN, 0xffffffff, 1, 0xffffffff},
        {RV_OP_MINU, 0xffffffff, 1, 1},
        {RV_OP_ROL, 0x80000001, 1, 3},
        {RV_OP_ROL, 0x80000001, 32, 0x80000001},
        {RV_OP_ROR, 0x80000001, 1, 0xc0000000},
        {RV_OP_PACK, 0x12345678, 0x9abcdef0, 0xdef05678},
        {RV_OP_CLZ, 0, 0, 32},
        {RV_OP_CLZ, 0x00010000, 0, 15},
        {RV_OP_CTZ, 0, 0, 32},
        {RV_OP_CTZ, 0x00010000, 0, 16},
        {RV_OP_CPOP, 0xf0f0f0f1, 0, 17},
        {RV_OP_SEXT_B, 0x180, 0, 0xffffff80},
        {RV_OP_SEXT_H, 0x18000, 0, 0xffff8000},
        {RV_OP_ZEXT_H, 0x12348000, 0, 0x8000},
        {RV_OP_ORC_B, 0x00010080, 0, 0x00ff00ff},
        {RV_OP_REV8, 0x12345678, 0, 0x78563412},
        {RV_OP_BREV8, 0x01020480, 0, 0x80402001},
    };
    (void)state;
    rv_start(&d, RV_B);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint32_t got = rv_one(&d, cases[i].op, cases[i].a, cases[i].b, 0);
        if (got != cases[i].want)
            fail_msg("%s: %08x, not %08x",
                     rv32_table[cases[i].op].name,
                     (unsigned)got,
                     (unsigned)cases[i].want);
    }
}

static void immediate_instructions_compute(void **state)
{
    static const struct {
        enum rv_op op;
        uint32_t a;
        int32_t imm;
        uint32_t want;
    } cases[] = {
        {RV_OP_ADDI, 1, -2, 0xffffffff},
        {RV_OP_SLTI, 0xfffffff0, -15, 1},
        {RV_OP_SLTIU, 5, -1, 1},
        {RV_OP_XORI, 0xff, -1, 0xffffff00},
        {RV_OP_ORI, 0xf0, 0x0f, 0xff},
        {RV_OP_ANDI, 0x12345678, -256, 0x12345600},
        {RV_OP_SLLI, 1, 31, 0x80000000},
        {RV_OP_SRLI, 0x80000000, 31, 1},
        {RV_OP_SRAI, 0x80000000, 4, 0xf8000000},
        {RV_OP_RORI, 1, 1, 0x80000000},
        {RV_OP_LUI, 0, 0x12345000, 0x12345000},
        {RV_OP_AUIPC, 0, 0x1000, 0x1100},
        {RV_OP_GREVI, 0x12345678, 31, 0x1e6a2c48},
        {RV_OP_GREVI, 0x12345678, 16, 0x56781234},
        {RV_OP_GREVI, 0x12345678, 0, 0x12345678},
    };
    (void)state;
    rv_start(&d, RV_B);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint32_t got = rv_one(&d, cases[i].op, cases[i].a, 0, cases[i].imm);
        if (got != cases[i].want)
            fail_msg("%s: %08x, not %08x",
                     rv32_table[cases[i].op].name,
                     (unsigned)got,
                     (unsigned)cases[i].want);
    }
}

static void x0_stays_zero(void **state)
{
    (void)state;
    rv_start(&d, RV_B);
    RV_PUT(&d, ADDI, .rd = 0, .rs1 = 0, .imm = 7);
    RV_PUT(&d, LW, .rd = 0, .rs1 = 0);
    RV_PUT(&d, JAL, .rd = 0, .imm = 4);
    RV_PUT(&d, CSRRWI, .rd = 0, .csr = 0x7c3, .imm = 3);
    RV_PUT(&d, ADD, .rd = 5, .rs1 = 0, .rs2 = 0);
    assert_int_equal(rv_run(&d, 5), 5);
    assert_int_equal(d.c.x[0], 0);
    assert_int_equal(d.c.x[5], 0);
}

/* ---- control flow ---- */

static void branches_go_both_ways(void **state)
{
    static const struct {
        enum rv_op op;
        uint32_t a, b;
        bool taken;
    } cases[] = {
        {RV_OP_BEQ, 1, 1, true},
        {RV_OP_BEQ, 1, 2, false},
        {RV_OP_BNE, 1, 2, true},
        {RV_OP_BNE, 1, 1, false},
        {RV_OP_BLT, 0xffffffff, 0, true},
        {RV_OP_BLT, 0, 0xffffffff, false},
        {RV_OP_BGE, 0, 0xffffffff, true},
        {RV_OP_BGE, 0xffffffff, 0, false},
        {RV_OP_BLTU, 0, 0xffffffff, true},
        {RV_OP_BLTU, 0xffffffff, 0, false},
        {RV_OP_BGEU, 3, 3, true},
        {RV_OP_BGEU, 2, 3, false},
    };
    static const int32_t ways[] = {8, -16, 0x800, -0x100}; /* near, and in other pages */
    (void)state;
    rv_start(&d, RV_B);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (size_t k = 0; k < 4; k++) {
            rv_one(&d, cases[i].op, cases[i].a, cases[i].b, ways[k]);
            assert_int_equal(d.c.pc, cases[i].taken ? 0x100 + (uint32_t)ways[k] : 0x104);
        }
}

static void jumps_link(void **state)
{
    (void)state;
    rv_start(&d, RV_B);
    rv_one(&d, RV_OP_JAL, 0, 0, 0x20);
    assert_int_equal(d.c.pc, 0x120);
    assert_int_equal(d.c.x[3], 0x104);
    rv_one(&d, RV_OP_JAL, 0, 0, 0x2000);
    assert_int_equal(d.c.pc, 0x2100);
    assert_int_equal(d.c.x[3], 0x104);
    rv_one(&d, RV_OP_JALR, 0x205, 0, 4);
    assert_int_equal(d.c.pc, 0x208); /* bit 0 goes */
    assert_int_equal(d.c.x[3], 0x104);
    d.at = 0x300;
    RV_PUT(&d, JALR, .rd = 1, .rs1 = 1, .imm = 0); /* reads before it writes */
    d.c.pc = 0x300;
    d.c.x[1] = 0x400;
    rv_run(&d, 1);
    assert_int_equal(d.c.pc, 0x400);
    assert_int_equal(d.c.x[1], 0x304);
}

static void leaving_l1_stops_the_core(void **state)
{
    static const uint32_t places[] = {RV_L1, 0xffb00000, 0x102};
    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        rv_start(&d, RV_T1);
        d.c.x[1] = places[i];
        RV_PUT(&d, JALR, .rs1 = 1);
        assert_int_equal(rv_run(&d, 10), 1); /* the jump itself happened */
        assert_int_equal(d.c.state, RV_STOPPED);
        assert_int_equal(d.fault, RV_FAULT_FETCH);
        assert_int_equal(d.fault_core, RV_T1);
        assert_int_equal(d.fault_arg, places[i]);
        assert_int_equal(d.c.pc, places[i]);
        assert_int_equal(rv_run(&d, 10), 0);
    }
    rv_start(&d, RV_T1); /* and so does running past the end */
    d.at = RV_L1 - 4;
    RV_PUT(&d, ADDI, .rd = 1, .imm = 1);
    d.c.pc = RV_L1 - 4;
    assert_int_equal(rv_run(&d, 10), 1);
    assert_int_equal(d.fault, RV_FAULT_FETCH);
}

/* ---- steps ---- */

/* A loop over two pages that never ends. */
static void endless(void)
{
    rv_start(&d, RV_B);
    d.at = 0xf0;
    for (unsigned i = 0; i < 10; i++)
        RV_PUT(&d, ADDI, .rd = (uint8_t)(1 + i), .rs1 = (uint8_t)(1 + i), .imm = (int32_t)i + 1);
    RV_PUT(&d, BNE, .rs1 = 1, .rs2 = 0, .imm = -8);
    RV_PUT(&d, JAL, .imm = -44);
    d.c.pc = 0xf0;
}

static void quota_is_exact(void **state)
{
    (void)state;
    for (uint32_t quota = 0; quota < 300; quota++) {
        struct rvcore one;
        endless();
        for (uint32_t i = 0; i < quota; i++)
            assert_int_equal(rv_run(&d, 1), 1);
        one = d.c;
        endless();
        assert_int_equal(rv_run(&d, quota), quota);
        assert_memory_equal(&d.c, &one, sizeof one);
        assert_int_equal(d.c.steps, quota);
        endless();
        assert_int_equal(rvcore_run_plain(&d.c, &d.m, quota), quota);
        assert_memory_equal(&d.c, &one, sizeof one);
    }
}

static void both_dispatchers_do_the_same(void **state)
{
    struct rng r = rng_of(4711, 0);
    unsigned rounds = WG_SLOW_BUILD ? 100 : 1000;
    (void)state;
    for (unsigned i = 0; i < rounds; i++) {
        static uint8_t l1[RV_L1];
        unsigned which = rng_below(&r, RV_N_CORES);
        struct rvcore first;
        uint32_t done;
        rv_start(&d, which);
        for (uint32_t at = 0; at < 0x800; at += 4) {
            enum rv_op op = (enum rv_op)rng_below(&r, RV_N_ROWS);
            rv_poke(&d, at, (rng_next(&r) & ~rv32_table[op].mask) | rv32_table[op].match);
        }
        for (unsigned k = 1; k < 32; k++)
            d.c.x[k] = rng_below(&r, 2) ? rng_below(&r, RV_L1) & ~3u : rng_next(&r);
        d.c.stop_on = 0;
        d.c.cfg0 |= RV_CFG0_NO_L0_FLUSH;
        first = d.c;
        memcpy(l1, d.l1, sizeof l1);
        done = rv_run(&d, 500);
        struct rvcore a = d.c;
        uint8_t kept[64];
        memcpy(kept, d.l1 + 0x1000, sizeof kept);
        memcpy(d.l1, l1, sizeof l1);
        memset(d.local, 0, sizeof d.local);
        rvcode_flush(&d.code);
        d.c = first;
        assert_int_equal(rvcore_run_plain(&d.c, &d.m, 500), done);
        assert_memory_equal(&d.c, &a, sizeof a);
        assert_memory_equal(d.l1 + 0x1000, kept, sizeof kept);
    }
}

static void code_may_change_under_way(void **state)
{
    (void)state;
    rv_start(&d, RV_B);
    d.c.x[1] = rv32_encode(RV_OP_ADDI, (struct rv32_args){.rd = 3, .imm = 42});
    RV_PUT(&d, JAL, .imm = 8);
    RV_PUT(&d, EBREAK, 0);
    RV_PUT(&d, SW, .rs1 = 0, .rs2 = 1, .imm = 12); /* over the next instruction */
    RV_PUT(&d, ADDI, .rd = 3, .imm = 1);
    assert_int_equal(rv_run(&d, 3), 3);
    assert_int_equal(d.c.x[3], 42);
    assert_int_equal(d.written, 1);
    /* somebody else writes: seen after rvcode_invalidate */
    rv_poke(&d, 12, rv32_encode(RV_OP_ADDI, (struct rv32_args){.rd = 3, .imm = 43}));
    rvcode_invalidate(&d.code, 0, RV_L1);
    d.c.pc = 12;
    rv_run(&d, 1);
    assert_int_equal(d.c.x[3], 43);
}

/* ---- stops and faults ---- */

static void ebreak_and_ecall_stop(void **state)
{
    (void)state;
    rv_start(&d, RV_T0);
    RV_PUT(&d, ADDI, .rd = 1, .imm = 1);
    RV_PUT(&d, EBREAK, 0);
    RV_PUT(&d, ADDI, .rd = 1, .imm = 2);
    RV_PUT(&d, ECALL, 0);
    assert_int_equal(rv_run(&d, 100), 1);
    assert_int_equal(d.c.state, RV_STOPPED);
    assert_int_equal(d.c.stop, RV_STOP_EBREAK);
    assert_int_equal(d.c.pc, 4);
    assert_int_equal(rv_run(&d, 100), 0);
    rvcore_resume(&d.c);
    assert_int_equal(rv_run(&d, 100), 1);
    assert_int_equal(d.c.stop, RV_STOP_ECALL);
    assert_int_equal(d.c.pc, 12);
    assert_int_equal(d.c.x[1], 2);
    assert_int_equal(d.n_faults, 0);
}

static void illegal_words_are_told(void **state)
{
    (void)state;
    rv_start(&d, RV_NC);
    RV_PUT(&d, ADDI, .rd = 1, .imm = 1);
    rv_word(&d, 0x10500073); /* wfi */
    RV_PUT(&d, ADDI, .rd = 1, .imm = 2);
    assert_int_equal(rv_run(&d, 3), 1);
    assert_int_equal(d.c.stop, RV_STOP_FAULT);
    assert_int_equal(d.c.fault, RV_FAULT_ILLEGAL);
    assert_int_equal(d.fault_core, RV_NC);
    assert_int_equal(d.fault_pc, 4);
    assert_int_equal(d.fault_arg, 0x10500073);
    rvcore_resume(&d.c);
    assert_int_equal(rv_run(&d, 1), 1);
    assert_int_equal(d.c.x[1], 2);
    /* another policy: go on */
    d.c.pc = 4;
    d.c.stop_on = 0;
    assert_int_equal(rv_run(&d, 2), 2);
    assert_int_equal(d.n_faults, 2);
    assert_int_equal(d.c.pc, 12);
}

static void held_cores_do_nothing(void **state)
{
    (void)state;
    rv_start(&d, RV_B);
    RV_PUT(&d, ADDI, .rd = 1, .imm = 1);
    d.c.state = RV_HELD;
    assert_int_equal(rv_run(&d, 10), 0);
    assert_int_equal(d.c.x[1], 0);
}

static void mret_returns_from_handlers(void **state)
{
    (void)state;
    for (unsigned which = 0; which < RV_N_CORES; which++) {
        bool may = which == RV_B || which == RV_NC;
        rv_start(&d, which);
        RV_PUT(&d, ADDI, .rd = 1, .imm = 1);
        d.at = 0x200;
        RV_PUT(&d, CSRRS, .rd = 5, .csr = 0xbca);
        RV_PUT(&d, CSRRWI, .rd = 6, .csr = 0x7c3, .imm = 9);
        RV_PUT(&d, MRET, 0);
        rv_run(&d, 1);
        assert_int_equal(rvcore_interrupt(&d.c, 0x200), may);
        d.c.pc = 0x200;
        assert_int_equal(rvcore_interrupt(&d.c, 0x300), false); /* they do not nest */
        assert_int_equal(rv_run(&d, 3), may ? 3 : 2);
        if (!may) {
            assert_int_equal(d.fault, RV_FAULT_ILLEGAL);
            continue;
        }
        assert_int_equal(d.c.pc, 4);
        assert_int_equal(d.c.x[5], 4);
        assert_int_equal(d.fault, RV_FAULT_CSR_WRITE); /* handlers cannot write CSRs */
        assert_int_equal(d.c.scratch[0], 0);
        assert_false(d.c.in_handler);
    }
}

/* ---- CSRs ---- */

/* With nothing to set, only a read. */
static uint32_t csr(enum rv_op op, unsigned number, uint32_t with)
{
    uint8_t rs1 = with || op == RV_OP_CSRRW ? 1 : 0;
    d.at = 0x100;
    d.c.pc = 0x100;
    d.c.x[1] = with;
    rv_word(&d, rv32_encode(op, (struct rv32_args){.rd = 3, .rs1 = rs1, .csr = (uint16_t)number}));
    assert_int_equal(rv_run(&d, 1), 1);
    return d.c.x[3];
}

static void documented_csrs_exist_and_no_others(void **state)
{
    (void)state;
    for (unsigned n = 0; n < 4096; n++) {
        rv_start(&d, RV_T1);
        csr(RV_OP_CSRRS, n, 0);
        if (rv32_dis_csr_name(n)) {
            assert_int_equal(d.n_faults, 0);
        } else {
            assert_int_equal(d.n_faults, 1);
            assert_int_equal(d.fault, RV_FAULT_CSR);
            assert_int_equal(d.fault_arg, n);
            assert_int_equal(d.c.x[3], 0);
        }
    }
}

static void csrs_start_and_store_as_documented(void **state)
{
    static const struct {
        unsigned number;
        uint32_t reset, after; /* after writing all ones */
    } cases[] = {
        {0x003, 0, 0xff},
        {0x008, 0, 0},
        {0x009, 0, 1},
        {0x00a, 0, 3},
        {0x300, 0x80006600, 0x80006600},
        {0x301, 0x40201123, 0x40201123},
        {0x320, 0, 0xffffffff},
        {0x323, 0, 0xffffffff},
        {0x324, 0, 0xffffffff},
        {0x7c0, 16 << 13, 0xffffffff},
        {0x7c1, 0, 0xffffffff},
        {0x7c2, 0, 0xffffffff},
        {0x7c3, 0, 0xffffffff},
        {0x7c4, 0, 0xffffffff},
        {0x7c5, 0, 0xffffffff},
        {0x7c6, 0, 0xffffffff},
        {0xb03, 0, 0xffffffff},
        {0xb04, 0, 0xffffffff},
        {0xb83, 0, 0xffffffff},
        {0xb84, 0, 0xffffffff},
        {0xbca, 0, 0xffffffff},
        {0xc20, 0, 0xffffffff},
        {0xc21, 0, 0xff},
        {0xc22, 16, 0xffffffff},
        {0xf14, 0, 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        rv_start(&d, RV_T2);
        assert_int_equal(csr(RV_OP_CSRRW, cases[i].number, 0xffffffff), cases[i].reset);
        assert_int_equal(csr(RV_OP_CSRRS, cases[i].number, 0), cases[i].after);
    }
}

static void csr_instructions_set_and_clear(void **state)
{
    (void)state;
    rv_start(&d, RV_B);
    csr(RV_OP_CSRRW, 0x7c3, 0xf0f0);
    assert_int_equal(csr(RV_OP_CSRRS, 0x7c3, 0x000f), 0xf0f0);
    assert_int_equal(csr(RV_OP_CSRRC, 0x7c3, 0x00f0), 0xf0ff);
    assert_int_equal(d.c.scratch[0], 0xf00f);
    d.at = 0x100;
    RV_PUT(&d, CSRRSI, .rd = 3, .csr = 0x7c3, .imm = 0x10);
    RV_PUT(&d, CSRRCI, .rd = 4, .csr = 0x7c3, .imm = 0x0f);
    RV_PUT(&d, CSRRWI, .rd = 5, .csr = 0x7c3, .imm = 0x1f);
    d.c.pc = 0x100;
    rv_run(&d, 3);
    assert_int_equal(d.c.x[3], 0xf00f);
    assert_int_equal(d.c.x[4], 0xf01f);
    assert_int_equal(d.c.x[5], 0xf010);
    assert_int_equal(d.c.scratch[0], 0x1f);
}

static void counters_count(void **state)
{
    (void)state;
    rv_start(&d, RV_B);
    for (unsigned i = 0; i < 7; i++)
        RV_PUT(&d, ADDI, .rd = 1, .imm = 1);
    RV_PUT(&d, CSRRS, .rd = 2, .csr = 0xc00);
    RV_PUT(&d, CSRRS, .rd = 3, .csr = 0xb02);
    RV_PUT(&d, CSRRW, .rd = 0, .rs1 = 1, .csr = 0xc02); /* writable, against the manual */
    RV_PUT(&d, CSRRS, .rd = 4, .csr = 0xb02);
    RV_PUT(&d, CSRRW, .rd = 0, .rs1 = 1, .csr = 0xb80);
    RV_PUT(&d, CSRRS, .rd = 5, .csr = 0xc80);
    RV_PUT(&d, CSRRS, .rd = 6, .csr = 0xc00);
    rv_run(&d, 14);
    assert_int_equal(d.c.x[2], 7);
    assert_int_equal(d.c.x[3], 8);
    assert_int_equal(d.c.x[4], 1);
    assert_int_equal(d.c.x[5], 1);
    assert_int_equal(d.c.x[6], 12);
    assert_int_equal(rvcore_instret(&d.c), 5);
}

static void performance_counters_may_clear_on_read(void **state)
{
    (void)state;
    rv_start(&d, RV_B);
    csr(RV_OP_CSRRW, 0xb03, 5);
    csr(RV_OP_CSRRW, 0xb83, 6);
    assert_int_equal(csr(RV_OP_CSRRS, 0xb03, 0), 5);
    csr(RV_OP_CSRRW, 0x7c0, RV_CFG0_PMC_CLEAR);
    assert_int_equal(csr(RV_OP_CSRRS, 0xb03, 0), 5);
    assert_int_equal(csr(RV_OP_CSRRS, 0xb03, 0), 0);
    assert_int_equal(csr(RV_OP_CSRRS, 0xb83, 0), 6);
    assert_int_equal(csr(RV_OP_CSRRS, 0xb83, 0), 0);
}

static void status_comes_from_the_tile(void **state)
{
    (void)state;
    rv_start(&d, RV_T1);
    d.status = 0x1000;
    assert_int_equal(csr(RV_OP_CSRRS, 0xbc0, 0), 0x1000);
    assert_int_equal(d.status_csr, 0xbc0);
    assert_int_equal(csr(RV_OP_CSRRW, 0xbc1, 55), 0x1001); /* what is written is lost */
    assert_int_equal(csr(RV_OP_CSRRS, 0xbc1, 0), 0x1001);
    assert_int_equal(csr(RV_OP_CSRRS, 0xbc9, 0), 0x1009);
    csr(RV_OP_CSRRS, 0x7c0, RV_CFG0_STATUS_FROZEN);
    d.status = 0x2000;
    assert_int_equal(csr(RV_OP_CSRRS, 0xbc0, 0), 0x1000); /* frozen as it was ... */
    assert_int_equal(csr(RV_OP_CSRRW, 0xbc0, 77), 0x1000);
    assert_int_equal(csr(RV_OP_CSRRS, 0xbc0, 0), 77); /* ... and writable */
    csr(RV_OP_CSRRW, 0x7c0, 0);
    assert_int_equal(csr(RV_OP_CSRRS, 0xbc0, 0), 0x2000);
    /* B and NC: streams' status is scratch, the coprocessor's is not */
    rv_start(&d, RV_NC);
    d.status = 0x3000;
    assert_int_equal(csr(RV_OP_CSRRW, 0xbc2, 5), 0);
    assert_int_equal(csr(RV_OP_CSRRS, 0xbc2, 0), 5);
    assert_int_equal(csr(RV_OP_CSRRS, 0xbc1, 0), 0x3001);
}

TEST_MAIN(cmocka_unit_test(register_instructions_compute),
          cmocka_unit_test(immediate_instructions_compute), cmocka_unit_test(x0_stays_zero),
          cmocka_unit_test(branches_go_both_ways), cmocka_unit_test(jumps_link),
          cmocka_unit_test(leaving_l1_stops_the_core), cmocka_unit_test(quota_is_exact),
          cmocka_unit_test(both_dispatchers_do_the_same),
          cmocka_unit_test(code_may_change_under_way), cmocka_unit_test(ebreak_and_ecall_stop),
          cmocka_unit_test(illegal_words_are_told), cmocka_unit_test(held_cores_do_nothing),
          cmocka_unit_test(mret_returns_from_handlers),
          cmocka_unit_test(documented_csrs_exist_and_no_others),
          cmocka_unit_test(csrs_start_and_store_as_documented),
          cmocka_unit_test(csr_instructions_set_and_clear), cmocka_unit_test(counters_count),
          cmocka_unit_test(performance_counters_may_clear_on_read),
          cmocka_unit_test(status_comes_from_the_tile))
