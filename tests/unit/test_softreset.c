/*
 * test_softreset.c - soft reset of cores and units through SOFT_RESET_0, and what goes with it.
 *
 * Facts (ISA page SoftReset): bits 11 B, 12 to 14 T0 to T2, 18 NC; start at 0, 0x6000, 0xA000, 0xE000, 0x12000
 * or where the overrides say; entering drops pushed words up to the MOP expander and the mails written by the
 * core; leaving clears the PC buffer, registers and, unless DISABLE_RESET says otherwise, the data RAM.
 */
#include "tile_drive.h"

#define PUSH UINT32_C(0xFFE40000)
#define NOP  ((uint32_t)TENSIX_OP_NOP << 24)

static const uint32_t reset_bit[] = {
    [T0] = 1u << 12, [T1] = 1u << 13, [T2] = 1u << 14, [B] = 1u << 11, [NC] = 1u << 18};
static const uint32_t fixed[] = {
    [T0] = 0x6000, [T1] = 0xA000, [T2] = 0xE000, [B] = 0, [NC] = 0x12000};

static void soft_reset(struct tile *tile, uint32_t value)
{
    store(tile, NOC, CONTROL(0x1B0), value);
    assert_int_equal(load(tile, B, CONTROL(0x1B0)), value);
}

static void cores_start_held(void **state)
{
    struct tile *tile = *state;
    assert_int_equal(load(tile, NOC, CONTROL(0x1B0)), 0x47800);
    assert_int_equal(tile_run(tile, 100), 0);
    for (unsigned core = T0; core <= NC; core++) {
        uint32_t at = fixed[core];
        RV_PUT(tile, &at, ADDI, .rd = 3, .rs1 = 3, .imm = 1);
        RV_PUT(tile, &at, JAL, .rd = 0, .imm = 0);
        soft_reset(tile, 0x47800 & ~reset_bit[core]);
        for (unsigned other = T0; other <= NC; other++)
            assert_int_equal(tile->core[other].state, other == core ? RV_RUNNING : RV_HELD);
        assert_int_equal(tile->core[core].pc, fixed[core]);
        tile_run(tile, 50);
        assert_int_equal(tile->core[core].x[3], 1);
        soft_reset(tile, 0x47800);
        assert_int_equal(tile_run(tile, 100), 0);
    }
}

static void start_can_be_moved(void **state)
{
    struct tile *tile = *state;
    for (unsigned i = 0; i < 3; i++)
        store(tile, NOC, CONTROL(0x228 + 4 * i), 0x20000 + 0x100 * i);
    store(tile, NOC, CONTROL(0x238), 0x20300);
    for (unsigned bits = 0; bits < 16; bits++) {
        store(tile, NOC, CONTROL(0x234), bits & 7);
        store(tile, NOC, CONTROL(0x23C), bits >> 3);
        soft_reset(tile, 0);
        for (unsigned i = 0; i < 3; i++)
            assert_int_equal(tile->core[i].pc, bits >> i & 1 ? 0x20000 + 0x100 * i : fixed[i]);
        assert_int_equal(tile->core[NC].pc, bits >> 3 ? 0x20300 : 0x12000);
        assert_int_equal(tile->core[B].pc, 0);
        soft_reset(tile, 0x47800);
    }
}

static void registers_are_zero_afterwards(void **state)
{
    struct tile *tile = *state;
    soft_reset(tile, 0);
    for (unsigned core = T0; core <= NC; core++) {
        memset(tile->core[core].x, 0xff, sizeof tile->core[core].x);
        memset(tile->core[core].f, 0xff, sizeof tile->core[core].f);
        memset(tile->core[core].v, 0xff, sizeof tile->core[core].v);
    }
    soft_reset(tile, 0x47800);
    soft_reset(tile, 0);
    for (unsigned core = T0; core <= NC; core++)
        for (unsigned i = 0; i < 32; i++) {
            assert_int_equal(tile->core[core].x[i], 0);
            assert_int_equal(tile->core[core].f[i], 0);
            assert_int_equal(tile->core[core].v[i][i % 16], 0);
        }
}

static void data_ram_is_cleared_or_kept(void **state)
{
    static const uint8_t keep[] = {[T0] = 0, [T1] = 2, [T2] = 4, [B] = 6, [NC] = 8};
    struct tile *tile = *state;
    for (unsigned core = T0; core <= NC; core++)
        for (unsigned kept = 0; kept < 2; kept++) {
            store(tile, NOC, CONTROL(0x224), kept << keep[core]);
            soft_reset(tile, 0x47800);
            store(tile, core, 0xFFB00FFC, 0x1234);
            assert_int_equal(load(tile, core, 0xFFB00FFC), 0x1234); /* while held */
            soft_reset(tile, 0);
            assert_int_equal(load(tile, core, 0xFFB00FFC), kept ? 0x1234 : 0);
        }
}

static void pushed_words_are_dropped(void **state)
{
    struct tile *tile = *state;
    soft_reset(tile, 0);
    for (unsigned thread = 0; thread < 3; thread++) {
        push_barrier(tile, thread);
        for (unsigned i = 0; i < 10; i++) /* fill what lies behind the MOP expander */
            store(tile, thread, PUSH, NOP);
        settle(tile);
        store(tile, thread, PUSH, setdmareg(8, 0x99)); /* stays before it */
        settle(tile);
        hold(tile, thread);
        open_barrier(tile, thread);
        assert_int_equal(tile->coproc.gpr.r[thread][4], 0);
        assert_true(coproc_thread_idle(&tile->coproc, thread));
        assert_int_equal(tile->coproc.fe[thread].tracked, 0);
        store(tile, thread, PUSH, setdmareg(8, 0x77));
        settle(tile);
        assert_int_equal(tile->coproc.gpr.r[thread][4], 0x77);
    }
}

static void mails_are_dropped(void **state)
{
    static const uint8_t partner[] = {B, T0, T1, T2};
    struct tile *tile = *state;
    for (unsigned held = 0; held < 4; held++) {
        soft_reset(tile, 0);
        for (unsigned from = 0; from < 4; from++)
            for (unsigned to = 0; to < 4; to++)
                store(tile, partner[from], 0xFFEC0000 + 0x1000 * to, 5);
        hold(tile, partner[held]);
        for (unsigned from = 0; from < 4; from++)
            for (unsigned to = 0; to < 4; to++) {
                uint32_t address = 0xFFEC0000 + 0x1000 * from;
                bool left = from != held;
                assert_int_equal(load(tile, partner[to], address + 4), left);
                if (left)
                    assert_int_equal(load(tile, partner[to], address), 5);
            }
    }
}

static void pc_buffers_are_emptied_on_release(void **state)
{
    struct tile *tile = *state;
    for (unsigned i = 0; i < 3; i++) {
        store(tile, B, 0xFFE80000 + 0x10000 * i, 4);
        assert_int_equal(load(tile, i, 0xFFE80000), 4); /* held or not */
        store(tile, B, 0xFFE80000 + 0x10000 * i, 4);
        release(tile, i);
        assert_int_equal(try_load(tile, i, 0xFFE80000), RV_BLOCK);
        assert_int_equal(load(tile, B, 0xFFE80000 + 0x10000 * i), 0); /* T waits there */
        hold(tile, i);
        assert_int_equal(try_load(tile, B, 0xFFE80000 + 0x10000 * i), RV_BLOCK); /* no more */
    }
}

static void src_owners(void **state)
{
    struct tile *tile = *state;
    struct src *s = &tile->coproc.src;
    for (unsigned which = 0; which < 2; which++) {
        src_give(s, which);
        src_give(s, which);
        assert_int_equal(s->owner[which][0], SRC_MATRIX);
        assert_int_equal(s->owner[which][1], SRC_MATRIX);
        s->unpack_bank[which] = s->matrix_bank[which] = s->issue_bank[which] = 1;
        soft_reset(tile, 0x47800 | 1u << (15 + which));
        src_give(s, which); /* as long as it is held, nothing changes it */
        settle(tile);
        for (unsigned bank = 0; bank < 2; bank++) {
            assert_int_equal(s->owner[which][bank], SRC_UNPACKERS);
            assert_int_equal(s->issue_owner[which][bank], SRC_UNPACKERS);
        }
        assert_int_equal(s->unpack_bank[which], 0);
        assert_int_equal(s->matrix_bank[which], 0);
        assert_int_equal(s->issue_bank[which], 0);
        soft_reset(tile, 0x47800);
        src_give(s, which);
        settle(tile);
        assert_int_equal(s->owner[which][0], SRC_MATRIX);
    }
}

static void thcon_configuration(void **state)
{
    struct tile *tile = *state;
    for (unsigned i = 8; i < 224; i++)
        store(tile, B, 0xFFEF0700 + 4 * i, i);
    soft_reset(tile, 0x47800 | 1u << 9);
    for (unsigned i = 8; i < 224; i++)
        for (unsigned bank = 0; bank < 2; bank++)
            assert_int_equal(load(tile, B, 0xFFEF0000 + 0x380 * bank + 4 * i),
                             i >= 64 && i < 180 ? 0 : i);
    store(tile, B, 0xFFEF0000 + 4 * 64, 5);
    store(tile, B, 0xFFEF0000 + 4 * 179, 5);
    store(tile, B, 0xFFEF0000 + 4 * 63, 5);
    assert_int_equal(load(tile, B, 0xFFEF0000 + 4 * 64), 0);
    assert_int_equal(load(tile, B, 0xFFEF0000 + 4 * 179), 0);
    assert_int_equal(load(tile, B, 0xFFEF0000 + 4 * 63), 5);
    soft_reset(tile, 0x47800);
    store(tile, B, 0xFFEF0000 + 4 * 64, 5);
    assert_int_equal(load(tile, B, 0xFFEF0000 + 4 * 64), 5);
}

/* Units whose instructions would have to stop say so. */
static void what_is_not_carried_out_is_told(void **state)
{
    struct tile *tile = *state;
    soft_reset(tile, 0);
    soft_reset(tile, 1u << 23 | 1u << 15 | 1u << 6);
    soft_reset(tile, 0xff000000);
    assert_int_equal(told(tile, DIAG_UNIT_RESET), 0);
    soft_reset(tile, 1u << 10);
    soft_reset(tile, 1u << 10 | 1u << 2);
    soft_reset(tile, 0);
    assert_int_equal(told(tile, DIAG_UNIT_RESET), 2);
}

TEST_MAIN(TILE_TEST(cores_start_held), TILE_TEST(start_can_be_moved),
          TILE_TEST(registers_are_zero_afterwards), TILE_TEST(data_ram_is_cleared_or_kept),
          TILE_TEST(pushed_words_are_dropped), TILE_TEST(mails_are_dropped),
          TILE_TEST(pc_buffers_are_emptied_on_release), TILE_TEST(src_owners),
          TILE_TEST(thcon_configuration), TILE_TEST(what_is_not_carried_out_is_told))
