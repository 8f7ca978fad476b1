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

TEST_MAIN(cmocka_unit_test(every_row_is_found), cmocka_unit_test(no_two_rows_share_a_word),
          cmocka_unit_test(registers), cmocka_unit_test(immediates),
          cmocka_unit_test(illegal_words), cmocka_unit_test(text), cmocka_unit_test(recorded_texts))
