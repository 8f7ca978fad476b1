/*
 * SFPLOADMACRO and two-cycle results, rule by rule: when what is scheduled runs, what it works on, what gets lost, what
 * the check holds and what it misses. test_vector_macro_model.c has the random programs.
 *
 * ISA pages: SFPLOADMACRO, SFPCONFIG, SFPMAD, SFPLUTFP32, SFPSWAP, SFPSHFT2, SFPLOAD (Blackhole).
 */
#include "test.h"
#include "vector_drive.h"

#define ONE         0x3f800000u
#define TWO         0x40000000u
#define THREE       0x40400000u
#define FOUR        0x40800000u
#define SIMPLE      0
#define MAD         8
#define ROUND       16
#define STORE       24
#define DELAY(n)    ((uint32_t)(n) << 3)
#define TEMPLATE(n) (4u + (n))
#define TO_16       0x40u
#define BY_VB       0x80u
#define INT32       4u

static struct vector_drive v;

static struct vector_io io(void)
{
    return vector_io_of(&v.vector, &v.dst, &v.rwc, &v.config, 0, &v.probe);
}

/* One cycle; word 0: nothing comes. Returns the wait that holds the word. */
static unsigned cycle(uint32_t word)
{
    struct entry e = {.word = word, .op = (uint8_t)(word >> 24)};
    struct vector_io its = io();
    uint16_t key = word ? vector_check(&v.vector, &e, v.now) : 0;
    if (word && !key)
        vector_start(&v.vector, &its, &e, v.now);
    if (vector_ticks(&v.vector))
        vector_clock(&v.vector, &its, v.now);
    v.now++;
    return key >> 8;
}

static void cycles(unsigned n)
{
    while (n--)
        cycle(0);
}

static uint32_t lreg(unsigned reg)
{
    return v.vector.lanes.r[reg][9];
}

/* What lane 9 of an SFPLOAD at this address finds: row 1, column 2 of a group of four rows. */
static uint32_t cell(unsigned address)
{
    unsigned at = dst_row32((address & ~3u) + 1, 0);
    return layout_from_dst32(v.dst.d[at][2], v.dst.d[at + DST_LOW][2]);
}

static void fill(unsigned address, uint32_t value)
{
    for (unsigned row = address & ~3u; row < (address & ~3u) + 4; row++)
        for (unsigned i = 0; i < 16; i++) {
            v.dst.d[dst_row32(row, 0)][i] = layout_high_to_dst(value);
            v.dst.d[dst_row32(row, 0) + DST_LOW][i] = (uint16_t)value;
        }
}

static void setup(uint32_t sequence, uint32_t misc)
{
    vu_reset(&v);
    for (unsigned i = 0; i < LANES; i++) {
        v.vector.lanes.macro[i].sequence[0] = sequence;
        v.vector.lanes.macro[i].misc = misc | INT32;
    }
}

static void template_(unsigned n, uint32_t word)
{
    for (unsigned i = 0; i < LANES; i++)
        v.vector.lanes.macro[i].template_[n] = word;
}

static uint32_t macro(unsigned index, unsigned vd, unsigned address)
{
    return 0x93000000 | index << 22 | (vd & 3) << 20 | INT32 << 16 | address | vd >> 2;
}

static uint32_t iadd(unsigned vc, unsigned vd, unsigned imm)
{
    return VU(SFPIADD, .instr_mod1 = 5, .lreg_dest = vd, .lreg_c = vc, .imm12_math = imm);
}

static uint32_t mad_(unsigned a, unsigned b, unsigned c, unsigned d)
{
    return 0x84000000 | a << 16 | b << 12 | c << 8 | d << 4;
}

#define NOP 0x8f000000u

/* ---- time ---- */

static void a_delay_of_n_runs_n_plus_1_cycles_behind_the_load(void **state)
{
    (void)state;
    for (unsigned delay = 0; delay < 8; delay++) {
        setup((DELAY(delay) | TEMPLATE(0)) << SIMPLE, 0);
        template_(0, iadd(0, 0, 5));
        fill(0, 100);
        cycle(macro(0, 0, 0));
        assert_int_equal(lreg(0), 100);
        for (unsigned i = 0; i < delay; i++) {
            cycle(0);
            assert_int_equal(lreg(0), 100);
        }
        cycle(0);
        assert_int_equal(lreg(0), 105);
    }
}

static void one_that_counts_instructions_makes_all_count_them(void **state)
{
    (void)state;
    setup((DELAY(1) | TEMPLATE(0)) << SIMPLE | (DELAY(2) | 3) << STORE, 1u << 11); /* store */
    template_(0, iadd(0, 0, 5));
    fill(0, 100);
    cycle(macro(0, 0, 0));
    cycles(20);
    assert_int_equal(lreg(0), 100);
    cycle(NOP); /* simple is due */
    assert_int_equal(lreg(0), 100);
    cycle(0); /* and runs, whether anything comes or not */
    assert_int_equal(lreg(0), 105);
    cycles(20);
    assert_int_equal(cell(0), 100);
    cycle(NOP);
    cycle(0);
    assert_int_equal(cell(0), 105);
    assert_int_equal(v.vector.macro.n, 0);
}

static void c11_waits_for_cycles_but_not_for_instructions(void **state)
{
    (void)state;
    setup((DELAY(6) | 3) << STORE, 0);
    cycle(macro(0, 0, 0));
    vector_use(&v.vector, 0);
    for (unsigned i = 0; i < 7; i++) {
        assert_true(vector_busy(&v.vector, 0, v.now));
        assert_false(vector_busy(&v.vector, 1, v.now));
        cycle(0);
    }
    cycles(2);
    assert_false(vector_busy(&v.vector, 0, v.now));
    setup((DELAY(6) | 3) << STORE, 1u << 11);
    cycle(macro(0, 0, 0));
    vector_use(&v.vector, 0);
    cycles(2);
    assert_false(vector_busy(&v.vector, 0, v.now));
    assert_int_equal(v.vector.macro.n, 1);
}

static void five_sub_units_work_in_every_cycle(void **state)
{
    (void)state;
    /* load; a := a * a; as BF16; + 1 to LReg 16; store that */
    setup((DELAY(3) | TEMPLATE(0) | TO_16) << SIMPLE | (DELAY(0) | TEMPLATE(1)) << MAD |
              (DELAY(2) | TEMPLATE(2)) << ROUND | (DELAY(4) | 3 | TO_16) << STORE,
          0);
    template_(0, iadd(0, 12, 1));
    template_(1, mad_(9, 9, 0, 13)); /* 0 * 0 + a */
    template_(2, 0x8e000001);
    for (unsigned i = 0; i < 32; i++)
        fill(4 * i, ONE + i * 0x10000 + 77);
    for (unsigned i = 0; i < 32; i++)
        assert_int_equal(cycle(macro(0, i % 4, 4 * i)), 0);
    cycles(5);
    for (unsigned i = 0; i < 32; i++)
        assert_int_equal(cell(4 * i), ONE + i * 0x10000 + 1);
    assert_int_equal(v.probe.n_diags, 0);
}

/* ---- who goes when ---- */

static void a_later_macro_takes_the_time_of_an_earlier_one(void **state)
{
    (void)state;
    for (unsigned other = 0; other < 2; other++) { /* nothing takes nobody's time, an SFPNOP does */
        setup((DELAY(1) | TEMPLATE(0)) << SIMPLE, 0);
        template_(0, iadd(0, 12, 5));
        for (unsigned i = 0; i < LANES; i++)
            v.vector.lanes.macro[i].sequence[1] = (DELAY(0) | (other ? 2u : 0u)) << SIMPLE;
        fill(0, 100);
        cycle(macro(0, 0, 0));
        cycle(macro(1, 1, 0));
        cycles(5);
        assert_int_equal(lreg(0), other ? 100 : 105);
    }
}

static void a_delay_of_7_takes_nobodys_time(void **state)
{
    (void)state;
    setup((DELAY(7) | TEMPLATE(0)) << SIMPLE, 0);
    template_(0, iadd(0, 12, 5));
    fill(0, 100);
    cycle(macro(0, 0, 0));
    cycle(macro(0, 1, 0));
    cycles(9);
    assert_int_equal(lreg(0), 105);
    assert_int_equal(lreg(1), 105);
}

static void an_instruction_gives_way_in_its_own_sub_unit_only(void **state)
{
    (void)state;
    setup((DELAY(0) | TEMPLATE(0)) << SIMPLE, 0);
    template_(0, iadd(0, 12, 5));
    fill(0, 100);
    vu_fill(&v, 3, 7);
    cycle(macro(0, 0, 0));
    cycle(iadd(3, 3, 1)); /* simple: lost */
    assert_int_equal(lreg(3), 7);
    assert_int_equal(lreg(0), 105);
    assert_int_equal(v.probe.count[DIAG_SFP_LOST], 1);
    cycle(macro(0, 0, 0));
    cycle(VU(SFPLOADI, .instr_mod0 = 2, .lreg_ind = 3, .imm16 = 9)); /* load: not */
    assert_int_equal(lreg(3), 9);
    assert_int_equal(lreg(0), 105);
    /* an SFPNOP that is scheduled is an instruction, too */
    setup((DELAY(0) | 2) << SIMPLE, 0);
    vu_fill(&v, 3, 7);
    cycle(macro(0, 0, 0));
    cycle(iadd(3, 3, 1));
    assert_int_equal(lreg(3), 7);
    /* and the counters of a lost SFPSTORE stay */
    setup((DELAY(0) | 3) << STORE, 0);
    v.config.thread[0][28 + 1] = 4;
    cycle(macro(0, 0, 0));
    cycle(VU(SFPSTORE, .sfpu_addr_mode = 1, .instr_mod0 = INT32));
    assert_int_equal(v.rwc.t[0].dst, 0);
}

/* ---- what it works on ---- */

static void a_store_goes_where_the_load_came_from(void **state)
{
    (void)state;
    setup((DELAY(3) | 3 | TO_16) << STORE | (DELAY(0) | TEMPLATE(0) | TO_16) << SIMPLE, 0);
    template_(0, iadd(0, 12, 5));
    v.config.thread[0][28 + 1] = 4; /* address modifier 1: four rows on */
    fill(8, 100);
    fill(12, 200);
    cycle(macro(0, 0, 8) | 1u << 13);
    assert_int_equal(v.rwc.t[0].dst, 4);
    cycles(4);
    assert_int_equal(cell(8), 105);
    assert_int_equal(cell(12), 200);
    assert_int_equal(v.rwc.t[0].dst, 4);
}

static void the_stores_mode_is_the_loads_or_the_one_of_misc(void **state)
{
    (void)state;
    for (unsigned own = 0; own < 2; own++) {
        setup((DELAY(0) | 3) << STORE, own << 4);
        for (unsigned i = 0; i < LANES; i++)
            v.vector.lanes.macro[i].misc = own << 4 | 3; /* FP32: denormals are zeros */
        fill(0, 5);
        cycle(macro(0, 0, 0)); /* INT32: they are numbers */
        cycle(0);
        assert_int_equal(cell(0), own ? 5 : 0);
    }
}

static void registers_come_from_the_load_or_the_template(void **state)
{
    (void)state;
    uint32_t subtract = VU(SFPIADD, .instr_mod1 = 6, .lreg_dest = 3, .lreg_c = 2);
    /* VC is the load's, VB the template's VD: loaded - LReg 3 */
    setup((DELAY(0) | TEMPLATE(0)) << SIMPLE, 0);
    template_(0, subtract);
    fill(0, 100);
    vu_fill(&v, 2, 1000);
    vu_fill(&v, 3, 30);
    cycle(macro(0, 5, 0));
    cycle(0);
    assert_int_equal(lreg(5), 70);
    /* VB is the load's, VC the template's: LReg 2 - loaded */
    setup((DELAY(0) | TEMPLATE(0) | BY_VB) << SIMPLE, 0);
    template_(0, subtract);
    fill(0, 100);
    vu_fill(&v, 2, 1000);
    cycle(macro(0, 5, 0));
    cycle(0);
    assert_int_equal(lreg(5), 900);
    /* SFPADDI: what it adds to is VC */
    setup((DELAY(0) | TEMPLATE(0) | BY_VB) << MAD, 0);
    template_(0, VU(SFPADDI, .lreg_dest = 3, .imm16_math = 0x3f80));
    vu_fill(&v, 3, TWO);
    cycle(macro(0, 5, 0));
    cycles(2);
    assert_int_equal(lreg(5), THREE);
}

/* tt-llk clamps like this: the loaded number against a constant in the template's VD. */
static void swap_compares_the_loaded_number_with_the_templates_vd(void **state)
{
    (void)state;
    setup((DELAY(0) | TEMPLATE(0)) << SIMPLE | (DELAY(2) | 3) << STORE, 0);
    template_(0, VU(SFPSWAP, .instr_mod1 = 1, .lreg_dest = 14));
    vu_fill(&v, 14, TWO);
    fill(0, ONE);
    fill(4, THREE);
    cycle(macro(0, 0, 0));
    cycle(NOP);
    cycle(macro(0, 1, 4));
    cycles(4);
    assert_int_equal(cell(0), TWO);
    assert_int_equal(cell(4), THREE);
    assert_int_equal(v.probe.n_diags, 0);
}

/* ---- configuration ---- */

static void templates_enter_by_vd_12_to_15_and_by_sfpconfig(void **state)
{
    (void)state;
    vu_reset(&v);
    for (unsigned i = 0; i < 4; i++) {
        cycle(iadd(1, 12 + i, i));
        assert_int_equal(v.vector.lanes.macro[31].template_[i], iadd(1, 12 + i, i));
        vu_fill(&v, 0, 0x1234 + i);
        cycle(VU(SFPCONFIG, .config_dest = i));
        assert_int_equal(v.vector.lanes.macro[31].template_[i], 0x1234 + i);
    }
    cycle(VU(SFPCONFIG, .config_dest = 5, .imm16_math = 0xabcd, .instr_mod1 = 1));
    assert_int_equal(v.vector.lanes.macro[7].sequence[1], 0xabcd);
}

static void configuration_settles_in_two_cycles(void **state)
{
    (void)state;
    for (unsigned nops = 0; nops < 4; nops++) {
        setup(0, 0);
        template_(0, iadd(0, 12, 5));
        fill(0, 100);
        cycle(VU(SFPCONFIG, .config_dest = 4, .imm16_math = TEMPLATE(0), .instr_mod1 = 1));
        for (unsigned i = 0; i < nops; i++)
            cycle(NOP);
        cycle(macro(0, 0, 0));
        cycles(3);
        assert_int_equal(lreg(0), nops < T_SFPCONFIG_SETTLE ? 100 : 105);
        assert_int_equal(v.probe.count[DIAG_MACRO_EARLY], nops < T_SFPCONFIG_SETTLE);
    }
}

static void what_a_sub_unit_cannot_do_is_an_sfpnop(void **state)
{
    (void)state;
    setup((DELAY(0) | TEMPLATE(0)) << MAD, 0);
    template_(0, iadd(0, 12, 5)); /* simple */
    fill(0, 100);
    cycle(macro(0, 0, 0));
    cycles(3);
    assert_int_equal(lreg(0), 100);
    assert_int_equal(v.probe.n_diags, 0);
    setup((DELAY(0) | TEMPLATE(0)) << STORE, 0); /* undefined: nothing */
    template_(0, iadd(0, 12, 5));
    cycle(macro(0, 0, 0));
    assert_int_equal(v.vector.macro.n, 0);
    assert_int_equal(v.probe.count[DIAG_MACRO_SEQUENCE], 1);
    setup((DELAY(0) | 1) << SIMPLE, 0); /* undefined as well */
    cycle(macro(0, 0, 0));
    assert_int_equal(v.vector.macro.n, 0);
    assert_int_equal(v.probe.count[DIAG_MACRO_SEQUENCE], 1);
}

/* The sub-unit that carries an opcode out when it is scheduled, as the page VectorUnit has it; N_SUBS: none. */
static unsigned sub_unit(unsigned op)
{
    switch (op) {
    case TENSIX_OP_SFPLOAD:
    case TENSIX_OP_SFPLOADI:
    case TENSIX_OP_SFPLOADMACRO:
    case TENSIX_OP_SFPNOP: return N_SUBS;
    case TENSIX_OP_SFPMAD:
    case TENSIX_OP_SFPADD:
    case TENSIX_OP_SFPMUL:
    case TENSIX_OP_SFPADDI:
    case TENSIX_OP_SFPMULI:
    case TENSIX_OP_SFPLUT:
    case TENSIX_OP_SFPLUTFP32:
    case TENSIX_OP_SFPMUL24: return SUB_MAD;
    case TENSIX_OP_SFPSHFT2:
    case TENSIX_OP_SFPSTOCHRND: return SUB_ROUND;
    case TENSIX_OP_SFPSTORE: return SUB_STORE;
    default: return SUB_SIMPLE;
    }
}

static void each_opcode_is_scheduled_for_its_sub_unit_only(void **state)
{
    (void)state;
    for (uint32_t op = 0; op < 256; op++)
        for (unsigned sub = 0; op_table[op].unit == TENSIX_UNIT_VECTOR && sub < N_SUBS; sub++) {
            setup((DELAY(3) | TEMPLATE(0)) << 8 * sub, 0);
            template_(0, op << 24);
            cycle(macro(0, 0, 0));
            const struct macro_place *p = vector_macro_at(&v.vector.macro, sub, 3);
            uint32_t went = sub == sub_unit(op) ? op << 24 : sub == SUB_STORE ? 0 : NOP;
            assert_int_equal(p->n ? p->op[0].word : 0, went);
        }
}

static void what_excludes_each_other_is_reported(void **state)
{
    (void)state;
    setup((DELAY(0) | TEMPLATE(0)) << SIMPLE | (DELAY(0) | TEMPLATE(1)) << ROUND, 0);
    template_(0, iadd(0, 12, 5));
    template_(1, 0x8e000001);
    cycle(macro(0, 0, 0));
    cycle(0);
    assert_int_equal(v.probe.count[DIAG_MACRO_CLASH], 1);
    setup((DELAY(0) | TEMPLATE(0)) << SIMPLE | (DELAY(1) | TEMPLATE(1)) << ROUND, 0);
    template_(0, VU(SFPSWAP, .instr_mod1 = 1, .lreg_dest = 14));
    template_(1, 0x8e000001);
    cycle(macro(0, 0, 0));
    cycles(2);
    assert_int_equal(v.probe.count[DIAG_MACRO_CLASH], 1);
}

/* ---- two-cycle results ---- */

/* LReg 1 := 1 + 2 = 3 while it is still 4; then the instruction. Returns the wait, 0 if none. */
static unsigned behind_mad(uint32_t word)
{
    vu_reset(&v);
    for (unsigned i = 0; i < 8; i++)
        vu_fill(&v, i, 0);
    vu_fill(&v, 1, FOUR);
    vu_fill(&v, 2, TWO);
    assert_int_equal(cycle(mad_(10, 10, 2, 1)), 0); /* 1 * 1 + 2 */
    unsigned wait = cycle(word);
    if (wait)
        assert_int_equal(cycle(word), 0);
    cycles(2);
    return wait;
}

static void a_reader_of_a_two_cycle_result_is_held_for_one_cycle(void **state)
{
    (void)state;
    assert_int_equal(behind_mad(mad_(10, 1, 9, 4)), WAIT_LREG);
    assert_int_equal(lreg(4), THREE);
    assert_int_equal(behind_mad(VU(SFPMOV, .lreg_dest = 4, .lreg_c = 1)), WAIT_LREG);
    assert_int_equal(lreg(4), THREE);
    assert_int_equal(behind_mad(VU(SFPSTORE, .lreg_ind = 1, .instr_mod0 = INT32)), WAIT_LREG);
    assert_int_equal(cell(0), THREE);
    /* whoever does not read it goes; indirect operands may be any register, LUTs are taken to read all but 7 */
    assert_int_equal(behind_mad(mad_(10, 2, 9, 4)), 0);
    assert_int_equal(behind_mad(mad_(10, 2, 9, 4) | 4), WAIT_LREG);
    assert_int_equal(behind_mad(VU(SFPLUTFP32, .instr_mod1 = 10, .lreg_dest = 4)), WAIT_LREG);
    assert_int_equal(behind_mad(NOP), 0);
    assert_int_equal(v.probe.n_diags, 0);
}

static void the_check_can_be_switched_off(void **state)
{
    (void)state;
    vu_reset(&v);
    vu_set(&v, CFG_SFPU_SCOREBOARD_DISABLE, 1);
    vu_fill(&v, 1, FOUR);
    cycle(mad_(10, 10, 9, 1));
    assert_int_equal(cycle(VU(SFPMOV, .lreg_dest = 4, .lreg_c = 1)), 0);
    assert_int_equal(lreg(4), FOUR);
    assert_int_equal(lreg(1), ONE);
    assert_int_equal(v.probe.count[DIAG_STALE_LREG], 1);
}

/* Every row of the page's list: goes at once, and works on the old value. */
static void what_the_check_misses_reads_the_old_value(void **state)
{
    (void)state;
    assert_int_equal(behind_mad(0x7e000000 | 1 << 12 | 1 << 8 | 4 << 4 | 1),
                     WAIT_LREG); /* VC is seen */
    static const struct {
        uint32_t word, result;
        unsigned reg;
    } missed[] = {
        {0x7e000001 | 1 << 12 | 8 << 8 | 4 << 4, FOUR & 0x3f56594b, 4}, /* SFPAND of VB */
        {0x7f000001 | 1 << 12 | 9 << 8 | 4 << 4, FOUR, 4},              /* SFPOR of VB */
        {0x79000004 | 9 << 8 | 1 << 4, FOUR, 1},                        /* SFPIADD: VD */
        {0x7a000001 | 1 << 4, FOUR, 1},                                 /* SFPSHFT by 0: VD */
        {0x94000003 | 1 << 8 | 4 << 4, FOUR, 4},                        /* SFPSHFT2 rotation: VC */
        {0x94000004 | 1 << 8 | 4 << 4, FOUR, 4},                        /* SFPSHFT2 shift: VC */
        {0x94000005 | 1 << 12 | 9 << 8 | 4 << 4, FOUR, 4},              /* SFPSHFT2 of VB by VC */
        {0x94000006 | 1 << 12 | 4 << 4, FOUR << 1, 4}, /* SFPSHFT2 by 1 of LReg 1 */
    };
    for (unsigned i = 0; i < sizeof missed / sizeof *missed; i++) {
        assert_int_equal(behind_mad(missed[i].word), 0);
        assert_int_equal(lreg(missed[i].reg), missed[i].result);
        assert_int_equal(v.probe.count[DIAG_STALE_LREG], 1);
        assert_int_equal(v.probe.diag[0].arg, 1); /* LReg 1 */
    }
}

static void sfpconfig_misses_lreg_0(void **state)
{
    (void)state;
    vu_reset(&v);
    vu_fill(&v, 0, FOUR);
    cycle(mad_(10, 10, 9, 0));
    assert_int_equal(cycle(VU(SFPCONFIG, .config_dest = 12)), 0);
    assert_int_equal(lreg(12), FOUR);
    assert_int_equal(v.probe.count[DIAG_STALE_LREG], 1);
}

/* SFPSWAP compares the old value and exchanges the new one. */
static void swap_reads_twice(void **state)
{
    (void)state;
    vu_reset(&v);
    vu_fill(&v, 1, FOUR);
    vu_fill(&v, 2, TWO);
    cycle(mad_(10, 10, 9, 1)); /* LReg 1 := 1 */
    /* VD gets the smaller one: 2 < 4, so they are exchanged, though 1 is smaller by then */
    assert_int_equal(cycle(0x92000001 | 2 << 8 | 1 << 4), 0);
    cycles(2);
    assert_int_equal(lreg(1), TWO);
    assert_int_equal(lreg(2), ONE);
    assert_int_equal(v.probe.count[DIAG_STALE_LREG], 1);
    /* an unconditional one does not compare */
    vu_reset(&v);
    vu_fill(&v, 2, TWO);
    cycle(mad_(10, 10, 9, 1));
    cycle(0x92000000 | 2 << 8 | 1 << 4);
    assert_int_equal(lreg(2), ONE);
    assert_int_equal(v.probe.n_diags, 0);
}

static void scheduled_ones_are_not_held(void **state)
{
    (void)state;
    setup((DELAY(0) | TEMPLATE(0)) << MAD | (DELAY(1) | 3) << STORE, 0);
    template_(0, mad_(10, 10, 0, 12)); /* 1 + loaded */
    fill(0, ONE);
    cycle(macro(0, 0, 0));
    cycles(3);
    assert_int_equal(lreg(0), TWO);
    assert_int_equal(cell(0), ONE); /* one cycle too early */
    assert_int_equal(v.probe.count[DIAG_STALE_LREG], 1);
}

static void a_load_right_behind_the_matrix_unit_is_reported(void **state)
{
    (void)state;
    for (unsigned between = 0; between < 5; between++) {
        vu_reset(&v);
        dst_write(&v.dst, dst_row32(8, 0), v.now++);
        cycles(between);
        cycle(VU(SFPLOAD, .instr_mod0 = INT32, .dest_reg_addr = 8));
        assert_int_equal(v.probe.count[DIAG_DST_EARLY], between < T_SFPLOAD_DISTANCE);
    }
    vu_reset(&v);
    dst_write(&v.dst, dst_row32(8, 0), v.now++);
    cycle(VU(SFPLOAD, .instr_mod0 = INT32, .dest_reg_addr = 16)); /* another block */
    assert_int_equal(v.probe.n_diags, 0);
}

static void a_change_of_the_backdoor_needs_a_cycle(void **state)
{
    (void)state;
    vu_reset(&v);
    cycle(VU(SFPCONFIG, .config_dest = 15, .imm16_math = LANE_NO_BACKDOOR, .instr_mod1 = 1));
    cycle(VU(SFPMOV, .lreg_dest = 12));
    assert_int_equal(v.probe.count[DIAG_BACKDOOR_EARLY], 1);
    cycle(VU(SFPCONFIG, .config_dest = 15, .imm16_math = LANE_NO_BACKDOOR, .instr_mod1 = 1));
    cycle(VU(SFPMOV, .lreg_dest = 12)); /* nothing has changed */
    cycle(VU(SFPCONFIG, .config_dest = 15, .instr_mod1 = 1));
    cycle(NOP);
    cycle(VU(SFPMOV, .lreg_dest = 12));
    assert_int_equal(v.probe.count[DIAG_BACKDOOR_EARLY], 1);
}

TEST_MAIN(cmocka_unit_test(a_delay_of_n_runs_n_plus_1_cycles_behind_the_load),
          cmocka_unit_test(one_that_counts_instructions_makes_all_count_them),
          cmocka_unit_test(c11_waits_for_cycles_but_not_for_instructions),
          cmocka_unit_test(five_sub_units_work_in_every_cycle),
          cmocka_unit_test(a_later_macro_takes_the_time_of_an_earlier_one),
          cmocka_unit_test(a_delay_of_7_takes_nobodys_time),
          cmocka_unit_test(an_instruction_gives_way_in_its_own_sub_unit_only),
          cmocka_unit_test(a_store_goes_where_the_load_came_from),
          cmocka_unit_test(the_stores_mode_is_the_loads_or_the_one_of_misc),
          cmocka_unit_test(registers_come_from_the_load_or_the_template),
          cmocka_unit_test(swap_compares_the_loaded_number_with_the_templates_vd),
          cmocka_unit_test(templates_enter_by_vd_12_to_15_and_by_sfpconfig),
          cmocka_unit_test(configuration_settles_in_two_cycles),
          cmocka_unit_test(what_a_sub_unit_cannot_do_is_an_sfpnop),
          cmocka_unit_test(each_opcode_is_scheduled_for_its_sub_unit_only),
          cmocka_unit_test(what_excludes_each_other_is_reported),
          cmocka_unit_test(a_reader_of_a_two_cycle_result_is_held_for_one_cycle),
          cmocka_unit_test(the_check_can_be_switched_off),
          cmocka_unit_test(what_the_check_misses_reads_the_old_value),
          cmocka_unit_test(sfpconfig_misses_lreg_0), cmocka_unit_test(swap_reads_twice),
          cmocka_unit_test(scheduled_ones_are_not_held),
          cmocka_unit_test(a_load_right_behind_the_matrix_unit_is_reported),
          cmocka_unit_test(a_change_of_the_backdoor_needs_a_cycle))
