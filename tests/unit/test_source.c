/*
 * Every row of tile/source.def and isa/rv32_csr.def goes through a loop that reads it. What changes only when somebody acts
 * is a proven hang, and lets the loop go when it is changed; what changes with time, or by being read, is never called a
 * hang. With and without skipping.
 */
#include "tile_drive.h"

#include "core/rvcore_in.h"
#include "tile/hang.h"

#define RESULT    0x20100u
#define LEAVES_BY 64u /* cycles after a change */

#define PUT(id, ...) RV_PUT(tile, &at, id, __VA_ARGS__)

static struct tile *new_tile(bool no_skip)
{
    void *state = NULL;
    tile_setup(&state);
    struct tile *tile = state;
    assert_int_equal(tile_clock_run(tile, 0), TILE_END_LIMIT);
    tile->clock.no_skip = no_skip;
    return tile;
}

/* ---- regions ---- */

struct row {
    uint8_t region, kind;
    uint32_t offset;
};

static const struct row rows[] = {
#define SOURCE(region, kind, text)                       {MAP_##region, RV_SOURCE_##kind, UINT32_MAX},
#define SOURCE_AT(region, mask, first, last, kind, text) {MAP_##region, RV_SOURCE_##kind, last},
#include "tile/source.def"
};

#define N_ROWS (sizeof rows / sizeof rows[0])

/* A word of the row, as a core sees it. */
static uint32_t address_of(const struct row *r)
{
    uint32_t base = map_table[r->region].base;
    if (r->offset != UINT32_MAX)
        return base + r->offset;
    switch (r->region) {
    case MAP_NOTHING: return 0xFFF00000;
    case MAP_L1: return 0x20200;
    case MAP_LOCAL:
    case MAP_LOCAL_8K: return base + 0x400;
    case MAP_TDMA: return base + 0x400;
    case MAP_CONTROL: return base + 0x1FC;
    case MAP_PIC: return base + 0xC0;
    case MAP_MAILBOX: return base + 0x1004 + 0x1000; /* from T1: is there a word? */
    case MAP_OVERLAY: return base + 4 * STREAM_CURR_PHASE;
    default: return base;
    }
}

static unsigned core_of(const struct row *r)
{
    unsigned cores = map_table[r->region].cores;
    if (r->region == MAP_NOTHING || r->region == MAP_PIC)
        return B;
    for (unsigned i = T0; i <= NC; i++)
        if (cores >> i & 1)
            return i;
    fail_msg("nobody reads %s", map_table[r->region].name);
    return B;
}

/* Somebody changes what is there; false: nothing can, a load reads 0 or waits. */
static bool change(struct tile *tile, const struct row *r)
{
    struct coproc *c = &tile->coproc;
    uint32_t address = address_of(r);
    switch (r->region) {
    case MAP_LOCAL: poke(tile, 0xFFB18400, 7); return true;
    case MAP_LOCAL_8K: poke(tile, 0xFFB14400, 7); return true;
    case MAP_TDMA:
        switch (r->offset) {
        case 0x14: c->mover.done_at = c->now + 5000; break;
        case 0x1c: c->packmeta.sum[0]++; break;
        case 0x5c: c->packmeta.sum[1]++; break;
        case 0x9c: c->packmeta.sum[2]++; break;
        case 0x2c: tile->tdma.mover_base[T0] = 1; break;
        case 0x3c: c->regwrite.sum[0] ^= 0x10000; break;
        case 0x13c: c->regwrite.sum[1] ^= 0x10000; break;
        default: return false;
        }
        break;
    case MAP_DST: c->dst.d[0][0] ^= 0x4001; break;
    case MAP_GPR:
    case MAP_GPR_ALL: c->gpr.r[0][0]++; break;
    case MAP_SEM: c->sync.sem[0].value = 1; break;
    case MAP_MAILBOX:
        return tile_bus_store(tile, T1, 0xFFEC1000, 4, 9) == RV_OK &&
               (tile_clock_changed(tile), true);
    case MAP_CONFIG: c->config.word[0][0] ^= 1; break;
    case MAP_THREAD_CONFIG: c->config.thread[0][0] ^= 1; break;
    case MAP_TTSYNC_THREAD:
    case MAP_TTSYNC_MOP:
    case MAP_PC_BUF_B:
    case MAP_PC_BUF: return false;
    default: poke(tile, address, load(tile, NOC, address) ^ 6); return true;
    }
    tile_clock_changed(tile);
    return true;
}

/* Reads a word again and again: until it is another; ever: for ever, with the same registers in each round. */
static void put_loop(struct tile *tile, unsigned core, uint32_t address, bool ever)
{
    uint32_t at = tile_control_start_pc(tile, core);
    put_li(tile, &at, 20, address);
    put_li(tile, &at, 21, RESULT);
    PUT(LW, .rd = 6, .rs1 = 20);
    if (ever)
        PUT(ADDI, .rd = 6);
    uint32_t top = at;
    if (address < TILE_L1_SIZE)
        PUT(FENCE, .imm = 0xff);
    PUT(LW, .rd = 5, .rs1 = 20);
    if (ever)
        PUT(ADDI, .rd = 5);
    PUT(BEQ, .rs1 = 5, .rs2 = 6, .imm = (int32_t)(top - at));
    PUT(ADDI, .rd = 7, .imm = 1);
    PUT(SW, .rs1 = 21, .rs2 = 7);
    PUT(JAL, .imm = 0);
    release(tile, core);
    tile_clock_changed(tile);
}

static bool left(const struct tile *tile)
{
    return tile->l1_bytes[RESULT] == 1;
}

static void event_row(struct tile *tile, const struct row *r, const char *name)
{
    unsigned core = core_of(r);
    put_loop(tile, core, address_of(r), false);
    if (r->region == MAP_DST)
        memset(tile->coproc.dst.valid, 1, sizeof tile->coproc.dst.valid);
    if (tile_clock_run(tile, 5000) != TILE_END_HANG || left(tile))
        fail_msg("%s +%x: no hang", name, (unsigned)r->offset);
    uint64_t now = tile->clock.now;
    assert_true(now <= 4096); /* a data RAM has to be cleared first */
    assert_int_equal(tile_clock_run(tile, 5000), TILE_END_HANG); /* and stays one */
    if (!change(tile, r))
        return;
    tile_clock_run(tile, 2000);
    const struct writer *w = writers_find(&tile->writers, RESULT);
    if (!left(tile) || w->cycle > now + LEAVES_BY)
        fail_msg("%s +%x: does not see the change", name, (unsigned)r->offset);
}

/* Of what takes something only what is there: where there is nothing the core waits, and that is a hang. */
static bool waits(const struct row *r)
{
    return r->region == MAP_PC_BUF || (r->region == MAP_MAILBOX && r->kind == RV_SOURCE_ACT) ||
           (r->region == MAP_TDMA && r->offset == 0x30) || r->region == MAP_PC_BUF_B;
}

static void free_row(struct tile *tile, const struct row *r, const char *name)
{
    put_loop(tile, core_of(r), address_of(r), true);
    if (tile_clock_run(tile, 5000) != TILE_END_LIMIT)
        fail_msg("%s +%x: called an end", name, (unsigned)r->offset);
}

static void every_window_is_what_its_row_says(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 2 * N_ROWS; i++) {
        const struct row *r = &rows[i / 2];
        const char *name = map_table[r->region].name;
        struct tile *tile = new_tile(i % 2);
        if (r->region == MAP_DST)
            memset(tile->coproc.dst.valid, 1, sizeof tile->coproc.dst.valid);
        enum rv_source kind = tile_source(tile, core_of(r), address_of(r), 4);
        bool quiet = r->region == MAP_PIC && r->offset != UINT32_MAX; /* not raised */
        if (kind != (quiet ? RV_SOURCE_UNTOLD : r->kind))
            fail_msg("%s +%x is %u", name, (unsigned)r->offset, kind);
        if (waits(r)) {
            put_loop(tile, core_of(r), address_of(r), true);
            assert_int_equal(tile_clock_run(tile, 5000), TILE_END_HANG);
        } else if (r->kind < RV_SOURCE_FREE || quiet) {
            event_row(tile, r, name);
        } else {
            free_row(tile, r, name);
        }
        free(tile);
    }
}

static void every_window_has_a_row(void **state)
{
    (void)state;
    for (unsigned w = 0; w < N_MAP_REGIONS; w++) {
        unsigned n = 0;
        for (unsigned i = 0; i < N_ROWS; i++)
            n += rows[i].region == w && rows[i].offset == UINT32_MAX;
        if (n != 1)
            fail_msg("%s has %u rows", map_table[w].name, n);
    }
}

/* What is not called an act is not reported, and what is reported is. */
static void loads_that_are_reported_are_acts(void **state)
{
    struct tile *tile = *state;
    static const struct {
        uint8_t core, region;
    } tried[] = {{T0, MAP_TDMA}, {B, MAP_CONTROL}, {B, MAP_PIC}, {T1, MAP_DST}, {T2, MAP_DST}};
    for (unsigned i = 0; i < sizeof tried / sizeof tried[0]; i++)
        for (uint32_t at = 0; at < map_table[tried[i].region].size; at += 4)
            for (unsigned size = 1; size <= 4; size *= 2) {
                uint32_t address = map_table[tried[i].region].base + at, value;
                enum rv_source kind = tile_source(tile, tried[i].core, address, size);
                memset(tile->coproc.probe.count, 0, sizeof tile->coproc.probe.count);
                tile_bus.load(tile, tried[i].core, address, size, &value);
                unsigned reports = 0;
                for (unsigned k = 0; k < N_DIAGS; k++)
                    reports += tile->coproc.probe.count[k];
                if (reports && kind != RV_SOURCE_ACT)
                    fail_msg("%x is reported", (unsigned)address);
                if (!reports && kind == RV_SOURCE_ACT)
                    fail_msg("%x is not reported", (unsigned)address);
            }
}

/* ---- CSRs ---- */

static const struct {
    uint16_t number;
    uint8_t kind;
} csrs[] = {
#define CSR(number, name, custom, reads, text) {number, RV_SOURCE_##reads},
#include "isa/rv32_csr.def"
};

#define N_CSRS (sizeof csrs / sizeof csrs[0])

/* Reads a CSR until it is not 0 in these bits; ever: for ever, with the same registers in each round. */
static void put_csr_loop(struct tile *tile, unsigned core, unsigned csr, bool ever)
{
    uint32_t at = tile_control_start_pc(tile, core);
    put_li(tile, &at, 21, RESULT);
    PUT(CSRRS, .rd = 6, .csr = (uint16_t)csr);
    if (ever)
        PUT(ADDI, .rd = 6);
    uint32_t top = at;
    PUT(CSRRS, .rd = 5, .csr = (uint16_t)csr);
    if (ever)
        PUT(ADDI, .rd = 5);
    PUT(BEQ, .rs1 = 5, .rs2 = 6, .imm = (int32_t)(top - at));
    PUT(ADDI, .rd = 7, .imm = 1);
    PUT(SW, .rs1 = 21, .rs2 = 7);
    PUT(JAL, .imm = 0);
    release(tile, core);
    tile_clock_changed(tile);
}

static void change_status(struct tile *tile, unsigned csr)
{
    if (csr <= 0xbc1) {
        const struct tensix_SEMWAIT wait = {.wait_sem_cond = 1, .sem_sel = 1, .stall_res = 0x1ff};
        const struct tensix_SEMPOST held = {.sem_sel = 2};
        tile_bus_store(tile, T1, 0xFFE40000, 4, tensix_SEMWAIT_encode(wait));
        tile_clock_coproc_wake(tile);
        tile_clock_run(tile, 1);
        tile_bus_store(tile, T1, 0xFFE40000, 4, tensix_SEMPOST_encode(held));
        tile_clock_coproc_wake(tile);
    } else {
        tile->coproc.stream.reg[0][csr < 0xbc6 ? STREAM_CURR_PHASE : STREAM_NUM_MSGS] ^= 3;
    }
    tile_clock_changed(tile);
}

static void every_csr_is_what_its_row_says(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 2 * N_CSRS; i++) {
        unsigned csr = csrs[i / 2].number, kind = csrs[i / 2].kind;
        struct tile *tile = new_tile(i % 2);
        assert_int_equal(rvcore_csr_source(&tile->core[T0], csr), kind);
        put_csr_loop(tile, T0, csr, kind != RV_SOURCE_EVENT);
        enum tile_end end = tile_clock_run(tile, 5000);
        if (end != (kind == RV_SOURCE_FREE ? TILE_END_LIMIT
                    : kind == RV_SOURCE_EVENT
                        ? TILE_END_HANG
                        : TILE_END_DONE)) /* reads nothing that could change */
            fail_msg("CSR %x: ends as %u", csr, end);
        if (kind == RV_SOURCE_EVENT) {
            uint64_t now = tile->clock.now;
            change_status(tile, csr);
            tile_clock_run(tile, 2000);
            if (!left(tile) || writers_find(&tile->writers, RESULT)->cycle > now + LEAVES_BY)
                fail_msg("CSR %x: does not see the change", csr);
        }
        free(tile);
    }
}

/* Without time nobody who reads a counter is said to have ended or to stand still. */
static void counters_keep_a_core_going_without_time(void **state)
{
    (void)state;
    for (unsigned i = 0; i < N_CSRS; i++) {
        if (csrs[i].kind != RV_SOURCE_FREE)
            continue;
        void *made = NULL;
        tile_setup(&made);
        struct tile *tile = made;
        put_csr_loop(tile, B, csrs[i].number, true);
        assert_int_equal(tile_run(tile, 20000), 20000);
        assert_false(tile_still(tile));
        free(tile);
    }
}

static void status_csrs_of_core_b_are_scratch(void **state)
{
    struct tile *tile = *state;
    tile->core[B].which = RV_B;
    assert_int_equal(rvcore_csr_source(&tile->core[B], 0xbc1), RV_SOURCE_EVENT);
    assert_int_equal(rvcore_csr_source(&tile->core[B], 0xbc2), RV_SOURCE_CONSTANT);
    tile->core[T0].cfg0 |= RV_CFG0_STATUS_FROZEN;
    assert_int_equal(rvcore_csr_source(&tile->core[T0], 0xbc2), RV_SOURCE_CONSTANT);
    assert_int_equal(rvcore_csr_source(&tile->core[T0], 0x123), RV_SOURCE_ACT);
}

/* A performance counter that its read empties: the round in which it is still full ends with the same registers. */
static void counter_that_a_read_empties_is_no_fixpoint(void **state)
{
    (void)state;
    for (unsigned no_skip = 0; no_skip < 2; no_skip++) {
        struct tile *tile = new_tile(no_skip);
        uint32_t at = tile_control_start_pc(tile, B);
        put_li(tile, &at, 21, RESULT);
        PUT(ADDI, .rd = 8, .imm = 0x100);
        PUT(CSRRS, .rd = 0, .rs1 = 8, .csr = 0x7c0);
        PUT(ADDI, .rd = 9, .imm = 300);
        uint32_t top = at;
        PUT(BEQ, .rs1 = 9, .rs2 = 0, .imm = 12); /* it is filled 300 times ... */
        PUT(ADDI, .rd = 9, .rs1 = 9, .imm = -1);
        PUT(CSRRW, .rd = 0, .rs1 = 8, .csr = 0xb03);
        PUT(CSRRS, .rd = 5, .csr = 0xb03);
        PUT(BEQ, .rs1 = 5, .rs2 = 0, .imm = 12); /* ... and found empty after that */
        PUT(ADDI, .rd = 5);
        PUT(JAL, .imm = (int32_t)(top - at));
        PUT(ADDI, .rd = 7, .imm = 1);
        PUT(SW, .rs1 = 21, .rs2 = 7);
        PUT(JAL, .imm = 0);
        release(tile, B);
        assert_int_equal(tile_clock_run(tile, 100000), TILE_END_DONE);
        assert_true(left(tile));
        assert_int_equal(rvcore_csr_source(&tile->core[B], 0xb03), RV_SOURCE_ACT);
        assert_int_equal(rvcore_csr_source(&tile->core[B], 0xb84), RV_SOURCE_ACT);
        free(tile);
    }
}

TEST_MAIN(cmocka_unit_test(every_window_has_a_row),
          cmocka_unit_test(every_window_is_what_its_row_says),
          TILE_TEST(loads_that_are_reported_are_acts),
          cmocka_unit_test(every_csr_is_what_its_row_says),
          cmocka_unit_test(counters_keep_a_core_going_without_time),
          TILE_TEST(status_csrs_of_core_b_are_scratch),
          cmocka_unit_test(counter_that_a_read_empties_is_no_fixpoint))
