/*
 * tile_drive.h - a tile for tests: accesses in the name of an agent, programs for its cores.
 */
#ifndef WG_TESTS_TILE_DRIVE_H
#define WG_TESTS_TILE_DRIVE_H

#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "isa/rv32.h"
#include "isa/tensix.h"
#include "tile/tile.h"

enum { T0 = MAP_CORE_T0, T1, T2, B, NC, NOC };

#define CONTROL(offset) (UINT32_C(0xFFB12000) + (offset))
#define PIC(offset)     (UINT32_C(0xFFB13000) + (offset))
#define TDMA(offset)    (UINT32_C(0xFFB11000) + (offset))

static inline int tile_setup(void **state)
{
    struct tile *tile = calloc(1, sizeof *tile);
    assert_non_null(tile);
    tile_reset(tile);
    *state = tile;
    return 0;
}

static inline int tile_teardown(void **state)
{
    free(*state);
    return 0;
}

#define TILE_TEST(f) cmocka_unit_test_setup_teardown(f, tile_setup, tile_teardown)

/* A load that must succeed. */
static inline uint32_t load(struct tile *tile, unsigned who, uint32_t address)
{
    uint32_t value = 0;
    assert_int_equal(tile_bus_load(tile, who, address, &value), RV_OK);
    return value;
}

static inline void store(struct tile *tile, unsigned who, uint32_t address, uint32_t value)
{
    assert_int_equal(tile_bus_store(tile, who, address, 4, value), RV_OK);
}

static inline enum rv_status try_load(struct tile *tile, unsigned who, uint32_t address)
{
    uint32_t value;
    return tile_bus_load(tile, who, address, &value);
}

static inline enum rv_status try_store(struct tile *tile, unsigned who, uint32_t address,
                                       uint32_t value)
{
    return tile_bus_store(tile, who, address, 4, value);
}

static inline unsigned told(const struct tile *tile, enum diag_id id)
{
    return tile->coproc.probe.count[id];
}

/* Lets the coprocessor do all it can. */
static inline void settle(struct tile *tile)
{
    while (tile_advance(tile))
        ;
}

static inline void poke(struct tile *tile, uint32_t address, uint32_t word)
{
    assert_true(tile_write(tile, address, &word, 4));
}

static inline uint32_t peek(struct tile *tile, uint32_t address)
{
    uint32_t word = 0;
    assert_true(tile_read(tile, address, &word, 4));
    return word;
}

/* Writes one instruction to *at and moves on: RV_PUT(t, &at, ADDI, .rd = 1, .imm = 5); */
#define RV_PUT(t, at, id, ...)                                                                     \
    (poke(t, *(at), rv32_encode(RV_OP_##id, (struct rv32_args){__VA_ARGS__})), *(at) += 4)

/* rd = value, in two instructions. */
static inline void put_li(struct tile *tile, uint32_t *at, unsigned rd, uint32_t value)
{
    RV_PUT(tile, at, LUI, .rd = (uint8_t)rd, .imm = (int32_t)((value + 0x800) & 0xfffff000));
    RV_PUT(tile,
           at,
           ADDI,
           .rd = (uint8_t)rd,
           .rs1 = (uint8_t)rd,
           .imm = (int32_t)((value & 0xfff) ^ 0x800) - 0x800);
}

/* Takes a core out of reset, or puts it there. */
static inline void release(struct tile *tile, unsigned core)
{
    store(tile, NOC, CONTROL(0x1B0), load(tile, NOC, CONTROL(0x1B0)) & ~tile_reset_bits[core]);
}

static inline void hold(struct tile *tile, unsigned core)
{
    store(tile, NOC, CONTROL(0x1B0), load(tile, NOC, CONTROL(0x1B0)) | tile_reset_bits[core]);
}

/* Words that wait at the gate until semaphore 0 is posted: SEMINIT to 0 with Max 1, then SEMWAIT. */
static inline void push_barrier(struct tile *tile, unsigned thread)
{
    store(tile,
          thread,
          0xFFE40000,
          tensix_SEMINIT_encode((struct tensix_SEMINIT){.sem_sel = 1, .max_value = 1}));
    store(tile,
          thread,
          0xFFE40000,
          tensix_SEMWAIT_encode(
              (struct tensix_SEMWAIT){.wait_sem_cond = 1, .sem_sel = 1, .stall_res = 0x1ff}));
    settle(tile);
}

/* Lets what push_barrier() holds go on. */
static inline void open_barrier(struct tile *tile, unsigned core)
{
    store(tile, core, 0xFFE80020, 0);
    settle(tile);
}

static inline uint32_t setdmareg(unsigned half_register, unsigned value)
{
    return (uint32_t)TENSIX_OP_SETDMAREG << 24 | (value & 0x3fff) << 8 | half_register;
}

static inline uint32_t setc16(unsigned word, unsigned value)
{
    return tensix_SETC16_encode((struct tensix_SETC16){.setc16_reg = word, .setc16_value = value});
}

#endif
