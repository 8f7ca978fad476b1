/*
 * test_bus.c - who reaches what: every region of the memory map for every agent, at its first and last
 * word, one past its end, with its rights and sizes; seed 004's table of who reaches semaphores.
 *
 * The table below is typed from the ISA page BabyRISCV/README (Blackhole) and the pages of the regions,
 * not from map.def. Where a page gives a region and another one the registers in it, the registers count
 * (GPRs of B, semaphores, Config); the rest of the region is a diagnostic.
 */
#include "tile_drive.h"

enum {
    T = 1u << T0 | 1u << T1 | 1u << T2,
    ALL = T | 1u << B | 1u << NC | 1u << NOC,
    TB = T | 1u << B
};

struct region {
    uint32_t first, last;
    unsigned who;
    char load, store; /* 'y' answers, '-' is reported and does nothing, 'w' waits, '?' not asked */
};

static const struct region regions[] = {
    {0x00000000, 0x0017FFFF, ALL, 'y', 'y'},                /* L1 */
    {0xFFB00000, 0xFFB00FFF, T, 'y', 'y'},                  /* own data RAM, 4 KiB */
    {0xFFB00000, 0xFFB01FFF, 1u << B | 1u << NC, 'y', 'y'}, /* 8 KiB */
    {0xFFB11000, 0xFFB11FFF, TB, 'y', 'y'},                 /* TDMA-RISC */
    {0xFFB12000, 0xFFB12FFF, ALL, 'y', 'y'},                /* control */
    {0xFFB13000, 0xFFB13137, ALL, 'y', 'y'},                /* PIC */
    {0xFFB13138, 0xFFB1314B, ALL, 'y', '-'},                /* program counters */
    {0xFFB14000, 0xFFB15FFF, ALL, 'y', 'y'},                /* data RAM of B */
    {0xFFB16000, 0xFFB17FFF, ALL, 'y', 'y'},                /* of NC */
    {0xFFB18000, 0xFFB19FFF, ALL, 'y', 'y'},                /* of T0, twice */
    {0xFFB1A000, 0xFFB1BFFF, ALL, 'y', 'y'},                /* of T1 */
    {0xFFB1C000, 0xFFB1DFFF, ALL, 'y', 'y'},                /* of T2 */
    {0xFFB20000, 0xFFB2FFFF, ALL, 'y', '?'},                /* NIU 0 */
    {0xFFB30000, 0xFFB3FFFF, ALL, 'y', '?'},                /* NIU 1 */
    {0xFFB40000, 0xFFB7FFFF, ALL, 'y', 'y'},                /* overlay */
    {0xFFB80000, 0xFFB80023, T, '-', 'y'},                  /* MopCfg */
    {0xFFBD8000, 0xFFBDFFFF, T, 'y', 'y'},                  /* Dst */
    {0xFFE00000, 0xFFE00FFF, T, 'y', 'y'},                  /* GPRs */
    {0xFFE00000, 0xFFE002FF, 1u << B, 'y', 'y'},            /* three times 64 */
    {0xFFE40000, 0xFFE4FFFF, T, '-', 'y'},                  /* push to the own thread */
    {0xFFE50000, 0xFFE6FFFF, T, '-', 'w'},                  /* hangs */
    {0xFFE40000, 0xFFE6FFFF, 1u << B, '-', 'y'},            /* push to T0, T1, T2 */
    {0xFFE80000, 0xFFE80003, T, 'w', 'y'},                  /* PC buffer, T side */
    {0xFFE80004, 0xFFE8000B, T, 'y', 'y'},                  /* manual TTSync */
    {0xFFE80020, 0xFFE8003F, T, 'y', 'y'},                  /* semaphores */
    {0xFFE80000, 0xFFEAFFFF, 1u << B, 'w', 'y'},            /* PC buffers, B side */
    {0xFFEC0000, 0xFFEC3FFF, TB, '?', 'y'},                 /* mailboxes */
    {0xFFEF0000, 0xFFEF0A7F, TB, 'y', 'y'},                 /* Config */
    {0xFFEF0A80, 0xFFEF0DAF, TB, 'y', '-'},                 /* ThreadConfig */
};

#define N_REGIONS (sizeof regions / sizeof regions[0])

static const struct region *region_of(unsigned who, uint32_t address)
{
    for (unsigned i = 0; i < N_REGIONS; i++)
        if ((regions[i].who >> who & 1) && address >= regions[i].first &&
            address <= regions[i].last)
            return &regions[i];
    return NULL;
}

/* One load and one store of a word, on a fresh tile, against the table. */
static void probe_word(struct tile *tile, unsigned who, uint32_t address)
{
    const struct region *r = region_of(who, address);
    uint32_t value;
    memset(tile, 0, offsetof(struct tile, l1_bytes));
    tile_reset(tile);
    if (!r) {
        assert_int_equal(tile_bus_load(tile, who, address, &value), RV_FAULT);
        assert_int_equal(value, 0);
        assert_int_equal(told(tile, DIAG_NOC_UNMAPPED), who == NOC);
        for (unsigned size = 1; size <= 4; size *= 2)
            assert_int_equal(tile_bus_store(tile, who, address, size, 1), RV_FAULT);
        return;
    }
    if (r->load != '?') {
        enum rv_status status = tile_bus_load(tile, who, address, &value);
        assert_int_equal(status, r->load == 'w' ? RV_BLOCK : RV_OK);
        assert_int_equal(told(tile, DIAG_WRITE_ONLY), r->load == '-');
    }
    if (r->store != '?') {
        enum rv_status status = tile_bus_store(tile, who, address, 4, 0);
        assert_int_equal(status, r->store == 'w' ? RV_BLOCK : RV_OK);
        assert_int_equal(told(tile, DIAG_READ_ONLY), r->store == '-');
        assert_int_equal(told(tile, DIAG_CORE_HANGS), r->store == 'w');
    }
}

static void edges_of_every_region(void **state)
{
    struct tile *tile = *state;
    for (unsigned i = 0; i < N_REGIONS; i++)
        for (unsigned who = T0; who <= NOC; who++) {
            const struct region *r = &regions[i];
            probe_word(tile, who, r->first);
            probe_word(tile, who, r->last & ~3u);
            probe_word(tile, who, r->last + 1);
            if (r->first)
                probe_word(tile, who, r->first - 4);
            probe_word(tile, who, (r->first + (r->last - r->first) / 2) & ~3u);
        }
}

/* The emulator's own table claims nothing more and nothing less, at every 4 KiB and around. */
static void no_other_address_answers(void **state)
{
    (void)state;
    for (unsigned who = T0; who <= NOC; who++)
        for (uint32_t page = 0; page < 0x100000; page++) {
            if (page >= 0x200 && page < 0xFFA00 && page % 0x111)
                continue;
            for (unsigned i = 0; i < 3; i++) {
                uint32_t address = (page << 12) + (i == 0 ? 0 : i == 1 ? 0x7fc : 0xffc);
                bool reached = map_find(who, address).region != MAP_NOTHING;
                assert_int_equal(reached, region_of(who, address) != NULL);
            }
        }
    for (unsigned who = T0; who <= NOC; who++) /* the dense part, word by word */
        for (uint32_t address = 0xFFE80000; address < 0xFFE80100; address += 4)
            assert_int_equal(map_find(who, address).region != MAP_NOTHING,
                             region_of(who, address) != NULL);
}

static void bytes_and_halves(void **state)
{
    static const uint32_t memory[] = {0x4000,
                                      0xFFB14010,
                                      0xFFB16010,
                                      0xFFB18010,
                                      0xFFB1A010,
                                      0xFFB1C010,
                                      0xFFB12224,
                                      0xFFB130A8,
                                      0xFFB40340};
    struct tile *tile = *state;
    for (unsigned i = 0; i < sizeof memory / sizeof memory[0]; i++)
        for (unsigned who = T0; who <= NOC; who++) {
            uint32_t at = memory[i];
            store(tile, who, at, 0x11223344);
            assert_int_equal(tile_bus_store(tile, who, at + 1, 1, 0xAA), RV_OK);
            assert_int_equal(load(tile, who, at), 0x1122AA44);
            assert_int_equal(tile_bus_store(tile, who, at + 2, 2, 0xBBCC), RV_OK);
            assert_int_equal(load(tile, who, at), 0xBBCCAA44);
            if (who == NOC)
                continue;
            uint32_t value;
            assert_int_equal(tile_bus.load(tile, who, at + 3, 1, &value), RV_OK);
            assert_int_equal(value, 0xBB);
            assert_int_equal(tile_bus.load(tile, who, at, 2, &value), RV_OK);
            assert_int_equal(value, 0xAA44);
        }
    store(tile, T0, 0xFFE00010, 0x01020304);
    assert_int_equal(tile_bus_store(tile, T0, 0xFFE00012, 1, 0xEE), RV_OK);
    assert_int_equal(load(tile, T0, 0xFFE00010), 0x01EE0304);
    /* Config takes whole words only */
    store(tile, T0, 0xFFEF0010 + 4, 0x01020304);
    assert_int_equal(tile_bus_store(tile, T0, 0xFFEF0014, 1, 0xEE), RV_OK);
    assert_int_equal(tile_bus_store(tile, T0, 0xFFEF0014, 2, 0xEE), RV_OK);
    assert_int_equal(told(tile, DIAG_CONFIG_WIDTH), 2);
    assert_int_equal(load(tile, T0, 0xFFEF0014), 0x01020304);
}

/* What a core meets at an address where it reaches nothing. */
static void unmapped_is_reported(void **state)
{
    struct tile *tile = *state;
    uint32_t at = 0x12000;
    put_li(tile, &at, 10, 0xFFE80020);
    RV_PUT(tile, &at, ADDI, .rd = 11, .imm = 7);
    RV_PUT(tile, &at, LW, .rd = 11, .rs1 = 10);
    RV_PUT(tile, &at, SW, .rs2 = 11, .rs1 = 10);
    RV_PUT(tile, &at, EBREAK, .rd = 0);
    release(tile, NC);
    tile_run(tile, 100);
    assert_int_equal(told(tile, DIAG_RV_BUS), 2);
    assert_int_equal(tile->core[NC].x[11], 0);
    assert_int_equal(tile->core[NC].stop, RV_STOP_EBREAK);
    uint32_t word = 5;
    assert_false(tile_read(tile, 0xFFE00000, &word, 4));
    assert_int_equal(word, 0);
    assert_false(tile_write(tile, 0xFFE00000, &word, 4));
    assert_int_equal(told(tile, DIAG_NOC_UNMAPPED), 2);
}

/* ---- seed 004 ---- */

struct seed004 {
    unsigned core;
    bool pushes, region;
};

static void seed_004_access_table(void **state)
{
    static const struct seed004 table[] = {
        {B, true, false}, {NC, false, false}, {T0, true, true}, {T1, true, true}, {T2, true, true}};
    struct tile *tile = *state;
    for (unsigned i = 0; i < 5; i++) {
        const struct seed004 *s = &table[i];
        memset(tile, 0, sizeof *tile);
        tile_reset(tile);
        for (unsigned sem = 0; sem < 8; sem++) {
            /* the word that B's firmware makes: Max 1, value 0 */
            uint32_t init = 0xa3100000 | 1u << (sem + 2), address = 0xFFE80020 + 4 * sem;
            enum rv_status pushed = try_store(tile, s->core, 0xFFE40000, init);
            settle(tile);
            assert_int_equal(pushed, s->pushes ? RV_OK : RV_FAULT);
            assert_int_equal(tile->coproc.sync.sem[sem].max, s->pushes ? 1 : 0);
            enum rv_status posted = try_store(tile, s->core, address, 0);
            assert_int_equal(tile->coproc.sync.sem[sem].value, s->region ? 1 : 0);
            if (s->region) {
                assert_int_equal(posted, RV_OK);
                assert_int_equal(load(tile, s->core, address), 1);
                store(tile, s->core, address, 1);
                assert_int_equal(load(tile, s->core, address), 0);
            } else {
                assert_int_equal(posted, s->core == B ? RV_OK : RV_FAULT); /* B: a PC buffer */
            }
        }
    }
}

static void semaphore_window(void **state)
{
    struct tile *tile = *state;
    for (unsigned i = 0; i < 17; i++) /* no regard for Max, up to 15 */
        store(tile, i % 3, 0xFFE8003C, 2 * i);
    for (unsigned who = T0; who <= T2; who++)
        assert_int_equal(load(tile, who, 0xFFE8003C), 15);
    for (unsigned i = 0; i < 17; i++)
        store(tile, i % 3, 0xFFE8003C, 2 * i + 1);
    assert_int_equal(load(tile, T1, 0xFFE8003C), 0);
    assert_int_equal(load(tile, T1, 0xFFE80038), 0);
}

/* Without time: what a core has pushed runs before it, or anybody, sees or does anything else. */
static void pushes_run_before_other_accesses(void **state)
{
    struct tile *tile = *state;
    const uint32_t sem = 0xFFE80020, push = 0xFFE40000;
    struct tensix_SEMINIT init = {.max_value = 15, .init_value = 3, .sem_sel = 1u << 2};
    struct tensix_SEMPOST post = {.sem_sel = 1u << 2};
    store(tile, T1, push, tensix_SEMINIT_encode(init));
    assert_int_equal(load(tile, T0, sem + 8), 3);
    for (unsigned i = 0; i < 5; i++)
        store(tile, T1, push, tensix_SEMPOST_encode(post));
    store(tile, T0, sem + 8, 1); /* takes one */
    assert_int_equal(tile->coproc.issued[1], 6);
    assert_int_equal(load(tile, T1, sem + 8), 7);
}

/* Without time: a thread that is held stops its core when the queue is full, and nothing is lost. */
static void a_full_queue_refuses_and_loses_nothing(void **state)
{
    struct tile *tile = *state;
    const uint32_t sem = 0xFFE80020, push = 0xFFE40000;
    struct tensix_SEMINIT init = {.max_value = 15, .sem_sel = 3};
    struct tensix_SEMWAIT wait = {.stall_res = 0x1ff, .sem_sel = 1, .wait_sem_cond = 1};
    struct tensix_SEMPOST post = {.sem_sel = 2};
    unsigned n = 0;
    store(tile, T2, push, tensix_SEMINIT_encode(init));
    store(tile, T2, push, tensix_SEMWAIT_encode(wait));
    while (n < 100 && try_store(tile, T2, push, tensix_SEMPOST_encode(post)) == RV_OK)
        n++;
    assert_in_range(n, 8, 32);
    assert_int_equal(load(tile, T2, sem + 4), 0);
    store(tile, T0, sem, 0); /* what it waits for */
    settle(tile);
    assert_int_equal(load(tile, T2, sem + 4), n < 15 ? n : 15);
    assert_int_equal(tile->coproc.issued[2], 2 + n);
}

TEST_MAIN(TILE_TEST(edges_of_every_region), cmocka_unit_test(no_other_address_answers),
          TILE_TEST(bytes_and_halves), TILE_TEST(unmapped_is_reported),
          TILE_TEST(seed_004_access_table), TILE_TEST(semaphore_window),
          TILE_TEST(pushes_run_before_other_accesses),
          TILE_TEST(a_full_queue_refuses_and_loses_nothing))
