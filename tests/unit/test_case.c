/* test_case.c - case files: what they say in YAML and in JSON, and what is said about bad ones. */
#include "test.h"

#include <string.h>

#include "load/case.h"

static struct load_error error;
static struct case_file *file;

static enum load_status read_text(const char *text)
{
    memset(&error, 0, sizeof error);
    return case_read_memory(text, strlen(text), "cases/t.yaml", &file, &error);
}

static void refused(const char *text, const char *message)
{
    assert_int_equal(read_text(text), LOAD_ERROR_SYNTAX);
    assert_null(file);
    assert_string_equal(error.message, message);
    assert_true(error.line > 0 && error.column > 0);
}

static void check_full(void)
{
    assert_string_equal(file->programs[LOAD_CORE_B], "cases/b.elf");
    assert_string_equal(file->programs[LOAD_CORE_T2], "/x/t2.elf");
    assert_null(file->programs[LOAD_CORE_NC]);
    assert_true(file->released[LOAD_CORE_B]);
    assert_false(file->released[LOAD_CORE_T2]);
    assert_int_equal(file->n_l1, 2);
    assert_string_equal(file->l1[0].file, "cases/x.bin");
    assert_int_equal(file->l1[0].at, 0x20000);
    assert_null(file->l1[1].file);
    assert_int_equal(file->l1[1].n_words, 2);
    assert_int_equal(file->l1[1].words[1], 0xFFFFFFFF);
    assert_int_equal(file->n_until, 2);
    assert_int_equal(file->until[1].address, 0x1004);
    assert_int_equal(file->until[1].value, 255);
    assert_int_equal(file->n_dumps, 1);
    assert_int_equal(file->dumps[0].length, 64);
    assert_string_equal(file->dumps[0].file, "cases/out.bin");
    assert_int_equal(file->n_expects, 1);
    assert_int_equal(file->expects[0].at, 0x1000);
    assert_int_equal(file->expects[0].words[0], 7);
    assert_int_equal(file->max_steps, 5000000000);
    assert_int_equal(file->mode, CASE_CLOCKED);
}

static void yaml_says_everything(void **state)
{
    (void)state;
    assert_int_equal(read_text("# a case\n"
                               "brisc: b.elf\n"
                               "trisc2: /x/t2.elf\n"
                               "l1:\n"
                               "  - {file: x.bin, at: 0x20000}\n"
                               "  - words: [1, 0xFFFFFFFF]\n"
                               "    at: 0x1000\n"
                               "until:\n"
                               "  - {address: 0x1000, value: 7}\n"
                               "  - {address: 0x1004, value: 0xFF}\n"
                               "dump: [{from: 0x0, length: 64, file: out.bin}]\n"
                               "expect: [{at: 0x1000, words: [7]}]\n"
                               "max_steps: 5000000000\n"
                               "mode: clocked\n"
                               "timing: {SRC_RELEASE: 3, MVMUL.latency: \"6!\"}\n"),
                     LOAD_OK);
    check_full();
    assert_int_equal(file->l1[1].line, 6);
    assert_int_equal(file->expects[0].line, 12);
    assert_int_equal(file->n_timing, 2);
    assert_string_equal(file->timing[0].name, "SRC_RELEASE");
    assert_string_equal(file->timing[0].value, "3");
    assert_string_equal(file->timing[1].value, "6!");
    assert_int_equal(file->timing[1].line, 15);
    case_free(file);
}

static void timing_is_a_map_for_runs_with_time(void **state)
{
    (void)state;
    refused("brisc: b\ntiming: {SRC_RELEASE: 3}\n", "cases/t.yaml:1:1: timing needs mode: clocked");
    refused("brisc: b\nmode: clocked\ntiming: [SRC_RELEASE]\n",
            "cases/t.yaml:3:10: timing must be a mapping, {NAME: VALUE, ...}");
}

static void json_says_the_same(void **state)
{
    (void)state;
    assert_int_equal(
        read_text("{\"brisc\": \"b.elf\", \"trisc2\": \"/x/t2.elf\",\n"
                  " \"l1\": [{\"file\": \"x.bin\", \"at\": \"0x20000\"},\n"
                  "        {\"words\": [1, \"0xffffffff\"], \"at\": 4096}],\n"
                  " \"until\": [{\"address\": 4096, \"value\": 7},"
                  " {\"address\": \"0x1004\", \"value\": 255}],\n"
                  " \"dump\": [{\"from\": 0, \"length\": 64, \"file\": \"out.bin\"}],\n"
                  " \"expect\": [{\"at\": 4096, \"words\": [7]}],\n"
                  " \"max_steps\": 5000000000, \"mode\": \"clocked\"}\n"),
        LOAD_OK);
    check_full();
    case_free(file);
}

static void little_is_enough(void **state)
{
    (void)state;
    assert_int_equal(read_text("trisc0: a.elf\nncrisc: n.elf\n"
                               "until: {address: 0x1000, value: 0xFF}\n"),
                     LOAD_OK);
    assert_int_equal(file->n_until, 1);
    assert_int_equal(file->mode, CASE_UNTIMED);
    assert_int_equal(file->max_steps, 0);
    assert_true(file->released[LOAD_CORE_T0] && file->released[LOAD_CORE_NC]);
    assert_false(file->released[LOAD_CORE_B]);
    case_free(file);
}

static void cores_are_released_as_told(void **state)
{
    (void)state;
    assert_int_equal(read_text("brisc: b.elf\ntrisc0: a.elf\nrelease: [trisc0]\n"), LOAD_OK);
    assert_true(file->released[LOAD_CORE_T0]);
    assert_false(file->released[LOAD_CORE_B]);
    case_free(file);
    refused("brisc: b.elf\nrelease: [trisc0]\n",
            "cases/t.yaml:1:1: trisc0 is released but has no program");
    refused("brisc: b.elf\nrelease: [risc]\n",
            "cases/t.yaml:2:11: release names cores: brisc, trisc0, trisc1, trisc2, ncrisc");
}

static void unknown_keys_are_named_with_the_known_ones(void **state)
{
    (void)state;
    refused("brisc: b.elf\nuntill: {address: 0, value: 0}\n",
            "cases/t.yaml:2:1: a case file has no key 'untill'; it has brisc, trisc0, trisc1, "
            "trisc2, ncrisc, release, l1, until, dump, expect, max_steps, mode, timing");
    refused("brisc: b.elf\nl1: [{file: x, adr: 0}]\n",
            "cases/t.yaml:2:16: an entry of l1 has no key 'adr'; it has file, words, at");
    refused("brisc: b.elf\nuntil: {address: 0, val: 1}\n",
            "cases/t.yaml:2:21: until has no key 'val'; it has address, value");
    refused("brisc: b.elf\ndump: [{to: 0}]\n",
            "cases/t.yaml:2:9: an entry of dump has no key 'to'; it has from, length, file");
    refused("brisc: b.elf\nexpect:\n  - {word: 0}\n",
            "cases/t.yaml:3:6: an entry of expect has no key 'word'; it has at, words");
}

static void values_have_their_kind(void **state)
{
    (void)state;
    refused("brisc: b.elf\nmax_steps: many\n",
            "cases/t.yaml:2:12: max_steps must be a number, decimal or 0x...");
    refused("brisc: b.elf\nmax_steps: -1\n",
            "cases/t.yaml:2:12: max_steps must be a number, decimal or 0x...");
    refused("brisc: b.elf\nmax_steps: 0\n", "cases/t.yaml:2:12: max_steps must be at least 1");
    refused("brisc: b.elf\nl1: {at: 0x100000, words: []}\n",
            "cases/t.yaml:2:6: words must be a list of numbers, [1, 0x2]");
    refused("", "cases/t.yaml:1:1: the file is empty; a case needs a program, brisc: FILE");
    refused("# nothing\n\n",
            "cases/t.yaml:1:1: the file is empty; a case needs a program, brisc: FILE");
    refused("brisc: b.elf\nexpect: [{at: 0, words: [0x100000000]}]\n",
            "cases/t.yaml:2:26: a word is larger than 0xffffffff");
    refused("brisc: b.elf\nexpect: [{at: 0, words: 1}]\n",
            "cases/t.yaml:2:25: words must be a list of numbers, [1, 0x2]");
    refused("brisc: b.elf\nmode: fast\n", "cases/t.yaml:2:7: mode must be untimed or clocked");
    refused("brisc: [b.elf]\n", "cases/t.yaml:1:9: brisc must be a text");
    refused("brisc: b.elf\nuntil: [3]\n",
            "cases/t.yaml:2:9: until must be a mapping, {key: value, ...}");
    refused("- brisc\n", "cases/t.yaml:1:3: a case file must be a mapping, {key: value, ...}");
    refused("brisc: &x b.elf\ntrisc0: *x\n", "cases/t.yaml:2:10: trisc0 must be a text");
}

static void what_is_needed_is_there(void **state)
{
    (void)state;
    refused("mode: clocked\n",
            "cases/t.yaml:1:1: no program: one of brisc, trisc0, trisc1, trisc2, ncrisc is needed");
    refused("brisc: b\nl1: [{at: 0}]\n",
            "cases/t.yaml:2:7: an entry of l1 needs either file or words");
    refused("brisc: b\nl1: [{file: x, words: [1], at: 0}]\n",
            "cases/t.yaml:2:7: an entry of l1 needs either file or words");
    refused("brisc: b\nl1: [{file: x}]\n",
            "cases/t.yaml:2:7: an entry of l1 needs at, the address");
    refused("brisc: b\nuntil: {value: 1}\n", "cases/t.yaml:2:9: until needs address and value");
    refused("brisc: b\ndump: {from: 0, file: x}\n",
            "cases/t.yaml:2:8: an entry of dump needs from, length and file");
    refused("brisc: b\nexpect: {at: 0}\n",
            "cases/t.yaml:2:10: an entry of expect needs at and words");
}

static void addresses_lie_in_l1(void **state)
{
    (void)state;
    refused("brisc: b\nuntil: {address: 0x180000, value: 1}\n",
            "cases/t.yaml:2:9: 4 bytes at 0x180000 lie outside L1 (0x0..0x17ffff)");
    refused("brisc: b\nuntil: {address: 2, value: 1}\n",
            "cases/t.yaml:2:9: address 0x2 is not a multiple of 4");
    refused("brisc: b\nexpect: {at: 0x17FFFC, words: [1, 2]}\n",
            "cases/t.yaml:2:10: 8 bytes at 0x17fffc lie outside L1 (0x0..0x17ffff)");
    refused("brisc: b\ndump: {from: 16, length: 0x180000, file: x}\n",
            "cases/t.yaml:2:8: 1572864 bytes at 0x10 lie outside L1 (0x0..0x17ffff)");
}

static void bad_text_has_a_place(void **state)
{
    (void)state;
    assert_int_equal(read_text("brisc: b.elf\nl1: [1, 2\n"), LOAD_ERROR_SYNTAX);
    assert_int_equal(strncmp(error.message, "cases/t.yaml:", 13), 0);
    assert_true(error.line >= 2);
    assert_int_equal(read_text("{\"brisc\": \"b.elf\",, }"), LOAD_ERROR_SYNTAX);
    assert_int_equal(error.line, 1);
    assert_int_equal(read_text("brisc: a.elf\nbrisc: b.elf\n"), LOAD_ERROR_SYNTAX);
    assert_int_equal(error.line, 2);
    assert_int_equal(read_text(""), LOAD_ERROR_SYNTAX);
    assert_int_equal(case_read("no/such.yaml", &file, &error), LOAD_ERROR_FILE);
}

static void only_text_is_read(void **state)
{
    (void)state;
    refused("brisc: b\n\001", "cases/t.yaml:2:1: not a text: no printable character of UTF-8");
    refused("%\xFF", "cases/t.yaml:1:1: directives of YAML are not taken");
    refused("x: \xC3", "cases/t.yaml:1:4: not a text: no printable character of UTF-8");
    refused("x: \xED\xA0\x80", "cases/t.yaml:1:4: not a text: no printable character of UTF-8");
    assert_int_equal(read_text("# \xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80\nbrisc: \xC3\xA4.elf\n"),
                     LOAD_OK);
    assert_string_equal(file->programs[LOAD_CORE_B], "cases/\xC3\xA4.elf");
    case_free(file);
}

static void a_case_becomes_an_image(void **state)
{
    (void)state;
    const char *text = "trisc0: fuzz/corpus/elf/plain\nl1: {words: [1, 2], at: 0x1000}\n";
    const char *path = WG_SOURCE_DIR "/tests/t.yaml";
    assert_int_equal(case_read_memory(text, strlen(text), path, &file, &error), LOAD_OK);
    struct image image;
    assert_int_equal(case_image(file, &image, &error), LOAD_OK);
    assert_non_null(image.elfs[LOAD_CORE_T0]);
    const struct image_part *last = &image.parts[image.n_parts - 1];
    assert_int_equal(last->addr, 0x1000);
    assert_int_equal(last->n_bytes, 8);
    assert_int_equal(last->bytes[4], 2);
    image_free(&image);
    file->l1[0].at = 0x6000;
    assert_int_equal(case_image(file, &image, &error), LOAD_ERROR_OVERLAP);
    case_free(file);
}

TEST_MAIN(cmocka_unit_test(yaml_says_everything),
          cmocka_unit_test(timing_is_a_map_for_runs_with_time),
          cmocka_unit_test(json_says_the_same), cmocka_unit_test(little_is_enough),
          cmocka_unit_test(cores_are_released_as_told),
          cmocka_unit_test(unknown_keys_are_named_with_the_known_ones),
          cmocka_unit_test(values_have_their_kind), cmocka_unit_test(what_is_needed_is_there),
          cmocka_unit_test(addresses_lie_in_l1), cmocka_unit_test(bad_text_has_a_place),
          cmocka_unit_test(only_text_is_read), cmocka_unit_test(a_case_becomes_an_image))
