/*
 * The dot product of MVMUL: the AVX2 and the AVX-512 code give the same bits as the plain code, for all styles of operands
 * and Dst, all fidelity phases, exponents near and far apart, zeros, and values at both ends of the range.
 */
#include "test.h"

#include <string.h>

#include "model/rng.h"
#include "unit/matrix_dot.h"

#define SEED   UINT64_C(20261116)
#define ROUNDS 60000

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
        for (unsigned j = 0; j < 16; j++)
            d[i][j] = rng_below(r, 2) << 18 | rng_below(r, 1024) << 8 | exponent(r, kind, most);
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
    m.mask_a = rng_below(r, 2) ? 0x7ffff : 0x7f8ff;
    m.mask_b = rng_below(r, 2) ? 0x7ffff : 0x7f8ff;
    return m;
}

static void aim(struct matrix_dot *m, unsigned copy)
{
    for (unsigned i = 0; i < 8; i++) {
        m->high[i] = high[copy][i];
        m->low[i] = m->a32 ? low[copy][i] : NULL;
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
    if (!matrix_dot_has_avx2())
        skip();
    compare(matrix_dot_avx2);
}

static void avx512_gives_the_bits_of_the_plain_code(void **state)
{
    (void)state;
    if (!matrix_dot_has_avx512())
        skip();
    compare(matrix_dot_avx512);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(avx2_gives_the_bits_of_the_plain_code),
        cmocka_unit_test(avx512_gives_the_bits_of_the_plain_code),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
