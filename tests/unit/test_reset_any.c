/*
 * test_reset_any.c - a core goes into reset at any time, with stores in its queue, loads that nobody answers, pushes that have no
 * room, polls and atomics: by another core, by a store of its own, by the Scalar Unit, by a word that it has pushed itself. Then it comes out
 * of reset again, and the same happens a little later.
 *
 * Every run ends. With time nothing depends on whether waiting is skipped.
 */
#include "tile_drive.h"

#define PHASES 40u /* resets of a run; each comes a round of a delay loop later */
#define LIMIT  30000u
#define PHASE  0x20000u /* which of them is next */
#define WORK   0x20100u
#define FLAG   0x20200u

#define BIT(core)    tile_reset_bits[core]
#define PUT(id, ...) RV_PUT(tile, &at, id, __VA_ARGS__)
#define BNE_BACK(to) PUT(BNE, .rs1 = 5, .rs2 = 0, .imm = (int32_t)((to)-at))

enum { X_LOOP = 5, X_AT, X_VALUE, X_RESET, X_HELD, X_FREE, X_OTHER };

/* Who puts the core into reset. */
enum means { BY_OTHER, BY_ITSELF, BY_UNIT, BY_ITS_WORD, N_MEANS };

/* What it does meanwhile. */
enum work {
    STORES,
    PUSHES,
    HELD_PUSHES,
    MAIL,
    SEMAPHORES,
    CONFIGURES,
    POLLS,
    SPINS,
    ATOMICS,
    MOPS,
    LOCAL,
    SYNCS,
    COMPUTES,
    N_WORK
};

struct way {
    unsigned victim, other;
    enum means means;
    enum work work;
};

static const uint32_t start[] = {
    [T0] = 0x6000, [T1] = 0xA000, [T2] = 0xE000, [B] = 0, [NC] = 0x12000};

/* What SOFT_RESET holds while the core is in reset, and while it is not; the three others never run. */
static uint32_t bits_held(const struct way *w)
{
    return TILE_SOFT_RESET & ~BIT(w->other);
}

static uint32_t bits_free(const struct way *w)
{
    return bits_held(w) & ~BIT(w->victim);
}

static uint32_t storereg(unsigned gpr)
{
    return tensix_STOREREG_encode((struct tensix_STOREREG){
        .reg_addr = (CONTROL(0x1b0) >> 2) & 0x3ffff, .tdma_data_reg_index = gpr});
}

static void put_push(struct tile *tile, uint32_t *where, uint32_t word)
{
    uint32_t at = *where;
    put_li(tile, &at, X_AT, 0xFFE40000);
    put_li(tile, &at, X_VALUE, word);
    PUT(SW, .rs1 = X_AT, .rs2 = X_VALUE);
    *where = at;
}

/* A store of X_VALUE. */
static void put_store(struct tile *tile, uint32_t *where, uint32_t address, uint32_t value)
{
    uint32_t at = *where;
    put_li(tile, &at, X_AT, address);
    put_li(tile, &at, X_VALUE, value);
    PUT(SW, .rs1 = X_AT, .rs2 = X_VALUE);
    *where = at;
}

static void put_load(struct tile *tile, uint32_t *where, uint32_t address)
{
    uint32_t at = *where;
    put_li(tile, &at, X_AT, address);
    PUT(LW, .rd = X_VALUE, .rs1 = X_AT);
    *where = at;
}

/* As many rounds as the word PHASE says, and one. */
static void put_delay(struct tile *tile, uint32_t *where)
{
    uint32_t at = *where;
    PUT(FENCE, .imm = 0xff);
    put_load(tile, &at, PHASE);
    PUT(ADDI, .rd = X_LOOP, .rs1 = X_VALUE, .imm = 1);
    uint32_t loop = at;
    PUT(ADDI, .rd = X_LOOP, .rs1 = X_LOOP, .imm = -1);
    BNE_BACK(loop);
    *where = at;
}

static void put_work_of_thread(struct tile *tile, uint32_t *at, unsigned core, enum work work)
{
    const uint32_t nop = (uint32_t)TENSIX_OP_NOP << 24;
    switch (work) {
    case HELD_PUSHES:
        put_push(tile,
                 at,
                 tensix_SEMWAIT_encode((struct tensix_SEMWAIT){
                     .wait_sem_cond = 1, .sem_sel = 1u << 7, .stall_res = 0x1ff}));
        /* fall through */
    case PUSHES:
        for (unsigned i = 0; i < 24; i++)
            put_push(tile, at, nop);
        break;
    case SEMAPHORES:
        put_store(tile, at, 0xFFE80020 + 4 * core, 0);
        put_load(tile, at, 0xFFE80020 + 4 * core);
        put_store(tile, at, 0xFFE80020 + 4 * core, 1);
        break;
    case MOPS:
        for (unsigned i = 0; i < 9; i++)
            put_store(tile, at, 0xFFB80000 + 4 * i, i < 2 ? 5 : nop);
        put_push(tile, at, (uint32_t)TENSIX_OP_MOP << 24 | 1u << 23);
        break;
    case SYNCS:
        put_push(tile, at, (uint32_t)TENSIX_OP_ATINCGET << 24);
        put_push(tile, at, nop);
        put_load(tile, at, 0xFFE80004);
        break;
    default: break;
    }
}

/* One round of what the core does. */
static void put_work(struct tile *tile, uint32_t *where, unsigned core, enum work work)
{
    uint32_t at = *where;
    bool thread = core <= T2;
    switch (work) {
    case STORES:
        for (unsigned i = 0; i < 12; i++)
            put_store(tile, &at, WORK + 16 * i + 4 * core, 0x100 + i);
        break;
    case MAIL:
        if (core == NC)
            break;
        put_store(tile, &at, thread ? 0xFFEC0000 : 0xFFEC1000, 7);
        put_load(tile, &at, thread ? 0xFFEC0000 : 0xFFEC1000);
        PUT(ADDI, .rd = X_OTHER, .rs1 = X_VALUE);
        break;
    case CONFIGURES:
        if (core == NC)
            break;
        put_store(tile, &at, 0xFFEF0000 + 4 * 100, 5);
        put_store(tile, &at, 0xFFE00000 + 4 * 9, 6);
        put_load(tile, &at, 0xFFE00000 + 4 * 9);
        break;
    case POLLS: {
        put_li(tile, &at, X_AT, FLAG);
        uint32_t loop = at;
        PUT(LW, .rd = X_LOOP, .rs1 = X_AT);
        BNE_BACK(loop);
        break;
    }
    case SPINS: PUT(JAL, .rd = 0, .imm = 0); break;
    case ATOMICS:
        put_li(tile, &at, X_AT, WORK);
        PUT(AMOADD_W, .rd = X_OTHER, .rs1 = X_AT, .rs2 = X_AT);
        PUT(DIV, .rd = X_OTHER, .rs1 = X_AT, .rs2 = X_OTHER);
        PUT(SW, .rs1 = X_AT, .rs2 = X_OTHER, .imm = 4);
        break;
    case COMPUTES: { /* runs ahead of everything it does outside */
        put_li(tile, &at, X_AT, WORK);
        uint32_t loop = at;
        PUT(ADDI, .rd = X_OTHER, .rs1 = X_OTHER, .imm = 1);
        PUT(MUL, .rd = X_VALUE, .rs1 = X_OTHER, .rs2 = X_OTHER);
        PUT(ANDI, .rd = X_LOOP, .rs1 = X_VALUE, .imm = 24);
        BNE_BACK(loop);
        PUT(SW, .rs1 = X_AT, .rs2 = X_VALUE);
        break;
    }
    case LOCAL:
        for (unsigned i = 0; i < 4; i++) {
            put_store(tile, &at, 0xFFB00010 + 4 * i, i);
            put_load(tile, &at, 0xFFB00010 + 4 * i);
        }
        break;
    default:
        if (thread)
            put_work_of_thread(tile, &at, core, work);
        else
            put_store(tile, &at, core == B ? 0xFFE50000 : WORK, (uint32_t)TENSIX_OP_NOP << 24);
        break;
    }
    *where = at;
}

static void put_victim(struct tile *tile, const struct way *w)
{
    uint32_t at = start[w->victim];
    if (w->means == BY_ITSELF || w->means == BY_ITS_WORD) {
        put_delay(tile, &at);
        put_work(tile, &at, w->victim, w->work == SPINS || w->work == POLLS ? STORES : w->work);
        if (w->means == BY_ITSELF)
            put_store(tile, &at, CONTROL(0x1b0), bits_held(w));
        else
            put_push(tile, &at, storereg(4));
    }
    uint32_t loop = at;
    put_work(tile, &at, w->victim, w->work);
    PUT(JAL, .rd = 0, .imm = (int32_t)(loop - at));
}

/* Lets the core go, waits, puts it into reset, PHASES times. */
static void put_other(struct tile *tile, const struct way *w)
{
    uint32_t at = start[w->other];
    put_li(tile, &at, X_RESET, CONTROL(0x1b0));
    put_li(tile, &at, X_HELD, bits_held(w));
    put_li(tile, &at, X_FREE, bits_free(w));
    uint32_t round = at;
    PUT(SW, .rs1 = X_RESET, .rs2 = X_FREE);
    if (w->means == BY_OTHER || w->means == BY_UNIT) {
        put_delay(tile, &at);
        if (w->means == BY_OTHER)
            PUT(SW, .rs1 = X_RESET, .rs2 = X_HELD);
        else
            put_push(tile, &at, storereg(4));
    }
    uint32_t wait = at; /* until it is there */
    PUT(LW, .rd = X_VALUE, .rs1 = X_RESET);
    PUT(SUB, .rd = X_LOOP, .rs1 = X_VALUE, .rs2 = X_HELD);
    BNE_BACK(wait);
    put_li(tile, &at, X_AT, PHASE);
    PUT(LW, .rd = X_VALUE, .rs1 = X_AT);
    PUT(ADDI, .rd = X_VALUE, .rs1 = X_VALUE, .imm = 1);
    PUT(SW, .rs1 = X_AT, .rs2 = X_VALUE);
    PUT(FENCE, .imm = 0xff);
    PUT(ADDI, .rd = X_LOOP, .rs1 = X_VALUE, .imm = -(int32_t)PHASES);
    BNE_BACK(round);
    PUT(JAL, .rd = 0, .imm = 0);
}

static struct tile *make(const struct way *w)
{
    void *state = NULL;
    tile_setup(&state);
    struct tile *tile = state;
    for (unsigned i = 0; i < 3; i++)
        tile->coproc.gpr.r[i][4] = bits_held(w);
    poke(tile, FLAG, 1);
    put_victim(tile, w);
    put_other(tile, w);
    return tile;
}

/* What must hold after a run, whatever happened. */
static void is_whole(const struct tile *tile)
{
    for (unsigned i = 0; i < RV_N_CORES; i++) {
        assert_int_equal(tile->core[i].state == RV_HELD, (tile->soft_reset & BIT(i)) != 0);
        assert_true(tile->pipe[i].lsu.n <= T_RISC_STORE_QUEUE);
        assert_int_equal(tile->core[i].x[0], 0);
    }
    for (unsigned i = 0; i < COPROC_THREADS; i++) {
        const struct frontend *f = &tile->coproc.fe[i];
        assert_true(f->tracked <= T_Q1_DEPTH && f->q2.n <= T_Q2_DEPTH && f->q3.n <= T_Q3_DEPTH);
    }
}

static enum tile_end run(struct tile *tile, const struct way *w, bool no_skip)
{
    tile->clock.no_skip = no_skip;
    assert_int_equal(tile_clock_run(tile, 0), TILE_END_LIMIT);
    release(tile, w->other);
    enum tile_end end = tile_clock_run(tile, LIMIT);
    coproc_settle(&tile->coproc);
    is_whole(tile);
    return end;
}

static void same(const struct tile *a, const struct tile *b, const struct way *w)
{
    if (a->clock.now != b->clock.now || memcmp(a->l1_bytes, b->l1_bytes, sizeof a->l1_bytes))
        print_message(
            "victim %u, other %u, means %u, work %u\n", w->victim, w->other, w->means, w->work);
    assert_int_equal(a->clock.now, b->clock.now);
    assert_memory_equal(a->l1_bytes, b->l1_bytes, sizeof a->l1_bytes);
    assert_memory_equal(a->local, b->local, sizeof a->local);
    for (unsigned i = 0; i < RV_N_CORES; i++) {
        assert_int_equal(a->core[i].state == RV_HELD, b->core[i].state == RV_HELD);
        assert_int_equal(a->core[i].resets, b->core[i].resets);
    }
    for (unsigned i = 0; i < N_AGENTS; i++)
        if (memcmp(a->coproc.ledger[i].cycles,
                   b->coproc.ledger[i].cycles,
                   sizeof a->coproc.ledger[i].cycles))
            fail_msg("ledger of %s: victim %u, means %u, work %u",
                     owner_names[i],
                     w->victim,
                     w->means,
                     w->work);
}

/* All ways to do that to a core. */
static unsigned each_way(void (*try)(const struct way *w))
{
    unsigned n = 0;
    for (unsigned victim = T0; victim <= NC; victim++)
        for (unsigned means = 0; means < N_MEANS; means++)
            for (unsigned work = 0; work < N_WORK; work++, n++) {
                struct way w = {victim, victim == B ? NC : B, (enum means)means, (enum work)work};
                if (means == BY_UNIT)
                    w.other = victim == T1 ? T0 : T1;
                if (means == BY_ITS_WORD && victim > T2)
                    continue;
                try(&w);
            }
    return n;
}

static void try_timed(const struct way *w)
{
    struct tile *a = make(w), *b = make(w);
    enum tile_end end = run(a, w, false);
    assert_int_equal(run(b, w, true), end);
    same(a, b, w);
    if (w->means == BY_OTHER) /* whatever the core does, it cannot be missed */
        assert_int_equal(peek(a, PHASE), PHASES);
    free(a);
    free(b);
}

static void with_time(void **state)
{
    (void)state;
    assert_true(each_way(try_timed));
}

static void try_untimed(const struct way *w)
{
    struct tile *tile = make(w);
    release(tile, w->other);
    for (unsigned i = 0; i < 8; i++) {
        uint64_t n = tile_run(tile, 5000);
        assert_true(n <= 5000);
        is_whole(tile);
    }
    if (w->means == BY_OTHER)
        assert_int_equal(peek(tile, PHASE), PHASES);
    free(tile);
}

static void without_time(void **state)
{
    (void)state;
    assert_true(each_way(try_untimed));
}

TEST_MAIN(cmocka_unit_test(with_time), cmocka_unit_test(without_time))
