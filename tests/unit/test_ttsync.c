/*
 * test_ttsync.c - Auto TTSync: the four orders of push and access, what is tracked, RESOURCEDECL.
 *
 * Facts (ISA page AutoTTSync): ThreadConfig word 56: 0 Config, 2 GPRs, 3 TDMA-RISC, 4 instructions; a store
 * waits for what reads or writes the resource, a load for what writes it, up to the gate.
 */
#include "tile_drive.h"

#define GPR(i)    (UINT32_C(0xFFE00000) + 4 * (i))
#define CONFIG(i) (UINT32_C(0xFFEF0000) + 4 * (i))
#define PUSH      UINT32_C(0xFFE40000)

enum { TRACK_CONFIG = 1, SUBDIVIDED = 2, TRACK_GPR = 4, TRACK_TDMA = 8, TRACK = 16 };

static void track(struct tile *tile, unsigned thread, unsigned bits)
{
    store(tile, thread, PUSH, setc16(56, bits));
    settle(tile);
}

/* A word behind the barrier, which nothing but a semaphore opens. */
static void held(struct tile *tile, unsigned thread, uint32_t word)
{
    push_barrier(tile, thread);
    store(tile, thread, PUSH, word);
    settle(tile);
    assert_false(coproc_thread_idle(&tile->coproc, thread));
}

static void off_by_default(void **state)
{
    struct tile *tile = *state;
    held(tile, T0, setdmareg(10, 7));
    store(tile, T0, GPR(5), 3);
    assert_int_equal(load(tile, T0, GPR(5)), 3);
    open_barrier(tile, T0);
    assert_int_equal(load(tile, T0, GPR(5)), 7);
}

static void push_then_access(void **state)
{
    struct tile *tile = *state;
    for (unsigned thread = 0; thread < 3; thread++) {
        track(tile, thread, TRACK | TRACK_GPR);
        held(tile, thread, setdmareg(10, 7)); /* reads and writes GPRs */
        assert_int_equal(try_load(tile, thread, GPR(5)), RV_BLOCK);
        assert_int_equal(try_store(tile, thread, GPR(5), 3), RV_BLOCK);
        assert_int_equal(try_load(tile, (thread + 1) % 3, GPR(5)), RV_OK); /* another core's */
        assert_int_equal(try_load(tile, B, GPR(5)), RV_OK);
        assert_int_equal(try_load(tile, thread, CONFIG(5)), RV_OK); /* not tracked */
        assert_int_equal(try_load(tile, thread, TDMA(0x24)), RV_OK);
        assert_int_equal(try_load(tile, thread, 0xFFE80020), RV_OK); /* never tracked */
        open_barrier(tile, thread);
        assert_int_equal(load(tile, thread, GPR(5)), 7);
        store(tile, thread, GPR(5), 3);
        assert_int_equal(load(tile, thread, GPR(5)), 3);
    }
}

/* What was accessed first is done when the core goes on. */
static void access_then_push(void **state)
{
    struct tile *tile = *state;
    track(tile, T1, TRACK | TRACK_GPR | TRACK_CONFIG);
    store(tile, T1, GPR(5), 0x1234);
    store(tile, T1, PUSH, setdmareg(10, 7));
    settle(tile);
    assert_int_equal(load(tile, T1, GPR(5)), 7);
    store(tile, T1, GPR(6), 0x77);
    uint32_t before = load(tile, T1, GPR(6));
    store(tile, T1, PUSH, setdmareg(12, 8));
    assert_int_equal(before, 0x77);
    assert_int_equal(load(tile, T1, GPR(6)), 8);
}

/* SETC16, NOP and their like read the rest of Config: a load may pass, a store may not. */
static void loads_pass_readers(void **state)
{
    struct tile *tile = *state;
    track(tile, T0, TRACK | TRACK_CONFIG);
    held(tile, T0, setc16(1, 5));
    assert_int_equal(try_load(tile, T0, CONFIG(5)), RV_OK);
    assert_int_equal(try_store(tile, T0, CONFIG(5), 1), RV_BLOCK);
    assert_int_equal(try_store(tile, T0, 0xFFEF0380 + 20, 1), RV_OK);    /* the other bank */
    assert_int_equal(try_store(tile, T0, CONFIG(180), 1), RV_BLOCK);     /* both banks */
    assert_int_equal(try_store(tile, T0, 0xFFEF0700 + 20, 1), RV_BLOCK); /* both banks */
    assert_int_equal(try_load(tile, T0, 0xFFEF0A80), RV_OK);
    assert_int_equal(try_store(tile, T0, GPR(0), 1), RV_OK);
    open_barrier(tile, T0);
    store(tile, T0, CONFIG(5), 1);
}

static void banks_follow_the_program(void **state)
{
    struct tile *tile = *state;
    track(tile, T0, TRACK | TRACK_CONFIG);
    held(tile, T0, setc16(0, 1)); /* bank 1 from here on; itself reads bank 0 */
    store(tile,
          T0,
          PUSH,
          tensix_WRCFG_encode((struct tensix_WRCFG){.gpr_address = 1, .cfg_reg = 20}));
    assert_int_equal(try_load(tile, T0, CONFIG(5)), RV_OK);
    assert_int_equal(try_load(tile, T0, 0xFFEF0380 + 20), RV_BLOCK);
    open_barrier(tile, T0);
    assert_int_equal(try_load(tile, T0, 0xFFEF0380 + 20), RV_OK);
}

static void tdma_registers(void **state)
{
    struct tile *tile = *state;
    track(tile, T2, TRACK | TRACK_TDMA);
    held(tile, T2, tensix_PACR_encode((struct tensix_PACR){0}));
    assert_int_equal(try_load(tile, T2, TDMA(0x24)), RV_BLOCK);
    assert_int_equal(try_store(tile, T2, TDMA(0x24), 1), RV_BLOCK);
    assert_int_equal(try_load(tile, B, TDMA(0x24)), RV_OK);
    open_barrier(tile, T2);
    assert_int_equal(try_store(tile, T2, TDMA(0x24), 1), RV_OK);
}

static void both_bits_are_needed(void **state)
{
    struct tile *tile = *state;
    track(tile, T0, TRACK_GPR | TRACK_CONFIG | TRACK_TDMA); /* but not TRACK */
    held(tile, T0, setdmareg(10, 7));
    assert_int_equal(try_store(tile, T0, GPR(5), 3), RV_OK);
    open_barrier(tile, T0);
    track(tile, T0, TRACK);
    held(tile, T0, setdmareg(10, 7));
    assert_int_equal(try_store(tile, T0, GPR(5), 3), RV_OK);
}

/* With subdivision UNPACR reads its own unpacker's part only. */
static void subdivided_configuration(void **state)
{
    static const struct {
        uint16_t word;
        const char *parts; /* 0, 1: unpackers, r: rest */
    } fields[] = {
        {0, "r"},   {43, "r"},  {44, "0"},  {45, "01"}, {46, "1"},  {48, "01r"}, {50, "01r"},
        {53, "0"},  {56, "r"},  {58, "1"},  {63, "1"},  {64, "0"},  {65, "r"},   {67, "r"},
        {72, "0"},  {87, "0"},  {88, "r"},  {92, "0"},  {104, "0"}, {112, "1"},  {113, "r"},
        {120, "1"}, {122, "r"}, {123, "r"}, {125, "1"}, {126, "r"}, {128, "r"},  {135, "r"},
        {141, "1"}, {142, "r"}, {180, "r"},
    };
    struct tile *tile = *state;
    for (unsigned unpacker = 0; unpacker < 2; unpacker++) {
        memset(tile, 0, offsetof(struct tile, l1_bytes));
        tile_reset(tile);
        track(tile, T0, TRACK | TRACK_CONFIG | SUBDIVIDED);
        held(tile,
             T0,
             tensix_UNPACR_encode((struct tensix_UNPACR){.unpack_block_selection = unpacker}));
        for (unsigned i = 0; i < sizeof fields / sizeof fields[0]; i++) {
            bool own = strchr(fields[i].parts, unpacker ? '1' : '0') != NULL;
            assert_int_equal(try_store(tile, T0, CONFIG(fields[i].word), 0),
                             own ? RV_BLOCK : RV_OK);
            assert_int_equal(try_load(tile, T0, CONFIG(fields[i].word)), RV_OK);
        }
        assert_int_equal(try_store(tile, T0, 0xFFEF0700 + 4 * 64, 0), RV_OK); /* the rest of both */
    }
    /* MOP writes all parts: ThreadConfig[0] word 1 is the unpackers', the others the rest's */
    for (unsigned i = 0; i < 9; i++)
        store(tile, T0, 0xFFB80000 + 4 * i, i < 2 ? 20 : (uint32_t)TENSIX_OP_NOP << 24);
    store(tile, T0, PUSH, tensix_MOP_encode((struct tensix_MOP){.mop_type = 1}));
    assert_int_equal(try_load(tile, T0, 0xFFEF0A84), RV_BLOCK);
    assert_int_equal(try_load(tile, T0, 0xFFEF0A88), RV_BLOCK);
    for (unsigned class = 13; class <= 14;
         class ++) /* now expansions write unpacker 0's part only */
        store(tile,
              T0,
              PUSH,
              tensix_RESOURCEDECL_encode(
                  (struct tensix_RESOURCEDECL){.op_class = class, .resources = 0x006}));
    assert_int_equal(try_load(tile, T0, 0xFFEF0A84), RV_BLOCK);
    assert_int_equal(try_load(tile, T0, 0xFFEF0A88), RV_OK);
}

/* A MOP counts as using everything, until its whole expansion is through. */
static void expansions(void **state)
{
    struct tile *tile = *state;
    track(tile, T1, TRACK | TRACK_GPR | TRACK_CONFIG | TRACK_TDMA);
    for (unsigned i = 0; i < 9; i++)
        store(tile, T1, 0xFFB80000 + 4 * i, i < 2 ? 2 : (uint32_t)TENSIX_OP_NOP << 24);
    held(tile, T1, tensix_MOP_encode((struct tensix_MOP){.mop_type = 1}));
    assert_int_equal(try_load(tile, T1, GPR(0)), RV_BLOCK);
    assert_int_equal(try_load(tile, T1, CONFIG(0)), RV_BLOCK);
    assert_int_equal(try_load(tile, T1, TDMA(0x24)), RV_BLOCK);
    open_barrier(tile, T1);
    assert_int_equal(try_load(tile, T1, GPR(0)), RV_OK);
}

static void resourcedecl_redefines_a_class(void **state)
{
    struct tile *tile = *state;
    track(tile, T0, TRACK | TRACK_GPR | TRACK_TDMA);
    uint64_t before = tile->coproc.issued[0];
    store(tile,
          T0,
          PUSH,
          tensix_RESOURCEDECL_encode(
              (struct tensix_RESOURCEDECL){.op_class = 0, .resources = 0x100}));
    settle(tile);
    assert_int_equal(tile->coproc.issued[0], before); /* swallowed at the push */
    assert_true(coproc_thread_idle(&tile->coproc, T0));
    held(tile, T0, setdmareg(10, 7)); /* now says that it writes TDMA-RISC and nothing else */
    assert_int_equal(try_load(tile, T0, GPR(5)), RV_OK);
    assert_int_equal(try_load(tile, T0, TDMA(0x24)), RV_BLOCK);
    open_barrier(tile, T0);
    track(tile, T1, TRACK | TRACK_GPR); /* the other threads' definitions are theirs */
    held(tile, T1, setdmareg(10, 7));
    assert_int_equal(try_load(tile, T1, GPR(5)), RV_BLOCK);
    open_barrier(tile, T1);
    /* soft reset bit 23 restores the defaults */
    uint32_t cores = load(tile, NOC, CONTROL(0x1B0));
    store(tile, NOC, CONTROL(0x1B0), cores | 1u << 23);
    store(tile, NOC, CONTROL(0x1B0), cores);
    held(tile, T0, setdmareg(10, 7));
    assert_int_equal(try_load(tile, T0, GPR(5)), RV_BLOCK);
}

TEST_MAIN(TILE_TEST(off_by_default), TILE_TEST(push_then_access), TILE_TEST(access_then_push),
          TILE_TEST(loads_pass_readers), TILE_TEST(banks_follow_the_program),
          TILE_TEST(tdma_registers), TILE_TEST(both_bits_are_needed),
          TILE_TEST(subdivided_configuration), TILE_TEST(expansions),
          TILE_TEST(resourcedecl_redefines_a_class))
