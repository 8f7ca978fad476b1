/*
 * test_mover.c - random transfers of the mover, by XMOV and by commands of TDMA-RISC, against what the pages say they leave
 * in L1 and in the configuration.
 *
 * ISA pages: Mover, XMOV, TDMA-RISC (Wormhole), BackendConfiguration (Blackhole).
 *
 * Left out because nothing says what happens: transfers that overlap themselves or leave their space, configuration words
 * whose writes do more (4, 185, 186), ThreadConfig as a target.
 */
#include "unit/tile_drive.h"

#include "model/rng.h"

#define UNITS 2048u /* of 16 bytes in the part of L1 that is looked at */

struct pages {
    uint32_t l1[UNITS * 4];
    uint32_t cfg[2][224];
    uint32_t base[4]; /* of T0, T1, T2, B */
};

static struct pages m;

/* ---- what the pages say ---- */

static void page_config(uint32_t index, uint32_t value)
{
    unsigned image = index / 224, word = index % 224;
    for (unsigned bank = 0; bank < 2; bank++)
        if (image == 2 || image == bank || word >= 180)
            m.cfg[bank][word] = value;
}

/* All in units of 16 bytes. */
static void page_mover(uint32_t to, uint32_t from, uint32_t count, unsigned mode)
{
    for (uint32_t i = 0; i < 4 * count; i++) {
        uint32_t value = mode == 1 || mode == 3 ? m.l1[4 * from + i] : 0;
        if (mode == 0 || mode == 3)
            m.l1[4 * to + i] = value;
        else
            page_config(4 * to + i, value);
    }
}

/* ---- random transfers ---- */

struct transfer {
    uint32_t to, from, count;
    unsigned mode;
};

/* A run of configuration words, in units of four, that only keep what they are given. */
static void aim_at_config(struct transfer *x, struct rng *r, uint32_t most)
{
    uint32_t first = rng_percent(r, 70) ? 2 : 47, end = first == 2 ? 46 : 56;
    uint32_t image = rng_below(r, 3), start = first + rng_below(r, end - first);
    if (x->count > end - start)
        x->count = end - start;
    x->to = 56 * image + start;
    if (x->to + x->count > most)
        x->to = first;
}

static struct transfer any(struct rng *r, bool compact)
{
    struct transfer x = {.mode = compact ? (rng_next(r) & 1 ? 3 : 1) : rng_below(r, 4)};
    x.count = rng_below(r, rng_percent(r, 50) ? 4 : 64);
    x.from = rng_below(r, UNITS / 2 - 64);
    x.to = UNITS / 2 + rng_below(r, UNITS / 2 - 64);
    if (rng_percent(r, 50) && !compact) {
        uint32_t t = x.to;
        x.to = x.from;
        x.from = t;
    }
    if (x.mode == 1 || x.mode == 2)
        aim_at_config(&x, r, compact ? 256 : 168);
    else if (compact)
        x = (struct transfer){rng_below(r, 192), 512 + rng_below(r, 256), x.count, 3};
    return x;
}

static void run_xmov(struct tile *tile, struct rng *r)
{
    unsigned thread = rng_below(r, 3), bank = tile->coproc.config.thread[thread][0] & 1;
    struct transfer x = any(r, false);
    uint32_t word = 0x40000000u, *cfg = &tile->coproc.config.word[bank][88];
    /* only 16 bits of the size count */
    m.cfg[bank][88] = cfg[0] = x.from;
    m.cfg[bank][89] = cfg[1] = x.to;
    m.cfg[bank][90] = cfg[2] = x.mode << 30 | (rng_next(r) & 0x3fff0000) | x.count;
    assert_true(coproc_port_push(&tile->coproc, thread, &word, 1, 1));
    settle(tile);
    page_mover(x.to, x.from, x.count, x.mode);
}

static void run_command(struct tile *tile, struct rng *r)
{
    unsigned who = rng_below(r, 4);
    bool compact = rng_percent(r, 50);
    struct transfer x = any(r, compact);
    if (compact) {
        uint32_t low = rng_below(r, x.from < 256 ? x.from + 1 : 256);
        m.base[who] = x.from - low;
        store(tile, who, TDMA(0x2C), m.base[who]);
        assert_int_equal(load(tile, who, TDMA(0x2C)), m.base[who]);
        store(tile,
              who,
              TDMA(0x10),
              0x80000040u | low << 8 | x.to << 16 | x.count << 24 | (x.mode == 3 ? 1u << 30 : 0));
    } else {
        const uint32_t param[4] = {x.from,
                                   x.to,
                                   x.count | (rng_next(r) & 0xffff0000u),
                                   x.mode | (rng_next(r) & 0xfffffffcu)};
        for (unsigned i = 0; i < 4; i++)
            store(tile, who, TDMA(4 * i), param[i]);
        store(tile, who, TDMA(0x10), 0x40 | (rng_next(r) & 0x7fffff00));
    }
    store(tile, who, TDMA(0x10), rng_next(r) & 1 ? 0x80000046 : 0x80000089);
    settle(tile);
    page_mover(x.to, x.from, x.count, x.mode);
}

static void run_write(struct tile *tile, struct rng *r)
{
    uint32_t at = 2 * rng_below(r, 2 * UNITS), low = rng_next(r), high = rng_next(r);
    bool both = rng_next(r) & 1;
    store(tile, B, TDMA(0), 4 * at);
    store(tile, B, TDMA(8), low);
    store(tile, B, TDMA(0xC), high);
    store(tile, B, TDMA(0x10), both ? 0x766 : 0x666);
    settle(tile);
    m.l1[at] = low;
    if (both)
        m.l1[at + 1] = high;
}

static void transfers_leave_what_the_pages_say(void **state)
{
    struct tile *tile = *state;
    struct rng r = rng_of(1, 0);
    for (unsigned i = 0; i < UNITS * 4; i++) {
        m.l1[i] = rng_next(&r);
        poke(tile, 4 * i, m.l1[i]);
    }
    memcpy(m.cfg, tile->coproc.config.word, sizeof m.cfg);
    for (unsigned i = 0; i < 3; i++)
        tile->coproc.config.thread[i][0] = i & 1;
    for (unsigned n = 0; n < (WG_SLOW_BUILD ? 2000 : 20000); n++) {
        unsigned kind = rng_below(&r, 5);
        if (kind < 2)
            run_xmov(tile, &r);
        else if (kind < 4)
            run_command(tile, &r);
        else
            run_write(tile, &r);
        if (n % 8)
            continue;
        if (memcmp(m.cfg, tile->coproc.config.word, sizeof m.cfg) != 0)
            fail_msg("configuration differs behind transfer %u (kind %u)", n, kind);
        if (memcmp(m.l1, tile->l1_bytes, sizeof m.l1) != 0)
            fail_msg("L1 differs behind transfer %u (kind %u)", n, kind);
        for (unsigned i = 0; i < UNITS; i++) /* zeros must not win in the end */
            if (!m.l1[4 * i]) {
                m.l1[4 * i] = rng_next(&r);
                poke(tile, 16 * i, m.l1[4 * i]);
            }
    }
    assert_int_equal(told(tile, DIAG_MOVER_NOWHERE), 0);
    assert_int_equal(load(tile, B, TDMA(0x14)) & 0x3c, 0x28); /* both queues empty */
}

TEST_MAIN(TILE_TEST(transfers_leave_what_the_pages_say))
