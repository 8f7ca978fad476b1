/*
 * What must not depend on whether waiting is skipped: complaints of a core are told in the cycle of the instruction they
 * are about; code that is overwritten while a core polls or sleeps is seen in the same cycle; a store leaves its queue
 * when the instruction that wants it out is known; one that a write to cfg0 lets go leaves no sooner than that.
 */
#include "tile_drive.h"

#include <stdio.h>

#define FLAG       0x20000u
#define RESULT     0x20100u
#define NEW        0x20200u /* a line of code that the mover copies */
#define CFG0       0x7c0u
#define MAILBOX_T1 UINT32_C(0xffec2000) /* of core T2: from and to T1 */
#define MAILBOX_T2 UINT32_C(0xffec3000) /* of core T1: from and to T2 */
#define PUSH_B     UINT32_C(0xffe50000) /* core B pushes for T1 */
#define PHASES     80u
#define NOTES      4096u

#define BIT(core)    tile_reset_bits[core]
#define PUT(id, ...) RV_PUT(tile, &at, id, __VA_ARGS__)
#define NOP          PUT(ADDI, .rd = 0)
#define FENCE_ALL    PUT(FENCE, .imm = 0xff)

/* Events of core NC, and what all cores did as a number that depends on all events and their order. */
struct notes {
    uint64_t trace[N_AGENTS];
    unsigned n;
    struct event event[NOTES];
};

static void note(void *ctx, const struct event *e)
{
    struct notes *o = ctx;
    const uint64_t part[] = {e->cycle, e->kind, e->cause, e->owner, e->word, e->arg};
    for (unsigned i = 0; i < sizeof part / sizeof part[0]; i++)
        o->trace[e->agent] = (o->trace[e->agent] ^ part[i]) * UINT64_C(0x100000001b3);
    if (e->agent == OWNER_CORE_NC && o->n < NOTES)
        o->event[o->n++] = *e;
}

static struct tile *new_tile(bool no_skip, struct notes *o)
{
    void *state = NULL;
    tile_setup(&state);
    struct tile *tile = state;
    assert_int_equal(tile_clock_run(tile, 0), TILE_END_LIMIT);
    memset(o, 0, sizeof *o);
    tile->clock.no_skip = no_skip;
    tile->coproc.probe.sink = note;
    tile->coproc.probe.ctx = o;
    tile->coproc.probe.mask = 1u << EV_CORE | 1u << EV_CORE_WAIT | 1u << EV_DIAG;
    return tile;
}

static void release_all(struct tile *tile, uint32_t bits)
{
    store(tile, NOC, CONTROL(0x1b0), load(tile, NOC, CONTROL(0x1b0)) & ~bits);
}

/* NC's event of this kind whose word or argument is this one; NULL. */
static const struct event *find(const struct notes *o, unsigned kind, uint32_t arg)
{
    for (unsigned i = 0; i < o->n; i++)
        if (o->event[i].kind == kind && o->event[i].arg == arg)
            return &o->event[i];
    return NULL;
}

/* Field by field: between them there is room of which nothing is known. */
static bool same_event(const struct event *a, const struct event *b)
{
    return a->cycle == b->cycle && a->kind == b->kind && a->agent == b->agent &&
           a->cause == b->cause && a->owner == b->owner && a->tag == b->tag && a->word == b->word &&
           a->arg == b->arg && a->pc == b->pc;
}

static void assert_same(struct tile *a, const struct notes *x, struct tile *b,
                        const struct notes *y, const char *what)
{
    coproc_settle(&a->coproc);
    coproc_settle(&b->coproc);
    for (unsigned i = 0; i < x->n && i < y->n; i++)
        if (!same_event(&x->event[i], &y->event[i]))
            fail_msg("%s: event %u of NC: %s in cycle %u, %s in cycle %u",
                     what,
                     i,
                     probe_event_names[x->event[i].kind],
                     (unsigned)x->event[i].cycle,
                     probe_event_names[y->event[i].kind],
                     (unsigned)y->event[i].cycle);
    for (unsigned i = 0; i < N_AGENTS; i++) {
        if (x->trace[i] != y->trace[i])
            fail_msg("%s: trace of %s", what, owner_names[i]);
        for (unsigned k = 0; k < N_WAITS; k++)
            if (a->coproc.ledger[i].cycles[k] != b->coproc.ledger[i].cycles[k])
                fail_msg("%s: %s %s %u, %u",
                         what,
                         owner_names[i],
                         wait_table[k].name,
                         (unsigned)a->coproc.ledger[i].cycles[k],
                         (unsigned)b->coproc.ledger[i].cycles[k]);
    }
    if (a->clock.now != b->clock.now)
        fail_msg("%s: cycle %u, %u", what, (unsigned)a->clock.now, (unsigned)b->clock.now);
    for (unsigned i = 0; i < RV_N_CORES; i++) {
        if (!a->pipe[i].poll.on)
            assert_memory_equal(a->core[i].x, b->core[i].x, 32 * sizeof a->core[i].x[0]);
        assert_int_equal(a->core[i].state, b->core[i].state);
    }
    assert_memory_equal(a->coproc.probe.count, b->coproc.probe.count, sizeof a->coproc.probe.count);
    assert_memory_equal(a->l1_bytes, b->l1_bytes, sizeof a->l1_bytes);
}

/* ---- complaints ---- */

enum complaint {
    PUSH,
    ILLEGAL,
    MISALIGNED_LOAD,
    MISALIGNED_STORE,
    CSR,
    VECTOR,
    FETCH,
    N_COMPLAINTS
};

static const struct {
    const char *name;
    enum diag_id id;
    bool stops;
    unsigned late; /* cycles behind the instruction before it, if nothing but that is known */
} complaints[N_COMPLAINTS] = {
    [PUSH] = {".ttinsn", DIAG_RV_PUSH, false, 0},
    [ILLEGAL] = {"no instruction", DIAG_RV_ILLEGAL, true, 1},
    [MISALIGNED_LOAD] = {"misaligned load", DIAG_RV_MISALIGNED, false, 0},
    [MISALIGNED_STORE] = {"misaligned store", DIAG_RV_MISALIGNED, false, 0},
    [CSR] = {"no such CSR", DIAG_RV_CSR, false, 0},
    [VECTOR] = {"vector instruction", DIAG_RV_ILLEGAL, true, 1},
    [FETCH] = {"jump out of L1", DIAG_RV_FETCH, true, 1 + T_RISC_MISPREDICT},
};

/* B writes to L1 again and again, so that it and the coprocessor have other moments than NC. */
static void put_noise(struct tile *tile)
{
    uint32_t at = tile_control_start_pc(tile, B), loop;
    put_li(tile, &at, 20, RESULT);
    put_li(tile, &at, 5, 40);
    loop = at;
    for (unsigned i = 0; i < 7; i++)
        PUT(MUL, .rd = 6, .rs1 = 6, .rs2 = 6);
    PUT(SW, .rs1 = 20, .rs2 = 5);
    PUT(ADDI, .rd = 5, .rs1 = 5, .imm = -1);
    PUT(BNE, .rs1 = 5, .rs2 = 0, .imm = (int32_t)(loop - at));
    PUT(EBREAK, .rd = 0);
}

/* NC: something to do, then what it complains of; returns where that is. */
static uint32_t put_complaint(struct tile *tile, enum complaint what)
{
    uint32_t at = tile_control_start_pc(tile, NC), where;
    put_li(tile, &at, 20, RESULT + 0x41);
    put_li(tile, &at, 21, UINT32_C(0x7ffffffc));
    for (unsigned i = 0; i < 21; i++)
        NOP;
    where = at;
    switch (what) {
    case PUSH:
        poke(tile, at, 0);
        at += 4;
        break;
    case ILLEGAL:
        poke(tile, at, UINT32_MAX);
        at += 4;
        break;
    case MISALIGNED_LOAD: PUT(LW, .rd = 5, .rs1 = 20); break;
    case MISALIGNED_STORE: PUT(SW, .rs1 = 20, .rs2 = 5); break;
    case CSR: PUT(CSRRS, .rd = 5, .csr = 0x123); break;
    case VECTOR: PUT(VMV1R_V, .rd = 1, .rs2 = 2); break;
    default:
        PUT(JALR, .rd = 0, .rs1 = 21);
        where = at;
        break;
    }
    NOP;
    PUT(EBREAK, .rd = 0);
    return where;
}

static void complaint_is_told_in_its_cycle(enum complaint what, unsigned policy)
{
    static struct notes o[2];
    struct tile *tile[2];
    enum tile_end end[2];
    for (unsigned i = 0; i < 2; i++) {
        tile[i] = new_tile(i, &o[i]);
        memset(tile[i]->coproc.probe.policy, (int)policy, sizeof tile[i]->coproc.probe.policy);
        put_noise(tile[i]);
        uint32_t where = put_complaint(tile[i], what);
        release_all(tile[i], BIT(B) | BIT(NC));
        end[i] = tile_clock_run(tile[i], 10000);
        const struct event *e = find(&o[i], EV_DIAG, complaints[what].id);
        const struct event *of = find(&o[i], EV_CORE, complaints[what].late ? where - 4 : where);
        assert_non_null(e);
        if (policy == DIAG_POLICY_STOP) /* maybe before it is done */
            continue;
        assert_non_null(of);
        if (e->cycle != of->cycle + complaints[what].late)
            fail_msg("%s: told in cycle %u, not in %u",
                     complaints[what].name,
                     (unsigned)e->cycle,
                     (unsigned)of->cycle + complaints[what].late);
        assert_int_equal(tile[i]->core[NC].stop == RV_STOP_FAULT, complaints[what].stops);
    }
    assert_int_equal(end[0], end[1]);
    assert_int_equal(end[0], TILE_END_STOPPED);
    assert_same(tile[0], &o[0], tile[1], &o[1], complaints[what].name);
    free(tile[0]);
    free(tile[1]);
}

static void complaints_are_told_in_their_cycle(void **state)
{
    (void)state;
    for (enum complaint i = 0; i < N_COMPLAINTS; i++)
        complaint_is_told_in_its_cycle(i, DIAG_POLICY_WARN);
}

/* Nobody does anything after the cycle of a complaint that ends the run. */
static void complaints_that_end_the_run_end_it_in_their_cycle(void **state)
{
    (void)state;
    for (enum complaint i = 0; i < N_COMPLAINTS; i++)
        complaint_is_told_in_its_cycle(i, DIAG_POLICY_STOP);
}

/* Each round of a loop that complains is counted: it is no wait. */
static void loop_that_complains_is_not_parked(void **state)
{
    (void)state;
    static struct notes o[2];
    struct tile *a = NULL;
    for (unsigned i = 0; i < 2; i++) {
        struct tile *tile = new_tile(i, &o[i]);
        uint32_t at = tile_control_start_pc(tile, NC);
        poke(tile, at, 0);
        at += 4;
        PUT(JAL, .imm = -4);
        release_all(tile, BIT(NC));
        assert_int_equal(tile_clock_run(tile, 1000), TILE_END_LIMIT);
        assert_true(told(tile, DIAG_RV_PUSH) > 400);
        if (a)
            assert_same(a, &o[0], tile, &o[1], "loop");
        else
            a = tile;
        if (i)
            free(tile);
    }
    free(a);
}

/* ---- code that is overwritten ---- */

enum loop { LOOP_EMPTY, LOOP_LONG, LOOP_CALL, LOOP_L1, LOOP_REGISTER, LOOP_WORK, N_LOOPS };
enum by { BY_STORE, BY_BYTE, BY_ATOMIC, BY_MOVER, BY_HOST, N_WRITERS };

static const char *const loop_names[N_LOOPS] = {"empty", "long", "call", "L1", "register", "work"};
static const char *const writer_names[N_WRITERS] = {"store", "byte", "atomic", "mover", "host"};

/* Rounds of 16 and more cycles, their code in lines of its own; returns where they begin. */
static uint32_t put_loop(struct tile *tile, enum loop kind)
{
    uint32_t at = tile_control_start_pc(tile, NC), loop;
    put_li(tile, &at, 20, kind == LOOP_REGISTER ? CONTROL(0x1b0) : FLAG);
    PUT(CSRRSI, .rd = 0, .csr = CFG0, .imm = 8); /* no L0 data cache */
    while (at % 16)
        NOP;
    loop = at;
    switch (kind) {
    case LOOP_EMPTY: break;
    case LOOP_LONG:
        for (unsigned i = 0; i < 9; i++)
            NOP;
        break;
    case LOOP_CALL:
        PUT(JAL, .rd = 1, .imm = 64);
        NOP;
        break;
    case LOOP_WORK:
        PUT(LW, .rd = 5, .rs1 = 20);
        PUT(ADDI, .rd = 7, .rs1 = 0, .imm = 3);
        for (unsigned i = 0; i < 5; i++)
            PUT(MUL, .rd = 7, .rs1 = 7, .rs2 = 7);
        PUT(LW, .rd = 6, .rs1 = 20, .imm = 4);
        PUT(ADD, .rd = 5, .rs1 = 5, .rs2 = 6);
        break;
    default: PUT(LW, .rd = 5, .rs1 = 20); break;
    }
    if (kind <= LOOP_CALL)
        PUT(JAL, .imm = (int32_t)(loop - at));
    else if (kind == LOOP_REGISTER)
        PUT(BNE, .rs1 = 5, .rs2 = 0, .imm = (int32_t)(loop - at));
    else
        PUT(BEQ, .rs1 = 5, .rs2 = 0, .imm = (int32_t)(loop - at));
    PUT(ADDI, .rd = 9, .rs1 = 9, .imm = 9);
    PUT(EBREAK, .rd = 0);
    if (kind == LOOP_CALL) {
        at = loop + 64;
        NOP;
        NOP;
        PUT(JALR, .rd = 0, .rs1 = 1);
    }
    return loop;
}

/* What stands there instead: a count, or what NC complains of. */
static uint32_t new_word(unsigned phase)
{
    return phase % 4 == 3
               ? 0
               : rv32_encode(RV_OP_ADDI, (struct rv32_args){.rd = 10, .rs1 = 10, .imm = 1});
}

/* B: some cycles and `phase` more, then the word. */
static void put_writer(struct tile *tile, enum by by, uint32_t address, unsigned phase)
{
    uint32_t at = tile_control_start_pc(tile, B);
    put_li(tile, &at, 20, address);
    put_li(tile, &at, 21, TDMA(0));
    put_li(tile, &at, 6, new_word(phase));
    put_li(tile, &at, 10, NEW >> 4);
    put_li(tile, &at, 11, address >> 4);
    put_li(tile,
           &at,
           5,
           (phase < PHASES / 2 || by == BY_HOST ? 500 : 5) +
               phase / 2); /* or while it begins to poll */
    PUT(ADDI, .rd = 5, .rs1 = 5, .imm = -1);
    PUT(BNE, .rs1 = 5, .rs2 = 0, .imm = -4);
    if (phase % 2)
        NOP;
    switch (by) {
    case BY_STORE: PUT(SW, .rs1 = 20, .rs2 = 6); break;
    case BY_BYTE: PUT(SB, .rs1 = 20, .rs2 = 6, .imm = 1); break;
    case BY_ATOMIC: PUT(AMOSWAP_W, .rd = 7, .rs1 = 20, .rs2 = 6); break;
    case BY_MOVER:
        PUT(SW, .rs1 = 21, .rs2 = 10);
        PUT(SW, .rs1 = 21, .rs2 = 11, .imm = 4);
        PUT(ADDI, .rd = 7, .imm = 1);
        PUT(SW, .rs1 = 21, .rs2 = 7, .imm = 8);
        PUT(ADDI, .rd = 7, .imm = 3);
        PUT(SW, .rs1 = 21, .rs2 = 7, .imm = 12);
        PUT(ADDI, .rd = 7, .imm = 0x40);
        PUT(SW, .rs1 = 21, .rs2 = 7, .imm = 16);
        break;
    default: break;
    }
    FENCE_ALL;
    PUT(EBREAK, .rd = 0);
}

static struct tile *overwritten(enum loop kind, enum by by, unsigned phase, bool no_skip,
                                struct notes *o)
{
    struct tile *tile = new_tile(no_skip, o);
    uint32_t loop = put_loop(tile, kind);
    uint32_t size = kind == LOOP_CALL ? 12 : kind == LOOP_EMPTY ? 4 : kind == LOOP_LONG ? 40 : 8;
    uint32_t address = loop + (kind == LOOP_CALL ? 64 : 0) + 4 * (phase % 8) % size;
    for (unsigned i = 0; i < 16; i += 4)
        poke(tile, NEW + i, peek(tile, (address & ~15u) + i));
    poke(tile, NEW + address % 16, new_word(phase));
    put_writer(tile, by, address, phase);
    release_all(tile, BIT(B) | BIT(NC));
    if (by == BY_HOST) {
        assert_int_equal(tile_clock_run(tile, 900 + phase), TILE_END_LIMIT);
        assert_int_equal(tile->pipe[NC].poll.parked, !no_skip);
        poke(tile, address, new_word(phase));
    }
    tile_clock_run(tile, 3000);
    return tile;
}

static void overwritten_by(enum by by)
{
    static struct notes o[2];
    unsigned seen = 0;
    for (enum loop kind = 0; kind < N_LOOPS; kind++)
        for (unsigned phase = 0; phase < PHASES; phase++) {
            char what[64];
            struct tile *a = overwritten(kind, by, phase, false, &o[0]);
            struct tile *b = overwritten(kind, by, phase, true, &o[1]);
            snprintf(what, sizeof what, "%s, %s, %u", loop_names[kind], writer_names[by], phase);
            assert_same(a, &o[0], b, &o[1], what);
            seen += a->core[NC].x[10] || told(a, DIAG_RV_PUSH) || a->core[NC].x[9];
            free(a);
            free(b);
        }
    assert_true(seen == N_LOOPS * PHASES || by == BY_BYTE);
}

static void store_into_a_loop_is_seen(void **state)
{
    (void)state;
    overwritten_by(BY_STORE);
    overwritten_by(BY_BYTE);
}

static void atomic_into_a_loop_is_seen(void **state)
{
    (void)state;
    overwritten_by(BY_ATOMIC);
}

static void mover_into_a_loop_is_seen(void **state)
{
    (void)state;
    overwritten_by(BY_MOVER);
}

static void host_into_a_loop_is_seen(void **state)
{
    (void)state;
    overwritten_by(BY_HOST);
}

/* ---- an instruction that waits is overwritten ---- */

/* T2 waits for a mailbox with an instruction that T1 overwrites with another, which needs not wait. */
static struct tile *replaced(unsigned phase, bool no_skip, struct notes *o)
{
    struct tile *tile = new_tile(no_skip, o);
    uint32_t at = tile_control_start_pc(tile, T2), where;
    put_li(tile, &at, 20, MAILBOX_T1);
    put_li(tile, &at, 21, RESULT);
    while (at % 16)
        NOP;
    PUT(LW, .rd = 5, .rs1 = 20);
    where = at;
    PUT(ADD, .rd = 6, .rs1 = 5, .rs2 = 5);
    poke(tile, at, setdmareg(2, 0x123) << 2 | setdmareg(2, 0x123) >> 30);
    at += 4;
    PUT(SW, .rs1 = 21, .rs2 = 21);
    PUT(EBREAK, .rd = 0);
    at = tile_control_start_pc(tile, T1);
    put_li(tile, &at, 20, MAILBOX_T2);
    put_li(tile, &at, 21, where);
    put_li(
        tile, &at, 6, phase % 2 ? setdmareg(4, 0x77) << 2 | setdmareg(4, 0x77) >> 30 : 0x00150513);
    for (unsigned i = 0; i < 60 + phase; i++)
        NOP;
    PUT(SW, .rs1 = 21, .rs2 = 6);
    for (unsigned i = 0; i < 30 + phase % 7; i++)
        NOP;
    PUT(SW, .rs1 = 20, .rs2 = 6);
    PUT(EBREAK, .rd = 0);
    release_all(tile, BIT(T1) | BIT(T2));
    assert_int_equal(tile_clock_run(tile, 3000), TILE_END_STOPPED);
    assert_true(phase % 2 ? tile->coproc.gpr.r[2][2] == 0x77 : tile->core[T2].x[10] == 1);
    assert_int_equal(tile->core[T2].x[6], 0);
    const struct writer *code = writers_find(&tile->writers, where);
    const struct writer *result = writers_find(&tile->writers, RESULT);
    assert_non_null(code);
    assert_non_null(result);
    assert_true(result->cycle > code->cycle); /* not in the past */
    return tile;
}

static void instruction_that_replaces_one_that_waits_does_not(void **state)
{
    (void)state;
    static struct notes o[2];
    for (unsigned phase = 0; phase < 20; phase++) {
        struct tile *a = replaced(phase, false, &o[0]), *b = replaced(phase, true, &o[1]);
        assert_same(a, &o[0], b, &o[1], "instruction that waits");
        free(a);
        free(b);
    }
}

/* ---- stores that are wanted out ---- */

/* T2 has a store that waits for a partner, and an atomic that waits for a mailbox and then for that store. */
static struct tile *wanted_out(unsigned phase, bool no_skip, struct notes *o)
{
    struct tile *tile = new_tile(no_skip, o);
    uint32_t at = tile_control_start_pc(tile, T2);
    put_li(tile, &at, 20, MAILBOX_T1);
    put_li(tile, &at, 21, RESULT);
    put_li(tile, &at, 22, 31u << 13); /* the merge timer */
    PUT(CSRRW, .rd = 0, .csr = CFG0, .rs1 = 22);
    PUT(SW, .rs1 = 21, .rs2 = 20);
    PUT(LW, .rd = 5, .rs1 = 20);
    PUT(AMOADD_W, .rd = 6, .rs1 = 21, .rs2 = 5);
    PUT(EBREAK, .rd = 0);
    at = tile_control_start_pc(tile, T1);
    put_li(tile, &at, 20, MAILBOX_T2);
    for (unsigned i = 0; i < phase; i++)
        NOP;
    PUT(SW, .rs1 = 20, .rs2 = 20);
    PUT(EBREAK, .rd = 0);
    release_all(tile, BIT(T1) | BIT(T2));
    assert_int_equal(tile_clock_run(tile, 3000), TILE_END_STOPPED);
    return tile;
}

static void stores_leave_when_they_are_wanted_out(void **state)
{
    (void)state;
    static struct notes o[2];
    for (unsigned phase = 0; phase < 60; phase++) {
        struct tile *a = wanted_out(phase, false, &o[0]), *b = wanted_out(phase, true, &o[1]);
        assert_same(a, &o[0], b, &o[1], "store that is wanted out");
        free(a);
        free(b);
    }
}

/* Core B: a word for T1, which is told at the end of its cycle whether it was taken, then a load from a bank of L1 that NC
   keeps busy: the bank is what the load waits for. */
static struct tile *busy_bank(unsigned phase, bool no_skip, struct notes *o)
{
    struct tile *tile = new_tile(no_skip, o);
    uint32_t at = tile_control_start_pc(tile, B);
    put_li(tile, &at, 20, PUSH_B);
    put_li(tile, &at, 21, RESULT);
    put_li(tile, &at, 5, (uint32_t)TENSIX_OP_NOP << 24);
    for (unsigned i = 0; i < 20 + phase / 2; i++)
        NOP;
    if (phase & 2)
        PUT(SW, .rs1 = 21, .rs2 = 5, .imm = 0x30);
    PUT(SW, .rs1 = 20, .rs2 = 5);
    if (phase & 1)
        PUT(SW, .rs1 = 20, .rs2 = 5);
    PUT(LW, .rd = 6, .rs1 = 21);
    PUT(EBREAK, .rd = 0);
    at = tile_control_start_pc(tile, NC);
    put_li(tile, &at, 21, RESULT);
    for (unsigned i = 0; i < 12; i++)
        PUT(AMOADD_W, .rd = 6, .rs1 = 21, .rs2 = 5);
    PUT(EBREAK, .rd = 0);
    release_all(tile, BIT(B) | BIT(NC));
    assert_int_equal(tile_clock_run(tile, 3000), TILE_END_STOPPED);
    assert_int_equal(tile->coproc.ledger[OWNER_CORE_B].cycles[WAIT_SEM_SLOT], 0);
    return tile;
}

static void load_behind_a_push_of_core_b_waits_for_its_bank(void **state)
{
    (void)state;
    static struct notes o[2];
    uint64_t waited = 0;
    for (unsigned phase = 0; phase < 80; phase++) {
        struct tile *a = busy_bank(phase, false, &o[0]), *b = busy_bank(phase, true, &o[1]);
        assert_same(a, &o[0], b, &o[1], "load behind a push");
        waited += a->coproc.ledger[OWNER_CORE_B].cycles[WAIT_L1_BANK];
        free(a);
        free(b);
    }
    assert_true(waited > 40);
}

/* T0 polls a word that NC has stored and keeps in its queue for a partner, until a write to cfg0 ends that wait. */
static struct tile *let_go(unsigned phase, bool no_skip, struct notes *o)
{
    struct tile *tile = new_tile(no_skip, o);
    uint32_t at = tile_control_start_pc(tile, T0), loop;
    put_li(tile, &at, 20, FLAG);
    loop = at;
    FENCE_ALL;
    PUT(LW, .rd = 5, .rs1 = 20);
    PUT(BEQ, .rs1 = 5, .rs2 = 0, .imm = (int32_t)(loop - at));
    PUT(EBREAK, .rd = 0);
    at = tile_control_start_pc(tile, NC);
    put_li(tile, &at, 20, FLAG);
    put_li(tile,
           &at,
           21,
           phase & 1 ? UINT32_C(1) << 12 : 0); /* no partners, or no time to wait for one */
    put_li(tile, &at, 22, 31u << 13);          /* the merge timer */
    PUT(CSRRW, .rd = 0, .csr = CFG0, .rs1 = 22);
    for (unsigned i = 0; i < 300 + phase / 2; i++)
        NOP;
    PUT(SW, .rs1 = 20, .rs2 = 22);
    for (unsigned i = 0; i < 9; i++)
        NOP;
    const uint32_t where = at;
    PUT(CSRRW, .rd = 0, .csr = CFG0, .rs1 = 21);
    PUT(EBREAK, .rd = 0);
    release_all(tile, BIT(T0) | BIT(NC));
    assert_int_equal(tile_clock_run(tile, 3000), TILE_END_STOPPED);
    const struct event *freed = find(o, EV_CORE, where);
    const struct writer *flag = writers_find(&tile->writers, FLAG);
    assert_non_null(freed);
    assert_non_null(flag);
    assert_true(flag->cycle >= freed->cycle); /* not in the past: others have been there */
    assert_true(flag->cycle <= freed->cycle + 1);
    return tile;
}

static void store_that_cfg0_lets_go_leaves_then(void **state)
{
    (void)state;
    static struct notes o[2];
    for (unsigned phase = 0; phase < 80; phase++) {
        struct tile *a = let_go(phase, false, &o[0]), *b = let_go(phase, true, &o[1]);
        assert_same(a, &o[0], b, &o[1], "store that cfg0 lets go");
        free(a);
        free(b);
    }
}

/* ---- a line that is polled ---- */

/* T0 reads a line and, some cycles later, the flag it waits for; then another word of that line, which it still has. NC stores that word
   and then the flag. If the line was read before the first store, it is without that, whether T0 is parked or not. */
static struct tile *second_word(unsigned phase, bool no_skip, struct notes *o)
{
    struct tile *tile = new_tile(no_skip, o);
    uint32_t at = tile_control_start_pc(tile, T0), loop;
    put_li(tile, &at, 20, FLAG);
    loop = at;
    FENCE_ALL;
    PUT(LW, .rd = 6, .rs1 = 20, .imm = 0x10);
    for (unsigned i = 0; i < 24; i++)
        NOP;
    PUT(LW, .rd = 5, .rs1 = 20);
    PUT(BEQ, .rs1 = 5, .rs2 = 0, .imm = (int32_t)(loop - at));
    PUT(LW, .rd = 7, .rs1 = 20, .imm = 0x14);
    PUT(EBREAK, .rd = 0);
    at = tile_control_start_pc(tile, NC);
    put_li(tile, &at, 20, FLAG);
    for (unsigned i = 0; i < 400 + phase; i++)
        NOP;
    PUT(SW, .rs1 = 20, .rs2 = 20, .imm = 0x14);
    PUT(SW, .rs1 = 20, .rs2 = 20);
    PUT(EBREAK, .rd = 0);
    release_all(tile, BIT(T0) | BIT(NC));
    assert_int_equal(tile_clock_run(tile, 3000), TILE_END_STOPPED);
    assert_int_equal(tile->core[T0].x[5], FLAG);
    return tile;
}

static void line_that_is_polled_is_kept_as_it_was_read(void **state)
{
    (void)state;
    static struct notes o[2];
    unsigned before = 0, phases = 60;
    for (unsigned phase = 0; phase < phases; phase++) {
        struct tile *a = second_word(phase, false, &o[0]), *b = second_word(phase, true, &o[1]);
        assert_same(a, &o[0], b, &o[1], "line that is polled");
        before += !b->core[T0].x[7];
        free(a);
        free(b);
    }
    assert_true(before > 0 && before < phases);
}

/* ---- polls that meet ---- */

/* B and NC poll the same word in loops of different length; T2 has nothing to do with anybody. */
static struct tile *meeting(uint64_t cycles, bool no_skip, struct notes *o)
{
    static const uint8_t pollers[] = {B, NC};
    struct tile *tile = new_tile(no_skip, o);
    uint32_t at, loop;
    for (unsigned i = 0; i < 2; i++) {
        at = tile_control_start_pc(tile, pollers[i]);
        put_li(tile, &at, 20, FLAG);
        loop = at;
        FENCE_ALL;
        for (unsigned k = 0; k < 3 * i; k++)
            NOP;
        PUT(LW, .rd = 5, .rs1 = 20);
        PUT(BEQ, .rs1 = 5, .rs2 = 0, .imm = (int32_t)(loop - at));
    }
    at = tile_control_start_pc(tile, T2);
    PUT(ADDI, .rd = 5, .rs1 = 5, .imm = 1);
    PUT(JAL, .imm = -4);
    release_all(tile, BIT(B) | BIT(NC) | BIT(T2));
    assert_int_equal(tile_clock_run(tile, cycles), TILE_END_LIMIT);
    return tile;
}

/* Up to the end of the run, even if nobody has anything else to do before that. */
static void polls_that_meet_disturb_each_other_to_the_end(void **state)
{
    (void)state;
    static struct notes o[2];
    for (uint64_t cycles = 700; cycles < 1000; cycles++) {
        struct tile *a = meeting(cycles, false, &o[0]), *b = meeting(cycles, true, &o[1]);
        assert_same(a, &o[0], b, &o[1], "polls that meet");
        free(a);
        free(b);
    }
}

/* A core's own stores leave its queue before an instruction that waits for them. One of them goes to the same 256 bytes of
   code, or replaces the instruction itself: NC executes what is there then. */
static void put_own_code(struct tile *tile, bool itself)
{
    uint32_t at = tile_control_start_pc(tile, NC), place;
    put_li(tile, &at, 20, RESULT);
    put_li(tile, &at, 21, tile_control_start_pc(tile, NC) + 0xc0);
    put_li(tile, &at, 22, rv32_encode(RV_OP_AMOXOR_W, (struct rv32_args){.rs1 = 20, .rs2 = 23}));
    PUT(ADDI, .rd = 23, .imm = 5);
    for (unsigned i = 0; i < 3; i++)
        PUT(AMOADD_W, .rd = 5, .rs1 = 20, .rs2 = 23); /* its entry is decoded */
    place = at + 4;
    PUT(SW, .rs1 = 21, .rs2 = 22, .imm = itself ? (int32_t)(place & 0xff) - 0xc0 : 0);
    PUT(AMOADD_W, .rd = 5, .rs1 = 20, .rs2 = 23);
    PUT(EBREAK, .rd = 0);
}

static void instruction_that_an_own_store_replaces_is_the_new_one(void **state)
{
    (void)state;
    static struct notes o[2];
    for (unsigned itself = 0; itself < 2; itself++)
        for (unsigned quiet = 0; quiet < 2; quiet++) {
            struct tile *tile[2];
            for (unsigned i = 0; i < 2; i++) {
                tile[i] = new_tile(i, &o[i]);
                tile[i]->coproc.probe.mask = quiet ? 0 : tile[i]->coproc.probe.mask;
                put_own_code(tile[i], itself);
                release_all(tile[i], BIT(NC));
                tile_clock_run(tile[i], 10000);
                assert_int_equal(peek(tile[i], RESULT), itself ? 15 ^ 5 : 20);
            }
            assert_same(tile[0], &o[0], tile[1], &o[1], "own code");
            free(tile[0]);
            free(tile[1]);
        }
}

TEST_MAIN(cmocka_unit_test(complaints_are_told_in_their_cycle),
          cmocka_unit_test(instruction_that_an_own_store_replaces_is_the_new_one),
          cmocka_unit_test(complaints_that_end_the_run_end_it_in_their_cycle),
          cmocka_unit_test(loop_that_complains_is_not_parked),
          cmocka_unit_test(store_into_a_loop_is_seen), cmocka_unit_test(atomic_into_a_loop_is_seen),
          cmocka_unit_test(mover_into_a_loop_is_seen), cmocka_unit_test(host_into_a_loop_is_seen),
          cmocka_unit_test(instruction_that_replaces_one_that_waits_does_not),
          cmocka_unit_test(stores_leave_when_they_are_wanted_out),
          cmocka_unit_test(load_behind_a_push_of_core_b_waits_for_its_bank),
          cmocka_unit_test(store_that_cfg0_lets_go_leaves_then),
          cmocka_unit_test(line_that_is_polled_is_kept_as_it_was_read),
          cmocka_unit_test(polls_that_meet_disturb_each_other_to_the_end))
