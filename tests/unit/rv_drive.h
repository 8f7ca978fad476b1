/*
 * rv_drive.h - a RISC-V core with memory and a bus that remembers what it was asked; for tests.
 */
#ifndef WG_TESTS_RV_DRIVE_H
#define WG_TESTS_RV_DRIVE_H

#include <string.h>

#include "core/rvcore.h"
#include "isa/rv32.h"
#include "state/l1_port.h"

#define RV_L1    0x10000u
#define RV_BUS   0xffb12000u /* an address behind the bus */
#define RV_LOGS  64u
#define RV_AGAIN 0x200u

struct rv_push {
    unsigned core, n;
    uint32_t words[4], pc;
};

struct rv_drive {
    struct rvcore c;
    struct rvmem m;
    uint8_t l1[RV_L1], local[8192];
    struct rvcode code;
    uint32_t at; /* where the next word goes */
    /* what the bus answers */
    unsigned block; /* so many accesses block */
    bool refuse;
    bool same;   /* loads are RV_SAME */
    bool resets; /* accesses put the core into reset, and out of it at RV_AGAIN */
    uint32_t answer, status;
    /* what it saw */
    unsigned loads, stores, n_pushes, n_faults, written;
    uint32_t last_addr, last_value, last_size, status_csr;
    struct rv_push pushes[RV_LOGS];
    enum rv_fault fault;
    uint32_t fault_pc, fault_arg, fault_core;
};

static inline enum rv_status rv_answer(struct rv_drive *d)
{
    if (d->resets) {
        rvcore_hold(&d->c);
        rvcore_reset(&d->c, d->c.which, RV_AGAIN);
    }
    if (d->block) {
        d->block--;
        return RV_BLOCK;
    }
    return d->refuse ? RV_FAULT : RV_OK;
}

static inline enum rv_status rv_on_load(void *ctx, unsigned core, uint32_t addr, unsigned size,
                                        uint32_t *value)
{
    struct rv_drive *d = ctx;
    (void)core;
    d->loads++;
    d->last_addr = addr;
    d->last_size = size;
    *value = d->answer;
    enum rv_status status = rv_answer(d);
    return d->same && status == RV_OK ? RV_SAME : status;
}

static inline enum rv_status rv_on_store(void *ctx, unsigned core, uint32_t addr, unsigned size,
                                         uint32_t value)
{
    struct rv_drive *d = ctx;
    (void)core;
    d->stores++;
    d->last_addr = addr;
    d->last_size = size;
    d->last_value = value;
    return rv_answer(d);
}

static inline enum rv_status rv_on_push(void *ctx, unsigned core, const uint32_t *words, unsigned n,
                                        uint32_t pc)
{
    struct rv_drive *d = ctx;
    enum rv_status status = rv_answer(d);
    if (status == RV_OK && d->n_pushes < RV_LOGS) {
        struct rv_push *p = &d->pushes[d->n_pushes++];
        p->core = core;
        p->n = n;
        p->pc = pc;
        memcpy(p->words, words, n * sizeof *words);
    }
    return status;
}

static inline uint32_t rv_on_status(void *ctx, unsigned core, unsigned csr)
{
    struct rv_drive *d = ctx;
    (void)core;
    d->status_csr = csr;
    return d->status + (csr - 0xbc0);
}

static inline void rv_on_writes(void *ctx, uint32_t addr, uint32_t size)
{
    (void)ctx;
    (void)addr;
    (void)size;
}

static inline void rv_on_written(void *ctx, struct l1_writer by, uint32_t addr, uint32_t size)
{
    struct rv_drive *d = ctx;
    (void)by;
    (void)size;
    d->written++;
    d->last_addr = addr;
}

static const struct l1_watch rv_watch = {.writes = rv_on_writes, .wrote = rv_on_written};

static inline void rv_on_fault(void *ctx, unsigned core, enum rv_fault kind, uint32_t pc,
                               uint32_t arg)
{
    struct rv_drive *d = ctx;
    d->n_faults++;
    d->fault = kind;
    d->fault_pc = pc;
    d->fault_arg = arg;
    d->fault_core = core;
}

static const struct rvbus rv_bus = {.load = rv_on_load,
                                    .store = rv_on_store,
                                    .push = rv_on_push,
                                    .status = rv_on_status,
                                    .fault = rv_on_fault};

/* A fresh core with its first instruction at 0. */
static inline void rv_start(struct rv_drive *d, unsigned which)
{
    memset(d, 0, sizeof *d);
    d->m = (struct rvmem){
        d->l1, RV_L1, d->local, RV_LOCAL_SIZE(which), &d->code, &rv_bus, d, &rv_watch, 0};
    rvcode_flush(&d->code);
    rvcore_reset(&d->c, which, 0);
}

static inline void rv_word(struct rv_drive *d, uint32_t word)
{
    for (unsigned i = 0; i < 4; i++)
        d->l1[d->at + i] = (uint8_t)(word >> 8 * i);
    rvcode_invalidate(&d->code, d->at, 4);
    d->at += 4;
}

static inline void rv_poke(struct rv_drive *d, uint32_t addr, uint32_t word)
{
    for (unsigned i = 0; i < 4; i++)
        d->l1[addr + i] = (uint8_t)(word >> 8 * i);
}

static inline uint32_t rv_peek(const struct rv_drive *d, uint32_t addr)
{
    return (uint32_t)d->l1[addr] | (uint32_t)d->l1[addr + 1] << 8 |
           (uint32_t)d->l1[addr + 2] << 16 | (uint32_t)d->l1[addr + 3] << 24;
}

/* One instruction: RV(d, ADDI, .rd = 1, .imm = 5); */
#define RV_PUT(d, id, ...) rv_word(d, rv32_encode(RV_OP_##id, (struct rv32_args){__VA_ARGS__}))

static inline uint32_t rv_run(struct rv_drive *d, uint32_t steps)
{
    return rvcore_run(&d->c, &d->m, steps);
}

/* Executes one instruction that reads x1 and x2 (f1, f2, f3) and gives x3. */
static inline uint32_t rv_one(struct rv_drive *d, enum rv_op op, uint32_t a, uint32_t b,
                              int32_t imm)
{
    d->at = 0x100;
    d->c.pc = 0x100;
    d->c.x[1] = a;
    d->c.x[2] = b;
    rv_word(d,
            rv32_encode(op, (struct rv32_args){.rd = 3, .rs1 = 1, .rs2 = 2, .rs3 = 3, .imm = imm}));
    return rv_run(d, 1) == 1 ? d->c.x[3] : UINT32_C(0xdeadbeef);
}

#endif
