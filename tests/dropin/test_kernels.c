/*
 * test_kernels.c - the example kernels, booted through the shared library as a host would.
 */
#include "test.h"

#include <stdio.h>
#include <string.h>

#include "dropin/host.h"
#include "load/case.h"

static struct host h;
static struct load_error error;

/* Where the NoC sees the private memory of each core, by enum load_core. */
static const uint32_t local[LOAD_N_CORES] = {
    0xFFB14000, 0xFFB18000, 0xFFB1A000, 0xFFB1C000, 0xFFB16000};

static void load_part(struct host_place t, const struct image_part *p)
{
    static uint8_t bytes[LOAD_L1_SIZE];
    uint32_t at = p->place == ELF_LOCAL ? p->addr - LOAD_LOCAL_BASE + local[p->core] : p->addr;
    if (!p->n_bytes)
        return; /* only reserves memory */
    assert_true(p->mem_size <= sizeof bytes);
    memset(bytes, 0, p->mem_size);
    memcpy(bytes, p->bytes, p->n_bytes);
    host_write(&h, t, at, bytes, p->mem_size);
}

static void set_start(struct host_place t, const struct image *image)
{
    uint32_t override = 0;
    for (unsigned i = 0; i < 3; i++) {
        unsigned core = LOAD_CORE_T0 + i;
        if (!image->elfs[core])
            continue;
        host_poke(&h, t, HOST_T0_PC + 4 * i, image->start[core]);
        override |= 1u << i;
    }
    host_poke(&h, t, HOST_T_OVERRIDE, override);
    if (image->elfs[LOAD_CORE_NC]) {
        host_poke(&h, t, HOST_NC_PC, image->start[LOAD_CORE_NC]);
        host_poke(&h, t, HOST_NC_OVERRIDE, 1);
    }
}

static void run_case(const struct case_file *file, const struct image *image, struct host_place t,
                     uint32_t chunk)
{
    uint32_t held = HOST_SOFT_RESET_ALL;
    for (unsigned i = 0; i < image->n_parts; i++)
        load_part(t, &image->parts[i]);
    set_start(t, image);
    for (unsigned i = 0; i < LOAD_N_CORES; i++)
        held &= file->released[i] ? ~tile_cores_info((enum load_core)i)->reset_bit : ~0u;
    host_poke(&h, t, HOST_SOFT_RESET, held);
    for (unsigned i = 0; i < file->n_until; i++)
        if (!host_wait(&h, t, file->until[i].address, file->until[i].value, chunk, 100000))
            fail_msg("%s: does not end", file->path);
    for (unsigned i = 0; i < file->n_expects; i++)
        for (unsigned k = 0; k < file->expects[i].n_words; k++) {
            uint32_t at = file->expects[i].at + 4 * k, got = host_peek(&h, t, at);
            if (got != file->expects[i].words[k])
                fail_msg("%s: 0x%x is 0x%x, must be 0x%x",
                         file->path,
                         (unsigned)at,
                         (unsigned)got,
                         (unsigned)file->expects[i].words[k]);
        }
}

static void kernels_leave_the_words_they_must(void **state)
{
    (void)state;
    static const char *const names[] = {WG_KERNELS};
    static const struct {
        struct host_place tile;
        uint32_t chunk;
    } ways[] = {{{1, 2}, 1}, {{16, 11}, 64}, {{1, 2}, 100000}};
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        char path[512];
        struct case_file *file;
        struct image image;
        snprintf(path, sizeof path, "%s/%s/case.yaml", WG_KERNELS_DIR, names[i]);
        if (case_read(path, &file, &error) != LOAD_OK ||
            case_image(file, &image, &error) != LOAD_OK)
            fail_msg("%s", error.message);
        for (unsigned k = 0; k < sizeof ways / sizeof *ways; k++) {
            host_open(&h);
            run_case(file, &image, ways[k].tile, ways[k].chunk);
            h.exit();
        }
        image_free(&image);
        case_free(file);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(kernels_leave_the_words_they_must)};
    char why[256];
    if (!host_load(&h, WG_TTSIM_BH, why, sizeof why)) {
        print_error("%s\n", why);
        return 1;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
