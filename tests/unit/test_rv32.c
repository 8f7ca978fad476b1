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

/* ---- extension and class, from the encoding ---- */

struct kind {
    unsigned extension, class;
};

static unsigned field(uint32_t word, unsigned hi, unsigned lo)
{
    return word >> lo & ((2u << (hi - lo)) - 1);
}

static struct kind kind_of_op_imm(uint32_t word, bool fixed)
{
    unsigned funct3 = field(word, 14, 12), funct7 = field(word, 31, 25), imm = field(word, 31, 20);
    if (funct3 == 5 &&
        funct7 == 0x34) /* the generalised reverse; two of its amounts are in other extensions */
        return (struct kind){!fixed         ? RV_EXT_GREVI
                             : imm == 0x698 ? RV_EXT_ZBB
                                            : RV_EXT_ZBKB,
                             RV_CLASS_ALU};
    bool zbb = (funct3 == 1 && funct7) || (funct3 == 5 && (funct7 == 0x30 || funct7 == 0x14));
    return (struct kind){zbb ? RV_EXT_ZBB : RV_EXT_I, RV_CLASS_ALU};
}

static struct kind kind_of_op(uint32_t word, bool fixed)
{
    unsigned funct3 = field(word, 14, 12);
    switch (field(word, 31, 25)) {
    case 0x01: return (struct kind){RV_EXT_M, funct3 < 4 ? RV_CLASS_MUL : RV_CLASS_DIV};
    case 0x04: return (struct kind){fixed ? RV_EXT_ZBB : RV_EXT_ZBKB, RV_CLASS_ALU};
    case 0x05:
    case 0x30: return (struct kind){RV_EXT_ZBB, RV_CLASS_ALU};
    case 0x10: return (struct kind){RV_EXT_ZBA, RV_CLASS_ALU};
    case 0x20: /* sub and sra, and the logic with one operand inverted */
        return (struct kind){funct3 == 0 || funct3 == 5 ? RV_EXT_I : RV_EXT_ZBB, RV_CLASS_ALU};
    default: return (struct kind){RV_EXT_I, RV_CLASS_ALU};
    }
}

static struct kind kind_of_system(uint32_t word)
{
    if (field(word, 14, 12))
        return (struct kind){RV_EXT_ZICSR, RV_CLASS_CSR};
    return (struct kind){field(word, 31, 20) == 0x302 ? RV_EXT_MRET : RV_EXT_I, RV_CLASS_SYSTEM};
}

/* Widths 1 and 2 are floating point registers, the others vectors. */
static struct kind kind_of_fp_memory(uint32_t word, unsigned fp, unsigned vector)
{
    unsigned width = field(word, 14, 12);
    if (width == 1 || width == 2)
        return (struct kind){width == 1 ? RV_EXT_ZFH : RV_EXT_F, fp};
    return (struct kind){RV_EXT_V, vector};
}

static struct kind kind_of_fp(uint32_t word)
{
    unsigned funct5 = field(word, 31, 27), format = field(word, 26, 25);
    unsigned class = funct5 <= 2                                       ? RV_CLASS_FMA
                     : funct5 == 8 || funct5 == 0x18 || funct5 == 0x1a ? RV_CLASS_FCVT
                                                                       : RV_CLASS_FMISC;
    bool half = format == 2 || (funct5 == 8 && field(word, 24, 20) == 2); /* from or to a half */
    return (struct kind){half ? RV_EXT_ZFH : RV_EXT_F, class};
}

static struct kind kind_of_vector(uint32_t word)
{
    enum { OPIVV, OPFVV, OPMVV, OPIVI, OPIVX, OPFVF, OPMVX, OPCFG } form = field(word, 14, 12);
    unsigned funct6 = field(word, 31, 26), class = RV_CLASS_VALU;
    bool integer = form == OPIVV || form == OPIVX || form == OPIVI;
    if (form == OPCFG)
        class = RV_CLASS_VCFG;
    else if (integer && (funct6 == 0x0c || funct6 == 0x0e || funct6 == 0x0f))
        class = RV_CLASS_VPERM; /* gathers and slides */
    else if (form == OPIVI && funct6 == 0x27)
        class = RV_CLASS_VPERM; /* whole registers */
    else if (form == OPIVV && (funct6 == 0x30 || funct6 == 0x31))
        class = RV_CLASS_VRED; /* widening sums */
    else if (form == OPMVV && funct6 < 8)
        class = RV_CLASS_VRED;
    else if (form == OPFVV && funct6 < 8 && funct6 % 2)
        class = RV_CLASS_VRED;
    else if ((form == OPMVX || form == OPFVF) && (funct6 == 0x0e || funct6 == 0x0f))
        class = RV_CLASS_VPERM; /* slides by one */
    else if (form == OPMVV && funct6 == 0x10)
        class = field(word, 19, 15) ? RV_CLASS_VMASK : RV_CLASS_VPERM; /* counts; element 0 */
    else if (!integer && funct6 == 0x10)
        class = RV_CLASS_VPERM; /* element 0 */
    else if (form == OPMVV && (funct6 == 0x14 || (funct6 >= 0x18 && funct6 < 0x20)))
        class = RV_CLASS_VMASK;
    else if (form == OPMVV && funct6 == 0x17)
        class = RV_CLASS_VPERM; /* compress */
    return (struct kind){RV_EXT_V, class};
}

static struct kind kind_of(const struct rv32_insn *row)
{
    uint32_t word = row->match;
    bool fixed = (row->mask >> 20 & 0x1f) ==
                 0x1f; /* no second operand: part of the opcode stands in its place */
    switch (word & 0x7f) {
    case 0x03: return (struct kind){RV_EXT_I, RV_CLASS_LOAD};
    case 0x07: return kind_of_fp_memory(word, RV_CLASS_LOAD, RV_CLASS_VLOAD);
    case 0x0f: return (struct kind){RV_EXT_I, RV_CLASS_FENCE};
    case 0x13: return kind_of_op_imm(word, fixed);
    case 0x17:
    case 0x37: return (struct kind){RV_EXT_I, RV_CLASS_ALU};
    case 0x23: return (struct kind){RV_EXT_I, RV_CLASS_STORE};
    case 0x27: return kind_of_fp_memory(word, RV_CLASS_STORE, RV_CLASS_VSTORE);
    case 0x2f: return (struct kind){RV_EXT_ZAAMO, RV_CLASS_AMO};
    case 0x33: return kind_of_op(word, fixed);
    case 0x43:
    case 0x47:
    case 0x4b:
    case 0x4f: return (struct kind){field(word, 26, 25) == 2 ? RV_EXT_ZFH : RV_EXT_F, RV_CLASS_FMA};
    case 0x53: return kind_of_fp(word);
    case 0x57: return kind_of_vector(word);
    case 0x63: return (struct kind){RV_EXT_I, RV_CLASS_BRANCH};
    case 0x67:
    case 0x6f: return (struct kind){RV_EXT_I, RV_CLASS_JUMP};
    case 0x73: return kind_of_system(word);
    default: return (struct kind){RV_EXT_TT, RV_CLASS_ILLEGAL};
    }
}

static void extension_and_class_follow_from_the_encoding(void **state)
{
    (void)state;
    for (unsigned op = 0; op < RV_N_ROWS; op++) {
        const struct rv32_insn *row = &rv32_table[op];
        struct kind kind = kind_of(row);
        if (row->extension != kind.extension || row->class != kind.class)
            fail_msg("%s: extension %u, class %u; its encoding says %u, %u",
                     row->name,
                     row->extension,
                     row->class,
                     kind.extension,
                     kind.class);
    }
}

TEST_MAIN(cmocka_unit_test(no_two_rows_match_the_same_word),
          cmocka_unit_test(every_row_is_found_by_its_words),
          cmocka_unit_test(decoding_and_encoding_agree), cmocka_unit_test(all_immediates_survive),
          cmocka_unit_test(known_words_decode),
          cmocka_unit_test(extension_and_class_follow_from_the_encoding),
          cmocka_unit_test(what_hardware_lacks_is_illegal),
          cmocka_unit_test(ttinsn_is_a_rotated_word), cmocka_unit_test(texts_are_gnu_style),
          cmocka_unit_test(every_word_has_a_text), cmocka_unit_test(csrs_have_names))
