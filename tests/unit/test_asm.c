/*
 * Assembler and disassembler: texts of the vendor, names, errors with place and expectation, and
 * assembling a disassembly for random words of every opcode. WAITGATE_SEED repeats a run.
 */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "isa/tensix_asm.h"
#include "isa/tensix_dis.h"
#include "isa/tensix_names.h"

static uint64_t random_state;

static uint32_t next_random(void)
{
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(random_state >> 32);
}

/* From a buffer of exactly the text's size, so that the sanitizer sees a read beyond it. */
static bool assemble(const char *text, uint32_t *word, struct tensix_asm_error *err)
{
    size_t n = strlen(text);
    char *copy = malloc(n ? n : 1);
    assert_non_null(copy);
    memcpy(copy, text, n);
    bool good = tensix_asm_text(copy, n, word, err);
    free(copy);
    return good;
}

static void check_word(const char *text, uint32_t expected)
{
    struct tensix_asm_error err;
    uint32_t word = 0;
    if (!assemble(text, &word, &err))
        fail_msg("'%s': column %u: %s", text, err.column, err.message);
    if (word != expected)
        fail_msg("'%s' gave 0x%08x, not 0x%08x", text, (unsigned)word, (unsigned)expected);
}

static void check_text(uint32_t word, unsigned flags, const char *expected)
{
    char text[512];
    int n = tensix_dis_text(word, flags, text, sizeof text);
    assert_string_equal(text, expected);
    assert_int_equal(n, strlen(expected));
}

static void vendor_syntax_both_ways(void **state)
{
    static const struct {
        const char *text;
        uint32_t word;
    } rows[] = {
        {"ttstallwait 128, 1", 0xa2400001},
        {"ttreplay 16, 16, 0, 1", 0x04040101},
        {"ttsemwait 322, 2, 2", 0xa6a1000a},
        {"ttnop", 0x02000000},
        {"ttseminit 2, 0, 8", 0xa3200020},
        {"ttwrcfg 5, 1, 92", 0xb005805c},
        {"ttmop 1, 0, 0", 0x01800000},
        {"ttmop_cfg 65535", 0x0300ffff},
        {"ttmvmul 3, 0, 1, 16", 0x26c04010},
        {"ttsfpmov 1, 2, 3, 4", 0x7c001234},
        {"ttsetadcxy 4, 0, 0, 0, 0, 3, thread_override=2", 0x51880003},
        {"ttsfplutfp32 1, 2, mod1_mirror=10", 0x950a0012},
        /* the .ttinsn words of seed 004: 0x8c800022, 0x90000022, 0x94000022, 0x98020026 */
        {"ttseminit 2, 0, 2", 0xa3200008},
        {"ttsempost 2", 0xa4000008},
        {"ttsemget 2", 0xa5000008},
        {"ttsemwait 1, 2, 1", 0xa6008009},
        {"ttinsn 0xdeadbeef", 0xdeadbeef},
        {"ttinsn 0x02000001", 0x02000001},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        check_word(rows[i].text, rows[i].word);
        check_text(rows[i].word, 0, rows[i].text);
    }
}

static void names_both_ways(void **state)
{
    static const struct {
        const char *text;
        uint32_t word;
    } rows[] = {
        {"ttsemwait STALL_SYNC|STALL_MATH|STALL_SFPU, MATH_PACK, STALL_ON_MAX", 0xa6a1000a},
        {"ttstallwait STALL_CFG, THCON", 0xa2400001},
        {"ttstallwait STALL_THREAD, NONE", 0xa2ff8000},
        {"ttstallwait 0, WAIT_SFPU|CFGEXU", 0xa2001800},
        {"ttsempost FPU_SFPU|MATH_DONE", 0xa4000204},
        {"ttsemwait STALL_TDMA, UNPACK_SYNC|0x100, STALL_ON_ZERO|STALL_ON_MAX", 0xa6008483},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        check_word(rows[i].text, rows[i].word);
        check_text(rows[i].word, TENSIX_DIS_SYMBOLIC, rows[i].text);
    }
}

static void many_ways_to_write_the_same(void **state)
{
    (void)state;
    check_word("  TTSTALLWAIT 0x80 0b1  # comment", 0xa2400001);
    check_word("stallwait 128 , 1 // comment", 0xa2400001);
    check_word("\tttstallwait p_stall::STALL_CFG, p_stall::THCON ; comment\r", 0xa2400001);
    check_word("ttstallwait stall_cfg , thcon", 0xa2400001);
    check_word("ttstallwait 0, UNPACK|PACK | SFPU1", 0xa200080e);
    check_word("ttstallwait 0, ALL_THREAD_RES", 0xa200021f);
    check_word("ttsemget t6_sem(1)", 0xa5000008);
    check_word("ttsemget semaphore::t6_sem(semaphore::MATH_PACK)", 0xa5000008);
    check_word("ttsemget SEMAPHORE_1 | t6_sem ( 7 )", 0xa5000208);
    check_word("ttsemget SEMAPHORE_BIAS", 0xa5000040);
    check_word("ttsfpstochrnd 0, 0, 0, 1, 2, 3", 0x8e000123);
    check_word(".ttinsn 0x1234", 0x00001234);
}

/* Every name of the list is one of the operand it belongs to, and of no other. */
static void every_name_in_its_operand_only(void **state)
{
    static const char *const forms[][2] = {
        [TENSIX_KIND_STALL_RES] = {"ttstallwait ", ", 0"},
        [TENSIX_KIND_WAIT_RES] = {"ttstallwait 0, ", ""},
        [TENSIX_KIND_SEM_SEL] = {"ttsempost ", ""},
        [TENSIX_KIND_SEM_COND] = {"ttsemwait 0, 0, ", ""},
    };
    static const unsigned shift[] = {0, 15, 0, 2, 0};
    (void)state;
    for (size_t i = 0; i < tensix_names_count; i++)
        for (unsigned kind = TENSIX_KIND_STALL_RES; kind <= TENSIX_KIND_SEM_COND; kind++) {
            char text[128];
            struct tensix_asm_error err;
            uint32_t word = 0;
            const struct tensix_name *name = &tensix_names[i];
            snprintf(text, sizeof text, "%s%s%s", forms[kind][0], name->name, forms[kind][1]);
            bool good = assemble(text, &word, &err);
            if (good != (kind == name->kind))
                fail_msg("'%s' %s", text, good ? "was taken" : "was refused");
            if (good)
                assert_int_equal(word & 0xffffff, (uint32_t)name->value << shift[kind]);
        }
}

static void errors_say_where_and_what_was_expected(void **state)
{
    static const struct {
        const char *text;
        unsigned column;
        const char *message; /* its beginning */
    } rows[] = {
        {"ttstalwait 1, 2", 1, "unknown mnemonic 'ttstalwait'; did you mean 'ttstallwait'?"},
        {"  xyzzy", 3, "unknown mnemonic 'xyzzy'; expected"},
        {"ttstallwait 1, 9000", 16, "operand 2 (wait_res) is 9000, expected 0..8191"},
        {"ttmvmul 0, 0, 0, -1", 18, "operand 4 (dst) is -1, expected 0..1023"},
        {"ttsemwait 1, 2",
         15,
         "ttsemwait takes 3 operands (stall_res, sem_sel, wait_sem_cond), got 2"},
        {"ttsemwait 1, 2, 3, 4",
         20,
         "ttsemwait takes 3 operands (stall_res, sem_sel, wait_sem_cond), got 4"},
        {"ttnop 1", 7, "ttnop takes 0 operands, got 1"},
        {"ttsempost", 10, "ttsempost takes 1 operand (sem_sel), got 0"},
        {"ttsempost MATH",
         11,
         "operand 1 (sem_sel): unknown name 'MATH', expected 0..255 or names: FPU_SFPU,"},
        {"ttmvmul foo, 0, 0, 0", 9, "operand 1 (clear_dvalid): unknown name 'foo', expected 0..3"},
        {"ttmvmul 0x, 0, 0, 0", 9, "operand 1 (clear_dvalid): bad number '0x', expected 0..3"},
        {"ttmvmul 0,, 0", 11, "expected an operand, got ','"},
        {"ttmvmul 0, 0, 0,", 17, "expected an operand after ','"},
        {"ttsempost t6_sem(8)", 18, "operand 1 (sem_sel): expected a semaphore 0..7"},
        {"ttsempost t6_sem(1", 17, "expected ')'"},
        {"ttsempost t6_sem(|)", 11, "operand 1 (sem_sel): unknown function"},
        {"ttsetadcxy 4,0,0,0,0,3,thread_override=4",
         40,
         "operand thread_override is 4, expected 0..3"},
        {"ttsetadcxy 4,0,0,0,0,3,thread_override=1,thread_override=1",
         42,
         "operand thread_override is given twice"},
        {"ttsetadcxy thread_override=1 4,0,0,0,0,3", 30, "expected operands by name to come last"},
        {"ttmvmul 0,0,0,0,dst=3", 17, "no operand 'dst=' here; this instruction takes none"},
        {"ttinsn 0x100000000", 8, "operand 1 (word) is 4294967296, expected 0..4294967295"},
        {"ttinsn", 1, "ttinsn takes 1 operand (word), got 0"},
        {"ttnop(1)", 6, "expected a space after the mnemonic"},
        {"@", 1, "expected a mnemonic"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct tensix_asm_error err;
        uint32_t word = 0x5a5a5a5a;
        assert_false(assemble(rows[i].text, &word, &err));
        assert_false(err.empty);
        assert_int_equal(word, 0x5a5a5a5a);
        if (strncmp(err.message, rows[i].message, strlen(rows[i].message)))
            fail_msg("'%s': %s", rows[i].text, err.message);
        if (err.column != rows[i].column)
            fail_msg("'%s': column %u, not %u", rows[i].text, err.column, rows[i].column);
    }
}

static void blank_text_is_empty_not_wrong(void **state)
{
    static const char *const blank[] = {"", "   ", "# comment", "  // comment", ";", "\r"};
    (void)state;
    for (size_t i = 0; i < sizeof blank / sizeof blank[0]; i++) {
        struct tensix_asm_error err;
        uint32_t word;
        assert_false(assemble(blank[i], &word, &err));
        assert_true(err.empty);
    }
}

static void a_short_buffer_is_cut_and_ended(void **state)
{
    char text[8] = "#######";
    (void)state;
    assert_int_equal(tensix_dis_text(0x04040101, 0, text, sizeof text), 21);
    assert_string_equal(text, "ttrepla");
    assert_int_equal(tensix_dis_text(0x04040101, 0, NULL, 0), 21);
}

static void check_round_trip(uint32_t word, unsigned flags)
{
    char text[512];
    struct tensix_asm_error err;
    uint32_t back = ~word;
    int n = tensix_dis_text(word, flags, text, sizeof text);
    if (n <= 0 || (size_t)n >= sizeof text)
        fail_msg("0x%08x: text of %d characters", (unsigned)word, n);
    if (!assemble(text, &back, &err))
        fail_msg("0x%08x '%s': column %u: %s", (unsigned)word, text, err.column, err.message);
    if (back != word)
        fail_msg("0x%08x '%s' came back as 0x%08x", (unsigned)word, text, (unsigned)back);
    if (tensix_legal(word) == !strncmp(text, "ttinsn", 6))
        fail_msg("0x%08x '%s'", (unsigned)word, text);
}

/* For each opcode 2000 random legal words; and 100000 words of any kind. */
static void assembling_a_disassembly_gives_the_word(void **state)
{
    (void)state;
    for (unsigned op = 0; op < 256; op++) {
        if (!tensix_table[op].name)
            continue;
        for (unsigned i = 0; i < 2000; i++) {
            uint32_t word = (uint32_t)op << 24 | (next_random() & tensix_table[op].field_mask);
            check_round_trip(word, 0);
            check_round_trip(word, TENSIX_DIS_SYMBOLIC);
        }
        check_round_trip((uint32_t)op << 24 | tensix_table[op].field_mask, TENSIX_DIS_SYMBOLIC);
        check_round_trip((uint32_t)op << 24, TENSIX_DIS_SYMBOLIC);
    }
    for (unsigned i = 0; i < 100000; i++)
        check_round_trip(next_random(), i & TENSIX_DIS_SYMBOLIC);
}

/* Damaged lines are refused or taken, never read beyond their end. */
static void damaged_text_is_harmless(void **state)
{
    static const char letters[] = "ttsem wait|(),=:#;/0x1b9_ST\t-+\x01\xff";
    (void)state;
    for (unsigned i = 0; i < 100000; i++) {
        char text[600];
        struct tensix_asm_error err;
        uint32_t word = next_random();
        int n = tensix_dis_text(
            (word & 0x00ffffff) | (0xa2u + word % 6) << 24, TENSIX_DIS_SYMBOLIC, text, sizeof text);
        for (unsigned k = next_random() % 4; k-- > 0;)
            text[next_random() % (unsigned)n] = letters[next_random() % (sizeof letters - 1)];
        if (!assemble(text, &word, &err)) {
            assert_true(err.column >= 1 && err.column <= strlen(text) + 1);
            assert_true(err.message[0] != '\0');
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vendor_syntax_both_ways),
        cmocka_unit_test(names_both_ways),
        cmocka_unit_test(many_ways_to_write_the_same),
        cmocka_unit_test(every_name_in_its_operand_only),
        cmocka_unit_test(errors_say_where_and_what_was_expected),
        cmocka_unit_test(blank_text_is_empty_not_wrong),
        cmocka_unit_test(a_short_buffer_is_cut_and_ended),
        cmocka_unit_test(assembling_a_disassembly_gives_the_word),
        cmocka_unit_test(damaged_text_is_harmless),
    };
    const char *seed = getenv("WAITGATE_SEED");
    random_state = seed ? strtoull(seed, NULL, 0) : (uint64_t)time(NULL);
    printf("WAITGATE_SEED=%llu\n", (unsigned long long)random_state);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
