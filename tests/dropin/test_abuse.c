/*
 * test_abuse.c - nothing a caller does to the ten functions ends the process or touches memory that is
 * not its own. Linked with the functions themselves, so that sanitizers see everything.
 */
#define _POSIX_C_SOURCE 200809L
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chip/chip.h"
#include "dropin/host.h"
#include "dropin/rv.h"
#include "dropin/ttsim.h"

static const uint64_t addresses[] = {
    0,
    UINT64_C(0x100000000), /* BAR0 */
    UINT64_C(0x1000FFFFF),
    UINT64_C(0x1193FFFFE), /* the end of the last window */
    UINT64_C(0x119400000), /* behind it */
    UINT64_C(0x11FC00000), /* registers of the windows */
    UINT64_C(0x11FC009D5), /* their end */
    UINT64_C(0x11FD04000),
    UINT64_C(0x11FD14FFE),
    UINT64_C(0x11FFFFFFE),
    UINT64_C(0x120000000), /* BAR2 */
    UINT64_C(0x1200FFFFD),
    UINT64_C(0x800000000), /* BAR4 */
    UINT64_C(0xFFFFFFFFE),
    UINT64_C(0x1000000000),
    UINT64_MAX,
    UINT64_MAX - 3,
};
static const uint32_t sizes[] = {0, 1, 2, 3, 4, 5, 64, 4096};
#define N(a) (sizeof(a) / sizeof *(a))

static uint8_t *bytes; /* exactly as large as the largest access, so that ASan sees one more */

/* Every function, with everything above. */
static void call_all(void)
{
    for (unsigned i = 0; i < N(addresses); i++) {
        uint64_t a = addresses[i];
        for (unsigned k = 0; k < N(sizes); k++) {
            uint8_t *end = bytes + 4096 - sizes[k];
            libttsim_pci_mem_rd_bytes(a, end, sizes[k]);
            libttsim_tile_rd_bytes(1, 2, a, end, sizes[k]);
            libttsim_tile_rd_bytes((uint32_t)a, (uint32_t)(a >> 7), a, end, sizes[k]);
            libttsim_tile_wr_bytes(16, 11, a, end, sizes[k]);
            libttsim_tile_wr_bytes(UINT32_MAX, 2, a, end, sizes[k]);
            libttsim_pci_mem_wr_bytes(a, end, sizes[k]);
            libttsim_pci_mem_rd_bytes(a, NULL, sizes[k]);
            libttsim_pci_mem_wr_bytes(a, NULL, sizes[k]);
            libttsim_tile_rd_bytes(1, 2, a, NULL, sizes[k]);
            libttsim_tile_wr_bytes(1, 2, a, NULL, sizes[k]);
        }
        libttsim_pci_mem_rd_bytes(a, bytes, UINT32_MAX);
        libttsim_pci_mem_wr_bytes(a, bytes, UINT32_MAX);
        libttsim_tile_rd_bytes(1, 2, a, bytes, UINT32_MAX);
        libttsim_tile_wr_bytes(1, 2, a, bytes, UINT32_MAX);
        libttsim_pci_config_rd32((uint32_t)a, (uint32_t)(a >> 3));
        libttsim_pci_config_wr32((uint32_t)(a >> 60), (uint32_t)a, (uint32_t)a);
    }
    for (uint32_t o = 0; o < 300; o++) {
        libttsim_pci_config_rd32(0, o);
        libttsim_pci_config_wr32(0, o, o * 0x01010101);
    }
    libttsim_pci_config_rd32(UINT32_MAX, UINT32_MAX);
    libttsim_set_pci_dma_mem_callbacks(NULL, NULL);
    libttsim_clock(0);
    libttsim_clock(UINT32_MAX);
}

static void before_init_nothing_happens(void **state)
{
    (void)state;
    uint32_t word = 5;
    libttsim_exit();
    call_all();
    assert_int_equal(libttsim_pci_config_rd32(0, 0), UINT32_MAX);
    libttsim_pci_mem_rd_bytes(UINT64_C(0x100000000), &word, 4);
    assert_int_equal(word, 5);
}

static void anything_may_be_asked_of_an_open_chip(void **state)
{
    (void)state;
    libttsim_init();
    libttsim_init();
    call_all();
    assert_int_equal(libttsim_pci_config_rd32(0, 0), 0xB1401E52);
    libttsim_exit();
    libttsim_exit();
    call_all();
}

static void messages_come_only_when_asked_for(void **state)
{
    (void)state;
    FILE *was = stderr, *said = tmpfile();
    assert_non_null(said);
    setenv("WAITGATE_VERBOSE", "1", 1);
    stderr = said;
    libttsim_init();
    call_all();
    call_all();
    libttsim_exit();
    long loud = ftell(said);
    unsetenv("WAITGATE_VERBOSE");
    libttsim_init();
    call_all();
    libttsim_exit();
    long quiet = ftell(said);
    stderr = was;
    fclose(said);
    assert_true(loud > 0 && loud < 1000); /* once for each kind */
    assert_int_equal(quiet, loud);
}

/* Core B sends T1 a word that gives back banks which nobody has handed over. */
static void the_end_tells_what_programs_did(void **state)
{
    (void)state;
    const uint32_t program[] = {rv_lui(5, 0xFFE50), /* T1's queue */
                                rv_lui(6, 0x37C00), /* SETRWC, clear_ab_vld 3 */
                                rv_addi(6, 6, 3),
                                rv_sw(6, 0, 5),
                                rv_jal(0, 0)};
    const uint32_t go = HOST_SOFT_RESET_ALL & ~(uint32_t)HOST_SOFT_RESET_B;
    for (unsigned clocked = 0; clocked < 2; clocked++) {
        FILE *was = stderr, *said = tmpfile();
        char text[2000] = "";
        assert_non_null(said);
        setenv("WAITGATE_VERBOSE", "1", 1);
        if (clocked)
            setenv("WAITGATE_CLOCKED", "1", 1);
        stderr = said;
        libttsim_init();
        libttsim_tile_wr_bytes(1, 2, 0, program, sizeof program);
        libttsim_tile_wr_bytes(1, 2, HOST_SOFT_RESET, &go, sizeof go);
        libttsim_clock(1000);
        libttsim_exit();
        stderr = was;
        unsetenv("WAITGATE_VERBOSE");
        unsetenv("WAITGATE_CLOCKED");
        rewind(said);
        text[fread(text, 1, sizeof text - 1, said)] = '\0';
        fclose(said);
        if (!strstr(text,
                    "contract FLIP_UNOWNED, 2 in all; first on tile 0, T1, pushed by core B at pc "
                    "0xc, ttsetrwc 3"))
            fail_msg("clocked %u: %s", clocked, text);
        assert_non_null(strstr(text, "gives back a Src bank (0: 0 A, 1 B)"));
    }
}

static uint64_t rng_state = 88172645463325252u;

static uint32_t rng(uint32_t below)
{
    rng_state ^= rng_state << 13;
    rng_state ^= rng_state >> 7;
    rng_state ^= rng_state << 17;
    return (uint32_t)(rng_state >> 20) % below;
}

/* An address where something is, or nearly. */
static uint64_t any_address(void)
{
    static const uint32_t bases[] = {0,
                                     0x6000,
                                     0x17FF00,
                                     0xFFB11000,
                                     0xFFB12000,
                                     0xFFB121A0,
                                     0xFFB12220,
                                     0xFFB13000,
                                     0xFFB14000,
                                     0xFFB1C000,
                                     0xFFB20000,
                                     0xFFB40000,
                                     0xFFB80000,
                                     0xFFE80000,
                                     0xFFEC0000,
                                     0xFFEF0000,
                                     0xFFFFFF00};
    return (uint64_t)bases[rng(N(bases))] + rng(0x200) + ((uint64_t)(rng(50) == 0) << 40);
}

static void noise_on_a_running_chip_is_survived(void **state)
{
    (void)state;
    libttsim_init();
    for (unsigned i = 0; i < 20000; i++) {
        uint32_t x = 1 + rng(3), y = 2 + rng(2), n = rng(40);
        for (uint32_t k = 0; k < n; k++)
            bytes[k] = (uint8_t)rng(256);
        if (rng(4) == 0 && n >= 4) { /* something to execute */
            uint32_t release = rng(2) ? 0 : 0x47800;
            libttsim_tile_wr_bytes(x, y, rng(4) * 0x4000 + 0x2000, bytes, n);
            libttsim_tile_wr_bytes(x, y, 0xFFB121B0, &release, 4);
        } else if (rng(2)) {
            libttsim_tile_wr_bytes(x, y, any_address(), bytes, n);
        } else {
            libttsim_tile_rd_bytes(x, y, any_address(), bytes, n);
        }
        if (rng(8) == 0)
            libttsim_clock(rng(4));
        if (rng(16) == 0) { /* windows that point anywhere */
            libttsim_pci_mem_wr_bytes(
                UINT64_C(0x11FC00000) + rng(PCI_TLBS * PCI_TLB_BYTES), bytes, n);
            libttsim_pci_mem_rd_bytes(UINT64_C(0x100000000) + rng(0x19400000), bytes, n);
        }
    }
    libttsim_exit();
}

static void a_chip_without_callers_counts_what_it_missed(void **state)
{
    (void)state;
    uint32_t word = 1;
    struct chip *c = chip_new();
    assert_non_null(c);
    assert_true(chip_read(c, 1, 2, 0, &word, 4));
    assert_null(c->tile[0]); /* reading takes no memory */
    assert_false(chip_read(c, 8, 5, 0, &word, 4));
    assert_false(pci_write(c, 0, &word, 4));
    assert_int_equal(c->missed.reads, 1);
    assert_int_equal(c->missed.writes, 1);
    assert_int_equal(chip_clock(c, 100), 0);
    chip_free(c);
    chip_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(before_init_nothing_happens),
        cmocka_unit_test(anything_may_be_asked_of_an_open_chip),
        cmocka_unit_test(messages_come_only_when_asked_for),
        cmocka_unit_test(the_end_tells_what_programs_did),
        cmocka_unit_test(noise_on_a_running_chip_is_survived),
        cmocka_unit_test(a_chip_without_callers_counts_what_it_missed),
    };
    bytes = calloc(1, 4096);
    int failed = bytes ? cmocka_run_group_tests(tests, NULL, NULL) : 1;
    free(bytes);
    return failed;
}
