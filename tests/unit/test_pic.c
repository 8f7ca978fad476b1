/*
 * test_pic.c - the interrupt controller, at its registers and through cores B and NC.
 *
 * Facts (ISA page PIC): SW_INT[i] at 0x18, HW_INT[i] at 0x98, their handlers at 0xA8 and 0x128;
 * reading a raised software IRQ gives its value and clears it; hardware IRQs are read-only; only B and
 * NC are interrupted, one handler at a time, in turn.
 */
#include "tile_drive.h"

#define SW_INT(i) PIC(0x18 + 4 * (i))
#define HW_INT(i) PIC(0x98 + 4 * (i))
#define SW_PC(i)  PIC(0xA8 + 4 * (i))
#define HW_PC(i)  PIC(0x128 + 4 * (i))

static void software_irqs_are_slots_of_one_word(void **state)
{
    struct tile *tile = *state;
    for (unsigned i = 0; i < 32; i++) {
        unsigned who = i % 6;
        assert_int_equal(load(tile, who, SW_INT(i)), 0);
        store(tile, who, SW_INT(i), 0x100 + i);
        store(tile, (who + 1) % 6, SW_INT(i), 0x200 + i);
        assert_int_equal(load(tile, (who + 2) % 6, SW_INT(i)), 0x200 + i);
        assert_int_equal(load(tile, who, SW_INT(i)), 0);
        store(tile, who, SW_INT(i), 1);
        store(tile, who, SW_INT(i), 0);
        assert_int_equal(load(tile, who, SW_INT(i)), 0);
    }
}

static void hardware_irqs_are_read_only(void **state)
{
    struct tile *tile = *state;
    for (unsigned i = 0; i < 4; i++) {
        store(tile, B, HW_INT(i), 1);
        assert_int_equal(load(tile, B, HW_INT(i)), 0);
        pic_hardware(&tile->pic, i, true);
        assert_int_equal(load(tile, B, HW_INT(i)), 1);
        store(tile, B, HW_INT(i), 0);
        assert_int_equal(load(tile, B, HW_INT(i)), 1);
        pic_hardware(&tile->pic, i, false);
        assert_int_equal(load(tile, B, HW_INT(i)), 0);
    }
}

static void enables_and_handlers_are_storage(void **state)
{
    static const uint16_t plain[] = {0x00, 0x04, 0x0C, 0x10};
    struct tile *tile = *state;
    for (unsigned i = 0; i < 4; i++)
        store(tile, NOC, PIC(plain[i]), 0xABCD0000 + i);
    for (unsigned i = 0; i < 36; i++)
        store(tile, NOC, SW_PC(i), 0x1000 + 4 * i);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(load(tile, T1, PIC(plain[i])), 0xABCD0000 + i);
    for (unsigned i = 0; i < 36; i++)
        assert_int_equal(load(tile, T1, SW_PC(i)), 0x1000 + 4 * i);
    store(tile, NOC, PIC(0x08), 7);
    store(tile, NOC, PIC(0x14), 7);
    assert_int_equal(load(tile, NOC, PIC(0x08)), 0);
    assert_int_equal(load(tile, NOC, PIC(0x14)), 0);
    /* part of a register leaves the rest, and does not clear an IRQ by the way */
    store(tile, NOC, SW_INT(5), 0x11223344);
    assert_int_equal(tile_bus_store(tile, NOC, SW_INT(5) + 1, 1, 0xEE), RV_OK);
    assert_int_equal(load(tile, NOC, SW_INT(5)), 0x1122EE44);
}

static void service_goes_round(void **state)
{
    struct pic p = {.software_enable = {0xffffffff, 0}, .hardware_enable = {0xf, 0}};
    (void)state;
    p.value[3] = p.value[7] = p.value[31] = 1;
    p.hardware = 1 << 2;
    static const unsigned order[] = {3, 7, 31, 34, 3, 7};
    for (unsigned i = 0; i < 6; i++) {
        assert_int_equal(pic_next(&p, PIC_B), order[i]);
        pic_serve(&p, PIC_B, order[i]);
    }
    assert_int_equal(pic_next(&p, PIC_NC), PIC_NONE);
    p.software_enable[PIC_B] = 0;
    assert_int_equal(pic_next(&p, PIC_B), 34);
    p.hardware = 0;
    assert_int_equal(pic_next(&p, PIC_B), PIC_NONE);
}

/* A core that counts in x5 for ever, and a handler that adds INT_NO to a list in L1 and takes the IRQ. */
static void program(struct tile *tile, unsigned core, uint32_t start, uint32_t handler)
{
    uint32_t at = start;
    RV_PUT(tile, &at, ADDI, .rd = 5, .rs1 = 5, .imm = 1);
    RV_PUT(tile, &at, JAL, .rd = 0, .imm = -4);
    at = handler;
    put_li(tile, &at, 10, PIC(0));
    RV_PUT(tile, &at, LW, .rd = 11, .rs1 = 10, .imm = core == B ? 8 : 0x14);
    put_li(tile, &at, 12, core == B ? 0x8000 : 0x9000);
    RV_PUT(tile, &at, LW, .rd = 13, .rs1 = 12, .imm = 0); /* how many so far */
    RV_PUT(tile, &at, ADDI, .rd = 13, .rs1 = 13, .imm = 1);
    RV_PUT(tile, &at, SW, .rs1 = 12, .rs2 = 13, .imm = 0);
    RV_PUT(tile, &at, SLLI, .rd = 14, .rs1 = 13, .imm = 2);
    RV_PUT(tile, &at, ADD, .rd = 14, .rs1 = 14, .rs2 = 12);
    RV_PUT(tile, &at, SW, .rs1 = 14, .rs2 = 11, .imm = 0);
    RV_PUT(tile, &at, SLLI, .rd = 11, .rs1 = 11, .imm = 2);
    RV_PUT(tile, &at, ADD, .rd = 11, .rs1 = 11, .rs2 = 10);
    RV_PUT(tile, &at, LW, .rd = 15, .rs1 = 11, .imm = 0x18); /* takes it */
    RV_PUT(tile, &at, MRET, .rd = 0);
}

static void cores_are_interrupted(void **state)
{
    struct tile *tile = *state;
    store(tile, NOC, CONTROL(0x238), 0x2000);
    store(tile, NOC, CONTROL(0x23C), 1);
    program(tile, B, 0, 0x1000);
    program(tile, NC, 0x2000, 0x3000);
    release(tile, B);
    release(tile, NC);
    for (unsigned i = 0; i < 16; i++)
        store(tile, NOC, SW_PC(i), i < 8 ? 0x1000 : 0x3000);
    store(tile, NOC, PIC(0x00), 0x00ff); /* 0 to 7 for B, 8 to 15 for NC */
    store(tile, NOC, PIC(0x0C), 0xff00);
    tile_run(tile, 2000);
    assert_int_equal(peek(tile, 0x8000), 0);
    assert_int_equal(peek(tile, 0x9000), 0);
    store(tile, NOC, SW_INT(2), 1);
    store(tile, NOC, SW_INT(6), 1);
    store(tile, NOC, SW_INT(9), 1);
    store(tile, NOC, SW_INT(20), 1); /* for nobody */
    tile_run(tile, 4000);
    assert_int_equal(peek(tile, 0x8000), 2);
    assert_int_equal(peek(tile, 0x8004), 2);
    assert_int_equal(peek(tile, 0x8008), 6);
    assert_int_equal(peek(tile, 0x9000), 1);
    assert_int_equal(peek(tile, 0x9004), 9);
    assert_int_equal(load(tile, NOC, SW_INT(20)), 1);
    assert_false(tile->core[B].in_handler);
    assert_true(tile->core[B].pc < 8);
    assert_true(tile->core[B].x[5] > 500);
}

static void handlers_do_not_nest(void **state)
{
    struct tile *tile = *state;
    uint32_t at = 0;
    RV_PUT(tile, &at, JAL, .rd = 0, .imm = 0);
    at = 0x1000; /* a handler that never returns */
    RV_PUT(tile, &at, ADDI, .rd = 6, .rs1 = 6, .imm = 1);
    RV_PUT(tile, &at, JAL, .rd = 0, .imm = 0);
    release(tile, B);
    for (unsigned i = 0; i < 32; i++)
        store(tile, NOC, SW_PC(i), 0x1000);
    store(tile, NOC, PIC(0x00), 0xffffffff);
    store(tile, NOC, SW_INT(4), 1);
    tile_run(tile, 1000);
    assert_int_equal(load(tile, NOC, PIC(0x08)), 4);
    for (unsigned i = 0; i < 32; i++)
        store(tile, NOC, SW_INT(i), 1);
    tile_run(tile, 1000);
    assert_int_equal(load(tile, NOC, PIC(0x08)), 4);
    assert_int_equal(tile->core[B].x[6], 1);
}

static void t_cores_are_not_interrupted(void **state)
{
    struct tile *tile = *state;
    uint32_t at = 0x6000;
    RV_PUT(tile, &at, JAL, .rd = 0, .imm = 0);
    release(tile, T0);
    store(tile, NOC, PIC(0x00), 0xffffffff);
    store(tile, NOC, PIC(0x0C), 0xffffffff);
    store(tile, NOC, SW_INT(0), 1);
    tile_run(tile, 1000);
    assert_int_equal(tile->core[T0].pc, 0x6000);
    assert_int_equal(load(tile, NOC, SW_INT(0)), 1);
}

/* A core that waits at an empty mailbox takes the interrupt and then waits again. */
static void waiting_cores_are_interrupted(void **state)
{
    struct tile *tile = *state;
    uint32_t at = 0;
    put_li(tile, &at, 10, 0xFFEC1000);
    RV_PUT(tile, &at, LW, .rd = 11, .rs1 = 10);
    RV_PUT(tile, &at, JAL, .rd = 0, .imm = 0);
    at = 0x1000;
    put_li(tile, &at, 12, SW_INT(0));
    RV_PUT(tile, &at, LW, .rd = 13, .rs1 = 12);
    RV_PUT(tile, &at, MRET, .rd = 0);
    release(tile, B);
    tile_run(tile, 100);
    assert_int_equal(tile->core[B].state, RV_BLOCKED);
    store(tile, NOC, SW_PC(0), 0x1000);
    store(tile, NOC, PIC(0x00), 1);
    store(tile, NOC, SW_INT(0), 77);
    tile_run(tile, 100);
    assert_int_equal(tile->core[B].x[13], 77);
    assert_int_equal(tile->core[B].state, RV_BLOCKED);
    store(tile, T0, 0xFFEC0000, 99);
    tile_run(tile, 100);
    assert_int_equal(tile->core[B].x[11], 99);
}

TEST_MAIN(TILE_TEST(software_irqs_are_slots_of_one_word), TILE_TEST(hardware_irqs_are_read_only),
          TILE_TEST(enables_and_handlers_are_storage), cmocka_unit_test(service_goes_round),
          TILE_TEST(cores_are_interrupted), TILE_TEST(handlers_do_not_nest),
          TILE_TEST(t_cores_are_not_interrupted), TILE_TEST(waiting_cores_are_interrupted))
