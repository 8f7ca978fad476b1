/* A tile behind an Alpha machine's window, through the public interface alone. */
#include "test.h"

#include <string.h>

#include "../../examples/alpha/tensix_window.h"
#include "../../kernels/include/tensix_ops.h"
#include "../alpha/words.h"
#include "waitgate.h"

#define CODE 0x10000u

static void collect(void *context, const char *text, size_t length)
{
    char *all = context;
    size_t n = strlen(all);
    if (n + length < 8192) {
        memcpy(all + n, text, length);
        all[n + length] = '\0';
    }
}

/* r2 is the window, r3 the word, r4 L1. */
static waitgate_alpha *machine_with(waitgate_tile *tile, const uint32_t *words, unsigned n,
                                    uint32_t word)
{
    waitgate_alpha *m;
    assert_int_equal(waitgate_alpha_create(1, &m), WAITGATE_OK);
    assert_int_equal(
        waitgate_alpha_map(m, CODE, 0x2000, WAITGATE_ALPHA_READ | WAITGATE_ALPHA_EXECUTE),
        WAITGATE_OK);
    assert_int_equal(waitgate_alpha_poke(m, CODE, words, n * sizeof *words), WAITGATE_OK);
    waitgate_alpha_set(m, 0, WAITGATE_ALPHA_PC, CODE);
    waitgate_alpha_set(m, 0, 2, WAITGATE_ALPHA_WINDOW);
    waitgate_alpha_set(m, 0, 3, word);
    waitgate_alpha_set(m, 0, 4, WAITGATE_ALPHA_WINDOW + TENSIX_L1);
    if (tile)
        assert_int_equal(waitgate_alpha_tile(m, tile, WAITGATE_ALPHA_WINDOW), WAITGATE_OK);
    return m;
}

static waitgate_tile *new_tile(void)
{
    waitgate_tile *tile;
    assert_int_equal(waitgate_tile_create(&tile), WAITGATE_OK);
    return tile;
}

/* The header for programs and the public header name the same address. */
static void addresses_agree(void **state)
{
    (void)state;
    assert_int_equal(TENSIX_BASE, WAITGATE_ALPHA_WINDOW);
}

static void what_cannot_be_attached_is_refused(void **state)
{
    static const uint32_t halt[] = {AX_HALT};
    waitgate_tile *tile = new_tile(), *other = new_tile();
    waitgate_alpha *m = machine_with(NULL, halt, 1, 0);
    const uint64_t at = WAITGATE_ALPHA_WINDOW;
    (void)state;
    assert_int_equal(waitgate_alpha_tile(NULL, tile, at), WAITGATE_ERROR_ARGUMENT);
    assert_int_equal(waitgate_alpha_tile(m, NULL, at), WAITGATE_ERROR_ARGUMENT);
    assert_int_equal(waitgate_alpha_tile(m, tile, at + 4), WAITGATE_ERROR_RANGE);
    assert_int_equal(waitgate_alpha_tile(m, tile, CODE), WAITGATE_ERROR_RANGE);
    assert_int_equal(waitgate_alpha_tile(m, tile, UINT64_MAX - 8191), WAITGATE_ERROR_RANGE);
    uint32_t released = 0x47000; /* core B leaves reset */
    assert_int_equal(waitgate_tile_write(other, 0xFFB121B0, &released, 4), WAITGATE_OK);
    assert_int_equal(waitgate_alpha_tile(m, other, at), WAITGATE_ERROR_ARGUMENT);
    assert_int_equal(waitgate_alpha_tile(m, tile, at), WAITGATE_OK);
    waitgate_alpha *second = machine_with(NULL, halt, 1, 0);
    assert_int_equal(waitgate_alpha_tile(second, tile, at), WAITGATE_ERROR_ARGUMENT);
    assert_int_equal(waitgate_alpha_tile(m, other, at), WAITGATE_ERROR_ARGUMENT);
    waitgate_alpha_clock(second, 100);
    waitgate_alpha_free(second);
    waitgate_alpha_free(m);
    second = machine_with(NULL, halt, 1, 0); /* free again */
    assert_int_equal(waitgate_alpha_clock(second, 100), WAITGATE_ALPHA_STOP);
    assert_int_equal(waitgate_alpha_tile(second, tile, at), WAITGATE_ERROR_ARGUMENT);
    waitgate_alpha_free(second);
    waitgate_tile_free(tile);
    waitgate_tile_free(other);
}

/* A window is no memory and never becomes some; what a program can take of the host's memory is limited. */
static void window_is_never_memory(void **state)
{
    static const uint32_t halt[] = {AX_HALT};
    const uint64_t at = WAITGATE_ALPHA_WINDOW, size = WAITGATE_ALPHA_WINDOW_SIZE,
                   page = WAITGATE_ALPHA_PAGE;
    const struct {
        uint64_t address, size;
        bool free;
    } rows[] = {{at, page, false},
                {at - page, 2 * page, false},
                {at + size - page, 2 * page, false},
                {at - page, size + 2 * page, false},
                {at + 5, 1, false},
                {at - page, page, true},
                {at + size, page, true},
                {at, 0, true},
                {at - 1, 1, true},
                {at - 1, 2, false}};
    waitgate_tile *tile = new_tile();
    waitgate_alpha *m = machine_with(tile, halt, 1, 0);
    (void)state;
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_equal(waitgate_alpha_mapped(m, rows[i].address, rows[i].size), !rows[i].free);
        assert_int_equal(waitgate_alpha_map(m, rows[i].address, rows[i].size, 3),
                         rows[i].free ? WAITGATE_OK : WAITGATE_ERROR_RANGE);
        waitgate_alpha_unmap(m, at - page, page);
        waitgate_alpha_unmap(m, at + size, page);
    }
    assert_int_equal(waitgate_alpha_protect(m, at, page, 3), WAITGATE_ERROR_RANGE);
    assert_int_equal(waitgate_alpha_room(m, at - page, page, at + 2 * size), at - page);
    assert_int_equal(waitgate_alpha_room(m, at - page, 2 * page, at + 2 * size), at + size);
    assert_int_equal(waitgate_alpha_room(m, at, page, at + size), 0);
    uint64_t used = waitgate_alpha_memory_used(m);
    assert_true(used > 0);
    assert_int_equal(waitgate_alpha_memory(m, used - 1), WAITGATE_ERROR_RANGE);
    assert_int_equal(waitgate_alpha_memory(m, used), WAITGATE_OK);
    assert_int_equal(waitgate_alpha_map(m, UINT64_C(1) << 40, page, 3), WAITGATE_ERROR_MEMORY);
    assert_int_equal(waitgate_alpha_memory_used(m), used);
    waitgate_alpha_free(m);
    waitgate_tile_free(tile);
}

/* Only the machine moves its tile, and only with time. */
static void tile_moves_with_the_machine_only(void **state)
{
    const uint32_t program[] = {ax_stl(3, TENSIX_PUSH(0), 2), AX_HALT};
    waitgate_tile *tile = new_tile();
    waitgate_alpha *m = machine_with(tile, program, 2, OP_NOP);
    (void)state;
    assert_int_equal(waitgate_tile_clock(tile, 50), WAITGATE_TILE_LIMIT);
    assert_int_equal(waitgate_tile_run(tile, 50), 0);
    assert_int_equal(waitgate_tile_cycle(tile), 0);
    assert_int_equal(waitgate_alpha_run(m, 50), WAITGATE_ALPHA_LIMIT);
    assert_int_equal(waitgate_alpha_cycle(m), 0);
    assert_int_equal(waitgate_alpha_clock(m, 4), WAITGATE_ALPHA_LIMIT);
    assert_int_equal(waitgate_tile_cycle(tile), 4);
    assert_int_equal(waitgate_alpha_clock(m, 1000), WAITGATE_ALPHA_STOP);
    assert_int_equal(waitgate_tile_cycle(tile), waitgate_alpha_cycle(m));
    assert_int_equal(waitgate_tile_issued(tile, 0), 0); /* still on its way through the queue */
    assert_int_equal(waitgate_alpha_clock(m, 1000), WAITGATE_ALPHA_DONE);
    assert_int_equal(waitgate_tile_issued(tile, 0), 1);
    assert_int_equal(waitgate_tile_cycle(tile), waitgate_alpha_cycle(m));
    waitgate_alpha_free(m);
    waitgate_tile_free(tile);
}

/* A machine whose tile is gone has no window any more: the access traps. */
static void either_can_be_freed_first(void **state)
{
    const uint32_t program[] = {ax_stl(3, TENSIX_PUSH(0), 2), AX_HALT};
    struct waitgate_alpha_stop stop;
    waitgate_tile *tile = new_tile();
    waitgate_alpha *m = machine_with(tile, program, 2, OP_NOP);
    (void)state;
    waitgate_tile_free(tile);
    assert_int_equal(waitgate_alpha_clock(m, 100), WAITGATE_ALPHA_STOP);
    assert_int_equal(waitgate_alpha_stopped(m, &stop), WAITGATE_OK);
    assert_int_equal(stop.trap, WAITGATE_ALPHA_STORE);
    waitgate_alpha_free(m);

    tile = new_tile();
    m = machine_with(tile, program, 2, OP_NOP);
    assert_int_equal(waitgate_alpha_clock(m, 100), WAITGATE_ALPHA_STOP);
    waitgate_alpha_free(m);
    assert_int_equal(waitgate_tile_clock(tile, 100), WAITGATE_TILE_DONE);
    assert_int_equal(waitgate_tile_issued(tile, 0), 1);
    waitgate_tile_free(tile);
}

/* The caller changes a word of L1 that the program polls: what hung goes on. */
static void a_hang_ends_when_the_caller_acts(void **state)
{
    const uint32_t program[] = {ax_ldl(5, 0x40, 4), ax_beq(5, -2), AX_HALT};
    static char text[8192];
    waitgate_tile *tile = new_tile();
    waitgate_alpha *m = machine_with(tile, program, 3, 0);
    uint32_t one = 1;
    (void)state;
    assert_int_equal(waitgate_alpha_clock(m, 10000), WAITGATE_ALPHA_HANG);
    uint64_t hung = waitgate_alpha_cycle(m);
    assert_int_equal(waitgate_tile_cycle(tile), hung);
    waitgate_alpha_report_hang(m, collect, text);
    assert_non_null(strstr(text, "CPU 0       waits in EX since cycle"));
    assert_non_null(strstr(text, "poll: goes round a loop that only reads"));
    assert_non_null(strstr(text, "word 0x00040 of L1 is 0x0; nobody has changed it\n"));
    assert_non_null(strstr(text, "\nchain: CPU 0 waits for what nobody clears\n"));
    assert_int_equal(waitgate_tile_write(tile, 0x40, &one, 4), WAITGATE_OK);
    assert_int_equal(waitgate_alpha_clock(m, 10000), WAITGATE_ALPHA_STOP);
    assert_true(waitgate_alpha_cycle(m) > hung);
    assert_int_equal(waitgate_alpha_get(m, 0, 5), 1);
    waitgate_alpha_free(m);
    waitgate_tile_free(tile);
}

/* The tile of what hung is gone: the machine alone says where it waits. */
static void a_hang_is_told_without_its_tile(void **state)
{
    const uint32_t program[] = {ax_ldl(5, 0x40, 4), ax_beq(5, -2), AX_HALT};
    static char text[8192];
    waitgate_tile *tile = new_tile();
    waitgate_alpha *m = machine_with(tile, program, 3, 0);
    (void)state;
    assert_int_equal(waitgate_alpha_clock(m, 10000), WAITGATE_ALPHA_HANG);
    waitgate_tile_free(tile);
    waitgate_alpha_report_hang(m, collect, text);
    assert_non_null(strstr(text, "hang: certain in cycle "));
    assert_non_null(strstr(text, "\n  CPU 0 waits in EX since cycle "));
    assert_non_null(strstr(text,
                           " at 0x10000: ldl t4,64(t3)\n    back-pressure: the device does not "
                           "take the access yet; owner: device\n"));
    waitgate_alpha_free(m);
}

TEST_MAIN(cmocka_unit_test(addresses_agree), cmocka_unit_test(what_cannot_be_attached_is_refused),
          cmocka_unit_test(window_is_never_memory),
          cmocka_unit_test(tile_moves_with_the_machine_only),
          cmocka_unit_test(either_can_be_freed_first),
          cmocka_unit_test(a_hang_ends_when_the_caller_acts),
          cmocka_unit_test(a_hang_is_told_without_its_tile))
