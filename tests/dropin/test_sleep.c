/*
 * test_sleep.c - a tile on which nothing moves is not run, and nobody outside can tell.
 *
 * Two tiles of one chip have the same programs, which wait for the host in different ways. One may sleep; the other is kept
 * awake: its core NC counts in a register for ever, and no_skip has it walked through cycle by cycle. Everything the host does
 * is done to both, through each path there is, after clocks of all sizes; everything that can be read, ledgers and
 * diagnostics must be the same, except what core NC is about. WAITGATE_SEED, which is printed, starts the random part; of
 * the acts only those of WAITGATE_ACTS (bits) are done, if that is set; WAITGATE_SHOW names them.
 */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "chip/chip.h"
#include "dropin/host.h"
#include "dropin/rv.h"
#include "isa/tensix.h"

#define N(a) (sizeof(a) / sizeof *(a))

/* Places in L1. */
enum { WORDS = 0x1F000, LOG_B = 0x20000, LOG_T0 = 0x22000, LOG_T1 = 0x24000, LOG_T2 = 0x26000 };
enum { LOG_IRQ = 0x28000, HANDLER = 0x2000, WORD_B = WORDS + 0x100, WORD_T1 = WORDS + 0x200 };
#define CONTROL       0xFFB12000u
#define PIC           0xFFB13000u
#define NIU_WORD      0xFFB20050u
#define BAR0          UINT64_C(0x100000000)
#define BAR4          UINT64_C(0x800000000)
#define TLB_REGISTERS UINT64_C(0x11FC00000)

enum { ASLEEP, AWAKE, TWINS };

static struct {
    struct chip *chip;
    const char *last; /* what was done last, and when */
    uint64_t seed, rng;
    uint32_t value; /* of the next word that wakes somebody */
    unsigned long acts;
} g;

static uint32_t rng(uint32_t below)
{
    g.rng ^= g.rng << 13;
    g.rng ^= g.rng >> 7;
    g.rng ^= g.rng << 17;
    return (uint32_t)(g.rng >> 20) % below;
}

static struct tile *tile_of(unsigned twin)
{
    return g.chip->tile[chip_index(1 + twin, 2)];
}

#define FAIL(...)                                                                                  \
    do {                                                                                           \
        print_error("seed %llu, cycle %llu, after %s: ",                                           \
                    (unsigned long long)g.seed,                                                    \
                    (unsigned long long)g.chip->time,                                              \
                    g.last);                                                                       \
        fail_msg(__VA_ARGS__);                                                                     \
    } while (0)

/* ---- programs ---- */

struct code {
    uint32_t at, n, word[64];
};

static void put(struct code *c, uint32_t word)
{
    assert_true(c->n < N(c->word));
    c->word[c->n++] = word;
}

static void put_li(struct code *c, unsigned rd, uint32_t value)
{
    uint32_t upper = (value + 0x800) >> 12;
    put(c, rv_lui(rd, upper & 0xfffff));
    put(c, rv_addi(rd, rd, (int32_t)(value << 20) >> 20));
}

static void put_jump(struct code *c, uint32_t to)
{
    put(c, rv_jal(0, 4 * ((int32_t)to - (int32_t)c->n)));
}

/* Registers of all programs: x8 where to log, x9 the control registers. */
static void put_start(struct code *c, uint32_t log)
{
    put_li(c, 8, log);
    put_li(c, 9, CONTROL);
}

/* Notes the time. */
static void put_log(struct code *c)
{
    put(c, rv_lw(10, 0x1F0, 9));
    put(c, rv_sw(10, 0, 8));
    put(c, rv_addi(8, 8, 4));
}

/* Waits for a word to become another; logs; tells T0 if asked to. */
static void put_poller(struct code *c, uint32_t log, uint32_t word, bool tell)
{
    put_start(c, log);
    put_li(c, 5, word);
    put_li(c, 11, 0xFFEC1000); /* mailbox to T0 */
    put(c, rv_addi(7, 0, 0));
    uint32_t loop = c->n;
    put(c, RV_FENCE);
    put(c, rv_lw(6, 0, 5));
    put(c, rv_bne(6, 7, 8));
    put_jump(c, loop);
    put(c, rv_addi(7, 6, 0));
    put_log(c);
    if (tell)
        put(c, rv_sw(10, 0, 11));
    put_jump(c, loop);
}

/* T0: waits at its mailbox, posts semaphore 0. */
static void put_receiver(struct code *c)
{
    put_start(c, LOG_T0);
    put_li(c, 5, 0xFFEC0000);
    put_li(c, 11, 0xFFE80020);
    uint32_t loop = c->n;
    put(c, rv_lw(6, 0, 5));
    put(c, rv_add(6, 6, 6));
    put_log(c);
    put(c, rv_sw(0, 0, 11));
    put_jump(c, loop);
}

static void put_push(struct code *c, uint32_t word)
{
    put_li(c, 6, word);
    put(c, rv_sw(6, 0, 11));
}

/* T2: its thread waits at semaphore 0, itself for its thread. */
static void put_waiter(struct code *c)
{
    put_start(c, LOG_T2);
    put_li(c, 5, 0xFFE80004);
    put_li(c, 11, 0xFFE40000);
    put_push(c, tensix_SEMINIT_encode((struct tensix_SEMINIT){.sem_sel = 1, .max_value = 15}));
    uint32_t loop = c->n;
    put_push(c,
             tensix_SEMWAIT_encode(
                 (struct tensix_SEMWAIT){.wait_sem_cond = 1, .sem_sel = 1, .stall_res = 0x1ff}));
    put_push(c, tensix_SEMGET_encode((struct tensix_SEMGET){.sem_sel = 1}));
    put(c, rv_lw(7, 0, 5));
    put(c, rv_add(7, 7, 7));
    put_log(c);
    put_jump(c, loop);
}

/* Core B's handler of interrupts: takes number 0 back, logs. */
static void put_handler(struct code *c)
{
    put_li(c, 20, PIC + 24);
    put(c, rv_lw(21, 0, 20));
    put(c, rv_add(21, 21, 21));
    put_li(c, 20, LOG_IRQ);
    put(c, rv_lw(21, 0, 20));
    put(c, rv_addi(21, 21, 1));
    put(c, rv_sw(21, 0, 20));
    put(c, 0x30200073); /* mret */
}

/* NC: an end, or counts for ever. */
static void put_counter(struct code *c, bool awake)
{
    put(c, rv_addi(5, 5, 1));
    put_jump(c, awake ? 0 : 1);
}

/* ---- both tiles ---- */

static void write_both(uint32_t address, const void *from, uint32_t size)
{
    for (unsigned i = 0; i < TWINS; i++)
        chip_write(g.chip, 1 + i, 2, address, from, size);
}

static void poke(uint32_t address, uint32_t value)
{
    write_both(address, &value, 4);
}

static void load(unsigned twin, uint32_t at, const struct code *c)
{
    chip_write(g.chip, 1 + twin, 2, at, c->word, c->n * 4);
}

enum scenario {
    POLL_APART,   /* two cores poll L1 and a register */
    POLL_MEET,    /* two cores poll the same bank of L1 */
    POLL_ALONE,   /* core B polls, the others are held */
    NOBODY_POLLS, /* T0 waits at its mailbox, T2 for its thread */
    ALL_HELD,
    N_SCENARIOS
};

static const uint32_t held[N_SCENARIOS] = {
    [POLL_ALONE] = 7u * HOST_SOFT_RESET_T0,
    [NOBODY_POLLS] = HOST_SOFT_RESET_B | 2u * HOST_SOFT_RESET_T0,
    [ALL_HELD] = HOST_SOFT_RESET_B | 7u * HOST_SOFT_RESET_T0,
};

static void start(enum scenario s)
{
    g.chip = chip_new();
    assert_non_null(g.chip);
    g.chip->clocked = true;
    g.last = "the start";
    g.value = 1;
    for (unsigned i = 0; i < TWINS; i++) {
        struct code b = {0}, t0 = {0}, t1 = {0}, t2 = {0}, nc = {0}, handler = {0};
        put_poller(&b, LOG_B, WORD_B, true);
        put_receiver(&t0);
        put_poller(&t1, LOG_T1, s == POLL_MEET ? WORD_T1 : NIU_WORD, false);
        put_waiter(&t2);
        put_counter(&nc, i == AWAKE);
        put_handler(&handler);
        load(i, 0, &b);
        load(i, 0x6000, &t0);
        load(i, 0xA000, &t1);
        load(i, 0xE000, &t2);
        load(i, 0x12000, &nc);
        load(i, HANDLER, &handler);
        tile_of(i)->clock.no_skip = i == AWAKE;
    }
    poke(HOST_SOFT_RESET, HOST_SOFT_RESET_ALL & ~(uint32_t)HOST_SOFT_RESET_NC);
    chip_clock(g.chip, 2000); /* NC has fetched its code and keeps out of the way */
    poke(HOST_SOFT_RESET, held[s]);
}

/* ---- what the host can see ---- */

/* Windows, in any way: every word but those of NC. */
static const struct {
    const char *name;
    uint32_t at, size;
} windows[] = {
    {"L1", 0, 0x30000},
    {"control registers", CONTROL, 0x1000},
    {"interrupt controller", PIC, 0x138},
    {"data RAM of B", 0xFFB14000, 0x2000},
    {"data RAM of T0", 0xFFB18000, 0x2000},
    {"data RAM of T1", 0xFFB1A000, 0x2000},
    {"data RAM of T2", 0xFFB1C000, 0x2000},
    {"NoC 0", 0xFFB20048, 0x100}, /* without the node's own numbers */
    {"NoC 1", 0xFFB30048, 0x100},
    {"overlay", 0xFFB40000, 0x2000},
};

/* Where the program itself differs. */
static void forget_counter(uint32_t at, uint32_t size, uint8_t *bytes)
{
    for (uint32_t i = 0x12000; i < 0x12010; i++)
        if (at <= i && i - at < size)
            bytes[i - at] = 0;
}

enum path { BY_TILE, BY_BAR0, BY_BAR4, N_PATHS };

static void point_tlb(unsigned i, unsigned shift, unsigned x, uint64_t address)
{
    uint8_t w[PCI_TLB_BYTES + 4] = {0};
    unsigned at = 64 - shift;
    uint64_t page = address >> shift, place = x | 2u << 6;
    memcpy(w, &page, 8);
    uint64_t high;
    memcpy(&high, w + at / 8, 8);
    high |= place << at % 8;
    memcpy(w + at / 8, &high, 8);
    pci_write(g.chip, TLB_REGISTERS + i * PCI_TLB_BYTES, w, PCI_TLB_BYTES);
}

static void read_by(enum path path, unsigned twin, uint32_t at, void *to, uint32_t size)
{
    memset(to, 0xEE, size);
    switch (path) {
    case BY_BAR0:
        point_tlb(3, 21, 1 + twin, at);
        pci_read(g.chip, BAR0 + 3 * 0x200000 + at % 0x200000, to, size);
        break;
    case BY_BAR4:
        point_tlb(PCI_TLBS_2M + 1, 32, 1 + twin, 0);
        pci_read(g.chip, BAR4 + (UINT64_C(1) << 32) + at, to, size);
        break;
    default: chip_read(g.chip, 1 + twin, 2, at, to, size);
    }
}

static void compare_tlb(unsigned w, enum path path)
{
    static uint8_t bytes[TWINS][0x30000];
    for (unsigned i = 0; i < TWINS; i++) {
        read_by(path, i, windows[w].at, bytes[i], windows[w].size);
        forget_counter(windows[w].at, windows[w].size, bytes[i]);
    }
    for (uint32_t i = 0; i < windows[w].size; i++)
        if (bytes[ASLEEP][i] != bytes[AWAKE][i])
            FAIL("%s, path %u, differs at 0x%x: %02x asleep, %02x awake",
                 windows[w].name,
                 (unsigned)path,
                 windows[w].at + i,
                 bytes[ASLEEP][i],
                 bytes[AWAKE][i]);
}

/* In every way and in pieces, each of which is an access of its own. */
static void compare_wall_clock(void)
{
    uint8_t b[TWINS][12];
    uint64_t now = g.chip->time;
    for (unsigned path = 0; path < N_PATHS; path++)
        for (unsigned i = 0; i < TWINS; i++) {
            uint32_t low, high, latch;
            read_by(path, i, CONTROL + 0x1F4, &high, 4);
            read_by(path, i, CONTROL + 0x1F0, &low, 4);
            read_by(path, i, CONTROL + 0x1F8, &latch, 4);
            if (low != (uint32_t)now || high != now >> 32 || latch != now >> 32)
                FAIL("path %u, twin %u: wall clock 0x%x 0x%x 0x%x", path, i, low, high, latch);
            read_by(path, i, CONTROL + 0x1F1, b[i], 10);
            if (memcmp(b[0], b[i], 10) || memcmp(b[i], (const uint8_t *)&now + 1, 3))
                FAIL("path %u, twin %u: unaligned wall clock", path, i);
        }
}

static void compare_all(void)
{
    for (unsigned i = 0; i < N(windows); i++)
        compare_tlb(i, rng(N_PATHS));
    compare_wall_clock();
}

/* Who has waited for what, how long, and what was said about it. */
static void compare_books(void)
{
    for (unsigned i = 0; i < TWINS; i++) {
        uint32_t word;
        chip_read(g.chip, 1 + i, 2, CONTROL, &word, 4); /* brings it to the present */
        tile_clock_settle(tile_of(i));
    }
    for (unsigned a = 0; a < N_AGENTS; a++) {
        const struct ledger *s = &tile_of(ASLEEP)->coproc.ledger[a];
        const struct ledger *w = &tile_of(AWAKE)->coproc.ledger[a];
        for (unsigned k = 0; a != OWNER_CORE_NC && k < N_WAITS; k++)
            if (s->cycles[k] != w->cycles[k])
                FAIL("ledger of %s, %s: %llu asleep, %llu awake",
                     owner_names[a],
                     wait_table[k].name,
                     (unsigned long long)s->cycles[k],
                     (unsigned long long)w->cycles[k]);
    }
    const struct probe *p = &tile_of(ASLEEP)->coproc.probe, *q = &tile_of(AWAKE)->coproc.probe;
    assert_int_equal(p->n_diags, q->n_diags);
    for (unsigned i = 0; i < p->n_diags; i++)
        if (p->diag[i].id != q->diag[i].id || p->diag[i].cycle != q->diag[i].cycle)
            FAIL("diagnostic %u: %s in %llu asleep, %s in %llu awake",
                 i,
                 diag_table[p->diag[i].id].id,
                 (unsigned long long)p->diag[i].cycle,
                 diag_table[q->diag[i].id].id,
                 (unsigned long long)q->diag[i].cycle);
}

/* Who wrote the words that programs and host write. */
static void compare_writers(void)
{
    for (uint32_t at = WORDS; at < WORDS + 0x300; at += 4) {
        const struct writer *s = writers_find(&tile_of(ASLEEP)->writers, at);
        const struct writer *w = writers_find(&tile_of(AWAKE)->writers, at);
        if (!s != !w || (s && (s->word != w->word || s->cycle != w->cycle)))
            FAIL("writer of 0x%x", at);
    }
}

/* ---- what the host can do ---- */

static void do_nothing(void)
{
}

static void do_word_of_b(void)
{
    poke(WORD_B, g.value++);
}

static void do_word_of_t1(void)
{
    poke(WORD_T1, g.value);
    poke(NIU_WORD, g.value++);
}

static void do_same_word(void)
{
    poke(WORD_B, g.value - 1);
}

static void do_word_by_multicast(void)
{
    uint8_t w[PCI_TLB_BYTES + 4] = {0};
    /* 2 MiB: 43 bits of address, then x, y, x0, y0 of 6 bits each, 2 bits NoC, 1 bit multicast */
    uint64_t fields = 2 | 2u << 6 | 1u << 12 | 2u << 18 | UINT64_C(1) << 26;
    uint64_t high = fields << 3;
    memcpy(w + 5, &high, 8);
    pci_write(g.chip, TLB_REGISTERS + 4 * PCI_TLB_BYTES, w, PCI_TLB_BYTES);
    pci_write(g.chip, BAR0 + 4 * 0x200000 + WORD_B, &g.value, 4);
    g.value++;
}

static void do_block(void)
{
    uint32_t block[64];
    for (unsigned i = 0; i < N(block); i++)
        block[i] = g.value;
    write_both(WORDS, block, sizeof block);
    write_both(WORDS + 0x101, block, 3); /* part of a word */
}

static void do_code(void)
{
    uint32_t word;
    chip_read(g.chip, 1, 2, 0x24, &word, 4);
    poke(0x24, word == RV_FENCE ? rv_addi(0, 0, 0) : RV_FENCE);
}

static void do_registers(void)
{
    uint8_t bytes[6] = {1, 2, 3, 4, 5, 6};
    write_both(0xFFB30051, bytes, 6); /* NoC 1 */
    write_both(0xFFB14102, bytes, 3); /* data RAM of B */
    write_both(0xFFB18200, bytes, 4);
    write_both(0xFFB40000 + 4 * 60, bytes, 4); /* overlay */
    write_both(CONTROL + 0x300, bytes, 5);
    write_both(0xFFB90000, bytes, 4); /* nothing there */
}

static void do_reset(unsigned core, bool also_release)
{
    uint32_t bit = tile_reset_bits[core], now = tile_of(ASLEEP)->soft_reset;
    poke(HOST_SOFT_RESET, now | bit);
    if (rng(2))
        chip_clock(g.chip, rng(50));
    if (also_release)
        poke(HOST_SOFT_RESET, now & ~bit);
}

static void do_hold(void)
{
    do_reset(rng(4), false);
}

static void do_restart(void)
{
    do_reset(rng(4), true);
}

static void do_reset_units(void)
{
    uint32_t now = tile_of(ASLEEP)->soft_reset;
    poke(HOST_SOFT_RESET, now | (rng(2) ? 0x18000 : 0x100));
    poke(HOST_SOFT_RESET, now);
}

static void do_interrupt(void)
{
    poke(PIC + 4 * (6 + 32 + 4), HANDLER);
    poke(PIC, 1);
    poke(PIC + 24, 1);
}

static void do_no_interrupts(void)
{
    poke(PIC, 0);
}

/* The debug interface: registers of Which_RISCV (B, T0, T1, T2). */
static void debug_write(unsigned which, uint32_t reg, uint32_t value)
{
    poke(CONTROL + 0x84, value);
    poke(CONTROL + 0x80, 0x80010000 | which << 17 | reg);
    poke(CONTROL + 0x80, 0);
}

static void debug_read(unsigned which, uint32_t reg)
{
    poke(CONTROL + 0x80, 0x80000000 | which << 17 | reg);
    compare_tlb(1, BY_TILE);
    poke(CONTROL + 0x80, 0);
}

static void do_debug_pause(void)
{
    debug_write(rng(4), DBGIF_COMMAND, DBGIF_SLOW | DBGIF_PAUSE);
}

/* Of a paused core: its registers, the wall clock as it sees it, a step; then it goes on. */
static void do_debug_paused(void)
{
    unsigned which = rng(4);
    debug_read(which, DBGIF_STATUS);
    debug_write(which, DBGIF_ARG0, 1 + rng(32));
    debug_write(which, DBGIF_COMMAND, DBGIF_SLOW | DBGIF_READ_REG);
    debug_read(which, DBGIF_RESULT);
    debug_write(which, DBGIF_ARG0, CONTROL + 0x1F0);
    debug_write(which, DBGIF_COMMAND, DBGIF_SLOW | DBGIF_READ_MEMORY);
    chip_clock(g.chip, rng(3));
    debug_read(which, DBGIF_RESULT);
    debug_write(which, DBGIF_COMMAND, DBGIF_SLOW | DBGIF_STEP);
    chip_clock(g.chip, rng(20));
    debug_read(which, DBGIF_STATUS);
}

static void do_debug_resume(void)
{
    for (unsigned which = 0; which < 4; which++)
        debug_write(which, DBGIF_COMMAND, DBGIF_SLOW | DBGIF_RESUME);
}

/* Points at code and data of the loops; with any of them on, a core is the debugger's throughout. */
static void do_debug_points(void)
{
    static const uint32_t points[] = {0x24, 0x28, WORD_B, 0x6020, 0x6028, 0xA02C, NIU_WORD, 0xE044};
    unsigned which = rng(4);
    debug_write(which, DBGIF_POINT, points[rng(N(points))]);
    debug_write(which, DBGIF_POINT + 1, points[rng(N(points))]);
    debug_write(
        which, DBGIF_MODES, rng(2) ? 0 : (DBGIF_AT_EXECUTE + rng(4)) | DBGIF_AT_ACCESS << 4);
}

/* Config and arrays through the debug registers; a word by the debug bus. */
static void do_debug_bus(void)
{
    poke(CONTROL + 0x58, rng(0x800));
    poke(CONTROL + 0x60, 1);
    poke(CONTROL + 0x64, rng(0x10000));
    compare_tlb(1, BY_TILE);
    poke(CONTROL + 0x60, 0);
    unsigned thread = rng(3);
    poke(CONTROL + 0xA4, tensix_SEMPOST_encode((struct tensix_SEMPOST){.sem_sel = 1}));
    poke(CONTROL + 0xA0, 1u << thread);
    poke(CONTROL + 0xA0, 0x11u << thread);
    chip_clock(g.chip, rng(4));
    poke(CONTROL + 0xA0, 0);
}

static const struct {
    const char *name;
    void (*act)(void);
} acts[] = {
    {"nothing", do_nothing},
    {"a word for B", do_word_of_b},
    {"a word for T1", do_word_of_t1},
    {"the same word", do_same_word},
    {"a word by multicast", do_word_by_multicast},
    {"a block", do_block},
    {"other code", do_code},
    {"registers", do_registers},
    {"reset", do_hold},
    {"reset and release", do_restart},
    {"reset of units", do_reset_units},
    {"an interrupt", do_interrupt},
    {"no interrupts", do_no_interrupts},
    {"debugger: pause", do_debug_pause},
    {"debugger: of a paused core", do_debug_paused},
    {"debugger: resume", do_debug_resume},
    {"debugger: points", do_debug_points},
    {"debug bus", do_debug_bus},
};

static const uint32_t stretches[] = {0, 1, 2, 3, 5, 17, 100, 333, 2000};

static void act(unsigned i)
{
    uint32_t cycles = stretches[rng(N(stretches))];
    g.last = acts[i].name;
    if (getenv("WAITGATE_SHOW"))
        print_message(
            "cycle %llu: %s, then %u\n", (unsigned long long)g.chip->time, g.last, cycles);
    acts[i].act();
    if (rng(2))
        compare_all();
    chip_clock(g.chip, cycles);
    compare_all();
}

static void finish(void)
{
    compare_writers();
    compare_books();
    chip_free(g.chip);
    g.chip = NULL;
}

static void may_sleep(void)
{
    chip_clock(g.chip, 3000);
    compare_all();
    assert_false(g.chip->is_active[chip_index(1, 2)]);
    assert_true(g.chip->is_active[chip_index(2, 2)]);
}

/* Every way to sleep, every act on it, and what that leads to. */
static void each_act_on_each_sleeper(void **state)
{
    (void)state;
    for (unsigned s = 0; s < N_SCENARIOS; s++)
        for (unsigned i = 0; i < N(acts); i++) {
            if (!(g.acts >> i & 1))
                continue;
            start(s);
            may_sleep();
            act(i);
            chip_clock(g.chip, 500);
            compare_all();
            finish();
        }
}

/* An interrupt that is taken back before its core has looked: the core is awake, in the middle of its round, and polls on. Nothing else
   moves, which is no reason to leave it behind. */
static void interrupt_taken_back(void **state)
{
    (void)state;
    for (uint32_t apart = 0; apart < 30; apart++)
        for (uint32_t cycles = 1; cycles < 8; cycles++) {
            start(POLL_MEET);
            do_interrupt();
            chip_clock(g.chip, 200 + apart);
            compare_all();
            do_interrupt();
            chip_clock(g.chip, cycles);
            do_no_interrupts();
            chip_clock(g.chip, 3);
            chip_clock(g.chip, 333);
            g.last = "an interrupt taken back";
            do_word_of_b();
            chip_clock(g.chip, 5);
            compare_all();
            chip_clock(g.chip, 500);
            compare_all();
            finish();
        }
}

/* The debugger takes a core whose store cannot leave: its cycles are booked alike, however often anybody looks. */
static void paused_with_a_store_under_way(void **state)
{
    (void)state;
    for (uint32_t apart = 0; apart < 20; apart++) {
        start(POLL_ALONE); /* nobody reads the mailbox */
        for (unsigned i = 0; i < 12; i++) {
            do_word_of_b();
            chip_clock(g.chip, 200);
        }
        do_code(); /* the core goes round its loop without its store */
        chip_clock(g.chip, 17 + apart);
        debug_write(0, DBGIF_COMMAND, DBGIF_SLOW | DBGIF_PAUSE);
        g.last = "a pause with a store under way";
        chip_clock(g.chip, 5);
        do_registers();
        chip_clock(g.chip, 1);
        do_word_of_b();
        chip_clock(g.chip, 100);
        compare_all();
        do_debug_resume();
        chip_clock(g.chip, 100);
        finish();
    }
}

static void many_acts(void **state)
{
    (void)state;
    for (unsigned round = 0; round < 20; round++) {
        start(rng(N_SCENARIOS));
        for (unsigned k = 0; k < 30; k++) {
            unsigned i = rng(N(acts));
            if (g.acts >> i & 1)
                act(i);
        }
        finish();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_act_on_each_sleeper),
        cmocka_unit_test(interrupt_taken_back),
        cmocka_unit_test(paused_with_a_store_under_way),
        cmocka_unit_test(many_acts),
    };
    const char *text = getenv("WAITGATE_SEED");
    g.seed = text ? strtoul(text, NULL, 0) : (unsigned long)time(NULL);
    g.acts = getenv("WAITGATE_ACTS") ? strtoul(getenv("WAITGATE_ACTS"), NULL, 16) : ~0ul;
    g.rng = g.seed * UINT64_C(0x9E3779B97F4A7C15) | 1;
    printf("WAITGATE_SEED=%llu\n", (unsigned long long)g.seed);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
