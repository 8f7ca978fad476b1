/*
 * test_kernels.c - the example kernels as they were built: each case can be read, its programs fit beside
 * each other, start where cores start, and know their source.
 */
#include "test.h"

#include <stdio.h>
#include <string.h>

#include "load/case.h"

static const char *const names[] = {WG_KERNELS};
#define N_NAMES (sizeof names / sizeof *names)

static struct load_error error;

static void open_case(const char *name, struct case_file **file, struct image *image)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s/case.yaml", WG_KERNELS_DIR, name);
    if (case_read(path, file, &error) != LOAD_OK || case_image(*file, image, &error) != LOAD_OK)
        fail_msg("%s", error.message);
}

static void every_case_can_be_loaded(void **state)
{
    (void)state;
    for (unsigned i = 0; i < N_NAMES; i++) {
        struct case_file *file;
        struct image image;
        open_case(names[i], &file, &image);
        assert_int_equal(file->n_until, 1);
        assert_true(file->n_expects > 0);
        assert_true(file->released[LOAD_CORE_B]);
        for (unsigned k = 0; k < image.n_parts; k++)
            assert_int_equal(image.parts[k].place, ELF_L1);
        image_free(&image);
        case_free(file);
    }
}

static void cores_start_at_their_reset_address(void **state)
{
    (void)state;
    for (unsigned i = 0; i < N_NAMES; i++) {
        struct case_file *file;
        struct image image;
        open_case(names[i], &file, &image);
        for (unsigned core = 0; core < LOAD_N_CORES; core++) {
            if (!image.elfs[core])
                continue;
            bool elsewhere = strcmp(names[i], "boot") == 0 && core != LOAD_CORE_B;
            assert_int_equal(image.start[core] == tile_cores_info((enum load_core)core)->reset_pc,
                             !elsewhere);
        }
        image_free(&image);
        case_free(file);
    }
}

static void programs_know_their_source(void **state)
{
    (void)state;
    struct case_file *file;
    struct image image;
    open_case("token", &file, &image);
    struct elf *elf = image.elfs[LOAD_CORE_B];
    const char *name, *source;
    uint32_t offset, entry;
    unsigned line;
    assert_true(elf_symbol(elf, 0, &name, &offset));
    assert_string_equal(name, "_start");
    assert_true(elf_line(elf, 0, &source, &line));
    assert_non_null(strstr(source, "kernels/start/start.S"));
    assert_true(elf_address(elf, "main", &entry));
    assert_true(elf_line(elf, entry, &source, &line));
    assert_non_null(strstr(source, "kernels/token/brisc.c"));
    image_free(&image);
    case_free(file);
}

TEST_MAIN(cmocka_unit_test(every_case_can_be_loaded),
          cmocka_unit_test(cores_start_at_their_reset_address),
          cmocka_unit_test(programs_know_their_source))
