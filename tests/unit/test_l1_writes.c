/*
 * test_l1_writes.c - every way to write L1 takes every step: the bytes are there, decoded code is forgotten, a core that
 * polls the word goes on, a run that waits for the word ends, and the writer is noted.
 *
 * Facts: whoever polls a word of L1 sees every write to it, from whatever side (MemoryOrdering, Blackhole); a hang
 * report names who wrote the word last.
 */
#include "timed_drive.h"

#include "core/rvcore_in.h"

#define WORD   UINT32_C(0x20000) /* what T0 polls */
#define OLD    UINT32_C(0x12345600)
#define NEW    UINT32_C(0x12345678)
#define SEEN   UINT32_C(0x30004) /* where T0 says that it has seen it */
#define SOURCE UINT32_C(0x28010)
#define WRITE  UINT32_C(0xFFE40000)
#define END    (TILE_L1_SIZE - 4)
#define CYCLES 4000u

/* ---- ways ---- */

/* Places for the way's program to start at; returns the pc of its store. The host acts itself, and between runs. */
typedef uint32_t way_fn(struct tile *tile, uint32_t at);

static uint32_t by_word(struct tile *tile, uint32_t at)
{
    put_li(tile, &at, 6, NEW);
    PUT(SW, .rs1 = 20, .rs2 = 6);
    return at - 4;
}

static uint32_t by_byte(struct tile *tile, uint32_t at)
{
    PUT(ADDI, .rd = 6, .imm = NEW & 0xff);
    PUT(SB, .rs1 = 20, .rs2 = 6);
    return at - 4;
}

static uint32_t by_atomic(struct tile *tile, uint32_t at)
{
    PUT(ADDI, .rd = 6, .imm = NEW - OLD);
    PUT(AMOADD_W, .rd = 7, .rs1 = 20, .rs2 = 6);
    return at - 4;
}

static uint32_t by_vector(struct tile *tile, uint32_t at)
{
    put_li(tile, &at, 6, NEW);
    PUT(VSETIVLI, .rd = 7, .rs1 = 1, .imm = 2 << 3);
    PUT(VMV_V_X, .rd = 2, .rs1 = 6);
    PUT(VSE32_V, .rs1 = 20, .rs2 = 2, .rd = 2, .vm = 1);
    return at - 4;
}

static void put_push(struct tile *tile, uint32_t *at, uint32_t word)
{
    put_li(tile, at, 8, WRITE);
    put_li(tile, at, 9, word);
    RV_PUT(tile, at, SW, .rs1 = 8, .rs2 = 9);
}

static uint32_t by_scalar_unit(struct tile *tile, uint32_t at)
{
    put_push(tile, &at, setdmareg(2, WORD >> 4 & 0xffff));
    put_push(tile, &at, setdmareg(3, WORD >> 20));
    put_push(tile, &at, setdmareg(4, NEW & 0x3fff));
    PUT(ADDI, .rd = 0);
    /* a byte of GPR 2 to 16 * GPR 1 */
    put_push(tile,
             &at,
             (uint32_t)TENSIX_OP_STOREIND << 24 | 1u << 23 | 3u << 21 | 8u << 14 | 2u << 6 | 1);
    return 0;
}

static void put_command(struct tile *tile, uint32_t *at, const uint32_t *param, uint32_t command)
{
    put_li(tile, at, 8, TDMA(0));
    for (unsigned i = 0; i < 4; i++) {
        put_li(tile, at, 9, param[i]);
        RV_PUT(tile, at, SW, .rs1 = 8, .rs2 = 9, .imm = (int32_t)(4 * i));
    }
    put_li(tile, at, 9, command);
    RV_PUT(tile, at, SW, .rs1 = 8, .rs2 = 9, .imm = 16);
}

static uint32_t by_mover(struct tile *tile, uint32_t at)
{
    poke(tile, SOURCE, NEW);
    put_command(tile, &at, (const uint32_t[]){SOURCE >> 4, WORD >> 4, 1, TDMA_L1_TO_L1}, 0x40);
    return 0;
}

static uint32_t by_tdma_word(struct tile *tile, uint32_t at)
{
    put_command(tile, &at, (const uint32_t[]){WORD, 0, NEW, 0}, 0x666);
    return 0;
}

static uint32_t by_host(struct tile *tile, uint32_t at)
{
    (void)at;
    poke(tile, WORD, NEW);
    return 0;
}

/* A range that leaves L1 goes word by word. */
static uint32_t by_host_to_the_end(struct tile *tile, uint32_t at)
{
    const uint32_t words[2] = {NEW, 0};
    (void)at;
    assert_false(tile_write(tile, END, words, sizeof words)); /* there is nothing behind L1 */
    return 0;
}

#define SLOW UINT32_C(0x80000000)

static void debug(struct tile *tile, unsigned reg, uint32_t value)
{
    poke(tile, CONTROL(0x84), value);
    poke(tile, CONTROL(0x80), 0);
    poke(tile, CONTROL(0x80), SLOW | 1u << 16 | 2u << 17 | reg); /* T1 */
}

/* The debugger lets T1 store. */
static uint32_t by_debugger(struct tile *tile, uint32_t at)
{
    (void)at;
    debug(tile, 2, WORD);
    debug(tile, 3, NEW);
    debug(tile, 1, SLOW | 64);
    return 0;
}

/* An instruction of T1 at the debugger's hand. */
static uint32_t by_step(struct tile *tile, uint32_t at)
{
    put_li(tile, &at, 6, NEW);
    PUT(SW, .rs1 = 20, .rs2 = 6);
    for (unsigned i = 0; i < 2; i++) {
        debug(tile, 1, SLOW | 2);
        tile_clock_run(tile, 20);
    }
    debug(tile, 1, SLOW | 2);
    return at - 4;
}

static const struct way {
    const char *name;
    way_fn *put;
    unsigned core;  /* whose program it is; NOC: the host acts */
    unsigned agent; /* who shall be noted */
    uint32_t word;
    bool paused; /* the core is the debugger's */
} ways[] = {
    {"word", by_word, B, OWNER_CORE_B, WORD, false},
    {"byte", by_byte, NC, OWNER_CORE_NC, WORD, false},
    {"atomic", by_atomic, T1, OWNER_CORE_T1, WORD, false},
    {"vector", by_vector, T2, OWNER_CORE_T2, WORD, false},
    {"Scalar Unit", by_scalar_unit, T1, OWNER_SCALAR, WORD, false},
    {"mover", by_mover, B, OWNER_MOVER, WORD, false},
    {"TDMA word", by_tdma_word, B, OWNER_MOVER, WORD, false},
    {"host", by_host, NOC, OWNER_NOBODY, WORD, false},
    {"host, end of L1", by_host_to_the_end, NOC, OWNER_NOBODY, END, false},
    {"debugger", by_debugger, T1, OWNER_CORE_T1, WORD, true},
    {"step", by_step, T1, OWNER_CORE_T1, WORD, true},
};

/* ---- what must follow ---- */

/* T0 polls the word through no cache, and then says so. */
static void put_poll(struct tile *tile, uint32_t word)
{
    uint32_t at = tile_control_start_pc(tile, T0);
    put_li(tile, &at, 20, word);
    put_li(tile, &at, 21, SEEN);
    put_li(tile, &at, 22, OLD);
    PUT(CSRRSI, .rd = 0, .csr = 0x7c0, .imm = 8);
    PUT(LW, .rd = 5, .rs1 = 20);
    PUT(BEQ, .rs1 = 5, .rs2 = 22, .imm = -4);
    PUT(SW, .rs1 = 21, .rs2 = 5);
    PUT(JAL, .imm = 0);
}

/* Somebody has decoded the word. */
static struct rvinsn *put_decoded(struct tile *tile, uint32_t word)
{
    struct rvinsn *e = rvcode_page(&tile->code, word) + word / 4 % RV_PAGE_INSNS;
    *e = (struct rvinsn){.op = RV_OP_ADDI};
    return e;
}

static unsigned wrong;

#define WRONG(...) (wrong++, print_error(__VA_ARGS__))

static void way_takes_all_steps(const struct way *w)
{
    struct tile *tile = calloc(1, sizeof *tile);
    assert_non_null(tile);
    tile_reset(tile);
    assert_int_equal(tile_clock_run(tile, 0), TILE_END_LIMIT);
    poke(tile, w->word, OLD);
    put_poll(tile, w->word);
    bool host = w->core == NOC;
    uint32_t at = host ? 0 : tile_control_start_pc(tile, w->core), pc = 0;
    if (!host)
        put_li(tile, &at, 20, w->word);
    if (w->paused) {
        uint32_t loop = at;
        PUT(JAL, .imm = 0);
        release(tile, w->core);
        tile_clock_run(tile, 200);
        at = loop;
        debug(tile, 1, SLOW | 1);
    } else if (!host) { /* first the other one shall be parked */
        PUT(ADDI, .rd = 5, .imm = 1000);
        PUT(ADDI, .rd = 5, .rs1 = 5, .imm = -1);
        PUT(BNE, .rs1 = 5, .rs2 = 0, .imm = -4);
        pc = w->put(tile, at);
        release(tile, w->core);
    }
    release(tile, T0);
    tile_clock_run(tile, 700);
    if (!(tile->clock.parked & 1))
        WRONG("%s: T0 is not parked\n", w->name);
    const uint64_t begin = tile->clock.now;
    struct rvinsn *decoded = put_decoded(tile, w->word);
    if (!host)
        assert_true(tile_clock_until(tile, w->word, NEW));
    if (host || w->paused)
        pc = w->put(tile, at);
    enum tile_end end = tile_clock_run(tile, CYCLES);
    if (!host && end != TILE_END_UNTIL)
        WRONG("%s: the run did not end with the word\n", w->name);
    tile->clock.n_until = 0;
    tile->clock.until_met = false;
    tile_clock_run(tile, 100);
    assert_int_equal(peek(tile, w->word), NEW);
    if (peek(tile, SEEN) != NEW)
        WRONG("%s: the poll goes on\n", w->name);
    if (decoded->op != OWN_DECODE)
        WRONG("%s: old code is kept\n", w->name);
    const struct writer *by = writers_find(&tile->writers, w->word);
    if (!by || by->cycle < begin || writers_agent(by) != w->agent)
        WRONG("%s: noted is %s\n", w->name, by ? owner_names[writers_agent(by)] : "nobody");
    else if (writers_pc(by) != pc)
        WRONG("%s: pc %x, not %x\n", w->name, (unsigned)writers_pc(by), (unsigned)pc);
    free(tile);
}

static void every_way_takes_all_steps(void **state)
{
    (void)state;
    for (unsigned i = 0; i < sizeof ways / sizeof *ways; i++)
        way_takes_all_steps(&ways[i]);
    assert_int_equal(wrong, 0);
}

TEST_MAIN(cmocka_unit_test(every_way_takes_all_steps))
