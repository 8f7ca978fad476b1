/*
 * Fuzz target: what a host does with the ten functions of libttsim_bh.so, in any order and with any arguments.
 *
 * The input becomes a list of calls: a byte names one and is followed by what it needs. It is carried out in three ways, each of which reads the same:
 *
 *     FUNCTIONS  the ten functions
 *     SLICES     the chip behind them, clocked in many short calls (untimed in the same ones)
 *     AWAKE      with time only: the same, with tiles that never sleep and skip nothing
 *
 * No call crashes or takes longer than its clocks do; nothing is printed that docs/dropin.md does not promise.
 */
#define _GNU_SOURCE /* open_memstream */
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "chip/chip.h"
#include "dropin/ttsim.h"
#include "maker.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define N(a) (sizeof(a) / sizeof *(a))

#define CALLS     400u   /* of one input */
#define WORK      12000u /* clocks times tiles */
#define UNTIMED   64u    /* as much work as so many: one of them is many steps */
#define SECONDS   60u    /* an input takes some milliseconds */
#define BYTES     0x20000u
#define MESSAGES  20000u /* bytes */
#define PROGRAM   0x400u /* bytes */
#define KINDS     6u     /* of complaints, each said once */
#define BAR0      UINT64_C(0x100000000)
#define REGISTERS (BAR0 + 0x1FC00000)
#define CONTROL   UINT32_C(0xFFB12000)

enum way { SLICES, FUNCTIONS, AWAKE, N_WAYS };
static const char *const way_names[N_WAYS] = {"slices", "functions", "awake"};

/* What was read by one call. */
struct seen {
    uint64_t address, hash;
    uint32_t size;
};

static struct {
    struct maker in;
    enum way way;
    bool clocked, verbose;
    bool walks; /* AWAKE as well */
    unsigned vectors;
    struct chip *chip;      /* SLICES, AWAKE */
    uint64_t work;          /* clocks times tiles so far */
    unsigned n_exits;       /* libttsim_exit(), in FUNCTIONS */
    unsigned n_clocks;      /* calls of libttsim_clock() ... */
    uint32_t clocks[CALLS]; /* ... and their clocks, as decided in SLICES */
    unsigned n_seen[N_WAYS];
    struct seen seen[N_WAYS][2 * CALLS + 64];
} g;

static void fail(const char *what, uint64_t a, uint64_t b)
{
    fprintf(stderr,
            "fuzz_ttsim: %s: 0x%llx, 0x%llx\n",
            what,
            (unsigned long long)a,
            (unsigned long long)b);
    abort();
}

static void no_end(int signal)
{
    static const char text[] = "fuzz_ttsim: a call does not end\n";
    (void)signal;
    if (write(2, text, sizeof text - 1) > 0)
        abort();
    abort();
}

/* ---- the ten functions, or what is behind them ---- */

static void chip_is_born(void)
{
    if (g.chip)
        return;
    g.chip = chip_new();
    if (!g.chip)
        abort();
    g.chip->clocked = g.clocked;
    g.chip->vectors = (enum coproc_vectors)g.vectors;
}

static void chip_is_gone(void)
{
    chip_free(g.chip);
    g.chip = NULL;
}

/* No tile sleeps, none skips anything. */
static void keep_awake(void)
{
    for (unsigned i = 0; i < CHIP_TILES; i++)
        if (g.chip->tile[i])
            g.chip->tile[i]->clock.no_skip = g.chip->tile[i]->clock.no_end = true;
}

static void call_init(void)
{
    if (g.way == FUNCTIONS)
        libttsim_init();
    else
        chip_is_born();
}

static void call_exit(void)
{
    if (g.way == FUNCTIONS)
        libttsim_exit();
    else
        chip_is_gone();
    g.n_exits++;
}

static bool is_refused(const void *bytes, uint32_t size)
{
    return !g.chip || (!bytes && size) || size > PCI_ACCESS_MAX || !size;
}

static void call_tile_read(uint32_t x, uint32_t y, uint64_t address, void *to, uint32_t size)
{
    if (g.way == FUNCTIONS)
        libttsim_tile_rd_bytes(x, y, address, to, size);
    else if (!is_refused(to, size))
        chip_read(g.chip, x, y, address, to, size);
}

static void call_tile_write(uint32_t x, uint32_t y, uint64_t address, const void *from,
                            uint32_t size)
{
    if (g.way == FUNCTIONS)
        libttsim_tile_wr_bytes(x, y, address, from, size);
    else if (!is_refused(from, size))
        chip_write(g.chip, x, y, address, from, size);
}

static void call_pci_read(uint64_t paddr, void *to, uint32_t size)
{
    if (g.way == FUNCTIONS)
        libttsim_pci_mem_rd_bytes(paddr, to, size);
    else if (!is_refused(to, size))
        pci_read(g.chip, paddr, to, size);
}

static void call_pci_write(uint64_t paddr, const void *from, uint32_t size)
{
    if (g.way == FUNCTIONS)
        libttsim_pci_mem_wr_bytes(paddr, from, size);
    else if (!is_refused(from, size))
        pci_write(g.chip, paddr, from, size);
}

static uint32_t call_config_read(uint32_t bdf, uint32_t offset)
{
    if (g.way == FUNCTIONS)
        return libttsim_pci_config_rd32(bdf, offset);
    return g.chip ? pci_config_read(&g.chip->pci, bdf, offset) : UINT32_MAX;
}

static void call_config_write(uint32_t bdf, uint32_t offset, uint32_t value)
{
    if (g.way == FUNCTIONS)
        libttsim_pci_config_wr32(bdf, offset, value);
    else if (g.chip)
        pci_config_write(&g.chip->pci, bdf, offset, value);
}

/* ---- clocks ---- */

static unsigned tiles(void)
{
    unsigned n = 0;
    for (unsigned i = 0; i < CHIP_TILES; i++)
        n += g.chip->tile[i] != NULL;
    return n;
}

/* How many clocks a call gets: any number if nothing runs and nobody walks through them, else what is left of the work. */
static uint32_t decide(uint32_t n)
{
    if (!g.chip || !tiles() || (!g.chip->n_active && !g.walks))
        return n;
    uint64_t left = g.work < WORK ? (WORK - g.work) / tiles() : 0;
    if (!g.clocked)
        left /= UNTIMED;
    n = n < left ? n : (uint32_t)left;
    g.work += (uint64_t)n * tiles() * (g.clocked ? 1 : UNTIMED);
    return n;
}

/* In pieces of 1 to 37 clocks that the bytes behind the call decide; many clocks in few. */
static void clock_slices(uint32_t n)
{
    const uint8_t *at = g.in.data;
    while (n) {
        uint32_t size = n > WORK ? n / 3 + 1 : 1 + (at < g.in.end ? *at++ % 37u : 36u);
        size = size < n ? size : n;
        if (g.way == AWAKE)
            keep_awake();
        chip_clock(g.chip, size);
        n -= size;
    }
}

static void call_clock(uint32_t n)
{
    if (g.way == SLICES)
        g.clocks[g.n_clocks] = decide(n);
    n = g.clocks[g.n_clocks++];
    if (g.way == FUNCTIONS) {
        libttsim_clock(n);
    } else if (g.chip && !g.clocked) {
        chip_clock(g.chip, n);
    } else if (g.chip) {
        clock_slices(n);
    }
}

/* ---- what is read ---- */

static uint8_t bytes[BYTES];

static void note(uint64_t address, const void *data, uint32_t size)
{
    const uint8_t *b = data;
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (uint32_t i = 0; i < size; i++)
        hash = (hash ^ b[i]) * UINT64_C(0x100000001b3);
    if (g.n_seen[g.way] < N(g.seen[0]))
        g.seen[g.way][g.n_seen[g.way]++] =
            (struct seen){.address = address, .hash = hash, .size = size};
}

/* The last bytes of the buffer, so that sanitizers see a byte too many. */
static uint8_t *room(uint32_t size)
{
    uint8_t *to = bytes + (size < BYTES ? BYTES - size : 0);
    memset(to, 0xEE, size < BYTES ? size : BYTES);
    return to;
}

static void read_tile(uint32_t x, uint32_t y, uint64_t address, uint32_t size)
{
    uint8_t *to = room(size);
    call_tile_read(x, y, address, to, size);
    note(address, to, size);
}

static void read_pci(uint64_t paddr, uint32_t size)
{
    uint8_t *to = room(size);
    call_pci_read(paddr, to, size);
    note(paddr, to, size);
}

/* ---- from bytes to calls ---- */

struct place {
    uint32_t x, y;
};

/* Nearly always one of three tiles; the others are of all kinds there are. */
static struct place place(void)
{
    static const struct place other[] = {{1, 3},
                                         {16, 11},
                                         {8, 0},
                                         {0, 0},
                                         {9, 11},
                                         {17, 12},
                                         {18, 23},
                                         {1, 1},
                                         {20, 25},
                                         {2, 0},
                                         {8, 5},
                                         {19, 2},
                                         {63, 63},
                                         {1, 1u << 31},
                                         {UINT32_MAX, 2}};
    uint32_t n = maker_byte(&g.in);
    return n < 0xd0 ? (struct place){1 + n % 3, 2} : other[n % N(other)];
}

/* Where something is, or nearly. */
static uint64_t address(void)
{
    static const uint32_t bases[] = {
        0,          0x6000,     0xA000,     0xE000,     0x12000,    0x20000,    0x17FF00,
        0x7CC70,    0xFFB11000, 0xFFB12000, 0xFFB12080, 0xFFB120A0, 0xFFB121A0, 0xFFB121F0,
        0xFFB12220, 0xFFB13000, 0xFFB14000, 0xFFB18000, 0xFFB1C000, 0xFFB20000, 0xFFB20040,
        0xFFB30100, 0xFFB40000, 0xFFB80000, 0xFFE00000, 0xFFE80000, 0xFFEC0000, 0xFFEF0000,
        0xFFFFFF00, 0x10000000, 0x80030400, 0x1FFF00};
    uint32_t n = maker_byte(&g.in), more = maker_byte(&g.in);
    uint64_t at = bases[n % N(bases)] + (more < 0xf0 ? 4 * (more % 0x40) : more % 0x10);
    return n < 0xf8 ? at : at | (uint64_t)maker_word(&g.in) << (n < 0xfc ? 32 : 0);
}

static uint32_t size_of_access(void)
{
    static const uint32_t sizes[] = {
        4, 4, 4, 4, 1, 2, 3, 8, 16, 64, 0, 5, 0x100, 0x1000, 0xffff, BYTES};
    uint32_t n = maker_byte(&g.in);
    return sizes[n % N(sizes)];
}

static const uint8_t *some_bytes(uint32_t size)
{
    uint8_t *to = room(size);
    uint32_t first = maker_value(&g.in);
    for (uint32_t i = 0; i < size; i++)
        to[i] = (uint8_t)(first >> 8 * (i & 3)) + (uint8_t)(i >> 2);
    return to;
}

static void poke(struct place t, uint32_t at, uint32_t value)
{
    call_tile_write(t.x, t.y, at, &value, 4);
}

/* A window of 2 MiB, or, from number 202, of 4 GiB; returns where it lies. */
static uint64_t window(uint32_t i, struct place t, uint64_t at, const uint32_t corner[3])
{
    unsigned shift = i < PCI_TLBS_2M ? 21 : 32, field = 64 - shift;
    uint8_t w[24] = {0};
    uint64_t page = at >> shift, high;
    uint64_t rest = (t.x & 63) | (uint64_t)(t.y & 63) << 6 | (uint64_t)(corner[0] & 63) << 12 |
                    (uint64_t)(corner[1] & 63) << 18 | (uint64_t)(corner[2] & 1) << 26;
    memcpy(w, &page, 8);
    memcpy(&high, w + field / 8, 8);
    high |= rest << field % 8;
    memcpy(w + field / 8, &high, 8);
    call_pci_write(REGISTERS + i * PCI_TLB_BYTES, w, PCI_TLB_BYTES);
    if (i < PCI_TLBS_2M)
        return BAR0 + ((uint64_t)i << 21) + (at & ((1u << 21) - 1));
    return UINT64_C(0x800000000) + ((uint64_t)(i - PCI_TLBS_2M) << 32) + (uint32_t)at;
}

static uint64_t any_window(bool multicast)
{
    struct place t = place();
    uint64_t at = address();
    uint32_t i = maker_byte(&g.in), corner[3] = {0, 0, multicast};
    if (multicast) { /* nearly always to few: all tiles of the chip take long */
        uint32_t n = maker_byte(&g.in);
        corner[0] = n < 0xfe ? t.x - n % 3 : n;
        corner[1] = n < 0xfe ? t.y - n / 3 % 2 : 0;
    }
    return window(i % PCI_TLBS, t, at, corner);
}

/* A physical address, mostly in a BAR. */
static uint64_t paddr(void)
{
    static const uint64_t bases[] = {REGISTERS,
                                     BAR0,
                                     BAR0 + (UINT64_C(201) << 21) + 0x1FFFF0,
                                     BAR0 + 0x1FD04040,
                                     BAR0 + 0x1FD14100,
                                     BAR0 + 0x1FFFFFF0,
                                     UINT64_C(0x120000000),
                                     UINT64_C(0x1200FFFF0),
                                     UINT64_C(0x800000000),
                                     UINT64_C(0x8FFFFFFF0),
                                     UINT64_C(0xFFFFFFFF0),
                                     0,
                                     UINT64_MAX - 8};
    uint32_t n = maker_byte(&g.in);
    return bases[n % N(bases)] + maker_byte(&g.in) * (n < 0x80 ? 1u : 12u);
}

/* A program for a core, where that starts. */
static void do_program(void)
{
    uint8_t code[PROGRAM];
    struct place t = place();
    uint32_t core = maker_byte(&g.in);
    uint32_t size = maker_program(&g.in, code, sizeof code);
    call_tile_write(t.x, t.y, maker_start[core % RV_N_CORES], code, size);
}

/* Cores into reset, the others out of it. */
static void do_reset(void)
{
    struct place t = place();
    uint32_t cores = maker_byte(&g.in), bits = 0;
    for (unsigned i = 0; i < RV_N_CORES; i++)
        bits |= cores >> i & 1 ? tile_reset_bits[i] : 0;
    poke(t, MAKER_SOFT_RESET, cores < 0xe0 ? bits : maker_word(&g.in));
}

static void do_clock(uint32_t how)
{
    static const uint32_t n[] = {0, 1, 2, 5, 17, 64, 100, 500};
    static const uint32_t many[] = {
        3000, 65535, 65536, 65537, 1000000, UINT32_MAX / 2, UINT32_MAX - 1, UINT32_MAX};
    if (g.n_clocks < CALLS)
        call_clock(how < 8 ? n[how] : many[how - 8]);
}

static void do_write(void)
{
    struct place t = place();
    uint64_t at = address();
    uint32_t size = size_of_access();
    const uint8_t *from = some_bytes(size);
    call_tile_write(t.x, t.y, at, from, size);
}

static void do_read(void)
{
    struct place t = place();
    uint64_t at = address();
    read_tile(t.x, t.y, at, size_of_access());
}

/* The debug interface: a register of one of the cores is written or read. */
static void do_debug(void)
{
    struct place t = place();
    uint32_t what = maker_byte(&g.in), reg = maker_byte(&g.in) % 20;
    uint32_t which = what & 7, writes = what & 8 ? 0x10000u : 0;
    poke(t, CONTROL + 0x84, maker_value(&g.in) | (what & 16 ? UINT32_C(1) << 31 : 0));
    poke(t, CONTROL + 0x80, UINT32_C(0x80000000) | writes | which << 17 | reg);
    read_tile(t.x, t.y, CONTROL + 0x88, 4);
    poke(t, CONTROL + 0x80, 0);
}

static void do_config(uint32_t how)
{
    uint32_t offset = maker_byte(&g.in), bdf = how & 8 ? maker_byte(&g.in) : 0;
    offset = offset < 0x80 ? 4 * (offset % 17) : maker_word(&g.in);
    if (how & 1)
        call_config_write(bdf, offset, maker_word(&g.in));
    uint32_t value = call_config_read(bdf, offset);
    note(offset, &value, 4);
}

static void no_read(uint64_t at, void *to, uint32_t size)
{
    fail("reads the host's memory", at, (uintptr_t)to + size);
}

static void no_write(uint64_t at, const void *from, uint32_t size)
{
    fail("writes the host's memory", at, (uintptr_t)from + size);
}

/* What no host does. */
static void do_wrong(uint32_t how)
{
    switch (how) {
    case 0: call_exit(); break;
    case 1: call_init(); break;
    case 2: call_tile_read(1, 2, 0, NULL, 4); break;
    case 3: call_tile_write(1, 2, 0, NULL, 4); break;
    case 4: call_pci_read(BAR0, NULL, 4); break;
    case 5: call_pci_write(BAR0, NULL, UINT32_MAX); break;
    case 6: call_tile_read(1, 2, 0, bytes, PCI_ACCESS_MAX + 1); break;
    case 7: call_tile_write(1, 2, 0, bytes, UINT32_MAX); break;
    case 8: call_pci_read(BAR0, bytes, UINT32_MAX); break;
    case 9: call_pci_write(BAR0, bytes, PCI_ACCESS_MAX + 1); break;
    case 10: call_tile_read(1, 2, UINT64_MAX, NULL, 0); break;
    case 11:
        if (g.way == FUNCTIONS)
            libttsim_set_pci_dma_mem_callbacks(no_read, no_write);
        break;
    case 12:
        if (g.way == FUNCTIONS)
            libttsim_set_pci_dma_mem_callbacks(NULL, NULL);
        break;
    case 13:
        call_exit();
        call_exit();
        break;
    case 14:
        call_exit();
        call_init();
        break;
    default: call_init(); call_init();
    }
}

/* One thing that a host does; false: it stops. */
static bool one(void)
{
    uint32_t kind = maker_byte(&g.in), how = kind / 16, size;
    uint64_t at;
    switch (kind % 16) {
    case 0: return kind != 0;
    case 1: do_program(); break;
    case 2: do_reset(); break;
    case 3:
    case 4: do_clock(how); break;
    case 5: do_write(); break;
    case 6: do_read(); break;
    case 7: poke(place(), MAKER_SHARED + 4 * how, maker_value(&g.in)); break;
    case 8:
    case 9:
        at = any_window(false);
        size = size_of_access();
        if (kind % 16 == 8)
            read_pci(at, size);
        else
            call_pci_write(at, some_bytes(size), size);
        break;
    case 10:
        at = any_window(true);
        size = size_of_access();
        call_pci_write(at, some_bytes(size), size);
        break;
    case 11:
        at = paddr();
        size = size_of_access();
        if (how & 1)
            call_pci_write(at, some_bytes(size), size);
        read_pci(at, size);
        break;
    case 12: do_debug(); break;
    case 13: do_config(how); break;
    case 14: do_wrong(how); break;
    default: read_tile(1 + how % 3, 2, CONTROL + 0x1F0 + how / 4 * 4, 4); break;
    }
    return true;
}

/* What three tiles hold in the end. */
static void look_at_all(void)
{
    static const struct {
        uint32_t at, size;
    } parts[] = {{0, 0x14000},
                 {MAKER_SHARED, 0x1000},
                 {CONTROL, 0x800},
                 {0xFFB14000, 0x2000},
                 {0xFFB18000, 0x6000},
                 {0xFFB20000, 0x200}};
    for (uint32_t x = 1; x <= 3; x++)
        for (unsigned i = 0; i < N(parts); i++)
            read_tile(x, 2, parts[i].at, parts[i].size);
}

/* ---- what is printed ---- */

static void check_messages(const char *text, size_t n)
{
    unsigned said = 0;
    if (n && !g.verbose)
        fail("prints without being asked", n, 0);
    if (n > MESSAGES * (g.n_exits + 1))
        fail("prints too much: bytes, exits", n, g.n_exits);
    for (const char *line = text, *end; line < text + n; line = end + 1) {
        end = memchr(line, '\n', (size_t)(text + n - line));
        if (!end || strncmp(line, "waitgate: ", 10) != 0)
            fail("prints something else", (uint64_t)(line - text), n);
        said += end - line > 9 && !memcmp(end - 9, "said once", 9);
    }
    if (said > KINDS * (g.n_exits + 1))
        fail("says something twice: complaints, exits", said, g.n_exits);
}

/* ---- all of it ---- */

static void set(const char *name, bool on)
{
    if (on)
        setenv(name, "1", 1);
    else
        unsetenv(name);
}

static void play(enum way way, const uint8_t *data, size_t size)
{
    g.way = way;
    g.in = (struct maker){.data = data, .end = data + size};
    uint32_t flags = maker_byte(&g.in);
    g.clocked = flags & 1;
    g.walks = g.clocked && !(flags & 16);
    g.verbose = flags & 2;
    g.vectors = flags & 8 ? COPROC_PLAIN : COPROC_ALL_VECTORS;
    g.n_clocks = g.n_exits = g.n_seen[way] = 0;
    g.work = 0;
    if (!(flags & 4))
        call_init();
    for (unsigned i = 0; i < CALLS && one(); i++)
        ;
    look_at_all();
    call_exit();
}

static void play_functions(const uint8_t *data, size_t size)
{
    char *text = NULL;
    size_t n = 0;
    FILE *was = stderr, *said = open_memstream(&text, &n);
    if (!said)
        abort();
    set("WAITGATE_CLOCKED", g.clocked);
    set("WAITGATE_VERBOSE", g.verbose);
    if (g.vectors == COPROC_PLAIN)
        setenv("WAITGATE_VECTORS", "none", 1);
    else
        unsetenv("WAITGATE_VECTORS");
    stderr = said;
    libttsim_init(); /* looks into the environment */
    libttsim_exit();
    play(FUNCTIONS, data, size);
    stderr = was;
    fclose(said);
    check_messages(text, n);
    free(text);
}

static void compare(enum way way)
{
    for (unsigned i = 0; i < g.n_seen[SLICES] || i < g.n_seen[way]; i++) {
        const struct seen *a = &g.seen[SLICES][i], *b = &g.seen[way][i];
        if (a->address == b->address && a->size == b->size && a->hash == b->hash)
            continue;
        fprintf(stderr, "fuzz_ttsim: slices and %s: read %u\n", way_names[way], i);
        fail("differ at, size", a->address, a->size);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    mallopt(M_MMAP_THRESHOLD, 1 << 20); /* tiles take only the pages that they touch */
    signal(SIGALRM, no_end);
    alarm(SECONDS);
    play(SLICES, data, size);
    play_functions(data, size);
    compare(FUNCTIONS);
    if (g.walks) {
        play(AWAKE, data, size);
        compare(AWAKE);
    }
    alarm(0);
    return 0;
}
