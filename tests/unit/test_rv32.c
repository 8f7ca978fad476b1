/* The table of RISC-V instructions: rv32.def, decoder, encoder, disassembler. */
#include "test.h"

#include <string.h>

#include "isa/rv32.h"
#include "model/rng.h"

static struct rng rng;

static uint32_t noise(void)
{
    return (uint32_t)rng_next(&rng);
}

static uint32_t word_of(enum rv_op op)
{
    return (noise() & ~rv32_table[op].mask) | rv32_table[op].match;
}

/* Rows that are a special case of a later one. */
static bool is_special_case(unsigned a, unsigned b)
{
    return (b == RV_OP_GREVI && (a == RV_OP_REV8 || a == RV_OP_BREV8)) ||
           (b == RV_OP_PACK && a == RV_OP_ZEXT_H);
}

static void no_two_rows_match_the_same_word(void **state)
{
    (void)state;
    for (unsigned a = 0; a < RV_N_ROWS; a++)
        for (unsigned b = a + 1; b < RV_N_ROWS; b++) {
            const struct rv32_insn *x = &rv32_table[a], *y = &rv32_table[b];
            bool both = !((x->match ^ y->match) & x->mask & y->mask);
            if (both != is_special_case(a, b))
                fail_msg("%s and %s match the same words", x->name, y->name);
        }
}

static void every_row_is_found_by_its_words(void **state)
{
    (void)state;
    for (unsigned op = 0; op < RV_N_ROWS; op++) {
        assert_int_equal(rv32_table[op].match & ~rv32_table[op].mask, 0);
        assert_int_equal(rv32_table[op].match & 3, 3);
        for (unsigned i = 0; i < 200; i++) {
            unsigned found = rv32_decode(word_of((enum rv_op)op));
            if (found != op && !is_special_case(found, op))
                fail_msg("%s decodes as %s", rv32_table[op].name, rv32_table[found].name);
        }
    }
}

static void decoding_and_encoding_agree(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 500000; i++) {
        uint32_t word = i % 2 ? noise() : word_of((enum rv_op)(noise() % RV_N_ROWS));
        enum rv_op op = rv32_decode(word);
        if (op == RV_OP_ILLEGAL)
            continue;
        if (op == RV_OP_FCVT_S_H) /* bits that mean nothing */
            word &= ~UINT32_C(0x7000);
        uint32_t back = rv32_encode(op, rv32_args_of(op, word));
        if (back != word)
            fail_msg("%s: %08x becomes %08x", rv32_table[op].name, (unsigned)word, (unsigned)back);
    }
}

static void check_imm(enum rv_op op, int32_t imm)
{
    struct rv32_args a = {.rd = 1, .rs1 = 2, .rs2 = 3, .imm = imm};
    uint32_t word = rv32_encode(op, a);
    assert_int_equal(rv32_decode(word), op);
    assert_int_equal(rv32_args_of(op, word).imm, imm);
}

static void all_immediates_survive(void **state)
{
    (void)state;
    for (int32_t i = -2048; i < 2048; i++) {
        check_imm(RV_OP_ADDI, i);
        check_imm(RV_OP_LW, i);
        check_imm(RV_OP_SW, i);
        check_imm(RV_OP_JALR, i);
        check_imm(RV_OP_FSW, i);
    }
    for (int32_t i = -4096; i < 4096; i += 2)
        check_imm(RV_OP_BEQ, i);
    for (int32_t i = -1048576; i < 1048576; i += 2)
        check_imm(RV_OP_JAL, i);
    for (uint32_t i = 0; i < 1u << 20; i++)
        check_imm(RV_OP_LUI, (int32_t)(i << 12));
    for (int32_t i = 0; i < 32; i++) {
        check_imm(RV_OP_SRAI, i);
        check_imm(RV_OP_CSRRWI, i);
        check_imm(RV_OP_VSLL_VI, i);
        check_imm(RV_OP_VADD_VI, i - 16);
    }
}

static void known_words_decode(void **state)
{
    static const struct {
        uint32_t word;
        enum rv_op op;
        struct rv32_args a;
    } known[] = {
        {0x00500093, RV_OP_ADDI, {.rd = 1, .imm = 5}},
        {0xfff0c113, RV_OP_XORI, {.rd = 2, .rs1 = 1, .imm = -1}},
        {0x402081b3, RV_OP_SUB, {.rd = 3, .rs1 = 1, .rs2 = 2}},
        {0xfe208ee3, RV_OP_BEQ, {.rs1 = 1, .rs2 = 2, .imm = -4}},
        {0x008000ef, RV_OP_JAL, {.rd = 1, .imm = 8}},
        {0x0020a623, RV_OP_SW, {.rs1 = 1, .rs2 = 2, .imm = 12}},
        {0xbc002573, RV_OP_CSRRS, {.rd = 10, .csr = 0xbc0}},
        {0x0ff0000f, RV_OP_FENCE, {.imm = 0xff}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        struct rv32_args a = rv32_args_of(known[i].op, known[i].word);
        assert_int_equal(rv32_decode(known[i].word), known[i].op);
        assert_memory_equal(&a, &known[i].a, sizeof a);
    }
}

static void what_hardware_lacks_is_illegal(void **state)
{
    static const uint32_t words[] = {
        0xffffffff,
        0x0000100f /* fence.i */,
        0x10500073 /* wfi */,
        0x10200073 /* sret */,
        0x18208053 /* fdiv.s */,
        0x58008053 /* fsqrt.s */,
        0x1000a02f /* lr.w */,
        0x1820a02f /* sc.w */,
        0x0a209033 /* clmul */,
        0x28209033 /* bset */,
        0x0820f033 /* packh */,
        0x8220a057 /* vdivu.vv */,
        0x82209057 /* vfdiv.vv */,
        0x02000053 /* fadd.d */,
        0x0000700b /* custom-0 */,
        0x00003003 /* ld */,
        0x02000007 | 0x7 << 12 /* vle64 */,
    };
    (void)state;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (rv32_decode(words[i]) != RV_OP_ILLEGAL)
            fail_msg("%08x is %s", (unsigned)words[i], rv32_table[rv32_decode(words[i])].name);
}

static void ttinsn_is_a_rotated_word(void **state)
{
    (void)state;
    uint32_t word = rv32_encode(RV_OP_TTINSN, (struct rv32_args){.imm = 0x26123456});
    assert_int_equal(word, 0x9848d158);
    assert_int_equal(rv32_decode(word), RV_OP_TTINSN);
    assert_int_equal(rv32_args_of(RV_OP_TTINSN, word).imm, 0x26123456);
}

static void texts_are_gnu_style(void **state)
{
    static const struct {
        uint32_t word;
        const char *numeric, *abi;
    } known[] = {
        {0x00500093, "addi\tx1,x0,5", "addi\tra,zero,5"},
        {0xfe208ee3, "beq\tx1,x2,0xffc", "beq\tra,sp,0xffc"},
        {0x0020a623, "sw\tx2,12(x1)", "sw\tsp,12(ra)"},
        {0xbc002573, "csrrs\tx10,0xbc0,x0", "csrrs\ta0,0xbc0,zero"},
        {0x00302573, "csrrs\tx10,fcsr,x0", "csrrs\ta0,fcsr,zero"},
        {0xffffffff, ".word\t0xffffffff", ".word\t0xffffffff"},
        {0x9848d158, ".ttinsn\t0x26123456", ".ttinsn\t0x26123456"},
    };
    char text[64];
    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        int n = rv32_dis_text(known[i].word, 0x1000, RV32_DIS_NUMERIC, text, sizeof text);
        assert_string_equal(text, known[i].numeric);
        assert_int_equal(n, strlen(text));
        rv32_dis_text(known[i].word, 0x1000, 0, text, sizeof text);
        assert_string_equal(text, known[i].abi);
    }
    assert_int_equal(rv32_dis_text(0x00500093, 0, 0, text, 5), strlen("addi\tra,zero,5"));
    assert_string_equal(text, "addi");
    assert_int_equal(rv32_dis_text(0x00500093, 0, 0, NULL, 0), strlen("addi\tra,zero,5"));
}

static void every_word_has_a_text(void **state)
{
    char text[96];
    (void)state;
    for (unsigned i = 0; i < 200000; i++) {
        uint32_t word = i % 2 ? noise() : word_of((enum rv_op)(noise() % RV_N_ROWS));
        int n = rv32_dis_text(word, noise(), i & RV32_DIS_NUMERIC, text, sizeof text);
        assert_true(n > 0 && (size_t)n < sizeof text);
    }
}

static void csrs_have_names(void **state)
{
    (void)state;
    assert_string_equal(rv32_dis_csr_name(0xbc0), "tt_cfg_qstatus");
    assert_string_equal(rv32_dis_csr_name(0x7c0), "cfg0");
    assert_null(rv32_dis_csr_name(0x001)); /* fflags does not exist */
    assert_null(rv32_dis_csr_name(0x00f)); /* nor does vcsr */
}

TEST_MAIN(cmocka_unit_test(no_two_rows_match_the_same_word),
          cmocka_unit_test(every_row_is_found_by_its_words),
          cmocka_unit_test(decoding_and_encoding_agree), cmocka_unit_test(all_immediates_survive),
          cmocka_unit_test(known_words_decode), cmocka_unit_test(what_hardware_lacks_is_illegal),
          cmocka_unit_test(ttinsn_is_a_rotated_word), cmocka_unit_test(texts_are_gnu_style),
          cmocka_unit_test(every_word_has_a_text), cmocka_unit_test(csrs_have_names))
