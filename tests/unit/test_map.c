/*
 * test_map.c - which core reaches what at which address.
 *
 * Facts: MopCfg at 0xFFB80000 for T cores only; semaphores at 0xFFE80020 .. 0xFFE8003C for T cores
 * only, B has its PC buffers there; B pushes at 0xFFE40000, 0xFFE50000, 0xFFE60000, a T core only at
 * the first and hangs at the others; NC reaches none of it.
 */
#include "test.h"

#include "tile/map.h"

static void regions(unsigned core, uint32_t address, unsigned region, unsigned thread,
                    unsigned index)
{
    struct map_hit hit = map_find(core, address);
    assert_int_equal(hit.region, region);
    assert_int_equal(hit.thread, thread);
    assert_int_equal(hit.index, index);
}

static void semaphores_are_for_t_cores(void **state)
{
    (void)state;
    for (unsigned sem = 0; sem < 8; sem++) {
        uint32_t address = 0xFFE80020u + 4 * sem;
        for (unsigned core = MAP_CORE_T0; core <= MAP_CORE_T2; core++)
            regions(core, address, MAP_SEM, core, sem);
        assert_int_equal(map_find(MAP_CORE_B, address).region, MAP_PC_BUF_B);
        assert_int_equal(map_find(MAP_CORE_NC, address).region, MAP_NOTHING);
    }
    assert_int_equal(map_find(MAP_CORE_T0, 0xFFE8001C).region, MAP_NOTHING);
    assert_int_equal(map_find(MAP_CORE_T0, 0xFFE80040).region, MAP_NOTHING);
}

static void pushes(void **state)
{
    (void)state;
    for (unsigned core = MAP_CORE_T0; core <= MAP_CORE_T2; core++) {
        regions(core, 0xFFE40000, MAP_PUSH, core, 0);
        assert_int_equal(map_find(core, 0xFFE50000).region, MAP_PUSH_HANGS);
        assert_int_equal(map_find(core, 0xFFE60000).region, MAP_PUSH_HANGS);
    }
    for (unsigned thread = 0; thread < 3; thread++)
        regions(MAP_CORE_B, 0xFFE40000u + 0x10000u * thread, MAP_PUSH_B, thread, 0);
    assert_int_equal(map_find(MAP_CORE_NC, 0xFFE40000).region, MAP_NOTHING);
}

static void mop_configuration(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 9; i++)
        for (unsigned core = MAP_CORE_T0; core <= MAP_CORE_T2; core++)
            regions(core, 0xFFB80000u + 4 * i, MAP_MOP_CFG, core, i);
    assert_int_equal(map_table[MAP_MOP_CFG].access, MAP_WRITE);
    assert_int_equal(map_find(MAP_CORE_T0, 0xFFB80024).region, MAP_NOTHING);
    assert_int_equal(map_find(MAP_CORE_B, 0xFFB80000).region, MAP_NOTHING);
    assert_int_equal(map_find(MAP_CORE_NC, 0xFFB80000).region, MAP_NOTHING);
}

static void registers_and_configuration(void **state)
{
    (void)state;
    regions(MAP_CORE_T1, 0xFFE00000 + 4 * 63, MAP_GPR, 1, 63);
    regions(MAP_CORE_T1, 0xFFE00000 + 256 + 4 * 5, MAP_GPR, 1, 5);
    regions(MAP_CORE_B, 0xFFE00000 + 512 + 4 * 7, MAP_GPR_ALL, 2, 7);
    regions(MAP_CORE_B, 0xFFEF0000 + 4 * 12, MAP_CONFIG, 0, 12);
    regions(MAP_CORE_T2, 0xFFEF0380 + 4 * 223, MAP_CONFIG, 1, 223);
    regions(MAP_CORE_T2, 0xFFEF0700, MAP_CONFIG, 2, 0);
    assert_int_equal(map_find(MAP_CORE_T0, 0xFFEF0A80).region, MAP_THREAD_CONFIG);
    assert_int_equal(map_table[MAP_THREAD_CONFIG].access, MAP_READ);
    regions(MAP_CORE_T0, 0xFFE80004, MAP_TTSYNC_THREAD, 0, 0);
    regions(MAP_CORE_T0, 0xFFE80008, MAP_TTSYNC_MOP, 0, 0);
}

/* The shortcut must not pass over a row. */
static void every_window_is_found_as_by_looking_at_all_rows(void **state)
{
    (void)state;
    for (unsigned i = 1; i < N_MAP_REGIONS; i++)
        for (unsigned k = 0; k < 5 * N_MAP_CORES; k++) {
            const struct map_info *m = &map_table[i];
            const uint32_t at[] = {m->base - 4,
                                   m->base,
                                   m->base + m->size / 2 / 4 * 4,
                                   m->base + m->size - 4,
                                   m->base + m->size};
            uint32_t address = at[k % 5];
            unsigned core = k / 5, row = 1;
            while (row < N_MAP_REGIONS &&
                   (!((map_table[row].cores >> core) & 1) || address < map_table[row].base ||
                    address - map_table[row].base >= map_table[row].size))
                row++;
            assert_int_equal(map_find(core, address).region,
                             row < N_MAP_REGIONS ? row : MAP_NOTHING);
        }
}

TEST_MAIN(cmocka_unit_test(every_window_is_found_as_by_looking_at_all_rows),
          cmocka_unit_test(semaphores_are_for_t_cores), cmocka_unit_test(pushes),
          cmocka_unit_test(mop_configuration), cmocka_unit_test(registers_and_configuration))
