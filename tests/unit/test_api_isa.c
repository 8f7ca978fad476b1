/* waitgate.h, the part about instructions and tables: bad arguments, ends, older callers. */
#include "test.h"

#include <string.h>

#include "waitgate.h"

static void text_functions_mind_their_arguments(void **state)
{
    struct waitgate_text_error error = {0};
    uint32_t word = 7;
    char text[8];
    (void)state;
    assert_int_equal(waitgate_assemble(NULL, 0, &word, &error), WAITGATE_ERROR_ARGUMENT);
    assert_int_equal(waitgate_assemble("ttnop", 5, NULL, &error), WAITGATE_ERROR_ARGUMENT);
    assert_int_equal(waitgate_assemble("ttnope", 6, &word, NULL), WAITGATE_ERROR_SYNTAX);
    assert_int_equal(waitgate_assemble("  # only this", 13, &word, &error), WAITGATE_EMPTY);
    assert_int_equal(word, 7);
    assert_int_equal(waitgate_assemble("ttnop and more", 5, &word, &error), WAITGATE_OK);
    assert_int_equal(word, 0x02000000);
    assert_int_equal(waitgate_assemble(" ttnop 1", 8, &word, &error), WAITGATE_ERROR_SYNTAX);
    assert_int_equal(error.column, 8);
    assert_non_null(strstr(error.message, "takes 0 operands"));
    assert_int_equal(waitgate_disassemble(0x04040101, 0, NULL, 100), 21);
    assert_int_equal(waitgate_disassemble(0x04040101, 0, text, sizeof text), 21);
    assert_string_equal(text, "ttrepla");
}

static void ttinsn_and_back(void **state)
{
    uint32_t word;
    (void)state;
    assert_int_equal(waitgate_ttinsn_encode(0x04040101, &word), WAITGATE_OK);
    assert_int_equal(word, 0x10100404);
    assert_int_equal(waitgate_ttinsn_decode(0x10100404, &word), WAITGATE_OK);
    assert_int_equal(word, 0x04040101);
    assert_int_equal(waitgate_ttinsn_encode(0xbfffffff, &word), WAITGATE_OK);
    assert_int_equal(waitgate_ttinsn_encode(0xc0000000, &word), WAITGATE_ERROR_RANGE);
    assert_int_equal(waitgate_ttinsn_decode(0x3, &word), WAITGATE_ERROR_RANGE);
    assert_int_equal(waitgate_ttinsn_encode(0, NULL), WAITGATE_ERROR_ARGUMENT);
    assert_int_equal(waitgate_ttinsn_decode(0, NULL), WAITGATE_ERROR_ARGUMENT);
}

static void tables_end(void **state)
{
    struct waitgate_insn insn;
    struct waitgate_field field;
    struct waitgate_timing timing;
    unsigned n = 0, last = 0;
    (void)state;
    for (; waitgate_insn_get(n, &insn, sizeof insn) == WAITGATE_OK; n++) {
        unsigned fields = 0;
        assert_true(insn.opcode > last);
        last = insn.opcode;
        while (waitgate_insn_field(insn.opcode, fields, &field, sizeof field) == WAITGATE_OK)
            fields++;
        assert_int_equal(fields, insn.n_fields);
    }
    assert_int_equal(n, 137);
    assert_int_equal(waitgate_insn_get(UINT32_MAX, &insn, sizeof insn), WAITGATE_ERROR_RANGE);
    assert_int_equal(waitgate_insn_field(0, 0, &field, sizeof field), WAITGATE_ERROR_RANGE);
    assert_int_equal(waitgate_insn_field(256, 0, &field, sizeof field), WAITGATE_ERROR_RANGE);
    assert_int_equal(waitgate_insn_get(0, NULL, sizeof insn), WAITGATE_ERROR_ARGUMENT);
    for (n = 0; waitgate_timing_get(n, &timing, sizeof timing) == WAITGATE_OK; n++)
        assert_true(timing.name && timing.text && timing.cost.source);
    assert_true(n > 0);
}

/* A caller built against a shorter structure gets that much and no byte more. */
static void an_older_caller_gets_less(void **state)
{
    struct waitgate_insn insn;
    (void)state;
    memset(&insn, 0x5a, sizeof insn);
    assert_int_equal(waitgate_insn_get(0, &insn, offsetof(struct waitgate_insn, text)),
                     WAITGATE_OK);
    assert_string_equal(insn.name, "MOP");
    assert_memory_equal(&insn.opcode, "\x5a\x5a\x5a\x5a", 4);
}

static void everything_has_words(void **state)
{
    (void)state;
    for (int i = 0; i < 5; i++)
        assert_string_not_equal(waitgate_status_text((enum waitgate_status)i), "unknown status");
    for (int i = 0; i < 4; i++)
        assert_string_not_equal(waitgate_evidence_text((enum waitgate_evidence)i), "unknown");
    assert_string_equal(waitgate_version(), WAITGATE_VERSION);
}

TEST_MAIN(cmocka_unit_test(text_functions_mind_their_arguments), cmocka_unit_test(ttinsn_and_back),
          cmocka_unit_test(tables_end), cmocka_unit_test(an_older_caller_gets_less),
          cmocka_unit_test(everything_has_words))
