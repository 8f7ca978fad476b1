/*
 * test_tdma.c - TDMA-RISC: registers, command queue, transfers.
 *
 * Facts (ISA pages TDMA-RISC, Mover): parameters at 0x00 to 0x0C, command at 0x10, status at 0x14 (mover
 * busy 0, queue full 2, empty 3, parameters full 4, empty 5, room 15:8); commands 0x40 move, 0x46 wait,
 * 0x66 write, 0x89 nothing; bit 31: compact; addresses and counts of 16 bytes.
 */
#include "tile_drive.h"

#include "state/op.h"

#define STATUS_IDLE 0x428u

static void move(struct tile *tile, uint32_t to, uint32_t from, uint32_t count, uint32_t mode)
{
    store(tile, B, TDMA(0), from >> 4);
    store(tile, B, TDMA(4), to >> 4);
    store(tile, B, TDMA(8), count >> 4);
    store(tile, B, TDMA(0xC), mode);
    store(tile, B, TDMA(0x10), 0x40);
}

static void fill(struct tile *tile, uint32_t at, uint32_t count, uint32_t seed)
{
    for (uint32_t i = 0; i < count; i += 4)
        poke(tile, at + i, seed + i);
}

static void transfers_in_l1(void **state)
{
    struct tile *tile = *state;
    fill(tile, 0x1000, 0x200, 0x5000);
    move(tile, 0x4000, 0x1000, 0x100, 3);
    for (uint32_t i = 0; i < 0x200; i += 4)
        assert_int_equal(peek(tile, 0x4000 + i), i < 0x100 ? 0x5000 + i : 0);
    move(tile, 0x1010, 0, 0x20, 0);
    assert_int_equal(peek(tile, 0x100C), 0x500C);
    assert_int_equal(peek(tile, 0x1010), 0);
    assert_int_equal(peek(tile, 0x102C), 0);
    assert_int_equal(peek(tile, 0x1030), 0x5030);
    move(tile, 0x17FFF0, 0x1030, 0x10, 3);
    assert_int_equal(peek(tile, 0x17FFFC), 0x503C);
    assert_int_equal(load(tile, B, TDMA(0x14)), STATUS_IDLE);
}

static void transfers_to_configuration(void **state)
{
    struct tile *tile = *state;
    fill(tile, 0x2000, 0x100, 0x700);
    move(tile, 4 * 20, 0x2000, 0x20, 1); /* bank 0, words 20 to 27 */
    assert_int_equal(load(tile, B, 0xFFEF0000 + 4 * 20), 0x700);
    assert_int_equal(load(tile, B, 0xFFEF0000 + 4 * 27), 0x71C);
    assert_int_equal(load(tile, B, 0xFFEF0380 + 4 * 20), 0);
    move(tile, 0x380 + 4 * 20, 0x2000, 0x10, 1); /* bank 1 */
    assert_int_equal(load(tile, B, 0xFFEF0380 + 4 * 23), 0x70C);
    move(tile, 4 * 20, 0, 0x10, 2);
    assert_int_equal(load(tile, B, 0xFFEF0000 + 4 * 20), 0);
    assert_int_equal(load(tile, B, 0xFFEF0000 + 4 * 24), 0x710);
    assert_int_equal(told(tile, DIAG_MOVER_NOWHERE), 0);
    move(tile, 0x40000, 0x2000, 0x10, 1); /* Wormhole's instruction RAM */
    move(tile, 0x180000, 0x2000, 0x10, 3);
    move(tile, 0x1000, 0x180000, 0x10, 3);
    assert_int_equal(told(tile, DIAG_MOVER_NOWHERE), 3);
}

static void compact_commands_use_the_cores_base(void **state)
{
    struct tile *tile = *state;
    for (unsigned who = T0; who <= B; who++) {
        store(tile, who, TDMA(0x2C), 0x100 + 0x10 * who);
        fill(tile, 0x1000 + 0x100 * who, 0x40, 0x9000 + 0x100 * who);
    }
    for (unsigned who = T0; who <= B; who++) {
        assert_int_equal(load(tile, who, TDMA(0x2C)), 0x100 + 0x10 * who);
        uint32_t to = 0x10 + 2 * who; /* in 16 bytes, below 0x100 */
        store(tile, who, TDMA(0x10), 0xC0000000 | 2u << 24 | to << 16 | 1u << 8 | 0x40);
        assert_int_equal(peek(tile, to << 4), 0x9010 + 0x100 * who);
        assert_int_equal(peek(tile, (to << 4) + 0x1C), 0x902C + 0x100 * who);
    }
}

static void writes_to_l1(void **state)
{
    struct tile *tile = *state;
    fill(tile, 0x3000, 0x10, 0x11);
    store(tile, T1, TDMA(0), 0x3004);
    store(tile, T1, TDMA(8), 0xAAAA5555);
    store(tile, T1, TDMA(0xC), 0x12345678);
    store(tile, T1, TDMA(0x10), 0x666);
    assert_int_equal(peek(tile, 0x3004), 0xAAAA5555);
    assert_int_equal(peek(tile, 0x3008), 0x19);
    store(tile, T1, TDMA(0x10), 0x766);
    assert_int_equal(peek(tile, 0x3008), 0x12345678);
    assert_int_equal(told(tile, DIAG_TDMA_COMMAND), 0);
    store(tile, T1, TDMA(0x10), 0x066);
    store(tile, T1, TDMA(0x10), 0x80000066);
    store(tile, T1, TDMA(0x10), 0x80000012);
    assert_int_equal(told(tile, DIAG_TDMA_COMMAND), 3);
    store(tile, T1, TDMA(0x10), 0x80000089);
    store(tile, T1, TDMA(0x10), 0x80000046);
    assert_int_equal(told(tile, DIAG_TDMA_COMMAND), 3);
}

static void queue_has_four_places(void **state)
{
    struct tile *tile = *state;
    struct tdma *d = &tile->tdma;
    assert_int_equal(load(tile, B, TDMA(0x14)), STATUS_IDLE);
    tile->coproc.mover.done_at = UINT64_MAX; /* commands that need it wait */
    store(tile, B, TDMA(0x10), 0x80000046);
    assert_int_equal(d->n, 1);
    assert_int_equal(load(tile, B, TDMA(0x14)), 0x321);
    store(tile, B, TDMA(0x10), 0x40);
    assert_int_equal(load(tile, B, TDMA(0x14)), 0x201);
    store(tile, B, TDMA(0x10), 0x89);
    assert_int_equal(load(tile, B, TDMA(0x14)), 0x111);
    assert_int_equal(told(tile, DIAG_TDMA_CREDITS), 0);
    store(tile, B, TDMA(0x10), 0x89);
    assert_int_equal(told(tile, DIAG_TDMA_CREDITS), 1);
    assert_int_equal(load(tile, B, TDMA(0x14)), 0x015);
    tile->coproc.mover.done_at = tile->coproc.now;
    tdma_work(tile);
    assert_int_equal(load(tile, B, TDMA(0x14)), STATUS_IDLE);
}

static void registers(void **state)
{
    struct tile *tile = *state;
    for (unsigned i = 0; i <= 0x10; i += 4) {
        if (i < 0x10)
            store(tile, T0, TDMA(i), 0xffffffff);
        assert_int_equal(load(tile, T0, TDMA(i)), 0);
    }
    store(tile, T0, TDMA(0x24), 0xffffffff);
    assert_int_equal(load(tile, B, TDMA(0x24)), 0xffffff7f);
    store(tile, T0, TDMA(0x28), 0xffffffff);
    assert_int_equal(load(tile, B, TDMA(0x28)), 0x01ff007f);
    store(tile, T0, TDMA(0x3C), 0x01234567);
    assert_int_equal(load(tile, B, TDMA(0x3C)), 0x01234567 & 0x07ffffff);
    store(tile, T0, TDMA(0x13C), 0x00000042);
    assert_int_equal(load(tile, B, TDMA(0x13C)), 0x42);
    store(tile, T0, TDMA(0x38), 0x00abcdef);
    assert_int_equal(load(tile, B, TDMA(0x38)), 0xabcdef55);
    store(tile, T0, TDMA(0x1C), 0x00051234); /* packers 0 and 2 */
    assert_int_equal(tile->coproc.packmeta.l1_offset[0], 0x1234);
    assert_int_equal(tile->coproc.packmeta.l1_offset[1], 0);
    assert_int_equal(tile->coproc.packmeta.l1_offset[2], 0x1234);
    assert_int_equal(told(tile, DIAG_TDMA_REGISTER), 0);
}

/* Per packer at 0x100, per thread at 0x40. */
static void packer_registers(void **state)
{
    struct tile *tile = *state;
    for (unsigned packer = 0; packer < 4; packer++) {
        for (unsigned thread = 0; thread < 3; thread++) {
            assert_int_equal(load(tile, B, TDMA(0x100 * packer + 0x40 * thread + 0x18)), 0);
            assert_int_equal(load(tile, B, TDMA(0x100 * packer + 0x40 * thread + 0x1C)), 0);
        }
        assert_int_equal(load(tile, B, TDMA(0x100 * packer + 0x20)), 0);
        assert_int_equal(try_load(tile, B, TDMA(0x100 * packer + 0x30)), RV_BLOCK);
        store(tile, B, TDMA(0x100 * packer + 0x34), 0);
        assert_int_equal(load(tile, B, TDMA(0x100 * packer + 0x34)), 0);
    }
    assert_int_equal(told(tile, DIAG_TDMA_EMPTY), 4);
    assert_int_equal(told(tile, DIAG_TDMA_REGISTER), 0);
    load(tile, B, TDMA(0xD8));
    load(tile, B, TDMA(0x400));
    store(tile, B, TDMA(0xFFC), 1);
    assert_int_equal(told(tile, DIAG_TDMA_REGISTER), 3);
}

static void soft_reset(void **state)
{
    struct tile *tile = *state;
    uint32_t cores = load(tile, NOC, CONTROL(0x1B0));
    fill(tile, 0x1000, 0x10, 1);
    store(tile, B, TDMA(0), 0x100);
    store(tile, B, TDMA(0x1C), 0x000f0077);
    tile->coproc.mover.done_at = UINT64_MAX;
    store(tile, B, TDMA(0x10), 0x40);
    store(tile, NOC, CONTROL(0x1B0), cores | 1u << 8);
    assert_int_equal(tile->tdma.n, 0);
    tile->coproc.mover.done_at = 0;
    assert_int_equal(tile->tdma.param[0], 0);
    store(tile, B, TDMA(0), 0x100); /* lost */
    assert_int_equal(tile->tdma.param[0], 0);
    store(tile, NOC, CONTROL(0x1B0), cores | 1u << 6); /* now the mover */
    move(tile, 0x2000, 0x1000, 0x10, 3);
    assert_int_equal(peek(tile, 0x2000), 0);
    store(tile, NOC, CONTROL(0x1B0), cores | 1u << 3);
    assert_int_equal(tile->coproc.packmeta.l1_offset[1], 0x77);
    store(tile, NOC, CONTROL(0x1B0), cores);
    assert_int_equal(tile->coproc.packmeta.l1_offset[0], 0x77);
    assert_int_equal(tile->coproc.packmeta.l1_offset[1], 0);
    move(tile, 0x2000, 0x1000, 0x10, 3);
    assert_int_equal(peek(tile, 0x2000), 1);
}

/* UNPACR_NOP: addresses from bit 8 of 0x24 on; the sum's low half at 0x1C, its highest bit at 0x3C, unpacker 1: 0x100 up. */
static void sums_of_unpackers(void **state)
{
    struct tile *tile = *state;
    const uint32_t add = (uint32_t)TENSIX_OP_UNPACR_NOP << 24 | 40u << 16 | 0x7ffu << 4 | 8 | 7;
    store(tile, B, TDMA(0x24), (208u | 1u << 20) << 8 | 0x3f);
    for (unsigned i = 0; i < 40; i++) {
        store(tile, T0, 0xFFE40000, add);
        settle(tile);
    }
    store(tile, T0, 0xFFE40000, add ^ 1u << 23 ^ 0x7feu << 4);
    settle(tile);
    assert_int_equal(load(tile, B, 0xFFB40000 + 40 * 0x1000 + 4 * 208), 1);
    assert_int_equal(load(tile, B, TDMA(0x1C)), (40 * 0x7ff & 0xffff) << 16);
    assert_int_equal(load(tile, B, TDMA(0x11C)), 1u << 16);
    assert_int_equal(load(tile, B, TDMA(0x29C)), (40 * 0x7ff & 0xffff) << 16);
    assert_int_equal(load(tile, B, TDMA(0x3C)) >> 31, 40 * 0x7ff >> 16);
    assert_int_equal(load(tile, B, TDMA(0x13C)) >> 31, 0);
    store(tile, T0, 0xFFE40000, add & ~(0x7ffu << 4));
    settle(tile);
    assert_int_equal(load(tile, B, TDMA(0x1C)), 0);
    assert_int_equal(load(tile, B, 0xFFB40000 + 40 * 0x1000 + 4 * 208), 1);
}

/* PACR_SETREG to a register of TDMA-RISC itself, and to one of a stream. */
static void packer_sets_registers(void **state)
{
    struct tile *tile = *state;
    const uint32_t setreg = (uint32_t)TENSIX_OP_PACR_SETREG << 24;
    store(tile, T2, TDMA(0x38), 208u | 11u << 10 | 1u << 20); /* ... 0xFFB1102C */
    store(tile, T2, 0xFFE40000, setreg | 1u << 22 | 0x1234u << 3);
    store(tile, T2, 0xFFE40000, setreg | 1u << 23 | 2u << 2 | 2);
    store(tile, T2, 0xFFE40000, setreg | 1u << 23 | 1u << 8 | 17u << 2 | 2);
    settle(tile);
    assert_int_equal(load(tile, NOC, 0xFFB42000 + 4 * 208), 0x1234);
    assert_int_equal(load(tile, T2, TDMA(0x2C)), 0x1234);
    assert_int_equal(load(tile, T1, TDMA(0x2C)), 0);
    assert_int_equal(told(tile, DIAG_NO_DATA_EFFECT), 0);
}

/* SETDMAREG (special): input at bits 11 to 14, packers at 15 to 18, half of the input at 8 to 10, size at 22. */
static uint32_t signals(unsigned size, unsigned packers, unsigned input, unsigned half, unsigned to)
{
    return (uint32_t)TENSIX_OP_SETDMAREG << 24 | (uint32_t)size << 22 | packers << 15 |
           input << 11 | half << 8 | 1u << 7 | to;
}

static void state_of_the_packer_is_read(void **state)
{
    struct tile *tile = *state;
    struct packmeta *m = &tile->coproc.packmeta;
    const uint32_t *r = tile->coproc.gpr.r[1];
    for (unsigned i = 0; i < 32; i++)
        m->histogram.bin[i] = (uint8_t)(i + 1);
    m->histogram.most = 200;
    m->last_size = 0x123;
    m->last_thread = 1;
    m->sum[1] = 0x456;
    m->sum[2] = 7;
    tile->coproc.config.word[0][70] = 5u << 4 | 1;
    for (unsigned i = 0; i < 64; i++)
        tile->coproc.gpr.r[1][i] = 0xffffffff;
    store(tile, T1, 0xFFE40000, signals(2, 0, 7, 0, 2 * 8));  /* bins 16 to 31 to GPRs 8 to 11 */
    store(tile, T1, 0xFFE40000, signals(2, 1, 6, 0, 2 * 12)); /* of packer 1: nothing */
    store(tile, T1, 0xFFE40000, signals(1, 0, 0, 0, 2 * 16));
    store(tile, T1, 0xFFE40000, signals(0, 0, 9, 0, 2 * 17 + 1));
    store(tile, T1, 0xFFE40000, signals(3, 0, 2, 0, 2 * 20)); /* reserved fields stay */
    settle(tile);
    assert_int_equal(r[8], 0x14131211);
    assert_int_equal(r[11], 0x201f1e1d);
    assert_int_equal(r[12], 0);
    assert_int_equal(r[16], 0x04560123);
    assert_int_equal(r[17], 0x00c8ffff);
    assert_int_equal(r[20], 0xffff0124);
    assert_int_equal(r[21], 0xff15ffff);
    assert_int_equal(r[22], 0);
    assert_int_equal(r[23], 0xffffffff);
    assert_int_equal(load(tile, B, TDMA(0x58)), 0x123); /* of thread 1 */
    assert_int_equal(load(tile, B, TDMA(0x18)), 0);
    assert_int_equal(load(tile, B, TDMA(0x5C)), 0x456);
    assert_int_equal(load(tile, B, TDMA(0x15C)), 0);
    store(tile, T1, 0xFFE40000, (uint32_t)TENSIX_OP_CLREXPHIST << 24);
    store(tile, T1, 0xFFE40000, signals(1, 1, 8, 0, 2 * 24)); /* resets the sums */
    settle(tile);
    assert_int_equal(m->histogram.bin[3] | m->histogram.most, 0);
    assert_int_equal(load(tile, B, TDMA(0x5C)), 0);
    m->histogram.most = 200;
    for (unsigned i = 0; i < 2; i++) /* also when it is one of several Matrix instructions */
        store(tile, T1, 0xFFE40000, (uint32_t)TENSIX_OP_CLREXPHIST << 24);
    settle(tile);
    assert_int_equal(m->histogram.most, 0);
    m->sum[2] = 7;
    store(tile, B, TDMA(0x1C), 1u << 17);
    assert_int_equal(m->sum[2], 7);
    store(tile, B, TDMA(0x1C), 1u << 16);
    assert_int_equal(m->sum[2], 0);
    assert_int_equal(told(tile, DIAG_NO_DATA_EFFECT), 0);
    store(tile, T1, 0xFFE40000, signals(1, 0, 1, 0, 2 * 24)); /* AllZeroFlags */
    settle(tile);
    assert_int_equal(told(tile, DIAG_NO_DATA_EFFECT), 1);
}

/* ---- with time ---- */

#define PUT(id, ...) RV_PUT(tile, &at, id, __VA_ARGS__)

/* Core B copies `count` pieces twice and writes 0x77 to `flag`; then it polls the mover, or core NC that word. */
static struct tile *timed(uint32_t count, uint32_t flag, bool no_skip)
{
    void *state = NULL;
    tile_setup(&state);
    struct tile *tile = state;
    const uint32_t param[] = {0x400, 0x800, count, 3};
    uint32_t at = 0;
    assert_int_equal(tile_clock_run(tile, 0), TILE_END_LIMIT);
    tile->clock.no_skip = no_skip;
    fill(tile, 0x4000, 16 * count, 0x9000);
    put_li(tile, &at, 20, TDMA(0));
    for (unsigned i = 0; i < 4; i++) {
        put_li(tile, &at, 5, param[i]);
        PUT(SW, .rs1 = 20, .rs2 = 5, .imm = (int32_t)(4 * i));
    }
    PUT(ADDI, .rd = 5, .imm = 0x40);
    PUT(SW, .rs1 = 20, .rs2 = 5, .imm = 0x10);
    PUT(SW, .rs1 = 20, .rs2 = 5, .imm = 0x10);
    put_li(tile, &at, 5, 0x80000046); /* the rest waits for the mover */
    PUT(SW, .rs1 = 20, .rs2 = 5, .imm = 0x10);
    put_li(tile, &at, 5, flag);
    PUT(SW, .rs1 = 20, .rs2 = 5, .imm = 0);
    PUT(ADDI, .rd = 5, .imm = 0x77);
    PUT(SW, .rs1 = 20, .rs2 = 5, .imm = 8);
    put_li(tile, &at, 5, 0x666);
    PUT(SW, .rs1 = 20, .rs2 = 5, .imm = 0x10);
    PUT(LW, .rd = 6, .rs1 = 20, .imm = 0x14);
    PUT(ANDI, .rd = 6, .rs1 = 6, .imm = 9);
    PUT(XORI, .rd = 6, .rs1 = 6, .imm = 8); /* not busy, nothing queued */
    PUT(BNE, .rs1 = 6, .rs2 = 0, .imm = -12);
    PUT(JAL, .imm = 0);
    release(tile, B);
    at = 0x3000;
    put_li(tile, &at, 20, flag);
    PUT(LW, .rd = 6, .rs1 = 20);
    PUT(BEQ, .rs1 = 6, .rs2 = 0, .imm = -4);
    PUT(JAL, .imm = 0);
    store(tile, NOC, CONTROL(0x238), 0x3000);
    store(tile, NOC, CONTROL(0x23C), 1);
    release(tile, NC);
    assert_int_equal(tile_clock_run(tile, 100000), TILE_END_DONE);
    coproc_settle(&tile->coproc);
    return tile;
}

/* A transfer of TDMA-RISC keeps the mover busy for as long as one of XMOV: 11 cycles per 8 pieces, behind the start. */
static void transfers_take_time(void **state)
{
    (void)state;
    for (unsigned count = 8; count <= 80; count += 72) {
        struct tile *a = timed(count, 0x20000, false), *b = timed(count, 0x20000, true);
        uint64_t one = tensix_table[TENSIX_OP_XMOV].latency.typ + 11 * count / 8;
        assert_int_equal(a->coproc.ledger[OWNER_MOVER].cycles[WAIT_PROGRESS], 2 * one);
        assert_int_equal(peek(a, 0x8000 + 16 * count - 4), 0x9000 + 16 * count - 4);
        assert_int_equal(peek(a, 0x20000), 0x77);
        assert_int_equal(a->core[NC].x[6], 0x77);
        assert_true(writers_find(&a->writers, 0x20000)->cycle >= 2 * one);
        assert_int_equal(a->clock.now, b->clock.now);
        for (unsigned i = 0; i < N_AGENTS * N_WAITS; i++) {
            unsigned who = i / N_WAITS, why = i % N_WAITS;
            uint64_t p = a->coproc.ledger[who].cycles[why], q = b->coproc.ledger[who].cycles[why];
            if (p != q)
                fail_msg("%s %s %u, %u",
                         owner_names[who],
                         wait_table[why].name,
                         (unsigned)p,
                         (unsigned)q);
        }
        free(a);
        free(b);
    }
}

/* "Those new instructions will cause this thread to continue to wait", also if they are TDMA-RISC's: C9 ends when the last of
   three moves is through, though the mover is free in a cycle between two of them. */
static void c9_waits_for_moves_in_the_queue(void **state)
{
    struct tile *tile = *state;
    const struct tensix_STALLWAIT wait = {.stall_res = TENSIX_B7, .wait_res = 1u << 9};
    assert_int_equal(tile_clock_run(tile, 10), TILE_END_DONE);
    for (unsigned i = 0; i < 3; i++)
        move(tile, 0x4000, 0x1000, 0x100, 3);
    tile_clock_changed(tile);
    store(tile, T0, 0xFFE40000, tensix_STALLWAIT_encode(wait));
    assert_int_equal(tile_clock_run(tile, 1), TILE_END_LIMIT);
    store(tile, T0, 0xFFE40000, setc16(2, 1));
    assert_int_equal(tile_clock_run(tile, 1000), TILE_END_DONE);
    tile_clock_settle(tile);
    const uint64_t *lost = tile->coproc.ledger[OWNER_T0].cycles;
    uint64_t one = tile->coproc.timing.op[TENSIX_OP_XMOV].latency + mover_cycles(16, 3);
    assert_int_equal(tile->coproc.config.thread[0][2], 1);
    assert_in_range(lost[WAIT_C9_XMOV], 3 * one - 6, 3 * one + 2);
}

TEST_MAIN(TILE_TEST(transfers_in_l1), TILE_TEST(transfers_to_configuration),
          TILE_TEST(compact_commands_use_the_cores_base), TILE_TEST(writes_to_l1),
          TILE_TEST(queue_has_four_places), TILE_TEST(registers), TILE_TEST(packer_registers),
          TILE_TEST(soft_reset), TILE_TEST(sums_of_unpackers), TILE_TEST(packer_sets_registers),
          TILE_TEST(state_of_the_packer_is_read), cmocka_unit_test(transfers_take_time),
          TILE_TEST(c9_waits_for_moves_in_the_queue))
