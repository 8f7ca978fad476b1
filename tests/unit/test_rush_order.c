/*
 * test_rush_order.c - programs that lack a wait, with a margin that hardware has, leave untimed what they leave clocked.
 *
 * Each is what a kernel of the vendor relies on, in as few words as show it. Cores go through straight code, so that the margin is a
 * number of instructions; each is repeated often enough for any turn to end in the middle of it.
 */
#include "tile_drive.h"

#define ROUNDS          40u
#define PLACE           200u /* a word of Config that nobody looks at */
#define PERIOD          64u
#define WORD(NAME, ...) tensix_##NAME##_encode((struct tensix_##NAME){__VA_ARGS__})

#define RESET_REGISTER UINT32_C(0xFFB121B0)
#define BLOCK_ALL      0x1ffu

struct code {
    struct tile *tile;
    uint32_t at;
};

static void put(struct code *c, uint32_t word)
{
    poke(c->tile, c->at, word);
    c->at += 4;
}

static void put_nops(struct code *c, unsigned n)
{
    while (n--)
        put(c, 0x00000013);
}

/* .ttinsn */
static void put_push(struct code *c, uint32_t word)
{
    put(c, word << 2 | word >> 30);
}

/* x5 is where Config is; x6 counts. */
static void put_begin(struct code *c)
{
    put(c, 0xffef02b7); /* lui x5, 0xffef0 */
    put(c, 0x00000313); /* li x6, 0 */
}

static void put_config(struct code *c)
{
    put(c, 0x00130313); /* addi x6, x6, 1 */
    uint32_t offset = 4 * PLACE;
    put(c, 0x0062a023 | (offset & 31) << 7 | offset >> 5 << 25); /* sw x6, offset(x5) */
}

static void put_end(struct code *c)
{
    put(c, 0x0000006f); /* j . */
}

/* Both ways from the same start: T0 and T1 leave reset together. */
static void run(struct tile *tile, bool timed, void (*program)(struct code *t0, struct code *t1))
{
    struct code t0 = {tile, 0x6000}, t1 = {tile, 0xA000};
    put_begin(&t0);
    put_begin(&t1);
    program(&t0, &t1);
    put_end(&t0);
    put_end(&t1);
    tile->clock.on = timed;
    poke(tile, RESET_REGISTER, TILE_SOFT_RESET & ~(tile_reset_bits[T0] | tile_reset_bits[T1]));
    if (timed)
        tile_clock_run(tile, 100000);
    else
        tile_run(tile, 100000);
}

static void both(void (*program)(struct code *t0, struct code *t1), struct tile *tile[2])
{
    for (unsigned i = 0; i < 2; i++) {
        tile[i] = calloc(1, sizeof *tile[i]);
        assert_non_null(tile[i]);
        tile_reset(tile[i]);
        run(tile[i], i == 0, program);
    }
    for (unsigned i = 0; i < COPROC_THREADS; i++)
        assert_int_equal(tile[0]->coproc.issued[i], tile[1]->coproc.issued[i]);
    for (unsigned i = 0; i < N_DIAGS; i++)
        if (i == DIAG_FLIP_UNOWNED || i == DIAG_DVALID_UNOWNED)
            assert_int_equal(tile[0]->coproc.probe.count[i], tile[1]->coproc.probe.count[i]);
    assert_memory_equal(tile[0]->coproc.gpr.r, tile[1]->coproc.gpr.r, sizeof tile[0]->coproc.gpr.r);
}

static void forget(struct tile *tile[2])
{
    free(tile[0]);
    free(tile[1]);
}

/* Hands SrcA over, as soon as its bank is free. */
static void put_give(struct code *c, unsigned which)
{
    put_push(c, WORD(STALLWAIT, .stall_res = BLOCK_ALL, .wait_res = which << 5));
    put_push(c, WORD(SETDVALID, .setvalid = which));
}

/* hadamard: the core writes what the next word of its thread reads from Config, although the last one may still be held by a bank. It
   never is: the other thread is faster. */
static void switched(struct code *t0, struct code *t1)
{
    for (unsigned i = 0; i < ROUNDS; i++) {
        put_config(t0);
        put_give(t0, 1);
        put_push(t0, WORD(RDCFG, .gpr_address = i, .cfg_reg = PLACE));
        put_nops(t0, PERIOD - 6);
        put_push(t1, WORD(MOVA2D, .src = 0));
        put_push(t1, WORD(SETRWC, .clear_ab_vld = 1));
    }
}

static void config_switched_without_a_wait(void **state)
{
    (void)state;
    struct tile *tile[2];
    both(switched, tile);
    for (unsigned i = 0; i < ROUNDS; i++)
        assert_int_equal(tile[1]->coproc.gpr.r[0][i], i + 1);
    forget(tile);
}

/* mul_reduce_scalar: a thread reads what another one has written half a round before. */
static void read_early(struct code *t0, struct code *t1)
{
    put_nops(t1, PERIOD / 2);
    for (unsigned i = 0; i < ROUNDS; i++) {
        put_config(t0);
        put_nops(t0, PERIOD - 2);
        put_push(t1, WORD(RDCFG, .gpr_address = i, .cfg_reg = PLACE));
        put_nops(t1, PERIOD - 1);
    }
}

static void read_without_a_wait(void **state)
{
    (void)state;
    struct tile *tile[2];
    both(read_early, tile);
    for (unsigned i = 0; i < ROUNDS; i++)
        assert_int_equal(tile[1]->coproc.gpr.r[1][i], i + 1);
    forget(tile);
}

/* moe gate: a copy from SrcA gives back the banks of both, and waits for SrcA only. SrcB comes a few instructions behind. */
static void gives_back(struct code *t0, struct code *t1)
{
    for (unsigned i = 0; i < ROUNDS; i++) {
        put_give(t0, 1);
        put_nops(t0, 3);
        put_give(t0, 2);
        for (unsigned k = 0; k < 16; k++)
            put_push(t1, WORD(MOVA2D, .src = 0));
        put_push(t1, WORD(SETRWC, .clear_ab_vld = 3));
    }
}

static void bank_given_back_without_a_wait(void **state)
{
    (void)state;
    struct tile *tile[2];
    both(gives_back, tile);
    assert_int_equal(tile[1]->coproc.probe.count[DIAG_FLIP_UNOWNED], 0);
    assert_int_equal(tile[1]->coproc.issued[1], ROUNDS * 17);
    forget(tile);
}

TEST_MAIN(cmocka_unit_test(config_switched_without_a_wait), cmocka_unit_test(read_without_a_wait),
          cmocka_unit_test(bank_given_back_without_a_wait))
