/*
 * The dot product of MVMUL: the AVX2, the FMA and the AVX-512 code give the same bits as the plain code, for all styles of
 * operands and Dst, all fidelity phases, exponents near and far apart, zeros, and values at both ends of the range.
 * What was decoded before is used again only under the same name.
 */
#include "test.h"

#include <string.h>

#include "matrix/matrix_dot.h"
#include "model/rng.h"
#include "num/layout.h"

#define SEED   UINT64_C(20261116)
#define ROUNDS 60000

static struct matrix_dot_memo memo;
static uint32_t a[16][16], b[8][16];
static uint16_t high[2][8][16], low[2][8][16];

/* An exponent of one of four kinds: anywhere, close together, many zeros, at the ends. */
static uint32_t exponent(struct rng *r, unsigned kind, uint32_t most)
{
    switch (kind) {
    case 0: return rng_below(r, most + 1);
    case 1: return most / 2 + rng_below(r, 9) - 4;
    case 2: return rng_below(r, 3) ? rng_below(r, most) : 0;
    default: return rng_below(r, 2) ? most : 1 + rng_below(r, 3);
    }
}

static void fill(struct rng *r, uint32_t (*d)[16], unsigned rows, unsigned kind, uint32_t most)
{
    for (unsigned i = 0; i < rows; i++)
        for (unsigned j = 0; j < 16; j++) {
            uint32_t sign = rng_below(r, 2), f = rng_below(r, 1024);
            d[i][j] = layout_src(sign, exponent(r, kind, most), f);
        }
}

static void fill_dst(struct rng *r, unsigned kind, uint32_t most)
{
    for (unsigned i = 0; i < 8; i++)
        for (unsigned j = 0; j < 16; j++) {
            uint32_t h = rng_below(r, 0x10000);
            high[0][i][j] = (uint16_t)((h & ~most) | (exponent(r, kind, most) & most));
            low[0][i][j] = (uint16_t)rng_below(r, 0x10000);
        }
    memcpy(high[1], high[0], sizeof high[0]);
    memcpy(low[1], low[0], sizeof low[0]);
}

static struct matrix_dot make(struct rng *r)
{
    static const int adjust[4] = {0, -5, -7, -12};
    struct matrix_dot m = {.a = (const uint32_t(*)[16])a,
                           .b = (const uint32_t(*)[16])b,
                           .rows = rng_below(r, 2) ? 8 : 4,
                           .phase = (uint8_t)rng_below(r, 4),
                           .a32 = rng_below(r, 2),
                           .x8 = rng_below(r, 2)};
    m.k = (m.x8 ? -127 : (m.a32 ? 97 : -15)) + adjust[m.phase];
    m.mask_a = rng_below(r, 2) ? NUM_SRC_TF32 : NUM_SRC_BF16;
    m.mask_b = rng_below(r, 2) ? NUM_SRC_TF32 : NUM_SRC_BF16;
    return m;
}

static void aim(struct matrix_dot *m, unsigned copy)
{
    m->step = 16;
    for (unsigned i = 0; i < 2; i++) {
        m->high[i] = high[copy][4 * i];
        m->low[i] = low[copy][4 * i];
    }
}

static void compare(void (*dot)(const struct matrix_dot *m))
{
    struct rng r = {SEED};
    for (unsigned n = 0; n < ROUNDS; n++) {
        struct matrix_dot m = make(&r);
        uint32_t most = m.x8 ? 255 : 31;
        unsigned kind = rng_below(&r, 4);
        fill(&r, a, 16, kind, most);
        fill(&r, b, 8, kind, most);
        fill_dst(&r, kind, m.x8 || m.a32 ? 255 : 31);
        aim(&m, 0);
        matrix_dot_plain(&m);
        aim(&m, 1);
        dot(&m);
        if (memcmp(high[0], high[1], sizeof high[0]) || memcmp(low[0], low[1], sizeof low[0]))
            fail_msg("round %u differs: a32 %d x8 %d phase %u", n, m.a32, m.x8, m.phase);
    }
}

static void avx2_gives_the_bits_of_the_plain_code(void **state)
{
    (void)state;
    if (!matrix_dot_avx2_usable())
        skip();
    compare(matrix_dot_avx2);
}

static void avx512_gives_the_bits_of_the_plain_code(void **state)
{
    (void)state;
    if (!matrix_dot_avx512_usable())
        skip();
    compare(matrix_dot_avx512);
}

/* ---- with FMA: data that floats can hold, and around the limits ---- */

#define FMA_ROUNDS 60000

/* Fractions of which many sums are ties, or that carry far. */
static uint32_t fraction(struct rng *r, unsigned kind)
{
    switch (kind) {
    case 0: return rng_below(r, 1024);
    case 1: return 0;
    case 2: return 1023;
    case 3: return rng_below(r, 16) << 6;
    case 4: return UINT32_C(1) << rng_below(r, 10);
    default: return rng_below(r, 8) << 7 | rng_below(r, 2);
    }
}

/* n exponents around the middle; none: of four, that many are 0. */
static uint32_t around(struct rng *r, int middle, uint32_t width, uint32_t none)
{
    int e = middle - (int)width / 2 + (int)rng_below(r, width);
    e = e < 0 || rng_below(r, 4) < none ? 0 : e;
    return (uint32_t)(e > 255 ? 255 : e);
}

static uint32_t width(struct rng *r)
{
    static const uint32_t most[4] = {4, 4, 20, 64};
    return 1 + rng_below(r, most[rng_below(r, 4)]);
}

static void fill_around(struct rng *r, uint32_t *d, unsigned n, int middle, uint32_t none)
{
    uint32_t w = width(r), kind = rng_below(r, 7), plus = rng_below(r, 8) ? 2 : 1;
    bool denormals = rng_below(r, 2); /* zeros may have a fraction */
    for (unsigned i = 0; i < n; i++) {
        uint32_t f = fraction(r, kind < 6 ? kind : rng_below(r, 6));
        uint32_t sign = rng_below(r, plus);
        uint32_t e = around(r, middle, w, none);
        d[i] = layout_src(sign, e, e || denormals ? f : 0);
    }
}

static struct matrix_dot make_around(struct rng *r)
{
    struct matrix_dot m = make(r);
    uint32_t none = rng_below(r, 3) ? 0 : 1 + rng_below(r, 3), w = width(r);
    int ma = rng_below(r, 4) ? 127 : 12 + (int)rng_below(r, 240);
    int mb = rng_below(r, 4) ? 127 : 12 + (int)rng_below(r, 240);
    m.k += m.x8 ? 0 : -127 - (m.a32 ? 97 : -15);
    m.x8 = true;
    m.memo = &memo;
    int md = rng_below(r, 3) ? ma + mb + m.k + (int)rng_below(r, 40) - 20 : (int)rng_below(r, 256);
    fill_around(r, a[0], 256, ma, none);
    fill_around(r, b[0], 128, mb, none);
    for (unsigned i = 0; i < 128; i++) {
        uint32_t sign_fraction = rng_below(r, 256) << 8;
        high[0][i / 16][i % 16] = (uint16_t)(sign_fraction | around(r, md, w, none));
        low[0][i / 16][i % 16] = (uint16_t)(rng_below(r, 3) ? rng_below(r, 0x10000) : 0x8000);
    }
    memcpy(high[1], high[0], sizeof high[0]);
    memcpy(low[1], low[0], sizeof low[0]);
    return m;
}

static bool differ(void)
{
    return memcmp(high[0], high[1], sizeof high[0]) || memcmp(low[0], low[1], sizeof low[0]);
}

/* Whatever rows held that count as zeros, they are zeros for the plain code. */
static void clear_fresh(const struct matrix_dot *m)
{
    if (!m->fresh)
        return;
    memset(high[0], 0, m->rows * sizeof high[0][0]);
    if (m->a32)
        memset(low[0], 0, m->rows * sizeof low[0][0]);
}

static void compare_around(bool (*dot)(const struct matrix_dot *m))
{
    struct rng r = {SEED};
    unsigned done[2] = {0};
    for (unsigned n = 0; n < FMA_ROUNDS; n++) {
        struct matrix_dot m = make_around(&r);
        m.fresh = !rng_below(&r, 4);
        aim(&m, 1);
        if (dot(&m)) {
            done[m.a32]++;
            aim(&m, 0);
            clear_fresh(&m);
            matrix_dot_plain(&m);
        }
        if (differ())
            fail_msg("round %u differs: a32 %d phase %u", n, m.a32, m.phase);
    }
    assert_in_range(done[0], FMA_ROUNDS / 5, FMA_ROUNDS);
    assert_in_range(done[1], FMA_ROUNDS / 5, FMA_ROUNDS);
}

static void fma_gives_the_bits_of_the_plain_code_or_nothing(void **state)
{
    (void)state;
    if (!matrix_dot_fma_usable())
        skip();
    compare_around(matrix_dot_fma);
}

static void fma_with_avx512_gives_the_bits_of_the_plain_code_or_nothing(void **state)
{
    (void)state;
    if (!matrix_dot_fma_usable() || !matrix_dot_avx512_usable())
        skip();
    compare_around(matrix_dot_fma_512);
}

/* All phases of operands under one name, in any order, with rows and masks that change: what is remembered of one
   phase serves the others. */
static void what_is_remembered_serves_all_phases(void **state)
{
    struct rng r = {SEED};
    unsigned done = 0;
    (void)state;
    if (!matrix_dot_fma_usable())
        skip();
    for (uint32_t n = 1; n <= FMA_ROUNDS / 8; n++) {
        struct matrix_dot m = make_around(&r);
        int k = m.k - (int[]){0, -5, -7, -12}[m.phase];
        m.name_a = (uint64_t)MATRIX_DOT_PLACES * n + rng_below(&r, 8) * 2;
        m.name_b = (uint64_t)MATRIX_DOT_PLACES * n + rng_below(&r, 16);
        for (unsigned use = 0; use < 8; use++) {
            m.phase = (uint8_t)rng_below(&r, 4);
            m.k = k + (int[]){0, -5, -7, -12}[m.phase];
            m.rows = rng_below(&r, 4) ? 8 : 4;
            m.mask_a = rng_below(&r, 4) ? NUM_SRC_BF16 : NUM_SRC_TF32;
            m.mask_b = rng_below(&r, 4) ? NUM_SRC_BF16 : NUM_SRC_TF32;
            aim(&m, 1);
            if (matrix_dot_fma(&m)) {
                done++;
                aim(&m, 0);
                matrix_dot_plain(&m);
            }
            if (differ())
                fail_msg("round %u, use %u differs: a32 %d phase %u", n, use, m.a32, m.phase);
        }
    }
    assert_in_range(done, FMA_ROUNDS / 5, FMA_ROUNDS);
}

/* A new name for operand `which`, or the old one, after its data have changed. */
static bool second_is_right(unsigned which, bool renamed, uint32_t row)
{
    const uint32_t one = layout_src(0, 127, 0), two = layout_src(0, 128, 0);
    struct matrix_dot m = {.a = (const uint32_t(*)[16])a,
                           .b = (const uint32_t(*)[16])b,
                           .rows = 8,
                           .mask_a = NUM_SRC_TF32,
                           .mask_b = NUM_SRC_TF32,
                           .k = -127,
                           .x8 = true,
                           .name_a = 7 * MATRIX_DOT_PLACES + row,
                           .name_b = 7 * MATRIX_DOT_PLACES + row,
                           .memo = &memo};
    memset(&memo, 0, sizeof memo);
    for (unsigned i = 0; i < 256; i++)
        a[i / 16][i % 16] = b[i / 16 % 8][i % 16] = one;
    for (unsigned round = 0; round < 2; round++) {
        memset(high[round], 0, sizeof high[0]);
        aim(&m, round);
        assert_true(matrix_dot_fma(&m));
        (which ? b : a)[3][5] = two;
        *(which ? &m.name_b : &m.name_a) += renamed ? MATRIX_DOT_PLACES : 0;
    }
    return memcmp(high[0], high[1], sizeof high[0]) != 0;
}

static void what_was_decoded_counts_under_its_name_only(void **state)
{
    (void)state;
    if (!matrix_dot_fma_usable())
        skip();
    for (unsigned which = 0; which < 2; which++)
        for (uint32_t row = 0; row < 16; row++) {
            assert_true(second_is_right(which, true, row));
            assert_false(second_is_right(which, false, row));
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(avx2_gives_the_bits_of_the_plain_code),
        cmocka_unit_test(avx512_gives_the_bits_of_the_plain_code),
        cmocka_unit_test(fma_gives_the_bits_of_the_plain_code_or_nothing),
        cmocka_unit_test(fma_with_avx512_gives_the_bits_of_the_plain_code_or_nothing),
        cmocka_unit_test(what_is_remembered_serves_all_phases),
        cmocka_unit_test(what_was_decoded_counts_under_its_name_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
