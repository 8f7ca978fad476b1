/*
 * test_tts.c - the reader of .tts programs: what it takes, what it refuses and where it points.
 */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "script/tts.h"

static struct tts_program *parse(const char *text)
{
    struct tts_program *p;
    struct tts_error e;
    if (!tts_parse(text, strlen(text), "t", &p, &e)) {
        print_error("%u:%u: %s\n", e.line, e.column, e.text);
        fail();
    }
    return p;
}

static void refuse(const char *text, unsigned line, unsigned column, const char *what)
{
    struct tts_program *p;
    struct tts_error e;
    assert_false(tts_parse(text, strlen(text), "t", &p, &e));
    assert_null(p);
    if (e.line != line || (column && e.column != column) || !strstr(e.text, what)) {
        print_error("%s\n -> %u:%u: %s\n", text, e.line, e.column, e.text);
        fail();
    }
}

static void test_actions(void **state)
{
    (void)state;
    struct tts_program *p = parse(".core T1\n"
                                  "  ttnop               # comment\n"
                                  "a: { ttnop; ttsfpnop } // comment\n"
                                  "  mopcfg 5 = ttreplay 0, 4, 0, 0\n"
                                  "  sempost MATH_PACK\n"
                                  "  semget 7\n"
                                  "  gpr T0 5 = 0x1234\n"
                                  "  config both 12 = 7\n"
                                  "  wait 10\n"
                                  "  at 1_000\n"
                                  "  when sem 2 >= 1\n"
                                  "  when idle T0\n"
                                  "  mop_sync\n"
                                  "  tensix_sync\n"
                                  "  stream 4 29 = 7\n"
                                  ".core B\n"
                                  "  push T2: ttnop\n");
    static const uint8_t kinds[] = {ACT_PUSH,
                                    ACT_PUSH,
                                    ACT_MOPCFG,
                                    ACT_SEMPOST,
                                    ACT_SEMGET,
                                    ACT_WRITE,
                                    ACT_WRITE,
                                    ACT_WAIT,
                                    ACT_AT,
                                    ACT_WHEN,
                                    ACT_WHEN,
                                    ACT_MOP_SYNC,
                                    ACT_TENSIX_SYNC,
                                    ACT_WRITE,
                                    ACT_PUSH_B};
    assert_int_equal(p->n_actions, sizeof kinds);
    for (unsigned i = 0; i < sizeof kinds; i++)
        assert_int_equal(p->action[i].kind, kinds[i]);
    assert_int_equal(p->action[1].n, 2);
    assert_int_equal(p->word[p->action[1].first + 1], 0x8f000000);
    assert_int_equal(p->action[2].value, 0x04000040);
    assert_int_equal(p->action[6].item.thread, TTS_BOTH_BANKS);
    assert_int_equal(p->action[8].value, 1000);
    assert_int_equal(p->action[9].compare, COMPARE_GE);
    assert_int_equal(p->core[TTS_CORE_B].n, 1);
    assert_int_equal(tts_line(p, 2), 3);
    assert_int_equal(tts_line(p, 0), 0);
    assert_int_equal(tts_line(p, 99), 0);
    tts_parse_free(p);
}

static void test_mopcfg_list(void **state)
{
    (void)state;
    struct tts_program *p = parse(".core T0\nmopcfg = [1, 2; ttnop\n # a comment\n"
                                  "ttsfpnop; 5, 6, 7\n8; 9]\n");
    assert_int_equal(p->n_actions, 9);
    assert_int_equal(p->action[3].value, 0x8f000000);
    for (unsigned i = 0; i < 9; i++)
        assert_int_equal(p->action[i].item.index, i);
    tts_parse_free(p);
}

static void test_repeat(void **state)
{
    (void)state;
    struct tts_program *p = parse(".core T0\n.repeat 2\n.repeat 1000000000\nttnop\n.end\n.end\n");
    assert_int_equal(p->n_actions, 5);
    assert_int_equal(p->action[0].first, 4);
    assert_int_equal(p->action[1].first, 3);
    assert_int_equal(p->action[3].first, 1);
    tts_parse_free(p);
}

static void test_sections_can_be_reopened(void **state)
{
    (void)state;
    struct tts_program *p = parse(".expect\nb at 3\n.core T1\nttnop\n.core T0\nttnop\n"
                                  ".core T1\nb: ttnop\n");
    assert_int_equal(p->core[0].n, 1);
    assert_int_equal(p->core[1].first, 1);
    assert_int_equal(p->core[1].n, 2);
    assert_int_equal(p->expect[0].tag, 3);
    assert_int_equal(tts_line(p, 3), 8);
    tts_parse_free(p);
}

static void test_expectations(void **state)
{
    (void)state;
    struct tts_program *p =
        parse(".core T0\nx: ttnop\n.expect\n"
              "cycles 12\nissued T2 = 5\nT0 at 7 ttsempost 4\nx at 1\nx#3 at 2\n"
              "T1 go = [3, 5..7,\n 9]\nwaited core T0 queue-full = 3\n"
              "waited T0 C4-math owner Matrix Unit = 4\n"
              "held x sem-zero owner semaphore 2 5\nheld x C4-math 6\n"
              "gpr T0 5 = 7\nsem MATH_PACK = 1 max 2\nadc T1 pack ch1 w_cr = 3\n"
              "rwc T0 fidelity = 1\nbank B 1 = matrix\nmutex 3 = free\n"
              "fault SEMWAIT_COND0 x3\nnote NEVER_HELD\ndeadlock at 27\n"
              "max-cycles 77\n");
    assert_int_equal(p->n_expects, 20);
    assert_int_equal(p->expect[5].n, 5);
    assert_int_equal(p->list[4], 9);
    assert_int_equal(p->expect[6].agent, OWNER_CORE_T0);
    assert_int_equal(p->expect[7].owner, OWNER_MATRIX);
    assert_int_equal(p->expect[8].owner, OWNER_SEM2);
    assert_int_equal(p->expect[9].owner, N_OWNERS);
    assert_int_equal(p->expect[12].item.index, 2 * 16 + 8 + 7);
    assert_int_equal(p->expect[16].count, 3);
    assert_int_equal(p->max_cycles, 77);
    assert_true(p->has_expect && p->expects_events);
    tts_parse_free(p);
}

static void test_numbers_of_the_machine(void **state)
{
    (void)state;
    struct tts_program *p = parse(".timing UNPACK_PIPE = 5\n.core T0\n.timing SRC_RELEASE=3\n"
                                  "ttnop\n.timing MVMUL.latency = 0x6!  // forced\n"
                                  ".timing UNPACK_PIPE = 7\n.expect\ncycles 5\n");
    struct timing_change c;
    unsigned at = 0;
    assert_true(timing_next_change(&p->timing, &at, &c));
    assert_string_equal(c.name, "SRC_RELEASE");
    assert_int_equal(c.value, 3);
    assert_true(timing_next_change(&p->timing, &at, &c));
    assert_string_equal(c.name, "UNPACK_PIPE");
    assert_int_equal(c.value, 7);
    assert_true(timing_next_change(&p->timing, &at, &c));
    assert_string_equal(c.name, "MVMUL.latency");
    assert_int_equal(c.value, 6);
    assert_false(timing_next_change(&p->timing, &at, &c));
    assert_int_equal(p->core[0].n, 1);
    assert_int_equal(p->n_expects, 1);
    tts_parse_free(p);
    p = parse(".core T0\nttnop\n");
    at = 0;
    assert_false(timing_next_change(&p->timing, &at, &c));
    tts_parse_free(p);
    refuse(".timing\n", 1, 0, "the name of a number");
    refuse(".timing 5 = 3\n", 1, 9, "the name of a number");
    refuse(".timing A23456789012345678901234567890123456789012345678 = 3\n",
           1,
           9,
           "the name of a number");
    refuse(".core T0\n  .timing SRC_RELEAS = 3\n", 2, 11, "did you mean 'SRC_RELEASE'?");
    refuse(".timing SRC_RELEASE = 8\n",
           1,
           9,
           "outside of its range of 1 to 5 (typical 2); 8! forces it");
    refuse(".timing SRC_RELEASE = 9!\n", 1, 9, "room for 1 to 8 only");
    refuse(".timing Q1_DEPTH = 32\n", 1, 9, "structural");
    refuse(".timing SRC_RELEASE 3\n", 1, 21, "'='");
    refuse(".timing SRC_RELEASE = x\n", 1, 23, "a number of the machine");
    refuse(".timing SRC_RELEASE = 3!!\n", 1, 25, "");
    refuse(".timing SRC_RELEASE = 4294967296\n", 1, 23, "0..4294967295");
}

static void test_errors_point_at_their_place(void **state)
{
    (void)state;
    refuse("", 1, 1, "holds no program");
    refuse("# nothing\n", 2, 0, "holds no program");
    refuse("ttnop\n", 1, 1, "before anything else");
    refuse(".cor T0\n", 1, 0, "expected .core");
    refuse(".core T5\n", 1, 0, "expected T0");
    refuse(".core T0\n  ttfoo 1\n", 2, 3, "");
    refuse(".core T0\n  ttstallwait 128, 99999\n", 2, 0, "");
    refuse(".core T0\nttnop }\n", 2, 0, "");
    refuse(".core T0\n{ ttnop }\n", 2, 0, "2 to 4");
    refuse(".core T0\n{ ttnop; ttnop; ttnop; ttnop; ttnop }\n", 2, 0, "at most 4");
    refuse(".core T0\n{ ttnop; ttnop\n", 3, 0, "'}'");
    refuse(".core T0\nmopcfg 9 = 1\n", 2, 8, "0..8");
    refuse(".core T0\nmopcfg = [1, 2]\n", 2, 0, "nine words, found 2");
    refuse(".core T0\nmopcfg = [1,2,3,4,5,6,7,8,9,10]\n", 2, 0, "nine words");
    refuse(".core T0\nmopcfg = [1,2\n", 3, 0, "']'");
    refuse(".core T0\nsempost 8\n", 2, 9, "0..7");
    refuse(".core T0\ngpr T0 64 = 1\n", 2, 8, "0..63");
    refuse(".core T0\ngpr T0 5 = 4294967296\n", 2, 0, "0..4294967295");
    refuse(".core T0\nwait 0\n", 2, 0, "at least one");
    refuse(".core T0\nwait 99999999999999999999999\n", 2, 6, "");
    refuse(".core T0\nwait 0x\n", 2, 6, "digits");
    refuse(".core T0\nwait 12a\n", 2, 8, "digit");
    refuse(".core T0\nwhen sem 1 = 2\n", 2, 0, "expected ==");
    refuse(".core B\nttnop\n", 2, 0, "core B");
    refuse(".core B\npush T0 ttnop\n", 2, 9, "':'");
    refuse(".core B\nsempost 1\n", 2, 0, "core B");
    refuse(".core T0\n.end\n", 2, 0, ".end without");
    refuse(".core T0\n.repeat 3\nttnop\n", 4, 0, "line 2 has no .end");
    refuse(".core T0\n.repeat 3\nttnop\n.core T1\n", 4, 0, "line 2 has no .end");
    refuse(".core T0\n.repeat 0\nttnop\n.end\n", 2, 0, "1..");
    refuse(".core T0\n.repeat 1000000001\nttnop\n.end\n", 2, 0, "0..1000000000");
    refuse(".core T0\n.repeat 2\n.end\n", 3, 0, "takes a cycle");
    refuse(".core T0\n.repeat 2\nat 5\nwhen idle T0\n.end\n", 5, 0, "takes a cycle");
    refuse(".preset\n.repeat 2\n", 2, 0, "script of a core");
    refuse(".preset\nrwc T0 dst = 1\n", 2, 1, "adc, l1, dst, dst32, lreg, src; found 'rwc'");
    refuse(".preset\nsem 1 = 16\n", 2, 9, "0..15");
    refuse(".preset\nbank C 0 = matrix\n", 2, 0, "A or B");
    refuse(".preset\nmutex 1 = T0\n", 2, 0, "no mutex 1");
    refuse(".expect\nx at 3\n", 2, 1, "no label 'x'");
    refuse(".expect\nwaited T0 foo = 3\n", 2, 0, "cause");
    refuse(".expect\nfault NEVER_HELD\n", 2, 0, "fault");
    refuse(".expect\nT0 go = [3, 2..1]\n", 2, 0, "upwards");
    refuse(".core T0\na: ttnop\na: ttnop\n", 3, 1, "already in line 2");
    refuse(".core T0\na:\n", 2, 1, "before no action");
    refuse(".core T0\na:\n.repeat 2\nttnop\n.end\n", 2, 1, "before no action");
    refuse(".core T0\nT0: ttnop\n", 2, 1, "cannot be a label");
    refuse(".core T0\nttnop\x01\n", 2, 0, "");
    refuse(".core T0\n\xff\xfe\n", 2, 1, "");
}

/* Where a stretch of data lies, and how its values fill it. */
static void test_data(void **state)
{
    (void)state;
    struct tts_program *p = parse(".preset\n"
                                  "l1 0x100 = 1 2, 3 0xffffffff # comment\n"
                                  "l1 0x10..0x1c = [5\n 6] // comment\n"
                                  "dst 1023 = 0xffff\n"
                                  "dst 4..7 3 = 1 2 3 4\n"
                                  "lreg 7 30..31 = 8 9\n"
                                  "src b 1 63 15 = 0x7ffff\n"
                                  ".expect\n"
                                  "DST32 0..511 2..5 = 1 2\n"
                                  "lreg 9 = 0\n");
    static const struct tts_data want[] = {{DATA_L1, 0, 0, 0, 1, 64, 4, 0, 4},
                                           {DATA_L1, 0, 0, 0, 1, 4, 4, 4, 2},
                                           {DATA_DST, 0, 0, 1023, 1, 0, 16, 6, 1},
                                           {DATA_DST, 0, 0, 4, 4, 3, 4, 7, 4},
                                           {DATA_LREG, 0, 0, 7, 1, 30, 2, 11, 2},
                                           {DATA_SRC, 1, 1, 63, 1, 15, 1, 13, 1},
                                           {DATA_DST32, 0, 0, 0, 512, 2, 4, 14, 2},
                                           {DATA_LREG, 0, 0, 9, 1, 0, 32, 16, 1}};
    assert_int_equal(p->n_fills, 6);
    assert_int_equal(p->n_expects, 2);
    assert_int_equal(p->n_list, 17);
    for (unsigned i = 0; i < 8; i++) {
        const struct tts_data *d = i < 6 ? &p->fill[i] : &p->expect[i - 6].data;
        assert_int_equal(d->kind, want[i].kind);
        assert_int_equal(d->side, want[i].side);
        assert_int_equal(d->bank, want[i].bank);
        assert_int_equal(d->row, want[i].row);
        assert_int_equal(d->n_rows, want[i].n_rows);
        assert_int_equal(d->column, want[i].column);
        assert_int_equal(d->n_columns, want[i].n_columns);
        assert_int_equal(d->first, want[i].first);
        assert_int_equal(d->n, want[i].n);
    }
    assert_int_equal(p->list[3], UINT32_MAX);
    assert_int_equal(p->list[5], 6);
    assert_int_equal(p->expect[0].kind, EXPECT_DATA);
    assert_int_equal(p->expect[0].line, 10);
    assert_true(p->uses_l1);
    tts_parse_free(p);
    p = parse(".expect\ndst 0 = 1\n");
    assert_false(p->uses_l1);
    tts_parse_free(p);
    p = parse(".core T0\nl1: ttnop\ndst: ttnop\n.expect\nl1 at 3\ndst#1 at 4\nl1 0 = 0\n");
    assert_int_equal(p->expect[0].kind, EXPECT_LABEL);
    assert_int_equal(p->expect[1].kind, EXPECT_LABEL);
    assert_int_equal(p->expect[2].kind, EXPECT_DATA);
    tts_parse_free(p);
}

static void test_data_errors(void **state)
{
    (void)state;
    refuse(".preset\nl1 0x102 = 1\n", 2, 4, "not a multiple of four");
    refuse(".preset\nl1 0x100..0x106 = 1\n", 2, 11, "not a multiple of four");
    refuse(".preset\nl1 0x180000 = 1\n", 2, 4, "an address in L1 must be 0..");
    refuse(".preset\nl1 0x17fffc = 1 2\n", 2, 4, "room for 1 values from here on, found 2");
    refuse(".preset\nl1 8..4 = 1\n", 2, 7, "upwards");
    refuse(".preset\nl1 8 = 4294967296\n", 2, 8, "0..4294967295");
    refuse(".preset\nl1 8 =\n", 2, 7, "a value");
    refuse(".preset\nl1 8 = []\n", 2, 10, "a value");
    refuse(".preset\nl1 8 = [1\n", 3, 1, "']'");
    refuse(".preset\nl1 8 5\n", 2, 6, "'='");
    refuse(".preset\nlreg 17 = 1\n", 2, 6, "an LReg must be 0..16");
    refuse(".preset\nlreg 7..9 = 1\n", 2, 6, "LReg 8 is a constant");
    refuse(".preset\nlreg 15 3 = 1\n", 2, 6, "LReg 15 is a constant");
    refuse(".expect\ndst 1024 = 1\n", 2, 5, "a row of Dst must be 0..1023");
    refuse(".expect\ndst 3..1 = 1\n", 2, 8, "upwards");
    refuse(".expect\ndst 3 16 = 1\n", 2, 7, "a column must be 0..15");
    refuse(".expect\ndst 3 8..16 = 1\n", 2, 10, "a column must be 0..15");
    refuse(".expect\ndst 3 1 = 0x10000\n", 2, 11, "a value must be 0..65535");
    refuse(".expect\ndst 3 14 = 1 2 3\n", 2, 5, "room for 2 values from here on, found 3");
    refuse(".expect\ndst 3 = 1 2 3\n", 2, 5, "3 values do not fill 16 cells");
    refuse(".expect\ndst32 512 0 = 1\n", 2, 7, "must be 0..511");
    refuse(".expect\nlreg 0 32 = 1\n", 2, 8, "a lane must be 0..31");
    refuse(".expect\nsrc C 0 0 = 1\n", 2, 5, "A or B");
    refuse(".expect\nsrc A 2 0 = 1\n", 2, 7, "a bank must be 0..1");
    refuse(".expect\nsrc A 1 64 = 1\n", 2, 9, "a row of Src must be 0..63");
    refuse(".expect\nsrc A 1 0 = 0x80000\n", 2, 13, "a value must be 0..524287");
}

static void test_nesting_is_limited(void **state)
{
    (void)state;
    char text[512] = ".core T0\n";
    for (unsigned i = 0; i < 8; i++)
        strcat(text, ".repeat 2\n");
    strcat(text, "ttnop\n");
    char deeper[640];
    snprintf(deeper, sizeof deeper, ".core T0\n.repeat 2\n%s", text + 9);
    refuse(deeper, 10, 0, "nested more than 8");
    for (unsigned i = 0; i < 8; i++)
        strcat(text, ".end\n");
    tts_parse_free(parse(text));
}

static void test_action_limit(void **state)
{
    (void)state;
    size_t lines = 100000, room = 16 + lines * 6;
    char *text = malloc(room);
    assert_non_null(text);
    strcpy(text, ".core T0\n");
    for (size_t i = 0; i < lines; i++)
        memcpy(text + 9 + i * 6, "ttnop\n", 6);
    struct tts_program *p;
    struct tts_error e;
    assert_false(tts_parse(text, 9 + lines * 6, "t", &p, &e));
    assert_int_equal(e.line, 65536);
    assert_non_null(strstr(e.text, "use .repeat"));
    assert_true(tts_parse(text, 9 + 65534 * 6, "t", &p, &e));
    assert_int_equal(p->n_actions, 65534);
    tts_parse_free(p);
    free(text);
}

/* Every prefix of a good program is read or refused, never more. */
static void test_every_prefix(void **state)
{
    (void)state;
    static const char text[] = ".preset\nsem MATH_PACK = 1 max 2\nmopcfg T0 3 = ttnop\n.core T0\n"
                               "a: { ttnop; ttnop }\nmopcfg = [1,2,3,4,5,6,7,8,9]\n.repeat 3\n"
                               "when gpr T0 5 == 3\nttsemwait 2, 4, 1\n.end\n.expect\n"
                               "a#2 at 5\nT0 go = [1, 2..5]\nheld a C4-math owner Matrix Unit 5\n"
                               "src A 1 0..3 2..5 = [1 2,\n 3 4]\nl1 0x10..0x20 = 7\n";
    for (size_t n = 0; n < sizeof text; n++) {
        char *copy = malloc(n + 1); /* exactly as long as it is, for ASan */
        assert_non_null(copy);
        memcpy(copy, text, n);
        struct tts_program *p;
        struct tts_error e;
        if (tts_parse(copy, n, "t", &p, &e))
            tts_parse_free(p);
        free(copy);
    }
}

TEST_MAIN(cmocka_unit_test(test_actions), cmocka_unit_test(test_mopcfg_list),
          cmocka_unit_test(test_repeat), cmocka_unit_test(test_sections_can_be_reopened),
          cmocka_unit_test(test_expectations), cmocka_unit_test(test_numbers_of_the_machine),
          cmocka_unit_test(test_errors_point_at_their_place),
          cmocka_unit_test(test_nesting_is_limited), cmocka_unit_test(test_action_limit),
          cmocka_unit_test(test_every_prefix), cmocka_unit_test(test_data),
          cmocka_unit_test(test_data_errors))
