/*
 * test_bus_devices.c - what is behind the windows between cores and coprocessor: mailboxes, PC buffers,
 * manual TTSync, GPRs, Config, MopCfg, pushes, data RAM, control registers, overlay, status CSRs.
 *
 * Facts: ISA pages Mailboxes, PCBufs, ManualTTSync, ScalarUnit, BackendConfiguration, PushTensixInstruction,
 * BabyRISCV/README, CSRs, DebugTimestamper.
 */
#include "tile_drive.h"

#define PUSH   UINT32_C(0xFFE40000)
#define NOP    ((uint32_t)TENSIX_OP_NOP << 24)
#define SEM(i) (UINT32_C(0xFFE80020) + 4 * (i))

/* ---- mailboxes ---- */

static const uint8_t partner[] = {B, T0, T1, T2}; /* by their address */

static uint32_t box(unsigned i)
{
    return 0xFFEC0000 + 0x1000 * i;
}

static void mailboxes_join_every_pair(void **state)
{
    struct tile *tile = *state;
    for (unsigned from = 0; from < 4; from++)
        for (unsigned to = 0; to < 4; to++) {
            assert_int_equal(load(tile, partner[to], box(from) + 4), 0);
            assert_int_equal(try_load(tile, partner[to], box(from)), RV_BLOCK);
            for (unsigned i = 0; i < 4; i++)
                store(tile, partner[from], box(to), 100 * from + 10 * to + i);
            assert_int_equal(try_store(tile, partner[from], box(to), 0), RV_BLOCK);
            for (unsigned other = 0; other < 4; other++)
                for (unsigned at = 0; at < 4; at++)
                    assert_int_equal(load(tile, partner[at], box(other) + 4),
                                     at == to && other == from);
            for (unsigned i = 0; i < 4; i++) {
                assert_int_equal(load(tile, partner[to], box(from) + 4), 1);
                assert_int_equal(load(tile, partner[to], box(from) + 0xFF8),
                                 100 * from + 10 * to + i);
            }
            assert_int_equal(load(tile, partner[to], box(from) + 0xFFC), 0);
        }
}

static void mailboxes_hold_four_in_sum(void **state)
{
    struct tile *tile = *state;
    for (unsigned from = 0; from < 4; from++) {
        for (unsigned to = 0; to < 4; to++)
            store(tile, partner[from], box(to), to);
        for (unsigned to = 0; to < 4; to++)
            assert_int_equal(try_store(tile, partner[from], box(to), 9), RV_BLOCK);
        assert_int_equal(load(tile, T1, box(from)), 2);
        store(tile, partner[from], box(0), 7); /* one place, wherever */
        assert_int_equal(try_store(tile, partner[from], box(2), 9), RV_BLOCK);
        assert_int_equal(load(tile, B, box(from)), 0);
        assert_int_equal(load(tile, B, box(from)), 7);
        assert_int_equal(load(tile, T0, box(from)), 1);
        assert_int_equal(load(tile, T2, box(from)), 3);
    }
}

/* ---- PC buffers and TTSync ---- */

static void pc_buffers_are_sixteen_deep(void **state)
{
    struct tile *tile = *state;
    for (unsigned i = 0; i < 3; i++) {
        uint32_t base = 0xFFE80000 + 0x10000 * i;
        for (unsigned n = 0; n < 16; n++)
            store(tile, B, base + 4 * n, 1000 * i + n);
        assert_int_equal(try_store(tile, B, base + 0xFFFC, 0), RV_BLOCK);
        store(tile, i, 0xFFE80000, 5); /* discarded */
        for (unsigned n = 0; n < 16; n++)
            assert_int_equal(load(tile, i, 0xFFE80000), 1000 * i + n);
        assert_int_equal(try_load(tile, i, 0xFFE80000), RV_BLOCK);
    }
}

/* B's read: buffer empty, the T core at it, the thread idle. */
static void pc_buffer_reads_by_b(void **state)
{
    struct tile *tile = *state;
    for (unsigned i = 0; i < 3; i++) {
        uint32_t base = 0xFFE80000 + 0x10000 * i;
        assert_int_equal(try_load(tile, B, base), RV_BLOCK); /* T is elsewhere */
        assert_int_equal(try_load(tile, i, 0xFFE80000), RV_BLOCK);
        assert_int_equal(load(tile, B, base), 0);
        store(tile, B, base, 3);
        assert_int_equal(try_load(tile, B, base), RV_BLOCK); /* not empty */
        assert_int_equal(load(tile, i, 0xFFE80000), 3);
        assert_int_equal(try_load(tile, B, base), RV_BLOCK); /* T has gone on */
        push_barrier(tile, i);
        store(tile, i, PUSH, NOP);
        assert_int_equal(try_load(tile, i, 0xFFE80000), RV_BLOCK);
        assert_int_equal(try_load(tile, B, base), RV_BLOCK); /* the thread is busy */
        open_barrier(tile, i);
        assert_int_equal(load(tile, B, base), 0);
    }
}

static void pc_buffer_override(void **state)
{
    struct tile *tile = *state;
    for (unsigned i = 0; i < 3; i++) {
        uint32_t base = 0xFFE80000 + 0x10000 * i;
        store(tile, B, CONTROL(0x90), (0xA5u << 2 | 1) << 10 * i); /* OverrideEn, OverrideValue */
        assert_int_equal(load(tile, i, 0xFFE80000), 0xA5);
        store(tile, B, base, 77); /* a word counts more than the override */
        assert_int_equal(load(tile, i, 0xFFE80000), 77);
        assert_int_equal(try_load(tile, B, base), RV_BLOCK);
        store(tile, B, CONTROL(0x90), 3u << 10 * i); /* and OverrideBusy */
        assert_int_equal(load(tile, B, base), 0);
        store(tile, B, CONTROL(0x90), 2u << 10 * i); /* alone it does nothing */
        assert_int_equal(try_load(tile, B, base), RV_BLOCK);
        assert_int_equal(try_load(tile, i, 0xFFE80000), RV_BLOCK);
    }
}

static void manual_ttsync(void **state)
{
    struct tile *tile = *state;
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(try_load(tile, i, 0xFFE80004), RV_OK);
        assert_int_equal(try_load(tile, i, 0xFFE80008), RV_OK);
        push_barrier(tile, i);
        store(tile, i, PUSH, NOP);
        store(tile, i, 0xFFE80004, 1); /* stores only order */
        assert_int_equal(try_load(tile, i, 0xFFE80004), RV_BLOCK);
        assert_int_equal(try_load(tile, i, 0xFFE80008), RV_OK); /* no MOP */
        store(tile, B, CONTROL(0x90), 3u << 10 * i);
        assert_int_equal(try_load(tile, i, 0xFFE80004), RV_OK);
        store(tile, B, CONTROL(0x90), 1u << 10 * i);
        assert_int_equal(try_load(tile, i, 0xFFE80004), RV_BLOCK);
        assert_int_equal(try_load(tile, (i + 1) % 3, 0xFFE80004), RV_OK);
        open_barrier(tile, i);
        assert_int_equal(try_load(tile, i, 0xFFE80004), RV_OK);
    }
    /* a MOP that cannot leave the expander */
    for (unsigned i = 0; i < 9; i++)
        store(tile, T0, 0xFFB80000 + 4 * i, i < 2 ? 20 : NOP);
    push_barrier(tile, T0);
    store(tile, T0, PUSH, tensix_MOP_encode((struct tensix_MOP){.mop_type = 1}));
    assert_int_equal(try_load(tile, T0, 0xFFE80008), RV_BLOCK);
    assert_int_equal(try_store(tile, T0, 0xFFE80008, 0),
                     RV_OK); /* a lone store waits for nothing */
    open_barrier(tile, T0);
    assert_int_equal(try_load(tile, T0, 0xFFE80008), RV_OK);
}

/* ---- GPRs and Config ---- */

static void gpr_views(void **state)
{
    struct tile *tile = *state;
    for (unsigned thread = 0; thread < 3; thread++)
        for (unsigned i = 0; i < 64; i++)
            store(tile, B, 0xFFE00000 + 0x100 * thread + 4 * i, 1000 * thread + i);
    for (unsigned thread = 0; thread < 3; thread++)
        for (unsigned i = 0; i < 64; i++) {
            assert_int_equal(tile->coproc.gpr.r[thread][i], 1000 * thread + i);
            for (unsigned copy = 0; copy < 16; copy++)
                assert_int_equal(load(tile, thread, 0xFFE00000 + 0x100 * copy + 4 * i),
                                 1000 * thread + i);
        }
    store(tile, T2, 0xFFE00F04, 5);
    assert_int_equal(load(tile, B, 0xFFE00204), 5);
}

static void config_banks(void **state)
{
    struct tile *tile = *state;
    static const uint8_t writers[] = {T0, T1, T2, B};
    for (unsigned i = 8; i < 224; i++) { /* the first words have effects of their own */
        unsigned who = writers[i % 4];
        store(tile, who, 0xFFEF0000 + 4 * i, 3 * i);
        store(tile, who, 0xFFEF0380 + 4 * i, 5 * i);
        assert_int_equal(load(tile, B, 0xFFEF0000 + 4 * i), i < 180 ? 3 * i : 5 * i);
        assert_int_equal(load(tile, T1, 0xFFEF0380 + 4 * i), 5 * i);
        store(tile, who, 0xFFEF0700 + 4 * i, 7 * i);
        assert_int_equal(load(tile, B, 0xFFEF0000 + 4 * i), 7 * i);
        assert_int_equal(load(tile, T1, 0xFFEF0380 + 4 * i), 7 * i);
    }
}

static void thread_config_is_read_only(void **state)
{
    struct tile *tile = *state;
    for (unsigned thread = 0; thread < 3; thread++) {
        store(tile, thread, PUSH, setc16(60, 0x1230 + thread));
        settle(tile);
    }
    for (unsigned thread = 0; thread < 3; thread++) {
        uint32_t address = 0xFFEF0A80 + 0x110 * thread + 4 * 60;
        assert_int_equal(load(tile, B, address), 0x1230 + thread);
        store(tile, B, address, 0);
        assert_int_equal(load(tile, T2, address), 0x1230 + thread);
        /* the debug bus sees it, too */
        store(tile, NOC, CONTROL(0x58), 3 * 224 + 68 * thread + 60);
        assert_int_equal(load(tile, NOC, CONTROL(0x78)), 0x1230 + thread);
    }
    assert_int_equal(told(tile, DIAG_READ_ONLY), 3);
}

/* ---- pushes ---- */

static void pushes_enter_their_own_queue(void **state)
{
    struct tile *tile = *state;
    for (unsigned thread = 0; thread < 3; thread++) {
        store(tile, thread, PUSH + 0x1230, setdmareg(2 * thread, 0x100 + thread)); /* any address */
        store(tile, B, PUSH + 0x10000 * thread, setdmareg(20, 0x200 + thread));
    }
    settle(tile);
    for (unsigned thread = 0; thread < 3; thread++) {
        assert_int_equal(load(tile, thread, 0xFFE00000 + 4 * thread), 0x100 + thread);
        assert_int_equal(load(tile, thread, 0xFFE00000 + 4 * 10), 0x200 + thread);
    }
    for (unsigned thread = 0; thread < 3; thread++)
        for (uint32_t window = 0xFFE50000; window < 0xFFE70000; window += 0x10000)
            assert_int_equal(try_store(tile, thread, window, NOP), RV_BLOCK);
    assert_int_equal(told(tile, DIAG_CORE_HANGS), 6);
}

/* B enters behind the MOP expander: its MOP reaches the gate as it is. */
static void b_enters_behind_the_expander(void **state)
{
    struct tile *tile = *state;
    store(tile, B, PUSH, tensix_MOP_encode((struct tensix_MOP){0}));
    settle(tile);
    assert_int_equal(told(tile, DIAG_EXPANDER_WORD), 1);
}

static void full_queues_block(void **state)
{
    struct tile *tile = *state;
    push_barrier(tile, T1);
    unsigned own = 0, b = 0;
    while (try_store(tile, B, 0xFFE50000, NOP) == RV_OK)
        assert_true(++b < 100);
    while (try_store(tile, T1, PUSH, NOP) == RV_OK)
        assert_true(++own < 100);
    assert_int_equal(b, 10);   /* 2 at the gate, 8 before the Replay expander */
    assert_int_equal(own, 29); /* not with more than 28 tracked */
    assert_int_equal(load(tile, NOC, CONTROL(0xA8)), 0x55);
    open_barrier(tile, T1);
    assert_int_equal(load(tile, NOC, CONTROL(0xA8)), 0x77);
    store(tile, T1, PUSH, NOP);
}

static void debug_bus_pushes(void **state)
{
    struct tile *tile = *state;
    for (unsigned thread = 0; thread < 3; thread++) {
        uint32_t own = 1u << thread, edge = 0x10u << thread;
        store(tile, NOC, CONTROL(0xA4), setdmareg(2 * thread, 0x55));
        store(tile, NOC, CONTROL(0xA0), edge); /* without control */
        store(tile, NOC, CONTROL(0xA0), 0);
        settle(tile);
        assert_int_equal(tile->coproc.gpr.r[thread][thread], 0);
        store(tile, NOC, CONTROL(0xA0), own);
        store(tile, thread, PUSH, setdmareg(40, 1)); /* lost */
        store(tile, B, PUSH + 0x10000 * thread, setdmareg(42, 1));
        assert_int_equal(told(tile, DIAG_DEBUG_BUS_LOST), 2 * thread + 2);
        store(tile, NOC, CONTROL(0xA0), own | edge);
        store(tile, NOC, CONTROL(0xA4), setdmareg(2 * thread, 0x66));
        store(tile, NOC, CONTROL(0xA0), own | edge); /* no edge */
        settle(tile);
        assert_int_equal(tile->coproc.gpr.r[thread][thread], 0x55);
        store(tile, NOC, CONTROL(0xA0), 0);
        store(tile, thread, PUSH, setdmareg(44, 1));
        settle(tile);
        assert_int_equal(tile->coproc.gpr.r[thread][20] | tile->coproc.gpr.r[thread][21], 0);
        assert_int_equal(tile->coproc.gpr.r[thread][22], 1);
    }
    push_barrier(tile, T0);
    store(tile, NOC, CONTROL(0xA4), NOP);
    for (unsigned i = 0; i < 12; i++) {
        store(tile, NOC, CONTROL(0xA0), 0x11);
        store(tile, NOC, CONTROL(0xA0), 0x01);
    }
    assert_int_equal(told(tile, DIAG_DEBUG_BUS_FULL), 2);
}

static void mop_configuration_is_per_thread(void **state)
{
    struct tile *tile = *state;
    for (unsigned thread = 0; thread < 3; thread++)
        for (unsigned i = 0; i < 9; i++)
            store(tile, thread, 0xFFB80000 + 4 * i, 100 * thread + i);
    settle(tile);
    for (unsigned thread = 0; thread < 3; thread++)
        for (unsigned i = 0; i < 9; i++)
            assert_int_equal(tile->coproc.fe[thread].mop.cfg[i], 100 * thread + i);
    assert_int_equal(load(tile, T0, 0xFFB80000), 0);
    assert_int_equal(told(tile, DIAG_WRITE_ONLY), 1);
}

/* ---- memories and registers ---- */

static void data_ram_has_two_addresses(void **state)
{
    struct tile *tile = *state;
    static const uint32_t slow[] = {0xFFB18000, 0xFFB1A000, 0xFFB1C000, 0xFFB14000, 0xFFB16000};
    for (unsigned core = T0; core <= NC; core++) {
        uint32_t size = core <= T2 ? 0x1000 : 0x2000;
        store(tile, core, 0xFFB00000 + size - 4, 0x77 + core);
        store(tile, core, 0xFFB00000, 0x88 + core);
        for (unsigned who = T0; who <= NOC; who++) {
            assert_int_equal(load(tile, who, slow[core] + size - 4), 0x77 + core);
            assert_int_equal(load(tile, who, slow[core] + 0x2000 - 4), 0x77 + core);
            assert_int_equal(load(tile, who, slow[core]), 0x88 + core);
        }
        if (core <= T2)
            assert_int_equal(load(tile, B, slow[core] + 0x1000), 0x88 + core);
        store(tile, NOC, slow[core] + 8, 0x99);
        assert_int_equal(load(tile, core, 0xFFB00008), 0x99);
    }
}

static void wall_clock_halves(void **state)
{
    struct tile *tile = *state;
    tile->order.time = UINT64_C(0x1234567890);
    assert_int_equal(load(tile, T0, CONTROL(0x1F0)), 0x34567890);
    tile->order.time = UINT64_C(0x5600000001);
    assert_int_equal(load(tile, T0, CONTROL(0x1F8)), 0x12); /* of when the low half was read */
    assert_int_equal(load(tile, T0, CONTROL(0x1F4)), 0x56);
    store(tile, T0, CONTROL(0x1F0), 9);
    assert_int_equal(load(tile, T0, CONTROL(0x1F0)), 1);
    assert_int_equal(load(tile, T0, CONTROL(0x1F8)), 0x56);
}

static void pc_snapshots(void **state)
{
    static const uint8_t order[] = {B, NC, T0, T1, T2};
    struct tile *tile = *state;
    for (unsigned i = 0; i < 5; i++)
        tile->core[order[i]].pc = 0x100 * i + 0x40;
    for (unsigned i = 0; i < 5; i++)
        assert_int_equal(load(tile, NOC, 0xFFB13138 + 4 * i), 0x100 * i + 0x40);
}

static void overlay_registers(void **state)
{
    struct tile *tile = *state;
    for (unsigned stream = 0; stream < 64; stream++)
        for (unsigned i = 60; i < 223; i += 37) /* those without an effect */
            store(tile, stream % 6, 0xFFB40000 + 0x1000 * stream + 4 * i, 1000 * stream + i);
    for (unsigned stream = 0; stream < 64; stream++)
        for (unsigned i = 60; i < 223; i += 37) {
            assert_int_equal(load(tile, NOC, 0xFFB40000 + 0x1000 * stream + 4 * i),
                             1000 * stream + i);
            assert_int_equal(tile->coproc.stream.reg[stream][i], 1000 * stream + i);
        }
}

/* ---- status CSRs ---- */

static void queue_status(void **state)
{
    static const struct {
        uint32_t word;
        unsigned bits;
    } kind[] = {
        {NOP, 0},
        {(uint32_t)TENSIX_OP_REPLAY << 24 | 1 << 4, 1u << 0},     /* plays */
        {(uint32_t)TENSIX_OP_REPLAY << 24 | 1 << 4 | 1, 0},       /* records only */
        {(uint32_t)TENSIX_OP_REPLAY << 24 | 1 << 4 | 3, 1u << 0}, /* records and executes */
        {(uint32_t)TENSIX_OP_MOP << 24, 1u << 1},
        {(uint32_t)TENSIX_OP_MOP_CFG << 24, 0},
        {(uint32_t)TENSIX_OP_SETDMAREG << 24, 1u << 2 | 1u << 8},
        {(uint32_t)TENSIX_OP_XMOV << 24, 1u << 3 | 1u << 8},
        {(uint32_t)TENSIX_OP_UNPACR << 24, 1u << 4 | 1u << 8},
        {(uint32_t)TENSIX_OP_PACR << 24, 1u << 5 | 1u << 8},
        {(uint32_t)TENSIX_OP_WRCFG << 24, 1u << 6},
        {(uint32_t)TENSIX_OP_SEMPOST << 24, 1u << 7},
        {(uint32_t)TENSIX_OP_SETADC << 24, 1u << 8},
        {(uint32_t)TENSIX_OP_SFPNOP << 24, 1u << 9},
        {(uint32_t)TENSIX_OP_ELWADD << 24, 1u << 10},
    };
    const uint32_t lanes = 1u << 11 | 1u << 24; /* sfpu_cc */
    struct tile *tile = *state;
    for (unsigned i = 0; i < sizeof kind / sizeof kind[0]; i++)
        for (unsigned thread = 0; thread < 3; thread++) {
            memset(tile, 0, offsetof(struct tile, l1_bytes));
            tile_reset(tile);
            push_barrier(tile, thread);
            for (unsigned n = 0; n < 12; n++) /* so that the word stays in the first queue */
                store(tile, thread, PUSH, NOP);
            uint32_t before = tile_bus.status(tile, thread, 0xBC0);
            store(tile, thread, PUSH, kind[i].word);
            for (unsigned core = T0; core <= NC; core++) {
                uint32_t own = core == thread || core > T2 ? kind[i].bits : 0;
                assert_int_equal(tile_bus.status(tile, core, 0xBC0),
                                 own | kind[i].bits << 13 | lanes);
                assert_int_equal(tile_bus.status(tile, core, 0xBC1), own | kind[i].bits << 11);
            }
            assert_int_equal(before, lanes);
        }
}

/* sfpu_cc, bits 11 and 24 of 0xBC0: is any lane of the Vector Unit enabled? By flags, and by ROW_MASK. */
static void lanes_status(void **state)
{
    struct tile *tile = *state;
    const uint32_t cc = 1u << 11 | 1u << 24, use = 0x8A00100Au; /* SFPENCC: use flags, all 0 */
    store(tile, T1, PUSH, use);
    settle(tile);
    assert_int_equal(tile_bus.status(tile, T0, 0xBC0) & cc, 0);
    assert_int_equal(tile_bus.status(tile, RV_B, 0xBC0) & cc, 0);
    tile->coproc.vector.lanes.flags = 1u << 17;
    assert_int_equal(tile_bus.status(tile, T0, 0xBC0) & cc, cc);
    for (unsigned i = 0; i < LANES; i++)
        tile->coproc.vector.lanes.config[i] = 0x4000; /* row 2 is off */
    lanes_configured(&tile->coproc.vector.lanes);
    assert_int_equal(tile_bus.status(tile, T0, 0xBC0) & cc, 0);
    store(tile, T1, PUSH, 0x8A000002u); /* flags are not used */
    settle(tile);
    assert_int_equal(tile_bus.status(tile, T0, 0xBC0) & cc, cc);
}

/* Phase and messages of the streams that a thread's ThreadConfig names; B and NC have none. */
static void stream_status(void **state)
{
    struct tile *tile = *state;
    for (unsigned thread = 0; thread < 3; thread++)
        for (unsigned i = 0; i < 4; i++) {
            unsigned id = 10 * thread + i + 1;
            tile->coproc.config.thread[thread][63 + i] = (uint16_t)id;
            coproc_port_stream_write(&tile->coproc, id, 29, 1000 + id);
            coproc_port_stream_write(&tile->coproc, id, 259, 2000 + id);
        }
    for (unsigned thread = 0; thread < 3; thread++)
        for (unsigned i = 0; i < 4; i++) {
            assert_int_equal(tile_bus.status(tile, thread, 0xBC2 + i), 1001 + 10 * thread + i);
            assert_int_equal(tile_bus.status(tile, thread, 0xBC6 + i), 2001 + 10 * thread + i);
        }
    assert_int_equal(tile_bus.status(tile, RV_B, 0xBC2), 0);
}

/* An UNPACR that waits inside its unpacker has left the front end: only 0xBC1 still shows it. */
static void busy_status(void **state)
{
    struct tile *tile = *state;
    uint32_t unpacr = (uint32_t)TENSIX_OP_UNPACR << 24 | 1u << 6, lanes = 1u << 11 | 1u << 24;
    src_set_owner(&tile->coproc.src, SRC_A, 0, SRC_MATRIX);
    assert_true(coproc_port_push(&tile->coproc, 0, &unpacr, 1, 0));
    while (tile_advance(tile))
        ;
    assert_int_equal(tile->coproc.issued[0], 1);
    uint32_t kinds = 1u << 4 | 1u << 8;
    assert_int_equal(tile_bus.status(tile, RV_T0, 0xBC0), lanes);
    assert_int_equal(tile_bus.status(tile, RV_T0, 0xBC1), kinds | kinds << 11);
    assert_int_equal(tile_bus.status(tile, RV_T1, 0xBC1), kinds << 11);
    assert_int_equal(tile_bus.status(tile, RV_NC, 0xBC1), kinds | kinds << 11);
}

TEST_MAIN(TILE_TEST(mailboxes_join_every_pair), TILE_TEST(mailboxes_hold_four_in_sum),
          TILE_TEST(pc_buffers_are_sixteen_deep), TILE_TEST(pc_buffer_reads_by_b),
          TILE_TEST(pc_buffer_override), TILE_TEST(manual_ttsync), TILE_TEST(gpr_views),
          TILE_TEST(config_banks), TILE_TEST(thread_config_is_read_only),
          TILE_TEST(pushes_enter_their_own_queue), TILE_TEST(b_enters_behind_the_expander),
          TILE_TEST(full_queues_block), TILE_TEST(debug_bus_pushes),
          TILE_TEST(mop_configuration_is_per_thread), TILE_TEST(data_ram_has_two_addresses),
          TILE_TEST(wall_clock_halves), TILE_TEST(pc_snapshots), TILE_TEST(overlay_registers),
          TILE_TEST(queue_status), TILE_TEST(lanes_status), TILE_TEST(stream_status),
          TILE_TEST(busy_status))
