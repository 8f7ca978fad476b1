/* The Alpha's table: every row is reached, names no other row's word, and says what it reads and writes. */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/alpha.h"

/* A word of the row with ra 1, rb 2, rc 3 where the format leaves them open. */
static uint32_t word_of(const struct alpha_form *f)
{
    uint32_t w = (uint32_t)f->opcode << 26, abc = 1u << 21 | 2u << 16 | 3,
             fn = (uint32_t)f->function << 5;
    switch (f->format) {
    case ALPHA_FMT_OPERATE:
    case ALPHA_FMT_OPERATE_N:
    case ALPHA_FMT_CMOVE:
    case ALPHA_FMT_FOPERATE:
    case ALPHA_FMT_FCMOVE: return w | abc | fn;
    case ALPHA_FMT_OPERATE_B:
    case ALPHA_FMT_OPERATE_R:
    case ALPHA_FMT_SEXT:
    case ALPHA_FMT_FOPERATE_B: return w | 31u << 21 | 2u << 16 | 3 | fn;
    case ALPHA_FMT_IMPLVER: return w | 31u << 21 | 1u << 13 | 1u << 12 | 3 | fn;
    case ALPHA_FMT_FTOI:
    case ALPHA_FMT_ITOF: return w | 1u << 21 | 31u << 16 | 3 | fn;
    case ALPHA_FMT_FPCR_R:
    case ALPHA_FMT_FPCR_W: return w | 3u << 21 | 3u << 16 | 3 | fn;
    case ALPHA_FMT_JUMP:
    case ALPHA_FMT_RET: return w | 1u << 21 | 2u << 16 | (uint32_t)f->function << 14;
    case ALPHA_FMT_MISC:
    case ALPHA_FMT_MISC_A:
    case ALPHA_FMT_MISC_AB: return w | 1u << 21 | 2u << 16 | f->function;
    case ALPHA_FMT_MISC_B: return w | 31u << 21 | 2u << 16 | f->function;
    case ALPHA_FMT_PAL: return w | f->function;
    case ALPHA_FMT_PAL_ANY: return w | 0x1234567;
    default: return w | 1u << 21 | 2u << 16 | 8;
    }
}

static void every_row_is_found(void **state)
{
    (void)state;
    assert_true(ALPHA_N_FORMS >= 343);
    for (unsigned i = 0; i < ALPHA_N_FORMS; i++) {
        const struct alpha_form *f = &alpha_forms[i];
        uint32_t w = word_of(f);
        assert_ptr_equal(alpha_form_of(w), f);
        struct alpha_insn insn = alpha_decode(w);
        assert_int_equal(insn.op, f->op);
        assert_int_equal(insn.go & 0xff, f->op);
        assert_int_equal(insn.word, w);
    }
}

static void no_two_rows_share_a_word(void **state)
{
    (void)state;
    for (unsigned i = 0; i < ALPHA_N_FORMS; i++)
        for (unsigned j = 0; j < i; j++)
            assert_false(alpha_forms[i].opcode == alpha_forms[j].opcode &&
                         alpha_forms[i].function == alpha_forms[j].function);
}

static uint64_t mask(unsigned reg)
{
    return UINT64_C(1) << reg;
}

static void expect(uint32_t word, uint64_t reads, uint64_t writes)
{
    struct alpha_insn i = alpha_decode(word);
    assert_int_equal(alpha_reads(&i), reads);
    assert_int_equal(alpha_writes(&i), writes);
}

/* What a pipeline's hazards depend on. */
static void registers(void **state)
{
    (void)state;
    expect(0x40220403, mask(1) | mask(2), mask(3));           /* addq t0,t1,t2 */
    expect(0x40245403, mask(1), mask(3));                     /* addq t0,0x22,t2 */
    expect(0x4422049f, mask(1) | mask(2), 0);                 /* cmoveq t0,t1,zero */
    expect(0x44220483, mask(1) | mask(2) | mask(3), mask(3)); /* cmoveq t0,t1,t2 */
    expect(0xa4220008, mask(2), mask(1));                     /* ldq t0,8(t1) */
    expect(0xb4220008, mask(1) | mask(2), 0);                 /* stq t0,8(t1) */
    expect(0xbc220008, mask(1) | mask(2), mask(1));           /* stq_c t0,8(t1) */
    expect(0x8c220008, mask(2), mask(33));                    /* ldt f1,8(t1) */
    expect(0x9c220008, mask(33) | mask(2), 0);                /* stt f1,8(t1) */
    expect(0x5822b403, mask(33) | mask(34), mask(35));        /* addt/su f1,f2,f3 */
    expect(0x5be205e3, mask(34), mask(35));                   /* cvttq/c f2,f3 */
    expect(0x703f0e03, mask(33), mask(3));                    /* ftoit f1,t2 */
    expect(0x503f0083, mask(1), mask(35));                    /* itofs t0,f3 */
    expect(0xd3400000, 0, mask(26));                          /* bsr ra */
    expect(0xe4200000, mask(1), 0);                           /* beq t0 */
    expect(0xc4200000, mask(33), 0);                          /* fbeq f1 */
    expect(0x6b5b4000, mask(27), mask(26));                   /* jsr ra,(t12) */
    expect(0x0000009e, 0, mask(0));                           /* rduniq */
    expect(0x0000009f, mask(16), 0);                          /* wruniq */
    expect(0x2ffe0000, 0, 0);                                 /* unop */
    expect(0xa7e20008, 0, 0);                                 /* ldq zero: a prefetch */
    expect(0x60004000, 0, 0);                                 /* mb */
}

static void immediates(void **state)
{
    (void)state;
    assert_int_equal(alpha_decode(0x20228000).imm, -32768);      /* lda */
    assert_int_equal(alpha_decode(0x24228000).imm, -2147483648); /* ldah */
    assert_int_equal(alpha_decode(0x24227fff).imm, 0x7fff0000);
    assert_int_equal(alpha_decode(0xc3ffffff).imm, -4); /* br . */
    assert_int_equal(alpha_decode(0xc3efffff).imm, 0x3ffffc);
    assert_int_equal(alpha_decode(0x403ff403).imm, 255);
}

/* Bits that the formats fix: what does not fit is no instruction. */
static void illegal_words(void **state)
{
    (void)state;
    static const uint32_t words[] = {
        0x04000000, /* opcode 01 */
        0x40220023, /* opcode 10, function 01 */
        0x44220c23, /* amask with ra */
        0x47e20d83, /* implver with a register */
        0x70220003, /* sextb with ra */
        0x73e45603, /* ctpop with a literal */
        0x58220583, /* cvttq with fa */
        0x5c220483, /* mt_fpcr of three registers */
        0x60008400, /* opcode 18, function 8400 */
        0x60228000, /* fetch with ra */
    };
    for (unsigned i = 0; i < sizeof words / sizeof words[0]; i++) {
        assert_int_equal(alpha_decode(words[i]).op, ALPHA_OP_ILLEGAL);
        assert_null(alpha_form_of(words[i]));
    }
}

static void text(void **state)
{
    (void)state;
    static const struct {
        uint32_t word;
        const char *text;
    } lines[] = {{0x47ff041f, "nop"},
                 {0x2ffe0000, "unop"},
                 {0x47e20403, "mov\tt1,t2"},
                 {0x47e45403, "mov\t0x22,t2"},
                 {0x6bfa8001, "ret"},
                 {0x6b5b4001, "jsr\tra,(t12),0x120000008"},
                 {0xe43fffff, "beq\tt0,0x120000000"},
                 {0x5822b403, "addt/su\t$f1,$f2,$f3"},
                 {0xa4228000, "ldq\tt0,-32768(t1)"},
                 {0x00000083, "callsys"},
                 {0x00000001, "call_pal\t0x1"},
                 {0x04000000, ".long\t0x4000000"}};
    char buf[64], small[4];
    for (unsigned i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        int n = alpha_dis_text(lines[i].word, 0x120000000, buf, sizeof buf);
        assert_int_equal(n, strlen(buf));
        assert_string_equal(buf, lines[i].text);
    }
    /* a buffer that is too small: cut, and the length is that of the whole */
    assert_int_equal(alpha_dis_text(0x47e20403, 0, small, sizeof small), 9);
    assert_string_equal(small, "mov");
    assert_int_equal(alpha_dis_text(0x47e20403, 0, NULL, 0), 9);
}

/* Two words of every row, and of every opcode, as objdump writes them. */
static void recorded_texts(void **state)
{
    (void)state;
    FILE *f = fopen(WG_SOURCE_DIR "/tests/alpha/data/objdump.txt", "r");
    char line[128], buf[64];
    unsigned n = 0;
    assert_non_null(f);
    while (fgets(line, sizeof line, f)) {
        char *rest;
        uint64_t pc = strtoull(line, &rest, 16);
        uint32_t word = (uint32_t)strtoul(rest, &rest, 16);
        line[strcspn(line, "\n")] = 0;
        alpha_dis_text(word, pc, buf, sizeof buf);
        char *tab = strchr(buf, '\t');
        if (tab)
            *tab = ' ';
        assert_string_equal(buf, rest + 1);
        n++;
    }
    fclose(f);
    assert_true(n >= 2 * ALPHA_N_FORMS);
}

/* ---- what an operation is, from its opcode and function ---- */

struct is {
    unsigned box, latency, size, flags;
};

static struct is is_memory(unsigned opcode)
{
    static const struct is by_opcode[64] = {
        [0x0a] = {ALPHA_BOX_M, ALPHA_LATENCY_ILOAD, 1, AF_LOAD},
        [0x0b] = {ALPHA_BOX_M, ALPHA_LATENCY_ILOAD, 8, AF_LOAD},
        [0x0c] = {ALPHA_BOX_M, ALPHA_LATENCY_ILOAD, 2, AF_LOAD},
        [0x0d] = {ALPHA_BOX_M, ALPHA_LATENCY_STORE, 2, AF_STORE},
        [0x0e] = {ALPHA_BOX_M, ALPHA_LATENCY_STORE, 1, AF_STORE},
        [0x0f] = {ALPHA_BOX_M, ALPHA_LATENCY_STORE, 8, AF_STORE},
        [0x22] = {ALPHA_BOX_M, ALPHA_LATENCY_FLOAD, 4, AF_LOAD},
        [0x23] = {ALPHA_BOX_M, ALPHA_LATENCY_FLOAD, 8, AF_LOAD},
        [0x26] = {ALPHA_BOX_M, ALPHA_LATENCY_STORE, 4, AF_STORE},
        [0x27] = {ALPHA_BOX_M, ALPHA_LATENCY_STORE, 8, AF_STORE},
        [0x28] = {ALPHA_BOX_M, ALPHA_LATENCY_ILOAD, 4, AF_LOAD},
        [0x29] = {ALPHA_BOX_M, ALPHA_LATENCY_ILOAD, 8, AF_LOAD},
        [0x2a] = {ALPHA_BOX_M, ALPHA_LATENCY_ILOAD, 4, AF_LOAD | AF_LOCKED},
        [0x2b] = {ALPHA_BOX_M, ALPHA_LATENCY_ILOAD, 8, AF_LOAD | AF_LOCKED},
        [0x2c] = {ALPHA_BOX_M, ALPHA_LATENCY_STORE, 4, AF_STORE},
        [0x2d] = {ALPHA_BOX_M, ALPHA_LATENCY_STORE, 8, AF_STORE},
        [0x2e] = {ALPHA_BOX_M, ALPHA_LATENCY_STORE, 4, AF_STORE | AF_LOCKED},
        [0x2f] = {ALPHA_BOX_M, ALPHA_LATENCY_STORE, 8, AF_STORE | AF_LOCKED},
    };
    return by_opcode[opcode];
}

static struct is is_integer(unsigned opcode, unsigned function)
{
    struct is is = {ALPHA_BOX_E, opcode == 0x13 ? ALPHA_LATENCY_IMUL : ALPHA_LATENCY_INT, 0, 0};
    unsigned low = function & 0x1f;
    bool bit = function & 0x40;
    if (opcode == 0x10 && bit && (low == 0x00 || low == 0x09)) /* sums with /v; 0x0d compares */
        is.flags = AF_TRAP;
    if (opcode == 0x13 && bit)
        is.flags = AF_TRAP;
    if (opcode == 0x11 && ((function & 0xf) == 4 || (function & 0xf) == 6))
        is.flags = AF_CMOV;
    if (opcode == 0x1c && (function == 0x70 || function == 0x78))
        return (struct is){ALPHA_BOX_F, ALPHA_LATENCY_MOVE, 0, 0};
    return is;
}

static struct is is_floating(unsigned opcode, unsigned function)
{
    struct is is = {ALPHA_BOX_F, ALPHA_LATENCY_FADD, 0, 0};
    unsigned low = function & 0x3f;
    if (opcode == 0x14 && (function == 0x004 || function == 0x024))
        is.latency = ALPHA_LATENCY_MOVE;
    if (opcode == 0x14 && (low == 0x0b || low == 0x2b)) {
        is.latency = low == 0x0b ? ALPHA_LATENCY_FSQRTS : ALPHA_LATENCY_FSQRTT;
        is.flags = AF_TRAP | AF_FPCR;
    }
    if (opcode == 0x16) {
        is.flags = AF_TRAP | AF_FPCR;
        is.latency = low == 0x03   ? ALPHA_LATENCY_FDIVS
                     : low == 0x23 ? ALPHA_LATENCY_FDIVT
                                   : ALPHA_LATENCY_FADD;
    }
    if (opcode == 0x17 && (function == 0x024 || function == 0x025))
        is.flags = AF_FPCR;
    if (opcode == 0x17 && function >= 0x02a && function <= 0x02f)
        is.flags = AF_CMOV;
    if (opcode == 0x17 && low == 0x30) /* to a longword, which may not hold it */
        is.flags = AF_TRAP | AF_FPCR;
    return is;
}

static struct is is_miscellaneous(unsigned function)
{
    switch (function) {
    case 0x0000: return (struct is){ALPHA_BOX_C, ALPHA_LATENCY_BARRIER, 0, AF_TRAPB};
    case 0x0400: return (struct is){ALPHA_BOX_C, ALPHA_LATENCY_BARRIER, 0, AF_EXCB};
    case 0x4000: return (struct is){ALPHA_BOX_C, ALPHA_LATENCY_BARRIER, 0, AF_MB};
    case 0x4400: return (struct is){ALPHA_BOX_C, ALPHA_LATENCY_BARRIER, 0, AF_WMB};
    case 0xc000: return (struct is){ALPHA_BOX_E, ALPHA_LATENCY_INT, 0, AF_COUNTER};
    case 0xe000:
    case 0xf000: return (struct is){ALPHA_BOX_E, ALPHA_LATENCY_INT, 0, AF_FLAG};
    default: return (struct is){ALPHA_BOX_M, ALPHA_LATENCY_BARRIER, 0, 0};
    }
}

static struct is is_form(unsigned opcode, unsigned function)
{
    if (opcode == 0x00)
        return (struct is){
            ALPHA_BOX_Pal, ALPHA_LATENCY_BARRIER, 0, function == 0x86 ? AF_PAL | AF_MB : AF_PAL};
    if (opcode == 0x08 || opcode == 0x09)
        return is_integer(opcode, 0);
    if ((opcode >= 0x10 && opcode <= 0x13) || opcode == 0x1c)
        return is_integer(opcode, function);
    if ((opcode >= 0x14 && opcode <= 0x17) || opcode == 0x20 || opcode == 0x21 || opcode == 0x24 ||
        opcode == 0x25) /* the last four: VAX loads and stores, which do nothing here */
        return is_floating(opcode, function);
    if (opcode == 0x18)
        return is_miscellaneous(function);
    if (opcode == 0x1a || opcode == 0x30 || opcode == 0x34)
        return (struct is){ALPHA_BOX_E, ALPHA_LATENCY_INT, 0, AF_JUMP};
    if (opcode > 0x30)
        return (struct is){
            opcode < 0x38 ? ALPHA_BOX_F : ALPHA_BOX_E, ALPHA_LATENCY_INT, 0, AF_BRANCH};
    if (opcode >= 0x19 && opcode <= 0x1f)
        return (struct is){ALPHA_BOX_Pal, ALPHA_LATENCY_BARRIER, 0, 0};
    return is_memory(opcode);
}

static void an_operation_is_what_its_opcode_says(void **state)
{
    (void)state;
    for (unsigned i = 0; i < ALPHA_N_FORMS; i++) {
        const struct alpha_form *f = &alpha_forms[i];
        const struct alpha_op_info *op = &alpha_ops[f->op];
        struct is is = is_form(f->opcode, f->function);
        if (op->box != is.box || op->latency != is.latency || op->size != is.size ||
            op->flags != is.flags)
            fail_msg("%s: box %u, latency %u, size %u, flags %x; its opcode says %u, %u, %u, %x",
                     f->name,
                     op->box,
                     op->latency,
                     op->size,
                     op->flags,
                     is.box,
                     is.latency,
                     is.size,
                     is.flags);
    }
    const struct alpha_op_info *illegal = &alpha_ops[ALPHA_OP_ILLEGAL];
    assert_int_equal(illegal->box, ALPHA_BOX_E);
    assert_int_equal(illegal->latency, ALPHA_LATENCY_BARRIER);
    assert_int_equal(illegal->size, 0);
    assert_int_equal(illegal->flags, 0);
}

TEST_MAIN(cmocka_unit_test(every_row_is_found), cmocka_unit_test(no_two_rows_share_a_word),
          cmocka_unit_test(an_operation_is_what_its_opcode_says), cmocka_unit_test(registers),
          cmocka_unit_test(immediates), cmocka_unit_test(illegal_words), cmocka_unit_test(text),
          cmocka_unit_test(recorded_texts))
