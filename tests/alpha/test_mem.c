/* Memory of an Alpha program: the map, protections, accesses over page borders, limits, decoded code. */
#include "test.h"

#include "alpha/drive.h"
#include "model/rng.h"

static struct alpha_mem m;

#define RW (ALPHA_PROT_READ | ALPHA_PROT_WRITE)

static void accesses_over_page_borders(void **state)
{
    (void)state;
    assert_true(alpha_mem_init(&m, 0));
    assert_true(alpha_mem_map(&m, DATA, 2 * ALPHA_PAGE, RW));
    for (unsigned size = 1; size <= 8; size *= 2)
        for (unsigned back = 0; back <= 8; back++) {
            uint64_t at = DATA + ALPHA_PAGE - back, value = 0;
            uint64_t want = UINT64_C(0x8877665544332211) >> (64 - 8 * size);
            assert_int_equal(
                alpha_mem_store(&m, at, size, UINT64_C(0x8877665544332211) >> (64 - 8 * size)), 0);
            assert_int_equal(alpha_mem_load(&m, at, size, &value), 0);
            assert_int_equal(value, want);
            value = 0;
            assert_int_equal(alpha_mem_read(&m, at, size, &value), 0);
            assert_int_equal(value, want);
            uint8_t byte;
            assert_true(alpha_mem_peek(&m, at, &byte, 1));
            assert_int_equal(byte, want & 0xff); /* little-endian */
        }
    /* half of the access is not there: nothing is written */
    uint64_t value;
    assert_int_equal(alpha_mem_write(&m, DATA + 2 * ALPHA_PAGE - 8, 8, 1), 0);
    assert_int_equal(alpha_mem_write(&m, DATA + 2 * ALPHA_PAGE - 4, 8, 99), ALPHA_TRAP_STORE);
    assert_int_equal(alpha_mem_may_write(&m, DATA + 2 * ALPHA_PAGE - 4, 8), ALPHA_TRAP_STORE);
    assert_int_equal(alpha_mem_read(&m, DATA + 2 * ALPHA_PAGE - 4, 8, &value), ALPHA_TRAP_LOAD);
    assert_int_equal(alpha_mem_read(&m, DATA + 2 * ALPHA_PAGE - 8, 8, &value), 0);
    assert_int_equal(value, 1);
    alpha_mem_free(&m);
}

static void protections(void **state)
{
    (void)state;
    uint64_t value;
    assert_true(alpha_mem_init(&m, 0));
    assert_true(alpha_mem_map(&m, DATA, ALPHA_PAGE, RW));
    assert_int_equal(alpha_mem_store(&m, DATA, 8, 42), 0);
    assert_true(alpha_mem_protect(&m, DATA, 1, ALPHA_PROT_READ));
    assert_int_equal(alpha_mem_prot(&m, DATA + 100), ALPHA_PROT_READ);
    assert_int_equal(alpha_mem_store(&m, DATA, 8, 43), ALPHA_TRAP_STORE);
    assert_int_equal(alpha_mem_may_write(&m, DATA, 8), ALPHA_TRAP_STORE);
    assert_int_equal(alpha_mem_load(&m, DATA, 8, &value), 0);
    assert_int_equal(value, 42);
    assert_true(alpha_mem_protect(&m, DATA, 1, 0));
    assert_int_equal(alpha_mem_load(&m, DATA, 8, &value), ALPHA_TRAP_LOAD);
    /* a range with a hole is not changed at all */
    assert_false(alpha_mem_protect(&m, DATA, 2 * ALPHA_PAGE, RW));
    assert_int_equal(alpha_mem_prot(&m, DATA), 0);
    assert_null(alpha_mem_fetch(&m, DATA));
    /* unmapped and mapped again: zero */
    alpha_mem_unmap(&m, DATA, ALPHA_PAGE);
    assert_false(alpha_mem_mapped(&m, DATA, ALPHA_PAGE));
    assert_true(alpha_mem_map(&m, DATA, ALPHA_PAGE, RW));
    assert_int_equal(alpha_mem_load(&m, DATA, 8, &value), 0);
    assert_int_equal(value, 0);
    alpha_mem_free(&m);
}

static void limits(void **state)
{
    (void)state;
    uint64_t value;
    assert_true(alpha_mem_init(&m, 0));
    assert_true(alpha_mem_map(&m, DATA, 3 * ALPHA_PAGE, RW));
    m.limit = m.used + 2 * ALPHA_PAGE;
    assert_int_equal(alpha_mem_store(&m, DATA, 8, 1), 0);
    assert_int_equal(alpha_mem_store(&m, DATA + ALPHA_PAGE, 8, 1), 0);
    assert_int_equal(alpha_mem_store(&m, DATA + 2 * ALPHA_PAGE, 8, 1), ALPHA_TRAP_MEMORY);
    alpha_mem_unmap(&m, DATA, ALPHA_PAGE);
    assert_int_equal(alpha_mem_store(&m, DATA + 2 * ALPHA_PAGE, 8, 1), 0);
    assert_int_equal(m.used, m.limit);
    assert_false(alpha_mem_map(&m, 0, UINT64_C(1) << 40, RW));
    assert_false(alpha_mem_map(&m, ALPHA_ADDRESS_END - ALPHA_PAGE, 2 * ALPHA_PAGE, RW));
    assert_false(alpha_mem_map(&m, UINT64_MAX - 10, 100, RW));
    assert_int_equal(alpha_mem_load(&m, UINT64_MAX - 3, 8, &value), ALPHA_TRAP_LOAD);
    assert_int_equal(alpha_mem_store(&m, ALPHA_ADDRESS_END, 8, 0), ALPHA_TRAP_STORE);
    for (uint64_t low = 0; low < 16; low++) /* page 0 with nothing in it */
        assert_int_equal(alpha_mem_load(&m, low, 2, &value), ALPHA_TRAP_LOAD);
    alpha_mem_unmap(&m, UINT64_MAX, 5);
    assert_int_equal(alpha_mem_prot(&m, UINT64_MAX), 0);
    alpha_mem_free(&m);
    alpha_mem_free(&m); /* twice does no harm */
}

/* Page tables and decoded code are memory too: whatever a program maps, touches or executes, as scattered as it can. */
static void limits_count_everything(void **state)
{
    const uint64_t limit = UINT64_C(4) << 20, far = UINT64_C(8) << 20; /* a page table for each */
    uint64_t at = DATA, value;
    unsigned tables = 0;
    (void)state;
    assert_true(alpha_mem_init(&m, limit));
    size_t start = m.used;
    while (alpha_mem_map(&m, at, 1, 0))
        at += far, tables++;
    assert_in_range(tables, 16, limit / 8192); /* far fewer than 2^20 pages */
    assert_in_range(m.used, limit - limit / 8 - 65536, limit - limit / 8);
    size_t full = m.used;
    assert_false(alpha_mem_map(&m, at, 4 * far, RW)); /* nothing of it is left */
    assert_int_equal(m.used, full);
    assert_false(alpha_mem_mapped(&m, at, 4 * far));
    alpha_mem_unmap(&m, DATA, at - DATA);
    assert_in_range(m.used, start, start + 65536); /* tables without a page are freed */
    /* pages with code: the bytes and what they are decoded into */
    unsigned n = 0;
    assert_true(alpha_mem_map(&m, CODE, limit, 7));
    while (alpha_mem_store(&m, CODE + n * ALPHA_PAGE, 4, W_NOP) == 0 &&
           alpha_mem_fetch(&m, CODE + n * ALPHA_PAGE))
        n++;
    assert_in_range(n, 1, limit / (5 * ALPHA_PAGE)); /* 8 KiB and 32 KiB */
    assert_true(m.used <= limit);
    value = CODE + n * ALPHA_PAGE;
    assert_int_equal(alpha_mem_no_code(&m, value), ALPHA_TRAP_MEMORY);
    assert_int_equal(alpha_mem_no_code(&m, value + 2), ALPHA_TRAP_FETCH);
    assert_int_equal(alpha_mem_no_code(&m, at), ALPHA_TRAP_FETCH);
    alpha_mem_unmap(&m, CODE, limit);
    assert_in_range(m.used, start, start + 65536);
    alpha_mem_free(&m);
    assert_int_equal(m.used, 0);
}

static void finding_room(void **state)
{
    (void)state;
    uint64_t page = ALPHA_PAGE;
    assert_true(alpha_mem_init(&m, 0));
    assert_true(alpha_mem_map(&m, DATA + 2 * page, page, RW));
    assert_int_equal(alpha_mem_find(&m, DATA, 2 * page, DATA + 100 * page), DATA);
    assert_int_equal(alpha_mem_find(&m, DATA, 3 * page, DATA + 100 * page), DATA + 3 * page);
    assert_int_equal(alpha_mem_find(&m, DATA + 1, page, DATA + 100 * page), DATA + page);
    assert_int_equal(alpha_mem_find(&m, DATA, 3 * page, DATA + 6 * page), DATA + 3 * page);
    assert_int_equal(alpha_mem_find(&m, DATA, 3 * page, DATA + 5 * page), 0);
    assert_int_equal(alpha_mem_find(&m, DATA, UINT64_C(1) << 33, ALPHA_ADDRESS_END),
                     DATA + 3 * page);
    assert_int_equal(alpha_mem_find(&m, DATA, UINT64_MAX, UINT64_MAX), 0);
    alpha_mem_free(&m);
}

static void bulk_copies(void **state)
{
    (void)state;
    static uint8_t in[3 * 8192], out[sizeof in];
    size_t done;
    for (unsigned i = 0; i < sizeof in; i++)
        in[i] = (uint8_t)(1 + i % 251);
    assert_true(alpha_mem_init(&m, 0));
    assert_true(alpha_mem_map(&m, DATA, 3 * ALPHA_PAGE, RW));
    assert_true(alpha_mem_in(&m, DATA + 5, in, 2 * ALPHA_PAGE, NULL));
    assert_true(alpha_mem_out(&m, DATA + 5, out, 2 * ALPHA_PAGE, NULL));
    assert_memory_equal(in, out, 2 * ALPHA_PAGE);
    assert_int_equal(alpha_mem_string(&m, DATA + 5, 100000), 2 * ALPHA_PAGE);
    assert_int_equal(alpha_mem_string(&m, DATA + 5, 100), -1);
    assert_int_equal(alpha_mem_string(&m, DATA + 5 + 2 * ALPHA_PAGE - 100, 100), 100);
    assert_int_equal(alpha_mem_string(&m, 5, 100), -1);
    assert_true(alpha_mem_protect(&m, DATA + ALPHA_PAGE, 1, ALPHA_PROT_READ));
    assert_false(alpha_mem_in(&m, DATA + 8000, in, 1000, &done));
    assert_int_equal(done, 192);
    assert_true(alpha_mem_poke(&m, DATA + 8000, in, 1000)); /* whatever the protection */
    assert_false(alpha_mem_out(&m, DATA + 3 * ALPHA_PAGE - 10, out, 100, &done));
    assert_int_equal(done, 10);
    assert_false(alpha_mem_peek(&m, UINT64_MAX - 5, out, 100));
    alpha_mem_free(&m);
}

/* Decoded code follows the bytes, whoever writes them. */
static void code_is_coherent(void **state)
{
    (void)state;
    uint8_t nop[4] = {0x1f, 0x04, 0xff, 0x47};
    assert_true(alpha_mem_init(&m, 0));
    assert_true(alpha_mem_map(&m, CODE, ALPHA_PAGE, RW | ALPHA_PROT_EXEC));
    assert_int_equal(alpha_mem_store(&m, CODE, 4, 0x40220403), 0);
    assert_int_equal(alpha_mem_fetch(&m, CODE)->op, ALPHA_OP_ADDQ);
    assert_int_equal(alpha_mem_store(&m, CODE, 4, 0x40220523), 0);
    assert_int_equal(alpha_mem_fetch(&m, CODE)->op, ALPHA_OP_SUBQ);
    assert_int_equal(alpha_mem_store(&m, CODE + 1, 1, 0x04), 0); /* one byte of it */
    assert_int_equal(alpha_mem_fetch(&m, CODE)->op, ALPHA_OP_ILLEGAL);
    assert_true(alpha_mem_in(&m, CODE, nop, 4, NULL));
    assert_int_equal(alpha_mem_fetch(&m, CODE)->op, ALPHA_OP_BIS);
    assert_null(alpha_mem_fetch(&m, CODE + 2));
    assert_true(alpha_mem_protect(&m, CODE, 1, RW));
    assert_null(alpha_mem_fetch(&m, CODE));
    alpha_mem_free(&m);
}

/* Random maps and accesses against an array. */
#define PAGES 16u
static uint8_t model_bytes[PAGES * 8192];
static uint8_t model_prot[PAGES]; /* 0x80: there */

static bool may(uint64_t offset, unsigned size, unsigned prot)
{
    for (unsigned i = 0; i < size; i++) {
        uint64_t page = (offset + i) / ALPHA_PAGE;
        if (page >= PAGES || !(model_prot[page] & prot))
            return false;
    }
    return true;
}

static void random_access(struct rng *r)
{
    unsigned size = 1u << rng_below(r, 4);
    uint64_t at = rng_below(r, PAGES * 8192), value = rng_next(r) * UINT64_C(0x100000001), got = 0;
    if (rng_percent(r, 30)) /* near a border */
        at = (at | 8191) - rng_below(r, 10);
    if (rng_next(r) & 1) {
        bool can = may(at, size, ALPHA_PROT_WRITE);
        assert_int_equal(alpha_mem_store(&m, DATA + at, size, value), can ? 0 : ALPHA_TRAP_STORE);
        for (unsigned i = 0; can && i < size; i++)
            model_bytes[at + i] = (uint8_t)(value >> 8 * i);
    } else {
        bool can = may(at, size, ALPHA_PROT_READ);
        assert_int_equal(alpha_mem_load(&m, DATA + at, size, &got), can ? 0 : ALPHA_TRAP_LOAD);
        for (unsigned i = 0; can && i < size; i++)
            assert_int_equal(got >> 8 * i & 0xff, model_bytes[at + i]);
    }
}

static void random_map(struct rng *r)
{
    unsigned page = rng_below(r, PAGES), n = 1 + rng_below(r, 3), prot = rng_below(r, 8);
    if (page + n > PAGES)
        n = PAGES - page;
    switch (rng_below(r, 3)) {
    case 0:
        assert_true(alpha_mem_map(&m, DATA + page * ALPHA_PAGE, n * ALPHA_PAGE, prot));
        memset(model_prot + page, (int)(0x80 | prot), n);
        break;
    case 1: {
        bool all = true;
        for (unsigned i = 0; i < n; i++)
            all = all && model_prot[page + i];
        assert_int_equal(alpha_mem_protect(&m, DATA + page * ALPHA_PAGE, n * ALPHA_PAGE, prot),
                         all);
        if (all)
            memset(model_prot + page, (int)(0x80 | prot), n);
        break;
    }
    default:
        alpha_mem_unmap(&m, DATA + page * ALPHA_PAGE, n * ALPHA_PAGE);
        memset(model_prot + page, 0, n);
        memset(model_bytes + page * ALPHA_PAGE, 0, n * ALPHA_PAGE);
        break;
    }
}

static void random_against_an_array(void **state)
{
    (void)state;
    struct rng r = rng_of(1, 0);
    print_message("seed 1\n");
    assert_true(alpha_mem_init(&m, 0));
    for (unsigned i = 0; i < 60000; i++) {
        if (rng_percent(&r, 2))
            random_map(&r);
        else
            random_access(&r);
        if (rng_percent(&r, 5)) /* decoded pages take another way */
            alpha_mem_fetch(&m, DATA + rng_below(&r, PAGES * 2048) * 4);
    }
    alpha_mem_free(&m);
    assert_int_equal(m.used, 0);
}

TEST_MAIN(cmocka_unit_test(accesses_over_page_borders), cmocka_unit_test(protections),
          cmocka_unit_test(limits), cmocka_unit_test(limits_count_everything),
          cmocka_unit_test(finding_room), cmocka_unit_test(bulk_copies),
          cmocka_unit_test(code_is_coherent), cmocka_unit_test(random_against_an_array))
