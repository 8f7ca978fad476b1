/* The instruction table: complete, consistent, and the same for typed and generic decoding. */
#include "test.h"

#include <string.h>

#include "isa/tensix.h"
#include "isa/timing.h"

/* Call body for each instruction. */
#define EACH_INSN(insn)                                                                            \
    for (const struct tensix_insn *insn = tensix_table; insn < tensix_table + 256; insn++)         \
        if (insn->name)

static uint32_t next_random(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

static void there_are_137_instructions(void **state)
{
    unsigned n = 0;
    (void)state;
    EACH_INSN(insn)
    {
        n++;
        assert_int_equal(insn->opcode, insn - tensix_table);
        assert_ptr_equal(tensix_lookup((uint32_t)insn->opcode << 24), insn);
    }
    assert_int_equal(n, 137);
    assert_null(tensix_lookup(0));
    assert_null(tensix_lookup(0xffffffff));
    assert_int_equal(TENSIX_OP_MOP, 0x01);
    assert_int_equal(TENSIX_OP_CFGSHIFTMASK, 0xb8);
}

static void fields_ascend_and_make_up_the_mask(void **state)
{
    (void)state;
    EACH_INSN(insn)
    {
        unsigned above = 0;
        uint32_t mask = 0;
        for (unsigned i = 0; i < insn->n_fields; i++) {
            const struct tensix_field *f = &insn->fields[i];
            if (f->lo < above || f->lo + f->width > 24)
                fail_msg("%s.%s at %u+%u", insn->name, f->name, f->lo, f->width);
            above = f->lo + (unsigned)f->width;
            mask |= bits_mask(f->width) << f->lo;
            for (unsigned j = 0; j < i; j++)
                assert_string_not_equal(f->name, insn->fields[j].name);
        }
        assert_int_equal(mask, insn->field_mask);
        assert_null(insn->fields[insn->n_fields].name);
    }
}

static void costs_are_ordered_and_have_a_source(void **state)
{
    (void)state;
    EACH_INSN(insn)
    {
        const struct cost *costs[] = {&insn->issue, &insn->latency};
        for (unsigned i = 0; i < 2; i++) {
            const struct cost *c = costs[i];
            if (c->min > c->typ || c->typ > c->max || !c->source || !*c->source)
                fail_msg("%s: cost %u", insn->name, i);
        }
        if (!insn->issue.min)
            fail_msg("%s: issue of no cycles", insn->name);
        if ((insn->latency.typ == 0) != (insn->unit == TENSIX_UNIT_NONE))
            fail_msg("%s: only what ends before the gate has no latency", insn->name);
    }
    for (unsigned i = 0; i < TIMING_N; i++)
        assert_true(timing_table[i].cost.min <= timing_table[i].cost.typ &&
                    timing_table[i].cost.typ <= timing_table[i].cost.max);
}

/* The block bits that go with a unit; Sync has two groups. */
static void block_bits_fit_the_unit(void **state)
{
    static const uint16_t of_unit[TENSIX_N_UNITS] = {
        [TENSIX_UNIT_UNPACK] = TENSIX_B0 | TENSIX_B3,
        [TENSIX_UNIT_MATRIX] = TENSIX_B6,
        [TENSIX_UNIT_PACK] = TENSIX_B0 | TENSIX_B2,
        [TENSIX_UNIT_VECTOR] = TENSIX_B8,
        [TENSIX_UNIT_SCALAR] = TENSIX_B0 | TENSIX_B5,
        [TENSIX_UNIT_CONFIG] = TENSIX_B7,
        [TENSIX_UNIT_MOVER] = TENSIX_B0 | TENSIX_B4,
        [TENSIX_UNIT_MISC] = TENSIX_B0,
    };
    (void)state;
    EACH_INSN(insn)
    {
        if (insn->opcode == TENSIX_OP_NOP)
            assert_int_equal(insn->block, 0);
        else if (insn->unit == TENSIX_UNIT_SYNC)
            assert_true(insn->block == TENSIX_B1 || insn->block == TENSIX_BLOCK_ALL);
        else
            assert_int_equal(insn->block, of_unit[insn->unit]);
    }
}

static void resource_classes_follow_the_document(void **state)
{
    static const struct {
        uint8_t op, class;
    } some[] = {
        {TENSIX_OP_SETDMAREG, 0},    {TENSIX_OP_CMPDMAREG, 0},  {TENSIX_OP_ATCAS, 1},
        {TENSIX_OP_REG2FLOP, 2},     {TENSIX_OP_LOADIND, 3},    {TENSIX_OP_STOREIND, 3},
        {TENSIX_OP_STREAMWRCFG, 4},  {TENSIX_OP_STOREREG, 5},   {TENSIX_OP_LOADREG, 6},
        {TENSIX_OP_FLUSHDMA, 7},     {TENSIX_OP_WRCFG, 8},      {TENSIX_OP_RDCFG, 9},
        {TENSIX_OP_XMOV, 10},        {TENSIX_OP_UNPACR, 11},    {TENSIX_OP_UNPACR_NOP, 11},
        {TENSIX_OP_PACR, 12},        {TENSIX_OP_MOP, 13},       {TENSIX_OP_REPLAY, 14},
        {TENSIX_OP_CFGSHIFTMASK, 4}, {TENSIX_OP_SETC16, 15},    {TENSIX_OP_ATGETM, 15},
        {TENSIX_OP_NOP, 0xff},       {TENSIX_OP_MOP_CFG, 0xff}, {TENSIX_OP_RESOURCEDECL, 0xff},
        {TENSIX_OP_PACR_SETREG, 15},
    };
    (void)state;
    for (size_t i = 0; i < sizeof some / sizeof some[0]; i++)
        assert_int_equal(tensix_table[some[i].op].resource_class, some[i].class);
    EACH_INSN(insn) assert_true(insn->resource_class <= 15 || insn->resource_class == 0xff);
}

static void legal_means_known_and_no_stray_bits(void **state)
{
    (void)state;
    assert_true(tensix_legal(0x02000000));
    assert_false(tensix_legal(0x02000001));
    assert_false(tensix_legal(0x06000000));
    assert_true(tensix_legal(0xa2ff9fff));
    assert_false(tensix_legal(0xa2002000));
}

/* Typed decode then encode keeps exactly the field bits, for random words of every opcode. */
static void typed_round_trip(void **state)
{
    uint32_t seed = 0x1badcafe;
    (void)state;
    for (unsigned round = 0; round < 500; round++) {
        uint32_t word = next_random(&seed), back;
/* clang-format off */
#define INSN(name, opcode, unit, block, class, text)                                               \
    word = (word & 0x00ffffffu) | (uint32_t)(opcode) << 24;                                        \
    back = tensix_##name##_encode(tensix_##name##_decode(word));                                   \
    if (back != (word & (0xff000000u | tensix_table[opcode].field_mask)))                          \
        fail_msg(#name ": 0x%08x became 0x%08x", (unsigned)word, (unsigned)back);
#include "isa/tensix.def"
        /* clang-format on */
    }
}

static void typed_decode_reads_named_fields(void **state)
{
    struct tensix_SEMWAIT wait = tensix_SEMWAIT_decode(0xa6a1000a);
    struct tensix_REPLAY replay = tensix_REPLAY_decode(0x04040101);
    (void)state;
    assert_int_equal(wait.stall_res, 322);
    assert_int_equal(wait.sem_sel, 2);
    assert_int_equal(wait.wait_sem_cond, 2);
    assert_int_equal(replay.start_idx, 16);
    assert_int_equal(replay.len, 16);
    assert_int_equal(replay.execute_while_loading, 0);
    assert_int_equal(replay.load_mode, 1);
}

TEST_MAIN(cmocka_unit_test(there_are_137_instructions),
          cmocka_unit_test(fields_ascend_and_make_up_the_mask),
          cmocka_unit_test(costs_are_ordered_and_have_a_source),
          cmocka_unit_test(block_bits_fit_the_unit),
          cmocka_unit_test(resource_classes_follow_the_document),
          cmocka_unit_test(legal_means_known_and_no_stray_bits), cmocka_unit_test(typed_round_trip),
          cmocka_unit_test(typed_decode_reads_named_fields))
